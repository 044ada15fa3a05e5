/* SPDX-License-Identifier: BSD-2-Clause
 * Divisors as PL_DIVISOR(y), which PLAIT_CHECK observes.
 */
#pragma once

#include "writer.h"

/* Writes the begin or the end of a divisor at token i; called for each token of a function in order. */
void pl_write_divisor(pl_writer *w, int i);
