/* SPDX-License-Identifier: BSD-2-Clause
 * pl_particle_add and pl_particle_remove. See particles.h and travel.h.
 */
#include "particles.h"
#include "core/algorithm.h"
#include "core/chain.h"
#include "place.h"
#include "travel.h"
#include <string.h>

/* ---- what is acceptable ---- */

static pl_err check_set(const pl_set *set, const char *what)
{
  if (set->parent)
    return pl_fail(set->node.pl, PL_ERR_ARG, "%s: \"%s\" is a subset; name the set of the particles", what,
                   set->node.name);
  if (pl_ranks(set->node.pl) == 1 && set->part[1] != set->part[3])
    return pl_fail(set->node.pl, PL_ERR_STATE, "%s: set \"%s\" was declared with a halo; particles have none",
                   what, set->node.name);
  return PL_SUCCESS;
}

/* Sets that maps tie together are placed together; recorded loops run before. */
static pl_err ready(pl_set *set, const char *what)
{
  pl_context *pl = set->node.pl;
  PL_TRY(pl_agree_on(pl, check_set(set, what), "%s of \"%s\"", what, set->node.name));
  PL_TRY(pl_late_run(pl));
  pl_travel_begin(set);
  PL_TRY(pl_agree(pl, pl_travel_check(set, pl_travel_map(set), what)));
  return pl_place(pl);
}

static pl_err check_cells(const pl_set *set, const pl_map *where, int64_t n, const int *cells)
{
  pl_context *pl = set->node.pl;
  if (n < 0 || n > INT32_MAX - set->part[3])
    return pl_fail(pl, PL_ERR_RANGE,
                   "pl_particle_add: %lld particles cannot be added to the %d of set \"%s\"", (long long)n,
                   set->part[1], set->node.name);
  if (!where && cells)
    return pl_fail(pl, PL_ERR_ARG,
                   "pl_particle_add: no map of arity 1 leads from set \"%s\", but cells are given; give NULL",
                   set->node.name);
  if (where && !cells && n)
    return pl_fail(pl, PL_ERR_ARG,
                   "pl_particle_add: map \"%s\" leads from set \"%s\", but no cells are given",
                   where->node.name, set->node.name);
  for (int64_t i = 0; where && i < n; i++)
    if (cells[i] < 0 || cells[i] >= where->to->part[1])
      return pl_fail(pl, PL_ERR_RANGE,
                     "pl_particle_add: cell %d of particle %lld; set \"%s\" has %d elements on this rank",
                     cells[i], (long long)i, where->to->node.name, where->to->part[1]);
  return PL_SUCCESS;
}

/* ---- those that are in another rank's cell ---- */

/* Owners of the cells in the halo. */
static void find_owners(const pl_set *cells, int *owner)
{
  const pl_halo *halo = cells->halo;
  for (int i = 0; i < halo->n; i++)
    for (int k = halo->receive_offset[i]; k < halo->receive_offset[i + 1]; k++)
      owner[halo->receive[k] - cells->part[1]] = halo->rank[i];
}

/* Each particle to rank to[i], or away. */
static pl_err travel(pl_set *set, const int *to, pl_map *where)
{
  pl_scratch scratch = {.pl = set->node.pl};
  pl_leaving leaving;
  pl_leaving_find(&scratch, set->part[1], to, &leaving);
  pl_err err = pl_agree(scratch.pl, pl_scratch_check(&scratch));
  if (!err) err = pl_travel(set, &leaving, where);
  pl_scratch_free(&scratch);
  return err;
}

pl_err pl_particles_home(pl_map *where, bool drop, bool *travelled)
{
  pl_context *pl = where->node.pl;
  const pl_set *cells = where->to, *particles = where->from;
  size_t halo = (size_t)(cells->part[3] - cells->part[1]), n = (size_t)particles->part[1];
  int *owner = pl_calloc(pl, halo, sizeof *owner), *to = pl_calloc(pl, n, sizeof *to), me = pl_rank(pl);
  int32_t kinds[2] = {0, 0}; /* some go for ever, some elsewhere */
  pl_err err = owner && to ? PL_SUCCESS : pl_fail_memory(pl, (halo + n) * sizeof *to);
  if (!err) find_owners(cells, owner);
  for (size_t i = 0; !err && i < n; i++) {
    int cell = where->index[i];
    to[i] = cell < 0 && drop ? PL_GONE : cell < cells->part[1] ? me : owner[cell - cells->part[1]];
    kinds[0] |= to[i] == PL_GONE;
    kinds[1] |= to[i] != PL_GONE && to[i] != me;
  }
  err = pl_agree(pl, err);
  if (!err) err = pl_comm_reduce(pl, PL_INT32, PL_MAX, kinds, 2);
  if (!err && (kinds[0] || kinds[1] || particles->part[3] > particles->part[1]))
    err = travel(where->from, to, where);
  if (!err && kinds[0]) err = pl_travel_count(where->from);
  *travelled = !err && kinds[1];
  pl_free(pl, owner);
  pl_free(pl, to);
  return err;
}

