/* SPDX-License-Identifier: BSD-2-Clause
 * The records of a list on the host, and whether the list is still valid when particles have moved.
 */
#pragma once

#include "neighbour_list.h"

/* Fills the records of a list that was just built, from positions x; padding records get `padding` as their
 * coordinates. */
void pl_pairs_fill(pl_pairs *pairs, const void *x, double padding);

/* Copies the positions x to the records of an older list; *stale: a pair may be missing in it. */
void pl_pairs_update(pl_pairs *pairs, const void *x, bool *stale);
