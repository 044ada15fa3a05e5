/* SPDX-License-Identifier: BSD-2-Clause
 * Who keeps copies of what. See lists.h.
 *
 * An element with a target on rank q is executed by q too: q keeps it in its exec halo. Whatever else the
 * owned elements and the exec halo reach lies in the nonexec halo. Nobody holds more than its share and its
 * halos; only counts have an entry for each rank.
 */
#include "lists.h"
#include "route.h"
#include <string.h>

static void take_counts(pl_scratch *scratch, pl_traffic *traffic)
{
  size_t ranks = (size_t)pl_ranks(scratch->pl);
  traffic->out_count = pl_scratch_take(scratch, ranks, sizeof(int64_t));
  traffic->in_count = pl_scratch_take(scratch, ranks, sizeof(int64_t));
}

static pl_err agree(pl_scratch *scratch)
{
  return pl_agree(scratch->pl, pl_scratch_check(scratch));
}

/* ---- owned rows ---- */

int pl_site_row(const pl_site *site, int64_t id)
{
  const pl_set *set = site->set;
  int64_t row = set->global ? pl_lookup_find(&site->owned, id) : pl_loose_row(set, id);
  return row >= 0 ? (int)row : pl_id_table_get(&site->row, id);
}

static pl_err enter_owned(pl_scratch *scratch, pl_site *site)
{
  take_counts(scratch, &site->exec);
  take_counts(scratch, &site->nonexec);
  site->boundary = pl_scratch_take(scratch, (size_t)site->n, 1);
  if (site->set->global && pl_lookup_make(scratch->pl, site->set->global, site->n, &site->owned))
    scratch->failed = true;
  PL_TRY(agree(scratch));
  return pl_directory_of(site->set, &site->directory);
}

int pl_road_row(const pl_road *road, int row, const int64_t **targets)
{
  size_t i = (size_t)row, n = (size_t)road->from->n, arity = (size_t)road->map->arity;
  if (i < n) {
    *targets = road->map->far + pl_map_begin(road->map, i);
    return (int)(pl_map_begin(road->map, i + 1) - pl_map_begin(road->map, i));
  }
  const int *offset = road->exec_offset;
  *targets = road->exec + (offset ? (size_t)offset[i - n] : (i - n) * arity);
  return offset ? offset[i - n + 1] - offset[i - n] : road->map->arity;
}

/* Calls visit for every target that rows of a road's map have: of owned rows, or of the exec halo's. */
typedef void (*target_fn)(pl_scratch *scratch, pl_road *road, int row, int64_t target, void *with);

static void each_target(pl_scratch *scratch, pl_road *road, bool exec, target_fn visit, void *with)
{
  int begin = exec ? road->from->n : 0, end = exec ? begin + (int)road->from->exec.in.n : road->from->n;
  for (int i = begin; i < end && !scratch->failed; i++) {
    const int64_t *target;
    int n = pl_road_row(road, i, &target);
    for (int k = 0; k < n; k++)
      if (target[k] >= 0) visit(scratch, road, i, target[k], with);
  }
}

/* Ids that this rank does not hold, each once, and who owns them. */
typedef struct strangers {
  pl_ids ids;
  pl_id_table number;
  int *owner;
} strangers;

static void note_stranger(pl_scratch *scratch, pl_road *road, int row, int64_t target, void *with)
{
  strangers *s = with;
  (void)row;
  if (pl_site_row(road->to, target) >= 0 || pl_id_table_get(&s->number, target) >= 0) return;
  pl_id_table_put(scratch, &s->number, target, (int)s->ids.n);
  pl_ids_add(scratch, &s->ids, target);
}

/* Collects what rows reach on a site and this rank does not hold. */
static pl_err find_strangers(pl_scratch *scratch, pl_site *to, int nroads, pl_road *road, bool exec,
                             strangers *s)
{
  memset(s, 0, sizeof *s);
  for (int r = 0; r < nroads; r++) {
    if (road[r].to != to) continue;
    each_target(scratch, &road[r], false, note_stranger, s);
    if (exec) each_target(scratch, &road[r], true, note_stranger, s);
  }
  s->owner = pl_scratch_take(scratch, (size_t)s->ids.n, sizeof *s->owner);
  PL_TRY(agree(scratch));
  return pl_directory_find(scratch->pl, &to->directory, s->ids.n, s->ids.item, s->owner);
}

/* ---- pairs of a rank and something ---- */

enum { RANK_SHIFT = 32 };

