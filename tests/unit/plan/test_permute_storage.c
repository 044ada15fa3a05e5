/* SPDX-License-Identifier: BSD-2-Clause
 * Storage in random orders: no user-visible value changes, whatever the order of declarations and calls, and
 * verification finds damage.
 */
#include "core/data/objects.h"
#include "plan/renumber/permute_storage.h"

#include "random.h"
#include "set_checks.h"
#include "checks.h"
#include "suite.h"
#include <string.h>

enum { CELLS = 60, NODES = 45, ARITY = 3, MEMBERS = 20 };

typedef struct mesh {
  pl_context *pl;
  pl_set *cells, *nodes, *some, *fewer;
  pl_map *map, *rows, *again; /* again: declared from the values of `rows` after each shuffle */
  pl_dat *on_cells, *on_nodes, *wide, *idle;
  int index[CELLS * ARITY];
  double x[NODES * 2];
  char bytes[CELLS * 3];
  int offset[CELLS + 1], row[4 * CELLS];
} mesh;

static int member_at(int k)
{
  return 3 * (MEMBERS - 1 - k);
}

static void open_mesh(mesh *m)
{
  const int64_t parts[4] = {20, 40, 50, CELLS};
  seed s = 7;
  int members[MEMBERS];
  for (int i = 0; i < CELLS * ARITY; i++) m->index[i] = below(&s, NODES + 1) - 1;
  for (int e = 0; e < CELLS; e++) m->offset[e + 1] = m->offset[e] + below(&s, 5);
  for (int i = 0; i < m->offset[CELLS]; i++) m->row[i] = below(&s, NODES);
  for (int i = 0; i < 2 * NODES; i++) m->x[i] = i;
  for (int i = 0; i < 3 * CELLS; i++) m->bytes[i] = (char)i;
  for (int k = 0; k < MEMBERS; k++) members[k] = member_at(k);
  m->pl = CONTEXT("backend=seq");
  PL_OK(m->pl, pl_decl_set_parts(m->pl, parts, "cells", &m->cells));
  PL_OK(m->pl, pl_decl_set(m->pl, NODES, "nodes", &m->nodes));
  PL_OK(m->pl, pl_decl_map(m->cells, m->nodes, ARITY, m->index, "map", &m->map));
  PL_OK(m->pl, pl_decl_map_ragged(m->cells, m->nodes, m->offset, m->row, "rows", &m->rows));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 2, PL_DOUBLE, m->x, "on_nodes", &m->on_nodes));
  PL_OK(m->pl, pl_decl_dat(m->cells, 3, PL_INT8, m->bytes, "bytes", &m->on_cells));
  PL_OK(m->pl, pl_decl_dat(m->cells, 0, PL_FLOAT, NULL, "wide", &m->wide));
  PL_OK(m->pl, pl_decl_dat(m->cells, 1, PL_FLOAT, NULL, "idle", &m->idle));
  PL_OK(m->pl, pl_decl_subset(m->cells, MEMBERS, members, "some", &m->some));
  PL_OK(m->pl, pl_decl_subset(m->some, 2, (int[]){1, 5}, "fewer", &m->fewer));
}

/* A random permutation within each range of the set. */
static void order_in_ranges(const pl_set *set, seed *s, int *order)
{
  for (int i = 0; i < set->end[3]; i++) order[i] = i;
  for (int p = 0; p < 4; p++) {
    int begin = p ? set->end[p - 1] : 0;
    for (int i = set->end[p] - 1; i > begin; i--) {
      int j = begin + below(s, i - begin + 1), t = order[i];
      order[i] = order[j];
      order[j] = t;
    }
  }
}

static void shuffle(mesh *m, seed *s)
{
  int cells[CELLS], nodes[NODES];
  char why[256];
  order_in_ranges(m->cells, s, cells);
  order_in_ranges(m->nodes, s, nodes);
  const pl_order orders[2] = {{m->cells, cells}, {m->nodes, nodes}};
  for (int i = 0; i < 2; i++) CU_ASSERT_TRUE(order_is_valid(&orders[i], why, sizeof why));
  CU_ASSERT_EQUAL(pl_reorder(m->pl, 2, orders), PL_SUCCESS);
  for (int i = 0; i < 4; i++)
    CU_ASSERT_TRUE(set_is_valid(i == 0   ? m->cells
                                : i == 1 ? m->nodes
                                : i == 2 ? m->some
                                         : m->fewer,
                                why, sizeof why));
}

