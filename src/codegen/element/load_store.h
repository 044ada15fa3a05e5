/* SPDX-License-Identifier: BSD-2-Clause
 * Private copies of an element's values: loaded before the kernel is called, stored after it.
 */
#pragma once

#include "targets.h"

pl_word pl_load_word(const pl_body *b, const char *name);

bool pl_has_private(const pl_operand *op);

/* Moves `dim` values between a record of the operand's dat and others in vectors, on devices: to those, from
 * those, or adds those to the record. False: nothing was printed, since they must move value by value. */
typedef enum pl_move { PL_MOVE_IN, PL_MOVE_OUT, PL_MOVE_ADD } pl_move;
bool pl_move_vectors(const pl_body *b, const pl_operand *op, int dim, pl_place record, pl_place mine,
                     pl_move move);

/* An extreme of floating-point values on the host: its private copy starts from the variable limit_NAME. As a
 * constant gcc would turn comparisons with it into others that are no minimum or maximum any more. */
bool pl_starts_from_limit(const pl_body *b, const pl_operand *op);

/* The statement that combines a value into a place, by the operand's access. */
void pl_print_combine(const pl_body *b, const pl_operand *op, const char *into, const char *value);
pl_place pl_stored_place(const pl_body *b, const pl_operand *op, int k);
