/* SPDX-License-Identifier: BSD-2-Clause
 * Loop objects, optional arguments, indices, plans shared between loops, and several contexts at once.
 */
#include "conformance.h"

PL_KERNEL(loop_scale, (double *out, const double *in), { out[0] = 2.0 * in[0]; })
PL_KERNEL(loop_push, (double *to, const double *w), { to[0] += w[0]; })

/* ---- P38 ---- */

static void case_reuse(conf *c)
{
  enum { N = 50 };
  double x[N], y[N], z[N];
  pl_loop *loop = NULL, *same = NULL;
  for (int i = 0; i < N; i++) z[i] = 2 * (y[i] = 2 * (x[i] = i));
  pl_set *set = conf_set(c, N, "set");
  pl_dat *in = conf_dat(c, set, 1, PL_DOUBLE, x, "in"), *out = conf_dat(c, set, 1, PL_DOUBLE, NULL, "out");
  pl_dat *more = conf_dat(c, set, 1, PL_DOUBLE, NULL, "more");
  OK(pl_loop_create(&loop, loop_scale, set, DIRECT(out, PL_WRITE), DIRECT(in, PL_READ)));
  CHECK(pl_dat_version(out) == 0); /* creating it runs nothing */
  OK(pl_loop_run(loop));
  OK(pl_loop_run(loop));
  SAME(out, y);
  CHECK(pl_dat_version(out) == 2);
  pl_stats s = conf_stats(c);
  CHECK(s.loops_run == 2 && s.loops_built == 1 && s.loops_found == 0);
  /* The same call and the same loop created again are found. */
  OK(pl_par_loop(loop_scale, set, DIRECT(out, PL_WRITE), DIRECT(in, PL_READ)));
  OK(pl_loop_create(&same, loop_scale, set, DIRECT(out, PL_WRITE), DIRECT(in, PL_READ)));
  s = conf_stats(c);
  CHECK(same == loop && s.loops_built == 1 && s.loops_found == 2 && s.loops_run == 3);
  /* Other dats in the same arguments. */
  OK(pl_loop_replace_dat(&loop, 0, more));
  OK(pl_loop_replace_dat(&loop, 1, out));
  OK(pl_loop_run(loop));
  SAME(more, z);
  SAME(out, y);
  OK(pl_loop_run(same));
  SAME(out, y);
  pl_loop_free(&loop);
  pl_loop_free(&same);
  CHECK(loop == NULL && same == NULL);
  pl_loop_free(&loop);
}

static void case_replace_errors(conf *c)
{
  const double zeros[4] = {0};
  pl_loop *loop = NULL, *held;
  pl_set *set = conf_set(c, 4, "set"), *other = conf_set(c, 4, "other");
  pl_dat *in = conf_dat(c, set, 1, PL_DOUBLE, NULL, "in"), *out = conf_dat(c, set, 1, PL_DOUBLE, NULL, "out");
  pl_dat *wide = conf_dat(c, set, 2, PL_DOUBLE, NULL, "wide"),
         *single = conf_dat(c, set, 1, PL_FLOAT, NULL, "single");
  pl_dat *away = conf_dat(c, other, 1, PL_DOUBLE, NULL, "away");
  OK(pl_loop_create(&loop, loop_scale, set, DIRECT(out, PL_WRITE), DIRECT(in, PL_READ)));
  held = loop;
  FAILS(pl_loop_replace_dat(&loop, 1, wide), PL_ERR_TYPE, "\"in\"", "\"wide\"");
  FAILS(pl_loop_replace_dat(&loop, 1, single), PL_ERR_TYPE, "\"in\"", "\"single\"");
  FAILS(pl_loop_replace_dat(&loop, 1, away), PL_ERR_TYPE, "\"in\"", "\"away\"");
  FAILS(pl_loop_replace_dat(&loop, 2, in), PL_ERR_RANGE, "loop_scale", "2");
  FAILS(pl_loop_replace_dat(&loop, -1, in), PL_ERR_RANGE, "loop_scale", "-1");
  /* In both arguments it is read and written, each element by itself, so the result is defined; or it is
   * refused. */
  CHECK(loop == held);
  OK(pl_loop_run(loop));
  SAME(out, zeros);
  pl_loop_free(&loop);
}

/* ---- loops whose objects are freed ---- */

