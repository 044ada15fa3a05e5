/* SPDX-License-Identifier: BSD-2-Clause
 * Device wrappers: one element a work item, the reductions of a block in local memory, and the kernel that
 * ends them. Names in the text: pl_t the work item in its block, pl_b the block, pl_p the position in the
 * range; l3, lw3, la3 what a block shares of reduction 3: values, elements, blocks; r3, w3 what each block
 * found; G3 the global itself.
 */
#include "wrap.h"
#include "core/memory.h"
#include "pair.h"

enum { FINISH_MOST = 1024, FINISH_BYTES = 32 * 1024 };

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
  bool wanted = w->loop->set->pairs ? pl_pair_scatters(w->loop) : w->style->conflict == PL_ATOMIC;
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

static bool any_indirect(const pl_walk_state *w, pl_access access)
{
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_arg *arg = w->op[i].arg;
    if (arg->map && pl_arg_writes(arg) && (!access || arg->access == access)) return true;
  }
  return false;
}

static void print_coloured(const pl_body *b, bool whole)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_line(b, "for (int pl_colour = 0; pl_colour < pl_colours[pl_b]; pl_colour++) {");
  pl_line(&in, "if (pl_active && pl_colour == pl_element_colour[pl_p]) {");
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

/* Elements that read what others of their block write (RW through a map) run colour by colour as a whole; all
 * others gather and call at once and only scatter colour by colour. Idle work items repeat an element and
 * keep it to themselves. */
static void print_element(const pl_body *b, bool coloured)
{
  bool whole = coloured && any_indirect(b->w, PL_RW), subset = b->w->loop->set->indices;
  pl_body in = pl_deeper(b);
  pl_line(b, "const int pl_q = pl_active ? pl_begin + pl_p : pl_begin;");
  pl_line(b, "const int pl_e = %s;", subset ? "pl_list[pl_q]" : "pl_q");
  pl_body_targets(b);
  if (!whole) {
    pl_body_gather(b);
    pl_body_call(b);
  }
  if (coloured) print_coloured(b, whole);
  if (whole) return;
  pl_line(b, "if (pl_active) {");
  if (!coloured) pl_body_scatter(&in);
  pl_body_reduce(&in);
  pl_line(b, "}");
}

static void print_run(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  const pl_dialect *d = w->dialect;
  pl_body in = pl_deeper(b);
  bool coloured = any_indirect(w, 0) && w->style->conflict == PL_COLOUR;
  pl_text_add(b->text, "/* One element a work item%s. */\n",
              coloured ? "; blocks pl_first onwards of the list pl_blocks" : "");
  pl_text_add(b->text, "%svoid pl_run(const int pl_begin, const int pl_end", d->entry_qualifier);
  if (coloured)
    pl_text_add(b->text,
                ",\n    const int pl_first, %sconst int *pl_blocks, %sconst int *pl_colours, %sconst int "
                "*pl_element_colour",
                d->global, d->global, d->global);
  if (w->loop->set->indices)
    pl_text_add(b->text, ",\n    %sconst int *%s pl_list", d->global, d->restrict_word);
  pl_print_parameters(w);
  pl_line(b, "{");
  pl_declare_shared(&in, "PL_BLOCK_SIZE", false);
  pl_line(&in, "const int pl_t = %s, pl_b = %s%s%s, pl_p = pl_b * %s + pl_t;", d->local_id,
          coloured ? "pl_blocks[pl_first + " : "", d->block_id, coloured ? "]" : "", d->local_size);
  pl_line(&in, "const int pl_active = pl_p < pl_end - pl_begin;");
  pl_print_copies(&in);
  pl_declare_running(&in);
  print_element(&in, coloured);
  pl_print_block_results(&in);
  pl_line(b, "}\n");
}

/* ---- loops turned round ---- */

/* The slots of a loop's increments; operand op's target k is one of them. */
typedef struct slots {
  int n;
  const pl_reach *reach;
} slots;

static int slot_of(const slots *all, const pl_operand *op, int k)
{
  int s = 0, index = op->all ? k : op->arg->index;
  while (all->reach[s].map != op->arg->map || all->reach[s].index != index) s++;
  return s;
}

