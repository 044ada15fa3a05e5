/* SPDX-License-Identifier: BSD-2-Clause
 * The cells of a mesh file. See cells.h.
 */
#include "cells.h"

#include <string.h>

/* ---- numbers ---- */

pl_err pl_mesh_count_cells(file_mesh *mesh, cell_summary *cells)
{
  int64_t mine[SHAPES + 1] = {0}, *all, ranks; /* elements of each shape; the rank */
  *cells = (cell_summary){0};
  for (EACH_ELEMENT(mesh, record)) mine[element_shape(record)]++;
  mine[SHAPES] = pl_rank(mesh->pl);
  pl_err err = pl_mesh_gather(mesh->pl, 1, SHAPES + 1, mine, &ranks, &all);
  if (err) return err;
  for (int64_t r = 0; r < ranks; r++)
    for (int s = 0; s < SHAPES; s++)
      if (all[r * (SHAPES + 1) + s] && pl_mesh_shape_info(s)->dim > cells->dim)
        cells->dim = pl_mesh_shape_info(s)->dim;
  for (int64_t r = 0; r < ranks; r++)
    for (int s = 0; s < SHAPES; s++) {
      const int64_t *row = &all[r * (SHAPES + 1)];
      if (!row[s] || pl_mesh_shape_info(s)->dim < cells->dim) continue;
      cells->shapes |= 1u << s;
      cells->total += row[s];
      if (row[SHAPES] < mine[SHAPES]) cells->first += row[s];
      if (row[SHAPES] == mine[SHAPES]) cells->count += row[s];
    }
  free(all);
  if (cells->dim < 2) pl_mesh_fail(mesh, "there are no cells: no elements of dimension 2 or 3");
  return pl_mesh_agree(mesh);
}

int pl_mesh_cell_width(const cell_summary *cells)
{
  int width = 0;
  for (int s = 0; s < SHAPES; s++)
    if (cells->shapes >> s & 1 && pl_mesh_shape_info(s)->nodes > width) width = pl_mesh_shape_info(s)->nodes;
  return width;
}

int pl_mesh_face_width(const cell_summary *cells)
{
  return cells->dim == 2 ? 2 : cells->shapes == 1u << PL_MESH_TETRAHEDRON ? 3 : 4;
}

/* ---- coordinates of the nodes of this rank's cells ---- */

typedef struct points {
  const int64_t *node; /* ascending; NULL: all nodes */
  const int64_t *x;    /* 3 a node, bits of doubles */
  size_t count;
  int64_t *own_node, *own_x; /* to be freed */
} points;

static int by_number(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void free_points(points *p)
{
  free(p->own_node);
  free(p->own_x);
}

/* The nodes of this rank's cells, ascending. */
static bool list_nodes(file_mesh *mesh, int dim, points *p)
{
  number_list list = {0};
  for (EACH_ELEMENT(mesh, record))
    if (element_info(record)->dim == dim &&
        !pl_mesh_push(mesh, &list, element_info(record)->nodes, record + ELEMENT_HEAD))
      return free(list.at), false;
  if (list.count) qsort(list.at, list.count, sizeof *list.at, by_number);
  for (size_t i = 0; i < list.count; i++)
    if (!p->count || list.at[i] != list.at[p->count - 1]) list.at[p->count++] = list.at[i];
  p->own_node = list.at;
  p->own_x = malloc((3 * p->count + 1) * sizeof *p->own_x);
  return p->own_x || pl_mesh_no_memory(mesh);
}

/* Asks the ranks that keep the nodes. */
static pl_err fetch_points(file_mesh *mesh, points *p)
{
  int *rank = malloc((p->count + 1) * sizeof *rank);
  exchange e;
  if (!rank) pl_mesh_no_memory(mesh);
  pl_err err = pl_mesh_agree(mesh);
  for (size_t i = 0; i < p->count && !err; i++)
    rank[i] = pl_mesh_share_owner(mesh->nodes, pl_ranks(mesh->pl), p->own_node[i]);
  if (!err) err = pl_mesh_send(&e, mesh->pl, (int64_t)p->count, 1, p->own_node, rank);
  free(rank);
  if (err) return err;
  int64_t *replies = malloc((3 * (size_t)e.count + 1) * sizeof *replies);
  if (!replies) pl_mesh_no_memory(mesh);
  err = pl_mesh_agree(mesh);
  for (int64_t i = 0; i < e.count && !err; i++)
    memcpy(&replies[3 * i], &mesh->x.at[3 * (e.items[i] - mesh->first)], 3 * sizeof *replies);
  if (!err) err = pl_mesh_reply(&e, 3, replies, p->own_x);
  free(replies);
  pl_mesh_close(&e);
  p->node = p->own_node;
  p->x = p->own_x;
  return err;
}

static pl_err get_points(file_mesh *mesh, int dim, points *p)
{
  *p = (points){.x = mesh->x.at};
  if (pl_ranks(mesh->pl) == 1) return PL_SUCCESS;
  list_nodes(mesh, dim, p);
  const pl_err err = pl_mesh_agree(mesh);
  return err ? err : fetch_points(mesh, p);
}

static void point_at(const points *p, int64_t node, double x[3])
{
  if (p->node) {
    const int64_t *found = bsearch(&node, p->node, p->count, sizeof node, by_number);
    node = found - p->node;
  }
  for (int k = 0; k < 3; k++) x[k] = number_as_real(p->x[3 * node + k]);
}

/* ---- orientation ---- */

static double area(int n, double x[][3])
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double *a = x[i], *b = x[(i + 1) % n];
    sum += (a[0] - x[0][0]) * (b[1] - x[0][1]) - (b[0] - x[0][0]) * (a[1] - x[0][1]);
  }
  return 0.5 * sum;
}

