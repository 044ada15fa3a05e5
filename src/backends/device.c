/* SPDX-License-Identifier: BSD-2-Clause
 * The device backends: how a loop is prepared and run over a driver.
 */
#include "device.h"
#include "codegen/pair.h"
#include "core/halo.h"
#include "core/memory.h"
#include "core/pairs.h"
#include "host.h"
#include <string.h>

enum { MOST_ARGS = 120 }; /* of a launch */

/* ---- opening and closing ---- */

pl_err pl_device_open(pl_context *pl, const pl_driver *driver, void **state)
{
  pl_device *device = pl_calloc(pl, 1, sizeof *device);
  if (!device) return pl_fail_memory(pl, sizeof *device);
  device->pl = pl;
  device->driver = driver;
  pl_err err = pl_cache_open(pl, &device->cache);
  if (!err) err = driver->open(device);
  if (err) {
    if (device->cache) pl_cache_close(&device->cache);
    pl_free(pl, device);
    return err;
  }
  pl_log(pl, 1, "backend %s on device %s, %s", driver->name, device->number, device->name);
  pl->late.dear = device->shares != PL_SHARES_HOST; /* not those that are the host's processor */
  *state = device;
  return PL_SUCCESS;
}

void pl_device_close(pl_context *pl)
{
  pl_device *device = pl_device_of(pl);
  pl_device_scans_free(device);
  for (int k = 0; k < 5; k++) device->driver->free(device, device->sort_room[k]);
  pl_modules_close(device);
  if (device->staging) device->driver->free(device, device->staging);
  device->driver->close(device);
  pl_cache_close(&device->cache);
  pl_host_free(pl, device->host);
  pl_free(pl, device);
}

pl_err pl_device_sync(pl_context *pl)
{
  pl_device *device = pl_device_of(pl);
  return device->driver->sync(device);
}

/* ---- naming devices ---- */

/* As launchers of MPI programs say it. */
int pl_device_local_rank(void)
{
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", NULL};
  for (const char *const *name = names; *name; name++)
    if (getenv(*name)) return atoi(getenv(*name)) > 0 ? atoi(getenv(*name)) : 0;
  return 0;
}

void pl_device_describe(const pl_device *device, pl_device_info *info)
{
  snprintf(info->name, sizeof info->name, "%s", device->name);
  snprintf(info->version, sizeof info->version, "%s", device->version);
  info->has_double = device->has_double;
  info->has_atomics_64 = device->has_atomics_64;
  info->units = device->units;
}

pl_err pl_device_unknown(pl_context *pl, const char *kind, pl_device_lister device_at)
{
  pl_device_info info;
  pl_text list;
  pl_text_init(&list, pl);
  for (int i = 0; !device_at(pl, i, &info); i++)
    pl_text_add(&list, "%s%s \"%s\"", i ? ", " : "", info.number, info.name);
  pl_err err =
    pl_fail(pl, PL_ERR_OPTION, "option device: no %s device has the number or the name \"%s\"; there is %s",
            kind, pl_opt(pl, PL_OPT_DEVICE), list.failed ? "another" : pl_text_string(&list));
  pl_text_free(&list);
  return err;
}

/* ---- preparing: what the device can do ---- */

static pl_err refuse(const pl_loop *loop, int i, const char *why)
{
  char name[PL_ARG_NAME];
  return pl_fail(loop->pl, PL_ERR_BACKEND, "loop \"%s\", %s: %s", loop->kernel->name,
                 pl_arg_name(loop->args, i, name), why);
}

/* The teams of a pair map's list are as long as they are. */
static bool has_teams(const pl_loop *loop)
{
  return loop->set->pairs && loop->set->pairs->pair_map;
}

/* Atomics do for sums and extremes of 4 and 8 bytes; assignments in a fixed order need colours. */
static bool can_be_atomic(const pl_device *device, const pl_arg *arg)
{
  size_t size = pl_type_size(pl_type_base(pl_arg_type(arg)));
  if (arg->access == PL_RW || arg->access == PL_WRITE || size < 4) return false;
  return size != 8 || device->has_atomics_64;
}

