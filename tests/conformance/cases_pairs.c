/* SPDX-License-Identifier: BSD-2-Clause
 * Pair loops: neighbour lists compared with all pairs of random states, symmetric increments, ignored
 * globals, list renewal, boxes of any shape, invalid particles.
 */
#include "conformance.h"
#include <math.h>

/* ---- a state, and the same by brute force ---- */

enum { MOST = 420 };

/* Exact results of a kernel: numbers of pairs and sums of integers. */
typedef struct found {
  int64_t pairs, ids; /* of all pairs; the sum of (id + 1) * (id' + 1) */
  double count[MOST], partner[MOST], balance[MOST];
  double force[MOST][3], energy;
} found;

typedef struct state {
  int dim, n;
  double low[3], high[3];
  int periodic[3];
  double cutoff, skin;
  double x[MOST * 3];
  pl_domain *domain;
  pl_set *set;
  pl_dat *position, *id, *count, *partner, *balance, *force;
  pl_global *pairs, *ids, *energy;
  pl_map *map;
} state;

static double unit(conf *c)
{
  return (double)conf_below(c, 1 << 30) / (1 << 30);
}

static void place_randomly(conf *c, state *s)
{
  for (int i = 0; i < s->n; i++)
    for (int a = 0; a < s->dim; a++) s->x[i * s->dim + a] = s->low[a] + (s->high[a] - s->low[a]) * unit(c);
}

static void declare_state(conf *c, state *s, pl_type type)
{
  float single[MOST * 3];
  for (int k = 0; k < s->n * s->dim; k++) {
    single[k] = (float)s->x[k];
    if (type == PL_FLOAT) s->x[k] = single[k];
  }
  double id[MOST];
  for (int i = 0; i < s->n; i++) id[i] = i + 1;
  OK(pl_decl_domain(c->pl, s->dim, s->low, s->high, s->periodic, "box", &s->domain));
  s->set = conf_set(c, s->n, "particles");
  s->position = conf_dat(c, s->set, s->dim, type, type == PL_FLOAT ? (void *)single : (void *)s->x, "x");
  s->id = conf_dat(c, s->set, 1, PL_DOUBLE, id, "id");
  s->count = conf_dat(c, s->set, 1, PL_DOUBLE, NULL, "count");
  s->partner = conf_dat(c, s->set, 1, PL_DOUBLE, NULL, "partner");
  s->balance = conf_dat(c, s->set, 1, PL_DOUBLE, NULL, "balance");
  s->force = conf_dat(c, s->set, s->dim, type, NULL, "force");
  s->pairs = conf_global(c, 1, PL_INT64, NULL, "pairs");
  s->ids = conf_global(c, 1, PL_INT64, NULL, "ids");
  s->energy = conf_global(c, 1, PL_DOUBLE, NULL, "energy");
  OK(pl_decl_pair_map(s->position, s->domain, s->cutoff, s->skin, "pairs", &s->map));
}

/* The difference to the nearest image. */
static void difference(const state *s, int i, int j, double d[3])
{
  for (int a = 0; a < s->dim; a++) {
    double length = s->high[a] - s->low[a];
    d[a] = s->x[i * s->dim + a] - s->x[j * s->dim + a];
    if (s->periodic[a]) d[a] -= length * nearbyint(d[a] / length);
  }
}

static void brute_force(const state *s, found *f)
{
  memset(f, 0, sizeof *f);
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->n; j++) {
      double d[3], r2 = 0;
      difference(s, i, j, d);
      for (int a = 0; a < s->dim; a++) r2 += d[a] * d[a];
      if (i == j || !(r2 < s->cutoff * s->cutoff)) continue;
      f->count[i]++;
      f->partner[i] += j + 1;
      f->balance[i] += i - j;
      for (int a = 0; a < s->dim; a++) f->force[i][a] += d[a] * (1 + r2);
      if (i > j) continue;
      f->pairs++;
      f->ids += (int64_t)(i + 1) * (j + 1);
      f->energy += r2;
    }
}

/* ---- the same by pair loops ---- */

PL_KERNEL(pairs_count, (double *count, int64_t *pairs, int64_t *ids, const int64_t *i, const int64_t *j), {
  count[0] += 1;
  pairs[0] += 1;
  ids[0] += (i[0] + 1) * (j[0] + 1);
})
PL_KERNEL(pairs_partner, (double *partner, const double *id), { partner[0] += id[0]; })
PL_KERNEL(pairs_balance, (double *balance, const double d[1]), { balance[0] += d[0]; })
PL_KERNEL(pairs_force3, (pl_real f[3], const pl_real d[3], const pl_real *r2, double *energy), {
  for (int a = 0; a < 3; a++) f[a] += d[a] * (1 + r2[0]);
  if (energy) energy[0] += r2[0];
})
PL_KERNEL(pairs_force2, (pl_real f[2], const pl_real d[2], const pl_real *r2, double *energy), {
  for (int a = 0; a < 2; a++) f[a] += d[a] * (1 + r2[0]);
  if (energy) energy[0] += r2[0];
})
PL_KERNEL(pairs_force1, (pl_real f[1], const pl_real d[1], const pl_real *r2, double *energy), {
  f[0] += d[0] * (1 + r2[0]);
  if (energy) energy[0] += r2[0];
})

static void run_loops(conf *c, state *s, int with_energy)
{
  const pl_kernel *const forces[] = {pairs_force1, pairs_force2, pairs_force3};
  OK(pl_dat_zero(s->count));
  OK(pl_dat_zero(s->partner));
  OK(pl_dat_zero(s->balance));
  OK(pl_dat_zero(s->force));
  OK(pl_global_set(s->pairs, &(int64_t){0}));
  OK(pl_global_set(s->ids, &(int64_t){0}));
  OK(pl_global_set(s->energy, &(double){0}));
  OK(pl_pair_loop(pairs_count, s->map, pl_arg_dat(s->count, PL_BOTH, s->map, PL_INC_SYM),
                  pl_arg_gbl(s->pairs, PL_INC), pl_arg_gbl(s->ids, PL_INC), pl_arg_idx(0, s->map),
                  pl_arg_idx(1, s->map)));
  OK(pl_pair_loop(pairs_partner, s->map, pl_arg_dat(s->partner, 0, s->map, PL_INC),
                  pl_arg_dat(s->id, 1, s->map, PL_READ)));
  OK(pl_pair_loop(pairs_balance, s->map, pl_arg_dat(s->balance, PL_BOTH, s->map, PL_INC_ANTI),
                  pl_arg_difference(s->id)));
  OK(pl_pair_loop(forces[s->dim - 1], s->map, pl_arg_dat(s->force, PL_BOTH, s->map, PL_INC_ANTI),
                  pl_arg_difference(s->position), pl_arg_distance2(s->position),
                  pl_arg_opt(pl_arg_gbl(s->energy, PL_INC), with_energy)));
}

/* Global indices of this rank's particles, in the order of views. */
static const int64_t *ids_here(conf *c, const state *s)
{
  static int64_t ids[MOST];
  OK(pl_set_global(s->set, ids));
  return ids;
}

static void check_force(conf *c, const state *s, const found *f, double tolerance)
{
  double most = 0;
  void *values;
  const int64_t *id = ids_here(c, s);
  bool real = pl_dat_type(s->force) == PL_DOUBLE;
  OK(pl_dat_get(s->force, PL_READ, &values));
  for (int i = 0; i < pl_set_size(s->set); i++)
    for (int a = 0; a < s->dim; a++) {
      int k = i * s->dim + a;
      double got = real ? ((double *)values)[k] : (double)((float *)values)[k];
      most = fmax(most, fabs(got - f->force[id[i]][a]) / (1 + fabs(f->force[id[i]][a])));
    }
  OK(pl_dat_put(s->force));
  CHECK(most < tolerance);
}

