/* SPDX-License-Identifier: BSD-2-Clause
 * Device wrappers: one element a work item, the reductions of a block in local memory, and the kernel that
 * ends them; what belongs to one way of resolving conflicts is in turned.c and staged.c. Names in the text:
 * pl_t the work item in its block, pl_b the block, pl_p the position in the range; l3, lw3, la3 what a block
 * shares of reduction 3: values, elements, blocks; r3, w3 what each block found; G3 the global itself.
 */
#include "wrap.h"
#include "blocks.h"
#include "core/memory.h"
#include "pair.h"

enum { FINISH_MOST = 512, FINISH_BYTES = 32 * 1024 };

/* ---- atomics ---- */

static bool printed_atomic(const pl_walk_state *w, int i)
{
  for (int j = 0; j < i; j++)
    if (pl_op_atomic(&w->op[j]) && w->op[j].type == w->op[i].type &&
        pl_atomic_name(&w->op[j]) == pl_atomic_name(&w->op[i]))
      return true;
  return false;
}

/* The device's own instruction for an access, or NULL. */
static const char *native_atomic(const pl_dialect *d, const pl_operand *op)
{
  if (op->arg->access == PL_MIN || op->arg->access == PL_MAX) return NULL;
  if (op->type == PL_FLOAT) return d->add_float;
  if (op->type == PL_DOUBLE) return d->add_double;
  return pl_type_size(op->type) == 8 ? d->add_int64 : d->add_int32;
}

/* v combined into *p, whatever others do meanwhile. */
static void print_atomic(const pl_walk_state *w, const pl_operand *op)
{
  pl_text *t = &w->program->text;
  const pl_dialect *d = w->dialect;
  const char *T = pl_op_type(op), *native = native_atomic(d, op);
  bool wide = pl_type_size(op->type) == 8;
  const char *bits = wide ? "uint64_t" : "uint32_t";
  const char *next = op->arg->access == PL_MIN   ? "v < now.v ? v : now.v"
                     : op->arg->access == PL_MAX ? "v > now.v ? v : now.v"
                                                 : "now.v + v";
  pl_text_add(t, "%s void pl_%s_%s(%s%s *p, %s v)\n{\n", d->function_qualifier, pl_atomic_name(op), T,
              d->global, T, T);
  if (native) {
    pl_text_add(t, "  %s\n}\n", native);
    return;
  }
  pl_text_add(t, "  union { %s v; %s b; } now, next;\n  %s seen = *(volatile %s%s *)p;\n", T, bits, bits,
              d->global, bits);
  pl_text_add(
    t,
    "  do {\n    now.b = seen;\n    next.v = %s;\n    const %s a = now.b, b = next.b;\n    seen = %s;\n"
    "  } while (seen != now.b);\n}\n",
    next, bits, wide ? d->cas_64 : d->cas_32);
}

static void print_atomics(const pl_walk_state *w)
{
  bool atomic = w->style->conflict == PL_ATOMIC || (w->style->conflict == PL_COMBINE && !w->style->coloured);
  bool wanted = w->loop->set->pairs ? pl_pair_scatters(w->loop) : atomic;
  for (int i = 0; wanted && i < w->loop->nargs; i++)
    if (pl_op_atomic(&w->op[i]) && !printed_atomic(w, i)) print_atomic(w, &w->op[i]);
  pl_text_add(&w->program->text, "\n");
}

/* ---- reductions inside a block ---- */

static bool any_reduction(const pl_walk_state *w)
{
  for (int i = 0; i < w->loop->nargs; i++)
    if (pl_op_reduces(&w->op[i])) return true;
  return false;
}

/* Arrays shared by a block of `size` work items. */
void pl_declare_shared(const pl_body *b, const char *size, bool blocks)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_op_reduces(op) || op->payload) continue;
    pl_line(b, "%s%s l%d[%s];", w->dialect->local, pl_op_type(op), i, size);
    if (op->has_payload) pl_line(b, "%sint64_t lw%d[%s];", w->dialect->local, i, size);
    if (op->has_payload && blocks) pl_line(b, "%sint la%d[%s];", w->dialect->local, i, size);
  }
}

