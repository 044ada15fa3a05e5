/* SPDX-License-Identifier: BSD-2-Clause
 * Incomplete factors without fill-in, ILU(0) and IC(0) (Saad, Iterative Methods for Sparse Linear Systems,
 * sections 10.3 and 12.4.2): rows are eliminated by colours, and each rank factors its own rows without the
 * columns of other ranks. Blocks are factored as blocks. For a symmetric matrix U is D L^T, so IC(0) is the
 * same work for a matrix that is found symmetric, with the requirement that all pivots are positive.
 */
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "plan/matrix/mat.h"
#include "precondition.h"
#include "vectors.h"
#include <math.h>

/* ---- factors ---- */

static pl_err load_values(pl_solver *s)
{
  const pl_factors *f = &s->factors;
  const pl_kernel *kernel;
  PL_TRY(pl_solver_kernel(
    s, "load_rows", "(T *f, const int32_t *source, const int32_t *count, const pl_row_T *a)",
    "  for (int k = 0; k < count[1]; k++)\n"
    "    for (int i = 0; i < D * D; i++) f[k * D * D + i] = a->value[(size_t)source[k] + i];",
    &kernel));
  const pl_arg args[] = {pl_arg_direct(f->value, PL_RW), pl_arg_direct(f->source, PL_READ),
                         pl_arg_direct(f->count, PL_READ),
                         pl_arg_dat(s->p->values, PL_WHOLE, PL_DIRECT, PL_READ)};
  return pl_par_loop_args(kernel, s->colours.rows, 4, args);
}

/* Subtracts multiples of rows of lower colours; then the own place gets the inverse of the pivot block, by
 * Gauss and Jordan's elimination without exchanges. A pivot that is not finite counts as 0: its inverse would
 * drop a row. */
static const char eliminate[] =
  "  for (int k = 0; k < count[0]; k++) {\n"
  "    const int low = pl_at(counts, k, 0), end = pl_at(counts, k, 1);\n"
  "    T l[D * D];\n"
  "    for (int i = 0; i < D; i++)\n"
  "      for (int j = 0; j < D; j++) {\n"
  "        l[i * D + j] = 0;\n"
  "        for (int m = 0; m < D; m++)\n"
  "          l[i * D + j] += f[(k * D + i) * D + m] * pl_at(g, k, (low * D + m) * D + j);\n"
  "      }\n"
  "    for (int i = 0; i < D * D; i++) f[k * D * D + i] = l[i];\n"
  "    for (int q = low + 1; q < end; q++) {\n"
  "      const int wanted = pl_at(columns, k, q);\n"
  "      int p = k + 1;\n"
  "      while (p < count[1] && column[p] != wanted) p++;\n"
  "      if (p == count[1]) continue;\n"
  "      for (int i = 0; i < D; i++)\n"
  "        for (int j = 0; j < D; j++)\n"
  "          for (int m = 0; m < D; m++)\n"
  "            f[(p * D + i) * D + j] -= l[i * D + m] * pl_at(g, k, (q * D + m) * D + j);\n"
  "    }\n"
  "  }\n"
  "  T *a = f + count[0] * D * D;\n"
  "  for (int k = 0; k < D; k++) {\n"
  "    const T pivot = a[k * D + k];\n"
  "    const double size = positive[0] ? pivot : fabs(pivot);\n"
  "    const double finite = size < 1.7976931348623157e308 ? size : 0;\n"
  "    *least = finite < *least ? finite : *least;\n"
  "    a[k * D + k] = 1;\n"
  "    for (int j = 0; j < D; j++) a[k * D + j] /= pivot;\n"
  "    for (int i = 0; i < D; i++) {\n"
  "      if (i == k) continue;\n"
  "      const T factor = a[i * D + k];\n"
  "      a[i * D + k] = 0;\n"
  "      for (int j = 0; j < D; j++) a[i * D + j] -= factor * a[k * D + j];\n"
  "    }\n"
  "  }";

