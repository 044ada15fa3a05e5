/* SPDX-License-Identifier: BSD-2-Clause
 * Text for PLAIT_CHECK: divisors as PL_DIVISOR(y), brackets and stars of the kernel's parameters as
 * PL_INDEX(p, level, i) and PL_GIVEN(p, x).
 */
#pragma once

#include "writer.h"

/* Writes the calls that begin or end at token i; called for each token of a function in order. */
void pl_write_checks(pl_writer *w, const pl_unit *unit, int i);