void pl_declare_running(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_op_reduces(op)) continue;
    pl_line(b, "%s g%d[%d];", pl_op_type(op), i, op->dim);
    if (!op->payload)
      pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) g%d[pl_c] = %s;", op->dim, i, pl_op_neutral(op));
    if (op->has_payload) pl_line(b, "int64_t w%d_e = -1;", i);
  }
}

/* The condition that result `from` of an extreme beats `into`: better, or equal at a lower element. */
static void print_beats(const pl_body *b, const pl_operand *op, const char *into, const char *into_w,
                        const char *from, const char *from_w)
{
  const char *better = op->arg->access == PL_MIN ? "<" : ">";
  pl_line(b, "if (%s >= 0 && (%s < 0 || %s %s %s || (%s == %s && %s < %s))) {", from_w, into_w, from, better,
          into, from, into, from_w, into_w);
}

/* A tree over what the block shares of operand op, for any block size; l[0] ends with the result. */
static void print_tree(const pl_body *b, const pl_operand *op, const char *size, bool blocks)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  char into[40], from[60], into_w[40], from_w[60];
  snprintf(into, sizeof into, "l%d[pl_t]", op->i);
  snprintf(from, sizeof from, "l%d[pl_t + pl_half]", op->i);
  snprintf(into_w, sizeof into_w, "lw%d[pl_t]", op->i);
  snprintf(from_w, sizeof from_w, "lw%d[pl_t + pl_half]", op->i);
  pl_line(b, "%s", b->w->dialect->barrier);
  pl_line(b, "for (int pl_size = %s; pl_size > 1; pl_size = (pl_size + 1) / 2) {", size);
  pl_line(&in, "const int pl_half = (pl_size + 1) / 2;");
  if (op->has_payload) {
    pl_line(&in, "if (pl_t + pl_half < pl_size)");
    print_beats(&in, op, into, into_w, from, from_w);
    pl_line(&inner, "%s = %s;", into, from);
    pl_line(&inner, "%s = %s;", into_w, from_w);
    if (blocks) pl_line(&inner, "la%d[pl_t] = la%d[pl_t + pl_half];", op->i, op->i);
  } else {
    pl_line(&in, "if (pl_t + pl_half < pl_size) {");
    pl_print_combine(&inner, op, into, from);
  }
  pl_line(&in, "}");
  pl_line(&in, "%s", b->w->dialect->barrier);
  pl_line(b, "}");
}

static void print_block_payload(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b);
  pl_line(b, "l%d[pl_t] = g%d[0];", op->i, op->i);
  pl_line(b, "lw%d[pl_t] = w%d_e;", op->i, op->i);
  print_tree(b, op, "PL_BLOCK_SIZE", false);
  pl_line(b, "if (lw%d[0] < 0 ? pl_t == 0 : w%d_e == lw%d[0]) {", op->i, op->i, op->i);
  pl_line(&in, "r%d[pl_b] = g%d[0];", op->i, op->i);
  pl_line(&in, "w%d[pl_b] = w%d_e;", op->i, op->i);
  for (int i = 0; i < b->w->loop->nargs; i++) {
    const pl_operand *p = &b->w->op[i];
    if (!pl_op_off(p) && p->of == op->i)
      pl_line(&in, "for (int pl_c = 0; pl_c < %d; pl_c++) r%d[%d * pl_b + pl_c] = g%d[pl_c];", p->dim, i,
              p->dim, i);
  }
  pl_line(b, "}");
}

static void print_block_result(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b);
  if (op->has_payload) {
    print_block_payload(b, op);
    return;
  }
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
  pl_line(&in, "l%d[pl_t] = g%d[pl_c];", op->i, op->i);
  print_tree(&in, op, "PL_BLOCK_SIZE", false);
  pl_line(&in, "if (pl_t == 0) r%d[%d * pl_b + pl_c] = l%d[0];", op->i, op->dim, op->i);
  pl_line(&in, "%s", b->w->dialect->barrier);
  pl_line(b, "}");
}

