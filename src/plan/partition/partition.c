/* SPDX-License-Identifier: BSD-2-Clause
 * Partitioning. See partition.h; the public function is pl_partition.
 */
#include "partition.h"
#include "core/chain.h"
#include "core/far.h"
#include "core/fetch.h"
#include "metis.h"
#include "parts.h"
#include <math.h>
#include <string.h>

#define EACH(type, object, list)                                                                             \
  for (type *object = (type *)(list); object; object = (type *)object->node.next)

static pl_err agree(pl_scratch *scratch)
{
  return pl_agree(scratch->pl, pl_scratch_check(scratch));
}

/* ---- following ---- */

/* Elements of the map's start go with their first target. */
static pl_err follow_forward(pl_scratch *scratch, const pl_map *map, const int *to_rank, int *rank)
{
  const pl_set *from = map->from;
  int64_t *ids = pl_malloc_array(scratch->pl, ((size_t)from->part[1] + 1) * sizeof *ids);
  if (!ids) scratch->failed = true;
  pl_err err = agree(scratch);
  for (int i = 0; !err && i < from->part[1]; i++) {
    ids[i] = -1;
    for (size_t k = pl_map_begin(map, (size_t)i + 1); k-- > pl_map_begin(map, (size_t)i);)
      if (map->far[k] >= 0) ids[i] = map->far[k];
  }
  if (!err) err = pl_rows_find(map->to, sizeof *rank, to_rank, from->part[1], ids, rank);
  pl_free_array(scratch->pl, ids);
  for (int i = 0; !err && i < from->part[1]; i++)
    if (rank[i] < 0) rank[i] = pl_rank(scratch->pl); /* it has no target */
  return err;
}

/* An element that several ranks reach goes with the first that is heard of, or the last, by its number, so
 * that neither side of a border gets all. */
static void vote(int64_t target, int rank, int *result)
{
  if (*result < 0 || target % 2) *result = rank;
}

enum { PIECE = 1 << 18 }; /* rows whose votes travel at a time */

/* Rows begin .. end - 1 vote: for elements of this rank at once, for others' by letters. */
static int64_t take_votes(const pl_map *map, int begin, int end, const int *from_rank, int *rank,
                          pl_far_pair *letters)
{
  int64_t n = 0;
  for (int i = begin; i < end; i++)
    for (size_t k = pl_map_begin(map, (size_t)i); k < pl_map_begin(map, (size_t)i + 1); k++) {
      int64_t target = map->far[k], row = target < 0 ? -1 : pl_loose_row(map->to, target);
      if (row >= 0) vote(target, from_rank[i], &rank[row]);
      if (target >= 0 && row < 0) letters[n++] = (pl_far_pair){target, from_rank[i]};
    }
  return n;
}

static pl_err follow_piece(const pl_map *map, const pl_directory *owners, int begin, const int *from_rank,
                           int *rank)
{
  pl_context *pl = map->node.pl;
  int all = map->from->part[1], end = all - begin > PIECE ? begin + PIECE : all;
  size_t most = pl_map_begin(map, (size_t)end) - pl_map_begin(map, (size_t)begin);
  pl_far_pair *letters = pl_malloc_array(pl, most * sizeof *letters), *came = NULL;
  int64_t ncame = 0;
  pl_err err = pl_agree(pl, letters ? PL_SUCCESS : pl_fail_memory(pl, most * sizeof *letters));
  int64_t n = err ? 0 : take_votes(map, begin, end, from_rank, rank, letters);
  if (!err) err = pl_far_deliver(pl, owners, n, letters, &came, &ncame);
  pl_free_array(pl, letters);
  for (int64_t i = 0; i < ncame; i++)
    vote(came[i].target, (int)came[i].element, &rank[pl_loose_row(map->to, came[i].target)]);
  pl_free_array(pl, came);
  return err;
}

