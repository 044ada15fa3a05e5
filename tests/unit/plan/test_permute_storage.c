/* SPDX-License-Identifier: BSD-2-Clause
 * Storage put into random orders: nothing that users see may change, whatever they look at and in whatever
 * order things were declared, and the checkers must find damage.
 */
#include "plan/reorder.h"

#include <CUnit/Basic.h>
#include <string.h>

enum { CELLS = 60, NODES = 45, ARITY = 3, MEMBERS = 20 };

typedef struct mesh {
  pl_context *pl;
  pl_set *cells, *nodes, *some, *fewer;
  pl_map *map, *rows, *late; /* late: declared with what `rows` shows after each shuffle */
  pl_dat *on_cells, *on_nodes, *wide, *idle;
  int index[CELLS * ARITY];
  double x[NODES * 2];
  char bytes[CELLS * 3];
  int offset[CELLS + 1], row[4 * CELLS];
} mesh;

/* Xorshift (Marsaglia 2003). */
static uint64_t random_below(uint64_t *s, uint64_t n)
{
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s % n;
}

static int member_at(int k)
{
  return 3 * (MEMBERS - 1 - k);
}

static void open_mesh(mesh *m, const char *backend)
{
  char option[40];
  snprintf(option, sizeof option, "backend=%s", backend);
  const char *options[] = {option, NULL};
  pl_settings settings = {.options = options};
  const int64_t parts[4] = {20, 40, 50, CELLS};
  uint64_t seed = 7;
  int members[MEMBERS];
  for (int i = 0; i < CELLS * ARITY; i++) m->index[i] = (int)random_below(&seed, NODES + 1) - 1;
  for (int e = 0; e < CELLS; e++) m->offset[e + 1] = m->offset[e] + (int)random_below(&seed, 5);
  for (int i = 0; i < m->offset[CELLS]; i++) m->row[i] = (int)random_below(&seed, NODES);
  for (int i = 0; i < 2 * NODES; i++) m->x[i] = i;
  for (int i = 0; i < 3 * CELLS; i++) m->bytes[i] = (char)i;
  for (int k = 0; k < MEMBERS; k++) members[k] = member_at(k);
  PL_OK(m->pl, pl_init(NULL, NULL, &settings, &m->pl));
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

/* A random order that keeps the parts of the set. */
static void random_order(const pl_set *set, uint64_t *seed, int *order)
{
  for (int i = 0; i < set->part[3]; i++) order[i] = i;
  for (int p = 0; p < 4; p++) {
    int begin = p ? set->part[p - 1] : 0;
    for (int i = set->part[p] - 1; i > begin; i--) {
      int j = begin + (int)random_below(seed, (uint64_t)(i - begin + 1)), t = order[i];
      order[i] = order[j];
      order[j] = t;
    }
  }
}

static void shuffle(mesh *m, uint64_t *seed)
{
  int cells[CELLS], nodes[NODES];
  char why[256];
  random_order(m->cells, seed, cells);
  random_order(m->nodes, seed, nodes);
  const pl_order orders[2] = {{m->cells, cells}, {m->nodes, nodes}};
  for (int i = 0; i < 2; i++) CU_ASSERT_TRUE(pl_order_is_valid(&orders[i], why, sizeof why));
  CU_ASSERT_EQUAL(pl_reorder(m->pl, 2, orders), PL_SUCCESS);
  for (int i = 0; i < 4; i++)
    CU_ASSERT_TRUE(pl_set_is_valid(i == 0   ? m->cells
                                   : i == 1 ? m->nodes
                                   : i == 2 ? m->some
                                            : m->fewer,
                                   why, sizeof why));
}

static void check_dat(pl_dat *dat, const void *wanted)
{
  void *shown;
  char fetched[sizeof(double) * 2 * CELLS];
  CU_ASSERT_EQUAL(pl_dat_get(dat, PL_READ, &shown), PL_SUCCESS);
  CU_ASSERT_EQUAL(memcmp(shown, wanted, pl_dat_nbytes(dat)), 0);
  CU_ASSERT_EQUAL(pl_dat_put(dat), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_dat_fetch(dat, fetched), PL_SUCCESS);
  CU_ASSERT_EQUAL(memcmp(fetched, wanted, (size_t)pl_set_size(pl_dat_set(dat)) * pl_dat_stride(dat)), 0);
}

static void check_rows(const mesh *m, const pl_map *map)
{
  CU_ASSERT_EQUAL(memcmp(pl_map_offsets(map), m->offset, sizeof m->offset), 0);
  CU_ASSERT_EQUAL(memcmp(pl_map_indices(map), m->row, (size_t)m->offset[CELLS] * sizeof *m->row), 0);
}

/* All that was declared looks as declared. */
static void check_mesh(const mesh *m)
{
  check_dat(m->on_nodes, m->x);
  check_dat(m->on_cells, m->bytes);
  CU_ASSERT_EQUAL(memcmp(pl_map_indices(m->map), m->index, sizeof m->index), 0);
  check_rows(m, m->rows);
  if (m->late) check_rows(m, m->late);
  CU_ASSERT_EQUAL_FATAL(pl_set_total(m->some), MEMBERS);
  for (int k = 0; k < MEMBERS; k++) CU_ASSERT_EQUAL(pl_subset_indices(m->some)[k], 3 * k);
  CU_ASSERT_EQUAL(pl_subset_indices(m->fewer)[0], 3);
  CU_ASSERT_EQUAL(pl_subset_indices(m->fewer)[1], 15);
}

static void looks_the_same(void)
{
  mesh m = {0};
  uint64_t seed = 1;
  open_mesh(&m, "seq");
  for (int round = 0; round < 4; round++) {
    check_mesh(&m);
    shuffle(&m, &seed);
    pl_map_free(&m.late);
    PL_OK(m.pl, pl_decl_map_ragged(m.cells, m.nodes, m.offset, m.row, "late", &m.late));
  }
  check_mesh(&m);
  shuffle(&m, &seed);
  check_mesh(&m);
  CU_ASSERT_EQUAL(pl_dat_host_bytes(m.idle), 0); /* zeros that nobody has asked for stay so */
  pl_finalize(&m.pl);
}

/* Pointers handed out before the first reordering keep what they showed. */
static void lent_stays(void)
{
  mesh m = {0};
  uint64_t seed = 3;
  open_mesh(&m, "seq");
  const int *index = pl_map_indices(m.map), *members = pl_subset_indices(m.some);
  for (int round = 0; round < 2; round++) {
    shuffle(&m, &seed);
    CU_ASSERT_EQUAL(memcmp(index, m.index, sizeof m.index), 0);
    for (int k = 0; k < MEMBERS; k++) CU_ASSERT_EQUAL(members[k], 3 * k);
    check_mesh(&m);
  }
  pl_finalize(&m.pl);
}

/* What is declared, derived or written after a reordering is in the user's order too. */
static void later_declarations(void)
{
  mesh m = {0}, n;
  uint64_t seed = 5;
  const int swap[2] = {2, 0};
  pl_map *map, *turned, *one, *composed;
  pl_dat *copy;
  pl_set *none, *both;
  double *x;
  int inner[NODES];
  open_mesh(&m, "seq");
  shuffle(&m, &seed);
  n = m;
  PL_OK(m.pl, pl_decl_map(m.cells, m.nodes, ARITY, m.index, "again", &map));
  PL_OK(m.pl, pl_map_permute(map, 2, swap, "turned", &turned));
  for (int i = 0; i < NODES; i++) inner[i] = i % 7 ? (i * 5) % CELLS : -1;
  PL_OK(m.pl, pl_decl_map(m.nodes, m.cells, 1, inner, "inner", &one));
  PL_OK(m.pl, pl_map_compose(map, one, "composed", &composed));
  for (int e = 0; e < CELLS; e++)
    for (int k = 0; k < 2; k++)
      CU_ASSERT_EQUAL(pl_map_indices(turned)[2 * e + k], m.index[ARITY * e + swap[k]]);
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
          (const double *x, const int64_t *me, const int64_t *node, double *most, int64_t *who,
           int64_t *seen),
          {
            most[0] = x[0] > 20 ? 20 : x[0];
            who[0] = *me;
            seen[0] = *node;
          })

/* Index arguments are global indices, and ties of extremes go to the lowest. */
static void numbers_of(const char *backend, const char *jit)
{
  mesh m = {0};
  uint64_t seed = 9;
  pl_global *most, *who;
  pl_dat *seen;
  int64_t winner, got[CELLS], expected = -1;
  char option[20];
  snprintf(option, sizeof option, "backend=%s", backend);
  const char *options[] = {option, jit, NULL};
  pl_settings settings = {.options = options};
  for (int i = 0; i < CELLS * ARITY; i++) m.index[i] = (int)random_below(&seed, NODES);
  for (int i = 0; i < 2 * NODES; i++) m.x[i] = i;
  PL_OK(m.pl, pl_init(NULL, NULL, &settings, &m.pl));
  PL_OK(m.pl, pl_decl_set(m.pl, CELLS, "cells", &m.cells));
  PL_OK(m.pl, pl_decl_set(m.pl, NODES, "nodes", &m.nodes));
  PL_OK(m.pl, pl_decl_map(m.cells, m.nodes, ARITY, m.index, "map", &m.map));
  PL_OK(m.pl, pl_decl_dat(m.nodes, 2, PL_DOUBLE, m.x, "on_nodes", &m.on_nodes));
  PL_OK(m.pl, pl_decl_dat(m.cells, 1, PL_INT64, NULL, "seen", &seen));
  PL_OK(m.pl, pl_decl_global(m.pl, 1, PL_INT64, NULL, "who", &who));
  for (int e = CELLS - 1; e >= 0; e--)
    if (m.x[2 * m.index[ARITY * e + 1]] >= 20) expected = e;
  for (int round = 0; round < 3; round++) {
    PL_OK(m.pl, pl_decl_global(m.pl, 1, PL_DOUBLE, NULL, "most", &most));
    PL_OK(m.pl, pl_par_loop(reorder_where, m.cells, pl_arg_dat(m.on_nodes, 1, m.map, PL_READ),
                            pl_arg_idx(PL_ID, PL_DIRECT), pl_arg_idx(2, m.map), pl_arg_gbl(most, PL_MAX),
                            pl_arg_payload(who, most), pl_arg_dat(seen, PL_ID, PL_DIRECT, PL_WRITE)));
    PL_OK(m.pl, pl_global_get(who, &winner));
    CU_ASSERT_EQUAL(winner, expected);
    PL_OK(m.pl, pl_dat_fetch(seen, got));
    for (int e = 0; e < CELLS; e++) CU_ASSERT_EQUAL(got[e], m.index[ARITY * e + 2]);
    pl_global_free(&most);
    int cells[CELLS], nodes[NODES];
    random_order(m.cells, &seed, cells);
    random_order(m.nodes, &seed, nodes);
    const pl_order orders[2] = {{m.cells, cells}, {m.nodes, nodes}};
    PL_OK(m.pl, pl_reorder(m.pl, 2, orders));
  }
  pl_finalize(&m.pl);
}

static void numbers(void)
{
  numbers_of("seq", "jit=on");
  numbers_of("seq", "jit=off");
  numbers_of("openmp", "jit=on");
}

PL_KERNEL(reorder_forgets, (double *x, const int64_t *i), {
  if (*i != 30) x[0] = 1.0;
})

static void complaints(void)
{
  mesh m = {0};
  uint64_t seed = 11;
  pl_dat *one;
  void *x;
  open_mesh(&m, "seq");
  PL_OK(m.pl, pl_set_option(m.pl, "check", "1"));
  PL_OK(m.pl, pl_decl_dat(m.nodes, 1, PL_DOUBLE, NULL, "one", &one));
  shuffle(&m, &seed);
  CU_ASSERT_EQUAL(pl_par_loop(reorder_forgets, m.nodes, pl_arg_dat(one, PL_ID, PL_DIRECT, PL_WRITE),
                              pl_arg_idx(PL_ID, PL_DIRECT)),
                  PL_ERR_CHECK);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(m.pl), "element 30,"));
  PL_OK(m.pl, pl_dat_get(one, PL_READ, &x));
  ((double *)x)[4] = 1;
  CU_ASSERT_EQUAL(pl_dat_put(one), PL_ERR_CHECK);
  int order[NODES];
  for (int i = 0; i < NODES; i++) order[i] = i;
  PL_OK(m.pl, pl_dat_get(one, PL_READ, &x));
  const pl_order open_view = {m.nodes, order};
  CU_ASSERT_EQUAL(pl_reorder(m.pl, 1, &open_view), PL_ERR_STATE);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(m.pl), "\"one\""));
  PL_OK(m.pl, pl_dat_put(one));
  pl_finalize(&m.pl);
}

