/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Complex numbers, small complex matrices, and small real systems of equations in kernels. Programs include
 * this header besides plait.h.
 *
 * A field is a dat of PL_COMPLEX_FLOAT or PL_COMPLEX_DOUBLE: with dim 1 a complex number on each element,
 * with dim n*n an n x n matrix, row by row. The functions below are plain C. pl_decl_fields(pl) declares them
 * to the kernels of a context, on every backend:
 *
 *   PL_KERNEL(accumulate, (pl_cfloat x[9], const pl_cfloat y[9], const pl_cfloat z[9]), {
 *     pl_matrix_add_product_f(3, x, y, z);
 *   })
 *
 * Names ending in _f take float, the others double. Only functions that a kernel uses are compiled. Loops
 * over matrices of a constant n up to 4 are unrolled, so that the host compiler can vectorise over elements.
 * An expression of several functions in one kernel is one pass over memory.
 */
#ifndef PLAIT_FIELDS_H
#define PLAIT_FIELDS_H

#include <plait.h>

/* X(name) for each function; a function is listed after those it calls. */
#define PL_FIELD_NAMES(X)                                                                                    \
  X(complex_make)                                                                                            \
  X(complex_add)                                                                                             \
  X(complex_sub)                                                                                             \
  X(complex_mul)                                                                                             \
  X(complex_conj)                                                                                            \
  X(complex_scale)                                                                                           \
  X(complex_norm2)                                                                                           \
  X(matrix_set)                                                                                              \
  X(matrix_scale)                                                                                            \
  X(matrix_add)                                                                                              \
  X(matrix_mul)                                                                                              \
  X(matrix_add_product)                                                                                      \
  X(matrix_adjoint)                                                                                          \
  X(matrix_trace)                                                                                            \
  X(matrix_norm2)                                                                                            \
  X(dense_pivot)                                                                                             \
  X(dense_solve)                                                                                             \
  X(dense_inverse)

/* C: complex type; R: type of its parts; S: suffix of the names. In the order of the list:
 *
 * complex: re + i im; a + b; a - b; a b; conj(a); s a (s real); |a|^2.
 * n x n matrices: x = s I; x = s x (s complex); x += y; x = y z; x += y z; x = conjugate transpose of y;
 * trace of x; sum of |x_ij|^2. x must not overlap y or z.
 *
 * Real n x n matrices, row by row, by elimination with partial pivoting; both return the determinant of a:
 * pl_dense_solve(n, a, m, b): b, n rows of m right-hand sides, becomes the solution x of a x = b;
 * pl_dense_inverse(n, a, x): x becomes the inverse of a. Both overwrite a. If no pivot of a column is other
 * than 0, they return 0, and b or x is not meaningful; a matrix that is singular but for rounding has a small
 * determinant. NaN in a gives NaN. */
