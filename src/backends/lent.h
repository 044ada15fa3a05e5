/* SPDX-License-Identifier: BSD-2-Clause
 * Memory of this process that others of the same machine and user can map. Nothing is left behind when
 * processes end, however they do: the memory has no name, and others reach it through its owner's open file.
 */
#ifndef PLAIT_BACKENDS_LENT_H
#define PLAIT_BACKENDS_LENT_H

#include "device.h"

typedef struct pl_lent {
  void *address;
  size_t size;
  int file;
} pl_lent;

/* New memory, zeroed, and how others find it; memory that another process has made and not closed. */
pl_err pl_lent_new(pl_context *pl, size_t size, pl_lent *lent, pl_handle *handle);
pl_err pl_lent_open(pl_context *pl, const pl_handle *handle, pl_lent *lent);
void pl_lent_close(pl_lent *lent);

#endif
