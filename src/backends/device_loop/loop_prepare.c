/* SPDX-License-Identifier: BSD-2-Clause
 * Preparing a loop for a device. Invariant: what the device cannot run is refused here, by the argument's
 * name, before anything is launched.
 */
#include "loop_prepare.h"
#include "kernel_args.h"
#include "backends/device_strategy/strategy_choice.h"
#include "strategy_tuner.h"
#include "backends/device/device_data.h"
#include "backends/host_loop/host_loop.h"
#include "codegen/kernel/signature_check.h"
#include "codegen/loop/pair_info.h"
#include "core/loop/arg.h"
#include "core/loop/loop.h"
#include "core/particles/pair_map.h"
#include "plan/execution/narrow_rows.h"
#include <string.h>

/* ---- limits of the device ---- */

static pl_err refuse_arg(const pl_loop *loop, int i, const char *why)
{
  char name[PL_ARG_NAME];
  return pl_fail(loop->pl, PL_ERR_BACKEND, "loop \"%s\", %s: %s", pl_loop_title(loop),
                 pl_arg_name(loop->args, i, name), why);
}

static pl_err check_arg(const pl_device *device, const pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  bool dat = pl_arg_is_record(arg);
  if (pl_arg_is_foreign(arg) && arg->off) return PL_SUCCESS;
  if (pl_arg_is_foreign(arg)) return refuse_arg(loop, i, "a host pointer cannot be used on a device");
  if (dat && pl_pair_scatters(loop) && pl_arg_writes(arg) && pl_why_not_atomic(device, arg))
    return refuse_arg(loop, i, "increments of pairs conflict, and the device has no atomics for this type");
  if (!device->has_double && pl_type_base(pl_arg_seen_type(arg)) == PL_DOUBLE)
    return refuse_arg(loop, i, "the device has no double precision; use float, or another device");
  return PL_SUCCESS;
}

static pl_err check_loop(const pl_device *device, const pl_loop *loop)
{
  const pl_kernel_options *extras = pl_kernel_extras(loop->kernel);
  if (extras->link_args || extras->setup)
    return pl_fail(loop->pl, PL_ERR_BACKEND,
                   "kernel \"%s\" needs the host (libraries or setup); backend %s cannot run it",
                   pl_loop_title(loop), device->driver->name);
  if (extras->cpp && !device->dialect->cpp)
    return pl_fail(loop->pl, PL_ERR_BACKEND,
                   "kernel \"%s\" is C++, which backend %s cannot compile; hosts and cuda can",
                   pl_loop_title(loop), device->driver->name);
  if (pl_loop_traits_of(loop)->neighbours && device->max_block < PL_PAIR_BLOCK)
    return pl_fail(loop->pl, PL_ERR_BACKEND,
                   "pair loop \"%s\" needs blocks of %d work items; the device allows %d",
                   pl_loop_title(loop), PL_PAIR_BLOCK, device->max_block);
  for (int i = 0; i < loop->nargs; i++) PL_TRY(check_arg(device, loop, i));
  return PL_SUCCESS;
}

/* Chooses the layouts of all dats. A row of complex values needs their pairs. */
static pl_err choose_layouts(const pl_loop *loop)
{
  PL_EACH_ACCESS (access, loop)
    if (access->dat) pl_device_choose_layout(access->dat);
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_is_record(arg) || !pl_arg_is_row(arg) || !pl_type_is_complex(pl_arg_type(arg))) continue;
    const pl_layout layout = ((pl_dat *)arg->object)->storage.layout;
    if (layout.tile != PL_AOS && layout.pack % 2)
      return refuse_arg(loop, i, "its layout has the parts of complex values apart; choose aos or soa:2");
  }
  return PL_SUCCESS;
}

/* ---- strategies ---- */

/* It gives way to loop->gathered if it cannot be compiled for blocks of the same size. */
static void make_stored(pl_device *device, pl_loop *loop, int block_size)
{
  pl_loop *stored = loop->gathered_stored;
  const pl_err err = pl_device_prepare(device->pl, stored);
  if (!err && ((pl_device_code *)stored->code)->strategy[0].options.block_size == block_size) return;
  pl_device_release(device->pl, stored);
  loop->gathered_stored = NULL;
}

