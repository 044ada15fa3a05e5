/* SPDX-License-Identifier: BSD-2-Clause
 * Particles of a checkpoint: the rows go to the ranks that own their cells, or stay where they were read, and
 * become the particles of the set, with their rows as global indices.
 */
#include "restore_particles.h"
#include "core/comm/comm.h"
#include "core/mesh/owner_directory.h"
#include "manifest.h"
#include "plan/base/object_lists.h"
#include "plan/particles/particle_add_remove.h"
#include <string.h>

/* ---- where the rows go ---- */

/* The rows of this rank's block by the ranks of their cells. */
typedef struct routes {
  pl_context *pl;
  pl_rank_sort sort;
  int64_t n, arrived;
} routes;

static pl_err find_routes(const pl_restored *cells, const pl_map *where, routes *to)
{
  pl_directory directory = {0};
  pl_context *pl = to->pl;
  PL_TRY(pl_agree(pl, pl_rank_sort_alloc(pl, to->n, &to->sort)));
  for (int64_t i = 0; i < to->n; i++) to->sort.rank[i] = pl_rank(pl);
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

/* Records of this rank's block to their ranks; they arrive in the order of rows. */
static pl_err send(routes *to, size_t size, const char *records, void **received)
{
  char *sent = pl_malloc_array(to->pl, (size_t)to->n * size);
  pl_err err = pl_agree(to->pl, sent ? PL_SUCCESS : pl_fail_memory(to->pl, (size_t)to->n * size));
  for (int64_t i = 0; !err && i < to->n; i++)
    memcpy(sent + (size_t)i * size, records + (size_t)to->sort.order[i] * size, size);
  if (!err) err = pl_comm_all_to_all(to->pl, size, sent, to->sort.count, received, to->sort.received_count);
  if (!err) to->arrived = pl_count_sum(to->pl, to->sort.received_count);
  pl_free_array(to->pl, sent);
  return err;
}

/* ---- the new particles ---- */

/* What has arrived on this rank; values[0 .. n) belong to dats. */
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
  set->global_end = set->global_size = total;
  pl_drop_buffer(set->node.pl, &set->global_device);
}

static pl_err replace(pl_set *set, int64_t total, int64_t n, const pl_map *where, arrivals *a)
{
  if (where) PL_TRY(find_positions(where, n, a));
  PL_TRY(pl_set_resize(set, 0));
  PL_TRY(pl_particle_add_values(set, n, a->position, a->n, a->values));
  number_particles(set, total, a->row);
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

static const pl_restored *cells_of(const pl_restored_list *list, const pl_map *where)
{
  for (int i = 0; where && i < list->n; i++)
    if (list->item[i].node == &where->node && list->item[i].values) return &list->item[i];
  return NULL;
}

/* The number of elements in the file. */
static int64_t total_of(const pl_restored_list *list, const pl_set *set)
{
  for (int i = 0; i < list->n; i++)
    if (list->item[i].node == &set->node) return list->item[i].block.total;
  return set->global_size;
}

bool pl_restores_particles(const pl_restored_list *list, const pl_set *set)
{
  return pl_checkpoint_particles(set) &&
         (total_of(list, set) != set->global_size || cells_of(list, pl_checkpoint_cells(set)));
}

pl_err pl_restore_particles(pl_restored_list *list, pl_set *set)
{
  pl_map *where = pl_checkpoint_cells(set);
  const pl_restored *cells = cells_of(list, where);
  const pl_h5_block b = pl_h5_block_of(list->pl, total_of(list, set));
  routes to = {.pl = list->pl, .n = b.count};
  arrivals a = {0};
  if (!pl_restores_particles(list, set)) return PL_SUCCESS;
  PL_TRY(pl_elements_prepare(set, "pl_restore")); /* distributes the cells */
  pl_err err = find_routes(cells, where, &to);
  if (!err) err = receive(list, set, cells, &b, &to, &a);
  if (!err) err = replace(set, b.total, to.arrived, where, &a);
  free_arrivals(list->pl, &a);
  pl_rank_sort_free(list->pl, &to.sort);
  return err;
}
