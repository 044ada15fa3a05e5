/* SPDX-License-Identifier: BSD-2-Clause
 * Conflicting writes through maps: all strategies give the same results, the profile names the strategy, and
 * large loops are tuned by measurement. Checked loops are compared with plain ones.
 */
#include "conformance.h"

enum { FROM = 1536, TO = 768, LARGE = 70000 }; /* blocks of up to 256 are full, on one rank */

static const char *const words[] = {"auto", "colour", "stage", "atomic", "combine", "gather", "store", NULL};

/* Rows of a map and single targets, two incremented dats, a direct write and a sum in one loop. */
PL_KERNEL(conflict_mixed, (const double *q[3], double res[3][4], int64_t *count, int32_t *seen, double *sum),
          {
            for (int k = 0; k < 3; k++) {
              res[k][0] += q[(k + 1) % 3][0];
              res[k][3] -= q[(k + 2) % 3][1];
            }
            count[0] += 3;
            seen[0] += 1;
            sum[0] += q[0][0];
          })

/* Increments only, so that the loop has a gather form. */
PL_KERNEL(conflict_alone, (const double *q[3], const int32_t *seen, double *res[3]), {
  for (int k = 0; k < 3; k++) res[k][1] += q[(k + 1) % 3][0] * seen[0];
})

/* One component is incremented and another is read; and values are swapped. */
PL_KERNEL(conflict_extremes, (const double *q, double *low, int32_t x[3][1]), {
  low[0] = q[0] < low[0] ? q[0] : low[0];
  for (int k = 0; k < 3; k++) x[k][0] = x[k][0] ^ (int)q[0];
})

typedef struct collision {
  pl_set *from, *to;
  pl_map *map;
  pl_dat *q, *res, *count, *seen, *low, *x;
  pl_global *sum;
  int index[3 * FROM];
} collision;

typedef struct outcome {
  double res[TO][4], low[TO], sum;
  int64_t count[TO];
  int32_t seen[FROM], x[TO];
} outcome;

static double value(int t, int c)
{
  return (double)((7 * t + 13 * c) % 101);
}

static void make(conf *c, collision *f)
{
  static double q[TO][2], low[TO];
  c->seed = 42;
  for (int e = 0; e < FROM; e++)
    for (int k = 0; k < 3; k++) f->index[3 * e + k] = (e / 2 + 210 * k + conf_below(c, 200)) % TO;
  for (int t = 0; t < TO; t++) {
    low[t] = 1000;
    for (int k = 0; k < 2; k++) q[t][k] = value(t, k);
  }
  f->from = conf_set(c, FROM, "from");
  f->to = conf_set(c, TO, "to");
  f->map = conf_map(c, f->from, f->to, 3, f->index, "three");
  f->q = conf_dat(c, f->to, 2, PL_DOUBLE, q, "q");
  f->res = conf_dat(c, f->to, 4, PL_DOUBLE, NULL, "res");
  f->count = conf_dat(c, f->to, 1, PL_INT64, NULL, "count");
  f->seen = conf_dat(c, f->from, 1, PL_INT32, NULL, "seen");
  f->low = conf_dat(c, f->to, 1, PL_DOUBLE, low, "low");
  f->x = conf_dat(c, f->to, 1, PL_INT32, NULL, "x");
  f->sum = conf_global(c, 1, PL_DOUBLE, NULL, "sum");
}

static void run_loops(conf *c, collision *f)
{
  OK(pl_par_loop(conflict_mixed, f->from, pl_arg_dat(f->q, PL_ALL, f->map, PL_READ),
                 pl_arg_dat(f->res, PL_ALL, f->map, PL_INC), pl_arg_dat(f->count, 1, f->map, PL_INC),
                 DIRECT(f->seen, PL_RW), pl_arg_gbl(f->sum, PL_INC)));
  OK(pl_par_loop(conflict_alone, f->from, pl_arg_dat(f->q, PL_ALL, f->map, PL_READ), DIRECT(f->seen, PL_READ),
                 pl_arg_dat(f->res, PL_ALL, f->map, PL_INC)));
  OK(pl_par_loop(conflict_extremes, f->from, pl_arg_dat(f->q, 0, f->map, PL_READ),
                 pl_arg_dat(f->low, 2, f->map, PL_MIN), pl_arg_dat(f->x, PL_ALL, f->map, PL_RW)));
}

