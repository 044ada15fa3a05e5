/* SPDX-License-Identifier: BSD-2-Clause
 * The thirty kernels, direct ones first, then by the number of targets. They were chosen for what they do,
 * not for what they gain, so that between them they have
 *
 *   values      double; float: range2, newton1, rotate6, wave2, bond3f, pyramid5, prism6, hex8; int: hash2,
 *               label1, count3; mixed: material
 *   dims        1 label1, 2 border2, 3 spring3, 4 flux4, 5 flux5, 6 rotate6, 7 umbrella7, 8 species8,
 *               9 product9, 16 stiffness4
 *   targets     0 species8, 1 place4, 2 flux4, 3 area3, 4 stress4, 5 pyramid5, 6 prism6, 7 umbrella7, 8 hex8;
 *               missing: border2
 *   direct      READ, WRITE, RW: material, primitive5, species8
 *   by a map    READ umbrella7, WRITE place4, RW clip2, rotate6, INC flux4, of two dats flux5, MIN label1,
 *               MAX bound1
 *   globals     INC energy3, MIN and MAX range2
 *   text        branches: limiter3, clip2, material; inner loops: newton1, newton3, product9; consts:
 *               primitive5
 *   arithmetic  next to none: place4, count3, difference1; little: spring3, bound1, stiffness4; much: bond3f,
 *               wave2, flux5
 *
 * There were 33; the three that only repeated another's accesses are gone: relax9 (as species8), and of two
 * pairs that gain the one that gained more, flux4f (as flux4) and radius4 (as bound1).
 */
#include "kernel_set.h"
#include <math.h>

static const double gamma_air = 1.4;

/* ---- direct ---- */

PL_KERNEL(energy3, (const double *v, const double *mass, double *sum),
          { sum[0] += 0.5 * mass[0] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); })

PL_KERNEL(range2, (const float *v, float *low, float *high), {
  const float s = v[0] * v[0] + v[1] * v[1];
  low[0] = s < low[0] ? s : low[0];
  high[0] = s > high[0] ? s : high[0];
})

PL_KERNEL(primitive5, (const double *u, double *p), {
  const double r = 1.0 / u[0];
  p[0] = u[0];
  p[1] = r * u[1];
  p[2] = r * u[2];
  p[3] = r * u[3];
  p[4] = (gamma_air - 1.0) * (u[4] - 0.5 * r * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]));
})

PL_KERNEL(limiter3, (const double *a, const double *b, double *c), {
  for (int k = 0; k < 3; k++) {
    if (a[k] * b[k] <= 0.0)
      c[k] = 0.0;
    else if (fabs(a[k]) < fabs(b[k]))
      c[k] = a[k];
    else
      c[k] = b[k];
  }
})

PL_KERNEL(newton1, (const float *a, float *x), {
  float y = 1.0f;
  for (int n = 0; n < 6; n++) y = 0.5f * (y + a[0] / y);
  x[0] = y;
})

PL_KERNEL(hash2, (const int *a, int *b), {
  unsigned h = (unsigned)a[0] * 2654435761u + (unsigned)a[1];
  h ^= h >> 15;
  h *= 2246822519u;
  b[0] = (int)(h ^ (h >> 13));
  b[1] = (int)(h & 1023u);
})

PL_KERNEL(material, (const int *kind, const double *strain, float *stress), {
  const double e = kind[0] & 1 ? 2.0 : 3.0;
  for (int k = 0; k < 3; k++) stress[k] = (float)(e * strain[k] / (1.0 + strain[k] * strain[k]));
})

PL_KERNEL(product9, (const double *a, const double *b, double *c), {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double s = 0.0;
      for (int k = 0; k < 3; k++) s += a[3 * i + k] * b[3 * k + j];
      c[3 * i + j] = s;
    }
})

PL_KERNEL(species8, (const double *rate, double *y), {
  double total = 0.0;
  for (int k = 0; k < 8; k++) total += y[k];
  const double inverse = 1.0 / total;
  for (int k = 0; k < 8; k++)
    y[k] = (y[k] + 0.01 * rate[0] * total) / (1.0 + 0.08 * rate[0] * y[k] * inverse);
})

/* ---- one target ---- */

PL_KERNEL(newton3, (const double *a, double *x), {
  const double s = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  double y = 1.0;
  for (int n = 0; n < 5; n++) y = 0.5 * (y + s / y);
  x[0] = y;
})

PL_KERNEL(place4, (const double *a, double *b), {
  for (int k = 0; k < 4; k++) b[k] = a[k] * a[k] + 1.0;
})

