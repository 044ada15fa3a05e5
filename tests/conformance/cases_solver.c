/* SPDX-License-Identifier: BSD-2-Clause
 * Solvers: every method with every preconditioner finds a known solution; reasons; errors.
 */
#include "conformance.h"
#include <math.h>
#include <stdlib.h>

enum { SIDE = 7, NODES = SIDE * SIDE, LINKS = 2 * SIDE * (SIDE - 1) };

PL_KERNEL(solver_link, (const double *t, double A[2][2]), {
  A[0][0] += t[0];
  A[0][1] += t[1];
  A[1][0] += t[2];
  A[1][1] += t[3];
})
PL_KERNEL(solver_node, (const double *d, double *A), { A[0] += d[0]; })
PL_KERNEL(solver_apply_link, (const double *t, const double x[2][1], double y[2][1]), {
  y[0][0] += t[0] * x[0][0] + t[1] * x[1][0];
  y[1][0] += t[2] * x[0][0] + t[3] * x[1][0];
})
PL_KERNEL(solver_apply_node, (const double *d, const double *x, double *y), { y[0] += d[0] * x[0]; })

/* A grid of nodes and links; A has a tensor for each link and a value for each node. */
typedef struct grid {
  pl_set *nodes, *links;
  pl_map *ends, *self;
  pl_dat *tensor, *node, *diagonal, *x, *b, *want;
  pl_mat *a;
  int applied;
} grid;

/* Links with weight w and skew part k; nodes add d. */
static void fill_grid(conf *c, double skew, double d, int *ends, double *tensor, double *node,
                      double *diagonal)
{
  int n = 0;
  for (int i = 0; i < NODES; i++) diagonal[i] = node[i] = d;
  for (int i = 0; i < NODES; i++)
    for (int side = 0; side < 2; side++) {
      const int other = i + (side ? SIDE : 1);
      if (side ? other >= NODES : other % SIDE == 0) continue;
      const double w = 1 + conf_below(c, 8) / 4.0, t[] = {w, -w - skew, -w + skew, w};
      ends[2 * n] = i;
      ends[2 * n + 1] = other;
      for (int k = 0; k < 4; k++) tensor[4 * n + k] = t[k];
      diagonal[i] += w;
      diagonal[other] += w;
      n++;
    }
}

static void open_grid(conf *c, grid *g, double skew, double d)
{
  int ends[2 * LINKS], self[NODES];
  double tensor[4 * LINKS], node[NODES], diagonal[NODES], want[NODES];
  fill_grid(c, skew, d, ends, tensor, node, diagonal);
  for (int i = 0; i < NODES; i++) {
    self[i] = i;
    want[i] = (i * 7 % 11) / 11.0 - 0.4;
  }
  *g = (grid){.nodes = conf_set(c, NODES, "nodes"), .links = conf_set(c, LINKS, "links")};
  g->ends = conf_map(c, g->links, g->nodes, 2, ends, "ends");
  g->self = conf_map(c, g->nodes, g->nodes, 1, self, "self");
  g->tensor = conf_dat(c, g->links, 4, PL_DOUBLE, tensor, "tensor");
  g->node = conf_dat(c, g->nodes, 1, PL_DOUBLE, node, "node");
  g->diagonal = conf_dat(c, g->nodes, 1, PL_DOUBLE, diagonal, "diagonal");
  g->want = conf_dat(c, g->nodes, 1, PL_DOUBLE, want, "want");
  g->x = conf_dat(c, g->nodes, 1, PL_DOUBLE, NULL, "x");
  g->b = conf_dat(c, g->nodes, 1, PL_DOUBLE, NULL, "b");
  const pl_map_pair pairs[] = {{g->ends, g->ends}, {g->self, g->self}};
  pl_sparsity *sparsity;
  OK(pl_decl_sparsity(g->nodes, 1, g->nodes, 1, 2, pairs, "grid", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &g->a));
  pl_sparsity_free(&sparsity);
  OK(pl_par_loop(solver_link, g->links, DIRECT(g->tensor, PL_READ),
                 pl_arg_mat(g->a, g->ends, g->ends, PL_INC)));
  OK(
    pl_par_loop(solver_node, g->nodes, DIRECT(g->node, PL_READ), pl_arg_mat(g->a, g->self, g->self, PL_INC)));
  OK(pl_mat_multiply(g->a, g->want, g->b));
}

