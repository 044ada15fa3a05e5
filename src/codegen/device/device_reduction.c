/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions on devices. pl_from_zero holds one bit for each argument.
 */
#include "device_reduction.h"
#include "codegen/element/kernel_parameters.h"
#include "core/loop/reduction.h"

enum { WARP = 32, FINISH_MOST = 512, FINISH_BYTES = 32 * 1024 };

bool pl_any_reduction(const pl_emitter *e)
{
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (pl_operand_reduces(op)) return true;
  return false;
}

bool pl_may_start_from_zero(const pl_arg *arg, int i)
{
  return pl_arg_reduces(arg) && arg->access == PL_INC && i < 31;
}

/* Work items of the block that ends the reductions: as many as the device and its local memory allow. */
static int finish_size(const pl_emitter *e)
{
  size_t each = 0;
  int most = e->options->max_block, size = most && most < FINISH_MOST ? most : FINISH_MOST;
  for (const pl_operand *op = e->op; op < e->end; op++) {
    if (!pl_operand_reduces(op) || op->of >= 0) continue;
    each += pl_type_size(op->type) + (op->has_payload ? sizeof(int64_t) + sizeof(int) : 0);
  }
  while (size > 32 && (size_t)size * each > FINISH_BYTES) size /= 2;
  return size;
}

void pl_print_finish(const pl_body *b)
{
  const pl_emitter *e = b->e;
  const pl_word words[] = {{"size", .text = "PL_FINISH_SIZE"}, {"finish", .number = 1}, {.name = NULL}};
  e->program->finish_size = finish_size(e);
  pl_string_add(b->text, "#define PL_FINISH_SIZE %d\n", e->program->finish_size);
  pl_print_kernel(b, "The results of all blocks enter the globals", "pl_finish", &e->program->finish,
                  "finish_loop", words);
}

/* Whether blocks are whole warps, whose lanes exchange values of the operand's type. */
static bool reduces_in_warps(const pl_body *b)
{
  const pl_emitter *e = b->e;
  const pl_type type = b->op && !b->op->has_payload ? b->op->type : PL_TYPE_COUNT;
  return e->dialect->other_lane && e->options->block_size % WARP == 0 &&
         e->program->finish_size % WARP == 0 && (type == PL_DOUBLE || type == PL_FLOAT || type == PL_INT32);
}

static pl_text other_lane(const pl_body *b, const char *const *argument)
{
  return pl_text_of("%s%s, %s)", b->e->dialect->other_lane, argument[0], argument[1]);
}

pl_word pl_reduction_word(const pl_body *b, const char *name)
{
  const pl_word words[] = {{"size", .text = "PL_BLOCK_SIZE"},
                           {"in_warps", .number = reduces_in_warps(b)},
                           {"other_lane", .make = other_lane},
                           {"finish", .number = 0},
                           {"seen", .text = b->e->options->ends_reductions ? "seen" : "result"},
                           {"may_be_zero", .number = b->op && pl_may_start_from_zero(b->op->arg, b->op->i)},
                           {.name = NULL}};
  return pl_word_find(words, name);
}