PL_KERNEL(clip2, (const double *limit, double *x), {
  for (int k = 0; k < 2; k++) x[k] = 0.5 * x[k] > limit[0] ? limit[0] : sqrt(0.5 * x[k] + 0.1);
})

PL_KERNEL(rotate6, (const float *angle, float *x), {
  const float c = 1.0f - 0.5f * angle[0] * angle[0];
  const float s = sqrtf(fabsf(1.0f - c * c));
  for (int k = 0; k < 3; k++) {
    const float a = x[2 * k];
    x[2 * k] = 0.5f * (c * a - s * x[2 * k + 1]);
    x[2 * k + 1] = 0.5f * (s * a + c * x[2 * k + 1]);
  }
})

/* ---- two ---- */

PL_KERNEL(difference1, (const double *a, const double *b, double *d), { d[0] = b[0] - a[0]; })

PL_KERNEL(flux4, (const double *a, const double *b, double *fa, double *fb), {
  const double ra = 1.0 / a[0];
  const double rb = 1.0 / b[0];
  const double va = a[1] * ra;
  const double vb = b[1] * rb;
  const double mu = 0.05 * (fabs(va) + fabs(vb));
  for (int k = 0; k < 4; k++) {
    const double f = 0.5 * (va * a[k] + vb * b[k]) + mu * (a[k] - b[k]);
    fa[k] += f;
    fb[k] -= f;
  }
})

PL_KERNEL(flux5, (const double *const q[2], double *res[2], double *sum[2]), {
  const double p0 = 0.4 * (q[0][4] - 0.5 * q[0][1] * q[0][1] / q[0][0]);
  const double p1 = 0.4 * (q[1][4] - 0.5 * q[1][1] * q[1][1] / q[1][0]);
  const double c = sqrt(1.4 * fabs(p0 + p1) / (q[0][0] + q[1][0]));
  for (int k = 0; k < 5; k++) {
    const double f = 0.5 * (p0 * q[0][k] + p1 * q[1][k]) - c * (q[1][k] - q[0][k]);
    res[0][k] += f;
    res[1][k] -= f;
  }
  sum[0][0] += c;
  sum[1][0] += c;
})

PL_KERNEL(spring3, (const double *const x[2], double *f[2]), {
  double d[3];
  double r2 = 0.01;
  for (int k = 0; k < 3; k++) {
    d[k] = x[1][k] - x[0][k];
    r2 += d[k] * d[k];
  }
  const double r = sqrt(r2);
  const double s = 2.0 * (r - 1.0) / r;
  for (int k = 0; k < 3; k++) {
    f[0][k] += s * d[k];
    f[1][k] -= s * d[k];
  }
})

PL_KERNEL(wave2, (const float *const x[2], float *y[2]), {
  const float h = x[0][0] + x[1][0];
  const float u = (x[0][1] * x[0][0] + x[1][1] * x[1][0]) / h;
  const float c = sqrtf(4.9f * h);
  const float a = fabsf(u) + c;
  for (int k = 0; k < 2; k++) {
    const float f = 0.5f * u * (x[0][k] + x[1][k]) - 0.5f * a * (x[1][k] - x[0][k]);
    y[0][k] += f / (1.0f + a);
    y[1][k] -= f / (1.0f + a);
  }
})

PL_KERNEL(bond3f, (const float *const x[2], float *f[2]), {
  float d[3];
  float r2 = 0.5f;
  for (int k = 0; k < 3; k++) {
    d[k] = x[1][k] - x[0][k];
    r2 += d[k] * d[k];
  }
  const float r = sqrtf(r2);
  const float i2 = 1.0f / r2;
  const float i6 = i2 * i2 * i2;
  const float s = 24.0f * i6 * (2.0f * i6 - 1.0f) * i2 + 2.0f * (r - 1.0f) / r;
  for (int k = 0; k < 3; k++) {
    f[0][k] += s * d[k];
    f[1][k] -= s * d[k];
  }
})

PL_KERNEL(bound1, (const double *const x[2], double *top[2]), {
  const double m = x[0][0] > x[1][0] ? x[0][0] : x[1][0];
  top[0][0] = m > top[0][0] ? m : top[0][0];
  top[1][0] = m > top[1][0] ? m : top[1][0];
})

PL_KERNEL(label1, (const int *const a[2], int *label[2]), {
  const int m = a[0][0] < a[1][0] ? a[0][0] : a[1][0];
  label[0][0] = m < label[0][0] ? m : label[0][0];
  label[1][0] = m < label[1][0] ? m : label[1][0];
})

