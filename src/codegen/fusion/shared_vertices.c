/* SPDX-License-Identifier: BSD-2-Clause
 * Finds shared vertices. All ranks find the same: each counts its own elements, and the sums decide.
 */
#include "shared_vertices.h"
#include "core/comm/comm.h"
#include "core/threads/threads.h"
#include <string.h>

enum {
  MASKS = 1 << PL_MAX_VERTICES,
  PARTS = 16,       /* of the targets */
  SAMPLE = 1 << 17, /* about so many of them are looked at */
  FEW = 64 /* one entry of so many may have another side than the others, without a selection for all */
};

/* The places of the element's targets among those of `in` at t, PL_PLACE_BITS each; their mask, or 0. */
static unsigned find_places(const pl_shared_vertices *c, int t, int element, int32_t *places)
{
  const int arity = c->of->arity, n = c->in->arity;
  const int *own = c->in->index + (size_t)t * (size_t)n,
            *other = c->of->index + (size_t)element * (size_t)arity;
  int32_t found = 0;
  *places = -1;
  unsigned mask = 0;
  for (int i = 0; i < arity; i++) {
    int j = 0;
    while (j < n && own[j] != other[i]) j++;
    if (j == n) return 0;
    found |= (int32_t)j << PL_PLACE_BITS * i;
    mask |= 1u << j;
  }
  *places = found;
  return mask;
}

/* By mask and side: the number of entries, and the places that most of them have (majority vote of Boyer and
 * Moore; places in the low half, so that the greatest word has most votes). By mask: the sum of the distances
 * in storage from the targets to the other targets of their elements. */
typedef struct census {
  int64_t count[MASKS][PL_SIDES], distance[MASKS], places[MASKS][PL_SIDES];
} census;

/* -1: there is no vote. */
static int32_t places_in(int64_t vote)
{
  return vote >> 32 ? (int32_t)(uint32_t)vote : -1;
}

static void cast_vote(int64_t *vote, int32_t places)
{
  int64_t votes = *vote >> 32;
  bool agrees = (int32_t)(uint32_t)*vote == places;
  if (!votes || agrees)
    *vote = (votes + 1) << 32 | (int64_t)places;
  else
    *vote -= INT64_C(1) << 32;
}

static void add_distances(const pl_increment_map *a, int t, int element, unsigned mask, census *v)
{
  const int *other = a->map->index + (size_t)element * (size_t)a->map->arity;
  for (int i = 0; i < a->map->arity; i++) v->distance[mask] += other[i] < t ? t - other[i] : other[i] - t;
}

/* The sample holds one target of each step, at no regular distance. */
static int step_of(int owned)
{
  return owned / SAMPLE + 1;
}

static int sampled(int begin, int step)
{
  return begin + (int)(((unsigned)begin * 2654435761u >> 8) % (unsigned)step);
}

/* The object searched for: a map with the vertices of elements that increment through a map. */
typedef struct search {
  const pl_increment_map *increments;
  const pl_inverse *inverse;
  int degree;
  census *part;
} search;

/* Of the targets in part i, but the last `step`. */
static void count_part(const search *w, const pl_shared_vertices *c, int i)
{
  const pl_inverse *inverse = w->inverse;
  const int owned = c->in->from->end[1], step = step_of(owned), end = pl_part_begin(owned, PARTS, i + 1);
  census *v = &w->part[i];
  int32_t places;
  memset(v, 0, sizeof *v);
  for (int first = pl_part_begin(owned, PARTS, i); first + step <= end; first += step) {
    const int t = sampled(first, step);
    for (int k = inverse->offset[t]; k < inverse->offset[t + 1]; k++) {
      unsigned mask = find_places(c, t, inverse->entry[k] / inverse->nslots, &places);
      int side = inverse->entry[k] % inverse->nslots;
      if (!mask) continue;
      v->count[mask][side]++;
      cast_vote(&v->places[mask][side], places);
      add_distances(w->increments, t, inverse->entry[k] / inverse->nslots, mask, v);
    }
  }
}

/* Parts vote as ranks do: the greatest majority wins. They do not depend on the number of threads. */
static void add_part(census *v, const census *part)
{
  for (int m = 0; m < MASKS; m++) {
    v->distance[m] += part->distance[m];
    for (int i = 0; i < PL_SIDES; i++) {
      v->count[m][i] += part->count[m][i];
      if (part->places[m][i] > v->places[m][i]) v->places[m][i] = part->places[m][i];
    }
  }
}

/* Of all parts, in the first one. */
static pl_err count_entries(const search *w, const pl_shared_vertices *c)
{
  pl_context *pl = c->in->node.pl;
  census *v = w->part;
  const int threads = pl_plan_threads(PARTS, (size_t)(w->inverse->nentries / step_of(c->in->from->end[1])));
  PL_PARALLEL_FOR(threads)
  for (int i = 0; i < PARTS; i++) count_part(w, c, i);
  for (int i = 1; i < PARTS; i++) add_part(v, &v[i]);
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, v->count[0], (size_t)MASKS * PL_SIDES));
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, v->distance, MASKS));
  return pl_comm_reduce(pl, PL_INT64, PL_MAX, v->places[0], (size_t)MASKS * PL_SIDES);
}

static int64_t entries_of(const census *v, unsigned mask)
{
  int64_t n = 0;
  for (int s = 0; s < PL_SIDES; s++) n += v->count[mask][s];
  return n;
}

