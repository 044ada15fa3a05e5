/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions on devices. pl_from_zero holds one bit for each argument.
 */
#include "device_reduction.h"
#include "skeleton.h"
#include "codegen/element/element_body.h"
#include "codegen/element/kernel_parameters.h"
#include "core/loop/reduction.h"

extern const char pl_template_reduction_device[]; /* codegen/templates/device/reduction.device.inc */

enum { FINISH_MOST = 512, FINISH_BYTES = 32 * 1024 };

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

/* A skeleton for `size` work items; `ends`: those that have the results of all blocks. */
static void print(const pl_body *b, const pl_operand *op, const char *name, const char *size, bool ends)
{
  bool extreme = op && op->has_payload;
  pl_words words = {"size",      size,
                    "seen",      b->e->options->ends_reductions ? "seen" : "result",
                    "extreme",   extreme ? "" : NULL,
                    "source",    extreme && ends ? "" : NULL,
                    "from_zero", op && pl_may_start_from_zero(op->arg, op->i) ? "" : NULL,
                    NULL};
  pl_print_skeleton(b, op, pl_template_reduction_device, name, words);
}

/* One of two skeletons for each result. */
static void print_each(const pl_body *b, const char *plain, const char *extreme, const char *size, bool ends)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (pl_operand_reduces(op) && op->of < 0) print(b, op, op->has_payload ? extreme : plain, size, ends);
}

void pl_declare_shared(const pl_body *b)
{
  print_each(b, "declare", "declare", "PL_BLOCK_SIZE", false);
}

void pl_print_block_results(const pl_body *b)
{
  print_each(b, "block_result", "block_extreme", "PL_BLOCK_SIZE", false);
}

void pl_print_end(const pl_body *b)
{
  pl_body in = pl_deeper(b);
  if (!b->e->options->ends_reductions) return;
  print(b, NULL, "last_block", "PL_BLOCK_SIZE", true);
  pl_line(b, "if (pl_counter && pl_last[0]) {");
  pl_line(&in, "const int pl_nblocks = %s;", b->e->dialect->blocks);
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    print(&in, op, "past_caches", "PL_BLOCK_SIZE", true);
    print(&in, op, "end_result", "PL_BLOCK_SIZE", true);
  }
  pl_line(b, "}");
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

/* One block adds the results of all blocks in a fixed order, and combines them with the globals. */
void pl_print_finish(const pl_body *b)
{
  const pl_emitter *e = b->e;
  pl_body in = pl_deeper(b);
  e->program->finish_size = finish_size(e);
  pl_string_add(b->text, "#define PL_FINISH_SIZE %d\n", e->program->finish_size);
  pl_open_kernel(b, "The results of all blocks enter the globals", "pl_finish", &e->program->finish, false);
  print_each(&in, "declare", "declare", "PL_FINISH_SIZE", true);
  pl_line(&in, "const int pl_t = %s;", e->dialect->local_id);
  print_each(&in, "end_result", "end_extreme", "PL_FINISH_SIZE", true);
  pl_line(b, "}");
}
