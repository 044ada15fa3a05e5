/* SPDX-License-Identifier: BSD-2-Clause
 * Lists of pairs: when they are renewed, and what is needed for that: ghosts and records.
 */
#include "pairs.h"
#include "build.h"
#include "place.h"
#include "settle.h"
#include <math.h>
#include <string.h>

int pl_pairs_threads(pl_context *pl, size_t work)
{
  int most = pl->backend->dat_alloc ? 1 << 16 : pl_backend_threads(pl),
      threads = pl_plan_threads(1 << 16, work);
  return threads < most ? threads : most;
}

/* ---- ghosts ---- */

/* Each image of particle i within reach of this rank's: its digits of base 3 (0 below, 1 itself, 2 above) go
 * to code[]; returns how many. The particle itself is none. */
static int images_of(const pl_map *map, const pl_cloud *p, const pl_extent *extent, int i, int code[27])
{
  static const int place[PL_PAIR_AXES] = {1, 3, 9};
  int n = 1, kept = 0, only = 0;
  int sides[PL_PAIR_AXES] = {0};
  for (int a = 0; a < p->dim; a++) {
    sides[a] = pl_images_along(map->pairs->domain, a, p->axis[a][i], p->reach, extent);
    only += !(sides[a] & 5);
  }
  if (only == p->dim) return 0; /* most have none */
  code[0] = 13; /* all digits 1: itself; so a box is never as short as the reach, and no image near itself */
  for (int a = 0; a < p->dim && n; a++) {
    int have = n;
    n = 0;
    int before[27];
    memcpy(before, code, (size_t)have * sizeof *before);
    for (int k = 0; k < have; k++)
      for (int d = 0; d < 3; d++)
        if (sides[a] >> d & 1) code[n++] = before[k] + (d - 1) * place[a];
  }
  for (int k = 0; k < n; k++)
    if (code[k] != 13) code[kept++] = code[k];
  return kept;
}

static double shift_of(const pl_domain *domain, int code, int a)
{
  static const int place[PL_PAIR_AXES] = {1, 3, 9};
  return domain ? (code / place[a] % 3 - 1) * (domain->high[a] - domain->low[a]) : 0;
}

/* What a build makes; it takes the place of what was there only when all of it is there. (Entries are the
 * exception: without memory for the new ones there is no list.) */
typedef struct build {
  pl_pairs *pairs;
  pl_cloud p;
  unsigned char *image;
  int64_t *offset;
  int *entry;
  void *anchor, *record;
  double far; /* a coordinate that is near nothing */
} build;

/* Images of the particles of a piece are counted, or, where there is room for them, noted from `next` on. */
static int64_t take_images(const pl_map *map, build *b, const pl_extent *extent, int piece, int64_t next)
{
  int code[27], here = map->from->part[3], end = pl_piece_end(piece * PL_PIECE, here);
  int64_t count = 0;
  for (int i = piece * PL_PIECE; i < end; i++) {
    int n = images_of(map, &b->p, extent, i, code);
    for (int k = n; b->image && k > 0; k--, next++) {
      b->p.owner[next] = i;
      b->image[next - here] = (unsigned char)code[k - 1];
    }
    if (b->image) b->p.owner[i] = i;
    count += n;
  }
  return count;
}

/* first[k]: where the images of piece k begin, the last one where all end. */
static pl_err count_images(const pl_map *map, build *b, const pl_extent *extent, int64_t *first)
{
  int here = map->from->part[3], pieces = pl_pieces(here);
  PL_PARALLEL_FOR(b->p.threads)
  for (int k = 0; k < pieces; k++) first[k + 1] = take_images(map, b, extent, k, 0);
  first[0] = here;
  for (int k = 0; k < pieces; k++) first[k + 1] += first[k];
  if (first[pieces] + map->pairs->lanes > INT32_MAX)
    return pl_fail(b->p.pl, PL_ERR_RANGE,
                   "pair map \"%s\": more than %d particles and images; use more ranks", map->node.name,
                   INT32_MAX);
  b->p.count = (int)first[pieces];
  return PL_SUCCESS;
}

