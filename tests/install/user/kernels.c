/* SPDX-License-Identifier: BSD-2-Clause
 * kernels.c: kernels in a file of their own, for plait_embed_kernels.
 */
#include <plait.h>

#define SCALE 2

static double scaled(double x)
{
  return SCALE * x;
}

/* Copies values, scaled: x ↦ 2x, for Größen of any kind. */
void scale(const double *from, double *to)
{
  *to = scaled(*from);
}

void add_up(const double *value, double *sum)
{
  *sum += *value;
}
