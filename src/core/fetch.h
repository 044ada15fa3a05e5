/* SPDX-License-Identifier: BSD-2-Clause
 * Rows that other ranks hold, by global index.
 */
#ifndef PLAIT_CORE_FETCH_H
#define PLAIT_CORE_FETCH_H

#include "objects.h"

/* The values of the rows that this rank declared, in the order of their declaration, wherever they are now.
 * Collective. */
pl_err pl_rows_fetch(pl_dat *dat, void *values);

/* result[i] = the row of element ids[i] (a negative id: a row of bytes 0xff), of `stride` bytes, where `rows`
 * holds those of this rank's owned elements in the order of the view. Collective. */
pl_err pl_rows_find(const pl_set *set, size_t stride, const void *rows, int64_t n, const int64_t *ids,
                    void *result);

#endif
