/* SPDX-License-Identifier: BSD-2-Clause
 * Scratch for one piece of work with many small results: memory that is given back all at once, growing lists
 * of global indices, and tables from global indices to numbers. After a failed allocation `failed` is set,
 * and what was asked for is NULL.
 */
#ifndef PLAIT_PLAN_SCRATCH_H
#define PLAIT_PLAN_SCRATCH_H

#include "core/context.h"

typedef struct pl_scratch {
  pl_context *pl;
  struct pl_scratch_block *blocks;
  bool failed;
} pl_scratch;

void *pl_scratch_take(pl_scratch *scratch, size_t count, size_t size); /* zeroed */
void pl_scratch_free(pl_scratch *scratch);
pl_err pl_scratch_check(const pl_scratch *scratch); /* PL_ERR_MEMORY once anything was refused */

typedef struct pl_ids {
  int64_t *item;
  int64_t n, room;
} pl_ids;

void pl_ids_add(pl_scratch *scratch, pl_ids *ids, int64_t id);
/* Ascending, without repeats. */
void pl_ids_sort_unique(pl_ids *ids);

/* From ids (not negative) to numbers (not negative): open addressing. */
typedef struct pl_id_table {
  int64_t *id; /* -1: free */
  int *number;
  size_t slots, used;
} pl_id_table;

void pl_id_table_put(pl_scratch *scratch, pl_id_table *table, int64_t id, int number); /* id is new */
int pl_id_table_get(const pl_id_table *table, int64_t id); /* -1: it is not there */

#endif