/* The values and the structure of a row, and those of the rows that it is coupled with. */
enum { ROW_ARGS = 6 };
static void add_row_args(const pl_factors *f, pl_access access, pl_arg args[ROW_ARGS])
{
  args[0] = pl_arg_direct(f->value, access);
  args[1] = pl_arg_direct(f->column, PL_READ);
  args[2] = pl_arg_direct(f->count, PL_READ);
  args[3] = pl_arg_dat(f->value, PL_ALL, f->others, PL_READ);
  args[4] = pl_arg_dat(f->column, PL_ALL, f->others, PL_READ);
  args[5] = pl_arg_dat(f->count, PL_ALL, f->others, PL_READ);
}

static pl_err factor(pl_solver *s, int colour, pl_global *positive)
{
  const pl_factors *f = &s->factors;
  const pl_kernel *kernel;
  PL_TRY(pl_solver_kernel(
    s, "eliminate",
    "(T *f, const int32_t *column, const int32_t *count, const pl_row_T *g,\n"
    "  const pl_row_int32_t *columns, const pl_row_int32_t *counts, const int32_t *positive,\n"
    "  double *least)",
    eliminate, &kernel));
  pl_arg args[ROW_ARGS + 2];
  add_row_args(f, PL_RW, args);
  args[ROW_ARGS] = pl_arg_gbl(positive, PL_READ);
  args[ROW_ARGS + 1] = pl_arg_gbl(f->least, PL_MIN);
  return pl_par_loop_args(kernel, s->colours.colour[colour], ROW_ARGS + 2, args);
}

static pl_err check_pivots(const pl_solver *s)
{
  double least;
  PL_TRY(pl_solver_read(s->factors.least, &least));
  if (least > 0) return PL_SUCCESS;
  return pl_fail(s->node.pl, PL_ERR_CONVERGENCE, "solver \"%s\": preconditioner \"%s\" breaks down: %s",
                 s->node.name, s->preconditioner->name,
                 s->preconditioner == &pl_precondition_ic
                   ? "a pivot is not positive, so the matrix is not positive definite enough for it"
                   : "a pivot is 0 or not finite");
}

/* Of each value of this rank's rows and columns, its distance from the transposed one, relative to both and
 * to the row's diagonal. A place that the other row does not have holds 0. */
static const char compare[] =
  "  const int me = column[count[0]];\n"
  "  for (int k = 0; k < count[1]; k++) {\n"
  "    const int other = k < count[0] ? k : k - 1;\n"
  "    int p = 0, end = count[1];\n"
  "    if (k != count[0]) {\n"
  "      end = pl_at(counts, other, 1);\n"
  "      while (p < end && pl_at(columns, other, p) != me) p++;\n"
  "    }\n"
  "    for (int i = 0; i < D; i++)\n"
  "      for (int j = 0; j < D; j++) {\n"
  "        const double a = f[(k * D + i) * D + j], d = fabs(f[(count[0] * D + i) * D + i]);\n"
  "        const double b = k == count[0] ? f[(k * D + j) * D + i]\n"
  "                         : p < end     ? pl_at(g, other, (p * D + j) * D + i)\n"
  "                                       : 0;\n"
  "        const double distance = fabs(a - b), size = fabs(a) + fabs(b) + d;\n"
  "        if (distance > *worst * size) *worst = distance / size;\n"
  "      }\n"
  "  }";

static pl_err check_symmetry(pl_solver *s)
{
  const pl_factors *f = &s->factors;
  const pl_kernel *kernel;
  pl_global *global;
  double worst = 0;
  PL_TRY(pl_solver_kernel(s, "compare_transposed",
                          "(const T *f, const int32_t *column, const int32_t *count, const pl_row_T *g,\n"
                          "  const pl_row_int32_t *columns, const pl_row_int32_t *counts, double *worst)",
                          compare, &kernel));
  PL_TRY(pl_decl_global_from(s->node.pl, 1, PL_DOUBLE, PL_DOUBLE, &worst, "asymmetry", &global));
  pl_arg args[ROW_ARGS + 1];
  add_row_args(f, PL_READ, args);
  args[ROW_ARGS] = pl_arg_gbl(global, PL_MAX);
  pl_err err = pl_par_loop_args(kernel, s->colours.rows, ROW_ARGS + 1, args);
  if (!err) err = pl_solver_read(global, &worst);
  pl_global_free(&global);
  if (err || worst <= (s->type == PL_DOUBLE ? 1e-8 : 1e-4)) return err;
  return pl_fail(s->node.pl, PL_ERR_CONVERGENCE,
                 "solver \"%s\": preconditioner \"ic\" needs a symmetric matrix, and values of \"%s\" "
                 "differ from the transposed ones by up to %.2g of their size; use \"ilu\"",
                 s->node.name, s->p->node.name, worst);
}

