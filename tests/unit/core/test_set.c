/* SPDX-License-Identifier: BSD-2-Clause
 * Sets and subsets.
 */
#include "core/data/objects.h"
#include "fake_backend.h"
#include "suite.h"

static void test_sets(void)
{
  const int64_t sizes[4] = {1, 3, 4, 6}, bad[4] = {3, 2, 4, 4};
  const int list[] = {5, 1, 1, 3, 0}, sorted[] = {0, 1, 3, 5}, inner[] = {2, 0}, deep[] = {0, 3};
  pl_context *pl = open_context();
  pl_set *set = NULL, *a = NULL, *b = NULL, *d = NULL;
  OK(pl_decl_set_parts(pl, sizes, NULL, &set));
  CU_ASSERT(pl_set_size(set) == 3 && pl_set_total(set) == 6 && !strcmp(pl_set_name(set), "(unnamed)"));
  OK(pl_decl_subset(set, 5, list, "a", &a));
  CU_ASSERT_EQUAL_FATAL(a->end[3], 4);
  for (int i = 0; i < 4; i++) CU_ASSERT_EQUAL(a->indices[i], sorted[i]);
  CU_ASSERT(a->end[0] == 1 && a->end[1] == 2 && a->end[2] == 3);
  OK(pl_decl_subset(a, 2, inner, "b", &b));
  CU_ASSERT(pl_set_parent(b) == set && b->end[3] == 2 && b->indices[0] == deep[0] &&
            b->indices[1] == deep[1]);
  static const int expected[4][4] = {{0, 1, 3, 5}, {0, 3}, {1, 5}, {1, 5}};
  static const int counts[4] = {4, 2, 2, 2}, owned[4] = {2, 1, 1, 1};
  for (int op = 0; op < 4; op++) {
    OK(pl_subset_combine(a, (pl_set_op)op, b, "d", &d));
    CU_ASSERT(d->end[3] == counts[op] && d->end[1] == owned[op]);
    for (int i = 0; i < counts[op]; i++) CU_ASSERT_EQUAL(d->indices[i], expected[op][i]);
  }
  OK(pl_decl_set(pl, 3, "plain", &d));
  OK(pl_decl_subset(d, 0, NULL, "none", &a));
  CU_ASSERT_EQUAL(pl_set_size(a), 0);
  FAILS(pl_decl_set_parts(pl, bad, "bad", &d), PL_ERR_RANGE, "decrease");
  FAILS(pl_decl_set_parts(pl, NULL, "bad", &d), PL_ERR_ARG, "NULL");
  CU_ASSERT_EQUAL(pl_decl_set(NULL, 3, "bad", &d), PL_ERR_NULL);
  FAILS(pl_decl_subset(set, 1, (int[]){6}, "bad", &d), PL_ERR_RANGE, "index 6");
  FAILS(pl_subset_combine(b, PL_UNION, NULL, "bad", &d), PL_ERR_ARG, "NULL");
  CU_ASSERT(pl_set_size(NULL) == 0 && pl_set_total(NULL) == 0 && pl_set_parent(NULL) == NULL);
  pl_finalize(&pl);
}

/* A set cannot be freed while objects are declared on it. */
static void test_set_free(void)
{
  pl_context *pl = open_context();
  pl_set *set = NULL, *subset = NULL;
  OK(pl_decl_set(pl, 3, "set", &set));
  OK(pl_decl_subset(set, 1, (int[]){2}, "subset", &subset));
  pl_set_free(&subset);
  CU_ASSERT(subset == NULL && set->ref == 0 && pl->sets && !pl->sets->next);
  pl_set_free(&set);
  CU_ASSERT(set == NULL && pl->sets == NULL);
  pl_set_free(&set);
  pl_set_free(NULL);
  pl_finalize(&pl);
}

static CU_TestInfo tests[] = {
  {"sets and subsets", test_sets}, {"sets that are freed", test_set_free}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("set", tests);
}
