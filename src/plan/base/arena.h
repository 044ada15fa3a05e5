/* SPDX-License-Identifier: BSD-2-Clause
 * An arena: memory of one computation that is freed all at once; in it growing lists of global indices, and
 * tables from global indices to numbers. After a failed allocation `failed` is set and the result is NULL.
 */
#pragma once

#include <stdbool.h>
#include "plait.h"

struct pl_arena_block;
struct pl_arena_array;

typedef struct pl_arena {
  pl_context *pl;
  struct pl_arena_block *blocks;
  struct pl_arena_array *arrays;
  bool failed;
} pl_arena;

void *pl_arena_alloc(pl_arena *arena, size_t count, size_t size); /* zeroed */
void *pl_arena_array(pl_arena *arena, size_t count, size_t size); /* not zeroed, by pl_malloc_array */
void pl_arena_free(pl_arena *arena);
pl_err pl_arena_check(const pl_arena *arena); /* PL_ERR_MEMORY after a failed allocation */
pl_err pl_arena_agree(const pl_arena *arena); /* the same on any rank; collective */

typedef struct pl_ids {
  int64_t *item;
  int64_t n, room;
} pl_ids;

void pl_ids_add(pl_arena *arena, pl_ids *ids, int64_t id);
/* Sorts ascending and drops repeats. */
void pl_ids_sort_unique(pl_ids *ids);

/* From ids (not negative) to numbers (not negative): open addressing. */
typedef struct pl_id_table {
  int64_t *id; /* -1: free */
  int *number;
  size_t slots, used;
} pl_id_table;

void pl_id_table_put(pl_arena *arena, pl_id_table *table, int64_t id, int number); /* id is new */
int pl_id_table_get(const pl_id_table *table, int64_t id);                         /* -1: none */
