/* SPDX-License-Identifier: BSD-2-Clause
 * The statements of one pair.
 */
#include "pair_body.h"
#include "codegen/loop/pair_info.h"
#include "core/particles/pair_map.h"
#include <string.h>

/* ---- properties ---- */

void pl_pair_parameters(pl_emitter *e)
{
  const pl_map *map = e->loop->set->pairs;
  bool listed = !map->pair_map || !map->pairs->all_pairs, host = e->dialect->host;
  if (listed) pl_parameter_add(&e->program->run, PL_SLOT_PAIR_ROW, -1);
  if (listed) pl_parameter_add(&e->program->run, PL_SLOT_PAIR_ENTRY, -1);
  if (!map->pair_map) return;
  pl_parameter_add(&e->program->run, PL_SLOT_PAIR_RECORD, -1);
  if (pl_pair_apart(e)) pl_parameter_add(&e->program->run, PL_SLOT_PAIR_STRIDE, -1);
  pl_parameter_add(&e->program->run, PL_SLOT_PAIR_CUTOFF, -1);
  if (listed) pl_parameter_add(&e->program->run, PL_SLOT_PAIR_OWNER, -1);
  if (listed && !host) pl_parameter_add(&e->program->run, PL_SLOT_PAIR_STALE, -1);
  if (!listed || (host && e->form == PL_FORM_LANES) || pl_ranks(e->loop->pl) > 1)
    pl_parameter_add(&e->program->run, PL_SLOT_PAIR_COUNT, -1);
}

/* Under which an entry of a pair map is a pair of this loop. */
static const char *condition(const pl_loop *loop)
{
  if (loop->set->pairs->pairs->all_pairs) return "pl_r2 < pl_cutoff[0] && pl_p != pl_e";
  return pl_pair_once(loop) ? "pl_r2 < pl_cutoff[0] && pl_o > pl_e" : "pl_r2 < pl_cutoff[0]";
}

/* ---- geometry ---- */

bool pl_pair_apart(const pl_emitter *e)
{
  const pl_pairs *pairs = e->loop->set->pairs->pairs;
  return !e->dialect->host && pairs->position && pl_pairs_apart(pairs);
}

int pl_pair_piece(const pl_emitter *e)
{
  const pl_pairs *pairs = e->loop->set->pairs->pairs;
  if (e->dialect->host || !pairs->position || pairs->width == 1) return 0;
  return pl_pairs_apart(pairs) ? 1 : pairs->width;
}

/* Value $a of the particle's own record. */
static pl_text own_record(const pl_body *b)
{
  const char *own = b->e->dialect->host ? "pl_e" : "pl_s";
  if (pl_pair_apart(b->e))
    return pl_text_of("pl_record[%d * (int64_t)pl_stride + %s]", pl_index(b, 'a'), own);
  return pl_text_of("pl_record[%d * (int64_t)%s + %d]", b->e->loop->set->pairs->pairs->width, own,
                    pl_index(b, 'a'));
}

static pl_text own_value(const pl_body *b)
{
  return pl_text_of("pl_x%d%s", pl_index(b, 'a'), b->lanes ? "[pl_l]" : "");
}

/* Value $a of the entry's record: in its lane, in a piece, in memory. */
static pl_text record_value(const pl_body *b)
{
  const pl_pairs *pairs = b->e->loop->set->pairs->pairs;
  const int piece = pl_pair_piece(b->e), a = pl_index(b, 'a');
  if (b->lanes && !pairs->all_pairs) return pl_text_of("pl_q%d[pl_l]", a);
  if (piece == 1) return pl_text_of("pl_v[%d]", a);
  if (piece) return pl_text_of("pl_v[0].%c", "xyzw"[a]);
  return pl_text_of("pl_record[%d * (int64_t)pl_p + %d]", pairs->width, a);
}

/* ---- words ---- */

/* The pair's increment on side 1. */
static pl_text signed_value(const pl_body *b, const char *const *argument)
{
  return pl_text_of("%s%s[%s]", b->op->arg->access == PL_INC_ANTI ? "-" : "", b->op->name, argument[0]);
}

/* Of an operand. `shared`: pairs may be of two ranks' particles. Where each pair is seen once and two ranks
 * see it, sums of reals are split, those of integers are the lower rank's; where it is seen twice, one side
 * counts. */
static pl_word word_of_operand(const pl_body *b, bool shared, const char *name)
{
  static const char lower[] = "pl_o < pl_count[1] || pl_o >= pl_count[2]";
  const pl_operand *op = b->op;
  const bool once = pl_pair_once(b->e->loop), gathers = pl_pair_gathers(op),
             whole = pl_type_is_integer(op->type), sum = pl_operand_reduces(op) && op->arg->access == PL_INC,
             one_side = sum && whole && !once;
  const pl_word words[] = {
    {"operands", .number = 1},
    {"gathered", .number = gathers},
    {"scattered", .number = pl_operand_scatters(op) && once && op->arg->index != 0},
    {"halved", .number = sum && !once && !whole},
    {"parts", .number = gathers || sum},
    {"in_parts", .number = b->lanes && sum},
    {"split", .number = sum && once && shared && !whole},
    {"restricted", .number = one_side || (sum && whole && shared)},
    {"counted", .text = !one_side ? lower
                        : shared  ? "pl_o > pl_e && (pl_o < pl_count[1] || pl_o >= pl_count[2])"
                                  : "pl_o > pl_e"},
    {"memory", .number = op->arg->zeroed != PL_ZEROED_PRIVATE},
    {"signed", .make = signed_value},
    {"adds", .text = pl_pair_adds(b->e, op)},
    {"half", .text = op->type == PL_FLOAT ? "0.5f" : "0.5"},
    {.name = NULL}};
  return pl_word_find(words, name);
}

pl_word pl_pair_word(const pl_body *b, const char *name)
{
  static const char *const squares[] = {"", "pl_d0 * pl_d0", "pl_d0 * pl_d0 + pl_d1 * pl_d1",
                                        "pl_d0 * pl_d0 + pl_d1 * pl_d1 + pl_d2 * pl_d2"};
  const pl_map *map = b->e->loop->set->pairs;
  if (!map) return (pl_word){.name = NULL};
  const bool shared = pl_ranks(b->e->loop->pl) > 1 && map->pair_map;
  const pl_word words[] = {{"ragged", .number = !map->pair_map},
                           {"all_pairs", .number = map->pairs->all_pairs},
                           {"two_ranks", .number = shared},
                           {"condition", .text = condition(b->e->loop)},
                           {"axes", .number = map->pair_map ? map->pairs->dim : 0},
                           {"pair_type", .text = map->pair_map ? pl_pair_type(b->e) : ""},
                           {"own_record", .built = own_record},
                           {"own_value", .built = own_value},
                           {"record_value", .built = record_value},
                           {"squares", .text = squares[map->pair_map ? map->pairs->dim : 0]},
                           {.name = NULL}};
  const pl_word word = pl_word_find(words, name);
  return word.name || !b->op ? word : word_of_operand(b, shared, name);
}
