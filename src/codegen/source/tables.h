/* SPDX-License-Identifier: BSD-2-Clause
 * Tables of numbers that functions declare: static const double t[2][3] = {...}. A copy for each call would
 * be slow to compile and to run, so each target keeps them once: C++ as they are written, OpenCL behind
 * __constant, or, where they are too large for that, as members of struct pl_consts.
 */
#pragma once

#include "writer.h"
#include "core/data/objects.h"

enum { PL_TABLE_EXTENTS = 8 };

typedef struct pl_table {
  const pl_piece *piece;
  const pl_unit *unit;         /* the function */
  int declarator;              /* node */
  int first, list, name, last; /* tokens: of the declaration, its brace, the name, the semicolon */
  pl_type type;                /* PL_TYPE_COUNT: of another type */
  int rank, extent[PL_TABLE_EXTENTS];
  size_t values; /* 0: the extents are no numbers */
  pl_const own;  /* as a const of the text, if program->far_tables */
} pl_table;

/* Finds the tables of the program's functions, and decides where they go. Errors: PL_ERR_MEMORY. */
pl_err pl_tables_find(pl_assembly *program);
void pl_tables_free(pl_context *pl, pl_table *table, int count);

/* The tokens i to last are numbers, signs, commas and braces. */
bool pl_is_number_list(const pl_piece *piece, int i, int last);

/* The table whose declaration begins at token i; NULL: none does. */
const pl_table *pl_table_at(const pl_writer *w, const pl_unit *unit, int i);

/* The declarations of a function's tables before it, where they are hoisted. */
void pl_write_tables(pl_writer *w, const pl_unit *unit);
/* The remainder of a table's declaration, written with its last token. */
void pl_write_table(pl_writer *w, const pl_table *table);
/* The name at token i, if it is a hoisted table's. */
void pl_write_table_name(pl_writer *w, const pl_unit *unit, int i);
