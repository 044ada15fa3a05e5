/* SPDX-License-Identifier: BSD-2-Clause
 * Maps: single targets and all together, permuted and composed maps, missing targets, extremes.
 */
#include "conformance.h"

PL_KERNEL(map_copy1, (double *to, const double *from), { to[0] = from[0]; })

/* ---- P10 ---- */

static void case_map_errors(conf *c)
{
  const int good[] = {0, 1, 2, 0}, far[] = {0, 1, 3, 0};
  pl_set *a = conf_set(c, 4, "a"), *b = conf_set(c, 3, "b"), *other = conf_set(c, 4, "other"),
         *none = conf_set(c, 0, "none");
  pl_map *map = conf_map(c, a, b, 1, good, "map"), *failed = NULL,
         *undefined = conf_map(c, a, b, 1, NULL, "undefined");
  pl_map *idle = conf_map(c, none, b, 1, NULL, "idle");
  pl_dat *on_a = conf_dat(c, a, 1, PL_DOUBLE, NULL, "on_a"),
         *on_b = conf_dat(c, b, 1, PL_DOUBLE, NULL, "on_b");
  pl_dat *on_other = conf_dat(c, other, 1, PL_DOUBLE, NULL, "on_other"),
         *on_none = conf_dat(c, none, 1, PL_DOUBLE, NULL, "on_none");
  CHECK(pl_map_arity(map) == 1 && pl_map_from(map) == a && pl_map_to(map) == b &&
        !strcmp(pl_map_name(map), "map"));
  CHECK(!memcmp(pl_map_indices(map), good, sizeof good) && pl_map_indices(undefined) == NULL);
  FAILS(pl_par_loop(map_copy1, other, DIRECT(on_other, PL_WRITE), pl_arg_dat(on_b, 0, map, PL_READ)),
        PL_ERR_ARG, "map_copy1", "argument 2", "\"on_b\"", "\"map\"", "\"a\"", "\"other\"");
  FAILS(pl_par_loop(map_copy1, a, DIRECT(on_a, PL_WRITE), pl_arg_dat(on_other, 0, map, PL_READ)), PL_ERR_ARG,
        "map_copy1", "argument 2", "\"map\"", "\"b\"", "\"other\"");
  FAILS(pl_par_loop(map_copy1, a, DIRECT(on_a, PL_WRITE), pl_arg_dat(on_b, 0, undefined, PL_READ)),
        PL_ERR_STATE, "argument 2", "\"undefined\"", "without indices");
  OK(pl_par_loop(map_copy1, none, DIRECT(on_none, PL_WRITE), pl_arg_dat(on_b, 0, idle, PL_READ)));
  FAILS(pl_decl_map(a, b, 1, far, "far", &failed), PL_ERR_RANGE, "\"far\"", "element 2", "3", "\"b\"");
  FAILS(pl_decl_map(a, b, 0, good, "thin", &failed), PL_ERR_RANGE, "\"thin\"", "arity 0");
  FAILS(pl_decl_map(a, NULL, 1, good, "half", &failed), PL_ERR_ARG, "\"half\"", "NULL");
  FAILS(pl_map_permute(undefined, 1, (int[]){0}, "p", &failed), PL_ERR_STATE, "\"p\"", "\"undefined\"");
  FAILS(pl_map_permute(map, 1, (int[]){1}, "p", &failed), PL_ERR_RANGE, "\"p\"", "\"map\"", "arity 1");
  FAILS(pl_map_compose(map, map, "q", &failed), PL_ERR_ARG, "\"q\"", "\"map\"");
  CHECK(failed == NULL);
}

/* ---- P11, P12 ---- */

enum { ELEMENTS = 120, NODES = 121 };

static void pairs(int *index)
{
  for (int e = 0; e < ELEMENTS; e++) {
    index[2 * e] = e;
    index[2 * e + 1] = e + 1;
  }
}

PL_KERNEL(map_difference, (double *out, const double *left, const double *right),
          { out[0] = right[0] - left[0]; })

