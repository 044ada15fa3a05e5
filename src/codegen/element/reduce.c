/* SPDX-License-Identifier: BSD-2-Clause
 * Running results on the host, and an element's values that enter them everywhere.
 */
#include "reduce.h"

const char *pl_result_place(const pl_body *b, const pl_operand *op, const char *c, char *buffer)
{
  if (b->lanes)
    snprintf(buffer, PL_PLACE, "lanes_%s[%s][pl_l]", op->name, c);
  else
    snprintf(buffer, PL_PLACE, "%s[%s]", op->running, c);
  return buffer;
}

static void print_reduce(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char place[PL_PLACE];
  pl_combine_private(b, op, k, c, pl_result_place(b, op, c, place));
}

/* An extreme with payload: all are replaced together when the value is better, or equal at a lower global
 * index. */
static void reduce_with_payload(const pl_body *b, const pl_operand *op)
{
  char index[PL_PLACE];
  pl_body inner = pl_deeper(b);
  const char *better = op->arg->access == PL_MIN ? "<" : ">", *mine = op->name, *best = op->running;
  pl_global_index(b, op, index);
  pl_line(b, "if (%s[0] %s %s[0] || (%s[0] == %s[0] && %s < winner_%s)) {", mine, better, best, mine, best,
          index, op->stem);
  pl_line(&inner, "%s[0] = %s[0];", best, mine);
  pl_line(&inner, "winner_%s = %s;", op->stem, index);
  for (const pl_operand *payload = b->e->op; payload < b->e->end; payload++) {
    if (payload->arg->off || payload->of != op->i) continue;
    pl_each_value(&inner, payload, 0, print_reduce);
  }
  pl_line(b, "}");
}

void pl_body_reduce(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op) || op->payload) continue;
    if (op->has_payload)
      reduce_with_payload(b, op);
    else
      pl_each_value(b, op, 0, print_reduce);
  }
}

static void load_result(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  (void)k;
  pl_line(b, "%s[%s] = result_%s[%s];", op->running, c, op->stem, c);
}

static void store_result(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  (void)k;
  pl_line(b, "result_%s[%s] = %s[%s];", op->stem, c, op->running, c);
}

void pl_results_declare(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    pl_line(b, "%s %s[%d];", pl_operand_type(op), op->running, op->dim);
    pl_each_value(b, op, 0, load_result);
    if (op->has_payload) pl_line(b, "int64_t winner_%s = *holder_%s;", op->stem, op->stem);
  }
}

void pl_results_reset(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    pl_line(b, "%s %s[%d];", pl_operand_type(op), op->running, op->dim);
    if (!op->payload)
      pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) %s[pl_c] = %s;", op->dim, op->running,
              pl_operand_neutral(op));
    if (op->has_payload) pl_line(b, "int64_t winner_%s = -1;", op->stem);
  }
}

void pl_results_store(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    pl_each_value(b, op, 0, store_result);
    if (op->has_payload) pl_line(b, "*holder_%s = winner_%s;", op->stem, op->stem);
  }
}
