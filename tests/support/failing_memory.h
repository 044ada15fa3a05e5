/* SPDX-License-Identifier: BSD-2-Clause
 * An allocator that knows every block it returned and fails on request.
 *
 * Each call checks that a block passed back is allocated and has the size that the library states. A block
 * moves whenever its size changes. New bytes and freed bytes are filled with a pattern, so that reading them
 * changes results.
 */
#ifndef PLAIT_TESTS_FAILING_MEMORY_H
#define PLAIT_TESTS_FAILING_MEMORY_H

#include <plait.h>
#include <pthread.h>
#include <stdbool.h>

enum { FAILING_SLOTS = 1 << 14 };

typedef struct failing_block {
  void *at; /* NULL: an empty slot */
  size_t size;
} failing_block;

typedef struct failing_memory {
  long asked;   /* allocations requested, failed ones included */
  long fail_at; /* this request fails, counted from 1; 0: none */
  bool dry;     /* all later requests fail too */
  long failed;
  size_t blocks, bytes; /* allocated now */
  char complaint[160];  /* the library's first error; empty: none */
  failing_block slot[FAILING_SLOTS];
  pthread_mutex_t lock;
} failing_memory;

void failing_memory_open(failing_memory *memory);
void failing_memory_close(failing_memory *memory);
/* The request after n more fails; with `dry` all later ones too. */
void failing_memory_start(failing_memory *memory, long n, bool dry);
void failing_memory_stop(failing_memory *memory); /* no request fails from now on */

/* For pl_settings; `user` is the failing_memory. */
void *failing_realloc(void *user, void *block, size_t old_size, size_t new_size);

#endif
