/* SPDX-License-Identifier: BSD-2-Clause
 * The module of PETSc: a solution by a KSP, which the program's options in PETSc's own words describe. PETSc
 * copies the values once, from the matrix's own array into its format; vectors are not copied.
 */
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "packages.h"
#include <petscksp.h>

typedef struct petsc_state {
  const char *name;
  Mat a;
  Vec r, z; /* without arrays of their own */
  KSP ksp;
  PetscOptions options;
} petsc_state;

#if defined(PETSC_USE_COMPLEX) || !defined(PETSC_USE_REAL_DOUBLE)
enum { REAL_DOUBLE = 0 };
#else
enum { REAL_DOUBLE = 1 };
#endif

static pl_err check(pl_context *pl, const petsc_state *p, const char *what, PetscErrorCode code)
{
  const char *text = NULL;
  if (!code) return PL_SUCCESS;
  PetscErrorMessage((int)code, &text, NULL);
  return pl_fail(pl, PL_ERR_INTERNAL, "PETSc failed in %s of matrix \"%s\": %s (code %d)", what, p->name,
                 text ? text : "without a text", (int)code);
}

/* ---- PETSc itself ---- */

/* Once in a process, and until it ends. PETSc's world is this rank, so that no communicator of Plait is kept.
 * It reads no file of the user and leaves signals alone. */
static PetscErrorCode initialise(void)
{
  PetscBool ready;
  PetscCall(PetscInitialized(&ready));
  if (ready) return 0;
  PETSC_COMM_WORLD = MPI_COMM_SELF;
  PetscCall(PetscOptionsSetValue(NULL, "-skip_petscrc", NULL));
  PetscCall(PetscOptionsSetValue(NULL, "-no_signal_handler", NULL));
  return PetscInitializeNoArguments();
}

/* ---- the structure ---- */

/* Row and column of each value in the order of the matrix. */
static void list_places(const pl_package_rows *m, PetscInt *row, PetscInt *column)
{
  const int block = m->block;
  for (int r = 0; r < m->rows; r++)
    for (int k = m->offset[r]; k < m->offset[r + 1]; k++)
      for (int i = 0; i < block * block; i++) {
        *row++ = (PetscInt)((m->first + r) * block + i / block);
        *column++ = (PetscInt)(m->number[m->column[k]] * block + i % block);
      }
}

