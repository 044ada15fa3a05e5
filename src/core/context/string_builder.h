/* SPDX-License-Identifier: BSD-2-Clause
 * A growing string. After a failed allocation it stays empty and `failed` is set; callers check once, at the
 * end, with pl_string_check. Who cannot print the text sets `failed` too, after pl_fail.
 */
#pragma once

#include "error.h"
#include <stdarg.h>
#include <stdbool.h>

typedef struct pl_string {
  pl_context *pl;
  char *data; /* NUL-terminated; NULL while empty */
  size_t length, capacity;
  int lines; /* newlines so far */
  pl_err failed;
} pl_string;

void pl_string_init(pl_string *text, pl_context *pl);
void pl_string_free(pl_string *text);
void pl_string_add(pl_string *text, const char *format, ...) PL_PRINTF(2, 3);
void pl_string_add_list(pl_string *text, const char *format, va_list list);
void pl_string_add_bytes(pl_string *text, const char *bytes, size_t length); /* not formatted */
bool pl_string_add_file(pl_string *text,
                        const char *path); /* all bytes of a file; false: it cannot be read */
/* #line, before text of a file. */
void pl_string_add_line_mark(pl_string *text, int line, const char *file);
const char *pl_string_chars(const pl_string *text); /* never NULL */
pl_err pl_string_check(const pl_string *text);      /* `failed` */