static bool first_of_dat(const pl_walk_state *w, int i)
{
  for (int j = 0; j < i; j++)
    if (pl_op_scatters(&w->op[j]) && w->op[j].dat == w->op[i].dat) return false;
  return pl_op_scatters(&w->op[i]);
}

static void print_share(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char mine[PL_PLACE];
  pl_private_place(op, k, c, mine);
  if (op->first)
    pl_line(b, "h%d[%d + %s] += %s;", op->dat, op->first, c, mine);
  else
    pl_line(b, "h%d[%s] += %s;", op->dat, c, mine);
}

/* The element's increment of this target joins the running sums. */
static void print_shares(const pl_body *b, const slots *all)
{
  const pl_walk_state *w = b->w;
  pl_body in = pl_deeper(b);
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    for (int k = 0; pl_op_scatters(op) && k < op->targets; k++) {
      if (all->n > 1) pl_line(b, "if (pl_s == %d) {", slot_of(all, op, k));
      pl_each_value(all->n > 1 ? &in : b, op, k, print_share);
      if (all->n > 1) pl_line(b, "}");
    }
  }
}

static void declare_sums(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!first_of_dat(w, i)) continue;
    pl_line(b, "%s h%d[%d];", pl_op_type(op), op->dat, op->stride);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) h%d[pl_c] = %s;", op->stride, op->dat,
            pl_op_neutral(op));
  }
}

/* The sum of a record joins the dat, n values at once. */
static void add_vectors(const pl_body *b, const pl_operand *op, int n, const char *vector)
{
  char c[16], place[PL_PLACE];
  pl_body in = pl_deeper(b);
  for (int first = 0; first < op->stride; first += n) {
    snprintf(c, sizeof c, "%d", first);
    pl_print_place(op, c, "pl_target", place);
    pl_line(b, "{");
    pl_line(&in, "%s%s *pl_p = (%s%s *)&%s;", b->w->dialect->global, vector, b->w->dialect->global, vector,
            place);
    pl_line(&in, "%s pl_v = *pl_p;", vector);
    for (int v = 0; v < n; v++) pl_line(&in, "pl_v.%c += h%d[%d];", "xyzw"[v], op -> dat, first + v);
    pl_line(&in, "*pl_p = pl_v;");
    pl_line(b, "}");
  }
}

static void add_sums(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  char place[PL_PLACE], vector[PL_PLACE];
  for (int i = 0; i < w->loop->nargs; i++) {
    if (!first_of_dat(w, i)) continue;
    pl_operand whole = w->op[i];
    whole.first = 0;
    int n = pl_vector_of(w, &whole, vector);
    if (n > 1)
      add_vectors(b, &whole, n, vector);
    else
      pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) %s += h%d[pl_c];", whole.stride,
              pl_print_place(&whole, "pl_c", "pl_target", place), whole.dat);
  }
}

static void print_turned(const pl_body *b, const slots *all)
{
  const pl_walk_state *w = b->w;
  const pl_dialect *d = w->dialect;
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_text_add(b->text,
              "/* One target a work item: the kernel is called for each element that reaches it. Entries of "
              "its row are\n"
              " * element * %d + slot. */\n",
              all->n);
  pl_text_add(b->text,
              "%svoid pl_run(const int pl_begin, const int pl_end,\n    %sconst int *%s pl_offset, %sconst "
              "int *%s pl_entry",
              d->entry_qualifier, d->global, d->restrict_word, d->global, d->restrict_word);
  pl_print_parameters(w);
  pl_line(b, "{");
  pl_line(&in, "const int pl_target = pl_begin + %s * %s + %s;", d->block_id, d->local_size, d->local_id);
  pl_line(&in, "if (pl_target >= pl_end || pl_offset[pl_target] == pl_offset[pl_target + 1]) return;");
  pl_print_copies(&in);
  declare_sums(&in);
  pl_text_add(b->text, "#pragma unroll 4\n"); /* the loads of several elements are on their way at once */
  pl_line(&in, "for (int pl_j = pl_offset[pl_target]; pl_j < pl_offset[pl_target + 1]; pl_j++) {");
  if (all->n > 1)
    pl_line(&inner, "const int pl_e = pl_entry[pl_j] / %d, pl_s = pl_entry[pl_j] %% %d;", all->n, all->n);
  else
    pl_line(&inner, "const int pl_e = pl_entry[pl_j];");
  pl_body_targets(&inner);
  pl_body_gather(&inner);
  pl_body_call(&inner);
  print_shares(&inner, all);
  pl_line(&in, "}");
  add_sums(&in);
  pl_line(b, "}\n");
}