static pl_err check_device(const pl_device *device, const pl_loop *loop)
{
  const pl_kernel_options *extras = pl_kernel_extras(loop->kernel);
  if (extras->cpp || extras->headers || extras->link_args || extras->setup || extras->include_dirs)
    return pl_fail(
      loop->pl, PL_ERR_BACKEND,
      "kernel \"%s\" needs the host (C++, headers, libraries or setup); backend %s cannot run it",
      loop->kernel->name, device->driver->name);
  if (has_teams(loop) && device->max_block < PL_PAIR_BLOCK)
    return pl_fail(loop->pl, PL_ERR_BACKEND, "pair loop \"%s\": the device runs groups of %d; it takes %d",
                   loop->kernel->name, device->max_block, PL_PAIR_BLOCK);
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->kind == PL_ARG_POINTER)
      return refuse(loop, i, "a pointer of the program's own means nothing on a device");
    if (arg->kind == PL_ARG_DAT && pl_arg_is_row(arg) && pl_type_is_complex(pl_arg_type(arg)))
      return refuse(loop, i, "rows of complex values are for the host");
    if (loop->set->pairs && pl_pair_scatters(loop) && pl_arg_writes(arg) && arg->kind == PL_ARG_DAT &&
        !can_be_atomic(device, arg))
      return refuse(loop, i, "pairs collide here, and the device has no atomics for this type");
    if (!device->has_double && pl_type_base(pl_arg_seen_type(arg)) == PL_DOUBLE)
      return refuse(loop, i, "the device has no double precision; use float, or another device");
  }
  return PL_SUCCESS;
}

/* ---- preparing ---- */

