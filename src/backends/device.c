/* SPDX-License-Identifier: BSD-2-Clause
 * The device backends: how a loop is prepared and run over a driver.
 */
#include "device.h"
#include "codegen/dump.h"
#include "codegen/pair.h"
#include "core/memory.h"
#include "core/pairs.h"
#include "core/profile.h"
#include "plan/inverse.h"
#include <string.h>

enum { PARTS = 3, DEFAULT_BLOCK = 128 };

/* A plan's arrays on the device. */
typedef struct device_plan {
  const pl_plan *plan; /* NULL: nothing collides, or atomics */
  void *blocks, *colours, *element_colour;
} device_plan;

typedef struct device_code {
  pl_loop *loop;
  pl_signature signature;
  pl_loop_text program;
  void *run, *finish; /* kernels; finish is NULL without reductions */
  pl_conflict conflict;
  void *offset, *entry; /* the inverse map of a loop turned round, over ntargets */
  int ntargets;
  int fresh; /* sums of this run whose globals are zero and not on the device */
  int block_size;
  device_plan plan[PARTS];
  void **partial;      /* by argument: what each block found */
  void **where;        /* by argument */
  int partial_blocks;  /* room in them */
  void *consts;        /* struct pl_consts */
  void **const_values; /* by argument: consts handed over as arguments */
  uint64_t const_version;
  char variant[64];
} device_code;

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
  pl_log(pl, 1, "backend %s on device %s", driver->name, device->name);
  *state = device;
  return PL_SUCCESS;
}

void pl_device_close(pl_context *pl)
{
  pl_device *device = pl_device_of(pl);
  pl_device_scans_free(device);
  pl_modules_close(device);
  if (device->staging) device->driver->free(device, device->staging);
  device->driver->close(device);
  pl_cache_close(&device->cache);
  pl_free(pl, device);
}

pl_err pl_device_sync(pl_context *pl)
{
  pl_device *device = pl_device_of(pl);
  return device->driver->sync(device);
}

/* ---- naming devices ---- */

void pl_device_describe(const pl_device *device, pl_device_info *info)
{
  snprintf(info->name, sizeof info->name, "%s", device->name);
  snprintf(info->version, sizeof info->version, "%s", device->version);
  info->has_double = device->has_double;
  info->has_atomics_64 = device->has_atomics_64;
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

/* Elements of a block. */
static int block_elements(const pl_loop *loop, int block_size)
{
  return has_teams(loop) ? PL_PAIR_SLICE : block_size;
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
    if (!device->has_double && pl_type_base(pl_arg_type(arg)) == PL_DOUBLE)
      return refuse(loop, i, "the device has no double precision; use float, or another device");
  }
  return PL_SUCCESS;
}

static bool all_can_be_atomic(const pl_device *device, const pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].map && pl_arg_writes(&loop->args[i]) && !can_be_atomic(device, &loop->args[i]))
      return false;
  return true;
}

/* Increments of a loop for each target that they could reach; 0 if the loop cannot be turned round. */
static double gather_density(const pl_loop *loop)
{
  pl_reach *reach = pl_calloc(loop->pl, (size_t)pl_gather_most(loop), sizeof *reach);
  int n = reach ? pl_gather_slots(loop, reach) : 0;
  double targets = n ? (double)reach[0].map->to->part[3] : 1;
  pl_free(loop->pl, reach);
  return (double)n * loop->set->part[3] / (targets > 0 ? targets : 1);
}

/* What the option asks for where that is right for the loop, else what is. Gathering and colours give the
 * same bits in every run. */
static pl_conflict choose_conflict(const pl_device *device, const pl_loop *loop)
{
  pl_context *pl = device->pl;
  bool automatic = pl_opt_is(pl, PL_OPT_CONFLICT, "auto"), same_bits = pl_opt_flag(pl, PL_OPT_REPRODUCIBLE);
  double density = gather_density(loop);
  if (density > 0 && (pl_opt_is(pl, PL_OPT_CONFLICT, "gather") || (automatic && (density >= 1 || same_bits))))
    return PL_GATHER;
  if (((automatic && !same_bits) || pl_opt_is(pl, PL_OPT_CONFLICT, "atomic")) &&
      all_can_be_atomic(device, loop))
    return PL_ATOMIC;
  return PL_COLOUR;
}

