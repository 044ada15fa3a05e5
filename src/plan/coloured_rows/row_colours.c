/* SPDX-License-Identifier: BSD-2-Clause
 * Colours of rows: each row in turn takes the lowest colour that no row coupled with it has. Colours are bits
 * of words; rows that find none free wait for the next word.
 */
#include "row_colours.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "core/mesh/subset.h"
#include <string.h>

enum { WORD = 64 };

/* ---- colours ---- */

typedef struct colouring {
  const pl_pattern *pattern;
  int first;       /* the first colour of this word */
  int *colour;     /* -1: none yet */
  uint64_t *taken; /* of this word, by rows that hold this one as a column */
} colouring;

static bool colour_row(colouring *w, int r)
{
  const pl_pattern *p = w->pattern;
  const int begin = p->offset[r], end = pl_pattern_own_end(p, r);
  uint64_t taken = w->taken[r];
  for (int k = begin; k < end; k++) {
    const int colour = w->colour[p->column[k]] - w->first;
    if (colour >= 0) taken |= UINT64_C(1) << colour;
  }
  if (taken == UINT64_MAX) return false;
  const int colour = __builtin_ctzll(~taken);
  w->colour[r] = w->first + colour;
  for (int k = begin; k < end; k++) w->taken[p->column[k]] |= UINT64_C(1) << colour;
  return true;
}

/* The number of colours. */
static int colour_rows(colouring *w)
{
  const int nrows = w->pattern->nrows;
  int left = nrows, most = -1;
  for (int r = 0; r < nrows; r++) w->colour[r] = -1;
  for (w->first = 0; left; w->first += WORD) {
    for (int r = 0; r < nrows; r++) w->taken[r] = 0;
    for (int r = 0; r < nrows; r++) {
      if (w->colour[r] >= 0 || !colour_row(w, r)) continue;
      if (w->colour[r] > most) most = w->colour[r];
      left--;
    }
  }
  return most + 1;
}

/* A colouring of this rank's rows, and how many colours all ranks have at most. */
static pl_err find_colours(pl_context *pl, const pl_pattern *p, int *colour, int *most)
{
  colouring w = {.pattern = p, .colour = colour};
  pl_err err = PL_NEW(pl, w.taken, (size_t)p->nrows + 1);
  *most = err ? 0 : colour_rows(&w);
  pl_free(pl, w.taken);
  PL_TRY(pl_agree(pl, err));
  return pl_comm_reduce(pl, PL_INT32, PL_MAX, most, 1);
}

/* ---- sets and maps ---- */

/* Numbers the rows by colours: begin[i] is the first element of colour i, order[e] the row of element e. */
static void order_rows(int nrows, const int *colour, int most, int *begin, int *order, int *position)
{
  int e = 0;
  for (int i = 0; i < most; i++) {
    begin[i] = e;
    for (int r = 0; r < nrows; r++)
      if (colour[r] == i) order[position[r] = e++] = r;
  }
  begin[most] = e;
}

static pl_err make_subset(const pl_row_colours *c, int begin, int end, pl_set **subset)
{
  const int n = end - begin;
  int *list;
  PL_TRY(PL_NEW(c->rows->node.pl, list, (size_t)n + 1));
  for (int k = 0; k < n; k++) list[k] = begin + k;
  return pl_subset_new(c->rows, (int[]){n, n, n, n}, list, "colour", subset);
}

static void copy_columns(const pl_pattern *p, const int *order, const int *position, int *offset, int *column)
{
  int n = 0;
  for (int e = 0; e < p->nrows; e++) {
    const int r = order[e], end = pl_pattern_own_end(p, r);
    for (int k = p->offset[r]; k < end; k++)
      if (p->column[k] != r) column[n++] = position[p->column[k]];
    offset[e + 1] = n;
  }
}

