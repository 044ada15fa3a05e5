/* SPDX-License-Identifier: BSD-2-Clause
 * The groups of operations that all device backends share.
 */
#include "device_backend.h"
#include "backends/device/device_data.h"
#include "backends/device/device_exchange.h"
#include "backends/device/device_globals.h"
#include "backends/device/device_queue.h"
#include "backends/device/graph_replay.h"
#include "backends/device_algorithms/device_cg.h"
#include "backends/device_algorithms/rank_sums.h"
#include "backends/device_algorithms/device_program.h"
#include "backends/device_algorithms/device_scan.h"
#include "backends/device_algorithms/device_sort.h"
#include "backends/device_particles/neighbour_list_build.h"
#include "backends/device_particles/neighbour_list_update.h"
#include "backends/device_particles/neighbour_list_data.h"
#include "backends/device_particles/particle_owners.h"

const pl_data_ops pl_device_data_ops = {
  .choose_layout = pl_device_choose_layout,
  .alloc = pl_device_dat_alloc,
  .write = pl_device_dat_write,
  .read = pl_device_dat_read,
  .zero = pl_device_dat_zero,
  .zero_subset = pl_device_dat_zero_subset,
  .zero_range = pl_device_dat_zero_range,
  .copy = pl_device_dat_copy,
  .fill = pl_device_dats_fill,
  .global_download = pl_device_global_download,
  .global_fetch = pl_device_global_fetch,
  .global_start_read = pl_device_global_start_read,
  .sums_ranks = pl_device_sums_ranks,
  .rank_sums = pl_device_rank_sums,
  .global_compute = pl_device_global_compute,
  .buffer_free = pl_device_buffer_free,
  .native = pl_device_native,
};

const pl_queue_ops pl_device_queue_ops = {
  .queue_new = pl_device_queue_new,
  .queue_free = pl_device_queue_free,
  .queue_use = pl_device_queue_use,
  .queue_wait = pl_device_queue_wait,
  .event_new = pl_device_event_new,
  .event_free = pl_device_event_free,
  .event_record = pl_device_event_record,
  .event_wait = pl_device_event_wait,
  .event_done = pl_device_event_done,
  .event_seconds = pl_device_event_seconds,
};

const pl_program_ops pl_device_program_ops = {
  .program_make = pl_device_program_make,
  .program_free = pl_device_program_free,
  .entry_make = pl_device_entry_make,
  .entry_limit = pl_device_entry_limit,
  .entry_size = pl_device_entry_size,
  .entry_run = pl_device_entry_run,
};

const pl_exchange_ops pl_device_exchange_ops = {
  .ready = pl_device_exchange_ready,
  .begin = pl_device_exchange_begin,
  .end = pl_device_exchange_end,
  .close = pl_device_exchange_close,
  .host_alloc = pl_device_host_alloc,
  .host_free = pl_device_host_free,
  .shared_memory_kind = pl_device_shares,
};

const pl_pair_ops pl_device_pair_ops = {
  .renew = pl_device_pairs_renew,
  .start_update = pl_device_pairs_start_update,
  .update = pl_device_pairs_update,
  .stale = pl_device_pairs_stale,
  .entries = pl_device_pairs_entries,
  .leaving = pl_device_particles_leaving,
  .near = pl_device_particles_near,
  .keep = pl_device_particles_keep,
  .free = pl_device_pairs_free,
};

const pl_algorithm_ops pl_device_algorithm_ops = {
  .scan = pl_device_scan_run,
  .sort = pl_device_sort,
  .select = pl_device_select,
  .gather = pl_device_gather,
  .cg_steps = pl_device_cg_steps,
};

const pl_replay_ops pl_device_replay_ops = {
  .repeat = pl_device_replay_repeat,
  .begin = pl_device_replay_begin,
  .end = pl_device_replay_end,
  .free = pl_device_replay_free,
};
