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

/* ---- blocks of rows ---- */

/* Packs {row, record} pairs by the rank whose block the row is in. */
static void pack_rows(const pl_set *set, const int64_t *rows, size_t stride, const char *records,
                      int64_t *count, char *sent)
{
  const pl_context *pl = set->node.pl;
  size_t size = sizeof(int64_t) + stride;
  int64_t next = 0;
  for (int rank = 0; rank < pl_ranks(pl); rank++) { /* user order ascends, and so do the ranks */
    count[rank] = 0;
    for (; next < set->end[1]; next++, count[rank]++) {
      if (pl_h5_rank_of_row(pl, set->global_size, rows[next]) != rank) break;
      memcpy(sent + (size_t)next * size, &rows[next], sizeof *rows);
      memcpy(sent + (size_t)next * size + sizeof *rows, records + (size_t)next * stride, stride);
    }
  }
}

pl_err pl_h5_exchange_block(pl_set *set, size_t stride, const char *records, char **result)
{
  pl_context *pl = set->node.pl;
  size_t ranks = (size_t)pl_ranks(pl), size = sizeof(int64_t) + stride, n = (size_t)set->end[1];
  pl_h5_block b = pl_h5_block_of(pl, set->global_size);
  void *received = NULL;
  int64_t *rows;
  PL_TRY(pl_row_numbers(set, &rows));
  int64_t *count = pl_calloc(pl, 2 * ranks, sizeof *count);
  char *sent = pl_malloc_array(pl, n * size), *rows_here = pl_malloc_array(pl, (size_t)b.count * stride);
  bool all = count && sent && rows_here;
  pl_err err = pl_agree(pl, all ? PL_SUCCESS : pl_fail_memory(pl, n * size));
  if (!err) pack_rows(set, rows, stride, records, count, sent);
  if (!err) err = pl_comm_all_to_all(pl, size, sent, count, &received, count + ranks);
  int64_t arrived = err ? 0 : pl_count_sum(pl, count + ranks);
  for (int64_t i = 0; i < arrived; i++) {
    int64_t row;
    const char *item = (char *)received + (size_t)i * size;
    memcpy(&row, item, sizeof row);
    memcpy(rows_here + (size_t)(row - b.first) * stride, item + sizeof row, stride);
  }
  pl_free(pl, count);
  pl_free_arrays(pl, rows, sent, received);
  if (err) pl_free_array(pl, rows_here);
  *result = err ? NULL : rows_here;
  return err;
}

/* *b: the rows of this rank's elements, if they are contiguous on all ranks; else *together is false. */
static pl_err contiguous_rows(const pl_set *set, pl_h5_block *b, bool *together)
{
  const int n = set->end[1];
  int64_t *rows;
  PL_TRY(pl_row_numbers(set, &rows));
  *b = (pl_h5_block){set->global_size, n ? rows[0] : 0, n};
  *together = pl_comm_all(set->node.pl, !n || rows[n - 1] - rows[0] == n - 1); /* they ascend */
  pl_free_array(set->node.pl, rows);
  return PL_SUCCESS;
}

/* Writes records in user order. */
static pl_err write_records(const pl_h5_file *f, const char *name, pl_set *set, pl_type type, int rank,
                            uint64_t *extent, size_t stride, const char *records,
                            const char *const *attributes)
{
  char *here = NULL;
  pl_h5_block b;
  bool together;
  extent[0] = (uint64_t)set->global_size;
  PL_TRY(contiguous_rows(set, &b, &together));
  if (together) return f->functions->write(f, name, type, &b, rank, extent, records, attributes);
  b = pl_h5_block_of(f->pl, set->global_size);
  PL_TRY(pl_h5_exchange_block(set, stride, records, &here));
  pl_err err = f->functions->write(f, name, type, &b, rank, extent, here, attributes);
  pl_free_array(f->pl, here);
  return err;
}

/* ---- writing objects ---- */

static const char *const no_attributes[] = {NULL};

static pl_err write_set(const pl_h5_file *f, const pl_set *set)
{
  char name[PL_H5_NAME];
  uint64_t extent = 1;
  pl_h5_block b = {1, 0, pl_rank(f->pl) == 0};
  return f->functions->write(f, pl_h5_full_name("sets", set->node.name, name), PL_INT64, &b, 1, &extent,
                             &set->global_size, no_attributes);
}