static pl_err make_buffers(pl_device *device, pl_device_code *code)
{
  pl_loop *loop = code->loop;
  size_t n = (size_t)loop->nargs;
  code->const_values = pl_calloc(loop->pl, n, sizeof *code->const_values);
  if (!code->const_values) return pl_fail_memory(loop->pl, n * sizeof(void *));
  code->const_version = UINT64_MAX;
  const pl_source *source = &code->way[0].program.source;
  if (source->const_count) {
    code->near_consts = pl_calloc(loop->pl, 1, source->const_bytes);
    if (!code->near_consts) return pl_fail_memory(loop->pl, source->const_bytes);
    if (!code->way[0].style.dialect->consts_by_value)
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

/* The first way that can be had or, to be measured, all. */
static pl_err make_ways(pl_device *device, pl_device_code *code, int n, const pl_conflict *list,
                        bool measured, char *why)
{
  for (int i = 0; i < n && (measured || !code->nways); i++) {
    bool fits;
    char no[PL_VARIANT];
    pl_way *way = &code->way[code->nways];
    pl_err err = pl_way_make(device, code->loop, &code->signature, list[i], way, &fits, no);
    if (err || !fits) pl_way_free(device, way);
    if (err) return err;
    if (!fits) memcpy(why, no, sizeof no);
    code->nways += fits;
  }
  if (!code->nways)
    return pl_fail(device->pl, PL_ERR_BACKEND, "loop \"%s\": %s", code->loop->kernel->name, why);
  return PL_SUCCESS;
}

static const char *name_way(const pl_device_code *code)
{
  if (code->loop->set->pairs) return pl_pair_scatters(code->loop) ? "pairs atomic" : "pairs full";
  return pl_collides(code->loop) ? pl_conflict_name(code->way[0].style.conflict) : "direct";
}

static void name_variant(pl_device_code *code, bool measured, const char *why)
{
  const char *name = name_way(code);
  size_t size = sizeof code->variant;
  code->trial = measured && code->nways > 1 ? 0 : -1;
  if (code->trial == 0)
    snprintf(code->variant, size, "auto: being measured");
  else if (*why && code->nways == 1)
    snprintf(code->variant, size, "%s (%.*s)", name, (int)size - 24, why);
  else if (!*code->variant)
    snprintf(code->variant, size, "%s", name);
}

static pl_err fill_ways(pl_device *device, pl_device_code *code)
{
  pl_loop *loop = code->loop;
  pl_conflict list[PL_MOST_WAYS];
  bool measured;
  char why[PL_VARIANT];
  for (int i = 0; i < loop->nargs; i++)
    if (pl_arg_dat_of(&loop->args[i])) pl_device_choose_layout(loop->args[i].object);
  int n = pl_ways_wanted(device, loop, list, &measured, why);
  PL_TRY(pl_measure_recall(device, code, &n, list, &measured));
  PL_TRY(make_ways(device, code, n, list, measured, why));
  name_variant(code, measured, why);
  return PL_SUCCESS;
}

/* What results are compared with: the loop on the host, element by element. */
static pl_err make_plain(pl_device *device, pl_device_code *code)
{
  if (!pl_opt_flag(device->pl, PL_OPT_CHECK)) return PL_SUCCESS;
  if (!device->host) PL_TRY(pl_host_new(device->pl, 1, &device->host));
  return pl_host_plain_new(device->host, code->loop, &code->plain);
}

pl_err pl_device_run_plain(pl_context *pl, pl_loop *loop, const pl_part *part)
{
  pl_device_code *code = loop->code;
  if (code->plain) return pl_host_plain_run(code->plain, part);
  return pl_fail(pl, PL_ERR_INTERNAL, "loop \"%s\" was prepared without its plain form", loop->kernel->name);
}

/* Of a launch, as run_kernel() hands them over. */
static int count_parameters(const pl_device_code *code, const pl_way *way)
{
  const pl_loop *loop = code->loop;
  const pl_way_part *on = &way->part[0];
  int n = 2 + (on->plan != NULL) + on->nbuffers + on->nplaces + (way->style.words != 0) +
          way->program.nslots + (loop->set->indices != NULL) + 2 * way->style.ends;
  for (int i = 0; i < loop->nargs; i++) {
    n += way->contribution && way->contribution[i];
    n += way->style.ends && pl_arg_reduces(&loop->args[i]);
  }
  return n;
}

static pl_err check_parameters(const pl_loop *loop, int n)
{
  if (n <= MOST_ARGS) return PL_SUCCESS;
  return pl_fail(loop->pl, PL_ERR_RANGE, "loop \"%s\" needs %d kernel parameters; a device takes at most %d",
                 loop->kernel->name, n, MOST_ARGS);
}

static pl_err fill_code(pl_device *device, pl_device_code *code)
{
  pl_loop *loop = code->loop;
  PL_TRY(pl_signature_parse(loop->pl, loop->kernel, &code->signature));
  PL_TRY(pl_signature_bind(loop->pl, loop, &code->signature));
  PL_TRY(check_device(device, loop));
  loop->stores = pl_pair_stores(loop);
  PL_TRY(fill_ways(device, code));
  for (int i = 0; i < code->nways; i++) PL_TRY(check_parameters(loop, count_parameters(code, &code->way[i])));
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].map && !loop->args[i].off) PL_TRY(pl_device_map(device, loop->args[i].map));
  if (loop->set->pairs) PL_TRY(pl_device_map(device, loop->set->pairs));
  if (loop->blocks && !loop->blocks->device)
    PL_TRY(pl_device_copy_in(device, loop->blocks->first, ((size_t)loop->blocks->nblocks + 1) * sizeof(int),
                             &loop->blocks->device));
  PL_TRY(pl_device_subset(device, loop->set));
  for (int i = 0; i < loop->nargs; i++) PL_TRY(pl_device_numbers(device, (pl_set *)pl_arg_numbered(loop, i)));
  PL_TRY(make_plain(device, code));
  return make_buffers(device, code);
}

pl_err pl_device_prepare(pl_context *pl, pl_loop *loop)
{
  pl_device_code *code = pl_calloc(pl, 1, sizeof *code);
  if (!code) return pl_fail_memory(pl, sizeof *code);
  code->loop = loop;
  code->signature.pl = pl;
  pl_text_init(&code->record, pl);
  loop->code = code;
  loop->variant = code->variant;
  pl_err err = fill_code(pl_device_of(pl), code);
  if (err) pl_device_release(pl, loop);
  return err;
}

