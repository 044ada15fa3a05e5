/* SPDX-License-Identifier: BSD-2-Clause
 * Where valid copies of dats and globals are, and what is transferred.
 *
 * The table below is the complete rule. On a backend without a device every dat stays PL_DEVICE_UNALLOCATED
 * and nothing is transferred; values must be the same.
 */
#include "conformance.h"

/* ---- kernels: values are small integers ---- */

PL_KERNEL(state_look, (int32_t seen[2], const int32_t x[2]), {
  seen[0] = x[0];
  seen[1] = x[1];
})
PL_KERNEL(state_change, (int32_t x[2]), {
  x[0] = 2 * x[0] + 1;
  x[1] = 3 * x[1] + 2;
})
PL_KERNEL(state_add, (int32_t x[2]), {
  x[0] += 5;
  x[1] += 7;
})
PL_KERNEL(state_fill, (int32_t x[2]), {
  x[0] = 40;
  x[1] = 41;
})
PL_KERNEL(state_fill_one, (int32_t * x), { x[0] = 50; })

/* ---- the table ---- */

enum { SIZE = 37, DIM = 2, VALUES = SIZE * DIM };

/* The state of a dat before the action. */
typedef enum start {
  STORED,    /* declared with values: PL_DEVICE_UNALLOCATED */
  UNTOUCHED, /* declared without values: PL_DEVICE_UNALLOCATED, zeros without storage */
  RESERVED,  /* the same with uninitialised device memory */
  HOST,
  DEVICE,
  BOTH,
  DEVICE_ONLY, /* no host storage: PL_HOST_UNALLOCATED */
  STARTS
} start;

typedef enum action {
  LOOP_READ,
  LOOP_RW,
  LOOP_INC,
  WRITE_SUBSET,
  WRITE_THROUGH_MAP,
  WRITE_COMPONENT,
  WRITE_ALL,
  VIEW_RW,
  VIEW_READ,
  VIEW_WRITE,
  TO_DEVICE,
  FROM_DEVICE,
  ALLOCATE,
  ACTIONS
} action;

/* For each action the state after it: U device unallocated, L device only, H host, D device, B both; then the
 * events: a device memory allocated, u upload, h host storage allocated, d download. */
static const char *const table[STARTS][ACTIONS] = {
  [STORED] = {"Bau", "Dau", "Dau", "Dau", "Dau", "Dau", "Da", "U", "U", "U", "Bau", "U", "Ha"},
  [UNTOUCHED] = {"La", "La", "La", "La", "La", "La", "La", "Uh", "Uh", "Uh", "La", "U", "La"},
  [RESERVED] = {"L", "L", "L", "L", "L", "L", "L", "Hh", "Hh", "Hh", "L", "L", "L"},
  [HOST] = {"Bu", "Du", "Du", "Du", "Du", "Du", "D", "H", "H", "H", "Bu", "H", "H"},
  [DEVICE] = {"D", "D", "D", "D", "D", "D", "D", "Hd", "Bd", "H", "D", "Bd", "D"},
  [BOTH] = {"B", "D", "D", "D", "D", "D", "D", "H", "B", "H", "B", "B", "B"},
  [DEVICE_ONLY] = {"L", "L", "L", "L", "L", "L", "L", "Hhd", "Bhd", "Hh", "L", "Bhd", "L"},
};

typedef struct bench {
  conf *c;
  pl_set *set, *from, *subset;
  pl_map *map;
  pl_dat *seen; /* the values that a loop read */
} bench;

static const int some[] = {0, 3, 8, 31, 36};
enum { SOME = 5 };

static void make_bench(bench *b, conf *c)
{
  *b = (bench){.c = c, .set = conf_set(c, SIZE, "set"), .from = conf_set(c, SOME, "from")};
  b->subset = conf_subset(c, b->set, SOME, some);
  b->map = conf_map(c, b->from, b->set, 1, some, "map");
  b->seen = conf_dat(c, b->set, DIM, PL_INT32, NULL, "seen");
  OK(pl_dat_allocate_device(b->seen));
}

