/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs on the host.
 */
#include "host_program.h"
#include "codegen/dump.h"
#include "codegen/program_text.h"
#include "core/layout.h"
#include "core/memory.h"
#include "core/profile.h"
#include "fiber.h"
#include "host.h"
#include <string.h>

enum { MOST_ITEMS = 1024 };

typedef void (*task_fn)(const pl_group *group, int begin, int end);

/* ---- making ---- */

static pl_err compile(pl_context *pl, pl_program *program, const pl_target *target, pl_text *text)
{
  pl_host *host = pl->backend_state;
  double start = pl_now();
  PL_TRY(pl_tasks_read(program, target));
  PL_TRY(pl_program_print(program, target, text));
  pl->stats.generate_seconds += pl_now() - start;
  PL_TRY(pl_dump_text(pl, program->node.name, "program", program->node.id, "cpp", text));
  const pl_jit_source source = {.label = program->node.name, .text = pl_text_string(text), .cpp = 1};
  return pl_jit_get(host->jit, &source, (pl_code **)&program->code);
}

pl_err pl_host_program_make(pl_context *pl, pl_program *program)
{
  const pl_target target = {pl->backend->name, true, true};
  pl_text text;
  pl_text_init(&text, pl);
  pl_err err = compile(pl, program, &target, &text);
  pl_text_free(&text);
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
  return entry->code
           ? PL_SUCCESS
           : pl_fail(pl, PL_ERR_KERNEL,
                     "kernel \"%s\" (%s:%d) was read but not compiled: a condition of the preprocessor "
                     "leaves it out",
                     entry->node.name, entry->program->node.name, entry->task->line);
}

pl_err pl_host_entry_limit(pl_context *pl, const pl_entry *entry, int *limit)
{
  (void)pl;
  (void)entry;
  *limit = MOST_ITEMS;
  return PL_SUCCESS;
}

pl_err pl_host_entry_size(pl_context *pl, const pl_entry *entry, int i, size_t *size)
{
  char name[256];
  snprintf(name, sizeof name, "pl_size_%.240s", entry->task->name);
  int (*size_of)(int) = (int (*)(int))(uintptr_t)pl_code_symbol(entry->program->code, name);
  if (!size_of)
    return pl_fail(pl, PL_ERR_INTERNAL, "kernel \"%s\": its code tells no sizes", entry->node.name);
  *size = (size_t)size_of(i);
  return PL_SUCCESS;
}

/* ---- running ---- */

typedef struct pl_host_launch {
  pl_context *pl;
  const pl_launch *launch;
  task_fn run;
  int workers;
  void **args;
  void **copy; /* by argument: values in the layout that was asked for, where it is not the host's own */
  pl_fibers **fibers; /* the backend's, one a worker, for kernels with barriers; else NULL */
} pl_host_launch;

/* ---- layouts: host storage is element by element; a program that asked for another sees a copy ---- */

static pl_layout layout_of(const pl_dat *dat)
{
  return (pl_layout){dat->layout, dat->pack};
}

/* The copy of a dat in an earlier slot, or its own. */
static pl_err make_copy(pl_host_launch *host, int i)
{
  const pl_slot_value *slot = host->launch->entry->slot;
  pl_dat *dat = slot[i].dat;
  for (int k = 0; k < i; k++)
    if (slot[k].dat == dat) {
      host->args[i] = host->args[k];
      return PL_SUCCESS;
    }
  size_t bytes = pl_layout_values(dat, layout_of(dat)) * pl_type_size(pl_type_base(dat->type));
  host->copy[i] = pl_malloc_array(host->pl, bytes);
  if (!host->copy[i]) return pl_fail_memory(host->pl, bytes);
  memset(host->copy[i], 0, bytes);
  pl_layout_convert(dat, layout_of(dat), true, dat->host, host->copy[i]);
  host->args[i] = &host->copy[i];
  return PL_SUCCESS;
}

static void launch_end(const pl_host_launch *host)
{
  const pl_entry *entry = host->launch->entry;
  for (int i = 0; i < entry->task->nformals; i++)
    if (host->copy[i])
      pl_layout_convert(entry->slot[i].dat, layout_of(entry->slot[i].dat), false, entry->slot[i].dat->host,
                        host->copy[i]);
}

