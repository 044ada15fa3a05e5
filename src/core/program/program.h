/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs: a source text with kernels, and entries: kernels with their arguments.
 * Invariant: an entry keeps its program alive; a slot holds an existing dat, a value of the parameter's size,
 * or nothing.
 */
#pragma once

#include "core/context/context.h"
#include "core/context/observer.h"
#include <stdbool.h>

/* A kernel's parameter. */
typedef struct pl_formal {
  char *name;
  char *text;   /* its type, for messages: "float4 *" */
  pl_type type; /* of one value; PL_TYPE_COUNT: a type that the program defines */
  int width;    /* values of a vector type: 1 to 4 */
  bool pointer, constant;
  size_t size; /* of a type that the program defines, in bytes; 0: unknown */
} pl_formal;

typedef struct pl_task {
  char *name;
  int line; /* of the source */
  int nformals;
  pl_formal *formal;
  bool barriers; /* it calls a barrier */
} pl_task;

struct pl_program {
  pl_node node;
  char *source, *defines; /* the defines as preprocessor lines */
  pl_type real, mixed;    /* of the type names real and mixed */
  int ntasks;
  pl_task *task;        /* filled in by the backend's program_make */
  void *code;           /* the backend's */
  int ref;              /* entries made from it */
  double setup_seconds; /* of its compilation, until added to the profile line of its first kernel */
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

/* A launch of `groups` groups of `block` work items. */
typedef struct pl_launch {
  const pl_entry *entry;
  int groups, block;
} pl_launch;

/* The kernel of a name, or NULL. */
const pl_task *pl_task_find(const pl_program *program, const char *name);
void pl_tasks_free(pl_program *program);

void pl_entry_destroy(pl_node *entry);
void pl_program_destroy(pl_node *program);

extern const pl_observer pl_program_observer;
