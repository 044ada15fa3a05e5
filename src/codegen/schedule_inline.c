/* SPDX-License-Identifier: BSD-2-Clause
 * Values that loops of a chain leave for others of it: whether all that is read was written, and producers
 * that move into their consumers.
 */
#include "blocks.h"
#include "count.h"
#include "core/halo.h"
#include "core/memory.h"
#include "fuse.h"
#include "plan/depend.h"
#include "schedule_work.h"

/* ---- producers inside their consumers ---- */

enum {
  CHEAP_VALUES = 4,
  CHEAP_TARGETS = 4,
  CHEAP_WORK = 100, /* of all calls for an element, in sums */
  QUOTIENT = 10,
  FUNCTION = 20
};

/* What becomes of one dat after the producer at `at` has written all of it: readers up to where it is written
 * anew, or the end. */
typedef struct life {
  pl_dat *dat;
  int at, nreaders, *reader;
  bool all;      /* all readers may have the producer inside */
  bool indirect; /* some reader reads through a map */
  bool dead;     /* and nobody else needs the values */
} life;

static bool writes_inputs(const pl_schedule_work *w, int position, const pl_loop *producer)
{
  for (int j = 0; j < producer->nargs; j++) {
    const pl_arg *arg = &producer->args[j];
    if (arg->off || arg->access != PL_READ || (arg->kind != PL_ARG_DAT && arg->kind != PL_ARG_GLOBAL))
      continue;
    if (pl_schedule_writes(w, position, arg->object)) return true;
  }
  return false;
}

static bool reads_through_map(const pl_loop *loop, const pl_dat *dat)
{
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].kind == PL_ARG_DAT && loop->args[i].object == dat && loop->args[i].map) return true;
  return false;
}

static void follow(const pl_schedule_work *w, life *l, char *why)
{
  const pl_loop *producer = pl_schedule_op(w, l->at)->loop;
  bool fresh = true; /* the inputs are still what the producer saw */
  l->all = true;
  int n = w->schedule->nops;
  for (int r = l->at + 1; r < n + w->schedule->nahead; r++) {
    const pl_loop *loop = pl_schedule_op(w, r)->loop;
    bool gone = r < n && w->gone[r];
    if (loop && !gone && pl_loop_uses(loop, l->dat)) {
      if (pl_loop_covers(loop, l->dat)) {
        l->dead = true;
        return;
      }
      if (r >= n) return;                 /* it is needed later */
      if (pl_loop_writes(loop, l->dat)) { /* from here on it is not the producer's any more */
        l->all = false;
        snprintf(why, PL_WHY, "\"%s\" changes \"%s\"", loop->kernel->name, l->dat->node.name);
        return;
      }
      l->reader[l->nreaders++] = r;
      l->indirect |= reads_through_map(loop, l->dat);
      if (!fresh) snprintf(why, PL_WHY, "what \"%s\" is computed from has changed", l->dat->node.name);
      l->all = l->all && fresh && pl_loops_may_inline(producer, loop, l->dat, why);
    }
    if (writes_inputs(w, r, producer)) fresh = false;
  }
  l->dead = w->schedule->ended && pl_chain_hint_of(w->schedule->chain, l->dat).temporary;
}

/* What one call of a loop's kernel costs, in sums. */
static double work_of(pl_loop *loop)
{
  const pl_ops *ops = &loop->ops;
  if (pl_count(loop->pl, loop)) return 0;
  return ops->add + ops->multiply + QUOTIENT * ops->divide + FUNCTION * ops->call;
}

/* By what is loaded and computed again: a producer of few values and operations, asked for by few. */
static bool is_cheap(const pl_schedule_work *w, const life *l)
{
  pl_loop *producer = pl_schedule_op(w, l->at)->loop;
  int values = 0, most = 0;
  for (int j = 0; j < producer->nargs; j++)
    if (producer->args[j].kind == PL_ARG_DAT && producer->args[j].access == PL_READ)
      values += pl_arg_targets(&producer->args[j]) * pl_arg_dim(&producer->args[j]);
  for (int r = 0; r < l->nreaders; r++) {
    const pl_loop *loop = pl_schedule_op(w, l->reader[r])->loop;
    int targets = 0;
    for (int i = 0; i < loop->nargs; i++)
      if (loop->args[i].kind == PL_ARG_DAT && loop->args[i].object == l->dat)
        targets += pl_arg_targets(&loop->args[i]);
    if (targets > most) most = targets;
  }
  return values <= CHEAP_VALUES && most <= CHEAP_TARGETS && most * work_of(producer) <= CHEAP_WORK;
}

