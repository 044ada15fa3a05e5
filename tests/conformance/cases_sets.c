/* SPDX-License-Identifier: BSD-2-Clause
 * Sets, their parts, and subsets.
 */
#include "conformance.h"

PL_KERNEL(set_mark, (int32_t * x, int32_t *count), {
  x[0] = 1;
  count[0] += 1;
})

PL_KERNEL(set_add, (int32_t * x, const int32_t *y), { x[0] += y[0]; })

PL_KERNEL(set_push, (int32_t * x, int32_t *own, int32_t *count), {
  x[0] += 1;
  own[0] += 1;
  count[0] += 1;
})

/* ---- P01 ---- */

static void test_parts(conf *c, int64_t core, int64_t owned, int64_t total)
{
  const int64_t sizes[4] = {core, owned, total, total};
  int32_t expected[64] = {0}, count = (int32_t)owned;
  pl_set *set = NULL;
  OK(pl_decl_set_parts(c->pl, sizes, "parts", &set));
  CHECK(pl_set_size(set) == owned);
  CHECK(pl_set_total(set) == total);
  CHECK(!strcmp(pl_set_name(set), "parts"));
  pl_dat *x = conf_dat(c, set, 1, PL_INT32, NULL, "x");
  pl_global *g = conf_global(c, 1, PL_INT32, NULL, "count");
  for (int i = 0; i < owned; i++) expected[i] = 1;
  OK(pl_par_loop(set_mark, set, DIRECT(x, PL_WRITE), pl_arg_gbl(g, PL_INC)));
  SAME(x, expected);
  SAME_GLOBAL(g, &count);
  OK(pl_par_loop(set_add, set, DIRECT(x, PL_RW),
                 DIRECT(conf_dat(c, set, 1, PL_INT32, expected, "y"), PL_READ)));
  for (int i = 0; i < owned; i++) expected[i] = 2;
  SAME(x, expected);
}

static void case_set(conf *c)
{
  const int64_t n = 50;
  test_parts(c, 0, n, n);
  test_parts(c, n / 2, n, n);
  test_parts(c, 0, n / 2, n);
  test_parts(c, n, n, n);
  test_parts(c, 0, 0, 0);
  test_parts(c, 0, 0, n);
}

static void case_set_errors(conf *c)
{
  const int64_t decreasing[4] = {4, 3, 5, 5}, falling[4] = {1, 3, 5, 4}, negative[4] = {-1, 3, 3, 3},
                vast[4] = {0, 1, 1, (int64_t)1 << 40};
  pl_set *set = NULL, *a = conf_set(c, 3, "same"), *b = conf_set(c, 3, "same");
  FAILS(pl_decl_set_parts(c->pl, decreasing, "cells", &set), PL_ERR_RANGE, "\"cells\"", "decrease", "4", "3");
  FAILS(pl_decl_set_parts(c->pl, falling, "cells", &set), PL_ERR_RANGE, "\"cells\"", "5", "4");
  FAILS(pl_decl_set_parts(c->pl, negative, "cells", &set), PL_ERR_RANGE, "\"cells\"", "-1");
  FAILS(pl_decl_set_parts(c->pl, vast, "cells", &set), PL_ERR_RANGE, "\"cells\"", "1099511627776");
  FAILS(pl_decl_set(c->pl, -5, "cells", &set), PL_ERR_RANGE, "\"cells\"", "-5");
  FAILS(pl_decl_set(c->pl, 5, "cells", NULL), PL_ERR_ARG, "\"cells\"", "NULL");
  CHECK(set == NULL);
  /* Sets are compared by identity: two equal declarations give two sets. */
  CHECK(a != b);
  pl_dat *on_a = conf_dat(c, a, 1, PL_INT32, NULL, "on_a"), *on_b = conf_dat(c, b, 1, PL_INT32, NULL, "on_b");
  FAILS(pl_par_loop(set_add, a, DIRECT(on_a, PL_INC), DIRECT(on_b, PL_READ)), PL_ERR_ARG, "set_add",
        "argument 2", "on_b");
}

/* ---- P02 ---- */

