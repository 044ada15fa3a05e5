/* SPDX-License-Identifier: BSD-2-Clause
 * Loops: found by signature, prepared once, run. run_loop below is how a par_loop flows.
 */
#include "loop.h"
#include "chain.h"
#include "check.h"
#include "halo.h"
#include "hash.h"
#include "profile.h"
#include <string.h>

/* ---- the signature table ---- */

/* What identifies an argument; a pl_arg_ptr is any pointer. */
static uint64_t hash_arg(uint64_t hash, const pl_arg *a)
{
  uint64_t object = a->kind == PL_ARG_POINTER ? 0 : (uint64_t)(uintptr_t)a->object;
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
  return a->kind == b->kind && a->access == b->access &&
         (a->object == b->object || a->kind == PL_ARG_POINTER) && a->map == b->map && a->index == b->index &&
         a->component == b->component && a->fixed == b->fixed && a->zeroed == b->zeroed &&
         !a->off == !b->off && a->with == b->with;
}

static pl_loop *find_loop(pl_context *pl, uint64_t hash, const pl_kernel *kernel, const pl_set *set,
                          int nargs, const pl_arg *args)
{
  if (!pl->loop_slots) return NULL;
  pl_loop *loop = pl->loop_table[hash & (pl->loop_slots - 1)];
  for (; loop; loop = loop->next) {
    if (loop->hash != hash || loop->kernel != kernel || loop->set != set || loop->nargs != nargs) continue;
    int i = 0;
    while (i < nargs && same_arg(&loop->args[i], &args[i])) i++;
    if (i == nargs) return loop;
  }
  return NULL;
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

/* ---- making and freeing ---- */

static void free_results(pl_loop *loop)
{
  for (int i = 0; loop->result && i < loop->nargs; i++) pl_free(loop->pl, loop->result[i]);
  pl_free(loop->pl, loop->result);
  pl_free(loop->pl, loop->where);
}

static void free_loop(pl_loop *loop)
{
  if (loop->code) loop->pl->backend->release(loop->pl, loop);
  free_results(loop);
  pl_free(loop->pl, loop->args);
  pl_free(loop->pl, loop);
}

static bool alloc_results(pl_loop *loop)
{
  size_t n = (size_t)loop->nargs;
  loop->result = pl_calloc(loop->pl, n, sizeof *loop->result);
  loop->where = pl_calloc(loop->pl, n, sizeof *loop->where);
  if (!loop->result || !loop->where) return false;
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_reduces(arg)) continue;
    loop->result[i] = pl_calloc(loop->pl, (size_t)pl_arg_dim(arg), pl_type_size(pl_arg_type(arg)));
    if (!loop->result[i]) return false;
  }
  return true;
}

static void measure(pl_loop *loop)
{
  loop->bytes_per_call = pl_loop_bytes(loop);
}

