/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists: when they are built, with ghosts.
 */
#include "neighbour_list.h"
#include "core/comm/comm.h"
#include "core/exchange/halo.h"
#include "core/loop/loop.h"
#include "core/threads/threads.h"
#include "core/tools/tools.h"
#include "plan/cell_lists/cell_list.h"
#include "plan/distribution/distribute.h"
#include "domain_decomposition.h"
#include "neighbour_list_records.h"
#include "particle_migration.h"
#include "particle_positions.h"
#include <math.h>
#include <string.h>

int pl_pairs_threads(pl_context *pl, size_t work)
{
  int most = pl->backend->data ? 1 << 16 : pl_backend_threads(pl), threads = pl_plan_threads(1 << 16, work);
  return threads < most ? threads : most;
}

/* ---- ghosts ---- */

static const int power[PL_PAIR_AXES] = {1, 3, 9}; /* of 3, for the digit of each axis in an image's code */

/* The images of particle i in the ranges, without itself; sides[a] are those along axis a. No periodic axis
 * is shorter than cutoff + skin, so no image is near its particle. */
static inline int count_images_of(const pl_positions *p, const pl_image_range *range, int i,
                                  int sides[PL_PAIR_AXES])
{
  static const int bits[] = {0, 1, 1, 2, 1, 2, 2, 3};
  int n = 1, itself = 2;
  for (int a = 0; a < PL_PAIR_AXES; a++) {
    sides[a] = a < p->dim ? pl_images_along(&range[a], p->axis[a][i]) : 2;
    n *= bits[sides[a]];
    itself &= sides[a];
  }
  return n - itself / 2;
}

/* Stores the codes of images along the axes: digits of base 3, 0 below, 1 in the box, 2 above. */
static void store_codes(const int sides[PL_PAIR_AXES], unsigned char *code)
{
  for (int x = 2; x >= 0; x--)
    for (int y = 2; (sides[0] >> x & 1) && y >= 0; y--)
      for (int z = 2; (sides[1] >> y & 1) && z >= 0; z--) {
        const int one = x * power[0] + y * power[1] + z * power[2];
        if ((sides[2] >> z & 1) && one != 13) *code++ = (unsigned char)one; /* 13: itself */
      }
}

/* A new list, which replaces the old one when it is complete. (Entries are an exception: the old ones are
 * freed first, and without memory for new ones there is no list.) */
typedef struct build {
  pl_pairs *pairs;
  pl_positions p;
  pl_pairs_list list;
  double around;  /* how far images are listed: the reach of rows, or further, so that the list may be kept */
  double padding; /* a coordinate that is far from all points */
} build;

/* Counts the images of the particles of a piece, and stores them from `next` on once there is an array. */
static int64_t list_images(const pl_map *map, build *b, const pl_image_range *range, int piece, int64_t next)
{
  int here = map->from->end[3], end = pl_piece_end(piece * PL_PIECE, here), sides[PL_PAIR_AXES];
  int64_t count = 0;
  for (int i = piece * PL_PIECE; i < end; i++) {
    const int n = count_images_of(&b->p, range, i, sides);
    count += n;
    if (!b->list.image) continue;
    b->list.owner[i] = i;
    if (n) store_codes(sides, b->list.image + (next - here));
    for (int k = 0; k < n; k++) b->list.owner[next++] = i;
  }
  return count;
}

/* first[k] becomes the first image of piece k, the last one the end of all. */
static pl_err count_images(const pl_map *map, build *b, const pl_image_range *range, int64_t *first)
{
  int here = map->from->end[3], pieces = pl_pieces(here);
  PL_PARALLEL_FOR(b->p.threads)
  for (int k = 0; k < pieces; k++) first[k + 1] = list_images(map, b, range, k, 0);
  first[0] = here;
  for (int k = 0; k < pieces; k++) first[k + 1] += first[k];
  if (first[pieces] + map->pairs->lanes > INT32_MAX)
    return pl_fail(b->p.pl, PL_ERR_RANGE,
                   "pair map \"%s\": more than %d particles and images; use more ranks", map->node.name,
                   INT32_MAX);
  b->p.count = (int)first[pieces];
  return PL_SUCCESS;
}