static pl_loop *make_loop(bench *b, action what, pl_dat *dat)
{
  conf *c = b->c;
  pl_loop *loop = NULL;
  pl_arg direct = DIRECT(dat, PL_WRITE);
  switch (what) {
  case LOOP_READ:
    OK(pl_loop_create(&loop, state_look, b->set, DIRECT(b->seen, PL_WRITE), DIRECT(dat, PL_READ)));
    break;
  case LOOP_RW:
    OK(pl_loop_create(&loop, state_change, b->set, DIRECT(dat, PL_RW)));
    break;
  case LOOP_INC:
    OK(pl_loop_create(&loop, state_add, b->set, DIRECT(dat, PL_INC)));
    break;
  case WRITE_SUBSET:
    OK(pl_loop_create(&loop, state_fill, b->subset, direct));
    break;
  case WRITE_THROUGH_MAP:
    OK(pl_loop_create(&loop, state_fill, b->from, pl_arg_dat(dat, 0, b->map, PL_WRITE)));
    break;
  case WRITE_COMPONENT:
    OK(pl_loop_create(&loop, state_fill_one, b->set, pl_arg_component(direct, 1)));
    break;
  default:
    OK(pl_loop_create(&loop, state_fill, b->set, direct));
  }
  return loop;
}

/* The effect of the action in plain C. */
static void act_plainly(action what, int32_t *x)
{
  for (int e = 0; e < SIZE; e++) {
    int32_t *v = x + (size_t)e * DIM;
    if (what == LOOP_RW) v[0] = 2 * v[0] + 1, v[1] = 3 * v[1] + 2;
    if (what == LOOP_INC) v[0] += 5, v[1] += 7;
    if (what == WRITE_COMPONENT) v[1] = 50;
    if (what == WRITE_ALL) v[0] = 40, v[1] = 41;
    if (what == VIEW_RW || what == VIEW_WRITE) v[0] = 60 + e, v[1] = -e;
  }
  for (int i = 0; i < SOME && (what == WRITE_SUBSET || what == WRITE_THROUGH_MAP); i++)
    x[some[i] * DIM] = 40, x[some[i] * DIM + 1] = 41;
}

static void view(conf *c, pl_dat *dat, pl_access access, action what)
{
  void *values;
  OK(pl_dat_get(dat, access, &values));
  if (access != PL_READ) act_plainly(what, values);
  OK(pl_dat_put(dat));
}

/* Performs the action. The loop is created before, so uploads of maps and plans do not count. */
static void act(conf *c, action what, pl_dat *dat, pl_loop *loop)
{
  switch (what) {
  case VIEW_RW:
    view(c, dat, PL_RW, what);
    break;
  case VIEW_READ:
    view(c, dat, PL_READ, what);
    break;
  case VIEW_WRITE:
    view(c, dat, PL_WRITE, what);
    break;
  case TO_DEVICE:
    OK(pl_dat_to_device(dat));
    break;
  case FROM_DEVICE:
    OK(pl_dat_from_device(dat));
    break;
  case ALLOCATE:
    OK(pl_dat_allocate_device(dat));
    break;
  default:
    OK(pl_loop_run(loop));
  }
}

/* Creates a dat in the given state, with its values. */
static pl_dat *make_dat(bench *b, start from, int32_t *x)
{
  static const action how[STARTS] = {
    ACTIONS, ACTIONS, ALLOCATE, VIEW_RW, LOOP_RW, TO_DEVICE, WRITE_ALL,
  };
  conf *c = b->c;
  bool stored = from == STORED || from == HOST || from == DEVICE || from == BOTH;
  for (int i = 0; i < VALUES; i++) x[i] = stored ? 1000 + i : 0;
  pl_dat *dat = conf_dat(c, b->set, DIM, PL_INT32, stored ? x : NULL, "dat");
  if (from == HOST) OK(pl_dat_to_device(dat));
  if (how[from] == ACTIONS) return dat;
  pl_loop *loop = how[from] < VIEW_RW ? make_loop(b, how[from], dat) : NULL;
  act(c, how[from], dat, loop);
  act_plainly(how[from], x);
  pl_loop_free(&loop);
  return dat;
}

static char letter(pl_state state)
{
  static const char letters[] = {[PL_DEVICE_UNALLOCATED] = 'U',
                                 [PL_HOST_UNALLOCATED] = 'L',
                                 [PL_ON_HOST] = 'H',
                                 [PL_ON_DEVICE] = 'D',
                                 [PL_ON_BOTH] = 'B'};
  return letters[state];
}

