/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions and scans on the host. One worker goes through all elements once. Several take blocks as they
 * come: each finds its block's total, waits for what comes before (which the worker of the block before tells
 * as soon as it has its own total), tells the next, and makes the outputs while the block is in its cache. So
 * memory is read once, and which worker takes a block makes no difference to the bits.
 */
#include "core/comm.h"
#include "codegen/dump.h"
#include "host.h"
#include "core/memory.h"
#include "core/profile.h"
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum {
  MOST_ARGS = 16,
  BLOCK = 1 << 15, /* elements of a worker at a time */
  FAR = 32 << 20,  /* bytes of arrays that are larger than the caches */
  ITEM = 64,       /* bytes for an item: more than any, so that workers share no cache line */
  FEW = 4096       /* so few elements are not worth waking threads */
};

typedef struct item {
  _Alignas(ITEM) char bytes[ITEM];
} item;

/* A prepared algorithm. */
typedef struct pl_host_scan {
  struct pl_host_scan *next;
  pl_scan_program program;
  bool own; /* no run-time compiler: the program's own function is called */
  void (*start)(int n, void *const *slot, item *value);
  void (*append)(int n, void *const *slot, item *into, const item *next_value);
  void (*total)(int begin, int end, int n, void *const *slot, item *value);
  void (*scan)(int begin, int end, int n, void *const *slot, item *carry, const item *last, int far);
  void *consts;
} pl_host_scan;

/* A call on its way. */
typedef struct job {
  const pl_host_scan *code;
  int n, workers;
  bool far;
  void *slot[MOST_ARGS + 1];
  item last, *total; /* a total for each worker */
  item before;       /* of block number `told`, and of that one's worker until it tells on */
  atomic_int next, told;
} job;

/* ---- threads ---- */

int pl_host_workers(pl_context *pl)
{
  return pl_opt_flag(pl, PL_OPT_REPRODUCIBLE) ? PL_FIXED_WORKERS : ((pl_host *)pl->backend_state)->threads;
}

void pl_host_each(pl_context *pl, int workers, pl_work_fn work, void *data)
{
  const pl_host *host = pl->backend_state;
  if (host->each && host->threads > 1 && workers > 1) {
    host->each(workers, host->threads, work, data);
    return;
  }
  for (int w = 0; w < workers; w++) work(data, w);
}

/* ---- without a compiler ---- */

/* The function that the user's compiler made, for one element or pair of items. */
static void step(const job *j, int what, int i, void *value, const void *prev, const void *last, int *begins)
{
  const pl_scan_program *program = &j->code->program;
  pl_item_step s = {
    .what = what, .i = i, .n = j->n, .item = value, .prev = (void *)prev, .last = (void *)last};
  void *pointer[MOST_ARGS + 1] = {&s};
  for (int k = 0; k < program->nargs; k++) pointer[k + 1] = j->slot[k];
  pl_fallback_call(program->algorithm->function, program->nargs + 1, pointer);
  if (begins) *begins = s.begins;
}

/* An item is its value, then whether a segment begins in it. */
enum { FLAG = 32, INPUT = 0, BEGINS, OUTPUT, OPERATOR, NEUTRAL };

static void own_append(const job *j, item *into, const item *next)
{
  item both = *next;
  if (!next->bytes[FLAG]) step(j, OPERATOR, 0, both.bytes, into->bytes, NULL, NULL);
  both.bytes[FLAG] |= into->bytes[FLAG];
  *into = both;
}

static item own_read(const job *j, int i)
{
  item own = {{0}};
  int begins = 0;
  step(j, INPUT, i, own.bytes, NULL, NULL, NULL);
  if (j->code->program.algorithm->flag) step(j, BEGINS, i, NULL, NULL, NULL, &begins);
  own.bytes[FLAG] = (char)begins;
  return own;
}

static void own_start(const job *j, item *value)
{
  memset(value, 0, sizeof *value);
  step(j, NEUTRAL, 0, value->bytes, NULL, NULL, NULL);
}

static void own_total(const job *j, int begin, int end, item *value)
{
  for (int i = begin; i < end; i++) {
    item own = own_read(j, i);
    own_append(j, value, &own);
  }
}

static void own_scan(const job *j, int begin, int end, item *carry)
{
  for (int i = begin; i < end; i++) {
    item own = own_read(j, i), before = *carry;
    own_append(j, carry, &own);
    if (own.bytes[FLAG]) own_start(j, &before);
    step(j, OUTPUT, i, carry->bytes, before.bytes, j->last.bytes, NULL);
  }
}

/* ---- steps of a call ---- */

static void start(const job *j, item *value)
{
  if (j->code->own)
    own_start(j, value);
  else
    j->code->start(j->n, j->slot, value);
}

static void append(const job *j, item *into, const item *next)
{
  if (j->code->own)
    own_append(j, into, next);
  else
    j->code->append(j->n, j->slot, into, next);
}

