/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions and scans on the host. Workers of a scan take blocks in order: each computes the total of its
 * block, waits for the prefix, publishes the next one, and writes the outputs while the block is in its cache
 * (a chained scan). So memory is read once.
 *
 * Invariant: the bits of a result do not depend on which worker takes a block.
 */
#include "host_scan.h"
#include "backends/interpreter/interpreted_loop.h"
#include "backends/host/host.h"
#include "codegen/algorithm/reduce_scan.h"
#include "codegen/jit/dump_source.h"
#include "core/arrays/reduce_scan.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum {
  MAX_ARGS = 16,
  BLOCK = 1 << 15,         /* elements */
  BEYOND_CACHE = 32 << 20, /* bytes of arrays */
  ITEM = 64,               /* bytes, at least an item: workers share no cache line */
  FEW = 4096               /* elements not worth waking threads */
};

typedef struct item {
  _Alignas(ITEM) char bytes[ITEM];
} item;

/* A prepared algorithm. */
typedef struct pl_host_scan {
  pl_scan_program program;
  bool interpreted;
  void (*start)(int n, void *const *slot, item *value);
  void (*append)(int n, void *const *slot, item *into, const item *next_value);
  void (*total)(int begin, int end, int n, void *const *slot, item *value);
  void (*scan)(int begin, int end, int n, void *const *slot, item *carry, const item *last, int far);
  void *consts;
} pl_host_scan;

typedef struct job {
  const pl_host_scan *code;
  int n, workers;
  bool far;
  void *slot[MAX_ARGS + 1];
  item last, *total; /* a total for each worker */
  item before;       /* the prefix of block `published`, owned by the worker of that block */
  atomic_int next, published;
} job;

/* ---- without a compiler ---- */

/* The function that the user's compiler has compiled, for one element or two items. */
static void call_step(const job *j, int action, int i, void *value, const void *prev, const void *last,
                      int *begins)
{
  const pl_scan_program *program = &j->code->program;
  pl_item_step s = {
    .action = action, .i = i, .n = j->n, .item = value, .prev = (void *)prev, .last = (void *)last};
  void *pointer[MAX_ARGS + 1] = {&s};
  for (int k = 0; k < program->nargs; k++) pointer[k + 1] = j->slot[k];
  pl_interpreted_call(program->algorithm->function, program->nargs + 1, pointer);
  if (begins) *begins = s.begins;
}

/* An item is a value, then a flag: a segment begins in it. */
enum { FLAG = 32, INPUT = 0, BEGINS, OUTPUT, OPERATOR, NEUTRAL };

static void interpret_append(const job *j, item *into, const item *next)
{
  item both = *next;
  if (!next->bytes[FLAG]) call_step(j, OPERATOR, 0, both.bytes, into->bytes, NULL, NULL);
  both.bytes[FLAG] |= into->bytes[FLAG];
  *into = both;
}

static item interpret_read(const job *j, int i)
{
  item own = {{0}};
  int begins = 0;
  call_step(j, INPUT, i, own.bytes, NULL, NULL, NULL);
  if (j->code->program.algorithm->flag) call_step(j, BEGINS, i, NULL, NULL, NULL, &begins);
  own.bytes[FLAG] = (char)begins;
  return own;
}

static void interpret_start(const job *j, item *value)
{
  memset(value, 0, sizeof *value);
  call_step(j, NEUTRAL, 0, value->bytes, NULL, NULL, NULL);
}

static void interpret_total(const job *j, int begin, int end, item *value)
{
  for (int i = begin; i < end; i++) {
    item own = interpret_read(j, i);
    interpret_append(j, value, &own);
  }
}

static void interpret_scan(const job *j, int begin, int end, item *carry)
{
  for (int i = begin; i < end; i++) {
    item own = interpret_read(j, i), before = *carry;
    interpret_append(j, carry, &own);
    if (own.bytes[FLAG]) interpret_start(j, &before);
    call_step(j, OUTPUT, i, carry->bytes, before.bytes, j->last.bytes, NULL);
  }
}

