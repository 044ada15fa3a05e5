/* SPDX-License-Identifier: BSD-2-Clause
 * The groups of operations that the backends of the host share.
 */
#include "host_backend.h"
#include "backends/host_algorithms/host_program.h"
#include "backends/host_algorithms/host_scan.h"
#include "backends/host_algorithms/host_sort.h"

const pl_program_ops pl_host_program_ops = {
  .program_make = pl_host_program_make,
  .program_free = pl_host_program_free,
  .entry_make = pl_host_entry_make,
  .entry_limit = pl_host_entry_limit,
  .entry_size = pl_host_entry_size,
  .entry_run = pl_host_entry_run,
};

const pl_algorithm_ops pl_host_algorithm_ops = {
  .scan = pl_host_scan_run,
  .sort = pl_host_sort,
  .select = pl_host_select,
  .gather = pl_host_gather,
};

const pl_replay_ops pl_host_replay_ops = {
  .begin = pl_tiling_begin,
  .flush = pl_tiling_flush,
  .end = pl_tiling_end,
  .free = pl_tiling_free,
};
