/* SPDX-License-Identifier: BSD-2-Clause
 * Pictures and bytes of sparsities; compressed rows and files of matrices.
 */
#include "matrices.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One file for all ranks, which one process has started. */
static void shared_path(conf *c, char path[256])
{
  const char *temp = getenv("TMPDIR");
  snprintf(path, 256, "%.150s/plait-matrix-%ld", temp && *temp ? temp : "/tmp",
           (long)(pl_ranks(c->pl) > 1 ? getppid() : getpid()));
}

/* Removes the file once all ranks have read it: declarations are collective. */
static void remove_shared(conf *c, const char *path)
{
  conf_set(c, 0, "after reading");
  if (pl_rank(c->pl) == 0) remove(path);
}

/* The picture of `pixels` has these bytes, on every rank. */
static void check_picture(conf *c, pl_sparsity *sparsity, int pixels, const char *head,
                          const unsigned char *want)
{
  char path[256];
  unsigned char got[64] = {0};
  const size_t n = strlen(head);
  shared_path(c, path);
  OK(pl_sparsity_draw(sparsity, path, pixels));
  FILE *file = fopen(path, "rb");
  const size_t size = file ? fread(got, 1, sizeof got, file) : 0;
  if (file) fclose(file);
  int width = 0, height = 0;
  sscanf(head, "P5 %d %d", &width, &height);
  CHECK(size == n + (size_t)(width * height));
  CHECK(!memcmp(got, head, n) && !memcmp(got + n, want, (size_t)(width * height)));
  remove_shared(c, path);
}

/* A product on processors adds a column of 16 bits for each block, and a number for each 32 rows; the second
 * one on devices the slices. */
static void check_product_bytes(conf *c, pl_mat *mat, pl_sparsity *sparsity, pl_dat *x, pl_dat *y)
{
  const size_t before = pl_sparsity_bytes(sparsity);
  const bool host = !strcmp(c->backend, "seq") || !strcmp(c->backend, "openmp");
  OK(pl_mat_multiply(mat, x, y));
  OK(pl_mat_multiply(mat, x, y));
  if (pl_ranks(c->pl) > 1) return;
  const size_t added = pl_sparsity_bytes(sparsity) - before, narrow = 2 * sizeof(int) + 10 * sizeof(uint16_t);
  CHECK(added == (host ? narrow : 4 * sizeof(int) + 3 * 32 * (sizeof(uint16_t) + sizeof(int))));
}

/* Four nodes on a line: a tridiagonal matrix, as such and with blocks of 2 x 1. */
static void case_picture(conf *c)
{
  static const int ends[] = {0, 1, 1, 2, 2, 3};
  static const double weight[] = {1, 2, 3};
  static const unsigned char whole[] = {0, 0, 255, 255, 0, 0, 0, 255, 255, 0, 0, 0, 255, 255, 0, 0},
                             half[] = {0, 144, 144, 0}, blocks[] = {0, 255, 0, 96, 96, 0, 255, 0};
  pl_set *lines = conf_set(c, 3, "lines"), *nodes = conf_set(c, 4, "nodes");
  pl_map *map = conf_map(c, lines, nodes, 2, ends, "ends");
  pl_dat *dat = conf_dat(c, lines, 1, PL_DOUBLE, weight, "weight"),
         *x = conf_dat(c, nodes, 1, PL_DOUBLE, NULL, "x"), *y = conf_dat(c, nodes, 1, PL_DOUBLE, NULL, "y");
  const pl_map_pair pair = {map, map};
  pl_sparsity *scalar = NULL, *rows_of_two = NULL;
  pl_mat *mat = NULL;
  OK(pl_decl_sparsity(nodes, 1, nodes, 1, 1, &pair, "line", &scalar));
  OK(pl_decl_sparsity(nodes, 2, nodes, 1, 1, &pair, "blocks", &rows_of_two));
  CHECK(pl_sparsity_bytes(scalar) == 0);
  check_picture(c, scalar, 100, "P5\n4 4\n255\n", whole);
  check_picture(c, scalar, 2, "P5\n2 2\n255\n", half);
  check_picture(c, rows_of_two, 4, "P5\n2 4\n255\n", blocks);
  const size_t pattern = pl_sparsity_bytes(scalar);
  OK(pl_decl_mat(scalar, PL_DOUBLE, "mat", &mat));
  OK(pl_par_loop(tensor_kernel(c, 2, 2, false), lines, DIRECT(dat, PL_READ),
                 pl_arg_mat(mat, map, map, PL_INC)));
  if (pl_ranks(c->pl) == 1) {
    CHECK(pattern == (5 + 10) * sizeof(int)); /* offsets and columns */
    CHECK(pl_sparsity_bytes(scalar) == pattern + 3 * 4 * sizeof(int));
  }
  check_product_bytes(c, mat, scalar, x, y);
  FAILS(pl_sparsity_draw(scalar, "/nonexistent/x.pgm", 0), PL_ERR_RANGE, "0 pixels", "4096");
  FAILS(pl_sparsity_draw(scalar, "/nonexistent/x.pgm", 4), PL_ERR_IO, "/nonexistent/x.pgm");
  pl_mat_free(&mat);
  pl_sparsity_free(&scalar);
  pl_sparsity_free(&rows_of_two);
}