/* Launches begin at whole blocks, as those of a loop with full blocks must. */
static pl_err make_gathered(pl_device *device, pl_loop *loop, pl_strategy *s)
{
  pl_loop *gathered = loop->gathered;
  pl_device_release(device->pl, gathered);
  if (loop->gathered_stored) pl_device_release(device->pl, loop->gathered_stored);
  PL_TRY(pl_device_prepare(device->pl, gathered));
  const pl_device_code *code = gathered->code;
  const int size = code->strategy[0].options.block_size;
  *s = (pl_strategy){
    .loop = loop,
    .gathered = true,
    .options = {.conflict = PL_GATHER, .block_size = size, .stores = loop->zeroes && loop->set->end[2] > 0},
    .ntargets = gathered->set->end[1],
    .core_targets = loop->core_gathered / size * size};
  return PL_SUCCESS;
}

/* The messages about a text that cannot be compiled shall be those of the loop itself. */
static pl_err make_strategy(pl_device *device, pl_device_code *code, pl_conflict conflict, pl_strategy *s,
                            bool *fits, char *why)
{
  pl_loop *loop = code->loop;
  *fits = true;
  if (conflict == PL_GATHER && loop->gathered && !make_gathered(device, loop, s)) return PL_SUCCESS;
  return pl_strategy_make(device, loop, &code->signature, conflict, s, fits, why);
}

/* Removes those that do not fit. */
static void keep_fitting(pl_device_code *code, int n, const bool *fits)
{
  for (int i = 0; i < n; i++) {
    const pl_strategy s = code->strategy[i];
    if (!fits[i]) continue;
    code->strategy[i] = (pl_strategy){0};
    code->strategy[code->nstrategies++] = s;
  }
}

/* The first strategy that fits or, to be compared, all that do. These are made in reverse order: a gathered
 * loop is among the first, and is compiled as a whole while the others are compiled in the background. */
static pl_err make_strategies(pl_device *device, pl_device_code *code, int n, const pl_conflict *list,
                              bool compare, char *why)
{
  bool fits[PL_MAX_STRATEGIES] = {false}, any = false;
  for (int k = 0; k < n && (compare || !any); k++) {
    const int i = compare ? n - 1 - k : k;
    char reason[PL_VARIANT];
    pl_err err = make_strategy(device, code, list[i], &code->strategy[i], &fits[i], reason);
    if (err || !fits[i]) pl_strategy_free(device, &code->strategy[i]);
    if (err) return err;
    if (!fits[i]) memcpy(why, reason, sizeof reason);
    any |= fits[i];
  }
  keep_fitting(code, n, fits);
  if (!any) return pl_fail(device->pl, PL_ERR_BACKEND, "loop \"%s\": %s", pl_loop_title(code->loop), why);
  return pl_strategies_build(device, &code->signature, code->nstrategies, code->strategy);
}

static const char *strategy_name(const pl_device_code *code)
{
  if (pl_loop_traits_of(code->loop)->pairs)
    return pl_pair_scatters(code->loop) ? "pairs atomic" : "pairs full";
  return pl_collides(code->loop) ? pl_conflict_name(code->strategy[0].options.conflict) : "direct";
}

static void name_variant(pl_device_code *code, bool compare, const char *why)
{
  const char *name = strategy_name(code);
  size_t size = sizeof code->variant;
  if (compare) pl_strategies_compare(code);
  if (pl_strategies_compete(code))
    snprintf(code->variant, size, "auto: being measured");
  else if (*why && code->nstrategies == 1)
    snprintf(code->variant, size, "%s (%.*s)", name, (int)size - 24, why);
  else if (!*code->variant)
    snprintf(code->variant, size, "%s", name);
}

static pl_err choose_strategies(pl_device *device, pl_device_code *code)
{
  pl_loop *loop = code->loop;
  pl_conflict list[PL_MAX_STRATEGIES];
  bool compare;
  char why[PL_VARIANT];
  PL_TRY(choose_layouts(loop));
  int n = pl_strategies_wanted(device, loop, list, &compare, why);
  PL_TRY(pl_strategy_recall(device, code, &n, list, &compare));
  PL_TRY(make_strategies(device, code, n, list, compare, why));
  name_variant(code, compare, why);
  for (int i = 0; i < code->nstrategies; i++) PL_TRY(pl_check_arguments(code, &code->strategy[i]));
  return PL_SUCCESS;
}

void pl_device_note_stores(pl_device_code *code)
{
  code->loop->stores = pl_pair_stores(code->loop) || code->strategy[code->now].options.stores;
}

pl_device_code *pl_running_code(pl_device_code *code)
{
  const pl_loop *loop = code->loop;
  if (!code->strategy[code->now].gathered) return code;
  return (loop->from_zeros && loop->gathered_stored ? loop->gathered_stored : loop->gathered)->code;
}

void pl_device_ready(pl_device *device, pl_device_code *code)
{
  const pl_loop *loop = code->loop;
  for (int i = 0; i < code->nstrategies && loop->gathered_stored && !loop->gathered_stored->code; i++)
    if (code->strategy[i].gathered) make_stored(device, code->loop, code->strategy[i].options.block_size);
}

