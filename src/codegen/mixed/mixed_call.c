/* SPDX-License-Identifier: BSD-2-Clause
 * Calls of loops with mixed arguments: checks, and the call with their parts.
 */
#include "mixed_call.h"
#include "core/comm/comm.h"
#include "mixed_kernel.h"

/* ---- checks ---- */

static bool is_mixed(const pl_arg *arg)
{
  return arg->kind == PL_ARG_MIXED_DAT || arg->kind == PL_ARG_MIXED_MAT;
}

/* Why a map cannot lead from the set to this mixed set; NULL: it can. */
static const char *reject_map(const pl_set *set, const pl_map *arg, const pl_mixed_set *to)
{
  const pl_mixed_map *map = (const pl_mixed_map *)(const void *)arg;
  if (!map) return "a mixed map of it is NULL";
  if (map->node.pl != set->node.pl) return "a mixed map of it belongs to another context than the set";
  if (map->from != (set->parent ? set->parent : set))
    return "its mixed maps must start from the set of the loop";
  if (map->to != to) return "a mixed map of it ends on another mixed set";
  return NULL;
}

static const char *reject_object(const pl_set *set, const pl_arg *arg)
{
  const pl_mixed_mat *mat = arg->object;
  const pl_mixed_dat *dat = arg->object;
  if (!arg->object) return "it is NULL";
  if (((const pl_node *)arg->object)->pl != set->node.pl) return "it belongs to another context than the set";
  if (set->pairs) return "mixed dats and matrices are not supported in pair loops";
  if (arg->component >= 0 || arg->fixed || arg->with || arg->off)
    return "it has no components, payloads and fixed-point values, and cannot be off";
  if ((arg->row_mask || arg->column_mask) && (arg->kind == PL_ARG_MIXED_DAT || mat->form == PL_MIXED_NESTED))
    return "of mixed arguments, pl_arg_masked takes matrices of PL_MIXED_WHOLE only";
  if (arg->kind == PL_ARG_MIXED_DAT) return reject_map(set, arg->map, dat->set);
  const char *why = reject_map(set, arg->map, mat->side[0]);
  return why ? why : reject_map(set, arg->columns, mat->side[1]);
}

static pl_err check_freed(const pl_arg *arg)
{
  PL_TRY(pl_mixed_map_check((const pl_mixed_map *)(const void *)arg->map));
  if (arg->kind == PL_ARG_MIXED_DAT) return pl_mixed_dat_check(arg->object);
  PL_TRY(pl_mixed_map_check((const pl_mixed_map *)(const void *)arg->columns));
  return pl_mixed_mat_check(arg->object);
}

static pl_err check_arg(pl_set *set, const pl_lowered *call, int i)
{
  const pl_arg *arg = &call->args[i];
  const pl_access access = arg->access;
  char name[PL_ARG_NAME];
  pl_err code = PL_ERR_ARG;
  const char *why = reject_object(set, arg);
  const bool reads = access == PL_READ || access == PL_RW;
  if (!why && access != PL_INC && access != PL_WRITE && (arg->kind == PL_ARG_MIXED_MAT || !reads)) {
    code = PL_ERR_ACCESS;
    why = reads ? "the access to a mixed matrix must be PL_INC or PL_WRITE"
                : "the access to it must be PL_READ, PL_WRITE, PL_RW or PL_INC";
  }
  if (!why) return check_freed(arg);
  return pl_fail(set->node.pl, code, "loop \"%s\" over \"%s\", %s: %s", call->kernel->name, set->node.name,
                 pl_arg_name(call->args, i, name), why);
}

/* ---- the call with parts ---- */

/* A mixed matrix of one matrix takes the maps to all values. */
static pl_arg whole_arg(const pl_arg *arg)
{
  pl_arg whole = *arg;
  whole.kind = PL_ARG_MATRIX;
  whole.object = ((const pl_mixed_mat *)arg->object)->whole;
  whole.map = ((const pl_mixed_map *)(const void *)arg->map)->whole;
  whole.columns = ((const pl_mixed_map *)(const void *)arg->columns)->whole;
  return whole;
}

/* The arguments of the loop, for `all` of the call; their number, with `to` NULL too. */
static int list_parts(int n, const pl_mixed_arg *all, pl_arg *to)
{
  int count = 0;
  for (const pl_mixed_arg *a = all; a < all + n; a++) {
    if (!a->split && to) to[count] = is_mixed(a->arg) ? whole_arg(a->arg) : *a->arg;
    if (!a->split) count++;
    for (int i = 0; a->split && i < a->n[0]; i++)
      for (int j = 0; j < a->n[1]; j++, count++)
        if (to) to[count] = pl_mixed_part_arg(a, i, j);
  }
  return count;
}

static pl_err replace_arguments(pl_context *pl, pl_lowered *call, pl_mixed_arg *all)
{
  bool split = false;
  const pl_kernel *kernel = call->kernel;
  for (int i = 0; i < call->nargs; i++) {
    all[i] = pl_mixed_layout(&call->args[i]);
    split |= all[i].split;
  }
  if (split) PL_TRY(pl_mixed_kernel(pl, call->kernel, call->nargs, all, &kernel));
  const int n = list_parts(call->nargs, all, NULL);
  pl_arg *args = pl_calloc(pl, (size_t)n, sizeof *args);
  if (!args) return pl_fail_memory(pl, (size_t)n * sizeof *args);
  list_parts(call->nargs, all, args);
  pl_free(pl, call->args);
  *call = (pl_lowered){kernel, n, args};
  return PL_SUCCESS;
}

static pl_err mixed_arguments(pl_context *pl, pl_set *set, pl_lowered *call)
{
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < call->nargs && !err; i++)
    if (is_mixed(&call->args[i])) err = check_arg(set, call, i);
  pl_mixed_arg *all = err ? NULL : pl_calloc(pl, (size_t)call->nargs, sizeof *all);
  if (!err)
    err = all ? replace_arguments(pl, call, all) : pl_fail_memory(pl, (size_t)call->nargs * sizeof *all);
  pl_free(pl, all);
  return pl_agree_on_error(pl, err);
}

const pl_observer pl_mixed_call_observer = {.mixed_arguments = mixed_arguments};
