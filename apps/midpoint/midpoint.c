/* SPDX-License-Identifier: BSD-2-Clause
 * midpoint: the centre of each triangle of a mesh. The smallest complete program: two sets, a map, two dats,
 * a loop.
 *
 * The mesh is the unit square, n x n squares of two triangles each; with --perturb every vertex is moved up
 * and right by up to 1/16 of a square. The result does not depend on any order of operations, so it is
 * checked bit by bit.
 */
#include "plait.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../common/options.h"
#include "../common/output.h"
#include "reference.h"

PL_KERNEL(midpoint, (double p[2], const double *const c[3]), {
  p[0] = (c[0][0] + c[1][0] + c[2][0]) / 3.0;
  p[1] = (c[0][1] + c[1][1] + c[2][1]) / 3.0;
})

/* ---- the mesh ---- */

typedef struct triangles {
  int nvertex, ncell;
  double *xy;  /* 2 a vertex */
  int *corner; /* 3 a triangle */
} triangles;

/* A fixed sequence of pseudo-random numbers in [0, 1/16). */
static double jitter(int k, uint64_t salt)
{
  return (double)((((uint64_t)k * 2654435761u + salt) >> 8) & 0xffff) / 1048576.0;
}

static void place_vertices(triangles *t, int n, bool perturb)
{
  for (int k = 0; k < t->nvertex; k++) {
    double *xy = &t->xy[2 * k];
    xy[0] = (double)(k % (n + 1)) / n;
    xy[1] = (double)(k / (n + 1)) / n;
    if (!perturb) continue;
    xy[0] += jitter(k, 12345) / n;
    xy[1] += jitter(k, 67890) / n;
  }
}

static void link_corners(triangles *t, int n)
{
  for (int square = 0; square < n * n; square++) {
    const int a = square / n * (n + 1) + square % n;
    const int corners[6] = {a, a + 1, a + n + 2, a, a + n + 2, a + n + 1};
    memcpy(&t->corner[6 * square], corners, sizeof corners);
  }
}

static bool triangles_make(triangles *t, int n, bool perturb)
{
  *t = (triangles){(n + 1) * (n + 1), 2 * n * n, NULL, NULL};
  t->xy = malloc(2 * (size_t)t->nvertex * sizeof(double));
  t->corner = malloc(3 * (size_t)t->ncell * sizeof(int));
  if (!t->xy || !t->corner) return false;
  place_vertices(t, n, perturb);
  link_corners(t, n);
  return true;
}

static void triangles_free(triangles *t)
{
  free(t->xy);
  free(t->corner);
}

/* ---- the loop ---- */

/* Computes the midpoints of all cells into `p`; writes the files. On several ranks the first declares all,
 * and gets all back. */
static bool find_midpoints(pl_context *pl, const triangles *t, double *p, const output_files *files)
{
  pl_set *cells, *vertices;
  pl_map *cell_vertex;
  pl_dat *coords, *mid;
  const bool first = pl_rank(pl) == 0;
  PL_OK(pl, pl_decl_set(pl, first ? t->ncell : 0, "cells", &cells));
  PL_OK(pl, pl_decl_set(pl, first ? t->nvertex : 0, "vertices", &vertices));
  PL_OK(pl, pl_decl_map(cells, vertices, 3, t->corner, "cell_vertex", &cell_vertex));
  PL_OK(pl, pl_decl_dat(vertices, 2, PL_DOUBLE, t->xy, "coords", &coords));
  PL_OK(pl, pl_decl_dat(cells, 2, PL_DOUBLE, NULL, "mid", &mid));
  const pl_partition_options places = {.coords = coords};
  PL_OK(pl, pl_partition(cells, PL_PARTITION_CURVE, &places));

  PL_OK(pl, pl_par_loop(midpoint, cells, pl_arg_direct(mid, PL_WRITE),
                        pl_arg_dat(coords, PL_ALL, cell_vertex, PL_READ)));

  PL_OK(pl, pl_dat_fetch(mid, p));
  const picture drawn = {
    .title = "x of the midpoint", .x = coords, .corners = cell_vertex, .value = mid, .edges = true};
  const bool good = output_write(pl, "midpoint", files, &drawn);
  pl_dat_free(&mid);
  pl_dat_free(&coords);
  pl_map_free(&cell_vertex);
  pl_set_free(&vertices);
  pl_set_free(&cells);
  return good;
}

