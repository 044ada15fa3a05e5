/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs in chains: bit by bit the results of the loops one by one, whether a device runs the loops
 * over particles that follow in one loop with them or not.
 */
#include "conformance.h"
#include <stdlib.h>

enum { SIDE = 5, N = SIDE * SIDE * SIDE, STEPS = 6 };

static double gas_core, gas_step; /* for this file's compiler; kernels get the declared consts */

typedef struct gas {
  pl_set *set, *some;
  pl_dat *x, *v, *f, *other;
  pl_map *pairs, *next;
  pl_domain *box;
  pl_global *sum;
} gas;

/* A lattice with small displacements. */
static void declare_gas(conf *c, gas *g, pl_type type)
{
  const double low[3] = {0, 0, 0}, high[3] = {SIDE, SIDE, SIDE};
  const int periodic[3] = {1, 1, 1};
  double x[3 * N], v[3 * N];
  float single[2][3 * N];
  int next[N], some[N / 2];
  for (int i = 0; i < N; i++) {
    const int place[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
    for (int a = 0; a < 3; a++) {
      single[0][3 * i + a] = (float)(x[3 * i + a] = place[a] + 0.25 + 0.03125 * (i * (a + 3) % 17));
      single[1][3 * i + a] = (float)(v[3 * i + a] = 0.0625 * (i * (a + 5) % 5 - 2));
    }
    next[i] = (i + 1) % N;
  }
  for (int i = 0; i < N / 2; i++) some[i] = 2 * i;
  const bool real = type == PL_DOUBLE;
  g->set = conf_set(c, N, "gas");
  g->some = conf_subset(c, g->set, N / 2, some);
  g->next = conf_map(c, g->set, g->set, 1, next, "next");
  g->x = conf_dat(c, g->set, 3, type, real ? (void *)x : (void *)single[0], "x");
  g->v = conf_dat(c, g->set, 3, type, real ? (void *)v : (void *)single[1], "v");
  g->f = conf_dat(c, g->set, 3, type, NULL, "f");
  g->other = conf_dat(c, g->set, 3, type, NULL, "other");
  g->sum = conf_global(c, 1, PL_DOUBLE, &(double){0}, "sum");
  OK(pl_decl_domain(c->pl, 3, low, high, periodic, "box", &g->box));
  OK(pl_decl_pair_map(g->x, g->box, 1.25, 0.25, "pairs", &g->pairs));
}

/* Products are exact, so that no compiler changes a bit by contraction. */
PL_KERNEL(gas_force, (pl_real f[3], const pl_real d[3], const pl_real *r2, double *sum), {
  for (int a = 0; a < 3; a++) f[a] += d[a] / (gas_core + r2[0]);
  if (sum) sum[0] += r2[0];
})
PL_KERNEL(gas_drag, (pl_real f[3], const pl_real d[3], const pl_real *r2, const pl_real w[3]), {
  for (int a = 0; a < 3; a++) f[a] += d[a] / (1 + r2[0]) - w[a] / 64;
})
PL_KERNEL(gas_pull, (pl_real f[3], const pl_real x[3]), {
  for (int a = 0; a < 3; a++) f[a] += (1 - x[a]) / 256;
})
PL_KERNEL(gas_kick, (pl_real v[3], const pl_real f[3]), {
  for (int a = 0; a < 3; a++) v[a] += f[a] * gas_step;
})
PL_KERNEL(gas_kick_sum, (pl_real v[3], const pl_real f[3], double *sum), {
  for (int a = 0; a < 3; a++) v[a] += f[a] / 16;
  sum[0] += v[0] + v[1] + v[2];
})
PL_KERNEL(gas_drift, (pl_real x[3], const pl_real v[3]), {
  for (int a = 0; a < 3; a++) x[a] += v[a];
})
PL_KERNEL(gas_take, (pl_real other[3], const pl_real f[3]), {
  for (int a = 0; a < 3; a++) other[a] = f[a];
})
PL_KERNEL(gas_number, (pl_real v[3], const int64_t *i), { v[0] += (i[0] % 3) / 64; })
PL_KERNEL(gas_kick_x, (pl_real * v, const pl_real *f), { v[0] += f[0] / 16; })

/* ---- steps: those that a device of one rank runs as one loop, and others ---- */

static void force(conf *c, gas *g, bool zeroed, bool sum)
{
  const pl_arg f = pl_arg_dat(g->f, PL_BOTH, g->pairs, PL_INC_ANTI);
  OK(pl_pair_loop(gas_force, g->pairs, zeroed ? pl_arg_zeroed(f) : f, pl_arg_difference(g->x),
                  pl_arg_distance2(g->x), pl_arg_opt(pl_arg_gbl(g->sum, PL_INC), sum)));
}

static void kick(conf *c, gas *g)
{
  OK(pl_par_loop(gas_kick, g->set, DIRECT(g->v, PL_RW), DIRECT(g->f, PL_READ)));
}

static void drift(conf *c, gas *g)
{
  OK(pl_par_loop(gas_drift, g->set, DIRECT(g->x, PL_RW), DIRECT(g->v, PL_READ)));
}

static void step_plain(conf *c, gas *g)
{
  force(c, g, true, false);
  kick(c, g);
  drift(c, g);
}

static void step_sum_of_pairs(conf *c, gas *g)
{
  force(c, g, true, true);
  kick(c, g);
  drift(c, g);
}

static void step_added(conf *c, gas *g)
{
  force(c, g, false, false);
  kick(c, g);
  drift(c, g);
}

static void step_more_forces(conf *c, gas *g)
{
  force(c, g, true, false);
  OK(pl_par_loop(gas_pull, g->set, DIRECT(g->f, PL_INC), DIRECT(g->x, PL_READ)));
  kick(c, g);
  drift(c, g);
}

static void step_component(conf *c, gas *g)
{
  force(c, g, true, false);
  OK(pl_par_loop(gas_kick_x, g->set, pl_arg_component(DIRECT(g->v, PL_RW), 0),
                 pl_arg_component(DIRECT(g->f, PL_READ), 0)));
}

static void step_kept(conf *c, gas *g)
{
  force(c, g, true, false);
  OK(pl_par_loop(gas_take, g->set, DIRECT(g->other, PL_WRITE), DIRECT(g->f, PL_READ)));
  drift(c, g);
}

static void step_seen(conf *c, gas *g)
{
  double *f, first = 0;
  force(c, g, true, false);
  kick(c, g);
  OK(pl_dat_get(g->f, PL_READ, (void **)&f));
  first = f[0];
  OK(pl_dat_put(g->f));
  drift(c, g);
  CHECK(first == first);
}

static void step_sum(conf *c, gas *g)
{
  force(c, g, true, false);
  OK(pl_par_loop(gas_kick_sum, g->set, DIRECT(g->v, PL_RW), DIRECT(g->f, PL_READ),
                 pl_arg_gbl(g->sum, PL_INC)));
}

static void step_some(conf *c, gas *g)
{
  force(c, g, true, false);
  OK(pl_par_loop(gas_kick, g->some, DIRECT(g->v, PL_RW), DIRECT(g->f, PL_READ)));
}

static void step_map(conf *c, gas *g)
{
  force(c, g, true, false);
  OK(pl_par_loop(gas_kick, g->set, DIRECT(g->v, PL_RW), pl_arg_dat(g->f, 0, g->next, PL_READ)));
}

static void step_number(conf *c, gas *g)
{
  force(c, g, true, false);
  OK(pl_par_loop(gas_number, g->set, DIRECT(g->v, PL_RW), pl_arg_idx(PL_ID, PL_DIRECT)));
}

static void step_drag(conf *c, gas *g)
{
  OK(pl_pair_loop(gas_drag, g->pairs, pl_arg_zeroed(pl_arg_dat(g->f, PL_BOTH, g->pairs, PL_INC_ANTI)),
                  pl_arg_difference(g->x), pl_arg_distance2(g->x), pl_arg_difference(g->v)));
  kick(c, g);
}

/* `reason`: of the print, why a device does not fuse the last loop; NULL: it fuses all. */
static const struct {
  const char *name, *reason;
  void (*step)(conf *c, gas *g);
} steps[] = {
  {"plain", NULL, step_plain},
  {"sum of pairs", NULL, step_sum_of_pairs},
  {"added", NULL, step_added},
  {"more forces", NULL, step_more_forces},
  {"component", NULL, step_component},
  {"kept", NULL, step_kept},
  {"sum", "\"gas_kick_sum\" has a sum", step_sum},
  {"some", "they run over different sets", step_some},
  {"map", "\"gas_kick\" goes through a map", step_map},
  {"number", "\"gas_number\" needs the numbers of particles", step_number},
  {"drag", "\"gas_drag\" reads \"v\" of other particles and \"gas_kick\" writes it", step_drag},
};

/* ---- cases ---- */

static void same_values(conf *c, pl_dat *a, pl_dat *b)
{
  static double values[3 * N];
  OK(pl_dat_fetch(b, values));
  SAME(a, values);
}

static void same_gas(conf *c, const gas *a, const gas *b)
{
  double sum;
  same_values(c, a->x, b->x);
  same_values(c, a->v, b->v);
  same_values(c, a->f, b->f);
  same_values(c, a->other, b->other);
  OK(pl_global_get(b->sum, &sum));
  SAME_GLOBAL(a->sum, &sum);
}

static char *printed(conf *c, pl_chain *chain)
{
  char folder[256], path[300];
  snprintf(path, sizeof path, "%s/chain.txt", conf_folder(folder));
  OK(pl_chain_print(chain, path));
  return conf_read(path);
}

/* One step in a chain, and what a device's chain says of it. */
static void check_print(conf *c, gas *g, int k)
{
  pl_chain *chain;
  OK(pl_chain_begin(c->pl, steps[k].name, &chain));
  steps[k].step(c, g);
  OK(pl_chain_end(chain));
  char *text = printed(c, chain);
  if (c->device) CHECK(strstr(text, steps[k].reason ? steps[k].reason : "Run as 1 step"));
  free(text);
}

static void declare_consts(conf *c, pl_type type)
{
  const double core = 1, step = 0.0625;
  OK(pl_decl_const_from(c->pl, "gas_core", 1, type, PL_DOUBLE, &core, NULL));
  OK(pl_decl_const_from(c->pl, "gas_step", 1, type, PL_DOUBLE, &step, NULL));
}

static void compare_steps(conf *c, pl_type type, int k)
{
  gas one, chained;
  pl_chain *chain;
  declare_gas(c, &one, type);
  declare_gas(c, &chained, type);
  for (int i = 0; i < STEPS; i++) steps[k].step(c, &one);
  OK(pl_chain_begin(c->pl, "steps", &chain));
  for (int i = 0; i < STEPS; i++) steps[k].step(c, &chained);
  OK(pl_chain_end(chain));
  same_gas(c, &chained, &one);
  steps[k].step(c, &one);
  check_print(c, &chained, k);
  same_gas(c, &chained, &one);
}

static void case_steps(conf *c)
{
  declare_consts(c, PL_DOUBLE);
  for (int k = 0; k < (int)(sizeof steps / sizeof *steps); k++) compare_steps(c, PL_DOUBLE, k);
}

static void case_single(conf *c)
{
  gas one, chained;
  pl_chain *chain;
  float x[3 * N];
  declare_consts(c, PL_FLOAT);
  declare_gas(c, &one, PL_FLOAT);
  declare_gas(c, &chained, PL_FLOAT);
  for (int i = 0; i < STEPS; i++) step_plain(c, &one);
  OK(pl_chain_begin(c->pl, "single", &chain));
  for (int i = 0; i < STEPS; i++) step_plain(c, &chained);
  OK(pl_chain_end(chain));
  OK(pl_dat_fetch(one.x, x));
  SAME(chained.x, x);
}

/* While a loop over pairs is recorded: values are read, statistics, another box, another loop over pairs. */
static void case_between(conf *c)
{
  const double low[3] = {0, 0, 0}, high[3] = {SIDE + 1, SIDE + 1, SIDE};
  gas g[2];
  pl_chain *chain = NULL;
  pl_pair_stats stats[2];
  declare_consts(c, PL_DOUBLE);
  for (int k = 0; k < 2; k++) {
    declare_gas(c, &g[k], PL_DOUBLE);
    if (k) OK(pl_chain_begin(c->pl, "between", &chain));
    step_seen(c, &g[k]);
    force(c, &g[k], true, true);
    OK(pl_pair_map_stats(g[k].pairs, &stats[k]));
    kick(c, &g[k]);
    force(c, &g[k], false, true);
    force(c, &g[k], false, false);
    OK(pl_domain_resize(g[k].box, low, high));
    kick(c, &g[k]);
    drift(c, &g[k]);
    force(c, &g[k], true, false);
    if (k) OK(pl_chain_end(chain));
  }
  CHECK(stats[0].builds == stats[1].builds && stats[0].entries == stats[1].entries);
  same_gas(c, &g[1], &g[0]);
}

/* PLAIT_CHECK compares the fused loop with the loops one by one. It changes results in the order of sums
 * only. */
static void case_checked(conf *c)
{
  const char *const more[] = {"check=1", NULL};
  gas g[2];
  pl_chain *chain;
  pl_context *plain = c->pl;
  declare_consts(c, PL_DOUBLE);
  declare_gas(c, &g[0], PL_DOUBLE);
  for (int i = 0; i < STEPS; i++) step_plain(c, &g[0]);
  OK(conf_open(c, c->variant, more, &c->pl));
  declare_consts(c, PL_DOUBLE);
  declare_gas(c, &g[1], PL_DOUBLE);
  OK(pl_chain_begin(c->pl, "checked", &chain));
  for (int i = 0; i < STEPS; i++) step_plain(c, &g[1]);
  OK(pl_chain_end(chain));
  char *text = printed(c, chain);
  if (c->device) CHECK(strstr(text, "gas_force + gas_kick + gas_drift over pairs"));
  free(text);
  double x[2][3 * N];
  for (int k = 0; k < 2; k++) OK(pl_dat_fetch(g[k].x, x[k]));
  for (int i = 0; i < 3 * N; i++) CLOSE(x[1][i], x[0][i]);
  pl_finalize(&c->pl);
  c->pl = plain;
}

/* A warm-up compiles what the same steps run, with a list that exists. */
static void case_warm_up(conf *c)
{
  gas g;
  pl_chain *chain;
  declare_consts(c, PL_DOUBLE);
  declare_gas(c, &g, PL_DOUBLE);
  step_plain(c, &g);
  for (int real = 0; real < 2; real++) {
    const pl_stats before = conf_stats(c);
    OK(pl_chain_begin(c->pl, "warm", &chain));
    if (!real) OK(pl_chain_warm_up(chain));
    for (int i = 0; i < STEPS; i++) step_plain(c, &g);
    OK(pl_chain_end(chain));
    const pl_stats after = conf_stats(c);
    if (real) CHECK(after.codes_compiled == before.codes_compiled && after.codes_disk == before.codes_disk);
    if (real) CHECK(after.loops_built == before.loops_built);
  }
}

/* A sum of pairs that is not stored; freed objects while the loop is recorded. */
static void case_unstored(conf *c)
{
  gas one, chained;
  pl_chain *chain;
  declare_consts(c, PL_DOUBLE);
  declare_gas(c, &one, PL_DOUBLE);
  declare_gas(c, &chained, PL_DOUBLE);
  OK(pl_chain_begin(c->pl, "unstored", &chain));
  for (int i = 0; i < 2; i++) step_plain(c, &chained);
  OK(pl_chain_end(chain));
  for (int i = 0; i < 2; i++) step_plain(c, &one);
  char *text = printed(c, chain);
  if (c->device) CHECK(strstr(text, "\"f\" is not stored"));
  free(text);
  same_gas(c, &chained, &one);
  OK(pl_chain_begin(c->pl, "freed", &chain));
  step_plain(c, &chained);
  pl_map_free(&chained.pairs);
  OK(pl_chain_end(chain));
  step_plain(c, &one);
  same_gas(c, &chained, &one);
}

/* Values that pairs, or a loop that is not recorded, write to a temporary dat count as written. */
static void case_temporary(conf *c)
{
  gas g[2];
  pl_chain *chain;
  declare_consts(c, PL_DOUBLE);
  for (int k = 0; k < 2; k++) declare_gas(c, &g[k], PL_DOUBLE);
  for (int zeroed = 0; zeroed < 2; zeroed++) {
    OK(pl_chain_begin(c->pl, zeroed ? "zeroed" : "added", &chain));
    OK(pl_chain_temporary(chain, g[1].f));
    force(c, &g[1], zeroed, false);
    kick(c, &g[1]);
    OK(pl_chain_end(chain));
    force(c, &g[0], zeroed, false);
    kick(c, &g[0]);
    same_values(c, g[1].v, g[0].v);
  }
  OK(pl_chain_begin(c->pl, "read", &chain));
  OK(pl_chain_temporary(chain, g[1].f));
  kick(c, &g[1]);
  FAILS(pl_chain_end(chain), PL_ERR_CHECK, "read", "gas_kick", "element 0");
}

const conf_case conf_pair_chains[] = {
  {"loops over pairs in chains", "P41 D02", case_steps, 0},
  {"loops over pairs in chains, single precision", "P41 D02", case_single, CONF_NEEDS_JIT},
  {"accesses while loops over pairs are recorded", "P41 D02", case_between, 0},
  {"loops over pairs in chains with PLAIT_CHECK", "P41 D02", case_checked, 0},
  {"loops over pairs in a chain that warms up", "P41 D02", case_warm_up, 0},
  {"sums of pairs that a chain does not store", "P41 D02", case_unstored, 0},
  {"temporary dats that pairs write", "P41 D02", case_temporary, 0},
  {NULL, NULL, NULL, 0}};