static void check_dat(pl_dat *dat, const void *wanted)
{
  void *view;
  char fetched[sizeof(double) * 2 * CELLS];
  CU_ASSERT_EQUAL(pl_dat_get(dat, PL_READ, &view), PL_SUCCESS);
  CU_ASSERT_EQUAL(memcmp(view, wanted, pl_dat_nbytes(dat)), 0);
  CU_ASSERT_EQUAL(pl_dat_put(dat), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_dat_fetch(dat, fetched), PL_SUCCESS);
  CU_ASSERT_EQUAL(memcmp(fetched, wanted, (size_t)pl_set_size(pl_dat_set(dat)) * pl_dat_stride(dat)), 0);
}

static void check_rows(const mesh *m, const pl_map *map)
{
  CU_ASSERT_EQUAL(memcmp(pl_map_offsets(map), m->offset, sizeof m->offset), 0);
  CU_ASSERT_EQUAL(memcmp(pl_map_indices(map), m->row, (size_t)m->offset[CELLS] * sizeof *m->row), 0);
}

/* All objects show their declared values. */
static void check_mesh(const mesh *m)
{
  check_dat(m->on_nodes, m->x);
  check_dat(m->on_cells, m->bytes);
  CU_ASSERT_EQUAL(memcmp(pl_map_indices(m->map), m->index, sizeof m->index), 0);
  check_rows(m, m->rows);
  if (m->again) check_rows(m, m->again);
  CU_ASSERT_EQUAL_FATAL(pl_set_total(m->some), MEMBERS);
  for (int k = 0; k < MEMBERS; k++) CU_ASSERT_EQUAL(pl_subset_indices(m->some)[k], 3 * k);
  CU_ASSERT_EQUAL(pl_subset_indices(m->fewer)[0], 3);
  CU_ASSERT_EQUAL(pl_subset_indices(m->fewer)[1], 15);
}

static void looks_the_same(void)
{
  mesh m = {0};
  seed s = 1;
  open_mesh(&m);
  for (int round = 0; round < 4; round++) {
    check_mesh(&m);
    shuffle(&m, &s);
    pl_map_free(&m.again);
    PL_OK(m.pl, pl_decl_map_ragged(m.cells, m.nodes, m.offset, m.row, "declared again", &m.again));
  }
  check_mesh(&m);
  shuffle(&m, &s);
  check_mesh(&m);
  CU_ASSERT_EQUAL(pl_dat_host_bytes(m.idle), 0); /* unread zeros get no storage */
  pl_finalize(&m.pl);
}

/* Pointers returned before the first permutation stay valid. */
static void pointers_stay(void)
{
  mesh m = {0};
  seed s = 3;
  open_mesh(&m);
  const int *index = pl_map_indices(m.map), *members = pl_subset_indices(m.some);
  for (int round = 0; round < 2; round++) {
    shuffle(&m, &s);
    CU_ASSERT_EQUAL(memcmp(index, m.index, sizeof m.index), 0);
    for (int k = 0; k < MEMBERS; k++) CU_ASSERT_EQUAL(members[k], 3 * k);
    check_mesh(&m);
  }
  pl_finalize(&m.pl);
}

