/* SPDX-License-Identifier: BSD-2-Clause
 * Construction of halo lists.
 *
 * An element with a target on rank q is also executed by q, which keeps it in its exec halo. All other remote
 * elements that the owned elements and the exec halo reach are in the nonexec halo. A rank holds only its own
 * elements and its halos; only counts have an entry for each rank.
 */
#include "halo_lists.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/exchange/exchange.h"
#include "core/threads/threads.h"
#include "distribute.h"
#include "row_transfer.h"
#include <string.h>

static void alloc_counts(pl_arena *arena, pl_copy_lists *copies)
{
  size_t ranks = (size_t)pl_ranks(arena->pl);
  copies->out_count = pl_arena_alloc(arena, ranks, sizeof(int64_t));
  copies->in_count = pl_arena_alloc(arena, ranks, sizeof(int64_t));
}

/* ---- rows ---- */

int pl_dist_set_rows(const pl_dist_set *ds)
{
  return ds->n + (int)ds->exec.in.n + (int)ds->nonexec.in.n;
}

static int64_t owned_row(const pl_dist_set *ds, int64_t id)
{
  return ds->set->global ? pl_lookup_find(&ds->owned, id) : pl_undistributed_row(ds->set, id);
}

static pl_err prepare_set(pl_arena *arena, pl_dist_set *ds)
{
  alloc_counts(arena, &ds->exec);
  alloc_counts(arena, &ds->nonexec);
  ds->boundary = pl_arena_alloc(arena, (size_t)ds->n, 1);
  if (ds->set->global && pl_lookup_make(arena->pl, ds->set->global, ds->n, &ds->owned)) arena->failed = true;
  PL_TRY(pl_arena_agree(arena));
  return pl_directory_of(ds->set, &ds->directory);
}

int pl_dist_map_row(const pl_dist_map *dm, int row, const int64_t **targets)
{
  size_t i = (size_t)row, n = (size_t)dm->from->n, arity = (size_t)dm->map->arity;
  if (i < n) {
    *targets = dm->map->global_index + pl_map_begin(dm->map, i);
    return (int)(pl_map_begin(dm->map, i + 1) - pl_map_begin(dm->map, i));
  }
  const int *offset = dm->exec_offset;
  *targets = dm->exec + (offset ? (size_t)offset[i - n] : (i - n) * arity);
  return offset ? offset[i - n + 1] - offset[i - n] : dm->map->arity;
}

/* ---- targets as codes ---- */

static int64_t encode_remote(pl_arena *arena, pl_dist_set *to, int64_t id)
{
  int number = pl_id_table_get(&to->number, id);
  if (number < 0) {
    number = (int)to->remote.n;
    pl_id_table_put(arena, &to->number, id, number);
    pl_ids_add(arena, &to->remote, id);
  }
  return -2 - number;
}

/* Replaces global indices by codes, where remote ones have no number yet: -2 - global index. Whether there
 * are such. */
static bool encode_owned(const pl_dist_set *to, size_t n, int64_t *target)
{
  bool remote = false;
  for (size_t i = 0; i < n; i++) {
    const int64_t id = target[i], row = id < 0 ? -1 : owned_row(to, id);
    target[i] = row >= 0 || id < 0 ? row : -2 - id;
    remote |= target[i] < -1;
  }
  return remote;
}

/* Returns the number of entries that are codes now, fewer than n without memory. */
static size_t number_remote(pl_arena *arena, pl_dist_set *to, size_t n, int64_t *target)
{
  for (size_t i = 0; i < n; i++) {
    if (target[i] >= -1) continue;
    const int64_t code = encode_remote(arena, to, -2 - target[i]);
    if (arena->failed) return i;
    target[i] = code;
  }
  return n;
}

static int64_t decode(const pl_dist_set *to, int64_t code)
{
  if (code >= 0) return pl_undistributed_id(to->set, (int)code);
  return code == -1 ? -1 : to->remote.item[-2 - code];
}

enum { PIECE = 1 << 10 }; /* rows that one thread encodes after each other */

static int count_pieces(const pl_dist_map *dm)
{
  return dm->from->n / PIECE + 1;
}