static void case_freed(conf *c)
{
  const double ones[3] = {1, 1, 1}, twos[3] = {2, 2, 2};
  pl_loop *loop = NULL;
  pl_set *set = conf_set(c, 3, "set");
  pl_dat *in = conf_dat(c, set, 1, PL_DOUBLE, ones, "in"), *out = conf_dat(c, set, 1, PL_DOUBLE, NULL, "out");
  OK(pl_loop_create(&loop, loop_scale, set, DIRECT(out, PL_WRITE), DIRECT(in, PL_READ)));
  OK(pl_loop_run(loop));
  SAME(out, twos);
  pl_dat_free(&in);
  FAILS(pl_loop_run(loop), PL_ERR_STATE, "freed");
  CHECK(pl_dat_version(out) == 1);
  /* A dat at the address of a freed one is a new dat. */
  pl_dat *again = conf_dat(c, set, 1, PL_DOUBLE, twos, "again");
  OK(pl_par_loop(loop_scale, set, DIRECT(out, PL_WRITE), DIRECT(again, PL_READ)));
  SAME(out, ((double[]){4, 4, 4}));
  FAILS(pl_loop_run(loop), PL_ERR_STATE, "freed");
  pl_loop_free(&loop);
}

static void case_freed_map(conf *c)
{
  enum { N = 90 };
  double w[N], sums[2][3] = {{0}};
  int index[2][N];
  for (int i = 0; i < N; i++) w[i] = i;
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < N; i++) {
      index[j][i] = conf_below(c, 3);
      sums[j][index[j][i]] += w[i];
    }
  pl_set *set = conf_set(c, N, "set"), *to = conf_set(c, 3, "to");
  pl_dat *dw = conf_dat(c, set, 1, PL_DOUBLE, w, "w"), *sum = conf_dat(c, to, 1, PL_DOUBLE, NULL, "sum");
  /* Successive maps at one address must not share plans. */
  for (int i = 0; i < 6; i++) {
    pl_map *map = conf_map(c, set, to, 1, index[i % 2], "map");
    OK(pl_dat_zero(sum));
    OK(pl_par_loop(loop_push, set, pl_arg_dat(sum, 0, map, PL_INC), DIRECT(dw, PL_READ)));
    SAME(sum, sums[i % 2]);
    pl_map_free(&map);
  }
}

/* ---- O01 ---- */

PL_KERNEL(loop_optional,
          (double *out, const double *in, const double *extra, double *sum, const double *const far[2]), {
            out[0] = in[0] + (extra ? extra[0] : 0.0) + (far ? far[0][0] + far[1][0] : 0.0);
            if (sum) sum[0] += 1.0;
          })

static void case_optional(conf *c)
{
  enum { N = 64 };
  double x[N], e[N], y[N], f[2] = {1000, 2000};
  int index[2 * N];
  for (int i = 0; i < N; i++) {
    x[i] = i;
    e[i] = 100 * i;
    index[2 * i] = i % 2;
    index[2 * i + 1] = 1;
  }
  pl_set *set = conf_set(c, N, "set"), *to = conf_set(c, 2, "to");
  pl_map *map = conf_map(c, set, to, 2, index, "map");
  pl_dat *in = conf_dat(c, set, 1, PL_DOUBLE, x, "in"), *out = conf_dat(c, set, 1, PL_DOUBLE, NULL, "out");
  pl_dat *extra = conf_dat(c, set, 1, PL_DOUBLE, e, "extra"),
         *lazy = conf_dat(c, set, 1, PL_DOUBLE, NULL, "lazy");
  pl_dat *far = conf_dat(c, to, 1, PL_DOUBLE, f, "far");
  for (int flags = 0; flags < 8; flags++) {
    pl_global *sum = conf_global(c, 1, PL_DOUBLE, NULL, "sum");
    double count = flags & 2 ? N : 0;
    OK(pl_par_loop(loop_optional, set, DIRECT(out, PL_WRITE), DIRECT(in, PL_READ),
                   pl_arg_opt(DIRECT(extra, PL_READ), flags & 1),
                   pl_arg_opt(pl_arg_gbl(sum, PL_INC), flags & 2),
                   pl_arg_opt(pl_arg_dat(far, PL_ALL, map, PL_READ), flags & 4)));
    for (int i = 0; i < N; i++) y[i] = x[i] + (flags & 1 ? e[i] : 0) + (flags & 4 ? f[i % 2] + f[1] : 0);
    SAME(out, y);
    SAME_GLOBAL(sum, &count);
  }
  /* An argument that is off gets no storage and no new version. */
  pl_global *sum = conf_global(c, 1, PL_DOUBLE, NULL, "sum");
  OK(pl_par_loop(loop_optional, set, DIRECT(out, PL_WRITE), DIRECT(in, PL_READ),
                 pl_arg_opt(DIRECT(lazy, PL_READ), 0), pl_arg_gbl(sum, PL_INC),
                 pl_arg_opt(pl_arg_dat(far, PL_ALL, map, PL_READ), 0)));
  SAME(out, x);
  CHECK(pl_dat_host_bytes(lazy) == 0);
}

