/* SPDX-License-Identifier: BSD-2-Clause
 * Operands: the properties of each loop argument while a program is printed; and the program's parameters.
 */
#pragma once

#include <stdbool.h>
#include "emitter.h"

/* Adds a parameter behind those there are; pl_run has space for eight after those of the operands. */
void pl_parameter_add(pl_param_list *list, pl_param_kind kind, int arg);

pl_err pl_operands_make(pl_emitter *e);
void pl_operands_free(pl_emitter *e);
bool pl_uses_double(const pl_emitter *e); /* some argument holds doubles */

bool pl_operand_scatters(const pl_operand *op);                         /* private values are stored */
bool pl_operand_contributes(const pl_emitter *e, const pl_operand *op); /* ... by a sum for each target */
bool pl_operand_atomic(const pl_operand *op);     /* ... by an atomic where the options say so */
const char *pl_atomic_name(const pl_operand *op); /* "inc", "min" or "max" */
bool pl_operand_reduces(const pl_operand *op);    /* ends in a result */
bool pl_operand_is_input(const pl_operand *op);   /* values that all elements read */
bool pl_operand_tensor(const pl_operand *op);     /* vectors of a matrix's local tensors */
bool pl_operand_buffered(const pl_operand *op); /* transposed: indirect, or direct and longer than a value */

/* The C type of its values in generated text, and of its private copy: double for fixed point. */
const char *pl_operand_type(const pl_operand *op);
const char *pl_operand_copy_type(const pl_operand *op);
/* Whether a device has the rows of the operand's map in 16 bits (pl_map.narrow). */
bool pl_operand_is_narrow(const pl_emitter *e, const pl_operand *op);

/* The text of the neutral element of its access; of a sum, minimum or maximum. */
const char *pl_operand_neutral(const pl_operand *op);
const char *pl_neutral_text(pl_type type, pl_access access);
