/* SPDX-License-Identifier: BSD-2-Clause
 * Formatted text that does not depend on the program's locale: numbers have a decimal point.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* As snprintf and vsnprintf. */
int pl_format(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int pl_format_list(char *buffer, size_t size, const char *format, va_list list)
  __attribute__((format(printf, 3, 0)));
