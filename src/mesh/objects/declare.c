/* SPDX-License-Identifier: BSD-2-Clause
 * From the share of a file to sets, maps and dats. See declare.h.
 */
#include "declare.h"
#include "sides.h"

#include <string.h>

typedef struct declaration {
  mesh_state *state;
  file_mesh *file;
  cell_summary cells;
  side_lists sides;
} declaration;

/* ---- nodes ---- */

static pl_err declare_nodes(declaration *d)
{
  pl_mesh *mesh = &d->state->mesh;
  const size_t n = d->file->x.count / 3, dim = (size_t)mesh->dim;
  double *x = malloc((n * dim + 1) * sizeof *x);
  if (!x) pl_mesh_no_memory(d->file);
  pl_err err = pl_mesh_agree(d->file);
  for (size_t i = 0; i < n && !err; i++)
    for (size_t k = 0; k < dim; k++) x[i * dim + k] = number_as_real(d->file->x.at[3 * i + k]);
  if (!err) err = pl_decl_set(d->state->pl, (int64_t)n, "nodes", &mesh->nodes);
  if (!err) err = pl_decl_dat(mesh->nodes, mesh->dim, PL_DOUBLE, x, "x", &mesh->x);
  free(x);
  return err;
}

/* ---- cells ---- */

typedef struct cell_arrays {
  int64_t *node;
  int *shape, *marker;
  number_list group;
} cell_arrays;

static bool fill_cells(declaration *d, int width, cell_arrays *a)
{
  const file_mesh *file = d->file;
  const group_list *groups = &d->state->groups;
  int64_t i = 0;
  for (EACH_ELEMENT(file, record)) {
    const shape_info *shape = element_info(record);
    if (shape->dim != d->cells.dim) continue;
    for (int k = 0; k < width; k++) a->node[i * width + k] = k < shape->nodes ? record[ELEMENT_HEAD + k] : -1;
    a->shape[i] = element_shape(record);
    a->marker[i] = (int)record[1];
    const int g = pl_mesh_group_number(groups, shape->dim, record[1]);
    if (g >= 0 && !pl_mesh_push(d->file, &a->group, 2, (int64_t[]){g, d->cells.first + i})) return false;
    record[1] = i++; /* for further groups */
  }
  for (size_t k = 0; k < file->more.count; k += 2) {
    const int64_t *record = &file->elements.at[file->more.at[k]];
    const int g = pl_mesh_group_number(groups, d->cells.dim, file->more.at[k + 1]);
    if (element_info(record)->dim == d->cells.dim && g >= 0 &&
        !pl_mesh_push(d->file, &a->group, 2, (int64_t[]){g, d->cells.first + record[1]}))
      return false;
  }
  return true;
}

static pl_err declare_cells(declaration *d)
{
  pl_mesh *mesh = &d->state->mesh;
  const int width = pl_mesh_cell_width(&d->cells);
  const size_t n = (size_t)d->cells.count;
  cell_arrays a = {malloc((n * (size_t)width + 1) * sizeof *a.node),
                   malloc((n + 1) * sizeof *a.shape),
                   malloc((n + 1) * sizeof *a.marker),
                   {0}};
  if (!a.node || !a.shape || !a.marker)
    pl_mesh_no_memory(d->file);
  else
    fill_cells(d, width, &a);
  pl_err err = pl_mesh_agree(d->file);
  if (!err) err = pl_decl_set(d->state->pl, d->cells.count, "cells", &mesh->cells);
  if (!err)
    err = pl_decl_map_global(mesh->cells, mesh->nodes, width, a.node, "cell_nodes", &mesh->cell_nodes);
  if (!err) err = pl_decl_dat(mesh->cells, 1, PL_INT, a.shape, "cell_shape", &mesh->cell_shape);
  if (!err) err = pl_decl_dat(mesh->cells, 1, PL_INT, a.marker, "cell_marker", &mesh->cell_marker);
  if (!err)
    err = pl_mesh_decl_subsets(d->file, &d->state->groups, d->cells.dim, mesh->cells, &a.group,
                               offsetof(pl_mesh_group, cells));
  free(a.node);
  free(a.shape);
  free(a.marker);
  free(a.group.at);
  return err;
}

/* ---- faces ---- */

typedef struct side_target {
  pl_set **set;
  pl_map **nodes, **cells;
  pl_dat **marker;
  const char *names[4];
  size_t member; /* of a group */
} side_target;

/* Adds the number of faces of the lower ranks to the indices of pairs. */
static pl_err make_global(declaration *d, number_list *pairs, int64_t count)
{
  int64_t ranks, *all, before = 0;
  const pl_err err =
    pl_mesh_gather(d->state->pl, 1, 2, (int64_t[]){pl_rank(d->state->pl), count}, &ranks, &all);
  if (err) return err;
  for (int64_t r = 0; r < ranks; r++)
    if (all[2 * r] < pl_rank(d->state->pl)) before += all[2 * r + 1];
  for (size_t i = 0; i < pairs->count; i += 2) pairs->at[i + 1] += before;
  free(all);
  return PL_SUCCESS;
}

