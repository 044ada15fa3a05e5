/* SPDX-License-Identifier: BSD-2-Clause
 * The group /VTKHDF of a checkpoint, which ParaView and VTK read.
 */
#pragma once

#include "core/io/hdf5_file.h"

/* The bytes of the group, at most. Local. */
int64_t pl_vtk_measure(const pl_context *pl);

/* Writes the group, if pl_vtk_grid has named coordinates. Values of dats are links to /dats. Collective. */
pl_err pl_vtk_write(pl_h5_file *f);
