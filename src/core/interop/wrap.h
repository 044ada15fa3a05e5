/* SPDX-License-Identifier: BSD-2-Clause
 * Dats in memory of the program.
 */
#pragma once

#include "core/storage/storage.h"

typedef struct pl_wrapping {
  bool on_device;
  pl_layout layout;
  void *memory;
} pl_wrapping;

/* pl_dat_wrap with several extents. `what` begins sentences; `err` is what the caller has found wrong, or
 * PL_SUCCESS. Collective. */
pl_err pl_wrap(const char *what, pl_err err, pl_set *set, int rank, const int *shape, pl_type type,
               const pl_wrapping *wrapping, const char *name, pl_dat **dat);