static int piece_end(const pl_dist_map *dm, int piece)
{
  return dm->from->n - piece * PIECE > PIECE ? (piece + 1) * PIECE : dm->from->n;
}

static size_t piece_begins(const pl_dist_map *dm, int piece)
{
  return pl_map_begin(dm->map, (size_t)piece * PIECE);
}

static size_t piece_ends(const pl_dist_map *dm, int piece)
{
  return pl_map_begin(dm->map, (size_t)piece_end(dm, piece));
}

static int map_threads(const pl_dist_map *dm)
{
  return pl_plan_threads(count_pieces(dm), pl_map_begin(dm->map, (size_t)dm->from->n));
}

/* The numbers of remote targets do not depend on the number of threads. */
static void encode_map(pl_arena *arena, pl_dist_map *dm)
{
  const int pieces = count_pieces(dm), threads = map_threads(dm);
  int64_t *target = dm->map->global_index;
  if (!dm->remote) dm->remote = pl_arena_alloc(arena, (size_t)pieces, sizeof *dm->remote);
  if (arena->failed) return;
  dm->encoded = true;
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < pieces; p++) {
    const size_t begin = piece_begins(dm, p);
    dm->remote[p] = encode_owned(dm->to, piece_ends(dm, p) - begin, target + begin);
  }
  for (int p = 0; p < pieces && !arena->failed; p++) {
    const size_t begin = piece_begins(dm, p), n = piece_ends(dm, p) - begin;
    dm->numbered = begin + (dm->remote[p] ? number_remote(arena, dm->to, n, target + begin) : n);
  }
}

static void decode_piece(const pl_dist_map *dm, int piece)
{
  int64_t *target = dm->map->global_index;
  for (size_t i = piece_begins(dm, piece); i < piece_ends(dm, piece); i++)
    target[i] = i < dm->numbered || target[i] >= -1 ? decode(dm->to, target[i]) : -2 - target[i];
}

static void decode_map(pl_dist_map *dm)
{
  const int pieces = dm->encoded && dm->map->global_index ? count_pieces(dm) : 0;
  for (int p = 0; p < pieces; p++) decode_piece(dm, p);
  dm->encoded = false;
  dm->numbered = 0;
}

static void encode_exec(pl_arena *arena, pl_dist_map *dm)
{
  const size_t rows = (size_t)dm->from->exec.in.n;
  const size_t n = dm->exec_offset ? (size_t)dm->exec_offset[rows] : rows * (size_t)dm->map->arity;
  if (encode_owned(dm->to, n, dm->exec)) number_remote(arena, dm->to, n, dm->exec);
}

/* The owners of remote indices. */
static pl_err find_owners(pl_arena *arena, pl_dist_set *ds)
{
  ds->owner = pl_arena_alloc(arena, (size_t)ds->remote.n, sizeof *ds->owner);
  PL_TRY(pl_arena_agree(arena));
  return pl_directory_find(arena->pl, &ds->directory, ds->remote.n, ds->remote.item, ds->owner);
}

/* ---- exec halos: pairs of a rank and a row ---- */

enum { RANK_SHIFT = 32 };

static void list_exports(pl_arena *arena, pl_dist_map *dm)
{
  for (int p = 0; p < count_pieces(dm); p++)
    for (int i = p * PIECE; dm->remote[p] && i < piece_end(dm, p) && !arena->failed; i++) {
      const int64_t *target;
      int n = pl_dist_map_row(dm, i, &target);
      for (int k = 0; k < n; k++) {
        if (target[k] >= -1) continue;
        dm->from->boundary[i] = PL_BOUNDARY;
        pl_ids_add(arena, &dm->from->exec.out, (int64_t)dm->to->owner[-2 - target[k]] << RANK_SHIFT | i);
      }
    }
}

/* Replaces sorted pairs (rank, row) by counts and rows. */
static void separate_pairs(pl_ids *pairs, int64_t *count)
{
  for (int64_t i = 0; i < pairs->n; i++) {
    count[pairs->item[i] >> RANK_SHIFT]++;
    pairs->item[i] = pairs->item[i] & (((int64_t)1 << RANK_SHIFT) - 1);
  }
}

