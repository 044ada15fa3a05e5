/* SPDX-License-Identifier: BSD-2-Clause
 * Partitioners: balance, compactness, ties, degenerate input, and results independent of the number of
 * ranks: each rank compares with a partition that it computes alone. Runs alone or under mpirun.
 */
#include "plan/partition/coordinate_bisection.h"
#include "plan/partition/distributed_graph.h"
#include "core/comm/comm.h"
#include "core/context/context.h"

#include "random.h"
#include "checks.h"
#include "suite.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
  pl_context *pl, *alone; /* on all ranks; on this rank alone */
} run;

/* All points, and this rank's share. */
typedef struct distributed_points {
  pl_points all, mine;
  int first;
} distributed_points;

enum { UNIFORM, GRADED, GRID, COINCIDENT, KINDS };

static distributed_points make_points(int kind, int n, int dim, bool weighted)
{
  double *x = malloc(sizeof *x * (size_t)n * (size_t)dim + 8), *w = malloc(sizeof *w * (size_t)n + 8);
  seed s = 42;
  int side = (int)ceil(sqrt(n)), ranks = pl_ranks(run.pl), rank = pl_rank(run.pl);
  for (int i = 0; i < n; i++) {
    w[i] = (double)(1 + i % 7);
    for (int d = 0; d < dim; d++) {
      double r = random_unit(&s);
      x[i * dim + d] = kind == UNIFORM  ? r
                       : kind == GRADED ? r * r * r * r * (d ? 1e-3 : 1)
                       : kind == GRID   ? (d == 0   ? i % side
                                           : d == 1 ? i / side
                                                    : 0)
                                        : 3;
    }
  }
  int first = (int)((int64_t)n * rank / ranks), end = (int)((int64_t)n * (rank + 1) / ranks);
  distributed_points c = {
    {n, dim, x, weighted ? w : NULL}, {end - first, dim, x + (size_t)first * (size_t)dim, NULL}, first};
  if (weighted)
    c.mine.weight = w + first;
  else
    free(w);
  return c;
}

static void free_points(distributed_points *c)
{
  free((void *)c->all.x);
  free((void *)c->all.weight);
}

typedef pl_err (*method)(pl_context *pl, const pl_points *points, int nparts, int *part);
static const method methods[] = {pl_partition_bisection, pl_partition_curve};

/* The weight of the heaviest part divided by the mean. */
static double imbalance_of(const pl_points *all, int nparts, const int *part)
{
  double sum[512] = {0}, total = 0, most = 0;
  for (int i = 0; i < all->n; i++) {
    sum[part[i]] += all->weight ? all->weight[i] : 1;
    total += all->weight ? all->weight[i] : 1;
  }
  for (int p = 0; p < nparts; p++) most = fmax(most, sum[p]);
  return total > 0 ? most * nparts / total : 1;
}

/* Heaviest part at most 2 % above the mean, or by one point. */
static void check_balance(const pl_points *all, int nparts, const int *part)
{
  double total = 0, heaviest = all->weight ? 7 : 1;
  for (int i = 0; i < all->n; i++) total += all->weight ? all->weight[i] : 1;
  double mean = total / nparts, depth = ceil(log2(nparts)) + 1;
  CU_ASSERT_TRUE(imbalance_of(all, nparts, part) * mean <= 1.02 * mean + heaviest * depth);
}

static void check_points(int kind, int n, int dim, int nparts, bool weighted)
{
  distributed_points c = make_points(kind, n, dim, weighted);
  int *part = calloc((size_t)n + 1, sizeof *part), *same = calloc((size_t)n + 1, sizeof *same);
  for (int m = 0; m < 2; m++) {
    if (m == 1 && kind == COINCIDENT) continue; /* the curve does not separate coincident points */
    OK(methods[m](run.pl, &c.mine, nparts, part));
    OK(methods[m](run.alone, &c.all, nparts, same));
    CU_ASSERT_EQUAL(memcmp(part, same + c.first, (size_t)c.mine.n * sizeof *part), 0);
    bool inside = true;
    for (int i = 0; i < c.mine.n; i++) inside &= part[i] >= 0 && part[i] < nparts;
    CU_ASSERT_TRUE_FATAL(inside);
    check_balance(&c.all, nparts, same);
  }
  free(part);
  free(same);
  free_points(&c);
}

