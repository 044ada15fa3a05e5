/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Complex numbers and small complex matrices in kernels.
 *
 * A field is a dat of PL_COMPLEX_FLOAT or PL_COMPLEX_DOUBLE: dim 1 is a complex number on each element, dim
 * n*n an n x n matrix, row by row. The functions below are ordinary C, and pl_decl_fields(pl) makes them
 * known to a context's kernels on every backend:
 *
 *   PL_KERNEL(accumulate, (pl_cfloat x[9], const pl_cfloat y[9], const pl_cfloat z[9]), {
 *     pl_matrix_add_product_f(3, x, y, z);
 *   })
 *
 * Names that end in _f take float, those without take double. Only what a kernel uses is compiled. Matrices
 * of a constant n up to 4 are unrolled, so that sites go side by side in the host's vectors, and an
 * expression of several functions in one kernel is one pass over memory.
 */
#ifndef PLAIT_FIELDS_H
#define PLAIT_FIELDS_H

#include <plait.h>

/* X(name) for each function, in the order in which they use each other. */
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
  X(matrix_norm2)

/* C the complex type, R its parts', S what names end in.
 *
 * complex: a from parts; a + b; a - b; a b; the conjugate; s a; |a|^2.
 * matrices of n x n: x = s on the diagonal, zero elsewhere; x = s x; x += y; x = y z; x += y z; x = the
 * conjugate transpose of y; the trace; the sum of |x_ij|^2. x is another array than y and z. */
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
  })
/* clang-format on */

PL_FIELD_FUNCTIONS(pl_cfloat, float, _f)
PL_FIELD_FUNCTIONS(pl_cdouble, double, )

/* Makes all of them known to the kernels of a context; once. */
static inline pl_err pl_decl_fields(pl_context *pl)
{
  static const pl_function *const all[] = {
#define PL_FIELD_BOTH(name) pl_##name##_f_plait, pl_##name##_plait,
    PL_FIELD_NAMES(PL_FIELD_BOTH)
#undef PL_FIELD_BOTH
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    pl_err err = pl_decl_function_text(pl, all[i]);
    if (err != PL_SUCCESS) return err;
  }
  return PL_SUCCESS;
}

#endif
