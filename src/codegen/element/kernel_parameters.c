/* SPDX-License-Identifier: BSD-2-Clause
 * Parameters of a generated kernel: type and name of each.
 */
#include "kernel_parameters.h"
#include "codegen/loop/pair_info.h"

/* How a parameter is passed: an array that the kernel reads or writes, a value, a host's pointer of its own,
 * memory that other parameters may be too, an array that is read without `restrict` (with it, nvcc unrolls
 * the loop over colours: half again as many instructions). */
typedef enum form { READ, WRITTEN, VALUE, POINTER, SHARED, RELOADED } form;

/* Name and, unless it is that of the operand or of the pairs' records, type behind the pointer. */
static const struct {
  const char *type, *name;
  enum { FIXED, STEM, MAP, IDS, LIST, COPY } ending; /* of the name */
  form form;                                         /* in pl_run */
} texts[] = {
  [PL_SLOT_DAT] = {NULL, "dat_", STEM, READ},
  [PL_SLOT_MAP] = {"int", "map", MAP, READ},
  [PL_SLOT_NARROW] = {"uint16_t", "pl_narrow", MAP, READ},
  [PL_SLOT_BASE] = {"int", "pl_base", MAP, READ},
  [PL_SLOT_OFFSET] = {"int", "offset", MAP, READ},
  [PL_SLOT_VALUE] = {NULL, "value_", STEM, READ},
  [PL_SLOT_POINTER] = {"void", "", STEM, POINTER},
  [PL_SLOT_RESULT] = {NULL, "result_", STEM, WRITTEN},
  [PL_SLOT_ARG_ELEMENT] = {"int64_t", "holder_", STEM, WRITTEN},
  [PL_SLOT_GLOBAL_INDEX] = {"int64_t", "ids", IDS, READ},
  [PL_SLOT_CONSTS] = {"struct pl_consts", "pl_consts", FIXED, READ},
  [PL_SLOT_PAIR_ROW] = {"int64_t", "pl_offset", FIXED, READ},
  [PL_SLOT_PAIR_ENTRY] = {"int", "pl_entry", FIXED, READ},
  [PL_SLOT_PAIR_RECORD] = {NULL, "pl_record", FIXED, READ},
  [PL_SLOT_PAIR_STRIDE] = {"int", "pl_stride", FIXED, VALUE},
  [PL_SLOT_PAIR_CUTOFF] = {NULL, "pl_cutoff", FIXED, READ},
  [PL_SLOT_PAIR_OWNER] = {"int", "pl_owner", FIXED, READ},
  [PL_SLOT_PAIR_STALE] = {"int", "pl_stale", FIXED, READ},
  [PL_SLOT_PAIR_COUNT] = {"int", "pl_count", FIXED, READ},
  [PL_SLOT_CHECKER] = {"pl_checker", "pl_checker", FIXED, POINTER},
  [PL_SLOT_BLOCKS] = {"int", "pl_blocks", FIXED, READ},
  [PL_SLOT_STRIDE] = {"int", "stride_", STEM, VALUE},
  [PL_SLOT_BEGIN] = {"int", "pl_begin", FIXED, VALUE},
  [PL_SLOT_END] = {"int", "pl_end", FIXED, VALUE},
  [PL_SLOT_TURN] = {"int", "pl_turn", FIXED, VALUE},
  [PL_SLOT_SINGLE] = {"int", "pl_single", FIXED, VALUE},
  [PL_SLOT_NBLOCKS] = {"int", "pl_nblocks", FIXED, VALUE},
  [PL_SLOT_SUBSET] = {"int", "pl_list", FIXED, READ},
  [PL_SLOT_FIRST_BLOCK] = {"int", "pl_first", FIXED, VALUE},
  [PL_SLOT_PLAN_BLOCKS] = {"int", "pl_blocks", FIXED, RELOADED},
  [PL_SLOT_BLOCK_COLOURS] = {"int", "pl_colours", FIXED, RELOADED},
  [PL_SLOT_ELEMENT_COLOUR] = {"int", "pl_element_colour", FIXED, RELOADED},
  [PL_SLOT_STAGE_FROM] = {"int", "pl_from", LIST, READ},
  [PL_SLOT_STAGE_TO] = {"int", "pl_to", LIST, READ},
  [PL_SLOT_STAGE_LOCAL] = {"int16_t", "pl_local", LIST, READ},
  [PL_SLOT_STAGE_START] = {"int", "start", COPY, VALUE},
  [PL_SLOT_SUMS_FROM] = {"int", "pl_from", FIXED, READ},
  [PL_SLOT_SUMS_TO] = {"int", "pl_to", FIXED, READ},
  [PL_SLOT_SUMS_ROW] = {"uint16_t", "pl_row", FIXED, READ},
  [PL_SLOT_SUMS_ENTRY] = {"uint16_t", "pl_entry", FIXED, READ},
  [PL_SLOT_ROW_OFFSET] = {"int", "pl_offset", FIXED, READ},
  [PL_SLOT_ROW_WORD] = {"int", "pl_row", FIXED, READ},
  [PL_SLOT_ROW_STRIDE] = {"int", "pl_rows", FIXED, VALUE},
  [PL_SLOT_ROW_CUT] = {"int", "pl_cut", FIXED, READ},
  [PL_SLOT_CONTRIBUTION] = {NULL, "inc_", STEM, WRITTEN},
  [PL_SLOT_COUNTER] = {"int", "pl_counter", FIXED, SHARED},
  [PL_SLOT_FROM_ZERO] = {"int", "pl_from_zero", FIXED, VALUE},
  [PL_SLOT_GLOBAL] = {NULL, "global_", STEM, SHARED},
  [PL_SLOT_GLOBAL_ELEMENT] = {"int64_t", "keeper_", STEM, SHARED},
};

