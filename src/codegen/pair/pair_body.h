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

#include <stdbool.h>
#include "codegen/element/body.h"

/* The parameters of the list, after those of the operands. */
void pl_pair_parameters(pl_emitter *e);

bool pl_pair_halved(const pl_emitter *e, const pl_operand *op); /* a sum that counts each pair twice */
int pl_pair_piece(
  const pl_emitter *e); /* values of a record in each vector pl_v[0], ... on devices; 0: no vectors */
const char *
pl_pair_condition(const pl_emitter *e); /* under which an entry of a pair map is a pair of this loop */

/* Steps of a loop over one particle's row; b->lanes: inside a loop over pl_l. */
void pl_pair_own_place(const pl_body *b);     /* pl_x0, ...: the record of side 0 */
void pl_pair_geometry(const pl_body *b);      /* pl_d0, ..., pl_r2 */
void pl_pair_call(const pl_body *b);          /* private values, the kernel, shares and results */
void pl_pair_declare_sums(const pl_body *b);  /* of side 0 */
void pl_pair_declare_parts(const pl_body *b); /* in lanes: what the pair adds ... */
void pl_pair_add_parts(const pl_body *b);     /* ... and adding it */
