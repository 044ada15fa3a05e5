/* SPDX-License-Identifier: BSD-2-Clause
 * stokes: slow flow in the unit square, -Laplace u + grad p = f, div u = 0, with an exact solution and u = 0
 * on the boundary. Velocities are quadratic and pressures linear (elements of Taylor and Hood), so the system
 * is a mixed one, symmetric and indefinite. MINRES solves it; the preconditioner is made of the blocks that
 * belong to the two parts: the Laplacian, and the mass matrix of the pressure (Elman, Silvester and Wathen,
 * Finite Elements and Fast Iterative Solvers, section 4.2). The kernels come from stokes.py.
 */
#include "plait.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/elements.h"
#include "../common/open.h"
#include "../common/options.h"
#include "../common/output.h"
#include "../common/picture.h"
#include "../common/progress.h"
#include "../common/quadratic_space.h"
#include "stokes.plait.h"

enum { VELOCITY, PRESSURE, PARTS };

typedef struct settings {
  int64_t side, seed;
  const char *preconditioner, *json;
  output_files files;
  bool check;
} settings;

/* ---- the problem on one mesh ---- */

typedef struct problem {
  pl_set *cells, *vertices, *nodes, *boundary, *whole;
  pl_map *corner, *node;
  pl_dat *x, *u[PARTS], *b[PARTS]; /* places; solution and right-hand side, by parts */
  pl_dat *all_u, *all_b;           /* the same as values of one set, for the solver */
  pl_mixed_set *space;
  pl_mixed_map *unknowns;
  pl_mixed_dat *solution, *right;
  pl_mixed_mat *A, *blocks;
  pl_global *mean;
} problem;

/* Rank 0 declares the mesh; pl_partition distributes it. */
static void declare_mesh(pl_context *pl, problem *p, const triangle_mesh *mesh, const quadratic_space *s)
{
  PL_OK(pl, pl_decl_set(pl, mesh->ncell, "cells", &p->cells));
  PL_OK(pl, pl_decl_set(pl, mesh->nvertex, "vertices", &p->vertices));
  PL_OK(pl, pl_decl_set(pl, s->nnode, "nodes", &p->nodes));
  PL_OK(pl, pl_decl_map(p->cells, p->vertices, 3, mesh->corner, "corner", &p->corner));
  PL_OK(pl, pl_decl_map(p->cells, p->nodes, QUADRATIC_NODES, s->node, "node", &p->node));
  PL_OK(pl, pl_decl_dat(p->vertices, 3, PL_DOUBLE, s->place, "x", &p->x));
  PL_OK(pl, pl_decl_dat(p->nodes, 2, PL_DOUBLE, NULL, "velocity", &p->u[VELOCITY]));
  PL_OK(pl, pl_decl_dat(p->vertices, 1, PL_DOUBLE, NULL, "pressure", &p->u[PRESSURE]));
  PL_OK(pl, pl_decl_dat(p->nodes, 2, PL_DOUBLE, NULL, "force", &p->b[VELOCITY]));
  PL_OK(pl, pl_decl_dat(p->vertices, 1, PL_DOUBLE, NULL, "source", &p->b[PRESSURE]));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "mean", &p->mean));
  PL_OK(pl, pl_decl_subset(p->nodes, s->nboundary, s->boundary, "boundary", &p->boundary));
  PL_OK(pl, pl_partition(p->vertices, PL_PARTITION_BISECTION, &(pl_partition_options){.coords = p->x}));
}

static void declare_system(pl_context *pl, problem *p)
{
  pl_set *const sets[PARTS] = {p->nodes, p->vertices};
  pl_map *const maps[PARTS] = {p->node, p->corner};
  const int dims[PARTS] = {2, 1};
  PL_OK(pl, pl_decl_mixed_set(PARTS, sets, dims, "Taylor and Hood", &p->space));
  PL_OK(pl, pl_decl_mixed_map(p->space, maps, "unknowns", &p->unknowns));
  PL_OK(pl, pl_decl_mixed_dat(p->space, p->u, "solution", &p->solution));
  PL_OK(pl, pl_decl_mixed_dat(p->space, p->b, "right", &p->right));
  PL_OK(pl, pl_decl_mixed_mat(p->space, p->space, 1, &p->unknowns, &p->unknowns, PL_DOUBLE, PL_MIXED_WHOLE,
                              "A", &p->A));
  PL_OK(pl, pl_decl_mixed_mat(p->space, p->space, 1, &p->unknowns, &p->unknowns, PL_DOUBLE, PL_MIXED_WHOLE,
                              "blocks", &p->blocks));
  PL_OK(pl, pl_mixed_set_whole(p->space, &p->whole));
  PL_OK(pl, pl_decl_dat(p->whole, 1, PL_DOUBLE, NULL, "all u", &p->all_u));
  PL_OK(pl, pl_decl_dat(p->whole, 1, PL_DOUBLE, NULL, "all b", &p->all_b));
}

