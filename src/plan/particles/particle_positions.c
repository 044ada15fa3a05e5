/* SPDX-License-Identifier: BSD-2-Clause
 * Where the particles of a pair map are: coordinates axis by axis, inside the box, and what is said of those
 * that are nowhere.
 */
#include "build.h"
#include "pairs.h"
#include <math.h>
#include <string.h>

static double position_at(const pl_dat *dat, const void *values, size_t k)
{
  return dat->type == PL_DOUBLE ? ((const double *)values)[k] : (double)((const float *)values)[k];
}

/* What is wrong with a particle that is not where particles can be. */
static pl_err complain(const pl_map *map, const void *x, int i, const char *why)
{
  const pl_pairs *pairs = map->pairs;
  char place[120] = "";
  for (int a = 0, at = 0; a < pairs->dim; a++)
    at += snprintf(place + at, sizeof place - (size_t)at, "%s%g", a ? ", " : "",
                   position_at(pairs->position, x, (size_t)i * (size_t)pairs->dim + (size_t)a));
  return pl_fail(map->node.pl, PL_ERR_RANGE, "pair map \"%s\": particle %lld of \"%s\" is at (%s), %s",
                 map->node.name, (long long)pl_element_number(map->from, i), map->from->node.name, place,
                 why);
}

static const double most_turns = 1e9; /* a particle that went round more often has lost its place */

/* Coordinate x of axis a inside the box, or NaN. */
static double wrapped(const pl_domain *domain, int a, double x)
{
  if (!domain || !isfinite(x)) return isfinite(x) ? x : NAN;
  double low = domain->low[a], high = domain->high[a], length = high - low;
  if (x >= low && x < high) return x;
  if (!domain->periodic[a]) return x == high ? x : NAN;
  if (fabs(x - low) > most_turns * length) return NAN; /* nothing is left of its place in the box */
  x -= length * floor((x - low) / length);
  if (x >= high) x = low; /* rounding */
  return x >= low ? x : low;
}

/* What a thread finds of its particles. */
typedef struct finding {
  int bad; /* the first that is nowhere; -1: none */
  bool moved;
} finding;

static finding take_piece(const pl_pairs *pairs, const void *x, int first, int end, const pl_cloud *p)
{
  finding found = {.bad = -1};
  for (int i = first; i < end && found.bad < 0; i++)
    for (int a = 0; a < p->dim; a++) {
      double there = position_at(pairs->position, x, (size_t)i * (size_t)p->dim + (size_t)a),
             here = wrapped(pairs->domain, a, there);
      if (isnan(here)) found.bad = i;
      found.moved |= here != there;
      p->axis[a][i] = here;
    }
  return found;
}

static pl_err complain_about(const pl_map *map, const void *x, int i, const pl_cloud *p)
{
  const pl_pairs *pairs = map->pairs;
  int a = 0;
  double there = 0;
  for (; a < p->dim; a++) {
    there = position_at(pairs->position, x, (size_t)i * (size_t)p->dim + (size_t)a);
    if (isnan(wrapped(pairs->domain, a, there))) break;
  }
  return complain(map, x, i,
                  !isfinite(there) ? "which is no place: a position is no finite number"
                  : pairs->domain && pairs->domain->periodic[a]
                    ? "too far away to be wrapped into the box"
                    : "outside the box, which is not periodic there");
}

/* Coordinates of the particles inside the box; *moved: some are not where the dat has them. */
static pl_err take_positions(const pl_map *map, const void *x, int n, pl_cloud *p, bool *moved)
{
  int pieces = pl_pieces(n), bad[1] = {n};
  bool any[1] = {false};
  PL_PARALLEL_FOR(p->threads)
  for (int k = 0; k < pieces; k++) {
    finding found = take_piece(map->pairs, x, k * PL_PIECE, pl_piece_end(k * PL_PIECE, n), p);
    if (found.moved) __atomic_store_n(any, true, __ATOMIC_RELAXED);
    int least = __atomic_load_n(bad, __ATOMIC_RELAXED);
    while (found.bad >= 0 && found.bad < least &&
           !__atomic_compare_exchange_n(bad, &least, found.bad, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }
  *moved |= any[0];
  return bad[0] < n ? complain_about(map, x, bad[0], p) : PL_SUCCESS;
}

/* Particles that left through a periodic side are put back. */
void pl_cloud_put_back(pl_dat *dat, void *x, const pl_cloud *p)
{
  PL_PARALLEL_FOR(p->threads)
  for (int i = 0; i < p->n; i++)
    for (int a = 0; a < p->dim; a++) {
      size_t k = (size_t)i * (size_t)p->dim + (size_t)a;
      if (dat->type == PL_DOUBLE)
        ((double *)x)[k] = p->axis[a][i];
      else
        ((float *)x)[k] = (float)p->axis[a][i];
    }
  pl_dat_host_written(dat);
}

pl_err pl_cloud_take(const pl_map *map, pl_cloud *p, const void *x, int n, bool *moved)
{
  for (int a = 0; a < p->dim; a++) {
    pl_stock_give(p->pl, p->stock, p->axis[a]);
    if (!(p->axis[a] = pl_stock_take(p->pl, p->stock, (size_t)n * sizeof(double))))
      return pl_fail_memory(p->pl, (size_t)n * sizeof(double));
  }
  return take_positions(map, x, n, p, moved);
}

void pl_cloud_free(pl_cloud *p)
{
  for (int a = 0; a < PL_PAIR_AXES; a++) {
    pl_stock_give(p->pl, p->stock, p->axis[a]);
    p->axis[a] = NULL;
  }
}
