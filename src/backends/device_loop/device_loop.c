/* SPDX-License-Identifier: BSD-2-Clause
 * Running a loop on a device: pl_device_run below is the life of a launch. Invariant: no kernel is launched
 * before all its data is on the device, and nothing is marked as written before it was launched.
 */
#include "device_loop.h"
#include "kernel_args.h"
#include "strategy_tuner.h"
#include "backends/device/device_data.h"
#include "backends/device/device_globals.h"
#include "backends/device/device_exchange.h"
#include "backends/device_particles/neighbour_list_build.h"
#include "backends/device_particles/neighbour_list_data.h"
#include "backends/device_strategy/strategy_buffers.h"
#include "codegen/device/device_reduction.h"
#include "codegen/loop/pair_info.h"
#include "core/base/clock.h"
#include "core/loop/arg.h"

/* ---- data ---- */

/* Whether an argument overwrites every value of its dat without reading it. */
static bool overwrites_all(const pl_loop *loop, const pl_arg *arg)
{
  const pl_dat *dat = arg->object;
  return arg->access == PL_WRITE && !arg->map && arg->component < 0 && !loop->set->indices &&
         loop->set->end[1] == loop->set->end[3] && loop->set == dat->set;
}

static bool needs_values(const pl_loop *loop, const pl_dat *dat)
{
  PL_EACH_ARG (arg, loop)
    if (arg->object == dat && !arg->off && !overwrites_all(loop, arg) && !(arg->zeroed && loop->stores))
      return true;
  return false;
}

/* The result of a sum that is zero on the host is not uploaded: the sum starts from zero. */
static pl_err upload_global(pl_device *device, pl_device_code *code, pl_global *global, int i)
{
  if (global->device_valid || !pl_may_start_from_zero(&code->loop->args[i], i) || !pl_global_is_zero(global))
    return pl_device_global(device, global);
  code->starts_from_zero |= 1 << i;
  return pl_device_global_buffer(device, global);
}

/* Whether the kernel reads or writes a dat itself, not only its copy in the records of pairs. */
static bool is_accessed(const pl_loop *loop, const pl_dat *dat)
{
  PL_EACH_ARG (arg, loop)
    if (pl_arg_dat_of(arg) == dat && !pl_pair_from_records(loop, arg)) return true;
  return false;
}

static pl_err upload_object(pl_device *device, pl_device_code *code, const pl_loop_access *access)
{
  if (access->global) return upload_global(device, code, access->global, access->first);
  if (!access->dat || !is_accessed(code->loop, access->dat)) return PL_SUCCESS;
  return pl_dat_device(access->dat, needs_values(code->loop, access->dat));
}

static pl_err upload_data(pl_device *device, pl_device_code *code)
{
  pl_loop *loop = code->loop;
  code->starts_from_zero = 0;
  if (pl_loop_traits_of(loop)->neighbours) PL_TRY(pl_device_pairs(device, loop->set->pairs));
  PL_EACH_ACCESS (access, loop) PL_TRY(upload_object(device, code, access));
  for (int i = 0; i < loop->nargs; i++) /* sets change size */
    PL_TRY(pl_device_global_index(device, (pl_set *)pl_arg_numbered(loop, i)));
  return PL_SUCCESS;
}

static pl_err upload_consts(pl_device *device, pl_device_code *code)
{
  pl_context *pl = device->pl;
  if (code->const_version == pl->const_version) return PL_SUCCESS;
  const pl_source *source = pl_device_source(code);
  if (code->host_consts) pl_source_fill_consts(source, code->host_consts);
  if (code->consts)
    PL_TRY(device->driver->write(device, code->consts, 0, code->host_consts, source->const_bytes));
  for (int i = 0; i < code->loop->nargs; i++) {
    const pl_const *constant = code->loop->args[i].object;
    if (code->loop->args[i].kind != PL_ARG_CONST) continue;
    size_t bytes = (size_t)constant->dim * pl_type_size(constant->type);
    PL_TRY(device->driver->write(device, code->const_values[i], 0, constant->value, bytes));
  }
  code->const_version = pl->const_version;
  return PL_SUCCESS;
}

/* ---- work ---- */

static bool is_last_range(const pl_loop *loop, const pl_loop_range *range)
{
  return range->end == loop->set->end[loop->runs_halo ? 2 : 1];
}