/* A written argument that is off keeps its values and version. */
PL_KERNEL(loop_optional_out, (double *out, double *log, double *acc), {
  out[0] = 1.0;
  if (log) log[0] = 5.0;
  if (acc) acc[0] += 1.0;
})

static void case_optional_written(conf *c)
{
  const double zeros[4] = {0}, ones[4] = {1, 1, 1, 1}, fives[4] = {5, 5, 5, 5};
  const int index[4] = {0, 0, 1, 1};
  pl_set *set = conf_set(c, 4, "set"), *to = conf_set(c, 4, "to");
  pl_map *map = conf_map(c, set, to, 1, index, "map");
  pl_dat *out = conf_dat(c, set, 1, PL_DOUBLE, NULL, "out"),
         *log = conf_dat(c, set, 1, PL_DOUBLE, NULL, "log");
  pl_dat *acc = conf_dat(c, to, 1, PL_DOUBLE, NULL, "acc");
  for (int on = 0; on < 2; on++) {
    OK(pl_par_loop(loop_optional_out, set, DIRECT(out, PL_WRITE), pl_arg_opt(DIRECT(log, PL_WRITE), on),
                   pl_arg_opt(pl_arg_dat(acc, 0, map, PL_INC), on)));
    SAME(out, ones);
    SAME(log, on ? fives : zeros);
    SAME(acc, on ? ((const double[]){2, 2, 0, 0}) : zeros);
    CHECK(pl_dat_version(log) == (uint64_t)on && pl_dat_version(acc) == (uint64_t)on);
  }
}

/* ---- O02 ---- */

PL_KERNEL(loop_index,
          (int64_t * own, int64_t *target, int64_t *count, const int64_t *me, const int64_t *second), {
            own[0] = me[0];
            target[0] = second[0];
            count[0] += me[0] + 1;
          })

static void case_index(conf *c)
{
  enum { N = 777, TO = 40 };
  int64_t own[N], target[N], count[TO] = {0};
  int index[2 * N], list[N / 3];
  for (int i = 0; i < 2 * N; i++) index[i] = conf_below(c, TO);
  for (int i = 0; i < N; i++) {
    own[i] = i;
    target[i] = index[2 * i + 1];
    count[index[2 * i]] += i + 1;
  }
  pl_set *set = conf_set(c, N, "set"), *to = conf_set(c, TO, "to");
  pl_map *map = conf_map(c, set, to, 2, index, "map");
  pl_dat *down = conf_dat(c, set, 1, PL_INT64, NULL, "own"),
         *dtarget = conf_dat(c, set, 1, PL_INT64, NULL, "target");
  pl_dat *dcount = conf_dat(c, to, 1, PL_INT64, NULL, "count");
  OK(pl_par_loop(loop_index, set, DIRECT(down, PL_WRITE), DIRECT(dtarget, PL_WRITE),
                 pl_arg_dat(dcount, 0, map, PL_INC), pl_arg_idx(PL_ID, PL_DIRECT), pl_arg_idx(1, map)));
  SAME(down, own);
  SAME(dtarget, target);
  SAME(dcount, count);
  for (int i = 0; i < N / 3; i++) list[i] = 3 * i + 1;
  OK(pl_dat_zero(down));
  OK(pl_dat_zero(dtarget));
  OK(pl_par_loop(loop_index, conf_subset(c, set, N / 3, list), DIRECT(down, PL_WRITE),
                 DIRECT(dtarget, PL_WRITE), pl_arg_dat(dcount, 0, map, PL_INC), pl_arg_idx(PL_ID, PL_DIRECT),
                 pl_arg_idx(1, map)));
  for (int i = 0; i < N; i++) {
    bool in = i % 3 == 1 && i / 3 < N / 3;
    if (in) count[index[2 * i]] += i + 1;
    if (!in) own[i] = target[i] = 0;
  }
  SAME(down, own); /* of the set, not of the subset */
  SAME(dtarget, target);
  SAME(dcount, count);
}

/* ---- a kernel that reads its own increment ---- */

