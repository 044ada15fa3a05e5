/* SPDX-License-Identifier: BSD-2-Clause
 * heat: the heat equation u_t = Laplace u on the unit square, u = 0 on its boundary, by linear finite
 * elements and the rule of Crank and Nicolson. The solution is u = exp(-2 pi^2 t) sin(pi x) sin(pi y). Shows
 * two matrices that one loop assembles, arithmetic of matrices, and a matrix that many steps use.
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
#include "../common/series.h"
#include "../common/triangle_mesh.h"

static const double end_time = 0.1;

/* ---- one triangle ---- */

/* Integrals of phi_i phi_j and of grad phi_i . grad phi_j. */
PL_KERNEL(mass_and_stiffness, (const double x[3][2], double M[3][3], double K[3][3]), {
  double b[3], c[3];
  for (int i = 0; i < 3; i++) {
    b[i] = x[(i + 1) % 3][1] - x[(i + 2) % 3][1];
    c[i] = x[(i + 2) % 3][0] - x[(i + 1) % 3][0];
  }
  const double area = (b[0] * c[1] - b[1] * c[0]) / 2;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      M[i][j] += area / (i == j ? 6 : 12);
      K[i][j] += (b[i] * b[j] + c[i] * c[j]) / (4 * area);
    }
})

PL_KERNEL(start, (const double *x, double *u), {
  const double pi = 3.141592653589793;
  u[0] = sin(pi * x[0]) * sin(pi * x[1]);
})

PL_KERNEL(difference, (const double *x, const double *u, const double *decay, double *e), {
  const double pi = 3.141592653589793;
  e[0] = u[0] - decay[0] * sin(pi * x[0]) * sin(pi * x[1]);
})

/* ---- the problem on one mesh ---- */

typedef struct problem {
  pl_set *cells, *nodes, *boundary;
  pl_map *corner;
  pl_dat *x, *u, *b, *e; /* places of the nodes, temperature, right-hand side, error */
  pl_sparsity *sparsity;
  pl_mat *mass, *left, *right; /* M, M + dt/2 K and M - dt/2 K */
  pl_global *decay;
} problem;

static void declare_matrices(pl_context *pl, problem *s)
{
  const pl_map_pair pair = {s->corner, s->corner};
  PL_OK(pl, pl_decl_sparsity(s->nodes, 1, s->nodes, 1, 1, &pair, "P1", &s->sparsity));
  PL_OK(pl, pl_decl_mat(s->sparsity, PL_DOUBLE, "mass", &s->mass));
  PL_OK(pl, pl_decl_mat(s->sparsity, PL_DOUBLE, "left", &s->left));
  PL_OK(pl, pl_decl_mat(s->sparsity, PL_DOUBLE, "right", &s->right));
}

/* Rank 0 declares the mesh; pl_partition distributes it. */
static void declare(pl_context *pl, problem *s, const triangle_mesh *mesh)
{
  PL_OK(pl, pl_decl_set(pl, mesh->ncell, "cells", &s->cells));
  PL_OK(pl, pl_decl_set(pl, mesh->nvertex, "nodes", &s->nodes));
  PL_OK(pl, pl_decl_map(s->cells, s->nodes, 3, mesh->corner, "corner", &s->corner));
  PL_OK(pl, pl_decl_dat(s->nodes, 2, PL_DOUBLE, mesh->place, "x", &s->x));
  PL_OK(pl, pl_decl_dat(s->nodes, 1, PL_DOUBLE, NULL, "u", &s->u));
  PL_OK(pl, pl_decl_dat(s->nodes, 1, PL_DOUBLE, NULL, "b", &s->b));
  PL_OK(pl, pl_decl_dat(s->nodes, 1, PL_DOUBLE, NULL, "e", &s->e));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "decay", &s->decay));
  s->boundary = elements_boundary(pl, s->nodes, mesh);
  PL_OK(pl, pl_partition(s->nodes, PL_PARTITION_BISECTION, &(pl_partition_options){.coords = s->x}));
  declare_matrices(pl, s);
}

