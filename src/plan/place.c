/* SPDX-License-Identifier: BSD-2-Clause
 * From loose sets to placed ones and back. See place.h.
 *
 * Placing takes one object after the other and gives back what it was before, so that no rank needs much
 * more than it holds before or after; an error in the middle is final (pl_wreck). Loosening takes all that it
 * needs first.
 */
#include "place.h"
#include "core/chain.h"
#include "core/far.h"
#include "core/pairs.h"
#include "lists.h"
#include "plan.h"
#include <string.h>

/* ---- groups: sets that maps connect ---- */

#define EACH(type, object, list)                                                                             \
  for (type *object = (type *)(list); object; object = (type *)object->node.next)

/* Marks spread along maps until they stay. */
static void spread(pl_context *pl)
{
  for (bool grew = true; grew;) {
    grew = false;
    EACH(pl_map, map, pl->maps)
    if (map->from->marked != map->to->marked) grew = map->from->marked = map->to->marked = true;
  }
}

static void clear_marks(pl_context *pl)
{
  EACH(pl_set, set, pl->sets)
  set->marked = false;
}

static bool is_open(const pl_dat *dat)
{
  return dat->readers || dat->writer;
}

static pl_err check_views(pl_context *pl)
{
  EACH(pl_dat, dat, pl->dats)
  if (dat->set->marked && is_open(dat))
    return pl_fail(pl, PL_ERR_STATE,
                   "set \"%s\" cannot be distributed while a host view of dat \"%s\" is open; close it with "
                   "pl_dat_put first",
                   dat->set->node.name, dat->node.name);
  return PL_SUCCESS;
}

/* ---- what both directions need ---- */

/* Values on the host only, so that storage can change. */
static pl_err bring_home(pl_dat *dat)
{
  if (dat->device_valid && !pl_dat_host(dat, false)) return PL_ERR_MEMORY;
  pl_dat_leave_device(dat);
  return PL_SUCCESS;
}

static void drop_buffer(pl_context *pl, void **buffer)
{
  if (*buffer) pl->backend->buffer_free(pl, *buffer);
  *buffer = NULL;
}

static void forget_set(pl_set *set)
{
  pl_context *pl = set->node.pl;
  if (pl->plans_forget) pl->plans_forget(pl, set);
  drop_buffer(pl, &set->device);
  drop_buffer(pl, &set->global_device);
  pl_free(pl, set->shown);
  set->shown = NULL;
}

static void forget_map(pl_map *map)
{
  pl_context *pl = map->node.pl;
  pl_halo_free(pl, map->halo);
  map->halo = NULL;
  if (pl->plans_forget) pl->plans_forget(pl, map);
  drop_buffer(pl, &map->device);
  drop_buffer(pl, &map->device_offset);
  pl_free_array(pl, map->shown);
  pl_free(pl, map->shown_offset);
  map->shown = map->shown_offset = NULL;
}

/* Puts other storage under a dat, and counts it. */
static void swap_storage(pl_dat *dat, void *host, size_t before, size_t after)
{
  pl_free_array(dat->node.pl, dat->host);
  dat->host = host;
  dat->node.pl->stats.host_bytes += after - before;
}

/* ---- placing: one object at a time ---- */

typedef struct work {
  pl_context *pl;
  pl_scratch scratch;
  bool begun; /* something is placed */
  int nsites, nroads, ndats, nsubsets;
  pl_site *site;
  pl_halo **halo; /* of each site */
  pl_road *road;
  unsigned char *negative;
  pl_dat **dat;
  pl_set **subset;
  int **members; /* of each subset */
  int (*part)[4];
} work;

static pl_site *site_of(const work *w, const pl_set *set)
{
  for (int i = 0; i < w->nsites; i++)
    if (w->site[i].set == set) return &w->site[i];
  return NULL;
}

