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

/* The coordinates of this rank's owned elements of their set, in the order of the view, as doubles: those of
 * the dat itself, or a copy in *own (pl_free_array). */
static pl_err own_coordinates(pl_dat *coords, const double **result, double **own)
{
  pl_context *pl = coords->node.pl;
  const pl_set *set = coords->set;
  const size_t dim = (size_t)coords->dim, n = (size_t)set->part[1];
  pl_err err = pl_dat_host(coords, false) ? PL_SUCCESS : pl->error_code;
  bool there = coords->type == PL_DOUBLE && !set->view;
  *own = NULL;
  if (!err && !there && !(*own = pl_malloc_array(pl, n * dim * sizeof **own)))
    err = pl_fail_memory(pl, n * dim * sizeof **own);
  PL_TRY(pl_agree(pl, err));
  for (size_t i = 0; !there && i < n; i++) {
    size_t from = (size_t)pl_view_at(set, (int)i) * dim;
    for (size_t d = 0; d < dim; d++)
      (*own)[i * dim + d] = coords->type == PL_FLOAT ? (double)((float *)coords->host)[from + d]
                                                     : ((double *)coords->host)[from + d];
  }
  *result = there ? coords->host : *own;
  return PL_SUCCESS;
}

enum { PIECE = 1 << 16 }; /* elements whose targets are fetched at a time */

/* The mean of the targets of elements begin .. end - 1; without any it is at the origin. */
static void add_targets(const pl_map *map, size_t begin, size_t end, size_t width, const double *corner,
                        double *x)
{
  const size_t arity = (size_t)map->arity;
  for (size_t i = begin; i < end; i++) {
    int found = 0;
    for (size_t d = 0; d < width; d++) x[i * width + d] = 0;
    for (size_t k = 0; k < arity; k++, corner += width) {
      if (map->far[i * arity + k] < 0) continue;
      found++;
      for (size_t d = 0; d < width; d++) x[i * width + d] += corner[d];
    }
    for (size_t d = 0; found > 1 && d < width; d++) x[i * width + d] /= found;
  }
}

static pl_err mean_of_targets(const pl_finder *finder, const pl_map *map, size_t width, double *corner,
                              double *x)
{
  const size_t n = (size_t)map->from->part[1], arity = (size_t)map->arity;
  int pieces = (int)(n / PIECE) + 1;
  PL_TRY(pl_comm_reduce(map->node.pl, PL_INT32, PL_MAX, &pieces, 1));
  for (size_t p = 0; p < (size_t)pieces; p++) {
    size_t begin = p * PIECE < n ? p * PIECE : n, end = begin + PIECE < n ? begin + PIECE : n;
    PL_TRY(pl_finder_ask(finder, (int64_t)((end - begin) * arity), map->far + begin * arity, corner));
    add_targets(map, begin, end, width, corner, x);
  }
  return PL_SUCCESS;
}

/* The place of each owned element of a set whose map leads to the coordinates (pl_free_array). */
static pl_err places_of_targets(const pl_map *map, size_t width, const double *there, double **result)
{
  pl_context *pl = map->node.pl;
  const size_t n = (size_t)map->from->part[1], most = n < PIECE ? n : PIECE;
  pl_finder finder;
  double *x = *result = pl_malloc_array(pl, n * width * sizeof *x);
  double *corner = pl_malloc_array(pl, most * (size_t)map->arity * width * sizeof *corner);
  pl_err err = pl_agree(pl, x && corner ? PL_SUCCESS : pl_fail_memory(pl, n * width * sizeof *x));
  if (!err) {
    err = pl_finder_open(map->to, width * sizeof *there, there, &finder);
    if (!err) err = mean_of_targets(&finder, map, width, corner, x);
    pl_finder_close(&finder);
  }
  pl_free_array(pl, corner);
  return err;
}

pl_err pl_partition_by_place(pl_set *set, pl_partition_method method, const pl_partition_options *options,
                             int *rank)
{
  pl_context *pl = set->node.pl;
  pl_dat *coords = options->coords;
  const double *there = NULL;
  double *own = NULL, *mean = NULL;
  pl_err err = own_coordinates(coords, &there, &own);
  if (!err && coords->set != set) {
    err = places_of_targets(find_corners(set, coords), (size_t)coords->dim, there, &mean);
    pl_free_array(pl, own);
    own = NULL;
  }
  const pl_points points = {set->part[1], coords->dim, coords->set == set ? there : mean, options->weight};
  if (!err)
    err = method == PL_PARTITION_CURVE ? pl_partition_curve(pl, &points, pl_ranks(pl), rank)
                                       : pl_partition_bisection(pl, &points, pl_ranks(pl), rank);
  pl_free_array(pl, own);
  pl_free_array(pl, mean);
  return err;
}
