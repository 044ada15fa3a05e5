/* SPDX-License-Identifier: BSD-2-Clause
 * Incomplete factors of blocks of 2 x 2 on a grid of triangles, where eliminations update blocks beside the
 * diagonal: against dense factors in plain C, whose product is A on the pattern; with the same bits on any
 * number of threads; made again only when the values have changed; and refused where A is not symmetric.
 */
#include "conformance.h"
#include <math.h>
#include <stdlib.h>

enum { SIDE = 6, NODES = SIDE * SIDE, BLOCK = 2, N = BLOCK * NODES, MOST = 7 * NODES };

typedef struct rows {
  bool coupled[NODES][NODES];
  double a[N][N];  /* in the order of nodes */
  int node[NODES]; /* the nodes by colours */
} rows;

typedef struct system {
  pl_set *nodes;
  pl_mat *a;
  pl_dat *b, *x;
} system_of;

/* ---- the matrix ---- */

static void couple(rows *m)
{
  static const int step[] = {0, 1, SIDE, SIDE + 1};
  for (int i = 0; i < NODES; i++)
    for (int k = 0; k < 4; k++) {
      const int j = i + step[k];
      if (j < NODES && (!(step[k] % SIDE) || i % SIDE + 1 < SIDE)) m->coupled[i][j] = m->coupled[j][i] = true;
    }
}

/* Each node in turn takes the lowest colour that no node coupled with it has. */
static void order_by_colours(rows *m)
{
  int colour[NODES], n = 0;
  for (int i = 0; i < NODES; i++) {
    bool taken[NODES + 1] = {false};
    for (int j = 0; j < i; j++)
      if (m->coupled[i][j]) taken[colour[j]] = true;
    for (colour[i] = 0; taken[colour[i]];) colour[i]++;
  }
  for (int k = 0; k < NODES; k++)
    for (int i = 0; i < NODES; i++)
      if (colour[i] == k) m->node[n++] = i;
}

/* Values beside the diagonal differ; `skew` is added above it and subtracted below. */
static rows *new_rows(conf *c, double skew)
{
  rows *m = calloc(1, sizeof *m);
  if (!m) exit(1);
  couple(m);
  order_by_colours(m);
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) {
      if (!m->coupled[i / BLOCK][j / BLOCK]) continue;
      const double value = i == j ? 12 + conf_below(c, 5) : -(1 + conf_below(c, 7)) / 4.0;
      m->a[i][j] = value - (i == j ? 0 : skew);
      m->a[j][i] = value + (i == j ? 0 : skew);
    }
  return m;
}

static void set_values(conf *c, pl_mat *a, const rows *m)
{
  int64_t row[NODES], offset[NODES + 1] = {0}, column[MOST];
  double value[MOST * BLOCK * BLOCK], *v = value;
  for (int i = 0; i < NODES; i++) {
    int64_t n = offset[i];
    row[i] = i;
    for (int j = 0; j < NODES; j++) {
      if (!m->coupled[i][j]) continue;
      column[n++] = j;
      for (int k = 0; k < BLOCK * BLOCK; k++) *v++ = m->a[BLOCK * i + k / BLOCK][BLOCK * j + k % BLOCK];
    }
    offset[i + 1] = n;
  }
  OK(pl_mat_set_csr(a, NODES, row, offset, column, value));
}

static system_of open_system(conf *c, const rows *m)
{
  int offset[NODES + 1] = {0}, column[MOST], n = 0;
  pl_sparsity *sparsity;
  system_of s;
  for (int i = 0; i < NODES; i++) {
    for (int j = 0; j < NODES; j++)
      if (m->coupled[i][j]) column[n++] = j;
    offset[i + 1] = n;
  }
  pl_map *map;
  s.nodes = conf_set(c, NODES, "nodes");
  OK(pl_decl_map_ragged(s.nodes, s.nodes, offset, column, "columns", &map));
  OK(pl_decl_sparsity(s.nodes, BLOCK, s.nodes, BLOCK, 1, &(pl_map_pair){NULL, map}, "triangles", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &s.a));
  pl_sparsity_free(&sparsity);
  set_values(c, s.a, m);
  double b[N];
  for (int i = 0; i < N; i++) b[i] = (i * 7 % 11) / 11.0 - 0.4;
  s.b = conf_dat(c, s.nodes, BLOCK, PL_DOUBLE, b, "b");
  s.x = conf_dat(c, s.nodes, BLOCK, PL_DOUBLE, NULL, "x");
  return s;
}

/* ---- dense factors ---- */

/* Row or column k in the order of elimination. */
static int at(const rows *m, int k)
{
  return BLOCK * m->node[k / BLOCK] + k % BLOCK;
}

static bool in_pattern(const rows *m, int i, int j)
{
  return m->coupled[m->node[i / BLOCK]][m->node[j / BLOCK]];
}

/* f = the factors of A without fill-in, the unit diagonal of L left out. Rows of a block are eliminated one
 * by one, which are the factors of blocks too. Returns how many values beside the diagonal were updated. */
static int factor(const rows *m, double f[N][N])
{
  int updates = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) f[i][j] = m->a[at(m, i)][at(m, j)];
  for (int i = 0; i < N; i++)
    for (int k = 0; k < i; k++) {
      if (!in_pattern(m, i, k)) continue;
      f[i][k] /= f[k][k];
      for (int j = k + 1; j < N; j++) {
        if (!in_pattern(m, i, j)) continue;
        f[i][j] -= f[i][k] * f[k][j];
        updates += k / BLOCK < j / BLOCK && i / BLOCK != j / BLOCK && f[k][j] != 0;
      }
    }
  return updates;
}

