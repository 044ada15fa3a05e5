/* SPDX-License-Identifier: BSD-2-Clause
 * Sets.
 */
#include "set.h"
#include "core/threads/threads.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "user_order.h"

/* ---- declaring ---- */

static pl_err check_parts(pl_context *pl, const int64_t sizes[4], const char *name)
{
  for (int i = 0; i < 4; i++) {
    if (sizes[i] < 0)
      return pl_fail(pl, PL_ERR_RANGE, "set \"%s\": size %lld is negative", name, (long long)sizes[i]);
    if (sizes[i] > INT32_MAX)
      return pl_fail(pl, PL_ERR_RANGE,
                     "set \"%s\": %lld elements on one rank; the limit is %d, use more ranks", name,
                     (long long)sizes[i], INT32_MAX);
    if (i && sizes[i] < sizes[i - 1])
      return pl_fail(pl, PL_ERR_RANGE, "set \"%s\": the sizes of its parts decrease from %lld to %lld", name,
                     (long long)sizes[i - 1], (long long)sizes[i]);
  }
  if (pl_ranks(pl) > 1 && sizes[3] > sizes[1])
    return pl_fail(pl, PL_ERR_ARG,
                   "set \"%s\": on several ranks the library builds halos; declare owned elements only",
                   name);
  return PL_SUCCESS;
}

pl_err pl_decl_set_parts(pl_context *pl, const int64_t sizes[4], const char *name, pl_set **result)
{
  PL_TRY(pl_context_check(pl));
  const char *shown = name ? name : "(unnamed)";
  pl_err err = PL_GIVEN_FOR(pl, "pl_decl_set", shown, sizes, result);
  if (!err) err = check_parts(pl, sizes, shown);
  pl_set *set = err ? NULL : pl_node_new(pl, &pl->sets, sizeof *set, name);
  err = pl_agree_on(pl, err || set ? err : PL_ERR_MEMORY, "set \"%s\"", shown);
  if (!err) err = pl_comm_scan(pl, sizes[1], &set->first, &set->global_size);
  if (err) {
    if (set) pl_set_destroy(&set->node);
    return err;
  }
  for (int i = 0; i < 4; i++) set->end[i] = (int)sizes[i];
  set->declared = set->end[1];
  set->global_end = set->global_size;
  *result = set;
  return PL_SUCCESS;
}

pl_err pl_decl_set(pl_context *pl, int64_t n, const char *name, pl_set **set)
{
  const int64_t sizes[4] = {n, n, n, n};
  return pl_decl_set_parts(pl, sizes, name, set);
}

/* ---- reading and freeing ---- */

pl_set *pl_set_base(pl_set *set)
{
  return set->parent ? set->parent : set;
}

int pl_mesh_threads(const pl_context *pl, size_t work)
{
  return pl->backend->threads || pl->backend->data ? pl_plan_threads(INT32_MAX, work) : 1;
}

int pl_set_rows(const pl_set *set)
{
  return set->end[pl_ranks(set->node.pl) > 1 ? 1 : 3];
}

int64_t pl_set_size(const pl_set *set)
{
  return set ? set->end[1] : 0;
}

int64_t pl_set_total(const pl_set *set)
{
  return set ? set->end[3] : 0;
}

int64_t pl_set_global_size(const pl_set *set)
{
  return set ? set->global_size : 0;
}

pl_err pl_set_global(const pl_set *set, int64_t *indices)
{
  PL_TRY_GIVEN(set);
  if (!indices || set->parent)
    return pl_fail(set->node.pl, PL_ERR_ARG, "pl_set_global of \"%s\": %s", set->node.name,
                   indices ? "it is a subset; ask for the elements of its parent" : "the array is NULL");
  for (int i = 0; i < set->end[1]; i++) indices[i] = pl_user_global_index(set, i);
  return PL_SUCCESS;
}

pl_err pl_set_imbalance(const pl_set *set, double *imbalance)
{
  PL_TRY_GIVEN(set);
  pl_context *pl = set->node.pl;
  pl_err err = imbalance ? PL_SUCCESS : pl_fail(pl, PL_ERR_ARG, "pl_set_imbalance: the result is NULL");
  PL_TRY(pl_agree_on(pl, err, "pl_set_imbalance of \"%s\"", set->node.name));
  int64_t most = set->end[1], all = set->end[1];
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MAX, &most, 1));
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, &all, 1));
  *imbalance = all ? (double)most * pl_ranks(pl) / (double)all : 1.0;
  return PL_SUCCESS;
}

const char *pl_set_name(const pl_set *set)
{
  return set ? set->node.name : "";
}

pl_set *pl_set_parent(pl_set *set)
{
  return set ? pl_set_base(set) : NULL;
}

void pl_set_destroy(pl_node *node)
{
  pl_set *set = (pl_set *)node;
  if (set->parent) set->parent->ref--;
  pl_notify_freed(node->pl, PL_OBJECT_SET, node);
  if (set->device) node->pl->backend->data->buffer_free(node->pl, set->device);
  if (set->global_device) node->pl->backend->data->buffer_free(node->pl, set->global_device);
  pl_free_all(node->pl, set->indices, set->user_indices);
  pl_free_arrays(node->pl, set->global, set->user_order);
  pl_free(node->pl, set->cuts);
  pl_node_free(node);
}

void pl_set_free(pl_set **handle)
{
  if (!handle || !*handle) return;
  pl_set *set = *handle;
  *handle = NULL;
  if (set->ref)
    pl_log(set->node.pl, 0, "set \"%s\" is still used by %d declared objects and stays until pl_finalize",
           set->node.name, set->ref);
  else
    pl_set_destroy(&set->node);
}

int pl_set_room(const pl_set *set)
{
  return set->capacity > set->end[3] ? set->capacity : set->end[3];
}