static void check_state(conf *c, state *s)
{
  static found f;
  int64_t pairs, ids;
  double energy, tolerance = pl_dat_type(s->position) == PL_DOUBLE ? 1e-11 : 2e-3;
  brute_force(s, &f);
  run_loops(c, s, 1);
  OK(pl_global_get(s->pairs, &pairs));
  OK(pl_global_get(s->ids, &ids));
  OK(pl_global_get(s->energy, &energy));
  CHECK(pairs == f.pairs && ids == f.ids);
  CHECK(fabs(energy - f.energy) <= tolerance * (1 + f.energy));
  SAME(s->count, f.count);
  SAME(s->partner, f.partner);
  SAME(s->balance, f.balance);
  check_force(c, s, &f, tolerance);
  run_loops(c, s, 0);
  OK(pl_global_get(s->energy, &energy));
  CHECK(energy == 0);
  check_force(c, s, &f, tolerance);
}

/* A list has an entry for each pair from both sides, whether the host or the device built it. */
static void check_entries(conf *c, const state *s)
{
  pl_pair_stats stats;
  double *count, sum = 0;
  OK(pl_dat_get(s->count, PL_READ, (void **)&count));
  for (int i = 0; i < pl_set_size(s->set); i++) sum += count[i];
  OK(pl_dat_put(s->count));
  OK(pl_pair_map_stats(s->map, &stats));
  CHECK((double)stats.entries >= sum);
  CHECK(stats.builds > 0 && stats.ghosts >= 0);
}

/* ---- boxes ---- */

typedef struct box {
  int dim, n, periodic[3];
  double length[3], cutoff, skin;
} box;

static const box boxes[] = {
  {3, 400, {1, 1, 1}, {9, 10, 11}, 1.4, 0.3}, {3, 300, {1, 1, 1}, {2.8, 9, 2.9}, 1.4, 0.3},
  {3, 200, {0, 0, 0}, {5, 5, 5}, 1.1, 0},     {3, 250, {1, 0, 1}, {4, 7, 3}, 1.5, 1.2},
  {2, 300, {1, 1, 0}, {12, 12, 0}, 1, 0.2},   {2, 300, {0, 0, 0}, {30, 3, 0}, 1, 0.5},
  {1, 50, {1, 0, 0}, {10, 0, 0}, 1, 0.1},     {3, 2, {1, 1, 1}, {4, 4, 4}, 2, 0.5},
  {2, 1, {0, 0, 0}, {4, 4, 0}, 2, 0.5},       {3, 0, {1, 1, 1}, {4, 4, 4}, 1, 0.5},
  {3, 200, {1, 1, 1}, {2.5, 9, 2.5}, 1, 1.5}};

static void set_box(state *s, const box *b)
{
  *s = (state){.dim = b->dim, .n = b->n, .cutoff = b->cutoff, .skin = b->skin};
  for (int a = 0; a < 3; a++) {
    s->periodic[a] = b->periodic[a];
    s->low[a] = -1.5 * a;
    s->high[a] = s->low[a] + b->length[a];
  }
}

static void case_boxes(conf *c)
{
  static state s;
  size_t most =
    c->device && c->variant->block_size ? 1 : sizeof boxes / sizeof *boxes; /* its compilers are slow */
  for (size_t k = 0; k < most; k++) {
    set_box(&s, &boxes[k]);
    place_randomly(c, &s);
    declare_state(c, &s, PL_DOUBLE);
    check_state(c, &s);
    check_entries(c, &s);
  }
}

/* A box of any shape: shortest periodic axes, flat, long, off the origin; cutoffs and skins of any size;
 * particles everywhere, in a corner, or at the faces. */
static void set_random_box(conf *c, state *s)
{
  *s = (state){.dim = 1 + conf_below(c, 3), .n = conf_below(c, 5) ? conf_below(c, 300) : conf_below(c, 4)};
  s->cutoff = 0.2 + 2 * unit(c);
  s->skin = conf_below(c, 4) ? unit(c) * s->cutoff * 1.5 : 0;
  for (int a = 0; a < s->dim; a++) {
    double least = fmax(2 * s->cutoff, s->cutoff + s->skin) * (1 + 1e-9);
    s->periodic[a] = conf_below(c, 2);
    s->low[a] = 20 * (unit(c) - 0.5);
    double length = conf_below(c, 3) ? least * (1 + 3 * unit(c) * unit(c)) : s->periodic[a] ? least : 0.01;
    s->high[a] = s->low[a] + length;
  }
  place_randomly(c, s);
  int where = conf_below(c, 3);
  for (int k = 0; k < s->n * s->dim; k++) {
    int a = k % s->dim;
    if (where == 1) s->x[k] = s->low[a] + 0.3 * (s->x[k] - s->low[a]);
    if (where == 2 && !conf_below(c, 6)) s->x[k] = s->low[a];
    if (where == 2 && !conf_below(c, 6) && !s->periodic[a]) s->x[k] = s->high[a];
  }
}

static void case_any_box(conf *c)
{
  static state s;
  for (int round = 0; round < (c->device ? 3 : 12); round++) {
    set_random_box(c, &s);
    declare_state(c, &s, PL_DOUBLE);
    check_state(c, &s);
    check_entries(c, &s);
  }
}

static void case_float(conf *c)
{
  static state s;
  set_box(&s, &boxes[1]);
  place_randomly(c, &s);
  declare_state(c, &s, PL_FLOAT);
  check_state(c, &s);
}

static void case_half(conf *c)
{
  static state s;
  if (c->device) return; /* pairs are counted from both sides */
  OK(pl_set_option(c->pl, "list", "half"));
  for (size_t k = 0; k < 5; k++) {
    set_box(&s, &boxes[k]);
    place_randomly(c, &s);
    declare_state(c, &s, PL_DOUBLE);
    check_state(c, &s);
    check_entries(c, &s);
  }
}

/* ---- increments from zero ---- */

static double bytes_of_call(conf *c, const char *name)
{
  pl_profile_entry entry = {0};
  double found = -1;
  for (int i = 0; pl_profile_at(c->pl, i, &entry) == PL_SUCCESS; i++)
    if (!strcmp(entry.name, name) && entry.calls) found = entry.bytes / (double)entry.calls;
  return found;
}

PL_KERNEL(pairs_zeroed, (double *partner, const double *id), { partner[0] += id[0]; })
PL_KERNEL(pairs_counted, (double *count), {
  if (count) count[0] += 1;
})

static void count_from_zero(conf *c, const state *s, const found *f)
{
  const pl_arg count = pl_arg_dat(s->count, PL_BOTH, s->map, PL_INC_SYM);
  uint64_t version = pl_dat_version(s->count);
  for (int round = 0; round < 2; round++) /* old values do not matter, and the dat is not zeroed twice */
    OK(pl_pair_loop(pairs_counted, s->map, pl_arg_zeroed(count)));
  CHECK(pl_dat_version(s->count) == version + 2);
  SAME(s->count, f->count);
  OK(pl_pair_loop(pairs_counted, s->map, pl_arg_opt(pl_arg_zeroed(count), 0)));
  SAME(s->count, f->count);
}

static void case_zeroed(conf *c)
{
  static state s;
  static found f;
  set_box(&s, &boxes[0]);
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  brute_force(&s, &f);
  const pl_arg partner = pl_arg_dat(s.partner, 0, s.map, PL_INC), id = pl_arg_dat(s.id, 1, s.map, PL_READ);
  OK(pl_pair_loop(pairs_partner, s.map, partner, id));
  for (int round = 0; round < 2; round++) OK(pl_pair_loop(pairs_zeroed, s.map, pl_arg_zeroed(partner), id));
  SAME(s.partner, f.partner);
  const char *jit;
  OK(pl_get_option(c->pl, "jit", &jit));
  if (strcmp(jit, "off")) /* neither read nor written before */
    CHECK(bytes_of_call(c, "pairs_partner") - bytes_of_call(c, "pairs_zeroed") ==
          8.0 * (double)pl_set_size(s.set));
  count_from_zero(c, &s, &f);
  OK(pl_set_option(c->pl, "list", "half"));
  count_from_zero(c, &s, &f);
  FAILS(pl_pair_loop(pairs_zeroed, s.map, partner, pl_arg_zeroed(id)), PL_ERR_ACCESS, "argument 2", "\"id\"",
        "incremented as a whole");
}

