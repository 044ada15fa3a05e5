/* SPDX-License-Identifier: BSD-2-Clause
 * Dependences between recorded loops, in words.
 */
#include "depend.h"
#include <stdarg.h>
#include <string.h>

/* ---- single loops ---- */

static bool names(const pl_arg *arg, const void *object)
{
  return !arg->off && (arg->kind == PL_ARG_DAT || arg->kind == PL_ARG_GLOBAL) && arg->object == object;
}

bool pl_loop_uses(const pl_loop *loop, const void *object)
{
  for (int i = 0; i < loop->nargs; i++)
    if (names(&loop->args[i], object)) return true;
  return false;
}

bool pl_loop_writes(const pl_loop *loop, const void *object)
{
  for (int i = 0; i < loop->nargs; i++)
    if (names(&loop->args[i], object) && pl_arg_writes(&loop->args[i])) return true;
  return false;
}

bool pl_loop_reads(const pl_loop *loop, const void *object)
{
  for (int i = 0; i < loop->nargs; i++)
    if (names(&loop->args[i], object) && loop->args[i].access != PL_WRITE) return true;
  return false;
}

bool pl_loop_covers(const pl_loop *loop, const pl_dat *dat)
{
  bool covers = false;
  if (loop->set != dat->set || dat->frozen) return false;
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!names(arg, dat)) continue;
    if (arg->access != PL_WRITE || arg->map) return false;
    covers |= arg->component < 0;
  }
  return covers;
}

/* ---- pairs of ops ---- */

typedef struct other {
  const pl_op *op;
  pl_node *object;
  bool reads, writes;
} other;

static bool find_same(void *user, pl_node *object, bool reads, bool writes)
{
  other *o = user;
  if (object != o->object) return true;
  o->reads |= reads;
  o->writes |= writes;
  return true;
}

typedef struct pair {
  const pl_op *earlier;
  char *why;
} pair;

static const char *op_name(const pl_op *op)
{
  return op->loop ? op->loop->kernel->name : "zero";
}

/* Stops at the first object that ties the two together. */
static bool unrelated(void *user, pl_node *object, bool reads, bool writes)
{
  pair *p = user;
  other o = {p->earlier, object, false, false};
  pl_op_each(p->earlier, find_same, &o);
  bool after = o.writes && reads, over = (o.writes || o.reads) && writes;
  if (!after && !over) return true;
  if (p->why)
    snprintf(p->why, PL_WHY, "%s \"%s\", which \"%s\" %s", after ? "reads" : "writes", object->name,
             op_name(p->earlier), o.writes ? "writes" : "reads");
  return false;
}

bool pl_op_depends(const pl_op *earlier, const pl_op *later, char *why)
{
  pair p = {earlier, why};
  return !pl_op_each(later, unrelated, &p);
}

/* ---- pairs of loops ---- */

static bool no(char *why, const char *format, ...) PL_PRINTF(2, 3);
static bool no(char *why, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(why, PL_WHY, format, list);
  va_end(list);
  return false;
}

static bool combines(const pl_arg *arg)
{
  return arg->access == PL_INC || arg->access == PL_MIN || arg->access == PL_MAX;
}

static bool dats_go_together(const pl_loop *a, const pl_arg *x, const pl_loop *b, const pl_arg *y, char *why)
{
  const char *name = ((const pl_node *)x->object)->name;
  if (!pl_arg_writes(x) && !pl_arg_writes(y)) return true;
  if (x->map && y->map && combines(x) && x->access == y->access) return true;
  if (a->raw && x->map && x->access == PL_READ && pl_loop_covers(b, x->object))
    return true; /* written beside */
  if (x->map || y->map)
    return no(why,
              "\"%s\" %s \"%s\" through map \"%s\" and \"%s\" %s it: an element would meet values of others",
              x->map ? a->kernel->name : b->kernel->name, pl_arg_writes(x->map ? x : y) ? "writes" : "reads",
              name, (x->map ? x : y)->map->node.name, x->map ? b->kernel->name : a->kernel->name,
              pl_arg_writes(x->map ? y : x) ? "writes" : "reads");
  if (x->component != y->component)
    return no(why, "they see different components of \"%s\", which one of them writes", name);
  return true;
}

