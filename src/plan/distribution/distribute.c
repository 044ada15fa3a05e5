/* SPDX-License-Identifier: BSD-2-Clause
 * From undistributed sets to distributed ones.
 *
 * Objects are converted one after the other, and the old arrays of each are freed at once, so that no rank
 * needs much more memory than before or after; an error after the first one is final
 * (pl_distribution_abandon).
 */
#include "distribute.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/exchange/halo.h"
#include "core/particles/pair_map.h"
#include "core/threads/threads.h"
#include "core/tools/tools.h"
#include "plan/base/object_lists.h"
#include "connected_sets.h"
#include "halo_lists.h"
#include "partial_halo.h"
#include "undistribute.h"
#include <string.h>

typedef struct work {
  pl_context *pl;
  pl_arena arena;
  bool begun; /* some object is distributed */
  pl_dist_group group;
  int ndats, nsubsets;
  pl_halo **halo;          /* of each set */
  unsigned char *negative; /* of each map: it has negative entries */
  pl_dat **dat;
  pl_set **subset;
  int **members; /* of each subset */
  int (*end)[4];
} work;

static pl_dist_set *find_set(const work *w, const pl_set *set)
{
  for (int i = 0; i < w->group.nsets; i++)
    if (w->group.set[i].set == set) return &w->group.set[i];
  return NULL;
}

static void collect_objects(work *w)
{
  pl_context *pl = w->pl;
  pl_dist_group *g = &w->group;
  size_t sets = pl_node_count(pl->sets), maps = pl_node_count(pl->maps);
  g->set = pl_arena_alloc(&w->arena, sets, sizeof *g->set);
  g->map = pl_arena_alloc(&w->arena, maps, sizeof *g->map);
  w->halo = pl_arena_alloc(&w->arena, sets, sizeof(pl_halo *));
  w->negative = pl_arena_alloc(&w->arena, maps, 1);
  w->dat = pl_arena_alloc(&w->arena, pl_node_count(pl->dats), sizeof(pl_dat *));
  w->subset = pl_arena_alloc(&w->arena, sets, sizeof(pl_set *));
  w->members = pl_arena_alloc(&w->arena, sets, sizeof *w->members);
  w->end = pl_arena_alloc(&w->arena, sets, sizeof *w->end);
  if (w->arena.failed) return;
  PL_EACH (pl_set, set, pl->sets) {
    if (set->marked && !set->parent) g->set[g->nsets++] = (pl_dist_set){.set = set, .n = set->end[1]};
    if (set->parent && set->parent->marked) w->subset[w->nsubsets++] = set;
  }
  PL_EACH (pl_dat, dat, pl->dats)
    if (dat->set->marked) w->dat[w->ndats++] = dat;
  PL_EACH (pl_map, map, pl->maps)
    if (map->from->marked && map->global_index)
      g->map[g->nmaps++] =
        (pl_dist_map){.map = map, .from = find_set(w, map->from), .to = find_set(w, map->to)};
}

/* ---- halos ---- */

/* Storage indices of the next n elements to send, taken from a list of rows. */
static int *add_sends(const pl_dist_set *ds, const int64_t **rows, int64_t n, int *send)
{
  for (int64_t i = 0; i < n; i++) *send++ = ds->storage_index[*(*rows)++];
  return send;
}

/* The lists for a neighbour hold elements of the exec halo first. */
static pl_err build_halo(work *w, const pl_dist_set *ds, pl_halo **result)
{
  const pl_copy_lists *exec = &ds->exec, *nonexec = &ds->nonexec;
  size_t ranks = (size_t)pl_ranks(w->pl);
  int64_t *out = pl_arena_alloc(&w->arena, ranks, sizeof *out),
          *in = pl_arena_alloc(&w->arena, ranks, sizeof *in);
  for (size_t r = 0; in && r < ranks; r++) {
    out[r] = exec->out_count[r] + nonexec->out_count[r];
    in[r] = exec->in_count[r] + nonexec->in_count[r];
  }
  PL_TRY(pl_arena_check(&w->arena));
  PL_TRY(pl_halo_of_counts(w->pl, out, in, result));
  const int64_t *exec_row = exec->out.item, *nonexec_row = nonexec->out.item;
  int *send = (*result)->send, *receive = (*result)->receive;
  int exec_in = ds->n, nonexec_in = ds->n + (int)exec->in.n;
  for (int i = 0; i < (*result)->n; i++) {
    const int r = (*result)->rank[i];
    send = add_sends(ds, &exec_row, exec->out_count[r], send);
    send = add_sends(ds, &nonexec_row, nonexec->out_count[r], send);
    for (int64_t k = 0; k < exec->in_count[r]; k++) *receive++ = exec_in++;
    for (int64_t k = 0; k < nonexec->in_count[r]; k++) *receive++ = nonexec_in++;
  }
  return PL_SUCCESS;
}

