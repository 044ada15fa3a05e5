/* SPDX-License-Identifier: BSD-2-Clause
 * Steps over different sets that need nothing of each other, or only add to the same dat, become one launch
 * where a launch costs more than the work: on devices, for small sets; or where the option says so.
 */
#include "core/memory.h"
#include "fuse.h"
#include "plan/depend.h"
#include "schedule_work.h"
#include <string.h>

enum {
  MOST_ELEMENTS = 1 << 16,  /* of both: above, a launch is little */
  MOST_COLLIDING = 1 << 15, /* the same, where increments collide and may get slower */
  FAR = 8                   /* steps that are looked at */
};

/* ---- which ---- */

static bool may_meet(const pl_arg *x, const pl_arg *y)
{
  if (x->off || y->off || x->object != y->object || x->kind != y->kind) return true;
  if (x->kind != PL_ARG_DAT && x->kind != PL_ARG_GLOBAL) return true;
  if (!pl_arg_writes(x) && !pl_arg_writes(y)) return true;
  bool combine = x->access == PL_INC || x->access == PL_MIN || x->access == PL_MAX;
  return x->kind == PL_ARG_DAT && combine && x->access == y->access && pl_arg_collides(x) &&
         pl_arg_collides(y);
}

/* On all ranks. */
static bool are_small(const pl_loop *a, const pl_loop *b)
{
  int most = a->indirect_write || b->indirect_write ? MOST_COLLIDING : MOST_ELEMENTS;
  if (a->pl->late.share == PL_SHARE_ON) most = INT32_MAX;
  return pl_comm_all(a->pl, (int64_t)a->set->part[3] + b->set->part[3] <= most);
}

/* Loops that run other ranks' elements, too, share no launch with those that do not: these would ask for more
 * of others than they need. */
static bool run_alike(const pl_loop *a, const pl_loop *b)
{
  return pl_ranks(a->pl) == 1 || a->runs_halo == b->runs_halo;
}

static bool may_share(const pl_step *s, const pl_step *t)
{
  const pl_loop *a = s->op.loop, *b = t->op.loop;
  char why[PL_WHY];
  if (!a || !b || a->role || b->role || s->nswap || t->nswap || a->set == b->set) return false;
  if (!pl_loop_suits(a, why) || !pl_loop_suits(b, why) || !pl_loop_may_join(a) || !pl_loop_may_join(b))
    return false;
  if (!run_alike(a, b) || !are_small(a, b)) return false;
  for (int i = 0; i < a->nargs; i++)
    for (int j = 0; j < b->nargs; j++)
      if (!may_meet(&a->args[i], &b->args[j])) return false;
  return true;
}

/* Whether step t may run before the steps from `first` on that stand before it. */
static bool may_pass(const pl_schedule *schedule, int first, int t)
{
  for (int s = first; s < t; s++)
    if (schedule->step[s].nswap || pl_op_depends(&schedule->step[s].op, &schedule->step[t].op, NULL))
      return false;
  return true;
}

static int find_partner(const pl_schedule *schedule, int s)
{
  for (int t = s + 1; t < schedule->nsteps && t <= s + FAR; t++)
    if (may_share(&schedule->step[s], &schedule->step[t]) && may_pass(schedule, s + 1, t)) return t;
  return -1;
}

/* ---- how ---- */

/* Step s does what step t did. */
static pl_err take_over(pl_context *pl, pl_schedule *schedule, int s, int t, pl_loop *loop)
{
  pl_step *into = &schedule->step[s], *from = &schedule->step[t];
  size_t n = (size_t)into->nfrom, more = (size_t)from->nfrom;
  int *both = pl_resize(pl, into->from, (n + more) * sizeof *both);
  PL_TRY(pl_agree(pl, both ? PL_SUCCESS : pl_fail_memory(pl, (n + more) * sizeof *both)));
  memcpy(both + n, from->from, more * sizeof *both);
  pl_text_add(&schedule->report, "one launch of two: %s over %s, %s over %s\n", into->op.loop->kernel->name,
              into->op.loop->set->node.name, from->op.loop->kernel->name, from->op.loop->set->node.name);
  into->from = both;
  into->nfrom += from->nfrom;
  into->op.loop = loop;
  pl_free(pl, from->from);
  memmove(from, from + 1, (size_t)(--schedule->nsteps - t) * sizeof *from);
  return PL_SUCCESS;
}

/* What cannot be made stays apart. */
static pl_err share(pl_context *pl, pl_schedule *schedule, int s, int t, bool *done)
{
  const pl_made *made;
  pl_err err = pl_fuse_sets(pl, schedule->step[s].op.loop, schedule->step[t].op.loop, &made);
  if (!err) err = pl_loop_prepare(made->loop);
  *done = !err;
  if (!err) return take_over(pl, schedule, s, t, made->loop);
  if (err == PL_ERR_MEMORY) return err;
  pl_log(pl, 1, "launches stay apart: %s", pl_errmsg(pl));
  pl_text_add(&schedule->report, "launches stay apart: %s\n", pl_errmsg(pl));
  return PL_SUCCESS;
}

pl_err pl_schedule_share(pl_schedule_work *w)
{
  pl_context *pl = w->pl;
  bool wanted = pl->late.share == PL_SHARE_ON || (pl->late.share == PL_SHARE_AUTO && pl->late.dear);
  if (!wanted) return PL_SUCCESS;
  for (int s = 0; s < w->schedule->nsteps; s++) {
    bool done = true;
    for (int t; done && (t = find_partner(w->schedule, s)) >= 0;) PL_TRY(share(pl, w->schedule, s, t, &done));
  }
  return PL_SUCCESS;
}
