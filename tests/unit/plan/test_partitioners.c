/* SPDX-License-Identifier: BSD-2-Clause
 * Partitioners: balance, compactness, ties, degenerate input, and that the outcome does not depend on the
 * number of ranks: each rank also partitions everything alone and compares. Runs alone or under mpirun.
 */
#include "core/context.h"
#include "plan/metis.h"
#include "plan/parts.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
  pl_context *pl, *alone; /* over all ranks; over this one */
} run;

static pl_context *open_context(const char *mpi)
{
  const char *options[] = {"backend=seq", mpi, NULL};
  pl_settings settings = {.options = options};
  pl_context *pl;
  PL_OK(pl, pl_init(NULL, NULL, &settings, &pl));
  return pl;
}

static double random_unit(uint64_t *s)
{
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return (double)(*s >> 11) / 9007199254740992.0;
}

/* All points, and the piece of this rank. */
typedef struct cloud {
  pl_points all, mine;
  int first;
} cloud;

enum { UNIFORM, GRADED, GRID, ONE_PLACE, CLOUDS };

static cloud make_cloud(int kind, int n, int dim, bool weighted)
{
  double *x = malloc(sizeof *x * (size_t)n * (size_t)dim + 8), *w = malloc(sizeof *w * (size_t)n + 8);
  uint64_t seed = 42;
  int side = (int)ceil(sqrt(n)), ranks = pl_ranks(run.pl), rank = pl_rank(run.pl);
  for (int i = 0; i < n; i++) {
    w[i] = (double)(1 + i % 7);
    for (int d = 0; d < dim; d++) {
      double r = random_unit(&seed);
      x[i * dim + d] = kind == UNIFORM  ? r
                       : kind == GRADED ? r * r * r * r * (d ? 1e-3 : 1)
                       : kind == GRID   ? (d == 0   ? i % side
                                           : d == 1 ? i / side
                                                    : 0)
                                        : 3;
    }
  }
  int first = (int)((int64_t)n * rank / ranks), end = (int)((int64_t)n * (rank + 1) / ranks);
  cloud c = {
    {n, dim, x, weighted ? w : NULL}, {end - first, dim, x + (size_t)first * (size_t)dim, NULL}, first};
  if (weighted)
    c.mine.weight = w + first;
  else
    free(w);
  return c;
}

static void free_cloud(cloud *c)
{
  free((void *)c->all.x);
  free((void *)c->all.weight);
}

typedef pl_err (*method)(pl_context *pl, const pl_points *points, int nparts, int *part);
static const method methods[] = {pl_partition_bisection, pl_partition_curve};

/* Weight of the heaviest part over the mean. */
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

static void check_cloud(int kind, int n, int dim, int nparts, bool weighted)
{
  cloud c = make_cloud(kind, n, dim, weighted);
  int *part = calloc((size_t)n + 1, sizeof *part), *same = calloc((size_t)n + 1, sizeof *same);
  for (int m = 0; m < 2; m++) {
    if (m == 1 && kind == ONE_PLACE) continue; /* the curve does not part points on one place */
    CU_ASSERT_EQUAL_FATAL(methods[m](run.pl, &c.mine, nparts, part), PL_SUCCESS);
    CU_ASSERT_EQUAL_FATAL(methods[m](run.alone, &c.all, nparts, same), PL_SUCCESS);
    CU_ASSERT_EQUAL(memcmp(part, same + c.first, (size_t)c.mine.n * sizeof *part), 0);
    bool inside = true;
    for (int i = 0; i < c.mine.n; i++) inside &= part[i] >= 0 && part[i] < nparts;
    CU_ASSERT_TRUE_FATAL(inside);
    check_balance(&c.all, nparts, same);
  }
  free(part);
  free(same);
  free_cloud(&c);
}

