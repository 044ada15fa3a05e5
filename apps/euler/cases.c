/* SPDX-License-Identifier: BSD-2-Clause
 * Meshes of the built-in cases. See cases.h.
 */
#include "cases.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../common/random.h"

static const euler_case cases[] = {
  {"vortex", 0.5, 45, 48}, {"wedge", 2, 0, 40}, {"naca0012", 0.8, 1.25, 64}, {NULL, 0, 0, 0}};

const euler_case *cases_find(const char *name)
{
  const euler_case *c = cases;
  while (c->name && strcmp(c->name, name) != 0) c++;
  return c->name ? c : NULL;
}

/* ---- the oblique shock ---- */

static const double gas = 1.4, wedge = 10 * M_PI / 180;

double cases_wedge_slope(void)
{
  return tan(wedge);
}

/* The slope by which a shock at this angle turns the gas. */
static double turned(double mach, double angle)
{
  const double m = mach * sin(angle);
  return 2 / tan(angle) * (m * m - 1) / (mach * mach * (gas + cos(2 * angle)) + 2);
}

/* The weak shock: between the angle of a wave and 60 degrees the gas turns the more the steeper the shock. */
void cases_shock(double mach, double *degrees, double *pressure)
{
  double low = asin(1 / mach), high = M_PI / 3;
  for (int k = 0; k < 60; k++) {
    const double half = 0.5 * (low + high);
    if (turned(mach, half) < tan(wedge))
      low = half;
    else
      high = half;
  }
  const double m = mach * sin(low);
  *degrees = low * 180 / M_PI;
  *pressure = 1 + 2 * gas / (gas + 1) * (m * m - 1);
}

/* A mesh of n x n cells: its shape, whether its columns 0 and n are one, the names of its sides. */
typedef struct patch {
  const char *name;
  bool ring, triangles; /* triangles: half of the cells are cut into two */
  const char *side[4];  /* low, high, left, right */
  double width;         /* about, of n cells */
  void (*place)(int n, int i, int j, double x[2]);
} patch;

/* ---- places ---- */

/* A square with sides of 10 about the origin. Nodes inside are moved at random by up to 15 % of a cell. */
static void vortex_place(int n, int i, int j, double x[2])
{
  random_stream stream = {(uint64_t)i * 1000003u + (uint64_t)j};
  const bool inside = i > 0 && i < n && j > 0 && j < n;
  for (int a = 0; a < 2; a++) {
    const double move = 0.3 * (0x1p-53 * (double)(random_next(&stream) >> 11) - 0.5);
    x[a] = 10 * (((a ? j : i) + (inside ? move : 0)) / n - 0.5);
  }
}

/* A ramp that begins at x = 0, under a gas that comes from x = -0.2. */
static void wedge_place(int n, int i, int j, double x[2])
{
  x[0] = -0.2 + 1.2 * i / n;
  const double floor = fmax(x[0], 0) * tan(wedge);
  x[1] = floor + (1.2 - floor) * j / n;
}

/* The upper side of the NACA 0012 aerofoil, with the trailing edge closed at x = 1 (Vassberg and Jameson,
 * J. Aircraft 47, 2010); angle is pi at the leading edge. */
static double complex aerofoil(double angle)
{
  const double x = 0.5 * (1 + cos(angle));
  const double y =
    0.298222773 * sqrt(x) - x * (0.127125232 + x * (0.357907906 - x * (0.291984971 - x * 0.105174606)));
  return x + I * 0.594689181 * fmax(y, 0);
}

/* The map of Karman and Trefftz takes the outside of the aerofoil to the outside of nearly a circle. Its
 * singular points are the trailing edge and the middle between the nose and its centre of curvature; the
 * power belongs to the angle of the trailing edge. */
static const double nose = 0.00786324, power = 1.91027719, span = 0.51936796; /* span: (1 - nose) / power */

static double complex to_circle(double complex z)
{
  return span / (1 - cpow((z - 1) / (z - nose), 1 / power));
}

static double complex to_aerofoil(double complex circle)
{
  const double complex w = cpow(1 - span / circle, power);
  return (1 - nose * w) / (1 - w);
}

