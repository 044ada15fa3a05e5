/* SPDX-License-Identifier: BSD-2-Clause
 * The walker: head comment, prelude, the user's kernel, then the wrapper of the target's kind.
 */
#include "walker.h"
#include "body.h"
#include "core/memory.h"
#include "wrap.h"
#include <string.h>

enum { MOST_LANE_VALUES = 64 };

/* ---- forms ---- */

const char *pl_form_name(pl_form form)
{
  static const char *const names[] = {"scalar", "lanes", "transpose"};
  return names[form];
}

/* What speaks against lanes, and what for transposing. */
typedef struct survey {
  int values; /* private values of one element */
  bool scalar_only, indirect;
} survey;

static survey survey_loop(const pl_loop *loop)
{
  survey s = {.scalar_only = pl_kernel_extras(loop->kernel)->cpp};
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->off) continue;
    s.values += arg->kind == PL_ARG_DAT ? pl_arg_targets(arg) * pl_arg_dim(arg) : 0;
    s.indirect |= arg->map != NULL;
    s.scalar_only |= arg->map && arg->map->has_negative; /* a target may be missing */
    s.scalar_only |= pl_arg_is_row(arg);                 /* rows differ in length */
    s.scalar_only |= arg->map && arg->access == PL_RW; /* an element may read what the one before it wrote */
    s.scalar_only |= arg->kind == PL_ARG_GLOBAL && arg->with; /* payloads change hands in element order */
    s.scalar_only |= arg->kind == PL_ARG_POINTER;             /* nothing is known of the user's memory */
  }
  s.scalar_only |= s.values > MOST_LANE_VALUES;
  return s;
}

/* Transposed where records are fetched through maps, plain lanes where everything is contiguous. Plain lanes
 * would lose increments of two lanes to one target. */
pl_form pl_form_choose(const pl_loop *loop)
{
  survey s = survey_loop(loop);
  const char *asked = pl_opt(loop->pl, PL_OPT_SHAPE);
  if (s.scalar_only || !strcmp(asked, "scalar")) return PL_FORM_SCALAR;
  if (!strcmp(asked, "transpose")) return PL_FORM_TRANSPOSE;
  if (!strcmp(asked, "lanes")) return loop->indirect_write ? PL_FORM_SCALAR : PL_FORM_LANES;
  return s.indirect ? PL_FORM_TRANSPOSE : PL_FORM_LANES;
}

/* ---- loops turned round ---- */

const char *pl_conflict_name(pl_conflict conflict)
{
  static const char *const names[] = {"colour", "atomic", "gather"};
  return names[conflict];
}

int pl_gather_most(const pl_loop *loop)
{
  int n = 1;
  for (int i = 0; i < loop->nargs; i++)
    n += loop->args[i].kind == PL_ARG_POINTER ? 0 : pl_arg_targets(&loop->args[i]);
  return n;
}

/* Every write must be an increment through a map to one set, and all elements must be there. */
static bool can_gather(const pl_loop *loop)
{
  const pl_set *to = NULL;
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_writes(arg)) continue;
    if (arg->kind != PL_ARG_DAT || arg->access != PL_INC || !arg->map) return false;
    if (to && to != arg->map->to) return false;
    to = arg->map->to;
  }
  return to && loop->set->part[0] == loop->set->part[3];
}

static int add_slot(pl_reach *reach, int n, const pl_map *map, int index)
{
  for (int s = 0; s < n; s++)
    if (reach[s].map == map && reach[s].index == index) return n;
  reach[n] = (pl_reach){.map = map, .index = index};
  return n + 1;
}

int pl_gather_slots(const pl_loop *loop, pl_reach *reach)
{
  int n = 0;
  if (!can_gather(loop)) return 0;
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_writes(arg)) continue;
    int first = arg->index == PL_ALL ? 0 : arg->index;
    for (int k = first; k < first + pl_arg_targets(arg); k++) n = add_slot(reach, n, arg->map, k);
  }
  return n;
}

/* ---- head ---- */

static const char *access_name(pl_access access)
{
  static const char *const names[] = {"", "READ", "WRITE", "RW", "INC", "MIN", "MAX"};
  return names[access];
}

