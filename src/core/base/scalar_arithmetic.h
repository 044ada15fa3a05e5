/* SPDX-License-Identifier: BSD-2-Clause
 * Arithmetic of values of any type, as C defines it: on the host and as text, from one table.
 *
 * Invariant: a type of computation is one that pl_common_type returns, so integers have 32 or 64 bits.
 */
#pragma once

#include "plait.h"
#include <stdbool.h>

/* After the values of pl_operator: z += x y, z += conj(x) y. */
enum { PL_ADD_PRODUCT = PL_DIVIDE + 1, PL_ADD_INNER };

/* C's usual arithmetic conversions. Complex numbers have the more precise type of the parts. */
pl_type pl_common_type(pl_type a, pl_type b);

/* Whether a sum of values of a type can be held in another: it is no narrower, and complex if they are. */
bool pl_type_holds(pl_type sum, pl_type value);

/* z = x op y, or z += ..., of one type of computation; and these statements as text, of variables x, y, z. */
void pl_compute(pl_type type, int op, const void *x, const void *y, void *z);
const char *pl_compute_text(pl_type type, int op);
