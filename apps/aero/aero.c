/* SPDX-License-Identifier: BSD-2-Clause
 * aero: steady potential flow of a gas round an aerofoil, by bilinear finite elements and Newton's method.
 * The problem of OP2's program of the same name.
 *
 * The velocity is the gradient of a potential phi, and mass is conserved: div(rho grad phi) = 0 with the
 * density rho = (1 + (gamma - 1) / 2 (M^2 - |grad phi|^2))^(1 / (gamma - 1)) for gamma = 1.4, where lengths
 * of velocities are relative to the speed of sound of the free stream and M is its Mach number. phi = M x on
 * the outer boundary; no gas goes through the aerofoil, which is the natural boundary condition.
 */
#include "plait.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/open.h"
#include "../common/options.h"
#include "../common/output.h"
#include "../common/picture.h"
#include "../common/progress.h"
#include "../common/wall.h"
#include "mesh.h"

static const double mach = 0.1;

/* ---- one cell ---- */

/* Adds the residual r_i, the integral of rho grad phi . grad N_i, and its derivative K_ij by phi_j, by two
 * Gauss points in each direction. N_m is the bilinear function of node m. */
PL_KERNEL(cell_flow, (const double x[4][2], const double phi[4][1], double K[4][4], double r[4][1]), {
  const double low = 0.211324865405187, high = 0.788675134594813, mach2 = 0.01;
  PL_UNROLL(4) /* else the values at a point stay in memory, and the loop over cells is not vectorised */
  for (int q = 0; q < 4; q++) {
    const double s = q & 1 ? high : low, t = q & 2 ? high : low;
    const double ds[4] = {t - 1, 1 - t, t, -t}, dt[4] = {s - 1, -s, s, 1 - s};
    double xs = 0, xt = 0, ys = 0, yt = 0, u = 0, v = 0, gx[4], gy[4], flow[4];
    for (int m = 0; m < 4; m++) {
      xs += ds[m] * x[m][0];
      xt += dt[m] * x[m][0];
      ys += ds[m] * x[m][1];
      yt += dt[m] * x[m][1];
    }
    const double area = xs * yt - xt * ys, over = 1 / area;
    for (int m = 0; m < 4; m++) {
      gx[m] = over * (ds[m] * yt - dt[m] * ys);
      gy[m] = over * (dt[m] * xs - ds[m] * xt);
      u += gx[m] * phi[m][0];
      v += gy[m] * phi[m][0];
    }
    const double base = 1 + 0.2 * (mach2 - u * u - v * v); /* its power 1 / 0.4 is the density */
    const double slope = base * sqrt(base) * area / 4, mass = slope * base;
    for (int m = 0; m < 4; m++) flow[m] = u * gx[m] + v * gy[m];
    for (int i = 0; i < 4; i++) {
      r[i][0] += mass * flow[i];
      for (int j = 0; j < 4; j++)
        K[i][j] += mass * (gx[i] * gx[j] + gy[i] * gy[j]) - slope * flow[i] * flow[j];
    }
  }
})

PL_KERNEL(move, (double *phi, const double *step, double *sum), {
  phi[0] -= step[0];
  *sum += step[0] * step[0];
})

/* The speed in the middle of a cell over that of the free stream. */
PL_KERNEL(cell_speed, (const double x[4][2], const double phi[4][1], double *result), {
  const double ds[4] = {-0.5, 0.5, 0.5, -0.5}, dt[4] = {-0.5, -0.5, 0.5, 0.5};
  double xs = 0, xt = 0, ys = 0, yt = 0, ps = 0, pt = 0;
  for (int m = 0; m < 4; m++) {
    xs += ds[m] * x[m][0];
    xt += dt[m] * x[m][0];
    ys += ds[m] * x[m][1];
    yt += dt[m] * x[m][1];
    ps += ds[m] * phi[m][0];
    pt += dt[m] * phi[m][0];
  }
  const double u = ps * yt - pt * ys, v = pt * xs - ps * xt;
  *result = sqrt(u * u + v * v) / (0.1 * fabs(xs * yt - xt * ys));
})

/* ---- the problem ---- */

typedef struct settings {
  int size[2];
  int64_t steps, iterations;
  const char *json;
  output_files files;
  bool check;
} settings;

typedef struct problem {
  pl_set *cells, *nodes, *far;
  pl_map *corner;
  pl_dat *x, *phi, *residual, *step;
  pl_sparsity *sparsity;
  pl_mat *jacobian;
  pl_solver *solver;
  pl_global *sum;
} problem;

typedef struct outcome {
  int64_t iterations;
  double rms, seconds;
  double checked; /* the rms of the step that has a reference */
} outcome;

/* The rms of a step of at most 200 iterations: those of a program in NumPy and SciPy that shares nothing with
 * this one, and the published one of OP2's program. */
