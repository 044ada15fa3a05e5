/* SPDX-License-Identifier: BSD-2-Clause
 * Domain decomposition of particles: owners by cuts, copies by extents.
 */
#include "domain_decomposition.h"
#include "core/base/clock.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/arrays/set_resize.h"
#include "particle_migration.h"
#include "particle_positions.h"
#include "plan/cell_lists/point_bins.h"
#include "core/base/real_value.h"
#include "core/tools/tools.h"
#include "plan/partition/coordinate_bisection.h"
#include <math.h>
#include <string.h>

/* ---- extents and images ---- */

pl_extent pl_extent_of(int threads, int dim, int n, double *const axis[])
{
  pl_extent extent = {{0}, {0}};
  for (int a = 0; a < dim; a++) pl_bounds_along(threads, n, axis[a], &extent.low[a], &extent.high[a]);
  return extent;
}

void pl_image_ranges(const pl_domain *domain, int dim, double reach, const pl_extent *extent,
                     pl_image_range *range)
{
  for (int a = 0; a < dim; a++)
    range[a] = (pl_image_range){
      .low = extent->low[a] - reach,
      .high = extent->high[a] + reach,
      .length = domain && domain->periodic[a] ? domain->high[a] - domain->low[a] : INFINITY,
    };
}

static bool is_near(const pl_image_range *range, int dim, double *const axis[], int i)
{
  for (int a = 0; a < dim; a++)
    if (!pl_images_along(&range[a], axis[a][i])) return false;
  return true;
}

/* ---- cuts ---- */

/* The cuts of space, and the box at that time: the same on all ranks. */
typedef struct pl_cuts {
  const pl_dat *position;
  const pl_domain *domain;
  double low[PL_PAIR_AXES], high[PL_PAIR_AXES];
  bool uneven; /* some rank has many more particles than others: space is cut again next time */
  pl_cut cut[];
} pl_cuts;

bool pl_domain_same_box(const pl_domain *domain, const double *low, const double *high)
{
  return !domain ||
         (!memcmp(low, domain->low, sizeof domain->low) && !memcmp(high, domain->high, sizeof domain->high));
}

void pl_domain_store_box(const pl_domain *domain, double *low, double *high)
{
  if (!domain) return;
  memcpy(low, domain->low, sizeof domain->low);
  memcpy(high, domain->high, sizeof domain->high);
}

static bool cuts_are_valid(const pl_pairs *pairs, const pl_cuts *cuts)
{
  return cuts && !cuts->uneven && cuts->position == pairs->position && pairs->domain == cuts->domain &&
         pl_domain_same_box(pairs->domain, cuts->low, cuts->high);
}

void pl_decomposition_forget(pl_set *set)
{
  if (set->cuts) set->cuts->position = NULL;
  if (set->halo) set->halo->nearby.position = NULL;
}

/* The part of the box of a rank. */
static pl_extent share_of(const pl_cuts *cuts, int ranks, int rank)
{
  pl_extent share;
  memcpy(share.low, cuts->low, sizeof share.low);
  memcpy(share.high, cuts->high, sizeof share.high);
  for (int first = 0, count = ranks; count > 1;) {
    int left = count / 2;
    const pl_cut *c = &cuts->cut[first + left - 1];
    bool below = rank < first + left;
    if (below)
      share.high[c->axis] = fmin(share.high[c->axis], c->at);
    else
      share.low[c->axis] = fmax(share.low[c->axis], c->at);
    first += below ? 0 : left;
    count = below ? left : count - left;
  }
  return share;
}

/* ---- owners ---- */

typedef struct decomposition {
  pl_context *pl;
  pl_map *map;
  pl_pairs *pairs;
  double reach, around; /* around: how far this rank needs copies, at least `reach` */
  pl_arena arena;
  pl_positions positions; /* of this rank's particles, on the host */
  bool by_device;         /* the device finds the owners instead */
  bool moved;             /* some particles were wrapped */
  pl_migrants migrants;
  double begun, found, sent; /* times: begin, owners known, particles migrated */
  pl_extent mine;            /* of this rank's particles */
} decomposition;

static pl_err read_positions(decomposition *s)
{
  pl_dat *position = s->pairs->position;
  void *x = pl_dat_host(position, false);
  if (!x) return s->pl->error_code;
  PL_TRY(pl_positions_get(s->map, &s->positions, x, s->positions.n, &s->moved));
  if (s->moved) pl_positions_wrap(position, x, &s->positions);
  return PL_SUCCESS;
}