/* ---- the check ---- */

static void add_up(const double *p, int ncell, double sum[2])
{
  sum[0] = sum[1] = 0.0;
  for (int i = 0; i < 2 * ncell; i++) sum[i % 2] += p[i];
}

/* Values that differ in any bit from the formula, computed here cell by cell. */
static int count_wrong(const triangles *t, const double *p)
{
  int wrong = 0;
  for (int i = 0; i < 2 * t->ncell; i++) {
    const int *corner = &t->corner[3 * (i / 2)], k = i % 2;
    const double expected =
      (t->xy[2 * corner[0] + k] + t->xy[2 * corner[1] + k] + t->xy[2 * corner[2] + k]) / 3.0;
    wrong += memcmp(&expected, &p[i], sizeof expected) != 0;
  }
  return wrong;
}

static bool matches(const reference_case *ref, const triangles *t, const double *p)
{
  double sum[2];
  add_up(p, t->ncell, sum);
  bool good = count_wrong(t, p) == 0;
  for (int k = 0; k < 2; k++) {
    good = good && p[k] == ref->first[k] && p[2 * t->ncell - 2 + k] == ref->last[k];
    good = good && fabs(sum[k] - ref->sum[k]) <= 1e-12 * ref->sum[k];
  }
  return good && (!ref->all || memcmp(p, ref->all, sizeof(double) * REFERENCE_ALL) == 0);
}

static bool report(const triangles *t, bool perturb, const double *p, const reference_case *ref)
{
  double sum[2];
  add_up(p, t->ncell, sum);
  const bool good = !ref || matches(ref, t, p);
  printf("%d triangles%s: first (%.6f, %.6f), last (%.6f, %.6f), sums %.9g %.9g%s\n", t->ncell,
         perturb ? ", perturbed" : "", p[0], p[1], p[2 * t->ncell - 2], p[2 * t->ncell - 1], sum[0], sum[1],
         !ref   ? ""
         : good ? ": ok"
                : ": WRONG");
  return good;
}

/* Runs one case: against its reference values if `ref` is given, else printing the result. */
static bool run(pl_context *pl, int n, bool perturb, const reference_case *ref, const output_files *files)
{
  triangles t;
  double *p = malloc(4 * (size_t)n * (size_t)n * sizeof(double));
  bool good = triangles_make(&t, n, perturb) && p;
  if (!good) {
    fprintf(stderr, "midpoint: no memory for %d triangles\n", t.ncell);
  } else {
    good = find_midpoints(pl, &t, p, files);
    if (pl_rank(pl) == 0) good &= report(&t, perturb, p, ref);
  }
  triangles_free(&t);
  free(p);
  return good;
}

static bool check(pl_context *pl)
{
  static const output_files none = {NULL, NULL};
  bool good = true;
  for (size_t i = 0; i < sizeof reference_cases / sizeof *reference_cases; i++) {
    const reference_case *ref = &reference_cases[i];
    good &= run(pl, ref->n, ref->perturb, ref, &none);
  }
  return good;
}

int main(int argc, char **argv)
{
  int64_t n = 8;
  bool perturb = false, checking = false;
  output_files files = {NULL, NULL};
  const option_program program = {
    "midpoint", "Computes the centre of each triangle of a mesh of the unit square.", NULL, true};
  const option_row rows[] = {
    {"size", "N", OPTION_INTEGER, &n, 1, 10000, "squares along a side; each is two triangles"},
    {"perturb", NULL, OPTION_FLAG, &perturb, 0, 0, "perturb the vertices slightly"},
    OUTPUT_OPTIONS(&files, "the triangles, coloured by x of their midpoint", "mesh and midpoints"),
    {"check", NULL, OPTION_FLAG, &checking, 0, 0, "run all reference cases instead, and compare bit by bit"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;

  pl_context *pl;
  bool good = pl_init(&argc, &argv, NULL, &pl) == PL_SUCCESS;
  if (!good)
    fprintf(stderr, "midpoint: %s\n", pl_errmsg(pl));
  else
    good = checking ? check(pl) : run(pl, (int)n, perturb, NULL, &files);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
