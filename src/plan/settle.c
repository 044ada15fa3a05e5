/* SPDX-License-Identifier: BSD-2-Clause
 * Particles on ranks: who owns them, who needs copies of them. See settle.h.
 */
#include "settle.h"
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

/* ---- owners ---- */

/* This rank's particles by the place that they have. */
static pl_err choose_owners(const pl_map *map, double *const axis[], pl_scratch *scratch, int **owner)
{
  size_t n = (size_t)map->from->part[1], dim = (size_t)map->pairs->dim;
  double *x = pl_scratch_take(scratch, n * dim, sizeof *x);
  *owner = pl_scratch_take(scratch, n, sizeof **owner);
  PL_TRY(pl_agree(scratch->pl, pl_scratch_check(scratch)));
  for (size_t i = 0; i < n; i++)
    for (size_t a = 0; a < dim; a++) x[i * dim + a] = axis[a][i];
  const pl_points points = {.n = (int)n, .dim = (int)dim, .x = x};
  return pl_partition_bisection(scratch->pl, &points, pl_ranks(scratch->pl), *owner);
}

/* ---- copies ---- */

static double coordinate(const pl_dat *dat, size_t k)
{
  return dat->type == PL_DOUBLE ? ((const double *)dat->host)[k] : (double)((const float *)dat->host)[k];
}

static pl_err take_axes(const pl_map *map, pl_scratch *scratch, double *axis[PL_PAIR_AXES])
{
  const pl_dat *position = map->pairs->position;
  size_t n = (size_t)map->from->part[1], dim = (size_t)map->pairs->dim;
  for (size_t a = 0; a < dim; a++) {
    axis[a] = pl_scratch_take(scratch, n, sizeof(double));
    for (size_t i = 0; axis[a] && i < n; i++) axis[a][i] = coordinate(position, i * dim + a);
  }
  return pl_scratch_check(scratch);
}

/* Those of this rank's particles that rank r needs, if any is near at all. */
static void find_near(const pl_pairs *pairs, double *const axis[], int n, double reach,
                      const pl_extent *theirs, pl_scratch *scratch, pl_ids *send)
{
  for (int i = 0; i < n; i++)
    if (is_near(pairs, axis, i, reach, theirs)) pl_ids_add(scratch, send, i);
}

static pl_err copy_near(pl_map *map, pl_scratch *scratch, double reach, pl_extent *mine)
{
  pl_context *pl = map->node.pl;
  const pl_pairs *pairs = map->pairs;
  int ranks = pl_ranks(pl), n = map->from->part[1];
  double *axis[PL_PAIR_AXES] = {NULL};
  pl_extent *extent = pl_scratch_take(scratch, (size_t)ranks, sizeof *extent);
  int64_t *count = pl_scratch_take(scratch, (size_t)ranks, sizeof *count);
  PL_TRY(pl_agree(pl, take_axes(map, scratch, axis)));
  *mine = pl_extent_of(pairs->dim, n, axis);
  PL_TRY(pl_comm_gather(pl, mine, sizeof *mine, extent));
  pl_ids send = {NULL, 0, 0};
  for (int r = 0; r < ranks && !scratch->failed; r++) {
    int64_t before = send.n;
    if (r != pl_rank(pl)) find_near(pairs, axis, n, reach, &extent[r], scratch, &send);
    count[r] = send.n - before;
  }
  int *list = pl_scratch_take(scratch, (size_t)send.n, sizeof *list);
  PL_TRY(pl_agree(pl, pl_scratch_check(scratch)));
  for (int64_t k = 0; k < send.n; k++) list[k] = (int)send.item[k];
  return pl_ghosts_make(map->from, count, list);
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

static bool same_bounds(const pl_nearby *near, const pl_domain *domain)
{
  size_t bytes = domain ? (size_t)domain->dim * sizeof(double) : 0;
  return near->domain == domain &&
         (!domain || (!memcmp(near->low, domain->low, bytes) && !memcmp(near->high, domain->high, bytes)));
}

static bool is_settled(const pl_pairs *pairs, const pl_halo *halo, double reach)
{
  const pl_nearby *near = &halo->nearby;
  return near->position == pairs->position && near->version == pairs->position->version &&
         near->reach >= reach && same_bounds(near, pairs->domain);
}

static void note(pl_pairs *pairs, pl_halo *halo, double reach, const pl_extent *mine)
{
  pl_nearby *near = &halo->nearby;
  memcpy(near->from, mine->low, sizeof near->from);
  memcpy(near->to, mine->high, sizeof near->to);
  near->position = pairs->position;
  near->domain = pairs->domain;
  near->version = pairs->position->version;
  near->reach = reach;
  if (!pairs->domain) return;
  memcpy(near->low, pairs->domain->low, sizeof near->low);
  memcpy(near->high, pairs->domain->high, sizeof near->high);
}

pl_err pl_settle(pl_map *map, double *const axis[], double reach)
{
  pl_context *pl = map->node.pl;
  pl_pairs *pairs = map->pairs;
  pl_scratch scratch = {.pl = pl};
  pl_extent mine;
  int *owner;
  if (is_settled(pairs, map->from->halo, reach)) return PL_SUCCESS;
  reach = widest_reach(pairs, reach);
  PL_TRY(pl_agree(pl, pl_travel_check(map->from, NULL, "pair map")));
  pl_err err = choose_owners(map, axis, &scratch, &owner);
  if (!err) err = pl_travel(map->from, owner, NULL);
  if (!err) err = copy_near(map, &scratch, reach, &mine);
  if (!err) note(pairs, map->from->halo, reach, &mine);
  pl_scratch_free(&scratch);
  return err;
}
