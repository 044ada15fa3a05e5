/* SPDX-License-Identifier: BSD-2-Clause
 * Maps by global indices: on several ranks users declare the rows of the elements that a rank owns, in user
 * order. Undistributed maps (plan/distribution/distribute.h) are stored in this form.
 */
#pragma once

#include "owner_directory.h"

/* Declares an undistributed map; `offset` NULL: all rows have `arity` entries. Takes both arrays over, or
 * frees them if it fails on any rank; `index` NULL: there was no memory for it. Collective. */
pl_err pl_global_map_enter(pl_set *from, pl_set *to, int arity, int *offset, int64_t *index, const char *name,
                           pl_map **map);

/* The row offsets of owned elements, end[1] + 1 numbers (pl_free), and their entries (pl_free_array), of a
 * distributed or undistributed map. NULL with the error set. Local. */
int *pl_global_map_offsets(const pl_map *map);
int64_t *pl_global_map_copy(const pl_map *map);

/* The entries of `count` owned elements from position `first` in user order on. Local. */
void pl_global_map_rows(const pl_map *map, int first, int count, int64_t *index);

/* An array for the entries of n rows (pl_free_array), or NULL. Local. */
int64_t *pl_global_map_new(pl_context *pl, size_t n, int arity);

typedef struct pl_global_pair {
  int64_t target, element;
} pl_global_pair;

/* Sends n pairs to the owners of their targets; *received (pl_free_array) holds *nreceived. Collective. */
pl_err pl_global_map_deliver(pl_context *pl, const pl_directory *owners, int64_t n,
                             const pl_global_pair *pairs, pl_global_pair **received, int64_t *nreceived);
