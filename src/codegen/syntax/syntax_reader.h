/* SPDX-License-Identifier: BSD-2-Clause
 * A reader of tokens into a syntax tree: its place, the nodes it adds, the names in scope. Of syntax_read.c.
 *
 * Invariant: the declarators in scope are a stack, linked by `declarator` and in each bucket of the tree by
 * `older`, so that finding one does not depend on their number.
 */
#pragma once

#include "syntax.h"

typedef struct pl_reader {
  pl_syntax *tree;
  int at, end; /* tokens: the next one, and behind the last */
  int depth, nesting;
  int declared;        /* the latest DECLARATOR in scope */
  const char *problem; /* NULL: none */
  pl_err err;
} pl_reader;

/* Tokens. Token i, or the next one, is one of `words`; accept skips it, expect notes a problem if it differs.
 */
const pl_token *pl_reader_token(const pl_reader *r, int i);
bool pl_reader_any(const pl_reader *r, int i, const char *words);
bool pl_reader_next(const pl_reader *r, const char *words);
bool pl_reader_name(const pl_reader *r, int i);
bool pl_reader_accept(pl_reader *r, const char *words);
void pl_reader_expect(pl_reader *r, const char *word);
void pl_reader_fail(pl_reader *r, const char *problem); /* the first problem is kept */
void pl_reader_fail_unknown(pl_reader *r);

/* The bracket that closes the one at i; else the last token. */
int pl_reader_match(const pl_reader *r, int i);

/* Adds a node that starts at token `first` and whose own token is `at`, -1 for none. */
int pl_reader_add(pl_reader *r, pl_syntax_kind kind, int first, int at);
/* A node at the next token, which is skipped; behind a first child `left`. */
int pl_reader_open(pl_reader *r, pl_syntax_kind kind);
int pl_reader_open_behind(pl_reader *r, pl_syntax_kind kind, int left);
/* Makes a node the last child of another one, which so far ends with it. */
void pl_reader_adopt(pl_reader *r, int parent, int child);
/* The node ends before the next token, or with it if it is `word`. */
int pl_reader_close(pl_reader *r, int node);
int pl_reader_end(pl_reader *r, int node, const char *word);

/* Brings a DECLARATOR into scope; leaves the scopes of those behind `declared`. */
void pl_reader_declare(pl_reader *r, int declarator);
void pl_reader_leave(pl_reader *r, int declared);
/* A use of a name. */
int pl_read_name(pl_reader *r);

bool pl_reader_keyword(const pl_reader *r, int i);
bool pl_reader_type(const pl_reader *r, int i); /* a word that only types and declarations have */
int pl_reader_skip_stars(const pl_reader *r, int i);
/* Between i and the parenthesis at `close` stands a type, not an expression. */
bool pl_reader_holds_type(const pl_reader *r, int i, int close);
/* The type up to `end`. */
int pl_read_type(pl_reader *r, int end);
