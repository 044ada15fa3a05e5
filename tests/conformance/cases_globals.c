/* SPDX-License-Identifier: BSD-2-Clause
 * Globals and consts: reductions, extremes with payloads, values by name.
 */
#include "conformance.h"

/* ---- P22 ---- */

PL_KERNEL(global_count, (int32_t * count, const double *x), {
  (void)x;
  count[0] += 1;
})
PL_KERNEL(global_sums, (double sum[3], const double *x), {
  sum[0] += 1.0;
  sum[1] += x[0];
  sum[2] -= x[0];
})
PL_KERNEL(global_range, (double *lo, double *hi, const double *x), {
  lo[0] = x[0] < lo[0] ? x[0] : lo[0];
  hi[0] = x[0] > hi[0] ? x[0] : hi[0];
})

static void case_sums(conf *c)
{
  enum { N = 1237 };
  double x[N], ten[3] = {10, 10, 10}, total = 0, *expected = ten;
  for (int i = 0; i < N; i++) total += x[i] = conf_below(c, 1000);
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x");
  pl_global *count = conf_global(c, 1, PL_INT32, NULL, "count"),
            *sums = conf_global(c, 3, PL_DOUBLE, ten, "sums");
  const int32_t one = N, two = 2 * N, none = 0;
  OK(pl_par_loop(global_count, set, pl_arg_gbl(count, PL_INC), DIRECT(dx, PL_READ)));
  SAME_GLOBAL(count, &one);
  OK(pl_par_loop(global_count, set, pl_arg_gbl(count, PL_INC), DIRECT(dx, PL_READ)));
  SAME_GLOBAL(count, &two);
  OK(pl_global_zero(count));
  SAME_GLOBAL(count, &none);
  OK(pl_par_loop(global_count, set, pl_arg_gbl(count, PL_INC), DIRECT(dx, PL_READ)));
  SAME_GLOBAL(count, &one);
  OK(pl_par_loop(global_sums, set, pl_arg_gbl(sums, PL_INC), DIRECT(dx, PL_READ)));
  expected[0] = 10 + N;
  expected[1] = 10 + total;
  expected[2] = 10 - total;
  SAME_GLOBAL(sums, expected);
}

PL_KERNEL(global_advance, (double *x), { x[0] += 1; })
PL_KERNEL(global_clear, (double *y), { y[0] = 0; })
PL_KERNEL(global_total, (double *sum, const double *x), { sum[0] += x[0]; })
PL_KERNEL(global_exchange, (double *const y[2], const double *const x[2]), {
  y[0][0] += x[1][0];
  y[1][0] += x[0][0];
})

/* Loops that depend on the loops before them, without a wait in between. On CUDA so many elements make
 * kernels start early. */
static void case_sums_in_a_row(conf *c)
{
  enum { N = 140000, ROUNDS = 4 };
  static double x[N];
  static int ring[2 * N];
  double total = 0;
  for (int i = 0; i < N; i++) {
    total += x[i] = i % 7;
    ring[2 * i] = i, ring[2 * i + 1] = (i + 1) % N;
  }
  pl_set *cells = conf_set(c, N, "cells"), *edges = conf_set(c, N, "edges");
  pl_map *ends = conf_map(c, edges, cells, 2, ring, "ends");
  pl_dat *dx = conf_dat(c, cells, 1, PL_DOUBLE, x, "x"), *dy = conf_dat(c, cells, 1, PL_DOUBLE, NULL, "y");
  pl_global *sum[2][ROUNDS];
  for (int r = 0; r < ROUNDS; r++) {
    for (int k = 0; k < 2; k++) sum[k][r] = conf_global(c, 1, PL_DOUBLE, NULL, k ? "exchanged" : "sum");
    OK(pl_par_loop(global_advance, cells, DIRECT(dx, PL_RW)));
    OK(pl_par_loop(global_total, cells, pl_arg_gbl(sum[0][r], PL_INC), DIRECT(dx, PL_READ)));
    OK(pl_par_loop(global_clear, cells, DIRECT(dy, PL_WRITE)));
    OK(pl_par_loop(global_exchange, edges, pl_arg_dat(dy, PL_ALL, ends, PL_INC),
                   pl_arg_dat(dx, PL_ALL, ends, PL_READ)));
    OK(pl_par_loop(global_total, cells, pl_arg_gbl(sum[1][r], PL_INC), DIRECT(dy, PL_READ)));
  }
  for (int r = 0; r < ROUNDS; r++) {
    const double one = total + (double)N * (r + 1), both = 2 * one;
    SAME_GLOBAL(sum[0][r], &one);
    SAME_GLOBAL(sum[1][r], &both);
  }
}

