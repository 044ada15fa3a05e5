/* SPDX-License-Identifier: BSD-2-Clause
 * Sets, maps, dats and consts to HDF5 files.
 *
 * A file holds, by name: /sets/NAME, the number of elements over all ranks; /maps/NAME, global indices
 * [elements of `from`, arity] with the names of both sets as attributes, or of a ragged map all its entries,
 * with /offsets/NAME [elements + 1]; /dats/NAME, values [elements, extents...] with the name of the set;
 * /consts/NAME, values; in checkpoints also /globals/NAME and /domains/NAME, the bounds. Rows are in the
 * order of global indices, independent of ranks and renumbering: each rank writes or reads one contiguous
 * block of them. Complex values are pairs {r, i}, as in h5py.
 */
#include "core/comm/comm.h"
#include "core/base/sized_struct.h"
#include "core/data/objects.h"
#include "core/mesh/global_map.h"
#include "core/mesh/row_numbers.h"
#include "core/particles/pair_map.h"
#include "hdf5_write.h"
#include <string.h>

/* ---- datasets ---- */

pl_err pl_h5_write_records(pl_h5_file *f, const pl_h5_new *d, pl_set *set, const pl_h5_records *records)
{
  const pl_h5_routes *routes;
  pl_h5_row_source source;
  PL_TRY(pl_h5_routes_of(f, set, &routes));
  pl_err err = pl_h5_open_set(f->pl, routes, records, &source);
  if (!err) err = f->functions->write(f, d, &source.base);
  pl_h5_source_close(&source);
  return err;
}

pl_err pl_h5_write_block(pl_h5_file *f, const pl_h5_new *d, const pl_h5_block *b,
                         const pl_h5_records *records)
{
  pl_h5_row_source source;
  pl_err err = pl_h5_open_block(f->pl, b, records, &source);
  if (!err) err = f->functions->write(f, d, &source.base);
  pl_h5_source_close(&source);
  return err;
}

/* Values of one extent. */
static pl_err write_list(pl_h5_file *f, const char *name, pl_type type, const pl_h5_block *b,
                         const void *values, const char *const *attributes)
{
  const pl_h5_records records = {.stride = pl_type_size(type), .values = values};
  const pl_h5_new d = {name, type, 1, &(uint64_t){(uint64_t)b->total}, attributes};
  return pl_h5_write_block(f, &d, b, &records);
}

/* ---- writing objects ---- */

static pl_err write_set(pl_h5_file *f, const pl_set *set)
{
  char name[PL_H5_NAME];
  const pl_h5_block b = {1, 0, pl_rank(f->pl) == 0};
  return write_list(f, pl_h5_full_name("sets", set->node.name, name), PL_INT64, &b, &set->global_size, NULL);
}

void pl_h5_fill_map(const void *map, int64_t first, int64_t count, void *index)
{
  pl_global_map_rows(map, (int)first, (int)count, index);
}

static pl_err write_fixed(pl_h5_file *f, pl_map *map)
{
  char name[PL_H5_NAME];
  const uint64_t extent[2] = {(uint64_t)map->from->global_size, (uint64_t)map->arity};
  const char *const attributes[] = {"from", map->from->node.name, "to", map->to->node.name, NULL};
  const pl_h5_records records = {
    .stride = (size_t)map->arity * sizeof(int64_t), .fill = pl_h5_fill_map, .object = map};
  const pl_h5_new d = {pl_h5_full_name("maps", map->node.name, name), PL_INT64, 2, extent, attributes};
  return pl_h5_write_records(f, &d, map->from, &records);
}

/* ---- ragged maps ---- */

/* An entry of a ragged map. */
typedef struct entry {
  int64_t row, place, target; /* place: among the entries of the row */
} entry;

/* Lists the entries of this rank's elements, and how many go to the block of each rank. */
static void list_entries(const pl_map *map, const int64_t *rows, const int *offset, const int64_t *index,
                         int64_t *count, entry *entries)
{
  const pl_set *set = map->from;
  for (int i = 0; i < set->end[1]; i++) {
    count[pl_h5_rank_of_row(set->node.pl, set->global_size, rows[i])] += offset[i + 1] - offset[i];
    for (int k = offset[i]; k < offset[i + 1]; k++) entries[k] = (entry){rows[i], k - offset[i], index[k]};
  }
}

/* Sends the entries to the ranks of their blocks; *received (pl_free_array) holds *arrived of them. */
static pl_err exchange_entries(pl_map *map, const int *offset, const int64_t *index, entry **received,
                               int64_t *arrived)
{
  pl_context *pl = map->node.pl;
  const size_t n = (size_t)offset[map->from->end[1]], ranks = (size_t)pl_ranks(pl);
  int64_t *rows, *count = pl_calloc(pl, 2 * ranks, sizeof *count);
  entry *entries = pl_malloc_array(pl, n * sizeof *entries);
  pl_err err = pl_agree(pl, count && entries ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *entries));
  if (!err && !(err = pl_row_numbers(map->from, &rows))) {
    list_entries(map, rows, offset, index, count, entries);
    pl_free_array(pl, rows);
    err = pl_comm_all_to_all(pl, sizeof *entries, entries, count, (void **)received, count + ranks);
  }
  if (!err) *arrived = pl_count_sum(pl, count + ranks);
  pl_free(pl, count);
  pl_free_array(pl, entries);
  return err;
}