static pl_err build_ghosts(const pl_map *map, build *b, const pl_extent *extent)
{
  pl_positions *p = &b->p;
  int here = map->from->end[3], lanes = map->pairs->lanes, pieces = pl_pieces(here);
  pl_image_range range[PL_PAIR_AXES];
  pl_image_ranges(map->pairs->domain, p->dim, b->around, extent, range);
  int64_t *first = pl_malloc(p->pl, ((size_t)pieces + 1) * sizeof *first);
  if (!first) return pl_fail_memory(p->pl, (size_t)pieces * sizeof *first);
  pl_err err = count_images(map, b, range, first);
  if (!err) {
    b->list.owner = pl_array_pool_alloc(p->pl, p->pool, ((size_t)p->count + (size_t)lanes) * sizeof(int));
    b->list.image = pl_array_pool_alloc(p->pl, p->pool, (size_t)(p->count - here));
    if (!b->list.owner || !b->list.image) err = pl_fail_memory(p->pl, (size_t)p->count * sizeof(int));
  }
  if (!err) {
    PL_PARALLEL_FOR(p->threads)
    for (int k = 0; k < pieces; k++) list_images(map, b, range, k, first[k]);
    memset(b->list.owner + p->count, 0, (size_t)lanes * sizeof(int));
  }
  pl_free(p->pl, first);
  return err;
}

void pl_domain_shifts(const pl_domain *domain, int dim, double shift[27][PL_PAIR_AXES])
{
  for (int code = 0; code < 27; code++)
    for (int a = 0; a < dim; a++)
      shift[code][a] = domain ? (code / power[a] % 3 - 1) * (domain->high[a] - domain->low[a]) : 0;
}

static void copy_coordinates(const pl_map *map, const build *b, double *const axis[])
{
  const pl_positions *p = &b->p;
  int here = map->from->end[3], pieces = pl_pieces(p->count);
  double shift[27][PL_PAIR_AXES];
  pl_domain_shifts(map->pairs->domain, p->dim, shift);
  PL_PARALLEL_FOR(p->threads)
  for (int k = 0; k < pieces; k++)
    for (int i = k * PL_PIECE, end = pl_piece_end(k * PL_PIECE, p->count); i < end; i++)
      for (int a = 0; a < p->dim; a++)
        axis[a][i] =
          i < here ? p->axis[a][i] : p->axis[a][b->list.owner[i]] + shift[b->list.image[i - here]][a];
}

/* The coordinate of padding records: far from all points, but not so far that powers of a distance overflow,
 * which is slow on hosts, since loops compute with it. */
static double padding_coordinate(const pl_positions *p, const pl_extent *extent)
{
  double most = 0;
  for (int a = 0; a < p->dim && p->n; a++)
    most = fmax(most, fmax(fabs(extent->low[a]), fabs(extent->high[a])));
  return 4 * (most + p->reach);
}

static pl_err build_points(const pl_map *map, build *b)
{
  pl_positions *p = &b->p;
  const pl_extent extent = pl_extent_of(p->threads, p->dim, p->n, p->axis);
  b->padding = padding_coordinate(p, &extent);
  double *axis[PL_PAIR_AXES] = {0};
  PL_TRY(build_ghosts(map, b, &extent));
  bool good = true;
  for (int a = 0; a < p->dim; a++)
    good &= (axis[a] = pl_array_pool_alloc(p->pl, p->pool, (size_t)p->count * sizeof *axis[a])) != NULL;
  if (good) copy_coordinates(map, b, axis);
  for (int a = 0; a < p->dim; a++) pl_array_pool_give_back(p->pl, p->pool, good ? p->axis[a] : axis[a]);
  if (good) memcpy(p->axis, axis, sizeof axis);
  return good ? PL_SUCCESS : pl_fail_memory(p->pl, (size_t)p->count * sizeof **axis);
}

/* ---- building ---- */

double pl_pairs_reach(const pl_pairs *pairs)
{
  return (pairs->cutoff + pairs->skin) * (1 + (pairs->position->type == PL_DOUBLE ? 1e-12 : 1e-5));
}

double pl_pairs_kept_reach(const pl_pairs *pairs)
{
  const pl_domain *domain = pairs->domain;
  double way = (pairs->position->node.pl->backend->pairs ? 0.7 : 0.8) * pairs->skin;
  for (int a = 0; domain && a < pairs->dim; a++)
    if (domain->periodic[a]) way = fmin(way, (domain->high[a] - domain->low[a] - pairs->cutoff) / 2);
  return pairs->cutoff + 2 * way;
}

