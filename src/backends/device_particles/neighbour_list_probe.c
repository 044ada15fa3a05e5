/* SPDX-License-Identifier: BSD-2-Clause
 * Probes: a kernel reports the state of a list, which the host reads while later work runs.
 */
#include "neighbour_list_probe.h"
#include "backends/device/device_data.h"
#include "backends/device/graph_replay.h"
#include "core/base/clock.h"
#include "core/context/context.h"
#include <string.h>

/* Arguments of kernels that report the result of a probe. */
void pl_list_probe_add(pl_list_launch *l, pl_pairs_device *on)
{
  on->probe_event++;
  PL_LIST_ARG(l, on->probe_event);
  pl_list_add(l, sizeof(void *), on->probe_result ? (void *const *)&on->probe_result : &on->state.at);
}

/* Memory for replies: the probe's number, then the state. A device without zero copy has it read by a queue
 * of its own, so that later work need not wait. */
pl_err pl_list_probe_open(pl_device *device, pl_pairs_device *on)
{
  const pl_driver *d = device->driver;
  size_t bytes = (1 + PL_PAIR_STATES) * sizeof *on->probe_reply;
  if (on->probe_reply) return PL_SUCCESS;
  const bool queue = !d->zero_copy || pl_ranks(device->pl) > 1; /* on ranks for lists (particle_owners.c) */
  if (queue && !on->reading) PL_TRY(d->queue_new(device, false, &on->reading));
  if (queue && !on->before) PL_TRY(d->event_new(device, false, &on->before));
  if (!d->zero_copy && !on->after) PL_TRY(d->event_new(device, false, &on->after));
  PL_TRY(pl_device_host_alloc(device->pl, bytes, (void **)&on->probe_reply));
  memset(on->probe_reply, 0, bytes);
  if (d->zero_copy) on->probe_result = on->probe_reply;
  return PL_SUCCESS;
}

static pl_err read_state(pl_device *device, pl_pairs_device *on)
{
  const pl_driver *d = device->driver;
  bool apart = !device->pl->queue;
  if (apart) {
    PL_TRY(d->event_record(device, on->before));
    d->queue_use(device, on->reading);
  }
  pl_err err = apart ? d->queue_wait(device, on->before) : PL_SUCCESS;
  if (!err) err = d->start_read(device, on->probe_reply + 1, on->state.at, 0, PL_PAIR_STATES * sizeof(int));
  if (!err) err = d->event_record(device, on->after);
  if (apart) d->queue_use(device, NULL);
  return err;
}

/* After the launch of the kernel that reports. */
pl_err pl_list_probe_start(pl_device *device, pl_pairs_device *on)
{
  if (!on->probe_result) PL_TRY(read_state(device, on));
  on->pending = true;
  device->pl->stats.bytes_from_device += PL_LIST_REPORTED * sizeof(int);
  device->pl->stats.calls_from_device++;
  return PL_SUCCESS;
}

/* Polls for the reply; if that takes long, waits for the device, which also reports its errors. */
static pl_err poll_reply(pl_device *device, pl_pairs_device *on)
{
  enum { POLLS = 1 << 10 };
  pl_replay_flush(device);
  for (const double end = pl_now() + 0.1; pl_now() < end;)
    for (int k = 0; k < POLLS; k++)
      if (__atomic_load_n(on->probe_reply, __ATOMIC_ACQUIRE) == on->probe_event) return PL_SUCCESS;
  PL_TRY(device->driver->sync(device));
  if (__atomic_load_n(on->probe_reply, __ATOMIC_ACQUIRE) == on->probe_event) return PL_SUCCESS;
  return pl_fail(device->pl, PL_ERR_INTERNAL, "the device did not reply to a query about a neighbour list");
}

pl_err pl_list_probe_wait(pl_device *device, pl_pairs_device *on, const int **state)
{
  on->pending = false;
  *state = on->probe_reply + 1;
  return on->probe_result ? poll_reply(device, on) : device->driver->event_wait(device, on->after);
}