/* clang-format off */
#define PL_FIELD_FUNCTIONS(C, R, S)                                                                          \
  PL_FUNCTION(C, pl_complex_make##S, (R re, R im), {                                                         \
    C r;                                                                                                     \
    r.re = re;                                                                                               \
    r.im = im;                                                                                               \
    return r;                                                                                                \
  })                                                                                                         \
  PL_FUNCTION(C, pl_complex_add##S, (C a, C b), {                                                            \
    a.re += b.re;                                                                                            \
    a.im += b.im;                                                                                            \
    return a;                                                                                                \
  })                                                                                                         \
  PL_FUNCTION(C, pl_complex_sub##S, (C a, C b), {                                                            \
    a.re -= b.re;                                                                                            \
    a.im -= b.im;                                                                                            \
    return a;                                                                                                \
  })                                                                                                         \
  PL_FUNCTION(C, pl_complex_mul##S, (C a, C b), {                                                            \
    C r;                                                                                                     \
    r.re = a.re * b.re - a.im * b.im;                                                                        \
    r.im = a.re * b.im + a.im * b.re;                                                                        \
    return r;                                                                                                \
  })                                                                                                         \
  PL_FUNCTION(C, pl_complex_conj##S, (C a), {                                                                \
    a.im = -a.im;                                                                                            \
    return a;                                                                                                \
  })                                                                                                         \
  PL_FUNCTION(C, pl_complex_scale##S, (R s, C a), {                                                          \
    a.re *= s;                                                                                               \
    a.im *= s;                                                                                               \
    return a;                                                                                                \
  })                                                                                                         \
  PL_FUNCTION(R, pl_complex_norm2##S, (C a), { return a.re * a.re + a.im * a.im; })                          \
  PL_FUNCTION(void, pl_matrix_set##S, (int n, C *x, C s), {                                                  \
    PL_UNROLL(16) for (int i = 0; i < n * n; i++) {                                                          \
      x[i].re = i % (n + 1) ? 0 : s.re;                                                                      \
      x[i].im = i % (n + 1) ? 0 : s.im;                                                                      \
    }                                                                                                        \
  })                                                                                                         \
  PL_FUNCTION(void, pl_matrix_scale##S, (int n, C *x, C s), {                                                \
    PL_UNROLL(16) for (int i = 0; i < n * n; i++) x[i] = pl_complex_mul##S(s, x[i]);                         \
  })                                                                                                         \
  PL_FUNCTION(void, pl_matrix_add##S, (int n, C *x, const C *y), {                                           \
    PL_UNROLL(16) for (int i = 0; i < n * n; i++) x[i] = pl_complex_add##S(x[i], y[i]);                      \
  })                                                                                                         \
  PL_FUNCTION(void, pl_matrix_mul##S, (int n, C *x, const C *y, const C *z), {                               \
    PL_UNROLL(4) for (int i = 0; i < n; i++) {                                                               \
      PL_UNROLL(4) for (int j = 0; j < n; j++) {                                                             \
        C sum = pl_complex_mul##S(y[i * n], z[j]);                                                           \
        PL_UNROLL(4) for (int k = 1; k < n; k++)                                                             \
          sum = pl_complex_add##S(sum, pl_complex_mul##S(y[i * n + k], z[k * n + j]));                       \
        x[i * n + j] = sum;                                                                                  \
      }                                                                                                      \
    }                                                                                                        \
  })                                                                                                         \
  PL_FUNCTION(void, pl_matrix_add_product##S, (int n, C *x, const C *y, const C *z), {                       \
    PL_UNROLL(4) for (int i = 0; i < n; i++) {                                                               \
      PL_UNROLL(4) for (int j = 0; j < n; j++) {                                                             \
        C sum = x[i * n + j];                                                                                \
        PL_UNROLL(4) for (int k = 0; k < n; k++) {                                                           \
          sum.re += y[i * n + k].re * z[k * n + j].re;                                                       \
          sum.re -= y[i * n + k].im * z[k * n + j].im;                                                       \
          sum.im += y[i * n + k].re * z[k * n + j].im;                                                       \
          sum.im += y[i * n + k].im * z[k * n + j].re;                                                       \
        }                                                                                                    \
        x[i * n + j] = sum;                                                                                  \
      }                                                                                                      \
    }                                                                                                        \
  })                                                                                                         \
  PL_FUNCTION(void, pl_matrix_adjoint##S, (int n, C *x, const C *y), {                                       \
    PL_UNROLL(4) for (int i = 0; i < n; i++) {                                                               \
      PL_UNROLL(4) for (int j = 0; j < n; j++) x[i * n + j] = pl_complex_conj##S(y[j * n + i]);              \
    }                                                                                                        \
  })                                                                                                         \
  PL_FUNCTION(C, pl_matrix_trace##S, (int n, const C *x), {                                                  \
    C sum = x[0];                                                                                            \
    PL_UNROLL(4) for (int i = 1; i < n; i++) sum = pl_complex_add##S(sum, x[i * (n + 1)]);                   \
    return sum;                                                                                              \
  })                                                                                                         \
  PL_FUNCTION(R, pl_matrix_norm2##S, (int n, const C *x), {                                                  \
    R sum = 0;                                                                                               \
    PL_UNROLL(16) for (int i = 0; i < n * n; i++) sum += pl_complex_norm2##S(x[i]);                          \
    return sum;                                                                                              \
  })                                                                                                         \
  /* Exchanges row k with the row from k on that has the largest value in column k; -1 if it did, else 1. */ \
  PL_FUNCTION(int, pl_dense_pivot##S, (int n, R *a, int m, R *b, int k), {                                   \
    int best = k;                                                                                            \
    for (int i = k + 1; i < n; i++) {                                                                        \
      R one = a[i * n + k] < 0 ? -a[i * n + k] : a[i * n + k];                                               \
      R other = a[best * n + k] < 0 ? -a[best * n + k] : a[best * n + k];                                    \
      if (one > other) best = i;                                                                             \
    }                                                                                                        \
    if (best == k) return 1;                                                                                 \
    for (int j = 0; j < n; j++) {                                                                            \
      R t = a[k * n + j];                                                                                    \
      a[k * n + j] = a[best * n + j];                                                                        \
      a[best * n + j] = t;                                                                                   \
    }                                                                                                        \
    for (int j = 0; j < m; j++) {                                                                            \
      R t = b[k * m + j];                                                                                    \
      b[k * m + j] = b[best * m + j];                                                                        \
      b[best * m + j] = t;                                                                                   \
    }                                                                                                        \
    return -1;                                                                                               \
  })                                                                                                         \
  PL_FUNCTION(R, pl_dense_solve##S, (int n, R *a, int m, R *b), {                                            \
    R determinant = 1;                                                                                       \
    for (int k = 0; k < n; k++) {                                                                            \
      if (pl_dense_pivot##S(n, a, m, b, k) < 0) determinant = -determinant;                                  \
      determinant *= a[k * n + k];                                                                           \
      if (a[k * n + k] == 0) return 0;                                                                       \
      for (int i = k + 1; i < n; i++) {                                                                      \
        R factor = a[i * n + k] / a[k * n + k];                                                              \
        for (int j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];                               \
        for (int j = 0; j < m; j++) b[i * m + j] -= factor * b[k * m + j];                                   \
      }                                                                                                      \
    }                                                                                                        \
    for (int k = n - 1; k >= 0; k--) {                                                                       \
      for (int j = 0; j < m; j++) {                                                                          \
        R sum = b[k * m + j];                                                                                \
        for (int i = k + 1; i < n; i++) sum -= a[k * n + i] * b[i * m + j];                                  \
        b[k * m + j] = sum / a[k * n + k];                                                                   \
      }                                                                                                      \
    }                                                                                                        \
    return determinant;                                                                                      \
  })                                                                                                         \
  PL_FUNCTION(R, pl_dense_inverse##S, (int n, R *a, R *x), {                                                 \
    for (int i = 0; i < n * n; i++) x[i] = i % (n + 1) ? 0 : 1;                                              \
    return pl_dense_solve##S(n, a, n, x);                                                                    \
  })
/* clang-format on */

PL_FIELD_FUNCTIONS(pl_cfloat, float, _f)
PL_FIELD_FUNCTIONS(pl_cdouble, double, )

#endif
