/* SPDX-License-Identifier: BSD-2-Clause
 * A kernel's program text for one target: the helpers it calls, its function, and the consts they use by
 * name. Owns the text and the layout of the consts.
 *
 * Invariant: the text defines each function once per definition in the sources, helpers before their callers.
 * If a const is used, every function has an additional first parameter, `const struct pl_consts *pl_k`, which
 * the caller of the kernel passes.
 */
#pragma once

#include "codegen/pieces/piece.h"

/* A member of struct pl_consts. */
typedef struct pl_source_const {
  const pl_const *constant;
  size_t offset;
} pl_source_const;

typedef struct pl_source {
  pl_context *pl;
  pl_string text;          /* ends with a newline */
  pl_source_const *consts; /* as in struct pl_consts */
  int const_count;
  struct pl_table *table; /* that some consts are of */
  int table_count;
  size_t const_bytes; /* sizeof(struct pl_consts) */
  bool uses_real;     /* the text holds `typedef float pl_real;` or double */
  bool real_rows;     /* it names pl_row_real */
  unsigned rows;      /* bit t: it names the rows of type t, pl_row_real among them */
} pl_source;

/* Whether a kernel or its helpers contain pl_real (`uses`), or literals or calls whose meaning depends on it
 * (`computes`). */
typedef struct pl_reals {
  bool uses, computes;
} pl_reals;
pl_err pl_source_reals(pl_context *pl, const pl_kernel *kernel, pl_reals *reals);

/* Whether the text can have a copy of the kernel for several elements (vector_source.h). */
pl_err pl_source_has_vectors(pl_context *pl, const pl_kernel *kernel, const pl_signature *signature,
                             const pl_arg *args, bool *possible);

/* Builds the text. `signature` is parsed, and bound if pl_real is used. Errors: PL_ERR_KERNEL with the line
 * of a forbidden construct; nothing to free then. */
pl_err pl_source_build(pl_context *pl, const pl_kernel *kernel, const pl_signature *signature,
                       const pl_source_options *style, pl_source *source);
void pl_source_free(pl_source *source);

/* Copies the current values into `block`, a struct pl_consts. */
void pl_source_fill_consts(const pl_source *source, void *block);
