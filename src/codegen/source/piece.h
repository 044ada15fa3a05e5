/* SPDX-License-Identifier: BSD-2-Clause
 * The pieces of a kernel's program text: the kernel's own and those of the helpers that it calls. Questions
 * about their names.
 */
#pragma once

#include <stdbool.h>
#include "kernel_source.h"
#include "codegen/kernel/kernel_outline.h"

/* The orders of included files, between those of the helpers and the kernel's. */
#define PL_ORDER_INCLUDED (UINT64_MAX / 2)

/* The kernel's own text, or that of a helper or of an included file. */
typedef struct pl_piece {
  pl_origin origin;
  uint64_t order; /* ascending: helpers as declared, included files, the kernel last */
  pl_string path; /* of an included file */
  pl_string text;
  pl_kernel_outline outline; /* of text */
  bool uses_real;
  bool library; /* a helper of the library, whose name may begin with pl_ */
} pl_piece;

typedef struct pl_assembly {
  pl_context *pl;
  const pl_kernel *kernel;
  const pl_source_options *style;
  pl_type real;
  const pl_signature *signature; /* of the kernel */
  pl_piece *piece;
  int count;
  bool has_consts; /* some function uses a const */
  bool host_only;  /* the kernel names headers or is C++: fewer rules */
} pl_assembly;

static inline const pl_token *pl_piece_token(const pl_piece *piece, int i)
{
  return &piece->outline.tokens.item[i];
}

/* Inserts an empty piece in ascending order; NULL without memory. */
pl_piece *pl_piece_insert(pl_assembly *program, uint64_t order);
void pl_piece_free(pl_piece *piece);

/* Token i is one of `words`. */
static inline bool pl_piece_in(const pl_piece *piece, int i, const char *words)
{
  return pl_tokens_in(&piece->outline.tokens, i, words);
}

/* The node of the syntax tree at token i. */
static inline const pl_syntax_node *pl_piece_node(const pl_piece *piece, int i)
{
  return &piece->outline.syntax.node[pl_syntax_at(&piece->outline.syntax, i)];
}

/* Token i of the piece is a name, but not a member after . or -> */
bool pl_piece_names(const pl_piece *piece, int i);

/* Token i is such a name and is called. */
bool pl_piece_calls(const pl_piece *piece, int i);

/* The piece contains the name, in a #define too. */
bool pl_piece_mentions(const pl_piece *piece, const char *name);

/* The function uses the const of this name, itself or through a #define of its piece. */
bool pl_unit_uses_const(const pl_piece *piece, const pl_unit *unit, const char *name);

/* Some piece defines a function of this name. */
bool pl_assembly_defines(const pl_assembly *program, const pl_token *name);

/* Reads a #define up to its macro's name; false for other directives. */
bool pl_define_open(const pl_token *directive, pl_lexer *rest, pl_token *macro);

/* The file that a directive includes ("<x.h>", as written), unless the target provides its contents and the
 * directive is left out; else its length is 0. */
pl_token pl_included_file(const pl_assembly *program, const pl_token *directive);
/* The same for an entry of the option `headers`. */
pl_token pl_header_file(const pl_assembly *program, const char *header);

/* The piece with this file's text, or NULL. */
const pl_piece *pl_piece_of_file(const pl_assembly *program, const pl_token *file);
