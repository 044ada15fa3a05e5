/* SPDX-License-Identifier: BSD-2-Clause
 * PLAIT_CHECK=1: every loop is run twice, plainly and as usual, from the same data; what the access
 * descriptors promise is tested, and the two results are compared.
 */
#ifndef PLAIT_CORE_CHECK_H
#define PLAIT_CORE_CHECK_H

#include "loop.h"

/* Runs the parts of a loop once: plainly (element by element, in order), or as the backend does. */
typedef pl_err (*pl_run_fn)(pl_loop *loop, bool plain);

/* Runs the loop by `run`, checked. Errors: PL_ERR_CHECK, naming kernel, argument and element. */
pl_err pl_check_run(pl_loop *loop, pl_run_fn run);

/* The first of `count` values (no complex ones) in which two arrays differ by more than another order of
 * adding up explains, where what was added to each was that large (NULL: as the largest of them); -1 if there
 * is none. */
int64_t pl_first_difference(pl_type type, const void *a, const void *b, const double *size, size_t count,
                            double tolerance);

/* How far results of a loop, or values of a type, may differ from those of another order of adding up or
 * other instructions, as a part of their size. A loop that sees floats computes with them, whatever it sums
 * up in. */
double pl_loop_tolerance(const pl_loop *loop);
double pl_type_tolerance(pl_type type);

#endif
