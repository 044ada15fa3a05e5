/* SPDX-License-Identifier: BSD-2-Clause
 * Text: a growing string with printf-checked additions.
 */
#include "text.h"
#include "memory.h"
#include <stdarg.h>
#include <string.h>

void pl_text_init(pl_text *text, pl_context *pl)
{
  *text = (pl_text){.pl = pl};
}

void pl_text_free(pl_text *text)
{
  pl_free(text->pl, text->data);
  pl_text_init(text, text->pl);
}

/* Room for `more` bytes and the final NUL. */
static bool reserve(pl_text *text, size_t more)
{
  if (text->failed) return false;
  if (text->length + more + 1 <= text->capacity) return true;
  size_t capacity = 2 * text->capacity + more + 256;
  char *data = pl_resize(text->pl, text->data, capacity);
  if (!data) {
    pl_free(text->pl, text->data);
    *text = (pl_text){.pl = text->pl, .capacity = capacity, .failed = true};
    return false;
  }
  text->data = data;
  text->capacity = capacity;
  return true;
}

void pl_text_bytes(pl_text *text, const char *bytes, size_t length)
{
  if (!reserve(text, length)) return;
  memcpy(text->data + text->length, bytes, length);
  for (size_t i = 0; i < length; i++) text->lines += bytes[i] == '\n';
  text->length += length;
  text->data[text->length] = '\0';
}

void pl_text_add(pl_text *text, const char *format, ...)
{
  char small[512];
  va_list list;
  va_start(list, format);
  int length = vsnprintf(small, sizeof small, format, list);
  va_end(list);
  if (length < 0) {
    text->failed = true;
  } else if ((size_t)length < sizeof small) {
    pl_text_bytes(text, small, (size_t)length);
  } else if (reserve(text, (size_t)length)) {
    char *start = text->data + text->length;
    va_start(list, format);
    vsnprintf(start, (size_t)length + 1, format, list);
    va_end(list);
    for (const char *p = start; (p = strchr(p, '\n')); p++) text->lines++;
    text->length += (size_t)length;
  }
}

const char *pl_text_string(const pl_text *text)
{
  return text->data ? text->data : "";
}

pl_err pl_text_check(const pl_text *text)
{
  return text->failed ? pl_fail_memory(text->pl, text->capacity) : PL_SUCCESS;
}
