/* SPDX-License-Identifier: BSD-2-Clause
 * From recorded loops to steps: loops that may run as one are put into groups, each group becomes one loop.
 *
 * Invariant: a loop is moved only past loops that it does not depend on.
 */
#include "schedule.h"
#include "core/memory.h"
#include "fuse.h"
#include "plan/depend.h"
#include "schedule_work.h"
#include "signature.h"
#include <string.h>

enum {
  MOST_VALUES = 64,
  MOST_DEAD = 32,
  MOST_MEMBERS = 32,
  MOST_OBJECTS = 48, /* a dat takes two of the 120 parameters that a device's kernel can have */
  SMALL_SET = 16384
};

pl_err pl_schedule_check(pl_context *pl, pl_loop *loop)
{
  pl_signature signature = {.pl = pl};
  PL_TRY(pl_signature_parse(pl, loop->kernel, &signature));
  pl_err err = pl_signature_bind(pl, loop, &signature);
  pl_signature_free(&signature);
  return err;
}

/* ---- groups ---- */

/* Private values that argument i of a loop adds to those of the loops before it. */
static int new_values(const pl_arg *arg, const pl_loop *before)
{
  if (arg->off || arg->kind != PL_ARG_DAT) return 0;
  for (int i = 0; before && i < before->nargs; i++) {
    const pl_arg *x = &before->args[i];
    if (x->object == arg->object && x->map == arg->map && x->index == arg->index) return 0;
  }
  return pl_arg_targets(arg) * pl_arg_dim(arg);
}

static int values_of(const pl_schedule_work *w, const pl_schedule_group *g, const pl_loop *next)
{
  int values = 0;
  for (int i = 0; i < next->nargs; i++)
    values += new_values(&next->args[i], pl_schedule_op(w, g->from[0])->loop);
  for (int m = 0; m < g->n; m++) {
    const pl_loop *loop = pl_schedule_op(w, g->from[m])->loop;
    for (int i = 0; i < loop->nargs; i++)
      values += new_values(&loop->args[i], m ? pl_schedule_op(w, g->from[m - 1])->loop : NULL);
  }
  return values;
}

/* Elements of all ranks. */
static int64_t size_of(const pl_set *set)
{
  int64_t own = set->part[1], all = own;
  return pl_comm_reduce(set->node.pl, PL_INT64, PL_INC, &all, 1) ? own : all;
}

static bool is_listed(const void *const *list, int n, const void *object)
{
  for (int i = 0; i < n; i++)
    if (list[i] == object) return true;
  return false;
}

/* False if there is no room for what is not listed yet. */
static bool take_object(const void **list, int *n, const void *object)
{
  if (!object || is_listed(list, *n, object)) return true;
  if (*n == MOST_OBJECTS) return false;
  list[(*n)++] = object;
  return true;
}

/* Whether a device's kernel has parameters for all that the loops name. */
static bool has_parameters(const pl_schedule_work *w, const pl_schedule_group *g, const pl_loop *next)
{
  const void *list[MOST_OBJECTS];
  int n = 0;
  for (int m = 0; m <= g->n; m++) {
    const pl_loop *loop = m < g->n ? pl_schedule_op(w, g->from[m])->loop : next;
    for (int i = 0; i < loop->nargs; i++)
      if (!take_object(list, &n, loop->args[i].object) || !take_object(list, &n, loop->args[i].map))
        return false;
  }
  return true;
}

/* Whether one pass is worth more than two. */
static bool pays(const pl_schedule_work *w, const pl_schedule_group *g, const pl_loop *next)
{
  bool shares = size_of(next->set) <= SMALL_SET;
  for (int m = 0; m < g->n && !shares; m++)
    shares = pl_loops_share(pl_schedule_op(w, g->from[m])->loop, next);
  if (w->pl->backend->ends_reductions) return shares && has_parameters(w, g, next);
  if (pl_schedule_op(w, g->from[0])->loop->raw) return shares;
  return shares && values_of(w, g, next) <= MOST_VALUES;
}