static int64_t low_half(int64_t pair)
{
  return pair & (((int64_t)1 << RANK_SHIFT) - 1);
}

/* ---- exec halos ---- */

static void note_export(pl_scratch *scratch, pl_road *road, int row, int64_t target, void *with)
{
  const strangers *s = with;
  int number = pl_id_table_get(&s->number, target);
  if (number < 0) return;
  road->from->boundary[row] = PL_BOUNDARY;
  pl_ids_add(scratch, &road->from->exec.out, (int64_t)s->owner[number] << RANK_SHIFT | row);
}

/* From sorted pairs (rank, row) to counts and rows. */
static void split_pairs(pl_ids *pairs, int64_t *count)
{
  for (int64_t i = 0; i < pairs->n; i++) {
    count[pairs->item[i] >> RANK_SHIFT]++;
    pairs->item[i] = low_half(pairs->item[i]);
  }
}

pl_err pl_traffic_send(pl_scratch *scratch, const pl_traffic *traffic, size_t stride, const void *records,
                       void **received)
{
  int64_t *in_count = pl_scratch_take(scratch, (size_t)pl_ranks(scratch->pl), sizeof *in_count);
  char *send = pl_scratch_take(scratch, (size_t)traffic->out.n, stride);
  PL_TRY(agree(scratch));
  for (int64_t i = 0; i < traffic->out.n; i++)
    memcpy(send + (size_t)i * stride, (const char *)records + (size_t)traffic->out.item[i] * stride, stride);
  return pl_comm_exchange(scratch->pl, stride, send, traffic->out_count, received, in_count);
}

/* Copies that came are entered as rows from `first` on. */
static void enter_copies(pl_scratch *scratch, pl_site *site, pl_traffic *traffic, int64_t *ids, int first)
{
  int64_t n = pl_count_sum(scratch->pl, traffic->in_count);
  for (int64_t i = 0; i < n; i++) {
    pl_ids_add(scratch, &traffic->in, ids[i]);
    pl_id_table_put(scratch, &site->row, ids[i], first + (int)i);
  }
}

static pl_err exchange_exec(pl_scratch *scratch, pl_site *site)
{
  pl_context *pl = scratch->pl;
  pl_traffic *exec = &site->exec;
  pl_ids_sort_unique(&exec->out);
  split_pairs(&exec->out, exec->out_count);
  int64_t *ids = pl_scratch_take(scratch, (size_t)exec->out.n, sizeof *ids), *came;
  PL_TRY(agree(scratch));
  for (int64_t i = 0; i < exec->out.n; i++) ids[i] = pl_loose_id(site->set, (int)exec->out.item[i]);
  PL_TRY(pl_comm_exchange(pl, sizeof *ids, ids, exec->out_count, (void **)&came, exec->in_count));
  enter_copies(scratch, site, exec, came, site->n);
  pl_free_array(pl, came);
  return agree(scratch);
}

/* The rows of the exec halo come from their owners. */
static pl_err exchange_rows(pl_scratch *scratch, pl_road *road)
{
  const pl_traffic *exec = &road->from->exec;
  size_t stride = (size_t)road->map->arity * sizeof *road->exec;
  if (!road->map->offset) return pl_traffic_send(scratch, exec, stride, road->map->far, (void **)&road->exec);
  pl_route route = {.n = exec->out.n, .count = exec->out_count, .ncome = exec->in.n};
  route.came_count = exec->in_count;
  route.order = pl_scratch_take(scratch, (size_t)route.n, sizeof *route.order);
  PL_TRY(agree(scratch));
  for (int64_t i = 0; i < route.n; i++) route.order[i] = (int)exec->out.item[i];
  return pl_route_carry_ragged(scratch->pl, &route, road->map->offset, road->map->far, &road->exec_offset,
                               &road->exec);
}

/* ---- nonexec halos ---- */

typedef struct wanted {
  int owner;
  int64_t id;
} wanted;

static int by_owner(const void *a, const void *b)
{
  const wanted *x = a, *y = b;
  if (x->owner != y->owner) return (x->owner > y->owner) - (x->owner < y->owner);
  return (x->id > y->id) - (x->id < y->id);
}

/* What the owners are asked for, rank by rank, ascending. */
static pl_err ask_owners(pl_scratch *scratch, pl_site *site, const strangers *s, int64_t *ids)
{
  wanted *list = pl_scratch_take(scratch, (size_t)s->ids.n, sizeof *list);
  if (!list) return pl_scratch_check(scratch);
  for (int64_t i = 0; i < s->ids.n; i++) list[i] = (wanted){s->owner[i], s->ids.item[i]};
  if (s->ids.n) qsort(list, (size_t)s->ids.n, sizeof *list, by_owner);
  for (int64_t i = 0; i < s->ids.n; i++) {
    site->nonexec.in_count[list[i].owner]++;
    ids[i] = list[i].id;
  }
  return PL_SUCCESS;
}

