/* SPDX-License-Identifier: BSD-2-Clause
 * The kernel of a loop with mixed arguments: it copies their parts into one array each, calls the program's
 * kernel, and stores or adds the parts of its results.
 */
#pragma once

#include "mixed_layout.h"

/* Finds or makes it. The kernel's parameters are checked against the mixed arguments. Local. */
pl_err pl_mixed_kernel(pl_context *pl, const pl_kernel *kernel, int n, const pl_mixed_arg *args,
                       const pl_kernel **result);
