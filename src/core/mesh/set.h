/* SPDX-License-Identifier: BSD-2-Clause
 * Sets and subsets.
 */
#pragma once

#include "core/context/context.h"

struct pl_cuts;
struct pl_halo;
struct pl_user_order_dats;

/* A set: end[0] core, end[1] owned, end[2] with exec halo, end[3] with nonexec halo (cumulative, monotone). A
 * subset has a parent and sorted unique `indices` into it; its ends count positions in `indices`.
 *
 * Storage order is internal (renumbered, partitioned); maps, dats and subsets are all stored in this order,
 * and plans and loops use no other. `user_order` maps positions in user order to storage, and `global` holds
 * the global index of each stored element, which is its number for the user. Both are NULL until elements are
 * reordered. Invariant: `user_order` is a permutation of [0, end[3]); positions below end[1] are owned
 * elements by ascending `global`. */
struct pl_set {
  pl_node node;
  int end[4];
  int capacity;           /* elements that its dats have room for, once it was resized; else 0 */
  pl_set *parent;         /* NULL for a set */
  int *indices;           /* NULL for a set */
  void *device;           /* the backend's copy of them */
  int ref;                /* maps, dats and subsets declared on it */
  bool anonymous;         /* the set of an array, freed with its last dat */
  int64_t *global;        /* end[3] global indices, in storage order; NULL: positions */
  void *global_device;    /* the backend's copy of them */
  int *user_order;        /* position in user order -> storage; NULL: the same */
  int index_room;         /* capacity of `global` and `user_order`; 0: end[3] */
  bool user_order_stale;  /* `user_order` must be sorted again (pl_user_order_sort): particles migrated */
  bool copies_unnumbered; /* on all ranks: `global` ends at end[1] until pl_halo_number is called */
  struct pl_user_order_dats *user_order_dats; /* user order for backends (user_order_copy.c), on first use */
  int *user_indices; /* of a subset: `indices` in the parent's user order, created on first use */
  pl_map *pairs;     /* the map whose pairs are the elements (core/particles/pair_map.h); else NULL */
  bool exposed;      /* the user holds `indices`: reordering must not modify it */
  int numberings;    /* sparsities and positions of matrices that its storage order is part of */
  /* On several ranks (plan/distribution/distribute.h): */
  int64_t first, global_size; /* global index of the first declared element; elements of all ranks */
  int64_t global_end;         /* above all global indices; above global_size once elements were removed */
  int declared;               /* elements that this rank declared; -1 once elements were added or removed */
  struct pl_halo *halo;       /* core/exchange/halo.h; NULL: undistributed */
  bool marked;                /* scratch of plan/distribution/connected_sets.c */
  bool migrates;              /* particles move between ranks, so chains derive no maps from its maps */
  uint64_t order_version;     /* incremented when elements are reordered or migrate */
  const pl_map *core_of; /* of a subset of the library: by this map its core reaches no halo, and its core and
                          * boundary ascend each; else NULL */
  struct pl_cuts *cuts;  /* the domain decomposition of particles (plan/particles/domain_decomposition.h) */
};

/* Frees a set even if other objects refer to it. */
void pl_set_destroy(pl_node *set);

/* Elements that the storage of the set's dats has room for. */
int pl_set_room(const pl_set *set);

/* The element of the base at a position of a set or subset. */
static inline int pl_element_at(const pl_set *set, int position)
{
  return set->indices ? set->indices[position] : position;
}

/* The set itself, or the parent of a subset. */
pl_set *pl_set_base(pl_set *set);

/* Rows of a declaration: all elements, or on several ranks the owned ones. */
int pl_set_rows(const pl_set *set);

/* Threads for `work` values of a mesh. On a backend that runs on one thread it is one, so that a program may
 * fork (plait.h). */
int pl_mesh_threads(const pl_context *pl, size_t work);
