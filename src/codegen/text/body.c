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

pl_body pl_body_of(const pl_body *b, const pl_operand *op)
{
  pl_body body = *b;
  body.of = b->op;
  body.op = op;
  return body;
}

int pl_index(const pl_body *b, char letter)
{
  return b->index[letter - 'a'];
}

void pl_indent(const pl_body *b)
{
  static const char spaces[] = "                                        ";
  const int most = sizeof spaces - 1;
  for (int left = 2 * b->depth; left > 0; left -= most)
    pl_string_add_bytes(b->text, spaces, (size_t)(left < most ? left : most));
}

void pl_line(const pl_body *b, const char *format, ...)
{
  va_list list;
  pl_indent(b);
  va_start(list, format);
  pl_string_add_list(b->text, format, list);
  va_end(list);
  pl_string_add_bytes(b->text, "\n", 1);
}

void pl_print_assign(const pl_body *b, const pl_operand *op, const char *into, const char *from)
{
  (void)op;
  pl_line(b, "%s = %s;", into, from);
}

void pl_print_add(const pl_body *b, const pl_operand *op, const char *into, const char *from)
{
  (void)op;
  pl_line(b, "%s += %s;", into, from);
}

bool pl_values_in_loop(const pl_body *b, const pl_operand *op)
{
  return op->dim > (b->buffered ? MOST_LANE_DIM : PL_UNROLL);
}

void pl_each_value(const pl_body *b, const pl_operand *op, pl_place into, pl_place from,
                   pl_value_printer print)
{
  if (pl_values_in_loop(b, op)) {
    pl_body inner = pl_deeper(b);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
    print(&inner, op, pl_value_at(into, "pl_c").s, pl_value_at(from, "pl_c").s);
    pl_line(b, "}");
    return;
  }
  for (int i = 0; i < op->dim; i++) print(b, op, pl_value_number(into, i).s, pl_value_number(from, i).s);
}
