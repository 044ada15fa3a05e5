/* SPDX-License-Identifier: BSD-2-Clause
 * Blocks are kept in a hash table with linear probing; a slot is emptied by moving those behind it up.
 */
#include "memory.h"
#include <string.h>

enum { FRESH = 0xA5, GONE = 0xDD };

void faults_memory_open(faults_memory *memory)
{
  memset(memory, 0, sizeof *memory);
  pthread_mutex_init(&memory->lock, NULL);
}

void faults_memory_close(faults_memory *memory)
{
  for (int s = 0; s < FAULTS_SLOTS; s++) free(memory->slot[s].at);
  pthread_mutex_destroy(&memory->lock);
}

void faults_memory_heal(faults_memory *memory)
{
  memory->fail_at = 0;
  memory->dry = false;
}

static void complain(faults_memory *memory, const char *what, size_t held, size_t said)
{
  if (!*memory->complaint)
    snprintf(memory->complaint, sizeof memory->complaint, "%s (held %zu bytes, said to be %zu)", what, held,
             said);
}

/* ---- the table ---- */

static size_t home(const void *block)
{
  return (size_t)((uint64_t)(uintptr_t)block * UINT64_C(0x9e3779b97f4a7c15) >> 50) % FAULTS_SLOTS;
}

/* The slot of a block, or the empty one where it would go. */
static size_t find(const faults_memory *memory, const void *block)
{
  size_t s = home(block);
  while (memory->slot[s].at && memory->slot[s].at != block) s = (s + 1) % FAULTS_SLOTS;
  return s;
}

static void add(faults_memory *memory, void *block, size_t size)
{
  if (memory->blocks + 2 > FAULTS_SLOTS) abort(); /* the table must be made larger */
  memory->slot[find(memory, block)] = (faults_block){block, size};
  memory->blocks++;
  memory->bytes += size;
}

static void take_out(faults_memory *memory, size_t s)
{
  memory->blocks--;
  memory->bytes -= memory->slot[s].size;
  memory->slot[s] = (faults_block){NULL, 0};
  for (s = (s + 1) % FAULTS_SLOTS; memory->slot[s].at; s = (s + 1) % FAULTS_SLOTS) {
    faults_block moving = memory->slot[s];
    memory->slot[s] = (faults_block){NULL, 0};
    memory->slot[find(memory, moving.at)] = moving;
  }
}

/* ---- the allocator ---- */

static bool fails_now(faults_memory *memory)
{
  memory->asked++;
  bool fails =
    memory->asked == memory->fail_at || (memory->dry && memory->fail_at && memory->asked > memory->fail_at);
  memory->failed += fails;
  return fails;
}

static void *resize(faults_memory *memory, void *block, size_t old_size, size_t new_size)
{
  size_t s = block ? find(memory, block) : 0, held = block ? memory->slot[s].size : 0;
  if (block && !memory->slot[s].at) {
    complain(memory, "a block that is not held was handed back", 0, old_size);
    return NULL;
  }
  if (held != old_size) complain(memory, "a block's size was not what it was said to be", held, old_size);
  void *fresh = NULL;
  if (new_size) {
    if (fails_now(memory) || !(fresh = malloc(new_size))) return NULL;
    memset(fresh, FRESH, new_size);
    if (block) memcpy(fresh, block, held < new_size ? held : new_size);
  }
  if (block) {
    take_out(memory, s);
    memset(block, GONE, held);
    free(block);
  }
  if (fresh) add(memory, fresh, new_size);
  return fresh;
}

void *faults_realloc(void *user, void *block, size_t old_size, size_t new_size)
{
  faults_memory *memory = user;
  pthread_mutex_lock(&memory->lock);
  void *result = resize(memory, block, old_size, new_size);
  pthread_mutex_unlock(&memory->lock);
  return result;
}