/* Whether one of two ops does for a copy, to a dat that the other one uses. */
static bool copies_for(const pl_schedule_work *w, int i, int j)
{
  const pl_loop *other = pl_schedule_op(w, j)->loop;
  return w->copied[i].to && other && pl_loop_uses(other, w->copied[i].to);
}

/* In one loop with an op that does for a copy others may look at the copy, element by element, after it. What
 * the copy holds was there before the loop: nobody in it has written that. */
static bool copy_allows(const pl_schedule_work *w, int before, int after)
{
  const pl_dat *to = w->copied[before].to, *from = w->copied[after].from;
  if (copies_for(w, after, before)) return false;
  if (from && pl_loop_writes(pl_schedule_op(w, before)->loop, from)) return false;
  return !to || pl_loop_sees_directly(pl_schedule_op(w, after)->loop, to);
}

static bool may_join(const pl_schedule_work *w, const pl_schedule_group *g, int i)
{
  char why[PL_WHY];
  const pl_op *op = pl_schedule_op(w, i);
  if (!op->loop || !pl_schedule_op(w, g->from[0])->loop || g->n == MOST_MEMBERS) return false;
  for (int m = 0; m < g->n; m++)
    if (!pl_loops_may_fuse(pl_schedule_op(w, g->from[m])->loop, op->loop, why) ||
        !copy_allows(w, g->from[m], i))
      return false;
  return pays(w, g, op->loop);
}

static bool must_follow(const pl_schedule_work *w, const pl_schedule_group *g, int i)
{
  for (int m = 0; m < g->n; m++)
    if (pl_op_depends(pl_schedule_op(w, g->from[m]), pl_schedule_op(w, i), NULL) ||
        copies_for(w, g->from[m], i) || copies_for(w, i, g->from[m]))
      return true;
  return false;
}

static pl_schedule_group *insert_group(pl_schedule_work *w, int at)
{
  for (int g = w->ngroups; g > at; g--) w->group[g] = w->group[g - 1];
  w->group[at] = (pl_schedule_group){.from = w->from + (size_t)w->ngroups * (size_t)w->schedule->nops};
  w->ngroups++;
  return &w->group[at];
}

/* The last group that the op can join, or a new one: for a loop at the end, for a zero as early as may be, so
 * that it does not stand between loops. */
static pl_schedule_group *find_group(pl_schedule_work *w, int i)
{
  int g = w->ngroups;
  for (; g > 0; g--) {
    if (may_join(w, &w->group[g - 1], i)) return &w->group[g - 1];
    if (must_follow(w, &w->group[g - 1], i)) break;
  }
  return insert_group(w, pl_schedule_op(w, i)->loop ? w->ngroups : g);
}

static void make_groups(pl_schedule_work *w)
{
  for (int i = 0; i < w->schedule->nops; i++) {
    if (w->gone[i]) continue;
    pl_schedule_group *g = find_group(w, i);
    g->from[g->n++] = i;
  }
}

/* ---- what need not be stored ---- */

/* The first member of a group that uses the dat, or -1. */
static int first_member(const pl_schedule_work *w, const pl_schedule_group *g, const pl_dat *dat)
{
  for (int m = 0; m < g->n; m++) {
    const pl_loop *loop = pl_schedule_op(w, g->from[m])->loop;
    if (loop && pl_loop_uses(loop, dat)) return g->from[m];
  }
  return -1;
}

static const pl_loop *first_user(const pl_schedule_work *w, const pl_schedule_group *g, const pl_dat *dat)
{
  int position = first_member(w, g, dat);
  return position < 0 ? NULL : pl_schedule_op(w, position)->loop;
}

/* Nobody reads what this group leaves in the dat: it is written anew first, or temporary and the chain ends.
 */
