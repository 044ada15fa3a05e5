/* SPDX-License-Identifier: BSD-2-Clause
 * Migration of undistributed sets.
 *
 * Objects are sent one after the other, and the old storage of each is freed at once, so that no rank needs
 * much more memory than before or after; an error after the first one is final (pl_distribution_abandon).
 */
#include "migrate.h"
#include "core/comm/comm.h"
#include "core/threads/threads.h"
#include "plan/base/arena.h"
#include "connected_sets.h"
#include "row_transfer.h"
#include <limits.h>

typedef struct migration {
  pl_context *pl;
  pl_arena arena;
  bool begun; /* some object has migrated */
  /* of the present set: */
  pl_set *set;
  pl_row_transfer transfer;
  int64_t *global; /* global indices of the received rows, ascending */
} migration;

/* Sorts rows by the rank that they are sent to, stably. */
static pl_err sort_rows(migration *t, const int *rank)
{
  pl_context *pl = t->pl;
  pl_row_transfer *transfer = &t->transfer;
  const size_t ranks = (size_t)pl_ranks(pl), n = (size_t)t->set->end[1];
  transfer->n = (int64_t)n;
  transfer->count = pl_arena_alloc(&t->arena, ranks, sizeof *transfer->count);
  transfer->received_count = pl_arena_alloc(&t->arena, ranks, sizeof *transfer->received_count);
  int64_t *next = pl_arena_alloc(&t->arena, ranks, sizeof *next);
  transfer->order = pl_malloc_array(pl, n * sizeof *transfer->order);
  if (!transfer->order) t->arena.failed = true;
  PL_TRY(pl_arena_agree(&t->arena));
  for (size_t i = 0; i < n; i++) transfer->count[rank[i]]++;
  for (size_t r = 1; r < ranks; r++) next[r] = next[r - 1] + transfer->count[r - 1];
  for (size_t i = 0; i < n; i++) transfer->order[next[rank[i]]++] = (int)i;
  return pl_row_transfer_counts(pl, transfer);
}

/* The ranks with ids left to merge, the one with the least next id on top. */
typedef struct heap {
  int n, *rank;
  const int64_t *received; /* ids, ascending for each rank */
  int64_t *next, *end;     /* of each rank */
} heap;

static int64_t id_of(const heap *h, int at)
{
  return h->received[h->next[h->rank[at]]];
}

static void sift_down(heap *h, int at)
{
  for (int child; (child = 2 * at + 1) < h->n; at = child) {
    if (child + 1 < h->n && id_of(h, child + 1) < id_of(h, child)) child++;
    if (id_of(h, at) <= id_of(h, child)) return;
    int moved = h->rank[at];
    h->rank[at] = h->rank[child];
    h->rank[child] = moved;
  }
}

/* The least next id of all ranks but the one on top. */
static int64_t second_id(const heap *h)
{
  const int64_t left = h->n > 1 ? id_of(h, 1) : INT64_MAX, right = h->n > 2 ? id_of(h, 2) : INT64_MAX;
  return left < right ? left : right;
}

/* Takes all ids at once that are below those of other ranks. */
static void merge_ranks(migration *t, heap *h)
{
  for (int at = h->n / 2; at-- > 0;) sift_down(h, at);
  for (int64_t i = 0; i < t->transfer.nreceived;) {
    const int64_t end = h->end[h->rank[0]], limit = second_id(h);
    int64_t *next = &h->next[h->rank[0]], k = *next;
    for (; k < end && h->received[k] < limit; k++) {
      t->global[i] = h->received[k];
      t->transfer.row[k] = (int)i++;
    }
    *next = k;
    if (k == end) h->rank[0] = h->rank[--h->n];
    sift_down(h, 0);
  }
}

