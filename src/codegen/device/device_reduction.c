/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions on devices. pl_from_zero holds one bit for each argument.
 */
#include "device_reduction.h"
#include "codegen/element/element_body.h"
#include "codegen/element/kernel_parameters.h"
#include "core/loop/reduction.h"

enum { FINISH_MOST = 512, FINISH_BYTES = 32 * 1024 };

bool pl_any_reduction(const pl_emitter *e)
{
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (pl_operand_reduces(op)) return true;
  return false;
}

bool pl_may_start_from_zero(const pl_arg *arg, int i)
{
  return pl_arg_reduces(arg) && arg->access == PL_INC && i < 31;
}

/* ---- a block ---- */

/* With the number of the block that a result is from, at the end of reductions. */
static void declare_shared(const pl_body *b, const char *size, bool blocks)
{
  const char *local = b->e->dialect->local;
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op) || op->payload) continue;
    pl_line(b, "%s%s block_%s[%s];", local, pl_operand_type(op), op->stem, size);
    if (op->has_payload) pl_line(b, "%sint64_t winners_%s[%s];", local, op->stem, size);
    if (op->has_payload && blocks) pl_line(b, "%sint source_%s[%s];", local, op->stem, size);
  }
}

void pl_declare_shared(const pl_body *b)
{
  declare_shared(b, "PL_BLOCK_SIZE", false);
}

/* Opens the statements that run where value `from` of an extreme is better than `into`, or equal at a lower
 * element. */
static void open_better(const pl_body *b, const pl_operand *op, const char *into, const char *into_id,
                        const char *from, const char *from_id)
{
  const char *better = op->arg->access == PL_MIN ? "<" : ">";
  pl_line(b, "if (%s >= 0 && (%s < 0 || %s %s %s || (%s == %s && %s < %s))) {", from_id, into_id, from,
          better, into, from, into, from_id, into_id);
}

/* A tree over the values that the block's work items share, for any block size; block_NAME[0] ends with the
 * result. */
static void print_tree(const pl_body *b, const pl_operand *op, const char *size, bool blocks)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  const char *stem = op->stem;
  char into[PL_PLACE], from[PL_PLACE], into_id[PL_PLACE], from_id[PL_PLACE];
  snprintf(into, sizeof into, "block_%s[pl_t]", stem);
  snprintf(from, sizeof from, "block_%s[pl_t + pl_half]", stem);
  snprintf(into_id, sizeof into_id, "winners_%s[pl_t]", stem);
  snprintf(from_id, sizeof from_id, "winners_%s[pl_t + pl_half]", stem);
  pl_line(b, "%s", b->e->dialect->barrier);
  pl_line(b, "for (int pl_size = %s; pl_size > 1; pl_size = (pl_size + 1) / 2) {", size);
  pl_line(&in, "const int pl_half = (pl_size + 1) / 2;");
  if (op->has_payload) {
    pl_line(&in, "if (pl_t + pl_half < pl_size)");
    open_better(&in, op, into, into_id, from, from_id);
    pl_line(&inner, "%s = %s;", into, from);
    pl_line(&inner, "%s = %s;", into_id, from_id);
    if (blocks) pl_line(&inner, "source_%s[pl_t] = source_%s[pl_t + pl_half];", stem, stem);
  } else {
    pl_line(&in, "if (pl_t + pl_half < pl_size) {");
    pl_print_combine(&inner, op, into, from);
  }
  pl_line(&in, "}");
  pl_line(&in, "%s", b->e->dialect->barrier);
  pl_line(b, "}");
}

/* Calls print for the payloads of extreme op. */
static void each_payload(const pl_body *b, const pl_operand *op,
                         void (*print)(const pl_body *b, const pl_operand *op, const pl_operand *payload))
{
  for (int i = 0; i < b->e->loop->nargs; i++)
    if (!b->e->op[i].arg->off && b->e->op[i].of == op->i) print(b, op, &b->e->op[i]);
}

static void store_payload(const pl_body *b, const pl_operand *op, const pl_operand *payload)
{
  (void)op;
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) result_%s[%d * pl_b + pl_c] = %s[pl_c];", payload->dim,
          payload->stem, payload->dim, payload->running);
}

