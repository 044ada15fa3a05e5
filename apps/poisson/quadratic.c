/* SPDX-License-Identifier: BSD-2-Clause
 * Quadratic elements: an unknown at each vertex and on each edge. The kernels get the unknowns of a triangle
 * through the map `dof`, vertices before edges, and its three vertices through `corner`.
 */
#include "quadratic.h"

#include <math.h>

#include "../common/elements.h"
#include "../common/output.h"
#include "../common/picture.h"
#include "../common/progress.h"
#include "../common/quadratic_space.h"
#include "poisson.plait.h"

typedef struct problem {
  pl_set *cells, *vertices, *dofs, *boundary;
  pl_map *corner, *dof;
  pl_dat *x, *u, *b;
  pl_sparsity *sparsity;
  pl_mat *A;
} problem;

/* ---- the problem ---- */

static void declare(pl_context *pl, problem *p, const triangle_mesh *mesh, const quadratic_space *s)
{
  PL_OK(pl, pl_decl_set(pl, mesh->ncell, "cells", &p->cells));
  PL_OK(pl, pl_decl_set(pl, mesh->nvertex, "vertices", &p->vertices));
  PL_OK(pl, pl_decl_set(pl, s->nnode, "unknowns", &p->dofs));
  PL_OK(pl, pl_decl_map(p->cells, p->vertices, 3, mesh->corner, "corner", &p->corner));
  PL_OK(pl, pl_decl_map(p->cells, p->dofs, QUADRATIC_NODES, s->node, "dof", &p->dof));
  PL_OK(pl, pl_decl_dat(p->vertices, 3, PL_DOUBLE, s->place, "x", &p->x));
  PL_OK(pl, pl_decl_dat(p->dofs, 1, PL_DOUBLE, NULL, "u", &p->u));
  PL_OK(pl, pl_decl_dat(p->dofs, 1, PL_DOUBLE, NULL, "b", &p->b));
  PL_OK(pl, pl_decl_subset(p->dofs, s->nboundary, s->boundary, "boundary", &p->boundary));
  PL_OK(pl, pl_partition(p->vertices, PL_PARTITION_BISECTION, &(pl_partition_options){.coords = p->x}));
  const pl_map_pair pair = {p->dof, p->dof};
  PL_OK(pl, pl_decl_sparsity(p->dofs, 1, p->dofs, 1, 1, &pair, "P2", &p->sparsity));
  PL_OK(pl, pl_decl_mat(p->sparsity, PL_DOUBLE, "A", &p->A));
}

static void undeclare(problem *p)
{
  pl_mat_free(&p->A);
  pl_sparsity_free(&p->sparsity);
  pl_dat_free(&p->b);
  pl_dat_free(&p->u);
  pl_dat_free(&p->x);
  pl_map_free(&p->dof);
  pl_map_free(&p->corner);
  pl_set_free(&p->boundary);
  pl_set_free(&p->dofs);
  pl_set_free(&p->vertices);
  pl_set_free(&p->cells);
}

static int solve(pl_context *pl, const problem *p)
{
  progress_norm shown;
  const pl_solver_options options = {
    .method = "cg", .preconditioner = "jacobi", .rtol = 1e-12, .monitor = progress_norm_step, .user = &shown};
  const pl_arg x = pl_arg_dat(p->x, PL_ALL, p->corner, PL_READ), none = pl_arg_ptr(NULL);
  pl_solver *solver;
  pl_solver_result result;
  PL_OK(pl, elements_integrate(poisson_a_cell, p->cells, pl_arg_mat(p->A, p->dof, p->dof, PL_INC), none, none,
                               x));
  PL_OK(pl, elements_integrate(poisson_L_cell, p->cells, pl_arg_dat(p->b, PL_ALL, p->dof, PL_INC), none, none,
                               x));
  PL_OK(pl, pl_mat_zero_rows(p->A, p->boundary, 1.0));
  PL_OK(pl, pl_dat_zero_subset(p->b, p->boundary));
  PL_OK(pl, pl_decl_solver(p->A, &options, "P2", &solver));
  progress_norm_begin(&shown, pl_rank(pl), options.rtol);
  PL_OK(pl, pl_solver_run(solver, p->u, p->b, &result));
  progress_clear(&shown.shown);
  pl_solver_free(&solver);
  return result.iterations;
}

static double l2_error(pl_context *pl, const problem *p)
{
  return sqrt(elements_functional(pl, poisson_error_cell, p->cells, pl_arg_dat(p->u, PL_ALL, p->dof, PL_READ),
                                  pl_arg_ptr(NULL), pl_arg_dat(p->x, PL_ALL, p->corner, PL_READ)));
}

bool quadratic_run(pl_context *pl, const triangle_mesh *mesh, const output_files *files,
                   poisson_solution *result)
{
  quadratic_space s;
  problem p;
  if (!quadratic_space_make(&s, mesh)) return output_error("poisson", "--side", "no memory");
  declare(pl, &p, mesh, &s);
  result->iterations = solve(pl, &p);
  result->error = l2_error(pl, &p);
  const picture drawn = {
    .title = "Solution", .x = p.x, .corners = p.corner, .value = p.u, .value_map = p.dof};
  const bool good = output_write(pl, "poisson", files, &drawn);
  undeclare(&p);
  quadratic_space_free(&s);
  return good;
}