/* The largest error of x, on all ranks. */
static double worst_error(conf *c, grid *g)
{
  return conf_largest_error(c, g->nodes, g->x, g->want);
}

static void solve_with(conf *c, grid *g, pl_solver_options options, int most)
{
  pl_solver *solver;
  pl_solver_result r;
  options.rtol = 1e-10;
  OK(pl_decl_solver(g->a, &options, "grid", &solver));
  OK(pl_solver_run(solver, g->x, g->b, &r));
  CHECK(r.reason == PL_SOLVER_RTOL && r.iterations > 0 && r.iterations <= most);
  CHECK(r.norm <= 1e-10 * r.first_norm);
  CHECK(worst_error(c, g) < 1e-7);
  pl_solver_free(&solver);
}

static void case_methods(conf *c)
{
  static const char *const methods[] = {"cg", "minres", "bicgstab", "gmres"};
  grid g;
  open_grid(c, &g, 0, 1);
  for (int k = 0; k < 4; k++)
    for (int none = 0; none < (k & 1 ? 1 : 2); none++) /* fewer texts */
      solve_with(c, &g, (pl_solver_options){.method = methods[k], .preconditioner = none ? "none" : NULL},
                 NODES);
  solve_with(c, &g, (pl_solver_options){.method = "richardson", .damping = 0.9}, 300);
  solve_with(c, &g, (pl_solver_options){.method = "chebyshev", .low = 0.05, .high = 2}, 160);
  solve_with(c, &g, (pl_solver_options){.method = "chebyshev"}, 300);
  solve_with(c, &g, (pl_solver_options){.method = "gmres", .restart = 9}, 200);
  solve_with(c, &g, (pl_solver_options){.preconditioner = "block_jacobi"}, NODES);
  solve_with(c, &g, (pl_solver_options){.preconditioner = "chebyshev"}, 20);
  solve_with(c, &g, (pl_solver_options){.preconditioner = "chebyshev", .degree = 8}, 12);
  solve_with(c, &g, (pl_solver_options){.preconditioner = "ssor"}, 30);
  solve_with(c, &g, (pl_solver_options){.preconditioner = "ic"}, 30);
  open_grid(c, &g, 0.5, 1);
  solve_with(c, &g, (pl_solver_options){.method = "gmres", .preconditioner = "ssor"}, 30);
  solve_with(c, &g, (pl_solver_options){.method = "gmres", .preconditioner = "ilu"}, 30);
  solve_with(c, &g, (pl_solver_options){.method = "bicgstab"}, NODES);
  solve_with(c, &g, (pl_solver_options){.method = "gmres"}, NODES);
}

/* Conjugate gradients, whose products also sum, where columns do not ascend in the order of storage. */
static void case_reproducible_sums(conf *c)
{
  pl_context *own = c->pl;
  conf_variant v = *c->variant;
  grid g;
  v.renumber = 1;
  OK_IN(c->pl, conf_open(c, &v, (const char *const[]){"reproducible=1", NULL}, &c->pl));
  open_grid(c, &g, 0, 1);
  solve_with(c, &g, (pl_solver_options){.method = "cg"}, NODES);
  pl_finalize(&c->pl);
  c->pl = own;
}

/* Blocks on the diagonal that need pivots: the inverse of the blocks is that of the matrix. */
PL_KERNEL(solver_block, (const double *d, double A[3][3]), {
  A[0][1] += 2 + d[0];
  A[1][0] += 0.5;
  A[1][2] += d[0];
  A[2][2] += 4;
  A[2][1] += 1;
})

