/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions and scans on a device (scan.device.inc): totals of chunks or groups, a scan of the totals, and
 * for scans a second pass over the chunks. Where groups see each other's writes, the last group of a
 * reduction joins the totals, and scans take one pass (look_back.device.inc). Invariant: chunks are whole
 * tiles, groups whole chunks.
 */
#include "device_scan.h"
#include "backends/device/device_data.h"
#include "backends/device/device_globals.h"
#include "backends/device/device_module.h"
#include "codegen/algorithm/reduce_scan.h"
#include "codegen/jit/dump_source.h"
#include "codegen/target/prelude.h"
#include "core/arrays/reduce_scan.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include <string.h>

enum {
  MAX_ARGS = 16,
  TILE = 256,         /* elements of a warp at a time */
  MOST_CHUNKS = 8192, /* as many warps as a large device runs at once */
  MAX_GROUP = 1024    /* work items of pl_prefix */
};

/* A prepared algorithm. */
typedef struct pl_device_scan {
  pl_scan_program program;
  void *totals, *prefix, *scan; /* kernels */
  void *chunks, *last;          /* buffers of items: totals of chunks; the last, and that of lower ranks */
  size_t item_size;
  void *done;       /* of a reduction in one kernel: a counter of its groups, zero between runs */
  int at_once;      /* groups of pl_totals that run at the same time; 0: not known */
  void *look_back;  /* kernel; NULL: the program has none */
  void *reports;    /* its buffer: the tiles drawn so far, then a word for each tile */
  int reports_room; /* tiles that it has room for */
  void *consts;
  uint64_t const_version;
} pl_device_scan;

typedef struct job {
  pl_device *device;
  pl_device_scan *code;
  const pl_scan_call *call;
  int n, each, chunks;
  void *flat[MAX_ARGS]; /* copies in host order of dats in another layout */
} job;

/* ---- preparing ---- */

static pl_err check_device(const pl_device *device, const pl_scan_call *call, const pl_scan_program *program)
{
  bool doubles = program->item == PL_DOUBLE;
  if (call->nargs > MAX_ARGS)
    return pl_fail(device->pl, PL_ERR_ARG, "\"%s\" has %d arguments; at most %d are possible",
                   call->algorithm->name, call->nargs, MAX_ARGS);
  for (int i = 0; i < program->nargs; i++) doubles |= pl_type_base(program->arg[i].type) == PL_DOUBLE;
  if (doubles && !device->has_double)
    return pl_fail(device->pl, PL_ERR_BACKEND, "\"%s\": the device has no double precision; use float",
                   call->algorithm->name);
  return PL_SUCCESS;
}

static pl_err build_scan(pl_device *device, const pl_scan_call *call, pl_device_scan *code)
{
  pl_context *pl = device->pl;
  pl_module *module;
  PL_TRY(pl_scan_program_make(pl, call, device->lane_dialect, &code->program));
  PL_TRY(check_device(device, call, &code->program));
  const char *name = call->algorithm->name;
  PL_TRY(pl_dump_text(pl, name, call->set->node.name, ++pl->next_id, device->lane_dialect->suffix,
                      &code->program.text));
  PL_TRY(pl_module_get(device, name, &code->program.text, 0, &module));
  PL_TRY(pl_module_kernel(module, "pl_totals", &code->totals));
  PL_TRY(pl_module_kernel(module, "pl_prefix", &code->prefix));
  if (call->algorithm->output) PL_TRY(pl_module_kernel(module, "pl_scan", &code->scan));
  return code->program.own ? pl_module_kernel(module, "pl_look_back", &code->look_back) : PL_SUCCESS;
}

/* A reduction has as many groups as run at the same time: a last, partly filled wave would use less of the
 * memory. */
static pl_err count_groups(pl_device *device, const pl_scan_call *call, pl_device_scan *code)
{
  int most;
  if (call->algorithm->output || !device->driver->together) return PL_SUCCESS;
  PL_TRY(device->driver->together(device, code->totals, 32 * pl_block_warps(device->lane_dialect), &most));
  if (most > 1) code->at_once = most;
  return PL_SUCCESS;
}

