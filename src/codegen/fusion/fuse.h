/* SPDX-License-Identifier: BSD-2-Clause
 * Fusion of loops. A fused loop is a loop like any other: its kernel is a text that calls the kernels of its
 * members on its own parameters and on private values, so every backend, form and strategy runs it.
 *
 * Invariant: a fused loop computes, element by element, what its members compute one after the other; values
 * that one member passes to the next stay in private variables.
 */
#pragma once

#include "fusion_cache.h"

/* A dat that a fused loop writes to the storage of another dat; the two are swapped afterwards. Before the
 * loop `second` has the values of `dat`, in other storage (equal), or its values are dead once it is written.
 */
typedef struct pl_double_buffered {
  pl_dat *dat, *second;
  bool equal;
} pl_double_buffered;

/* The loop that runs the members in order on each element. The `dead` dats, which members write before they
 * read them, are not stored, and nothing is added to the `dead` globals. PL_ERR_KERNEL if the texts cannot be
 * combined. */
pl_err pl_fuse(pl_context *pl, int n, pl_loop *const *member, int ndead, const void *const *dead,
               int nbuffers, const pl_double_buffered *buffer, const pl_fused **fused);

/* The consumer, calling the producer's kernel for each target at which it reads `dat`. */
pl_err pl_fuse_inline(pl_context *pl, pl_loop *producer, pl_loop *consumer, pl_dat *dat,
                      const pl_fused **fused);

/* Member 0 is a loop over near pairs, the others run over its particles: each particle sums its pairs, then
 * runs the others. Sums of pairs may be dead too, if the others read them directly. Changes the order of
 * `dead`. */
pl_err pl_fuse_pairs(pl_context *pl, int n, pl_loop *const *member, int ndead, const void **dead,
                     const pl_fused **fused);

/* An argument of member m overwrites a dat that this member or an earlier one reads through a map. */
bool pl_needs_double_buffer(pl_loop *const *member, int m, const pl_arg *arg);