void pl_print_block_results(const pl_body *b)
{
  for (int i = 0; i < b->w->loop->nargs; i++)
    if (pl_op_reduces(&b->w->op[i]) && !b->w->op[i].payload) print_block_result(b, &b->w->op[i]);
}

/* ---- elements ---- */

static bool writes_through_maps(const pl_walk_state *w, pl_access access)
{
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_arg *arg = w->op[i].arg;
    if (pl_arg_collides(arg) && arg->access == access) return true;
  }
  return false;
}

static void print_coloured(const pl_body *b, bool whole)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_line(b, "for (int pl_colour = 0; pl_colour < pl_colours[pl_b]; pl_colour++) {");
  pl_line(&in, "if (%spl_colour == pl_element_colour[pl_p]) {", b->w->style->whole ? "" : "pl_active && ");
  if (whole) {
    pl_body_gather(&inner);
    pl_body_call(&inner);
  }
  pl_body_scatter(&inner);
  if (whole) pl_body_reduce(&inner);
  pl_line(&in, "}");
  pl_line(&in, "%s", b->w->dialect->barrier);
  pl_line(b, "}");
}

/* Whether the text names the element: not if all it reads is staged. */
static bool names_element(const pl_walk_state *w)
{
  if (pl_collides(w->loop) && w->style->conflict == PL_STORED) return true;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    bool direct =
      op->row || ((op->arg->kind == PL_ARG_DAT || op->arg->kind == PL_ARG_INDEX) && !op->arg->map);
    if (!pl_op_off(op) && (direct || op->has_payload || pl_body_needs_targets(w, op))) return true;
  }
  return false;
}

static void print_position(const pl_body *b, const char *position)
{
  if (!names_element(b->w)) return;
  pl_line(b, "const int pl_q = %s;", position);
  pl_line(b, "const int pl_e = %s;", b->w->loop->set->indices ? "pl_list[pl_q]" : "pl_q");
}

/* Elements whose work items meet at barriers: idle ones repeat an element and keep it to themselves. With
 * colours, elements that read what others of their block write (RW through a map) run colour by colour as a
 * whole; all others gather and call at once and only scatter colour by colour. */
static void print_together(const pl_body *b)
{
  pl_body in = pl_deeper(b);
  bool combined = b->w->style->conflict == PL_COMBINE;
  bool whole = !combined && writes_through_maps(b->w, PL_RW), full = b->w->style->whole;
  if (!full) pl_line(b, "const int pl_active = pl_p < pl_end - pl_begin;");
  print_position(b, full ? "pl_begin + pl_p" : "pl_active ? pl_begin + pl_p : pl_begin");
  if (b->w->style->conflict == PL_STAGE) pl_print_locals(b);
  pl_body_targets(b);
  if (!whole) {
    pl_body_gather(b);
    pl_body_call(b);
  }
  if (!combined) print_coloured(b, whole);
  if (whole) return;
  if (full) in = *b;
  if (!full) pl_line(b, "if (pl_active) {");
  if (combined) {
    pl_print_contributions(&in);
    pl_body_scatter(&in);
  }
  pl_body_reduce(&in);
  if (!full) pl_line(b, "}");
}

/* Elements that need not wait for each other. Where results are to be joined, few blocks go through many
 * elements, so that few results are left. */
static void print_freely(const pl_body *b)
{
  pl_body in = any_reduction(b->w) ? pl_deeper(b) : *b;
  if (any_reduction(b->w))
    pl_line(b, "for (int pl_p = pl_b * %s + pl_t; pl_p < pl_end - pl_begin; pl_p += %s * %s) {",
            b->w->dialect->local_size, b->w->dialect->blocks, b->w->dialect->local_size);
  else if (!b->w->style->whole)
    pl_line(b, "if (pl_p >= pl_end - pl_begin) return;");
  print_position(&in, "pl_begin + pl_p");
  pl_body_targets(&in);
  pl_body_gather(&in);
  pl_body_call(&in);
  if (b->w->style->conflict == PL_STORED && pl_collides(b->w->loop)) pl_print_contributions(&in);
  pl_body_scatter(&in);
  pl_body_reduce(&in);
  if (any_reduction(b->w)) pl_line(b, "}");
}

