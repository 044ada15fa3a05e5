/* SPDX-License-Identifier: BSD-2-Clause
 * Arguments of a loop's kernels, and launches. Invariant: values are passed by the lists of parameters from
 * which the kernels were printed.
 */
#include "kernel_args.h"
#include "backends/device_strategy/strategy_buffers.h"
#include "core/exchange/halo.h"
#include "core/loop/arg.h"
#include "core/loop/loop.h"
#include "core/particles/pair_map.h"

pl_err pl_check_arguments(const pl_device_code *code, const pl_strategy *s)
{
  const pl_param_list *const lists[] = {&s->program.run, &s->program.sum, &s->program.finish};
  for (int k = 0; k < 3; k++)
    if (lists[k]->n > PL_MAX_KERNEL_ARGS)
      return pl_fail(code->loop->pl, PL_ERR_RANGE,
                     "loop \"%s\" needs %d kernel parameters; a device takes at most %d",
                     pl_loop_title(code->loop), lists[k]->n, PL_MAX_KERNEL_ARGS);
  return PL_SUCCESS;
}

/* ---- values ---- */

/* NULL: the slot belongs to no pair list. */
static void *const *pair_buffer(const pl_map *map, pl_param_kind kind)
{
  switch (kind) {
  case PL_SLOT_PAIR_ROW:
    return map->pair_map ? &map->pairs->device->row.at : &map->device_offset;
  case PL_SLOT_PAIR_ENTRY:
    return map->pair_map ? &map->pairs->device->entry.at : &map->device;
  case PL_SLOT_PAIR_RECORD:
    return &map->pairs->device->record.at;
  case PL_SLOT_PAIR_CUTOFF:
    return &map->pairs->device->cutoff.at;
  case PL_SLOT_PAIR_OWNER:
    return &map->pairs->device->owner.at;
  case PL_SLOT_PAIR_COUNT:
    return &map->pairs->device->count.at;
  case PL_SLOT_PAIR_STALE:
    return &map->pairs->device->state.at;
  default:
    return NULL;
  }
}

/* NULL: the slot is no buffer of the loop's arguments and set. */
static void *const *slot_buffer(pl_device_code *code, const pl_param_slot *slot)
{
  const pl_arg *arg = slot->arg >= 0 ? &code->loop->args[slot->arg] : NULL;
  switch (slot->kind) {
  case PL_SLOT_DAT:
    return &((pl_dat *)arg->object)->storage.device;
  case PL_SLOT_MAP:
    return &arg->map->device;
  case PL_SLOT_NARROW:
    return &arg->map->device_narrow;
  case PL_SLOT_BASE:
    return &arg->map->device_base;
  case PL_SLOT_OFFSET:
    return &arg->map->device_offset;
  case PL_SLOT_VALUE:
    if (arg->kind == PL_ARG_CONST) return &code->const_values[slot->arg];
    return &((pl_global *)arg->object)->device;
  case PL_SLOT_GLOBAL:
    return &((pl_global *)arg->object)->device;
  case PL_SLOT_GLOBAL_INDEX:
    return &pl_arg_numbered(code->loop, slot->arg)->global_device;
  case PL_SLOT_BLOCKS:
    return &code->loop->blocks->device;
  case PL_SLOT_SUBSET:
    return &code->loop->set->device;
  default:
    return pair_buffer(code->loop->set->pairs, slot->kind);
  }
}

/* NULL: the slot is no number that the launch or a dat knows. */
static const int *slot_number(const pl_device_code *code, const pl_work *work, const pl_param_slot *slot)
{
  switch (slot->kind) {
  case PL_SLOT_BEGIN:
    return &work->run.begin;
  case PL_SLOT_END:
    return &work->run.end;
  case PL_SLOT_TURN:
    return &work->turn;
  case PL_SLOT_SINGLE:
    return &work->single;
  case PL_SLOT_NBLOCKS:
    return &work->blocks;
  case PL_SLOT_FIRST_BLOCK:
    return &work->first;
  case PL_SLOT_FROM_ZERO:
    return &work->from_zero;
  case PL_SLOT_PAIR_STRIDE:
    return &code->loop->set->pairs->pairs->device->stride;
  case PL_SLOT_STRIDE:
    return &((pl_dat *)code->loop->args[slot->arg].object)->storage.room;
  default:
    return NULL;
  }
}