PL_KERNEL(pairs_reach, (double sum[1], const double *value), { sum[0] += value[0]; })

/* Through a map, and with conflicting pairs, the dat is zeroed before. */
static void case_zeroed_map(conf *c)
{
  enum { N = 60 };
  int index[N], offset[N + 1] = {0};
  double value[N], there[N] = {0}, own[N], old[N];
  for (int i = 0; i < N; i++) {
    index[i] = conf_below(c, N);
    value[i] = own[i] = conf_below(c, 50);
    old[i] = 1e6;
    offset[i + 1] = i + 1;
  }
  for (int i = 0; i < N; i++) there[index[i]] += value[i];
  pl_set *set = conf_set(c, N, "set");
  pl_map *map = conf_map(c, set, set, 1, index, "map"), *rows;
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, value, "x"), *sum = conf_dat(c, set, 1, PL_DOUBLE, old, "sum");
  for (int round = 0; round < 2; round++)
    OK(pl_par_loop(pairs_reach, set, pl_arg_zeroed(pl_arg_dat(sum, 0, map, PL_INC)), DIRECT(x, PL_READ)));
  SAME(sum, there);
  for (int round = 0; round < 2; round++)
    OK(pl_par_loop(pairs_reach, set, pl_arg_zeroed(DIRECT(sum, PL_INC)), DIRECT(x, PL_READ)));
  SAME(sum, own);
  FAILS(pl_par_loop(pairs_reach, set, pl_arg_zeroed(DIRECT(sum, PL_RW)), DIRECT(x, PL_READ)), PL_ERR_ACCESS,
        "argument 1", "\"sum\"");
  if (pl_ranks(c->pl) > 1) return;
  OK(pl_decl_map_ragged(set, set, offset, index, "rows", &rows));
  OK(pl_pair_loop(pairs_reach, rows, pl_arg_zeroed(pl_arg_dat(sum, 1, rows, PL_INC)),
                  pl_arg_dat(x, 0, rows, PL_READ)));
  SAME(sum, there);
}

/* ---- particles that move ---- */

static void write_positions(conf *c, state *s)
{
  double *x;
  size_t row = (size_t)s->dim * sizeof *x;
  const int64_t *id = ids_here(c, s);
  OK(pl_dat_get(s->position, PL_WRITE, (void **)&x));
  for (int i = 0; i < pl_set_size(s->set); i++) memcpy(x + i * s->dim, s->x + id[i] * s->dim, row);
  OK(pl_dat_put(s->position));
}

/* Whether this rank's particles have the positions s->x, bit by bit. */
static bool positions_kept(conf *c, state *s)
{
  double *x;
  bool same = true;
  size_t row = (size_t)s->dim * sizeof *x;
  const int64_t *id = ids_here(c, s);
  OK(pl_dat_get(s->position, PL_READ, (void **)&x));
  for (int i = 0; i < pl_set_size(s->set); i++) same &= !memcmp(x + i * s->dim, s->x + id[i] * s->dim, row);
  OK(pl_dat_put(s->position));
  return same;
}

PL_KERNEL(pairs_collect, (double all[3 * 420], const double x[3], const int64_t *i), {
  for (int a = 0; a < 3; a++) all[3 * i[0] + a] += x[a];
})

/* Gathers the current s->x on every rank. */
static void read_positions(conf *c, state *s)
{
  static double all[3 * MOST];
  if (pl_ranks(c->pl) == 1) {
    OK(pl_dat_fetch(s->position, s->x));
    return;
  }
  memset(all, 0, sizeof all);
  pl_global *sum = conf_global(c, 3 * MOST, PL_DOUBLE, all, "all");
  OK(pl_par_loop(pairs_collect, s->set, pl_arg_gbl(sum, PL_INC), DIRECT(s->position, PL_READ),
                 pl_arg_idx(PL_ID, PL_DIRECT)));
  OK(pl_global_get(sum, all));
  memcpy(s->x, all, (size_t)s->n * 3 * sizeof *all);
  pl_global_free(&sum);
}

static uint64_t builds(conf *c, const state *s)
{
  pl_pair_stats stats;
  OK(pl_pair_map_stats(s->map, &stats));
  return stats.builds;
}

PL_KERNEL(pairs_drift, (double x[3], const double v[3]), {
  for (int a = 0; a < 3; a++) x[a] += v[a];
})

/* Whether views show all particles in the box. */
static bool are_inside(conf *c, const state *s)
{
  bool inside = true;
  double *x;
  OK(pl_dat_get(s->position, PL_READ, (void **)&x));
  for (int k = 0; k < pl_set_size(s->set) * s->dim; k++)
    inside &= x[k] >= s->low[k % s->dim] && x[k] < s->high[k % s->dim];
  OK(pl_dat_put(s->position));
  return inside;
}

static double pairs_weight; /* for this file's compiler; the kernel gets the declared const */
PL_KERNEL(pairs_weigh, (double *count), { count[0] += pairs_weight; })

static void case_const(conf *c)
{
  static state s;
  static found f;
  const double weight = 3;
  set_box(&s, &boxes[1]);
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  brute_force(&s, &f);
  OK(pl_decl_const(c->pl, "pairs_weight", 1, PL_DOUBLE, &weight, NULL));
  OK(pl_dat_zero(s.count));
  OK(pl_pair_loop(pairs_weigh, s.map, pl_arg_dat(s.count, PL_BOTH, s.map, PL_INC_SYM)));
  for (int i = 0; i < s.n; i++) f.count[i] *= weight;
  SAME(s.count, f.count);
}

/* Small steps keep the list until half the skin is exceeded; large jumps are wrapped. */
static void case_moving(conf *c)
{
  static state s;
  double v[MOST * 3];
  set_box(&s, &boxes[0]);
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  for (int k = 0; k < s.n * 3; k++) v[k] = 0.08 * (unit(c) - 0.5);
  v[5] = 0.06;
  pl_dat *velocity = conf_dat(c, s.set, 3, PL_DOUBLE, v, "v");
  check_state(c, &s);
  CHECK(builds(c, &s) == 1);
  for (int step = 1; step <= 12; step++) {
    OK(pl_par_loop(pairs_drift, s.set, DIRECT(s.position, PL_RW), DIRECT(velocity, PL_READ)));
    read_positions(c, &s);
    check_state(c, &s);
  }
  uint64_t so_far = builds(c, &s);
  CHECK(so_far > 2 && so_far < 12);
  check_state(c, &s);
  CHECK(builds(c, &s) == so_far);
  for (int i = 0; i < s.n; i++)
    for (int a = 0; a < 3; a++) s.x[3 * i + a] += (conf_below(c, 7) - 3) * (s.high[a] - s.low[a]);
  write_positions(c, &s);
  check_state(c, &s);
  CHECK(are_inside(c, &s));
  read_positions(c, &s);
  for (int a = 0; a < 3; a++) s.high[a] += 1;
  OK(pl_domain_resize(s.domain, s.low, s.high));
  check_state(c, &s);
}

/* Pairs just out of reach approach each other until they are nearer than the cutoff, and only one of the two
 * has then moved further than half the skin: lists are kept until then, in step 10. */
