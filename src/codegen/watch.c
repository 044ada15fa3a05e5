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

static bool any_watched(const pl_walk_state *w)
{
  bool any = false;
  for (int i = 0; i < w->loop->nargs; i++) {
    if (w->op[i].arg->kind == PL_ARG_POINTER) return false; /* calls may leave something there */
    any |= pl_op_watched(&w->op[i]);
  }
  return any;
}

void pl_watch_prelude(const pl_walk_state *w)
{
  pl_text_add(&w->program->text, "%s\n", TEXT_OF(PL_WATCH_TYPE));
}

/* What the first call left, under a name that holds while the private copies are hidden by others. */
static void keep_first(const pl_body *b)
{
  for (int i = 0; i < b->w->loop->nargs; i++)
    if (pl_op_watched(&b->w->op[i])) pl_line(b, "const void *const y%d = %s;", i, b->w->op[i].x);
}

static void each_watched(const pl_body *b, const char *format)
{
  for (int i = 0; i < b->w->loop->nargs; i++)
    if (pl_op_watched(&b->w->op[i])) pl_line(b, format, i, i, b->w->op[i].x);
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
  each_watched(&inner, "pl_watch->start(pl_watch, %d, pl_turn, y%d, %s);");
  pl_body_call(&inner);
  each_watched(&inner, "pl_watch->again(pl_watch, %d, pl_turn, y%d, %s);");
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
  pl_line(b, "pl_watch->element = pl_e;");
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
  each_watched(&in, "pl_watch->other(pl_watch, %d, y%d, %s);");
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
  pl_line(b, "pl_watch->element = pl_e, pl_watch->side = pl_o;");
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