static void case_diagonal_blocks(conf *c)
{
  int self[NODES];
  double d[NODES], x[3 * NODES], error;
  pl_sparsity *sparsity;
  pl_solver *solver;
  pl_solver_result r;
  pl_mat *a;
  for (int i = 0; i < NODES; i++) self[i] = i, d[i] = conf_below(c, 9) / 4.0;
  for (int i = 0; i < 3 * NODES; i++) x[i] = 1 + conf_below(c, 9);
  pl_set *nodes = conf_set(c, NODES, "nodes");
  pl_map *to_self = conf_map(c, nodes, nodes, 1, self, "self");
  pl_dat *dat = conf_dat(c, nodes, 1, PL_DOUBLE, d, "d"), *want = conf_dat(c, nodes, 3, PL_DOUBLE, x, "want"),
         *b = conf_dat(c, nodes, 3, PL_DOUBLE, NULL, "b"), *got = conf_dat(c, nodes, 3, PL_DOUBLE, NULL, "x");
  OK(pl_decl_sparsity(nodes, 3, nodes, 3, 1, &(pl_map_pair){to_self, to_self}, "blocks", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "blocks", &a));
  pl_sparsity_free(&sparsity);
  OK(pl_par_loop(solver_block, nodes, DIRECT(dat, PL_READ), pl_arg_mat(a, to_self, to_self, PL_INC)));
  OK(pl_mat_multiply(a, want, b));
  OK(pl_decl_solver(
    a,
    &(pl_solver_options){
      .method = "richardson", .preconditioner = "block_jacobi", .rtol = 1e-13, .iterations = 2},
    "blocks", &solver));
  OK(pl_solver_run(solver, got, b, &r));
  CHECK(r.iterations <= 2);
  OK(pl_dat_axpy(-1.0, want, got));
  OK(pl_dat_norm(got, &error));
  CHECK(error < 1e-11);
  pl_solver_free(&solver);
}

/* ---- incomplete factors ---- */

enum { COUPLES = 12 };

/* Nodes in pairs. */
static pl_sparsity *new_couples(conf *c, pl_set *nodes)
{
  int offsets[2 * COUPLES + 1], columns[4 * COUPLES];
  pl_sparsity *sparsity = NULL;
  for (int r = 0; r <= 2 * COUPLES; r++) offsets[r] = 2 * r;
  for (int k = 0; k < 4 * COUPLES; k++) columns[k] = k / 4 * 2 + k % 2;
  const pl_map_pair own = {NULL, conf_ragged_map(c, nodes, nodes, offsets, columns, "couples")};
  OK(pl_decl_sparsity(nodes, 2, nodes, 2, 1, &own, "couples", &sparsity));
  return sparsity;
}

/* [[d, e], [e^T, d]] with d = [[4, 1], [1, last]]. Rank 0 gives all values. */
static pl_mat *new_couple_matrix(conf *c, pl_sparsity *sparsity, double last)
{
  const double d[4] = {4, 1, 1, last}, e[4] = {0.5, 1, -1, 0.25};
  int64_t rows[2 * COUPLES], offsets[2 * COUPLES + 1] = {0}, columns[4 * COUPLES];
  double values[16 * COUPLES];
  pl_mat *mat = NULL;
  for (int r = 0; r < 2 * COUPLES; r++) {
    rows[r] = r;
    offsets[r + 1] = 2 * (r + 1);
    for (int k = 2 * r; k < 2 * r + 2; k++) {
      columns[k] = r / 2 * 2 + k % 2;
      for (int i = 0; i < 4; i++)
        values[4 * k + i] = columns[k] == r ? d[i] : e[r < columns[k] ? i : i % 2 * 2 + i / 2];
    }
  }
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "couples", &mat));
  OK(pl_mat_set_csr(mat, pl_rank(c->pl) ? 0 : 2 * COUPLES, rows, offsets, columns, values));
  return mat;
}

/* Without fill-in the factors of couples are exact, so one iteration solves; couples of two ranks take more.
 */
static void case_factors(conf *c)
{
  double x[4 * COUPLES], error;
  pl_solver *solver;
  pl_solver_result r;
  for (int i = 0; i < 4 * COUPLES; i++) x[i] = 1 + conf_below(c, 9);
  pl_set *nodes = conf_set(c, 2 * COUPLES, "nodes");
  pl_dat *want = conf_dat(c, nodes, 2, PL_DOUBLE, x, "want"),
         *b = conf_dat(c, nodes, 2, PL_DOUBLE, NULL, "b"), *got = conf_dat(c, nodes, 2, PL_DOUBLE, NULL, "x");
  pl_sparsity *couples = new_couples(c, nodes);
  pl_mat *a = new_couple_matrix(c, couples, 3),
         *bad[] = {new_couple_matrix(c, couples, 0.25), new_couple_matrix(c, couples, NAN)};
  OK(pl_mat_multiply(a, want, b));
  for (int k = 0; k < 2; k++) {
    OK(pl_decl_solver(a, &(pl_solver_options){.preconditioner = k ? "ic" : "ilu", .rtol = 1e-12}, "factors",
                      &solver));
    OK(pl_solver_run(solver, got, b, &r));
    CHECK(r.iterations <= (pl_ranks(c->pl) > 1 ? 40 : 2));
    OK(pl_dat_axpy(-1.0, want, got));
    OK(pl_dat_norm(got, &error));
    CHECK(error < 1e-9);
    pl_solver_free(&solver);
  }
  for (int k = 0; k < 4; k++) { /* the second pivot of a block is 0.25 - 0.25 = 0, or NaN */
    OK(pl_decl_solver(bad[k / 2], &(pl_solver_options){.preconditioner = k % 2 ? "ic" : "ilu"}, "bad",
                      &solver));
    FAILS(pl_solver_run(solver, got, b, &r), PL_ERR_CONVERGENCE, "\"bad\"", k % 2 ? "\"ic\"" : "\"ilu\"",
          k % 2 ? "not positive" : "pivot is 0 or not finite");
    pl_solver_free(&solver);
  }
  pl_sparsity_free(&couples);
  pl_mat_free(&a);
  for (int k = 0; k < 2; k++) pl_mat_free(&bad[k]);
}

