/* SPDX-License-Identifier: BSD-2-Clause
 * Builds the records of a matrix's rows from the inverse of the map of the tensors' rows. Invariant: a slice
 * is written by one thread; records of a row ascend by element within their section.
 */
#include "row_records.h"
#include "core/context/memory.h"
#include "core/threads/threads.h"
#include "plan/base/radix_sort.h"
#include <string.h>

enum { WORD_BITS = 32, BYTE_ROW = 255, SHORT_ROW = 65535, MOST_UNIT = 4 };

int pl_record_bits(const pl_tensor_rows *rows)
{
  int longest = 0;
  for (int r = 0; r < rows->nrows; r++) {
    const int length = rows->offset[r + 1] - rows->offset[r];
    if (length > longest) longest = length;
  }
  return longest < BYTE_ROW ? 8 : longest < SHORT_ROW ? 16 : 0;
}

pl_record_shape pl_record_shape_of(const pl_map *positions, int nwords, int bits)
{
  const int *tensor = positions->tensor, columns = tensor[1] / positions->tensor_rows.block[1];
  const bool together = tensor[0] * tensor[1] <= PL_ONE_SECTION;
  pl_record_shape shape = {
    .sections = together ? 1 : positions->tensor_rows.of->arity, .columns = columns, .bits = bits};
  shape.nfields = ((columns + (shape.sections == 1)) * bits + WORD_BITS - 1) / WORD_BITS;
  shape.nwords = nwords + shape.nfields;
  for (shape.unit = MOST_UNIT; shape.nwords % shape.unit;) shape.unit /= 2;
  return shape;
}

typedef struct writer {
  const pl_inverse *inverse;
  const pl_map *positions;
  const pl_row_words *words;
  pl_row_records *to;
} writer;

/* ---- columns ---- */

/* The place of block column j of the element's tensor row in row r; -1: it has no values there. */
static int place_of(const writer *w, int element, int own, int r, int j)
{
  const pl_tensor_rows *rows = &w->positions->tensor_rows;
  const int *tensor = w->positions->tensor;
  const int position =
    pl_map_target(w->positions, (size_t)element, own * rows->block[0] * tensor[1] + j * rows->block[1]);
  return position < 0 ? -1 : position / (rows->block[0] * rows->block[1]) - rows->offset[r];
}

static bool has_columns(const writer *w, int element, int own, int r)
{
  int j = 0;
  while (j < w->to->shape.columns && place_of(w, element, own, r, j) < 0) j++;
  return j < w->to->shape.columns;
}

/* ---- records ---- */

/* The number of a record's section, -1: its tensor has nothing of row r. */
static int section_of(const writer *w, int entry, int r)
{
  const int own = entry % w->inverse->nslots;
  if (!has_columns(w, entry / w->inverse->nslots, own, r)) return -1;
  return w->to->shape.sections > 1 ? own : 0;
}

static pl_run rows_of(const writer *w, int slice)
{
  const int end = (slice + 1) * PL_SLICE, nrows = w->positions->tensor_rows.nrows;
  return (pl_run){slice * PL_SLICE, end < nrows ? end : nrows};
}

/* Groups of each section of a slice: as many as its row with the most records has. */
static void count_groups(const writer *w, int slice, int *groups)
{
  const int sections = w->to->shape.sections;
  const pl_run rows = rows_of(w, slice);
  for (int r = rows.begin; r < rows.end; r++) {
    int n[sections];
    memset(n, 0, sizeof n);
    for (int k = w->inverse->offset[r]; k < w->inverse->offset[r + 1]; k++) {
      const int s = section_of(w, w->inverse->entry[k], r);
      if (s >= 0 && ++n[s] > groups[s]) groups[s] = n[s];
    }
  }
}

/* Word i of the record of row r in a group. */
static int *word_at(const writer *w, int group, int r, int i)
{
  const pl_record_shape *shape = &w->to->shape;
  const int unit = shape->unit;
  return w->to->word + (size_t)group * PL_SLICE * (size_t)shape->nwords +
         (size_t)(i / unit * PL_SLICE * unit + r % PL_SLICE * unit + i % unit);
}