/* Elements of the map's end go with those that reach them. */
static pl_err follow_backward(pl_scratch *scratch, const pl_map *map, const int *from_rank, int *rank)
{
  pl_context *pl = scratch->pl;
  const pl_set *from = map->from, *to = map->to;
  pl_directory owners = {0};
  int pieces = from->part[1] / PIECE + 1;
  for (int i = 0; i < to->part[1]; i++) rank[i] = -1;
  pl_err err = pl_comm_reduce(pl, PL_INT32, PL_MAX, &pieces, 1);
  if (!err) err = pl_directory_of(to, &owners);
  for (int p = 0; p < pieces && !err; p++) {
    bool mine = p <= from->part[1] / PIECE;
    err = follow_piece(map, &owners, mine ? p * PIECE : from->part[1], from_rank, rank);
  }
  pl_directory_free(pl, &owners);
  for (int i = 0; !err && i < to->part[1]; i++)
    if (rank[i] < 0) rank[i] = pl_rank(pl); /* nothing reaches it */
  return err;
}

static int number_of(int n, pl_set *const *set, const pl_set *wanted)
{
  for (int i = 0; i < n; i++)
    if (set[i] == wanted) return i;
  return -1;
}

/* The map to follow next, from a set whose ranks are known or to one: rather one by which elements go with
 * their targets, which settles every element, than one by which targets go with what reaches them, of which
 * the one with the most entries reaches the most. NULL: nothing is left. */
static const pl_map *next_map(pl_context *pl, int n, pl_set *const *set, const bool *known)
{
  const pl_map *best = NULL;
  bool best_forward = false;
  EACH(pl_map, map, pl->maps)
  {
    int from = number_of(n, set, map->from), to = number_of(n, set, map->to);
    if (from < 0 || !map->far || known[from] == known[to]) continue;
    bool forward = known[to];
    if (best && (best_forward != forward ? best_forward
                                         : best->from->all * best->arity >= map->from->all * map->arity))
      continue;
    best = map;
    best_forward = forward;
  }
  return best;
}

pl_err pl_partition_follow(pl_scratch *scratch, int n, pl_set *const *set, int **rank, bool *known)
{
  const pl_map *map;
  while ((map = next_map(scratch->pl, n, set, known))) {
    int from = number_of(n, set, map->from), to = number_of(n, set, map->to);
    PL_TRY(known[to] ? follow_forward(scratch, map, rank[to], rank[from])
                     : follow_backward(scratch, map, rank[from], rank[to]));
    known[from] = known[to] = true;
  }
  return PL_SUCCESS;
}

/* ---- methods ---- */

/* The global indices of a loose set's elements, in an array for the caller to free. Collective. */
static pl_err own_ids(const pl_set *set, int64_t **ids)
{
  pl_context *pl = set->node.pl;
  size_t n = (size_t)set->part[1];
  *ids = pl_malloc_array(pl, (n + 1) * sizeof **ids);
  for (size_t i = 0; *ids && i < n; i++) (*ids)[i] = pl_loose_id(set, (int)i);
  return pl_agree(pl, *ids ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof **ids));
}

static pl_err check_user(pl_set *set, const int *part)
{
  pl_context *pl = set->node.pl;
  if (!part && set->part[1])
    return pl_fail(pl, PL_ERR_ARG, "pl_partition of \"%s\": PL_PARTITION_USER needs options.part",
                   set->node.name);
  for (int i = 0; i < set->part[1]; i++)
    if (part[i] < 0 || part[i] >= pl_ranks(pl))
      return pl_fail(pl, PL_ERR_RANGE, "pl_partition of \"%s\": part[%d] is %d, but there are ranks 0 to %d",
                     set->node.name, i, part[i], pl_ranks(pl) - 1);
  return PL_SUCCESS;
}

static pl_err check_weights(pl_set *set, const double *weight)
{
  pl_context *pl = set->node.pl;
  for (int i = 0; weight && i < set->part[1]; i++)
    if (!(weight[i] >= 0 && weight[i] < INFINITY))
      return pl_fail(pl, PL_ERR_RANGE,
                     "pl_partition of \"%s\": weight[%d] is %g; weights are finite and not negative",
                     set->node.name, i, weight[i]);
  return PL_SUCCESS;
}

/* Whether a map can say which elements of a set are neighbours. */
static bool ties(const pl_map *map, const pl_set *set)
{
  return map->to == set && !map->offset && (map->index || map->far) && !map->pair_map && map->arity > 1;
}