/* ---- plain C beside the preconditioners ---- */

/* The matrix in plain C; order: the rows by colours. */
typedef struct dense {
  double a[NODES][NODES];
  int order[NODES];
} dense;

/* Each row in turn takes the lowest colour that no row coupled with it has. */
static void order_by_colours(dense *d)
{
  int colour[NODES], n = 0;
  for (int r = 0; r < NODES; r++) {
    bool taken[NODES + 1] = {false};
    for (int j = 0; j < r; j++)
      if (d->a[r][j] != 0) taken[colour[j]] = true;
    for (colour[r] = 0; taken[colour[r]];) colour[r]++;
  }
  for (int k = 0; k < NODES; k++)
    for (int r = 0; r < NODES; r++)
      if (colour[r] == k) d->order[n++] = r;
}

static void read_dense(conf *c, pl_mat *a, dense *d)
{
  int64_t all[NODES];
  for (int i = 0; i < NODES; i++) all[i] = i;
  OK(pl_mat_get(a, NODES, all, NODES, all, &d->a[0][0]));
  order_by_colours(d);
}

/* x = M b for ILU(0), in the order of the rows: entries outside the pattern stay 0. */
static void solve_factors(const dense *d, const double *b, double *x)
{
  static double f[NODES][NODES];
  const int *p = d->order;
  memcpy(f, d->a, sizeof f);
  for (int i = 0; i < NODES; i++)
    for (int k = 0; k < i; k++) {
      if (d->a[p[i]][p[k]] == 0) continue;
      f[p[i]][p[k]] /= f[p[k]][p[k]];
      for (int j = k + 1; j < NODES; j++)
        if (d->a[p[i]][p[j]] != 0) f[p[i]][p[j]] -= f[p[i]][p[k]] * f[p[k]][p[j]];
    }
  for (int i = 0; i < NODES; i++) {
    x[p[i]] = b[p[i]];
    for (int k = 0; k < i; k++) x[p[i]] -= f[p[i]][p[k]] * x[p[k]];
  }
  for (int i = NODES - 1; i >= 0; i--) {
    for (int j = i + 1; j < NODES; j++) x[p[i]] -= f[p[i]][p[j]] * x[p[j]];
    x[p[i]] /= f[p[i]][p[i]];
  }
}

/* x = M b for a sweep of Gauss and Seidel from 0 and one back. */
static void solve_sweeps(const dense *d, const double *b, double *x)
{
  memset(x, 0, NODES * sizeof *x);
  for (int i = 0; i < 2 * NODES; i++) {
    const int r = d->order[i < NODES ? i : 2 * NODES - 1 - i];
    double left = b[r];
    for (int j = 0; j < NODES; j++)
      if (j != r) left -= d->a[r][j] * x[j];
    x[r] = left / d->a[r][r];
  }
}

/* One step of Richardson's iteration from 0 gives x = M b. On one rank: each has factors of its own. */
static void case_plain(conf *c)
{
  static const char *const names[] = {"ilu", "ssor", "ic"};
  grid g;
  dense d;
  double b[NODES], x[NODES], want[NODES], worst = 0;
  for (int k = 0; k < 3; k++) {
    const pl_solver_options once = {.method = "richardson", .preconditioner = names[k], .iterations = 1};
    open_grid(c, &g, k == 2 ? 0 : 0.5, 1);
    read_dense(c, g.a, &d);
    OK(pl_dat_fetch(g.b, b));
    FAILS(pl_solve(g.a, g.x, g.b, &once), PL_ERR_CONVERGENCE, "1 iterations");
    OK(pl_dat_fetch(g.x, x));
    (k == 1 ? solve_sweeps : solve_factors)(&d, b, want);
    for (int i = 0; i < NODES; i++) worst = fmax(worst, fabs(x[i] - want[i]));
  }
  CHECK(worst < 1e-12);
}

