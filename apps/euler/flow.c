/* SPDX-License-Identifier: BSD-2-Clause
 * The flow solver of euler. See flow.h.
 */
#include "flow.h"

#include <math.h>

#include "kernels.plait.h"

/* Coefficients of the stages of van Leer, Tai and Powell (AIAA 89-1933) for upwind schemes of second order,
 * but for the fourth, which is 1/2 here (theirs: 0.5060), so that the method is of second order in time. */
static const double parts[FLOW_STAGES] = {0.0695, 0.1602, 0.2898, 0.5, 1};

#define HERE(dat, access) pl_arg_direct((dat), (access))
#define BOTH(dat, access) pl_arg_dat((dat), PL_ALL, f->mesh->face_cells, (access))
#define CORNERS(dat) pl_arg_dat((dat), PL_ALL, f->mesh->cell_nodes, PL_READ)
#define INSIDE(dat, access) pl_arg_dat((dat), 0, f->mesh->boundary_cells, (access))
#define VALUE(global) pl_arg_gbl((global), PL_READ)

/* ---- declarations ---- */

static pl_dat *cell_dat(flow *f, int dim, const char *name)
{
  pl_dat *dat;
  PL_OK(f->pl, pl_decl_dat(f->mesh->cells, dim, PL_DOUBLE, NULL, name, &dat));
  return dat;
}

static pl_dat *node_dat(flow *f, int dim, const char *name)
{
  pl_dat *dat;
  PL_OK(f->pl, pl_decl_dat(f->mesh->nodes, dim, PL_DOUBLE, NULL, name, &dat));
  return dat;
}

static pl_global *number(flow *f, int dim, const double *values, const char *name)
{
  pl_global *global;
  PL_OK(f->pl, pl_decl_global(f->pl, dim, PL_DOUBLE, values, name, &global));
  return global;
}

static void declare_numbers(flow *f, const flow_settings *set)
{
  const double infinite = 1e300, *along = f->direction;
  const double stream[N] = {[0] = 1, [1] = f->mach * along[0], [2] = f->mach * along[1], [P] = 1 / gas};
  const int corners = pl_map_arity(f->mesh->cell_nodes);
  f->stream = number(f, N, stream, "stream");
  f->cfl = number(f, 1, &set->cfl, "cfl");
  f->limiter = number(f, 1, &set->limiter, "limiter");
  for (int s = 0; s < FLOW_STAGES; s++) {
    char name[] = "stage 0";
    name[6] = (char)('1' + s);
    f->part[s] = number(f, 1, &parts[s], name);
  }
  f->sum = number(f, 1, NULL, "sum");
  f->force = number(f, D, NULL, "force");
  f->shortest = number(f, 1, &infinite, "shortest");
  PL_OK(f->pl, pl_decl_global(f->pl, 1, PL_INT, &corners, "corners", &f->corners));
}

static void declare_dats(flow *f)
{
  f->moments = node_dat(f, MOMENTS, "moments");
  f->sums = node_dat(f, N * SUMS, "sums");
  f->fit = cell_dat(f, FIT, "fit");
  f->q = cell_dat(f, N, "q");
  f->start = cell_dat(f, N, "start");
  f->w = cell_dat(f, N, "w");
  f->slope = cell_dat(f, N * D, "slope");
  f->out = cell_dat(f, N, "out");
  f->waves = cell_dat(f, 1, "waves");
  f->dt = cell_dat(f, 1, "dt");
  f->change = cell_dat(f, N, "change");
  f->local_mach = cell_dat(f, 1, "mach");
}

