/* SPDX-License-Identifier: BSD-2-Clause
 * A schedule in the making: what its passes hand on to each other.
 */
#ifndef PLAIT_CODEGEN_SCHEDULE_WORK_H
#define PLAIT_CODEGEN_SCHEDULE_WORK_H

#include "core/chain.h"

typedef struct pl_schedule_group {
  int n, *from; /* positions in the schedule's ops */
} pl_schedule_group;

/* The copy from -> to that an op takes the place of: it writes `from` in the storage of `to`. */
typedef struct pl_schedule_copy {
  int at; /* the copy's position */
  pl_dat *from, *to;
} pl_schedule_copy;

typedef struct pl_schedule_work {
  pl_context *pl;
  pl_schedule *schedule;
  int ngroups;
  pl_op *op;                /* the schedule's, some replaced by made loops */
  bool *gone;               /* those that need not run */
  pl_schedule_copy *copied; /* by op; NULL: none */
  int *reader;              /* scratch, for as many as there are ops */
  pl_schedule_group *group;
  int *from; /* room of all groups */
} pl_schedule_work;

static inline const pl_op *pl_schedule_op(const pl_schedule_work *w, int position)
{
  return &w->op[position];
}

/* Whether an op changes an object. One that does for a copy writes that, too; those that are gone write
 * nothing. */
bool pl_schedule_writes(const pl_schedule_work *w, int position, const void *object);

/* Refuses a chain in which a temporary dat is read where no loop of the chain has written it. */
pl_err pl_schedule_check_reads(const pl_schedule_work *w);

/* Producers move into their consumers where that is asked for or pays. */
pl_err pl_schedule_inline(pl_schedule_work *w);

/* Copies become changes of place. */
void pl_schedule_copies(pl_schedule_work *w);
bool pl_dats_may_swap(const pl_dat *a, const pl_dat *b);
bool pl_loop_sees_directly(const pl_loop *loop, const pl_dat *dat);

/* Steps over different sets share a launch. */
pl_err pl_schedule_share(pl_schedule_work *w);

/* Increments move into the loop that reads their sum. */
pl_err pl_schedule_gather(pl_schedule_work *w);

#endif
