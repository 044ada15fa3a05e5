/* SPDX-License-Identifier: BSD-2-Clause
 * Colours of rows: each row in turn takes the lowest colour that no row coupled with it has. Colours are bits
 * of words; rows that find none free wait for the next word.
 */
#include "row_colours.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "core/mesh/subset.h"

enum { WORD = 64 };

/* ---- colours ---- */

typedef struct colouring {
  const int *offset, *column; /* owned columns */
  int nrows, first;           /* the first colour of this word */
  int *colour;                /* -1: none yet */
  uint64_t *taken;            /* of this word, by rows that hold this one as a column */
} colouring;

static bool colour_row(colouring *p, int r)
{
  uint64_t taken = p->taken[r];
  for (int k = p->offset[r]; k < p->offset[r + 1]; k++) {
    const int colour = p->colour[p->column[k]] - p->first;
    if (colour >= 0) taken |= UINT64_C(1) << colour;
  }
  if (taken == UINT64_MAX) return false;
  const int colour = __builtin_ctzll(~taken);
  p->colour[r] = p->first + colour;
  for (int k = p->offset[r]; k < p->offset[r + 1]; k++) p->taken[p->column[k]] |= UINT64_C(1) << colour;
  return true;
}

/* The number of colours. */
static int colour_rows(colouring *p)
{
  int left = p->nrows, most = -1;
  for (int r = 0; r < p->nrows; r++) p->colour[r] = -1;
  for (p->first = 0; left; p->first += WORD) {
    for (int r = 0; r < p->nrows; r++) p->taken[r] = 0;
    for (int r = 0; r < p->nrows; r++) {
      if (p->colour[r] >= 0 || !colour_row(p, r)) continue;
      if (p->colour[r] > most) most = p->colour[r];
      left--;
    }
  }
  return most + 1;
}

/* ---- sets and maps ---- */

static pl_err make_subset(const pl_row_colours *c, const int *colour, int wanted, pl_set **subset)
{
  int n = 0, *list;
  for (int r = 0; r < c->rows->end[1]; r++) n += colour[r] == wanted;
  PL_TRY(PL_NEW(c->rows->node.pl, list, (size_t)n + 1));
  n = 0;
  for (int r = 0; r < c->rows->end[1]; r++)
    if (colour[r] == wanted) list[n++] = r;
  PL_TRY(pl_subset_new(c->rows, (int[]){n, n, n, n}, list, "colour", subset));
  (*subset)->node.internal = true;
  return PL_SUCCESS;
}

/* The colours of this rank; ranks with fewer colours than others have empty ones. */
static pl_err make_colours(pl_row_colours *c)
{
  pl_context *pl = c->rows->node.pl;
  const int nrows = c->rows->end[1];
  colouring p = {.offset = c->coupled->offset, .column = c->coupled->index, .nrows = nrows};
  p.colour = pl_calloc(pl, (size_t)nrows + 1, sizeof *p.colour);
  p.taken = pl_calloc(pl, (size_t)nrows + 1, sizeof *p.taken);
  pl_err err = pl_agree(pl, p.colour && p.taken ? PL_SUCCESS : pl_fail_memory(pl, (size_t)nrows * 12));
  if (!err) {
    int most = colour_rows(&p);
    err = pl_comm_reduce(pl, PL_INT32, PL_MAX, &most, 1);
    if (!err) err = PL_NEW(pl, c->colour, (size_t)most + 1);
    if (!err) c->n = most;
  }
  for (int i = 0; i < c->n && !err; i++) err = make_subset(c, p.colour, i, &c->colour[i]);
  pl_free_all(pl, p.colour, p.taken);
  return pl_agree(pl, err);
}

/* Owned columns come first. */
static void copy_columns(const pl_pattern *p, int *offset, int *column)
{
  int n = 0;
  for (int r = 0; r < p->nrows; r++) {
    for (int k = p->offset[r]; k < p->offset[r + 1] && p->column[k] < p->nrows; k++)
      if (p->column[k] != r) column[n++] = p->column[k];
    offset[r + 1] = n;
  }
}

static pl_err make_coupled(const pl_pattern *p, pl_row_colours *c)
{
  pl_context *pl = c->rows->node.pl;
  const size_t most = (size_t)p->offset[p->nrows] + 1;
  int *offset = pl_calloc(pl, (size_t)p->nrows + 1, sizeof *offset),
      *column = pl_malloc_array(pl, most * sizeof *column);
  pl_err err = offset && column ? PL_SUCCESS : pl_fail_memory(pl, most * sizeof *column);
  if (!err) {
    copy_columns(p, offset, column);
    err = pl_map_new(c->rows, c->rows, 0, offset, column, "coupled", &c->coupled);
  }
  if (!err) return PL_SUCCESS;
  pl_free(pl, offset);
  pl_free_array(pl, column);
  return err;
}

static pl_err make_places(const pl_sparsity *s, pl_row_colours *c)
{
  const pl_pattern *p = &s->pattern;
  int *place;
  PL_TRY(PL_NEW(s->node.pl, place, 2 * (size_t)p->nrows + 1));
  for (int r = 0; r < p->nrows; r++) {
    place[2 * r] = p->offset[r] * s->block[0] * s->block[1];
    place[2 * r + 1] = pl_pattern_find(p, r, r) - p->offset[r];
  }
  pl_err err = pl_decl_dat_from(c->rows, 2, PL_INT32, PL_INT32, place, "place", &c->place);
  pl_free(s->node.pl, place);
  return err;
}

static pl_err make_maps(const pl_sparsity *s, pl_row_colours *c)
{
  int *index;
  PL_TRY(PL_NEW_ARRAY(s->node.pl, index, (size_t)s->pattern.nrows + 1));
  for (int r = 0; r < s->pattern.nrows; r++) index[r] = r;
  PL_TRY(pl_map_enter(c->rows, s->rows, 1, index, "own", &c->own));
  PL_TRY(make_coupled(&s->pattern, c));
  c->own->node.internal = c->own->locality_checked = c->own->injective = c->own->no_exec_halo = true;
  c->coupled->node.internal = c->coupled->internal = c->coupled->locality_checked = true;
  return PL_SUCCESS;
}

pl_err pl_row_colours_new(const pl_sparsity *s, pl_row_colours *c)
{
  pl_context *pl = s->node.pl;
  *c = (pl_row_colours){.n = 0};
  pl_err err = pl_internal_set_new(pl, s->pattern.nrows, "rows", &c->rows);
  if (!err) {
    c->rows->node.internal = true;
    err = make_maps(s, c);
  }
  if (!err) err = make_places(s, c);
  err = pl_agree(pl, err);
  if (!err) err = make_colours(c);
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
  pl_free(pl, c->colour);
  *c = (pl_row_colours){.n = 0};
}
