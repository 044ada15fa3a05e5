/* SPDX-License-Identifier: BSD-2-Clause
 * Strategies: how a loop on a device resolves conflicting increments (pl_conflict), with plans, generated
 * text, kernels and buffers.
 */
#pragma once

#include "backends/device/driver.h"
#include "codegen/loop/emitter.h"
#include "core/context/backend.h"

enum { PL_LOOP_RANGES = 3, PL_MAX_STRATEGIES = 4, PL_VARIANT = 200 };

/* Kernel arguments of a range of the set, other than slots, in the order of the parameters. */
typedef struct pl_strategy_range {
  const pl_plan *plan; /* blocks by colour; NULL: one launch */
  int nbuffers, noffsets;
  void **buffer;
  int *offset;   /* of copies in local memory */
  size_t shared; /* bytes of local memory of a block */
} pl_strategy_range;

typedef struct pl_strategy {
  pl_loop *loop;
  pl_emit_options options;
  pl_loop_text program;
  void *run, *sum, *finish; /* kernels; sum: for PL_STORED only; finish: for reductions only */
  pl_strategy_range range[PL_LOOP_RANGES];
  int ntargets, row_stride;          /* gather and store */
  int core_targets, targets_done;    /* gather: targets that only core elements reach; launched so far */
  int most_blocks;                   /* of a loop with results and without a plan */
  void **contribution;               /* store: by the first argument that increments a dat */
  void **partial, **partial_element; /* by argument: results of blocks, and the element of an extreme */
  void **winner;                     /* the element of a global extreme with payload */
  void *block_counter;               /* of blocks that have reached the end of reductions */
} pl_strategy;

/* Makes a strategy. *fits: the device has enough local memory; if not, `why` (PL_VARIANT bytes) says so. A
 * failed or unfit strategy must still be freed. */
pl_err pl_strategy_make(pl_device *device, pl_loop *loop, const pl_signature *signature, pl_conflict conflict,
                        pl_strategy *s, bool *fits, char *why);
void pl_strategy_free(pl_device *device, pl_strategy *s);

int pl_strategy_blocks(const pl_strategy *s, int n);                       /* that run n elements */
int pl_strategy_results(const pl_strategy *s, const pl_loop_range *range); /* of blocks of a range */
bool pl_strategy_is_planned(const pl_strategy *s);                         /* ranges run apart */