static pl_err make_ghosts(const pl_map *map, build *b, const pl_extent *extent)
{
  pl_cloud *p = &b->p;
  int here = map->from->part[3], lanes = map->pairs->lanes, pieces = pl_pieces(here);
  int64_t *first = pl_malloc(p->pl, ((size_t)pieces + 1) * sizeof *first);
  if (!first) return pl_fail_memory(p->pl, (size_t)pieces * sizeof *first);
  pl_err err = count_images(map, b, extent, first);
  if (!err) {
    p->owner = pl_stock_take(p->pl, p->stock, ((size_t)p->count + (size_t)lanes) * sizeof(int));
    b->image = pl_stock_take(p->pl, p->stock, (size_t)(p->count - here));
    if (!p->owner || !b->image) err = pl_fail_memory(p->pl, (size_t)p->count * sizeof(int));
  }
  if (!err) {
    PL_PARALLEL_FOR(p->threads)
    for (int k = 0; k < pieces; k++) take_images(map, b, extent, k, first[k]);
    memset(p->owner + p->count, 0, (size_t)lanes * sizeof(int));
  }
  pl_free(p->pl, first);
  return err;
}

/* Coordinates of the ghosts, behind those of the particles. */
static void place_ghosts(const pl_map *map, const build *b, double *const axis[])
{
  const pl_cloud *p = &b->p;
  int here = map->from->part[3], pieces = pl_pieces(p->count);
  double shift[27][PL_PAIR_AXES] = {{0}};
  for (int code = 0; code < 27; code++)
    for (int a = 0; a < p->dim; a++) shift[code][a] = shift_of(map->pairs->domain, code, a);
  PL_PARALLEL_FOR(p->threads)
  for (int k = 0; k < pieces; k++)
    for (int i = k * PL_PIECE, end = pl_piece_end(k * PL_PIECE, p->count); i < end; i++)
      for (int a = 0; a < p->dim; a++)
        axis[a][i] = i < here ? p->axis[a][i] : p->axis[a][p->owner[i]] + shift[b->image[i - here]][a];
}

/* A coordinate that is near no particle's or image's, and not so far that powers of a distance leave the
 * range of their type, which costs hosts hundreds of cycles: it stands for what pads rows, and loops compute
 * with it. */
static double far_place(const pl_cloud *p, const pl_extent *extent)
{
  double most = 0;
  for (int a = 0; a < p->dim && p->n; a++)
    most = fmax(most, fmax(fabs(extent->low[a]), fabs(extent->high[a])));
  return 4 * (most + p->reach);
}

static pl_err make_points(const pl_map *map, build *b)
{
  pl_cloud *p = &b->p;
  const pl_extent extent = pl_extent_of(p->dim, p->n, p->axis);
  b->far = far_place(p, &extent);
  double *axis[PL_PAIR_AXES] = {0};
  PL_TRY(make_ghosts(map, b, &extent));
  bool good = true;
  for (int a = 0; a < p->dim; a++)
    good &= (axis[a] = pl_stock_take(p->pl, p->stock, (size_t)p->count * sizeof *axis[a])) != NULL;
  if (good) place_ghosts(map, b, axis);
  for (int a = 0; a < p->dim; a++) pl_stock_give(p->pl, p->stock, good ? p->axis[a] : axis[a]);
  if (good) memcpy(p->axis, axis, sizeof axis);
  return good ? PL_SUCCESS : pl_fail_memory(p->pl, (size_t)p->count * sizeof **axis);
}

/* ---- records ---- */

