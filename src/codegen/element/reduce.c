/* SPDX-License-Identifier: BSD-2-Clause
 * Running results on the host, and an element's values that enter them everywhere.
 */
#include "reduce.h"

pl_place pl_result_place(const pl_body *b, const pl_operand *op)
{
  return b->lanes ? pl_place_of(PL_LANES, "lanes_%s", op->name) : pl_place_of(PL_ARRAY, "%s", op->running);
}

static void print_reduce(const pl_body *b, const pl_operand *op)
{
  pl_each_value(b, op, pl_result_place(b, op), pl_stored_place(b, op, 0), pl_print_combine);
}

/* An extreme with payload: all are replaced together when the value is better, or equal at a lower global
 * index. */
static void reduce_with_payload(const pl_body *b, const pl_operand *op)
{
  pl_body inner = pl_deeper(b);
  const char *better = op->arg->access == PL_MIN ? "<" : ">", *mine = op->name, *best = op->running;
  const pl_text index = pl_global_index(b, op);
  pl_line(b, "if (%s[0] %s %s[0] || (%s[0] == %s[0] && %s < winner_%s)) {", mine, better, best, mine, best,
          index.s, op->stem);
  pl_line(&inner, "%s[0] = %s[0];", best, mine);
  pl_line(&inner, "winner_%s = %s;", op->stem, index.s);
  for (const pl_operand *payload = b->e->op; payload < b->e->end; payload++)
    if (!payload->arg->off && payload->of == op->i) print_reduce(&inner, payload);
  pl_line(b, "}");
}

void pl_body_reduce(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op) || op->of >= 0) continue;
    if (op->has_payload)
      reduce_with_payload(b, op);
    else
      print_reduce(b, op);
  }
}

static pl_place result_of(const pl_operand *op)
{
  return pl_place_of(PL_ARRAY, "result_%s", op->stem);
}

static pl_place running(const pl_operand *op)
{
  return pl_place_of(PL_ARRAY, "%s", op->running);
}

void pl_results_declare(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    pl_line(b, "%s %s[%d];", pl_operand_type(op), op->running, op->dim);
    pl_each_value(b, op, running(op), result_of(op), pl_print_assign);
    if (op->has_payload) pl_line(b, "int64_t winner_%s = *holder_%s;", op->stem, op->stem);
  }
}

void pl_results_reset(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    pl_line(b, "%s %s[%d];", pl_operand_type(op), op->running, op->dim);
    if (op->of < 0)
      pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) %s[pl_c] = %s;", op->dim, op->running,
              pl_operand_neutral(op));
    if (op->has_payload) pl_line(b, "int64_t winner_%s = -1;", op->stem);
  }
}

void pl_results_store(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    pl_each_value(b, op, result_of(op), running(op), pl_print_assign);
    if (op->has_payload) pl_line(b, "*holder_%s = winner_%s;", op->stem, op->stem);
  }
}