/* ---- compressed rows ---- */

enum { ROWS = 23, COLUMNS = 17, MOST = 6 };

/* Random rows of blocks of 2 x 3 values; equal places occur and add up. */
typedef struct compressed {
  int offset[ROWS + 1], column[ROWS * MOST];
  double value[ROWS * MOST * 6];
  dense want;
} compressed;

static void fill_compressed(conf *c, compressed *m)
{
  m->want = new_dense(ROWS * 2, COLUMNS * 3);
  m->offset[0] = 0;
  for (int r = 0; r < ROWS; r++) {
    m->offset[r + 1] = m->offset[r] + conf_below(c, MOST + 1);
    for (int k = m->offset[r]; k < m->offset[r + 1]; k++) {
      m->column[k] = conf_below(c, COLUMNS);
      for (int i = 0; i < 6; i++) {
        const double value = m->value[k * 6 + i] = conf_below(c, 100) - 50;
        m->want.value[(r * 2 + i / 3) * m->want.columns + m->column[k] * 3 + i % 3] += value;
      }
    }
  }
}

/* Gives the matrix every row that this rank is to give, in descending order. */
static void set_compressed(conf *c, pl_mat *mat, const compressed *m)
{
  int64_t rows[ROWS], offsets[ROWS + 1] = {0}, columns[ROWS * MOST], n = 0;
  double values[ROWS * MOST * 6];
  for (int r = ROWS - 1; r >= 0; r--) {
    if (r % pl_ranks(c->pl) != pl_rank(c->pl)) continue;
    const int begin = m->offset[r], count = m->offset[r + 1] - begin;
    for (int k = 0; k < count; k++) columns[offsets[n] + k] = m->column[begin + k];
    memcpy(values + offsets[n] * 6, m->value + begin * 6, (size_t)count * 6 * sizeof *values);
    offsets[n + 1] = offsets[n] + count;
    rows[n++] = r;
  }
  OK(pl_mat_set_csr(mat, n, rows, offsets, columns, values));
}

static void case_compressed(conf *c)
{
  const int64_t row[] = {0}, far[] = {ROWS}, one[] = {0, 1}, back[] = {0, -1}, column[] = {COLUMNS};
  const double value[6] = {0};
  compressed m;
  fill_compressed(c, &m);
  pl_set *rows = conf_set(c, ROWS, "rows"), *columns = conf_set(c, COLUMNS, "columns");
  pl_map *map = conf_ragged_map(c, rows, columns, m.offset, m.column, "coupled");
  const pl_map_pair own = {NULL, map}, none = {NULL, NULL};
  pl_sparsity *sparsity = NULL, *refused = NULL;
  pl_mat *mat = NULL;
  FAILS(pl_decl_sparsity(columns, 1, columns, 1, 1, &own, "s", &refused), PL_ERR_ARG, "no row map",
        "\"coupled\"", "\"rows\"");
  FAILS(pl_decl_sparsity(rows, 1, rows, 1, 1, &own, "s", &refused), PL_ERR_ARG, "ends on \"columns\"");
  FAILS(pl_decl_sparsity(rows, 1, columns, 1, 1, &none, "s", &refused), PL_ERR_ARG, "column map", "NULL");
  OK(pl_decl_sparsity(rows, 2, columns, 3, 1, &own, "compressed", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "mat", &mat));
  for (int again = 0; again < 2; again++) {
    set_compressed(c, mat, &m);
    check_matrix(c, mat, rows, 2, &m.want);
  }
  const bool first = pl_rank(c->pl) == 0; /* errors of one rank are errors of all */
  FAILS(pl_mat_set_csr(mat, first, far, one, column, value), PL_ERR_RANGE, "\"mat\"", "row 23 of 23");
  FAILS(pl_mat_set_csr(mat, first, row, back, column, value), PL_ERR_RANGE, "row 0 ends before it begins");
  FAILS(pl_mat_set_csr(mat, first, row, one, column, value), PL_ERR_RANGE, "no entry", "column 51");
  FAILS(pl_mat_set_csr(mat, -1, row, one, column, value), PL_ERR_ARG, "-1 rows");
  check_matrix(c, mat, rows, 2, &m.want); /* unchanged */
  pl_mat_free(&mat);
  pl_sparsity_free(&sparsity);
  free_dense(&m.want);
}

/* ---- files ---- */

static void write_text(conf *c, const char *path, const char *text)
{
  if (pl_rank(c->pl) == 0) {
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0);
    if (file) fclose(file);
  }
  conf_set(c, 0, "after writing");
}

static void check_text(conf *c, const char *path, const char *want)
{
  char got[1024] = "";
  FILE *file = fopen(path, "rb");
  CHECK(file && fread(got, 1, sizeof got - 1, file) == strlen(want) && !strcmp(got, want));
  if (file) fclose(file);
  remove_shared(c, path);
}

