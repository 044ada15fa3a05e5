/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions and scans: arguments are checked here, the backend runs them, versions count what was written.
 */
#include "algorithm.h"
#include "chain.h"
#include "loop.h"
#include "profile.h"
#include <string.h>

int pl_algorithm_size(const pl_set *set)
{
  return set->part[1];
}

/* What every sentence begins with: pl_scan "where", argument 2 (dat "found"). */
static pl_err refuse(const pl_scan_call *call, int i, pl_err code, const char *why)
{
  char name[PL_ARG_NAME];
  return pl_fail(call->set->node.pl, code, "%s \"%s\", %s: %s", call->result ? "pl_reduce" : "pl_scan",
                 call->algorithm->name, pl_arg_name(call->args, i, name), why);
}

static bool view_is_open(const pl_arg *arg)
{
  const pl_dat *dat = arg->object;
  return arg->kind == PL_ARG_DAT && (dat->writer || (dat->readers && arg->access != PL_READ));
}

static pl_err check_arg(const pl_scan_call *call, int i)
{
  const pl_arg *arg = &call->args[i];
  if ((arg->kind != PL_ARG_DAT && arg->kind != PL_ARG_GLOBAL) || !arg->object || arg->with)
    return pl_fail(
      call->set->node.pl, PL_ERR_ARG,
      "\"%s\", argument %d: an algorithm takes pl_arg_dat and pl_arg_gbl, and it may not be NULL",
      call->algorithm->name, i + 1);
  if (((pl_node *)arg->object)->pl != call->set->node.pl)
    return refuse(call, i, PL_ERR_ARG, "it belongs to another context");
  if (arg->map || arg->component >= 0 || arg->off)
    return refuse(call, i, PL_ERR_ARG,
                  "it is handed over as a whole array: no map, component or pl_arg_opt; index the array");
  if (arg->access != PL_READ && arg->access != PL_RW && arg->access != PL_WRITE)
    return refuse(call, i, PL_ERR_ACCESS, "the access must be PL_READ, PL_RW or PL_WRITE");
  if (call->result && arg->access != PL_READ)
    return refuse(call, i, PL_ERR_ACCESS, "a reduction only reads: the access must be PL_READ");
  if (view_is_open(arg))
    return refuse(call, i, PL_ERR_STATE, "a host view of it is open; close it with pl_dat_put first");
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
  if (!pl->backend->scan)
    return pl_fail(pl, PL_ERR_BACKEND, "%s \"%s\": backend %s has no algorithms", what, algorithm->name,
                   pl->backend->name);
  for (int i = 0; i < call->nargs; i++) PL_TRY(check_arg(call, i));
  return PL_SUCCESS;
}

/* ---- running ---- */

/* A dat in several arguments is one array: it is read or written if any of them says so. */
static bool is_first(const pl_scan_call *call, int i)
{
  for (int j = 0; j < i; j++)
    if (call->args[j].object == call->args[i].object) return false;
  return call->args[i].kind == PL_ARG_DAT;
}

static bool is_written(const pl_scan_call *call, const void *object)
{
  for (int i = 0; i < call->nargs; i++)
    if (call->args[i].object == object && call->args[i].access != PL_READ) return true;
  return false;
}

static void mark_written(const pl_scan_call *call)
{
  for (int i = 0; i < call->nargs; i++) {
    pl_dat *dat = call->args[i].object;
    if (!is_first(call, i) || !is_written(call, dat)) continue;
    dat->version++;
    dat->halo_stale = true;
  }
}

/* What was not begun has no spare and ends at once. */
static pl_err run_whole(const pl_scan_call *call)
{
  pl_context *pl = call->set->node.pl;
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < call->nargs && !err; i++)
    if (is_first(call, i)) err = pl_whole_begin(call->args[i].object, true);
  if (!err) err = pl->backend->scan(pl, call);
  for (int i = 0; i < call->nargs; i++) {
    bool written = !err && is_written(call, call->args[i].object);
    pl_err back = is_first(call, i) ? pl_whole_end(call->args[i].object, written) : PL_SUCCESS;
    if (!err) err = back;
  }
  return err;
}

/* Reductions on their way to its globals come first, or they would be added to what the call leaves there. */
static pl_err wait_for_globals(const pl_scan_call *call)
{
  if (call->result) PL_TRY(pl_global_wait(call->result));
  for (int i = 0; i < call->nargs; i++)
    if (call->args[i].kind == PL_ARG_GLOBAL) PL_TRY(pl_global_wait(call->args[i].object));
  return PL_SUCCESS;
}

static pl_err run(const pl_scan_call *call, const char *what)
{
  PL_TRY(pl_late_run(call->set->node.pl));
  PL_TRY(check_call(call, what));
  PL_TRY(wait_for_globals(call));
  PL_TRY(run_whole(call));
  mark_written(call);
  return PL_SUCCESS;
}

pl_err pl_reduce_args(const pl_algorithm *reduction, pl_set *set, pl_global *result, int nargs,
                      const pl_arg *args)
{
  if (!set) return PL_ERR_ARG;
  const pl_scan_call call = {reduction, set, result, args ? nargs : 0, args, false};
  if (!result || result->node.pl != set->node.pl)
    return pl_fail(set->node.pl, PL_ERR_ARG,
                   "pl_reduce over \"%s\": the result must be a global of its context", set->node.name);
  if (result->dim != 1)
    return pl_fail(set->node.pl, PL_ERR_ARG, "pl_reduce: the result \"%s\" has dim %d; one value is wanted",
                   result->node.name, result->dim);
  return run(&call, "pl_reduce");
}

pl_err pl_scan_args(const pl_algorithm *scan, pl_set *set, int nargs, const pl_arg *args)
{
  if (!set) return PL_ERR_ARG;
  const pl_scan_call call = {scan, set, NULL, args ? nargs : 0, args, false};
  return run(&call, "pl_scan");
}
