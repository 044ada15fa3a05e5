/* SPDX-License-Identifier: BSD-2-Clause
 * Device wrappers of loops over elements.
 */
#include "device_wrapper.h"
#include "block_staging.h"
#include "device_parameters.h"
#include "device_reduction.h"
#include "gather_by_target.h"
#include "skeleton.h"
#include "codegen/element/block_precompute.h"
#include "codegen/element/element_body.h"
#include "codegen/element/kernel_parameters.h"
#include "codegen/loop/pair_info.h"

extern const char pl_template_atomic_device[]; /* codegen/templates/device/atomic.device.inc */

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

static void print_compare_and_swap(const pl_body *b, const pl_operand *op)
{
  const pl_dialect *d = b->e->dialect;
  bool wide = pl_type_size(op->type) == 8;
  pl_words words = {"bits",
                    wide ? "uint64_t" : "uint32_t",
                    "swap",
                    wide ? d->cas_64 : d->cas_32,
                    "next",
                    op->arg->access == PL_MIN   ? "v < now.v ? v : now.v"
                    : op->arg->access == PL_MAX ? "v > now.v ? v : now.v"
                                                : "now.v + v",
                    NULL};
  pl_print_skeleton(b, op, pl_template_atomic_device, "compare_and_swap", words);
}

/* Combines v into *p atomically. */
static void print_atomic(const pl_body *b, const pl_operand *op)
{
  const pl_dialect *d = b->e->dialect;
  const char *type = pl_operand_type(op), *native = native_atomic(d, op);
  pl_body in = pl_deeper(b);
  pl_line(b, "%s void pl_%s_%s(%s%s *p, %s v)", d->function_qualifier, pl_atomic_name(op), type, d->global,
          type, type);
  pl_line(b, "{");
  if (native)
    pl_line(&in, "%s", native);
  else
    print_compare_and_swap(&in, op);
  pl_line(b, "}");
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

/* ---- elements ---- */

static bool reads_and_writes_targets(const pl_emitter *e)
{
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (pl_arg_collides(op->arg) && op->arg->access == PL_RW) return true;
  return false;
}

static void print_coloured(const pl_body *b, bool whole)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_line(b, "for (int pl_colour = 0; pl_colour < pl_colours[pl_b]; pl_colour++) {");
  pl_line(&in, "if (%spl_colour == pl_element_colour[pl_p]) {",
          b->e->options->full_blocks ? "" : "pl_active && ");
  if (whole) {
    pl_body_load(&inner);
    pl_body_call(&inner);
  }
  pl_body_store(&inner);
  if (whole) pl_body_reduce(&inner);
  pl_line(&in, "}");
  pl_line(&in, "%s", b->e->dialect->barrier);
  pl_line(b, "}");
}

/* Whether the text names the element: not if all it reads is staged. */
static bool names_element(const pl_emitter *e)
{
  if (pl_collides(e->loop) && e->options->conflict == PL_STORED) return true;
  for (const pl_operand *op = e->op; op < e->end; op++) {
    bool direct = op->row || ((pl_arg_is_record(op->arg) || op->arg->kind == PL_ARG_INDEX) && !op->arg->map);
    if (!op->arg->off && (direct || op->has_payload || pl_body_needs_targets(e, op))) return true;
  }
  return false;
}

static void print_element(const pl_body *b, const char *position)
{
  bool listed = b->e->loop->set->indices;
  if (names_element(b->e))
    pl_line(b, "const int pl_e = %s%s%s;", listed ? "pl_list[" : "", position, listed ? "]" : "");
}

/* Elements whose work items meet at barriers: idle ones repeat an element and store nothing. With colours,
 * elements that read values that others of their block write (RW through a map) run colour by colour as a
 * whole; all others load and call at once and only store colour by colour. */
static void print_together(const pl_body *b)
{
  pl_body in = pl_deeper(b);
  bool combined = b->e->options->conflict == PL_COMBINE;
  bool whole = !combined && reads_and_writes_targets(b->e), full = b->e->options->full_blocks;
  if (!full) pl_line(b, "const int pl_active = pl_p < pl_end - pl_begin;");
  print_element(b, full ? "pl_begin + pl_p" : "pl_active ? pl_begin + pl_p : pl_begin");
  if (b->e->options->conflict == PL_STAGE) pl_print_locals(b);
  pl_body_targets(b);
  if (!whole) {
    pl_body_load(b);
    pl_body_call(b);
  }
  if (!combined) print_coloured(b, whole);
  if (whole || (!combined && !pl_any_reduction(b->e))) return;
  if (full) in = *b;
  if (!full) pl_line(b, "if (pl_active) {");
  if (combined) {
    pl_print_contributions(&in);
    pl_body_store(&in);
  }
  pl_body_reduce(&in);
  if (!full) pl_line(b, "}");
}

