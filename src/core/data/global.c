/* SPDX-License-Identifier: BSD-2-Clause
 * Globals: values that belong to no set.
 */
#include "global.h"
#include "async_allreduce.h"
#include "core/base/scalar_type.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "core/tools/tools.h"
#include <string.h>

size_t pl_global_nbytes(const pl_global *global)
{
  return (size_t)global->dim * pl_type_size(global->type);
}

bool pl_global_is_zero(const pl_global *global)
{
  const char *byte = global->value;
  size_t n = pl_global_nbytes(global);
  while (n && !byte[n - 1]) n--;
  return n == 0;
}

/* ---- host/device coherence ---- */

pl_err pl_global_host(pl_global *global)
{
  pl_context *pl = global->node.pl;
  PL_TRY(pl_global_wait(global));
  if (!global->host_stale) return PL_SUCCESS;
  pl_event_begin(pl, PL_TOOL_DOWNLOAD, global->node.name, "", (double)pl_global_nbytes(global));
  pl_err err = pl->backend->data->global_download(pl, global);
  pl_event_end(pl, PL_TOOL_DOWNLOAD);
  PL_TRY(err);
  pl->stats.bytes_from_device += pl_global_nbytes(global);
  pl->stats.calls_from_device++;
  global->host_stale = false;
  return PL_SUCCESS;
}

/* Without a device there is nothing to wait for. */
pl_err pl_global_read_begin(pl_global *global, pl_global_read *read)
{
  pl_context *pl = global->node.pl;
  read->begun = false;
  PL_TRY(pl_before_access(&global->node, false));
  if (global->pending_reductions || !global->host_stale) return PL_SUCCESS;
  if (!read->value) read->value = pl_transfer_alloc(pl, pl_global_nbytes(global));
  if (!read->value) return PL_ERR_MEMORY;
  PL_TRY(pl->backend->data->global_start_read(pl, global, read->value, &read->event));
  pl->stats.bytes_from_device += pl_global_nbytes(global);
  pl->stats.calls_from_device++;
  read->begun = true;
  return PL_SUCCESS;
}

pl_err pl_global_read_end(pl_global *global, pl_global_read *read)
{
  pl_context *pl = global->node.pl;
  if (!read->begun) return PL_SUCCESS;
  read->begun = false;
  PL_TRY(pl->backend->queues->event_wait(pl, read->event));
  memcpy(global->value, read->value, pl_global_nbytes(global));
  global->host_stale = false;
  return PL_SUCCESS;
}

void pl_global_read_free(pl_context *pl, pl_global_read *read)
{
  if (read->event) pl->backend->queues->event_wait(pl, read->event);
  if (read->event) pl->backend->queues->event_free(pl, read->event);
  pl_transfer_free(pl, read->value);
  *read = (pl_global_read){0};
}

void pl_global_host_written(pl_global *global)
{
  global->host_stale = false;
  global->device_valid = false;
}

void pl_global_device_written(pl_global *global)
{
  global->host_stale = true;
  global->device_valid = true;
}

/* ---- declaring and reading ---- */

static pl_err check_global(pl_context *pl, int dim, pl_type type, pl_type from, const char *shown,
                           pl_global **result)
{
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_global", shown, result));
  if (dim < 1) return pl_fail(pl, PL_ERR_RANGE, "global \"%s\": dim %d is less than 1", shown, dim);
  if (!pl_type_size(type))
    return pl_fail(pl, PL_ERR_TYPE, "global \"%s\": %d is not a type", shown, (int)type);
  return pl_check_conversion(pl, "pl_decl_global_from", shown, type, from);
}

pl_err pl_global_new(pl_context *pl, size_t size, int dim, pl_type type, const char *name, pl_global **result)
{
  pl_global *global = pl_node_new(pl, &pl->globals, size, name);
  if (!global) return PL_ERR_MEMORY;
  global->dim = dim;
  global->type = type;
  global->value = pl_calloc(pl, (size_t)dim, pl_type_size(type));
  if (!global->value) {
    pl_node_free(&global->node);
    return pl_fail_memory(pl, (size_t)dim * pl_type_size(type));
  }
  *result = global;
  return PL_SUCCESS;
}

pl_err pl_decl_global_from(pl_context *pl, int dim, pl_type type, pl_type from, const void *data,
                           const char *name, pl_global **result)
{
  PL_TRY(pl_context_check(pl));
  const char *shown = name ? name : "(unnamed)";
  PL_TRY(pl_agree_on(pl, check_global(pl, dim, type, from, shown, result), "global \"%s\", %s of dim %d",
                     shown, pl_type_name(type), dim));
  PL_TRY(pl_global_new(pl, sizeof **result, dim, type, name, result));
  if (data) pl_convert(from, data, type, (*result)->value, (size_t)dim);
  return PL_SUCCESS;
}

pl_err pl_decl_global(pl_context *pl, int dim, pl_type type, const void *data, const char *name,
                      pl_global **result)
{
  return pl_decl_global_from(pl, dim, type, type, data, name, result);
}

pl_err pl_global_get_as(pl_global *global, pl_type type, void *values)
{
  PL_TRY(pl_check_values((const pl_node *)global, "pl_global_get", pl_global_type(global), &type, values));
  PL_TRY(pl_before_access(&global->node, false));
  PL_TRY(pl_global_host(global));
  pl_convert(global->type, global->value, type, values, (size_t)global->dim);
  return PL_SUCCESS;
}

pl_err pl_global_set_as(pl_global *global, pl_type type, const void *values)
{
  PL_TRY(pl_check_values((const pl_node *)global, "pl_global_set", pl_global_type(global), &type, values));
  PL_TRY(pl_before_access(&global->node, true));
  pl_allreduces_drop(global);
  pl_convert(type, values, global->type, global->value, (size_t)global->dim);
  pl_global_host_written(global);
  return PL_SUCCESS;
}

pl_err(pl_global_get)(pl_global *global, void *values)
{
  return pl_global_get_as(global, PL_TYPE_COUNT, values);
}

pl_err(pl_global_set)(pl_global *global, const void *values)
{
  return pl_global_set_as(global, PL_TYPE_COUNT, values);
}

pl_err pl_global_duplicate(pl_global *global, const char *name, pl_global **copy)
{
  PL_TRY_GIVEN(global);
  PL_TRY(pl_before_access(&global->node, false));
  PL_TRY(pl_global_host(global));
  return pl_decl_global(global->node.pl, global->dim, global->type, global->value, name, copy);
}

int pl_global_dim(const pl_global *global)
{
  return global ? global->dim : 0;
}

pl_type pl_global_type(const pl_global *global)
{
  return global ? global->type : PL_TYPE_COUNT;
}

const char *pl_global_name(const pl_global *global)
{
  return global ? global->node.name : "";
}

void pl_global_destroy(pl_node *node)
{
  pl_notify_freed(node->pl, PL_OBJECT_GLOBAL, node);
  pl_global *global = (pl_global *)node;
  if (global->device) node->pl->backend->data->buffer_free(node->pl, global->device);
  pl_allreduces_drop(global);
  pl_free_all(node->pl, global->saved_value, global->value);
  pl_node_free(node);
}

PL_DEFINE_FREE(pl_global_free, pl_global, pl_global_destroy)
