/* SPDX-License-Identifier: BSD-2-Clause
 * Sizes of sets: who may change them, capacity, all dats at once. Invariant: the storage of every dat of a
 * set, on either side, has room for pl_set_room elements.
 */
#include "set_resize.h"
#include "core/loop/loop.h"
#include "core/comm/comm.h"
#include "sort_select.h"
#include <string.h>

int64_t pl_set_capacity(const pl_set *set)
{
  return set ? pl_set_room(set) : 0;
}

/* ---- checks ---- */

static pl_err check_dats(const pl_set *set, const char *what)
{
  PL_EACH (const pl_dat, dat, set->node.pl->dats)
    if (dat->set == set) PL_TRY(pl_dat_check_no_views(dat, what));
  return pl_set_check_wrapped(set->node.pl, set, what);
}

const pl_map *pl_set_other_map(const pl_set *set, const pl_map *but)
{
  PL_EACH (const pl_map, map, set->node.pl->maps)
    if (!map->pair_map && map != but && !(but && map->inner == but) && (map->from == set || map->to == set))
      return map;
  return NULL;
}

pl_err pl_set_check_free(const pl_set *set, const char *caller)
{
  pl_context *pl = set->node.pl;
  const char *name = set->node.name;
  if (set->parent) return pl_fail(pl, PL_ERR_STATE, "%s: \"%s\" is a subset; pass a whole set", caller, name);
  if (set->end[1] != set->end[3] && !set->halo)
    return pl_fail(pl, PL_ERR_STATE, "%s: set \"%s\" was declared with a halo, so its size is fixed", caller,
                   name);
  PL_EACH (const pl_set, subset, pl->sets)
    if (subset->parent == set)
      return pl_fail(pl, PL_ERR_STATE, "%s: set \"%s\" has a subset \"%s\"; free it first", caller, name,
                     subset->node.name);
  return check_dats(set, caller);
}

pl_err pl_set_check_variable(const pl_set *set, const pl_map *but, const char *caller)
{
  const pl_map *other = pl_set_other_map(set, but);
  PL_TRY(pl_set_check_free(set, caller));
  if (!other) return PL_SUCCESS;
  return pl_fail(set->node.pl, PL_ERR_STATE, "%s: map \"%s\" leads from or to set \"%s\"; free it first",
                 caller, other->node.name, set->node.name);
}

/* ---- capacity ---- */

/* Loops are prepared again, since their device data depend on the capacity. */
pl_err pl_set_grow(pl_set *set, int room)
{
  pl_context *pl = set->node.pl;
  PL_EACH (pl_dat, dat, pl->dats)
    if (dat->set == set) PL_TRY(pl_storage_grow(dat, room));
  set->capacity = room;
  pl->decl_version++;
  return PL_SUCCESS;
}

pl_err pl_set_check_size(const pl_set *set, int64_t n, const char *what)
{
  if (n >= 0 && n <= INT32_MAX) return PL_SUCCESS;
  return pl_fail(set->node.pl, PL_ERR_RANGE,
                 "%s: set \"%s\" cannot have %lld elements; the limits are 0 and %d", what, set->node.name,
                 (long long)n, INT32_MAX);
}

/* ---- size ---- */

static int with_slack(int n)
{
  return n < INT32_MAX / 3 * 2 ? n + n / 2 : INT32_MAX;
}

pl_err pl_set_make_room(pl_set *set, int64_t n)
{
  PL_TRY(pl_set_check_size(set, n, "a set that grows"));
  if (set->capacity && n <= pl_set_room(set)) return PL_SUCCESS;
  return pl_set_grow(set, n > pl_set_room(set) ? with_slack((int)n) : pl_set_room(set));
}

pl_err pl_set_resize_storage(pl_set *set, int n)
{
  pl_context *pl = set->node.pl;
  int before = set->end[3];
  PL_TRY(pl_set_make_room(set, n));
  PL_EACH (pl_dat, dat, pl->dats)
    if (dat->set == set && n > before) PL_TRY(pl_dat_zero_elements(dat, before, n));
  for (int part = 0; part < 4; part++) set->end[part] = n;
  set->global_size = set->global_end = n;
  PL_EACH (pl_dat, dat, pl->dats)
    if (dat->set == set) dat->version++;
  pl_loops_resized(pl, set);
  return PL_SUCCESS;
}

/* ---- all dats at once ---- */

/* The dats of a set but one (or NULL); the caller frees the list. */
static pl_err list_dats(const pl_set *set, const pl_dat *but, pl_dat ***dats, int *count)
{
  pl_context *pl = set->node.pl;
  const size_t most = (size_t)set->ref + 1; /* every dat holds a reference */
  *count = 0;
  if (!(*dats = pl_calloc(pl, most, sizeof **dats))) return pl_fail_memory(pl, most * sizeof **dats);
  PL_EACH (pl_dat, dat, pl->dats)
    if (dat->set == set && dat != but) (*dats)[(*count)++] = dat;
  return PL_SUCCESS;
}

pl_err pl_set_apply(pl_set *set, pl_dat *order, int n, const pl_dat *but)
{
  pl_dat **dats;
  int count;
  PL_TRY(list_dats(set, but, &dats, &count));
  pl_err err = pl_order_apply(order, n, count, dats);
  pl_free(set->node.pl, dats);
  return err;
}

pl_err pl_set_align(pl_set *set, pl_dat *order)
{
  pl_dat **dats;
  int count;
  PL_TRY(pl_agree(set->node.pl, list_dats(set, NULL, &dats, &count)));
  pl_err err = pl_align(order, count, dats);
  pl_free(set->node.pl, dats);
  return err;
}