static pl_err set_argument(pl_host_launch *host, int i)
{
  const pl_slot_value *slot = &host->launch->entry->slot[i];
  if (slot->dat && slot->dat->layout != PL_AOS) return make_copy(host, i);
  host->args[i] = slot->dat ? (void *)&slot->dat->host : slot->value;
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

/* At least as many as asked for: those that are there, or new ones. */
static pl_err get_fibers(pl_context *pl, int workers, int items)
{
  pl_host *state = pl->backend_state;
  if (workers <= state->nfibers && items <= state->fiber_items) return PL_SUCCESS;
  if (workers < state->nfibers) workers = state->nfibers;
  if (items < state->fiber_items) items = state->fiber_items;
  pl_host_fibers_close(pl);
  state->fibers = pl_calloc(pl, (size_t)workers, sizeof *state->fibers);
  if (!state->fibers) return pl_fail_memory(pl, (size_t)workers * sizeof *state->fibers);
  state->nfibers = workers;
  pl_err err = PL_SUCCESS;
  for (int w = 0; w < workers && !err; w++) err = pl_fibers_open(pl, items, workers, &state->fibers[w]);
  if (err)
    pl_host_fibers_close(pl);
  else
    state->fiber_items = items;
  return err;
}

static pl_err make_fibers(pl_host_launch *host)
{
  const pl_launch *launch = host->launch;
  if (!launch->entry->task->barriers || launch->block == 1) return PL_SUCCESS;
  PL_TRY(get_fibers(host->pl, host->workers, launch->block));
  host->fibers = ((pl_host *)host->pl->backend_state)->fibers;
  return PL_SUCCESS;
}

static pl_err fill_launch(pl_host_launch *host, int n)
{
  host->args = pl_calloc(host->pl, (size_t)n, sizeof *host->args);
  host->copy = pl_calloc(host->pl, (size_t)n, sizeof *host->copy);
  if (!host->args || !host->copy) return pl_fail_memory(host->pl, (size_t)n * sizeof *host->args);
  for (int i = 0; i < n; i++) PL_TRY(set_argument(host, i));
  return make_fibers(host);
}

static void launch_close(pl_host_launch **handle)
{
  pl_host_launch *host = *handle;
  for (int i = 0; host->copy && i < host->launch->entry->task->nformals; i++)
    pl_free_array(host->pl, host->copy[i]);
  pl_free(host->pl, host->copy);
  pl_free(host->pl, host->args);
  pl_free(host->pl, host);
  *handle = NULL;
}

static pl_err launch_open(const pl_launch *launch, int workers, pl_host_launch **result)
{
  const pl_entry *entry = launch->entry;
  pl_context *pl = entry->node.pl;
  pl_host_launch *host = *result = pl_calloc(pl, 1, sizeof *host);
  if (!host) return pl_fail_memory(pl, sizeof *host);
  host->pl = pl;
  host->launch = launch;
  host->run = (task_fn)(uintptr_t)entry->code;
  host->workers = workers < launch->groups ? workers : launch->groups;
  pl_err err = fill_launch(host, entry->task->nformals);
  if (err) launch_close(result);
  return err;
}

static void nobody_to_wait_for(void *fibers)
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
static void launch_work(const pl_host_launch *host, int w)
{
  const pl_launch *launch = host->launch;
  int begin = (int)((int64_t)launch->groups * w / host->workers);
  int end = (int)((int64_t)launch->groups * (w + 1) / host->workers);
  pl_group group = {host->args, launch->block, launch->groups, nobody_to_wait_for, NULL};
  if (w >= host->workers) return;
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

static void work(void *data, int w)
{
  launch_work(data, w);
}

/* A group runs on one thread. */
pl_err pl_host_entry_run(pl_context *pl, const pl_launch *launch)
{
  const pl_host *state = pl->backend_state;
  int threads = launch->groups > 1 && state->each ? state->threads : 1;
  pl_host_launch *host;
  PL_TRY(launch_open(launch, threads, &host));
  if (threads > 1)
    state->each(threads, threads, work, host);
  else
    launch_work(host, 0);
  launch_end(host);
  launch_close(&host);
  return PL_SUCCESS;
}