PL_KERNEL(loop_reads_inc, (double *acc, double *direct, double *sum, const double *w), {
  acc[0] += w[0];
  acc[0] += acc[0];
  direct[0] += w[0];
  direct[0] *= 3.0;
  sum[0] += w[0];
  sum[0] *= 2.0;
})

static void case_own_increment(conf *c)
{
  enum { N = 500, TO = 20 };
  double w[N], acc[TO], direct[N], sum = 7;
  int index[N];
  for (int t = 0; t < TO; t++) acc[t] = 100 * t;
  for (int i = 0; i < N; i++) {
    w[i] = conf_below(c, 100);
    direct[i] = i;
    index[i] = conf_below(c, TO);
  }
  pl_set *set = conf_set(c, N, "set"), *to = conf_set(c, TO, "to");
  pl_map *map = conf_map(c, set, to, 1, index, "map");
  pl_dat *dacc = conf_dat(c, to, 1, PL_DOUBLE, acc, "acc"),
         *ddirect = conf_dat(c, set, 1, PL_DOUBLE, direct, "direct");
  pl_dat *dw = conf_dat(c, set, 1, PL_DOUBLE, w, "w");
  pl_global *gsum = conf_global(c, 1, PL_DOUBLE, &sum, "sum");
  for (int i = 0; i < N; i++) { /* the kernel sees a zero whatever the target's value */
    acc[index[i]] += 2 * w[i];
    direct[i] += 3 * w[i];
    sum += 2 * w[i];
  }
  OK(pl_par_loop(loop_reads_inc, set, pl_arg_dat(dacc, 0, map, PL_INC), DIRECT(ddirect, PL_INC),
                 pl_arg_gbl(gsum, PL_INC), DIRECT(dw, PL_READ)));
  SAME(dacc, acc);
  SAME(ddirect, direct);
  SAME_GLOBAL(gsum, &sum);
}

/* ---- P46 ---- */

PL_KERNEL(loop_push_other, (double *to, const double *w), { to[0] += 2.0 * w[0]; })
PL_KERNEL(loop_push_wide, (double to[2], const double *w), {
  to[0] += w[0];
  to[1] -= w[0];
})
PL_KERNEL(loop_read_far, (double *out, const double *far), { out[0] = far[0]; })

/* Runs a loop over 60 elements with increments through `map`; returns the planner's counters. */
static pl_stats push(conf *c, const pl_kernel *kernel, pl_set *over, pl_dat *to, int k, pl_map *map,
                     pl_dat *w)
{
  pl_stats before = conf_stats(c), after;
  OK(pl_par_loop(kernel, over, pl_arg_dat(to, k, map, PL_INC), DIRECT(w, PL_READ)));
  after = conf_stats(c);
  after.plans_built -= before.plans_built;
  after.plans_found -= before.plans_found;
  return after;
}

static void case_plan_cache(conf *c)
{
  enum { N = 60 };
  int index[2 * N], half[N / 2];
  for (int i = 0; i < 2 * N; i++) index[i] = conf_below(c, 9);
  for (int i = 0; i < N / 2; i++) half[i] = 2 * i;
  OK(pl_set_option(c->pl, "conflict", "colour"));
  pl_set *set = conf_set(c, N, "set"), *to = conf_set(c, 9, "to"), *some = conf_subset(c, set, N / 2, half);
  pl_map *map = conf_map(c, set, to, 2, index, "map"), *twin = conf_map(c, set, to, 2, index, "twin");
  pl_dat *w = conf_dat(c, set, 1, PL_DOUBLE, NULL, "w"), *a = conf_dat(c, to, 1, PL_DOUBLE, NULL, "a");
  pl_dat *b = conf_dat(c, to, 1, PL_DOUBLE, NULL, "b"), *wide = conf_dat(c, to, 2, PL_DOUBLE, NULL, "wide");
  pl_stats s = push(c, loop_push, set, a, 0, map, w);
  if (!s.plans_built) return; /* a backend without plans */
  CHECK(s.plans_built == 1 && s.plans_found == 0);
  s = push(c, loop_push, set, a, 0, map, w); /* the same loop */
  CHECK(s.plans_built == 0 && s.plans_found == 0);
  s = push(c, loop_push_other, set, a, 0, map, w); /* another kernel */
  CHECK(s.plans_built == 0 && s.plans_found == 1);
  s = push(c, loop_push, set, b, 0, map, w); /* another dat */
  CHECK(s.plans_built == 0 && s.plans_found == 1);
  s = push(c, loop_push_wide, set, wide, 0, map, w); /* another dim */
  CHECK(s.plans_built == 0 && s.plans_found == 1);
  s = push(c, loop_push, set, a, 1, map, w); /* another target */
  CHECK(s.plans_built == 1 && s.plans_found == 0);
  s = push(c, loop_push, set, a, 0, twin, w); /* another map */
  CHECK(s.plans_built == 1 && s.plans_found == 0);
  s = push(c, loop_push, some, a, 0, map, w); /* a subset */
  CHECK(s.plans_built == 1 && s.plans_found == 0);
  OK(pl_set_option(c->pl, "block_size", "7"));
  s = push(c, loop_push, set, a, 0, map, w); /* another block size */
  CHECK(s.plans_built == 1 && s.plans_found == 0);
  pl_stats before = conf_stats(c);
  OK(pl_par_loop(loop_read_far, set, DIRECT(w, PL_WRITE), pl_arg_dat(a, 0, map, PL_READ))); /* no conflict */
  CHECK(conf_stats(c).plans_built == before.plans_built);
}