static void case_one_target(conf *c)
{
  int index[2 * ELEMENTS];
  double x[NODES], out[ELEMENTS];
  pairs(index);
  for (int i = 0; i < NODES; i++) x[i] = (double)i * i;
  for (int e = 0; e < ELEMENTS; e++) out[e] = x[e + 1] - x[e];
  pl_set *elements = conf_set(c, ELEMENTS, "elements"), *nodes = conf_set(c, NODES, "nodes");
  pl_map *map = conf_map(c, elements, nodes, 2, index, "element_node");
  pl_dat *dx = conf_dat(c, nodes, 1, PL_DOUBLE, x, "x"),
         *dout = conf_dat(c, elements, 1, PL_DOUBLE, NULL, "out");
  OK(pl_par_loop(map_difference, elements, DIRECT(dout, PL_WRITE), pl_arg_dat(dx, 0, map, PL_READ),
                 pl_arg_dat(dx, 1, map, PL_READ)));
  SAME(dout, out);
  OK(pl_par_loop(map_difference, elements, DIRECT(dout, PL_WRITE), pl_arg_dat(dx, 1, map, PL_READ),
                 pl_arg_dat(dx, 0, map, PL_READ)));
  for (int e = 0; e < ELEMENTS; e++) out[e] = -out[e];
  SAME(dout, out);
  FAILS(pl_par_loop(map_difference, elements, DIRECT(dout, PL_WRITE), pl_arg_dat(dx, 0, map, PL_READ),
                    pl_arg_dat(dx, 2, map, PL_READ)),
        PL_ERR_RANGE, "map_difference", "argument 3", "\"x\"", "target 2", "\"element_node\"");
  FAILS(pl_par_loop(map_difference, elements, DIRECT(dout, PL_WRITE), pl_arg_dat(dx, -7, map, PL_READ),
                    pl_arg_dat(dx, 1, map, PL_READ)),
        PL_ERR_RANGE, "argument 2", "-7");
}

PL_KERNEL(map_midpoint, (double p[2], const double *const corner[3]), {
  for (int i = 0; i < 2; i++) p[i] = ((corner[0][i] + corner[1][i]) + corner[2][i]) / 3.0;
})
PL_KERNEL(map_midpoint_packed, (double p[2], const double corner[3][2]), {
  for (int i = 0; i < 2; i++) p[i] = ((corner[0][i] + corner[1][i]) + corner[2][i]) / 3.0;
})

static void case_midpoint(conf *c)
{
  enum { TRIANGLES = 333, CORNERS = 170 };
  int *index = malloc(3 * TRIANGLES * sizeof *index);
  double x[2 * CORNERS], p[2 * TRIANGLES];
  for (int i = 0; i < 2 * CORNERS; i++) x[i] = 1.0 / (1 + conf_below(c, 999));
  for (int i = 0; i < 3 * TRIANGLES; i++) index[i] = conf_below(c, CORNERS);
  for (int e = 0; e < TRIANGLES; e++)
    for (int i = 0; i < 2; i++)
      p[2 * e + i] =
        ((x[2 * index[3 * e] + i] + x[2 * index[3 * e + 1] + i]) + x[2 * index[3 * e + 2] + i]) / 3.0;
  pl_set *triangles = conf_set(c, TRIANGLES, "triangles"), *corners = conf_set(c, CORNERS, "corners");
  pl_map *map = conf_map(c, triangles, corners, 3, index, "map");
  pl_dat *dx = conf_dat(c, corners, 2, PL_DOUBLE, x, "x"),
         *dp = conf_dat(c, triangles, 2, PL_DOUBLE, NULL, "p");
  OK(pl_par_loop(map_midpoint, triangles, DIRECT(dp, PL_WRITE), pl_arg_dat(dx, PL_ALL, map, PL_READ)));
  SAME(dp, p);
  OK(pl_dat_zero(dp));
  OK(pl_par_loop(map_midpoint_packed, triangles, DIRECT(dp, PL_WRITE), pl_arg_dat(dx, PL_ALL, map, PL_READ)));
  SAME(dp, p);
  free(index);
}

