/* SPDX-License-Identifier: BSD-2-Clause
 * The table of schedules, and how one runs.
 *
 * Invariant: a schedule is found again only by the same ops in the same chain, with the same hints and
 * storage.
 */
#include "schedule_run.h"
#include "chain_check.h"
#include "core/base/hash.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/loop/loop.h"
#include "core/tools/tools.h"
#include "deferred_queue.h"
#include "queue_period.h"
#include <string.h>

/* ---- the table ---- */

pl_err pl_schedule_add(pl_context *pl, pl_schedule *schedule, pl_op op, int nfrom, const int *from)
{
  size_t bytes = ((size_t)schedule->nsteps + 1) * sizeof *schedule->step;
  pl_step *step = pl_resize(pl, schedule->step, bytes);
  int *copy = pl_memdup(pl, from, (size_t)nfrom * sizeof *from);
  if (step) schedule->step = step;
  if (!step || !copy) {
    pl_free(pl, copy);
    return pl_fail_memory(pl, bytes);
  }
  step[schedule->nsteps++] = (pl_step){.op = op, .nfrom = nfrom, .from = copy};
  return PL_SUCCESS;
}

static void free_schedule(pl_context *pl, pl_schedule *schedule)
{
  for (int s = 0; s < schedule->nsteps; s++) pl_free(pl, schedule->step[s].from);
  pl_free(pl, schedule->step);
  pl_free(pl, schedule->op);
  pl_string_free(&schedule->report);
  if (schedule->replay) pl->backend->replay->free(pl, schedule->replay);
  pl_free(pl, schedule);
}

static bool op_names(const pl_op *op, const void *object)
{
  return op->loop ? pl_loop_names(op->loop, object)
                  : op->result == object || op->a == object || op->b == object;
}

static bool step_names(const pl_step *step, const void *object)
{
  bool names = op_names(&step->op, object);
  for (int i = 0; i < step->nswap; i++) names |= step->swap[i][0] == object || step->swap[i][1] == object;
  return names;
}

static bool schedule_names(const pl_schedule *schedule, const void *object)
{
  bool names = false;
  for (int i = 0; !names && i < schedule->nops + schedule->nahead; i++)
    names = op_names(&schedule->op[i], object);
  for (int s = 0; !names && s < schedule->nsteps; s++) names = step_names(&schedule->step[s], object);
  return names;
}

void pl_schedules_forget(pl_context *pl, const void *object)
{
  for (pl_schedule **link = &pl->deferred.schedules; *link;) {
    pl_schedule *schedule = *link;
    if (object && !schedule_names(schedule, object)) {
      link = &schedule->next;
      continue;
    }
    *link = schedule->next;
    if (schedule->chain) pl_chain_forget_part(schedule->chain, schedule);
    free_schedule(pl, schedule);
  }
}

static uint64_t hash_batch(const pl_context *pl, const pl_batch *b)
{
  const pl_chain *chain = pl->deferred.open;
  uint64_t hash = chain ? chain->node.id * 4 + (uint64_t)b->ended * 2 + pl->deferred.started : 0;
  hash += (uint64_t)b->n << 32;
  for (int i = 0; i < b->n + b->nahead; i++)
    hash = (hash ^ pl_op_id(&b->op[i])) * UINT64_C(0x9e3779b97f4a7c15) ^ (hash >> 31);
  return hash;
}

bool pl_backends_differ(pl_context *pl)
{
  uint64_t ends[2];
  if (pl_ranks(pl) == 1) return false;
  ends[0] = ends[1] = pl_hash(PL_HASH_START, pl->backend->name, strlen(pl->backend->name));
  return pl_comm_reduce(pl, PL_UINT64, PL_MIN, &ends[0], 1) ||
         pl_comm_reduce(pl, PL_UINT64, PL_MAX, &ends[1], 1) || ends[0] != ends[1];
}