/* Checks calls and bytes of the dat's transfers, and its storage. */
static void check_events(conf *c, const char *cell, const pl_stats *a, const pl_stats *b)
{
  const uint64_t bytes = VALUES * sizeof(int32_t);
  bool up = c->device && strchr(cell, 'u'), down = c->device && strchr(cell, 'd');
  bool taken = c->device && strchr(cell, 'a');
  CHECK(b->calls_to_device - a->calls_to_device == up);
  CHECK(b->bytes_to_device - a->bytes_to_device == up * bytes);
  CHECK(b->calls_from_device - a->calls_from_device == down);
  CHECK(b->bytes_from_device - a->bytes_from_device == down * bytes);
  CHECK(b->device_allocations - a->device_allocations == taken);
  CHECK(b->device_bytes - a->device_bytes == taken * bytes);
  if (!c->device) return;
  bool stored = strchr(cell, 'h') != NULL;
  CHECK(b->host_allocations - a->host_allocations == stored);
  CHECK(b->host_bytes - a->host_bytes == stored * bytes);
}

static void check_cell(bench *b, start from, action what)
{
  static const char before[STARTS] = {'U', 'U', 'L', 'H', 'D', 'B', 'L'};
  conf *c = b->c;
  int32_t x[VALUES];
  int failures = c->failures;
  const char *cell = table[from][what];
  pl_dat *dat = make_dat(b, from, x);
  pl_loop *loop = what < VIEW_RW ? make_loop(b, what, dat) : NULL;
  CHECK(letter(pl_dat_state(dat)) == (c->device ? before[from] : 'U'));
  pl_stats stats = conf_stats(c);
  act(c, what, dat, loop);
  act_plainly(what, x);
  pl_stats after = conf_stats(c);
  check_events(c, cell, &stats, &after);
  CHECK(letter(pl_dat_state(dat)) == (c->device ? *cell : 'U'));
  if (what == LOOP_READ) SAME(b->seen, x);
  /* Both sides are valid. */
  OK(pl_par_loop(state_look, b->set, DIRECT(b->seen, PL_WRITE), DIRECT(dat, PL_READ)));
  SAME(b->seen, x);
  SAME(dat, x);
  if (c->failures > failures)
    fprintf(stderr, "\n  start %d, action %d: \"%s\"\n", (int)from, (int)what, cell);
  pl_loop_free(&loop);
  pl_dat_free(&dat);
  pl_stats end = conf_stats(c);
  CHECK(end.device_bytes == (c->device ? VALUES * sizeof(int32_t) : 0)); /* of `seen` */
}

static const char *const layouts[] = {"aos", "soa", "aosoa:4", "aosoa:32", NULL};

static void case_table(conf *c)
{
  for (int l = 0; l < 3; l++) {
    bench b;
    OK(pl_set_option(c->pl, "layout", layouts[l]));
    make_bench(&b, c);
    for (int from = 0; from < STARTS; from++)
      for (int what = 0; what < ACTIONS; what++) check_cell(&b, (start)from, (action)what);
    pl_dat_free(&b.seen);
    if (!c->device) break; /* no layouts there */
  }
}

/* ---- traps ---- */

static bool nothing_crossed(const pl_stats *a, const pl_stats *b)
{
  return a->bytes_to_device == b->bytes_to_device && a->bytes_from_device == b->bytes_from_device &&
         a->calls_to_device == b->calls_to_device && a->calls_from_device == b->calls_from_device;
}

/* Case 1: reading stale host values must not mark them valid. */
static void case_look_leaves_stale(conf *c)
{
  bench b;
  int32_t x[VALUES] = {0};
  make_bench(&b, c);
  pl_dat *dat = conf_dat(c, b.set, DIM, PL_INT32, x, "dat");
  OK(pl_dat_to_device(dat));
  view(c, dat, PL_RW, VIEW_RW);
  act_plainly(VIEW_RW, x);
  for (int i = 0; i < 3; i++) SAME(dat, x);
  CHECK(pl_dat_state(dat) == (c->device ? PL_ON_HOST : PL_DEVICE_UNALLOCATED));
  OK(pl_par_loop(state_look, b.set, DIRECT(b.seen, PL_WRITE), DIRECT(dat, PL_READ)));
  SAME(b.seen, x);
  CHECK(pl_dat_state(dat) == (c->device ? PL_ON_BOTH : PL_DEVICE_UNALLOCATED));
}

