/* SPDX-License-Identifier: BSD-2-Clause
 * elasticity: a beam of ten by one by one bends under its weight, clamped at one end. Quadratic tetrahedra,
 * three unknowns a node, so the matrix has blocks of 3 x 3; the kernels come from elasticity.py. The
 * deflection of the free end is compared with Timoshenko's theory of beams (Timoshenko and Goodier, Theory of
 * Elasticity, chapter 3; shear coefficient by Cowper 1966), which has an error of its own, and with a
 * converged solution.
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
#include "../common/tetra_mesh.h"
#include "elasticity.plait.h"

enum { DOFS = 10 }; /* nodes of a tetrahedron: four vertices, then six edges */

static const double length[3] = {10, 1, 1}, young = 1e4, poisson = 0.3, weight = 1;

/* The deflection of the exact solution, extrapolated from sizes 2, 4 and 8, whose differences fall by 3.4. */
static const double limit_deflection = 1.5020;
/* Deflections of sizes 1 and 2 by another library (scikit-fem, same meshes and elements, direct solution). */
static const double reference_deflection[2] = {1.4680872, 1.4935372};

typedef struct settings {
  int64_t size;
  const char *preconditioner, *json;
  output_files files;
  bool check;
} settings;

/* ---- nodes ---- */

/* The nodes are the vertices, then the middles of the edges. */
typedef struct body {
  tetra_mesh mesh;
  int nnode, nclamped;
  int *node, *clamped; /* DOFS a cell; nodes at x = 0 */
  double *place;       /* 3 a node */
} body;

static void place_nodes(body *b)
{
  const tetra_mesh *m = &b->mesh;
  memcpy(b->place, m->place, 3 * (size_t)m->nvertex * sizeof *b->place);
  for (int e = 0; e < m->nedge; e++)
    for (int d = 0; d < 3; d++)
      b->place[3 * (m->nvertex + e) + d] =
        (m->place[3 * m->end[2 * e] + d] + m->place[3 * m->end[2 * e + 1] + d]) / 2;
  for (int c = 0; c < m->ncell; c++) {
    for (int k = 0; k < 4; k++) b->node[DOFS * c + k] = m->corner[4 * c + k];
    for (int k = 0; k < 6; k++) b->node[DOFS * c + 4 + k] = m->nvertex + m->edge[6 * c + k];
  }
  for (int i = 0; i < b->nnode; i++)
    if (b->place[3 * i] == 0) b->clamped[b->nclamped++] = i;
}

static void free_body(body *b)
{
  tetra_mesh_free(&b->mesh);
  free(b->node);
  free(b->clamped);
  free(b->place);
}

static bool make_body(body *b, int size)
{
  *b = (body){0};
  if (!tetra_mesh_make(&b->mesh, (int[]){10 * size, size, size}, length)) return false;
  b->nnode = b->mesh.nvertex + b->mesh.nedge;
  b->node = malloc(DOFS * (size_t)b->mesh.ncell * sizeof *b->node);
  b->clamped = malloc((size_t)b->nnode * sizeof *b->clamped);
  b->place = malloc(3 * (size_t)b->nnode * sizeof *b->place);
  const bool good = b->node && b->clamped && b->place;
  if (good)
    place_nodes(b);
  else
    free_body(b);
  return good;
}

/* ---- the problem ---- */

typedef struct problem {
  pl_set *cells, *vertices, *nodes, *clamped;
  pl_map *corner, *node;
  pl_dat *x, *u, *b;
  pl_global *moduli, *load;
  pl_sparsity *sparsity;
  pl_mat *A;
} problem;

