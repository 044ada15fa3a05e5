/* SPDX-License-Identifier: BSD-2-Clause
 * Reading and verifying a checkpoint. Each dataset must have the expected type and extents, and its checksum.
 * A map is compared by writing it to a file of no bytes, whose datasets must be those of the checkpoint.
 */
#include "checkpoint.h"
#include "core/comm/comm.h"
#include "manifest.h"
#include "particle_places.h"
#include "restore_read.h"
#include <string.h>

/* ---- datasets ---- */

/* A dataset as it should be. */
typedef struct wanted {
  const char *name;
  pl_type type;
  int rank;
  const uint64_t *extent; /* extent[0] UINT64_MAX: any */
} wanted;

static pl_err damaged(const pl_h5_file *f, const char *name)
{
  return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": \"%s\" is damaged: its checksum is wrong; use an older file",
                 f->path, name);
}

static pl_err check_shape(const pl_h5_file *f, const pl_h5_dataset *d, const wanted *w)
{
  bool same = d->type == w->type && d->rank == w->rank;
  for (int i = 0; same && i < d->rank; i++)
    same = d->extent[i] == w->extent[i] || (i == 0 && w->extent[0] == UINT64_MAX);
  if (!d->has_checksum)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": \"%s\" has no checksum; it is no checkpoint", f->path,
                   w->name);
  return same ? PL_SUCCESS
              : pl_fail(f->pl, PL_ERR_IO, "file \"%s\": \"%s\" has another type or size than in the program",
                        f->path, w->name);
}

/* Reads this rank's block, and verifies the whole dataset with the other ranks. */
static pl_err read_open(const pl_h5_file *f, const pl_h5_dataset *d, const wanted *w, pl_h5_block *b,
                        char **values)
{
  size_t row = pl_type_size(d->type);
  for (int i = 1; i < d->rank; i++) row *= (size_t)d->extent[i];
  *b = pl_h5_block_of(f->pl, (int64_t)d->extent[0]);
  *values = pl_malloc_array(f->pl, (size_t)b->count * row);
  PL_TRY(pl_agree(f->pl, *values ? PL_SUCCESS : pl_fail_memory(f->pl, (size_t)b->count * row)));
  PL_TRY(f->functions->read(f, d, w->name, d->type, b, *values));
  uint64_t sum = row ? pl_h5_checksum(b, row, *values) : 0;
  PL_TRY(pl_comm_reduce(f->pl, PL_UINT64, PL_INC, &sum, 1));
  return pl_agree(f->pl, sum == d->checksum ? PL_SUCCESS : damaged(f, w->name));
}

static pl_err read_wanted(const pl_h5_file *f, const wanted *w, pl_h5_block *b, char **values)
{
  pl_h5_dataset d;
  *values = NULL;
  pl_err err = f->functions->find(f, w->name, &d);
  const bool is_open = !err;
  if (!err) err = check_shape(f, &d, w);
  err = pl_agree(f->pl, err);
  if (!err) err = read_open(f, &d, w, b, values);
  if (is_open) f->functions->dataset_close(&d);
  if (err) {
    pl_free_array(f->pl, *values);
    *values = NULL;
  }
  return err;
}

/* The same on every rank: all rows of a short dataset. */
static pl_err read_all(const pl_h5_file *f, const wanted *w, int64_t *count, char **values)
{
  pl_h5_block b;
  pl_context *pl = f->pl;
  const size_t size = pl_type_size(w->type);
  char *mine;
  void *received = NULL;
  PL_TRY(read_wanted(f, w, &b, &mine));
  const size_t ranks = (size_t)pl_ranks(pl), bytes = (size_t)b.count * size;
  int64_t *counts = pl_calloc(pl, 2 * ranks, sizeof *counts);
  char *sent = pl_malloc_array(pl, ranks * bytes);
  pl_err err = pl_agree(pl, counts && sent ? PL_SUCCESS : pl_fail_memory(pl, ranks * bytes));
  for (size_t r = 0; !err && r < ranks; r++) {
    counts[r] = b.count;
    if (bytes) memcpy(sent + r * bytes, mine, bytes);
  }
  if (!err) err = pl_comm_all_to_all(pl, size, sent, counts, &received, counts + ranks);
  pl_free(pl, counts);
  pl_free_arrays(pl, sent, mine);
  *count = b.total;
  *values = received;
  return err;
}