static pl_err new_loop(pl_context *pl, const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args,
                       pl_loop **result)
{
  pl_loop *loop = pl_calloc(pl, 1, sizeof *loop);
  if (!loop) return pl_fail_memory(pl, sizeof *loop);
  loop->pl = pl;
  loop->kernel = kernel;
  loop->set = set;
  loop->nargs = nargs;
  loop->args = pl_memdup(pl, args, (size_t)nargs * sizeof *args);
  if (!loop->args || !alloc_results(loop)) {
    free_loop(loop);
    return pl_fail_memory(pl, (size_t)nargs * sizeof *args);
  }
  loop->id = ++pl->next_id;
  loop->direct = !set->pairs;
  for (int i = 0; i < nargs; i++) {
    bool scatters = pl_arg_collides(&args[i]);
    loop->indirect_write |= !set->pairs && scatters;
    loop->runs_halo |= !(set->pairs && set->pairs->pair_map) && scatters;
    loop->zeroes |= args[i].zeroed && !args[i].off;
    loop->at_once |= args[i].kind == PL_ARG_POINTER || loop->zeroes;
    loop->direct &= !args[i].map && args[i].index != PL_WHOLE;
    loop->deep |= args[i].map && args[i].map->made;
  }
  measure(loop);
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

pl_err pl_loops_settle(pl_context *pl)
{
  return pl->backend->replay_settle ? pl->backend->replay_settle(pl) : PL_SUCCESS;
}

/* ---- preparing ---- */

/* One rank of each node compiles, the others find its code in the cache; what fails on one fails on all. */
static pl_err prepare_in_turn(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  bool first = pl_node_rank(pl) == 0;
  if (pl_ranks(pl) == 1) return pl->backend->prepare(pl, loop);
  PL_TRY(pl_agree(pl, first ? pl->backend->prepare(pl, loop) : PL_SUCCESS));
  return pl_agree(pl, first ? PL_SUCCESS : pl->backend->prepare(pl, loop));
}

/* Plan, text, binary: whatever the backend needs, again when consts, functions or options were declared anew.
 */
static pl_err prepare(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  double start = pl_now();
  if (pl->place) PL_TRY(pl->place(pl)); /* sets may have been distributed anew */
  if (loop->code) {
    PL_TRY(pl_loops_settle(pl));
    pl->backend->release(pl, loop);
  }
  loop->code = NULL;
  loop->prepared = false;
  pl_err err = prepare_in_turn(loop);
  if (!err) err = pl_comm_leave(pl, pl_halo_ready(loop));
  if (err) {
    if (loop->code) pl->backend->release(pl, loop);
    loop->code = NULL;
    return err;
  }
  if (loop->zeroes) measure(loop); /* whether values are read has become known */
  loop->prepared = true;
  loop->decl_version = pl->decl_version;
  loop->setup_seconds += pl_now() - start;
  return PL_SUCCESS;
}

pl_err pl_loop_prepare(pl_loop *loop)
{
  return loop->prepared && loop->decl_version == loop->pl->decl_version ? PL_SUCCESS : prepare(loop);
}

/* As in prepare_in_turn(), one rank of each node compiles. */
pl_err pl_loop_foresee(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  if (!pl->backend->foresee || pl_node_rank(pl) || (loop->prepared && loop->decl_version == pl->decl_version))
    return PL_SUCCESS;
  return pl->backend->foresee(pl, loop);
}

/* What must be right before a loop may run, now or later. */
static pl_err make_ready(pl_loop *loop, bool now)
{
  const pl_backend *backend = loop->pl->backend;
  if (now) return pl_loop_prepare(loop);
  return backend->check_loop ? backend->check_loop(loop->pl, loop) : PL_SUCCESS;
}

/* What is set to zero first is incremented, as a whole, by nobody else. */
static pl_err check_zeroed(pl_context *pl, const pl_kernel *kernel, int nargs, const pl_arg *args)
{
  char name[PL_ARG_NAME];
  for (int i = 0; i < nargs; i++) {
    const pl_arg *arg = &args[i];
    if (!arg->zeroed) continue;
    bool good = arg->kind == PL_ARG_DAT && arg->component < 0 &&
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

/* Ranks that are about to make different loops, of other dats or of dats that were declared otherwise. */
static pl_err agree_on_loop(pl_err err, const pl_kernel *kernel, const pl_set *set, int nargs,
                            const pl_arg *args)
{
  pl_context *pl = set->node.pl;
  pl_text words;
  pl_text_init(&words, pl);
  for (int i = 0; !err && pl_ranks(pl) > 1 && i < nargs; i++) {
    pl_text_add(&words, "%s", i ? "," : "");
    pl_arg_say(&words, &args[i]);
    if (args[i].object && args[i].kind != PL_ARG_POINTER)
      pl_text_add(&words, " (%s of dim %d)", pl_type_name(pl_arg_type(&args[i])), pl_arg_dim(&args[i]));
  }
  if (!err) err = pl_text_check(&words);
  err =
    pl_agree_on(pl, err, "loop \"%s\" over \"%s\":%s", kernel->name, set->node.name, pl_text_string(&words));
  pl_text_free(&words);
  return err;
}

pl_err pl_loop_get(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args, bool now,
                   pl_loop **result)
{
  pl_context *pl = set->node.pl;
  uint64_t hash = hash_signature(kernel, set, nargs, args);
  pl_loop *loop = *result = find_loop(pl, hash, kernel, set, nargs, args);
  if (loop) {
    pl->stats.loops_found++;
    return now ? pl_loop_prepare(loop) : PL_SUCCESS;
  }
  if (pl->place) PL_TRY(pl->place(pl));
  pl_err err = pl_args_check(pl, kernel, set, nargs, args);
  if (!err) err = check_zeroed(pl, kernel, nargs, args);
  if (!err && pl->before_loop) err = pl->before_loop(pl);
  if (!err) err = grow_table(pl);
  if (!err) err = new_loop(pl, kernel, set, nargs, args, &loop);
  err = agree_on_loop(err, kernel, set, nargs, args);
  if (!err) err = pl_same_versions(pl);
  if (!err && loop->indirect_write) err = pl_halo_choose(loop);
  if (!err) err = make_ready(loop, now);
  if (err) {
    if (loop) free_loop(loop);
    return err;
  }
  insert_loop(loop);
  pl->stats.loops_built++;
  *result = loop;
  return PL_SUCCESS;
}

pl_err pl_loop_raw(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args, pl_loop **result)
{
  pl_context *pl = set->node.pl;
  *result = find_loop(pl, hash_signature(kernel, set, nargs, args), kernel, set, nargs, args);
  if (*result) return PL_SUCCESS;
  PL_TRY(grow_table(pl));
  PL_TRY(new_loop(pl, kernel, set, nargs, args, result));
  (*result)->raw = true;
  insert_loop(*result);
  return PL_SUCCESS;
}

/* ---- running ---- */

pl_err pl_loop_check_views(const pl_loop *loop)
{
  char name[PL_ARG_NAME];
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    const pl_dat *dat = pl_arg_dat_of(arg);
    if (!dat) continue;
    if (!dat->writer && !(dat->readers && arg->access != PL_READ)) continue;
    return pl_fail(loop->pl, PL_ERR_STATE,
                   "loop \"%s\", %s: a host view of it is open; close it with pl_dat_put first",
                   loop->kernel->name, pl_arg_name(loop->args, i, name));
  }
  return PL_SUCCESS;
}

static void mark_written(pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->kind != PL_ARG_DAT || !pl_arg_writes(arg)) continue;
    bool first = true; /* a dat in several arguments counts once */
    for (int j = 0; j < i && first; j++)
      first = loop->args[j].object != arg->object || !pl_arg_writes(&loop->args[j]);
    if (first) ((pl_dat *)arg->object)->version++;
    ((pl_dat *)arg->object)->halo_stale = true;
  }
}

