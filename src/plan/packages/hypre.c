/* SPDX-License-Identifier: BSD-2-Clause
 * The module of hypre: one cycle of BoomerAMG from zero (Henson and Yang 2002). hypre keeps the columns of a
 * rank and those of others apart, each with the diagonal first, so it copies the values, row by row from the
 * matrix's own array. Plait makes no other copy.
 */
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "hypre_options.h"
#include "packages.h"
#include <HYPRE.h>

typedef struct hypre_state {
  const char *name;
  HYPRE_IJMatrix a;
  HYPRE_IJVector r, z;
  HYPRE_Solver amg;
  HYPRE_Int n;          /* rows of this rank */
  HYPRE_BigInt *column; /* of one row */
  double *row, *zero;   /* values of one row, zeros for the first guess */
} hypre_state;

static pl_err check(pl_context *pl, const hypre_state *h, const char *what)
{
  const HYPRE_Int code = HYPRE_GetError() & ~HYPRE_ERROR_CONV;
  HYPRE_ClearAllErrors();
  if (!code) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_INTERNAL, "BoomerAMG failed in %s of matrix \"%s\" with code %d", what, h->name,
                 (int)code);
}

static int longest_row(const pl_package_rows *m)
{
  int most = 0;
  for (int r = 0; r < m->rows; r++) {
    const int length = m->offset[r + 1] - m->offset[r];
    if (length > most) most = length;
  }
  return most * m->block;
}

/* ---- the structure ---- */

/* Tells hypre how many columns of each row this rank owns, so that it stores values at once. */
static pl_err set_row_lengths(pl_context *pl, hypre_state *h, const pl_package_rows *m)
{
  HYPRE_Int *length;
  PL_TRY(PL_NEW_ARRAY(pl, length, 2 * (size_t)h->n + 1));
  for (int r = 0; r < m->rows; r++) {
    int own = 0;
    for (int k = m->offset[r]; k < m->offset[r + 1]; k++) own += m->column[k] < m->rows;
    for (int i = 0; i < m->block; i++) {
      length[r * m->block + i] = own * m->block;
      length[h->n + r * m->block + i] = (m->offset[r + 1] - m->offset[r] - own) * m->block;
    }
  }
  HYPRE_IJMatrixSetDiagOffdSizes(h->a, length, length + h->n);
  pl_free_array(pl, length);
  return PL_SUCCESS;
}

static void open_vector(MPI_Comm comm, HYPRE_BigInt first, HYPRE_BigInt last, HYPRE_IJVector *vector)
{
  HYPRE_IJVectorCreate(comm, first, last, vector);
  HYPRE_IJVectorSetObjectType(*vector, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(*vector);
  HYPRE_IJVectorAssemble(*vector);
}

static pl_err open_amg(pl_context *pl, hypre_state *h, int block, const char *options)
{
  HYPRE_BoomerAMGCreate(&h->amg);
  HYPRE_BoomerAMGSetPrintLevel(h->amg, 0);
  HYPRE_BoomerAMGSetMaxIter(h->amg, 1);
  HYPRE_BoomerAMGSetTol(h->amg, 0);
  if (block > 1) HYPRE_BoomerAMGSetNumFunctions(h->amg, block);
  return pl_hypre_set_options(pl, h->amg, options);
}

static pl_err open_state(pl_context *pl, hypre_state *h, const pl_package_rows *m)
{
  const MPI_Comm comm = *(const MPI_Comm *)m->comm;
  const HYPRE_BigInt first = (HYPRE_BigInt)m->first * m->block;
  const size_t longest = (size_t)longest_row(m);
  h->n = m->rows * m->block;
  PL_TRY(PL_NEW(pl, h->column, longest + 1));
  PL_TRY(PL_NEW(pl, h->row, longest + 1));
  PL_TRY(PL_NEW(pl, h->zero, (size_t)h->n + 1));
  HYPRE_IJMatrixCreate(comm, first, first + h->n - 1, first, first + h->n - 1, &h->a);
  HYPRE_IJMatrixSetObjectType(h->a, HYPRE_PARCSR);
  PL_TRY(set_row_lengths(pl, h, m));
  open_vector(comm, first, first + h->n - 1, &h->r);
  open_vector(comm, first, first + h->n - 1, &h->z);
  return open_amg(pl, h, m->block, m->options);
}

/* ---- values ---- */

static void set_row(hypre_state *h, const pl_package_rows *m, int r, int i)
{
  const int block = m->block, begin = m->offset[r];
  HYPRE_Int n = (m->offset[r + 1] - begin) * block;
  const HYPRE_BigInt row = (HYPRE_BigInt)(m->first + r) * block + i;
  const double *all = m->values, *values = all + begin;
  for (int c = 0; c < n; c++)
    h->column[c] = (HYPRE_BigInt)m->number[m->column[begin + c / block]] * block + c % block;
  if (block > 1) {
    for (int c = 0; c < n; c++)
      h->row[c] =
        all[((size_t)(begin + c / block) * (size_t)block + (size_t)i) * (size_t)block + (size_t)(c % block)];
    values = h->row;
  }
  HYPRE_IJMatrixSetValues(h->a, 1, &n, &row, h->column, values);
}

static void *parts(HYPRE_IJMatrix matrix)
{
  void *object = NULL;
  HYPRE_IJMatrixGetObject(matrix, &object);
  return object;
}

static void *part(HYPRE_IJVector vector)
{
  void *object = NULL;
  HYPRE_IJVectorGetObject(vector, &object);
  return object;
}

static void release(pl_context *pl, void *state)
{
  hypre_state *h = state;
  if (h->amg) HYPRE_BoomerAMGDestroy(h->amg);
  if (h->z) HYPRE_IJVectorDestroy(h->z);
  if (h->r) HYPRE_IJVectorDestroy(h->r);
  if (h->a) HYPRE_IJMatrixDestroy(h->a);
  pl_free_all(pl, h->column, h->row, h->zero, h);
}

static pl_err make(pl_context *pl, const pl_package_rows *m, void **state)
{
  hypre_state *h = *state;
  pl_err err = PL_SUCCESS;
  if (!h) {
    HYPRE_Init();
    err = PL_NEW(pl, h, 1);
    *state = h;
    if (!err) err = open_state(pl, h, m);
  }
  PL_TRY(pl_agree(pl, err));
  h->name = m->name;
  HYPRE_IJMatrixInitialize(h->a);
  for (int r = 0; r < m->rows; r++)
    for (int i = 0; i < m->block; i++) set_row(h, m, r, i);
  HYPRE_IJMatrixAssemble(h->a);
  PL_TRY(pl_agree(pl, check(pl, h, "the assembly")));
  HYPRE_BoomerAMGSetup(h->amg, parts(h->a), part(h->r), part(h->z));
  return check(pl, h, "the setup");
}

static pl_err apply(pl_context *pl, void *state, const void *r, void *z)
{
  hypre_state *h = state;
  HYPRE_IJVectorSetValues(h->r, h->n, NULL, r);
  HYPRE_IJVectorSetValues(h->z, h->n, NULL, h->zero);
  HYPRE_BoomerAMGSolve(h->amg, parts(h->a), part(h->r), part(h->z));
  HYPRE_IJVectorGetValues(h->z, h->n, NULL, z);
  return check(pl, h, "a cycle");
}

static const pl_package_functions functions = {.make = make, .apply = apply, .release = release};

PL_DEFINE_MODULE(hypre, &functions)