static void print_block_payload(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b);
  const char *stem = op->stem;
  pl_line(b, "block_%s[pl_t] = %s[0];", stem, op->running);
  pl_line(b, "winners_%s[pl_t] = winner_%s;", stem, stem);
  print_tree(b, op, "PL_BLOCK_SIZE", false);
  pl_line(b, "if (winners_%s[0] < 0 ? pl_t == 0 : winner_%s == winners_%s[0]) {", stem, stem, stem);
  pl_line(&in, "result_%s[pl_b] = %s[0];", stem, op->running);
  pl_line(&in, "holder_%s[pl_b] = winner_%s;", stem, stem);
  each_payload(&in, op, store_payload);
  pl_line(b, "}");
}

static void print_block_result(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b);
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
  pl_line(&in, "block_%s[pl_t] = %s[pl_c];", op->stem, op->running);
  print_tree(&in, op, "PL_BLOCK_SIZE", false);
  pl_line(&in, "if (pl_t == 0) result_%s[%d * pl_b + pl_c] = block_%s[0];", op->stem, op->dim, op->stem);
  pl_line(&in, "%s", b->e->dialect->barrier);
  pl_line(b, "}");
}

void pl_print_block_results(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (pl_operand_reduces(op) && !op->payload)
      (op->has_payload ? print_block_payload : print_block_result)(b, op);
}

/* ---- the end ---- */

/* The results of all blocks, by `size` work items. Those that other blocks stored in this launch are read
 * past the caches. */
static void print_finish_sum(const pl_body *b, const pl_operand *op, const char *size)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  char from[PL_PLACE], global[PL_PLACE];
  snprintf(from, sizeof from, "%s_%s[%d * pl_i + pl_c]", b->e->options->ends_reductions ? "seen" : "result",
           op->stem, op->dim);
  snprintf(global, sizeof global, "global_%s[pl_c]", op->stem);
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
  pl_line(&in, "%s pl_v = %s;", pl_operand_type(op), pl_operand_neutral(op));
  pl_line(&in, "for (int pl_i = pl_t; pl_i < pl_nblocks; pl_i += %s) {", size);
  pl_print_combine(&inner, op, "pl_v", from);
  pl_line(&in, "}");
  pl_line(&in, "block_%s[pl_t] = pl_v;", op->stem);
  print_tree(&in, op, size, true);
  snprintf(from, sizeof from, "block_%s[0]", op->stem);
  if (pl_may_start_from_zero(op->arg, op->i))
    pl_line(&in, "if (pl_t == 0 && (pl_from_zero >> %d & 1)) %s = 0;", op->i, global);
  pl_line(&in, "if (pl_t == 0) {");
  pl_print_combine(&inner, op, global, from);
  pl_line(&in, "}");
  pl_line(&in, "%s", b->e->dialect->barrier);
  pl_line(b, "}");
}

/* pl_counter counts the blocks that are done; the last one has the results of all. */
void pl_print_end(const pl_body *b)
{
  const pl_emitter *e = b->e;
  const pl_dialect *d = e->dialect;
  pl_body in = pl_deeper(b);
  if (!e->options->ends_reductions) return;
  pl_line(b, "%sint pl_last[1];", d->local);
  pl_line(b, "if (pl_t == 0 && pl_counter) {");
  pl_line(&in, "%sint *const p = pl_counter;", d->global);
  pl_line(&in, "%s", d->fence);
  pl_line(&in, "const int pl_is_last = %s == %s - 1;", d->draw, d->blocks);
  pl_line(&in, "if (pl_is_last) *p = 0;");
  pl_line(&in, "pl_last[0] = pl_is_last;");
  pl_line(&in, "%s", d->fence);
  pl_line(b, "}");
  pl_line(b, "%s", d->barrier);
  pl_line(b, "if (pl_counter && pl_last[0]) {");
  pl_line(&in, "const int pl_nblocks = %s;", d->blocks);
  for (const pl_operand *op = e->op; op < e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    pl_line(&in, "const volatile %s%s *const seen_%s = result_%s;", d->global, pl_operand_type(op), op->stem,
            op->stem);
    print_finish_sum(&in, op, "PL_BLOCK_SIZE");
  }
  pl_line(b, "}");
}

