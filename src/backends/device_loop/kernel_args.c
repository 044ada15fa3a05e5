/* SPDX-License-Identifier: BSD-2-Clause
 * Arguments of a loop's kernels, and launches. Invariant: the order of the push functions is that of the
 * parameters in codegen/device: run, strategy, subset, end of reductions, slots.
 */
#include "kernel_args.h"
#include "codegen/emit/loop_program.h"
#include "core/loop/arg.h"
#include "core/loop/loop.h"
#include "core/loop/reduction.h"
#include "core/particles/pair_map.h"

/* ---- counting ---- */

/* As pl_push_arguments pushes them. */
static int count_arguments(const pl_device_code *code, const pl_strategy *s)
{
  const pl_loop *loop = code->loop;
  const pl_strategy_range *range = &s->range[0];
  int n = 2 + (range->plan != NULL) + range->nbuffers + range->noffsets + (s->options.entry_words != 0) +
          s->program.nslots + (loop->set->indices != NULL) + 2 * s->options.ends_reductions;
  for (int i = 0; i < loop->nargs; i++) {
    n += s->contribution && s->contribution[i];
    n += s->options.ends_reductions && pl_arg_reduces(&loop->args[i]);
  }
  return n;
}

static pl_err check_count(const pl_loop *loop, int n)
{
  if (n <= PL_MAX_KERNEL_ARGS) return PL_SUCCESS;
  return pl_fail(loop->pl, PL_ERR_RANGE, "loop \"%s\" needs %d kernel parameters; a device takes at most %d",
                 pl_loop_title(loop), n, PL_MAX_KERNEL_ARGS);
}

pl_err pl_check_arguments(const pl_device_code *code, const pl_strategy *s)
{
  return check_count(code->loop, count_arguments(code, s));
}

/* ---- pushing ---- */

static void push_bytes(pl_kernel_args *args, size_t size, const void *value)
{
  if (args->n < PL_MAX_KERNEL_ARGS) args->arg[args->n] = (pl_launch_arg){size, value};
  args->n++;
}

static void push_int(pl_kernel_args *args, const int *value)
{
  push_bytes(args, sizeof *value, value);
}

static void push_buffer(pl_kernel_args *args, void *const *buffer)
{
  push_bytes(args, sizeof *buffer, buffer);
}

static void *const *global_buffer(const pl_arg *arg)
{
  return &((pl_global *)arg->object)->device;
}

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

/* NULL: the slot is no buffer. */
static void *const *slot_buffer(pl_device_code *code, pl_strategy *s, const pl_param_slot *slot)
{
  const pl_arg *arg = slot->arg >= 0 ? &code->loop->args[slot->arg] : NULL;
  switch (slot->kind) {
  case PL_SLOT_DAT:
    return &((pl_dat *)arg->object)->storage.device;
  case PL_SLOT_STRIDE:
    return NULL;
  case PL_SLOT_MAP:
    return &arg->map->device;
  case PL_SLOT_OFFSET:
    return &arg->map->device_offset;
  case PL_SLOT_VALUE:
    return arg->kind == PL_ARG_CONST ? &code->const_values[slot->arg] : global_buffer(arg);
  case PL_SLOT_GLOBAL_INDEX:
    return &pl_arg_numbered(code->loop, slot->arg)->global_device;
  case PL_SLOT_RESULT:
    return &s->partial[slot->arg];
  case PL_SLOT_ARG_ELEMENT:
    return &s->partial_element[slot->arg];
  case PL_SLOT_BLOCKS:
    return &code->loop->blocks->device;
  default:
    return code->consts ? &code->consts : NULL;
  }
}

static void push_slot(pl_kernel_args *args, pl_device_code *code, pl_strategy *s, const pl_param_slot *slot)
{
  void *const *buffer = pair_buffer(code->loop->set->pairs, slot->kind);
  if (!buffer) buffer = slot_buffer(code, s, slot);
  if (buffer)
    push_buffer(args, buffer);
  else if (slot->kind == PL_SLOT_STRIDE)
    push_int(args, &((pl_dat *)code->loop->args[slot->arg].object)->storage.room);
  else
    push_bytes(args, s->program.source.const_bytes, code->host_consts);
}

