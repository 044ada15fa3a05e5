/* SPDX-License-Identifier: BSD-2-Clause
 * poisson: finite elements for -Laplace u = f on the unit square, u = 0 on its boundary. The solution is
 * u = sin(pi x) sin(pi y). Shows a sparse matrix that a loop assembles, and a solver. Linear elements are in
 * this file, quadratic ones in quadratic.c.
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
#include "../common/triangle_mesh.h"
#include "quadratic.h"

/* ---- one triangle ---- */

/* The stiffness matrix: integrals of grad phi_i . grad phi_j. */
PL_KERNEL(stiffness, (const double x[3][2], double A[3][3]), {
  double b[3], c[3];
  for (int i = 0; i < 3; i++) {
    b[i] = x[(i + 1) % 3][1] - x[(i + 2) % 3][1];
    c[i] = x[(i + 2) % 3][0] - x[(i + 1) % 3][0];
  }
  const double scale = 1 / (2 * (b[0] * c[1] - b[1] * c[0])); /* 1 / (4 area) */
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A[i][j] += scale * (b[i] * b[j] + c[i] * c[j]);
})

/* The right-hand side: integrals of f phi_i by the midpoints of the edges, where phi_i is 1/2 or 0. */
PL_KERNEL(load, (const double x[3][2], double b[3][1]), {
  const double pi = 3.141592653589793;
  const double area =
    ((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1])) / 2;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3;
    const double f = 2 * pi * pi * sin(pi * (x[i][0] + x[j][0]) / 2) * sin(pi * (x[i][1] + x[j][1]) / 2);
    b[i][0] += area / 6 * f;
    b[j][0] += area / 6 * f;
  }
})

/* The integral of the squared error, by the midpoints of the edges. */
PL_KERNEL(squared_error, (const double x[3][2], const double u[3][1], double *sum), {
  const double pi = 3.141592653589793;
  const double area =
    ((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1])) / 2;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3;
    const double exact = sin(pi * (x[i][0] + x[j][0]) / 2) * sin(pi * (x[i][1] + x[j][1]) / 2);
    const double error = (u[i][0] + u[j][0]) / 2 - exact;
    *sum += area / 3 * error * error;
  }
})

/* ---- the problem on one mesh ---- */

typedef struct problem {
  pl_set *cells, *nodes, *boundary;
  pl_map *corner;
  pl_dat *x, *u, *b; /* places of the nodes, solution, right-hand side */
  pl_sparsity *sparsity;
  pl_mat *A;
  pl_global *sum;
} problem;

/* Rank 0 declares the mesh; pl_partition distributes it. */
static void declare(pl_context *pl, problem *s, const triangle_mesh *mesh)
{
  PL_OK(pl, pl_decl_set(pl, mesh->ncell, "cells", &s->cells));
  PL_OK(pl, pl_decl_set(pl, mesh->nvertex, "nodes", &s->nodes));
  PL_OK(pl, pl_decl_map(s->cells, s->nodes, 3, mesh->corner, "corner", &s->corner));
  PL_OK(pl, pl_decl_dat(s->nodes, 2, PL_DOUBLE, mesh->place, "x", &s->x));
  PL_OK(pl, pl_decl_dat(s->nodes, 1, PL_DOUBLE, NULL, "u", &s->u));
  PL_OK(pl, pl_decl_dat(s->nodes, 1, PL_DOUBLE, NULL, "b", &s->b));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &s->sum));
  s->boundary = elements_boundary(pl, s->nodes, mesh);
  PL_OK(pl, pl_partition(s->nodes, PL_PARTITION_BISECTION, &(pl_partition_options){.coords = s->x}));
  const pl_map_pair pair = {s->corner, s->corner};
  PL_OK(pl, pl_decl_sparsity(s->nodes, 1, s->nodes, 1, 1, &pair, "P1", &s->sparsity));
  PL_OK(pl, pl_decl_mat(s->sparsity, PL_DOUBLE, "A", &s->A));
}

static void undeclare(problem *s)
{
  pl_mat_free(&s->A);
  pl_sparsity_free(&s->sparsity);
  pl_global_free(&s->sum);
  pl_dat_free(&s->b);
  pl_dat_free(&s->u);
  pl_dat_free(&s->x);
  pl_map_free(&s->corner);
  pl_set_free(&s->boundary);
  pl_set_free(&s->nodes);
  pl_set_free(&s->cells);
}

static void assemble(pl_context *pl, problem *s)
{
  const pl_arg x = pl_arg_dat(s->x, PL_ALL, s->corner, PL_READ);
  PL_OK(pl, pl_par_loop(stiffness, s->cells, x, pl_arg_mat(s->A, s->corner, s->corner, PL_INC)));
  PL_OK(pl, pl_par_loop(load, s->cells, x, pl_arg_dat(s->b, PL_ALL, s->corner, PL_INC)));
  PL_OK(pl, pl_mat_zero_rows(s->A, s->boundary, 1.0));
  PL_OK(pl, pl_dat_zero_subset(s->b, s->boundary));
}

