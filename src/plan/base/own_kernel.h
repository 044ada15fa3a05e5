/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels from source that the library itself creates, found again by name.
 */
#pragma once

#include "core/context/context.h"

/* NULL if there is none yet. */
const pl_kernel *pl_own_kernel(const pl_context *pl, const char *name);

pl_err pl_own_kernel_new(pl_context *pl, const char *name, const char *source, const pl_kernel **kernel);
