/* SPDX-License-Identifier: BSD-2-Clause
 * Particles of a checkpoint.
 */
#pragma once

#include "restore.h"

/* Replaces the particles of a set by those of the file, unless number and cells are equal. Collective. */
pl_err pl_restore_particles(pl_restored_list *list, pl_set *set);