static bool is_dead(const pl_schedule_work *w, int at, const pl_dat *dat)
{
  for (int g = at + 1; g < w->ngroups; g++) {
    int user = first_member(w, &w->group[g], dat);
    if (user < 0) continue;
    if (w->copied[user].from == dat) return false; /* it becomes the copy's */
    return w->copied[user].to == dat || pl_loop_covers(pl_schedule_op(w, user)->loop, dat);
  }
  for (int i = w->schedule->nops; i < w->schedule->nops + w->schedule->nahead; i++) {
    const pl_loop *user = pl_schedule_op(w, i)->loop;
    if (user && pl_loop_uses(user, dat)) return pl_loop_covers(user, dat);
  }
  return w->schedule->ended && pl_chain_hint_of(w->schedule->chain, dat).temporary;
}

/* Whether nobody asks for what a global holds after the op: it is zeroed first, sums into it or not. */
static bool is_unasked(const pl_schedule_work *w, int position, const pl_global *global)
{
  for (int i = position + 1; i < w->schedule->nops + w->schedule->nahead; i++) {
    const pl_op *op = pl_schedule_op(w, i);
    if (!op->loop && op->zeroed == global) return true;
    for (int a = 0; op->loop && a < op->loop->nargs; a++) {
      const pl_arg *arg = &op->loop->args[a];
      if (arg->object == global && !arg->off && (!pl_arg_reduces(arg) || arg->with)) return false;
    }
  }
  return false;
}

/* The sum that argument i of the op ends in is not asked for. */
static bool sums_in_vain(const pl_schedule_work *w, int position, int i)
{
  const pl_arg *arg = &pl_schedule_op(w, position)->loop->args[i];
  return arg->kind == PL_ARG_GLOBAL && !arg->off && pl_arg_reduces(arg) && !arg->with &&
         is_unasked(w, position, arg->object);
}

static bool all_in_vain(const pl_schedule_work *w, const pl_schedule_group *g, const pl_global *global)
{
  for (int m = 0; m < g->n; m++) {
    const pl_loop *loop = pl_schedule_op(w, g->from[m])->loop;
    for (int i = 0; i < loop->nargs; i++)
      if (loop->args[i].object == global && !loop->args[i].off && !sums_in_vain(w, g->from[m], i))
        return false;
  }
  return true;
}

/* Zeros that another zero follows before anybody asks need not run. */
static void drop_zeros(pl_schedule_work *w)
{
  for (int i = 0; i < w->schedule->nops; i++) {
    const pl_op *op = pl_schedule_op(w, i);
    if (!op->loop && is_unasked(w, i, op->zeroed)) w->gone[i] = true;
  }
}

static bool is_dead_argument(const pl_schedule_work *w, int at, int m, int i)
{
  const pl_schedule_group *g = &w->group[at];
  const pl_loop *loop = pl_schedule_op(w, g->from[m])->loop;
  const pl_arg *arg = &loop->args[i];
  if (arg->kind == PL_ARG_GLOBAL) return sums_in_vain(w, g->from[m], i) && all_in_vain(w, g, arg->object);
  for (int k = 0; k < g->n; k++)
    if (w->copied[g->from[k]].from == arg->object) return false; /* the copy's values are read from it */
  return arg->kind == PL_ARG_DAT && pl_loop_covers(loop, arg->object) &&
         first_user(w, g, arg->object) == loop && is_dead(w, at, arg->object);
}

static int find_dead(const pl_schedule_work *w, int at, const void **dead)
{
  const pl_schedule_group *g = &w->group[at];
  int n = 0;
  for (int m = 0; m < g->n; m++) {
    const pl_loop *loop = pl_schedule_op(w, g->from[m])->loop;
    for (int i = 0; loop && i < loop->nargs && n < MOST_DEAD; i++) {
      const void *object = loop->args[i].object;
      if (!is_listed(dead, n, object) && is_dead_argument(w, at, m, i)) dead[n++] = object;
    }
  }
  return n;
}

