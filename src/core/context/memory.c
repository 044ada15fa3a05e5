/* SPDX-License-Identifier: BSD-2-Clause
 * Blocks with a header that holds their size, from the context's allocator.
 */
#include "memory.h"
#include "context.h"
#include <string.h>
#include <sys/mman.h>

typedef union header {
  size_t size;
  max_align_t align;
} header;

/* The word before an array points to its block. */
enum { CACHE_LINE = 64, HUGE_PAGE = 2 << 20, HUGE_FROM = 4 << 20, SLACK = 32 };

/* Large arrays begin at different places of their first page. Where x and y begin at the same place of huge
 * pages, a loop that stores y[i] and then loads x near i takes up to 1.6 times as long on a Xeon, presumably
 * because it compares lower bits of addresses to find what was just stored. */
enum { PAGE_LINES = 64, PLACES = PAGE_LINES - 1, STEP = 11 /* lines */ };

static size_t place_of(unsigned number)
{
  return (1 + (size_t)number % PLACES * STEP % PLACES) * CACHE_LINE;
}

void *pl_resize(pl_context *pl, void *block, size_t size)
{
  header *old = block ? (header *)block - 1 : NULL;
  if (size > SIZE_MAX - sizeof(header)) return NULL;
  size_t old_bytes = old ? old->size + sizeof(header) : 0;
  header *grown = pl->realloc(pl->realloc_user, old, old_bytes, size + sizeof(header));
  if (!grown) return NULL;
  grown->size = size;
  return grown + 1;
}

void *pl_grow(pl_context *pl, void *list, int *room, int n, size_t size)
{
  if (n <= *room) return list;
  const int wanted = 2 * n + 8;
  void *grown = pl_resize(pl, list, (size_t)wanted * size);
  if (!grown) return pl_fail_memory(pl, (size_t)wanted * size), list;
  *room = wanted;
  return grown;
}

/* The whole huge pages of a new block take one page fault each. */
static void advise_block(void *block, size_t size)
{
  const uintptr_t huge = HUGE_PAGE, begin = ((uintptr_t)block + huge - 1) / huge * huge,
                  end = ((uintptr_t)block + size) / huge * huge;
  if (end > begin) madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

void *pl_malloc(pl_context *pl, size_t size)
{
  void *block = pl_resize(pl, NULL, size);
  if (block && size >= HUGE_FROM && !pl->user_memory) advise_block(block, size);
  return block;
}

void *pl_calloc(pl_context *pl, size_t count, size_t size)
{
  if (size && count > SIZE_MAX / size) return NULL;
  void *block = pl_malloc(pl, count * size);
  return block ? memset(block, 0, count * size) : NULL;
}

void pl_free(pl_context *pl, void *block)
{
  if (!block) return;
  header *start = (header *)block - 1;
  pl->realloc(pl->realloc_user, start, start->size + sizeof(header), 0);
}

void *pl_memdup(pl_context *pl, const void *bytes, size_t size)
{
  void *copy = pl_malloc(pl, size);
  if (copy && size) memcpy(copy, bytes, size);
  return copy;
}

char *pl_strdup(pl_context *pl, const char *string)
{
  return pl_memdup(pl, string, strlen(string) + 1);
}

/* Memory that was freed before has small pages, which advice does not change: returns its whole huge pages
 * to the system. The block's neighbours begin behind these. */
static void advise_huge(void *array, size_t size)
{
  madvise(array, size & ~((size_t)HUGE_PAGE - 1), MADV_DONTNEED);
  madvise(array, size, MADV_HUGEPAGE);
}

/* `size` bytes that begin at a huge page and `place`. */
static void *huge_array(char *block, size_t place, size_t size)
{
  const uintptr_t start = ((uintptr_t)block + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
  advise_huge((void *)start, place + size);
  return (char *)start + place;
}

void *pl_malloc_array(pl_context *pl, size_t size)
{
  const bool huge = size >= HUGE_FROM && !pl->user_memory;
  const size_t spare = (huge ? HUGE_PAGE + PAGE_LINES * CACHE_LINE : CACHE_LINE) + SLACK + sizeof(void *);
  if (size > SIZE_MAX - spare) return NULL;
  char *block = pl_malloc(pl, size + spare);
  if (!block) return NULL;
  const uintptr_t first = (uintptr_t)block + sizeof(void *) + CACHE_LINE - 1;
  void *array = huge ? huge_array(block, place_of(pl->huge_arrays++), size)
                     : (void *)(first & ~(uintptr_t)(CACHE_LINE - 1));
  ((void **)array)[-1] = block;
  return array;
}

void pl_free_array(pl_context *pl, void *array)
{
  if (array) pl_free(pl, ((void **)array)[-1]);
}

size_t pl_array_size(const void *array)
{
  const char *block = ((void *const *)array)[-1];
  return ((const header *)(const void *)block - 1)->size - (size_t)((const char *)array - block) - SLACK;
}

void *pl_transfer_alloc(pl_context *pl, size_t bytes)
{
  void *memory = NULL;
  if (!pl->backend->exchange) memory = pl_malloc(pl, bytes);
  if (pl->backend->exchange && pl->backend->exchange->host_alloc(pl, bytes, &memory)) return NULL;
  if (!memory) pl_fail_memory(pl, bytes);
  return memory;
}

void pl_transfer_free(pl_context *pl, void *memory)
{
  if (pl->backend->exchange)
    pl->backend->exchange->host_free(pl, memory);
  else
    pl_free(pl, memory);
}

void pl_drop_buffer(pl_context *pl, void **buffer)
{
  if (*buffer) pl->backend->data->buffer_free(pl, *buffer);
  *buffer = NULL;
}

void pl_free_list(pl_context *pl, void (*free_one)(pl_context *, void *), size_t n, void *const *list)
{
  for (size_t i = 0; i < n; i++) free_one(pl, list[i]);
}