/* Every rank's particles are in its own cells. */
static pl_err go_home(pl_set *set)
{
  pl_map *where = pl_travel_map(set);
  bool travelled;
  if (pl_ranks(set->node.pl) == 1 || !where) return PL_SUCCESS;
  bool bad = !where->index && set->part[1];
  PL_TRY(pl_agree(set->node.pl,
                  bad ? pl_fail(set->node.pl, PL_ERR_STATE,
                                "map \"%s\" of particles was declared without indices", where->node.name)
                      : PL_SUCCESS));
  PL_TRY(pl_particles_home(where, false, &travelled));
  pl_travel_forget(where);
  return PL_SUCCESS;
}

/* ---- coming ---- */

typedef struct arrival {
  pl_set *set;
  pl_map *where;
  int before, after;
  int64_t first, all; /* the global index of the first new one; new ones on all ranks */
  int *index;
  pl_halo *halo;
} arrival;

/* A set that has no view needs no names. */
static bool has_names(const pl_set *set)
{
  return pl_ranks(set->node.pl) > 1 || set->view;
}

static pl_err prepare(arrival *a)
{
  pl_set *set = a->set;
  pl_context *pl = set->node.pl;
  size_t n = (size_t)a->after, kept = (size_t)a->before, room = (size_t)pl_set_room(set);
  if (has_names(set)) PL_TRY(pl_travel_names(set, a->after));
  if (pl_ranks(pl) > 1 && !(a->halo = pl_halo_new(pl, 0, 0, 0))) return PL_ERR_MEMORY;
  if (a->where) a->index = pl_malloc_array(pl, (room > n ? room : n) * sizeof *a->index);
  if (a->where && !a->index) return pl_fail_memory(pl, n * sizeof *a->index);
  if (a->where && kept && a->where->index) memcpy(a->index, a->where->index, kept * sizeof *a->index);
  return PL_SUCCESS;
}

static void enter_cells(arrival *a, const int *cells)
{
  pl_map *where = a->where;
  if (!where) return;
  for (int i = a->before; i < a->after; i++) a->index[i] = pl_view_at(where->to, cells[i - a->before]);
  pl_free_array(where->node.pl, where->index);
  where->index = a->index;
  a->index = NULL;
  pl_travel_forget(where);
}

/* Storage is there: nothing fails but a device that zeroes. */
static pl_err enter(arrival *a, const int *cells)
{
  pl_set *set = a->set;
  for (pl_node *node = set->node.pl->dats; node; node = node->next) {
    pl_dat *dat = (pl_dat *)node;
    if (dat->set != set) continue;
    if (a->after > a->before) PL_TRY(pl_dat_zero_elements(dat, a->before, a->after));
    dat->version++;
    dat->halo_stale = true;
  }
  enter_cells(a, cells);
  for (int i = a->before; has_names(set) && i < a->after; i++) {
    set->global[i] = a->first + (i - a->before);
    set->view[i] = i; /* the new ones have the greatest global indices */
  }
  pl_travel_renew(set, &a->halo, a->after, a->after);
  set->all += a->all;
  set->ids += a->all;
  if (pl_ranks(set->node.pl) == 1) set->declared = a->after;
  return PL_SUCCESS;
}

pl_err pl_particle_add(pl_set *set, int64_t n, const int *cells)
{
  static const char what[] = "pl_particle_add";
  if (!set) return PL_ERR_ARG;
  pl_context *pl = set->node.pl;
  PL_TRY(ready(set, what));
  PL_TRY(go_home(set));
  arrival a = {.set = set, .where = pl_travel_map(set), .before = set->part[1]};
  PL_TRY(pl_agree(pl, check_cells(set, a.where, n, cells)));
  a.after = a.before + (int)n;
  PL_TRY(pl_comm_scan(pl, n, &a.first, &a.all));
  a.first += set->ids;
  if (!a.all) return PL_SUCCESS;
  PL_TRY(pl_travel_room(set, a.after));
  pl_err err = pl_agree(pl, prepare(&a));
  if (!err) err = enter(&a, cells);
  pl_free_array(pl, a.index);
  pl_halo_free(pl, a.halo);
  return err;
}

