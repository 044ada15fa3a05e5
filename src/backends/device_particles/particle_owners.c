/* SPDX-License-Identifier: BSD-2-Clause
 * Particles that leave for other ranks, and those near other ranks' domains, found on the device
 * (particle_owners.device.inc). Invariant: only lists of indices and counts cross the bus.
 */
#include "particle_owners.h"
#include "backends/device/device_data.h"
#include "neighbour_list_build.h"
#include "neighbour_list_launch.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "plan/particles/domain_decomposition.h"
#include "plan/partition/coordinate_bisection.h"
#include <string.h>

/* As in the template: signs, then where the list of each rank of a pass begins and the last one ends, then
 * the same for each group of particles. */
enum { NOWHERE, MOVED, SIGNS };
enum { BATCH = 32, HEAD = SIGNS + BATCH + 1 }; /* BATCH: ranks of one pass, bits of a word */

typedef struct listing {
  pl_device *device;
  pl_map *map;
  pl_pairs_device *on;
  int n, groups, ranks, me, size;
  int64_t listed;
  int *sign;             /* HEAD of them */
  const pl_nearby *near; /* NULL: particles that leave are listed */
} listing;

/* Page-locked memory for more bytes than the first `kept`, which keep their values. */
static pl_err grow_host(pl_context *pl, pl_pairs_buffer *buffer, size_t kept, size_t bytes)
{
  void *grown;
  if (buffer->at && buffer->bytes >= bytes) return PL_SUCCESS;
  bytes += bytes / 4;
  PL_TRY(pl_device_host_alloc(pl, bytes, &grown));
  if (kept) memcpy(grown, buffer->at, kept);
  if (buffer->at) pl_device_host_free(pl, buffer->at);
  *buffer = (pl_pairs_buffer){grown, bytes};
  return PL_SUCCESS;
}

static pl_err open_listing(pl_device *device, pl_map *map, listing *l)
{
  pl_context *pl = device->pl;
  PL_TRY(pl_device_lists_open(device, map->pairs));
  *l = (listing){.device = device, .map = map, .on = map->pairs->device, .n = map->from->end[1]};
  l->groups = (l->n + PL_LIST_GROUP * PL_LIST_TILES - 1) / (PL_LIST_GROUP * PL_LIST_TILES);
  l->ranks = pl_ranks(pl);
  l->me = pl_rank(pl);
  l->size = pl_list_room_of(map->pairs->position);
  size_t batch = l->ranks < BATCH ? (size_t)l->ranks : BATCH,
         bytes = (HEAD + batch * (size_t)l->groups) * sizeof *l->sign;
  PL_TRY(grow_host(pl, &l->on->host_sign, 0, HEAD * sizeof *l->sign));
  l->sign = l->on->host_sign.at;
  PL_TRY(pl_dat_device(map->pairs->position, true));
  PL_TRY(pl_list_grow(device, &l->on->sign, bytes));
  return pl_list_grow(device, &l->on->bits, (size_t)l->n * sizeof(unsigned));
}

/* The box, and cuts or extents. */
static pl_err send_domain(listing *l, const double *more, size_t n)
{
  pl_context *pl = l->device->pl;
  const pl_domain *domain = l->map->pairs->domain;
  double box[9] = {0};
  memcpy(box, domain->low, sizeof domain->low);
  memcpy(box + 3, domain->high, sizeof domain->high);
  for (int a = 0; a < domain->dim; a++) box[6 + a] = domain->periodic[a];
  pl->stats.bytes_to_device += sizeof box + n * sizeof *more;
  pl->stats.calls_to_device += 2;
  PL_TRY(pl_list_send(l->device, box, sizeof box, &l->on->limits));
  return pl_list_send(l->device, more, n * sizeof *more, &l->on->numbers);
}

static int ranks_from(const listing *l, int first)
{
  return l->ranks - first < BATCH ? l->ranks - first : BATCH;
}

