/* SPDX-License-Identifier: BSD-2-Clause
 * Symmetric Gauss-Seidel as a preconditioner: from zero one sweep over the rows by colours and one back
 * (Saad, Iterative Methods for Sparse Linear Systems, sections 4.1 and 12.4). Blocks of the diagonal are
 * solved exactly. Each rank sweeps over its own rows and leaves out the columns of other ranks, so the
 * preconditioner is symmetric where A is.
 */
#include "core/data/objects.h"
#include "plan/matrix/mat_product.h"
#include "precondition.h"
#include "vectors.h"

static pl_err make_sweeps(pl_solver *s)
{
  PL_TRY(pl_solver_invert_blocks(s));
  if (!s->colours.rows) PL_TRY(pl_row_colours_new(s->p->sparsity, &s->colours));
  if (s->precondition_work[0]) return PL_SUCCESS;
  return pl_decl_dat_from(s->colours.rows, s->dim, s->type, s->type, NULL, "sweep", &s->precondition_work[0]);
}

/* z = D^-1 (r - A z) in one row, where A is without its diagonal blocks D. */
static pl_err sweep_kernel(pl_solver *s, const pl_kernel **kernel)
{
  return pl_solver_kernel(
    s, "sweep",
    "(T *z, const T *r, const T *inverse, const int32_t *place, const pl_row_T *a, const pl_row_T *x)",
    "  T left[D];\n"
    "  for (int i = 0; i < D; i++) left[i] = r[i];\n"
    "  for (int k = 0; k < x->count; k++) {\n"
    "    const size_t block = (size_t)place[0] + (size_t)(k < place[1] ? k : k + 1) * (D * D);\n"
    "    for (int i = 0; i < D; i++)\n"
    "      for (int j = 0; j < D; j++) left[i] -= a->value[block + (size_t)(i * D + j)] * pl_at(x, k, j);\n"
    "  }\n"
    "  for (int i = 0; i < D; i++) {\n"
    "    z[i] = 0;\n"
    "    for (int j = 0; j < D; j++) z[i] += inverse[i * D + j] * left[j];\n"
    "  }",
    kernel);
}

static pl_err sweep(pl_solver *s, const pl_kernel *kernel, int colour, pl_dat *r)
{
  const pl_row_colours *c = &s->colours;
  pl_dat *z = s->precondition_work[0];
  const pl_arg args[] = {pl_arg_direct(z, PL_WRITE),
                         pl_arg_dat(r, 0, c->own, PL_READ),
                         pl_arg_dat(s->inverse, 0, c->own, PL_READ),
                         pl_arg_direct(c->place, PL_READ),
                         pl_arg_dat(s->p->values, PL_WHOLE, PL_DIRECT, PL_READ),
                         pl_arg_dat(z, PL_ALL, c->coupled, PL_READ)};
  return pl_par_loop_args(kernel, c->colour[colour], 6, args);
}

static pl_err apply_sweeps(pl_solver *s, pl_dat *r, pl_dat *z)
{
  const pl_row_colours *c = &s->colours;
  const pl_kernel *kernel;
  PL_TRY(sweep_kernel(s, &kernel));
  PL_TRY(pl_dat_zero(s->precondition_work[0]));
  for (int i = 0; i < c->n; i++) PL_TRY(sweep(s, kernel, i, r));
  for (int i = c->n - 2; i >= 0; i--) PL_TRY(sweep(s, kernel, i, r));
  return pl_solver_take_rows(s, z);
}

const pl_solver_preconditioner pl_precondition_ssor = {
  .name = "ssor", .matrix = true, .make = make_sweeps, .apply = apply_sweeps};