static bool arguments_go_together(const pl_loop *a, const pl_arg *x, const pl_loop *b, const pl_arg *y,
                                  char *why)
{
  if (x->off || y->off || x->kind != y->kind || x->object != y->object) return true;
  if (x->kind == PL_ARG_DAT) return dats_go_together(a, x, b, y, why);
  if (x->kind == PL_ARG_GLOBAL && x->access != y->access)
    return no(why, "global \"%s\" is read by one and the end of a reduction of the other",
              ((const pl_node *)x->object)->name);
  return true;
}

bool pl_loop_suits(const pl_loop *loop, char *why)
{
  const pl_kernel_options *extras = pl_kernel_extras(loop->kernel);
  if (extras->cpp || extras->headers || extras->link_args || extras->setup || extras->include_dirs)
    return no(why, "kernel \"%s\" has compiler options of its own", loop->kernel->name);
  if (loop->blocks) return no(why, "\"%s\" computes values for blocks", loop->kernel->name);
  if (loop->set->part[1] != loop->set->part[3] && pl_ranks(loop->pl) == 1)
    return no(why, "\"%s\" has a halo of the program's own, which loops leave as it is",
              loop->set->node.name);
  for (int i = 0; i < loop->nargs; i++) {
    const pl_dat *dat = pl_arg_dat_of(&loop->args[i]);
    if (loop->args[i].off) continue;
    if (dat && dat->frozen) return no(why, "the halo of \"%s\" is frozen", dat->node.name);
    if (loop->args[i].map && loop->args[i].map->from->travels)
      return no(why, "\"%s\" goes through the map \"%s\" of particles that come and go", loop->kernel->name,
                loop->args[i].map->node.name);
    if (loop->args[i].kind == PL_ARG_POINTER)
      return no(why, "\"%s\" is handed a pointer of the program's own", loop->kernel->name);
    if (loop->args[i].map && loop->args[i].map->offset)
      return no(why, "\"%s\" goes through the ragged map \"%s\"", loop->kernel->name,
                loop->args[i].map->node.name);
    if (loop->args[i].fixed) return no(why, "\"%s\" keeps values in fixed point", loop->kernel->name);
    if (loop->args[i].with) return no(why, "\"%s\" keeps the place of an extreme", loop->kernel->name);
    if (loop->args[i].kind == PL_ARG_DAT && pl_arg_dim(&loop->args[i]) == 0)
      return no(why, "a dat of \"%s\" has no values", loop->kernel->name);
  }
  return true;
}

/* A loop that writes through a map and one that does not want different ways to run on a device; and on ranks
 * the first runs elements of others, where maps of chains have no rows. */
static bool same_way(const pl_loop *a, const pl_loop *b, char *why)
{
  bool apart = a->pl->backend->ends_reductions || (pl_ranks(a->pl) > 1 && (a->deep || b->deep));
  if (!apart || a->indirect_write == b->indirect_write) return true;
  return no(why, "\"%s\" writes through a map, and \"%s\" would have to share its way of doing that",
            a->indirect_write ? a->kernel->name : b->kernel->name,
            a->indirect_write ? b->kernel->name : a->kernel->name);
}

bool pl_loops_may_fuse(const pl_loop *a, const pl_loop *b, char *why)
{
  if (a->set != b->set)
    return no(why, "they run over different sets, \"%s\" and \"%s\"", a->set->node.name, b->set->node.name);
  if (!pl_loop_suits(a, why) || !pl_loop_suits(b, why)) return false;
  for (int i = 0; i < a->nargs; i++)
    for (int j = 0; j < b->nargs; j++)
      if (!arguments_go_together(a, &a->args[i], b, &b->args[j], why)) return false;
  return same_way(a, b, why);
}

bool pl_loops_share(const pl_loop *a, const pl_loop *b)
{
  for (int i = 0; i < a->nargs; i++)
    for (int j = 0; j < b->nargs; j++) {
      const pl_arg *x = &a->args[i], *y = &b->args[j];
      if (x->off || y->off) continue;
      if ((x->map && x->map == y->map) || (x->kind == PL_ARG_DAT && x->object == y->object)) return true;
    }
  return false;
}