/* A rank's block of rows of a ragged map: row r has the targets from start[r] - start[0] on, and start[0]
 * entries are in lower blocks. */
typedef struct ragged_rows {
  pl_h5_block block;
  int64_t total; /* entries of all ranks */
  int64_t *start, *target;
} ragged_rows;

static pl_err place_entries(pl_context *pl, const entry *e, int64_t n, ragged_rows *r)
{
  const int64_t rows = r->block.count, first = r->block.first;
  int64_t before;
  r->start = pl_malloc_array(pl, (size_t)(rows + 1) * sizeof *r->start);
  r->target = pl_malloc_array(pl, (size_t)n * sizeof *r->target);
  const bool all = r->start && r->target;
  PL_TRY(pl_agree(pl, all ? PL_SUCCESS : pl_fail_memory(pl, (size_t)(rows + n + 1) * sizeof *r->start)));
  PL_TRY(pl_comm_scan(pl, n, &before, &r->total));
  memset(r->start, 0, (size_t)(rows + 1) * sizeof *r->start);
  for (int64_t i = 0; i < n; i++) r->start[e[i].row - first + 1]++;
  r->start[0] = before;
  for (int64_t i = 0; i < rows; i++) r->start[i + 1] += r->start[i];
  for (int64_t i = 0; i < n; i++) r->target[r->start[e[i].row - first] - before + e[i].place] = e[i].target;
  return PL_SUCCESS;
}

/* Writes the offsets, of which the last rank has one more, and the entries. */
static pl_err write_rows(pl_h5_file *f, const pl_map *map, const ragged_rows *r)
{
  char name[PL_H5_NAME];
  const char *const attributes[] = {"from", map->from->node.name, "to", map->to->node.name, NULL};
  const pl_h5_block *b = &r->block;
  const bool last = pl_rank(f->pl) == pl_ranks(f->pl) - 1;
  const pl_h5_block offsets = {b->total + 1, b->first, b->count + last};
  const pl_h5_block entries = {r->total, r->start[0], r->start[b->count] - r->start[0]};
  PL_TRY(write_list(f, pl_h5_full_name("offsets", map->node.name, name), PL_INT64, &offsets, r->start, NULL));
  return write_list(f, pl_h5_full_name("maps", map->node.name, name), PL_INT64, &entries, r->target,
                    attributes);
}

static pl_err write_ragged(pl_h5_file *f, pl_map *map)
{
  ragged_rows r = {.block = pl_h5_block_of(f->pl, map->from->global_size)};
  int64_t n = 0, *index = pl_global_map_copy(map);
  int *offset = pl_global_map_offsets(map);
  entry *entries = NULL;
  pl_err err = pl_agree(f->pl, index && offset ? PL_SUCCESS : PL_ERR_MEMORY);
  if (!err) err = exchange_entries(map, offset, index, &entries, &n);
  if (!err) err = place_entries(f->pl, entries, n, &r);
  if (!err) err = write_rows(f, map, &r);
  pl_free_arrays(f->pl, index, entries, r.start, r.target);
  pl_free(f->pl, offset);
  return err;
}

pl_err pl_h5_write_map(pl_h5_file *f, pl_map *map)
{
  return map->offset ? write_ragged(f, map) : write_fixed(f, map);
}

/* ---- dats and values without a set ---- */

static pl_err write_dat(pl_h5_file *f, pl_dat *dat)
{
  char name[PL_H5_NAME];
  uint64_t extent[PL_H5_RANK];
  const char *const attributes[] = {"set", dat->set->node.name, NULL};
  pl_h5_records records = {.stride = pl_dat_stride(dat)};
  if (dat->rank >= PL_H5_RANK)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": dat \"%s\" has %d extents, more than HDF5 can hold",
                   f->path, dat->node.name, dat->rank);
  extent[0] = (uint64_t)dat->set->global_size;
  for (int i = 0; i < dat->rank; i++) extent[i + 1] = (uint64_t)dat->shape[i];
  void *values; /* in user order owned elements come first */
  PL_TRY(pl_agree(f->pl, pl_dat_get(dat, PL_READ, &values)));
  records.values = values;
  const pl_h5_new d = {pl_h5_full_name("dats", dat->node.name, name), dat->type, dat->rank + 1, extent,
                       attributes};
  pl_err err = pl_h5_write_records(f, &d, dat->set, &records);
  pl_dat_put(dat);
  return err;
}

/* Values that all ranks have. */
static pl_err write_values(pl_h5_file *f, const char *kind, const pl_node *node, pl_type type, int64_t count,
                           const void *values)
{
  char name[PL_H5_NAME];
  const pl_h5_block b = {count, 0, pl_rank(f->pl) == 0 ? count : 0};
  return write_list(f, pl_h5_full_name(kind, node->name, name), type, &b, values, NULL);
}

