/* SPDX-License-Identifier: BSD-2-Clause
 * Maps on several ranks as users declare them: rows of the elements that a rank owns, in the order of the
 * view, with global indices. Loose maps (plan/place.h) are kept so.
 */
#ifndef PLAIT_CORE_FAR_H
#define PLAIT_CORE_FAR_H

#include "directory.h"

/* A loose map is declared; `offset` NULL: all rows have `arity` entries. Takes both arrays over, or frees
 * them when it fails on any rank; NULL for `far` is missing memory. Collective. */
pl_err pl_far_enter(pl_set *from, pl_set *to, int arity, int *offset, int64_t *far, const char *name,
                    pl_map **map);

/* Where rows of owned elements begin among their entries, part[1] + 1 numbers (pl_free); and the entries
 * (pl_free_array), of a map in any state. NULL with the error set. Local. */
int *pl_far_offsets(const pl_map *map);
int64_t *pl_far_copy(const pl_map *map);

/* Room for the entries of n rows (pl_free_array), or NULL. Local. */
int64_t *pl_far_new(pl_context *pl, size_t n, int arity);

/* `n` pairs (target, element), to the owners of their targets. *came (pl_free_array) holds *ncame of them.
 * Collective. */
typedef struct pl_far_pair {
  int64_t target, element;
} pl_far_pair;
pl_err pl_far_deliver(pl_context *pl, const pl_directory *owners, int64_t n, const pl_far_pair *pairs,
                      pl_far_pair **came, int64_t *ncame);

#endif
