/* SPDX-License-Identifier: BSD-2-Clause
 * The module of cuDSS, NVIDIA's direct solver: LU factors on the device, of the matrix's own values; vectors
 * are not copied either. Calls go to the queue in use.
 */
#include "core/context/memory.h"
#include "packages.h"
#include <cudss.h>

#if CUDSS_VERSION >= 800 /* 0.8.0: types of its own, and one for offsets */
#define TYPE_OF_OFFSETS CUDSS_R_32I,
#else
#define CUDSS_R_32I CUDA_R_32I
#define CUDSS_R_32F CUDA_R_32F
#define CUDSS_R_64F CUDA_R_64F
#define TYPE_OF_OFFSETS
#endif
#define TYPE_OF(rows) ((rows)->type == PL_DOUBLE ? CUDSS_R_64F : CUDSS_R_32F)

typedef struct cudss_state {
  const char *name;
  cudssHandle_t handle;
  cudssConfig_t config;
  cudssData_t factors;
  cudssMatrix_t a, r, z;
} cudss_state;

static pl_err check(pl_context *pl, const cudss_state *c, const char *what, cudssStatus_t status)
{
  if (status == CUDSS_STATUS_SUCCESS) return PL_SUCCESS;
  if (status == CUDSS_STATUS_ALLOC_FAILED)
    return pl_fail(pl, PL_ERR_MEMORY, "cuDSS has too little memory for %s of matrix \"%s\"", what, c->name);
  return pl_fail(pl, PL_ERR_INTERNAL, "cuDSS failed in %s of matrix \"%s\" with status %d", what, c->name,
                 (int)status);
}

/* The number of a pivot that is 0, of a singular matrix; cuDSS waits for the device. */
static pl_err check_pivots(pl_context *pl, const cudss_state *c)
{
  int info = 0;
  size_t written;
  PL_TRY(check(pl, c, "the factors",
               cudssDataGet(c->handle, c->factors, CUDSS_DATA_INFO, &info, sizeof info, &written)));
  return info ? pl_fail(pl, PL_ERR_CONVERGENCE, "cuDSS: matrix \"%s\" is singular", c->name) : PL_SUCCESS;
}

/* The vectors get their addresses at each solution, but must not be NULL. */
static cudssStatus_t open_objects(cudss_state *c, const pl_package_rows *m)
{
  void *const values = (void *)m->values; /* cuDSS only reads them */
  cudssStatus_t status = cudssCreate(&c->handle);
  if (!status) status = cudssConfigCreate(&c->config);
  if (!status) status = cudssDataCreate(c->handle, &c->factors);
  if (!status)
    status = cudssMatrixCreateCsr(&c->a, m->rows, m->rows, m->count, (void *)m->offset, NULL,
                                  (void *)m->column, values, TYPE_OF_OFFSETS CUDSS_R_32I, TYPE_OF(m),
                                  CUDSS_MTYPE_GENERAL, CUDSS_MVIEW_FULL, CUDSS_BASE_ZERO);
  cudssMatrix_t *const vectors[] = {&c->r, &c->z};
  for (int i = 0; i < 2 && !status; i++)
    status = cudssMatrixCreateDn(vectors[i], m->rows, 1, m->rows, values, TYPE_OF(m), CUDSS_LAYOUT_COL_MAJOR);
  return status;
}

static pl_err execute(pl_context *pl, cudss_state *c, int phase, const char *what)
{
  return check(pl, c, what, cudssExecute(c->handle, phase, c->config, c->factors, c->a, c->z, c->r));
}

static pl_err open_state(pl_context *pl, cudss_state *c, const pl_package_rows *m)
{
  PL_TRY(check(pl, c, "the start", open_objects(c, m)));
  PL_TRY(check(pl, c, "the start", cudssSetStream(c->handle, pl->backend->data->native(pl).queue)));
  return execute(pl, c, CUDSS_PHASE_ANALYSIS, "the analysis");
}

static void release(pl_context *pl, void *state)
{
  cudss_state *c = state;
  if (c->z) cudssMatrixDestroy(c->z);
  if (c->r) cudssMatrixDestroy(c->r);
  if (c->a) cudssMatrixDestroy(c->a);
  if (c->factors) cudssDataDestroy(c->handle, c->factors);
  if (c->config) cudssConfigDestroy(c->config);
  if (c->handle) cudssDestroy(c->handle);
  pl_free(pl, c);
}

static pl_err make(pl_context *pl, const pl_package_rows *m, void **state)
{
  cudss_state *c = *state;
  const bool first = !c;
  if (first) {
    PL_TRY(PL_NEW(pl, c, 1));
    *state = c;
  }
  c->name = m->name;
  if (first) PL_TRY(open_state(pl, c, m));
  PL_TRY(check(pl, c, "the values", cudssSetStream(c->handle, pl->backend->data->native(pl).queue)));
  PL_TRY(check(pl, c, "the values", cudssMatrixSetValues(c->a, (void *)m->values)));
  PL_TRY(execute(pl, c, CUDSS_PHASE_FACTORIZATION, "the factors"));
  return check_pivots(pl, c);
}

static pl_err apply(pl_context *pl, void *state, const void *r, void *z)
{
  cudss_state *c = state;
  PL_TRY(check(pl, c, "a solution", cudssSetStream(c->handle, pl->backend->data->native(pl).queue)));
  PL_TRY(check(pl, c, "a solution", cudssMatrixSetValues(c->r, (void *)r)));
  PL_TRY(check(pl, c, "a solution", cudssMatrixSetValues(c->z, z)));
  return execute(pl, c, CUDSS_PHASE_SOLVE, "a solution");
}

static const pl_package_functions functions = {
  .on_device = true, .make = make, .apply = apply, .release = release};

PL_DEFINE_MODULE(cudss, &functions)
