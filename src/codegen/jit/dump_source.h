/* SPDX-License-Identifier: BSD-2-Clause
 * Writes generated text into files: PLAIT_DUMP=dir.
 */
#pragma once

#include "codegen/target/dialect.h"
#include "core/context/string_builder.h"

/* Writes head and text of a loop to dir/KERNEL-SET-ID.c (.cu, .cl) if the option asks for it; creates
 * the folder and its parents. */
pl_err pl_dump(pl_context *pl, const pl_loop *loop, const pl_dialect *dialect, const pl_string *head,
               const pl_string *text);

/* Writes a text to dir/NAME-KIND-ID.SUFFIX if the option is set. */
pl_err pl_dump_text(pl_context *pl, const char *name, const char *kind, uint64_t id, const char *suffix,
                    const pl_string *text);
