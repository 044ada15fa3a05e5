/* SPDX-License-Identifier: BSD-2-Clause
 * Sparse tiling: loops of a schedule are deferred and run tile by tile.
 */
#pragma once

#include "backends/host/host.h"
#include "core/chain/chain.h"

pl_err pl_tiling_begin(pl_context *pl, pl_schedule *schedule);
pl_err pl_tiling_defer(pl_host_code *code, const pl_loop_range *range, bool *deferred);
pl_err pl_tiling_flush(pl_context *pl); /* runs the deferred loops */
pl_err pl_tiling_end(pl_context *pl);
void pl_tiling_free(pl_context *pl, void *tiling);