/* The columns of boundary nodes only multiply zeros, so the matrix acts as a symmetric one. Ends the program
 * if the iteration does not converge. Returns the number of iterations. */
static int solve(pl_context *pl, problem *s)
{
  progress_norm shown;
  const pl_solver_options options = {
    .method = "cg", .preconditioner = "jacobi", .rtol = 1e-10, .monitor = progress_norm_step, .user = &shown};
  pl_solver *solver;
  pl_solver_result result;
  PL_OK(pl, pl_decl_solver(s->A, &options, "poisson", &solver));
  progress_norm_begin(&shown, pl_rank(pl), options.rtol);
  PL_OK(pl, pl_solver_run(solver, s->u, s->b, &result));
  progress_clear(&shown.shown);
  pl_solver_free(&solver);
  return result.iterations;
}

static double l2_error(pl_context *pl, problem *s)
{
  double sum;
  PL_OK(pl, pl_global_zero(s->sum));
  PL_OK(pl, pl_par_loop(squared_error, s->cells, pl_arg_dat(s->x, PL_ALL, s->corner, PL_READ),
                        pl_arg_dat(s->u, PL_ALL, s->corner, PL_READ), pl_arg_gbl(s->sum, PL_INC)));
  PL_OK(pl, pl_global_get(s->sum, &sum));
  return sqrt(sum);
}

/* ---- output ---- */

typedef struct settings {
  int64_t side, seed, order;
  const char *json;
  output_files files;
  bool check;
} settings;

static bool write_json(pl_context *pl, const settings *set, int side, int order,
                       const poisson_solution *result)
{
  json_writer json;
  if (!set->json || pl_rank(pl)) return true;
  if (!output_json_open(pl, "poisson", set->json, &json)) return false;
  json_integer(&json, "side", side);
  json_integer(&json, "order", order);
  json_integer(&json, "iterations", result->iterations);
  json_number(&json, "error", result->error);
  return output_json_close("poisson", set->json, &json);
}

/* Linear elements. */
static bool run_linear(pl_context *pl, const triangle_mesh *mesh, const output_files *files,
                       poisson_solution *result)
{
  problem s;
  declare(pl, &s, mesh);
  assemble(pl, &s);
  result->iterations = solve(pl, &s);
  result->error = l2_error(pl, &s);
  const picture p = {.title = "Solution", .x = s.x, .corners = s.corner, .value = s.u};
  const bool good = output_write(pl, "poisson", files, &p);
  undeclare(&s);
  return good;
}

/* Solves on one mesh. */
static bool run(pl_context *pl, const settings *set, int side, int order, double *error)
{
  static const triangle_mesh none = {0};
  triangle_mesh mesh;
  poisson_solution result = {0};
  if (!triangle_mesh_make(&mesh, side, (uint64_t)set->seed))
    return output_error("poisson", "--side", "no memory for the mesh");
  const triangle_mesh *own = pl_rank(pl) ? &none : &mesh;
  const bool good = (order == 2 ? quadratic_run : run_linear)(pl, own, &set->files, &result);
  *error = result.error;
  if (!pl_rank(pl))
    printf("poisson: %d triangles, P%d, %d iterations, error %.4e\n", mesh.ncell, order, result.iterations,
           *error);
  triangle_mesh_free(&mesh);
  return write_json(pl, set, side, order, &result) && good;
}

/* The order of convergence over four meshes. */
static bool check(pl_context *pl, const settings *set, int order)
{
  double error[4];
  for (int k = 0; k < 4; k++)
    if (!run(pl, set, 8 << k, order, &error[k])) return false;
  const double found = log2(error[0] / error[3]) / 3;
  const bool good = fabs(found - order - 1) <= 0.1;
  if (!pl_rank(pl))
    printf("poisson: P%d converges with order %.3f: %s\n", order, found, good ? "ok" : "WRONG");
  return good;
}

int main(int argc, char **argv)
{
  settings set = {.side = 64, .seed = 1, .order = 1};
  const option_row rows[] = {
    {"side", "N", OPTION_INTEGER, &set.side, 2, 10000, "squares along a side, of two triangles each"},
    {"order", "1|2", OPTION_INTEGER, &set.order, 1, 2, "linear or quadratic elements"},
    {"seed", "N", OPTION_INTEGER, &set.seed, 0, INT64_MAX - 1, "seed of the mesh"},
    {"json", "FILE", OPTION_TEXT, &set.json, 0, 0, "write iterations and error"},
    OUTPUT_OPTIONS(&set.files, "the solution", "mesh and solution"),
    {"check", "", OPTION_FLAG, &set.check, 0, 0, "test the orders of convergence on four meshes"},
    {0}};
  const option_program program = {"poisson", "Finite elements for Poisson's equation on a square.",
                                  "PLAIT_BACKEND selects the backend (seq, openmp, cuda, hip, opencl).",
                                  true};
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  pl_context *pl;
  double error;
  pl = open_plait(program.name, &argc, &argv);
  const bool good = set.check ? check(pl, &set, 1) && check(pl, &set, 2)
                              : run(pl, &set, (int)set.side, (int)set.order, &error);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
