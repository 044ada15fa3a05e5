/* SPDX-License-Identifier: BSD-2-Clause
 * The module of AMGX, NVIDIA's algebraic multigrid: one cycle from zero, or a solver that the program's
 * configuration in AMGX's own words describes. AMGX copies values and vectors on the device.
 */
#include "core/context/memory.h"
#include "packages.h"
#include <amgx_c.h>

typedef struct amgx_state {
  const char *name;
  AMGX_Mode mode;
  AMGX_config_handle config;
  AMGX_resources_handle resources;
  AMGX_matrix_handle a;
  AMGX_vector_handle r, z;
  AMGX_solver_handle solver;
  int n;
} amgx_state;

static const char one_cycle[] =
  "config_version=2, solver(amg)=AMG, amg:max_iters=1, amg:monitor_residual=0, amg:cycle=V, "
  "amg:smoother(jacobi)=JACOBI_L1, jacobi:relaxation_factor=1, jacobi:monitor_residual=0, "
  "amg:presweeps=1, amg:postsweeps=1, amg:interpolator=D2, amg:selector=PMIS, determinism_flag=1";

static pl_err check(pl_context *pl, const amgx_state *g, const char *what, AMGX_RC code)
{
  char text[200] = "without a text";
  if (code == AMGX_RC_OK) return PL_SUCCESS;
  if (code == AMGX_RC_BAD_MODE)
    return pl_fail(
      pl, PL_ERR_BACKEND,
      "matrix \"%s\" is of %s, for which this AMGX was not built (its mode %s); build it with all modes",
      g->name, g->mode == AMGX_mode_dDDI ? "double" : "float", g->mode == AMGX_mode_dDDI ? "dDDI" : "dFFI");
  AMGX_get_error_string(code, text, sizeof text);
  return pl_fail(pl, code == AMGX_RC_NO_MEMORY ? PL_ERR_MEMORY : PL_ERR_INTERNAL,
                 "AMGX failed in %s of matrix \"%s\": %s (code %d)", what, g->name, text, (int)code);
}

/* AMGX's own queues do not wait for Plait's. */
static pl_err wait(pl_context *pl)
{
  return pl->backend->sync(pl);
}

/* ---- AMGX itself ---- */

static void print_nothing(const char *text, int length)
{
  (void)text;
  (void)length;
}

/* AMGX may find out at its first use of the options that it cannot use them. */
static pl_err check_options(pl_context *pl, const amgx_state *g, const char *options, AMGX_RC code)
{
  char text[200] = "without a text";
  if (!options || code == AMGX_RC_OK || code == AMGX_RC_NO_MEMORY || code == AMGX_RC_CUDA_FAILURE)
    return check(pl, g, "the options", code);
  AMGX_get_error_string(code, text, sizeof text);
  return pl_fail(pl, PL_ERR_ARG, "AMGX cannot use the package_options \"%s\" for matrix \"%s\": %s (code %d)",
                 options, g->name, text, (int)code);
}

/* AMGX starts once in a process, and until it ends: a second start changes nothing and gives AMGX_RC_CORE.
 * After a failed one the next calls fail. With exception_handling AMGX would end the process after an error.
 */
static pl_err open_objects(pl_context *pl, amgx_state *g, const char *options)
{
  const int device = pl->backend->data->native(pl).number;
  AMGX_register_print_callback(print_nothing);
  AMGX_initialize();
  AMGX_RC code = AMGX_config_create(&g->config, options ? options : one_cycle);
  PL_TRY(check_options(pl, g, options, code));
  code = AMGX_config_add_parameters(&g->config, "exception_handling=0");
  if (!code) code = AMGX_resources_create(&g->resources, g->config, NULL, 1, &device);
  if (!code) code = AMGX_matrix_create(&g->a, g->resources, g->mode);
  if (!code) code = AMGX_vector_create(&g->r, g->resources, g->mode);
  if (!code) code = AMGX_vector_create(&g->z, g->resources, g->mode);
  PL_TRY(check(pl, g, "the start", code));
  return check_options(pl, g, options, AMGX_solver_create(&g->solver, g->resources, g->mode, g->config));
}

static pl_err open_state(pl_context *pl, amgx_state *g, const pl_package_rows *m)
{
  g->n = m->rows;
  g->mode = m->type == PL_DOUBLE ? AMGX_mode_dDDI : AMGX_mode_dFFI;
  PL_TRY(open_objects(pl, g, m->options));
  return check(pl, g, "the values",
               AMGX_matrix_upload_all(g->a, g->n, m->count, 1, 1, m->offset, m->column, m->values, NULL));
}

static void release(pl_context *pl, void *state)
{
  amgx_state *g = state;
  if (g->solver) AMGX_solver_destroy(g->solver);
  if (g->z) AMGX_vector_destroy(g->z);
  if (g->r) AMGX_vector_destroy(g->r);
  if (g->a) AMGX_matrix_destroy(g->a);
  if (g->resources) AMGX_resources_destroy(g->resources);
  if (g->config) AMGX_config_destroy(g->config);
  pl_free(pl, g);
}

static pl_err make(pl_context *pl, const pl_package_rows *m, void **state)
{
  amgx_state *g = *state;
  PL_TRY(wait(pl));
  if (!g) {
    PL_TRY(PL_NEW(pl, g, 1));
    *state = g;
    g->name = m->name;
    PL_TRY(open_state(pl, g, m));
  } else {
    g->name = m->name;
    PL_TRY(
      check(pl, g, "the values", AMGX_matrix_replace_coefficients(g->a, g->n, m->count, m->values, NULL)));
  }
  return check(pl, g, "the setup", AMGX_solver_setup(g->solver, g->a));
}

/* The driver of the solver tests the residual, so a solution short of AMGX's tolerance is no error. */
static pl_err apply(pl_context *pl, void *state, const void *r, void *z)
{
  amgx_state *g = state;
  AMGX_SOLVE_STATUS status = AMGX_SOLVE_SUCCESS;
  PL_TRY(wait(pl));
  PL_TRY(check(pl, g, "a solution", AMGX_vector_upload(g->r, g->n, 1, r)));
  PL_TRY(check(pl, g, "a solution", AMGX_vector_set_zero(g->z, g->n, 1)));
  PL_TRY(check(pl, g, "a solution", AMGX_solver_solve_with_0_initial_guess(g->solver, g->r, g->z)));
  PL_TRY(check(pl, g, "a solution", AMGX_solver_get_status(g->solver, &status)));
  PL_TRY(check(pl, g, "a solution", AMGX_vector_download(g->z, z)));
  if (status != AMGX_SOLVE_FAILED) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_CONVERGENCE, "AMGX found no solution with matrix \"%s\"", g->name);
}

static const pl_package_functions functions = {
  .on_device = true, .make = make, .apply = apply, .release = release};

PL_DEFINE_MODULE(amgx, &functions)
