/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs on devices. Invariant: the code of a program is a module, that of an entry a kernel of it.
 */
#include "device_program.h"
#include "backends/device/device_data.h"
#include "backends/device/device_module.h"
#include "codegen/jit/dump_source.h"
#include "codegen/program/program_parse.h"
#include "codegen/program/program_print.h"
#include "core/base/clock.h"
#include "core/data/dat.h"
#include "core/program/program.h"
#include <string.h>

enum { MAX_ARGS = 120 };

static pl_err build_program(pl_device *device, pl_program *program, pl_string *text)
{
  pl_context *pl = device->pl;
  const pl_target target = {device->driver->name, device->dialect, device->has_double,
                            device->has_atomics_64};
  double start = pl_now();
  if (!device->has_double && program->mixed == PL_DOUBLE)
    return pl_fail(
      pl, PL_ERR_BACKEND,
      "program \"%s\": option precision is %s, but device %s has no double precision; use single",
      program->node.name, pl_opt(pl, PL_OPT_PRECISION), device->name);
  PL_TRY(pl_tasks_read(program, &target));
  PL_TRY(pl_program_print(program, &target, text));
  pl->stats.generate_seconds += pl_now() - start;
  PL_TRY(pl_dump_text(pl, program->node.name, "program", program->node.id, device->dialect->suffix, text));
  return pl_module_get(device, program->node.name, text, 0, (pl_module **)&program->code);
}

pl_err pl_device_program_make(pl_context *pl, pl_program *program)
{
  pl_string text;
  pl_string_init(&text, pl);
  pl_err err = build_program(pl_device_of(pl), program, &text);
  pl_string_free(&text);
  return err;
}

/* Modules live as long as the device. */
void pl_device_program_free(pl_context *pl, pl_program *program)
{
  (void)pl;
  program->code = NULL;
}

pl_err pl_device_entry_make(pl_context *pl, pl_entry *entry)
{
  (void)pl;
  return pl_module_kernel(entry->program->code, entry->task->name, &entry->code);
}

pl_err pl_device_entry_limit(pl_context *pl, const pl_entry *entry, int *limit)
{
  pl_device *device = pl_device_of(pl);
  return device->driver->limit(device, entry->code, limit);
}

/* By a kernel at the end of the program's text. */
static pl_err run_size_kernel(pl_device *device, void *kernel, int i, size_t *size)
{
  const pl_driver *driver = device->driver;
  int32_t bytes = 0;
  void *buffer;
  PL_TRY(driver->alloc(device, sizeof bytes, &buffer));
  const pl_launch_arg args[] = {{sizeof buffer, &buffer}, {sizeof i, &i}};
  pl_err err = driver->launch(device, kernel, pl_grid_of(1, 1), 2, args);
  if (!err) err = driver->read(device, &bytes, buffer, 0, sizeof bytes);
  driver->free(device, buffer);
  *size = (size_t)bytes;
  return err;
}

pl_err pl_device_entry_size(pl_context *pl, const pl_entry *entry, int i, size_t *size)
{
  char name[256];
  void *kernel;
  snprintf(name, sizeof name, "pl_size_%.240s", entry->task->name);
  PL_TRY(pl_module_kernel(entry->program->code, name, &kernel));
  return run_size_kernel(pl_device_of(pl), kernel, i, size);
}

pl_err pl_device_entry_run(pl_context *pl, const pl_launch *launch)
{
  pl_device *device = pl_device_of(pl);
  const pl_entry *entry = launch->entry;
  pl_launch_arg args[MAX_ARGS];
  int n = entry->task->nformals;
  if (n > MAX_ARGS)
    return pl_fail(pl, PL_ERR_RANGE, "kernel \"%s\" has %d parameters; a device takes at most %d",
                   entry->node.name, n, MAX_ARGS);
  for (int i = 0; i < n; i++) {
    const pl_slot_value *slot = &entry->slot[i];
    args[i] = slot->dat ? (pl_launch_arg){sizeof(void *), &slot->dat->storage.device}
                        : (pl_launch_arg){slot->size, slot->value};
  }
  return device->driver->launch(device, entry->code, pl_grid_of(launch->groups, launch->block), n, args);
}
