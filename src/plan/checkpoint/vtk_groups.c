/* SPDX-License-Identifier: BSD-2-Clause
 * Pictures in checkpoints, in the format VTKHDF (docs.vtk.org, "VTKHDF file format", version 2.2): an
 * unstructured grid for coordinates with corners of cells, points (PolyData) for others, and if there are
 * several of both a PartitionedDataSetCollection.
 */
#include "vtk_groups.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/io/hdf5_write.h"
#include <string.h>

enum { AXES = 3, OBJECT = 8192 };

typedef struct part {
  pl_h5_file *f;
  pl_dat *coordinates;
  pl_map *corners; /* NULL: points */
  char group[PL_H5_NAME];
} part;

/* ---- what is in the picture ---- */

static bool is_pictured(const pl_dat *dat)
{
  return dat->in_picture && !dat->node.internal;
}

static pl_map *corners_of(const pl_dat *coordinates)
{
  PL_EACH (pl_map, map, coordinates->node.pl->maps)
    if (map->in_picture && map->to == coordinates->set) return map;
  return NULL;
}

static int64_t bytes_of(const pl_dat *coordinates)
{
  const pl_map *corners = corners_of(coordinates);
  const int64_t points = coordinates->set->global_size, cells = corners ? corners->from->global_size : points;
  const int64_t entries = corners ? cells * (corners->arity + 1) : cells;
  return 40 * OBJECT + points * AXES * 8 + (entries + cells + 2) * 8 + cells;
}

int64_t pl_vtk_measure(const pl_context *pl)
{
  int64_t bytes = 0;
  PL_EACH (const pl_dat, dat, pl->dats)
    if (is_pictured(dat)) bytes += bytes_of(dat);
  PL_EACH (const pl_dat, dat, pl->dats) bytes += bytes ? 1024 : 0; /* links */
  return bytes;
}

/* ---- datasets ---- */

static const char *const no_attributes[] = {NULL};

static const char *member(const part *p, const char *name, char full[2 * PL_H5_NAME])
{
  snprintf(full, 2 * PL_H5_NAME, "%s/%s", p->group, name);
  return full;
}

static pl_err write_block(const part *p, const char *name, pl_type type, const pl_h5_block *b,
                          const pl_h5_records *records)
{
  char full[2 * PL_H5_NAME];
  return pl_h5_write_block(p->f, member(p, name, full), type, 1, &(uint64_t){(uint64_t)b->total}, b, records,
                           no_attributes);
}

static pl_err write_number(const part *p, const char *name, int64_t value)
{
  const pl_h5_block one = {1, 0, pl_rank(p->f->pl) == 0};
  return write_block(p, name, PL_INT64, &one, &(pl_h5_records){.stride = sizeof value, .values = &value});
}

/* Numbers first * step, (first + 1) * step, ... */
typedef struct multiples {
  int64_t first, step;
} multiples;

static void fill_multiples(const void *object, int64_t first, int64_t count, void *values)
{
  const multiples *m = object;
  for (int64_t i = 0; i < count; i++) ((int64_t *)values)[i] = (m->first + first + i) * m->step;
}

/* Of a block of rows; the last rank has `more` behind its own. */
static pl_err write_multiples(const part *p, const char *name, int64_t total, int64_t step, int more)
{
  pl_context *pl = p->f->pl;
  pl_h5_block b = pl_h5_block_of(pl, total);
  const multiples m = {b.first, step};
  b.total += more;
  if (pl_rank(pl) == pl_ranks(pl) - 1) b.count += more;
  return write_block(p, name, PL_INT64, &b,
                     &(pl_h5_records){.stride = sizeof(int64_t), .fill = fill_multiples, .object = &m});
}

/* ---- points and cells ---- */

static bool is_real(const pl_dat *dat)
{
  return dat->type == PL_DOUBLE || dat->type == PL_FLOAT;
}

/* Coordinates in fewer dimensions, in user order. */
typedef struct flat_points {
  const char *values;
  size_t bytes, padded; /* of a point, and with three coordinates */
} flat_points;

/* Points with three coordinates; missing ones are 0. */
static void fill_padded(const void *object, int64_t first, int64_t count, void *values)
{
  const flat_points *x = object;
  memset(values, 0, (size_t)count * x->padded);
  for (int64_t i = 0; i < count; i++)
    memcpy((char *)values + (size_t)i * x->padded, x->values + (size_t)(first + i) * x->bytes, x->bytes);
}

