/* SPDX-License-Identifier: BSD-2-Clause
 * Counting declared objects.
 */
#pragma once

#include "core/data/objects.h"

static inline size_t pl_node_count(const pl_node *list)
{
  size_t n = 0;
  for (; list; list = list->next) n++;
  return n;
}