void pl_device_release(pl_context *pl, pl_loop *loop)
{
  pl_device *device = pl_device_of(pl);
  pl_device_code *code = loop->code;
  if (!code) return;
  for (int i = 0; i < PL_MOST_WAYS; i++) pl_way_free(device, &code->way[i]);
  for (int i = 0; code->const_values && i < loop->nargs; i++)
    device->driver->free(device, code->const_values[i]);
  pl_free(pl, code->const_values);
  device->driver->free(device, code->consts);
  pl_free(pl, code->near_consts);
  pl_measure_close(device, code);
  pl_text_free(&code->record);
  pl_signature_free(&code->signature);
  pl_host_plain_free(pl, code->plain);
  pl_free(pl, code);
  loop->code = NULL;
  loop->variant = NULL;
}

/* ---- running: data ---- */

/* Whether argument i overwrites its dat without reading it: every value of every element. */
static bool covers(const pl_loop *loop, const pl_arg *arg)
{
  const pl_dat *dat = arg->object;
  return arg->access == PL_WRITE && !arg->map && arg->component < 0 && !loop->set->indices &&
         loop->set->part[1] == loop->set->part[3] && loop->set == dat->set;
}

static bool needs_values(const pl_loop *loop, const pl_dat *dat)
{
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].object == dat && !loop->args[i].off && !covers(loop, &loop->args[i]) &&
        !(loop->args[i].zeroed && loop->stores))
      return true;
  return false;
}

static bool is_zero(const pl_global *global)
{
  const char *byte = global->value;
  size_t n = (size_t)global->dim * pl_type_size(global->type);
  while (n && !byte[n - 1]) n--;
  return n == 0;
}

/* A global that is zero on the host and the end of a sum need not be sent: the sum starts from zero. */
static pl_err bring_global(pl_device *device, pl_device_code *code, int i)
{
  const pl_arg *arg = &code->loop->args[i];
  pl_global *global = arg->object;
  bool first = true;
  for (int j = 0; j < i; j++) first &= code->loop->args[j].object != global;
  if (!first || global->device_valid || !pl_may_be_fresh(arg, i) || !is_zero(global))
    return first ? pl_device_global(device, global) : PL_SUCCESS;
  code->fresh |= 1 << i;
  return pl_device_global_buffer(device, global);
}

static pl_err bring_argument(pl_device *device, pl_device_code *code, int i)
{
  const pl_arg *arg = &code->loop->args[i];
  if (arg->off) return PL_SUCCESS;
  if (code->loop->set->pairs && pl_pair_from_records(code->loop, arg)) return PL_SUCCESS;
  if (pl_arg_dat_of(arg)) return pl_dat_device(arg->object, needs_values(code->loop, arg->object));
  return arg->kind == PL_ARG_GLOBAL ? bring_global(device, code, i) : PL_SUCCESS;
}

static pl_err refresh_consts(pl_device *device, pl_device_code *code)
{
  pl_context *pl = device->pl;
  if (code->const_version == pl->const_version) return PL_SUCCESS;
  const pl_source *source = &code->way[0].program.source;
  if (code->near_consts) pl_source_fill_consts(source, code->near_consts);
  if (code->consts)
    PL_TRY(device->driver->upload(device, code->consts, code->near_consts, source->const_bytes));
  for (int i = 0; i < code->loop->nargs; i++) {
    const pl_const *constant = code->loop->args[i].object;
    if (code->loop->args[i].kind != PL_ARG_CONST) continue;
    size_t bytes = (size_t)constant->dim * pl_type_size(constant->type);
    PL_TRY(device->driver->upload(device, code->const_values[i], constant->value, bytes));
  }
  code->const_version = pl->const_version;
  return PL_SUCCESS;
}

static pl_err bring_data(pl_device *device, pl_device_code *code)
{
  pl_loop *loop = code->loop;
  code->fresh = 0;
  if (has_teams(loop)) PL_TRY(pl_device_pairs(device, loop->set->pairs));
  for (int i = 0; i < loop->nargs; i++) {
    PL_TRY(bring_argument(device, code, i));
    PL_TRY(pl_device_numbers(device, (pl_set *)pl_arg_numbered(loop, i))); /* particles come and go */
  }
  return refresh_consts(device, code);
}

