/* SPDX-License-Identifier: BSD-2-Clause
 * Measured choices, stored beside compiled code for later processes. Timings on a busy machine may mislead,
 * so a later process confirms a choice by measuring again, and another one does after a day.
 */
#pragma once

#include <stdbool.h>
#include "codegen/jit/jit.h"

enum { PL_CHOICE_WORD = 48 };

/* The choice stored for a source and a topic, a single word ("" if there is none); *confirmed: it need not be
 * measured now. */
pl_err pl_tuning_recall(pl_jit *jit, const pl_jit_source *source, const char *topic,
                        char name[PL_CHOICE_WORD], bool *confirmed);
void pl_tuning_remember(pl_jit *jit, const pl_jit_source *source, const char *topic, const char *name,
                        bool confirmed);
