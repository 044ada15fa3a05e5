/* SPDX-License-Identifier: BSD-2-Clause
 * The records of VTK's arrays.
 */
#include "vtk_records.h"
#include "core/io/hdf5_write.h"
#include <string.h>

pl_map *pl_vtk_corners_of(const pl_dat *coordinates)
{
  PL_EACH (pl_map, map, coordinates->node.pl->maps)
    if (map->in_picture && map->to == coordinates->set) return map;
  return NULL;
}

bool pl_vtk_shows(const pl_dat *dat, const pl_set *set, const pl_dat *coordinates)
{
  return dat->set == set && !dat->node.internal && dat != coordinates && dat->dim && dat->rank <= 1 &&
         !pl_type_is_complex(dat->type);
}

unsigned char pl_vtk_cell_type(int dim, int corners)
{
  enum {
    VERTEX = 1,
    LINE = 3,
    TRIANGLE = 5,
    QUAD = 9,
    TETRA = 10,
    HEXAHEDRON = 12,
    WEDGE = 13,
    PYRAMID = 14
  };
  static const unsigned char flat[9] = {0, VERTEX, LINE, TRIANGLE, QUAD};
  static const unsigned char solid[9] = {0, VERTEX, LINE, TRIANGLE, TETRA, PYRAMID, WEDGE, 0, HEXAHEDRON};
  return corners > 8 ? 0 : (dim == PL_VTK_AXES ? solid : flat)[corners];
}

static void fill_padded(const void *object, int64_t first, int64_t count, void *values)
{
  const pl_vtk_points *x = object;
  memset(values, 0, (size_t)count * x->padded);
  for (int64_t i = 0; i < count; i++)
    memcpy((char *)values + (size_t)i * x->padded, x->view + (size_t)(first + i) * x->bytes, x->bytes);
}

pl_h5_records pl_vtk_point_records(const pl_dat *coordinates, const void *view, pl_vtk_points *points)
{
  *points = (pl_vtk_points){view, pl_dat_stride(coordinates), PL_VTK_AXES * pl_type_size(coordinates->type)};
  return (pl_h5_records){.stride = points->padded, .fill = fill_padded, .object = points};
}

/* The corners of some cells; one with fewer corners repeats its last one. */
static void fill_corners(const void *map, int64_t first, int64_t count, void *corners)
{
  int64_t *corner = corners;
  pl_h5_fill_map(map, first, count, corners);
  for (int64_t k = 1; k < count * ((const pl_map *)map)->arity; k++)
    if (corner[k] < 0) corner[k] = corner[k - 1];
}

pl_h5_records pl_vtk_corner_records(const pl_map *corners)
{
  return (pl_h5_records){
    .stride = (size_t)corners->arity * sizeof(int64_t), .fill = fill_corners, .object = corners};
}

static void fill_multiples(const void *object, int64_t first, int64_t count, void *values)
{
  const pl_vtk_multiples *m = object;
  for (int64_t i = 0; i < count; i++) ((int64_t *)values)[i] = (m->first + first + i) * m->step;
}

pl_h5_records pl_vtk_multiple_records(const pl_context *pl, int64_t total, int64_t step, int more,
                                      pl_vtk_multiples *m, pl_h5_block *b)
{
  *b = pl_h5_block_of(pl, total);
  *m = (pl_vtk_multiples){b->first, step};
  b->total += more; /* behind those of the last rank */
  if (pl_rank(pl) == pl_ranks(pl) - 1) b->count += more;
  return (pl_h5_records){.stride = sizeof(int64_t), .fill = fill_multiples, .object = m};
}

static void fill_types(const void *type, int64_t first, int64_t count, void *values)
{
  (void)first;
  memset(values, *(const unsigned char *)type, (size_t)count);
}

pl_h5_records pl_vtk_type_records(const unsigned char *type)
{
  return (pl_h5_records){.stride = 1, .fill = fill_types, .object = type};
}