const pl_source *pl_device_source(const pl_device_code *code)
{
  for (const pl_strategy *s = code->strategy; s < code->strategy + code->nstrategies; s++)
    if (!s->gathered) return &s->program.source;
  return NULL;
}

/* ---- buffers ---- */

static pl_err upload_narrow_rows(pl_device *device, pl_map *map)
{
  const size_t n = pl_map_entries(map), blocks = (size_t)map->from->end[3] / PL_NARROW_BLOCK + 1;
  if (map->device_base) return PL_SUCCESS;
  uint16_t *narrow = pl_malloc_array(device->pl, n * sizeof *narrow);
  int *base = pl_calloc(device->pl, blocks, sizeof *base);
  pl_err err = narrow && base ? PL_SUCCESS : pl_fail_memory(device->pl, n * sizeof *narrow);
  if (!err) pl_narrow_rows_fill(map, narrow, base);
  if (!err && !map->device_narrow)
    err = pl_device_copy_in(device, narrow, n * sizeof *narrow, &map->device_narrow);
  if (!err) err = pl_device_copy_in(device, base, blocks * sizeof *base, &map->device_base);
  pl_free_array(device->pl, narrow);
  pl_free(device->pl, base);
  return err;
}

static pl_err upload_maps(pl_device *device, pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (arg->map && !arg->off) PL_TRY(pl_device_map(device, arg->map));
  PL_EACH_ARG (arg, loop)
    if (arg->map && arg->map->narrow > 0 && !arg->off) PL_TRY(upload_narrow_rows(device, arg->map));
  if (loop->set->pairs) PL_TRY(pl_device_map(device, loop->set->pairs));
  if (loop->blocks && !loop->blocks->device)
    PL_TRY(pl_device_copy_in(device, loop->blocks->first, ((size_t)loop->blocks->nblocks + 1) * sizeof(int),
                             &loop->blocks->device));
  PL_TRY(pl_device_subset(device, loop->set));
  for (int i = 0; i < loop->nargs; i++)
    PL_TRY(pl_device_global_index(device, (pl_set *)pl_arg_numbered(loop, i)));
  return PL_SUCCESS;
}

pl_err pl_device_complete(pl_device *device, pl_device_code *code)
{
  pl_strategy *s = &code->strategy[code->now];
  if (s->complete || s->gathered) return PL_SUCCESS;
  PL_TRY(upload_maps(device, code->loop));
  return pl_strategy_complete(device, s);
}

static pl_err alloc_consts(pl_device *device, pl_device_code *code)
{
  pl_loop *loop = code->loop;
  size_t n = (size_t)loop->nargs;
  PL_TRY(PL_NEW(loop->pl, code->const_values, n));
  code->const_version = UINT64_MAX;
  const pl_source *source = pl_device_source(code);
  if (source && source->const_count) {
    code->host_consts = pl_calloc(loop->pl, 1, source->const_bytes);
    if (!code->host_consts) return pl_fail_memory(loop->pl, source->const_bytes);
    if (!device->dialect->consts_by_value)
      PL_TRY(device->driver->alloc(device, source->const_bytes, &code->consts));
  }
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->kind != PL_ARG_CONST) continue;
    size_t bytes = (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg));
    PL_TRY(device->driver->alloc(device, bytes, &code->const_values[i]));
  }
  return PL_SUCCESS;
}

/* The loop on the host, element by element: results are compared with its own. */
static pl_err make_reference(pl_device *device, pl_device_code *code)
{
  if (!pl_opt_flag(device->pl, PL_OPT_CHECK) || pl_loop_traits_of(code->loop)->two_phases) return PL_SUCCESS;
  if (!device->host) PL_TRY(pl_host_new(device->pl, 1, &device->host));
  return pl_host_plain_new(device->host, code->loop, &code->reference);
}

/* ---- zeros ---- */

static bool is_alone(const pl_loop *loop, const pl_dat *dat)
{
  int n = 0;
  PL_EACH_ARG (arg, loop) n += pl_arg_dat_of(arg) == dat && !arg->off;
  return n == 1;
}

/* The loop goes over all elements of the argument's dat, and its kernel ends with all values at zero. What
 * headers and C++ may do to the text is not known. */
