/* SPDX-License-Identifier: BSD-2-Clause
 * Parameters of a generated kernel: type and name of each.
 */
#include "kernel_parameters.h"
#include "check_hooks.h"
#include "codegen/loop/pair_info.h"
#include <stdarg.h>

/* Name and, unless it is that of the operand or of the pairs' records, type behind the pointer. */
static const struct {
  const char *type, *name;
  enum { FIXED, STEM, MAP, IDS } ending; /* of the name */
} texts[] = {
  [PL_SLOT_DAT] = {NULL, "dat_", STEM},
  [PL_SLOT_MAP] = {"int", "map", MAP},
  [PL_SLOT_OFFSET] = {"int", "offset", MAP},
  [PL_SLOT_VALUE] = {NULL, "value_", STEM},
  [PL_SLOT_POINTER] = {"void", "", STEM},
  [PL_SLOT_RESULT] = {NULL, "result_", STEM},
  [PL_SLOT_ARG_ELEMENT] = {"int64_t", "holder_", STEM},
  [PL_SLOT_GLOBAL_INDEX] = {"int64_t", "ids", IDS},
  [PL_SLOT_CONSTS] = {"struct pl_consts", "pl_consts", FIXED},
  [PL_SLOT_PAIR_ROW] = {"int64_t", "pl_offset", FIXED},
  [PL_SLOT_PAIR_ENTRY] = {"int", "pl_entry", FIXED},
  [PL_SLOT_PAIR_RECORD] = {NULL, "pl_record", FIXED},
  [PL_SLOT_PAIR_CUTOFF] = {NULL, "pl_cutoff", FIXED},
  [PL_SLOT_PAIR_OWNER] = {"int", "pl_owner", FIXED},
  [PL_SLOT_PAIR_STALE] = {"int", "pl_stale", FIXED},
  [PL_SLOT_PAIR_COUNT] = {"int", "pl_count", FIXED},
  [PL_SLOT_CHECKER] = {"pl_checker", "pl_checker", FIXED},
  [PL_SLOT_BLOCKS] = {"int", "pl_blocks", FIXED},
  [PL_SLOT_STRIDE] = {"int", "stride_", STEM},
};

static const char *type_of(const pl_emitter *e, const pl_param_slot *slot)
{
  if (slot->kind == PL_SLOT_PAIR_ROW && !e->loop->set->pairs->pair_map) return "int";
  if (texts[slot->kind].type) return texts[slot->kind].type;
  return slot->arg < 0 ? pl_pair_type(e) : pl_operand_type(&e->op[slot->arg]);
}

static void print_name(const pl_emitter *e, const pl_param_slot *slot)
{
  const pl_operand *op = &e->op[slot->arg < 0 ? 0 : slot->arg];
  pl_string *t = &e->program->text;
  int ending = texts[slot->kind].ending;
  pl_string_add(t, "%s%s", texts[slot->kind].name, ending == STEM ? op->stem : "");
  if (ending == MAP || ending == IDS) pl_string_add(t, "%d", ending == MAP ? op->map : op->ids);
}

static bool is_written(const pl_emitter *e, const pl_param_slot *slot)
{
  if (slot->kind == PL_SLOT_RESULT || slot->kind == PL_SLOT_ARG_ELEMENT) return true;
  bool written = false;
  for (int i = 0; i < e->loop->nargs && slot->kind == PL_SLOT_DAT; i++)
    written |= e->op[i].dat == e->op[slot->arg].dat && !e->op[i].arg->off && pl_arg_writes(e->op[i].arg);
  return written;
}

static void print_type(const pl_emitter *e, const pl_param_slot *slot)
{
  pl_string *t = &e->program->text;
  const pl_dialect *d = e->dialect;
  const char *type = type_of(e, slot);
  if (slot->kind == PL_SLOT_STRIDE || (slot->kind == PL_SLOT_CONSTS && d->consts_by_value))
    pl_string_add(t, "const %s ", type);
  else if (slot->kind == PL_SLOT_POINTER || slot->kind == PL_SLOT_CHECKER)
    pl_string_add(t, "%s *", type);
  else
    pl_string_add(t, "%s%s%s *%s ", slot->kind == PL_SLOT_CONSTS ? d->constant : d->global,
                  is_written(e, slot) ? "" : "const ", type, d->restrict_word);
}

void pl_print_parameters(const pl_emitter *e, bool shared)
{
  pl_string *t = &e->program->text;
  for (const pl_param_slot *s = e->program->slot; s < e->program->slot + e->program->nslots; s++) {
    pl_string_add(t, ",\n    ");
    print_type(e, s);
    print_name(e, s);
  }
  pl_string_add(t, "%s)\n", shared ? e->dialect->shared_parameter : "");
}

void pl_print_host_arguments(const pl_emitter *e)
{
  for (int s = 0; s < e->program->nslots; s++)
    pl_string_add(&e->program->text, ", (%s *)pl_args[%d]", type_of(e, &e->program->slot[s]), s);
  pl_string_add(&e->program->text, ");\n");
}

void pl_print_array(const pl_emitter *e, const char *separator, const char *type, const char *name, ...)
{
  char text[PL_NAME + 16];
  va_list list;
  va_start(list, name);
  vsnprintf(text, sizeof text, name, list);
  va_end(list);
  pl_string_add(&e->program->text, "%s%s%s *%s %s", separator, e->dialect->global, type,
                e->dialect->restrict_word, text);
}

/* ---- copies ---- */

/* Infinities that compilers cannot see. */
static void print_limits(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (op->arg->off || !pl_starts_from_limit(b, op)) continue;
    pl_line(b, "const volatile %s pl_limit_%s = %s;", pl_operand_type(op), op->name, pl_operand_neutral(op));
    pl_line(b, "const %s limit_%s = pl_limit_%s;", pl_operand_type(op), op->name, op->name);
  }
}

/* Consts and values read are copied once, so that the compiler keeps them in registers. */
void pl_print_copies(const pl_body *b)
{
  const pl_emitter *e = b->e;
  if (e->consts)
    pl_line(b, e->dialect->host              ? "const struct pl_consts pl_k = *pl_consts;"
               : e->dialect->consts_by_value ? "#define pl_k pl_consts"
                                             : "#define pl_k (*pl_consts)");
  for (int s = 0; s < e->program->nslots; s++) {
    if (e->program->slot[s].kind != PL_SLOT_VALUE) continue;
    const pl_operand *op = &e->op[e->program->slot[s].arg];
    char scale[24] = "";
    if (op->arg->fixed) snprintf(scale, sizeof scale, " * 0x1p-%d", op->arg->fixed);
    pl_line(b, "%s %s[%d];", pl_operand_copy_type(op), op->name, op->dim);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) %s[pl_c] = value_%s[pl_c]%s;", op->dim, op->name,
            op->stem, scale);
  }
  print_limits(b);
  if (e->options->checks) pl_checker_open(b);
}
