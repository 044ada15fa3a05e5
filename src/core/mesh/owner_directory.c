/* SPDX-License-Identifier: BSD-2-Clause
 * The distributed owner directory.
 */
#include "owner_directory.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "user_order.h"
#include <string.h>

void pl_sort_by_rank(pl_context *pl, int64_t n, const int *rank, int64_t *count, int64_t *order)
{
  int ranks = pl_ranks(pl);
  memset(count, 0, (size_t)ranks * sizeof *count);
  for (int64_t i = 0; i < n; i++) count[rank[i]]++;
  int64_t begin = 0;
  for (int r = 0; r < ranks; r++) { /* count[r]: the begin of its items, later their end */
    int64_t next = begin + count[r];
    count[r] = begin;
    begin = next;
  }
  for (int64_t i = 0; i < n; i++) order[count[rank[i]]++] = i;
  for (int r = ranks - 1; r > 0; r--) count[r] -= count[r - 1];
}

pl_err pl_rank_sort_alloc(pl_context *pl, int64_t n, pl_rank_sort *sort)
{
  size_t ranks = (size_t)pl_ranks(pl), items = (size_t)n;
  sort->rank = pl_malloc_array(pl, items * sizeof *sort->rank);
  sort->order = pl_malloc_array(pl, items * sizeof *sort->order);
  sort->count = pl_calloc(pl, ranks, sizeof *sort->count);
  sort->received_count = pl_calloc(pl, ranks, sizeof *sort->received_count);
  bool all = sort->rank && sort->order && sort->count && sort->received_count;
  return all ? PL_SUCCESS : pl_fail_memory(pl, items * sizeof *sort->order);
}

void pl_rank_sort_free(pl_context *pl, pl_rank_sort *sort)
{
  pl_free_arrays(pl, sort->rank, sort->order);
  pl_free_all(pl, sort->count, sort->received_count);
}

/* About half as many intervals as ids. */
pl_err pl_lookup_make(pl_context *pl, const int64_t *ids, int64_t n, pl_lookup *lookup)
{
  *lookup = (pl_lookup){.ids = ids, .last = -1};
  if (!n) return PL_SUCCESS;
  const int64_t span = ids[n - 1] - ids[0];
  lookup->base = ids[0];
  lookup->last = ids[n - 1];
  while ((span >> lookup->shift) > n / 2) lookup->shift++;
  const int64_t intervals = (span >> lookup->shift) + 1;
  int *start = lookup->start = pl_malloc_array(pl, ((size_t)intervals + 1) * sizeof *start);
  if (!start) return pl_fail_memory(pl, (size_t)intervals * sizeof *start);
  int64_t next = 0;
  for (int64_t i = 0; i < n; i++)
    for (int64_t k = (ids[i] - lookup->base) >> lookup->shift; next <= k; next++) start[next] = (int)i;
  for (; next <= intervals; next++) start[next] = (int)n;
  return PL_SUCCESS;
}

void pl_lookup_free(pl_context *pl, pl_lookup *lookup)
{
  pl_free_array(pl, lookup->start);
  *lookup = (pl_lookup){.last = -1};
}

int64_t pl_find_ascending(const int64_t *ids, int64_t n, int64_t id)
{
  if (!n || id < ids[0] || id > ids[n - 1]) return -1;
  if (id - ids[0] < n && ids[id - ids[0]] == id) return id - ids[0];
  /* Interpolation, then steps of growing size, then bisection. */
  int64_t low = 0, high = n - 1;
  int64_t at = (int64_t)((double)(id - ids[0]) / (double)(ids[n - 1] - ids[0]) * (double)high);
  for (int64_t step = 1; low < high; step *= 2) {
    bool above = ids[at] < id;
    *(above ? &low : &high) = at + above;
    at = above ? at + step : at - step;
    if (at <= low || at >= high) break;
  }
  low = pl_lower_bound(ids, low, high, id);
  return ids[low] == id ? low : -1;
}

/* Consecutive global indices that are in one block of a directory. */
typedef struct run {
  int64_t first, n;
} run;

/* Messages to the ranks that store the directory: items of one global index, or runs. */
typedef struct directory_messages {
  pl_rank_sort sort;
  void *sorted, *received;
} directory_messages;