/* Elements 0-1 core, 2-3 owned, 4-5 exec halo, 6 nonexec halo, each with a target of its own. */
static void case_parts(conf *c)
{
  const int64_t sizes[4] = {2, 4, 6, 7};
  const int index[7] = {0, 1, 2, 3, 4, 5, 6};
  const int32_t all[7] = {1, 1, 1, 1, 1, 1, 0}, direct[7] = {1, 1, 1, 1, 0, 0, 0}, four = 4;
  pl_set *set = NULL, *targets = conf_set(c, 7, "targets");
  OK(pl_decl_set_parts(c->pl, sizes, "parts", &set));
  pl_map *map = conf_map(c, set, targets, 1, index, "map");
  pl_dat *x = conf_dat(c, targets, 1, PL_INT32, NULL, "x"), *own = conf_dat(c, set, 1, PL_INT32, NULL, "own");
  pl_global *count = conf_global(c, 1, PL_INT32, NULL, "count");
  OK(pl_par_loop(set_push, set, pl_arg_dat(x, 0, map, PL_INC), DIRECT(own, PL_INC),
                 pl_arg_gbl(count, PL_INC)));
  SAME(x, all);              /* the exec halo writes through maps, once; the nonexec halo does not run */
  SAME(own, all);            /* and its direct writes stay local */
  SAME_GLOBAL(count, &four); /* but does not take part in reductions */
  OK(pl_dat_zero(own));
  OK(pl_global_zero(count));
  OK(pl_par_loop(set_mark, set, DIRECT(own, PL_WRITE), pl_arg_gbl(count, PL_INC)));
  SAME(own, direct); /* a loop that writes directly only leaves halos alone */
  SAME_GLOBAL(count, &four);
}

/* Each range has its own plan; an empty range has none. */
static void case_part_plans(conf *c)
{
  const int64_t sizes[4] = {2, 4, 4, 4};
  const int index[4] = {0, 0, 0, 0};
  const int32_t sum = 4, ones[4] = {1, 1, 1, 1};
  pl_set *set = NULL, *one = conf_set(c, 1, "one");
  OK(pl_decl_set_parts(c->pl, sizes, "parts", &set));
  pl_map *map = conf_map(c, set, one, 1, index, "map");
  pl_dat *x = conf_dat(c, one, 1, PL_INT32, NULL, "x"), *own = conf_dat(c, set, 1, PL_INT32, NULL, "own");
  pl_global *count = conf_global(c, 1, PL_INT32, NULL, "count");
  OK(pl_set_option(c->pl, "conflict", "colour"));
  OK(pl_par_loop(set_push, set, pl_arg_dat(x, 0, map, PL_INC), DIRECT(own, PL_INC),
                 pl_arg_gbl(count, PL_INC)));
  SAME(x, &sum);
  SAME(own, ones);
  SAME_GLOBAL(count, &sum);
  pl_stats stats = conf_stats(c);
  CHECK(stats.plans_built == 2 || (stats.plans_built == 0 && stats.plans_found == 0));
}

/* ---- P03 ---- */

enum { N = 40 };

static void fill_ones(int32_t *v, int n)
{
  for (int i = 0; i < n; i++) v[i] = 1;
}

static void case_subset_direct(conf *c)
{
  int even[N / 2], odd[N / 2];
  int32_t expected[N] = {0}, ones[N];
  for (int i = 0; i < N / 2; i++) {
    even[i] = 2 * i;
    odd[i] = 2 * i + 1;
    expected[2 * i] = 1;
  }
  fill_ones(ones, N);
  pl_set *set = conf_set(c, N, "set"), *evens = conf_subset(c, set, N / 2, even),
         *odds = conf_subset(c, set, N / 2, odd);
  pl_dat *x = conf_dat(c, set, 1, PL_INT32, NULL, "x");
  pl_global *count = conf_global(c, 1, PL_INT32, NULL, "count");
  const int32_t half = N / 2, whole = N;
  CHECK(pl_set_size(evens) == N / 2 && pl_set_parent(evens) == set && pl_set_parent(set) == set);
  CHECK(pl_subset_indices(set) == NULL && pl_subset_indices(evens)[1] == 2);
  OK(pl_par_loop(set_mark, evens, DIRECT(x, PL_WRITE), pl_arg_gbl(count, PL_INC)));
  SAME(x, expected);
  SAME_GLOBAL(count, &half);
  OK(pl_par_loop(set_mark, odds, DIRECT(x, PL_WRITE), pl_arg_gbl(count, PL_INC)));
  SAME(x, ones);
  SAME_GLOBAL(count, &whole);
  /* The same elements declared again give another subset that works as well. */
  OK(pl_par_loop(set_add, conf_subset(c, set, N / 2, odd), DIRECT(x, PL_INC),
                 DIRECT(conf_dat(c, set, 1, PL_INT32, ones, "y"), PL_READ)));
  for (int i = 0; i < N; i++) expected[i] = 1 + i % 2;
  SAME(x, expected);
}