/* Rank 0 declares the body; pl_partition distributes it. */
static void declare(pl_context *pl, problem *p, const body *b)
{
  const tetra_mesh *m = &b->mesh;
  const double moduli[2] = {young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
                            young / (2 * (1 + poisson))},
               load[3] = {0, 0, -weight};
  PL_OK(pl, pl_decl_set(pl, m->ncell, "cells", &p->cells));
  PL_OK(pl, pl_decl_set(pl, m->nvertex, "vertices", &p->vertices));
  PL_OK(pl, pl_decl_set(pl, b->nnode, "nodes", &p->nodes));
  PL_OK(pl, pl_decl_map(p->cells, p->vertices, 4, m->corner, "corner", &p->corner));
  PL_OK(pl, pl_decl_map(p->cells, p->nodes, DOFS, b->node, "node", &p->node));
  PL_OK(pl, pl_decl_dat(p->vertices, 3, PL_DOUBLE, m->place, "x", &p->x));
  PL_OK(pl, pl_decl_dat(p->nodes, 3, PL_DOUBLE, NULL, "u", &p->u));
  PL_OK(pl, pl_decl_dat(p->nodes, 3, PL_DOUBLE, NULL, "b", &p->b));
  PL_OK(pl, pl_decl_global(pl, 2, PL_DOUBLE, moduli, "moduli", &p->moduli));
  PL_OK(pl, pl_decl_global(pl, 3, PL_DOUBLE, load, "load", &p->load));
  PL_OK(pl, pl_decl_subset(p->nodes, b->nclamped, b->clamped, "clamped", &p->clamped));
  PL_OK(pl, pl_partition(p->vertices, PL_PARTITION_BISECTION, &(pl_partition_options){.coords = p->x}));
  const pl_map_pair pair = {p->node, p->node};
  PL_OK(pl, pl_decl_sparsity(p->nodes, 3, p->nodes, 3, 1, &pair, "P2", &p->sparsity));
  PL_OK(pl, pl_decl_mat(p->sparsity, PL_DOUBLE, "A", &p->A));
}

static void undeclare(problem *p)
{
  pl_mat_free(&p->A);
  pl_sparsity_free(&p->sparsity);
  pl_global_free(&p->load);
  pl_global_free(&p->moduli);
  pl_dat_free(&p->b);
  pl_dat_free(&p->u);
  pl_dat_free(&p->x);
  pl_map_free(&p->node);
  pl_map_free(&p->corner);
  pl_set_free(&p->clamped);
  pl_set_free(&p->nodes);
  pl_set_free(&p->vertices);
  pl_set_free(&p->cells);
}

static void assemble(pl_context *pl, problem *p)
{
  const pl_arg x = pl_arg_dat(p->x, PL_ALL, p->corner, PL_READ), none = pl_arg_ptr(NULL);
  PL_OK(pl, elements_integrate(elasticity_a_cell, p->cells, pl_arg_mat(p->A, p->node, p->node, PL_INC), none,
                               pl_arg_gbl(p->moduli, PL_READ), x));
  PL_OK(pl, elements_integrate(elasticity_L_cell, p->cells, pl_arg_dat(p->b, PL_ALL, p->node, PL_INC), none,
                               pl_arg_gbl(p->load, PL_READ), x));
  PL_OK(pl, pl_mat_zero_rows(p->A, p->clamped, 1.0));
  PL_OK(pl, pl_dat_zero_subset(p->b, p->clamped));
}

static int solve(pl_context *pl, problem *p, const char *preconditioner)
{
  progress_norm shown;
  const pl_solver_options options = {.method = "cg",
                                     .preconditioner = preconditioner,
                                     .rtol = 1e-10,
                                     .monitor = progress_norm_step,
                                     .user = &shown};
  pl_solver *solver;
  pl_solver_result result;
  PL_OK(pl, pl_decl_solver(p->A, &options, "elasticity", &solver));
  progress_norm_begin(&shown, pl_rank(pl), options.rtol);
  PL_OK(pl, pl_solver_run(solver, p->u, p->b, &result));
  progress_clear(&shown.shown);
  pl_solver_free(&solver);
  return result.iterations;
}

/* ---- results ---- */

/* The deflection of the middle of the free end, downwards. Rank 0 has all nodes. */
static double deflection(const body *b, const double *u)
{
  for (int i = 0; i < b->nnode; i++)
    if (b->place[3 * i] == length[0] && fabs(b->place[3 * i + 1] - length[1] / 2) < 1e-12 &&
        fabs(b->place[3 * i + 2] - length[2] / 2) < 1e-12)
      return -u[3 * i + 2];
  return NAN;
}

/* By Timoshenko's theory: bending and shear under a uniform load. */
static double beam_deflection(void)
{
  const double area = length[1] * length[2], inertia = area * length[2] * length[2] / 12, q = weight * area,
               shear = young / (2 * (1 + poisson)),
               coefficient = 10 * (1 + poisson) / (12 + 11 * poisson); /* of a rectangle */
  return q * pow(length[0], 4) / (8 * young * inertia) +
         q * length[0] * length[0] / (2 * coefficient * shear * area);
}