/* Records of particles begin .. end - 1 in the type of the positions; inlined with constant dim and width. */
#define RECORDS(T)                                                                                           \
  static inline __attribute__((always_inline)) void copy_##T(const T *restrict x, T *restrict record,        \
                                                             int begin, int end, int dim, int width)         \
  {                                                                                                          \
    for (size_t i = (size_t)begin; i < (size_t)end; i++)                                                     \
      for (size_t c = 0; c < (size_t)width; c++)                                                             \
        record[i * (size_t)width + c] = c < (size_t)dim ? x[i * (size_t)dim + c] : 0;                        \
  }                                                                                                          \
  static void records_##T(const pl_pairs *pairs, const T *x, int begin, int end)                             \
  {                                                                                                          \
    if (pairs->dim == 3)                                                                                     \
      copy_##T(x, pairs->record, begin, end, 3, 4);                                                          \
    else if (pairs->dim == 2)                                                                                \
      copy_##T(x, pairs->record, begin, end, 2, 2);                                                          \
    else                                                                                                     \
      copy_##T(x, pairs->record, begin, end, 1, 1);                                                          \
  }                                                                                                          \
  static void ghosts_##T(const pl_pairs *pairs, T shift[27][PL_PAIR_AXES], int begin, int end)               \
  {                                                                                                          \
    T *record = pairs->record;                                                                               \
    size_t w = (size_t)pairs->width;                                                                         \
    for (size_t g = (size_t)begin; g < (size_t)end; g++)                                                     \
      for (size_t c = 0; c < w; c++)                                                                         \
        record[g * w + c] = record[(size_t)pairs->owner[g] * w + c] +                                        \
                            (c < (size_t)pairs->dim ? shift[pairs->image[g - (size_t)pairs->here]][c] : 0);  \
  }                                                                                                          \
  static inline __attribute__((always_inline)) int far_in_##T(const T *restrict x, const T *restrict anchor, \
                                                              int begin, int end, int dim, double limit)     \
  {                                                                                                          \
    int far = 0;                                                                                             \
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {                                                   \
      double d2 = 0;                                                                                         \
      for (size_t k = i * (size_t)dim; k < (i + 1) * (size_t)dim; k++) {                                     \
        double d = (double)x[k] - (double)anchor[k];                                                         \
        d2 += d * d;                                                                                         \
      }                                                                                                      \
      far += !(d2 <= limit);                                                                                 \
    }                                                                                                        \
    return far;                                                                                              \
  }                                                                                                          \
  static int far_##T(const pl_pairs *pairs, const T *x, int begin, int end, double limit)                    \
  {                                                                                                          \
    if (pairs->dim == 3) return far_in_##T(x, pairs->anchor, begin, end, 3, limit);                          \
    if (pairs->dim == 2) return far_in_##T(x, pairs->anchor, begin, end, 2, limit);                          \
    return far_in_##T(x, pairs->anchor, begin, end, 1, limit);                                               \
  }
RECORDS(double)
RECORDS(float)

static bool are_far(const pl_pairs *pairs, const void *x, int first, int end)
{
  double most = pairs->skin / 2 * (1 - 1e-6), limit = most * most;
  return pairs->position->type == PL_DOUBLE ? far_double(pairs, x, first, end, limit)
                                            : far_float(pairs, x, first, end, limit);
}

static void fill_ghosts(const pl_pairs *pairs, int threads)
{
  double shift[27][PL_PAIR_AXES] = {{0}};
  float single[27][PL_PAIR_AXES] = {{0}};
  int pieces = pl_pieces(pairs->nrecords - pairs->here);
  for (int code = 0; code < 27; code++)
    for (int a = 0; a < pairs->dim; a++) {
      shift[code][a] = shift_of(pairs->domain, code, a);
      single[code][a] = (float)shift[code][a];
    }
  PL_PARALLEL_FOR(threads)
  for (int k = 0; k < pieces; k++) {
    int first = pairs->here + k * PL_PIECE, end = pl_piece_end(first, pairs->nrecords);
    if (pairs->position->type == PL_DOUBLE)
      ghosts_double(pairs, shift, first, end);
    else
      ghosts_float(pairs, single, first, end);
  }
}

/* Present positions into the records; where `left` is asked for, it says whether a particle is further than
 * half the skin from where it was when the list was built, or at no place at all. */