static void describe_argument(const pl_walk_state *w, const pl_operand *op)
{
  pl_text *t = &w->program->text;
  const pl_arg *arg = op->arg;
  pl_text_add(t, " *   %d %s: ", op->i, op->param->name);
  if (arg->off) {
    pl_text_add(t, "switched off\n");
    return;
  }
  switch (arg->kind) {
  case PL_ARG_DAT: {
    const pl_dat *dat = arg->object;
    pl_text_add(t, "d%d is dat \"%s\" on \"%s\", %d x %s, ", op->dat, dat->node.name, dat->set->node.name,
                dat->dim, pl_type_name(dat->type));
    break;
  }
  case PL_ARG_GLOBAL:
    pl_text_add(t, "global \"%s\", ", ((pl_node *)arg->object)->name);
    break;
  case PL_ARG_CONST:
    pl_text_add(t, "const \"%s\", ", ((pl_node *)arg->object)->name);
    break;
  case PL_ARG_INDEX:
    pl_text_add(t, "global index, ");
    break;
  default:
    pl_text_add(t, "the program's own pointer, ");
    break;
  }
  if (arg->component >= 0) pl_text_add(t, "component %d, ", arg->component);
  if (op->row) pl_text_add(t, "row of m%d, map \"%s\", ", op->map, arg->map->node.name);
  if (arg->map && op->all) pl_text_add(t, "all targets of m%d, map \"%s\", ", op->map, arg->map->node.name);
  if (arg->map && !op->all && !op->row)
    pl_text_add(t, "target %d of m%d, map \"%s\", ", arg->index, op->map, arg->map->node.name);
  pl_text_add(t, "%s\n", op->payload ? "payload" : access_name(arg->access));
}

/* Names from the user may not end the comment. */
static void defuse_comment(pl_text *text, size_t from)
{
  for (size_t i = from + 2; !text->failed && i + 1 < text->length; i++)
    if (text->data[i] == '*' && text->data[i + 1] == '/') text->data[i] = '+';
}

static void print_head(const pl_walk_state *w)
{
  pl_text *t = &w->program->text;
  size_t start = t->length;
  pl_text_add(t, "/* Generated by Plait %s: kernel %s over set \"%s\", dialect %s, shape %s.\n",
              PLAIT_VERSION, w->loop->kernel->name, pl_set_base(w->loop->set)->node.name, w->dialect->name,
              w->dialect->host ? pl_form_name(w->form) : pl_conflict_name(w->style->conflict));
  for (int i = 0; i < w->loop->nargs; i++) describe_argument(w, &w->op[i]);
  defuse_comment(t, start);
  pl_text_add(t, " */\n");
}

bool pl_uses_double(const pl_walk_state *w)
{
  for (int i = 0; i < w->loop->nargs; i++)
    if (w->op[i].arg->kind != PL_ARG_POINTER && w->op[i].type == PL_DOUBLE) return true;
  return false;
}

static void print_prelude(const pl_walk_state *w)
{
  pl_text *t = &w->program->text;
  pl_text_add(t, "#define PLAIT_JIT 1\n");
  if (w->cpp) pl_text_add(t, "#define restrict __restrict__\n");
  pl_text_add(t, "%s", w->dialect->prelude);
  if (pl_uses_double(w)) pl_text_add(t, "%s", w->dialect->prelude_double);
  if (w->cpp)
    pl_text_add(t,
                "struct pl_any { void *p; template <class T> operator T *() const { return (T *)p; } };\n");
  pl_print_row_types(w);
}

static pl_err print_kernel(pl_walk_state *w)
{
  pl_source_style style = {.kernel_qualifier = w->dialect->kernel_qualifier,
                           .function_qualifier = w->dialect->function_qualifier,
                           .data_qualifier = w->dialect->data_qualifier,
                           .const_space = w->dialect->constant,
                           .host = w->dialect->host,
                           .tgmath = w->dialect->host && !w->cpp,
                           .line_marks = true,
                           .relayout = w->style->relayout};
  pl_loop_text *program = w->program;
  PL_TRY(pl_source_build(w->loop->pl, w->loop->kernel, w->signature, &style, &program->source));
  w->consts = program->source.const_count > 0;
  if (w->consts) program->slot[program->nslots++] = (pl_slot){PL_SLOT_CONSTS, -1};
  pl_text_add(&program->text, "\n%s", w->dialect->before_kernel);
  pl_text_bytes(&program->text, pl_text_string(&program->source.text), program->source.text.length);
  pl_text_add(&program->text, "%s", w->dialect->after_kernel);
  pl_text_add(&program->text, "#line %d \"%s.%s\"\n\n", program->text.lines + 2, w->loop->kernel->name,
              w->dialect->name);
  return PL_SUCCESS;
}

/* ---- parameters ---- */

static int dat_of_slot(const pl_walk_state *w, int slot)
{
  return w->op[w->program->slot[slot].arg].dat;
}

