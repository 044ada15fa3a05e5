/* SPDX-License-Identifier: BSD-2-Clause
 * Particles of a checkpoint: the rows go to the ranks that own their cells, or to those that had them, and
 * become the particles of the set, with their rows as global indices. On several ranks they are stored in the
 * order that they had in memory.
 */
#include "restore_particles.h"
#include "core/comm/comm.h"
#include "core/mesh/owner_directory.h"
#include "core/mesh/user_order.h"
#include "manifest.h"
#include "particle_places.h"
#include "core/data/objects.h"
#include "plan/particles/particle_add_remove.h"
#include <string.h>

/* ---- where the rows go ---- */

/* The rows of this rank's block by the ranks to which they go, and the order of those that arrive here. */
typedef struct routes {
  pl_context *pl;
  pl_rank_sort sort;
  int64_t n, arrived;
  int *order; /* NULL: as they arrive */
} routes;

/* The ranks of places if the file was written by as many ranks; else rows stay where they were read. */
static pl_err find_ranks(const int64_t *places, routes *to)
{
  const int ranks = pl_ranks(to->pl);
  int64_t bounds[2] = {0, 0}; /* the greatest rank, and that of a negative one */
  for (int64_t i = 0; i < to->n; i++) {
    const int64_t rank = pl_place_rank(places[i]);
    bounds[0] = rank > bounds[0] ? rank : bounds[0];
    bounds[1] = -rank > bounds[1] ? -rank : bounds[1];
  }
  PL_TRY(pl_comm_reduce(to->pl, PL_INT64, PL_MAX, bounds, 2));
  const bool same = bounds[0] == ranks - 1 && !bounds[1];
  for (int64_t i = 0; i < to->n; i++)
    to->sort.rank[i] = same ? (int)pl_place_rank(places[i]) : pl_rank(to->pl);
  return PL_SUCCESS;
}

static pl_err find_routes(const pl_restored *cells, const pl_map *where, const int64_t *places, routes *to)
{
  pl_directory directory = {0};
  pl_context *pl = to->pl;
  PL_TRY(pl_agree(pl, pl_rank_sort_alloc(pl, to->n, &to->sort)));
  PL_TRY(find_ranks(places, to));
  if (where) {
    pl_err err = pl_directory_of(where->to, &directory);
    if (!err)
      err =
        pl_directory_find(pl, &directory, to->n, (const int64_t *)(const void *)cells->values, to->sort.rank);
    pl_directory_free(pl, &directory);
    PL_TRY(err);
  }
  pl_sort_by_rank(pl, to->n, to->sort.rank, to->sort.count, to->sort.order);
  return PL_SUCCESS;
}

static pl_err put_in_order(const routes *to, size_t size, void **received)
{
  char *sorted = pl_malloc_array(to->pl, (size_t)to->arrived * size);
  pl_err err = pl_agree(to->pl, sorted ? PL_SUCCESS : pl_fail_memory(to->pl, (size_t)to->arrived * size));
  if (!err) pl_gather_records((int)to->arrived, size, to->order, *received, sorted);
  pl_free_array(to->pl, err ? sorted : *received);
  if (!err) *received = sorted;
  return err;
}

/* Sends the records of this rank's block to their ranks. They arrive in the order of rows, or in to->order if
 * it is set. */
static pl_err send(routes *to, size_t size, const char *records, void **received)
{
  char *sent = pl_malloc_array(to->pl, (size_t)to->n * size);
  pl_err err = pl_agree(to->pl, sent ? PL_SUCCESS : pl_fail_memory(to->pl, (size_t)to->n * size));
  for (int64_t i = 0; !err && i < to->n; i++)
    memcpy(sent + (size_t)i * size, records + (size_t)to->sort.order[i] * size, size);
  if (!err) err = pl_comm_all_to_all(to->pl, size, sent, to->sort.count, received, to->sort.received_count);
  if (!err) to->arrived = pl_count_sum(to->pl, to->sort.received_count);
  pl_free_array(to->pl, sent);
  return err || !to->order ? err : put_in_order(to, size, received);
}

static pl_err find_order(const int64_t *places, routes *to)
{
  void *received = NULL;
  if (pl_ranks(to->pl) == 1) return PL_SUCCESS; /* rows are in storage order */
  pl_err err = send(to, sizeof *places, (const char *)places, &received);
  if (!err) err = pl_agree(to->pl, pl_places_sort(to->pl, to->arrived, received, &to->order));
  pl_free_array(to->pl, received);
  return err;
}

/* ---- the new particles ---- */

/* The rows that have arrived on this rank; values[0 .. n) belong to dats. */
typedef struct arrivals {
  int64_t *row;
  int64_t *cell; /* global indices */
  int *position; /* of the cells in host views */
  int n;
  pl_values *values;
} arrivals;