/* ---- contexts ---- */

static void run_in(conf *c, pl_context *pl, int n, double start)
{
  double *x = malloc(sizeof *x * (size_t)n), *y = malloc(sizeof *y * (size_t)n);
  pl_set *set;
  pl_dat *in, *out;
  for (int i = 0; i < n; i++) x[i] = start + i;
  OK_IN(pl, pl_decl_set(pl, n, "set", &set));
  OK_IN(pl, pl_decl_dat(set, 1, PL_DOUBLE, x, "in", &in));
  OK_IN(pl, pl_decl_dat(set, 1, PL_DOUBLE, NULL, "out", &out));
  OK_IN(pl, pl_par_loop(loop_scale, set, DIRECT(out, PL_WRITE), DIRECT(in, PL_READ)));
  OK_IN(pl, pl_dat_fetch(out, y));
  bool good = true;
  for (int i = 0; i < n; i++) good &= y[i] == 2 * x[i];
  CHECK(good);
  free(x);
  free(y);
}

static void case_contexts(conf *c)
{
  pl_context *pl[3] = {NULL};
  for (int i = 0; i < 3; i++) OK_IN(pl[i], conf_open(c, c->variant, NULL, &pl[i]));
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 3; i++) run_in(c, pl[i], 10 + i, 100 * i);
  pl_finalize(&pl[1]);
  CHECK(pl[1] == NULL);
  run_in(c, pl[0], 20, 5);
  run_in(c, pl[2], 20, 6);
  run_in(c, c->pl, 20, 7);
  /* Objects of another context are refused. */
  pl_set *here, *there;
  pl_dat *a, *b;
  OK_IN(pl[0], pl_decl_set(pl[0], 3, "here", &here));
  OK_IN(pl[2], pl_decl_set(pl[2], 3, "there", &there));
  OK_IN(pl[0], pl_decl_dat(here, 1, PL_DOUBLE, NULL, "a", &a));
  OK_IN(pl[2], pl_decl_dat(there, 1, PL_DOUBLE, NULL, "b", &b));
  FAILS_IN(pl[0], pl_par_loop(loop_scale, here, DIRECT(a, PL_WRITE), DIRECT(b, PL_READ)), PL_ERR_ARG,
           "argument 2", "\"b\"", "another context");
  pl_map *map = NULL;
  FAILS_IN(pl[0], pl_decl_map(here, there, 1, (int[]){0, 1, 2}, "map", &map), PL_ERR_ARG, "\"map\"",
           "different contexts");
  pl_finalize(&pl[0]);
  pl_finalize(&pl[2]);
}

/* ---- many arguments, and contexts with and without jit ---- */

PL_KERNEL(loop_many,
          (double *a, double *b, double *d, double *e, double *f, double *g, double *h, double *i, double *j,
           double *k, double *l, double *m, double *n, double *o, double *p, double *q, double *r, double *s,
           double *t, double *u, double *v, double *w, double *x, double *sum),
          {
            double all = a[0] + b[0] + d[0] + e[0] + f[0] + g[0] + h[0] + i[0] + j[0] + k[0] + l[0] + m[0] +
                         n[0] + o[0] + p[0] + q[0] + r[0] + s[0] + t[0] + u[0] + v[0] + w[0] + x[0];
            a[0] = all;
            x[0] = -all;
            sum[0] += all;
          })

