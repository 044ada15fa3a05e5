/* SPDX-License-Identifier: BSD-2-Clause
 * Mesh files in the formats of SU2 and Gmsh; see mesh_write.h.
 */
#include "mesh_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Numbers of the shapes in files: VTK's, which SU2 uses, and Gmsh's. */
static const struct {
  int vtk, gmsh;
} types[] = {
  [PL_MESH_POINT] = {1, 15},        [PL_MESH_LINE] = {3, 1},         [PL_MESH_TRIANGLE] = {5, 2},
  [PL_MESH_QUADRILATERAL] = {9, 3}, [PL_MESH_TETRAHEDRON] = {10, 4}, [PL_MESH_HEXAHEDRON] = {12, 5},
  [PL_MESH_PRISM] = {13, 6},        [PL_MESH_PYRAMID] = {14, 7},
};

/* ---- elements: cells, boundary faces, inner faces of groups ---- */

typedef enum element_kind { CELLS, BOUNDARY, FACES, KINDS } element_kind;

typedef struct elements {
  int64_t n;
  const int *node, *marker;
  int arity;
} elements;

static elements elements_of(const mesh_views *v, element_kind kind)
{
  const pl_mesh *m = v->mesh;
  pl_map *const maps[] = {m->cell_nodes, m->boundary_nodes, m->face_nodes};
  const int *const markers[] = {v->cell_marker, v->boundary_marker, v->face_marker};
  return (elements){pl_set_size(pl_map_from(maps[kind])), pl_map_indices(maps[kind]), markers[kind],
                    pl_map_arity(maps[kind])};
}

static const int *element_at(const elements *e, int64_t i, int *n)
{
  const int *node = e->node + i * e->arity;
  for (*n = 0; *n < e->arity && node[*n] >= 0; ++*n) continue;
  return node;
}

static pl_mesh_shape shape_at(const mesh_views *v, element_kind kind, int64_t i, int n)
{
  if (kind == CELLS) return (pl_mesh_shape)v->shape[i];
  return n == 2 ? PL_MESH_LINE : n == 3 ? PL_MESH_TRIANGLE : PL_MESH_QUADRILATERAL;
}

static void write_nodes_of(FILE *file, const int *node, int n, int base)
{
  for (int k = 0; k < n; k++) fprintf(file, " %d", node[k] + base);
  fputc('\n', file);
}

static void write_place(FILE *file, const mesh_views *v, int64_t node, int components)
{
  for (int d = 0; d < components; d++)
    fprintf(file, "%s%.17g", d ? " " : "", d < v->mesh->dim ? v->x[v->mesh->dim * node + d] : 0.0);
  fputc('\n', file);
}

static bool close_file(FILE *file)
{
  const bool good = !ferror(file);
  return !fclose(file) && good;
}

/* ---- SU2: a marker for each group of the boundary ---- */

static bool is_marker(const pl_mesh *m, const pl_mesh_group *g)
{
  return g->dim == m->dim - 1 && g->boundary && pl_set_size(g->boundary) > 0;
}

/* The name of a marker is one word. */
static void write_su2_name(FILE *file, const char *name)
{
  fprintf(file, "MARKER_TAG= ");
  for (; *name; name++) fputc(*name == ' ' ? '_' : *name, file);
}

static void write_su2_marker(FILE *file, const mesh_views *v, const pl_mesh_group *g)
{
  const elements e = elements_of(v, BOUNDARY);
  const int *index = pl_subset_indices(g->boundary);
  const int64_t count = pl_set_size(g->boundary);
  write_su2_name(file, g->name);
  fprintf(file, "\nMARKER_ELEMS= %" PRId64 "\n", count);
  for (int64_t i = 0; i < count; i++) {
    int n;
    const int *node = element_at(&e, index[i], &n);
    fprintf(file, "%d", types[shape_at(v, BOUNDARY, index[i], n)].vtk);
    write_nodes_of(file, node, n, 0);
  }
}

bool mesh_write_su2(const mesh_views *v, const char *path)
{
  const pl_mesh *m = v->mesh;
  FILE *file = fopen(path, "w");
  int markers = 0;
  if (!file) return false;
  fprintf(file, "NDIME= %d\nNELEM= %" PRId64 "\n", m->dim, pl_set_size(m->cells));
  for (int64_t cell = 0; cell < pl_set_size(m->cells); cell++) {
    int n;
    const int *node = mesh_cell(v, cell, &n);
    fprintf(file, "%d", types[v->shape[cell]].vtk);
    write_nodes_of(file, node, n, 0);
  }
  fprintf(file, "NPOIN= %" PRId64 "\n", pl_set_size(m->nodes));
  for (int64_t node = 0; node < pl_set_size(m->nodes); node++) write_place(file, v, node, m->dim);
  for (int g = 0; g < m->ngroups; g++) markers += is_marker(m, &m->groups[g]);
  fprintf(file, "NMARK= %d\n", markers);
  for (int g = 0; g < m->ngroups; g++)
    if (is_marker(m, &m->groups[g])) write_su2_marker(file, v, &m->groups[g]);
  return close_file(file);
}

/* ---- Gmsh 4.1: an entity for each group, and one for the elements without ---- */

/* Entities of a dimension have the numbers 1 (no group) and 2, 3, ... of the groups of this dimension. */
static int entity_of(const pl_mesh *m, int dim, int tag)
{
  int entity = 1;
  for (int g = 0; g < m->ngroups; g++) {
    if (m->groups[g].dim != dim) continue;
    entity++;
    if (m->groups[g].tag == tag) return entity;
  }
  return 1;
}