/* ---- Newton ---- */

/* F(u) = A u + atan(10 u) - b, from which whole steps lead away. */
PL_KERNEL(newton_node, (const double *u, const double *b, double *f), { f[0] += atan(10 * u[0]) - b[0]; })
PL_KERNEL(newton_slope, (const double *u, double *J), { J[0] += 10 / (1 + 100 * u[0] * u[0]); })

typedef struct bent {
  grid *g;
  pl_mat *linear;
  int residuals, steps;
} bent;

static pl_err bent_residual(void *user, pl_dat *u, pl_dat *f)
{
  bent *q = user;
  q->residuals++;
  pl_err err = pl_mat_multiply(q->linear, u, f);
  return err ? err
             : pl_par_loop(newton_node, q->g->nodes, DIRECT(u, PL_READ), DIRECT(q->g->b, PL_READ),
                           DIRECT(f, PL_INC));
}

static pl_err bent_jacobian(void *user, pl_dat *u, pl_mat *jacobian)
{
  bent *q = user;
  pl_err err = pl_mat_copy(q->linear, jacobian);
  q->steps++;
  return err ? err
             : pl_par_loop(newton_slope, q->g->nodes, DIRECT(u, PL_READ),
                           pl_arg_mat(jacobian, q->g->self, q->g->self, PL_INC));
}

static pl_err no_jacobian(void *user, pl_dat *u, pl_mat *jacobian)
{
  (void)user, (void)u, (void)jacobian;
  return PL_ERR_STATE;
}

static void case_newton(conf *c)
{
  grid g;
  pl_mat *jacobian;
  pl_sparsity *sparsity;
  pl_solver *solver;
  pl_solver_result r;
  open_grid(c, &g, 0, 0.001);
  const pl_map_pair pairs[] = {{g.ends, g.ends}, {g.self, g.self}};
  OK(pl_decl_sparsity(g.nodes, 1, g.nodes, 1, 2, pairs, "grid", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "J", &jacobian));
  pl_sparsity_free(&sparsity);
  bent q = {&g, g.a, 0, 0};
  OK(pl_dat_zero(g.b)); /* b = F(want) with b = 0 */
  OK(pl_dat_zero(g.x));
  OK(bent_residual(&q, g.want, g.x));
  OK(pl_dat_copy(g.x, g.b));
  const pl_newton_options options = {.rtol = 1e-12};
  OK(pl_decl_solver(jacobian, &(pl_solver_options){.rtol = 1e-12}, "bent", &solver));
  OK(pl_dat_fill(g.x, 3.0));
  q.residuals = 0;
  OK(pl_newton(solver, g.x, bent_residual, bent_jacobian, &q, &options, &r));
  CHECK(r.reason == PL_SOLVER_RTOL && r.iterations > 3 && r.iterations < 40 && q.steps == r.iterations);
  CHECK(q.residuals > r.iterations + 1); /* steps were shortened */
  CHECK(worst_error(c, &g) < 1e-9);
  OK(pl_dat_fill(g.x, 3.0));
  FAILS(pl_newton(solver, g.x, bent_residual, bent_jacobian, &q, &(pl_newton_options){.iterations = 2}, &r),
        PL_ERR_CONVERGENCE, "\"bent\"", "has not converged", "2 iterations");
  FAILS(pl_newton(solver, g.tensor, bent_residual, bent_jacobian, &q, NULL, NULL), PL_ERR_TYPE, "\"tensor\"");
  FAILS(pl_newton(solver, g.x, NULL, bent_jacobian, &q, NULL, NULL), PL_ERR_ARG, "residual");
  FAILS(pl_newton(solver, g.x, bent_residual, bent_jacobian, &q, &(pl_newton_options){.rtol = -1}, NULL),
        PL_ERR_ARG, "rtol");
  CHECK(pl_newton(solver, g.x, bent_residual, no_jacobian, &q, NULL, NULL) == PL_ERR_STATE);
  pl_solver_free(&solver);
}

/* ---- matrix-free operators ---- */