/* An O-mesh with cells that are nearly squares everywhere, to about 145 chords away: polar coordinates about
 * the circle, whose radii grow by the same factor. */
static void naca0012_place(int n, int i, int j, double x[2])
{
  const bool below = 2 * i > n;
  const double turn = 2 * M_PI / n * (below ? n - i : i);
  const double complex centre = 0.5 * (span + to_circle(0));
  double low = 0, high = M_PI; /* the aerofoil's point on the ray, by bisection */
  for (int k = 0; k < 52; k++) {
    const double half = 0.5 * (low + high);
    if (carg(to_circle(aerofoil(half)) - centre) < turn)
      low = half;
    else
      high = half;
  }
  const double complex ray = to_circle(aerofoil(low)) - centre;
  const double grow = exp(2 * M_PI * j / n) * pow(0.5 * span / cabs(ray), (double)j / n);
  const double complex z = j ? to_aerofoil(centre + ray * grow) : aerofoil(low);
  x[0] = creal(z);
  x[1] = below ? -cimag(z) : cimag(z);
}

/* ---- the file ---- */

static const patch patches[] = {
  {"vortex", false, true, {"farfield", "farfield", "farfield", "farfield"}, 10, vortex_place},
  {"wedge", false, true, {"wall", "farfield", "farfield", "farfield"}, 1.2, wedge_place},
  {"naca0012", true, false, {"wall", "farfield"}, 1, naca0012_place}};

/* The number of node i, j; n nodes around a ring. */
static int node(const patch *p, int n, int i, int j)
{
  return j * (p->ring ? n : n + 1) + (p->ring ? i % n : i);
}

/* Cells are cut into triangles in every second square of 4 x 4 cells. */
static void write_cells(FILE *file, const patch *p, int n)
{
  int count = 0;
  for (int c = 0; c < n * n; c++) count += p->triangles && ((c % n / 4 + c / n / 4) & 1) ? 2 : 1;
  fprintf(file, "NDIME= 2\nNELEM= %d\n", count);
  for (int c = 0; c < n * n; c++) {
    const int i = c % n, j = c / n;
    const int a = node(p, n, i, j), b = node(p, n, i + 1, j), d = node(p, n, i + 1, j + 1),
              e = node(p, n, i, j + 1);
    if (p->triangles && ((i / 4 + j / 4) & 1))
      fprintf(file, "5 %d %d %d\n5 %d %d %d\n", a, b, d, a, d, e);
    else
      fprintf(file, "9 %d %d %d %d\n", a, b, d, e);
  }
}

static void write_nodes(FILE *file, const patch *p, int n)
{
  const int columns = p->ring ? n : n + 1;
  fprintf(file, "NPOIN= %d\n", columns * (n + 1));
  for (int k = 0; k < columns * (n + 1); k++) {
    double x[2];
    p->place(n, k % columns, k / columns, x);
    fprintf(file, "%.17g %.17g %d\n", x[0], x[1], k);
  }
}

static void write_side(FILE *file, const patch *p, int n, int side)
{
  const int along = side < 2, i = side == 3 ? n : 0, j = side == 1 ? n : 0;
  for (int k = 0; k < n; k++) {
    const int from = along ? node(p, n, k, j) : node(p, n, i, k);
    const int to = along ? node(p, n, k + 1, j) : node(p, n, i, k + 1);
    fprintf(file, "3 %d %d\n", from, to);
  }
}

/* ---- layers of tetrahedra over the plane ---- */

enum { LAYERS = 2 };

static int count_nodes(const patch *p, int n)
{
  return (p->ring ? n : n + 1) * (n + 1);
}

/* A corner of cube i, j, k: bits 0 to 2 of the number say along which axes it is the upper one. */
static int corner(const patch *p, int n, const int at[3], int bits)
{
  return (at[2] + (bits >> 2)) * count_nodes(p, n) + node(p, n, at[0] + (bits & 1), at[1] + (bits >> 1 & 1));
}

/* Six tetrahedra about the diagonal of each cube (Kuhn 1960): along the axes a, b, c in each order. Faces of
 * neighbouring cubes are cut in the same way. */
