/* SPDX-License-Identifier: BSD-2-Clause
 * Algorithms: reductions, scans, sorting, compaction, resizing of sets.
 */
#include "conformance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define READ(dat) DIRECT(dat, PL_READ)
#define WRITE(dat) DIRECT(dat, PL_WRITE)

/* ---- reductions ---- */

PL_REDUCTION(algo_sum, int, 0, PL_COMMUTATIVE(a + b), (const int *x), x[i])
PL_REDUCTION(algo_least, double, INFINITY, a < b ? a : b, (const double *x), x[i])
PL_REDUCTION(algo_waves, double, 0.0, PL_COMMUTATIVE(a + b), (const double *x, const double *y),
             cos(x[i]) * sin(y[i]))
/* Affine maps: x -> p x + q modulo 65536, in one word; composition does not commute. */
PL_REDUCTION(algo_affine, uint32_t, 1u << 16,
             (((a >> 16) * (b >> 16)) & 65535u) << 16 | (((b >> 16) * (a & 65535u) + (b & 65535u)) & 65535u),
             (const uint32_t *x), x[i])

static void case_reduce(conf *c)
{
  enum { N = 10007 };
  int *n = malloc(N * sizeof *n), thousand = 499500, none = 0;
  double *x = malloc(2 * N * sizeof *x), *y = x + N, least = INFINITY, waves = 0, got;
  uint32_t *f = malloc(N * sizeof *f), affine = 1u << 16;
  for (int i = 0; i < N; i++) {
    n[i] = i;
    x[i] = conf_below(c, 100000) / 1000.0 - 50;
    y[i] = conf_below(c, 100000) / 1000.0;
    f[i] = (uint32_t)conf_random(c);
    least = x[i] < least ? x[i] : least;
    waves += cos(x[i]) * sin(y[i]);
    uint32_t a = affine, b = f[i];
    affine = (((a >> 16) * (b >> 16)) & 65535u) << 16 | (((b >> 16) * (a & 65535u) + (b & 65535u)) & 65535u);
  }
  pl_set *set = conf_set(c, N, "set"), *small = conf_set(c, 1000, "small"), *empty = conf_set(c, 0, "empty");
  pl_dat *dn = conf_dat(c, small, 1, PL_INT, n, "n"), *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x"),
         *dy = conf_dat(c, set, 1, PL_DOUBLE, y, "y"), *df = conf_dat(c, set, 1, PL_UINT32, f, "f");
  pl_global *gi = conf_global(c, 1, PL_INT, &thousand, "gi"), *gd = conf_global(c, 1, PL_DOUBLE, NULL, "gd"),
            *gu = conf_global(c, 1, PL_UINT32, NULL, "gu");
  OK(pl_reduce(algo_sum, small, gi, READ(dn)));
  SAME_GLOBAL(gi, &thousand);
  OK(pl_reduce(algo_sum, empty, gi, READ(dn)));
  SAME_GLOBAL(gi, &none);
  OK(pl_reduce(algo_least, set, gd, READ(dx)));
  SAME_GLOBAL(gd, &least);
  OK(pl_reduce(algo_waves, set, gd, READ(dx), READ(dy)));
  OK(pl_global_get(gd, &got));
  CHECK(fabs(got - waves) < 1e-9);
  OK(pl_reduce(algo_affine, set, gu, READ(df)));
  SAME_GLOBAL(gu, &affine);
  free(n);
  free(x);
  free(f);
}

/* A reduction and segmented scans from texts, which the library copies, and a helper function. */
static void case_sources(conf *c)
{
  enum { N = 3000 };
  static double x[N];
  int start[N];
  double sum = 0, got;
  char op[] = "PL_COMMUTATIVE(a + b)", body[] = "{ return 2 * x; }";
  const pl_algorithm *total = NULL, *place = NULL;
  for (int i = 0; i < N; i++) {
    x[i] = i % 10;
    start[i] = i % 10;
    sum += 2 * x[i];
  }
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x"), *ds = conf_dat(c, set, 1, PL_INT, NULL, "start");
  pl_global *g = conf_global(c, 1, PL_DOUBLE, NULL, "g");
  OK(pl_decl_function_from_source(c->pl, "algo_double", "double", "(double x)", body));
  OK(pl_algorithm_from_source(c->pl, "total", "double", "0.0", op, "(const double *x)", "algo_double(x[i])",
                              NULL, NULL, &total));
  OK(pl_algorithm_from_source(c->pl, "place", "int", "0", op, "(const double *x, int *start)", "1",
                              "x[i] == 0", "{ start[i] = prev_item; }", &place));
  memset(op, 'x', sizeof op - 1);
  memset(body, 'x', sizeof body - 1);
  pl_err err = pl_reduce(total, set, g, READ(dx));
  if (!c->variant->jit && !c->device) {
    FAILS(err, PL_ERR_KERNEL, "total", "compiler");
    return;
  }
  OK(err);
  OK(pl_global_get(g, &got));
  CHECK(got == sum);
  OK(pl_scan(place, set, READ(dx), WRITE(ds)));
  SAME(ds, start);
}

PL_FUNCTION(double, algo_twice, (double x), { return 2 * x; })
static double algo_shift;
PL_REDUCTION(algo_named, pl_real, 0.0, PL_COMMUTATIVE(a + b), (const pl_real *x, const pl_real *g),
             algo_twice(x[2 * i + 1]) + algo_shift + g[0])

/* Consts, helpers, pl_real, records of several values, and globals that are read. */
static void case_names(conf *c)
{
  enum { N = 700 };
  double x[2 * N], sum = 0, shift = 3;
  float xf[2 * N], one = 1;
  for (int i = 0; i < 2 * N; i++) xf[i] = (float)(x[i] = i % 10);
  for (int i = 0; i < N; i++) sum += 2 * x[2 * i + 1] + 3 + 1;
  const double expected = sum;
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 2, PL_DOUBLE, x, "x"), *df = conf_dat(c, set, 2, PL_FLOAT, xf, "xf");
  pl_global *g = conf_global(c, 1, PL_DOUBLE, NULL, "g"), *gf = conf_global(c, 1, PL_FLOAT, NULL, "gf"),
            *unit = conf_global(c, 1, PL_DOUBLE, (double[]){1}, "unit"),
            *unitf = conf_global(c, 1, PL_FLOAT, &one, "unitf");
  pl_const *constant;
  algo_shift = 3;
  OK(pl_decl_function(c->pl, algo_twice));
  OK(pl_decl_const(c->pl, "algo_shift", 1, PL_DOUBLE, &shift, &constant));
  OK(pl_reduce(algo_named, set, g, READ(dx), pl_arg_gbl(unit, PL_READ)));
  SAME_GLOBAL(g, &expected);
  if (c->variant->jit || c->device) {
    const float expectedf = (float)expected;
    OK(pl_reduce(algo_named, set, gf, READ(df), pl_arg_gbl(unitf, PL_READ)));
    SAME_GLOBAL(gf, &expectedf);
  } else {
    FAILS(pl_reduce(algo_named, set, gf, READ(df), pl_arg_gbl(unitf, PL_READ)), PL_ERR_KERNEL, "algo_named",
          "compiler");
  }
  shift = 4;
  algo_shift = 4;
  const double more = expected + N;
  OK(pl_const_set(constant, &shift));
  OK(pl_reduce(algo_named, set, g, READ(dx), pl_arg_gbl(unit, PL_READ)));
  SAME_GLOBAL(g, &more);
}

/* ---- scans ---- */

PL_SCAN(algo_cumulate, int, 0, PL_COMMUTATIVE(a + b), (int *x), x[i], { x[i] = item; })
PL_SCAN(algo_ranks, int, 0, a + b, (const int8_t *x, int *inclusive, int *exclusive, int *rest), x[i], {
  inclusive[i] = item;
  exclusive[i] = prev_item;
  rest[i] = last_item - item;
})
PL_SCAN(algo_unique, int, 0, PL_COMMUTATIVE(a + b), (const int *x, int *values, int *count),
        i == 0 || x[i] != x[i - 1], {
          if (item != prev_item) values[item - 1] = x[i];
          if (i == n - 1) count[0] = item;
        })
PL_SCAN_SEGMENTED(algo_segments, double, 0.0, a + b,
                  (const double *x, const int8_t *flag, double *sum, double *prev), x[i], flag[i], {
                    sum[i] = item;
                    prev[i] = prev_item;
                  })

