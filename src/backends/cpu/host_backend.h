/* SPDX-License-Identifier: BSD-2-Clause
 * The functions that the backends of the host share.
 */
#pragma once

#include "backends/host_loop/host_loop.h"
#include "backends/tiling/tiled_replay.h"
#include "codegen/loop/op_count.h"
#include "codegen/kernel/signature_check.h"
#include "codegen/schedule/schedule.h"

extern const pl_program_ops pl_host_program_ops;
extern const pl_algorithm_ops pl_host_algorithm_ops;
extern const pl_replay_ops pl_host_replay_ops;

/* A backend's own functions are name, open, prepare and run. */
#define PL_HOST_BACKEND                                                                                      \
  .close = pl_host_close, .run_reference = pl_host_run_reference, .release = pl_host_release,                \
  .prefetch = pl_host_prefetch, .check_kernel = pl_signature_check, .check_loop = pl_schedule_check,         \
  .count = pl_count_operations, .schedule = pl_schedule_make, .programs = &pl_host_program_ops,              \
  .algorithms = &pl_host_algorithm_ops, .replay = &pl_host_replay_ops
