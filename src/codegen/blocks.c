/* SPDX-License-Identifier: BSD-2-Clause
 * The text of loops in blocks. The loop's kernel is called in two phases, with arguments of the other phase
 * left out: early, for each target of the block, and late, for each element. Names: pl_z the block's values,
 * pl_blocks where each block's targets begin, pl_i the number of a target in its block.
 */
#include "blocks.h"
#include "core/memory.h"

/* The operands of one phase; the others are off. False without memory. */
static bool open_phase(const pl_body *b, bool early, pl_walk_state *phase, pl_body *in)
{
  static const pl_arg off = {.off = 1};
  const pl_walk_state *w = b->w;
  *phase = *w;
  phase->op = pl_memdup(w->loop->pl, w->op, (size_t)w->loop->nargs * sizeof *w->op);
  if (!phase->op) {
    b->text->failed = true;
    return false;
  }
  for (int i = 0; i < w->loop->nargs; i++) {
    pl_operand *op = &phase->op[i];
    bool both = op->arg->kind == PL_ARG_CONST || (op->arg->kind == PL_ARG_GLOBAL && !pl_op_reduces(op));
    if (!both && op->early != early) op->arg = &off;
  }
  *in = *b;
  in->w = phase;
  return true;
}

static void close_phase(pl_walk_state *phase)
{
  pl_free(phase->loop->pl, phase->op);
}

static const pl_operand *local_operand(const pl_walk_state *w)
{
  int i = 0;
  while (!w->op[i].local) i++;
  return &w->op[i];
}

/* Target pl_i of the block. */
static void print_early(const pl_body *b)
{
  pl_walk_state phase;
  pl_body body;
  pl_line(b, "const int pl_e = pl_blocks[pl_b] + pl_i;");
  if (!open_phase(b, true, &phase, &body)) return;
  pl_body_element(&body);
  close_phase(&phase);
}

static void print_late(const pl_body *b)
{
  pl_walk_state phase;
  pl_body body;
  if (!open_phase(b, false, &phase, &body)) return;
  pl_body_element(&body);
  close_phase(&phase);
}

/* ---- devices ---- */

enum { MOST_TURNS = 4 };

static int fewest_targets(const pl_blocks *blocks)
{
  int fewest = blocks->longest;
  for (int b = 0; b < blocks->nblocks; b++)
    if (blocks->first[b + 1] - blocks->first[b] < fewest) fewest = blocks->first[b + 1] - blocks->first[b];
  return fewest;
}

/* The block's targets, as many at a time as it has work items: few turns one after the other, where only
 * those that a block may not have targets for look at how many there are. */
static void print_targets(const pl_body *b)
{
  const pl_blocks *blocks = b->w->loop->blocks;
  pl_body in = pl_deeper(b);
  int turns = (blocks->longest + blocks->size - 1) / blocks->size, fewest = fewest_targets(blocks);
  pl_line(b, "const int pl_n = pl_blocks[pl_b + 1] - pl_blocks[pl_b];");
  if (turns > MOST_TURNS) {
    pl_line(b, "for (int pl_i = pl_t; pl_i < pl_n; pl_i += %d) {", blocks->size);
    print_early(&in);
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
    print_early(&in);
    pl_line(b, "}");
  }
}

void pl_print_blocks_device(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  const pl_dialect *d = w->dialect;
  const pl_operand *z = local_operand(w);
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_text_add(b->text,
              "/* One element a work item; each block computes the values at its targets first. */\n");
  pl_text_add(b->text, "%svoid pl_run(const int pl_begin, const int pl_end", d->entry_qualifier);
  if (w->loop->set->indices)
    pl_text_add(b->text, ",\n    %sconst int *%s pl_list", d->global, d->restrict_word);
  pl_print_parameters(w, false);
  pl_line(b, "{");
  pl_line(&in, "%s%s pl_z[%d];", d->local, pl_op_type(z), w->loop->blocks->longest * z->stride);
  pl_declare_shared(&in, "PL_BLOCK_SIZE", false);
  pl_line(&in, "const int pl_t = %s, pl_b = %s;", d->local_id, d->block_id);
  pl_line(&in, "const int pl_p = pl_b * %s + pl_t;", d->local_size);
  pl_print_copies(&in);
  pl_declare_running(&in);
  print_targets(&in);
  pl_line(&in, "%s", d->barrier);
  pl_line(&in, w->style->whole ? "{" : "if (pl_p < pl_end - pl_begin) {");
  pl_line(&inner, "const int pl_e = %s;",
          w->loop->set->indices ? "pl_list[pl_begin + pl_p]" : "pl_begin + pl_p");
  print_late(&inner);
  pl_line(&in, "}");
  pl_print_block_results(&in);
  pl_line(b, "}\n");
}

/* ---- hosts ---- */

static void print_host(const pl_body *b, const char *name, const char *list, const char *element)
{
  const pl_walk_state *w = b->w;
  const pl_operand *z = local_operand(w);
  int size = w->loop->blocks->size;
  pl_body in = pl_deeper(b), block = pl_deeper(&in), inner = pl_deeper(&block);
  pl_text_add(b->text,
              "/* Block by block: the values at its targets, then its elements. */\n"
              "static __attribute__((noinline)) void %s(const int pl_begin, const int pl_end%s",
              name, list);
  pl_print_parameters(w, false);
  pl_line(b, "{");
  pl_print_copies(&in);
  pl_results_declare(&in);
  pl_line(&in, "%s pl_z[%d];", pl_op_type(z), w->loop->blocks->longest * z->stride);
  pl_line(&in, "for (int pl_b = pl_begin / %d; pl_b * %d < pl_end; pl_b++) {", size, size);
  pl_line(&block, "for (int pl_i = 0; pl_i < pl_blocks[pl_b + 1] - pl_blocks[pl_b]; pl_i++) {");
  print_early(&inner);
  pl_line(&block, "}");
  pl_line(&block, "const int pl_from = pl_b * %d > pl_begin ? pl_b * %d : pl_begin;", size, size);
  pl_line(&block, "const int pl_to = (pl_b + 1) * %d < pl_end ? (pl_b + 1) * %d : pl_end;", size, size);
  pl_line(&block, "for (int pl_p = pl_from; pl_p < pl_to; pl_p++) {");
  pl_line(&inner, "const int pl_e = %s;", element);
  print_late(&inner);
  pl_line(&block, "}");
  pl_line(&in, "}");
  pl_results_store(&in);
  pl_line(b, "}\n");
}

void pl_print_blocks_host(const pl_body *b)
{
  print_host(b, "pl_range", "", "pl_p");
  print_host(b, "pl_some", ", const int *restrict pl_list", "pl_list[pl_p]");
}
