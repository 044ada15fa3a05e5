/* SPDX-License-Identifier: BSD-2-Clause
 * PLAIT_CHECK of chains: compares the results of a schedule with those of its loops one by one.
 */
#include "chain_check.h"
#include "core/comm/comm.h"
#include "core/loop/access_check.h"
#include "core/loop/loop.h"
#include <string.h>

/* An object that the schedule writes: its values before, and after the loops one by one. */
typedef struct saved {
  pl_node *object;
  bool global;
  void *before, *plain;
} saved;

typedef struct saved_list {
  pl_context *pl;
  int n;
  saved *item;
} saved_list;

static size_t bytes_of(const saved *k)
{
  const pl_global *global = (const pl_global *)k->object;
  if (!k->global) return pl_dat_nbytes((const pl_dat *)k->object);
  return (size_t)global->dim * pl_type_size(global->type);
}

/* The values on the host; NULL with the error set. */
static void *values_of(const saved *k)
{
  pl_global *global = (pl_global *)k->object;
  if (!k->global) return pl_dat_host_now((pl_dat *)k->object, false);
  return pl_global_host(global) ? NULL : global->value;
}

static pl_err copy_values(pl_context *pl, const saved *k, void **copy)
{
  void *values = values_of(k);
  if (!values) return pl->error_code;
  *copy = pl_memdup(pl, values, bytes_of(k));
  return *copy ? PL_SUCCESS : pl_fail_memory(pl, bytes_of(k));
}

static pl_err restore_values(pl_context *pl, const saved *k)
{
  void *values = values_of(k);
  if (!values) return pl->error_code;
  if (bytes_of(k)) memcpy(values, k->before, bytes_of(k));
  if (k->global) {
    pl_global_host_written((pl_global *)k->object);
  } else {
    pl_dat_host_written((pl_dat *)k->object);
    pl_dat_halo_outdated((pl_dat *)k->object);
  }
  return PL_SUCCESS;
}

static void add_object(saved_list *list, pl_node *object, bool global)
{
  for (int i = 0; i < list->n; i++)
    if (list->item[i].object == object) return;
  list->item[list->n++] = (saved){.object = object, .global = global};
}

static void add_written(saved_list *list, const pl_op *op)
{
  if (!op->loop) {
    add_object(list, &op->result->node, true);
    return;
  }
  const pl_loop_access *access = op->loop->access;
  for (int i = 0; i < op->loop->naccesses; i++)
    if (access[i].writes) add_object(list, access[i].object, access[i].global);
}

/* Dead values: of a temporary dat, or overwritten next. */
static bool may_differ(const pl_schedule *s, const pl_node *object, bool global)
{
  if (!global && s->ended && pl_chain_hint_of(s->chain, (const pl_dat *)object).temporary) return true;
  for (int i = s->nops; i < s->nops + s->nahead; i++) {
    const pl_loop *loop = s->op[i].loop;
    if ((void *)s->op[i].a == object || (void *)s->op[i].b == object) return false;
    if ((void *)s->op[i].result == object) return true;
    if (loop && pl_loop_uses(loop, object))
      return !pl_loop_reads(loop, object) || (!global && pl_loop_overwrites(loop, (const pl_dat *)object));
  }
  return false;
}

/* The number of values to compare: those that this rank owns. */
static size_t count_of(const saved *k, pl_type base)
{
  const pl_dat *dat = (const pl_dat *)k->object;
  size_t bytes = k->global ? bytes_of(k) : (size_t)dat->set->end[1] * pl_dat_stride(dat);
  return bytes / pl_type_size(base);
}

static pl_err compare_values(const pl_schedule *s, const saved *k)
{
  pl_context *pl = k->object->pl;
  const pl_dat *dat = (const pl_dat *)k->object;
  const pl_global *global = (const pl_global *)k->object;
  pl_type type = k->global ? global->type : dat->type, base = pl_type_base(type);
  int64_t dim = (k->global ? global->dim : dat->dim) * (type == base ? 1 : 2);
  if (may_differ(s, k->object, k->global)) return PL_SUCCESS;
  void *values = values_of(k);
  if (!values) return pl->error_code;
  int64_t at = pl_first_difference(base, k->plain, values, NULL, count_of(k, base), pl_type_tolerance(base));
  if (at < 0) return PL_SUCCESS;
  pl_fail(pl, PL_ERR_CHECK,
          "chain \"%s\": %s \"%s\", element %lld, value %lld: the result, %.12g, differs from that of "
          "its loops one by one, %.12g",
          s->chain ? s->chain->node.name : "", k->global ? "global" : "dat", k->object->name,
          (long long)(k->global ? 0 : pl_element_global_index(dat->set, (int)(at / dim))),
          (long long)(at % dim), pl_value(base, values, (size_t)at), pl_value(base, k->plain, (size_t)at));
  pl_failure_keep(pl, &k->object->failure);
  return PL_ERR_CHECK;
}

static pl_err run_one_by_one(saved_list *list, const pl_schedule *s, pl_schedule_runner run_ops)
{
  for (int i = 0; i < list->n; i++) PL_TRY(copy_values(list->pl, &list->item[i], &list->item[i].before));
  PL_TRY(run_ops(list->pl, s));
  for (int i = 0; i < list->n; i++) PL_TRY(copy_values(list->pl, &list->item[i], &list->item[i].plain));
  for (int i = 0; i < list->n; i++) PL_TRY(restore_values(list->pl, &list->item[i]));
  return PL_SUCCESS;
}

pl_err pl_chain_check(pl_context *pl, pl_schedule *s, pl_schedule_runner run_ops,
                      pl_schedule_runner run_steps)
{
  saved_list list = {.pl = pl};
  size_t most = 0;
  for (int i = 0; i < s->nops; i++) most += s->op[i].loop ? (size_t)s->op[i].loop->nargs : 1;
  PL_TRY(PL_NEW(pl, list.item, most));
  for (int i = 0; i < s->nops; i++) add_written(&list, &s->op[i]);
  pl_err err = run_one_by_one(&list, s, run_ops);
  if (!err) err = run_steps(pl, s);
  for (int i = 0; !err && i < list.n; i++) err = compare_values(s, &list.item[i]);
  err = pl_agree(pl, err);
  for (int i = 0; i < list.n; i++) {
    pl_free(pl, list.item[i].before);
    pl_free(pl, list.item[i].plain);
  }
  pl_free(pl, list.item);
  return err;
}
