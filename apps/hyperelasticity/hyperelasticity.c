/* SPDX-License-Identifier: BSD-2-Clause
 * hyperelasticity: a cube, held at one face, is twisted by large angles. Linear tetrahedra, a compressible
 * neo-Hookean material, Newton's method with conjugate gradients for its steps. The forces are those of an
 * exact solution (hyperelasticity.py), whose energy is mu / 2 turn^2 times the polar moment of the cube,
 * since each cross section turns as a whole.
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
#include "../common/tetra_mesh.h"
#include "hyperelasticity.plait.h"

enum { STEP = 15 }; /* degrees between two equilibria */

static const double young = 10, poisson = 0.3, pi = 3.14159265358979323846;

/* The energy on --check's first mesh by another library (scikit-fem, same elements, direct solutions). */
static const double reference_energy = 0.08310232544558;

typedef struct settings {
  int64_t size, angle;
  const char *json;
  output_files files;
  bool check;
} settings;

/* ---- the problem ---- */

typedef struct problem {
  pl_context *pl;
  pl_set *cells, *vertices, *held;
  pl_map *corner;
  pl_dat *x, *u;
  pl_global *constants, *turn; /* constants: lambda, mu, turn */
  pl_sparsity *sparsity;
  pl_mat *A;
} problem;

/* The cube around the x axis. Rank 0 alone makes it. */
static bool make_cube(tetra_mesh *m, int size)
{
  if (!tetra_mesh_make(m, (int[]){size, size, size}, (double[]){1, 1, 1})) return false;
  for (int i = 0; i < 3 * m->nvertex; i++)
    if (i % 3) m->place[i] -= 0.5;
  return true;
}

static int list_held(const tetra_mesh *m, int *list)
{
  int n = 0;
  for (int v = 0; v < m->nvertex; v++)
    if (m->place[3 * v] == 0) list[n++] = v;
  return n;
}

/* Rank 0 declares the cube; pl_partition distributes it. */
static void declare(pl_context *pl, problem *p, const tetra_mesh *m, const int *held, int nheld)
{
  p->pl = pl;
  PL_OK(pl, pl_decl_set(pl, m->ncell, "cells", &p->cells));
  PL_OK(pl, pl_decl_set(pl, m->nvertex, "vertices", &p->vertices));
  PL_OK(pl, pl_decl_map(p->cells, p->vertices, 4, m->corner, "corner", &p->corner));
  PL_OK(pl, pl_decl_dat(p->vertices, 3, PL_DOUBLE, m->place, "x", &p->x));
  PL_OK(pl, pl_decl_dat(p->vertices, 3, PL_DOUBLE, NULL, "u", &p->u));
  PL_OK(pl, pl_decl_global(pl, 3, PL_DOUBLE, NULL, "constants", &p->constants));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "turn", &p->turn));
  PL_OK(pl, pl_decl_subset(p->vertices, nheld, held, "held", &p->held));
  PL_OK(pl, pl_partition(p->vertices, PL_PARTITION_BISECTION, &(pl_partition_options){.coords = p->x}));
  const pl_map_pair pair = {p->corner, p->corner};
  PL_OK(pl, pl_decl_sparsity(p->vertices, 3, p->vertices, 3, 1, &pair, "P1", &p->sparsity));
  PL_OK(pl, pl_decl_mat(p->sparsity, PL_DOUBLE, "A", &p->A));
}

static void undeclare(problem *p)
{
  pl_mat_free(&p->A);
  pl_sparsity_free(&p->sparsity);
  pl_global_free(&p->turn);
  pl_global_free(&p->constants);
  pl_dat_free(&p->u);
  pl_dat_free(&p->x);
  pl_map_free(&p->corner);
  pl_set_free(&p->held);
  pl_set_free(&p->vertices);
  pl_set_free(&p->cells);
}

/* Adds the integral of a form with the coefficient u. */
static pl_err integrate(const problem *p, const pl_kernel *kernel, pl_arg tensor, pl_dat *u)
{
  return elements_integrate(kernel, p->cells, tensor, pl_arg_dat(u, PL_ALL, p->corner, PL_READ),
                            pl_arg_gbl(p->constants, PL_READ), pl_arg_dat(p->x, PL_ALL, p->corner, PL_READ));
}

