/* SPDX-License-Identifier: BSD-2-Clause
 * The graph of shared rows in ranges over the ranks. An edge from v to w is the number v << 32 | w, so that
 * sorted edges are grouped by rank and are the lists of neighbours.
 */
#include "distributed_graph.h"
#include "core/comm/comm.h"
#include "core/context/context.h"
#include "core/context/memory.h"
#include "graph_partitioners.h"
#include "plan/base/arena.h"
#include "plan/base/graph.h"
#include <string.h>

typedef struct vertex {
  int64_t id, weight;
} vertex;

typedef struct builder {
  pl_arena arena;
  const pl_shared_rows *rows;
  int64_t block, first;  /* vertices of a rank; the first of this rank */
  int64_t *count, *came; /* for each rank: items to it, items from it */
  int64_t *place;        /* n: of this rank's elements among those sent */
  vertex *vertices;      /* received, from all ranks */
  pl_distributed_graph graph;
} builder;

/* The edges of this rank's rows, in both directions; returns their number. NULL: only counts. */
static int64_t list_edges(const pl_shared_rows *rows, int64_t *edge)
{
  int64_t n = 0;
  const int64_t *row = rows->row;
  for (int64_t i = 0; i < rows->nrows; i++, row += rows->arity)
    for (int k = 0; k < rows->arity; k++)
      for (int l = 0; l < rows->arity; l++) {
        if (row[k] < 0 || row[l] < 0 || row[k] == row[l] || !pl_graph_joins(rows->arity, k, l)) continue;
        if (edge) edge[n] = row[k] << 32 | row[l];
        n++;
      }
  return n;
}

/* Sends edges to the ranks of their first vertices; *edges (pl_free_array the items) gets this rank's. */
static pl_err exchange_edges(builder *b, pl_ids *edges)
{
  pl_context *pl = b->arena.pl;
  pl_ids sent = {.n = list_edges(b->rows, NULL)};
  void *received = NULL;
  sent.item = pl_malloc_array(pl, (size_t)sent.n * sizeof *sent.item);
  PL_TRY(pl_agree(pl, sent.item ? PL_SUCCESS : pl_fail_memory(pl, (size_t)sent.n * sizeof *sent.item)));
  list_edges(b->rows, sent.item);
  pl_ids_sort_unique(&sent);
  memset(b->count, 0, (size_t)pl_ranks(pl) * sizeof *b->count);
  for (int64_t i = 0; i < sent.n; i++) b->count[(sent.item[i] >> 32) / b->block]++;
  pl_err err = pl_comm_all_to_all(pl, sizeof *sent.item, sent.item, b->count, &received, b->came);
  pl_free_array(pl, sent.item);
  if (err) return err;
  *edges = (pl_ids){.item = received, .n = pl_count_sum(pl, b->came)};
  pl_ids_sort_unique(edges);
  return PL_SUCCESS;
}

/* Turns the edges into the lists of neighbours. */
static void fill_neighbours(builder *b, pl_ids *edges)
{
  pl_distributed_graph *graph = &b->graph;
  graph->neighbour = edges->item;
  for (int64_t i = 0; i < edges->n; i++) {
    graph->offset[(edges->item[i] >> 32) - b->first + 1]++;
    graph->neighbour[i] = edges->item[i] & UINT32_MAX;
  }
  for (int v = 0; v < graph->n; v++) graph->offset[v + 1] += graph->offset[v];
}

/* Groups this rank's elements by the ranks of their vertices: their number for each rank, and places. */
static void group_elements(builder *b)
{
  int64_t *at = b->came, sum = 0;
  int ranks = pl_ranks(b->arena.pl);
  memset(b->count, 0, (size_t)ranks * sizeof *b->count);
  for (int i = 0; i < b->rows->n; i++) b->count[b->rows->id[i] / b->block]++;
  for (int r = 0; r < ranks; r++) {
    at[r] = sum;
    sum += b->count[r];
  }
  for (int i = 0; i < b->rows->n; i++) b->place[i] = at[b->rows->id[i] / b->block]++;
}