/* The next targets of a gather, up to `end`. */
static pl_work next_targets(pl_strategy *s, int end)
{
  const pl_work work = {.run = {s->targets_done, end},
                        .blocks = pl_strategy_blocks(s, end - s->targets_done)};
  s->targets_done = end;
  return work;
}

/* A gather runs all elements by their targets: those that only core elements reach during an exchange, the
 * rest behind the exchange or, while strategies are compared, in the last range. */
static pl_err choose_targets(pl_device *device, pl_device_code *code, pl_strategy *s,
                             const pl_loop_range *range, pl_work *work)
{
  bool last = is_last_range(code->loop, range), ahead = !range->number && pl_halo_busy(device->pl);
  if (!range->number) s->targets_done = 0;
  if (!last && ahead && !pl_strategies_compete(code)) PL_TRY(pl_device_defer_boundary(device, code));
  *work = next_targets(s, last ? s->ntargets : ahead ? s->core_targets : s->targets_done);
  if (last) s->targets_done = 0; /* a rank without a core begins with a later range */
  return PL_SUCCESS;
}

/* Elements that run in any order: those of the boundary may run beside the core. */
static bool splits(const pl_device_code *code, const pl_strategy *s, const pl_loop_range *range)
{
  const pl_run boundary = pl_range_run(code->loop, 1);
  return !pl_collides(code->loop) && !s->finish && !s->options.ends_reductions &&
         !pl_strategy_is_planned(s) && !pl_strategies_compete(code) && range->end == boundary.begin &&
         boundary.end > boundary.begin;
}

/* The exchange launches the boundary of such a loop in its own queue. */
static pl_err split_ranges(pl_device *device, pl_device_code *code, const pl_strategy *s,
                           const pl_loop_range *range)
{
  if (range->number) return PL_SUCCESS;
  code->boundary_runs = pl_halo_busy(device->pl) && splits(code, s, range);
  return code->boundary_runs ? pl_device_defer_boundary(device, code) : PL_SUCCESS;
}

static pl_err choose_work(pl_device *device, pl_device_code *code, const pl_loop_range *range, pl_work *work)
{
  pl_strategy *s = &code->strategy[code->now];
  if (pl_collides(code->loop) && s->options.conflict == PL_GATHER)
    return choose_targets(device, code, s, range, work);
  bool results = s->finish || s->options.ends_reductions;
  PL_TRY(split_ranges(device, code, s, range));
  *work = (pl_work){.number = range->number};
  if (range->number == 1 && code->boundary_runs) return PL_SUCCESS;
  *work = (pl_work){.number = range->number,
                    .run = {range->begin, range->end},
                    .plan = s->range[range->number].plan,
                    .from_zero = code->starts_from_zero,
                    .reduces = range->reduces};
  if (!work->plan)
    work->blocks = results ? pl_strategy_results(s, range) : pl_strategy_blocks(s, range->end - range->begin);
  return PL_SUCCESS;
}

/* ---- directions ---- */

enum { LARGE = 1 << 15 }; /* elements of a launch that fills a good part of the device's cache */

/* A launch goes through its blocks in the direction opposite to that of the last large one, if it may: it
 * begins with what that one has left in the device's cache. */
static void choose_direction(pl_device *device, const pl_strategy *s, pl_work *work)
{
  const bool backwards = s->options.turns && !device->backwards;
  if (backwards && work->blocks) work->turn = work->blocks - 1;
  if (work->run.end - work->run.begin >= LARGE) device->backwards = backwards;
}

/* ---- running ---- */

/* A strategy that is compared gets its lists in its first turn: a loop with few calls needs those of one. */
static pl_err complete(pl_device *device, pl_loop *loop, pl_device_code *own)
{
  const double start = pl_now();
  if (own->strategy[own->now].complete) return PL_SUCCESS;
  PL_TRY(pl_device_complete(device, own));
  loop->setup_seconds += pl_now() - start;
  return PL_SUCCESS;
}

pl_err pl_device_run_boundary(pl_device *device, pl_device_code *code)
{
  pl_strategy *s = &code->strategy[code->now];
  pl_device_code *own = pl_running_code(code);
  const pl_strategy *runs = &own->strategy[own->now];
  const pl_run rest = pl_range_run(code->loop, 1);
  pl_work work = {.number = 1, .run = rest, .blocks = pl_strategy_blocks(s, rest.end - rest.begin)};
  if (pl_collides(code->loop)) work = next_targets(s, s->ntargets);
  pl_kernel_args args;
  pl_push_arguments(&args, own, runs, &work, &runs->program.run);
  return pl_launch_blocks(device, runs, &work, &args);
}

