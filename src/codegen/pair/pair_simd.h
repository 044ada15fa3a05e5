/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs in lanes: a lane is a particle, so each keeps its own sums, and entry k of all its
 * particles' rows is taken at once (rows are interleaved, core/particles/pair_map.h).
 */
#pragma once

#include "codegen/element/body.h"

void pl_print_pair_prelude(const pl_body *b); /* in lanes: how records are loaded */
void pl_print_pair_lanes(const pl_body *b);   /* the groups of particles pl_begin to pl_end */