static pl_err cut_space(decomposition *s, int *owner)
{
  size_t ranks = (size_t)pl_ranks(s->pl), dim = (size_t)s->positions.dim, n = (size_t)s->positions.n;
  pl_set *set = s->map->from;
  double *x = pl_arena_alloc(&s->arena, n * dim, sizeof *x);
  if (!set->cuts) set->cuts = pl_calloc(s->pl, 1, sizeof *set->cuts + ranks * sizeof(pl_cut));
  if (!set->cuts) s->arena.failed = true;
  PL_TRY(pl_arena_agree(&s->arena));
  for (size_t i = 0; i < n; i++)
    for (size_t a = 0; a < dim; a++) x[i * dim + a] = s->positions.axis[a][i];
  set->cuts->position = NULL;
  const pl_points points = {.n = (int)n, .dim = (int)dim, .x = x};
  PL_TRY(pl_partition_cuts(s->pl, &points, (int)ranks, owner, set->cuts->cut));
  set->cuts->position = s->pairs->position;
  set->cuts->domain = s->pairs->domain;
  pl_domain_store_box(s->pairs->domain, set->cuts->low, set->cuts->high);
  return PL_SUCCESS;
}

static void follow_cuts(const decomposition *s, int *owner)
{
  const pl_positions *p = &s->positions;
  double x[PL_PAIR_AXES] = {0};
  for (int i = 0; i < p->n; i++) {
    for (int a = 0; a < p->dim; a++) x[a] = p->axis[a][i];
    owner[i] = pl_cut_part(s->map->from->cuts->cut, pl_ranks(s->pl), x);
  }
}

/* The owners of this rank's particles, unless the device knows them; collective where space is cut. */
static pl_err choose_owners(decomposition *s, bool follow)
{
  if (s->by_device) return PL_SUCCESS;
  int *owner = pl_arena_alloc(&s->arena, (size_t)s->positions.n, sizeof *owner);
  if (!follow) PL_TRY(pl_arena_agree(&s->arena));
  if (!follow) PL_TRY(cut_space(s, owner));
  if (follow && owner) follow_cuts(s, owner);
  if (owner) pl_migrants_find(&s->arena, s->positions.n, owner, &s->migrants);
  return pl_arena_check(&s->arena);
}

/* Found on some rank: an error, which all return, wrapped particles, leaving ones. */
static pl_err agree_on_migrants(const decomposition *s, pl_err err, bool *moved, bool *leave)
{
  uint8_t any[3] = {err != PL_SUCCESS, s->moved, !err && pl_count_sum(s->pl, s->migrants.count) > 0};
  PL_TRY(pl_comm_reduce(s->pl, PL_UINT8, PL_MAX, any, 3));
  if (any[0]) return pl_agree(s->pl, err);
  *moved = any[1];
  *leave = any[2];
  return PL_SUCCESS;
}

static pl_err ask_device(decomposition *s)
{
  const pl_backend *backend = s->pl->backend;
  s->migrants.count = pl_arena_alloc(&s->arena, (size_t)pl_ranks(s->pl), sizeof *s->migrants.count);
  if (!backend->pairs || s->arena.failed) return pl_arena_check(&s->arena);
  return backend->pairs->leaving(s->pl, s->map, s->map->from->cuts->cut, s->migrants.count,
                                 &s->migrants.index, &s->moved, &s->by_device);
}

/* Wraps the particles and sends them to the ranks that own their positions. */
static pl_err migrate_particles(decomposition *s)
{
  pl_set *set = s->map->from;
  bool follow = cuts_are_valid(s->pairs, set->cuts), moved = false, leave = false;
  pl_err err = follow ? ask_device(s) : PL_SUCCESS;
  if (!err && !s->by_device) err = read_positions(s);
  if (!follow) PL_TRY(pl_agree(s->pl, err));
  if (!err) err = choose_owners(s, follow);
  PL_TRY(agree_on_migrants(s, err, &moved, &leave));
  if (moved) s->pairs->position->version++;
  s->found = pl_now();
  return leave ? pl_particles_migrate(set, &s->migrants, NULL) : PL_SUCCESS;
}

/* ---- copies ---- */

