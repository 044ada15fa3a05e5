/* SPDX-License-Identifier: BSD-2-Clause
 * Renumbering: graphs, permutations, sorting and the space-filling curve on random and degenerate input; a
 * shuffled mesh becomes compact.
 */
#include "core/data/objects.h"
#include "plan/base/hilbert_curve.h"
#include "plan/base/radix_sort.h"
#include "plan/partition/graph_partitioners.h"
#include "plan/renumber/order_propagation.h"
#include "plan/renumber/permute_storage.h"

#include "random.h"
#include "set_checks.h"
#include "checks.h"
#include "suite.h"
#include <stdlib.h>
#include <string.h>

/* ---- helpers ---- */

static pl_context *open_context(const char *renumber)
{
  return CONTEXT("backend=openmp", "jit=off", renumber);
}

static bool is_permutation(int n, const int *order)
{
  unsigned char *seen = calloc((size_t)n + 1, 1);
  bool good = true;
  for (int i = 0; i < n && good; i++) {
    good = order[i] >= 0 && order[i] < n && !seen[order[i]];
    if (good) seen[order[i]] = 1;
  }
  free(seen);
  return good;
}

/* A grid of side x side cells with its nodes and inner edges, all numbered at random. */
typedef struct grid {
  int side, ncells, nnodes, nedges;
  pl_set *cells, *nodes, *edges;
  pl_map *cell_node, *edge_cell, *edge_node;
  pl_dat *x, *on_cells;
} grid;

static pl_set *new_set(pl_context *pl, int n, const char *name)
{
  pl_set *set;
  PL_OK(pl, pl_decl_set(pl, n, name, &set));
  return set;
}

static void link_grid(pl_context *pl, grid *g, const int *cell, const int *node)
{
  int side = g->side, edge = 0;
  int *corners = malloc(sizeof(int) * 4 * (size_t)g->ncells),
      *pairs = malloc(sizeof(int) * 2 * (size_t)g->nedges),
      *ends = malloc(sizeof(int) * 2 * (size_t)g->nedges);
  seed s = 99;
  int *place = malloc(sizeof(int) * (size_t)g->nedges);
  random_order(&s, g->nedges, place);
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++) {
      int here = cell[i + j * side], *corner = corners + 4 * here, first = i + j * (side + 1);
      corner[0] = node[first], corner[1] = node[first + 1];
      corner[2] = node[first + side + 2], corner[3] = node[first + side + 1];
      for (int d = 0; d < 2; d++) {
        if ((d ? j : i) + 1 == side) continue;
        int e = place[edge++];
        pairs[2 * e] = cell[d ? i + (j + 1) * side : i + 1 + j * side];
        pairs[2 * e + 1] = here;
        ends[2 * e] = corner[d ? 3 : 1];
        ends[2 * e + 1] = corner[2];
      }
    }
  PL_OK(pl, pl_decl_map(g->cells, g->nodes, 4, corners, "cell_node", &g->cell_node));
  PL_OK(pl, pl_decl_map(g->edges, g->cells, 2, pairs, "edge_cell", &g->edge_cell));
  PL_OK(pl, pl_decl_map(g->edges, g->nodes, 2, ends, "edge_node", &g->edge_node));
  free(corners);
  free(pairs);
  free(ends);
  free(place);
}

