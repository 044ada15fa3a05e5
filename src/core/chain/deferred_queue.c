/* SPDX-License-Identifier: BSD-2-Clause
 * Records ops and flushes them: `flush_queue` is the sequence of one flush.
 *
 * Invariant: node->queued of an object that a recorded op accesses is the queue's epoch.
 */
#include "deferred_queue.h"
#include "builtin_kernels.h"
#include "core/comm/comm.h"
#include "core/loop/loop.h"
#include "queue_period.h"
#include "schedule_run.h"
#include <string.h>

/* ---- accesses of an op ---- */

bool pl_op_each(const pl_op *op, pl_op_visitor visit, void *user)
{
  if (op->a && !visit(user, &op->a->node, true, false)) return false;
  if (op->b && !visit(user, &op->b->node, true, false)) return false;
  if (!op->loop) return visit(user, &op->result->node, false, true);
  const pl_loop_access *access = op->loop->access;
  for (int i = 0; i < op->loop->naccesses; i++)
    if (!visit(user, access[i].object, access[i].reads, access[i].writes)) return false;
  return true;
}

/* ---- flushing ---- */

static bool mark_queued(void *user, pl_node *object, bool reads, bool writes)
{
  (void)reads, (void)writes;
  object->queued = *(uint64_t *)user;
  return true;
}

static void append_op(pl_deferred *queue, pl_op op)
{
  pl_op_each(&op, mark_queued, &queue->epoch);
  queue->op[queue->count] = op;
  pl_queue_note_op(queue, queue->count++);
}

/* Moves the chosen ops (NULL: all) from the queue to `op`, in order. If they are the first ones, the schedule
 * may look ahead at the others, which stay and are copied behind them. */
static pl_batch cut_queue(pl_deferred *queue, const bool *chosen, bool ended, pl_op *op)
{
  const int count = queue->count;
  int n = 0, left = 0;
  bool leading = true;
  for (int i = 0; i < count; i++)
    if (!chosen || chosen[i]) {
      leading &= !left;
      op[n++] = queue->op[i];
    } else {
      queue->op[left++] = queue->op[i];
    }
  queue->count = 0;
  queue->epoch++;
  for (int i = 0; i < left; i++) append_op(queue, op[n + i] = queue->op[i]);
  return (pl_batch){.op = op, .n = n, .nahead = leading ? left : 0, .ended = ended};
}

/* Runs the chosen ops. The first error is returned, and kept for pl_flush or pl_chain_end. */
static pl_err flush_queue(pl_context *pl, const bool *chosen, bool ended)
{
  pl_deferred *queue = &pl->deferred;
  pl_op op[PL_QUEUE_CAPACITY];
  pl_batch batch = cut_queue(queue, chosen, ended, op);
  if (!batch.n) return PL_SUCCESS;
  queue->running = true; /* calls from here on act at once */
  pl_err err = pl_batch_run(pl, &batch);
  queue->running = false;
  queue->started = true;
  if (err) pl_failure_keep(pl, &queue->failure);
  return err;
}

/* Runs the first n ops. Results that are not computed keep the error. */
static void flush_first(pl_context *pl, int n)
{
  bool chosen[PL_QUEUE_CAPACITY];
  for (int i = 0; i < pl->deferred.count; i++) chosen[i] = i < n;
  if (n > 0) flush_queue(pl, chosen, false);
}

/* Runs complete periods, and the ops that follow if they had better join. The next batch begins behind them.
 */
static void flush_ready(pl_context *pl)
{
  pl_deferred *queue = &pl->deferred;
  pl_batch batch = {.op = queue->op, .n = pl_queue_count_ready(queue, &batch.may_join)};
  if (!batch.n) return;
  batch.nahead = queue->count - batch.n;
  queue->running = true;
  const int joining = batch.may_join ? pl_batch_count_joining(pl, &batch) : 0;
  queue->running = false;
  flush_first(pl, batch.n + joining);
}

/* All but the last op, at which the schedule looks ahead. */
static void flush_others(pl_context *pl)
{
  flush_first(pl, pl->deferred.count - 1);
}

pl_err pl_flush_all(pl_context *pl)
{
  return pl->deferred.count && !pl->deferred.running ? flush_queue(pl, NULL, false) : PL_SUCCESS;
}