static double turn_of(double angle)
{
  return angle * pi / 180;
}

static void set_turn(problem *p, double turn)
{
  const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
               mu = young / (2 * (1 + poisson));
  PL_OK(p->pl, pl_global_set(p->constants, (double[]){lambda, mu, turn}));
  PL_OK(p->pl, pl_global_set(p->turn, &turn));
}

/* The forces of a deformation less the given ones; 0 where the cube is held, so that u stays 0 there. */
static pl_err residual(void *user, pl_dat *u, pl_dat *f)
{
  const problem *p = user;
  pl_err err = pl_dat_zero(f);
  if (!err) err = integrate(p, hyperelasticity_F_cell, pl_arg_dat(f, PL_ALL, p->corner, PL_INC), u);
  if (!err) err = pl_dat_zero_subset(f, p->held);
  return err;
}

static pl_err jacobian(void *user, pl_dat *u, pl_mat *A)
{
  const problem *p = user;
  pl_err err = pl_mat_zero(A);
  if (!err) err = integrate(p, hyperelasticity_J_cell, pl_arg_mat(A, p->corner, p->corner, PL_INC), u);
  if (!err) err = pl_mat_zero_rows(A, p->held, 1.0);
  return err;
}

/* ---- results ---- */

typedef struct result {
  int vertices, steps;
  double energy, error;  /* error in L2 */
  double norm, constant; /* Newton's method: the last norm, and |F(k + 1)| / |F(k)|^2 */
} result;

/* Leaves out norms of 1e-7 and less, after which rounding errors determine the next norm. */
static void record_norm(void *user, int iteration, double norm)
{
  result *r = user;
  if (iteration && r->norm > 1e-7) r->constant = norm / (r->norm * r->norm);
  r->norm = norm;
}

static double functional(const problem *p, const pl_kernel *kernel, pl_global *constants)
{
  return elements_functional(p->pl, kernel, p->cells, pl_arg_dat(p->u, PL_ALL, p->corner, PL_READ),
                             pl_arg_gbl(constants, PL_READ), pl_arg_dat(p->x, PL_ALL, p->corner, PL_READ));
}

/* Turns the face x = 1 by `angle` degrees, in steps from one equilibrium to the next. */
static void solve(problem *p, int angle, result *r)
{
  const pl_solver_options linear = {.method = "cg", .preconditioner = "block_jacobi", .rtol = 1e-8};
  const pl_newton_options options = {.rtol = 1e-9, .monitor = record_norm, .user = r};
  const int loads = (angle + STEP - 1) / STEP;
  pl_solver *solver;
  pl_solver_result info;
  PL_OK(p->pl, pl_decl_solver(p->A, &linear, "steps", &solver));
  progress shown;
  progress_begin(&shown, pl_rank(p->pl), "turns", 0, loads);
  for (int load = 1; load <= loads; load++) {
    set_turn(p, turn_of(angle) * load / loads);
    PL_OK(p->pl, pl_newton(solver, p->u, residual, jacobian, p, &options, &info));
    r->steps += info.iterations;
    progress_step(&shown, load);
  }
  progress_clear(&shown);
  pl_solver_free(&solver);
  r->energy = functional(p, hyperelasticity_energy_cell, p->constants);
  r->error = sqrt(functional(p, hyperelasticity_error_cell, p->turn));
}

static double exact_energy(int64_t angle)
{
  const double turn = turn_of((double)angle);
  const double mu = young / (2 * (1 + poisson));
  return mu / 2 * turn * turn / 6;
}

/* The twisted cube from its side, with the displacement upwards. */
static bool write_files(const problem *p, const output_files *files)
{
  const picture drawn = {.title = "Displacement upwards",
                         .x = p->x,
                         .corners = p->corner,
                         .tetrahedra = true,
                         .value = p->u,
                         .component = 2,
                         .move = p->u,
                         .axes = {0, 2}};
  return output_write(p->pl, "hyperelasticity", files, &drawn);
}

