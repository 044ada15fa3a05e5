/* SPDX-License-Identifier: BSD-2-Clause
 * Chains of loops: recorded in the deferred queue, scheduled, and run later, some of them fused. A schedule
 * is made once by the backend (hook `schedule`) and found again by the sequence of loops.
 *
 * Invariant: whoever reads data, or writes it outside a loop, calls pl_before_access (or pl_flush_all) first,
 * so deferred execution is not observable.
 */
#pragma once

#include <stdbool.h>
#include "core/context/string_builder.h"
#include "core/context/context.h"

/* A record of the queue: a loop, or arithmetic of globals. Compared as bytes. */
typedef struct pl_op {
  pl_loop *loop;     /* NULL: of globals */
  pl_global *result; /* zero without operands, a copy of `a` without `b`, else a op b */
  pl_global *a, *b;
  intptr_t operator; /* a pl_operator */
  uint64_t call;     /* of the loop's random numbers; 0 once the loop has the number */
} pl_op;

/* One step of a schedule. It replaces the ops `from`. */
typedef struct pl_step {
  pl_op op;
  int nfrom, *from;
  int nswap;
  pl_dat *swap[8][2]; /* dats whose storage is swapped after the step */
} pl_step;

/* The user's hint about a dat of a chain. */
typedef struct pl_hint {
  pl_dat *dat;
  pl_chain_choice choice;
  bool temporary;
} pl_hint;

struct pl_chain {
  pl_node node;
  int nhints;
  pl_hint *hint;
  bool warm_up;     /* until it ends, its loops are prepared and do not run */
  int block;        /* elements of a block; 0: the library chooses */
  uint64_t version; /* of the hints */
  int nparts;
  struct pl_schedule **part; /* the schedules of the last run, each once, for pl_chain_print */
};

typedef struct pl_schedule {
  struct pl_schedule *next;
  uint64_t hash;
  pl_chain *chain; /* NULL: none was open */
  uint64_t hints;  /* version of its hints */
  bool ended;      /* the chain ends here: its temporary dats are dead */
  bool whole;      /* and it begins here, without work that is not recorded and may write values */
  bool plain;      /* each op is a step: ranks have different backends */
  int nops;        /* ops that run */
  int nahead;      /* ops that follow them in the queue */
  int may_join;    /* so many of those may join the batch: only `joining` is found, no steps; 0: steps */
  int joining;     /* how many had better join, since they are fused with ops of the batch */
  pl_op *op;
  int nsteps;
  pl_step *step;
  pl_string report; /* the changes of each pass, and why there were no more */
  uint64_t runs;
  uint64_t changes; /* deferred.storage_version when it was made */
  void *replay;     /* the backend's */
} pl_schedule;

/* The chain's hint about a dat; PL_AUTO without one. */
pl_hint pl_chain_hint_of(const pl_chain *chain, const pl_dat *dat);

bool pl_chain_warms_up(const pl_context *pl); /* recorded loops are prepared only */

void pl_chain_destroy(pl_node *chain);
/* Drops the hint about a dat; a schedule from those of the last run. */
void pl_chain_forget(pl_chain *chain, const void *dat);
void pl_chain_forget_part(pl_chain *chain, const pl_schedule *schedule);

/* Called for each object that an op accesses; false ends the visit. */
typedef bool (*pl_op_visitor)(void *user, pl_node *object, bool reads, bool writes);
