/* SPDX-License-Identifier: BSD-2-Clause
 * Every access through maps on random and degenerate meshes, to test the planner from outside.
 */
#include "conformance.h"

PL_KERNEL(mesh_gather, (double out[2], const double *const in[3]), {
  out[0] = in[0][0] + 10.0 * in[1][0] + 100.0 * in[2][0];
  out[1] = in[0][1] - in[1][1] - in[2][1];
})

PL_KERNEL(mesh_inc, (const double w[2], double acc[3][2], int64_t *count[3], double *total), {
  for (int k = 0; k < 3; k++) {
    acc[k][0] += w[0] * (k + 1);
    acc[k][1] -= w[1];
    count[k][0] += 1;
  }
  total[0] += w[0];
})

PL_KERNEL(mesh_extremes, (const int32_t *w, int32_t *lo[3], int32_t hi[3][1]), {
  for (int k = 0; k < 3; k++) {
    lo[k][0] = w[0] < lo[k][0] ? w[0] : lo[k][0];
    hi[k][0] = w[0] + k > hi[k][0] ? w[0] + k : hi[k][0];
  }
})

/* Results do not depend on the order: exclusive or, and one value for all. */
PL_KERNEL(mesh_rw, (const int32_t *w, int32_t *x, int32_t *y, int32_t *z), {
  x[0] = x[0] ^ w[0];
  y[0] = 5;
  z[0] += w[0];
})

PL_KERNEL(mesh_rw_all, (const int32_t *w, int32_t *x[3], int32_t y[3][1]), {
  for (int k = 0; k < 3; k++) {
    x[k][0] = x[k][0] + w[0] * (k + 1);
    y[k][0] = -3;
  }
})

typedef struct fixture {
  conf_mesh mesh;
  pl_set *from, *to;
  pl_map *map;
  int32_t *w32;
  double *w64;
  pl_dat *dw32, *dw64;
  int n;           /* elements of the iteration */
  const int *list; /* their indices, NULL: all */
} fixture;

static void make_fixture(conf *c, fixture *f)
{
  const conf_mesh *m = &f->mesh;
  f->n = m->from;
  f->list = NULL;
  f->from = conf_set(c, m->from, "from");
  f->to = conf_set(c, m->to, "to");
  f->map = conf_map(c, f->from, f->to, CONF_ARITY, m->index, m->name);
  f->w32 = calloc((size_t)m->from + 1, sizeof *f->w32);
  f->w64 = calloc(2 * (size_t)m->from + 1, sizeof *f->w64);
  for (int e = 0; e < m->from; e++) f->w32[e] = conf_below(c, 1 << 20);
  for (int e = 0; e < 2 * m->from; e++) f->w64[e] = conf_below(c, 1000);
  f->dw32 = conf_dat(c, f->from, 1, PL_INT32, f->w32, "w32");
  f->dw64 = conf_dat(c, f->from, 2, PL_DOUBLE, f->w64, "w64");
}

static void free_fixture(fixture *f)
{
  free(f->w32);
  free(f->w64);
  pl_dat_free(&f->dw32);
  pl_dat_free(&f->dw64);
  pl_map_free(&f->map);
  pl_set_free(&f->from);
  pl_set_free(&f->to);
}

static int element(const fixture *f, int i)
{
  return f->list ? f->list[i] : i;
}

static void test_gather(conf *c, fixture *f, pl_set *over)
{
  const conf_mesh *m = &f->mesh;
  double *in = calloc(2 * (size_t)m->to + 1, sizeof *in), *out = calloc(2 * (size_t)m->from + 1, sizeof *out);
  for (int i = 0; i < 2 * m->to; i++) in[i] = conf_below(c, 1000);
  for (int i = 0; i < f->n; i++) {
    double v[3][2] = {{0}};
    int e = element(f, i);
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 2 && m->index[3 * e + k] >= 0; j++) v[k][j] = in[2 * m->index[3 * e + k] + j];
    out[2 * e] = v[0][0] + 10 * v[1][0] + 100 * v[2][0];
    out[2 * e + 1] = v[0][1] - v[1][1] - v[2][1];
  }
  pl_dat *din = conf_dat(c, f->to, 2, PL_DOUBLE, in, "in"),
         *dout = conf_dat(c, f->from, 2, PL_DOUBLE, NULL, "out");
  OK(pl_par_loop(mesh_gather, over, DIRECT(dout, PL_WRITE), pl_arg_dat(din, PL_ALL, f->map, PL_READ)));
  SAME(dout, out);
  SAME(din, in);
  pl_dat_free(&din);
  pl_dat_free(&dout);
  free(in);
  free(out);
}

