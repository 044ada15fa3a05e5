/* SPDX-License-Identifier: BSD-2-Clause
 * What one call of a kernel computes, counted in its text with all that it calls. Operators on values count;
 * those in brackets, in the heads of loops and in the declarations of integers find places and do not. A loop
 * counts as often as its head says in numbers, both sides of a condition count. It reads shapes, not
 * meanings: an integer's sum outside a declaration is taken for one of values.
 */
#ifndef PLAIT_CODEGEN_COUNT_H
#define PLAIT_CODEGEN_COUNT_H

#include "core/loop.h"

/* Hook `count` of all backends: fills in loop->ops, once. */
pl_err pl_count(pl_context *pl, pl_loop *loop);

#endif
