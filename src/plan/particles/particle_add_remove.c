/* SPDX-License-Identifier: BSD-2-Clause
 * pl_particle_add and pl_particle_remove.
 */
#include "particle_add_remove.h"
#include "core/arrays/set_resize.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "plan/distribution/distribute.h"
#include "plan/distribution/halo_lists.h"
#include "plan/execution/plan_cache.h"
#include "particle_migration.h"
#include <string.h>

/* ---- checks ---- */

static pl_err check_cells(const pl_set *set, const pl_map *where, int64_t n, const int *cells)
{
  pl_context *pl = set->node.pl;
  if (n < 0 || n > INT32_MAX - set->end[3])
    return pl_fail(pl, PL_ERR_RANGE,
                   "pl_particle_add: %lld particles cannot be added to the %d of set \"%s\"", (long long)n,
                   set->end[1], set->node.name);
  if (!where && cells)
    return pl_fail(pl, PL_ERR_ARG,
                   "pl_particle_add: no map of arity 1 leads from set \"%s\", but cells are given; give NULL",
                   set->node.name);
  if (where && !cells && n)
    return pl_fail(pl, PL_ERR_ARG,
                   "pl_particle_add: map \"%s\" leads from set \"%s\", but no cells are given",
                   where->node.name, set->node.name);
  for (int64_t i = 0; where && i < n; i++)
    if (cells[i] < 0 || cells[i] >= where->to->end[1])
      return pl_fail(pl, PL_ERR_RANGE,
                     "pl_particle_add: cell %d of particle %lld; set \"%s\" has %d elements on this rank",
                     cells[i], (long long)i, where->to->node.name, where->to->end[1]);
  return PL_SUCCESS;
}

static pl_err check_values(const pl_set *set, int64_t n, int count, const pl_values *values)
{
  static const char what[] = "pl_particle_add_values";
  pl_context *pl = set->node.pl;
  if (count < 0) return pl_fail(pl, PL_ERR_ARG, "%s: values of %d dats", what, count);
  if (count) PL_TRY(PL_GIVEN(pl, what, values));
  for (int k = 0; k < count; k++) {
    const pl_dat *dat = values[k].dat;
    if (!dat) return pl_fail(pl, PL_ERR_ARG, "%s: dat %d is NULL", what, k);
    if (dat->set != set)
      return pl_fail(pl, PL_ERR_ARG, "%s: dat \"%s\" is not on set \"%s\"", what, dat->node.name,
                     set->node.name);
    for (int j = 0; j < k; j++)
      if (values[j].dat == dat)
        return pl_fail(pl, PL_ERR_ARG, "%s: dat \"%s\" is given twice", what, dat->node.name);
    pl_type type = values[k].type;
    if (n) PL_TRY(pl_check_values(&dat->node, what, dat->type, &type, values[k].data));
  }
  return PL_SUCCESS;
}

/* ---- particles in cells of other ranks ---- */

/* Sends particle i to rank to[i], or removes it. */
static pl_err migrate_to(pl_set *set, const int *to, pl_map *where)
{
  pl_arena arena = {.pl = set->node.pl};
  pl_migrants migrants;
  pl_migrants_find(&arena, set->end[1], to, &migrants);
  pl_err err = pl_arena_agree(&arena);
  if (!err) err = pl_particles_migrate(set, &migrants, where);
  pl_arena_free(&arena);
  return err;
}

