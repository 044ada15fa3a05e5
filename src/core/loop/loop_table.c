/* SPDX-License-Identifier: BSD-2-Clause
 * The loops of a context: created on the first call of a signature, found again by hash, dropped with the
 * objects they use.
 */
#include "loop_table.h"
#include "arg.h"
#include "core/comm/comm.h"
#include "core/data/lowered_args.h"
#include "core/exchange/reverse_exchange.h"
#include "loop_prepare.h"
#include "profile.h"
#include "reduction.h"
#include <string.h>

/* ---- signatures ---- */

/* Pointers of pl_arg_ptr are not part of the signature. */
static uint64_t hash_arg(uint64_t hash, const pl_arg *a)
{
  uint64_t object = pl_arg_is_foreign(a) ? 0 : (uint64_t)(uintptr_t)a->object;
  uint64_t small = (uint64_t)a->kind << 56 ^ (uint64_t)a->access << 48 ^ (uint64_t)(!!a->off) << 40 ^
                   (uint64_t)(uint32_t)a->index << 8 ^ (uint64_t)(uint32_t)(a->component + 1) << 20 ^
                   (uint64_t)(uint32_t)a->fixed << 42 ^ (uint64_t)a->zeroed << 54;
  hash = (hash ^ object) * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ (hash >> 29) ^ (uint64_t)(uintptr_t)a->map) * UINT64_C(0xbf58476d1ce4e5b9);
  return (hash ^ (hash >> 32) ^ small ^ (uint64_t)(uintptr_t)a->with) * UINT64_C(0x94d049bb133111eb);
}

static uint64_t hash_signature(const pl_kernel *kernel, const pl_set *set, int nargs, const pl_arg *args)
{
  uint64_t hash = (uint64_t)(uintptr_t)kernel * 31 + (uint64_t)(uintptr_t)set;
  for (int i = 0; i < nargs; i++) hash = hash_arg(hash, &args[i]);
  return hash ^ (hash >> 31);
}

static bool same_arg(const pl_arg *a, const pl_arg *b)
{
  return a->size == b->size && a->kind == b->kind && a->access == b->access &&
         (a->object == b->object || pl_arg_is_foreign(a)) && a->map == b->map && a->index == b->index &&
         a->component == b->component && a->fixed == b->fixed && a->zeroed == b->zeroed &&
         !a->off == !b->off && a->with == b->with && a->row_mask == b->row_mask &&
         a->column_mask == b->column_mask;
}

static bool is_loop_of(const pl_loop *loop, const pl_kernel *kernel, const pl_set *set, int nargs,
                       const pl_arg *args)
{
  if (loop->kernel != kernel || loop->set != set || loop->nargs != nargs) return false;
  int i = 0;
  while (i < nargs && same_arg(&loop->args[i], &args[i])) i++;
  return i == nargs;
}

static pl_loop *find_loop(uint64_t hash, const pl_kernel *kernel, const pl_set *set, int nargs,
                          const pl_arg *args)
{
  const pl_context *pl = set->node.pl;
  if (!pl->loop_slots) return NULL;
  pl_loop *loop = pl->loop_table[hash & (pl->loop_slots - 1)];
  while (loop && (loop->hash != hash || !is_loop_of(loop, kernel, set, nargs, args))) loop = loop->next;
  return loop;
}

static pl_err grow_table(pl_context *pl)
{
  if (pl->loop_count < pl->loop_slots) return PL_SUCCESS;
  size_t slots = pl->loop_slots ? 2 * pl->loop_slots : 64;
  pl_loop **table = pl_calloc(pl, slots, sizeof *table);
  if (!table) return pl_fail_memory(pl, slots * sizeof *table);
  for (size_t s = 0; s < pl->loop_slots; s++)
    while (pl->loop_table[s]) {
      pl_loop *loop = pl->loop_table[s];
      pl->loop_table[s] = loop->next;
      loop->next = table[loop->hash & (slots - 1)];
      table[loop->hash & (slots - 1)] = loop;
    }
  pl_free(pl, pl->loop_table);
  pl->loop_table = table;
  pl->loop_slots = slots;
  return PL_SUCCESS;
}

/* ---- recent calls ---- */

static pl_loop **recent_place(const pl_kernel *kernel, const pl_set *set)
{
  const uintptr_t place = (uintptr_t)kernel >> 4 ^ (uintptr_t)set >> 5;
  return &set->node.pl->recent_loop[(place ^ place >> 6) % PL_RECENT_LOOPS];
}