static void case_approaching(conf *c)
{
  enum { PAIRS = 40, STEPS = 12, MISSING = 10 };
  static state s;
  double v[MOST * 3] = {0};
  set_box(&s, &boxes[0]);
  place_randomly(c, &s);
  for (int k = 0; k < PAIRS; k++) {
    const double *x = s.x + 6 * k;
    memcpy(s.x + 6 * k + 3, x, 3 * sizeof *x);
    s.x[6 * k + 3] += s.cutoff + 1.02 * s.skin;
    if (s.x[6 * k + 3] >= s.high[0]) s.x[6 * k + 3] -= s.high[0] - s.low[0];
    v[6 * k] = 0.066 * s.skin;
    v[6 * k + 3] = -0.04 * s.skin;
  }
  declare_state(c, &s, PL_DOUBLE);
  pl_dat *velocity = conf_dat(c, s.set, 3, PL_DOUBLE, v, "v");
  check_state(c, &s);
  for (int step = 1; step <= STEPS; step++) {
    OK(pl_par_loop(pairs_drift, s.set, DIRECT(s.position, PL_RW), DIRECT(velocity, PL_READ)));
    read_positions(c, &s);
    check_state(c, &s);
    CHECK(builds(c, &s) == (step < MISSING ? 1 : 2));
  }
}

/* ---- particles in random motion ---- */

/* Boxes with and without periodic sides; in two of them ways are limited by their length. */
static const box walks[] = {
  {3, 400, {1, 1, 1}, {5, 6, 4}, 1, 0.4},     {3, 400, {0, 1, 0}, {5, 4, 6}, 1, 0.3},
  {2, 300, {1, 1, 0}, {9, 8, 0}, 1, 0.3},     {2, 300, {0, 0, 0}, {9, 4, 0}, 1, 0.5},
  {1, 100, {1, 0, 0}, {20, 0, 0}, 1, 0.3},    {1, 60, {0, 0, 0}, {25, 0, 0}, 1, 0.4},
  {3, 200, {1, 1, 1}, {2.5, 2.125, 4}, 1, 1}, {1, 30, {1, 0, 0}, {2.125, 0, 0}, 1, 1},
  {3, 1, {1, 1, 1}, {4, 4, 4}, 1, 0.5}};

/* A multiple of 1/1024: sums are exact, and distances near the cutoff, in single precision too. */
static double rounded(double x)
{
  return nearbyint(x * 1024) / 1024;
}

/* The next velocities: a particle goes straight on for some steps; every third one is fast. At walls it turns
 * back. */
static void choose_way(conf *c, const state *s, double *v)
{
  for (int i = 0; i < s->n; i++) {
    const double most = s->skin * (i % 3 ? 0.02 : 0.18) / sqrt(s->dim);
    const bool turns = !conf_below(c, 8);
    for (int a = 0; a < s->dim; a++) {
      const double x = s->x[i * s->dim + a];
      double *u = &v[i * s->dim + a];
      if (turns || *u == 0) *u = rounded(most * (conf_below(c, 2) ? 1 : -1) * (0.7 + 0.3 * unit(c)));
      if (!s->periodic[a] && (x + *u < s->low[a] || x + *u > s->high[a])) *u = -*u;
    }
  }
}

/* Moves the particles, and those of the model, which are not wrapped. */
static void walk(conf *c, state *s, const double *v)
{
  void *x;
  const int64_t *id = ids_here(c, s);
  OK(pl_dat_get(s->position, PL_RW, &x));
  for (int k = 0; k < pl_set_size(s->set) * s->dim; k++) {
    const double way = v[id[k / s->dim] * s->dim + k % s->dim];
    if (pl_dat_type(s->position) == PL_DOUBLE)
      ((double *)x)[k] += way;
    else
      ((float *)x)[k] += (float)way;
  }
  OK(pl_dat_put(s->position));
  for (int k = 0; k < s->n * s->dim; k++) s->x[k] += v[k];
}

/* Counts the pairs alone. */
static void check_pairs(conf *c, const state *s)
{
  static found f;
  int64_t pairs, ids;
  brute_force(s, &f);
  OK(pl_dat_zero(s->count));
  OK(pl_global_set(s->pairs, &(int64_t){0}));
  OK(pl_global_set(s->ids, &(int64_t){0}));
  OK(pl_pair_loop(pairs_count, s->map, pl_arg_dat(s->count, PL_BOTH, s->map, PL_INC_SYM),
                  pl_arg_gbl(s->pairs, PL_INC), pl_arg_gbl(s->ids, PL_INC), pl_arg_idx(0, s->map),
                  pl_arg_idx(1, s->map)));
  OK(pl_global_get(s->pairs, &pairs));
  OK(pl_global_get(s->ids, &ids));
  CHECK(pairs == f.pairs && ids == f.ids);
  SAME(s->count, f.count);
}

/* No pair is missing in any step. */
static void case_walk(conf *c)
{
  enum { STEPS = 30 };
  static state s;
  static double v[MOST * 3];
  const size_t most = c->device ? 2 : sizeof walks / sizeof *walks;
  for (size_t k = 0; k < 2 * most; k++) {
    set_box(&s, &walks[k / 2]);
    place_randomly(c, &s);
    for (int i = 0; i < s.n * s.dim; i++) s.x[i] = rounded(s.x[i]);
    memset(v, 0, sizeof v);
    declare_state(c, &s, k % 2 ? PL_FLOAT : PL_DOUBLE);
    for (int step = 0; step < STEPS; step++) {
      check_pairs(c, &s);
      choose_way(c, &s, v);
      walk(c, &s, v);
    }
  }
}

/* Particle 1 beyond reach of particle 0, often across a side or along an axis, and the others anywhere. to[]:
 * ways of both, towards each other, by 0.3 to 0.9 skins. */
static void place_two(conf *c, state *s, double *to)
{
  const double apart = s->cutoff + s->skin * (1.02 + 0.3 * unit(c)), first = s->skin * (0.3 + 0.6 * unit(c)),
               second = s->skin * (0.3 + 0.6 * unit(c));
  double way[3], length = 0;
  const int along = conf_below(c, 2 * s->dim);
  for (int a = 0; a < s->dim; a++) {
    way[a] = along < s->dim ? along == a : unit(c) - 0.5;
    length += way[a] * way[a];
  }
  place_randomly(c, s);
  for (int a = 0; a < s->dim; a++) {
    const int side = conf_below(c, 3);
    double *x = s->x + a, *other = x + s->dim, unit_way = way[a] / sqrt(length) * (conf_below(c, 2) ? 1 : -1);
    if (side) *x = side == 1 ? s->low[a] + 0.01 : s->high[a] - 0.01;
    if (!s->periodic[a]) *x = (s->low[a] + s->high[a]) / 2;
    *other = *x + apart * unit_way;
    to[a] = first * unit_way;
    to[s->dim + a] = -second * unit_way;
  }
}

/* Two particles meet, so that one pair alone makes the list stale. */
static void case_meet(conf *c)
{
  enum { STEPS = 4 };
  static state s;
  static double v[MOST * 3], to[MOST * 3], x[MOST * 3];
  for (int k = 0; k < (c->device ? 2 : 16); k++) {
    const size_t size = sizeof x;
    set_box(&s, &walks[k / 2]);
    s.n = 60;
    place_randomly(c, &s);
    for (int i = 0; i < s.n * s.dim; i++) s.x[i] = rounded(s.x[i]);
    declare_state(c, &s, k % 2 ? PL_FLOAT : PL_DOUBLE);
    for (int round = 0; round < (c->device ? 10 : 50); round++) {
      memcpy(x, s.x, size);
      memset(to, 0, size);
      place_two(c, &s, to);
      for (int i = 0; i < s.n * s.dim; i++) v[i] = rounded(s.x[i]) - x[i];
      memcpy(s.x, x, size);
      for (int step = 0; step <= STEPS; step++) {
        walk(c, &s, v);
        check_pairs(c, &s);
        for (int i = 0; i < s.n * s.dim; i++) v[i] = rounded(to[i] / STEPS);
      }
    }
  }
}

