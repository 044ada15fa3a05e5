/* SPDX-License-Identifier: BSD-2-Clause
 * The public functions of loops. pl_par_loop_args() is where a call enters.
 */
#include "loop.h"
#include "arg.h"
#include "core/comm/comm.h"
#include "core/data/lowered_args.h"

/* Without a set, the context is that of an argument's object. */
static pl_err fail_no_set(const char *what, const pl_kernel *kernel, int nargs, const pl_arg *args)
{
  const char *name = kernel && kernel->name ? kernel->name : "";
  for (int i = 0; args && i < nargs; i++)
    if (args[i].object && args[i].kind >= PL_ARG_DAT && args[i].kind <= PL_ARG_CONST) {
      pl_context *pl = ((const pl_node *)args[i].object)->pl;
      return pl_agree_on_error(pl, pl_fail(pl, PL_ERR_ARG, "%s of \"%s\": the set is NULL", what, name));
    }
  return pl_fail(NULL, PL_ERR_NULL, "%s of \"%s\": the set is NULL", what, name);
}

static pl_err check_call(const char *what, const pl_kernel *kernel, const pl_set *set, int nargs,
                         const pl_arg *args)
{
  if (!set) return fail_no_set(what, kernel, nargs, args);
  pl_context *pl = set->node.pl;
  if (!kernel || !kernel->name)
    return pl_agree_on_error(
      pl, pl_fail(pl, PL_ERR_ARG, "%s over \"%s\": the kernel is NULL", what, set->node.name));
  if (kernel->size > (int)sizeof *kernel) return pl_agree_on_error(pl, pl_fail_newer(pl, "pl_kernel"));
  pl_err err = pl_args_check_layout(pl, kernel->name, nargs, args);
  return err ? pl_agree_on_error(pl, err) : PL_SUCCESS;
}

/* Stores the pointers of pl_arg_ptr, which may differ in every call. */
static void store_pointers(pl_loop *loop, const pl_arg *args)
{
  for (int i = 0; loop->immediate && i < loop->nargs; i++)
    if (pl_arg_is_foreign(&args[i])) loop->args[i].object = args[i].object;
}

/* When the loop of a call runs: in order with others, at once, or whenever its handle is run. */
typedef enum when { RECORDED, AT_ONCE, BY_HANDLE } when;

/* The loop of a call. */
static pl_err get_loop(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args, when when,
                       pl_loop **loop)
{
  if (pl_args_are_lowered(nargs, args)) {
    PL_TRY(pl_loop_get(kernel, set, args ? nargs : 0, args, when != RECORDED, loop));
    store_pointers(*loop, args);
    return PL_SUCCESS;
  }
  pl_lowered l;
  PL_TRY(pl_args_lower(kernel, set, nargs, args, &l));
  if (when == AT_ONCE && !set->node.pl->deferred.count) pl_lowered_take_zeros(&l);
  pl_err err = pl_loop_get(l.kernel, set, l.nargs, l.args, when != RECORDED, loop);
  if (!err) store_pointers(*loop, l.args);
  pl_free(set->node.pl, l.args);
  return err;
}

static pl_err call_loop(pl_loop *loop)
{
  return pl_loop_modified(loop,
                          pl_defers(loop->pl) ? pl_notify_loop_called(loop->pl, loop) : pl_loop_call(loop));
}

/* A call: the loop is found by its signature, or checked, agreed on by all ranks, inserted and prepared; then
 * it is recorded (core/chain) or run (loop_run.c). */
pl_err pl_par_loop_args(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args)
{
  pl_loop *loop = set ? pl_loop_recent(kernel, set, nargs, args) : NULL;
  if (loop) {
    store_pointers(loop, args);
    return call_loop(loop);
  }
  PL_TRY(check_call("pl_par_loop", kernel, set, nargs, args));
  PL_TRY(get_loop(kernel, set, nargs, args, pl_defers(set->node.pl) ? RECORDED : AT_ONCE, &loop));
  pl_loop_keep_recent(loop);
  return call_loop(loop);
}

pl_err pl_loop_create_args(pl_loop **handle, const pl_kernel *kernel, pl_set *set, int nargs,
                           const pl_arg *args)
{
  pl_loop *loop;
  PL_TRY(check_call("pl_loop_create", kernel, set, nargs, args));
  if (!handle) return pl_fail(set->node.pl, PL_ERR_ARG, "pl_loop_create: the handle is NULL");
  PL_TRY(get_loop(kernel, set, nargs, args, BY_HANDLE, &loop));
  loop->handles++;
  *handle = loop;
  return PL_SUCCESS;
}

pl_err pl_loop_run(pl_loop *loop)
{
  PL_TRY_GIVEN(loop);
  if (!loop->tabled)
    return pl_fail(loop->pl, PL_ERR_STATE,
                   "pl_loop_run: an object that the loop uses was freed; create the loop again");
  PL_TRY(pl_loop_refresh(loop));
  return call_loop(loop);
}

static pl_err check_replacement(const pl_loop *loop, int i, const pl_dat *dat)
{
  pl_context *pl = loop->pl;
  if (!loop->tabled)
    return pl_fail(pl, PL_ERR_STATE,
                   "pl_loop_replace_dat: an object that the loop uses was freed; create the loop again");
  if (pl_kernel_wrapped(loop->kernel))
    return pl_fail(pl, PL_ERR_ARG,
                   "pl_loop_replace_dat: loop \"%s\" has mixed arguments; create another loop",
                   loop->kernel->name);
  if (i < 0 || i >= loop->nargs || !pl_arg_is_record(&loop->args[i]))
    return pl_fail(pl, PL_ERR_RANGE, "pl_loop_replace_dat: loop \"%s\" has no dat at argument %d (from 0)",
                   loop->kernel->name, i);
  const pl_dat *old = loop->args[i].object;
  if (dat->node.pl != pl || dat->set != old->set || dat->dim != old->dim || dat->type != old->type)
    return pl_fail(pl, PL_ERR_TYPE, "pl_loop_replace_dat: \"%s\" differs from \"%s\" in set, dim or type",
                   dat->node.name, old->node.name);
  return PL_SUCCESS;
}

pl_err pl_loop_replace_dat(pl_loop **handle, int i, pl_dat *dat)
{
  pl_loop *loop = handle ? *handle : NULL;
  PL_TRY(PL_GIVEN(loop ? loop->pl : pl_context_of(dat), "pl_loop_replace_dat", loop, dat));
  pl_context *pl = loop->pl;
  PL_TRY(check_replacement(loop, i, dat));
  pl_arg *args = pl_memdup(pl, loop->args, (size_t)loop->nargs * sizeof *args);
  if (!args) return pl_fail_memory(pl, (size_t)loop->nargs * sizeof *args);
  args[i].object = dat;
  pl_loop *other;
  pl_err err = pl_loop_get(loop->kernel, loop->set, loop->nargs, args, true, &other);
  pl_free(pl, args);
  if (err) return err;
  other->handles++;
  pl_loop_free(handle);
  *handle = other;
  return PL_SUCCESS;
}