static int choose_block(const pl_device *device, const pl_loop *loop)
{
  if (has_teams(loop)) return PL_PAIR_BLOCK;
  int asked = (int)pl_opt_count(device->pl, PL_OPT_BLOCK_SIZE), block = asked ? asked : DEFAULT_BLOCK;
  return block < device->max_block ? block : device->max_block;
}

/* ---- preparing: text and kernels ---- */

static pl_err build(pl_device *device, device_code *code, bool relayout)
{
  pl_loop *loop = code->loop;
  pl_context *pl = loop->pl;
  const pl_walk_style style = {.dialect = pl_dialect_find(device->driver->name),
                               .conflict = code->conflict,
                               .block_size = code->block_size,
                               .max_block = device->max_block,
                               .relayout = relayout};
  pl_module *module;
  double start = pl_now();
  PL_TRY(pl_walk(loop, &code->signature, &style, &code->program));
  pl->stats.generate_seconds += pl_now() - start;
  PL_TRY(pl_dump(pl, loop, style.dialect, &code->program.text));
  PL_TRY(pl_module_get(device, loop->kernel->name, pl_text_string(&code->program.text), &module));
  PL_TRY(pl_module_kernel(module, "pl_run", &code->run));
  for (int i = 0; i < loop->nargs; i++)
    if (pl_arg_reduces(&loop->args[i])) return pl_module_kernel(module, "pl_finish", &code->finish);
  return PL_SUCCESS;
}

static pl_err make_kernels(pl_device *device, device_code *code)
{
  for (int i = 0; i < code->loop->nargs; i++)
    if (pl_arg_dat_of(&code->loop->args[i])) pl_device_choose_layout(code->loop->args[i].object);
  pl_err err = build(device, code, false);
  if (err != PL_ERR_COMPILE || !code->loop->kernel->body) return err;
  pl_loop_text_free(&code->program);
  return build(device, code, true);
}

/* ---- preparing: plans ---- */

static pl_err send_plan(pl_device *device, const pl_plan *plan, device_plan *on)
{
  size_t n = (size_t)(plan->end - plan->begin) * sizeof(int), blocks = (size_t)plan->nblocks * sizeof(int);
  PL_TRY(pl_device_copy_in(device, plan->block, blocks, &on->blocks));
  PL_TRY(pl_device_copy_in(device, plan->element_colours, blocks, &on->colours));
  PL_TRY(pl_device_copy_in(device, plan->element_colour, n, &on->element_colour));
  on->plan = plan;
  return PL_SUCCESS;
}

static pl_err plan_part(pl_device *device, device_code *code, int p, const pl_reach *reach, int nreach)
{
  const int *part = code->loop->set->part;
  const pl_plan_request request = {.set = code->loop->set,
                                   .begin = p ? part[p - 1] : 0,
                                   .end = part[p],
                                   .block_size = code->block_size,
                                   .nconflict = nreach,
                                   .conflict = reach,
                                   .element_colours = true};
  const pl_plan *plan;
  if (request.begin == request.end) return PL_SUCCESS;
  PL_TRY(pl_plan_get(device->pl, &request, &plan));
  return send_plan(device, plan, &code->plan[p]);
}

static pl_err send_inverse(pl_device *device, device_code *code, const pl_inverse *inverse)
{
  code->ntargets = inverse->ntargets;
  PL_TRY(
    pl_device_copy_in(device, inverse->offset, ((size_t)inverse->ntargets + 1) * sizeof(int), &code->offset));
  return pl_device_copy_in(device, inverse->entry, (size_t)inverse->nentries * sizeof(int), &code->entry);
}

static pl_err make_inverse(pl_device *device, device_code *code)
{
  pl_loop *loop = code->loop;
  pl_inverse inverse;
  double start = pl_now();
  pl_reach *reach = pl_calloc(loop->pl, (size_t)pl_gather_most(loop), sizeof *reach);
  if (!reach) return pl_fail_memory(loop->pl, sizeof *reach);
  pl_err err = pl_inverse_build(loop->pl, loop->set, pl_gather_slots(loop, reach), reach, &inverse);
  pl_free(loop->pl, reach);
  if (err) return err;
  loop->pl->stats.plan_seconds += pl_now() - start;
  err = send_inverse(device, code, &inverse);
  pl_inverse_free(loop->pl, &inverse);
  return err;
}

