/* SPDX-License-Identifier: BSD-2-Clause
 * Matrix arguments: their checks; an observer (plan/matrix) knows the positions. Another (codegen/mixed)
 * replaces mixed arguments.
 */
#include "lowered_args.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "core/mesh/map.h"
#include "core/mesh/set.h"
#include "core/storage/storage.h"

static bool have(int nargs, const pl_arg *args, pl_arg_object of)
{
  for (int i = 0; args && i < nargs && args[i].size == (int)sizeof *args; i++)
    if (pl_arg_traits_of(&args[i])->of == of) return true;
  return false;
}

bool pl_args_are_lowered(int nargs, const pl_arg *args)
{
  return !have(nargs, args, PL_OF_MATRIX) && !have(nargs, args, PL_OF_MIXED);
}

/* Why a map cannot be the row or column map of a matrix in a loop over `set`; NULL: it can. */
static const char *reject_map(pl_set *set, const pl_map *map)
{
  if (!map) return "it needs a map of rows and a map of columns";
  if (map->node.pl != set->node.pl) return "a map of it belongs to another context than the set";
  if (map->from != pl_set_base(set)) return "its maps must start from the set of the loop";
  if (map->offset || map->pair_map) return "its maps must have a fixed arity";
  return NULL;
}

static pl_err check_matrix(const pl_kernel *kernel, pl_set *set, const pl_arg *args, int i)
{
  const pl_arg *arg = &args[i];
  char name[PL_ARG_NAME];
  pl_err code = PL_ERR_ARG;
  const char *why = NULL;
  if (!arg->object) {
    why = "it is NULL";
  } else if (((pl_node *)arg->object)->pl != set->node.pl) {
    why = "it belongs to another context than the set";
  } else if (set->pairs) {
    why = "matrices are not supported in pair loops";
  } else if (arg->access != PL_INC && arg->access != PL_WRITE) {
    code = PL_ERR_ACCESS;
    why = "the access to a matrix must be PL_INC or PL_WRITE";
  } else if (arg->component >= 0 || arg->fixed || arg->with) {
    why = "a matrix has no components, payloads and fixed-point values";
  } else if (!(why = reject_map(set, arg->map))) {
    why = reject_map(set, arg->columns);
  }
  if (!why) return PL_SUCCESS;
  return pl_fail(set->node.pl, code, "loop \"%s\" over \"%s\", %s: %s", kernel->name, set->node.name,
                 pl_arg_name(args, i, name), why);
}

static pl_err lower_matrices(pl_set *set, pl_lowered *l)
{
  pl_context *pl = set->node.pl;
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < l->nargs && !err; i++)
    if (l->args[i].kind == PL_ARG_MATRIX) err = check_matrix(l->kernel, set, l->args, i);
  PL_TRY(pl_agree_on_error(pl, err));
  for (int i = 0; i < l->nargs && !err; i++)
    if (l->args[i].kind == PL_ARG_MATRIX) err = pl_notify_matrix_argument(pl, set, &l->args[i]);
  return err;
}

pl_err pl_args_lower(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args, pl_lowered *lowered)
{
  pl_context *pl = set->node.pl;
  pl_lowered l = {kernel, nargs, pl_memdup(pl, args, (size_t)nargs * sizeof *args)};
  pl_err err = pl_agree_on_error(pl, l.args ? PL_SUCCESS : pl_fail_memory(pl, (size_t)nargs * sizeof *args));
  if (!err && have(nargs, args, PL_OF_MIXED)) err = pl_notify_mixed_arguments(pl, set, &l);
  if (!err) err = lower_matrices(set, &l);
  if (err) return pl_free(pl, l.args), err;
  *lowered = l;
  return PL_SUCCESS;
}

void pl_lowered_take_zeros(pl_lowered *l)
{
  for (int i = 0; i < l->nargs; i++) {
    pl_arg *arg = &l->args[i];
    if (!pl_arg_is_tensor(arg) || arg->access != PL_INC || arg->off || !pl_dat_is_zero(arg->object)) continue;
    bool alone = true;
    for (int j = 0; j < l->nargs; j++) alone &= j == i || l->args[j].object != arg->object || l->args[j].off;
    arg->zeroed |= alone;
  }
}

pl_err pl_loop_refresh(const pl_loop *loop)
{
  for (int i = 0; loop->tensors && i < loop->nargs; i++)
    if (pl_arg_is_tensor(&loop->args[i]) && loop->args[i].map->masked)
      PL_TRY(pl_notify_refresh_positions(loop->pl, loop->args[i].map));
  return PL_SUCCESS;
}

pl_err pl_loop_modified(const pl_loop *loop, pl_err err)
{
  for (int i = 0; loop->tensors && i < loop->nargs && !err; i++)
    if (pl_arg_is_tensor(&loop->args[i])) err = pl_notify_matrix_modified(loop->pl, &loop->args[i]);
  return err;
}
