/* SPDX-License-Identifier: BSD-2-Clause
 * Ragged maps: rows of values in kernels, and the inverse of any map.
 */
#include "conformance.h"

/* A random ragged map: rows of 0 to 5 targets, and one of 40. */
typedef struct ragged {
  int from, to, *offset, *value;
} ragged;

static ragged make_ragged(conf *c, int from, int to)
{
  ragged r = {from, to, calloc((size_t)from + 1, sizeof(int)), calloc((size_t)from * 6 + 40, sizeof(int))};
  for (int e = 0; e < from; e++) {
    int count = !to ? 0 : e == from / 2 ? 40 : conf_below(c, 6);
    r.offset[e + 1] = r.offset[e] + count;
    for (int i = r.offset[e]; i < r.offset[e + 1]; i++) r.value[i] = conf_below(c, to);
  }
  return r;
}

static void free_ragged(ragged *r)
{
  free(r->offset);
  free(r->value);
}

/* ---- refused ---- */

PL_KERNEL(ragged_sum, (double *sum, const pl_row_double *x), {
  sum[0] = 0;
  for (int k = 0; k < x->count; k++) sum[0] += pl_at(x, k, 0);
})
PL_KERNEL(ragged_plain, (double *sum, const double *x), { sum[0] = x[0]; })
PL_KERNEL(ragged_float, (double *sum, const pl_row_float *x), { sum[0] = pl_at(x, 0, 0); })

static void case_refused(conf *c)
{
  const int offset[] = {0, 2, 2, 3}, value[] = {0, 1, 1}, down[] = {0, 2, 1, 3}, shifted[] = {1, 2, 2, 3},
            far[] = {0, 1, 2}, less[] = {0, -1, 1}, fixed[] = {0, 1, 0};
  pl_set *a = conf_set(c, 3, "a"), *b = conf_set(c, 2, "b");
  pl_map *map = NULL, *failed = NULL, *one = conf_map(c, a, b, 1, fixed, "one");
  pl_dat *on_a = conf_dat(c, a, 1, PL_DOUBLE, NULL, "on_a"),
         *on_b = conf_dat(c, b, 1, PL_DOUBLE, NULL, "on_b");
  OK(pl_decl_map_ragged(a, b, offset, value, "rows", &map));
  CHECK(pl_map_arity(map) == 0 && pl_map_offsets(one) == NULL);
  CHECK(!memcmp(pl_map_offsets(map), offset, sizeof offset) &&
        !memcmp(pl_map_indices(map), value, sizeof value));
  FAILS(pl_decl_map_ragged(a, b, down, value, "m", &failed), PL_ERR_RANGE, "\"m\"", "element 2", "1");
  FAILS(pl_decl_map_ragged(a, b, shifted, value, "m", &failed), PL_ERR_RANGE, "\"m\"", "first offset", "0");
  FAILS(pl_decl_map_ragged(a, b, offset, far, "m", &failed), PL_ERR_RANGE, "entry 0 of element 2", "\"b\"");
  FAILS(pl_decl_map_ragged(a, b, offset, less, "m", &failed), PL_ERR_RANGE, "entry 1 of element 0", "-1");
  FAILS(pl_map_permute(map, 1, fixed, "p", &failed), PL_ERR_ARG, "\"p\"", "\"rows\"", "ragged");
  FAILS(pl_map_compose(map, one, "p", &failed), PL_ERR_ARG, "\"p\"", "\"rows\"", "ragged");
  FAILS(pl_par_loop(ragged_sum, a, DIRECT(on_a, PL_WRITE), pl_arg_dat(on_b, 0, map, PL_READ)), PL_ERR_RANGE,
        "argument 2", "\"rows\"", "PL_ALL");
  FAILS(pl_par_loop(ragged_sum, a, DIRECT(on_a, PL_WRITE), pl_arg_dat(on_b, PL_ALL, map, PL_INC)),
        PL_ERR_ACCESS, "argument 2", "\"rows\"", "PL_READ");
  FAILS(pl_par_loop(ragged_plain, a, DIRECT(on_a, PL_WRITE), pl_arg_dat(on_b, PL_ALL, map, PL_READ)),
        PL_ERR_KERNEL, "parameter 2 \"x\"", "\"rows\"", "const pl_row_double *x");
  FAILS(pl_par_loop(ragged_sum, a, DIRECT(on_a, PL_WRITE), pl_arg_dat(on_b, 0, one, PL_READ)), PL_ERR_KERNEL,
        "parameter 2 \"x\"", "const double *x");
  FAILS(pl_par_loop(ragged_float, a, DIRECT(on_a, PL_WRITE), pl_arg_dat(on_b, PL_ALL, map, PL_READ)),
        PL_ERR_TYPE, "parameter 2 \"x\"", "float", "double");
  CHECK(failed == NULL);
}