static void print_parameter(const pl_walk_state *w, int s)
{
  const pl_slot *slot = &w->program->slot[s];
  const pl_operand *op = slot->arg >= 0 ? &w->op[slot->arg] : NULL;
  const pl_dialect *d = w->dialect;
  pl_text *t = &w->program->text;
  bool written = false;
  for (int i = 0; slot->kind == PL_SLOT_DAT && i < w->loop->nargs; i++)
    written |= w->op[i].dat == op->dat && !pl_op_off(&w->op[i]) && pl_arg_writes(w->op[i].arg);
  switch (slot->kind) {
  case PL_SLOT_DAT:
    pl_text_add(t, "%s%s%s *%s d%d", d->global, written ? "" : "const ", pl_op_type(op), d->restrict_word,
                dat_of_slot(w, s));
    break;
  case PL_SLOT_MAP:
    pl_text_add(t, "%sconst int *%s m%d", d->global, d->restrict_word, op->map);
    break;
  case PL_SLOT_OFFSET:
    pl_text_add(t, "%sconst int *%s o%d", d->global, d->restrict_word, op->map);
    break;
  case PL_SLOT_VALUE:
    pl_text_add(t, "%sconst %s *%s u%d", d->global, pl_op_type(op), d->restrict_word, op->i);
    break;
  case PL_SLOT_POINTER:
    pl_text_add(t, "void *p%d", op->i);
    break;
  case PL_SLOT_RESULT:
    pl_text_add(t, "%s%s *%s r%d", d->global, pl_op_type(op), d->restrict_word, op->i);
    break;
  case PL_SLOT_WHERE:
    pl_text_add(t, "%sint64_t *%s w%d", d->global, d->restrict_word, op->i);
    break;
  case PL_SLOT_NUMBERS:
    pl_text_add(t, "%sconst int64_t *%s n%d", d->global, d->restrict_word, op->numbers);
    break;
  case PL_SLOT_STRIDE:
    pl_text_add(t, "const int s%d", op->dat);
    break;
  case PL_SLOT_CONSTS:
    pl_text_add(t, "%sconst struct pl_consts *%s pl_consts", d->constant, d->restrict_word);
    break;
  }
}

void pl_print_parameters(const pl_walk_state *w)
{
  for (int s = 0; s < w->program->nslots; s++) {
    pl_text_add(&w->program->text, ",\n    ");
    print_parameter(w, s);
  }
  pl_text_add(&w->program->text, ")\n");
}

pl_body pl_deeper(const pl_body *b)
{
  pl_body inner = *b;
  inner.depth++;
  return inner;
}

/* Consts and values read are copied once, so that the compiler keeps them in registers. */
void pl_print_copies(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  if (w->consts)
    pl_line(b, w->dialect->host ? "const struct pl_consts pl_k = *pl_consts;" : "#define pl_k (*pl_consts)");
  for (int s = 0; s < w->program->nslots; s++) {
    if (w->program->slot[s].kind != PL_SLOT_VALUE) continue;
    const pl_operand *op = &w->op[w->program->slot[s].arg];
    pl_line(b, "%s v%d[%d];", pl_op_type(op), op->i, op->dim);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) v%d[pl_c] = u%d[pl_c];", op->dim, op->i, op->i);
  }
}

/* ---- the whole program ---- */

static pl_err walk(pl_walk_state *w)
{
  PL_TRY(pl_operands_make(w));
  print_head(w);
  print_prelude(w);
  PL_TRY(print_kernel(w));
  if (w->dialect->host)
    pl_print_host(w);
  else
    PL_TRY(pl_print_device(w));
  return pl_text_check(&w->program->text);
}

pl_err pl_walk(const pl_loop *loop, const pl_signature *signature, const pl_walk_style *style,
               pl_loop_text *program)
{
  pl_walk_state w = {
    .loop = loop, .signature = signature, .style = style, .dialect = style->dialect, .program = program};
  *program = (pl_loop_text){.pl = loop->pl, .form = style->form, .source = {.pl = loop->pl}};
  w.form = style->form;
  w.cpp = pl_kernel_extras(loop->kernel)->cpp;
  pl_text_init(&program->text, loop->pl);
  pl_text_init(&program->source.text, loop->pl);
  pl_err err = walk(&w);
  pl_free(loop->pl, w.op);
  if (err) pl_loop_text_free(program);
  return err;
}

void pl_loop_text_free(pl_loop_text *program)
{
  if (!program->pl) return;
  pl_text_free(&program->text);
  pl_source_free(&program->source);
  pl_free(program->pl, program->slot);
  *program = (pl_loop_text){0};
}
