/* SPDX-License-Identifier: BSD-2-Clause
 * The parameters of a loop's kernels on devices: pl_loop_text.run, sum and finish.
 */
#pragma once

#include <stdbool.h>
#include "codegen/loop/operand.h"

/* Puts the kernel's range, the conflict strategy and the end of reductions in front of the parameters that
 * pl_run has, and makes the lists of the other kernels. */
pl_err pl_device_parameters_make(pl_emitter *e);

/* Whether blocks are those of a plan, and whether a launch runs those of one colour. */
bool pl_blocks_are_planned(const pl_emitter *e);
bool pl_blocks_are_coloured(const pl_emitter *e);