typedef struct reference {
  int size[2], step;
  double rms;
} reference;

static const reference references[] = {
  {{20, 30}, 6, 9.789803651e-09}, {{40, 60}, 8, 1.785663459e-10}, {{400, 600}, 20, 5.644214176463586e-07}};

/* NULL: there is none for these settings. */
static const reference *find_reference(const settings *set)
{
  for (size_t k = 0; k < sizeof references / sizeof *references; k++) {
    const reference *r = &references[k];
    if (r->size[0] == set->size[0] && r->size[1] == set->size[1] && r->step <= set->steps &&
        set->iterations == 200)
      return r;
  }
  return NULL;
}

static void declare_flow(pl_context *pl, problem *p, const aero_mesh *mesh)
{
  double *phi = malloc(((size_t)mesh->nnode + 1) * sizeof *phi);
  if (!phi) PL_OK(pl, PL_ERR_MEMORY);
  for (int n = 0; n < mesh->nnode; n++) phi[n] = mach * mesh->x[2 * n];
  PL_OK(pl, pl_decl_dat(p->nodes, 2, PL_DOUBLE, mesh->x, "x", &p->x));
  PL_OK(pl, pl_decl_dat(p->nodes, 1, PL_DOUBLE, phi, "phi", &p->phi));
  PL_OK(pl, pl_decl_dat(p->nodes, 1, PL_DOUBLE, NULL, "residual", &p->residual));
  PL_OK(pl, pl_decl_dat(p->nodes, 1, PL_DOUBLE, NULL, "step", &p->step));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &p->sum));
  free(phi);
}

/* As OP2's program: conjugate gradients without preconditioner reduce the residual to a tenth. */
static void declare_solver(pl_context *pl, problem *p, const settings *set)
{
  const pl_map_pair pair = {p->corner, p->corner};
  const pl_solver_options options = {
    .method = "cg", .preconditioner = "none", .rtol = 0.1, .iterations = (int)set->iterations};
  PL_OK(pl, pl_decl_sparsity(p->nodes, 1, p->nodes, 1, 1, &pair, "coupled", &p->sparsity));
  PL_OK(pl, pl_decl_mat(p->sparsity, PL_DOUBLE, "jacobian", &p->jacobian));
  PL_OK(pl, pl_decl_solver(p->jacobian, &options, "newton step", &p->solver));
}

/* Rank 0 declares the mesh; pl_partition distributes it. */
static void declare(pl_context *pl, problem *p, const settings *set, const aero_mesh *mesh)
{
  PL_OK(pl, pl_decl_set(pl, mesh->ncell, "cells", &p->cells));
  PL_OK(pl, pl_decl_set(pl, mesh->nnode, "nodes", &p->nodes));
  PL_OK(pl, pl_decl_map(p->cells, p->nodes, 4, mesh->cell, "corner", &p->corner));
  PL_OK(pl, pl_decl_subset(p->nodes, mesh->nfar, mesh->far, "far", &p->far));
  declare_flow(pl, p, mesh);
  PL_OK(pl, pl_partition(p->nodes, PL_PARTITION_BISECTION, &(pl_partition_options){.coords = p->x}));
  declare_solver(pl, p, set);
}

static void assemble(pl_context *pl, problem *p)
{
  PL_OK(pl, pl_par_loop(cell_flow, p->cells, pl_arg_dat(p->x, PL_ALL, p->corner, PL_READ),
                        pl_arg_dat(p->phi, PL_ALL, p->corner, PL_READ),
                        pl_arg_zeroed(pl_arg_mat(p->jacobian, p->corner, p->corner, PL_INC)),
                        pl_arg_zeroed(pl_arg_dat(p->residual, PL_ALL, p->corner, PL_INC))));
  PL_OK(pl, pl_mat_zero_rows(p->jacobian, p->far, 1.0)); /* phi stays there */
  PL_OK(pl, pl_dat_zero_subset(p->residual, p->far));
}

/* A step may end at the limit of iterations: the next one goes on from there. */
static int solve(pl_context *pl, problem *p)
{
  pl_solver_result result;
  const pl_err err = pl_solver_run(p->solver, p->step, p->residual, &result);
  if (result.reason != PL_SOLVER_ITERATIONS) PL_OK(pl, err);
  return result.iterations;
}

