/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs on the host. Each worker runs a contiguous piece of the groups; work items of a kernel with
 * barriers are fibers, others a loop. Invariant: a group runs on one thread.
 */
#include "host_program.h"
#include "backends/host/host.h"
#include "fiber.h"
#include "codegen/jit/dump_source.h"
#include "codegen/program/program_parse.h"
#include "codegen/program/program_print.h"
#include "core/base/clock.h"
#include "core/storage/layout.h"
#include "core/data/objects.h"
#include <string.h>

enum { MAX_ITEMS = 1024 };

typedef void (*task_fn)(const pl_group *group, int begin, int end);

/* ---- compiling ---- */

static pl_err compile_program(pl_context *pl, pl_program *program, const pl_target *target, pl_string *text)
{
  pl_host *host = pl->backend_state;
  double start = pl_now();
  PL_TRY(pl_tasks_read(program, target));
  PL_TRY(pl_program_print(program, target, text));
  pl->stats.generate_seconds += pl_now() - start;
  PL_TRY(pl_dump_text(pl, program->node.name, "program", program->node.id, target->dialect->suffix, text));
  const pl_jit_source source = {.label = program->node.name, .text = pl_string_chars(text), .cpp = 1};
  return pl_jit_get(host->jit, &source, (pl_code **)&program->code);
}

pl_err pl_host_program_make(pl_context *pl, pl_program *program)
{
  const pl_target target = {pl->backend->name, pl_dialect_find("program"), true, true};
  pl_string text;
  pl_string_init(&text, pl);
  pl_err err = compile_program(pl, program, &target, &text);
  pl_string_free(&text);
  return err;
}

/* The code belongs to the run-time compiler. */
void pl_host_program_free(pl_context *pl, pl_program *program)
{
  (void)pl;
  program->code = NULL;
}

pl_err pl_host_entry_make(pl_context *pl, pl_entry *entry)
{
  char name[256];
  snprintf(name, sizeof name, "pl_task_%.240s", entry->task->name);
  entry->code = pl_code_symbol(entry->program->code, name);
  return entry->code ? PL_SUCCESS
                     : pl_fail(pl, PL_ERR_KERNEL,
                               "kernel \"%s\" (%s:%d) was not compiled: a preprocessor condition excludes it",
                               entry->node.name, entry->program->node.name, entry->task->line);
}

pl_err pl_host_entry_limit(pl_context *pl, const pl_entry *entry, int *limit)
{
  (void)pl;
  (void)entry;
  *limit = MAX_ITEMS;
  return PL_SUCCESS;
}

pl_err pl_host_entry_size(pl_context *pl, const pl_entry *entry, int i, size_t *size)
{
  char name[256];
  snprintf(name, sizeof name, "pl_size_%.240s", entry->task->name);
  int (*size_of)(int) = (int (*)(int))(uintptr_t)pl_code_symbol(entry->program->code, name);
  if (!size_of)
    return pl_fail(pl, PL_ERR_INTERNAL, "kernel \"%s\": its code has no function for sizes",
                   entry->node.name);
  *size = (size_t)size_of(i);
  return PL_SUCCESS;
}

/* ---- running ---- */

typedef struct host_launch {
  pl_context *pl;
  const pl_launch *launch;
  task_fn run;
  int workers;
  void **args;
  void **copy;        /* by argument: values in the layout of the dat, if that is not the host's */
  pl_fibers **fibers; /* one a worker, for kernels with barriers; else NULL */
} host_launch;

/* ---- layouts: host storage is array of structures; a dat in another layout is copied ---- */

static pl_err make_copy(host_launch *host, int i)
{
  const pl_slot_value *slot = host->launch->entry->slot;
  pl_dat *dat = slot[i].dat;
  for (int k = 0; k < i; k++)
    if (slot[k].dat == dat) {
      host->args[i] = host->args[k];
      return PL_SUCCESS;
    }
  size_t bytes = pl_layout_values(dat, pl_set_room(dat->set)) * pl_type_size(pl_type_base(dat->type));
  host->copy[i] = pl_malloc_array(host->pl, bytes);
  if (!host->copy[i]) return pl_fail_memory(host->pl, bytes);
  memset(host->copy[i], 0, bytes);
  pl_layout_convert(dat, true, dat->storage.host, host->copy[i]);
  host->args[i] = &host->copy[i];
  return PL_SUCCESS;
}

