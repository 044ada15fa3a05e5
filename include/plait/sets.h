/* SPDX-License-Identifier: BSD-2-Clause
 * Sets, subsets and maps. */
#ifndef PLAIT_SETS_H
#define PLAIT_SETS_H

#include <plait/core.h>

PL_EXTERN_C_BEGIN

/* ---- sets ---- */

/* Declares a set of n >= 0 elements on this rank (at most INT32_MAX). Global indices number the elements of
 * all ranks in rank order. `name` is for messages and profiles, as in all declarations. Collective. */
PL_API pl_err pl_decl_set(pl_context *pl, int64_t n, const char *name, pl_set **set);

/* Declares a set with halos, for one rank only: sizes[0] core elements, then cumulatively sizes[1] owned
 * ones, sizes[2] with the exec halo and sizes[3] with the nonexec halo. Loops run over the owned elements,
 * and over the exec halo too if they write through a map. On several ranks the library builds halos itself
 * and sizes[3] > sizes[1] is PL_ERR_ARG. Collective. */
PL_API pl_err pl_decl_set_parts(pl_context *pl, const int64_t sizes[4], const char *name, pl_set **set);

/* Declares a subset: an iteration set of the `n` elements of `parent` given by index. On several ranks these
 * are global indices, as in maps: any rank may name any element, and the rank that owns it gets it.
 * pl_decl_subset_local takes positions in this rank's host views instead. Indices are sorted and duplicates
 * dropped. A subset of a subset becomes a subset of the base set; its indices are positions in the parent,
 * and on several ranks only pl_decl_subset_local declares it. Dats and maps cannot be declared on a subset.
 * Errors: PL_ERR_RANGE for an index outside the parent. Collective. */
PL_API pl_err pl_decl_subset(pl_set *parent, int64_t n, const int *indices, const char *name,
                             pl_set **subset);
PL_API pl_err pl_decl_subset_local(pl_set *parent, int64_t n, const int *indices, const char *name,
                                   pl_set **subset);

/* Operations of pl_subset_combine. */
typedef enum pl_set_op { PL_UNION, PL_INTERSECTION, PL_DIFFERENCE, PL_SYMMETRIC_DIFFERENCE } pl_set_op;

/* Declares the union, intersection, difference or symmetric difference of two subsets of one set; the set
 * itself counts as its full subset. Collective. */
PL_API pl_err pl_subset_combine(pl_set *a, pl_set_op op, pl_set *b, const char *name, pl_set **subset);

/* Number of owned elements of a set or subset; number including halos; name; the parent (a set is its own
 * parent); sorted indices of a subset as positions in host views (NULL for a set). Local. */
PL_API int64_t pl_set_size(const pl_set *set);
PL_API int64_t pl_set_total(const pl_set *set);
PL_API const char *pl_set_name(const pl_set *set);
PL_API pl_set *pl_set_parent(pl_set *set);
PL_API const int *pl_subset_indices(const pl_set *subset);

/* Number of elements of a set (not a subset) on all ranks, and the global indices of this rank's owned
 * elements, ascending, written to `indices` (pl_set_size(set) values). Local. */
PL_API int64_t pl_set_global_size(const pl_set *set);
PL_API pl_err pl_set_global(const pl_set *set, int64_t *indices);

/* Frees a set or subset. Collective. */
PL_API void pl_set_free(pl_set **set);

/* ---- maps ---- */

/* Declares a map: `indices` holds arity >= 1 indices into `to` for each element of `from`, element by
 * element: on one rank for all elements with halos, on several ranks for this rank's owned elements, as
 * global indices. A negative index means "no target": reads see zeros, writes are dropped. `indices` NULL
 * leaves the map undefined; a loop over a non-empty set cannot use it. Errors: PL_ERR_RANGE for an index
 * beyond `to`, naming the entry. Collective. */
PL_API pl_err pl_decl_map(pl_set *from, pl_set *to, int arity, const int *indices, const char *name,
                          pl_map **map);

/* pl_decl_map with 64-bit global indices, for sets of more than INT32_MAX elements. Collective. */
PL_API pl_err pl_decl_map_global(pl_set *from, pl_set *to, int arity, const int64_t *indices,
                                 const char *name, pl_map **map);

/* Declares a map whose target i is target permutation[i] (repeats allowed) of `map`, 0 <= i < n. Errors:
 * PL_ERR_ARG for a ragged map, PL_ERR_STATE for a map without indices. Collective. */
PL_API pl_err pl_map_permute(const pl_map *map, int n, const int *permutation, const char *name,
                             pl_map **result);

/* Declares the composition: target k of element e is outer[inner[e]][k]. `inner` has arity 1 and ends on the
 * set where `outer` starts; a negative inner index gives negative targets. If `inner` is the map from
 * particles to their cells, the composition is updated when particles move, are added or removed; then, on
 * several ranks, loops through it may only read dats or increment them (else PL_ERR_ACCESS). Collective. */
PL_API pl_err pl_map_compose(const pl_map *outer, const pl_map *inner, const char *name, pl_map **result);

/* Declares a ragged map (CSR): the targets of element e are values[k], offsets[e] <= k < offsets[e + 1].
 * `offsets` holds pl_set_total(from) + 1 ascending numbers from 0 on. A kernel reads the dats of a row
 * through pl_row_* (plait/kernels.h). On several ranks rows are those of the rank's owned elements (both
 * pointers may be NULL if there are none) and values are global indices; pl_decl_map_ragged_global takes
 * these in 64 bits. Errors: PL_ERR_RANGE for descending offsets and values outside `to`, naming the entry.
 * Collective. */
PL_API pl_err pl_decl_map_ragged(pl_set *from, pl_set *to, const int *offsets, const int *values,
                                 const char *name, pl_map **map);
PL_API pl_err pl_decl_map_ragged_global(pl_set *from, pl_set *to, const int *offsets, const int64_t *values,
                                        const char *name, pl_map **map);

/* Declares the inverse of a map (not a pair map) as a ragged map: row t holds the elements with target t,
 * ascending, repeated for each occurrence; entries without target are left out. On several ranks each rank
 * gets the rows of the targets it owns. Collective. */
PL_API pl_err pl_map_invert(const pl_map *map, const char *name, pl_map **result);

/* Arity (0: ragged); the sets it leads from and to; name; indices (NULL if undefined), and row offsets of a
 * ragged map (else NULL). The arrays belong to the map. On several ranks indices are positions in host views,
 * halos included, and NULL before the first loop has distributed the sets. Local. */
PL_API int pl_map_arity(const pl_map *map);
PL_API pl_set *pl_map_from(const pl_map *map);
PL_API pl_set *pl_map_to(const pl_map *map);
PL_API const char *pl_map_name(const pl_map *map);
PL_API const int *pl_map_indices(const pl_map *map);
PL_API const int *pl_map_offsets(const pl_map *map);

/* Frees a map. Collective. */
PL_API void pl_map_free(pl_map **map);

PL_EXTERN_C_END

#endif
