/* SPDX-License-Identifier: BSD-2-Clause
 * Corners: targets that a gathered loop reads through another map, found again among those of its reader.
 */
#include "gather.h"
#include <string.h>

/* Where the element's targets are among those of `in` at t; the mask of all, or 0. */
static unsigned find_places(const pl_corners *c, int t, int element, signed char *place)
{
  const int *own = c->in->index + (size_t)t * (size_t)c->in->arity;
  const int *far = c->of->index + (size_t)element * (size_t)c->of->arity;
  unsigned mask = 0;
  for (int i = 0; i < c->of->arity; i++) {
    int j = 0;
    while (j < c->in->arity && own[j] != far[i]) j++;
    if (j == c->in->arity) return 0;
    place[i] = (signed char)j;
    mask |= 1u << j;
  }
  return mask;
}

static int position_of(const pl_corner_set *set, unsigned mask)
{
  int p = 0;
  while (p < set->n && set->mask[p] != mask) p++;
  return p < set->n ? p : -1;
}

/* The `degree` ways that come most often. */
static void find_ways(const pl_corners *c, const pl_inverse *inverse, int degree, pl_corner_set *set)
{
  signed char place[PL_CORNERS];
  *set = (pl_corner_set){0};
  for (int t = 0; t < inverse->ntargets; t++)
    for (int k = inverse->offset[t]; k < inverse->offset[t + 1]; k++) {
      unsigned mask = find_places(c, t, inverse->entry[k] / inverse->nslots, place);
      int p = mask ? position_of(set, mask) : -1;
      if (mask && p < 0 && set->n < 4 * PL_DEGREE) set->mask[p = set->n++] = mask;
      if (p >= 0) set->count[p]++;
    }
  for (int i = 0; i < set->n; i++)
    for (int j = i; j > 0 && set->count[j] > set->count[j - 1]; j--) {
      int count = set->count[j];
      unsigned mask = set->mask[j];
      set->count[j] = set->count[j - 1], set->count[j - 1] = count;
      set->mask[j] = set->mask[j - 1], set->mask[j - 1] = mask;
    }
  if (set->n > degree) set->n = degree;
}

int pl_corner_fit(pl_corners *c, const pl_corner_set *set, int t, int entry, int nslots, unsigned *row)
{
  signed char place[PL_CORNERS];
  unsigned mask = find_places(c, t, entry / nslots, place);
  int p = mask ? position_of(set, mask) : -1;
  if (p < 0 || *row >> p & 1) return -1;
  signed char *known = c->place[p][entry % nslots];
  if (known[0] < 0) memcpy(known, place, sizeof place);
  if (memcmp(known, place, (size_t)c->of->arity)) return -1;
  *row |= 1u << p;
  return p;
}

/* Whether all entries but a few fit. */
static bool try_corners(pl_corners *c, const pl_inverse *inverse, int degree, pl_corner_set *set)
{
  int odd = 0;
  find_ways(c, inverse, degree, set);
  memset(c->place, -1, sizeof c->place);
  for (int t = 0; t < inverse->ntargets; t++) {
    unsigned row = 0;
    for (int k = inverse->offset[t]; k < inverse->offset[t + 1]; k++)
      odd += pl_corner_fit(c, set, t, inverse->entry[k], inverse->nslots, &row) < 0;
  }
  return odd <= inverse->nentries / 8;
}

static bool can_hold(const pl_map *in, const pl_aim *a, const pl_map *of)
{
  return in->from == a->map->to && in->to == of->to && in->index && !in->offset && !in->has_negative &&
         in->arity <= PL_CORNERS && in->arity >= of->arity && in->arity <= of->arity * PL_DEGREE;
}

void pl_corners_find(pl_context *pl, const pl_loop *loop, const pl_aim *a, const pl_inverse *inverse,
                     int degree, pl_corners *corners, pl_corner_set *set)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_map *of = loop->args[i].map;
    uint64_t first = UINT64_MAX;
    if (!of || of == a->map || of->offset || of->from != pl_set_base(loop->set)) continue;
    for (pl_node *node = pl->maps; node; node = node->next) {
      pl_corners c = {of, (pl_map *)node, {{{0}}}};
      pl_corner_set found;
      if (node->id > first || !can_hold(c.in, a, of) || !try_corners(&c, inverse, degree, &found)) continue;
      first = node->id;
      *corners = c;
      *set = found;
    }
    if (corners->of) return;
  }
}
