/* SPDX-License-Identifier: BSD-2-Clause
 * Strategies: how a loop on a device resolves conflicting increments (pl_conflict), with plans, generated
 * text, kernels and buffers.
 */
#pragma once

#include "backends/device/driver.h"
#include "codegen/loop/emitter.h"
#include "core/context/backend.h"

enum { PL_LOOP_RANGES = 3, PL_MAX_STRATEGIES = 4, PL_VARIANT = 200 };

/* Launches for a range of the set. */
typedef struct pl_strategy_range {
  const pl_plan *plan; /* blocks by colour; NULL: one launch */
  size_t shared;       /* bytes of local memory of a block */
} pl_strategy_range;

/* The value of a parameter that is the strategy's own: a buffer or, where it is passed by value, a number. */
typedef struct pl_strategy_value {
  pl_param_slot slot;
  int range; /* that it is for; -1: all */
  int number;
  void *buffer;
} pl_strategy_value;

typedef struct pl_strategy {
  pl_loop *loop;
  pl_emit_options options;
  pl_loop_text program;
  pl_module *module;
  bool has_limit;           /* the limit of registers is chosen */
  void *run, *sum, *finish; /* kernels; sum: for PL_STORED only; finish: for reductions only */
  pl_strategy_range range[PL_LOOP_RANGES];
  int nvalues;
  pl_strategy_value *value;
  int nslots, ntargets;           /* gather and store: increments of an element */
  int core_targets, targets_done; /* gather: targets that only core elements reach; launched so far */
  int most_blocks, waves;         /* of a loop with results and without a plan; times so many at most */
  int resident;                   /* blocks that run at the same time, if each may run several; else 0 */
  bool gathered;                  /* loop->gathered runs instead, with its own text and kernels */
  bool complete;                  /* pl_strategy_complete has made its lists and buffers */
} pl_strategy;

/* Makes the text of a strategy and the plans that it depends on, and starts to compile it. *fits: the device
 * has enough local memory; if not, `why` (PL_VARIANT bytes) says so. A failed or unfit strategy must still be
 * freed. */
pl_err pl_strategy_make(pl_device *device, pl_loop *loop, const pl_signature *signature, pl_conflict conflict,
                        pl_strategy *s, bool *fits, char *why);
/* Then its kernels; several strategies are compiled at the same time. Each kernel has the smallest limit of
 * registers with which it does not spill. */
pl_err pl_strategies_build(pl_device *device, const pl_signature *signature, int n, pl_strategy *s);
/* Before the strategy runs: its lists and buffers. */
pl_err pl_strategy_complete(pl_device *device, pl_strategy *s);
void pl_strategy_free(pl_device *device, pl_strategy *s);

int pl_strategy_blocks(const pl_strategy *s, int n);                       /* that run n elements */
int pl_strategy_results(const pl_strategy *s, const pl_loop_range *range); /* of blocks of a range */
bool pl_strategy_is_planned(const pl_strategy *s);                         /* ranges run apart */
