/* SPDX-License-Identifier: BSD-2-Clause
 * Pictures in checkpoints, in the format VTKHDF (docs.vtk.org, "VTKHDF file format", version 2.2): an
 * unstructured grid for coordinates with corners of cells, points (PolyData) for others, and if there are
 * several of both a PartitionedDataSetCollection.
 */
#include "vtk_groups.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/io/hdf5_write.h"
#include "vtk_records.h"
#include <string.h>

enum { OBJECT = 8192 };

typedef struct part {
  pl_h5_file *f;
  pl_dat *coordinates;
  pl_map *corners; /* NULL: points */
  char group[PL_H5_NAME];
} part;

/* ---- objects in the picture ---- */

static bool is_pictured(const pl_dat *dat)
{
  return dat->in_picture && !dat->node.internal;
}

static int64_t bytes_of(const pl_dat *coordinates)
{
  const pl_map *corners = pl_vtk_corners_of(coordinates);
  const int64_t points = coordinates->set->global_size, cells = corners ? corners->from->global_size : points;
  const int64_t entries = corners ? cells * (corners->arity + 1) : cells;
  return 40 * OBJECT + points * PL_VTK_AXES * 8 + (entries + cells + 2) * 8 + cells;
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

static const char *member(const part *p, const char *name, char full[2 * PL_H5_NAME])
{
  snprintf(full, 2 * PL_H5_NAME, "%s/%s", p->group, name);
  return full;
}

static pl_err write_block(const part *p, const char *name, pl_type type, const pl_h5_block *b,
                          const pl_h5_records *records)
{
  char full[2 * PL_H5_NAME];
  const pl_h5_new d = {member(p, name, full), type, 1, &(uint64_t){(uint64_t)b->total}, NULL};
  return pl_h5_write_block(p->f, &d, b, records);
}

static pl_err write_number(const part *p, const char *name, int64_t value)
{
  const pl_h5_block one = {1, 0, pl_rank(p->f->pl) == 0};
  return write_block(p, name, PL_INT64, &one, &(pl_h5_records){.stride = sizeof value, .values = &value});
}

static pl_err write_multiples(const part *p, const char *name, int64_t total, int64_t step, int more)
{
  pl_vtk_multiples m;
  pl_h5_block b;
  const pl_h5_records records = pl_vtk_multiple_records(p->f->pl, total, step, more, &m, &b);
  return write_block(p, name, PL_INT64, &b, &records);
}

/* ---- points and cells ---- */

static bool is_real(const pl_dat *dat)
{
  return dat->type == PL_DOUBLE || dat->type == PL_FLOAT;
}

static pl_err write_points(const part *p)
{
  pl_dat *x = p->coordinates;
  char full[2 * PL_H5_NAME], dat[PL_H5_NAME];
  pl_vtk_points points;
  void *view;
  pl_h5_full_name("dats", x->node.name, dat);
  if (x->dim == PL_VTK_AXES) return p->f->functions->link(p->f, dat, member(p, "Points", full), true);
  PL_TRY(pl_agree(p->f->pl, pl_dat_get(x, PL_READ, &view)));
  const pl_h5_records records = pl_vtk_point_records(x, view, &points);
  const uint64_t extent[2] = {(uint64_t)x->set->global_size, PL_VTK_AXES};
  const pl_h5_new d = {member(p, "Points", full), x->type, 2, extent, NULL};
  pl_err err = pl_h5_write_records(p->f, &d, x->set, &records);
  pl_dat_put(x);
  return err;
}

/* The corners of all cells in one row. */
static pl_err write_corners(const part *p)
{
  char full[2 * PL_H5_NAME];
  const uint64_t extent = (uint64_t)p->corners->from->global_size * (uint64_t)p->corners->arity;
  const pl_h5_records records = pl_vtk_corner_records(p->corners);
  const pl_h5_new d = {member(p, "Connectivity", full), PL_INT64, 1, &extent, NULL};
  return pl_h5_write_records(p->f, &d, p->corners->from, &records);
}

static pl_err write_types(const part *p)
{
  const pl_h5_block b = pl_h5_block_of(p->f->pl, p->corners->from->global_size);
  const unsigned char type = pl_vtk_cell_type(p->coordinates->dim, p->corners->arity);
  const pl_h5_records records = pl_vtk_type_records(&type);
  return write_block(p, "Types", PL_UINT8, &b, &records);
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
    if (!pl_vtk_shows(dat, set, p->coordinates)) continue;
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
    p.corners = pl_vtk_corners_of(dat);
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
  p.corners = pl_vtk_corners_of(p.coordinates);
  strcpy(p.group, root);
  return write_part(&p, -1);
}

/* ---- the program's choice ---- */

static pl_err check_grid(const pl_dat *coordinates, const pl_map *corners)
{
  pl_context *pl = coordinates->node.pl;
  const char *name = coordinates->node.name;
  if (!is_real(coordinates) || coordinates->dim < 1 || coordinates->dim > PL_VTK_AXES)
    return pl_fail(pl, PL_ERR_TYPE, "pl_vtk_grid: coordinates \"%s\" must be 1 to 3 doubles or floats", name);
  if (!corners) return PL_SUCCESS;
  if (corners->to != coordinates->set)
    return pl_fail(pl, PL_ERR_ARG, "pl_vtk_grid: map \"%s\" does not lead to the set of \"%s\"",
                   corners->node.name, name);
  if (corners->pair_map || corners->offset || !pl_vtk_cell_type(coordinates->dim, corners->arity))
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