/* A loop by itself whose sums nobody asks for, or that writes beside, is made anew all the same. */
static bool stays_as_it_is(const pl_schedule_work *w, int at)
{
  const pl_schedule_group *g = &w->group[at];
  const pl_loop *loop = pl_schedule_op(w, g->from[0])->loop;
  char why[PL_WHY];
  if (g->n > 1) return false;
  if (!loop || !pl_loop_suits(loop, why)) return true;
  if (loop->raw || w->copied[g->from[0]].to) return false;
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].kind == PL_ARG_GLOBAL && is_dead_argument(w, at, 0, i)) return false;
  return true;
}

/* ---- steps ---- */

static pl_err add_made(pl_schedule_work *w, const pl_made *made, int nfrom, const int *from)
{
  PL_TRY(pl_schedule_add(w->pl, w->schedule, (pl_op){.loop = made->loop}, nfrom, from));
  pl_step *step = &w->schedule->step[w->schedule->nsteps - 1];
  step->nswap = made->nswap;
  memcpy(step->swap, made->swap, sizeof step->swap);
  return PL_SUCCESS;
}

/* A loop by itself, as it is where nothing speaks against it. */
static pl_err add_alone(pl_schedule_work *w, const int *from)
{
  pl_op op = *pl_schedule_op(w, *from);
  const pl_made *made;
  if (!op.loop || !op.loop->raw) return pl_schedule_add(w->pl, w->schedule, op, 1, from);
  PL_TRY(pl_fuse(w->pl, 1, &op.loop, 0, NULL, 0, NULL, &made));
  return add_made(w, made, 1, from);
}

/* One that does for a copy; where that cannot be made, the copy and the loop. */
static pl_err add_one(pl_schedule_work *w, const int *from)
{
  const pl_schedule_copy *copy = &w->copied[*from];
  const pl_beside beside = {copy->from, copy->to, true};
  pl_op op = *pl_schedule_op(w, *from);
  const pl_made *made;
  if (!copy->to) return add_alone(w, from);
  pl_err err = pl_fuse(w->pl, 1, &op.loop, 0, NULL, 1, &beside, &made);
  if (!err) err = pl_loop_prepare(made->loop);
  if (!err) return add_made(w, made, 1, from);
  if (err == PL_ERR_MEMORY) return err;
  PL_TRY(pl_schedule_add(w->pl, w->schedule, *pl_schedule_op(w, copy->at), 1, &copy->at));
  return add_alone(w, from);
}

static pl_err add_each(pl_schedule_work *w, const pl_schedule_group *g)
{
  for (int m = 0; m < g->n; m++) PL_TRY(add_one(w, &g->from[m]));
  return PL_SUCCESS;
}

static void note_fused(pl_schedule_work *w, const pl_loop *made, const pl_schedule_group *g, int ndead,
                       const void *const *dead)
{
  pl_text *t = &w->schedule->report;
  double before = 0;
  for (int m = 0; m < g->n; m++) before += pl_schedule_op(w, g->from[m])->loop->bytes_per_call;
  pl_text_add(t, "one loop of %d:", g->n);
  for (int m = 0; m < g->n; m++)
    pl_text_add(t, "%s %d %s", m ? "," : "", g->from[m] + 1,
                pl_schedule_op(w, g->from[m])->loop->kernel->name);
  pl_text_add(t, "; %.0f bytes instead of %.0f", made->bytes_per_call, before);
  for (int i = 0; i < ndead; i++) pl_text_add(t, "; \"%s\" is not stored", ((const pl_node *)dead[i])->name);
  pl_text_add(t, "\n");
}

/* ---- what is written beside ---- */

/* Where members look at a dat that member m of the group writes: through maps before it, so that it must be
 * written beside. */
