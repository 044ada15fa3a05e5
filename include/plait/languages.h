/* SPDX-License-Identifier: BSD-2-Clause
 * For other languages (docs/languages.md): functions in place of the constants, inline functions and macros
 * of the other headers, which a foreign-function interface cannot call. C and C++ programs need none of them.
 *
 *   constants                pl_constant
 *   members of structs       pl_struct_size, pl_struct_member
 *   pl_arg_X(...)            pl_put_arg_X(args, position, ...)
 *   pl_X(..., args...)       pl_X_args(..., nargs, args): pl_par_loop, pl_reduce, pl_scan, pl_pair_loop ...
 *   pl_X(..., values)        pl_X_as(..., type, values): pl_dat_fetch, pl_global_get, pl_const_set ...
 *   pl_X(..., struct)        pl_X_sized(..., struct, size): pl_init, pl_get_stats ...
 *   PL_KERNEL                pl_kernel_from_source_sized
 *   PL_REDUCTION, PL_SCAN    pl_algorithm_from_source
 *   PL_FUNCTION              pl_decl_function_from_source
 *
 * All are local. */
#ifndef PLAIT_LANGUAGES_H
#define PLAIT_LANGUAGES_H

#include <plait/files.h>
#include <plait/interop.h>
#include <plait/matrix.h>
#include <plait/mixed.h>
#include <plait/solver.h>
#include <plait/particles.h>
#include <plait/ranks.h>
#include <plait/stats.h>
#include <plait/tools.h>

PL_EXTERN_C_BEGIN

/* The value of an enumerator or integer macro: "PL_READ", "PL_ALL", "PLAIT_VERSION_MINOR". Errors: PL_ERR_ARG
 * for an unknown name, which pl_errmsg(NULL) repeats. */
PL_API pl_err pl_constant(const char *name, int *value);

/* Bytes of a struct of the interface, "pl_stats", in the library in use; 0 for an unknown name. An object is
 * zeroed memory of that size, aligned to 8 bytes; a function that takes it by pointer takes its size too. */
PL_API size_t pl_struct_size(const char *type);

/* The address of a member: pl_struct_member("pl_stats", "loops_run", stats) for an object of that type. NULL
 * for an unknown name. The type of the member is in the header. */
PL_API void *pl_struct_member(const char *type, const char *member, void *object);

/* Write argument `position` (from 0) of an array of pl_struct_size("pl_arg") bytes for each argument, as the
 * pl_arg_ function of the same name returns it. The array is the program's, and the call that takes it
 * (pl_par_loop_args ...) copies the arguments. */
PL_API void pl_put_arg_dat(pl_arg *args, int position, pl_dat *dat, int index, pl_map *map, pl_access access);
PL_API void pl_put_arg_direct(pl_arg *args, int position, pl_dat *dat, pl_access access);
PL_API void pl_put_arg_gbl(pl_arg *args, int position, pl_global *global, pl_access access);
PL_API void pl_put_arg_payload(pl_arg *args, int position, pl_global *global, pl_global *of);
PL_API void pl_put_arg_const(pl_arg *args, int position, pl_const *constant, pl_access access);
PL_API void pl_put_arg_idx(pl_arg *args, int position, int index, pl_map *map);
PL_API void pl_put_arg_random(pl_arg *args, int position, pl_random *random, int index, pl_map *map);
PL_API void pl_put_arg_ptr(pl_arg *args, int position, void *pointer);
PL_API void pl_put_arg_difference(pl_arg *args, int position, pl_dat *dat);
PL_API void pl_put_arg_distance2(pl_arg *args, int position, pl_dat *dat);
PL_API void pl_put_arg_mat(pl_arg *args, int position, pl_mat *mat, pl_map *rows, pl_map *columns,
                           pl_access access);
PL_API void pl_put_arg_mixed_dat(pl_arg *args, int position, pl_mixed_dat *dat, pl_mixed_map *map,
                                 pl_access access);
PL_API void pl_put_arg_mixed_mat(pl_arg *args, int position, pl_mixed_mat *mat, pl_mixed_map *rows,
                                 pl_mixed_map *columns, pl_access access);

/* Change argument `position`, which was written before. */
PL_API void pl_put_arg_component(pl_arg *args, int position, int component);
PL_API void pl_put_arg_zeroed(pl_arg *args, int position);
PL_API void pl_put_arg_masked(pl_arg *args, int position, pl_dat *row_mask, pl_dat *column_mask);
PL_API void pl_put_arg_opt(pl_arg *args, int position, int on);
PL_API void pl_put_arg_fixed(pl_arg *args, int position, int bits);

PL_EXTERN_C_END

#endif
