/* SPDX-License-Identifier: BSD-2-Clause
 * Struct pl_dat: values on the elements of a set, and the memory that holds them.
 */
#pragma once

#include "core/base/layout_name.h"
#include "core/context/context.h"

struct pl_halo;

/* The values of a dat: zeros where neither copy is valid. `host` is NULL until first used. Only storage.c,
 * and coherence.c for transfers, write these members. Without a device only the host copy exists. */
typedef struct pl_storage {
  void *host, *device;
  void *wrapped; /* the one of the two that is the program's memory: never freed, moved or grown; or NULL */
  int room;      /* elements that the device copy has room for */
  pl_layout layout;  /* of the device copy (layout.h) */
  bool host_stale;   /* host storage exists, but is not valid */
  bool device_valid; /* the device copy is valid */
  bool zeros;        /* the valid copies were set to zeros, halo aside (pl_dat_holds_zeros) */
  bool halo_stale;   /* other ranks may have changed the halo's elements; equal on all ranks */
  const struct pl_halo *partial_halo; /* up to date although halo_stale, while version is partial_version */
  uint64_t partial_version;
} pl_storage;

struct pl_dat {
  pl_node node;
  pl_set *set;
  int dim, rank;
  int *shape; /* rank extents */
  pl_type type;
  pl_storage storage;
  bool block_local;               /* of a loop in blocks: in the local memory of each block, never stored */
  bool in_picture;                /* the coordinates of its set in a checkpoint (pl_vtk_grid) */
  bool pinned;                    /* the layout was requested or is known to the user: it must not change */
  pl_access frozen;               /* 0, or the only access that loops may have, without exchanges */
  uint64_t version, zero_version; /* the values are zeros while both are the same and not 0 */
  int readers;                    /* open PL_READ views */
  struct pl_node *matrix;         /* whose values these are, and which frees the dat; NULL: none */
  bool writer;                    /* an open PL_RW or PL_WRITE view */
  int device_views;               /* of these, views of device memory (core/interop) */
  void *user_view;                /* the copy in user order that an open view shows; NULL: host storage */
  struct pl_pages *view_pages;    /* with PLAIT_CHECK, of the open view or the last one; else NULL */
  bool poisoned;                  /* values that the open view does not write are poison */
  struct pl_kept *kept; /* with PLAIT_CHECK, the values after the last loop (kept_values.h); or NULL */
  pl_dat *spare;        /* second storage for permutations (arrays/sort_select.h), no object; or NULL */
  pl_dat *device_copy;  /* the copy in user order that open device views show, no object; or NULL */
  void (*release)(void *owner); /* called with `owner`, of the memory that the dat wraps, when it is freed */
  void *owner;
  struct pl_export *exports; /* open DLPack tensors (core/interop/dlpack.c) */
};
