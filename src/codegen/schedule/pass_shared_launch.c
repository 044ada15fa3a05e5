/* SPDX-License-Identifier: BSD-2-Clause
 * Steps over different sets that are independent, or only increment the same dat, share a launch where
 * latency exceeds the work: on devices, for small sets; or where the option says so.
 */
#include "passes.h"
#include "codegen/fusion/fuse_sets.h"
#include "core/comm/comm.h"
#include <string.h>

enum {
  MOST_ELEMENTS = 1 << 16,  /* of both: above, launch latency is small */
  MOST_COLLIDING = 1 << 15, /* the same, where increments collide and may get slower */
  DISTANCE = 8              /* of two steps */
};

/* ---- which ---- */

static bool are_independent(const pl_arg *x, const pl_arg *y)
{
  if (x->off || y->off || x->object != y->object || x->kind != y->kind) return true;
  if (!pl_arg_has_data(x)) return true;
  if (!pl_arg_writes(x) && !pl_arg_writes(y)) return true;
  return pl_arg_is_record(x) && pl_combines(x->access) && x->access == y->access && pl_arg_collides(x) &&
         pl_arg_collides(y);
}

/* On all ranks. */
static bool are_small(const pl_loop *a, const pl_loop *b)
{
  int most = a->indirect_write || b->indirect_write ? MOST_COLLIDING : MOST_ELEMENTS;
  if (a->pl->deferred.share == PL_SHARE_ON) most = INT32_MAX;
  return pl_comm_all(a->pl, (int64_t)a->set->end[3] + b->set->end[3] <= most);
}

/* Loops with and without halo elements share no launch: the latter would exchange more than needed. */
static bool run_same_elements(const pl_loop *a, const pl_loop *b)
{
  return pl_ranks(a->pl) == 1 || a->runs_halo == b->runs_halo;
}

static bool may_share(const pl_step *s, const pl_step *t)
{
  const pl_loop *a = s->op.loop, *b = t->op.loop;
  char why[PL_WHY];
  if (!a || !b || a->role || b->role || s->nswap || t->nswap || a->set == b->set) return false;
  if (!pl_loop_may_fuse_any(a, why) || !pl_loop_may_fuse_any(b, why) || !pl_loop_may_share_launch(a) ||
      !pl_loop_may_share_launch(b))
    return false;
  if (!run_same_elements(a, b) || !are_small(a, b)) return false;
  PL_EACH_ARG (x, a)
    PL_EACH_ARG (y, b)
      if (!are_independent(x, y)) return false;
  return true;
}

/* Step t may run before the steps first to t - 1. */
static bool may_move(const pl_schedule *schedule, int first, int t)
{
  for (int s = first; s < t; s++)
    if (schedule->step[s].nswap || pl_op_depends(&schedule->step[s].op, &schedule->step[t].op, NULL))
      return false;
  return true;
}

static int find_partner(const pl_schedule *schedule, int s)
{
  for (int t = s + 1; t < schedule->nsteps && t <= s + DISTANCE; t++)
    if (may_share(&schedule->step[s], &schedule->step[t]) && may_move(schedule, s + 1, t)) return t;
  return -1;
}

/* ---- how ---- */

/* Replaces steps s and t by the loop, as step s. */
static pl_err merge_steps(pl_context *pl, pl_schedule *schedule, int s, int t, pl_loop *loop)
{
  pl_step *into = &schedule->step[s], *from = &schedule->step[t];
  size_t n = (size_t)into->nfrom, more = (size_t)from->nfrom;
  int *both = pl_resize(pl, into->from, (n + more) * sizeof *both);
  PL_TRY(pl_agree(pl, both ? PL_SUCCESS : pl_fail_memory(pl, (n + more) * sizeof *both)));
  memcpy(both + n, from->from, more * sizeof *both);
  pl_string_add(&schedule->report, "one launch: %s over %s, %s over %s\n", pl_loop_title(into->op.loop),
                into->op.loop->set->node.name, pl_loop_title(from->op.loop), from->op.loop->set->node.name);
  into->from = both;
  into->nfrom += from->nfrom;
  into->op.loop = loop;
  pl_free(pl, from->from);
  memmove(from, from + 1, (size_t)(--schedule->nsteps - t) * sizeof *from);
  return PL_SUCCESS;
}

static pl_err share_launch(pl_context *pl, pl_schedule *schedule, int s, int t, bool *done)
{
  pl_loop *a = schedule->step[s].op.loop, *b = schedule->step[t].op.loop;
  const pl_fused *fused;
  pl_err err = pl_fuse_sets(pl, a, b, &fused);
  if (!err) err = pl_loop_prepare(fused->loop);
  *done = !err;
  if (!err) return merge_steps(pl, schedule, s, t, fused->loop);
  if (err == PL_ERR_MEMORY) return err;
  pl_log(pl, 1, "launch not shared: %s, %s: %s", pl_loop_title(a), pl_loop_title(b), pl_errmsg(pl));
  pl_string_add(&schedule->report, "launch not shared: %s, %s: %s\n", pl_loop_title(a), pl_loop_title(b),
                pl_errmsg(pl));
  return PL_SUCCESS;
}

pl_err pl_pass_share_launches(pl_passes *w)
{
  pl_context *pl = w->pl;
  bool wanted =
    pl->deferred.share == PL_SHARE_ON || (pl->deferred.share == PL_SHARE_AUTO && pl->deferred.launch_bound);
  if (!wanted) return PL_SUCCESS;
  for (int s = 0; s < w->schedule->nsteps; s++) {
    bool done = true;
    for (int t; done && (t = find_partner(w->schedule, s)) >= 0;)
      PL_TRY(share_launch(pl, w->schedule, s, t, &done));
  }
  return PL_SUCCESS;
}
