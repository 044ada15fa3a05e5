/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists that the host has built, on the device: rows interleaved for teams, and current records.
 * Invariant: the device has the list number `builds` and records of version `version`.
 */
#include "neighbour_list_data.h"
#include "backends/device/device_data.h"
#include "core/data/objects.h"
#include "core/particles/pair_map.h"
#include <string.h>

/* ---- rows, interleaved ---- */

static int64_t row_length(const pl_pairs *pairs, int i)
{
  return i < pairs->n ? pl_pairs_row(pairs, i) : 0;
}

/* A slice is as long as its longest row, rounded up to PL_PAIR_ROW. */
static void measure_slices(const pl_pairs *pairs, int slices, int64_t *row)
{
  int64_t next = 0;
  for (int s = 0; s < slices; s++) {
    int64_t longest = 0;
    for (int i = s * PL_PAIR_SLICE; i < (s + 1) * PL_PAIR_SLICE; i++)
      longest = row_length(pairs, i) > longest ? row_length(pairs, i) : longest;
    row[2 * s] = next;
    row[2 * s + 1] = next += (longest + PL_PAIR_ROW - 1) / PL_PAIR_ROW * PL_PAIR_ROW * PL_PAIR_SLICE;
  }
}

static void interleave_rows(const pl_pairs *pairs, int slices, const int64_t *row, int *entry)
{
  for (int s = 0; s < slices; s++)
    for (int j = 0; j < PL_PAIR_SLICE; j++) {
      int i = s * PL_PAIR_SLICE + j;
      int64_t count = row_length(pairs, i), room = (row[2 * s + 1] - row[2 * s]) / PL_PAIR_SLICE;
      for (int64_t k = 0; k < room; k++)
        entry[row[2 * s] + (k / PL_PAIR_TEAM * PL_PAIR_SLICE + j) * PL_PAIR_TEAM + k % PL_PAIR_TEAM] =
          k < count ? pl_pairs_entry(pairs, i, k) : pairs->nrecords;
    }
}

/* ---- sending ---- */

static pl_err replace_buffer(pl_device *device, const void *host, size_t size, void **buffer)
{
  if (*buffer) device->driver->free(device, *buffer);
  *buffer = NULL;
  return pl_device_copy_in(device, host, size, buffer);
}

static pl_err send_rows(pl_device *device, const pl_pairs *pairs, pl_pairs_device *on)
{
  pl_context *pl = device->pl;
  int slices = (pairs->n + PL_PAIR_SLICE - 1) / PL_PAIR_SLICE;
  int64_t *row = pl_malloc(pl, (2 * (size_t)slices + 1) * sizeof *row);
  if (!row) return pl_fail_memory(pl, (size_t)slices * sizeof *row);
  measure_slices(pairs, slices, row);
  size_t bytes = slices ? (size_t)row[2 * slices - 1] * sizeof(int) : 0;
  int *entry = pl_malloc_array(pl, bytes);
  if (entry) interleave_rows(pairs, slices, row, entry);
  pl_err err = entry ? replace_buffer(device, entry, bytes, &on->entry) : pl_fail_memory(pl, bytes);
  if (!err) err = replace_buffer(device, row, 2 * (size_t)slices * sizeof *row, &on->row);
  pl_free(pl, row);
  pl_free_array(pl, entry);
  return err;
}

static pl_err send_list(pl_device *device, const pl_pairs *pairs, pl_pairs_device *on)
{
  size_t size = pl_type_size(pairs->position->type);
  size_t records = (size_t)pairs->nrecords + (size_t)pairs->lanes;
  static const int holds = 0;
  if (!pairs->all_pairs) PL_TRY(send_rows(device, pairs, on));
  PL_TRY(replace_buffer(device, pairs->owner, records * sizeof(int), &on->owner));
  PL_TRY(replace_buffer(device, pairs->count, sizeof pairs->count, &on->count));
  PL_TRY(replace_buffer(device, &holds, sizeof holds, &on->stale));
  PL_TRY(replace_buffer(device, pl_pairs_cutoff(pairs), size, &on->cutoff));
  PL_TRY(replace_buffer(device, pairs->record, records * (size_t)pairs->width * size, &on->record));
  on->builds = pairs->builds;
  on->version = pairs->version;
  return PL_SUCCESS;
}

/* Of a list that the device has built. */
static pl_err send_counts(pl_device *device, const pl_pairs *pairs, pl_pairs_device *on)
{
  if (on->count && !memcmp(on->counted, pairs->count, sizeof on->counted)) return PL_SUCCESS;
  memcpy(on->counted, pairs->count, sizeof on->counted);
  return replace_buffer(device, on->counted, sizeof on->counted, &on->count);
}

pl_err pl_device_pairs(pl_device *device, pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  if (!pairs->device && !(pairs->device = pl_calloc(device->pl, 1, sizeof *pairs->device)))
    return pl_fail_memory(device->pl, sizeof *pairs->device);
  pl_pairs_device *on = pairs->device;
  if (on->device_built) on->stale = on->state.at;
  if (on->device_built) return pl_ranks(device->pl) > 1 ? send_counts(device, pairs, on) : PL_SUCCESS;
  if (on->builds != pairs->builds) return send_list(device, pairs, on);
  if (on->version == pairs->version) return PL_SUCCESS;
  size_t bytes = (size_t)pairs->nrecords * (size_t)pairs->width * pl_type_size(pairs->position->type);
  PL_TRY(device->driver->write(device, on->record, 0, pairs->record, bytes));
  device->pl->stats.bytes_to_device += bytes;
  device->pl->stats.calls_to_device++;
  on->version = pairs->version;
  return PL_SUCCESS;
}

void pl_device_pairs_clear(pl_device *device, pl_pairs_device *on)
{
  void *sent[] = {on->row, on->entry, on->record, on->owner, on->stale, on->count, on->cutoff};
  pl_pairs_buffer *own[] = {&on->rows,   &on->entries, &on->records, &on->owners, &on->images,
                            &on->places, &on->anchor,  &on->box,     &on->bins,   &on->shift,
                            &on->state,  &on->wrapped, &on->member,  &on->start,  &on->total,
                            &on->limits, &on->numbers, &on->bits,    &on->sign,   &on->listed};
  for (int i = on->device_built ? 5 : 0; i < 7; i++)
    if (sent[i]) device->driver->free(device, sent[i]);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (own[i]->at) device->driver->free(device, own[i]->at);
  const pl_driver *d = device->driver;
  if (on->before) d->event_free(device, on->before);
  if (on->after) d->event_free(device, on->after);
  if (on->probe_queue) d->queue_free(device, on->probe_queue);
  if (on->probe_reply) pl_device_host_free(device->pl, on->probe_reply);
  *on = (pl_pairs_device){0};
}

void pl_device_pairs_free(pl_context *pl, pl_pairs *pairs)
{
  pl_device_pairs_clear(pl_device_of(pl), pairs->device);
  pl_free(pl, pairs->device);
  pairs->device = NULL;
}