/* ---- running: launches ---- */

typedef struct arg_list {
  int n;
  pl_launch_arg arg[MOST_ARGS];
} arg_list;

static void push(arg_list *list, size_t size, const void *value)
{
  if (list->n < MOST_ARGS) list->arg[list->n] = (pl_launch_arg){size, value};
  list->n++;
}

static void push_buffer(arg_list *list, void *const *buffer)
{
  push(list, sizeof(void *), buffer);
}

static void push_dat(arg_list *list, const pl_arg *arg, bool stride)
{
  pl_dat *dat = arg->object;
  if (stride)
    push(list, sizeof(int), &dat->room);
  else
    push_buffer(list, &dat->device);
}

/* What a slot of the pairs stands for; NULL for any other. */
static void *const *pair_buffer(const pl_map *map, pl_slot_kind kind)
{
  switch (kind) {
  case PL_SLOT_PAIR_ROW:
    return map->pair_map ? &map->pairs->device->row : &map->device_offset;
  case PL_SLOT_PAIR_ENTRY:
    return map->pair_map ? &map->pairs->device->entry : &map->device;
  case PL_SLOT_PAIR_RECORD:
    return &map->pairs->device->record;
  case PL_SLOT_PAIR_CUTOFF:
    return &map->pairs->device->cutoff;
  case PL_SLOT_PAIR_OWNER:
    return &map->pairs->device->owner;
  case PL_SLOT_PAIR_COUNT:
    return &map->pairs->device->count;
  case PL_SLOT_PAIR_STALE:
    return &map->pairs->device->stale;
  default:
    return NULL;
  }
}

static void push_slot(arg_list *list, pl_device_code *code, pl_way *way, const pl_slot *slot)
{
  const pl_arg *arg = slot->arg >= 0 ? &code->loop->args[slot->arg] : NULL;
  void *const *pairs = pair_buffer(code->loop->set->pairs, slot->kind);
  if (pairs) {
    push_buffer(list, pairs);
    return;
  }
  switch (slot->kind) {
  case PL_SLOT_DAT:
  case PL_SLOT_STRIDE:
    push_dat(list, arg, slot->kind == PL_SLOT_STRIDE);
    break;
  case PL_SLOT_MAP:
    push_buffer(list, &arg->map->device);
    break;
  case PL_SLOT_OFFSET:
    push_buffer(list, &arg->map->device_offset);
    break;
  case PL_SLOT_VALUE:
    push_buffer(list, arg->kind == PL_ARG_CONST ? &code->const_values[slot->arg]
                                                : &((pl_global *)arg->object)->device);
    break;
  case PL_SLOT_NUMBERS:
    push_buffer(list, &pl_arg_numbered(code->loop, slot->arg)->global_device);
    break;
  case PL_SLOT_RESULT:
    push_buffer(list, &way->partial[slot->arg]);
    break;
  case PL_SLOT_WHERE:
    push_buffer(list, &way->where[slot->arg]);
    break;
  case PL_SLOT_BLOCKS:
    push_buffer(list, &code->loop->blocks->device);
    break;
  default:
    if (code->consts)
      push_buffer(list, &code->consts);
    else
      push(list, way->program.source.const_bytes, code->near_consts);
    break;
  }
}

static pl_err launch(pl_device *device, const pl_way *way, void *kernel, int blocks, int size, size_t shared,
                     const arg_list *list)
{
  PL_TRY(check_parameters(way->loop, list->n));
  return device->driver->launch(device, kernel, blocks, size, shared, list->n, list->arg);
}

/* What belongs to the way, in the order of the text's parameters. */
static void push_way(arg_list *list, pl_way *way, const pl_way_part *on, const int *first)
{
  if (on->plan) push(list, sizeof(int), first);
  for (int i = 0; way->style.conflict != PL_STORED && i < on->nbuffers; i++)
    push_buffer(list, &on->buffer[i]);
  for (int i = 0; i < on->nplaces; i++) push(list, sizeof(int), &on->place[i]);
  if (way->style.words) push(list, sizeof(int), &way->rows);
  for (int i = 0; way->contribution && i < way->loop->nargs; i++)
    if (way->contribution[i]) push_buffer(list, &way->contribution[i]);
}

