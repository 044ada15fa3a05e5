/* SPDX-License-Identifier: BSD-2-Clause
 * Passes: dead zeros are dropped; groups of loops become steps.
 */
#pragma once

#include "passes.h"

/* Drops arithmetic of globals that are overwritten before any read. */
void pl_pass_drop_dead_zeros(pl_passes *w);

/* Starts compiling the loops of all groups in parallel. */
pl_err pl_pass_prefetch(pl_passes *w);

/* Each group becomes one step; its members single steps where they cannot be fused. */
pl_err pl_pass_compile(pl_passes *w);