static void case_cumulate(conf *c)
{
  enum { N = 10000, SMALL = 9 };
  int *x = malloc(N * sizeof *x), *sum = malloc(N * sizeof *sum);
  for (int i = 0; i < N; i++) x[i] = conf_below(c, 1000) - 300;
  for (int i = 0; i < N; i++) sum[i] = x[i] + (i ? sum[i - 1] : 0);
  pl_dat *dx = conf_dat(c, conf_set(c, N, "set"), 1, PL_INT, x, "x");
  OK(pl_scan(algo_cumulate, pl_dat_set(dx), DIRECT(dx, PL_RW)));
  SAME(dx, sum);
  CHECK(pl_dat_version(dx) == 1);
  for (int n = 0; n < SMALL; n++) {
    pl_dat *small = conf_dat(c, conf_set(c, n, "small"), 1, PL_INT, x, "small");
    OK(pl_scan(algo_cumulate, pl_dat_set(small), DIRECT(small, PL_RW)));
    SAME(small, sum);
  }
  free(x);
  free(sum);
}

/* Many chunks; exclusive scans, and the last item. */
static void case_ranks(conf *c)
{
  int n = c->variant->jit ? 3000000 : 30000;
  int8_t *x = malloc((size_t)n);
  int *inclusive = malloc((size_t)n * 3 * sizeof(int)), *exclusive = inclusive + n, *rest = exclusive + n;
  memset(x, 1, (size_t)n);
  for (int i = 0; i < n; i++) {
    inclusive[i] = i + 1;
    exclusive[i] = i;
    rest[i] = n - 1 - i;
  }
  pl_set *set = conf_set(c, n, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_INT8, x, "x"), *di = conf_dat(c, set, 1, PL_INT, NULL, "inclusive"),
         *de = conf_dat(c, set, 1, PL_INT, NULL, "exclusive"),
         *dr = conf_dat(c, set, 1, PL_INT, NULL, "rest");
  OK(pl_scan(algo_ranks, set, READ(dx), WRITE(di), WRITE(de), WRITE(dr)));
  SAME(di, inclusive);
  SAME(de, exclusive);
  SAME(dr, rest);
  free(x);
  free(inclusive);
}

static void case_unique(conf *c)
{
  enum { N = 20011 };
  int *x = calloc(2 * N, sizeof *x), *unique = x + N, count = 0, got;
  for (int i = 1; i < N; i++) x[i] = x[i - 1] + (conf_below(c, 3) == 0) * (1 + conf_below(c, 5));
  for (int i = 0; i < N; i++)
    if (i == 0 || x[i] != x[i - 1]) unique[count++] = x[i];
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_INT, x, "x"), *dv = conf_dat(c, set, 1, PL_INT, NULL, "values");
  pl_global *g = conf_global(c, 1, PL_INT, NULL, "count");
  OK(pl_scan(algo_unique, set, READ(dx), DIRECT(dv, PL_RW), pl_arg_gbl(g, PL_WRITE)));
  OK(pl_global_get(g, &got));
  CHECK(got == count);
  SAME(dv, unique); /* trailing zeros */
  free(x);
}

static void case_segments(conf *c)
{
  enum { N = 50000 };
  double *x = malloc(3 * N * sizeof *x), *sum = x + N, *prev = sum + N;
  int8_t *flag = malloc(N);
  for (int i = 0; i < N; i++) {
    x[i] = conf_below(c, 1000);
    flag[i] = conf_below(c, 100) == 0;
    prev[i] = i == 0 || flag[i] ? 0 : sum[i - 1];
    sum[i] = prev[i] + x[i];
  }
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x"), *df = conf_dat(c, set, 1, PL_INT8, flag, "flag"),
         *ds = conf_dat(c, set, 1, PL_DOUBLE, NULL, "sum"),
         *dp = conf_dat(c, set, 1, PL_DOUBLE, NULL, "prev");
  OK(pl_scan(algo_segments, set, READ(dx), READ(df), WRITE(ds), WRITE(dp)));
  SAME(ds, sum);
  SAME(dp, prev);
  free(x);
  free(flag);
}

PL_SCAN(algo_records, float, 0.0f, a > b ? a : b, (const float *x, float *y), x[3 * i + 2],
        { y[3 * i + 1] = item; })

/* Records of three values, which devices store in separate arrays; unwritten values stay. */
static void case_records(conf *c)
{
  enum { N = 3000 };
  float *x = malloc(6 * N * sizeof *x), *y = x + 3 * N, most = 0;
  for (int i = 0; i < 3 * N; i++) x[i] = (float)conf_below(c, 100000), y[i] = (float)i;
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 3, PL_FLOAT, x, "x"), *dy = conf_dat(c, set, 3, PL_FLOAT, y, "y");
  OK(pl_scan(algo_records, set, READ(dx), WRITE(dy)));
  for (int i = 0; i < N; i++) {
    most = x[3 * i + 2] > most ? x[3 * i + 2] : most;
    y[3 * i + 1] = most;
  }
  SAME(dy, y);
  SAME(dx, x);
  free(x);
}