static void push_strategy(pl_kernel_args *args, pl_strategy *s, const pl_work *work)
{
  const pl_strategy_range *range = &s->range[work->number];
  if (work->plan) push_int(args, &work->first);
  for (int i = 0; s->options.conflict != PL_STORED && i < range->nbuffers; i++)
    push_buffer(args, &range->buffer[i]);
  for (int i = 0; i < range->noffsets; i++) push_int(args, &range->offset[i]);
  if (s->options.entry_words) push_int(args, &s->row_stride);
  for (int i = 0; s->contribution && i < s->loop->nargs; i++)
    if (s->contribution[i]) push_buffer(args, &s->contribution[i]);
}

/* For the last block, which ends the reductions. */
static void push_reductions(pl_kernel_args *args, pl_device_code *code, const pl_strategy *s, bool reduces)
{
  static void *const none = NULL;
  const pl_loop *loop = code->loop;
  if (!s->options.ends_reductions) return;
  push_buffer(args, reduces ? &s->block_counter : &none);
  push_int(args, &code->starts_from_zero);
  for (int i = 0; i < loop->nargs; i++)
    if (pl_arg_reduces(&loop->args[i])) push_buffer(args, global_buffer(&loop->args[i]));
}

void pl_push_arguments(pl_kernel_args *args, pl_device_code *code, pl_strategy *s, const pl_work *work)
{
  push_int(args, &work->run.begin);
  push_int(args, &work->run.end);
  push_strategy(args, s, work);
  if (code->loop->set->indices && s->options.conflict != PL_GATHER)
    push_buffer(args, &code->loop->set->device);
  push_reductions(args, code, s, work->reduces);
  for (int k = 0; k < s->program.nslots; k++) push_slot(args, code, s, &s->program.slot[k]);
}

/* ---- launches ---- */

static pl_err launch_kernel(pl_device *device, const pl_strategy *s, void *kernel, int blocks, int size,
                            size_t shared, const pl_kernel_args *args)
{
  if (!blocks) return PL_SUCCESS;
  PL_TRY(check_count(s->loop, args->n));
  return device->driver->launch(device, kernel, blocks, size, shared, args->n, args->arg);
}

pl_err pl_launch_blocks(pl_device *device, const pl_strategy *s, const pl_work *work,
                        const pl_kernel_args *args)
{
  if (s->options.full_blocks && (work->run.end - work->run.begin) % s->options.block_size)
    return pl_fail(device->pl, PL_ERR_INTERNAL, "loop \"%s\": a block is not full", pl_loop_title(s->loop));
  return launch_kernel(device, s, s->run, work->blocks, s->options.block_size, s->range[work->number].shared,
                       args);
}

pl_err pl_launch_sum(pl_device *device, pl_strategy *s)
{
  const int begin = 0;
  const pl_loop *loop = s->loop;
  pl_kernel_args args = {0};
  push_int(&args, &begin);
  push_int(&args, &s->ntargets);
  for (int i = 0; i < s->range[0].nbuffers; i++) push_buffer(&args, &s->range[0].buffer[i]);
  for (int i = 0; i < loop->nargs; i++)
    if (s->contribution[i]) push_buffer(&args, &s->contribution[i]);
  for (int i = 0; i < loop->nargs; i++) {
    pl_dat *dat = loop->args[i].object;
    if (!s->contribution[i]) continue;
    push_buffer(&args, &dat->storage.device);
    if (pl_loop_text_strides(&s->program, i)) push_int(&args, &dat->storage.room);
  }
  return launch_kernel(device, s, s->sum, pl_strategy_blocks(s, s->ntargets), s->options.block_size, 0,
                       &args);
}

pl_err pl_launch_finish(pl_device *device, pl_device_code *code, pl_strategy *s, const pl_loop_range *range)
{
  const pl_loop *loop = code->loop;
  int blocks = pl_strategy_results(s, range),
      starts_from_zero = code->starts_from_zero | (range->begin ? 0 : INT32_MIN);
  pl_kernel_args args = {0};
  push_int(&args, &blocks);
  push_int(&args, &starts_from_zero);
  for (int i = 0; i < loop->nargs; i++) {
    if (!pl_arg_reduces(&loop->args[i])) continue;
    push_buffer(&args, &s->partial[i]);
    push_buffer(&args, global_buffer(&loop->args[i]));
    if (!s->partial_element[i]) continue;
    push_buffer(&args, &s->partial_element[i]);
    push_buffer(&args, &s->winner[i]);
  }
  return launch_kernel(device, s, s->finish, 1, s->program.finish_size, 0, &args);
}
