/* SPDX-License-Identifier: BSD-2-Clause
 * Preconditioners of solver packages: known solutions, blocks, floats, other values, singular matrices, a
 * package that is missing. A package that this build lacks must say so.
 */
#include "conformance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 12, NODES = SIDE * SIDE, LINKS = 2 * SIDE * (SIDE - 1), MOST_BLOCK = 2 };

PL_KERNEL(package_link, (double A[2][2]), {
  A[0][0] += 1;
  A[0][1] -= 1;
  A[1][0] -= 1;
  A[1][1] += 1;
})
PL_KERNEL(package_link_blocks, (double A[4][4]), {
  for (int i = 0; i < 2; i++) {
    A[i][i] += 1.1;
    A[i + 2][i + 2] += 1.1;
    A[i][i + 2] -= 1;
    A[i + 2][i] -= 1;
  }
  A[0][1] += 0.25;
  A[2][3] += 0.25;
})
PL_KERNEL(package_link_float, (float A[2][2]), {
  A[0][0] += 1.125f;
  A[0][1] -= 1;
  A[1][0] -= 1;
  A[1][1] += 1.125f;
})

/* A grid of nodes and links: singular without held nodes. */
typedef struct plate {
  pl_set *nodes;
  pl_mat *a;
  pl_dat *want, *x, *b;
} plate;

static void open_plate(conf *c, plate *p, int block, pl_type type)
{
  int ends[2 * LINKS], n = 0;
  double want[NODES * MOST_BLOCK];
  pl_sparsity *sparsity;
  for (int i = 0; i < NODES; i++)
    for (int side = 0; side < 2; side++) {
      if (side ? i + SIDE >= NODES : (i + 1) % SIDE == 0) continue;
      ends[2 * n] = i;
      ends[2 * n++ + 1] = i + (side ? SIDE : 1);
    }
  for (int i = 0; i < NODES * block; i++) want[i] = (i * 7 % 11) / 11.0 - 0.4;
  p->nodes = conf_set(c, NODES, "nodes");
  pl_set *links = conf_set(c, LINKS, "links");
  pl_map *to = conf_map(c, links, p->nodes, 2, ends, "ends");
  p->want = conf_dat(c, p->nodes, block, PL_DOUBLE, want, "want");
  p->x = conf_dat(c, p->nodes, block, type, NULL, "x");
  p->b = conf_dat(c, p->nodes, block, type, NULL, "b");
  OK(pl_decl_sparsity(p->nodes, block, p->nodes, block, 1, &(pl_map_pair){to, to}, "plate", &sparsity));
  OK(pl_decl_mat(sparsity, type, "plate", &p->a));
  pl_sparsity_free(&sparsity);
  if (type == PL_FLOAT)
    OK(pl_par_loop(package_link_float, links, pl_arg_mat(p->a, to, to, PL_INC)));
  else if (block > 1)
    OK(pl_par_loop(package_link_blocks, links, pl_arg_mat(p->a, to, to, PL_INC)));
  else
    OK(pl_par_loop(package_link, links, pl_arg_mat(p->a, to, to, PL_INC)));
}

/* Raises the diagonal, so that the matrix is regular. */
static void hold(conf *c, plate *p)
{
  pl_dat *diagonal;
  OK(pl_decl_dat(p->nodes, 1, PL_DOUBLE, NULL, "diagonal", &diagonal));
  OK(pl_mat_get_diagonal(p->a, diagonal));
  OK(pl_dat_scale(1.01, diagonal));
  OK(pl_mat_set_diagonal(p->a, diagonal));
}

/* A solution of A x = A want in at most `most` iterations. */
static void solve(conf *c, plate *p, pl_solver *solver, int most)
{
  double error;
  pl_solver_result r;
  OK(pl_mat_multiply(p->a, p->want, p->b));
  OK(pl_solver_run(solver, p->x, p->b, &r));
  CHECK(r.reason == PL_SOLVER_RTOL && r.iterations > 0 && r.iterations <= most);
  OK(pl_dat_axpy(-1.0, p->want, p->x));
  OK(pl_dat_norm(p->x, &error));
  CHECK(error < 1e-6);
}

/* Twice, with other values in between. */
static void solve_twice(conf *c, plate *p, pl_solver_options options, int most)
{
  pl_solver *solver;
  options.rtol = 1e-10;
  OK(pl_decl_solver(p->a, &options, "plate", &solver));
  solve(c, p, solver, most);
  OK(pl_mat_scale(3.0, p->a));
  solve(c, p, solver, most);
  pl_solver_free(&solver);
}

