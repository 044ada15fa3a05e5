/* SPDX-License-Identifier: BSD-2-Clause
 * Sparse matrices, assembled by loops. */
#ifndef PLAIT_MATRIX_H
#define PLAIT_MATRIX_H

#include <plait/dats.h>
#include <plait/interop.h>
#include <plait/loops.h>

PL_EXTERN_C_BEGIN

/* ---- sparsity ---- */

/* The pattern of the nonzeros of matrices; and the matrix. */
typedef struct pl_sparsity pl_sparsity;
typedef struct pl_mat pl_mat;

/* A row map and a column map from one set: an element couples each target of `rows` with each target of
 * `columns`. Without `rows` (NULL), `columns` starts from the row set, and an element is its own row; then
 * `columns` may be ragged, so that compressed rows are a pattern (pl_decl_map_ragged). */
typedef struct pl_map_pair {
  pl_map *rows, *columns;
} pl_map_pair;

/* Declares the sparsity of matrices with a row of blocks for each element of the set `rows` and a column of
 * blocks for each element of `columns`; a block has row_dim x column_dim values. The nonzero blocks are those
 * that the pairs of maps couple, and the diagonal if both sets and both dims are the same. The pairs are maps
 * of fixed arity, which may differ, or a column map alone; each pair ends on `rows` and `columns`, and starts
 * from a set of its own.
 * A negative entry couples nothing. A second declaration with the same arguments gives the same object.
 *
 * The pattern is built when it is first needed. From then on the storage of the sets is fixed: declare all
 * maps and call pl_partition and pl_renumber before, else these return PL_ERR_STATE. On several ranks a rank
 * holds the rows that it owns. Errors: PL_ERR_ARG, PL_ERR_RANGE. Collective. */
PL_API pl_err pl_decl_sparsity_sized(pl_set *rows, int row_dim, pl_set *columns, int column_dim, int npairs,
                                     const pl_map_pair *pairs, size_t pair_size, const char *name,
                                     pl_sparsity **sparsity);
static inline pl_err pl_decl_sparsity(pl_set *rows, int row_dim, pl_set *columns, int column_dim, int npairs,
                                      const pl_map_pair *pairs, const char *name, pl_sparsity **sparsity)
{
  return pl_decl_sparsity_sized(rows, row_dim, columns, column_dim, npairs, pairs, sizeof *pairs, name,
                                sparsity);
}

/* Releases one declaration; the object lives as long as a matrix has it. Collective. */
PL_API void pl_sparsity_free(pl_sparsity **sparsity);

/* The compressed rows of this rank in storage order, for programs that pass matrices to other libraries. The
 * arrays belong to the sparsity. Row r of blocks has the columns column[offset[r]] to column[offset[r + 1] -
 * 1], ascending; owned columns come before those of the halo. The values of block k begin at k * row_dim *
 * column_dim in the dat of pl_mat_values, row by row. */
typedef struct pl_csr {
  int rows, columns, blocks; /* on this rank; columns include the halo */
  int row_dim, column_dim;
  const int *offset, *column;
  const int64_t *row_index, *column_index; /* the global index of each row and column; NULL: the positions */
} pl_csr;

/* Collective. */
PL_API pl_err pl_sparsity_csr_sized(pl_sparsity *sparsity, pl_csr *csr, size_t size);
static inline pl_err pl_sparsity_csr(pl_sparsity *sparsity, pl_csr *csr)
{
  return pl_sparsity_csr_sized(sparsity, csr, sizeof *csr);
}

/* Bytes on this rank of the pattern, of the positions of tensors and of the columns that products use; 0
 * before the pattern is built. Local. */
PL_API size_t pl_sparsity_bytes(const pl_sparsity *sparsity);

/* Writes a picture of the pattern: a binary PGM file whose longer side has `pixels` pixels, at most 4096, or
 * one for each row or column of values if there are fewer. A pixel without values is white, others are the
 * darker the more values they have. Rows and columns are in the order of global indices, so the file has the
 * same bytes on any number of ranks. Rank 0 writes it. Errors: PL_ERR_RANGE, PL_ERR_IO. Collective. */
PL_API pl_err pl_sparsity_draw(pl_sparsity *sparsity, const char *path, int pixels);

/* ---- matrices ---- */

/* Declares a matrix of zeros; `type` is PL_DOUBLE, PL_FLOAT, PL_COMPLEX_DOUBLE or PL_COMPLEX_FLOAT.
 * Collective. */
PL_API pl_err pl_decl_mat(pl_sparsity *sparsity, pl_type type, const char *name, pl_mat **mat);
PL_API void pl_mat_free(pl_mat **mat);