static pl_err exchange_nonexec(pl_scratch *scratch, pl_site *site, const strangers *s)
{
  pl_context *pl = scratch->pl;
  int64_t *ids = pl_scratch_take(scratch, (size_t)s->ids.n, sizeof *ids), *asked;
  if (ids) ask_owners(scratch, site, s, ids);
  PL_TRY(agree(scratch));
  PL_TRY(
    pl_comm_exchange(pl, sizeof *ids, ids, site->nonexec.in_count, (void **)&asked, site->nonexec.out_count));
  int64_t n = pl_count_sum(pl, site->nonexec.out_count);
  for (int64_t i = 0; i < n; i++) pl_ids_add(scratch, &site->nonexec.out, pl_site_row(site, asked[i]));
  pl_free_array(pl, asked);
  enter_copies(scratch, site, &site->nonexec, ids, site->n + (int)site->exec.in.n);
  return agree(scratch);
}

/* ---- all together ---- */

/* What elements outside the core reach: loops turned round leave it for last. */
static void note_near(pl_scratch *scratch, pl_road *road, int row, int64_t target, void *with)
{
  const bool *exec = with;
  (void)scratch;
  if (!*exec && !(road->from->boundary[row] & PL_BOUNDARY)) return;
  int reached = pl_site_row(road->to, target);
  if (reached >= 0 && reached < road->to->n) road->to->boundary[reached] |= PL_NEAR;
}

/* Of the core, what is reached by the boundary or from elsewhere comes last. */
static void number_rows(pl_scratch *scratch, pl_site *site)
{
  int total = site->n + (int)site->exec.in.n + (int)site->nonexec.in.n, next[4] = {0};
  site->storage = pl_scratch_take(scratch, (size_t)total, sizeof *site->storage);
  if (!site->storage) return;
  for (int i = 0; i < site->n; i++) next[site->boundary[i] & PL_BOUNDARY ? PL_BOUNDARY : site->boundary[i]]++;
  site->ncore = next[0] + next[PL_NEAR];
  next[PL_BOUNDARY] = site->ncore;
  next[PL_NEAR] = next[0];
  next[0] = 0;
  for (int i = 0; i < site->n; i++)
    site->storage[i] = next[site->boundary[i] & PL_BOUNDARY ? PL_BOUNDARY : site->boundary[i]]++;
  for (int i = site->n; i < total; i++) site->storage[i] = i;
}

pl_err pl_lists_build(pl_scratch *scratch, int nsites, pl_site *site, int nroads, pl_road *road)
{
  strangers s;
  for (int i = 0; i < nsites; i++) PL_TRY(enter_owned(scratch, &site[i]));
  for (int i = 0; i < nsites; i++) {
    PL_TRY(find_strangers(scratch, &site[i], nroads, road, false, &s));
    for (int r = 0; r < nroads; r++)
      if (road[r].to == &site[i]) each_target(scratch, &road[r], false, note_export, &s);
  }
  PL_TRY(agree(scratch));
  for (int i = 0; i < nsites; i++) PL_TRY(exchange_exec(scratch, &site[i]));
  for (int r = 0; r < nroads; r++) PL_TRY(exchange_rows(scratch, &road[r]));
  for (int i = 0; i < nsites; i++) {
    PL_TRY(find_strangers(scratch, &site[i], nroads, road, true, &s));
    PL_TRY(exchange_nonexec(scratch, &site[i], &s));
    pl_directory_free(scratch->pl, &site[i].directory);
  }
  for (int exec = 0; exec < 2; exec++)
    for (int r = 0; r < nroads; r++) each_target(scratch, &road[r], exec, note_near, &(bool){exec});
  for (int i = 0; i < nsites; i++) number_rows(scratch, &site[i]);
  return agree(scratch);
}

void pl_lists_free(pl_context *pl, int nsites, pl_site *site, int nroads, pl_road *road)
{
  for (int i = 0; i < nsites; i++) {
    pl_directory_free(pl, &site[i].directory);
    pl_lookup_free(pl, &site[i].owned);
  }
  for (int i = 0; i < nroads; i++) {
    pl_free_array(pl, road[i].exec);
    pl_free(pl, road[i].exec_offset);
  }
}
