/* SPDX-License-Identifier: BSD-2-Clause
 * The data that the passes of a schedule work on.
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
