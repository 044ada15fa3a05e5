/* SPDX-License-Identifier: BSD-2-Clause
 * Fuses each group, without dead stores and with double buffers, and adds the steps.
 */
#include "passes.h"
#include "codegen/fusion/fuse.h"
#include "core/chain/schedule_run.h"
#include "core/loop/reduction.h"
#include <string.h>

enum { MOST_DEAD = 32 };

/* ---- dead values: loops write them and no loop reads them ---- */

/* The first member of a group that uses the dat: its position, or -1. */
static int first_user(const pl_passes *w, const pl_op_group *g, const pl_dat *dat)
{
  for (int m = 0; m < g->n; m++) {
    const pl_loop *loop = pl_group_member(w, g, m);
    if (loop && pl_loop_uses(loop, dat)) return g->from[m];
  }
  return -1;
}

/* The dat is dead after group `at`: overwritten before any read, or temporary and the chain ends. */
static bool dat_is_dead(const pl_passes *w, int at, const pl_dat *dat)
{
  for (int g = at + 1; g < w->ngroups; g++) {
    int user = first_user(w, &w->group[g], dat);
    if (user < 0) continue;
    if (w->copy[user].from == dat) return false; /* its values become those of the copy */
    return w->copy[user].to == dat || pl_loop_overwrites(w->op[user].loop, dat);
  }
  for (int i = w->n; i < w->nall; i++) {
    const pl_loop *user = w->op[i].loop;
    if (user && pl_loop_uses(user, dat)) return pl_loop_overwrites(user, dat);
  }
  return pl_pass_ends_with(w, dat);
}

/* True if the global is dead after this op: it is overwritten before any read. */
static bool global_is_dead(const pl_passes *w, int position, const pl_global *global)
{
  for (int i = position + 1; i < w->nall; i++) {
    const pl_op *op = &w->op[i];
    if (op->a == global || op->b == global) return false;
    if (op->result == global) return true;
    for (int a = 0; op->loop && a < op->loop->nargs; a++) {
      const pl_arg *arg = &op->loop->args[a];
      if (arg->object == global && !arg->off && (!pl_arg_reduces(arg) || arg->with)) return false;
    }
  }
  return false;
}

void pl_pass_drop_dead_zeros(pl_passes *w)
{
  for (int i = 0; i < w->n; i++)
    if (!w->op[i].loop && global_is_dead(w, i, w->op[i].result)) w->gone[i] = true;
}

/* All uses of the global in the group are dead sums. */
static bool only_dead_sums(const pl_passes *w, const pl_op_group *g, const pl_global *global)
{
  for (int m = 0; m < g->n; m++) {
    const pl_loop *loop = pl_group_member(w, g, m);
    PL_EACH_ARG (arg, loop) {
      if (arg->object != global || arg->off) continue;
      if (arg->kind != PL_ARG_GLOBAL || !pl_arg_reduces(arg) || arg->with ||
          !global_is_dead(w, g->from[m], global))
        return false;
    }
  }
  return true;
}

/* Sums of pairs that only the particles' part reads: it has them in registers. */
static bool sum_is_dead(const pl_passes *w, int at, const pl_arg *arg)
{
  const pl_op_group *g = &w->group[at];
  for (int m = 1; m < g->n; m++)
    if (!pl_loop_reads_directly(pl_group_member(w, g, m), arg->object)) return false;
  return arg->zeroed && pl_arg_is_record(arg) && !arg->off && dat_is_dead(w, at, arg->object);
}

/* The values that argument i of member m of group `at` writes need not be stored. */
static bool arg_is_dead(const pl_passes *w, int at, int m, int i)
{
  const pl_op_group *g = &w->group[at];
  const pl_loop *loop = pl_group_member(w, g, m);
  const pl_arg *arg = &loop->args[i];
  if (arg->kind == PL_ARG_GLOBAL) return !arg->off && only_dead_sums(w, g, arg->object);
  for (int k = 0; k < g->n; k++)
    if (w->copy[g->from[k]].from == arg->object) return false; /* the copy has its values */
  if (pl_loop_traits_of(loop)->pairs) return sum_is_dead(w, at, arg);
  if (!pl_arg_is_record(arg) || !pl_loop_covers(loop, arg->object)) return false;
  return w->op[first_user(w, g, arg->object)].loop == loop && dat_is_dead(w, at, arg->object);
}

/* ---- double buffers ---- */

typedef struct buffers {
  int n;
  pl_double_buffered item[PL_MAX_SWAPS];
} buffers;

static bool is_buffered(const buffers *b, const pl_dat *dat)
{
  for (int i = 0; i < b->n; i++)
    if (b->item[i].dat == dat || b->item[i].second == dat) return true;
  return false;
}

