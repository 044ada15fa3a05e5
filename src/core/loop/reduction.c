/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions of a loop: partial results, how two of them become one, and how they reach the globals.
 * Invariant: partial results start from the neutral element, so a global's own value enters once, at the end.
 */
#include "loop.h"
#include "total.h"
#include <string.h>

bool pl_arg_reduces(const pl_arg *arg)
{
  return arg->kind == PL_ARG_GLOBAL && pl_arg_writes(arg);
}

int pl_payload_of(const pl_loop *loop, int i)
{
  const pl_global *of = loop->args[i].kind == PL_ARG_GLOBAL ? loop->args[i].with : NULL;
  if (!of) return -1;
  for (int j = 0; j < loop->nargs; j++)
    if (loop->args[j].kind == PL_ARG_GLOBAL && loop->args[j].object == of && !loop->args[j].with) return j;
  return -1;
}

bool pl_has_payload(const pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  if (!pl_arg_reduces(arg) || arg->with) return false;
  for (int j = 0; j < loop->nargs; j++)
    if (!loop->args[j].off && pl_payload_of(loop, j) == i) return true;
  return false;
}

void pl_results_clear(const pl_loop *loop, void *const *result, int64_t *where)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (pl_arg_reduces(arg)) pl_neutral(pl_arg_type(arg), arg->access, result[i], (size_t)pl_arg_dim(arg));
    where[i] = -1;
  }
}

/* Whether `a` is a better value than `b`. Zeros of either sign are equal: neither beats the other. */
static bool beats(const pl_arg *arg, const void *a, const void *b)
{
  char best[16];
  size_t size = pl_type_size(pl_arg_type(arg));
  memcpy(best, b, size);
  pl_combine(pl_arg_type(arg), arg->access, best, a, 1);
  return memcmp(best, b, size) != 0;
}

/* Whether `from` of a reduction with payload beats `into`: a better value, or the same at a lower element. */
static bool wins(const pl_arg *arg, const void *into, int64_t into_where, const void *from,
                 int64_t from_where)
{
  if (from_where < 0) return false;
  if (into_where < 0 || beats(arg, from, into)) return true;
  return from_where < into_where && !beats(arg, into, from);
}

static void copy_result(const pl_arg *arg, void *into, const void *from)
{
  memcpy(into, from, (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg)));
}

static void take_winner(const pl_loop *loop, int i, void *const *into, int64_t *into_where, void *const *from,
                        const int64_t *from_where)
{
  if (!wins(&loop->args[i], into[i], into_where[i], from[i], from_where[i])) return;
  copy_result(&loop->args[i], into[i], from[i]);
  into_where[i] = from_where[i];
  for (int j = 0; j < loop->nargs; j++)
    if (!loop->args[j].off && pl_payload_of(loop, j) == i) copy_result(&loop->args[j], into[j], from[j]);
}

void pl_results_add(const pl_loop *loop, void *const *into, int64_t *into_where, void *const *from,
                    const int64_t *from_where)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_reduces(arg) || arg->with) continue;
    if (pl_has_payload(loop, i))
      take_winner(loop, i, into, into_where, from, from_where);
    else
      pl_combine(pl_arg_type(arg), arg->access, into[i], from[i], (size_t)pl_arg_dim(arg));
  }
}

/* ---- into the globals ---- */

static bool takes_turns(const pl_loop *loop)
{
  return pl_ranks(loop->pl) > 1 && loop->pl->backend->ends_reductions;
}

static size_t global_bytes(const pl_global *global)
{
  return (size_t)global->dim * pl_type_size(global->type);
}

static bool ends_here(const pl_arg *arg)
{
  return pl_arg_reduces(arg) && !arg->with;
}

/* A device works on a value of this rank's own, which the others' join afterwards. */
static pl_err set_aside(const pl_arg *arg)
{
  pl_global *global = arg->object;
  pl_context *pl = global->node.pl;
  if (!global->kept) global->kept = pl_malloc(pl, global_bytes(global));
  if (!global->kept) return pl_fail_memory(pl, global_bytes(global));
  if (global->host_stale) PL_TRY(pl_global_host(global));
  memcpy(global->kept, global->value, global_bytes(global));
  if (arg->with) return PL_SUCCESS;
  pl_neutral(global->type, arg->access, global->value, (size_t)global->dim);
  pl_global_host_written(global);
  return PL_SUCCESS;
}

/* Whether a loop adds to a global without looking at its value. */
static bool only_adds(const pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  bool compared = arg->with || pl_has_payload(loop, i) || pl_opt_flag(loop->pl, PL_OPT_CHECK);
  return pl_arg_reduces(arg) && !compared;
}

/* Whether no argument before this one is the same global. */
static bool is_first(const pl_loop *loop, int i)
{
  int j = 0;
  while (loop->args[j].kind != PL_ARG_GLOBAL || loop->args[j].object != loop->args[i].object) j++;
  return j == i;
}

