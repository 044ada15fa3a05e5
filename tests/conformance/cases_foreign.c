/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels as other tools generate them: flat pointers, unused parameters, tables, descriptions.
 */
#include "conformance.h"
#include <complex.h>

enum { CELLS = 20, POINTS = 21 };

typedef struct strip {
  pl_set *cells, *points;
  pl_map *map;
  double x[2 * POINTS], sum[2 * POINTS], out[CELLS];
  int to[3 * CELLS];
  pl_dat *dx, *dsum, *dout;
} strip;

static void declare(conf *c, strip *s)
{
  for (int i = 0; i < 2 * POINTS; i++) s->x[i] = i + 1, s->sum[i] = 0;
  for (int i = 0; i < 3 * CELLS; i++) s->to[i] = (i / 3 + 5 * (i % 3)) % POINTS;
  s->cells = conf_set(c, CELLS, "cells");
  s->points = conf_set(c, POINTS, "points");
  s->map = conf_map(c, s->cells, s->points, 3, s->to, "map");
  s->dx = conf_dat(c, s->points, 2, PL_DOUBLE, s->x, "x");
  s->dsum = conf_dat(c, s->points, 2, PL_DOUBLE, NULL, "sum");
  s->dout = conf_dat(c, s->cells, 1, PL_DOUBLE, NULL, "out");
}

/* ---- flat pointers ---- */

PL_KERNEL(flat_add, (double *sum, const double *x, double *out, void *unused, const uint8_t *none), {
  (void)unused, (void)none;
  out[0] = 0;
  for (int i = 0; i < 6; i++) {
    sum[i] += (i + 1) * x[i];
    out[0] += i * x[5 - i];
  }
})
PL_KERNEL(flat_set, (double x[6], const double *y), {
  for (int k = 0; k < 3; k++)
    for (int d = 0; d < 2; d++) x[2 * k + d] = y[0];
})

/* Value d of target k is x[2 * k + d]. */
static void case_flat(conf *c)
{
  strip s;
  declare(c, &s);
  const pl_arg all = pl_arg_dat(s.dx, PL_ALL, s.map, PL_READ), none = pl_arg_ptr(NULL);
  for (int e = 0; e < CELLS; e++) {
    s.out[e] = 0;
    for (int i = 0; i < 6; i++) {
      s.sum[2 * s.to[3 * e + i / 2] + i % 2] += (i + 1) * s.x[2 * s.to[3 * e + i / 2] + i % 2];
      s.out[e] += i * s.x[2 * s.to[3 * e + (5 - i) / 2] + (5 - i) % 2];
    }
  }
  OK(pl_par_loop(flat_add, s.cells, pl_arg_dat(s.dsum, PL_ALL, s.map, PL_INC), all, DIRECT(s.dout, PL_WRITE),
                 none, none));
  SAME(s.dsum, s.sum);
  SAME(s.dout, s.out);
  pl_global *seven = conf_global(c, 1, PL_DOUBLE, &(double){7}, "seven");
  OK(pl_par_loop(flat_set, s.cells, pl_arg_dat(s.dx, PL_ALL, s.map, PL_WRITE), pl_arg_gbl(seven, PL_READ)));
  for (int i = 0; i < 2 * POINTS; i++) s.x[i] = 7;
  SAME(s.dx, s.x);
}

/* ---- complex numbers ---- */

PL_KERNEL(complex_add,
          (double _Complex *sum, const double _Complex *x, const float _Complex f[2], double complex *all), {
            for (int i = 0; i < 6; i++) sum[i] += x[i] * x[5 - i] * f[1];
            all[0] += x[0];
          })