pl_err pl_particles_to_cell_owners(pl_map *where, bool drop, bool *migrated)
{
  pl_context *pl = where->node.pl;
  const pl_set *cells = where->to, *particles = where->from;
  size_t halo = (size_t)(cells->end[3] - cells->end[1]), n = (size_t)particles->end[1];
  pl_arena arena = {.pl = pl};
  int *owner = pl_arena_alloc(&arena, halo, sizeof *owner), *to = pl_arena_alloc(&arena, n, sizeof *to);
  const int me = pl_rank(pl);
  int32_t kinds[2] = {0, 0}; /* some are removed, some migrate */
  pl_err err = pl_arena_agree(&arena);
  if (!err) pl_halo_owners(cells, owner);
  for (size_t i = 0; !err && i < n; i++) {
    int cell = where->index[i];
    to[i] = cell < 0 && drop ? PL_REMOVED : cell < cells->end[1] ? me : owner[cell - cells->end[1]];
    kinds[0] |= to[i] == PL_REMOVED;
    kinds[1] |= to[i] != PL_REMOVED && to[i] != me;
  }
  if (!err) err = pl_comm_reduce(pl, PL_INT32, PL_MAX, kinds, 2);
  if (!err && (kinds[0] || kinds[1] || particles->end[3] > particles->end[1]))
    err = migrate_to(where->from, to, where);
  if (!err && kinds[0]) err = pl_migration_recount(where->from);
  *migrated = !err && kinds[1];
  pl_arena_free(&arena);
  return err;
}

/* Brings particles back to the ranks that own their cells. */
static pl_err restore_owners(pl_set *set)
{
  pl_map *where = pl_migration_cell_map(set);
  bool migrated;
  if (pl_ranks(set->node.pl) == 1 || !where) return PL_SUCCESS;
  bool bad = !where->index && set->end[1];
  PL_TRY(pl_agree(set->node.pl,
                  bad ? pl_fail(set->node.pl, PL_ERR_STATE,
                                "map \"%s\" of particles was declared without indices", where->node.name)
                      : PL_SUCCESS));
  PL_TRY(pl_particles_to_cell_owners(where, false, &migrated));
  pl_map_changed(where);
  return migrated ? pl_migration_compose(where) : PL_SUCCESS;
}

pl_err pl_elements_prepare(pl_set *set, const char *caller)
{
  pl_context *pl = set->node.pl;
  PL_TRY(pl_flush_all(pl));
  if (pl_migration_cell_map(set) || set->user_order || pl_ranks(pl) > 1) pl_migration_enable(set);
  PL_TRY(pl_agree_on(pl, pl_set_check_variable(set, pl_migration_cell_map(set), caller), "%s of \"%s\"",
                     caller, set->node.name));
  PL_TRY(pl_distribute(pl));
  return restore_owners(set);
}

/* ---- adding ---- */

typedef struct addition {
  pl_set *set;
  pl_map *where;
  int before, after;
  int64_t first, all; /* global index of the first new particle; new particles of all ranks */
  int *index;
  pl_halo *halo;
  int nvalues;
  const pl_values *values;
} addition;

static bool has_indices(const pl_set *set)
{
  return pl_ranks(set->node.pl) > 1 || set->user_order;
}

static pl_err prepare_addition(addition *a)
{
  pl_set *set = a->set;
  pl_context *pl = set->node.pl;
  size_t n = (size_t)a->after, kept = (size_t)a->before, room = (size_t)pl_set_room(set);
  if (has_indices(set)) PL_TRY(pl_migration_reserve_indices(set, a->after));
  if (pl_ranks(pl) > 1 && !(a->halo = pl_halo_new(pl, 0, 0, 0))) return PL_ERR_MEMORY;
  if (a->where) a->index = pl_malloc_array(pl, (room > n ? room : n) * sizeof *a->index);
  if (a->where && !a->index) return pl_fail_memory(pl, n * sizeof *a->index);
  if (a->where && kept && a->where->index) memcpy(a->index, a->where->index, kept * sizeof *a->index);
  for (int k = 0; k < a->nvalues; k++) {
    pl_dat *dat = a->values[k].dat;
    if (!pl_dat_has_values(dat)) PL_TRY(pl_dat_acquire(dat, true));
  }
  return PL_SUCCESS;
}

static void store_cells(addition *a, const int *cells)
{
  pl_map *where = a->where;
  if (!where) return;
  for (int i = a->before; i < a->after; i++)
    a->index[i] = pl_user_to_storage(where->to, cells[i - a->before]);
  pl_free_array(where->node.pl, where->index);
  where->index = a->index;
  a->index = NULL;
  pl_map_changed(where);
}