static void damage(void)
{
  mesh m = {0};
  uint64_t seed = 13;
  char why[256];
  int order[CELLS];
  open_mesh(&m, "seq");
  shuffle(&m, &seed);
  random_order(m.cells, &seed, order);
  const pl_order mine = {m.cells, order};
  order[0] = order[1];
  CU_ASSERT_FALSE(pl_order_is_valid(&mine, why, sizeof why));
  CU_ASSERT_PTR_NOT_NULL(strstr(why, "position 1"));
  random_order(m.cells, &seed, order);
  int first = order[0];
  order[0] = order[CELLS - 1];
  order[CELLS - 1] = first;
  CU_ASSERT_FALSE(pl_order_is_valid(&mine, NULL, 0));
  m.some->indices[2] = m.some->indices[1];
  CU_ASSERT_FALSE(pl_set_is_valid(m.some, why, sizeof why));
  int *view = m.nodes->view, kept = view[3];
  view[3] = view[4];
  CU_ASSERT_FALSE(pl_set_is_valid(m.nodes, why, sizeof why));
  view[3] = kept;
  m.nodes->global[kept] = 44;
  CU_ASSERT_FALSE(pl_set_is_valid(m.nodes, why, sizeof why));
  CU_ASSERT_PTR_NOT_NULL(strstr(why, "not above"));
  pl_finalize(&m.pl);
}

int main(void)
{
  if (CU_initialize_registry() != CUE_SUCCESS) return 2;
  CU_pSuite suite = CU_add_suite("reorder", NULL, NULL);
  CU_add_test(suite, "what was declared looks the same", looks_the_same);
  CU_add_test(suite, "pointers handed out keep what they showed", lent_stays);
  CU_add_test(suite, "what is declared later", later_declarations);
  CU_add_test(suite, "index arguments and extremes", numbers);
  CU_add_test(suite, "sentences", complaints);
  CU_add_test(suite, "damage is found", damage);
  CU_basic_set_mode(CU_BRM_VERBOSE);
  CU_basic_run_tests();
  unsigned failures = CU_get_number_of_failures();
  CU_cleanup_registry();
  return failures ? 1 : 0;
}
