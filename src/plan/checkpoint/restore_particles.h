/* SPDX-License-Identifier: BSD-2-Clause
 * Particles of a checkpoint.
 */
#pragma once

#include "restore_read.h"

/* Whether the number or the cells of particles in the file differ. */
bool pl_restores_particles(const pl_restored_list *list, const pl_set *set);

/* Replaces the particles of a set by those of the file if they differ. Collective. */
pl_err pl_restore_particles(pl_restored_list *list, pl_set *set);