/* The longest way of a particle for which a list is kept, at most as long as copies allow. */
static double longest_way(const pl_map *map)
{
  const pl_pairs *pairs = map->pairs;
  const pl_halo *halo = map->from->halo;
  const double most = (pl_pairs_kept_reach(pairs) - pairs->cutoff) / 2;
  return halo ? fmin(most, (halo->nearby.around - pairs->cutoff) / 2) : most;
}

/* Rows, and the bins of which they are made, which are kept for updates. */
static pl_err make_rows(const pl_pairs *pairs, build *b)
{
  pl_positions *p = &b->p;
  pl_bins g = {.points = p};
  pl_err err = p->n ? pl_bins_make(&g) : PL_SUCCESS;
  if (!err) err = pl_cell_list_rows(&g, pairs->lanes, p->count, &b->list.offset, &b->list.entry);
  b->list.rows = err ? 0 : p->n;
  pl_bins *kept = err ? NULL : pl_array_pool_alloc(p->pl, p->pool, sizeof *kept);
  if (!err && !kept) err = pl_fail_memory(p->pl, sizeof *kept);
  if (kept) {
    *kept = g;
    void *const arrays[] = {kept, g.start, g.at[0]};
    memcpy(b->list.bins, arrays, sizeof arrays);
    g.start = NULL;
    g.at[0] = NULL;
  }
  pl_bins_free(&g);
  return err;
}

static void give_back_bins(const pl_positions *p, pl_pairs_list *list)
{
  for (int k = 0; k < 3; k++) {
    pl_array_pool_give_back(p->pl, p->pool, list->bins[k]);
    list->bins[k] = NULL;
  }
}

static pl_err alloc_list(const pl_map *map, build *b)
{
  pl_pairs *pairs = map->pairs;
  pl_positions *p = &b->p;
  PL_TRY(build_points(map, b));
  size_t size = pl_type_size(pairs->position->type);
  b->list.anchor = pl_array_pool_alloc(p->pl, p->pool, (size_t)p->n * (size_t)p->dim * size);
  b->list.record = pl_array_pool_alloc(
    p->pl, p->pool, (((size_t)p->count + (size_t)pairs->lanes) * (size_t)pairs->width + 1) * size);
  if (!b->list.anchor || !b->list.record) return pl_fail_memory(p->pl, (size_t)p->count * 4 * size);
  if (pairs->all_pairs) return PL_SUCCESS;
  /* Most of a list's memory, which is never held twice. */
  pl_array_pool_give_back(p->pl, p->pool, pairs->list.entry);
  pairs->list.entry = NULL;
  give_back_bins(p, &pairs->list);
  pairs->built = false;
  return make_rows(pairs, b);
}

static void swap_lists(pl_pairs *pairs, build *b)
{
  pl_pairs_list old = pairs->list;
  pairs->list = b->list;
  b->list = old;
  pairs->n = b->p.n;
  pairs->nrecords = b->p.count;
  pl_domain_store_box(pairs->domain, pairs->low, pairs->high);
}

static void free_build(build *b)
{
  pl_positions *p = &b->p;
  void *const arrays[] = {b->list.owner, b->list.image,  b->list.offset,
                          b->list.entry, b->list.anchor, b->list.record};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    pl_array_pool_give_back(p->pl, p->pool, arrays[k]);
  give_back_bins(p, &b->list);
  pl_positions_free(p);
}

/* The set of the pairs follows the particles' set; on several ranks without a core: all pairs wait for the
 * halo. */
static void resize_pair_set(const pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  bool same = pairs->set->end[3] == pairs->n;
  for (int p = 0; p < 4; p++) pairs->set->end[p] = pairs->n;
  if (pl_ranks(map->node.pl) > 1) pairs->set->end[0] = 0;
  pairs->set->capacity = map->from->capacity;
  if (!same) pl_loops_resized(map->node.pl, pairs->set);
}

static void count_particles(const pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  const pl_set *set = map->from;
  pairs->here = set->end[3];
  pairs->order_version = set->order_version;
  pairs->count[0] = pairs->here;
  pairs->count[1] = pairs->n;
  pairs->count[2] = pairs->n + (set->halo ? set->halo->nearby.lower : 0);
}

static void keep_positions(const pl_pairs *pairs, const void *x, int threads)
{
  const size_t stride = pl_dat_stride(pairs->position);
  int pieces = pl_pieces(pairs->n);
  PL_PARALLEL_FOR(threads)
  for (int k = 0; k < pieces; k++) {
    size_t at = (size_t)k * PL_PIECE * stride,
           bytes = (size_t)(pl_piece_end(k * PL_PIECE, pairs->n) - k * PL_PIECE) * stride;
    memcpy((char *)pairs->list.anchor + at, (const char *)x + at, bytes);
  }
}

