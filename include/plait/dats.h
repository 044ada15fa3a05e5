/* SPDX-License-Identifier: BSD-2-Clause
 * Values: dats on sets, arrays, globals, consts and random numbers. */
#ifndef PLAIT_DATS_H
#define PLAIT_DATS_H

#include <plait/sets.h>

PL_EXTERN_C_BEGIN

/* ---- dats ---- */

/* Access descriptors: how a loop argument or a host view uses its values. */
typedef enum pl_access {
  PL_READ = 1,
  PL_WRITE,
  PL_RW,
  PL_INC,
  PL_MIN,
  PL_MAX,
  PL_INC_ANTI, /* pair loops: +w on side 0, -w on side 1 */
  PL_INC_SYM   /* pair loops: +w on both sides */
} pl_access;

/* Declares `dim` >= 0 values of `type` on each element of `set` (not a subset). `data` holds dim *
 * pl_set_total(set) values, element by element (on several ranks: of owned elements), and is copied. NULL
 * means zeros, whose storage is allocated at first use. Collective. */
PL_API pl_err pl_decl_dat(pl_set *set, int dim, pl_type type, const void *data, const char *name,
                          pl_dat **dat);

/* pl_decl_dat with `data` of type `from`: the dat's type, or float for double and vice versa (complex types
 * too), which is converted. Errors: PL_ERR_TYPE. Collective. */
PL_API pl_err pl_decl_dat_from(pl_set *set, int dim, pl_type type, pl_type from, const void *data,
                               const char *name, pl_dat **dat);

/* pl_decl_dat with several extents: shape[0 .. rank - 1]; dim is their product, the last extent varies
 * fastest. Collective. */
PL_API pl_err pl_decl_dat_shape(pl_set *set, int rank, const int *shape, pl_type type, const void *data,
                                const char *name, pl_dat **dat);

/* Declares a dat with the set, shape, type and current values of `dat`. Collective. */
PL_API pl_err pl_dat_duplicate(pl_dat *dat, const char *name, pl_dat **copy);

/* Copies the values of `from` to `to`, on all elements or on a subset, and converts them if the types differ
 * (plait/arithmetic.h). Both have the same set and dim, or are arrays of equal size and dim. Errors:
 * PL_ERR_TYPE, also for complex values into a real dat. Collective. */
PL_API pl_err pl_dat_copy(pl_dat *from, pl_dat *to);
PL_API pl_err pl_dat_copy_subset(pl_dat *from, pl_dat *to, pl_set *subset);

/* Sets the values of all elements, or of a subset of the dat's set, to zero. Collective. */
PL_API pl_err pl_dat_zero(pl_dat *dat);
PL_API pl_err pl_dat_zero_subset(pl_dat *dat, pl_set *subset);

/* Opens a host view: *data points to dim * pl_set_total(set) values, element by element whatever the device
 * layout, halo copies behind the owned elements and as of their last exchange (pl_dat_freeze_halo refreshes
 * them). `access`: PL_READ, PL_RW, or PL_WRITE (contents undefined, every value must be written). Data is
 * transferred from the device only if the host copy is stale. The pointer is valid until pl_dat_put; while
 * the view is open, loops on the dat are PL_ERR_STATE, except that PL_READ views allow loops that only read
 * it. Several PL_READ views may be open at once. PL_READ: local; PL_RW, PL_WRITE: collective. */
PL_API pl_err pl_dat_get(pl_dat *dat, pl_access access, void **data);

/* Closes a host view; each pl_dat_get needs one. With option check, views are copies on pages of their own,
 * which cannot be accessed after the last pl_dat_put; PL_ERR_CHECK if values were changed through a PL_READ
 * view, or not all values of owned elements were written through a PL_WRITE view. Local. */
PL_API pl_err pl_dat_put(pl_dat *dat);

/* Copies values to `data`, element by element in the order of global indices; on several ranks those of the
 * elements this rank declared, wherever they are now. Once elements were added or removed, each rank gets
 * pl_set_size(set) elements, those that follow the ones of the lower ranks: no gaps, new elements last.
 * pl_dat_fetch_as names the type of
 * `data`; pl_dat_fetch takes it from the pointer (PL_TYPE_OF). float and double are converted into each
 * other. Errors: PL_ERR_TYPE for other types. Collective. */
PL_API pl_err pl_dat_fetch_as(pl_dat *dat, pl_type type, void *data);
PL_API pl_err pl_dat_fetch(pl_dat *dat, void *data);

/* Number of modifications, from 0: +1 for each loop that writes the dat, each zeroing, each copy into it and
 * each PL_RW or PL_WRITE view. Local. */