/* By Gauss's theorem: a third of the sum over faces of centre times area vector, which is half the product of
 * the diagonals. */
static double volume(const shape_info *shape, double x[][3])
{
  double sum = 0;
  for (int f = 0; f < shape->faces; f++) {
    const signed char *face = shape->face[f];
    const int n = pl_mesh_face_size(face);
    double m[3] = {0, 0, 0}, p[3], q[3];
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 3; k++) m[k] += (x[face[i]][k] - x[0][k]) / n;
    for (int k = 0; k < 3; k++) {
      p[k] = x[face[2]][k] - x[face[0]][k];
      q[k] = x[face[n - 1]][k] - x[face[1]][k];
    }
    if (n == 3)
      for (int k = 0; k < 3; k++) q[k] = x[face[2]][k] - x[face[1]][k];
    sum += m[0] * (p[1] * q[2] - p[2] * q[1]) + m[1] * (p[2] * q[0] - p[0] * q[2]) +
           m[2] * (p[0] * q[1] - p[1] * q[0]);
  }
  return sum / 6;
}

static bool orient(file_mesh *mesh, int64_t *record, const points *points)
{
  const shape_info *shape = element_info(record);
  int64_t *node = record + ELEMENT_HEAD, old[SHAPE_NODES];
  double x[SHAPE_NODES][3];
  for (int i = 0; i < shape->nodes; i++) point_at(points, node[i], x[i]);
  const double size = shape->dim == 2 ? area(shape->nodes, x) : volume(shape, x);
  if (!(size < 0 || size > 0))
    return pl_mesh_fail_at(mesh, element_place(record), "the %s has no %s", shape->name,
                           shape->dim == 2 ? "area" : "volume");
  if (size > 0) return true;
  memcpy(old, node, (size_t)shape->nodes * sizeof *old);
  for (int i = 0; i < shape->nodes; i++) node[i] = old[shape->mirror[i]];
  return true;
}

static bool is_plane(file_mesh *mesh)
{
  for (size_t i = 2; i < mesh->x.count; i += 3)
    if (number_as_real(mesh->x.at[i]) != 0)
      return pl_mesh_fail(mesh, "the mesh has cells of dimension 2, but lies not in the plane z = 0");
  return true;
}

pl_err pl_mesh_orient(file_mesh *mesh, const cell_summary *cells)
{
  points points;
  if (cells->dim == 2) is_plane(mesh);
  pl_err err = pl_mesh_agree(mesh);
  if (err) return err;
  err = get_points(mesh, cells->dim, &points);
  if (!err) {
    for (EACH_ELEMENT(mesh, record))
      if (element_info(record)->dim == cells->dim && !orient(mesh, record, &points)) break;
    err = pl_mesh_agree(mesh);
  }
  free_points(&points);
  return err;
}