/* The values of new elements of a dat: given ones, or zeros. */
static pl_err fill_new(const addition *a, pl_dat *dat)
{
  const int n = a->after - a->before;
  for (int k = 0; k < a->nvalues; k++) {
    const pl_values *v = &a->values[k];
    if (v->dat == dat)
      return pl_dat_write_part(dat, a->before, n, v->type == PL_TYPE_COUNT ? dat->type : v->type, v->data);
  }
  return n ? pl_dat_zero_elements(dat, a->before, a->after) : PL_SUCCESS;
}

/* All storage is reserved: only a device, or memory for converted values, can fail. */
static pl_err add_elements(addition *a, const int *cells)
{
  pl_set *set = a->set;
  PL_EACH (pl_dat, dat, set->node.pl->dats) {
    if (dat->set != set) continue;
    PL_TRY(fill_new(a, dat));
    pl_dat_changed(dat);
  }
  store_cells(a, cells);
  for (int i = a->before; has_indices(set) && i < a->after; i++) {
    set->global[i] = a->first + (i - a->before);
    set->user_order[i] = i; /* new particles have the greatest global indices */
  }
  pl_migration_commit(set, &a->halo, a->after, a->after);
  set->global_size += a->all;
  set->global_end += a->all;
  set->declared = -1;
  return PL_SUCCESS;
}

pl_err pl_elements_add(pl_set *set, int64_t n, const int *cells, int nvalues, const pl_values *values)
{
  pl_context *pl = set->node.pl;
  addition a = {.set = set, .where = pl_migration_cell_map(set), .before = set->end[1]};
  a.nvalues = nvalues;
  a.values = values;
  a.after = a.before + (int)n;
  PL_TRY(pl_comm_scan(pl, n, &a.first, &a.all));
  a.first += set->global_end;
  if (!a.all) return PL_SUCCESS;
  PL_TRY(pl_migration_reserve(set, a.after));
  pl_err err = pl_agree(pl, prepare_addition(&a));
  if (!err) err = pl_agree(pl, add_elements(&a, cells));
  if (!err) err = pl_migration_compose(a.where);
  pl_free_array(pl, a.index);
  pl_halo_free(pl, a.halo);
  return err;
}

pl_err pl_particle_add_values_sized(pl_set *set, int64_t n, const int *cells, int count,
                                    const pl_values *values, size_t size)
{
  PL_TRY(PL_GIVEN(NULL, "pl_particle_add_values", set));
  pl_context *pl = set->node.pl;
  PL_TRY(pl_elements_prepare(set, "pl_particle_add"));
  pl_err err = check_cells(set, pl_migration_cell_map(set), n, cells);
  if (!err && count && size != sizeof *values) err = pl_fail_newer(pl, "pl_values");
  if (!err) err = check_values(set, n, count, values);
  PL_TRY(pl_agree(pl, err));
  return pl_elements_add(set, n, cells, count, values);
}

pl_err pl_particle_add(pl_set *set, int64_t n, const int *cells)
{
  return pl_particle_add_values(set, n, cells, 0, NULL);
}

/* ---- removing ---- */

/* Removes the others from the user order; order[] holds the old storage indices of the particles that stay.
 */
static void compact_user_order(pl_set *set, const int *order, int count, int *scratch)
{
  int next = 0;
  for (int i = 0; i < set->end[3]; i++) scratch[i] = -1;
  for (int i = 0; i < count; i++) scratch[order[i]] = i;
  for (int i = 0; i < set->end[3]; i++) {
    int now = scratch[pl_user_to_storage(set, i)];
    if (now >= 0) set->user_order[next++] = now;
  }
  for (int i = 0; i < count; i++) set->global[pl_user_to_storage(set, i)] = i;
}

static pl_err update_indices(pl_set *set, const int *order, int count)
{
  pl_context *pl = set->node.pl;
  if (!set->user_order) return PL_SUCCESS;
  int *scratch = pl_malloc(pl, (size_t)set->end[3] * sizeof *scratch);
  if (!scratch) return pl_fail_memory(pl, (size_t)set->end[3] * sizeof *scratch);
  compact_user_order(set, order, count, scratch);
  pl_free(pl, scratch);
  pl_drop_buffer(pl, &set->global_device);
  return PL_SUCCESS;
}

