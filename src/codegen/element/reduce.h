/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions: the results of a range while the loop runs, and the element's share of them.
 */
#pragma once

#include "load_store.h"

/* Running results: declared from the parameters or from neutral elements; stored back. */
void pl_results_declare(const pl_body *b);
void pl_results_reset(const pl_body *b);
void pl_results_store(const pl_body *b);

void pl_body_reduce(const pl_body *b); /* the element's values into the running results */

/* A running result: "sum_rms[0]", in a lane loop "lanes_rms[0][pl_l]". */
pl_place pl_result_place(const pl_body *b, const pl_operand *op);
