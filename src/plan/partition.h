/* SPDX-License-Identifier: BSD-2-Clause
 * Partitioning: which rank gets which elements of a set; the sets that maps connect to it follow.
 */
#ifndef PLAIT_PLAN_PARTITION_H
#define PLAIT_PLAN_PARTITION_H

#include "place.h"

/* The ranks of all sets of a group from those of one: rank[i] (of site i, one entry an owned row) is filled
 * in, with known[i] set, wherever a map leads from a known set or to one. An element with targets goes where
 * the first of them goes; one that is reached goes with the first or, by turns, the last that reaches it.
 * Collective. */
pl_err pl_partition_follow(pl_scratch *scratch, int n, pl_set *const *set, int **rank, bool *known);

/* The ranks of a set's owned elements by where they are: methods BISECTION and CURVE. The second says before
 * anything is moved whether the options are fit for them (local). */
pl_err pl_partition_by_place(pl_set *set, pl_partition_method method, const pl_partition_options *options,
                             int *rank);
pl_err pl_partition_check_place(pl_set *set, const pl_partition_options *options);

#endif