/* The members in which a schedule must equal this one to serve the batch. */
static pl_schedule describe_batch(const pl_context *pl, const pl_batch *b)
{
  pl_chain *chain = pl->deferred.open;
  return (pl_schedule){.hash = hash_batch(pl, b),
                       .chain = chain,
                       .hints = chain ? chain->version : 0,
                       .ended = b->ended,
                       .whole = b->ended && !pl->deferred.started && !pl->deferred.written,
                       .may_join = b->may_join,
                       .nops = b->n,
                       .nahead = b->nahead,
                       .changes = pl->deferred.storage_version};
}

static bool is_same(const pl_schedule *s, const pl_schedule *t, const pl_batch *b)
{
  return s->hash == t->hash && s->nops == t->nops && s->nahead == t->nahead && s->chain == t->chain &&
         s->ended == t->ended && s->whole == t->whole && s->may_join == t->may_join && s->hints == t->hints &&
         s->changes == t->changes && !memcmp(s->op, b->op, (size_t)(b->n + b->nahead) * sizeof *b->op);
}

/* The schedule of a batch: found, or made by the backend's passes. */
static pl_err get_schedule(pl_context *pl, const pl_batch *b, pl_schedule **result)
{
  const pl_schedule wanted = describe_batch(pl, b);
  const size_t bytes = (size_t)(b->n + b->nahead) * sizeof *b->op;
  pl_schedule *s = pl->deferred.schedules;
  while (s && !is_same(s, &wanted, b)) s = s->next;
  if ((*result = s)) return PL_SUCCESS;
  if (!(s = pl_calloc(pl, 1, sizeof *s))) return pl_fail_memory(pl, sizeof *s);
  *s = wanted;
  pl_string_init(&s->report, pl);
  s->op = pl_memdup(pl, b->op, bytes);
  pl_err err = s->op ? PL_SUCCESS : pl_fail_memory(pl, bytes);
  s->plain = pl_backends_differ(pl);
  if (!err) err = pl->backend->schedule(pl, s);
  if ((err = pl_agree_on_error(pl, err))) {
    free_schedule(pl, s);
    return err;
  }
  s->next = pl->deferred.schedules;
  pl->deferred.schedules = *result = s;
  return PL_SUCCESS;
}

int pl_batch_count_joining(pl_context *pl, const pl_batch *batch)
{
  pl_op op[PL_QUEUE_CAPACITY];
  pl_batch b = *batch;
  pl_schedule *schedule;
  b.op = op;
  for (int i = 0; i < b.n + b.nahead; i++) {
    op[i] = batch->op[i];
    op[i].call = 0;
  }
  return pl_notify_distribute(pl) || get_schedule(pl, &b, &schedule) ? 0 : schedule->joining;
}

/* ---- running ---- */

static pl_err run_op(const pl_op *op)
{
  pl_loop *loop = op->loop;
  pl_context *pl = loop ? loop->pl : op->result->node.pl;
  if (!loop || loop->role) PL_TRY(pl_backend_flush(pl));
  if (!loop && op->b) return pl_global_combine(op->a, (pl_operator)op->operator, op->b, op->result);
  if (!loop) return op->a ? pl_global_copy(op->a, op->result) : pl_global_zero(op->result);
  pl_dat *last = loop->args[loop->nargs - 1].object;
  if (loop->role == PL_ROLE_ZERO) return pl_dat_zero_subset(last, loop->set);
  if (loop->role == PL_ROLE_COPY) return pl_dat_copy(loop->args[0].object, last);
  if (pl_loop_traits_of(loop)->neighbours) PL_TRY(pl_notify_refresh_pairs(pl, loop->set->pairs));
  return pl_loop_run_now(loop);
}

/* Objects that the op would have written keep the error. Objects of the library are written before they are
 * read. */
static bool keep_error(void *user, pl_node *object, bool reads, bool writes)
{
  (void)user, (void)reads;
  if (writes && !object->internal) pl_failure_keep(object->pl, &object->failure);
  return true;
}

static void fail_step(const pl_step *step)
{
  pl_op_each(&step->op, keep_error, NULL);
  for (int i = 0; i < step->nswap; i++)
    for (int k = 0; k < 2; k++) keep_error(NULL, &step->swap[i][k]->node, false, true);
}

