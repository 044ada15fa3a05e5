/* SPDX-License-Identifier: BSD-2-Clause
 * Builds a pattern: the distinct columns of the elements of each row.
 *
 * Invariant: a thread writes only the rows of its chunk, and memory is allocated between parallel regions.
 */
#include "pattern.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include "core/mesh/set.h"
#include "incidence.h"
#include "core/threads/threads.h"
#include "plan/base/radix_sort.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Rows begin .. end - 1 and their columns, one row after the other. */
typedef struct chunk {
  int begin, end;
  int64_t n;
  int *column;
  int *mark; /* of each column: the last row that holds it */
} chunk;

typedef struct work {
  pl_context *pl;
  int nrows, all_rows, ncolumns, npairs, nchunks; /* owned rows; rows with the halo */
  bool diagonal;
  const pl_map_pair *pair;
  pl_incidence *incidence; /* of the row map of each pair, if it has one */
  chunk *chunks;
  int *offset;
} work;

/* ---- columns of rows ---- */

/* Adds the targets of an element as columns of row r; returns the new number of columns. */
static int add_targets(const pl_map *columns, int element, int r, int *mark, int n, int *column)
{
  const int *target = columns->index;
  for (size_t k = pl_map_begin(columns, (size_t)element); k < pl_map_begin(columns, (size_t)element + 1);
       k++) {
    if (target[k] < 0 || mark[target[k]] == r) continue;
    mark[target[k]] = r;
    column[n++] = target[k];
  }
  return n;
}

/* Adds the columns of row r by pair p. */
static int add_columns(const work *w, int p, int r, int *mark, int n, int *column)
{
  const pl_map *columns = w->pair[p].columns;
  const pl_incidence *of = &w->incidence[p];
  if (!w->pair[p].rows) return add_targets(columns, r, r, mark, n, column);
  for (int64_t k = of->start[r]; k < of->start[r + 1]; k++)
    n = add_targets(columns, of->element[k], r, mark, n, column);
  return n;
}

static void build_rows(const work *w, chunk *c)
{
  memset(c->mark, -1, (size_t)w->ncolumns * sizeof *c->mark);
  for (int r = c->begin; r < c->end; r++) {
    int *column = c->column + c->n, n = 0;
    if (w->diagonal) c->mark[column[n++] = r] = r;
    for (int p = 0; p < w->npairs; p++) n = add_columns(w, p, r, c->mark, n, column);
    pl_sort_ints(n, column);
    w->offset[r] = n;
    c->n += n;
  }
}

/* ---- memory ---- */

/* Columns of a chunk if all were distinct; memory that is not used is never touched. */
static int64_t most_columns(const work *w, const chunk *c)
{
  int64_t most = w->diagonal ? c->end - c->begin : 0;
  for (int p = 0; p < w->npairs; p++) {
    const pl_map *columns = w->pair[p].columns;
    const int64_t *start = w->incidence[p].start;
    most += start
              ? (start[c->end] - start[c->begin]) * columns->arity
              : (int64_t)(pl_map_begin(columns, (size_t)c->end) - pl_map_begin(columns, (size_t)c->begin));
  }
  return most;
}

static pl_err alloc_columns(work *w)
{
  for (int i = 0; i < w->nchunks; i++) {
    chunk *c = &w->chunks[i];
    size_t bytes = ((size_t)most_columns(w, c) + 1) * sizeof(int);
    c->column = pl_malloc(w->pl, bytes);
    c->mark = pl_malloc(w->pl, (size_t)w->ncolumns * sizeof(int));
    if (!c->column || !c->mark) return pl_fail_memory(w->pl, bytes);
  }
  return PL_SUCCESS;
}

static void free_work(work *w)
{
  for (int p = 0; p < w->npairs && w->incidence; p++) pl_incidence_free(w->pl, &w->incidence[p]);
  for (int i = 0; i < w->nchunks && w->chunks; i++)
    pl_free_all(w->pl, w->chunks[i].column, w->chunks[i].mark);
  pl_free_all(w->pl, w->incidence, w->chunks, w->offset);
}

