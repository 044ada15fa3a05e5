/* SPDX-License-Identifier: BSD-2-Clause
 * Hilbert's space-filling curve (Hilbert 1891): points close on the curve are close in space.
 */
#pragma once

#include <stdint.h>

enum { PL_CURVE_MOST = 3 }; /* dimensions */

/* The position of a point on the curve through a box, as a key of up to 63 bits. `dim` is 1 to PL_CURVE_MOST;
 * an axis may have no extent. Points outside are clamped to the border, NaN to the lower bound. */
typedef struct pl_box {
  int dim;
  double low[PL_CURVE_MOST], high[PL_CURVE_MOST];
} pl_box;
uint64_t pl_curve_key(const pl_box *box, const double *point);

/* An empty box (low above high), and one grown to hold n points. */
void pl_box_clear(pl_box *box, int dim);
void pl_box_add(pl_box *box, int n, const double *points);