/* Objects declared, derived or written after a permutation are in the user's order too. */
static void later_declarations(void)
{
  mesh m = {0}, n;
  seed s = 5;
  const int swap[2] = {2, 0};
  pl_map *map, *permuted, *one, *composed;
  pl_dat *copy;
  pl_set *none, *both;
  double *x;
  int inner[NODES];
  open_mesh(&m);
  shuffle(&m, &s);
  n = m;
  PL_OK(m.pl, pl_decl_map(m.cells, m.nodes, ARITY, m.index, "again", &map));
  PL_OK(m.pl, pl_map_permute(map, 2, swap, "permuted", &permuted));
  for (int i = 0; i < NODES; i++) inner[i] = i % 7 ? (i * 5) % CELLS : -1;
  PL_OK(m.pl, pl_decl_map(m.nodes, m.cells, 1, inner, "inner", &one));
  PL_OK(m.pl, pl_map_compose(map, one, "composed", &composed));
  for (int e = 0; e < CELLS; e++)
    for (int k = 0; k < 2; k++)
      CU_ASSERT_EQUAL(pl_map_indices(permuted)[2 * e + k], m.index[ARITY * e + swap[k]]);
  for (int e = 0; e < NODES; e++)
    for (int k = 0; k < ARITY; k++)
      CU_ASSERT_EQUAL(pl_map_indices(composed)[ARITY * e + k],
                      inner[e] < 0 ? -1 : m.index[ARITY * inner[e] + k]);
  PL_OK(m.pl, pl_decl_dat(m.nodes, 2, PL_DOUBLE, m.x, "again", &copy));
  n.map = map;
  n.on_nodes = copy;
  check_mesh(&n);
  PL_OK(m.pl, pl_dat_get(copy, PL_RW, (void **)&x));
  x[8] = m.x[8] = -1;
  PL_OK(m.pl, pl_dat_put(copy));
  PL_OK(m.pl, pl_dat_get(m.on_nodes, PL_WRITE, (void **)&x));
  memcpy(x, m.x, sizeof m.x);
  PL_OK(m.pl, pl_dat_put(m.on_nodes));
  memcpy(n.x, m.x, sizeof m.x);
  check_mesh(&m);
  check_mesh(&n);
  PL_OK(m.pl, pl_subset_combine(m.some, PL_DIFFERENCE, m.fewer, "both", &both));
  CU_ASSERT_EQUAL(pl_set_size(both), 12); /* 14 of the owned 40, without 3 and 15 */
  CU_ASSERT_EQUAL(pl_subset_indices(both)[1], 6);
  PL_OK(m.pl, pl_decl_subset(both, 0, NULL, "none", &none));
  CU_ASSERT_EQUAL(pl_set_total(none), 0);
  pl_finalize(&m.pl);
}

PL_KERNEL(reorder_where,
          (const double *x, const int64_t *me, const int64_t *node, double *most, int64_t *best,
           int64_t *seen),
          {
            most[0] = x[0] > 20 ? 20 : x[0];
            best[0] = *me;
            seen[0] = *node;
          })

/* Index arguments are global indices, and ties of extremes go to the lowest index. */
static void numbers_of(const char *backend, const char *jit)
{
  mesh m = {0};
  seed s = 9;
  pl_global *most, *best;
  pl_dat *seen;
  int64_t winner, got[CELLS], expected = -1;
  for (int i = 0; i < CELLS * ARITY; i++) m.index[i] = below(&s, NODES);
  for (int i = 0; i < 2 * NODES; i++) m.x[i] = i;
  m.pl = CONTEXT(backend, jit);
  PL_OK(m.pl, pl_decl_set(m.pl, CELLS, "cells", &m.cells));
  PL_OK(m.pl, pl_decl_set(m.pl, NODES, "nodes", &m.nodes));
  PL_OK(m.pl, pl_decl_map(m.cells, m.nodes, ARITY, m.index, "map", &m.map));
  PL_OK(m.pl, pl_decl_dat(m.nodes, 2, PL_DOUBLE, m.x, "on_nodes", &m.on_nodes));
  PL_OK(m.pl, pl_decl_dat(m.cells, 1, PL_INT64, NULL, "seen", &seen));
  PL_OK(m.pl, pl_decl_global(m.pl, 1, PL_INT64, NULL, "best", &best));
  for (int e = CELLS - 1; e >= 0; e--)
    if (m.x[2 * m.index[ARITY * e + 1]] >= 20) expected = e;
  for (int round = 0; round < 3; round++) {
    PL_OK(m.pl, pl_decl_global(m.pl, 1, PL_DOUBLE, NULL, "most", &most));
    PL_OK(m.pl, pl_par_loop(reorder_where, m.cells, pl_arg_dat(m.on_nodes, 1, m.map, PL_READ),
                            pl_arg_idx(PL_ID, PL_DIRECT), pl_arg_idx(2, m.map), pl_arg_gbl(most, PL_MAX),
                            pl_arg_payload(best, most), pl_arg_dat(seen, PL_ID, PL_DIRECT, PL_WRITE)));
    PL_OK(m.pl, pl_global_get(best, &winner));
    CU_ASSERT_EQUAL(winner, expected);
    PL_OK(m.pl, pl_dat_fetch(seen, got));
    for (int e = 0; e < CELLS; e++) CU_ASSERT_EQUAL(got[e], m.index[ARITY * e + 2]);
    pl_global_free(&most);
    int cells[CELLS], nodes[NODES];
    order_in_ranges(m.cells, &s, cells);
    order_in_ranges(m.nodes, &s, nodes);
    const pl_order orders[2] = {{m.cells, cells}, {m.nodes, nodes}};
    PL_OK(m.pl, pl_reorder(m.pl, 2, orders));
  }
  pl_finalize(&m.pl);
}

