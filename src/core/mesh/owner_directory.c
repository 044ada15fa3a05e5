/* SPDX-License-Identifier: BSD-2-Clause
 * The directory of owners. See directory.h.
 */
#include "directory.h"
#include <string.h>

void pl_sort_by_rank(pl_context *pl, int64_t n, const int *rank, int64_t *count, int64_t *order)
{
  int ranks = pl_ranks(pl);
  memset(count, 0, (size_t)ranks * sizeof *count);
  for (int64_t i = 0; i < n; i++) count[rank[i]]++;
  int64_t begin = 0;
  for (int r = 0; r < ranks; r++) { /* count[r]: where its items begin, then where they end */
    int64_t next = begin + count[r];
    count[r] = begin;
    begin = next;
  }
  for (int64_t i = 0; i < n; i++) order[count[rank[i]]++] = i;
  for (int r = ranks - 1; r > 0; r--) count[r] -= count[r - 1];
}

int64_t pl_count_sum(const pl_context *pl, const int64_t *count)
{
  int64_t sum = 0;
  for (int r = 0; r < pl_ranks(pl); r++) sum += count[r];
  return sum;
}

/* About as many intervals as half the ids. */
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
  /* From where it would be if the gaps were even, in growing steps, then by halves. */
  int64_t low = 0, high = n - 1;
  int64_t at = (int64_t)((double)(id - ids[0]) / (double)(ids[n - 1] - ids[0]) * (double)high);
  for (int64_t step = 1; low < high; step *= 2) {
    bool above = ids[at] < id;
    *(above ? &low : &high) = at + above;
    at = above ? at + step : at - step;
    if (at <= low || at >= high) break;
  }
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (ids[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return ids[low] == id ? low : -1;
}

/* Questions or announcements on their way to the ranks that hold the directory. */
typedef struct letters {
  int *rank;
  int64_t *count, *order, *sorted;
  int64_t *came_count, *came; /* what arrived here */
} letters;

static void free_letters(pl_context *pl, letters *l)
{
  pl_free(pl, l->rank);
  pl_free(pl, l->count);
  pl_free(pl, l->order);
  pl_free(pl, l->sorted);
  pl_free(pl, l->came_count);
  pl_free_array(pl, l->came);
}

static pl_err make_letters(pl_context *pl, letters *l, int64_t n)
{
  size_t ranks = (size_t)pl_ranks(pl), items = (size_t)n;
  l->rank = pl_malloc(pl, items * sizeof *l->rank);
  l->order = pl_malloc(pl, items * sizeof *l->order);
  l->sorted = pl_malloc(pl, items * sizeof *l->sorted);
  l->count = pl_malloc(pl, ranks * sizeof *l->count);
  l->came_count = pl_malloc(pl, ranks * sizeof *l->came_count);
  bool all = l->rank && l->order && l->sorted && l->count && l->came_count;
  return all ? PL_SUCCESS : pl_fail_memory(pl, items * sizeof *l->sorted);
}

static pl_err send_letters(pl_context *pl, letters *l, const pl_directory *directory, int64_t n,
                           const int64_t *ids)
{
  PL_TRY(pl_agree(pl, make_letters(pl, l, n)));
  for (int64_t i = 0; i < n; i++) l->rank[i] = (int)((ids[i] - directory->base) / directory->block);
  pl_sort_by_rank(pl, n, l->rank, l->count, l->order);
  for (int64_t i = 0; i < n; i++) l->sorted[i] = ids[l->order[i]];
  return pl_comm_exchange(pl, sizeof *l->sorted, l->sorted, l->count, (void **)&l->came, l->came_count);
}

/* Where global indices begin, and how many each rank knows the owners of. */
static pl_err find_blocks(pl_context *pl, int64_t n, const int64_t *ids, pl_directory *directory)
{
  int64_t bounds[2] = {INT64_MAX, INT64_MAX}; /* the least, and the least of the negated */
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

enum { PIECE = 1 << 18 }; /* elements that a rank announces at a time */

static pl_err announce(pl_context *pl, pl_directory *directory, int64_t n, const int64_t *ids)
{
  letters l = {0};
  pl_err err = send_letters(pl, &l, directory, n, ids);
  int64_t first = directory->base + pl_rank(pl) * directory->block;
  const int64_t *came = l.came;
  for (int r = 0; !err && r < pl_ranks(pl); r++)
    for (int64_t i = 0; i < l.came_count[r]; i++) directory->owner[*came++ - first] = r;
  free_letters(pl, &l);
  return err;
}

pl_err pl_directory_build(pl_context *pl, int64_t n, const int64_t *ids, pl_directory *directory)
{
  PL_TRY(find_blocks(pl, n, ids, directory));
  directory->owner = pl_malloc_array(pl, (size_t)directory->block * sizeof *directory->owner);
  pl_err err = directory->owner ? PL_SUCCESS : pl_fail_memory(pl, (size_t)directory->block * sizeof(int));
  PL_TRY(pl_agree(pl, err));
  memset(directory->owner, -1, (size_t)directory->block * sizeof *directory->owner);
  int64_t pieces = (n + PIECE - 1) / PIECE;
  err = pl_comm_reduce(pl, PL_INT64, PL_MAX, &pieces, 1);
  for (int64_t p = 0; p < pieces && !err; p++) {
    int64_t begin = p * PIECE < n ? p * PIECE : n, end = begin + PIECE < n ? begin + PIECE : n;
    err = announce(pl, directory, end - begin, ids + begin);
  }
  return err;
}

pl_err pl_directory_of(const pl_set *set, pl_directory *directory)
{
  pl_context *pl = set->node.pl;
  size_t n = (size_t)set->part[1];
  bool plain = set->global && !set->view; /* they stand there already */
  int64_t *ids = plain ? set->global : pl_malloc_array(pl, (n + 1) * sizeof *ids);
  PL_TRY(pl_agree(pl, ids ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *ids)));
  for (size_t i = 0; !plain && i < n; i++) ids[i] = pl_view_number(set, (int)i);
  pl_err err = pl_directory_build(pl, set->part[1], ids, directory);
  if (!plain) pl_free_array(pl, ids);
  return err;
}

static pl_err answer(pl_context *pl, const pl_directory *directory, letters *l, int64_t n, int *owner)
{
  int64_t first = directory->base + pl_rank(pl) * directory->block;
  int64_t total = pl_count_sum(pl, l->came_count);
  int *replies = NULL;
  int *known = pl_malloc(pl, (size_t)total * sizeof *known);
  PL_TRY(pl_agree(pl, known ? PL_SUCCESS : pl_fail_memory(pl, (size_t)total * sizeof *known)));
  for (int64_t i = 0; i < total; i++) known[i] = directory->owner[l->came[i] - first];
  pl_err err = pl_comm_exchange(pl, sizeof *known, known, l->came_count, (void **)&replies, l->count);
  for (int64_t i = 0; !err && i < n; i++) owner[l->order[i]] = replies[i];
  pl_free(pl, known);
  if (!err) pl_free_array(pl, replies);
  return err;
}

pl_err pl_directory_find(pl_context *pl, const pl_directory *directory, int64_t n, const int64_t *ids,
                         int *owner)
{
  letters l = {0};
  pl_err err = send_letters(pl, &l, directory, n, ids);
  if (!err) err = answer(pl, directory, &l, n, owner);
  free_letters(pl, &l);
  return err;
}

void pl_directory_free(pl_context *pl, pl_directory *directory)
{
  pl_free_array(pl, directory->owner);
  directory->owner = NULL;
}
