/* SPDX-License-Identifier: BSD-2-Clause
 * The parts of a loop.
 */
#include "loop_part.h"
#include "codegen/loop/pair_info.h"

/* Whether an operand is of the second part: one that neither is nor reads a value of the block; one behind
 * those of the pairs. */
static bool is_second(const pl_loop *loop, const pl_operand *op)
{
  if (pl_pair_has_particles(loop)) return op->i >= loop->behind;
  return op->arg->map ? op->arg->map->from != loop->blocks->staged : !op->home.local;
}

void pl_print_part(const pl_body *b, const char *template, bool second)
{
  static const pl_arg off = {.off = 1};
  pl_emitter part = *b->e;
  pl_body body = *b;
  part.op = pl_memdup(part.loop->pl, part.op, (size_t)part.loop->nargs * sizeof *part.op);
  if (!part.op) {
    b->text->failed = PL_ERR_MEMORY;
    return;
  }
  part.end = part.op + part.loop->nargs;
  for (pl_operand *op = part.op; op < part.end; op++)
    if (!pl_operand_is_input(op) && is_second(part.loop, op) != second) op->arg = &off;
  body.e = &part;
  pl_print_template(&body, template, NULL);
  pl_free(part.loop->pl, part.op);
}
