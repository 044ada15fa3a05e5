/* SPDX-License-Identifier: BSD-2-Clause
 * User order <-> storage order of a set's elements (struct pl_set).
 */
#pragma once

#include "set.h"

/* user[i] = stored[user_order[i]], and the inverse, for i < n records of `stride` bytes of a set. */
void pl_to_user_order(const pl_set *set, int n, size_t stride, const void *stored, void *user);
void pl_from_user_order(const pl_set *set, int n, size_t stride, const void *user, void *stored);

/* to[i] = from[list[i]] for i < n records. */
void pl_gather_records(int n, size_t stride, const int *list, const void *from, void *to);

/* Rebuilds a stale user order: owned elements by ascending global index, then the halo as stored. */
void pl_user_order_sort(const pl_set *set);

/* The up-to-date user order; NULL: storage order. */
static inline const int *pl_user_order(const pl_set *set)
{
  if (set->user_order_stale) pl_user_order_sort(set);
  return set->user_order;
}

/* The storage position of position i in user order. */
static inline int pl_user_to_storage(const pl_set *set, int i)
{
  const int *order = pl_user_order(set);
  return order ? order[i] : i;
}

/* The inverse permutation, from storage to user order (pl_free it); NULL for a set without a user order. */
pl_err pl_user_positions(const pl_set *set, int **position);

/* The global index of an element by its position in storage, and in user order. */
int64_t pl_element_global_index(const pl_set *set, int element);
int64_t pl_user_global_index(const pl_set *set, int position);