static void balance(void)
{
  static const int parts[] = {1, 2, 3, 7, 16, 61};
  for (int kind = 0; kind < KINDS; kind++)
    for (int dim = 1; dim <= 3; dim++)
      for (int p = 0; p < 6; p++) {
        if (kind == GRID && dim == 1) continue; /* each point fifty times */
        check_points(kind, 2500, dim, parts[p], p % 2);
      }
}

/* Cuts are the same on any number of ranks. They assign points to the part of the bisection, except for a few
 * points next to a cut. */
static void cuts(void)
{
  enum { N = 2500, PARTS = 61 };
  static const int parts[] = {1, 2, 3, 7, 16, PARTS};
  static int part[N];
  for (int dim = 1; dim <= 3; dim++)
    for (int p = 0; p < 6; p++) {
      distributed_points c = make_points(0, N, dim, false);
      pl_cut cut[PARTS], same[PARTS];
      int other = 0, n = parts[p];
      OK(pl_partition_cuts(run.pl, &c.mine, n, part, cut));
      OK(pl_partition_cuts(run.alone, &c.all, n, part, same));
      for (int k = 0; k < n - 1; k++) CU_ASSERT_TRUE(cut[k].axis == same[k].axis && cut[k].at == same[k].at);
      for (int i = 0; i < N; i++) other += pl_cut_part(cut, n, c.all.x + (size_t)i * (size_t)dim) != part[i];
      CU_ASSERT_TRUE(other <= n);
      free_points(&c);
    }
}

/* The cut of two parts is as far from the nearest point on either side. */
static void cut_in_gap(void)
{
  enum { N = 301 };
  int part[N];
  for (int dim = 1; dim <= 3; dim++) {
    distributed_points c = make_points(UNIFORM, N, dim, false);
    pl_cut cut;
    double left = -INFINITY, right = INFINITY;
    OK(pl_partition_cuts(run.alone, &c.all, 2, part, &cut));
    for (int i = 0; i < N; i++) {
      const double x = c.all.x[i * dim + cut.axis];
      if (part[i] == 0) left = fmax(left, x);
      if (part[i] == 1) right = fmin(right, x);
    }
    CU_ASSERT_TRUE(left < right);
    CU_ASSERT_DOUBLE_EQUAL(cut.at - left, right - cut.at, 1e-12);
    free_points(&c);
  }
}

static void few_points(void)
{
  for (int n = 0; n < 5; n++)
    for (int nparts = 1; nparts < 9; nparts += 3) check_points(UNIFORM, n, 2, nparts, false);
  check_points(UNIFORM, 40, 3, 500, false);
}

/* The edges of the points from `first` on in a square grid, numbered by rows. */
enum { SIDE = 60, POINTS = SIDE * SIDE };

static int grid_edges(int first, int n, int64_t *row)
{
  int rows = 0;
  for (int v = first; v < first + n; v++) {
    const int64_t next[2] = {v % SIDE < SIDE - 1 ? v + 1 : -1, v / SIDE < SIDE - 1 ? v + SIDE : -1};
    for (int k = 0; k < 2; k++)
      if (next[k] >= 0) {
        row[2 * rows] = v;
        row[2 * rows++ + 1] = next[k];
      }
  }
  return rows;
}

static int count_cut(const int *part)
{
  static int64_t row[4 * POINTS];
  int cut = 0, rows = grid_edges(0, POINTS, row);
  CU_ASSERT_EQUAL(rows, 2 * SIDE * (SIDE - 1));
  for (int i = 0; i < rows; i++) cut += part[row[2 * i]] != part[row[2 * i + 1]];
  return cut;
}

/* This rank's rows and elements of the grid; the left half weighs ten times the right. */
static pl_shared_rows grid_rows(int first, int n, int64_t *row, int64_t *id, double *weight)
{
  for (int i = 0; i < n; i++) id[i] = first + i;
  for (int i = 0; weight && i < n; i++) weight[i] = (first + i) % SIDE < SIDE / 2 ? 10 : 1;
  int rows = grid_edges(first, n, row);
  return (pl_shared_rows){
    .all = POINTS, .nrows = rows, .n = n, .arity = 2, .id = id, .row = row, .weight = weight};
}

