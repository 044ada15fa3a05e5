/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs on devices.
 */
#pragma once

#include "plait.h"

struct pl_launch;

pl_err pl_device_program_make(pl_context *pl, pl_program *program);
void pl_device_program_free(pl_context *pl, pl_program *program);
pl_err pl_device_entry_make(pl_context *pl, pl_entry *entry);
pl_err pl_device_entry_limit(pl_context *pl, const pl_entry *entry, int *limit);
pl_err pl_device_entry_size(pl_context *pl, const pl_entry *entry, int i, size_t *size);
pl_err pl_device_entry_run(pl_context *pl, const struct pl_launch *launch);
