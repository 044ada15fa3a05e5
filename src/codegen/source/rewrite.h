/* SPDX-License-Identifier: BSD-2-Clause
 * The rewriting of a piece for a target.
 *
 * Invariant: rewriting never adds or removes a line end, so a line mark before a piece holds for all of it.
 */
#pragma once

#include "codegen/pieces/piece.h"

struct pl_vector_source;

void pl_rewrite(const pl_assembly *program, const pl_piece *piece, pl_string *out);
/* The copy of the kernel's function for several elements. */
void pl_rewrite_vectors(const pl_assembly *program, const struct pl_vector_source *source, pl_string *out);
