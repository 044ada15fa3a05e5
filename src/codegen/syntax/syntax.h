/* SPDX-License-Identifier: BSD-2-Clause
 * The syntax tree of C text: expressions, declarations and statements over an array of tokens.
 *
 * Invariant: a node's children are in the order of the text and within its tokens; no two nodes share the
 * token `at`. A statement or parameter that cannot be read is one node OTHER, whose children are the names
 * in it, so that whoever walks the tree knows what it does not know.
 */
#pragma once

#include "lexer.h"

typedef enum pl_syntax_kind {
  PL_SYNTAX_OTHER, /* cannot be read; at: the token where reading failed */
  PL_SYNTAX_DIRECTIVE,
  PL_SYNTAX_EMPTY, /* nothing, where for (;;) has no expression, and behind a lone semicolon */
  /* expressions; at: the operator, or the bracket that opens */
  PL_SYNTAX_NAME, /* a use of a variable, function, macro or constant; no member, label or declared name */
  PL_SYNTAX_LITERAL,
  PL_SYNTAX_PARENTHESES,
  PL_SYNTAX_INDEX,       /* array, index */
  PL_SYNTAX_CALL,        /* function, arguments */
  PL_SYNTAX_MEMBER,      /* structure; last: the member's name */
  PL_SYNTAX_POSTFIX,     /* operand of ++ and -- behind it */
  PL_SYNTAX_UNARY,       /* operand; sizeof too */
  PL_SYNTAX_CAST,        /* TYPE, operand */
  PL_SYNTAX_COMPOUND,    /* (T){...}: TYPE, LIST */
  PL_SYNTAX_BINARY,      /* left, right; the comma too */
  PL_SYNTAX_CONDITIONAL, /* condition, two values */
  PL_SYNTAX_ASSIGN,      /* left, right */
  PL_SYNTAX_TYPE,        /* a type in parentheses or as an argument; children: its unknown names */
  PL_SYNTAX_LIST,        /* {...}: values, LISTs, DESIGNATEDs */
  PL_SYNTAX_DESIGNATED,  /* .x = value, [2] = value; at: the first of these tokens */
  /* declarations */
  PL_SYNTAX_DECLARATION, /* DECLARATORs, behind the specifiers */
  PL_SYNTAX_DECLARATOR,  /* steps from its name outwards, then its INIT; at: the name, or -1 */
  PL_SYNTAX_POINTER,
  PL_SYNTAX_ARRAY,    /* extent, if there is one */
  PL_SYNTAX_FUNCTION, /* a DECLARATION or OTHER for each parameter */
  PL_SYNTAX_INIT,     /* value */
  /* statements; an expression is one too */
  PL_SYNTAX_BLOCK,
  PL_SYNTAX_FOR,     /* EMPTY, DECLARATION or expression; condition; step; statement */
  PL_SYNTAX_CONTROL, /* other keywords: expression if any, statements; do: statement, condition */
  PL_SYNTAX_LABEL    /* the colon of a label */
} pl_syntax_kind;

typedef struct pl_syntax_node {
  pl_syntax_kind kind;
  int at, first, last;           /* tokens */
  int parent, child, tail, next; /* nodes: of the parent, first and last child, next sibling; 0: none */
  int declarator;                /* NAME: the DECLARATOR in scope; DECLARATOR: the one before it; 0: none */
  int older;                     /* DECLARATOR: the one before it in its bucket */
  const char *problem;           /* OTHER: the defect of a parameter */
} pl_syntax_node;

enum { PL_SYNTAX_BUCKETS = 1024 };

/* Owns its nodes and tokens, not the text. Node 0 is none. */
typedef struct pl_syntax {
  pl_context *pl;
  pl_tokens tokens;
  pl_syntax_node *node;
  int count, capacity;
  int declared;                  /* the latest DECLARATOR outside functions */
  int bucket[PL_SYNTAX_BUCKETS]; /* by the hash of the name: the latest DECLARATOR in scope */
  bool typedefs;                 /* there are some */
  int *node_at;                  /* for each token: the node whose `at` it is, or 0 */
} pl_syntax;

/* A tree of node 0 only, of a text whose first line is `line`. Errors: PL_ERR_MEMORY; nothing to free. */
pl_err pl_syntax_open(pl_context *pl, const char *text, size_t length, int line, pl_syntax *tree);
void pl_syntax_free(pl_syntax *tree);

/* Child number n of a node, or 0. */
int pl_syntax_child(const pl_syntax *tree, int node, int n);
/* The outermost pair of parentheses that holds nothing but the node, or the node; and the reverse: what
 * stands in a node's parentheses. */
int pl_syntax_outside(const pl_syntax *tree, int node);
int pl_syntax_inside(const pl_syntax *tree, int node);
/* The node is of this kind and its token `at` is one of `words`. */
bool pl_syntax_is(const pl_syntax *tree, int node, pl_syntax_kind kind, const char *words);
/* Both have the same tokens. */
bool pl_syntax_same(const pl_syntax *tree, int a, int b);
/* A token of the node is one of `words`. */
bool pl_syntax_has(const pl_syntax *tree, int node, const char *words);
/* The specifiers of a declaration have one of `words`. */
bool pl_syntax_specifies(const pl_syntax *tree, int declaration, const char *words);
/* The node in `node_at`. */
int pl_syntax_at(const pl_syntax *tree, int token);

/* double, int32_t, pl_real, struct, const, ...: macros of these names would give parameters another type.
 * Word i, or NULL behind the last; and whether a name is one of them, or of a row. */
const char *pl_type_word(int i);
bool pl_is_type_word(const pl_token *token);
/* const, restrict, static in brackets, ... */
bool pl_is_qualifier(const pl_token *token);
/* Of the word _Complex at token i, or of complex in a type: the float or double beside it; else -1. And of a
 * float or double: the word. */
int pl_complex_part(const pl_tokens *tokens, int i);
int pl_complex_word(const pl_tokens *tokens, int i);