/* The same result from all ranks as from one, with a small cut; one part must not reach METIS, which would
 * crash. */
static void check_kway(const distributed_points *c, bool weighted)
{
  static int64_t row[4 * POINTS], id[POINTS];
  static double weight[POINTS];
  static int part[POINTS], whole[POINTS];
  pl_shared_rows all = grid_rows(0, POINTS, row, id, weighted ? weight : NULL);
  pl_points points = {POINTS, 2, c->all.x, weighted ? weight : NULL};
  if (pl_module_missing(run.alone, PL_MODULE_METIS)) {
    CU_ASSERT_EQUAL(pl_partition_kway(run.alone, &all, 9, whole), PL_ERR_BACKEND);
    return;
  }
  OK(pl_partition_kway(run.alone, &all, 9, whole));
  CU_ASSERT_TRUE(count_cut(whole) < 420);
  CU_ASSERT_TRUE(imbalance_of(&points, 9, whole) < 1.06);
  pl_shared_rows mine = grid_rows(c->first, c->mine.n, row, id, weighted ? weight : NULL);
  OK(pl_partition_kway(run.pl, &mine, 9, part));
  CU_ASSERT_EQUAL(memcmp(part, whole + c->first, (size_t)c->mine.n * sizeof *part), 0);
  OK(pl_partition_kway(run.pl, &mine, 1, part));
  for (int i = 0; i < c->mine.n; i++) CU_ASSERT_EQUAL(part[i], 0);
  CU_ASSERT_EQUAL(pl_partition_kway(run.pl, &mine, 0, part), PL_ERR_RANGE);
  weight[0] = -1;
  if (weighted) CU_ASSERT_EQUAL(pl_partition_kway(run.pl, &mine, 2, part), PL_ERR_RANGE);
}

/* PT-Scotch: one part for each rank, with a small cut, the same in each call and for any distribution of the
 * elements: in the second call a rank has other elements and all its rows twice. */
static void check_scotch(const distributed_points *c, bool weighted)
{
  static int64_t row[8 * POINTS], id[POINTS];
  static double weight[POINTS];
  static int part[POINTS], moved[POINTS], sums[2 * POINTS];
  int ranks = pl_ranks(run.pl), n = c->mine.n;
  pl_shared_rows rows = grid_rows(c->first, n, row, id, weighted ? weight : NULL);
  if (pl_module_missing(run.pl, PL_MODULE_SCOTCH)) {
    FAILS_IN(run.pl, pl_partition_scotch(run.pl, &rows, part), PL_ERR_BACKEND, "libptscotch-dev");
    return;
  }
  memset(sums, 0, sizeof sums);
  OK(pl_partition_scotch(run.alone, &rows, part));
  for (int i = 0; i < n; i++) CU_ASSERT_EQUAL(part[i], 0);
  OK(pl_partition_scotch(run.pl, &rows, part));
  for (int i = 0; i < n; i++) sums[id[i]] = part[i];
  memcpy(row + 2 * rows.nrows, row, 2 * (size_t)rows.nrows * sizeof *row);
  rows.nrows *= 2;
  rows.n = 0;
  for (int i = pl_rank(run.pl); i < POINTS; i += ranks) {
    weight[rows.n] = i % SIDE < SIDE / 2 ? 10 : 1;
    id[rows.n++] = i;
  }
  OK(pl_partition_scotch(run.pl, &rows, moved));
  for (int i = 0; i < rows.n; i++) sums[POINTS + id[i]] = moved[i];
  OK(pl_comm_reduce(run.pl, PL_INT32, PL_INC, sums, 2 * POINTS));
  CU_ASSERT_EQUAL(memcmp(sums, sums + POINTS, sizeof sums / 2), 0);
  for (int i = 0; i < POINTS; i++) weight[i] = i % SIDE < SIDE / 2 ? 10 : 1;
  pl_points points = {POINTS, 2, c->all.x, weighted ? weight : NULL};
  double imbalance = imbalance_of(&points, ranks, sums);
  CU_ASSERT_TRUE(imbalance < 1.06);
  CU_ASSERT_TRUE(count_cut(sums) <= 70 * (ranks - 1));
}