static void free_messages(pl_context *pl, directory_messages *m)
{
  pl_rank_sort_free(pl, &m->sort);
  pl_free_arrays(pl, m->sorted, m->received);
}

/* Sends each item to the rank that stores the owner of the global index with which it begins. */
static pl_err send_items(pl_context *pl, directory_messages *m, const pl_directory *directory, int64_t n,
                         size_t size, const void *items)
{
  pl_rank_sort *sort = &m->sort;
  const char *from = items;
  pl_err err = pl_rank_sort_alloc(pl, n, sort);
  if (!err && !(m->sorted = pl_malloc_array(pl, (size_t)n * size)))
    err = pl_fail_memory(pl, (size_t)n * size);
  PL_TRY(pl_agree(pl, err));
  for (int64_t i = 0, id; i < n; i++) {
    memcpy(&id, from + (size_t)i * size, sizeof id);
    sort->rank[i] = (int)((id - directory->base) / directory->block);
  }
  pl_sort_by_rank(pl, n, sort->rank, sort->count, sort->order);
  for (int64_t i = 0; i < n; i++)
    memcpy((char *)m->sorted + (size_t)i * size, from + (size_t)sort->order[i] * size, size);
  return pl_comm_all_to_all(pl, size, m->sorted, sort->count, &m->received, sort->received_count);
}

/* Sets the base and the block size. */
static pl_err choose_blocks(pl_context *pl, int64_t n, const int64_t *ids, pl_directory *directory)
{
  int64_t bounds[2] = {INT64_MAX, INT64_MAX}; /* the minimum, the negative maximum */
  for (int64_t i = 0; i < n; i++) {
    if (ids[i] < bounds[0]) bounds[0] = ids[i];
    if (-ids[i] < bounds[1]) bounds[1] = -ids[i];
  }
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MIN, bounds, 2));
  bool none = bounds[0] == INT64_MAX;
  directory->base = none ? 0 : bounds[0];
  directory->block = none ? 1 : (-bounds[1] - bounds[0]) / pl_ranks(pl) + 1;
  return PL_SUCCESS;
}

enum { PIECE = 1 << 18 }; /* runs registered at a time */

/* The runs that begin at ids[*at], up to PIECE; *at advances. Returns how many. NULL: only counts. */
static int64_t list_runs(const pl_directory *directory, int64_t n, const int64_t *ids, int64_t *at, run *runs)
{
  int64_t found = 0, i = *at;
  for (; i < n && found < PIECE; found++) {
    const int64_t begin = i, end = ((ids[i] - directory->base) / directory->block + 1) * directory->block;
    while (++i < n && ids[i] == ids[i - 1] + 1 && ids[i] - directory->base < end) continue;
    if (runs) runs[found] = (run){ids[begin], i - begin};
  }
  *at = i;
  return found;
}

static pl_err register_runs(pl_context *pl, pl_directory *directory, int64_t n, const run *runs)
{
  directory_messages m = {.sorted = NULL};
  pl_err err = send_items(pl, &m, directory, n, sizeof *runs, runs);
  int64_t first = directory->base + pl_rank(pl) * directory->block;
  const run *next = m.received;
  for (int r = 0; !err && r < pl_ranks(pl); r++)
    for (int64_t i = 0; i < m.sort.received_count[r]; i++, next++)
      for (int64_t k = 0; k < next->n; k++) directory->owner[next->first - first + k] = r;
  free_messages(pl, &m);
  return err;
}

static pl_err register_owned(pl_context *pl, pl_directory *directory, int64_t n, const int64_t *ids)
{
  int64_t pieces = 0, most = 0, at = 0;
  for (; at < n; pieces++) {
    const int64_t found = list_runs(directory, n, ids, &at, NULL);
    most = found > most ? found : most;
  }
  run *runs = pl_malloc_array(pl, (size_t)most * sizeof *runs);
  pl_err err = pl_agree(pl, runs ? PL_SUCCESS : pl_fail_memory(pl, (size_t)most * sizeof *runs));
  if (!err) err = pl_comm_reduce(pl, PL_INT64, PL_MAX, &pieces, 1);
  at = 0;
  for (int64_t p = 0; p < pieces && !err; p++) {
    const int64_t found = list_runs(directory, n, ids, &at, runs);
    err = register_runs(pl, directory, found, runs);
  }
  pl_free_array(pl, runs);
  return err;
}

