/* SPDX-License-Identifier: BSD-2-Clause
 * Constructs that the pieces of a kernel's program must not contain.
 */
#pragma once

#include "codegen/pieces/piece.h"

/* Errors: PL_ERR_KERNEL with the line. */
pl_err pl_refuse_unsupported(const pl_assembly *program);
