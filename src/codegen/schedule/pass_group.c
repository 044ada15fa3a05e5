/* SPDX-License-Identifier: BSD-2-Clause
 * A loop joins the last group that it may be fused with and be moved to.
 */
#include "passes.h"
#include "core/comm/comm.h"

enum {
  MOST_VALUES = 64,
  MOST_MEMBERS = 32,
  MOST_OBJECTS = 48, /* a dat takes two of the 120 parameters of a device's kernel */
  SMALL_SET = 16384,
  /* Behind their pairs: above, waiting for their values takes longer than a launch. */
  MOST_PARTICLES = 1 << 16
};

/* ---- costs ---- */

/* Private values that an argument adds to those of the loop before. */
static int count_new_values(const pl_arg *arg, const pl_loop *before)
{
  if (arg->off || !pl_arg_is_record(arg)) return 0;
  for (int i = 0; before && i < before->nargs; i++) {
    const pl_arg *x = &before->args[i];
    if (x->object == arg->object && x->map == arg->map && x->index == arg->index) return 0;
  }
  return pl_arg_targets(arg) * pl_arg_dim(arg);
}

static int count_values(const pl_passes *w, const pl_op_group *g, const pl_loop *next)
{
  int values = 0;
  for (int i = 0; i < next->nargs; i++) values += count_new_values(&next->args[i], pl_group_member(w, g, 0));
  for (int m = 0; m < g->n; m++) {
    const pl_loop *loop = pl_group_member(w, g, m), *before = m ? pl_group_member(w, g, m - 1) : NULL;
    for (int i = 0; i < loop->nargs; i++) values += count_new_values(&loop->args[i], before);
  }
  return values;
}

/* Elements of all ranks. */
static int64_t global_size(const pl_set *set)
{
  int64_t own = set->end[1], all = own;
  return pl_comm_reduce(set->node.pl, PL_INT64, PL_INC, &all, 1) ? own : all;
}

/* False if the list is full. */
static bool list_object(const void **list, int *n, const void *object)
{
  for (int i = 0; i < *n; i++)
    if (list[i] == object) return true;
  if (!object) return true;
  if (*n == MOST_OBJECTS) return false;
  list[(*n)++] = object;
  return true;
}

/* A device's kernel has enough parameters for the objects of all loops. */
static bool has_parameters(const pl_passes *w, const pl_op_group *g, const pl_loop *next)
{
  const void *list[MOST_OBJECTS];
  int n = 0;
  for (int m = 0; m <= g->n; m++) {
    const pl_loop *loop = m < g->n ? pl_group_member(w, g, m) : next;
    PL_EACH_ARG (arg, loop)
      if (!list_object(list, &n, arg->object) || !list_object(list, &n, arg->map)) return false;
  }
  return true;
}

/* One fused loop is faster than two. */
static bool pays_off(const pl_passes *w, const pl_op_group *g, const pl_loop *next)
{
  const bool pairs = pl_loop_traits_of(pl_group_member(w, g, 0))->pairs;
  bool shares = global_size(next->set) <= SMALL_SET;
  if (pairs && global_size(next->set) > MOST_PARTICLES) return false;
  for (int m = 0; m < g->n && !shares; m++) shares = pl_loops_share(pl_group_member(w, g, m), next);
  if (w->pl->backend->reduces_globals) return shares && has_parameters(w, g, next);
  if (pl_loop_traits_of(pl_group_member(w, g, 0))->member) return shares;
  return shares && count_values(w, g, next) <= MOST_VALUES;
}

/* ---- groups ---- */

/* Op i makes a copy unnecessary, to a dat that op j uses. */
static bool copies_for(const pl_passes *w, int i, int j)
{
  return w->copy[i].to && w->op[j].loop && pl_loop_uses(w->op[j].loop, w->copy[i].to);
}

/* A fused loop with an op that makes a copy unnecessary: later members may read the copy, element by element.
 * The copy has the values from before the loop, so no earlier member may write them. */
static bool copy_allows(const pl_passes *w, int before, int after)
{
  const pl_dat *to = w->copy[before].to, *from = w->copy[after].from;
  if (copies_for(w, after, before)) return false;
  if (from && (pl_loop_writes(w->op[before].loop, from) || pl_loop_traits_of(w->op[before].loop)->pairs))
    return false;
  return !to || pl_loop_reads_directly(w->op[after].loop, to);
}

static bool may_join(const pl_passes *w, const pl_op_group *g, int i)
{
  char why[PL_WHY];
  const pl_loop *loop = w->op[i].loop;
  if (!loop || !pl_group_member(w, g, 0) || g->n == MOST_MEMBERS) return false;
  for (int m = 0; m < g->n; m++)
    if (!pl_loops_may_fuse(pl_group_member(w, g, m), loop, why) || !copy_allows(w, g->from[m], i))
      return false;
  return pays_off(w, g, loop);
}

static bool must_follow(const pl_passes *w, const pl_op_group *g, int i)
{
  for (int m = 0; m < g->n; m++)
    if (pl_op_depends(&w->op[g->from[m]], &w->op[i], NULL) || copies_for(w, g->from[m], i) ||
        copies_for(w, i, g->from[m]))
      return true;
  return false;
}

static pl_op_group *insert_group(pl_passes *w, int at)
{
  for (int g = w->ngroups; g > at; g--) w->group[g] = w->group[g - 1];
  w->group[at] = (pl_op_group){.from = w->members + (size_t)w->ngroups++ * (size_t)w->n};
  return &w->group[at];
}

/* The last group that the op can join, or a new one: of a loop at the end, of a zero as early as possible. */
static pl_op_group *find_group(pl_passes *w, int i)
{
  int g = w->ngroups;
  for (; g > 0; g--) {
    if (may_join(w, &w->group[g - 1], i)) return &w->group[g - 1];
    if (must_follow(w, &w->group[g - 1], i)) break;
  }
  return insert_group(w, w->op[i].loop ? w->ngroups : g);
}

void pl_pass_group(pl_passes *w)
{
  for (int i = 0; i < w->n; i++) {
    if (w->gone[i]) continue;
    pl_op_group *g = find_group(w, i);
    g->from[g->n++] = i;
  }
}

/* The last op that is fused with op i, or with the op that does its work. */
static void find_ends(const pl_passes *w, int *end)
{
  for (int i = 0; i < w->n; i++) end[i] = i;
  for (int g = 0; g < w->ngroups; g++)
    for (int m = 0; m < w->group[g].n; m++) end[w->group[g].from[m]] = w->group[g].from[w->group[g].n - 1];
  for (int i = w->n - 1; i >= 0; i--)
    if (w->gone[i] && w->into[i] > i) end[i] = end[w->into[i]];
}

/* All up to the first place that no fused loop crosses join. */
int pl_count_joining(const pl_passes *w)
{
  const pl_schedule *schedule = w->schedule;
  int *end = w->reader, last = 0;
  find_ends(w, end);
  for (int i = 0; i < schedule->nops + schedule->may_join; i++) {
    if (i >= schedule->nops && last < i) return i - schedule->nops;
    if (end[i] > last) last = end[i];
  }
  return 0;
}
