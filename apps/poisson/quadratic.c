/* SPDX-License-Identifier: BSD-2-Clause
 * Quadratic elements: an unknown at each vertex and on each edge. The kernels get the unknowns of a triangle
 * through the map `dof`, vertices before edges, and its three vertices through `corner`.
 */
#include "quadratic.h"

#include <math.h>
#include <stdlib.h>

#include "poisson.plait.h"

enum { DOFS = 6 };

typedef struct space {
  int ndof;
  int *dof, *boundary; /* DOFS a cell; unknowns on the boundary */
  int nboundary;
  double *place; /* 3 a vertex, as FFCx's kernels expect; the third is 0 */
} space;

typedef struct problem {
  pl_set *cells, *vertices, *dofs, *boundary;
  pl_map *corner, *dof;
  pl_dat *x, *u, *b;
  pl_sparsity *sparsity;
  pl_mat *A;
  pl_global *sum;
} problem;

/* ---- unknowns ---- */

static void number_dofs(space *s, const triangle_mesh *mesh, const int *edge)
{
  for (int c = 0; c < mesh->ncell; c++)
    for (int k = 0; k < 3; k++) {
      s->dof[DOFS * c + k] = mesh->corner[3 * c + k];
      s->dof[DOFS * c + 3 + k] = mesh->nvertex + edge[3 * c + k];
    }
  s->nboundary = triangle_mesh_boundary(mesh, s->boundary);
  for (int e = 0; e < 3 * mesh->ncell; e++)
    if (mesh->face[e] < 0) s->boundary[s->nboundary++] = mesh->nvertex + edge[e];
  for (int v = 0; v < mesh->nvertex; v++)
    for (int d = 0; d < 3; d++) s->place[3 * v + d] = d < 2 ? mesh->place[2 * v + d] : 0;
}

static void free_space(space *s)
{
  free(s->dof);
  free(s->boundary);
  free(s->place);
}

static bool make_space(space *s, const triangle_mesh *mesh)
{
  const size_t ncell = (size_t)mesh->ncell, nvertex = (size_t)mesh->nvertex;
  int *edge = malloc((3 * ncell + 1) * sizeof *edge);
  s->dof = malloc((DOFS * ncell + 1) * sizeof *s->dof);
  s->boundary = malloc((nvertex + 3 * ncell + 1) * sizeof *s->boundary);
  s->place = malloc((3 * nvertex + 1) * sizeof *s->place);
  const bool good = edge && s->dof && s->boundary && s->place;
  if (good) {
    s->ndof = mesh->nvertex + triangle_mesh_edges(mesh, edge);
    number_dofs(s, mesh, edge);
  } else {
    free_space(s);
  }
  free(edge);
  return good;
}

/* ---- the problem ---- */

static void declare(pl_context *pl, problem *p, const triangle_mesh *mesh, const space *s)
{
  PL_OK(pl, pl_decl_set(pl, mesh->ncell, "cells", &p->cells));
  PL_OK(pl, pl_decl_set(pl, mesh->nvertex, "vertices", &p->vertices));
  PL_OK(pl, pl_decl_set(pl, s->ndof, "unknowns", &p->dofs));
  PL_OK(pl, pl_decl_map(p->cells, p->vertices, 3, mesh->corner, "corner", &p->corner));
  PL_OK(pl, pl_decl_map(p->cells, p->dofs, DOFS, s->dof, "dof", &p->dof));
  PL_OK(pl, pl_decl_dat(p->vertices, 3, PL_DOUBLE, s->place, "x", &p->x));
  PL_OK(pl, pl_decl_dat(p->dofs, 1, PL_DOUBLE, NULL, "u", &p->u));
  PL_OK(pl, pl_decl_dat(p->dofs, 1, PL_DOUBLE, NULL, "b", &p->b));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &p->sum));
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
  pl_global_free(&p->sum);
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

/* A kernel of FFCx: the tensor A, coefficients w, then constants, which these forms have none of, places, and
 * numbers of facets and permutations, which integrals over cells do not read. */
static void integrate(pl_context *pl, const problem *p, const pl_kernel *kernel, pl_arg A, pl_arg w)
{
  const pl_arg none = pl_arg_ptr(NULL);
  PL_OK(pl, pl_par_loop(kernel, p->cells, A, w, none, pl_arg_dat(p->x, PL_ALL, p->corner, PL_READ), none,
                        none, none));
}

static int solve(pl_context *pl, const problem *p)
{
  const pl_solver_options options = {.method = "cg", .preconditioner = "jacobi", .rtol = 1e-12};
  pl_solver *solver;
  pl_solver_result result;
  integrate(pl, p, poisson_a_cell, pl_arg_mat(p->A, p->dof, p->dof, PL_INC), pl_arg_ptr(NULL));
  integrate(pl, p, poisson_L_cell, pl_arg_dat(p->b, PL_ALL, p->dof, PL_INC), pl_arg_ptr(NULL));
  PL_OK(pl, pl_mat_zero_rows(p->A, p->boundary, 1.0));
  PL_OK(pl, pl_dat_zero_subset(p->b, p->boundary));
  PL_OK(pl, pl_decl_solver(p->A, &options, "P2", &solver));
  PL_OK(pl, pl_solver_run(solver, p->u, p->b, &result));
  pl_solver_free(&solver);
  return result.iterations;
}

static double l2_error(pl_context *pl, const problem *p)
{
  double sum;
  integrate(pl, p, poisson_error_cell, pl_arg_gbl(p->sum, PL_INC), pl_arg_dat(p->u, PL_ALL, p->dof, PL_READ));
  PL_OK(pl, pl_global_get(p->sum, &sum));
  return sqrt(sum);
}

bool quadratic_run(pl_context *pl, const triangle_mesh *mesh, poisson_result *result)
{
  space s;
  problem p;
  if (!make_space(&s, mesh)) return false;
  declare(pl, &p, mesh, &s);
  result->iterations = solve(pl, &p);
  result->error = l2_error(pl, &p);
  result->corners = malloc(((size_t)s.ndof + 1) * sizeof *result->corners);
  if (result->corners) PL_OK(pl, pl_dat_fetch(p.u, result->corners));
  undeclare(&p);
  free_space(&s);
  return result->corners != NULL;
}