static void print_extra_parameters(const pl_walk_state *w)
{
  pl_text *t = &w->program->text;
  const pl_dialect *d = w->dialect;
  if (!pl_collides(w->loop)) return;
  switch (w->style->conflict) {
  case PL_COLOUR:
  case PL_STAGE:
    pl_text_add(t,
                ",\n    const int pl_first, %sconst int *pl_blocks, %sconst int *pl_colours, %sconst int "
                "*pl_element_colour",
                d->global, d->global, d->global);
    if (w->style->conflict == PL_STAGE) pl_stage_parameters(w);
    break;
  case PL_COMBINE:
    if (w->style->coloured) pl_text_add(t, ",\n    const int pl_first, %sconst int *pl_blocks", d->global);
    pl_combine_parameters(w);
    break;
  case PL_STORED:
    pl_store_parameters(w);
    break;
  default:
    break;
  }
}

/* Whether a block is one of a plan's, and whether it is named by a list of blocks of one colour. */
static bool is_planned(const pl_walk_state *w)
{
  pl_conflict conflict = w->style->conflict;
  return pl_collides(w->loop) && (conflict == PL_COLOUR || conflict == PL_STAGE || conflict == PL_COMBINE);
}

static bool is_coloured(const pl_walk_state *w)
{
  return is_planned(w) && (w->style->conflict != PL_COMBINE || w->style->coloured);
}

static void print_planned(const pl_body *b)
{
  pl_conflict conflict = b->w->style->conflict;
  if (conflict == PL_STAGE) pl_print_stage_in(b);
  if (conflict == PL_COMBINE) pl_declare_contributions(b);
  print_together(b);
  if (conflict == PL_STAGE) pl_print_stage_out(b);
  if (conflict == PL_COMBINE) pl_print_combined(b);
}

/* ---- the end of reductions ---- */

bool pl_may_be_fresh(const pl_arg *arg, int i)
{
  return pl_arg_reduces(arg) && arg->access == PL_INC && i < 31;
}

/* What blocks have found, by so many work items; what others have found just now does not come from a cache.
 */
static void print_finish_sum(const pl_body *b, const pl_operand *op, const char *size)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  char into[40], from[60], last[40];
  snprintf(into, sizeof into, "pl_v");
  snprintf(from, sizeof from, b->w->style->ends ? "v%d[%d * pl_i + pl_c]" : "r%d[%d * pl_i + pl_c]", op->i,
           op->dim);
  snprintf(last, sizeof last, "G%d[pl_c]", op->i);
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
  pl_line(&in, "%s pl_v = %s;", pl_op_type(op), pl_op_neutral(op));
  pl_line(&in, "for (int pl_i = pl_t; pl_i < pl_nblocks; pl_i += %s) {", size);
  pl_print_combine(&inner, op, into, from);
  pl_line(&in, "}");
  pl_line(&in, "l%d[pl_t] = pl_v;", op->i);
  print_tree(&in, op, size, true);
  snprintf(from, sizeof from, "l%d[0]", op->i);
  if (pl_may_be_fresh(op->arg, op->i))
    pl_line(&in, "if (pl_t == 0 && (pl_fresh >> %d & 1)) %s = 0;", op->i, last);
  pl_line(&in, "if (pl_t == 0) {");
  pl_print_combine(&inner, op, last, from);
  pl_line(&in, "}");
  pl_line(&in, "%s", b->w->dialect->barrier);
  pl_line(b, "}");
}

/* Parameters of the end of reductions in pl_run itself. */
static void print_end_parameters(const pl_walk_state *w)
{
  const pl_dialect *d = w->dialect;
  if (!w->style->ends) return;
  pl_text_add(&w->program->text, ",\n    %sint *pl_drawn, const int pl_fresh", d->global);
  for (int i = 0; i < w->loop->nargs; i++)
    if (pl_op_reduces(&w->op[i]))
      pl_text_add(&w->program->text, ", %s%s *G%d", d->global, pl_op_type(&w->op[i]), i);
}

