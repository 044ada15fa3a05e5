/* SPDX-License-Identifier: BSD-2-Clause
 * Rows of maps in half the memory: each target as a 16-bit distance from the least target of its block of
 * PL_NARROW_BLOCK elements.
 */
#pragma once

#include "core/mesh/map.h"
#include "core/mesh/set.h"

/* Finds out, once, whether 16 bits hold the targets of nearly all blocks of a map (pl_map.narrow). */
void pl_map_find_narrow(pl_map *map);

/* narrow[k]: entry k of the map, less base[block of its element]. A block with targets that are too far apart
 * has base -1; its entries in `narrow` are 0. */
void pl_narrow_rows_fill(const pl_map *map, uint16_t *narrow, int *base);