/* Members read the dat directly, up to member m, and its values are dead after that: its storage is free. */
static bool is_free_after(const pl_passes *w, int at, int m, const pl_dat *dat)
{
  const pl_op_group *g = &w->group[at];
  for (int k = 0; k < g->n; k++) {
    const pl_loop *loop = pl_group_member(w, g, k);
    if (k > m ? pl_loop_uses(loop, dat) : !pl_loop_reads_directly(loop, dat)) return false;
  }
  return dat_is_dead(w, at, dat);
}

/* The second buffer is the storage of a dat that is free after member m. Without one, pl_fuse allocates. */
static void reuse_storage(const pl_passes *w, int at, int m, pl_dat *dat, buffers *b)
{
  for (int k = 0; k <= m; k++) {
    const pl_loop *loop = pl_group_member(w, &w->group[at], k);
    PL_EACH_ACCESS (access, loop) {
      pl_dat *second = access->dat;
      if (!second || !pl_dats_may_swap(dat, second)) continue;
      if (is_buffered(b, second) || !is_free_after(w, at, m, second)) continue;
      b->item[b->n++] = (pl_double_buffered){dat, second, false};
      return;
    }
  }
}

static void find_buffers(const pl_passes *w, int at, pl_loop *const *member, buffers *b)
{
  const pl_op_group *g = &w->group[at];
  b->n = 0;
  for (int m = 0; m < g->n && b->n < PL_MAX_SWAPS; m++) {
    const pl_elided_copy *copy = &w->copy[g->from[m]];
    if (copy->to) b->item[b->n++] = (pl_double_buffered){copy->from, copy->to, true};
  }
  for (int m = 0; m < g->n; m++) {
    const pl_loop *loop = member[m];
    for (int i = 0; i < loop->nargs && b->n < PL_MAX_SWAPS; i++)
      if (pl_needs_double_buffer(member, m, &loop->args[i]) && !is_buffered(b, loop->args[i].object))
        reuse_storage(w, at, m, loop->args[i].object, b);
  }
}

/* ---- fused loops ---- */

static int find_dead(const pl_passes *w, int at, const void **dead)
{
  const pl_op_group *g = &w->group[at];
  int n = 0;
  for (int m = 0; m < g->n; m++) {
    const pl_loop *loop = pl_group_member(w, g, m);
    for (int i = 0; loop && i < loop->nargs && n < MOST_DEAD; i++) {
      int k = 0;
      while (k < n && dead[k] != loop->args[i].object) k++;
      if (k == n && arg_is_dead(w, at, m, i)) dead[n++] = loop->args[i].object;
    }
  }
  return n;
}

/* The loop runs as it was recorded. A single loop is generated anew if it may only be a member, makes a copy
 * unnecessary, or has dead sums. */
static bool is_unchanged(const pl_passes *w, int at)
{
  const pl_op_group *g = &w->group[at];
  const pl_loop *loop = pl_group_member(w, g, 0);
  char why[PL_WHY];
  if (g->n > 1) return false;
  if (!loop || pl_loop_traits_of(loop)->pairs || !pl_loop_may_fuse_any(loop, why)) return true;
  if (pl_loop_traits_of(loop)->member || w->copy[g->from[0]].to) return false;
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].kind == PL_ARG_GLOBAL && arg_is_dead(w, at, 0, i)) return false;
  return true;
}

/* The fused loop of a group, and the values that it does not store. */
static pl_err fuse_group(pl_passes *w, int at, const pl_fused **fused, const void **dead, int *ndead)
{
  const pl_op_group *g = &w->group[at];
  pl_loop **member = pl_calloc(w->pl, (size_t)g->n, sizeof *member);
  buffers b;
  if (!member) return pl_fail_memory(w->pl, (size_t)g->n * sizeof *member);
  for (int m = 0; m < g->n; m++) member[m] = pl_group_member(w, g, m);
  *ndead = find_dead(w, at, dead);
  pl_err err;
  if (pl_loop_traits_of(member[0])->pairs) {
    err = pl_fuse_pairs(w->pl, g->n, member, *ndead, dead, fused);
  } else {
    find_buffers(w, at, member, &b);
    err = pl_fuse(w->pl, g->n, member, *ndead, dead, b.n, b.item, fused);
  }
  pl_free(w->pl, member);
  return err;
}

/* Errors of a loop are reported when it is prepared. */
pl_err pl_pass_prefetch(pl_passes *w)
{
  const void *dead[MOST_DEAD];
  int ndead;
  for (int g = 0; g < w->ngroups; g++) {
    const pl_fused *fused = NULL;
    pl_loop *loop = pl_group_member(w, &w->group[g], 0);
    pl_err err = is_unchanged(w, g) ? PL_SUCCESS : fuse_group(w, g, &fused, dead, &ndead);
    if (fused) loop = fused->loop;
    if (!err && loop && !loop->role) err = pl_loop_prefetch(loop);
    if (err == PL_ERR_MEMORY) return err;
  }
  return PL_SUCCESS;
}

/* ---- steps ---- */

