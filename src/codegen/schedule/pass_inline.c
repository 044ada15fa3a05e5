/* SPDX-License-Identifier: BSD-2-Clause
 * Producers are inlined by hint or where it pays off. If the dat is dead then, the producer does not run.
 */
#include "passes.h"
#include "codegen/element/block_precompute.h"
#include "codegen/fusion/fuse.h"
#include "codegen/fusion/fuse_precompute.h"
#include "codegen/loop/op_count.h"
#include "core/comm/comm.h"

enum {
  CHEAP_VALUES = 4,
  CHEAP_TARGETS = 4,
  CHEAP_WORK = 100, /* of all calls for an element, in additions */
  DIVISION = 10,
  FUNCTION = 20
};

/* The live range of a dat that the producer at `at` overwrites: its readers. */
typedef struct live_range {
  pl_dat *dat;
  int at, nreaders, *reader;
  bool all;      /* the producer may be inlined into all readers */
  bool indirect; /* some reader reads through a map */
  bool dead;     /* no other op needs the values */
} live_range;

/* ---- which ---- */

static bool writes_inputs(const pl_passes *w, int position, const pl_loop *producer)
{
  PL_EACH_ARG (arg, producer)
    if (arg->access == PL_READ && pl_arg_has_data(arg) && pl_pass_writes(w, position, arg->object))
      return true;
  return false;
}

static void find_readers(const pl_passes *w, live_range *l, char *why)
{
  const pl_loop *producer = w->op[l->at].loop;
  bool unchanged = true; /* the producer's inputs */
  l->all = true;
  for (int r = l->at + 1; r < w->nall; r++) {
    const pl_loop *loop = w->op[r].loop;
    if (loop && !(r < w->n && w->gone[r]) && pl_loop_uses(loop, l->dat)) {
      if (pl_loop_covers(loop, l->dat)) {
        l->dead = true;
        return;
      }
      if (r >= w->n) return;              /* the values are needed later */
      if (pl_loop_writes(loop, l->dat)) { /* from here on the values are not the producer's */
        l->all = false;
        snprintf(why, PL_WHY, "\"%s\" changes \"%s\"", pl_loop_title(loop), l->dat->node.name);
        return;
      }
      l->reader[l->nreaders++] = r;
      l->indirect |= pl_loop_reads_through_map(loop, l->dat);
      if (!unchanged) snprintf(why, PL_WHY, "the inputs of \"%s\" have changed", l->dat->node.name);
      l->all = l->all && unchanged && pl_loops_may_inline(producer, loop, l->dat, why);
    }
    if (writes_inputs(w, r, producer)) unchanged = false;
  }
  l->dead = pl_pass_ends_with(w, l->dat);
}

/* The cost of one call of a loop's kernel, in additions. */
static double work_of(pl_loop *loop)
{
  const pl_ops *ops = &loop->ops;
  if (pl_count_operations(loop->pl, loop)) return 0;
  return ops->add + ops->multiply + DIVISION * ops->divide + FUNCTION * ops->call;
}

/* The producer loads few values, computes little, and is called for few targets. */
static bool is_cheap(const pl_passes *w, const live_range *l)
{
  pl_loop *producer = w->op[l->at].loop;
  int values = 0, most = 0;
  PL_EACH_ARG (arg, producer)
    if (pl_arg_is_record(arg) && arg->access == PL_READ) values += pl_arg_targets(arg) * pl_arg_dim(arg);
  for (int r = 0; r < l->nreaders; r++) {
    int targets = 0;
    PL_EACH_ARG (arg, w->op[l->reader[r]].loop)
      if (pl_arg_accesses(arg, l->dat)) targets += pl_arg_targets(arg);
    if (targets > most) most = targets;
  }
  return values <= CHEAP_VALUES && most <= CHEAP_TARGETS && most * work_of(producer) <= CHEAP_WORK;
}

/* By default a block is a work-group of a device. */
static int block_size(const pl_passes *w)
{
  const pl_chain *chain = w->schedule->chain;
  int asked = chain && chain->block ? chain->block : (int)pl_opt_count(w->pl, PL_OPT_BLOCK_SIZE);
  return asked ? asked : PL_BLOCK_ELEMENTS;
}

/* Blocks save the array and cost local memory and double computation at their edges. On hosts the array of a
 * small mesh is in the caches, and a loop in blocks has no SIMD form. */
