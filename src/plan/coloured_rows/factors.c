/* SPDX-License-Identifier: BSD-2-Clause
 * The places of incomplete factors.
 */
#include "factors.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"

enum { MOST_VALUES = 1 << 14 }; /* of a row */

/* The arrays of the dats and the map. */
typedef struct tables {
  const pl_pattern *pattern;
  const int *position; /* of each row among the coloured ones */
  int width;
  int *offset, *other;
  int32_t *column, *source, *count;
} tables;

/* The places of row r, by insertion. */
static void sort_row(tables *t, int r, int block, int32_t *column, int32_t *source)
{
  const int first = t->pattern->offset[r], n = pl_pattern_own_end(t->pattern, r) - first;
  for (int k = 0; k < n; k++) {
    const int c = t->position[t->pattern->column[first + k]];
    int at = k;
    for (; at > 0 && column[at - 1] > c; at--) {
      column[at] = column[at - 1];
      source[at] = source[at - 1];
    }
    column[at] = c;
    source[at] = (first + k) * block;
  }
}

static void fill_row(tables *t, int r, int block)
{
  const int e = t->position[r], n = pl_pattern_own_end(t->pattern, r) - t->pattern->offset[r];
  int32_t *column = t->column + (size_t)e * (size_t)t->width;
  sort_row(t, r, block, column, t->source + (size_t)e * (size_t)t->width);
  t->offset[e + 1] = n - 1; /* the own column is always there */
  t->count[2 * e + 1] = n;
  while (column[t->count[2 * e]] != e) t->count[2 * e]++;
}

/* The map, once all rows are filled: lengths become begins. */
static void fill_others(tables *t)
{
  for (int e = 0, n = 0; e < t->pattern->nrows; e++) {
    const int32_t *column = t->column + (size_t)e * (size_t)t->width;
    t->offset[e + 1] += t->offset[e];
    for (int k = 0; k < t->count[2 * e + 1]; k++)
      if (column[k] != e) t->other[n++] = column[k];
  }
}

static pl_err alloc_tables(pl_context *pl, tables *t)
{
  const size_t n = (size_t)t->pattern->nrows, places = n * (size_t)t->width + 1;
  PL_TRY(PL_NEW(pl, t->offset, n + 1));
  PL_TRY(PL_NEW_ARRAY(pl, t->other, (size_t)t->pattern->offset[n] + 1));
  PL_TRY(PL_NEW(pl, t->column, places));
  PL_TRY(PL_NEW(pl, t->source, places));
  return PL_NEW(pl, t->count, 2 * n + 1);
}

static pl_err declare_map(const pl_row_colours *c, tables *t, pl_factors *f)
{
  PL_TRY(pl_map_new(c->rows, c->rows, t->offset, t->other, "others", &f->others));
  t->offset = t->other = NULL;
  f->others->node.internal = f->others->internal = f->others->locality_checked = true;
  return PL_SUCCESS;
}

static pl_err declare_dats(pl_set *rows, const tables *t, pl_type type, int block, pl_factors *f)
{
  const int width = t->width;
  PL_TRY(pl_decl_dat_from(rows, width * block, type, type, NULL, "factors", &f->value));
  PL_TRY(pl_decl_dat_from(rows, width, PL_INT32, PL_INT32, t->column, "column", &f->column));
  PL_TRY(pl_decl_dat_from(rows, width, PL_INT32, PL_INT32, t->source, "source", &f->source));
  PL_TRY(pl_decl_dat_from(rows, 2, PL_INT32, PL_INT32, t->count, "count", &f->count));
  return pl_decl_global_from(rows->node.pl, 1, PL_DOUBLE, PL_DOUBLE, NULL, "least", &f->least);
}

/* The longest row of all ranks: they run the same code. */
static pl_err find_width(const pl_sparsity *s, int *width)
{
  int64_t most = 1;
  for (int r = 0; r < s->pattern.nrows; r++) {
    const int n = pl_pattern_own_end(&s->pattern, r) - s->pattern.offset[r];
    if (n > most) most = n;
  }
  PL_TRY(pl_comm_reduce(s->node.pl, PL_INT64, PL_MAX, &most, 1));
  *width = (int)most;
  if (most * s->block[0] * s->block[1] <= MOST_VALUES) return PL_SUCCESS;
  return pl_fail(s->node.pl, PL_ERR_RANGE,
                 "incomplete factors of sparsity \"%s\": a row of %lld blocks is too long", s->node.name,
                 (long long)most);
}

pl_err pl_factors_new(const pl_sparsity *s, pl_type type, const pl_row_colours *c, pl_factors *f)
{
  pl_context *pl = s->node.pl;
  const int block = s->block[0] * s->block[1];
  tables t = {.pattern = &s->pattern, .position = c->position};
  *f = (pl_factors){.width = 0};
  PL_TRY(find_width(s, &t.width));
  f->width = t.width;
  pl_err err = alloc_tables(pl, &t);
  for (int r = 0; !err && r < s->pattern.nrows; r++) fill_row(&t, r, block);
  if (!err) {
    fill_others(&t);
    err = declare_map(c, &t, f);
  }
  err = pl_agree(pl, err);
  if (!err) err = declare_dats(c->rows, &t, type, block, f);
  pl_free_all(pl, t.offset, t.column, t.source, t.count);
  pl_free_array(pl, t.other);
  if (err) pl_factors_free(f);
  return err;
}

void pl_factors_free(pl_factors *f)
{
  pl_global_free(&f->least);
  pl_dat_free(&f->value);
  pl_dat_free(&f->column);
  pl_dat_free(&f->source);
  pl_dat_free(&f->count);
  if (f->others) pl_map_destroy(&f->others->node);
  *f = (pl_factors){.width = 0};
}