static pl_err build_list(pl_map *map, build *b, const void *x)
{
  pl_pairs *pairs = map->pairs;
  PL_TRY(alloc_list(map, b));
  swap_lists(pairs, b);
  count_particles(map);
  keep_positions(pairs, x, b->p.threads);
  pl_pairs_fill(pairs, x, b->padding);
  pairs->built = true;
  pairs->builds++;
  resize_pair_set(map);
  return PL_SUCCESS;
}

static build new_build(const pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  build b = {.pairs = pairs,
             .p = {.pl = map->node.pl, .pool = &pairs->pool, .dim = pairs->dim, .n = map->from->end[1]}};
  b.p.reach = pairs->all_pairs ? 0 : pl_pairs_reach(pairs);
  b.list.way = pairs->all_pairs ? 0 : longest_way(map);
  b.around = fmax(b.p.reach, pairs->cutoff + 2 * b.list.way);
  b.p.threads = pl_pairs_threads(b.p.pl, (size_t)b.p.n * 8);
  b.p.before = pairs->built ? pairs : NULL;
  return b;
}

static pl_err rebuild(pl_map *map, void *x)
{
  build b = new_build(map);
  bool moved = false;
  pl_event_begin(map->node.pl, PL_TOOL_PLAN, "neighbour list", map->from->node.name, 0);
  pl_err err = pl_pairs_check_box(map->node.name, b.pairs);
  if (!err) err = pl_positions_get(map, &b.p, x, b.p.n, &moved);
  if (!err && moved) pl_positions_wrap(map->pairs->position, x, &b.p);
  if (!err && moved) map->pairs->position->version++;
  if (!err) err = build_list(map, &b, x);
  pl_event_end(map->node.pl, PL_TOOL_PLAN);
  free_build(&b);
  return err;
}

static bool same_box(const pl_pairs *pairs)
{
  return pl_domain_same_box(pairs->domain, pairs->low, pairs->high);
}

/* ---- on several ranks ---- */

/* Builds the list of this rank's particles once halo copies are here: on the device if it can. */
static pl_err build_shared(pl_map *map, build *b)
{
  const pl_backend *backend = map->node.pl->backend;
  bool moved = false, done = false;
  if (backend->pairs) PL_TRY(backend->pairs->renew(map->node.pl, map, false, &done));
  if (done) {
    count_particles(map);
    resize_pair_set(map);
    return PL_SUCCESS;
  }
  void *x = pl_dat_host(map->pairs->position, false);
  if (!x) return map->node.pl->error_code;
  PL_TRY(pl_positions_get(map, &b->p, x, map->from->end[3], &moved));
  return build_list(map, b, x);
}

static bool listed_by_device(const pl_pairs *pairs)
{
  return pairs->device && pairs->device->device_built;
}

/* Particles migrate to their ranks and are copied to neighbours; then each rank builds its rows. */
static pl_err migrate_and_build(pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  pl_context *pl = map->node.pl;
  pairs->built_for_check = pl_opt_flag(pl, PL_OPT_CHECK);
  PL_TRY(pl_decompose(map, pl_pairs_reach(pairs)));
  if (pairs->built_for_check) PL_TRY(pl_halo_number(map->from));
  PL_TRY(pl_halo_refresh(pairs->position));
  build b = new_build(map);
  pl_err err = build_shared(map, &b);
  pl_ghosts_complete(map->from);
  free_build(&b);
  uint8_t all[2] = {!err, listed_by_device(pairs) && !pairs->built_for_check};
  PL_TRY(pl_comm_reduce(pl, PL_UINT8, PL_MIN, all, 2));
  pairs->on_devices = all[1];
  return all[0] ? PL_SUCCESS : pl_agree(pl, err);
}

/* After an error no rank has a list, so that all make the same calls next time. */
static pl_err rebuild_shared(pl_map *map)
{
  pl_event_begin(map->node.pl, PL_TOOL_PLAN, "neighbour list", map->from->node.name, 0);
  pl_err err = migrate_and_build(map);
  pl_event_end(map->node.pl, PL_TOOL_PLAN);
  map->pairs->built &= !err;
  return err;
}