/* The largest difference of L U and A on the pattern. */
static double pattern_error(const rows *m, double f[N][N])
{
  double worst = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = i <= j ? f[i][j] : 0;
      for (int k = 0; k < i && k <= j; k++) sum += f[i][k] * f[k][j];
      if (in_pattern(m, i, j)) worst = fmax(worst, fabs(sum - m->a[at(m, i)][at(m, j)]));
    }
  return worst;
}

/* L U x in the order of nodes. */
static void multiply_factors(const rows *m, double f[N][N], const double *x, double *y)
{
  double u[N];
  for (int i = 0; i < N; i++) {
    u[i] = 0;
    for (int j = i; j < N; j++) u[i] += f[i][j] * x[at(m, j)];
  }
  for (int i = 0; i < N; i++) {
    y[at(m, i)] = u[i];
    for (int k = 0; k < i; k++) y[at(m, i)] += f[i][k] * u[k];
  }
}

/* ---- cases ---- */

/* x = M b, by a step of Richardson's iteration from 0. */
static void apply_once(conf *c, system_of *s, const char *name, double x[N])
{
  const pl_solver_options once = {.method = "richardson", .preconditioner = name, .iterations = 1};
  FAILS(pl_solve(s->a, s->x, s->b, &once), PL_ERR_CONVERGENCE, "1 iterations");
  OK(pl_dat_fetch(s->x, x));
}

/* L U (M b) = b. */
static void case_product(conf *c)
{
  static double f[N][N];
  double b[N], x[N], y[N], worst = 0;
  for (int ic = 0; ic < 2; ic++) {
    rows *m = new_rows(c, ic ? 0 : 0.2);
    system_of s = open_system(c, m);
    CHECK(factor(m, f) > NODES);
    CHECK(pattern_error(m, f) < 1e-13);
    OK(pl_dat_fetch(s.b, b));
    apply_once(c, &s, ic ? "ic" : "ilu", x);
    multiply_factors(m, f, x, y);
    for (int i = 0; i < N; i++) worst = fmax(worst, fabs(y[i] - b[i]));
    free(m);
  }
  CHECK(worst < 1e-13);
}

static void case_bits(conf *c)
{
  double first[N] = {0}, x[N];
  pl_context *own = c->pl;
  rows *m = new_rows(c, 0);
  for (int threads = 1; threads <= 4; threads++) {
    conf_variant v = *c->variant;
    v.threads = threads;
    OK_IN(c->pl, conf_open(c, &v, NULL, &c->pl));
    system_of s = open_system(c, m);
    apply_once(c, &s, "ic", x);
    if (threads == 1) memcpy(first, x, sizeof x);
    CHECK(!memcmp(first, x, sizeof x));
    pl_finalize(&c->pl);
  }
  c->pl = own;
  free(m);
}

/* The loops of a solution. */
static int64_t count_loops(conf *c, pl_solver *solver, system_of *s)
{
  pl_stats before, after;
  OK(pl_get_stats(c->pl, &before));
  OK(pl_solver_run(solver, s->x, s->b, NULL));
  OK(pl_get_stats(c->pl, &after));
  return (int64_t)(after.loops_run - before.loops_run);
}

static void case_reuse(conf *c)
{
  double b[N], x[N], norm;
  rows *m = new_rows(c, 0);
  system_of s = open_system(c, m);
  pl_solver *solver;
  OK(pl_decl_solver(s.a, &(pl_solver_options){.preconditioner = "ic", .rtol = 1e-12}, "factors", &solver));
  OK(pl_solver_run(solver, s.x, s.b, NULL));
  const int64_t again = count_loops(c, solver, &s);
  OK(pl_dat_fetch(s.x, x));
  OK(pl_mat_scale(4.0, s.a));
  CHECK(count_loops(c, solver, &s) > again);
  CHECK(count_loops(c, solver, &s) == again);
  OK(pl_dat_fetch(s.x, b));
  norm = 0;
  for (int i = 0; i < N; i++) norm = fmax(norm, fabs(4 * b[i] - x[i])); /* multiples of 4 are exact */
  CHECK(norm == 0);
  pl_solver_free(&solver);
  free(m);
}

static void case_symmetry(conf *c)
{
  rows *m = new_rows(c, 0);
  system_of s = open_system(c, m);
  const pl_solver_options options = {.preconditioner = "ic"};
  m->a[1][0] += 1e-12;
  set_values(c, s.a, m);
  OK(pl_solve(s.a, s.x, s.b, &options)); /* rounding */
  for (int inside = 0; inside < 2; inside++) {
    const int column = inside ? 2 * BLOCK - 1 : 3 * BLOCK; /* in a block of the diagonal, and beside it */
    m->a[2 * BLOCK - 2 + BLOCK * !inside][column] += 1e-3;
    set_values(c, s.a, m);
    FAILS(pl_solve(s.a, s.x, s.b, &options), PL_ERR_CONVERGENCE, "\"ic\"", "\"A\"", "symmetric", "\"ilu\"");
    m->a[2 * BLOCK - 2 + BLOCK * !inside][column] -= 1e-3;
  }
  set_values(c, s.a, m);
  OK(pl_solve(s.a, s.x, s.b, &options));
  free(m);
}

const conf_case conf_factors[] = {{"factors: L U is A on the pattern", "P30", case_product, 0},
                                  {"factors: the same bits on threads", "P30, P48", case_bits, 0},
                                  {"factors: reuse", "P30", case_reuse, CONF_EAGER},
                                  {"factors: symmetry", "P30", case_symmetry, 0},
                                  {NULL, NULL, NULL, 0}};
