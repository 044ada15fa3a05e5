/* SPDX-License-Identifier: BSD-2-Clause
 * forms: small problems of linear finite elements, as in the demos of PyOP2: projections by mass matrices of
 * one and of two values a node, Laplace's equation with values on the boundary and with a flux through a part
 * of it, advection and diffusion of a pulse. All kernels come from forms.py.
 */
#include "plait.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/elements.h"
#include "../common/open.h"
#include "../common/options.h"
#include "../common/output.h"
#include "../common/picture.h"
#include "../common/progress.h"
#include "../common/triangle_mesh.h"
#include "forms.plait.h"

/* ---- the mesh ---- */

/* Facets on the upper side, y = 1: the triangle's corners, and the number of the facet in the triangle. */
typedef struct mesh_lists {
  int nupper, nends, nlower;
  int *upper, *number; /* 3 a facet; 1 a facet */
  int *ends, *lower;   /* nodes with y = 0 or 1; with y = 0 */
  double *place;       /* 3 a node, as the kernels expect; the third is 0 */
} mesh_lists;

static void fill_lists(mesh_lists *l, const triangle_mesh *m)
{
  for (int v = 0; v < m->nvertex; v++) {
    const double y = m->place[2 * v + 1];
    for (int d = 0; d < 3; d++) l->place[3 * v + d] = d < 2 ? m->place[2 * v + d] : 0;
    if (y == 0 || y == 1) l->ends[l->nends++] = v;
    if (y == 0) l->lower[l->nlower++] = v;
  }
  for (int e = 0; e < 3 * m->ncell; e++) {
    const int *corner = m->corner + e / 3 * 3;
    if (m->place[2 * corner[(e + 1) % 3] + 1] != 1 || m->place[2 * corner[(e + 2) % 3] + 1] != 1) continue;
    memcpy(l->upper + 3 * l->nupper, corner, 3 * sizeof *corner);
    l->number[l->nupper++] = e % 3;
  }
}

static void free_lists(mesh_lists *l)
{
  free(l->upper);
  free(l->number);
  free(l->ends);
  free(l->lower);
  free(l->place);
}

static bool make_lists(mesh_lists *l, const triangle_mesh *m)
{
  const size_t n = (size_t)m->nvertex + 1, facets = 3 * (size_t)m->ncell + 1;
  *l = (mesh_lists){.upper = malloc(3 * facets * sizeof(int)),
                    .number = malloc(facets * sizeof(int)),
                    .ends = malloc(n * sizeof(int)),
                    .lower = malloc(n * sizeof(int)),
                    .place = malloc(3 * n * sizeof(double))};
  const bool good = l->upper && l->number && l->ends && l->lower && l->place;
  if (good)
    fill_lists(l, m);
  else
    free_lists(l);
  return good;
}

typedef struct discretisation {
  pl_context *pl;
  pl_set *cells, *nodes, *upper, *boundary, *ends, *lower;
  pl_map *corner, *beside; /* nodes of a triangle; of the triangle at a facet */
  pl_dat *x, *number;
  pl_sparsity *sparsity[2]; /* of one and of two values a node */
} discretisation;

/* Rank 0 declares the mesh; pl_partition distributes it. */
static void declare(discretisation *w, const triangle_mesh *mesh, const mesh_lists *l)
{
  pl_context *pl = w->pl;
  PL_OK(pl, pl_decl_set(pl, mesh->ncell, "cells", &w->cells));
  PL_OK(pl, pl_decl_set(pl, mesh->nvertex, "nodes", &w->nodes));
  PL_OK(pl, pl_decl_set(pl, l->nupper, "upper facets", &w->upper));
  PL_OK(pl, pl_decl_map(w->cells, w->nodes, 3, mesh->corner, "corner", &w->corner));
  PL_OK(pl, pl_decl_map(w->upper, w->nodes, 3, l->upper, "beside", &w->beside));
  PL_OK(pl, pl_decl_dat(w->nodes, 3, PL_DOUBLE, l->place, "x", &w->x));
  PL_OK(pl, pl_decl_dat(w->upper, 1, PL_INT32, l->number, "number", &w->number));
  w->boundary = elements_boundary(pl, w->nodes, mesh);
  PL_OK(pl, pl_decl_subset(w->nodes, l->nends, l->ends, "ends", &w->ends));
  PL_OK(pl, pl_decl_subset(w->nodes, l->nlower, l->lower, "lower", &w->lower));
  PL_OK(pl, pl_partition(w->nodes, PL_PARTITION_BISECTION, &(pl_partition_options){.coords = w->x}));
  const pl_map_pair pair = {w->corner, w->corner};
  for (int i = 0; i < 2; i++)
    PL_OK(pl, pl_decl_sparsity(w->nodes, 1 + i, w->nodes, 1 + i, 1, &pair, "P1", &w->sparsity[i]));
}

