/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on devices. A pair map: a block holds a slice of particles, a team of work items each; the
 * members of a team take every PL_PAIR_TEAM-th entry of its particle's row, which lie so that a block reads
 * them side by side, and add their sums in local memory. A ragged map: one element a work item,
 * increments by atomics where pairs collide.
 */
#include "pair_device.h"
#include "codegen/element/kernel_parameters.h"
#include "codegen/element/loop_part.h"
#include "codegen/loop/pair_info.h"
#include "pair_body.h"
#include "core/particles/pair_map.h"

_Static_assert(PL_PAIR_TEAM == 4, "pair_rows.device.inc adds the sums of four");

/* One array in local memory for each type of value that teams add up. */
static bool is_team_type(const pl_emitter *e, const pl_operand *op)
{
  for (const pl_operand *before = e->op; before < op; before++)
    if (pl_pair_gathers(before) && before->type == op->type) return false;
  return pl_pair_gathers(op);
}

/* Part `argument[1]` of record `argument[0]`. */
static pl_text loaded(const pl_body *b, const char *const *argument)
{
  if (pl_pair_apart(b->e))
    return pl_text_of("pl_record[%s * (int64_t)pl_stride + %s]", argument[1], argument[0]);
  return pl_text_of("((%sconst %s%d *)pl_record)[%s]", b->e->dialect->global, pl_pair_type(b->e),
                    pl_pair_piece(b->e), argument[0]);
}

/* Members of a team move a record's values side by side, and exchange them. */
static bool is_moved_by_members(const pl_body *b)
{
  const pl_operand *op = b->op;
  return op && b->e->dialect->other_lane && pl_arg_is_record(op->arg) && !op->arg->off &&
         op->dim <= PL_PAIR_TEAM && (op->type == PL_DOUBLE || op->type == PL_FLOAT);
}

pl_word pl_pair_device_word(const pl_body *b, const char *name)
{
  const bool moved = is_moved_by_members(b);
  const pl_word words[] = {
    {"team_types", .number = b->op && is_team_type(b->e, b->op)},
    {"loaded", .make = loaded},
    {"loaded_by_members", .number = moved && b->op->loads && !b->op->summed},
    {"stored_by_members", .number = moved && (b->op->arg->access == PL_RW || b->op->arg->access == PL_WRITE)},
    {.name = NULL}};
  return pl_word_find(words, name);
}

/* The statements of one pair; those of its particles may follow. */
static void print_pair_part(const pl_body *b)
{
  if (pl_pair_has_particles(b->e->loop))
    pl_print_part(b, "pair_call", false);
  else
    pl_print_template(b, "pair_call", NULL);
}

static void print_particle_part(const pl_body *b)
{
  pl_print_part(b, "particle", true);
}

void pl_print_pair_device(const pl_body *b)
{
  const pl_emitter *e = b->e;
  const pl_map *map = e->loop->set->pairs;
  const int piece = pl_pair_piece(e);
  const bool apart = map->pair_map && pl_pair_apart(e);
  const pl_text type =
    apart ? pl_text_of("%s", pl_pair_type(e)) : pl_text_of("%s%d", piece ? pl_pair_type(e) : "", piece);
  const pl_word words[] = {{"teams_share", .number = map->pair_map && !e->dialect->other_lane},
                           {"reports", .number = e->dialect->system_fence != NULL},
                           {"probe", .number = PL_PAIR_PROBE},
                           {"probe_result", .number = PL_PAIR_RESULT},
                           {"has_particles", .number = pl_pair_has_particles(e->loop)},
                           {"pair_part", .print = print_pair_part},
                           {"particle_part", .print = print_particle_part},
                           {"collides", .number = pl_pair_scatters(e->loop)},
                           {"team", .number = PL_PAIR_TEAM},
                           {"slice", .number = PL_PAIR_SLICE},
                           {"batch", .number = PL_PAIR_BATCH},
                           {"pieces", .number = apart ? map->pairs->dim : piece > 0},
                           {"piece", .text = type.s},
                           {.name = NULL}};
  pl_print_kernel(
    b, map->pair_map ? "A slice of particles a block, a team of work items each" : "One row a work item",
    "pl_run", &e->program->run, "kernel_over_pairs", words);
  pl_string_add(b->text, "\n");
}
