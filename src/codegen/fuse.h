/* SPDX-License-Identifier: BSD-2-Clause
 * Loops made of several. A made loop is a loop like any other: its kernel is a text that calls the kernels of
 * its members on its own parameters and on private values, so every backend, form and strategy runs it
 * through the one walker.
 *
 * Invariant: a made loop computes, element by element, what its members compute one after the other; values
 * that one member leaves for the next stay in private variables.
 */
#ifndef PLAIT_CODEGEN_FUSE_H
#define PLAIT_CODEGEN_FUSE_H

#include "workshop.h"

/* The loop that runs the members in order on each element. The `dead` dats, which members write before they
 * read them, are not stored, and nothing is added to the `dead` globals. PL_ERR_KERNEL if the texts cannot
 * stand together. */
pl_err pl_fuse(pl_context *pl, int n, pl_loop *const *member, int ndead, const void *const *dead, int nbeside,
               const pl_beside *beside, const pl_made **made);

/* The consumer with `dat` computed where it is used, by the producer's kernel, for each target anew. */
pl_err pl_fuse_inline(pl_context *pl, pl_loop *producer, pl_loop *consumer, pl_dat *dat, pl_loop **made);

/* The consumer with what the producers add to `dat`, gathered where it is used: the dat was zero before them
 * and is read directly. What is made is raw: only a member for pl_fuse. PL_ERR_KERNEL if it cannot be done.
 */
pl_err pl_fuse_gather(pl_context *pl, int n, pl_loop *const *producer, pl_loop *consumer, pl_dat *dat,
                      pl_loop **made);

/* One loop over both sets, one after the other: each element calls the kernel of the loop over its set. Only
 * for loops that may join, and neither of which needs what the other one does. */
bool pl_loop_may_join(const pl_loop *loop);
pl_err pl_fuse_sets(pl_context *pl, pl_loop *a, pl_loop *b, const pl_made **made);

/* The loop does nothing but add to the dat, through one map. */
bool pl_loop_only_adds(const pl_loop *loop, const pl_dat *dat);

#endif
