/* SPDX-License-Identifier: BSD-2-Clause
 * Halo lists of a group of connected sets while they are distributed: which ranks keep copies of which
 * elements.
 */
#pragma once

#include "core/exchange/halo.h"
#include "core/mesh/owner_directory.h"
#include "plan/base/arena.h"

/* Elements sent to other ranks, rank by rank (`out`: owned rows), and copies received from them (`in`: global
 * indices). Counts are by rank. */
typedef struct pl_copy_lists {
  int64_t *out_count, *in_count;
  pl_ids out, in;
} pl_copy_lists;

/* Flags of owned rows: with a target on another rank; a target of such a row or of the exec halo. */
enum { PL_BOUNDARY = 1, PL_BOUNDARY_TARGET = 2 };

/* A set that is being distributed. Rows: [0, n) owned, then the exec halo, then the nonexec halo. */
typedef struct pl_dist_set {
  pl_set *set;
  int n, ncore;
  pl_directory directory; /* until all copies are known */
  pl_lookup owned;        /* of the owned rows, if their global indices are not consecutive */
  pl_ids remote;          /* global indices of targets that other ranks own, */
  pl_id_table number;     /* their numbers in this list, */
  int *owner, *copy;      /* their owners, and the rows of their copies */
  pl_id_table row;        /* of the copies on this rank, by global index */
  pl_copy_lists exec, nonexec;
  unsigned char *boundary; /* flags of owned rows */
  int *storage_index;      /* of each row */
} pl_dist_set;

/* A map between two such sets; exec: targets of the exec halo's rows, with offsets if it is ragged.
 *
 * While lists are built, a target is a code instead of a global index, so that each index is looked up once:
 * an owned row, -1 for none, or -2 - k for remote index k of the set `to`. */
typedef struct pl_dist_map {
  pl_map *map;
  pl_dist_set *from, *to;
  bool encoded;     /* map->global_index holds codes, */
  size_t numbered;  /* but for remote targets from this entry on -2 - global index */
  bool *remote;     /* of each piece of the owned rows: it has remote targets */
  int64_t *exec;    /* pl_free_array */
  int *exec_offset; /* pl_free */
} pl_dist_map;

typedef struct pl_dist_group {
  int nsets, nmaps;
  pl_dist_set *set;
  pl_dist_map *map;
} pl_dist_group;

/* Rows on this rank, with copies. */
int pl_dist_set_rows(const pl_dist_set *ds);

/* The targets of an owned row or one of the exec halo, as codes; returns how many. */
int pl_dist_map_row(const pl_dist_map *dm, int row, const int64_t **targets);

/* The storage index of a code; -1: no target. */
static inline int pl_dist_target(const pl_dist_set *to, int64_t code)
{
  return code == -1 ? -1 : to->storage_index[code >= 0 ? (int)code : to->copy[-2 - code]];
}

/* Builds all lists of a group, and the storage order of its sets. The maps hold codes until they are
 * distributed, or the lists are freed. Collective. */
pl_err pl_halo_lists_build(pl_arena *arena, pl_dist_group *group);
void pl_halo_lists_free(pl_context *pl, pl_dist_group *group);

/* A halo with its neighbours and offsets, for as many items sent to and received from each rank; the caller
 * fills in `send` and `receive`, and frees it after an error too. Local. */
pl_err pl_halo_of_counts(pl_context *pl, const int64_t *count, const int64_t *received_count,
                         pl_halo **result);

/* The owner of each element of a distributed set's halo: owner[element - end[1]]. */
void pl_halo_owners(const pl_set *set, int *owner);

/* Sends one record of `stride` bytes for each owned row to the ranks that keep copies; *received
 * (pl_free_array) holds the records of this rank's copies, in order. Collective. */
pl_err pl_copy_lists_send(pl_arena *arena, const pl_copy_lists *copies, size_t stride, const void *records,
                          void **received);