/* Reads the text as a matrix with these values, and writes it as `again`. */
static void check_file(conf *c, const char *text, int n, int m, const double *want, const char *again)
{
  char path[256];
  int64_t rows = 0, columns = 0;
  pl_mat *mat = NULL;
  dense expected = dense_of(want, n, m);
  shared_path(c, path);
  write_text(c, path, text);
  OK(pl_mat_file_size(c->pl, path, &rows, &columns));
  CHECK(rows == n && columns == m);
  pl_set *row_set = conf_set(c, n, "rows"), *column_set = n == m ? row_set : conf_set(c, m, "columns");
  OK(pl_decl_mat_file(row_set, column_set, path, "read", &mat));
  check_matrix(c, mat, row_set, 1, &expected);
  OK(pl_mat_write(mat, path));
  check_text(c, path, again);
  pl_mat_free(&mat);
  free_dense(&expected);
}

static void case_files(conf *c)
{
  static const double general[] = {0, 1.5, 0, -2e-3, 0, 0, 0, 7, 0, 0, 0, 0},
                      symmetric[] = {4, -1, 0, -1, 4, 2, 0, 2, 0}, skew[] = {0, -3, 3, 0};
  check_file(c,
             "%%MatrixMarket matrix coordinate real general\n% a comment\n\n3 4 4\n2 4 7\r\n1 4 -2e-3\n\n"
             "1 2 1\n1 2 0.5",
             3, 4, general,
             "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 2 1.5\n1 4 -0.002\n2 4 7\n");
  check_file(
    c, "%%matrixmarket Matrix Coordinate Integer Symmetric\n3 3 4\n1 1 4\n2 1 -1\n2 2 4\n3 2 2\n", 3, 3,
    symmetric,
    "%%MatrixMarket matrix coordinate real general\n3 3 7\n1 1 4\n1 2 -1\n2 1 -1\n2 2 4\n2 3 2\n3 2 2\n"
    "3 3 0\n");
  check_file(c, "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n", 2, 2, skew,
             "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 0\n1 2 -3\n2 1 3\n2 2 0\n");
}

static void case_complex_file(conf *c)
{
  char path[256];
  pl_mat *mat = NULL;
  shared_path(c, path);
  write_text(c, path, "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 2 0\n2 1 0.1 -3\n");
  pl_set *nodes = conf_set(c, 2, "nodes");
  OK(pl_decl_mat_file(nodes, nodes, path, "read", &mat));
  OK(pl_mat_write(mat, path));
  check_text(c, path,
             "%%MatrixMarket matrix coordinate complex general\n2 2 4\n1 1 2 0\n1 2 0.10000000000000001 3\n"
             "2 1 0.10000000000000001 -3\n2 2 0 0\n");
  pl_mat_free(&mat);
}

static void case_bad_files(conf *c)
{
  static const struct {
    const char *text, *why;
  } bad[] = {
    {"", "first line"},
    {"1 2 3\n", "\"1 2 3\""},
    {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", "array"},
    {"%%MatrixMarket matrix coordinate quaternion general\n2 2 0\n", "quaternion"},
    {"%%MatrixMarket matrix coordinate real general\n% no sizes\n", "before the sizes"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1 1\n", "\"2 2 1 1\""},
    {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", "square"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5\n", "\"3 1 5\""},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 0 5\n", "\"1 0 5\""},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n", "lacks a value"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 5 6\n", "too many words"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 5\n2 2 6\n",
     "2 entries, but its header says 3"},
  };
  char path[256];
  pl_mat *mat = NULL;
  shared_path(c, path);
  pl_set *nodes = conf_set(c, 2, "nodes"), *others = conf_set(c, 3, "others");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    write_text(c, path, bad[i].text);
    FAILS(pl_decl_mat_file(nodes, nodes, path, "m", &mat), PL_ERR_IO, path, bad[i].why);
  }
  write_text(c, path, "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 5\n");
  FAILS(pl_decl_mat_file(nodes, others, path, "m", &mat), PL_ERR_ARG, "2 columns", "\"others\"",
        "3 elements");
  CHECK(!mat);
  OK(pl_decl_mat_file(nodes, nodes, path, "m", &mat));
  FAILS(pl_mat_write(mat, "/nonexistent/m.mtx"), PL_ERR_IO, "/nonexistent/m.mtx");
  remove_shared(c, path);
  FAILS(pl_decl_mat_file(nodes, nodes, path, "m", &mat), PL_ERR_IO, path);
  pl_mat_free(&mat);
}

const conf_case conf_matrix_io[] = {
  {"matrix: picture and bytes of a pattern", "P26", case_picture, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {"matrix: compressed rows", "P26", case_compressed, CONF_RANKS | CONF_EAGER},
  {"matrix: files", "P27", case_files, CONF_RANKS | CONF_EAGER},
  {"matrix: complex files", "P27", case_complex_file, CONF_RANKS | CONF_EAGER},
  {"matrix: bad files", "P27", case_bad_files, CONF_RANKS | CONF_EAGER},
  {NULL, NULL, NULL, 0},
};
