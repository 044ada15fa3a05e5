/* SPDX-License-Identifier: BSD-2-Clause
 * Greedy colouring of blocks, and of the elements inside each block.
 *
 * Each target has a mask of the colours that reach it already, one bit a colour. An item (a block or an
 * element) may have any colour that is in no mask of its targets; its colour is then added to them. Masks
 * hold the colours of one pass; items without a free colour wait for the next pass, so the number of colours
 * has no limit. Items are coloured in order: the result is deterministic.
 */
#include "colouring.h"
#include "block_targets.h"
#include "core/threads/threads.h"
#include <string.h>

typedef uint32_t mask;
enum { COLOURS = 32 }; /* in one pass */

static int lowest_bit(mask m)
{
  int bit = 0;
  while (!(m >> bit & 1)) bit++;
  return bit;
}

/* ---- blocks ---- */

typedef struct blocks {
  const pl_plan_request *request;
  pl_plan *plan;
  mask *masks;  /* of all targets of all groups */
  size_t *base; /* of each reach: where its group begins in masks */
  int *used;    /* blocks of each colour */
} blocks;

/* Adds a colour (0: none) to the targets of a run; returns the colours that they had. */
static inline __attribute__((always_inline)) mask add_colour(const blocks *w, pl_run run, mask colour)
{
  mask seen = 0;
  for (int r = 0; r < w->request->nconflict; r++) {
    const pl_reach *reach = &w->request->conflict[r];
    mask *masks = w->masks + w->base[r];
    int width = pl_reach_width(reach);
    for (int p = run.begin; p < run.end; p++) {
      const int element = pl_element_at(w->request->set, p);
      for (int k = 0; k < width; k++) {
        const int target = pl_reach_target(reach, element, k);
        if (target < 0) continue;
        seen |= masks[target];
        if (colour) masks[target] |= colour;
      }
    }
  }
  return seen;
}

/* The colour for a block, counted from the first of the pass: the least used free one of the `open` colours,
 * so that each has work for all threads; else a new one; -1 if the pass has none left. */
static int pick_colour(mask seen, int open, const int *used)
{
  int best = -1;
  for (int c = 0; c < open; c++)
    if (!(seen >> c & 1) && (best < 0 || used[c] < used[best])) best = c;
  return best < 0 && open < COLOURS ? open : best;
}

/* Colours blocks with colours from `first` on; returns how many are left. */
static int colour_pass(const blocks *w, int first)
{
  int left = 0, open = 0;
  for (int b = 0; b < w->plan->nblocks; b++) {
    if (w->plan->block_colour[b] >= 0) continue;
    pl_run run = pl_plan_block(w->plan, b);
    int c = pick_colour(add_colour(w, run, 0), open, w->used + first);
    if (c < 0) {
      left++;
      continue;
    }
    if (c == open) open++;
    add_colour(w, run, (mask)1 << c);
    w->plan->block_colour[b] = first + c;
    w->used[first + c]++;
  }
  w->plan->ncolours = first + open;
  return left;
}

static pl_err colour_conflicts(pl_context *pl, blocks *w)
{
  PL_TRY(PL_NEW(pl, w->base, (size_t)w->request->nconflict));
  size_t n = pl_group_bases(w->request, w->base);
  PL_TRY(PL_NEW_ARRAY(pl, w->masks, n));
  for (int b = 0; b < w->plan->nblocks; b++) w->plan->block_colour[b] = -1;
  int first = 0;
  do {
    memset(w->masks, 0, n * sizeof *w->masks);
    first = w->plan->ncolours;
  } while (colour_pass(w, first));
  return PL_SUCCESS;
}

/* Lists the blocks colour by colour. `used` holds the blocks of each colour and is overwritten. */
static pl_err list_blocks(pl_context *pl, pl_plan *plan, int *used)
{
  PL_TRY(PL_NEW(pl, plan->colour_offset, (size_t)plan->ncolours + 1));
  for (int c = 0; c < plan->ncolours; c++) {
    plan->colour_offset[c + 1] = plan->colour_offset[c] + used[c];
    used[c] = plan->colour_offset[c];
  }
  for (int b = 0; b < plan->nblocks; b++) plan->block[used[plan->block_colour[b]]++] = b;
  return PL_SUCCESS;
}

