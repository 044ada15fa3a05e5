/* SPDX-License-Identifier: BSD-2-Clause
 * Matrix arguments: their checks; an observer (plan/matrix) knows the positions.
 */
#include "matrix_arg.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "core/mesh/map.h"
#include "core/mesh/set.h"

bool pl_args_have_matrix(int nargs, const pl_arg *args)
{
  for (int i = 0; args && i < nargs && args[i].size == (int)sizeof *args; i++)
    if (args[i].kind == PL_ARG_MATRIX) return true;
  return false;
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

pl_err pl_args_lower(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args, pl_arg **result)
{
  pl_context *pl = set->node.pl;
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < nargs && !err; i++)
    if (args[i].kind == PL_ARG_MATRIX) err = check_matrix(kernel, set, args, i);
  pl_arg *lowered = err ? NULL : pl_memdup(pl, args, (size_t)nargs * sizeof *args);
  if (!err && !lowered) err = pl_fail_memory(pl, (size_t)nargs * sizeof *args);
  PL_TRY(pl_agree_on_error(pl, err));
  for (int i = 0; i < nargs && !err; i++)
    if (args[i].kind == PL_ARG_MATRIX) err = pl_notify_matrix_argument(pl, set, &lowered[i]);
  if (err)
    pl_free(pl, lowered);
  else
    *result = lowered;
  return err;
}

pl_err pl_loop_modified(const pl_loop *loop, pl_err err)
{
  for (int i = 0; i < loop->nargs && !err; i++)
    if (pl_arg_is_tensor(&loop->args[i])) err = pl_notify_matrix_modified(loop->pl, &loop->args[i]);
  return err;
}
