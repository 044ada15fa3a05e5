/* SPDX-License-Identifier: BSD-2-Clause
 * Solvers: declaration and options.
 */
#include "precondition.h"
#include "core/base/sized_struct.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "plan/matrix/mat.h"
#include "plan/packages/packages.h"
#include <string.h>

static const pl_solver_method *const methods[] = {&pl_solver_cg,        &pl_solver_minres,
                                                  &pl_solver_bicgstab,  &pl_solver_gmres,
                                                  &pl_solver_chebyshev, &pl_solver_richardson};
static const pl_solver_preconditioner *const preconditioners[] = {
  &pl_precondition_jacobi, &pl_precondition_none,  &pl_precondition_block_jacobi, &pl_precondition_chebyshev,
  &pl_precondition_ssor,   &pl_precondition_ilu,   &pl_precondition_ic,           &pl_precondition_boomeramg,
  &pl_precondition_mumps,  &pl_precondition_petsc, &pl_precondition_cudss,        &pl_precondition_amgx};
enum { PRECONDITIONERS = sizeof preconditioners / sizeof *preconditioners };
enum { METHODS = sizeof methods / sizeof *methods };

/* ---- options ---- */

static pl_err take_method(pl_solver *s, const char *name)
{
  for (int i = 0; i < METHODS; i++)
    if (!strcmp(methods[i]->name, name)) s->method = methods[i];
  if (s->method) return PL_SUCCESS;
  return pl_fail(
    s->node.pl, PL_ERR_ARG,
    "solver \"%s\": unknown method \"%s\"; known: cg, minres, bicgstab, gmres, chebyshev, richardson",
    s->node.name, name);
}

static pl_err take_preconditioner(pl_solver *s, const char *name)
{
  const bool diagonal = s->p || s->given_diagonal;
  if (!name) name = preconditioners[!diagonal]->name;
  for (int i = 0; i < PRECONDITIONERS; i++)
    if (!strcmp(preconditioners[i]->name, name)) s->preconditioner = preconditioners[i];
  if (!s->preconditioner)
    return pl_fail(
      s->node.pl, PL_ERR_ARG,
      "solver \"%s\": unknown preconditioner \"%s\"; known: jacobi, none, block_jacobi, chebyshev, ssor, "
      "ilu, ic, boomeramg, mumps, petsc, cudss, amgx",
      s->node.name, name);
  if ((!s->preconditioner->diagonal || diagonal) && (!s->preconditioner->matrix || s->p))
    return s->preconditioner->package ? pl_package_check(s->node.pl, s->preconditioner->package, name)
                                      : PL_SUCCESS;
  return pl_fail(s->node.pl, PL_ERR_ARG, "solver \"%s\": preconditioner \"%s\" of an operator needs its %s",
                 s->node.name, name, s->preconditioner->matrix ? "matrix" : "diagonal");
}

static pl_err check_numbers(const pl_solver *s)
{
  const pl_solver_options *o = &s->options;
  const char *wrong = !(o->rtol >= 0 && o->atol >= 0 && o->dtol >= 0)
                        ? "rtol, atol and dtol must not be negative"
                      : o->iterations < 0                   ? "iterations must not be negative"
                      : o->degree < 0 || o->degree > 1000   ? "degree must be in 0 to 1000"
                      : o->restart < 0 || o->restart > 1000 ? "restart must be in 0 to 1000"
                      : o->package_options && !s->preconditioner->package_options
                        ? "package_options are for the preconditioners boomeramg, petsc and amgx"
                      : !(o->low == 0 && o->high == 0) && !(o->low > 0 && o->high > o->low)
                        ? "low and high must be 0 or 0 < low < high"
                        : NULL;
  if (!wrong) return PL_SUCCESS;
  return pl_fail(s->node.pl, PL_ERR_ARG, "solver \"%s\": %s", s->node.name, wrong);
}

static void set_default(double *value, double otherwise)
{
  if (*value == 0) *value = otherwise;
}

static pl_err take_matrix(pl_solver *s)
{
  pl_mat *p = s->options.preconditioner_matrix;
  s->p = p ? p : s->a;
  if (!p) return PL_SUCCESS;
  const pl_sparsity *sparsity = p->sparsity;
  if (pl_sparsity_is_square(sparsity) && sparsity->rows == s->set && sparsity->block[0] == s->dim &&
      p->type == s->type)
    return PL_SUCCESS;
  return pl_fail(s->node.pl, PL_ERR_TYPE,
                 "solver \"%s\": preconditioner_matrix \"%s\" must be square, with %d of %s on \"%s\"",
                 s->node.name, p->node.name, s->dim, pl_type_name(s->type), s->set->node.name);
}