/* Only the last group of a reduction needs to know that the others are done. */
static pl_err open_counter(pl_device *device, const pl_scan_call *call, pl_device_scan *code)
{
  if (call->algorithm->output || !device->lane_dialect->fence) return PL_SUCCESS;
  PL_TRY(device->driver->alloc(device, sizeof(int), &code->done));
  return device->driver->zero(device, code->done, sizeof(int));
}

static pl_err prepare_scan(pl_context *pl, const pl_scan_call *call, void *prepared)
{
  pl_device *device = pl_device_of(pl);
  pl_device_scan *code = prepared;
  PL_TRY(build_scan(device, call, code));
  code->item_size = pl_scan_item_size(&code->program);
  code->const_version = UINT64_MAX;
  PL_TRY(device->driver->alloc(device, MOST_CHUNKS * code->item_size, &code->chunks));
  PL_TRY(device->driver->alloc(device, 2 * code->item_size, &code->last));
  PL_TRY(count_groups(device, call, code));
  PL_TRY(open_counter(device, call, code));
  if (!code->program.source.const_count) return PL_SUCCESS;
  return device->driver->alloc(device, code->program.source.const_bytes, &code->consts);
}

static void release_scan(pl_context *pl, void *prepared)
{
  const pl_driver *driver = pl_device_of(pl)->driver;
  const pl_device_scan *code = prepared;
  driver->free(pl_device_of(pl), code->chunks);
  driver->free(pl_device_of(pl), code->last);
  driver->free(pl_device_of(pl), code->done);
  driver->free(pl_device_of(pl), code->reports);
  driver->free(pl_device_of(pl), code->consts);
}

static const pl_scan_maker maker = {sizeof(pl_device_scan), prepare_scan, release_scan};

void pl_device_scans_free(pl_device *device)
{
  pl_scans_free(device->pl, &maker, &device->scans);
}

/* ---- data ---- */

static pl_err upload_consts(pl_device *device, pl_device_scan *code)
{
  pl_context *pl = device->pl;
  size_t bytes = code->program.source.const_bytes;
  if (!code->consts || code->const_version == pl->const_version) return PL_SUCCESS;
  void *block = pl_calloc(pl, 1, bytes);
  if (!block) return pl_fail_memory(pl, bytes);
  pl_source_fill_consts(&code->program.source, block);
  pl_err err = device->driver->write(device, code->consts, 0, block, bytes);
  pl_free(pl, block);
  if (!err) code->const_version = pl->const_version;
  return err;
}

/* As an array in host order. */
static pl_err upload_arg(job *j, int i)
{
  const pl_arg *arg = &j->call->args[i];
  if (arg->kind == PL_ARG_GLOBAL) return pl_device_global(j->device, arg->object);
  pl_dat *dat = arg->object;
  PL_TRY(pl_dat_device(dat, true));
  for (int k = 0; k < i; k++)
    if (j->call->args[k].object == dat && j->flat[k]) return PL_SUCCESS;
  return dat->storage.layout.tile == PL_AOS ? PL_SUCCESS : pl_device_flatten(j->device, dat, &j->flat[i]);
}

static const void *array_of(const job *j, int i)
{
  const pl_arg *arg = &j->call->args[i];
  if (arg->kind == PL_ARG_GLOBAL) return &((pl_global *)arg->object)->device;
  for (int k = 0; k <= i; k++)
    if (j->call->args[k].object == arg->object && j->flat[k]) return &j->flat[k];
  return &((pl_dat *)arg->object)->storage.device;
}

static pl_err write_back(job *j, int i)
{
  const pl_arg *arg = &j->call->args[i];
  void **flat = (void **)array_of(j, i);
  if (arg->access == PL_READ) return PL_SUCCESS;
  if (arg->kind == PL_ARG_GLOBAL) {
    pl_global_device_written(arg->object);
    return PL_SUCCESS;
  }
  pl_dat *dat = arg->object;
  if (flat != &dat->storage.device) PL_TRY(pl_device_unflatten(j->device, dat, flat));
  pl_dat_device_written(dat);
  return PL_SUCCESS;
}