static pl_err declare_sides(declaration *d, int kind, const side_target *t)
{
  pl_mesh *mesh = &d->state->mesh;
  side_list *list = &d->sides.of[kind];
  int *marker = malloc((list->count + 1) * sizeof *marker);
  static const int64_t none[1] = {0};
  if (!marker) pl_mesh_no_memory(d->file);
  pl_err err = pl_mesh_agree(d->file);
  for (size_t i = 0; i < list->count && !err; i++) marker[i] = (int)list->marker.at[i];
  if (!err) err = pl_decl_set(d->state->pl, (int64_t)list->count, t->names[0], t->set);
  if (!err)
    err = pl_decl_map_global(*t->set, mesh->nodes, d->sides.width, list->count ? list->node.at : none,
                             t->names[1], t->nodes);
  if (!err)
    err = pl_decl_map_global(*t->set, mesh->cells, kind == SIDES_INNER ? 2 : 1,
                             list->count ? list->cell.at : none, t->names[2], t->cells);
  if (!err) err = pl_decl_dat(*t->set, 1, PL_INT, marker, t->names[3], t->marker);
  if (!err) err = make_global(d, &list->group, (int64_t)list->count);
  if (!err)
    err = pl_mesh_decl_subsets(d->file, &d->state->groups, mesh->dim - 1, *t->set, &list->group, t->member);
  free(marker);
  return err;
}

static pl_err declare_faces(declaration *d)
{
  pl_mesh *mesh = &d->state->mesh;
  const side_target inner = {&mesh->faces,
                             &mesh->face_nodes,
                             &mesh->face_cells,
                             &mesh->face_marker,
                             {"faces", "face_nodes", "face_cells", "face_marker"},
                             offsetof(pl_mesh_group, faces)};
  const side_target outer = {&mesh->boundary,
                             &mesh->boundary_nodes,
                             &mesh->boundary_cells,
                             &mesh->boundary_marker,
                             {"boundary", "boundary_nodes", "boundary_cells", "boundary_marker"},
                             offsetof(pl_mesh_group, boundary)};
  const pl_err err = declare_sides(d, SIDES_INNER, &inner);
  return err ? err : declare_sides(d, SIDES_BOUNDARY, &outer);
}

/* ---- nodes of groups ---- */

static bool push_nodes(declaration *d, number_list *pairs, int dim, int n, const int64_t *node, int64_t tag)
{
  const int g = pl_mesh_group_number(&d->state->groups, dim, tag);
  for (int i = 0; i < n && g >= 0; i++)
    if (!pl_mesh_push(d->file, pairs, 2, (int64_t[]){g, node[i]})) return false;
  return true;
}

static bool list_group_nodes(declaration *d, number_list *pairs)
{
  const file_mesh *file = d->file;
  for (EACH_ELEMENT(file, record)) {
    const shape_info *shape = element_info(record);
    if (shape->dim < d->cells.dim &&
        !push_nodes(d, pairs, shape->dim, shape->nodes, record + ELEMENT_HEAD, record[1]))
      return false;
  }
  for (size_t i = 0; i < file->more.count; i += 2) {
    const int64_t *record = &file->elements.at[file->more.at[i]];
    const shape_info *shape = element_info(record);
    if (shape->dim < d->cells.dim &&
        !push_nodes(d, pairs, shape->dim, shape->nodes, record + ELEMENT_HEAD, file->more.at[i + 1]))
      return false;
  }
  for (size_t i = 0; i < file->boundary.count; i += 4)
    if (!push_nodes(d, pairs, 1, 2, &file->boundary.at[i], file->boundary.at[i + 3])) return false;
  return true;
}

static pl_err declare_group_nodes(declaration *d)
{
  number_list pairs = {0};
  list_group_nodes(d, &pairs);
  pl_err err = pl_mesh_agree(d->file);
  for (int dim = 0; dim < d->cells.dim && !err; dim++)
    err = pl_mesh_decl_subsets(d->file, &d->state->groups, dim, d->state->mesh.nodes, &pairs,
                               offsetof(pl_mesh_group, nodes));
  free(pairs.at);
  return err;
}

/* ---- all ---- */

static pl_err declare_all(declaration *d)
{
  pl_err err = pl_mesh_number_nodes(d->file);
  if (!err) err = pl_mesh_count_cells(d->file, &d->cells);
  if (!err) err = pl_mesh_orient(d->file, &d->cells);
  if (!err) err = pl_mesh_list_groups(d->file, &d->state->groups);
  if (!err) err = pl_mesh_find_sides(d->file, &d->cells, &d->state->groups, &d->sides);
  if (err) return err;
  d->state->mesh.dim = d->cells.dim;
  err = declare_nodes(d);
  if (!err) err = declare_group_nodes(d);
  if (!err) err = declare_cells(d); /* changes the records of cells */
  return err ? err : declare_faces(d);
}

pl_err pl_mesh_declare(mesh_state *state, file_mesh *file)
{
  declaration d = {.state = state, .file = file};
  const pl_err err = declare_all(&d);
  pl_mesh_free_sides(&d.sides);
  state->mesh.ngroups = state->groups.count;
  state->mesh.groups = state->groups.at;
  return err;
}