static void balance(void)
{
  static const int parts[] = {1, 2, 3, 7, 16, 61};
  for (int kind = 0; kind < CLOUDS; kind++)
    for (int dim = 1; dim <= 3; dim++)
      for (int p = 0; p < 6; p++) {
        if (kind == GRID && dim == 1) continue; /* each place fifty times */
        check_cloud(kind, 2500, dim, parts[p], p % 2);
      }
}

/* Cuts are the same on any number of ranks and put points where bisection has put them, but for a few that
 * lie next to a cut. */
static void cuts(void)
{
  enum { N = 2500, PARTS = 61 };
  static const int parts[] = {1, 2, 3, 7, 16, PARTS};
  static int part[N];
  for (int dim = 1; dim <= 3; dim++)
    for (int p = 0; p < 6; p++) {
      cloud c = make_cloud(0, N, dim, false);
      pl_cut cut[PARTS], same[PARTS];
      int other = 0, n = parts[p];
      CU_ASSERT_EQUAL_FATAL(pl_partition_cuts(run.pl, &c.mine, n, part, cut), PL_SUCCESS);
      CU_ASSERT_EQUAL_FATAL(pl_partition_cuts(run.alone, &c.all, n, part, same), PL_SUCCESS);
      for (int k = 0; k < n - 1; k++) CU_ASSERT_TRUE(cut[k].axis == same[k].axis && cut[k].at == same[k].at);
      for (int i = 0; i < N; i++) other += pl_cut_part(cut, n, c.all.x + (size_t)i * (size_t)dim) != part[i];
      CU_ASSERT_TRUE(other <= n);
      free_cloud(&c);
    }
}

static void few_points(void)
{
  for (int n = 0; n < 5; n++)
    for (int nparts = 1; nparts < 9; nparts += 3) check_cloud(UNIFORM, n, 2, nparts, false);
  check_cloud(UNIFORM, 40, 3, 500, false);
}

/* The edges of a square grid of points, numbered row by row, as rows of a map: those of rank `rank`. */
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

/* This rank's rows and elements of the grid; weights of the left half are ten times those of the right. */
static pl_shared_rows grid_rows(int first, int n, int64_t *row, int64_t *id, double *weight)
{
  for (int i = 0; i < n; i++) id[i] = first + i;
  for (int i = 0; weight && i < n; i++) weight[i] = (first + i) % SIDE < SIDE / 2 ? 10 : 1;
  int rows = grid_edges(first, n, row);
  return (pl_shared_rows){
    .all = POINTS, .nrows = rows, .n = n, .arity = 2, .id = id, .row = row, .weight = weight};
}

/* The same from all ranks as from one, and good; METIS would die if it were asked for one part. */
static void check_kway(const cloud *c, bool weighted)
{
  static int64_t row[4 * POINTS], id[POINTS];
  static double weight[POINTS];
  static int part[POINTS], whole[POINTS];
  pl_shared_rows all = grid_rows(0, POINTS, row, id, weighted ? weight : NULL);
  pl_points points = {POINTS, 2, c->all.x, weighted ? weight : NULL};
  if (pl_metis_unavailable()) {
    CU_ASSERT_EQUAL(pl_partition_kway(run.alone, &all, 9, whole), PL_ERR_BACKEND);
    return;
  }
  CU_ASSERT_EQUAL_FATAL(pl_partition_kway(run.alone, &all, 9, whole), PL_SUCCESS);
  CU_ASSERT_TRUE(count_cut(whole) < 420);
  CU_ASSERT_TRUE(imbalance_of(&points, 9, whole) < 1.06);
  pl_shared_rows mine = grid_rows(c->first, c->mine.n, row, id, weighted ? weight : NULL);
  CU_ASSERT_EQUAL_FATAL(pl_partition_kway(run.pl, &mine, 9, part), PL_SUCCESS);
  CU_ASSERT_EQUAL(memcmp(part, whole + c->first, (size_t)c->mine.n * sizeof *part), 0);
  CU_ASSERT_EQUAL_FATAL(pl_partition_kway(run.pl, &mine, 1, part), PL_SUCCESS);
  for (int i = 0; i < c->mine.n; i++) CU_ASSERT_EQUAL(part[i], 0);
  CU_ASSERT_EQUAL(pl_partition_kway(run.pl, &mine, 0, part), PL_ERR_RANGE);
  weight[0] = -1;
  if (weighted) CU_ASSERT_EQUAL(pl_partition_kway(run.pl, &mine, 2, part), PL_ERR_RANGE);
}

