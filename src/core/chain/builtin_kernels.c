/* SPDX-License-Identifier: BSD-2-Clause
 * Formulas, and the texts of builtin kernels.
 */
#include "builtin_kernels.h"
#include "builtin_interpreter.h"
#include "core/base/scalar_arithmetic.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/loop/loop.h"
#include <string.h>

/* ---- operands ---- */

pl_formula pl_formula_new(pl_context *pl, const char *call, pl_formula_kind kind, int dim)
{
  return (pl_formula){.pl = pl, .call = call, .e = {.kind = kind, .dim = dim}};
}

static void add_operand(pl_formula *f, pl_arg arg, bool single)
{
  pl_expression *e = &f->e;
  const pl_type type = pl_arg_type(&arg);
  int i = 0;
  while (i < f->nargs && f->arg[i].object != arg.object) i++;
  if (i == f->nargs)
    f->arg[f->nargs++] = arg;
  else if (f->arg[i].access != arg.access)
    f->arg[i].access = PL_RW;
  if (!e->nterms || arg.access != PL_WRITE) e->type = pl_common_type(e->nterms ? e->type : type, type);
  e->term[e->nterms++] = (pl_term){i, type, single};
}

void pl_formula_dat(pl_formula *f, pl_dat *dat, pl_access access)
{
  add_operand(f, pl_arg_direct(dat, access), false);
}

void pl_formula_global(pl_formula *f, pl_global *global, pl_access access)
{
  const bool factor = f->e.kind == PL_FORMULA_MAXPY || f->e.kind == PL_FORMULA_AYPX;
  add_operand(f, pl_arg_gbl(global, access), global->dim == 1 || (factor && !f->e.nterms));
}

pl_formula pl_formula_copy(const char *call, pl_dat *from, pl_dat *to)
{
  pl_formula f = pl_formula_new(to->node.pl, call, PL_FORMULA_COPY, to->dim);
  pl_formula_dat(&f, from, PL_READ);
  pl_formula_dat(&f, to, PL_WRITE);
  return f;
}

static const pl_term *result_of(const pl_expression *e)
{
  return &e->term[e->nterms - 1];
}

/* The first operand of which the result cannot hold the value; NULL: none. */
static const pl_term *lost_operand(const pl_expression *e)
{
  const pl_term *to = result_of(e), *from = e->term;
  const bool sums = e->kind == PL_FORMULA_INNER, real = !pl_type_is_complex(to->type);
  if (e->kind == PL_FORMULA_NORM) return NULL;
  for (; from < to; from++)
    if (sums ? !pl_type_holds(to->type, from->type) : real && pl_type_is_complex(from->type)) return from;
  return NULL;
}

pl_err pl_formula_check(const pl_formula *f)
{
  const pl_term *to = result_of(&f->e), *from = lost_operand(&f->e);
  if (!from) return PL_SUCCESS;
  return pl_fail(f->pl, PL_ERR_TYPE, "%s: the result \"%s\" is %s, which cannot hold values of \"%s\", %s",
                 f->call, ((pl_node *)f->arg[to->at].object)->name, pl_type_name(to->type),
                 ((pl_node *)f->arg[from->at].object)->name, pl_type_name(from->type));
}

/* ---- texts ---- */

static char letter(const pl_expression *e, int k)
{
  return (char)('a' + e->term[k].at);
}

/* The type of all arguments, or a letter for each. */
static void print_types(pl_string *t, const pl_formula *f)
{
  static const char letters[] = "bBhHiIlLfdcz";
  const pl_type first = pl_arg_type(&f->arg[0]);
  int i = 1;
  while (i < f->nargs && pl_arg_type(&f->arg[i]) == first) i++;
  if (i == f->nargs) {
    pl_string_add(t, "%s", pl_type_name(first));
    return;
  }
  for (i = 0; i < f->nargs; i++) pl_string_add(t, "%c", letters[pl_arg_type(&f->arg[i])]);
}