const char *pl_parameter_type(const pl_emitter *e, const pl_param_slot *slot)
{
  if (slot->kind == PL_SLOT_PAIR_ROW && !e->loop->set->pairs->pair_map) return "int";
  if (slot->kind == PL_SLOT_STAGE_LOCAL && e->options->wide_locals) return "int";
  if (texts[slot->kind].type) return texts[slot->kind].type;
  return slot->arg < 0 ? pl_pair_type(e) : pl_operand_type(&e->op[slot->arg]);
}

pl_text pl_parameter_name(const pl_emitter *e, const pl_param_slot *slot)
{
  const pl_operand *op = &e->op[slot->arg < 0 ? 0 : slot->arg];
  const char *name = texts[slot->kind].name;
  switch (texts[slot->kind].ending) {
  case STEM:
    return pl_text_of("%s%s", name, op->stem);
  case MAP:
    return pl_text_of("%s%d", name, op->map);
  case IDS:
    return pl_text_of("%s%d", name, op->ids);
  case LIST:
    return pl_text_of("%s%d", name, slot->arg);
  case COPY:
    return pl_text_of("%s%d_%s", name, op->staged, op->stem);
  default:
    return pl_text_of("%s", name);
  }
}

/* The kernels behind pl_run read the results and contributions that it has written. */
static form form_of(const pl_emitter *e, const pl_param_list *list, const pl_param_slot *slot)
{
  form form = texts[slot->kind].form;
  if (slot->kind == PL_SLOT_CONSTS && e->dialect->consts_by_value) return VALUE;
  if (form == WRITTEN && list != &e->program->run) return READ;
  for (int i = 0; i < e->loop->nargs && slot->kind == PL_SLOT_DAT; i++)
    if (e->op[i].dat == e->op[slot->arg].dat && !e->op[i].arg->off && pl_arg_writes(e->op[i].arg))
      form = WRITTEN;
  return form;
}

static void print_parameter(const pl_emitter *e, const pl_param_list *list, const pl_param_slot *slot)
{
  pl_string *t = &e->program->text;
  const pl_dialect *d = e->dialect;
  const char *type = pl_parameter_type(e, slot),
             *space = slot->kind == PL_SLOT_CONSTS ? d->constant : d->global;
  form form = form_of(e, list, slot);
  if (form == VALUE)
    pl_string_add(t, "const %s ", type);
  else if (form == POINTER)
    pl_string_add(t, "%s *", type);
  else if (form == SHARED || form == RELOADED)
    pl_string_add(t, "%s%s%s *", space, form == SHARED ? "" : "const ", type);
  else
    pl_string_add(t, "%s%s%s *%s ", space, form == WRITTEN ? "" : "const ", type,
                  d->wait ? "PL_RESTRICT" : d->restrict_word);
  pl_string_add(t, "%s", pl_parameter_name(e, slot).s);
}

void pl_print_parameters(const pl_emitter *e)
{
  const pl_param_list *list = &e->program->run;
  for (int s = 0; s < list->n; s++) {
    pl_string_add(&e->program->text, ",\n    ");
    print_parameter(e, list, &list->slot[s]);
  }
  pl_string_add(&e->program->text, ")\n");
}

void pl_print_kernel(const pl_body *b, const char *comment, const char *name, const pl_param_list *list,
                     const char *statements, const pl_word *words)
{
  const pl_dialect *d = b->e->dialect;
  const pl_body in = pl_deeper(b);
  pl_string_add(b->text, "/* %s. */\n%svoid %s(", comment, d->entry_qualifier, name);
  for (int s = 0; s < list->n; s++) {
    pl_string_add(b->text, s > 1 ? ",\n    " : s ? ", " : "");
    print_parameter(b->e, list, &list->slot[s]);
  }
  pl_string_add(b->text, "%s)\n{\n", list->shared ? d->shared_parameter : "");
  if (d->wait) pl_line(&in, "%s", d->wait);
  pl_print_template(&in, statements, words);
  pl_line(b, "}");
}
