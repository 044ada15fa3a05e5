/* SPDX-License-Identifier: BSD-2-Clause
 * Errors, the context with its options, backends and devices, and value types. */
#ifndef PLAIT_CORE_H
#define PLAIT_CORE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Version of the headers; pl_version returns that of the library. */
#define PLAIT_VERSION_MAJOR 0
#define PLAIT_VERSION_MINOR 2
#define PLAIT_VERSION_PATCH 0
#define PLAIT_VERSION "0.2.0"

/* Marks the exported functions. */
#if defined(__GNUC__)
#define PL_API __attribute__((visibility("default")))
#else
#define PL_API
#endif

/* Around the declarations of a header: they have C linkage in C++. */
#ifdef __cplusplus
#define PL_EXTERN_C_BEGIN extern "C" {
#define PL_EXTERN_C_END }
#else
#define PL_EXTERN_C_BEGIN
#define PL_EXTERN_C_END
#endif

PL_EXTERN_C_BEGIN

/* ---- errors ---- */

/* All error codes with their texts: PL_ERROR_LIST(X) expands X(code, text) for each. */
#define PL_ERROR_LIST(X)                                                                                     \
  X(PL_SUCCESS, "success")                                                                                   \
  X(PL_ERR_ARG, "invalid argument")                                                                          \
  X(PL_ERR_RANGE, "value out of range")                                                                      \
  X(PL_ERR_TYPE, "types do not match")                                                                       \
  X(PL_ERR_ACCESS, "access descriptor not allowed here")                                                     \
  X(PL_ERR_STATE, "operation not allowed in the object's current state")                                     \
  X(PL_ERR_MEMORY, "out of memory")                                                                          \
  X(PL_ERR_OPTION, "invalid option or environment variable")                                                 \
  X(PL_ERR_BACKEND, "backend not available")                                                                 \
  X(PL_ERR_KERNEL, "kernel source does not match its arguments")                                             \
  X(PL_ERR_COMPILE, "run-time compilation failed")                                                           \
  X(PL_ERR_IO, "cannot read or write a file")                                                                \
  X(PL_ERR_COMM, "communication between ranks failed")                                                       \
  X(PL_ERR_CHECK, "consistency check failed")                                                                \
  X(PL_ERR_INTERNAL, "internal error: please report it")                                                     \
  X(PL_ERR_NULL, "the object of the call is NULL")                                                           \
  X(PL_ERR_CONVERGENCE, "the solver did not converge")

/* Error codes, of PL_ERROR_LIST. */
#define PL_ERROR_ENUM(code, text) code,
typedef enum pl_err { PL_ERROR_LIST(PL_ERROR_ENUM) PL_ERR_COUNT } pl_err;
#undef PL_ERROR_ENUM

typedef struct pl_context pl_context; /* a Plait instance: communicator, options, backend and all objects */
typedef struct pl_set pl_set;         /* a set of elements, or a subset of one */
typedef struct pl_map pl_map;         /* from each element of a set to `arity` elements of another */
typedef struct pl_dat pl_dat;         /* `dim` values of one type on each element of a set */
typedef struct pl_global pl_global;   /* `dim` values that belong to no set; target of reductions */
typedef struct pl_const pl_const;     /* read-only values that kernels refer to by name */
typedef struct pl_random pl_random;   /* random numbers of one seed */
typedef struct pl_domain pl_domain;   /* a box of particles, with periodic axes */
typedef struct pl_loop pl_loop;       /* a kernel bound to a set and arguments, ready to run */
typedef struct pl_program pl_program; /* device code with work-groups, local memory and barriers */
typedef struct pl_entry pl_entry;     /* a kernel of a program, with its arguments */
typedef struct pl_queue pl_queue;     /* a queue (CUDA: stream) of a device */
typedef struct pl_event pl_event;     /* a position in a queue */

/* The message of the last error: the object, the reason and a remedy. Never NULL; valid until the next call
 * on the context. The context keeps it, and only for a call that knows no context the calling thread (after
 * PL_ERR_NULL, pl_constant, and pl_init without a context): its message is returned for any `pl`, until a
 * later error has a context. With `pl` NULL and no such call: why there is no context. Local. */
PL_API const char *pl_errmsg(const pl_context *pl);

/* The text of an error code in PL_ERROR_LIST, and its name ("PL_ERR_ARG"). Static strings. Local. */
PL_API const char *pl_errtext(pl_err code);
PL_API const char *pl_errname(pl_err code);