static pl_err make_factors(pl_solver *s)
{
  static const double most = HUGE_VAL;
  const int32_t is_ic = s->preconditioner == &pl_precondition_ic;
  pl_global *positive;
  if (!s->colours.rows) PL_TRY(pl_row_colours_new(s->p->sparsity, &s->colours));
  if (!s->factors.value) PL_TRY(pl_factors_new(s->p->sparsity, s->type, &s->colours, &s->factors));
  if (!s->precondition_work[0])
    PL_TRY(
      pl_decl_dat_from(s->colours.rows, s->dim, s->type, s->type, NULL, "sweep", &s->precondition_work[0]));
  PL_TRY(pl_decl_global_from(s->node.pl, 1, PL_INT32, PL_INT32, &is_ic, "positive", &positive));
  pl_err err = pl_global_set_as(s->factors.least, PL_DOUBLE, &most);
  if (!err) err = load_values(s);
  if (!err && is_ic) err = check_symmetry(s);
  for (int c = 0; !err && c < s->colours.n; c++) err = factor(s, c, positive);
  if (!err) err = check_pivots(s);
  pl_global_free(&positive);
  return err;
}

/* ---- solving ---- */

static pl_err substitute(pl_solver *s, bool back, int colour, pl_dat *r)
{
  const pl_factors *f = &s->factors;
  pl_dat *z = s->precondition_work[0];
  const pl_kernel *kernel;
  const char *params = "(T *z, const T *r, const T *f, const int32_t *count, const pl_row_T *x)";
  if (back)
    PL_TRY(
      pl_solver_kernel(s, "back_substitute", params,
                       "  T left[D];\n"
                       "  for (int i = 0; i < D; i++) left[i] = z[i];\n"
                       "  for (int k = count[0]; k < x->count; k++)\n"
                       "    for (int i = 0; i < D; i++)\n"
                       "      for (int j = 0; j < D; j++)\n"
                       "        left[i] -= f[((k + 1) * D + i) * D + j] * pl_at(x, k, j);\n"
                       "  for (int i = 0; i < D; i++) {\n"
                       "    z[i] = 0;\n"
                       "    for (int j = 0; j < D; j++) z[i] += f[(count[0] * D + i) * D + j] * left[j];\n"
                       "  }",
                       &kernel));
  else
    PL_TRY(pl_solver_kernel(s, "substitute", params,
                            "  for (int i = 0; i < D; i++) z[i] = r[i];\n"
                            "  for (int k = 0; k < count[0]; k++)\n"
                            "    for (int i = 0; i < D; i++)\n"
                            "      for (int j = 0; j < D; j++)\n"
                            "        z[i] -= f[(k * D + i) * D + j] * pl_at(x, k, j);",
                            &kernel));
  const pl_arg args[] = {pl_arg_direct(z, PL_RW), pl_arg_dat(r, 0, s->colours.own, PL_READ),
                         pl_arg_direct(f->value, PL_READ), pl_arg_direct(f->count, PL_READ),
                         pl_arg_dat(z, PL_ALL, f->others, PL_READ)};
  return pl_par_loop_args(kernel, s->colours.colour[colour], 5, args);
}

static pl_err apply_factors(pl_solver *s, pl_dat *r, pl_dat *z)
{
  for (int c = 0; c < s->colours.n; c++) PL_TRY(substitute(s, false, c, r));
  for (int c = s->colours.n - 1; c >= 0; c--) PL_TRY(substitute(s, true, c, r));
  return pl_solver_take_rows(s, z);
}

const pl_solver_preconditioner pl_precondition_ilu = {
  .name = "ilu", .matrix = true, .make = make_factors, .apply = apply_factors};
const pl_solver_preconditioner pl_precondition_ic = {
  .name = "ic", .matrix = true, .make = make_factors, .apply = apply_factors};
