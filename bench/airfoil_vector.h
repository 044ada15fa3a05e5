/* SPDX-License-Identifier: BSD-2-Clause
 * The loops of the hand-written airfoil solver as vector code, for compilers with vector extensions. In
 * precision REAL, for airfoil_hand_solver.c.
 *
 * res_calc takes as many edges at once as 32 bytes hold values. The states of their cells are loaded as whole
 * records and transposed, so that a vector has one component of all edges; the increments are transposed back
 * and added record by record in the order of the edges, so that two of them may have a cell in common.
 */
#ifndef BENCH_AIRFOIL_VECTOR_H
#define BENCH_AIRFOIL_VECTOR_H

#include "airfoil_hand_kernels.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

enum { LANES = 32 / (int)sizeof(REAL) };

typedef REAL lanes __attribute__((vector_size(32)));
typedef REAL loose __attribute__((vector_size(32), aligned(sizeof(REAL)), may_alias)); /* at any place */
typedef REAL record __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

#define INLINE static inline __attribute__((always_inline))

FLUX(flux_lanes, lanes)

#define PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

#ifdef REAL_float
#define LANE_BY_LANE(value)                                                                                  \
  {                                                                                                          \
    value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7)                           \
  }

/* Vectors of 8 values: lanes 0 to 3 and 4 to 7 of r[k] are the records of edges k and k + 4, c[k] component k
 * of all. */
INLINE void transpose(const lanes r[4], lanes c[4])
{
  const lanes a = PICK(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13),
              b = PICK(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15),
              d = PICK(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13),
              e = PICK(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
  c[0] = PICK(a, d, 0, 1, 8, 9, 4, 5, 12, 13), c[1] = PICK(a, d, 2, 3, 10, 11, 6, 7, 14, 15);
  c[2] = PICK(b, e, 0, 1, 8, 9, 4, 5, 12, 13), c[3] = PICK(b, e, 2, 3, 10, 11, 6, 7, 14, 15);
}

INLINE void load_records(const REAL *from, const int at[LANES], lanes c[4])
{
  lanes r[4];
  for (int k = 0; k < 4; k++)
    r[k] =
      PICK(*(const record *)&from[4 * at[k]], *(const record *)&from[4 * at[k + 4]], 0, 1, 2, 3, 4, 5, 6, 7);
  transpose(r, c);
}

INLINE record record_of(const lanes r[4], int edge)
{
  return edge < 4 ? PICK(r[edge], r[edge], 0, 1, 2, 3) : PICK(r[edge - 4], r[edge - 4], 4, 5, 6, 7);
}

/* The factors of the values of vector k of the records of LANES cells. */
#define SPREAD(factors, k)                                                                                   \
  PICK(factors, factors, 2 * k, 2 * k, 2 * k, 2 * k, 2 * k + 1, 2 * k + 1, 2 * k + 1, 2 * k + 1)
#else
#define LANE_BY_LANE(value)                                                                                  \
  {                                                                                                          \
    value(0), value(1), value(2), value(3)                                                                   \
  }

/* Vectors of 4 values: r[k] is the record of edge k, c[k] component k of all. */
INLINE void transpose(const lanes r[4], lanes c[4])
{
  const lanes a = PICK(r[0], r[1], 0, 4, 2, 6), b = PICK(r[0], r[1], 1, 5, 3, 7),
              d = PICK(r[2], r[3], 0, 4, 2, 6), e = PICK(r[2], r[3], 1, 5, 3, 7);
  c[0] = PICK(a, d, 0, 1, 4, 5), c[1] = PICK(b, e, 0, 1, 4, 5);
  c[2] = PICK(a, d, 2, 3, 6, 7), c[3] = PICK(b, e, 2, 3, 6, 7);
}

INLINE void load_records(const REAL *from, const int at[LANES], lanes c[4])
{
  lanes r[4];
  for (int k = 0; k < 4; k++) r[k] = *(const record *)&from[4 * at[k]];
  transpose(r, c);
}

INLINE record record_of(const lanes r[4], int edge)
{
  return r[edge];
}

/* The factors of the values of vector k of the records of LANES cells. */
#define SPREAD(factors, k) PICK(factors, factors, k, k, k, k)
#endif

INLINE lanes load_values(const REAL *from, const int at[LANES])
{
#define VALUE(l) from[at[l]]
  return (lanes)LANE_BY_LANE(VALUE);
#undef VALUE
}

INLINE lanes roots(lanes values)
{
#if defined(__AVX__) && defined(REAL_float)
  return _mm256_sqrt_ps(values);
#elif defined(__AVX__)
  return _mm256_sqrt_pd(values);
#else
  for (int l = 0; l < LANES; l++) values[l] = root(values[l]);
  return values;
#endif
}

INLINE lanes magnitudes(lanes values)
{
#if defined(__AVX__) && defined(REAL_float)
  return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), values);
#elif defined(__AVX__)
  return _mm256_andnot_pd(_mm256_set1_pd(-0.0), values);
#else
  for (int l = 0; l < LANES; l++) values[l] = magnitude(values[l]);
  return values;
#endif
}

