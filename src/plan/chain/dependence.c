/* SPDX-License-Identifier: BSD-2-Clause
 * Dependence analysis of recorded loops, with the reasons as text.
 */
#include "dependence.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/loop/loop.h"
#include "core/particles/pair_map.h"
#include "core/threads/threads.h"
#include <stdarg.h>

/* ---- pairs of records ---- */

typedef struct accesses {
  pl_node *object;
  bool reads, writes;
} accesses;

static bool add_access(void *user, pl_node *object, bool reads, bool writes)
{
  accesses *a = user;
  a->reads |= object == a->object && reads;
  a->writes |= object == a->object && writes;
  return true;
}

typedef struct pair {
  const pl_op *earlier;
  char *why;
} pair;

const char *pl_op_name(const pl_op *op)
{
  if (op->loop) return pl_loop_title(op->loop);
  return op->b ? "pl_global_combine" : op->a ? "pl_global_copy" : "zero";
}

/* Stops at the first object for which the later record depends on the earlier one. */
static bool is_independent(void *user, pl_node *object, bool reads, bool writes)
{
  pair *p = user;
  accesses a = {object, false, false};
  pl_op_each(p->earlier, add_access, &a);
  bool flow = a.writes && reads, over = (a.writes || a.reads) && writes;
  if (!flow && !over) return true;
  if (p->why)
    snprintf(p->why, PL_WHY, "%s \"%s\", which \"%s\" %s", flow ? "reads" : "writes", object->name,
             pl_op_name(p->earlier), a.writes ? "writes" : "reads");
  return false;
}

bool pl_op_depends(const pl_op *earlier, const pl_op *later, char *why)
{
  pair p = {earlier, why};
  return !pl_op_each(later, is_independent, &p);
}

/* ---- pairs of loops ---- */

static bool refuse(char *why, const char *format, ...) PL_PRINTF(2, 3);
static bool refuse(char *why, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(why, PL_WHY, format, list);
  va_end(list);
  return false;
}

static bool dats_may_fuse(const pl_loop *a, const pl_arg *x, const pl_loop *b, const pl_arg *y, char *why)
{
  const char *name = ((const pl_node *)x->object)->name;
  if (!pl_arg_writes(x) && !pl_arg_writes(y)) return true;
  if (x->map && y->map && pl_combines(x->access) && x->access == y->access) return true;
  if (pl_loop_traits_of(a)->member && x->map && x->access == PL_READ && pl_loop_covers(b, x->object))
    return true; /* double-buffered */
  if (x->map || y->map)
    return refuse(
      why,
      "\"%s\" %s \"%s\" through map \"%s\" and \"%s\" %s it: an element would see values of other elements",
      x->map ? pl_loop_title(a) : pl_loop_title(b), pl_arg_writes(x->map ? x : y) ? "writes" : "reads", name,
      (x->map ? x : y)->map->node.name, x->map ? pl_loop_title(b) : pl_loop_title(a),
      pl_arg_writes(x->map ? y : x) ? "writes" : "reads");
  if (x->component != y->component)
    return refuse(why, "they see different components of \"%s\", which one of them writes", name);
  return true;
}

static bool args_may_fuse(const pl_loop *a, const pl_arg *x, const pl_loop *b, const pl_arg *y, char *why)
{
  if (x->off || y->off || x->kind != y->kind || x->object != y->object) return true;
  if (pl_arg_is_record(x)) return dats_may_fuse(a, x, b, y, why);
  if (x->kind == PL_ARG_GLOBAL && x->access != y->access)
    return refuse(why, "global \"%s\" is read by one and reduced into by the other",
                  ((const pl_node *)x->object)->name);
  return true;
}

bool pl_loop_may_fuse_any(const pl_loop *loop, char *why)
{
  const pl_kernel_options *extras = pl_kernel_extras(loop->kernel);
  if (extras->cpp || extras->headers || extras->link_args || extras->setup || extras->include_dirs)
    return refuse(why, "kernel \"%s\" has compiler options of its own", loop->kernel->name);
  if (pl_loop_traits_of(loop)->two_phases)
    return refuse(why, "\"%s\" precomputes values for blocks", pl_loop_title(loop));
  if (loop->set->end[1] != loop->set->end[3] && pl_ranks(loop->pl) == 1)
    return refuse(why, "\"%s\" has a halo that the program itself manages", loop->set->node.name);
  PL_EACH_ARG (arg, loop) {
    const pl_dat *dat = pl_arg_dat_of(arg);
    if (arg->off) continue;
    if (dat && dat->frozen) return refuse(why, "the halo of \"%s\" is frozen", dat->node.name);
    if (arg->map && arg->map->from->migrates)
      return refuse(why, "\"%s\" goes through the map \"%s\" of migrating particles", pl_loop_title(loop),
                    arg->map->node.name);
    if (pl_arg_is_foreign(arg)) return refuse(why, "\"%s\" has a pointer argument", pl_loop_title(loop));
    if (arg->map && arg->map->offset)
      return refuse(why, "\"%s\" goes through the ragged map \"%s\"", pl_loop_title(loop),
                    arg->map->node.name);
    if (arg->fixed) return refuse(why, "\"%s\" has fixed-point values", pl_loop_title(loop));
    if (arg->with) return refuse(why, "\"%s\" has a reduction with payload", pl_loop_title(loop));
    if (pl_arg_is_record(arg) && pl_arg_dim(arg) == 0)
      return refuse(why, "a dat of \"%s\" has no values", pl_loop_title(loop));
  }
  return true;
}