static void numbers(void)
{
  numbers_of("backend=seq", "jit=on");
  numbers_of("backend=seq", "jit=off");
  numbers_of("backend=openmp", "jit=on");
}

PL_KERNEL(reorder_incomplete, (double *x, const int64_t *i), {
  if (*i != 30) x[0] = 1.0;
})

static void messages(void)
{
  mesh m = {0};
  seed s = 11;
  pl_dat *one;
  void *x;
  open_mesh(&m);
  PL_OK(m.pl, pl_set_option(m.pl, "check", "1"));
  PL_OK(m.pl, pl_decl_dat(m.nodes, 1, PL_DOUBLE, NULL, "one", &one));
  shuffle(&m, &s);
  FAILS_IN(m.pl,
           pl_par_loop(reorder_incomplete, m.nodes, pl_arg_dat(one, PL_ID, PL_DIRECT, PL_WRITE),
                       pl_arg_idx(PL_ID, PL_DIRECT)),
           PL_ERR_CHECK, "element 30,");
  PL_OK(m.pl, pl_dat_get(one, PL_READ, &x));
  ((double *)x)[4] = 1;
  CU_ASSERT_EQUAL(pl_dat_put(one), PL_ERR_CHECK);
  int order[NODES];
  for (int i = 0; i < NODES; i++) order[i] = i;
  PL_OK(m.pl, pl_dat_get(one, PL_READ, &x));
  const pl_order open_view = {m.nodes, order};
  FAILS_IN(m.pl, pl_reorder(m.pl, 1, &open_view), PL_ERR_STATE, "\"one\"");
  PL_OK(m.pl, pl_dat_put(one));
  pl_finalize(&m.pl);
}

static void damage(void)
{
  mesh m = {0};
  seed s = 13;
  char why[256];
  int order[CELLS];
  open_mesh(&m);
  shuffle(&m, &s);
  order_in_ranges(m.cells, &s, order);
  const pl_order mine = {m.cells, order};
  order[0] = order[1];
  CU_ASSERT_FALSE(order_is_valid(&mine, why, sizeof why));
  CONTAINS(why, "position 1");
  order_in_ranges(m.cells, &s, order);
  int first = order[0];
  order[0] = order[CELLS - 1];
  order[CELLS - 1] = first;
  CU_ASSERT_FALSE(order_is_valid(&mine, NULL, 0));
  m.some->indices[2] = m.some->indices[1];
  CU_ASSERT_FALSE(set_is_valid(m.some, why, sizeof why));
  int *view = m.nodes->user_order, kept = view[3];
  view[3] = view[4];
  CU_ASSERT_FALSE(set_is_valid(m.nodes, why, sizeof why));
  view[3] = kept;
  m.nodes->global[kept] = 44;
  CU_ASSERT_FALSE(set_is_valid(m.nodes, why, sizeof why));
  CONTAINS(why, "not above");
  pl_finalize(&m.pl);
}

static CU_TestInfo tests[] = {{"declared values are unchanged", looks_the_same},
                              {"returned pointers stay valid", pointers_stay},
                              {"later declarations", later_declarations},
                              {"index arguments and extremes", numbers},
                              {"messages", messages},
                              {"damage is found", damage},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("reorder", tests);
}
