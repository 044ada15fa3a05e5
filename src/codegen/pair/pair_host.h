/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on the host, particle by particle: one entry after the other, or in lanes. A lane is a
 * particle, so each keeps its own sums, and entry k of all its particles' rows is taken at once (rows are
 * interleaved, core/particles/pair_map.h).
 */
#pragma once

#include "codegen/text/template.h"

pl_word pl_pair_host_word(const pl_body *b, const char *name);

void pl_print_pair_host(const pl_body *b); /* pl_range() */