static void total(const job *j, int begin, int end, item *value)
{
  start(j, value);
  if (j->code->own)
    own_total(j, begin, end, value);
  else
    j->code->total(begin, end, j->n, j->slot, value);
}

static void scan(const job *j, int begin, int end, item *carry)
{
  if (j->code->own)
    own_scan(j, begin, end, carry);
  else
    j->code->scan(begin, end, j->n, j->slot, carry, &j->last, j->far);
}

static int cut(const job *j, int w)
{
  return (int)((int64_t)j->n * w / j->workers);
}

static void work_total(void *data, int w)
{
  job *j = data;
  total(j, cut(j, w), cut(j, w + 1), &j->total[w]);
}

/* *all = the join of all elements. */
static void total_all(pl_context *pl, job *j, item *all)
{
  pl_host_each(pl, j->workers, work_total, j);
  start(j, all);
  for (int w = 0; w < j->workers; w++) append(j, all, &j->total[w]);
}

/* ---- blocks ---- */

/* What comes before a block, once its turn is come; the next one's is told. */
static void pass_on(job *j, int block, const item *own, item *carry)
{
  enum { PATIENCE = 1000 };
  for (int tries = 0; atomic_load_explicit(&j->told, memory_order_acquire) != block; tries++)
    if (tries > PATIENCE) sched_yield();
  *carry = j->before;
  append(j, &j->before, own);
  atomic_store_explicit(&j->told, block + 1, memory_order_release);
}

/* Blocks are taken in order, so the one that is waited for is always some worker's. */
static void work_blocks(void *data, int w)
{
  job *j = data;
  int blocks = j->n / BLOCK + (j->n % BLOCK > 0);
  (void)w;
  for (int b; (b = atomic_fetch_add(&j->next, 1)) < blocks;) {
    int begin = b * BLOCK, end = j->n - begin < BLOCK ? j->n : begin + BLOCK;
    item own, carry;
    total(j, begin, end, &own);
    pass_on(j, b, &own, &carry);
    scan(j, begin, end, &carry);
  }
}

static void scan_all(pl_context *pl, job *j)
{
  if (j->workers > 1)
    pl_host_each(pl, j->workers, work_blocks, j);
  else
    scan(j, 0, j->n, &j->before);
}

/* Over ranks: `total` of this one gives what comes before it, and the last of all. */
static pl_err join_ranks(pl_context *pl, job *j)
{
  size_t size = pl_scan_item_size(&j->code->program), ranks = (size_t)pl_ranks(pl);
  item one = j->last;
  char *all = pl_malloc_array(pl, ranks * size);
  if (!all) return pl_fail_memory(pl, ranks * size);
  pl_err err = pl_comm_gather(pl, one.bytes, size, all);
  start(j, &j->last);
  for (size_t r = 0; r < ranks && !err; r++) {
    if (r == (size_t)pl_rank(pl)) j->before = j->last;
    memcpy(one.bytes, all + r * size, size);
    append(j, &j->last, &one);
  }
  pl_free_array(pl, all);
  return err;
}

static pl_err run_job(pl_context *pl, job *j, const pl_scan_call *call)
{
  bool ranks = !call->local && pl_ranks(pl) > 1;
  start(j, &j->before);
  start(j, &j->last);
  if (call->result || j->code->program.uses_last || ranks) total_all(pl, j, &j->last);
  if (ranks) PL_TRY(join_ranks(pl, j));
  if (!call->result) {
    scan_all(pl, j);
    return PL_SUCCESS;
  }
  memcpy(call->result->value, j->last.bytes, pl_type_size(call->result->type));
  pl_global_host_written(call->result);
  return PL_SUCCESS;
}

/* ---- preparing ---- */

static pl_err compile(pl_context *pl, const pl_scan_call *call, pl_host_scan *code)
{
  pl_host *host = pl->backend_state;
  const char *name = call->algorithm->name, *text = pl_text_string(&code->program.text);
  const pl_jit_source source = {.label = name, .text = text};
  pl_code *binary;
  PL_TRY(pl_dump_text(pl, name, call->set->node.name, ++pl->next_id, "c", &code->program.text));
  PL_TRY(pl_jit_get(host->jit, &source, &binary));
  void **function[] = {(void **)(void *)&code->start, (void **)(void *)&code->append,
                       (void **)(void *)&code->total, (void **)(void *)&code->scan};
  static const char *const names[] = {"pl_start", "pl_append", "pl_total", "pl_scan"};
  for (int k = 0; k < (call->result ? 3 : 4); k++)
    if (!(*function[k] = pl_code_symbol(binary, names[k])))
      return pl_fail(pl, PL_ERR_INTERNAL, "\"%s\": the compiled code has no %s", name, names[k]);
  return PL_SUCCESS;
}