static pl_err distribute_set(work *w, int s)
{
  pl_context *pl = w->pl;
  const pl_dist_set *ds = &w->group.set[s];
  pl_set *set = ds->set;
  size_t total = (size_t)pl_dist_set_rows(ds), executed = (size_t)ds->n + (size_t)ds->exec.in.n;
  int64_t *global = pl_malloc_array(pl, total * sizeof *global);
  int *user_order = pl_malloc_array(pl, total * sizeof *user_order);
  pl_err err = pl_agree(pl, global && user_order ? PL_SUCCESS : pl_fail_memory(pl, total * sizeof *global));
  if (err) return pl_free_arrays(pl, global, user_order), err;
  const int threads = pl_plan_threads(ds->n, (size_t)ds->n);
  PL_PARALLEL_FOR(threads)
  for (int i = 0; i < ds->n; i++) global[ds->storage_index[i]] = pl_undistributed_id(set, i);
  for (int64_t i = 0; i < ds->exec.in.n; i++) global[ds->n + i] = ds->exec.in.item[i];
  for (int64_t i = 0; i < ds->nonexec.in.n; i++) global[executed + (size_t)i] = ds->nonexec.in.item[i];
  memcpy(user_order, ds->storage_index, total * sizeof *user_order);
  const int end[4] = {ds->ncore, ds->n, (int)executed, (int)total};
  pl_set_replace(set, global, user_order, w->halo[s], end);
  w->halo[s] = NULL;
  return PL_SUCCESS;
}

/* ---- maps ---- */

static pl_err build_offset(work *w, const pl_dist_map *dm, int rows, int **result)
{
  const pl_dist_set *from = dm->from;
  int64_t entries = 0, total = pl_dist_set_rows(from);
  const int64_t *targets;
  int *offset = *result = pl_calloc(w->pl, (size_t)total + 1, sizeof *offset);
  if (!offset) return pl_fail_memory(w->pl, (size_t)total * sizeof *offset);
  for (int i = 0; i < rows; i++)
    entries += offset[from->storage_index[i] + 1] = pl_dist_map_row(dm, i, &targets);
  if (entries > INT32_MAX)
    return pl_fail(w->pl, PL_ERR_RANGE, "map \"%s\": more than %d entries on one rank; use more ranks",
                   dm->map->node.name, INT32_MAX);
  for (int64_t e = 0; e < total; e++) offset[e + 1] += offset[e];
  return PL_SUCCESS;
}

/* Fills in a row of storage indices, which begins at `row`; whether an entry is missing. */
static bool fill_row(const pl_dist_map *dm, int i, int *row)
{
  const int64_t *target;
  const int n = pl_dist_map_row(dm, i, &target);
  bool negative = false;
  for (int k = 0; k < n; k++) {
    row[k] = pl_dist_target(dm->to, target[k]);
    negative |= row[k] < 0;
  }
  return negative;
}

/* Rows of the nonexec halo are never executed and have no targets. */
static pl_err build_index(work *w, int m, int **result, int **offset)
{
  const pl_dist_map *dm = &w->group.map[m];
  const pl_dist_set *from = dm->from;
  const int rows = from->n + (int)from->exec.in.n;
  size_t arity = (size_t)dm->map->arity, entries = (size_t)pl_dist_set_rows(from) * arity,
         filled = (size_t)rows * arity;
  *offset = NULL;
  if (dm->map->offset) PL_TRY(build_offset(w, dm, rows, offset));
  if (*offset) filled = entries = (size_t)(*offset)[pl_dist_set_rows(from)];
  int *index = *result = pl_malloc_array(w->pl, entries * sizeof *index);
  if (!index) return pl_fail_memory(w->pl, entries * sizeof *index);
  int64_t negative = 0;
  const int threads = pl_plan_threads(rows, filled);
  PL_PARALLEL_SUM(threads, negative)
  for (int i = 0; i < rows; i++) {
    const size_t element = (size_t)from->storage_index[i];
    negative += fill_row(dm, i, index + (*offset ? (size_t)(*offset)[element] : element * arity));
  }
  memset(index + filled, -1, (entries - filled) * sizeof *index);
  w->negative[m] = negative > 0;
  return PL_SUCCESS;
}

