/* SPDX-License-Identifier: BSD-2-Clause
 * The inverse of maps: for each target the elements that reach it. The caller owns it.
 * Invariant: row t is entry[offset[t] .. offset[t + 1]), ascending; an entry is element * nslots + slot,
 * where slot is the index of (map, index) in the list of reaches. Negative map entries appear nowhere.
 */
#pragma once

#include "plan/blocks/plan.h"

typedef struct pl_inverse {
  int ntargets, nslots, nentries;
  int *offset, *entry;
} pl_inverse;

/* Inverts `nslots` reaches (each of one index, all to one set) of the elements of a set or subset that loops
 * run (all but the nonexec halo). Errors: PL_ERR_RANGE if entries do not fit 31 bits. */
pl_err pl_inverse_build(pl_context *pl, const pl_set *set, int nslots, const pl_reach *reach,
                        pl_inverse *inverse);
void pl_inverse_free(pl_context *pl, pl_inverse *inverse);

/* Number of leading targets that only elements before `end` reach. */
int pl_inverse_before(const pl_inverse *inverse, int end);

/* What a loop in gather form needs of each entry's element, so that it does not read the element's row of
 * each map. Word i of an entry is the element (`word[i].map` NULL), a target of it, or, with `word[i].group`
 * set, the target of the `word[i].index`-th of the slots other than the entry's. */
typedef struct pl_row_words {
  const pl_reach *slot; /* the reaches of the inverse */
  int nwords;
  const pl_reach *word;
} pl_row_words;

/* Inverse rows with words. The first word is value * base + slot.
 *
 * With a degree, every row has that many entries: word i of entry k of row t is word[(k * nwords + i) *
 * ntargets + t]; shorter rows are padded with their first entry, its slot + nslots; empty rows begin with -1.
 * Without, word i of entry k is word[i * nentries + k], with rows as in the inverse. */
typedef struct pl_rows {
  int ntargets, nentries, nwords, degree;
  size_t length;
  int *word;
} pl_rows;

/* The length of the longest row if a row fits into registers and padding to it wastes little, else 0. */
int pl_rows_degree(const pl_inverse *inverse, int nwords);

/* Builds rows of a degree, or 0. Word 0 times `base` must fit 31 bits. */
pl_err pl_rows_build(pl_context *pl, const pl_inverse *inverse, const pl_row_words *words, int degree,
                     int base, pl_rows *rows);
/* Word i of an entry with slot `own`. */
int pl_row_word(const pl_row_words *words, int i, int element, int own);
void pl_rows_free(pl_context *pl, pl_rows *rows);
