/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists that the host has built, on the device: rows interleaved for teams, and current records.
 * Invariant: the device has the list number `builds` and records of version `version`.
 */
#include "neighbour_list_data.h"
#include "neighbour_list_launch.h"
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

static pl_err send(pl_device *device, const void *host, size_t size, pl_pairs_buffer *buffer)
{
  device->pl->stats.bytes_to_device += size;
  device->pl->stats.calls_to_device++;
  return pl_list_send(device, host, size, buffer);
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
  pl_err err = entry ? send(device, entry, bytes, &on->entry) : pl_fail_memory(pl, bytes);
  if (!err) err = send(device, row, 2 * (size_t)slices * sizeof *row, &on->row);
  pl_free(pl, row);
  pl_free_array(pl, entry);
  return err;
}

/* With padding, as loops read them. */
static pl_err send_records(pl_device *device, const pl_pairs *pairs, pl_pairs_device *on)
{
  const size_t n = (size_t)pairs->nrecords + (size_t)pairs->lanes, size = pl_type_size(pairs->position->type),
               width = (size_t)pairs->width;
  const char *record = pairs->list.record;
  on->stride = (int)n;
  if (!pl_pairs_apart(pairs)) return send(device, record, n * width * size, &on->record);
  char *apart = pl_malloc_array(device->pl, n * width * size);
  if (!apart) return pl_fail_memory(device->pl, n * width * size);
  for (size_t r = 0; r < n; r++)
    for (size_t a = 0; a < width; a++)
      memcpy(apart + (a * n + r) * size, record + (r * width + a) * size, size);
  pl_err err = send(device, apart, n * width * size, &on->record);
  pl_free_array(device->pl, apart);
  return err;
}

static pl_err send_list(pl_device *device, const pl_pairs *pairs, pl_pairs_device *on)
{
  size_t size = pl_type_size(pairs->position->type);
  size_t records = (size_t)pairs->nrecords + (size_t)pairs->lanes;
  static const int holds[PL_PAIR_STATES] = {0};
  if (!pairs->all_pairs) PL_TRY(send_rows(device, pairs, on));
  PL_TRY(send(device, pairs->list.owner, records * sizeof(int), &on->owner));
  PL_TRY(send(device, pairs->count, sizeof pairs->count, &on->count));
  PL_TRY(send(device, holds, sizeof holds, &on->state));
  PL_TRY(send(device, pl_pairs_cutoff(pairs), size, &on->cutoff));
  PL_TRY(send_records(device, pairs, on));
  on->builds = pairs->builds;
  on->version = pairs->version;
  return PL_SUCCESS;
}

/* Of a list that the device has built. */
static pl_err send_counts(pl_device *device, const pl_pairs *pairs, pl_pairs_device *on)
{
  if (on->count.at && !memcmp(on->counted, pairs->count, sizeof on->counted)) return PL_SUCCESS;
  memcpy(on->counted, pairs->count, sizeof on->counted);
  return send(device, on->counted, sizeof on->counted, &on->count);
}

pl_err pl_device_pairs(pl_device *device, pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  if (!pairs->device && !(pairs->device = pl_calloc(device->pl, 1, sizeof *pairs->device)))
    return pl_fail_memory(device->pl, sizeof *pairs->device);
  pl_pairs_device *on = pairs->device;
  if (on->device_built) return pl_ranks(device->pl) > 1 ? send_counts(device, pairs, on) : PL_SUCCESS;
  if (on->builds != pairs->builds) return send_list(device, pairs, on);
  if (on->version == pairs->version) return PL_SUCCESS;
  PL_TRY(send_records(device, pairs, on));
  on->version = pairs->version;
  return PL_SUCCESS;
}

void pl_device_pairs_clear(pl_device *device, pl_pairs_device *on)
{
  void *at[] = {on->row.at,       on->entry.at,   on->record.at, on->cutoff.at, on->owner.at, on->count.at,
                on->state.at,     on->images.at,  on->places.at, on->anchor.at, on->box.at,   on->bins.at,
                on->shift.at,     on->wrapped.at, on->member.at, on->start.at,  on->total.at, on->limits.at,
                on->undecided.at, on->numbers.at, on->bits.at,   on->sign.at,   on->listed.at};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    if (at[i]) device->driver->free(device, at[i]);
  const pl_driver *d = device->driver;
  if (on->before) d->event_free(device, on->before);
  if (on->after) d->event_free(device, on->after);
  if (on->reading) d->queue_free(device, on->reading);
  void *host[] = {on->probe_reply, on->host_sign.at, on->host_listed.at};
  for (size_t i = 0; i < sizeof host / sizeof *host; i++)
    if (host[i]) pl_device_host_free(device->pl, host[i]);
  *on = (pl_pairs_device){0};
}

void pl_device_pairs_free(pl_context *pl, pl_pairs *pairs)
{
  pl_device_pairs_clear(pl_device_of(pl), pairs->device);
  pl_free(pl, pairs->device);
  pairs->device = NULL;
}