static grid new_grid(pl_context *pl, int side)
{
  grid g = {
    .side = side, .ncells = side * side, .nnodes = (side + 1) * (side + 1), .nedges = 2 * side * (side - 1)};
  seed s = 5;
  int *cell = malloc(sizeof(int) * (size_t)g.ncells), *node = malloc(sizeof(int) * (size_t)g.nnodes);
  double *x = malloc(sizeof(double) * 2 * (size_t)g.nnodes);
  random_order(&s, g.ncells, cell);
  random_order(&s, g.nnodes, node);
  for (int i = 0; i < g.nnodes; i++) {
    x[2 * node[i]] = i % (side + 1);
    x[2 * node[i] + 1] = i / (side + 1);
  }
  g.cells = new_set(pl, g.ncells, "cells");
  g.nodes = new_set(pl, g.nnodes, "nodes");
  g.edges = new_set(pl, g.nedges, "edges");
  link_grid(pl, &g, cell, node);
  PL_OK(pl, pl_decl_dat(g.nodes, 2, PL_DOUBLE, x, "x", &g.x));
  PL_OK(pl, pl_decl_dat(g.cells, 4, PL_DOUBLE, NULL, "on_cells", &g.on_cells));
  free(cell);
  free(node);
  free(x);
  return g;
}

/* ---- graphs ---- */

static void check_graph(pl_context *pl, const pl_map *map, bool unique)
{
  pl_graph graph, again;
  char why[128] = "";
  OK(pl_graph_build(pl, map, unique, &graph));
  CU_ASSERT_TRUE(pl_graph_is_valid(&graph, unique, why, sizeof why));
  int *order = malloc(sizeof(int) * ((size_t)graph.n + 1));
  OK(pl_graph_rcm(pl, &graph, order));
  CU_ASSERT_TRUE(is_permutation(graph.n, order));
  OK(pl_graph_permute(pl, &graph, order, &again));
  CU_ASSERT_TRUE(pl_graph_is_valid(&again, unique, why, sizeof why));
  CU_ASSERT_EQUAL(again.offset[again.n], graph.offset[graph.n]);
  pl_graph_free(pl, &again);
  pl_graph_free(pl, &graph);
  free(order);
}

static void random_graphs(void)
{
  seed s = 3;
  for (int round = 0; round < 60; round++) {
    pl_context *pl = open_context("renumber=off");
    int rows = below(&s, 200), targets = 1 + below(&s, 120), arity = 1 + below(&s, 11);
    int *index = malloc(sizeof(int) * (size_t)(rows * arity + 1));
    bool hub = below(&s, 4) == 0;
    for (int i = 0; i < rows * arity; i++) index[i] = hub && i % arity == 0 ? 0 : below(&s, targets + 1) - 1;
    pl_map *map;
    PL_OK(pl,
          pl_decl_map(new_set(pl, rows, "rows"), new_set(pl, targets, "targets"), arity, index, "map", &map));
    check_graph(pl, map, false);
    check_graph(pl, map, true);
    free(index);
    pl_finalize(&pl);
  }
}

static int bandwidth(const pl_graph *graph, const int *order)
{
  int most = 0, *place = malloc(sizeof(int) * (size_t)graph->n);
  for (int i = 0; i < graph->n; i++) place[order[i]] = i;
  for (int v = 0; v < graph->n; v++)
    for (int64_t i = graph->offset[v]; i < graph->offset[v + 1]; i++) {
      int far = abs(place[v] - place[graph->neighbour[i]]);
      most = far > most ? far : most;
    }
  free(place);
  return most;
}

/* Reverse Cuthill-McKee numbers a square grid along its diagonals: neighbours are at most a side apart. */
static void grid_bandwidth(void)
{
  pl_context *pl = open_context("renumber=off");
  grid g = new_grid(pl, 40);
  pl_graph graph;
  int order[1600];
  OK(pl_graph_build(pl, g.edge_cell, true, &graph));
  CU_ASSERT_EQUAL(graph.offset[graph.n], 2 * g.nedges);
  OK(pl_graph_rcm(pl, &graph, order));
  CU_ASSERT_TRUE(bandwidth(&graph, order) <= 41);
  graph.neighbour[0] = graph.neighbour[1];
  char why[128];
  CU_ASSERT_FALSE(pl_graph_is_valid(&graph, true, why, sizeof why));
  graph.neighbour[0] = graph.n;
  CU_ASSERT_FALSE(pl_graph_is_valid(&graph, false, why, sizeof why));
  CONTAINS(why, "vertex 0");
  pl_graph_free(pl, &graph);
  pl_finalize(&pl);
}

