/* SPDX-License-Identifier: BSD-2-Clause
 * Dats: values on the elements of a set.
 */
#pragma once

#include "core/base/layout_name.h"
#include "core/context/context.h"

struct pl_halo;

/* A dat: values element by element. `host` is NULL until first used (zeros). Which copy is valid:
 * coherence.h; without a device only the host copy exists. */
struct pl_dat {
  pl_node node;
  pl_set *set;
  int dim, rank;
  int *shape; /* rank extents */
  pl_type type;
  void *host, *device;
  int layout, pack;  /* of the device copy: PL_AOS, PL_SOA or V > 1, tiles of V elements (layout.h) */
  bool block_local;  /* of a loop in blocks: in the local memory of each block, never stored */
  bool pinned;       /* the layout was requested or is known to the user: it must not change */
  bool host_stale;   /* host storage exists, but only the device copy is valid */
  bool device_valid; /* the device copy is valid */
  bool halo_stale;   /* other ranks may have changed the halo's elements; equal on all ranks */
  const struct pl_halo *partial_halo; /* up to date although halo_stale, while version is partial_version */
  uint64_t partial_version;
  pl_access frozen; /* 0, or the only access that loops may have, without exchanges */
  uint64_t version;
  int readers;                 /* open PL_READ views */
  bool writer;                 /* an open PL_RW or PL_WRITE view */
  void *user_view;             /* the copy in user order that an open view shows; NULL: host storage */
  struct pl_pages *view_pages; /* with PLAIT_CHECK, of the open view or the last one; else NULL */
  bool poisoned;               /* what the open view does not write is poison */
  struct pl_kept *kept;        /* with PLAIT_CHECK, the values after the last loop (coherence.h); or NULL */
  int room;                    /* elements that the device copy has room for */
  pl_dat *spare; /* second storage for permutations (arrays/sort_select.h), no object; or NULL */
};

void pl_dat_destroy(pl_node *dat);

/* Bytes per element; bytes of the storage on one side, unused capacity included. */
size_t pl_dat_stride(const pl_dat *dat);
size_t pl_dat_room_bytes(const pl_dat *dat);

/* PL_ERR_TYPE unless the dats have the same set and dim. */
pl_err pl_dat_check_like(const char *what, const pl_dat *a, const pl_dat *b);
/* PL_ERR_ARG unless `subset` is the dat's set or a subset of it. */
pl_err pl_dat_check_subset(const char *what, const pl_dat *dat, const pl_set *subset);

/* An internal dat of one value an element. Local. */
pl_err pl_dat_new(pl_set *set, pl_type type, const char *name, pl_dat **dat);

/* Zeroes a dat at once, without a new version. */
pl_err pl_dat_zero_now(pl_dat *dat);

void pl_dat_drop_spare(pl_dat *dat);

/* PL_ERR_STATE if any host view, a writable one, or one that forbids the access is open; `what` begins the
 * sentence. */
pl_err pl_dat_check_no_views(const pl_dat *dat, const char *what);
pl_err pl_dat_check_no_writer(const pl_dat *dat, const char *what);
bool pl_dat_view_blocks(const pl_dat *dat, bool writes);