/* Views show the positions that a list wrapped, even if its rows had to grow: of the first list, and of one
 * after the particles have moved together. */
static void case_crowded(conf *c)
{
  static state s;
  set_box(&s, &boxes[1]);
  place_randomly(c, &s);
  for (int k = 0; k < s.n * 3; k++) s.x[k] += (conf_below(c, 7) - 3) * (s.high[k % 3] - s.low[k % 3]);
  declare_state(c, &s, PL_DOUBLE);
  check_state(c, &s);
  CHECK(are_inside(c, &s));
  read_positions(c, &s);
  for (int k = 0; k < s.n * 3; k++) {
    const double low = s.low[k % 3], length = s.high[k % 3] - low;
    s.x[k] = low + 0.4 * (s.x[k] - low) + (conf_below(c, 7) - 3) * length;
  }
  write_positions(c, &s);
  check_state(c, &s);
  CHECK(are_inside(c, &s));
  CHECK(builds(c, &s) == 2);
}

/* Checks run each loop on the host too, although a device may have built the list. */
static void case_checked(conf *c)
{
  static state s;
  set_box(&s, &boxes[0]);
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  check_state(c, &s);
  OK(pl_set_option(c->pl, "check", "1"));
  check_state(c, &s);
  read_positions(c, &s);
  for (int k = 0; k < s.n * 3; k++) s.x[k] += 0.3 * (unit(c) - 0.5);
  write_positions(c, &s);
  check_state(c, &s);
  OK(pl_set_option(c->pl, "check", "0"));
  check_state(c, &s);
}

/* ---- particles that change ranks ---- */

/* A particle's data: its id in dats of several sizes. */
typedef struct marks {
  pl_dat *whole, *pair, *byte;
} marks;

static void declare_marks(conf *c, const state *s, marks *m)
{
  static int64_t whole[MOST];
  static float pair[2 * MOST];
  static uint8_t byte[3 * MOST];
  for (int i = 0; i < s->n; i++) {
    whole[i] = 1000003 * (int64_t)i;
    pair[2 * i] = (float)i;
    pair[2 * i + 1] = (float)-i;
    for (int k = 0; k < 3; k++) byte[3 * i + k] = (uint8_t)(i >> 3 * k & 7);
  }
  m->whole = conf_dat(c, s->set, 1, PL_INT64, whole, "whole");
  m->pair = conf_dat(c, s->set, 2, PL_FLOAT, pair, "pair");
  m->byte = conf_dat(c, s->set, 3, PL_UINT8, byte, "byte");
}

static void check_marks(conf *c, const state *s, const marks *m)
{
  const int64_t *id = ids_here(c, s), *whole;
  const float *pair;
  const uint8_t *byte;
  bool good = true;
  OK(pl_dat_get(m->whole, PL_READ, (void **)&whole));
  OK(pl_dat_get(m->pair, PL_READ, (void **)&pair));
  OK(pl_dat_get(m->byte, PL_READ, (void **)&byte));
  for (int i = 0; i < pl_set_size(s->set); i++) {
    good &= whole[i] == 1000003 * id[i] && (!i || pl_ranks(c->pl) > 1 || id[i] > id[i - 1]);
    good &= pair[2 * i] == (float)id[i] && pair[2 * i + 1] == (float)-id[i];
    for (int k = 0; k < 3; k++) good &= byte[3 * i + k] == (uint8_t)(id[i] >> 3 * k & 7);
  }
  CHECK(good);
  OK(pl_dat_put(m->whole));
  OK(pl_dat_put(m->pair));
  OK(pl_dat_put(m->byte));
}

PL_KERNEL(pairs_census, (int64_t * n, double p[3], const double f[3]), {
  n[0]++;
  for (int a = 0; a < 3; a++) p[a] += f[a];
})

/* No particle is lost or duplicated, and forces between pairs cancel. */
static void check_census(conf *c, const state *s)
{
  int64_t n;
  double p[3];
  pl_global *count = conf_global(c, 1, PL_INT64, NULL, "count"),
            *sum = conf_global(c, 3, PL_DOUBLE, NULL, "sum");
  OK(pl_par_loop(pairs_census, s->set, pl_arg_gbl(count, PL_INC), pl_arg_gbl(sum, PL_INC),
                 DIRECT(s->force, PL_READ)));
  OK(pl_global_get(count, &n));
  OK(pl_global_get(sum, p));
  CHECK(n == s->n && fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2]))) < 1e-10);
  pl_global_free(&count);
  pl_global_free(&sum);
}

/* Small steps and large jumps, into corners so that ranks become empty, and two lists over the same
 * particles. */
static void case_travel(conf *c)
{
  static state s;
  marks m;
  pl_map *wide, *near;
  set_box(&s, &boxes[1]);
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  declare_marks(c, &s, &m);
  OK(pl_decl_pair_map(s.position, s.domain, s.cutoff / 2, 0.05, "near", &near));
  wide = s.map;
  for (int round = 0; round < (c->device ? 4 : 8); round++) {
    double size = round % 4 == 3 ? 0.01 : 1; /* all in one corner */
    for (int k = 0; k < s.n * 3; k++) {
      double length = s.high[k % 3] - s.low[k % 3];
      s.x[k] = round % 2 ? s.low[k % 3] + length * size * unit(c) : s.x[k] + 0.2 * (unit(c) - 0.5);
    }
    write_positions(c, &s);
    check_state(c, &s);
    read_positions(c, &s);
    s.map = near;
    s.cutoff /= 2;
    check_state(c, &s);
    s.map = wide;
    s.cutoff *= 2;
    check_state(c, &s);
    check_census(c, &s);
    check_marks(c, &s, &m);
  }
}

/* Particles whose lists a device builds stay there when they migrate: besides halo data, only lists of ids
 * come to the host, less than any dat of three values. */
static void case_stay(conf *c)
{
  enum { N = 3000, STEPS = 5, LISTS = 20 /* bytes per particle and build */ };
  static double x[3 * N], v[3 * N], id[N];
  const double low[3] = {0, 0, 0}, high[3] = {12, 12, 12};
  const int periodic[3] = {1, 1, 0};
  for (int k = 0; k < 3 * N; k++) {
    x[k] = 1 + 10 * unit(c);
    v[k] = 0.1 * (unit(c) - 0.5);
  }
  for (int i = 0; i < N; i++) id[i] = i;
  pl_set *set = conf_set(c, N, "particles");
  pl_dat *dx = conf_dat(c, set, 3, PL_DOUBLE, x, "x"), *dv = conf_dat(c, set, 3, PL_DOUBLE, v, "v");
  pl_dat *did = conf_dat(c, set, 1, PL_DOUBLE, id, "id"), *sum = conf_dat(c, set, 1, PL_DOUBLE, NULL, "sum");
  pl_domain *box;
  pl_map *pairs;
  OK(pl_decl_domain(c->pl, 3, low, high, periodic, "box", &box));
  OK(pl_decl_pair_map(dx, box, 1, 0.02, "near", &pairs));
  pl_stats before, after;
  pl_pair_stats had, has;
  for (int step = 0; step < 1 + STEPS; step++) {
    OK(pl_pair_loop(pairs_partner, pairs, pl_arg_dat(sum, 0, pairs, PL_INC),
                    pl_arg_dat(did, 1, pairs, PL_READ)));
    if (!step) OK(pl_get_stats(c->pl, &before));
    if (!step) OK(pl_pair_map_stats(pairs, &had));
    OK(pl_par_loop(pairs_drift, set, DIRECT(dx, PL_RW), DIRECT(dv, PL_READ)));
  }
  OK(pl_get_stats(c->pl, &after));
  OK(pl_pair_map_stats(pairs, &has));
  CHECK(has.builds - had.builds == STEPS);
  uint64_t halos = after.halo_bytes - before.halo_bytes, lists = (uint64_t)pl_set_size(set) * LISTS * STEPS;
  CHECK(after.bytes_from_device - before.bytes_from_device <= halos + lists);
}

