/* SPDX-License-Identifier: BSD-2-Clause
 * Faces by matching: each cell sends its faces to the ranks of their lowest nodes, and each element of one
 * dimension less its marker. There, equal nodes are the same face. See sides.h.
 */
#include "sides.h"

#include <string.h>

/* A message: `width` nodes, then a cell, or -1 - g for group g. */
typedef struct side_messages {
  file_mesh *mesh;
  const group_list *groups;
  side_lists *sides;
  int width, dim;
  number_list items;
  int *rank;
} side_messages;

/* ---- sending ---- */

static bool push_side(side_messages *m, int n, const int64_t *node, int64_t last)
{
  int64_t item[FACE_NODES + 1] = {-1, -1, -1, -1};
  memcpy(item, node, (size_t)n * sizeof *node);
  item[m->width] = last;
  return pl_mesh_push(m->mesh, &m->items, m->width + 1, item);
}

static bool push_cell(side_messages *m, const int64_t *record, int64_t cell)
{
  const shape_info *shape = element_info(record);
  for (int f = 0; f < shape->faces; f++) {
    int64_t node[FACE_NODES];
    const int n = pl_mesh_face_size(shape->face[f]);
    for (int i = 0; i < n; i++) node[i] = record[ELEMENT_HEAD + shape->face[f][i]];
    if (!push_side(m, n, node, cell)) return false;
  }
  return true;
}

static bool push_marker(side_messages *m, const int64_t *record, int64_t tag)
{
  const int g = pl_mesh_group_number(m->groups, m->dim - 1, tag);
  const shape_info *shape = element_info(record);
  if (g < 0 || shape->dim != m->dim - 1) return true;
  if (shape->nodes > m->width)
    return pl_mesh_fail_at(m->mesh, element_place(record), "the %s is no face of a cell", shape->name);
  return push_side(m, shape->nodes, record + ELEMENT_HEAD, -1 - g);
}

static bool make_messages(side_messages *m, int64_t cell)
{
  file_mesh *mesh = m->mesh;
  for (EACH_ELEMENT(mesh, record))
    if (element_info(record)->dim == m->dim ? !push_cell(m, record, cell++)
                                            : !push_marker(m, record, record[1]))
      return false;
  for (size_t i = 0; i < mesh->more.count; i += 2)
    if (!push_marker(m, &mesh->elements.at[mesh->more.at[i]], mesh->more.at[i + 1])) return false;
  const size_t stride = (size_t)m->width + 1, n = m->items.count / stride;
  m->rank = malloc((n + 1) * sizeof *m->rank);
  return m->rank || pl_mesh_no_memory(mesh);
}

static int64_t lowest(const int64_t *node, int width)
{
  int64_t least = node[0];
  for (int i = 1; i < width; i++)
    if (node[i] >= 0 && node[i] < least) least = node[i];
  return least;
}

static void address_messages(side_messages *m)
{
  const size_t stride = (size_t)m->width + 1, n = m->items.count / stride;
  for (size_t i = 0; i < n; i++)
    m->rank[i] =
      pl_mesh_share_owner(m->mesh->nodes, pl_ranks(m->mesh->pl), lowest(&m->items.at[i * stride], m->width));
}

/* ---- matching ---- */

/* A message that came: its sorted nodes, and where it is. */
typedef struct arrival {
  int64_t key[FACE_NODES];
  const int64_t *item;
} arrival;

static void sort_nodes(int64_t *node, int n)
{
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && node[k] < node[k - 1]; k--) {
      const int64_t kept = node[k];
      node[k] = node[k - 1];
      node[k - 1] = kept;
    }
}

/* By nodes, then cells before groups, ascending. */
static int compare(const arrival *a, const arrival *b, int width)
{
  for (int i = 0; i < width; i++)
    if (a->key[i] != b->key[i]) return a->key[i] < b->key[i] ? -1 : 1;
  const int64_t x = a->item[width], y = b->item[width];
  if ((x < 0) != (y < 0)) return x < 0 ? 1 : -1;
  if (x < 0) return x > y ? -1 : x < y;
  return x < y ? -1 : x > y;
}

static int size_of(const int64_t *node, int width)
{
  int n = 0;
  while (n < width && node[n] >= 0) n++;
  return n;
}

static void set_arrival(arrival *a, const int64_t *item, int width)
{
  const int n = size_of(item, width);
  memcpy(a->key, item, (size_t)width * sizeof *item);
  sort_nodes(a->key, n);
  a->item = item;
}

/* Sorts the few messages of one lowest node. */
static void sort_arrivals(arrival *a, size_t n, int width)
{
  for (size_t i = 1; i < n; i++) {
    const arrival moved = a[i];
    size_t k = i;
    for (; k > 0 && compare(&moved, &a[k - 1], width) < 0; k--) a[k] = a[k - 1];
    a[k] = moved;
  }
}

/* Whether two cells list the nodes of their face in opposite directions. */
static bool opposite(const int64_t *a, const int64_t *b, int n)
{
  int at = 0;
  if (n == 2) return a[0] == b[1];
  while (at < n && b[at] != a[0]) at++;
  for (int i = 0; i < n; i++)
    if (b[(at + n - i) % n] != a[i]) return false;
  return true;
}

static bool same_nodes(const arrival *a, const arrival *b, int width)
{
  return memcmp(a->key, b->key, (size_t)width * sizeof *a->key) == 0;
}

