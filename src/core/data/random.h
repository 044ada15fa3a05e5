/* SPDX-License-Identifier: BSD-2-Clause
 * Random numbers: the seed, and the number of the next call of a loop.
 *
 * Invariant: kernels get the five words of a global, the seed, two words that are filled in for each element,
 * and the number of the call. A call writes this number before its loop runs. Recorded loops that run
 * together get numbers of different calls from different globals: the k-th loop from place k.
 */
#pragma once

#include "global.h"

struct pl_random {
  pl_global words; /* the first member: an argument's object is a global */
  uint32_t calls;
  pl_random *next;    /* the next place; NULL: none yet */
  uint64_t batch;     /* places are assigned in this batch, */
  pl_random *current; /* the last one is this */
};

/* Writes the number of the call that the next run of a loop belongs to. */
void pl_random_begin(pl_random *random, uint32_t call);

/* The next place of a batch of recorded loops, or NULL without memory. */
pl_random *pl_random_place(pl_random *random, uint64_t batch);

/* The words of a kernel for an element's global index, or for what pl_random_pair returns. */
void pl_random_fill(const pl_arg *arg, int64_t index, void *words);
int64_t pl_random_pair(int64_t one, int64_t other);