/* Case 2: a PL_WRITE loop that does not cover the set keeps the other elements, here the halo. */
static void case_write_keeps_halo(conf *c)
{
  const int64_t parts[] = {10, 20, 24, 30};
  int32_t x[60];
  pl_set *set = NULL;
  for (int i = 0; i < 60; i++) x[i] = 7 * i;
  OK(pl_decl_set_parts(c->pl, parts, "parts", &set));
  pl_dat *dat = conf_dat(c, set, DIM, PL_INT32, x, "dat");
  OK(pl_par_loop(state_fill, set, DIRECT(dat, PL_WRITE)));
  for (int e = 0; e < 20; e++) x[2 * e] = 40, x[2 * e + 1] = 41;
  SAME(dat, x);
}

PL_KERNEL(state_both, (int32_t * out, const int32_t *in), { out[0] = in[0] + 1; })

/* One argument writes a component and another reads another one. */
static void case_write_and_read(conf *c)
{
  int32_t x[VALUES];
  for (int i = 0; i < VALUES; i++) x[i] = 11 * i;
  pl_set *set = conf_set(c, SIZE, "set");
  pl_dat *dat = conf_dat(c, set, DIM, PL_INT32, x, "dat");
  OK(pl_par_loop(state_both, set, pl_arg_component(DIRECT(dat, PL_WRITE), 0),
                 pl_arg_component(DIRECT(dat, PL_READ), 1)));
  for (int e = 0; e < SIZE; e++) x[2 * e] = x[2 * e + 1] + 1;
  SAME(dat, x);
}

/* A writable view excludes an explicit transfer, which would send stale values. */
static void case_open_views(conf *c)
{
  int32_t x[VALUES] = {0};
  void *values;
  pl_set *set = conf_set(c, SIZE, "set");
  pl_dat *dat = conf_dat(c, set, DIM, PL_INT32, x, "dat"), *seen = conf_dat(c, set, DIM, PL_INT32, NULL, "s");
  OK(pl_dat_get(dat, PL_RW, &values));
  FAILS(pl_dat_to_device(dat), PL_ERR_STATE, "pl_dat_to_device", "dat", "view", "pl_dat_put");
  act_plainly(VIEW_RW, values);
  act_plainly(VIEW_RW, x);
  OK(pl_dat_put(dat));
  OK(pl_par_loop(state_look, set, DIRECT(seen, PL_WRITE), DIRECT(dat, PL_READ)));
  SAME(seen, x);
  OK(pl_dat_get(dat, PL_READ, &values));
  OK(pl_dat_to_device(dat));
  OK(pl_dat_from_device(dat));
  OK(pl_dat_put(dat));
}

/* ---- on the device alone ---- */

/* Copies, duplicates and zeros are computed where the values are valid. */
static void case_copies(conf *c)
{
  int32_t filled[VALUES] = {0}, part[VALUES], none[VALUES] = {0};
  bench b;
  make_bench(&b, c);
  pl_dat *dat = make_dat(&b, DEVICE_ONLY, filled), *other = conf_dat(c, b.set, DIM, PL_INT32, none, "other"),
         *same = NULL;
  OK(pl_dat_zero_subset(dat, b.subset)); /* the indices are uploaded once */
  memcpy(part, filled, sizeof part);
  for (int i = 0; i < SOME; i++) part[2 * some[i]] = part[2 * some[i] + 1] = 0;
  pl_stats before = conf_stats(c);
  OK(pl_dat_copy(dat, other));
  OK(pl_dat_duplicate(dat, "same", &same));
  OK(pl_dat_zero(dat));
  OK(pl_dat_zero_subset(other, b.subset));
  pl_stats after = conf_stats(c);
  CHECK(nothing_crossed(&before, &after));
  if (c->device) {
    CHECK(pl_dat_state(dat) == PL_HOST_UNALLOCATED);
    CHECK(pl_dat_state(same) == PL_HOST_UNALLOCATED);
    CHECK(pl_dat_state(other) == PL_ON_DEVICE);
  }
  SAME(dat, none);
  SAME(other, part);
  SAME(same, part);
  /* Copies between dats that are valid on the host transfer nothing. */
  pl_dat *here = conf_dat(c, b.set, DIM, PL_INT32, filled, "here"),
         *there = conf_dat(c, b.set, DIM, PL_INT32, NULL, "there");
  before = conf_stats(c);
  OK(pl_dat_copy(here, there));
  OK(pl_dat_zero(here));
  after = conf_stats(c);
  CHECK(nothing_crossed(&before, &after));
  SAME(there, filled);
  SAME(here, none);
}