pl_loop *pl_loop_recent(const pl_kernel *kernel, const pl_set *set, int nargs, const pl_arg *args)
{
  pl_loop *loop = *recent_place(kernel, set);
  if (!loop || !args || !is_loop_of(loop, kernel, set, nargs, args)) return NULL;
  loop->pl->stats.loops_found++;
  return loop;
}

void pl_loop_keep_recent(pl_loop *loop)
{
  *recent_place(loop->kernel, loop->set) = loop;
}

/* ---- creation ---- */

static void free_results(pl_loop *loop)
{
  for (int i = 0; loop->result && i < loop->nargs; i++) pl_free(loop->pl, loop->result[i]);
  pl_free_all(loop->pl, loop->result, loop->arg_element);
}

static void free_loop(pl_loop *loop)
{
  if (loop->code) loop->pl->backend->release(loop->pl, loop);
  free_results(loop);
  pl_free_all(loop->pl, loop->args, loop->access, loop->title, loop);
}

static bool alloc_results(pl_loop *loop)
{
  size_t n = (size_t)loop->nargs;
  loop->result = pl_calloc(loop->pl, n, sizeof *loop->result);
  loop->arg_element = pl_calloc(loop->pl, n, sizeof *loop->arg_element);
  if (!loop->result || !loop->arg_element) return false;
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_reduces(arg)) continue;
    loop->result[i] = pl_calloc(loop->pl, (size_t)pl_arg_dim(arg), pl_type_size(pl_arg_type(arg)));
    if (!loop->result[i]) return false;
  }
  return true;
}

static void merge_access(pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  int a = 0;
  while (a < loop->naccesses && loop->access[a].object != arg->object) a++;
  pl_loop_access *access = &loop->access[a];
  if (a == loop->naccesses) {
    *access = (pl_loop_access){.object = arg->object,
                               .dat = pl_arg_dat_of(arg),
                               .in_place = true,
                               .mapped = true,
                               .sums = true,
                               .first = i};
    if (pl_arg_traits_of(arg)->of == PL_OF_GLOBAL) access->global = arg->object;
    loop->naccesses++;
  }
  access->reads |= arg->access != PL_WRITE;
  access->writes |= pl_arg_writes(arg);
  access->in_place &= !arg->map;
  access->mapped &= arg->map != NULL;
  access->sums &= arg->access == PL_INC;
  access->collides |= pl_arg_collides(arg);
  access->whole |= arg->component < 0;
  access->parts |= arg->component >= 0;
}

/* Fills loop->access. */
static bool merge_accesses(pl_loop *loop)
{
  loop->access = pl_calloc(loop->pl, (size_t)loop->nargs + 1, sizeof *loop->access);
  for (int i = 0; loop->access && i < loop->nargs; i++)
    if (pl_arg_has_data(&loop->args[i])) merge_access(loop, i);
  return loop->access;
}

void pl_loop_measure(pl_loop *loop)
{
  loop->bytes_per_call = pl_loop_bytes(loop);
}

static pl_loop_kind kind_of(const pl_set *set)
{
  if (!set->pairs) return PL_LOOP_ELEMENTS;
  return set->pairs->pair_map ? PL_LOOP_NEIGHBOURS : PL_LOOP_PAIRS;
}

static pl_err new_loop(pl_loop_kind kind, const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args,
                       pl_loop **result)
{
  pl_context *pl = set->node.pl;
  pl_loop *loop;
  PL_TRY(PL_NEW(pl, loop, 1));
  loop->pl = pl;
  loop->kind = kind;
  loop->kernel = kernel;
  loop->set = set;
  loop->nargs = nargs;
  loop->args = pl_memdup(pl, args, (size_t)nargs * sizeof *args);
  if (!loop->args || !alloc_results(loop) || !merge_accesses(loop)) {
    free_loop(loop);
    return pl_fail_memory(pl, (size_t)nargs * sizeof *args);
  }
  loop->id = ++pl->next_id;
  const pl_loop_traits *traits = pl_loop_traits_of(loop);
  loop->direct = !traits->pairs;
  for (int i = 0; i < nargs; i++) {
    bool scatters = pl_arg_collides(&args[i]);
    loop->indirect_write |= !traits->pairs && scatters;
    loop->runs_halo |= !traits->neighbours && scatters;
    loop->zeroes |= args[i].zeroed && !args[i].off;
    loop->immediate |= (pl_arg_is_foreign(&args[i]) && !args[i].off) || (loop->zeroes && !traits->neighbours);
    if (args[i].kind == PL_ARG_RANDOM && !args[i].off) loop->random = args[i].object;
    loop->direct &= !args[i].map && args[i].index != PL_WHOLE;
    loop->globals |= pl_arg_traits_of(&args[i])->of == PL_OF_GLOBAL;
    loop->reduces |= pl_arg_reduces(&args[i]);
    loop->tensors |= pl_arg_is_tensor(&args[i]);
    loop->needs_full_halo |= args[i].map && args[i].map->internal && args[i].map != set->core_of;
  }
  pl_loop_measure(loop);
  *result = loop;
  return PL_SUCCESS;
}

