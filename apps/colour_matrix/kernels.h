/* SPDX-License-Identifier: BSD-2-Clause
 * The kernels: on each site three complex 3 x 3 matrices, X += Y Z.
 */
#ifndef APPS_COLOUR_MATRIX_KERNELS_H
#define APPS_COLOUR_MATRIX_KERNELS_H

#include "plait_fields.h"

PL_KERNEL(set_fields, (pl_cfloat x[9], pl_cfloat y[9], pl_cfloat z[9]), {
  pl_matrix_set_f(3, x, pl_complex_make_f(0.0f, 0.0f));
  pl_matrix_set_f(3, y, pl_complex_make_f(1.0f, 0.0f));
  pl_matrix_set_f(3, z, pl_complex_make_f(2.0f, 0.0f));
})

PL_KERNEL(set_fields_double, (pl_cdouble x[9], pl_cdouble y[9], pl_cdouble z[9]), {
  pl_matrix_set(3, x, pl_complex_make(0.0, 0.0));
  pl_matrix_set(3, y, pl_complex_make(1.0, 0.0));
  pl_matrix_set(3, z, pl_complex_make(2.0, 0.0));
})

PL_KERNEL(add_product, (pl_cfloat x[9], const pl_cfloat y[9], const pl_cfloat z[9]),
          { pl_matrix_add_product_f(3, x, y, z); })

PL_KERNEL(add_product_double, (pl_cdouble x[9], const pl_cdouble y[9], const pl_cdouble z[9]),
          { pl_matrix_add_product(3, x, y, z); })

/* The sum of |scale x|^2. */
PL_KERNEL(add_norm2, (const pl_cfloat x[9], const double *scale, double *sum), {
  for (int i = 0; i < 9; i++) {
    const double re = *scale * (double)x[i].re;
    const double im = *scale * (double)x[i].im;
    *sum += re * re + im * im;
  }
})

PL_KERNEL(triad, (double *a, const double *b, const double *c), { *a = *b + 0.5 * *c; })

#endif
