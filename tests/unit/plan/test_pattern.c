/* SPDX-License-Identifier: BSD-2-Clause
 * Patterns of sparse matrices and positions of local tensors, against dense matrices of marks.
 */
#include "core/data/objects.h"
#include "plan/sparsity/positions.h"
#include "plan_meshes.h"
#ifdef _OPENMP
#include <omp.h>
#endif

enum { ROUNDS = 200, MOST = 80, PAIRS = 3 };

typedef struct problem {
  pl_context *pl;
  pl_set *rows, *columns;
  int npairs;
  pl_map_pair pair[PAIRS];
  bool diagonal;
  unsigned char *mark; /* rows x columns */
} problem;

static void mark_pair(problem *p, const pl_map_pair *pair)
{
  const int *row = pl_map_indices(pair->rows), *column = pl_map_indices(pair->columns);
  const int m = pl_map_arity(pair->rows), n = pl_map_arity(pair->columns);
  for (int e = 0; e < pair->rows->from->end[3]; e++)
    for (int k = 0; k < m * n; k++) {
      const int r = row[e * m + k / n], c = column[e * n + k % n];
      if (r >= 0 && c >= 0) p->mark[(size_t)r * (size_t)p->columns->end[3] + (size_t)c] = 1;
    }
}

static problem random_problem(seed *s, int most)
{
  problem p = {.pl = open_context(), .npairs = 1 + below(s, PAIRS), .diagonal = below(s, 2)};
  p.rows = make_set(p.pl, 1 + below(s, most));
  p.columns = p.diagonal ? p.rows : make_set(p.pl, 1 + below(s, most));
  p.mark = calloc((size_t)p.rows->end[3] * (size_t)p.columns->end[3], 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(p.mark);
  for (int i = 0; i < p.npairs; i++) {
    pl_set *from = make_set(p.pl, below(s, most));
    p.pair[i] = (pl_map_pair){random_map(s, from, p.rows), random_map(s, from, p.columns)};
    mark_pair(&p, &p.pair[i]);
  }
  for (int r = 0; p.diagonal && r < p.rows->end[3]; r++)
    p.mark[(size_t)r * (size_t)p.columns->end[3] + (size_t)r] = 1;
  return p;
}

static void close_problem(problem *p)
{
  free(p->mark);
  pl_finalize(&p->pl);
}

/* The pattern has the marked entries and no others. */
static void check_pattern(const problem *p, const pl_pattern *pattern)
{
  char why[128] = "";
  int wrong = 0;
  CU_ASSERT_TRUE(pl_pattern_is_valid(pattern, why, sizeof why));
  for (int r = 0; r < pattern->nrows; r++)
    for (int c = 0; c < pattern->ncolumns; c++)
      wrong +=
        (pl_pattern_find(pattern, r, c) >= 0) != p->mark[(size_t)r * (size_t)pattern->ncolumns + (size_t)c];
  CU_ASSERT_EQUAL(wrong, 0);
}

/* With one entry a block: that of the block's first value. */
static void check_first_positions(const problem *p, const pl_pattern *pattern, const pl_map_pair *pair,
                                  const int block[2], const int *position)
{
  const int m = pl_map_arity(pair->rows), n = pl_map_arity(pair->columns), line = n * block[1];
  int *first = NULL, wrong = 0;
  OK(pl_positions_build(p->pl, pattern, block, true, pair, &first));
  for (int e = 0; e < pair->rows->from->end[3]; e++)
    for (int k = 0; k < m * n; k++)
      wrong += first[(size_t)e * (size_t)(m * n) + (size_t)k] !=
               position[(size_t)e * (size_t)(m * block[0] * line) +
                        (size_t)(k / n * block[0] * line + k % n * block[1])];
  CU_ASSERT_EQUAL(wrong, 0);
  pl_free_array(p->pl, first);
}

/* Each position is that of its row and column. */
static void check_positions(const problem *p, const pl_pattern *pattern, const pl_map_pair *pair,
                            const int block[2])
{
  const int m = pl_map_arity(pair->rows) * block[0], n = pl_map_arity(pair->columns) * block[1];
  int *position = NULL, wrong = 0;
  OK(pl_positions_build(p->pl, pattern, block, false, pair, &position));
  for (int e = 0; e < pair->rows->from->end[3]; e++)
    for (int k = 0; k < m * n; k++) {
      const int i = k / n, j = k % n;
      const int r = pl_map_indices(pair->rows)[e * (m / block[0]) + i / block[0]],
                c = pl_map_indices(pair->columns)[e * (n / block[1]) + j / block[1]];
      const int slot = r < 0 || c < 0 ? -1 : pl_pattern_find(pattern, r, c);
      const int want = slot < 0 ? -1 : (slot * block[0] + i % block[0]) * block[1] + j % block[1];
      wrong += position[(size_t)e * (size_t)(m * n) + (size_t)k] != want;
    }
  CU_ASSERT_EQUAL(wrong, 0);
  check_first_positions(p, pattern, pair, block, position);
  pl_free_array(p->pl, position);
}

static void test_random(void)
{
  seed s = 20261123;
  for (int round = 0; round < ROUNDS; round++) {
    problem p = random_problem(&s, MOST);
    pl_pattern pattern;
    OK(pl_pattern_build(p.rows, p.columns, p.npairs, p.pair, p.diagonal, &pattern));
    check_pattern(&p, &pattern);
    for (int i = 0; i < p.npairs; i++)
      check_positions(&p, &pattern, &p.pair[i], (const int[]){1 + below(&s, 3), 1 + below(&s, 3)});
    pl_pattern_free(p.pl, &pattern);
    close_problem(&p);
  }
}

/* A mesh large enough for threads: every number of threads gives the same arrays. */
static void test_threads(void)
{
#ifdef _OPENMP
  const int n = 60000, threads = omp_get_max_threads();
  int *index = calloc(3 * (size_t)n, sizeof *index);
  seed s = 7;
  CU_ASSERT_PTR_NOT_NULL_FATAL(index);
  for (int i = 0; i < 3 * n; i++) index[i] = (i / 3 + below(&s, 40)) % n;
  pl_context *pl = open_context();
  pl_set *set = make_set(pl, n);
  const pl_map_pair pair = {make_map(set, set, 3, index), make_map(set, set, 3, index)};
  pl_pattern one = {0};
  for (int t = 1; t <= 4; t++) {
    pl_pattern pattern;
    omp_set_num_threads(t);
    OK(pl_pattern_build(set, set, 1, &pair, true, &pattern));
    if (t == 1) one = pattern;
    const size_t rows = ((size_t)n + 1) * sizeof(int), entries = (size_t)one.offset[n] * sizeof(int);
    CU_ASSERT(!memcmp(one.offset, pattern.offset, rows) && !memcmp(one.column, pattern.column, entries));
    if (t > 1) pl_pattern_free(pl, &pattern);
  }
  omp_set_num_threads(threads);
  pl_pattern_free(pl, &one);
  pl_finalize(&pl);
  free(index);
#endif
}

/* Entries outside of the pattern are refused. */
static void test_missing(void)
{
  static const int first[] = {0, 1}, second[] = {0, 2};
  pl_context *pl = open_context();
  pl_set *from = make_set(pl, 1), *to = make_set(pl, 3);
  pl_map *a = make_map(from, to, 2, first), *b = make_map(from, to, 2, second);
  const pl_map_pair good = {a, a}, bad = {a, b};
  const int block[2] = {1, 1};
  int *position = NULL;
  pl_pattern pattern;
  OK(pl_pattern_build(to, to, 1, &good, true, &pattern));
  FAILS(pl_positions_build(pl, &pattern, block, false, &bad, &position), PL_ERR_RANGE, "element 0");
  CU_ASSERT_PTR_NULL(position);
  pl_pattern_free(pl, &pattern);
  pl_finalize(&pl);
}

static CU_TestInfo tests[] = {
  {"random pairs of maps", test_random},
  {"threads", test_threads},
  {"entries outside of the pattern", test_missing},
  CU_TEST_INFO_NULL,
};

int main(void)
{
  return suite_run("pattern", tests);
}
