/* SPDX-License-Identifier: BSD-2-Clause
 * The bins of a list, and the lengths by which kernels decide.
 */
#include "neighbour_list_bins.h"
#include "core/data/objects.h"
#include "plan/particles/domain_decomposition.h"
#include "plan/particles/neighbour_list.h"
#include "plan/particles/particle_migration.h"
#include <math.h>

enum { MOST_BINS = 1 << 29, BINS_A_REACH = 2 };

static double square(double length)
{
  return length * length;
}

/* The longest way of a particle that pl_renew searches for, at most as long as copies allow. */
static double longest_way(const pl_pairs *pairs, const pl_nearby *near)
{
  double most = (pl_pairs_kept_reach(pairs) - pairs->cutoff) / 2;
  return near ? fmin(most, (near->around - pairs->cutoff) / 2) : most;
}

/* For the rounding of positions in the box to single precision. */
double pl_list_single_margin(const pl_pairs *pairs, const pl_list_bins *b)
{
  double longest = 0;
  for (int a = 0; a < pairs->dim; a++) longest = fmax(longest, b->box[12 + a] - b->box[9 + a]);
  return 1e-5 * b->reach + 2e-6 * longest;
}

/* Lengths by which pl_renew decides whether the list is stale. */
static void choose_lengths(const pl_pairs *pairs, const pl_nearby *near, pl_list_bins *b)
{
  const double most = longest_way(pairs, near);
  b->over = fmax(b->reach, pairs->cutoff + 2 * most);
  b->box[18] = square(pairs->skin / 2 * (1 - 1e-6));
  b->box[19] = square(most);
  b->box[20] = square(b->reach);
  b->box[21] = square(pairs->cutoff * (1 + 1e-5));
  b->box[22] = pairs->cutoff * (1 + 1e-4) + most;
}

/* Lengths by which pl_renew leaves records out in single precision. */
static void choose_single_lengths(pl_list_bins *b, double margin)
{
  b->box[23] = square(fmax(0, b->reach - margin));
  b->box[24] = square(b->box[22] + margin);
}

/* The box extends the domain on periodic sides; on several ranks, the extent of this rank's particles on all
 * sides. */
static void choose_box(const pl_pairs *pairs, const pl_nearby *near, pl_list_bins *b)
{
  const pl_domain *domain = pairs->domain;
  for (int a = 0; a < pairs->dim; a++) {
    double over = near || domain->periodic[a] ? b->over : 0;
    b->box[a] = domain->low[a];
    b->box[3 + a] = domain->high[a];
    b->box[6 + a] = domain->periodic[a];
    b->box[9 + a] = (near ? near->from[a] : domain->low[a]) - over;
    b->box[12 + a] = (near ? near->to[a] : domain->high[a]) + over;
  }
}

/* Bins of at least half the reach, not many more than particles, and so few that an int counts them, for
 * particles and for ghosts; numbered in columns of 2 x 2. */
static void choose_bins(const pl_pairs *pairs, const pl_nearby *near, pl_list_bins *b)
{
  const double most = fmin(16.0 * pairs->n + 4096, MOST_BINS);
  double all, size = b->reach / BINS_A_REACH;
  choose_lengths(pairs, near, b);
  choose_box(pairs, near, b);
  choose_single_lengths(b, pl_list_single_margin(pairs, b));
  do {
    for (int a = 0; a < 3; a++) {
      double extent = b->box[12 + a] - b->box[9 + a];
      b->bins[a] = extent > 0 ? (int)fmin(fmax(1, floor(extent / size)), 1e6) : 1;
      b->box[15 + a] = extent > 0 ? b->bins[a] / extent : 1;
    }
    all = 4 * b->bins[0] * ceil(0.5 * b->bins[1]) * ceil(0.5 * b->bins[2]);
    size *= 1.5;
  } while (all > most);
  b->bins[3] = (int)all;
  b->all = 2 * b->bins[3];
}

/* For the particles of the map, `here` of them with copies of other ranks'. */
pl_list_bins pl_list_bins_choose(pl_map *map, const pl_nearby *near, int here)
{
  pl_list_bins b = {.reach = pl_pairs_reach(map->pairs), .here = here};
  map->pairs->n = map->from->end[1];
  choose_bins(map->pairs, near, &b);
  return b;
}
