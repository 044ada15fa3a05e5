/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels, the helper functions they call, and rows of ragged maps (docs/kernel-language.md). */
#ifndef PLAIT_KERNELS_H
#define PLAIT_KERNELS_H

#include <plait/core.h>

PL_EXTERN_C_BEGIN

/* The description of a helper function for kernels; fields are internal. */
typedef struct pl_function {
  const char *name, *result, *params, *body, *file;
  int line, library; /* library: the name may begin with pl_ */
  int size;          /* of this struct */
} pl_function;

/* Before a function that C code need not call: no warning. */
#ifdef __GNUC__
#define PL_UNUSED __attribute__((unused))
#else
#define PL_UNUSED
#endif

/* A helper function for kernels: PL_FUNCTION(double, square, (double x), { return x * x; }) defines the C
 * function and keeps its source; pl_decl_function(pl, square) declares it to the context. Kernels and helpers
 * declared later may then call it. The strings must stay valid as long as the context. */
#define PL_FUNCTION(result, name, params, ...)                                                               \
  PL_UNUSED static inline result name params __VA_ARGS__ static const pl_function name##_plait[1] = {        \
    {#name, #result, #params, #__VA_ARGS__, __FILE__, __LINE__, 0, (int)sizeof(pl_function)}};

/* Declares a function that PL_FUNCTION has defined. The second form takes its description. Collective. */
#define pl_decl_function(pl, name) pl_decl_function_text((pl), name##_plait)
PL_API pl_err pl_decl_function_text(pl_context *pl, const pl_function *function);

/* The same with texts that are copied: pl_decl_function_from_source(pl, "square", "double", "(double x)",
 * "{ return x * x; }"). Collective. */
PL_API pl_err pl_decl_function_from_source(pl_context *pl, const char *name, const char *result,
                                           const char *params, const char *body);

/* Declares the functions of plait_fields.h, complex numbers and small matrices, to the kernels of a context;
 * call it once. Errors as pl_decl_function. Collective. */
PL_API pl_err pl_decl_fields(pl_context *pl);

/* ---- kernels ---- */

/* A function as a pointer without its parameters. */
typedef void (*pl_kernel_fn)(void);

/* A kernel: a C function with its source, which Plait compiles again for each target. It must outlive the
 * context. Created by PL_KERNEL, plait_embed_kernels (CMake) or pl_kernel_from_source; fields are
 * internal. */
typedef struct pl_kernel {
  const char *name;
  const char *params, *body; /* of a PL_KERNEL; NULL if `source` holds a whole file */
  const char *source;
  const char *file; /* location of the source, for messages */
  int line;
  int real_size;         /* sizeof(pl_real) where `function` was compiled */
  pl_kernel_fn function; /* compiled by the user's compiler; NULL if only the source is known */
  const void *extra;     /* internal */
  int size;              /* of this struct */
} pl_kernel;

/* PL_KERNEL(name, (parameters), {body}) at file scope, without semicolon. Parameters are pointers or arrays,
 * one for each loop argument in order. */
#define PL_KERNEL(name, params, ...)                                                                         \
  static inline void name##_kernel params __VA_ARGS__ static const pl_kernel name[1] = {                     \
    {#name, #params, #__VA_ARGS__, NULL, __FILE__, __LINE__, (int)sizeof(pl_real),                           \
     (pl_kernel_fn)name##_kernel, NULL, (int)sizeof(pl_kernel)}};

/* Before a `for` inside a kernel: unrolls it n times, with the pragma of the compiler in use: PL_UNROLL(4)
 * for (int k = 0; k < 4; k++) ... */
#define PL_UNROLL_WORDS(words) _Pragma(#words)
#if defined __GNUC__ && !defined __clang__
#define PL_UNROLL(n) PL_UNROLL_WORDS(GCC unroll n)
#else
#define PL_UNROLL(n) PL_UNROLL_WORDS(unroll n)
#endif

/* In a kernel: asks a processor to load the memory at `address`, which need not exist, into its caches. Loops
 * whose rows are short gain by asking for values of later rows. Devices do nothing. */
#if defined __GNUC__
#define PL_PREFETCH(address) __builtin_prefetch(address)
#else
#define PL_PREFETCH(address) ((void)(address))
#endif

/* Options of a kernel from source; zero-initialise. Lists are NULL-terminated and may be NULL. */
typedef struct pl_kernel_options {
  const char *const *include_dirs; /* folders of included files */
  const char *const *headers;      /* headers to include, e.g. "<float.h>" or "\"mine.h\"" */
  const char *const *link_args;    /* linker arguments, e.g. "-lgsl" (host targets) */
  const char *setup;               /* statements run once when the kernel is loaded (host targets) */
  double flops;                    /* operations per element, for the profile; 0: counted in the source */
  int cpp;                         /* compile as C++ (host targets and cuda) */
  const char *file;                /* file name for messages; NULL: "kernel NAME" */
  int line;                        /* line number of the first line; 0 means 1 */
} pl_kernel_options;

/* Creates a kernel from a source text that defines the function `name` and all it needs (helpers, typedefs,
 * preprocessor lines). Other functions, variables and types of the text are ignored. `options` may be NULL.
 * The text is copied; the kernel lives as long as the context. Errors: PL_ERR_KERNEL, with the line, for a
 * missing function or an unknown form of parameter list. Collective. */
PL_API pl_err pl_kernel_from_source_sized(pl_context *pl, const char *name, const char *source,
                                          const pl_kernel_options *options, size_t size,
                                          const pl_kernel **kernel);
static inline pl_err pl_kernel_from_source(pl_context *pl, const char *name, const char *source,
                                           const pl_kernel_options *options, const pl_kernel **kernel)
{
  return pl_kernel_from_source_sized(pl, name, source, options, sizeof *options, kernel);
}

/* ---- rows ---- */

/* The parameter type for a dat read through a ragged map: const pl_row_double *x and so on for each type;
 * pl_row_real goes with pl_real. x->count is the number of targets; pl_at(x, k, c) is component c at target
 * k. The other fields are internal. */
#define PL_ROW_TYPE(code, type, bytes)                                                                       \
  typedef struct pl_row_##type {                                                                             \
    int count, dim;                                                                                          \
    const int *index;                                                                                        \
    const type *value;                                                                                       \
  } pl_row_##type;
PL_TYPE_LIST(PL_ROW_TYPE)
#undef PL_ROW_TYPE
typedef pl_row_int32_t pl_row_int;
typedef struct pl_row_real {
  int count, dim;
  const int *index;
  const pl_real *value;
} pl_row_real;
#define pl_at(row, k, c) ((row)->value[(size_t)(row)->index[k] * (size_t)(row)->dim + (size_t)(c)])

PL_EXTERN_C_END

#endif
