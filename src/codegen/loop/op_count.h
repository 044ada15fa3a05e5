/* SPDX-License-Identifier: BSD-2-Clause
 * Counts the floating-point operations of one kernel call in the text, helpers included. Operators in
 * brackets, loop heads and declarations of integers do not count; loops count by their numeric bounds, both
 * branches of a condition count. Types are not known: an integer sum outside a declaration counts.
 */
#pragma once

#include "plait.h"

/* Hook `count` of all backends: sets loop->ops, once. */
pl_err pl_count_operations(pl_context *pl, pl_loop *loop);