pl_err pl_copy_lists_send(pl_arena *arena, const pl_copy_lists *copies, size_t stride, const void *records,
                          void **received)
{
  int64_t *in_count = pl_arena_alloc(arena, (size_t)pl_ranks(arena->pl), sizeof *in_count);
  char *send = pl_arena_alloc(arena, (size_t)copies->out.n, stride);
  PL_TRY(pl_arena_agree(arena));
  for (int64_t i = 0; i < copies->out.n; i++)
    memcpy(send + (size_t)i * stride, (const char *)records + (size_t)copies->out.item[i] * stride, stride);
  return pl_comm_all_to_all(arena->pl, stride, send, copies->out_count, received, in_count);
}

/* Numbers received copies as rows from `first` on. */
static void add_copies(pl_arena *arena, pl_dist_set *ds, pl_copy_lists *copies, int64_t *ids, int first)
{
  int64_t n = pl_count_sum(arena->pl, copies->in_count);
  for (int64_t i = 0; i < n; i++) {
    pl_ids_add(arena, &copies->in, ids[i]);
    pl_id_table_put(arena, &ds->row, ids[i], first + (int)i);
  }
}

static pl_err exchange_exec(pl_arena *arena, pl_dist_set *ds)
{
  pl_context *pl = arena->pl;
  pl_copy_lists *exec = &ds->exec;
  pl_ids_sort_unique(&exec->out);
  separate_pairs(&exec->out, exec->out_count);
  int64_t *ids = pl_arena_alloc(arena, (size_t)exec->out.n, sizeof *ids), *received;
  PL_TRY(pl_arena_agree(arena));
  for (int64_t i = 0; i < exec->out.n; i++) ids[i] = pl_undistributed_id(ds->set, (int)exec->out.item[i]);
  PL_TRY(pl_comm_all_to_all(pl, sizeof *ids, ids, exec->out_count, (void **)&received, exec->in_count));
  add_copies(arena, ds, exec, received, ds->n);
  pl_free_array(pl, received);
  return pl_arena_agree(arena);
}

static pl_err exchange_ragged_rows(pl_arena *arena, pl_dist_map *dm)
{
  const pl_copy_lists *exec = &dm->from->exec;
  pl_row_transfer transfer = {.n = exec->out.n, .count = exec->out_count, .nreceived = exec->in.n};
  transfer.received_count = exec->in_count;
  transfer.order = pl_arena_alloc(arena, (size_t)transfer.n, sizeof *transfer.order);
  PL_TRY(pl_arena_agree(arena));
  for (int64_t i = 0; i < transfer.n; i++) transfer.order[i] = (int)exec->out.item[i];
  decode_map(dm);
  pl_err err = pl_row_transfer_run_ragged(arena->pl, &transfer, dm->map->offset, dm->map->global_index,
                                          &dm->exec_offset, &dm->exec);
  encode_map(arena, dm);
  return err;
}

/* Owners send the map rows of the exec halo, as global indices. */
static pl_err exchange_rows(pl_arena *arena, pl_dist_map *dm)
{
  if (dm->map->offset) return exchange_ragged_rows(arena, dm);
  const pl_copy_lists *exec = &dm->from->exec;
  const size_t arity = (size_t)dm->map->arity;
  int64_t *in_count = pl_arena_alloc(arena, (size_t)pl_ranks(arena->pl), sizeof *in_count);
  int64_t *send = pl_arena_alloc(arena, (size_t)exec->out.n * arity, sizeof *send);
  PL_TRY(pl_arena_agree(arena));
  for (size_t i = 0; i < (size_t)exec->out.n; i++) {
    const int64_t *row = dm->map->global_index + (size_t)exec->out.item[i] * arity;
    for (size_t k = 0; k < arity; k++) send[i * arity + k] = decode(dm->to, row[k]);
  }
  return pl_comm_all_to_all(arena->pl, arity * sizeof *send, send, exec->out_count, (void **)&dm->exec,
                            in_count);
}

/* ---- nonexec halos ---- */

typedef struct owned_id {
  int owner;
  int64_t id;
} owned_id;

