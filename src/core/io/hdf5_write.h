/* SPDX-License-Identifier: BSD-2-Clause
 * Objects to an open HDF5 file. All functions are collective.
 */
#pragma once

#include "hdf5_file.h"
#include "hdf5_selection.h"
#include "row_source.h"

/* The bytes of a file with these objects, at most. */
pl_err pl_h5_measure(const pl_h5_selection *s, int64_t *bytes);
pl_err pl_h5_write_selection(pl_h5_file *f, const pl_h5_selection *s);
pl_err pl_h5_write_map(pl_h5_file *f, pl_map *map);

/* A dataset with a record for each element of a set; of this rank's block of rows. */
pl_err pl_h5_write_records(pl_h5_file *f, const pl_h5_new *d, pl_set *set, const pl_h5_records *records);
pl_err pl_h5_write_block(pl_h5_file *f, const pl_h5_new *d, const pl_h5_block *b,
                         const pl_h5_records *records);

/* pl_h5_records.fill: targets of a map without ragged rows, by global indices. */
void pl_h5_fill_map(const void *map, int64_t first, int64_t count, void *index);
