/* SPDX-License-Identifier: BSD-2-Clause
 * The queue of recorded loops, and the schedules that run what is in it.
 */
#include "chain.h"
#include "chain_check.h"
#include "formula.h"
#include "hash.h"
#include "layout.h"
#include <string.h>

enum {
  MOST = 512, /* ops in the queue; then the oldest run */
  STRETCH =
    64 /* ops that run as soon as the queue is seen to repeat itself: few enough that a device does not
          wait long for the first of them, enough for what is cut between two stretches not to count */
};

/* ---- what an op touches ---- */

static bool visit_arg(const pl_arg *arg, pl_op_visitor visit, void *user)
{
  bool reads = arg->access != PL_WRITE, writes = pl_arg_writes(arg);
  if (arg->off || (arg->kind != PL_ARG_DAT && arg->kind != PL_ARG_GLOBAL)) return true;
  return visit(user, arg->object, reads, writes);
}

bool pl_op_each(const pl_op *op, pl_op_visitor visit, void *user)
{
  if (!op->loop) return visit(user, &op->zeroed->node, false, true);
  for (int i = 0; i < op->loop->nargs; i++)
    if (!visit_arg(&op->loop->args[i], visit, user)) return false;
  return true;
}

static uint64_t op_id(const pl_op *op)
{
  return op->loop ? op->loop->id : op->zeroed->node.id;
}

/* ---- recording ---- */

bool pl_late_records(const pl_context *pl)
{
  return (pl->late.lazy || pl->late.open) && !pl->late.busy;
}

void pl_late_options(pl_context *pl)
{
  pl->late.lazy = pl_opt_flag(pl, PL_OPT_LAZY);
  int share = pl_opt_is(pl, PL_OPT_SHARE, "on")    ? PL_SHARE_ON
              : pl_opt_is(pl, PL_OPT_SHARE, "off") ? PL_SHARE_OFF
                                                   : PL_SHARE_AUTO;
  if (share != pl->late.share) pl->late.changes++;
  pl->late.share = share;
}

static bool stamp(void *user, pl_node *object, bool reads, bool writes)
{
  (void)reads, (void)writes;
  object->queued = *(uint64_t *)user;
  return true;
}

/* How many ops at the end of the queue's first i + 1 are also its first ones (Knuth, Morris, Pratt: their
 * failure function), found when the last of them comes. */
static void note_repetition(pl_late *queue, int i)
{
  int known = i ? queue->border[i - 1] : 0;
  while (known && op_id(&queue->op[known]) != op_id(&queue->op[i])) known = queue->border[known - 1];
  queue->border[i] = i && op_id(&queue->op[known]) == op_id(&queue->op[i]) ? known + 1 : 0;
}

static pl_err run_some(pl_context *pl, const bool *chosen, bool ended);

/* How many of the oldest ops may run before the program asks for anything: whole repetitions, so that the
 * same schedules come again, less the last one, which may join with what comes; of a queue that is full, all.
 */
static int count_ripe(const pl_late *queue)
{
  int count = queue->count, period = count ? count - queue->border[count - 1] : 0;
  int ripe = period && 2 * period <= count ? (count - period) / period * period : 0;
  if (ripe >= STRETCH) return ripe;
  return count < MOST ? 0 : ripe ? ripe : count;
}

static pl_err run_ripe(pl_context *pl)
{
  bool chosen[MOST];
  int n = count_ripe(&pl->late);
  if (!n) return PL_SUCCESS;
  for (int i = 0; i < pl->late.count; i++) chosen[i] = i < n;
  return run_some(pl, chosen, false);
}

static pl_err record(pl_context *pl, pl_op op)
{
  pl_late *queue = &pl->late;
  if (!queue->op) {
    queue->op = pl_calloc(pl, MOST, sizeof *queue->op + sizeof *queue->border);
    if (!queue->op) return pl_fail_memory(pl, MOST * (sizeof *queue->op + sizeof *queue->border));
    queue->border = (int *)(queue->op + MOST);
    queue->epoch = 1;
  }
  PL_TRY(run_ripe(pl));
  pl_op_each(&op, stamp, &queue->epoch);
  queue->op[queue->count] = op;
  note_repetition(queue, queue->count++);
  pl->stats.loops_queued++;
  return PL_SUCCESS;
}