/* ---- rows ---- */

PL_KERNEL(ragged_read,
          (int *count, double sum[2], const pl_row_double *x, const pl_row_int *n, const double *own), {
            count[0] = 0;
            sum[0] = own[0];
            sum[1] = -own[0];
            for (int k = 0; k < x->count; k++) {
              count[0] += pl_at(n, k, 0);
              sum[0] += pl_at(x, k, 0);
              sum[1] += pl_at(x, k, 2) * k;
            }
          })

static void check_rows(conf *c, int from, int to)
{
  ragged r = make_ragged(c, from, to);
  double *x = calloc(3 * (size_t)to + 1, sizeof *x), *own = calloc((size_t)from + 1, sizeof *own);
  double *sum = calloc(2 * (size_t)from + 1, sizeof *sum);
  int *n = calloc((size_t)to + 1, sizeof *n), *count = calloc((size_t)from + 1, sizeof *count);
  for (int i = 0; i < 3 * to; i++) x[i] = conf_below(c, 1000) - 500;
  for (int i = 0; i < to; i++) n[i] = conf_below(c, 9);
  for (int e = 0; e < from; e++) {
    sum[2 * e] = own[e] = conf_below(c, 7);
    sum[2 * e + 1] = -own[e];
    for (int i = r.offset[e]; i < r.offset[e + 1]; i++) {
      count[e] += n[r.value[i]];
      sum[2 * e] += x[3 * r.value[i]];
      sum[2 * e + 1] += x[3 * r.value[i] + 2] * (i - r.offset[e]);
    }
  }
  pl_set *a = conf_set(c, from, "from"), *b = conf_set(c, to, "to");
  pl_map *map = conf_ragged_map(c, a, b, r.offset, r.value, "rows");
  pl_dat *dx = conf_dat(c, b, 3, PL_DOUBLE, x, "x"), *dn = conf_dat(c, b, 1, PL_INT, n, "n"),
         *down = conf_dat(c, a, 1, PL_DOUBLE, own, "own"), *dsum = conf_dat(c, a, 2, PL_DOUBLE, NULL, "sum"),
         *dcount = conf_dat(c, a, 1, PL_INT, NULL, "count");
  OK(pl_par_loop(ragged_read, a, DIRECT(dcount, PL_WRITE), DIRECT(dsum, PL_WRITE),
                 pl_arg_dat(dx, PL_ALL, map, PL_READ), pl_arg_dat(dn, PL_ALL, map, PL_READ),
                 DIRECT(down, PL_READ)));
  SAME(dcount, count);
  SAME(dsum, sum);
  free_ragged(&r);
  free(x), free(own), free(sum), free(n), free(count);
}

static void case_rows(conf *c)
{
  check_rows(c, 700, 300);
  check_rows(c, 1, 5);
  check_rows(c, 12, 0);
  check_rows(c, 0, 3);
}

/* A component, a subset, a missing row; values of pl_real. */
PL_KERNEL(ragged_real, (pl_real * sum, const pl_row_real *x, const pl_row_real *none), {
  sum[0] = none ? 1 : 0;
  for (int k = 0; k < x->count; k++) sum[0] += pl_at(x, k, 0);
})

static void case_component(conf *c)
{
  enum { FROM = 90, TO = 40 };
  ragged r = make_ragged(c, FROM, TO);
  double x[2 * TO], sum[FROM] = {0};
  int some[FROM / 3];
  for (int i = 0; i < 2 * TO; i++) x[i] = i;
  for (int i = 0; i < FROM / 3; i++) some[i] = 3 * i;
  for (int e = 0; e < FROM; e += 3)
    for (int i = r.offset[e]; i < r.offset[e + 1]; i++) sum[e] += x[2 * r.value[i] + 1];
  pl_set *a = conf_set(c, FROM, "from"), *b = conf_set(c, TO, "to"),
         *subset = conf_subset(c, a, FROM / 3, some);
  pl_map *map = conf_ragged_map(c, a, b, r.offset, r.value, "rows");
  pl_dat *dx = conf_dat(c, b, 2, PL_DOUBLE, x, "x"), *dsum = conf_dat(c, a, 1, PL_DOUBLE, NULL, "sum");
  pl_arg second = pl_arg_component(pl_arg_dat(dx, PL_ALL, map, PL_READ), 1);
  OK(pl_par_loop(ragged_real, subset, DIRECT(dsum, PL_WRITE), second, pl_arg_opt(second, 0)));
  SAME(dsum, sum);
  free_ragged(&r);
}

