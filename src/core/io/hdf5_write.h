/* SPDX-License-Identifier: BSD-2-Clause
 * Objects to an open HDF5 file. All functions are collective.
 */
#pragma once

#include "hdf5_file.h"
#include "hdf5_selection.h"

/* The bytes of a file with these objects, at most. */
pl_err pl_h5_measure(const pl_h5_selection *s, int64_t *bytes);
pl_err pl_h5_write_selection(const pl_h5_file *f, const pl_h5_selection *s);

/* Exchanges records in user order for this rank's block of rows, *result (pl_free_array it). */
pl_err pl_h5_exchange_block(pl_set *set, size_t stride, const char *records, char **result);
pl_err pl_h5_write_map(const pl_h5_file *f, pl_map *map);
