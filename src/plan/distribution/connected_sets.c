/* SPDX-License-Identifier: BSD-2-Clause
 * Marks of connected sets, and the common steps of distributing and undistributing them.
 */
#include "connected_sets.h"
#include "core/exchange/halo.h"
#include "plan/execution/plan_cache.h"
#include <string.h>

void pl_marks_clear(pl_context *pl)
{
  PL_EACH (pl_set, set, pl->sets) set->marked = false;
}

void pl_marks_spread(pl_context *pl, bool stored)
{
  for (bool changed = true; changed;) {
    changed = false;
    PL_EACH (pl_map, map, pl->maps)
      if (map->from->marked != map->to->marked && (map->index || !stored))
        changed = map->from->marked = map->to->marked = true;
  }
}

pl_err pl_marked_check_views(pl_context *pl)
{
  PL_EACH (pl_dat, dat, pl->dats)
    if (dat->set->marked && (dat->readers || dat->writer))
      return pl_fail(
        pl, PL_ERR_STATE,
        "set \"%s\" cannot be distributed while a %s view of dat \"%s\" is open; close it with %s first",
        dat->set->node.name, pl_view_kind(dat), dat->node.name, pl_view_end(dat));
  return pl_set_check_wrapped(pl, NULL, "distribution");
}

void pl_set_drop_derived(pl_set *set)
{
  pl_context *pl = set->node.pl;
  pl_plans_forget(pl, set);
  pl_drop_buffer(pl, &set->device);
  pl_drop_buffer(pl, &set->global_device);
  pl_free(pl, set->user_indices);
  set->user_indices = NULL;
}

void pl_set_replace(pl_set *set, int64_t *global, int *user_order, pl_halo *halo, const int end[4])
{
  pl_set_drop_derived(set);
  pl_free_arrays(set->node.pl, set->global, set->user_order);
  pl_halo_free(set->node.pl, set->halo);
  set->global = global;
  set->user_order = user_order;
  set->user_order_stale = set->copies_unnumbered = false;
  set->index_room = set->capacity = 0;
  set->halo = halo;
  memcpy(set->end, end, sizeof set->end);
  set->order_version++;
}

void pl_map_replace(pl_map *map, int *offset, int *index, int64_t *global_index)
{
  pl_context *pl = map->node.pl;
  pl_plans_forget(pl, map);
  pl_halo_free(pl, map->halo);
  pl_map_drop_copies(map);
  pl_free_arrays(pl, map->user_index, map->index, map->global_index);
  pl_free(pl, map->user_offset);
  if (map->offset != offset) pl_free(pl, map->offset);
  map->halo = NULL;
  map->user_index = map->user_offset = NULL;
  map->offset = offset;
  map->index = index;
  map->global_index = global_index;
}

pl_err pl_dat_move_to_host(pl_dat *dat)
{
  if (dat->storage.device_valid && !pl_dat_host(dat, false)) return PL_ERR_MEMORY;
  pl_dat_free_device(dat);
  return PL_SUCCESS;
}