static void expect(const collision *f, int times, outcome *o)
{
  memset(o, 0, sizeof *o);
  for (int t = 0; t < TO; t++) o->low[t] = 1000;
  for (int i = 1; i <= times; i++)
    for (int e = 0; e < FROM; e++) {
      const int *t = &f->index[3 * e];
      for (int k = 0; k < 3; k++) {
        o->res[t[k]][0] += value(t[(k + 1) % 3], 0);
        o->res[t[k]][3] -= value(t[(k + 2) % 3], 1);
        o->res[t[k]][1] += value(t[(k + 1) % 3], 0) * i;
        o->x[t[k]] = o->x[t[k]] ^ (int)value(t[0], 0);
      }
      o->count[t[1]] += 3;
      o->seen[e] = i;
      o->sum += value(t[0], 0);
      if (value(t[0], 0) < o->low[t[2]]) o->low[t[2]] = value(t[0], 0);
    }
}

static void compare(conf *c, const collision *f, int times)
{
  static outcome o;
  expect(f, times, &o);
  SAME(f->res, o.res);
  SAME(f->count, o.count);
  SAME(f->seen, o.seen);
  SAME(f->low, o.low);
  SAME(f->x, o.x);
  SAME_GLOBAL(f->sum, &o.sum);
}

/* The variant of a loop, by the name of its kernel. */
static const char *variant_of(conf *c, const char *kernel)
{
  pl_profile_entry entry;
  for (int i = 0; !pl_profile_at(c->pl, i, &entry); i++)
    if (!strcmp(entry.name, kernel)) return entry.variant;
  return "";
}

static void case_every_way(conf *c)
{
  static collision f;
  for (int w = 0; words[w]; w++) {
    pl_finalize(&c->pl);
    OK(conf_open(c, c->variant, NULL, &c->pl));
    OK(pl_set_option(c->pl, "conflict", words[w]));
    make(c, &f);
    for (int times = 1; times <= 2; times++) {
      run_loops(c, &f);
      compare(c, &f, times);
    }
    if (!c->device) continue;
    const char *alone = variant_of(c, "conflict_alone"), *extremes = variant_of(c, "conflict_extremes");
    CHECK(w == 0 || !strncmp(alone, words[w], strlen(words[w])));
    CHECK((w == 1 || w == 2) == !strcmp(extremes, words[w]) || w == 0);
    CHECK(w < 3 || (strstr(extremes, " (") &&
                    strstr(extremes, words[w]))); /* the requested strategy, and why it was not used */
  }
}

/* ---- tuning ---- */

PL_KERNEL(conflict_large, (const int32_t *w, double *a, double *b), {
  a[0] += w[0];
  b[0] -= w[0];
})

/* Calls during tuning give right results and end in a choice; returns the variant. */
static void run_large(conf *c, pl_context *pl, int *index, int32_t *w, char *variant, size_t size)
{
  enum { CALLS = 36 };
  pl_set *from, *to;
  pl_map *map;
  pl_dat *dw, *x;
  pl_profile_entry entry;
  static double expected[LARGE], got[LARGE];
  OK_IN(pl, pl_decl_set(pl, LARGE, "from", &from));
  OK_IN(pl, pl_decl_set(pl, LARGE, "to", &to));
  OK_IN(pl, pl_decl_map(from, to, 2, index, "two", &map));
  OK_IN(pl, pl_decl_dat(from, 1, PL_INT32, w, "w", &dw));
  OK_IN(pl, pl_decl_dat(to, 1, PL_DOUBLE, NULL, "x", &x));
  memset(expected, 0, sizeof expected);
  for (int i = 0; i < CALLS; i++) {
    OK_IN(pl, pl_par_loop(conflict_large, from, DIRECT(dw, PL_READ), pl_arg_dat(x, 0, map, PL_INC),
                          pl_arg_dat(x, 1, map, PL_INC)));
    for (int e = 0; e < LARGE; e++) {
      expected[index[2 * e]] += w[e];
      expected[index[2 * e + 1]] -= w[e];
    }
    OK_IN(pl, pl_dat_fetch(x, got));
    CHECK(!memcmp(got, expected, sizeof got));
    OK_IN(pl, pl_profile_at(pl, 0, &entry));
    if (*variant) CHECK(!strcmp(entry.variant, variant)); /* from the first call on */
  }
  snprintf(variant, size, "%s", entry.variant);
}

