/* SPDX-License-Identifier: BSD-2-Clause
 * The module of MUMPS (Amestoy, Duff, L'Excellent and Koster 2001): factors of the matrix, which the ranks
 * share. MUMPS reads the values from the matrix's own array; vectors pass through rank 0.
 */
#include "core/comm/mpi_comm.h"
#include "core/context/memory.h"
#include "packages.h"
#include <dmumps_c.h>

/* Calls of MUMPS, and its controls, numbered from 1 as in its manual. */
enum { BEGIN = -1, END = -2, ANALYSE = 1, FACTORISE = 2, SOLVE = 3 };
#define ICNTL(i) icntl[(i)-1]
#define INFOG(i) infog[(i)-1]

typedef struct mumps_state {
  DMUMPS_STRUC_C id;
  MPI_Comm comm;
  const char *name;
  bool open;
  int n, *count, *begin; /* rows of this rank; on all ranks: of each, and before each */
} mumps_state;

static void call(mumps_state *m, int job)
{
  m->id.job = job;
  dmumps_c(&m->id);
}

enum { STRUCTURALLY_SINGULAR = -6, WORK_TOO_SMALL = -8, REAL_WORK_TOO_SMALL = -9, SINGULAR = -10 };

static pl_err check(pl_context *pl, const mumps_state *m)
{
  const int code = m->id.INFOG(1);
  if (code == SINGULAR || code == STRUCTURALLY_SINGULAR || (code >= 0 && m->id.INFOG(28) > 0))
    return pl_fail(pl, PL_ERR_CONVERGENCE, "MUMPS: matrix \"%s\" is singular", m->name);
  if (code >= 0) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_INTERNAL, "MUMPS failed on matrix \"%s\" with code %d, %d", m->name, code,
                 (int)m->id.INFOG(2));
}

/* ---- the structure ---- */

/* Row and column, from 1, of each value in the order of the matrix. */
static pl_err set_places(pl_context *pl, mumps_state *m, const pl_package_rows *a)
{
  const int block = a->block;
  const size_t n = (size_t)a->offset[a->rows] * (size_t)(block * block);
  PL_TRY(PL_NEW_ARRAY(pl, m->id.irn_loc, n + 1));
  PL_TRY(PL_NEW_ARRAY(pl, m->id.jcn_loc, n + 1));
  MUMPS_INT *row = m->id.irn_loc, *column = m->id.jcn_loc;
  for (int r = 0; r < a->rows; r++)
    for (int k = a->offset[r]; k < a->offset[r + 1]; k++)
      for (int i = 0; i < block * block; i++) {
        *row++ = (MUMPS_INT)((a->first + r) * block + i / block + 1);
        *column++ = (MUMPS_INT)(a->number[a->column[k]] * block + i % block + 1);
      }
  m->id.nnz_loc = (MUMPS_INT8)n;
  return PL_SUCCESS;
}

static pl_err share_counts(pl_context *pl, mumps_state *m, const pl_package_rows *a)
{
  PL_TRY(pl_comm_gather(pl, &m->n, sizeof m->n, m->count));
  for (int r = 1; r < a->ranks; r++) m->begin[r] = m->begin[r - 1] + m->count[r - 1];
  return PL_SUCCESS;
}

static pl_err allocate(pl_context *pl, mumps_state *m, const pl_package_rows *a)
{
  PL_TRY(PL_NEW(pl, m->count, (size_t)a->ranks));
  PL_TRY(PL_NEW(pl, m->begin, (size_t)a->ranks));
  if (!a->rank) PL_TRY(PL_NEW_ARRAY(pl, m->id.rhs, (size_t)(a->all * a->block) + 1));
  return set_places(pl, m, a);
}

static void open_mumps(mumps_state *m, const pl_package_rows *a)
{
  DMUMPS_STRUC_C *id = &m->id;
  id->par = 1;
  id->sym = 0;
  id->comm_fortran = (MUMPS_INT)MPI_Comm_c2f(m->comm);
  call(m, BEGIN);
  m->open = true;
  for (int i = 1; i <= 3; i++) id->ICNTL(i) = 0; /* no messages */
  id->ICNTL(4) = 0;
  id->ICNTL(14) = 50; /* % of more memory than estimated */
  id->ICNTL(18) = 3;  /* each rank gives its values */
  id->ICNTL(24) = 1;  /* pivots that are 0 are counted */
  id->n = (MUMPS_INT)(a->all * a->block);
}

static void release(pl_context *pl, void *state)
{
  mumps_state *m = state;
  pl_free_arrays(pl, m->id.irn_loc, m->id.jcn_loc, m->id.rhs);
  m->id.irn_loc = m->id.jcn_loc = NULL;
  m->id.rhs = NULL;
  if (m->open) call(m, END);
  pl_free_all(pl, m->count, m->begin, m);
}

static pl_err open_state(pl_context *pl, mumps_state *m, const pl_package_rows *a)
{
  m->comm = *(const MPI_Comm *)a->comm;
  m->name = a->name;
  m->n = a->rows * a->block;
  PL_TRY(pl_agree(pl, allocate(pl, m, a)));
  PL_TRY(share_counts(pl, m, a));
  DMUMPS_STRUC_C *id = &m->id;
  MUMPS_INT *row = id->irn_loc, *column = id->jcn_loc;
  double *right = id->rhs;
  const MUMPS_INT8 n = id->nnz_loc;
  open_mumps(m, a); /* clears these */
  id->irn_loc = row;
  id->jcn_loc = column;
  id->rhs = right;
  id->nnz_loc = n;
  call(m, ANALYSE);
  return check(pl, m);
}

static pl_err make(pl_context *pl, const pl_package_rows *a, void **state)
{
  mumps_state *m = *state;
  if (!m) {
    PL_TRY(pl_agree(pl, PL_NEW(pl, m, 1)));
    *state = m;
    PL_TRY(open_state(pl, m, a));
  }
  m->name = a->name;
  m->id.a_loc = (double *)a->values; /* MUMPS only reads them */
  for (int attempt = 0; attempt < 4; attempt++) {
    call(m, FACTORISE);
    if (m->id.INFOG(1) != REAL_WORK_TOO_SMALL && m->id.INFOG(1) != WORK_TOO_SMALL) break;
    m->id.ICNTL(14) *= 2;
  }
  m->id.a_loc = NULL;
  return check(pl, m);
}

static pl_err fail_to_send(pl_context *pl, const mumps_state *m)
{
  return pl_comm_leave(
    pl, pl_fail(pl, PL_ERR_COMM, "MUMPS: MPI failed to send a vector of matrix \"%s\"", m->name));
}

static pl_err apply(pl_context *pl, void *state, const void *r, void *z)
{
  mumps_state *m = state;
  if (MPI_Gatherv(r, m->n, MPI_DOUBLE, m->id.rhs, m->count, m->begin, MPI_DOUBLE, 0, m->comm))
    return fail_to_send(pl, m);
  call(m, SOLVE);
  if (MPI_Scatterv(m->id.rhs, m->count, m->begin, MPI_DOUBLE, z, m->n, MPI_DOUBLE, 0, m->comm))
    return fail_to_send(pl, m);
  return check(pl, m);
}

static const pl_package_functions functions = {.make = make, .apply = apply, .release = release};

PL_DEFINE_MODULE(mumps, &functions)
