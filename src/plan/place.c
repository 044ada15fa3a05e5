/* SPDX-License-Identifier: BSD-2-Clause
 * From loose sets to placed ones and back. See place.h.
 *
 * Everything that can fail comes first and is agreed on; then all objects are moved on all ranks.
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

/* ---- placing: one object at a time ---- */

typedef struct work {
  pl_context *pl;
  pl_scratch scratch;
  stock stock;
  int nsites, nroads, ndats, nsubsets;
  pl_site *site;
  pl_road *road;
  struct new_set {
    int64_t *global;
    int *view;
    pl_halo *halo;
  } * set;
  int **index, **offset; /* of each road; offset NULL: a fixed arity */
  unsigned char *negative;
  pl_dat **dat;
  char **host; /* of each dat, NULL: zeros */
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
  w->set = pl_scratch_take(&w->scratch, (size_t)w->nsites, sizeof *w->set);
  w->road = pl_scratch_take(&w->scratch, (size_t)maps, sizeof *w->road);
  w->index = pl_scratch_take(&w->scratch, (size_t)maps, sizeof *w->index);
  w->offset = pl_scratch_take(&w->scratch, (size_t)maps, sizeof *w->offset);
  w->negative = pl_scratch_take(&w->scratch, (size_t)maps, 1);
  w->dat = pl_scratch_take(&w->scratch, (size_t)dats, sizeof(pl_dat *));
  w->host = pl_scratch_take(&w->scratch, (size_t)dats, sizeof *w->host);
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

static void make_set(work *w, int s)
{
  const pl_site *site = &w->site[s];
  size_t total = (size_t)total_rows(site);
  struct new_set *new = &w->set[s];
  new->global = stock_array(&w->stock, total, sizeof *new->global);
  new->view = stock_array(&w->stock, total, sizeof *new->view);
  if (w->scratch.failed) return;
  for (int i = 0; i < site->n; i++) new->global[site->storage[i]] = pl_loose_id(site->set, i);
  for (int64_t i = 0; i < site->exec.in.n; i++) new->global[site->n + i] = site->exec.in.item[i];
  for (int64_t i = 0; i < site->nonexec.in.n; i++)
    new->global[site->n + site->exec.in.n + i] = site->nonexec.in.item[i];
  memcpy(new->view, site->storage, total * sizeof *new->view);
  if (make_halo(w, site, &new->halo)) w->scratch.failed = true;
}

static int place_of(const pl_site *to, int64_t target)
{
  return target < 0 ? -1 : to->storage[pl_site_row(to, target)];
}

/* Where the rows of a ragged map begin, in the order of storage. */
static pl_err make_offset(work *w, int r, int rows)
{
  const pl_road *road = &w->road[r];
  const pl_site *from = road->from;
  int64_t entries = 0, total = total_rows(from);
  const int64_t *targets;
  int *offset = w->offset[r] = pl_calloc(w->pl, (size_t)total + 1, sizeof *offset);
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
static pl_err make_index(work *w, int r)
{
  const pl_road *road = &w->road[r];
  const pl_site *from = road->from;
  int rows = from->n + (int)from->exec.in.n;
  bool ragged = road->map->offset != NULL;
  size_t arity = (size_t)road->map->arity, entries = (size_t)total_rows(from) * arity;
  if (ragged) PL_TRY(make_offset(w, r, rows));
  if (ragged) entries = (size_t)w->offset[r][total_rows(from)];
  int *index = w->index[r] = stock_array(&w->stock, entries, sizeof *index);
  if (!index) return pl_scratch_check(&w->scratch);
  memset(index, -1, entries * sizeof *index);
  for (int i = 0; i < rows; i++) {
    const int64_t *target;
    size_t place = (size_t)from->storage[i], n = (size_t)pl_road_row(road, i, &target);
    int *into = index + (ragged ? (size_t)w->offset[r][place] : place * arity);
    for (size_t k = 0; k < n; k++) {
      into[k] = place_of(road->to, target[k]);
      w->negative[r] |= target[k] < 0;
    }
  }
  return PL_SUCCESS;
}

static void make_host(work *w, int d)
{
  pl_dat *dat = w->dat[d];
  const pl_site *site = site_of(w, dat->set);
  size_t stride = pl_dat_stride(dat), total = (size_t)total_rows(site);
  if (bring_home(dat)) w->scratch.failed = true;
  if (!dat->host || w->scratch.failed) return;
  char *host = w->host[d] = stock_array(&w->stock, total, stride);
  if (!host) return;
  for (int i = 0; i < site->n; i++)
    memcpy(host + (size_t)site->storage[i] * stride, (char *)dat->host + (size_t)i * stride, stride);
  memset(host + (size_t)site->n * stride, 0, (total - (size_t)site->n) * stride);
}

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

/* ---- placing: all together ---- */

static pl_err make_all(work *w)
{
  pl_context *pl = w->pl;
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < w->nsites; i++) make_set(w, i);
  for (int i = 0; i < w->nroads && !err && !w->scratch.failed; i++) err = make_index(w, i);
  for (int i = 0; i < w->ndats; i++) make_host(w, i);
  PL_TRY(pl_agree(pl, err ? err : pl_scratch_check(&w->scratch)));
  for (int i = 0; i < w->nsubsets; i++) PL_TRY(make_members(w, i));
  PL_TRY(pl_agree(pl, pl_scratch_check(&w->scratch)));
  return pl_comm_reduce(pl, PL_UINT8, PL_MAX, w->negative, (size_t)w->nroads);
}

static void commit_set(work *w, int s)
{
  const pl_site *site = &w->site[s];
  pl_set *set = site->set;
  forget_set(set);
  pl_free_array(w->pl, set->global);
  pl_free_array(w->pl, set->view);
  set->global = w->set[s].global;
  set->view = w->set[s].view;
  set->halo = w->set[s].halo;
  set->part[0] = site->ncore;
  set->part[1] = site->n;
  set->part[2] = site->n + (int)site->exec.in.n;
  set->part[3] = total_rows(site);
  set->moved++;
}

/* Loops over the pairs of a ragged map divide their work by its rows. */
static void resize_pairs(pl_context *pl)
{
  EACH(pl_map, map, pl->maps)
  if (map->pairs && !map->pair_map) memcpy(map->pairs->set->part, map->from->part, sizeof map->from->part);
}

static void commit(work *w)
{
  for (int i = 0; i < w->ndats; i++) {
    pl_dat *dat = w->dat[i];
    size_t stride = pl_dat_stride(dat), before = (size_t)site_of(w, dat->set)->n * stride;
    if (w->host[i]) swap_storage(dat, w->host[i], before, (size_t)total_rows(site_of(w, dat->set)) * stride);
    dat->halo_stale = true;
    dat->partly = NULL;
  }
  for (int i = 0; i < w->nsites; i++) commit_set(w, i);
  for (int i = 0; i < w->nroads; i++) {
    pl_map *map = w->road[i].map;
    forget_map(map);
    pl_free_array(w->pl, map->far);
    pl_free(w->pl, map->offset);
    map->far = NULL;
    map->index = w->index[i];
    map->offset = w->offset[i];
    map->has_negative = w->negative[i];
  }
  for (int i = 0; i < w->nsubsets; i++) {
    pl_set *subset = w->subset[i];
    forget_set(subset);
    pl_free(w->pl, subset->indices);
    subset->indices = w->members[i];
    memcpy(subset->part, w->part[i], sizeof subset->part);
  }
  resize_pairs(w->pl);
  w->pl->decl_version++;
}

static void give_up(work *w)
{
  drop_stock(&w->stock);
  for (int i = 0; w->offset && i < w->nroads; i++) pl_free(w->pl, w->offset[i]);
  for (int i = 0; w->set && i < w->nsites; i++) pl_halo_free(w->pl, w->set[i].halo);
  for (int i = 0; w->members && i < w->nsubsets; i++) pl_free(w->pl, w->members[i]);
}

/* Places all marked sets, which are loose. */
static pl_err place_marked(pl_context *pl)
{
  work w = {.pl = pl, .scratch = {.pl = pl}};
  w.stock.scratch = &w.scratch;
  collect(&w);
  pl_err err = pl_scratch_check(&w.scratch);
  if (!err) err = check_views(pl);
  err = pl_agree(pl, err);
  if (!err) err = pl_lists_build(&w.scratch, w.nsites, w.site, w.nroads, w.road);
  if (!err) err = make_all(&w);
  if (err)
    give_up(&w);
  else
    commit(&w);
  if (w.site) pl_lists_free(pl, w.nsites, w.site, w.nroads, w.road);
  pl_scratch_free(&w.scratch);
  return err ? err : pl_halo_partial(pl);
}

/* ---- loosening ---- */

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
    for (int k = 0; k < set->part[3]; k++) l->position[here][set->view[k]] = k;
    for (int k = 0; k < set->part[1]; k++) l->global[here][k] = set->global[set->view[k]];
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
