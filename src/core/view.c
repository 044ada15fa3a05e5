/* SPDX-License-Identifier: BSD-2-Clause
 * Views: between the order in which elements are stored and the order that users see (struct pl_set).
 */
#include "objects.h"
#include <string.h>

/* to[i] = from[list[i]], or to[list[i]] = from[i]; records of common sizes move as values. */
#define MOVE_AS(type)                                                                                        \
  case sizeof(type):                                                                                         \
    for (int i = 0; i < n; i++) {                                                                            \
      type record;                                                                                           \
      memcpy(&record, from + (gather ? (size_t)list[i] : (size_t)i) * sizeof record, sizeof record);         \
      memcpy(to + (gather ? (size_t)i : (size_t)list[i]) * sizeof record, &record, sizeof record);           \
    }                                                                                                        \
    break;

typedef struct pair {
  uint64_t a, b;
} pair;
typedef struct quad {
  uint64_t a, b, c, d;
} quad;

static inline void move_records(int n, size_t stride, const int *list, bool gather, const char *from,
                                char *to)
{
  switch (stride) {
    MOVE_AS(uint32_t)
    MOVE_AS(uint64_t)
    MOVE_AS(pair)
    MOVE_AS(quad)
  default:
    for (int i = 0; i < n; i++)
      memcpy(to + (gather ? (size_t)i : (size_t)list[i]) * stride,
             from + (gather ? (size_t)list[i] : (size_t)i) * stride, stride);
  }
}

void pl_gather_records(int n, size_t stride, const int *list, const void *from, void *to)
{
  move_records(n, stride, list, true, from, to);
}

void pl_view_out(const pl_set *set, int n, size_t stride, const void *stored, void *shown)
{
  if (set->view)
    move_records(n, stride, set->view, true, stored, shown);
  else if (n)
    memcpy(shown, stored, (size_t)n * stride);
}

void pl_view_in(const pl_set *set, int n, size_t stride, const void *shown, void *stored)
{
  if (set->view)
    move_records(n, stride, set->view, false, shown, stored);
  else if (n)
    memcpy(stored, shown, (size_t)n * stride);
}

pl_err pl_view_positions(const pl_set *set, int **position)
{
  size_t n = (size_t)set->part[3];
  *position = NULL;
  if (!set->view) return PL_SUCCESS;
  *position = pl_malloc(set->node.pl, n * sizeof **position);
  if (!*position) return pl_fail_memory(set->node.pl, n * sizeof **position);
  for (int i = 0; i < set->part[3]; i++) (*position)[set->view[i]] = i;
  return PL_SUCCESS;
}

int64_t pl_element_number(const pl_set *set, int element)
{
  return set->global && element >= 0 ? set->global[element] : element < 0 ? element : set->first + element;
}

int64_t pl_view_number(const pl_set *set, int position)
{
  return pl_element_number(set, pl_view_at(set, position));
}

pl_err pl_alone(pl_context *pl, const char *what)
{
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_STATE, "%s are not distributed over ranks in this version; run on one rank",
                 what);
}