static pl_err receive(pl_restored_list *list, const pl_set *set, const pl_restored *cells,
                      const pl_h5_block *b, routes *to, arrivals *a)
{
  void *received = NULL;
  int64_t *rows = pl_malloc_array(list->pl, (size_t)b->count * sizeof *rows);
  a->values = pl_calloc(list->pl, (size_t)list->n + 1, sizeof *a->values);
  pl_err err =
    pl_agree(list->pl, rows && a->values ? PL_SUCCESS : pl_fail_memory(list->pl, sizeof *a->values));
  for (int64_t i = 0; !err && i < b->count; i++) rows[i] = b->first + i;
  if (!err) err = send(to, sizeof *rows, (const char *)rows, &received);
  a->row = received;
  pl_free_array(list->pl, rows);
  if (!err && cells) {
    err = send(to, sizeof *a->cell, cells->values, &received);
    a->cell = err ? NULL : received;
  }
  for (int i = 0; !err && i < list->n; i++) {
    pl_restored *r = &list->item[i];
    pl_dat *dat = (pl_dat *)r->node;
    if (r->kind != PL_H5_DATS || dat->set != set || !dat->dim) continue;
    err = send(to, pl_dat_stride(dat), r->values, &received);
    if (err) break;
    a->values[a->n++] = (pl_values){dat, dat->type, received};
    r->done = true;
  }
  return err;
}

static pl_err find_positions(const pl_map *where, int64_t n, arrivals *a)
{
  pl_context *pl = where->node.pl;
  const int owned = where->to->end[1];
  int64_t *global = pl_malloc_array(pl, (size_t)owned * sizeof *global);
  a->position = pl_malloc_array(pl, (size_t)n * sizeof *a->position);
  pl_err err = pl_agree(pl, global && a->position ? PL_SUCCESS : pl_fail_memory(pl, (size_t)n * sizeof(int)));
  if (!err) err = pl_agree(pl, pl_set_global(where->to, global));
  for (int64_t i = 0; !err && i < n; i++) a->position[i] = (int)pl_find_ascending(global, owned, a->cell[i]);
  pl_free_array(pl, global);
  return err;
}

/* Rows are the global indices of the new particles. */
static void number_particles(pl_set *set, int64_t total, const int64_t *row)
{
  for (int i = 0; set->global && i < set->end[1]; i++) set->global[pl_user_to_storage(set, i)] = row[i];
  set->user_order_stale = pl_ranks(set->node.pl) > 1;
  set->global_end = set->global_size = total;
  pl_drop_buffer(set->node.pl, &set->global_device);
}

/* As many particles as before belong to the ranks that declared them. */
static pl_err replace(pl_set *set, int64_t total, int64_t n, const pl_map *where, arrivals *a)
{
  const int declared = total == set->global_size ? set->declared : -1;
  if (where) PL_TRY(find_positions(where, n, a));
  PL_TRY(pl_set_resize(set, 0));
  PL_TRY(pl_particle_add_values(set, n, a->position, a->n, a->values));
  number_particles(set, total, a->row);
  set->declared = declared;
  return PL_SUCCESS;
}

static void free_arrivals(pl_context *pl, arrivals *a)
{
  for (int i = 0; i < a->n; i++) {
    void *values = (void *)(uintptr_t)a->values[i].data;
    pl_free_array(pl, values);
  }
  pl_free(pl, a->values);
  pl_free_arrays(pl, a->row, a->cell, a->position);
}

static const pl_restored *find(const pl_restored_list *list, const pl_node *node)
{
  for (int i = 0; i < list->n; i++)
    if (list->item[i].node == node) return &list->item[i];
  return NULL;
}

static const pl_restored *cells_of(const pl_restored_list *list, const pl_set *set)
{
  const pl_map *where = pl_checkpoint_cells(set);
  return where ? find(list, &where->node) : NULL;
}

bool pl_restores_particles(const pl_restored_list *list, const pl_set *set)
{
  const pl_restored *r = find(list, &set->node);
  if (!r || !pl_checkpoint_particles(set)) return false;
  const pl_restored *cells = cells_of(list, set);
  return r->block.total != set->global_size || (cells && cells->differs) ||
         (pl_ranks(list->pl) > 1 && r->differs);
}

pl_err pl_restore_particles(pl_restored_list *list, pl_set *set)
{
  if (!pl_restores_particles(list, set)) return PL_SUCCESS;
  const pl_map *where = pl_checkpoint_cells(set);
  const pl_restored *r = find(list, &set->node), *cells = cells_of(list, set);
  const int64_t *places = (const int64_t *)(const void *)r->places;
  routes to = {.pl = list->pl, .n = r->block.count};
  arrivals a = {0};
  PL_TRY(pl_elements_prepare(set, "pl_restore")); /* distributes the cells */
  pl_err err = find_routes(cells, where, places, &to);
  if (!err) err = find_order(places, &to);
  if (!err) err = receive(list, set, cells, &r->block, &to, &a);
  if (!err) err = replace(set, r->block.total, to.arrived, where, &a);
  free_arrivals(list->pl, &a);
  pl_free(list->pl, to.order);
  pl_rank_sort_free(list->pl, &to.sort);
  return err;
}
