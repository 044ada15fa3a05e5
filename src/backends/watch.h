/* SPDX-License-Identifier: BSD-2-Clause
 * Watches the plain form of a loop while it is checked (codegen/watch.h), element by element: whether what
 * the kernel leaves in sums and extremes depends on what it finds there, whether a pair does from its other
 * side what its declared symmetry says, and how much is added up where.
 */
#ifndef PLAIT_BACKENDS_WATCH_H
#define PLAIT_BACKENDS_WATCH_H

#include "core/loop.h"

struct pl_watch;

pl_err pl_watch_new(const pl_loop *loop, struct pl_watch **watch);
void pl_watch_free(pl_context *pl, struct pl_watch *watch); /* NULL is fine */

/* Before a part is run, and after it: PL_ERR_CHECK with what was found. */
void pl_watch_begin(struct pl_watch *watch);
pl_err pl_watch_tell(struct pl_watch *watch);

#endif
