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
pl_body pl_deeper(const pl_body *b);

#endif