/* Declares a matrix whose values are memory of the program (pl_dat_wrap): `count` values in the order of
 * pl_csr, which the program keeps until the matrix is freed; nothing is copied. Compressed rows with
 * ascending columns that are declared as a pattern (pl_decl_map_ragged) have this order. The matrix has the
 * values that the memory holds. The program reads them through its pointer while a view of pl_mat_values is
 * open that reads, and writes them while one that writes is. The pattern is built at once. Errors: PL_ERR_ARG
 * for another number of values than the sparsity has on this rank; else those of pl_decl_mat and pl_dat_wrap.
 * Collective. */
PL_API pl_err pl_mat_wrap(pl_sparsity *sparsity, pl_type type, pl_memory where, void *memory, int64_t count,
                          const char *name, pl_mat **mat);

/* A matrix as an argument of a loop: the local tensor of the element, whose rows belong to the targets of
 * `rows` and whose columns belong to those of `columns`. PL_INC adds the tensor, which starts from zeros;
 * PL_WRITE replaces the values, all of which the kernel writes; elements that share an entry must then write
 * the same value. Kernel parameter: T A[m][n], T A[m * n] or T *A, with m = row arity * row_dim and n =
 * column arity * column_dim, row by row. pl_arg_zeroed makes the loop start from a matrix of zeros. The pair
 * needs not be one of the sparsity's, for instance one with negative entries for boundary rows, but the
 * sparsity must have all its entries (else PL_ERR_RANGE). */
static inline pl_arg pl_arg_mat(pl_mat *mat, pl_map *rows, pl_map *columns, pl_access access)
{
  pl_arg arg = pl_arg_of_kind(PL_ARG_MATRIX, access, mat, rows, PL_ALL);
  arg.columns = columns;
  return arg;
}

/* `arg`, a matrix, without some of its rows and columns: the loop drops the values of the tensor whose row or
 * column has a nonzero mask. `row_mask` is a dat of the row set with row_dim values, `column_mask` one of the
 * column set with column_dim values, both of an integer type; NULL drops nothing. Dropped values are neither
 * added nor written, and the kernel computes them as before; pl_arg_zeroed zeroes their entries too. The
 * sparsity must have the entries of dropped values.
 *
 * A loop reads the masks when it is called or recorded: each pl_par_loop and pl_loop_run uses their values at
 * that time, those of halo copies included. The positions of the remaining values are kept until a mask has
 * changed; then recorded loops run, and the loop is prepared again. Errors: PL_ERR_TYPE for a dat of another
 * set, dim or type. */
static inline pl_arg pl_arg_masked(pl_arg arg, pl_dat *row_mask, pl_dat *column_mask)
{
  arg.row_mask = row_mask;
  arg.column_mask = column_mask;
  return arg;
}

/* How values were last modified: by pl_arg_mat with PL_INC or pl_mat_add; by PL_WRITE, pl_mat_set and the
 * other functions that replace values; or not since pl_mat_assemble. Both kinds may follow each other in any
 * order: loops and calls take effect in the order of the program, and nothing waits for an assembly. */
typedef enum pl_mat_state { PL_MAT_ASSEMBLED, PL_MAT_ADDING, PL_MAT_INSERTING } pl_mat_state;
PL_API pl_mat_state pl_mat_state_of(const pl_mat *mat); /* local */

/* Runs recorded loops that modify the matrix; its state becomes PL_MAT_ASSEMBLED. Collective. */
PL_API pl_err pl_mat_assemble(pl_mat *mat);

/* The dat of the values, one for each value of a block, in the order of pl_csr. Its views (pl_dat_get,
 * pl_dat_get_device, ...) export and import values without a copy. It belongs to the matrix:
 * pl_dat_free reports this and leaves it. Collective. */
PL_API pl_err pl_mat_values(pl_mat *mat, pl_dat **values);

/* Bytes of the values on this rank; 0 before the pattern is built. Local. */
PL_API size_t pl_mat_bytes(const pl_mat *mat);

/* ---- whole matrices ---- */

/* A = 0; A = a A; B = a A + B; B = A; the square root of the sum of |a_ij|^2. Two matrices have one sparsity
 * and type (else PL_ERR_TYPE). Collective. */
PL_API pl_err pl_mat_zero(pl_mat *a);
PL_API pl_err pl_mat_scale(double factor, pl_mat *a);
PL_API pl_err pl_mat_axpy(double factor, pl_mat *a, pl_mat *b);
PL_API pl_err pl_mat_copy(pl_mat *a, pl_mat *b);
PL_API pl_err pl_mat_norm(pl_mat *a, double *norm);