static void declare_matrix(flow *f)
{
  const pl_map_pair pair = {f->mesh->face_cells, f->mesh->face_cells};
  const pl_solver_options options = {
    .method = "gmres", .preconditioner = "block_jacobi", .rtol = 0.1, .iterations = 60};
  PL_OK(f->pl, pl_decl_sparsity(f->mesh->cells, N, f->mesh->cells, N, 1, &pair, "neighbours", &f->sparsity));
  PL_OK(f->pl, pl_decl_mat(f->sparsity, PL_DOUBLE, "derivative", &f->matrix));
  PL_OK(f->pl, pl_decl_solver(f->matrix, &options, "implicit step", &f->solver));
}

static void prepare(flow *f)
{
  pl_mesh *m = f->mesh;
  PL_OK(f->pl, pl_map_invert(m->cell_nodes, "node_cells", &f->node_cells));
  PL_OK(f->pl,
        pl_par_loop(collect_geometry, m->nodes, pl_arg_dat(m->centroid, PL_ALL, f->node_cells, PL_READ),
                    HERE(m->x, PL_READ), HERE(f->moments, PL_WRITE)));
  PL_OK(f->pl, pl_par_loop(prepare_fit, m->cells, HERE(m->centroid, PL_READ), HERE(m->volume, PL_READ),
                           CORNERS(m->x), CORNERS(f->moments), VALUE(f->corners), HERE(f->fit, PL_WRITE)));
}

void flow_declare(flow *f, const flow_settings *set)
{
  f->mach = set->mach;
  f->direction[0] = cos(set->alpha * M_PI / 180);
  f->direction[1] = sin(set->alpha * M_PI / 180);
  declare_numbers(f, set);
  declare_dats(f);
  if (set->implicit) declare_matrix(f);
  prepare(f);
  PL_OK(f->pl, pl_par_loop(start_stream, f->mesh->cells, VALUE(f->stream), HERE(f->q, PL_WRITE),
                           HERE(f->w, PL_WRITE)));
}

void flow_free(flow *f)
{
  pl_solver_free(&f->solver);
  pl_mat_free(&f->matrix);
  pl_sparsity_free(&f->sparsity);
  pl_dat **dats[] = {&f->change, &f->moments, &f->fit, &f->sums,  &f->q,  &f->start,
                     &f->w,      &f->slope,   &f->out, &f->waves, &f->dt, &f->local_mach};
  pl_global **globals[] = {&f->stream, &f->corners, &f->limiter, &f->cfl, &f->sum, &f->force, &f->shortest};
  for (size_t i = 0; i < sizeof dats / sizeof *dats; i++) pl_dat_free(dats[i]);
  for (size_t i = 0; i < sizeof globals / sizeof *globals; i++) pl_global_free(globals[i]);
  for (int s = 0; s < FLOW_STAGES; s++) pl_global_free(&f->part[s]);
  pl_map_free(&f->node_cells);
  pl_mesh_free(&f->mesh);
}

/* ---- the loops of a step ---- */

static void find_slopes(flow *f)
{
  pl_mesh *m = f->mesh;
  PL_OK(f->pl, pl_par_loop(collect, m->nodes, pl_arg_dat(f->w, PL_ALL, f->node_cells, PL_READ),
                           pl_arg_dat(m->centroid, PL_ALL, f->node_cells, PL_READ), HERE(m->x, PL_READ),
                           HERE(f->sums, PL_WRITE)));
  PL_OK(f->pl, pl_par_loop(slopes, m->cells, HERE(f->w, PL_READ), HERE(m->centroid, PL_READ), CORNERS(m->x),
                           CORNERS(f->sums), VALUE(f->corners), HERE(f->fit, PL_READ), VALUE(f->limiter),
                           HERE(f->slope, PL_WRITE)));
}