/* ---- steps of a call ---- */

static void start_item(const job *j, item *value)
{
  j->code->interpreted ? interpret_start(j, value) : j->code->start(j->n, j->slot, value);
}

static void append_item(const job *j, item *into, const item *next)
{
  j->code->interpreted ? interpret_append(j, into, next) : j->code->append(j->n, j->slot, into, next);
}

static void total_range(const job *j, int begin, int end, item *value)
{
  start_item(j, value);
  j->code->interpreted ? interpret_total(j, begin, end, value)
                       : j->code->total(begin, end, j->n, j->slot, value);
}

static void scan_range(const job *j, int begin, int end, item *carry)
{
  j->code->interpreted ? interpret_scan(j, begin, end, carry)
                       : j->code->scan(begin, end, j->n, j->slot, carry, &j->last, j->far);
}

static void work_total(void *data, int w)
{
  job *j = data;
  total_range(j, pl_host_share(j->n, w, j->workers), pl_host_share(j->n, w + 1, j->workers), &j->total[w]);
}

static void total_all(pl_context *pl, job *j, item *all)
{
  pl_host_each(pl, j->workers, work_total, j);
  start_item(j, all);
  for (int w = 0; w < j->workers; w++) append_item(j, all, &j->total[w]);
}

/* ---- blocks ---- */

/* Waits for the prefix of a block, and publishes the next one. */
static void exchange_prefix(job *j, int block, const item *own, item *carry)
{
  enum { MAX_SPINS = 1000 };
  for (int tries = 0; atomic_load_explicit(&j->published, memory_order_acquire) != block; tries++)
    if (tries > MAX_SPINS) sched_yield();
  *carry = j->before;
  append_item(j, &j->before, own);
  atomic_store_explicit(&j->published, block + 1, memory_order_release);
}

/* Blocks are taken in order, so some worker has the block that is waited for. */
static void work_blocks(void *data, int w)
{
  job *j = data;
  int blocks = j->n / BLOCK + (j->n % BLOCK > 0);
  (void)w;
  for (int b; (b = atomic_fetch_add(&j->next, 1)) < blocks;) {
    int begin = b * BLOCK, end = j->n - begin < BLOCK ? j->n : begin + BLOCK;
    item own, carry;
    total_range(j, begin, end, &own);
    exchange_prefix(j, b, &own, &carry);
    scan_range(j, begin, end, &carry);
  }
}

static void scan_all(pl_context *pl, job *j)
{
  if (j->workers > 1)
    pl_host_each(pl, j->workers, work_blocks, j);
  else
    scan_range(j, 0, j->n, &j->before);
}

/* From this rank's total: the prefix of the rank, and the total of all. */
static pl_err join_ranks(pl_context *pl, job *j)
{
  size_t size = pl_scan_item_size(&j->code->program), ranks = (size_t)pl_ranks(pl);
  item one = j->last;
  char *all = pl_malloc_array(pl, ranks * size);
  if (!all) return pl_fail_memory(pl, ranks * size);
  pl_err err = pl_comm_gather(pl, one.bytes, size, all);
  start_item(j, &j->last);
  for (size_t r = 0; r < ranks && !err; r++) {
    if (r == (size_t)pl_rank(pl)) j->before = j->last;
    memcpy(one.bytes, all + r * size, size);
    append_item(j, &j->last, &one);
  }
  pl_free_array(pl, all);
  return err;
}

