/* SPDX-License-Identifier: BSD-2-Clause
 * Positions of the particles of a pair map, and errors about invalid ones.
 */
#include "particle_positions.h"
#include "core/base/plain_format.h"
#include "core/data/objects.h"
#include "core/base/real_value.h"
#include "core/threads/threads.h"
#include <math.h>

static const double most_wraps = 1e9; /* beyond so many box lengths rounding has lost the position */

/* Coordinate x of axis a inside the box, or NaN. */
static double wrapped(const pl_domain *domain, int a, double x)
{
  if (!domain || !isfinite(x)) return isfinite(x) ? x : NAN;
  double low = domain->low[a], high = domain->high[a], length = high - low;
  if (x >= low && x < high) return x;
  if (!domain->periodic[a]) return x == high ? x : NAN;
  if (fabs(x - low) > most_wraps * length) return NAN;
  x -= length * floor((x - low) / length);
  if (x >= high) x = low; /* rounding */
  return x >= low ? x : low;
}

typedef struct finding {
  int bad; /* the first invalid particle; -1: none */
  bool moved;
} finding;

static finding wrap_piece(const pl_pairs *pairs, const void *x, int first, int end, const pl_positions *p)
{
  finding found = {.bad = -1};
  for (int i = first; i < end && found.bad < 0; i++)
    for (int a = 0; a < p->dim; a++) {
      double there = pl_real_at(pairs->position->type, x, (size_t)i * (size_t)p->dim + (size_t)a),
             here = wrapped(pairs->domain, a, there);
      if (isnan(here)) found.bad = i;
      found.moved |= here != there;
      p->axis[a][i] = here;
    }
  return found;
}

/* The error for an invalid particle, with its position and the defect along the first invalid axis. */
static pl_err report_particle(const pl_map *map, const void *x, int i, const pl_positions *p)
{
  const pl_pairs *pairs = map->pairs;
  const char *why = NULL;
  char position[120] = "";
  for (int a = 0, at = 0; a < p->dim; a++) {
    double value = pl_real_at(pairs->position->type, x, (size_t)i * (size_t)p->dim + (size_t)a);
    at += pl_format(position + at, sizeof position - (size_t)at, "%s%g", a ? ", " : "", value);
    if (!why && isnan(wrapped(pairs->domain, a, value)))
      why = !isfinite(value)                              ? "which is not finite"
            : pairs->domain && pairs->domain->periodic[a] ? "too far away to be wrapped into the box"
                                                          : "outside the box, which is not periodic there";
  }
  return pl_fail(map->node.pl, PL_ERR_RANGE, "pair map \"%s\": particle %lld of \"%s\" is at (%s), %s",
                 map->node.name, (long long)pl_element_global_index(map->from, i), map->from->node.name,
                 position, why);
}

static pl_err wrap_all(const pl_map *map, const void *x, int n, pl_positions *p, bool *moved)
{
  int pieces = pl_pieces(n), bad[1] = {n};
  bool any[1] = {false};
  PL_PARALLEL_FOR(p->threads)
  for (int k = 0; k < pieces; k++) {
    finding found = wrap_piece(map->pairs, x, k * PL_PIECE, pl_piece_end(k * PL_PIECE, n), p);
    if (found.moved) __atomic_store_n(any, true, __ATOMIC_RELAXED);
    int least = __atomic_load_n(bad, __ATOMIC_RELAXED);
    while (found.bad >= 0 && found.bad < least &&
           !__atomic_compare_exchange_n(bad, &least, found.bad, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }
  *moved |= any[0];
  return bad[0] < n ? report_particle(map, x, bad[0], p) : PL_SUCCESS;
}

void pl_positions_wrap(pl_dat *dat, void *x, const pl_positions *p)
{
  PL_PARALLEL_FOR(p->threads)
  for (int i = 0; i < p->n; i++)
    for (int a = 0; a < p->dim; a++)
      pl_real_store(dat->type, x, (size_t)i * (size_t)p->dim + (size_t)a, p->axis[a][i]);
  pl_dat_host_written(dat);
}

pl_err pl_positions_get(const pl_map *map, pl_positions *p, const void *x, int n, bool *moved)
{
  for (int a = 0; a < p->dim; a++) {
    pl_array_pool_give_back(p->pl, p->pool, p->axis[a]);
    if (!(p->axis[a] = pl_array_pool_alloc(p->pl, p->pool, (size_t)n * sizeof(double))))
      return pl_fail_memory(p->pl, (size_t)n * sizeof(double));
  }
  return wrap_all(map, x, n, p, moved);
}

void pl_positions_free(pl_positions *p)
{
  for (int a = 0; a < PL_PAIR_AXES; a++) {
    pl_array_pool_give_back(p->pl, p->pool, p->axis[a]);
    p->axis[a] = NULL;
  }
}