static void collect(work *w)
{
  pl_context *pl = w->pl;
  int maps = 0, dats = 0, subsets = 0;
  EACH(pl_set, set, pl->sets)
  {
    w->nsites += set->marked && !set->parent;
    subsets += set->parent && set->parent->marked;
  }
  EACH(pl_map, map, pl->maps)
  maps += map->from->marked && map->far;
  EACH(pl_dat, dat, pl->dats)
  dats += dat->set->marked;
  w->site = pl_scratch_take(&w->scratch, (size_t)w->nsites, sizeof *w->site);
  w->halo = pl_scratch_take(&w->scratch, (size_t)w->nsites, sizeof(pl_halo *));
  w->road = pl_scratch_take(&w->scratch, (size_t)maps, sizeof *w->road);
  w->negative = pl_scratch_take(&w->scratch, (size_t)maps, 1);
  w->dat = pl_scratch_take(&w->scratch, (size_t)dats, sizeof(pl_dat *));
  w->subset = pl_scratch_take(&w->scratch, (size_t)subsets, sizeof(pl_set *));
  w->members = pl_scratch_take(&w->scratch, (size_t)subsets, sizeof *w->members);
  w->part = pl_scratch_take(&w->scratch, (size_t)subsets, sizeof *w->part);
  if (w->scratch.failed) return;
  int n = 0;
  EACH(pl_set, set, pl->sets)
  {
    if (set->marked && !set->parent) w->site[n++] = (pl_site){.set = set, .n = set->part[1]};
    if (set->parent && set->parent->marked) w->subset[w->nsubsets++] = set;
  }
  EACH(pl_dat, dat, pl->dats)
  if (dat->set->marked) w->dat[w->ndats++] = dat;
  EACH(pl_map, map, pl->maps)
  if (map->from->marked && map->far)
    w->road[w->nroads++] = (pl_road){.map = map, .from = site_of(w, map->from), .to = site_of(w, map->to)};
}

static int total_rows(const pl_site *site)
{
  return site->n + (int)site->exec.in.n + (int)site->nonexec.in.n;
}

/* One list of a halo: what a neighbour gets or gives, exec part first. */
static void add_list(int **list, const int64_t *items, int64_t n)
{
  for (int64_t i = 0; i < n; i++) *(*list)++ = (int)items[i];
}

static pl_err make_halo(work *w, const pl_site *site, pl_halo **result)
{
  const pl_traffic *exec = &site->exec, *rest = &site->nonexec;
  int n = 0, ranks = pl_ranks(w->pl);
  for (int r = 0; r < ranks; r++)
    n += exec->in_count[r] || exec->out_count[r] || rest->in_count[r] || rest->out_count[r];
  pl_halo *halo = *result = pl_halo_new(w->pl, n, exec->out.n + rest->out.n, exec->in.n + rest->in.n);
  if (!halo) return PL_ERR_MEMORY;
  int64_t exec_out = 0, rest_out = 0;
  int *send = halo->send, *receive = halo->receive, exec_in = site->n, rest_in = site->n + (int)exec->in.n;
  for (int r = 0, i = 0; r < ranks; r++) {
    if (!(exec->in_count[r] || exec->out_count[r] || rest->in_count[r] || rest->out_count[r])) continue;
    halo->rank[i] = r;
    if ((halo->peer[i] = pl_peer_number(w->pl, r)) < 0) return PL_ERR_MEMORY;
    add_list(&send, exec->out.item + exec_out, exec->out_count[r]);
    add_list(&send, rest->out.item + rest_out, rest->out_count[r]);
    exec_out += exec->out_count[r];
    rest_out += rest->out_count[r];
    for (int64_t k = 0; k < exec->in_count[r]; k++) *receive++ = exec_in++;
    for (int64_t k = 0; k < rest->in_count[r]; k++) *receive++ = rest_in++;
    i++;
    halo->send_offset[i] = (int)(send - halo->send);
    halo->receive_offset[i] = (int)(receive - halo->receive);
  }
  for (int64_t k = 0; k < exec->out.n + rest->out.n; k++) halo->send[k] = site->storage[halo->send[k]];
  return PL_SUCCESS;
}

/* ---- sets ---- */

static pl_err place_set(work *w, int s)
{
  pl_context *pl = w->pl;
  const pl_site *site = &w->site[s];
  pl_set *set = site->set;
  size_t total = (size_t)total_rows(site), executed = (size_t)site->n + (size_t)site->exec.in.n;
  int64_t *global = pl_malloc_array(pl, total * sizeof *global);
  int *view = pl_malloc_array(pl, total * sizeof *view);
  pl_err err = pl_agree(pl, global && view ? PL_SUCCESS : pl_fail_memory(pl, total * sizeof *global));
  if (err) {
    pl_free_array(pl, global);
    pl_free_array(pl, view);
    return err;
  }
  for (int i = 0; i < site->n; i++) global[site->storage[i]] = pl_loose_id(set, i);
  for (int64_t i = 0; i < site->exec.in.n; i++) global[site->n + i] = site->exec.in.item[i];
  for (int64_t i = 0; i < site->nonexec.in.n; i++) global[executed + (size_t)i] = site->nonexec.in.item[i];
  memcpy(view, site->storage, total * sizeof *view);
  forget_set(set);
  pl_free_array(pl, set->global);
  pl_free_array(pl, set->view);
  set->global = global;
  set->view = view;
  set->named = 0;
  set->halo = w->halo[s];
  w->halo[s] = NULL;
  set->part[0] = site->ncore;
  set->part[1] = site->n;
  set->part[2] = (int)executed;
  set->part[3] = (int)total;
  set->moved++;
  return PL_SUCCESS;
}

