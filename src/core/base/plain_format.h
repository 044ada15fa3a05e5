/* SPDX-License-Identifier: BSD-2-Clause
 * Numbers as text that does not depend on the program's locale: they have a decimal point.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* As snprintf and vsnprintf. */
int pl_format(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int pl_format_list(char *buffer, size_t size, const char *format, va_list list)
  __attribute__((format(printf, 3, 0)));

/* Many numbers: between the two, the calling thread uses the C locale. */
typedef struct pl_plain {
  void *own, *before; /* locale_t */
} pl_plain;
pl_plain pl_plain_begin(void);
void pl_plain_end(pl_plain plain);
