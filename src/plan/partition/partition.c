/* SPDX-License-Identifier: BSD-2-Clause
 * pl_partition and pl_get_partition.
 */
#include "core/chain/deferred_queue.h"
#include "core/base/sized_struct.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/exchange/halo.h"
#include "core/mesh/global_map.h"
#include "core/mesh/remote_rows.h"
#include "core/threads/threads.h"
#include "core/tools/tools.h"
#include "plan/base/arena.h"
#include "plan/base/object_lists.h"
#include "plan/distribution/halo_lists.h"
#include "plan/distribution/migrate.h"
#include "plan/distribution/undistribute.h"
#include "distributed_graph.h"
#include "element_coordinates.h"
#include "partitioners.h"
#include <math.h>
#include <string.h>

/* ---- connected sets ---- */

static int64_t first_target(const pl_map *map, size_t row)
{
  for (size_t k = pl_map_begin(map, row); k < pl_map_begin(map, row + 1); k++)
    if (map->global_index[k] >= 0) return map->global_index[k];
  return -1;
}

/* Elements of the source set get the rank of their first target. */
static pl_err follow_forward(pl_arena *arena, const pl_map *map, const int *to_rank, int *rank)
{
  const pl_set *from = map->from;
  int64_t *ids = pl_malloc_array(arena->pl, ((size_t)from->end[1] + 1) * sizeof *ids);
  if (!ids) arena->failed = true;
  pl_err err = pl_arena_agree(arena);
  const int n = err ? 0 : from->end[1], threads = pl_plan_threads(n, (size_t)n);
  PL_PARALLEL_FOR(threads)
  for (int i = 0; i < n; i++) ids[i] = first_target(map, (size_t)i);
  if (!err) err = pl_rows_find(map->to, sizeof *rank, to_rank, from->end[1], ids, rank);
  pl_free_array(arena->pl, ids);
  for (int i = 0; !err && i < from->end[1]; i++)
    if (rank[i] < 0) rank[i] = pl_rank(arena->pl); /* no target */
  return err;
}

/* A target that several ranks reach gets the first vote or the last, by the parity of its number, so that
 * neither side of a border gets all. */
static void vote(int64_t target, int rank, int *result)
{
  if (*result < 0 || target % 2) *result = rank;
}

enum { PIECE = 1 << 18 }; /* rows whose votes are sent at once */

/* The targets of rows begin .. end - 1 on other ranks. */
static size_t count_remote(const pl_map *map, int begin, int end)
{
  const size_t first = pl_map_begin(map, (size_t)begin), last = pl_map_begin(map, (size_t)end);
  const int threads = pl_plan_threads(PIECE, last - first);
  int64_t n = 0;
  PL_PARALLEL_SUM(threads, n)
  for (size_t k = first; k < last; k++)
    n += map->global_index[k] >= 0 && pl_undistributed_row(map->to, map->global_index[k]) < 0;
  return (size_t)n;
}

/* Rows begin .. end - 1 vote: for targets of this rank at once, for others in the list `remote`. */
static int64_t cast_votes(const pl_map *map, int begin, int end, const int *from_rank, int *rank,
                          pl_global_pair *remote)
{
  int64_t n = 0;
  for (int i = begin; i < end; i++)
    for (size_t k = pl_map_begin(map, (size_t)i); k < pl_map_begin(map, (size_t)i + 1); k++) {
      int64_t target = map->global_index[k], row = target < 0 ? -1 : pl_undistributed_row(map->to, target);
      if (row >= 0) vote(target, from_rank[i], &rank[row]);
      if (target >= 0 && row < 0) remote[n++] = (pl_global_pair){target, from_rank[i]};
    }
  return n;
}

static pl_err follow_piece(const pl_map *map, const pl_directory *owners, int begin, const int *from_rank,
                           int *rank)
{
  pl_context *pl = map->node.pl;
  int all = map->from->end[1], end = all - begin > PIECE ? begin + PIECE : all;
  size_t most = count_remote(map, begin, end);
  pl_global_pair *remote = pl_malloc_array(pl, most * sizeof *remote), *received = NULL;
  int64_t nreceived = 0;
  pl_err err = pl_agree(pl, remote ? PL_SUCCESS : pl_fail_memory(pl, most * sizeof *remote));
  int64_t n = err ? 0 : cast_votes(map, begin, end, from_rank, rank, remote);
  if (!err) err = pl_global_map_deliver(pl, owners, n, remote, &received, &nreceived);
  pl_free_array(pl, remote);
  for (int64_t i = 0; i < nreceived; i++)
    vote(received[i].target, (int)received[i].element,
         &rank[pl_undistributed_row(map->to, received[i].target)]);
  pl_free_array(pl, received);
  return err;
}