static pl_err apply_grid(void *user, pl_dat *x, pl_dat *y)
{
  grid *g = user;
  g->applied++;
  pl_err err = pl_dat_zero(y);
  if (!err)
    err = pl_par_loop(solver_apply_link, g->links, DIRECT(g->tensor, PL_READ),
                      pl_arg_dat(x, PL_ALL, g->ends, PL_READ), pl_arg_dat(y, PL_ALL, g->ends, PL_INC));
  if (!err)
    err = pl_par_loop(solver_apply_node, g->nodes, DIRECT(g->node, PL_READ), DIRECT(x, PL_READ),
                      DIRECT(y, PL_INC));
  return err;
}

static void case_operator(conf *c)
{
  grid g;
  pl_solver *solver;
  pl_solver_result r;
  open_grid(c, &g, 0, 1);
  for (int jacobi = 0; jacobi < 2; jacobi++) {
    OK(pl_decl_solver_apply(g.x, apply_grid, &g, jacobi ? g.diagonal : NULL, NULL, "free", &solver));
    for (int round = 0; round < 2; round++) {
      g.applied = 0;
      OK(pl_solver_run(solver, g.x, g.b, &r));
      CHECK(r.reason == PL_SOLVER_RTOL && g.applied >= r.iterations);
      CHECK(worst_error(c, &g) < 1e-5);
    }
    pl_solver_free(&solver);
  }
}

/* A preconditioner made of another matrix than the operator's: the same iterations as with the matrix. */
static void case_other_matrix(conf *c)
{
  static const char *const names[] = {"jacobi", "chebyshev", "ssor", "ilu"};
  grid g;
  pl_solver *solver;
  pl_solver_result with, without;
  open_grid(c, &g, 0, 1);
  for (int i = 0; i < 4; i++) {
    const pl_solver_options options = {.preconditioner = names[i], .preconditioner_matrix = g.a};
    OK(pl_decl_solver(g.a, &(pl_solver_options){.preconditioner = names[i]}, "with", &solver));
    OK(pl_solver_run(solver, g.x, g.b, &with));
    pl_solver_free(&solver);
    OK(pl_decl_solver_apply(g.x, apply_grid, &g, NULL, &options, "without", &solver));
    OK(pl_solver_run(solver, g.x, g.b, &without));
    CHECK(without.reason == PL_SOLVER_RTOL && abs(with.iterations - without.iterations) <= 1);
    CHECK(worst_error(c, &g) < 1e-5);
    pl_solver_free(&solver);
  }
}

/* ---- reasons and errors ---- */

typedef struct seen {
  int calls, last;
  double first, norm;
} seen;

static void watch(void *user, int iteration, double norm)
{
  seen *s = user;
  if (!s->calls++) s->first = norm;
  s->last = iteration;
  s->norm = norm;
}

static void case_solver_reasons(conf *c)
{
  grid g;
  pl_solver *solver;
  pl_solver_result r;
  seen s = {0, 0, 0, 0};
  open_grid(c, &g, 0, 1);
  OK(pl_decl_solver(g.a, &(pl_solver_options){.iterations = 3, .monitor = watch, .user = &s}, "short",
                    &solver));
  FAILS(pl_solver_run(solver, g.x, g.b, &r), PL_ERR_CONVERGENCE, "\"short\"", "cg", "has not converged",
        "3 iterations");
  CHECK(r.reason == PL_SOLVER_ITERATIONS && r.iterations == 3 && r.norm > 0);
  CHECK(s.calls == 4 && s.last == 3 && s.first == r.first_norm && s.norm == r.norm);
  pl_solver_free(&solver);

  OK(pl_decl_solver(g.a, &(pl_solver_options){.guess = 1}, "guess", &solver));
  OK(pl_dat_copy(g.want, g.x));
  OK(pl_solver_run(solver, g.x, g.b, &r));
  CHECK(r.iterations == 0 && (r.reason == PL_SOLVER_RTOL || r.reason == PL_SOLVER_ATOL));
  OK(pl_mat_scale(2.0, g.a)); /* other values: the preconditioner is made again */
  OK(pl_solver_run(solver, g.x, g.b, &r));
  OK(pl_dat_scale(2.0, g.x));
  CHECK(r.iterations > 0 && worst_error(c, &g) < 1e-5);
  OK(pl_dat_zero(g.b));
  OK(pl_solver_run(solver, g.x, g.b, &r));
  pl_solver_free(&solver);

  OK(pl_decl_solver(g.a, NULL, "zero", &solver));
  OK(pl_solver_run(solver, g.x, g.b, &r));
  CHECK(r.iterations == 0 && r.reason == PL_SOLVER_ATOL);
  OK(pl_mat_multiply(g.a, g.want, g.b));
  OK(pl_mat_scale(-1.0, g.a));
  FAILS(pl_solver_run(solver, g.x, g.b, &r), PL_ERR_CONVERGENCE, "\"zero\"", "cg breaks down");
  CHECK(r.reason == PL_SOLVER_BREAKDOWN);
  OK(pl_mat_scale(-1.0, g.a));
  OK(pl_solver_run(solver, g.x, g.b, &r));
  CHECK(r.reason == PL_SOLVER_RTOL);
  pl_solver_free(&solver);
  FAILS(pl_solve(g.a, g.x, g.b, (&(pl_solver_options){.method = "richardson", .damping = 3})),
        PL_ERR_CONVERGENCE, "\"A\"", "richardson diverges");
}

