/* SPDX-License-Identifier: BSD-2-Clause
 * The rows of a dat that each rank fetches.
 */
#pragma once

#include "plait.h"

/* How many rows this rank fetches: those it declared, or or, once elements were added or removed, as many as
 * it owns. Local. */
int pl_rows_fetched(const pl_set *set);

/* Fetches these rows from their owners; the ranks' rows follow each other by ascending global index.
 * Collective. */
pl_err pl_rows_fetch(pl_dat *dat, void *values);