static bool is_read_around(const pl_schedule_work *w, const pl_schedule_group *g, int m, const pl_dat *dat)
{
  for (int k = 0; k <= m; k++) {
    const pl_loop *loop = pl_schedule_op(w, g->from[k])->loop;
    for (int i = 0; i < loop->nargs; i++)
      if (loop->args[i].kind == PL_ARG_DAT && loop->args[i].object == dat && loop->args[i].map) return true;
  }
  return false;
}

/* The dat's values are needed up to member m and not after it, so that its storage may take others. */
static bool makes_room(const pl_schedule_work *w, int at, int m, const pl_dat *dat)
{
  const pl_schedule_group *g = &w->group[at];
  for (int k = 0; k < g->n; k++) {
    const pl_loop *loop = pl_schedule_op(w, g->from[k])->loop;
    if (k > m ? pl_loop_uses(loop, dat) : !pl_loop_sees_directly(loop, dat)) return false;
  }
  return is_dead(w, at, dat);
}

static bool is_beside(int n, const pl_beside *list, const pl_dat *dat)
{
  for (int i = 0; i < n; i++)
    if (list[i].dat == dat || list[i].second == dat) return true;
  return false;
}

/* A dat that the group's members read directly for the last time, for one that is written beside. */
static void find_room(const pl_schedule_work *w, int at, int m, pl_dat *dat, int *n, pl_beside *list)
{
  const pl_schedule_group *g = &w->group[at];
  for (int k = 0; k <= m; k++) {
    const pl_loop *loop = pl_schedule_op(w, g->from[k])->loop;
    for (int i = 0; i < loop->nargs; i++) {
      pl_dat *second = loop->args[i].object;
      if (loop->args[i].kind != PL_ARG_DAT || loop->args[i].off || !pl_dats_may_swap(dat, second)) continue;
      if (is_beside(*n, list, second) || !makes_room(w, at, m, second)) continue;
      list[(*n)++] = (pl_beside){dat, second, false};
      return;
    }
  }
}

/* All of its dat, whatever the loop does to it before. */
static bool overwrites(const pl_loop *loop, const pl_arg *arg)
{
  return arg->kind == PL_ARG_DAT && !arg->off && arg->access == PL_WRITE && !arg->map && arg->component < 0 &&
         loop->set == ((const pl_dat *)arg->object)->set;
}

static int find_besides(const pl_schedule_work *w, int at, pl_beside *list)
{
  const pl_schedule_group *g = &w->group[at];
  int n = 0;
  for (int m = 0; m < g->n && n < PL_SWAPS; m++)
    if (w->copied[g->from[m]].to)
      list[n++] = (pl_beside){w->copied[g->from[m]].from, w->copied[g->from[m]].to, true};
  for (int m = 0; m < g->n; m++) {
    const pl_loop *loop = pl_schedule_op(w, g->from[m])->loop;
    for (int i = 0; i < loop->nargs && n < PL_SWAPS; i++) {
      pl_dat *dat = loop->args[i].object;
      if (!overwrites(loop, &loop->args[i]) || is_beside(n, list, dat)) continue;
      if (is_read_around(w, g, m, dat)) find_room(w, at, m, dat, &n, list);
    }
  }
  return n;
}

/* The loop of a group, and what its members wrote that is not stored. */
static pl_err fuse_group(pl_schedule_work *w, int at, const pl_made **made, const void **dead, int *ndead)
{
  const pl_schedule_group *g = &w->group[at];
  pl_loop **member = pl_calloc(w->pl, (size_t)g->n, sizeof *member);
  pl_beside beside[PL_SWAPS];
  if (!member) return pl_fail_memory(w->pl, (size_t)g->n * sizeof *member);
  for (int m = 0; m < g->n; m++) member[m] = pl_schedule_op(w, g->from[m])->loop;
  *ndead = find_dead(w, at, dead);
  int nbeside = find_besides(w, at, beside);
  pl_err err = pl_fuse(w->pl, g->n, member, *ndead, dead, nbeside, beside, made);
  pl_free(w->pl, member);
  return err;
}