/* ---- globals and consts ---- */

PL_KERNEL(state_count, (double *sum, const int32_t x[2]), { sum[0] += x[0]; })
PL_KERNEL(state_use, (int32_t x[2], const double *sum), {
  x[0] = (int32_t)sum[0];
  x[1] = 1;
})

/* A result stays on the device until it is read, and more is added to it there. */
static void case_results(conf *c)
{
  enum { TIMES = 3 };
  bench b;
  int32_t filled[VALUES] = {0};
  double start = 10, expected = 10 + TIMES * 40.0 * SIZE;
  make_bench(&b, c);
  pl_dat *dat = make_dat(&b, DEVICE_ONLY, filled);
  pl_global *sum = conf_global(c, 1, PL_DOUBLE, &start, "sum");
  pl_stats s0 = conf_stats(c);
  for (int i = 0; i < TIMES; i++)
    OK(pl_par_loop(state_count, b.set, pl_arg_gbl(sum, PL_INC), DIRECT(dat, PL_READ)));
  OK(pl_par_loop(state_use, b.set, DIRECT(b.seen, PL_WRITE), pl_arg_gbl(sum, PL_READ)));
  pl_stats s1 = conf_stats(c);
  CHECK(s1.bytes_to_device - s0.bytes_to_device == (c->device ? sizeof start : 0));
  CHECK(s1.bytes_from_device == s0.bytes_from_device && s1.calls_from_device == s0.calls_from_device);
  for (int i = 0; i < 2; i++) SAME_GLOBAL(sum, &expected);
  pl_stats s2 = conf_stats(c);
  CHECK(s2.bytes_from_device - s1.bytes_from_device == (c->device ? sizeof start : 0));
  CHECK(s2.calls_from_device - s1.calls_from_device == (c->device ? 1 : 0));
  /* After a read it is still valid on the device. */
  OK(pl_par_loop(state_count, b.set, pl_arg_gbl(sum, PL_INC), DIRECT(dat, PL_READ)));
  pl_stats s3 = conf_stats(c);
  CHECK(s3.bytes_to_device == s2.bytes_to_device);
  expected += 40.0 * SIZE;
  SAME_GLOBAL(sum, &expected);
  for (int e = 0; e < SIZE; e++) filled[2 * e] = (int32_t)(expected - 40.0 * SIZE), filled[2 * e + 1] = 1;
  SAME(b.seen, filled);
}

/* A global set by the host is uploaded once, when a loop needs it. */
static void case_set_global(conf *c)
{
  bench b;
  int32_t x[VALUES];
  make_bench(&b, c);
  pl_global *value = conf_global(c, 1, PL_DOUBLE, NULL, "value");
  for (int k = 1; k < 4; k++) {
    double now = 9 * k;
    pl_stats before = conf_stats(c);
    OK(pl_global_set(value, &now));
    for (int i = 0; i < 2; i++)
      OK(pl_par_loop(state_use, b.set, DIRECT(b.seen, PL_WRITE), pl_arg_gbl(value, PL_READ)));
    pl_stats after = conf_stats(c);
    CHECK(after.bytes_to_device - before.bytes_to_device == (c->device ? sizeof now : 0));
    for (int e = 0; e < SIZE; e++) x[2 * e] = 9 * k, x[2 * e + 1] = 1;
    SAME(b.seen, x);
  }
}

static int32_t state_factor = 3;
PL_KERNEL(state_scale, (int32_t x[2]), {
  x[0] = state_factor * x[0];
  x[1] = state_factor;
})

