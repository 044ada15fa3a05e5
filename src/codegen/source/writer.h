/* SPDX-License-Identifier: BSD-2-Clause
 * Copies the text of a piece, with insertions and omissions at its tokens.
 */
#pragma once

#include "codegen/pieces/piece.h"

enum { PL_MOST_OPEN = 64, PL_MOST_ENDS = 16 };

typedef struct pl_writer {
  const pl_assembly *program;
  const pl_piece *piece;
  pl_string *out;
  const char *at;                /* the piece's text is copied up to here */
  int nopen, open[PL_MOST_OPEN]; /* open PL_DIVISOR( and PL_INDEX(: their last tokens */
  struct {
    int at, word; /* the brace that ends it; its enum, or -1 for a second brace */
  } end[PL_MOST_ENDS];
  int nends;
  const struct pl_vector_source *vectors; /* insertions of the copy for several elements; NULL: none */
  int second_brace;                       /* the one of a loop whose variable its block hides */
} pl_writer;

const char *pl_token_end(const pl_token *token);

void pl_writer_copy(pl_writer *w, const char *end); /* up to there */
/* Copies up to `begin` and skips to `end`, except line ends. */
void pl_writer_omit(pl_writer *w, const char *begin, const char *end);
void pl_writer_add(pl_writer *w, const char *word); /* and a blank behind it, unless it is empty */
