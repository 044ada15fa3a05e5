/* SPDX-License-Identifier: BSD-2-Clause
 * Numbers as text with a decimal point in every locale: the calling thread uses the C locale meanwhile.
 */
#define _GNU_SOURCE /* uselocale */
#include "plain_format.h"
#include <locale.h>
#include <stdio.h>

pl_plain pl_plain_begin(void)
{
  pl_plain plain = {.own = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  if (plain.own) plain.before = uselocale(plain.own);
  return plain;
}

void pl_plain_end(pl_plain plain)
{
  if (!plain.own) return;
  uselocale(plain.before);
  freelocale(plain.own);
}

int pl_format_list(char *buffer, size_t size, const char *format, va_list list)
{
  pl_plain plain = pl_plain_begin();
  int length = vsnprintf(buffer, size, format, list);
  pl_plain_end(plain);
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
