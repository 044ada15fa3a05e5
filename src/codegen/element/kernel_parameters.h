/* SPDX-License-Identifier: BSD-2-Clause
 * The parameters of a generated kernel, printed, and copies of the values that are only read.
 */
#pragma once

#include "body.h"

/* The program's parameters ("...,\n    const double *restrict dat_q"), and the device's local memory where
 * its size is known at the launch, up to and with ")\n". */
void pl_print_parameters(const pl_emitter *e, bool shared);
/* As the host's entry point hands them over: ", (double *)pl_args[0], ...". */
void pl_print_host_arguments(const pl_emitter *e);

/* ", const int *restrict NAME" of a conflict strategy or reduction: an array in the device's memory. */
void pl_print_array(const pl_emitter *e, const char *separator, const char *type, const char *name, ...)
  PL_PRINTF(4, 5);

void pl_print_copies(const pl_body *b); /* of the consts and values that are read */