static pl_err write_points(const part *p)
{
  pl_dat *x = p->coordinates;
  char full[2 * PL_H5_NAME], dat[PL_H5_NAME];
  void *view;
  pl_h5_full_name("dats", x->node.name, dat);
  if (x->dim == AXES) return p->f->functions->link(p->f, dat, member(p, "Points", full), true);
  PL_TRY(pl_agree(p->f->pl, pl_dat_get(x, PL_READ, &view)));
  const flat_points flat = {view, pl_dat_stride(x), AXES * pl_type_size(x->type)};
  const pl_h5_records records = {.stride = flat.padded, .fill = fill_padded, .object = &flat};
  const uint64_t extent[2] = {(uint64_t)x->set->global_size, AXES};
  pl_err err =
    pl_h5_write_records(p->f, member(p, "Points", full), x->set, x->type, 2, extent, &records, no_attributes);
  pl_dat_put(x);
  return err;
}

/* The corners of some cells; one with fewer corners repeats its last one. */
static void fill_corners(const void *map, int64_t first, int64_t count, void *corners)
{
  int64_t *corner = corners;
  pl_h5_fill_map(map, first, count, corners);
  for (int64_t k = 1; k < count * ((const pl_map *)map)->arity; k++)
    if (corner[k] < 0) corner[k] = corner[k - 1];
}

/* The corners of all cells in one row. */
static pl_err write_corners(const part *p)
{
  char full[2 * PL_H5_NAME];
  const size_t arity = (size_t)p->corners->arity;
  const uint64_t extent = (uint64_t)p->corners->from->global_size * arity;
  const pl_h5_records records = {
    .stride = arity * sizeof(int64_t), .fill = fill_corners, .object = p->corners};
  return pl_h5_write_records(p->f, member(p, "Connectivity", full), p->corners->from, PL_INT64, 1, &extent,
                             &records, no_attributes);
}

/* VTK's number of a cell with so many corners in so many dimensions; 0: none. */
static unsigned char cell_type(int dim, int corners)
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
  return corners > 8 ? 0 : (dim == AXES ? solid : flat)[corners];
}

static void fill_types(const void *type, int64_t first, int64_t count, void *values)
{
  (void)first;
  memset(values, *(const unsigned char *)type, (size_t)count);
}

static pl_err write_types(const part *p)
{
  const pl_h5_block b = pl_h5_block_of(p->f->pl, p->corners->from->global_size);
  const unsigned char type = cell_type(p->coordinates->dim, p->corners->arity);
  return write_block(p, "Types", PL_UINT8, &b,
                     &(pl_h5_records){.stride = 1, .fill = fill_types, .object = &type});
}

static pl_err write_grid(const part *p)
{
  const int64_t cells = p->corners->from->global_size, arity = p->corners->arity;
  PL_TRY(write_number(p, "NumberOfCells", cells));
  PL_TRY(write_number(p, "NumberOfConnectivityIds", cells * arity));
  PL_TRY(write_corners(p));
  PL_TRY(write_multiples(p, "Offsets", cells, arity, 1));
  return write_types(p);
}

/* PolyData: every point is a vertex, and there are no lines, polygons and strips. */
static pl_err write_vertices(const part *p)
{
  static const char *const kinds[] = {"Vertices", "Lines", "Polygons", "Strips"};
  for (int k = 0; k < 4; k++) {
    char full[2 * PL_H5_NAME];
    part kind = *p;
    const int64_t n = k ? 0 : p->coordinates->set->global_size;
    snprintf(kind.group, sizeof kind.group, "%.200s/%s", p->group, kinds[k]);
    PL_TRY(p->f->functions->group(p->f, member(p, kinds[k], full), NULL, -1));
    PL_TRY(write_number(&kind, "NumberOfCells", n));
    PL_TRY(write_number(&kind, "NumberOfConnectivityIds", n));
    PL_TRY(write_multiples(&kind, "Connectivity", n, 1, 0));
    PL_TRY(write_multiples(&kind, "Offsets", n, 1, 1));
  }
  return PL_SUCCESS;
}

/* ---- values ---- */