PL_API uint64_t pl_dat_version(const pl_dat *dat);

/* Which copies of the values are allocated and valid (docs/internals/core/data.md). Local. */
typedef enum pl_state {
  PL_DEVICE_UNALLOCATED, /* no device memory */
  PL_HOST_UNALLOCATED,   /* device memory only */
  PL_ON_HOST,            /* both allocated, only the host copy valid */
  PL_ON_DEVICE,          /* both allocated, only the device copy valid */
  PL_ON_BOTH             /* both copies valid */
} pl_state;
PL_API pl_state pl_dat_state(const pl_dat *dat);

/* Explicit transfers, never required because loops and views transfer as needed: allocates device memory;
 * makes the device copy valid; makes the host copy valid. No-ops without a device. Local. */
PL_API pl_err pl_dat_allocate_device(pl_dat *dat);
PL_API pl_err pl_dat_to_device(pl_dat *dat);
PL_API pl_err pl_dat_from_device(pl_dat *dat);

/* Sets the layout of the dat on devices, which device programs see and loops do not: "aos" element by
 * element, "soa" each component for all elements, "aosoa:V" tiles of V elements (a power of two, 2 to 1024)
 * with SoA inside; "soa:M" and "aosoa:V,M" keep packs of M = 1, 2 or 4 values together (complex numbers: 2
 * reals). With P = values of an element / M, value m of pack p of element i is at ((i/V * V * P) + p*V + i%V)
 * * M + m; for SoA V is the number of elements. The last tile is padded. Overrides option layout; by default
 * the library chooses. Errors: PL_ERR_ARG for another text, PL_ERR_RANGE if M does not divide. Local. */
PL_API pl_err pl_dat_set_layout(pl_dat *dat, const char *layout);

/* Declares an array: a dat of n elements on a set of its own, freed with it, AoS on devices too. Loops may
 * run over pl_dat_set(array). On several ranks n is the number of elements on this rank. Collective. */
PL_API pl_err pl_decl_array(pl_context *pl, int64_t n, int dim, pl_type type, const void *data,
                            const char *name, pl_dat **array);

/* Writes or reads elements offset .. offset + count - 1 of an array, wherever its values are, and transfers
 * only these. `type` is that of `values`: the array's type, or float for double and vice versa (complex types
 * too), which is converted. pl_array_resize sets the size to n and all values to zero, and discards the
 * array's loops. Errors: PL_ERR_RANGE past the end, PL_ERR_TYPE, PL_ERR_STATE with an open view or other
 * objects declared on the array. Local. */
PL_API pl_err pl_array_write(pl_dat *array, int64_t offset, int64_t count, pl_type type, const void *values);
PL_API pl_err pl_array_read(pl_dat *array, int64_t offset, int64_t count, pl_type type, void *values);
PL_API pl_err pl_array_resize(pl_dat *array, int64_t n);

/* Set, values per element, type, name, bytes of all values, bytes of host storage allocated so far (0 before
 * first use). Local. */
PL_API pl_set *pl_dat_set(const pl_dat *dat);
PL_API int pl_dat_dim(const pl_dat *dat);
PL_API pl_type pl_dat_type(const pl_dat *dat);
PL_API const char *pl_dat_name(const pl_dat *dat);
PL_API size_t pl_dat_nbytes(const pl_dat *dat);
PL_API size_t pl_dat_host_bytes(const pl_dat *dat);

/* Frees a dat, also one that is an array. Collective. */
PL_API void pl_dat_free(pl_dat **dat);

/* ---- globals ---- */

/* Declares `dim` >= 1 values that belong to no set; `data` NULL means zeros. As a loop argument it is read,
 * or the target of a reduction (INC, MIN, MAX) that includes its current value: INC from 10 gives 10 + the
 * sum. Collective. */
PL_API pl_err pl_decl_global(pl_context *pl, int dim, pl_type type, const void *data, const char *name,
                             pl_global **global);
PL_API pl_err pl_decl_global_from(pl_context *pl, int dim, pl_type type, pl_type from, const void *data,
                                  const char *name, pl_global **global); /* as pl_decl_dat_from */

/* `values` holds dim values; types as in pl_dat_fetch. Get waits for pending reductions, which complete at
 * the latest when the other ranks next call the library, and copies the values out: local. Set copies values
 * in, zero sets them to 0: collective. */
PL_API pl_err pl_global_get_as(pl_global *global, pl_type type, void *values);
PL_API pl_err pl_global_set_as(pl_global *global, pl_type type, const void *values);
PL_API pl_err pl_global_get(pl_global *global, void *values);
PL_API pl_err pl_global_set(pl_global *global, const void *values);
PL_API pl_err pl_global_zero(pl_global *global);