/* Cut edges of a 60 x 60 grid in 9 parts: 240 for squares. */
static void quality(void)
{
  distributed_points c = make_points(GRID, POINTS, 2, false);
  static int part[POINTS];
  int64_t number[POINTS];
  for (int m = 0; m < 2; m++) {
    OK(methods[m](run.alone, &c.all, 9, part));
    CU_ASSERT_TRUE(count_cut(part) > 200 && count_cut(part) < 480);
    CU_ASSERT_TRUE(imbalance_of(&c.all, 9, part) < 1.02);
  }
  for (int i = 0; i < POINTS; i++) number[i] = i;
  CU_ASSERT_EQUAL(pl_partition_random(run.alone, POINTS, number, 1, 9, part), PL_SUCCESS);
  CU_ASSERT_TRUE(count_cut(part) > 2 * SIDE * (SIDE - 1) * 8 / 10);
  CU_ASSERT_TRUE(imbalance_of(&c.all, 9, part) < 1.2);
  check_kway(&c, false);
  check_kway(&c, true);
  check_scotch(&c, false);
  check_scotch(&c, true);
  free_points(&c);
}

/* Rank 0 has all elements; the others pass no weights. */
static void weights_of_one_rank(void)
{
  static int64_t row[4 * POINTS], id[POINTS];
  static double weight[POINTS];
  static int part[POINTS];
  bool first = pl_rank(run.pl) == 0;
  pl_shared_rows rows = grid_rows(0, first ? POINTS : 0, row, id, first ? weight : NULL);
  if (!pl_module_missing(run.pl, PL_MODULE_METIS)) OK(pl_partition_kway(run.pl, &rows, 9, part));
  if (!pl_module_missing(run.pl, PL_MODULE_SCOTCH)) OK(pl_partition_scotch(run.pl, &rows, part));
}

/* Wrong input on one rank is an error on all. */
static void refused(void)
{
  distributed_points c = make_points(UNIFORM, 30, 2, true);
  int part[31];
  bool last = pl_rank(run.pl) == pl_ranks(run.pl) - 1;
  for (int m = 0; m < 2; m++) {
    CU_ASSERT_EQUAL(methods[m](run.pl, &c.mine, 0, part), PL_ERR_RANGE);
    double *x = (double *)c.mine.x, kept = x[1];
    if (last) x[1] = NAN;
    FAILS_IN(run.pl, methods[m](run.pl, &c.mine, 2, part), PL_ERR_RANGE, "coordinate 1 of element 0");
    x[1] = kept;
    if (last) ((double *)c.mine.weight)[2] = -1;
    FAILS_IN(run.pl, methods[m](run.pl, &c.mine, 2, part), PL_ERR_RANGE, "weight of element 2");
    if (last) ((double *)c.mine.weight)[2] = 1;
    c.mine.dim = 4;
    CU_ASSERT_EQUAL(methods[m](run.pl, &c.mine, 2, part), PL_ERR_RANGE);
    c.mine.dim = 2;
  }
  CU_ASSERT_EQUAL(pl_partition_random(run.pl, 0, NULL, 1, 0, part), PL_ERR_RANGE);
  free_points(&c);
}

static CU_TestInfo tests[] = {{"balance, the same on any number of ranks", balance},
                              {"cuts", cuts},
                              {"cut in the gap", cut_in_gap},
                              {"few points", few_points},
                              {"quality", quality},
                              {"weights of one rank", weights_of_one_rank},
                              {"refused", refused},
                              CU_TEST_INFO_NULL};

int main(void)
{
  run.pl = CONTEXT("backend=seq", "mpi=auto");
  run.alone = CONTEXT("backend=seq", "mpi=off");
  const int result = suite_run("partition", tests);
  pl_finalize(&run.alone);
  pl_finalize(&run.pl);
  return result;
}