static void finish_payload(const pl_body *b, const pl_operand *op, const pl_operand *payload)
{
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) global_%s[pl_c] = result_%s[%d * source_%s[0] + pl_c];",
          payload->dim, payload->stem, payload->stem, payload->dim, op->stem);
}

/* An extreme with payload. keeper_NAME: the element that the global's value is from; -1 if it was there
 * before. */
static void print_finish_extreme(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  char from[PL_PLACE], from_id[PL_PLACE];
  const char *better = op->arg->access == PL_MIN ? "<" : ">", *s = op->stem;
  snprintf(from, sizeof from, "result_%s[pl_i]", s);
  snprintf(from_id, sizeof from_id, "holder_%s[pl_i]", s);
  pl_line(b, "{");
  pl_line(&in, "%s pl_v = %s;", pl_operand_type(op), pl_operand_neutral(op));
  pl_line(&in, "int64_t pl_winner = -1;");
  pl_line(&in, "int pl_source = 0;");
  pl_line(&in, "for (int pl_i = pl_t; pl_i < pl_nblocks; pl_i += PL_FINISH_SIZE)");
  open_better(&in, op, "pl_v", "pl_winner", from, from_id);
  pl_line(&inner, "pl_v = %s;", from);
  pl_line(&inner, "pl_winner = %s;", from_id);
  pl_line(&inner, "pl_source = pl_i;");
  pl_line(&in, "}");
  pl_line(&in, "block_%s[pl_t] = pl_v;", s);
  pl_line(&in, "winners_%s[pl_t] = pl_winner;", s);
  pl_line(&in, "source_%s[pl_t] = pl_source;", s);
  print_tree(&in, op, "PL_FINISH_SIZE", true);
  pl_line(&in, "if (pl_t == 0 && pl_from_zero < 0) keeper_%s[0] = -1;", s);
  pl_line(&in, "if (pl_t == 0 && winners_%s[0] >= 0 && (block_%s[0] %s global_%s[0] ||", s, s, better, s);
  pl_line(&in, "    (block_%s[0] == global_%s[0] && winners_%s[0] < keeper_%s[0]))) {", s, s, s, s);
  pl_line(&inner, "global_%s[0] = block_%s[0];", s, s);
  pl_line(&inner, "keeper_%s[0] = winners_%s[0];", s, s);
  each_payload(&inner, op, finish_payload);
  pl_line(&in, "}");
  pl_line(b, "}");
}

/* Work items of the block that ends the reductions: as many as the device and its local memory allow. */
static int finish_size(const pl_emitter *e)
{
  size_t each = 0;
  int most = e->options->max_block, size = most && most < FINISH_MOST ? most : FINISH_MOST;
  for (const pl_operand *op = e->op; op < e->end; op++) {
    if (!pl_operand_reduces(op) || op->payload) continue;
    each += pl_type_size(op->type) + (op->has_payload ? sizeof(int64_t) + sizeof(int) : 0);
  }
  while (size > 32 && (size_t)size * each > FINISH_BYTES) size /= 2;
  return size;
}

/* One block adds the results of all blocks in a fixed order, and combines them with the globals. */
void pl_print_finish(const pl_body *b)
{
  const pl_emitter *e = b->e;
  pl_body in = pl_deeper(b);
  e->program->finish_size = finish_size(e);
  pl_string_add(b->text, "#define PL_FINISH_SIZE %d\n", e->program->finish_size);
  pl_open_kernel(b, "The results of all blocks enter the globals", "pl_finish", &e->program->finish, false);
  declare_shared(&in, "PL_FINISH_SIZE", true);
  pl_line(&in, "const int pl_t = %s;", e->dialect->local_id);
  for (const pl_operand *op = e->op; op < e->end; op++) {
    if (!pl_operand_reduces(op) || op->payload) continue;
    if (op->has_payload)
      print_finish_extreme(&in, op);
    else
      print_finish_sum(&in, op, "PL_FINISH_SIZE");
  }
  pl_line(b, "}");
}
