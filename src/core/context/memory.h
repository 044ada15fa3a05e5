/* SPDX-License-Identifier: BSD-2-Clause
 * Memory: every allocation of the library uses the context's allocator, so that tests can fail each in turn.
 * NULL means out of memory; callers return pl_fail_memory.
 */
#pragma once

#include "plait.h"

void *pl_malloc(pl_context *pl, size_t size);               /* uninitialised; size 0 gives a valid block */
void *pl_calloc(pl_context *pl, size_t count, size_t size); /* zeroed; NULL on overflow of the product */
void *pl_resize(pl_context *pl, void *block, size_t size);  /* as realloc; block stays valid on failure */
void pl_free(pl_context *pl, void *block);                  /* NULL is fine */
char *pl_strdup(pl_context *pl, const char *string);
void *pl_memdup(pl_context *pl, const void *bytes, size_t size);

/* Large arrays, aligned to 64 bytes; from 4 MB on in huge pages, unless the user provides the allocator. 32
 * bytes after the end may be read, so that a short last record can be loaded as a vector. */
void *pl_malloc_array(pl_context *pl, size_t size);
void pl_free_array(pl_context *pl, void *array);
size_t pl_array_size(const void *array); /* at least the size requested */

/* Allocate zeroed items, or a large array, for a pointer; PL_ERR_MEMORY: PL_TRY(PL_NEW(pl, list->item, n)).
 * The arguments are evaluated twice. */
#define PL_NEW(pl, pointer, count)                                                                           \
  (((pointer) = pl_calloc(pl, count, sizeof *(pointer))) ? PL_SUCCESS                                        \
                                                         : pl_fail_memory(pl, (count) * sizeof *(pointer)))
#define PL_NEW_ARRAY(pl, pointer, count)                                                                     \
  (((pointer) = pl_malloc_array(pl, (count) * sizeof *(pointer)))                                            \
     ? PL_SUCCESS                                                                                            \
     : pl_fail_memory(pl, (count) * sizeof *(pointer)))

/* Makes room for n items in a list with room for `room` (an int), which at least doubles; PL_ERR_MEMORY: the
 * list is as it was. The arguments are evaluated twice. */
#define PL_GROW(pl, list, room, n)                                                                           \
  ((list) = pl_grow(pl, list, &(room), n, sizeof *(list)), (room) < (n) ? PL_ERR_MEMORY : PL_SUCCESS)
void *pl_grow(pl_context *pl, void *list, int *room, int n, size_t size);

/* Memory that devices copy fast, or plain memory without a device; NULL with the error set. */
void *pl_transfer_alloc(pl_context *pl, size_t bytes);
void pl_transfer_free(pl_context *pl, void *memory);

/* Frees the backend's copy of an array, if there is one. */
void pl_drop_buffer(pl_context *pl, void **buffer);

/* Free several blocks, or several arrays: pl_free_all(pl, name, text). */
#define pl_free_all(pl, ...) PL_FREE_LIST(pl_free, pl, __VA_ARGS__)
#define pl_free_arrays(pl, ...) PL_FREE_LIST(pl_free_array, pl, __VA_ARGS__)
#define PL_FREE_LIST(free_one, pl, ...)                                                                      \
  pl_free_list((pl), free_one, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *), (void *[]){__VA_ARGS__})
void pl_free_list(pl_context *pl, void (*free_one)(pl_context *, void *), size_t n, void *const *list);
