/* SPDX-License-Identifier: BSD-2-Clause
 * Device wrappers of loops over elements.
 */
#include "device_wrapper.h"
#include "device_parameters.h"
#include "device_reduction.h"
#include "gather_by_target.h"
#include "codegen/element/block_precompute.h"
#include "codegen/element/element_body.h"
#include "codegen/element/kernel_parameters.h"
#include "codegen/loop/pair_info.h"

/* ---- atomics ---- */

static bool printed_atomic(const pl_emitter *e, int i)
{
  for (int j = 0; j < i; j++)
    if (pl_operand_atomic(&e->op[j]) && e->op[j].type == e->op[i].type &&
        pl_atomic_name(&e->op[j]) == pl_atomic_name(&e->op[i]))
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

/* Combines v into *p atomically. */
static void print_atomic(const pl_body *b, const pl_operand *op)
{
  const pl_dialect *d = b->e->dialect;
  const bool wide = pl_type_size(op->type) == 8;
  const pl_word words[] = {{"function", .text = d->function_qualifier},
                           {"native", .text = native_atomic(d, op)},
                           {"bits", .text = wide ? "uint64_t" : "uint32_t"},
                           {"swap", .text = wide ? d->cas_64 : d->cas_32},
                           {"next", .text = op->arg->access == PL_MIN   ? "v < now.v ? v : now.v"
                                            : op->arg->access == PL_MAX ? "v > now.v ? v : now.v"
                                                                        : "now.v + v"},
                           {.name = NULL}};
  const pl_body of_op = pl_body_of(b, op);
  pl_print_template(&of_op, "atomic", words);
}

void pl_print_atomics(const pl_body *b)
{
  const pl_emitter *e = b->e;
  bool atomic =
    e->options->conflict == PL_ATOMIC || (e->options->conflict == PL_COMBINE && !e->options->coloured);
  bool wanted = atomic || pl_pair_scatters(e->loop);
  for (int i = 0; wanted && i < e->loop->nargs; i++)
    if (pl_operand_atomic(&e->op[i]) && !printed_atomic(e, i)) print_atomic(b, &e->op[i]);
  pl_string_add(b->text, "\n");
}

/* ---- loops in blocks ---- */

enum { MOST_TURNS = 4 };

static int fewest_targets(const pl_blocks *blocks)
{
  int fewest = blocks->longest;
  for (int b = 0; b < blocks->nblocks; b++)
    if (blocks->first[b + 1] - blocks->first[b] < fewest) fewest = blocks->first[b + 1] - blocks->first[b];
  return fewest;
}

/* The block's targets, as many at a time as it has work items: a few turns one after the other. Turns that
 * all blocks fill compare no number with a bound. */
static void print_producers(const pl_body *b)
{
  const pl_blocks *blocks = b->e->loop->blocks;
  pl_body in = pl_deeper(b);
  int turns = (blocks->longest + blocks->size - 1) / blocks->size, fewest = fewest_targets(blocks);
  pl_line(b, "const int pl_n = pl_blocks[pl_b + 1] - pl_blocks[pl_b];");
  if (turns > MOST_TURNS) {
    pl_line(b, "for (int pl_i = pl_t; pl_i < pl_n; pl_i += %d) {", blocks->size);
    pl_print_producer(&in);
    pl_line(b, "}");
    return;
  }
  for (int turn = 0; turn < turns; turn++) {
    char item[40];
    snprintf(item, sizeof item, turn ? "pl_t + %d" : "pl_t", turn * blocks->size);
    if (fewest >= (turn + 1) * blocks->size)
      pl_line(b, "{");
    else
      pl_line(b, "if (%s < pl_n) {", item);
    pl_line(&in, "const int pl_i = %s;", item);
    pl_print_producer(&in);
    pl_line(b, "}");
  }
}

/* ---- elements ---- */

static bool reads_and_writes_targets(const pl_emitter *e)
{
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (pl_arg_collides(op->arg) && op->arg->access == PL_RW) return true;
  return false;
}

/* Whether the text names the element: not if all it reads is staged. */
static bool names_element(const pl_emitter *e)
{
  if (pl_collides(e->loop) && e->options->conflict == PL_STORED) return true;
  for (const pl_operand *op = e->op; op < e->end; op++) {
    bool direct = op->row || ((pl_arg_is_record(op->arg) || pl_arg_is_numbered(op->arg)) && !op->arg->map);
    if (!op->arg->off && (direct || op->has_payload || pl_body_needs_targets(e, op))) return true;
  }
  return false;
}

/* The element of a work item; `repeats`: idle ones repeat the first. */
static const char *position(const pl_emitter *e, bool repeats)
{
  if (!e->loop->set->indices) return repeats ? "pl_active ? pl_begin + pl_p : pl_begin" : "pl_begin + pl_p";
  return repeats ? "pl_list[pl_active ? pl_begin + pl_p : pl_begin]" : "pl_list[pl_begin + pl_p]";
}

void pl_print_device_elements(const pl_body *b)
{
  const pl_emitter *e = b->e;
  const bool blocks = e->loop->blocks, planned = !blocks && pl_blocks_are_planned(e),
             reduces = pl_any_reduction(e), coloured = pl_blocks_are_coloured(e);
  const pl_conflict conflict = e->options->conflict;
  const bool combines = planned && conflict == PL_COMBINE, whole = !combines && reads_and_writes_targets(e);
  const pl_word words[] = {{"precomputes", .number = blocks},
                           {"planned", .number = planned},
                           {"coloured", .number = coloured},
                           {"stages", .number = planned && conflict == PL_STAGE},
                           {"combines", .number = combines},
                           {"stores_contributions", .number = e->program->sum.n},
                           {"sized_at_launch", .number = e->program->run.shared},
                           {"positioned", .number = planned || !reduces || blocks},
                           {"reduces", .number = reduces},
                           {"whole", .number = whole},
                           {"turns", .number = e->options->turns},
                           {"strides", .number = e->options->strides},
                           {"follows", .number = combines || (reduces && !whole)},
                           {"position", .text = position(e, planned && !e->options->full_blocks)},
                           {"producers", .print = print_producers},
                           {"names_element", .number = names_element(e)},
                           {"slots", .number = e->increments.n},
                           {.name = NULL}};
  pl_print_kernel(b,
                  blocks     ? "One element a work item; each block computes the values at its targets first"
                  : coloured ? "One element a work item; blocks pl_first onwards of the list pl_blocks"
                             : "One element a work item",
                  "pl_run", &e->program->run, "kernel_over_elements", words);
  pl_string_add(b->text, "\n");
  if (e->program->sum.n) pl_print_sum(b);
}
