/* SPDX-License-Identifier: BSD-2-Clause
 * Values of a parameter that a kernel leaves at zero.
 */
#pragma once

#include "syntax.h"

/* How many values of x, from the first on, a block certainly leaves at zero: 0 to 64. Finds x[0] = 0, *x = 0
 * and a loop for (int k = 0; k < 4; k++) with x[k] = 0 among the last uses of x, and nothing where the block
 * may jump, x is used other than x[...], or the text may have macros. */
int pl_param_clears(const pl_syntax *tree, int block, const char *name, int declarator);