/* A const's new value is uploaded; nothing is compiled and no dat is transferred. */
static void case_set_const(conf *c)
{
  int32_t x[VALUES];
  pl_const *factor = NULL;
  for (int i = 0; i < VALUES; i++) x[i] = i;
  OK(pl_decl_const(c->pl, "state_factor", 1, PL_INT32, &state_factor, &factor));
  pl_set *set = conf_set(c, SIZE, "set");
  pl_dat *dat = conf_dat(c, set, DIM, PL_INT32, x, "dat");
  OK(pl_par_loop(state_scale, set, DIRECT(dat, PL_RW)));
  pl_stats before = conf_stats(c);
  const int32_t five = 5;
  OK(pl_const_set(factor, &five));
  OK(pl_par_loop(state_scale, set, DIRECT(dat, PL_RW)));
  pl_stats after = conf_stats(c);
  CHECK(after.compiler_runs == before.compiler_runs && after.loops_built == before.loops_built);
  CHECK(after.bytes_to_device - before.bytes_to_device <= sizeof five);
  CHECK(after.bytes_from_device == before.bytes_from_device);
  for (int e = 0; e < SIZE; e++) x[2 * e] *= 15, x[2 * e + 1] = 5;
  SAME(dat, x);
}

/* ---- a program's iterations ---- */

PL_KERNEL(state_save, (double old[4], const double q[4]), {
  for (int d = 0; d < 4; d++) old[d] = q[d];
})
PL_KERNEL(state_area, (double *area, const double *const x[3]),
          { area[0] = 1.0 + x[0][0] + x[1][1] - x[2][0]; })
PL_KERNEL(state_flux, (const double *const q[2], const double *const area[2], double *res[2]), {
  for (int d = 0; d < 4; d++) {
    double f = q[0][d] * area[0][0] - q[1][d] * area[1][0];
    res[0][d] += f;
    res[1][d] -= f;
  }
})
PL_KERNEL(state_edge, (const double *q, double *res), {
  for (int d = 0; d < 4; d++) res[d] += 0.5 * q[d];
})
PL_KERNEL(state_update, (const double *old, double *q, double *res, double *change), {
  for (int d = 0; d < 4; d++) {
    double step = 0.0078125 * res[d];
    q[d] = old[d] - step;
    res[d] = 0.0;
    change[0] += step * step;
  }
})

enum { NODES = 90, CELLS = 70, EDGES = 150, WALL = 12 };

typedef struct flow {
  pl_set *cells, *edges, *wall;
  pl_map *corner, *sides;
  pl_dat *x, *q, *old, *area, *res;
  pl_global *change;
} flow;

static void make_flow(conf *c, flow *f)
{
  int corner[3 * CELLS], sides[2 * EDGES], wall[WALL];
  double x[2 * NODES], q[4 * CELLS];
  for (int i = 0; i < 3 * CELLS; i++) corner[i] = conf_below(c, NODES);
  for (int e = 0; e < EDGES; e++) {
    sides[2 * e] = conf_below(c, CELLS);
    sides[2 * e + 1] = (sides[2 * e] + 1 + conf_below(c, CELLS - 1)) % CELLS;
  }
  for (int i = 0; i < WALL; i++) wall[i] = 5 * i;
  for (int i = 0; i < 2 * NODES; i++) x[i] = conf_below(c, 8) / 8.0;
  for (int i = 0; i < 4 * CELLS; i++) q[i] = conf_below(c, 16) / 4.0;
  pl_set *nodes = conf_set(c, NODES, "nodes");
  f->cells = conf_set(c, CELLS, "cells");
  f->edges = conf_set(c, EDGES, "edges");
  f->wall = conf_subset(c, f->edges, WALL, wall);
  f->corner = conf_map(c, f->cells, nodes, 3, corner, "corner");
  f->sides = conf_map(c, f->edges, f->cells, 2, sides, "sides");
  f->x = conf_dat(c, nodes, 2, PL_DOUBLE, x, "x");
  f->q = conf_dat(c, f->cells, 4, PL_DOUBLE, q, "q");
  f->old = conf_dat(c, f->cells, 4, PL_DOUBLE, NULL, "old");
  f->area = conf_dat(c, f->cells, 1, PL_DOUBLE, NULL, "area");
  f->res = conf_dat(c, f->cells, 4, PL_DOUBLE, NULL, "res");
  f->change = conf_global(c, 1, PL_DOUBLE, NULL, "change");
}

