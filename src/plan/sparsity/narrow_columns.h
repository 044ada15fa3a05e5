/* SPDX-License-Identifier: BSD-2-Clause
 * Columns in 16 bits, for products: counted from the lowest column of their slice of 32 rows. On several
 * ranks numbers from 2^15 on are counted from the first of the last columns instead: the halo, and rows that
 * reach it, are stored behind the other rows and far from neighbours among these. A pattern has them if they
 * hold the columns of all slices of all ranks.
 */
#pragma once

#include "pattern.h"

enum { PL_SLICE_ROWS = 32, PL_NARROW_FAR = 1 << 15, PL_NARROW_NONE = UINT16_MAX /* no column */ };

int pl_slice_count(const pl_pattern *pattern);

/* Slice s has the rows from s * PL_SLICE_ROWS to this one. */
static inline int pl_slice_end(const pl_pattern *pattern, int slice)
{
  const int end = (slice + 1) * PL_SLICE_ROWS;
  return end < pattern->nrows ? end : pattern->nrows;
}

/* The lowest column of a slice, and whether 16 bits hold all its columns, which are elements of `columns`. */
bool pl_slice_is_narrow(const pl_pattern *pattern, const pl_set *columns, int slice, int *lowest);

/* The column from which numbers of at least PL_NARROW_FAR are counted, in place of the slice's lowest one. */
int pl_narrow_far(const pl_set *columns);

/* The number of a column of a slice with this lowest one. */
static inline int pl_narrow_number(int column, int far, int lowest)
{
  return column - (column >= far + PL_NARROW_FAR ? far : lowest);
}

/* The column of number `c` less the lowest of its slice, as an expression of `c` and, on several ranks, of
 * `far`, which is then pl_narrow_far() less that lowest one. A choice between two bases is slower
 * (docs/internals/plan/matrix.md). */
void pl_narrow_print(char *text, size_t size, const char *c, bool has_far);

/* The columns of a pattern in the order of its slots, for hosts. `base` holds pl_narrow_far() and then the
 * lowest column of each slice. */
typedef struct pl_narrow_columns {
  pl_set *bases, *blocks;
  pl_dat *base, *column; /* NULL: 16 bits do not hold the columns of some slice of some rank */
} pl_narrow_columns;

/* Collective. */
pl_err pl_narrow_columns_new(const pl_pattern *pattern, const pl_set *columns, const char *name,
                             pl_narrow_columns **narrow);
void pl_narrow_columns_free(pl_context *pl, pl_narrow_columns *narrow);
size_t pl_narrow_columns_bytes(const pl_narrow_columns *narrow);
