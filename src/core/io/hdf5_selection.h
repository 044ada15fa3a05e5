/* SPDX-License-Identifier: BSD-2-Clause
 * Which objects an HDF5 file holds.
 */
#pragma once

#include "core/context/context.h"

enum { PL_H5_SETS, PL_H5_MAPS, PL_H5_DATS, PL_H5_CONSTS, PL_H5_GLOBALS, PL_H5_DOMAINS, PL_H5_KINDS };

typedef struct pl_h5_selection {
  pl_context *pl;
  bool all;                      /* of sets, maps, dats and consts */
  bool state;                    /* of a checkpoint: also globals and domains */
  const void *list[PL_H5_KINDS]; /* of pointers, up to NULL; NULL: none */
} pl_h5_selection;

/* `objects` NULL: all. */
pl_h5_selection pl_h5_select(pl_context *pl, const pl_hdf5_objects *objects);

/* Rejects objects that cannot be written, before the file is created. Collective. */
pl_err pl_h5_check_selection(const pl_h5_selection *s, const char *path);

/* The first object of a kind; the first one from `node` on that is written; NULL: none. */
pl_node *pl_h5_first(const pl_context *pl, int kind);
pl_node *pl_h5_next(const pl_h5_selection *s, int kind, pl_node *node);

#define PL_EACH_WRITTEN(s, kind, node)                                                                       \
  for (pl_node *node = pl_h5_next((s), (kind), pl_h5_first((s)->pl, (kind))); node;                          \
       node = pl_h5_next((s), (kind), node->next))
