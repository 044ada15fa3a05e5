/* SPDX-License-Identifier: BSD-2-Clause
 * A kernel file for plait_embed_kernels: a helper, a type, a table and two kernels.
 */
#include "plait.h"
#ifndef PLAIT_JIT
static double embedded_scale = 4.0; /* for the program's compiler; Plait replaces it by its const */
#endif

typedef struct pair {
  double first, second;
} pair;

static const double table[3] = {1.0, 10.0, 100.0};

static double weigh(double x, int i)
{
  return x * table[i];
}

void embedded_weigh(double *out, const double *in)
{
  pair p = {in[0], in[1]};
  out[0] = weigh(p.first, 1) + weigh(p.second, 2);
}

/* Uses a const. */
void embedded_scaled(double *out, const double *in)
{
  out[0] = embedded_scale * in[0];
}