static void solve_floats(conf *c, const char *name)
{
  plate p;
  pl_dat *y;
  double norm, residual;
  open_plate(c, &p, 1, PL_FLOAT);
  OK(pl_dat_fill(p.b, 1.0));
  OK(pl_dat_norm(p.b, &norm));
  OK(pl_solve(p.a, p.x, p.b,
              (&(pl_solver_options){.method = "richardson", .preconditioner = name, .rtol = 1e-5})));
  OK(pl_decl_dat(p.nodes, 1, PL_FLOAT, NULL, "y", &y));
  OK(pl_mat_multiply(p.a, p.x, y));
  OK(pl_dat_axpy(-1.0, p.b, y));
  OK(pl_dat_norm(y, &residual));
  CHECK(residual < 1e-4 * norm);
}

/* Whether this build has the module; if not, a solver says so. */
static bool has_package(conf *c, pl_mat *a, const char *module, const char *name, const char *source)
{
  const char *got, *why = NULL;
  pl_solver *solver = NULL;
#if defined(CONF_NO_PACKAGES)
  return false;
#endif
  for (int i = 0; pl_module_at(c->pl, i, &got, &why) == PL_SUCCESS; i++)
    if (!strcmp(got, module)) break;
  if (!why) return true;
  FAILS(pl_decl_solver(a, &(pl_solver_options){.preconditioner = name}, "s", &solver), PL_ERR_BACKEND, module,
        source, "cannot open");
  CHECK(!solver);
  return false;
}

static void case_boomeramg(conf *c)
{
  plate p;
  pl_solver_options options = {.preconditioner = "boomeramg"};
  open_plate(c, &p, 1, PL_DOUBLE);
  if (!has_package(c, p.a, "hypre", "boomeramg", "libhypre-dev")) return;
  OK(pl_dat_fill(p.b, 1.0)); /* not in the range of the singular matrix */
  FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_CONVERGENCE, "\"plate\"", "cg");
  options.method = "richardson";
  FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_CONVERGENCE, "\"plate\"", "richardson");
  options.method = NULL;
  hold(c, &p);
  solve_twice(c, &p, options, 12);
  options.method = "richardson";
  solve_twice(c, &p, options, 25);
  options.iterations = 1;
  FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_CONVERGENCE, "\"plate\"", "has not converged",
        "1 iterations");
  open_plate(c, &p, MOST_BLOCK, PL_DOUBLE);
  options.method = "richardson";
  options.iterations = 0;
  solve_twice(c, &p, options, 40);
  solve_floats(c, "boomeramg");
}

static void case_boomeramg_options(conf *c)
{
  static const char *const wrong[] = {"Strong 0.5", "RelaxType", "RelaxType 6.5", "MaxLevels 3 5", "-1"};
  plate p;
  pl_solver_options options = {.preconditioner = "boomeramg"};
  open_plate(c, &p, 1, PL_DOUBLE);
  if (!has_package(c, p.a, "hypre", "boomeramg", "libhypre-dev")) return;
  hold(c, &p);
  OK(pl_dat_fill(p.b, 1.0));
  for (int i = 0; i < 5; i++) {
    options.package_options = wrong[i];
    FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_ARG, "boomeramg", "StrongThreshold 0.5");
  }
  options.package_options = " StrongThreshold 0.5  RelaxType 6 NumSweeps 2 MaxLevels 10 ";
  solve_twice(c, &p, options, 20);
  options.package_options = "MaxIter 30"; /* so many cycles solve the system */
  solve_twice(c, &p, options, 2);
}

/* Packages on a CUDA device: elsewhere one sentence, and false. */
static bool solve_on_device(conf *c, const char *name, const char *source, int most)
{
  plate p;
  pl_solver *solver = NULL;
  pl_solver_options options = {.preconditioner = name};
  open_plate(c, &p, 1, PL_DOUBLE);
  if (!has_package(c, p.a, name, name, source)) return false;
  if (strcmp(pl_backend_name(c->pl), "cuda") || pl_ranks(c->pl) > 1) {
    FAILS(pl_decl_solver(p.a, &options, "s", &solver), PL_ERR_BACKEND, name, "CUDA device and one rank");
    CHECK(!solver);
    return false;
  }
  OK(pl_dat_fill(p.b, 1.0));
  FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_CONVERGENCE, "\"plate\"");
  hold(c, &p);
  solve_twice(c, &p, options, most);
  open_plate(c, &p, MOST_BLOCK, PL_DOUBLE);
  solve_twice(c, &p, options, most);
  OK(pl_dat_set_layout(p.b, "soa"));
  solve_twice(c, &p, options, most);
  solve_floats(c, name);
  return true;
}