/* ---- going ---- */

/* The view without those that are gone; order[] holds where those that stay were. */
static void shrink_view(pl_set *set, const int *order, int count, int *scratch)
{
  int next = 0;
  for (int i = 0; i < set->part[3]; i++) scratch[i] = -1;
  for (int i = 0; i < count; i++) scratch[order[i]] = i;
  for (int i = 0; i < set->part[3]; i++) {
    int now = scratch[pl_view_at(set, i)];
    if (now >= 0) set->view[next++] = now;
  }
  for (int i = 0; i < count; i++) set->global[pl_view_at(set, i)] = i;
}

static pl_err keep_view(pl_set *set, const int *order, int count)
{
  pl_context *pl = set->node.pl;
  if (!set->view) return PL_SUCCESS;
  int *scratch = pl_malloc(pl, (size_t)set->part[3] * sizeof *scratch);
  if (!scratch) return pl_fail_memory(pl, (size_t)set->part[3] * sizeof *scratch);
  shrink_view(set, order, count, scratch);
  pl_free(pl, scratch);
  if (set->global_device) pl->backend->buffer_free(pl, set->global_device);
  set->global_device = NULL;
  return PL_SUCCESS;
}

pl_err pl_particles_keep(pl_set *set, pl_dat *flag, pl_dat *order)
{
  pl_context *pl = set->node.pl;
  pl_map *where = pl_travel_map(set);
  int64_t count;
  PL_TRY(pl->backend->select(pl, flag, order, &count));
  if (count == set->part[3]) return PL_SUCCESS;
  if (where || set->view) {
    const int *stays = pl_dat_host(order, false);
    if (!stays) return pl->error_code;
    PL_TRY(keep_view(set, stays, (int)count));
    for (int i = 0; where && where->index && i < count; i++) where->index[i] = where->index[stays[i]];
    if (where) pl_travel_forget(where);
  }
  PL_TRY(pl_set_apply(set, order, (int)count, order));
  set->moved++;
  return pl_set_resize_raw(set, (int)count);
}

PL_KERNEL(pl_particle_stays, (int32_t * stays, const int32_t *flag), { stays[0] = flag[0] == 0; })

static pl_err keep_alone(pl_set *set, pl_dat *stays)
{
  pl_dat *order;
  PL_TRY(pl_decl_dat(set, 1, PL_INT32, NULL, "order", &order));
  pl_err err = pl_particles_keep(set, stays, order);
  pl_dat_free(&order);
  return err;
}

/* On ranks those that go leave their places to the last ones, as those do that change ranks. */
static pl_err keep_shared(pl_set *set, pl_dat *stays)
{
  pl_context *pl = set->node.pl;
  const int32_t *flag = pl_dat_host(stays, false);
  int *to = pl_calloc(pl, (size_t)set->part[1], sizeof *to);
  pl_err err = flag && to ? PL_SUCCESS : PL_ERR_MEMORY;
  for (int i = 0; !err && i < set->part[1]; i++) to[i] = flag[i] ? pl_rank(pl) : PL_GONE;
  err = pl_agree(pl, err);
  pl_map *where = pl_travel_map(set);
  if (!err) err = travel(set, to, where);
  if (!err && where) pl_travel_forget(where);
  if (!err) err = pl_travel_count(set);
  pl_free(pl, to);
  return err;
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
  if (!set) return PL_ERR_ARG;
  pl_context *pl = set->node.pl;
  pl_dat *stays;
  PL_TRY(pl_agree_on(pl, check_flag(set, flag), "pl_particle_remove of \"%s\"", set->node.name));
  PL_TRY(ready(set, "pl_particle_remove"));
  PL_TRY(go_home(set));
  PL_TRY(pl_decl_dat(set, 1, PL_INT32, NULL, "stays", &stays));
  pl_err err = pl_par_loop(pl_particle_stays, set, pl_arg_dat(stays, PL_ID, PL_DIRECT, PL_WRITE),
                           pl_arg_dat(flag, PL_ID, PL_DIRECT, PL_READ));
  if (!err) err = pl_late_run(pl);
  if (!err) err = pl_ranks(pl) > 1 ? keep_shared(set, stays) : keep_alone(set, stays);
  pl_dat_free(&stays);
  return err;
}