static pl_err run_step(const pl_step *step)
{
  pl_err err = run_op(&step->op);
  for (int i = 0; !err && i < step->nswap; i++) err = pl_storage_swap(step->swap[i][0], step->swap[i][1]);
  if (err) fail_step(step);
  return err;
}

/* Runs all steps that do not need results of failed ones. Returns the first error. */
static pl_err run_steps(pl_context *pl, const pl_schedule *schedule)
{
  pl_failure first = {PL_SUCCESS, NULL};
  for (int s = 0; s < schedule->nsteps; s++)
    if (run_step(&schedule->step[s])) pl_failure_keep(pl, &first);
  return pl_failure_take(pl, &first);
}

static pl_err run_ops(pl_context *pl, int n, const pl_op *op)
{
  pl_failure first = {PL_SUCCESS, NULL};
  for (int i = 0; i < n; i++)
    if (run_step(&(pl_step){.op = op[i]})) pl_failure_keep(pl, &first);
  return pl_failure_take(pl, &first);
}

static pl_err run_recorded(pl_context *pl, const pl_schedule *schedule)
{
  return run_ops(pl, schedule->nops, schedule->op);
}

static void fail_ops(int n, const pl_op *op)
{
  for (int i = 0; i < n; i++) pl_op_each(&op[i], keep_error, NULL);
}

static const char *chain_name(const pl_schedule *schedule)
{
  return schedule->chain ? schedule->chain->node.name : "recorded loops";
}

/* What a loop on a device marks (loop_run.c). */
static void mark_loop(pl_loop *loop)
{
  PL_EACH_ACCESS (access, loop) {
    if (!access->writes) continue;
    if (access->dat) pl_dat_device_written(access->dat);
    if (access->dat) pl_dat_changed(access->dat);
    if (access->global) pl_global_device_written(access->global);
  }
  loop->calls++;
  loop->pl->stats.loops_run++;
}

/* Marks what a step of a repeated schedule has done on the device. Globals that are on the host are computed
 * there, as in the run before. */
static pl_err mark_step(const pl_step *step)
{
  const pl_op *op = &step->op;
  const bool on_device = (op->a && op->a->host_stale) || (op->b && op->b->host_stale);
  if (op->loop)
    mark_loop(op->loop);
  else if (on_device)
    pl_global_device_written(op->result);
  else
    PL_TRY(run_op(op));
  for (int i = 0; i < step->nswap; i++) PL_TRY(pl_storage_swap(step->swap[i][0], step->swap[i][1]));
  return PL_SUCCESS;
}

static pl_err repeat_steps(pl_context *pl, pl_schedule *schedule, bool *done)
{
  *done = false;
  if (pl->backend->replay->repeat) PL_TRY(pl->backend->replay->repeat(pl, schedule, done));
  for (int s = 0; *done && s < schedule->nsteps; s++) PL_TRY(mark_step(&schedule->step[s]));
  return PL_SUCCESS;
}

/* Each run of a loop over near pairs has work of its own, for the host too. */
static bool may_repeat(const pl_schedule *schedule)
{
  for (int s = 0; s < schedule->nsteps; s++) {
    const pl_loop *loop = schedule->step[s].op.loop;
    if (loop && pl_loop_traits_of(loop)->neighbours) return false;
  }
  return true;
}

/* As one graph where the backend has graphs. */
static pl_err replay_steps(pl_context *pl, pl_schedule *schedule)
{
  bool done;
  if (!pl->backend->replay || !may_repeat(schedule)) return run_steps(pl, schedule);
  pl_err err = repeat_steps(pl, schedule, &done);
  if (done && !err) return PL_SUCCESS;
  if (!err) err = pl->backend->replay->begin(pl, schedule);
  if (!err) {
    if (schedule->replay) pl_event_begin(pl, PL_TOOL_REPLAY, chain_name(schedule), "", 0);
    err = run_steps(pl, schedule);
    pl_err ended = pl->backend->replay->end(pl);
    pl_event_end(pl, PL_TOOL_REPLAY);
    if (!ended) return err;
    err = ended;
  }
  fail_ops(schedule->nops, schedule->op);
  return err;
}

