/* SPDX-License-Identifier: BSD-2-Clause
 * Host/device coherence: which copy of a dat or global is valid, and every transfer between them.
 */
#pragma once

#include "plait.h"
#include <stdbool.h>

/* The host storage of a dat, allocated on first use; its values are valid unless `overwrite`. Recorded loops
 * that read it may not have run, unless the caller announced a write. NULL with the error set. */
void *pl_dat_host(pl_dat *dat, bool overwrite);
void *pl_dat_host_now(pl_dat *dat, bool overwrite); /* without running recorded loops first */
void pl_dat_host_written(pl_dat *dat);              /* the host copy is now the only valid one */

/* Allocates the device copy; it becomes valid if a loop `reads` the values. */
pl_err pl_dat_device(pl_dat *dat, bool reads);
void pl_dat_device_written(pl_dat *dat); /* the device copy is now the only valid one */

/* The same on the device if there is one, else on the host. */
bool pl_dat_on_device(const pl_dat *dat); /* whether the backend has a device */
pl_err pl_dat_acquire(pl_dat *dat, bool reads);
void pl_dat_written(pl_dat *dat);

/* Writes or reads the n elements from `begin` on where the values are valid, and transfers only these;
 * `type`: of `values`, which are converted. */
pl_err pl_dat_write_part(pl_dat *dat, int begin, int n, pl_type type, const void *values);
pl_err pl_dat_read_part(pl_dat *dat, int begin, int n, pl_type type, void *values);

/* Zeroes elements begin to end - 1 in the valid copies. */
pl_err pl_dat_zero_elements(pl_dat *dat, int begin, int end);

/* With PLAIT_CHECK a loop reserves memory, and when it has run keeps a copy of the owned values on the host.
 * pl_dat_check_kept: PL_ERR_CHECK if values differ, but no function of the library has changed them. */
pl_err pl_dat_reserve_kept(pl_dat *dat);
void pl_dat_keep(pl_dat *dat, const char *loop);
pl_err pl_dat_check_kept(const pl_dat *dat);
void pl_dat_drop_kept(pl_dat *dat); /* storage changes without a new version */

/* Frees the device copy, which is not the only valid one. */
void pl_dat_free_device(pl_dat *dat);

/* Frees the storage of a dat on both sides, and its spare. */
void pl_dat_release(pl_dat *dat);

/* Makes the host value of a global valid; marks the only valid value. */
pl_err pl_global_host(pl_global *global);
void pl_global_host_written(pl_global *global);
void pl_global_device_written(pl_global *global);

/* Host memory that devices copy fast, or plain memory without a device; NULL with the error set. */
void *pl_transfer_alloc(pl_context *pl, size_t bytes);
void pl_transfer_free(pl_context *pl, void *memory);

/* Runs the loops that the backend has collected for a replay, before storage changes. */
pl_err pl_backend_flush(pl_context *pl);
