/* SPDX-License-Identifier: BSD-2-Clause
 * PLAIT_CHECK=1: runs every loop twice from the same data, by the reference and by the backend; tests the
 * access descriptors and compares both results.
 */
#pragma once

#include "plait.h"
#include <stdbool.h>

/* Runs all ranges of a loop: `plain` element by element, in order, else as the backend does. */
typedef pl_err (*pl_run_fn)(pl_loop *loop, bool plain);

/* PL_ERR_CHECK if values of the loop's dats have changed since the last checked loop (coherence.h). The loop
 * keeps its values for the next one. */
pl_err pl_check_kept(const pl_loop *loop);
void pl_check_keep(const pl_loop *loop);

/* Runs the loop by `run`, checked. Errors: PL_ERR_CHECK, naming kernel, argument and element. */
pl_err pl_check_run(pl_loop *loop, pl_run_fn run);

/* The first of `count` values (not complex) that differs by more than another order of summation explains;
 * `size` is the magnitude added to each value (NULL: the largest value); -1: none. */
int64_t pl_first_difference(pl_type type, const void *a, const void *b, const double *size, size_t count,
                            double tolerance);

/* The relative difference allowed for another order of summation or other instructions. A loop that uses
 * floats computes with them, whatever type it sums in. */
double pl_loop_tolerance(const pl_loop *loop);
double pl_type_tolerance(pl_type type);
