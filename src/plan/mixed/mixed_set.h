/* SPDX-License-Identifier: BSD-2-Clause
 * Mixed sets. The program's sets have one reference more for each mixed set (pl_set.ref).
 */
#pragma once

#include "core/data/objects.h"

struct pl_mixed_set {
  pl_node node;
  int n;
  pl_set **set;
  int *dim;
  int ref;         /* mixed maps, dats and matrices declared on it */
  pl_set *whole;   /* of all values; NULL: not declared yet, nor the following */
  pl_dat **number; /* of each part: 1 + the global index in `whole` of an element's first value */
  pl_map **into;   /* from each part to `whole` */
};

/* An array of n pointers, or other elements, of a mixed object; NULL with the error set. */
void *pl_mixed_list(pl_context *pl, int n, const void *given, size_t size);

void pl_mixed_set_destroy(pl_node *node);
