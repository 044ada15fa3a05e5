/* SPDX-License-Identifier: BSD-2-Clause
 * Particles on ranks: who owns them, who needs copies of them. See settle.h.
 */
#include "settle.h"
#include "core/directory.h"
#include "core/profile.h"
#include "parts.h"
#include "scratch.h"
#include "travel.h"
#include <math.h>
#include <string.h>

/* ---- extents and images ---- */

pl_extent pl_extent_of(int dim, int n, double *const axis[])
{
  pl_extent extent = {{0}, {0}};
  for (int a = 0; a < dim; a++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < n; i++) {
      low = axis[a][i] < low ? axis[a][i] : low;
      high = axis[a][i] > high ? axis[a][i] : high;
    }
    extent.low[a] = low;
    extent.high[a] = high;
  }
  return extent;
}

int pl_images_along(const pl_domain *domain, int axis, double x, double reach, const pl_extent *extent)
{
  double low = extent->low[axis] - reach, high = extent->high[axis] + reach;
  int images = (x >= low && x <= high) << 1;
  if (!domain || !domain->periodic[axis]) return images;
  double length = domain->high[axis] - domain->low[axis];
  return images | (x - length >= low && x - length <= high) | (x + length >= low && x + length <= high) << 2;
}

static bool is_near(const pl_pairs *pairs, double *const axis[], int i, double reach, const pl_extent *extent)
{
  for (int a = 0; a < pairs->dim; a++)
    if (!pl_images_along(pairs->domain, a, axis[a][i], reach, extent)) return false;
  return true;
}

/* ---- cuts ---- */

/* Where space was cut, in a box that was so: the same on all ranks. */
typedef struct pl_cuts {
  const pl_dat *position;
  const pl_domain *domain;
  double low[PL_PAIR_AXES], high[PL_PAIR_AXES];
  bool uneven; /* some rank has many more particles than others: space is cut anew next time */
  pl_cut cut[];
} pl_cuts;

static bool same_box(const pl_domain *now, const pl_domain *then, const double *low, const double *high)
{
  size_t bytes = now ? (size_t)now->dim * sizeof(double) : 0;
  return now == then && (!now || (!memcmp(low, now->low, bytes) && !memcmp(high, now->high, bytes)));
}

static void note_box(const pl_domain *domain, double *low, double *high)
{
  if (!domain) return;
  memcpy(low, domain->low, sizeof domain->low);
  memcpy(high, domain->high, sizeof domain->high);
}

static bool may_follow(const pl_pairs *pairs, const pl_cuts *cuts)
{
  return cuts && !cuts->uneven && cuts->position == pairs->position &&
         same_box(pairs->domain, cuts->domain, cuts->low, cuts->high);
}

/* What a rank's cuts leave it of the box. */
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

typedef struct settling {
  pl_context *pl;
  pl_map *map;
  pl_pairs *pairs;
  double reach;
  pl_scratch scratch;
  pl_cloud cloud; /* where this rank's particles are, if the host looks */
  bool by_device; /* else the device does */
  bool moved;     /* some were put back into the box */
  pl_leaving leaving;
  int *listed;               /* that a device has made, to be freed */
  double begun, found, sent; /* when: it began, it was known who goes where, all were there */
  pl_extent mine;            /* what this rank's particles fill */
} settling;

static pl_err look_at_places(settling *s)
{
  pl_dat *position = s->pairs->position;
  void *x = pl_dat_host(position, false);
  if (!x) return s->pl->error_code;
  PL_TRY(pl_cloud_take(s->map, &s->cloud, x, s->cloud.n, &s->moved));
  if (s->moved) pl_cloud_put_back(position, x, &s->cloud);
  return PL_SUCCESS;
}

/* Space is cut so that ranks have equally many. */
static pl_err cut_space(settling *s, int *owner)
{
  size_t ranks = (size_t)pl_ranks(s->pl), dim = (size_t)s->cloud.dim, n = (size_t)s->cloud.n;
  pl_set *set = s->map->from;
  double *x = pl_scratch_take(&s->scratch, n * dim, sizeof *x);
  if (!set->cuts) set->cuts = pl_calloc(s->pl, 1, sizeof *set->cuts + ranks * sizeof(pl_cut));
  if (!set->cuts) s->scratch.failed = true;
  PL_TRY(pl_agree(s->pl, pl_scratch_check(&s->scratch)));
  for (size_t i = 0; i < n; i++)
    for (size_t a = 0; a < dim; a++) x[i * dim + a] = s->cloud.axis[a][i];
  set->cuts->position = NULL;
  const pl_points points = {.n = (int)n, .dim = (int)dim, .x = x};
  PL_TRY(pl_partition_cuts(s->pl, &points, (int)ranks, owner, set->cuts->cut));
  set->cuts->position = s->pairs->position;
  set->cuts->domain = s->pairs->domain;
  note_box(s->pairs->domain, set->cuts->low, set->cuts->high);
  return PL_SUCCESS;
}