PL_KERNEL(border2, (const double *a, const double *const x[2], double *y[2]), {
  const double h = 1.0 / (1.0 + a[0] * a[0] + x[0][0] * x[0][0]);
  for (int k = 0; k < 2; k++) {
    y[0][k] += h * (a[k] - x[0][k]);
    y[1][k] += h * (a[k] - x[1][k]);
  }
})

/* ---- three to eight ---- */

PL_KERNEL(area3, (const double *const x[3], double *area, double *total), {
  const double a =
    0.5 * ((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]));
  area[0] = fabs(a);
  total[0] += fabs(a);
})

PL_KERNEL(count3, (const int *weight, int *n[3]), {
  for (int k = 0; k < 3; k++) n[k][0] += weight[0] & 3;
})

PL_KERNEL(stiffness4, (const double *a, const double *const x[4], double *y[4]), {
  for (int i = 0; i < 4; i++) {
    double s = 0.0;
    for (int j = 0; j < 4; j++) s += a[4 * i + j] * x[j][0];
    y[i][0] += s;
  }
})

PL_KERNEL(stress4, (const double *const x[4], double *f[4]), {
  double g[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) g[i][j] = x[i + 1][j] - x[0][j];
  const double det = g[0][0] * (g[1][1] * g[2][2] - g[1][2] * g[2][1]) -
                     g[0][1] * (g[1][0] * g[2][2] - g[1][2] * g[2][0]) +
                     g[0][2] * (g[1][0] * g[2][1] - g[1][1] * g[2][0]);
  const double s = 0.1 / (1.0 + det * det);
  for (int j = 0; j < 3; j++) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
      f[i + 1][j] += s * g[i][j];
      sum += s * g[i][j];
    }
    f[0][j] -= sum;
  }
})

PL_KERNEL(pyramid5, (const float *const x[5], float *y), {
  for (int k = 0; k < 2; k++) y[k] = 0.2f * (x[0][k] + x[1][k] + x[2][k] + x[3][k] + x[4][k]);
})

PL_KERNEL(prism6, (const float *const x[6], const float *load, float *y[6]), {
  float m = 0.0f;
  for (int i = 0; i < 6; i++) m += x[i][0] * x[i][1] - x[i][2];
  for (int i = 0; i < 6; i++) y[i][0] += load[0] * m / (1.0f + m * m);
})

PL_KERNEL(umbrella7, (const double x[7][7], double *y), {
  for (int k = 0; k < 7; k++) {
    double mean = 0.0;
    for (int i = 1; i < 7; i++) mean += x[i][k];
    y[k] = 0.5 * x[0][k] + mean / 12.0;
  }
})

PL_KERNEL(hex8, (const float x[8][3], float f[8][3]), {
  for (int d = 0; d < 3; d++) {
    float mean = 0.0f;
    for (int i = 0; i < 8; i++) mean += 0.125f * x[i][d];
    for (int i = 0; i < 8; i++) f[i][d] += 0.01f * (mean - x[i][d]);
  }
})

/* ---- the table ---- */

#define D PL_DOUBLE
#define F PL_FLOAT
#define I PL_INT32
#define HERE SET_DIRECT, PL_ID

