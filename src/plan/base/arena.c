/* SPDX-License-Identifier: BSD-2-Clause
 * Arena memory, lists and tables of global indices.
 */
#include "arena.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include "core/comm/comm.h"
#include <string.h>

struct pl_arena_block {
  struct pl_arena_block *next;
  max_align_t bytes[];
};

struct pl_arena_array {
  struct pl_arena_array *next;
  void *array;
};

void *pl_arena_alloc(pl_arena *arena, size_t count, size_t size)
{
  size_t bytes = count * size;
  if (arena->failed || (size && count > SIZE_MAX / size)) return arena->failed = true, NULL;
  struct pl_arena_block *block = pl_malloc(arena->pl, sizeof *block + bytes);
  if (!block) return arena->failed = true, NULL;
  block->next = arena->blocks;
  arena->blocks = block;
  return memset(block->bytes, 0, bytes);
}

void *pl_arena_array(pl_arena *arena, size_t count, size_t size)
{
  struct pl_arena_array *entry = pl_arena_alloc(arena, 1, sizeof *entry);
  if (!entry) return NULL;
  if (!size || count <= SIZE_MAX / size) entry->array = pl_malloc_array(arena->pl, count * size);
  arena->failed = !entry->array;
  entry->next = arena->arrays;
  arena->arrays = entry;
  return entry->array;
}

void pl_arena_free(pl_arena *arena)
{
  for (; arena->arrays; arena->arrays = arena->arrays->next) pl_free_array(arena->pl, arena->arrays->array);
  while (arena->blocks) {
    struct pl_arena_block *block = arena->blocks;
    arena->blocks = block->next;
    pl_free(arena->pl, block);
  }
}

pl_err pl_arena_check(const pl_arena *arena)
{
  if (!arena->failed) return PL_SUCCESS;
  return pl_fail(arena->pl, PL_ERR_MEMORY, "out of memory while a plan or partition is computed");
}

pl_err pl_arena_agree(const pl_arena *arena)
{
  return pl_agree(arena->pl, pl_arena_check(arena));
}

void pl_ids_add(pl_arena *arena, pl_ids *ids, int64_t id)
{
  if (ids->n == ids->room) {
    int64_t room = 2 * ids->room + 64;
    int64_t *grown = pl_arena_alloc(arena, (size_t)room, sizeof *grown);
    if (!grown) return;
    if (ids->n) memcpy(grown, ids->item, (size_t)ids->n * sizeof *grown);
    ids->item = grown;
    ids->room = room;
  }
  ids->item[ids->n++] = id;
}

static int by_id(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

void pl_ids_sort_unique(pl_ids *ids)
{
  int64_t kept = 0;
  if (ids->n) qsort(ids->item, (size_t)ids->n, sizeof *ids->item, by_id);
  for (int64_t i = 0; i < ids->n; i++)
    if (!i || ids->item[i] != ids->item[kept - 1]) ids->item[kept++] = ids->item[i];
  ids->n = kept;
}

static size_t slot_of(const pl_id_table *table, int64_t id)
{
  uint64_t hash = (uint64_t)id * UINT64_C(0x9e3779b97f4a7c15);
  size_t slot = (size_t)(hash >> 20) & (table->slots - 1);
  while (table->id[slot] >= 0 && table->id[slot] != id) slot = (slot + 1) & (table->slots - 1);
  return slot;
}

static void grow_table(pl_arena *arena, pl_id_table *table)
{
  pl_id_table larger = {.slots = table->slots ? 2 * table->slots : 64};
  larger.id = pl_arena_alloc(arena, larger.slots, sizeof *larger.id);
  larger.number = pl_arena_alloc(arena, larger.slots, sizeof *larger.number);
  if (!larger.id || !larger.number) return;
  memset(larger.id, -1, larger.slots * sizeof *larger.id);
  for (size_t s = 0; s < table->slots; s++)
    if (table->id[s] >= 0) {
      size_t slot = slot_of(&larger, table->id[s]);
      larger.id[slot] = table->id[s];
      larger.number[slot] = table->number[s];
    }
  larger.used = table->used;
  *table = larger;
}

void pl_id_table_put(pl_arena *arena, pl_id_table *table, int64_t id, int number)
{
  if (2 * table->used >= table->slots) grow_table(arena, table);
  if (arena->failed) return;
  size_t slot = slot_of(table, id);
  table->id[slot] = id;
  table->number[slot] = number;
  table->used++;
}

int pl_id_table_get(const pl_id_table *table, int64_t id)
{
  if (!table->slots) return -1;
  size_t slot = slot_of(table, id);
  return table->id[slot] < 0 ? -1 : table->number[slot];
}