static pl_cdouble product(pl_cdouble a, pl_cdouble b)
{
  return (pl_cdouble){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* A dat of complex numbers is an array of C's. */
static void case_complex(conf *c)
{
  strip s;
  declare(c, &s);
  pl_cdouble x[2 * POINTS], sum[2 * POINTS] = {{0, 0}}, all = {0, 0};
  pl_cfloat f[2 * CELLS];
  for (int i = 0; i < 2 * POINTS; i++) x[i] = (pl_cdouble){i + 1, i % 3 - 1};
  for (int i = 0; i < 2 * CELLS; i++) f[i] = (pl_cfloat){(float)(i % 4), 2};
  for (int e = 0; e < CELLS; e++)
    for (int i = 0; i < 6; i++) {
      const int to = 2 * s.to[3 * e + i / 2] + i % 2, other = 2 * s.to[3 * e + (5 - i) / 2] + (5 - i) % 2;
      const pl_cdouble term =
        product(product(x[to], x[other]), (pl_cdouble){f[2 * e + 1].re, f[2 * e + 1].im});
      sum[to].re += term.re, sum[to].im += term.im;
      if (i == 0) all.re += x[to].re, all.im += x[to].im;
    }
  pl_dat *dx = conf_dat(c, s.points, 2, PL_COMPLEX_DOUBLE, x, "z"),
         *df = conf_dat(c, s.cells, 2, PL_COMPLEX_FLOAT, f, "f"),
         *dsum = conf_dat(c, s.points, 2, PL_COMPLEX_DOUBLE, NULL, "sums");
  pl_global *total = conf_global(c, 1, PL_COMPLEX_DOUBLE, &(pl_cdouble){0, 0}, "total");
  OK(pl_par_loop(complex_add, s.cells, pl_arg_dat(dsum, PL_ALL, s.map, PL_INC),
                 pl_arg_dat(dx, PL_ALL, s.map, PL_READ), DIRECT(df, PL_READ), pl_arg_gbl(total, PL_INC)));
  SAME(dsum, sum);
  SAME_GLOBAL(total, &all);
  FAILS(pl_par_loop(complex_add, s.cells, pl_arg_dat(s.dx, PL_ALL, s.map, PL_INC),
                    pl_arg_dat(dx, PL_ALL, s.map, PL_READ), DIRECT(df, PL_READ), pl_arg_gbl(total, PL_INC)),
        PL_ERR_TYPE, "complex_add", "pl_cdouble", "double");
}

/* ---- texts with parts that no kernel uses ---- */

static const char generated[] =
  "#include <math.h>\n#include <stdalign.h>\n#include <stdlib.h>\n#include <string.h>\n"
  "#ifdef __cplusplus\n#define restrict\nextern \"C\" {\n#endif\n"
  "typedef void (function)(double *restrict x, const double *restrict w);\n"
  "typedef struct form { const char *name; function *call; int flags : 3; } form;\n"
  "typedef enum { INTERVAL = 2, TRIANGLE } shape;\n"
  "static int calls;\n"
  "static const double weights[2] = {0.5, 2.0};\n"
  "static const double others[] = {[1] = 3};\n"
  "static int count(void) { return ++calls; }\n"
  "static double scaled(double x) { return weights[1] * x; }\n"
  "void other(double *restrict x, const double *restrict w) { printf(\"%d\", count()); x[0] = w[0]; }\n"
  "void tabulate(double *restrict x, const double *restrict w, const int *restrict entity,\n"
  "              const uint8_t *restrict permutation, void *data)\n"
  "{\n"
  "  static const double table[1][2][3] = {{{1, 2, 3}, {4, 5, 6}}};\n"
  "  double t[3] = {0};\n"
  "  for (int q = 0; q < 2; ++q)\n"
  "  {\n"
  "    static const double weights[3] = {1, 10, 100};\n"
  "    for (int i = 0; i < TRIANGLE; ++i) t[i] += weights[i] * table[entity[0]][q][i];\n"
  "  }\n"
  "  for (int i = 0; i < 3; ++i) x[0] += scaled(t[i]) * w[0] * weights[0] * permutation[1];\n"
  "}\n"
  "form form_tabulate = {.name = \"tabulate\", .call = tabulate, .flags = INTERVAL};\n"
  "form *form_a = &form_tabulate;\n"
  "#ifdef __cplusplus\n}\n#endif\n";

static void case_unused(conf *c)
{
  strip s;
  declare(c, &s);
  const int entity[2] = {0, 1};
  const uint8_t permutation[2] = {0, 3};
  const pl_kernel *kernel = conf_source(c, "tabulate", generated, NULL);
  pl_global *e = conf_global(c, 2, PL_INT32, entity, "entity");
  pl_global *p = conf_global(c, 2, PL_UINT8, permutation, "permutation");
  for (int round = 1; round < 3; round++) {
    OK(pl_par_loop(kernel, s.cells, DIRECT(s.dout, PL_INC), pl_arg_dat(s.dx, 1, s.map, PL_READ),
                   pl_arg_gbl(e, PL_READ), pl_arg_gbl(p, PL_READ), pl_arg_ptr(NULL)));
    for (int i = 0; i < CELLS; i++) s.out[i] = round * 3 * (5 + 70 + 900) * s.x[2 * s.to[3 * i + 1]];
    SAME(s.dout, s.out);
  }
}

/* ---- tables in functions ---- */

enum { ROWS = 100, COLUMNS = 100 };

/* Two functions have tables of the same name; a pointer points into one table; inner braces may be left out.
 */
static const char small_tables[] =
  "static double first(int i) { static const double t[2][3] = {{1, 2}, {-4}}; return t[i][0] + t[i][1] + "
  "t[1][2]; }\n"
  "static double second(const float *x) { static const int t[] = {7, 0x10}; return t[1] + x[1]; }\n"
  "void tables(double *out, const double *in)\n"
  "{\n  static const float t[3] = {0.5f, /* half */ 2.f, -1.f}, u = 1;\n  const static float v[2] = {1, 2};\n"
  "  { double t = 3; out[0] = t * in[0] + u; }\n"
  "  out[0] += first(0) + 10 * first(1) + second(v) + t[1];\n}\n";

static void check_tables(conf *c, const pl_kernel *kernel, double scale, double shift)
{
  strip s;
  declare(c, &s);
  OK(pl_par_loop(kernel, s.cells, DIRECT(s.dout, PL_WRITE), pl_arg_dat(s.dx, 1, s.map, PL_READ)));
  for (int i = 0; i < CELLS; i++) s.out[i] = scale * s.x[2 * s.to[3 * i + 1]] + shift;
  SAME(s.dout, s.out);
}

/* More than 64 KiB of numbers: constant memory of many devices cannot hold them. */
static void case_tables(conf *c)
{
  static char large[8 * ROWS * COLUMNS];
  int n = 0;
  check_tables(c, conf_source(c, "tables", small_tables, NULL), 3, 1 + 3 - 40 + 18 + 2);
  n += sprintf(large + n, "static double at(int i, int j)\n{\n  static const double t[%d][%d] = {\n", ROWS,
               COLUMNS);
  for (int i = 0; i < ROWS; i++) {
    n += sprintf(large + n, "    {");
    for (int j = 0; j < COLUMNS - i % 2; j++) n += sprintf(large + n, "%s%d.5", j ? ", " : "-", i + j);
    n += sprintf(large + n, "},\n");
  }
  sprintf(large + n,
          "  };\n  return t[i][j];\n}\nvoid tables(double *out, const double *in)\n{\n"
          "  static const double u[3][2] = {1, 2, {3}, 4};\n"
          "  out[0] = (u[0][1] + u[1][0] + u[1][1] + u[2][0]) * in[0];\n"
          "  out[0] += at(0, 0) + at(3, %d) + at(4, %d) + at(7, 5);\n}\n",
          COLUMNS - 1, COLUMNS - 1);
  check_tables(c, conf_source(c, "tables", large, NULL), 9, -0.5 + 0 + COLUMNS + 3.5 + 12.5);
}

const conf_case conf_foreign[] = {
  {"flat pointers", "P31", case_flat, CONF_MATRIX | CONF_RANKS},
  {"complex numbers of C", "P31", case_complex, CONF_MATRIX | CONF_NEEDS_JIT | CONF_RANKS},
  {"tables in functions", "P31", case_tables, CONF_MATRIX | CONF_NEEDS_JIT},
  {"texts with unused parts", "P31", case_unused, CONF_MATRIX | CONF_NEEDS_JIT | CONF_RANKS},
  {NULL, NULL, NULL, 0}};