/* ---- running ---- */

/* The buffers of kernels, behind the arrays and consts. */
typedef struct buffers {
  void *const *items, *const *last, *const *done;
} buffers;

static pl_err launch_kernel(const job *j, void *kernel, int number, const buffers *b, int groups, int size)
{
  pl_launch_arg arg[MAX_ARGS + 6];
  int n = 0;
  arg[n++] = (pl_launch_arg){sizeof(int), &j->n};
  arg[n++] = (pl_launch_arg){sizeof(int), &number};
  for (int i = 0; i < j->call->nargs; i++) arg[n++] = (pl_launch_arg){sizeof(void *), array_of(j, i)};
  if (j->code->consts) arg[n++] = (pl_launch_arg){sizeof(void *), &j->code->consts};
  arg[n++] = (pl_launch_arg){sizeof(void *), b->items};
  arg[n++] = (pl_launch_arg){sizeof(void *), b->last};
  if (b->done) arg[n++] = (pl_launch_arg){sizeof(void *), b->done};
  return j->device->driver->launch(j->device, kernel, pl_grid_of(groups, size), n, arg);
}

static pl_err launch_chunks(const job *j, void *kernel, void *const *last)
{
  const int w = pl_block_warps(j->device->lane_dialect);
  const buffers b = {&j->code->chunks, last, j->code->done ? &j->code->done : NULL};
  return launch_kernel(j, kernel, j->each, &b, j->chunks / w, w * 32);
}

static pl_err launch_prefix(const job *j, int count, void *const *chunks, void *const *last)
{
  const buffers b = {chunks, last, NULL};
  int size = j->device->max_block < MAX_GROUP ? j->device->max_block : MAX_GROUP;
  while (size > 32 && size / 2 >= count) size /= 2;
  return launch_kernel(j, j->code->prefix, count, &b, 1, size);
}

/* Exclusive scan of the ranks' totals, and the total of all. `all` has room for an item of each rank and two
 * more. */
static pl_err gather_ranks(const job *j, char *all, void **chunks)
{
  pl_device *device = j->device;
  size_t size = j->code->item_size, ranks = (size_t)pl_ranks(device->pl);
  char *mine = all + ranks * size;
  PL_TRY(device->driver->read(device, mine, j->code->last, 0, size));
  PL_TRY(pl_comm_gather(device->pl, mine, size, all));
  PL_TRY(pl_device_copy_in(device, all, ranks * size, chunks));
  PL_TRY(launch_prefix(j, (int)ranks, chunks, &j->code->last));
  PL_TRY(device->driver->read(device, all, *chunks, 0, ranks * size));
  PL_TRY(device->driver->read(device, mine, j->code->last, 0, size));
  memcpy(mine + size, all + (size_t)pl_rank(device->pl) * size, size);
  return device->driver->write(device, j->code->last, 0, mine, 2 * size);
}

static pl_err join_ranks(const job *j)
{
  pl_context *pl = j->device->pl;
  size_t size = j->code->item_size;
  void *chunks = NULL;
  char *all = pl_calloc(pl, (size_t)pl_ranks(pl) + 2, size);
  pl_err err = all ? gather_ranks(j, all, &chunks) : pl_fail_memory(pl, size);
  if (chunks) j->device->driver->free(j->device, chunks);
  pl_free(pl, all);
  return err;
}

/* Of a scan. Of a reduction: `last`, the buffer of its result. */
static pl_err find_totals(const job *j, void *const *last)
{
  const bool scans = j->call->algorithm->output;
  const int groups = j->chunks / pl_block_warps(j->device->lane_dialect);
  PL_TRY(launch_chunks(j, j->code->totals, last));
  return j->code->done ? PL_SUCCESS : launch_prefix(j, scans ? j->chunks : groups, &j->code->chunks, last);
}

static bool is_alone(const job *j)
{
  return j->call->local || pl_ranks(j->device->pl) == 1;
}

/* ---- reductions ---- */

