/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions of a loop.
 * Invariant: partial results start from the neutral element, so a global's own value is combined once, at the
 * end.
 */
#include "reduction.h"
#include "core/comm/comm.h"
#include "core/data/async_allreduce.h"
#include "loop.h"
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

/* The first payload argument of reduction i from argument j on; nargs: there is none. */
static int find_payload(const pl_loop *loop, int i, int j)
{
  while (j < loop->nargs && (loop->args[j].off || pl_payload_of(loop, j) != i)) j++;
  return j;
}

#define EACH_PAYLOAD(j, loop, i)                                                                             \
  for (int j = find_payload(loop, i, 0); j < (loop)->nargs; j = find_payload(loop, i, j + 1))

bool pl_has_payload(const pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  return pl_arg_reduces(arg) && !arg->with && find_payload(loop, i, 0) < loop->nargs;
}

void pl_results_clear(const pl_loop *loop, void *const *result, int64_t *element)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (pl_arg_reduces(arg)) pl_neutral(pl_arg_type(arg), arg->access, result[i], (size_t)pl_arg_dim(arg));
    element[i] = -1;
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
static bool wins(const pl_arg *arg, const void *into, int64_t into_element, const void *from,
                 int64_t from_element)
{
  if (from_element < 0) return false;
  if (into_element < 0 || beats(arg, from, into)) return true;
  return from_element < into_element && !beats(arg, into, from);
}

static void copy_result(const pl_arg *arg, void *into, const void *from)
{
  memcpy(into, from, pl_arg_bytes(arg));
}

static void copy_winner(const pl_loop *loop, int i, void *const *into, int64_t *into_element,
                        void *const *from, const int64_t *from_element)
{
  if (!wins(&loop->args[i], into[i], into_element[i], from[i], from_element[i])) return;
  copy_result(&loop->args[i], into[i], from[i]);
  into_element[i] = from_element[i];
  EACH_PAYLOAD (j, loop, i) copy_result(&loop->args[j], into[j], from[j]);
}

void pl_results_add(const pl_loop *loop, void *const *into, int64_t *into_element, void *const *from,
                    const int64_t *from_element)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_reduces(arg) || arg->with) continue;
    if (pl_has_payload(loop, i))
      copy_winner(loop, i, into, into_element, from, from_element);
    else
      pl_combine(pl_arg_type(arg), arg->access, into[i], from[i], (size_t)pl_arg_dim(arg));
  }
}

/* ---- into the globals ---- */

/* Whether a device reduces into globals whose values are combined over ranks later. */
static bool reduces_per_rank(const pl_loop *loop)
{
  return pl_ranks(loop->pl) > 1 && loop->pl->backend->reduces_globals;
}

/* Saves the value and lets the device reduce into the neutral element. */
static pl_err save_value(const pl_arg *arg)
{
  pl_global *global = arg->object;
  pl_context *pl = global->node.pl;
  if (!global->saved_value) global->saved_value = pl_malloc(pl, pl_global_nbytes(global));
  if (!global->saved_value) return pl_fail_memory(pl, pl_global_nbytes(global));
  if (global->host_stale) PL_TRY(pl_global_host(global));
  memcpy(global->saved_value, global->value, pl_global_nbytes(global));
  if (arg->with) return PL_SUCCESS;
  pl_neutral(global->type, arg->access, global->value, (size_t)global->dim);
  pl_global_host_written(global);
  return PL_SUCCESS;
}

/* Whether a loop adds to a global without reading its value. */
static bool only_adds(const pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  bool compared = arg->with || pl_has_payload(loop, i) || pl_opt_flag(loop->pl, PL_OPT_CHECK);
  return pl_arg_reduces(arg) && !compared;
}

pl_err pl_reductions_begin(pl_loop *loop)
{
  if (!loop->globals) return PL_SUCCESS;
  PL_EACH_ACCESS (access, loop) {
    if (!access->global) continue;
    const bool later = only_adds(loop, access->first) && !loop->pl->sums_on_devices;
    PL_TRY(later ? pl_allreduces_limit(loop->pl) : pl_global_wait(access->global));
    if (reduces_per_rank(loop) && access->writes) PL_TRY(save_value(&loop->args[access->first]));
  }
  return PL_SUCCESS;
}

static void restore_value(pl_global *global)
{
  memcpy(global->value, global->saved_value, pl_global_nbytes(global));
  pl_global_host_written(global);
}

void pl_reductions_cancel(pl_loop *loop)
{
  for (int i = 0; reduces_per_rank(loop) && i < loop->nargs; i++) {
    pl_global *global = loop->args[i].object;
    if (pl_arg_reduces(&loop->args[i]) && global->saved_value) restore_value(global);
  }
}

/* Downloads the device's result and restores the value. */
static pl_err fetch_result(pl_global *global, void *found)
{
  PL_TRY(pl_global_host(global));
  memcpy(found, global->value, pl_global_nbytes(global));
  restore_value(global);
  return PL_SUCCESS;
}