/* All loops that the steps will run are compiled side by side. What is wrong with one is found when it is
 * prepared. */
static pl_err foresee_steps(pl_schedule_work *w)
{
  const void *dead[MOST_DEAD];
  int ndead;
  for (int g = 0; g < w->ngroups; g++) {
    const pl_made *made = NULL;
    pl_loop *loop = pl_schedule_op(w, w->group[g].from[0])->loop;
    pl_err err = stays_as_it_is(w, g) ? PL_SUCCESS : fuse_group(w, g, &made, dead, &ndead);
    if (made) loop = made->loop;
    if (!err && loop && !loop->role) err = pl_loop_foresee(loop);
    if (err == PL_ERR_MEMORY) return err;
  }
  return PL_SUCCESS;
}

/* One loop of the group; its members one by one where that cannot be made. */
static pl_err add_fused(pl_schedule_work *w, int at)
{
  const pl_schedule_group *g = &w->group[at];
  const void *dead[MOST_DEAD];
  const pl_made *made;
  int ndead;
  pl_err err = fuse_group(w, at, &made, dead, &ndead);
  if (!err) err = pl_loop_prepare(made->loop);
  if (err == PL_ERR_MEMORY) return err;
  if (err) {
    pl_log(w->pl, 1, "loops stay apart: %s", pl_errmsg(w->pl));
    pl_text_add(&w->schedule->report, "loops stay apart: %s\n", pl_errmsg(w->pl));
    return add_each(w, g);
  }
  note_fused(w, made->loop, g, ndead, dead);
  return add_made(w, made, g->n, g->from);
}

static pl_err add_steps(pl_schedule_work *w)
{
  for (int g = 0; g < w->ngroups; g++)
    PL_TRY(stays_as_it_is(w, g) ? add_each(w, &w->group[g]) : add_fused(w, g));
  return PL_SUCCESS;
}

static pl_err add_plainly(pl_schedule_work *w)
{
  pl_text_add(&w->schedule->report, "Ranks have different backends: each loop runs by itself\n");
  for (int i = 0; i < w->schedule->nops; i++)
    PL_TRY(pl_schedule_add(w->pl, w->schedule, *pl_schedule_op(w, i), 1, &i));
  return PL_SUCCESS;
}

static pl_err add_changed(pl_schedule_work *w)
{
  PL_TRY(pl_schedule_inline(w));
  pl_schedule_copies(w);
  PL_TRY(pl_schedule_gather(w));
  drop_zeros(w);
  make_groups(w);
  PL_TRY(foresee_steps(w));
  PL_TRY(add_steps(w));
  return pl_schedule_share(w);
}

pl_err pl_schedule_make(pl_context *pl, pl_schedule *schedule)
{
  size_t n = (size_t)schedule->nops;
  pl_schedule_work w = {.pl = pl, .schedule = schedule};
  w.group = pl_calloc(pl, n, sizeof *w.group);
  w.from = pl_calloc(pl, n * n, sizeof *w.from);
  w.gone = pl_calloc(pl, n, sizeof *w.gone);
  w.reader = pl_calloc(pl, n, sizeof *w.reader);
  w.copied = pl_calloc(pl, n, sizeof *w.copied);
  w.op = pl_memdup(pl, schedule->op, (n + (size_t)schedule->nahead) * sizeof *w.op);
  bool room = w.group && w.from && w.gone && w.reader && w.copied && w.op;
  pl_err err = room ? PL_SUCCESS : pl_fail_memory(pl, n * n * sizeof *w.from);
  if (!err) err = pl_schedule_check_reads(&w);
  if (!err) err = schedule->plain ? add_plainly(&w) : add_changed(&w);
  if (!err) err = pl_text_check(&schedule->report);
  pl_free(pl, w.group);
  pl_free(pl, w.from);
  pl_free(pl, w.gone);
  pl_free(pl, w.reader);
  pl_free(pl, w.copied);
  pl_free(pl, w.op);
  return err;
}