/* Nothing to wait for, or has waited before it began: its first part is all that this rank owns. */
static bool runs_at_once(const pl_loop *loop)
{
  return loop->direct || (loop->deep && !loop->indirect_write);
}

static pl_err run_part(pl_loop *loop, bool plain, int number)
{
  const pl_backend *backend = loop->pl->backend;
  const int *end = loop->set->part;
  pl_part part = {number, number ? end[number - 1] : 0, end[number], number < 2};
  if (runs_at_once(loop) && number < 2) part = (pl_part){number, 0, number ? 0 : end[1], true};
  if (part.end <= part.begin) return PL_SUCCESS;
  return plain ? backend->run_plain(loop->pl, loop, &part) : backend->run(loop->pl, loop, &part);
}

static bool reduces(const pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++)
    if (pl_arg_reduces(&loop->args[i])) return true;
  return false;
}

/* With nothing on its way parts may be one; but what the exec halo finds, its owner counts. */
static pl_err run_joined(pl_loop *loop)
{
  const int *end = loop->set->part, last = loop->indirect_write ? 2 : 1, own = reduces(loop) ? 1 : last;
  const pl_part part = {0, 0, end[own], true};
  if (part.end > 0) PL_TRY(loop->pl->backend->run(loop->pl, loop, &part));
  return own < last ? run_part(loop, false, last) : PL_SUCCESS;
}