/* ---- the manifest ---- */

static pl_err check_manifest(const pl_h5_file *f, const char *manifest)
{
  const uint64_t any = UINT64_MAX;
  const wanted w = {PL_MANIFEST_NAME, PL_UINT8, 1, &any};
  int64_t length;
  char *bytes;
  if (!f->functions->has(f, "plait", "checkpoint"))
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": it is no checkpoint", f->path);
  PL_TRY(read_all(f, &w, &length, &bytes));
  char *text = pl_malloc(f->pl, (size_t)length + 1);
  pl_err err = text ? PL_SUCCESS : pl_fail_memory(f->pl, (size_t)length + 1);
  if (!err) {
    memcpy(text, bytes, (size_t)length);
    text[length] = '\0';
    err = pl_manifest_compare(f->pl, f->path, text, manifest);
  }
  pl_free(f->pl, text);
  pl_free_array(f->pl, bytes);
  return pl_agree(f->pl, err);
}

/* ---- maps ---- */

/* A file that compares the text written to it with another one. */
typedef struct comparison {
  pl_h5_file base;
  const pl_h5_file *file;
  bool differs;
} comparison;

static pl_err compare_dataset(pl_h5_file *base, const pl_h5_new *written, pl_h5_source *source)
{
  comparison *c = (comparison *)base;
  const pl_h5_file *f = c->file;
  pl_h5_block block;
  char *there = NULL;
  uint64_t any[2] = {UINT64_MAX, written->rank > 1 ? written->extent[1] : 0}, sum;
  const wanted w = {written->name, written->type, written->rank, any};
  pl_h5_dataset d;
  PL_TRY(read_wanted(f, &w, &block, &there)); /* which verifies it */
  pl_free_array(f->pl, there);
  PL_TRY(pl_agree(f->pl, f->functions->find(f, written->name, &d)));
  f->functions->dataset_close(&d);
  PL_TRY(pl_h5_source_sum(f->pl, source, &sum));
  c->differs = c->differs || d.extent[0] != written->extent[0] || d.checksum != sum;
  return PL_SUCCESS;
}

/* A map, or the places of a set of particles. */
static pl_err compare(const pl_h5_file *f, pl_map *map, pl_set *particles, bool *differs)
{
  static const pl_h5_functions functions = {.write = compare_dataset};
  pl_h5_routes *routes = NULL;
  comparison c = {.base = {&functions, f->pl, f->path, &routes, 0}, .file = f};
  pl_err err = map ? pl_h5_write_map(&c.base, map) : pl_places_write(&c.base, particles);
  pl_h5_routes_free(f->pl, &routes);
  *differs = c.differs;
  return err;
}

/* ---- objects ---- */

static pl_err read_values(const pl_h5_file *f, const char *kind, pl_restored *r, pl_type type, int dim)
{
  char name[PL_H5_NAME];
  const uint64_t extent = (uint64_t)dim;
  const wanted w = {pl_h5_full_name(kind, r->node->name, name), type, 1, &extent};
  int64_t count;
  return read_all(f, &w, &count, &r->values);
}

static pl_err read_dat(const pl_h5_file *f, pl_restored *r, int64_t rows)
{
  const pl_dat *dat = (const pl_dat *)r->node;
  char name[PL_H5_NAME];
  uint64_t extent[PL_H5_RANK] = {(uint64_t)rows};
  for (int i = 0; i < dat->rank; i++) extent[i + 1] = (uint64_t)dat->shape[i];
  const wanted w = {pl_h5_full_name("dats", r->node->name, name), dat->type, dat->rank + 1, extent};
  return read_wanted(f, &w, &r->block, &r->values);
}

static pl_err read_places(const pl_h5_file *f, pl_restored *r, int64_t n)
{
  pl_set *set = (pl_set *)r->node;
  char name[PL_H5_NAME];
  const uint64_t extent = (uint64_t)n;
  const wanted w = {pl_places_name(set, name), PL_INT64, 1, &extent};
  if (!pl_checkpoint_particles(set)) return PL_SUCCESS;
  PL_TRY(compare(f, NULL, set, &r->differs));
  return read_wanted(f, &w, &r->block, &r->places);
}

