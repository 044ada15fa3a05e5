/* SPDX-License-Identifier: BSD-2-Clause
 * Prints the calls of the callbacks of check_hooks.h.
 */
#include "check_hooks.h"
#include "core/base/scalar_type.h"
#include "load_store.h"
#include "core/particles/pair_map.h"

extern const char pl_template_faults_host[]; /* codegen/templates/host/faults.host.inc */

#define TEXT_OF(...) TEXT(__VA_ARGS__)
#define TEXT(...) #__VA_ARGS__

/* A sum or an extreme. */
static bool is_combined(const pl_operand *op)
{
  const pl_access access = op->arg->access;
  bool reduces = pl_operand_reduces(op) && op->of < 0;
  if (op->arg->off || op->dim == 0 || op->row || !(reduces || pl_operand_scatters(op))) return false;
  return access == PL_INC || access == PL_INC_ANTI || access == PL_INC_SYM || access == PL_MIN ||
         access == PL_MAX;
}

/* Else written. */
static bool is_written(const pl_operand *op)
{
  const pl_access access = op->arg->access;
  return !op->arg->off && op->dim > 0 && pl_operand_scatters(op) && (access == PL_WRITE || access == PL_RW);
}

static bool any_checked(const pl_emitter *e)
{
  bool any = false;
  for (const pl_operand *op = e->op; op < e->end; op++) {
    if (pl_arg_is_foreign(op->arg)) return false; /* calls may leave something there */
    any |= is_combined(op);
  }
  return any;
}

/* The values that the brackets of parameter op select from: PL_END_2_1 is the end of x[.][i], argument 2. */
static void print_ends(const pl_emitter *e, const pl_operand *op)
{
  const pl_param *param = op->param;
  bool given = !op->arg->off && (op->dim || !pl_arg_is_record(op->arg)), known = !op->row && op->dim > 0;
  int dim = known ? pl_arg_dim(op->arg) : 0, all = op->targets * dim, inner = 1;
  int end[PL_EXTENTS] = {all, dim};
  for (int l = param->rank - 1; param->shape == PL_SHAPE_PACKED && l >= 0; l--) {
    end[l] = l && param->extent[l] > 0 ? param->extent[l] : l || !inner ? dim : all / inner;
    inner *= end[l];
  }
  if (param->shape == PL_SHAPE_POINTERS) end[0] = op->targets;
  for (int l = 0; l < PL_EXTENTS; l++)
    pl_string_add(&e->program->text, "#define PL_END_%d_%d %dLL\n", op->i, l,
                  !given  ? 0
                  : known ? end[l]
                          : INT32_MAX);
}

void pl_checker_prelude(const pl_emitter *e)
{
  pl_string_add(&e->program->text, "%s\n%s", TEXT_OF(PL_CHECKER_TYPE), pl_template_faults_host);
  for (const pl_operand *op = e->op; op < e->end; op++) print_ends(e, op);
}

/* ---- words ---- */

static bool is_sum(const pl_operand *op)
{
  return is_combined(op) && op->arg->access != PL_MIN && op->arg->access != PL_MAX;
}

static bool is_guarded(const pl_operand *op)
{
  return pl_has_private(op) && !op->pointer;
}

/* The callback that gets an element's values, or NULL. */
static const char *hook_of(const pl_emitter *e, const pl_operand *op)
{
  const pl_access access = op->arg->access;
  if (is_sum(op)) return any_checked(e) ? "adds" : NULL;
  if (access == PL_WRITE && pl_operand_scatters(op) && pl_arg_collides(op->arg)) return "writes";
  return pl_arg_is_record(op->arg) && access == PL_READ && !op->arg->fixed && is_guarded(op) ? "reads" : NULL;
}

static pl_text where(const pl_body *b)
{
  return pl_operand_reduces(b->op) ? pl_text_of("0") : pl_body_target(b, b->op, pl_index(b, 'k'));
}

static pl_word word_of_operand(const pl_body *b, const char *name)
{
  const pl_operand *op = b->op;
  const bool checked = is_combined(op), computed = is_written(op);
  const pl_word words[] = {{"guarded", .number = is_guarded(op)},
                           {"checked", .number = checked},
                           {"computed", .number = computed},
                           {"compared", .number = checked || computed},
                           {"added", .number = is_sum(op)},
                           {"hook", .text = hook_of(b->e, op)},
                           {.name = NULL}};
  return pl_word_find(words, name);
}

pl_word pl_check_word(const pl_body *b, const char *name)
{
  const pl_emitter *e = b->e;
  if (!e->options->checks) return (pl_word){.name = NULL};
  const pl_word words[] = {{"of_pairs", .number = pl_loop_traits_of(e->loop)->pairs},
                           {"neighbours", .number = pl_loop_traits_of(e->loop)->neighbours},
                           {"any_checked", .number = any_checked(e)},
                           {"turns", .number = PL_CHECK_TURNS},
                           {"guard_size", .number = PL_GUARD},
                           {"poison", .number = b->op ? pl_guard_byte(b->op->arg) : PL_POISON},
                           {"where", .built = where},
                           {.name = NULL}};
  const pl_word word = pl_word_find(words, name);
  return word.name || !b->op ? word : word_of_operand(b, name);
}