static pl_err fall_back(pl_context *pl, const pl_scan_call *call, pl_host_scan *code, const char *why)
{
  pl_host *host = pl->backend_state;
  const pl_scan_program *program = &code->program;
  bool real = false;
  for (int i = 0; i < program->signature.count; i++) real |= program->signature.param[i].is_real;
  if (!call->algorithm->function ||
      (real && (size_t)call->algorithm->real_size != pl_type_size(program->signature.real)))
    return pl_fail(pl, PL_ERR_KERNEL, "\"%s\" needs a compiler at run time: %s", call->algorithm->name, why);
  if (!host->warned) pl_log(pl, 0, "%s; kernels run as the program was compiled, slower", why);
  host->warned = code->own = true;
  return PL_SUCCESS;
}

static pl_err prepare(pl_context *pl, const pl_scan_call *call, pl_host_scan *code)
{
  pl_host *host = pl->backend_state;
  const char *why = pl_jit_unavailable(host->jit);
  if (call->nargs > MOST_ARGS)
    return pl_fail(pl, PL_ERR_ARG, "\"%s\" has %d arguments; at most %d are possible", call->algorithm->name,
                   call->nargs, MOST_ARGS);
  double begin = pl_now();
  PL_TRY(pl_scan_program_make(pl, call, pl_dialect_find(pl->backend->name), &code->program));
  pl->stats.generate_seconds += pl_now() - begin;
  code->consts = pl_calloc(pl, 1, code->program.source.const_bytes + 1);
  if (!code->consts) return pl_fail_memory(pl, code->program.source.const_bytes);
  return why ? fall_back(pl, call, code, why) : compile(pl, call, code);
}

static void free_scan(pl_context *pl, pl_host_scan *code)
{
  pl_free(pl, code->consts);
  pl_scan_program_free(&code->program);
  pl_free(pl, code);
}

/* The prepared algorithm for a call: found, or made; outdated ones of the same text go. */
static pl_err get_scan(pl_context *pl, const pl_scan_call *call, pl_host_scan **result)
{
  pl_host *host = pl->backend_state;
  for (pl_host_scan **link = &host->scans, *code; (code = *link);) {
    if (pl_scan_program_fits(&code->program, call)) {
      *result = code;
      return PL_SUCCESS;
    }
    if (code->program.decl_version == pl->decl_version) {
      link = &code->next;
      continue;
    }
    *link = code->next;
    free_scan(pl, code);
  }
  pl_host_scan *code = pl_calloc(pl, 1, sizeof *code);
  if (!code) return pl_fail_memory(pl, sizeof *code);
  pl_err err = prepare(pl, call, code);
  if (err) {
    free_scan(pl, code);
    return err;
  }
  code->next = host->scans;
  *result = host->scans = code;
  return PL_SUCCESS;
}

void pl_host_scans_free(pl_context *pl)
{
  pl_host *host = pl->backend_state;
  while (host->scans) {
    pl_host_scan *code = host->scans;
    host->scans = code->next;
    free_scan(pl, code);
  }
}

/* ---- running ---- */

static pl_err bind_slots(pl_host_scan *code, const pl_scan_call *call, job *j)
{
  size_t bytes = 0;
  for (int i = 0; i < call->nargs; i++) {
    const pl_arg *arg = &call->args[i];
    pl_dat *dat = arg->object;
    j->slot[i] = arg->kind == PL_ARG_DAT ? pl_dat_host(dat, false) : ((pl_global *)arg->object)->value;
    if (!j->slot[i]) return PL_ERR_MEMORY;
    if (arg->kind == PL_ARG_DAT) bytes += pl_dat_nbytes(dat);
  }
  j->far = bytes > FAR;
  pl_source_fill_consts(&code->program.source, code->consts);
  j->slot[call->nargs] = code->consts;
  return PL_SUCCESS;
}

pl_err pl_host_scan_run(pl_context *pl, const pl_scan_call *call)
{
  pl_host_scan *code = NULL;
  PL_TRY(get_scan(pl, call, &code));
  job j = {.code = code, .n = pl_algorithm_size(call->set), .workers = pl_host_workers(pl)};
  if (j.n < FEW && !pl_opt_flag(pl, PL_OPT_REPRODUCIBLE)) j.workers = 1;
  if (code->own) j.workers = 1;
  PL_TRY(bind_slots(code, call, &j));
  j.total = pl_malloc_array(pl, (size_t)j.workers * sizeof *j.total);
  if (!j.total) return pl_fail_memory(pl, (size_t)j.workers * sizeof *j.total);
  pl_err err = run_job(pl, &j, call);
  pl_free_array(pl, j.total);
  for (int i = 0; i < call->nargs && !err; i++)
    if (call->args[i].kind == PL_ARG_DAT && call->args[i].access != PL_READ)
      pl_dat_host_written(call->args[i].object);
  return err;
}