static void undeclare(problem *s)
{
  pl_mat_free(&s->mass);
  pl_mat_free(&s->left);
  pl_mat_free(&s->right);
  pl_sparsity_free(&s->sparsity);
  pl_global_free(&s->decay);
  pl_dat_free(&s->e);
  pl_dat_free(&s->b);
  pl_dat_free(&s->u);
  pl_dat_free(&s->x);
  pl_map_free(&s->corner);
  pl_set_free(&s->boundary);
  pl_set_free(&s->nodes);
  pl_set_free(&s->cells);
}

/* `left` first holds K. Rows of the boundary keep u = 0. */
static void assemble(pl_context *pl, problem *s, double dt)
{
  PL_OK(pl, pl_par_loop(mass_and_stiffness, s->cells, pl_arg_dat(s->x, PL_ALL, s->corner, PL_READ),
                        pl_arg_mat(s->mass, s->corner, s->corner, PL_INC),
                        pl_arg_mat(s->left, s->corner, s->corner, PL_INC)));
  PL_OK(pl, pl_mat_copy(s->mass, s->right));
  PL_OK(pl, pl_mat_axpy(-dt / 2, s->left, s->right));
  PL_OK(pl, pl_mat_scale(dt / 2, s->left));
  PL_OK(pl, pl_mat_axpy(1, s->mass, s->left));
  PL_OK(pl, pl_mat_zero_rows(s->left, s->boundary, 1.0));
  PL_OK(pl, pl_mat_zero_rows(s->right, s->boundary, 0.0));
}

/* Each step solves (M + dt/2 K) u' = (M - dt/2 K) u from the last u. Returns the number of iterations. */
static int64_t run_steps(pl_context *pl, problem *s, int64_t steps, const series_file *pictures)
{
  const pl_solver_options options = {.method = "cg", .preconditioner = "jacobi", .rtol = 1e-10, .guess = 1};
  int64_t iterations = 0;
  pl_solver *solver;
  pl_solver_result result;
  PL_OK(pl, pl_decl_solver(s->left, &options, "heat", &solver));
  PL_OK(pl, pl_par_loop(start, s->nodes, pl_arg_direct(s->x, PL_READ), pl_arg_direct(s->u, PL_WRITE)));
  PL_OK(pl, pl_dat_zero_subset(s->u, s->boundary));
  progress shown;
  progress_begin(&shown, pl_rank(pl), "steps", 0, steps);
  series_step(pictures, pl, s->x, s->corner, 0, 0);
  for (int64_t step = 0; step < steps; step++) {
    PL_OK(pl, pl_mat_multiply(s->right, s->u, s->b));
    PL_OK(pl, pl_solver_run(solver, s->u, s->b, &result));
    iterations += result.iterations;
    series_step(pictures, pl, s->x, s->corner, step + 1, end_time * (double)(step + 1) / (double)steps);
    progress_step(&shown, step + 1);
  }
  progress_clear(&shown);
  pl_solver_free(&solver);
  return iterations;
}

/* The norm of the error in L2 of its interpolation: sqrt(e . M e). */
static double l2_error(pl_context *pl, problem *s)
{
  const double pi = acos(-1.0), decay = exp(-2 * pi * pi * end_time);
  double square;
  pl_global *sum;
  PL_OK(pl, pl_global_set(s->decay, &decay));
  PL_OK(pl, pl_par_loop(difference, s->nodes, pl_arg_direct(s->x, PL_READ), pl_arg_direct(s->u, PL_READ),
                        pl_arg_gbl(s->decay, PL_READ), pl_arg_direct(s->e, PL_WRITE)));
  PL_OK(pl, pl_mat_multiply(s->mass, s->e, s->b));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &sum));
  PL_OK(pl, pl_dat_inner(s->e, s->b, sum));
  PL_OK(pl, pl_global_get(sum, &square));
  pl_global_free(&sum);
  return sqrt(square);
}