enum { MANY = 1260 };
PL_KERNEL(global_spread, (double many[1260], const double *x, const int64_t *i),
          { many[i[0] % 1260] += x[0]; })

/* Each work item of a device has a copy of all components; a block's copies may exceed a stack. */
static void case_many(conf *c)
{
  enum { N = 3000 };
  static double x[N], many[MANY], got[MANY];
  memset(many, 0, sizeof many);
  for (int i = 0; i < N; i++) many[i % MANY] += x[i] = conf_below(c, 100);
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x");
  pl_global *sums = conf_global(c, MANY, PL_DOUBLE, NULL, "many");
  OK(pl_par_loop(global_spread, set, pl_arg_gbl(sums, PL_INC), DIRECT(dx, PL_READ),
                 pl_arg_idx(PL_ID, PL_DIRECT)));
  OK(pl_global_get(sums, got));
  CHECK(!memcmp(got, many, sizeof many)); /* integers: exact in any order */
}

static void case_ranges(conf *c)
{
  enum { N = 700 };
  double x[N], lo = 1000, hi = -1000, wide[2] = {-5000, 5000};
  for (int i = 0; i < N; i++) {
    x[i] = conf_below(c, 999) - 500;
    if (x[i] < lo) lo = x[i];
    if (x[i] > hi) hi = x[i];
  }
  const double worse = 1e6, worst = -1e6;
  pl_set *set = conf_set(c, N, "set"), *none = conf_subset(c, set, 0, NULL);
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x");
  pl_global *glo = conf_global(c, 1, PL_DOUBLE, &worse, "lo"),
            *ghi = conf_global(c, 1, PL_DOUBLE, &worst, "hi");
  OK(pl_par_loop(global_range, none, pl_arg_gbl(glo, PL_MIN), pl_arg_gbl(ghi, PL_MAX), DIRECT(dx, PL_READ)));
  SAME_GLOBAL(glo, &worse);
  OK(pl_par_loop(global_range, set, pl_arg_gbl(glo, PL_MIN), pl_arg_gbl(ghi, PL_MAX), DIRECT(dx, PL_READ)));
  SAME_GLOBAL(glo, &lo);
  SAME_GLOBAL(ghi, &hi);
  /* The initial values take part. */
  OK(pl_global_set(glo, &wide[0]));
  OK(pl_global_set(ghi, &wide[1]));
  OK(pl_par_loop(global_range, set, pl_arg_gbl(glo, PL_MIN), pl_arg_gbl(ghi, PL_MAX), DIRECT(dx, PL_READ)));
  SAME_GLOBAL(glo, &wide[0]);
  SAME_GLOBAL(ghi, &wide[1]);
}

static void case_arithmetic(conf *c)
{
  const double a[] = {1, 2}, b[] = {10, 20}, after[] = {12, 24}, zeros[] = {0, 0};
  const pl_cfloat z[] = {{1, 2}}, w[] = {{10, 20}}, zw[] = {{11.5f, 23}};
  const int32_t five = 5, fifteen = 15;
  pl_global *x = conf_global(c, 2, PL_DOUBLE, a, "x"), *y = conf_global(c, 2, PL_DOUBLE, b, "y"),
            *copy = NULL;
  pl_global *p = conf_global(c, 1, PL_COMPLEX_FLOAT, z, "p"),
            *q = conf_global(c, 1, PL_COMPLEX_FLOAT, w, "q");
  pl_global *n = conf_global(c, 1, PL_INT32, &five, "n"), *m = conf_global(c, 1, PL_INT32, &five, "m");
  OK(pl_global_axpy(2.0, x, y));
  SAME_GLOBAL(y, after);
  OK(pl_global_axpy(1.5, p, q));
  SAME_GLOBAL(q, zw);
  OK(pl_global_axpy(2.0, n, m));
  SAME_GLOBAL(m, &fifteen);
  FAILS(pl_global_axpy(2.0, x, n), PL_ERR_TYPE, "\"x\"", "\"n\"");
  FAILS(pl_global_copy(x, n), PL_ERR_TYPE, "\"x\"", "\"n\"");
  OK(pl_global_duplicate(y, "copy", &copy));
  OK(pl_global_zero(y));
  SAME_GLOBAL(copy, after);
  SAME_GLOBAL(y, zeros);
  OK(pl_global_copy(copy, y));
  SAME_GLOBAL(y, after);
  CHECK(pl_global_dim(copy) == 2 && pl_global_type(copy) == PL_DOUBLE &&
        !strcmp(pl_global_name(copy), "copy"));
}

