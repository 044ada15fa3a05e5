/* SPDX-License-Identifier: BSD-2-Clause
 * Divisors as PL_DIVISOR(y), which PLAIT_CHECK observes.
 */
#ifndef PLAIT_CODEGEN_SOURCE_WRITE_DIVISOR_H
#define PLAIT_CODEGEN_SOURCE_WRITE_DIVISOR_H

#include "writer.h"

/* Writes the begin or the end of a divisor at token i; called for each token of a function in order. */
void pl_write_divisor(pl_writer *w, int i);

#endif
