/* SPDX-License-Identifier: BSD-2-Clause
 * The mesh of tetrahedra, made. Each cube is cut into the six tetrahedra around its diagonal (Kuhn's
 * triangulation): one for each order of the axes, along which a path leads from one end to the other.
 */
#include "tetra_mesh.h"

#include <stdlib.h>

static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
static const int ends[6][2] = {{2, 3}, {1, 3}, {1, 2}, {0, 3}, {0, 2}, {0, 1}};

static void place_vertices(tetra_mesh *m, const int n[3], const double length[3])
{
  for (int v = 0; v < m->nvertex; v++) {
    const int at[3] = {v % (n[0] + 1), v / (n[0] + 1) % (n[1] + 1), v / (n[0] + 1) / (n[1] + 1)};
    for (int d = 0; d < 3; d++) m->place[3 * v + d] = length[d] * at[d] / n[d];
  }
}

static void make_cells(tetra_mesh *m, const int n[3])
{
  const int step[3] = {1, n[0] + 1, (n[0] + 1) * (n[1] + 1)};
  for (int cell = 0; cell < m->ncell; cell++) {
    const int cube = cell / 6, *order = orders[cell % 6];
    int v = cube % n[0] + cube / n[0] % n[1] * step[1] + cube / n[0] / n[1] * step[2];
    for (int k = 0; k < 4; k++) {
      m->corner[4 * cell + k] = v;
      if (k < 3) v += step[order[k]];
    }
  }
}

/* ---- edges ---- */

typedef struct side {
  int low, high, place; /* its vertices, and where its number goes in edge[] */
} side;

static int by_ends(const void *a, const void *b)
{
  const side *x = a, *y = b;
  return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : (x->high > y->high) - (x->high < y->high);
}

static bool make_edges(tetra_mesh *m)
{
  const size_t n = 6 * (size_t)m->ncell;
  side *sides = malloc(n * sizeof *sides);
  m->end = malloc(2 * n * sizeof *m->end);
  if (!sides || !m->end) return free(sides), false;
  for (size_t i = 0; i < n; i++) {
    const int *corner = m->corner + i / 6 * 4;
    sides[i] = (side){corner[ends[i % 6][0]], corner[ends[i % 6][1]], (int)i};
  }
  qsort(sides, n, sizeof *sides, by_ends);
  m->nedge = 0;
  for (size_t i = 0; i < n; i++) {
    if (!i || by_ends(&sides[i - 1], &sides[i])) {
      m->end[2 * m->nedge] = sides[i].low;
      m->end[2 * m->nedge + 1] = sides[i].high;
      m->nedge++;
    }
    m->edge[sides[i].place] = m->nedge - 1;
  }
  free(sides);
  return true;
}

bool tetra_mesh_make(tetra_mesh *m, const int n[3], const double length[3])
{
  *m = (tetra_mesh){.nvertex = (n[0] + 1) * (n[1] + 1) * (n[2] + 1), .ncell = 6 * n[0] * n[1] * n[2]};
  m->place = malloc(3 * (size_t)m->nvertex * sizeof *m->place);
  m->corner = malloc(4 * (size_t)m->ncell * sizeof *m->corner);
  m->edge = malloc(6 * (size_t)m->ncell * sizeof *m->edge);
  bool good = m->place && m->corner && m->edge;
  if (good) place_vertices(m, n, length);
  if (good) make_cells(m, n);
  good = good && make_edges(m);
  if (!good) tetra_mesh_free(m);
  return good;
}

void tetra_mesh_free(tetra_mesh *m)
{
  free(m->place);
  free(m->corner);
  free(m->edge);
  free(m->end);
  *m = (tetra_mesh){0};
}
