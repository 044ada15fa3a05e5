/* SPDX-License-Identifier: BSD-2-Clause
 * Counting declared objects, and dropping a backend's copy of an array.
 */
#pragma once

#include "core/data/objects.h"

static inline size_t pl_node_count(const pl_node *list)
{
  size_t n = 0;
  for (; list; list = list->next) n++;
  return n;
}

/* Frees a backend's copy, if there is one. */
static inline void pl_drop_buffer(pl_context *pl, void **buffer)
{
  if (*buffer) pl->backend->data->buffer_free(pl, *buffer);
  *buffer = NULL;
}
