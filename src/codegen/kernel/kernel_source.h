/* SPDX-License-Identifier: BSD-2-Clause
 * A kernel's program text for one target: the helpers it calls, its function, and the consts they use by
 * name. Owns the text and the layout of the consts.
 *
 * Invariant: the text defines each function once per definition in the sources, helpers before their callers.
 * Either no const is used and every function has the parameters it was written with, or each has one more in
 * front, `const struct pl_consts *pl_k`, which the caller of the kernel hands over.
 */
#ifndef PLAIT_CODEGEN_SOURCE_H
#define PLAIT_CODEGEN_SOURCE_H

#include "../core/objects.h"
#include "../core/text.h"
#include "names.h"
#include "signature.h"

/* What a target asks of the text. Strings may end in a space and may not be NULL. */
typedef struct pl_source_style {
  const char *kernel_qualifier;   /* before the kernel's function: "static inline" */
  const char *function_qualifier; /* before the others */
  const char *data_qualifier;     /* before variables at file scope; "" leaves them as written */
  const char *const_space;        /* address space of struct pl_consts: "", "__constant" */
  bool host;       /* the target's compiler finds header files: the kernel's headers are included */
  bool tgmath;     /* C: sqrt(x) of a float x is to be sqrtf(x) where pl_real is float */
  bool line_marks; /* #line before each piece; the caller restores its own numbering */
  bool relayout;   /* look for the macros' line ends in their files */
  bool divisors;   /* x / y becomes x / PL_DIVISOR(y), where y is not a number */
  const pl_target_name *names; /* ended by a row without a name; NULL: none */
  const pl_math_words *math;   /* for the functions of math.h among the names; NULL: there are none */
} pl_source_style;

/* A const of struct pl_consts, at its place. */
typedef struct pl_source_const {
  const pl_const *constant;
  size_t offset;
} pl_source_const;

typedef struct pl_source {
  pl_context *pl;
  pl_text text;            /* ends with a newline */
  pl_source_const *consts; /* as in struct pl_consts */
  int const_count;
  size_t const_bytes; /* sizeof(struct pl_consts) */
  bool uses_real;     /* the text holds `typedef float pl_real;` or double */
  bool real_rows;     /* it names pl_row_real */
  unsigned rows;      /* bit t: it names the rows of type t, pl_row_real among them */
} pl_source;

/* What pl_real is to a kernel, with the helpers that it names: they have the word (`uses`), or they have
 * literals or calls that would mean something else beside it (`computes`). */
typedef struct pl_reals {
  bool uses, computes;
} pl_reals;
pl_err pl_source_reals(pl_context *pl, const pl_kernel *kernel, pl_reals *reals);

/* Builds the text. `signature` is parsed, and bound where pl_real matters. Errors: PL_ERR_KERNEL for what no
 * kernel may hold, with its line; nothing to free then. */
pl_err pl_source_build(pl_context *pl, const pl_kernel *kernel, const pl_signature *signature,
                       const pl_source_style *style, pl_source *source);
void pl_source_free(pl_source *source);

/* Copies the present values into `block`, of const_bytes bytes: a struct pl_consts. */
void pl_source_fill_consts(const pl_source *source, void *block);

/* "(params) {body}" of a PL_KERNEL with the lines of its file where they can be found, and the line it starts
 * on. */
pl_err pl_source_relayout(pl_context *pl, const pl_kernel *kernel, pl_text *params_and_body, int *line);

#endif
