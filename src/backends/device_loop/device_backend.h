/* SPDX-License-Identifier: BSD-2-Clause
 * A backend over a device driver.
 */
#pragma once

#include "codegen/loop/op_count.h"
#include "codegen/kernel/signature_check.h"
#include "codegen/schedule/passes.h"
#include "codegen/schedule/schedule.h"
#include "device_loop.h"
#include "device_open.h"

extern const pl_data_ops pl_device_data_ops;
extern const pl_queue_ops pl_device_queue_ops;
extern const pl_program_ops pl_device_program_ops;
extern const pl_exchange_ops pl_device_exchange_ops;
extern const pl_pair_ops pl_device_pair_ops;
extern const pl_algorithm_ops pl_device_algorithm_ops;
extern const pl_replay_ops pl_device_replay_ops;

/* A driver's own functions are name, unavailable, open and device_at. */
#define PL_DEVICE_BACKEND                                                                                    \
  .close = pl_device_close, .prepare = pl_device_prepare, .prefetch = pl_device_prefetch,                    \
  .run = pl_device_run, .run_reference = pl_device_run_reference, .release = pl_device_release,              \
  .reduces_globals = true, .arg_element = pl_device_arg_element, .check_kernel = pl_signature_check,         \
  .check_loop = pl_schedule_check, .count = pl_count_operations, .schedule = pl_schedule_make,               \
  .find_gathered = pl_find_gathered, .merges_ranges = pl_device_merges_ranges, .sync = pl_device_sync,       \
  .data = &pl_device_data_ops, .queues = &pl_device_queue_ops, .programs = &pl_device_program_ops,           \
  .exchange = &pl_device_exchange_ops, .pairs = &pl_device_pair_ops, .algorithms = &pl_device_algorithm_ops, \
  .replay = &pl_device_replay_ops
