/* SPDX-License-Identifier: BSD-2-Clause
 * A pool of arrays. Invariant: an array in the pool has no user.
 */
#include "array_pool.h"
#include "memory.h"

enum { SMALL = 1 << 16 };

static void lock_pool(pl_array_pool *pool)
{
  while (__atomic_test_and_set(&pool->busy, __ATOMIC_ACQUIRE)) {
  }
}

static void unlock_pool(pl_array_pool *pool)
{
  __atomic_clear(&pool->busy, __ATOMIC_RELEASE);
}

/* The index of the smallest array that holds `size` bytes and is not much larger; -1: none. */
static int find_array(const pl_array_pool *pool, size_t size)
{
  int best = -1;
  size_t least = SIZE_MAX;
  for (int k = 0; k < PL_POOL_SIZE; k++) {
    size_t have = pool->array[k] ? pl_array_size(pool->array[k]) : 0;
    if (!pool->array[k] || have < size || have / 2 > size + SMALL || have >= least) continue;
    best = k;
    least = have;
  }
  return best;
}

void *pl_array_pool_alloc(pl_context *pl, pl_array_pool *pool, size_t size)
{
  void *array = NULL;
  lock_pool(pool);
  int k = find_array(pool, size);
  if (k >= 0) {
    array = pool->array[k];
    pool->array[k] = NULL;
  }
  unlock_pool(pool);
  if (array) return array;
  if (size > SIZE_MAX / 2) return NULL;
  return pl_malloc_array(pl, size + size / 16); /* the next request may be a little larger */
}

void pl_array_pool_give_back(pl_context *pl, pl_array_pool *pool, void *array)
{
  int k = 0;
  if (!array) return;
  lock_pool(pool);
  while (k < PL_POOL_SIZE && pool->array[k]) k++;
  if (k < PL_POOL_SIZE) pool->array[k] = array;
  unlock_pool(pool);
  if (k == PL_POOL_SIZE) pl_free_array(pl, array);
}

void pl_array_pool_free(pl_context *pl, pl_array_pool *pool)
{
  for (int k = 0; k < PL_POOL_SIZE; k++) {
    pl_free_array(pl, pool->array[k]);
    pool->array[k] = NULL;
  }
}
