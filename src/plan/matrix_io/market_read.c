/* SPDX-License-Identifier: BSD-2-Clause
 * Matrix Market files, format "coordinate" (R. F. Boisvert, R. Pozo, K. A. Remington: The Matrix Market
 * Exchange Formats, NISTIR 5935, 1996). Each rank reads a part of the file and sends entries to the ranks
 * that own their rows.
 */
#include "value_list.h"
#include "core/base/plain_format.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/io/parallel_file.h"
#include "core/mesh/owner_directory.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE = 1024 };

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW, HERMITIAN } symmetry;

typedef struct market {
  pl_context *pl;
  const char *path;
  FILE *file;
  int64_t rows, columns, entries;
  int numbers; /* of a value: 0 to 2 */
  symmetry symmetry;
  int64_t begin, size; /* the first byte after the header; bytes of the file */
} market;

static pl_err bad_file(const market *m, const char *why, const char *line)
{
  return pl_fail(m->pl, PL_ERR_IO, "file \"%s\": %s: \"%.*s\"", m->path, why, (int)strcspn(line, "\r\n"),
                 line);
}

/* Reads a line; *got: whether there is one. */
static pl_err read_line(market *m, char line[LINE], bool *got)
{
  *got = fgets(line, LINE, m->file) != NULL;
  if (!*got && ferror(m->file))
    return pl_fail(m->pl, PL_ERR_IO, "file \"%s\": cannot read it: %s", m->path, strerror(errno));
  if (*got && strlen(line) == LINE - 1 && line[LINE - 2] != '\n')
    return pl_fail(m->pl, PL_ERR_IO, "file \"%s\": a line has more than %d bytes", m->path, LINE - 2);
  return PL_SUCCESS;
}

static bool is_blank(const char *line)
{
  while (isspace((unsigned char)*line)) line++;
  return !*line || *line == '%';
}

/* ---- header ---- */

static int find_word(const char *word, int n, const char *const *list)
{
  for (int i = 0; i < n; i++)
    if (!strcasecmp(word, list[i])) return i;
  return -1;
}

static pl_err parse_banner(market *m, const char *line)
{
  static const char *const fields[] = {"pattern", "real", "complex", "integer", "double"};
  static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
  char banner[20], object[20], format[20], field[20], kind[20];
  if (sscanf(line, "%19s %19s %19s %19s %19s", banner, object, format, field, kind) != 5 ||
      strcasecmp(banner, "%%MatrixMarket"))
    return bad_file(m, "not a Matrix Market file, whose first line has five words", line);
  if (strcasecmp(object, "matrix") || strcasecmp(format, "coordinate"))
    return bad_file(m, "only \"matrix coordinate\" is a sparse matrix", line);
  const int f = find_word(field, 5, fields), s = find_word(kind, 4, symmetries);
  if (f < 0 || s < 0) return bad_file(m, "unknown kind of values", line);
  m->numbers = f > 2 ? 1 : f;
  m->symmetry = (symmetry)s;
  return PL_SUCCESS;
}

static pl_err parse_sizes(market *m, const char *line)
{
  long long rows, columns, entries;
  char rest;
  if (sscanf(line, "%lld %lld %lld %c", &rows, &columns, &entries, &rest) != 3 || rows < 0 || columns < 0 ||
      entries < 0)
    return bad_file(m, "expected rows, columns and entries", line);
  m->rows = rows;
  m->columns = columns;
  m->entries = entries;
  if (m->symmetry && rows != columns) return bad_file(m, "a symmetric matrix is square", line);
  return PL_SUCCESS;
}

static pl_err read_header(market *m)
{
  char line[LINE] = "";
  bool got;
  PL_TRY(read_line(m, line, &got));
  PL_TRY(parse_banner(m, line));
  do {
    PL_TRY(read_line(m, line, &got));
    if (!got) return bad_file(m, "it ends before the sizes", "");
  } while (is_blank(line));
  PL_TRY(parse_sizes(m, line));
  m->begin = (int64_t)ftello(m->file);
  if (m->begin < 0 || fseeko(m->file, 0, SEEK_END)) return bad_file(m, "cannot read it", strerror(errno));
  m->size = (int64_t)ftello(m->file);
  return PL_SUCCESS;
}

/* Opens the file and reads its header; close_market also after an error. Collective. */
static pl_err open_market(market *m)
{
  PL_TRY(pl_file_agree(m->pl, m->path));
  m->file = fopen(m->path, "rb");
  pl_err err = PL_SUCCESS;
  if (!m->file)
    err = pl_fail(m->pl, PL_ERR_IO, "file \"%s\": cannot open it: %s", m->path, strerror(errno));
  else
    err = read_header(m);
  return pl_agree(m->pl, err);
}