static pl_err link_values(const part *p, const char *group, const pl_set *set)
{
  char full[2 * PL_H5_NAME], name[PL_H5_NAME], from[PL_H5_NAME];
  PL_TRY(p->f->functions->group(p->f, member(p, group, full), NULL, -1));
  PL_EACH (const pl_dat, dat, p->f->pl->dats) {
    if (dat->set != set || dat->node.internal || dat == p->coordinates || !dat->dim || dat->rank > 1 ||
        pl_type_is_complex(dat->type))
      continue;
    snprintf(name, sizeof name, "%s/%s", group, dat->node.name);
    PL_TRY(p->f->functions->link(p->f, pl_h5_full_name("dats", dat->node.name, from), member(p, name, full),
                                 true));
  }
  return PL_SUCCESS;
}

static pl_err write_part(const part *p, int number)
{
  const char *const type = p->corners ? "UnstructuredGrid" : "PolyData";
  PL_TRY(p->f->functions->group(p->f, p->group, type, number));
  PL_TRY(write_number(p, "NumberOfPoints", p->coordinates->set->global_size));
  PL_TRY(write_points(p));
  PL_TRY(p->corners ? write_grid(p) : write_vertices(p));
  PL_TRY(link_values(p, "PointData", p->coordinates->set));
  return p->corners ? link_values(p, "CellData", p->corners->from) : PL_SUCCESS;
}

/* ---- the whole picture ---- */

static const char root[] = "/VTKHDF";

/* A collection has a link to each part in its assembly. */
static pl_err write_collection(pl_h5_file *f)
{
  int number = 0;
  PL_TRY(f->functions->group(f, root, "PartitionedDataSetCollection", -1));
  PL_TRY(f->functions->group(f, "/VTKHDF/Assembly", NULL, -1));
  PL_EACH (pl_dat, dat, f->pl->dats) {
    part p = {.f = f, .coordinates = dat};
    char link[2 * PL_H5_NAME];
    if (!is_pictured(dat)) continue;
    p.corners = corners_of(dat);
    snprintf(p.group, sizeof p.group, "%s/%s", root, dat->set->node.name);
    PL_TRY(write_part(&p, number++));
    snprintf(link, sizeof link, "%s/Assembly/%s", root, dat->set->node.name);
    PL_TRY(f->functions->link(f, p.group, link, false));
  }
  return PL_SUCCESS;
}

pl_err pl_vtk_write(pl_h5_file *f)
{
  part p = {.f = f};
  int parts = 0;
  PL_EACH (pl_dat, dat, f->pl->dats)
    if (is_pictured(dat)) parts++, p.coordinates = dat;
  if (parts != 1) return parts ? write_collection(f) : PL_SUCCESS;
  p.corners = corners_of(p.coordinates);
  strcpy(p.group, root);
  return write_part(&p, -1);
}

/* ---- the program's choice ---- */

static pl_err check_grid(const pl_dat *coordinates, const pl_map *corners)
{
  pl_context *pl = coordinates->node.pl;
  const char *name = coordinates->node.name;
  if (!is_real(coordinates) || coordinates->dim < 1 || coordinates->dim > AXES)
    return pl_fail(pl, PL_ERR_TYPE, "pl_vtk_grid: coordinates \"%s\" must be 1 to 3 doubles or floats", name);
  if (!corners) return PL_SUCCESS;
  if (corners->to != coordinates->set)
    return pl_fail(pl, PL_ERR_ARG, "pl_vtk_grid: map \"%s\" does not lead to the set of \"%s\"",
                   corners->node.name, name);
  if (corners->pair_map || corners->offset || !cell_type(coordinates->dim, corners->arity))
    return pl_fail(pl, PL_ERR_ARG, "pl_vtk_grid: no cell in %d dimensions has the %d corners of map \"%s\"",
                   coordinates->dim, corners->arity, corners->node.name);
  return PL_SUCCESS;
}

pl_err pl_vtk_grid(pl_dat *coordinates, pl_map *corners)
{
  PL_TRY_GIVEN(coordinates);
  pl_context *pl = coordinates->node.pl;
  PL_TRY(pl_agree_on(pl, check_grid(coordinates, corners), "pl_vtk_grid of \"%s\"", coordinates->node.name));
  PL_EACH (pl_dat, dat, pl->dats)
    if (dat->set == coordinates->set) dat->in_picture = dat == coordinates;
  PL_EACH (pl_map, map, pl->maps)
    if (map->to == coordinates->set) map->in_picture = map == corners;
  return PL_SUCCESS;
}
