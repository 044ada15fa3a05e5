/* SPDX-License-Identifier: BSD-2-Clause
 * What happens for one element, printed: targets, gather, call, scatter, reduce. The same functions serve
 * every dialect and form; only where values live differs (pl_body.lanes, buffers).
 */
#ifndef PLAIT_CODEGEN_BODY_H
#define PLAIT_CODEGEN_BODY_H

#include "operand.h"

typedef struct pl_body {
  const pl_walk_state *w;
  pl_text *text;
  int depth;     /* indentation */
  bool lanes;    /* inside a lane loop over pl_l */
  bool buffered; /* records live in lane buffers (transpose.c) */
} pl_body;

/* One line of text: indentation, then the formatted string, then a newline. */
void pl_line(const pl_body *b, const char *format, ...) PL_PRINTF(2, 3);

bool pl_body_needs_targets(const pl_walk_state *w, const pl_operand *op); /* names t0_1 of its map */
void pl_body_targets(const pl_body *b);                                   /* const int t0_1 = ... */
const char *pl_body_target(const pl_body *b, const pl_operand *op, int k, char *buffer); /* of entry k */
bool pl_target_printed(const pl_walk_state *w, int i,
                       int k);                            /* target k of operand i's map, for one before it */
void pl_body_row(const pl_body *b, const pl_operand *op); /* row.c: the pl_row of an operand */
void pl_print_row_types(const pl_walk_state *w);
void pl_body_gather(const pl_body *b); /* private values, filled */
void pl_body_call(const pl_body *b);
void pl_body_scatter(const pl_body *b); /* back to the dats */
void pl_body_reduce(const pl_body *b);  /* into the running results */
void pl_body_element(const pl_body *b); /* all of the above */

bool pl_op_atomic(const pl_operand *op);          /* scattered by an atomic where the style says so */
const char *pl_atomic_name(const pl_operand *op); /* "inc", "min" or "max" */

/* Values of a device's vector in which the operand's records move, and its name ("double2", PL_PLACE bytes);
 * 1: they move value by value. */
int pl_vector_of(const pl_walk_state *w, const pl_operand *op, char *name);

/* Calls print(b, op, k, "c") for every value behind target k: one by one, or in a printed loop over pl_c. */
typedef void (*pl_value_printer)(const pl_body *b, const pl_operand *op, int k, const char *c);
void pl_each_value(const pl_body *b, const pl_operand *op, int k, pl_value_printer print);

/* The text of value c of target k of an operand's private copy. */
const char *pl_private_place(const pl_operand *op, int k, const char *c, char *buffer);

/* An extreme of floating-point values on the host: its private copy starts from a variable, n<argument>, that
 * holds the infinity. As a constant gcc would turn comparisons with it into others that are no minimum or
 * maximum any more. */
bool pl_op_starts_far(const pl_body *b, const pl_operand *op);

/* Running results: declared from the slots, and stored back. */
void pl_results_declare(const pl_body *b);
void pl_results_store(const pl_body *b);

/* `x` (op) `value` -> the combining statement of an access, for two lvalue texts. */
void pl_print_combine(const pl_body *b, const pl_operand *op, const char *into, const char *value);

/* The text of value c of an operand's record at `target` of its dat. */
#define PL_PLACE 320
const char *pl_print_place(const pl_operand *op, const char *c, const char *target, char *buffer);

#endif
