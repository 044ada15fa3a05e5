/* SPDX-License-Identifier: BSD-2-Clause
 * Checks a kernel's signature against the arguments of a loop: kind, type, constness, shape.
 */
#include "signature_check.h"
#include "core/data/lowered_args.h"

enum { LABEL = 128 };

/* One parameter and its argument. */
typedef struct match {
  pl_context *pl;
  const pl_kernel *kernel;
  int number; /* from 1 */
  const pl_param *param;
  const pl_arg *arg;
  char object[LABEL]; /* dat "res" */
} match;

/* Begins each message: kernel "res_calc", parameter 3 "res1": */
#define AT "kernel \"%s\", parameter %d \"%s\": "
#define AT_ARGS(m) (m)->kernel->name, (m)->number, (m)->param->name

static const char *object_name(const pl_arg *arg)
{
  const pl_node *node = arg->object; /* the first member of every object */
  return node->name;
}

static void describe_object(match *m)
{
  const pl_arg_traits *kind = pl_arg_traits_of(m->arg);
  if (kind->of)
    snprintf(m->object, LABEL, "%s \"%.100s\"", pl_arg_noun(m->arg), object_name(m->arg));
  else
    snprintf(m->object, LABEL, "the %s argument", kind->noun);
}

/* ---- type and constness ---- */

static const char *spelled(const pl_param *param)
{
  return param->is_real ? "pl_real" : pl_type_name(param->type);
}

static pl_err check_type(const match *m)
{
  const pl_param *param = m->param;
  pl_type type = pl_arg_seen_type(m->arg);
  if (param->shape == PL_SHAPE_OPAQUE)
    return pl_fail(m->pl, PL_ERR_TYPE, AT "\"%.*s\" is not a type or shape for %s: write %s *%s", AT_ARGS(m),
                   param->length, param->text, m->object, pl_type_name(type), param->name);
  bool fits = param->is_real && !m->arg->fixed ? type == PL_FLOAT || type == PL_DOUBLE : type == param->type;
  if (fits) return PL_SUCCESS;
  if (param->is_mixed)
    return pl_fail(m->pl, PL_ERR_TYPE, AT "pl_mixed is %s by option precision, but %s holds %s", AT_ARGS(m),
                   spelled(param), m->object, pl_type_name(type));
  return pl_fail(m->pl, PL_ERR_TYPE, AT "%s, but %s holds %s", AT_ARGS(m), spelled(param), m->object,
                 pl_type_name(type));
}

/* PL_INC needs an addition, PL_MIN and PL_MAX a comparison, and PL_WRITE a value that is set. */
static pl_err check_access(const match *m)
{
  const pl_access access = m->arg->access;
  const pl_param_usage *uses = &m->param->uses;
  const bool sums = access == PL_INC || access == PL_INC_ANTI || access == PL_INC_SYM;
  const bool extreme = access == PL_MIN || access == PL_MAX;
  const bool builds = (uses->adds || uses->scales) && !uses->sets && !uses->weighs && !uses->others;
  if (sums && (uses->sets || uses->scales) && !uses->adds && !uses->others)
    return pl_fail(m->pl, PL_ERR_ACCESS,
                   AT "the kernel never adds to it, but the access to %s is PL_%s: write +=", AT_ARGS(m),
                   m->object, pl_access_name(access));
  if (access == PL_WRITE && builds)
    return pl_fail(m->pl, PL_ERR_ACCESS,
                   AT "the kernel updates the old value, but the access to %s is PL_WRITE, which has "
                      "none: make it %sPL_INC",
                   AT_ARGS(m), m->object, pl_arg_is_tensor(m->arg) ? "" : "PL_RW or ");
  if (extreme && builds)
    return pl_fail(m->pl, PL_ERR_ACCESS,
                   AT "the kernel never compares with it, but the access to %s is PL_%s: write = where a "
                      "value is %s, or make the access PL_INC",
                   AT_ARGS(m), m->object, pl_access_name(access), access == PL_MIN ? "less" : "greater");
  return PL_SUCCESS;
}

static pl_err check_const(const match *m)
{
  bool writes = pl_arg_writes(m->arg);
  if (m->param->is_const && writes)
    return pl_fail(m->pl, PL_ERR_ACCESS,
                   AT "const, but the loop writes %s: drop the const, or make the access PL_READ", AT_ARGS(m),
                   m->object);
  if (writes) return check_access(m);
  if (m->param->is_const) return PL_SUCCESS;
  if (pl_arg_is_numbered(m->arg))
    return pl_fail(m->pl, PL_ERR_ACCESS, AT "%s cannot be written: write const %s *%s", AT_ARGS(m), m->object,
                   pl_type_name(pl_arg_type(m->arg)), m->param->name);
  if (m->param->uses.writes && !m->arg->off)
    return pl_fail(
      m->pl, PL_ERR_ACCESS,
      AT "the kernel assigns to it, but the loop only reads %s: make the access PL_RW, or work on a copy",
      AT_ARGS(m), m->object);
  pl_log(m->pl, 2, AT "%s is only read, so it may be const", AT_ARGS(m), m->object);
  return PL_SUCCESS;
}

