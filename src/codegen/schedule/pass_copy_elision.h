/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: a copy becomes a swap of storage.
 */
#pragma once

#include "passes.h"

void pl_pass_elide_copies(pl_passes *w);

/* The op, if it still runs, writes the object, possibly instead of a copy. */
bool pl_pass_writes(const pl_passes *w, int position, const void *object);

bool pl_dats_may_swap(const pl_dat *a, const pl_dat *b);

/* The loop's reads of the dat, if any, are direct and of all components; it does not write it. */
bool pl_loop_reads_directly(const pl_loop *loop, const pl_dat *dat);
