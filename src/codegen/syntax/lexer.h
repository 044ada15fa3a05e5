/* SPDX-License-Identifier: BSD-2-Clause
 * Tokens of a C text: names, numbers, strings, punctuation and whole preprocessor lines, each a slice of the
 * text with its line; white space and comments are skipped. Owns the token arrays, not the text.
 *
 * Invariant: tokens are disjoint slices of the text in ascending order; the last one is END or ERROR.
 */
#pragma once

#include <stdbool.h>
#include "plait.h"

typedef enum pl_token_kind {
  PL_TOKEN_END,
  PL_TOKEN_ERROR, /* the rest cannot be read; pl_token_problem gives the reason */
  PL_TOKEN_NAME,
  PL_TOKEN_NUMBER,
  PL_TOKEN_STRING,
  PL_TOKEN_CHAR,
  PL_TOKEN_PUNCT,
  PL_TOKEN_DIRECTIVE /* a preprocessor line with its continuations, without the final newline */
} pl_token_kind;

typedef struct pl_token {
  pl_token_kind kind;
  int line; /* where it starts */
  const char *text;
  size_t length;
} pl_token;

/* Reads token by token. Never fails; after END or ERROR it stays at END. */
typedef struct pl_lexer {
  const char *at, *end;
  int line;
  bool fresh; /* only white space so far on this line: a # starts a directive */
} pl_lexer;

void pl_lex_open(pl_lexer *lexer, const char *text, size_t length, int line);
pl_token pl_lex_next(pl_lexer *lexer);

/* All tokens of a text. */
typedef struct pl_tokens {
  pl_context *pl;
  pl_token *item;
  int count; /* with the last, which is END or ERROR */
} pl_tokens;

pl_err pl_tokens_read(pl_context *pl, const char *text, size_t length, int line, pl_tokens *tokens);
void pl_tokens_free(pl_tokens *tokens);

/* Drops the tokens that the preprocessor drops because PLAIT_JIT is defined, and those under #if 0; with
 * `defined`, which returns whether a name is, those of #ifdef and #ifndef too. Other conditions keep all
 * their branches. */
typedef bool (*pl_defined_fn)(const void *user, const pl_token *name);
void pl_tokens_prune(pl_tokens *tokens, pl_defined_fn defined, const void *user);

/* The name after # in a directive ("define"), and a lexer for the rest. */
pl_token pl_directive_open(const pl_token *directive, pl_lexer *rest);

bool pl_token_is(const pl_token *token, const char *word);  /* spelled so, whatever the kind (no strings) */
bool pl_token_in(const pl_token *token, const char *words); /* is one of `words`, separated by blanks */
bool pl_token_same(const pl_token *a, const pl_token *b);   /* same kind and spelling */
bool pl_token_is_real(const pl_token *token);               /* a floating literal without a suffix */
const char *pl_token_problem(const pl_token *error);        /* of an ERROR: "a comment is not closed" */

/* The same for token i; false outside the array. */
bool pl_tokens_in(const pl_tokens *tokens, int i, const char *words);

/* Index of the bracket that closes the one at `open`, or -1. */
int pl_tokens_match(const pl_tokens *tokens, int open);