/* Global indices are transferred first: they determine the row of everything else. */
static pl_err merge_ids(migration *t, const int64_t *received)
{
  const size_t ranks = (size_t)pl_ranks(t->pl);
  heap h = {.received = received};
  h.rank = pl_arena_alloc(&t->arena, ranks, sizeof *h.rank);
  h.next = pl_arena_alloc(&t->arena, ranks, sizeof *h.next);
  h.end = pl_arena_alloc(&t->arena, ranks, sizeof *h.end);
  t->transfer.row = pl_malloc_array(t->pl, (size_t)t->transfer.nreceived * sizeof *t->transfer.row);
  t->global = pl_malloc_array(t->pl, (size_t)t->transfer.nreceived * sizeof *t->global);
  if (!t->global || !t->transfer.row) t->arena.failed = true;
  PL_TRY(pl_arena_agree(&t->arena));
  for (size_t r = 0; r < ranks; r++) {
    h.next[r] = r ? h.end[r - 1] : 0;
    h.end[r] = h.next[r] + t->transfer.received_count[r];
    if (t->transfer.received_count[r]) h.rank[h.n++] = (int)r;
  }
  merge_ranks(t, &h);
  return PL_SUCCESS;
}

static pl_err exchange_ids(migration *t)
{
  pl_context *pl = t->pl;
  size_t n = (size_t)t->set->end[1], nreceived = (size_t)t->transfer.nreceived;
  if (nreceived > INT32_MAX)
    pl_fail(pl, PL_ERR_RANGE, "set \"%s\": more than %d elements would be on one rank", t->set->node.name,
            INT32_MAX);
  PL_TRY(pl_agree(pl, nreceived > INT32_MAX ? PL_ERR_RANGE : PL_SUCCESS));
  int64_t *ids = t->set->global ? t->set->global : pl_malloc_array(pl, (n + 1) * sizeof *ids);
  int64_t *received = pl_malloc_array(pl, nreceived * sizeof *received);
  if (!ids || !received) t->arena.failed = true;
  pl_err err = pl_arena_agree(&t->arena);
  const size_t filled = err || t->set->global ? 0 : n;
  const int threads = pl_plan_threads(INT_MAX, filled);
  PL_PARALLEL_FOR(threads)
  for (size_t i = 0; i < filled; i++) ids[i] = t->set->first + (int64_t)i;
  if (!err) err = pl_row_transfer_run(pl, &t->transfer, sizeof *ids, ids, received);
  if (ids != t->set->global) pl_free_array(pl, ids);
  if (!err) err = merge_ids(t, received);
  pl_free_array(pl, received);
  return err;
}

static pl_err transfer_rows(migration *t, size_t stride, const void *rows, void **result)
{
  *result = pl_malloc_array(t->pl, (size_t)t->transfer.nreceived * stride);
  if (!*result) t->arena.failed = true;
  pl_err err = pl_arena_agree(&t->arena);
  if (!err) err = pl_row_transfer_run(t->pl, &t->transfer, stride, rows, *result);
  if (err) pl_free_array(t->pl, *result);
  return err;
}

/* If any rank has values; a dat without values is zero. */
static pl_err migrate_dat(migration *t, pl_dat *dat)
{
  pl_context *pl = t->pl;
  uint8_t any = pl_dat_has_values(dat);
  size_t stride = pl_dat_stride(dat);
  void *host;
  PL_TRY(pl_comm_reduce(pl, PL_UINT8, PL_MAX, &any, 1));
  if (!any) return PL_SUCCESS;
  size_t before = dat->storage.host ? (size_t)dat->set->end[1] * stride : 0;
  if (!pl_dat_host(dat, false)) t->arena.failed = true;
  PL_TRY(pl_arena_agree(&t->arena));
  PL_TRY(transfer_rows(t, stride, dat->storage.host, &host));
  t->begun = true;
  pl_dat_free_device(dat);
  pl_storage_replace_host(dat, host, before, (size_t)t->transfer.nreceived * stride);
  pl_dat_downloaded(dat);
  return PL_SUCCESS;
}

