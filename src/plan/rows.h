/* SPDX-License-Identifier: BSD-2-Clause
 * Rows of ragged maps on their way to other ranks.
 */
#ifndef PLAIT_PLAN_ROWS_H
#define PLAIT_PLAN_ROWS_H

#include "scratch.h"

/* Rows row[0 .. n) go to other ranks, rank by rank: count[r] of them to rank r. Row i holds far[offset[i] ..
 * offset[i + 1]). *came_offset (pl_free) and *came (pl_free_array) are the rows that arrive, in the order of
 * ranks. Errors: PL_ERR_RANGE for more entries than an int counts. Collective. */
pl_err pl_rows_send(pl_scratch *scratch, int64_t n, const int64_t *row, const int64_t *count,
                    const int *offset, const int64_t *far, int **came_offset, int64_t **came);

#endif
