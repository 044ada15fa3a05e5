/* SPDX-License-Identifier: BSD-2-Clause
 * Coordinates of the elements of a set: their own, or the mean of their targets'. Coordinates of remote
 * targets are fetched in pieces.
 */
#include "element_coordinates.h"
#include "core/comm/comm.h"
#include "core/threads/threads.h"
#include "core/mesh/remote_rows.h"
#include "plan/base/hilbert_curve.h"
#include "core/data/objects.h"
#include "core/base/real_value.h"
#include "coordinate_bisection.h"

/* A map of fixed arity from the set to the set of the coordinates; NULL if there is none. */
static const pl_map *find_map(const pl_set *set, const pl_dat *coords)
{
  PL_EACH (const pl_map, map, set->node.pl->maps)
    if ((map->index || map->global_index) && !map->offset && map->from == set && map->to == coords->set)
      return map;
  return NULL;
}

pl_err pl_coordinates_check(pl_context *pl, const pl_dat *coords)
{
  if (coords->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "dat \"%s\" belongs to another context", coords->node.name);
  if ((coords->type == PL_DOUBLE || coords->type == PL_FLOAT) && coords->dim >= 1 &&
      coords->dim <= PL_CURVE_MOST)
    return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_TYPE,
                 "dat \"%s\" holds %d values of %s; coordinates are 1 to %d of float or double",
                 coords->node.name, coords->dim, pl_type_name(coords->type), PL_CURVE_MOST);
}

pl_err pl_partition_check_coordinates(pl_set *set, const pl_partition_options *options)
{
  pl_context *pl = set->node.pl;
  const pl_dat *coords = options->coords;
  if (!coords)
    return pl_fail(pl, PL_ERR_ARG, "pl_partition of \"%s\": this method needs options.coords",
                   set->node.name);
  pl_err err = pl_coordinates_check(pl, coords);
  if (err) return pl_fail_in(pl, err, "pl_partition of \"%s\"", set->node.name);
  if (coords->set == set || find_map(set, coords)) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_ARG,
                 "pl_partition of \"%s\": no map leads from it to \"%s\", the set of the coordinates \"%s\"",
                 set->node.name, coords->set->node.name, coords->node.name);
}

/* The coordinates of the owned elements of their set as doubles, in user order: those of the dat itself, or a
 * copy in *own (pl_free_array). */
static pl_err own_coordinates(pl_dat *coords, const double **result, double **own)
{
  pl_context *pl = coords->node.pl;
  const pl_set *set = coords->set;
  const size_t dim = (size_t)coords->dim, n = (size_t)set->end[1];
  pl_err err = pl_dat_host(coords, false) ? PL_SUCCESS : pl->error_code;
  bool direct = coords->type == PL_DOUBLE && !set->user_order;
  *own = NULL;
  if (!err && !direct && !(*own = pl_malloc_array(pl, n * dim * sizeof **own)))
    err = pl_fail_memory(pl, n * dim * sizeof **own);
  PL_TRY(pl_agree(pl, err));
  for (size_t i = 0; !direct && i < n; i++) {
    size_t from = (size_t)pl_user_to_storage(set, (int)i) * dim;
    for (size_t d = 0; d < dim; d++)
      (*own)[i * dim + d] = pl_real_at(coords->type, coords->storage.host, from + d);
  }
  *result = direct ? coords->storage.host : *own;
  return PL_SUCCESS;
}

enum { PIECE = 1 << 16 }; /* elements whose targets are fetched at once */

/* The mean of an element's targets; without any the origin. */
static void average_row(size_t arity, const int64_t *id, size_t width, const double *target, double *x)
{
  int found = 0;
  for (size_t d = 0; d < width; d++) x[d] = 0;
  for (size_t k = 0; k < arity; k++, target += width) {
    if (id[k] < 0) continue;
    found++;
    for (size_t d = 0; d < width; d++) x[d] += target[d];
  }
  for (size_t d = 0; found > 1 && d < width; d++) x[d] /= found;
}

/* The targets are those of elements begin .. end - 1. */
static void average_targets(const pl_map *map, size_t begin, size_t end, size_t width, const double *target,
                            double *x)
{
  const size_t arity = (size_t)map->arity;
  const int threads = pl_plan_threads(PIECE, (end - begin) * arity);
  PL_PARALLEL_FOR(threads)
  for (size_t i = begin; i < end; i++)
    average_row(arity, map->global_index + i * arity, width, target + (i - begin) * arity * width,
                x + i * width);
}

static pl_err average_pieces(const pl_finder *finder, const pl_map *map, size_t width, double *target,
                             double *x)
{
  const size_t n = (size_t)map->from->end[1], arity = (size_t)map->arity;
  int pieces = (int)(n / PIECE) + 1;
  PL_TRY(pl_comm_reduce(map->node.pl, PL_INT32, PL_MAX, &pieces, 1));
  for (size_t p = 0; p < (size_t)pieces; p++) {
    size_t begin = p * PIECE < n ? p * PIECE : n, end = begin + PIECE < n ? begin + PIECE : n;
    PL_TRY(
      pl_finder_ask(finder, (int64_t)((end - begin) * arity), map->global_index + begin * arity, target));
    average_targets(map, begin, end, width, target, x);
  }
  return PL_SUCCESS;
}

/* The mean of the targets' coordinates of each owned element (pl_free_array). */
static pl_err average_all(const pl_map *map, size_t width, const double *known, double **result)
{
  pl_context *pl = map->node.pl;
  const size_t n = (size_t)map->from->end[1], most = n < PIECE ? n : PIECE;
  pl_finder finder;
  double *x = *result = pl_malloc_array(pl, n * width * sizeof *x);
  double *target = pl_malloc_array(pl, most * (size_t)map->arity * width * sizeof *target);
  pl_err err = pl_agree(pl, x && target ? PL_SUCCESS : pl_fail_memory(pl, n * width * sizeof *x));
  if (!err) {
    err = pl_finder_open(map->to, width * sizeof *known, known, &finder);
    if (!err) err = average_pieces(&finder, map, width, target, x);
    pl_finder_close(&finder);
  }
  pl_free_array(pl, target);
  return err;
}

pl_err pl_partition_by_coordinates(pl_set *set, pl_partition_method method,
                                   const pl_partition_options *options, int *rank)
{
  pl_context *pl = set->node.pl;
  pl_dat *coords = options->coords;
  const double *known = NULL;
  double *own = NULL, *mean = NULL;
  pl_err err = own_coordinates(coords, &known, &own);
  if (!err && coords->set != set) {
    err = average_all(find_map(set, coords), (size_t)coords->dim, known, &mean);
    pl_free_array(pl, own);
    own = NULL;
  }
  const pl_points points = {set->end[1], coords->dim, coords->set == set ? known : mean, options->weight};
  if (!err)
    err = method == PL_PARTITION_CURVE ? pl_partition_curve(pl, &points, pl_ranks(pl), rank)
                                       : pl_partition_bisection(pl, &points, pl_ranks(pl), rank);
  pl_free_arrays(pl, own, mean);
  return err;
}