/* Objects that prevent particles from migrating are named in the message; nothing is changed. */
static void case_tied(conf *c)
{
  static state s;
  if (pl_ranks(c->pl) == 1) return; /* particles stay */
  set_box(&s, &boxes[0]);
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  pl_set *corner = conf_subset(c, s.set, 2, (int[]){1, 3});
  FAILS(pl_pair_loop(pairs_partner, s.map, pl_arg_dat(s.partner, 0, s.map, PL_INC),
                     pl_arg_dat(s.id, 1, s.map, PL_READ)),
        PL_ERR_STATE, "\"particles\"", "subset", "free it first");
  CHECK(positions_kept(c, &s));
  pl_set_free(&corner);
  void *id;
  OK(pl_dat_get(s.id, PL_READ, &id));
  FAILS(pl_pair_loop(pairs_partner, s.map, pl_arg_dat(s.partner, 0, s.map, PL_INC),
                     pl_arg_dat(s.id, 1, s.map, PL_READ)),
        PL_ERR_STATE, "\"id\"", "pl_dat_put");
  OK(pl_dat_put(s.id));
  check_state(c, &s);
}

/* ---- particles that are added and removed ---- */

static void place_particle(conf *c, state *s, double *x)
{
  for (int a = 0; a < s->dim; a++) x[a] = s->low[a] + (s->high[a] - s->low[a]) * unit(c);
}

/* Adds particles at the end and removes some; the model is s->x, ids are renumbered. */
static void come_and_go(conf *c, state *s)
{
  double *x, *id;
  int gone[8], ngone = s->n ? conf_below(c, 8) : 0, come = conf_below(c, s->n < MOST - 20 ? 12 : 1);
  for (int k = 0; k < ngone; k++) gone[k] = conf_below(c, s->n);
  OK(pl_set_remove(s->set, ngone, gone));
  for (int i = s->n - 1; i >= 0; i--)
    for (int k = 0; k < ngone; k++)
      if (gone[k] == i) {
        memmove(s->x + 3 * i, s->x + 3 * (i + 1), (size_t)(s->n - i - 1) * 3 * sizeof *s->x);
        s->n--;
        break;
      }
  OK(pl_set_resize(s->set, s->n + come));
  OK(pl_dat_get(s->position, PL_RW, (void **)&x));
  CHECK(!memcmp(x, s->x, (size_t)s->n * 3 * sizeof *x));
  for (int k = 0; k < come; k++, s->n++) {
    place_particle(c, s, s->x + 3 * s->n);
    memcpy(x + 3 * s->n, s->x + 3 * s->n, 3 * sizeof *x);
  }
  OK(pl_dat_put(s->position));
  OK(pl_dat_get(s->id, PL_WRITE, (void **)&id));
  for (int i = 0; i < s->n; i++) id[i] = i + 1;
  OK(pl_dat_put(s->id));
}

static void case_dynamic(conf *c)
{
  static state s;
  set_box(&s, &boxes[0]);
  s.n = 60;
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  for (int round = 0; round < (c->device ? 12 : 60); round++) {
    come_and_go(c, &s);
    CHECK(pl_set_size(s.set) == s.n);
    check_state(c, &s);
  }
}

/* ---- the same on ranks and with renumbering ---- */

typedef struct crowd {
  int n, tag[MOST]; /* present ones, in order of arrival */
  double x[1 << 14][3];
} crowd;

/* For each particle the sum of its neighbours' tags. */
static double tags_near(const state *s, const crowd *m, int tag)
{
  double sum = 0;
  for (int k = 0; k < m->n; k++) {
    double r2 = 0;
    for (int a = 0; a < s->dim; a++) {
      double length = s->high[a] - s->low[a], d = m->x[tag][a] - m->x[m->tag[k]][a];
      if (s->periodic[a]) d -= length * nearbyint(d / length);
      r2 += d * d;
    }
    if (m->tag[k] != tag && r2 < s->cutoff * s->cutoff) sum += m->tag[k] + 1;
  }
  return sum;
}

static void check_crowd(conf *c, state *s, const crowd *m)
{
  double *id, *partner, *x;
  int64_t n = pl_set_size(s->set), all = 0;
  bool good = true;
  OK(pl_dat_zero(s->partner));
  OK(pl_pair_loop(pairs_partner, s->map, pl_arg_dat(s->partner, 0, s->map, PL_INC),
                  pl_arg_dat(s->id, 1, s->map, PL_READ)));
  OK(pl_dat_get(s->id, PL_READ, (void **)&id));
  OK(pl_dat_get(s->partner, PL_READ, (void **)&partner));
  OK(pl_dat_get(s->position, PL_READ, (void **)&x));
  n = pl_set_size(s->set);
  for (int64_t i = 0; i < n; i++) {
    int tag = (int)id[i] - 1;
    good &= tag >= 0 && !memcmp(x + 3 * i, m->x[tag], 3 * sizeof *x) &&
            (!i || pl_ranks(c->pl) > 1 || id[i] > id[i - 1]);
    good &= partner[i] == tags_near(s, m, tag);
  }
  CHECK(good);
  OK(pl_dat_put(s->position));
  OK(pl_dat_put(s->partner));
  OK(pl_dat_put(s->id));
  all = pl_set_global_size(s->set);
  CHECK(all == m->n);
}

/* Rank t % ranks adds tag t. */
static void join_crowd(conf *c, state *s, crowd *m, int come, int *next)
{
  int mine = 0, ranks = pl_ranks(c->pl), me = pl_rank(c->pl);
  for (int t = *next; t < *next + come; t++) mine += t % ranks == me;
  OK(pl_particle_add(s->set, mine, NULL));
  double *x, *id;
  int64_t at = pl_set_size(s->set) - mine;
  OK(pl_dat_get(s->position, PL_RW, (void **)&x));
  OK(pl_dat_get(s->id, PL_RW, (void **)&id));
  for (int t = *next; t < *next + come; t++) {
    for (int a = 0; a < 3; a++) m->x[t][a] = s->low[a] + (s->high[a] - s->low[a]) * unit(c);
    m->tag[m->n++] = t;
    if (t % ranks != me) continue;
    memcpy(x + 3 * at, m->x[t], 3 * sizeof *x);
    id[at++] = t + 1;
  }
  OK(pl_dat_put(s->id));
  OK(pl_dat_put(s->position));
  *next += come;
}

PL_KERNEL(pairs_doomed, (int *flag, const double *id, const int *every, const int *which),
          { flag[0] = (int)id[0] % every[0] == which[0]; })

static void leave_crowd(conf *c, state *s, crowd *m, pl_dat *flag, pl_global *every, pl_global *which)
{
  int e = 2 + conf_below(c, 30), w = conf_below(c, e), kept = 0;
  OK(pl_global_set(every, &e));
  OK(pl_global_set(which, &w));
  OK(pl_par_loop(pairs_doomed, s->set, DIRECT(flag, PL_WRITE), DIRECT(s->id, PL_READ),
                 pl_arg_gbl(every, PL_READ), pl_arg_gbl(which, PL_READ)));
  OK(pl_particle_remove(s->set, flag));
  for (int k = 0; k < m->n; k++)
    if ((m->tag[k] + 1) % e != w) m->tag[kept++] = m->tag[k];
  m->n = kept;
}