pl_err pl_flush_to_write(pl_context *pl)
{
  pl->deferred.written |= !pl->deferred.running;
  return pl_flush_all(pl);
}

pl_err pl_flush_chain(pl_context *pl)
{
  flush_queue(pl, NULL, true);
  return pl_failure_take(pl, &pl->deferred.failure);
}

pl_err pl_flush(pl_context *pl)
{
  PL_TRY(pl_context_check(pl));
  pl_flush_all(pl);
  if (pl->deferred.open) return pl_failure_repeat(pl, &pl->deferred.failure);
  return pl_failure_take(pl, &pl->deferred.failure);
}

/* ---- flushing for an access ---- */

/* Marks what the access reads and writes, directly or through ops that it depends on: `number` in
 * node->reads_at and writes_at. */
typedef struct scan {
  uint64_t number;
  bool needed;
} scan;

static bool find_conflict(void *user, pl_node *object, bool reads, bool writes)
{
  scan *s = user;
  s->needed = (writes && (object->reads_at == s->number || object->writes_at == s->number)) ||
              (reads && object->writes_at == s->number);
  return !s->needed;
}

static bool mark_access(void *user, pl_node *object, bool reads, bool writes)
{
  const scan *s = user;
  if (reads) object->reads_at = s->number;
  if (writes) object->writes_at = s->number;
  return true;
}

static bool has_temporaries(const pl_chain *chain)
{
  for (int i = 0; chain && i < chain->nhints; i++)
    if (chain->hint[i].temporary) return true;
  return false;
}

/* Runs the ops that a read, or write, of the object depends on. Returns no error of a loop: node->failure of
 * its results has it. */
static pl_err flush_for(pl_node *object, bool write)
{
  pl_context *pl = object->pl;
  pl_deferred *queue = &pl->deferred;
  bool chosen[PL_QUEUE_CAPACITY], any = false;
  queue->written |= write && !queue->running;
  if (!queue->count || queue->running || object->queued != queue->epoch) return PL_SUCCESS;
  scan s = {.number = ++queue->scans};
  mark_access(&s, object, true, write);
  for (int i = queue->count - 1; i >= 0; i--) {
    s.needed = false;
    pl_op_each(&queue->op[i], find_conflict, &s);
    if ((chosen[i] = s.needed)) pl_op_each(&queue->op[i], mark_access, &s);
    any |= chosen[i];
  }
  if (any) flush_queue(pl, has_temporaries(queue->open) ? NULL : chosen, false);
  return PL_SUCCESS;
}

/* ---- recording ---- */

void pl_deferred_options(pl_context *pl)
{
  pl->deferred.lazy = pl_opt_flag(pl, PL_OPT_LAZY);
  int share = pl_opt_is(pl, PL_OPT_SHARE, "on")    ? PL_SHARE_ON
              : pl_opt_is(pl, PL_OPT_SHARE, "off") ? PL_SHARE_OFF
                                                   : PL_SHARE_AUTO;
  if (share != pl->deferred.share) pl->deferred.storage_version++;
  pl->deferred.share = share;
}

static pl_err record_op(pl_context *pl, pl_op op)
{
  pl_deferred *queue = &pl->deferred;
  if (!queue->op) {
    const size_t bytes = PL_QUEUE_CAPACITY * (sizeof *queue->op + sizeof *queue->border);
    queue->op = pl_calloc(pl, 1, bytes);
    if (!queue->op) return pl_fail_memory(pl, bytes);
    queue->border = (int *)(queue->op + PL_QUEUE_CAPACITY);
    queue->epoch = 1;
  }
  flush_ready(pl);
  append_op(queue, op);
  pl->stats.loops_queued++;
  return PL_SUCCESS;
}

static pl_err defer_loop(pl_loop *loop)
{
  pl_random *random = loop->random;
  const pl_op op = {.loop = loop, .call = random ? random->calls : 0};
  pl_err err = pl_loop_check_state(loop);
  PL_TRY(pl_agree_on_error(loop->pl, err ? err : record_op(loop->pl, op)));
  if (random && !pl_chain_warms_up(loop->pl)) random->calls++;
  return PL_SUCCESS;
}

pl_err pl_defer_global(pl_op op)
{
  return record_op(op.result->node.pl, op);
}