static void fill_records(pl_pairs *pairs, const void *x, bool *left)
{
  int pieces = pl_pieces(pairs->here), far[1] = {0},
      threads = pl_pairs_threads(pairs->position->node.pl, (size_t)pairs->nrecords);
  PL_PARALLEL_FOR(threads)
  for (int k = 0; k < pieces; k++) {
    int first = k * PL_PIECE, end = pl_piece_end(first, pairs->here);
    if (left && are_far(pairs, x, first, end)) __atomic_store_n(far, 1, __ATOMIC_RELAXED);
    if (pairs->position->type == PL_DOUBLE)
      records_double(pairs, x, first, end);
    else
      records_float(pairs, x, first, end);
  }
  if (left) *left = far[0];
  if (far[0]) return;
  fill_ghosts(pairs, threads);
  pairs->version = pairs->position->version;
}

/* Far records and the square of the cutoff, which stand behind those that are filled. */
static void fill_ends(pl_pairs *pairs, double far)
{
  size_t first = (size_t)pairs->nrecords * (size_t)pairs->width,
         n = (size_t)pairs->lanes * (size_t)pairs->width;
  double cutoff2 = pairs->everyone ? INFINITY : pairs->cutoff * pairs->cutoff;
  for (size_t k = first; k < first + n; k++)
    if (pairs->position->type == PL_DOUBLE)
      ((double *)pairs->record)[k] = far;
    else
      ((float *)pairs->record)[k] = (float)far;
  if (pairs->position->type == PL_DOUBLE)
    ((double *)pairs->record)[first + n] = cutoff2 < 1e299 ? cutoff2 : 1e299;
  else
    ((float *)pairs->record)[first + n] = cutoff2 < 1e35 ? (float)cutoff2 : 1e35f;
}

/* ---- building ---- */

/* A minimum image is one only if the box is long enough. */
static pl_err check_lengths(const pl_map *map, double reach)
{
  const pl_pairs *pairs = map->pairs;
  for (int a = 0; pairs->domain && a < pairs->dim; a++) {
    double length = pairs->domain->high[a] - pairs->domain->low[a];
    if (pairs->domain->periodic[a] && (length < 2 * pairs->cutoff || length < reach))
      return pl_fail(map->node.pl, PL_ERR_RANGE,
                     "pair map \"%s\": axis %d of domain \"%s\" is %.14g long, but periodic; with cutoff %g "
                     "and skin %g it must be at least %.14g",
                     map->node.name, a, pairs->domain->node.name, length, pairs->cutoff, pairs->skin,
                     fmax(2 * pairs->cutoff, reach));
  }
  return PL_SUCCESS;
}

double pl_pairs_reach(const pl_pairs *pairs)
{
  return (pairs->cutoff + pairs->skin) * (1 + (pairs->position->type == PL_DOUBLE ? 1e-12 : 1e-5));
}

static pl_err prepare(const pl_map *map, build *b)
{
  pl_pairs *pairs = map->pairs;
  pl_cloud *p = &b->p;
  PL_TRY(make_points(map, b));
  size_t size = pl_type_size(pairs->position->type);
  b->anchor = pl_stock_take(p->pl, p->stock, (size_t)p->n * (size_t)p->dim * size);
  b->record = pl_stock_take(p->pl, p->stock,
                            (((size_t)p->count + (size_t)pairs->lanes) * (size_t)pairs->width + 1) * size);
  if (!b->anchor || !b->record) return pl_fail_memory(p->pl, (size_t)p->count * 4 * size);
  if (pairs->everyone) return PL_SUCCESS;
  pl_stock_give(p->pl, p->stock, pairs->entry); /* most of a list's memory: there is never that of two */
  pairs->entry = NULL;
  pairs->built = false;
  return pl_cells_rows(p, pairs->lanes, p->count, &b->offset, &b->entry);
}

/* What was built takes the place of what was there. */
static void swap_in(pl_pairs *pairs, build *b)
{
#define SWAP(type, mine, theirs)                                                                             \
  do {                                                                                                       \
    type old = mine;                                                                                         \
    mine = theirs;                                                                                           \
    theirs = old;                                                                                            \
  } while (0)
  SWAP(int *, pairs->owner, b->p.owner);
  SWAP(unsigned char *, pairs->image, b->image);
  SWAP(int64_t *, pairs->offset, b->offset);
  SWAP(int *, pairs->entry, b->entry);
  SWAP(void *, pairs->anchor, b->anchor);
  SWAP(void *, pairs->record, b->record);
  pairs->n = b->p.n;
  pairs->nrecords = b->p.count;
  if (pairs->domain) {
    memcpy(pairs->low, pairs->domain->low, sizeof pairs->low);
    memcpy(pairs->high, pairs->domain->high, sizeof pairs->high);
  }
}

