/* SPDX-License-Identifier: BSD-2-Clause
 * Preparing a loop for a device: checks, strategies with their kernels, and buffers.
 */
#pragma once

#include "backends/device_strategy/strategy.h"
#include "backends/tuning/tuner.h"

struct pl_host_code;

typedef struct pl_device_code {
  pl_loop *loop;
  pl_signature signature;
  int nstrategies, now; /* still compared by strategy_tuner.c; the one that runs */
  pl_strategy strategy[PL_MAX_STRATEGIES];
  bool boundary_runs;   /* launched by the exchange, in this call */
  int starts_from_zero; /* bit i: the global of argument i is zero and was not uploaded */
  pl_tuner tuner;       /* of the strategies */
  void *clock[2];       /* events round a call */
  double spent;         /* seconds of this call */
  pl_string record;     /* the key of the choice in the cache */
  void *consts;         /* struct pl_consts */
  void *host_consts;    /* the same on the host, passed by value */
  void **const_values;  /* by argument: consts passed as arguments */
  uint64_t const_version;
  struct pl_host_code *reference; /* with PLAIT_CHECK */
  char variant[PL_VARIANT];
} pl_device_code;

pl_err pl_device_prepare(pl_context *pl, pl_loop *loop);
/* Starts to compile a loop in the background, for pl_device_prepare. Fails only without memory. */
pl_err pl_device_prefetch(pl_context *pl, pl_loop *loop);
/* What the strategy that runs now needs on the device, unless it was there before: maps, lists, buffers. */
pl_err pl_device_complete(pl_device *device, pl_device_code *code);
void pl_device_release(pl_context *pl, pl_loop *loop);
/* The code whose strategy runs now: the loop's own, or that of a gathered one. */
pl_device_code *pl_running_code(pl_device_code *code);
/* Compiles the kernels of a call that increments zeros; without them sums are added. */
void pl_device_ready(pl_device *device, pl_device_code *code);
/* The kernel's source, with the layout of consts; NULL: no strategy has a text of its own. */
const pl_source *pl_device_source(const pl_device_code *code);
/* loop->stores becomes true if the strategy that runs next stores sums instead of adding them. */
void pl_device_note_stores(pl_device_code *code);
pl_err pl_device_run_reference(pl_context *pl, pl_loop *loop, const pl_loop_range *range);