static pl_err record_builtin(pl_role role, pl_set *set, const pl_formula *f)
{
  pl_loop *loop;
  PL_TRY(pl_formula_loop(f, set, false, &loop));
  loop->role = role;
  return defer_loop(loop);
}

pl_err pl_defer_zero(pl_dat *dat, pl_set *set)
{
  pl_formula f = pl_formula_new(dat->node.pl, "pl_dat_zero", PL_FORMULA_ZERO, dat->dim);
  pl_formula_dat(&f, dat, PL_WRITE);
  return record_builtin(PL_ROLE_ZERO, set, &f);
}

pl_err pl_defer_copy(pl_dat *from, pl_dat *to)
{
  const pl_formula f = pl_formula_copy("pl_dat_copy", from, to);
  return record_builtin(PL_ROLE_COPY, to->set, &f);
}

void pl_recording_begin(pl_context *pl, pl_recording *recording)
{
  recording->n = 0;
  recording->first = pl->deferred.count;
  recording->epoch = pl->deferred.epoch;
}

pl_err pl_recording_end(pl_context *pl, pl_recording *recording)
{
  const pl_deferred *queue = &pl->deferred;
  const int n = queue->epoch == recording->epoch ? queue->count - recording->first : 0;
  if (n <= 0) return PL_SUCCESS;
  pl_op *op = pl_resize(pl, recording->op, (size_t)n * sizeof *op);
  if (!op) return pl_fail_memory(pl, (size_t)n * sizeof *op);
  memcpy(op, queue->op + recording->first, (size_t)n * sizeof *op);
  recording->op = op;
  recording->n = n;
  return PL_SUCCESS;
}

pl_err pl_recording_again(pl_context *pl, const pl_recording *recording)
{
  for (int i = 0; i < recording->n; i++) PL_TRY(record_op(pl, recording->op[i]));
  return PL_SUCCESS;
}

void pl_recording_free(pl_context *pl, pl_recording *recording)
{
  pl_free(pl, recording->op);
  *recording = (pl_recording){0};
}

/* ---- objects that go ---- */

void pl_deferred_forget(pl_context *pl, const void *object)
{
  PL_EACH (pl_chain, chain, pl->chains) pl_chain_forget(chain, object);
  if (pl->deferred.fusion) pl->deferred.fusion->object_freed(pl, PL_OBJECT_SET, (void *)object);
  pl_schedules_forget(pl, object);
}

void pl_deferred_drop(pl_context *pl)
{
  if (!pl->deferred.fusion) return;
  pl_deferred_forget(pl, NULL);
  pl->deferred.fusion->storage_moves(pl);
}

void pl_deferred_close(pl_context *pl)
{
  pl_deferred_forget(pl, NULL);
  if (pl->deferred.fusion) pl->deferred.fusion->close(pl);
  pl_free(pl, pl->deferred.op);
  pl->deferred.op = NULL;
  pl->deferred.count = 0;
  pl_failure_clear(pl, &pl->deferred.failure);
}

/* ---- events ---- */

/* Any kernel may use a const. */
static void flush_and_forget(pl_context *pl, pl_object_kind kind, void *object)
{
  pl_flush_all(pl); /* recorded work may use it; pl_flush or pl_chain_end returns an error */
  pl_deferred_forget(pl, kind == PL_OBJECT_CONST ? NULL : object);
}

static pl_err flush_before(pl_context *pl, pl_node *object, bool write)
{
  return object ? flush_for(object, write) : pl_flush_all(pl);
}

/* A loop with pl_arg_ptr is not recorded, since the program may change that memory at any time; nor is one
 * with pl_arg_zeroed, of which the passes know nothing. */
static pl_err record_or_run(pl_loop *loop)
{
  if (!loop->immediate) PL_TRY(defer_loop(loop));
  if (!loop->immediate && pl_loop_traits_of(loop)->neighbours) flush_others(loop->pl);
  if (!loop->immediate) return PL_SUCCESS;
  pl_flush_to_write(loop->pl); /* inputs that are not computed keep the error */
  return pl_chain_warms_up(loop->pl) ? pl_loop_prepare(loop) : pl_loop_call(loop);
}

const pl_observer pl_deferred_observer = {
  .object_freed = flush_and_forget, .before_access = flush_before, .loop_called = record_or_run};
