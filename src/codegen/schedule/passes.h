/* SPDX-License-Identifier: BSD-2-Clause
 * The passes of a schedule, and the data that they work on.
 *
 * Invariant: the schedule's own ops stay as recorded; passes replace loops in `op` and drop ops by `gone`.
 */
#pragma once

#include <stdbool.h>
#include "core/loop/loop.h"
#include "plan/chain/dependence.h"

/* The copy from -> to that another op makes unnecessary: it writes `from` to the storage of `to`. */
typedef struct pl_elided_copy {
  int at; /* the copy's position */
  pl_dat *from, *to;
} pl_elided_copy;

/* Ops that run as one step: their positions. */
typedef struct pl_op_group {
  int n, *from;
} pl_op_group;

typedef struct pl_passes {
  pl_context *pl;
  pl_schedule *schedule;
  pl_string *report;
  int n;                 /* ops that run */
  int nall;              /* and those that follow them in the queue */
  pl_op *op;             /* the schedule's ops; fused loops replace some */
  bool *gone;            /* of the first n: does not run */
  pl_elided_copy *copy;  /* of the first n: the copy that the op makes unnecessary; to: NULL: none */
  int *into;             /* of an op that is gone: the last one that does its work; else 0 */
  int *reader, *members; /* storage for n positions, and for those of all groups */
  int ngroups;
  pl_op_group *group;
} pl_passes;

/* The hint that the program gave the chain for a dat. */
static inline pl_hint pl_pass_hint(const pl_passes *w, const pl_dat *dat)
{
  return pl_chain_hint_of(w->schedule->chain, dat);
}

/* The dat's values are not needed after the schedule. */
static inline bool pl_pass_ends_with(const pl_passes *w, const pl_dat *dat)
{
  return w->schedule->ended && pl_pass_hint(w, dat).temporary;
}

static inline pl_loop *pl_group_member(const pl_passes *w, const pl_op_group *g, int m)
{
  return w->op[g->from[m]].loop;
}

/* ---- the passes, in their order ---- */

/* Refuses a chain that reads a temporary dat which no loop of the chain has written. */
pl_err pl_pass_check_reads(const pl_passes *w);

/* Inlines producers into the loops that read their dat, or precomputes them for blocks of these. */
pl_err pl_pass_inline_producers(pl_passes *w);

/* Turns copies into swaps of storage. */
void pl_pass_elide_copies(pl_passes *w);

/* Inlines increments into the loop that reads their sum. */
pl_err pl_pass_gather(pl_passes *w);

/* Drops arithmetic of globals that are overwritten before any read. */
void pl_pass_drop_dead_zeros(pl_passes *w);

/* Groups loops that run as one. */
void pl_pass_group(pl_passes *w);

/* Starts compiling the loops of all groups in parallel. */
pl_err pl_pass_prefetch(pl_passes *w);

/* Each group becomes one step; its members single steps where they cannot be fused. */
pl_err pl_pass_compile(pl_passes *w);

/* Independent steps over different sets share a launch. */
pl_err pl_pass_share_launches(pl_passes *w);

/* ---- functions that they share ---- */

/* pl_schedule.joining, from groups of the batch's ops and those that follow. */
int pl_count_joining(const pl_passes *w);

/* The op, if it still runs, writes the object, possibly instead of a copy. */
bool pl_pass_writes(const pl_passes *w, int position, const void *object);

bool pl_dats_may_swap(const pl_dat *a, const pl_dat *b);

/* Hook `find_gathered` of devices: the loop over the targets that adds up a loop's increments. All ranks
 * choose alike. */
pl_err pl_find_gathered(pl_context *pl, pl_loop *loop);