/* The pointer's type decides: reals are converted, other types refused. */
static void case_types(conf *c)
{
  const float half[2] = {0.5f, 1.5f};
  const double third[2] = {2.5, 3.5};
  double x[2] = {0, 0};
  float y[2];
  int64_t n;
  pl_dat *dat = NULL;
  pl_const *constant = NULL;
  pl_set *set = conf_set(c, 2, "set");
  pl_global *g = conf_global(c, 2, PL_FLOAT, half, "g");
  OK(pl_global_get(g, x));
  CHECK(x[0] == 0.5 && x[1] == 1.5);
  OK(pl_global_set(g, third));
  OK(pl_global_get(g, y));
  CHECK(y[0] == 2.5f && y[1] == 3.5f);
  OK(pl_global_get(g, (void *)x));
  CHECK(!memcmp(x, y, sizeof y));
  FAILS(pl_global_get(g, &n), PL_ERR_TYPE, "\"g\"", "float", "int64_t");
  FAILS(pl_global_set(g, &n), PL_ERR_TYPE, "\"g\"", "float", "int64_t");
  OK(pl_decl_const_from(c->pl, "typed", 2, PL_FLOAT, PL_DOUBLE, third, &constant));
  OK(pl_const_get(constant, x));
  CHECK(x[0] == 2.5 && x[1] == 3.5);
  OK(pl_const_set(constant, (const double[]){0.5, 1.5}));
  OK(pl_const_get(constant, y));
  CHECK(y[0] == 0.5f && y[1] == 1.5f);
  FAILS(pl_const_get(constant, &n), PL_ERR_TYPE, "\"typed\"");
  OK(pl_decl_dat_from(set, 1, PL_FLOAT, PL_DOUBLE, third, "dat", &dat));
  OK(pl_dat_fetch(dat, x));
  CHECK(x[0] == 2.5 && x[1] == 3.5);
  FAILS(pl_dat_fetch(dat, &n), PL_ERR_TYPE, "\"dat\"", "int64_t");
  FAILS(pl_decl_dat_from(set, 1, PL_FLOAT, PL_INT32, &n, "other", &dat), PL_ERR_TYPE, "\"other\"");
  FAILS(pl_decl_global_from(c->pl, 1, PL_INT64, PL_DOUBLE, x, "more", &g), PL_ERR_TYPE, "\"more\"");
}

/* A global that is read changes between runs of one loop. */
PL_KERNEL(global_scale, (double *x, const double *g), { x[0] = g[0] + g[1]; })

