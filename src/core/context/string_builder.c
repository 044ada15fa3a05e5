/* SPDX-License-Identifier: BSD-2-Clause
 * A growing string.
 */
#include "string_builder.h"
#include "core/base/plain_format.h"
#include "memory.h"
#include <string.h>

void pl_string_init(pl_string *text, pl_context *pl)
{
  *text = (pl_string){.pl = pl};
}

void pl_string_free(pl_string *text)
{
  pl_free(text->pl, text->data);
  pl_string_init(text, text->pl);
}

/* Capacity for `more` bytes and the final NUL. */
static bool reserve(pl_string *text, size_t more)
{
  if (text->failed) return false;
  if (text->length + more + 1 <= text->capacity) return true;
  size_t capacity = 2 * text->capacity + more + 256;
  char *data = pl_resize(text->pl, text->data, capacity);
  if (!data) {
    pl_free(text->pl, text->data);
    *text = (pl_string){.pl = text->pl, .capacity = capacity, .failed = PL_ERR_MEMORY};
    return false;
  }
  text->data = data;
  text->capacity = capacity;
  return true;
}

void pl_string_add_bytes(pl_string *text, const char *bytes, size_t length)
{
  if (!reserve(text, length)) return;
  memcpy(text->data + text->length, bytes, length);
  for (size_t i = 0; i < length; i++) text->lines += bytes[i] == '\n';
  text->length += length;
  text->data[text->length] = '\0';
}

void pl_string_add_list(pl_string *text, const char *format, va_list list)
{
  char small[512];
  va_list again;
  va_copy(again, list);
  int length = pl_format_list(small, sizeof small, format, list);
  if (length < 0) {
    text->failed = PL_ERR_MEMORY;
  } else if ((size_t)length < sizeof small) {
    pl_string_add_bytes(text, small, (size_t)length);
  } else if (reserve(text, (size_t)length)) {
    char *start = text->data + text->length;
    pl_format_list(start, (size_t)length + 1, format, again);
    for (const char *p = start; (p = strchr(p, '\n')); p++) text->lines++;
    text->length += (size_t)length;
  }
  va_end(again);
}

void pl_string_add(pl_string *text, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  pl_string_add_list(text, format, list);
  va_end(list);
}

bool pl_string_add_file(pl_string *text, const char *path)
{
  char bytes[16384];
  FILE *file = fopen(path, "re");
  for (size_t n; file && (n = fread(bytes, 1, sizeof bytes, file)) > 0;) pl_string_add_bytes(text, bytes, n);
  const bool good = file && !ferror(file);
  if (file) fclose(file);
  return good;
}

void pl_string_add_line_mark(pl_string *text, int line, const char *file)
{
  pl_string_add(text, "#line %d \"", line);
  for (const char *c = file; *c; c++)
    if (*c != '\n') pl_string_add(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  pl_string_add(text, "\"\n");
}

const char *pl_string_chars(const pl_string *text)
{
  return text->data ? text->data : "";
}

pl_err pl_string_check(const pl_string *text)
{
  return text->failed == PL_ERR_MEMORY ? pl_fail_memory(text->pl, text->capacity) : text->failed;
}
