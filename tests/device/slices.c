/* SPDX-License-Identifier: BSD-2-Clause
 * Pair loops on ranks run the slices that are far from other ranks' particles while copies are exchanged. A
 * driver that waits for each launch has run them before copies arrive, so a slice in the wrong class gives
 * other forces than a loop that waits for all copies. And the device's order of slices itself.
 */
#include "core/data/objects.h"
#include "core/particles/pair_map.h"
#include "device_suite.h"
#include <stdlib.h>
#include <string.h>

enum { PARTICLES = 1500, STEPS = 14, AXES = 2 };

static const pl_driver *real; /* the driver that the waiting one calls */

PL_KERNEL(slices_force, (double f[2], const double d[2], const double *r2), {
  for (int a = 0; a < 2; a++) f[a] += d[a] * (1 + r2[0]);
})
PL_KERNEL(slices_drift, (double x[2], const double v[2]), {
  for (int a = 0; a < 2; a++) x[a] += v[a];
})

/* ---- a driver that waits ---- */

static pl_err wait_after(pl_device *device, pl_err err)
{
  return err ? err : real->sync(device);
}

static pl_err launch(pl_device *device, void *kernel, int blocks, int block_size, size_t shared, int nargs,
                     const pl_launch_arg *args)
{
  return wait_after(device, real->launch(device, kernel, blocks, block_size, shared, nargs, args));
}

static void wait_for_launches(pl_device *device, pl_driver *waiting)
{
  real = device->driver;
  *waiting = *real;
  waiting->launch = launch;
  waiting->launch_early = NULL;
  device->driver = waiting;
}

/* ---- particles ---- */

typedef struct gas {
  pl_context *pl;
  pl_set *set;
  pl_domain *box;
  pl_map *pairs;
  pl_dat *x, *v, *now, *later; /* forces by a loop that overlaps, and by one that waits */
} gas;

/* From 0 to 1. */
static double scattered(int64_t i)
{
  return (double)((uint64_t)(i + 1) * 0x9e3779b97f4a7c15u >> 40) / (1 << 24);
}

static void declare(gas *g)
{
  const double low[AXES] = {0, 0}, high[AXES] = {8, 60};
  const int periodic[AXES] = {1, 1}, ranks = pl_ranks(g->pl), first = PARTICLES * pl_rank(g->pl) / ranks,
            n = PARTICLES * (pl_rank(g->pl) + 1) / ranks - first;
  double x[AXES * PARTICLES], v[AXES * PARTICLES];
  for (int k = 0; k < AXES * n; k++) {
    x[k] = scattered(AXES * first + k) * high[k % AXES];
    v[k] = 0.1 * scattered(5 * (AXES * first + k)) - 0.05;
  }
  OK(pl_decl_domain(g->pl, AXES, low, high, periodic, "box", &g->box));
  OK(pl_decl_set(g->pl, n, "particles", &g->set));
  OK(pl_decl_dat(g->set, AXES, PL_DOUBLE, x, "x", &g->x));
  OK(pl_decl_dat(g->set, AXES, PL_DOUBLE, v, "v", &g->v));
  OK(pl_decl_dat(g->set, AXES, PL_DOUBLE, NULL, "now", &g->now));
  OK(pl_decl_dat(g->set, AXES, PL_DOUBLE, NULL, "later", &g->later));
  OK(pl_decl_pair_map(g->x, g->box, 0.8, 0.3, "pairs", &g->pairs));
}

static void add_forces(gas *g, pl_arg force)
{
  OK(pl_pair_loop(slices_force, g->pairs, force, pl_arg_difference(g->x), pl_arg_distance2(g->x)));
}

