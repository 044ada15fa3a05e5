/* SPDX-License-Identifier: BSD-2-Clause
 * The targets of elements in the reaches of a request, and numbers for the distinct ones of a block.
 */
#pragma once

#include "core/data/objects.h"
#include "plan.h"

/* How many targets an element has in a reach; target k of them. */
static inline int pl_reach_width(const pl_reach *reach)
{
  return reach->map && reach->index == PL_ALL ? reach->map->arity : 1;
}

static inline int pl_reach_target(const pl_reach *reach, int element, int k)
{
  if (!reach->map) return element;
  return pl_map_target(reach->map, (size_t)element, reach->index == PL_ALL ? k : reach->index);
}

/* The set of the targets, for elements of `from`. */
static inline const pl_set *pl_reach_to(const pl_reach *reach, pl_set *from)
{
  return reach->map ? reach->map->to : pl_set_base(from);
}

/* Targets of an element in all of n reaches. */
int pl_reaches_width(int n, const pl_reach *reach);

/* For one array over the targets of all groups: base[r] is where the group of reach r begins. Returns the
 * length of the array. */
size_t pl_group_bases(const pl_plan_request *request, size_t *base);

/* Numbers the distinct targets of a run of positions in n reaches to one set, ascending, from `first`;
 * returns how many there are. local[column + stride * i + k] becomes the number of target k (counted through
 * the reaches) of the run's i-th position, -1 for a negative one. `target` (may be NULL) gets the targets;
 * `keys` has room for two keys a target. */
typedef struct pl_numbering {
  const pl_set *set;
  int nreach;
  const pl_reach *reach;
  int stride, column, first;
} pl_numbering;
int pl_number_targets(const pl_numbering *how, pl_run run, uint64_t *keys, int *local, int *target);