static int count_groups(const pl_mesh *m, int dim)
{
  int count = 0;
  for (int g = 0; g < m->ngroups; g++) count += m->groups[g].dim == dim;
  return count;
}

static void write_entities(FILE *file, const mesh_views *v)
{
  const pl_mesh *m = v->mesh;
  double box[6] = {0};
  for (int64_t i = 0; i < pl_set_size(m->nodes); i++)
    for (int d = 0; d < m->dim; d++) {
      const double x = v->x[m->dim * i + d];
      if (!i || x < box[d]) box[d] = x;
      if (!i || x > box[3 + d]) box[3 + d] = x;
    }
  fprintf(file, "$Entities\n0");
  for (int dim = 1; dim <= 3; dim++)
    fprintf(file, " %d", dim >= m->dim - 1 && dim <= m->dim ? 1 + count_groups(m, dim) : 0);
  fputc('\n', file);
  for (int dim = m->dim - 1; dim <= m->dim; dim++)
    for (int g = -1, entity = 1; g < m->ngroups; g++) {
      if (g >= 0 && m->groups[g].dim != dim) continue;
      fprintf(file, "%d", entity++);
      for (int k = 0; k < 6; k++) fprintf(file, " %.17g", box[k]);
      if (g < 0)
        fprintf(file, " 0 0\n");
      else
        fprintf(file, " 1 %d 0\n", m->groups[g].tag);
    }
  fprintf(file, "$EndEntities\n");
}

static void write_names(FILE *file, const pl_mesh *m)
{
  const int count = count_groups(m, m->dim - 1) + count_groups(m, m->dim);
  if (!count) return;
  fprintf(file, "$PhysicalNames\n%d\n", count);
  for (int g = 0; g < m->ngroups; g++)
    if (m->groups[g].dim >= m->dim - 1)
      fprintf(file, "%d %d \"%s\"\n", m->groups[g].dim, m->groups[g].tag, m->groups[g].name);
  fprintf(file, "$EndPhysicalNames\n");
}

static void write_gmsh_nodes(FILE *file, const mesh_views *v)
{
  const int64_t n = pl_set_size(v->mesh->nodes);
  fprintf(file, "$Nodes\n1 %" PRId64 " 1 %" PRId64 "\n%d 1 0 %" PRId64 "\n", n, n, v->mesh->dim, n);
  for (int64_t i = 1; i <= n; i++) fprintf(file, "%" PRId64 "\n", i);
  for (int64_t i = 0; i < n; i++) write_place(file, v, i, 3);
  fprintf(file, "$EndNodes\n");
}

/* An element in the file. */
typedef struct item {
  int dim, entity, shape;
  element_kind kind;
  int64_t index;
} item;

static int compare_items(const void *a, const void *b)
{
  const item *p = a, *q = b;
  if (p->dim != q->dim) return p->dim < q->dim ? -1 : 1;
  if (p->entity != q->entity) return p->entity < q->entity ? -1 : 1;
  if (p->shape != q->shape) return p->shape < q->shape ? -1 : 1;
  if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
  return p->index < q->index ? -1 : p->index > q->index;
}

static bool same_block(const item *a, const item *b)
{
  return a->dim == b->dim && a->entity == b->entity && a->shape == b->shape;
}

/* Inner faces without a group are left out. */
static int64_t list_items(const mesh_views *v, item *list)
{
  int64_t count = 0;
  for (element_kind kind = CELLS; kind < KINDS; kind++) {
    const elements e = elements_of(v, kind);
    const int dim = v->mesh->dim - (kind != CELLS);
    for (int64_t i = 0; i < e.n; i++) {
      int n;
      if (kind == FACES && !e.marker[i]) continue;
      element_at(&e, i, &n);
      list[count++] =
        (item){dim, entity_of(v->mesh, dim, e.marker[i]), (int)shape_at(v, kind, i, n), kind, i};
    }
  }
  qsort(list, (size_t)count, sizeof *list, compare_items);
  return count;
}

static void write_items(FILE *file, const mesh_views *v, const item *list, int64_t count)
{
  int blocks = 0;
  for (int64_t i = 0; i < count; i++) blocks += !i || !same_block(&list[i], &list[i - 1]);
  fprintf(file, "$Elements\n%d %" PRId64 " 1 %" PRId64 "\n", blocks, count, count);
  for (int64_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && same_block(&list[i], &list[end]);) end++;
    fprintf(file, "%d %d %d %" PRId64 "\n", list[i].dim, list[i].entity, types[list[i].shape].gmsh, end - i);
    for (int64_t k = i; k < end; k++) {
      const elements e = elements_of(v, list[k].kind);
      int n;
      const int *node = element_at(&e, list[k].index, &n);
      fprintf(file, "%" PRId64, k + 1);
      write_nodes_of(file, node, n, 1);
    }
  }
  fprintf(file, "$EndElements\n");
}

bool mesh_write_gmsh(const mesh_views *v, const char *path)
{
  const pl_mesh *m = v->mesh;
  const int64_t most = pl_set_size(m->cells) + pl_set_size(m->boundary) + pl_set_size(m->faces);
  item *list = malloc(((size_t)most + 1) * sizeof *list);
  FILE *file = list ? fopen(path, "w") : NULL;
  bool good = file;
  if (file) {
    fprintf(file, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    write_names(file, m);
    write_entities(file, v);
    write_gmsh_nodes(file, v);
    write_items(file, v, list, list_items(v, list));
    good = close_file(file);
  }
  free(list);
  return good;
}
