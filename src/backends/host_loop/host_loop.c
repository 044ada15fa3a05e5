/* SPDX-License-Identifier: BSD-2-Clause
 * A loop on the host. Invariant: slots point at data only between pl_host_begin and pl_host_end, as storage
 * may move in between.
 */
#include "host_loop.h"
#include "form_tuner.h"
#include "backends/interpreter/interpreted_loop.h"
#include "kernel_check.h"
#include "quick_code.h"
#include "backends/host_algorithms/host_program.h"
#include "backends/host_algorithms/host_scan.h"
#include "codegen/emit/loop_program.h"
#include "codegen/host/simd_form.h"
#include "codegen/jit/dump_source.h"
#include "codegen/host/vector_form.h"
#include "codegen/kernel/signature_check.h"
#include "codegen/loop/pair_info.h"
#include "core/base/clock.h"
#include "core/loop/arg.h"
#include "core/loop/reduction.h"
#include "core/particles/pair_map.h"
#include <pthread.h>

/* ---- the backend's state ---- */

pl_err pl_host_new(pl_context *pl, int threads, pl_host **result)
{
  pl_host *host = pl_calloc(pl, 1, sizeof *host);
  if (!host) return pl_fail_memory(pl, sizeof *host);
  host->threads = threads;
  pl_err err = pl_jit_open(pl, &host->jit);
  if (err) return pl_free(pl, host), err;
  *result = host;
  return PL_SUCCESS;
}

void pl_host_free(pl_context *pl, pl_host *host)
{
  if (!host) return;
  pl_free_array(pl, host->sort_buffer);
  pl_jit_close(&host->jit);
  pl_free(pl, host);
}

void pl_host_close(pl_context *pl)
{
  pl_host_scans_free(pl);
  pl_host_fibers_close(pl);
  pl_host_free(pl, pl->backend_state);
}

/* ---- workers ---- */

static void free_worker(pl_host_code *code, pl_worker *worker)
{
  pl_context *pl = code->loop->pl;
  for (int i = 0; worker->result && i < code->loop->nargs; i++) pl_free(pl, worker->result[i]);
  pl_free_all(pl, worker->slot, worker->result, worker->element, worker->scratch);
}

/* Results of different workers are on different cache lines. */
enum { LINE = 64 };

static bool make_worker(pl_host_code *code, pl_worker *worker)
{
  const pl_loop *loop = code->loop;
  size_t n = (size_t)loop->nargs;
  worker->slot =
    pl_calloc(loop->pl, (size_t)code->program.run.n + LINE / sizeof(void *), sizeof *worker->slot);
  worker->result = pl_calloc(loop->pl, n, sizeof *worker->result);
  worker->element = pl_calloc(loop->pl, n + LINE / sizeof(int64_t), sizeof *worker->element);
  if (!worker->slot || !worker->result || !worker->element) return false;
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_reduces(arg)) continue;
    worker->result[i] =
      pl_calloc(loop->pl, 1, (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg)) + LINE);
    if (!worker->result[i]) return false;
    code->reduces = true;
  }
  if (code->run) return true;
  worker->scratch = pl_calloc(loop->pl, 1, pl_interpreted_scratch(loop));
  return worker->scratch != NULL;
}

static pl_err make_workers(pl_host_code *code, int nworkers)
{
  pl_context *pl = code->loop->pl;
  PL_TRY(PL_NEW(pl, code->worker, (size_t)nworkers));
  code->nworkers = nworkers;
  for (int w = 0; w < nworkers; w++)
    if (!make_worker(code, &code->worker[w])) return pl_fail_memory(pl, sizeof(pl_worker));
  return PL_SUCCESS;
}

/* ---- code ---- */

static pl_err write_program(const pl_host_code *code, const pl_emit_options *options, pl_loop_text *program)
{
  double start = pl_now();
  PL_TRY(pl_emit_loop(code->loop, &code->signature, options, program));
  code->loop->pl->stats.generate_seconds += pl_now() - start;
  return PL_SUCCESS;
}

pl_err pl_host_write(const pl_host_code *code, pl_form form, bool quick, pl_loop_text *program)
{
  const pl_emit_options options = {
    .dialect = pl_dialect_find("seq"), .form = form, .quick = quick, .checks = code->checks};
  return write_program(code, &options, program);
}