/* A range without elements has no values, and no launch. */
static pl_launch_arg own_value(const pl_strategy *s, const pl_work *work, const pl_param_slot *slot)
{
  static const pl_strategy_value none;
  const pl_strategy_value *own = pl_strategy_find(s, work->number, slot->kind, slot->arg);
  if (!own || (slot->kind == PL_SLOT_COUNTER && !work->reduces)) own = &none;
  if (slot->kind == PL_SLOT_STAGE_START || slot->kind == PL_SLOT_ROW_STRIDE)
    return (pl_launch_arg){sizeof own->number, &own->number};
  return (pl_launch_arg){sizeof own->buffer, &own->buffer};
}

static pl_launch_arg slot_value(pl_device_code *code, const pl_strategy *s, const pl_work *work,
                                const pl_param_slot *slot)
{
  const int *number = slot_number(code, work, slot);
  void *const *buffer = slot_buffer(code, slot);
  if (number) return (pl_launch_arg){sizeof *number, number};
  if (buffer) return (pl_launch_arg){sizeof *buffer, buffer};
  if (slot->kind != PL_SLOT_CONSTS) return own_value(s, work, slot);
  if (code->consts) return (pl_launch_arg){sizeof code->consts, &code->consts};
  return (pl_launch_arg){s->program.source.const_bytes, code->host_consts};
}

void pl_push_arguments(pl_kernel_args *args, pl_device_code *code, const pl_strategy *s, const pl_work *work,
                       const pl_param_list *list)
{
  for (args->n = 0; args->n < list->n; args->n++)
    args->arg[args->n] = slot_value(code, s, work, &list->slot[args->n]);
}

/* ---- launches ---- */

/* All of these kernels begin with the dialect's statement `wait`. */
static pl_err launch(pl_device *device, void *kernel, pl_grid grid, const pl_kernel_args *args)
{
  grid.waits = 1;
  return device->driver->launch(device, kernel, grid, args->n, args->arg);
}

/* A block that runs the elements of several keeps its place on a multiprocessor until the launch ends. During
 * an exchange, the last elements have blocks of their own, LAST for each place, so that the kernels of the
 * exchange find room before the end. A launch of FEW blocks for each place is too short for that. */
enum { LAST = 3, FEW = 16 };

static int count_blocks(const pl_device *device, const pl_strategy *s, pl_work *work)
{
  const bool busy = pl_halo_busy(device->pl);
  work->single = 0;
  if (s->resident <= 1 || work->blocks <= s->resident * (busy ? FEW : 1)) return work->blocks;
  work->single = busy ? LAST * s->resident : 0;
  return s->resident + work->single;
}

pl_err pl_launch_blocks(pl_device *device, const pl_strategy *s, pl_work *work, const pl_kernel_args *args)
{
  if (s->options.full_blocks && (work->run.end - work->run.begin) % s->options.block_size)
    return pl_fail(device->pl, PL_ERR_INTERNAL, "loop \"%s\": a block is not full", pl_loop_title(s->loop));
  if (!work->blocks) return PL_SUCCESS;
  pl_grid grid = pl_grid_of(count_blocks(device, s, work), s->options.block_size);
  grid.shared = (int)s->range[work->number].shared;
  return launch(device, s->run, grid, args);
}

pl_err pl_launch_sum(pl_device *device, pl_device_code *code, const pl_strategy *s)
{
  const pl_work work = {.run = {0, s->ntargets}};
  const pl_grid grid = pl_grid_of(pl_strategy_blocks(s, s->ntargets), s->options.block_size);
  pl_kernel_args args;
  pl_push_arguments(&args, code, s, &work, &s->program.sum);
  return grid.blocks ? launch(device, s->sum, grid, &args) : PL_SUCCESS;
}

pl_err pl_launch_finish(pl_device *device, pl_device_code *code, const pl_strategy *s,
                        const pl_loop_range *range)
{
  const pl_work work = {.blocks = pl_strategy_results(s, range),
                        .from_zero = code->starts_from_zero | (range->begin ? 0 : INT32_MIN)};
  pl_kernel_args args;
  pl_push_arguments(&args, code, s, &work, &s->program.finish);
  return launch(device, s->finish, pl_grid_of(1, s->program.finish_size), &args);
}
