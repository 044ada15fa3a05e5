/* SPDX-License-Identifier: BSD-2-Clause
 * A loop with its bound signature becomes the text of a program for a dialect.
 *
 * The parameters of its kernels are the lists of pl_loop_text: each distinct dat and map is one, so that
 * every pointer of the text can be `restrict`. The backend hands values over by these lists.
 *
 * Host:   void pl_run(int begin, int end, const int *list, void *const *args)
 *         runs elements begin..end-1, or list[begin..end-1] if list is not NULL.
 * Device: pl_run     one element a work item; gather: one target, and begin to end are targets
 *         pl_sum     store: adds up the contributions, one target a work item
 *         pl_finish  one block, ends reductions, unless the last block of pl_run does so
 */
#pragma once

#include <stdbool.h>
#include "codegen/loop/emitter.h"

/* Prints the program. */
pl_err pl_emit_loop(const pl_loop *loop, const pl_signature *signature, const pl_emit_options *options,
                    pl_loop_text *program);
void pl_loop_text_free(pl_loop_text *program);
