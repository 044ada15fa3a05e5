/* SPDX-License-Identifier: BSD-2-Clause
 * Mesh: its memory, and the random numbering. See mesh.h.
 */
#include "mesh.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/random.h"

bool mesh_fail(mesh_error *error, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  return false;
}

void mesh_free(airfoil_mesh *mesh)
{
  free(mesh->cell_node);
  free(mesh->edge_node);
  free(mesh->edge_cell);
  free(mesh->bedge_node);
  free(mesh->bedge_cell);
  free(mesh->bound);
  free(mesh->x);
  free(mesh->cell_origin);
  *mesh = (airfoil_mesh){0};
}

static void *new_array(int rows, int width, size_t size)
{
  return malloc(rows > 0 ? (size_t)rows * (size_t)width * size : 1);
}

bool mesh_alloc(airfoil_mesh *mesh, const int counts[4], mesh_error *error)
{
  const int nnode = counts[0], ncell = counts[1], nedge = counts[2], nbedge = counts[3];
  *mesh = (airfoil_mesh){
    .nnode = nnode,
    .ncell = ncell,
    .nedge = nedge,
    .nbedge = nbedge,
    .cell_node = new_array(ncell, 4, sizeof(int)),
    .edge_node = new_array(nedge, 2, sizeof(int)),
    .edge_cell = new_array(nedge, 2, sizeof(int)),
    .bedge_node = new_array(nbedge, 2, sizeof(int)),
    .bedge_cell = new_array(nbedge, 1, sizeof(int)),
    .bound = new_array(nbedge, 1, sizeof(int)),
    .x = new_array(nnode, 2, sizeof(double)),
  };
  if (mesh->cell_node && mesh->edge_node && mesh->edge_cell && mesh->bedge_node && mesh->bedge_cell &&
      mesh->bound && mesh->x)
    return true;
  mesh_free(mesh);
  return mesh_fail(error, "no memory for a mesh of %d cells", ncell);
}

/* ---- random numbering ---- */

/* A random order of n things: order[new] = old, and its inverse rank[old] = new. */
typedef struct shuffle {
  int n, *order, *rank;
} shuffle;

static bool shuffle_make(shuffle *s, int n, random_stream *stream)
{
  *s = (shuffle){n, new_array(n, 1, sizeof(int)), new_array(n, 1, sizeof(int))};
  if (!s->order || !s->rank) return false;
  for (int i = 0; i < n; i++) s->order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int other = (int)random_below(stream, (uint64_t)i + 1), kept = s->order[i];
    s->order[i] = s->order[other];
    s->order[other] = kept;
  }
  for (int i = 0; i < n; i++) s->rank[s->order[i]] = i;
  return true;
}

static void shuffle_free(shuffle *s)
{
  free(s->order);
  free(s->rank);
}

/* Puts the rows of a table of indices in order `rows`; if `values` is given, renames what they point to. */
static bool move_rows(int **table, int width, const shuffle *rows, const shuffle *values)
{
  int *moved = new_array(rows->n, width, sizeof(int));
  if (!moved) return false;
  for (int i = 0; i < rows->n; i++)
    for (int k = 0; k < width; k++) {
      const int old = (*table)[(size_t)width * (size_t)rows->order[i] + (size_t)k];
      moved[(size_t)width * (size_t)i + (size_t)k] = values ? values->rank[old] : old;
    }
  free(*table);
  *table = moved;
  return true;
}

static bool move_points(double **x, const shuffle *rows)
{
  double *moved = new_array(rows->n, 2, sizeof(double));
  if (!moved) return false;
  for (int i = 0; i < rows->n; i++)
    for (int k = 0; k < 2; k++) moved[2 * i + k] = (*x)[2 * rows->order[i] + k];
  free(*x);
  *x = moved;
  return true;
}

static bool name_origins(airfoil_mesh *mesh)
{
  if (mesh->cell_origin) return true;
  mesh->cell_origin = new_array(mesh->ncell, 1, sizeof(int));
  for (int i = 0; mesh->cell_origin && i < mesh->ncell; i++) mesh->cell_origin[i] = i;
  return mesh->cell_origin != NULL;
}

static bool renumber(airfoil_mesh *m, const shuffle *nodes, const shuffle *cells, const shuffle *edges,
                     const shuffle *bedges)
{
  return move_points(&m->x, nodes) && move_rows(&m->cell_node, 4, cells, nodes) && name_origins(m) &&
         move_rows(&m->cell_origin, 1, cells, NULL) && move_rows(&m->edge_node, 2, edges, nodes) &&
         move_rows(&m->edge_cell, 2, edges, cells) && move_rows(&m->bedge_node, 2, bedges, nodes) &&
         move_rows(&m->bedge_cell, 1, bedges, cells) && move_rows(&m->bound, 1, bedges, NULL);
}

bool mesh_permute(airfoil_mesh *mesh, uint64_t seed, mesh_error *error)
{
  random_stream stream = {seed};
  shuffle s[4] = {{0, NULL, NULL}, {0, NULL, NULL}, {0, NULL, NULL}, {0, NULL, NULL}};
  const int counts[4] = {mesh->nnode, mesh->ncell, mesh->nedge, mesh->nbedge};
  bool done = true;
  for (int k = 0; k < 4; k++) done = done && shuffle_make(&s[k], counts[k], &stream);
  done = done && renumber(mesh, &s[0], &s[1], &s[2], &s[3]);
  for (int k = 0; k < 4; k++) shuffle_free(&s[k]);
  if (done) return true;
  mesh_free(mesh);
  return mesh_fail(error, "no memory to renumber a mesh of %d cells", counts[1]);
}