static void case_subset_empty(conf *c)
{
  const int32_t zeros[N] = {0}, zero = 0;
  int index[N];
  for (int i = 0; i < N; i++) index[i] = i / 2;
  pl_set *set = conf_set(c, N, "set"), *to = conf_set(c, N, "to"), *none = conf_subset(c, set, 0, NULL);
  pl_map *map = conf_map(c, set, to, 1, index, "map");
  pl_dat *x = conf_dat(c, set, 1, PL_INT32, NULL, "x"), *y = conf_dat(c, to, 1, PL_INT32, NULL, "y");
  pl_global *count = conf_global(c, 1, PL_INT32, NULL, "count");
  CHECK(pl_set_size(none) == 0 && pl_set_total(none) == 0);
  OK(pl_par_loop(set_mark, none, DIRECT(x, PL_WRITE), pl_arg_gbl(count, PL_INC)));
  OK(
    pl_par_loop(set_push, none, pl_arg_dat(y, 0, map, PL_INC), DIRECT(x, PL_INC), pl_arg_gbl(count, PL_INC)));
  SAME(x, zeros);
  SAME(y, zeros);
  SAME_GLOBAL(count, &zero);
}

static void case_subset_indirect(conf *c)
{
  int index[N], list[N], n = 0;
  int32_t y[N] = {0}, x[N] = {0};
  for (int i = 0; i < N; i++) index[i] = i / 3;
  for (int i = 0; i < N; i++)
    if (i % 3 != 1) list[n++] = i;
  pl_set *set = conf_set(c, N, "set"), *to = conf_set(c, N, "to"), *some = conf_subset(c, set, n, list);
  pl_map *map = conf_map(c, set, to, 1, index, "map");
  pl_dat *dx = conf_dat(c, set, 1, PL_INT32, NULL, "x"), *dy = conf_dat(c, to, 1, PL_INT32, NULL, "y");
  pl_global *count = conf_global(c, 1, PL_INT32, NULL, "count");
  for (int i = 0; i < n; i++) y[index[list[i]]]++, x[list[i]]++;
  OK(pl_par_loop(set_push, some, pl_arg_dat(dy, 0, map, PL_INC), DIRECT(dx, PL_INC),
                 pl_arg_gbl(count, PL_INC)));
  SAME(dy, y);
  SAME(dx, x);
  OK(pl_dat_zero_subset(dx, conf_subset(c, set, 5, list)));
  for (int i = 0; i < 5; i++) x[list[i]] = 0;
  SAME(dx, x);
}

static void check_members(conf *c, const pl_set *subset, int n, const int *expected)
{
  CHECK(pl_set_size(subset) == n);
  for (int i = 0; i < n && pl_set_size(subset) == n; i++) CHECK(pl_subset_indices(subset)[i] == expected[i]);
}

static void case_subset_make(conf *c)
{
  const int mixed[] = {7, 3, 3, 0, 7, 9}, sorted[] = {0, 3, 7, 9}, inner[] = {3, 1}, unrolled[] = {3, 9},
            deeper[] = {1}, nine[] = {9}, low[] = {4, -1}, high[] = {4, 10};
  pl_set *set = conf_set(c, 10, "cells"), *failed = NULL;
  pl_set *a = conf_subset(c, set, 6, mixed);
  check_members(c, a, 4, sorted);
  pl_set *b = conf_subset(c, a, 2, inner), *d = conf_subset(c, b, 1, deeper);
  check_members(c, b, 2, unrolled);
  check_members(c, d, 1, nine);
  CHECK(pl_set_parent(b) == set && pl_set_parent(d) == set);
  FAILS(pl_decl_subset(set, 2, low, "bad", &failed), PL_ERR_RANGE, "\"bad\"", "-1", "\"cells\"", "10");
  FAILS(pl_decl_subset(set, 2, high, "bad", &failed), PL_ERR_RANGE, "\"bad\"", "10", "\"cells\"");
  FAILS(pl_decl_subset(a, 1, (int[]){4}, "bad", &failed), PL_ERR_RANGE, "\"bad\"", "4");
  FAILS(pl_decl_subset(set, -1, high, "bad", &failed), PL_ERR_ARG, "\"bad\"", "negative");
  FAILS(pl_decl_subset(set, 2, NULL, "bad", &failed), PL_ERR_ARG, "\"bad\"", "NULL");
  CHECK(failed == NULL);
  pl_dat *dat = NULL;
  pl_map *map = NULL;
  FAILS(pl_decl_dat(a, 1, PL_DOUBLE, NULL, "q", &dat), PL_ERR_ARG, "\"q\"", "subset", "\"cells\"");
  FAILS(pl_decl_map(a, set, 1, NULL, "m", &map), PL_ERR_ARG, "\"m\"", "subset");
  FAILS(pl_decl_map(set, a, 1, NULL, "m", &map), PL_ERR_ARG, "\"m\"", "subset");
  CHECK(dat == NULL && map == NULL);
}