/* For libraries on Plait: their own errors. If `code` is an error on any rank, the sentence of the lowest
 * such rank (NULL: the text of the code) becomes the message of the context on all ranks, and its code is
 * returned. Errors: PL_ERR_ARG for an unknown code. Collective. */
PL_API pl_err pl_raise(pl_context *pl, pl_err code, const char *sentence);

/* Version of the linked library, "major.minor.patch". Local. */
PL_API const char *pl_version(void);

/* For programs that stop at the first error: prints file, line and message to stderr and exits with status 1.
 * The library itself never exits, aborts or prints to stdout. */
#define PL_OK(pl, call)                                                                                      \
  do {                                                                                                       \
    if ((call) != PL_SUCCESS) {                                                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, pl_errmsg(pl));                                     \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* ---- context ---- */

/* Memory allocator: resizes `ptr` (NULL: allocates) from `old_size` to `new_size` bytes (0: frees, returns
 * NULL). Returns NULL on failure and leaves `ptr` unchanged. Memory must be aligned as by malloc. */
typedef void *(*pl_realloc_fn)(void *user, void *ptr, size_t old_size, size_t new_size);

/* Settings of pl_init; zero-initialise. Priority: settings in code, then --plait-* arguments, then PLAIT_*
 * environment variables, then defaults. */
typedef struct pl_settings {
  const char *const *options; /* "name=value" strings, NULL-terminated (docs/environment.md); may be NULL */
  pl_realloc_fn realloc;      /* allocator of the context; NULL: realloc and free */
  void *realloc_user;         /* first argument of `realloc` */
  const void *comm;           /* address of an MPI_Comm, which is duplicated; NULL: by option mpi */
} pl_settings;

/* Creates a context and opens its backend. Reads PLAIT_* environment variables and --plait-NAME=VALUE
 * arguments, which it removes from argc/argv. argc, argv and settings may be NULL. On failure *pl is a
 * context for pl_errmsg and pl_finalize only, or NULL if there was no memory for it. Errors: PL_ERR_OPTION
 * (also for options that must be the same on all ranks, docs/mpi.md), PL_ERR_BACKEND, PL_ERR_COMM,
 * PL_ERR_MEMORY. Collective. */
PL_API pl_err pl_init_sized(int *argc, char ***argv, const pl_settings *settings, size_t size,
                            pl_context **pl);
static inline pl_err pl_init(int *argc, char ***argv, const pl_settings *settings, pl_context **pl)
{
  return pl_init_sized(argc, argv, settings, sizeof *settings, pl);
}

/* Runs recorded loops, writes the profile if option profile is set, and frees the context with everything
 * declared in it. Sets *pl to NULL; accepts NULL. A program that exits without it loses recorded loops and
 * the profile, and may be terminated by a device driver with work in progress. Collective. */
PL_API void pl_finalize(pl_context **pl);

/* Number of this rank and number of ranks; 0 and 1 without MPI. Local. */
PL_API int pl_rank(const pl_context *pl);
PL_API int pl_ranks(const pl_context *pl);

/* Value of an option ("backend", "block_size", ...: docs/environment.md). The string belongs to the context
 * and is valid until the option changes. Errors: PL_ERR_OPTION for an unknown name. Local. */
PL_API pl_err pl_get_option(pl_context *pl, const char *name, const char **value);

/* Changes an option, effective from the next run of each loop. The options precision, renumber, lazy, check,
 * halo, reproducible and profile must have the same value on all ranks; others may differ. Errors:
 * PL_ERR_STATE for options fixed at pl_init (backend, device, cache_dir, jit, ...), PL_ERR_OPTION for an
 * unknown name or invalid value. Collective. */
PL_API pl_err pl_set_option(pl_context *pl, const char *name, const char *value);

/* Resets all options that are not fixed to their values after pl_init. Collective. */
PL_API pl_err pl_reset_options(pl_context *pl);

/* Enumerates the options: name, value and help line of option `index` (0, 1, ...); each pointer may be NULL.
 * PL_ERR_RANGE past the end. Local. */
PL_API pl_err pl_option_at(pl_context *pl, int index, const char **name, const char **value,
                           const char **help);

/* Name of the backend in use ("seq", "openmp", ...), and its number of threads. Local. */
PL_API const char *pl_backend_name(const pl_context *pl);
PL_API int pl_backend_threads(const pl_context *pl);

/* Enumerates all backends: the name of backend `index`, and in *why_not the reason why it cannot be used, or
 * NULL if it can. PL_ERR_RANGE past the end. Local. */
PL_API pl_err pl_backend_at(pl_context *pl, int index, const char **name, const char **why_not);

/* Enumerates the modules (docs/modules.md): the name of module `index`, and in *why_not the reason why it
 * cannot be used, or NULL if it can. Loads the module. PL_ERR_RANGE past the end. Local. */
PL_API pl_err pl_module_at(pl_context *pl, int index, const char **name, const char **why_not);

/* Properties of a device. */
typedef struct pl_device_info {
  char number[16]; /* value for option device */
  char name[128];
  char version[256];              /* of the driver */
  int has_double, has_atomics_64; /* supports double; supports 64-bit atomics */
  int units;                      /* multiprocessors or compute units */
} pl_device_info;

/* Enumerates the devices of a backend, which need not be the one in use. PL_ERR_RANGE past the end and for
 * host backends, PL_ERR_BACKEND if the backend cannot be used. Local. */
PL_API pl_err pl_device_at_sized(pl_context *pl, const char *backend, int index, pl_device_info *info,
                                 size_t size);
static inline pl_err pl_device_at(pl_context *pl, const char *backend, int index, pl_device_info *info)
{
  return pl_device_at_sized(pl, backend, index, info, sizeof *info);
}

/* ---- types ---- */

/* All value types: X(code, C type in kernels, bytes). Complex types are structs {re, im}. */
#define PL_TYPE_LIST(X)                                                                                      \
  X(PL_INT8, int8_t, 1)                                                                                      \
  X(PL_UINT8, uint8_t, 1)                                                                                    \
  X(PL_INT16, int16_t, 2)                                                                                    \
  X(PL_UINT16, uint16_t, 2)                                                                                  \
  X(PL_INT32, int32_t, 4)                                                                                    \
  X(PL_UINT32, uint32_t, 4)                                                                                  \
  X(PL_INT64, int64_t, 8)                                                                                    \
  X(PL_UINT64, uint64_t, 8)                                                                                  \
  X(PL_FLOAT, float, 4)                                                                                      \
  X(PL_DOUBLE, double, 8)                                                                                    \
  X(PL_COMPLEX_FLOAT, pl_cfloat, 8)                                                                          \
  X(PL_COMPLEX_DOUBLE, pl_cdouble, 16)

/* Value types, of PL_TYPE_LIST; PL_INT is the type int. */
#define PL_TYPE_ENUM(code, ctype, bytes) code,
typedef enum pl_type { PL_TYPE_LIST(PL_TYPE_ENUM) PL_TYPE_COUNT } pl_type;
#undef PL_TYPE_ENUM
#define PL_INT PL_INT32

/* Complex numbers on the host. */
typedef struct pl_cfloat {
  float re, im;
} pl_cfloat;
typedef struct pl_cdouble {
  double re, im;
} pl_cdouble;

/* The pl_type of the values that a pointer leads to; PL_TYPE_COUNT for others (void *, long long *, arrays of
 * arrays). Functions with values of an object as last argument use it: they convert float to double and vice
 * versa, and return PL_ERR_TYPE for other types than the object's. Neither is possible in C99, nor for a
 * void *: there the values must have the object's type. */
#if defined __cplusplus
#define PL_TYPE_OF_(code, type, bytes)                                                                       \
  inline pl_type pl_type_of(const type *)                                                                    \
  {                                                                                                          \
    return code;                                                                                             \
  }
extern "C++" {
PL_TYPE_LIST(PL_TYPE_OF_)
inline pl_type pl_type_of(const void *)
{
  return PL_TYPE_COUNT;
}
}
#undef PL_TYPE_OF_
#define PL_TYPE_OF(pointer) pl_type_of(pointer)
#elif __STDC_VERSION__ >= 201112L
#define PL_TYPE_OF_(code, type, bytes) type * : code, const type * : code,
#define PL_TYPE_OF(pointer) _Generic((pointer), PL_TYPE_LIST(PL_TYPE_OF_) default : PL_TYPE_COUNT)
#endif

/* In a kernel pl_real is float or double, the type of the dats in the loop's arguments. For the user's
 * compiler it is PL_REAL, which may be defined before this header is included (default double). */
#ifndef PL_REAL
#define PL_REAL double
#endif
typedef PL_REAL pl_real;

/* In a kernel pl_mixed is pl_mixed_type(pl), the type for sums of pl_real. For the user's compiler it is
 * PL_MIXED (default double). */
#ifndef PL_MIXED
#define PL_MIXED double
#endif
typedef PL_MIXED pl_mixed;

/* Size of one value in bytes (0 for an unknown code), and its C name. Local. */
PL_API size_t pl_type_size(pl_type type);
PL_API const char *pl_type_name(pl_type type);

PL_EXTERN_C_END

#endif
