/* SPDX-License-Identifier: BSD-2-Clause
 * Choices found by trying, remembered beside compiled code for later processes. A busy machine can deceive:
 * what was found once is tried once more in a later process, and is settled when both agree; and since both
 * may have been deceived, what is settled is tried again when a day has passed.
 */
#ifndef PLAIT_BACKENDS_CHOICE_H
#define PLAIT_BACKENDS_CHOICE_H

#include "codegen/jit.h"

enum { PL_CHOICE_WORD = 48 };

/* What is remembered of a source "about" something ("" if nothing is), and whether it need not be tried now.
 * Names are single words. */
pl_err pl_choice_recall(pl_jit *jit, const pl_jit_source *source, const char *about,
                        char name[PL_CHOICE_WORD], bool *settled);
void pl_choice_remember(pl_jit *jit, const pl_jit_source *source, const char *about, const char *name,
                        bool settled);

#endif
