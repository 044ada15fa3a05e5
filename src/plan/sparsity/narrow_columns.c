/* SPDX-License-Identifier: BSD-2-Clause
 * Columns in 16 bits: their numbers, and the arrays of hosts.
 */
#include "narrow_columns.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "core/storage/storage.h"
#include "core/threads/threads.h"
#include <stdio.h>

/* ---- numbers ---- */

int pl_slice_count(const pl_pattern *p)
{
  return (p->nrows + PL_SLICE_ROWS - 1) / PL_SLICE_ROWS;
}

/* The slots of a slice end here; they begin with those of its first row. */
static int slots_end(const pl_pattern *p, int slice)
{
  return p->offset[pl_slice_end(p, slice)];
}

/* How columns are counted: `near` of those before `split` from a slice's lowest, and `far` from `split` on.
 */
typedef struct reach {
  int split, near, far;
} reach;

static reach reach_of(const pl_set *columns)
{
  const int *end = columns->end, far = PL_NARROW_NONE - PL_NARROW_FAR;
  if (pl_ranks(columns->node.pl) == 1) return (reach){end[1], PL_NARROW_NONE, 0};
  return (reach){end[3] > far ? end[3] - far : 0, PL_NARROW_FAR, far};
}

int pl_narrow_far(const pl_set *columns)
{
  return reach_of(columns).split - PL_NARROW_FAR;
}

bool pl_slice_is_narrow(const pl_pattern *p, const pl_set *columns, int slice, int *lowest)
{
  const reach reach = reach_of(columns);
  const int end = slots_end(p, slice);
  int most = 0;
  bool narrow = true;
  *lowest = reach.split;
  for (int k = p->offset[slice * PL_SLICE_ROWS]; k < end; k++) {
    const int column = p->column[k];
    if (column < *lowest) *lowest = column;
    if (column >= reach.split)
      narrow &= column - reach.split < reach.far;
    else if (column > most)
      most = column;
  }
  return narrow && most - *lowest < reach.near;
}

void pl_narrow_print(char *text, size_t size, const char *c, bool has_far)
{
  snprintf(text, size, has_far ? "%s + (%s >> 15) * far" : "%s", c, c);
}

/* ---- arrays ---- */

static pl_err new_dat(pl_context *pl, int64_t size, pl_type type, const char *name, pl_set **set,
                      pl_dat **dat)
{
  PL_TRY(pl_internal_set_new(pl, size, name, set));
  return pl_agree(pl, pl_dat_new(*set, type, name, dat));
}

/* The lowest columns of all slices. */
static bool fill_bases(const pl_pattern *p, const pl_set *columns, int threads, int *base)
{
  const int n = pl_slice_count(p);
  int wide = 0;
  *base++ = pl_narrow_far(columns);
  PL_PARALLEL_SUM(threads, wide)
  for (int s = 0; s < n; s++) wide += !pl_slice_is_narrow(p, columns, s, &base[s]);
  return !wide;
}

static void fill_numbers(const pl_pattern *p, const int *base, int threads, uint16_t *number)
{
  const int n = pl_slice_count(p);
  PL_PARALLEL_FOR(threads)
  for (int s = 0; s < n; s++) {
    const int end = slots_end(p, s);
    for (int k = p->offset[s * PL_SLICE_ROWS]; k < end; k++)
      number[k] = (uint16_t)pl_narrow_number(p->column[k], base[0], base[1 + s]);
  }
}

/* `column` stays NULL if some rank needs wider numbers. */
static pl_err make_columns(const pl_pattern *p, const pl_set *columns, const char *name, pl_narrow_columns *w)
{
  pl_context *pl = columns->node.pl;
  const int blocks = p->offset[p->nrows], slices = pl_slice_count(p),
            threads = pl_plan_threads(slices, (size_t)blocks);
  PL_TRY(new_dat(pl, (int64_t)slices + 1, PL_INT32, name, &w->bases, &w->base));
  int *base = pl_dat_host(w->base, true);
  PL_TRY(pl_agree(pl, base ? PL_SUCCESS : PL_ERR_MEMORY));
  if (!pl_comm_all(pl, fill_bases(p, columns, threads, base))) return PL_SUCCESS;
  pl_dat_host_written(w->base);
  PL_TRY(new_dat(pl, blocks, PL_UINT16, name, &w->blocks, &w->column));
  uint16_t *number = pl_dat_host(w->column, true);
  PL_TRY(pl_agree(pl, number ? PL_SUCCESS : PL_ERR_MEMORY));
  fill_numbers(p, base, threads, number);
  pl_dat_host_written(w->column);
  return PL_SUCCESS;
}

pl_err pl_narrow_columns_new(const pl_pattern *p, const pl_set *columns, const char *name,
                             pl_narrow_columns **narrow)
{
  pl_context *pl = columns->node.pl;
  pl_narrow_columns *w = pl_calloc(pl, 1, sizeof *w);
  pl_err err = pl_agree(pl, w ? PL_SUCCESS : pl_fail_memory(pl, sizeof *w));
  if (!err) err = make_columns(p, columns, name, w);
  if (err) return pl_narrow_columns_free(pl, w), err;
  *narrow = w;
  return PL_SUCCESS;
}

void pl_narrow_columns_free(pl_context *pl, pl_narrow_columns *w)
{
  if (!w) return;
  pl_dat *const dats[] = {w->base, w->column};
  pl_set *const sets[] = {w->bases, w->blocks};
  for (int i = 0; i < 2; i++) {
    if (dats[i]) pl_dat_destroy(&dats[i]->node);
    if (sets[i]) pl_set_destroy(&sets[i]->node);
  }
  pl_free(pl, w);
}

size_t pl_narrow_columns_bytes(const pl_narrow_columns *w)
{
  if (!w || !w->column) return 0;
  return (size_t)w->bases->end[1] * sizeof(int) + (size_t)w->blocks->end[1] * sizeof(uint16_t);
}