static uint64_t built_loops(conf *c)
{
  pl_stats stats;
  OK(pl_get_stats(c->pl, &stats));
  return stats.loops_built;
}

/* Steps that run in vain after convergence change nothing: x is that of the reported number of steps. A
 * solver that runs again gives the same; gmres, whose basis grows, prepares no loops for it. */
static void case_after_convergence(conf *c)
{
  static const char *const methods[] = {"cg", "minres", "bicgstab", "gmres"};
  grid g;
  pl_solver *solver;
  pl_solver_result r, again, part;
  open_grid(c, &g, 0, 1);
  for (int i = 0; i < 4; i++) {
    pl_solver_options options = {.method = methods[i], .rtol = 1e-3};
    OK(pl_decl_solver(g.a, &options, "whole", &solver));
    OK(pl_solver_run(solver, g.x, g.b, &r));
    const uint64_t loops = built_loops(c);
    OK(pl_solver_run(solver, g.x, g.b, &again));
    CHECK(i < 3 || built_loops(c) == loops);
    CHECK(r.iterations > 2 && again.iterations == r.iterations && fabs(again.norm - r.norm) < 1e-9 * r.norm);
    pl_solver_free(&solver);
    OK(pl_dat_copy(g.x, g.want));
    options.iterations = r.iterations;
    options.rtol = 1e-30;
    OK(pl_decl_solver(g.a, &options, "part", &solver));
    FAILS(pl_solver_run(solver, g.x, g.b, &part), PL_ERR_CONVERGENCE, "has not converged");
    CHECK(part.iterations == r.iterations && fabs(part.norm - r.norm) < 1e-9 * r.norm);
    CHECK(worst_error(c, &g) < 1e-12);
    pl_solver_free(&solver);
  }
}

/* A matrix of zeros, one of values that are not numbers, and a singular one with a right-hand side outside
 * its range: never a solution, but one sentence that names the method. */
static void case_breakdown(conf *c)
{
  static const double scale[] = {0, NAN, 1};
  static const char *const methods[] = {"cg", "minres", "bicgstab", "gmres", "chebyshev", "richardson"};
  for (int k = 0; k < 3; k++) {
    grid g;
    open_grid(c, &g, 0, 0);
    OK(pl_dat_fill(g.x, 1.0));
    OK(pl_dat_axpy(1.0, g.x, g.b));
    OK(pl_mat_scale(scale[k], g.a));
    for (int m = 0; m < 6; m++) {
      const pl_solver_options options = {.method = methods[m], .iterations = 2 * NODES, .restart = 2 * NODES};
      FAILS(pl_solve(g.a, g.x, g.b, &options), PL_ERR_CONVERGENCE, "solver \"A\"", methods[m]);
    }
    for (int ic = 0; ic < 2 && k < 2; ic++)
      FAILS(pl_solve(g.a, g.x, g.b, (&(pl_solver_options){.preconditioner = ic ? "ic" : "ilu"})),
            PL_ERR_CONVERGENCE, "solver \"A\"", ic ? "\"ic\" breaks down" : "\"ilu\" breaks down");
  }
}