/* Sum, read, write and increment through all targets, with one and two values a node. */
PL_KERNEL(vector_sum1, (const int32_t *const node[2], int32_t *edge), { edge[0] = node[0][0] + node[1][0]; })
PL_KERNEL(vector_sum2, (const int32_t node[2][2], int32_t edge[2]), {
  edge[0] = node[0][0] + node[1][0];
  edge[1] = node[0][1] + node[1][1];
})
PL_KERNEL(vector_write1, (int32_t * node[2], const int32_t *edge), {
  node[0][0] = edge[0];
  node[1][0] = edge[0] + 1;
})
PL_KERNEL(vector_write2, (int32_t node[2][2], const int32_t edge[2]), {
  for (int k = 0; k < 2; k++) {
    node[k][0] = edge[0];
    node[k][1] = edge[1];
  }
})
PL_KERNEL(vector_inc1, (int32_t * node[2], const int32_t *edge), {
  node[0][0] += edge[0];
  node[1][0] += edge[0];
})
PL_KERNEL(vector_inc2, (int32_t node[2][2], const int32_t edge[2]), {
  for (int k = 0; k < 2; k++) {
    node[k][0] += edge[0];
    node[k][1] += edge[1];
  }
})

static void case_vector_maps(conf *c)
{
  int chain[2 * ELEMENTS], apart[2 * ELEMENTS];
  int32_t node1[2 * ELEMENTS], node2[4 * ELEMENTS], edge1[ELEMENTS], edge2[2 * ELEMENTS];
  pairs(chain);
  for (int i = 0; i < 2 * ELEMENTS; i++) apart[i] = 2 * ELEMENTS - 1 - i;
  for (int i = 0; i < 2 * ELEMENTS; i++) node1[i] = conf_below(c, 1000);
  for (int i = 0; i < 4 * ELEMENTS; i++) node2[i] = conf_below(c, 1000);
  pl_set *edges = conf_set(c, ELEMENTS, "edges"), *nodes = conf_set(c, 2 * ELEMENTS, "nodes");
  pl_map *linked = conf_map(c, edges, nodes, 2, chain, "linked"),
         *single = conf_map(c, edges, nodes, 2, apart, "single");
  pl_dat *n1 = conf_dat(c, nodes, 1, PL_INT32, node1, "n1"),
         *n2 = conf_dat(c, nodes, 2, PL_INT32, node2, "n2");
  pl_dat *e1 = conf_dat(c, edges, 1, PL_INT32, NULL, "e1"), *e2 = conf_dat(c, edges, 2, PL_INT32, NULL, "e2");
  for (int e = 0; e < ELEMENTS; e++) {
    edge1[e] = node1[e] + node1[e + 1];
    for (int i = 0; i < 2; i++) edge2[2 * e + i] = node2[2 * e + i] + node2[2 * e + 2 + i];
  }
  OK(pl_par_loop(vector_sum1, edges, pl_arg_dat(n1, PL_ALL, linked, PL_READ), DIRECT(e1, PL_WRITE)));
  OK(pl_par_loop(vector_sum2, edges, pl_arg_dat(n2, PL_ALL, linked, PL_READ), DIRECT(e2, PL_WRITE)));
  SAME(e1, edge1);
  SAME(e2, edge2);
  for (int e = 0; e < ELEMENTS; e++)
    for (int k = 0; k < 2; k++) {
      node1[apart[2 * e + k]] = edge1[e] + k;
      for (int i = 0; i < 2; i++) node2[2 * apart[2 * e + k] + i] = edge2[2 * e + i];
    }
  OK(pl_par_loop(vector_write1, edges, pl_arg_dat(n1, PL_ALL, single, PL_WRITE), DIRECT(e1, PL_READ)));
  OK(pl_par_loop(vector_write2, edges, pl_arg_dat(n2, PL_ALL, single, PL_WRITE), DIRECT(e2, PL_READ)));
  SAME(n1, node1);
  SAME(n2, node2);
  for (int e = 0; e < ELEMENTS; e++)
    for (int k = 0; k < 2; k++) {
      node1[e + k] += edge1[e];
      for (int i = 0; i < 2; i++) node2[2 * (e + k) + i] += edge2[2 * e + i];
    }
  OK(pl_par_loop(vector_inc1, edges, pl_arg_dat(n1, PL_ALL, linked, PL_INC), DIRECT(e1, PL_READ)));
  OK(pl_par_loop(vector_inc2, edges, pl_arg_dat(n2, PL_ALL, linked, PL_INC), DIRECT(e2, PL_READ)));
  SAME(n1, node1);
  SAME(n2, node2);
}

