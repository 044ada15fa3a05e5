/* SPDX-License-Identifier: BSD-2-Clause
 * Private copies of an element's values: loaded before the kernel is called, stored after it.
 */
#pragma once

#include "place.h"

void pl_body_load(const pl_body *b);
void pl_pair_load(const pl_body *b); /* of a pair */
void pl_body_store(const pl_body *b);

bool pl_has_private(const pl_operand *op);
bool pl_operand_atomic(const pl_operand *op);     /* stored by an atomic where the options say so */
const char *pl_atomic_name(const pl_operand *op); /* "inc", "min" or "max" */

/* Values of a device's vector in which the operand's records move, and its name ("double2", PL_PLACE bytes);
 * 1: they move value by value. */
int pl_vector_of(const pl_emitter *e, const pl_operand *op, char *name);

/* An extreme of floating-point values on the host: its private copy starts from the variable limit_NAME. As a
 * constant gcc would turn comparisons with it into others that are no minimum or maximum any more. */
bool pl_starts_from_limit(const pl_body *b, const pl_operand *op);

/* The statement that combines a value into a place, by the operand's access. */
void pl_print_combine(const pl_body *b, const pl_operand *op, const char *into, const char *value);
/* ... value c of the private copy of target k, which fixed point makes an integer. */
void pl_combine_private(const pl_body *b, const pl_operand *op, int k, const char *c, const char *into);

bool pl_pair_copied(const pl_operand *op); /* has a private copy in a loop over pairs */