static void case_subset_combine(conf *c)
{
  const int a_list[] = {1, 2, 3, 5}, b_list[] = {2, 5, 8}, both[] = {2, 5}, either[] = {1, 2, 3, 5, 8},
            only_a[] = {1, 3}, only_b[] = {8}, one_of[] = {1, 3, 8}, rest[] = {0, 1, 3, 4, 6, 7, 9},
            all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  pl_set *set = conf_set(c, 10, "set"), *other = conf_set(c, 10, "other"), *r = NULL;
  pl_set *a = conf_subset(c, set, 4, a_list), *b = conf_subset(c, set, 3, b_list),
         *none = conf_subset(c, set, 0, NULL);
#define COMBINE(x, op, y, n, expected)                                                                       \
  OK(pl_subset_combine((x), (op), (y), "r", &r));                                                            \
  check_members(c, r, (n), (expected));                                                                      \
  CHECK(pl_set_parent(r) == set)
  COMBINE(a, PL_UNION, b, 5, either);
  COMBINE(b, PL_UNION, a, 5, either);
  COMBINE(a, PL_INTERSECTION, b, 2, both);
  COMBINE(a, PL_DIFFERENCE, b, 2, only_a);
  COMBINE(b, PL_DIFFERENCE, a, 1, only_b);
  COMBINE(a, PL_SYMMETRIC_DIFFERENCE, b, 3, one_of);
  COMBINE(set, PL_DIFFERENCE, b, 7, rest);
  COMBINE(set, PL_UNION, b, 10, all);
  COMBINE(set, PL_INTERSECTION, b, 3, b_list);
  COMBINE(a, PL_INTERSECTION, none, 0, NULL);
  COMBINE(a, PL_UNION, none, 4, a_list);
  COMBINE(none, PL_SYMMETRIC_DIFFERENCE, a, 4, a_list);
  COMBINE(a, PL_DIFFERENCE, a, 0, NULL);
  r = NULL;
  FAILS(pl_subset_combine(a, PL_UNION, other, "r", &r), PL_ERR_ARG, "subset", "\"other\"");
  FAILS(pl_subset_combine(a, (pl_set_op)9, b, "r", &r), PL_ERR_ARG, "9");
  CHECK(r == NULL);
}

/* A subset with halo elements: its ranges follow the set's. */
static void case_subset_parts(conf *c)
{
  const int64_t sizes[4] = {2, 4, 6, 7};
  const int list[] = {1, 3, 4, 6}, index[7] = {0, 1, 2, 3, 4, 5, 6};
  const int32_t written[7] = {0, 1, 0, 1, 1, 0, 0}, two = 2;
  pl_set *set = NULL, *to = conf_set(c, 7, "to");
  OK(pl_decl_set_parts(c->pl, sizes, "parts", &set));
  pl_set *some = conf_subset(c, set, 4, list);
  CHECK(pl_set_size(some) == 2 && pl_set_total(some) == 4);
  pl_map *map = conf_map(c, set, to, 1, index, "map");
  pl_dat *x = conf_dat(c, to, 1, PL_INT32, NULL, "x"), *own = conf_dat(c, set, 1, PL_INT32, NULL, "own");
  pl_global *count = conf_global(c, 1, PL_INT32, NULL, "count");
  OK(pl_par_loop(set_push, some, pl_arg_dat(x, 0, map, PL_INC), DIRECT(own, PL_INC),
                 pl_arg_gbl(count, PL_INC)));
  SAME(x, written);
  SAME(own, written);
  SAME_GLOBAL(count, &two);
}

const conf_case conf_sets[] = {
  {"sets and their sizes", "P01", case_set, CONF_MATRIX},
  {"sets refused; equality is identity", "P01", case_set_errors, 0},
  {"parts of a set", "P02", case_parts, CONF_MATRIX},
  {"plans of parts", "P02 P42", case_part_plans, CONF_MATRIX},
  {"subsets: direct loops", "P03", case_subset_direct, CONF_MATRIX},
  {"subsets: empty", "P03", case_subset_empty, CONF_MATRIX | CONF_RANKS},
  {"subsets: loops through maps", "P03", case_subset_indirect, CONF_MATRIX | CONF_RANKS},
  {"subsets: declaration", "P03", case_subset_make, 0},
  {"subsets: union and the like", "P03", case_subset_combine, 0},
  {"subsets: of sets with halos", "P02 P03", case_subset_parts, CONF_MATRIX},
  {NULL, NULL, NULL, 0}};
