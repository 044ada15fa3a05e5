/* SPDX-License-Identifier: BSD-2-Clause
 * Which arguments vectors serve, and the words of their templates
 * (codegen/templates/host/transpose.host.inc).
 */
#include "vector_form.h"
#include "simd_form.h"
#include "core/loop/reduction.h"

/* ---- which loops ---- */

/* Values of type double in records, and values that all elements read. */
static bool serves(const pl_arg *arg)
{
  if (arg->off) return true;
  if (!pl_arg_is_record(arg)) return pl_arg_traits_of(arg)->shared && !pl_arg_reduces(arg);
  return pl_arg_type(arg) == PL_DOUBLE && pl_arg_seen_type(arg) == PL_DOUBLE && !arg->fixed &&
         !pl_arg_is_row(arg) && arg->access != PL_MIN && arg->access != PL_MAX && pl_arg_dim(arg) > 0;
}

pl_err pl_vector_form_find(const pl_loop *loop, const pl_signature *signature, bool *possible)
{
  *possible = pl_form_may_be_vector(loop);
  for (int i = 0; i < loop->nargs; i++) *possible = *possible && serves(&loop->args[i]);
  if (!*possible) return PL_SUCCESS;
  return pl_source_has_vectors(loop->pl, loop->kernel, signature, loop->args, possible);
}

/* ---- words ---- */

pl_word pl_vector_word(const pl_body *b, const char *name)
{
  const pl_operand *op = b->op;
  if (!op || !op->vector) return (pl_word){.name = NULL};
  const pl_map *map = pl_operand_tensor(op) ? op->arg->map : NULL;
  const int width = map && map->block_values > 1 ? map->tensor_rows.block[1] : 1;
  const pl_word words[] = {
    {"vector_count", .number = op->targets * op->dim},
    {"vector_neutral", .text = op->arg->access == PL_INC ? "-(pl_vector){0}" : "(pl_vector){0}"},
    {"tensor_rows", .number = map ? map->tensor[0] : 0},
    {"tensor_columns", .number = map ? map->tensor[1] : 0},
    {"tensor_blocks", .number = map ? pl_map_row(map) : 0},
    {"block_height", .number = map ? map->block_values / width : 0},
    {"block_width", .number = width},
    {.name = NULL}};
  return pl_word_find(words, name);
}