pl_err pl_reductions_begin(pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->kind != PL_ARG_GLOBAL || arg->off || !is_first(loop, i)) continue;
    PL_TRY(only_adds(loop, i) ? pl_totals_limit(loop->pl) : pl_global_wait((pl_global *)arg->object));
    if (takes_turns(loop) && pl_arg_reduces(arg)) PL_TRY(set_aside(arg));
  }
  return PL_SUCCESS;
}

static void put_back(pl_global *global)
{
  memcpy(global->value, global->kept, global_bytes(global));
  pl_global_host_written(global);
}

void pl_reductions_cancel(pl_loop *loop)
{
  for (int i = 0; takes_turns(loop) && i < loop->nargs; i++) {
    pl_global *global = loop->args[i].object;
    if (pl_arg_reduces(&loop->args[i]) && global->kept) put_back(global);
  }
}

/* What a device has found, and the value as it was. */
static pl_err take_found(pl_global *global, void *found)
{
  PL_TRY(pl_global_host(global));
  memcpy(found, global->value, global_bytes(global));
  put_back(global);
  return PL_SUCCESS;
}

/* What this rank has found is on its way to all. */
static pl_err send_found(pl_loop *loop, int i)
{
  pl_global *global = loop->args[i].object;
  pl_access op = loop->args[i].access;
  if (!takes_turns(loop)) return pl_total_send(global, op, loop->result[i]);
  if (!is_first(loop, i)) return PL_SUCCESS; /* the device has found one value for both */
  PL_TRY(pl_total_send(global, op, global->host_stale ? NULL : global->value));
  put_back(global);
  return PL_SUCCESS;
}

/* What a device has found of an extreme and its payloads. */
static pl_err take_extreme(pl_loop *loop, int i)
{
  PL_TRY(loop->pl->backend->where(loop->pl, loop, i, &loop->where[i]));
  PL_TRY(take_found((pl_global *)loop->args[i].object, loop->result[i]));
  for (int j = 0; j < loop->nargs; j++)
    if (!loop->args[j].off && pl_payload_of(loop, j) == i)
      PL_TRY(take_found((pl_global *)loop->args[j].object, loop->result[j]));
  return PL_SUCCESS;
}

/* An extreme with payload: every rank gets the results of the one that holds it, the lowest element among
 * equals. */
static pl_err share_winner(pl_loop *loop, int i)
{
  pl_context *pl = loop->pl;
  const pl_arg *arg = &loop->args[i];
  pl_type type = pl_arg_type(arg);
  char best[16];
  if (takes_turns(loop)) PL_TRY(take_extreme(loop, i));
  memcpy(best, loop->result[i], pl_type_size(type));
  PL_TRY(pl_comm_reduce(pl, type, arg->access, best, 1));
  bool holds = loop->where[i] >= 0 && !beats(arg, best, loop->result[i]);
  int64_t where = holds ? loop->where[i] : INT64_MAX;
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MIN, &where, 1));
  bool mine = holds && where == loop->where[i];
  memcpy(loop->result[i], best, pl_type_size(type));
  loop->where[i] = where == INT64_MAX ? -1 : where;
  for (int j = 0; j < loop->nargs; j++) {
    if (loop->args[j].off || pl_payload_of(loop, j) != i) continue;
    size_t bytes = (size_t)pl_arg_dim(&loop->args[j]) * pl_type_size(pl_arg_type(&loop->args[j]));
    if (!mine) memset(loop->result[j], 0, bytes);
    PL_TRY(pl_comm_reduce(pl, PL_UINT8, PL_INC, loop->result[j], bytes));
  }
  return PL_SUCCESS;
}

static void take_payload(pl_loop *loop, int i)
{
  for (int j = 0; j < loop->nargs; j++)
    if (!loop->args[j].off && pl_payload_of(loop, j) == i) {
      pl_global *carried = loop->args[j].object;
      memcpy(carried->value, loop->result[j], global_bytes(carried));
      pl_global_host_written(carried);
    }
}

static void enter_result(pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  pl_global *global = arg->object;
  char before[16] = {0};
  bool payload = pl_has_payload(loop, i);
  if (payload) memcpy(before, global->value, pl_type_size(global->type));
  pl_combine(global->type, arg->access, global->value, loop->result[i], (size_t)global->dim);
  if (payload && memcmp(before, global->value, pl_type_size(global->type))) take_payload(loop, i);
}

pl_err pl_reductions_end(pl_loop *loop)
{
  bool alone = pl_ranks(loop->pl) == 1;
  if (alone && loop->pl->backend->ends_reductions) return PL_SUCCESS;
  for (int i = 0; i < loop->nargs; i++) {
    if (!ends_here(&loop->args[i])) continue;
    bool payload = pl_has_payload(loop, i);
    if (!alone && payload) PL_TRY(share_winner(loop, i));
    if (alone || payload)
      enter_result(loop, i);
    else
      PL_TRY(send_found(loop, i));
  }
  return PL_SUCCESS;
}
