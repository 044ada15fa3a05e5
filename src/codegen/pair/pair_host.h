/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on the host: particle by particle, one entry after the other; or in lanes (pair_simd.c).
 */
#pragma once

#include "codegen/element/body.h"

void pl_print_pair_host(const pl_body *b);                      /* pl_range() */
void pl_print_pair_entry(const pl_body *b, const char *record); /* of the host: one entry of a row */