static void case_crowd(conf *c)
{
  static state s;
  static crowd m;
  int next, rounds = c->device ? 10 : 30;
  set_box(&s, &boxes[0]);
  s.n = 40;
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  pl_dat *flag = conf_dat(c, s.set, 1, PL_INT32, NULL, "flag");
  pl_global *every = conf_global(c, 1, PL_INT32, NULL, "every"),
            *which = conf_global(c, 1, PL_INT32, NULL, "which");
  for (m.n = 0, next = 0; next < s.n; next++) {
    memcpy(m.x[next], s.x + 3 * next, 3 * sizeof *s.x);
    m.tag[m.n++] = next;
  }
  for (int round = 0; round < rounds; round++) {
    join_crowd(c, &s, &m, conf_below(c, MOST - m.n < 40 ? MOST - m.n : 40), &next);
    if (round % 4) leave_crowd(c, &s, &m, flag, every, which);
    if (round % 3) check_crowd(c, &s, &m);
  }
  check_crowd(c, &s, &m);
}

/* Thousands of steps without pair loops: only the set of particles and its order. */
static void case_thousands(conf *c)
{
  static state s;
  static crowd m;
  int next = 0, rounds = c->device ? 30 : pl_ranks(c->pl) > 1 ? 300 : 10000;
  double *id;
  bool good = true;
  set_box(&s, &boxes[0]);
  declare_state(c, (s.n = 0, &s), PL_DOUBLE);
  pl_dat *flag = conf_dat(c, s.set, 1, PL_INT32, NULL, "flag");
  pl_global *every = conf_global(c, 1, PL_INT32, NULL, "every"),
            *which = conf_global(c, 1, PL_INT32, NULL, "which");
  m.n = 0;
  for (int round = 0; round < rounds && next < (1 << 14) - 8; round++) {
    if (round % 2)
      leave_crowd(c, &s, &m, flag, every, which);
    else
      join_crowd(c, &s, &m, conf_below(c, m.n < 300 ? 6 : 1), &next);
    OK(pl_dat_get(s.id, PL_READ, (void **)&id));
    int64_t n = pl_set_size(s.set);
    if (pl_ranks(c->pl) == 1) good &= n == m.n;
    for (int64_t i = 0, k = 0; i < n; i++, k++) {
      while (k < m.n && m.tag[k] + 1 < id[i]) k++;
      good &= k < m.n && m.tag[k] + 1 == id[i];
    }
    OK(pl_dat_put(s.id));
    good &= pl_set_global_size(s.set) == m.n;
  }
  CHECK(good);
}

/* ---- refused ---- */

static void case_lost(conf *c)
{
  static state s;
  set_box(&s, &boxes[3]);
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  const double bad[] = {s.low[1] - 0.01, NAN, INFINITY, s.high[1] + 1e300};
  const char *const words[] = {"outside the box", "not finite", "not finite", "outside the box"};
  double good = s.x[7 * 3 + 1];
  for (int k = 0; k < 4; k++) {
    s.x[7 * 3 + 1] = bad[k];
    write_positions(c, &s);
    FAILS(pl_pair_loop(pairs_partner, s.map, pl_arg_dat(s.partner, 0, s.map, PL_INC),
                       pl_arg_dat(s.id, 1, s.map, PL_READ)),
          PL_ERR_RANGE, "\"pairs\"", "particle 7 of \"particles\"", words[k]);
    CHECK(positions_kept(c, &s));
  }
  s.x[7 * 3 + 1] = good;
  s.x[3 * 3] = 1e300;
  write_positions(c, &s);
  FAILS(pl_pair_loop(pairs_partner, s.map, pl_arg_dat(s.partner, 0, s.map, PL_INC),
                     pl_arg_dat(s.id, 1, s.map, PL_READ)),
        PL_ERR_RANGE, "particle 3 of \"particles\"");
  s.x[3 * 3] = s.low[0];
  write_positions(c, &s);
  check_state(c, &s);
}

/* ---- kernels that are not what their loops declare ---- */

PL_KERNEL(pairs_lopsided, (double *f, const double *a, const double *b), { f[0] += 2 * a[0] + b[0]; })
PL_KERNEL(pairs_even, (double *f, const double *a, const double *b), { f[0] += a[0] * b[0]; })
PL_KERNEL(pairs_favours, (double *sum, int64_t *n, const double *a, const double *b), {
  sum[0] += a[0] > b[0] ? a[0] : b[0];
  n[0] += a[0] > b[0];
})

static void case_asymmetric(conf *c)
{
  static state s;
  set_box(&s, &boxes[0]);
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  const pl_arg a = pl_arg_dat(s.id, 0, s.map, PL_READ), b = pl_arg_dat(s.id, 1, s.map, PL_READ);
  const pl_arg sym = pl_arg_dat(s.count, PL_BOTH, s.map, PL_INC_SYM),
               anti = pl_arg_dat(s.count, PL_BOTH, s.map, PL_INC_ANTI);
  OK(pl_set_option(c->pl, "check", "1"));
  OK(pl_pair_loop(pairs_even, s.map, sym, a, b));
  FAILS(pl_pair_loop(pairs_lopsided, s.map, sym, a, b), PL_ERR_CHECK, "pairs_lopsided", "PL_INC_SYM",
        "at the pair of", "from its other side");
  FAILS(pl_pair_loop(pairs_even, s.map, anti, a, b), PL_ERR_CHECK, "pairs_even", "PL_INC_ANTI",
        "at the pair of", "from its other side");
  OK(pl_pair_loop(pairs_lopsided, s.map, pl_arg_dat(s.count, 0, s.map, PL_INC), a, b));
  FAILS(pl_pair_loop(pairs_favours, s.map, pl_arg_gbl(s.energy, PL_INC), pl_arg_gbl(s.pairs, PL_INC), a, b),
        PL_ERR_CHECK, "pairs_favours", "argument 2", "the same from both its sides");
  OK(pl_set_option(c->pl, "check", "0"));
}

