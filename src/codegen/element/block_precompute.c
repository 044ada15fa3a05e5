/* SPDX-License-Identifier: BSD-2-Clause
 * The parts of loops in blocks.
 */
#include "block_precompute.h"
#include "loop_part.h"

void pl_print_producer(const pl_body *b)
{
  pl_line(b, "const int pl_e = pl_blocks[pl_b] + pl_i;");
  pl_print_part(b, "element", false);
}

void pl_print_consumer(const pl_body *b)
{
  pl_print_part(b, "element", true);
}

void pl_declare_block_values(const pl_body *b)
{
  const pl_operand *op = b->e->op;
  while (!op->home.local) op++;
  pl_line(b, "%s%s %s[%d];", b->e->dialect->local, pl_operand_type(op), op->home.array,
          b->e->loop->blocks->longest * op->stride);
}
