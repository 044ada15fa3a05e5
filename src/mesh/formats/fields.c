/* SPDX-License-Identifier: BSD-2-Clause
 * Numbers of a mesh file. See fields.h.
 */
#include "fields.h"

#include <errno.h>
#include <string.h>

bool pl_mesh_open(fields *f, file_mesh *mesh)
{
  *f = (fields){.mesh = mesh, .file = fopen(mesh->path, "rb")};
  if (f->file) return true;
  return pl_mesh_fail(mesh, "the file cannot be opened: %s", strerror(errno));
}

void pl_mesh_close_fields(fields *f)
{
  if (f->file) fclose(f->file);
  free(f->line);
}

bool pl_mesh_starts(const char *text, const char *word)
{
  return strncmp(text, word, strlen(word)) == 0;
}

static void skip_blanks(fields *f)
{
  f->at += strspn(f->at, " \t\r\n");
}

bool pl_mesh_next_line(fields *f)
{
  do {
    errno = 0;
    const ssize_t length = getline(&f->line, &f->room, f->file);
    if (length < 0) {
      f->at = "";
      if (errno == ENOMEM) return pl_mesh_no_memory(f->mesh);
      return ferror(f->file) ? pl_mesh_fail(f->mesh, "the file cannot be read: %s", strerror(errno)) : false;
    }
    f->number++;
    f->bytes += length;
    f->at = f->line;
    skip_blanks(f);
  } while (!*f->at);
  return true;
}

int64_t pl_mesh_place(const fields *f)
{
  return f->mesh->unit ? f->bytes : f->number;
}

/* ---- records ---- */

/* The next word is not as it should be. */
static bool unexpected(fields *f, const char *expected)
{
  skip_blanks(f);
  const int length = (int)strcspn(f->at, " \t\r\n");
  if (!length) return pl_mesh_wrong(f, "%s: the line ends before %s", f->record, expected);
  return pl_mesh_wrong(f, "%s: \"%.*s\" is not %s", f->record, length < 30 ? length : 30, f->at, expected);
}

static bool at_end(fields *f)
{
  return pl_mesh_wrong(f, "the file ends before %s", f->record);
}

bool pl_mesh_begin(fields *f, const char *record)
{
  f->record = record;
  return f->binary || pl_mesh_next_line(f) || at_end(f);
}

bool pl_mesh_end(fields *f)
{
  if (f->binary) return true;
  skip_blanks(f);
  if (!*f->at) return true;
  const int length = (int)strcspn(f->at, " \t\r\n");
  return pl_mesh_wrong(f, "%s: \"%.*s\" follows", f->record, length < 30 ? length : 30, f->at);
}

bool pl_mesh_skip(fields *f, const char *record, int64_t n, int64_t bytes)
{
  f->record = record;
  for (int64_t i = 0; i < n && !f->binary; i++)
    if (!pl_mesh_next_line(f)) return at_end(f);
  if (!f->binary || n == 0) return true;
  f->bytes += n * bytes;
  return fseeko(f->file, n * bytes, SEEK_CUR) == 0 || at_end(f);
}

bool pl_mesh_wrong_word(fields *f, const char *problem)
{
  const int length = (int)strcspn(f->at, " \t\r\n");
  return pl_mesh_wrong(f, "\"%.*s\" %s", length < 30 ? length : 30, f->at, problem);
}

bool pl_mesh_word(fields *f, const char *text)
{
  char problem[60];
  f->record = text;
  if (!pl_mesh_next_line(f)) return at_end(f);
  snprintf(problem, sizeof problem, "is not %s", text);
  return pl_mesh_starts(f->at, text) || pl_mesh_wrong_word(f, problem);
}

/* ---- shares ---- */

void pl_mesh_start_nodes(fields *f, int64_t n, int64_t base)
{
  f->mesh->nodes = n;
  f->mesh->base = base;
  f->mesh->first = pl_mesh_share_first(n, pl_ranks(f->mesh->pl), pl_rank(f->mesh->pl));
}

static int64_t limited(int64_t value, int64_t low, int64_t high)
{
  return value < low ? low : value > high ? high : value;
}

void pl_mesh_part(const fields *f, int64_t n, int64_t before, int64_t count, int64_t *skip, int64_t *keep)
{
  const int ranks = pl_ranks(f->mesh->pl), rank = pl_rank(f->mesh->pl);
  const int64_t start = limited(pl_mesh_share_first(n, ranks, rank), before, before + count);
  const int64_t end = limited(pl_mesh_share_first(n, ranks, rank + 1), before, before + count);
  *skip = start - before;
  *keep = end - start;
}

/* ---- fields ---- */

static bool read_bytes(fields *f, void *value, size_t size)
{
  f->bytes += (int64_t)size;
  return fread(value, 1, size, f->file) == size || at_end(f);
}

static bool read_word(fields *f, const char *what, int64_t *value)
{
  char *end;
  errno = 0;
  skip_blanks(f);
  *value = strtoll(f->at, &end, 10);
  if (end == f->at || !strchr(" \t\r\n", *end) || errno) return unexpected(f, what);
  f->at = end;
  return true;
}

static bool in_range(fields *f, const char *what, int64_t low, int64_t high, int64_t value)
{
  if (value >= low && value <= high) return true;
  return pl_mesh_wrong(f, "%s: %s %lld is outside %lld..%lld", f->record, what, (long long)value,
                       (long long)low, (long long)high);
}

bool pl_mesh_int(fields *f, const char *what, int64_t low, int64_t high, int64_t *value)
{
  int32_t number;
  if (!f->binary) return pl_mesh_long(f, what, low, high, value);
  if (!read_bytes(f, &number, sizeof number)) return false;
  *value = number;
  return in_range(f, what, low, high, *value);
}

bool pl_mesh_long(fields *f, const char *what, int64_t low, int64_t high, int64_t *value)
{
  if (!(f->binary ? read_bytes(f, value, sizeof *value) : read_word(f, what, value))) return false;
  return in_range(f, what, low, high, *value);
}

bool pl_mesh_real(fields *f, double *value)
{
  if (f->binary) {
    if (!read_bytes(f, value, sizeof *value)) return false;
  } else {
    char *end;
    skip_blanks(f);
    *value = strtod(f->at, &end);
    if (end == f->at || !strchr(" \t\r\n", *end)) return unexpected(f, "a number");
    f->at = end;
  }
  return *value - *value == 0 || pl_mesh_wrong(f, "%s: a number is not finite", f->record);
}

bool pl_mesh_skip_ints(fields *f, int64_t n)
{
  int64_t value;
  for (int64_t i = 0; i < n; i++)
    if (!pl_mesh_int(f, "a number", INT64_MIN, INT64_MAX, &value)) return false;
  return true;
}

bool pl_mesh_skip_reals(fields *f, int64_t n)
{
  double value;
  for (int64_t i = 0; i < n; i++)
    if (!pl_mesh_real(f, &value)) return false;
  return true;
}
