/* SPDX-License-Identifier: BSD-2-Clause
 * Arrays that come and go in the same sizes: what is given back is kept for the next that fits, so that its
 * memory is there and warm. Threads may take and give at the same time. A stock of zeros is empty.
 */
#ifndef PLAIT_CORE_STOCK_H
#define PLAIT_CORE_STOCK_H

#include "memory.h"

enum { PL_STOCK = 64 };

typedef struct pl_stock {
  void *array[PL_STOCK];
  char busy;
} pl_stock;

/* An array of at least `size` bytes, as pl_malloc_array; NULL: no memory. */
void *pl_stock_take(pl_context *pl, pl_stock *stock, size_t size);
/* It is kept, or freed where many are. NULL is fine. */
void pl_stock_give(pl_context *pl, pl_stock *stock, void *array);
void pl_stock_free(pl_context *pl, pl_stock *stock); /* all that is kept */

#endif