pl_err pl_colour_blocks(pl_context *pl, const pl_plan_request *request, pl_plan *plan)
{
  size_t n = (size_t)plan->nblocks;
  blocks w = {request, plan, NULL, NULL, pl_calloc(pl, n, sizeof(int))};
  plan->block = pl_malloc(pl, n * sizeof(int));
  plan->block_colour = pl_calloc(pl, n, sizeof(int));
  pl_err err = PL_SUCCESS;
  if (!w.used || !plan->block || !plan->block_colour)
    err = pl_fail_memory(pl, n * sizeof(int));
  else if (request->nconflict && plan->nblocks > 1)
    err = colour_conflicts(pl, &w);
  else if (n) {
    plan->ncolours = 1;
    w.used[0] = plan->nblocks;
  }
  if (!err) err = list_blocks(pl, plan, w.used);
  pl_free_all(pl, w.used, w.base);
  pl_free_array(pl, w.masks);
  return err;
}

/* ---- elements inside blocks ---- */

/* Buffers; each thread has a part as large as the longest block needs. Targets are numbered inside the block,
 * so that masks are few and stay in cache. */
typedef struct elements {
  const pl_plan_request *request;
  pl_plan *plan;
  int width;   /* targets of one element */
  size_t room; /* targets of the longest block */
  uint64_t *keys;
  int *local;
  mask *masks;
} elements;

static int number_groups(const elements *w, pl_run run, uint64_t *keys, int *local)
{
  const pl_plan_request *request = w->request;
  pl_numbering how = {request->set, 0, request->conflict, w->width, 0, 0};
  for (int r = 0; r < request->nconflict; r += how.nreach) {
    how.reach = &request->conflict[r];
    how.nreach = 1;
    while (r + how.nreach < request->nconflict && how.reach[how.nreach].group == how.reach->group)
      how.nreach++;
    how.first += pl_number_targets(&how, run, keys, local, NULL);
    how.column += pl_reaches_width(how.nreach, how.reach);
  }
  return how.first;
}

/* First fit with colours from `first` on for the uncoloured of n elements; returns how many are left. */
static int element_pass(int n, int width, const int *local, mask *masks, int first, int *colour)
{
  int left = 0;
  for (int i = 0; i < n; i++, local += width) {
    if (colour[i] >= 0) continue;
    mask seen = 0;
    for (int k = 0; k < width; k++)
      if (local[k] >= 0) seen |= masks[local[k]];
    if (!(mask)~seen) {
      left++;
      continue;
    }
    int c = lowest_bit(~seen);
    for (int k = 0; k < width; k++)
      if (local[k] >= 0) masks[local[k]] |= (mask)1 << c;
    colour[i] = first + c;
  }
  return left;
}

static void colour_block(const elements *w, int b)
{
  pl_run run = pl_plan_block(w->plan, b);
  size_t mine = w->room * (size_t)pl_plan_thread();
  int *local = w->local + mine, *colour = w->plan->element_colour + (run.begin - w->plan->begin);
  mask *masks = w->masks + mine;
  int n = run.end - run.begin, ntargets = number_groups(w, run, w->keys + 2 * mine, local), left, first = 0,
      most = 0;
  for (int i = 0; i < n; i++) colour[i] = -1;
  do {
    memset(masks, 0, (size_t)ntargets * sizeof *masks);
    left = element_pass(n, w->width, local, masks, first, colour);
    first += COLOURS;
  } while (left);
  for (int i = 0; i < n; i++)
    if (colour[i] >= most) most = colour[i] + 1;
  w->plan->element_colours[b] = most;
}

static pl_err colour_all_blocks(pl_context *pl, elements *w)
{
  int threads = pl_plan_threads(w->plan->nblocks, (size_t)(w->plan->end - w->plan->begin) * (size_t)w->width);
  size_t room = w->room * (size_t)threads;
  PL_TRY(PL_NEW_ARRAY(pl, w->keys, 2 * room));
  PL_TRY(PL_NEW_ARRAY(pl, w->local, room));
  PL_TRY(PL_NEW_ARRAY(pl, w->masks, room));
  PL_PARALLEL_FOR(threads)
  for (int b = 0; b < w->plan->nblocks; b++) colour_block(w, b);
  return PL_SUCCESS;
}

pl_err pl_colour_elements(pl_context *pl, const pl_plan_request *request, pl_plan *plan)
{
  int width = pl_reaches_width(request->nconflict, request->conflict);
  elements w = {request, plan, width, (size_t)pl_plan_longest_block(plan) * (size_t)width, NULL, NULL, NULL};
  PL_TRY(PL_NEW_ARRAY(pl, plan->element_colour, (size_t)(plan->end - plan->begin)));
  PL_TRY(PL_NEW(pl, plan->element_colours, (size_t)plan->nblocks));
  pl_err err = colour_all_blocks(pl, &w);
  for (int b = 0; b < plan->nblocks; b++)
    if (plan->element_colours[b] > plan->most_element_colours)
      plan->most_element_colours = plan->element_colours[b];
  pl_free_arrays(pl, w.keys, w.local, w.masks);
  return err;
}
