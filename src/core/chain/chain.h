/* SPDX-License-Identifier: BSD-2-Clause
 * Chains: loops that are recorded and run later, several as one where that is right. The queue holds what was
 * recorded and has not run; a schedule is what becomes of a queue: made once by the backend's room (hook
 * `schedule`), found again by the sequence of loops.
 *
 * Invariant: whatever looks at data, or changes it outside a loop, goes through pl_late_touch (or
 * pl_late_run) first, so that nobody can tell that a loop ran late.
 */
#ifndef PLAIT_CORE_CHAIN_H
#define PLAIT_CORE_CHAIN_H

#include "loop.h"
#include "text.h"

/* One thing recorded: a loop, or a global set to zero. */
typedef struct pl_op {
  pl_loop *loop; /* NULL: the global is zeroed */
  pl_global *zeroed;
} pl_op;

/* One thing run. It stands for the recorded ones `from`. */
typedef struct pl_step {
  pl_op op;
  int nfrom, *from;
  int nswap;
  pl_dat *swap[8][2]; /* dats whose storage changes places once the step has run */
} pl_step;

/* What the user said about a dat of a chain. */
typedef struct pl_hint {
  pl_dat *dat;
  pl_chain_choice choice;
  bool temporary;
} pl_hint;

struct pl_chain {
  pl_node node;
  int nhints;
  pl_hint *hint;
  bool rehearsed;           /* its loops are made ready and do not run, till it ends */
  int block;                /* elements of a block; 0: the library chooses */
  uint64_t version;         /* of the hints */
  struct pl_schedule *last; /* that ran in this chain, for pl_chain_print */
};

typedef struct pl_schedule {
  struct pl_schedule *next;
  uint64_t hash;
  pl_chain *chain; /* NULL: none was open */
  uint64_t hints;  /* version of its hints */
  bool ended;      /* the chain ends here: its temporary dats are not needed any more */
  bool whole;      /* and it began here too */
  bool plain;      /* every op stays a step of its own: ranks have different backends */
  int nops;        /* that run */
  int nahead;      /* that follow them in the queue and run later */
  pl_op *op;
  int nsteps;
  pl_step *step;
  pl_text report; /* what was done to the chain, stage by stage, and why not more */
  uint64_t runs;
  uint64_t changes; /* late.changes when it was made */
  void *replay;     /* the backend's */
} pl_schedule;

/* The step list grows; `from` is copied. Used by the backend's room. */
pl_err pl_schedule_add(pl_context *pl, pl_schedule *schedule, pl_op op, int nfrom, const int *from);

/* What the chain was told about a dat; a neutral hint otherwise. */
pl_hint pl_chain_hint_of(const pl_chain *chain, const pl_dat *dat);

/* Whether loops are recorded now. */
bool pl_late_records(const pl_context *pl);
pl_err pl_late_loop(pl_loop *loop);
bool pl_chain_rehearses(const pl_context *pl); /* what is recorded does not run */
pl_err pl_late_zero(pl_dat *dat, pl_set *set); /* its set, or a subset */
pl_err pl_late_copy(pl_dat *from, pl_dat *to);
pl_err pl_late_zero_global(pl_global *global);

/* Runs what has to run before an object is read, or written, by hand; or everything. */
pl_err pl_late_touch(pl_node *object, bool write);
pl_err pl_late_run(pl_context *pl);
pl_err pl_late_end(pl_context *pl); /* everything, and the open chain ends there */

void pl_late_options(pl_context *pl); /* the option lazy may have changed */
/* An object is going: schedules are made anew, since they name loops, and chains forget what they were told.
 */
void pl_late_forget(pl_context *pl, const void *object);
/* Sets are distributed anew: what was made for their storage goes. Nothing is recorded. */
void pl_late_drop(pl_context *pl);
void pl_late_close(pl_context *pl);
void pl_chain_destroy(pl_node *chain);
void pl_chain_forget(pl_chain *chain, const void *dat);

/* Goes through what an op reads and writes: object, whether it reads and whether it writes it. Returns false
 * as soon as `visit` does. */
typedef bool (*pl_op_visitor)(void *user, pl_node *object, bool reads, bool writes);
bool pl_op_each(const pl_op *op, pl_op_visitor visit, void *user);

#endif