/* Newton's method. The root mean square of the last step is the result that is compared. */
static void run_steps(pl_context *pl, problem *p, const settings *set, outcome *o)
{
  double sum = 0;
  const reference *known = find_reference(set);
  const double begin = wall_seconds(), nodes = (double)pl_set_global_size(p->nodes);
  progress shown;
  progress_begin(&shown, pl_rank(pl), "steps", 0, set->steps);
  for (int step = 1; step <= set->steps; step++) {
    assemble(pl, p);
    const int iterations = solve(pl, p);
    PL_OK(pl, pl_global_zero(p->sum));
    PL_OK(pl, pl_par_loop(move, p->nodes, pl_arg_direct(p->phi, PL_RW), pl_arg_direct(p->step, PL_READ),
                          pl_arg_gbl(p->sum, PL_INC)));
    PL_OK(pl, pl_global_get(p->sum, &sum));
    o->iterations += iterations;
    o->rms = sqrt(sum / nodes);
    if (known && step == known->step) o->checked = o->rms;
    progress_clear(&shown);
    if (!pl_rank(pl)) printf("%3d  %3d iterations  %.8e\n", step, iterations, o->rms);
    progress_step(&shown, step);
  }
  progress_clear(&shown);
  o->seconds = wall_seconds() - begin;
}

/* ---- output ---- */

/* The speed near the aerofoil. */
static bool write_files(pl_context *pl, const problem *p, const output_files *files)
{
  pl_dat *speed;
  PL_OK(pl, pl_decl_dat(p->cells, 1, PL_DOUBLE, NULL, "speed", &speed));
  PL_OK(pl, pl_par_loop(cell_speed, p->cells, pl_arg_dat(p->x, PL_ALL, p->corner, PL_READ),
                        pl_arg_dat(p->phi, PL_ALL, p->corner, PL_READ), pl_arg_direct(speed, PL_WRITE)));
  const picture drawn = {.title = "Speed, free stream 1",
                         .x = p->x,
                         .corners = p->corner,
                         .value = speed,
                         .window = {-0.5, 1.5, -0.75, 0.75},
                         .range = {0.6, 1.2}};
  const bool good = output_write(pl, "aero", files, &drawn);
  pl_dat_free(&speed);
  return good;
}

static bool write_json(pl_context *pl, const settings *set, int ncell, const outcome *o)
{
  json_writer json;
  if (!set->json || pl_rank(pl)) return true;
  if (!output_json_open(pl, "aero", set->json, &json)) return false;
  json_integer(&json, "cells", ncell);
  json_integer(&json, "steps", set->steps);
  json_integer(&json, "iterations", o->iterations);
  json_number(&json, "rms", o->rms);
  json_number(&json, "seconds", o->seconds);
  return output_json_close("aero", set->json, &json);
}

static bool check(pl_context *pl, const settings *set, const outcome *o)
{
  const reference *known = find_reference(set);
  if (!known)
    return output_error("aero", "--check", "there are references for --size 20x30, 40x60 and 400x600 only");
  const double error = fabs(o->checked / known->rms - 1);
  const bool good = error <= 2e-4;
  if (!pl_rank(pl))
    printf("aero: rms of step %d is %.9e, %.4f %% from %.9e: %s\n", known->step, o->checked, 100 * error,
           known->rms, good ? "ok" : "WRONG");
  return good;
}

static bool run(pl_context *pl, const settings *set)
{
  static const aero_mesh none = {0};
  aero_mesh mesh;
  problem p;
  outcome o = {0};
  if (!aero_mesh_make(&mesh, set->size[0], set->size[1])) return false;
  declare(pl, &p, set, pl_rank(pl) ? &none : &mesh);
  run_steps(pl, &p, set, &o);
  if (!pl_rank(pl))
    printf("aero: %d cells, %lld iterations in %.2f s\n", mesh.ncell, (long long)o.iterations, o.seconds);
  bool good = !set->check || check(pl, set, &o);
  good &= write_files(pl, &p, &set->files);
  good &= write_json(pl, set, mesh.ncell, &o);
  pl_solver_free(&p.solver);
  aero_mesh_free(&mesh);
  return good;
}

int main(int argc, char **argv)
{
  settings set = {.size = {40, 60}, .steps = 20, .iterations = 200};
  const option_row rows[] = {
    {"size", "IxJ", OPTION_SIZE, set.size, 0, 0, "make a mesh of 3 I J cells"},
    {"steps", "N", OPTION_INTEGER, &set.steps, 0, 1000000, "steps of Newton's method"},
    {"iterations", "N", OPTION_INTEGER, &set.iterations, 1, 1000000, "iterations of a step at most"},
    {"json", "FILE", OPTION_TEXT, &set.json, 0, 0, "write iterations, rms and time"},
    OUTPUT_OPTIONS(&set.files, "the speed near the aerofoil", "mesh and flow"),
    {"check", "", OPTION_FLAG, &set.check, 0, 0, "compare the rms with the reference"},
    {0}};
  const option_program program = {"aero", "Potential flow round an aerofoil by finite elements.",
                                  "PLAIT_BACKEND selects the backend (seq, openmp, cuda, hip, opencl).",
                                  true};
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  pl_context *pl = open_plait(program.name, &argc, &argv);
  const bool good = run(pl, &set);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