static pl_err run_job(pl_context *pl, job *j, const pl_scan_call *call)
{
  bool ranks = !call->local && pl_ranks(pl) > 1;
  start_item(j, &j->before);
  start_item(j, &j->last);
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

static pl_err compile_scan(pl_context *pl, const pl_scan_call *call, pl_host_scan *code)
{
  pl_host *host = pl->backend_state;
  const char *name = call->algorithm->name, *text = pl_string_chars(&code->program.text);
  const pl_jit_source source = {.label = name, .text = text, .entry = "pl_start"};
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

static pl_err use_interpreter(pl_context *pl, const pl_scan_call *call, pl_host_scan *code, const char *why)
{
  pl_host *host = pl->backend_state;
  const pl_scan_program *program = &code->program;
  bool real = false;
  for (int i = 0; i < program->signature.count; i++) real |= program->signature.param[i].is_real;
  if (!call->algorithm->function ||
      (real && (size_t)call->algorithm->real_size != pl_type_size(program->signature.real)))
    return pl_fail(pl, PL_ERR_KERNEL, "\"%s\" needs a compiler at run time: %s", call->algorithm->name, why);
  if (!host->warned) pl_log(pl, 0, "%s; kernels run as the program was compiled, slower", why);
  host->warned = code->interpreted = true;
  return PL_SUCCESS;
}

static pl_err prepare_scan(pl_context *pl, const pl_scan_call *call, void *prepared)
{
  pl_host *host = pl->backend_state;
  pl_host_scan *code = prepared;
  const char *why = pl_jit_unavailable(host->jit);
  if (call->nargs > MAX_ARGS)
    return pl_fail(pl, PL_ERR_ARG, "\"%s\" has %d arguments; at most %d are possible", call->algorithm->name,
                   call->nargs, MAX_ARGS);
  PL_TRY(pl_scan_program_make(pl, call, pl_dialect_find(pl->backend->name), &code->program));
  code->consts = pl_calloc(pl, 1, code->program.source.const_bytes + 1);
  if (!code->consts) return pl_fail_memory(pl, code->program.source.const_bytes);
  return why ? use_interpreter(pl, call, code, why) : compile_scan(pl, call, code);
}

static void release_scan(pl_context *pl, void *code)
{
  pl_free(pl, ((pl_host_scan *)code)->consts);
}

static const pl_scan_maker maker = {sizeof(pl_host_scan), prepare_scan, release_scan};

void pl_host_scans_free(pl_context *pl)
{
  pl_scans_free(pl, &maker, &((pl_host *)pl->backend_state)->scans);
}

/* ---- running ---- */

static pl_err bind_slots(pl_host_scan *code, const pl_scan_call *call, job *j)
{
  size_t bytes = 0;
  for (int i = 0; i < call->nargs; i++) {
    const pl_arg *arg = &call->args[i];
    pl_dat *dat = arg->object;
    j->slot[i] = pl_arg_is_record(arg) ? pl_dat_host(dat, false) : ((pl_global *)arg->object)->value;
    if (!j->slot[i]) return PL_ERR_MEMORY;
    if (pl_arg_is_record(arg)) bytes += pl_dat_nbytes(dat);
  }
  j->far = bytes > BEYOND_CACHE;
  pl_source_fill_consts(&code->program.source, code->consts);
  j->slot[call->nargs] = code->consts;
  return PL_SUCCESS;
}

pl_err pl_host_scan_run(pl_context *pl, const pl_scan_call *call)
{
  void *prepared;
  PL_TRY(pl_scan_get(pl, &maker, &((pl_host *)pl->backend_state)->scans, call, &prepared));
  pl_host_scan *code = prepared;
  job j = {.code = code, .n = call->set->end[1], .workers = pl_host_workers(pl)};
  if (j.n < FEW && !pl_opt_flag(pl, PL_OPT_REPRODUCIBLE)) j.workers = 1;
  if (code->interpreted) j.workers = 1;
  PL_TRY(bind_slots(code, call, &j));
  PL_TRY(PL_NEW_ARRAY(pl, j.total, (size_t)j.workers));
  pl_err err = run_job(pl, &j, call);
  pl_free_array(pl, j.total);
  for (int i = 0; i < call->nargs && !err; i++)
    if (pl_arg_is_record(&call->args[i]) && call->args[i].access != PL_READ)
      pl_dat_host_written(call->args[i].object);
  return err;
}