static pl_err write_fixed(const pl_h5_file *f, pl_map *map)
{
  char name[PL_H5_NAME];
  uint64_t extent[2] = {0, (uint64_t)map->arity};
  const char *const attributes[] = {"from", map->from->node.name, "to", map->to->node.name, NULL};
  int64_t *index = pl_global_map_copy(map);
  PL_TRY(pl_agree(f->pl, index ? PL_SUCCESS : PL_ERR_MEMORY));
  pl_err err = write_records(f, pl_h5_full_name("maps", map->node.name, name), map->from, PL_INT64, 2, extent,
                             (size_t)map->arity * sizeof *index, (const char *)index, attributes);
  pl_free_array(f->pl, index);
  return err;
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

/* Sends the entries to the ranks of their blocks, in which row r begins at start[r - first] - start[0]. */
static pl_err exchange_entries(pl_map *map, const int *offset, const int64_t *index, const pl_h5_block *b,
                               const int64_t *start, int64_t *targets)
{
  pl_context *pl = map->node.pl;
  const size_t n = (size_t)offset[map->from->end[1]], ranks = (size_t)pl_ranks(pl);
  void *received = NULL;
  int64_t *rows, *count = pl_calloc(pl, 2 * ranks, sizeof *count);
  entry *entries = pl_malloc_array(pl, n * sizeof *entries);
  pl_err err = pl_agree(pl, count && entries ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *entries));
  if (!err && !(err = pl_row_numbers(map->from, &rows))) {
    list_entries(map, rows, offset, index, count, entries);
    pl_free_array(pl, rows);
    err = pl_comm_all_to_all(pl, sizeof *entries, entries, count, &received, count + ranks);
  }
  const entry *e = received;
  for (int64_t i = 0, arrived = err ? 0 : pl_count_sum(pl, count + ranks); i < arrived; i++)
    targets[start[e[i].row - b->first] - start[0] + e[i].place] = e[i].target;
  pl_free(pl, count);
  pl_free_array(pl, entries);
  pl_free_array(pl, received);
  return err;
}

/* The offsets of this rank's block of rows among all entries, b->count + 1 numbers (pl_free_array), and the
 * number of all entries. */
static pl_err block_offsets(pl_map *map, const pl_h5_block *b, const int *offset, int64_t **result,
                            int64_t *total)
{
  pl_context *pl = map->node.pl;
  const int n = map->from->end[1];
  int64_t before, sum = 0, *length = pl_malloc_array(pl, (size_t)n * sizeof *length);
  int64_t *start = pl_malloc_array(pl, (size_t)(b->count + 1) * sizeof *start);
  char *lengths_here = NULL;
  pl_err err = pl_agree(pl, length && start ? PL_SUCCESS : pl_fail_memory(pl, (size_t)n * sizeof *length));
  for (int i = 0; !err && i < n; i++) length[i] = offset[i + 1] - offset[i];
  if (!err) err = pl_h5_exchange_block(map->from, sizeof *length, (const char *)length, &lengths_here);
  for (int64_t i = 0; !err && i < b->count; i++) sum += ((const int64_t *)(void *)lengths_here)[i];
  if (!err) err = pl_comm_scan(pl, sum, &before, total);
  for (int64_t i = 0; !err && i <= b->count; i++) {
    start[i] = before;
    if (i < b->count) before += ((const int64_t *)(void *)lengths_here)[i];
  }
  pl_free_array(pl, length);
  if (lengths_here) pl_free_array(pl, lengths_here);
  if (err) pl_free_array(pl, start);
  *result = err ? NULL : start;
  return err;
}