/* ---- maps ---- */

static int place_of(const pl_site *to, int64_t target)
{
  return target < 0 ? -1 : to->storage[pl_site_row(to, target)];
}

/* Where the rows of a ragged map begin, in the order of storage. */
static pl_err make_offset(work *w, const pl_road *road, int rows, int **result)
{
  const pl_site *from = road->from;
  int64_t entries = 0, total = total_rows(from);
  const int64_t *targets;
  int *offset = *result = pl_calloc(w->pl, (size_t)total + 1, sizeof *offset);
  if (!offset) return pl_fail_memory(w->pl, (size_t)total * sizeof *offset);
  for (int i = 0; i < rows; i++) {
    offset[from->storage[i] + 1] = pl_road_row(road, i, &targets);
    entries += offset[from->storage[i] + 1];
  }
  if (entries > INT32_MAX)
    return pl_fail(w->pl, PL_ERR_RANGE, "map \"%s\": more than %d entries on one rank; use more ranks",
                   road->map->node.name, INT32_MAX);
  for (int64_t e = 0; e < total; e++) offset[e + 1] += offset[e];
  return PL_SUCCESS;
}

/* Rows of the nonexec halo are never executed and have no targets. */
static pl_err make_index(work *w, int r, int **result, int **offset)
{
  const pl_road *road = &w->road[r];
  const pl_site *from = road->from;
  int rows = from->n + (int)from->exec.in.n;
  size_t arity = (size_t)road->map->arity, entries = (size_t)total_rows(from) * arity;
  *offset = NULL;
  if (road->map->offset) PL_TRY(make_offset(w, road, rows, offset));
  if (*offset) entries = (size_t)(*offset)[total_rows(from)];
  int *index = *result = pl_malloc_array(w->pl, entries * sizeof *index);
  if (!index) return pl_fail_memory(w->pl, entries * sizeof *index);
  memset(index, -1, entries * sizeof *index);
  for (int i = 0; i < rows; i++) {
    const int64_t *target;
    size_t place = (size_t)from->storage[i], n = (size_t)pl_road_row(road, i, &target);
    int *into = index + (*offset ? (size_t)(*offset)[place] : place * arity);
    for (size_t k = 0; k < n; k++) {
      into[k] = place_of(road->to, target[k]);
      w->negative[r] |= target[k] < 0;
    }
  }
  return PL_SUCCESS;
}

static pl_err place_map(work *w, int r)
{
  pl_context *pl = w->pl;
  pl_map *map = w->road[r].map;
  int *index = NULL, *offset = NULL;
  pl_err err = pl_agree(pl, make_index(w, r, &index, &offset));
  if (err) {
    pl_free_array(pl, index);
    pl_free(pl, offset);
    return err;
  }
  w->begun = true;
  forget_map(map);
  pl_free_array(pl, map->far);
  pl_free(pl, map->offset);
  map->far = NULL;
  map->index = index;
  map->offset = offset;
  return PL_SUCCESS;
}

/* ---- dats ---- */

/* Storage in the new order; NULL: the dat has no values, which are zeros. */
static pl_err make_host(work *w, pl_dat *dat, char **result)
{
  const pl_site *site = site_of(w, dat->set);
  size_t stride = pl_dat_stride(dat), total = (size_t)total_rows(site), n = (size_t)site->n;
  *result = NULL;
  PL_TRY(bring_home(dat));
  if (!dat->host) return PL_SUCCESS;
  char *host = *result = pl_malloc_array(w->pl, total * stride);
  if (!host) return pl_fail_memory(w->pl, total * stride);
  for (size_t i = 0; i < n; i++)
    memcpy(host + (size_t)site->storage[i] * stride, (char *)dat->host + i * stride, stride);
  memset(host + n * stride, 0, (total - n) * stride);
  return PL_SUCCESS;
}