static void write_record(const writer *w, int entry, int group, int r)
{
  const pl_record_shape *shape = &w->to->shape;
  const int element = entry / w->inverse->nslots, own = entry % w->inverse->nslots,
            nwords = shape->nwords - shape->nfields, each = WORD_BITS / shape->bits;
  uint32_t field[shape->nfields];
  const uint32_t ones = (1U << shape->bits) - 1;
  for (int i = 0; i < nwords; i++) *word_at(w, group, r, i) = pl_row_word(w->words, i, element, own);
  memset(field, -1, sizeof field);
  for (int j = 0; j < shape->columns + (shape->sections == 1); j++) {
    const int value = j < shape->columns ? place_of(w, element, own, r, j) : own,
              shift = j % each * shape->bits;
    if (value < 0) __atomic_store_n(&w->to->gaps, true, __ATOMIC_RELAXED);
    field[j / each] &= ~(ones << shift) | ((uint32_t)value & ones) << shift;
  }
  for (int i = 0; i < shape->nfields; i++) *word_at(w, group, r, nwords + i) = (int)field[i];
}

static void write_slice(const writer *w, int slice)
{
  const int sections = w->to->shape.sections, *cut = w->to->cut + (size_t)slice * (size_t)sections;
  const size_t each = PL_SLICE * (size_t)w->to->shape.nwords;
  const pl_run rows = rows_of(w, slice);
  memset(w->to->word + (size_t)cut[0] * each, -1, (size_t)(cut[sections] - cut[0]) * each * sizeof(int));
  for (int r = rows.begin; r < rows.end; r++) {
    int n[sections];
    memset(n, 0, sizeof n);
    for (int k = w->inverse->offset[r]; k < w->inverse->offset[r + 1]; k++) {
      const int entry = w->inverse->entry[k], s = section_of(w, entry, r);
      if (s >= 0) write_record(w, entry, cut[s] + n[s]++, r);
    }
  }
}

/* ---- building ---- */

static pl_err write_all(pl_context *pl, const writer *w)
{
  pl_row_records *to = w->to;
  const int sections = to->shape.sections, n = to->nslices * sections;
  const int threads = pl_plan_threads(to->nslices, (size_t)w->inverse->nentries);
  PL_PARALLEL_FOR(threads)
  for (int s = 0; s < to->nslices; s++) count_groups(w, s, to->cut + (size_t)s * (size_t)sections);
  const int groups = pl_sum_counts(n + 1, to->cut);
  to->length = (size_t)groups * PL_SLICE * (size_t)to->shape.nwords + 1; /* no buffer is empty */
  PL_TRY(PL_NEW_ARRAY(pl, to->word, to->length));
  to->word[to->length - 1] = -1;
  PL_PARALLEL_FOR(threads)
  for (int s = 0; s < to->nslices; s++) write_slice(w, s);
  return PL_SUCCESS;
}

pl_err pl_row_records_build(pl_context *pl, const pl_inverse *inverse, const pl_map *positions,
                            const pl_row_words *words, int bits, pl_row_records *records)
{
  const writer w = {inverse, positions, words, records};
  *records = (pl_row_records){.shape = pl_record_shape_of(positions, words->nwords, bits),
                              .nslices = (positions->tensor_rows.nrows + PL_SLICE - 1) / PL_SLICE};
  PL_TRY(PL_NEW(pl, records->cut, (size_t)records->nslices * (size_t)records->shape.sections + 1));
  pl_err err = write_all(pl, &w);
  if (err) pl_row_records_free(pl, records);
  return err;
}

void pl_row_records_free(pl_context *pl, pl_row_records *records)
{
  pl_free(pl, records->cut);
  pl_free_array(pl, records->word);
  *records = (pl_row_records){.nslices = 0};
}
