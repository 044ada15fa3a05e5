/* SPDX-License-Identifier: BSD-2-Clause
 * Which units of the kernel's text, and of the files that it includes, the kernel uses. The others are left
 * out: no target sees them, and no rule applies to them.
 */
#pragma once

#include "piece.h"

/* Removes the unused units from the pieces that are not helpers. Preprocessor lines stay, and what they name
 * is used. Errors: PL_ERR_MEMORY. */
pl_err pl_keep_used(pl_assembly *program);