/* ---- the whole pattern ---- */

/* Joins the chunks; the lengths in `offset` become begins. */
static pl_err join_chunks(work *w, const pl_set *rows, pl_pattern *pattern)
{
  int64_t total = 0;
  for (int i = 0; i < w->nchunks; i++) total += w->chunks[i].n;
  if (total > INT32_MAX)
    return pl_fail(w->pl, PL_ERR_RANGE,
                   "the rows of set \"%s\" have %lld entries on one rank; the limit is %d, use more ranks",
                   rows->node.name, (long long)total, INT32_MAX);
  int *column;
  PL_TRY(PL_NEW_ARRAY(w->pl, column, (size_t)total + 1));
  pl_sum_counts(w->all_rows + 1, w->offset);
  PL_PARALLEL_FOR(w->nchunks)
  for (int i = 0; i < w->nchunks; i++)
    memcpy(column + w->offset[w->chunks[i].begin], w->chunks[i].column,
           (size_t)w->chunks[i].n * sizeof *column);
  *pattern = (pl_pattern){w->nrows, w->ncolumns, w->offset, column};
  w->offset = NULL;
  return PL_SUCCESS;
}

static pl_err open_work(work *w)
{
  size_t entries = 0;
  for (int p = 0; p < w->npairs; p++)
    entries += pl_map_entries(w->pair[p].rows ? w->pair[p].rows : w->pair[p].columns);
  w->nchunks = pl_plan_threads(w->nrows, entries);
  PL_TRY(PL_NEW(w->pl, w->incidence, (size_t)w->npairs + 1));
  PL_TRY(PL_NEW(w->pl, w->chunks, (size_t)w->nchunks));
  PL_TRY(PL_NEW(w->pl, w->offset, (size_t)w->all_rows + 1));
  for (int i = 0; i < w->nchunks; i++) {
    w->chunks[i].begin = pl_part_begin(w->nrows, w->nchunks, i);
    w->chunks[i].end = pl_part_begin(w->nrows, w->nchunks, i + 1);
  }
  for (int p = 0; p < w->npairs; p++)
    if (w->pair[p].rows) PL_TRY(pl_incidence_build(w->pl, w->pair[p].rows, w->nrows, &w->incidence[p]));
  return alloc_columns(w);
}

pl_err pl_pattern_build(const pl_set *rows, const pl_set *columns, int npairs, const pl_map_pair *pairs,
                        bool diagonal, pl_pattern *pattern)
{
  work w = {.pl = rows->node.pl,
            .nrows = rows->end[1],
            .all_rows = rows->end[3],
            .ncolumns = columns->end[3],
            .npairs = npairs,
            .pair = pairs,
            .diagonal = diagonal};
  pl_err err = open_work(&w);
  if (!err) {
    PL_PARALLEL_FOR(w.nchunks)
    for (int i = 0; i < w.nchunks; i++) build_rows(&w, &w.chunks[i]);
    err = join_chunks(&w, rows, pattern);
  }
  free_work(&w);
  return err;
}

void pl_pattern_free(pl_context *pl, pl_pattern *pattern)
{
  pl_free(pl, pattern->offset);
  pl_free_array(pl, pattern->column);
  *pattern = (pl_pattern){0};
}

bool pl_pattern_is_valid(const pl_pattern *p, char *why, size_t size)
{
  if (p->offset[0]) return snprintf(why, size, "row 0 begins at %d, not at 0", p->offset[0]), false;
  for (int r = 0; r < p->nrows; r++) {
    if (p->offset[r + 1] < p->offset[r]) return snprintf(why, size, "row %d ends before it begins", r), false;
    for (int k = p->offset[r]; k < p->offset[r + 1]; k++) {
      if (p->column[k] < 0 || p->column[k] >= p->ncolumns)
        return snprintf(why, size, "row %d has column %d of %d", r, p->column[k], p->ncolumns), false;
      if (k > p->offset[r] && p->column[k] <= p->column[k - 1])
        return snprintf(why, size, "the columns of row %d do not ascend at column %d", r, p->column[k]),
               false;
    }
  }
  return true;
}
