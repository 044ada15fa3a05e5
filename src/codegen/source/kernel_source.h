/* SPDX-License-Identifier: BSD-2-Clause
 * A kernel's program text for one target: the helpers it calls, its function, and the consts they use by
 * name. Owns the text and the layout of the consts.
 *
 * Invariant: the text defines each function once per definition in the sources, helpers before their callers.
 * If a const is used, every function has an additional first parameter, `const struct pl_consts *pl_k`, which
 * the caller of the kernel passes.
 */
#pragma once

#include <stdbool.h>
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
  bool one_long;               /* long long becomes long */
  const char *complex;         /* before texts with complex numbers of C99; NULL: nothing */
} pl_source_options;

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

/* Builds the text. `signature` is parsed, and bound if pl_real is used. Errors: PL_ERR_KERNEL with the line
 * of a forbidden construct; nothing to free then. */
pl_err pl_source_build(pl_context *pl, const pl_kernel *kernel, const pl_signature *signature,
                       const pl_source_options *style, pl_source *source);
void pl_source_free(pl_source *source);

/* Copies the current values into `block`, a struct pl_consts. */
void pl_source_fill_consts(const pl_source *source, void *block);