/* ---- METIS ---- */

static void metis_parts(void)
{
  pl_context *pl = open_context("renumber=off");
  grid g = new_grid(pl, 40);
  pl_graph graph;
  int part[1600], count[8] = {0}, cut = 0;
  OK(pl_graph_build(pl, g.edge_cell, true, &graph));
  if (pl_module_missing(pl, PL_MODULE_METIS)) {
    FAILS(pl_metis_kway(pl, &graph, NULL, 8, part), PL_ERR_BACKEND, "libmetis-dev");
  } else {
    CU_ASSERT_EQUAL(pl_metis_kway(pl, &graph, NULL, 1, part), PL_SUCCESS); /* METIS 5.1.0 would crash */
    CU_ASSERT_EQUAL(part[77], 0);
    CU_ASSERT_EQUAL(pl_metis_kway(pl, &graph, NULL, 0, part), PL_ERR_RANGE);
    OK(pl_metis_kway(pl, &graph, NULL, 8, part));
    for (int v = 0; v < 1600; v++) {
      CU_ASSERT_TRUE_FATAL(part[v] >= 0 && part[v] < 8);
      count[part[v]]++;
      for (int64_t i = graph.offset[v]; i < graph.offset[v + 1]; i++)
        cut += part[graph.neighbour[i]] != part[v];
    }
    for (int p = 0; p < 8; p++) CU_ASSERT_TRUE(count[p] > 180 && count[p] < 210);
    CU_ASSERT_TRUE(cut / 2 < 300); /* a random partition cuts seven eighths of the 3120 edges */
    graph.neighbour[0] = -1;
    CU_ASSERT_EQUAL(pl_metis_kway(pl, &graph, NULL, 8, part), PL_ERR_ARG);
  }
  pl_graph_free(pl, &graph);
  pl_finalize(&pl);
}

/* ---- sorting ---- */

static int by_key(const void *a, const void *b)
{
  const pl_keyed *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return (x->value > y->value) - (x->value < y->value);
}

static void sorting(void)
{
  static const int sizes[] = {0, 1, 2, 1000, 70000};
  pl_context *pl = open_context("renumber=off");
  seed s = 17;
  for (int k = 0; k < 5; k++)
    for (int bits = 0; bits <= 64; bits += 16) {
      size_t n = (size_t)sizes[k], bytes = (n + 1) * sizeof(pl_keyed);
      pl_keyed *items = malloc(bytes), *scratch = malloc(bytes), *wanted = malloc(bytes), *sorted;
      for (size_t i = 0; i < n; i++) {
        uint64_t key = (uint64_t)below(&s, INT32_MAX) << 33 ^ (uint64_t)below(&s, INT32_MAX) << 7;
        items[i] = wanted[i] = (pl_keyed){bits ? key >> (64 - bits) : 0, (int)i};
      }
      qsort(wanted, n, sizeof *wanted, by_key);
      OK(pl_sort_keyed(pl, (int)n, items, scratch, &sorted));
      bool same = true;
      for (size_t i = 0; i < n; i++) same &= sorted[i].value == wanted[i].value;
      CU_ASSERT_TRUE(same);
      free(items);
      free(scratch);
      free(wanted);
    }
  pl_finalize(&pl);
}

/* ---- the curve ---- */

