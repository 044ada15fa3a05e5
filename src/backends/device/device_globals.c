/* SPDX-License-Identifier: BSD-2-Clause
 * Globals on the device. Invariant: arithmetic of globals is queued as loops are, and the host does not wait.
 */
#include "device_globals.h"
#include "device_data.h"
#include "device_module.h"
#include "device_queue.h"
#include "codegen/target/prelude.h"
#include "core/chain/builtin_kernels.h"
#include "core/data/objects.h"
#include "core/tools/tools.h"

/* ---- values ---- */

pl_err pl_device_global_buffer(pl_device *device, pl_global *global)
{
  void *event = global->fetched;
  global->fetched = NULL;
  if (event && global->fetched_at == device->exchanges) PL_TRY(device->driver->queue_wait(device, event));
  return global->device ? PL_SUCCESS
                        : device->driver->alloc(device, pl_global_nbytes(global), &global->device);
}

pl_err pl_device_global(pl_device *device, pl_global *global)
{
  PL_TRY(pl_device_global_buffer(device, global));
  if (global->device_valid) return PL_SUCCESS;
  pl_event_begin(device->pl, PL_TOOL_UPLOAD, global->node.name, "", (double)pl_global_nbytes(global));
  pl_err err = device->driver->write(device, global->device, 0, global->value, pl_global_nbytes(global));
  pl_event_end(device->pl, PL_TOOL_UPLOAD);
  PL_TRY(err);
  device->pl->stats.bytes_to_device += pl_global_nbytes(global);
  device->pl->stats.calls_to_device++;
  global->device_valid = true;
  return PL_SUCCESS;
}

pl_err pl_device_global_download(pl_context *pl, pl_global *global)
{
  pl_device *device = pl_device_of(pl);
  PL_TRY(pl_device_synchronize(device));
  return device->driver->read(device, global->value, global->device, 0, pl_global_nbytes(global));
}

/* ---- arithmetic ---- */

static pl_err formula_kernel(pl_device *device, const pl_formula *f, void **kernel)
{
  const pl_dialect *d = device->dialect;
  bool uses_double = false;
  pl_string text;
  pl_module *module = NULL;
  for (int i = 0; i < f->nargs; i++) uses_double |= pl_type_base(pl_arg_type(&f->arg[i])) == PL_DOUBLE;
  pl_string_init(&text, device->pl);
  pl_print_prelude(&text, d, uses_double);
  pl_formula_print(&text, f, "pl_globals", d->entry_qualifier, d->global);
  pl_err err = pl_module_get(device, "pl_globals", &text, 0, &module);
  if (!err) err = pl_module_kernel(module, "pl_globals", kernel);
  pl_string_free(&text);
  return err;
}

/* One work item computes all values. */
pl_err pl_device_global_compute(pl_context *pl, const pl_formula *f)
{
  pl_device *device = pl_device_of(pl);
  pl_launch_arg args[PL_FORMULA_MOST];
  void *kernel;
  for (int i = 0; i < f->nargs; i++) {
    pl_global *global = f->arg[i].object;
    PL_TRY(f->arg[i].access == PL_WRITE ? pl_device_global_buffer(device, global)
                                        : pl_device_global(device, global));
    args[i] = (pl_launch_arg)PL_LAUNCH_ARG(global->device);
  }
  PL_TRY(formula_kernel(device, f, &kernel));
  return device->driver->launch(device, kernel, pl_grid_of(1, 1), f->nargs, args);
}
