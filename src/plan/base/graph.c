/* SPDX-License-Identifier: BSD-2-Clause
 * Graphs from maps, and their breadth-first traversal.
 *
 * Each building thread reads all rows and enters the neighbours of its own range of vertices: the result does
 * not depend on the number of threads, and no lock is needed.
 */
#include "graph.h"
#include "core/data/objects.h"
#include "radix_sort.h"
#include "core/threads/threads.h"
#include <string.h>

enum {
  MOST_THREADS = 8, /* that read all rows */
  MOST_SORTED = 64  /* neighbours of a vertex that are sorted by degree */
};

typedef struct builder {
  const pl_map *map;
  pl_graph *graph;
  int64_t *fill; /* of each vertex: its neighbours, then the index of the next one to enter */
} builder;

/* Counts the neighbours of vertices in [begin, end), or enters them. */
static void read_rows(const builder *b, int begin, int end, bool enter)
{
  const int arity = b->map->arity, rows = b->map->from->end[3];
  const int *row = b->map->index;
  for (int e = 0; e < rows; e++, row += arity)
    for (int k = 0; k < arity; k++) {
      int v = row[k];
      if (v < begin || v >= end) continue;
      for (int l = 0; l < arity; l++) {
        if (row[l] < 0 || row[l] == v || !pl_graph_joins(arity, k, l)) continue;
        if (enter) b->graph->neighbour[b->fill[v]] = row[l];
        b->fill[v]++;
      }
    }
}

static void read_all(const builder *b, bool enter)
{
  const pl_set *from = b->map->from;
  int64_t n = b->graph->n;
  int threads = pl_plan_threads(MOST_THREADS, (size_t)from->end[3] * (size_t)b->map->arity);
  PL_PARALLEL_FOR(threads)
  for (int t = 0; t < threads; t++) read_rows(b, (int)(n * t / threads), (int)(n * (t + 1) / threads), enter);
}

/* Sorts the list; returns how many neighbours are left. */
static int64_t drop_repeats(int64_t n, int *neighbour)
{
  int64_t kept = 0;
  pl_sort_ints((int)n, neighbour);
  for (int64_t i = 0; i < n; i++)
    if (!kept || neighbour[kept - 1] != neighbour[i]) neighbour[kept++] = neighbour[i];
  return kept;
}

static void make_unique(pl_graph *graph, int64_t *count)
{
  int n = graph->n, threads = pl_plan_threads(n, (size_t)graph->offset[n]);
  PL_PARALLEL_FOR(threads)
  for (int v = 0; v < n; v++)
    count[v] = drop_repeats(graph->offset[v + 1] - graph->offset[v], graph->neighbour + graph->offset[v]);
  int64_t next = 0;
  for (int v = 0; v < n; v++) {
    memmove(graph->neighbour + next, graph->neighbour + graph->offset[v],
            (size_t)count[v] * sizeof *graph->neighbour);
    graph->offset[v] = next;
    next += count[v];
  }
  graph->offset[n] = next;
}

static pl_err fill_graph(pl_context *pl, builder *b, bool unique)
{
  pl_graph *graph = b->graph;
  size_t n = (size_t)graph->n;
  PL_TRY(PL_NEW_ARRAY(pl, graph->offset, n + 1));
  PL_TRY(PL_NEW_ARRAY(pl, b->fill, n + 1));
  memset(b->fill, 0, (n + 1) * sizeof *b->fill);
  read_all(b, false);
  graph->offset[0] = 0;
  for (size_t v = 0; v < n; v++) {
    graph->offset[v + 1] = graph->offset[v] + b->fill[v];
    b->fill[v] = graph->offset[v];
  }
  PL_TRY(PL_NEW_ARRAY(pl, graph->neighbour, (size_t)graph->offset[n]));
  read_all(b, true);
  if (unique) make_unique(graph, b->fill);
  return PL_SUCCESS;
}

pl_err pl_graph_build(pl_context *pl, const pl_map *map, bool unique, pl_graph *graph)
{
  *graph = (pl_graph){.n = map->to->end[3]};
  builder b = {map, graph, NULL};
  pl_err err = fill_graph(pl, &b, unique);
  pl_free_array(pl, b.fill);
  if (err) pl_graph_free(pl, graph);
  return err;
}

void pl_graph_free(pl_context *pl, pl_graph *graph)
{
  pl_free_arrays(pl, graph->offset, graph->neighbour);
  *graph = (pl_graph){0};
}

static void permute_rows(const pl_graph *graph, const int *order, const int *inverse, pl_graph *result)
{
  int n = graph->n, threads = pl_plan_threads(n, (size_t)graph->offset[n]);
  PL_PARALLEL_FOR(threads)
  for (int v = 0; v < n; v++) {
    const int *from = graph->neighbour + graph->offset[order[v]];
    int *to = result->neighbour + result->offset[v];
    for (int64_t i = 0; i < result->offset[v + 1] - result->offset[v]; i++) to[i] = inverse[from[i]];
  }
}