static void close_market(market *m)
{
  if (m->file) fclose(m->file);
}

pl_err pl_mat_file_size(pl_context *pl, const char *path, int64_t *rows, int64_t *columns)
{
  PL_TRY(PL_GIVEN(pl, "pl_mat_file_size", pl, path, rows, columns));
  market m = {.pl = pl, .path = path};
  pl_err err = open_market(&m);
  close_market(&m);
  PL_TRY(err);
  *rows = m.rows;
  *columns = m.columns;
  return PL_SUCCESS;
}

/* ---- entries ---- */

/* Place i, which counts from 1 in the file. */
static bool parse_place(char **text, int64_t n, int64_t *i)
{
  char *end;
  const long long number = strtoll(*text, &end, 10);
  if (end == *text || number < 1 || number > n) return false;
  *text = end;
  *i = number - 1;
  return true;
}

static pl_err parse_entry(const market *m, char *line, pl_entry *entry)
{
  char *text = line;
  *entry = (pl_entry){.value = {m->numbers ? 0 : 1, 0}};
  if (!parse_place(&text, m->rows, &entry->row) || !parse_place(&text, m->columns, &entry->column))
    return bad_file(m, "expected a row and a column of the matrix", line);
  for (int i = 0; i < m->numbers; i++) {
    char *end;
    entry->value[i] = strtod(text, &end);
    if (end == text) return bad_file(m, "an entry lacks a value", line);
    text = end;
  }
  return is_blank(text) ? PL_SUCCESS : bad_file(m, "an entry has too many words", line);
}

/* Adds an entry and, if the file holds one triangle of the matrix, its mirror image. */
static pl_err add_entry(const market *m, const pl_entry *entry, pl_entries *entries)
{
  PL_TRY(pl_entries_add(m->pl, entries, entry));
  if (!m->symmetry || entry->row == entry->column) return PL_SUCCESS;
  pl_entry mirror = {entry->column, entry->row, {entry->value[0], entry->value[1]}};
  if (m->symmetry == SKEW) mirror.value[0] = -mirror.value[0];
  if (m->symmetry == SKEW || m->symmetry == HERMITIAN) mirror.value[1] = -mirror.value[1];
  return pl_entries_add(m->pl, entries, &mirror);
}

/* Reads the lines that begin in bytes begin to end - 1. */
static pl_err read_lines(market *m, int64_t begin, int64_t end, pl_entries *entries, int64_t *count)
{
  char line[LINE];
  pl_entry entry;
  bool got = true;
  int64_t at = begin > m->begin ? begin - 1 : begin;
  if (fseeko(m->file, (off_t)at, SEEK_SET)) return bad_file(m, "cannot read it", strerror(errno));
  if (begin > m->begin) PL_TRY(read_line(m, line, &got)); /* the end of another rank's line */
  for (at = (int64_t)ftello(m->file); got && at < end; at = (int64_t)ftello(m->file)) {
    PL_TRY(read_line(m, line, &got));
    if (!got || is_blank(line)) continue;
    PL_TRY(parse_entry(m, line, &entry));
    PL_TRY(add_entry(m, &entry, entries));
    ++*count;
  }
  return PL_SUCCESS;
}

static pl_err read_part(market *m, pl_entries *entries)
{
  const int64_t bytes = m->size - m->begin, rank = pl_rank(m->pl), ranks = pl_ranks(m->pl);
  int64_t count = 0, total = 0;
  pl_plain plain = pl_plain_begin();
  pl_err err =
    read_lines(m, m->begin + bytes / ranks * rank,
               rank + 1 < ranks ? m->begin + bytes / ranks * (rank + 1) : m->size, entries, &count);
  pl_plain_end(plain);
  PL_TRY(pl_agree(m->pl, err));
  PL_TRY(pl_comm_scan(m->pl, count, NULL, &total));
  if (total == m->entries) return PL_SUCCESS;
  return pl_fail(m->pl, PL_ERR_IO, "file \"%s\": it has %lld entries, but its header says %lld", m->path,
                 (long long)total, (long long)m->entries);
}

/* ---- the pattern ---- */

