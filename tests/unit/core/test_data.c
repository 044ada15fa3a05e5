/* SPDX-License-Identifier: BSD-2-Clause
 * Dats, globals and consts.
 */
#include "core/data/objects.h"
#include "fake_backend.h"
#include "suite.h"

static void test_dats(void)
{
  const double values[4] = {1, 2, 3, 4};
  double got[4];
  void *view, *second;
  pl_context *pl = open_context();
  pl_set *set = NULL;
  pl_dat *x = NULL, *y = NULL;
  OK(pl_decl_set(pl, 4, "set", &set));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, values, "x", &x));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, NULL, "y", &y));
  CU_ASSERT(pl_dat_nbytes(y) == 32 && pl_dat_host_bytes(y) == 0 && pl_dat_host_bytes(x) == 32);
  CU_ASSERT(pl_dat_version(x) == 0 && pl_dat_state(x) == PL_DEVICE_UNALLOCATED);
  OK(pl_dat_get(x, PL_READ, &view));
  OK(pl_dat_get(x, PL_READ, &second));
  FAILS(pl_dat_get(x, PL_RW, &view), PL_ERR_STATE, "pl_dat_put");
  OK(pl_dat_put(x));
  OK(pl_dat_put(x));
  FAILS(pl_dat_put(x), PL_ERR_STATE, "no host view");
  CU_ASSERT_EQUAL(pl_dat_version(x), 0);
  OK(pl_dat_get(x, PL_RW, &view));
  FAILS(pl_dat_fetch(x, got), PL_ERR_STATE, "\"x\"");
  FAILS(pl_dat_copy(x, y), PL_ERR_STATE, "\"x\"");
  FAILS(pl_dat_zero(x), PL_ERR_STATE, "\"x\"");
  OK(pl_dat_put(x));
  CU_ASSERT_EQUAL(pl_dat_version(x), 1);
  OK(pl_dat_copy(x, y));
  OK(pl_dat_zero(x));
  CU_ASSERT(pl_dat_version(x) == 2 && pl_dat_version(y) == 1);
  OK(pl_dat_fetch(y, got));
  CU_ASSERT(!memcmp(got, values, sizeof got));
  OK(pl_dat_fetch(x, got));
  CU_ASSERT(got[0] == 0 && got[3] == 0);
  FAILS(pl_dat_get(x, PL_MIN, &view), PL_ERR_ACCESS, "PL_READ, PL_RW or PL_WRITE");
  pl_stats stats;
  OK(pl_get_stats(pl, &stats));
  CU_ASSERT(stats.host_bytes == 64 && stats.host_allocations == 2 && stats.bytes_to_device == 0);
  pl_dat_free(&x);
  OK(pl_get_stats(pl, &stats));
  CU_ASSERT(x == NULL && stats.host_bytes == 32 && set->ref == 1);
  pl_finalize(&pl);
}

static void test_dat_zero_subset(void)
{
  double values[4] = {1, 2, 3, 4}, got[4];
  pl_context *pl = open_context();
  pl_set *set = NULL, *subset = NULL, *other = NULL;
  pl_dat *x = NULL;
  OK(pl_decl_set(pl, 4, "set", &set));
  OK(pl_decl_set(pl, 4, "other", &other));
  OK(pl_decl_subset(set, 2, (int[]){3, 1}, "subset", &subset));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, values, "x", &x));
  OK(pl_dat_zero_subset(x, subset));
  OK(pl_dat_fetch(x, got));
  CU_ASSERT(got[0] == 1 && got[1] == 0 && got[2] == 3 && got[3] == 0);
  FAILS(pl_dat_zero_subset(x, other), PL_ERR_ARG, "not a subset");
  pl_finalize(&pl);
}

static void test_globals(void)
{
  const double v[2] = {1, 2};
  double got[2];
  int32_t whole[2];
  pl_context *pl = open_context();
  pl_global *g = NULL, *h = NULL, *z = NULL, *i = NULL, *failed = NULL;
  OK(pl_decl_global(pl, 2, PL_DOUBLE, v, "g", &g));
  OK(pl_decl_global(pl, 2, PL_DOUBLE, NULL, "z", &z));
  OK(pl_decl_global(pl, 2, PL_INT32, NULL, "i", &i));
  OK(pl_global_get(z, got));
  CU_ASSERT(got[0] == 0 && got[1] == 0);
  OK(pl_global_duplicate(g, "h", &h));
  OK(pl_global_axpy(-3, g, h));
  OK(pl_global_get(h, got));
  CU_ASSERT(got[0] == -2 && got[1] == -4);
  OK(pl_global_copy(h, z));
  OK(pl_global_zero(h));
  OK(pl_global_get(z, got));
  CU_ASSERT(got[0] == -2 && got[1] == -4);
  OK(pl_global_copy(g, i)); /* converts */
  OK(pl_global_axpy(1, i, i));
  OK(pl_global_get_as(i, PL_INT32, whole));
  CU_ASSERT(whole[0] == 2 && whole[1] == 4);
  FAILS(pl_decl_global(pl, 0, PL_DOUBLE, NULL, "f", &failed), PL_ERR_RANGE, "dim 0");
  FAILS(pl_decl_global(pl, 1, (pl_type)50, NULL, "f", &failed), PL_ERR_TYPE, "50");
  pl_global_free(&g);
  CU_ASSERT(g == NULL && failed == NULL);
  pl_finalize(&pl);
}

static void test_consts(void)
{
  const double v[2] = {1, 2}, w[2] = {3, 4};
  double got[2];
  pl_context *pl = open_context();
  pl_const *k = NULL, *failed = NULL;
  uint64_t declared = pl->decl_version, values = pl->const_version;
  OK(pl_decl_const(pl, "gam", 2, PL_DOUBLE, v, &k));
  CU_ASSERT(pl->decl_version > declared && pl->const_version > values);
  declared = pl->decl_version;
  values = pl->const_version;
  OK(pl_const_set(k, w));
  CU_ASSERT(pl->decl_version == declared &&
            pl->const_version > values); /* a new value needs no compilation */
  OK(pl_const_get(k, got));
  CU_ASSERT(got[0] == 3 && got[1] == 4);
  CU_ASSERT(pl_const_find(pl, "gamma", 3) == k && !pl_const_find(pl, "gamma", 5));
  FAILS(pl_decl_const(pl, "gam", 1, PL_DOUBLE, v, &failed), PL_ERR_ARG, "already");
  static const pl_function helper = {"gam", "double", "(double x)", "{ return x; }", "file", 1, 0, 0};
  FAILS(pl_decl_function_text(pl, &helper), PL_ERR_ARG, "already");
  pl_const_free(&k);
  CU_ASSERT(k == NULL && pl->decl_version > declared && !pl_const_find(pl, "gam", 3));
  OK(pl_decl_function_text(pl, &helper));
  FAILS(pl_decl_const(pl, "gam", 1, PL_DOUBLE, v, &failed), PL_ERR_ARG, "already");
  FAILS(pl_decl_const(pl, "a-b", 1, PL_DOUBLE, v, &failed), PL_ERR_ARG, "identifier");
  FAILS(pl_decl_const(pl, NULL, 1, PL_DOUBLE, v, &failed), PL_ERR_ARG, "identifier");
  OK(pl_decl_const(pl, "_x9", 1, PL_DOUBLE, v, NULL));
  pl_finalize(&pl);
}

static CU_TestInfo tests[] = {{"dats", test_dats},
                              {"dats zeroed in part", test_dat_zero_subset},
                              {"globals", test_globals},
                              {"consts", test_consts},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("data", tests);
}