pl_err pl_graph_permute(pl_context *pl, const pl_graph *graph, const int *order, pl_graph *result)
{
  size_t n = (size_t)graph->n, entries = (size_t)graph->offset[n];
  *result = (pl_graph){.n = graph->n};
  int *inverse = pl_malloc_array(pl, n * sizeof *inverse);
  result->offset = pl_malloc_array(pl, (n + 1) * sizeof *result->offset);
  result->neighbour = pl_malloc_array(pl, entries * sizeof *result->neighbour);
  pl_err err = PL_SUCCESS;
  if (!inverse || !result->offset || !result->neighbour) {
    err = pl_fail_memory(pl, entries * sizeof *result->neighbour);
    pl_graph_free(pl, result);
  } else {
    result->offset[0] = 0;
    for (size_t v = 0; v < n; v++) {
      inverse[order[v]] = (int)v;
      result->offset[v + 1] = result->offset[v] + graph->offset[order[v] + 1] - graph->offset[order[v]];
    }
    permute_rows(graph, order, inverse, result);
  }
  pl_free_array(pl, inverse);
  return err;
}

/* ---- reverse Cuthill-McKee ---- */

/* Appends the component of `start`, breadth first and by ascending degree, to order[0..end); degree[v]
 * becomes -1 once v is listed. Returns the new end. */
static int traverse(const pl_graph *graph, int start, int *degree, int *order, int end)
{
  int next = end;
  order[end++] = start;
  degree[start] = -1;
  for (; next < end; next++) {
    int v = order[next], first = end;
    for (int64_t i = graph->offset[v]; i < graph->offset[v + 1]; i++) {
      int w = graph->neighbour[i], d = degree[w], at = end;
      if (d < 0) continue;
      degree[w] = -1;
      /* By degree; vertices of meshes have few neighbours, and hubs are not worth sorting. */
      for (; at > first && end - first < MOST_SORTED &&
             graph->offset[order[at - 1] + 1] - graph->offset[order[at - 1]] > d;
           at--)
        order[at] = order[at - 1];
      order[at] = w;
      end++;
    }
  }
  return end;
}

static void fill_degrees(const pl_graph *graph, int *degree)
{
  for (int v = 0; v < graph->n; v++) degree[v] = (int)(graph->offset[v + 1] - graph->offset[v]);
}

/* The first traversal finds the components; the last vertex of each is peripheral. */
static void traverse_all(const pl_graph *graph, int *degree, int *order)
{
  int end = 0;
  fill_degrees(graph, degree);
  for (int v = 0; v < graph->n; v++)
    if (degree[v] >= 0) end = traverse(graph, v, degree, order, end);
}

/* The second traversal starts at the last vertex of each component, which are contiguous now. */
static void traverse_back(const pl_graph *graph, int *degree, int *order)
{
  int end = graph->n, filled = 0;
  fill_degrees(graph, degree);
  while (end > 0) {
    int before = filled;
    filled = traverse(graph, end - 1, degree, order, filled);
    end -= filled - before;
  }
}

pl_err pl_graph_rcm(pl_context *pl, const pl_graph *graph, int *order)
{
  int n = graph->n;
  size_t bytes = (size_t)n * sizeof(int);
  int *first = pl_malloc_array(pl, bytes), *degree = pl_malloc_array(pl, bytes);
  pl_graph traversed = {0};
  pl_err err = first && degree ? PL_SUCCESS : pl_fail_memory(pl, bytes);
  if (!err) {
    traverse_all(graph, degree, first);
    err = pl_graph_permute(pl, graph, first, &traversed);
  }
  if (!err) {
    traverse_back(&traversed, degree, order);
    for (int i = 0; i < n / 2; i++) {
      int t = order[i];
      order[i] = order[n - 1 - i];
      order[n - 1 - i] = t;
    }
    for (int i = 0; i < n; i++) order[i] = first[order[i]];
  }
  pl_graph_free(pl, &traversed);
  pl_free_arrays(pl, first, degree);
  return err;
}

/* ---- checking ---- */

static bool has_neighbour(const pl_graph *graph, int v, int w)
{
  for (int64_t i = graph->offset[v]; i < graph->offset[v + 1]; i++)
    if (graph->neighbour[i] == w) return true;
  return false;
}

static bool vertex_is_valid(const pl_graph *graph, int v, bool unique, const char **wrong)
{
  for (int64_t i = graph->offset[v]; i < graph->offset[v + 1]; i++) {
    int w = graph->neighbour[i];
    *wrong = "has a neighbour outside the graph";
    if (w < 0 || w >= graph->n) return false;
    *wrong = "is its own neighbour";
    if (w == v) return false;
    *wrong = "has an edge without its reverse";
    if (!has_neighbour(graph, w, v)) return false;
    *wrong = "lists a neighbour twice";
    for (int64_t j = graph->offset[v]; unique && j < i; j++)
      if (graph->neighbour[j] == w) return false;
  }
  return true;
}

bool pl_graph_is_valid(const pl_graph *graph, bool unique, char *why, size_t size)
{
  const char *wrong = "has its neighbours out of order";
  for (int v = 0; v < graph->n; v++) {
    bool ordered = graph->offset[v] <= graph->offset[v + 1] && graph->offset[0] == 0;
    if (ordered && vertex_is_valid(graph, v, unique, &wrong)) continue;
    if (why) snprintf(why, size, "vertex %d %s", v, wrong);
    return false;
  }
  return true;
}
