/* SPDX-License-Identifier: BSD-2-Clause
 * Datasets of HDF5 files that grow.
 */
#pragma once

#include "hdf5_state.h"

/* Operation `extend` of pl_h5_functions. */
pl_err pl_h5_extend(pl_h5_file *file, const char *name, pl_type type, const pl_h5_rows *rows,
                    pl_h5_source *source);
