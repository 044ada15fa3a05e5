/* SPDX-License-Identifier: BSD-2-Clause
 * Arguments of a loop's kernels, by their lists of parameters, and launches.
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
  int from_zero;       /* PL_SLOT_FROM_ZERO */
  bool reduces;
  int turn;   /* PL_SLOT_TURN */
  int single; /* PL_SLOT_SINGLE; set by the launch */
} pl_work;

/* PL_ERR_RANGE if a kernel of the strategy takes more arguments than a device allows. */
pl_err pl_check_arguments(const pl_device_code *code, const pl_strategy *s);

/* Values for the parameters of one of its kernels. */
void pl_push_arguments(pl_kernel_args *args, pl_device_code *code, const pl_strategy *s, const pl_work *work,
                       const pl_param_list *list);
pl_err pl_launch_blocks(pl_device *device, const pl_strategy *s, pl_work *work, const pl_kernel_args *args);
/* Each target adds up its stored increments. */
pl_err pl_launch_sum(pl_device *device, pl_device_code *code, const pl_strategy *s);
pl_err pl_launch_finish(pl_device *device, pl_device_code *code, const pl_strategy *s,
                        const pl_loop_range *range);
