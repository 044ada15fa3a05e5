/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs: a text with kernels, and entries: kernels with the arguments that they run with.
 * Invariant: an entry keeps its program; a slot holds a dat that is alive, a value of the parameter's size,
 * or nothing.
 */
#ifndef PLAIT_CORE_PROGRAM_H
#define PLAIT_CORE_PROGRAM_H

#include "objects.h"

/* A kernel's parameter as its text has it. */
typedef struct pl_formal {
  char *name;
  char *text;   /* its type in words, for messages: "float4 *" */
  pl_type type; /* of one value; PL_TYPE_COUNT: a type of the program's own */
  int width;    /* values of a vector type: 1 to 4 */
  bool pointer, constant;
  size_t size; /* of a type of the program's own, in bytes; 0: not known yet */
} pl_formal;

typedef struct pl_task {
  char *name;
  int line; /* where it begins in the source */
  int nformals;
  pl_formal *formal;
  bool barriers; /* its work items may wait for each other */
} pl_task;

struct pl_program {
  pl_node node;
  char *source, *defines; /* as given; the defines as preprocessor lines */
  pl_type real, mixed;    /* of the words real and mixed */
  int ntasks;
  pl_task *task;        /* filled in by the backend's program_make */
  void *code;           /* the backend's */
  int ref;              /* entries made from it */
  double setup_seconds; /* of making it, until a kernel's line in the profile takes them */
};

typedef struct pl_slot_value {
  pl_dat *dat;
  pl_access access;
  void *value; /* of `size` bytes */
  size_t size;
} pl_slot_value;

struct pl_entry {
  pl_node node;
  pl_program *program;
  const pl_task *task;
  pl_slot_value *slot; /* task->nformals */
  void *code;          /* the backend's */
  pl_region *line;     /* in the profile */
};

/* What a backend is told to run: `groups` groups of `block` work items. */
typedef struct pl_launch {
  const pl_entry *entry;
  int groups, block;
} pl_launch;

/* The program's task of a name, or NULL. */
const pl_task *pl_task_find(const pl_program *program, const char *name);
void pl_tasks_free(pl_program *program);

/* A dat is going: the slots that hold it become empty. */
void pl_entries_forget(pl_context *pl, const pl_dat *dat);

void pl_entry_destroy(pl_node *entry);
void pl_program_destroy(pl_node *program);

#endif
