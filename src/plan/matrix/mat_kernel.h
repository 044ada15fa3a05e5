/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels that the library prints for a matrix: one for each name, type and shape of blocks.
 */
#pragma once

#include "core/context/string_builder.h"
#include "core/data/objects.h"
#include "mat.h"

/* The kernel `what`_TYPE_MxN of the context for that many vectors, printed where there is none. */
typedef void (*pl_mat_kernel_printer)(pl_string *text, const char *name, const pl_mat *a, int vectors);
pl_err pl_mat_kernel(const pl_mat *a, const char *what, int vectors, pl_mat_kernel_printer print,
                     const pl_kernel **kernel);

/* The statement sum += value * x, or with `conjugate` += conj(value) * x, of these expressions. `x` may name
 * the parameters x and y of the kernel, `sum` and `value` may not. */
void pl_mat_print_add(pl_string *text, const pl_mat *a, bool conjugate, const char *sum, const char *value,
                      const char *x);

/* The end of the parameters and of the kernel of a product. With `inner` it adds own . y to its last
 * argument: y is sum[] there. */
void pl_mat_print_params_end(pl_string *text, const pl_mat *a, bool inner);
void pl_mat_print_end(pl_string *text, const pl_mat *a, bool inner);
