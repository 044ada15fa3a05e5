/* SPDX-License-Identifier: BSD-2-Clause
 * Threads of work that is done once for a mesh: how many to use, the number of the calling one, parallel
 * loops.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Before a loop over independent blocks: runs it on so many threads, if the library is built with OpenMP. The
 * others for loops that add integers to the variable `sum`, keep the greatest in `most` or the least in
 * `least`. */
#ifdef _OPENMP
#define PL_PRAGMA(directive) _Pragma(#directive)
#define PL_PARALLEL_FOR(threads) PL_PRAGMA(omp parallel for num_threads(threads) schedule(static))
#define PL_PARALLEL_SUM(threads, sum)                                                                        \
  PL_PRAGMA(omp parallel for num_threads(threads) schedule(static) reduction(+ : sum))
#define PL_PARALLEL_MAX(threads, most)                                                                       \
  PL_PRAGMA(omp parallel for num_threads(threads) schedule(static) reduction(max : most))
#define PL_PARALLEL_RANGE(threads, least, most)                                                              \
  PL_PRAGMA(omp parallel for num_threads(threads) schedule(static) reduction(min : least)                    \
              reduction(max : most))
#else
#define PL_PARALLEL_FOR(threads) (void)(threads);
#define PL_PARALLEL_SUM(threads, sum) (void)(threads);
#define PL_PARALLEL_MAX(threads, most) (void)(threads);
#define PL_PARALLEL_RANGE(threads, least, most) (void)(threads);
#endif

/* The most threads that work for a mesh uses: 1 without OpenMP. */
int pl_plan_threads_most(void);
/* Threads worth using for `nblocks` independent blocks with `work` targets in all. */
int pl_plan_threads(int nblocks, size_t work);
/* The number of the calling thread in a parallel loop. */
int pl_plan_thread(void);
/* Where part i begins when n items are divided. */
static inline int pl_part_begin(int n, int parts, int i)
{
  return (int)((int64_t)n * i / parts);
}
