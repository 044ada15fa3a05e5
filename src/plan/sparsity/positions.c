/* SPDX-License-Identifier: BSD-2-Clause
 * Positions of local tensors in a pattern, found row by row: a table of the columns of a row gives the slots
 * of all tensors that reach it.
 */
#include "positions.h"
#include "incidence.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include "core/mesh/set.h"
#include "core/threads/threads.h"
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

typedef struct tensor {
  const pl_pattern *pattern;
  const pl_map *rows, *columns;
  int block[2]; /* of positions */
  int step;     /* from the position of a block to that of the next */
  int *position;
} tensor;

static size_t tensor_size(const tensor *t)
{
  return (size_t)t->rows->arity * (size_t)t->columns->arity * (size_t)t->block[0] * (size_t)t->block[1];
}

/* Writes the positions of a block; `first` is the place of its first value in the tensor. */
static inline void write_block(const tensor *t, int slot, int *first)
{
  const int height = t->block[0], width = t->block[1];
  const size_t line = (size_t)t->columns->arity * (size_t)width;
  if (height * width == 1) { /* without loops: this is most of the time */
    first[0] = slot * t->step;
    return;
  }
  for (int a = 0; a < height; a++)
    for (int b = 0; b < width; b++) first[(size_t)a * line + (size_t)b] = (slot * height + a) * width + b;
}

/* The positions of row r of the pattern in row i of the tensor of element e; false if the pattern lacks one.
 */
static inline bool write_row(const tensor *t, const int *slot_of, int r, int e, int i)
{
  const pl_pattern *p = t->pattern;
  const int arity = t->columns->arity, *column = t->columns->index + (size_t)e * (size_t)arity;
  int *to = t->position + (size_t)e * tensor_size(t) +
            (size_t)i * (size_t)arity * (size_t)t->block[0] * (size_t)t->block[1];
  for (int j = 0; j < arity; j++, to += t->block[1]) {
    if (column[j] < 0) continue;
    const int slot = slot_of[column[j]];
    if (slot < p->offset[r] || slot >= p->offset[r + 1]) return false;
    write_block(t, slot, to);
  }
  return true;
}

/* The positions of row r in the tensor of element e, which holds r once or more often. Branches on the place
 * of r would be mispredicted. */
static inline bool write_element(const tensor *t, const int *slot_of, int r, int e)
{
  const int arity = t->rows->arity, *row = t->rows->index + (size_t)e * (size_t)arity;
  int times = 0, last = 0;
  bool complete = true;
  for (int i = 0; i < arity; i++) {
    times += row[i] == r;
    last = row[i] == r ? i : last;
  }
  if (times == 1) return write_row(t, slot_of, r, e, last);
  for (int i = 0; i < arity; i++)
    if (row[i] == r) complete &= write_row(t, slot_of, r, e, i);
  return complete;
}

/* Slots of older rows stay in slot_of[]: they are not in the range of row r. */
static bool write_rows(const tensor *t, const pl_incidence *incidence, int begin, int end, int *slot_of)
{
  const pl_pattern *p = t->pattern;
  bool complete = true;
  memset(slot_of, -1, (size_t)p->ncolumns * sizeof *slot_of);
  for (int r = begin; r < end; r++) {
    for (int k = p->offset[r]; k < p->offset[r + 1]; k++) slot_of[p->column[k]] = k;
    for (int64_t k = incidence->start[r]; k < incidence->start[r + 1]; k++)
      complete &= write_element(t, slot_of, r, incidence->element[k]);
  }
  return complete;
}

/* ---- missing entries ---- */

/* Whether the pattern lacks an entry of element e, which is stored in missing[]. */
static bool lacks_entry(const tensor *t, int e, int missing[2])
{
  const pl_pattern *p = t->pattern;
  const int *row = t->rows->index + (size_t)e * (size_t)t->rows->arity;
  const int *column = t->columns->index + (size_t)e * (size_t)t->columns->arity;
  for (int i = 0; i < t->rows->arity; i++)
    for (int j = 0; j < t->columns->arity; j++)
      if (row[i] >= 0 && row[i] < p->nrows && column[j] >= 0 && pl_pattern_find(p, row[i], column[j]) < 0)
        return missing[0] = i, missing[1] = j, true;
  return false;
}

static pl_err fail_missing(const tensor *t)
{
  int missing[2] = {0, 0}, e = 0;
  while (!lacks_entry(t, e, missing)) e++;
  return pl_fail(
    t->rows->node.pl, PL_ERR_RANGE,
    "element %d couples target %d of map \"%s\" with target %d of map \"%s\", but the sparsity has "
    "no such entry: declare it with this pair of maps",
    e, missing[0], t->rows->node.name, missing[1], t->columns->node.name);
}

/* ---- all positions ---- */

static pl_err write_positions(pl_context *pl, const tensor *t)
{
  const int nrows = t->pattern->nrows;
  const int threads = pl_plan_threads(nrows, pl_map_entries(t->rows));
  const size_t width = (size_t)t->pattern->ncolumns;
  atomic_bool incomplete = false;
  pl_incidence incidence;
  int *slot_of;
  PL_TRY(pl_incidence_build(pl, t->rows, nrows, &incidence));
  pl_err err = PL_NEW_ARRAY(pl, slot_of, width * (size_t)threads + 1);
  if (!err) {
    PL_PARALLEL_FOR(threads)
    for (int i = 0; i < threads; i++)
      if (!write_rows(t, &incidence, pl_part_begin(nrows, threads, i), pl_part_begin(nrows, threads, i + 1),
                      slot_of + width * (size_t)i))
        incomplete = true;
    pl_free_array(pl, slot_of);
  }
  pl_incidence_free(pl, &incidence);
  return !err && incomplete ? fail_missing(t) : err;
}

pl_err pl_positions_build(pl_context *pl, const pl_pattern *pattern, const int block[2], bool first_only,
                          const pl_map_pair *pair, int **positions)
{
  const int height = first_only ? 1 : block[0], width = first_only ? 1 : block[1];
  tensor t = {pattern, pair->rows, pair->columns, {height, width}, block[0] * block[1], NULL};
  const size_t bytes = (size_t)pair->rows->from->end[3] * tensor_size(&t) * sizeof(int);
  t.position = pl_malloc_array(pl, bytes + sizeof(int));
  if (!t.position) return pl_fail_memory(pl, bytes);
  memset(t.position, -1, bytes);
  pl_err err = write_positions(pl, &t);
  if (err) return pl_free_array(pl, t.position), err;
  *positions = t.position;
  return PL_SUCCESS;
}