pl_err pl_late_loop(pl_loop *loop)
{
  pl_err err = pl_loop_check_views(loop);
  return pl_agree_late(loop->pl, err ? err : record(loop->pl, (pl_op){.loop = loop}));
}

pl_err pl_late_zero_global(pl_global *global)
{
  return record(global->node.pl, (pl_op){.zeroed = global});
}

/* ---- zeros and copies, as loops ---- */

static pl_err record_formula(pl_role role, pl_set *set, const pl_formula *f)
{
  const pl_kernel *kernel;
  pl_loop *loop;
  PL_TRY(pl_formula_kernel(f, &kernel));
  PL_TRY(pl_loop_get(kernel, set, f->nargs, f->arg, false, &loop));
  loop->role = role;
  return pl_late_loop(loop);
}

pl_err pl_late_zero(pl_dat *dat, pl_set *set)
{
  pl_formula f = {.kind = PL_FORMULA_ZERO, .like = dat};
  pl_formula_dat(&f, dat, PL_WRITE);
  return record_formula(PL_ROLE_ZERO, set, &f);
}

pl_err pl_late_copy(pl_dat *from, pl_dat *to)
{
  pl_formula f = {.kind = PL_FORMULA_COPY, .like = to};
  pl_formula_dat(&f, from, PL_READ);
  pl_formula_dat(&f, to, PL_WRITE);
  return record_formula(PL_ROLE_COPY, to->set, &f);
}

/* ---- schedules ---- */

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
  pl_text_free(&schedule->report);
  if (schedule->replay) pl->backend->replay_free(pl, schedule->replay);
  pl_free(pl, schedule);
}

/* A stretch of the queue: ops that are to run, and those that follow. */
typedef struct stretch {
  const pl_op *op;
  int n, nahead;
  bool ended;
} stretch;

static uint64_t hash_ops(const stretch *q, const pl_chain *chain)
{
  uint64_t hash = chain ? chain->node.id * 4 + (uint64_t)q->ended * 2 + chain->node.pl->late.started : 0;
  hash += (uint64_t)q->n << 32;
  for (int i = 0; i < q->n + q->nahead; i++)
    hash = (hash ^ op_id(&q->op[i])) * UINT64_C(0x9e3779b97f4a7c15) ^ (hash >> 31);
  return hash;
}

static pl_schedule *find_schedule(pl_context *pl, uint64_t hash, const stretch *q)
{
  const pl_chain *chain = pl->late.open;
  pl_schedule *s = pl->late.schedules;
  for (; s; s = s->next)
    if (s->hash == hash && s->nops == q->n && s->nahead == q->nahead && s->chain == chain &&
        s->ended == q->ended && s->whole == (q->ended && !pl->late.started) &&
        (!chain || s->hints == chain->version) && s->changes == pl->late.changes &&
        !memcmp(s->op, q->op, (size_t)(q->n + q->nahead) * sizeof *q->op))
      return s;
  return NULL;
}

/* Whether ranks have different backends, which would make different things of a chain. Collective. */
static bool ranks_differ(pl_context *pl)
{
  uint64_t ends[2];
  if (pl_ranks(pl) == 1) return false;
  ends[0] = ends[1] = pl_hash(PL_HASH_START, pl->backend->name, strlen(pl->backend->name));
  return pl_comm_reduce(pl, PL_UINT64, PL_MIN, &ends[0], 1) ||
         pl_comm_reduce(pl, PL_UINT64, PL_MAX, &ends[1], 1) || ends[0] != ends[1];
}