static pl_err place_dat(work *w, pl_dat *dat)
{
  char *host;
  pl_err err = pl_agree(w->pl, make_host(w, dat, &host));
  if (err) {
    pl_free_array(w->pl, host);
    return err;
  }
  const pl_site *site = site_of(w, dat->set);
  size_t stride = pl_dat_stride(dat);
  w->begun = true;
  if (host) swap_storage(dat, host, (size_t)site->n * stride, (size_t)total_rows(site) * stride);
  dat->halo_stale = true;
  dat->partly = NULL;
  return PL_SUCCESS;
}

/* ---- subsets ---- */

/* A subset's members among the copies are known to their owners. */
static pl_err make_members(work *w, int s)
{
  const pl_set *subset = w->subset[s];
  const pl_site *site = site_of(w, subset->parent);
  int total = total_rows(site), n = 0, next = 0;
  unsigned char *member = pl_scratch_take(&w->scratch, (size_t)total, 1), *stored, *came;
  stored = pl_scratch_take(&w->scratch, (size_t)total, 1);
  for (int i = 0; member && i < subset->part[1]; i++) member[subset->indices[i]] = 1;
  PL_TRY(pl_traffic_send(&w->scratch, &site->exec, 1, member, (void **)&came));
  memcpy(member + site->n, came, (size_t)site->exec.in.n);
  pl_free_array(w->pl, came);
  PL_TRY(pl_traffic_send(&w->scratch, &site->nonexec, 1, member, (void **)&came));
  memcpy(member + site->n + site->exec.in.n, came, (size_t)site->nonexec.in.n);
  pl_free_array(w->pl, came);
  for (int i = 0; i < total; i++) n += stored[site->storage[i]] = member[i];
  int *members = w->members[s] = pl_malloc(w->pl, (size_t)n * sizeof *members);
  if (!members) w->scratch.failed = true;
  const int part[4] = {site->ncore, site->n, site->n + (int)site->exec.in.n, total};
  for (int p = 0, e = 0; members && p < 4; p++) {
    for (; e < part[p]; e++)
      if (stored[e]) members[next++] = e;
    w->part[s][p] = next;
  }
  return PL_SUCCESS;
}

static void place_subset(work *w, int s)
{
  pl_set *subset = w->subset[s];
  forget_set(subset);
  pl_free(w->pl, subset->indices);
  subset->indices = w->members[s];
  w->members[s] = NULL;
  memcpy(subset->part, w->part[s], sizeof subset->part);
}

/* ---- placing: all together ---- */

/* What takes little memory, before anything changes. */
static pl_err get_ready(work *w)
{
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < w->nsites && !err; i++) err = make_halo(w, &w->site[i], &w->halo[i]);
  PL_TRY(pl_agree(w->pl, err));
  for (int i = 0; i < w->nsubsets; i++) PL_TRY(make_members(w, i));
  return pl_agree(w->pl, pl_scratch_check(&w->scratch));
}

/* Loops over the pairs of a ragged map divide their work by its rows. */
static void resize_pairs(pl_context *pl)
{
  EACH(pl_map, map, pl->maps)
  if (map->pairs && !map->pair_map) memcpy(map->pairs->set->part, map->from->part, sizeof map->from->part);
}

/* Maps first: what they were takes twice as much as what they become. */
static pl_err place_all(work *w)
{
  pl_context *pl = w->pl;
  for (int i = 0; i < w->nroads; i++) PL_TRY(place_map(w, i));
  PL_TRY(pl_comm_reduce(pl, PL_UINT8, PL_MAX, w->negative, (size_t)w->nroads));
  for (int i = 0; i < w->nroads; i++) w->road[i].map->has_negative = w->negative[i];
  for (int i = 0; i < w->ndats; i++) PL_TRY(place_dat(w, w->dat[i]));
  for (int i = 0; i < w->nsites; i++) PL_TRY(place_set(w, i));
  for (int i = 0; i < w->nsubsets; i++) place_subset(w, i);
  resize_pairs(pl);
  pl->decl_version++;
  return PL_SUCCESS;
}

pl_err pl_wreck(pl_context *pl, pl_err err)
{
  EACH(pl_set, set, pl->sets)
  if (set->marked || (set->parent && set->parent->marked)) memset(set->part, 0, sizeof set->part);
  return pl_comm_leave(pl, err);
}