/* One dat through two maps of one loop, both incremented. */
PL_KERNEL(map_two, (int32_t * a, int32_t *b, const int32_t *w), {
  a[0] += w[0];
  b[0] += 2 * w[0];
})

static void case_two_maps(conf *c)
{
  enum { M = 37, E = 400 };
  int first[E], second[2 * E];
  int32_t w[E], x[M] = {0};
  for (int e = 0; e < E; e++) {
    first[e] = conf_below(c, M);
    second[2 * e] = conf_below(c, M);
    second[2 * e + 1] = conf_below(c, M);
    w[e] = conf_below(c, 100);
    x[first[e]] += w[e];
    x[second[2 * e + 1]] += 2 * w[e];
  }
  pl_set *from = conf_set(c, E, "from"), *to = conf_set(c, M, "to");
  pl_map *m1 = conf_map(c, from, to, 1, first, "first"), *m2 = conf_map(c, from, to, 2, second, "second");
  pl_dat *dx = conf_dat(c, to, 1, PL_INT32, NULL, "x"), *dw = conf_dat(c, from, 1, PL_INT32, w, "w");
  OK(pl_par_loop(map_two, from, pl_arg_dat(dx, 0, m1, PL_INC), pl_arg_dat(dx, 1, m2, PL_INC),
                 DIRECT(dw, PL_READ)));
  SAME(dx, x);
}

/* ---- P15 ---- */

PL_KERNEL(map_copy2, (double *to[2], const double *const from[2]), {
  to[0][0] = from[0][0];
  to[1][0] = from[1][0];
})
PL_KERNEL(map_copy4, (int32_t to[4], const int32_t *const from[4]), {
  for (int k = 0; k < 4; k++) to[k] = from[k][0];
})

static void case_permuted(conf *c)
{
  const int index[] = {1, 2, 3, 0}, order[] = {3, 2, 0, 1}, again[] = {1, 1, 0, 3};
  const int32_t values[] = {10, 11, 12, 13}, once[] = {10, 13, 11, 12}, twice[] = {13, 13, 10, 12};
  pl_set *one = conf_set(c, 1, "one"), *four = conf_set(c, 4, "four");
  pl_map *map = conf_map(c, one, four, 4, index, "map"), *permuted = NULL, *nested = NULL;
  pl_dat *v = conf_dat(c, four, 1, PL_INT32, values, "v"), *out = conf_dat(c, one, 4, PL_INT32, NULL, "out");
  OK(pl_map_permute(map, 4, order, "permuted", &permuted));
  OK(pl_par_loop(map_copy4, one, DIRECT(out, PL_WRITE), pl_arg_dat(v, PL_ALL, permuted, PL_READ)));
  SAME(out, once);
  OK(pl_map_permute(permuted, 4, again, "nested", &nested));
  OK(pl_par_loop(map_copy4, one, DIRECT(out, PL_WRITE), pl_arg_dat(v, PL_ALL, nested, PL_READ)));
  SAME(out, twice);
  CHECK(pl_map_arity(nested) == 4 && pl_map_from(nested) == one && pl_map_to(nested) == four);
}