/* The net flux out of each cell. */
static void find_fluxes(flow *f)
{
  pl_mesh *m = f->mesh;
  PL_OK(f->pl, pl_par_loop(inner_flux, m->faces, BOTH(f->w, PL_READ), BOTH(f->slope, PL_READ),
                           BOTH(m->centroid, PL_READ), HERE(m->face_normal, PL_READ),
                           HERE(m->face_centre, PL_READ), pl_arg_zeroed(BOTH(f->out, PL_INC))));
  for (int s = 0; s < f->wall.n; s++)
    PL_OK(f->pl, pl_par_loop(wall_flux, f->wall.set[s], INSIDE(f->w, PL_READ), INSIDE(f->slope, PL_READ),
                             INSIDE(m->centroid, PL_READ), HERE(m->boundary_normal, PL_READ),
                             HERE(m->boundary_centre, PL_READ), INSIDE(f->out, PL_INC)));
  for (int s = 0; s < f->far.n; s++)
    PL_OK(f->pl, pl_par_loop(far_flux, f->far.set[s], INSIDE(f->w, PL_READ), INSIDE(f->slope, PL_READ),
                             INSIDE(m->centroid, PL_READ), HERE(m->boundary_normal, PL_READ),
                             HERE(m->boundary_centre, PL_READ), VALUE(f->stream), INSIDE(f->out, PL_INC)));
}

static void find_time_steps(flow *f)
{
  pl_mesh *m = f->mesh;
  PL_OK(f->pl, pl_par_loop(inner_waves, m->faces, BOTH(f->w, PL_READ), HERE(m->face_normal, PL_READ),
                           pl_arg_zeroed(BOTH(f->waves, PL_INC))));
  PL_OK(f->pl, pl_par_loop(boundary_waves, m->boundary, INSIDE(f->w, PL_READ),
                           HERE(m->boundary_normal, PL_READ), INSIDE(f->waves, PL_INC)));
  PL_OK(f->pl, pl_par_loop(local_step, m->cells, HERE(f->waves, PL_READ), HERE(m->volume, PL_READ),
                           VALUE(f->cfl), HERE(f->dt, PL_WRITE), pl_arg_gbl(f->shortest, PL_MIN)));
}

void flow_advance(flow *f)
{
  PL_OK(f->pl, pl_dat_copy(f->q, f->start));
  for (int s = 0; s < FLOW_STAGES; s++) {
    find_slopes(f);
    find_fluxes(f);
    PL_OK(f->pl, pl_par_loop(stage, f->mesh->cells, HERE(f->start, PL_READ), HERE(f->out, PL_READ),
                             HERE(f->mesh->volume, PL_READ), HERE(f->dt, PL_READ), VALUE(f->part[s]),
                             HERE(f->q, PL_WRITE), HERE(f->w, PL_WRITE)));
  }
}

/* ---- results ---- */

static double get(flow *f, pl_global *global)
{
  double value;
  PL_OK(f->pl, pl_global_get(global, &value));
  return value;
}

double flow_residual(flow *f)
{
  PL_OK(f->pl, pl_global_zero(f->sum));
  PL_OK(f->pl, pl_par_loop(rate, f->mesh->cells, HERE(f->out, PL_READ), HERE(f->mesh->volume, PL_READ),
                           pl_arg_gbl(f->sum, PL_INC)));
  return sqrt(get(f, f->sum));
}

void flow_force(flow *f, double *force)
{
  pl_mesh *m = f->mesh;
  PL_OK(f->pl, pl_global_zero(f->force));
  for (int s = 0; s < f->wall.n; s++)
    PL_OK(f->pl, pl_par_loop(wall_force, f->wall.set[s], INSIDE(f->w, PL_READ), INSIDE(f->slope, PL_READ),
                             INSIDE(m->centroid, PL_READ), HERE(m->boundary_normal, PL_READ),
                             HERE(m->boundary_centre, PL_READ), pl_arg_gbl(f->force, PL_INC)));
  PL_OK(f->pl, pl_global_get(f->force, force));
}

double flow_excess_pressure(flow *f)
{
  PL_OK(f->pl, pl_global_zero(f->sum));
  PL_OK(f->pl, pl_par_loop(excess_pressure, f->mesh->cells, HERE(f->w, PL_READ),
                           HERE(f->mesh->volume, PL_READ), pl_arg_gbl(f->sum, PL_INC)));
  return get(f, f->sum);
}