static void follow_cuts(const settling *s, int *owner)
{
  const pl_cloud *p = &s->cloud;
  double x[PL_PAIR_AXES] = {0};
  for (int i = 0; i < p->n; i++) {
    for (int a = 0; a < p->dim; a++) x[a] = p->axis[a][i];
    owner[i] = pl_cut_part(s->map->from->cuts->cut, pl_ranks(s->pl), x);
  }
}

/* Who leaves, by what the host sees. */
static pl_err choose_owners(settling *s, bool follow)
{
  int *owner = pl_scratch_take(&s->scratch, s->by_device ? 0 : (size_t)s->cloud.n, sizeof *owner);
  PL_TRY(pl_agree(s->pl, pl_scratch_check(&s->scratch)));
  if (!follow) PL_TRY(cut_space(s, owner));
  if (follow && !s->by_device) follow_cuts(s, owner);
  if (!s->by_device) pl_leaving_find(&s->scratch, s->cloud.n, owner, &s->leaving);
  return pl_agree(s->pl, pl_scratch_check(&s->scratch));
}

static pl_err ask_device(settling *s)
{
  const pl_backend *backend = s->pl->backend;
  s->leaving.count = pl_scratch_take(&s->scratch, (size_t)pl_ranks(s->pl), sizeof *s->leaving.count);
  if (!backend->pairs_leave || s->scratch.failed) return pl_scratch_check(&s->scratch);
  PL_TRY(backend->pairs_leave(s->pl, s->map, s->map->from->cuts->cut, s->leaving.count, &s->listed, &s->moved,
                              &s->by_device));
  s->leaving.place = s->listed;
  return PL_SUCCESS;
}

/* Particles are in the box and at the ranks that own their places. */
static pl_err send_home(settling *s)
{
  pl_set *set = s->map->from;
  bool follow = may_follow(s->pairs, set->cuts);
  pl_err err = follow ? ask_device(s) : PL_SUCCESS;
  if (!err && !s->by_device) err = look_at_places(s);
  PL_TRY(pl_agree(s->pl, err));
  PL_TRY(choose_owners(s, follow));
  uint8_t any[2] = {s->moved, pl_count_sum(s->pl, s->leaving.count) > 0};
  PL_TRY(pl_comm_reduce(s->pl, PL_UINT8, PL_MAX, any, 2));
  if (any[0]) s->pairs->position->version++;
  s->found = pl_now();
  return any[1] ? pl_travel(set, &s->leaving, NULL) : PL_SUCCESS;
}

/* ---- copies ---- */

static double coordinate(const pl_dat *dat, size_t k)
{
  return dat->type == PL_DOUBLE ? ((const double *)dat->host)[k] : (double)((const float *)dat->host)[k];
}

/* Where this rank's particles are now, as the position dat has them. */
static pl_err take_axes(settling *s, double *axis[PL_PAIR_AXES])
{
  const pl_dat *position = s->pairs->position;
  size_t n = (size_t)s->map->from->part[1], dim = (size_t)s->pairs->dim;
  if (!pl_dat_host(s->pairs->position, false)) return s->pl->error_code;
  for (size_t a = 0; a < dim; a++) {
    axis[a] = pl_scratch_take(&s->scratch, n, sizeof(double));
    for (size_t i = 0; axis[a] && i < n; i++) axis[a][i] = coordinate(position, i * dim + a);
  }
  return pl_scratch_check(&s->scratch);
}

/* What a rank tells the others. */
typedef struct report {
  pl_extent extent;
  int64_t n;
} report;

/* Ranks may differ by so much until space is cut anew. */
static bool are_uneven(const report *all, int ranks)
{
  double sum = 0, most = 0;
  for (int r = 0; r < ranks; r++) {
    sum += (double)all[r].n;
    most = fmax(most, (double)all[r].n);
  }
  return most > 1.1 * sum / ranks + 16;
}

static pl_err exchange_extents(settling *s, double *const axis[], pl_extent *extent)
{
  int ranks = pl_ranks(s->pl), n = s->map->from->part[1];
  report mine = {.n = n}, *all = pl_scratch_take(&s->scratch, (size_t)ranks, sizeof *all);
  PL_TRY(pl_agree(s->pl, pl_scratch_check(&s->scratch)));
  s->mine =
    s->by_device ? share_of(s->map->from->cuts, ranks, pl_rank(s->pl)) : pl_extent_of(s->pairs->dim, n, axis);
  mine.extent = s->mine;
  PL_TRY(pl_comm_gather(s->pl, &mine, sizeof mine, all));
  for (int r = 0; r < ranks; r++) extent[r] = all[r].extent;
  s->map->from->cuts->uneven = are_uneven(all, ranks);
  return PL_SUCCESS;
}

