/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: a copy becomes a swap of storage.
 */
#pragma once

#include "passes.h"

void pl_pass_elide_copies(pl_passes *w);

/* The op, if it still runs, writes the object, possibly instead of a copy. */
bool pl_pass_writes(const pl_passes *w, int position, const void *object);

bool pl_dats_may_swap(const pl_dat *a, const pl_dat *b);
