/* SPDX-License-Identifier: BSD-2-Clause
 * Value types: sizes, names, conversion and reduction operators.
 */
#pragma once

#include "plait.h"
#include <stdbool.h>

bool pl_type_is_complex(pl_type type);
bool pl_type_is_integer(pl_type type);
bool pl_type_is_signed(pl_type type); /* of integers */
pl_type pl_type_base(pl_type type);   /* of a complex type, that of its parts */

/* Value n of a type that is not complex, rounded to a double. */
double pl_value(pl_type type, const void *values, size_t n);

/* Poison: values that nobody has written. As a double 1.9e286, as an int 2071690107: who reads it computes
 * another result. One-byte values may equal it by chance, so they never count as poison. */
enum { PL_POISON = 0x7B };
void pl_poison(void *values, size_t bytes);
bool pl_is_poison(const void *value, size_t size);

/* Whether the program may give values of one type for the other: they are equal or differ in precision only.
 */
bool pl_type_converts(pl_type from, pl_type to);

/* target[i] = source[i] as C converts, between any types; of a complex number for a real one, its real part.
 */
void pl_convert(pl_type from, const void *source, pl_type to, void *target, size_t count);

/* *into = *into (op) *value for `count` values of a (non-complex for MIN, MAX) type. */
void pl_combine(pl_type type, pl_access op, void *into, const void *value, size_t count);

/* The neutral element of INC, MIN or MAX, `count` times. */
void pl_neutral(pl_type type, pl_access op, void *values, size_t count);