/* Each loop is prepared, and with `load` its dats are copied to the device. */
static pl_err prepare_steps(const pl_schedule *schedule, bool load)
{
  for (int s = 0; s < schedule->nsteps; s++) {
    pl_loop *loop = schedule->step[s].op.loop;
    if (!loop) continue;
    if (!loop->role) PL_TRY(pl_loop_prepare(loop));
    for (int a = 0; load && a < loop->naccesses; a++)
      if (loop->access[a].dat) PL_TRY(pl_dat_to_device(loop->access[a].dat));
  }
  return PL_SUCCESS;
}

/* Adds the schedule to those of the chain's run, of which it is the first if nothing has run yet. */
static pl_err note_part(pl_context *pl, pl_schedule *schedule)
{
  pl_chain *chain = schedule->chain;
  if (!chain) return PL_SUCCESS;
  if (!pl->deferred.started) chain->nparts = 0;
  for (int i = 0; i < chain->nparts; i++)
    if (chain->part[i] == schedule) return PL_SUCCESS;
  const size_t bytes = ((size_t)chain->nparts + 1) * sizeof *chain->part;
  pl_schedule **more = pl_resize(pl, chain->part, bytes);
  if (!more) return pl_fail_memory(pl, bytes);
  chain->part = more;
  chain->part[chain->nparts++] = schedule;
  return PL_SUCCESS;
}

static pl_err run_schedule(pl_context *pl, pl_schedule *schedule)
{
  const bool check = pl_opt_flag(pl, PL_OPT_CHECK);
  schedule->runs++;
  if (check && schedule->nsteps < schedule->nops)
    return pl_chain_check(pl, schedule, run_recorded, run_steps);
  return check ? run_steps(pl, schedule) : replay_steps(pl, schedule);
}

/* ---- random numbers ---- */

/* The loop with random numbers from another place. */
static pl_err draw_from(pl_loop **loop, pl_random *place)
{
  const pl_loop *was = *loop;
  if (place == was->random) return PL_SUCCESS;
  pl_arg *args = pl_memdup(was->pl, was->args, (size_t)was->nargs * sizeof *args);
  if (!args) return pl_fail_memory(was->pl, (size_t)was->nargs * sizeof *args);
  for (int i = 0; i < was->nargs; i++)
    if (args[i].object == was->random) args[i].object = place;
  pl_err err = pl_loop_get(was->kernel, was->set, was->nargs, args, false, loop);
  pl_free(was->pl, args);
  return err;
}

/* Each call that draws gets its number in a place of its own. Equal sequences of loops get the same places,
 * so that they have one schedule. */
static pl_err assign_calls(pl_context *pl, pl_batch *batch)
{
  pl_err err = PL_SUCCESS;
  for (int i = 0; !err && i < batch->n + batch->nahead; i++) {
    pl_op *op = &batch->op[i];
    if (!op->loop || !op->loop->random) continue;
    pl_random *place =
      i < batch->n ? pl_random_place(op->loop->random, pl->deferred.epoch) : op->loop->random;
    if (!place) err = PL_ERR_MEMORY;
    if (place && i < batch->n) pl_random_begin(place, (uint32_t)op->call);
    if (place) err = draw_from(&op->loop, place);
    op->call = 0;
  }
  return pl_agree_on_error(pl, err);
}

/* If a loop cannot be prepared, alone or as a part of a fused one, all run as recorded. */
pl_err pl_batch_run(pl_context *pl, pl_batch *batch)
{
  const bool warm_up = pl_chain_warms_up(pl);
  pl_schedule *schedule = NULL;
  pl_err err = pl_notify_distribute(pl);
  if (!err) err = assign_calls(pl, batch);
  if (!err) err = get_schedule(pl, batch, &schedule);
  if (!err) err = note_part(pl, schedule);
  if (!err) err = prepare_steps(schedule, warm_up);
  if (warm_up) return err;
  if (!err) return run_schedule(pl, schedule);
  if (err != PL_ERR_MEMORY) return run_ops(pl, batch->n, batch->op);
  fail_ops(batch->n, batch->op);
  return err;
}