const set_kernel kernel_set[] = {
  {energy3,
   "global sum",
   3,
   {{'v', D, 3, HERE, PL_READ}, {'m', D, 1, HERE, PL_READ}, {'G', D, 1, HERE, PL_INC}}},
  {range2,
   "global min and max",
   3,
   {{'v', F, 2, HERE, PL_READ}, {'G', F, 1, HERE, PL_MIN}, {'G', F, 1, HERE, PL_MAX}}},
  {primitive5, "const, division", 2, {{'u', D, 5, HERE, PL_READ}, {'p', D, 5, HERE, PL_WRITE}}},
  {limiter3,
   "branches",
   3,
   {{'a', D, 3, HERE, PL_READ}, {'b', D, 3, HERE, PL_READ}, {'c', D, 3, HERE, PL_WRITE}}},
  {hash2, "integers", 2, {{'a', I, 2, HERE, PL_READ}, {'b', I, 2, HERE, PL_WRITE}}},
  {material,
   "int, double and float",
   3,
   {{'k', I, 1, HERE, PL_READ}, {'e', D, 3, HERE, PL_READ}, {'s', F, 3, HERE, PL_WRITE}}},
  {product9,
   "3x3 product",
   3,
   {{'a', D, 9, HERE, PL_READ}, {'b', D, 9, HERE, PL_READ}, {'c', D, 9, HERE, PL_WRITE}}},
  {newton1, "inner loop of divisions", 2, {{'a', F, 1, HERE, PL_READ}, {'x', F, 1, HERE, PL_WRITE}}},
  {species8, "direct RW, dim 8", 2, {{'r', D, 1, HERE, PL_READ}, {'y', D, 8, HERE, PL_RW}}},
  {newton3, "read through a map, inner loop", 2, {{'a', D, 3, 1, 0, PL_READ}, {'x', D, 1, HERE, PL_WRITE}}},
  {place4, "WRITE through a map", 2, {{'a', D, 4, HERE, PL_READ}, {'y', D, 4, 1, 0, PL_WRITE}}},
  {clip2, "RW through a map", 2, {{'l', D, 1, HERE, PL_READ}, {'x', D, 2, 1, 0, PL_RW}}},
  {rotate6, "RW through a map, dim 6", 2, {{'t', F, 1, HERE, PL_READ}, {'x', F, 6, 1, 0, PL_RW}}},
  {difference1,
   "two reads, dim 1",
   3,
   {{'x', D, 1, 2, 0, PL_READ}, {'x', D, 1, 2, 1, PL_READ}, {'d', D, 1, HERE, PL_WRITE}}},
  {flux4,
   "INC, dim 4",
   4,
   {{'q', D, 4, 2, 0, PL_READ},
    {'q', D, 4, 2, 1, PL_READ},
    {'r', D, 4, 2, 0, PL_INC},
    {'r', D, 4, 2, 1, PL_INC}}},
  {flux5,
   "INC of two dats, dim 5 and 1",
   3,
   {{'q', D, 5, 2, PL_ALL, PL_READ}, {'r', D, 5, 2, PL_ALL, PL_INC}, {'s', D, 1, 2, PL_ALL, PL_INC}}},
  {spring3, "INC, dim 3", 2, {{'x', D, 3, 2, PL_ALL, PL_READ}, {'f', D, 3, 2, PL_ALL, PL_INC}}},
  {wave2, "INC, dim 2", 2, {{'x', F, 2, 2, PL_ALL, PL_READ}, {'y', F, 2, 2, PL_ALL, PL_INC}}},
  {bond3f, "INC, dim 3", 2, {{'x', F, 3, 2, PL_ALL, PL_READ}, {'f', F, 3, 2, PL_ALL, PL_INC}}},
  {bound1, "MAX", 2, {{'x', D, 1, 2, PL_ALL, PL_READ}, {'t', D, 1, 2, PL_ALL, PL_MAX}}},
  {label1, "MIN", 2, {{'a', I, 1, 2, PL_ALL, PL_READ}, {'l', I, 1, 2, PL_ALL, PL_MIN}}},
  {border2,
   "INC, targets missing",
   3,
   {{'a', D, 2, HERE, PL_READ},
    {'x', D, 2, SET_BOUNDARY, PL_ALL, PL_READ},
    {'y', D, 2, SET_BOUNDARY, PL_ALL, PL_INC}}},
  {area3,
   "three reads, global sum",
   3,
   {{'x', D, 2, 3, PL_ALL, PL_READ}, {'a', D, 1, HERE, PL_WRITE}, {'G', D, 1, HERE, PL_INC}}},
  {count3, "INC of integers", 2, {{'w', I, 1, HERE, PL_READ}, {'n', I, 1, 3, PL_ALL, PL_INC}}},
  {stiffness4,
   "matrix an element, INC",
   3,
   {{'a', D, 16, HERE, PL_READ}, {'x', D, 1, 4, PL_ALL, PL_READ}, {'y', D, 1, 4, PL_ALL, PL_INC}}},
  {stress4, "tetrahedra, INC", 2, {{'x', D, 3, 4, PL_ALL, PL_READ}, {'f', D, 3, 4, PL_ALL, PL_INC}}},
  {pyramid5, "mean of five", 2, {{'x', F, 2, 5, PL_ALL, PL_READ}, {'y', F, 2, HERE, PL_WRITE}}},
  {prism6,
   "six targets, INC",
   3,
   {{'x', F, 3, 6, PL_ALL, PL_READ}, {'l', F, 1, HERE, PL_READ}, {'y', F, 1, 6, PL_ALL, PL_INC}}},
  {umbrella7, "mean of seven, dim 7", 2, {{'x', D, 7, 7, PL_ALL, PL_READ}, {'y', D, 7, HERE, PL_WRITE}}},
  {hex8, "eight targets, INC", 2, {{'x', F, 3, 8, PL_ALL, PL_READ}, {'f', F, 3, 8, PL_ALL, PL_INC}}},
};
const int kernel_set_count = (int)(sizeof kernel_set / sizeof *kernel_set);

pl_err kernel_set_declare(pl_context *pl)
{
  pl_const *constant;
  return pl_decl_const(pl, "gamma_air", 1, PL_DOUBLE, &gamma_air, &constant);
}
