/* SPDX-License-Identifier: BSD-2-Clause
 * Devices with streams: the libraries, errors, the choice of the device. Invariant: the runtime is never
 * unmapped, since its threads may outlive a context.
 */
#include "gpu_runtime.h"
#include "backends/device_loop/device_open.h"
#include "core/context/context.h"
#include "core/context/memory.h"
#include "core/threads/background.h"
#include "core/tools/tools.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening the libraries ---- */

static void open_libraries(pl_gpu *g)
{
  for (int l = 0; l < 2; l++)
    for (const char *const *name = g->kind->libraries[l]; *name && !g->library[l]; name++)
      g->library[l] = dlopen(*name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static void close_libraries(pl_gpu *g)
{
  for (int l = 0; l < 2; l++)
    if (g->library[l]) dlclose(g->library[l]);
}

/* False if a function is missing. */
static bool load_functions(pl_gpu *g)
{
  bool all = g->library[0] && g->library[1];
  for (const pl_gpu_function *f = g->kind->functions; all && f->name; f++) {
    void *function = dlsym(g->library[f->compiler], f->name);
    memcpy((char *)g + f->place, &function, sizeof function);
    all = function != NULL;
  }
  return all;
}

static bool finds_device(pl_gpu *g)
{
  int n = 0;
  return !g->init(0) && !g->device_count(&n) && n > 0;
}

const char *pl_gpu_unavailable(const pl_gpu_kind *kind)
{
  pl_gpu g = {.kind = kind};
  open_libraries(&g);
  const char *why = !g.library[0]                             ? kind->no_runtime
                    : !g.library[1]                           ? kind->no_compiler
                    : load_functions(&g) && !finds_device(&g) ? kind->no_device
                                                              : NULL;
  close_libraries(&g);
  return why;
}

static pl_err connect_libraries(pl_device *device, pl_gpu *g)
{
  snprintf(device->name, sizeof device->name, "?");
  open_libraries(g);
  if (!load_functions(g))
    return pl_fail(device->pl, PL_ERR_BACKEND, "%s: its library or %s is missing or too old", g->kind->name,
                   g->kind->compiler);
  return GPU_CALL(init, "starting", 0);
}

/* ---- errors ---- */

pl_err pl_gpu_check(pl_device *device, int result, const char *doing)
{
  const pl_gpu *g = device->dev;
  const pl_gpu_remedy *remedy = g->kind->remedies;
  const char *text = NULL;
  if (g->start_result) result = g->start_result, doing = g->start_doing;
  if (!result) return PL_SUCCESS;
  while (remedy->text && remedy->result != result) remedy++;
  if (g->error_string)
    g->error_string(result, &text);
  else
    text = g->error_text(result);
  return pl_fail(device->pl, result == g->kind->out_of_memory ? PL_ERR_MEMORY : PL_ERR_BACKEND,
                 "%s device %s: %s: %s (error %d)%s", g->kind->name, device->name, doing,
                 text ? text : "unknown error", result, remedy->text ? remedy->text : "");
}

/* ---- choosing the device ---- */

/* By option device (a number or part of a name) or, without it, by local rank; -1: none is such. */
static int choose_device(pl_device *device, pl_gpu *g)
{
  const char *asked = pl_opt(device->pl, PL_OPT_DEVICE);
  char name[128], *end;
  int n = 0;
  g->device_count(&n);
  if (!*asked) return pl_device_local_rank() % n;
  long number = strtol(asked, &end, 10);
  if (!*end && number >= 0 && number < n) return (int)number;
  for (int i = 0; i < n && *end; i++)
    if (!g->device_name(name, sizeof name, i) && strstr(name, asked)) return i;
  return -1;
}

static int attribute(const pl_gpu *g, int which)
{
  int value = 0;
  g->device_attribute(&value, which, g->device);
  return value;
}

/* The address on the PCI bus is the same in all processes. */
static pl_err describe_device(pl_device *device, pl_gpu *g)
{
  const pl_gpu_kind *kind = g->kind;
  g->device_name(device->name, sizeof device->name, g->device);
  device->max_block = attribute(g, kind->max_block);
  device->max_shared = (size_t)attribute(g, kind->max_shared);
  device->units = attribute(g, kind->units);
  device->machine_index =
    attribute(g, kind->pci[0]) << 16 | attribute(g, kind->pci[1]) << 8 | attribute(g, kind->pci[2]);
  device->has_double = true;
  device->shared_memory_kind = PL_SHARES_DEVICE;
  return kind->describe(device, g);
}

pl_err pl_gpu_device_at(pl_context *pl, const pl_gpu_kind *kind, int index, pl_device_info *info)
{
  pl_gpu gpu = {.kind = kind}, *g = &gpu;
  pl_device only = {.pl = pl, .dev = g}, *device = &only;
  int n = 0;
  pl_err err = connect_libraries(device, g);
  if (!err) err = GPU_CALL(device_count, "counting devices", &n);
  if (!err && (index < 0 || index >= n))
    err = pl_fail(pl, PL_ERR_RANGE, "%s device %d: there are %d devices", kind->name, index, n);
  if (!err) err = GPU_CALL(device_get, "opening the device", &g->device, index);
  if (!err) err = describe_device(device, g);
  if (!err) {
    pl_device_describe(device, info);
    snprintf(info->number, sizeof info->number, "%d", index);
  }
  close_libraries(g);
  return err;
}

/* ---- opening and closing ---- */

static pl_err find_device(pl_device *device, pl_gpu *g)
{
  PL_TRY(connect_libraries(device, g));
  int number = choose_device(device, g);
  if (number < 0) return pl_device_unknown(device, g->kind->name);
  snprintf(device->number, sizeof device->number, "%d", number);
  PL_TRY(GPU_CALL(device_get, "opening the device", &g->device, number));
  return describe_device(device, g);
}

/* What takes longest. In a thread that uses neither the plait context nor its memory. */
static void *create_context(void *argument)
{
  pl_gpu *g = argument;
  g->start_doing = "creating a context";
  if (g->context_retain) g->start_result = g->context_retain(&g->context, g->device);
  if (g->start_result) return NULL;
  g->start_doing = "creating a stream";
  pl_gpu_use(g);
  g->start_result = g->stream_new(&g->first, PL_GPU_NON_BLOCKING, 0);
  g->stream = g->first;
  return NULL;
}

void pl_gpu_join(pl_device *device)
{
  pl_gpu *g = device->dev;
  pl_event_begin(device->pl, PL_TOOL_PLAN, "wait for the device", "", 0);
  pthread_join(g->starter, NULL);
  pl_event_end(device->pl, PL_TOOL_PLAN);
  g->starting = false;
}

void pl_gpu_close(pl_device *device)
{
  pl_gpu *g = device->dev;
  if (!g) return;
  if (g->starting) pl_gpu_join(device);
  if (g->first) pl_gpu_current(device)->stream_free(g->first);
  if (g->context) g->context_release(g->device);
  close_libraries(g);
  pl_free(device->pl, g);
  device->dev = NULL;
}

pl_err pl_gpu_open(pl_device *device, const pl_gpu_kind *kind)
{
  pl_gpu *g = device->dev = pl_calloc(device->pl, 1, sizeof *g);
  if (!g) return pl_fail_memory(device->pl, sizeof *g);
  g->kind = kind;
  pl_err err = find_device(device, g);
  if (err) {
    pl_gpu_close(device);
    return err;
  }
  g->starting = pl_background_start(&g->starter, create_context, g);
  if (!g->starting) create_context(g);
  return PL_SUCCESS;
}

pl_err pl_gpu_sync(pl_device *device)
{
  return pl_gpu_check(device, pl_gpu_current(device)->synchronize(), "waiting for the device");
}