/* In the order of keys, successive cells of a cube are neighbours. */
static void check_curve(pl_context *pl, int dim, int side)
{
  int n = 1;
  pl_box box = {.dim = dim};
  for (int d = 0; d < dim; d++) {
    n *= side;
    box.high[d] = side;
  }
  pl_keyed *items = malloc(sizeof *items * (size_t)n), *scratch = malloc(sizeof *items * (size_t)n), *sorted;
  for (int i = 0; i < n; i++) {
    double x[3] = {i % side + 0.5, i / side % side + 0.5, i / side / side + 0.5};
    items[i] = (pl_keyed){pl_curve_key(&box, x), i};
  }
  OK(pl_sort_keyed(pl, n, items, scratch, &sorted));
  bool stepwise = true;
  for (int k = 1; k < n; k++) {
    int a = sorted[k - 1].value, b = sorted[k].value;
    int far = abs(a % side - b % side) + abs(a / side % side - b / side % side) +
              abs(a / side / side - b / side / side);
    stepwise &= far == 1 && sorted[k].key != sorted[k - 1].key;
  }
  CU_ASSERT_TRUE(stepwise);
  free(items);
  free(scratch);
}

static void curve(void)
{
  pl_context *pl = open_context("renumber=off");
  check_curve(pl, 1, 64);
  check_curve(pl, 2, 32);
  check_curve(pl, 3, 16);
  pl_box flat;
  pl_box_clear(&flat, 2);
  pl_box_add(&flat, 2, (double[]){1, 5, 1, 5});
  CU_ASSERT_EQUAL(pl_curve_key(&flat, (double[]){1, 5}), pl_curve_key(&flat, (double[]){1, 5}));
  pl_curve_key(&flat, (double[]){0.0 / 0.0, 1e300});
  pl_finalize(&pl);
}

/* ---- whole renumberings ---- */

/* Mean distance in storage between the two cells of an edge plus that between successive edges. */
static double spread_of(const pl_map *map)
{
  double sum = 0;
  for (int e = 1; e < map->from->end[3]; e++)
    sum += abs(map->index[2 * e] - map->index[2 * e + 1]) + abs(map->index[2 * e] - map->index[2 * e - 2]);
  return sum / map->from->end[3];
}

static void methods(void)
{
  for (int method = PL_RENUMBER_AUTO; method <= PL_RENUMBER_METIS; method++) {
    pl_context *pl = open_context("renumber=off");
    grid g = new_grid(pl, 100);
    char why[256];
    double before = spread_of(g.edge_cell);
    bool missing = method == PL_RENUMBER_METIS && pl_module_missing(pl, PL_MODULE_METIS);
    pl_err err = pl_renumber(pl, (pl_renumber_method)method, NULL, method == PL_RENUMBER_RCM ? NULL : g.x);
    CU_ASSERT_EQUAL(err, missing ? PL_ERR_BACKEND : PL_SUCCESS);
    if (!missing) {
      CU_ASSERT_TRUE(spread_of(g.edge_cell) * 15 < before);
      CU_ASSERT_TRUE(set_is_valid(g.cells, why, sizeof why));
      CU_ASSERT_TRUE(set_is_valid(g.edges, why, sizeof why));
      pl_stats stats;
      PL_OK(pl, pl_get_stats(pl, &stats));
      CU_ASSERT_TRUE(stats.renumber_seconds > 0);
    }
    /* Edges are sorted by their greater cell, then by the lesser. */
    for (int e = 1; !missing && e < g.nedges; e++) {
      const int *a = g.edge_cell->index + 2 * (e - 1), *b = a + 2;
      int ha = a[0] > a[1] ? a[0] : a[1], hb = b[0] > b[1] ? b[0] : b[1];
      CU_ASSERT_TRUE(ha < hb || (ha == hb && a[0] + a[1] <= b[0] + b[1]));
    }
    pl_finalize(&pl);
  }
}

PL_KERNEL(renumber_add, (double *a, double *b, const double *x), {
  a[0] += x[0];
  b[1] += x[1];
})

static void run(grid *g)
{
  PL_OK(g->cells->node.pl,
        pl_par_loop(renumber_add, g->edges, pl_arg_dat(g->on_cells, 0, g->edge_cell, PL_INC),
                    pl_arg_dat(g->on_cells, 1, g->edge_cell, PL_INC),
                    pl_arg_dat(g->x, 0, g->edge_node, PL_READ)));
}

/* The first loop renumbers a large shuffled mesh, but neither a small nor an ordered one; results are the
 * same. */