void flow_find_mach(flow *f)
{
  PL_OK(f->pl, pl_par_loop(mach_number, f->mesh->cells, HERE(f->w, PL_READ), HERE(f->local_mach, PL_WRITE)));
}

/* ---- time steps ---- */

void flow_explicit_step(flow *f)
{
  find_time_steps(f);
  flow_advance(f);
}

int flow_same_step(flow *f, double time)
{
  find_time_steps(f);
  const int steps = (int)ceil(time / get(f, f->shortest));
  const double dt = time / steps;
  pl_global *step = number(f, 1, &dt, "step");
  PL_OK(f->pl, pl_par_loop(same_step, f->mesh->cells, VALUE(step), HERE(f->dt, PL_WRITE)));
  pl_global_free(&step);
  return steps;
}

/* ---- implicit steps ---- */

static void assemble(flow *f)
{
  pl_mesh *m = f->mesh;
  const pl_arg inside = pl_arg_mat(f->matrix, m->boundary_cells, m->boundary_cells, PL_INC);
  PL_OK(f->pl,
        pl_par_loop(inner_matrix, m->faces, BOTH(f->w, PL_READ), HERE(m->face_normal, PL_READ), VALUE(f->cfl),
                    pl_arg_zeroed(pl_arg_mat(f->matrix, m->face_cells, m->face_cells, PL_INC))));
  for (int s = 0; s < f->wall.n; s++)
    PL_OK(f->pl, pl_par_loop(wall_matrix, f->wall.set[s], INSIDE(f->w, PL_READ),
                             HERE(m->boundary_normal, PL_READ), VALUE(f->cfl), inside));
  for (int s = 0; s < f->far.n; s++)
    PL_OK(f->pl, pl_par_loop(far_matrix, f->far.set[s], INSIDE(f->w, PL_READ),
                             HERE(m->boundary_normal, PL_READ), VALUE(f->cfl), inside));
}

/* The linear system is solved roughly: the next step begins from a better state. */
int flow_implicit_step(flow *f, double cfl)
{
  pl_solver_result result;
  PL_OK(f->pl, pl_global_set(f->cfl, &cfl));
  find_slopes(f);
  find_fluxes(f);
  assemble(f);
  PL_OK(f->pl, pl_dat_zero(f->change));
  const pl_err err = pl_solver_run(f->solver, f->change, f->out, &result);
  if (result.reason != PL_SOLVER_ITERATIONS) PL_OK(f->pl, err);
  PL_OK(f->pl,
        pl_par_loop(correct, f->mesh->cells, HERE(f->change, PL_READ), HERE(f->q, PL_RW), HERE(f->w, PL_RW)));
  return result.iterations;
}

/* ---- the vortex ---- */

void flow_start_vortex(flow *f, const double centre[2])
{
  pl_global *place = number(f, 2, centre, "centre");
  PL_OK(f->pl, pl_par_loop(start_vortex, f->mesh->cells, HERE(f->mesh->centroid, PL_READ), VALUE(place),
                           VALUE(f->stream), HERE(f->q, PL_WRITE), HERE(f->w, PL_WRITE)));
  pl_global_free(&place);
}

double flow_vortex_error(flow *f, const double centre[2])
{
  pl_global *place = number(f, 2, centre, "centre");
  PL_OK(f->pl, pl_global_zero(f->sum));
  PL_OK(f->pl, pl_par_loop(vortex_error, f->mesh->cells, HERE(f->w, PL_READ),
                           HERE(f->mesh->centroid, PL_READ), HERE(f->mesh->volume, PL_READ), VALUE(place),
                           VALUE(f->stream), pl_arg_gbl(f->sum, PL_INC)));
  pl_global_free(&place);
  return sqrt(get(f, f->sum));
}