static void test_inc(conf *c, fixture *f, pl_set *over)
{
  const conf_mesh *m = &f->mesh;
  double *acc = calloc(2 * (size_t)m->to + 1, sizeof *acc), total = 3;
  int64_t *count = calloc((size_t)m->to + 1, sizeof *count);
  pl_dat *dacc = conf_dat(c, f->to, 2, PL_DOUBLE, NULL, "acc"),
         *dcount = conf_dat(c, f->to, 1, PL_INT64, NULL, "count");
  pl_global *gtotal = conf_global(c, 1, PL_DOUBLE, &total, "total");
  for (int run = 0; run < 2; run++) {
    for (int i = 0; i < f->n; i++) {
      int e = element(f, i);
      total += f->w64[2 * e];
      for (int k = 0; k < 3; k++) {
        int t = m->index[3 * e + k];
        if (t < 0) continue;
        acc[2 * t] += f->w64[2 * e] * (k + 1);
        acc[2 * t + 1] -= f->w64[2 * e + 1];
        count[t]++;
      }
    }
    OK(pl_par_loop(mesh_inc, over, DIRECT(f->dw64, PL_READ), pl_arg_dat(dacc, PL_ALL, f->map, PL_INC),
                   pl_arg_dat(dcount, PL_ALL, f->map, PL_INC), pl_arg_gbl(gtotal, PL_INC)));
    SAME(dacc, acc);
    SAME(dcount, count);
    SAME_GLOBAL(gtotal, &total);
  }
  pl_dat_free(&dacc);
  pl_dat_free(&dcount);
  pl_global_free(&gtotal);
  free(acc);
  free(count);
}

static void test_extremes(conf *c, fixture *f, pl_set *over)
{
  const conf_mesh *m = &f->mesh;
  int32_t *lo = calloc((size_t)m->to + 1, sizeof *lo), *hi = calloc((size_t)m->to + 1, sizeof *hi);
  for (int t = 0; t < m->to; t++) lo[t] = hi[t] = conf_below(c, 1 << 20);
  pl_dat *dlo = conf_dat(c, f->to, 1, PL_INT32, lo, "lo"), *dhi = conf_dat(c, f->to, 1, PL_INT32, hi, "hi");
  for (int i = 0; i < f->n; i++)
    for (int e = element(f, i), k = 0; k < 3; k++) {
      int t = m->index[3 * e + k];
      if (t >= 0 && f->w32[e] < lo[t]) lo[t] = f->w32[e];
      if (t >= 0 && f->w32[e] + k > hi[t]) hi[t] = f->w32[e] + k;
    }
  OK(pl_par_loop(mesh_extremes, over, DIRECT(f->dw32, PL_READ), pl_arg_dat(dlo, PL_ALL, f->map, PL_MIN),
                 pl_arg_dat(dhi, PL_ALL, f->map, PL_MAX)));
  SAME(dlo, lo);
  SAME(dhi, hi);
  pl_dat_free(&dlo);
  pl_dat_free(&dhi);
  free(lo);
  free(hi);
}