static pl_err make_plans(pl_device *device, device_code *code)
{
  pl_loop *loop = code->loop;
  if (!loop->indirect_write || code->conflict == PL_ATOMIC) return PL_SUCCESS;
  if (code->conflict == PL_GATHER) return make_inverse(device, code);
  pl_reach *reach = pl_calloc(loop->pl, (size_t)loop->nargs, sizeof *reach);
  if (!reach) return pl_fail_memory(loop->pl, (size_t)loop->nargs * sizeof *reach);
  int nreach = pl_plan_conflicts(loop, reach);
  pl_err err = PL_SUCCESS;
  for (int p = 0; p < PARTS && !err; p++) err = plan_part(device, code, p, reach, nreach);
  pl_free(loop->pl, reach);
  return err;
}

/* ---- preparing: buffers ---- */

static int blocks_for(const device_code *code, int n)
{
  int each = block_elements(code->loop, code->block_size);
  return (int)(((int64_t)n + each - 1) / each);
}

/* A set that changes its size has its elements in the first part. */
static int most_blocks(const device_code *code)
{
  const pl_set *set = code->loop->set;
  int most = 0;
  for (int p = 0; p < PARTS; p++) {
    int n = set->part[p] - (p ? set->part[p - 1] : set->part[3] - pl_set_room(set));
    int blocks = blocks_for(code, n);
    if (blocks > most) most = blocks;
  }
  return most;
}

static pl_err make_buffers(pl_device *device, device_code *code)
{
  pl_loop *loop = code->loop;
  size_t n = (size_t)loop->nargs, blocks = (size_t)most_blocks(code);
  void ***lists[] = {&code->partial, &code->where, &code->const_values};
  for (int l = 0; l < 3; l++)
    if (!(*lists[l] = pl_calloc(loop->pl, n, sizeof **lists[l])))
      return pl_fail_memory(loop->pl, n * sizeof(void *));
  code->const_version = UINT64_MAX;
  if (code->program.source.const_count)
    PL_TRY(device->driver->alloc(device, code->program.source.const_bytes, &code->consts));
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    size_t bytes = arg->kind == PL_ARG_POINTER ? 0 : (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg));
    if (arg->kind == PL_ARG_CONST) PL_TRY(device->driver->alloc(device, bytes, &code->const_values[i]));
    if (pl_arg_reduces(arg)) PL_TRY(device->driver->alloc(device, blocks * bytes, &code->partial[i]));
    if (pl_has_payload(loop, i))
      PL_TRY(device->driver->alloc(device, blocks * sizeof(int64_t), &code->where[i]));
  }
  return PL_SUCCESS;
}

static pl_err fill_code(pl_device *device, device_code *code)
{
  pl_loop *loop = code->loop;
  PL_TRY(pl_signature_parse(loop->pl, loop->kernel, &code->signature));
  PL_TRY(pl_signature_bind(loop->pl, loop, &code->signature));
  PL_TRY(check_device(device, loop));
  if (!loop->set->pairs) code->conflict = choose_conflict(device, loop);
  code->block_size = choose_block(device, loop);
  PL_TRY(make_kernels(device, code));
  PL_TRY(make_plans(device, code));
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].map && !loop->args[i].off) PL_TRY(pl_device_map(device, loop->args[i].map));
  if (loop->set->pairs) PL_TRY(pl_device_map(device, loop->set->pairs));
  PL_TRY(pl_device_subset(device, loop->set));
  for (int i = 0; i < loop->nargs; i++) PL_TRY(pl_device_numbers(device, (pl_set *)pl_arg_numbered(loop, i)));
  snprintf(code->variant, sizeof code->variant, "%s",
           loop->set->pairs       ? pl_pair_scatters(loop) ? "pairs atomic" : "pairs full"
           : loop->indirect_write ? pl_conflict_name(code->conflict)
                                  : "direct");
  return make_buffers(device, code);
}

pl_err pl_device_prepare(pl_context *pl, pl_loop *loop)
{
  device_code *code = pl_calloc(pl, 1, sizeof *code);
  if (!code) return pl_fail_memory(pl, sizeof *code);
  code->loop = loop;
  code->signature.pl = pl;
  loop->code = code;
  loop->variant = code->variant;
  pl_err err = fill_code(pl_device_of(pl), code);
  if (err) pl_device_release(pl, loop);
  return err;
}

static void free_plan(pl_device *device, device_plan *plan)
{
  device->driver->free(device, plan->blocks);
  device->driver->free(device, plan->colours);
  device->driver->free(device, plan->element_colour);
}