static bool joins(const pl_loop *loop)
{
  pl_context *pl = loop->pl;
  return !loop->back && !pl_halo_busy(pl) && pl->backend->joins && pl->backend->joins(pl, loop);
}

/* All elements, and what they contribute to reductions. Core elements run while halos are on their way. */
static pl_err run_parts(pl_loop *loop, bool plain)
{
  pl_results_clear(loop, loop->result, loop->where);
  if (loop->back) PL_TRY(pl_halo_clear(loop));
  PL_TRY(pl_halo_begin(loop));
  if (!plain && joins(loop)) {
    PL_TRY(pl_halo_end(loop));
    return run_joined(loop);
  }
  if (loop->deep) PL_TRY(pl_halo_end(loop));
  PL_TRY(run_part(loop, plain, 0)); /* core */
  PL_TRY(pl_halo_end(loop));
  PL_TRY(run_part(loop, plain, 1)); /* owned boundary */
  if (loop->back) return pl_halo_back(loop);
  return loop->runs_halo ? run_part(loop, plain, 2) : PL_SUCCESS; /* exec halo */
}

/* A loop that has failed on one rank has failed on all; where messages are on their way it cannot be made up
 * for. */
static pl_err fail_together(pl_context *pl, pl_err err)
{
  return pl_halo_busy(pl) ? pl_comm_leave(pl, err) : pl_agree_late(pl, err);
}

/* What the loop reads of other ranks has come before its values are kept for comparison. What is found on one
 * rank is an error of all, at once. */
static pl_err run_checked(pl_loop *loop)
{
  PL_TRY(pl_halo_begin(loop));
  PL_TRY(pl_halo_end(loop));
  pl_err err = pl_check_run(loop, run_parts);
  return pl_halo_busy(loop->pl) ? err : pl_agree(loop->pl, err);
}

/* Dats that are zero first, unless what is added up will be stored; checks compare with loops that add. */
static pl_err zero_first(const pl_loop *loop, bool check)
{
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].zeroed && !loop->args[i].off && (check || !loop->stores))
      PL_TRY(pl_dat_zero_now(loop->args[i].object));
  return PL_SUCCESS;
}

/* How a par_loop flows, once it is prepared. */
static pl_err flow(pl_loop *loop)
{
  PL_TRY(pl_comm_check(loop->pl));
  PL_TRY(pl_loop_check_views(loop));
  PL_TRY(pl_halo_check_frozen(loop));
  double start = pl_now();
  PL_TRY(pl_reductions_begin(loop));
  bool check = pl_opt_flag(loop->pl, PL_OPT_CHECK) && loop->pl->backend->run_plain && !loop->blocks;
  pl_err err = loop->zeroes ? zero_first(loop, check) : PL_SUCCESS;
  if (!err) err = check ? run_checked(loop) : run_parts(loop, false);
  if (err) {
    pl_reductions_cancel(loop);
    return err;
  }
  PL_TRY(pl_reductions_end(loop));
  mark_written(loop);
  loop->calls++;
  loop->pl->stats.loops_run++;
  return pl_profile_time(loop->pl, start, &loop->seconds);
}

static pl_err run_loop(pl_loop *loop)
{
  return fail_together(loop->pl, flow(loop));
}

/* ---- public ---- */