static void test_rw(conf *c, fixture *f, pl_set *over)
{
  const conf_mesh *m = &f->mesh;
  int32_t *v[3];
  pl_dat *d[3];
  for (int j = 0; j < 3; j++) {
    v[j] = calloc((size_t)m->to + 1, sizeof *v[j]);
    for (int t = 0; t < m->to; t++) v[j][t] = conf_below(c, 1 << 20);
    d[j] = conf_dat(c, f->to, 1, PL_INT32, v[j], "xyz");
  }
  for (int i = 0; i < f->n; i++) {
    int e = element(f, i);
    const int *t = &m->index[3 * e];
    if (t[0] >= 0) v[0][t[0]] ^= f->w32[e];
    if (t[2] >= 0) v[1][t[2]] = 5;
    if (t[1] >= 0) v[2][t[1]] += f->w32[e];
  }
  OK(pl_par_loop(mesh_rw, over, DIRECT(f->dw32, PL_READ), pl_arg_dat(d[0], 0, f->map, PL_RW),
                 pl_arg_dat(d[1], 2, f->map, PL_WRITE), pl_arg_dat(d[2], 1, f->map, PL_INC)));
  for (int j = 0; j < 3; j++) {
    SAME(d[j], v[j]);
    pl_dat_free(&d[j]);
    free(v[j]);
  }
}

static void test_rw_all(conf *c, fixture *f, pl_set *over)
{
  const conf_mesh *m = &f->mesh;
  int32_t *x = calloc((size_t)m->to + 1, sizeof *x), *y = calloc((size_t)m->to + 1, sizeof *y);
  for (int t = 0; t < m->to; t++) x[t] = y[t] = conf_below(c, 1000);
  pl_dat *dx = conf_dat(c, f->to, 1, PL_INT32, x, "x"), *dy = conf_dat(c, f->to, 1, PL_INT32, y, "y");
  for (int i = 0; i < f->n; i++)
    for (int e = element(f, i), k = 0; k < 3; k++) {
      int t = m->index[3 * e + k];
      if (t >= 0) x[t] = (int32_t)((uint32_t)x[t] + (uint32_t)f->w32[e] * (uint32_t)(k + 1)), y[t] = -3;
    }
  OK(pl_par_loop(mesh_rw_all, over, DIRECT(f->dw32, PL_READ), pl_arg_dat(dx, PL_ALL, f->map, PL_RW),
                 pl_arg_dat(dy, PL_ALL, f->map, PL_WRITE)));
  SAME(dx, x);
  SAME(dy, y);
  pl_dat_free(&dx);
  pl_dat_free(&dy);
  free(x);
  free(y);
}

static void test_mesh(conf *c, fixture *f, pl_set *over)
{
  test_gather(c, f, over);
  test_inc(c, f, over);
  test_extremes(c, f, over);
  test_rw(c, f, over);
  if (!f->mesh.twice) test_rw_all(c, f, over);
}

static void case_meshes(conf *c)
{
  fixture f;
  for (int kind = 0; conf_mesh_make(c, kind, &f.mesh); kind++) {
    make_fixture(c, &f);
    test_mesh(c, &f, f.from);
    free_fixture(&f);
    conf_mesh_free(&f.mesh);
  }
}

/* Every mesh over a random third of its elements, over none, and over all as a subset. */
static void case_mesh_subsets(conf *c)
{
  fixture f;
  for (int kind = 0; conf_mesh_make(c, kind, &f.mesh); kind++) {
    int *list = calloc((size_t)f.mesh.from + 1, sizeof *list);
    make_fixture(c, &f);
    for (int part = 0; part < 3; part++) {
      int n = 0;
      for (int e = 0; e < f.mesh.from; e++)
        if (part == 2 || (part == 1 && conf_below(c, 3) == 0)) list[n++] = e;
      pl_set *subset = conf_subset(c, f.from, n, list);
      f.n = n;
      f.list = list;
      test_mesh(c, &f, subset);
      pl_set_free(&subset);
    }
    free(list);
    free_fixture(&f);
    conf_mesh_free(&f.mesh);
  }
}

/* 100 elements share one target: each block of 40 has its own colour, and the sum is complete. */
PL_KERNEL(mesh_count, (int32_t * count), { count[0] += 1; })

