/* SPDX-License-Identifier: BSD-2-Clause
 * An allocator that knows every block it gave out and fails when it is told to.
 *
 * What the library must keep to is checked at each call: a block handed back is one that is held, and its
 * size is what the library says it is. Blocks move whenever they change size; fresh bytes and bytes given
 * back are filled with a pattern, so that reading them changes results.
 */
#ifndef PLAIT_FAULTS_MEMORY_H
#define PLAIT_FAULTS_MEMORY_H

#include <plait.h>
#include <pthread.h>
#include <stdbool.h>

enum { FAULTS_SLOTS = 1 << 14 };

typedef struct faults_block {
  void *at; /* NULL: an empty slot */
  size_t size;
} faults_block;

typedef struct faults_memory {
  long asked;   /* allocations asked for, failed ones too */
  long fail_at; /* this one fails, counted from 1; 0: none */
  bool dry;     /* and so do all that follow */
  long failed;
  size_t blocks, bytes; /* held now */
  char complaint[160];  /* what the library did wrong first; empty: nothing */
  faults_block slot[FAULTS_SLOTS];
  pthread_mutex_t lock;
} faults_memory;

void faults_memory_open(faults_memory *memory);
void faults_memory_close(faults_memory *memory);
void faults_memory_heal(faults_memory *memory); /* nothing fails from now on */

/* For pl_settings; user is the faults_memory. */
void *faults_realloc(void *user, void *block, size_t old_size, size_t new_size);

#endif