pl_jit_source pl_host_source(const pl_host_code *code, const pl_loop_text *program)
{
  const pl_kernel_options *extras = pl_kernel_extras(code->loop->kernel);
  return (pl_jit_source){.label = pl_loop_title(code->loop),
                         .text = pl_string_chars(&program->text),
                         .head = pl_string_chars(&program->head),
                         .include_dirs = extras->include_dirs,
                         .link_args = extras->link_args,
                         .entry = "pl_run",
                         .cpp = extras->cpp,
                         .quick = program->quick};
}

bool pl_host_is_written(const pl_host_code *code, pl_form form, bool quick)
{
  return code->program.text.length && code->program.form == form && code->program.quick == quick;
}

static pl_err compile_program(pl_host_code *code)
{
  pl_loop *loop = code->loop;
  pl_context *pl = loop->pl;
  pl_code *binary;
  PL_TRY(pl_dump(pl, loop, pl_dialect_find("seq"), &code->program.head, &code->program.text));
  pl_jit_source source = pl_host_source(code, &code->program);
  PL_TRY(pl_jit_get(code->host->jit, &source, &binary));
  code->run = (pl_host_fn)(uintptr_t)pl_code_symbol(binary, source.entry);
  return PL_SUCCESS;
}

/* If compilation fails, once more with the line numbers of the user's file, for the message. */
pl_err pl_host_compile(pl_host_code *code, pl_form form)
{
  if (!pl_host_is_written(code, form, code->quick)) {
    pl_loop_text_free(&code->program);
    PL_TRY(pl_host_write(code, form, code->quick, &code->program));
  }
  pl_err err = compile_program(code);
  if (err != PL_ERR_COMPILE || code->quick || !code->loop->kernel->body) return err;
  const pl_emit_options options = {
    .dialect = pl_dialect_find("seq"), .form = form, .restore_lines = true, .checks = code->checks};
  pl_loop_text_free(&code->program);
  PL_TRY(write_program(code, &options, &code->program));
  return compile_program(code);
}

pl_err pl_host_compile_begin(const pl_host_code *code, pl_form form)
{
  const bool current = pl_host_is_written(code, form, code->quick);
  pl_loop_text program = {0};
  if (!current) PL_TRY(pl_host_write(code, form, code->quick, &program));
  pl_jit_source source = pl_host_source(code, current ? &code->program : &program);
  pl_err err = pl_jit_begin(code->host->jit, &source);
  pl_loop_text_free(&program);
  return err;
}

void pl_host_name_variant(pl_host_code *code)
{
  snprintf(code->variant, sizeof code->variant, "%s%s%s", pl_form_name(code->program.form),
           *code->division ? " " : "", code->division);
}

/* A compiler that does not take the kernel's copy for several elements does without it, unless asked for it.
 */
static pl_err compile_chosen(pl_host_code *code)
{
  pl_form form;
  PL_TRY(pl_form_tuner_choose(code, &form));
  PL_TRY(pl_quick_choose(code, form));
  pl_err err = pl_host_compile(code, form);
  if (err == PL_ERR_COMPILE && code->quick) {
    code->quick = false;
    err = pl_host_compile(code, form);
    code->host->never_quick |= !err;
  }
  if (err != PL_ERR_COMPILE || form != PL_FORM_VECTOR || !pl_opt_is(code->loop->pl, PL_OPT_SHAPE, "auto"))
    return err;
  code->vectors = false;
  PL_TRY(pl_form_tuner_choose(code, &form));
  return pl_host_compile(code, form);
}

static pl_err compile_loop(pl_host_code *code, const pl_form *form)
{
  PL_TRY(form ? pl_host_compile(code, *form) : compile_chosen(code));
  if (pl_loop_traits_of(code->loop)->pairs)
    snprintf(code->division, sizeof code->division, "%s", pl_pair_once(code->loop) ? "half" : "full");
  pl_host_name_variant(code);
  return PL_SUCCESS;
}

/* Without a run-time compiler: the kernel that the user's compiler has compiled. */
static pl_err use_interpreter(pl_host *host, pl_host_code *code, const char *why)
{
  PL_TRY(pl_interpreted_check(code->loop, &code->signature, why));
  if (!host->warned) pl_log(code->loop->pl, 0, "%s; kernels run as the program was compiled, slower", why);
  host->warned = true;
  snprintf(code->variant, sizeof code->variant, "own kernel");
  return PL_SUCCESS;
}

static pl_err read_kernel(pl_host_code *code)
{
  const pl_loop *loop = code->loop;
  PL_TRY(pl_signature_parse(loop->pl, loop->kernel, &code->signature));
  PL_TRY(pl_signature_bind(loop->pl, loop, &code->signature));
  return pl_vector_form_find(loop, &code->signature, &code->vectors);
}

