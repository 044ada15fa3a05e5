/* SPDX-License-Identifier: BSD-2-Clause
 * Places of values in generated text. Invariant: no other text holds the formula of a layout
 * (core/data/layout.h).
 */
#pragma once

#include "core/base/layout_name.h"
#include "core/context/string_builder.h"

enum { PL_PLACE = 400, PL_PLACE_PART = 96 }; /* bytes of the text of a value, and of a part of it */

/* A short text as a value: f().s lives until the end of the statement. */
typedef struct pl_text {
  char s[PL_PLACE];
} pl_text;

pl_text pl_text_of(const char *format, ...) PL_PRINTF(1, 2);

typedef enum pl_place_kind {
  PL_RECORDS, /* a record of an array of records: array[4 * record + c] */
  PL_LANES,   /* array[c][record] */
  PL_ARRAY,   /* array[c] */
  PL_NUMBER   /* a number or variable for all values */
} pl_place_kind;

typedef struct pl_place {
  pl_place_kind kind;
  char array[PL_PLACE_PART];                        /* "dat_q", "x[1]" */
  char record[PL_PLACE_PART];                       /* "target0_1" */
  char before[PL_PLACE_PART], after[PL_PLACE_PART]; /* around the value where it is read */
  int first;                                        /* where the argument's values begin in a record */
  int dim;                                          /* values of a record */
  pl_layout layout;                                 /* of the records ... */
  char size[PL_PLACE_PART]; /* ... and how many the array has room for, if tile is 0 */
  bool local;               /* in the memory of a block */
  bool wide;                /* their indices need 64 bits */
} pl_place;

/* A place without records, or the place of lane pl_l: the name of its array is formatted. */
pl_place pl_place_of(pl_place_kind kind, const char *array, ...) PL_PRINTF(2, 3);
pl_place pl_record_at(pl_place place, const char *record);                  /* another record */
pl_place pl_read_as(pl_place place, const char *before, const char *after); /* "before value after" */

pl_place pl_whole_record(pl_place place); /* from its value 0 on */

/* Value c ("2", "pl_c") of a place: "dat_q[4 * pl_e + 2]". */
pl_text pl_value_at(pl_place place, const char *c);
pl_text pl_value_number(pl_place place, int c);

/* The macro PL_AT(e, c, dim, layout, pack, size): the index of value c of record e in any layout of pl_dat.
 */
void pl_print_layout_macro(pl_string *text);