/* The suffix of a row type: "real", "double". */
static const char *row_word(const match *m)
{
  return m->param->is_real ? "real" : pl_type_name(pl_arg_type(m->arg));
}

/* ---- shape ---- */

static const char *const_word(const match *m)
{
  return pl_arg_writes(m->arg) ? "" : "const ";
}

/* The extents from `first` on have `dim` values; an unknown extent may have any size. */
static bool holds(const pl_param *param, int first, int dim)
{
  long known = 1;
  bool all_known = true;
  for (int i = first; i < param->rank; i++) {
    if (param->extent[i] < 0)
      all_known = false;
    else
      known *= param->extent[i];
    if (known > 1 && known > dim) return false;
  }
  return all_known ? known == dim : known == 0 ? dim == 0 : dim % known == 0;
}

/* One target: T *x, T x[dim], or T x[a][b] of dim values for a dat. */
static pl_err check_one(const match *m)
{
  const pl_param *param = m->param;
  int dim = pl_arg_dim(m->arg);
  const char *type = spelled(param), *qualifier = const_word(m);
  if (param->shape == PL_SHAPE_POINTERS)
    return pl_fail(m->pl, PL_ERR_KERNEL,
                   AT "an array of pointers, but %s is passed for one element: write %s%s *%s%s", AT_ARGS(m),
                   m->object, qualifier, type, param->name,
                   pl_arg_is_record(m->arg) && m->arg->map ? ", or use PL_ALL in the loop" : "");
  if (param->shape == PL_SHAPE_PACKED && !pl_arg_is_record(m->arg))
    return pl_fail(m->pl, PL_ERR_KERNEL, AT "an array of arrays, but %s has no shape: write %s%s *%s",
                   AT_ARGS(m), m->object, qualifier, type, param->name);
  if (holds(param, 0, dim)) return PL_SUCCESS;
  return pl_fail(m->pl, PL_ERR_KERNEL, AT "\"%.*s\" does not hold the %d value%s of %s: write %s%s %s[%d]",
                 AT_ARGS(m), param->length, param->text, dim, dim == 1 ? "" : "s", m->object, qualifier, type,
                 param->name, dim);
}

/* All targets of a map: T *x[arity], T x[arity][dim], or T *x of all their values. */
static pl_err check_all(const match *m)
{
  const pl_param *param = m->param;
  int arity = pl_arg_targets(m->arg), dim = pl_arg_dim(m->arg);
  const bool flat = param->shape == PL_SHAPE_POINTER;
  bool fits = param->extent[0] < 0 || param->extent[0] == (flat ? arity * dim : arity);
  if (param->shape == PL_SHAPE_PACKED) fits = fits && holds(param, 1, dim);
  if (fits) return PL_SUCCESS;
  const char *type = spelled(param), *qualifier = const_word(m);
  return pl_fail(
    m->pl, PL_ERR_KERNEL,
    AT "\"%.*s\" does not hold the %d target%s of map \"%s\" with %d value%s of %s each: write %s%s *%s[%d], "
       "%s%s %s[%d][%d] or %s%s *%s",
    AT_ARGS(m), param->length, param->text, arity, arity == 1 ? "" : "s", m->arg->map->node.name, dim,
    dim == 1 ? "" : "s", m->object, qualifier, type, param->name, arity, qualifier, type, param->name, arity,
    dim, qualifier, type, param->name);
}

/* The local tensor of a matrix: T A[m][n], T A[m * n] or T *A. */
static pl_err check_tensor(const match *m)
{
  const pl_param *param = m->param;
  const int *tensor = m->arg->map->tensor, *extent = param->extent;
  const bool flat = param->shape == PL_SHAPE_POINTER && (extent[0] < 0 || extent[0] == tensor[0] * tensor[1]);
  const bool rows = param->shape == PL_SHAPE_PACKED && param->rank == 2 && extent[1] == tensor[1] &&
                    (extent[0] < 0 || extent[0] == tensor[0]);
  if (flat || rows) return PL_SUCCESS;
  return pl_fail(
    m->pl, PL_ERR_KERNEL,
    AT "\"%.*s\" does not hold the local tensor of %s, %d x %d values: write %s %s[%d][%d] or %s *%s",
    AT_ARGS(m), param->length, param->text, m->object, tensor[0], tensor[1], spelled(param), param->name,
    tensor[0], tensor[1], spelled(param), param->name);
}

static pl_err fail_reach(const match *m, int reach, int most, const char *unit, const char *of)
{
  return pl_fail(m->pl, PL_ERR_KERNEL, AT "the kernel uses %s %d, but %s has %d, from 0 to %d", AT_ARGS(m),
                 unit, reach - 1, of, most, most - 1);
}