/* Writes the offsets, of which the last rank has one more, and the entries. */
static pl_err write_rows(const pl_h5_file *f, pl_map *map, const int *offset, const int64_t *index,
                         const pl_h5_block *b, const int64_t *start, int64_t total)
{
  char name[PL_H5_NAME];
  const char *const attributes[] = {"from", map->from->node.name, "to", map->to->node.name, NULL};
  const int64_t here = start[b->count] - start[0], rows = b->total + 1;
  const bool last = pl_rank(f->pl) == pl_ranks(f->pl) - 1;
  const pl_h5_block offsets = {rows, b->first, b->count + last}, entries = {total, start[0], here};
  int64_t *targets = pl_malloc_array(f->pl, (size_t)here * sizeof *targets);
  pl_err err = pl_agree(f->pl, targets ? PL_SUCCESS : pl_fail_memory(f->pl, (size_t)here * sizeof *targets));
  if (!err) err = exchange_entries(map, offset, index, b, start, targets);
  if (!err)
    err = f->functions->write(f, pl_h5_full_name("offsets", map->node.name, name), PL_INT64, &offsets, 1,
                              &(uint64_t){(uint64_t)rows}, start, no_attributes);
  if (!err)
    err = f->functions->write(f, pl_h5_full_name("maps", map->node.name, name), PL_INT64, &entries, 1,
                              &(uint64_t){(uint64_t)total}, targets, attributes);
  pl_free_array(f->pl, targets);
  return err;
}

static pl_err write_ragged(const pl_h5_file *f, pl_map *map)
{
  const pl_h5_block b = pl_h5_block_of(f->pl, map->from->global_size);
  int64_t *start = NULL, total, *index = pl_global_map_copy(map);
  int *offset = pl_global_map_offsets(map);
  pl_err err = pl_agree(f->pl, index && offset ? PL_SUCCESS : PL_ERR_MEMORY);
  if (!err) err = block_offsets(map, &b, offset, &start, &total);
  if (!err) err = write_rows(f, map, offset, index, &b, start, total);
  pl_free_array(f->pl, start);
  pl_free_array(f->pl, index);
  pl_free(f->pl, offset);
  return err;
}

pl_err pl_h5_write_map(const pl_h5_file *f, pl_map *map)
{
  return map->offset ? write_ragged(f, map) : write_fixed(f, map);
}

/* ---- dats and values without a set ---- */

static pl_err write_dat(const pl_h5_file *f, pl_dat *dat)
{
  char name[PL_H5_NAME];
  uint64_t extent[PL_H5_RANK];
  const char *const attributes[] = {"set", dat->set->node.name, NULL};
  size_t stride = pl_dat_stride(dat);
  if (dat->rank >= PL_H5_RANK)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": dat \"%s\" has %d extents, more than HDF5 can hold",
                   f->path, dat->node.name, dat->rank);
  for (int i = 0; i < dat->rank; i++) extent[i + 1] = (uint64_t)dat->shape[i];
  void *values; /* in user order owned elements come first */
  PL_TRY(pl_agree(f->pl, pl_dat_get(dat, PL_READ, &values)));
  pl_err err = write_records(f, pl_h5_full_name("dats", dat->node.name, name), dat->set, dat->type,
                             dat->rank + 1, extent, stride, values, attributes);
  pl_dat_put(dat);
  return err;
}

/* Values that all ranks have. */
static pl_err write_values(const pl_h5_file *f, const char *kind, const pl_node *node, pl_type type,
                           int64_t count, const void *values)
{
  char name[PL_H5_NAME];
  const pl_h5_block b = {count, 0, pl_rank(f->pl) == 0 ? count : 0};
  return f->functions->write(f, pl_h5_full_name(kind, node->name, name), type, &b, 1,
                             &(uint64_t){(uint64_t)count}, values, no_attributes);
}

static pl_err write_global(const pl_h5_file *f, pl_global *global)
{
  PL_TRY(pl_agree(f->pl, pl_global_host(global)));
  if (global->random) /* the last word is the number of the next call */
    ((uint32_t *)global->value)[PL_RANDOM_WORDS - 1] = ((pl_random *)global)->calls;
  return write_values(f, "globals", &global->node, global->type, global->dim, global->value);
}

static pl_err write_domain(const pl_h5_file *f, const pl_domain *domain)
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

pl_err pl_h5_write_selection(const pl_h5_file *f, const pl_h5_selection *s)
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
  return functions->close(f, pl_agree(pl, pl_h5_write_selection(f, &s)));
}

pl_err pl_hdf5_write(pl_context *pl, const char *path)
{
  return pl_hdf5_write_objects(pl, path, NULL);
}
