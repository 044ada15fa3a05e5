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

/* ---- a view by global indices ---- */

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

static int bits_of(const pl_set *set)
{
  int bits = 0;
  for (uint64_t most = (uint64_t)(set->ids > 0 ? set->ids : 1); most; most >>= 1) bits++;
  return bits;
}

/* Stable, by one digit of the global indices. */
static void sort_by_digit(const int64_t *global, int n, int shift, const int *from, int *to)
{
  int next[DIGITS + 1] = {0};
  for (int i = 0; i < n; i++) next[(global[from[i]] >> shift & (DIGITS - 1)) + 1]++;
  for (int d = 1; d < DIGITS; d++) next[d] += next[d - 1];
  for (int i = 0; i < n; i++) to[next[global[from[i]] >> shift & (DIGITS - 1)]++] = from[i];
}

/* Heapsort (Williams 1964), for when there is no memory: nobody who looks at a view expects an error. */
static void sink(const int64_t *global, int *view, int at, int n)
{
  for (int child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && global[view[child + 1]] > global[view[child]]) child++;
    if (global[view[at]] >= global[view[child]]) return;
    int swap = view[at];
    view[at] = view[child];
    view[child] = swap;
  }
}

static void sort_in_place(const int64_t *global, int *view, int n)
{
  for (int i = n / 2 - 1; i >= 0; i--) sink(global, view, i, n);
  for (int end = n - 1; end > 0; end--) {
    int top = view[0];
    view[0] = view[end];
    view[end] = top;
    sink(global, view, 0, end);
  }
}

void pl_view_sort(const pl_set *set)
{
  int n = set->part[1], *view = set->view, *other = pl_malloc(set->node.pl, (size_t)n * sizeof *other);
  for (int i = 0; i < set->part[3]; i++) view[i] = i;
  if (!other) sort_in_place(set->global, view, n);
  for (int shift = 0; other && shift < bits_of(set); shift += DIGIT) {
    sort_by_digit(set->global, n, shift, view, other);
    memcpy(view, other, (size_t)n * sizeof *view);
  }
  pl_free(set->node.pl, other);
  ((pl_set *)set)->unsorted = false;
}

/* ---- through a view ---- */

void pl_view_out(const pl_set *set, int n, size_t stride, const void *stored, void *shown)
{
  const int *view = pl_view(set);
  if (view)
    move_records(n, stride, view, true, stored, shown);
  else if (n)
    memcpy(shown, stored, (size_t)n * stride);
}

void pl_view_in(const pl_set *set, int n, size_t stride, const void *shown, void *stored)
{
  const int *view = pl_view(set);
  if (view)
    move_records(n, stride, view, false, shown, stored);
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
  for (int i = 0; i < set->part[3]; i++) (*position)[pl_view_at(set, i)] = i;
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
