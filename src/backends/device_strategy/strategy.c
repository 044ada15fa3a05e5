/* SPDX-License-Identifier: BSD-2-Clause
 * Making a strategy: block size, plans, text, kernels and buffers for results. Invariant: options are final
 * before the text is printed.
 */
#include "strategy.h"
#include "strategy_buffers.h"
#include "strategy_combine.h"
#include "strategy_gather.h"
#include "strategy_stage.h"
#include "backends/device/device_module.h"
#include "codegen/emit/loop_program.h"
#include "codegen/jit/dump_source.h"
#include "core/base/clock.h"
#include "core/loop/loop.h"
#include "core/loop/reduction.h"
#include "core/particles/pair_map.h"
#include "plan/execution/narrow_rows.h"
#include "plan/execution/row_records.h"

enum {
  BLOCK = 128,           /* elements of a block */
  SMALL_BLOCK = 64,      /* if there are fewer blocks than units, or work items need many registers */
  SHARED_BLOCK = 256,    /* with local memory; halved until that suffices */
  REGISTERS = 64,        /* of a work item: enough occupancy to hide memory latency */
  MOST_REGISTERS = 128,  /* still enough for kernels that compute much */
  UNLIMITED_BLOCK = 256, /* a block of this size runs with any number of registers */
  UNIT_ITEMS = 1024,     /* work items of a unit in loops with results */
  /* A loop whose blocks leave at most MOST_RESULT bytes runs up to WAVES times as many blocks, as long as a
   * work item has WAVE_ELEMENTS elements: memory is used better, and the last block adds up little. */
  MOST_RESULT = 16,
  WAVES = 4,
  WAVE_ELEMENTS = 4,
  REPRODUCIBLE_BLOCKS = 1024 /* of loops with results, on any device */
};

/* A work item needs many registers, so few of them run at the same time. */
static bool is_heavy(const pl_device *device, const pl_loop *loop)
{
  return device->limits_registers && pl_private_bytes(loop) > PL_LIGHT_BYTES;
}

static int choose_block(const pl_device *device, const pl_loop *loop, pl_conflict conflict)
{
  int asked = (int)pl_opt_count(device->pl, PL_OPT_BLOCK_SIZE);
  if (pl_loop_traits_of(loop)->neighbours) return PL_PAIR_BLOCK;
  if (loop->blocks) return loop->blocks->size;
  bool shared = pl_collides(loop) && (conflict == PL_STAGE || conflict == PL_COMBINE);
  int block = asked ? asked : shared ? SHARED_BLOCK : BLOCK;
  if (!asked && !shared && (is_heavy(device, loop) || loop->set->end[3] / block < device->units))
    block = SMALL_BLOCK;
  if (block > device->max_block) block = device->max_block;
  while (device->max_private && block > 1 && pl_private_bytes(loop) * (size_t)block > device->max_private)
    block /= 2;
  return block;
}

/* ---- plans ---- */

static pl_err plan_increments(pl_device *device, pl_strategy *s, bool *fits, char *why)
{
  pl_increments all;
  pl_err err = PL_SUCCESS;
  PL_TRY(pl_increments_make(s->loop, s->options.record_bits > 0, &all));
  if (s->options.conflict == PL_GATHER)
    err = pl_strategy_plan_gather(device, s, &all, fits, why);
  else if (s->options.conflict == PL_COMBINE)
    *fits = pl_strategy_fit_combine(device, s, all.n, why);
  else
    pl_strategy_fit_store(s, &all);
  pl_increments_free(s->loop, &all);
  return err;
}

/* Parameters of one argument, or of none, with values of the strategy's own. */
enum { OWN_VALUES = 5 * PL_LOOP_RANGES + 4 };

static pl_err make_plans(pl_device *device, pl_strategy *s, bool *fits, char *why)
{
  pl_loop *loop = s->loop;
  size_t most = OWN_VALUES * ((size_t)loop->nargs + 1);
  PL_TRY(PL_NEW(loop->pl, s->value, most));
  if (!pl_collides(loop) || s->options.conflict == PL_ATOMIC) return PL_SUCCESS;
  if (s->options.conflict == PL_STAGE) return pl_strategy_plan_stage(device, s, fits, why);
  if (s->options.conflict != PL_COLOUR) return plan_increments(device, s, fits, why);
  for (int p = 0; p < PL_LOOP_RANGES; p++) {
    pl_run run = pl_range_run(loop, p);
    if (run.begin == run.end) continue;
    PL_TRY(pl_strategy_plan(device, s, p, 0, NULL, &s->range[p].plan));
    PL_TRY(pl_add_colours(device, s, p));
  }
  return PL_SUCCESS;
}