static void iterate(conf *c, flow *f)
{
  OK(pl_par_loop(state_save, f->cells, DIRECT(f->old, PL_WRITE), DIRECT(f->q, PL_READ)));
  OK(pl_par_loop(state_area, f->cells, DIRECT(f->area, PL_WRITE),
                 pl_arg_dat(f->x, PL_ALL, f->corner, PL_READ)));
  OK(pl_par_loop(state_flux, f->edges, pl_arg_dat(f->q, PL_ALL, f->sides, PL_READ),
                 pl_arg_dat(f->area, PL_ALL, f->sides, PL_READ),
                 pl_arg_dat(f->res, PL_ALL, f->sides, PL_INC)));
  OK(pl_par_loop(state_edge, f->wall, pl_arg_dat(f->q, 0, f->sides, PL_READ),
                 pl_arg_dat(f->res, 0, f->sides, PL_INC)));
  OK(pl_par_loop(state_update, f->cells, DIRECT(f->old, PL_READ), DIRECT(f->q, PL_WRITE),
                 DIRECT(f->res, PL_RW), pl_arg_gbl(f->change, PL_INC)));
}

/* After the first iteration only the number that the program prints is transferred. */
static void run_flow(conf *c, const char *conflict)
{
  enum { TIMES = 10 };
  flow f;
  double change = 0, before = 0;
  OK(pl_set_option(c->pl, "conflict", conflict));
  make_flow(c, &f);
  iterate(c, &f);
  pl_stats first = conf_stats(c);
  CHECK((first.bytes_to_device > 0) == c->device && first.bytes_from_device == 0);
  for (int i = 1; i < TIMES; i++) iterate(c, &f);
  pl_stats last = conf_stats(c);
  CHECK(nothing_crossed(&first, &last));
  CHECK(last.device_allocations == first.device_allocations);
  for (int i = 0; i < TIMES; i++) {
    iterate(c, &f);
    OK(pl_global_get(f.change, &change));
    CHECK(change > before); /* a growing sum: the loops have an effect */
    before = change;
  }
  pl_stats printed = conf_stats(c);
  CHECK(printed.bytes_to_device == last.bytes_to_device);
  CHECK(printed.calls_from_device - last.calls_from_device == (c->device ? TIMES : 0));
  CHECK(printed.bytes_from_device - last.bytes_from_device == (c->device ? TIMES * sizeof change : 0));
}

static void in_fresh_context(conf *c, void (*body)(conf *, const char *), const char *word)
{
  pl_finalize(&c->pl);
  OK(conf_open(c, c->variant, NULL, &c->pl));
  body(c, word);
}

static void case_iterations(conf *c)
{
  static const char *const conflicts[] = {"auto",    "colour", "stage", "atomic",
                                          "combine", "gather", "store", NULL};
  for (const char *const *word = conflicts; *word; word++) in_fresh_context(c, run_flow, *word);
}

/* ---- layouts ---- */

/* Non-zero values of any type; floating point gets numbers, because layouts must copy any bits. */
static void number(pl_type type, void *values, size_t n)
{
  size_t size = pl_type_size(type), step = type == PL_COMPLEX_FLOAT ? 4 : 8;
  bool real = type == PL_FLOAT || type == PL_DOUBLE || type == PL_COMPLEX_FLOAT || type == PL_COMPLEX_DOUBLE;
  if (!real)
    for (size_t i = 0; i < n * size; i++) ((unsigned char *)values)[i] = (unsigned char)(1 + (i * 37) % 251);
  else if (type == PL_FLOAT || step == 4)
    for (size_t i = 0; i < n * size / 4; i++) ((float *)values)[i] = (float)i + 0.5f;
  else
    for (size_t i = 0; i < n * size / 8; i++) ((double *)values)[i] = (double)i + 0.25;
}

/* Upload in one layout, copy on the device into another, and download. */
static void go_round(conf *c, pl_set *set, int dim, pl_type type, const void *x, const char *out,
                     const char *back)
{
  OK(pl_set_option(c->pl, "layout", out));
  pl_dat *a = conf_dat(c, set, dim, type, x, "a");
  OK(pl_dat_to_device(a));
  OK(pl_set_option(c->pl, "layout", back));
  pl_dat *b = conf_dat(c, set, dim, type, NULL, "b");
  pl_stats before = conf_stats(c);
  OK(pl_dat_copy(a, b));
  pl_stats after = conf_stats(c);
  CHECK(nothing_crossed(&before, &after));
  SAME(b, x);
  pl_dat_free(&a);
  pl_dat_free(&b);
}

