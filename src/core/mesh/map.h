/* SPDX-License-Identifier: BSD-2-Clause
 * Maps between sets, of fixed arity or ragged.
 */
#pragma once

#include "core/context/context.h"

struct pl_halo;
struct pl_mover;

/* Of the positions of a matrix's local tensors: tensor row i of block[0] values belongs to target i of `of`,
 * and the blocks of row r begin at offset[r] (plan/sparsity). */
typedef struct pl_tensor_rows {
  const struct pl_map *of; /* NULL: these are not known */
  const int *offset;       /* nrows + 1; a rank's own rows */
  int nrows, block[2];
} pl_tensor_rows;

/* A map: index[arity * e + k], every value in [0, to) or negative. If block_values > 1, the targets k of an
 * element are a matrix tensor[0] x tensor[1] of blocks of so many targets that follow each other, and index
 * has the first target of each block: pl_map_target. A ragged map has arity 0 and `offset`: row
 * e is index[offset[e] .. offset[e + 1]), without negative values. On several ranks an undistributed map has
 * `global_index` instead of `index`. */
struct pl_map {
  pl_node node;
  pl_set *from, *to;
  int arity;
  int *offset;                  /* from->end[3] + 1; NULL: fixed arity */
  int *index;                   /* NULL: undefined */
  bool has_negative;            /* some entry is negative */
  bool injective;               /* no target is reached twice: accesses through it never collide */
  void *device, *device_offset; /* the backend's copies */
  void *device_narrow,
    *device_base;         /* the same rows in 16 bits (plan/execution/narrow_rows.h), if narrow > 0 */
  signed char narrow;     /* 1: nearly all rows fit; -1: they do not; 0: unknown */
  pl_dat *row_mask;       /* of an internal map: only rows where this dat of `from` is not zero are read */
  bool internal;          /* derived from other maps, in storage order (codegen/fusion/fusion_cache.h) */
  int core_known;         /* pl_map_core + 1; 0: unknown */
  bool pair_map;          /* a neighbour list; no offset, no index */
  struct pl_pairs *pairs; /* created on first use */
  struct pl_mover *mover; /* of particles that are tracked (core/particles/mover.h); else NULL */
  pl_map *outer,
    *inner; /* of a composition: outer[inner[e]], which follows particles if `inner` leads to their cells */
  int *user_index, *user_offset; /* copies in user order, created on first use */
  bool exposed;                  /* the user holds index and offset: reordering must not modify them */
  bool locality_checked;         /* by renumbering */
  bool no_exec_halo;             /* `from` has none: increments of halo copies are sent to their owners */
  int block_values;              /* 1, or the targets of a block */
  int tensor[2]; /* of the positions of a matrix: rows and columns of an element's local tensor; else 0 */
  pl_tensor_rows tensor_rows;
  bool in_picture;       /* the corners of cells in a checkpoint (pl_vtk_grid) */
  bool masked;           /* positions that follow the masks of a matrix argument */
  struct pl_halo *halo;  /* the partial halo that it reaches; NULL: all of the target set's halo */
  int64_t *global_index; /* of an undistributed map: rows of owned elements */
};

/* Elements whose narrow rows have one base. */
enum { PL_NARROW_BLOCK = 64 };

void pl_map_destroy(pl_node *map);

/* Core elements of an internal map's `from` in front of the first one that reaches the halo. */
int pl_map_core(pl_map *map);

/* Frees the backend's copies: the indices change. */
void pl_map_drop_copies(pl_map *map);

/* Entries of `index` for an element, of a fixed arity; for all elements; the first one of an element. */
static inline int pl_map_row(const pl_map *map)
{
  return map->arity / map->block_values;
}
size_t pl_map_entries(const pl_map *map);
static inline size_t pl_map_begin(const pl_map *map, size_t element)
{
  return map->offset ? (size_t)map->offset[element] : element * (size_t)pl_map_row(map);
}

/* The entry, counted from the row's first, of target k of a map of fixed arity, and how far behind the
 * entry's target it is. */
int pl_map_entry(const pl_map *map, int k, int *behind);
int pl_map_block_target(const pl_map *map, size_t element, int k);

/* Target k of an element; negative: none. */
static inline int pl_map_target(const pl_map *map, size_t element, int k)
{
  if (map->block_values > 1) return pl_map_block_target(map, element, k);
  return map->index[pl_map_begin(map, element) + (size_t)k];
}

/* Creates a map of any kind; takes `offset` (NULL: fixed arity) and `index` over on success only. */
pl_err pl_map_new(pl_set *from, pl_set *to, int *offset, int *index, const char *name, pl_map **map);
/* Creates a map of fixed arity whose indices (pl_malloc_array, or NULL) are in storage order; frees them if
 * it fails. */
pl_err pl_map_enter(pl_set *from, pl_set *to, int arity, int *index, const char *name, pl_map **map);
/* The indices of outer[inner[e]] in storage order: for each target of `inner` those of `outer`. With room for
 * the elements that the set has room for (pl_free_array); NULL with the error set. */
int *pl_map_composed(const pl_map *outer, const pl_map *inner);
/* Fails unless `from` and `to` can be the ends of a map. */
pl_err pl_map_check_ends(const pl_set *from, const pl_set *to, const char *name);

/* The indices as ints (pl_free_array); negative ones become -1, too large ones INT32_MAX. NULL: no memory. */
int *pl_map_ints(pl_context *pl, size_t n, const int64_t *index);
