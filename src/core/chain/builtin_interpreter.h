/* SPDX-License-Identifier: BSD-2-Clause
 * Builtin kernels without a compiler: the formulas of builtin_kernels.h on the host, value by value.
 */
#pragma once

#include "builtin_kernels.h"

/* Computes a pl_expression; values[i] has the values of argument i. */
void pl_expression_compute(const void *expression, void *const *values);
