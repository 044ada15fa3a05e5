/* SPDX-License-Identifier: BSD-2-Clause
 * Generated text kept for reading: PLAIT_DUMP=dir.
 */
#ifndef PLAIT_CODEGEN_DUMP_H
#define PLAIT_CODEGEN_DUMP_H

#include "dialect.h"
#include "core/loop.h"
#include "core/text.h"

/* Writes the text of a loop to dir/KERNEL-SET-ID.c (.cu, .cl) if the option asks for it; makes the folder. */
pl_err pl_dump(pl_context *pl, const pl_loop *loop, const pl_dialect *dialect, const pl_text *text);

/* Writes any text to dir/NAME-KIND-ID.SUFFIX if the option asks for it. */
pl_err pl_dump_text(pl_context *pl, const char *name, const char *kind, uint64_t id, const char *suffix,
                    const pl_text *text);

#endif