static pl_map *find_ties(const pl_set *set, pl_map *wanted)
{
  pl_map *best = NULL;
  if (wanted) return ties(wanted, set) ? wanted : NULL;
  EACH(pl_map, map, set->node.pl->maps)
  if (ties(map, set) && (!best || best->from->all * best->arity < map->from->all * map->arity)) best = map;
  return best;
}

static pl_err check_kway(pl_set *set, const pl_partition_options *options)
{
  pl_context *pl = set->node.pl;
  if (options->map && options->map->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "pl_partition of \"%s\": map \"%s\" belongs to another context",
                   set->node.name, options->map->node.name);
  if (!find_ties(set, options->map))
    return pl_fail(
      pl, PL_ERR_ARG,
      "pl_partition of \"%s\": %s%s%s; a k-way partition needs a map of fixed arity above 1 that "
      "leads to the set",
      set->node.name, options->map ? "map \"" : "no map will do", options->map ? options->map->node.name : "",
      options->map ? "\" will not do" : "");
  if (pl_metis_unavailable())
    return pl_fail(pl, PL_ERR_BACKEND, "pl_partition of \"%s\": %s", set->node.name, pl_metis_unavailable());
  return PL_SUCCESS;
}

static pl_err choose_kway(pl_set *set, const pl_partition_options *options, int *rank)
{
  pl_context *pl = set->node.pl;
  const pl_map *map = find_ties(set, options->map);
  int64_t *ids;
  pl_err err = own_ids(set, &ids);
  if (!err)
    err = pl_partition_kway(pl,
                            &(pl_shared_rows){.all = set->ids,
                                              .n = set->part[1],
                                              .id = ids,
                                              .weight = options->weight,
                                              .nrows = map->from->part[1],
                                              .arity = map->arity,
                                              .row = map->far},
                            pl_ranks(pl), rank);
  pl_free_array(pl, ids);
  return err;
}

static pl_err choose_random(pl_set *set, uint64_t seed, int *rank)
{
  pl_context *pl = set->node.pl;
  int64_t *ids;
  pl_err err = own_ids(set, &ids);
  if (!err) err = pl_partition_random(pl, set->part[1], ids, seed, pl_ranks(pl), rank);
  pl_free_array(pl, ids);
  return err;
}

static bool is_geometric(pl_partition_method method)
{
  return method == PL_PARTITION_BISECTION || method == PL_PARTITION_CURVE;
}

static pl_err choose(pl_set *set, pl_partition_method method, const pl_partition_options *options, int *rank)
{
  pl_context *pl = set->node.pl;
  if (is_geometric(method)) return pl_partition_by_place(set, method, options, rank);
  if (method == PL_PARTITION_KWAY) return choose_kway(set, options, rank);
  if (method == PL_PARTITION_RANDOM) return choose_random(set, options->seed, rank);
  int64_t block = (set->ids + pl_ranks(pl) - 1) / pl_ranks(pl);
  for (int i = 0; i < set->part[1]; i++)
    rank[i] = method == PL_PARTITION_USER ? options->part[i] : (int)(pl_loose_id(set, i) / block);
  return PL_SUCCESS;
}

/* ---- all together ---- */

static pl_err check(pl_set *set, pl_partition_method method, const pl_partition_options *options)
{
  pl_context *pl = set->node.pl;
  if (set->parent)
    return pl_fail(pl, PL_ERR_ARG, "pl_partition: \"%s\" is a subset; partition its parent", set->node.name);
  if ((unsigned)method > PL_PARTITION_KWAY)
    return pl_fail(pl, PL_ERR_ARG, "pl_partition: %d is not a method", (int)method);
  if (is_geometric(method) || method == PL_PARTITION_KWAY) PL_TRY(check_weights(set, options->weight));
  if (is_geometric(method)) return pl_partition_check_place(set, options);
  if (method == PL_PARTITION_KWAY) return check_kway(set, options);
  return method == PL_PARTITION_USER ? check_user(set, options->part) : PL_SUCCESS;
}