/* y = A x: `x` is a dat of the column set with column_dim values, `y` of the row set with row_dim values, all
 * of the matrix's type. Dats of n times as many values hold n vectors: value v * dim + j of
 * an element is component j of vector v. A loop over the rows: it runs where the values are, is recorded in
 * chains, and exchanges the halo of `x`. Errors: PL_ERR_TYPE. Collective. */
PL_API pl_err pl_mat_multiply(pl_mat *a, pl_dat *x, pl_dat *y);

/* y = A^T x, with `x` on the row set and `y` on the column set: a loop over the values of the matrix, which
 * increments `y`; on several ranks sums for columns of other ranks are sent to them. The first
 * call makes two maps of 4 bytes a value, which all matrices of the sparsity share. Errors: PL_ERR_TYPE.
 * Collective. */
PL_API pl_err pl_mat_multiply_transposed(pl_mat *a, pl_dat *x, pl_dat *y);

/* y = A^H x, by the conjugate values: of a real matrix the same. Collective. */
PL_API pl_err pl_mat_multiply_adjoint(pl_mat *a, pl_dat *x, pl_dat *y);

/* ---- rows, the diagonal, single values ---- */

/* Zeroes the rows of the elements of `rows`, the row set or a subset of it, and sets their diagonal values to
 * `diagonal`. Errors: PL_ERR_STATE for a diagonal other than 0 that the sparsity does not have. Collective.
 */
PL_API pl_err pl_mat_zero_rows(pl_mat *a, pl_set *rows, double diagonal);

/* The diagonal of a square matrix, from and to a dat of the row set with row_dim values of the matrix's type.
 * Errors: PL_ERR_TYPE, PL_ERR_STATE for a matrix without diagonal. Collective. */
PL_API pl_err pl_mat_get_diagonal(pl_mat *a, pl_dat *diagonal);
PL_API pl_err pl_mat_set_diagonal(pl_mat *a, pl_dat *diagonal);

/* Sets, adds to, or gets the values of m rows and n columns, values[i * n + j] of the matrix's type. Row i is
 * row_dim * (global index of its element) + its place in the block; column j is numbered in the same way.
 * Negative rows and columns are skipped; pl_mat_get gives 0 for them and for values that the pattern does not
 * have. A rank names rows that it owns, and may name none. Errors: PL_ERR_RANGE for a row of another rank,
 * or, when values are set or added, an entry that the sparsity does not have; the values before it are
 * stored. Collective. */
PL_API pl_err pl_mat_set(pl_mat *a, int m, const int64_t *rows, int n, const int64_t *columns,
                         const void *values);
PL_API pl_err pl_mat_add(pl_mat *a, int m, const int64_t *rows, int n, const int64_t *columns,
                         const void *values);
PL_API pl_err pl_mat_get(pl_mat *a, int m, const int64_t *rows, int n, const int64_t *columns, void *values);

/* ---- matrices from elsewhere ---- */

/* Replaces all values by those of n compressed rows: row rows[i], a global index, has the blocks offsets[i]
 * to offsets[i + 1] - 1 with the columns columns[k], global indices too, and values[k * row_dim * column_dim]
 * on, row by row, of the matrix's type. Blocks that are not given become 0, equal places add up. A rank may
 * give any rows, which are sent to their owners; no rank needs to give all. Errors: PL_ERR_RANGE for a row
 * that does not exist or an entry that the sparsity does not have; then nothing changes. Collective. */
PL_API pl_err pl_mat_set_csr(pl_mat *a, int64_t n, const int64_t *rows, const int64_t *offsets,
                             const int64_t *columns, const void *values);

/* Rows and columns of the matrix in a Matrix Market file of format "coordinate". Errors: PL_ERR_IO.
 * Collective. */
PL_API pl_err pl_mat_file_size(pl_context *pl, const char *path, int64_t *rows, int64_t *columns);

/* Declares the matrix of such a file, with a row of one value for each element of the set `rows` and a column
 * for each element of `columns`, which may be one set. Its type is PL_DOUBLE, or PL_COMPLEX_DOUBLE for a
 * complex file; symmetric files give both triangles, equal places add up. The pattern is built at once (see
 * pl_decl_sparsity). Each rank reads a part of the file. Errors: PL_ERR_IO for a file that cannot be read,
 * PL_ERR_ARG for sets of other sizes. Collective. */
PL_API pl_err pl_decl_mat_file(pl_set *rows, pl_set *columns, const char *path, const char *name,
                               pl_mat **mat);

/* Writes the matrix as such a file: all values of the pattern, by row and column of global indices, with all
 * digits. The file has the same bytes on any number of ranks if the values have the same bits. Errors:
 * PL_ERR_IO; then an older file stays. Collective. */
PL_API pl_err pl_mat_write(pl_mat *a, const char *path);

PL_EXTERN_C_END

#endif