/* The coordinates of this rank's particles axis by axis, from the position dat. */
static pl_err read_axes(decomposition *s, double *axis[PL_PAIR_AXES])
{
  const pl_dat *position = s->pairs->position;
  size_t n = (size_t)s->map->from->end[1], dim = (size_t)s->pairs->dim;
  if (!pl_dat_host(s->pairs->position, false)) return s->pl->error_code;
  for (size_t a = 0; a < dim; a++) {
    axis[a] = pl_arena_alloc(&s->arena, n, sizeof(double));
    for (size_t i = 0; axis[a] && i < n; i++)
      axis[a][i] = pl_real_at(position->type, position->storage.host, i * dim + a);
  }
  return pl_arena_check(&s->arena);
}

/* Each rank's data for all others. */
typedef struct report {
  pl_extent extent;
  int64_t n;
} report;

/* Whether ranks differ by so much that space is cut again. */
static bool are_uneven(const report *all, int ranks)
{
  double sum = 0, most = 0;
  for (int r = 0; r < ranks; r++) {
    sum += (double)all[r].n;
    most = fmax(most, (double)all[r].n);
  }
  return most > 1.1 * sum / ranks + 16;
}

/* This rank's extent, larger by the further copies that it needs. */
static pl_extent wanted_extent(const decomposition *s)
{
  const double more = s->around > s->reach ? s->around - s->reach : 0; /* both may be infinite */
  pl_extent extent = s->mine;
  for (int a = 0; a < s->pairs->dim; a++) {
    extent.low[a] -= more;
    extent.high[a] += more;
  }
  return extent;
}

static pl_err exchange_extents(decomposition *s, double *const axis[], report *all, pl_extent *extent)
{
  int ranks = pl_ranks(s->pl), n = s->map->from->end[1];
  report mine = {.n = n};
  s->mine = s->by_device ? share_of(s->map->from->cuts, ranks, pl_rank(s->pl))
                         : pl_extent_of(s->positions.threads, s->pairs->dim, n, axis);
  mine.extent = wanted_extent(s);
  PL_TRY(pl_comm_gather(s->pl, &mine, sizeof mine, all));
  for (int r = 0; r < ranks; r++) extent[r] = all[r].extent;
  s->map->from->cuts->uneven = are_uneven(all, ranks);
  return PL_SUCCESS;
}

static void find_near(decomposition *s, double *const axis[], const pl_extent *extent, int64_t *count,
                      pl_ids *send)
{
  for (int r = 0; r < pl_ranks(s->pl) && !s->arena.failed; r++) {
    int64_t before = send->n;
    pl_image_range range[PL_PAIR_AXES];
    pl_image_ranges(s->pairs->domain, s->pairs->dim, s->reach, &extent[r], range);
    for (int i = 0; r != pl_rank(s->pl) && i < s->map->from->end[1]; i++)
      if (is_near(range, s->pairs->dim, axis, i)) pl_ids_add(&s->arena, send, i);
    count[r] = send->n - before;
  }
}

static pl_nearby nearby_of(const decomposition *s)
{
  pl_nearby near = {.position = s->pairs->position,
                    .domain = s->pairs->domain,
                    .version = s->pairs->position->version,
                    .reach = s->reach,
                    .around = s->around};
  memcpy(near.from, s->mine.low, sizeof near.from);
  memcpy(near.to, s->mine.high, sizeof near.to);
  pl_domain_store_box(s->pairs->domain, near.low, near.high);
  return near;
}

static pl_err list_near(decomposition *s, double *const axis[], const pl_extent *extent, int64_t *count,
                        const int **list)
{
  pl_ids send = {NULL, 0, 0};
  const pl_nearby near = nearby_of(s);
  if (s->by_device) return s->pl->backend->pairs->near(s->pl, s->map, &near, extent, count, list);
  find_near(s, axis, extent, count, &send);
  int *index = pl_arena_alloc(&s->arena, (size_t)send.n, sizeof *index);
  PL_TRY(pl_arena_check(&s->arena));
  for (int64_t k = 0; k < send.n; k++) index[k] = (int)send.item[k];
  *list = index;
  return PL_SUCCESS;
}

/* Lists that the device has, too, are completed on the host while the device works (pl_ghosts_complete). */
static pl_err keep_lists(const decomposition *s)
{
  bool kept = false;
  pl_err err = s->by_device ? s->pl->backend->pairs->keep(s->pl, s->map, &kept) : PL_SUCCESS;
  if (err || !kept || pl_dat_host_is_valid(s->pairs->position)) pl_ghosts_complete(s->map->from);
  return pl_agree(s->pl, err);
}