/* Without a set the arguments' objects tell whose error it is. */
static pl_err fail_no_set(const char *what, const pl_kernel *kernel, int nargs, const pl_arg *args)
{
  const char *name = kernel && kernel->name ? kernel->name : "";
  for (int i = 0; args && i < nargs; i++)
    if (args[i].object && args[i].kind >= PL_ARG_DAT && args[i].kind <= PL_ARG_CONST) {
      pl_context *pl = ((const pl_node *)args[i].object)->pl;
      return pl_agree_late(pl, pl_fail(pl, PL_ERR_ARG, "%s of \"%s\": the set is NULL", what, name));
    }
  return PL_ERR_ARG;
}

static pl_err check_call(const char *what, const pl_kernel *kernel, const pl_set *set, int nargs,
                         const pl_arg *args)
{
  if (!set) return fail_no_set(what, kernel, nargs, args);
  pl_context *pl = set->node.pl;
  if (!kernel || !kernel->name)
    return pl_agree_late(pl,
                         pl_fail(pl, PL_ERR_ARG, "%s over \"%s\": the kernel is NULL", what, set->node.name));
  return PL_SUCCESS;
}

/* The pointers of pl_arg_ptr are taken anew at every call. */
static void take_pointers(pl_loop *loop, const pl_arg *args)
{
  for (int i = 0; i < loop->nargs; i++)
    if (args[i].kind == PL_ARG_POINTER) loop->args[i].object = args[i].object;
}

pl_err pl_loop_run_now(pl_loop *loop)
{
  PL_TRY(pl_loop_prepare(loop));
  return run_loop(loop);
}

/* Memory of the program's own may change at any time, so a loop that is handed some does not wait; nor does
 * one that sets a dat to zero, of which chains know nothing. */
static pl_err record_loop(pl_loop *loop)
{
  if (!loop->at_once) return pl_late_loop(loop);
  PL_TRY(pl_late_run(loop->pl));
  return pl_chain_rehearses(loop->pl) ? pl_loop_prepare(loop) : pl_loop_run_now(loop);
}

pl_err pl_par_loop_args(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args)
{
  pl_loop *loop;
  PL_TRY(check_call("pl_par_loop", kernel, set, nargs, args));
  bool records = pl_late_records(set->node.pl);
  PL_TRY(pl_loop_get(kernel, set, args ? nargs : 0, args, !records, &loop));
  take_pointers(loop, args);
  return records ? record_loop(loop) : run_loop(loop);
}

pl_err pl_loop_create_args(pl_loop **handle, const pl_kernel *kernel, pl_set *set, int nargs,
                           const pl_arg *args)
{
  pl_loop *loop;
  PL_TRY(check_call("pl_loop_create", kernel, set, nargs, args));
  if (!handle) return pl_fail(set->node.pl, PL_ERR_ARG, "pl_loop_create: the handle is NULL");
  PL_TRY(pl_loop_get(kernel, set, args ? nargs : 0, args, true, &loop));
  take_pointers(loop, args);
  loop->handles++;
  *handle = loop;
  return PL_SUCCESS;
}

pl_err pl_loop_run(pl_loop *loop)
{
  if (!loop) return PL_ERR_ARG;
  if (!loop->tabled)
    return pl_fail(loop->pl, PL_ERR_STATE,
                   "pl_loop_run: an object that the loop uses was freed; make the loop again");
  return pl_late_records(loop->pl) ? record_loop(loop) : pl_loop_run_now(loop);
}

static pl_err check_replacement(const pl_loop *loop, int i, const pl_dat *dat)
{
  pl_context *pl = loop->pl;
  if (!loop->tabled)
    return pl_fail(pl, PL_ERR_STATE,
                   "pl_loop_replace_dat: an object that the loop uses was freed; make the loop again");
  if (i < 0 || i >= loop->nargs || loop->args[i].kind != PL_ARG_DAT)
    return pl_fail(pl, PL_ERR_RANGE, "pl_loop_replace_dat: loop \"%s\" has no dat at argument %d (from 0)",
                   loop->kernel->name, i);
  const pl_dat *old = loop->args[i].object;
  if (dat->node.pl != pl || dat->set != old->set || dat->dim != old->dim || dat->type != old->type)
    return pl_fail(pl, PL_ERR_TYPE, "pl_loop_replace_dat: \"%s\" differs from \"%s\" in set, dim or type",
                   dat->node.name, old->node.name);
  return PL_SUCCESS;
}

