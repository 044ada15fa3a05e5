/* SPDX-License-Identifier: BSD-2-Clause
 * Partitioning of sets over MPI ranks, halos (docs/mpi.md), and renumbering of storage. */
#ifndef PLAIT_RANKS_H
#define PLAIT_RANKS_H

#include <plait/dats.h>

PL_EXTERN_C_BEGIN

/* ---- partitioning and halos ---- */

/* Partitioning methods. */
typedef enum pl_partition_method {
  PL_PARTITION_BLOCK,     /* equal ranges of global indices */
  PL_PARTITION_RANDOM,    /* pseudo-random by `seed` and global index: for tests */
  PL_PARTITION_USER,      /* given in `part` */
  PL_PARTITION_BISECTION, /* recursive coordinate bisection of `coords` */
  PL_PARTITION_CURVE,     /* equal pieces of the Hilbert curve through `coords` */
  PL_PARTITION_KWAY,      /* METIS k-way partition of the graph of `map` */
  PL_PARTITION_SCOTCH     /* PT-Scotch partition of the graph of `map`, which stays distributed */
} pl_partition_method;

/* Options of the methods; zero-initialise. Arrays hold a value for each owned element, as in host views. */
typedef struct pl_partition_options {
  const int *part;      /* USER: target rank of each element */
  uint64_t seed;        /* RANDOM */
  pl_dat *coords;       /* BISECTION, CURVE: 1 to 3 floats or doubles on the set or a set it maps to */
  const double *weight; /* BISECTION, CURVE, KWAY, SCOTCH: weight of each element; NULL: all equal */
  pl_map *map; /* KWAY, SCOTCH: fixed arity, to the set; a row connects its elements. NULL: the largest */
} pl_partition_options;

/* Redistributes a set over the ranks. All sets connected to it by maps follow: an element goes to the owner
 * of its first target, a target to the owner of an element that reaches it. Dats, maps and subsets are
 * migrated. Global indices are kept. Host views then show the elements that the rank now owns; pl_dat_fetch
 * still returns the elements that it declared. Without this call each rank owns those. A no-op on one rank;
 * `options` may be NULL. BISECTION, CURVE and SCOTCH are parallel and need memory for a rank's share
 * only; KWAY gathers the map on rank 0. KWAY and SCOTCH take fewer than 2^31 elements and give the same
 * partition in each call with the same ranks. Errors: PL_ERR_STATE while a host view is open,
 * PL_ERR_RANGE for an invalid rank, a coordinate or weight that is not finite or a negative weight,
 * PL_ERR_BACKEND for KWAY without METIS or SCOTCH without PT-Scotch, PL_ERR_ARG if these find no map to the
 * set. Collective. */
PL_API pl_err pl_partition_sized(pl_set *set, pl_partition_method method, const pl_partition_options *options,
                                 size_t size);
static inline pl_err pl_partition(pl_set *set, pl_partition_method method,
                                  const pl_partition_options *options)
{
  return pl_partition_sized(set, method, options, sizeof *options);
}

/* Quality of the partition of the set that a map leads to. */
typedef struct pl_partition_info {
  double imbalance;  /* maximum over mean of owned elements of a rank */
  int64_t rows, cut; /* rows of the map on all ranks; rows whose targets have several owners (edge cut) */
  int64_t halo;      /* halo elements on all ranks */
  int neighbours;    /* maximum number of ranks one rank exchanges halos with */
} pl_partition_info;

/* Fills `info`. Errors: PL_ERR_ARG for a ragged map or one without indices. Collective. */
PL_API pl_err pl_get_partition_sized(pl_map *map, pl_partition_info *info, size_t size);
static inline pl_err pl_get_partition(pl_map *map, pl_partition_info *info)
{
  return pl_get_partition_sized(map, info, sizeof *info);
}

/* Between these two calls the halo of the dat is not exchanged, and loops must use the dat with this access
 * (else PL_ERR_STATE). Freezing with PL_READ or PL_RW first exchanges the halo; loops then read these copies
 * even after the owners have changed the values. Collective. */
PL_API pl_err pl_dat_freeze_halo(pl_dat *dat, pl_access access);
PL_API pl_err pl_dat_unfreeze_halo(pl_dat *dat);

/* Load imbalance: maximum over mean of owned elements of a rank, 1 for an empty set. Collective. */
PL_API pl_err pl_set_imbalance(const pl_set *set, double *imbalance);

/* ---- renumbering ---- */

/* How pl_renumber orders the base set. RCM: reverse Cuthill-McKee (1969) on the graph in which elements in
 * one row of a map are adjacent. HILBERT: along the Hilbert curve through coordinates. METIS: blocks of about
 * 2048 elements with a small edge cut. AUTO: HILBERT if coordinates are given, else RCM. */
typedef enum pl_renumber_method {
  PL_RENUMBER_AUTO,
  PL_RENUMBER_RCM,
  PL_RENUMBER_HILBERT,
  PL_RENUMBER_METIS
} pl_renumber_method;

/* Renumbers the storage of sets for locality: the base set, to which `map` leads, by `method`; all sets
 * connected to it by maps follow, elements sorted by their targets, targets by first use. User order is
 * unaffected (views, files, indices, pl_arg_idx, messages); only the order in which loops visit elements
 * changes, hence the rounding of sums. Host views of renumbered sets are copies. `map` has fixed arity; NULL:
 * the library chooses. `coords` (1 to 3 floats or doubles, on the base set or a set it maps to) is required
 * by HILBERT and may be NULL otherwise. Option renumber=auto (default) renumbers large meshes in a bad order
 * by itself. With several ranks pl_partition orders each rank's part and this is a no-op. Errors:
 * PL_ERR_STATE while a host view of a dat involved is open, PL_ERR_BACKEND without METIS. Collective. */
PL_API pl_err pl_renumber(pl_context *pl, pl_renumber_method method, pl_map *map, pl_dat *coords);

PL_EXTERN_C_END

#endif
