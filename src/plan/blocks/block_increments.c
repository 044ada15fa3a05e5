/* SPDX-License-Identifier: BSD-2-Clause
 * The increment lists of blocks: number the targets of a block, then sort its entries by target with a
 * counting sort. Blocks are built in parallel; the memory is allocated before.
 */
#include "block_increments.h"
#include "block_targets.h"
#include "core/threads/threads.h"
#include <string.h>

typedef struct scratch {
  uint64_t *keys; /* of each thread, 2 * room */
  int *local;     /* of each thread, room: number of the target of entry (element, slot) */
  int *target;    /* of each block, room: its targets */
  int *owner;     /* of each target: the block that reaches it, -1 if several do */
  size_t room;    /* entries of a block */
} scratch;

static pl_run block_at(const pl_block_sums *c, int b)
{
  int64_t begin = c->begin + (int64_t)b * c->block_size, end = begin + c->block_size;
  return (pl_run){(int)begin, (int)(end < c->end ? end : c->end)};
}

static void fill_rows(const pl_block_sums *c, int b, const int *local, int ntargets)
{
  pl_run run = block_at(c, b);
  int n = run.end - run.begin;
  uint16_t *row = c->row + c->offset[b] + b,
           *entry = c->entry + (size_t)c->block_size * (size_t)c->nslots * (size_t)b;
  memset(row, 0, ((size_t)ntargets + 1) * sizeof *row);
  memset(entry, 0, (size_t)c->block_size * (size_t)c->nslots * sizeof *entry);
  for (int k = 0; k < n * c->nslots; k++)
    if (local[k] >= 0) row[local[k] + 1]++;
  for (int t = 0; t < ntargets; t++) row[t + 1] = (uint16_t)(row[t + 1] + row[t]);
  for (int i = 0; i < n; i++)
    for (int s = 0; s < c->nslots; s++) {
      int t = local[i * c->nslots + s];
      if (t >= 0) entry[row[t]++] = (uint16_t)(s * c->block_size + i);
    }
  for (int t = ntargets; t > 0; t--) row[t] = row[t - 1];
  row[0] = 0;
}

/* First pass: the targets of each block. */
static void number_blocks(pl_block_sums *c, const pl_numbering *how, const scratch *s, int threads)
{
  PL_PARALLEL_FOR(threads)
  for (int b = 0; b < c->nblocks; b++) {
    size_t mine = s->room * (size_t)pl_plan_thread();
    c->offset[b + 1] = pl_number_targets(how, block_at(c, b), s->keys + 2 * mine, s->local + mine,
                                         s->target + s->room * (size_t)b);
  }
}

/* Blocks in any order: a block that finds the number of another one stores -1. */
static void claim_targets(const pl_block_sums *c, const scratch *s, int b)
{
  for (int i = 0; i < c->offset[b + 1]; i++) {
    int *owner = &s->owner[s->target[s->room * (size_t)b + (size_t)i]];
    if (__atomic_exchange_n(owner, b, __ATOMIC_RELAXED) != c->nblocks)
      __atomic_store_n(owner, -1, __ATOMIC_RELAXED);
  }
}

static void find_owners(pl_block_sums *c, const scratch *s, int ntargets, int threads)
{
  PL_PARALLEL_FOR(threads)
  for (int t = 0; t < ntargets; t++) s->owner[t] = c->nblocks;
  PL_PARALLEL_FOR(threads)
  for (int b = 0; b < c->nblocks; b++) claim_targets(c, s, b);
  for (int b = 0; b < c->nblocks; b++) c->offset[b + 1] += c->offset[b];
}

/* Second pass: targets, with those of several blocks marked, and rows. */
static void fill_blocks(pl_block_sums *c, const pl_numbering *how, const scratch *s, int threads)
{
  PL_PARALLEL_FOR(threads)
  for (int b = 0; b < c->nblocks; b++) {
    size_t mine = s->room * (size_t)pl_plan_thread();
    int *target = c->target + c->offset[b];
    int n = pl_number_targets(how, block_at(c, b), s->keys + 2 * mine, s->local + mine, target);
    fill_rows(c, b, s->local + mine, n);
    for (int i = 0; i < n; i++)
      if (s->owner[target[i]] < 0) target[i] = ~target[i];
  }
  int64_t shared = 0;
  PL_PARALLEL_SUM(threads, shared)
  for (int i = 0; i < c->offset[c->nblocks]; i++) shared += c->target[i] < 0;
  c->shared = (int)shared;
}

static pl_err alloc_lists(pl_context *pl, pl_block_sums *c)
{
  size_t targets = (size_t)c->offset[c->nblocks], blocks = (size_t)c->nblocks;
  PL_TRY(PL_NEW_ARRAY(pl, c->target, targets));
  PL_TRY(PL_NEW_ARRAY(pl, c->row, targets + blocks));
  return PL_NEW_ARRAY(pl, c->entry, blocks * (size_t)c->block_size * (size_t)c->nslots);
}

static pl_err build_lists(pl_context *pl, pl_block_sums *c, const pl_numbering *how, scratch *s, int threads)
{
  int ntargets = how->reach[0].map->to->end[3];
  PL_TRY(PL_NEW(pl, c->offset, (size_t)c->nblocks + 1));
  PL_TRY(PL_NEW_ARRAY(pl, s->keys, 2 * s->room * (size_t)threads));
  PL_TRY(PL_NEW_ARRAY(pl, s->local, s->room * (size_t)threads));
  PL_TRY(PL_NEW_ARRAY(pl, s->target, s->room * (size_t)c->nblocks));
  PL_TRY(PL_NEW_ARRAY(pl, s->owner, (size_t)ntargets));
  number_blocks(c, how, s, threads);
  find_owners(c, s, ntargets, threads);
  PL_TRY(alloc_lists(pl, c));
  fill_blocks(c, how, s, threads);
  return PL_SUCCESS;
}

pl_err pl_block_sums_build(pl_set *set, pl_run run, int block_size, int nslots, const pl_reach *reach,
                           pl_block_sums *sums)
{
  pl_context *pl = set->node.pl;
  int64_t n = run.end - run.begin, entries = (int64_t)block_size * nslots;
  *sums = (pl_block_sums){.begin = run.begin, .end = run.end, .block_size = block_size, .nslots = nslots};
  sums->nblocks = (int)((n + block_size - 1) / block_size);
  if (entries > UINT16_MAX || entries * sums->nblocks > INT32_MAX)
    return pl_fail(pl, PL_ERR_RANGE,
                   "blocks of %d elements with %d increments each cannot be combined over \"%s\"", block_size,
                   nslots, set->node.name);
  scratch s = {.room = (size_t)entries};
  const pl_numbering how = {set, nslots, reach, nslots, 0, 0};
  pl_err err = build_lists(pl, sums, &how, &s, pl_plan_threads(sums->nblocks, (size_t)n * (size_t)nslots));
  pl_free_arrays(pl, s.keys, s.local, s.target, s.owner);
  if (err) pl_block_sums_free(pl, sums);
  return err;
}

void pl_block_sums_free(pl_context *pl, pl_block_sums *sums)
{
  pl_free(pl, sums->offset);
  pl_free_arrays(pl, sums->target, sums->row, sums->entry);
  *sums = (pl_block_sums){0};
}
