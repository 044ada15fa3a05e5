/* SPDX-License-Identifier: BSD-2-Clause
 * The mesh of triangles, made. Squares are cut along one of their diagonals by chance.
 */
#include "triangle_mesh.h"

#include <stdlib.h>

#include "random.h"

static double unit(random_stream *random)
{
  return (double)(random_next(random) >> 11) * 0x1p-53;
}

static void place_vertices(triangle_mesh *m, int side, random_stream *random)
{
  for (int v = 0; v < m->nvertex; v++) {
    int i = v % (side + 1), j = v / (side + 1);
    double free = i && j && i < side && j < side ? 0.4 : 0;
    m->place[2 * v] = (i + free * (unit(random) - 0.5)) / side;
    m->place[2 * v + 1] = (j + free * (unit(random) - 0.5)) / side;
  }
}

/* The two triangles of a square a b c d (counter-clockwise from the lower left), cut from a to c or from b to
 * d. */
static void cut_square(int a, int b, int c, int d, bool rising, int below[3], int above[3])
{
  int first[2][3] = {{a, b, d}, {a, b, c}}, second[2][3] = {{b, c, d}, {a, c, d}};
  for (int k = 0; k < 3; k++) {
    below[k] = first[rising][k];
    above[k] = second[rising][k];
  }
}

typedef struct edge {
  int low, high, cell, face;
} edge;

static int by_ends(const void *a, const void *b)
{
  const edge *x = a, *y = b;
  return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : (x->high > y->high) - (x->high < y->high);
}

/* Cells that share an edge lie across it from each other. */
static bool find_faces(triangle_mesh *m)
{
  int n = 3 * m->ncell;
  edge *edges = malloc((size_t)n * sizeof *edges);
  if (!edges) return false;
  for (int e = 0; e < n; e++) {
    const int *corner = m->corner + e / 3 * 3;
    int p = corner[(e % 3 + 1) % 3], q = corner[(e % 3 + 2) % 3];
    edges[e] = (edge){p < q ? p : q, p < q ? q : p, e / 3, e % 3};
    m->face[e] = -1;
  }
  qsort(edges, (size_t)n, sizeof *edges, by_ends);
  for (int e = 0; e + 1 < n; e++)
    if (!by_ends(&edges[e], &edges[e + 1])) {
      m->face[3 * edges[e].cell + edges[e].face] = edges[e + 1].cell;
      m->face[3 * edges[e + 1].cell + edges[e + 1].face] = edges[e].cell;
    }
  free(edges);
  return true;
}

static bool make_cells(triangle_mesh *m, int side, random_stream *random)
{
  int *order = malloc((size_t)m->ncell * sizeof *order);
  if (!order) return false;
  for (int i = 0; i < m->ncell; i++) order[i] = i;
  for (int i = m->ncell - 1; i > 0; i--) {
    int j = (int)random_below(random, (uint64_t)i + 1), swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
  for (int s = 0; s < side * side; s++) {
    int a = s / side * (side + 1) + s % side, d = a + side + 1;
    cut_square(a, a + 1, d + 1, d, random_below(random, 2) == 1, m->corner + 3 * (size_t)order[2 * s],
               m->corner + 3 * (size_t)order[2 * s + 1]);
  }
  free(order);
  return true;
}

bool triangle_mesh_make(triangle_mesh *m, int side, uint64_t seed)
{
  random_stream random = {seed};
  m->nvertex = (side + 1) * (side + 1);
  m->ncell = 2 * side * side;
  m->place = malloc(2 * (size_t)m->nvertex * sizeof *m->place);
  m->corner = malloc(3 * (size_t)m->ncell * sizeof *m->corner);
  m->face = malloc(3 * (size_t)m->ncell * sizeof *m->face);
  bool good = m->place && m->corner && m->face;
  if (good) place_vertices(m, side, &random);
  good = good && make_cells(m, side, &random) && find_faces(m);
  if (!good) triangle_mesh_free(m);
  return good;
}

int triangle_mesh_boundary(const triangle_mesh *mesh, int *list)
{
  int n = 0;
  for (int v = 0; v < mesh->nvertex; v++) {
    const double *x = mesh->place + 2 * (size_t)v;
    if (x[0] == 0 || x[0] == 1 || x[1] == 0 || x[1] == 1) list[n++] = v;
  }
  return n;
}

/* The number that the cell across an edge has given it, or -1. */
static int given_edge(const triangle_mesh *m, const int *edge, int cell, int k)
{
  const int other = m->face[3 * cell + k];
  if (other < 0 || other > cell) return -1;
  for (int i = 0; i < 3; i++)
    if (m->face[3 * other + i] == cell) return edge[3 * other + i];
  return -1;
}

int triangle_mesh_edges(const triangle_mesh *mesh, int *edge)
{
  int n = 0;
  for (int e = 0; e < 3 * mesh->ncell; e++) {
    const int given = given_edge(mesh, edge, e / 3, e % 3);
    edge[e] = given < 0 ? n++ : given;
  }
  return n;
}

void triangle_mesh_free(triangle_mesh *m)
{
  free(m->place);
  free(m->corner);
  free(m->face);
  *m = (triangle_mesh){0};
}
