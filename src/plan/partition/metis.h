/* SPDX-License-Identifier: BSD-2-Clause
 * METIS, where the library is built with it; metis.c is the only file that knows it.
 */
#pragma once

#include "plan/base/graph.h"

/* NULL, or a message that says what is missing. */
const char *pl_metis_unavailable(void);

/* Cuts a unique graph into nparts parts of about equal weight with few edges between them: part[v] gets the
 * part of v. `weight` (n, may be NULL: all 1) must not be negative. Errors:
 * PL_ERR_BACKEND without METIS, PL_ERR_ARG for an invalid graph, PL_ERR_RANGE for one too large. */
pl_err pl_metis_kway(pl_context *pl, const pl_graph *graph, const int *weight, int nparts, int *part);
