/* SPDX-License-Identifier: BSD-2-Clause
 * Corners: targets that a gathered loop reads through another map, found again among those of its reader.
 * What is found is the same on all ranks: each counts what its own elements show, and the sums decide.
 */
#include "gather.h"
#include "core/memory.h"
#include <string.h>

enum {
  PLACE_BITS = 3,
  MASKS = 1 << PL_CORNERS,
  FEW = 64 /* one entry of so many may come through another side: it is not worth a choice for all */
};

/* Where the element's targets are among those of `in` at t, PLACE_BITS each; the mask of all, or 0. */
static unsigned find_places(const pl_corners *c, int t, int element, uint32_t *places)
{
  const int *own = c->in->index + (size_t)t * (size_t)c->in->arity;
  const int *far = c->of->index + (size_t)element * (size_t)c->of->arity;
  unsigned mask = 0;
  *places = 0;
  for (int i = 0; i < c->of->arity; i++) {
    int j = 0;
    while (j < c->in->arity && own[j] != far[i]) j++;
    if (j == c->in->arity) return 0;
    *places |= (uint32_t)j << PLACE_BITS * i;
    mask |= 1u << j;
  }
  return mask;
}

/* What entries show, by mask and side: how many there are, and the places that most of them have (votes of a
 * majority, Boyer and Moore; the places in the low half, so that the greatest word has most votes). */
typedef struct view {
  int64_t count[MASKS][PL_SIDES], places[MASKS][PL_SIDES];
} view;

/* Place i of those kept; -1: there are none. */
static signed char place_in(int64_t kept, int i)
{
  return (signed char)(kept >> 32 ? kept >> PLACE_BITS * i & ((1 << PLACE_BITS) - 1) : -1);
}

static void vote(int64_t *kept, uint32_t places)
{
  int64_t votes = *kept >> 32;
  bool agrees = (uint32_t)*kept == places;
  if (!votes || agrees)
    *kept = (votes + 1) << 32 | (int64_t)places;
  else
    *kept -= INT64_C(1) << 32;
}

static pl_err look(pl_context *pl, const pl_corners *c, const pl_inverse *inverse, view *v)
{
  uint32_t places;
  memset(v, 0, sizeof *v);
  for (int t = 0; t < c->in->from->part[1]; t++)
    for (int k = inverse->offset[t]; k < inverse->offset[t + 1]; k++) {
      unsigned mask = find_places(c, t, inverse->entry[k] / inverse->nslots, &places);
      int side = inverse->entry[k] % inverse->nslots;
      if (!mask) continue;
      v->count[mask][side]++;
      vote(&v->places[mask][side], places);
    }
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, v->count[0], (size_t)MASKS * PL_SIDES));
  return pl_comm_reduce(pl, PL_INT64, PL_MAX, v->places[0], (size_t)MASKS * PL_SIDES);
}

static int64_t entries_of(const view *v, unsigned mask)
{
  int64_t n = 0;
  for (int s = 0; s < PL_SIDES; s++) n += v->count[mask][s];
  return n;
}

/* The side through which nearly all entries come; -1: there is none. */
static int only_side(const view *v, unsigned mask)
{
  int64_t all = entries_of(v, mask);
  for (int s = 0; s < PL_SIDES; s++)
    if (all - v->count[mask][s] <= all / FEW) return s;
  return -1;
}

/* The `degree` masks that come most often. */
static void choose_masks(const view *v, int degree, pl_corners *c)
{
  for (c->n = 0; c->n < degree; c->n++) {
    unsigned best = 0;
    for (unsigned mask = 1; mask < MASKS; mask++) {
      bool taken = false;
      for (int p = 0; p < c->n; p++) taken |= c->mask[p] == mask;
      if (!taken && entries_of(v, mask) > entries_of(v, best)) best = mask;
    }
    if (!best) return;
    c->mask[c->n] = best;
    c->side[c->n] = (signed char)only_side(v, best);
    for (int s = 0; s < PL_SIDES; s++)
      for (int i = 0; i < c->of->arity; i++) c->place[c->n][s][i] = place_in(v->places[best][s], i);
  }
}

int pl_corner_fit(const pl_corners *c, int t, int entry, int nslots, unsigned *row)
{
  uint32_t places;
  unsigned mask = find_places(c, t, entry / nslots, &places);
  int p = 0, side = entry % nslots;
  while (p < c->n && c->mask[p] != mask) p++;
  if (!mask || p == c->n || *row >> p & 1 || (c->side[p] >= 0 && c->side[p] != side)) return -1;
  for (int i = 0; i < c->of->arity; i++)
    if (c->place[p][side][i] != place_in(INT64_C(1) << 32 | (int64_t)places, i)) return -1;
  *row |= 1u << p;
  return p;
}

/* Whether all entries but a few fit. */
static pl_err try_corners(pl_context *pl, pl_corners *c, const pl_inverse *inverse, int degree, view *v,
                          bool *fit)
{
  int64_t n[2] = {0, 0}; /* entries, and those that do not fit */
  PL_TRY(look(pl, c, inverse, v));
  choose_masks(v, degree, c);
  for (int t = 0; t < c->in->from->part[1]; t++) {
    unsigned row = 0;
    for (int k = inverse->offset[t]; k < inverse->offset[t + 1]; k++, n[0]++)
      n[1] += pl_corner_fit(c, t, inverse->entry[k], inverse->nslots, &row) < 0;
  }
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, n, 2));
  *fit = n[1] <= n[0] / 8;
  return PL_SUCCESS;
}

static bool can_hold(const pl_map *in, const pl_aim *a, const pl_map *of)
{
  return in->from == a->map->to && in->to == of->to && in->index && !in->offset && !in->has_negative &&
         in->arity <= PL_CORNERS && in->arity >= of->arity && in->arity <= of->arity * PL_DEGREE;
}

/* The map declared first that holds the targets of `of`. */
static pl_err find_holder(pl_context *pl, const pl_aim *a, const pl_map *of, const pl_inverse *inverse,
                          int degree, view *v, pl_corners *corners)
{
  uint64_t first = UINT64_MAX;
  for (pl_node *node = pl->maps; node; node = node->next) {
    pl_corners c = {.of = of, .in = (pl_map *)node};
    bool fit = false;
    if (node->id > first || !can_hold(c.in, a, of)) continue;
    PL_TRY(try_corners(pl, &c, inverse, degree, v, &fit));
    if (!fit) continue;
    first = node->id;
    *corners = c;
  }
  return PL_SUCCESS;
}

pl_err pl_corners_find(pl_context *pl, const pl_loop *loop, const pl_aim *a, const pl_inverse *inverse,
                       int degree, pl_corners *corners)
{
  view *v = pl_malloc(pl, sizeof *v);
  pl_err err = pl_agree(pl, v ? PL_SUCCESS : pl_fail_memory(pl, sizeof *v));
  for (int i = 0; !err && !corners->of && i < loop->nargs; i++) {
    const pl_map *of = loop->args[i].map;
    if (!of || of == a->map || of->offset || of->from != pl_set_base(loop->set)) continue;
    err = find_holder(pl, a, of, inverse, degree, v, corners);
  }
  pl_free(pl, v);
  return err;
}