static PetscErrorCode open_objects(petsc_state *p, const pl_package_rows *m, PetscInt *row, PetscInt *column)
{
  const MPI_Comm comm = *(const MPI_Comm *)m->comm;
  const PetscInt n = m->rows * m->block;
  const PetscCount values = (PetscCount)m->offset[m->rows] * m->block * m->block;
  PetscCall(MatCreate(comm, &p->a));
  PetscCall(MatSetSizes(p->a, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetBlockSize(p->a, m->block));
  PetscCall(MatSetType(p->a, MATAIJ));
  PetscCall(MatSetPreallocationCOO(p->a, values, row, column));
  PetscCall(VecCreateMPIWithArray(comm, m->block, n, PETSC_DETERMINE, NULL, &p->r));
  PetscCall(VecCreateMPIWithArray(comm, m->block, n, PETSC_DETERMINE, NULL, &p->z));
  PetscCall(KSPCreate(comm, &p->ksp));
  PetscCall(KSPSetTolerances(p->ksp, 1e-7, 1e-50, PETSC_DEFAULT, PETSC_DEFAULT));
  return PetscOptionsCreate(&p->options);
}

static pl_err open_state(pl_context *pl, petsc_state *p, const pl_package_rows *m)
{
  const size_t n = (size_t)m->offset[m->rows] * (size_t)(m->block * m->block);
  PetscInt *row = NULL, *column = NULL;
  pl_err err = PL_NEW_ARRAY(pl, row, n + 1);
  if (!err) err = PL_NEW_ARRAY(pl, column, n + 1);
  err = pl_agree(pl, err);
  if (!err) {
    list_places(m, row, column);
    err = check(pl, p, "the structure", open_objects(p, m, row, column));
  }
  pl_free_arrays(pl, row, column);
  return err;
}

static void release(pl_context *pl, void *state)
{
  petsc_state *p = state;
  KSPDestroy(&p->ksp);
  VecDestroy(&p->z);
  VecDestroy(&p->r);
  MatDestroy(&p->a);
  PetscOptionsDestroy(&p->options);
  pl_free(pl, p);
}

/* ---- the solver ---- */

/* An option of the program that PETSc did not ask for; local. */
static pl_err check_used(pl_context *pl, const petsc_state *p)
{
  PetscInt n = 0;
  char **names = NULL, **values = NULL;
  pl_err err = check(pl, p, "the options", PetscOptionsLeftGet(p->options, &n, &names, &values));
  if (!err && n)
    err =
      pl_fail(pl, PL_ERR_ARG, "PETSc does not use the option \"-%s\" for matrix \"%s\"", names[0], p->name);
  PetscOptionsLeftRestore(p->options, &n, &names, &values);
  return err;
}

static pl_err set_up(pl_context *pl, petsc_state *p, const pl_package_rows *m, bool first)
{
  PL_TRY(check(pl, p, "the values", MatSetValuesCOO(p->a, m->values, INSERT_VALUES)));
  PL_TRY(check(pl, p, "the values", KSPSetOperators(p->ksp, p->a, p->a)));
  if (first) {
    PL_TRY(check(pl, p, "the options", PetscOptionsInsertString(p->options, m->options)));
    PL_TRY(check(pl, p, "the options", KSPSetFromOptions(p->ksp)));
  }
  PL_TRY(check(pl, p, "the setup", KSPSetUp(p->ksp)));
  PL_TRY(check(pl, p, "the setup", KSPSetUpOnBlocks(p->ksp)));
  return first ? check_used(pl, p) : PL_SUCCESS;
}

static pl_err make(pl_context *pl, const pl_package_rows *m, void **state)
{
  petsc_state *p = *state;
  const bool first = !p;
  if (!REAL_DOUBLE)
    return pl_fail(pl, PL_ERR_BACKEND,
                   "PETSc was built with complex numbers or another precision; matrix "
                   "\"%s\" needs real numbers of double",
                   m->name);
  if (first) {
    PL_TRY(pl_agree(pl, PL_NEW(pl, p, 1)));
    *state = p;
  }
  p->name = m->name;
  PL_TRY(check(pl, p, "the start", initialise()));
  PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL);
  pl_err err = first ? open_state(pl, p, m) : PL_SUCCESS;
  if (!err) {
    PetscOptionsPush(p->options);
    err = set_up(pl, p, m, first);
    PetscOptionsPop();
  }
  PetscPopErrorHandler();
  return err;
}

/* ---- solutions ---- */

static PetscErrorCode solve(petsc_state *p, const double *r, double *z, KSPConvergedReason *reason)
{
  PetscCall(VecPlaceArray(p->r, (const PetscScalar *)(const void *)r));
  PetscCall(VecPlaceArray(p->z, (const PetscScalar *)(const void *)z));
  PetscCall(KSPSolve(p->ksp, p->r, p->z));
  PetscCall(KSPGetConvergedReason(p->ksp, reason));
  PetscCall(VecResetArray(p->r));
  return VecResetArray(p->z);
}

/* The driver of the solver tests the residual, so the most iterations of PETSc are no error. */
static pl_err apply(pl_context *pl, void *state, const void *r, void *z)
{
  petsc_state *p = state;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL);
  const PetscErrorCode code = solve(p, r, z, &reason);
  PetscPopErrorHandler();
  PL_TRY(check(pl, p, "a solution", code));
  if (reason >= 0 || reason == KSP_DIVERGED_ITS) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_CONVERGENCE, "PETSc found no solution with matrix \"%s\": %s", p->name,
                 KSPConvergedReasons[reason]);
}

static const pl_package_functions functions = {.make = make, .apply = apply, .release = release};

PL_DEFINE_MODULE(petsc, &functions)
