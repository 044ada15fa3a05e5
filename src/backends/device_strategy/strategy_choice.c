/* SPDX-License-Identifier: BSD-2-Clause
 * Which strategies suit a loop on a device. Rules order them; the first calls of large loops compare the best
 * (strategy_tuner.c).
 */
#include "strategy_choice.h"
#include "core/loop/loop.h"
#include <string.h>

enum { MIN_COMPARED = 1 << 16 }; /* elements */

/* Assignments need a fixed order, and so colours. */
const char *pl_why_not_atomic(const pl_device *device, const pl_arg *arg)
{
  size_t size = pl_type_size(pl_type_base(pl_arg_type(arg)));
  if (arg->access == PL_RW || arg->access == PL_WRITE) return "values are assigned, not added";
  if (size < 4) return "values are shorter than 4 bytes";
  return size == 8 && !device->has_atomics_64 ? "the device has no 64-bit atomics" : NULL;
}

const char *pl_why_no_atomics(const pl_device *device, const pl_loop *loop)
{
  const char *why = NULL;
  for (int i = 0; i < loop->nargs && !why; i++)
    if (pl_arg_collides(&loop->args[i])) why = pl_why_not_atomic(device, &loop->args[i]);
  return why;
}

/* Average number of increments of a target; 0 if the loop has other indirect writes. */
static double density(const pl_loop *loop)
{
  pl_reach *slot = pl_calloc(loop->pl, (size_t)pl_max_increments(loop), sizeof *slot);
  int n = slot ? pl_loop_increments(loop, slot) : 0;
  double targets = n ? (double)slot[0].map->to->end[3] : 1;
  pl_free(loop->pl, slot);
  return (double)n * loop->set->end[3] / (targets > 0 ? targets : 1);
}

static const char *why_not(const pl_device *device, const pl_loop *loop, pl_conflict conflict)
{
  if (conflict == PL_ATOMIC && pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE))
    return "the order of atomic additions varies";
  if (conflict == PL_ATOMIC) return pl_why_no_atomics(device, loop);
  if (conflict == PL_COLOUR || conflict == PL_STAGE) return NULL;
  if (density(loop) <= 0) return "some indirect write is not an increment, or increments go to several sets";
  if (conflict == PL_GATHER && !pl_writes_increments_alone(loop))
    return "the loop writes more than indirect increments";
  return NULL;
}

/* Some map has missing targets, which rows of targets cannot express. */
static bool misses_targets(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (!arg->off && arg->map && arg->map->has_negative) return true;
  return false;
}

/* A mover changes the targets in each hop, so a plan would serve one run. */
static bool follows_mover(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (!arg->off && arg->map && arg->map->mover) return true;
  return false;
}

static int order_strategies(const pl_device *device, const pl_loop *loop, bool reproducible,
                            pl_conflict *list)
{
  static const pl_conflict dense[] = {PL_GATHER, PL_COMBINE, PL_ATOMIC, PL_STORED, PL_COLOUR, PL_STAGE},
                           sparse[] = {PL_ATOMIC, PL_COMBINE, PL_GATHER, PL_STORED, PL_COLOUR, PL_STAGE},
                           fixed[] = {PL_GATHER, PL_STORED, PL_COLOUR};
  bool is_dense =
    density(loop) >= 1 && (pl_tensor_arg(loop) || !misses_targets(loop)) && !follows_mover(loop);
  const pl_conflict *from = reproducible ? fixed : is_dense ? dense : sparse;
  int n = 0, most = reproducible ? 3 : 6;
  for (int i = 0; i < most && n < PL_MAX_STRATEGIES; i++)
    if (!why_not(device, loop, from[i])) list[n++] = from[i];
  /* colours and staging are a last resort */
  while (!reproducible && n > 1 && list[0] != PL_COLOUR &&
         (list[n - 1] == PL_COLOUR || list[n - 1] == PL_STAGE))
    n--;
  return n;
}

static int find_conflict(const char *word)
{
  int c = 0;
  while (c < PL_CONFLICTS && strcmp(word, pl_conflict_name((pl_conflict)c))) c++;
  return c;
}

int pl_strategies_wanted(const pl_device *device, const pl_loop *loop, pl_conflict *list, bool *compare,
                         char *why)
{
  const char *asked = pl_opt(device->pl, PL_OPT_CONFLICT);
  bool reproducible = pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE);
  int chosen = find_conflict(asked);
  *compare = false;
  *why = '\0';
  if (!pl_collides(loop)) {
    list[0] = PL_COLOUR;
    return 1;
  }
  int n = order_strategies(device, loop, reproducible, list);
  if (chosen == PL_CONFLICTS) {
    *compare = n > 1 && !reproducible && !follows_mover(loop) && loop->set->end[3] >= MIN_COMPARED;
    return *compare ? n : n > 2 ? 2 : n;
  }
  const char *wrong = why_not(device, loop, (pl_conflict)chosen);
  if (wrong) {
    snprintf(why, PL_VARIANT, "%s: %s", asked, wrong);
    return n;
  }
  list[0] = (pl_conflict)chosen;
  list[1] = PL_COLOUR; /* fallback: too little local memory */
  return 2;
}
