/* SPDX-License-Identifier: BSD-2-Clause
 * Mesh generator: a C-grid round the NACA 0012 aerofoil.
 *
 * The square root folds the plane open: in w = sqrt(z) the aerofoil becomes a bump on the real axis and the
 * wake behind it the rest of that axis, so a plain grid above the axis, squared, is a C-grid round the
 * aerofoil. The grid has 3i columns of cells, the middle third on the aerofoil, and j rows outwards. Nodes of
 * the wake line exist twice, once for each side.
 */
#include "mesh.h"

#include <complex.h>
#include <limits.h>
#include <math.h>

enum { AEROFOIL_POINTS = 100, KNOTS = 2 * AEROFOIL_POINTS - 1 };
static const double nose = 0.0077; /* of the aerofoil is moved to the left of the branch point by this */
static const double half_width = 3.0;

/* ---- the aerofoil as a curve b(a) in the square-root plane ---- */

typedef struct spline {
  double a[KNOTS], b[KNOTS];
  double bend[KNOTS]; /* second derivatives */
} spline;

static double thickness(double x)
{
  return 0.594689181 * (0.298222773 * sqrt(x) - 0.127125232 * x - 0.357907906 * x * x +
                        0.291984971 * x * x * x - 0.105174696 * x * x * x * x);
}

/* Knots: the upper side of the aerofoil is the right half of the curve, the lower side its mirror image. */
static void set_knots(spline *s)
{
  for (int i = 0; i < AEROFOIL_POINTS; i++) {
    const double half_pi = acos(0.0), sine = sin(half_pi * i / (AEROFOIL_POINTS - 1)), x = sine * sine;
    const double y = i < AEROFOIL_POINTS - 1 ? thickness(x) : 0.0;
    const double complex w = csqrt(x - nose + y * I);
    const int right = AEROFOIL_POINTS - 1 + i, left = AEROFOIL_POINTS - 1 - i;
    s->a[left] = -creal(w);
    s->a[right] = creal(w);
    s->b[left] = s->b[right] = cimag(w);
  }
}

/* Second derivatives of the cubic spline with not-a-knot ends: the third derivative is continuous at the
 * second and the last but one knot, which expresses the outer second derivatives by their two neighbours.
 * What is left is tridiagonal and diagonally dominant enough for elimination without pivots. */
static void set_bends(spline *s)
{
  enum { last = KNOTS - 1 };
  double width[last], slope[last], diagonal[KNOTS], above[KNOTS], right[KNOTS];
  for (int i = 0; i < last; i++) {
    width[i] = s->a[i + 1] - s->a[i];
    slope[i] = (s->b[i + 1] - s->b[i]) / width[i];
  }
  const double head = width[0] / width[1], tail = width[last - 1] / width[last - 2];
  for (int i = 1; i < last; i++) {
    double below = width[i - 1];
    diagonal[i] = 2.0 * (width[i - 1] + width[i]);
    above[i] = width[i];
    right[i] = 6.0 * (slope[i] - slope[i - 1]);
    if (i == 1) diagonal[i] += width[0] * (1.0 + head), above[i] -= width[0] * head;
    if (i == last - 1) diagonal[i] += width[last - 1] * (1.0 + tail), below -= width[last - 1] * tail;
    if (i == 1) continue;
    diagonal[i] -= below / diagonal[i - 1] * above[i - 1];
    right[i] -= below / diagonal[i - 1] * right[i - 1];
  }
  s->bend[last - 1] = right[last - 1] / diagonal[last - 1];
  for (int i = last - 2; i >= 1; i--) s->bend[i] = (right[i] - above[i] * s->bend[i + 1]) / diagonal[i];
  s->bend[0] = (1.0 + head) * s->bend[1] - head * s->bend[2];
  s->bend[last] = (1.0 + tail) * s->bend[last - 1] - tail * s->bend[last - 2];
}

static double spline_at(const spline *s, double a)
{
  int i = 0;
  while (i < KNOTS - 2 && a > s->a[i + 1]) i++;
  const double width = s->a[i + 1] - s->a[i], t = (a - s->a[i]) / width, u = 1.0 - t;
  return u * s->b[i] + t * s->b[i + 1] +
         width * width / 6.0 * ((u * u * u - u) * s->bend[i] + (t * t * t - t) * s->bend[i + 1]);
}

/* ---- the grid ---- */

enum { NODES, CELLS, EDGES, BEDGES, TABLES };

/* Rows first[t] to first[t] + n[t] - 1 of each table are wanted. */
typedef struct grid {
  int columns, rows, third; /* columns and rows of cells; a third of the columns */
  int first[TABLES], n[TABLES];
  airfoil_mesh *mesh; /* holds these rows */
} grid;

static int node_at(const grid *g, int i, int j)
{
  return i + j * (g->columns + 1);
}

static int cell_at(const grid *g, int i, int j)
{
  return i + j * g->columns;
}

static double round_6(double value)
{
  return rint(value * 1e6) / 1e6;
}

/* The place of a table's row among those wanted, or -1. */
static int place_of(const grid *g, int table, int row)
{
  const int place = row - g->first[table];
  return place < 0 || place >= g->n[table] ? -1 : place;
}

