/* SPDX-License-Identifier: BSD-2-Clause
 * Replay of a schedule's device calls: collected while it runs and submitted at its end, as one graph where
 * the driver has graphs.
 */
#pragma once

#include "driver.h"

struct pl_schedule;

/* A driver with graphs offers each launch, zero and copy first (true: it was collected), and calls
 * pl_replay_flush before everything else. */
bool pl_replay_launch(pl_device *device, void *kernel, pl_grid grid, int nargs, const pl_launch_arg *args);
bool pl_replay_zero(pl_device *device, void *buffer, size_t size);
bool pl_replay_copy(pl_device *device, void *to, void *from, size_t size);
void pl_replay_flush(pl_device *device);

/* A change of queue, and a record of and a wait for an event, for callers that want them in a graph (true: it
 * was collected). Between pl_replay_open(true) and (false) are all waits for events that are recorded there.
 */
void pl_replay_open(pl_device *device, bool open);
bool pl_replay_queue(pl_device *device, void *queue);
bool pl_replay_record(pl_device *device, void *event);
bool pl_replay_wait(pl_device *device, void *event);

/* Operations of the backend (core/context/backend.h). */
pl_err pl_device_replay_repeat(pl_context *pl, struct pl_schedule *schedule, bool *done);
pl_err pl_device_replay_begin(pl_context *pl, struct pl_schedule *schedule);
pl_err pl_device_replay_end(pl_context *pl);
void pl_device_replay_free(pl_context *pl, void *replay);