/* This rank's particles that rank r needs, if any is near at all, for each rank but this one. */
static void find_near(settling *s, double *const axis[], const pl_extent *extent, int64_t *count,
                      pl_ids *send)
{
  for (int r = 0; r < pl_ranks(s->pl) && !s->scratch.failed; r++) {
    int64_t before = send->n;
    for (int i = 0; r != pl_rank(s->pl) && i < s->map->from->part[1]; i++)
      if (is_near(s->pairs, axis, i, s->reach, &extent[r])) pl_ids_add(&s->scratch, send, i);
    count[r] = send->n - before;
  }
}

static pl_err list_near(settling *s, double *const axis[], const pl_extent *extent, int64_t *count,
                        int **list)
{
  pl_ids send = {NULL, 0, 0};
  if (s->by_device) return s->pl->backend->pairs_near(s->pl, s->map, s->reach, extent, count, &s->listed);
  find_near(s, axis, extent, count, &send);
  *list = pl_scratch_take(&s->scratch, (size_t)send.n, sizeof **list);
  PL_TRY(pl_scratch_check(&s->scratch));
  for (int64_t k = 0; k < send.n; k++) (*list)[k] = (int)send.item[k];
  return PL_SUCCESS;
}

static pl_err copy_near(settling *s)
{
  size_t ranks = (size_t)pl_ranks(s->pl);
  double *axis[PL_PAIR_AXES] = {NULL};
  pl_extent *extent = pl_scratch_take(&s->scratch, ranks, sizeof *extent);
  int64_t *count = pl_scratch_take(&s->scratch, ranks, sizeof *count);
  int *list = NULL;
  s->by_device = s->by_device && s->map->from->part[1];
  PL_TRY(pl_agree(s->pl, s->by_device ? pl_scratch_check(&s->scratch) : take_axes(s, axis)));
  PL_TRY(exchange_extents(s, axis, extent));
  pl_free(s->pl, s->listed);
  s->listed = NULL;
  PL_TRY(pl_agree(s->pl, list_near(s, axis, extent, count, &list)));
  return pl_ghosts_make(s->map->from, count, s->by_device ? s->listed : list);
}

/* ---- both ---- */

/* The greatest reach that pair maps of these positions ask for: one halo serves them all. */
static double widest_reach(const pl_pairs *pairs, double reach)
{
  for (const pl_node *node = pairs->position->node.pl->maps; node; node = node->next) {
    const pl_pairs *other = ((const pl_map *)node)->pair_map ? ((const pl_map *)node)->pairs : NULL;
    if (other && other->position == pairs->position && other->domain == pairs->domain)
      reach = fmax(reach, pl_pairs_reach(other));
  }
  return reach;
}

static bool is_settled(const pl_pairs *pairs, const pl_halo *halo, double reach)
{
  const pl_nearby *near = &halo->nearby;
  return near->position == pairs->position && near->version == pairs->position->version &&
         near->reach >= reach && same_box(pairs->domain, near->domain, near->low, near->high);
}

static void note(const settling *s)
{
  pl_nearby *near = &s->map->from->halo->nearby;
  memcpy(near->from, s->mine.low, sizeof near->from);
  memcpy(near->to, s->mine.high, sizeof near->to);
  near->position = s->pairs->position;
  near->domain = s->pairs->domain;
  near->version = s->pairs->position->version;
  near->reach = s->reach;
  note_box(s->pairs->domain, near->low, near->high);
}

static void tell(const settling *s)
{
  const pl_set *set = s->map->from;
  pl_log(
    s->pl, 2,
    "particles of \"%s\": %lld went to other ranks, %d copies came, as the %s found; found in %.3f ms, sent "
    "in %.3f ms, copies named in %.3f ms",
    set->node.name, (long long)pl_count_sum(s->pl, s->leaving.count), set->part[3] - set->part[1],
    s->by_device ? "device" : "host", 1e3 * (s->found - s->begun), 1e3 * (s->sent - s->found),
    1e3 * (pl_now() - s->sent));
}

pl_err pl_settle(pl_map *map, double reach)
{
  pl_context *pl = map->node.pl;
  pl_pairs *pairs = map->pairs;
  if (is_settled(pairs, map->from->halo, reach)) return PL_SUCCESS;
  settling s = {.pl = pl,
                .map = map,
                .pairs = pairs,
                .reach = widest_reach(pairs, reach),
                .scratch = {.pl = pl},
                .cloud = {.pl = pl, .stock = &pairs->stock, .dim = pairs->dim, .n = map->from->part[1]}};
  s.cloud.threads = pl_pairs_threads(pl, (size_t)s.cloud.n);
  pl_travel_begin(map->from);
  PL_TRY(pl_agree(pl, pl_travel_check(map->from, NULL, "pair map")));
  s.begun = pl_now();
  pl_err err = send_home(&s);
  s.sent = pl_now();
  if (!err) err = copy_near(&s);
  if (!err) note(&s);
  if (!err) tell(&s);
  pl_free(pl, s.listed);
  pl_cloud_free(&s.cloud);
  pl_scratch_free(&s.scratch);
  return err;
}