/* ---- text and kernels ---- */

/* The largest block that kernels of the strategy's block size can be launched with. */
static pl_err get_largest_block(pl_device *device, const pl_strategy *s, pl_module *module, void *run,
                                int *most)
{
  int most_of_sum = 0;
  void *sum;
  PL_TRY(device->driver->limit(device, run, most));
  if (!s->program.sum.n) return PL_SUCCESS;
  PL_TRY(pl_module_kernel(module, "pl_sum", &sum));
  PL_TRY(device->driver->limit(device, sum, &most_of_sum));
  if (most_of_sum < *most) *most = most_of_sum;
  return PL_SUCCESS;
}

/* The kernel with at most so many registers (0: no limit), if blocks of its size can launch. */
static pl_err try_registers(pl_device *device, pl_strategy *s, int registers)
{
  pl_module *tried;
  void *run;
  int most = 0;
  PL_TRY(pl_module_get(device, pl_loop_title(s->loop), &s->program.text, registers, &tried));
  PL_TRY(pl_module_kernel(tried, "pl_run", &run));
  PL_TRY(get_largest_block(device, s, tried, run, &most));
  bool fits = most >= s->options.block_size || !s->run;
  s->has_limit = !fits || !device->driver->private_bytes(device, run);
  if (!fits) return PL_SUCCESS;
  s->module = tried;
  s->run = run;
  return PL_SUCCESS;
}

/* Limits of registers in the order of trial: the first without spilling is kept. */
static const int limits[] = {REGISTERS, MOST_REGISTERS, 0};
enum { LIMITS = sizeof limits / sizeof *limits };

/* Whether the strategy's kernel is still to be compiled with limit k. */
static bool wants_limit(const pl_device *device, const pl_strategy *s, int k)
{
  if (s->gathered || s->has_limit) return false;
  return device->limits_registers ? limits[k] || s->options.block_size <= UNLIMITED_BLOCK : !limits[k];
}

static pl_err begin_kernel(pl_device *device, const pl_strategy *s, int k)
{
  if (!wants_limit(device, s, k)) return PL_SUCCESS;
  return pl_module_begin(device, pl_loop_title(s->loop), &s->program.text, limits[k]);
}

/* A loop that needs many registers is compiled with two limits at once. */
static pl_err begin_kernels(pl_device *device, const pl_strategy *s)
{
  int left = is_heavy(device, s->loop) ? 2 : 1;
  for (int k = 0; k < LIMITS && left; k++) {
    PL_TRY(begin_kernel(device, s, k));
    left -= wants_limit(device, s, k);
  }
  return PL_SUCCESS;
}

static pl_err write_text(pl_strategy *s, const pl_signature *signature)
{
  pl_context *pl = s->loop->pl;
  const double start = pl_now();
  pl_loop_text_free(&s->program);
  PL_TRY(pl_emit_loop(s->loop, signature, &s->options, &s->program));
  pl->stats.generate_seconds += pl_now() - start;
  return PL_SUCCESS;
}

static pl_err dump_text(const pl_strategy *s)
{
  if (s->gathered) return PL_SUCCESS;
  return pl_dump(s->loop->pl, s->loop, s->options.dialect, &s->program.head, &s->program.text);
}

/* The messages of a text with an error name the lines of the user's file. */
static pl_err get_kernel(pl_device *device, pl_strategy *s, const pl_signature *signature, int k)
{
  if (!wants_limit(device, s, k)) return PL_SUCCESS;
  pl_err err = try_registers(device, s, limits[k]);
  if (err != PL_ERR_COMPILE || !s->loop->kernel->body || s->options.restore_lines) return err;
  s->options.restore_lines = true;
  PL_TRY(write_text(s, signature));
  PL_TRY(dump_text(s));
  return try_registers(device, s, limits[k]);
}

static pl_err find_kernels(pl_device *device, pl_strategy *s)
{
  if (s->options.strides)
    PL_TRY(device->driver->together(device, s->run, s->options.block_size, &s->resident));
  if (s->program.sum.n) PL_TRY(pl_module_kernel(s->module, "pl_sum", &s->sum));
  return s->program.finish.n ? pl_module_kernel(s->module, "pl_finish", &s->finish) : PL_SUCCESS;
}

/* ---- results of blocks ---- */

int pl_strategy_blocks(const pl_strategy *s, int n)
{
  int each = pl_loop_traits_of(s->loop)->neighbours ? PL_PAIR_SLICE : s->options.block_size;
  return (int)(((int64_t)n + each - 1) / each);
}

