/* SPDX-License-Identifier: BSD-2-Clause
 * The files that a kernel's text and its option `headers` include, where the target's compiler cannot read
 * files: each found in the kernel's include folders is a piece of the program, once, before the text that
 * includes it.
 */
#pragma once

#include "piece.h"

/* Adds the pieces. Files that are not found are left for pl_names_check. Errors: PL_ERR_KERNEL for a file
 * that includes itself or cannot be read as C; PL_ERR_MEMORY. */
pl_err pl_include_files(pl_assembly *program);
