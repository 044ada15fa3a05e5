/* SPDX-License-Identifier: BSD-2-Clause
 * Formatted text that does not depend on the program's locale: numbers have a decimal point.
 */
#ifndef PLAIT_CORE_BASE_PLAIN_FORMAT_H
#define PLAIT_CORE_BASE_PLAIN_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* As snprintf and vsnprintf. */
int pl_format(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int pl_format_list(char *buffer, size_t size, const char *format, va_list list)
  __attribute__((format(printf, 3, 0)));

#endif