void pl_device_release(pl_context *pl, pl_loop *loop)
{
  pl_device *device = pl_device_of(pl);
  device_code *code = loop->code;
  if (!code) return;
  for (int p = 0; p < PARTS; p++) free_plan(device, &code->plan[p]);
  void **lists[] = {code->partial, code->where, code->const_values};
  for (int l = 0; l < 3; l++) {
    for (int i = 0; lists[l] && i < loop->nargs; i++) device->driver->free(device, lists[l][i]);
    pl_free(pl, lists[l]);
  }
  device->driver->free(device, code->consts);
  device->driver->free(device, code->offset);
  device->driver->free(device, code->entry);
  pl_loop_text_free(&code->program);
  pl_signature_free(&code->signature);
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
    if (loop->args[i].object == dat && !loop->args[i].off && !covers(loop, &loop->args[i])) return true;
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
static pl_err bring_global(pl_device *device, device_code *code, int i)
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

static pl_err bring_argument(pl_device *device, device_code *code, int i)
{
  const pl_arg *arg = &code->loop->args[i];
  if (arg->off) return PL_SUCCESS;
  if (code->loop->set->pairs && pl_pair_from_records(code->loop, arg)) return PL_SUCCESS;
  if (pl_arg_dat_of(arg)) return pl_dat_device(arg->object, needs_values(code->loop, arg->object));
  return arg->kind == PL_ARG_GLOBAL ? bring_global(device, code, i) : PL_SUCCESS;
}

static pl_err refresh_consts(pl_device *device, device_code *code)
{
  pl_context *pl = device->pl;
  if (code->const_version == pl->const_version) return PL_SUCCESS;
  if (code->consts) {
    void *block = pl_calloc(pl, 1, code->program.source.const_bytes);
    if (!block) return pl_fail_memory(pl, code->program.source.const_bytes);
    pl_source_fill_consts(&code->program.source, block);
    pl_err err = device->driver->upload(device, code->consts, block, code->program.source.const_bytes);
    pl_free(pl, block);
    if (err) return err;
  }
  for (int i = 0; i < code->loop->nargs; i++) {
    const pl_const *constant = code->loop->args[i].object;
    if (code->loop->args[i].kind != PL_ARG_CONST) continue;
    size_t bytes = (size_t)constant->dim * pl_type_size(constant->type);
    PL_TRY(device->driver->upload(device, code->const_values[i], constant->value, bytes));
  }
  code->const_version = pl->const_version;
  return PL_SUCCESS;
}

static pl_err bring_data(pl_device *device, device_code *code)
{
  pl_loop *loop = code->loop;
  code->fresh = 0;
  if (has_teams(loop)) PL_TRY(pl_device_pairs(device, loop->set->pairs));
  for (int i = 0; i < loop->nargs; i++) PL_TRY(bring_argument(device, code, i));
  return refresh_consts(device, code);
}

/* ---- running: launches ---- */

enum { MOST_ARGS = 120 };

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

static void push_slot(arg_list *list, device_code *code, const pl_slot *slot)
{
  const pl_map *map = code->loop->set->pairs;
  const pl_arg *arg = slot->arg >= 0 ? &code->loop->args[slot->arg] : NULL;
  switch (slot->kind) {
  case PL_SLOT_DAT:
    push_buffer(list, &((pl_dat *)arg->object)->device);
    break;
  case PL_SLOT_STRIDE:
    push(list, sizeof(int), &((pl_dat *)arg->object)->room);
    break;
  case PL_SLOT_MAP:
    push_buffer(list, &arg->map->device);
    break;
  case PL_SLOT_OFFSET:
    push_buffer(list, &arg->map->device_offset);
    break;
  case PL_SLOT_PAIR_ROW:
    push_buffer(list, map->pair_map ? &map->pairs->device->row : &map->device_offset);
    break;
  case PL_SLOT_PAIR_ENTRY:
    push_buffer(list, map->pair_map ? &map->pairs->device->entry : &map->device);
    break;
  case PL_SLOT_PAIR_RECORD:
    push_buffer(list, &map->pairs->device->record);
    break;
  case PL_SLOT_PAIR_CUTOFF:
    push_buffer(list, &map->pairs->device->cutoff);
    break;
  case PL_SLOT_PAIR_OWNER:
    push_buffer(list, &map->pairs->device->owner);
    break;
  case PL_SLOT_PAIR_COUNT:
    push_buffer(list, &map->pairs->device->count);
    break;
  case PL_SLOT_VALUE:
    push_buffer(list, arg->kind == PL_ARG_CONST ? &code->const_values[slot->arg]
                                                : &((pl_global *)arg->object)->device);
    break;
  case PL_SLOT_NUMBERS:
    push_buffer(list, &pl_arg_numbered(code->loop, slot->arg)->global_device);
    break;
  case PL_SLOT_RESULT:
    push_buffer(list, &code->partial[slot->arg]);
    break;
  case PL_SLOT_WHERE:
    push_buffer(list, &code->where[slot->arg]);
    break;
  default:
    push_buffer(list, &code->consts);
    break;
  }
}

static pl_err launch(pl_device *device, const device_code *code, void *kernel, int blocks, int size,
                     const arg_list *list)
{
  if (list->n > MOST_ARGS)
    return pl_fail(device->pl, PL_ERR_RANGE,
                   "loop \"%s\" needs %d kernel parameters; a device takes at most %d",
                   code->loop->kernel->name, list->n, MOST_ARGS);
  return device->driver->launch(device, kernel, blocks, size, list->n, list->arg);
}

static pl_err run_kernel(pl_device *device, device_code *code, const pl_part *part, const device_plan *plan,
                         int first, int blocks)
{
  arg_list list = {0};
  push(&list, sizeof(int), &part->begin);
  push(&list, sizeof(int), &part->end);
  if (plan->plan) {
    push(&list, sizeof(int), &first);
    push_buffer(&list, &plan->blocks);
    push_buffer(&list, &plan->colours);
    push_buffer(&list, &plan->element_colour);
  }
  if (code->loop->set->indices) push_buffer(&list, &code->loop->set->device);
  for (int s = 0; s < code->program.nslots; s++) push_slot(&list, code, &code->program.slot[s]);
  return launch(device, code, code->run, blocks, code->block_size, &list);
}

static pl_err run_turned(pl_device *device, device_code *code)
{
  const int begin = 0, end = code->ntargets;
  arg_list list = {0};
  push(&list, sizeof(int), &begin);
  push(&list, sizeof(int), &end);
  push_buffer(&list, &code->offset);
  push_buffer(&list, &code->entry);
  for (int s = 0; s < code->program.nslots; s++) push_slot(&list, code, &code->program.slot[s]);
  int blocks = (int)(((int64_t)end + code->block_size - 1) / code->block_size);
  return blocks ? launch(device, code, code->run, blocks, code->block_size, &list) : PL_SUCCESS;
}

static pl_err run_part(pl_device *device, device_code *code, const pl_part *part, const device_plan *plan)
{
  if (code->loop->indirect_write && code->conflict == PL_GATHER) return run_turned(device, code);
  int blocks = blocks_for(code, part->end - part->begin);
  if (!plan->plan) return run_kernel(device, code, part, plan, 0, blocks);
  for (int c = 0; c < plan->plan->ncolours; c++) {
    int first = plan->plan->colour_offset[c];
    PL_TRY(run_kernel(device, code, part, plan, first, plan->plan->colour_offset[c + 1] - first));
  }
  return PL_SUCCESS;
}

static pl_err finish_part(pl_device *device, device_code *code, const pl_part *part)
{
  const pl_loop *loop = code->loop;
  int blocks = blocks_for(code, part->end - part->begin);
  arg_list list = {0};
  push(&list, sizeof(int), &blocks);
  push(&list, sizeof(int), &code->fresh);
  for (int i = 0; i < loop->nargs; i++) {
    if (!pl_arg_reduces(&loop->args[i])) continue;
    push_buffer(&list, &code->partial[i]);
    push_buffer(&list, &((pl_global *)loop->args[i].object)->device);
    if (code->where[i]) push_buffer(&list, &code->where[i]);
  }
  return launch(device, code, code->finish, 1, code->program.finish_size, &list);
}

static void mark_written(pl_loop *loop, const pl_part *part)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_writes(arg)) continue;
    if (arg->kind == PL_ARG_DAT) pl_dat_device_written(arg->object);
    if (arg->kind == PL_ARG_GLOBAL && part->reduces) pl_global_device_written(arg->object);
  }
}

pl_err pl_device_run(pl_context *pl, pl_loop *loop, const pl_part *part)
{
  pl_device *device = pl_device_of(pl);
  device_code *code = loop->code;
  PL_TRY(bring_data(device, code));
  PL_TRY(run_part(device, code, part, &code->plan[part->number]));
  if (code->finish && part->reduces) PL_TRY(finish_part(device, code, part));
  mark_written(loop, part);
  return PL_SUCCESS;
}
