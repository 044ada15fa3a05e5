/* SPDX-License-Identifier: BSD-2-Clause
 * Mixed spaces: unknowns of several sets, which a kernel sees as one vector and one local tensor. */
#ifndef PLAIT_MIXED_H
#define PLAIT_MIXED_H

#include <plait/matrix.h>

PL_EXTERN_C_BEGIN

/* Ordered lists of sets, maps and dats, without storage of their own; and the matrix of mixed dats. */
typedef struct pl_mixed_set pl_mixed_set;
typedef struct pl_mixed_map pl_mixed_map;
typedef struct pl_mixed_dat pl_mixed_dat;
typedef struct pl_mixed_mat pl_mixed_mat;

/* ---- lists ---- */

/* Declares a mixed set of n >= 1 parts: dims[i] values on each element of sets[i]. A set may occur several
 * times. An unknown that all elements share is a set with one element: of size 1 on rank 0 and 0 on the
 * others. Collective. */
PL_API pl_err pl_decl_mixed_set(int n, pl_set *const *sets, const int *dims, const char *name,
                                pl_mixed_set **set);

/* Declares a mixed map: maps[i] ends on part i of `to`; all start from one set and have a fixed arity. NULL
 * stands for a map from each element to the only element of part i. Collective. */
PL_API pl_err pl_decl_mixed_map(pl_mixed_set *to, pl_map *const *maps, const char *name, pl_mixed_map **map);

/* Declares a mixed dat: dats[i] is on part i of `set` and has its number of values; all have one type. Its
 * values are those of the dats. Errors: PL_ERR_TYPE. Collective. */
PL_API pl_err pl_decl_mixed_dat(pl_mixed_set *set, pl_dat *const *dats, const char *name, pl_mixed_dat **dat);

/* Parts; owned elements of all parts. Local. */
PL_API int pl_mixed_set_parts(const pl_mixed_set *set);
PL_API int64_t pl_mixed_set_size(const pl_mixed_set *set);

/* A free of a mixed object keeps its parts. A mixed set that others use stays until pl_finalize. */
PL_API void pl_mixed_set_free(pl_mixed_set **set);
PL_API void pl_mixed_map_free(pl_mixed_map **map);
PL_API void pl_mixed_dat_free(pl_mixed_dat **dat);

/* ---- matrices ---- */

/* PL_MIXED_NESTED: a matrix for each pair of parts. PL_MIXED_WHOLE: one matrix, whose rows and columns are
 * single values, those of part 0 first on each rank. */
typedef enum pl_mixed_form { PL_MIXED_NESTED, PL_MIXED_WHOLE } pl_mixed_form;

/* Declares a matrix of zeros with the rows of `rows` and the columns of `columns`. Its nonzeros are those
 * that the npairs pairs of maps, rows_of[k] and columns_of[k], couple (pl_decl_sparsity), and the diagonal if
 * both are one mixed set. PL_MIXED_WHOLE declares maps: do this before the first assembly of other matrices
 * on the sets. Collective. */
PL_API pl_err pl_decl_mixed_mat(pl_mixed_set *rows, pl_mixed_set *columns, int npairs,
                                pl_mixed_map *const *rows_of, pl_mixed_map *const *columns_of, pl_type type,
                                pl_mixed_form form, const char *name, pl_mixed_mat **mat);
PL_API void pl_mixed_mat_free(pl_mixed_mat **mat);

/* The matrix of row part i and column part j of a nested matrix; the matrix of PL_MIXED_WHOLE. They belong to
 * the mixed matrix and take all functions of plait/matrix.h. Errors: PL_ERR_RANGE; PL_ERR_STATE for the other
 * form. Local. */
PL_API pl_err pl_mixed_mat_block(pl_mixed_mat *mat, int i, int j, pl_mat **block);
PL_API pl_err pl_mixed_mat_whole(pl_mixed_mat *mat, pl_mat **whole);

/* A = 0; zeroes the rows of elements of a part, and sets their diagonal values (pl_mat_zero_rows, also for
 * `rows`); the diagonal from and to a mixed dat on the rows. Collective. */
PL_API pl_err pl_mixed_mat_zero(pl_mixed_mat *a);
PL_API pl_err pl_mixed_mat_zero_rows(pl_mixed_mat *a, int part, pl_set *rows, double diagonal);
PL_API pl_err pl_mixed_mat_get_diagonal(pl_mixed_mat *a, pl_mixed_dat *diagonal);
PL_API pl_err pl_mixed_mat_set_diagonal(pl_mixed_mat *a, pl_mixed_dat *diagonal);

/* y = A x and y = A^T x for different mixed dats of the matrix's type, double or float. Both are loops, which
 * may be recorded. Errors: PL_ERR_TYPE. Collective. */
PL_API pl_err pl_mixed_mat_multiply(pl_mixed_mat *a, pl_mixed_dat *x, pl_mixed_dat *y);
PL_API pl_err pl_mixed_mat_multiply_transposed(pl_mixed_mat *a, pl_mixed_dat *x, pl_mixed_dat *y);

/* ---- arguments of loops ---- */

/* A mixed dat through a mixed map: PL_READ, PL_WRITE, PL_RW or PL_INC. Kernel parameter: the values of all
 * targets of all parts, one part after the other: T x[n] or T *x, of n = sum of arity * dim; T
 * x[targets][dim] if all parts have the same dim; or T *x[targets]. Loops with mixed arguments need a
 * compiler at run time. */
static inline pl_arg pl_arg_mixed_dat(pl_mixed_dat *dat, pl_mixed_map *map, pl_access access)
{
  return pl_arg_of_kind(PL_ARG_MIXED_DAT, access, dat, (pl_map *)map, PL_ALL);
}

/* A mixed matrix: PL_INC or PL_WRITE, as pl_arg_mat. Kernel parameter: one local tensor T A[m][n], T A[m * n]
 * or T *A, whose rows and columns are numbered like the values of mixed dats through `rows` and `columns`.
 * pl_arg_masked takes matrices of PL_MIXED_WHOLE only, with masks on the whole sets. */
static inline pl_arg pl_arg_mixed_mat(pl_mixed_mat *mat, pl_mixed_map *rows, pl_mixed_map *columns,
                                      pl_access access)
{
  pl_arg arg = pl_arg_of_kind(PL_ARG_MIXED_MAT, access, mat, (pl_map *)rows, PL_ALL);
  arg.columns = (pl_map *)columns;
  return arg;
}

/* ---- all values in one set ---- */

/* The set whose elements are the single values of all parts: the rows of PL_MIXED_WHOLE. Declared at the
 * first call, or by pl_decl_mixed_mat; it belongs to the mixed set. Each rank declares those of the elements
 * that it owns then. Errors: PL_ERR_STATE once the storage of the sets is fixed by other matrices.
 * Collective. */
PL_API pl_err pl_mixed_set_whole(pl_mixed_set *set, pl_set **whole);

/* The global index in that set of the first value of each element of a part that this rank owns, in the order
 * of pl_set_global, to numbers[pl_set_size(sets[part])]. Collective. */
PL_API pl_err pl_mixed_set_numbers(pl_mixed_set *set, int part, int64_t *numbers);

/* Copy between a mixed dat and a dat of the same type with one value on each element of the whole set, for
 * solvers and products of PL_MIXED_WHOLE. Errors: PL_ERR_TYPE. Collective. */
PL_API pl_err pl_mixed_dat_gather(pl_mixed_dat *from, pl_dat *whole);
PL_API pl_err pl_mixed_dat_scatter(pl_dat *whole, pl_mixed_dat *to);

PL_EXTERN_C_END

#endif