/* A loop that writes through a map and one that does not need different conflict strategies on a device; and
 * on several ranks the first also runs the exec halo, for which maps of chains have no rows. */
static bool same_strategy(const pl_loop *a, const pl_loop *b, char *why)
{
  bool matters =
    a->pl->backend->reduces_globals || (pl_ranks(a->pl) > 1 && (a->needs_full_halo || b->needs_full_halo));
  if (!matters || a->indirect_write == b->indirect_write) return true;
  return refuse(why, "\"%s\" writes through a map, and \"%s\" would have to use its conflict strategy",
                a->indirect_write ? pl_loop_title(a) : pl_loop_title(b),
                a->indirect_write ? pl_loop_title(b) : pl_loop_title(a));
}

/* ---- a loop over near pairs and one over its particles ---- */

/* All that the pairs read of other particles, but positions, of which a list has copies. */
static bool reads_others(const pl_loop *pairs, const pl_arg *x)
{
  if (pl_arg_is_derived(x)) return x->object != pairs->set->pairs->pairs->position;
  return pl_arg_is_record(x) && x->access == PL_READ;
}

static bool arg_may_follow(const pl_loop *pairs, const pl_arg *x, const pl_loop *b, const pl_arg *y,
                           char *why)
{
  if (x->off || y->off || x->object != y->object) return true;
  if (reads_others(pairs, x) && pl_arg_writes(y))
    return refuse(why, "\"%s\" reads \"%s\" of other particles and \"%s\" writes it", pl_loop_title(pairs),
                  ((const pl_node *)x->object)->name, pl_loop_title(b));
  return pl_arg_is_record(x) || args_may_fuse(pairs, x, b, y, why);
}

/* Sums of the particles' part would be added in another order. */
static bool may_follow_pairs(const pl_loop *pairs, const pl_loop *b, char *why)
{
  if (!b->direct || b->reduces)
    return refuse(why, "\"%s\" %s", pl_loop_title(b), b->direct ? "has a sum" : "goes through a map");
  PL_EACH_ARG (y, b) {
    if (pl_arg_is_numbered(y) && !y->off)
      return refuse(why, "\"%s\" needs the numbers of particles", pl_loop_title(b));
    PL_EACH_ARG (x, pairs)
      if (!arg_may_follow(pairs, x, b, y, why)) return false;
  }
  return true;
}

bool pl_loops_may_fuse(const pl_loop *a, const pl_loop *b, char *why)
{
  const bool pairs = pl_loop_traits_of(a)->neighbours;
  if ((pairs ? a->set->pairs->from : a->set) != b->set)
    return refuse(why, "they run over different sets, \"%s\" and \"%s\"", a->set->node.name,
                  b->set->node.name);
  if (!pl_loop_may_fuse_any(a, why) || !pl_loop_may_fuse_any(b, why)) return false;
  if (pairs) return may_follow_pairs(a, b, why);
  PL_EACH_ARG (x, a)
    PL_EACH_ARG (y, b)
      if (!args_may_fuse(a, x, b, y, why)) return false;
  return same_strategy(a, b, why);
}

bool pl_loops_share(const pl_loop *a, const pl_loop *b)
{
  PL_EACH_ARG (x, a)
    PL_EACH_ARG (y, b)
      if (!x->off && !y->off && ((x->map && x->map == y->map) || pl_arg_accesses(x, y->object))) return true;
  return false;
}

/* ---- inlining a producer into its consumer ---- */

static bool writes_only(const pl_loop *producer, const pl_dat *dat, char *why)
{
  const char *name = pl_loop_title(producer);
  if (!pl_loop_covers(producer, dat))
    return refuse(why, "\"%s\" does not write all of \"%s\"", name, dat->node.name);
  PL_EACH_ARG (arg, producer) {
    if (!pl_arg_writes(arg)) continue;
    if (!pl_arg_accesses(arg, dat) || arg->component >= 0)
      return refuse(why, "\"%s\" writes more than \"%s\"", name, dat->node.name);
  }
  return true;
}

