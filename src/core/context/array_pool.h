/* SPDX-License-Identifier: BSD-2-Clause
 * A pool of arrays: an array that is given back is reused for the next request that it fits. Threads may use
 * a pool at the same time. A zeroed pool is empty.
 */
#pragma once

#include "plait.h"

enum { PL_POOL_SIZE = 64 };

typedef struct pl_array_pool {
  void *array[PL_POOL_SIZE];
  char busy;
} pl_array_pool;

/* An array of at least `size` bytes, as pl_malloc_array; NULL: no memory. */
void *pl_array_pool_alloc(pl_context *pl, pl_array_pool *pool, size_t size);
/* Keeps the array, or frees it if the pool is full. NULL is fine. */
void pl_array_pool_give_back(pl_context *pl, pl_array_pool *pool, void *array);
void pl_array_pool_free(pl_context *pl, pl_array_pool *pool); /* frees all kept arrays */