static pl_err make_schedule(pl_context *pl, uint64_t hash, const stretch *q, pl_schedule **result)
{
  pl_chain *chain = pl->late.open;
  pl_schedule *s = pl_calloc(pl, 1, sizeof *s);
  if (!s) return pl_fail_memory(pl, sizeof *s);
  *s = (pl_schedule){.hash = hash,
                     .chain = chain,
                     .hints = chain ? chain->version : 0,
                     .ended = q->ended,
                     .whole = q->ended && !pl->late.started,
                     .nops = q->n,
                     .nahead = q->nahead,
                     .changes = pl->late.changes};
  pl_text_init(&s->report, pl);
  s->op = pl_memdup(pl, q->op, (size_t)(q->n + q->nahead) * sizeof *q->op);
  pl_err err = s->op ? PL_SUCCESS : pl_fail_memory(pl, (size_t)q->n * sizeof *q->op);
  s->plain = ranks_differ(pl);
  if (!err) err = pl->backend->schedule(pl, s);
  if ((err = pl_agree_late(pl, err))) {
    free_schedule(pl, s);
    return err;
  }
  s->next = pl->late.schedules;
  pl->late.schedules = *result = s;
  return PL_SUCCESS;
}

/* ---- running ---- */

/* Where the two have different layouts (each rank's own choice, and perhaps asked for since the schedule was
 * made), these go with the storage. */
static pl_err swap_storage(pl_dat *a, pl_dat *b)
{
  const pl_dat was = *a;
  const pl_layout of_a = {a->layout, a->pack}, of_b = {b->layout, b->pack};
  a->host = b->host, b->host = was.host;
  a->device = b->device, b->device = was.device;
  a->room = b->room, b->room = was.room;
  a->host_stale = b->host_stale, b->host_stale = was.host_stale;
  a->device_valid = b->device_valid, b->device_valid = was.device_valid;
  a->halo_stale = b->halo_stale, b->halo_stale = was.halo_stale;
  a->partly = b->partly = NULL;
  a->layout = b->layout, b->layout = was.layout;
  a->pack = b->pack, b->pack = was.pack;
  a->version++;
  PL_TRY(pl_dat_keep_layout(a, of_a));
  return pl_dat_keep_layout(b, of_b);
}

static pl_err run_op(const pl_op *op)
{
  pl_loop *loop = op->loop;
  pl_context *pl = loop ? loop->pl : op->zeroed->node.pl;
  if (!loop || loop->role) PL_TRY(pl_loops_settle(pl));
  if (!loop) return pl_global_zero(op->zeroed);
  pl_dat *last = loop->args[loop->nargs - 1].object;
  if (loop->role == PL_ROLE_ZERO) return pl_dat_zero_subset(last, loop->set);
  if (loop->role == PL_ROLE_COPY) return pl_dat_copy(loop->args[0].object, last);
  return pl_loop_run_now(loop);
}

static pl_err run_steps(const pl_schedule *schedule)
{
  for (int s = 0; s < schedule->nsteps; s++) {
    const pl_step *step = &schedule->step[s];
    PL_TRY(run_op(&step->op));
    for (int i = 0; i < step->nswap; i++) PL_TRY(swap_storage(step->swap[i][0], step->swap[i][1]));
  }
  return PL_SUCCESS;
}

/* As one piece where the backend can start one. */
static pl_err replay_steps(pl_context *pl, pl_schedule *schedule)
{
  if (!pl->backend->replay_begin) return run_steps(schedule);
  PL_TRY(pl->backend->replay_begin(pl, schedule));
  pl_err err = run_steps(schedule), late = pl->backend->replay_end(pl);
  return err ? err : late;
}

/* All that the steps would wait for when they run is made ready. */
static pl_err rehearse_steps(const pl_schedule *schedule)
{
  for (int s = 0; s < schedule->nsteps; s++) {
    pl_loop *loop = schedule->step[s].op.loop;
    if (!loop) continue;
    if (!loop->role) PL_TRY(pl_loop_prepare(loop));
    for (int i = 0; i < loop->nargs; i++)
      if (loop->args[i].kind == PL_ARG_DAT && !loop->args[i].off)
        PL_TRY(pl_dat_to_device(loop->args[i].object));
  }
  return PL_SUCCESS;
}

static pl_err run_schedule(pl_context *pl, pl_schedule *schedule)
{
  if (schedule->chain) schedule->chain->last = schedule;
  if (pl_chain_rehearses(pl)) return rehearse_steps(schedule);
  bool check = pl_opt_flag(pl, PL_OPT_CHECK);
  if (check && schedule->nsteps < schedule->nops)
    PL_TRY(pl_chain_check(pl, schedule, run_op, run_steps));
  else
    PL_TRY(check ? run_steps(schedule) : replay_steps(pl, schedule));
  schedule->runs++;
  return PL_SUCCESS;
}