/* Elements of the target set get the rank of an element that reaches them. */
static pl_err follow_backward(pl_arena *arena, const pl_map *map, const int *from_rank, int *rank)
{
  pl_context *pl = arena->pl;
  const pl_set *from = map->from, *to = map->to;
  pl_directory owners = {0};
  int pieces = from->end[1] / PIECE + 1;
  for (int i = 0; i < to->end[1]; i++) rank[i] = -1;
  pl_err err = pl_comm_reduce(pl, PL_INT32, PL_MAX, &pieces, 1);
  if (!err) err = pl_directory_of(to, &owners);
  for (int p = 0; p < pieces && !err; p++) {
    bool mine = p <= from->end[1] / PIECE;
    err = follow_piece(map, &owners, mine ? p * PIECE : from->end[1], from_rank, rank);
  }
  pl_directory_free(pl, &owners);
  for (int i = 0; !err && i < to->end[1]; i++)
    if (rank[i] < 0) rank[i] = pl_rank(pl); /* no element reaches it */
  return err;
}

static int index_of(int n, pl_set *const *set, const pl_set *wanted)
{
  for (int i = 0; i < n; i++)
    if (set[i] == wanted) return i;
  return -1;
}

/* The map to follow next, between a set whose ranks are known and another: preferably forward (elements get
 * the rank of a target), which covers every element; among backward ones the one with the most entries. NULL:
 * none. */
static const pl_map *next_map(pl_context *pl, int n, pl_set *const *set, const bool *known)
{
  const pl_map *best = NULL;
  bool best_forward = false;
  PL_EACH (pl_map, map, pl->maps) {
    int from = index_of(n, set, map->from), to = index_of(n, set, map->to);
    if (from < 0 || !map->global_index || known[from] == known[to]) continue;
    bool forward = known[to];
    if (best && (best_forward != forward
                   ? best_forward
                   : best->from->global_size * best->arity >= map->from->global_size * map->arity))
      continue;
    best = map;
    best_forward = forward;
  }
  return best;
}

/* Derives the ranks of all sets of a group from those of one: rank[i] (of set[i], one entry an owned row) is
 * filled in, and known[i] set, along maps from or to a known set. */
static pl_err follow_maps(pl_arena *arena, int n, pl_set *const *set, int **rank, bool *known)
{
  const pl_map *map;
  while ((map = next_map(arena->pl, n, set, known))) {
    int from = index_of(n, set, map->from), to = index_of(n, set, map->to);
    PL_TRY(known[to] ? follow_forward(arena, map, rank[to], rank[from])
                     : follow_backward(arena, map, rank[from], rank[to]));
    known[from] = known[to] = true;
  }
  return PL_SUCCESS;
}

/* ---- methods ---- */

static pl_err check_user(pl_set *set, const int *part)
{
  pl_context *pl = set->node.pl;
  if (!part && set->end[1])
    return pl_fail(pl, PL_ERR_ARG, "pl_partition of \"%s\": PL_PARTITION_USER needs options.part",
                   set->node.name);
  for (int i = 0; i < set->end[1]; i++)
    if (part[i] < 0 || part[i] >= pl_ranks(pl))
      return pl_fail(pl, PL_ERR_RANGE, "pl_partition of \"%s\": part[%d] is %d, but there are ranks 0 to %d",
                     set->node.name, i, part[i], pl_ranks(pl) - 1);
  return PL_SUCCESS;
}

static pl_err check_weights(pl_set *set, const double *weight)
{
  pl_context *pl = set->node.pl;
  for (int i = 0; weight && i < set->end[1]; i++)
    if (!(weight[i] >= 0 && weight[i] < INFINITY))
      return pl_fail(pl, PL_ERR_RANGE,
                     "pl_partition of \"%s\": weight[%d] is %g; weights are finite and not negative",
                     set->node.name, i, weight[i]);
  return PL_SUCCESS;
}

static bool defines_graph(const pl_map *map, const pl_set *set)
{
  return map->to == set && !map->offset && (map->index || map->global_index) && !map->pair_map &&
         map->arity > 1;
}

static pl_map *find_graph_map(const pl_set *set, pl_map *wanted)
{
  pl_map *best = NULL;
  if (wanted) return defines_graph(wanted, set) ? wanted : NULL;
  PL_EACH (pl_map, map, set->node.pl->maps)
    if (defines_graph(map, set) &&
        (!best || best->from->global_size * best->arity < map->from->global_size * map->arity))
      best = map;
  return best;
}

static bool uses_graph(pl_partition_method method)
{
  return method == PL_PARTITION_KWAY || method == PL_PARTITION_SCOTCH;
}

