/* SPDX-License-Identifier: BSD-2-Clause
 * The pieces of a kernel's program text: the kernel's own and those of the helpers that it calls. Questions
 * about their names.
 */
#pragma once

#include <stdbool.h>
#include "codegen/kernel/kernel_outline.h"
#include "codegen/kernel/signature.h"
#include "codegen/target/name_table.h"
#include "core/context/string_builder.h"

/* How a target needs the text. Strings may end in a space and may not be NULL. */
typedef struct pl_source_options {
  const char *kernel_qualifier;   /* before the kernel's function: "static inline" */
  const char *function_qualifier; /* before the others */
  const char *data_qualifier;     /* before variables at file scope; "" leaves them as written */
  const char *const_space;        /* address space of struct pl_consts: "", "__constant" */
  bool host;                   /* the target's compiler has header files: the kernel's headers are included */
  bool tgmath;                 /* C: sqrt(x) of a float x becomes sqrtf(x) if pl_real is float */
  bool line_marks;             /* #line before each piece; the caller restores its own numbering */
  bool restore_lines;          /* restore the macros' line ends from their files */
  bool faults;                 /* x / y becomes x / PL_DIVISOR(y) unless y is a number; for parameter p of the
                                  kernel, p[0][i] becomes p[PL_INDEX(2, 0, 0)][PL_INDEX(2, 1, i)], *p becomes
                                  *PL_GIVEN(2, p) */
  const pl_target_name *names; /* ended by a row without a name; NULL: none */
  const pl_math_words *math;   /* for the functions of math.h among the names; NULL: there are none */
  bool cplusplus;              /* the target's language is C++ */
  bool as_written;             /* the text is C++ too */
  bool one_long;               /* long long becomes long */
  const pl_arg *vector_args;   /* host: the loop's arguments, if the text has a copy of the kernel for several
                                  elements (codegen/source/vector_source.h); NULL: it has none */
  const char *complex;         /* before texts with complex numbers of C99; NULL: nothing */
} pl_source_options;

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
  struct pl_table *table; /* of numbers, in functions (codegen/source/tables.h) */
  int table_count;
  bool far_tables;  /* they are consts of the text */
  bool has_consts;  /* some function uses a const, or a table is one */
  bool fewer_rules; /* the kernel names headers or is C++ */
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

/* The piece calls a function of that name, or contains the name in a #define. */
bool pl_piece_calls_name(const pl_piece *piece, const char *name);

/* The piece contains the name, in a #define too. */
bool pl_piece_mentions(const pl_piece *piece, const char *name);

/* The function uses the const of this name, itself or through a #define of its piece. */
bool pl_unit_uses_const(const pl_piece *piece, const pl_unit *unit, const char *name);

/* The function does more with an array than take its values: it hands on its address. */
bool pl_takes_address(const pl_piece *piece, const pl_unit *unit, const pl_token *name, int extents);

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