/* Constant indices stay within the argument. */
static pl_err check_reach(const match *m)
{
  const pl_param *param = m->param;
  const int *reach = param->uses.reach, dim = pl_arg_dim(m->arg);
  bool all = m->arg->map && m->arg->index == PL_ALL;
  int arity = all ? pl_arg_targets(m->arg) : 0;
  char map[LABEL];
  if (param->shape == PL_SHAPE_POINTER && !all && reach[0] > dim)
    return fail_reach(m, reach[0], dim, "value", m->object);
  if (all && param->shape == PL_SHAPE_POINTER && reach[0] > arity * dim)
    return fail_reach(m, reach[0], arity * dim, "value", m->object);
  if (!all || param->shape == PL_SHAPE_POINTER) return PL_SUCCESS;
  snprintf(map, LABEL, "map \"%.100s\"", m->arg->map->node.name);
  if (reach[0] > arity) return fail_reach(m, reach[0], arity, "target", map);
  if (param->rank <= 2 && reach[1] > dim) return fail_reach(m, reach[1], dim, "value", m->object);
  return PL_SUCCESS;
}

/* Row parameters belong to ragged maps. */
static pl_err check_row(const match *m)
{
  bool row = pl_arg_is_row(m->arg) && pl_arg_is_record(m->arg);
  if (row == (m->param->shape == PL_SHAPE_ROW)) return PL_SUCCESS;
  if (row)
    return pl_fail(m->pl, PL_ERR_KERNEL,
                   AT "%s comes through map \"%s\", which is ragged: write const pl_row_%s *%s", AT_ARGS(m),
                   m->object, m->arg->map->node.name, row_word(m), m->param->name);
  return pl_fail(m->pl, PL_ERR_KERNEL, AT "a row, but %s does not come through a ragged map: write %s%s *%s",
                 AT_ARGS(m), m->object, const_word(m), pl_type_name(pl_arg_type(m->arg)), m->param->name);
}

static pl_err check_param(const match *m)
{
  if (pl_arg_is_foreign(m->arg)) return PL_SUCCESS;
  PL_TRY(check_type(m));
  PL_TRY(check_const(m));
  PL_TRY(check_row(m));
  if (m->param->shape == PL_SHAPE_ROW) return PL_SUCCESS;
  if (m->arg->map && m->arg->map->tensor[0]) return check_tensor(m);
  PL_TRY(m->arg->map && m->arg->index == PL_ALL ? check_all(m) : check_one(m));
  return m->arg->kind == PL_ARG_INDEX ? PL_SUCCESS : check_reach(m);
}

pl_err pl_signature_check_values(pl_context *pl, const pl_kernel *kernel, int number, const pl_param *param,
                                 const pl_arg *arg, const char *object)
{
  match m = {pl, kernel, number, param, arg, ""};
  snprintf(m.object, LABEL, "%s", object);
  PL_TRY(check_type(&m));
  return check_const(&m);
}

/* ---- pl_real ---- */

/* pl_real is one type in the whole kernel: that of the first pl_real parameter, here `first`. */
static pl_err decide_real(const match *m, match *first, pl_signature *signature)
{
  if (!m->param->is_real || pl_arg_is_foreign(m->arg)) return PL_SUCCESS;
  pl_type type = pl_arg_type(m->arg);
  if (first->param && type != signature->real)
    return pl_fail(m->pl, PL_ERR_TYPE,
                   AT
                   "pl_real is %s for %s, but %s for parameter %d \"%s\" (%s): it must be one type in a loop",
                   AT_ARGS(m), pl_type_name(type), m->object, pl_type_name(signature->real), first->number,
                   first->param->name, first->object);
  if (!first->param) *first = *m;
  signature->real = type;
  return PL_SUCCESS;
}

static void set_real_types(pl_signature *signature)
{
  for (int i = 0; i < signature->count; i++)
    if (signature->param[i].is_real && signature->param[i].type != PL_TYPE_COUNT)
      signature->param[i].type = signature->real;
}

pl_err pl_signature_bind(pl_context *pl, const pl_loop *loop, pl_signature *signature)
{
  match first = {.param = NULL};
  if (loop->nargs != signature->count)
    return pl_fail(pl, PL_ERR_KERNEL,
                   "kernel \"%s\" has %d parameter%s, but the loop over set \"%s\" passes %d argument%s",
                   loop->kernel->name, signature->count, signature->count == 1 ? "" : "s",
                   loop->set->node.name, loop->nargs, loop->nargs == 1 ? "" : "s");
  for (int i = 0; i < loop->nargs; i++) {
    match m = {pl, loop->kernel, i + 1, &signature->param[i], &loop->args[i], ""};
    describe_object(&m);
    PL_TRY(check_param(&m));
    PL_TRY(decide_real(&m, &first, signature));
  }
  set_real_types(signature);
  return PL_SUCCESS;
}

pl_err pl_loop_signature(const pl_loop *loop, pl_signature *signature)
{
  PL_TRY(pl_signature_parse(loop->pl, loop->kernel, signature));
  pl_err err = pl_signature_bind(loop->pl, loop, signature);
  if (err) pl_signature_free(signature);
  return err;
}