static bool names_a_way(const char *variant)
{
  if (strncmp(variant, "auto: ", 6) || !strstr(variant, " ms")) return false;
  for (int w = 1; words[w]; w++)
    if (!strncmp(variant + 6, words[w], strlen(words[w]))) return true;
  return false;
}

static void case_measured(conf *c)
{
  char folder[256], option[280], variant[256] = "";
  if (!c->device) return;
  int *index = malloc(2 * LARGE * sizeof *index);
  int32_t *w = malloc(LARGE * sizeof *w);
  for (int e = 0; e < LARGE; e++) {
    index[2 * e] = e;
    index[2 * e + 1] = (e + 1 + conf_below(c, 300)) % LARGE;
    w[e] = conf_below(c, 1000);
  }
  snprintf(option, sizeof option, "cache_dir=%s", conf_folder(folder));
  const char *const more[] = {option, "conflict=auto", "reproducible=0", NULL};
  for (int process = 0; process < 2; process++) { /* the second context uses the first one's choice */
    pl_context *pl;
    OK_IN(pl, conf_open(c, c->variant, more, &pl));
    run_large(c, pl, index, w, variant, sizeof variant);
    CHECK(names_a_way(variant));
    pl_finalize(&pl);
  }
  free(index);
  free(w);
}

/* ---- many blocks, and too large ones ---- */

PL_KERNEL(conflict_number, (const int64_t *e, int32_t *x), { x[0] = (int32_t)(e[0] % 1000003); })

/* More blocks than 65535, the limit of old devices. */
static void case_many_blocks(conf *c)
{
  enum { N = 2200003 };
  if (!c->device) return;
  OK(pl_set_option(c->pl, "block_size", "32"));
  pl_set *set = conf_set(c, N, "many");
  pl_dat *x = conf_dat(c, set, 1, PL_INT32, NULL, "x");
  OK(pl_par_loop(conflict_number, set, pl_arg_idx(PL_ID, PL_DIRECT), DIRECT(x, PL_WRITE)));
  void *view;
  int wrong = 0;
  OK(pl_dat_get(x, PL_READ, &view));
  for (int e = 0; e < N; e++) wrong += ((int32_t *)view)[e] != e % 1000003;
  OK(pl_dat_put(x));
  CHECK(wrong == 0);
}

PL_KERNEL(conflict_wide, (double *x[3]), {
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 64; i++) x[k][i] += 1;
})

/* If a block needs more local memory than the device has, the profile says so. */
static void case_no_room(conf *c)
{
  enum { N = 4096 };
  static int index[3 * N];
  static double expected[N][64];
  if (!c->device) return;
  for (int e = 0; e < N; e++)
    for (int k = 0; k < 3; k++) index[3 * e + k] = (e + k * 1000) % N;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 64; k++) expected[i][k] = 3;
  OK(pl_set_option(c->pl, "block_size", "256"));
  OK(pl_set_option(c->pl, "conflict", "stage"));
  pl_set *set = conf_set(c, N, "set");
  pl_map *map = conf_map(c, set, set, 3, index, "three");
  pl_dat *x = conf_dat(c, set, 64, PL_DOUBLE, NULL, "x");
  OK(pl_par_loop(conflict_wide, set, pl_arg_dat(x, PL_ALL, map, PL_INC)));
  SAME(x, expected);
  const char *variant = variant_of(c, "conflict_wide");
  CHECK(!strncmp(variant, "stage", 5) ||
        (strstr(variant, "colour (stage: a block of ") && strstr(variant, "local memory")));
}

PL_KERNEL(conflict_brim, (double *x[3]), {
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 8; i++) x[k][i] += k + i;
})

/* 256 work items with 3 times 8 doubles need 48 KB, which some devices have but their drivers do not
 * grant. */
