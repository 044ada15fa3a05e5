/* SPDX-License-Identifier: BSD-2-Clause
 * The wrapper of a program: what is printed after the user's kernel, one function for hosts and one for
 * devices.
 */
#ifndef PLAIT_CODEGEN_WRAP_H
#define PLAIT_CODEGEN_WRAP_H

#include "body.h"

void pl_print_host(const pl_walk_state *w);
pl_err pl_print_device(const pl_walk_state *w);

/* Shared by both: the slots as parameters ("...,\n    const double *restrict d0"), and the device's local
 * memory where its size is known later, up to and with ")\n"; copies of the consts and values that are read.
 */
void pl_print_parameters(const pl_walk_state *w, bool shared);
void pl_print_copies(const pl_body *b);

/* Of a device's blocks: what they share of each reduction, the running results of a work item, and those of
 * the block at the end. */
void pl_declare_shared(const pl_body *b, const char *size, bool blocks);
void pl_declare_running(const pl_body *b);
void pl_print_block_results(const pl_body *b);

/* Of a host's lane loops: results with an element a lane, declared and added to the running ones. */
void pl_print_lane_results(const pl_body *b, int lanes);
void pl_print_lane_fold(const pl_body *b, int lanes);
pl_body pl_deeper(const pl_body *b);

/* ---- devices: increments (turned.c) ---- */

bool pl_first_of_dat(const pl_walk_state *w, int i); /* the first operand that increments its dat */

/* Running sums of a target's records, "h3[c]" of dat 3: declared, and added to the dats by + or, `atomic`, by
 * atomics. */
void pl_declare_sums(const pl_body *b);
void pl_add_sums(const pl_body *b, bool atomic);

/* What the element contributes, stored at the place that the style has for it. */
void pl_print_contributions(const pl_body *b);

pl_err pl_print_turned(const pl_body *b); /* the whole kernel of gather */
void pl_store_parameters(const pl_walk_state *w);
void pl_print_sum(const pl_body *b); /* the second kernel of store */

/* ---- devices: blocks with local memory (staged.c) ---- */

void pl_stage_parameters(const pl_walk_state *w);
void pl_print_locals(const pl_body *b);    /* places of the element's targets in the block's lists */
void pl_print_stage_in(const pl_body *b);  /* copies of the block's targets ... */
void pl_print_stage_out(const pl_body *b); /* ... and back */
void pl_combine_parameters(const pl_walk_state *w);
void pl_declare_contributions(const pl_body *b);
void pl_print_combined(const pl_body *b); /* contributions of the block, added up and out */

#endif