static void case_read(conf *c)
{
  double g[2] = {1, 2}, x[3] = {3, 3, 3};
  pl_set *set = conf_set(c, 3, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x");
  pl_global *gg = conf_global(c, 2, PL_DOUBLE, g, "g");
  pl_loop *loop = NULL;
  OK(pl_loop_create(&loop, global_scale, set, DIRECT(dx, PL_WRITE), pl_arg_gbl(gg, PL_READ)));
  OK(pl_loop_run(loop));
  SAME(dx, x);
  g[1] = 9;
  x[0] = x[1] = x[2] = 10;
  OK(pl_global_set(gg, g));
  OK(pl_loop_run(loop));
  SAME(dx, x);
  pl_loop_free(&loop);
}

/* ---- O03 ---- */

PL_KERNEL(global_where,
          (const double *x, const double *other, const int64_t *me, double *hi, int64_t *where,
           double with[2], double *lo, int64_t *low_at),
          {
            hi[0] = x[0];
            where[0] = me[0];
            with[0] = other[0];
            with[1] = -other[0];
            lo[0] = x[0];
            low_at[0] = me[0];
          })

typedef struct extreme {
  double hi, lo, with[2];
  int64_t where, low_at;
} extreme;

/* Over the n elements of a list, or the first n. */
static void find_extremes(int n, const int *list, const double *x, const double *other, extreme *r)
{
  for (int i = 0; i < n; i++) {
    int e = list ? list[i] : i;
    if (x[e] > r->hi) {
      r->hi = x[e];
      r->where = e;
      r->with[0] = other[e];
      r->with[1] = -other[e];
    }
    if (x[e] < r->lo) r->lo = x[e], r->low_at = e;
  }
}

static void test_payload(conf *c, pl_set *set, pl_set *over, int n, const int *list, const double *x,
                         const double *other, double from)
{
  extreme r = {from, -from, {77, 78}, -5, -6};
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x"),
         *dother = conf_dat(c, set, 1, PL_DOUBLE, other, "other");
  pl_global *hi = conf_global(c, 1, PL_DOUBLE, &r.hi, "hi"), *lo = conf_global(c, 1, PL_DOUBLE, &r.lo, "lo");
  pl_global *where = conf_global(c, 1, PL_INT64, &r.where, "where"),
            *low_at = conf_global(c, 1, PL_INT64, &r.low_at, "low_at");
  pl_global *with = conf_global(c, 2, PL_DOUBLE, r.with, "with");
  find_extremes(n, list, x, other, &r);
  for (int i = 0; i < 2; i++) { /* the second time nothing beats the current value */
    OK(pl_par_loop(global_where, over, DIRECT(dx, PL_READ), DIRECT(dother, PL_READ),
                   pl_arg_idx(PL_ID, PL_DIRECT), pl_arg_gbl(hi, PL_MAX), pl_arg_payload(where, hi),
                   pl_arg_payload(with, hi), pl_arg_gbl(lo, PL_MIN), pl_arg_payload(low_at, lo)));
    SAME_GLOBAL(hi, &r.hi);
    SAME_GLOBAL(lo, &r.lo);
    SAME_GLOBAL(where, &r.where);
    SAME_GLOBAL(with, r.with);
    SAME_GLOBAL(low_at, &r.low_at);
  }
  pl_dat_free(&dx);
  pl_dat_free(&dother);
}

static void case_payload(conf *c)
{
  enum { N = 2000 };
  double *x = malloc(N * sizeof *x), *other = malloc(N * sizeof *other);
  int list[N / 4];
  pl_set *set = conf_set(c, N, "set"), *none = conf_subset(c, set, 0, NULL);
  for (int i = 0; i < N; i++) other[i] = i + 0.25;
  for (int i = 0; i < N / 4; i++) list[i] = 4 * i + 3;
  pl_set *some = conf_subset(c, set, N / 4, list);
  for (int kind = 0; kind < 4; kind++) {
    /* Few distinct values give ties everywhere; then equal, rising and falling ones: the last or the first
     * wins. */
    for (int i = 0; i < N; i++) x[i] = kind == 0 ? conf_below(c, 5) : kind == 1 ? 1 : kind == 2 ? i : N - i;
    test_payload(c, set, set, N, NULL, x, other, -1e9);
    test_payload(c, set, some, N / 4, list, x, other, -1e9);
    test_payload(c, set, none, 0, NULL, x, other, -1e9);
    test_payload(c, set, set, N, NULL, x, other, 1e9); /* nothing beats the current value */
  }
  free(x);
  free(other);
}

/* Zeros of both signs tie. */
static void case_payload_zeros(conf *c)
{
  enum { N = 300 };
  double x[N], other[N];
  for (int i = 0; i < N; i++) {
    x[i] = i % 3 == 1 ? 0.0 : -0.0;
    other[i] = i;
  }
  pl_set *set = conf_set(c, N, "set");
  test_payload(c, set, set, N, NULL, x, other, -5);
}

/* The same with elements in the order of colours. */
PL_KERNEL(global_where_push, (const double *x, const int64_t *me, double *hi, int64_t *where, double *acc), {
  hi[0] = x[0];
  where[0] = me[0];
  acc[0] += 1.0;
})

static void case_payload_colours(conf *c)
{
  enum { N = 900, TARGETS = 30 };
  double x[N], hi = -1, top = 0, sums[TARGETS] = {0};
  int index[N];
  int64_t where = -1, expected = 40;
  for (int i = 0; i < N; i++) {
    x[i] = i < 40 ? -1 : i % 7 < 3 ? 0.0 : -0.0;
    index[i] =
      i < 450 ? i % 3 : conf_below(c, TARGETS); /* the first blocks conflict most and get late colours */
    sums[index[i]] += 1;
  }
  pl_set *set = conf_set(c, N, "set"), *to = conf_set(c, TARGETS, "to");
  pl_map *map = conf_map(c, set, to, 1, index, "map");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x"), *acc = conf_dat(c, to, 1, PL_DOUBLE, NULL, "acc");
  pl_global *ghi = conf_global(c, 1, PL_DOUBLE, &hi, "hi"),
            *gwhere = conf_global(c, 1, PL_INT64, &where, "where");
  OK(pl_par_loop(global_where_push, set, DIRECT(dx, PL_READ), pl_arg_idx(PL_ID, PL_DIRECT),
                 pl_arg_gbl(ghi, PL_MAX), pl_arg_payload(gwhere, ghi), pl_arg_dat(acc, 0, map, PL_INC)));
  SAME_GLOBAL(ghi, &top);
  SAME_GLOBAL(gwhere, &expected);
  SAME(acc, sums);
}

static void case_payload_errors(conf *c)
{
  pl_set *set = conf_set(c, 4, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x");
  pl_global *hi = conf_global(c, 1, PL_DOUBLE, NULL, "hi"),
            *wide = conf_global(c, 2, PL_DOUBLE, NULL, "wide");
  pl_global *at = conf_global(c, 1, PL_DOUBLE, NULL, "at"), *out = conf_global(c, 1, PL_DOUBLE, NULL, "out");
  FAILS(pl_par_loop(global_range, set, pl_arg_gbl(hi, PL_MAX), pl_arg_payload(at, out), DIRECT(x, PL_READ)),
        PL_ERR_ARG, "argument 2", "\"at\"", "\"out\"");
  FAILS(pl_par_loop(global_range, set, pl_arg_gbl(hi, PL_INC), pl_arg_payload(at, hi), DIRECT(x, PL_READ)),
        PL_ERR_ARG, "argument 2", "\"at\"", "\"hi\"");
  FAILS(
    pl_par_loop(global_range, set, pl_arg_gbl(wide, PL_MAX), pl_arg_payload(at, wide), DIRECT(x, PL_READ)),
    PL_ERR_ARG, "argument 2", "\"at\"", "dim 2");
}

/* ---- P23, P24 ---- */

static double const_scalar = 5, const_vector[2] = {1, 2};
static int32_t const_whole = 3;

PL_KERNEL(const_use, (double *x),
          { x[0] = const_scalar * const_vector[1] + const_vector[0] + (double)const_whole; })
PL_KERNEL(const_argument, (double *x, const double *k), { x[0] = k[0] + 10.0 * k[1]; })

static void set_consts(conf *c, pl_const **k, double scalar, double v0, double v1, int32_t whole)
{
  const_scalar = scalar;
  const_vector[0] = v0;
  const_vector[1] = v1;
  const_whole = whole;
  OK(pl_const_set(k[0], &const_scalar));
  OK(pl_const_set(k[1], const_vector));
  OK(pl_const_set(k[2], &const_whole));
}

static void case_consts(conf *c)
{
  double x[3] = {0}, held[2];
  pl_const *k[3] = {NULL};
  pl_set *set = conf_set(c, 3, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x");
  const_scalar = 5, const_vector[0] = 1, const_vector[1] = 2, const_whole = 3;
  OK(pl_decl_const(c->pl, "const_scalar", 1, PL_DOUBLE, &const_scalar, &k[0]));
  OK(pl_decl_const(c->pl, "const_vector", 2, PL_DOUBLE, const_vector, &k[1]));
  OK(pl_decl_const(c->pl, "const_whole", 1, PL_INT32, &const_whole, &k[2]));
  OK(pl_par_loop(const_use, set, DIRECT(dx, PL_WRITE)));
  x[0] = x[1] = x[2] = 5 * 2 + 1 + 3;
  SAME(dx, x);
  pl_stats before = conf_stats(c);
  for (int i = 0; i < 4; i++) {
    set_consts(c, k, i, 10 * i, 1 + i, 7 * i);
    OK(pl_par_loop(const_use, set, DIRECT(dx, PL_WRITE)));
    x[0] = x[1] = x[2] = i * (1 + i) + 10 * i + 7 * i;
    SAME(dx, x);
  }
  pl_stats after = conf_stats(c);
  CHECK(after.compiler_runs == before.compiler_runs && after.codes_disk == before.codes_disk &&
        after.codes_compiled == before.codes_compiled && after.loops_built == before.loops_built);
  OK(pl_const_get(k[1], held));
  CHECK(held[0] == 30 && held[1] == 4);
  OK(pl_par_loop(const_argument, set, DIRECT(dx, PL_WRITE), pl_arg_const(k[1], PL_READ)));
  x[0] = x[1] = x[2] = 70;
  SAME(dx, x);
  FAILS(pl_par_loop(const_argument, set, DIRECT(dx, PL_WRITE), pl_arg_const(k[1], PL_WRITE)), PL_ERR_ACCESS,
        "const_argument", "argument 2", "\"const_vector\"", "PL_READ");
  SAME(dx, x);
}

static void case_const_names(conf *c)
{
  const double v = 1;
  pl_const *k = NULL, *other = NULL;
  OK(pl_decl_const(c->pl, "gam", 1, PL_DOUBLE, &v, &k));
  FAILS(pl_decl_const(c->pl, "gam", 1, PL_DOUBLE, &v, &other), PL_ERR_ARG, "\"gam\"", "already");
  FAILS(pl_decl_const(c->pl, "two words", 1, PL_DOUBLE, &v, &other), PL_ERR_ARG, "\"two words\"",
        "identifier");
  FAILS(pl_decl_const(c->pl, "2nd", 1, PL_DOUBLE, &v, &other), PL_ERR_ARG, "\"2nd\"");
  FAILS(pl_decl_const(c->pl, "nothing", 0, PL_DOUBLE, &v, &other), PL_ERR_RANGE, "\"nothing\"", "dim 0");
  FAILS(pl_decl_const(c->pl, "nowhere", 1, PL_DOUBLE, NULL, &other), PL_ERR_ARG, "\"nowhere\"", "NULL");
  CHECK(other == NULL);
  pl_const_free(&k);
  CHECK(k == NULL);
  OK(pl_decl_const(c->pl, "gam", 3, PL_FLOAT, (float[]){1, 2, 3}, &k));
}

/* Freed and declared again with another type and dim; loops use the new one. */
static void case_const_again(conf *c)
{
  static const char scalar[] =
    "void again(double *x) { x[0] = 100.0 * (double)sizeof(later) + (double)later; }";
  double x[2], one = 7;
  float pair[2] = {1, 2};
  pl_const *k = NULL;
  pl_set *set = conf_set(c, 2, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x");
  const pl_kernel *kernel = conf_source(c, "again", scalar, NULL);
  const pl_kernel *array =
    conf_source(c, "wide", "void wide(double *x) { x[0] = (double)(later[0] + 10 * later[1]); }", NULL);
  OK(pl_decl_const(c->pl, "later", 1, PL_DOUBLE, &one, &k));
  OK(pl_par_loop(kernel, set, DIRECT(dx, PL_WRITE)));
  x[0] = x[1] = 807;
  SAME(dx, x);
  pl_const_free(&k);
  OK(pl_decl_const(c->pl, "later", 1, PL_INT16, &(int16_t){9}, &k));
  OK(pl_par_loop(kernel, set, DIRECT(dx, PL_WRITE)));
  x[0] = x[1] = 209;
  SAME(dx, x);
  pl_const_free(&k);
  OK(pl_decl_const(c->pl, "later", 2, PL_FLOAT, pair, &k));
  OK(pl_par_loop(array, set, DIRECT(dx, PL_WRITE)));
  x[0] = x[1] = 21;
  SAME(dx, x);
  pl_const_free(&k);
  conf_catch();
  pl_err err = pl_par_loop(array, set, DIRECT(dx, PL_WRITE));
  free(conf_caught());
  FAILS(err, PL_ERR_COMPILE, "wide", "later");
  SAME(dx, x);
}

const conf_case conf_globals[] = {
  {"sums", "P22", case_sums, CONF_MATRIX | CONF_RANKS},
  {"sums in a row", "P22", case_sums_in_a_row, CONF_RANKS},
  {"a global of many values", "P22", case_many, CONF_MATRIX | CONF_RANKS},
  {"minimum and maximum", "P22", case_ranges, CONF_MATRIX | CONF_RANKS},
  {"arithmetic of globals", "P22", case_arithmetic, CONF_RANKS},
  {"types of values", "P22", case_types, CONF_RANKS},
  {"globals that are read", "P22", case_read, CONF_MATRIX | CONF_RANKS},
  {"extremes with payload", "O03", case_payload, CONF_MATRIX | CONF_RANKS},
  {"extremes with payload: zeros", "O03", case_payload_zeros, CONF_MATRIX | CONF_RANKS},
  {"extremes with payload: colours", "O03 P45", case_payload_colours, CONF_MATRIX},
  {"payloads refused", "O03", case_payload_errors, CONF_RANKS},
  {"consts", "P23 P24", case_consts, CONF_MATRIX | CONF_RANKS},
  {"names of consts", "P23", case_const_names, 0},
  {"consts declared again", "P23", case_const_again, CONF_MATRIX | CONF_NEEDS_JIT | CONF_RANKS | CONF_EAGER},
  {NULL, NULL, NULL, 0}};