/* What the last block needs to end the reductions. */
static void push_end(arg_list *list, pl_device_code *code, const pl_way *way, bool reduces)
{
  static void *const none = NULL;
  const pl_loop *loop = code->loop;
  if (!way->style.ends) return;
  push_buffer(list, reduces ? &way->drawn : &none);
  push(list, sizeof(int), &code->fresh);
  for (int i = 0; i < loop->nargs; i++)
    if (pl_arg_reduces(&loop->args[i])) push_buffer(list, &((pl_global *)loop->args[i].object)->device);
}

static pl_err run_kernel(pl_device *device, pl_device_code *code, pl_way *way, pl_run range,
                         const pl_way_part *on, int first, int blocks, bool reduces)
{
  arg_list list = {0};
  if (way->style.whole && (range.end - range.begin) % way->style.block_size)
    return pl_fail(device->pl, PL_ERR_INTERNAL, "loop \"%s\": a block is not full", code->loop->kernel->name);
  push(&list, sizeof(int), &range.begin);
  push(&list, sizeof(int), &range.end);
  push_way(&list, way, on, &first);
  if (code->loop->set->indices && way->style.conflict != PL_GATHER)
    push_buffer(&list, &code->loop->set->device);
  push_end(&list, code, way, reduces);
  for (int s = 0; s < way->program.nslots; s++) push_slot(&list, code, way, &way->program.slot[s]);
  return launch(device, way, way->run, blocks, way->style.block_size, on->shared, &list);
}

/* Each target adds up what was stored for it. */
static pl_err run_sum(pl_device *device, pl_way *way)
{
  const int begin = 0;
  const pl_loop *loop = way->loop;
  arg_list list = {0};
  push(&list, sizeof(int), &begin);
  push(&list, sizeof(int), &way->ntargets);
  for (int i = 0; i < way->part[0].nbuffers; i++) push_buffer(&list, &way->part[0].buffer[i]);
  for (int i = 0; i < loop->nargs; i++)
    if (way->contribution[i]) push_buffer(&list, &way->contribution[i]);
  for (int i = 0; i < loop->nargs; i++) {
    if (!way->contribution[i]) continue;
    push_dat(&list, &loop->args[i], false);
    if (pl_loop_text_strides(&way->program, i)) push_dat(&list, &loop->args[i], true);
  }
  int blocks = pl_way_blocks(way, way->ntargets);
  return blocks ? launch(device, way, way->sum, blocks, way->style.block_size, 0, &list) : PL_SUCCESS;
}

/* Whether no elements are left to be run after this part. */
static bool is_last(const pl_loop *loop, const pl_part *part)
{
  return part->end == loop->set->part[loop->runs_halo ? 2 : 1];
}

static pl_err run_targets(pl_device *device, pl_device_code *code, pl_way *way, int end)
{
  const pl_run range = {way->done, end};
  int blocks = pl_way_blocks(way, range.end - range.begin);
  way->done = end;
  return blocks ? run_kernel(device, code, way, range, &way->part[0], 0, blocks, false) : PL_SUCCESS;
}

/* Turned round, all elements are run at once, by their targets: those that the core alone reaches while an
 * exchange is under way, the rest right behind it or, while ways are tried, in the last part. */
static pl_err run_turned(pl_device *device, pl_device_code *code, pl_way *way, const pl_part *part)
{
  bool last = is_last(code->loop, part), ahead = !part->number && pl_halo_busy(device->pl);
  if (!part->number) way->done = 0;
  if (!last && ahead && code->trial < 0) PL_TRY(pl_device_leave_rest(device, code));
  if (last || ahead) PL_TRY(run_targets(device, code, way, last ? way->ntargets : way->early));
  if (last) way->done = 0; /* a rank without a core begins with a later part */
  return PL_SUCCESS;
}

