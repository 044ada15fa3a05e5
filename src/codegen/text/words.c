/* SPDX-License-Identifier: BSD-2-Clause
 * The words of every template.
 */
#include "words.h"

pl_word pl_word_of_operand(const pl_body *b, const char *name)
{
  const pl_operand *op = b->op;
  if (!op) return (pl_word){.name = NULL};
  const pl_word words[] = {{"stem", .text = op->stem},
                           {"name", .text = op->name},
                           {"running", .text = op->running},
                           {"type", .text = pl_operand_type(op)},
                           {"copy_type", .text = pl_operand_copy_type(op)},
                           {"neutral", .text = pl_operand_neutral(op)},
                           {"atomic_name", .text = pl_atomic_name(op)},
                           {"better", .text = op->arg->access == PL_MIN ? "<" : ">"},
                           {"of", .text = op->of >= 0 ? b->e->op[op->of].stem : NULL},
                           {"dim", .number = op->dim},
                           {"stride", .number = op->stride},
                           {"target_count", .number = op->targets},
                           {"staged", .number = op->staged},
                           {"arg", .number = op->i},
                           {"map", .number = op->map},
                           {"map_entry", .number = op->index + pl_index(b, 'k')},
                           {"loads", .number = op->loads},
                           {"guard", .number = op->guard},
                           {"is_payload", .number = op->of >= 0},
                           {"results", .number = pl_operand_reduces(op) && op->of < 0},
                           {"results_and_payloads", .number = pl_operand_reduces(op)},
                           {"payloads", .number = b->of && !op->arg->off && op->of == b->of->i},
                           {"has_payload", .number = op->has_payload},
                           {"all_targets", .number = op->all},
                           {.name = NULL}};
  return pl_word_find(words, name);
}

pl_word pl_word_of_loop(const pl_body *b, const char *name)
{
  const pl_dialect *d = b->e->dialect;
  const pl_emit_options *options = b->e->options;
  const pl_word words[] = {{"c", .text = b->c},
                           {"lanes", .number = b->e->lanes},
                           {"in_lanes", .number = b->lanes},
                           {"host", .number = d->host},
                           {"full_blocks", .number = options->full_blocks},
                           {"ends_reductions", .number = options->ends_reductions},
                           {"checks", .number = options->checks},
                           {"local", .text = d->local},
                           {"shared", .text = d->local_pointer},
                           {"global", .text = d->global},
                           {"shared_declaration", .text = d->shared_declaration},
                           {"barrier", .text = d->barrier},
                           {"fence", .text = d->fence},
                           {"draw", .text = d->draw},
                           {"block_id", .text = d->block_id},
                           {"blocks", .text = d->blocks},
                           {"local_id", .text = d->local_id},
                           {"local_size", .text = d->local_size},
                           {.name = NULL}};
  return pl_word_find(words, name);
}