/* The second loop adds, so it waits until ranks have agreed on the list. */
static void step(gas *g)
{
  OK(pl_par_loop(slices_drift, g->set, DIRECT(g->x, PL_RW), DIRECT(g->v, PL_READ)));
  add_forces(g, pl_arg_zeroed(pl_arg_dat(g->now, PL_BOTH, g->pairs, PL_INC_ANTI)));
  OK(pl_dat_zero(g->later));
  add_forces(g, pl_arg_dat(g->later, PL_BOTH, g->pairs, PL_INC_ANTI));
}

static bool same_forces(gas *g)
{
  void *now, *later;
  OK(pl_dat_get(g->now, PL_READ, &now));
  OK(pl_dat_get(g->later, PL_READ, &later));
  const bool same = !memcmp(now, later, sizeof(double) * AXES * (size_t)pl_set_size(g->set));
  OK(pl_dat_put(g->later));
  OK(pl_dat_put(g->now));
  return same;
}

/* ---- the order of slices ---- */

static void *copy_of(gas *g, void *buffer, size_t bytes)
{
  void *host = malloc(bytes);
  CU_ASSERT_PTR_NOT_NULL_FATAL(host);
  OK(real->read(pl_device_of(g->pl), host, buffer, 0, bytes));
  return host;
}

/* A slice's row holds copies of other ranks' particles. */
static bool has_copies(const pl_pairs *pairs, const int64_t *row, const int *entry, const int *owner)
{
  for (int64_t k = row[0]; k < row[1]; k++)
    if (owner[entry[k]] >= pairs->n) return true;
  return false;
}

/* Returns the number of inner slices. */
static int check_order(gas *g)
{
  const pl_pairs *pairs = g->pairs->pairs;
  const pl_pairs_device *on = pairs->device;
  const int slices = (pairs->n + PL_PAIR_SLICE - 1) / PL_PAIR_SLICE, inner = pairs->inner / PL_PAIR_SLICE;
  int *order = copy_of(g, on->order.at, (size_t)slices * sizeof *order);
  int64_t *row = copy_of(g, on->row.at, 2 * (size_t)slices * sizeof *row);
  int *entry = copy_of(g, on->entry.at, (size_t)(slices * PL_PAIR_SLICE * on->longest) * sizeof *entry);
  int *owner = copy_of(g, on->owner.at, ((size_t)on->room + 1) * sizeof *owner);
  int seen = 0, copies = 0;
  for (int k = 0; k < slices; k++) {
    CU_ASSERT_FATAL(order[k] >= 0 && order[k] < slices);
    for (int j = 0; j < k; j++) seen += order[j] == order[k];
    const bool near = has_copies(pairs, row + 2 * order[k], entry, owner);
    if (k < inner) CU_ASSERT(!near);
    if (k < inner && k) CU_ASSERT(order[k - 1] < order[k]);
    copies += near;
  }
  CU_ASSERT(seen == 0 && copies > 0 && copies <= slices - inner);
  free(order), free(row), free(entry), free(owner);
  return inner;
}

static void test_forces(void)
{
  gas g;
  pl_driver waiting;
  pl_pair_stats lists;
  int inner = 0;
  OK(open_with("transport=staged", &g.pl));
  if (pl_ranks(g.pl) == 1) printf("\n  skipped: one rank has no copies\n");
  declare(&g);
  wait_for_launches(pl_device_of(g.pl), &waiting);
  for (int s = 0; s < STEPS && pl_ranks(g.pl) > 1; s++) {
    step(&g);
    CU_ASSERT(same_forces(&g));
    inner += check_order(&g);
  }
  OK(pl_pair_map_stats(g.pairs, &lists));
  if (pl_ranks(g.pl) > 1) CU_ASSERT(inner > 0 && lists.builds > 2 && lists.builds < STEPS);
  pl_device_of(g.pl)->driver = real;
  pl_finalize(&g.pl);
}

static CU_TestInfo tests[] = {{"forces and the order of slices", test_forces}, CU_TEST_INFO_NULL};

int main(int argc, char **argv)
{
  return device_suite_main(argc, argv, "device_slices", tests);
}
