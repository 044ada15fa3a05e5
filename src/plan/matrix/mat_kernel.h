/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels that the library prints for a matrix: one for each name, type and shape of blocks.
 */
#pragma once

#include "core/context/string_builder.h"
#include "core/data/objects.h"
#include "mat.h"
#include "mat_product.h"

/* The kernel `what`_TYPE_MxN of the context for that many vectors, printed where there is none. Kernels that
 * differ in the variant, which the printer gets, differ in `what`. */
typedef void (*pl_mat_kernel_printer)(pl_string *text, const char *name, const pl_mat *a, int vectors,
                                      int variant);
pl_err pl_mat_kernel(const pl_mat *a, const char *what, int vectors, pl_mat_kernel_printer print, int variant,
                     const pl_kernel **kernel);

/* The statement sum += value * x, or with `conjugate` += conj(value) * x, of these expressions. `x` may name
 * the parameters x and y of the kernel, `sum` and `value` may not. */
void pl_mat_print_add(pl_string *text, const pl_mat *a, bool conjugate, const char *sum, const char *value,
                      const char *x);

/* Sums that the kernel of a product computes as well. */
typedef enum pl_mat_sums {
  PL_MAT_NO_SUM,
  PL_MAT_INNER, /* own . y: `own` is the row of x, y is sum[] */
  PL_MAT_SUMS   /* the same, other . own and own . own */
} pl_mat_sums;

/* The end of the parameters and of the kernel of a product; and of its arguments, whose number it gives. */
void pl_mat_print_params_end(pl_string *text, const pl_mat *a, pl_mat_sums sums);
void pl_mat_print_end(pl_string *text, const pl_mat *a, pl_mat_sums sums);
enum { PL_MAT_SUM_ARGS = 5 };
int pl_mat_sum_args(pl_dat *x, const pl_product_sums *sums, pl_arg *arg);

static inline const char *pl_mat_sums_name(pl_mat_sums sums)
{
  return sums == PL_MAT_NO_SUM ? "" : sums == PL_MAT_INNER ? "_inner" : "_sums";
}

static inline pl_mat_sums pl_mat_sums_of(const pl_product_sums *sums)
{
  return !sums ? PL_MAT_NO_SUM : sums->other ? PL_MAT_SUMS : PL_MAT_INNER;
}