/* The sets whose marks pl_loosen has left: those of one group. */
static pl_err move_group(pl_scratch *scratch, pl_set *first, pl_partition_method method,
                         const pl_partition_options *options)
{
  pl_context *pl = scratch->pl;
  int n = 0, room = 0;
  EACH(pl_set, set, pl->sets)
  room += set->marked && !set->parent;
  pl_set **group = pl_scratch_take(scratch, (size_t)room, sizeof(pl_set *));
  int **rank = pl_scratch_take(scratch, (size_t)room, sizeof *rank);
  bool *known = pl_scratch_take(scratch, (size_t)room, sizeof *known);
  pl_move *moves = pl_scratch_take(scratch, (size_t)room, sizeof *moves);
  PL_TRY(agree(scratch));
  EACH(pl_set, set, pl->sets)
  if (set->marked && !set->parent) group[n++] = set;
  for (int i = 0; i < n; i++) {
    rank[i] = pl_scratch_take(scratch, (size_t)group[i]->part[1], sizeof **rank);
    moves[i] = (pl_move){group[i], rank[i]};
  }
  PL_TRY(agree(scratch));
  int chosen = number_of(n, group, first);
  known[chosen] = true;
  PL_TRY(choose(first, method, options, rank[chosen]));
  PL_TRY(pl_partition_follow(scratch, n, group, rank, known));
  return pl_migrate(pl, n, moves);
}

pl_err pl_partition(pl_set *set, pl_partition_method method, const pl_partition_options *options)
{
  static const pl_partition_options none = {0};
  if (!set) return PL_ERR_ARG;
  pl_context *pl = set->node.pl;
  if (!options) options = &none;
  PL_TRY(pl_agree_on(pl, check(set, method, options), "pl_partition of \"%s\"", set->node.name));
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  PL_TRY(pl_late_run(pl));
  pl_scratch scratch = {.pl = pl};
  PL_TRY(pl_loosen(set));
  pl_err err = move_group(&scratch, set, method, options);
  pl_scratch_free(&scratch);
  return err;
}

/* ---- how good it is ---- */

/* The rank that owns each copy in a set's halo: owner[e - part[1]]. */
static int *halo_owners(const pl_set *set)
{
  pl_context *pl = set->node.pl;
  const pl_halo *halo = set->halo;
  int *owner = pl_malloc_array(pl, ((size_t)(set->part[3] - set->part[1]) + 1) * sizeof *owner);
  for (int i = 0; owner && halo && i < halo->n; i++)
    for (int k = halo->receive_offset[i]; k < halo->receive_offset[i + 1]; k++)
      owner[halo->receive[k] - set->part[1]] = halo->rank[i];
  return owner;
}

static bool is_cut(const pl_map *map, int row, const int *owner)
{
  int first = -1, owned = map->to->part[1];
  for (int k = 0; k < map->arity; k++) {
    int t = map->index[(size_t)row * (size_t)map->arity + (size_t)k];
    int rank = t < 0 ? first : t < owned ? pl_rank(map->node.pl) : owner[t - owned];
    if (first >= 0 && rank != first) return true;
    first = rank;
  }
  return false;
}

static pl_err judge(pl_map *map, pl_partition_info *info)
{
  pl_context *pl = map->node.pl;
  int *owner = halo_owners(map->to);
  int64_t sums[3] = {map->from->part[1], 0, map->to->part[3] - map->to->part[1]};
  int neighbours = map->to->halo ? map->to->halo->n : 0;
  PL_TRY(pl_agree(pl, owner ? PL_SUCCESS : pl_fail_memory(pl, (size_t)sums[2] * sizeof *owner)));
  for (int i = 0; i < map->from->part[1]; i++) sums[1] += is_cut(map, i, owner);
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

pl_err pl_get_partition(pl_map *map, pl_partition_info *info)
{
  if (!map) return PL_ERR_ARG;
  pl_context *pl = map->node.pl;
  pl_err err = PL_SUCCESS;
  if (!info)
    err = pl_fail(pl, PL_ERR_ARG, "pl_get_partition: a pointer is NULL");
  else if (map->offset || !(map->index || map->far))
    err = pl_fail(pl, PL_ERR_ARG, "pl_get_partition: map \"%s\" %s", map->node.name,
                  map->offset ? "is ragged; this takes maps of fixed arity" : "was declared without indices");
  PL_TRY(pl_agree(pl, err));
  if (pl->place) PL_TRY(pl->place(pl));
  return judge(map, info);
}