/* The name determines the text. It ends in a letter for each operand: its argument, capital for a number. */
static void print_name(pl_string *t, const pl_formula *f)
{
  static const char *const names[] = {"add",  "subtract", "multiply", "divide", "zero",
                                      "copy", "maxpy",    "aypx",     "inner",  "norm"};
  pl_string_add(t, "pl_%s_", names[f->e.kind]);
  print_types(t, f);
  pl_string_add(t, "_%d_", f->e.dim);
  for (int k = 0; k < f->e.nterms; k++)
    pl_string_add(t, "%c", letter(&f->e, k) - (f->e.term[k].single ? 'a' - 'A' : 0));
}

/* Declares `name`, the value of operand k in the type of the computation. */
static void print_load(pl_string *t, const pl_expression *e, const char *name, int k, int index)
{
  const pl_type type = e->term[k].type;
  char value[16];
  if (index < 0)
    snprintf(value, sizeof value, "%c[at]", letter(e, k));
  else
    snprintf(value, sizeof value, "%c[%d]", letter(e, k), index);
  if (type == e->type || !pl_type_is_complex(e->type))
    pl_string_add(t, "%s %s = %s;", pl_type_name(e->type), name, value);
  else if (pl_type_is_complex(type))
    pl_string_add(t, "%s %s; %s.re = %s.re; %s.im = %s.im;", pl_type_name(e->type), name, name, value, name,
                  value);
  else
    pl_string_add(t, "%s %s; %s.re = %s; %s.im = 0;", pl_type_name(e->type), name, name, value, name);
}

/* z op= operand 0 (component i, or value `index`) and operand k. */
static void print_operation(pl_string *t, const pl_expression *e, int op, int index, int k)
{
  pl_string_add(t, "    { ");
  print_load(t, e, "x", 0, index < 0 && e->term[0].single ? 0 : index);
  pl_string_add(t, " ");
  print_load(t, e, "y", k, e->term[k].single ? 0 : -1);
  pl_string_add(t, " %s }\n", pl_compute_text(e->type, op));
}

static void print_start(pl_string *t, const pl_expression *e)
{
  const int last = e->nterms - 1;
  pl_string_add(t, "    ");
  if (e->kind >= PL_FORMULA_COPY && e->kind <= PL_FORMULA_AYPX) {
    const int k = e->kind == PL_FORMULA_COPY ? 0 : e->kind == PL_FORMULA_MAXPY ? last : 1;
    print_load(t, e, "z", k, e->term[k].single ? 0 : -1);
  } else
    pl_string_add(t, "%s z; %s", pl_type_name(e->type),
                  pl_type_is_complex(e->type) ? "z.re = 0; z.im = 0;" : "z = 0;");
  pl_string_add(t, "\n");
}

static void print_operations(pl_string *t, const pl_expression *e)
{
  if (e->kind < PL_FORMULA_ZERO) print_operation(t, e, (int)e->kind, -1, 1);
  if (e->kind == PL_FORMULA_MAXPY)
    for (int k = 1; k < e->nterms - 1; k++) print_operation(t, e, PL_ADD_PRODUCT, k - 1, k);
  if (e->kind == PL_FORMULA_AYPX) print_operation(t, e, PL_ADD_PRODUCT, 0, 2);
  if (e->kind >= PL_FORMULA_INNER) print_operation(t, e, PL_ADD_INNER, -1, e->kind == PL_FORMULA_INNER);
}

/* A real result takes the real part; a complex one of a real value has the imaginary part zero. */
static void print_store(pl_string *t, const pl_expression *e)
{
  const pl_term *to = result_of(e);
  const char c = letter(e, e->nterms - 1), *index = to->single ? "0" : "at";
  const char *op = e->kind >= PL_FORMULA_INNER ? "+=" : "=";
  const bool complex = pl_type_is_complex(e->type);
  if (pl_type_is_complex(to->type))
    pl_string_add(t, "    %c[%s].re %s %s;\n    %c[%s].im %s %s;\n", c, index, op, complex ? "z.re" : "z", c,
                  index, op, complex ? "z.im" : "0");
  else
    pl_string_add(t, "    %c[%s] %s %s;\n", c, index, op, complex ? "z.re" : "z");
}

