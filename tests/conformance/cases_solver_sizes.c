/* SPDX-License-Identifier: BSD-2-Clause
 * Conjugate gradients on systems of several sizes and over many iterations: devices run small systems as one
 * kernel.
 */
#include "conformance.h"
#include <math.h>
#include <stdlib.h>

PL_KERNEL(chain_spring, (const double *w, double A[2][2]), {
  A[0][0] += w[0];
  A[0][1] -= w[0];
  A[1][0] -= w[0];
  A[1][1] += w[0];
})
PL_KERNEL(chain_node, (const double *d, double *A), { A[0] += d[0]; })

/* Nodes with springs of weight 1 and 2 by turns between neighbours, and to a wall. */
typedef struct chain {
  pl_set *nodes;
  pl_mat *a;
  pl_dat *diagonal, *x, *b, *want;
} chain;

static void assemble(conf *c, chain *h, int n, const int *ends, const int *self, const double *weight,
                     const double *node)
{
  pl_set *springs = conf_set(c, n - 1, "springs");
  pl_map *end = conf_map(c, springs, h->nodes, 2, ends, "ends"),
         *own = conf_map(c, h->nodes, h->nodes, 1, self, "self");
  pl_dat *w = conf_dat(c, springs, 1, PL_DOUBLE, weight, "w"),
         *d = conf_dat(c, h->nodes, 1, PL_DOUBLE, node, "d");
  const pl_map_pair pairs[] = {{end, end}, {own, own}};
  pl_sparsity *sparsity;
  OK(pl_decl_sparsity(h->nodes, 1, h->nodes, 1, 2, pairs, "chain", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &h->a));
  pl_sparsity_free(&sparsity);
  OK(pl_par_loop(chain_spring, springs, DIRECT(w, PL_READ), pl_arg_mat(h->a, end, end, PL_INC)));
  OK(pl_par_loop(chain_node, h->nodes, DIRECT(d, PL_READ), pl_arg_mat(h->a, own, own, PL_INC)));
}

static void open_chain(conf *c, chain *h, int n, double wall)
{
  int *ends = malloc(2 * (size_t)n * sizeof *ends), *self = malloc((size_t)n * sizeof *self);
  double *weight = malloc((size_t)n * sizeof *weight), *node = malloc((size_t)n * sizeof *node),
         *want = malloc((size_t)n * sizeof *want);
  for (int i = 0; i < n; i++) {
    ends[2 * i] = self[i] = i;
    ends[2 * i + 1] = i + 1;
    weight[i] = 1 + i % 2;
    node[i] = wall;
    want[i] = (i * 7 % 11) / 11.0 - 0.4;
  }
  h->nodes = conf_set(c, n, "nodes");
  h->want = conf_dat(c, h->nodes, 1, PL_DOUBLE, want, "want");
  h->diagonal = conf_dat(c, h->nodes, 1, PL_DOUBLE, NULL, "diagonal");
  h->x = conf_dat(c, h->nodes, 1, PL_DOUBLE, NULL, "x");
  h->b = conf_dat(c, h->nodes, 1, PL_DOUBLE, NULL, "b");
  assemble(c, h, n, ends, self, weight, node);
  OK(pl_mat_get_diagonal(h->a, h->diagonal));
  OK(pl_mat_multiply(h->a, h->want, h->b));
  void *const all[] = {ends, self, weight, node, want};
  for (int i = 0; i < 5; i++) free(all[i]);
}

static double worst_error(conf *c, const chain *h)
{
  return conf_largest_error(c, h->nodes, h->x, h->want);
}

static pl_err multiply(void *user, pl_dat *x, pl_dat *y)
{
  const chain *h = user;
  return pl_mat_multiply(h->a, x, y);
}

static void count(void *user, int iteration, double norm)
{
  int *calls = user;
  if (iteration == *calls && isfinite(norm)) ++*calls;
}

/* The matrix, and its product as an operator, which no device runs as one kernel. A guess that is the
 * solution needs no iteration. */
static void solve_chain(conf *c, int n)
{
  chain h;
  pl_solver *solver;
  pl_solver_result r, other;
  int calls = 0;
  open_chain(c, &h, n, 0.5);
  pl_solver_options options = {.rtol = 1e-12, .monitor = count, .user = &calls};
  OK(pl_decl_solver(h.a, &options, "matrix", &solver));
  OK(pl_solver_run(solver, h.x, h.b, &r));
  CHECK(r.reason > PL_SOLVER_NOT_RUN && calls == r.iterations + 1 && worst_error(c, &h) < 1e-8);
  pl_solver_free(&solver);
  options.guess = 1;
  OK(pl_decl_solver(h.a, &options, "again", &solver));
  OK(pl_solver_run(solver, h.x, h.b, &other));
  CHECK(other.iterations <= 1 && worst_error(c, &h) < 1e-8);
  pl_solver_free(&solver);
  options = (pl_solver_options){.rtol = 1e-12};
  OK(pl_decl_solver_apply(h.x, multiply, &h, h.diagonal, &options, "operator", &solver));
  OK(pl_solver_run(solver, h.x, h.b, &other));
  CHECK(abs(r.iterations - other.iterations) <= 1 && worst_error(c, &h) < 1e-8);
  pl_solver_free(&solver);
}

/* Of one row, one slice and one row more, several slices, several rows for each work item of a GPU. */
static void case_sizes(conf *c)
{
  const int sizes[] = {1, 33, 700, 150000};
  for (int k = 0; k < 4; k++) solve_chain(c, sizes[k]);
}

/* More iterations than one launch runs, unless the residual is 0 before; the same bits in each run, if the
 * elements stay on their ranks. The forms of loops, which sum in different orders, are not compared. */
static void case_many_iterations(conf *c)
{
  chain h;
  pl_solver *solver;
  pl_solver_result r, again;
  const pl_solver_options options = {.rtol = 1e-300, .atol = 1e-300, .iterations = 1100};
  OK(pl_set_option(c->pl, "shape", "scalar"));
  open_chain(c, &h, 200, 1e-3);
  OK(pl_decl_solver(h.a, &options, "many", &solver));
  const pl_err err = pl_solver_run(solver, h.x, h.b, &r);
  CHECK(err == (r.norm > 0 ? PL_ERR_CONVERGENCE : PL_SUCCESS) &&
        pl_solver_run(solver, h.x, h.b, &again) == err);
  CHECK(r.norm > 0 ? r.iterations == 1100 : r.iterations < 1100);
  CHECK(r.norm < 1e-12 && worst_error(c, &h) < 1e-9);
  CHECK(c->variant->threads > 1 || c->scatter || (again.norm == r.norm && again.iterations == r.iterations));
  pl_solver_free(&solver);
}

const conf_case conf_solver_sizes[] = {{"solver: sizes of systems", "P30", case_sizes, 0},
                                       {"solver: many iterations", "P30", case_many_iterations, CONF_RANKS},
                                       {NULL, NULL, NULL, 0}};
