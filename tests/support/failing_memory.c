/* SPDX-License-Identifier: BSD-2-Clause
 * A hash table with linear probing holds the blocks; removing one inserts the blocks that follow it anew.
 */
#include "failing_memory.h"
#include <string.h>

enum { FRESH = 0xA5, GONE = 0xDD };

void failing_memory_open(failing_memory *memory)
{
  memset(memory, 0, sizeof *memory);
  pthread_mutex_init(&memory->lock, NULL);
}

void failing_memory_close(failing_memory *memory)
{
  for (int s = 0; s < FAILING_SLOTS; s++) free(memory->slot[s].at);
  pthread_mutex_destroy(&memory->lock);
}

void failing_memory_start(failing_memory *memory, long n, bool dry)
{
  memory->fail_at = memory->asked + n + 1;
  memory->dry = dry;
}

void failing_memory_stop(failing_memory *memory)
{
  memory->fail_at = 0;
  memory->dry = false;
}

static void complain(failing_memory *memory, const char *what, size_t held, size_t stated)
{
  if (!*memory->complaint)
    snprintf(memory->complaint, sizeof memory->complaint, "%s (allocated: %zu bytes, stated: %zu)", what,
             held, stated);
}

/* ---- the table ---- */

static size_t home_slot(const void *block)
{
  return (size_t)((uint64_t)(uintptr_t)block * UINT64_C(0x9e3779b97f4a7c15) >> 50) % FAILING_SLOTS;
}

/* The slot of a block, or the empty slot for it. */
static size_t find_slot(const failing_memory *memory, const void *block)
{
  size_t s = home_slot(block);
  while (memory->slot[s].at && memory->slot[s].at != block) s = (s + 1) % FAILING_SLOTS;
  return s;
}

static void insert_block(failing_memory *memory, void *block, size_t size)
{
  if (memory->blocks + 2 > FAILING_SLOTS) abort(); /* the table must be made larger */
  memory->slot[find_slot(memory, block)] = (failing_block){block, size};
  memory->blocks++;
  memory->bytes += size;
}

static void remove_block(failing_memory *memory, size_t s)
{
  memory->blocks--;
  memory->bytes -= memory->slot[s].size;
  memory->slot[s] = (failing_block){NULL, 0};
  for (s = (s + 1) % FAILING_SLOTS; memory->slot[s].at; s = (s + 1) % FAILING_SLOTS) {
    failing_block moving = memory->slot[s];
    memory->slot[s] = (failing_block){NULL, 0};
    memory->slot[find_slot(memory, moving.at)] = moving;
  }
}

/* ---- the allocator ---- */

static bool fails_now(failing_memory *memory)
{
  memory->asked++;
  bool fails =
    memory->asked == memory->fail_at || (memory->dry && memory->fail_at && memory->asked > memory->fail_at);
  memory->failed += fails;
  return fails;
}

static void *resize(failing_memory *memory, void *block, size_t old_size, size_t new_size)
{
  size_t s = block ? find_slot(memory, block) : 0, held = block ? memory->slot[s].size : 0;
  if (block && !memory->slot[s].at) {
    complain(memory, "a block that is not allocated was passed", 0, old_size);
    return NULL;
  }
  if (held != old_size) complain(memory, "the stated size of a block is wrong", held, old_size);
  void *fresh = NULL;
  if (new_size) {
    if (fails_now(memory) || !(fresh = malloc(new_size))) return NULL;
    memset(fresh, FRESH, new_size);
    if (block) memcpy(fresh, block, held < new_size ? held : new_size);
  }
  if (block) {
    remove_block(memory, s);
    memset(block, GONE, held);
    free(block);
  }
  if (fresh) insert_block(memory, fresh, new_size);
  return fresh;
}

void *failing_realloc(void *user, void *block, size_t old_size, size_t new_size)
{
  failing_memory *memory = user;
  pthread_mutex_lock(&memory->lock);
  void *result = resize(memory, block, old_size, new_size);
  pthread_mutex_unlock(&memory->lock);
  return result;
}