void pl_formula_print(pl_string *t, const pl_formula *f, const char *name, const char *before,
                      const char *space)
{
  pl_string_add(t, "%svoid %s(", before, name);
  for (int i = 0; i < f->nargs; i++)
    pl_string_add(t, "%s%s%s%s *%c", i ? ", " : "", space, f->arg[i].access == PL_READ ? "const " : "",
                  pl_type_name(pl_arg_type(&f->arg[i])), 'a' + i);
  pl_string_add(t, ")\n{\n  for (int at = 0; at < %d; at++) {\n", f->e.dim);
  print_start(t, &f->e);
  print_operations(t, &f->e);
  print_store(t, &f->e);
  pl_string_add(t, "  }\n}\n");
}

/* ---- kernels ---- */

static bool are_equal(const pl_expression *a, const pl_expression *b)
{
  bool equal = a->kind == b->kind && a->dim == b->dim && a->nterms == b->nterms;
  for (int k = 0; equal && k < a->nterms; k++)
    equal = a->term[k].type == b->term[k].type && a->term[k].single == b->term[k].single &&
            a->term[k].at == b->term[k].at;
  return equal;
}

static const pl_kernel *find_kernel(pl_context *pl, const pl_expression *e)
{
  PL_EACH (const pl_source_kernel, own, pl->kernels)
    if (own->internal && own->formula && are_equal(own->formula, e)) return &own->kernel;
  return NULL;
}

static pl_err make_kernel(const pl_formula *f, const pl_kernel **kernel)
{
  pl_string name, text;
  pl_string_init(&name, f->pl);
  pl_string_init(&text, f->pl);
  print_name(&name, f);
  pl_err err = pl_string_check(&name);
  if (!err) pl_formula_print(&text, f, pl_string_chars(&name), "", "");
  if (!err) err = pl_string_check(&text);
  if (!err) err = pl_kernel_from_source(f->pl, pl_string_chars(&name), pl_string_chars(&text), NULL, kernel);
  pl_string_free(&name);
  pl_string_free(&text);
  if (err) return err;
  pl_source_kernel *own = (pl_source_kernel *)(*kernel)->extra;
  own->formula = pl_memdup(f->pl, &f->e, sizeof f->e);
  if (!own->formula) return pl_fail_memory(f->pl, sizeof f->e);
  own->compute = pl_expression_compute;
  own->internal = true;
  return PL_SUCCESS;
}

static pl_err get_kernel(const pl_formula *f, const pl_kernel **kernel)
{
  *kernel = find_kernel(f->pl, &f->e);
  return *kernel ? PL_SUCCESS : make_kernel(f, kernel);
}

/* The call with the names of its objects. Globals of the library stand for numbers. */
static pl_err name_loop(const pl_formula *f, pl_loop *loop)
{
  static const char *const operators[] = {"PL_ADD", "PL_SUBTRACT", "PL_MULTIPLY", "PL_DIVIDE"};
  pl_string title;
  const char *separator = "";
  const bool combines = strstr(f->call, "combine") != NULL;
  int k = f->e.kind < PL_FORMULA_ZERO && !combines ? f->e.nterms - 1 : 0; /* pl_dat_scale has one object */
  if (loop->title) return PL_SUCCESS;
  pl_string_init(&title, loop->pl);
  pl_string_add(&title, "%s(", f->call);
  for (; k < f->e.nterms; k++) {
    const pl_arg *arg = &f->arg[f->e.term[k].at];
    if (k == 1 && combines) pl_string_add(&title, ", %s", operators[f->e.kind]);
    if (arg->kind == PL_ARG_GLOBAL && ((pl_global *)arg->object)->internal) continue;
    pl_string_add(&title, "%s%s", separator, ((pl_node *)arg->object)->name);
    separator = ", ";
  }
  pl_string_add(&title, ")");
  return pl_loop_name(loop, &title);
}

pl_err pl_formula_loop(const pl_formula *f, pl_set *set, bool now, pl_loop **loop)
{
  const pl_kernel *kernel;
  PL_TRY(pl_agree_on_error(set->node.pl, get_kernel(f, &kernel)));
  PL_TRY(pl_loop_get(kernel, set, f->nargs, f->arg, false, loop));
  PL_TRY(pl_agree_on_error(set->node.pl, name_loop(f, *loop)));
  return now ? pl_loop_prepare(*loop) : PL_SUCCESS;
}