/* ---- inverse ---- */

static bool same_rows(const pl_map *a, const pl_map *b)
{
  if (!pl_map_indices(a)) return !pl_map_offsets(a); /* on several ranks the sums below show it */
  size_t n = (size_t)pl_set_total(pl_map_from(a));
  const int *oa = pl_map_offsets(a), *ob = pl_map_offsets(b);
  return !memcmp(oa, ob, (n + 1) * sizeof(int)) &&
         !memcmp(pl_map_indices(a), pl_map_indices(b), (size_t)oa[n] * sizeof(int));
}

/* Increments through a fixed map, and the same sums over the rows of its inverse. */
PL_KERNEL(ragged_give, (double *to[3], const double *from), {
  for (int k = 0; k < 3; k++) to[k][0] += from[0];
})

PL_KERNEL(ragged_more, (double *x), { x[0] += 1; })

/* Sums over the rows of an inverse, before and after the values change: on several ranks each change sends
 * the halo once, and no change sends nothing. */
static void check_sums(conf *c, pl_map *inverse, pl_dat *x, pl_dat *summed, double *expected, int n,
                       const int *count)
{
  for (int round = 0; round < 3; round++) {
    uint64_t before = conf_stats(c).halo_messages;
    OK(pl_par_loop(ragged_sum, pl_map_from(inverse), DIRECT(summed, PL_WRITE),
                   pl_arg_dat(x, PL_ALL, inverse, PL_READ)));
    SAME(summed, expected);
    if (round == 1) CHECK(conf_stats(c).halo_messages == before);
    if (round != 1) continue;
    OK(pl_par_loop(ragged_more, pl_map_to(inverse), DIRECT(x, PL_RW)));
    for (int i = 0; i < n; i++) expected[i] += count[i];
  }
}

static void case_inverse(conf *c)
{
  enum { FROM = 400, TO = 150 };
  int index[3 * FROM], count[TO] = {0};
  double x[FROM], sum[TO] = {0};
  for (int i = 0; i < 3 * FROM; i++) index[i] = conf_below(c, TO + 9) - 9;
  for (int e = 0; e < FROM; e++) x[e] = conf_below(c, 100);
  for (int i = 0; i < 3 * FROM; i++) {
    if (index[i] < 0) continue;
    sum[index[i]] += x[i / 3];
    count[index[i]]++;
  }
  pl_set *a = conf_set(c, FROM, "from"), *b = conf_set(c, TO, "to");
  pl_map *map = conf_map(c, a, b, 3, index, "map"), *inverse, *back, *again, *undefined, *failed = NULL;
  OK(pl_map_invert(map, "inverse", &inverse));
  OK(pl_map_invert(inverse, "back", &back));
  OK(pl_map_invert(back, "again", &again));
  CHECK(pl_map_from(inverse) == b && pl_map_to(inverse) == a && same_rows(inverse, again));
  pl_dat *dx = conf_dat(c, a, 1, PL_DOUBLE, x, "x"), *given = conf_dat(c, b, 1, PL_DOUBLE, NULL, "given"),
         *summed = conf_dat(c, b, 1, PL_DOUBLE, NULL, "summed");
  OK(pl_par_loop(ragged_give, a, pl_arg_dat(given, PL_ALL, map, PL_INC), DIRECT(dx, PL_READ)));
  SAME(given, sum);
  check_sums(c, inverse, dx, summed, sum, TO, count);
  check_sums(c, again, dx, summed, sum, TO, count);
  undefined = conf_map(c, a, b, 1, NULL, "undefined");
  FAILS(pl_map_invert(undefined, "none", &failed), PL_ERR_STATE, "\"none\"", "\"undefined\"");
}