static void undeclare(problem *p)
{
  pl_mixed_mat_free(&p->blocks);
  pl_mixed_mat_free(&p->A);
  pl_dat_free(&p->all_b);
  pl_dat_free(&p->all_u);
  pl_mixed_dat_free(&p->right);
  pl_mixed_dat_free(&p->solution);
  pl_mixed_map_free(&p->unknowns);
  pl_mixed_set_free(&p->space);
  pl_global_free(&p->mean);
  for (int i = 0; i < PARTS; i++) {
    pl_dat_free(&p->b[i]);
    pl_dat_free(&p->u[i]);
  }
  pl_dat_free(&p->x);
}

/* Adds the integral of a form without coefficients and constants. */
static void integrate(pl_context *pl, const problem *p, const pl_kernel *kernel, pl_arg tensor)
{
  const pl_arg none = pl_arg_ptr(NULL);
  PL_OK(pl, elements_integrate(kernel, p->cells, tensor, none, none,
                               pl_arg_dat(p->x, PL_ALL, p->corner, PL_READ)));
}

static void assemble(pl_context *pl, const problem *p)
{
  integrate(pl, p, stokes_a_cell, pl_arg_mixed_mat(p->A, p->unknowns, p->unknowns, PL_INC));
  integrate(pl, p, stokes_blocks_cell, pl_arg_mixed_mat(p->blocks, p->unknowns, p->unknowns, PL_INC));
  integrate(pl, p, stokes_L_cell, pl_arg_mixed_dat(p->right, p->unknowns, PL_INC));
  PL_OK(pl, pl_mixed_mat_zero_rows(p->A, VELOCITY, p->boundary, 1.0));
  PL_OK(pl, pl_mixed_mat_zero_rows(p->blocks, VELOCITY, p->boundary, 1.0));
  PL_OK(pl, pl_dat_zero_subset(p->b[VELOCITY], p->boundary));
}

/* The columns of boundary nodes only multiply zeros, so both matrices act as symmetric ones. A constant
 * pressure changes nothing, so A is singular; MINRES finds a solution all the same. */
static int solve(pl_context *pl, problem *p, const char *preconditioner)
{
  pl_mat *A, *blocks;
  pl_solver *solver;
  pl_solver_result result;
  PL_OK(pl, pl_mixed_mat_whole(p->A, &A));
  PL_OK(pl, pl_mixed_mat_whole(p->blocks, &blocks));
  progress_norm shown;
  const pl_solver_options options = {.method = "minres",
                                     .preconditioner = preconditioner,
                                     .preconditioner_matrix = blocks,
                                     .rtol = 1e-9,
                                     .monitor = progress_norm_step,
                                     .user = &shown};
  PL_OK(pl, pl_mixed_dat_gather(p->right, p->all_b));
  PL_OK(pl, pl_decl_solver(A, &options, "stokes", &solver));
  progress_norm_begin(&shown, pl_rank(pl), options.rtol);
  PL_OK(pl, pl_solver_run(solver, p->all_u, p->all_b, &result));
  progress_clear(&shown.shown);
  PL_OK(pl, pl_mixed_dat_scatter(p->all_u, p->solution));
  pl_solver_free(&solver);
  return result.iterations;
}

/* ---- results ---- */

static double functional(pl_context *pl, const problem *p, const pl_kernel *kernel, pl_arg constants)
{
  return elements_functional(pl, kernel, p->cells, pl_arg_mixed_dat(p->solution, p->unknowns, PL_READ),
                             constants, pl_arg_dat(p->x, PL_ALL, p->corner, PL_READ));
}

typedef struct result {
  int iterations;
  double error[PARTS]; /* in L2; of the pressure without its mean */
} result;

static void find_errors(pl_context *pl, const problem *p, result *r)
{
  const double mean = functional(pl, p, stokes_average_cell, pl_arg_ptr(NULL));
  PL_OK(pl, pl_global_set(p->mean, &mean));
  r->error[VELOCITY] = sqrt(functional(pl, p, stokes_flow_error_cell, pl_arg_ptr(NULL)));
  r->error[PRESSURE] = sqrt(functional(pl, p, stokes_pressure_error_cell, pl_arg_gbl(p->mean, PL_READ)));
}

PL_KERNEL(speed_of, (const double u[2], double *speed), { *speed = sqrt(u[0] * u[0] + u[1] * u[1]); })

