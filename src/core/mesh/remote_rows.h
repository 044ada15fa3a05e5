/* SPDX-License-Identifier: BSD-2-Clause
 * Rows that other ranks hold, by global index.
 */
#ifndef PLAIT_CORE_FETCH_H
#define PLAIT_CORE_FETCH_H

#include "directory.h"

/* The values of the rows that this rank declared, in the order of their declaration, wherever they are now.
 * Collective. */
pl_err pl_rows_fetch(pl_dat *dat, void *values);

/* Rows of `stride` bytes of a set's owned elements, in the order of the view, for all ranks to ask for by
 * global index; rows stay the caller's. Collective; close it also after an error. */
typedef struct pl_finder {
  const pl_set *set;
  size_t stride;
  const char *rows;
  pl_directory directory;
  pl_lookup own;
  int64_t *ids; /* of the owned elements, unless the set has them so */
} pl_finder;
pl_err pl_finder_open(const pl_set *set, size_t stride, const void *rows, pl_finder *finder);
void pl_finder_close(pl_finder *finder);

/* result[i] = the row of element ids[i]; bytes 0xff for a negative id. Collective. */
pl_err pl_finder_ask(const pl_finder *finder, int64_t n, const int64_t *ids, void *result);

/* All of that at once. Collective. */
pl_err pl_rows_find(const pl_set *set, size_t stride, const void *rows, int64_t n, const int64_t *ids,
                    void *result);

#endif
