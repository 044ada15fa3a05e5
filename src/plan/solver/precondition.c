/* SPDX-License-Identifier: BSD-2-Clause
 * Preconditioners that are applied element by element: none, the inverse of the diagonal, the inverses of its
 * blocks.
 */
#include "precondition.h"
#include "core/data/objects.h"
#include "plan/matrix_rows/mat_diagonal.h"
#include "vectors.h"

pl_err pl_solver_prepare(pl_solver *s)
{
  if (!s->preconditioner->make) return PL_SUCCESS;
  pl_dat *values = s->p ? NULL : s->given_diagonal;
  if (!values) PL_TRY(pl_mat_values(s->p, &values));
  const uint64_t version = pl_dat_version(values);
  if (s->made && s->made_of == version) return PL_SUCCESS;
  s->made = false;
  s->node.pl->own_objects = true;
  pl_err err = s->preconditioner->make(s);
  s->node.pl->own_objects = false;
  PL_TRY(err);
  s->made = true;
  s->made_of = version;
  return PL_SUCCESS;
}

/* s->inverse: a dat of `dim` values, made on first use. */
static pl_err make_inverse(pl_solver *s, int dim)
{
  if (s->inverse) return PL_SUCCESS;
  return pl_decl_dat_from(s->set, dim, s->type, s->type, NULL, "inverse", &s->inverse);
}

/* ---- none ---- */

static pl_err copy_residual(pl_solver *s, pl_dat *r, pl_dat *z)
{
  (void)s;
  return pl_dat_copy(r, z);
}

const pl_solver_preconditioner pl_precondition_none = {.name = "none", .apply = copy_residual};

/* ---- the diagonal ---- */

/* A row without a diagonal value stays as it is. */
pl_err pl_solver_invert_diagonal(pl_solver *s)
{
  const pl_kernel *kernel;
  PL_TRY(make_inverse(s, s->dim));
  PL_TRY(s->p ? pl_mat_get_diagonal(s->p, s->inverse) : pl_dat_copy(s->given_diagonal, s->inverse));
  PL_TRY(pl_solver_kernel(s, "invert", "(T *x)",
                          "for (int i = 0; i < D; i++) x[i] = x[i] == 0 ? 1 : 1 / x[i];", &kernel));
  const pl_arg x = pl_arg_direct(s->inverse, PL_RW);
  return pl_par_loop_args(kernel, s->set, 1, &x);
}

static pl_err multiply_by_inverse(pl_solver *s, pl_dat *r, pl_dat *z)
{
  return pl_dat_combine(s->inverse, PL_MULTIPLY, r, z);
}

const pl_solver_preconditioner pl_precondition_jacobi = {
  .name = "jacobi", .diagonal = true, .make = pl_solver_invert_diagonal, .apply = multiply_by_inverse};

/* ---- blocks of the diagonal ---- */

/* Gauss and Jordan's elimination in place, with pivots of the largest size in their column. A singular block
 * gives values that are not finite, which the solver reports as a breakdown. */
static const char invert_block[] =
  "  int row[D];\n"
  "  T copy[D];\n"
  "  for (int i = 0; i < D; i++) row[i] = i;\n"
  "  for (int k = 0; k < D; k++) {\n"
  "    int best = k;\n"
  "    for (int i = k + 1; i < D; i++)\n"
  "      if (fabs(a[i * D + k]) > fabs(a[best * D + k])) best = i;\n"
  "    const int other = row[k];\n"
  "    row[k] = row[best];\n"
  "    row[best] = other;\n"
  "    for (int j = 0; j < D; j++) {\n"
  "      const T swapped = a[k * D + j];\n"
  "      a[k * D + j] = a[best * D + j];\n"
  "      a[best * D + j] = swapped;\n"
  "    }\n"
  "    const T pivot = 1 / a[k * D + k];\n"
  "    a[k * D + k] = 1;\n"
  "    for (int j = 0; j < D; j++) a[k * D + j] *= pivot;\n"
  "    for (int i = 0; i < D; i++) {\n"
  "      if (i == k) continue;\n"
  "      const T factor = a[i * D + k];\n"
  "      a[i * D + k] = 0;\n"
  "      for (int j = 0; j < D; j++) a[i * D + j] -= factor * a[k * D + j];\n"
  "    }\n"
  "  }\n"
  "  for (int i = 0; i < D; i++) {\n"
  "    for (int j = 0; j < D; j++) copy[row[j]] = a[i * D + j];\n"
  "    for (int j = 0; j < D; j++) a[i * D + j] = copy[j];\n"
  "  }";

pl_err pl_solver_invert_blocks(pl_solver *s)
{
  const pl_kernel *kernel;
  PL_TRY(make_inverse(s, s->dim * s->dim));
  PL_TRY(pl_mat_diagonal_blocks(s->p, s->inverse));
  PL_TRY(pl_solver_kernel(s, "invert_block", "(T *a)", invert_block, &kernel));
  const pl_arg blocks = pl_arg_direct(s->inverse, PL_RW);
  return pl_par_loop_args(kernel, s->set, 1, &blocks);
}

static pl_err multiply_by_blocks(pl_solver *s, pl_dat *r, pl_dat *z)
{
  const pl_kernel *kernel;
  PL_TRY(pl_solver_kernel(s, "multiply_block", "(T *z, const T *inverse, const T *r)",
                          "  for (int i = 0; i < D; i++) {\n"
                          "    z[i] = 0;\n"
                          "    for (int j = 0; j < D; j++) z[i] += inverse[i * D + j] * r[j];\n"
                          "  }",
                          &kernel));
  const pl_arg args[] = {pl_arg_direct(z, PL_WRITE), pl_arg_direct(s->inverse, PL_READ),
                         pl_arg_direct(r, PL_READ)};
  return pl_par_loop_args(kernel, s->set, 3, args);
}

const pl_solver_preconditioner pl_precondition_block_jacobi = {
  .name = "block_jacobi", .matrix = true, .make = pl_solver_invert_blocks, .apply = multiply_by_blocks};

/* ---- sweeps by colours ---- */

pl_err pl_solver_take_rows(pl_solver *s, pl_dat *z)
{
  const pl_kernel *copy;
  PL_TRY(pl_solver_kernel(s, "own", "(const T *from, T *to)",
                          "  for (int i = 0; i < D; i++) to[i] = from[i];", &copy));
  const pl_arg args[] = {pl_arg_direct(s->precondition_work[0], PL_READ),
                         pl_arg_dat(z, 0, s->colours.own, PL_WRITE)};
  return pl_par_loop_args(copy, s->colours.rows, 2, args);
}