/* The bent beam from its side, with the vertical displacement. */
static bool write_files(pl_context *pl, const problem *p, const output_files *files)
{
  const picture drawn = {.title = "Vertical displacement",
                         .x = p->x,
                         .corners = p->corner,
                         .tetrahedra = true,
                         .value = p->u,
                         .component = 2,
                         .move = p->u,
                         .value_map = p->node,
                         .axes = {0, 2},
                         .window = {0, length[0], -2, length[2]}};
  return output_write(pl, "elasticity", files, &drawn);
}

typedef struct result {
  int nodes, iterations;
  double deflection;
} result;

static bool write_json(pl_context *pl, const settings *set, int size, const result *r)
{
  json_writer json;
  if (!set->json || pl_rank(pl)) return true;
  if (!output_json_open(pl, "elasticity", set->json, &json)) return false;
  json_integer(&json, "size", size);
  json_integer(&json, "nodes", r->nodes);
  json_integer(&json, "iterations", r->iterations);
  json_number(&json, "deflection", r->deflection);
  json_number(&json, "beam", beam_deflection());
  return output_json_close("elasticity", set->json, &json);
}

/* Rank 0 alone has the body, and the result. */
static bool run(pl_context *pl, const settings *set, int size, result *r)
{
  body b = {0};
  problem p;
  if (!pl_rank(pl) && !make_body(&b, size))
    return output_error("elasticity", "--size", "no memory for the mesh");
  double *u = malloc((3 * (size_t)b.nnode + 1) * sizeof *u);
  if (!u) return output_error("elasticity", "--size", "no memory");
  declare(pl, &p, &b);
  assemble(pl, &p);
  *r = (result){.nodes = b.nnode, .iterations = solve(pl, &p, set->preconditioner)};
  PL_OK(pl, pl_dat_fetch(p.u, u));
  r->deflection = pl_rank(pl) ? 0 : deflection(&b, u);
  if (!pl_rank(pl))
    printf("elasticity: %d tetrahedra, %d nodes, %d iterations, deflection %.6f, of a beam %.6f\n",
           b.mesh.ncell, b.nnode, r->iterations, r->deflection, beam_deflection());
  const bool good = write_files(pl, &p, &set->files);
  undeclare(&p);
  free_body(&b);
  free(u);
  return write_json(pl, set, size, r) && good;
}

/* The deflections are those of another library, the error falls from a mesh to the next, and the theory of
 * beams, which neglects how the clamp holds the cross section, holds within 2 %. */
static bool check(pl_context *pl, const settings *set)
{
  result r[2];
  double error[2], difference = 0;
  for (int k = 0; k < 2; k++) {
    if (!run(pl, set, 1 + k, &r[k])) return false;
    error[k] = fabs(r[k].deflection / limit_deflection - 1);
    difference = fmax(difference, fabs(r[k].deflection - reference_deflection[k]));
  }
  if (pl_rank(pl)) return true;
  const double theory = fabs(r[1].deflection / beam_deflection() - 1);
  const bool good = difference < 1e-7 && error[1] < error[0] / 3 && error[1] < 0.007 && theory < 0.02;
  printf(
    "elasticity: %.0e from the reference, %.2f and %.2f %% from the converged solution, %.2f %% from the "
    "theory of beams: %s\n",
    difference, 100 * error[0], 100 * error[1], 100 * theory, good ? "ok" : "WRONG");
  return good;
}

int main(int argc, char **argv)
{
  settings set = {.size = 2, .preconditioner = "block_jacobi"};
  const option_row rows[] = {
    {"size", "N", OPTION_INTEGER, &set.size, 1, 100, "cubes along the height, of six tetrahedra each"},
    {"preconditioner", "NAME", OPTION_TEXT, &set.preconditioner, 0, 0,
     "of conjugate gradients, such as ssor"},
    {"json", "FILE", OPTION_TEXT, &set.json, 0, 0, "write the results"},
    OUTPUT_OPTIONS(&set.files, "the bent beam", "mesh and solution"),
    {"check", "", OPTION_FLAG, &set.check, 0, 0, "compare with the theory of beams and a converged solution"},
    {0}};
  const option_program program = {
    "elasticity", "A beam that bends under its weight, by quadratic tetrahedra.",
    "PLAIT_BACKEND selects the backend (seq, openmp, cuda, hip, opencl).", true};
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  pl_context *pl;
  result r;
  pl = open_plait(program.name, &argc, &argv);
  const bool good = set.check ? check(pl, &set) : run(pl, &set, (int)set.size, &r);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
