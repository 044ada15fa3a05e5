/* SPDX-License-Identifier: BSD-2-Clause
 * Keys on Hilbert's curve by the transposition of J. Skilling, "Programming the Hilbert curve", AIP
 * Conference Proceedings 707 (2004) 381: the axes are transformed to the transposed index, whose bits
 * are then interleaved.
 */
#include "hilbert_curve.h"
#include <float.h>
#include <math.h>

enum { KEY_BITS = 63 };

void pl_box_clear(pl_box *box, int dim)
{
  box->dim = dim;
  for (int d = 0; d < PL_CURVE_MOST; d++) {
    box->low[d] = DBL_MAX;
    box->high[d] = -DBL_MAX;
  }
}

void pl_box_add(pl_box *box, int n, const double *points)
{
  for (int i = 0; i < n; i++)
    for (int d = 0; d < box->dim; d++, points++) {
      if (*points < box->low[d]) box->low[d] = *points;
      if (*points > box->high[d]) box->high[d] = *points;
    }
}

/* A coordinate as a whole number of `bits` bits. All axes have the scale of the longest one, so cubes stay
 * cubes. */
static uint32_t quantise(const pl_box *box, int d, double x, int bits)
{
  double longest = 0, most = ldexp(1.0, bits) - 1;
  for (int k = 0; k < box->dim; k++) longest = fmax(longest, box->high[k] - box->low[k]);
  double at = longest > 0 ? (x - box->low[d]) / longest * most : 0;
  return at > 0 ? at < most ? (uint32_t)at : (uint32_t)most : 0;
}

static void transpose_axes(int dim, int bits, uint32_t *x)
{
  for (uint32_t q = UINT32_C(1) << (bits - 1); q > 1; q >>= 1)
    for (int d = 0; d < dim; d++) {
      uint32_t p = q - 1, t = (x[0] ^ x[d]) & p;
      if (x[d] & q)
        x[0] ^= p;
      else {
        x[0] ^= t;
        x[d] ^= t;
      }
    }
  uint32_t t = 0;
  for (int d = 1; d < dim; d++) x[d] ^= x[d - 1];
  for (uint32_t q = UINT32_C(1) << (bits - 1); q > 1; q >>= 1)
    if (x[dim - 1] & q) t ^= q - 1;
  for (int d = 0; d < dim; d++) x[d] ^= t;
}

uint64_t pl_curve_key(const pl_box *box, const double *point)
{
  uint32_t x[PL_CURVE_MOST];
  int bits = box->dim > 1 ? KEY_BITS / box->dim : 31;
  uint64_t key = 0;
  for (int d = 0; d < box->dim; d++) x[d] = quantise(box, d, point[d], bits);
  transpose_axes(box->dim, bits, x);
  for (int b = bits - 1; b >= 0; b--)
    for (int d = 0; d < box->dim; d++) key = key << 1 | (x[d] >> b & 1);
  return key;
}
