/* SPDX-License-Identifier: BSD-2-Clause
 * Lists of single values of a matrix by global row and column, in any order, and their way to other ranks.
 */
#pragma once

#include "core/mesh/set.h"

/* A value is a double, or the two parts of a complex number. */
typedef struct pl_entry {
  int64_t row, column;
  double value[2];
} pl_entry;

/* Zero-initialise it; the entries are freed by pl_entries_free. */
typedef struct pl_entries {
  pl_entry *entry;
  int64_t n, room;
} pl_entries;

pl_err pl_entries_add(pl_context *pl, pl_entries *entries, const pl_entry *entry);
void pl_entries_free(pl_context *pl, pl_entries *entries);

/* By row, then by column; equal places stay in their order. Local. */
pl_err pl_entries_sort(pl_context *pl, pl_entries *entries);

/* Sends each entry to the rank that owns its row, as `dim` rows on each element of `set`; or to that of the
 * blocks of `block` rows, one a rank. Entries of a rank stay in their order, those of lower ranks come first.
 * Collective. */
pl_err pl_entries_to_owners(const pl_set *set, int dim, pl_entries *entries);
pl_err pl_entries_to_blocks(pl_context *pl, int64_t block, pl_entries *entries);
