/* SPDX-License-Identifier: BSD-2-Clause
 * Checks of the invariants of sets and orders (core/mesh/set.h, plan/renumber/permute_storage.h). Each says
 * in `why` (may be NULL) what is wrong.
 */
#ifndef PLAIT_TESTS_SET_CHECKS_H
#define PLAIT_TESTS_SET_CHECKS_H

#include "core/data/objects.h"
#include "plan/renumber/permute_storage.h"
#include <stdio.h>

static inline bool blame(char *why, size_t size, const char *format, const char *name, int at)
{
  if (why) snprintf(why, size, format, name, at);
  return false;
}

/* Whether list[0..n) is a permutation within each of the first `ranges` ranges; false without memory. */
static inline bool permutes_ranges(const pl_set *set, const int *list, const int *range_end, int ranges,
                                   const char *message, char *why, size_t size)
{
  int n = range_end[ranges - 1], p = 0;
  unsigned char *seen = pl_calloc(set->node.pl, (size_t)n + 1, 1);
  bool good = seen || blame(why, size, "set \"%s\": no memory to check %d elements", set->node.name, n);
  for (int i = 0; good && i < n; i++) {
    while (i >= range_end[p]) p++;
    good = list[i] >= (p ? range_end[p - 1] : 0) && list[i] < range_end[p] && !seen[list[i]];
    if (good)
      seen[list[i]] = 1;
    else
      blame(why, size, message, set->node.name, i);
  }
  pl_free(set->node.pl, seen);
  return good;
}

static inline bool order_is_valid(const pl_order *order, char *why, size_t size)
{
  return permutes_ranges(order->set, order->order, order->set->end, 4,
                         "the order of set \"%s\" moves position %d to another range, or repeats an element",
                         why, size);
}

static inline bool subset_is_valid(const pl_set *set, char *why, size_t size)
{
  for (int k = 0; k < set->end[3]; k++)
    if (set->indices[k] < 0 || set->indices[k] >= set->parent->end[3] ||
        (k && set->indices[k] <= set->indices[k - 1]))
      return blame(why, size, "subset \"%s\": member %d is outside the parent or not above the one before",
                   set->node.name, k);
  return true;
}

static inline bool set_is_valid(const pl_set *set, char *why, size_t size)
{
  if (set->parent) return subset_is_valid(set, why, size);
  const int ends[2] = {set->end[1], set->end[3]};
  if (set->user_order &&
      !permutes_ranges(set, pl_user_order(set), ends, 2,
                       "the user order of set \"%s\" has a halo element at position %d, or repeats an "
                       "element",
                       why, size))
    return false;
  for (int i = 1; set->global && i < set->end[1]; i++)
    if (set->global[pl_user_to_storage(set, i)] <= set->global[pl_user_to_storage(set, i - 1)])
      return blame(why, size,
                   "set \"%s\": the global index at position %d of the user order is not above the last",
                   set->node.name, i);
  return true;
}

#endif