static void case_cudss(conf *c)
{
  solve_on_device(c, "cudss", "nvidia-cudss-cu13", 2);
}

static void case_amgx(conf *c)
{
  plate p;
  pl_solver_options options = {.preconditioner = "amgx"};
  if (!solve_on_device(c, "amgx", "NVIDIA/AMGX", 40)) return;
  open_plate(c, &p, 1, PL_DOUBLE);
  hold(c, &p);
  OK(pl_dat_fill(p.b, 1.0));
  options.package_options = "config_version=2, solver=NO_SUCH_SOLVER";
  FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_ARG, "AMGX", "package_options", "\"plate\"");
  options.package_options = "no options";
  FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_ARG, "AMGX", "package_options", "\"plate\"");
  options.method = "richardson";
  options.package_options = "config_version=2, solver(s)=JACOBI_L1, s:max_iters=2, s:monitor_residual=0";
  options.iterations = 3;
  FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_CONVERGENCE, "\"plate\"", "3 iterations");
  options.iterations = 0;
  options.package_options = "config_version=2, solver(s)=PCG, s:max_iters=200, s:monitor_residual=1, "
                            "s:convergence=RELATIVE_INI, s:tolerance=1e-8, s:preconditioner=NOSOLVER";
  solve_twice(c, &p, options, 4);
}

static void case_mumps(conf *c)
{
  plate p;
  pl_solver_options options = {.preconditioner = "mumps"};
  open_plate(c, &p, 1, PL_DOUBLE);
  if (!has_package(c, p.a, "mumps", "mumps", "libmumps-dev")) return;
  OK(pl_dat_fill(p.b, 1.0));
  FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_CONVERGENCE, "MUMPS", "\"plate\" is singular");
  hold(c, &p);
  solve_twice(c, &p, options, 2);
  open_plate(c, &p, MOST_BLOCK, PL_DOUBLE);
  solve_twice(c, &p, options, 2);
  solve_floats(c, "mumps");
}

static void case_petsc(conf *c)
{
  static const char *const solvers[] = {"-ksp_type cg -pc_type jacobi", "-ksp_type bcgs -pc_type gamg",
                                        "-ksp_type preonly -pc_type redundant", NULL};
  plate p;
  pl_solver_options options = {.preconditioner = "petsc"};
  open_plate(c, &p, 1, PL_DOUBLE);
  if (!has_package(c, p.a, "petsc", "petsc", "libpetsc-real-dev")) return;
  hold(c, &p);
  OK(pl_dat_fill(p.b, 1.0));
  options.package_options = "-ksp_type unknown";
  FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_INTERNAL, "PETSc", "the options", "\"plate\"");
  options.package_options = "-ksp_typo cg";
  FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_ARG, "does not use", "\"-ksp_typo\"");
  options.package_options = "-ksp_max_it 1 -ksp_type richardson -pc_type none";
  options.iterations = 2;
  FAILS(pl_solve(p.a, p.x, p.b, &options), PL_ERR_CONVERGENCE, "\"plate\"");
  options.iterations = 0;
  for (int i = 0; i < 4; i++) {
    options.package_options = solvers[i];
    solve_twice(c, &p, options, 4);
  }
  options.method = "cg";
  options.package_options = "-ksp_type preonly -pc_type jacobi";
  solve_twice(c, &p, options, NODES);
  options.method = NULL;
  open_plate(c, &p, MOST_BLOCK, PL_DOUBLE);
  options.package_options = "-ksp_type gmres";
  solve_twice(c, &p, options, 4);
  solve_floats(c, "petsc");
}

const conf_case conf_packages[] = {
  {"packages: boomeramg", "P30", case_boomeramg, CONF_RANKS},
  {"packages: options of boomeramg", "P30", case_boomeramg_options, CONF_RANKS},
  {"packages: cudss", "P30", case_cudss, CONF_RANKS},
  {"packages: amgx", "P30", case_amgx, CONF_RANKS},
  {"packages: mumps", "P30", case_mumps, CONF_RANKS},
  {"packages: petsc", "P30", case_petsc, CONF_RANKS},
  {NULL, NULL, NULL, 0}};