static void write_tetrahedra(FILE *file, const patch *p, int n)
{
  fprintf(file, "NDIME= 3\nNELEM= %d\n", 6 * n * n * LAYERS);
  for (int c = 0; c < n * n * LAYERS; c++)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        const int at[3] = {c % n, c / n % n, c / n / n}, one = 1 << a, two = one | 1 << b;
        if (b != a)
          fprintf(file, "10 %d %d %d %d\n", corner(p, n, at, 0), corner(p, n, at, one), corner(p, n, at, two),
                  corner(p, n, at, 7));
      }
}

static void write_layers_of_nodes(FILE *file, const patch *p, int n)
{
  const int columns = p->ring ? n : n + 1, plane = count_nodes(p, n);
  fprintf(file, "NPOIN= %d\n", plane * (LAYERS + 1));
  for (int k = 0; k < plane * (LAYERS + 1); k++) {
    double x[2];
    p->place(n, k % plane % columns, k % plane / columns, x);
    fprintf(file, "%.17g %.17g %.17g %d\n", x[0], x[1], k / plane * p->width / n, k);
  }
}

/* The two triangles of the cube's face with the axes u and v at its lower corner `bits`. */
static void write_face(FILE *file, const patch *p, int n, const int at[3], int bits, int u, int v)
{
  for (int turn = 0; turn < 2; turn++)
    fprintf(file, "5 %d %d %d\n", corner(p, n, at, bits), corner(p, n, at, bits | (turn ? v : u)),
            corner(p, n, at, bits | u | v));
}

static void write_side_faces(FILE *file, const patch *p, int n, int side)
{
  for (int k = 0; k < n * LAYERS; k++) {
    const int along = k % n, end = side & 1 ? n - 1 : 0;
    const int at[3] = {side < 2 ? along : end, side < 2 ? end : along, k / n};
    const int bits = side & 1 ? (side < 2 ? 2 : 1) : 0;
    write_face(file, p, n, at, bits, side < 2 ? 1 : 2, 4);
  }
}

/* Front and back of the layers, along which the plane flow goes. */
static void write_ends(FILE *file, const patch *p, int n)
{
  for (int c = 0; c < 2 * n * n; c++) {
    const bool back = c >= n * n;
    const int at[3] = {c % n, c / n % n, back ? LAYERS - 1 : 0};
    write_face(file, p, n, at, back ? 4 : 0, 1, 2);
  }
}

/* ---- a mesh ---- */

static bool is_part(const patch *p, int side, const char *name)
{
  return p->side[side] && strcmp(p->side[side], name) == 0;
}

/* The elements of a boundary: those of its sides and, of layers, front and back, which are walls. */
static void write_marker(FILE *file, const patch *p, int n, int dim, const char *name)
{
  const bool across = dim == 3 && strcmp(name, "wall") == 0;
  const int each = dim == 3 ? 2 * n * LAYERS : n;
  int sides = 0;
  for (int s = 0; s < 4; s++) sides += is_part(p, s, name);
  fprintf(file, "MARKER_TAG= %s\nMARKER_ELEMS= %d\n", name, sides * each + (across ? 4 * n * n : 0));
  for (int s = 0; s < 4; s++)
    if (is_part(p, s, name)) (dim == 3 ? write_side_faces : write_side)(file, p, n, s);
  if (across) write_ends(file, p, n);
}

static const patch *find_patch(const char *name)
{
  const patch *p = patches;
  while (strcmp(p->name, name) != 0) p++;
  return p;
}

double cases_depth(const char *name, int n, int dim)
{
  return dim == 3 ? LAYERS * find_patch(name)->width / n : 1;
}

bool cases_write_mesh(const char *name, int n, int dim, const char *path)
{
  FILE *file = fopen(path, "w");
  if (!file) return false;
  const patch *p = find_patch(name);
  (dim == 3 ? write_tetrahedra : write_cells)(file, p, n);
  (dim == 3 ? write_layers_of_nodes : write_nodes)(file, p, n);
  fprintf(file, "NMARK= 2\n");
  write_marker(file, p, n, dim, "wall");
  write_marker(file, p, n, dim, "farfield");
  const bool good = !ferror(file);
  return fclose(file) == 0 && good;
}
