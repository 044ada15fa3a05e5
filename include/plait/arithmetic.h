/* SPDX-License-Identifier: BSD-2-Clause
 * Arithmetic on dats and globals. */
#ifndef PLAIT_ARITHMETIC_H
#define PLAIT_ARITHMETIC_H

#include <plait/dats.h>

PL_EXTERN_C_BEGIN

/* Dats of one set and dim; globals of their context. Each call is a loop over the owned elements: it runs
 * where the values are, is recorded in chains and exchanges no halos. A result may be an operand.
 *
 * Any types, also different ones: operands are converted to their common type, as in C (int64_t with double
 * gives double, float with pl_cdouble gives pl_cdouble, int8_t with int8_t gives int), the value is computed
 * in it and converted to the type of the result. As in C, real values are truncated toward zero when they
 * become integers, and must be in the range of the integer type. A quotient of integers by zero is zero.
 *
 * Errors: PL_ERR_TYPE for another set, dim or context, and for a real result of complex operands;
 * PL_ERR_STATE with an open view; those of a kernel from source. Collective. */
typedef enum pl_operator { PL_ADD, PL_SUBTRACT, PL_MULTIPLY, PL_DIVIDE } pl_operator;

/* result = a op b, value by value. A global has one value, or one for each component. */
PL_API pl_err pl_dat_combine(pl_dat *a, pl_operator op, pl_dat *b, pl_dat *result);
PL_API pl_err pl_dat_combine_global(pl_dat *a, pl_operator op, pl_global *b, pl_dat *result);
PL_API pl_err pl_global_combine_dat(pl_global *a, pl_operator op, pl_dat *b, pl_dat *result);

/* The same with a number, which is the same on all ranks and is converted to the common type of the dats. */
PL_API pl_err pl_dat_combine_number(pl_dat *a, pl_operator op, double b, pl_dat *result);
PL_API pl_err pl_number_combine_dat(double a, pl_operator op, pl_dat *b, pl_dat *result);

/* dat = value; x = a x; y = a x + y; y = x + a y. The number is converted to the common type of the dats. */
PL_API pl_err pl_dat_fill(pl_dat *dat, double value);
PL_API pl_err pl_dat_scale(double a, pl_dat *x);
PL_API pl_err pl_dat_axpy(double a, pl_dat *x, pl_dat *y);
PL_API pl_err pl_dat_aypx(double a, pl_dat *x, pl_dat *y);

/* The same with a factor that stays where it was computed: a global of one value.
 * pl_dat_combine_global(x, PL_MULTIPLY, a, x) scales. */
PL_API pl_err pl_dat_axpy_global(pl_global *a, pl_dat *x, pl_dat *y);
PL_API pl_err pl_dat_aypx_global(pl_global *a, pl_dat *x, pl_dat *y);

/* y = a[0] x[0] + ... + a[n - 1] x[n - 1] + y, 1 <= n <= 16. `a` is a global of dim n: complex factors, or
 * results of reductions. */
PL_API pl_err pl_dat_maxpy(int n, pl_global *a, pl_dat *const *x, pl_dat *y);

/* Inner product, the sum of conj(x) y over all values of owned elements. `result` has dim 1 and a type in the
 * list of PL_TYPE_LIST not before those of the dats, and is complex if one of them is; the sum is computed in
 * it. Norm: the square root of the sum of |x|^2, accumulated in double (float for float dats if option
 * precision is single); waits for the result. */
PL_API pl_err pl_dat_inner(pl_dat *x, pl_dat *y, pl_global *result);
PL_API pl_err pl_dat_norm(pl_dat *x, double *norm);

/* Globals: result = a op b, value by value; an operand has the result's dim or one value. Types as for dats.
 * Inner: the sum of conj(a) b, `result` as for dats. A result may be an operand. Combine and pl_global_copy
 * are recorded in chains; a device whose loops computed an operand computes the result too, so the host waits
 * for nothing. On several ranks the host waits for sums over ranks. Inner runs at once, on the host. Errors:
 * PL_ERR_TYPE. Collective. */
PL_API pl_err pl_global_combine(pl_global *a, pl_operator op, pl_global *b, pl_global *result);
PL_API pl_err pl_global_combine_number(pl_global *a, pl_operator op, double b, pl_global *result);
PL_API pl_err pl_number_combine_global(double a, pl_operator op, pl_global *b, pl_global *result);
PL_API pl_err pl_global_inner(pl_global *a, pl_global *b, pl_global *result);

PL_EXTERN_C_END

#endif
