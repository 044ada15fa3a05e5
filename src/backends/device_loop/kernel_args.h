/* SPDX-License-Identifier: BSD-2-Clause
 * Arguments of a loop's kernels, in the order of the parameters that codegen/device prints, and launches.
 */
#pragma once

#include "loop_prepare.h"

enum { PL_MAX_KERNEL_ARGS = 120 };

typedef struct pl_kernel_args {
  int n;
  pl_launch_arg arg[PL_MAX_KERNEL_ARGS]; /* addresses of values, read by each launch */
} pl_kernel_args;

/* Elements, or targets of a gather, that the kernel runs now, and blocks of one launch. */
typedef struct pl_work {
  int number; /* of the range whose buffers are used */
  pl_run run;
  const pl_plan *plan; /* launched colour by colour; NULL: at once */
  int first, blocks;   /* with a plan, the first block of the colour */
  bool reduces;
} pl_work;

/* PL_ERR_RANGE if a strategy's kernel takes more arguments than a device allows. */
pl_err pl_check_arguments(const pl_device_code *code, const pl_strategy *s);

void pl_push_arguments(pl_kernel_args *args, pl_device_code *code, pl_strategy *s, const pl_work *work);
pl_err pl_launch_blocks(pl_device *device, const pl_strategy *s, const pl_work *work,
                        const pl_kernel_args *args);
pl_err pl_launch_sum(pl_device *device, pl_strategy *s); /* each target adds up its stored increments */
pl_err pl_launch_finish(pl_device *device, pl_device_code *code, pl_strategy *s, const pl_loop_range *range);