static pl_err write_global(pl_h5_file *f, pl_global *global)
{
  PL_TRY(pl_agree(f->pl, pl_global_host(global)));
  if (global->random) /* the last word is the number of the next call */
    ((uint32_t *)global->value)[PL_RANDOM_WORDS - 1] = ((pl_random *)global)->calls;
  return write_values(f, "globals", &global->node, global->type, global->dim, global->value);
}

static pl_err write_domain(pl_h5_file *f, const pl_domain *domain)
{
  double bounds[2 * PL_PAIR_AXES];
  memcpy(bounds, domain->low, sizeof domain->low);
  memcpy(bounds + PL_PAIR_AXES, domain->high, sizeof domain->high);
  return write_values(f, "domains", &domain->node, PL_DOUBLE, 2 * PL_PAIR_AXES, bounds);
}

/* ---- files ---- */

/* The bytes of a file, at most. */
pl_err pl_h5_measure(const pl_h5_selection *s, int64_t *bytes)
{
  enum { FRAME = 65536, OBJECT = 8192 }; /* HDF5's headers: of the file and of one object */
  int64_t entries = 0;
  *bytes = FRAME;
  PL_EACH_WRITTEN (s, PL_H5_SETS, node) *bytes += OBJECT;
  PL_EACH_WRITTEN (s, PL_H5_MAPS, node) {
    const pl_map *map = (const pl_map *)node;
    entries += pl_map_begin(map, (size_t)map->from->end[1]);
    *bytes += OBJECT + (map->offset ? map->from->global_size + 1 : 0) * (int64_t)sizeof(int64_t);
  }
  PL_TRY(pl_comm_reduce(s->pl, PL_INT64, PL_INC, &entries, 1));
  *bytes += entries * (int64_t)sizeof(int64_t);
  PL_EACH_WRITTEN (s, PL_H5_DATS, node)
    *bytes += OBJECT + ((pl_dat *)node)->set->global_size * (int64_t)pl_dat_stride((pl_dat *)node);
  PL_EACH_WRITTEN (s, PL_H5_CONSTS, node)
    *bytes += OBJECT + ((pl_const *)node)->dim * (int64_t)sizeof(pl_cdouble);
  PL_EACH_WRITTEN (s, PL_H5_GLOBALS, node)
    *bytes += OBJECT + ((pl_global *)node)->dim * (int64_t)sizeof(pl_cdouble);
  PL_EACH_WRITTEN (s, PL_H5_DOMAINS, node) *bytes += OBJECT;
  return PL_SUCCESS;
}

pl_err pl_h5_write_selection(pl_h5_file *f, const pl_h5_selection *s)
{
  PL_EACH_WRITTEN (s, PL_H5_SETS, node) PL_TRY(write_set(f, (pl_set *)node));
  PL_EACH_WRITTEN (s, PL_H5_MAPS, node) PL_TRY(pl_h5_write_map(f, (pl_map *)node));
  PL_EACH_WRITTEN (s, PL_H5_DATS, node) PL_TRY(write_dat(f, (pl_dat *)node));
  PL_EACH_WRITTEN (s, PL_H5_CONSTS, node) {
    const pl_const *constant = (const pl_const *)node;
    PL_TRY(write_values(f, "consts", node, constant->type, constant->dim, constant->value));
  }
  PL_EACH_WRITTEN (s, PL_H5_GLOBALS, node) PL_TRY(write_global(f, (pl_global *)node));
  PL_EACH_WRITTEN (s, PL_H5_DOMAINS, node) PL_TRY(write_domain(f, (const pl_domain *)node));
  return PL_SUCCESS;
}

pl_err pl_hdf5_write_objects_sized(pl_context *pl, const char *path, const pl_hdf5_objects *objects,
                                   size_t size)
{
  const pl_h5_functions *functions;
  pl_hdf5_objects own;
  pl_h5_routes *routes = NULL;
  pl_h5_file *f;
  int64_t bytes;
  PL_TRY(pl_context_check(pl));
  PL_TRY(PL_H5_GIVEN(pl, "pl_hdf5_write", path));
  if (!pl_struct_take(&own, sizeof own, objects, size))
    return pl_agree_on_error(pl, pl_fail_newer(pl, "pl_hdf5_objects"));
  const pl_h5_selection s = pl_h5_select(pl, objects ? &own : NULL);
  PL_TRY(pl_h5_check_selection(&s, path));
  PL_TRY(pl_h5_measure(&s, &bytes));
  PL_TRY(pl_h5_module(pl, path, &functions));
  PL_TRY(functions->create(pl, path, bytes, &f));
  f->routes = &routes;
  pl_err err = pl_agree(pl, pl_h5_write_selection(f, &s));
  pl_h5_routes_free(pl, &routes);
  return functions->close(f, err);
}

pl_err pl_hdf5_write(pl_context *pl, const char *path)
{
  return pl_hdf5_write_objects(pl, path, NULL);
}