/* The begins of rows of owned elements among sorted entries, which belong to them. */
static void fill_rows(const pl_set *rows, const int64_t *ids, const pl_entries *entries, int *offsets,
                      int64_t *columns)
{
  int64_t k = 0;
  for (int i = 0; i < rows->end[3]; i++) {
    offsets[i] = (int)k;
    for (; i < rows->end[1] && k < entries->n && entries->entry[k].row == ids[i]; k++)
      columns[k] = entries->entry[k].column;
  }
  offsets[rows->end[3]] = (int)k;
}

static pl_err declare_rows(pl_set *rows, pl_set *columns, const pl_entries *entries, const char *name,
                           pl_map **map)
{
  pl_context *pl = rows->node.pl;
  int64_t *ids = NULL, *targets = NULL;
  int *offsets = NULL;
  pl_err err = PL_SUCCESS;
  if (entries->n > INT32_MAX)
    err =
      pl_fail(pl, PL_ERR_RANGE, "matrix \"%s\": %lld entries on one rank; the limit is %d, use more ranks",
              name, (long long)entries->n, INT32_MAX);
  if (!err) err = PL_NEW_ARRAY(pl, ids, (size_t)rows->end[1] + 1);
  if (!err) err = PL_NEW_ARRAY(pl, targets, (size_t)entries->n + 1);
  if (!err) err = PL_NEW_ARRAY(pl, offsets, (size_t)rows->end[3] + 1);
  if (!err) err = pl_set_global(rows, ids);
  err = pl_agree(pl, err);
  if (!err) {
    fill_rows(rows, ids, entries, offsets, targets);
    err = pl_decl_map_ragged_global(rows, columns, offsets, targets, name, map);
  }
  pl_free_arrays(pl, ids, targets, offsets);
  return err;
}

/* The matrix of zeros whose pattern the entries are. The map is needed until the pattern is built. */
static pl_err declare_matrix(pl_set *rows, pl_set *columns, pl_entries *entries, pl_type type,
                             const char *name, pl_mat **mat)
{
  pl_context *pl = rows->node.pl;
  pl_map_pair pair = {NULL, NULL};
  pl_sparsity *sparsity = NULL;
  PL_TRY(pl_entries_to_owners(rows, 1, entries));
  PL_TRY(pl_agree(pl, pl_entries_sort(pl, entries)));
  PL_TRY(declare_rows(rows, columns, entries, name, &pair.columns));
  pl_err err = pl_decl_sparsity(rows, 1, columns, 1, 1, &pair, name, &sparsity);
  if (!err) err = pl_decl_mat(sparsity, type, name, mat);
  if (!err) err = pl_mat_ready(*mat);
  pl_sparsity_free(&sparsity);
  pl_map_free(&pair.columns);
  return err;
}

/* ---- the matrix ---- */

static pl_err check_sets(const market *m, const pl_set *rows, const pl_set *columns)
{
  const pl_set *set[2] = {rows, columns};
  const int64_t size[2] = {m->rows, m->columns};
  for (int k = 0; k < 2; k++)
    if (pl_set_global_size(set[k]) != size[k])
      return pl_fail(m->pl, PL_ERR_ARG, "file \"%s\": it has %lld %s, but set \"%s\" has %lld elements",
                     m->path, (long long)size[k], k ? "columns" : "rows", set[k]->node.name,
                     (long long)pl_set_global_size(set[k]));
  return PL_SUCCESS;
}

static pl_err read_matrix(market *m, pl_set *rows, pl_set *columns, const char *name, pl_mat **mat)
{
  pl_entries entries = {0};
  pl_mat *made = NULL;
  PL_TRY(check_sets(m, rows, columns));
  pl_err err = read_part(m, &entries);
  if (!err)
    err =
      declare_matrix(rows, columns, &entries, m->numbers == 2 ? PL_COMPLEX_DOUBLE : PL_DOUBLE, name, &made);
  if (!err) err = pl_entries_to_owners(rows, 1, &entries); /* sets may have been distributed meanwhile */
  if (!err) err = pl_values_add(made, &entries);
  pl_entries_free(m->pl, &entries);
  if (err) return pl_mat_free(&made), err;
  *mat = made;
  return PL_SUCCESS;
}

pl_err pl_decl_mat_file(pl_set *rows, pl_set *columns, const char *path, const char *name, pl_mat **mat)
{
  if (!name) name = "(unnamed)";
  pl_context *pl = pl_context_of(rows ? rows : columns);
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_mat_file", name, rows, columns, path, mat));
  market m = {.pl = pl, .path = path};
  pl_err err = open_market(&m);
  if (!err) err = read_matrix(&m, rows, columns, name, mat);
  close_market(&m);
  return err;
}