/* ---- output ---- */

typedef struct settings {
  int64_t side, steps, seed;
  const char *json;
  output_files files;
  series_file series;
  bool check;
} settings;

static bool write_files(pl_context *pl, const problem *s, const output_files *files)
{
  const picture p = {.title = "Temperature", .x = s->x, .corners = s->corner, .value = s->u};
  return output_write(pl, "heat", files, &p);
}

static bool write_json(pl_context *pl, const settings *set, int64_t iterations, double error)
{
  json_writer json;
  if (!set->json || pl_rank(pl)) return true;
  if (!output_json_open(pl, "heat", set->json, &json)) return false;
  json_integer(&json, "side", set->side);
  json_integer(&json, "steps", set->steps);
  json_integer(&json, "iterations", iterations);
  json_number(&json, "error", error);
  return output_json_close("heat", set->json, &json);
}

/* Computes the temperature at the end time on one mesh. */
static bool run(pl_context *pl, const settings *set, double *error)
{
  static const triangle_mesh none = {0};
  triangle_mesh mesh;
  problem s;
  if (!triangle_mesh_make(&mesh, (int)set->side, (uint64_t)set->seed))
    return output_error("heat", "--side", "no memory for the mesh");
  declare(pl, &s, pl_rank(pl) ? &none : &mesh);
  assemble(pl, &s, end_time / (double)set->steps);
  const int64_t iterations = run_steps(pl, &s, set->steps, &set->series);
  *error = l2_error(pl, &s);
  if (!pl_rank(pl))
    printf("heat: %d triangles, %lld steps, %lld iterations, error %.4e\n", mesh.ncell, (long long)set->steps,
           (long long)iterations, *error);
  const bool good = write_files(pl, &s, &set->files);
  undeclare(&s);
  triangle_mesh_free(&mesh);
  return write_json(pl, set, iterations, *error) && good;
}

/* The order of convergence when triangles and time steps shrink together. */
static bool check(pl_context *pl, const settings *given)
{
  double error[3];
  settings set = *given;
  for (int k = 0; k < 3; k++) {
    set.side = 8 << k;
    set.steps = 5 << k;
    if (!run(pl, &set, &error[k])) return false;
  }
  const double order = log2(error[0] / error[2]) / 2;
  const bool good = fabs(order - 2) <= 0.1;
  if (!pl_rank(pl)) printf("heat: convergence of order %.3f: %s\n", order, good ? "ok" : "WRONG");
  return good;
}

int main(int argc, char **argv)
{
  settings set = {.side = 64, .steps = 40, .seed = 1, .series = {.every = 10}};
  const option_row rows[] = {
    {"side", "N", OPTION_INTEGER, &set.side, 2, 10000, "squares along a side, of two triangles each"},
    {"steps", "N", OPTION_INTEGER, &set.steps, 1, 1000000, "time steps up to time 0.1"},
    {"seed", "N", OPTION_INTEGER, &set.seed, 0, INT64_MAX - 1, "seed of the mesh"},
    {"json", "FILE", OPTION_TEXT, &set.json, 0, 0, "write iterations and error"},
    OUTPUT_OPTIONS(&set.files, "the temperature at the end", "mesh and temperature"),
    SERIES_OPTIONS(&set.series),
    {"check", "", OPTION_FLAG, &set.check, 0, 0, "test the order of convergence on three meshes"},
    {0}};
  const option_program program = {"heat", "The heat equation on a square by finite elements.",
                                  "PLAIT_BACKEND selects the backend (seq, openmp, cuda, hip, opencl).",
                                  true};
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  pl_context *pl;
  double error;
  pl = open_plait(program.name, &argc, &argv);
  const bool good = set.check ? check(pl, &set) : run(pl, &set, &error);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
