/* SPDX-License-Identifier: BSD-2-Clause
 * Prints what watch.h promises.
 */
#include "watch.h"
#include "pair.h"
#include "wrap.h"

#define TEXT_OF(...) TEXT(__VA_ARGS__)
#define TEXT(...) #__VA_ARGS__

bool pl_op_watched(const pl_operand *op)
{
  const pl_access access = op->arg->access;
  bool reduces = pl_op_reduces(op) && !op->payload;
  if (pl_op_off(op) || op->dim == 0 || op->row || !(reduces || pl_op_scatters(op))) return false;
  return access == PL_INC || access == PL_INC_ANTI || access == PL_INC_SYM || access == PL_MIN ||
         access == PL_MAX;
}

bool pl_op_made(const pl_operand *op)
{
  const pl_access access = op->arg->access;
  return !pl_op_off(op) && op->dim > 0 && pl_op_scatters(op) && (access == PL_WRITE || access == PL_RW);
}

static bool any_watched(const pl_walk_state *w)
{
  bool any = false;
  for (int i = 0; i < w->loop->nargs; i++) {
    if (w->op[i].arg->kind == PL_ARG_POINTER) return false; /* calls may leave something there */
    any |= pl_op_watched(&w->op[i]);
  }
  return any;
}

/* A divisor is looked at where its type has no halves: pl_x is a whole number then. What is being watched is
 * one for all threads, of which one at a time runs such code (backends/host.c): variables of threads go badly
 * with code that is loaded and let go. */
static const char divisor_words[] =
  "static pl_watch *pl_watching;\n"
  "#define PL_FAULT(what, at, end) pl_watching->fault(pl_watching, what, at, end, __FILE__, __LINE__)\n"
  "#define PL_DIVISOR(x) (__extension__({ __typeof__((x) + 0) pl_x = (x); \\\n"
  "  if (pl_x == 0 && (__typeof__(pl_x))0.5 == 0) PL_FAULT(0, 0, 0), pl_x = 1; \\\n"
  "  pl_x; }))\n";

void pl_watch_prelude(const pl_walk_state *w)
{
  pl_text_add(&w->program->text, "%s\n%s", TEXT_OF(PL_WATCH_TYPE), divisor_words);
}

void pl_watch_open(const pl_body *b)
{
  pl_line(b, "pl_watching = pl_watch;");
}

void pl_watch_at(const pl_body *b)
{
  pl_line(b, "pl_watch->element = pl_e%s;", b->w->loop->set->pairs ? ", pl_watch->side = pl_o" : "");
}

/* What the first call left, under a name that holds while the private copies are hidden by others. */
static void keep_first(const pl_body *b)
{
  for (int i = 0; i < b->w->loop->nargs; i++)
    if (pl_op_watched(&b->w->op[i]) || pl_op_made(&b->w->op[i]))
      pl_line(b, "const void *const y%d = %s;", i, b->w->op[i].x);
}

static void each_of(const pl_body *b, bool (*wanted)(const pl_operand *op), const char *format)
{
  for (int i = 0; i < b->w->loop->nargs; i++)
    if (wanted(&b->w->op[i])) pl_line(b, format, i, i, b->w->op[i].x);
}

static void fill(const pl_body *b)
{
  if (b->w->loop->set->pairs)
    pl_pair_private(b);
  else
    pl_body_gather(b);
}

static void call_again(const pl_body *b)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_line(b, "for (int pl_turn = 0; pl_turn < %d; pl_turn++) {", PL_WATCH_TURNS);
  keep_first(&in);
  pl_line(&in, "{");
  fill(&inner);
  each_of(&inner, pl_op_watched, "pl_watch->start(pl_watch, %d, pl_turn, y%d, %s);");
  pl_body_call(&inner);
  each_of(&inner, pl_op_watched, "pl_watch->again(pl_watch, %d, pl_turn, y%d, %s);");
  each_of(&inner, pl_op_made, "pl_watch->again(pl_watch, %d, pl_turn, y%d, %s);");
  pl_line(&in, "}");
  pl_line(b, "}");
}

static void tell_sums(const pl_body *b, const pl_operand *op)
{
  char name[PL_PLACE], entry[16] = "";
  if (op->arg->access == PL_MIN || op->arg->access == PL_MAX) return;
  for (int k = 0; k < op->targets; k++) {
    if (op->all) snprintf(entry, sizeof entry, "[%d]", k);
    pl_line(b, "pl_watch->adds(pl_watch, %d, %s, %s%s);", op->i,
            pl_op_reduces(op) ? "0" : pl_body_target(b, op, k, name), op->x, entry);
  }
}

void pl_watch_element(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  if (!any_watched(w)) return;
  call_again(b);
  for (int i = 0; i < w->loop->nargs; i++)
    if (pl_op_watched(&w->op[i])) tell_sums(b, &w->op[i]);
}

/* ---- pairs ---- */

/* The sides change places: what is named after them hides what was. */
static void turn_round(const pl_body *b)
{
  const pl_pairs *pairs = b->w->loop->set->pairs->pairs;
  pl_body in = pl_deeper(b);
  pl_line(b, "const int pl_s0 = pl_e, pl_s1 = pl_o;");
  for (int a = 0; a < pairs->dim; a++) pl_line(b, "const %s pl_t%d = -pl_d%d;", pl_pair_type(b->w), a, a);
  keep_first(b);
  pl_line(b, "{");
  pl_line(&in, "const int pl_e = pl_s1, pl_o = pl_s0;");
  for (int a = 0; a < pairs->dim; a++) pl_line(&in, "const %s pl_d%d = pl_t%d;", pl_pair_type(b->w), a, a);
  pl_pair_private(&in);
  pl_body_call(&in);
  each_of(&in, pl_op_watched, "pl_watch->other(pl_watch, %d, y%d, %s);");
  pl_line(b, "}");
}

static void tell_shares(const pl_body *b, const pl_operand *op)
{
  bool once = pl_pair_once(b->w->loop);
  if (pl_op_reduces(op) || pl_pair_gathers(op))
    pl_line(b, "pl_watch->adds(pl_watch, %d, %s, %s);", op->i, pl_op_reduces(op) ? "0" : "pl_e", op->x);
  if (once && pl_op_scatters(op) && op->arg->index != 0)
    pl_line(b, "pl_watch->adds(pl_watch, %d, pl_o, %s);", op->i, op->x);
}

void pl_watch_pair(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  pl_body in = pl_deeper(b);
  if (!any_watched(w)) return;
  call_again(b);
  if (w->loop->set->pairs->pair_map) {
    pl_line(b, "if (pl_o < pl_watch->owned) {");
    turn_round(&in);
    pl_line(b, "}");
  }
  for (int i = 0; i < w->loop->nargs; i++)
    if (pl_op_watched(&w->op[i]) && w->op[i].arg->access != PL_MIN && w->op[i].arg->access != PL_MAX)
      tell_shares(b, &w->op[i]);
}
