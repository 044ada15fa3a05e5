/* SPDX-License-Identifier: BSD-2-Clause
 * Arrays kept for the next that fits. Invariant: what stands in a stock is nobody else's.
 */
#include "stock.h"
#include <stdint.h>

enum { SMALL = 1 << 16 };

static void enter(pl_stock *stock)
{
  while (__atomic_test_and_set(&stock->busy, __ATOMIC_ACQUIRE)) {
  }
}

static void leave(pl_stock *stock)
{
  __atomic_clear(&stock->busy, __ATOMIC_RELEASE);
}

/* The place of the smallest array that holds `size` bytes and is not much larger; -1: none. */
static int find(const pl_stock *stock, size_t size)
{
  int best = -1;
  size_t least = SIZE_MAX;
  for (int k = 0; k < PL_STOCK; k++) {
    size_t have = stock->array[k] ? pl_array_size(stock->array[k]) : 0;
    if (!stock->array[k] || have < size || have / 2 > size + SMALL || have >= least) continue;
    best = k;
    least = have;
  }
  return best;
}

void *pl_stock_take(pl_context *pl, pl_stock *stock, size_t size)
{
  void *array = NULL;
  enter(stock);
  int k = find(stock, size);
  if (k >= 0) {
    array = stock->array[k];
    stock->array[k] = NULL;
  }
  leave(stock);
  if (array) return array;
  return size > SIZE_MAX / 2 ? NULL
                             : pl_malloc_array(pl, size + size / 16); /* the next may be a little larger */
}

void pl_stock_give(pl_context *pl, pl_stock *stock, void *array)
{
  int k = 0;
  if (!array) return;
  enter(stock);
  while (k < PL_STOCK && stock->array[k]) k++;
  if (k < PL_STOCK) stock->array[k] = array;
  leave(stock);
  if (k == PL_STOCK) pl_free_array(pl, array);
}

void pl_stock_free(pl_context *pl, pl_stock *stock)
{
  for (int k = 0; k < PL_STOCK; k++) {
    pl_free_array(pl, stock->array[k]);
    stock->array[k] = NULL;
  }
}