static pl_err distribute_map(work *w, int m)
{
  int *index = NULL, *offset = NULL;
  pl_err err = pl_agree(w->pl, build_index(w, m, &index, &offset));
  if (err) {
    pl_free_array(w->pl, index);
    pl_free(w->pl, offset);
    return err;
  }
  w->begun = true;
  pl_map_replace(w->group.map[m].map, offset, index, NULL);
  return PL_SUCCESS;
}

/* ---- dats ---- */

/* Values in storage order; NULL: the dat has none, which means zeros. */
static pl_err build_host(work *w, pl_dat *dat, char **result)
{
  const pl_dist_set *ds = find_set(w, dat->set);
  size_t stride = pl_dat_stride(dat), total = (size_t)pl_dist_set_rows(ds), n = (size_t)ds->n;
  *result = NULL;
  PL_TRY(pl_dat_move_to_host(dat));
  if (!dat->storage.host) return PL_SUCCESS;
  char *host = *result = pl_malloc_array(w->pl, total * stride);
  if (!host) return pl_fail_memory(w->pl, total * stride);
  const int threads = pl_plan_threads(ds->n, n * stride / sizeof(int));
  PL_PARALLEL_FOR(threads)
  for (size_t i = 0; i < n; i++)
    memcpy(host + (size_t)ds->storage_index[i] * stride, (char *)dat->storage.host + i * stride, stride);
  memset(host + n * stride, 0, (total - n) * stride);
  return PL_SUCCESS;
}

static pl_err distribute_dat(work *w, pl_dat *dat)
{
  char *host;
  pl_err err = pl_agree(w->pl, build_host(w, dat, &host));
  if (err) return pl_free_array(w->pl, host), err;
  const pl_dist_set *ds = find_set(w, dat->set);
  size_t stride = pl_dat_stride(dat);
  w->begun = true;
  if (host) pl_storage_replace_host(dat, host, (size_t)ds->n * stride, (size_t)pl_dist_set_rows(ds) * stride);
  pl_dat_halo_outdated(dat);
  return PL_SUCCESS;
}

/* ---- subsets ---- */

/* Fills in the flags of one halo, which its owners send. */
static pl_err receive_flags(work *w, const pl_copy_lists *copies, unsigned char *member, int first)
{
  unsigned char *received;
  PL_TRY(pl_copy_lists_send(&w->arena, copies, 1, member, (void **)&received));
  memcpy(member + first, received, (size_t)copies->in.n);
  pl_free_array(w->pl, received);
  return PL_SUCCESS;
}

/* Owners send the membership of halo elements as flags. */
static pl_err build_members(work *w, int s)
{
  const pl_set *subset = w->subset[s];
  const pl_dist_set *ds = find_set(w, subset->parent);
  int total = pl_dist_set_rows(ds), n = 0, next = 0;
  unsigned char *member = pl_arena_alloc(&w->arena, (size_t)total, 1);
  unsigned char *stored = pl_arena_alloc(&w->arena, (size_t)total, 1);
  for (int i = 0; member && i < subset->end[1]; i++) member[subset->indices[i]] = 1;
  PL_TRY(receive_flags(w, &ds->exec, member, ds->n));
  PL_TRY(receive_flags(w, &ds->nonexec, member, ds->n + (int)ds->exec.in.n));
  for (int i = 0; i < total; i++) n += stored[ds->storage_index[i]] = member[i];
  int *members = w->members[s] = pl_malloc(w->pl, (size_t)n * sizeof *members);
  if (!members) w->arena.failed = true;
  const int end[4] = {ds->ncore, ds->n, ds->n + (int)ds->exec.in.n, total};
  for (int p = 0, e = 0; members && p < 4; p++) {
    for (; e < end[p]; e++)
      if (stored[e]) members[next++] = e;
    w->end[s][p] = next;
  }
  return PL_SUCCESS;
}

static void distribute_subset(work *w, int s)
{
  pl_set *subset = w->subset[s];
  pl_set_drop_derived(subset);
  pl_free(w->pl, subset->indices);
  subset->indices = w->members[s];
  w->members[s] = NULL;
  memcpy(subset->end, w->end[s], sizeof subset->end);
}

/* ---- all objects ---- */

