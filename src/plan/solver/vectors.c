/* SPDX-License-Identifier: BSD-2-Clause
 * Products, preconditioning, residuals, scalars.
 */
#include "vectors.h"
#include "core/comm/comm.h"
#include "core/context/string_builder.h"
#include "core/data/objects.h"
#include "plan/base/own_kernel.h"
#include "plan/matrix/mat_product.h"
#include "precondition.h"
#include <ctype.h>

pl_err pl_solver_multiply(pl_solver *s, pl_dat *x, pl_dat *y)
{
  return s->apply ? s->apply(s->user, x, y) : pl_mat_multiply(s->a, x, y);
}

pl_err pl_solver_multiply_inner(pl_solver *s, pl_dat *x, pl_dat *y, pl_global *inner)
{
  if (s->a) return pl_mat_multiply_sums(s->a, x, y, &(pl_product_sums){.inner = inner});
  PL_TRY(s->apply(s->user, x, y));
  return pl_dat_inner(x, y, inner);
}

pl_err pl_solver_precondition(pl_solver *s, pl_dat *r, pl_dat *z)
{
  return s->preconditioner->apply(s, r, z);
}

pl_err pl_solver_operate(pl_solver *s, pl_dat *x, pl_dat *z)
{
  if (s->preconditioner == &pl_precondition_none) return pl_solver_multiply(s, x, z);
  PL_TRY(pl_solver_multiply(s, x, s->work[PL_SOLVER_R]));
  return pl_solver_precondition(s, s->work[PL_SOLVER_R], z);
}

/* ---- residuals ---- */

pl_err pl_solver_residual(pl_solver *s)
{
  pl_dat *r = s->work[PL_SOLVER_R];
  PL_TRY(pl_solver_multiply(s, s->x, r));
  PL_TRY(pl_dat_aypx(-1, s->b, r));
  return pl_solver_precondition(s, r, s->work[PL_SOLVER_Z]);
}

pl_err pl_solver_norm2(pl_solver *s, pl_dat *r, pl_dat *z, pl_global *norm2)
{
  return pl_dat_inner(s->method->natural ? r : z, z, norm2);
}

pl_err pl_solver_read(pl_global *global, double *values)
{
  pl_context *pl = global->node.pl;
  PL_TRY(pl_global_get_as(global, PL_DOUBLE, values));
  return pl_failure_repeat(pl, &pl->deferred.failure);
}

pl_err pl_solver_inner(pl_solver *s, pl_dat *x, pl_dat *y, double *value)
{
  PL_TRY(pl_dat_inner(x, y, s->scalar[0]));
  return pl_solver_read(s->scalar[0], value);
}

/* ---- kernels ---- */

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* Adds a text with T and D replaced. */
static void print_for(const pl_solver *s, const char *from, pl_string *text)
{
  for (const char *c = from; *c; c++) {
    const bool alone = (c == from || c[-1] == '_' || !is_word(c[-1])) && !is_word(c[1]); /* pl_row_T too */
    if (alone && *c == 'T')
      pl_string_add(text, "%s", pl_type_name(s->type));
    else if (alone && *c == 'D')
      pl_string_add(text, "%d", s->dim);
    else
      pl_string_add(text, "%c", *c);
  }
}

pl_err pl_solver_kernel(pl_solver *s, const char *name, const char *params, const char *body,
                        const pl_kernel **kernel)
{
  pl_context *pl = s->node.pl;
  char full[96];
  pl_string text;
  snprintf(full, sizeof full, "pl_solver_%s_%s_%d", name, pl_type_name(s->type), s->dim);
  if ((*kernel = pl_own_kernel(pl, full))) return PL_SUCCESS;
  pl_string_init(&text, pl);
  pl_string_add(&text, "void %s", full);
  print_for(s, params, &text);
  pl_string_add(&text, "\n{\n");
  print_for(s, body, &text);
  pl_string_add(&text, "\n}\n");
  pl_err err = pl_string_check(&text);
  if (!err) err = pl_own_kernel_new(pl, full, pl_string_chars(&text), kernel);
  pl_string_free(&text);
  return pl_agree_on_error(pl, err);
}

/* ---- loops of methods ---- */

enum { MOST_TERMS = 12 };

static pl_err loop_kernel(pl_solver *s, const pl_solver_text *text, int nterms, const pl_solver_term *terms,
                          const pl_kernel **kernel)
{
  pl_string params;
  pl_string_init(&params, s->node.pl);
  for (int i = 0; i < nterms; i++)
    pl_string_add(&params, "%s%s%s *%s", i ? ", " : "(", terms[i].arg.access == PL_READ ? "const " : "",
                  terms[i].arg.kind == PL_ARG_DAT ? "T" : "double", terms[i].name);
  pl_string_add(&params, ")");
  pl_err err = pl_agree_on_error(s->node.pl, pl_string_check(&params));
  if (!err) err = pl_solver_kernel(s, text->name, pl_string_chars(&params), text->body, kernel);
  pl_string_free(&params);
  return err;
}

pl_err pl_solver_loop(pl_solver *s, int i, pl_set *set, int nterms, const pl_solver_term *terms)
{
  pl_arg args[MOST_TERMS];
  for (int k = 0; k < nterms; k++) args[k] = terms[k].arg;
  if (!s->kernel[i]) PL_TRY(loop_kernel(s, &s->method->texts[i], nterms, terms, &s->kernel[i]));
  return pl_par_loop_args(s->kernel[i], set, nterms, args);
}
