/* SPDX-License-Identifier: BSD-2-Clause
 * Sparsities: the pattern of matrices and the set of their values.
 *
 * Invariant: once built, the pattern, the slots and the positions are in the storage order of the sets, which
 * keep this order as long as pl_set.numberings counts them. On several ranks a rank has the slots of the rows
 * it owns, and the set `slots` has no halo: the exec halo of a loop computes the sums of other ranks'
 * elements.
 */
#pragma once

#include "plan/base/arena.h"
#include "plan/sparsity/narrow_columns.h"
#include "plan/sparsity/pattern.h"

struct pl_sparsity {
  pl_node node;
  pl_set *rows, *columns;
  int block[2]; /* row_dim, column_dim */
  int npairs;
  pl_map_pair *pairs; /* both NULL once one was freed */
  int ref;            /* declarations and matrices */
  pl_set *slots;      /* NULL: not built yet */
  pl_pattern pattern;
  pl_map *coupled; /* the pattern as a ragged map from rows to columns, which owns its arrays */
  struct pl_tensor_positions *positions;    /* tensor_positions.h */
  pl_set *interior_first;                   /* product_order.h; on first use */
  pl_map *diagonal, *diagonal_blocks;       /* from rows to their diagonal values, and blocks; on first use */
  pl_map *row_of_value, *column_of_value;   /* mat_transposed.c; on first use */
  struct pl_products *products;             /* transposed_order.h; NULL: none yet */
  struct pl_slices *slices;                 /* mat_slices.h; NULL: none yet */
  pl_narrow_columns *narrow;                /* for products on hosts; NULL: none yet */
  pl_map *ordered_columns, *ordered_values; /* of each row, for products (product_order.h); on first use */
  bool ascending; /* all ranks store the columns of all rows by ascending global index; false: not known */
  pl_arena ids;   /* tables from global indices to rows and columns, on first use */
  pl_id_table row_of, column_of;
  bool has_ids;
};

/* Builds the pattern, for loops and other uses, if there is none yet. Collective. */
pl_err pl_sparsity_build(pl_sparsity *sparsity);

/* Fails unless both maps of a pair suit the sparsity and have indices. */
pl_err pl_sparsity_check_pair(const pl_sparsity *sparsity, const pl_map_pair *pair);

/* Square blocks on one set: the sparsity has a diagonal. */
bool pl_sparsity_is_square(const pl_sparsity *sparsity);

/* The row or column of a global index, -1 if it is not on this rank. */
pl_err pl_sparsity_make_ids(pl_sparsity *sparsity);
int pl_sparsity_row(const pl_sparsity *sparsity, int64_t global);
int pl_sparsity_column(const pl_sparsity *sparsity, int64_t global);

/* The place among the values of this rank of a row and a column, both numbered as single values; -1: the
 * pattern does not have it. After pl_sparsity_make_ids. */
int64_t pl_sparsity_place(const pl_sparsity *sparsity, int64_t row, int64_t column);

void pl_sparsity_release(pl_sparsity *sparsity); /* one of `ref` */
void pl_sparsity_forget(pl_sparsity *sparsity, const void *map_or_mask);
