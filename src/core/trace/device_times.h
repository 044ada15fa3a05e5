/* SPDX-License-Identifier: BSD-2-Clause
 * When the device ran the work between two calls, by events of its driver.
 *
 * Events are read later, so that the host does not wait: a ring holds those that may be unfinished.
 */
#pragma once

#include "trace_records.h"

typedef struct pl_device_times pl_device_times;

/* NULL if the backend has no events, or without memory. */
pl_device_times *pl_device_times_open(pl_trace_records *records);

/* Before the first and after the last call of a record's work. The times that are known by then are added to
 * the records. */
void pl_device_times_begin(pl_device_times *d);
void pl_device_times_end(pl_device_times *d, const pl_trace_record *record);

/* Waits for the device. */
void pl_device_times_close(pl_device_times *d);
