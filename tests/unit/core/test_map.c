/* SPDX-License-Identifier: BSD-2-Clause
 * Maps with fixed arity, their permutations and compositions.
 */
#include "core/data/objects.h"
#include "fake_backend.h"
#include "suite.h"

static void test_maps(void)
{
  const int index[] = {0, 1, 2, -4, 1, 0}, swapped[] = {1, 0, 0}, back[] = {2, -1, 0};
  pl_context *pl = open_context();
  pl_set *a = NULL, *b = NULL, *d = NULL;
  pl_map *map = NULL, *permuted = NULL, *inner = NULL, *composed = NULL, *failed = NULL;
  OK(pl_decl_set(pl, 3, "a", &a));
  OK(pl_decl_set(pl, 3, "b", &b));
  OK(pl_decl_set(pl, 3, "d", &d));
  OK(pl_decl_map(a, b, 2, index, "map", &map));
  CU_ASSERT(pl_map_arity(map) == 2 && pl_map_from(map) == a && pl_map_to(map) == b && map->has_negative);
  CU_ASSERT(!memcmp(pl_map_indices(map), index, sizeof index));
  OK(pl_map_permute(map, 3, swapped, "permuted", &permuted));
  static const int expected[] = {1, 0, 0, -4, 2, 2, 0, 1, 1};
  CU_ASSERT(pl_map_arity(permuted) == 3 && !memcmp(pl_map_indices(permuted), expected, sizeof expected));
  OK(pl_decl_map(d, a, 1, back, "inner", &inner));
  OK(pl_map_compose(map, inner, "composed", &composed));
  const int *t = pl_map_indices(composed);
  CU_ASSERT(pl_map_from(composed) == d && pl_map_to(composed) == b && t[0] == 1 && t[1] == 0 && t[2] < 0 &&
            t[3] < 0 && t[4] == 0 && t[5] == 1);
  FAILS(pl_decl_map(a, b, 2, (int[]){0, 0, 0, 3, 0, 0}, "bad", &failed), PL_ERR_RANGE,
        "target 1 of element 1 is 3");
  FAILS(pl_map_permute(map, 1, (int[]){2}, "bad", &failed), PL_ERR_RANGE, "arity 2");
  FAILS(pl_map_permute(map, 0, swapped, "bad", &failed), PL_ERR_RANGE, "0 entries");
  FAILS(pl_map_compose(map, map, "bad", &failed), PL_ERR_ARG, "arity 2");
  CU_ASSERT_PTR_NULL(failed);
  CU_ASSERT_EQUAL(a->ref, 3);
  pl_map_free(&map);
  pl_map_free(&map);
  CU_ASSERT(map == NULL && a->ref == 2);
  pl_finalize(&pl);
}

/* The values that the tests of PyOP2 expect of compositions of two and three maps. */
static void follow(const pl_map *map, const double *values, double *out)
{
  int n = (int)pl_set_total(pl_map_from(map)) * pl_map_arity(map);
  for (int i = 0; i < n; i++) out[i] = values[pl_map_indices(map)[i]];
}

static void test_composed_values(void)
{
  const int nodes[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1}, b_to_a[] = {3, 1, 2}, d_to_b[] = {2, 0};
  const double values[] = {.0, .1, .2, .3, .4, .5, .6, .7}, two[] = {.6, .7, .2, .3, .4, .5},
               three[] = {.4, .5, .6, .7};
  double out[6];
  pl_context *pl = open_context();
  pl_set *a = NULL, *n = NULL, *b = NULL, *d = NULL;
  pl_map *an = NULL, *ba = NULL, *db = NULL, *bn = NULL, *dn = NULL;
  OK(pl_decl_set(pl, 5, "a", &a));
  OK(pl_decl_set(pl, 8, "n", &n));
  OK(pl_decl_set(pl, 3, "b", &b));
  OK(pl_decl_set(pl, 2, "d", &d));
  OK(pl_decl_map(a, n, 2, nodes, "an", &an));
  OK(pl_decl_map(b, a, 1, b_to_a, "ba", &ba));
  OK(pl_decl_map(d, b, 1, d_to_b, "db", &db));
  OK(pl_map_compose(an, ba, "bn", &bn));
  OK(pl_map_compose(bn, db, "dn", &dn));
  follow(bn, values, out);
  CU_ASSERT(!memcmp(out, two, sizeof two));
  follow(dn, values, out);
  CU_ASSERT(!memcmp(out, three, sizeof three));
  pl_finalize(&pl);
}

static CU_TestInfo tests[] = {
  {"maps", test_maps}, {"composed maps", test_composed_values}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("map", tests);
}