static void by_itself(void)
{
  double *sums[2];
  for (int on = 0; on < 2; on++) {
    pl_context *pl = open_context(on ? "renumber=auto" : "renumber=off");
    grid g = new_grid(pl, 300), small = new_grid(pl, 10);
    const int *pairs = pl_map_indices(g.edge_cell);
    int kept = pairs[11];
    sums[on] = malloc(sizeof(double) * 4 * (size_t)g.ncells);
    run(&small);
    run(&g);
    run(&g);
    CU_ASSERT_EQUAL(g.cells->user_order != NULL, on);
    CU_ASSERT_EQUAL(g.edges->user_order != NULL, on);
    CU_ASSERT_PTR_NULL(small.cells->user_order);
    CU_ASSERT_EQUAL(pairs[11], kept);
    PL_OK(pl, pl_dat_fetch(g.on_cells, sums[on]));
    CU_ASSERT_EQUAL(pl_map_scatter(g.edge_cell, NULL) > 0.25, !on);
    pl_finalize(&pl);
  }
  CU_ASSERT_EQUAL(memcmp(sums[0], sums[1], sizeof(double) * 4 * 90000), 0); /* sums of integers */
  free(sums[0]);
  free(sums[1]);
}

static void degenerate(void)
{
  pl_context *pl = open_context("renumber=rcm");
  pl_set *none = new_set(pl, 0, "none"), *one = new_set(pl, 1, "one"), *alone = new_set(pl, 3, "alone");
  pl_map *map;
  pl_dat *x, *seven;
  CU_ASSERT_EQUAL(pl_renumber(pl, PL_RENUMBER_AUTO, NULL, NULL), PL_SUCCESS);
  PL_OK(pl, pl_decl_map(none, one, 2, NULL, "undefined", &map));
  CU_ASSERT_EQUAL(pl_renumber(pl, PL_RENUMBER_RCM, map, NULL), PL_ERR_STATE);
  PL_OK(pl, pl_decl_map(none, one, 2, (int[]){0}, "empty", &map));
  CU_ASSERT_EQUAL(pl_renumber(pl, PL_RENUMBER_RCM, map, NULL), PL_SUCCESS);
  PL_OK(pl, pl_decl_map(one, none, 3, (int[]){-1, -1, -1}, "nowhere", &map));
  CU_ASSERT_EQUAL(pl_renumber(pl, PL_RENUMBER_RCM, map, NULL), PL_SUCCESS);
  PL_OK(pl, pl_decl_dat(alone, 1, PL_FLOAT, (float[]){3, 1, 2}, "x", &x));
  CU_ASSERT_EQUAL(pl_renumber(pl, PL_RENUMBER_HILBERT, NULL, x), PL_SUCCESS);
  CU_ASSERT_EQUAL(alone->global[0], 1);
  FAILS(pl_renumber(pl, PL_RENUMBER_HILBERT, map, x), PL_ERR_ARG, "no map leads");
  PL_OK(pl, pl_decl_dat(alone, 7, PL_DOUBLE, NULL, "seven", &seven));
  CU_ASSERT_EQUAL(pl_renumber(pl, PL_RENUMBER_HILBERT, NULL, seven), PL_ERR_TYPE);
  CU_ASSERT_EQUAL(pl_renumber(pl, PL_RENUMBER_METIS, map, NULL),
                  pl_module_missing(pl, PL_MODULE_METIS) ? PL_ERR_BACKEND : PL_SUCCESS);
  pl_finalize(&pl);
}

static CU_TestInfo tests[] = {{"graphs of random maps", random_graphs},
                              {"a grid's bandwidth", grid_bandwidth},
                              {"METIS", metis_parts},
                              {"sorting", sorting},
                              {"Hilbert's curve", curve},
                              {"every method", methods},
                              {"before the first loop", by_itself},
                              {"degenerate input", degenerate},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("renumber", tests);
}
