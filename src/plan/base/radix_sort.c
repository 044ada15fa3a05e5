/* SPDX-License-Identifier: BSD-2-Clause
 * Sorting by counting. For 64-bit keys digit by digit from the lowest; digits in which all keys agree are
 * left out, so what the sort costs goes by the spread of the keys. Each thread counts and places its own
 * contiguous piece of the items.
 */
#include "sort.h"
#include "build.h"
#include <string.h>

enum { BITS = 11, DIGITS = 1 << BITS, MOST_SORTERS = 64 };

typedef struct pass {
  int n, threads, shift;
  const pl_keyed *from;
  pl_keyed *to;
  size_t *place; /* [threads][DIGITS] */
} pass;

static unsigned digit(const pass *p, int i)
{
  return (unsigned)(p->from[i].key >> p->shift) & (DIGITS - 1);
}

static int piece(const pass *p, int t)
{
  return (int)((int64_t)p->n * t / p->threads);
}

static void count_digits(const pass *p, int t)
{
  size_t *count = p->place + (size_t)t * DIGITS;
  memset(count, 0, DIGITS * sizeof *count);
  for (int i = piece(p, t); i < piece(p, t + 1); i++) count[digit(p, i)]++;
}

static void place_items(const pass *p, int t)
{
  size_t *place = p->place + (size_t)t * DIGITS;
  for (int i = piece(p, t); i < piece(p, t + 1); i++) p->to[place[digit(p, i)]++] = p->from[i];
}

static void sum_counts(const pass *p)
{
  size_t next = 0;
  for (size_t d = 0; d < DIGITS; d++)
    for (size_t t = 0; t < (size_t)p->threads; t++) {
      size_t count = p->place[t * DIGITS + d];
      p->place[t * DIGITS + d] = next;
      next += count;
    }
}

static void run_pass(const pass *p)
{
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < p->threads; t++) count_digits(p, t);
  sum_counts(p);
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < p->threads; t++) place_items(p, t);
}

pl_err pl_sort_keyed(pl_context *pl, int n, pl_keyed *items, pl_keyed *scratch, pl_keyed **sorted)
{
  int threads = pl_plan_threads(MOST_SORTERS, (size_t)n);
  size_t bytes = (size_t)threads * DIGITS * sizeof(size_t);
  pass p = {n, threads, 0, items, scratch, pl_malloc(pl, bytes)};
  if (!p.place) return pl_fail_memory(pl, bytes);
  uint64_t spread = 0;
  for (int i = 1; i < n; i++) spread |= items[i].key ^ items[0].key;
  for (; p.shift < 64 && spread >> p.shift; p.shift += BITS) {
    if (!(spread >> p.shift & (DIGITS - 1))) continue;
    run_pass(&p);
    pl_keyed *to = p.to;
    p.to = (pl_keyed *)p.from;
    p.from = to;
  }
  pl_free(pl, p.place);
  *sorted = (pl_keyed *)p.from;
  return PL_SUCCESS;
}

pl_err pl_sort_counting(pl_context *pl, int n, const int *from, int nkeys, const int *key, int *to)
{
  int *place = pl_calloc(pl, (size_t)nkeys + 1, sizeof *place);
  if (!place) return pl_fail_memory(pl, (size_t)nkeys * sizeof *place);
  for (int i = 0; i < n; i++) place[key[i] + 1]++;
  for (int k = 0; k < nkeys; k++) place[k + 1] += place[k];
  for (int i = 0; i < n; i++) {
    int item = from ? from[i] : i;
    to[place[key[item]]++] = item;
  }
  pl_free(pl, place);
  return PL_SUCCESS;
}
