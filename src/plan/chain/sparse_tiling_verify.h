/* SPDX-License-Identifier: BSD-2-Clause
 * Verifier of sparse tiles.
 */
#pragma once

#include <stdbool.h>
#include "sparse_tiling.h"

/* Whether the invariant of sparse_tiling.h holds; if not, *why says why. */
bool pl_tiles_are_valid(const pl_tile_request *request, const pl_tiles *tiles, const char **why);
