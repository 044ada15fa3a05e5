/* SPDX-License-Identifier: BSD-2-Clause
 * Prints the calls of the callbacks of check_hooks.h.
 */
#include "check_hooks.h"
#include "codegen/loop/pair_info.h"
#include "core/base/scalar_type.h"
#include "load_store.h"
#include "core/particles/pair_map.h"

extern const char pl_template_faults_host[]; /* codegen/templates/host/faults.host.inc */

#define TEXT_OF(...) TEXT(__VA_ARGS__)
#define TEXT(...) #__VA_ARGS__

bool pl_operand_checked(const pl_operand *op)
{
  const pl_access access = op->arg->access;
  bool reduces = pl_operand_reduces(op) && op->of < 0;
  if (op->arg->off || op->dim == 0 || op->row || !(reduces || pl_operand_scatters(op))) return false;
  return access == PL_INC || access == PL_INC_ANTI || access == PL_INC_SYM || access == PL_MIN ||
         access == PL_MAX;
}

bool pl_operand_computed(const pl_operand *op)
{
  const pl_access access = op->arg->access;
  return !op->arg->off && op->dim > 0 && pl_operand_scatters(op) && (access == PL_WRITE || access == PL_RW);
}

static bool any_checked(const pl_emitter *e)
{
  bool any = false;
  for (const pl_operand *op = e->op; op < e->end; op++) {
    if (pl_arg_is_foreign(op->arg)) return false; /* calls may leave something there */
    any |= pl_operand_checked(op);
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

void pl_checker_open(const pl_body *b)
{
  if (!b->e->options->checks) return;
  pl_line(b, "pl_active_checker = pl_checker;");
}

void pl_checker_at(const pl_body *b)
{
  if (!b->e->options->checks) return;
  pl_line(b, "pl_checker->element = pl_e%s;",
          pl_loop_traits_of(b->e->loop)->pairs ? ", pl_checker->side = pl_o" : "");
}

/* The values that the first call left, under a name that is not hidden by the next private copies. */
static void keep_first(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (pl_operand_checked(op) || pl_operand_computed(op))
      pl_line(b, "const void *const first_%s = %s;", op->name, op->name);
}

static void each_of(const pl_body *b, bool (*wanted)(const pl_operand *op), const char *format)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (wanted(op)) pl_line(b, format, op->i, op->name, op->name);
}

static void call_again(const pl_body *b)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_line(b, "for (int pl_turn = 0; pl_turn < %d; pl_turn++) {", PL_CHECK_TURNS);
  keep_first(&in);
  pl_line(&in, "{");
  pl_body_load(&inner);
  each_of(&inner, pl_operand_checked, "pl_checker->start(pl_checker, %d, pl_turn, first_%s, %s);");
  pl_body_call(&inner);
  each_of(&inner, pl_operand_checked, "pl_checker->again(pl_checker, %d, pl_turn, first_%s, %s);");
  each_of(&inner, pl_operand_computed, "pl_checker->again(pl_checker, %d, pl_turn, first_%s, %s);");
  pl_line(&in, "}");
  pl_line(b, "}");
}

static bool is_sum(const pl_operand *op)
{
  return pl_operand_checked(op) && op->arg->access != PL_MIN && op->arg->access != PL_MAX;
}

static void report_target(const pl_body *b, const pl_operand *op, const char *hook, const char *target,
                          const char *entry)
{
  pl_line(b, "pl_checker->%s(pl_checker, %d, %s, %s%s);", hook, op->i, target, op->name, entry);
}

static void report_values(const pl_body *b, const pl_operand *op, const char *hook)
{
  for (int k = 0; k < op->targets; k++)
    report_target(b, op, hook, pl_operand_reduces(op) ? "0" : pl_body_target(b, op, k).s,
                  op->all ? pl_text_of("[%d]", k).s : "");
}

void pl_checker_declare(const pl_body *b, const pl_operand *op)
{
  const char *type = pl_operand_copy_type(op), *name = op->name;
  pl_line(b, "struct { %s before[%d], values[%d][%d], after[%d]; } guarded_%s;", type, PL_GUARD, op->targets,
          op->dim, PL_GUARD, name);
  pl_line(b, "__builtin_memset(&guarded_%s, %d, sizeof guarded_%s);", name, PL_POISON, name);
  if (op->all)
    pl_line(b, "%s (*const %s)[%d] = guarded_%s.values;", type, name, op->dim, name);
  else
    pl_line(b, "%s *const %s = guarded_%s.values[0];", type, name, name);
}

static bool is_copied(const pl_operand *op)
{
  return pl_has_private(op) && !op->pointer;
}

static void check_guards(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (is_copied(op))
      pl_line(b,
              "pl_checker->guard(pl_checker, %d, &guarded_%s, sizeof guarded_%s.before, sizeof guarded_%s);",
              op->i, op->name, op->name, op->name);
}

void pl_checker_element(const pl_body *b)
{
  if (!b->e->options->checks) return;
  const bool again = any_checked(b->e);
  check_guards(b);
  if (again) call_again(b);
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (again && is_sum(op)) report_values(b, op, "adds");
    if (op->arg->access == PL_WRITE && pl_operand_scatters(op) && pl_arg_collides(op->arg))
      report_values(b, op, "writes");
    if (pl_arg_is_record(op->arg) && op->arg->access == PL_READ && !op->arg->fixed && is_copied(op))
      report_values(b, op, "reads");
  }
}

/* ---- pairs ---- */

/* The pair from its other side: names of the sides hide those outside. */
static void call_other_side(const pl_body *b)
{
  const pl_pairs *pairs = b->e->loop->set->pairs->pairs;
  pl_body in = pl_deeper(b);
  pl_line(b, "const int pl_s0 = pl_e, pl_s1 = pl_o;");
  for (int a = 0; a < pairs->dim; a++) pl_line(b, "const %s pl_back%d = -pl_d%d;", pl_pair_type(b->e), a, a);
  keep_first(b);
  pl_line(b, "{");
  pl_line(&in, "const int pl_e = pl_s1, pl_o = pl_s0;");
  for (int a = 0; a < pairs->dim; a++) pl_line(&in, "const %s pl_d%d = pl_back%d;", pl_pair_type(b->e), a, a);
  pl_body_load(&in);
  pl_body_call(&in);
  each_of(&in, pl_operand_checked, "pl_checker->other(pl_checker, %d, first_%s, %s);");
  pl_line(b, "}");
}

static void report_pair_sums(const pl_body *b, const pl_operand *op)
{
  if (pl_operand_reduces(op) || pl_pair_gathers(op))
    report_target(b, op, "adds", pl_operand_reduces(op) ? "0" : "pl_e", "");
  if (pl_pair_once(b->e->loop) && pl_operand_scatters(op) && op->arg->index != 0)
    report_target(b, op, "adds", "pl_o", "");
}

void pl_checker_pair(const pl_body *b)
{
  if (!b->e->options->checks) return;
  const pl_emitter *e = b->e;
  pl_body in = pl_deeper(b);
  check_guards(b);
  if (!any_checked(e)) return;
  call_again(b);
  if (pl_loop_traits_of(e->loop)->neighbours) {
    pl_line(b, "if (pl_o < pl_checker->owned) {");
    call_other_side(&in);
    pl_line(b, "}");
  }
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (is_sum(op)) report_pair_sums(b, op);
}