static void case_brim(conf *c)
{
  enum { N = 1024 };
  static int index[3 * N];
  static double expected[N][8];
  for (int e = 0; e < N; e++)
    for (int k = 0; k < 3; k++) index[3 * e + k] = (e + k * 100) % N;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 8; k++) expected[i][k] = 3 + 3 * k;
  if (c->device) OK(pl_set_option(c->pl, "conflict", "combine"));
  pl_set *set = conf_set(c, N, "set");
  pl_map *map = conf_map(c, set, set, 3, index, "three");
  pl_dat *x = conf_dat(c, set, 8, PL_DOUBLE, NULL, "x");
  OK(pl_par_loop(conflict_brim, set, pl_arg_dat(x, PL_ALL, map, PL_INC)));
  SAME(x, expected);
}

/* ---- loops over the targets of increments ---- */

PL_KERNEL(conflict_flux,
          (const double x[2][2], const double *left, const double *const q[3], const int32_t *w,
           double *res[3]),
          {
            const double f = x[0][0] + 2 * x[1][1] + w[0];
            res[0][0] += f * q[1][0];
            res[1][1] += f - 3 * q[2][0];
            res[2][0] -= f + left[0];
          })

/* A ring of cells between two rows of points. Edge e is between cells e and e + 1, at points e of both rows;
 * the third target of its map is the cell behind. A cell has all points of the edges beside it. */
enum { RING = 512 }; /* blocks are full, on one rank */
typedef struct ring {
  int cell[RING][3], edge_point[RING][2], cell_point[RING][6], w[RING];
  double x[2 * RING][2], q[RING], res[RING][2];
} ring;

static void make_ring(ring *r)
{
  for (int e = 0; e < RING; e++) {
    for (int k = 0; k < 3; k++) {
      r->cell[e][k] = (e + k) % RING;
      r->cell_point[e][k] = (e + RING - k) % RING;
      r->cell_point[e][k + 3] = r->cell_point[e][k] + RING;
    }
    r->edge_point[e][0] = e % 7 ? e : e + RING; /* some in the other order */
    r->edge_point[e][1] = e % 7 ? e + RING : e;
    r->w[e] = 5 * e % 11;
    r->q[e] = 3 * e % 13;
    r->res[e][0] = r->res[e][1] = e;
    for (int k = 0; k < 4; k++) r->x[e + k / 2 * RING][k % 2] = (7 * e + k) % 17;
  }
}

static void expect_ring(ring *r, bool zeroed)
{
  if (zeroed) memset(r->res, 0, sizeof r->res);
  for (int e = 0; e < RING; e++) {
    const int *cell = r->cell[e], *point = r->edge_point[e];
    const double f = r->x[point[0]][0] + 2 * r->x[point[1]][1] + r->w[e];
    r->res[cell[0]][0] += f * r->q[cell[1]];
    r->res[cell[1]][1] += f - 3 * r->q[cell[2]];
    r->res[cell[2]][0] -= f + r->q[cell[0]];
  }
}

static void case_by_target(conf *c)
{
  static ring r;
  make_ring(&r);
  pl_set *edges = conf_set(c, RING, "edges"), *cells = conf_set(c, RING, "cells");
  pl_set *points = conf_set(c, 2 * RING, "points");
  pl_map *cell = conf_map(c, edges, cells, 3, r.cell[0], "cell");
  pl_map *point = conf_map(c, edges, points, 2, r.edge_point[0], "edge_point");
  conf_map(c, cells, points, 6, r.cell_point[0], "cell_point");
  pl_dat *x = conf_dat(c, points, 2, PL_DOUBLE, r.x, "x"), *q = conf_dat(c, cells, 1, PL_DOUBLE, r.q, "q");
  pl_dat *w = conf_dat(c, edges, 1, PL_INT32, r.w, "w"),
         *res = conf_dat(c, cells, 2, PL_DOUBLE, r.res, "res");
  if (c->device) OK(pl_set_option(c->pl, "conflict", "gather"));
  for (int i = 0; i < 4; i++) {
    pl_arg sums = pl_arg_dat(res, PL_ALL, cell, PL_INC);
    OK(pl_par_loop(conflict_flux, edges, pl_arg_dat(x, PL_ALL, point, PL_READ),
                   pl_arg_dat(q, 0, cell, PL_READ), pl_arg_dat(q, PL_ALL, cell, PL_READ), DIRECT(w, PL_READ),
                   i < 2 ? sums : pl_arg_zeroed(sums)));
    expect_ring(&r, i >= 2);
    SAME(res, r.res);
  }
}

