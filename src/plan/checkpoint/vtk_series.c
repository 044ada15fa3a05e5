/* SPDX-License-Identifier: BSD-2-Clause
 * pl_vtk_append: pictures of one grid over time in one file, in the format VTKHDF with the group Steps
 * (docs.vtk.org, "VTKHDF file format", transient data).
 *
 * All steps are in the same arrays, which grow, and Steps says where those of a step begin. Points and cells
 * that are those of the step before are not written again. /plait/series has a record for each step, from
 * which the next one continues.
 */
#include "core/base/hash.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "vtk_records.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Where a step is in the arrays. A part is an entry in the numbers of points and cells; before its offsets
 * there is one more than cells for each part with cells. */
typedef struct step {
  double time;
  int64_t layout; /* a hash of the names and types of all arrays */
  int64_t points, cells, corners;
  int64_t part, full_parts, point_at, cell_at, corner_at, point_value_at, cell_value_at;
  uint64_t point_sum, corner_sum; /* checksums */
} step;

enum { WORDS = sizeof(step) / sizeof(int64_t), KINDS = 4 /* of cells of PolyData */ };

typedef struct series {
  const pl_h5_functions *functions;
  pl_h5_file *f;
  pl_h5_routes *routes;
  pl_context *pl;
  const char *path;
  pl_dat *coordinates;
  pl_map *corners; /* NULL: points */
  int64_t steps;   /* before this one */
  step last, now;
  bool new_points, new_part;
} series;

static const char steps_name[] = "/plait/steps", series_name[] = "/plait/series";

/* ---- earlier steps in the file ---- */

/* The first `rows` rows of a dataset of the file, the same on every rank. */
static pl_err read_rows(const series *s, const char *name, int width, int64_t rows, void *values)
{
  pl_h5_dataset d;
  const pl_h5_block b = {rows, 0, rows};
  PL_TRY(pl_agree(s->pl, s->functions->find(s->f, name, &d)));
  const bool fits =
    d.type == PL_INT64 && d.rank == 2 && d.extent[1] == (uint64_t)width && d.extent[0] >= (uint64_t)rows;
  pl_err err = fits
                 ? s->functions->read(s->f, &d, name, PL_INT64, &b, values)
                 : pl_fail(s->pl, PL_ERR_IO, "file \"%s\": \"%s\" has another size than a series of pictures",
                           s->path, name);
  s->functions->dataset_close(&d);
  return pl_agree(s->pl, err);
}

/* The last step of the file before this one's time, and the number of steps up to it. */
static pl_err read_steps(series *s)
{
  int64_t n = 0;
  if (!s->functions->has(s->f, "plait", "series"))
    return pl_fail(s->pl, PL_ERR_IO, "file \"%s\": it is no series of pictures; use another name", s->path);
  PL_TRY(read_rows(s, steps_name, 1, 1, &n));
  step *all = pl_malloc_array(s->pl, (size_t)(n > 0 ? n : 0) * sizeof *all);
  PL_TRY(pl_agree(s->pl, all ? PL_SUCCESS : pl_fail_memory(s->pl, (size_t)n * sizeof *all)));
  pl_err err = read_rows(s, series_name, WORDS, n, all);
  while (!err && s->steps < n && all[s->steps].time < s->now.time) s->last = all[s->steps++];
  pl_free_array(s->pl, all);
  if (!err && s->steps && s->last.layout != s->now.layout)
    err = pl_fail(s->pl, PL_ERR_IO,
                  "file \"%s\": it shows other dats than the program has now; use another name", s->path);
  return err;
}

static pl_err read_file(series *s)
{
  int32_t exists = !access(s->path, F_OK);
  PL_TRY(pl_comm_bcast(s->pl, 0, &exists, sizeof exists));
  if (!exists) return PL_SUCCESS;
  PL_TRY(s->functions->open(s->pl, s->path, &s->f));
  return s->functions->close(s->f, pl_agree(s->pl, read_steps(s)));
}

/* ---- writing rows behind those of the last step ---- */

static pl_err extend_set(series *s, const char *name, pl_set *set, pl_type type, const pl_h5_rows *rows,
                         const pl_h5_records *records)
{
  const pl_h5_routes *routes;
  pl_h5_row_source source;
  PL_TRY(pl_h5_routes_of(s->f, set, &routes));
  pl_err err = pl_h5_open_set(s->pl, routes, records, &source);
  if (!err) err = s->functions->extend(s->f, name, type, rows, &source.base);
  pl_h5_source_close(&source);
  return err;
}

static pl_err extend_block(series *s, const char *name, pl_type type, const pl_h5_rows *rows,
                           const pl_h5_block *b, const pl_h5_records *records)
{
  pl_h5_row_source source;
  pl_err err = pl_h5_open_block(s->pl, b, records, &source);
  if (!err) err = s->functions->extend(s->f, name, type, rows, &source.base);
  pl_h5_source_close(&source);
  return err;
}