static int by_owner(const void *a, const void *b)
{
  const owned_id *x = a, *y = b;
  if (x->owner != y->owner) return (x->owner > y->owner) - (x->owner < y->owner);
  return (x->id > y->id) - (x->id < y->id);
}

/* The remote indices that are not in the exec halo, by owner, ascending: *ids; returns how many. */
static int64_t list_nonexec(pl_arena *arena, pl_dist_set *ds, int64_t **ids)
{
  const int64_t all = ds->remote.n;
  owned_id *list = pl_arena_alloc(arena, (size_t)all, sizeof *list);
  int64_t n = 0, *id = *ids = pl_arena_alloc(arena, (size_t)all, sizeof *id);
  if (arena->failed) return 0;
  for (int64_t k = 0; k < all; k++)
    if (pl_id_table_get(&ds->row, ds->remote.item[k]) < 0)
      list[n++] = (owned_id){ds->owner[k], ds->remote.item[k]};
  if (n) qsort(list, (size_t)n, sizeof *list, by_owner);
  for (int64_t i = 0; i < n; i++) {
    ds->nonexec.in_count[list[i].owner]++;
    id[i] = list[i].id;
  }
  return n;
}

static pl_err exchange_nonexec(pl_arena *arena, pl_dist_set *ds)
{
  pl_context *pl = arena->pl;
  int64_t *ids, *requested;
  list_nonexec(arena, ds, &ids);
  PL_TRY(pl_arena_agree(arena));
  PL_TRY(pl_comm_all_to_all(pl, sizeof *ids, ids, ds->nonexec.in_count, (void **)&requested,
                            ds->nonexec.out_count));
  int64_t n = pl_count_sum(pl, ds->nonexec.out_count);
  for (int64_t i = 0; i < n; i++) pl_ids_add(arena, &ds->nonexec.out, owned_row(ds, requested[i]));
  pl_free_array(pl, requested);
  add_copies(arena, ds, &ds->nonexec, ids, ds->n + (int)ds->exec.in.n);
  ds->copy = pl_arena_alloc(arena, (size_t)ds->remote.n, sizeof *ds->copy);
  for (int64_t k = 0; ds->copy && k < ds->remote.n; k++)
    ds->copy[k] = pl_id_table_get(&ds->row, ds->remote.item[k]);
  return pl_arena_agree(arena);
}

/* ---- the order of storage ---- */

static void flag_targets_of(pl_dist_map *dm, int row)
{
  const int64_t *target;
  const int n = pl_dist_map_row(dm, row, &target);
  for (int k = 0; k < n; k++)
    if (target[k] >= 0) dm->to->boundary[target[k]] |= PL_BOUNDARY_TARGET;
}

/* Flags the targets of elements outside the core: loops in gather form run them last. The boundary is what
 * other ranks execute, too. */
static void flag_targets(pl_dist_map *dm)
{
  const pl_dist_set *from = dm->from;
  for (int64_t i = 0; i < from->exec.out.n; i++) flag_targets_of(dm, (int)from->exec.out.item[i]);
  for (int i = 0; i < from->exec.in.n; i++) flag_targets_of(dm, from->n + i);
}

/* The places in storage of the owned rows: the core first, its boundary targets last, then the boundary. */
enum { PLACES = 3, PARTS = 64 };

static int place_of(const pl_dist_set *ds, int row)
{
  return ds->boundary[row] & PL_BOUNDARY ? 2 : ds->boundary[row] ? 1 : 0;
}

static void count_part(const pl_dist_set *ds, int part, int count[PLACES])
{
  for (int i = pl_part_begin(ds->n, PARTS, part); i < pl_part_begin(ds->n, PARTS, part + 1); i++)
    count[place_of(ds, i)]++;
}

static void number_part(const pl_dist_set *ds, int part, int next[PLACES])
{
  for (int i = pl_part_begin(ds->n, PARTS, part); i < pl_part_begin(ds->n, PARTS, part + 1); i++)
    ds->storage_index[i] = next[place_of(ds, i)]++;
}

