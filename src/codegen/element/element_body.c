/* SPDX-License-Identifier: BSD-2-Clause
 * The kernel's call, and the order of an element's statements.
 */
#include "element_body.h"
#include "check_hooks.h"

static bool wants_pointer_array(const pl_operand *op)
{
  return pl_has_private(op) && op->all && op->param->shape == PL_SHAPE_POINTERS && !op->pointer;
}

/* T *x[n] wants an array of pointers: one into each target's private values. */
static void declare_pointer_array(const pl_body *b, const pl_operand *op)
{
  const char *constant = op->param->is_const ? "const " : "", *type = pl_type_name(pl_arg_seen_type(op->arg));
  pl_line(b, "%s%s *pointers_%s[%d];", constant, type, op->name, op->targets);
  for (int k = 0; k < op->targets; k++)
    pl_line(b, "pointers_%s[%d] = (%s%s *)%s[%d];", op->name, k, constant, type, op->name, k);
}

/* The cast to the parameter's type: T *, T *const *, T (*)[b]... */
static void print_cast(pl_string *text, const pl_operand *op)
{
  const char *constant = op->param->is_const ? "const " : "", *type = pl_type_name(pl_arg_seen_type(op->arg));
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
  if (pl_arg_is_foreign(op->arg)) {
    pl_string_add(text, e->cpp ? "pl_any{%s}" : "%s", op->name);
    return;
  }
  if (op->arg->off || (op->dim == 0 && pl_arg_is_record(op->arg) && !op->row)) {
    pl_string_add(text, "0");
    return;
  }
  if (op->arg->kind != PL_ARG_INDEX && !op->row) print_cast(text, op);
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

void pl_body_element(const pl_body *b)
{
  bool checks = b->e->options->checks;
  if (checks) pl_checker_at(b);
  pl_body_targets(b);
  pl_body_load(b);
  pl_body_call(b);
  if (checks) pl_checker_element(b);
  pl_body_store(b);
  pl_body_reduce(b);
}
