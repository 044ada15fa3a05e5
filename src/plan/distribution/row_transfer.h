/* SPDX-License-Identifier: BSD-2-Clause
 * Row transfers: all-to-all exchange of rows of a set. Rows are sent in pieces, so that a rank needs only a
 * few megabytes besides the rows before and after.
 */
#pragma once

#include "plait.h"

/* Sends rows order[0 .. n) (NULL: 0 .. n - 1), the first count[0] to rank 0, the next count[1] to rank 1,
 * ...; received row i, counted rank by rank, becomes row[i] (NULL: i). */
typedef struct pl_row_transfer {
  int64_t n, nreceived;
  int64_t *count, *received_count;
  int *order, *row;
} pl_row_transfer;

/* Fills in the received counts from the sent ones. Collective. */
pl_err pl_row_transfer_counts(pl_context *pl, pl_row_transfer *transfer);

/* Transfers rows of `stride` bytes; result[] has room for nreceived rows. Collective. */
pl_err pl_row_transfer_run(pl_context *pl, const pl_row_transfer *transfer, size_t stride, const void *rows,
                           void *result);

/* Transfers rows of a ragged map: row i holds entry[offset[i] .. offset[i + 1]). *received_offset (pl_free)
 * and *received (pl_free_array) are the rows on this rank afterwards. Errors: PL_ERR_RANGE for more than
 * INT_MAX entries. Collective. */
pl_err pl_row_transfer_run_ragged(pl_context *pl, const pl_row_transfer *transfer, const int *offset,
                                  const int64_t *entry, int **received_offset, int64_t **received);
