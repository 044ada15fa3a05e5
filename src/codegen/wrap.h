/* SPDX-License-Identifier: BSD-2-Clause
 * The wrapper of a program: what is printed after the user's kernel, one function for hosts and one for
 * devices.
 */
#ifndef PLAIT_CODEGEN_WRAP_H
#define PLAIT_CODEGEN_WRAP_H

#include "body.h"

void pl_print_host(const pl_walk_state *w);
pl_err pl_print_device(const pl_walk_state *w);

/* Shared by both: the slots as parameters ("...,\n    const double *restrict d0"), up to and with ")\n";
 * copies of the consts and values that are read. */
void pl_print_parameters(const pl_walk_state *w);
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

#endif
