/* SPDX-License-Identifier: BSD-2-Clause
 * Hilbert's space-filling curve (Hilbert 1891): points close on the curve are close in space.
 */
#ifndef PLAIT_PLAN_CURVE_H
#define PLAIT_PLAN_CURVE_H

#include <stdint.h>

enum { PL_CURVE_MOST = 3 }; /* dimensions */

/* Where a point lies on the curve through a box, as a key of up to 63 bits. `dim` is 1 to PL_CURVE_MOST; an
 * axis without extent counts as one point. Points outside count as on the border, NaN as the lower corner. */
typedef struct pl_box {
  int dim;
  double low[PL_CURVE_MOST], high[PL_CURVE_MOST];
} pl_box;
uint64_t pl_curve_key(const pl_box *box, const double *point);

/* Grows a box to hold n points of its dim; an empty box has low above high. */
void pl_box_clear(pl_box *box, int dim);
void pl_box_add(pl_box *box, int n, const double *points);

#endif
