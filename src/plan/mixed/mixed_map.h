/* SPDX-License-Identifier: BSD-2-Clause
 * Mixed maps. A map that the program frees is NULL in the list.
 */
#pragma once

#include "mixed_set.h"

struct pl_mixed_map {
  pl_node node;
  pl_mixed_set *to;
  pl_set *from;
  pl_map **map;
  bool *own;     /* the map was made for the mixed map */
  pl_map *whole; /* to to->whole, from the time when that is declared */
};

/* Makes map->whole of a mixed map whose mixed set has one set of all values. Collective. */
pl_err pl_mixed_map_join(pl_mixed_map *map);

/* PL_ERR_STATE if a map was freed. */
pl_err pl_mixed_map_check(const pl_mixed_map *map);

void pl_mixed_map_destroy(pl_node *node);