/* form NULL: the tuner chooses. */
static pl_err fill_code(pl_host *host, pl_host_code *code, const pl_form *form, int nworkers)
{
  pl_loop *loop = code->loop;
  PL_TRY(read_kernel(code));
  const char *why = pl_jit_unavailable(host->jit);
  PL_TRY(why ? use_interpreter(host, code, why) : compile_loop(code, form));
  code->serial = pl_pair_scatters(loop);
  if (!form) loop->stores = !why && pl_pair_stores(loop);
  code->const_version = UINT64_MAX;
  code->consts = pl_calloc(loop->pl, 1, code->program.source.const_bytes + 1);
  if (!code->consts) return pl_fail_memory(loop->pl, code->program.source.const_bytes);
  return make_workers(code, nworkers);
}

void pl_host_code_free(pl_context *pl, pl_host_code *code)
{
  if (!code) return;
  pl_host_code_free(pl, code->reference);
  pl_form_tuner_free(code);
  pl_checker_free(pl, code->checker);
  for (int w = 0; w < code->nworkers; w++) free_worker(code, &code->worker[w]);
  pl_free_all(pl, code->worker, code->consts);
  pl_loop_text_free(&code->program);
  pl_signature_free(&code->signature);
  pl_free(pl, code);
}

static pl_err new_code(pl_host *host, pl_loop *loop, const pl_form *form, int nworkers, bool checks,
                       pl_host_code **result)
{
  pl_context *pl = loop->pl;
  pl_host_code *code = pl_calloc(pl, 1, sizeof *code);
  if (!code) return pl_fail_memory(pl, sizeof *code);
  code->loop = loop;
  code->host = host;
  code->checks = checks;
  code->signature.pl = pl;
  pl_err err = checks ? pl_checker_new(loop, &code->checker) : PL_SUCCESS;
  if (!err) err = fill_code(host, code, form, nworkers);
  if (err) return pl_host_code_free(pl, code), err;
  *result = code;
  return PL_SUCCESS;
}

pl_err pl_host_plain_new(pl_host *host, pl_loop *loop, pl_host_code **code)
{
  const pl_form scalar = PL_FORM_SCALAR;
  return new_code(host, loop, &scalar, 1, true, code);
}

pl_err pl_host_prepare(pl_context *pl, pl_loop *loop, int nworkers)
{
  pl_host_code *code;
  PL_TRY(new_code(pl->backend_state, loop, NULL, nworkers, false, &code));
  loop->code = code;
  loop->variant = code->variant;
  if (!pl_opt_flag(pl, PL_OPT_CHECK)) return PL_SUCCESS;
  pl_err err = pl_host_plain_new(pl->backend_state, loop, &code->reference);
  if (err) pl_host_release(pl, loop);
  return err;
}

static pl_err begin_compiling(pl_host_code *code)
{
  pl_form form;
  PL_TRY(read_kernel(code));
  PL_TRY(pl_form_tuner_choose(code, &form));
  PL_TRY(pl_quick_choose(code, form));
  return pl_host_compile_begin(code, form);
}

/* Errors are left to pl_host_prepare, which reports them. */
pl_err pl_host_prefetch(pl_context *pl, pl_loop *loop)
{
  pl_host *host = pl->backend_state;
  if (pl_jit_unavailable(host->jit)) return PL_SUCCESS;
  pl_host_code *code = pl_calloc(pl, 1, sizeof *code);
  if (!code) return pl_fail_memory(pl, sizeof *code);
  *code = (pl_host_code){.loop = loop, .host = host, .signature = {.pl = pl}};
  pl_err err = begin_compiling(code);
  pl_host_code_free(pl, code);
  return err == PL_ERR_MEMORY ? err : PL_SUCCESS;
}

void pl_host_release(pl_context *pl, pl_loop *loop)
{
  pl_host_code_free(pl, loop->code);
  loop->code = NULL;
  loop->variant = NULL;
}

/* ---- running ---- */

