/* SPDX-License-Identifier: BSD-2-Clause
 * Checks a loop's kernel, element by element, by the hooks in its reference loop
 * (codegen/element/check_hooks.h): sums and extremes must combine with any start, a pair must be as symmetric
 * as its access says; and adds up the magnitudes of increments.
 */
#pragma once

#include "backends/host/host.h"
#include "core/context/backend.h"

struct pl_checker;

pl_err pl_checker_new(const pl_loop *loop, struct pl_checker **checker);
void pl_checker_free(pl_context *pl, struct pl_checker *checker); /* NULL is fine */

/* Runs a range until its end or the first fault; then PL_ERR_CHECK: the first finding. */
void pl_checker_run(struct pl_checker *checker, const pl_host_code *code, const pl_loop_range *range);
pl_err pl_checker_report(struct pl_checker *checker);
