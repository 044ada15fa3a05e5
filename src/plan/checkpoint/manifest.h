/* SPDX-License-Identifier: BSD-2-Clause
 * The manifest of a checkpoint: a line for each object, with all that must be equal in the program that
 * restores it: "dat q: double[4] on set cells".
 */
#pragma once

#include "core/context/string_builder.h"
#include "core/io/hdf5_selection.h"

/* The map from particles to their cells, or NULL; whether the elements of a set are particles: pair maps or a
 * map to their cells lead from it, and no other maps. Their number may differ from that in a file. */
pl_map *pl_checkpoint_cells(const pl_set *set);
bool pl_checkpoint_particles(const pl_set *set);

/* The manifest of all objects. PL_ERR_IO for names that a file cannot hold. */
pl_err pl_manifest_write(const pl_h5_selection *s, const char *path, pl_string *text);

/* Fails unless both manifests have the same lines, in any order. */
pl_err pl_manifest_compare(pl_context *pl, const char *path, const char *file, const char *program);