static void case_many(conf *c)
{
  enum { ARGS = 24, N = 40 };
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dat[ARGS];
  pl_arg args[ARGS];
  double values[N], all[N], minus[N], sum = 0;
  for (int j = 0; j < ARGS - 1; j++) {
    for (int i = 0; i < N; i++) values[i] = i * j + 1;
    dat[j] = conf_dat(c, set, 1, PL_DOUBLE, values, "dat");
    args[j] = DIRECT(dat[j], PL_RW);
  }
  for (int i = 0; i < N; i++) {
    all[i] = 23 + i * (22 * 23 / 2);
    minus[i] = -all[i];
    sum += all[i];
  }
  pl_global *g = conf_global(c, 1, PL_DOUBLE, NULL, "sum");
  args[ARGS - 1] = pl_arg_gbl(g, PL_INC);
  OK(pl_par_loop_args(loop_many, set, ARGS, args));
  SAME(dat[0], all);
  SAME(dat[22], minus);
  SAME_GLOBAL(g, &sum);
}

/* ---- records of 32 bytes ---- */

PL_KERNEL(loops_records, (const double *a, double *b, const float *f, float *g, int64_t *n, double *sum), {
  for (int k = 0; k < 4; k++) {
    b[k] = a[k] + f[k + 4];
    n[k] = 2 * n[k] + k;
    sum[0] += a[k];
  }
  for (int k = 0; k < 8; k++) g[k] = f[7 - k];
})

/* In blocks that are all full, on one rank, which work items may move together. */
static void case_records(conf *c)
{
  enum { N = 1024 };
  static double a[N][4], b[N][4];
  static float f[N][8], g[N][8];
  static int64_t n[N][4];
  double sum = 0;
  for (int e = 0; e < N; e++)
    for (int k = 0; k < 8; k++) {
      a[e][k % 4] = 100 * e + k;
      f[e][k] = (float)(e % 64 + 3 * k);
      n[e][k % 4] = 7 * e + k;
    }
  pl_set *set = conf_set(c, N, "set");
  pl_dat *da = conf_dat(c, set, 4, PL_DOUBLE, a, "a"), *db = conf_dat(c, set, 4, PL_DOUBLE, NULL, "b"),
         *df = conf_dat(c, set, 8, PL_FLOAT, f, "f"), *dg = conf_dat(c, set, 8, PL_FLOAT, NULL, "g"),
         *dn = conf_dat(c, set, 4, PL_INT64, n, "n");
  pl_global *total = conf_global(c, 1, PL_DOUBLE, NULL, "total");
  for (int i = 0; i < 2; i++) {
    OK(pl_par_loop(loops_records, set, DIRECT(da, PL_READ), DIRECT(db, PL_WRITE), DIRECT(df, PL_READ),
                   DIRECT(dg, PL_WRITE), DIRECT(dn, PL_RW), pl_arg_gbl(total, PL_INC)));
    for (int e = 0; e < N; e++)
      for (int k = 0; k < 8; k++) {
        g[e][k] = f[e][7 - k];
        if (k > 3) continue;
        b[e][k] = a[e][k] + f[e][k + 4];
        n[e][k] = 2 * n[e][k] + k;
        sum += a[e][k];
      }
    SAME(db, b);
    SAME(dg, g);
    SAME(dn, n);
    SAME_GLOBAL(total, &sum);
  }
}

const conf_case conf_loops[] = {
  {"loop objects", "P38", case_reuse, CONF_MATRIX | CONF_RANKS | CONF_EAGER},
  {"dats that do not fit", "P38", case_replace_errors, 0},
  {"loops whose dat was freed", "P38", case_freed, CONF_MATRIX | CONF_RANKS},
  {"successive maps", "P46", case_freed_map, CONF_MATRIX | CONF_RANKS},
  {"optional arguments", "O01", case_optional, CONF_MATRIX | CONF_RANKS},
  {"optional arguments that are written", "O01", case_optional_written, CONF_MATRIX | CONF_RANKS},
  {"indices", "O02", case_index, CONF_MATRIX | CONF_RANKS},
  {"a kernel that reads its own increment", "P22 P39", case_own_increment, CONF_MATRIX | CONF_RANKS},
  {"the cache of plans", "P46", case_plan_cache, CONF_MATRIX},
  {"several contexts", "P38", case_contexts, CONF_MATRIX | CONF_RANKS},
  {"24 arguments", "P37", case_many, CONF_MATRIX | CONF_RANKS},
  {"records of 32 bytes", "P37", case_records, CONF_MATRIX | CONF_RANKS},
  {NULL, NULL, NULL, 0}};
