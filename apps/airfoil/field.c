/* SPDX-License-Identifier: BSD-2-Clause
 * Field: sampling of the flow. See field.h.
 *
 * Cell values are averaged to the nodes, each cell is split into two triangles, and each sample that lies in
 * a triangle is interpolated linearly between its corners. Cells outside the window cost next to nothing.
 */
#include "field.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 901, ROWS = 451 };
static const double left = -0.5, bottom = -0.5, spacing = 1.0 / 450;
static const double gam = 1.4;

typedef struct field {
  const airfoil_mesh *mesh;
  double *node;   /* pressure and Mach number at each node */
  int *touching;  /* cells at each node */
  double *sample; /* the same two at each point of the grid */
  int *next;      /* the node after each node on the wall, or -1 */
} field;

static bool field_alloc(field *f)
{
  const size_t n = (size_t)f->mesh->nnode + 1;
  f->node = calloc(2 * n, sizeof *f->node);
  f->touching = calloc(n, sizeof *f->touching);
  f->next = malloc(n * sizeof *f->next);
  f->sample = malloc(2 * (size_t)COLUMNS * ROWS * sizeof *f->sample);
  return f->node && f->touching && f->next && f->sample;
}

static void field_free(field *f)
{
  free(f->node);
  free(f->touching);
  free(f->next);
  free(f->sample);
}

static void average_to_nodes(field *f, const double *q)
{
  const airfoil_mesh *mesh = f->mesh;
  for (int i = 0; i < mesh->ncell; i++) {
    const double *cell = &q[4 * (size_t)(mesh->cell_origin ? mesh->cell_origin[i] : i)];
    const double speed2 = (cell[1] * cell[1] + cell[2] * cell[2]) / (cell[0] * cell[0]);
    const double pressure = (gam - 1.0) * (cell[3] - 0.5 * cell[0] * speed2);
    for (int k = 0; k < 4; k++) {
      const int node = mesh->cell_node[4 * i + k];
      f->node[2 * node] += pressure;
      f->node[2 * node + 1] += sqrt(speed2 / (gam * pressure / cell[0]));
      f->touching[node]++;
    }
  }
  for (int node = 0; node < mesh->nnode; node++)
    for (int k = 0; k < 2; k++) f->node[2 * node + k] /= f->touching[node];
}

/* Twice the area of the triangle abp: positive if p lies on the left of the way from a to b. */
static double side(const double *a, const double *b, double x, double y)
{
  return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* The first and last grid line of one axis between the least and the greatest of three coordinates. */
static void grid_range(double a, double b, double c, double origin, int lines, int *first, int *last)
{
  *first = (int)fmax(0.0, fmin(ceil((fmin(a, fmin(b, c)) - origin) / spacing - 1e-9), lines));
  *last = (int)fmin(lines - 1, fmax(floor((fmax(a, fmax(b, c)) - origin) / spacing + 1e-9), -1.0));
}

static void paint_triangle(field *f, const int nodes[3])
{
  const double *a = &f->mesh->x[2 * nodes[0]], *b = &f->mesh->x[2 * nodes[1]], *c = &f->mesh->x[2 * nodes[2]];
  const double area = side(a, b, c[0], c[1]);
  int i0, i1, j0, j1;
  grid_range(a[0], b[0], c[0], left, COLUMNS, &i0, &i1);
  grid_range(a[1], b[1], c[1], bottom, ROWS, &j0, &j1);
  for (int j = j0; j <= j1; j++)
    for (int i = i0; i <= i1; i++) {
      const double x = left + i * spacing, y = bottom + j * spacing;
      const double wa = side(b, c, x, y) / area, wb = side(c, a, x, y) / area, wc = side(a, b, x, y) / area;
      if (!(wa >= -1e-9 && wb >= -1e-9 && wc >= -1e-9)) continue;
      for (int k = 0; k < 2; k++)
        f->sample[2 * (i + j * COLUMNS) + k] =
          wa * f->node[2 * nodes[0] + k] + wb * f->node[2 * nodes[1] + k] + wc * f->node[2 * nodes[2] + k];
    }
}

static void paint(field *f)
{
  for (int s = 0; s < 2 * COLUMNS * ROWS; s++) f->sample[s] = NAN;
  for (int i = 0; i < f->mesh->ncell; i++) {
    const int *n = &f->mesh->cell_node[4 * i];
    paint_triangle(f, (int[]){n[0], n[1], n[2]});
    paint_triangle(f, (int[]){n[0], n[2], n[3]});
  }
}

/* The node where the wall begins: one that no edge leads to; on a closed wall, any. -1 if there is no wall.
 */
static int link_wall(field *f)
{
  const airfoil_mesh *mesh = f->mesh;
  int start = -1;
  for (int node = 0; node < mesh->nnode; node++) f->next[node] = -1;
  memset(f->touching, 0, (size_t)mesh->nnode * sizeof *f->touching);
  for (int i = 0; i < mesh->nbedge; i++) {
    if (mesh->bound[i] != MESH_WALL) continue;
    start = mesh->bedge_node[2 * i];
    f->next[start] = mesh->bedge_node[2 * i + 1];
    f->touching[mesh->bedge_node[2 * i + 1]] = 1;
  }
  for (int i = 0; i < mesh->nbedge; i++)
    if (mesh->bound[i] == MESH_WALL && !f->touching[mesh->bedge_node[2 * i]]) start = mesh->bedge_node[2 * i];
  return start;
}

static void write_samples(const field *f, FILE *file)
{
  fprintf(file, "# x y pressure mach\n");
  for (int j = 0; j < ROWS; j++) {
    for (int i = 0; i < COLUMNS; i++) {
      const double *sample = &f->sample[2 * (i + j * COLUMNS)];
      fprintf(file, "%.5f %.5f %.6g %.6g\n", left + i * spacing, bottom + j * spacing, sample[0], sample[1]);
    }
    putc('\n', file);
  }
}

static void write_wall(field *f, FILE *file)
{
  fprintf(file, "\n# wall: x y\n");
  int node = link_wall(f);
  for (int step = 0; node >= 0 && step <= f->mesh->nbedge; step++) {
    fprintf(file, "%.6f %.6f\n", f->mesh->x[2 * node], f->mesh->x[2 * node + 1]);
    node = f->next[node];
  }
}

static bool field_fail(field *f, const char *path, const char *what)
{
  fprintf(stderr, "%s: %s\n", path, what);
  field_free(f);
  return false;
}

bool field_write(const airfoil_mesh *mesh, const double *q, const char *path)
{
  field f = {.mesh = mesh};
  if (!field_alloc(&f)) return field_fail(&f, path, "no memory to sample the flow");
  FILE *file = fopen(path, "w");
  if (!file) return field_fail(&f, path, strerror(errno));
  average_to_nodes(&f, q);
  paint(&f);
  write_samples(&f, file);
  write_wall(&f, file);
  const bool failed = ferror(file) != 0;
  if (fclose(file) != 0 || failed) return field_fail(&f, path, "cannot be written");
  field_free(&f);
  return true;
}
