/* SPDX-License-Identifier: BSD-2-Clause
 * User order <-> storage order.
 */
#define _GNU_SOURCE /* qsort_r */
#include "user_order.h"
#include "core/threads/threads.h"
#include "core/context/memory.h"
#include <string.h>

/* to[i] = from[list[i]], or to[list[i]] = from[i]; records of common sizes are copied as values. */
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

static inline void permute_records(int n, size_t stride, const int *list, bool gather, const char *from,
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
  permute_records(n, stride, list, true, from, to);
}

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

static int index_bits(const pl_set *set)
{
  int bits = 0;
  for (uint64_t most = (uint64_t)(set->global_end > 0 ? set->global_end : 1); most; most >>= 1) bits++;
  return bits;
}

/* A stable pass of a radix sort. */
static void sort_by_digit(const int64_t *global, int n, int shift, const int *from, int *to)
{
  int next[DIGITS + 1] = {0};
  for (int i = 0; i < n; i++) next[(global[from[i]] >> shift & (DIGITS - 1)) + 1]++;
  for (int d = 1; d < DIGITS; d++) next[d] += next[d - 1];
  for (int i = 0; i < n; i++) to[next[global[from[i]] >> shift & (DIGITS - 1)]++] = from[i];
}

static int by_global_index(const void *a, const void *b, void *global)
{
  int64_t x = ((const int64_t *)global)[*(const int *)a], y = ((const int64_t *)global)[*(const int *)b];
  return (x > y) - (x < y);
}

void pl_user_order_sort(const pl_set *set)
{
  int n = set->end[1], *order = set->user_order, *other = pl_malloc(set->node.pl, (size_t)n * sizeof *other);
  for (int i = 0; i < set->end[3]; i++) order[i] = i;
  if (!other) qsort_r(order, (size_t)n, sizeof *order, by_global_index, set->global);
  for (int shift = 0; other && shift < index_bits(set); shift += DIGIT) {
    sort_by_digit(set->global, n, shift, order, other);
    memcpy(order, other, (size_t)n * sizeof *order);
  }
  pl_free(set->node.pl, other);
  ((pl_set *)set)->user_order_stale = false;
}

static void permute_set(const pl_set *set, int n, size_t stride, bool gather, const void *from, void *to)
{
  const int *order = pl_user_order(set);
  int parts = pl_mesh_threads(set->node.pl, (size_t)n * stride / sizeof(int));
  PL_PARALLEL_FOR(parts)
  for (int part = 0; part < parts; part++) {
    int begin = pl_part_begin(n, parts, part), count = pl_part_begin(n, parts, part + 1) - begin;
    size_t at = (size_t)begin * stride;
    if (order)
      permute_records(count, stride, order + begin, gather, (const char *)from + (gather ? 0 : at),
                      (char *)to + (gather ? at : 0));
    else if (count)
      memcpy((char *)to + at, (const char *)from + at, (size_t)count * stride);
  }
}

void pl_to_user_order(const pl_set *set, int n, size_t stride, const void *stored, void *user)
{
  permute_set(set, n, stride, true, stored, user);
}

void pl_from_user_order(const pl_set *set, int n, size_t stride, const void *user, void *stored)
{
  permute_set(set, n, stride, false, user, stored);
}

pl_err pl_user_positions(const pl_set *set, int **position)
{
  size_t n = (size_t)set->end[3];
  *position = NULL;
  if (!set->user_order) return PL_SUCCESS;
  PL_TRY(PL_NEW(set->node.pl, *position, n));
  for (int i = 0; i < set->end[3]; i++) (*position)[pl_user_to_storage(set, i)] = i;
  return PL_SUCCESS;
}

int64_t pl_element_global_index(const pl_set *set, int element)
{
  return set->global && element >= 0 ? set->global[element] : element < 0 ? element : set->first + element;
}

int64_t pl_user_global_index(const pl_set *set, int position)
{
  return pl_element_global_index(set, pl_user_to_storage(set, position));
}
