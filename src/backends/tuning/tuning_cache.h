/* SPDX-License-Identifier: BSD-2-Clause
 * Measured choices, stored beside compiled code for later processes. Timings on a busy machine may mislead,
 * so a later process confirms a choice by measuring again, and another one does after a day.
 */
#pragma once

#include <stdbool.h>
#include "codegen/jit/disk_cache.h"

/* The name of the choice stored for a key ("" if there is none); *confirmed: it need not be measured now.
 * Fails only without memory. */
pl_err pl_tuning_recall(pl_cache *cache, const pl_string *key, char *name, size_t size, bool *confirmed);
/* Best effort. */
void pl_tuning_remember(pl_cache *cache, const char *label, const pl_string *key, const char *name,
                        bool confirmed);
