/* SPDX-License-Identifier: BSD-2-Clause
 * Names in generated text, after the parameters of the kernel. For parameters q1, q2 (of one dat), x (all
 * targets of a map) and rms (a reduction):
 *
 *   q1, x, rms           private copies: the values that the kernel gets
 *   dat_q, stride_q      the dat (dat_q1 if another object's parameter is called q), its stride
 *   pointers_x           a pointer into x for each target
 *   value_rms            a global or const that is read
 *   result_rms           the result of a range or block; seen_rms: the same, read past the caches
 *   sum_rms, min_, max_  the result while the loop runs (best_: of a payload); sum_q: of a target or particle
 *   holder_rms, winner_rms     the elements that hold an extreme in result_rms, in min_rms
 *   global_rms, keeper_rms     the global itself, and the element that holds it
 *   block_rms, winners_rms, source_rms   shared by a block: results, their elements, their blocks
 *   block_q              values that a block computes first
 *   block0_q, start0_q   the block's copy of a dat by list 0, and where it starts
 *   lanes_q1, lanes1_x   lane buffers: [component][lane], of target 1
 *   out_q1_0_*           pieces from component 0 on, transposed back; record_q1_2: the record of lane 2
 *   own_x, part_q, inc_q loaded once for side 0; the part of one pair; contributions of elements
 *   has_q, limit_rms     whether q is not zero; an infinity
 *   first_q              the values after the first call of a checked kernel
 *
 * By number: map0, offset0, ids0 (global indices), target0_1 (target 1 of map 0), row0_0 (its vector),
 * local0_1 (the place of target 1 in list 0). Other names start with pl_: pl_e the element, pl_l the lane,
 * pl_c the component, pl_t the work item in its block, pl_b the block, pl_p the position in the range.
 *
 * Invariant: no two objects of a text share a name, and no name means something to the target or to the
 * kernel's text: such a parameter's name gets a "_" behind it.
 */
#pragma once

#include "emitter.h"

/* Names all operands. The kernel's text must have been built. */
void pl_names_make(pl_emitter *e);
