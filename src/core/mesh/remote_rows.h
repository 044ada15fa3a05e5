/* SPDX-License-Identifier: BSD-2-Clause
 * Rows of a set's elements that other ranks own, fetched by global index.
 */
#pragma once

#include "owner_directory.h"
#include <stdbool.h>

/* Makes rows of `stride` bytes of a set's owned elements, in user order, available to all ranks. The caller
 * keeps the rows. Collective; close it also after an error. */
typedef struct pl_finder {
  const pl_set *set;
  size_t stride;
  const char *rows;
  pl_directory directory;
  bool consecutive; /* the owned elements have the global indices from set->first on */
  pl_lookup own;    /* else: of their global indices */
  int64_t *ids;     /* of the owned elements in user order; NULL: set->global */
} pl_finder;
pl_err pl_finder_open(const pl_set *set, size_t stride, const void *rows, pl_finder *finder);
void pl_finder_close(pl_finder *finder);

/* result[i] = the row of element ids[i]; bytes 0xff for a negative id. Collective. */
pl_err pl_finder_ask(const pl_finder *finder, int64_t n, const int64_t *ids, void *result);

/* Opens, asks and closes. Collective. */
pl_err pl_rows_find(const pl_set *set, size_t stride, const void *rows, int64_t n, const int64_t *ids,
                    void *result);