/* Sends ids and weights of elements to the ranks of their vertices. */
static pl_err exchange_vertices(builder *b)
{
  pl_context *pl = b->arena.pl;
  const pl_shared_rows *rows = b->rows;
  void *received = NULL;
  bool weighted;
  vertex *sent = pl_arena_alloc(&b->arena, (size_t)rows->n + 1, sizeof *sent);
  int *weight = pl_arena_alloc(&b->arena, (size_t)rows->n + 1, sizeof *weight);
  PL_TRY(pl_arena_agree(&b->arena));
  PL_TRY(pl_rows_weights(pl, rows, weight, &weighted));
  group_elements(b);
  for (int i = 0; i < rows->n; i++) sent[b->place[i]] = (vertex){rows->id[i], weight[i]};
  PL_TRY(pl_comm_all_to_all(pl, sizeof *sent, sent, b->count, &received, b->came));
  b->vertices = received;
  int64_t n = pl_count_sum(pl, b->came);
  for (int64_t i = 0; i < n; i++) b->graph.weight[b->vertices[i].id - b->first] = b->vertices[i].weight;
  if (!weighted) b->graph.weight = NULL;
  return PL_SUCCESS;
}

/* Sends the parts of vertices to the ranks of their elements. */
static pl_err return_parts(builder *b, const int *vertex_part, int *part)
{
  pl_context *pl = b->arena.pl;
  int64_t n = pl_count_sum(pl, b->came);
  int *reply = pl_arena_alloc(&b->arena, (size_t)n + 1, sizeof *reply);
  void *received = NULL;
  PL_TRY(pl_arena_agree(&b->arena));
  for (int64_t i = 0; i < n; i++) reply[i] = vertex_part[b->vertices[i].id - b->first];
  PL_TRY(pl_comm_all_to_all(pl, sizeof *reply, reply, b->came, &received, b->count));
  for (int i = 0; i < b->rows->n; i++) part[i] = ((const int *)received)[b->place[i]];
  pl_free_array(pl, received);
  return PL_SUCCESS;
}

static pl_err run_scotch(builder *b, int *part)
{
  pl_context *pl = b->arena.pl;
  size_t ranks = (size_t)pl_ranks(pl), n = (size_t)b->graph.n + 1;
  pl_ids edges = {0};
  b->count = pl_arena_alloc(&b->arena, ranks, sizeof *b->count);
  b->came = pl_arena_alloc(&b->arena, ranks, sizeof *b->came);
  b->place = pl_arena_alloc(&b->arena, (size_t)b->rows->n + 1, sizeof *b->place);
  b->graph.offset = pl_arena_alloc(&b->arena, n, sizeof *b->graph.offset);
  b->graph.weight = pl_arena_alloc(&b->arena, n, sizeof *b->graph.weight);
  int *vertex_part = pl_arena_alloc(&b->arena, n, sizeof *vertex_part);
  PL_TRY(pl_arena_agree(&b->arena));
  PL_TRY(exchange_edges(b, &edges));
  fill_neighbours(b, &edges);
  pl_err err = exchange_vertices(b);
  if (!err) err = pl_scotch_partition(pl, &b->graph, vertex_part);
  if (!err) err = return_parts(b, vertex_part, part);
  pl_free_arrays(pl, edges.item, b->vertices);
  return err;
}

pl_err pl_partition_scotch(pl_context *pl, const pl_shared_rows *rows, int *part)
{
  int ranks = pl_ranks(pl);
  PL_TRY(pl_agree(pl, pl_rows_check(pl, PL_MODULE_SCOTCH, rows, ranks)));
  for (int i = 0; i < rows->n; i++) part[i] = 0;
  if (ranks == 1 || !rows->all) return PL_SUCCESS;
  builder b = {.arena = {.pl = pl}, .rows = rows, .block = (rows->all + ranks - 1) / ranks};
  b.first = b.block * pl_rank(pl);
  int64_t left = rows->all - b.first;
  b.graph.n = (int)(left < 0 ? 0 : left < b.block ? left : b.block);
  pl_err err = run_scotch(&b, part);
  pl_arena_free(&b.arena);
  return err;
}
