/* SPDX-License-Identifier: BSD-2-Clause
 * Updates of the records of a list between two builds. They mark the list as stale if a pair may be missing.
 */
#include "neighbour_list_update.h"
#include "backends/device/device_data.h"
#include "neighbour_list_probe.h"
#include "core/data/objects.h"

/* Arguments of pl_renew, but for its results; it updates the first `end` records. */
static void add_records(pl_list_launch *l, pl_pairs *pairs, const int *end, const int *size)
{
  const pl_pairs_device *on = pairs->device;
  pl_list_positions(l, pairs, &pairs->n, size);
  PL_LIST_ARG(l, *end), PL_LIST_ARG(l, on->box.at), PL_LIST_ARG(l, on->bins.at), PL_LIST_ARG(l, on->start.at),
    PL_LIST_ARG(l, pairs->position->storage.device), PL_LIST_ARG(l, on->anchor.at),
    PL_LIST_ARG(l, on->places.at), PL_LIST_ARG(l, on->owner.at), PL_LIST_ARG(l, on->images.at),
    PL_LIST_ARG(l, on->shift.at), PL_LIST_ARG(l, on->room), PL_LIST_ARG(l, on->record.at),
    PL_LIST_ARG(l, on->state.at);
}

/* Updates the records from current positions, and marks the list as stale if a pair may be missing in it:
 * loops do nothing then. */
pl_err pl_list_update(pl_device *device, pl_pairs *pairs)
{
  pl_pairs_device *on = pairs->device;
  int size = pl_list_room_of(pairs->position);
  pl_list_launch l = {.device = device};
  add_records(&l, pairs, &pairs->nrecords, &size);
  pl_list_probe_add(&l, on);
  PL_TRY(pl_list_go(&l, on->module, "pl_renew", pairs->nrecords, PL_LIST_GROUP));
  return pl_list_probe_start(device, on);
}

/* Pairs with copies that may be new; more make the list stale. */
int pl_list_most_undecided(const pl_pairs *pairs)
{
  return pairs->n / 8 + 4096;
}

/* On ranks, the records of this rank's particles. */
static pl_err update_own(pl_device *device, pl_pairs *pairs)
{
  pl_pairs_device *on = pairs->device;
  int size = pl_list_room_of(pairs->position), turn = on->probe_event % 2,
      most = pl_list_most_undecided(pairs);
  pl_list_launch l = {.device = device};
  add_records(&l, pairs, &pairs->n, &size);
  PL_LIST_ARG(&l, turn), PL_LIST_ARG(&l, most), PL_LIST_ARG(&l, on->undecided.at);
  return pl_list_go(&l, on->module, "pl_renew", pairs->n, PL_LIST_GROUP);
}

/* Then, with current copies, those of ghosts. */
static pl_err update_ghosts(pl_device *device, pl_pairs *pairs)
{
  pl_pairs_device *on = pairs->device;
  int size = pl_list_room_of(pairs->position), turn = on->probe_event % 2,
      most = pl_list_most_undecided(pairs), ghosts = pairs->nrecords - pairs->n;
  pl_list_launch l = {.device = device};
  pl_list_positions(&l, pairs, &pairs->n, &size);
  PL_LIST_ARG(&l, pairs->nrecords), PL_LIST_ARG(&l, on->box.at),
    PL_LIST_ARG(&l, pairs->position->storage.device), PL_LIST_ARG(&l, on->anchor.at),
    PL_LIST_ARG(&l, on->owner.at), PL_LIST_ARG(&l, on->images.at), PL_LIST_ARG(&l, on->shift.at),
    PL_LIST_ARG(&l, on->room), PL_LIST_ARG(&l, on->record.at), PL_LIST_ARG(&l, on->state.at),
    PL_LIST_ARG(&l, turn), PL_LIST_ARG(&l, most), PL_LIST_ARG(&l, on->undecided.at);
  pl_list_probe_add(&l, on);
  PL_TRY(pl_list_go(&l, on->module, "pl_renew_ghosts", ghosts ? ghosts : 1, PL_LIST_GROUP));
  return pl_list_probe_start(device, on);
}

pl_err pl_device_pairs_start_update(pl_context *pl, pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  if (!pairs->position->storage.device_valid) return PL_SUCCESS;
  PL_TRY(update_own(pl_device_of(pl), pairs));
  pairs->device->own_updated = true;
  return PL_SUCCESS;
}

pl_err pl_device_pairs_update(pl_context *pl, pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  PL_TRY(pl_dat_device(pairs->position, true));
  if (!pairs->device->own_updated) PL_TRY(update_own(pl_device_of(pl), pairs));
  pairs->device->own_updated = false;
  return update_ghosts(pl_device_of(pl), pairs);
}

pl_err pl_device_pairs_stale(pl_context *pl, pl_map *map, bool *stale)
{
  const int *state;
  PL_TRY(pl_list_probe_wait(pl_device_of(pl), map->pairs->device, &state));
  *stale = state[PL_LIST_STALE];
  return PL_SUCCESS;
}
