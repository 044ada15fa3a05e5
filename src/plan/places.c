/* SPDX-License-Identifier: BSD-2-Clause
 * Where the elements of a set are, for partitions by coordinates: their own, or the mean of their targets'.
 * Rows of targets that other ranks hold are fetched; no rank ever holds more than its own elements reach.
 */
#include "core/fetch.h"
#include "curve.h"
#include "partition.h"
#include "parts.h"

/* A map of fixed arity from the set to where the coordinates live; NULL if there is none. */
static const pl_map *find_corners(const pl_set *set, const pl_dat *coords)
{
  for (const pl_node *node = set->node.pl->maps; node; node = node->next) {
    const pl_map *map = (const pl_map *)node;
    if ((map->index || map->far) && !map->offset && map->from == set && map->to == coords->set) return map;
  }
  return NULL;
}

pl_err pl_partition_check_place(pl_set *set, const pl_partition_options *options)
{
  pl_context *pl = set->node.pl;
  const pl_dat *coords = options->coords;
  if (!coords)
    return pl_fail(pl, PL_ERR_ARG, "pl_partition of \"%s\": this method needs options.coords",
                   set->node.name);
  if (coords->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "pl_partition of \"%s\": dat \"%s\" belongs to another context",
                   set->node.name, coords->node.name);
  if ((coords->type != PL_DOUBLE && coords->type != PL_FLOAT) || coords->dim < 1 ||
      coords->dim > PL_CURVE_MOST)
    return pl_fail(
      pl, PL_ERR_TYPE,
      "pl_partition of \"%s\": dat \"%s\" holds %d values of %s; coordinates are 1 to %d of float or "
      "double",
      set->node.name, coords->node.name, coords->dim, pl_type_name(coords->type), PL_CURVE_MOST);
  if (coords->set == set || find_corners(set, coords)) return PL_SUCCESS;
  return pl_fail(
    pl, PL_ERR_ARG,
    "pl_partition of \"%s\": no map leads from it to \"%s\", where the coordinates in dat \"%s\" live",
    set->node.name, coords->set->node.name, coords->node.name);
}

/* The coordinates of this rank's owned elements of their set, in the order of the view, as doubles. */
static pl_err own_coordinates(pl_scratch *scratch, pl_dat *coords, double **result)
{
  size_t n = (size_t)coords->set->part[1] * (size_t)coords->dim;
  void *stored = pl_scratch_take(scratch, n, sizeof(double));
  double *x = *result = pl_scratch_take(scratch, n, sizeof *x);
  pl_err err = pl_scratch_check(scratch);
  if (!err && !pl_dat_host(coords, false)) err = scratch->pl->error_code;
  PL_TRY(pl_agree(scratch->pl, err));
  pl_view_out(coords->set, coords->set->part[1], pl_dat_stride(coords), coords->host, stored);
  for (size_t i = 0; i < n; i++)
    x[i] = coords->type == PL_FLOAT ? (double)((float *)stored)[i] : ((double *)stored)[i];
  return PL_SUCCESS;
}

/* The mean of the targets of each owned element; without any it is at the origin. */
static pl_err mean_of_targets(pl_scratch *scratch, const pl_map *map, int dim, const double *there, double *x)
{
  size_t n = (size_t)map->from->part[1], arity = (size_t)map->arity, width = (size_t)dim;
  double *corner = pl_scratch_take(scratch, n * arity * width, sizeof *corner);
  PL_TRY(pl_agree(scratch->pl, pl_scratch_check(scratch)));
  PL_TRY(pl_rows_find(map->to, width * sizeof *there, there, (int64_t)(n * arity), map->far, corner));
  for (size_t i = 0; i < n; i++) {
    int found = 0;
    for (size_t k = 0; k < arity; k++) {
      if (map->far[i * arity + k] < 0) continue;
      found++;
      for (size_t d = 0; d < width; d++) x[i * width + d] += corner[(i * arity + k) * width + d];
    }
    for (size_t d = 0; found > 1 && d < width; d++) x[i * width + d] /= found;
  }
  return PL_SUCCESS;
}

static pl_err partition(pl_scratch *scratch, pl_set *set, pl_partition_method method,
                        const pl_partition_options *options, int *rank)
{
  pl_context *pl = set->node.pl;
  pl_dat *coords = options->coords;
  double *there, *x;
  PL_TRY(own_coordinates(scratch, coords, &there));
  x = coords->set == set ? there
                         : pl_scratch_take(scratch, (size_t)set->part[1] * (size_t)coords->dim, sizeof *x);
  PL_TRY(pl_agree(pl, pl_scratch_check(scratch)));
  if (coords->set != set) PL_TRY(mean_of_targets(scratch, find_corners(set, coords), coords->dim, there, x));
  const pl_points points = {set->part[1], coords->dim, x, options->weight};
  return method == PL_PARTITION_CURVE ? pl_partition_curve(pl, &points, pl_ranks(pl), rank)
                                      : pl_partition_bisection(pl, &points, pl_ranks(pl), rank);
}

pl_err pl_partition_by_place(pl_set *set, pl_partition_method method, const pl_partition_options *options,
                             int *rank)
{
  pl_scratch scratch = {.pl = set->node.pl};
  pl_err err = partition(&scratch, set, method, options, rank);
  pl_scratch_free(&scratch);
  return err;
}