/* Row `at` of a dataset of numbers, which has one extent if `width` is 0. */
static pl_err put_row(series *s, const char *name, pl_type type, int width, int64_t at, const void *values)
{
  const pl_h5_block b = {1, 0, pl_rank(s->pl) == 0};
  const pl_h5_records records = {.stride = pl_type_size(type) * (size_t)(width ? width : 1),
                                 .values = values};
  return extend_block(s, name, type, &(pl_h5_rows){at, 1, width}, &b, &records);
}

static pl_err put_number(series *s, const char *name, int64_t at, int64_t value)
{
  return put_row(s, name, PL_INT64, 0, at, &value);
}

/* ---- points and cells ---- */

static pl_err put_multiples(series *s, const char *name, int64_t at, int64_t total, int64_t factor, int more)
{
  pl_vtk_multiples m;
  pl_h5_block b;
  const pl_h5_records records = pl_vtk_multiple_records(s->pl, total, factor, more, &m, &b);
  return extend_block(s, name, PL_INT64, &(pl_h5_rows){at, total + more, 0}, &b, &records);
}

static pl_err put_points(series *s)
{
  pl_dat *x = s->coordinates;
  pl_vtk_points points;
  void *view;
  PL_TRY(pl_agree(s->pl, pl_dat_get(x, PL_READ, &view)));
  const pl_h5_records records = pl_vtk_point_records(x, view, &points);
  const pl_h5_rows rows = {s->now.point_at, s->now.points, PL_VTK_AXES};
  pl_err err = extend_set(s, "/VTKHDF/Points", x->set, x->type, &rows, &records);
  pl_dat_put(x);
  return err;
}

static pl_err put_cells(series *s)
{
  const step *now = &s->now;
  const int64_t arity = s->corners->arity;
  const unsigned char type = pl_vtk_cell_type(s->coordinates->dim, s->corners->arity);
  const pl_h5_block b = pl_h5_block_of(s->pl, now->cells);
  const pl_h5_records corners = pl_vtk_corner_records(s->corners), types = pl_vtk_type_records(&type);
  PL_TRY(put_number(s, "/VTKHDF/NumberOfCells", now->part, now->cells));
  PL_TRY(put_number(s, "/VTKHDF/NumberOfConnectivityIds", now->part, now->corners));
  PL_TRY(extend_set(s, "/VTKHDF/Connectivity", s->corners->from, PL_INT64,
                    &(pl_h5_rows){now->corner_at, now->corners, 0}, &corners));
  PL_TRY(put_multiples(s, "/VTKHDF/Offsets", now->cell_at + now->full_parts, now->cells, arity, 1));
  return extend_block(s, "/VTKHDF/Types", PL_UINT8, &(pl_h5_rows){now->cell_at, now->cells, 0}, &b, &types);
}

static const char *name_in(const char *group, const char *name, char full[2 * PL_H5_NAME])
{
  snprintf(full, 2 * PL_H5_NAME, "/VTKHDF/%s/%s", group, name);
  return full;
}

/* PolyData: every point is a vertex, and there are no lines, polygons and strips. */
static pl_err put_vertices(series *s)
{
  static const char *const kinds[KINDS] = {"Vertices", "Lines", "Polygons", "Strips"};
  const step *now = &s->now;
  for (int k = 0; k < KINDS; k++) {
    char full[2 * PL_H5_NAME];
    const int64_t n = k ? 0 : now->points, at = k ? 0 : now->cell_at;
    PL_TRY(put_number(s, name_in(kinds[k], "NumberOfCells", full), now->part, n));
    PL_TRY(put_number(s, name_in(kinds[k], "NumberOfConnectivityIds", full), now->part, n));
    PL_TRY(put_multiples(s, name_in(kinds[k], "Connectivity", full), at, n, 1, 0));
    PL_TRY(put_multiples(s, name_in(kinds[k], "Offsets", full), at + (k ? 0 : now->full_parts), n, 1, 1));
  }
  return PL_SUCCESS;
}

static pl_err put_grid(series *s)
{
  if (s->new_points) PL_TRY(put_points(s));
  if (!s->new_part) return PL_SUCCESS;
  PL_TRY(put_number(s, "/VTKHDF/NumberOfPoints", s->now.part, s->now.points));
  return s->corners ? put_cells(s) : put_vertices(s);
}

/* ---- values ---- */