bool pl_strategy_is_planned(const pl_strategy *s)
{
  pl_conflict conflict = s->options.conflict;
  if (!pl_loop_traits_of(s->loop)->plain) return true;
  return pl_collides(s->loop) && (conflict == PL_COLOUR || conflict == PL_STAGE || conflict == PL_COMBINE);
}

int pl_strategy_results(const pl_strategy *s, const pl_loop_range *range)
{
  int blocks = pl_strategy_blocks(s, range->end - range->begin), most = s->most_blocks;
  if (blocks / WAVE_ELEMENTS > most) most = blocks / WAVE_ELEMENTS;
  if (most > s->most_blocks * s->waves) most = s->most_blocks * s->waves;
  return pl_strategy_is_planned(s) || blocks < most ? blocks : most;
}

/* Of any range: all elements of a set that changes its size, and of direct loops, run as the first range. */
static size_t max_blocks(const pl_strategy *s)
{
  const pl_set *set = s->loop->set;
  int most = 0;
  for (int p = 0; p < PL_LOOP_RANGES; p++) {
    pl_run run = pl_range_run(s->loop, p);
    const pl_loop_range range = {p, p ? run.begin : set->end[3] - pl_set_room(set), p ? run.end : set->end[1],
                                 1};
    int n = pl_strategy_results(s, &range);
    if (n > most) most = n;
  }
  return (size_t)most;
}

/* As many blocks as run at the same time: each loops over many elements, so few results are left. */
static int choose_results(const pl_device *device, int block_size)
{
  int units = device->units > 0 ? device->units : 1,
      each = block_size < UNIT_ITEMS ? UNIT_ITEMS / block_size : 1;
  return pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE) ? REPRODUCIBLE_BLOCKS : units * each;
}

/* Bytes of the buffer of a parameter that a kernel fills; 0: another parameter. */
static size_t owned_bytes(const pl_strategy *s, const pl_param_slot *slot, size_t blocks)
{
  const pl_arg *arg = slot->arg < 0 ? NULL : &s->loop->args[slot->arg];
  switch (slot->kind) {
  case PL_SLOT_RESULT:
    return blocks * (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg));
  case PL_SLOT_ARG_ELEMENT:
    return blocks * sizeof(int64_t);
  case PL_SLOT_GLOBAL_ELEMENT:
    return sizeof(int64_t);
  case PL_SLOT_COUNTER:
    return sizeof(int);
  case PL_SLOT_CONTRIBUTION:
    return (size_t)pl_set_room(pl_set_base(s->loop->set)) * (size_t)s->nslots * pl_dat_stride(arg->object);
  default:
    return 0;
  }
}

static pl_err alloc_owned(pl_device *device, pl_strategy *s, const pl_param_list *list)
{
  size_t blocks = max_blocks(s);
  for (const pl_param_slot *slot = list->slot; slot < list->slot + list->n; slot++) {
    size_t bytes = owned_bytes(s, slot, blocks ? blocks : 1);
    if (!bytes || pl_strategy_find(s, 0, slot->kind, slot->arg)) continue;
    PL_TRY(pl_add_buffer(device, s, -1, slot->kind, slot->arg, NULL, bytes));
    if (slot->kind == PL_SLOT_COUNTER)
      PL_TRY(device->driver->zero(device, s->value[s->nvalues - 1].buffer, bytes));
  }
  return PL_SUCCESS;
}

/* ---- making ---- */

/* Every launch is of whole blocks, now and later: a resizable set may change its size. */
static bool has_full_blocks(const pl_strategy *s)
{
  const pl_loop *loop = s->loop;
  int size = s->options.block_size;
  bool sums = pl_collides(loop) && (s->options.conflict == PL_GATHER || s->options.conflict == PL_STORED);
  bool gather = sums && s->options.conflict == PL_GATHER;
  if (pl_loop_traits_of(loop)->pairs || loop->set->capacity) return false;
  if (sums && (s->ntargets % size || (gather && s->core_targets % size))) return false;
  for (int p = 0; p < PL_LOOP_RANGES && !gather; p++) {
    pl_run run = pl_range_run(loop, p);
    if ((run.end - run.begin) % size) return false;
  }
  return true;
}

/* Loops of one launch end their reductions in the last block, if the device has a memory fence. Not if all
 * devices must give the same bits: some have none. */
