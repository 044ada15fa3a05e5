/* SPDX-License-Identifier: BSD-2-Clause
 * Contributions: the values of the local tensors of a pair of maps, each with a place of its own, and their
 * sums in the order of global element numbers. So with PLAIT_REPRODUCIBLE a matrix has the same bits in any
 * numbering, on any number of ranks and threads.
 *
 * Invariant: outside of calls and recorded loops the contributions of each matrix are zero.
 */
#pragma once

#include "pattern.h"

typedef struct pl_contributions pl_contributions;

/* Of tensors of `size` values, where `position` has the positions of their values among the slots
 * (positions.h). Collective. */
pl_err pl_contributions_new(const pl_map_pair *pair, pl_set *slots, int size, const int *position,
                            const char *name, pl_contributions **contributions);
void pl_contributions_free(pl_context *pl, pl_contributions *contributions);

/* The set with an element for each value: value k of the tensor of element e is number e * size + k. */
pl_set *pl_contributions_set(const pl_contributions *contributions);

/* The contributions to a matrix, made on first use. Collective. */
pl_err pl_contributions_dat(pl_contributions *contributions, pl_node *mat, pl_type type, pl_dat **dat);
void pl_contributions_forget(pl_contributions *contributions, const pl_node *mat);

/* Adds the contributions to the values of the matrix, which are zeroed before if `zeroed`, and zeroes them.
 * Collective. */
pl_err pl_contributions_add(const pl_contributions *contributions, pl_dat *dat, pl_dat *values, bool zeroed);

/* Bytes on this rank without those of the dats. */
size_t pl_contributions_bytes(const pl_contributions *contributions);
