/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Plait: parallel loops over unstructured meshes and particles.
 *
 * Declare sets, maps between them and dats on them, write each kernel once in plain C, and call pl_par_loop.
 * This header is the whole public interface. C99 and later, C++17 and later.
 *
 * Sections: errors, context, types, sets, maps, dats, arithmetic, ranks, HDF5 files, order, globals, consts
 * and helper functions, kernels, rows, loop arguments, loops, programs, queues and events, chains, pairs,
 * particles over a mesh, algorithms, sets that change their size, statistics. Who only writes loops needs
 * sets to loops.
 *
 * Conventions, true of every function unless it says otherwise:
 *  - it returns pl_err: 0 (PL_SUCCESS) or an error code; pl_errmsg(pl) is the sentence that goes with the
 * last error. A call that fails changes nothing;
 *  - results come back through the last pointer arguments;
 *  - a context and everything declared in it belong to one thread at a time; two contexts are independent.
 * After fork() a context is its parent's alone: the child opens its own, and on "openmp" or a device only if
 * the parent has used neither before, as threads and drivers do not survive fork();
 *  - an object belongs to its context and lives until its pl_*_free or pl_finalize. pl_*_free takes the
 * address of the handle, sets it to NULL and accepts NULL; objects must be freed after everything declared on
 * them;
 *  - arrays handed in are copied, and stay the caller's;
 *  - "collective": all ranks of the context's communicator call it, in the same order. "local": any rank
 * alone.
 */
#ifndef PLAIT_H
#define PLAIT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PLAIT_VERSION_MAJOR 0
#define PLAIT_VERSION_MINOR 1
#define PLAIT_VERSION_PATCH 0
#define PLAIT_VERSION "0.1.0"

#if defined(__GNUC__)
#define PL_API __attribute__((visibility("default")))
#else
#define PL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ---- */

/* One list of codes and texts; PL_ERROR_LIST(X) expands X(code, text) for each. */
#define PL_ERROR_LIST(X)                                                                                     \
  X(PL_SUCCESS, "success")                                                                                   \
  X(PL_ERR_ARG, "an argument is not acceptable")                                                             \
  X(PL_ERR_RANGE, "a number is outside its range")                                                           \
  X(PL_ERR_TYPE, "two types do not match")                                                                   \
  X(PL_ERR_ACCESS, "the access is not allowed")                                                              \
  X(PL_ERR_STATE, "the object is not in a state that allows this")                                           \
  X(PL_ERR_MEMORY, "out of memory")                                                                          \
  X(PL_ERR_OPTION, "an option or environment variable is not valid")                                         \
  X(PL_ERR_BACKEND, "the backend is not available")                                                          \
  X(PL_ERR_KERNEL, "the kernel's text does not fit its use")                                                 \
  X(PL_ERR_COMPILE, "run-time compilation failed")                                                           \
  X(PL_ERR_IO, "a file could not be read or written")                                                        \
  X(PL_ERR_COMM, "communication between ranks failed")                                                       \
  X(PL_ERR_CHECK, "a check found a wrong result")                                                            \
  X(PL_ERR_INTERNAL, "internal error: please report it")

#define PL_ERROR_ENUM(code, text) code,
typedef enum pl_err { PL_ERROR_LIST(PL_ERROR_ENUM) PL_ERR_COUNT } pl_err;
#undef PL_ERROR_ENUM

typedef struct pl_context pl_context; /* everything hangs on one of these; no globals */
typedef struct pl_set pl_set;         /* a set of elements, or a subset of one */
typedef struct pl_map pl_map;         /* from each element of a set to `arity` elements of another */
typedef struct pl_dat pl_dat;         /* `dim` values of one type on each element of a set */
typedef struct pl_global pl_global;   /* `dim` values that belong to no set; reductions end here */
typedef struct pl_const pl_const;     /* named read-only values that kernels use by name */
typedef struct pl_domain pl_domain;   /* a box that particles live in, with periodic axes */
typedef struct pl_loop pl_loop;       /* a kernel bound to a set and arguments, ready to run again */
typedef struct pl_program pl_program; /* device code for what loops cannot say */
typedef struct pl_entry pl_entry;     /* a kernel of a program, with its arguments */
typedef struct pl_queue pl_queue;     /* of work on a device */
typedef struct pl_event pl_event;     /* a moment in a queue */

/* The sentence of the context's last error: what, which object, why, what to do. Never NULL; valid until the
 * next call on the context. With pl NULL it explains that no context could be made. Local. */
PL_API const char *pl_errmsg(const pl_context *pl);

/* The fixed text of an error code, and its name ("PL_ERR_ARG"). Local. */
PL_API const char *pl_errtext(pl_err code);
PL_API const char *pl_errname(pl_err code);

/* Version of the library that is linked, "major.minor.patch". Local. */
PL_API const char *pl_version(void);

/* A program's own choice to stop at the first error: prints file, line and the sentence on stderr, exits
 * with 1. The library itself never exits, aborts or prints to stdout. */