static void free_work(work *w)
{
  for (int i = 0; w->halo && i < w->nsites; i++) pl_halo_free(w->pl, w->halo[i]);
  for (int i = 0; w->members && i < w->nsubsets; i++) pl_free(w->pl, w->members[i]);
  if (w->site) pl_lists_free(w->pl, w->nsites, w->site, w->nroads, w->road);
  pl_scratch_free(&w->scratch);
}

/* Places all marked sets, which are loose. */
static pl_err place_marked(pl_context *pl)
{
  work w = {.pl = pl, .scratch = {.pl = pl}};
  collect(&w);
  pl_err err = pl_scratch_check(&w.scratch);
  if (!err) err = check_views(pl);
  err = pl_agree(pl, err);
  if (!err) err = pl_lists_build(&w.scratch, w.nsites, w.site, w.nroads, w.road);
  if (!err) err = get_ready(&w);
  if (!err) err = place_all(&w);
  free_work(&w);
  if (err) return w.begun ? pl_wreck(pl, err) : err;
  return pl_halo_partial(pl);
}

/* ---- loosening ---- */

/* New things of a group, ready to be swapped in; one entry for each object, in the order of the context's
 * lists. */
typedef struct stock {
  pl_scratch *scratch;
  pl_ids taken; /* arrays that nobody owns yet: freed when the work fails */
} stock;

static void *stock_array(stock *s, size_t count, size_t size)
{
  void *array = count > PTRDIFF_MAX / (size + 1) ? NULL : pl_malloc_array(s->scratch->pl, count * size);
  if (!array) return s->scratch->failed = true, NULL;
  pl_ids_add(s->scratch, &s->taken, (int64_t)(intptr_t)array);
  return array;
}

static void drop_stock(stock *s)
{
  for (int64_t i = 0; i < s->taken.n; i++) pl_free_array(s->scratch->pl, (void *)(intptr_t)s->taken.item[i]);
}

static void loosen_map(stock *s, const pl_map *map, int64_t **far, int **offset)
{
  if (map->offset) *offset = pl_far_offsets(map);
  *far = pl_far_copy(map);
  if (*far) pl_ids_add(s->scratch, &s->taken, (int64_t)(intptr_t)*far);
  if (!*far || (map->offset && !*offset)) s->scratch->failed = true;
}

static void loosen_subset(pl_set *subset, const int *row)
{
  int n = subset->part[1];
  forget_set(subset);
  for (int i = 0; i < n; i++) subset->indices[i] = row[subset->indices[i]];
  for (int p = 0; p < 4; p++) subset->part[p] = n;
}