/* Edges cut of a grid of 60 x 60 in 9 parts: 240 if cut into squares. */
static void quality(void)
{
  cloud c = make_cloud(GRID, POINTS, 2, false);
  static int part[POINTS];
  int64_t number[POINTS];
  for (int m = 0; m < 2; m++) {
    CU_ASSERT_EQUAL_FATAL(methods[m](run.alone, &c.all, 9, part), PL_SUCCESS);
    CU_ASSERT_TRUE(count_cut(part) > 200 && count_cut(part) < 480);
    CU_ASSERT_TRUE(imbalance_of(&c.all, 9, part) < 1.02);
  }
  for (int i = 0; i < POINTS; i++) number[i] = i;
  CU_ASSERT_EQUAL(pl_partition_random(run.alone, POINTS, number, 1, 9, part), PL_SUCCESS);
  CU_ASSERT_TRUE(count_cut(part) > 2 * SIDE * (SIDE - 1) * 8 / 10);
  CU_ASSERT_TRUE(imbalance_of(&c.all, 9, part) < 1.2);
  check_kway(&c, false);
  check_kway(&c, true);
  free_cloud(&c);
}

/* What is wrong on one rank is an error on all. */
static void refused(void)
{
  cloud c = make_cloud(UNIFORM, 30, 2, true);
  int part[31];
  bool last = pl_rank(run.pl) == pl_ranks(run.pl) - 1;
  for (int m = 0; m < 2; m++) {
    CU_ASSERT_EQUAL(methods[m](run.pl, &c.mine, 0, part), PL_ERR_RANGE);
    double *x = (double *)c.mine.x, kept = x[1];
    if (last) x[1] = NAN;
    CU_ASSERT_EQUAL(methods[m](run.pl, &c.mine, 2, part), PL_ERR_RANGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(run.pl), "coordinate 1 of element 0"));
    x[1] = kept;
    if (last) ((double *)c.mine.weight)[2] = -1;
    CU_ASSERT_EQUAL(methods[m](run.pl, &c.mine, 2, part), PL_ERR_RANGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(run.pl), "weight of element 2"));
    if (last) ((double *)c.mine.weight)[2] = 1;
    c.mine.dim = 4;
    CU_ASSERT_EQUAL(methods[m](run.pl, &c.mine, 2, part), PL_ERR_RANGE);
    c.mine.dim = 2;
  }
  CU_ASSERT_EQUAL(pl_partition_random(run.pl, 0, NULL, 1, 0, part), PL_ERR_RANGE);
  free_cloud(&c);
}

int main(void)
{
  if (CU_initialize_registry() != CUE_SUCCESS) return 2;
  run.pl = open_context("mpi=auto");
  run.alone = open_context("mpi=off");
  CU_pSuite suite = CU_add_suite("partition", NULL, NULL);
  CU_add_test(suite, "balance, the same on any number of ranks", balance);
  CU_add_test(suite, "cuts", cuts);
  CU_add_test(suite, "few points", few_points);
  CU_add_test(suite, "quality", quality);
  CU_add_test(suite, "refused", refused);
  CU_basic_set_mode(CU_BRM_VERBOSE);
  CU_basic_run_tests();
  unsigned failures = CU_get_number_of_failures();
  CU_cleanup_registry();
  pl_finalize(&run.alone);
  pl_finalize(&run.pl);
  return failures ? 1 : 0;
}