/* An inverse declared after loops have run: sets are distributed again. */
static void case_inverse_in_use(conf *c)
{
  enum { FROM = 90, TO = 60 };
  int index[2 * FROM], count[TO] = {0};
  double x[FROM], sum[TO] = {0};
  for (int i = 0; i < 2 * FROM; i++) count[index[i] = conf_below(c, TO)]++;
  for (int e = 0; e < FROM; e++) x[e] = conf_below(c, 100);
  for (int i = 0; i < 2 * FROM; i++) sum[index[i]] += x[i / 2] + 1;
  pl_set *a = conf_set(c, FROM, "from"), *b = conf_set(c, TO, "to");
  pl_map *map = conf_map(c, a, b, 2, index, "map"), *inverse;
  pl_dat *dx = conf_dat(c, a, 1, PL_DOUBLE, x, "x"), *summed = conf_dat(c, b, 1, PL_DOUBLE, NULL, "summed");
  OK(pl_par_loop(ragged_more, a, DIRECT(dx, PL_RW)));
  OK(pl_map_invert(map, "inverse", &inverse));
  check_sums(c, inverse, dx, summed, sum, TO, count);
}

/* The current rows of this rank's elements, each with its neighbours by global index, followed by values that
 * must not be read. */
static void fill_neighbours(conf *c, pl_set *set, int all, int *offset, int64_t *value)
{
  int n = (int)pl_set_size(set), next = 0;
  int64_t *id = calloc((size_t)n + 1, sizeof *id);
  OK(pl_set_global(set, id));
  for (int i = 0; i < n; i++) {
    if (id[i]) value[next++] = id[i] - 1;
    if (id[i] + 1 < all) value[next++] = id[i] + 1;
    offset[i + 1] = next;
  }
  for (int i = n + 1; i <= all; i++) offset[i] = -1;
  free(id);
}

/* Each element reaches its neighbours. A wrong row on one rank is an error on all. Rows are those of owned
 * elements even with halos. */
static void case_global(conf *c)
{
  enum { N = 50 };
  pl_set *set = conf_set(c, N, "set");
  int n = (int)pl_set_size(set), offset[N + 1] = {0};
  int64_t value[2 * N] = {0}, kept;
  double x[N], sum[N];
  fill_neighbours(c, set, N, offset, value);
  for (int i = 0; i < N; i++) x[i] = i * i;
  for (int i = 0; i < N; i++) sum[i] = (i ? x[i - 1] : 0) + (i + 1 < N ? x[i + 1] : 0);
  pl_map *map = NULL;
  bool wrong = pl_rank(c->pl) == pl_ranks(c->pl) - 1 && n;
  kept = value[0];
  if (wrong) value[0] = INT64_C(1) << 33;
  FAILS(pl_decl_map_ragged_global(set, set, offset, value, "near", &map), PL_ERR_RANGE, "\"near\"", "element",
        "\"set\"");
  if (wrong) value[0] = -1;
  FAILS(pl_decl_map_ragged_global(set, set, offset, value, "near", &map), PL_ERR_RANGE, "leave out");
  value[0] = kept;
  if (wrong) offset[n]--;
  if (wrong && n > 1) offset[n - 1] = offset[n] + 1;
  FAILS(pl_decl_map_ragged_global(set, set, offset, value, "near", &map), PL_ERR_RANGE, "offset",
        "less than");
  CHECK(!map);
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x"), *dsum = conf_dat(c, set, 1, PL_DOUBLE, NULL, "sum");
  for (int round = 0; round < 2; round++) {
    fill_neighbours(c, set, N, offset, value);
    OK(pl_decl_map_ragged_global(set, set, pl_set_size(set) ? offset : NULL, value, "near", &map));
    OK(pl_par_loop(ragged_sum, set, DIRECT(dsum, PL_WRITE), pl_arg_dat(dx, PL_ALL, map, PL_READ)));
    SAME(dsum, sum);
  }
}

const conf_case conf_ragged[] = {
  {"ragged maps refused", "D01", case_refused, 0},
  {"rows of values", "D01", case_rows, CONF_MATRIX | CONF_RANKS},
  {"rows of a component, over a subset", "D01", case_component, CONF_MATRIX | CONF_RANKS},
  {"inverse of a map", "D01", case_inverse, CONF_MATRIX | CONF_RANKS},
  {"inverse of a map in use", "D01", case_inverse_in_use, CONF_RANKS},
  {"rows by global index", "D01 O11", case_global, CONF_RANKS},
  {NULL, NULL, NULL, 0}};