/* Takes one face: n messages with the same nodes. */
static bool take_face(side_messages *m, const arrival *a, size_t n)
{
  const int width = m->width;
  const int64_t *item = a[0].item, first = item[width];
  size_t cells = 0;
  while (cells < n && a[cells].item[width] >= 0) cells++;
  if (cells == 0)
    return pl_mesh_fail(m->mesh,
                        "an element of group \"%s\" is no face of a cell (its lowest node is the %lldth)",
                        m->groups->at[-1 - first].name, (long long)(a->key[0] + 1));
  if (cells > 2)
    return pl_mesh_fail(m->mesh, "cells %lld, %lld and %lld (counted from 0) have a face in common",
                        (long long)first, (long long)a[1].item[width], (long long)a[2].item[width]);
  if (cells == 2 && !opposite(item, a[1].item, size_of(item, width)))
    return pl_mesh_fail(m->mesh, "cells %lld and %lld (counted from 0) overlap", (long long)first,
                        (long long)a[1].item[width]);
  side_list *list = &m->sides->of[cells == 2 ? SIDES_INNER : SIDES_BOUNDARY];
  int64_t tag = 0;
  for (size_t i = cells; i < n; i++) {
    const int64_t g = -1 - a[i].item[width];
    if (i == cells) tag = m->groups->at[g].tag;
    if (!pl_mesh_push(m->mesh, &list->group, 2, (int64_t[]){g, (int64_t)list->count})) return false;
  }
  list->count++;
  return pl_mesh_push(m->mesh, &list->node, width, item) &&
         pl_mesh_push(m->mesh, &list->cell, (int)cells, (int64_t[]){first, a[cells - 1].item[width]}) &&
         pl_mesh_push(m->mesh, &list->marker, 1, &tag);
}

static bool take_faces(side_messages *m, arrival *a, size_t n)
{
  sort_arrivals(a, n, m->width);
  for (size_t i = 0, next; i < n; i = next) {
    next = i + 1;
    while (next < n && same_nodes(&a[i], &a[next], m->width)) next++;
    if (!take_face(m, &a[i], next - i)) return false;
  }
  return true;
}

/* Distributes the messages by their lowest node, and takes those of one node after the other. */
static bool match(side_messages *m, const exchange *e)
{
  const int64_t first = m->mesh->first;
  const size_t stride = (size_t)m->width + 1, n = (size_t)e->count, nodes = m->mesh->x.count / 3;
  size_t *start = calloc(nodes + 2, sizeof *start);
  arrival *arrivals = malloc((n + 1) * sizeof *arrivals);
  bool good = start && arrivals;
  if (!good) pl_mesh_no_memory(m->mesh);
  for (size_t i = 0; i < n && good; i++) start[lowest(&e->items[i * stride], m->width) - first + 2]++;
  for (size_t i = 0; i < nodes && good; i++) start[i + 2] += start[i + 1];
  for (size_t i = 0; i < n && good; i++)
    set_arrival(&arrivals[start[lowest(&e->items[i * stride], m->width) - first + 1]++],
                &e->items[i * stride], m->width);
  for (size_t i = 0; i < nodes && good; i++)
    good = take_faces(m, arrivals + start[i], start[i + 1] - start[i]);
  free(start);
  free(arrivals);
  return good;
}

static pl_err derive(side_messages *m, int64_t first_cell)
{
  exchange e;
  if (make_messages(m, first_cell)) address_messages(m);
  pl_err err = pl_mesh_agree(m->mesh);
  const int stride = m->width + 1;
  if (!err)
    err = pl_mesh_send(&e, m->mesh->pl, (int64_t)m->items.count / stride, stride, m->items.at, m->rank);
  if (!err) {
    match(m, &e);
    err = pl_mesh_agree(m->mesh);
    pl_mesh_close(&e);
  }
  free(m->items.at);
  free(m->rank);
  return err;
}

/* ---- faces of the file ---- */

static bool take_listed(side_messages *m)
{
  file_mesh *mesh = m->mesh;
  side_list *inner = &m->sides->of[SIDES_INNER], *outer = &m->sides->of[SIDES_BOUNDARY];
  const int64_t none = 0;
  for (size_t i = 0; i < mesh->faces.count; i += 4, inner->count++)
    if (!pl_mesh_push(mesh, &inner->node, 2, &mesh->faces.at[i]) ||
        !pl_mesh_push(mesh, &inner->cell, 2, &mesh->faces.at[i + 2]) ||
        !pl_mesh_push(mesh, &inner->marker, 1, &none))
      return false;
  for (size_t i = 0; i < mesh->boundary.count; i += 4, outer->count++) {
    const int64_t *edge = &mesh->boundary.at[i];
    const int g = pl_mesh_group_number(m->groups, 1, edge[3]);
    if (!pl_mesh_push(mesh, &outer->node, 2, edge) || !pl_mesh_push(mesh, &outer->cell, 1, &edge[2]) ||
        !pl_mesh_push(mesh, &outer->marker, 1, &edge[3]))
      return false;
    if (g >= 0 && !pl_mesh_push(mesh, &outer->group, 2, (int64_t[]){g, (int64_t)outer->count})) return false;
  }
  return true;
}

pl_err pl_mesh_find_sides(file_mesh *mesh, const cell_summary *cells, const group_list *groups,
                          side_lists *sides)
{
  *sides = (side_lists){.width = pl_mesh_face_width(cells)};
  side_messages m = {
    .mesh = mesh, .groups = groups, .sides = sides, .width = sides->width, .dim = cells->dim};
  if (!mesh->has_faces) return derive(&m, cells->first);
  take_listed(&m);
  return pl_mesh_agree(mesh);
}

void pl_mesh_free_sides(side_lists *sides)
{
  for (int k = 0; k < SIDES_KINDS; k++) {
    side_list *list = &sides->of[k];
    free(list->node.at);
    free(list->cell.at);
    free(list->marker.at);
    free(list->group.at);
  }
}
