/* SPDX-License-Identifier: BSD-2-Clause
 * Routes. See route.h.
 */
#include "route.h"
#include "core/directory.h"
#include <string.h>

enum { PIECE = 4 << 20 }; /* bytes that a rank sends at a time */

pl_err pl_route_tell(pl_context *pl, pl_route *route)
{
  PL_TRY(pl_comm_counts(pl, route->count, route->came_count));
  route->ncome = pl_count_sum(pl, route->came_count);
  return PL_SUCCESS;
}

/* One journey along a route. */
typedef struct journey {
  pl_context *pl;
  const pl_route *route;
  size_t stride;
  const char *rows;
  char *result, *send;
  int64_t most;                /* rows for each rank in a piece */
  int64_t *begin, *came_begin; /* where the rows of each rank begin that are still to go, to come */
  int64_t *take, *came_take;   /* rows of this piece */
} journey;

static char *place_of(const journey *j, int64_t arrival)
{
  int64_t row = j->route->place ? j->route->place[arrival] : arrival;
  return j->result + (size_t)row * j->stride;
}

static const char *row_at(const journey *j, int64_t number)
{
  int64_t row = j->route->order ? j->route->order[number] : number;
  return j->rows + (size_t)row * j->stride;
}

/* What stays on this rank does not travel. */
static void keep_own(journey *j)
{
  const int me = pl_rank(j->pl);
  for (int64_t i = 0; i < j->route->count[me]; i++)
    memcpy(place_of(j, j->came_begin[me] + i), row_at(j, j->begin[me] + i), j->stride);
}

static int64_t left_over(const journey *j, int rank, int64_t piece)
{
  int64_t left = rank == pl_rank(j->pl) ? 0 : j->route->count[rank] - piece * j->most;
  return left < 0 ? 0 : left > j->most ? j->most : left;
}

static void pack(journey *j, int64_t piece)
{
  char *to = j->send;
  for (int r = 0; r < pl_ranks(j->pl); r++) {
    j->take[r] = left_over(j, r, piece);
    for (int64_t i = 0; i < j->take[r]; i++, to += j->stride)
      memcpy(to, row_at(j, j->begin[r] + piece * j->most + i), j->stride);
  }
}

static void unpack(journey *j, int64_t piece, const char *came)
{
  for (int r = 0; r < pl_ranks(j->pl); r++)
    for (int64_t i = 0; i < j->came_take[r]; i++, came += j->stride)
      memcpy(place_of(j, j->came_begin[r] + piece * j->most + i), came, j->stride);
}

static pl_err open_journey(journey *j)
{
  pl_context *pl = j->pl;
  const size_t ranks = (size_t)pl_ranks(pl);
  j->most = (int64_t)(PIECE / (j->stride + 1) / ranks) + 1;
  j->begin = pl_calloc(pl, 4 * ranks, sizeof *j->begin);
  if (!j->begin) return pl_fail_memory(pl, 4 * ranks * sizeof *j->begin);
  j->came_begin = j->begin + ranks;
  j->take = j->came_begin + ranks;
  j->came_take = j->take + ranks;
  int64_t room = 0;
  for (size_t r = 0; r < ranks; r++) {
    if (r) j->begin[r] = j->begin[r - 1] + j->route->count[r - 1];
    if (r) j->came_begin[r] = j->came_begin[r - 1] + j->route->came_count[r - 1];
    room += left_over(j, (int)r, 0);
  }
  j->send = pl_malloc_array(pl, (size_t)room * j->stride);
  return j->send ? PL_SUCCESS : pl_fail_memory(pl, (size_t)room * j->stride);
}

static pl_err count_pieces(const journey *j, int64_t *pieces)
{
  *pieces = 0;
  for (int r = 0; r < pl_ranks(j->pl); r++) {
    int64_t here = r == pl_rank(j->pl) ? 0 : (j->route->count[r] + j->most - 1) / j->most;
    if (here > *pieces) *pieces = here;
  }
  return pl_comm_reduce(j->pl, PL_INT64, PL_MAX, pieces, 1);
}

static pl_err travel(journey *j)
{
  int64_t pieces;
  PL_TRY(count_pieces(j, &pieces));
  keep_own(j);
  for (int64_t piece = 0; piece < pieces; piece++) {
    void *came;
    pack(j, piece);
    PL_TRY(pl_comm_exchange(j->pl, j->stride, j->send, j->take, &came, j->came_take));
    unpack(j, piece, came);
    pl_free_array(j->pl, came);
  }
  return PL_SUCCESS;
}