static void case_solver_errors(conf *c)
{
  grid g;
  pl_solver *solver = NULL;
  open_grid(c, &g, 0, 1);
  FAILS(pl_decl_solver(g.a, &(pl_solver_options){.method = "sor"}, "s", &solver), PL_ERR_ARG, "\"s\"",
        "\"sor\"", "cg, minres");
  FAILS(pl_decl_solver(g.a, &(pl_solver_options){.preconditioner = "amg"}, "s", &solver), PL_ERR_ARG,
        "\"amg\"",
        "jacobi, none, block_jacobi, chebyshev, ssor, ilu, ic, boomeramg, mumps, petsc, cudss, amgx");
  FAILS(pl_decl_solver(g.a, &(pl_solver_options){.rtol = -1}, "s", &solver), PL_ERR_ARG, "\"s\"", "rtol");
  FAILS(pl_decl_solver(g.a, &(pl_solver_options){.method = "chebyshev", .low = 2, .high = 1}, "s", &solver),
        PL_ERR_ARG, "low < high");
  FAILS(pl_decl_solver_apply(g.x, apply_grid, &g, NULL, &(pl_solver_options){.preconditioner = "jacobi"}, "s",
                             &solver),
        PL_ERR_ARG, "\"jacobi\"", "diagonal");
  FAILS(pl_decl_solver_apply(g.x, NULL, NULL, NULL, NULL, "s", &solver), PL_ERR_ARG, "\"s\"", "apply");
  FAILS(pl_decl_solver(NULL, NULL, "s", &solver), PL_ERR_NULL, "a");
  CHECK(!solver);
  const pl_map_pair pair = {g.ends, g.ends};
  pl_sparsity *blocks;
  pl_mat *other;
  OK(pl_decl_sparsity(g.nodes, 2, g.nodes, 2, 1, &pair, "blocks", &blocks));
  OK(pl_decl_mat(blocks, PL_DOUBLE, "other", &other));
  FAILS(pl_decl_solver(g.a, &(pl_solver_options){.package_options = "-ksp_type cg"}, "s", &solver),
        PL_ERR_ARG, "\"s\"", "package_options are for the preconditioners boomeramg, petsc and amgx");
  FAILS(pl_decl_solver(g.a, &(pl_solver_options){.preconditioner_matrix = other}, "s", &solver), PL_ERR_TYPE,
        "\"s\"", "\"other\"", "1 of double on \"nodes\"");
  CHECK(!solver);
  OK(pl_decl_solver_apply(g.x, apply_grid, &g, NULL,
                          (&(pl_solver_options){.preconditioner = "ssor", .preconditioner_matrix = g.a}), "s",
                          &solver));
  pl_mat_free(&other);
  pl_solver *last = solver;
  OK(pl_decl_solver(g.a, NULL, "s", &solver));
  FAILS(pl_solver_run(solver, g.tensor, g.b, NULL), PL_ERR_TYPE, "\"s\"", "\"tensor\"", "\"nodes\"");
  FAILS(pl_solver_run(solver, g.b, g.b, NULL), PL_ERR_ARG, "\"b\"", "both x and b");
  pl_mat_free(&g.a);
  FAILS(pl_solver_run(solver, g.x, g.b, NULL), PL_ERR_STATE, "\"s\"", "matrix was freed");
  FAILS(pl_solver_run(last, g.x, g.b, NULL), PL_ERR_STATE, "\"s\"", "preconditioner's matrix was freed");
  pl_solver_free(&last);
  pl_solver_free(&solver);
}

const conf_case conf_solver[] = {
  {"solver: methods", "P30", case_methods, CONF_RANKS},
  {"solver: reproducible sums", "P30, P48", case_reproducible_sums, CONF_RANKS},
  {"solver: diagonal blocks", "P30", case_diagonal_blocks, CONF_RANKS},
  {"solver: incomplete factors", "P30", case_factors, CONF_RANKS},
  {"solver: plain C", "P30", case_plain, 0},
  {"solver: newton", "P30", case_newton, CONF_RANKS},
  {"solver: operator", "P30", case_operator, CONF_RANKS},
  {"solver: another matrix's preconditioner", "P30", case_other_matrix, CONF_RANKS},
  {"solver: reasons", "P30", case_solver_reasons, CONF_RANKS},
  {"solver: after convergence", "P30", case_after_convergence, CONF_RANKS | CONF_EAGER},
  {"solver: breakdown", "P30", case_breakdown, CONF_RANKS},
  {"solver: errors", "P30", case_solver_errors, CONF_RANKS},
  {NULL, NULL, NULL, 0}};