static void copy_back(const host_launch *host)
{
  const pl_entry *entry = host->launch->entry;
  for (int i = 0; i < entry->task->nformals; i++)
    if (host->copy[i])
      pl_layout_convert(entry->slot[i].dat, false, entry->slot[i].dat->storage.host, host->copy[i]);
}

static pl_err set_argument(host_launch *host, int i)
{
  const pl_slot_value *slot = &host->launch->entry->slot[i];
  if (slot->dat && slot->dat->storage.layout.tile != PL_AOS) return make_copy(host, i);
  host->args[i] = slot->dat ? (void *)&slot->dat->storage.host : slot->value;
  return PL_SUCCESS;
}

/* ---- a launch ---- */

void pl_host_fibers_close(pl_context *pl)
{
  pl_host *state = pl->backend_state;
  for (int w = 0; state->fibers && w < state->nfibers; w++) pl_fibers_close(&state->fibers[w]);
  pl_free(pl, state->fibers);
  state->fibers = NULL;
  state->nfibers = state->fiber_items = 0;
}

static pl_err grow_fibers(pl_context *pl, int workers, int items)
{
  pl_host *state = pl->backend_state;
  if (workers <= state->nfibers && items <= state->fiber_items) return PL_SUCCESS;
  if (workers < state->nfibers) workers = state->nfibers;
  if (items < state->fiber_items) items = state->fiber_items;
  pl_host_fibers_close(pl);
  PL_TRY(PL_NEW(pl, state->fibers, (size_t)workers));
  state->nfibers = workers;
  pl_err err = PL_SUCCESS;
  for (int w = 0; w < workers && !err; w++) err = pl_fibers_open(pl, items, workers, &state->fibers[w]);
  if (err) return pl_host_fibers_close(pl), err;
  state->fiber_items = items;
  return PL_SUCCESS;
}

static pl_err open_launch(host_launch *host, int n)
{
  const pl_launch *launch = host->launch;
  PL_TRY(PL_NEW(host->pl, host->args, (size_t)n));
  PL_TRY(PL_NEW(host->pl, host->copy, (size_t)n));
  for (int i = 0; i < n; i++) PL_TRY(set_argument(host, i));
  if (!launch->entry->task->barriers || launch->block == 1) return PL_SUCCESS;
  PL_TRY(grow_fibers(host->pl, host->workers, launch->block));
  host->fibers = ((pl_host *)host->pl->backend_state)->fibers;
  return PL_SUCCESS;
}

static void close_launch(host_launch *host)
{
  for (int i = 0; host->copy && i < host->launch->entry->task->nformals; i++)
    pl_free_array(host->pl, host->copy[i]);
  pl_free_all(host->pl, host->copy, host->args);
}

static void no_wait(void *fibers)
{
  (void)fibers;
}

typedef struct item_call {
  task_fn run;
  const pl_group *group;
} item_call;

static void run_item(const void *user, int item, int group)
{
  const item_call *call = user;
  call->run(call->group, item, group);
}

/* The groups of one worker. */
static void run_groups(void *data, int w)
{
  const host_launch *host = data;
  const pl_launch *launch = host->launch;
  int begin = pl_host_share(launch->groups, w, host->workers);
  int end = pl_host_share(launch->groups, w + 1, host->workers);
  pl_group group = {host->args, launch->block, launch->groups, no_wait, NULL};
  if (!launch->entry->task->barriers) {
    host->run(&group, begin, end);
    return;
  }
  const item_call call = {host->run, &group};
  if (host->fibers) {
    group.wait = pl_fibers_wait;
    group.fibers = host->fibers[w];
  }
  for (int g = begin; g < end; g++)
    if (host->fibers)
      pl_fibers_run(host->fibers[w], run_item, &call, launch->block, g);
    else
      run_item(&call, 0, g);
}

pl_err pl_host_entry_run(pl_context *pl, const pl_launch *launch)
{
  const pl_host *state = pl->backend_state;
  int threads = state->each ? state->threads : 1;
  host_launch host = {.pl = pl,
                      .launch = launch,
                      .run = (task_fn)(uintptr_t)launch->entry->code,
                      .workers = threads < launch->groups ? threads : launch->groups};
  pl_err err = open_launch(&host, launch->entry->task->nformals);
  if (!err) pl_host_each(pl, host.workers, run_groups, &host);
  if (!err) copy_back(&host);
  close_launch(&host);
  return err;
}
