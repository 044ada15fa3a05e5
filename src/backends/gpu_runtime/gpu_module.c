/* SPDX-License-Identifier: BSD-2-Clause
 * Devices with streams: compilation, modules and launches.
 */
#include "gpu_runtime.h"
#include "core/data/objects.h"
#include <string.h>

/* NVRTC writes FILE(LINE): instead of FILE:LINE:. */
static void convert_positions(char *log)
{
  for (char *open = log; (open = strchr(open, '(')); open++) {
    size_t digits = strspn(open + 1, "0123456789");
    if (!digits || strncmp(open + 1 + digits, "):", 2)) continue;
    *open = ':';
    memmove(open + 1 + digits, open + 2 + digits, strlen(open + 2 + digits) + 1);
  }
}

static pl_err compile_error(pl_device *device, const char *label, void *program)
{
  pl_gpu *g = device->dev;
  size_t size = 0;
  g->log_size(program, &size);
  char *log = pl_calloc(device->pl, size + 1, 1);
  if (log) g->log(program, log);
  if (log) convert_positions(log);
  pl_err err =
    pl_fail(device->pl, PL_ERR_COMPILE, "kernel \"%s\" could not be compiled by %s (%s):\n%.2000s%s", label,
            g->kind->compiler, g->arch, log ? log : "", pl_kernel_hint(log ? log : ""));
  pl_free(device->pl, log);
  return err;
}

static pl_err get_code(pl_device *device, void *program, pl_string *binary)
{
  pl_gpu *g = device->dev;
  size_t size = 0;
  if (g->code_size(program, &size))
    return pl_fail(device->pl, PL_ERR_COMPILE, "%s produced no binary for %s", g->kind->compiler, g->arch);
  char *bytes = pl_malloc(device->pl, size);
  if (!bytes) return pl_fail_memory(device->pl, size);
  g->code(program, bytes);
  pl_string_add_bytes(binary, bytes, size);
  pl_free(device->pl, bytes);
  return pl_string_check(binary);
}

enum { MOST_FLAGS = 6 };

/* A text to be compiled, with its flags. */
typedef struct gpu_program {
  void *program;
  int nflags;
  const char *flags[MOST_FLAGS];
  char registers[40];
} gpu_program;

static void add_flags(const pl_device *device, int registers, gpu_program *p)
{
  const pl_gpu *g = device->dev;
  const bool contracts = !pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE);
  const char *flags[] = {g->arch, "-std=c++17", g->kind->quiet,
                         contracts ? g->kind->contract : g->kind->no_contract};
  memcpy(p->flags, flags, sizeof flags);
  p->nflags = sizeof flags / sizeof *flags;
  if (g->kind->unqualified) p->flags[p->nflags++] = g->kind->unqualified;
  if (!registers) return;
  snprintf(p->registers, sizeof p->registers, "--maxrregcount=%d", registers);
  p->flags[p->nflags++] = p->registers;
}

pl_err pl_gpu_build_new(pl_device *device, const char *label, const char *text, int registers, void **program)
{
  pl_gpu *g = device->dev;
  gpu_program *p = *program = pl_calloc(device->pl, 1, sizeof *p);
  if (!p) return pl_fail_memory(device->pl, sizeof *p);
  add_flags(device, registers, p);
  const int result = g->program_new(&p->program, text, label, 0, NULL, NULL);
  if (!result) return PL_SUCCESS;
  pl_free(device->pl, p);
  *program = NULL;
  return pl_fail(device->pl, PL_ERR_COMPILE, "%s: error %d in creating a program", g->kind->compiler, result);
}

int pl_gpu_build_run(pl_device *device, void *program)
{
  const gpu_program *p = program;
  return ((const pl_gpu *)device->dev)->program_compile(p->program, p->nflags, p->flags);
}

pl_err pl_gpu_build_end(pl_device *device, const char *label, const char *text, void *program, int result,
                        pl_string *binary)
{
  (void)text;
  const gpu_program *p = program;
  return result ? compile_error(device, label, p->program) : get_code(device, p->program, binary);
}

void pl_gpu_build_free(pl_device *device, void *program)
{
  gpu_program *p = program;
  ((pl_gpu *)device->dev)->program_free(&p->program);
  pl_free(device->pl, p);
}

/* Everything is fixed in the binary. */
pl_err pl_gpu_load(pl_device *device, const char *label, const char *text, int registers,
                   const pl_string *binary, void **module)
{
  (void)label;
  (void)text;
  (void)registers;
  return GPU_FLUSHED(module_load, "loading code", module, binary->data);
}