/* Launches a kernel of so many groups, for a list of at most `room` particles. */
static pl_err launch_batch(listing *l, const char *name, int nranks, int groups, const int *room)
{
  pl_list_launch at = {.device = l->device};
  PL_LIST_ARG(&at, l->n), PL_LIST_ARG(&at, nranks), PL_LIST_ARG(&at, l->groups),
    PL_LIST_ARG(&at, l->on->bits.at), PL_LIST_ARG(&at, l->on->sign.at);
  if (room) PL_LIST_ARG(&at, *room), PL_LIST_ARG(&at, l->on->listed.at);
  return pl_list_go(&at, l->on->module, name, (int64_t)groups * PL_LIST_GROUP, PL_LIST_GROUP);
}

static void count_read(pl_device *device, size_t bytes)
{
  device->pl->stats.bytes_from_device += bytes;
  device->pl->stats.calls_from_device++;
}

/* While the host waits for the results, and plans with them, the device starts the next list. */
static pl_err read_sign(listing *l)
{
  pl_device *device = l->device;
  const size_t bytes = HEAD * sizeof *l->sign;
  count_read(device, bytes);
  PL_TRY(device->driver->start_read(device, l->sign, l->on->sign.at, 0, bytes));
  PL_TRY(device->driver->event_record(device, l->on->before));
  if (l->near && l->ranks <= BATCH) PL_TRY(pl_device_list_begin(device, l->map, l->near));
  return device->driver->event_wait(device, l->on->before);
}

/* In a queue of its own, beside later work, unless the program has opened a queue. */
static pl_err read_list(listing *l, void *host, size_t bytes)
{
  pl_device *device = l->device;
  const pl_driver *d = device->driver;
  const bool apart = !device->pl->queue;
  count_read(device, bytes);
  if (apart) d->queue_use(device, l->on->reading);
  pl_err err = apart ? d->queue_wait(device, l->on->before) : PL_SUCCESS;
  if (!err) err = d->read(device, host, l->on->listed.at, 0, bytes);
  if (apart) d->queue_use(device, NULL);
  return err;
}

/* Appends the list of a batch, for which the buffer may be too short at first. */
static pl_err fetch_list(listing *l, int nranks, int n)
{
  pl_device *device = l->device;
  const size_t size = sizeof(int), bytes = (size_t)n * size;
  if (bytes > l->on->listed.bytes) {
    PL_TRY(pl_list_grow(device, &l->on->listed, bytes));
    PL_TRY(launch_batch(l, "pl_list", nranks, l->groups, &n));
    PL_TRY(device->driver->event_record(device, l->on->before));
  }
  PL_TRY(grow_host(device->pl, &l->on->host_listed, (size_t)l->listed * size,
                   ((size_t)l->listed + (size_t)n) * size));
  PL_TRY(read_list(l, (int *)l->on->host_listed.at + l->listed, bytes));
  l->listed += n;
  return PL_SUCCESS;
}

/* After the kernel that sets the bits of a batch. */
static pl_err list_batch(listing *l, int first, int64_t *count)
{
  const int nranks = ranks_from(l, first);
  PL_TRY(pl_list_grow(l->device, &l->on->listed, sizeof(int)));
  const int room = (int)(l->on->listed.bytes / sizeof(int)), *begin = l->sign + SIGNS;
  PL_TRY(launch_batch(l, "pl_count", nranks, l->groups, NULL));
  PL_TRY(launch_batch(l, "pl_offsets", nranks, 1, NULL));
  PL_TRY(launch_batch(l, "pl_list", nranks, l->groups, &room));
  PL_TRY(read_sign(l));
  if (l->sign[NOWHERE]) return PL_SUCCESS;
  for (int r = 0; r < nranks; r++) count[first + r] = begin[r + 1] - begin[r];
  return begin[nranks] ? fetch_list(l, nranks, begin[nranks]) : PL_SUCCESS;
}

/* Lists particles rank by rank: those near other ranks, or those that leave for them. Stops
 * at an invalid position. */