static bool write_json(pl_context *pl, const settings *set, int size, const result *r)
{
  json_writer json;
  if (!set->json || pl_rank(pl)) return true;
  if (!output_json_open(pl, "hyperelasticity", set->json, &json)) return false;
  json_integer(&json, "size", size);
  json_integer(&json, "angle", set->angle);
  json_integer(&json, "vertices", r->vertices);
  json_integer(&json, "newton_steps", r->steps);
  json_number(&json, "energy", r->energy);
  json_number(&json, "exact_energy", exact_energy(set->angle));
  json_number(&json, "error", r->error);
  json_number(&json, "newton_constant", r->constant);
  return output_json_close("hyperelasticity", set->json, &json);
}

static bool run(pl_context *pl, const settings *set, int size, result *r)
{
  tetra_mesh cube = {0};
  problem p;
  if (!pl_rank(pl) && !make_cube(&cube, size))
    return output_error("hyperelasticity", "--size", "no memory for the mesh");
  int *held = malloc(((size_t)cube.nvertex + 1) * sizeof *held);
  if (!held) return output_error("hyperelasticity", "--size", "no memory");
  declare(pl, &p, &cube, held, list_held(&cube, held));
  *r = (result){.vertices = cube.nvertex};
  solve(&p, (int)set->angle, r);
  if (!pl_rank(pl))
    printf("hyperelasticity: %d tetrahedra, %d Newton steps, energy %.8f, exactly %.8f, error %.6e\n",
           cube.ncell, r->steps, r->energy, exact_energy(set->angle), r->error);
  const bool good = write_files(&p, &set->files);
  undeclare(&p);
  tetra_mesh_free(&cube);
  free(held);
  return write_json(pl, set, size, r) && good;
}

/* Twists by 30 degrees. The energy is that of another library. The solution and its energy converge with
 * order 2, and so does Newton's method: near the solution a step leaves some times the square of the norm,
 * whose factor would be 1e4 and more if the derivative were wrong. */
static bool check(pl_context *pl, settings *set)
{
  set->angle = 30;
  const double exact = exact_energy(set->angle);
  result r[2];
  for (int k = 0; k < 2; k++)
    if (!run(pl, set, 8 << k, &r[k])) return false;
  if (pl_rank(pl)) return true;
  const double order = log2(r[0].error / r[1].error);
  const double energy = log2((r[0].energy - exact) / (r[1].energy - exact));
  const bool good = fabs(r[0].energy - reference_energy) < 1e-10 && fabs(order - 2) < 0.15 &&
                    fabs(energy - 2) < 0.15 && r[0].constant < 20 && r[1].constant < 20;
  printf("hyperelasticity: %.0e from the reference, convergence of order %.3f, of the energy %.3f; "
         "Newton's method leaves %.2f times the square: %s\n",
         fabs(r[0].energy - reference_energy), order, energy, r[1].constant, good ? "ok" : "WRONG");
  return good;
}

int main(int argc, char **argv)
{
  settings set = {.size = 8, .angle = 30};
  const option_row rows[] = {
    {"size", "N", OPTION_INTEGER, &set.size, 1, 200, "cubes along each side, of six tetrahedra each"},
    {"angle", "DEGREES", OPTION_INTEGER, &set.angle, 1, 120, "turn of the free face"},
    {"json", "FILE", OPTION_TEXT, &set.json, 0, 0, "write the results"},
    OUTPUT_OPTIONS(&set.files, "the twisted cube", "mesh and solution"),
    {"check", "", OPTION_FLAG, &set.check, 0, 0, "twist by 30 degrees, compare with a reference and theory"},
    {0}};
  const option_program program = {"hyperelasticity", "A cube of a neo-Hookean material that is twisted.",
                                  "PLAIT_BACKEND selects the backend (seq, openmp, cuda, hip, opencl).",
                                  true};
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  pl_context *pl;
  result r;
  pl = open_plait(program.name, &argc, &argv);
  const bool good = set.check ? check(pl, &set) : run(pl, &set, (int)set.size, &r);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
