/* SPDX-License-Identifier: BSD-2-Clause
 * Formatted text with a decimal point in every locale: the calling thread uses the C locale meanwhile.
 */
#define _GNU_SOURCE /* uselocale */
#include "plain_format.h"
#include <locale.h>
#include <stdio.h>

int pl_format_list(char *buffer, size_t size, const char *format, va_list list)
{
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!plain) return vsnprintf(buffer, size, format, list);
  locale_t before = uselocale(plain);
  int length = vsnprintf(buffer, size, format, list);
  uselocale(before);
  freelocale(plain);
  return length;
}

int pl_format(char *buffer, size_t size, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  int length = pl_format_list(buffer, size, format, list);
  va_end(list);
  return length;
}