static pl_err check_graph(pl_set *set, pl_partition_method method, const pl_partition_options *options)
{
  pl_context *pl = set->node.pl;
  if (options->map && options->map->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "pl_partition of \"%s\": map \"%s\" belongs to another context",
                   set->node.name, options->map->node.name);
  if (!find_graph_map(set, options->map))
    return pl_fail(
      pl, PL_ERR_ARG,
      "pl_partition of \"%s\": %s%s%s; a partition of a graph needs a map of fixed arity above 1 that "
      "leads to the set",
      set->node.name, options->map ? "map \"" : "no map is suitable",
      options->map ? options->map->node.name : "", options->map ? "\" is not suitable" : "");
  const char *missing =
    pl_module_missing(pl, method == PL_PARTITION_KWAY ? PL_MODULE_METIS : PL_MODULE_SCOTCH);
  if (missing) return pl_fail(pl, PL_ERR_BACKEND, "pl_partition of \"%s\": %s", set->node.name, missing);
  return PL_SUCCESS;
}

/* PL_PARTITION_KWAY, PL_PARTITION_SCOTCH or PL_PARTITION_RANDOM. */
static pl_err choose_by_ids(pl_set *set, pl_partition_method method, const pl_partition_options *options,
                            int *rank)
{
  pl_context *pl = set->node.pl;
  const int n = set->end[1];
  int64_t *ids = pl_malloc_array(pl, ((size_t)n + 1) * sizeof *ids);
  pl_err err = pl_agree(pl, ids ? PL_SUCCESS : pl_fail_memory(pl, (size_t)n * sizeof *ids));
  for (int i = 0; !err && i < n; i++) ids[i] = pl_undistributed_id(set, i);
  if (!err && uses_graph(method)) {
    const pl_map *map = find_graph_map(set, options->map);
    const pl_shared_rows rows = {set->global_end,   map->from->end[1], n, map->arity, ids,
                                 map->global_index, options->weight};
    err = method == PL_PARTITION_KWAY ? pl_partition_kway(pl, &rows, pl_ranks(pl), rank)
                                      : pl_partition_scotch(pl, &rows, rank);
  } else if (!err) {
    err = pl_partition_random(pl, n, ids, options->seed, pl_ranks(pl), rank);
  }
  pl_free_array(pl, ids);
  return err;
}

static bool is_geometric(pl_partition_method method)
{
  return method == PL_PARTITION_BISECTION || method == PL_PARTITION_CURVE;
}

static pl_err choose_ranks(pl_set *set, pl_partition_method method, const pl_partition_options *options,
                           int *rank)
{
  pl_context *pl = set->node.pl;
  if (is_geometric(method)) return pl_partition_by_coordinates(set, method, options, rank);
  if (uses_graph(method) || method == PL_PARTITION_RANDOM) return choose_by_ids(set, method, options, rank);
  int64_t block = (set->global_end + pl_ranks(pl) - 1) / pl_ranks(pl);
  for (int i = 0; i < set->end[1]; i++)
    rank[i] = method == PL_PARTITION_USER ? options->part[i] : (int)(pl_undistributed_id(set, i) / block);
  return PL_SUCCESS;
}

/* ---- pl_partition ---- */

static pl_err check_partition(pl_set *set, pl_partition_method method, const pl_partition_options *options)
{
  pl_context *pl = set->node.pl;
  if (set->parent)
    return pl_fail(pl, PL_ERR_ARG, "pl_partition: \"%s\" is a subset; partition its parent", set->node.name);
  if ((unsigned)method > PL_PARTITION_SCOTCH)
    return pl_fail(pl, PL_ERR_ARG, "pl_partition: %d is not a method", (int)method);
  if (is_geometric(method) || uses_graph(method)) PL_TRY(check_weights(set, options->weight));
  if (is_geometric(method)) return pl_partition_check_coordinates(set, options);
  if (uses_graph(method)) return check_graph(set, method, options);
  return method == PL_PARTITION_USER ? check_user(set, options->part) : PL_SUCCESS;
}