static void free_build(build *b)
{
  pl_cloud *p = &b->p;
  void *const arrays[] = {p->owner, b->image, b->offset, b->entry, b->anchor, b->record};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) pl_stock_give(p->pl, p->stock, arrays[k]);
  pl_cloud_free(p);
}

/* The set of the pairs follows that of the particles. Whether a pair looks at another rank's particle is not
 * told apart: all of it waits for the halo. */
static void resize_pairs(const pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  bool same = pairs->set->part[3] == pairs->n;
  for (int p = 0; p < 4; p++) pairs->set->part[p] = pairs->n;
  if (pl_ranks(map->node.pl) > 1) pairs->set->part[0] = 0;
  pairs->set->capacity = map->from->capacity;
  if (!same) pl_loops_resized(map->node.pl, pairs->set);
}

static void count_particles(const pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  const pl_set *set = map->from;
  pairs->here = set->part[3];
  pairs->moved = set->moved;
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
    memcpy((char *)pairs->anchor + at, (const char *)x + at, bytes);
  }
}

static pl_err build_list(pl_map *map, build *b, const void *x)
{
  pl_pairs *pairs = map->pairs;
  PL_TRY(prepare(map, b));
  swap_in(pairs, b);
  count_particles(map);
  keep_positions(pairs, x, b->p.threads);
  fill_ends(pairs, b->far);
  fill_records(pairs, x, NULL);
  pairs->built = true;
  pairs->builds++;
  resize_pairs(map);
  return PL_SUCCESS;
}

static build new_build(const pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  build b = {.pairs = pairs,
             .p = {.pl = map->node.pl, .stock = &pairs->stock, .dim = pairs->dim, .n = map->from->part[1]}};
  b.p.reach = pairs->everyone ? 0 : pl_pairs_reach(pairs);
  b.p.threads = pl_pairs_threads(b.p.pl, (size_t)b.p.n * 8);
  b.p.before = pairs->built ? pairs : NULL;
  return b;
}

/* On one rank. */
static pl_err rebuild(pl_map *map, void *x)
{
  build b = new_build(map);
  bool moved = false;
  pl_err err = check_lengths(map, b.p.reach);
  if (!err) err = pl_cloud_take(map, &b.p, x, b.p.n, &moved);
  if (!err && moved) pl_cloud_put_back(map->pairs->position, x, &b.p);
  if (!err && moved) map->pairs->position->version++;
  if (!err) err = build_list(map, &b, x);
  free_build(&b);
  return err;
}

/* ---- renewing ---- */

static bool same_box(const pl_pairs *pairs)
{
  const pl_domain *d = pairs->domain;
  return !d || (!memcmp(pairs->low, d->low, sizeof d->low) && !memcmp(pairs->high, d->high, sizeof d->high));
}

/* Whether some particle has moved further than half the skin, or to no place at all. */
static bool left_skin(const pl_pairs *pairs, const void *x)
{
  int pieces = pl_pieces(pairs->n), threads = pl_pairs_threads(pairs->position->node.pl, (size_t)pairs->n),
      far[1] = {0};
  PL_PARALLEL_FOR(threads)
  for (int k = 0; k < pieces; k++)
    if (are_far(pairs, x, k * PL_PIECE, pl_piece_end(k * PL_PIECE, pairs->n)))
      __atomic_store_n(far, 1, __ATOMIC_RELAXED);
  return far[0];
}

/* ---- on several ranks ---- */

/* The list of this rank's own particles, once these and copies of others' are here: by the device if it can.
 */