pl_err pl_particles_keep(pl_set *set, pl_dat *flag, pl_dat *order)
{
  pl_context *pl = set->node.pl;
  pl_map *where = pl_migration_cell_map(set);
  int64_t count;
  PL_TRY(pl->backend->algorithms->select(pl, flag, order, &count));
  if (count == set->end[3]) return PL_SUCCESS;
  if (where || set->user_order) {
    const int *stays = pl_dat_host(order, false);
    if (!stays) return pl->error_code;
    PL_TRY(update_indices(set, stays, (int)count));
    for (int i = 0; where && where->index && i < count; i++) where->index[i] = where->index[stays[i]];
    if (where) pl_map_changed(where);
  }
  PL_TRY(pl_set_apply(set, order, (int)count, order));
  set->order_version++;
  return pl_set_resize_storage(set, (int)count);
}

PL_KERNEL(particle_stays, (int32_t * stays, const int32_t *flag), { stays[0] = flag[0] == 0; })

static pl_err keep_on_one_rank(pl_set *set, pl_dat *stays)
{
  pl_dat *order;
  PL_TRY(pl_decl_dat(set, 1, PL_INT32, NULL, "order", &order));
  pl_err err = pl_particles_keep(set, stays, order);
  pl_dat_free(&order);
  return err;
}

/* On several ranks removal is a migration without a destination. */
static pl_err keep_on_ranks(pl_set *set, pl_dat *stays)
{
  static const uint64_t zero = 0;
  pl_context *pl = set->node.pl;
  const size_t size = pl_type_size(stays->type);
  const char *flag = pl_dat_host(stays, false);
  int *to = pl_calloc(pl, (size_t)set->end[1], sizeof *to);
  pl_err err = flag && to ? PL_SUCCESS : PL_ERR_MEMORY;
  for (int i = 0; !err && i < set->end[1]; i++)
    to[i] = memcmp(flag + (size_t)i * size, &zero, size) ? pl_rank(pl) : PL_REMOVED;
  err = pl_agree(pl, err);
  pl_map *where = pl_migration_cell_map(set);
  if (!err) err = migrate_to(set, to, where);
  if (!err && where) pl_map_changed(where);
  if (!err) err = pl_migration_recount(set);
  pl_free(pl, to);
  return err;
}

pl_err pl_elements_keep(pl_set *set, pl_dat *flag)
{
  PL_TRY(pl_ranks(set->node.pl) > 1 ? keep_on_ranks(set, flag) : keep_on_one_rank(set, flag));
  return pl_migration_compose(pl_migration_cell_map(set));
}

static pl_err check_flag(const pl_set *set, const pl_dat *flag)
{
  if (!flag) return pl_fail(set->node.pl, PL_ERR_ARG, "pl_particle_remove: the flag is NULL");
  if (flag->set != set || flag->dim != 1 || flag->type != PL_INT32)
    return pl_fail(set->node.pl, PL_ERR_TYPE,
                   "pl_particle_remove: flag \"%s\" must hold one int32 on each element of set \"%s\"",
                   flag->node.name, set->node.name);
  return PL_SUCCESS;
}

pl_err pl_particle_remove(pl_set *set, pl_dat *flag)
{
  PL_TRY_GIVEN(set);
  pl_context *pl = set->node.pl;
  pl_dat *stays;
  PL_TRY(pl_agree_on(pl, check_flag(set, flag), "pl_particle_remove of \"%s\"", set->node.name));
  PL_TRY(pl_elements_prepare(set, "pl_particle_remove"));
  PL_TRY(pl_decl_dat(set, 1, PL_INT32, NULL, "stays", &stays));
  pl_err err = pl_par_loop(particle_stays, set, pl_arg_direct(stays, PL_WRITE), pl_arg_direct(flag, PL_READ));
  if (!err) err = pl_flush_all(pl);
  if (!err) err = pl_elements_keep(set, stays);
  pl_dat_free(&stays);
  return err;
}