/* Migrates the sets that pl_undistribute has marked. */
static pl_err migrate_group(pl_arena *arena, pl_set *first, pl_partition_method method,
                            const pl_partition_options *options)
{
  pl_context *pl = arena->pl;
  size_t room = pl_node_count(pl->sets);
  int n = 0;
  pl_set **group = pl_arena_alloc(arena, room, sizeof(pl_set *));
  int **rank = pl_arena_alloc(arena, room, sizeof *rank);
  bool *known = pl_arena_alloc(arena, room, sizeof *known);
  pl_set_migration *moves = pl_arena_alloc(arena, room, sizeof *moves);
  PL_TRY(pl_arena_agree(arena));
  PL_EACH (pl_set, set, pl->sets)
    if (set->marked && !set->parent) group[n++] = set;
  for (int i = 0; i < n; i++) {
    rank[i] = pl_malloc_array(pl, (size_t)group[i]->end[1] * sizeof **rank);
    arena->failed |= !rank[i];
    moves[i] = (pl_set_migration){group[i], rank[i]};
  }
  pl_err err = pl_arena_agree(arena);
  int chosen = index_of(n, group, first);
  known[chosen] = true;
  if (!err) err = choose_ranks(first, method, options, rank[chosen]);
  if (!err) err = follow_maps(arena, n, group, rank, known);
  for (int i = 0; !err && i < n; i++)
    if (!known[i]) memset(rank[i], 0, (size_t)group[i]->end[1] * sizeof **rank);
  if (!err) return pl_migrate(pl, n, moves);
  for (int i = 0; i < n; i++) pl_free_array(pl, rank[i]);
  return err;
}

pl_err pl_partition_sized(pl_set *set, pl_partition_method method, const pl_partition_options *options,
                          size_t size)
{
  pl_partition_options own;
  PL_TRY(PL_GIVEN(NULL, "pl_partition", set));
  pl_context *pl = set->node.pl;
  pl_err err = PL_SUCCESS;
  if (!pl_struct_take(&own, sizeof own, options, size)) err = pl_fail_newer(pl, "pl_partition_options");
  if (!err) err = check_partition(set, method, &own);
  PL_TRY(pl_agree_on(pl, err, "pl_partition of \"%s\"", set->node.name));
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  PL_TRY(pl_flush_all(pl));
  pl_arena arena = {.pl = pl};
  pl_event_begin(pl, PL_TOOL_PLAN, "partition", set->node.name, 0);
  err = pl_undistribute(set);
  if (!err) err = migrate_group(&arena, set, method, &own);
  pl_event_end(pl, PL_TOOL_PLAN);
  pl_arena_free(&arena);
  return err;
}

/* ---- quality ---- */

/* The rank that owns each element of a set's halo: owner[e - end[1]]. */
static int *list_halo_owners(const pl_set *set)
{
  pl_context *pl = set->node.pl;
  int *owner = pl_malloc_array(pl, ((size_t)(set->end[3] - set->end[1]) + 1) * sizeof *owner);
  if (owner && set->halo) pl_halo_owners(set, owner);
  return owner;
}

static bool is_cut(const pl_map *map, int row, const int *owner)
{
  int first = -1, owned = map->to->end[1];
  for (int k = 0; k < map->arity; k++) {
    int t = map->index[(size_t)row * (size_t)map->arity + (size_t)k];
    int rank = t < 0 ? first : t < owned ? pl_rank(map->node.pl) : owner[t - owned];
    if (first >= 0 && rank != first) return true;
    first = rank;
  }
  return false;
}

static pl_err measure_quality(pl_map *map, pl_partition_info *info)
{
  pl_context *pl = map->node.pl;
  int *owner = list_halo_owners(map->to);
  int64_t sums[3] = {map->from->end[1], 0, map->to->end[3] - map->to->end[1]};
  int neighbours = map->to->halo ? map->to->halo->n : 0;
  PL_TRY(pl_agree(pl, owner ? PL_SUCCESS : pl_fail_memory(pl, (size_t)sums[2] * sizeof *owner)));
  for (int i = 0; i < map->from->end[1]; i++) sums[1] += is_cut(map, i, owner);
  pl_free_array(pl, owner);
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, sums, 3));
  PL_TRY(pl_comm_reduce(pl, PL_INT32, PL_MAX, &neighbours, 1));
  PL_TRY(pl_set_imbalance(map->to, &info->imbalance));
  info->rows = sums[0];
  info->cut = sums[1];
  info->halo = sums[2];
  info->neighbours = neighbours;
  return PL_SUCCESS;
}

pl_err pl_get_partition_sized(pl_map *map, pl_partition_info *info, size_t size)
{
  pl_partition_info own;
  PL_TRY(PL_GIVEN(NULL, "pl_get_partition", map));
  pl_context *pl = map->node.pl;
  pl_err err = PL_GIVEN(pl, "pl_get_partition", info);
  if (!err && (map->offset || !(map->index || map->global_index)))
    err = pl_fail(pl, PL_ERR_ARG, "pl_get_partition: map \"%s\" %s", map->node.name,
                  map->offset ? "is ragged; this takes maps of fixed arity" : "was declared without indices");
  PL_TRY(pl_agree(pl, err));
  PL_TRY(pl_notify_distribute(pl));
  PL_TRY(measure_quality(map, &own));
  pl_struct_give(info, size, &own, sizeof own);
  return PL_SUCCESS;
}