/* The block that comes last has the results of all before it. */
static void print_end(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  const pl_dialect *d = w->dialect;
  pl_body in = pl_deeper(b);
  if (!w->style->ends) return;
  pl_line(b, "%sint pl_last[1];", d->local);
  pl_line(b, "if (pl_t == 0 && pl_drawn) {");
  pl_line(&in, "%sint *const p = pl_drawn;", d->global);
  pl_line(&in, "%s", d->fence);
  pl_line(&in, "const int pl_is_last = %s == %s - 1;", d->draw, d->blocks);
  pl_line(&in, "if (pl_is_last) *p = 0;");
  pl_line(&in, "pl_last[0] = pl_is_last;");
  pl_line(&in, "%s", d->fence);
  pl_line(b, "}");
  pl_line(b, "%s", d->barrier);
  pl_line(b, "if (pl_drawn && pl_last[0]) {");
  pl_line(&in, "const int pl_nblocks = %s;", d->blocks);
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_op_reduces(op)) continue;
    pl_line(&in, "const volatile %s%s *const v%d = r%d;", d->global, pl_op_type(op), i, i);
    print_finish_sum(&in, op, "PL_BLOCK_SIZE");
  }
  pl_line(b, "}");
}

static void print_run(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  const pl_dialect *d = w->dialect;
  pl_body in = pl_deeper(b);
  bool coloured = is_coloured(w), planned = is_planned(w);
  pl_text_add(b->text, "/* One element a work item%s. */\n",
              coloured ? "; blocks pl_first onwards of the list pl_blocks" : "");
  pl_text_add(b->text, "%svoid pl_run(const int pl_begin, const int pl_end", d->entry_qualifier);
  print_extra_parameters(w);
  if (w->loop->set->indices)
    pl_text_add(b->text, ",\n    %sconst int *%s pl_list", d->global, d->restrict_word);
  print_end_parameters(w);
  pl_print_parameters(w, planned && w->style->conflict != PL_COLOUR);
  pl_line(b, "{");
  if (planned && w->style->conflict != PL_COLOUR) pl_text_add(b->text, "  %s\n", d->shared_declaration);
  pl_declare_shared(&in, "PL_BLOCK_SIZE", false);
  pl_line(&in, "const int pl_t = %s, pl_b = %s%s%s;", d->local_id, coloured ? "pl_blocks[pl_first + " : "",
          d->block_id, coloured ? "]" : "");
  if (planned || !any_reduction(w)) pl_line(&in, "const int pl_p = pl_b * %s + pl_t;", d->local_size);
  pl_print_copies(&in);
  pl_declare_running(&in);
  if (planned)
    print_planned(&in);
  else
    print_freely(&in);
  pl_print_block_results(&in);
  print_end(&in);
  pl_line(b, "}\n");
}