static bool is_worth_blocks(const pl_passes *w, const live_range *l)
{
  size_t bytes;
  double times;
  if (!w->pl->backend->reduces_globals || l->nreaders != 1) return false;
  pl_loop *reader = w->op[l->reader[0]].loop;
  return pl_comm_all(w->pl, pl_blocks_cost(w->pl, reader, l->dat, block_size(w), &bytes, &times) &&
                              bytes <= PL_BLOCK_BYTES / 2 && times <= 1.5);
}

static pl_chain_choice choose_form(const pl_passes *w, const live_range *l)
{
  pl_chain_choice choice = pl_pass_hint(w, l->dat).choice;
  if (!l->nreaders || (choice == PL_PRECOMPUTE && !l->indirect)) return PL_STORE;
  if (choice != PL_AUTO) return choice;
  if (!l->all || !l->dead || !l->indirect) return PL_STORE;
  if (is_cheap(w, l)) return PL_INLINE;
  if (is_worth_blocks(w, l)) return PL_PRECOMPUTE;
  pl_string_add(w->report, "\"%s\" is stored: \"%s\" costs too much to be called wherever it is read\n",
                l->dat->node.name, pl_loop_title(w->op[l->at].loop));
  return PL_STORE;
}

/* ---- how ---- */

/* PL_ERR_KERNEL, with the reason in `why`, if the producer may not be inlined into reader r. */
static pl_err inline_into(const pl_passes *w, const live_range *l, pl_chain_choice form, int r,
                          const pl_fused **fused, char *why)
{
  pl_loop *producer = w->op[l->at].loop, *reader = w->op[r].loop;
  bool may = l->all || pl_loops_may_inline(producer, reader, l->dat, why);
  for (int i = l->at + 1; i < r && may && !l->all; i++) may = !writes_inputs(w, i, producer);
  if (may && form == PL_PRECOMPUTE && (reader->indirect_write || pl_loop_traits_of(reader)->member)) {
    snprintf(why, PL_WHY, "\"%s\" writes through a map", pl_loop_title(reader));
    may = false;
  }
  if (!may) return PL_ERR_KERNEL;
  pl_err err = form == PL_INLINE ? pl_fuse_inline(w->pl, producer, reader, l->dat, fused)
                                 : pl_fuse_blocks(w->pl, producer, reader, l->dat, block_size(w), fused);
  if (!err && form == PL_PRECOMPUTE) err = pl_loop_prepare((*fused)->loop);
  if (err) snprintf(why, PL_WHY, "%s", pl_errmsg(w->pl));
  return err;
}

/* Inlines the producer into each reader where that is possible. */
static pl_err inline_producer(pl_passes *w, const live_range *l, pl_chain_choice form)
{
  const char *dat = l->dat->node.name, *producer = pl_loop_title(w->op[l->at].loop);
  bool all = l->all;
  for (int r = 0; r < l->nreaders; r++) {
    pl_op *op = &w->op[l->reader[r]];
    const char *reader = pl_loop_title(op->loop);
    char why[PL_WHY] = "the inputs change in between";
    const pl_fused *fused;
    pl_err err = inline_into(w, l, form, l->reader[r], &fused, why);
    if (err == PL_ERR_MEMORY) return err;
    if (err) {
      pl_string_add(w->report, "\"%s\" is not inlined into \"%s\", which reads \"%s\": %s\n", producer,
                    reader, dat, why);
      all = false;
      continue;
    }
    pl_string_add(w->report, "\"%s\" is %s \"%s\", which reads \"%s\"\n", producer,
                  form == PL_INLINE ? "inlined into" : "precomputed for blocks of", reader, dat);
    op->loop = fused->loop;
  }
  w->gone[l->at] = all && l->dead;
  if (l->nreaders) w->into[l->at] = l->reader[l->nreaders - 1];
  if (w->gone[l->at])
    pl_string_add(w->report, "\"%s\" is not stored, %d %s does not run\n", dat, l->at + 1, producer);
  return PL_SUCCESS;
}

pl_err pl_pass_inline_producers(pl_passes *w)
{
  char why[PL_WHY] = "";
  for (int p = 0; p < w->n; p++) {
    const pl_loop *producer = w->op[p].loop;
    for (int i = 0; producer && i < producer->nargs; i++) {
      const pl_arg *arg = &producer->args[i];
      if (!pl_arg_is_record(arg) || !pl_arg_writes(arg) || !pl_loop_covers(producer, arg->object)) continue;
      live_range l = {.dat = arg->object, .at = p, .reader = w->reader};
      find_readers(w, &l, why);
      pl_chain_choice form = choose_form(w, &l);
      if (form != PL_STORE) PL_TRY(inline_producer(w, &l, form));
    }
  }
  return PL_SUCCESS;
}
