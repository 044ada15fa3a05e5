/* SPDX-License-Identifier: BSD-2-Clause
 * The elements that reach each row through a map.
 *
 * Invariant: row r is element[start[r] .. start[r + 1]), ascending; an element whose row of the map holds r
 * twice occurs twice. Rows of the halo and negative entries occur nowhere.
 */
#pragma once

#include <stdint.h>
#include "core/mesh/map.h"

typedef struct pl_incidence {
  int64_t *start; /* nrows + 1 */
  int *element;
} pl_incidence;

/* Of rows 0 to nrows - 1 and the elements that loops run. The caller frees it. Local. */
pl_err pl_incidence_build(pl_context *pl, const pl_map *map, int nrows, pl_incidence *incidence);
void pl_incidence_free(pl_context *pl, pl_incidence *incidence);
