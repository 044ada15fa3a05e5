/* SPDX-License-Identifier: BSD-2-Clause
 * Places of values: the targets of an element, and their places in dats, lane buffers, copies of a
 * block, private copies.
 */
#pragma once

#include "body.h"

enum { PL_PLACE = 400 }; /* bytes of the text of a place */

/* ---- targets ---- */

bool pl_body_needs_targets(const pl_emitter *e, const pl_operand *op); /* names target0_1 of its map */
void pl_body_targets(const pl_body *b);                                /* const int target0_1 = ... */
/* Whether target k of operand i's map is printed for an operand before it. */
bool pl_target_printed(const pl_emitter *e, int i, int k);
/* All targets of a map with a mask, loaded where that is set, unless an operand before has the same map. */
void pl_body_masked_row(const pl_body *b, const pl_operand *op);
/* Opens the statements that run only where the operand's mask is set. */
pl_body pl_open_mask(const pl_body *b, const pl_operand *op);

/* The target of entry k: "target0_1", or "pl_e" for a direct argument. */
const char *pl_body_target(const pl_body *b, const pl_operand *op, int k, char *buffer);
/* The global index of the element, or of its target: the value of an index argument. */
const char *pl_global_index(const pl_body *b, const pl_operand *op, char *buffer);

/* ---- values ---- */

/* The operand for all values of its dat's record. */
pl_operand pl_whole_record(const pl_operand *op);
/* Value c ("2", "pl_c") of the argument as a component of its dat's record: "2", "pl_c", "(2 + pl_c)"; and
 * that of the record at `target`. */
const char *pl_component(const pl_operand *op, const char *c, char *buffer);
const char *pl_dat_place(const pl_operand *op, const char *c, const char *target, char *buffer);
/* Value c behind target k for this element: in its dat, its lane buffer, or the block's copy. */
const char *pl_element_place(const pl_body *b, const pl_operand *op, int k, const char *c, char *buffer);
/* Value c of target k of the private copy: "x[1][2]" or "q1[2]". */
const char *pl_private_place(const pl_operand *op, int k, const char *c, char *buffer);
/* Prefix and name, with the number of a target between them where there are several: "lanes_q1", "lanes1_x".
 */
const char *pl_name_of_target(const char *prefix, const pl_operand *op, int k, char *buffer);
