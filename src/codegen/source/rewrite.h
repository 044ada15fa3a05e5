/* SPDX-License-Identifier: BSD-2-Clause
 * The rewriting of a piece for a target.
 *
 * Invariant: rewriting never adds or removes a line end, so a line mark before a piece holds for all of it.
 */
#pragma once

#include "codegen/pieces/piece.h"

void pl_rewrite(const pl_assembly *program, const pl_piece *piece, pl_string *out);