static void undeclare(discretisation *w)
{
  for (int i = 0; i < 2; i++) pl_sparsity_free(&w->sparsity[i]);
  pl_dat_free(&w->number);
  pl_dat_free(&w->x);
  pl_map_free(&w->beside);
  pl_map_free(&w->corner);
  pl_set_free(&w->lower);
  pl_set_free(&w->ends);
  pl_set_free(&w->boundary);
  pl_set_free(&w->upper);
  pl_set_free(&w->nodes);
  pl_set_free(&w->cells);
}

/* ---- parts of all problems ---- */

static pl_dat *new_dat(const discretisation *w, int dim, const char *name)
{
  pl_dat *dat;
  PL_OK(w->pl, pl_decl_dat(w->nodes, dim, PL_DOUBLE, NULL, name, &dat));
  return dat;
}

static pl_global *new_global(const discretisation *w, int dim, const double *values, const char *name)
{
  pl_global *global;
  PL_OK(w->pl, pl_decl_global(w->pl, dim, PL_DOUBLE, values, name, &global));
  return global;
}

static pl_arg places(const discretisation *w)
{
  return pl_arg_dat(w->x, PL_ALL, w->corner, PL_READ);
}

/* The matrix of a form, with the rows of a subset (NULL: none) as in the identity. */
static pl_mat *assemble(const discretisation *w, const pl_kernel *kernel, int values, pl_arg c, pl_set *fixed)
{
  pl_mat *A;
  PL_OK(w->pl, pl_decl_mat(w->sparsity[values - 1], PL_DOUBLE, "A", &A));
  PL_OK(w->pl, elements_integrate(kernel, w->cells, pl_arg_mat(A, w->corner, w->corner, PL_INC),
                                  pl_arg_ptr(NULL), c, places(w)));
  if (fixed) PL_OK(w->pl, pl_mat_zero_rows(A, fixed, 1.0));
  return A;
}

static void add_load(const discretisation *w, const pl_kernel *kernel, pl_dat *b, pl_dat *f)
{
  PL_OK(w->pl, elements_integrate(kernel, w->cells, pl_arg_dat(b, PL_ALL, w->corner, PL_INC),
                                  pl_arg_dat(f, PL_ALL, w->corner, PL_READ), pl_arg_ptr(NULL), places(w)));
}

PL_KERNEL(polynomial, (const double *x, double *f), { f[0] = (x[0] + x[1]) * (x[0] + 2 * x[1]) + 1; })
PL_KERNEL(polynomials, (const double *x, double *f), {
  f[0] = (x[0] + x[1]) * (x[0] + 2 * x[1]) + 1;
  f[1] = x[0] - 3 * x[1] * x[1];
})
PL_KERNEL(height, (const double *x, double *f), { f[0] = x[1]; })

static void set_values(const discretisation *w, const pl_kernel *kernel, pl_set *where, pl_dat *f)
{
  PL_OK(w->pl, pl_par_loop(kernel, where, pl_arg_direct(w->x, PL_READ), pl_arg_direct(f, PL_WRITE)));
}

/* The norm of u - f over that of f; u is overwritten. */
static double relative_difference(const discretisation *w, pl_dat *u, pl_dat *f)
{
  double difference, norm;
  PL_OK(w->pl, pl_dat_axpy(-1, f, u));
  PL_OK(w->pl, pl_dat_norm(u, &difference));
  PL_OK(w->pl, pl_dat_norm(f, &norm));
  return difference / norm;
}

/* ---- the problems: each returns its error ---- */

/* The projection of a function that the elements hold is the function itself. */
static double project(const discretisation *w, int values)
{
  static const pl_kernel *const mass[] = {forms_mass_cell, forms_vector_mass_cell},
                                *const load[] = {forms_load_cell, forms_vector_load_cell},
                                *const function[] = {polynomial, polynomials};
  const pl_solver_options options = {.rtol = 1e-12};
  pl_dat *f = new_dat(w, values, "f"), *u = new_dat(w, values, "u"), *b = new_dat(w, values, "b");
  pl_mat *M = assemble(w, mass[values - 1], values, pl_arg_ptr(NULL), NULL);
  set_values(w, function[values - 1], w->nodes, f);
  add_load(w, load[values - 1], b, f);
  PL_OK(w->pl, pl_solve(M, u, b, &options));
  const double error = relative_difference(w, u, f);
  pl_mat_free(&M);
  pl_dat_free(&b);
  pl_dat_free(&u);
  pl_dat_free(&f);
  return error;
}