static pl_err build_blocks(pl_context *pl, int64_t n, const int64_t *ids, pl_directory *directory)
{
  PL_TRY(choose_blocks(pl, n, ids, directory));
  directory->owner = pl_malloc_array(pl, (size_t)directory->block * sizeof *directory->owner);
  pl_err err = directory->owner ? PL_SUCCESS : pl_fail_memory(pl, (size_t)directory->block * sizeof(int));
  PL_TRY(pl_agree(pl, err));
  memset(directory->owner, -1, (size_t)directory->block * sizeof *directory->owner);
  return register_owned(pl, directory, n, ids);
}

static pl_err gather_first(const pl_set *set, pl_directory *directory)
{
  pl_context *pl = set->node.pl;
  PL_TRY(pl_agree(pl, PL_NEW(pl, directory->first, (size_t)pl_ranks(pl))));
  return pl_comm_gather(pl, &set->first, sizeof set->first, directory->first);
}

pl_err pl_directory_of(const pl_set *set, pl_directory *directory)
{
  pl_context *pl = set->node.pl;
  size_t n = (size_t)set->end[1];
  bool plain = set->global && !set->user_order; /* user order is storage order */
  if (pl_comm_all(pl, !set->global && !set->user_order)) return gather_first(set, directory);
  int64_t *ids = plain ? set->global : pl_malloc_array(pl, (n + 1) * sizeof *ids);
  PL_TRY(pl_agree(pl, ids ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *ids)));
  for (size_t i = 0; !plain && i < n; i++) ids[i] = pl_user_global_index(set, (int)i);
  pl_err err = build_blocks(pl, set->end[1], ids, directory);
  if (!plain) pl_free_array(pl, ids);
  return err;
}

/* Replies to the received ids with their owners and stores the replies to the ids sent. */
static pl_err exchange_owners(pl_context *pl, const pl_directory *directory, directory_messages *m, int64_t n,
                              int *owner)
{
  int64_t first = directory->base + pl_rank(pl) * directory->block;
  int64_t total = pl_count_sum(pl, m->sort.received_count);
  const int64_t *asked = m->received;
  int *replies = NULL;
  int *known = pl_malloc(pl, (size_t)total * sizeof *known);
  PL_TRY(pl_agree(pl, known ? PL_SUCCESS : pl_fail_memory(pl, (size_t)total * sizeof *known)));
  for (int64_t i = 0; i < total; i++) known[i] = directory->owner[asked[i] - first];
  pl_err err =
    pl_comm_all_to_all(pl, sizeof *known, known, m->sort.received_count, (void **)&replies, m->sort.count);
  for (int64_t i = 0; !err && i < n; i++) owner[m->sort.order[i]] = replies[i];
  pl_free(pl, known);
  if (!err) pl_free_array(pl, replies);
  return err;
}

/* The last rank whose first id is not above this one: ranks without elements have the first id of the next.
 */
static int rank_of(const pl_directory *directory, int ranks, int64_t id)
{
  return (int)pl_lower_bound(directory->first, 0, ranks, id + 1) - 1;
}

pl_err pl_directory_find(pl_context *pl, const pl_directory *directory, int64_t n, const int64_t *ids,
                         int *owner)
{
  directory_messages m = {.sorted = NULL};
  for (int64_t i = 0; directory->first && i < n; i++) owner[i] = rank_of(directory, pl_ranks(pl), ids[i]);
  if (directory->first) return pl_comm_check(pl);
  pl_err err = send_items(pl, &m, directory, n, sizeof *ids, ids);
  if (!err) err = exchange_owners(pl, directory, &m, n, owner);
  free_messages(pl, &m);
  return err;
}

void pl_directory_free(pl_context *pl, pl_directory *directory)
{
  pl_free_array(pl, directory->owner);
  pl_free(pl, directory->first);
  directory->owner = NULL;
  directory->first = NULL;
}