static pl_err read_set(const pl_h5_file *f, pl_restored *r)
{
  const pl_set *set = (const pl_set *)r->node;
  PL_TRY(read_values(f, "sets", r, PL_INT64, 1));
  memcpy(&r->block.total, r->values, sizeof r->block.total);
  const int64_t n = r->block.total;
  if (n < 0 || n > (int64_t)INT32_MAX * pl_ranks(f->pl) ||
      (n != set->global_size && !pl_checkpoint_particles(set)))
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": set \"%s\" has %lld elements, not %lld", f->path,
                   r->node->name, (long long)n, (long long)set->global_size);
  return read_places(f, r, n);
}

/* The rows of a map to cells; another map must not differ. Compositions follow their maps. */
static pl_err read_map(const pl_h5_file *f, pl_restored *r)
{
  pl_map *map = (pl_map *)r->node;
  char name[PL_H5_NAME];
  const uint64_t extent[2] = {UINT64_MAX, 1};
  const bool particles = pl_checkpoint_particles(map->from);
  if (particles && map != pl_checkpoint_cells(map->from)) return PL_SUCCESS;
  PL_TRY(compare(f, map, NULL, &r->differs));
  if (!particles && !r->differs) return PL_SUCCESS;
  if (!particles)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": map \"%s\" differs from that of the program", f->path,
                   r->node->name);
  const wanted w = {pl_h5_full_name("maps", r->node->name, name), PL_INT64, 2, extent};
  return read_wanted(f, &w, &r->block, &r->values);
}

static int64_t rows_of(const pl_restored_list *list, const pl_set *set)
{
  for (int i = 0; i < list->n; i++)
    if (list->item[i].node == &set->node) return list->item[i].block.total;
  return 0;
}

static pl_err read_object(const pl_h5_file *f, const pl_restored_list *list, pl_restored *r)
{
  switch (r->kind) {
  case PL_H5_SETS:
    return read_set(f, r);
  case PL_H5_MAPS:
    return read_map(f, r);
  case PL_H5_DATS:
    return read_dat(f, r, rows_of(list, ((const pl_dat *)r->node)->set));
  case PL_H5_CONSTS:
    return read_values(f, "consts", r, ((const pl_const *)r->node)->type, ((const pl_const *)r->node)->dim);
  case PL_H5_GLOBALS:
    return read_values(f, "globals", r, ((const pl_global *)r->node)->type,
                       ((const pl_global *)r->node)->dim);
  default:
    return read_values(f, "domains", r, PL_DOUBLE, 2 * PL_PAIR_AXES);
  }
}

static pl_err make_list(const pl_h5_selection *s, pl_restored_list *list)
{
  size_t n = 0;
  for (int kind = 0; kind < PL_H5_KINDS; kind++)
    PL_EACH_WRITTEN (s, kind, node) n++;
  list->item = pl_calloc(s->pl, n + 1, sizeof *list->item);
  PL_TRY(pl_agree(s->pl, list->item ? PL_SUCCESS : pl_fail_memory(s->pl, n * sizeof *list->item)));
  for (int kind = 0; kind < PL_H5_KINDS; kind++)
    PL_EACH_WRITTEN (s, kind, node) list->item[list->n++] = (pl_restored){.kind = kind, .node = node};
  return PL_SUCCESS;
}

static pl_err read_file(const pl_h5_file *f, const char *manifest, pl_restored_list *list)
{
  PL_TRY(check_manifest(f, manifest));
  for (int i = 0; i < list->n; i++) PL_TRY(read_object(f, list, &list->item[i]));
  return PL_SUCCESS;
}

pl_err pl_restore_read(const pl_h5_selection *s, const char *path, const char *manifest,
                       pl_restored_list *list)
{
  const pl_h5_functions *functions;
  pl_h5_file *f;
  PL_TRY(make_list(s, list));
  PL_TRY(pl_h5_module(s->pl, path, &functions));
  PL_TRY(functions->open(s->pl, path, &f));
  return functions->close(f, pl_agree(s->pl, read_file(f, manifest, list)));
}

void pl_restored_free(pl_restored_list *list)
{
  for (int i = 0; i < list->n; i++) pl_free_arrays(list->pl, list->item[i].values, list->item[i].places);
  pl_free(list->pl, list->item);
  *list = (pl_restored_list){0};
}