static pl_err build_small_arrays(work *w)
{
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < w->group.nsets && !err; i++) err = build_halo(w, &w->group.set[i], &w->halo[i]);
  PL_TRY(pl_agree(w->pl, err));
  for (int i = 0; i < w->nsubsets; i++) PL_TRY(build_members(w, i));
  return pl_arena_agree(&w->arena);
}

/* Loops over the pairs of a ragged map divide their work by its rows. */
static void resize_pair_sets(pl_context *pl)
{
  PL_EACH (pl_map, map, pl->maps)
    if (map->pairs && !map->pair_map) memcpy(map->pairs->set->end, map->from->end, sizeof map->from->end);
}

/* Maps first: their global indices take twice the memory of their storage indices. */
static pl_err distribute_objects(work *w)
{
  pl_context *pl = w->pl;
  int nmaps = w->group.nmaps;
  for (int i = 0; i < nmaps; i++) PL_TRY(distribute_map(w, i));
  PL_TRY(pl_comm_reduce(pl, PL_UINT8, PL_MAX, w->negative, (size_t)nmaps));
  for (int i = 0; i < nmaps; i++) w->group.map[i].map->has_negative = w->negative[i];
  for (int i = 0; i < w->ndats; i++) PL_TRY(distribute_dat(w, w->dat[i]));
  for (int i = 0; i < w->group.nsets; i++) PL_TRY(distribute_set(w, i));
  for (int i = 0; i < w->nsubsets; i++) distribute_subset(w, i);
  resize_pair_sets(pl);
  return PL_SUCCESS;
}

pl_err pl_distribution_abandon(pl_context *pl, pl_err err)
{
  PL_EACH (pl_set, set, pl->sets)
    if (set->marked || (set->parent && set->parent->marked)) memset(set->end, 0, sizeof set->end);
  return pl_comm_leave(pl, err);
}

static void free_work(work *w)
{
  for (int i = 0; i < w->group.nsets; i++) pl_halo_free(w->pl, w->halo[i]);
  for (int i = 0; i < w->nsubsets; i++) pl_free(w->pl, w->members[i]);
  pl_halo_lists_free(w->pl, &w->group);
  pl_arena_free(&w->arena);
}

static pl_err distribute_marked(pl_context *pl)
{
  work w = {.pl = pl, .arena = {.pl = pl}};
  collect_objects(&w);
  pl_err err = pl_arena_check(&w.arena);
  if (!err) err = pl_marked_check_views(pl);
  err = pl_agree(pl, err);
  if (!err) err = pl_halo_lists_build(&w.arena, &w.group);
  if (!err) err = build_small_arrays(&w);
  if (!err) err = distribute_objects(&w);
  free_work(&w);
  if (err) return w.begun ? pl_distribution_abandon(pl, err) : err;
  return pl_halo_partial(pl);
}

/* Marks undistributed sets; false if there are none. */
static bool mark_undistributed(pl_context *pl)
{
  bool any = false;
  pl_marks_clear(pl);
  PL_EACH (pl_set, set, pl->sets)
    if (!set->parent && !set->halo && !set->pairs) any = set->marked = true;
  PL_EACH (pl_map, map, pl->maps)
    if (map->global_index) any = map->from->marked = true;
  return any;
}

/* Whether maps connect undistributed sets with distributed ones, whose elements then move. */
static bool moves_elements(pl_context *pl)
{
  bool moves = false;
  pl_marks_spread(pl, false);
  PL_EACH (pl_set, set, pl->sets) moves |= set->marked && set->halo;
  return moves;
}

/* Fused loops for the present storage are dropped, with the maps that they are made of. */
static pl_err collect_again(pl_context *pl)
{
  pl_deferred_drop(pl);
  mark_undistributed(pl);
  pl_marks_spread(pl, false);
  return pl_undistribute_marked(pl);
}

/* Flushing the queue may distribute sets. */
pl_err pl_distribute(pl_context *pl)
{
  if (pl_ranks(pl) == 1 || !mark_undistributed(pl)) return PL_SUCCESS;
  PL_TRY(pl_flush_all(pl));
  if (!mark_undistributed(pl)) return PL_SUCCESS;
  pl_event_begin(pl, PL_TOOL_PLAN, "halos", "", 0);
  pl_err err = moves_elements(pl) ? collect_again(pl) : PL_SUCCESS;
  if (!err) err = distribute_marked(pl);
  pl_event_end(pl, PL_TOOL_PLAN);
  return err;
}