static void remove_loop(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  pl_loop **link = &pl->loop_table[loop->hash & (pl->loop_slots - 1)];
  while (*link != loop) link = &(*link)->next;
  *link = loop->next;
  pl->loop_count--;
  memset(pl->recent_loop, 0, sizeof pl->recent_loop);
  loop->next = NULL;
  loop->tabled = false;
}

static void insert_loop(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  loop->hash = hash_signature(loop->kernel, loop->set, loop->nargs, loop->args);
  pl_loop **slot = &pl->loop_table[loop->hash & (pl->loop_slots - 1)];
  loop->next = *slot;
  *slot = loop;
  pl->loop_count++;
  loop->tabled = true;
}

/* A dat that is zeroed first is incremented as a whole, by one argument alone. */
static pl_err check_zeroed(pl_context *pl, const pl_kernel *kernel, int nargs, const pl_arg *args)
{
  char name[PL_ARG_NAME];
  for (int i = 0; i < nargs; i++) {
    const pl_arg *arg = &args[i];
    if (!arg->zeroed) continue;
    bool good = pl_arg_is_record(arg) && arg->component < 0 &&
                (arg->access == PL_INC || arg->access == PL_INC_ANTI || arg->access == PL_INC_SYM);
    for (int j = 0; j < nargs; j++) good &= j == i || args[j].object != arg->object || args[j].off;
    if (!good)
      return pl_fail(pl, PL_ERR_ACCESS,
                     "loop \"%s\", %s: pl_arg_zeroed is for a dat that is incremented as a whole, in one "
                     "argument alone",
                     kernel->name, pl_arg_name(args, i, name));
  }
  return PL_SUCCESS;
}

/* Makes different loops, or differently declared dats, on the ranks an error. */
static pl_err agree_on_loop(pl_err err, const pl_kernel *kernel, const pl_set *set, int nargs,
                            const pl_arg *args)
{
  pl_context *pl = set->node.pl;
  pl_string call;
  pl_string_init(&call, pl);
  for (int i = 0; !err && pl_ranks(pl) > 1 && i < nargs; i++) {
    pl_string_add(&call, "%s", i ? "," : "");
    pl_arg_describe(&call, &args[i]);
    if (args[i].object && !pl_arg_is_foreign(&args[i]))
      pl_string_add(&call, " (%s of dim %d)", pl_type_name(pl_arg_type(&args[i])), pl_arg_dim(&args[i]));
  }
  if (!err) err = pl_string_check(&call);
  err =
    pl_agree_on(pl, err, "loop \"%s\" over \"%s\":%s", kernel->name, set->node.name, pl_string_chars(&call));
  pl_string_free(&call);
  return err;
}

/* Prepares a loop, or only checks its kernel. */
static pl_err prepare_or_check(pl_loop *loop, bool now)
{
  const pl_backend *backend = loop->pl->backend;
  if (now) return pl_loop_prepare(loop);
  return backend->check_loop ? backend->check_loop(loop->pl, loop) : PL_SUCCESS;
}