pl_err pl_route_carry(pl_context *pl, const pl_route *route, size_t stride, const void *rows, void *result)
{
  journey j = {.pl = pl, .route = route, .stride = stride, .rows = rows, .result = result};
  pl_err err = pl_agree(pl, open_journey(&j));
  if (!err) err = travel(&j);
  pl_free(pl, j.begin);
  pl_free_array(pl, j.send);
  return err;
}

/* ---- ragged rows: their lengths, then their entries as rows of their own ---- */

typedef struct rows {
  int *length, *came_length; /* by number; by place */
  int *offset;               /* of what came */
  int64_t *far;
  pl_route entries;
} rows;

static pl_err make_rows(pl_context *pl, const pl_route *route, const int *offset, rows *r)
{
  size_t ranks = (size_t)pl_ranks(pl), n = (size_t)route->n;
  r->length = pl_malloc_array(pl, n * sizeof *r->length);
  r->came_length = pl_malloc_array(pl, (size_t)route->ncome * sizeof *r->came_length);
  r->offset = pl_calloc(pl, (size_t)route->ncome + 1, sizeof *r->offset);
  r->entries.count = pl_calloc(pl, 2 * ranks, sizeof *r->entries.count);
  if (!r->length || !r->came_length || !r->offset || !r->entries.count)
    return pl_fail_memory(pl, (n + (size_t)route->ncome) * sizeof *r->offset);
  r->entries.came_count = r->entries.count + ranks;
  for (size_t rank = 0, i = 0; rank < ranks; rank++)
    for (size_t end = i + (size_t)route->count[rank]; i < end; i++) {
      int row = route->order[i], length = offset[row + 1] - offset[row];
      r->length[i] = length;
      r->entries.count[rank] += length;
      r->entries.n += length;
    }
  return PL_SUCCESS;
}

static pl_err find_offsets(pl_context *pl, const pl_route *route, rows *r)
{
  int64_t entries = 0;
  for (int64_t i = 0; i < route->ncome; i++) {
    entries += r->came_length[i];
    if (entries > INT32_MAX)
      return pl_fail(pl, PL_ERR_RANGE, "a ragged map has more than %d entries on one rank; use more ranks",
                     INT32_MAX);
    r->offset[i + 1] = (int)entries;
  }
  r->far = pl_malloc_array(pl, (size_t)entries * sizeof *r->far);
  r->entries.order = pl_malloc_array(pl, (size_t)r->entries.n * sizeof(int));
  r->entries.place = pl_malloc_array(pl, (size_t)entries * sizeof(int));
  bool all = r->far && r->entries.order && r->entries.place;
  return all ? PL_SUCCESS : pl_fail_memory(pl, (size_t)entries * sizeof *r->far);
}

static void route_entries(const pl_route *route, const int *offset, rows *r)
{
  int *next = r->entries.order;
  for (int64_t i = 0; i < route->n; i++)
    for (int k = offset[route->order[i]]; k < offset[route->order[i] + 1]; k++) *next++ = k;
  next = r->entries.place;
  for (int64_t i = 0; i < route->ncome; i++) {
    int64_t row = route->place ? route->place[i] : i;
    for (int k = r->offset[row]; k < r->offset[row + 1]; k++) *next++ = k;
  }
}

static pl_err carry_ragged(pl_context *pl, const pl_route *route, const int *offset, const int64_t *far,
                           rows *r)
{
  pl_route lengths = *route;
  lengths.order = NULL;
  PL_TRY(pl_agree(pl, make_rows(pl, route, offset, r)));
  PL_TRY(pl_route_carry(pl, &lengths, sizeof *r->length, r->length, r->came_length));
  PL_TRY(pl_agree(pl, find_offsets(pl, route, r)));
  PL_TRY(pl_route_tell(pl, &r->entries));
  route_entries(route, offset, r);
  return pl_route_carry(pl, &r->entries, sizeof *far, far, r->far);
}

pl_err pl_route_carry_ragged(pl_context *pl, const pl_route *route, const int *offset, const int64_t *far,
                             int **came_offset, int64_t **came)
{
  rows r = {.length = NULL};
  pl_err err = carry_ragged(pl, route, offset, far, &r);
  pl_free_array(pl, r.length);
  pl_free_array(pl, r.came_length);
  pl_free(pl, r.entries.count);
  pl_free_array(pl, r.entries.order);
  pl_free_array(pl, r.entries.place);
  if (err) {
    pl_free(pl, r.offset);
    pl_free_array(pl, r.far);
  }
  *came_offset = err ? NULL : r.offset;
  *came = err ? NULL : r.far;
  return err;
}