/* Elements that need not wait for each other. With reductions, few blocks go through many elements, so that
 * few results are left. */
static void print_freely(const pl_body *b)
{
  const pl_dialect *d = b->e->dialect;
  bool reduces = pl_any_reduction(b->e);
  pl_body in = reduces ? pl_deeper(b) : *b;
  if (reduces)
    pl_line(b, "for (int pl_p = pl_b * %s + pl_t; pl_p < pl_end - pl_begin; pl_p += %s * %s) {",
            d->local_size, d->blocks, d->local_size);
  else if (!b->e->options->full_blocks)
    pl_line(b, "if (pl_p >= pl_end - pl_begin) return;");
  print_element(&in, "pl_begin + pl_p");
  pl_body_targets(&in);
  pl_body_load(&in);
  pl_body_call(&in);
  if (b->e->options->conflict == PL_STORED && pl_collides(b->e->loop)) pl_print_contributions(&in);
  pl_body_store(&in);
  pl_body_reduce(&in);
  if (reduces) pl_line(b, "}");
}

static void print_planned(const pl_body *b)
{
  pl_conflict conflict = b->e->options->conflict;
  if (conflict == PL_STAGE) pl_print_stage_in(b);
  if (conflict == PL_COMBINE) pl_declare_contributions(b);
  print_together(b);
  if (conflict == PL_STAGE) pl_print_stage_out(b);
  if (conflict == PL_COMBINE) pl_print_combined(b);
}

static void print_elements(const pl_body *b)
{
  const pl_emitter *e = b->e;
  const pl_dialect *d = e->dialect;
  pl_body in = pl_deeper(b);
  bool coloured = pl_blocks_are_coloured(e), planned = pl_blocks_are_planned(e),
       shared = planned && e->options->conflict != PL_COLOUR;
  pl_open_kernel(b,
                 coloured ? "One element a work item; blocks pl_first onwards of the list pl_blocks"
                          : "One element a work item",
                 "pl_run", &e->program->run, shared);
  if (shared) pl_string_add(b->text, "  %s\n", d->shared_declaration);
  pl_declare_shared(&in);
  pl_line(&in, "const int pl_t = %s, pl_b = %s%s%s;", d->local_id, coloured ? "pl_blocks[pl_first + " : "",
          d->block_id, coloured ? "]" : "");
  if (planned || !pl_any_reduction(e)) pl_line(&in, "const int pl_p = pl_b * %s + pl_t;", d->local_size);
  pl_print_copies(&in);
  pl_results_reset(&in);
  (planned ? print_planned : print_freely)(&in);
  pl_print_block_results(&in);
  pl_print_end(&in);
  pl_line(b, "}\n");
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

void pl_print_device_blocks(const pl_body *b)
{
  const pl_emitter *e = b->e;
  const pl_dialect *d = e->dialect;
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_open_kernel(b, "One element a work item; each block computes the values at its targets first", "pl_run",
                 &e->program->run, false);
  pl_declare_block_values(&in);
  pl_declare_shared(&in);
  pl_line(&in, "const int pl_t = %s, pl_b = %s;", d->local_id, d->block_id);
  pl_line(&in, "const int pl_p = pl_b * %s + pl_t;", d->local_size);
  pl_print_copies(&in);
  pl_results_reset(&in);
  print_producers(&in);
  pl_line(&in, "%s", d->barrier);
  pl_line(&in, e->options->full_blocks ? "{" : "if (pl_p < pl_end - pl_begin) {");
  pl_line(&inner, "const int pl_e = %s;",
          e->loop->set->indices ? "pl_list[pl_begin + pl_p]" : "pl_begin + pl_p");
  pl_print_consumer(&inner);
  pl_line(&in, "}");
  pl_print_block_results(&in);
  pl_line(b, "}\n");
}

void pl_print_device_elements(const pl_body *b)
{
  print_elements(b);
  if (b->e->program->sum.n) pl_print_sum(b);
}