static bool clears_dat(const pl_device_code *code, int i)
{
  const pl_loop *loop = code->loop;
  const pl_arg *arg = &loop->args[i];
  const pl_dat *dat = arg->object;
  const pl_kernel_options *extras = pl_kernel_extras(loop->kernel);
  const bool direct = pl_arg_is_record(arg) && !arg->off && !arg->map && arg->component < 0 &&
                      (arg->access == PL_RW || arg->access == PL_WRITE);
  return direct && pl_loop_traits_of(loop)->plain && loop->set == dat->set && !loop->set->indices &&
         !extras->headers && !extras->cpp && !pl_type_is_complex(dat->type) && is_alone(loop, dat) &&
         code->signature.param[i].uses.clears == dat->dim;
}

/* Loops that increment the dat will meet zeros. */
static void prepare_for_zeros(pl_device *device, const pl_dat *dat)
{
  PL_EACH_LOOP (loop, device->pl) {
    const pl_loop_access *access = loop->gathered_stored && loop->code ? pl_loop_access_to(loop, dat) : NULL;
    if (access && access->collides) pl_device_ready(device, loop->code);
  }
}

static void note_cleared(pl_device *device, pl_device_code *code)
{
  pl_loop *loop = code->loop;
  for (int a = 0; a < loop->naccesses; a++) {
    pl_loop_access *access = &loop->access[a];
    access->clears = access->dat && clears_dat(code, access->first);
    if (access->clears) prepare_for_zeros(device, access->dat);
  }
}

/* ---- preparing ---- */

static pl_err fill_code(pl_device *device, pl_device_code *code)
{
  pl_loop *loop = code->loop;
  PL_TRY(pl_signature_parse(loop->pl, loop->kernel, &code->signature));
  PL_TRY(pl_signature_bind(loop->pl, loop, &code->signature));
  PL_TRY(check_loop(device, loop));
  note_cleared(device, code);
  PL_TRY(choose_strategies(device, code));
  pl_device_note_stores(code);
  PL_TRY(pl_device_complete(device, code));
  PL_TRY(make_reference(device, code));
  return alloc_consts(device, code);
}

pl_err pl_device_prepare(pl_context *pl, pl_loop *loop)
{
  pl_device_code *code = pl_calloc(pl, 1, sizeof *code);
  if (!code) return pl_fail_memory(pl, sizeof *code);
  code->loop = loop;
  code->signature.pl = pl;
  pl_string_init(&code->record, pl);
  loop->code = code;
  loop->variant = code->variant;
  pl_err err = fill_code(pl_device_of(pl), code);
  if (err) pl_device_release(pl, loop);
  return err;
}

static pl_err begin_compiling(pl_device *device, pl_device_code *code)
{
  bool fits;
  char why[PL_VARIANT];
  PL_TRY(pl_signature_parse(device->pl, code->loop->kernel, &code->signature));
  PL_TRY(pl_signature_bind(device->pl, code->loop, &code->signature));
  PL_TRY(check_loop(device, code->loop));
  PL_TRY(choose_layouts(code->loop));
  return pl_strategy_make(device, code->loop, &code->signature, PL_COLOUR, &code->strategy[0], &fits, why);
}

/* Loops without collisions alone: others need plans. Errors are left to pl_device_prepare. */
pl_err pl_device_prefetch(pl_context *pl, pl_loop *loop)
{
  pl_device *device = pl_device_of(pl);
  pl_device_code code = {.loop = loop, .signature = {.pl = pl}};
  if (device->builds_one_by_one || pl_collides(loop)) return PL_SUCCESS;
  pl_err err = begin_compiling(device, &code);
  pl_strategy_free(device, &code.strategy[0]);
  pl_signature_free(&code.signature);
  return err == PL_ERR_MEMORY ? err : PL_SUCCESS;
}

void pl_device_release(pl_context *pl, pl_loop *loop)
{
  pl_device *device = pl_device_of(pl);
  pl_device_code *code = loop->code;
  if (!code) return;
  for (int i = 0; i < PL_MAX_STRATEGIES; i++) pl_strategy_free(device, &code->strategy[i]);
  for (int i = 0; code->const_values && i < loop->nargs; i++)
    device->driver->free(device, code->const_values[i]);
  pl_free(pl, code->const_values);
  device->driver->free(device, code->consts);
  pl_free(pl, code->host_consts);
  pl_strategy_trial_close(device, code);
  pl_string_free(&code->record);
  pl_signature_free(&code->signature);
  pl_host_code_free(pl, code->reference);
  pl_free(pl, code);
  loop->code = NULL;
  loop->variant = NULL;
}

pl_err pl_device_run_reference(pl_context *pl, pl_loop *loop, const pl_loop_range *range)
{
  pl_device_code *code = loop->code;
  if (code->reference) return pl_host_plain_run(code->reference, range);
  return pl_fail(pl, PL_ERR_INTERNAL, "loop \"%s\" was prepared without its reference loop",
                 pl_loop_title(loop));
}