/* On one rank the kernel writes the global itself. */
static pl_err reduce(const job *j)
{
  pl_global *result = j->call->result;
  void **last = &j->code->last;
  if (result) PL_TRY(pl_device_global_buffer(j->device, result));
  if (result && j->code->done && is_alone(j)) last = &result->device;
  PL_TRY(find_totals(j, last));
  if (!is_alone(j)) PL_TRY(join_ranks(j));
  if (!result) return PL_SUCCESS;
  if (last == &j->code->last)
    PL_TRY(j->device->driver->copy(j->device, result->device, *last, j->code->item_size));
  pl_global_device_written(result);
  return PL_SUCCESS;
}

/* ---- scans ---- */

/* A tile's report has at most two words. */
static size_t report_bytes(int tiles)
{
  return (PL_LOOK_BACK_FIRST + 2 * (size_t)tiles) * sizeof(uint64_t);
}

static pl_err make_room(pl_device *device, pl_device_scan *code, int tiles)
{
  if (tiles <= code->reports_room) return PL_SUCCESS;
  device->driver->free(device, code->reports);
  code->reports = NULL;
  code->reports_room = 0;
  PL_TRY(device->driver->alloc(device, report_bytes(tiles), &code->reports));
  code->reports_room = tiles;
  return PL_SUCCESS;
}

static pl_err look_back(const job *j)
{
  pl_device_scan *code = j->code;
  const int size = 32 * PL_LOOK_BACK_WARPS, tile = size * code->program.own;
  const int tiles = j->n > tile ? (j->n - 1) / tile + 1 : 1;
  const buffers b = {&code->reports, &code->last, NULL};
  PL_TRY(make_room(j->device, code, tiles));
  PL_TRY(j->device->driver->zero(j->device, code->reports, report_bytes(tiles)));
  return launch_kernel(j, code->look_back, tiles, &b, tiles, size);
}

static pl_err take_passes(const job *j)
{
  PL_TRY(find_totals(j, &j->code->last));
  if (!is_alone(j)) PL_TRY(join_ranks(j));
  return launch_chunks(j, j->code->scan, &j->code->last);
}

static pl_err scan(job *j)
{
  PL_TRY(j->code->look_back && is_alone(j) ? look_back(j) : take_passes(j));
  for (int i = 0; i < j->call->nargs; i++) PL_TRY(write_back(j, i));
  return PL_SUCCESS;
}

static pl_err run_job(job *j)
{
  for (int i = 0; i < j->call->nargs; i++) PL_TRY(upload_arg(j, i));
  return j->call->algorithm->output ? scan(j) : reduce(j);
}

static void choose_chunks(job *j)
{
  int tiles = (int)(((int64_t)j->n + TILE - 1) / TILE), w = pl_block_warps(j->device->lane_dialect);
  int most = j->code->at_once * w;
  if (most < 1 || most > MOST_CHUNKS) most = MOST_CHUNKS;
  j->each = tiles / most + (tiles % most > 0);
  if (j->each < 1) j->each = 1;
  int chunks = tiles / j->each + (tiles % j->each > 0);
  j->chunks = (chunks > 0 ? chunks + w - 1 : w) / w * w;
}

pl_err pl_device_scan_items(pl_context *pl, const pl_scan_call *call, void *last)
{
  pl_device *device = pl_device_of(pl);
  job j = {.device = device, .call = call, .n = call->set->end[1]};
  void *prepared;
  PL_TRY(pl_scan_get(pl, &maker, &device->scans, call, &prepared));
  j.code = prepared;
  PL_TRY(upload_consts(device, j.code));
  choose_chunks(&j);
  pl_err err = run_job(&j);
  for (int i = 0; i < call->nargs; i++)
    if (j.flat[i]) device->driver->free(device, j.flat[i]);
  return err || !last ? err : device->driver->read(device, last, j.code->last, 0, j.code->item_size);
}

pl_err pl_device_scan_run(pl_context *pl, const pl_scan_call *call)
{
  return pl_device_scan_items(pl, call, NULL);
}