#define PL_OK(pl, call)                                                                                      \
  do {                                                                                                       \
    if ((call) != PL_SUCCESS) {                                                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, pl_errmsg(pl));                                     \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* ---- context ---- */

/* A memory manager: resizes `ptr` (NULL: allocates) from `old_size` to `new_size` bytes (0: frees, returns
 * NULL); returns NULL when it cannot, leaving `ptr` as it was. Memory must be aligned as by malloc. */
typedef void *(*pl_realloc_fn)(void *user, void *ptr, size_t old_size, size_t new_size);

/* What pl_init may be told in code; zero-initialise it. Settings in code win over --plait-* arguments, these
 * over PLAIT_* environment variables, these over the defaults. */
typedef struct pl_settings {
  const char *const
    *options;            /* "name=value" strings ended by NULL, names as in the options table; may be NULL */
  pl_realloc_fn realloc; /* NULL: the C library's */
  void *realloc_user;    /* handed to `realloc` */
  const void *comm;      /* the address of an MPI_Comm, which is duplicated; NULL: as the option "mpi" says */
} pl_settings;

/* Opens a context: reads PLAIT_* from the environment and --plait-NAME=VALUE from the command line (which are
 * removed from argc/argv), and opens the chosen backend. argc, argv and settings may be NULL. On failure *pl
 * still holds a context for pl_errmsg and pl_finalize only (NULL when there was no memory even for that).
 * Collective. */
PL_API pl_err pl_init(int *argc, char ***argv, const pl_settings *settings, pl_context **pl);

/* Closes the context and frees everything declared in it; writes the profile if PLAIT_PROFILE asks. Sets *pl
 * to NULL; accepts NULL. Collective. A program that ends without it writes no profile, never runs loops that
 * are only recorded, and may be ended by a device's driver that is still at work. */
PL_API void pl_finalize(pl_context **pl);

/* This rank's number and how many ranks the context has: 0 and 1 without MPI or a launcher. Local. */
PL_API int pl_rank(const pl_context *pl);
PL_API int pl_ranks(const pl_context *pl);

/* Reads an option by its name in the table ("backend", "block_size", ...). The string belongs to the context
 * and is valid until the option changes. Local. */
PL_API pl_err pl_get_option(pl_context *pl, const char *name, const char **value);

/* Changes an option; it acts on every loop from its next run on. Refused for options fixed at pl_init
 * ("backend", "device", "cache_dir", "jit") and for values that do not pass the option's check. Collective.
 */
PL_API pl_err pl_set_option(pl_context *pl, const char *name, const char *value);

/* Sets every option that is not fixed back to what it was after pl_init. Collective. */
PL_API pl_err pl_reset_options(pl_context *pl);

/* Walks the options table: fills in name, value and one-line help of option `index` (0, 1, ...), any of which
 * may be NULL; PL_ERR_RANGE past the end. Local. */
PL_API pl_err pl_option_at(pl_context *pl, int index, const char **name, const char **value,
                           const char **help);

/* Name of the backend in use ("seq", "openmp", ...), and its number of threads. Local. */
PL_API const char *pl_backend_name(const pl_context *pl);
PL_API int pl_backend_threads(const pl_context *pl);

/* Walks the backends this library knows, built in or not: name and, in *why_not, NULL when it can be used or
 * the sentence that says what is missing. PL_ERR_RANGE past the end. Local. */
PL_API pl_err pl_backend_at(pl_context *pl, int index, const char **name, const char **why_not);

/* A device, as pl_device_at describes it. */
typedef struct pl_device_info {
  char number[16]; /* as the option "device" takes it */
  char name[128];
  char version[256];              /* of what drives it */
  int has_double, has_atomics_64; /* double precision; atomics of 8 bytes */
  int units;                      /* groups of work items run on so many at once: multiprocessors, cores */
} pl_device_info;

/* Walks the devices that a backend could use, whichever is in use: describes device `index` (0, 1, ...).
 * PL_ERR_RANGE past the end, and for backends that run on the host. Local. */
PL_API pl_err pl_device_at(pl_context *pl, const char *backend, int index, pl_device_info *info);

/* ---- types ---- */

/* One list of value types: X(code, C type in kernels, bytes). Complex types are two reals {re, im}. */
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

#define PL_TYPE_ENUM(code, ctype, bytes) code,
typedef enum pl_type { PL_TYPE_LIST(PL_TYPE_ENUM) PL_TYPE_COUNT } pl_type;
#undef PL_TYPE_ENUM
#define PL_INT PL_INT32

typedef struct pl_cfloat {
  float re, im;
} pl_cfloat;
typedef struct pl_cdouble {
  double re, im;
} pl_cdouble;

/* pl_real in a kernel is float or double, decided by the dats the kernel is called with. For the user's own
 * compiler it is PL_REAL, which may be defined before this header is included (default double). */
#ifndef PL_REAL
#define PL_REAL double
#endif
typedef PL_REAL pl_real;

/* pl_mixed in a kernel is the type that pl_mixed_type tells: what sums of pl_real are kept in. For the user's
 * own compiler it is PL_MIXED (default double). */
#ifndef PL_MIXED
#define PL_MIXED double
#endif
typedef PL_MIXED pl_mixed;

/* Bytes of one value of a type (0 for an unknown code), and its C name. Local. */
PL_API size_t pl_type_size(pl_type type);
PL_API const char *pl_type_name(pl_type type);

/* ---- sets ---- */

/* Declares a set of n >= 0 elements on this rank. `name` is for messages and profiles. Collective. */
PL_API pl_err pl_decl_set(pl_context *pl, int64_t n, const char *name, pl_set **set);

/* Declares a set by its parts: sizes[0] core elements, then up to sizes[1] owned, sizes[2] with the exec halo
 * and sizes[3] with the nonexec halo (cumulative, monotone). Loops run over the owned elements, and over the
 * exec halo too when they write through a map. Collective. */
PL_API pl_err pl_decl_set_parts(pl_context *pl, const int64_t sizes[4], const char *name, pl_set **set);

/* Declares a subset: a set to loop over that consists of `n` elements of `parent` given by index. Indices are
 * sorted and duplicates dropped; a subset of a subset becomes a subset of the parent. No dat or map can be
 * declared on a subset. Errors: PL_ERR_RANGE for an index outside the parent. Collective. */
PL_API pl_err pl_decl_subset(pl_set *parent, int64_t n, const int *indices, const char *name,
                             pl_set **subset);

typedef enum pl_set_op { PL_UNION, PL_INTERSECTION, PL_DIFFERENCE, PL_SYMMETRIC_DIFFERENCE } pl_set_op;

/* Combines two subsets of one parent into a new subset; the parent itself counts as its full subset.
 * Collective. */
PL_API pl_err pl_subset_combine(pl_set *a, pl_set_op op, pl_set *b, const char *name, pl_set **subset);

/* Owned elements of a set or subset; all elements with halos; its name; the parent (the set itself if it is
 * no subset); the sorted indices of a subset (NULL for a set), owned by the subset. Local. */
PL_API int64_t pl_set_size(const pl_set *set);
PL_API int64_t pl_set_total(const pl_set *set);
PL_API const char *pl_set_name(const pl_set *set);
PL_API pl_set *pl_set_parent(pl_set *set);
PL_API const int *pl_subset_indices(const pl_set *subset);

/* Elements of a set (not a subset) on all ranks together, and the global indices of this rank's owned
 * elements, ascending, in the order in which host views show them: fills in pl_set_size(set) values. Local.
 */
PL_API int64_t pl_set_global_size(const pl_set *set);
PL_API pl_err pl_set_global(const pl_set *set, int64_t *indices);

PL_API void pl_set_free(pl_set **set);

/* ---- maps ---- */

/* Declares a map: `indices` holds arity >= 1 indices into `to` for each element of `from` (halos included),
 * element by element. A negative index means "no target": reads see zeros, writes are dropped. Need be
 * neither injective nor surjective. `indices` NULL leaves the map undefined; using it in a loop over a
 * non-empty set is an error. Errors: PL_ERR_RANGE for an index beyond `to`, naming the entry. Collective. */
PL_API pl_err pl_decl_map(pl_set *from, pl_set *to, int arity, const int *indices, const char *name,
                          pl_map **map);

/* pl_decl_map with 64-bit indices: under several ranks, where indices are global, a set may have more
 * elements than an int can count. Collective. */
PL_API pl_err pl_decl_map_global(pl_set *from, pl_set *to, int arity, const int64_t *indices,
                                 const char *name, pl_map **map);

/* A new map with the targets reordered: its target i is target permutation[i] of `map`, i < n; entries of
 * `permutation` in [0, arity), repeats allowed. Collective. */
PL_API pl_err pl_map_permute(const pl_map *map, int n, const int *permutation, const char *name,
                             pl_map **result);

/* A new map that goes through `inner` first: target k of element e is outer[inner[e]][k]. `inner` must have
 * arity 1 and end on the set where `outer` starts; a negative inner index gives negative targets. Collective.
 */
PL_API pl_err pl_map_compose(const pl_map *outer, const pl_map *inner, const char *name, pl_map **result);

/* Declares a ragged map: element e of `from` reaches values[offsets[e]] .. values[offsets[e + 1] - 1], any
 * number of elements of `to`. `offsets` holds pl_set_total(from) + 1 ascending numbers from 0 on. A kernel
 * gets a row of values through it (pl_row_double and so on, below). On several ranks rows are those of the
 * elements that this rank owns, in the order of host views (a rank without any may hand in NULL), and values
 * are global indices; pl_decl_map_ragged_global takes them in 64 bits. Errors: PL_ERR_RANGE for offsets that
 * descend and for values outside `to`, naming the entry. Collective. */
PL_API pl_err pl_decl_map_ragged(pl_set *from, pl_set *to, const int *offsets, const int *values,
                                 const char *name, pl_map **map);
PL_API pl_err pl_decl_map_ragged_global(pl_set *from, pl_set *to, const int *offsets, const int64_t *values,
                                        const char *name, pl_map **map);

/* A new ragged map, the inverse of a map of any kind but a pair map: row t holds the elements that reach t,
 * ascending, one as often as it reaches it; entries without target appear nowhere. By counting, prefix sum
 * and filling. On several ranks each rank gets the rows of the targets that it owns. Collective. */
PL_API pl_err pl_map_invert(const pl_map *map, const char *name, pl_map **result);

/* Arity (0: ragged), end sets, name, the indices as declared (owned by the map; NULL if undefined), and the
 * offsets of a ragged map's rows in them (else NULL). On several ranks indices are positions in host views,
 * halos included, and NULL before the first loop has distributed the sets. Local. */
PL_API int pl_map_arity(const pl_map *map);
PL_API pl_set *pl_map_from(const pl_map *map);
PL_API pl_set *pl_map_to(const pl_map *map);
PL_API const char *pl_map_name(const pl_map *map);
PL_API const int *pl_map_indices(const pl_map *map);
PL_API const int *pl_map_offsets(const pl_map *map);

PL_API void pl_map_free(pl_map **map);

/* ---- dats ---- */

/* Access descriptors: what a loop argument or a host access does with its values. */
typedef enum pl_access {
  PL_READ = 1,
  PL_WRITE,
  PL_RW,
  PL_INC,
  PL_MIN,
  PL_MAX,
  PL_INC_ANTI, /* in loops over pairs: +w on side 0, -w on side 1 */
  PL_INC_SYM   /* in loops over pairs: +w on both sides */
} pl_access;

/* Declares `dim` >= 0 values of `type` on each element of `set` (not a subset). `data` holds dim *
 * pl_set_total(set) values, element by element, and is copied; NULL means zeros, and no storage is taken
 * until it is first used. Collective. */
PL_API pl_err pl_decl_dat(pl_set *set, int dim, pl_type type, const void *data, const char *name,
                          pl_dat **dat);

/* The same with a shape of several extents; dim is their product, the last extent varies fastest. Collective.
 */
PL_API pl_err pl_decl_dat_shape(pl_set *set, int rank, const int *shape, pl_type type, const void *data,
                                const char *name, pl_dat **dat);

/* A new dat with the set, shape, type and present values of `dat`. Collective. */
PL_API pl_err pl_dat_duplicate(pl_dat *dat, const char *name, pl_dat **copy);

/* Copies the values of `from` to `to`: same set, dim and type; with a subset of the set only there. Local
 * (pl_dat_copy_subset: collective). */
PL_API pl_err pl_dat_copy(pl_dat *from, pl_dat *to);
PL_API pl_err pl_dat_copy_subset(pl_dat *from, pl_dat *to, pl_set *subset);

/* Sets all values to zero; with a subset of the dat's set only there. Local. */
PL_API pl_err pl_dat_zero(pl_dat *dat);
PL_API pl_err pl_dat_zero_subset(pl_dat *dat, pl_set *subset);

/* Opens the host view of a dat: dim * pl_set_total(set) values, element by element, whatever the layout
 * elsewhere; those of other ranks' elements are as they last came (pl_dat_freeze_halo brings them up to
 * date). `access` is PL_READ (look only), PL_RW, or PL_WRITE (every value will be written; what is there
 * is undefined). Data comes home only now, if it is not there. Close with pl_dat_put; until then loops that
 * use the dat are refused, except that PL_READ views allow loops which only read it. Several PL_READ views
 * may be open at once. Local (collective for PL_RW and PL_WRITE). */
PL_API pl_err pl_dat_get(pl_dat *dat, pl_access access, void **data);

/* Closes the view last opened by pl_dat_get. With PLAIT_CHECK=1 a PL_READ view that was written to is an
 * error. */
PL_API pl_err pl_dat_put(pl_dat *dat);

/* Copies the values of all owned elements to `data` (pl_set_size(set) * dim values, caller's memory). On
 * several ranks: of the elements that this rank has declared, wherever they are now; those that left for ever
 * are zero. Local (with several ranks collective). */
PL_API pl_err pl_dat_fetch(pl_dat *dat, void *data);

/* Number of modifications so far: +1 for each loop that writes the dat, each zeroing or copy into it and each
 * PL_RW or PL_WRITE view; unchanged by reading. Starts at 0. Local. */
PL_API uint64_t pl_dat_version(const pl_dat *dat);

/* Where valid copies are, as in docs/internals.md; local. */
typedef enum pl_state {
  PL_DEVICE_UNALLOCATED,
  PL_HOST_UNALLOCATED,
  PL_ON_HOST,
  PL_ON_DEVICE,
  PL_ON_BOTH
} pl_state;
PL_API pl_state pl_dat_state(const pl_dat *dat);

/* Transfers by hand; never needed, as loops and views move what they need. pl_dat_allocate_device takes
 * device memory, pl_dat_to_device makes the device copy valid too, pl_dat_from_device the host copy. Without
 * a device they do nothing. Local. */
PL_API pl_err pl_dat_allocate_device(pl_dat *dat);
PL_API pl_err pl_dat_to_device(pl_dat *dat);
PL_API pl_err pl_dat_from_device(pl_dat *dat);

/* Chooses the layout of the dat's values on devices, which loops never see and programs do: "aos" element by
 * element, "soa" each component for all elements, "aosoa:V" tiles of V elements with components apart inside;
 * "soa:M" and "aosoa:V,M" keep words of M values together (M 2: complex numbers). With words = values of an
 * element / M, value m of word w of element i lies at ((i/V * V * words) + w*V + i%V) * M + m (SoA: V is the
 * number of elements); the last tile is whole. Wins over option layout; without either the library chooses.
 * Host views are always element by element. Local. */
PL_API pl_err pl_dat_set_layout(pl_dat *dat, const char *layout);

/* An array: a dat of n elements on a set of its own, which goes with it, element by element on devices too.
 * Loops may run over pl_dat_set(array); pl_dat_copy copies between arrays of equal size, dim and type. On
 * several ranks n is this rank's part. Collective. */
PL_API pl_err pl_decl_array(pl_context *pl, int64_t n, int dim, pl_type type, const void *data,
                            const char *name, pl_dat **array);

/* Writes or reads the elements offset .. offset + count - 1 of an array, where its values are; only these
 * move. `type` is that of `values`: the array's, or float for double and the other way round (complex types
 * too), which are converted. pl_array_resize gives an array n elements, all zero; loops made for it are made
 * anew. Errors: PL_ERR_RANGE past the end, PL_ERR_TYPE, PL_ERR_STATE with an open view, naming the array.
 * Local. */
PL_API pl_err pl_array_write(pl_dat *array, int64_t offset, int64_t count, pl_type type, const void *values);
PL_API pl_err pl_array_read(pl_dat *array, int64_t offset, int64_t count, pl_type type, void *values);
PL_API pl_err pl_array_resize(pl_dat *array, int64_t n);

/* Set, values per element, type, name, bytes of all values; bytes of host storage taken so far (0 before the
 * first use). Local. */
PL_API pl_set *pl_dat_set(const pl_dat *dat);
PL_API int pl_dat_dim(const pl_dat *dat);
PL_API pl_type pl_dat_type(const pl_dat *dat);
PL_API const char *pl_dat_name(const pl_dat *dat);
PL_API size_t pl_dat_nbytes(const pl_dat *dat);
PL_API size_t pl_dat_host_bytes(const pl_dat *dat);

/* ---- arithmetic ---- */

/* On dats of one set, dim and type, any of the types. Each call is a loop over the owned elements: it runs
 * where the values are, is recorded in chains, and exchanges nothing. Results may be operands. Whole numbers
 * are as in C, but a quotient by zero is zero; they are cut off towards zero. Errors: PL_ERR_TYPE for dats
 * that are not alike, PL_ERR_STATE with an open view, and those of a kernel that is known by its text alone.
 * Collective. */
typedef enum pl_operator { PL_ADD, PL_SUBTRACT, PL_MULTIPLY, PL_DIVIDE } pl_operator;

/* result = a op b, value by value. A global on either side has the type of the dat and one value, or one for
 * each component. */
PL_API pl_err pl_dat_combine(pl_dat *a, pl_operator op, pl_dat *b, pl_dat *result);
PL_API pl_err pl_dat_combine_global(pl_dat *a, pl_operator op, pl_global *b, pl_dat *result);
PL_API pl_err pl_global_combine_dat(pl_global *a, pl_operator op, pl_dat *b, pl_dat *result);

/* All values become `value`; x = a x; y = a x + y; y = x + a y. The number, the same on all ranks, is
 * converted to the type of the dats. */
PL_API pl_err pl_dat_fill(pl_dat *dat, double value);
PL_API pl_err pl_dat_scale(double a, pl_dat *x);
PL_API pl_err pl_dat_axpy(double a, pl_dat *x, pl_dat *y);
PL_API pl_err pl_dat_aypx(double a, pl_dat *x, pl_dat *y);

/* y = a[0] x[0] + ... + a[n - 1] x[n - 1] + y, n from 1 to 16, by factors of the dats' type that a global of
 * dim n holds: complex ones, or what loops have summed up. */
PL_API pl_err pl_dat_maxpy(int n, pl_global *a, pl_dat *const *x, pl_dat *y);

/* The inner product, the sum of conj(x) y over all values of the owned elements, becomes the value of
 * `result`: of dim 1 and the dats' type, or double for float and complex double for complex float. The norm
 * is the root of the sum of |x|^2, kept in double (float for dats of float if option precision is single);
 * the host waits for it. */
PL_API pl_err pl_dat_inner(pl_dat *x, pl_dat *y, pl_global *result);
PL_API pl_err pl_dat_norm(pl_dat *x, double *norm);

/* ---- ranks ---- */

/* Which rank gets which elements. */
typedef enum pl_partition_method {
  PL_PARTITION_BLOCK,     /* equal ranges of global indices */
  PL_PARTITION_RANDOM,    /* by `seed` and the element's global index: for tests */
  PL_PARTITION_USER,      /* as `part` says */
  PL_PARTITION_BISECTION, /* recursive coordinate bisection by `coords` */
  PL_PARTITION_CURVE,     /* equal pieces of Hilbert's curve through `coords` */
  PL_PARTITION_KWAY       /* METIS's k-way partition of the graph of `map` */
} pl_partition_method;

/* What a method needs; zero-initialise it. */
typedef struct pl_partition_options {
  const int *part; /* USER: the rank for each owned element, in the order of host views */
  uint64_t seed;   /* RANDOM */
  pl_dat
    *coords; /* BISECTION, CURVE: 1 to 3 values of float or double on the set, or where a map leads from it */
  const double *weight; /* BISECTION, CURVE, KWAY: of each owned element, in the order of host views; NULL:
                           all alike */
  pl_map *map; /* KWAY: a map of fixed arity to the set, whose elements are neighbours if they share a row of
                  it; NULL: the one with the most entries */
} pl_partition_options;

/* Distributes a set anew over the ranks; all sets that maps connect to it follow: an element with targets
 * goes where its first target is, one that is reached goes with what reaches it. Dats, maps and subsets move
 * along; values keep their global indices, host views show other elements then, and pl_dat_fetch still brings
 * back what a rank has declared. Without this call elements stay on the ranks that declared them. On one rank
 * nothing happens. `options` may be NULL. BISECTION and CURVE are parallel, and no rank ever holds more than
 * its share; METIS is not: KWAY gathers the map on rank 0 (and needs fewer than 2^31 elements). Errors:
 * PL_ERR_STATE while a host view is open, PL_ERR_RANGE for a part that is no rank or a weight or coordinate
 * that is not finite (or a weight below 0), PL_ERR_BACKEND for KWAY without METIS, PL_ERR_ARG if no map leads
 * to the set. What is refused changes nothing. Collective. */
PL_API pl_err pl_partition(pl_set *set, pl_partition_method method, const pl_partition_options *options);

/* How good the distribution of the set that a map leads to is. */
typedef struct pl_partition_info {
  double imbalance;  /* the most elements that a rank owns over the mean of all ranks */
  int64_t rows, cut; /* of the map, on all ranks; those with targets that different ranks own (edge cut) */
  int64_t halo;      /* copies of elements that ranks keep for each other, on all ranks */
  int neighbours;    /* the most ranks that one exchanges them with */
} pl_partition_info;

/* Fills it in for a map of fixed arity. Errors: PL_ERR_ARG for a ragged map, or one without indices.
 * Collective. */
PL_API pl_err pl_get_partition(pl_map *map, pl_partition_info *info);

/* Between these two calls no messages are sent for the halo of a dat, and loops must use it with this one
 * access (PL_ERR_STATE otherwise). With PL_READ and PL_RW copies of other ranks' elements are brought up to
 * date once, now, and loops see those even after owners have changed theirs. Collective. */
PL_API pl_err pl_dat_freeze_halo(pl_dat *dat, pl_access access);
PL_API pl_err pl_dat_unfreeze_halo(pl_dat *dat);

/* How evenly a set is spread: the most elements that a rank owns over the mean of all ranks, 1 at best and
 * for an empty set. Collective. */
PL_API pl_err pl_set_imbalance(const pl_set *set, double *imbalance);

/* Writes the values of the owned elements to a NumPy .npy file (format 1.0, C order, shape [size,
 * extents...]), or reads them from one whose type and shape must match. Complex is numpy's complex. On
 * several ranks it is one file that all must see, with a row for each global index; PL_ERR_STATE if elements
 * have left the set. Collective. */
PL_API pl_err pl_dat_save(pl_dat *dat, const char *path);
PL_API pl_err pl_dat_load(pl_dat *dat, const char *path);

PL_API void pl_dat_free(pl_dat **dat);

/* ---- HDF5 files ---- */

/* Writes all sets, maps, dats and consts of the context to a new file: /sets/NAME the number of elements,
 * /maps/NAME global indices with the sets' names as attributes, /dats/NAME values with the set's name,
 * /consts/NAME values. Rows stand in the order of global indices, however the elements are spread over ranks
 * or renumbered; each rank writes its share. Names must be unique. Errors: PL_ERR_IO for what HDF5 refuses, a
 * ragged map, or a library without HDF5; PL_ERR_STATE for an open writable view. Collective. */
PL_API pl_err pl_hdf5_write(pl_context *pl, const char *path);

/* Declare what such a file, or one of the same form, holds under a name, each rank an equal share of the
 * rows, whatever the number of ranks that wrote it. Types and extents come from the file; maps may hold any
 * whole numbers. Errors: PL_ERR_IO if there is no such name, or its rows are not as many as the set has
 * elements. Collective. */
PL_API pl_err pl_decl_set_hdf5(pl_context *pl, const char *path, const char *name, pl_set **set);
PL_API pl_err pl_decl_map_hdf5(pl_set *from, pl_set *to, const char *path, const char *name, pl_map **map);
PL_API pl_err pl_decl_dat_hdf5(pl_set *set, const char *path, const char *name, pl_dat **dat);
PL_API pl_err pl_decl_const_hdf5(pl_context *pl, const char *path, const char *name, pl_const **constant);

/* ---- order ---- */

/* How pl_renumber orders the base set: reverse Cuthill-McKee over the graph of a map (elements that share a
 * row of it are neighbours); along Hilbert's curve through coordinates; in blocks of about 2048 elements with
 * few neighbours outside, by METIS; or Hilbert if there are coordinates, else reverse Cuthill-McKee. */
typedef enum pl_renumber_method {
  PL_RENUMBER_AUTO,
  PL_RENUMBER_RCM,
  PL_RENUMBER_HILBERT,
  PL_RENUMBER_METIS
} pl_renumber_method;

/* Puts the elements of sets into an order in which what is used together lies together: the base set, where
 * `map` leads, by the method; all sets that maps connect with it follow, elements sorted by their targets,
 * targets in the order of first use. Users do not see it: views, saved values, indices, pl_arg_idx and
 * messages keep the order of declaration, and only the order in which loops visit elements changes (and so
 * the rounding of sums). Host views of dats on sets that have been renumbered are copies. `map`, of fixed
 * arity: NULL lets the library choose. `coords`, 1 to 3 values of float or double on the base set or where a
 * map leads from it, is needed by Hilbert's curve alone and may be NULL otherwise. With the option
 * renumber=auto (the default) loops over large meshes in a bad order do this by themselves. With several
 * ranks pl_partition orders each rank's part, and this does nothing. Errors: PL_ERR_STATE if a host view of
 * one of the dats is open, PL_ERR_BACKEND without METIS. Collective. */
PL_API pl_err pl_renumber(pl_context *pl, pl_renumber_method method, pl_map *map, pl_dat *coords);

/* ---- globals ---- */

/* Declares `dim` >= 1 values that belong to no set; `data` NULL means zeros. As a loop argument: READ, or the
 * end of a reduction (INC, MIN, MAX) in which the value it holds takes part: INC from 10 gives 10 + the sum.
 * Collective. */
PL_API pl_err pl_decl_global(pl_context *pl, int dim, pl_type type, const void *data, const char *name,
                             pl_global **global);

/* Copies the values out (waits for reductions on their way, to which other ranks come with their next calls
 * at the latest), or in. Local (set: collective). */
PL_API pl_err pl_global_get(pl_global *global, void *values);
PL_API pl_err pl_global_set(pl_global *global, const void *values);
PL_API pl_err pl_global_zero(pl_global *global);

/* A new global with the same type, dim and values; copies values between equal kinds; y += a x (a as double).
 * Collective. */
PL_API pl_err pl_global_duplicate(pl_global *global, const char *name, pl_global **copy);
PL_API pl_err pl_global_copy(pl_global *from, pl_global *to);
PL_API pl_err pl_global_axpy(double a, pl_global *x, pl_global *y);

/* result = a op b, value by value, as for dats: globals of one type and dim, one of which may have a single
 * value instead; and the sum of conj(a) b, `result` of dim 1. On the host and at once: loops that change an
 * operand are waited for. Results may be operands. Errors: PL_ERR_TYPE. Collective. */
PL_API pl_err pl_global_combine(pl_global *a, pl_operator op, pl_global *b, pl_global *result);
PL_API pl_err pl_global_inner(pl_global *a, pl_global *b, pl_global *result);

PL_API int pl_global_dim(const pl_global *global);
PL_API pl_type pl_global_type(const pl_global *global);
PL_API const char *pl_global_name(const pl_global *global);
PL_API void pl_global_free(pl_global **global);

/* ---- consts and helper functions ---- */

/* Declares read-only values that every kernel of the context may use by `name` (a C identifier, unique): a
 * scalar if dim is 1, else an array of dim values. The user's own compiler needs a variable of that name in
 * sight, and PLAIT_JIT=off uses that variable. `constant` may be NULL. Collective. */
PL_API pl_err pl_decl_const(pl_context *pl, const char *name, int dim, pl_type type, const void *values,
                            pl_const **constant);

/* New values for a const; nothing is compiled again. Collective. */
PL_API pl_err pl_const_set(pl_const *constant, const void *values);
PL_API pl_err pl_const_get(const pl_const *constant, void *values);

/* Frees the const; its name may be declared again, with another type or dim too. */
PL_API void pl_const_free(pl_const **constant);

/* A helper function that kernels may call: PL_FUNCTION(double, square, (double x), { return x * x; }) defines
 * the C function and keeps its text; pl_decl_function(pl, square) makes it known to the context's kernels,
 * which may then call it by name, as may helpers declared after it. */
typedef struct pl_function {
  const char *name, *result, *params, *body, *file;
  int line;
} pl_function;

#define PL_FUNCTION(result, name, params, ...)                                                               \
  static inline result name params __VA_ARGS__ static const pl_function name##_plait[1] = {                  \
    {#name, #result, #params, #__VA_ARGS__, __FILE__, __LINE__}};

#define pl_decl_function(pl, name) pl_decl_function_text((pl), name##_plait)
PL_API pl_err pl_decl_function_text(pl_context *pl, const pl_function *function);

/* ---- kernels ---- */

typedef void (*pl_kernel_fn)(void);

/* A kernel: an ordinary C function that is also known by its text, so that it can be compiled again for each
 * target. Made by PL_KERNEL, by plait_embed_kernels (CMake) or by pl_kernel_from_source; fields are not for
 * users. */
typedef struct pl_kernel {
  const char *name;
  const char *params, *body; /* of a PL_KERNEL; both NULL when `source` holds a whole file */
  const char *source;
  const char *file; /* where the text stands, for messages */
  int line;
  int real_size;         /* sizeof(pl_real) where `function` was compiled */
  pl_kernel_fn function; /* compiled by the user's compiler; NULL for text alone */
  const void *extra;     /* library's own */
} pl_kernel;

/* PL_KERNEL(name, (parameters), {body}) at file scope; no semicolon needed. The parameters are pointers or
 * arrays, one for each loop argument in order; see docs/kernel-language.md. */
#define PL_KERNEL(name, params, ...)                                                                         \
  static inline void name##_kernel params __VA_ARGS__ static const pl_kernel name[1] = {                     \
    {#name, #params, #__VA_ARGS__, NULL, __FILE__, __LINE__, (int)sizeof(pl_real),                           \
     (pl_kernel_fn)name##_kernel, NULL}};

/* Before a loop of a kernel: the compiler repeats its body n times instead of going round, PL_UNROLL(4) for
 * (int k = 0; k < 4; k++) ... What is the same for all compilers' own words. */
#define PL_UNROLL_WORDS(words) _Pragma(#words)
#if defined __GNUC__ && !defined __clang__
#define PL_UNROLL(n) PL_UNROLL_WORDS(GCC unroll n)
#else
#define PL_UNROLL(n) PL_UNROLL_WORDS(unroll n)
#endif

/* Extras for a kernel from source; zero-initialise. Arrays are ended by NULL and may be NULL. */
typedef struct pl_kernel_options {
  const char *const *include_dirs; /* added to the compiler's search path (host targets) */
  const char *const *headers;      /* "#include" these, e.g. "<float.h>" or "\"mine.h\"" (host targets) */
  const char *const *link_args;    /* passed to the linker, e.g. "-lgsl" (host targets) */
  const char *setup;               /* statements run once when the kernel is loaded (host targets) */
  double flops;                    /* operations per element, for the profile; 0: counted in the text */
  int cpp;                         /* compile as C++ (host targets) */
  const char *file;                /* where the source stands, for messages; NULL: "kernel NAME" */
  int line;                        /* its first line there; 0 means 1 */
} pl_kernel_options;

/* Makes a kernel from a text that holds the function `name` and whatever it needs (helpers, typedefs,
 * preprocessor lines). options may be NULL. The text is copied. Errors: PL_ERR_KERNEL, with the line, if no
 * such function is found or its parameter list cannot be understood. Collective. */
PL_API pl_err pl_kernel_from_source(pl_context *pl, const char *name, const char *source,
                                    const pl_kernel_options *options, const pl_kernel **kernel);

/* ---- rows ---- */

/* What a kernel gets of a dat through a ragged map: const pl_row_double *x, and so on for each type;
 * pl_row_real goes with pl_real. x->count is the number of targets, pl_at(x, k, c) value c of target k <
 * x->count. The other fields are the library's own. */
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

/* ---- loop arguments ---- */

typedef enum pl_arg_kind {
  PL_ARG_DAT = 1,    /* values of a dat, directly or through a map */
  PL_ARG_GLOBAL,     /* a global */
  PL_ARG_CONST,      /* a const handed over as an argument */
  PL_ARG_INDEX,      /* the element's global index, or that of one of its targets */
  PL_ARG_POINTER,    /* the user's own pointer, as it is (host backends) */
  PL_ARG_DIFFERENCE, /* of a dat between the sides of a pair */
  PL_ARG_DISTANCE    /* the square of its length */
} pl_arg_kind;

/* One loop argument; made by the functions below, fields are not for users. */
typedef struct pl_arg {
  pl_arg_kind kind;
  pl_access access;
  void *object;    /* dat, global, const or pointer */
  pl_map *map;     /* NULL: direct */
  int index;       /* which target of the map, PL_ALL or PL_ID */
  int component;   /* this component only, or -1 for all */
  int off;         /* switched off */
  pl_global *with; /* a payload of the reduction into this global */
  int fixed;       /* reals in fixed point: bits after the point; else 0 */
  int zeroed;      /* the dat is set to zero first */
} pl_arg;

#define PL_ID (-1)              /* the index of a direct argument: the element itself */
#define PL_ALL (-2)             /* all targets of the map */
#define PL_BOTH (-3)            /* both sides of a pair */
#define PL_DIRECT ((pl_map *)0) /* no map */

/* A dat: directly (PL_ID, PL_DIRECT), through target `index` of `map`, or all its targets (PL_ALL). The
 * kernel's parameter is T *x for one target, T *x[arity] or T x[arity][dim] for all, and const pl_row_T *x
 * for all of a ragged map, which is PL_READ. Any access else. */
static inline pl_arg pl_arg_dat(pl_dat *dat, int index, pl_map *map, pl_access access)
{
  pl_arg arg = {PL_ARG_DAT, access, dat, map, index, -1, 0, NULL, 0, 0};
  return arg;
}

/* A global: PL_READ, or the end of a reduction PL_INC, PL_MIN, PL_MAX. The kernel's parameter is T *x. In a
 * reduction the kernel adds to, or combines with, the value it finds and cannot see other elements' results.
 */
static inline pl_arg pl_arg_gbl(pl_global *global, pl_access access)
{
  pl_arg arg = {PL_ARG_GLOBAL, access, global, NULL, PL_ID, -1, 0, NULL, 0, 0};
  return arg;
}

/* What goes with an extreme: when an element's value wins the MIN or MAX reduction into `of` (a global of dim
 * 1 in the same loop), the values its kernel left in this parameter are kept in `global`: which element,
 * values of others there. Ties go to the lowest global index. */
static inline pl_arg pl_arg_payload(pl_global *global, pl_global *of)
{
  pl_arg arg = {PL_ARG_GLOBAL, PL_WRITE, global, NULL, PL_ID, -1, 0, of, 0, 0};
  return arg;
}

/* A const as an argument; `access` must be PL_READ. The kernel's parameter is const T *x. */
static inline pl_arg pl_arg_const(pl_const *constant, pl_access access)
{
  pl_arg arg = {PL_ARG_CONST, access, constant, NULL, PL_ID, -1, 0, NULL, 0, 0};
  return arg;
}

/* The global index of the element (PL_ID, PL_DIRECT) or of its target `index` in `map`; const int64_t *x. */
static inline pl_arg pl_arg_idx(int index, pl_map *map)
{
  pl_arg arg = {PL_ARG_INDEX, PL_READ, NULL, map, index, -1, 0, NULL, 0, 0};
  return arg;
}

/* A pointer of the user's own, handed to every call as it is; any pointer parameter. Host backends only. */
static inline pl_arg pl_arg_ptr(void *pointer)
{
  pl_arg arg = {PL_ARG_POINTER, PL_READ, pointer, NULL, PL_ID, -1, 0, NULL, 0, 0};
  return arg;
}

/* In a loop over pairs: values of `dat` on side 0 minus those on side 1, const T d[dim]; the square of that
 * difference's length, const T *r2. For the positions of the loop's pair map, the difference is to the image
 * of side 1 that is near. `dat` is double or float. */
static inline pl_arg pl_arg_difference(pl_dat *dat)
{
  pl_arg arg = {PL_ARG_DIFFERENCE, PL_READ, dat, NULL, PL_ID, -1, 0, NULL, 0, 0};
  return arg;
}

static inline pl_arg pl_arg_distance2(pl_dat *dat)
{
  pl_arg arg = {PL_ARG_DISTANCE, PL_READ, dat, NULL, PL_ID, -1, 0, NULL, 0, 0};
  return arg;
}

/* `arg` restricted to one component of its dat, which the kernel sees as a dat of dim 1. */
static inline pl_arg pl_arg_component(pl_arg arg, int component)
{
  arg.component = component;
  return arg;
}

/* `arg`, a dat with PL_INC, PL_INC_ANTI or PL_INC_SYM in this argument alone, which the loop sets to zero
 * before it adds: all of the dat, as by pl_dat_zero. Where pairs are seen from both sides that costs nothing:
 * sums are stored instead of added, so the dat is neither zeroed nor read. */
static inline pl_arg pl_arg_zeroed(pl_arg arg)
{
  arg.zeroed = 1;
  return arg;
}

/* `arg` if `on`, else nothing: not loaded, not exchanged, and the kernel's pointer is NULL. */
static inline pl_arg pl_arg_opt(pl_arg arg, int on)
{
  arg.off = !on;
  return arg;
}

/* `arg`, a dat or global of PL_INT64, as reals in fixed point with `bits` (1 to 62; 32 is usual) after the
 * point. The kernel's parameter is double: PL_READ gives value * 2^-bits, PL_INC adds (int64_t)(x * 2^bits),
 * cut off towards zero. Sums of whole numbers do not depend on their order, so equal increments give the same
 * bits on any number of threads and every backend. Each increment and the final sum must be below
 * 2^(63-bits); sums in between may be larger. */
static inline pl_arg pl_arg_fixed(pl_arg arg, int bits)
{
  arg.fixed = bits;
  return arg;
}

/* ---- loops ---- */

/* Runs `kernel` for every element of `set` (a set or subset), in no particular order: pl_par_loop(kernel,
 * set, args...) with one pl_arg_* for each kernel parameter. The first call of a kind checks everything,
 * plans, generates and compiles; later calls find that again in well under a microsecond. Dats on the host
 * come back only when asked for. Errors name the kernel, the argument (from 1) and the object. Collective. */
PL_API pl_err pl_par_loop_args(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args);

/* A loop made ahead of time and run any number of times: pl_loop_create(&loop, kernel, set, args...).
 * Collective. */
PL_API pl_err pl_loop_create_args(pl_loop **loop, const pl_kernel *kernel, pl_set *set, int nargs,
                                  const pl_arg *args);
PL_API pl_err pl_loop_run(pl_loop *loop);

/* Puts another dat into argument `arg` (from 0): same set, dim and type as the one there; *loop becomes the
 * loop with that dat, which is found or made as by pl_loop_create. Collective. */
PL_API pl_err pl_loop_replace_dat(pl_loop **loop, int arg, pl_dat *dat);

/* Gives the handle back. A loop whose dats, maps or set are freed refuses to run. */
PL_API void pl_loop_free(pl_loop **loop);

#ifndef __cplusplus
#define PL_ARGS_(...)                                                                                        \
  (int)(sizeof((pl_arg[]){__VA_ARGS__}) / sizeof(pl_arg)), (pl_arg[])                                        \
  {                                                                                                          \
    __VA_ARGS__                                                                                              \
  }
#define pl_par_loop(kernel, set, ...) pl_par_loop_args((kernel), (set), PL_ARGS_(__VA_ARGS__))
#define pl_loop_create(loop, kernel, set, ...)                                                               \
  pl_loop_create_args((loop), (kernel), (set), PL_ARGS_(__VA_ARGS__))
#endif

/* ---- programs: device code for every backend (docs/programs.md) ---- */

/* Compiles a program: a text of kernels in the common part of CUDA and OpenCL, with the words KERNEL, DEVICE,
 * GLOBAL, LOCAL, LOCAL_ID, SYNC_THREADS ... of docs/programs.md. It runs on every backend; on the host a
 * work-group is a loop over its work items. `defines` ("NAME" or "NAME=VALUE", ended by NULL; may be NULL)
 * come before the text. `name` stands in messages, where a line of the text is NAME:LINE. Errors:
 * PL_ERR_COMPILE with the compiler's first messages, PL_ERR_KERNEL for parameters that cannot be the same
 * everywhere. Local. */
PL_API pl_err pl_program_create(pl_context *pl, const char *source, const char *const *defines,
                                const char *name, pl_program **program);

/* Kernel `name` of a program with empty argument slots. Several may be made of one kernel; each has arguments
 * of its own. Errors: PL_ERR_KERNEL if there is none, naming those that there are. Local. */
PL_API pl_err pl_program_kernel(pl_program *program, const char *name, pl_entry **entry);

/* Sets argument `position` (from 0), which stays set until it is set anew. A dat goes to a pointer whose type
 * is that of its values (or a vector of them); the kernel sees its elements one after the other in host
 * order, unless pl_dat_set_layout has given the dat another layout. Access: PL_READ, PL_WRITE (every value
 * will be written), PL_RW or PL_INC. Elements are those of the rank, in the order of its host views, whatever
 * order storage has: first the pl_set_size that it owns. A value is `count` values of `type`: 1, or the width
 * of a vector type; float and double are converted into each other, and a type of the program's own takes
 * the bytes that it has. Values are copied. Errors: PL_ERR_RANGE past the last parameter, PL_ERR_TYPE and
 * PL_ERR_ACCESS where the text says otherwise. Local. */
PL_API pl_err pl_entry_dat(pl_entry *entry, int position, pl_dat *dat, pl_access access);
PL_API pl_err pl_entry_value(pl_entry *entry, int position, pl_type type, int count, const void *value);

/* Starts the kernel with at least `threads` work items: whole groups of `block` (0: option block_size, else
 * 128; never more than the kernel allows). Data is brought to where the kernel runs, and only if it is not
 * there. Errors: PL_ERR_STATE for an argument that was not set or whose host view is open. Local; on several
 * ranks all launch a kernel that writes a dat (with 0 work items where there is nothing to do), so that all
 * know that what they hold of others is old. */
PL_API pl_err pl_entry_run(pl_entry *entry, int64_t threads, int block);

/* The most work items that a group of this kernel can have here. Local. */
PL_API pl_err pl_entry_block_limit(pl_entry *entry, int *limit);

PL_API void pl_entry_free(pl_entry **entry);
PL_API void pl_program_free(pl_program **program);

/* The types that option precision asks for: single: float and float, mixed: float and double, double: double
 * and double. Programs call them real and mixed. Loops have pl_mixed; their pl_real follows the dats, so
 * declare these with pl_real_type(pl). Local. */
PL_API pl_type pl_real_type(const pl_context *pl);
PL_API pl_type pl_mixed_type(const pl_context *pl);

/* ---- queues and events ---- */

/* A further queue of the device. Work that loops, programs, copies and transfers start goes to the queue in
 * use, in order; work in different queues may overlap. What touches one object from two queues must be put in
 * order by events; host views and results wait for all queues. On the host work is done at once, in order,
 * and queues and events cost nothing. Local. */
PL_API pl_err pl_queue_create(pl_context *pl, const char *name, pl_queue **queue);

/* From now on work goes to `queue`; NULL: to the first one, which is always there. Local. */
PL_API pl_err pl_queue_use(pl_context *pl, pl_queue *queue);

/* Waits for the queue's work and frees it. The queue in use is left for the first one. Local. */
PL_API void pl_queue_free(pl_queue **queue);

/* Waits on the host for all work in all queues. Local. */
PL_API pl_err pl_sync(pl_context *pl);

/* An event is recorded in the queue in use, as often as wanted: it stands for all work asked of that queue so
 * far. pl_event_wait waits for it on the host; pl_queue_wait lets the queue in use go on only after it.
 * pl_event_seconds waits for both and gives the time from one to the other, kept by the device.
 * Errors: PL_ERR_STATE for an event that was not recorded. Local. */
PL_API pl_err pl_event_create(pl_context *pl, const char *name, pl_event **event);
PL_API pl_err pl_event_record(pl_event *event);
PL_API pl_err pl_event_wait(pl_event *event);
PL_API pl_err pl_queue_wait(pl_event *event);
PL_API pl_err pl_event_seconds(pl_event *from, pl_event *to, double *seconds);
PL_API void pl_event_free(pl_event **event);
/* ---- chains ---- */

/* Loops between pl_chain_begin and pl_chain_end (everywhere, with the option lazy) are recorded and run
 * later: at the end, or as soon as the program looks at something they change, and then as few passes over
 * the mesh as is right: loops over one set become one, what lives only inside the chain is not stored.
 * pl_dat_zero, pl_dat_copy and pl_global_zero are recorded too. Results are those of the loops one after the
 * other, but for the order in which increments through maps are added up. Errors of kernels that do not
 * compile come from the call that runs them. On several ranks whatever looks at something that a recorded
 * loop changes is collective, since it may run loops.
 *
 * Begins the chain `name`, which is made the first time and lives as long as the context. Chains do not nest.
 * pl_chain_end runs what is left of it. Collective. */
typedef struct pl_chain pl_chain;
PL_API pl_err pl_chain_begin(pl_context *pl, const char *name, pl_chain **chain);
PL_API pl_err pl_chain_end(pl_chain *chain);

/* From here to its end the chain is only rehearsed: what its loops become is planned, compiled and brought to
 * the device, and nothing runs, so that the first real run takes no longer than others. Whoever looks at data
 * meanwhile finds what was there before. What is never recorded (views for writing, globals that are set,
 * algorithms, device programs, particles that come, go or move) happens all the same. A rehearsal prepares
 * for sequences like its own: the same loops, read at the same places. Errors: PL_ERR_STATE if the chain is
 * not open, those of kernels. Collective. */
PL_API pl_err pl_chain_rehearse(pl_chain *chain);

/* Runs everything recorded. Collective. */
PL_API pl_err pl_flush(pl_context *pl);

/* How a dat of the chain that some loops write or add to and others read comes to them: the library chooses;
 * it is stored; its producers are called wherever it is used; it is computed for each block of the consumer's
 * elements, once for each target of the block, into memory of the block's own. What cannot be had is stored:
 * pl_chain_print says why. Local. */
typedef enum pl_chain_choice { PL_AUTO, PL_STORE, PL_INLINE, PL_PRECOMPUTE } pl_chain_choice;
PL_API pl_err pl_chain_hint(pl_chain *chain, pl_dat *dat, pl_chain_choice choice);

/* Elements of a block of loops that compute values for blocks (PL_PRECOMPUTE), 1 to 1024; 0, as in a new
 * chain: the option block_size or else 128. PL_ERR_RANGE for others. Local. */
PL_API pl_err pl_chain_block(pl_chain *chain, int elements);

/* Says that nobody reads the dat after the chain: its values are undefined then, and need not be stored.
 * Local. */
PL_API pl_err pl_chain_temporary(pl_chain *chain, pl_dat *dat);

/* Writes what the chain was when it last ran and what became of it: its loops and their accesses, what ties
 * each pair and why two are not one loop, the loops made, what is not stored, bytes moved. `path` "-":
 * stderr; ending in .dot: a graph for Graphviz. PLAIT_DUMP keeps the code. PL_ERR_STATE if it has not run.
 * Local. */
PL_API pl_err pl_chain_print(pl_chain *chain, const char *path);

/* ---- pairs ---- */

/* A loop over pairs calls its kernel for one pair (i, j) at a time: i is side 0, j is side 1. Arguments:
 *   pl_arg_dat(dat, 0, map, PL_READ), pl_arg_dat(dat, 1, map, PL_READ)   the values on one side
 *   pl_arg_dat(dat, PL_BOTH, map, PL_INC_ANTI)   the kernel's w is added on side 0 and taken away on side 1
 *   pl_arg_dat(dat, PL_BOTH, map, PL_INC_SYM)    the kernel's w is added on both sides
 *   pl_arg_dat(dat, 0, map, PL_INC)              the kernel's w is added on side 0
 *   pl_arg_difference(dat), pl_arg_distance2(dat), pl_arg_idx(0 or 1, map), globals, consts; pl_arg_opt of
 * any. No dat may be both read and incremented. */

/* Declares a box with `dim` axes, 1 to 3, from low[] to high[]; axis a is periodic where periodic[a] is not 0
 * (NULL: none is). Collective. */
PL_API pl_err pl_decl_domain(pl_context *pl, int dim, const double *low, const double *high,
                             const int *periodic, const char *name, pl_domain **domain);

/* Other bounds for a domain; the lists of its pair maps are built anew when they are needed next. Collective.
 */
PL_API pl_err pl_domain_resize(pl_domain *domain, const double *low, const double *high);
PL_API void pl_domain_free(pl_domain **domain);

/* Declares the pairs of particles nearer than `cutoff`: a map from the set of `position` (dim 1 to 3, double
 * or float) to itself, for pl_pair_loop. It keeps a list of the pairs within cutoff + skin, which renews
 * itself: when positions were written and one of them has moved further than skin / 2 since, the next loop
 * over the pairs moves particles that left through a periodic side back into the box, and builds the list
 * anew, so no pair is missed. `domain` NULL is free space. A periodic axis must be at least 2 * cutoff and
 * cutoff + skin long. A cutoff of INFINITY means every pair, without a list (no periodic axes then).
 * Collective.
 *
 * Each pair counts once in globals. The kernel must say what it declares: with the sides exchanged it
 * computes -w where the access is PL_INC_ANTI, the same w where it is PL_INC_SYM, and the same contributions
 * to globals. Pairs at a distance of exactly the cutoff do not count.
 *
 * Errors, from pl_pair_loop: PL_ERR_RANGE for positions that are no numbers or outside a box that is not
 * periodic there, naming the particle; nothing is changed then. */
PL_API pl_err pl_decl_pair_map(pl_dat *position, pl_domain *domain, double cutoff, double skin,
                               const char *name, pl_map **map);

/* What a pair map has done: lists built so far; entries of the present one (each pair from both sides, rows
 * padded), and how many particles it sees beside this rank's own: images across periodic sides, and copies of
 * other ranks'. Local. */
typedef struct pl_pair_stats {
  uint64_t builds;
  int64_t entries, ghosts;
} pl_pair_stats;
PL_API pl_err pl_pair_map_stats(const pl_map *map, pl_pair_stats *stats);

/* Runs `kernel` for the pairs of a pair map, or for each entry of a ragged map once (side 0 the element whose
 * row it is, side 1 the entry): pl_pair_loop(kernel, map, args...). Everything else as pl_par_loop.
 * Collective.
 */
PL_API pl_err pl_pair_loop_args(const pl_kernel *kernel, pl_map *map, int nargs, const pl_arg *args);
#ifndef __cplusplus
#define pl_pair_loop(kernel, map, ...) pl_pair_loop_args((kernel), (map), PL_ARGS_(__VA_ARGS__))
#endif

/* ---- particles over a mesh ---- */

/* What a kernel of pl_particle_move says besides the number of a face. */
enum { PL_STAY = -1, PL_LEAVE = -2 };

/* Moves particles over a mesh, each from cell to cell until it is where it belongs:
 *   pl_particle_move(kernel, where, faces, args...)
 * `where` (arity 1) leads from each particle to the cell where it was last, `faces` from each cell to the
 * cells across its faces (negative: there is none). The kernel is called for a particle in a cell, as often
 * as it comes to another. Its first parameter is int *next, which it sets to PL_STAY (as it is before): the
 * particle is in this cell; the number of a face: it goes on there, and out of the mesh where no cell is;
 * PL_LEAVE: it leaves. The other parameters are those of the arguments: dats of particles direct, dats of the
 * cell through `where`, dats through any map from the cells (all PL_READ but those of particles), globals,
 * consts.
 *
 * Afterwards `where` holds the new cells. Particles that left are removed from their set with all their dats;
 * on several ranks those that came to another rank's cells are there, with all their dats and their global
 * indices, in one message for each pair of ranks and round. Nothing else than dats and `where` may hang on
 * the particles. Errors: PL_ERR_ARG and PL_ERR_KERNEL for what does not fit together, PL_ERR_STATE for an
 * open view or what is tied to the particles, PL_ERR_RANGE for a particle that never settles, naming it.
 * Collective. */
PL_API pl_err pl_particle_move_args(const pl_kernel *kernel, pl_map *where, pl_map *faces, int nargs,
                                    const pl_arg *args);
#ifndef __cplusplus
#define pl_particle_move(kernel, where, faces, ...)                                                          \
  pl_particle_move_args((kernel), (where), (faces), PL_ARGS_(__VA_ARGS__))
#endif

/* Adds n particles (n 0 or more, each rank its own) to a set while a program runs, whatever order its
 * elements have. All dats of the set are zero for them, and they come last in host views: the last n elements
 * are theirs to fill in. Their global indices go on behind the greatest so far, rank by rank. `cells` says
 * for each in which cell it begins, by position in host views of the cells (so of this rank's own;
 * pl_particle_move takes it on from there), if a map of arity 1 leads from the particles to cells; NULL
 * without such a map. Between loops over pairs particles may be anywhere: the next one takes them to the
 * ranks they belong to. Room for more is kept. pl_dat_fetch on several ranks brings only what was declared at
 * first. Errors: PL_ERR_RANGE for a cell that this rank does not have, naming it, PL_ERR_STATE for an open
 * view or what is tied to the particles: subsets, and maps but that one and pair maps. Collective. */
PL_API pl_err pl_particle_add(pl_set *particles, int64_t n, const int *cells);

/* Removes the particles whose `flag` (PL_INT32, dim 1, on the set) is not zero, from all dats and the map to
 * their cells. The others keep their order in host views, and with several ranks their global indices. Errors
 * as above. Collective. */
PL_API pl_err pl_particle_remove(pl_set *particles, pl_dat *flag);

/* ---- algorithms ---- */

/* What one call of an algorithm's own compiled function is to do; not for users. */
typedef struct pl_item_step {
  int what; /* 0: item = input, 1: flag, 2: output, 3: item = op(item, prev), 4: item = neutral */
  int i, n; /* element; number of elements */
  void *item, *prev, *last;
  int begins;
} pl_item_step;

/* A reduction or scan, by the text of its expressions; made by the macros below, fields are not for users. */
typedef struct pl_algorithm {
  const char *name, *type, *neutral, *op, *params;
  const char *input, *flag, *output; /* flag NULL: one segment; output NULL: a reduction */
  const char *file;
  int line, real_size;
  pl_kernel_fn function; /* (pl_item_step *, params): what the user's compiler made of the expressions */
} pl_algorithm;

#define PL_STRIP_(...) __VA_ARGS__
#define PL_ALGORITHM_(name, T, neutral, op, params, input, flag, texts, ...)                                 \
  static inline void name##_step(pl_item_step *pl_s, PL_STRIP_ params)                                       \
  {                                                                                                          \
    const int i = pl_s->i, n = pl_s->n;                                                                      \
    (void)i;                                                                                                 \
    (void)n;                                                                                                 \
    if (pl_s->what == 0) {                                                                                   \
      *(T *)pl_s->item = (T)(input);                                                                         \
    } else if (pl_s->what == 1) {                                                                            \
      pl_s->begins = (flag) != 0;                                                                            \
    } else if (pl_s->what == 2) {                                                                            \
      const T item = *(T *)pl_s->item, prev_item = *(T *)pl_s->prev, last_item = *(T *)pl_s->last;           \
      (void)item;                                                                                            \
      (void)prev_item;                                                                                       \
      (void)last_item;                                                                                       \
      __VA_ARGS__                                                                                            \
    } else if (pl_s->what == 3) {                                                                            \
      const T a = *(T *)pl_s->prev, b = *(T *)pl_s->item;                                                    \
      *(T *)pl_s->item = (T)(op);                                                                            \
    } else {                                                                                                 \
      *(T *)pl_s->item = (T)(neutral);                                                                       \
    }                                                                                                        \
  }                                                                                                          \
  static const pl_algorithm name[1] = {                                                                      \
    {PL_STRIP_ texts, __FILE__, __LINE__, (int)sizeof(pl_real), (pl_kernel_fn)name##_step}};

/* PL_REDUCTION(name, type, neutral, operator, (parameters), map), at file scope: a value `map` of each
 * element i, and an associative `operator` in a and b (a comes first: it need not be commutative) with its
 * neutral element. The parameters are whole arrays, `const double *x`, one for each argument of pl_reduce:
 * value c of element i of a dat of dim values is x[i * dim + c]; n is the number of elements on this rank.
 *
 *   PL_REDUCTION(energy, double, 0.0, a + b, (const double *v, const double *pe), 0.5 * v[i] * v[i] + pe[i])
 */
#define PL_REDUCTION(name, type, neutral, op, params, map)                                                   \
  PL_ALGORITHM_(name, type, neutral, op, params, map, 0,                                                     \
                (#name, #type, #neutral, #op, #params, #map, NULL, NULL), )

/* PL_SCAN(name, type, neutral, operator, (parameters), input, {output}): each element's `input` is combined
 * with those of all elements before it; then the statements `output` run once for each element, in any order,
 * with `item` (the result up to and with element i), `prev_item` (up to the element before; the neutral
 * element at i = 0, so this is the exclusive scan) and `last_item` (the result over all elements). They may
 * write any place of the arrays that no other element writes or reads. The input of an element may read what
 * its own output writes (in place), not what others' do.
 *
 *   PL_SCAN(where, int, 0, a + b, (const int *x, int *found, int *count), x[i] < 50, {
 *     if (item != prev_item) found[prev_item] = i;
 *     if (i == n - 1) count[0] = item;
 *   })
 *
 * PL_SCAN_SEGMENTED has one more expression, `flag`: where it is not zero a segment begins, and neither item
 * nor prev_item knows what was before. On ranks items, and last_item, are of all ranks in their order; i and
 * n are the rank's own. */
#define PL_SCAN(name, type, neutral, op, params, input, ...)                                                 \
  PL_ALGORITHM_(name, type, neutral, op, params, input, 0,                                                   \
                (#name, #type, #neutral, #op, #params, #input, NULL, #__VA_ARGS__), __VA_ARGS__)
#define PL_SCAN_SEGMENTED(name, type, neutral, op, params, input, flag, ...)                                 \
  PL_ALGORITHM_(name, type, neutral, op, params, input, flag,                                                \
                (#name, #type, #neutral, #op, #params, #input, #flag, #__VA_ARGS__), __VA_ARGS__)

/* Reduces over the elements of `set` (no subset) into `result`, a global of dim 1 and the reduction's type,
 * which is set to the value: pl_reduce(energy, particles, total, args...). Arguments are
 * pl_arg_dat(dat, PL_ID, PL_DIRECT, access) of any set and pl_arg_gbl(global, access), access PL_READ, PL_RW
 * or PL_WRITE, as whole arrays. Elements are in the order of host views, whatever order
 * storage has, ranks one after the other; this order is kept, and the grouping is the same in every run with
 * the same backend and number of threads. Collective. */
PL_API pl_err pl_reduce_args(const pl_algorithm *reduction, pl_set *set, pl_global *result, int nargs,
                             const pl_arg *args);

/* Runs a scan over the elements of `set` (no subset): pl_scan(where, set, args...), arguments as in
 * pl_reduce. Collective. */
PL_API pl_err pl_scan_args(const pl_algorithm *scan, pl_set *set, int nargs, const pl_arg *args);

/* Sorts: order[i] becomes the element of `keys` that comes i-th. Keys are a dat of dim 1 of integers
 * of any size, float or double; `order` one of PL_INT32 on the same set. Stable: equal keys stay in their
 * order. Real keys go by IEEE 754's total order: -NaN, -inf ... -0.0, +0.0 ... +inf, +NaN. Only the lowest
 * `bits` bits of integer keys are looked at, which must hold all there is in non-negative keys; 0: all bits,
 * and signs. By radix, least digit first (Knuth, The Art of Computer Programming 3, 5.2.5). Orders speak of
 * the rank's own elements by their positions in host views, whatever order storage has; here and in the
 * functions below. Local. */
PL_API pl_err pl_sort_order(pl_dat *keys, int bits, pl_dat *order);

/* The same, and the keys and `ndats` further dats of the set are brought into that order. Local. */
PL_API pl_err pl_sort(pl_dat *keys, int bits, int ndats, pl_dat *const *dats);

/* The elements where `flag` (dim 1, any integer type) is not zero: order[0], order[1], ... in ascending order
 * (PL_INT32, same set; what follows them is undefined), and their number. `order` may be NULL: only counted.
 * Local. */
PL_API pl_err pl_select(pl_dat *flag, pl_dat *order, int64_t *count);

/* Brings `ndats` dats into one order: element i becomes what element order[i] was, i < pl_set_size. Entries
 * must be elements of the set: others are an error on the host, and on a device give what PLAIT_CHECK=1 makes
 * an error. Local. */
PL_API pl_err pl_align(pl_dat *order, int ndats, pl_dat *const *dats);

/* to[i] = from[order[i]], for the elements of the set of `order` and `to`; `from` may be of another set, and
 * order[i] is one of its elements. Local. */
PL_API pl_err pl_take(pl_dat *order, pl_dat *from, pl_dat *to);

/* ---- sets that change their size ---- */

/* Gives a set (no subset, no halo, without maps or subsets on it; else pl_particle_add) n elements. Its dats
 * follow: those that stay keep their values, new ones are zero. Room for more is kept, so that growing one by
 * one costs little. Views of its dats must be closed. Collective. */
PL_API pl_err pl_set_resize(pl_set *set, int64_t n);

/* Takes room for `capacity` elements in all dats of the set, now and later declared; never less than now.
 * pl_set_capacity tells the room there is. */
PL_API pl_err pl_set_reserve(pl_set *set, int64_t capacity);
PL_API int64_t pl_set_capacity(const pl_set *set);

/* Keeps the elements where `flag` (as in pl_select) is not zero, in their order, in all dats of its set; the
 * set shrinks. Collective. */
PL_API pl_err pl_set_keep(pl_set *set, pl_dat *flag);

/* Removes `n` elements by index (any order, each once or more often); the others stay in their order.
 * Collective. */
PL_API pl_err pl_set_remove(pl_set *set, int64_t n, const int *indices);

/* Brings all dats of the set into one order, as pl_align. */
PL_API pl_err pl_set_reorder(pl_set *set, pl_dat *order);

#ifndef __cplusplus
#define pl_reduce(reduction, set, result, ...)                                                               \
  pl_reduce_args((reduction), (set), (result), PL_ARGS_(__VA_ARGS__))
#define pl_scan(scan, set, ...) pl_scan_args((scan), (set), PL_ARGS_(__VA_ARGS__))
#endif

/* ---- statistics ---- */

/* Counters of a context since pl_init. */
typedef struct pl_stats {
  uint64_t loops_run, loops_built, loops_found; /* executions; signatures built; found again */
  uint64_t launches;                            /* of programs' kernels */
  uint64_t loops_queued;                        /* recorded, to run later */
  uint64_t graphs_made, graphs_run;             /* CUDA graphs of schedules of recorded loops */
  uint64_t loops_tiled;                         /* calls of recorded loops that ran tile by tile */
  uint64_t tilings_tried, tilings_recalled; /* schedules for which that was tried; was known from before */
  uint64_t plans_built, plans_found;        /* plans computed; shared from the cache */
  uint64_t codes_memory, codes_disk,
    codes_compiled;                            /* code taken from memory, from the disk cache, compiled */
  uint64_t compiler_runs;                      /* compiler processes started */
  uint64_t bytes_to_device, bytes_from_device; /* over the bus */
  uint64_t calls_to_device, calls_from_device;
  uint64_t halo_messages, halo_bytes;            /* sent to other ranks by halo exchanges */
  uint64_t host_allocations, device_allocations; /* storage of dats */
  uint64_t host_bytes, device_bytes;             /* held by dats now */
  double plan_seconds, generate_seconds,
    compile_seconds;       /* first-time costs (compile: wall time incl. cache) */
  double renumber_seconds; /* of putting sets into better orders */
  double halo_seconds;     /* of the host in halo exchanges: packing, waiting, unpacking; what a device packs
                              and unpacks in its own queue beside the core is not in it */
} pl_stats;

PL_API pl_err pl_get_stats(pl_context *pl, pl_stats *stats);

/* The same over all ranks: the sum and the greatest of each number; either may be NULL. Collective. */
PL_API pl_err pl_get_stats_ranks(pl_context *pl, pl_stats *sum, pl_stats *most);

/* One line of the profile: a kernel over a set, a kernel of a program, or a timed region. Compulsory bytes:
 * each dat and map of the loop once per element it touches, twice where read and written; of a program's
 * kernel all of each dat. */
typedef struct pl_profile_entry {
  const char *name;    /* kernel, or the name of a timed region */
  const char *set;     /* "" for a timed region; of a program's kernel the program */
  const char *variant; /* how it runs: shape, conflict strategy */
  uint64_t calls;
  double seconds; /* in calls, without first-time cost; on devices counted only with the option profile */
  double setup_seconds; /* plan, generate, compile */
  double bytes, flops;  /* in all calls */
} pl_profile_entry;

/* Fills in line `index` of the profile (loops first, then programs' kernels and timed regions); PL_ERR_RANGE
 * past the end. Local.
 */
PL_API pl_err pl_profile_at(pl_context *pl, int index, pl_profile_entry *entry);

/* Writes the profile as a table (path ends in .csv: CSV, .json: JSON, "-": table on stderr). Of several ranks
 * rank 0 writes one with the least, mean and greatest seconds of each line, and what halos took. Collective.
 */
PL_API pl_err pl_profile_write(pl_context *pl, const char *path);
PL_API pl_err pl_profile_reset(pl_context *pl);

/* Times a region of the program under a name: begin ... end, nested at will. Ending one that is not the
 * innermost open one is an error. Local. */
PL_API pl_err pl_timer_begin(pl_context *pl, const char *name);
PL_API pl_err pl_timer_end(pl_context *pl, const char *name);

/* Total seconds and calls of a timed region or kernel so far (zeros if never seen); either may be NULL.
 * Local. */
PL_API pl_err pl_timing(pl_context *pl, const char *name, double *seconds, uint64_t *calls);

#ifdef __cplusplus
}

template <class... Args> inline pl_err pl_par_loop(const pl_kernel *kernel, pl_set *set, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_par_loop_args(kernel, set, static_cast<int>(sizeof...(Args)), list);
}
template <class... Args>
inline pl_err pl_particle_move(const pl_kernel *kernel, pl_map *where, pl_map *faces, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_particle_move_args(kernel, where, faces, static_cast<int>(sizeof...(Args)), list);
}

template <class... Args> inline pl_err pl_pair_loop(const pl_kernel *kernel, pl_map *map, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_pair_loop_args(kernel, map, static_cast<int>(sizeof...(Args)), list);
}
template <class... Args>
inline pl_err pl_loop_create(pl_loop **loop, const pl_kernel *kernel, pl_set *set, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_loop_create_args(loop, kernel, set, static_cast<int>(sizeof...(Args)), list);
}
template <class... Args>
inline pl_err pl_reduce(const pl_algorithm *reduction, pl_set *set, pl_global *result, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_reduce_args(reduction, set, result, static_cast<int>(sizeof...(Args)), list);
}
template <class... Args> inline pl_err pl_scan(const pl_algorithm *scan, pl_set *set, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_scan_args(scan, set, static_cast<int>(sizeof...(Args)), list);
}
#endif

#endif
