/* SPDX-License-Identifier: BSD-2-Clause
 * Host/device coherence of dats: every transfer between host and device.
 */
#pragma once

#include "storage.h"

/* The host storage of a dat, allocated on first use; its values are valid unless `overwrite`. Recorded loops
 * that read it may not have run, unless the caller announced a write. NULL with the error set. */
void *pl_dat_host(pl_dat *dat, bool overwrite);
void *pl_dat_host_now(pl_dat *dat, bool overwrite); /* without running recorded loops first */

/* Allocates the device copy; it becomes valid if a loop `reads` the values. */
pl_err pl_dat_device(pl_dat *dat, bool reads);

/* The same on the device if there is one, else on the host. */
pl_err pl_dat_acquire(pl_dat *dat, bool reads);

/* Writes or reads the n elements from `begin` on where the values are valid, and transfers only these;
 * `type`: of `values`, which are converted. */
pl_err pl_dat_write_part(pl_dat *dat, int begin, int n, pl_type type, const void *values);
pl_err pl_dat_read_part(pl_dat *dat, int begin, int n, pl_type type, void *values);

/* Zeroes elements begin to end - 1 in the valid copies. */
pl_err pl_dat_zero_elements(pl_dat *dat, int begin, int end);