static pl_err put_dat(series *s, const char *group, pl_dat *dat, int64_t at)
{
  char full[2 * PL_H5_NAME], kind[PL_H5_NAME];
  void *view;
  PL_TRY(pl_agree(s->pl, pl_dat_get(dat, PL_READ, &view)));
  const pl_h5_records records = {.stride = pl_dat_stride(dat), .values = view};
  const pl_h5_rows rows = {at, dat->set->global_size, dat->dim > 1 ? dat->dim : 0};
  pl_err err = extend_set(s, name_in(group, dat->node.name, full), dat->set, dat->type, &rows, &records);
  pl_dat_put(dat);
  if (err) return err;
  snprintf(kind, sizeof kind, "Steps/%sOffsets", group);
  return put_number(s, name_in(kind, dat->node.name, full), s->steps, at);
}

static pl_err put_values(series *s, const char *group, const pl_set *set, int64_t at)
{
  PL_EACH (pl_dat, dat, s->pl->dats)
    if (pl_vtk_shows(dat, set, s->coordinates)) PL_TRY(put_dat(s, group, dat, at));
  return PL_SUCCESS;
}

/* ---- a step ---- */

static pl_err put_place(series *s)
{
  const step *now = &s->now;
  const int64_t cells[KINDS] = {now->cell_at}, corners[KINDS] = {now->corner_at};
  const int kinds = s->corners ? 1 : KINDS;
  PL_TRY(put_row(s, "/VTKHDF/Steps/Values", PL_DOUBLE, 0, s->steps, &now->time));
  PL_TRY(put_number(s, "/VTKHDF/Steps/PartOffsets", s->steps, now->part));
  PL_TRY(put_number(s, "/VTKHDF/Steps/NumberOfParts", s->steps, 1));
  PL_TRY(put_number(s, "/VTKHDF/Steps/PointOffsets", s->steps, now->point_at));
  PL_TRY(put_row(s, "/VTKHDF/Steps/CellOffsets", PL_INT64, kinds, s->steps, cells));
  return put_row(s, "/VTKHDF/Steps/ConnectivityIdOffsets", PL_INT64, kinds, s->steps, corners);
}

static pl_err begin_groups(series *s)
{
  static const char *const groups[] = {"Steps", "PointData", "CellData", "Steps/PointDataOffsets",
                                       "Steps/CellDataOffsets"};
  PL_TRY(s->functions->group(s->f, "/VTKHDF", s->corners ? "UnstructuredGrid" : "PolyData", -1));
  for (int i = 0; i < 5; i++) {
    char full[2 * PL_H5_NAME];
    snprintf(full, sizeof full, "/VTKHDF/%s", groups[i]);
    PL_TRY(s->functions->group(s->f, full, NULL, -1));
  }
  return PL_SUCCESS;
}

/* The number of steps comes last. */
static pl_err put_step(series *s)
{
  const int64_t steps = s->steps + 1;
  if (!s->steps) PL_TRY(begin_groups(s));
  PL_TRY(put_grid(s));
  PL_TRY(put_values(s, "PointData", s->coordinates->set, s->now.point_value_at));
  if (s->corners) PL_TRY(put_values(s, "CellData", s->corners->from, s->now.cell_value_at));
  PL_TRY(put_place(s));
  PL_TRY(put_row(s, series_name, PL_INT64, WORDS, s->steps, &s->now));
  PL_TRY(put_row(s, steps_name, PL_INT64, 1, 0, &steps));
  return s->functions->number(s->f, "/VTKHDF/Steps", "NSteps", steps);
}

static pl_err sum_rows(series *s, pl_set *set, const pl_h5_records *records, uint64_t *sum)
{
  const pl_h5_routes *routes;
  pl_h5_row_source source;
  PL_TRY(pl_h5_routes_of(&(pl_h5_file){.pl = s->pl, .routes = &s->routes}, set, &routes));
  pl_err err = pl_h5_open_set(s->pl, routes, records, &source);
  if (!err) err = pl_h5_source_sum(s->pl, &source.base, sum);
  pl_h5_source_close(&source);
  return err;
}

/* The checksums of points and corners. */
static pl_err sum_grid(series *s)
{
  pl_vtk_points points;
  void *view;
  PL_TRY(pl_agree(s->pl, pl_dat_get(s->coordinates, PL_READ, &view)));
  const pl_h5_records x = pl_vtk_point_records(s->coordinates, view, &points);
  pl_err err = sum_rows(s, s->coordinates->set, &x, &s->now.point_sum);
  pl_dat_put(s->coordinates);
  if (err || !s->corners) return err;
  const pl_h5_records corners = pl_vtk_corner_records(s->corners);
  return sum_rows(s, s->corners->from, &corners, &s->now.corner_sum);
}

