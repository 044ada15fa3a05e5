/* SPDX-License-Identifier: BSD-2-Clause
 * The kernel's call, and the words of an element's statements.
 */
#include "element_body.h"
#include "block_precompute.h"

/* The type of a value in the kernel's parameter. */
static const char *value_type(const pl_operand *op)
{
  const pl_type type = pl_arg_seen_type(op->arg);
  if (!op->param->is_complex) return pl_type_name(type);
  return type == PL_COMPLEX_FLOAT ? "pl_complex_float" : "pl_complex_double";
}

static bool wants_pointer_array(const pl_operand *op)
{
  return pl_has_private(op) && op->all && op->param->shape == PL_SHAPE_POINTERS && !op->pointer;
}

/* T *x[n] wants an array of pointers: one into each target's private values. */
static void declare_pointer_array(const pl_body *b, const pl_operand *op)
{
  const char *constant = op->param->is_const ? "const " : "", *type = value_type(op);
  pl_line(b, "%s%s *pointers_%s[%d];", constant, type, op->name, op->targets);
  for (int k = 0; k < op->targets; k++)
    pl_line(b, "pointers_%s[%d] = (%s%s *)%s[%d];", op->name, k, constant, type, op->name, k);
}

/* The cast to the parameter's type: T *, T *const *, T (*)[b]... */
static void print_cast(pl_string *text, const pl_operand *op)
{
  const char *constant = op->param->is_const ? "const " : "", *type = value_type(op);
  pl_string_add(text, "(%s%s ", constant, type);
  if (op->param->shape == PL_SHAPE_PACKED) {
    pl_string_add(text, "(*)");
    for (int e = 1; e < op->param->rank; e++)
      pl_string_add(text, "[%d]", op->param->extent[e] >= 0 ? op->param->extent[e] : pl_arg_dim(op->arg));
    pl_string_add(text, ")");
  } else {
    pl_string_add(text, op->param->shape == PL_SHAPE_POINTERS ? "**)" : "*)");
  }
}

static void print_argument(const pl_emitter *e, pl_string *text, const pl_operand *op)
{
  if (pl_arg_is_foreign(op->arg) && !op->arg->off) {
    pl_string_add(text, e->cpp ? "pl_any{%s}" : "%s", op->name);
    return;
  }
  if (op->arg->off || (op->dim == 0 && pl_arg_is_record(op->arg) && !op->row)) {
    pl_string_add(text, "0");
    return;
  }
  if (!pl_arg_is_numbered(op->arg) && !op->row) print_cast(text, op);
  pl_string_add(text, "%s%s", wants_pointer_array(op) ? "pointers_" : "", op->name);
}

void pl_body_call(const pl_body *b)
{
  const pl_emitter *e = b->e;
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (wants_pointer_array(op)) declare_pointer_array(b, op);
  pl_string_add(b->text, "%*s%s(%s", 2 * b->depth, "", e->loop->kernel->name, e->consts ? "&pl_k, " : "");
  for (int i = 0; i < e->loop->nargs; i++) {
    if (i) pl_string_add(b->text, ", ");
    print_argument(e, b->text, &e->op[i]);
  }
  pl_string_add(b->text, ");\n");
}

/* ---- words ---- */

static pl_text global_index(const pl_body *b, const char *const *argument)
{
  (void)argument;
  return pl_global_index(b, b->op);
}

/* Of the operand's dat: from its first value on, or from that of the record. */
static pl_text dat_value(const pl_body *b, const char *const *argument)
{
  return pl_value_at(pl_dat_place(b->op, argument[0]), argument[1]);
}

static pl_text record_value(const pl_body *b, const char *const *argument)
{
  return pl_value_at(pl_whole_record(pl_dat_place(b->op, argument[0])), argument[1]);
}

static pl_text stored_value(const pl_body *b, const char *const *argument)
{
  return pl_value_at(pl_stored_place(b, b->op, 0), argument[0]);
}

static pl_text result_value(const pl_body *b, const char *const *argument)
{
  return pl_text_of(b->lanes ? "lanes_%s[%s][pl_l]" : "%s[%s]", b->lanes ? b->op->name : b->op->running,
                    argument[0]);
}

static pl_text from_fixed(const pl_body *b, const char *const *argument)
{
  const int fixed = b->op->arg->fixed;
  return pl_text_of("%s%s", argument[0], fixed ? pl_text_of(" * 0x1p-%d", fixed).s : "");
}

static const char *name_consts(const pl_dialect *d)
{
  if (d->host) return "const struct pl_consts pl_k = *pl_consts;";
  return d->consts_by_value ? "#define pl_k pl_consts" : "#define pl_k (*pl_consts)";
}

pl_word pl_element_word(const pl_body *b, const char *name)
{
  const pl_operand *op = b->op;
  const pl_word words[] = {{"consts", .number = b->e->consts},
                           {"name_consts", .text = name_consts(b->e->dialect)},
                           {"inputs", .number = op && !op->arg->off && pl_operand_is_input(op)},
                           {"limited", .number = op && !op->arg->off && pl_starts_from_limit(b, op)},
                           {"from_fixed", .make = from_fixed},
                           {"global_index", .make = global_index},
                           {"dat", .make = dat_value},
                           {"record", .make = record_value},
                           {"stored", .make = stored_value},
                           {"result", .make = result_value},
                           {"combine", .value = pl_print_combine},
                           {"targets", .print = pl_body_targets},
                           {"load", .print = pl_body_load},
                           {"call", .print = pl_body_call},
                           {"store", .print = pl_body_store},
                           {"block_values", .print = pl_declare_block_values},
                           {"producer", .print = pl_print_producer},
                           {"consumer", .print = pl_print_consumer},
                           {.name = NULL}};
  return pl_word_find(words, name);
}
