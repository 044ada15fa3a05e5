/* SPDX-License-Identifier: BSD-2-Clause
 * The phases of loops in blocks.
 */
#include "block_precompute.h"
#include "element_body.h"

/* Whether an argument is of the phase that computes a block's values. */
static bool is_producer(const pl_blocks *blocks, const pl_operand *op)
{
  return op->arg->map ? op->arg->map->from == blocks->staged : op->home.local;
}

/* The element's text with the operands of one phase; the others are off. */
static void print_phase(const pl_body *b, bool producer)
{
  static const pl_arg off = {.off = 1};
  pl_emitter phase = *b->e;
  pl_body body = *b;
  phase.op = pl_memdup(phase.loop->pl, phase.op, (size_t)phase.loop->nargs * sizeof *phase.op);
  if (!phase.op) {
    b->text->failed = PL_ERR_MEMORY;
    return;
  }
  phase.end = phase.op + phase.loop->nargs;
  for (pl_operand *op = phase.op; op < phase.end; op++) {
    if (!pl_operand_is_input(op) && is_producer(phase.loop->blocks, op) != producer) op->arg = &off;
  }
  body.e = &phase;
  pl_print_template(&body, "element", NULL);
  pl_free(phase.loop->pl, phase.op);
}

void pl_print_producer(const pl_body *b)
{
  pl_line(b, "const int pl_e = pl_blocks[pl_b] + pl_i;");
  print_phase(b, true);
}

void pl_print_consumer(const pl_body *b)
{
  print_phase(b, false);
}

void pl_declare_block_values(const pl_body *b)
{
  const pl_operand *op = b->e->op;
  while (!op->home.local) op++;
  pl_line(b, "%s%s %s[%d];", b->e->dialect->local, pl_operand_type(op), op->home.array,
          b->e->loop->blocks->longest * op->stride);
}