/* The solver's own copy. */
static pl_err take_package_options(pl_solver *s)
{
  const char *given = s->options.package_options;
  if (!given) return PL_SUCCESS;
  s->options.package_options = pl_strdup(s->node.pl, given);
  return s->options.package_options ? PL_SUCCESS : PL_ERR_MEMORY;
}

static pl_err take_options(pl_solver *s, const pl_solver_options *given, size_t size)
{
  pl_solver_options *o = &s->options;
  if (!pl_struct_take(o, sizeof *o, given, size)) return pl_fail_newer(s->node.pl, "pl_solver_options");
  PL_TRY(take_package_options(s));
  PL_TRY(take_matrix(s));
  PL_TRY(take_preconditioner(s, o->preconditioner));
  const char *usual = s->preconditioner->method;
  PL_TRY(take_method(s, o->method ? o->method : usual ? usual : "cg"));
  o->method = o->preconditioner = NULL;
  PL_TRY(check_numbers(s));
  set_default(&o->rtol, 1e-7);
  set_default(&o->atol, 1e-50);
  set_default(&o->dtol, 1e4);
  set_default(&o->damping, 1);
  if (!o->iterations) o->iterations = 10000;
  if (!o->restart) o->restart = 30;
  if (!o->degree) o->degree = 3;
  return PL_SUCCESS;
}

/* ---- declaration ---- */

static void destroy_solver(pl_node *node)
{
  pl_solver *s = (pl_solver *)node;
  if (s->state && s->method->release) s->method->release(s);
  pl_free_all(node->pl, s->state, (char *)s->options.package_options);
  pl_dat_free(&s->inverse);
  pl_global_free(&s->largest);
  for (int i = 0; i < PL_PRECONDITION_VECTORS; i++) pl_dat_free(&s->precondition_work[i]);
  pl_factors_free(&s->factors);
  pl_row_colours_free(node->pl, &s->colours);
  pl_package_free(&s->package);
  for (int i = 0; i < PL_SOLVER_VECTORS; i++) pl_dat_free(&s->work[i]);
  for (int i = 0; i < PL_SOLVER_SCALARS; i++) pl_global_free(&s->scalar[i]);
  for (pl_solver_batch *b = s->batch; b < s->batch + 2; b++) {
    pl_recording_free(node->pl, &b->steps);
    for (int i = 0; i < PL_SOLVER_BATCH; i++) {
      pl_global_read_free(node->pl, &b->read[i]);
      pl_global_free(&b->norm2[i]);
    }
  }
  pl_global_free(&s->limit);
  for (int i = 0; i < 2; i++) pl_global_free(&s->values[i]);
  if (s->once) pl_set_destroy(&s->once->node);
  pl_node_free(node);
}

pl_err pl_solver_vector(pl_solver *s, const char *name, pl_dat **dat)
{
  return pl_decl_dat_from(s->set, s->dim, s->type, s->type, NULL, name, dat);
}

pl_err pl_solver_check_vector(const pl_solver *s, const pl_dat *dat)
{
  if (dat->set == s->set && dat->dim == s->dim && dat->type == s->type) return PL_SUCCESS;
  return pl_fail(s->node.pl, PL_ERR_TYPE, "solver \"%s\": dat \"%s\" must hold %d of %s on \"%s\"",
                 s->node.name, dat->node.name, s->dim, pl_type_name(s->type), s->set->node.name);
}

static pl_err make_state(pl_solver *s)
{
  pl_context *pl = s->node.pl;
  for (int i = 0; i < 2; i++)
    PL_TRY(pl_decl_global_from(pl, s->method->values, PL_DOUBLE, PL_DOUBLE, NULL, "state", &s->values[i]));
  return pl_internal_set_new(pl, pl_rank(pl) ? 0 : 1, "once", &s->once);
}

static pl_err make_objects(pl_solver *s)
{
  pl_context *pl = s->node.pl;
  for (int i = 0; i < PL_SOLVER_OWN + s->method->vectors; i++)
    PL_TRY(pl_solver_vector(s, "solver", &s->work[i]));
  for (int i = 0; i < s->preconditioner->vectors; i++)
    PL_TRY(pl_solver_vector(s, "preconditioner", &s->precondition_work[i]));
  for (int i = 0; i < s->method->scalars; i++)
    PL_TRY(pl_decl_global_from(pl, 1, PL_DOUBLE, PL_DOUBLE, NULL, "scalar", &s->scalar[i]));
  for (int k = 0; k < (s->method->stays ? 2 : 1); k++)
    for (int i = 0; i < (s->method->batch ? PL_SOLVER_BATCH : 1); i++)
      PL_TRY(pl_decl_global_from(pl, 1, PL_DOUBLE, PL_DOUBLE, NULL, "norm", &s->batch[k].norm2[i]));
  PL_TRY(pl_decl_global_from(pl, 1, PL_DOUBLE, PL_DOUBLE, NULL, "limit", &s->limit));
  return s->method->values ? make_state(s) : PL_SUCCESS;
}

