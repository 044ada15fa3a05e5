/* SPDX-License-Identifier: BSD-2-Clause
 * Which ways to run a loop on a device come into question, by what it writes and by what was asked for.
 */
#include "device.h"
#include "core/memory.h"
#include "core/pairs.h"
#include <string.h>

enum { LEAST_MEASURED = 1 << 16 }; /* elements of a loop worth measuring */

const char *pl_why_no_atomics(const pl_device *device, const pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_collides(arg)) continue;
    size_t size = pl_type_size(pl_type_base(pl_arg_type(arg)));
    if (arg->access == PL_RW || arg->access == PL_WRITE) return "values are assigned, not added";
    if (size < 4) return "values are shorter than 4 bytes";
    if (size == 8 && !device->has_atomics_64) return "the device has no atomics of 64 bits";
  }
  return NULL;
}

/* Increments for each target that they could reach; 0 if other writes go through maps. */
static double density(const pl_loop *loop)
{
  pl_reach *slot = pl_calloc(loop->pl, (size_t)pl_most_slots(loop), sizeof *slot);
  int n = slot ? pl_increment_slots(loop, slot) : 0;
  double targets = n ? (double)slot[0].map->to->part[3] : 1;
  pl_free(loop->pl, slot);
  return (double)n * loop->set->part[3] / (targets > 0 ? targets : 1);
}

/* Why a way is wrong for a loop, or NULL. */
static const char *why_not(const pl_device *device, const pl_loop *loop, pl_conflict conflict)
{
  if (conflict == PL_ATOMIC && pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE))
    return "atomics add in no fixed order";
  if (conflict == PL_ATOMIC) return pl_why_no_atomics(device, loop);
  if (conflict == PL_COLOUR || conflict == PL_STAGE) return NULL;
  if (density(loop) <= 0) return "not all writes through maps are increments to one set";
  if (conflict == PL_GATHER && !pl_writes_increments_alone(loop))
    return "the loop writes more than increments";
  return NULL;
}

/* Rows that hold targets cannot say that there is none, so that elements must be looked up first. */
static bool leads_nowhere(const pl_loop *loop)
{
  bool nowhere = false;
  for (int i = 0; i < loop->nargs; i++)
    nowhere |= !loop->args[i].off && loop->args[i].map && loop->args[i].map->has_negative;
  return nowhere;
}

/* The targets change with each hop: plans would be made for one run. */
static bool hops(const pl_loop *loop)
{
  bool moving = false;
  for (int i = 0; i < loop->nargs; i++)
    moving |= !loop->args[i].off && loop->args[i].map && loop->args[i].map->mover;
  return moving;
}

/* By rule: the likeliest first; `steady`: only those that give the same bits in every run. */
static int order_ways(const pl_device *device, const pl_loop *loop, bool steady, pl_conflict *list)
{
  static const pl_conflict dense[] = {PL_GATHER, PL_COMBINE, PL_ATOMIC, PL_STORED, PL_COLOUR, PL_STAGE},
                           sparse[] = {PL_ATOMIC, PL_COMBINE, PL_GATHER, PL_STORED, PL_COLOUR, PL_STAGE},
                           fixed[] = {PL_GATHER, PL_STORED, PL_COLOUR};
  const pl_conflict *from = steady                                                      ? fixed
                            : density(loop) >= 1 && !leads_nowhere(loop) && !hops(loop) ? dense
                                                                                        : sparse;
  int n = 0, most = steady ? 3 : 6;
  for (int i = 0; i < most && n < PL_MOST_WAYS; i++)
    if (!why_not(device, loop, from[i])) list[n++] = from[i];
  /* colours are for what nothing else can do */
  while (!steady && n > 1 && list[0] != PL_COLOUR && (list[n - 1] == PL_COLOUR || list[n - 1] == PL_STAGE))
    n--;
  return n;
}

static int find_word(const char *word)
{
  int c = 0;
  while (c < PL_CONFLICTS && strcmp(word, pl_conflict_name((pl_conflict)c))) c++;
  return c;
}

int pl_ways_wanted(const pl_device *device, const pl_loop *loop, pl_conflict *list, bool *measured, char *why)
{
  const char *asked = pl_opt(device->pl, PL_OPT_CONFLICT);
  bool steady = pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE);
  int word = find_word(asked);
  *measured = false;
  *why = '\0';
  if (!pl_collides(loop)) {
    list[0] = PL_COLOUR;
    return 1;
  }
  int n = order_ways(device, loop, steady, list);
  if (word == PL_CONFLICTS) {
    *measured = n > 1 && !steady && !hops(loop) && loop->set->part[3] >= LEAST_MEASURED;
    return *measured ? n : n > 2 ? 2 : n;
  }
  const char *wrong = why_not(device, loop, (pl_conflict)word);
  if (wrong) {
    snprintf(why, PL_VARIANT, "%s: %s", asked, wrong);
    return n;
  }
  list[0] = (pl_conflict)word;
  list[1] = PL_COLOUR; /* if there is too little local memory */
  return 2;
}
