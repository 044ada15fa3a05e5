/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs on the host.
 */
#pragma once

#include "core/program/program.h"

pl_err pl_host_program_make(pl_context *pl, pl_program *program);
void pl_host_program_free(pl_context *pl, pl_program *program);
pl_err pl_host_entry_make(pl_context *pl, pl_entry *entry);
pl_err pl_host_entry_limit(pl_context *pl, const pl_entry *entry, int *limit);
pl_err pl_host_entry_size(pl_context *pl, const pl_entry *entry, int i, size_t *size);
pl_err pl_host_entry_run(pl_context *pl, const pl_launch *launch);
void pl_host_fibers_close(pl_context *pl);