static void number_rows(pl_arena *arena, pl_dist_set *ds)
{
  const int total = pl_dist_set_rows(ds), threads = pl_plan_threads(PARTS, (size_t)ds->n);
  int count[PARTS][PLACES] = {{0}}, next = 0;
  ds->storage_index = pl_arena_array(arena, (size_t)total, sizeof *ds->storage_index);
  if (!ds->storage_index) return;
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < PARTS; p++) count_part(ds, p, count[p]);
  for (int place = 0; place < PLACES; place++) {
    if (place == 2) ds->ncore = next;
    for (int p = 0; p < PARTS; p++) {
      const int n = count[p][place];
      count[p][place] = next;
      next += n;
    }
  }
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < PARTS; p++) number_part(ds, p, count[p]);
  for (int i = ds->n; i < total; i++) ds->storage_index[i] = i;
}

/* ---- all together ---- */

pl_err pl_halo_lists_build(pl_arena *arena, pl_dist_group *group)
{
  const int nsets = group->nsets, nmaps = group->nmaps;
  pl_dist_set *set = group->set;
  pl_dist_map *map = group->map;
  for (int i = 0; i < nsets; i++) PL_TRY(prepare_set(arena, &set[i]));
  for (int m = 0; m < nmaps; m++) encode_map(arena, &map[m]);
  for (int i = 0; i < nsets; i++) PL_TRY(find_owners(arena, &set[i]));
  for (int m = 0; m < nmaps; m++) list_exports(arena, &map[m]);
  PL_TRY(pl_arena_agree(arena));
  for (int i = 0; i < nsets; i++) PL_TRY(exchange_exec(arena, &set[i]));
  for (int m = 0; m < nmaps; m++) PL_TRY(exchange_rows(arena, &map[m]));
  for (int m = 0; m < nmaps; m++) encode_exec(arena, &map[m]);
  for (int i = 0; i < nsets; i++) {
    PL_TRY(find_owners(arena, &set[i]));
    PL_TRY(exchange_nonexec(arena, &set[i]));
    pl_directory_free(arena->pl, &set[i].directory);
  }
  for (int m = 0; m < nmaps; m++) flag_targets(&map[m]);
  for (int i = 0; i < nsets; i++) pl_lookup_free(arena->pl, &set[i].owned); /* maps need the memory */
  for (int i = 0; i < nsets; i++) number_rows(arena, &set[i]);
  return pl_arena_agree(arena);
}

void pl_halo_lists_free(pl_context *pl, pl_dist_group *group)
{
  for (int i = 0; i < group->nsets; i++) {
    pl_directory_free(pl, &group->set[i].directory);
    pl_lookup_free(pl, &group->set[i].owned);
  }
  for (int m = 0; m < group->nmaps; m++) {
    decode_map(&group->map[m]);
    pl_free_array(pl, group->map[m].exec);
    pl_free(pl, group->map[m].exec_offset);
  }
}

pl_err pl_halo_of_counts(pl_context *pl, const int64_t *count, const int64_t *received_count,
                         pl_halo **result)
{
  int n = 0, i = 0, ranks = pl_ranks(pl);
  int64_t sent = 0, received = 0;
  for (int r = 0; r < ranks; r++) n += count[r] || received_count[r];
  pl_halo *halo = *result = pl_halo_new(pl, n, pl_count_sum(pl, count), pl_count_sum(pl, received_count));
  if (!halo) return PL_ERR_MEMORY;
  for (int r = 0; r < ranks; r++) {
    if (!count[r] && !received_count[r]) continue;
    halo->rank[i] = r;
    if ((halo->peer[i] = pl_peer_number(pl, r)) < 0) return PL_ERR_MEMORY;
    i++;
    halo->send_offset[i] = (int)(sent += count[r]);
    halo->receive_offset[i] = (int)(received += received_count[r]);
    if (r < pl_rank(pl)) halo->nearby.lower = (int)received;
  }
  return PL_SUCCESS;
}

void pl_halo_owners(const pl_set *set, int *owner)
{
  const pl_halo *halo = set->halo;
  for (int i = 0; i < halo->n; i++)
    for (int k = halo->receive_offset[i]; k < halo->receive_offset[i + 1]; k++)
      owner[halo->receive[k] - set->end[1]] = halo->rank[i];
}
