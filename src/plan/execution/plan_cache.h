/* SPDX-License-Identifier: BSD-2-Clause
 * The plan cache: one plan or thread partition for each canonical request.
 */
#pragma once

#include "thread_partition.h"

/* The plan for a request, from the context's cache or built now. Plans belong to the cache and live as long
 * as the context, or until one of their maps or sets is freed. Counts plans_built, plans_found and
 * plan_seconds. A thread partition uses only the range and the conflicts of its request. Errors:
 * PL_ERR_RANGE, PL_ERR_ARG or PL_ERR_STATE for an invalid request, PL_ERR_MEMORY. */
pl_err pl_plan_get(pl_context *pl, const pl_plan_request *request, const pl_plan **plan);
pl_err pl_thread_partition_get(pl_context *pl, const pl_plan_request *request, int nthreads,
                               const pl_thread_partition **partition);

/* Frees all plans that were built on a set or map that is being freed. */
void pl_plans_forget(pl_context *pl, const void *object);

/* Drops everything derived from the entries of a map, which have changed. */
void pl_map_changed(pl_map *map);
