/* SPDX-License-Identifier: BSD-2-Clause
 * Brackets and stars of parameters as PL_INDEX(p, level, i) and PL_GIVEN(p, x), which PLAIT_CHECK observes.
 */
#pragma once

#include "writer.h"

/* Writes what stands at token i; called for each token of the kernel's function in order. */
void pl_write_index(pl_writer *w, int i);
