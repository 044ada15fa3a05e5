/* SPDX-License-Identifier: BSD-2-Clause
 * The arguments of a loop over pairs: what can be said of them without the kernel's text.
 */
#include "loop.h"
#include "pairs.h"

typedef struct checker {
  pl_context *pl;
  const pl_kernel *kernel;
  const pl_map *map;
  int nargs;
  const pl_arg *args;
} checker;

#define reject(c, i, code, ...)                                                                              \
  pl_arg_reject((c)->pl, "pair loop", (c)->kernel, &(c)->map->node, (c)->args, i, code, __VA_ARGS__)

static bool is_symmetric(pl_access access)
{
  return access == PL_INC_ANTI || access == PL_INC_SYM;
}

/* Which sides an argument names, and through which map. */
static pl_err check_side(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->map != c->map)
    return reject(c, i, PL_ERR_ARG,
                  "it must go through \"%s\", the map of the pairs: side 0, side 1 or PL_BOTH",
                  c->map->node.name);
  if (arg->index == 0 || arg->index == 1) return PL_SUCCESS;
  if (arg->index == PL_BOTH && is_symmetric(arg->access)) return PL_SUCCESS;
  return reject(c, i, PL_ERR_RANGE,
                "side %d; a pair has side 0 and side 1, and PL_BOTH with PL_INC_ANTI or PL_INC_SYM",
                arg->index);
}

static pl_err check_ends(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  const pl_dat *dat = arg->object;
  bool first = arg->index != 1, second = arg->index != 0;
  if ((!first || dat->set == c->map->from) && (!second || dat->set == c->map->to)) return PL_SUCCESS;
  return reject(c, i, PL_ERR_ARG, "it lives on \"%s\", but the pairs are between \"%s\" and \"%s\"",
                dat->set->node.name, c->map->from->node.name, c->map->to->node.name);
}

static pl_err check_dat(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  const pl_dat *dat = arg->object;
  PL_TRY(check_side(c, i));
  PL_TRY(check_ends(c, i));
  if (arg->component < -1 || arg->component >= dat->dim)
    return reject(c, i, PL_ERR_RANGE, "component %d of a dat of dim %d", arg->component, dat->dim);
  if (pl_type_is_complex(dat->type))
    return reject(c, i, PL_ERR_TYPE, "complex values are not for pair loops yet");
  if (arg->index == PL_BOTH) return PL_SUCCESS;
  if (arg->access != PL_READ && arg->access != PL_INC)
    return reject(c, i, PL_ERR_ACCESS,
                  "one side of a pair is PL_READ or PL_INC; both are PL_INC_ANTI or PL_INC_SYM");
  if (arg->access == PL_INC && arg->index == 1 && c->map->pair_map)
    return reject(c, i, PL_ERR_ACCESS,
                  "a pair map shows each pair from both sides, so increments of one side go to side 0");
  return PL_SUCCESS;
}

/* A difference or distance: of values that live on both ends. */
static pl_err check_geometry(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  const pl_dat *dat = arg->object;
  if (dat->set != c->map->from || dat->set != c->map->to)
    return reject(c, i, PL_ERR_ARG, "it lives on \"%s\", but the pairs are between \"%s\" and \"%s\"",
                  dat->set->node.name, c->map->from->node.name, c->map->to->node.name);
  if (dat->type != PL_DOUBLE && dat->type != PL_FLOAT)
    return reject(c, i, PL_ERR_TYPE, "a difference is of double or float values, not %s",
                  pl_type_name(dat->type));
  return PL_SUCCESS;
}

static pl_err check_global(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->with) return reject(c, i, PL_ERR_ACCESS, "pair loops carry no payloads");
  if (arg->access != PL_READ && arg->access != PL_INC && arg->access != PL_MIN && arg->access != PL_MAX)
    return reject(c, i, PL_ERR_ACCESS, "a global is PL_READ, PL_INC, PL_MIN or PL_MAX");
  if (pl_type_is_complex(pl_arg_type(arg)))
    return reject(c, i, PL_ERR_TYPE, "complex values are not for pair loops yet");
  return PL_SUCCESS;
}

static pl_err check_object(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->kind < PL_ARG_DAT || arg->kind > PL_ARG_DISTANCE)
    return reject(c, i, PL_ERR_ARG, "it was not made by a pl_arg_ function");
  if (arg->kind == PL_ARG_INDEX) return PL_SUCCESS;
  if (arg->kind == PL_ARG_POINTER)
    return reject(c, i, PL_ERR_ARG, "pointers of the program's own are not for pair loops");
  if (!arg->object) return reject(c, i, PL_ERR_ARG, "it is NULL");
  if (((pl_node *)arg->object)->pl != c->pl)
    return reject(c, i, PL_ERR_ARG, "it belongs to another context than the pairs");
  return PL_SUCCESS;
}

static pl_err check_arg(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  PL_TRY(check_object(c, i));
  switch (arg->kind) {
  case PL_ARG_DAT:
    return check_dat(c, i);
  case PL_ARG_GLOBAL:
    return check_global(c, i);
  case PL_ARG_INDEX:
    return check_side(c, i);
  case PL_ARG_CONST:
    return arg->access == PL_READ ? PL_SUCCESS : reject(c, i, PL_ERR_ACCESS, "a const can only be PL_READ");
  default:
    return check_geometry(c, i);
  }
}

static bool reads(const pl_arg *arg)
{
  return arg->kind == PL_ARG_DIFFERENCE || arg->kind == PL_ARG_DISTANCE || arg->access == PL_READ;
}

/* What one pair adds another must not read. */
static pl_err check_pairs(const checker *c, int j)
{
  const pl_arg *b = &c->args[j];
  for (int i = 0; i < j; i++) {
    const pl_arg *a = &c->args[i];
    if (a->off || b->off || a->object != b->object || a->kind == PL_ARG_INDEX || b->kind == PL_ARG_INDEX)
      continue;
    if (a->kind == PL_ARG_GLOBAL ? a->access != b->access : reads(a) != reads(b))
      return reject(
        c, j, PL_ERR_ACCESS,
        "argument %d is the same %s with another access, so the result would depend on the order of pairs",
        i + 1, a->kind == PL_ARG_GLOBAL ? "global" : "dat");
  }
  return PL_SUCCESS;
}

pl_err pl_pair_args_check(pl_context *pl, const pl_kernel *kernel, const pl_map *map, int nargs,
                          const pl_arg *args)
{
  checker c = {pl, kernel, map, nargs, args};
  for (int i = 0; i < nargs; i++) PL_TRY(check_arg(&c, i));
  for (int i = 0; i < nargs; i++) PL_TRY(check_pairs(&c, i));
  return PL_SUCCESS;
}