/* Declares a global with the type, dim and values of another; copies values between globals of one dim, and
 * converts them if the types differ; computes y += a x at once, also between types. Errors: PL_ERR_TYPE, also
 * for complex values into a real global. Collective. */
PL_API pl_err pl_global_duplicate(pl_global *global, const char *name, pl_global **copy);
PL_API pl_err pl_global_copy(pl_global *from, pl_global *to);
PL_API pl_err pl_global_axpy(double a, pl_global *x, pl_global *y);

/* Number of values, type, name. Local. */
PL_API int pl_global_dim(const pl_global *global);
PL_API pl_type pl_global_type(const pl_global *global);
PL_API const char *pl_global_name(const pl_global *global);
PL_API void pl_global_free(pl_global **global);

/* ---- consts ---- */

/* Declares read-only values that every kernel of the context can use by `name` (a C identifier, unique): a
 * scalar if dim is 1, else an array of dim values. A PL_KERNEL needs a variable of that name in scope too,
 * and option jit=off reads that variable. `constant` may be NULL. Errors: PL_ERR_ARG for a name that is not a
 * C identifier or is declared already. Collective. */
PL_API pl_err pl_decl_const(pl_context *pl, const char *name, int dim, pl_type type, const void *values,
                            pl_const **constant);
PL_API pl_err pl_decl_const_from(pl_context *pl, const char *name, int dim, pl_type type, pl_type from,
                                 const void *values, pl_const **constant); /* as pl_decl_dat_from */

/* Set: copies dim new values in, without recompilation; collective. Get: copies the values out; local. Types
 * as in pl_dat_fetch. */
PL_API pl_err pl_const_set_as(pl_const *constant, pl_type type, const void *values);
PL_API pl_err pl_const_get_as(const pl_const *constant, pl_type type, void *values);
PL_API pl_err pl_const_set(pl_const *constant, const void *values);
PL_API pl_err pl_const_get(const pl_const *constant, void *values);

/* Frees the const; its name may then be declared again, also with another type or dim. */
PL_API void pl_const_free(pl_const **constant);

/* ---- random numbers ---- */

/* Declares random numbers for kernels, from any seed, which must be the same on all ranks. Loops get them by
 * pl_arg_random (plait/loops.h), kernels by the functions of plait_random.h. Collective. */
enum { PL_RANDOM_WORDS = 5 }; /* that a kernel gets */
PL_API pl_err pl_decl_random(pl_context *pl, uint64_t seed, const char *name, pl_random **random);

/* The number that the next call of a loop gets: the calls so far, modulo 2^32. Calls that returned an
 * error, and those of a chain that warms up, are not counted. Get is local and returns 0 for NULL; set
 * continues a run, and is collective. */
PL_API uint32_t pl_random_get_call(const pl_random *random);
PL_API pl_err pl_random_set_call(pl_random *random, uint32_t call);
PL_API void pl_random_free(pl_random **random);

PL_EXTERN_C_END

/* The type of the values is taken from the pointer. */
#ifdef __cplusplus
#define PL_TYPED_(function, object)                                                                          \
  template <class T> inline pl_err function(object *of, T *values)                                           \
  {                                                                                                          \
    return function##_as(of, pl_type_of(values), values);                                                    \
  }
PL_TYPED_(pl_dat_fetch, pl_dat)
PL_TYPED_(pl_global_get, pl_global)
PL_TYPED_(pl_global_set, pl_global)
PL_TYPED_(pl_const_get, const pl_const)
PL_TYPED_(pl_const_set, pl_const)
#undef PL_TYPED_
#elif defined PL_TYPE_OF
#define pl_dat_fetch(dat, ...) pl_dat_fetch_as((dat), PL_TYPE_OF((__VA_ARGS__)), (__VA_ARGS__))
#define pl_global_get(global, ...) pl_global_get_as((global), PL_TYPE_OF((__VA_ARGS__)), (__VA_ARGS__))
#define pl_global_set(global, ...) pl_global_set_as((global), PL_TYPE_OF((__VA_ARGS__)), (__VA_ARGS__))
#define pl_const_get(constant, ...) pl_const_get_as((constant), PL_TYPE_OF((__VA_ARGS__)), (__VA_ARGS__))
#define pl_const_set(constant, ...) pl_const_set_as((constant), PL_TYPE_OF((__VA_ARGS__)), (__VA_ARGS__))
#endif

#endif