static bool reads_only(const pl_loop *consumer, const pl_dat *dat, char *why)
{
  PL_EACH_ARG (arg, consumer) {
    if (!pl_arg_accesses(arg, dat)) continue;
    if (arg->access != PL_READ)
      return refuse(why, "\"%s\" writes \"%s\"", pl_loop_title(consumer), dat->node.name);
    if (arg->component >= 0)
      return refuse(why, "\"%s\" reads a component of \"%s\"", pl_loop_title(consumer), dat->node.name);
    if (arg->map && (arg->map->has_negative || !arg->map->index))
      return refuse(why, "map \"%s\" has no target for some elements", arg->map->node.name);
  }
  return true;
}

/* The producer's maps have all targets of the element. */
static bool has_row(const pl_loop *producer, int element)
{
  PL_EACH_ARG (arg, producer) {
    const pl_map *map = arg->off ? NULL : arg->map;
    for (int i = 0; map && i < map->arity; i++)
      if (element < 0 || pl_map_target(map, (size_t)element, i) < 0) return false;
  }
  return true;
}

/* The consumer's elements from begin on, before end, that reach a target without such rows. */
static int64_t count_without_rows(const pl_loop *producer, const pl_loop *consumer, const pl_arg *via,
                                  int begin, int end)
{
  const int targets = pl_arg_targets(via), threads = pl_plan_threads(end - begin, (size_t)(end - begin));
  int64_t n = 0;
  PL_PARALLEL_SUM(threads, n)
  for (int e = begin; e < end; e++)
    for (int k = 0; k < targets; k++)
      n += !has_row(producer, pl_arg_target(via, pl_element_at(consumer->set, e), k));
  return n;
}

static bool is_declared(const pl_map *map)
{
  return !map || (!map->internal && !map->mover);
}

/* The consumer's first element that may reach a target without rows. The core reaches owned elements through
 * declared maps, and these have their rows. */
static int first_doubtful(const pl_loop *producer, const pl_loop *consumer, const pl_arg *via)
{
  bool complete = is_declared(via->map);
  PL_EACH_ARG (arg, producer)
    if (!arg->off && arg->map) complete = complete && is_declared(arg->map) && !arg->map->has_negative;
  return complete ? consumer->set->end[0] : 0;
}

/* On several ranks the producer is also called for elements of other ranks: this rank needs the rows of its
 * maps for all targets of the consumer through `via`. Those of the halo, which is last, may lack. */
static bool has_rows(const pl_loop *producer, const pl_loop *consumer, const pl_arg *via)
{
  enum { PART = 1 << 20 };
  const int first = first_doubtful(producer, consumer, via);
  for (int end = consumer->set->end[consumer->indirect_write ? 2 : 1]; end > first;) {
    const int begin = end - first > PART ? end - PART : first;
    if (count_without_rows(producer, consumer, via, begin, end)) return false;
    end = begin;
  }
  return true;
}

/* Collective: all ranks ask about the same loops. */
static bool all_have_rows(const pl_loop *producer, const pl_loop *consumer, const pl_dat *dat, char *why)
{
  bool fine = true, through = false;
  PL_EACH_ARG (arg, producer) through |= !arg->off && arg->map;
  if (!through || pl_ranks(producer->pl) == 1) return true;
  for (int i = 0; fine && i < consumer->nargs; i++)
    if (pl_arg_accesses(&consumer->args[i], dat)) fine = has_rows(producer, consumer, &consumer->args[i]);
  if (pl_comm_all(producer->pl, fine)) return true;
  return refuse(
    why, "\"%s\" reads \"%s\" at elements of other ranks, for which this rank has no map rows of \"%s\"",
    pl_loop_title(consumer), dat->node.name, pl_loop_title(producer));
}

bool pl_loops_may_inline(const pl_loop *producer, const pl_loop *consumer, const pl_dat *dat, char *why)
{
  if (!pl_loop_may_fuse_any(producer, why) || !pl_loop_may_fuse_any(consumer, why)) return false;
  if (!writes_only(producer, dat, why) || !reads_only(consumer, dat, why)) return false;
  PL_EACH_ACCESS (access, consumer) {
    if (access->writes && pl_loop_uses(producer, access->object))
      return refuse(why, "\"%s\" writes \"%s\", from which \"%s\" is computed", pl_loop_title(consumer),
                    access->object->name, dat->node.name);
  }
  return all_have_rows(producer, consumer, dat, why);
}