pl_err pl_device_run_rest(pl_device *device)
{
  pl_device_code *code = device->turned;
  if (!code) return PL_SUCCESS;
  pl_way *way = &code->way[code->now];
  device->turned = NULL;
  return run_targets(device, code, way, way->ntargets);
}

static pl_err run_part(pl_device *device, pl_device_code *code, pl_way *way, const pl_part *part)
{
  const pl_way_part *on = &way->part[part->number];
  const pl_run range = {part->begin, part->end};
  bool indirect = pl_collides(code->loop), last = is_last(code->loop, part);
  if (indirect && way->style.conflict == PL_GATHER) return run_turned(device, code, way, part);
  if (!on->plan) {
    int n = way->finish || way->style.ends ? pl_way_results(way, part)
                                           : pl_way_blocks(way, part->end - part->begin);
    PL_TRY(run_kernel(device, code, way, range, on, 0, n, part->reduces));
    return indirect && way->style.conflict == PL_STORED && last ? run_sum(device, way) : PL_SUCCESS;
  }
  const int *offset = on->plan->colour_offset;
  for (int c = 0; c < on->plan->ncolours; c++)
    PL_TRY(run_kernel(device, code, way, range, on, offset[c], offset[c + 1] - offset[c], false));
  return PL_SUCCESS;
}

static pl_err finish_part(pl_device *device, pl_device_code *code, pl_way *way, const pl_part *part)
{
  const pl_loop *loop = code->loop;
  int blocks = pl_way_results(way, part), fresh = code->fresh | (part->begin ? 0 : INT32_MIN);
  arg_list list = {0};
  push(&list, sizeof(int), &blocks);
  push(&list, sizeof(int), &fresh);
  for (int i = 0; i < loop->nargs; i++) {
    if (!pl_arg_reduces(&loop->args[i])) continue;
    push_buffer(&list, &way->partial[i]);
    push_buffer(&list, &((pl_global *)loop->args[i].object)->device);
    if (way->where[i]) push_buffer(&list, &way->where[i]);
    if (way->where[i]) push_buffer(&list, &way->won[i]);
  }
  return launch(device, way, way->finish, 1, way->program.finish_size, 0, &list);
}

pl_err pl_device_where(pl_context *pl, const pl_loop *loop, int i, int64_t *where)
{
  const pl_device_code *code = loop->code;
  pl_device *device = pl_device_of(pl);
  *where = -1;
  return loop->set->part[1]
           ? device->driver->download(device, where, code->way[code->now].won[i], sizeof *where)
           : PL_SUCCESS;
}

static void mark_written(pl_loop *loop, const pl_part *part)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_writes(arg)) continue;
    if (pl_arg_dat_of(arg)) pl_dat_device_written(arg->object);
    if (arg->kind == PL_ARG_GLOBAL && part->reduces) pl_global_device_written(arg->object);
  }
}

/* The list did not hold any more: the loop has done nothing yet. */
static pl_err confirm_pairs(pl_device *device, pl_device_code *code, pl_way *way, const pl_part *part)
{
  bool again = false;
  if (has_teams(code->loop)) PL_TRY(pl_device_pairs_confirm(device, code->loop->set->pairs, &again));
  if (!again) return PL_SUCCESS;
  PL_TRY(bring_data(device, code));
  return run_part(device, code, way, part);
}

bool pl_device_joins(pl_context *pl, const pl_loop *loop)
{
  const pl_device_code *code = loop->code;
  return (void)pl, !pl_way_is_planned(&code->way[code->now]);
}

pl_err pl_device_run(pl_context *pl, pl_loop *loop, const pl_part *part)
{
  pl_device *device = pl_device_of(pl);
  pl_device_code *code = loop->code;
  pl_way *way = &code->way[code->now];
  PL_TRY(bring_data(device, code));
  PL_TRY(pl_measure_begin(device, code));
  PL_TRY(run_part(device, code, way, part));
  PL_TRY(confirm_pairs(device, code, way, part));
  if (way->finish && part->reduces) PL_TRY(finish_part(device, code, way, part));
  mark_written(loop, part);
  return pl_measure_end(device, code, is_last(loop, part));
}
