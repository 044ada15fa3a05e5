/* SPDX-License-Identifier: BSD-2-Clause
 * Plans: computed once from the mesh so that a loop can run in parallel.
 *
 * A request names a range of positions in a set (or subset) and the maps through which the loop writes.
 * Writes of one group go to the same data: two elements that reach a common target in one group conflict.
 * Positions of a subset stand for the elements at its indices.
 *
 * Equivalent requests get the same plan: order, repeats, group numbers, groups contained in others and a
 * PL_ALL written entry by entry do not matter. A plan depends on the request alone, not on the number of
 * threads that built it.
 *
 * Invariants of a plan (pl_plan_is_valid checks them):
 *  - blocks divide [begin, end) into contiguous pieces of block_size positions, the last one may be shorter;
 *  - an empty range has no blocks and no colours; without conflicts there is one colour;
 *  - every block has one colour, every colour a block; two blocks of a colour share no target in any group;
 *  - blocks are listed colour by colour, ascending within a colour;
 *  - inside a block, two elements of an element colour share no target in any group;
 *  - an element that reaches a target twice does not conflict with itself;
 *  - a staging list holds the sorted unique targets of its block; local[] is the index of each map entry
 * there;
 *  - negative map entries are no targets: they conflict with nothing and are staged as -1.
 */
#pragma once

#include <stdbool.h>
#include "plait.h"

/* A half-open run of positions. */
typedef struct pl_run {
  int begin, end;
} pl_run;

/* The targets at `index` of the map, or all (PL_ALL). A conflict's map may be NULL (index PL_ID): the element
 * itself, for data that one loop writes both directly and through a map. */
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
  int nstage; /* staging lists, each for one map entry or PL_ALL */
  const pl_reach *stage;
  bool element_colours; /* colour elements inside blocks too */
} pl_plan_request;

/* One staging list: block b's unique targets are target[offset[b] .. offset[b+1]). */
typedef struct pl_staging {
  pl_reach reach;
  int width;   /* entries per element: 1, or the map's arity */
  int *offset; /* nblocks + 1 */
  int *target;
  int *local;  /* width * (end - begin): index in the block's list, or -1 */
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
  pl_staging *staging; /* each requested list once; pl_plan_staging finds one */
} pl_plan;

/* The positions of block b. */
static inline pl_run pl_plan_block(const pl_plan *plan, int b)
{
  int begin = plan->begin + b * plan->block_size;
  return (pl_run){begin, plan->end - begin < plan->block_size ? plan->end : begin + plan->block_size};
}

/* Positions of the longest block. */
static inline int pl_plan_longest_block(const pl_plan *plan)
{
  int n = plan->end - plan->begin;
  return n < plan->block_size ? n : plan->block_size;
}