static void case_all_to_one(conf *c)
{
  int index[100] = {0}, hundred = 100;
  pl_profile_entry entry;
  OK(pl_set_option(c->pl, "block_size", "40"));
  OK(pl_set_option(c->pl, "conflict", "colour"));
  pl_set *from = conf_set(c, 100, "from"), *to = conf_set(c, 1, "to");
  pl_map *map = conf_map(c, from, to, 1, index, "all_to_one");
  pl_dat *count = conf_dat(c, to, 1, PL_INT32, NULL, "count");
  OK(pl_par_loop(mesh_count, from, pl_arg_dat(count, 0, map, PL_INC)));
  SAME(count, &hundred);
  OK(pl_profile_at(c->pl, 0, &entry));
  const char *digit = strpbrk(entry.variant, "0123456789"), *word = strstr(entry.variant, " colour");
  int colours = digit && word ? atoi(digit) : 0;
  CHECK(!word || pl_ranks(c->pl) > 1 || colours == 3 || colours == 100); /* of blocks, or of elements */
}

/* Sums of doubles with rounding: the same bits for any number of threads with `reproducible`, close without
 * it. */
PL_KERNEL(mesh_round, (const double *w, double *acc, double *total), {
  acc[0] += w[0];
  total[0] += w[0] * w[0];
})

typedef struct rounding {
  double acc[50], total;
} rounding;

static void run_rounding(conf *c, pl_context *pl, const int *index, const double *w, rounding *result)
{
  enum { N = 3000, M = 50 };
  pl_set *from, *to;
  pl_map *map;
  pl_dat *dw, *dacc;
  pl_global *total;
  OK_IN(pl, pl_decl_set(pl, N, "from", &from));
  OK_IN(pl, pl_decl_set(pl, M, "to", &to));
  OK_IN(pl, pl_decl_map(from, to, 1, index, "map", &map));
  OK_IN(pl, pl_decl_dat(from, 1, PL_DOUBLE, w, "w", &dw));
  OK_IN(pl, pl_decl_dat(to, 1, PL_DOUBLE, NULL, "acc", &dacc));
  OK_IN(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "total", &total));
  OK_IN(pl, pl_par_loop(mesh_round, from, DIRECT(dw, PL_READ), pl_arg_dat(dacc, 0, map, PL_INC),
                        pl_arg_gbl(total, PL_INC)));
  OK_IN(pl, pl_dat_fetch(dacc, result->acc));
  OK_IN(pl, pl_global_get(total, &result->total));
}

static void case_reproducible(conf *c)
{
  enum { N = 3000, M = 50 };
  int *index = malloc(N * sizeof *index);
  double *w = malloc(N * sizeof *w), acc[M] = {0}, total = 0;
  rounding first = {{0}, 0}, again = {{0}, 0};
  for (int e = 0; e < N; e++) {
    index[e] = conf_below(c, M);
    w[e] = 1.0 / (1 + conf_below(c, 1000));
    acc[index[e]] += w[e];
    total += w[e] * w[e];
  }
  run_rounding(c, c->pl, index, w, &first);
  CLOSE(first.total, total);
  for (int t = 0; t < M; t++) CLOSE(first.acc[t], acc[t]);
  for (int threads = 1; threads <= 8 && c->variant->reproducible; threads += 3) {
    conf_variant v = *c->variant;
    pl_context *pl;
    v.threads = threads;
    OK_IN(pl, conf_open(c, &v, NULL, &pl));
    run_rounding(c, pl, index, w, &again);
    CHECK(!memcmp(&first, &again, sizeof first));
    pl_finalize(&pl);
  }
  free(index);
  free(w);
}

