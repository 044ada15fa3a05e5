/* SPDX-License-Identifier: BSD-2-Clause
 * Inverts a map by counting sort. A thread reads all entries of the map and writes its rows.
 */
#include "incidence.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include "core/mesh/set.h"
#include "core/threads/threads.h"

/* Counts the elements of rows begin to end - 1 in count[]. */
static void count_elements(const pl_map *map, int begin, int end, int64_t *count)
{
  const size_t n = (size_t)map->from->end[2] * (size_t)map->arity;
  const unsigned size = (unsigned)(end - begin);
  for (size_t i = 0; i < n; i++) {
    const unsigned r = (unsigned)map->index[i] - (unsigned)begin;
    if (r < size) count[r]++;
  }
}

/* next[r] moves from the begin of row begin + r to its end. */
static void fill_elements(const pl_map *map, int begin, int end, int64_t *next, int *element)
{
  const unsigned size = (unsigned)(end - begin);
  const int *index = map->index;
  for (int e = 0; e < map->from->end[2]; e++, index += map->arity)
    for (int i = 0; i < map->arity; i++) {
      const unsigned r = (unsigned)index[i] - (unsigned)begin;
      if (r < size) element[next[r]++] = e;
    }
}

/* Counts become begins. */
static int64_t sum_counts(int n, int64_t *start)
{
  int64_t sum = 0;
  for (int r = 0; r < n; r++) {
    const int64_t count = start[r];
    start[r] = sum;
    sum += count;
  }
  return sum;
}

/* start[r + 1] first belongs to row r, so that rows end where the next ones begin once they are filled. */
pl_err pl_incidence_build(pl_context *pl, const pl_map *map, int nrows, pl_incidence *incidence)
{
  const int threads = pl_plan_threads(nrows, pl_map_entries(map));
  *incidence = (pl_incidence){0};
  PL_TRY(PL_NEW(pl, incidence->start, (size_t)nrows + 1));
  int64_t *const start = incidence->start + 1;
  PL_PARALLEL_FOR(threads)
  for (int i = 0; i < threads; i++) {
    const int begin = pl_part_begin(nrows, threads, i);
    count_elements(map, begin, pl_part_begin(nrows, threads, i + 1), start + begin);
  }
  const int64_t n = sum_counts(nrows, start);
  pl_err err = PL_NEW_ARRAY(pl, incidence->element, (size_t)n + 1);
  if (err) return pl_incidence_free(pl, incidence), err;
  PL_PARALLEL_FOR(threads)
  for (int i = 0; i < threads; i++) {
    const int begin = pl_part_begin(nrows, threads, i);
    fill_elements(map, begin, pl_part_begin(nrows, threads, i + 1), start + begin, incidence->element);
  }
  return PL_SUCCESS;
}

void pl_incidence_free(pl_context *pl, pl_incidence *incidence)
{
  pl_free(pl, incidence->start);
  pl_free_array(pl, incidence->element);
  *incidence = (pl_incidence){0};
}
