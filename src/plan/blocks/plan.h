/* SPDX-License-Identifier: BSD-2-Clause
 * Plans: what is computed once from the mesh so that a loop can run in parallel. Owns the plan cache of a
 * context.
 *
 * A request names a range of positions in a set (or subset) and the maps through which the loop writes.
 * Writes of one group go to the same data: two elements that reach a common target in one group conflict.
 * Positions of a subset are led through its indices to the elements that they stand for.
 *
 * Requests that mean the same get the same plan: order, repeats, group numbers, groups contained in others
 * and a PL_ALL spelled out entry by entry do not matter. A plan depends on the request alone, never on the
 * number of threads that built it.
 *
 * Invariants of a block plan (pl_plan_is_valid checks them all):
 *  - blocks cut [begin, end) into contiguous pieces of block_size positions, the last one shorter;
 *  - an empty range has no blocks and no colours; without conflicts there is one colour;
 *  - every block has one colour, every colour a block; two blocks of a colour share no target in any group;
 *  - blocks are listed colour by colour, ascending within a colour;
 *  - inside a block, two elements of an element colour share no target in any group;
 *  - an element that reaches a target twice does not conflict with itself;
 *  - a staging list holds the sorted unique targets of its block; local[] leads each map entry to its place;
 *  - negative map entries are no targets: they conflict with nothing and are staged as -1.
 * Invariants of a split (pl_split_is_valid): every position is in exactly one thread's runs of one level or
 * in the tail; a target reached by one thread's runs of a level is reached by no other thread's of that
 * level.
 */
#ifndef PLAIT_PLAN_PLAN_H
#define PLAIT_PLAN_PLAN_H

#include "core/loop.h"

/* Targets reached through target `index` of the map, or all (PL_ALL). Among conflicts map may be NULL (index
 * PL_ID): the element itself, for data that one loop writes both directly and through a map. */
typedef struct pl_reach {
  const pl_map *map;
  int index;
  int group; /* for conflicts; ignored for staging */
} pl_reach;

/* Block size when a request leaves it at 0: large blocks amortise the barriers between colours on host
 * threads, small ones keep the targets of a block in a device's shared memory. */
enum { PL_BLOCK_SIZE = 2048, PL_BLOCK_SIZE_STAGED = 256 };

typedef struct pl_plan_request {
  pl_set *set;
  int begin, end; /* positions */
  int block_size; /* 0: PL_BLOCK_SIZE, or PL_BLOCK_SIZE_STAGED with staging lists */
  int nconflict;  /* writes through maps */
  const pl_reach *conflict;
  int nstage; /* staging lists wanted, each for one map entry or PL_ALL */
  const pl_reach *stage;
  bool element_colours; /* colour elements inside blocks too */
} pl_plan_request;

/* One staging list: block b's unique targets are target[offset[b] .. offset[b+1]). */
typedef struct pl_staging {
  pl_reach reach;
  int width;   /* entries per element: 1, or the map's arity */
  int *offset; /* nblocks + 1 */
  int *target;
  int *local;  /* width * (end - begin): place in the block's list, or -1 */
  int longest; /* most targets of one block */
} pl_staging;

typedef struct pl_plan {
  int begin, end, block_size, nblocks;
  int ncolours;
  int *colour_offset; /* ncolours + 1: blocks of colour c are block[colour_offset[c] .. colour_offset[c+1]) */
  int *block;         /* nblocks, colour by colour */
  int *block_colour;  /* nblocks */
  int *element_colour;  /* end - begin, or NULL */
  int *element_colours; /* nblocks: element colours of each block, or NULL */
  int most_element_colours;
  int nstaging;
  pl_staging *staging; /* each list asked for once, in an order of their own: see pl_plan_staging */
} pl_plan;

/* A half-open run of positions. */
typedef struct pl_run {
  int begin, end;
} pl_run;

/* A division of [begin, end) among threads, level after level: in each, threads run their own runs without
 * conflict; the tail runs afterwards. The targets of a group are cut into one contiguous range a thread, of
 * about equally many reaches; a thread runs the elements whose targets are all its own. On the second level,
 * which there is where many elements are left, ranges are shifted by half of one, so that what lay between
 * two is inside. */
typedef struct pl_split {
  int begin, end, nthreads, nlevels;
  int *run_offset; /* nlevels * nthreads + 1, into run[]: level by level, thread by thread */
  pl_run *run;
  int ntail;
  int *tail; /* positions, ascending */
} pl_split;

/* The plan for a request, from the context's cache or built now (in parallel where that pays). Plans belong
 * to the cache and live as long as the context, or until a map or set they were built on is freed. Counts
 * plans_built, plans_found and plan_seconds. A split looks only at the range and the conflicts of its
 * request. Errors: PL_ERR_RANGE, PL_ERR_ARG or PL_ERR_STATE for a request that makes no sense, PL_ERR_MEMORY.
 */
pl_err pl_plan_get(pl_context *pl, const pl_plan_request *request, const pl_plan **plan);
pl_err pl_split_get(pl_context *pl, const pl_plan_request *request, int nthreads, const pl_split **split);

/* The writes through maps of a loop as conflicts: args of one dat form one group; identical groups are merged
 * so that loops over different dats share plans. `reach` has room for loop->nargs. Returns how many there
 * are. */
int pl_plan_conflicts(const pl_loop *loop, pl_reach *reach);

/* Where piece w of `pieces` of [begin, end) begins, pieces costing about the same where element e costs one
 * and its row, offset[e] to offset[e + 1] (in `offset` or `wide`; neither: nothing). */
int pl_cut_rows(const int *offset, const int64_t *wide, int begin, int end, int w, int pieces);

/* The positions of block b. */
pl_run pl_plan_block(const pl_plan *plan, int b);

/* The staging list of a map entry or PL_ALL, as it was asked for; NULL if it was not. */
const pl_staging *pl_plan_staging(const pl_plan *plan, const pl_map *map, int index);

/* Whether every invariant above holds; on false `why` (may be NULL) says which one, in words, or
 * PL_PLAN_UNCHECKED. Local, O(size). */
#define PL_PLAN_UNCHECKED "cannot be checked: out of memory"
bool pl_plan_is_valid(const pl_plan_request *request, const pl_plan *plan, char *why, size_t size);
bool pl_split_is_valid(const pl_plan_request *request, const pl_split *split, char *why, size_t size);

/* Drops what was built on a set or map that is being freed (called through pl->plans_forget). */
void pl_plans_forget(pl_context *pl, const void *object);

#endif