/* *rebuilt: the list was stale, so that the kernels did nothing; it is current now. */
static pl_err confirm_neighbour_list(pl_device *device, const pl_loop *loop, bool *rebuilt)
{
  *rebuilt = false;
  return pl_loop_traits_of(loop)->neighbours ? pl_device_pairs_confirm(device, loop->set->pairs, rebuilt)
                                             : PL_SUCCESS;
}

static void mark_written(pl_loop *loop, const pl_loop_range *range)
{
  PL_EACH_ACCESS (access, loop) {
    if (!access->writes) continue;
    if (access->dat) pl_dat_device_written(access->dat);
    if (access->global && range->reduces) pl_global_device_written(access->global);
  }
}

/* All blocks at once or, with a plan, colour by colour. The arguments are the same for all launches: these
 * differ in work.first alone. */
static pl_err launch_work(pl_device *device, pl_device_code *own, const pl_strategy *s, pl_work *work)
{
  pl_kernel_args args;
  pl_push_arguments(&args, own, s, work, &s->program.run);
  if (!work->plan) return pl_launch_blocks(device, s, work, &args);
  for (int c = 0; c < work->plan->ncolours; c++) {
    work->first = work->plan->colour_offset[c];
    work->blocks = work->plan->colour_offset[c + 1] - work->first;
    PL_TRY(pl_launch_blocks(device, s, work, &args));
  }
  return PL_SUCCESS;
}

/* One range of a loop: core, boundary or halo elements; the exchange ends between the first two. */
pl_err pl_device_run(pl_context *pl, pl_loop *loop, const pl_loop_range *range)
{
  pl_device *device = pl_device_of(pl);
  pl_device_code *code = loop->code;
  if (loop->from_zeros) pl_device_ready(device, code);
  pl_device_code *own = pl_running_code(code);
  const pl_strategy *s = &own->strategy[own->now];
  bool last = is_last_range(loop, range), rebuilt;
  PL_TRY(complete(device, loop, own));
  do {
    /* Data: current values of all arguments and consts are on the device. */
    PL_TRY(upload_data(device, own));
    PL_TRY(upload_consts(device, own));

    /* Work: the elements of the range or, in a gather, the targets that can be computed now. */
    pl_work work;
    PL_TRY(choose_work(device, code, range, &work));
    choose_direction(device, s, &work);

    /* Launches; then the sums of stored increments. */
    PL_TRY(pl_strategy_trial_begin(device, code));
    PL_TRY(launch_work(device, own, s, &work));
    if (s->sum && last) PL_TRY(pl_launch_sum(device, code, s));

    /* A neighbour list that turns out to be stale is rebuilt, and the range runs again. */
    PL_TRY(confirm_neighbour_list(device, loop, &rebuilt));
  } while (rebuilt);

  /* Reductions: the results of all blocks are combined, unless the last block of the kernel has done it. */
  if (s->finish && range->reduces) PL_TRY(pl_launch_finish(device, code, s, range));

  /* Marks: the newest values of all objects that the loop writes are on the device. */
  mark_written(loop, range);
  if (last && own->loop == loop->gathered_stored)
    loop->bytes_spared += loop->gathered->bytes_per_call - own->loop->bytes_per_call;
  return pl_strategy_trial_end(device, code, last);
}

bool pl_device_merges_ranges(pl_context *pl, const pl_loop *loop)
{
  const pl_device_code *code = loop->code;
  return (void)pl, !pl_strategy_is_planned(&code->strategy[code->now]);
}

pl_err pl_device_arg_element(pl_context *pl, const pl_loop *loop, int i, int64_t *element)
{
  const pl_device_code *code = loop->code;
  pl_device *device = pl_device_of(pl);
  const pl_strategy *s = &code->strategy[code->now];
  *element = -1;
  if (!loop->set->end[1]) return PL_SUCCESS;
  return device->driver->read(device, element, pl_strategy_find(s, 0, PL_SLOT_GLOBAL_ELEMENT, i)->buffer, 0,
                              sizeof *element);
}