static void case_composed(conf *c)
{
  const int b_nodes[] = {0, 1, 2, 3, 4, 5}, a_nodes[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1}, b_to_a[] = {3, 1, 2},
            c_to_b[] = {2, 0}, second[] = {1};
  const double values[] = {.0, .1, .2, .3, .4, .5, .6, .7}, two[] = {.6, .7, .2, .3, .4, .5},
               three[] = {.4, .5, .6, .7}, part[] = {0, 0, .6, .7};
  pl_set *a = conf_set(c, 5, "a"), *na = conf_set(c, 8, "a_nodes"), *b = conf_set(c, 3, "b"),
         *nb = conf_set(c, 6, "b_nodes");
  pl_set *d = conf_set(c, 2, "c"), *nd = conf_set(c, 4, "c_nodes");
  pl_map *own_a = conf_map(c, a, na, 2, a_nodes, "own_a"), *own_b = conf_map(c, b, nb, 2, b_nodes, "own_b");
  pl_map *own_d = conf_map(c, d, nd, 2, b_nodes, "own_c"), *ba = conf_map(c, b, a, 1, b_to_a, "b_to_a");
  pl_map *db = conf_map(c, d, b, 1, c_to_b, "c_to_b"), *over_b = NULL, *over_d = NULL, *failed = NULL;
  pl_dat *v = conf_dat(c, na, 1, PL_DOUBLE, values, "v"), *on_b = conf_dat(c, nb, 1, PL_DOUBLE, NULL, "on_b");
  pl_dat *on_d = conf_dat(c, nd, 1, PL_DOUBLE, NULL, "on_c");
  OK(pl_map_compose(own_a, ba, "over_b", &over_b));
  OK(pl_map_compose(over_b, db, "over_c", &over_d));
  OK(pl_par_loop(map_copy2, b, pl_arg_dat(on_b, PL_ALL, own_b, PL_WRITE),
                 pl_arg_dat(v, PL_ALL, over_b, PL_READ)));
  SAME(on_b, two);
  OK(pl_par_loop(map_copy2, d, pl_arg_dat(on_d, PL_ALL, own_d, PL_WRITE),
                 pl_arg_dat(v, PL_ALL, over_d, PL_READ)));
  SAME(on_d, three);
  OK(pl_dat_zero(on_d));
  OK(pl_par_loop(map_copy2, conf_subset(c, d, 1, second), pl_arg_dat(on_d, PL_ALL, own_d, PL_WRITE),
                 pl_arg_dat(v, PL_ALL, over_d, PL_READ)));
  SAME(on_d, part);
  FAILS(pl_map_compose(ba, own_a, "wrong", &failed), PL_ERR_ARG, "\"wrong\"", "\"own_a\"", "arity 2");
  FAILS(pl_map_compose(own_b, ba, "wrong", &failed), PL_ERR_ARG, "\"wrong\"", "\"a\"", "\"b\"");
  CHECK(failed == NULL);
}

/* ---- P16 ---- */

PL_KERNEL(map_push2, (double *x[2], double *seen, const double *const y[2]), {
  x[0][0] += 1.0;
  x[1][0] += 10.0;
  seen[0] = y[0][0] + y[1][0];
})

PL_KERNEL(map_pull2, (double *x[2], const double *const y[2]), {
  x[0][0] += y[0][0] + 2.0 * y[1][0];
  x[1][0] += 10.0 * y[0][0] + y[1][0];
})