/* Laplace's equation with the solution u = y, which linear elements hold: its values are given on the lower
 * side and, on the upper one, its values or its flux, 1. The first guess has the given values, so that the
 * rows of these nodes have no residual and the matrix acts as a symmetric one. */
static double solve_laplace(const discretisation *w, bool flux)
{
  const pl_solver_options options = {.rtol = 1e-15, .guess = 1};
  const pl_arg none = pl_arg_ptr(NULL);
  pl_set *fixed = flux ? w->lower : w->ends;
  pl_dat *y = new_dat(w, 1, "y"), *u = new_dat(w, 1, "u"), *b = new_dat(w, 1, "b");
  pl_mat *A = assemble(w, forms_laplace_cell, 1, none, fixed);
  if (flux)
    PL_OK(w->pl, pl_par_loop(forms_flux_exterior_facet, w->upper, pl_arg_dat(b, PL_ALL, w->beside, PL_INC),
                             none, none, pl_arg_dat(w->x, PL_ALL, w->beside, PL_READ),
                             pl_arg_direct(w->number, PL_READ), none, none));
  set_values(w, height, fixed, b);
  set_values(w, height, fixed, u);
  PL_OK(w->pl, pl_solve(A, u, b, &options));
  set_values(w, height, w->nodes, y);
  const double error = relative_difference(w, u, y);
  pl_mat_free(&A);
  pl_dat_free(&b);
  pl_dat_free(&u);
  pl_dat_free(&y);
  return error;
}

/* ---- advection and diffusion ---- */

static const double start_time = 1, end_time = 1.5, diffusivity = 0.01, wind[2] = {0.4, 0.4};

/* A pulse in an infinite plane; the boundary values are those that it has there. */
PL_KERNEL(pulse, (const double *x, const double *c, double *u), {
  const double pi = 3.141592653589793;
  const double a = x[0] - c[2] * c[0];
  const double b = x[1] - c[3] * c[0];
  u[0] = exp(-(a * a + b * b) / (4 * c[1] * c[0])) / (4 * pi * c[1] * c[0]);
})

static void set_pulse(const discretisation *w, pl_set *where, pl_global *c, double time, pl_dat *u)
{
  const double values[] = {time, diffusivity, wind[0], wind[1]};
  PL_OK(w->pl, pl_global_set(c, values));
  PL_OK(w->pl, pl_par_loop(pulse, where, pl_arg_direct(w->x, PL_READ), pl_arg_gbl(c, PL_READ),
                           pl_arg_direct(u, PL_WRITE)));
}

/* Steps of Crank and Nicolson, as many as squares along a side; u holds the pulse at the end. */
static void advance(const discretisation *w, int steps, pl_global *now, pl_dat *u)
{
  const double dt = (end_time - start_time) / steps, change[] = {dt, diffusivity, wind[0], wind[1]};
  const pl_solver_options options = {.method = "bicgstab", .rtol = 1e-10, .guess = 1};
  pl_dat *b = new_dat(w, 1, "b");
  pl_global *c = new_global(w, 4, change, "change");
  pl_mat *after = assemble(w, forms_after_cell, 1, pl_arg_gbl(c, PL_READ), w->boundary),
         *before = assemble(w, forms_before_cell, 1, pl_arg_gbl(c, PL_READ), NULL);
  pl_solver *solver;
  PL_OK(w->pl, pl_decl_solver(after, &options, "step", &solver));
  set_pulse(w, w->nodes, now, start_time, u);
  progress shown;
  progress_begin(&shown, pl_rank(w->pl), "steps", 0, steps);
  for (int k = 1; k <= steps; k++) {
    PL_OK(w->pl, pl_mat_multiply(before, u, b));
    set_pulse(w, w->boundary, now, start_time + k * dt, b);
    PL_OK(w->pl, pl_solver_run(solver, u, b, NULL));
    progress_step(&shown, k);
  }
  progress_clear(&shown);
  pl_solver_free(&solver);
  pl_mat_free(&before);
  pl_mat_free(&after);
  pl_global_free(&c);
  pl_dat_free(&b);
}

/* The error in L2. Draws and saves the pulse at the end. */
static bool carry_pulse(const discretisation *w, int steps, const output_files *files, double *error)
{
  pl_dat *u = new_dat(w, 1, "u");
  pl_global *c = new_global(w, 4, NULL, "time");
  advance(w, steps, c, u);
  const double square =
    elements_functional(w->pl, forms_pulse_error_cell, w->cells, pl_arg_dat(u, PL_ALL, w->corner, PL_READ),
                        pl_arg_gbl(c, PL_READ), places(w));
  const picture drawn = {.title = "Pulse at the end", .x = w->x, .corners = w->corner, .value = u};
  const bool good = output_write(w->pl, "forms", files, &drawn);
  pl_global_free(&c);
  pl_dat_free(&u);
  *error = sqrt(square);
  return good;
}