static bool write_files(pl_context *pl, const problem *p, const output_files *files)
{
  pl_dat *speed;
  PL_OK(pl, pl_decl_dat(p->nodes, 1, PL_DOUBLE, NULL, "speed", &speed));
  PL_OK(pl, pl_par_loop(speed_of, p->nodes, pl_arg_direct(p->u[VELOCITY], PL_READ),
                        pl_arg_direct(speed, PL_WRITE)));
  const picture drawn = {
    .title = "Speed", .x = p->x, .corners = p->corner, .value = speed, .value_map = p->node};
  const bool good = output_write(pl, "stokes", files, &drawn);
  pl_dat_free(&speed);
  return good;
}

static bool write_json(pl_context *pl, const settings *set, int side, const result *r)
{
  json_writer json;
  if (!set->json || pl_rank(pl)) return true;
  if (!output_json_open(pl, "stokes", set->json, &json)) return false;
  json_integer(&json, "side", side);
  json_integer(&json, "iterations", r->iterations);
  json_number(&json, "velocity_error", r->error[VELOCITY]);
  json_number(&json, "pressure_error", r->error[PRESSURE]);
  return output_json_close("stokes", set->json, &json);
}

static bool run_on(pl_context *pl, const settings *set, int side, const triangle_mesh *mesh, result *r)
{
  quadratic_space space;
  problem p;
  if (!quadratic_space_make(&space, mesh)) return output_error("stokes", "--side", "no memory");
  declare_mesh(pl, &p, mesh, &space);
  declare_system(pl, &p);
  assemble(pl, &p);
  r->iterations = solve(pl, &p, set->preconditioner);
  find_errors(pl, &p, r);
  const bool good = write_files(pl, &p, &set->files);
  undeclare(&p);
  quadratic_space_free(&space);
  return write_json(pl, set, side, r) && good;
}

/* Solves on one mesh. */
static bool run(pl_context *pl, const settings *set, int side, result *r)
{
  static const triangle_mesh none = {0};
  triangle_mesh mesh;
  if (!triangle_mesh_make(&mesh, side, (uint64_t)set->seed))
    return output_error("stokes", "--side", "no memory for the mesh");
  const bool good = run_on(pl, set, side, pl_rank(pl) ? &none : &mesh, r);
  if (good && !pl_rank(pl))
    printf("stokes: %d triangles, %d iterations, error of the velocity %.3e, of the pressure %.3e\n",
           mesh.ncell, r->iterations, r->error[VELOCITY], r->error[PRESSURE]);
  triangle_mesh_free(&mesh);
  return good;
}

/* The orders of convergence, from the second mesh to the third. */
static bool check(pl_context *pl, const settings *set)
{
  result r[3];
  double order[PARTS];
  for (int k = 0; k < 3; k++)
    if (!run(pl, set, 8 << k, &r[k])) return false;
  for (int i = 0; i < PARTS; i++) order[i] = log2(r[1].error[i] / r[2].error[i]);
  const bool good = fabs(order[VELOCITY] - 3) <= 0.1 && fabs(order[PRESSURE] - 2) <= 0.1;
  if (!pl_rank(pl))
    printf("stokes: orders of convergence %.3f and %.3f: %s\n", order[VELOCITY], order[PRESSURE],
           good ? "ok" : "WRONG");
  return good;
}

int main(int argc, char **argv)
{
  settings set = {.side = 32, .seed = 1, .preconditioner = "ilu"};
  const option_row rows[] = {
    {"side", "N", OPTION_INTEGER, &set.side, 2, 2000, "squares along a side, of two triangles each"},
    {"seed", "N", OPTION_INTEGER, &set.seed, 0, INT64_MAX - 1, "seed of the mesh"},
    {"preconditioner", "NAME", OPTION_TEXT, &set.preconditioner, 0, 0,
     "of minres, such as jacobi or boomeramg"},
    {"json", "FILE", OPTION_TEXT, &set.json, 0, 0, "write iterations and errors"},
    OUTPUT_OPTIONS(&set.files, "the speed", "mesh and solution"),
    {"check", "", OPTION_FLAG, &set.check, 0, 0, "test the orders of convergence on three meshes"},
    {0}};
  const option_program program = {"stokes", "Slow flow in a square, by elements of Taylor and Hood.",
                                  "PLAIT_BACKEND selects the backend (seq, openmp, cuda, hip, opencl).",
                                  true};
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  pl_context *pl;
  result r;
  pl = open_plait(program.name, &argc, &argv);
  const bool good = set.check ? check(pl, &set) : run(pl, &set, (int)set.side, &r);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