static void case_negative(conf *c)
{
  const int index[] = {0, -1, -1, 1, -1, -1, 2, 0};
  const double y[] = {5, 6, 7}, x[] = {100, 200, 300}, after[] = {111, 210, 301}, seen[] = {5, 6, 0, 12};
  pl_set *from = conf_set(c, 4, "from"), *to = conf_set(c, 3, "to");
  pl_map *map = conf_map(c, from, to, 2, index, "map"), *inner = NULL, *all_gone = NULL;
  const int minus[] = {-1, 1, -3, 2};
  pl_dat *dx = conf_dat(c, to, 1, PL_DOUBLE, x, "x"), *dy = conf_dat(c, to, 1, PL_DOUBLE, y, "y");
  pl_dat *dseen = conf_dat(c, from, 1, PL_DOUBLE, NULL, "seen");
  OK(pl_par_loop(map_push2, from, pl_arg_dat(dx, PL_ALL, map, PL_INC), DIRECT(dseen, PL_WRITE),
                 pl_arg_dat(dy, PL_ALL, map, PL_READ)));
  SAME(dx, after);
  SAME(dseen, seen);
  SAME(dy, y);
  /* Increments alone, which devices gather: rows of one length, with one that is shorter, and of many. */
  const int line[] = {0, 1, 1, 2, 2, -1, -1, -1};
  const double pulled[] = {191, 216, 318}, along[] = {117, 276, 374};
  pl_map *lines = conf_map(c, from, to, 2, line, "line");
  OK(pl_par_loop(map_pull2, from, pl_arg_dat(dx, PL_ALL, map, PL_INC), pl_arg_dat(dy, PL_ALL, map, PL_READ)));
  SAME(dx, pulled);
  dx = conf_dat(c, to, 1, PL_DOUBLE, x, "x2");
  OK(pl_par_loop(map_pull2, from, pl_arg_dat(dx, PL_ALL, lines, PL_INC),
                 pl_arg_dat(dy, PL_ALL, lines, PL_READ)));
  SAME(dx, along);
  /* A negative entry of the inner map gives no target either. */
  inner = conf_map(c, from, from, 1, minus, "inner");
  OK(pl_map_compose(map, inner, "all_gone", &all_gone));
  const int *t = pl_map_indices(all_gone);
  CHECK(t[0] < 0 && t[1] < 0 && t[2] < 0 && t[3] == 1 && t[4] < 0 && t[5] < 0 && t[6] < 0 && t[7] < 0);
}

/* ---- P67 ---- */

PL_KERNEL(map_least, (double *to, const double *x), { to[0] = x[0] < to[0] ? x[0] : to[0]; })
PL_KERNEL(map_most, (double *to, const double *x), { to[0] = x[0] > to[0] ? x[0] : to[0]; })

static void case_extremes(conf *c)
{
  enum { E = 500 };
  int index[E] = {0};
  double x[E], low = -5, high = 5, start = 0;
  for (int e = 0; e < E; e++) x[e] = conf_below(c, 9) - 4;
  x[123] = -5;
  x[321] = 5;
  pl_set *from = conf_set(c, E, "from"), *one = conf_set(c, 1, "one");
  pl_map *map = conf_map(c, from, one, 1, index, "map");
  pl_dat *dx = conf_dat(c, from, 1, PL_DOUBLE, x, "x"), *lo = conf_dat(c, one, 1, PL_DOUBLE, &start, "lo");
  pl_dat *hi = conf_dat(c, one, 1, PL_DOUBLE, &start, "hi");
  OK(pl_par_loop(map_least, from, pl_arg_dat(lo, 0, map, PL_MIN), DIRECT(dx, PL_READ)));
  OK(pl_par_loop(map_most, from, pl_arg_dat(hi, 0, map, PL_MAX), DIRECT(dx, PL_READ)));
  SAME(lo, &low);
  SAME(hi, &high);
  /* The dat's initial values take part. */
  double beyond = -9;
  lo = conf_dat(c, one, 1, PL_DOUBLE, &beyond, "beyond");
  OK(pl_par_loop(map_least, from, pl_arg_dat(lo, 0, map, PL_MIN), DIRECT(dx, PL_READ)));
  SAME(lo, &beyond);
}

const conf_case conf_maps[] = {
  {"maps refused", "P10", case_map_errors, 0},
  {"one target of a map", "P11", case_one_target, CONF_MATRIX | CONF_RANKS},
  {"all targets: midpoint", "P12", case_midpoint, CONF_MATRIX | CONF_RANKS},
  {"all targets: read, write, increment", "P12", case_vector_maps, CONF_MATRIX | CONF_RANKS},
  {"one dat through two maps", "P12 P45", case_two_maps, CONF_MATRIX | CONF_RANKS},
  {"permuted maps", "P15", case_permuted, CONF_MATRIX | CONF_RANKS},
  {"composed maps", "P15", case_composed, CONF_MATRIX | CONF_RANKS},
  {"entries without a target", "P16", case_negative, CONF_MATRIX},
  {"minimum and maximum through a map", "P67", case_extremes, CONF_MATRIX | CONF_RANKS},
  {NULL, NULL, NULL, 0}};