/* On devices the waits for sums count where a system is small; the same on all ranks. */
static void choose_variant(pl_solver *s)
{
  enum { MOST_SINGLE = 1 << 18 };
  pl_context *pl = s->node.pl;
  const bool small = s->set->global_size <= MOST_SINGLE * (int64_t)pl_ranks(pl);
  if (s->method == &pl_solver_cg && small && s->a && s->type == PL_DOUBLE &&
      s->preconditioner != &pl_precondition_none && !s->preconditioner->package &&
      pl_comm_all(pl, pl->backend->sync != NULL))
    s->method = &pl_solver_cg_single;
}

static pl_err declare(pl_context *pl, const pl_solver *like, const pl_solver_options *options, size_t size,
                      const char *name, pl_solver **result)
{
  pl_solver *s = pl_node_new(pl, &pl->solvers, sizeof *s, name);
  pl_err err = s ? PL_SUCCESS : PL_ERR_MEMORY;
  if (s) {
    pl_node node = s->node;
    *s = *like;
    s->node = node;
    err = take_options(s, options, size);
  }
  err = pl_agree_on(pl, err, "solver \"%s\" with %s", name, err ? "" : s->method->name);
  if (!err) choose_variant(s);
  pl->own_objects = true;
  if (!err) err = make_objects(s);
  pl->own_objects = false;
  if (err) {
    if (s) destroy_solver(&s->node);
    return err;
  }
  *result = s;
  return PL_SUCCESS;
}

pl_err pl_decl_solver_sized(pl_mat *a, const pl_solver_options *options, size_t size, const char *name,
                            pl_solver **solver)
{
  PL_TRY(PL_GIVEN(NULL, "pl_decl_solver", a));
  pl_context *pl = a->node.pl;
  const pl_sparsity *sparsity = a->sparsity;
  if (!name) name = a->node.name;
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_solver", name, solver));
  if (!pl_sparsity_is_square(sparsity) || pl_type_is_complex(a->type))
    return pl_fail(pl, PL_ERR_TYPE, "solver \"%s\": matrix \"%s\" must be square and real", name,
                   a->node.name);
  const pl_solver like = {.a = a, .set = sparsity->rows, .dim = sparsity->block[0], .type = a->type};
  return declare(pl, &like, options, size, name, solver);
}

static pl_err check_like(const char *name, const pl_dat *like, const pl_dat *diagonal)
{
  pl_context *pl = like->node.pl;
  if (like->type != PL_DOUBLE && like->type != PL_FLOAT)
    return pl_fail(pl, PL_ERR_TYPE, "solver \"%s\": dat \"%s\" must be of double or float", name,
                   like->node.name);
  if (!diagonal || (diagonal->set == like->set && diagonal->dim == like->dim && diagonal->type == like->type))
    return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_TYPE, "solver \"%s\": diagonal \"%s\" must be like dat \"%s\"", name,
                 diagonal->node.name, like->node.name);
}

pl_err pl_decl_solver_apply_sized(pl_dat *like, pl_apply_fn apply, void *user, pl_dat *diagonal,
                                  const pl_solver_options *options, size_t size, const char *name,
                                  pl_solver **solver)
{
  PL_TRY(PL_GIVEN(NULL, "pl_decl_solver_apply", like));
  pl_context *pl = like->node.pl;
  if (!name) name = "(unnamed)";
  if (!apply) return pl_fail(pl, PL_ERR_ARG, "pl_decl_solver_apply \"%s\": apply is NULL", name);
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_solver_apply", name, solver));
  PL_TRY(check_like(name, like, diagonal));
  const pl_solver given = {.apply = apply,
                           .user = user,
                           .given_diagonal = diagonal,
                           .set = like->set,
                           .dim = like->dim,
                           .type = like->type};
  return declare(pl, &given, options, size, name, solver);
}

PL_DEFINE_FREE(pl_solver_free, pl_solver, destroy_solver)

/* ---- objects of the program that are freed ---- */

static void forget_object(pl_context *pl, pl_object_kind kind, void *object)
{
  PL_EACH (pl_solver, s, pl->solvers) {
    if (kind == PL_OBJECT_MATRIX && s->a == object) s->a = NULL;
    if (kind == PL_OBJECT_MATRIX && s->p == object) s->p = NULL;
    if (kind == PL_OBJECT_DAT && s->given_diagonal == object) s->given_diagonal = NULL;
  }
}

static void close_solvers(pl_context *pl)
{
  while (pl->solvers) destroy_solver(pl->solvers);
}

const pl_observer pl_solver_observer = {.object_freed = forget_object, .close = close_solvers};