/* ---- the program ---- */

typedef struct settings {
  int64_t side, seed;
  const char *json;
  output_files files;
  bool check;
} settings;

enum { MASS, VECTOR_MASS, VALUES, FLUX, PULSE, PROBLEMS };
static const char *const names[PROBLEMS] = {"mass", "mass_vector", "laplace", "weak_bcs", "adv_diff"};

static bool write_json(pl_context *pl, const settings *set, int side, const double *error)
{
  json_writer json;
  if (!set->json || pl_rank(pl)) return true;
  if (!output_json_open(pl, "forms", set->json, &json)) return false;
  json_integer(&json, "side", side);
  for (int i = 0; i < PROBLEMS; i++) json_number(&json, names[i], error[i]);
  return output_json_close("forms", set->json, &json);
}

static bool solve_all(discretisation *w, const settings *set, int side, const triangle_mesh *mesh,
                      double *error)
{
  mesh_lists l;
  if (!make_lists(&l, mesh)) return output_error("forms", "--side", "no memory");
  declare(w, mesh, &l);
  error[MASS] = project(w, 1);
  error[VECTOR_MASS] = project(w, 2);
  error[VALUES] = solve_laplace(w, false);
  error[FLUX] = solve_laplace(w, true);
  const bool good = carry_pulse(w, side, &set->files, &error[PULSE]);
  undeclare(w);
  free_lists(&l);
  return write_json(w->pl, set, side, error) && good;
}

/* All problems on one mesh. */
static bool run(pl_context *pl, const settings *set, int side, double *error)
{
  static const triangle_mesh none = {0};
  triangle_mesh mesh;
  discretisation w = {.pl = pl};
  if (!triangle_mesh_make(&mesh, side, (uint64_t)set->seed))
    return output_error("forms", "--side", "no memory for the mesh");
  const bool good = solve_all(&w, set, side, pl_rank(pl) ? &none : &mesh, error);
  if (good && !pl_rank(pl)) {
    printf("forms: %d triangles", mesh.ncell);
    for (int i = 0; i < PROBLEMS; i++) printf(", %s %.1e", names[i], error[i]);
    printf("\n");
  }
  triangle_mesh_free(&mesh);
  return good;
}

/* PyOP2's tolerances: 1e-6 for projections, 1e-12 for Laplace's equation, orders of convergence for the
 * pulse. */
static bool check(pl_context *pl, const settings *set)
{
  static const double limit[] = {1e-6, 1e-6, 1e-12, 1e-12}, least[] = {1.5, 1.85, 1.95};
  double error[4][PROBLEMS], order[3];
  bool good = true;
  for (int k = 0; k < 4; k++) {
    if (!run(pl, set, 8 << k, error[k])) return false;
    for (int i = 0; i < PULSE; i++) good &= error[k][i] < limit[i];
  }
  for (int k = 0; k < 3; k++) {
    order[k] = log2(error[k][PULSE] / error[k + 1][PULSE]);
    good &= order[k] > least[k];
  }
  if (!pl_rank(pl))
    printf("forms: the pulse converges with orders %.2f, %.2f, %.2f: %s\n", order[0], order[1], order[2],
           good ? "ok" : "WRONG");
  return good;
}

int main(int argc, char **argv)
{
  settings set = {.side = 32, .seed = 1};
  const option_row rows[] = {
    {"side", "N", OPTION_INTEGER, &set.side, 2, 5000, "squares along a side, of two triangles each"},
    {"seed", "N", OPTION_INTEGER, &set.seed, 0, INT64_MAX - 1, "seed of the mesh"},
    {"json", "FILE", OPTION_TEXT, &set.json, 0, 0, "write the errors"},
    OUTPUT_OPTIONS(&set.files, "the pulse at the end", "mesh and pulse"),
    {"check", "", OPTION_FLAG, &set.check, 0, 0, "test the errors and orders of convergence on four meshes"},
    {0}};
  const option_program program = {
    "forms", "Small problems of linear finite elements, by kernels of weak forms.",
    "PLAIT_BACKEND selects the backend (seq, openmp, cuda, hip, opencl).", true};
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  pl_context *pl;
  double error[PROBLEMS];
  pl = open_plait(program.name, &argc, &argv);
  const bool good = set.check ? check(pl, &set) : run(pl, &set, (int)set.side, error);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