static void case_refused(conf *c)
{
  pl_set *set = conf_set(c, 10, "set"), *part = conf_subset(c, set, 1, (int[]){3});
  pl_dat *dx = conf_dat(c, set, 1, PL_INT, NULL, "x"), *dd = conf_dat(c, set, 1, PL_DOUBLE, NULL, "d");
  pl_global *gi = conf_global(c, 1, PL_INT, NULL, "gi"), *g2 = conf_global(c, 2, PL_INT, NULL, "g2"),
            *gd = conf_global(c, 1, PL_DOUBLE, NULL, "gd");
  pl_map *map = conf_map(c, set, set, 1, (int[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, "map");
  void *view;
  FAILS(pl_scan(algo_cumulate, set, DIRECT(dd, PL_RW)), PL_ERR_TYPE, "algo_cumulate", "\"d\"", "int");
  FAILS(pl_scan(algo_cumulate, set, READ(dx), READ(dx)), PL_ERR_KERNEL, "algo_cumulate", "2 arguments");
  FAILS(pl_scan(algo_cumulate, part, DIRECT(dx, PL_RW)), PL_ERR_ARG, "subset");
  FAILS(pl_scan(algo_cumulate, set, pl_arg_dat(dx, 0, map, PL_RW)), PL_ERR_ARG, "whole array");
  FAILS(pl_scan(algo_cumulate, set, DIRECT(dx, PL_INC)), PL_ERR_ACCESS, "PL_RW");
  FAILS(pl_scan(algo_sum, set, READ(dx)), PL_ERR_ARG, "pl_reduce");
  FAILS(pl_reduce(algo_cumulate, set, gi, READ(dx)), PL_ERR_ARG, "pl_scan");
  FAILS(pl_reduce(algo_sum, set, gi, DIRECT(dx, PL_RW)), PL_ERR_ACCESS, "PL_READ");
  FAILS(pl_reduce(algo_sum, set, g2, READ(dx)), PL_ERR_ARG, "\"g2\"", "dim 2");
  FAILS(pl_reduce(algo_sum, set, gd, READ(dx)), PL_ERR_TYPE, "\"gd\"", "double");
  OK(pl_dat_get(dx, PL_READ, &view));
  FAILS(pl_scan(algo_cumulate, set, DIRECT(dx, PL_RW)), PL_ERR_STATE, "\"x\"", "pl_dat_put");
  OK(pl_reduce(algo_sum, set, gi, READ(dx)));
  OK(pl_dat_put(dx));
}

PL_SCAN(algo_compact, int, 0, a + b, (const int *x, const int *weight, int *found, int *sum), x[i] & 1, {
  if (item != prev_item) found[prev_item] = i;
  sum[i] = item + weight[i];
})
PL_KERNEL(algo_ends, (const int *x[2], int *both), { both[0] = 1000 * x[0][0] + x[1][0]; })

/* Storage is permuted; algorithms read and write in the user's order. */
static void case_renumbered(conf *c)
{
  enum { N = 64 };
  int ends[2 * N], x[N], weight[N], odd[N] = {0}, sum[N], both[N], count = 0;
  uint32_t f[N], affine = 1u << 16;
  for (int i = 0; i < N; i++) {
    ends[2 * i] = i * 29 % N;
    ends[2 * i + 1] = (i + 1) * 29 % N;
    x[i] = conf_below(c, 100);
    weight[i] = conf_below(c, 100);
    uint32_t a = affine, b = f[i] = (uint32_t)conf_random(c);
    affine = (((a >> 16) * (b >> 16)) & 65535u) << 16 | (((b >> 16) * (a & 65535u) + (b & 65535u)) & 65535u);
    if (x[i] & 1) odd[count++] = i;
    sum[i] = count + weight[i];
  }
  pl_set *cells = conf_set(c, N, "cells"), *edges = conf_set(c, N, "edges");
  pl_map *map = conf_map(c, edges, cells, 2, ends, "ends");
  pl_dat *dx = conf_dat(c, cells, 1, PL_INT, x, "x"), *dodd = conf_dat(c, cells, 1, PL_INT, NULL, "odd"),
         *dweight = conf_dat(c, edges, 1, PL_INT, weight, "weight"),
         *dsum = conf_dat(c, cells, 1, PL_INT, NULL, "sum"),
         *dboth = conf_dat(c, edges, 1, PL_INT, NULL, "both"), *df = conf_dat(c, cells, 1, PL_UINT32, f, "f");
  pl_global *result = conf_global(c, 1, PL_UINT32, NULL, "result");
  OK(pl_renumber(c->pl, PL_RENUMBER_RCM, map, NULL));
  OK(pl_reduce(algo_affine, cells, result, READ(df)));
  SAME_GLOBAL(result, &affine);
  OK(pl_scan(algo_compact, cells, READ(dx), READ(dweight), DIRECT(dodd, PL_RW), WRITE(dsum)));
  SAME(dodd, odd);
  OK(pl_par_loop(algo_ends, edges, pl_arg_dat(dsum, PL_ALL, map, PL_READ), WRITE(dboth)));
  for (int i = 0; i < N; i++) both[i] = 1000 * sum[ends[2 * i]] + sum[ends[2 * i + 1]];
  SAME(dboth, both);
  SAME(dsum, sum);
  OK(pl_scan(algo_cumulate, cells, DIRECT(dx, PL_RW)));
  for (int i = 1; i < N; i++) x[i] += x[i - 1];
  SAME(dx, x);
  SAME(dweight, weight);
}

PL_KERNEL(algo_owner, (const int *mine, const int64_t *i, int *owner), { owner[*i] += *mine; })
PL_SCAN_SEGMENTED(algo_rest, int, 0, a + b, (const int *x, int *item_of, int *prev_of, int *last_of), x[i],
                  x[i] % 7 == 0, {
                    item_of[i] = item;
                    prev_of[i] = prev_item;
                    last_of[i] = last_item;
                  })

enum { RANKED = 211 };

/* All elements in the order of algorithms on ranks: rank by rank, each in the order of its host views. */
static void rank_order(conf *c, pl_set *set, int order[RANKED])
{
  int owner[RANKED], next = 0;
  int *mine;
  pl_dat *dmine = conf_dat(c, set, 1, PL_INT, NULL, "mine");
  pl_global *all = conf_global(c, RANKED, PL_INT, NULL, "owner");
  OK(pl_dat_get(dmine, PL_WRITE, (void **)&mine));
  for (int64_t i = 0; i < pl_set_size(set); i++) mine[i] = pl_rank(c->pl);
  OK(pl_dat_put(dmine));
  OK(pl_par_loop(algo_owner, set, READ(dmine), pl_arg_idx(PL_ID, PL_DIRECT), pl_arg_gbl(all, PL_INC)));
  OK(pl_global_get(all, owner));
  for (int r = 0; r < pl_ranks(c->pl); r++)
    for (int i = 0; i < RANKED; i++)
      if (owner[i] == r) order[next++] = i;
  CHECK(next == RANKED);
}

/* On ranks, reductions and scans cover all ranks; loops after a scan see its result on all ranks. */
static void case_over_ranks(conf *c)
{
  int ends[2 * RANKED], x[RANKED], order[RANKED], item[RANKED], prev[RANKED], last[RANKED], both[RANKED],
    all = 0;
  uint32_t f[RANKED], affine = 1u << 16;
  for (int i = 0; i < RANKED; i++) {
    ends[2 * i] = i * 29 % RANKED;
    ends[2 * i + 1] = (i + 1) * 29 % RANKED;
    x[i] = conf_below(c, 100);
    f[i] = (uint32_t)conf_random(c);
    all += x[i];
  }
  pl_set *cells = conf_set(c, RANKED, "cells"), *edges = conf_set(c, RANKED, "edges");
  pl_map *map = conf_map(c, edges, cells, 2, ends, "ends");
  pl_dat *dx = conf_dat(c, cells, 1, PL_INT, x, "x"), *df = conf_dat(c, cells, 1, PL_UINT32, f, "f"),
         *ditem = conf_dat(c, cells, 1, PL_INT, NULL, "item"),
         *dprev = conf_dat(c, cells, 1, PL_INT, NULL, "prev"),
         *dlast = conf_dat(c, cells, 1, PL_INT, NULL, "last"),
         *dboth = conf_dat(c, edges, 1, PL_INT, NULL, "both");
  pl_global *sum = conf_global(c, 1, PL_INT, NULL, "sum"),
            *result = conf_global(c, 1, PL_UINT32, NULL, "result");
  OK(pl_par_loop(algo_ends, edges, pl_arg_dat(ditem, PL_ALL, map, PL_READ), WRITE(dboth)));
  rank_order(c, cells, order);
  for (int k = 0, now = 0; k < RANKED; k++) {
    int i = order[k];
    uint32_t a = affine, b = f[i];
    affine = (((a >> 16) * (b >> 16)) & 65535u) << 16 | (((b >> 16) * (a & 65535u) + (b & 65535u)) & 65535u);
    prev[i] = x[i] % 7 ? now : 0;
    item[i] = now = prev[i] + x[i];
    if (k == RANKED - 1)
      for (int e = 0; e < RANKED; e++) last[e] = now;
  }
  OK(pl_reduce(algo_sum, cells, sum, READ(dx)));
  SAME_GLOBAL(sum, &all);
  OK(pl_reduce(algo_affine, cells, result, READ(df)));
  SAME_GLOBAL(result, &affine);
  OK(pl_scan(algo_rest, cells, READ(dx), WRITE(ditem), WRITE(dprev), WRITE(dlast)));
  OK(pl_par_loop(algo_ends, edges, pl_arg_dat(ditem, PL_ALL, map, PL_READ), WRITE(dboth)));
  for (int i = 0; i < RANKED; i++) both[i] = 1000 * item[ends[2 * i]] + item[ends[2 * i + 1]];
  SAME(dboth, both);
  SAME(ditem, item);
  SAME(dprev, prev);
  SAME(dlast, last);
  OK(pl_scan(algo_cumulate, cells, DIRECT(dx, PL_RW)));
  for (int k = 1; k < RANKED; k++) x[order[k]] += x[order[k - 1]];
  SAME(dx, x);
}

/* ---- sorting ---- */

typedef enum pattern { RANDOM, SORTED, REVERSED, EQUAL, FEW_VALUES, PATTERNS } pattern;

static uint64_t pattern_key(conf *c, pattern p, int i, int n)
{
  switch (p) {
  case RANDOM:
    return conf_random(c);
  case SORTED:
    return (uint64_t)i * 3;
  case REVERSED:
    return (uint64_t)(n - i) << 20;
  case EQUAL:
    return 77;
  default:
    return (uint64_t)(conf_below(c, 5) - 2) << 33 | (uint64_t)conf_below(c, 7);
  }
}

/* Random bits as a value of the type; reals without NaN. */
static void put_key(pl_type type, void *keys, int i, uint64_t bits)
{
#define BITS(code, other, T)                                                                                 \
  case code:                                                                                                 \
  case other:                                                                                                \
    ((T *)keys)[i] = (T)(bits ^ bits >> 33);                                                                 \
    break
  switch (type) {
  case PL_FLOAT:
    ((float *)keys)[i] = (float)((double)(int64_t)bits / 1e9);
    break;
  case PL_DOUBLE:
    ((double *)keys)[i] = (double)(int64_t)bits / 1e9;
    break;
    BITS(PL_INT8, PL_UINT8, uint8_t);
    BITS(PL_INT16, PL_UINT16, uint16_t);
    BITS(PL_INT32, PL_UINT32, uint32_t);
  default:
    ((uint64_t *)keys)[i] = bits;
  }
#undef BITS
}

static bool less_key(pl_type type, const void *keys, int i, int j)
{
#define LESS(code, T)                                                                                        \
  case code:                                                                                                 \
    return ((const T *)keys)[i] < ((const T *)keys)[j]
  switch (type) {
    LESS(PL_INT8, int8_t);
    LESS(PL_UINT8, uint8_t);
    LESS(PL_INT16, int16_t);
    LESS(PL_UINT16, uint16_t);
    LESS(PL_INT32, int32_t);
    LESS(PL_UINT32, uint32_t);
    LESS(PL_INT64, int64_t);
    LESS(PL_FLOAT, float);
    LESS(PL_DOUBLE, double);
  default:
    return ((const uint64_t *)keys)[i] < ((const uint64_t *)keys)[j];
  }
#undef LESS
}

/* A stable merge sort. */
static void merge_sort(pl_type type, const void *keys, int *order, int *scratch, int n)
{
  if (n < 2) return;
  int half = n / 2, a = 0, b = half;
  merge_sort(type, keys, order, scratch, half);
  merge_sort(type, keys, order + half, scratch, n - half);
  for (int k = 0; k < n; k++)
    scratch[k] = b == n || (a < half && !less_key(type, keys, order[b], order[a])) ? order[a++] : order[b++];
  memcpy(order, scratch, (size_t)n * sizeof *order);
}

static void sort_pattern(conf *c, pl_type type, pattern p, int n)
{
  void *keys = malloc((size_t)n * 8 + 8);
  int *order = malloc((size_t)n * 3 * sizeof *order + 4), *got = order + 2 * n;
  for (int i = 0; i < n; i++) put_key(type, keys, i, pattern_key(c, p, i, n));
  for (int i = 0; i < n; i++) order[i] = i;
  merge_sort(type, keys, order, order + n, n);
  conf_sort_order(c, type, keys, n, got);
  CHECK(!memcmp(got, order, (size_t)n * sizeof *got));
  free(keys);
  free(order);
}

static void case_sort(conf *c)
{
  static const pl_type types[] = {PL_INT8,   PL_UINT8, PL_INT16,  PL_UINT16, PL_INT32,
                                  PL_UINT32, PL_INT64, PL_UINT64, PL_FLOAT,  PL_DOUBLE};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (int p = 0; p < PATTERNS; p++) sort_pattern(c, types[t], (pattern)p, 20011);
  for (int n = 0; n < 4; n++) sort_pattern(c, PL_INT32, RANDOM, n);
  sort_pattern(c, PL_UINT32, RANDOM, c->variant->jit ? 1000000 : 300000);
}

/* Zeros of both signs, infinities and NaN in the total order of IEEE 754. */
static void case_sort_specials(conf *c)
{
  const double minus_nan = -NAN, nan = NAN;
  const double keys[] = {nan, 1, 0.0, -0.0, -INFINITY, INFINITY, -1, minus_nan, 0.0, -0.0};
  bool negative = signbit(minus_nan) != 0, positive = signbit(nan) == 0;
  const int order[] = {7, 4, 6, 3, 9, 2, 8, 1, 5, 0};
  pl_set *set = conf_set(c, 10, "set");
  pl_dat *dk = conf_dat(c, set, 1, PL_DOUBLE, keys, "keys"),
         *dorder = conf_dat(c, set, 1, PL_INT, NULL, "order");
  CHECK(negative && positive);
  OK(pl_sort_order(dk, 0, dorder));
  SAME(dorder, order);
}

/* Keys with payloads of several types, sorted by a few bits; equal keys keep their order. */
static void case_sort_payloads(conf *c)
{
  enum { N = 5003 };
  uint32_t *key = malloc(2 * N * sizeof *key), *sorted = key + N;
  double *x = malloc(6 * N * sizeof *x), *moved = x + 3 * N;
  int8_t *tag = malloc(2 * N);
  int *order = malloc(2 * N * sizeof *order);
  for (int i = 0; i < N; i++) {
    key[i] = (uint32_t)conf_below(c, 1 << 11);
    tag[i] = (int8_t)i;
    order[i] = i;
    for (int k = 0; k < 3; k++) x[3 * i + k] = 10.0 * i + k;
  }
  merge_sort(PL_UINT32, key, order, order + N, N);
  for (int i = 0; i < N; i++) {
    sorted[i] = key[order[i]];
    tag[N + i] = tag[order[i]];
    for (int k = 0; k < 3; k++) moved[3 * i + k] = x[3 * order[i] + k];
  }
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dk = conf_dat(c, set, 1, PL_UINT32, key, "keys"), *dx = conf_dat(c, set, 3, PL_DOUBLE, x, "x"),
         *dt = conf_dat(c, set, 1, PL_INT8, tag, "tag"), *dz = conf_dat(c, set, 2, PL_INT16, NULL, "zeros");
  int16_t zeros[2 * N] = {0};
  OK(pl_sort(dk, 11, 3, (pl_dat *[]){dx, dt, dz}));
  SAME(dk, sorted);
  SAME(dx, moved);
  SAME(dt, tag + N);
  SAME(dz, zeros);
  free(key);
  free(x);
  free(tag);
  free(order);
}

/* ---- gathering, selecting ---- */

static void case_select(conf *c)
{
  enum { N = 12345 };
  int16_t *flag = malloc(N * sizeof *flag);
  int *kept = malloc(2 * N * sizeof *kept), *got = kept + N, count = 0;
  float *values = malloc(4 * N * sizeof *values), *taken = values + 2 * N;
  int64_t found = -1;
  for (int i = 0; i < N; i++) {
    flag[i] = (int16_t)((conf_below(c, 3) == 0) << 8);
    if (flag[i]) kept[count++] = i;
    values[2 * i] = (float)i;
    values[2 * i + 1] = (float)-i;
  }
  pl_set *set = conf_set(c, N, "set"), *part = conf_set(c, count, "part");
  pl_dat *df = conf_dat(c, set, 1, PL_INT16, flag, "flag"),
         *dorder = conf_dat(c, set, 1, PL_INT, NULL, "order"),
         *dv = conf_dat(c, set, 2, PL_FLOAT, values, "values");
  OK(pl_select(df, NULL, &found));
  CHECK(found == count);
  OK(pl_select(df, dorder, &found));
  CHECK(found == count);
  OK(pl_dat_fetch(dorder, got));
  CHECK(!memcmp(got, kept, (size_t)count * sizeof *got));
  pl_dat *dk = conf_dat(c, part, 1, PL_INT, kept, "kept"),
         *dt = conf_dat(c, part, 2, PL_FLOAT, NULL, "taken");
  OK(pl_take(dk, dv, dt));
  for (int k = 0; k < count; k++) {
    taken[2 * k] = values[2 * kept[k]];
    taken[2 * k + 1] = values[2 * kept[k] + 1];
  }
  SAME(dt, taken);
  for (int i = 0; i < N; i++) flag[i] = 0;
  pl_dat *none = conf_dat(c, set, 1, PL_INT16, flag, "none");
  OK(pl_select(none, dorder, &found));
  CHECK(found == 0);
  free(flag);
  free(kept);
  free(values);
}

/* ---- renumbered sets, and halos ---- */

enum { PLACED = 2003 };

typedef struct placed {
  pl_set *set;
  pl_map *next;
  pl_dat *key, *x, *order, *other;
  int target[PLACED];
} placed;

PL_KERNEL(alg_look, (double *there, const double *x), { there[0] = x[0]; })
PL_KERNEL(alg_all, (double all[2003], const double *x, const int64_t *i), { all[i[0]] += x[0]; })

static void declare_placed(conf *c, placed *p)
{
  int key[PLACED];
  double x[PLACED];
  for (int i = 0; i < PLACED; i++) {
    key[i] = conf_below(c, 40);
    x[i] = i;
    p->target[i] = conf_below(c, PLACED);
  }
  p->set = conf_set(c, PLACED, "set");
  p->next = conf_map(c, p->set, p->set, 1, p->target, "next");
  p->key = conf_dat(c, p->set, 1, PL_INT32, key, "key");
  p->x = conf_dat(c, p->set, 1, PL_DOUBLE, x, "x");
  p->order = conf_dat(c, p->set, 1, PL_INT32, NULL, "order");
  p->other = conf_dat(c, p->set, 1, PL_DOUBLE, NULL, "other");
  OK(pl_renumber(c->pl, PL_RENUMBER_RCM, p->next, NULL));
}

/* Values read through the map, halo elements included, are current. */
static void check_through_map(conf *c, const placed *p)
{
  static double all[PLACED], there[PLACED];
  memset(all, 0, sizeof all);
  pl_global *sum = conf_global(c, PLACED, PL_DOUBLE, all, "all");
  OK(pl_par_loop(alg_all, p->set, pl_arg_gbl(sum, PL_INC), pl_arg_dat(p->x, PL_ID, PL_DIRECT, PL_READ),
                 pl_arg_idx(PL_ID, PL_DIRECT)));
  OK(pl_global_get(sum, all));
  for (int i = 0; i < PLACED; i++) there[i] = all[p->target[i]];
  OK(pl_par_loop(alg_look, p->set, pl_arg_dat(p->other, PL_ID, PL_DIRECT, PL_WRITE),
                 pl_arg_dat(p->x, 0, p->next, PL_READ)));
  SAME(p->other, there);
  pl_global_free(&sum);
}

static void copy_view(conf *c, pl_dat *dat, size_t size, void *values)
{
  void *there;
  OK(pl_dat_get(dat, PL_READ, &there));
  memcpy(values, there, (size_t)pl_set_size(pl_dat_set(dat)) * size);
  OK(pl_dat_put(dat));
}

/* Each rank's owned elements, by their positions in its host views. */
static void case_placed_orders(conf *c)
{
  static placed p;
  static int key[PLACED], kept[PLACED], sorted[PLACED], order[2 * PLACED], got[PLACED];
  static double x[PLACED], now[PLACED];
  int64_t found;
  declare_placed(c, &p);
  check_through_map(c, &p);
  int n = (int)pl_set_size(p.set), count = 0;
  bool good = true;
  copy_view(c, p.key, sizeof *key, key);
  copy_view(c, p.x, sizeof *x, x);
  for (int i = 0; i < n; i++) order[i] = i;
  merge_sort(PL_INT32, key, order, order + n, n);
  OK(pl_sort_order(p.key, 6, p.order));
  copy_view(c, p.order, sizeof *got, got);
  CHECK(!memcmp(got, order, (size_t)n * sizeof *got));
  OK(pl_take(p.order, p.x, p.other));
  copy_view(c, p.other, sizeof *now, now);
  for (int i = 0; i < n; i++) good &= now[i] == x[order[i]];
  OK(pl_select(p.key, p.order, &found));
  copy_view(c, p.order, sizeof *got, got);
  for (int i = 0; i < n; i++)
    if (key[i]) kept[count++] = i;
  CHECK(found == count && !memcmp(got, kept, (size_t)count * sizeof *got));
  OK(pl_sort(p.key, 0, 1, &p.x));
  copy_view(c, p.key, sizeof *sorted, sorted);
  copy_view(c, p.x, sizeof *now, now);
  for (int i = 0; i < n; i++) good &= now[i] == x[order[i]] && sorted[i] == key[order[i]];
  check_through_map(c, &p);
  int *reversed;
  OK(pl_dat_get(p.order, PL_WRITE, (void **)&reversed));
  for (int i = 0; i < n; i++) reversed[i] = n - 1 - i;
  OK(pl_dat_put(p.order));
  OK(pl_align(p.order, 1, &p.x));
  copy_view(c, p.x, sizeof *now, now);
  for (int i = 0; i < n; i++) good &= now[i] == x[order[n - 1 - i]];
  check_through_map(c, &p);
  CHECK(good);
}

static void case_align(conf *c)
{
  enum { N = 3001 };
  int *order = malloc(2 * N * sizeof *order), *after = order + N;
  double *x = malloc(2 * N * sizeof *x);
  pl_cfloat *z = malloc(6 * N * sizeof *z);
  for (int i = 0; i < N; i++) {
    order[i] = (int)(((int64_t)i * 7919) % N);
    x[i] = i;
    for (int k = 0; k < 3; k++) z[3 * i + k] = (pl_cfloat){(float)i, (float)k};
  }
  for (int i = 0; i < N; i++) {
    after[i] = order[order[i]];
    x[N + i] = x[order[i]];
    for (int k = 0; k < 3; k++) z[3 * (N + i) + k] = z[3 * order[i] + k];
  }
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dorder = conf_dat(c, set, 1, PL_INT, order, "order"), *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x"),
         *dz = conf_dat(c, set, 3, PL_COMPLEX_FLOAT, z, "z");
  OK(pl_align(dorder, 2, (pl_dat *[]){dx, dz}));
  SAME(dx, x + N);
  SAME(dz, z + 3 * N);
  SAME(dorder, order);
  OK(pl_align(dorder, 1, &dorder)); /* renumbered by the library */
  SAME(dorder, after);
  free(order);
  free(x);
  free(z);
}

/* ---- sets that change their size ---- */

/* Grows by one, removes by flag and by index, sorts; compared with plain arrays. */
typedef struct model {
  int n, room;
  int *id;
  double *x;
} model;

PL_KERNEL(algo_mark, (const int *id, int8_t *keep, const int *rest), { keep[0] = id[0] % 5 != rest[0]; })
PL_KERNEL(algo_move, (double *x, const int *id), {
  x[0] += 1.0;
  x[2] = id[0] + x[1];
})
PL_KERNEL(algo_count, (const double *x, int *sum), { sum[0] += x[0] >= 0.0; })

static void model_append(conf *c, model *m, pl_set *set, pl_dat *did, pl_dat *dx, int more, int *next)
{
  int *id;
  double *x;
  OK(pl_set_resize(set, m->n + more));
  OK(pl_dat_get(did, PL_RW, (void **)&id));
  OK(pl_dat_get(dx, PL_RW, (void **)&x));
  for (int i = m->n; i < m->n + more; i++) {
    CHECK(id[i] == 0 && x[3 * i] == 0.0 && x[3 * i + 2] == 0.0);
    m->id[i] = id[i] = ++*next;
    for (int k = 0; k < 3; k++) m->x[3 * i + k] = x[3 * i + k] = *next * 0.5 + k;
  }
  OK(pl_dat_put(dx));
  OK(pl_dat_put(did));
  m->n += more;
}

static void model_keep(model *m, const int8_t *keep)
{
  int to = 0;
  for (int i = 0; i < m->n; i++) {
    if (!keep[i]) continue;
    m->id[to] = m->id[i];
    memmove(m->x + 3 * to++, m->x + 3 * i, 3 * sizeof *m->x);
  }
  m->n = to;
}

static void case_dynamic(conf *c)
{
  enum { MOST = 4000 };
  int steps = c->device ? 60 : 150, next = 0;
  model m = {0, MOST, malloc(MOST * sizeof(int)), malloc(3 * MOST * sizeof(double))};
  int8_t *keep = malloc(MOST);
  pl_set *set = conf_set(c, 0, "particles");
  pl_dat *did = conf_dat(c, set, 1, PL_INT, NULL, "id"), *dx = conf_dat(c, set, 3, PL_DOUBLE, NULL, "x"),
         *dk = conf_dat(c, set, 1, PL_INT8, NULL, "keep");
  pl_global *rest = conf_global(c, 1, PL_INT, NULL, "rest"), *sum = conf_global(c, 1, PL_INT, NULL, "sum");
  for (int step = 0; step < steps; step++) {
    int what = conf_below(c, 5), some = conf_below(c, 60), zero = 0;
    if (what < 2 && m.n + some < MOST) {
      model_append(c, &m, set, did, dx, some, &next);
    } else if (what == 2) {
      OK(pl_global_set(rest, &(int){some % 5}));
      OK(pl_par_loop(algo_mark, set, READ(did), WRITE(dk), pl_arg_gbl(rest, PL_READ)));
      OK(pl_set_keep(set, dk));
      for (int i = 0; i < m.n; i++) keep[i] = m.id[i] % 5 != some % 5;
      model_keep(&m, keep);
    } else if (what == 3 && m.n) {
      int gone[4];
      memset(keep, 1, MOST);
      for (int k = 0; k < 4; k++) keep[gone[k] = conf_below(c, m.n)] = 0;
      OK(pl_set_remove(set, 4, gone));
      model_keep(&m, keep);
    } else {
      OK(pl_par_loop(algo_move, set, DIRECT(dx, PL_RW), READ(did)));
      for (int i = 0; i < m.n; i++) {
        m.x[3 * i] += 1.0;
        m.x[3 * i + 2] = m.id[i] + m.x[3 * i + 1];
      }
    }
    CHECK(pl_set_size(set) == m.n && pl_set_capacity(set) >= m.n);
    OK(pl_global_zero(sum));
    OK(pl_par_loop(algo_count, set, READ(dx), pl_arg_gbl(sum, PL_INC)));
    OK(pl_global_get(sum, &zero));
    CHECK(zero == m.n);
  }
  SAME(did, m.id);
  SAME(dx, m.x);
  free(m.id);
  free(m.x);
  free(keep);
}

/* Ten thousand additions and removals, a reversal, and the effect of the capacity. */
static void case_many_steps(conf *c)
{
  enum { STEPS = 10000, MOST = STEPS + 1 };
  int steps = c->device ? 300 : STEPS, n = 0, next = 0;
  int *model = malloc(2 * MOST * sizeof *model), *reverse = model + MOST, *id;
  pl_set *set = conf_set(c, 0, "set");
  pl_dat *did = conf_dat(c, set, 1, PL_INT, NULL, "id");
  OK(pl_set_reserve(set, 100));
  CHECK(pl_set_capacity(set) == 100 && pl_set_size(set) == 0);
  for (int step = 0; step < steps; step++) {
    int gone = conf_below(c, n + 1);
    if (n && conf_below(c, 5) < 2) {
      OK(pl_set_remove(set, 1, &(int){gone % n}));
      memmove(model + gone % n, model + gone % n + 1, (size_t)(n - 1 - gone % n) * sizeof *model);
      n--;
    } else {
      OK(pl_set_resize(set, n + 1));
      OK(pl_dat_get(did, PL_RW, (void **)&id));
      model[n] = id[n] = ++next;
      OK(pl_dat_put(did));
      n++;
    }
  }
  SAME(did, model);
  pl_dat *order = conf_dat(c, set, 1, PL_INT, NULL, "order");
  OK(pl_dat_get(order, PL_WRITE, (void **)&id));
  for (int i = 0; i < n; i++) reverse[i] = model[id[i] = n - 1 - i];
  OK(pl_dat_put(order));
  OK(pl_set_reorder(set, order));
  SAME(did, reverse);
  free(model);
}

/* This rank's part of a set that changes its size: the ids in its host view. */
typedef struct part {
  pl_set *set;
  pl_dat *id, *half, *flag;
  int n, next;
  int model[2000];
} part;

PL_KERNEL(algo_half, (double *half, const int *id), { half[0] = 0.5 * id[0]; })
PL_KERNEL(algo_odd, (uint16_t * flag, const int *id), { flag[0] = id[0] % 2; })

static void check_part(conf *c, part *p)
{
  int *id;
  double *half, sum = 0, expected = 0;
  pl_global *all = conf_global(c, 1, PL_INT, NULL, "all");
  int64_t indices[2000], n = pl_set_size(p->set);
  int counted;
  CHECK(n == p->n);
  OK(pl_par_loop(algo_half, p->set, DIRECT(p->half, PL_WRITE), READ(p->id)));
  OK(pl_par_loop(algo_count, p->set, READ(p->half), pl_arg_gbl(all, PL_INC)));
  OK(pl_dat_get(p->id, PL_READ, (void **)&id));
  OK(pl_dat_get(p->half, PL_READ, (void **)&half));
  CHECK(n == p->n && !memcmp(id, p->model, (size_t)n * sizeof *id));
  for (int i = 0; i < n; i++) sum += half[i], expected += 0.5 * p->model[i];
  CHECK(sum == expected);
  OK(pl_dat_put(p->half));
  OK(pl_dat_put(p->id));
  OK(pl_global_get(all, &counted));
  CHECK(pl_set_global_size(p->set) == counted);
  OK(pl_set_global(p->set, indices));
  for (int i = 1; i < n; i++) CHECK(indices[i] > indices[i - 1]);
  pl_global_free(&all);
}

static void resize_part(conf *c, part *p, int n)
{
  int *id;
  OK(pl_set_resize(p->set, n));
  OK(pl_dat_get(p->id, PL_RW, (void **)&id));
  for (int i = p->n; i < n; i++) {
    CHECK(id[i] == 0);
    id[i] = p->model[i] = p->next++;
  }
  OK(pl_dat_put(p->id));
  p->n = n;
}

static void drop_from_part(part *p, bool (*gone)(int id))
{
  int kept = 0;
  for (int i = 0; i < p->n; i++)
    if (!gone(p->model[i])) p->model[kept++] = p->model[i];
  p->n = kept;
}

static bool is_even(int id)
{
  return id % 2 == 0;
}

static bool is_first(int id)
{
  return id % 1000 == 1;
}

static void keep_odd(conf *c, part *p)
{
  OK(pl_par_loop(algo_odd, p->set, DIRECT(p->flag, PL_WRITE), READ(p->id)));
  OK(pl_set_keep(p->set, p->flag));
  drop_from_part(p, is_even);
}

static void remove_first(conf *c, part *p)
{
  int index[2000], n = 0;
  for (int i = 0; i < p->n; i++)
    if (is_first(p->model[i])) index[n++] = i;
  OK(pl_set_remove(p->set, n, index));
  drop_from_part(p, is_first);
}

static void reverse_part(conf *c, part *p)
{
  int *entry, before[2000];
  pl_dat *order = NULL;
  OK(pl_decl_dat(p->set, 1, PL_INT32, NULL, "order", &order));
  OK(pl_dat_get(order, PL_WRITE, (void **)&entry));
  for (int i = 0; i < p->n; i++) entry[i] = p->n - 1 - i;
  OK(pl_dat_put(order));
  OK(pl_set_reorder(p->set, order));
  memcpy(before, p->model, sizeof before);
  for (int i = 0; i < p->n; i++) p->model[i] = before[p->n - 1 - i];
  pl_dat_free(&order);
}

/* Arguments that are wrong on one rank are an error of all. */
static void order_wrongly(conf *c, part *p, bool last)
{
  int *entry;
  pl_dat *order = NULL, *other = NULL;
  OK(pl_decl_dat(p->set, 1, PL_INT32, NULL, "order", &order));
  OK(pl_decl_dat(p->set, 1, PL_INT32, NULL, "other", &other));
  OK(pl_dat_get(order, PL_WRITE, (void **)&entry));
  for (int i = 0; i < p->n; i++) entry[i] = i + (last && i == 3 ? 70000 : 0);
  OK(pl_dat_put(order));
  FAILS(pl_set_reorder(p->set, order), PL_ERR_RANGE, "\"order\"", "70003");
  FAILS(pl_set_reorder(p->set, last ? p->half : order), PL_ERR_TYPE, "\"half\"");
  FAILS(pl_align(order, last ? -1 : 0, NULL), PL_ERR_ARG, "pl_align");
  FAILS(pl_sort(p->id, last ? 99 : 0, 0, NULL), PL_ERR_RANGE, "99");
  FAILS(pl_sort_order(last ? p->half : p->id, 8, order), PL_ERR_ARG, "\"half\"");
  FAILS(pl_take(order, p->id, last ? p->half : other), PL_ERR_TYPE, "\"half\"");
  pl_dat_free(&other);
  pl_dat_free(&order);
}

/* A set that was partitioned with a mesh, or renumbered, and left it: each rank changes its part. */
static void case_parts_change(conf *c)
{
  enum { N = 400 };
  static part p;
  int next[N], *id;
  pl_set *lines = conf_set(c, N, "lines");
  pl_map *map;
  p = (part){.set = conf_set(c, N, "points"), .next = 1000 * (2 + pl_rank(c->pl))};
  for (int i = 0; i < N; i++) next[i] = (i * 171 + 5) % N;
  map = conf_map(c, lines, p.set, 1, next, "next");
  p.id = conf_dat(c, p.set, 1, PL_INT, NULL, "id");
  p.half = conf_dat(c, p.set, 1, PL_DOUBLE, NULL, "half");
  p.flag = conf_dat(c, p.set, 1, PL_UINT16, NULL, "flag");
  if (pl_ranks(c->pl) == 1) OK(pl_renumber(c->pl, PL_RENUMBER_RCM, map, NULL));
  OK(pl_par_loop(algo_half, lines, pl_arg_dat(p.half, 0, map, PL_WRITE), pl_arg_dat(p.id, 0, map, PL_READ)));
  FAILS(pl_set_resize(p.set, 0), PL_ERR_STATE, "\"next\"", "keep it");
  pl_map_free(&map);
  OK(pl_dat_get(p.id, PL_WRITE, (void **)&id));
  for (p.n = 0; p.n < pl_set_size(p.set); p.n++) id[p.n] = p.model[p.n] = p.next++;
  OK(pl_dat_put(p.id));
  check_part(c, &p);
  const bool last = pl_rank(c->pl) == pl_ranks(c->pl) - 1; /* an error of one rank is an error of all */
  FAILS(pl_set_remove(p.set, last, &(int){1999999}), PL_ERR_RANGE, "1999999");
  FAILS(pl_set_keep(p.set, last ? NULL : p.flag), PL_ERR_ARG, "flag");
  check_part(c, &p);
  order_wrongly(c, &p, last);
  check_part(c, &p);
  for (int round = 0; round < 3; round++) {
    resize_part(c, &p, pl_rank(c->pl) % 2 ? p.n / 2 : p.n + 100);
    check_part(c, &p);
    keep_odd(c, &p);
    check_part(c, &p);
    remove_first(c, &p);
    reverse_part(c, &p);
    check_part(c, &p);
  }
  OK(pl_set_reserve(p.set, 1500));
  CHECK(pl_set_capacity(p.set) == 1500);
  resize_part(c, &p, pl_rank(c->pl) ? 0 : 1000);
  check_part(c, &p);
}

/* ---- sets with maps that change ---- */

enum { MESH_CELLS = 90, MESH_POINTS = 70, MESH_SPARE = 10, MESH_NEW = 1000 };

/* Cells and points know their numbers from 1 on; MESH_NEW and above: new cells, without targets. */
typedef struct changing_mesh {
  pl_set *cells, *points;
  pl_map *ends, *next, *few;
  pl_dat *number, *point, *got, *flag, *reached;
  int n, model[4 * MESH_CELLS]; /* the numbers of this rank's cells */
} changing_mesh;

PL_KERNEL(algo_targets, (int *got, const int *const end[2], const int *next, const pl_row_int *few), {
  got[0] = end[0][0];
  got[1] = end[1][0];
  got[2] = next[0];
  got[3] = few->count;
  for (int k = 0; k < few->count; k++) got[3] += 10 * pl_at(few, k, 0);
})
PL_KERNEL(algo_stay, (int8_t * flag, const int *number),
          { flag[0] = number[0] >= 1000 || number[0] / 10 % 3 != 1; })
PL_KERNEL(algo_reached, (int8_t * flag, const int *number), { flag[0] = number[0] <= 70; })

static void declare_mesh(conf *c, changing_mesh *m)
{
  static int ends[MESH_CELLS][2], next[MESH_CELLS], few[2 * MESH_CELLS], offset[MESH_CELLS + 1],
    number[MESH_CELLS], point[MESH_POINTS + MESH_SPARE];
  for (int i = 0; i < MESH_CELLS; i++) {
    number[i] = i + 1;
    ends[i][0] = 7 * i % MESH_POINTS;
    ends[i][1] = i % 5 ? (3 * i + 1) % MESH_POINTS : -1;
    next[i] = (i + 1) / 10 * 10 - (i > 8);
    offset[i + 1] = offset[i] + i % 3;
    for (int k = 0; k < i % 3; k++) few[offset[i] + k] = (i + k) % MESH_POINTS;
  }
  for (int i = 0; i < MESH_POINTS + MESH_SPARE; i++) point[i] = i + 1;
  m->cells = conf_set(c, MESH_CELLS, "cells");
  m->points = conf_set(c, MESH_POINTS + MESH_SPARE, "points");
  m->ends = conf_map(c, m->cells, m->points, 2, ends[0], "ends");
  m->next = conf_map(c, m->cells, m->cells, 1, next, "next");
  m->few = conf_ragged_map(c, m->cells, m->points, offset, few, "few");
  m->number = conf_dat(c, m->cells, 1, PL_INT, number, "number");
  m->point = conf_dat(c, m->points, 1, PL_INT, point, "point");
  m->got = conf_dat(c, m->cells, 4, PL_INT, NULL, "got");
  m->flag = conf_dat(c, m->cells, 1, PL_INT8, NULL, "flag");
  m->reached = conf_dat(c, m->points, 1, PL_INT8, NULL, "reached");
}

static bool good_targets(int number, const int *got)
{
  const int i = number - 1;
  if (number >= MESH_NEW) return !got[0] && !got[1] && !got[2] && !got[3];
  int few = i % 3;
  for (int k = 0; k < i % 3; k++) few += 10 * ((i + k) % MESH_POINTS + 1);
  return got[0] == 7 * i % MESH_POINTS + 1 && got[1] == (i % 5 ? (3 * i + 1) % MESH_POINTS + 1 : 0) &&
         got[2] == (i + 1) / 10 * 10 - (i > 8) + 1 && got[3] == few;
}

static void check_targets(conf *c, const changing_mesh *m)
{
  int *number, *got;
  bool good = pl_set_size(m->cells) == m->n;
  OK(pl_par_loop(algo_targets, m->cells, DIRECT(m->got, PL_WRITE),
                 pl_arg_dat(m->point, PL_ALL, m->ends, PL_READ), pl_arg_dat(m->number, 0, m->next, PL_READ),
                 pl_arg_dat(m->point, PL_ALL, m->few, PL_READ)));
  OK(pl_dat_get(m->number, PL_READ, (void **)&number));
  OK(pl_dat_get(m->got, PL_READ, (void **)&got));
  for (int i = 0; i < m->n; i++) good &= number[i] == m->model[i] && good_targets(number[i], got + 4 * i);
  CHECK(good);
  OK(pl_dat_put(m->got));
  OK(pl_dat_put(m->number));
}

static void grow_mesh(conf *c, changing_mesh *m, int more)
{
  int *number;
  OK(pl_set_resize(m->cells, m->n + more));
  OK(pl_dat_get(m->number, PL_RW, (void **)&number));
  for (int i = m->n; i < m->n + more; i++) number[i] = m->model[i] = MESH_NEW + i;
  OK(pl_dat_put(m->number));
  m->n += more;
}

static void reverse_set(conf *c, pl_set *set)
{
  int *entry, n = (int)pl_set_size(set);
  pl_dat *order = NULL;
  OK(pl_decl_dat(set, 1, PL_INT32, NULL, "order", &order));
  OK(pl_dat_get(order, PL_RW, (void **)&entry));
  for (int i = 0; i < n; i++) entry[i] = n - 1 - i;
  OK(pl_dat_put(order));
  OK(pl_set_reorder(set, order));
  pl_dat_free(&order);
}

static void keep_some(conf *c, changing_mesh *m)
{
  int kept = 0;
  OK(pl_par_loop(algo_stay, m->cells, DIRECT(m->flag, PL_WRITE), READ(m->number)));
  OK(pl_set_keep(m->cells, m->flag));
  for (int i = 0; i < m->n; i++)
    if (m->model[i] >= MESH_NEW || m->model[i] / 10 % 3 != 1) m->model[kept++] = m->model[i];
  m->n = kept;
}

static void case_mesh_changes(conf *c)
{
  static changing_mesh m;
  int *number, before[4 * MESH_CELLS];
  declare_mesh(c, &m);
  if (pl_ranks(c->pl) == 1) OK(pl_renumber(c->pl, PL_RENUMBER_RCM, m.ends, NULL));
  OK(pl_par_loop(algo_stay, m.cells, DIRECT(m.flag, PL_WRITE), READ(m.number)));
  OK(pl_sync(c->pl)); /* from here on each rank keeps its part */
  m.n = (int)pl_set_size(m.cells);
  OK(pl_dat_get(m.number, PL_READ, (void **)&number));
  memcpy(m.model, number, (size_t)m.n * sizeof *number);
  OK(pl_dat_put(m.number));
  check_targets(c, &m);
  int twenty = 0; /* others of its group lead there */
  while (twenty < m.n && m.model[twenty] != 20) twenty++;
  FAILS(pl_set_remove(m.cells, twenty < m.n, &twenty), PL_ERR_STATE, "\"next\"", "\"cells\"", "keep it");
  FAILS(pl_set_resize(m.points, 1), PL_ERR_STATE, "\"points\"", "keep it");
  check_targets(c, &m);
  keep_some(c, &m);
  check_targets(c, &m);
  grow_mesh(c, &m, pl_rank(c->pl) % 2 ? 0 : 7);
  check_targets(c, &m);
  OK(pl_par_loop(algo_reached, m.points, DIRECT(m.reached, PL_WRITE), READ(m.point)));
  OK(pl_set_keep(m.points, m.reached));
  CHECK(pl_set_global_size(m.points) == MESH_POINTS);
  check_targets(c, &m);
  reverse_set(c, m.points);
  check_targets(c, &m);
  reverse_set(c, m.cells);
  memcpy(before, m.model, sizeof before);
  for (int i = 0; i < m.n; i++) m.model[i] = before[m.n - 1 - i];
  check_targets(c, &m);
  OK(pl_set_resize(m.points, pl_set_size(m.points) + 5));
  grow_mesh(c, &m, 3);
  check_targets(c, &m);
  OK(pl_set_resize(m.cells, m.n -= 2));
  check_targets(c, &m);
}

static void case_order_refused(conf *c)
{
  const int order[] = {0, 1, 2, 3, 9}, map_index[] = {0, 0, 0, 0, 0};
  pl_set *set = conf_set(c, 5, "set"), *other = conf_set(c, 5, "other"), *mapped = conf_set(c, 5, "mapped");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x"), *y = conf_dat(c, other, 1, PL_DOUBLE, NULL, "y"),
         *pair = conf_dat(c, set, 2, PL_INT, NULL, "pair"),
         *small = conf_dat(c, set, 1, PL_INT8, NULL, "small"),
         *ord = conf_dat(c, set, 1, PL_INT, order, "ord"), *keys = conf_dat(c, set, 1, PL_INT, NULL, "keys");
  int64_t count;
  void *view;
  conf_map(c, mapped, set, 1, map_index, "map");
  FAILS(pl_sort_order(pair, 0, ord), PL_ERR_TYPE, "\"pair\"");
  FAILS(pl_sort_order(small, 17, ord), PL_ERR_RANGE, "17", "\"small\"");
  FAILS(pl_sort_order(keys, 33, ord), PL_ERR_RANGE, "33", "\"keys\"");
  FAILS(pl_sort_order(x, 8, ord), PL_ERR_ARG, "\"x\"", "bits");
  FAILS(pl_sort_order(keys, 0, x), PL_ERR_TYPE, "\"x\"");
  FAILS(pl_sort(keys, 0, 1, &y), PL_ERR_ARG, "\"y\"", "\"set\"");
  FAILS(pl_sort(keys, 0, 1, &keys), PL_ERR_ARG, "\"keys\"");
  FAILS(pl_align(ord, 2, (pl_dat *[]){x, x}), PL_ERR_ARG, "twice");
  if (!c->device) FAILS(pl_align(ord, 1, &x), PL_ERR_RANGE, "\"ord\"", "9", "element 4");
  FAILS(pl_take(ord, x, y), PL_ERR_ARG, "\"y\"");
  FAILS(pl_take(ord, y, keys), PL_ERR_TYPE, "\"y\"", "\"keys\"");
  FAILS(pl_select(x, NULL, &count), PL_ERR_TYPE, "\"x\"");
  FAILS(pl_set_resize(set, 0), PL_ERR_STATE, "\"map\"", "\"set\"");
  FAILS(pl_set_resize(other, -1), PL_ERR_RANGE, "-1");
  FAILS(pl_set_keep(other, small), PL_ERR_ARG, "\"small\"");
  FAILS(pl_set_remove(other, 1, (int[]){5}), PL_ERR_RANGE, "5", "\"other\"");
  OK(pl_dat_get(y, PL_READ, &view));
  FAILS(pl_set_resize(other, 6), PL_ERR_STATE, "\"y\"", "pl_dat_put");
  OK(pl_dat_put(y));
  CHECK(pl_set_size(other) == 5);
}

/* ---- C01, C09, C13 ---- */

PL_KERNEL(algo_wave, (double *y, const int64_t *i), { *y = 2 * sin(0.01 * (double)*i) + 3; })

static void case_elementwise(conf *c)
{
  enum { N = 10000 };
  double *y = malloc(N * sizeof *y);
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dy = conf_dat(c, set, 1, PL_DOUBLE, NULL, "y");
  OK(pl_par_loop(algo_wave, set, WRITE(dy), pl_arg_idx(PL_ID, PL_DIRECT)));
  OK(pl_dat_fetch(dy, y));
  for (int i = 0; i < N; i++) CHECK(fabs(y[i] - (2 * sin(0.01 * i) + 3)) <= 1e-14);
  free(y);
}

/* One pattern generates the kernel's text for any number of dats. */
static void case_any_number(conf *c)
{
  enum { N = 100, MOST = 9 };
  pl_set *set = conf_set(c, N, "set");
  for (int dats = 1; dats <= MOST; dats += 4) {
    char text[1000], name[20];
    double sum[N] = {0};
    pl_arg args[MOST + 1];
    pl_dat *ds = conf_dat(c, set, 1, PL_DOUBLE, NULL, "sum");
    snprintf(name, sizeof name, "sum%d", dats);
    int at = snprintf(text, sizeof text, "void %s(double *sum", name);
    for (int k = 0; k < dats; k++)
      at += snprintf(text + at, sizeof text - (size_t)at, ", const double *x%d", k);
    at += snprintf(text + at, sizeof text - (size_t)at, ")\n{\n  *sum = 0;\n");
    for (int k = 0; k < dats; k++)
      at += snprintf(text + at, sizeof text - (size_t)at, "  *sum += %d * *x%d;\n", k + 1, k);
    snprintf(text + at, sizeof text - (size_t)at, "}\n");
    args[0] = WRITE(ds);
    for (int k = 0; k < dats; k++) {
      double x[N];
      for (int i = 0; i < N; i++) sum[i] += (k + 1) * (x[i] = conf_below(c, 1000));
      args[k + 1] = READ(conf_dat(c, set, 1, PL_DOUBLE, x, "x"));
    }
    OK(pl_par_loop_args(conf_source(c, name, text, NULL), set, dats + 1, args));
    SAME(ds, sum);
  }
}

/* The dump of a scan is complete: a C compiler accepts it alone. */
static void case_readable(conf *c)
{
  char folder[256], path[512], command[800];
  pl_set *set = conf_set(c, 10, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_INT, NULL, "x");
  OK(pl_set_option(c->pl, "dump", conf_folder(folder)));
  OK(pl_scan(algo_cumulate, set, DIRECT(x, PL_RW)));
  OK(pl_set_option(c->pl, "dump", ""));
  CHECK(conf_find(
    folder,
    c->device ? (strcmp(c->backend, "cuda") ? strcmp(c->backend, "hip") ? ".cl" : ".hip" : ".cu") : ".c",
    path));
  char *text = conf_read(path);
  CHECK(text && strstr(text, "algo_cumulate") && strstr(text, "x[i]"));
  free(text);
  snprintf(command, sizeof command, "cc -std=gnu11 -w -fsyntax-only '%s'", path);
  if (!c->device) CHECK(!system(command));
}

/* ---- C07 ---- */

PL_KERNEL(algo_bump, (int *count), { count[0] += 1; })
PL_REDUCTION(algo_shifted, int, 0, PL_COMMUTATIVE(a + b), (const int *x, const int *by), x[i] + by[0])

/* Globals with a pending reduction over ranks. */
static void case_on_its_way(conf *c)
{
  enum { N = 40 };
  int x[N], sum = 0, shifted = 0;
  for (int i = 0; i < N; i++) sum += x[i] = conf_below(c, 100);
  shifted = sum + N * N;
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_INT, x, "x");
  pl_global *result = conf_global(c, 1, PL_INT, NULL, "result"), *by = conf_global(c, 1, PL_INT, NULL, "by");
  OK(pl_par_loop(algo_bump, set, pl_arg_gbl(result, PL_INC)));
  OK(pl_reduce(algo_sum, set, result, READ(dx)));
  SAME_GLOBAL(result, &sum);
  OK(pl_par_loop(algo_bump, set, pl_arg_gbl(by, PL_INC)));
  OK(pl_reduce(algo_shifted, set, result, READ(dx), pl_arg_gbl(by, PL_READ)));
  SAME_GLOBAL(result, &shifted);
}

static void case_atomic(conf *c)
{
  enum { N = 50000 };
  int *zeros = calloc(N, sizeof *zeros), all = N;
  pl_set *set = conf_set(c, N, "set"), *one = conf_set(c, 1, "one");
  pl_map *map = conf_map(c, set, one, 1, zeros, "to_one");
  pl_dat *count = conf_dat(c, one, 1, PL_INT, NULL, "count");
  pl_global *sum = conf_global(c, 1, PL_INT, NULL, "sum");
  OK(pl_par_loop(algo_bump, set, pl_arg_dat(count, 0, map, PL_INC)));
  SAME(count, &all);
  OK(pl_par_loop(algo_bump, set, pl_arg_gbl(sum, PL_INC)));
  SAME_GLOBAL(sum, &all);
  free(zeros);
}

const conf_case conf_algorithms[] = {
  {"reductions", "C02", case_reduce, CONF_MATRIX},
  {"algorithms from source", "C02", case_sources, CONF_MATRIX},
  {"names and types", "C02", case_names, CONF_MATRIX},
  {"cumulative sum in place", "C03", case_cumulate, CONF_MATRIX},
  {"three million ones", "C03", case_ranks, 0},
  {"unique", "C03", case_unique, CONF_MATRIX},
  {"segments", "C04", case_segments, CONF_MATRIX},
  {"records", "C03", case_records, CONF_MATRIX},
  {"algorithms refused", "C03", case_refused, 0},
  {"algorithms over ranks", "C02 C03 C04", case_over_ranks, CONF_MATRIX | CONF_RANKS},
  {"algorithms on pending reductions", "C02", case_on_its_way, CONF_RANKS},
  {"algorithms over renumbered sets", "C02 C03", case_renumbered, CONF_MATRIX},
  {"sort", "C05", case_sort, 0},
  {"sort zeros, infinities, NaN", "C05", case_sort_specials, CONF_MATRIX},
  {"sort payloads by a few bits", "C05", case_sort_payloads, CONF_MATRIX},
  {"select and gather", "C06", case_select, CONF_MATRIX},
  {"align", "C06", case_align, CONF_MATRIX},
  {"orders of renumbered and partitioned sets", "C05 C06", case_placed_orders, CONF_RANKS | CONF_NEEDS_JIT},
  {"elements added and removed", "C06 D05", case_dynamic, CONF_MATRIX},
  {"ten thousand steps", "C06 D05", case_many_steps, 0},
  {"parts that change their size", "C06 D05", case_parts_change, CONF_RANKS},
  {"sets with maps that change", "C06", case_mesh_changes, CONF_RANKS},
  {"orders refused", "C06", case_order_refused, 0},
  {"each element with its index", "C01", case_elementwise, CONF_MATRIX},
  {"any number of dats", "C09", case_any_number, CONF_NEEDS_JIT},
  {"the text of a scan", "C13", case_readable, CONF_NEEDS_JIT},
  {"fifty thousand increments", "C07", case_atomic, CONF_MATRIX},
  {0},
};