/* The arrays that this step shares with the last one, and where the others begin. */
static void place_step(series *s)
{
  const step *last = s->steps ? &s->last : NULL;
  step *now = &s->now;
  const bool same_size = last && now->points == last->points && now->cells == last->cells;
  s->new_points = !same_size || now->point_sum != last->point_sum;
  s->new_part = !same_size || now->corner_sum != last->corner_sum;
  if (!last) return;
  now->part = last->part + s->new_part;
  now->full_parts = last->full_parts + (s->new_part && last->cells);
  now->point_at = last->point_at + (s->new_points ? last->points : 0);
  now->cell_at = last->cell_at + (s->new_part ? last->cells : 0);
  now->corner_at = last->corner_at + (s->new_part ? last->corners : 0);
  now->point_value_at = last->point_value_at + last->points;
  now->cell_value_at = last->cell_value_at + last->cells;
}

/* The bytes that a step adds to the file, at most; a dataset grows by whole pieces. */
static int64_t measure(const series *s)
{
  enum { DATASET = 1 << 16 };
  int64_t bytes = 40 * DATASET + 24 * s->now.points + 8 * (s->now.corners + s->now.cells) + 9 * s->now.cells;
  PL_EACH (const pl_dat, dat, s->pl->dats)
    if (pl_vtk_shows(dat, dat->set, s->coordinates))
      bytes += DATASET + dat->set->global_size * (int64_t)pl_dat_stride(dat);
  return 2 * bytes;
}

static pl_err write_step(series *s)
{
  pl_err err = sum_grid(s);
  place_step(s);
  if (!err)
    err = s->steps ? s->functions->append(s->pl, s->path, measure(s), &s->f)
                   : s->functions->create(s->pl, s->path, measure(s), &s->f);
  if (!err) {
    s->f->routes = &s->routes;
    err = s->functions->close(s->f, pl_agree(s->pl, put_step(s)));
  }
  pl_h5_routes_free(s->pl, &s->routes);
  return err;
}

/* ---- the program's call ---- */

/* All that must not change between two steps. */
static int64_t hash_layout(const pl_dat *coordinates, const pl_map *corners)
{
  uint64_t hash = pl_hash(PL_HASH_START, coordinates->node.name, strlen(coordinates->node.name));
  const int32_t shape[] = {coordinates->dim, (int32_t)coordinates->type, corners ? corners->arity : 0};
  hash = pl_hash(hash, shape, sizeof shape);
  PL_EACH (const pl_dat, dat, coordinates->node.pl->dats) {
    const bool on_points = dat->set == coordinates->set;
    const int32_t kind[] = {on_points, (int32_t)dat->type, dat->dim};
    if ((!on_points && (!corners || dat->set != corners->from)) || !pl_vtk_shows(dat, dat->set, coordinates))
      continue;
    hash = pl_hash(pl_hash(hash, kind, sizeof kind), dat->node.name, strlen(dat->node.name));
  }
  return (int64_t)hash;
}

static pl_err check_call(const pl_dat *coordinates, const char *path, double time)
{
  pl_context *pl = coordinates->node.pl;
  PL_TRY(PL_GIVEN(pl, "pl_vtk_append", path));
  if (!coordinates->in_picture)
    return pl_fail(pl, PL_ERR_STATE, "pl_vtk_append: call pl_vtk_grid for \"%s\" first",
                   coordinates->node.name);
  PL_EACH (const pl_dat, dat, pl->dats)
    if (pl_vtk_shows(dat, dat->set, coordinates) && strchr(dat->node.name, '/'))
      return pl_fail(pl, PL_ERR_IO,
                     "file \"%s\": \"%s\" cannot be a name in a picture; use one without \"/\"", path,
                     dat->node.name);
  return isfinite(time)
           ? PL_SUCCESS
           : pl_fail(pl, PL_ERR_ARG, "pl_vtk_append: the time of a step must be a finite number");
}

pl_err pl_vtk_append(pl_dat *coordinates, const char *path, double time)
{
  PL_TRY_GIVEN(coordinates);
  pl_context *pl = coordinates->node.pl;
  PL_TRY(pl_agree_on(pl, check_call(coordinates, path, time), "pl_vtk_append of \"%s\" at %.17g",
                     coordinates->node.name, time));
  PL_TRY(pl_flush_all(pl));
  series s = {.pl = pl, .path = path, .coordinates = coordinates, .corners = pl_vtk_corners_of(coordinates)};
  s.now.time = time;
  s.now.layout = hash_layout(coordinates, s.corners);
  s.now.points = coordinates->set->global_size;
  s.now.cells = s.corners ? s.corners->from->global_size : s.now.points;
  s.now.corners = s.now.cells * (s.corners ? s.corners->arity : 1);
  PL_TRY(pl_h5_module(pl, path, &s.functions));
  PL_TRY(read_file(&s));
  return write_step(&s);
}
