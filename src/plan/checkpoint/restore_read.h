/* SPDX-License-Identifier: BSD-2-Clause
 * The values that pl_restore has read, object by object.
 */
#pragma once

#include "core/data/objects.h"
#include "core/io/hdf5_write.h"
#include "core/mesh/row_numbers.h"
#include "core/particles/pair_map.h"

/* The values of an object in a file: this rank's block of rows, or all values of a const, global or domain;
 * of a set their number, of particles also their places in memory and the rows of their map to cells. */
typedef struct pl_restored {
  int kind; /* PL_H5_SETS, ... */
  pl_node *node;
  pl_h5_block block;
  char *values; /* pl_free_array */
  char *places; /* of particles, a block of rows (places.h); pl_free_array */
  bool differs; /* particles: other places or cells than those of the program */
  bool done;    /* set with the particles */
} pl_restored;

typedef struct pl_restored_list {
  pl_context *pl;
  int n;
  pl_restored *item;
} pl_restored_list;

/* Reads and verifies a whole file. Changes nothing. Free the list also after an error. Collective. */
pl_err pl_restore_read(const pl_h5_selection *s, const char *path, const char *manifest,
                       pl_restored_list *list);
void pl_restored_free(pl_restored_list *list);