static void case_threads(conf *c)
{
  static const int threads[] = {4, 16, 31, 32, 33, 64, 100, 256};
  pl_context *own = c->pl;
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
    conf_variant v = *c->variant;
    fixture f;
    v.threads = threads[i];
    c->pl = NULL;
    OK(conf_open(c, &v, NULL, &c->pl));
    bool threaded = pl_backend_threads(c->pl) == threads[i];
    for (int kind = 0; kind < 2 && threaded; kind++) {
      conf_mesh_make(c, kind, &f.mesh);
      make_fixture(c, &f);
      test_inc(c, &f, f.from);
      test_rw(c, &f, f.from);
      free_fixture(&f);
      conf_mesh_free(&f.mesh);
    }
    pl_finalize(&c->pl);
    if (!threaded) break;
  }
  c->pl = own;
}

/* ---- rows in 16 bits ---- */

enum { COLUMNS = 280, ROWS = 260, CELLS = COLUMNS * ROWS };

PL_KERNEL(mesh_star, (int64_t * out, const int32_t *in[4], int64_t *sum), {
  out[0] = in[0][0] + 2 * (int64_t)in[1][0] + 3 * (int64_t)in[2][0] + 4 * (int64_t)in[3][0];
  sum[0] += out[0];
})
PL_KERNEL(mesh_twice, (int64_t * out, const int32_t *in[4]), { out[0] += in[1][0] + in[2][0]; })

/* The neighbours of a cell in a grid that is stored row by row; here and there the first or the last cell. */
static void find_beside(int e, int at[4])
{
  const int i = e % COLUMNS, j = e / COLUMNS;
  at[0] = j ? e - COLUMNS : e;
  at[1] = i ? e - 1 : e;
  at[2] = i < COLUMNS - 1 ? e + 1 : e;
  at[3] = j < ROWS - 1 ? e + COLUMNS : e;
  if (e / 64 % 50 == 3) at[0] = e % 2 ? CELLS - 1 : 0;
}

static void case_narrow_rows(conf *c)
{
  int *beside = malloc(4 * CELLS * sizeof *beside);
  int32_t *in = malloc(CELLS * sizeof *in);
  int64_t *out = malloc(CELLS * sizeof *out), sum = 0, found;
  for (int e = 0; e < CELLS; e++) in[e] = conf_below(c, 1000);
  for (int e = 0; e < CELLS; e++) {
    int *at = beside + 4 * e;
    find_beside(e, at);
    out[e] = in[at[0]] + 2 * in[at[1]] + 3 * in[at[2]] + 4 * in[at[3]];
    sum += out[e];
    out[e] += in[at[1]] + in[at[2]];
  }
  pl_set *cells = conf_set(c, CELLS, "cells");
  pl_map *map = conf_map(c, cells, cells, 4, beside, "beside");
  pl_dat *from = conf_dat(c, cells, 1, PL_INT32, in, "in"),
         *to = conf_dat(c, cells, 1, PL_INT64, NULL, "out");
  pl_global *total = conf_global(c, 1, PL_INT64, NULL, "total");
  OK(pl_par_loop(mesh_star, cells, DIRECT(to, PL_WRITE), pl_arg_dat(from, PL_ALL, map, PL_READ),
                 pl_arg_gbl(total, PL_INC)));
  OK(pl_par_loop(mesh_twice, cells, DIRECT(to, PL_INC), pl_arg_dat(from, PL_ALL, map, PL_READ)));
  OK(pl_global_get(total, &found));
  CHECK(found == sum);
  SAME(to, out);
  free(beside);
  free(in);
  free(out);
}

const conf_case conf_meshes[] = {
  {"maps with narrow rows", "P42 P43", case_narrow_rows, CONF_RANKS},
  {"random and degenerate meshes", "P42 P43 P44 P45 P16", case_meshes, CONF_MATRIX | CONF_RANKS},
  {"subsets of random and degenerate meshes", "P03 P42 P45", case_mesh_subsets, CONF_MATRIX | CONF_RANKS},
  {"100 elements with one target", "P44 P45", case_all_to_one, CONF_MATRIX | CONF_RANKS},
  {"sums with rounding", "P48", case_reproducible, CONF_MATRIX},
  {"up to 256 threads", "P48", case_threads, 0},
  {NULL, NULL, NULL, 0}};