static bool ends_reductions(const pl_strategy *s)
{
  const pl_loop *loop = s->loop;
  bool any = false;
  for (int i = 0; i < loop->nargs; i++) {
    if (pl_has_payload(loop, i)) return false;
    any |= pl_arg_reduces(&loop->args[i]);
  }
  bool fits = pl_reduction_bytes(loop) * (size_t)s->options.block_size < PL_USUAL_SHARED;
  return any && fits && s->options.dialect->fence && !pl_strategy_is_planned(s) &&
         !(pl_collides(loop) && s->options.conflict == PL_GATHER) &&
         !pl_opt_flag(loop->pl, PL_OPT_REPRODUCIBLE);
}

/* Elements run in any order, one a work item: the order of sums would change with the direction. */
static bool may_turn(const pl_strategy *s)
{
  const pl_loop *loop = s->loop;
  const bool any_order =
    !pl_collides(loop) || s->options.conflict == PL_ATOMIC || s->options.conflict == PL_STORED;
  PL_EACH_ARG (arg, loop)
    if (pl_arg_reduces(arg)) return false;
  return any_order && !pl_strategy_is_planned(s);
}

/* A gather of a matrix goes row by row, unless a row has too many blocks. */
static void choose_records(pl_strategy *s)
{
  const pl_arg *tensor = s->options.conflict == PL_GATHER ? pl_tensor_arg(s->loop) : NULL;
  if (!tensor) return;
  s->options.record_bits = pl_record_bits(&tensor->map->tensor_rows);
  s->options.stores = s->options.record_bits && tensor->zeroed && s->loop->set->end[2] > 0;
}

static void find_narrow_maps(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (arg->map && !arg->off) pl_map_find_narrow(arg->map);
}

pl_err pl_strategy_make(pl_device *device, pl_loop *loop, const pl_signature *signature, pl_conflict conflict,
                        pl_strategy *s, bool *fits, char *why)
{
  *s = (pl_strategy){.loop = loop,
                     .options = {.dialect = device->dialect,
                                 .conflict = conflict,
                                 .block_size = choose_block(device, loop, conflict),
                                 .max_block = device->max_block}};
  *fits = true;
  choose_records(s);
  s->most_blocks = choose_results(device, s->options.block_size);
  s->waves =
    pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE) || pl_reduction_bytes(loop) > MOST_RESULT ? 1 : WAVES;
  PL_TRY(make_plans(device, s, fits, why));
  if (!*fits) return PL_SUCCESS;
  s->options.full_blocks = has_full_blocks(s);
  s->options.ends_reductions = ends_reductions(s);
  s->options.turns = may_turn(s);
  s->options.strides = s->options.turns && is_heavy(device, loop) && device->driver->together;
  find_narrow_maps(loop);
  PL_TRY(write_text(s, signature));
  return begin_kernels(device, s);
}

static pl_err make_lists(pl_device *device, pl_strategy *s)
{
  pl_increments all;
  const pl_conflict conflict = s->options.conflict;
  if (!pl_collides(s->loop) || (conflict != PL_COMBINE && conflict != PL_STORED)) return PL_SUCCESS;
  PL_TRY(pl_increments_make(s->loop, false, &all));
  pl_err err = conflict == PL_COMBINE ? pl_strategy_list_combine(device, s, all.n, all.reach)
                                      : pl_strategy_list_rows(device, s, &all);
  pl_increments_free(s->loop, &all);
  return err;
}

pl_err pl_strategy_complete(pl_device *device, pl_strategy *s)
{
  const int n = s->nvalues;
  pl_err err = make_lists(device, s);
  if (!err) err = alloc_owned(device, s, &s->program.run);
  if (!err) err = alloc_owned(device, s, &s->program.finish);
  while (err && s->nvalues > n) device->driver->free(device, s->value[--s->nvalues].buffer);
  s->complete = !err;
  return err;
}

pl_err pl_strategies_build(pl_device *device, const pl_signature *signature, int n, pl_strategy *s)
{
  for (int i = 0; i < n; i++) PL_TRY(dump_text(&s[i]));
  for (int k = 0; k < LIMITS; k++) {
    for (int i = 0; i < n; i++) PL_TRY(begin_kernel(device, &s[i], k));
    for (int i = 0; i < n; i++) PL_TRY(get_kernel(device, &s[i], signature, k));
  }
  for (int i = 0; i < n; i++)
    if (!s[i].gathered) PL_TRY(find_kernels(device, &s[i]));
  return PL_SUCCESS;
}

void pl_strategy_free(pl_device *device, pl_strategy *s)
{
  pl_loop *loop = s->loop;
  if (!loop) return;
  for (int i = 0; i < s->nvalues; i++) device->driver->free(device, s->value[i].buffer);
  pl_free(loop->pl, s->value);
  pl_loop_text_free(&s->program);
  *s = (pl_strategy){0};
}