static pl_err list_shared(pl_map *map, build *b)
{
  const pl_backend *backend = map->node.pl->backend;
  bool moved = false, done = false;
  if (backend->pairs_renew) PL_TRY(backend->pairs_renew(map->node.pl, map, false, &done));
  if (done) {
    count_particles(map);
    resize_pairs(map);
    return PL_SUCCESS;
  }
  void *x = pl_dat_host(map->pairs->position, false);
  if (!x) return map->node.pl->error_code;
  PL_TRY(pl_cloud_take(map, &b->p, x, map->from->part[3], &moved));
  return build_list(map, b, x);
}

/* Particles go to their ranks, and their neighbours' copies to those; then each makes its rows. */
static pl_err rebuild_shared(pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  pl_context *pl = map->node.pl;
  PL_TRY(pl_agree(pl, check_lengths(map, pairs->everyone ? 0 : pl_pairs_reach(pairs))));
  PL_TRY(pl_settle(map, pl_pairs_reach(pairs)));
  PL_TRY(pl_halo_refresh(pairs->position));
  build b = new_build(map);
  pl_err err = list_shared(map, &b);
  free_build(&b);
  return pl_agree(pl, err);
}

static bool listed_by_device(const pl_pairs *pairs)
{
  return pairs->device && pairs->device->own;
}

/* Checks run pairs on the host too, which has no list of its own where a device has made one. */
static bool is_out_of_reach(const pl_map *map)
{
  return listed_by_device(map->pairs) && pl_opt_flag(map->node.pl, PL_OPT_CHECK);
}

enum { FAILED = 2 };

/* Whether one of this rank's particles has left its skin. */
static pl_err ask_shared(pl_map *map, bool *left)
{
  pl_pairs *pairs = map->pairs;
  if (listed_by_device(pairs)) return map->node.pl->backend->pairs_left(map->node.pl, map, left);
  const void *x = pl_dat_host(pairs->position, false);
  if (!x) return map->node.pl->error_code;
  *left = left_skin(pairs, x);
  return PL_SUCCESS;
}

/* Only positions are sent while no particle, on any rank, has left its skin. */
static pl_err refresh_shared(pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  pl_context *pl = map->node.pl;
  PL_TRY(pl_place(pl));
  bool same = pairs->built && pairs->moved == map->from->moved && same_box(pairs) && !is_out_of_reach(map),
       left = false;
  if (same && pairs->version == pairs->position->version) return PL_SUCCESS;
  pl_err err = same && !pairs->everyone ? ask_shared(map, &left) : PL_SUCCESS;
  uint8_t renew = err ? FAILED : !same || pairs->everyone || left;
  PL_TRY(pl_comm_reduce(pl, PL_UINT8, PL_MAX, &renew, 1));
  if (renew == FAILED) return pl_agree(pl, err);
  if (renew) return rebuild_shared(map);
  PL_TRY(pl_halo_refresh(pairs->position));
  if (listed_by_device(pairs)) return pl->backend->pairs_renew(pl, map, true, &same);
  const void *x = pl_dat_host(pairs->position, false);
  if (!x) return pl->error_code;
  fill_records(pairs, x, NULL);
  return PL_SUCCESS;
}

pl_err pl_pairs_refresh(pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  pl_dat *position = pairs->position;
  if (position->writer)
    return pl_fail(
      map->node.pl, PL_ERR_STATE,
      "pair map \"%s\": a host view of the positions \"%s\" is open; close it with pl_dat_put first",
      map->node.name, position->node.name);
  if (pl_ranks(map->node.pl) > 1) return refresh_shared(map);
  bool same = pairs->built && pairs->n == map->from->part[1] && same_box(pairs) && !is_out_of_reach(map);
  if (same && pairs->version == position->version) return PL_SUCCESS;
  if (map->node.pl->backend->pairs_renew) {
    bool done;
    PL_TRY(check_lengths(map, pl_pairs_reach(pairs)));
    PL_TRY(map->node.pl->backend->pairs_renew(map->node.pl, map, same, &done));
    if (done) resize_pairs(map);
    if (done) return PL_SUCCESS;
    same = same && pairs->record;
  }
  void *x = pl_dat_host(position, false);
  if (!x) return map->node.pl->error_code;
  bool left = !same || pairs->everyone;
  if (!left) fill_records(pairs, x, &left);
  return left ? rebuild(map, x) : PL_SUCCESS;
}