static void place_nodes(const grid *g)
{
  spline s;
  set_knots(&s);
  set_bends(&s);
  const int line = g->columns + 1, low = g->first[NODES] / line,
            high = (g->first[NODES] + g->n[NODES]) / line;
  for (int i = 0; i <= g->columns; i++) {
    const bool inner = i > g->third && i < 2 * g->third;
    const double a = i == g->columns ? half_width : -half_width + i * (2.0 * half_width / g->columns);
    const double foot = inner ? spline_at(&s, a) : 0.0;
    for (int j = low; j <= high; j++) {
      const int place = place_of(g, NODES, node_at(g, i, j));
      const double b = foot + j * (half_width - foot) / g->rows;
      if (place < 0) continue;
      g->mesh->x[2 * place] = round_6(a * a - b * b);
      g->mesh->x[2 * place + 1] = round_6(2.0 * a * b);
    }
  }
}

static void link_cells(const grid *g)
{
  for (int c = 0; c < g->n[CELLS]; c++) {
    const int i = (g->first[CELLS] + c) % g->columns, j = (g->first[CELLS] + c) / g->columns;
    int *node = &g->mesh->cell_node[4 * c];
    node[0] = node_at(g, i, j);
    node[1] = node_at(g, i + 1, j);
    node[2] = node_at(g, i + 1, j + 1);
    node[3] = node_at(g, i, j + 1);
  }
}

static void add_edge(const grid *g, int *edge, const int nodes[2], const int cells[2])
{
  const int place = place_of(g, EDGES, (*edge)++);
  for (int k = 0; place >= 0 && k < 2; k++) {
    g->mesh->edge_node[2 * place + k] = nodes[k];
    g->mesh->edge_cell[2 * place + k] = cells[k];
  }
}

/* Edges of the rows below row j. */
static int edges_below(const grid *g, int j)
{
  return j ? g->third + j * (2 * g->columns - 1) : 0;
}

static void link_row(const grid *g, int j)
{
  int edge = edges_below(g, j);
  for (int i = 0; i < g->columns; i++) {
    const int here = cell_at(g, i, j), corner = node_at(g, i + 1, j + 1);
    if (j == 0 && i < g->third) /* the wake line */
      add_edge(g, &edge, (int[]){node_at(g, i, 0), node_at(g, i + 1, 0)},
               (int[]){cell_at(g, g->columns - 1 - i, 0), here});
    if (j < g->rows - 1)
      add_edge(g, &edge, (int[]){node_at(g, i, j + 1), corner}, (int[]){here, cell_at(g, i, j + 1)});
    if (i < g->columns - 1)
      add_edge(g, &edge, (int[]){node_at(g, i + 1, j), corner}, (int[]){cell_at(g, i + 1, j), here});
  }
}

static void link_edges(const grid *g)
{
  int j = 0;
  while (j + 1 < g->rows && edges_below(g, j + 1) <= g->first[EDGES]) j++;
  for (; j < g->rows && edges_below(g, j) < g->first[EDGES] + g->n[EDGES]; j++) link_row(g, j);
}

static void add_bedge(const grid *g, int *bedge, int node1, int node2, int cell, int bound)
{
  const int place = place_of(g, BEDGES, (*bedge)++);
  if (place < 0) return;
  g->mesh->bedge_node[2 * place] = node1;
  g->mesh->bedge_node[2 * place + 1] = node2;
  g->mesh->bedge_cell[place] = cell;
  g->mesh->bound[place] = bound;
}

static void link_bedges(const grid *g)
{
  const int right = g->columns, top = g->rows;
  int bedge = 0;
  for (int i = g->third; i < 2 * g->third; i++)
    add_bedge(g, &bedge, node_at(g, i + 1, 0), node_at(g, i, 0), cell_at(g, i, 0), MESH_WALL);
  for (int j = 0; j < top; j++)
    add_bedge(g, &bedge, node_at(g, right, j + 1), node_at(g, right, j), cell_at(g, right - 1, j), MESH_FAR);
  for (int i = right - 1; i >= 0; i--)
    add_bedge(g, &bedge, node_at(g, i, top), node_at(g, i + 1, top), cell_at(g, i, top - 1), MESH_FAR);
  for (int j = top - 1; j >= 0; j--)
    add_bedge(g, &bedge, node_at(g, 0, j), node_at(g, 0, j + 1), cell_at(g, 0, j), MESH_FAR);
}

bool mesh_make_part(airfoil_mesh *mesh, int i, int j, int part, int parts, mesh_error *error)
{
  *mesh = (airfoil_mesh){0};
  const int64_t columns = 3 * (int64_t)i, nodes = (columns + 1) * ((int64_t)j + 1);
  if (i < 1 || j < 1 || nodes > INT_MAX / 4)
    return mesh_fail(error, "a mesh of size %dx%d: both must be at least 1, and the nodes at most %d", i, j,
                     INT_MAX / 4);
  grid g = {.columns = 3 * i, .rows = j, .third = i, .mesh = mesh};
  const int edges = (3 * i - 1) * j + 3 * i * (j - 1) + i;
  const int64_t all[TABLES] = {nodes, columns * j, edges, 4 * (int64_t)i + 2 * (int64_t)j};
  for (int t = 0; t < TABLES; t++) {
    g.first[t] = (int)(all[t] * part / parts);
    g.n[t] = (int)(all[t] * (part + 1) / parts) - g.first[t];
  }
  if (!mesh_alloc(mesh, g.n, error)) return false;
  place_nodes(&g);
  link_cells(&g);
  link_edges(&g);
  link_bedges(&g);
  return true;
}

bool mesh_make(airfoil_mesh *mesh, int i, int j, mesh_error *error)
{
  return mesh_make_part(mesh, i, j, 0, 1, error);
}