static void *slot_pointer(const pl_host_code *code, const pl_param_slot *slot, const pl_worker *worker)
{
  const pl_arg *arg = slot->arg >= 0 ? &code->loop->args[slot->arg] : NULL;
  const pl_map *map = code->loop->set->pairs;
  switch (slot->kind) {
  case PL_SLOT_DAT:
    return ((pl_dat *)arg->object)->storage.host;
  case PL_SLOT_MAP:
    return arg->map->index;
  case PL_SLOT_OFFSET:
    return arg->map->offset;
  case PL_SLOT_PAIR_ROW:
    return map->pair_map ? (void *)map->pairs->list.offset : map->offset;
  case PL_SLOT_PAIR_ENTRY:
    return map->pair_map ? map->pairs->list.entry : map->index;
  case PL_SLOT_PAIR_RECORD:
    return map->pairs->list.record;
  case PL_SLOT_PAIR_CUTOFF:
    return pl_pairs_cutoff(map->pairs);
  case PL_SLOT_PAIR_OWNER:
    return map->pairs->list.owner;
  case PL_SLOT_PAIR_COUNT:
    return map->pairs->count;
  case PL_SLOT_VALUE:
    return arg->kind == PL_ARG_CONST ? ((pl_const *)arg->object)->value : ((pl_global *)arg->object)->value;
  case PL_SLOT_BLOCKS:
    return code->loop->blocks->first;
  case PL_SLOT_POINTER:
    return arg->object;
  case PL_SLOT_GLOBAL_INDEX:
    return pl_arg_numbered(code->loop, slot->arg)->global;
  case PL_SLOT_RESULT:
    return worker->result[slot->arg];
  case PL_SLOT_ARG_ELEMENT:
    return &worker->element[slot->arg];
  case PL_SLOT_CHECKER:
    return code->checker;
  default:
    return code->consts;
  }
}

static void refresh_consts(pl_host_code *code)
{
  if (code->const_version == code->loop->pl->const_version) return;
  pl_source_fill_consts(&code->program.source, code->consts);
  code->const_version = code->loop->pl->const_version;
}

/* Host storage of every dat, allocated while only one thread runs, and values of globals. */
static pl_err get_data(const pl_loop *loop)
{
  const bool recorded = loop->pl->deferred.count;
  PL_EACH_ACCESS (access, loop) {
    const pl_dat *dat = access->dat;
    if (dat && dat->storage.host && !dat->storage.host_stale && !recorded) continue;
    if (access->global) PL_TRY(pl_global_host(access->global));
    if (access->dat && !pl_dat_host(access->dat, false)) return PL_ERR_MEMORY;
  }
  return PL_SUCCESS;
}

pl_err pl_host_begin(pl_host_code *code)
{
  const pl_loop *loop = code->loop;
  PL_TRY(get_data(loop));
  refresh_consts(code);
  if (code->quick) PL_TRY(pl_quick_replace(code));
  if (code->undecided && !code->quick) PL_TRY(pl_form_tuner_begin(code));
  for (int w = 0; w < code->nworkers; w++) {
    pl_worker *worker = &code->worker[w];
    for (int s = 0; s < code->program.run.n; s++)
      worker->slot[s] = slot_pointer(code, &code->program.run.slot[s], worker);
    if (code->reduces) pl_results_clear(loop, worker->result, worker->element);
  }
  return PL_SUCCESS;
}

void pl_host_run(const pl_host_code *code, int w, int begin, int end, const int *list)
{
  pl_worker *worker = &code->worker[w];
  if (code->run)
    code->run(begin, end, list, worker->slot);
  else
    pl_interpreted_run(code, worker, begin, end, list);
}

void pl_host_end(pl_host_code *code, const pl_loop_range *range)
{
  const pl_loop *loop = code->loop;
  if (code->trial) pl_form_tuner_end(code, range);
  for (int w = 0; code->reduces && range->reduces && w < code->nworkers; w++)
    pl_results_add(loop, loop->result, loop->arg_element, code->worker[w].result, code->worker[w].element);
}

/* Contexts share loaded code, which has a static pointer to the active checker: one context at a time. */
pl_err pl_host_plain_run(pl_host_code *code, const pl_loop_range *range)
{
  static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;
  PL_TRY(pl_host_begin(code));
  pthread_mutex_lock(&process_lock);
  pl_checker_run(code->checker, code, range);
  pthread_mutex_unlock(&process_lock);
  pl_host_end(code, range);
  return pl_checker_report(code->checker);
}

pl_err pl_host_run_reference(pl_context *pl, pl_loop *loop, const pl_loop_range *range)
{
  pl_host_code *code = ((pl_host_code *)loop->code)->reference;
  if (!code)
    return pl_fail(pl, PL_ERR_INTERNAL, "loop \"%s\" was prepared without its reference loop",
                   pl_loop_title(loop));
  return pl_host_plain_run(code, range);
}
