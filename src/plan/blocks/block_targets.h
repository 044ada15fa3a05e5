/* SPDX-License-Identifier: BSD-2-Clause
 * Inside the planner: the builders behind plan.c, and how they walk the targets of elements.
 *
 * Invariant: builders see canonical requests only (request.c): checked, block size resolved, groups numbered
 * 0, 1, ... in order of the list, each with all its reaches on one target set, none contained in another.
 */
#ifndef PLAIT_PLAN_BUILD_H
#define PLAIT_PLAN_BUILD_H

#include "plan.h"

/* Before a loop over blocks: runs it on so many threads, if the library is built with OpenMP. */
#ifdef _OPENMP
#define PL_PRAGMA(directive) _Pragma(#directive)
#define PL_PARALLEL_FOR(threads) PL_PRAGMA(omp parallel for num_threads(threads) schedule(static))
#else
#define PL_PARALLEL_FOR(threads) (void)(threads);
#endif

/* Checks that a request makes sense; PL_ERR_RANGE, PL_ERR_ARG or PL_ERR_STATE with a sentence if not. */
pl_err pl_request_check(pl_context *pl, const pl_plan_request *request);

/* Brings conflicts on elements of `from` to canonical form in place, and the same for staging lists; both
 * return how many are left. */
int pl_canonical_conflicts(pl_set *from, int n, pl_reach *reach);
int pl_canonical_stages(int n, pl_reach *reach);

/* Fill in a plan whose blocks are cut, or a split whose range and threads are set. What they leave behind
 * when they fail is freed with the plan or split. */
pl_err pl_colour_blocks(pl_context *pl, const pl_plan_request *request, pl_plan *plan);
pl_err pl_colour_elements(pl_context *pl, const pl_plan_request *request, pl_plan *plan);
pl_err pl_stage(pl_context *pl, const pl_plan_request *request, pl_plan *plan);
pl_err pl_split_build(pl_context *pl, const pl_plan_request *request, pl_split *split);
void pl_stage_free(pl_context *pl, pl_plan *plan);

/* Positions of the longest block. */
int pl_plan_longest_block(const pl_plan *plan);

/* ---- walking targets ---- */

/* The element at a position. */
static inline int pl_element_at(const pl_set *set, int position)
{
  return set->indices ? set->indices[position] : position;
}

/* How many targets an element has in a reach, and where they stand. */
static inline int pl_reach_width(const pl_reach *reach)
{
  return reach->map && reach->index == PL_ALL ? reach->map->arity : 1;
}

static inline const int *pl_reach_at(const pl_reach *reach, const int *element)
{
  if (!reach->map) return element;
  return reach->map->index + (size_t)*element * (size_t)reach->map->arity +
         (reach->index == PL_ALL ? 0 : reach->index);
}

/* The targets of an element in a map of fixed arity or a ragged one; returns how many. */
static inline int pl_row_of(const pl_map *map, int element, const int **row)
{
  size_t begin = pl_map_begin(map, (size_t)element);
  *row = map->index + begin;
  return (int)(pl_map_begin(map, (size_t)element + 1) - begin);
}

/* The set a reach ends on, for elements of `from`. */
static inline const pl_set *pl_reach_to(const pl_reach *reach, pl_set *from)
{
  return reach->map ? reach->map->to : pl_set_base(from);
}

/* Targets an element has in all of n reaches. */
int pl_reaches_width(int n, const pl_reach *reach);

/* One array for the targets of all groups: base[r] is where those of reach r's group start; returns its
 * length. */
size_t pl_group_bases(const pl_plan_request *request, size_t *base);

/* ---- the distinct targets of a block ---- */

/* Numbers the distinct targets that a run of positions has in n reaches on one set, ascending, from `first`.
 * local[column + stride * i + k] becomes the number of target k (counted through the reaches) of the run's
 * i-th position, -1 for a negative one. `target` (may be NULL) gets the targets; `keys` has room for two keys
 * a target. */
typedef struct pl_numbering {
  const pl_set *set;
  int nreach;
  const pl_reach *reach;
  int stride, column, first;
} pl_numbering;

int pl_number_targets(const pl_numbering *how, pl_run run, uint64_t *keys, int *local, int *target);

/* ---- threads ---- */

/* Threads worth using for `nblocks` independent blocks with `work` targets in all, and the calling thread's
 * number. */
int pl_plan_threads(int nblocks, size_t work);
int pl_plan_thread(void);

#endif