void pl_gpu_unload(pl_device *device, void *module)
{
  pl_gpu_current(device)->module_free(module);
}

pl_err pl_gpu_kernel(pl_device *device, void *module, const char *name, void **result)
{
  return GPU_FLUSHED(module_function, "finding a kernel", result, module, name);
}

pl_err pl_gpu_limit(pl_device *device, void *function, int *block)
{
  return GPU_FLUSHED(function_attribute, "querying a kernel's limits", block, PL_GPU_KERNEL_MAX_BLOCK,
                     function);
}

size_t pl_gpu_private_bytes(pl_device *device, void *kernel)
{
  int bytes = 0;
  pl_gpu_current(device)->function_attribute(&bytes, PL_GPU_KERNEL_PRIVATE, kernel);
  return (size_t)bytes;
}

enum { MAX_ARGS = 128 };

/* The kernel's own arrays count too. */
static pl_err request_shared(pl_device *device, void *function, int shared)
{
  pl_gpu *g = pl_gpu_current(device);
  int own = 0;
  if (!g->function_set) return PL_SUCCESS;
  g->function_attribute(&own, PL_GPU_KERNEL_SHARED, function);
  if ((size_t)(shared + own) <= g->kind->free_shared) return PL_SUCCESS;
  return GPU_CALL(function_set, "requesting shared memory", function, PL_GPU_KERNEL_MAX_SHARED, shared);
}

static pl_err take_arguments(pl_device *device, int nargs, const pl_launch_arg *args, void **values)
{
  const pl_gpu *g = device->dev;
  if (nargs > MAX_ARGS)
    return pl_fail(device->pl, PL_ERR_RANGE, "%s: a kernel has %d parameters; at most %d are possible",
                   g->kind->name, nargs, MAX_ARGS);
  for (int i = 0; i < nargs; i++) values[i] = (void *)args[i].value;
  return PL_SUCCESS;
}

/* Kernels of more blocks gain nothing from an early start. Between kernels of fewer blocks the device waits
 * for the host anyway. */
enum { FEW_EARLY = 128, MOST_EARLY = 1 << 15 /* blocks */ };

/* The only place that starts a kernel early, while the one before it in the stream ends. It must begin with
 * the dialect's `wait`, and the work before it must be a kernel; see docs/internals/backends/gpu_runtime.md
 * for why this is safe. */
static bool starts_early(const pl_gpu *g, pl_grid grid, int before)
{
  return grid.waits && g->early_function && before && grid.blocks <= MOST_EARLY &&
         (before >= FEW_EARLY || grid.blocks >= FEW_EARLY);
}

pl_err pl_gpu_launch(pl_device *device, void *function, pl_grid grid, int nargs, const pl_launch_arg *args)
{
  void *values[MAX_ARGS];
  if (pl_replay_launch(device, function, grid, nargs, args)) return PL_SUCCESS;
  const int before = ((const pl_gpu *)device->dev)->blocks_before;
  pl_gpu *g = pl_gpu_enter(device);
  PL_TRY(take_arguments(device, nargs, args, values));
  if (grid.shared) PL_TRY(request_shared(device, function, grid.shared));
  const int result = starts_early(g, grid, before)
                       ? g->kind->launch_early(g, function, grid, values)
                       : g->launch(function, (unsigned)grid.blocks, 1, 1, (unsigned)grid.block_size, 1, 1,
                                   (unsigned)grid.shared, g->stream, values, NULL);
  if (!result) g->blocks_before = grid.blocks;
  return pl_gpu_check(device, result, "launching a kernel");
}

/* ---- blocks that wait for each other ---- */

pl_err pl_gpu_together(pl_device *device, void *function, int block_size, int *most)
{
  pl_gpu *g = pl_gpu_current(device);
  int each = 0;
  *most = 1;
  if (!g->waits_together) return PL_SUCCESS;
  PL_TRY(GPU_CALL(unit_blocks, "querying a kernel's limits", &each, function, block_size, 0));
  if (each) *most = each * device->units;
  return PL_SUCCESS;
}

pl_err pl_gpu_launch_together(pl_device *device, void *function, pl_grid grid, int nargs,
                              const pl_launch_arg *args)
{
  void *values[MAX_ARGS];
  pl_gpu *g = pl_gpu_current(device);
  PL_TRY(take_arguments(device, nargs, args, values));
  return GPU_CALL(launch_together, "launching a kernel whose blocks wait for each other", function,
                  (unsigned)grid.blocks, 1, 1, (unsigned)grid.block_size, 1, 1, 0, g->stream, values);
}