static pl_err list_all(listing *l, int64_t *count)
{
  const pl_dat *position = l->map->pairs->position;
  PL_TRY(l->device->driver->zero(l->device, l->on->sign.at, SIGNS * sizeof(int)));
  for (int first = 0; first < l->ranks; first += BATCH) {
    pl_list_launch at = {.device = l->device};
    pl_list_positions(&at, l->map->pairs, &l->n, &l->size);
    PL_LIST_ARG(&at, l->ranks), PL_LIST_ARG(&at, l->me), PL_LIST_ARG(&at, first);
    if (l->near) PL_LIST_ARG(&at, l->near->reach);
    PL_LIST_ARG(&at, l->on->limits.at), PL_LIST_ARG(&at, l->on->numbers.at),
      PL_LIST_ARG(&at, position->storage.device), PL_LIST_ARG(&at, l->on->bits.at);
    if (!l->near) PL_LIST_ARG(&at, l->on->sign.at);
    PL_TRY(pl_list_go(&at, l->on->module, l->near ? "pl_near" : "pl_owners", l->n, PL_LIST_GROUP));
    PL_TRY(list_batch(l, first, count));
    if (l->sign[NOWHERE]) break;
  }
  return PL_SUCCESS;
}

/* ---- particles that leave ---- */

static pl_err list_leaving(listing *l, const pl_cut *cut, int64_t *count)
{
  pl_context *pl = l->device->pl;
  size_t n = (size_t)l->ranks - 1;
  double *numbers = pl_malloc(pl, 2 * n * sizeof *numbers);
  if (!numbers) return pl_fail_memory(pl, 2 * n * sizeof *numbers);
  for (size_t k = 0; k < n; k++) {
    numbers[2 * k] = cut[k].axis;
    numbers[2 * k + 1] = cut[k].at;
  }
  pl_err err = send_domain(l, numbers, 2 * n);
  pl_free(pl, numbers);
  return err ? err : list_all(l, count);
}

/* *done is false if a particle has an invalid position, which the host reports. */
pl_err pl_device_particles_leaving(pl_context *pl, pl_map *map, const pl_cut *cut, int64_t *count,
                                   const int **place, bool *moved, bool *done)
{
  pl_device *device = pl_device_of(pl);
  listing l = {.device = device};
  *done = false;
  if (!pl_device_lists_can(device, map)) return PL_SUCCESS;
  PL_TRY(open_listing(device, map, &l));
  PL_TRY(list_leaving(&l, cut, count));
  *done = !l.sign[NOWHERE];
  *moved = *done && l.sign[MOVED];
  if (*moved) pl_dat_device_written(map->pairs->position);
  if (!*done) memset(count, 0, (size_t)pl_ranks(pl) * sizeof *count);
  *place = l.on->host_listed.at;
  return PL_SUCCESS;
}

/* ---- particles near other ranks ---- */

pl_err pl_device_particles_near(pl_context *pl, pl_map *map, const pl_nearby *near, const pl_extent *extent,
                                int64_t *count, const int **place)
{
  listing l;
  PL_TRY(open_listing(pl_device_of(pl), map, &l));
  PL_TRY(send_domain(&l, extent->low, (size_t)l.ranks * sizeof *extent / sizeof(double)));
  l.near = near;
  PL_TRY(list_all(&l, count));
  *place = l.on->host_listed.at;
  return PL_SUCCESS;
}

/* Copies stand behind the owned particles. */
static pl_err list_copies(pl_device *device, pl_map *map)
{
  pl_halo *halo = map->from->halo;
  const int n = halo->receive_offset[halo->n], first = map->from->end[1];
  pl_list_launch at = {.device = device};
  if (!n) return PL_SUCCESS;
  PL_TRY(pl_device_list_grow(device, n, &halo->device_receive));
  PL_LIST_ARG(&at, n), PL_LIST_ARG(&at, first), PL_LIST_ARG(&at, halo->device_receive.at);
  PL_TRY(pl_list_go(&at, map->pairs->device->module, "pl_ascend", n, PL_LIST_GROUP));
  halo->device_receive.valid = true;
  return PL_SUCCESS;
}

pl_err pl_device_particles_keep(pl_context *pl, pl_map *map, bool *kept)
{
  pl_pairs_buffer *listed = &map->pairs->device->listed;
  pl_list_copy *send = &map->from->halo->device_send;
  *kept = pl_ranks(pl) <= BATCH;
  if (!*kept) return PL_SUCCESS;
  const pl_list_copy was = *send;
  *send = (pl_list_copy){listed->at, listed->bytes, listed->at != NULL};
  *listed = (pl_pairs_buffer){was.at, was.bytes};
  return list_copies(pl_device_of(pl), map);
}
