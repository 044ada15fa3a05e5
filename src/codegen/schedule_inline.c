/* SPDX-License-Identifier: BSD-2-Clause
 * Values that loops of a chain leave for others of it: whether all that is read was written, and producers
 * that move into their consumers.
 */
#include "blocks.h"
#include "core/memory.h"
#include "fuse.h"
#include "plan/depend.h"
#include "schedule_work.h"

/* ---- producers inside their consumers ---- */

enum { CHEAP_VALUES = 4, CHEAP_TARGETS = 4 };

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
  const pl_op *op = pl_schedule_op(w, position);
  for (int j = 0; j < producer->nargs; j++) {
    const pl_arg *arg = &producer->args[j];
    if (arg->off || arg->access != PL_READ || (arg->kind != PL_ARG_DAT && arg->kind != PL_ARG_GLOBAL))
      continue;
    if (op->loop ? pl_loop_writes(op->loop, arg->object) : op->zeroed == arg->object) return true;
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
    if (!gone && writes_inputs(w, r, producer)) fresh = false;
  }
  l->dead = w->schedule->ended && pl_chain_hint_of(w->schedule->chain, l->dat).temporary;
}

/* By what is loaded again: a producer of few values, asked for by few. */
static bool is_cheap(const pl_schedule_work *w, const life *l)
{
  const pl_loop *producer = pl_schedule_op(w, l->at)->loop;
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
  return values <= CHEAP_VALUES && most <= CHEAP_TARGETS;
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
  return pl_blocks_cost(w->pl, reader, l->dat, block_size(w), &bytes, &times) &&
         bytes <= PL_BLOCK_BYTES / 2 && times <= 1.5;
}

/* How the dat comes to its readers: PL_STORE, PL_INLINE or PL_PRECOMPUTE. */
static pl_chain_choice choose(const pl_schedule_work *w, const life *l)
{
  pl_chain_choice choice = pl_chain_hint_of(w->schedule->chain, l->dat).choice;
  if (!l->nreaders) return PL_STORE;
  if (choice != PL_AUTO) return choice;
  if (!l->all || !l->dead || !l->indirect) return PL_STORE;
  return is_cheap(w, l) ? PL_INLINE : is_worth_blocks(w, l) ? PL_PRECOMPUTE : PL_STORE;
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

typedef pl_err (*target_visitor)(const pl_schedule_work *w, int position, int i, int target,
                                 unsigned char *mark);

/* The targets of argument i of an op; `visit` may end it with an error. */
static pl_err each_target(const pl_schedule_work *w, int position, int i, target_visitor visit,
                          unsigned char *mark)
{
  const pl_loop *loop = pl_schedule_op(w, position)->loop;
  const pl_arg *arg = &loop->args[i];
  if (arg->map && (arg->map->offset || !arg->map->index)) return PL_SUCCESS;
  for (int e = 0; e < loop->set->part[1]; e++)
    for (int k = 0; k < pl_arg_targets(arg); k++) {
      int target = pl_arg_target(arg, loop->set->indices ? loop->set->indices[e] : e, k);
      if (target >= 0) PL_TRY(visit(w, position, i, target, mark));
    }
  return PL_SUCCESS;
}

static pl_err mark_written(const pl_schedule_work *w, int position, int i, int target, unsigned char *mark)
{
  (void)w, (void)position, (void)i;
  mark[target] = 1;
  return PL_SUCCESS;
}

static pl_err check_written(const pl_schedule_work *w, int position, int i, int target, unsigned char *mark)
{
  const pl_loop *loop = pl_schedule_op(w, position)->loop;
  const pl_dat *dat = loop->args[i].object;
  char name[PL_ARG_NAME];
  if (mark[target]) return PL_SUCCESS;
  return pl_fail(w->pl, PL_ERR_CHECK,
                 "chain \"%s\", loop \"%s\", %s: it reads element %d, which no loop of the chain has written "
                 "before; write it, or do not declare the dat temporary",
                 w->schedule->chain->node.name, loop->kernel->name, pl_arg_name(loop->args, i, name),
                 (int)(dat->set->global ? dat->set->global[target] : target));
}

/* Goes through the chain in order: what is read must be marked, what is written is marked. */
static pl_err check_dat(const pl_schedule_work *w, const pl_dat *dat, unsigned char *mark)
{
  for (int p = 0; p < w->schedule->nops; p++) {
    const pl_loop *loop = pl_schedule_op(w, p)->loop;
    for (int pass = 0; loop && pass < 2; pass++)
      for (int i = 0; i < loop->nargs; i++) {
        const pl_arg *arg = &loop->args[i];
        bool concerns = arg->kind == PL_ARG_DAT && !arg->off && arg->object == dat;
        if (concerns && !pass && arg->access != PL_WRITE) PL_TRY(each_target(w, p, i, check_written, mark));
        if (concerns && pass && pl_arg_writes(arg)) PL_TRY(each_target(w, p, i, mark_written, mark));
      }
  }
  return PL_SUCCESS;
}

pl_err pl_schedule_check_reads(const pl_schedule_work *w)
{
  const pl_chain *chain = w->schedule->chain;
  for (int h = 0; chain && w->schedule->whole && h < chain->nhints; h++) {
    const pl_dat *dat = chain->hint[h].dat;
    if (!chain->hint[h].temporary || dat->set->part[1] != dat->set->part[3]) continue;
    unsigned char *mark = pl_calloc(w->pl, (size_t)dat->set->part[3] + 1, 1);
    if (!mark) return pl_fail_memory(w->pl, (size_t)dat->set->part[3]);
    pl_err err = check_dat(w, dat, mark);
    pl_free(w->pl, mark);
    if (err) return err;
  }
  return PL_SUCCESS;
}
