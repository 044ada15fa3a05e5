/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: producers are inlined into the loops that read their dat, or precomputed for blocks of these.
 */
#ifndef PLAIT_CODEGEN_SCHEDULE_PASS_INLINE_H
#define PLAIT_CODEGEN_SCHEDULE_PASS_INLINE_H

#include "passes.h"

pl_err pl_pass_inline_producers(pl_passes *w);

#endif
