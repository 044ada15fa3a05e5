/* SPDX-License-Identifier: BSD-2-Clause
 * Fragments: texts of kernels as parts of a fused kernel's text.
 *
 * Invariant: a fragment defines its function under a name that no other fragment has, except for whole files
 * of the user.
 */
#pragma once

#include <stdbool.h>
#include "core/context/string_builder.h"

typedef struct pl_fragment {
  struct pl_fragment *next;
  const pl_kernel *kernel;
  char *name, *text;
  bool source;              /* a whole file of the user */
  bool macros;              /* it or a fragment that it needs has preprocessor directives */
  bool uses_real, computes; /* as in pl_reals */
  int nneeds;
  struct pl_fragment **needs; /* the fragments that it calls */
  int mark;
} pl_fragment;

/* A kernel as a fragment; a new, empty fragment for a fused kernel, which the caller fills or drops. NULL
 * without memory. */
pl_fragment *pl_fragment_of(pl_context *pl, const pl_kernel *kernel);
pl_fragment *pl_fragment_new(pl_context *pl, const pl_kernel *kernel);
void pl_fragment_drop(pl_context *pl);  /* the newest one */
void pl_fragments_free(pl_context *pl); /* all */

/* PL_ERR_KERNEL if files of the user define the same names, or macros of one affect another. */
pl_err pl_fragments_check(pl_context *pl, int n, pl_fragment *const *fragment);

/* Prints the fragments and those that they need, each once. */
void pl_fragments_print(pl_context *pl, pl_string *t, int n, pl_fragment *const *fragment);