/* Blocks are a device's work-groups where nothing else is asked for. */
static int block_size(const pl_schedule_work *w)
{
  const pl_chain *chain = w->schedule->chain;
  int asked = chain && chain->block ? chain->block : (int)pl_opt_count(w->pl, PL_OPT_BLOCK_SIZE);
  return asked ? asked : PL_BLOCK_ELEMENTS;
}

/* Values for blocks cost local memory and what targets at the blocks' edges are computed twice, and save the
 * array. On hosts the array of a small mesh is in the caches, and a loop in blocks has no lanes. */
static bool is_worth_blocks(const pl_schedule_work *w, const life *l)
{
  size_t bytes;
  double times;
  if (!w->pl->backend->ends_reductions || l->nreaders != 1) return false;
  pl_loop *reader = pl_schedule_op(w, l->reader[0])->loop;
  return pl_comm_all(w->pl, pl_blocks_cost(w->pl, reader, l->dat, block_size(w), &bytes, &times) &&
                              bytes <= PL_BLOCK_BYTES / 2 && times <= 1.5);
}

/* How the dat comes to its readers: PL_STORE, PL_INLINE or PL_PRECOMPUTE. */
static pl_chain_choice choose(const pl_schedule_work *w, const life *l)
{
  pl_chain_choice choice = pl_chain_hint_of(w->schedule->chain, l->dat).choice;
  if (!l->nreaders || (choice == PL_PRECOMPUTE && !l->indirect)) return PL_STORE;
  if (choice != PL_AUTO) return choice;
  if (!l->all || !l->dead || !l->indirect) return PL_STORE;
  if (is_cheap(w, l)) return PL_INLINE;
  if (is_worth_blocks(w, l)) return PL_PRECOMPUTE;
  pl_text_add(&w->schedule->report,
              "\"%s\" is stored: \"%s\" costs too much to be called wherever it is read\n", l->dat->node.name,
              pl_schedule_op(w, l->at)->loop->kernel->name);
  return PL_STORE;
}

static bool may_block(const pl_loop *consumer, char *why)
{
  if (!consumer->indirect_write && !consumer->raw) return true;
  snprintf(why, PL_WHY, "\"%s\" writes through a map", consumer->kernel->name);
  return false;
}

static pl_err move_in(const pl_schedule_work *w, const life *l, pl_chain_choice how, pl_loop *consumer,
                      pl_loop **made)
{
  pl_loop *producer = pl_schedule_op(w, l->at)->loop;
  if (how == PL_INLINE) return pl_fuse_inline(w->pl, producer, consumer, l->dat, made);
  PL_TRY(pl_fuse_blocks(w->pl, producer, consumer, l->dat, block_size(w), made));
  return pl_loop_prepare(*made);
}

/* Puts the producer into each reader that can have it; if all can and nobody else asks, it goes. */
static pl_err inline_life(pl_schedule_work *w, const life *l, pl_chain_choice how)
{
  pl_loop *producer = pl_schedule_op(w, l->at)->loop, *made;
  pl_text *t = &w->schedule->report;
  char why[PL_WHY] = "what it is computed from changes in between";
  bool all = l->all;
  for (int r = 0; r < l->nreaders; r++) {
    pl_op *op = &w->op[l->reader[r]];
    bool may = l->all || pl_loops_may_inline(producer, op->loop, l->dat, why);
    for (int i = l->at + 1; i < l->reader[r] && may && !l->all; i++) may = !writes_inputs(w, i, producer);
    if (may && how == PL_PRECOMPUTE) may = may_block(op->loop, why);
    pl_err err = may ? move_in(w, l, how, op->loop, &made) : PL_SUCCESS;
    if (err == PL_ERR_MEMORY) return err;
    if (err || !may) {
      pl_text_add(t, "\"%s\" reads \"%s\" from memory: %s\n", op->loop->kernel->name, l->dat->node.name,
                  err ? pl_errmsg(w->pl) : why);
      all = false;
      continue;
    }
    pl_text_add(t, "\"%s\" computes \"%s\" %s, by \"%s\"\n", op->loop->kernel->name, l->dat->node.name,
                how == PL_INLINE ? "where it is used" : "for each block", producer->kernel->name);
    op->loop = made;
  }
  w->gone[l->at] = all && l->dead;
  if (w->gone[l->at])
    pl_text_add(t, "\"%s\" is not stored, %d %s is not run\n", l->dat->node.name, l->at + 1,
                producer->kernel->name);
  return PL_SUCCESS;
}