bool pl_devices_sum_ranks(pl_context *pl)
{
  const pl_data_ops *data = pl->backend->data;
  if (pl_ranks(pl) == 1) return false;
  return pl_comm_all(pl, data && data->sums_ranks && !pl_opt_flag(pl, PL_OPT_CHECK)) && data->sums_ranks(pl);
}

/* Whether the devices add their results: to the value 0, which is the neutral one. */
static bool sums_on_devices(const pl_global *global, pl_access op)
{
  return global->node.pl->sums_on_devices && op == PL_INC && global->type == PL_DOUBLE &&
         global->dim <= PL_RANK_SUM && !memcmp(global->saved_value, global->value, pl_global_nbytes(global));
}

/* Results of a loop that the devices add together. */
typedef struct device_sums {
  int n;
  pl_global *global[PL_RANK_SUMS];
} device_sums;

static pl_err end_device_sums(pl_context *pl, device_sums *sums)
{
  const int n = sums->n;
  sums->n = 0;
  return n ? pl->backend->data->rank_sums(pl, n, sums->global) : PL_SUCCESS;
}

static pl_err add_device_sum(pl_global *global, device_sums *sums)
{
  if (sums->n == PL_RANK_SUMS) PL_TRY(end_device_sums(global->node.pl, sums));
  sums->global[sums->n++] = global;
  return PL_SUCCESS;
}

/* Starts the reduction of this rank's result. */
static pl_err start_reduction(pl_loop *loop, int i, device_sums *sums)
{
  pl_global *global = loop->args[i].object;
  pl_access op = loop->args[i].access;
  if (!reduces_per_rank(loop)) return pl_allreduce_send(global, op, loop->result[i]);
  if (pl_loop_access_to(loop, global)->first != i) return PL_SUCCESS; /* one device result for both */
  if (sums_on_devices(global, op)) return add_device_sum(global, sums);
  PL_TRY(pl_allreduce_send(global, op, global->host_stale ? NULL : global->value));
  restore_value(global);
  return PL_SUCCESS;
}

/* Downloads the device's extreme and its payloads. */
static pl_err fetch_extreme(pl_loop *loop, int i)
{
  PL_TRY(loop->pl->backend->arg_element(loop->pl, loop, i, &loop->arg_element[i]));
  PL_TRY(fetch_result((pl_global *)loop->args[i].object, loop->result[i]));
  EACH_PAYLOAD (j, loop, i) PL_TRY(fetch_result((pl_global *)loop->args[j].object, loop->result[j]));
  return PL_SUCCESS;
}

/* An extreme with payload: every rank gets the results of the rank that holds it; ties go to the lowest
 * element. */
static pl_err share_winner(pl_loop *loop, int i)
{
  pl_context *pl = loop->pl;
  const pl_arg *arg = &loop->args[i];
  pl_type type = pl_arg_type(arg);
  char best[16];
  if (reduces_per_rank(loop)) PL_TRY(fetch_extreme(loop, i));
  memcpy(best, loop->result[i], pl_type_size(type));
  PL_TRY(pl_comm_reduce(pl, type, arg->access, best, 1));
  bool holds = loop->arg_element[i] >= 0 && !beats(arg, best, loop->result[i]);
  int64_t where = holds ? loop->arg_element[i] : INT64_MAX;
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MIN, &where, 1));
  bool mine = holds && where == loop->arg_element[i];
  memcpy(loop->result[i], best, pl_type_size(type));
  loop->arg_element[i] = where == INT64_MAX ? -1 : where;
  EACH_PAYLOAD (j, loop, i) {
    size_t bytes = pl_arg_bytes(&loop->args[j]);
    if (!mine) memset(loop->result[j], 0, bytes);
    PL_TRY(pl_comm_reduce(pl, PL_UINT8, PL_INC, loop->result[j], bytes));
  }
  return PL_SUCCESS;
}

static void store_payload(pl_loop *loop, int i)
{
  EACH_PAYLOAD (j, loop, i) {
    pl_global *carried = loop->args[j].object;
    memcpy(carried->value, loop->result[j], pl_global_nbytes(carried));
    pl_global_host_written(carried);
  }
}

static void combine_result(pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  pl_global *global = arg->object;
  char before[16] = {0};
  bool payload = pl_has_payload(loop, i);
  if (payload) memcpy(before, global->value, pl_type_size(global->type));
  pl_combine(global->type, arg->access, global->value, loop->result[i], (size_t)global->dim);
  if (payload && memcmp(before, global->value, pl_type_size(global->type))) store_payload(loop, i);
}

pl_err pl_reductions_end(pl_loop *loop)
{
  bool alone = pl_ranks(loop->pl) == 1;
  device_sums sums = {0};
  if (!loop->reduces || (alone && loop->pl->backend->reduces_globals)) return PL_SUCCESS;
  for (int i = 0; i < loop->nargs; i++) {
    if (!pl_arg_reduces(&loop->args[i]) || loop->args[i].with) continue;
    bool payload = pl_has_payload(loop, i);
    if (!alone && payload) PL_TRY(share_winner(loop, i));
    if (alone || payload)
      combine_result(loop, i);
    else
      PL_TRY(start_reduction(loop, i, &sums));
  }
  return end_device_sums(loop->pl, &sums);
}
