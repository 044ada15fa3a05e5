/* SPDX-License-Identifier: BSD-2-Clause
 * Lines of text, and values one by one.
 */
#include "body.h"
#include <stdarg.h>

enum { MOST_LANE_DIM = 64 };

pl_body pl_deeper(const pl_body *b)
{
  pl_body inner = *b;
  inner.depth++;
  return inner;
}

void pl_line(const pl_body *b, const char *format, ...)
{
  char line[1024];
  va_list list;
  va_start(list, format);
  int length = vsnprintf(line, sizeof line, format, list);
  va_end(list);
  if (length < 0 || (size_t)length >= sizeof line) b->text->failed = true;
  pl_string_add(b->text, "%*s%s\n", 2 * b->depth, "", line);
}

void pl_each_value(const pl_body *b, const pl_operand *op, int k, pl_value_printer print)
{
  char c[16];
  if (op->dim > (b->buffered ? MOST_LANE_DIM : PL_UNROLL)) {
    pl_body inner = pl_deeper(b);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
    print(&inner, op, k, "pl_c");
    pl_line(b, "}");
    return;
  }
  for (int i = 0; i < op->dim; i++) {
    snprintf(c, sizeof c, "%d", i);
    print(b, op, k, c);
  }
}
