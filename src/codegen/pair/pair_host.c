/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on the host. In lanes the records of entries are loaded whole and transposed in registers:
 * gathers by the compiler take longer.
 */
#include "pair_host.h"
#include "codegen/host/host_wrapper.h"
#include "codegen/host/simd_transpose.h"
#include "codegen/loop/pair_info.h"
#include "core/particles/pair_map.h"

static const pl_pairs *pairs_of(const pl_body *b)
{
  return b->e->loop->set->pairs->pairs;
}

/* ---- records in lanes ---- */

/* Records first .. first + lanes - 1 of a macro. */
static void print_move(const pl_body *b, int first, int lanes)
{
  const pl_pairs *pairs = pairs_of(b);
  int size = (int)pl_type_size(pairs->position->type);
  pl_string_add(b->text, " \\\n    PL_IN_%d_%dX%d(%s", size, pairs->width, lanes, pl_pair_type(b->e));
  for (int l = first; l < first + lanes; l++)
    pl_string_add(b->text, ", pl_record + %d * (ptrdiff_t)pl_of[%d]", pairs->width, l);
  for (int a = 0; a < pairs->dim; a++) pl_string_add(b->text, ", pl_to##%d + %d", a, first);
  pl_string_add(b->text, "%s);", pairs->width > pairs->dim ? ", &pl_rest" : "");
}

/* PL_RECORDS(of, to): the records whose numbers are in `of` in lane buffers to0, to1, ... */
static void open_records(const pl_body *b)
{
  const pl_pairs *pairs = pairs_of(b);
  pl_string_add(b->text, "#define PL_RECORDS(pl_of, pl_to) \\\n ");
  for (int a = 0; a < pairs->dim; a++)
    pl_string_add(b->text, " %s pl_to##%d[%d] __attribute__((aligned(64)));", pl_pair_type(b->e), a,
                  pairs->lanes);
}

/* ... in moves of so many lanes. */
static void print_moves(const pl_body *b, int lanes)
{
  const pl_pairs *pairs = pairs_of(b);
  pl_print_lane_type(b->text, pairs->position->type, lanes);
  open_records(b);
  pl_string_add(b->text, " {");
  if (pairs->width > pairs->dim) pl_string_add(b->text, " pl_lanes_%s pl_rest;", pl_pair_type(b->e));
  for (int l = 0; l < pairs->lanes; l += lanes) print_move(b, l, lanes);
  pl_string_add(b->text, " }\n");
}

static void print_records(const pl_body *b)
{
  const pl_pairs *pairs = pairs_of(b);
  size_t size = pl_type_size(pairs->position->type);
  if (pairs->width == 1) {
    open_records(b);
    pl_string_add(b->text,
                  " for (int pl_i = 0; pl_i < %d; pl_i++) pl_to##0[pl_i] = pl_record[pl_of[pl_i]];\n\n",
                  pairs->lanes);
    return;
  }
  /* One move fills a register: a lane buffer that is written by halves and read whole is slow. */
  pl_print_moves(b->text, size, pairs->lanes);
  pl_string_add(b->text, "#ifdef __AVX512F__\n");
  print_moves(b, pairs->lanes);
  pl_string_add(b->text, "#else\n");
  print_moves(b, pairs->lanes / 2);
  pl_string_add(b->text, "#endif\n\n");
}

/* ---- the rows ---- */

/* In lanes: values of side 0 are loaded once. */
static bool is_kept(const pl_emitter *e, const pl_operand *op)
{
  const pl_arg *arg = op->arg;
  if (arg->off || pl_pair_from_records(e->loop, arg)) return false;
  return pl_arg_is_derived(arg) || (pl_arg_is_record(arg) && arg->access == PL_READ && arg->index == 0);
}

pl_word pl_pair_host_word(const pl_body *b, const char *name)
{
  const pl_operand *op = b->op;
  if (!op || !b->e->loop->set->pairs) return (pl_word){.name = NULL};
  const pl_word words[] = {{"kept", .number = is_kept(b->e, op)},
                           {"own_values", .number = op->arg->kind == PL_ARG_DISTANCE ? op->stride : op->dim},
                           {.name = NULL}};
  return pl_word_find(words, name);
}

void pl_print_pair_host(const pl_body *b)
{
  const pl_map *map = b->e->loop->set->pairs;
  const pl_pairs *pairs = map->pairs;
  pl_body body = *b;
  body.lanes = b->e->form == PL_FORM_LANES;
  const pl_word words[] = {
    {"lanes", .number = pairs->lanes},
    {"mask", .number = pairs->lanes - 1},
    {"far", .text = map->pair_map && pairs->position->type == PL_DOUBLE ? "-1e150" : "-1e18f"},
    {.name = NULL}};
  if (body.lanes) print_records(b);
  pl_print_host_function(&body, "The rows of particles begin to end - 1.", "pl_range", "", "loop_over_pairs",
                         words);
}