static void case_refused(conf *c)
{
  static state s;
  const double low[3] = {0}, high[3] = {4, 4, 4};
  double wrong[3] = {4, 0, 4};
  pl_domain *domain = NULL;
  pl_map *map = NULL;
  set_box(&s, &boxes[0]);
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  FAILS(pl_decl_domain(c->pl, 4, low, high, NULL, "d", &domain), PL_ERR_RANGE, "\"d\"", "4 axes");
  FAILS(pl_decl_domain(c->pl, 3, low, wrong, NULL, "d", &domain), PL_ERR_RANGE, "\"d\"", "axis 1");
  FAILS(pl_decl_pair_map(s.id, s.domain, 1, 0, "m", &map), PL_ERR_RANGE, "\"m\"", "\"box\"", "\"id\"");
  FAILS(pl_decl_pair_map(s.position, s.domain, 0, 0, "m", &map), PL_ERR_RANGE, "\"m\"", "cutoff");
  FAILS(pl_decl_pair_map(s.position, s.domain, 1, -1, "m", &map), PL_ERR_RANGE, "\"m\"", "skin");
  FAILS(pl_decl_pair_map(s.position, s.domain, INFINITY, 0, "m", &map), PL_ERR_RANGE, "\"m\"", "infinite");
  FAILS(pl_par_loop(pairs_partner, s.set, DIRECT(s.count, PL_INC), pl_arg_dat(s.id, 1, s.map, PL_READ)),
        PL_ERR_ARG, "argument 2", "pair map", "pl_pair_loop");
  FAILS(pl_pair_loop(pairs_partner, s.map, DIRECT(s.count, PL_INC), pl_arg_dat(s.id, 1, s.map, PL_READ)),
        PL_ERR_ARG, "argument 1", "\"count\"", "PL_BOTH");
  FAILS(pl_pair_loop(pairs_favours, s.map, pl_arg_fixed(pl_arg_gbl(s.pairs, PL_INC), 8),
                     pl_arg_gbl(s.ids, PL_INC), pl_arg_dat(s.id, 0, s.map, PL_READ),
                     pl_arg_dat(s.id, 1, s.map, PL_READ)),
        PL_ERR_ACCESS, "\"pairs\"", "fixed point", "not over pairs");
  FAILS(pl_pair_loop(pairs_partner, s.map, pl_arg_dat(s.count, 2, s.map, PL_INC),
                     pl_arg_dat(s.id, 1, s.map, PL_READ)),
        PL_ERR_RANGE, "argument 1", "side 2");
  FAILS(pl_pair_loop(pairs_partner, s.map, pl_arg_dat(s.count, 1, s.map, PL_INC),
                     pl_arg_dat(s.id, 1, s.map, PL_READ)),
        PL_ERR_ACCESS, "argument 1", "side 0");
  FAILS(pl_pair_loop(pairs_partner, s.map, pl_arg_dat(s.id, 0, s.map, PL_INC),
                     pl_arg_dat(s.id, 1, s.map, PL_READ)),
        PL_ERR_ACCESS, "argument 2", "argument 1", "order of pairs");
  FAILS(pl_pair_loop(pairs_force3, s.map, pl_arg_dat(s.force, PL_BOTH, s.map, PL_INC_ANTI),
                     pl_arg_difference(s.position), pl_arg_distance2(s.position)),
        PL_ERR_KERNEL, "4 parameters", "3 arguments");
  FAILS(pl_decl_pair_map(s.position, s.domain, 4.6, 0.5, "long", &map), PL_ERR_RANGE, "\"long\"", "axis 0",
        "\"box\"", "9.2");
  FAILS(pl_decl_pair_map(s.position, s.domain, 3, 6.1, "long", &map), PL_ERR_RANGE, "axis 0", "9.1");
  OK(pl_decl_pair_map(s.position, s.domain, 4.5, 0.5, "long", &map));
  for (int a = 0; a < 3; a++) wrong[a] = s.low[a] + 8;
  OK(pl_domain_resize(s.domain, s.low, wrong));
  FAILS(
    pl_pair_loop(pairs_partner, map, pl_arg_dat(s.count, 0, map, PL_INC), pl_arg_dat(s.id, 1, map, PL_READ)),
    PL_ERR_RANGE, "\"long\"", "axis 0", "\"box\"", "9");
  pl_domain_free(&s.domain);
  FAILS(
    pl_pair_loop(pairs_partner, map, pl_arg_dat(s.count, 0, map, PL_INC), pl_arg_dat(s.id, 1, map, PL_READ)),
    PL_ERR_STATE, "\"long\"", "freed");
}

/* ---- no list, no box ---- */

static void case_everyone(conf *c)
{
  static state s;
  pl_map *listed;
  set_box(&s, &boxes[2]);
  s.n = 133;
  place_randomly(c, &s);
  declare_state(c, &s, PL_DOUBLE);
  listed = s.map;
  s.cutoff = INFINITY;
  OK(pl_decl_pair_map(s.position, NULL, s.cutoff, 0, "everyone", &s.map));
  check_state(c, &s);
  s.cutoff = 0.7;
  OK(pl_decl_pair_map(s.position, NULL, s.cutoff, 0.1, "free", &s.map));
  check_state(c, &s);
  s.cutoff = boxes[2].cutoff;
  s.map = listed;
  check_state(c, &s);
}

/* ---- ragged maps: entries as listed ---- */

PL_KERNEL(pairs_listed,
          (double *own, double *both, double *other, const double *a, const double *b, int64_t *n), {
            own[0] += b[0];
            both[0] += a[0] * b[0];
            other[0] += a[0];
            n[0] += 1;
          })

static void case_ragged(conf *c)
{
  enum { N = 200 };
  int offset[N + 1] = {0}, value[4 * N];
  double x[N], own[N] = {0}, both[N] = {0}, other[N] = {0};
  for (int i = 0; i < N; i++) {
    offset[i + 1] = offset[i] + conf_below(c, 5);
    x[i] = conf_below(c, 50);
  }
  for (int k = 0; k < offset[N]; k++) value[k] = conf_below(c, N);
  for (int i = 0; i < N; i++)
    for (int k = offset[i]; k < offset[i + 1]; k++) {
      int j = value[k];
      own[i] += x[j];
      both[i] += x[i] * x[j];
      both[j] -= x[i] * x[j];
      other[j] += x[i];
    }
  pl_set *set = conf_set(c, N, "set");
  pl_map *map = conf_ragged_map(c, set, set, offset, value, "rows");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x"), *down = conf_dat(c, set, 1, PL_DOUBLE, NULL, "own"),
         *dboth = conf_dat(c, set, 1, PL_DOUBLE, NULL, "both"),
         *dother = conf_dat(c, set, 1, PL_DOUBLE, NULL, "other");
  pl_global *n = conf_global(c, 1, PL_INT64, NULL, "n");
  int64_t expected = offset[N];
  OK(pl_pair_loop(pairs_listed, map, pl_arg_dat(down, 0, map, PL_INC),
                  pl_arg_dat(dboth, PL_BOTH, map, PL_INC_ANTI), pl_arg_dat(dother, 1, map, PL_INC),
                  pl_arg_dat(dx, 0, map, PL_READ), pl_arg_dat(dx, 1, map, PL_READ), pl_arg_gbl(n, PL_INC)));
  SAME(down, own);
  SAME(dboth, both);
  SAME(dother, other);
  SAME_GLOBAL(n, &expected);
}

const conf_case conf_pairs[] = {
  {"pairs within a cutoff, boxes of any shape", "D02 D03 D04", case_boxes, CONF_MATRIX | CONF_RANKS},
  {"pairs in random boxes", "D03 D04", case_any_box, CONF_RANKS},
  {"pairs in single precision", "D02", case_float, CONF_NEEDS_JIT | CONF_RANKS},
  {"consts in kernels of pairs", "D02", case_const, CONF_RANKS},
  {"each pair once", "D02", case_half, CONF_MATRIX | CONF_RANKS},
  {"increments of pairs from zero", "D08", case_zeroed, CONF_MATRIX | CONF_RANKS},
  {"increments through maps from zero", "D08", case_zeroed_map, CONF_RANKS},
  {"pairs of particles that move", "D03 D04", case_moving, CONF_MATRIX | CONF_RANKS},
  {"pairs of approaching particles", "D03 D04", case_approaching, CONF_MATRIX | CONF_RANKS},
  {"pairs of particles in random motion", "D03 D04", case_walk, CONF_RANKS},
  {"pairs of two particles that meet", "D03 D04", case_meet, CONF_RANKS},
  {"particles wrapped into the box", "D03 D04", case_crowded, CONF_RANKS},
  {"pairs checked", "D02 D03", case_checked, CONF_RANKS},
  {"particles that change ranks", "D06", case_travel, CONF_RANKS},
  {"particles that stay on devices", "D06", case_stay, CONF_RANKS},
  {"objects that prevent migration on ranks", "D06", case_tied, CONF_RANKS},
  {"particles added and removed", "D05", case_dynamic, 0},
  {"particles added and removed on ranks", "D05 D06", case_crowd, CONF_RANKS},
  {"thousands of particles added and removed", "D05", case_thousands, CONF_RANKS},
  {"particles at invalid positions", "D04", case_lost, CONF_RANKS},
  {"declared symmetry checked", "D02", case_asymmetric, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {"pair loops refused", "D02", case_refused, 0},
  {"all pairs, and free space", "D02", case_everyone, CONF_RANKS},
  {"pairs of a ragged map", "D02", case_ragged, CONF_MATRIX | CONF_RANKS},
  {NULL, NULL, NULL, 0}};