static pl_err add_fused(pl_passes *w, const pl_fused *fused, int nfrom, const int *from)
{
  PL_TRY(pl_schedule_add(w->pl, w->schedule, (pl_op){.loop = fused->loop}, nfrom, from));
  pl_step *step = &w->schedule->step[w->schedule->nsteps - 1];
  step->nswap = fused->nswap;
  memcpy(step->swap, fused->swap, sizeof step->swap);
  return PL_SUCCESS;
}

static pl_err add_recorded(pl_passes *w, const int *from)
{
  pl_op *op = &w->op[*from];
  const pl_fused *fused;
  if (!op->loop || !pl_loop_traits_of(op->loop)->member)
    return pl_schedule_add(w->pl, w->schedule, *op, 1, from);
  PL_TRY(pl_fuse(w->pl, 1, &op->loop, 0, NULL, 0, NULL, &fused));
  return add_fused(w, fused, 1, from);
}

/* A member by itself. If it cannot be generated so that it makes its copy unnecessary, the copy runs too. */
static pl_err add_member(pl_passes *w, const int *from)
{
  const pl_elided_copy *copy = &w->copy[*from];
  const pl_double_buffered buffer = {copy->from, copy->to, true};
  const pl_fused *fused;
  if (!copy->to) return add_recorded(w, from);
  pl_err err = pl_fuse(w->pl, 1, &w->op[*from].loop, 0, NULL, 1, &buffer, &fused);
  if (!err) err = pl_loop_prepare(fused->loop);
  if (!err) return add_fused(w, fused, 1, from);
  if (err == PL_ERR_MEMORY) return err;
  PL_TRY(pl_schedule_add(w->pl, w->schedule, w->op[copy->at], 1, &copy->at));
  return add_recorded(w, from);
}

static pl_err add_members(pl_passes *w, const pl_op_group *g)
{
  for (int m = 0; m < g->n; m++) PL_TRY(add_member(w, &g->from[m]));
  return PL_SUCCESS;
}

/* The numbers and titles of the loops of a group. */
static void report_members(const pl_passes *w, const pl_op_group *g)
{
  for (int m = 0; m < g->n; m++)
    pl_string_add(w->report, "%s %d %s", m ? "," : "", g->from[m] + 1,
                  pl_loop_title(pl_group_member(w, g, m)));
}

static void report_refused(const pl_passes *w, const pl_op_group *g)
{
  const size_t begin = w->report->length;
  pl_string_add(w->report, "not fused:");
  report_members(w, g);
  pl_string_add(w->report, ": %s", pl_errmsg(w->pl));
  pl_log(w->pl, 1, "%s", w->report->failed ? "not fused" : pl_string_chars(w->report) + begin);
  pl_string_add(w->report, "\n");
}

static void report_fused(const pl_passes *w, const pl_loop *fused, const pl_op_group *g, int ndead,
                         const void *const *dead)
{
  pl_string *t = w->report;
  double before = 0;
  for (int m = 0; m < g->n; m++) before += pl_group_member(w, g, m)->bytes_per_call;
  pl_string_add(t, "fused %d:", g->n);
  report_members(w, g);
  pl_string_add(t, "; %.0f bytes instead of %.0f", fused->bytes_per_call, before);
  for (int i = 0; i < ndead; i++)
    pl_string_add(t, "; \"%s\" is not stored", ((const pl_node *)dead[i])->name);
  pl_string_add(t, "\n");
}

static pl_err add_steps(pl_passes *w, int at);

/* The members of a group that cannot be one loop. Those behind a loop over pairs may still be. */
static pl_err add_apart(pl_passes *w, int at)
{
  pl_op_group *g = &w->group[at];
  if (!pl_loop_traits_of(pl_group_member(w, g, 0))->pairs) return add_members(w, g);
  PL_TRY(add_member(w, g->from));
  g->from++;
  g->n--;
  return add_steps(w, at);
}

/* The fused loop of a group. */
static pl_err add_group(pl_passes *w, int at)
{
  const pl_op_group *g = &w->group[at];
  const void *dead[MOST_DEAD];
  const pl_fused *fused;
  int ndead;
  pl_err err = fuse_group(w, at, &fused, dead, &ndead);
  if (!err) err = pl_loop_prepare(fused->loop);
  if (err == PL_ERR_MEMORY) return err;
  if (err) {
    report_refused(w, g);
    return add_apart(w, at);
  }
  report_fused(w, fused->loop, g, ndead, dead);
  return add_fused(w, fused, g->n, g->from);
}

static pl_err add_steps(pl_passes *w, int at)
{
  return is_unchanged(w, at) ? add_members(w, &w->group[at]) : add_group(w, at);
}

pl_err pl_pass_compile(pl_passes *w)
{
  for (int g = 0; g < w->ngroups; g++) PL_TRY(add_steps(w, g));
  return PL_SUCCESS;
}