pl_err pl_schedule_inline(pl_schedule_work *w)
{
  char why[PL_WHY] = "";
  for (int p = 0; p < w->schedule->nops; p++) {
    const pl_loop *producer = pl_schedule_op(w, p)->loop;
    for (int i = 0; producer && i < producer->nargs; i++) {
      const pl_arg *arg = &producer->args[i];
      if (arg->kind != PL_ARG_DAT || !pl_arg_writes(arg) || !pl_loop_covers(producer, arg->object)) continue;
      life l = {.dat = arg->object, .at = p, .reader = w->reader};
      follow(w, &l, why);
      pl_chain_choice how = choose(w, &l);
      if (how != PL_STORE) PL_TRY(inline_life(w, &l, how));
    }
  }
  return PL_SUCCESS;
}

/* ---- reading what nobody wrote ---- */

/* Of a dat: which elements have been written so far. */
typedef struct written {
  const pl_dat *dat;
  unsigned char *mark;
} written;

/* Marks the targets of an argument for the loop's first `end` elements, or finds the lowest one that is not
 * marked: its number, or INT64_MAX. */
static int64_t look_at_targets(const written *of, const pl_loop *loop, const pl_arg *arg, int end, bool marks)
{
  int64_t lowest = INT64_MAX;
  if (arg->map && (arg->map->offset || !arg->map->index)) return lowest;
  for (int e = 0; e < end; e++)
    for (int k = 0; k < pl_arg_targets(arg); k++) {
      int target = pl_arg_target(arg, loop->set->indices ? loop->set->indices[e] : e, k);
      if (target < 0) continue;
      if (marks) of->mark[target] = 1;
      if (of->mark[target]) continue;
      int64_t number = pl_element_number(of->dat->set, target);
      if (number < lowest) lowest = number;
    }
  return lowest;
}

static pl_err check_argument(const pl_schedule_work *w, const written *of, const pl_loop *loop, int i)
{
  char name[PL_ARG_NAME];
  int64_t lowest = look_at_targets(of, loop, &loop->args[i], loop->set->part[1], false);
  PL_TRY(pl_comm_reduce(w->pl, PL_INT64, PL_MIN, &lowest, 1));
  if (lowest == INT64_MAX) return PL_SUCCESS;
  return pl_fail(
    w->pl, PL_ERR_CHECK,
    "chain \"%s\", loop \"%s\", %s: it reads element %lld, which no loop of the chain has written "
    "before; write it, or do not declare the dat temporary",
    w->schedule->chain->node.name, loop->kernel->name, pl_arg_name(loop->args, i, name), (long long)lowest);
}

static bool concerns(const pl_arg *arg, const pl_dat *dat)
{
  return arg->kind == PL_ARG_DAT && !arg->off && arg->object == dat;
}

/* What the loop's own elements read must be marked; what is written by them, and by copies of others where
 * these run, gets marked, and owners tell of it. Collective. */
static pl_err check_loop(const pl_schedule_work *w, const written *of, const pl_loop *loop)
{
  int end = loop->set->part[loop->indirect_write ? 2 : 1];
  for (int i = 0; i < loop->nargs; i++)
    if (concerns(&loop->args[i], of->dat) && loop->args[i].access != PL_WRITE)
      PL_TRY(check_argument(w, of, loop, i));
  for (int i = 0; i < loop->nargs; i++)
    if (concerns(&loop->args[i], of->dat) && pl_arg_writes(&loop->args[i]))
      look_at_targets(of, loop, &loop->args[i], end, true);
  return of->dat->set->halo ? pl_halo_copy(of->dat->set, 1, of->mark) : PL_SUCCESS;
}

/* Goes through the chain in order. */
static pl_err check_dat(const pl_schedule_work *w, const written *of)
{
  for (int p = 0; p < w->schedule->nops; p++) {
    const pl_loop *loop = pl_schedule_op(w, p)->loop;
    if (loop && pl_loop_uses(loop, of->dat)) PL_TRY(check_loop(w, of, loop));
  }
  return PL_SUCCESS;
}

pl_err pl_schedule_check_reads(const pl_schedule_work *w)
{
  const pl_chain *chain = w->schedule->chain;
  for (int h = 0; chain && w->schedule->whole && h < chain->nhints; h++) {
    const pl_dat *dat = chain->hint[h].dat;
    if (!chain->hint[h].temporary) continue;
    written of = {dat, pl_calloc(w->pl, (size_t)dat->set->part[3] + 1, 1)};
    pl_err err = pl_agree(w->pl, of.mark ? PL_SUCCESS : pl_fail_memory(w->pl, (size_t)dat->set->part[3]));
    if (!err) err = check_dat(w, &of);
    pl_free(w->pl, of.mark);
    if (err) return err;
  }
  return PL_SUCCESS;
}