/* ---- a producer inside its consumer ---- */

static bool only_computes(const pl_loop *producer, const pl_dat *dat, char *why)
{
  const char *name = producer->kernel->name;
  if (!pl_loop_covers(producer, dat))
    return no(why, "\"%s\" does not write all of \"%s\"", name, dat->node.name);
  for (int i = 0; i < producer->nargs; i++) {
    const pl_arg *arg = &producer->args[i];
    if (!pl_arg_writes(arg)) continue;
    if (arg->kind != PL_ARG_DAT || arg->object != dat || arg->component >= 0)
      return no(why, "\"%s\" writes more than \"%s\"", name, dat->node.name);
  }
  return true;
}

static bool only_reads(const pl_loop *consumer, const pl_dat *dat, char *why)
{
  for (int i = 0; i < consumer->nargs; i++) {
    const pl_arg *arg = &consumer->args[i];
    if (!names(arg, dat)) continue;
    if (arg->access != PL_READ)
      return no(why, "\"%s\" writes \"%s\"", consumer->kernel->name, dat->node.name);
    if (arg->component >= 0)
      return no(why, "\"%s\" reads a component of \"%s\"", consumer->kernel->name, dat->node.name);
    if (arg->map && (arg->map->has_negative || !arg->map->index))
      return no(why, "map \"%s\" leads to nowhere for some elements", arg->map->node.name);
  }
  return true;
}

/* On several ranks the producer is called for elements of others, too: rows of its maps must be here for all
 * that the consumer's elements reach through `via`. */
static bool has_rows(const pl_loop *producer, const pl_loop *consumer, const pl_arg *via)
{
  const pl_set *set = consumer->set;
  int end = set->part[consumer->indirect_write ? 2 : 1];
  for (int e = 0; e < end; e++)
    for (int k = 0; k < pl_arg_targets(via); k++) {
      int target = pl_arg_target(via, set->indices ? set->indices[e] : e, k);
      for (int j = 0; j < producer->nargs; j++) {
        const pl_map *map = producer->args[j].off ? NULL : producer->args[j].map;
        for (int i = 0; map && i < map->arity; i++)
          if (target < 0 || map->index[(size_t)target * (size_t)map->arity + (size_t)i] < 0) return false;
      }
    }
  return true;
}

/* Collective; all ranks ask the same. */
static bool rows_are_here(const pl_loop *producer, const pl_loop *consumer, const pl_dat *dat, char *why)
{
  bool here = true, through = false;
  for (int j = 0; j < producer->nargs; j++) through |= !producer->args[j].off && producer->args[j].map;
  if (!through || pl_ranks(producer->pl) == 1) return true;
  for (int i = 0; here && i < consumer->nargs; i++)
    if (names(&consumer->args[i], dat)) here = has_rows(producer, consumer, &consumer->args[i]);
  if (pl_comm_all(producer->pl, here)) return true;
  return no(
    why,
    "\"%s\" reads \"%s\" at elements of other ranks, for which this rank does not know what \"%s\" reads",
    consumer->kernel->name, dat->node.name, producer->kernel->name);
}

bool pl_loops_may_inline(const pl_loop *producer, const pl_loop *consumer, const pl_dat *dat, char *why)
{
  if (!pl_loop_suits(producer, why) || !pl_loop_suits(consumer, why)) return false;
  if (!only_computes(producer, dat, why) || !only_reads(consumer, dat, why)) return false;
  for (int i = 0; i < consumer->nargs; i++) {
    const pl_arg *arg = &consumer->args[i];
    bool shown = arg->kind == PL_ARG_DAT || arg->kind == PL_ARG_GLOBAL;
    if (shown && pl_arg_writes(arg) && pl_loop_uses(producer, arg->object))
      return no(why, "\"%s\" writes \"%s\", from which \"%s\" is computed", consumer->kernel->name,
                ((const pl_node *)arg->object)->name, dat->node.name);
  }
  return rows_are_here(producer, consumer, dat, why);
}