static pl_err migrate_map(migration *t, pl_map *map)
{
  int *offset = NULL;
  int64_t *global;
  if (map->offset)
    PL_TRY(pl_row_transfer_run_ragged(t->pl, &t->transfer, map->offset, map->global_index, &offset, &global));
  else
    PL_TRY(transfer_rows(t, (size_t)map->arity * sizeof *global, map->global_index, (void **)&global));
  t->begun = true;
  pl_map_replace(map, offset, NULL, global);
  return PL_SUCCESS;
}

static int *list_flagged(pl_context *pl, const unsigned char *member, int64_t n, int *count)
{
  *count = 0;
  for (int64_t i = 0; i < n; i++) *count += member[i];
  int *list = pl_malloc(pl, (size_t)*count * sizeof *list), next = 0;
  for (int64_t i = 0; list && i < n; i++)
    if (member[i]) list[next++] = (int)i;
  return list;
}

static pl_err migrate_subset(migration *t, pl_set *subset)
{
  pl_context *pl = t->pl;
  unsigned char *member = pl_calloc(pl, (size_t)subset->parent->end[1] + 1, 1), *received;
  if (!member) t->arena.failed = true;
  pl_err err = pl_arena_agree(&t->arena);
  for (int i = 0; !err && i < subset->end[1]; i++) member[subset->indices[i]] = 1;
  if (!err) err = transfer_rows(t, 1, member, (void **)&received);
  pl_free(pl, member);
  PL_TRY(err);
  int count, *list = list_flagged(pl, received, t->transfer.nreceived, &count);
  pl_free_array(pl, received);
  if (!list) t->arena.failed = true;
  err = pl_arena_agree(&t->arena);
  if (err) return pl_free(pl, list), err;
  t->begun = true;
  pl_free(pl, subset->indices);
  subset->indices = list;
  for (int p = 0; p < 4; p++) subset->end[p] = count;
  return PL_SUCCESS;
}

static pl_err migrate_objects(migration *t)
{
  PL_EACH (pl_dat, dat, t->pl->dats)
    if (dat->set == t->set) PL_TRY(migrate_dat(t, dat));
  PL_EACH (pl_map, map, t->pl->maps)
    if (map->global_index && map->from == t->set) PL_TRY(migrate_map(t, map));
  PL_EACH (pl_set, subset, t->pl->sets)
    if (subset->parent == t->set) PL_TRY(migrate_subset(t, subset));
  return PL_SUCCESS;
}

/* No rank sends an element of the set to another. */
static bool all_stay(const migration *t, const pl_set_migration *move)
{
  const int me = pl_rank(t->pl), n = move->set->end[1];
  int i = 0;
  while (i < n && move->rank[i] == me) i++;
  return pl_comm_all(t->pl, i == n);
}

static void free_ranks(pl_context *pl, pl_set_migration *move)
{
  pl_free_array(pl, move->rank);
  move->rank = NULL;
}

static pl_err migrate_set(migration *t, pl_set_migration *move)
{
  if (all_stay(t, move)) return pl_comm_check(t->pl);
  t->set = move->set;
  t->transfer = (pl_row_transfer){.n = 0};
  t->global = NULL;
  pl_err err = sort_rows(t, move->rank);
  free_ranks(t->pl, move);
  if (!err) err = exchange_ids(t);
  if (!err) err = migrate_objects(t);
  if (!err) {
    const int n = (int)t->transfer.nreceived, end[4] = {n, n, n, n};
    pl_set_replace(t->set, t->global, NULL, NULL, end);
    t->global = NULL;
    t->begun = true;
  }
  pl_free_arrays(t->pl, t->global, t->transfer.order, t->transfer.row);
  return err;
}

pl_err pl_migrate(pl_context *pl, int n, pl_set_migration *moves)
{
  migration t = {.pl = pl, .arena = {.pl = pl}};
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < n && !err; i++) err = migrate_set(&t, &moves[i]);
  for (int i = 0; i < n; i++) free_ranks(pl, &moves[i]);
  pl_arena_free(&t.arena);
  return err && t.begun ? pl_distribution_abandon(pl, err) : err;
}