/* W: which element the global's value is from; -1 if it was there before. */
static void print_finish_payload(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  char from[40], from_w[40];
  const char *better = op->arg->access == PL_MIN ? "<" : ">";
  snprintf(from, sizeof from, "r%d[pl_i]", op->i);
  snprintf(from_w, sizeof from_w, "w%d[pl_i]", op->i);
  pl_line(b, "{");
  pl_line(&in, "%s pl_v = %s;", pl_op_type(op), pl_op_neutral(op));
  pl_line(&in, "int64_t pl_w = -1;");
  pl_line(&in, "int pl_at = 0;");
  pl_line(&in, "for (int pl_i = pl_t; pl_i < pl_nblocks; pl_i += PL_FINISH_SIZE)");
  print_beats(&in, op, "pl_v", "pl_w", from, from_w);
  pl_line(&inner, "pl_v = %s;", from);
  pl_line(&inner, "pl_w = %s;", from_w);
  pl_line(&inner, "pl_at = pl_i;");
  pl_line(&in, "}");
  pl_line(&in, "l%d[pl_t] = pl_v;", op->i);
  pl_line(&in, "lw%d[pl_t] = pl_w;", op->i);
  pl_line(&in, "la%d[pl_t] = pl_at;", op->i);
  print_tree(&in, op, "PL_FINISH_SIZE", true);
  pl_line(&in, "if (pl_t == 0 && pl_fresh < 0) W%d[0] = -1;", op->i);
  pl_line(&in,
          "if (pl_t == 0 && lw%d[0] >= 0 && (l%d[0] %s G%d[0] || (l%d[0] == G%d[0] && lw%d[0] < W%d[0]))) {",
          op->i, op->i, better, op->i, op->i, op->i, op->i, op->i);
  pl_line(&inner, "G%d[0] = l%d[0];", op->i, op->i);
  pl_line(&inner, "W%d[0] = lw%d[0];", op->i, op->i);
  for (int i = 0; i < b->w->loop->nargs; i++) {
    const pl_operand *p = &b->w->op[i];
    if (!pl_op_off(p) && p->of == op->i)
      pl_line(&inner, "for (int pl_c = 0; pl_c < %d; pl_c++) G%d[pl_c] = r%d[%d * la%d[0] + pl_c];", p->dim,
              i, i, p->dim, op->i);
  }
  pl_line(&in, "}");
  pl_line(b, "}");
}

/* Work items of the block that ends the reductions: as many as the device and its local memory allow. */
static int finish_size(const pl_walk_state *w)
{
  size_t each = 0;
  int size = w->style->max_block && w->style->max_block < FINISH_MOST ? w->style->max_block : FINISH_MOST;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_op_reduces(op) || op->payload) continue;
    each += pl_type_size(op->type) + (op->has_payload ? sizeof(int64_t) + sizeof(int) : 0);
  }
  while (size > 32 && (size_t)size * each > FINISH_BYTES) size /= 2;
  return size;
}

/* One block adds up what all blocks found, in a fixed order, and combines it with the globals. */
static void print_finish(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  const pl_dialect *d = w->dialect;
  pl_body in = pl_deeper(b);
  pl_text_add(b->text, "/* The results of all blocks enter the globals. */\n#define PL_FINISH_SIZE %d\n",
              w->program->finish_size = finish_size(w));
  pl_text_add(b->text, "%svoid pl_finish(const int pl_nblocks, const int pl_fresh", d->entry_qualifier);
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_op_reduces(op)) continue;
    pl_text_add(b->text, ",\n    %sconst %s *r%d, %s%s *G%d", d->global, pl_op_type(op), i, d->global,
                pl_op_type(op), i);
    if (op->has_payload)
      pl_text_add(b->text, ", %sconst int64_t *w%d, %sint64_t *W%d", d->global, i, d->global, i);
  }
  pl_text_add(b->text, ")\n");
  pl_line(b, "{");
  pl_declare_shared(&in, "PL_FINISH_SIZE", true);
  pl_line(&in, "const int pl_t = %s;", d->local_id);
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_op_reduces(op) || op->payload) continue;
    if (op->has_payload)
      print_finish_payload(&in, op);
    else
      print_finish_sum(&in, op, "PL_FINISH_SIZE");
  }
  pl_line(b, "}");
}

pl_err pl_print_device(const pl_walk_state *w)
{
  pl_body b = {.w = w, .text = &w->program->text};
  if (pl_collides(w->loop) && w->style->conflict == PL_GATHER) return pl_print_turned(&b);
  if (any_reduction(w) || w->loop->set->pairs || w->style->conflict == PL_COMBINE)
    pl_text_add(b.text, "#define PL_BLOCK_SIZE %d /* elements of a block */\n", w->style->block_size);
  print_atomics(w);
  if (w->loop->set->pairs)
    pl_print_pair_device(&b);
  else if (w->loop->blocks)
    pl_print_blocks_device(&b);
  else
    print_run(&b);
  if (pl_collides(w->loop) && w->style->conflict == PL_STORED) pl_print_sum(&b);
  if (any_reduction(w) && !w->style->ends) print_finish(&b);
  return PL_SUCCESS;
}
