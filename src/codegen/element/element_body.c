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

static pl_text seen_type(const pl_body *b, const pl_operand *op)
{
  return pl_text_of("%s%s", op->param->is_const ? "const " : "",
                    b->vectors && op->vector ? "pl_vector" : value_type(op));
}

/* The parameter's type: T *, T *const *, T (*)[b]... */
static pl_text type_of_parameter(const pl_body *b, const pl_operand *op)
{
  if (op->param->shape != PL_SHAPE_PACKED)
    return pl_text_of("%s *%s", seen_type(b, op).s, op->param->shape == PL_SHAPE_POINTERS ? "*" : "");
  pl_text type = pl_text_of("%s (*)", seen_type(b, op).s);
  for (int e = 1; e < op->param->rank; e++)
    type =
      pl_text_of("%s[%d]", type.s, op->param->extent[e] >= 0 ? op->param->extent[e] : pl_arg_dim(op->arg));
  return type;
}

/* ---- words ---- */

/* Argument $i of the kernel's call. */
static pl_text argument_text(const pl_body *b)
{
  const pl_operand *op = &b->e->op[pl_index(b, 'i')];
  if (pl_arg_is_foreign(op->arg) && !op->arg->off)
    return pl_text_of(b->e->cpp ? "pl_any{%s}" : "%s", op->name);
  if (op->arg->off || (op->dim == 0 && pl_arg_is_record(op->arg) && !op->row)) return pl_text_of("0");
  if (pl_arg_is_numbered(op->arg) || op->row) return pl_text_of("%s", op->name);
  return pl_text_of("(%s)%s%s", type_of_parameter(b, op).s, wants_pointer_array(op) ? "pointers_" : "",
                    op->name);
}

static pl_text kernel_name(const pl_body *b)
{
  return pl_text_of("%s%s", b->vectors ? "pl_vector_" : "", b->e->loop->kernel->name);
}

static pl_text seen_type_of_operand(const pl_body *b)
{
  return seen_type(b, b->op);
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
                           {"dat", .make = dat_value},
                           {"record", .make = record_value},
                           {"stored", .make = stored_value},
                           {"result", .make = result_value},
                           {"combine", .value = pl_print_combine},
                           {"pointer_arrays", .number = op && wants_pointer_array(op)},
                           {"seen_type", .built = seen_type_of_operand},
                           {"kernel", .built = kernel_name},
                           {"consts_argument", .text = b->e->consts ? "&pl_k, " : ""},
                           {"args", .number = b->e->loop->nargs},
                           {"argument", .built = argument_text},
                           {"block_values", .print = pl_declare_block_values},
                           {"producer", .print = pl_print_producer},
                           {"consumer", .print = pl_print_consumer},
                           {.name = NULL}};
  return pl_word_find(words, name);
}