pl_err pl_loop_replace_dat(pl_loop **handle, int i, pl_dat *dat)
{
  if (!handle || !*handle || !dat)
    return pl_fail(dat ? dat->node.pl : NULL, PL_ERR_ARG, "pl_loop_replace_dat: a pointer is NULL");
  pl_loop *loop = *handle;
  pl_context *pl = loop->pl;
  PL_TRY(check_replacement(loop, i, dat));
  pl_arg *args = pl_memdup(pl, loop->args, (size_t)loop->nargs * sizeof *args);
  if (!args) return pl_fail_memory(pl, (size_t)loop->nargs * sizeof *args);
  args[i].object = dat;
  pl_loop *other;
  pl_err err = pl_loop_get(loop->kernel, loop->set, loop->nargs, args, true, &other);
  pl_free(pl, args);
  if (err) return err;
  other->handles++;
  pl_loop_free(handle);
  *handle = other;
  return PL_SUCCESS;
}

void pl_loop_free(pl_loop **handle)
{
  if (!handle || !*handle) return;
  pl_loop *loop = *handle;
  *handle = NULL;
  if (--loop->handles || loop->tabled) return;
  pl_loop **link = &loop->pl->loop_husks;
  while (*link != loop) link = &(*link)->next;
  *link = loop->next;
  free_loop(loop);
}

/* ---- forgetting ---- */

static bool uses(const pl_loop *loop, const void *object)
{
  if (loop->set == object) return true;
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].object == object || loop->args[i].map == object || loop->args[i].with == object)
      return true;
  return false;
}

/* Takes a loop out of the table; one that a handle still names stays as a husk that refuses to run. */
static void forget_loop(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  remove_loop(loop);
  if (loop->handles) {
    loop->next = pl->loop_husks;
    pl->loop_husks = loop;
  } else {
    free_loop(loop);
  }
}

void pl_loops_resized(pl_context *pl, const pl_set *set)
{
  for (size_t slot = 0; slot < pl->loop_slots; slot++)
    for (pl_loop *loop = pl->loop_table[slot]; loop; loop = loop->next)
      if (loop->set == set) measure(loop);
}

void pl_loops_unprepare(pl_context *pl, const pl_map *map)
{
  for (size_t slot = 0; slot < pl->loop_slots; slot++)
    for (pl_loop *loop = pl->loop_table[slot]; loop; loop = loop->next)
      for (int i = 0; i < loop->nargs; i++)
        if (loop->args[i].map == map) loop->prepared = false;
}

void pl_loops_forget(pl_context *pl, const void *object)
{
  pl_late_run(pl); /* what was recorded may use it; an error stays in pl_errmsg */
  pl_late_forget(pl, object);
  for (size_t s = 0; s < pl->loop_slots; s++)
    for (pl_loop *loop = pl->loop_table[s], *next; loop; loop = next) {
      next = loop->next;
      if (uses(loop, object)) forget_loop(loop);
    }
}

void pl_loops_close(pl_context *pl)
{
  pl_late_close(pl);
  for (size_t s = 0; s < pl->loop_slots; s++)
    while (pl->loop_table[s]) {
      pl_loop *loop = pl->loop_table[s];
      remove_loop(loop);
      free_loop(loop);
    }
  while (pl->loop_husks) {
    pl_loop *loop = pl->loop_husks;
    pl->loop_husks = loop->next;
    free_loop(loop);
  }
  pl_free(pl, pl->loop_table);
  pl->loop_table = NULL;
  pl->loop_slots = pl->loop_count = 0;
}