static pl_err print_gather(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  pl_reach *reach = pl_calloc(w->loop->pl, (size_t)pl_gather_most(w->loop), sizeof *reach);
  if (!reach) return pl_fail_memory(w->loop->pl, sizeof *reach);
  const slots all = {pl_gather_slots(w->loop, reach), reach};
  print_turned(b, &all);
  pl_free(w->loop->pl, reach);
  return PL_SUCCESS;
}

/* ---- the end of reductions ---- */

bool pl_may_be_fresh(const pl_arg *arg, int i)
{
  return pl_arg_reduces(arg) && arg->access == PL_INC && i < 31;
}

static void print_finish_sum(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  char into[40], from[60], last[40];
  snprintf(into, sizeof into, "pl_v");
  snprintf(from, sizeof from, "r%d[%d * pl_i + pl_c]", op->i, op->dim);
  snprintf(last, sizeof last, "G%d[pl_c]", op->i);
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
  pl_line(&in, "%s pl_v = %s;", pl_op_type(op), pl_op_neutral(op));
  pl_line(&in, "for (int pl_i = pl_t; pl_i < pl_nblocks; pl_i += PL_FINISH_SIZE) {");
  pl_print_combine(&inner, op, into, from);
  pl_line(&in, "}");
  pl_line(&in, "l%d[pl_t] = pl_v;", op->i);
  print_tree(&in, op, "PL_FINISH_SIZE", true);
  snprintf(from, sizeof from, "l%d[0]", op->i);
  if (pl_may_be_fresh(op->arg, op->i))
    pl_line(&in, "if (pl_t == 0 && (pl_fresh >> %d & 1)) %s = 0;", op->i, last);
  pl_line(&in, "if (pl_t == 0) {");
  pl_print_combine(&inner, op, last, from);
  pl_line(&in, "}");
  pl_line(&in, "%s", b->w->dialect->barrier);
  pl_line(b, "}");
}

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
  pl_line(&in, "if (pl_t == 0 && lw%d[0] >= 0 && l%d[0] %s G%d[0]) {", op->i, op->i, better, op->i);
  pl_line(&inner, "G%d[0] = l%d[0];", op->i, op->i);
  for (int i = 0; i < b->w->loop->nargs; i++) {
    const pl_operand *p = &b->w->op[i];
    if (!pl_op_off(p) && p->of == op->i)
      pl_line(&inner, "for (int pl_c = 0; pl_c < %d; pl_c++) G%d[pl_c] = r%d[%d * la%d[0] + pl_c];", p->dim,
              i, i, p->dim, op->i);
  }
  pl_line(&in, "}");
  pl_line(&in, "%s", b->w->dialect->barrier);
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
    if (op->has_payload) pl_text_add(b->text, ", %sconst int64_t *w%d", d->global, i);
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
      print_finish_sum(&in, op);
  }
  pl_line(b, "}");
}

pl_err pl_print_device(const pl_walk_state *w)
{
  pl_body b = {.w = w, .text = &w->program->text};
  if (w->style->conflict == PL_GATHER && w->loop->indirect_write) return print_gather(&b);
  if (any_reduction(w) || w->loop->set->pairs)
    pl_text_add(b.text, "#define PL_BLOCK_SIZE %d /* elements of a block */\n", w->style->block_size);
  print_atomics(w);
  if (w->loop->set->pairs)
    pl_print_pair_device(&b);
  else
    print_run(&b);
  if (any_reduction(w)) print_finish(&b);
  return PL_SUCCESS;
}
