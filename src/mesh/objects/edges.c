/* SPDX-License-Identifier: BSD-2-Clause
 * The edges of the cells, which are those of the dual graph. Each rank sends the edges of its cells to the
 * ranks of their lower nodes, where equal ones become one, and gets their numbers back.
 */
#include "mesh_state.h"

#include <string.h>

PL_KERNEL(mesh_copy_nodes, (int64_t * copy, const int64_t *node, const int *size), {
  for (int k = 0; k < size[0]; k++) copy[k] = node[k];
})

typedef struct edge_work {
  mesh_state *state;
  file_mesh errors;
  int64_t *cell_node; /* 1 + the global index of each node of this rank's cells; 0: none */
  int *cell_shape;
  number_list items; /* 2 nodes an edge of a cell, the lower one first */
  int *rank;
  int64_t *number;  /* of each item: the number of its edge */
  number_list edge; /* 2 nodes each of this rank */
} edge_work;

/* ---- the nodes of this rank's cells, wherever they are now ---- */

static pl_err declare_numbers(mesh_state *state, pl_dat **number)
{
  pl_set *nodes = state->mesh.nodes;
  const int64_t n = pl_set_size(nodes);
  int64_t *global = malloc(((size_t)n + 1) * sizeof *global);
  pl_err err = pl_raise(state->pl, global ? PL_SUCCESS : PL_ERR_MEMORY, NULL);
  if (!err) err = pl_set_global(nodes, global);
  for (int64_t i = 0; i < n && !err; i++) global[i]++;
  if (!err) err = pl_decl_dat(nodes, 1, PL_INT64, global, "number", number);
  free(global);
  return err;
}

static bool copy_view(edge_work *w, pl_dat *nodes)
{
  const size_t n = (size_t)pl_set_size(w->state->mesh.cells), size = n * (size_t)pl_dat_dim(nodes);
  void *node, *shape;
  w->cell_node = malloc((size + 1) * sizeof *w->cell_node);
  w->cell_shape = malloc((n + 1) * sizeof *w->cell_shape);
  if (!w->cell_node || !w->cell_shape) return pl_mesh_no_memory(&w->errors);
  if (pl_dat_get(nodes, PL_READ, &node)) return false;
  memcpy(w->cell_node, node, size * sizeof *w->cell_node);
  pl_dat_put(nodes);
  if (pl_dat_get(w->state->mesh.cell_shape, PL_READ, &shape)) return false;
  memcpy(w->cell_shape, shape, n * sizeof *w->cell_shape);
  pl_dat_put(w->state->mesh.cell_shape);
  return true;
}

static pl_err get_cell_nodes(edge_work *w)
{
  pl_mesh *m = &w->state->mesh;
  const int width = pl_map_arity(m->cell_nodes);
  pl_dat *number = NULL, *copy = NULL;
  pl_global *size = NULL;
  pl_err err = declare_numbers(w->state, &number);
  if (!err) err = pl_decl_dat(m->cells, width, PL_INT64, NULL, "copy", &copy);
  if (!err) err = pl_decl_global(w->state->pl, 1, PL_INT, &width, "width", &size);
  if (!err)
    err = pl_par_loop(mesh_copy_nodes, m->cells, pl_arg_direct(copy, PL_WRITE),
                      pl_arg_dat(number, PL_ALL, m->cell_nodes, PL_READ), pl_arg_gbl(size, PL_READ));
  if (!err) {
    copy_view(w, copy);
    err = pl_mesh_agree(&w->errors);
  }
  pl_global_free(&size);
  pl_dat_free(&copy);
  pl_dat_free(&number);
  return err;
}

/* ---- sending ---- */

static bool list_edges(edge_work *w)
{
  pl_mesh *m = &w->state->mesh;
  const int width = pl_map_arity(m->cell_nodes);
  for (int64_t c = 0; c < pl_set_size(m->cells); c++) {
    const shape_info *shape = pl_mesh_shape_info(w->cell_shape[c]);
    for (int e = 0; e < shape->edges; e++) {
      const int64_t a = w->cell_node[c * width + shape->edge[e][0]] - 1;
      const int64_t b = w->cell_node[c * width + shape->edge[e][1]] - 1;
      if (!pl_mesh_push(&w->errors, &w->items, 2, (int64_t[]){a < b ? a : b, a < b ? b : a})) return false;
    }
  }
  const size_t n = w->items.count / 2;
  w->rank = malloc((n + 1) * sizeof *w->rank);
  w->number = malloc((n + 1) * sizeof *w->number);
  if (!w->rank || !w->number) return pl_mesh_no_memory(&w->errors);
  for (size_t i = 0; i < n; i++)
    w->rank[i] =
      pl_mesh_share_owner(pl_set_global_size(m->nodes), pl_ranks(w->state->pl), w->items.at[2 * i]);
  return true;
}

/* ---- numbering ---- */

typedef struct edge_arrival {
  int64_t low, high, item;
} edge_arrival;

static int by_nodes(const void *a, const void *b)
{
  const edge_arrival *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return (x->high > y->high) - (x->high < y->high);
}