static pl_err copy_near(decomposition *s)
{
  size_t ranks = (size_t)pl_ranks(s->pl);
  double *axis[PL_PAIR_AXES] = {NULL};
  pl_extent *extent = pl_arena_alloc(&s->arena, ranks, sizeof *extent);
  int64_t *count = pl_arena_alloc(&s->arena, ranks, sizeof *count);
  report *all = pl_arena_alloc(&s->arena, ranks, sizeof *all);
  const int *list = NULL;
  s->by_device = s->by_device && s->map->from->end[1];
  PL_TRY(pl_agree(s->pl, s->by_device ? pl_arena_check(&s->arena) : read_axes(s, axis)));
  PL_TRY(exchange_extents(s, axis, all, extent));
  PL_TRY(pl_agree(s->pl, list_near(s, axis, extent, count, &list)));
  PL_TRY(pl_ghosts_make(s->map->from, count, list));
  return keep_lists(s);
}

/* ---- pl_decompose ---- */

/* The greatest reach of all pair maps of these positions: one halo serves them all. */
static double widest_reach(const pl_pairs *pairs, double reach)
{
  PL_EACH (const pl_map, map, pairs->position->node.pl->maps) {
    const pl_pairs *other = map->pair_map ? map->pairs : NULL;
    if (other && other->position == pairs->position && other->domain == pairs->domain)
      reach = fmax(reach, pl_pairs_reach(other));
  }
  return reach;
}

/* Lists are kept for longer with further copies. */
static double copies_reach(const pl_pairs *pairs, double reach)
{
  pl_context *pl = pairs->position->node.pl;
  PL_EACH (const pl_map, map, pl->maps) {
    const pl_pairs *other = map->pair_map ? map->pairs : NULL;
    if (other && other->position == pairs->position && other->domain == pairs->domain && !other->all_pairs)
      reach = fmax(reach, pl_pairs_kept_reach(other));
  }
  return reach;
}

static bool is_up_to_date(const pl_pairs *pairs, const pl_halo *halo, double reach)
{
  const pl_nearby *near = &halo->nearby;
  return near->position == pairs->position && near->version == pairs->position->version &&
         near->reach >= reach && pairs->domain == near->domain &&
         pl_domain_same_box(pairs->domain, near->low, near->high);
}

static void store_nearby(const decomposition *s)
{
  pl_nearby *near = &s->map->from->halo->nearby;
  const int lower = near->lower;
  *near = nearby_of(s);
  near->lower = lower;
}

static void log_decomposition(const decomposition *s)
{
  const pl_set *set = s->map->from;
  pl_log(
    s->pl, 2,
    "particles of \"%s\": %lld migrated, %d halo copies, owners by the %s; %.3f ms for owners, %.3f ms for "
    "migration, %.3f ms for the halo",
    set->node.name, (long long)pl_count_sum(s->pl, s->migrants.count), set->end[3] - set->end[1],
    s->by_device ? "device" : "host", 1e3 * (s->found - s->begun), 1e3 * (s->sent - s->found),
    1e3 * (pl_now() - s->sent));
}

pl_err pl_decompose(pl_map *map, double reach)
{
  pl_context *pl = map->node.pl;
  pl_pairs *pairs = map->pairs;
  const bool current = is_up_to_date(pairs, map->from->halo, reach);
  pl_err err = pl_pairs_check_box(map->node.name, pairs);
  if (!err && !current) err = pl_set_check_variable(map->from, NULL, "pair map");
  PL_TRY(pl_agree(pl, err));
  if (current) return PL_SUCCESS;
  decomposition s = {
    .pl = pl,
    .map = map,
    .pairs = pairs,
    .reach = widest_reach(pairs, reach),
    .arena = {.pl = pl},
    .positions = {.pl = pl, .pool = &pairs->pool, .dim = pairs->dim, .n = map->from->end[1]}};
  s.around = copies_reach(pairs, s.reach);
  s.positions.threads = pl_pairs_threads(pl, (size_t)s.positions.n);
  pl_migration_enable(map->from);
  pl_event_begin(pl, PL_TOOL_PLAN, "migration", map->from->node.name, 0);
  s.begun = pl_now();
  err = migrate_particles(&s);
  s.sent = pl_now();
  if (!err) err = copy_near(&s);
  pl_event_end(pl, PL_TOOL_PLAN);
  if (!err) store_nearby(&s);
  if (!err) log_decomposition(&s);
  pl_positions_free(&s.positions);
  pl_arena_free(&s.arena);
  return err;
}
