/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels from source, and the consts and helper functions that kernels use.
 */
#pragma once

#include "core/context/context.h"

/* A helper function, by its text. */
typedef struct pl_helper {
  pl_node node;
  pl_function text;
  char *copy[3]; /* of the result, params and body of pl_decl_function_from_source; else NULL */
} pl_helper;

/* A kernel from source: the public struct, its options and copies of all strings. */
typedef struct pl_source_kernel {
  pl_node node;
  pl_kernel kernel; /* kernel.extra points to this struct */
  bool internal;    /* created by the library: its loops may use PL_WHOLE */
  void (*compute)(const void *formula, void *const *values); /* the kernel without a compiler; or NULL */
  void *formula;                                             /* for it; freed with the kernel */
  const pl_kernel *wrapped; /* the kernel that this one calls with mixed arguments (codegen/mixed); or NULL */
  char *layout;             /* of these arguments */
  pl_kernel_options options;
} pl_source_kernel;

/* Whether a const, function, kernel or algorithm may have this name. */
bool pl_is_identifier(const char *name);

void pl_const_destroy(pl_node *constant);
void pl_helper_destroy(pl_node *helper);
void pl_kernel_destroy(pl_node *kernel);

/* Looks a const or helper up by name; NULL if there is none. */
pl_const *pl_const_find(pl_context *pl, const char *name, size_t length);
const pl_function *pl_function_find(pl_context *pl, const char *name, size_t length);

/* The options of a kernel: those of pl_kernel_from_source, or all zero. */
const pl_kernel_options *pl_kernel_extras(const pl_kernel *kernel);

/* Whether the library created the kernel. */
bool pl_kernel_is_own(const pl_kernel *kernel);

/* The kernel that this one calls with mixed arguments, or NULL. */
const pl_kernel *pl_kernel_wrapped(const pl_kernel *kernel);

/* Calls a kernel of the library that needs no compiler, unless `values` is NULL; false: it is none. */
bool pl_kernel_call(const pl_kernel *kernel, void *const *values);

/* A hint for a compiler's or linker's messages about an unknown name; "" for other messages. */
const char *pl_kernel_hint(const char *messages);