static pl_err run_stretch(pl_context *pl, const stretch *q)
{
  if (pl->place) PL_TRY(pl->place(pl));
  uint64_t hash = hash_ops(q, pl->late.open);
  pl_schedule *schedule = find_schedule(pl, hash, q);
  if (!schedule) PL_TRY(make_schedule(pl, hash, q, &schedule));
  return run_schedule(pl, schedule);
}

/* The chosen ops (NULL: all) run, in order; the others stay. If those are the first ones, the schedule may
 * look at what follows. After an error those that did not run are dropped. */
static pl_err run_some(pl_context *pl, const bool *chosen, bool ended)
{
  pl_late *queue = &pl->late;
  pl_op now[MOST];
  int n = 0, left = 0;
  bool first = true;
  for (int i = 0; i < queue->count; i++)
    if (!chosen || chosen[i]) {
      first &= !left;
      now[n++] = queue->op[i];
    } else {
      queue->op[left++] = queue->op[i];
    }
  queue->count = left;
  queue->epoch++;
  for (int i = 0; i < left; i++) {
    pl_op_each(&queue->op[i], stamp, &queue->epoch);
    note_repetition(queue, i);
    now[n + i] = queue->op[i];
  }
  if (!n) return PL_SUCCESS;
  const stretch q = {now, n, first ? left : 0, ended};
  queue->busy = true;
  pl_err err = run_stretch(pl, &q);
  queue->busy = false;
  queue->started = true;
  if (err) queue->count = 0;
  return err;
}

pl_err pl_late_run(pl_context *pl)
{
  return pl->late.count && !pl->late.busy ? run_some(pl, NULL, false) : PL_SUCCESS;
}

/* ---- running what is needed ---- */

/* Marks of what must not be passed: what is needed is read or written (scan.number in node->reads_at,
 * writes_at). */
typedef struct scan {
  uint64_t number;
  bool needed;
} scan;

static bool look(void *user, pl_node *object, bool reads, bool writes)
{
  scan *s = user;
  s->needed = (writes && (object->reads_at == s->number || object->writes_at == s->number)) ||
              (reads && object->writes_at == s->number);
  return !s->needed;
}

static bool mark(void *user, pl_node *object, bool reads, bool writes)
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

pl_err pl_late_touch(pl_node *object, bool write)
{
  pl_context *pl = object->pl;
  pl_late *queue = &pl->late;
  bool chosen[MOST], any = false;
  if (!queue->count || queue->busy || object->queued != queue->epoch) return PL_SUCCESS;
  scan s = {.number = ++queue->scans};
  mark(&s, object, true, write);
  for (int i = queue->count - 1; i >= 0; i--) {
    s.needed = false;
    pl_op_each(&queue->op[i], look, &s);
    if ((chosen[i] = s.needed)) pl_op_each(&queue->op[i], mark, &s);
    any |= chosen[i];
  }
  return any ? run_some(pl, has_temporaries(queue->open) ? NULL : chosen, false) : PL_SUCCESS;
}

pl_err pl_late_end(pl_context *pl)
{
  return run_some(pl, NULL, true);
}

pl_err pl_flush(pl_context *pl)
{
  PL_TRY(pl_context_check(pl));
  return pl_late_run(pl);
}

/* ---- forgetting ---- */

void pl_late_forget(pl_context *pl, const void *object)
{
  for (pl_node *node = pl->chains; node; node = node->next) pl_chain_forget((pl_chain *)node, object);
  if (pl->late.fused) pl->late.fused_forget(pl, object);
  while (pl->late.schedules) {
    pl_schedule *schedule = pl->late.schedules;
    pl->late.schedules = schedule->next;
    free_schedule(pl, schedule);
  }
}

void pl_late_drop(pl_context *pl)
{
  if (!pl->late.fused) return;
  pl_late_forget(pl, NULL);
  pl->late.fused_drop(pl);
}

void pl_late_close(pl_context *pl)
{
  pl_late_forget(pl, NULL);
  if (pl->late.fused) pl->late.fused_close(pl);
  pl_free(pl, pl->late.op);
  pl->late.op = NULL;
  pl->late.count = 0;
}