static int ascending(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Storage of a dat in the order of rows, owned ones alone. */
static void *loose_host(stock *s, pl_dat *dat)
{
  if (bring_home(dat)) s->scratch->failed = true;
  if (!dat->host || s->scratch->failed) return NULL;
  void *host = stock_array(s, (size_t)dat->set->part[1], pl_dat_stride(dat));
  if (host) pl_view_out(dat->set, dat->set->part[1], pl_dat_stride(dat), dat->host, host);
  return host;
}

static void loosen_set(pl_context *pl, pl_set *set, int64_t *global, const int *position)
{
  EACH(pl_set, subset, pl->sets)
  if (subset->parent == set) {
    loosen_subset(subset, position);
    if (subset->part[1]) qsort(subset->indices, (size_t)subset->part[1], sizeof(int), ascending);
  }
  forget_set(set);
  pl_free_array(pl, set->global);
  pl_free_array(pl, set->view);
  pl_halo_free(pl, set->halo);
  set->global = global;
  set->view = NULL;
  set->named = 0;
  set->unsorted = false;
  set->halo = NULL;
  set->moved++;
  set->part[0] = set->part[2] = set->part[3] = set->part[1];
}

static int count_nodes(const pl_node *node)
{
  int n = 0;
  for (; node; node = node->next) n++;
  return n;
}

/* All that loosening needs, taken before anything changes; by place of the object in its list. */
typedef struct loosening {
  int64_t **global, **far;
  int **position, **offset; /* offset: of ragged maps */
  void **host;
} loosening;

static void take_globals(stock *s, pl_context *pl, loosening *l)
{
  int at = 0;
  EACH(pl_set, set, pl->sets)
  {
    int here = at++;
    if (s->scratch->failed || !set->marked || !set->halo) continue;
    l->global[here] = stock_array(s, (size_t)set->part[1], sizeof(int64_t));
    l->position[here] = pl_scratch_take(s->scratch, (size_t)set->part[3], sizeof(int));
    if (s->scratch->failed) continue;
    for (int k = 0; k < set->part[3]; k++) l->position[here][pl_view_at(set, k)] = k;
    for (int k = 0; k < set->part[1]; k++) l->global[here][k] = set->global[pl_view_at(set, k)];
  }
}

static void take_rows(stock *s, pl_context *pl, loosening *l)
{
  int at = 0;
  EACH(pl_map, map, pl->maps)
  {
    int here = at++;
    if (!s->scratch->failed && map->index && map->from->marked && map->from->halo)
      loosen_map(s, map, &l->far[here], &l->offset[here]);
  }
  at = 0;
  EACH(pl_dat, dat, pl->dats)
  {
    int here = at++;
    if (!s->scratch->failed && dat->set->marked && dat->set->halo) l->host[here] = loose_host(s, dat);
  }
}

static void put_rows(pl_context *pl, const loosening *l)
{
  int at = 0;
  EACH(pl_map, map, pl->maps)
  {
    int here = at++;
    if (!l->far[here]) continue;
    forget_map(map);
    pl_free_array(pl, map->index);
    pl_free(pl, map->offset);
    map->index = NULL;
    map->offset = l->offset[here];
    map->far = l->far[here];
  }
  at = 0;
  EACH(pl_dat, dat, pl->dats)
  {
    int here = at++;
    if (l->host[here])
      swap_storage(dat, l->host[here], pl_dat_nbytes(dat), (size_t)dat->set->part[1] * pl_dat_stride(dat));
  }
}

static void put_globals(pl_context *pl, const loosening *l)
{
  int at = 0;
  EACH(pl_set, set, pl->sets)
  {
    int here = at++;
    if (l->global[here]) loosen_set(pl, set, l->global[here], l->position[here]);
  }
}

static pl_err loosen_marked(pl_context *pl)
{
  pl_scratch scratch = {.pl = pl};
  stock s = {.scratch = &scratch};
  size_t nsets = (size_t)count_nodes(pl->sets), nmaps = (size_t)count_nodes(pl->maps),
         ndats = (size_t)count_nodes(pl->dats);
  loosening l = {.global = pl_scratch_take(&scratch, nsets, sizeof *l.global),
                 .far = pl_scratch_take(&scratch, nmaps, sizeof *l.far),
                 .offset = pl_scratch_take(&scratch, nmaps, sizeof *l.offset),
                 .position = pl_scratch_take(&scratch, nsets, sizeof *l.position),
                 .host = pl_scratch_take(&scratch, ndats, sizeof *l.host)};
  pl_err err = scratch.failed ? pl_scratch_check(&scratch) : check_views(pl);
  if (!err) take_globals(&s, pl, &l);
  if (!err) take_rows(&s, pl, &l);
  if (!err) err = pl_scratch_check(&scratch);
  err = pl_agree(pl, err);
  if (err) {
    drop_stock(&s);
    for (size_t i = 0; l.offset && i < nmaps; i++) pl_free(pl, l.offset[i]);
  } else {
    put_rows(pl, &l);
    put_globals(pl, &l);
    pl->decl_version++;
  }
  pl_scratch_free(&scratch);
  return err;
}

/* ---- public ---- */

/* Marks what is loose. */
static bool mark_loose(pl_context *pl)
{
  bool loose = false;
  clear_marks(pl);
  EACH(pl_set, set, pl->sets)
  if (!set->parent && !set->halo && !set->pairs) loose = set->marked = true;
  EACH(pl_map, map, pl->maps)
  if (map->far) loose = map->from->marked = true;
  return loose;
}

/* Recorded loops run first (which may place sets), and what chains have made for present storage goes. */
pl_err pl_place(pl_context *pl)
{
  if (pl_ranks(pl) == 1 || !mark_loose(pl)) return PL_SUCCESS;
  PL_TRY(pl_late_run(pl));
  if (!mark_loose(pl)) return PL_SUCCESS;
  pl_late_drop(pl);
  spread(pl);
  PL_TRY(loosen_marked(pl));
  return place_marked(pl);
}

pl_err pl_loosen(pl_set *set)
{
  PL_TRY(pl_late_run(set->node.pl));
  pl_late_drop(set->node.pl);
  clear_marks(set->node.pl);
  set->marked = true;
  spread(set->node.pl);
  return loosen_marked(set->node.pl);
}