/* ---- increments of zeros ---- */

PL_KERNEL(conflict_add, (const int32_t *w, double *left, double *right), {
  left[0] += w[0];
  right[1] -= w[0];
})

/* Takes the values and leaves zeros; leaves a zero and another value; writes. */
PL_KERNEL(conflict_take, (double *res, double *sum), {
  for (int k = 0; k < 2; k++) {
    sum[k] += res[k];
    res[k] = 0.0;
  }
})
PL_KERNEL(conflict_take_one, (double *res), {
  res[1] += 1;
  res[0] = 0;
})
PL_KERNEL(conflict_set, (double *res), {
  res[0] = 3;
  res[1] = 4;
})

typedef struct adding {
  int end[RING][2];
  int32_t w[RING];
  double res[RING][2], sum[RING][2];
  pl_set *edges, *cells;
  pl_map *map;
  pl_dat *dw, *dres, *dsum, *other;
} adding;

static void make_adding(conf *c, adding *a)
{
  memset(a, 0, sizeof *a);
  for (int e = 0; e < RING; e++) {
    a->end[e][0] = e;
    a->end[e][1] = (e + 1) % RING;
    a->w[e] = 5 * e % 11;
  }
  a->edges = conf_set(c, RING, "edges");
  a->cells = conf_set(c, RING, "cells");
  a->map = conf_map(c, a->edges, a->cells, 2, a->end[0], "ends");
  a->dw = conf_dat(c, a->edges, 1, PL_INT32, a->w, "w");
  a->dres = conf_dat(c, a->cells, 2, PL_DOUBLE, NULL, "res");
  a->dsum = conf_dat(c, a->cells, 2, PL_DOUBLE, NULL, "sum");
  a->other = conf_dat(c, a->cells, 2, PL_DOUBLE, NULL, "other");
}

static void add(conf *c, adding *a)
{
  OK(pl_par_loop(conflict_add, a->edges, DIRECT(a->dw, PL_READ), pl_arg_dat(a->dres, 0, a->map, PL_INC),
                 pl_arg_dat(a->dres, 1, a->map, PL_INC)));
  for (int e = 0; e < RING; e++) {
    a->res[a->end[e][0]][0] += a->w[e];
    a->res[a->end[e][1]][1] -= a->w[e];
  }
}

static void take(conf *c, adding *a)
{
  OK(pl_par_loop(conflict_take, a->cells, DIRECT(a->dres, PL_RW), DIRECT(a->dsum, PL_RW)));
  for (int t = 0; t < RING; t++)
    for (int k = 0; k < 2; k++) {
      a->sum[t][k] += a->res[t][k];
      a->res[t][k] = 0;
    }
}

static void set_all(adding *a, double first, double second)
{
  for (int t = 0; t < RING; t++) {
    a->res[t][0] = first;
    a->res[t][1] = second;
  }
}

/* Changes the zeros of a loop in every way. */
static void change(conf *c, adding *a, int way)
{
  double *view;
  if (way == 0) OK(pl_par_loop(conflict_set, a->cells, DIRECT(a->dres, PL_WRITE)));
  if (way == 1) OK(pl_par_loop(conflict_set, a->cells, DIRECT(a->other, PL_WRITE)));
  if (way == 1) OK(pl_dat_copy(a->other, a->dres));
  if (way < 2) set_all(a, 3, 4);
  if (way == 2) OK(pl_par_loop(conflict_take_one, a->cells, DIRECT(a->dres, PL_RW)));
  if (way == 2) set_all(a, 0, 1);
  if (way == 3) OK(pl_dat_zero(a->dres));
  if (way != 4) return;
  OK(pl_dat_get(a->dres, PL_RW, (void **)&view));
  for (size_t i = 0; i < pl_dat_nbytes(a->dres) / sizeof *view; i++) view[i] += 7;
  OK(pl_dat_put(a->dres));
  set_all(a, 7, 7);
}

