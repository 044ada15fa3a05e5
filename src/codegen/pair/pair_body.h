/* SPDX-License-Identifier: BSD-2-Clause
 * The statements of one pair, for every dialect and form. In the text:
 *
 *   pl_e, pl_o     the particles on side 0 and side 1      pl_p   the record of side 1
 *   pl_d0, ...     the difference of the positions         pl_r2  the square of its length
 *   pl_record, pl_owner   records, and the particle of each; pl_offset, pl_entry   rows of the list
 *   sum_NAME       the increments that side 0 gathers for its dat
 *
 * A pair map is printed in full, from both sides: each particle gathers its own increments and nothing
 * collides. Or half, each pair once, with both sides' increments scattered: so are a ragged map's entries.
 */
#pragma once

#include "codegen/text/template.h"

pl_word pl_pair_word(const pl_body *b, const char *name);

/* The parameters of the list, after those of the operands. */
void pl_pair_parameters(pl_emitter *e);

/* On devices: whether the values of records are in arrays of their own. */
bool pl_pair_apart(const pl_emitter *e);
/* Values of a record in each of pl_v[0], ... on devices; 0: it is not loaded ahead. */
int pl_pair_piece(const pl_emitter *e);