static void case_layouts(conf *c)
{
  static const int sizes[] = {0, 1, 31, 67}, dims[] = {1, 3, 8};
  double x[67 * 8 * 2];
  for (int s = 0; s < 4; s++) {
    pl_set *set = conf_set(c, sizes[s], "set");
    for (int type = 0; type < PL_TYPE_COUNT; type++)
      for (int d = 0; d < 3; d++) {
        number((pl_type)type, x, (size_t)sizes[s] * (size_t)dims[d]);
        for (int pair = 0; pair < 16; pair++)
          go_round(c, set, dims[d], (pl_type)type, x, layouts[pair / 4], layouts[pair % 4]);
      }
  }
}

PL_KERNEL(state_mix, (double to[3], const double *const from[2], const int16_t n[3]), {
  to[0] = from[0][1] + n[2];
  to[1] = from[1][2] + n[0];
  to[2] = from[0][0] - n[1];
})

/* A loop whose dats have three layouts, each chosen at the first upload and kept. */
static void case_mixed_layouts(conf *c)
{
  enum { N = 45 };
  double from[3 * N], to[3 * N];
  int16_t n[3 * N];
  int index[2 * N];
  for (int i = 0; i < 3 * N; i++) from[i] = i, n[i] = (int16_t)(100 - i);
  for (int i = 0; i < 2 * N; i++) index[i] = conf_below(c, N);
  for (int e = 0; e < N; e++) {
    const double *p = from + 3 * (size_t)index[2 * e], *q = from + 3 * (size_t)index[2 * e + 1];
    to[3 * e] = p[1] + n[3 * e + 2];
    to[3 * e + 1] = q[2] + n[3 * e];
    to[3 * e + 2] = p[0] - n[3 * e + 1];
  }
  pl_set *set = conf_set(c, N, "set");
  pl_map *map = conf_map(c, set, set, 2, index, "map");
  for (int k = 0; k < 4; k++) {
    pl_loop *loop = NULL;
    pl_dat *dfrom = conf_dat(c, set, 3, PL_DOUBLE, from, "from"), *dn = conf_dat(c, set, 3, PL_INT16, n, "n"),
           *dto = conf_dat(c, set, 3, PL_DOUBLE, NULL, "to");
    OK(pl_set_option(c->pl, "layout", layouts[k]));
    OK(pl_dat_to_device(dfrom));
    OK(pl_set_option(c->pl, "layout", layouts[(k + 1) % 4]));
    OK(pl_dat_to_device(dn));
    OK(pl_loop_create(&loop, state_mix, set, DIRECT(dto, PL_WRITE), pl_arg_dat(dfrom, PL_ALL, map, PL_READ),
                      DIRECT(dn, PL_READ)));
    OK(pl_set_option(c->pl, "layout",
                     layouts[(k + 2) % 4])); /* after the loop was compiled for another layout */
    OK(pl_loop_run(loop));
    SAME(dto, to);
    OK(pl_set_option(c->pl, "layout", layouts[(k + 3) % 4]));
    OK(pl_loop_run(loop));
    SAME(dto, to);
    pl_loop_free(&loop);
  }
}

const conf_case conf_states[] = {
  {"coherence: every state and action", "P54 P55", case_table, CONF_EAGER},
  {"a read does not make a stale copy valid", "P54", case_look_leaves_stale, 0},
  {"a partial write keeps the rest", "P54", case_write_keeps_halo, 0},
  {"a dat written and read in one loop", "P54", case_write_and_read, 0},
  {"explicit transfers with open views", "P55", case_open_views, 0},
  {"copies and zeros stay on the device", "P54", case_copies, CONF_EAGER},
  {"results stay on the device until they are read", "P51 P54", case_results, CONF_EAGER},
  {"a global set by the host is uploaded once", "P54", case_set_global, CONF_EAGER},
  {"a const gets a new value", "P23 P54", case_set_const, CONF_EAGER},
  {"no dat is transferred after the first iteration", "P54", case_iterations, CONF_NEEDS_JIT | CONF_EAGER},
  {"layouts keep every value", "P25", case_layouts, 0},
  {"dats of several layouts in one loop", "P25", case_mixed_layouts, 0},
  {NULL, NULL, NULL, 0},
};
