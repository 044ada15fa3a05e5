/* SPDX-License-Identifier: BSD-2-Clause
 * Allocation through the memory manager of the user, the pool of arrays, and allocations that fail.
 */
#include "core/context/array_pool.h"
#include "core/data/objects.h"
#include "failing_memory.h"
#include "fake_backend.h"
#include "suite.h"

static failing_memory memory; /* large */

static void expect_all_freed(void)
{
  CU_ASSERT(memory.bytes == 0 && memory.blocks == 0);
  CU_ASSERT_STRING_EQUAL(memory.complaint, "");
  failing_memory_close(&memory);
}

static void test_memory(void)
{
  pl_context *pl = NULL;
  failing_memory_open(&memory);
  OK(fake_context(NULL, failing_realloc, &memory, &pl));
  char *a = pl_malloc(pl, 0), *b = pl_calloc(pl, 3, 5), *d = pl_strdup(pl, "text");
  CU_ASSERT_PTR_NOT_NULL_FATAL(a);
  CU_ASSERT(b && !b[0] && !b[14] && d && !strcmp(d, "text"));
  CU_ASSERT_PTR_NULL(pl_calloc(pl, SIZE_MAX / 2, 4));
  a = pl_resize(pl, a, 1000);
  CU_ASSERT_PTR_NOT_NULL_FATAL(a);
  memset(a, 7, 1000);
  failing_memory_start(&memory, 0, true);
  CU_ASSERT_PTR_NULL(pl_resize(pl, a, 100000));
  CU_ASSERT_EQUAL(a[999], 7);
  CU_ASSERT_PTR_NULL(pl_malloc_array(pl, 10));
  failing_memory_stop(&memory);
  for (size_t size = 1; size < (size_t)16 << 20; size *= 37) {
    char *array = pl_malloc_array(pl, size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(array);
    CU_ASSERT_EQUAL((uintptr_t)array % 64, 0);
    array[0] = array[size - 1] = 1;
    pl_free_array(pl, array);
  }
  pl_free_array(pl, NULL);
  pl_free(pl, NULL);
  pl_free(pl, a);
  pl_free(pl, b);
  pl_free(pl, d);
  pl_finalize(&pl);
  expect_all_freed();
}

static bool is_filled(const char *bytes, size_t size, char value)
{
  return bytes[0] == value && !memcmp(bytes, bytes + 1, size - 1);
}

/* Equal elements of large arrays are not at equal places of their pages. */
static void test_places(void)
{
  enum { LARGE = (4 << 20) + 8, ARRAYS = 40, PAGE = 4096 };
  pl_context *pl = NULL;
  char *array[ARRAYS];
  OK(fake_context(NULL, NULL, NULL, &pl));
  for (int i = 0; i < ARRAYS; i++) {
    array[i] = pl_malloc_array(pl, LARGE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(array[i]);
    CU_ASSERT_EQUAL((uintptr_t)array[i] % 64, 0);
    CU_ASSERT(pl_array_size(array[i]) >= LARGE);
    array[i][0] = array[i][LARGE - 1] = 1;
    for (int k = 0; k < i; k++) CU_ASSERT_NOT_EQUAL((uintptr_t)array[i] % PAGE, (uintptr_t)array[k] % PAGE);
  }
  for (int i = 0; i < ARRAYS; i++) pl_free_array(pl, array[i]);
  pl_finalize(&pl);
}

/* A large array in memory that was used before leaves the blocks around it as they are. */
static void test_reused_memory(void)
{
  enum { LARGE = (5 << 20) + 100, SMALL = 1000 };
  pl_context *pl = NULL;
  char *array[2], *small[2];
  OK(fake_context(NULL, NULL, NULL, &pl));
  pl_free_array(pl, pl_malloc_array(pl, 24 << 20)); /* from then on glibc reuses blocks of this size */
  for (int i = 0; i < 2; i++) {
    array[i] = pl_malloc_array(pl, LARGE);
    small[i] = pl_malloc(pl, SMALL);
    CU_ASSERT_FATAL(array[i] && small[i]);
    memset(array[i], 1 + i, LARGE);
    memset(small[i], 3 + i, SMALL);
  }
  pl_free_array(pl, array[0]);
  array[0] = pl_malloc_array(pl, LARGE);
  CU_ASSERT_PTR_NOT_NULL_FATAL(array[0]);
  memset(array[0], 5, LARGE);
  CU_ASSERT(is_filled(array[1], LARGE, 2) && is_filled(small[0], SMALL, 3) && is_filled(small[1], SMALL, 4));
  for (int i = 0; i < 2; i++) pl_free_array(pl, array[i]);
  for (int i = 0; i < 2; i++) pl_free(pl, small[i]);
  pl_finalize(&pl);
}

static pl_err declare_all(pl_context *pl)
{
  const int index[] = {0, 1, 1}, some[] = {2, 0};
  const double values[3] = {1, 2, 3};
  pl_set *a, *b, *subset, *both;
  pl_map *map, *permuted, *composed;
  pl_dat *x, *y;
  pl_global *g, *h;
  pl_const *k;
  void *view;
  PL_TRY(pl_decl_set(pl, 3, "a", &a));
  PL_TRY(pl_decl_set(pl, 2, "b", &b));
  PL_TRY(pl_decl_subset(a, 2, some, "subset", &subset));
  PL_TRY(pl_subset_combine(a, PL_DIFFERENCE, subset, "both", &both));
  PL_TRY(pl_decl_map(a, b, 1, index, "map", &map));
  PL_TRY(pl_map_permute(map, 1, (int[]){0}, "permuted", &permuted));
  PL_TRY(pl_decl_map(b, a, 1, index, "back", &composed));
  PL_TRY(pl_map_compose(map, composed, "composed", &composed));
  PL_TRY(pl_decl_dat(a, 1, PL_DOUBLE, values, "x", &x));
  PL_TRY(pl_dat_duplicate(x, "y", &y));
  PL_TRY(pl_decl_dat(a, 1, PL_DOUBLE, NULL, "z", &y));
  PL_TRY(pl_dat_get(y, PL_READ, &view));
  PL_TRY(pl_dat_put(y));
  PL_TRY(pl_decl_global(pl, 3, PL_DOUBLE, values, "g", &g));
  PL_TRY(pl_global_duplicate(g, "h", &h));
  PL_TRY(pl_decl_const(pl, "k", 3, PL_DOUBLE, values, &k));
  PL_TRY(pl_set_option(pl, "block_size", "64"));
  PL_TRY(pl_timer_begin(pl, "region"));
  return pl_timer_end(pl, "region");
}

/* Each allocation in a sequence of declarations fails in turn, with all later ones. Each failure is reported
 * and leaks nothing. */
static void test_every_allocation(void)
{
  bool done = false;
  long n = 0;
  for (; !done && n < 1000; n++) {
    pl_context *pl = NULL;
    failing_memory_open(&memory);
    failing_memory_start(&memory, n, true);
    pl_err err = fake_context(NULL, failing_realloc, &memory, &pl);
    if (!err) err = declare_all(pl);
    done = err == PL_SUCCESS;
    if (!done) CU_ASSERT_EQUAL(err, PL_ERR_MEMORY);
    CU_ASSERT(strlen(pl_errmsg(pl)) > 0);
    pl_finalize(&pl);
    expect_all_freed();
  }
  CU_ASSERT_TRUE(done);
  CU_ASSERT(n > 30);
}

/* The pool returns a released array for a request of about its size only. */
static void test_array_pool(void)
{
  pl_context *pl = NULL;
  pl_array_pool pool = {{0}, 0};
  failing_memory_open(&memory);
  OK(fake_context(NULL, failing_realloc, &memory, &pl));
  char *first = pl_array_pool_alloc(pl, &pool, 300000), *second = pl_array_pool_alloc(pl, &pool, 300000);
  CU_ASSERT_FATAL(first && second && first != second);
  CU_ASSERT(pl_array_size(first) >= 300000);
  memset(first, 1, 300000);
  pl_array_pool_give_back(pl, &pool, first);
  pl_array_pool_give_back(pl, &pool, NULL);
  char *longer = pl_array_pool_alloc(pl, &pool, 3000000), *shorter = pl_array_pool_alloc(pl, &pool, 10);
  CU_ASSERT(longer && longer != first && shorter && shorter != first);
  CU_ASSERT_PTR_EQUAL(pl_array_pool_alloc(pl, &pool, 290000), first);
  char *const all[] = {first, second, longer, shorter};
  for (int k = 0; k < 4; k++) pl_array_pool_give_back(pl, &pool, all[k]);
  for (int k = 0; k < PL_POOL_SIZE + 3; k++) pl_array_pool_give_back(pl, &pool, pl_malloc_array(pl, 8));
  CU_ASSERT_PTR_NULL(pl_array_pool_alloc(pl, &pool, SIZE_MAX - 7));
  pl_array_pool_free(pl, &pool);
  pl_finalize(&pl);
  expect_all_freed();
}

static CU_TestInfo tests[] = {{"memory", test_memory},
                              {"places of large arrays", test_places},
                              {"memory that was used before", test_reused_memory},
                              {"pool of arrays", test_array_pool},
                              {"every allocation fails in turn", test_every_allocation},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("memory", tests);
}