/* LANES cells from cell i on. */
INLINE lanes cell_speeds(int i, const int *cell_node, const REAL *x, const REAL *q)
{
  int cells[LANES], at[LANES];
  lanes state[4], px[4], py[4], sum = {0};
  for (int l = 0; l < LANES; l++) cells[l] = i + l;
  load_records(q, cells, state);
  for (int k = 0; k < 4; k++) {
    for (int l = 0; l < LANES; l++) at[l] = 2 * cell_node[4 * (i + l) + k];
    px[k] = load_values(x, at), py[k] = load_values(x + 1, at);
  }
  const lanes ri = 1 / state[0], u = ri * state[1], v = ri * state[2];
  const lanes c = roots(GAM * GM1 * (ri * state[3] - HALF * (u * u + v * v)));
  for (int k = 0; k < 4; k++) {
    const lanes dx = px[(k + 1) % 4] - px[k], dy = py[(k + 1) % 4] - py[k];
    sum += magnitudes(u * dy - v * dx) + c * roots(dx * dx + dy * dy);
  }
  return sum / CFL;
}

LOOP adt_calc(int from, int to, const int *restrict cell_node, const REAL *restrict x, const REAL *restrict q,
              REAL *restrict adt)
{
  int i = from;
  for (; i + LANES <= to; i += LANES) *(loose *)&adt[i] = cell_speeds(i, cell_node, x, q);
  for (; i < to; i++) adt[i] = cell_speed(i, cell_node, x, q);
}

/* LANES edges from edge e on. */
INLINE void add_fluxes(int e, const int *edge_node, const int *edge_cell, const REAL *x, const REAL *q,
                       const REAL *adt, REAL *res)
{
  int c1[LANES], c2[LANES], n1[LANES], n2[LANES];
  lanes q1[4], q2[4], f[4], r[4];
  for (int l = 0; l < LANES; l++) {
    c1[l] = edge_cell[2 * (e + l)], c2[l] = edge_cell[2 * (e + l) + 1];
    n1[l] = 2 * edge_node[2 * (e + l)], n2[l] = 2 * edge_node[2 * (e + l) + 1];
  }
  const lanes dx = load_values(x, n1) - load_values(x, n2),
              dy = load_values(x + 1, n1) - load_values(x + 1, n2);
  load_records(q, c1, q1);
  load_records(q, c2, q2);
  flux_lanes(dx, dy, q1, q2, HALF * (load_values(adt, c1) + load_values(adt, c2)) * EPS, f);
  transpose(f, r);
  for (int l = 0; l < LANES; l++) {
    *(record *)&res[4 * c1[l]] += record_of(r, l);
    *(record *)&res[4 * c2[l]] -= record_of(r, l);
  }
}

LOOP res_calc(int n, const int *restrict edge_node, const int *restrict edge_cell, const REAL *restrict x,
              const REAL *restrict q, const REAL *restrict adt, REAL *restrict res)
{
  int e = 0;
  for (; e + LANES <= n; e += LANES) add_fluxes(e, edge_node, edge_cell, x, q, adt, res);
  for (; e < n; e++) add_flux(e, edge_node, edge_cell, x, q, adt, res);
}

/* Does not read the memory that it writes, for loops that move more than the caches hold. */
INLINE void stream(REAL *to, lanes value)
{
#if defined(__AVX__) && defined(REAL_float)
  _mm256_stream_ps(to, value);
#elif defined(__AVX__)
  _mm256_stream_pd(to, value);
#else
  *(loose *)to = value;
#endif
}

LOOP save_soln(int from, int to, bool streams, const REAL *restrict q, REAL *restrict qold)
{
  int i = 4 * from;
  for (; i % LANES && i < 4 * to; i++) qold[i] = q[i];
  for (; streams && i + LANES <= 4 * to; i += LANES) stream(&qold[i], *(const loose *)&q[i]);
  for (; i < 4 * to; i++) qold[i] = q[i];
}

/* Adds the squares of LANES values from place `at` on. */
INLINE void update_values(int at, bool streams, lanes adti, const REAL *qold, REAL *q, REAL *res, lanes *sum)
{
  const lanes zero = {0}, del = adti * *(const loose *)&res[at], value = *(const loose *)&qold[at] - del;
  if (streams)
    stream(&q[at], value);
  else
    *(loose *)&q[at] = value;
  *(loose *)&res[at] = zero;
  *sum += del * del;
}

LOOP update(int from, int to, bool streams, const REAL *restrict qold, REAL *restrict q, REAL *restrict res,
            const REAL *restrict adt, REAL *restrict rms)
{
  lanes sums = {0};
  REAL sum = 0;
  int i = from;
  for (; 4 * i % LANES && i < to; i++) sum += update_cell(i, qold, q, res, adt);
  for (; i + LANES <= to; i += LANES) {
    const lanes adti = 1 / *(const loose *)&adt[i];
    update_values(4 * i, streams, SPREAD(adti, 0), qold, q, res, &sums);
    update_values(4 * i + LANES, streams, SPREAD(adti, 1), qold, q, res, &sums);
    update_values(4 * i + 2 * LANES, streams, SPREAD(adti, 2), qold, q, res, &sums);
    update_values(4 * i + 3 * LANES, streams, SPREAD(adti, 3), qold, q, res, &sums);
  }
  for (; i < to; i++) sum += update_cell(i, qold, q, res, adt);
  for (int l = 0; l < LANES; l++) sum += sums[l];
  *rms = sum;
}

#endif
