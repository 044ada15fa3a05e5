/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs on the host: groups are cut into contiguous pieces, one for each worker; a group runs on
 * one thread. Work items of kernels without barriers are a plain loop, those of others are fibers.
 */
#ifndef PLAIT_BACKENDS_HOST_PROGRAM_H
#define PLAIT_BACKENDS_HOST_PROGRAM_H

#include "core/program.h"

pl_err pl_host_program_make(pl_context *pl, pl_program *program);
void pl_host_program_free(pl_context *pl, pl_program *program);
pl_err pl_host_entry_make(pl_context *pl, pl_entry *entry);
pl_err pl_host_entry_limit(pl_context *pl, const pl_entry *entry, int *limit);

/* A launch, prepared: `workers` of them may run at the same time. */
typedef struct pl_host_launch pl_host_launch;
pl_err pl_host_launch_open(const pl_launch *launch, int workers, pl_host_launch **host);
void pl_host_launch_work(const pl_host_launch *host, int worker);
void pl_host_launch_end(const pl_host_launch *host); /* when all have worked */
void pl_host_launch_close(pl_host_launch **host);

/* A backend's functions for programs, given the one that runs. */
#define PL_HOST_PROGRAMS(run_)                                                                               \
  .program_make = pl_host_program_make, .program_free = pl_host_program_free,                                \
  .entry_make = pl_host_entry_make, .entry_limit = pl_host_entry_limit, .entry_run = run_

#endif