/* reply[i]: the number on this rank of the edge that came i-th. */
static bool number_edges(edge_work *w, const exchange *e, int64_t *reply)
{
  edge_arrival *a = malloc(((size_t)e->count + 1) * sizeof *a);
  if (!a || !reply) return free(a), pl_mesh_no_memory(&w->errors);
  for (int64_t i = 0; i < e->count; i++) a[i] = (edge_arrival){e->items[2 * i], e->items[2 * i + 1], i};
  qsort(a, (size_t)e->count, sizeof *a, by_nodes);
  bool good = true;
  for (int64_t i = 0; i < e->count && good; i++) {
    if (i == 0 || by_nodes(&a[i], &a[i - 1])) good = pl_mesh_push(&w->errors, &w->edge, 2, &a[i].low);
    reply[a[i].item] = (int64_t)w->edge.count / 2 - 1;
  }
  free(a);
  return good;
}

/* Numbers follow those of the lower ranks. */
static pl_err add_lower(edge_work *w, int64_t *reply, int64_t n)
{
  const int64_t mine[2] = {pl_rank(w->state->pl), (int64_t)w->edge.count / 2};
  int64_t ranks, *all, before = 0;
  const pl_err err = pl_mesh_gather(w->state->pl, 1, 2, mine, &ranks, &all);
  if (err) return err;
  for (int64_t r = 0; r < ranks; r++)
    if (all[2 * r] < mine[0]) before += all[2 * r + 1];
  for (int64_t i = 0; i < n; i++) reply[i] += before;
  free(all);
  return PL_SUCCESS;
}

static pl_err find_edges(edge_work *w)
{
  exchange e;
  pl_err err = pl_mesh_send(&e, w->state->pl, (int64_t)w->items.count / 2, 2, w->items.at, w->rank);
  if (err) return err;
  int64_t *reply = malloc(((size_t)e.count + 1) * sizeof *reply);
  number_edges(w, &e, reply);
  err = pl_mesh_agree(&w->errors);
  if (!err) err = add_lower(w, reply, e.count);
  if (!err) err = pl_mesh_reply(&e, 1, reply, w->number);
  free(reply);
  pl_mesh_close(&e);
  return err;
}

/* ---- declaration ---- */

/* The numbers of the edges of each cell, with -1 behind the last. */
static int64_t *cell_rows(const edge_work *w, int width)
{
  const int64_t n = pl_set_size(w->state->mesh.cells), *number = w->number;
  int64_t *rows = malloc(((size_t)n * (size_t)width + 1) * sizeof *rows);
  for (int64_t c = 0; c < n && rows; c++)
    for (int k = 0; k < width; k++)
      rows[c * width + k] = k < pl_mesh_shape_info(w->cell_shape[c])->edges ? *number++ : -1;
  return rows;
}

/* The largest number of edges of a cell: the arity of the map to nodes tells the largest shape. */
static int most_edges(const pl_mesh *mesh)
{
  const int nodes = pl_map_arity(mesh->cell_nodes);
  int most = 0;
  for (int s = 0; s < SHAPES; s++) {
    const shape_info *shape = pl_mesh_shape_info(s);
    if (shape->dim == mesh->dim && shape->nodes <= nodes && shape->edges > most) most = shape->edges;
  }
  return most;
}

static pl_err declare_edges(edge_work *w)
{
  pl_mesh *m = &w->state->mesh;
  const int64_t none[1] = {0};
  const int width = most_edges(m);
  int64_t *rows = cell_rows(w, width);
  pl_err err = pl_raise(w->state->pl, rows ? PL_SUCCESS : PL_ERR_MEMORY, NULL);
  if (!err) err = pl_decl_set(w->state->pl, (int64_t)w->edge.count / 2, "edges", &m->edges);
  if (!err)
    err = pl_decl_map_global(m->edges, m->nodes, 2, w->edge.count ? w->edge.at : none, "edge_nodes",
                             &m->edge_nodes);
  if (!err) err = pl_decl_map_global(m->cells, m->edges, width, rows, "cell_edges", &m->cell_edges);
  free(rows);
  if (err) {
    pl_map_free(&m->edge_nodes);
    pl_set_free(&m->edges);
  }
  return err;
}

pl_err pl_mesh_edges(pl_mesh *mesh)
{
  if (!mesh) return pl_raise(NULL, PL_ERR_NULL, NULL);
  if (mesh->edges) return PL_SUCCESS;
  edge_work w = {.state = (mesh_state *)mesh,
                 .errors = {.pl = ((mesh_state *)mesh)->pl, .path = "pl_mesh_edges"}};
  pl_err err = get_cell_nodes(&w);
  if (!err) {
    list_edges(&w);
    err = pl_mesh_agree(&w.errors);
  }
  if (!err) err = find_edges(&w);
  if (!err) err = declare_edges(&w);
  free(w.cell_node);
  free(w.cell_shape);
  free(w.items.at);
  free(w.rank);
  free(w.number);
  free(w.edge.at);
  return err;
}