static double bytes_of(conf *c, const char *kernel)
{
  pl_profile_entry entry;
  for (int i = 0; !pl_profile_at(c->pl, i, &entry); i++)
    if (!strcmp(entry.name, kernel)) return entry.bytes;
  return 0;
}

/* A loop that increments what another one has left at zero, or what was changed since. */
static void case_of_zeros(conf *c)
{
  static adding a;
  double bytes[4];
  make_adding(c, &a);
  if (c->device) OK(pl_set_option(c->pl, "conflict", "gather"));
  for (int call = 0; call < 4; call++) { /* only the third one meets zeros of a loop */
    if (call == 2) take(c, &a);
    add(c, &a);
    SAME(a.dres, a.res);
    bytes[call] = bytes_of(c, "conflict_add");
  }
  for (int call = 3; call > 0; call--) bytes[call] -= bytes[call - 1];
  const bool spares = c->device && pl_ranks(c->pl) == 1;
  CHECK(bytes[0] == bytes[1] && bytes[1] == bytes[3] &&
        (spares ? bytes[2] < bytes[1] : bytes[2] <= bytes[1]));
  for (int way = 0; way < 5; way++) {
    take(c, &a);
    change(c, &a, way);
    add(c, &a);
    SAME(a.dres, a.res);
    SAME(a.dsum, a.sum);
  }
}

/* ---- checked loops ---- */

PL_KERNEL(conflict_unwritten, (double x[2]), { x[0] = 1; })

static void case_checked(conf *c)
{
  static collision f;
  static const char text[] = "void two_minds(int *x, int *sum)\n"
                             "{\n"
                             "#if defined(__CUDA_ARCH__) || defined(__OPENCL_VERSION__)\n"
                             "  x[0] = 2;\n"
                             "#else\n"
                             "  x[0] = 1;\n"
                             "#endif\n"
                             "  sum[0] += 1;\n"
                             "}\n";
  int start[7] = {5, 5, 5, 5, 5, 5, 5}, count = 3;
  double zeros[14] = {0};
  OK(pl_set_option(c->pl, "check", "1"));
  make(c, &f);
  for (int times = 1; times <= 2; times++) {
    run_loops(c, &f);
    compare(c, &f, times);
  }
  pl_set *set = conf_set(c, 7, "set");
  pl_dat *half = conf_dat(c, set, 2, PL_DOUBLE, zeros, "half"), *x = conf_dat(c, set, 1, PL_INT, start, "x");
  pl_global *sum = conf_global(c, 1, PL_INT, &count, "sum");
  FAILS(pl_par_loop(conflict_unwritten, set, DIRECT(half, PL_WRITE)), PL_ERR_CHECK, "conflict_unwritten",
        "half", "unwritten");
  SAME(half, zeros);
  if (!c->device) return;
  const pl_kernel *minds = conf_source(c, "two_minds", text, NULL);
  FAILS(pl_par_loop(minds, set, DIRECT(x, PL_WRITE), pl_arg_gbl(sum, PL_INC)), PL_ERR_CHECK, "two_minds", "x",
        "differs from that of a plain");
  SAME(x, start); /* nothing is changed */
  SAME_GLOBAL(sum, &count);
}

const conf_case conf_conflicts[] = {
  {"every conflict strategy", "P42 P43 P50", case_every_way, CONF_EAGER},
  {"tuning of the strategy", "P50", case_measured, 0},
  {"more blocks than 65535", "P50", case_many_blocks, 0},
  {"too little local memory", "P50", case_no_room, 0},
  {"just enough local memory", "P50", case_brim, 0},
  {"increments by target", "P50", case_by_target, CONF_MATRIX | CONF_RANKS},
  {"increments of zeros", "P50", case_of_zeros, CONF_MATRIX | CONF_RANKS | CONF_EAGER},
  {"checked loops", "P50", case_checked, CONF_NEEDS_JIT | CONF_EAGER},
  {NULL, NULL, NULL, 0}};
