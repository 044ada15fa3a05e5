/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions and scans: checks the call, lets the backend run it, updates versions.
 */
#include "reduce_scan.h"
#include "core/chain/deferred_queue.h"
#include "core/data/async_allreduce.h"
#include "core/data/objects.h"
#include "core/loop/arg.h"
#include "user_order_copy.h"

/* Fails with a sentence that begins: pl_scan "where", argument 2 (dat "found"). */
static pl_err reject_arg(const pl_scan_call *call, int i, pl_err code, const char *why)
{
  char name[PL_ARG_NAME];
  return pl_fail(call->set->node.pl, code, "%s \"%s\", %s: %s", call->result ? "pl_reduce" : "pl_scan",
                 call->algorithm->name, pl_arg_name(call->args, i, name), why);
}

static pl_err check_arg(const pl_scan_call *call, int i)
{
  const pl_arg *arg = &call->args[i];
  if ((!pl_arg_is_record(arg) && arg->kind != PL_ARG_GLOBAL) || !arg->object || arg->with)
    return pl_fail(
      call->set->node.pl, PL_ERR_ARG,
      "\"%s\", argument %d: an algorithm takes pl_arg_dat and pl_arg_gbl, and it may not be NULL",
      call->algorithm->name, i + 1);
  if (((pl_node *)arg->object)->pl != call->set->node.pl)
    return reject_arg(call, i, PL_ERR_ARG, "it belongs to another context");
  if (arg->map || arg->component >= 0 || arg->off)
    return reject_arg(call, i, PL_ERR_ARG,
                      "an algorithm takes whole arrays: use no map, component or pl_arg_opt");
  if (arg->access != PL_READ && arg->access != PL_RW && arg->access != PL_WRITE)
    return reject_arg(call, i, PL_ERR_ACCESS, "the access must be PL_READ, PL_RW or PL_WRITE");
  if (call->result && arg->access != PL_READ)
    return reject_arg(call, i, PL_ERR_ACCESS, "a reduction only reads: the access must be PL_READ");
  if (pl_arg_is_record(arg) && pl_dat_view_blocks(arg->object, arg->access != PL_READ))
    return reject_arg(call, i, PL_ERR_STATE, "a host view of it is open; close it with pl_dat_put first");
  return PL_SUCCESS;
}

static pl_err check_call(const pl_scan_call *call, const char *what)
{
  pl_context *pl = call->set->node.pl;
  const pl_algorithm *algorithm = call->algorithm;
  if (!algorithm || !algorithm->name || !algorithm->params || !algorithm->input)
    return pl_fail(pl, PL_ERR_ARG, "%s over \"%s\": the algorithm or its text is NULL", what,
                   call->set->node.name);
  if (call->set->parent)
    return pl_fail(pl, PL_ERR_ARG, "%s \"%s\": \"%s\" is a subset; use set \"%s\"", what, algorithm->name,
                   call->set->node.name, call->set->parent->node.name);
  if (!algorithm->output != (call->result != NULL))
    return pl_fail(pl, PL_ERR_ARG, "%s \"%s\": it was made by %s", what, algorithm->name,
                   algorithm->output ? "PL_SCAN; call pl_scan" : "PL_REDUCTION; call pl_reduce");
  if (!pl->backend->algorithms)
    return pl_fail(pl, PL_ERR_BACKEND, "%s \"%s\": backend %s has no algorithms", what, algorithm->name,
                   pl->backend->name);
  if (algorithm->size > (int)sizeof *algorithm) return pl_fail_newer(pl, "pl_algorithm");
  PL_TRY(pl_args_check_layout(pl, algorithm->name, call->nargs, call->args));
  for (int i = 0; i < call->nargs; i++) PL_TRY(check_arg(call, i));
  return PL_SUCCESS;
}

/* A dat in several arguments is one array: it is written if one of them writes it. */
static bool is_first(const pl_scan_call *call, int i)
{
  return pl_arg_is_record(&call->args[i]) && pl_arg_is_first(call->args, i);
}

static bool is_written(const pl_scan_call *call, const void *object)
{
  PL_EACH_ARG (arg, call)
    if (arg->object == object && arg->access != PL_READ) return true;
  return false;
}

static void mark_written(const pl_scan_call *call)
{
  for (int i = 0; i < call->nargs; i++) {
    pl_dat *dat = call->args[i].object;
    if (!is_first(call, i) || !is_written(call, dat)) continue;
    pl_dat_changed(dat);
  }
}

/* Ending a copy that was not begun has no effect. */
static pl_err run_on_copies(const pl_scan_call *call)
{
  pl_context *pl = call->set->node.pl;
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < call->nargs && !err; i++)
    if (is_first(call, i)) err = pl_user_order_copy_begin(call->args[i].object, true);
  if (!err) err = pl->backend->algorithms->scan(pl, call);
  for (int i = 0; i < call->nargs; i++) {
    bool written = !err && is_written(call, call->args[i].object);
    pl_err end = is_first(call, i) ? pl_user_order_copy_end(call->args[i].object, written) : PL_SUCCESS;
    if (!err) err = end;
  }
  return err;
}

/* Pending reductions must not be added to the values that the call writes. */
static pl_err wait_for_globals(const pl_scan_call *call)
{
  if (call->result) PL_TRY(pl_global_wait(call->result));
  PL_EACH_ARG (arg, call)
    if (arg->kind == PL_ARG_GLOBAL) PL_TRY(pl_global_wait(arg->object));
  return PL_SUCCESS;
}

static pl_err run_call(const pl_scan_call *call, const char *what)
{
  PL_TRY(pl_flush_to_write(call->set->node.pl));
  PL_TRY(check_call(call, what));
  PL_TRY(wait_for_globals(call));
  PL_TRY(run_on_copies(call));
  mark_written(call);
  return PL_SUCCESS;
}

pl_err pl_reduce_args(const pl_algorithm *reduction, pl_set *set, pl_global *result, int nargs,
                      const pl_arg *args)
{
  PL_TRY_GIVEN(set);
  const pl_scan_call call = {reduction, set, result, args ? nargs : 0, args, false};
  if (!result || result->node.pl != set->node.pl)
    return pl_fail(set->node.pl, PL_ERR_ARG,
                   "pl_reduce over \"%s\": the result must be a global of its context", set->node.name);
  if (result->dim != 1)
    return pl_fail(set->node.pl, PL_ERR_ARG, "pl_reduce: the result \"%s\" has dim %d; it must have dim 1",
                   result->node.name, result->dim);
  return run_call(&call, "pl_reduce");
}

pl_err pl_scan_args(const pl_algorithm *scan, pl_set *set, int nargs, const pl_arg *args)
{
  PL_TRY_GIVEN(set);
  const pl_scan_call call = {scan, set, NULL, args ? nargs : 0, args, false};
  return run_call(&call, "pl_scan");
}
