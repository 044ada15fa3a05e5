/* SPDX-License-Identifier: BSD-2-Clause
 * Verifier of sparse tiles.
 */
#ifndef PLAIT_PLAN_CHAIN_SPARSE_TILING_VERIFY_H
#define PLAIT_PLAN_CHAIN_SPARSE_TILING_VERIFY_H

#include <stdbool.h>
#include "sparse_tiling.h"

/* Whether the invariant of sparse_tiling.h holds; if not, *why says why. */
bool pl_tiles_are_valid(const pl_tile_request *request, const pl_tiles *tiles, const char **why);

#endif