/* The side of nearly all entries; -1: there is none. */
static int only_side(const census *v, unsigned mask)
{
  int64_t all = entries_of(v, mask);
  for (int s = 0; s < PL_SIDES; s++)
    if (all - v->count[mask][s] <= all / FEW) return s;
  return -1;
}

/* The binary order of magnitude of the mean distance. */
static int magnitude(const census *v, unsigned mask)
{
  int bits = 0;
  for (int64_t mean = v->distance[mask] / entries_of(v, mask); mean; mean /= 2) bits++;
  return bits;
}

/* A position comes first if the other targets are nearer, else by its places: meshes that differ in size only
 * have the same text. */
static bool comes_first(const census *v, unsigned a, unsigned b)
{
  const int near_a = magnitude(v, a), near_b = magnitude(v, b);
  return near_a != near_b ? near_a < near_b : a < b;
}

static void insert_mask(const census *v, unsigned mask, pl_shared_vertices *c)
{
  int p = c->n++;
  for (; p && comes_first(v, mask, c->mask[p - 1]); p--) c->mask[p] = c->mask[p - 1];
  c->mask[p] = mask;
}

/* The `degree` most frequent masks. */
static void choose_masks(const census *v, int degree, pl_shared_vertices *c)
{
  for (c->n = 0; c->n < degree;) {
    unsigned best = 0;
    for (unsigned mask = 1; mask < MASKS; mask++) {
      bool taken = false;
      for (int p = 0; p < c->n; p++) taken |= c->mask[p] == mask;
      if (!taken && entries_of(v, mask) > entries_of(v, best)) best = mask;
    }
    if (!best) break;
    insert_mask(v, best, c);
  }
  for (int p = 0; p < c->n; p++) {
    const unsigned mask = c->mask[p];
    c->side[p] = (signed char)only_side(v, mask);
    for (int s = 0; s < PL_SIDES; s++) c->places[p][s] = places_in(v->places[mask][s]);
  }
}

int pl_shared_vertices_fit(const pl_shared_vertices *c, int t, int element, int side, unsigned *row)
{
  int32_t places;
  const unsigned mask = find_places(c, t, element, &places);
  int p = 0;
  while (p < c->n && c->mask[p] != mask) p++;
  if (!mask || p == c->n || *row >> p & 1 || (c->side[p] >= 0 && c->side[p] != side)) return -1;
  if (c->places[p][side] != places) return -1;
  *row |= 1u << p;
  return p;
}

enum { PART_UNFIT = 8 }; /* of the entries; at most one of so many */

/* Negative if few of the target's entries do not fit. */
static int excess_of_unfit(const pl_shared_vertices *c, const pl_inverse *inverse, int t)
{
  const int n = inverse->nslots;
  unsigned row = 0;
  int excess = inverse->offset[t] - inverse->offset[t + 1];
  for (int k = inverse->offset[t]; k < inverse->offset[t + 1]; k++)
    if (pl_shared_vertices_fit(c, t, inverse->entry[k] / n, inverse->entry[k] % n, &row) < 0)
      excess += PART_UNFIT;
  return excess;
}

/* Whether most entries fit. */
static pl_err try_map(const search *w, pl_shared_vertices *c, bool *fit)
{
  const pl_inverse *inverse = w->inverse;
  const int owned = c->in->from->end[1], step = step_of(owned), samples = owned / step,
            threads = pl_plan_threads(samples, (size_t)(inverse->nentries / step));
  int64_t excess = 0;
  PL_TRY(count_entries(w, c));
  choose_masks(w->part, w->degree, c);
  PL_PARALLEL_SUM(threads, excess)
  for (int i = 0; i < samples; i++) excess += excess_of_unfit(c, inverse, sampled(i * step, step));
  PL_TRY(pl_comm_reduce(c->in->node.pl, PL_INT64, PL_INC, &excess, 1));
  *fit = excess <= 0;
  return PL_SUCCESS;
}

static bool may_have_targets(const pl_map *in, const pl_increment_map *a, const pl_map *of)
{
  return in->from == a->map->to && in->to == of->to && in->index && !in->offset && !in->has_negative &&
         in->arity <= PL_MAX_VERTICES && in->arity >= of->arity && in->arity <= of->arity * PL_DEGREE;
}

/* The first declared map that has the targets of `of`. */
static pl_err find_map(const search *w, const pl_map *of, pl_shared_vertices *vertices)
{
  uint64_t first = UINT64_MAX;
  PL_EACH (pl_map, map, of->node.pl->maps) {
    pl_shared_vertices c = {.of = of, .in = map};
    bool fit = false;
    if (map->node.id > first || !may_have_targets(map, w->increments, of)) continue;
    PL_TRY(try_map(w, &c, &fit));
    if (!fit) continue;
    first = map->node.id;
    *vertices = c;
  }
  return PL_SUCCESS;
}

pl_err pl_shared_vertices_find(pl_context *pl, const pl_loop *loop, const pl_increment_map *a,
                               const pl_inverse *inverse, int degree, pl_shared_vertices *vertices)
{
  const search w = {a, inverse, degree, pl_malloc(pl, PARTS * sizeof(census))};
  pl_err err = pl_agree(pl, w.part ? PL_SUCCESS : pl_fail_memory(pl, PARTS * sizeof(census)));
  for (int i = 0; !err && !vertices->of && i < loop->nargs; i++) {
    const pl_map *of = loop->args[i].map;
    if (!of || of == a->map || of->offset || of->from != pl_set_base(loop->set)) continue;
    err = find_map(&w, of, vertices);
  }
  pl_free(pl, w.part);
  return err;
}