static pl_err make_coupled(const pl_pattern *p, const int *order, pl_row_colours *c)
{
  pl_context *pl = c->rows->node.pl;
  const size_t most = (size_t)p->offset[p->nrows] + 1;
  int *offset = pl_calloc(pl, (size_t)p->nrows + 1, sizeof *offset),
      *column = pl_malloc_array(pl, most * sizeof *column);
  pl_err err = offset && column ? PL_SUCCESS : pl_fail_memory(pl, most * sizeof *column);
  if (!err) {
    copy_columns(p, order, c->position, offset, column);
    err = pl_map_new(c->rows, c->rows, offset, column, "coupled", &c->coupled);
  }
  if (!err) return PL_SUCCESS;
  pl_free(pl, offset);
  pl_free_array(pl, column);
  return err;
}

static pl_err make_places(const pl_sparsity *s, const int *order, pl_row_colours *c)
{
  const pl_pattern *p = &s->pattern;
  int *place;
  PL_TRY(PL_NEW(s->node.pl, place, 2 * (size_t)p->nrows + 1));
  for (int e = 0; e < p->nrows; e++) {
    place[2 * e] = p->offset[order[e]] * s->block[0] * s->block[1];
    place[2 * e + 1] = pl_pattern_find(p, order[e], order[e]) - p->offset[order[e]];
  }
  pl_err err = pl_decl_dat_from(c->rows, 2, PL_INT32, PL_INT32, place, "place", &c->place);
  pl_free(s->node.pl, place);
  return err;
}

static pl_err make_maps(const pl_sparsity *s, const int *order, pl_row_colours *c)
{
  int *index;
  PL_TRY(PL_NEW_ARRAY(s->node.pl, index, (size_t)s->pattern.nrows + 1));
  memcpy(index, order, (size_t)s->pattern.nrows * sizeof *index);
  PL_TRY(pl_map_enter(c->rows, s->rows, 1, index, "own", &c->own));
  PL_TRY(make_coupled(&s->pattern, order, c));
  c->own->node.internal = c->own->locality_checked = c->own->injective = c->own->no_exec_halo = true;
  c->coupled->node.internal = c->coupled->internal = c->coupled->locality_checked = true;
  return make_places(s, order, c);
}

/* Ranks with fewer colours than others have empty ones. */
static pl_err make_objects(const pl_sparsity *s, const int *colour, int most, int *begin, int *order,
                           pl_row_colours *c)
{
  order_rows(s->pattern.nrows, colour, most, begin, order, c->position);
  PL_TRY(make_maps(s, order, c));
  PL_TRY(PL_NEW(s->node.pl, c->colour, (size_t)most + 1));
  c->n = most;
  for (int i = 0; i < most; i++) PL_TRY(make_subset(c, begin[i], begin[i + 1], &c->colour[i]));
  return PL_SUCCESS;
}

pl_err pl_row_colours_new(const pl_sparsity *s, pl_row_colours *c)
{
  pl_context *pl = s->node.pl;
  const size_t n = (size_t)s->pattern.nrows;
  int most = 0, *begin = NULL, *colour = pl_calloc(pl, 2 * n + 1, sizeof *colour);
  *c = (pl_row_colours){.n = 0};
  pl_err err =
    pl_agree(pl, colour ? PL_NEW(pl, c->position, n + 1) : pl_fail_memory(pl, n * 2 * sizeof *colour));
  if (!err) err = find_colours(pl, &s->pattern, colour, &most);
  if (!err) err = pl_internal_set_new(pl, s->pattern.nrows, "rows", &c->rows);
  if (!err) {
    err = PL_NEW(pl, begin, (size_t)most + 1);
    if (!err) err = make_objects(s, colour, most, begin, colour + n, c);
    err = pl_agree(pl, err);
  }
  pl_free_all(pl, colour, begin);
  if (err) pl_row_colours_free(pl, c);
  return err;
}

void pl_row_colours_free(pl_context *pl, pl_row_colours *c)
{
  for (int i = 0; i < c->n && c->colour; i++)
    if (c->colour[i]) pl_set_destroy(&c->colour[i]->node);
  pl_dat_free(&c->place);
  if (c->coupled) pl_map_destroy(&c->coupled->node);
  if (c->own) pl_map_destroy(&c->own->node);
  if (c->rows) pl_set_destroy(&c->rows->node);
  pl_free_all(pl, c->colour, c->position);
  *c = (pl_row_colours){.n = 0};
}
