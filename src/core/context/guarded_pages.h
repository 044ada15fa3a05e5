/* SPDX-License-Identifier: BSD-2-Clause
 * Memory on pages of its own, for checked runs: an access behind its end, or after pl_pages_protect, ends the
 * program at the place of the error.
 */
#pragma once

#include "plait.h"

typedef struct pl_pages {
  char *first;
  size_t bytes; /* with the pages behind the end */
  void *values; /* aligned to 16 bytes */
} pl_pages;

pl_pages *pl_pages_new(pl_context *pl, size_t bytes); /* NULL: no memory */
void pl_pages_protect(const pl_pages *pages);
void pl_pages_free(pl_context *pl, pl_pages *pages); /* NULL is fine */
