/* SPDX-License-Identifier: BSD-2-Clause
 * Counting sort; for 64-bit keys digit by digit from the lowest, without the digits that all keys share, so
 * that the cost depends on the spread of the keys. Each thread counts and moves a contiguous piece.
 */
#include "radix_sort.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include "core/threads/threads.h"
#include <stdlib.h>
#include <string.h>

enum { BITS = 11, DIGITS = 1 << BITS, MOST_THREADS = 64 };

typedef struct pass {
  int n, threads, shift;
  const pl_keyed *from;
  pl_keyed *to;
  size_t *next; /* [threads][DIGITS]: counts, then where the next item goes */
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
  size_t *count = p->next + (size_t)t * DIGITS;
  memset(count, 0, DIGITS * sizeof *count);
  for (int i = piece(p, t); i < piece(p, t + 1); i++) count[digit(p, i)]++;
}

static void move_items(const pass *p, int t)
{
  size_t *next = p->next + (size_t)t * DIGITS;
  for (int i = piece(p, t); i < piece(p, t + 1); i++) p->to[next[digit(p, i)]++] = p->from[i];
}

static void sum_counts(const pass *p)
{
  size_t sum = 0;
  for (size_t d = 0; d < DIGITS; d++)
    for (size_t t = 0; t < (size_t)p->threads; t++) {
      size_t count = p->next[t * DIGITS + d];
      p->next[t * DIGITS + d] = sum;
      sum += count;
    }
}

static void run_pass(const pass *p)
{
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < p->threads; t++) count_digits(p, t);
  sum_counts(p);
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < p->threads; t++) move_items(p, t);
}

pl_err pl_sort_keyed(pl_context *pl, int n, pl_keyed *items, pl_keyed *scratch, pl_keyed **sorted)
{
  int threads = pl_plan_threads(MOST_THREADS, (size_t)n);
  size_t bytes = (size_t)threads * DIGITS * sizeof(size_t);
  pass p = {n, threads, 0, items, scratch, pl_malloc(pl, bytes)};
  if (!p.next) return pl_fail_memory(pl, bytes);
  uint64_t spread = 0;
  for (int i = 1; i < n; i++) spread |= items[i].key ^ items[0].key;
  for (; p.shift < 64 && spread >> p.shift; p.shift += BITS) {
    if (!(spread >> p.shift & (DIGITS - 1))) continue;
    run_pass(&p);
    pl_keyed *to = p.to;
    p.to = (pl_keyed *)p.from;
    p.from = to;
  }
  pl_free(pl, p.next);
  *sorted = (pl_keyed *)p.from;
  return PL_SUCCESS;
}

pl_err pl_sort_counting(pl_context *pl, int n, const int *from, int nkeys, const int *key, int *to)
{
  int *next = pl_calloc(pl, (size_t)nkeys + 1, sizeof *next);
  if (!next) return pl_fail_memory(pl, (size_t)nkeys * sizeof *next);
  for (int i = 0; i < n; i++) next[key[i] + 1]++;
  for (int k = 0; k < nkeys; k++) next[k + 1] += next[k];
  for (int i = 0; i < n; i++) {
    int item = from ? from[i] : i;
    to[next[key[item]]++] = item;
  }
  pl_free(pl, next);
  return PL_SUCCESS;
}

static int by_value(const void *a, const void *b)
{
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

void pl_sort_ints(int n, int *list)
{
  enum { SHORT = 48 }; /* such lists are sorted faster by insertion */
  int ascending = 1;
  while (ascending < n && list[ascending - 1] <= list[ascending]) ascending++;
  if (ascending >= n) return;
  if (n > SHORT) qsort(list, (size_t)n, sizeof *list, by_value);
  for (int i = 1; i < n && n <= SHORT; i++) {
    const int item = list[i];
    int k = i;
    for (; k > 0 && list[k - 1] > item; k--) list[k] = list[k - 1];
    list[k] = item;
  }
}

int pl_sum_counts(int n, int *count)
{
  int sum = 0;
  for (int i = 0; i < n; i++) {
    const int here = count[i];
    count[i] = sum;
    sum += here;
  }
  return sum;
}
