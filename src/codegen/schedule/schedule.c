/* SPDX-License-Identifier: BSD-2-Clause
 * From recorded loops to steps: the list of passes.
 *
 * Invariant: a loop is moved only past loops that it does not depend on.
 */
#include "schedule.h"
#include "codegen/kernel/signature_check.h"
#include "core/chain/schedule_run.h"
#include "core/tools/tools.h"
#include "passes.h"

pl_err pl_schedule_check(pl_context *pl, pl_loop *loop)
{
  pl_signature signature;
  (void)pl;
  PL_TRY(pl_loop_signature(loop, &signature));
  pl_signature_free(&signature);
  return PL_SUCCESS;
}

/* To choose those that join, the ops that follow are grouped, too. */
static pl_err open_passes(pl_context *pl, pl_schedule *schedule, pl_passes *w)
{
  const size_t all = (size_t)(schedule->nops + schedule->nahead),
               n = schedule->may_join ? all : (size_t)schedule->nops;
  *w =
    (pl_passes){.pl = pl, .schedule = schedule, .report = &schedule->report, .n = (int)n, .nall = (int)all};
  w->op = pl_memdup(pl, schedule->op, all * sizeof *w->op);
  w->gone = pl_calloc(pl, n, sizeof *w->gone);
  w->copy = pl_calloc(pl, n, sizeof *w->copy);
  w->into = pl_calloc(pl, n, sizeof *w->into);
  w->reader = pl_calloc(pl, n, sizeof *w->reader);
  w->members = pl_calloc(pl, n * n, sizeof *w->members);
  w->group = pl_calloc(pl, n, sizeof *w->group);
  bool allocated = w->op && w->gone && w->copy && w->into && w->reader && w->members && w->group;
  return allocated ? PL_SUCCESS : pl_fail_memory(pl, n * n * sizeof *w->members);
}

static void close_passes(pl_passes *w)
{
  void *const arrays[] = {w->op, w->gone, w->copy, w->into, w->reader, w->members, w->group};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) pl_free(w->pl, arrays[i]);
}

static pl_err keep_loops(pl_passes *w)
{
  pl_string_add(w->report, "ranks have different backends: nothing is fused\n");
  for (int i = 0; i < w->n; i++) PL_TRY(pl_schedule_add(w->pl, w->schedule, w->op[i], 1, &i));
  return PL_SUCCESS;
}

/* Chooses the loops that run as one. */
static pl_err group_loops(pl_passes *w)
{
  PL_TRY(pl_pass_inline_producers(w)); /* a dat's producer into the loops that read it */
  pl_pass_elide_copies(w);             /* a copy becomes a swap of storage */
  PL_TRY(pl_pass_gather(w));           /* loops that increment a dat into the loop that reads the sum */
  pl_pass_drop_dead_zeros(w);          /* zeros of globals that are never read */
  pl_pass_group(w);                    /* loops that can run as one */
  return PL_SUCCESS;
}

static pl_err make_steps(pl_passes *w)
{
  PL_TRY(pl_pass_prefetch(w));      /* start compiling all fused loops in parallel */
  PL_TRY(pl_pass_compile(w));       /* each group becomes a step */
  return pl_pass_share_launches(w); /* steps over different sets become one launch */
}

static pl_err run_passes(pl_passes *w)
{
  PL_TRY(pl_pass_check_reads(w)); /* refuse reads of temporary dats that no loop has written */
  if (w->schedule->plain) return keep_loops(w);
  PL_TRY(group_loops(w));
  if (!w->schedule->may_join) return make_steps(w);
  w->schedule->joining = pl_count_joining(w);
  return PL_SUCCESS;
}

pl_err pl_schedule_make(pl_context *pl, pl_schedule *schedule)
{
  pl_passes w;
  pl_event_begin(pl, PL_TOOL_PLAN, "schedule", "", 0);
  pl_err err = open_passes(pl, schedule, &w);
  if (!err) err = run_passes(&w);
  if (!err) err = pl_string_check(&schedule->report);
  close_passes(&w);
  pl_event_end(pl, PL_TOOL_PLAN);
  return err;
}