/* PLAIT_CHECK runs pairs on the host too, which needs a list of its own. */
static bool needs_host_list(const pl_map *map)
{
  return listed_by_device(map->pairs) && pl_opt_flag(map->node.pl, PL_OPT_CHECK);
}

enum { FAILED = 2 };

/* Renews the lists of all ranks if it is necessary on one. */
static pl_err agree_on_list(pl_map *map, pl_err err, bool stale, bool *renewed)
{
  pl_context *pl = map->node.pl;
  uint8_t renew = err ? FAILED : stale;
  PL_TRY(pl_comm_reduce(pl, PL_UINT8, PL_MAX, &renew, 1));
  if (renew == FAILED) return pl_agree(pl, err);
  *renewed = renew;
  if (renew) return rebuild_shared(map);
  map->pairs->version = map->pairs->position->version;
  return PL_SUCCESS;
}

pl_err pl_pairs_confirm(pl_map *map, bool *renewed)
{
  bool stale = false;
  map->pairs->unconfirmed = false;
  pl_err err = map->node.pl->backend->pairs->stale(map->node.pl, map, &stale);
  return agree_on_list(map, err, stale, renewed);
}

/* A device updates the records of its own particles meanwhile. */
static pl_err exchange_positions(pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  pl_context *pl = map->node.pl;
  PL_TRY(pl_halo_refresh_begin(pairs->position));
  pl_err started = listed_by_device(pairs) ? pl->backend->pairs->start_update(pl, map) : PL_SUCCESS;
  pl_err err = pl_halo_refresh_end(pairs->position);
  return started ? started : err;
}

/* With current copies: updates the records. *stale: a pair may be missing in this rank's list. */
static pl_err update_shared(pl_map *map, bool *stale)
{
  pl_pairs *pairs = map->pairs;
  const pl_pair_ops *device = listed_by_device(pairs) ? map->node.pl->backend->pairs : NULL;
  if (device) PL_TRY(device->update(map->node.pl, map));
  if (device) return pairs->unconfirmed ? PL_SUCCESS : device->stale(map->node.pl, map, stale);
  const void *x = pl_dat_host(pairs->position, false);
  if (!x) return map->node.pl->error_code;
  pl_pairs_update(pairs, x, stale);
  return PL_SUCCESS;
}

/* Only positions are exchanged while the lists of all ranks are valid. */
static pl_err refresh_shared(pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  pl_context *pl = map->node.pl;
  PL_TRY(pl_distribute(pl));
  /* With PLAIT_CHECK set, ranks on devices need host lists: all ranks rebuild, so that their calls match. */
  bool check = pl_opt_flag(pl, PL_OPT_CHECK) && !pairs->built_for_check, stale = false,
       same = pairs->built && pairs->order_version == map->from->order_version && same_box(pairs) && !check;
  if (same && pairs->version == pairs->position->version) return PL_SUCCESS;
  bool kept = same && !pairs->all_pairs, renewed;
  pairs->unconfirmed = kept && pairs->ahead && pairs->on_devices;
  if (kept) PL_TRY(exchange_positions(map));
  pl_err err = kept ? update_shared(map, &stale) : PL_SUCCESS;
  return pairs->unconfirmed ? pl_agree_on_error(pl, err) : agree_on_list(map, err, !kept || stale, &renewed);
}

pl_err pl_pairs_refresh(pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  pl_dat *position = pairs->position;
  if (position->writer)
    return pl_fail(map->node.pl, PL_ERR_STATE,
                   "pair map \"%s\": a %s view of the positions \"%s\" is open; close it with %s first",
                   map->node.name, pl_view_kind(position), position->node.name, pl_view_end(position));
  if (pl_ranks(map->node.pl) > 1) return refresh_shared(map);
  bool same = pairs->built && pairs->n == map->from->end[1] && same_box(pairs) && !needs_host_list(map);
  if (same && pairs->version == position->version) return PL_SUCCESS;
  if (map->node.pl->backend->pairs) {
    bool done;
    PL_TRY(pl_pairs_check_box(map->node.name, pairs));
    PL_TRY(map->node.pl->backend->pairs->renew(map->node.pl, map, same, &done));
    if (done) resize_pair_set(map);
    if (done) return PL_SUCCESS;
    same = same && pairs->list.record;
  }
  void *x = pl_dat_host(position, false);
  if (!x) return map->node.pl->error_code;
  bool stale = !same || pairs->all_pairs;
  if (!stale) pl_pairs_update(pairs, x, &stale);
  return stale ? rebuild(map, x) : PL_SUCCESS;
}