pl_err pl_loop_get(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args, bool now,
                   pl_loop **result)
{
  pl_context *pl = set->node.pl;
  uint64_t hash = hash_signature(kernel, set, nargs, args);
  pl_loop *loop = *result = find_loop(hash, kernel, set, nargs, args);
  if (loop) {
    pl->stats.loops_found++;
    return now ? pl_loop_prepare(loop) : PL_SUCCESS;
  }
  PL_TRY(pl_notify_distribute(pl));
  pl_err err = pl_args_check(pl, kernel, set, nargs, args);
  if (!err) err = check_zeroed(pl, kernel, nargs, args);
  if (!err) err = pl_notify_new_loop(pl);
  if (!err) err = grow_table(pl);
  if (!err) err = new_loop(kind_of(set), kernel, set, nargs, args, &loop);
  err = agree_on_loop(err, kernel, set, nargs, args);
  if (!err) err = pl_same_versions(pl);
  if (!err && loop->indirect_write) err = pl_halo_choose(loop);
  if (!err) err = prepare_or_check(loop, now);
  if (err) {
    if (loop) free_loop(loop);
    return err;
  }
  insert_loop(loop);
  pl->stats.loops_built++;
  *result = loop;
  return PL_SUCCESS;
}

pl_err pl_loop_name(pl_loop *loop, pl_string *title)
{
  pl_err err = pl_string_check(title);
  if (!err && !loop->title && !(loop->title = pl_strdup(loop->pl, pl_string_chars(title))))
    err = pl_fail_memory(loop->pl, title->length);
  pl_string_free(title);
  return err;
}

pl_err pl_loop_unchecked(pl_loop_kind kind, const pl_kernel *kernel, pl_set *set, int nargs,
                         const pl_arg *args, pl_loop **result)
{
  pl_context *pl = set->node.pl;
  *result = find_loop(hash_signature(kernel, set, nargs, args), kernel, set, nargs, args);
  if (*result) return PL_SUCCESS;
  PL_TRY(grow_table(pl));
  PL_TRY(new_loop(kind, kernel, set, nargs, args, result));
  insert_loop(*result);
  return PL_SUCCESS;
}

/* ---- removal ---- */

bool pl_loop_names(const pl_loop *loop, const void *object)
{
  if (loop->set == object) return true;
  PL_EACH_ARG (arg, loop)
    if (arg->object == object || arg->map == object || arg->with == object) return true;
  return false;
}

/* Removes a loop from the table; with handles it stays as an orphan that cannot run. */
static void forget_loop(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  remove_loop(loop);
  if (loop->handles) {
    loop->gathered = loop->gathered_stored = NULL;
    loop->next = pl->orphaned_loops;
    pl->orphaned_loops = loop;
  } else {
    free_loop(loop);
  }
}

void pl_loops_resized(pl_context *pl, const pl_set *set)
{
  PL_EACH_LOOP (loop, pl)
    if (loop->set == set) pl_loop_measure(loop);
}

void pl_loops_unprepare(pl_context *pl, const pl_map *map)
{
  PL_EACH_LOOP (loop, pl)
    PL_EACH_ARG (arg, loop)
      if (arg->map == map) loop->prepared = false;
}

void pl_loops_forget(pl_context *pl, const void *object)
{
  PL_EACH_LOOP (loop, pl)
    if (loop->gathered && pl_loop_names(loop->gathered, object)) {
      loop->gathered = loop->gathered_stored = NULL;
      loop->prepared = false;
    }
  for (size_t s = 0; s < pl->loop_slots; s++)
    for (pl_loop *loop = pl->loop_table[s], *next; loop; loop = next) {
      next = loop->next;
      if (pl_loop_names(loop, object)) forget_loop(loop);
    }
}

void pl_loops_close(pl_context *pl)
{
  for (size_t s = 0; s < pl->loop_slots; s++)
    while (pl->loop_table[s]) {
      pl_loop *loop = pl->loop_table[s];
      remove_loop(loop);
      free_loop(loop);
    }
  while (pl->orphaned_loops) {
    pl_loop *loop = pl->orphaned_loops;
    pl->orphaned_loops = loop->next;
    free_loop(loop);
  }
  pl_free(pl, pl->loop_table);
  pl->loop_table = NULL;
  pl->loop_slots = pl->loop_count = 0;
}

static void forget_object(pl_context *pl, pl_object_kind kind, void *object)
{
  (void)kind;
  pl_loops_forget(pl, object);
}

const pl_observer pl_loop_observer = {.object_freed = forget_object};

void pl_loop_free(pl_loop **handle)
{
  if (!handle || !*handle) return;
  pl_loop *loop = *handle;
  *handle = NULL;
  if (--loop->handles || loop->tabled) return;
  pl_loop **link = &loop->pl->orphaned_loops;
  while (*link != loop) link = &(*link)->next;
  *link = loop->next;
  free_loop(loop);
}
