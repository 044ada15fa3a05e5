/* SPDX-License-Identifier: BSD-2-Clause
 * What the pieces of a kernel's program may contain.
 */
#pragma once

#include "codegen/pieces/piece.h"

/* Errors: PL_ERR_KERNEL with the line. */
pl_err pl_kernel_check(const pl_assembly *program);
