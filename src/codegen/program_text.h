/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs as text: their kernels read from the source, and the whole program printed for a target.
 * Invariant: what a program means is the same for every target; only the words of the prelude differ.
 */
#ifndef PLAIT_CODEGEN_PROGRAM_TEXT_H
#define PLAIT_CODEGEN_PROGRAM_TEXT_H

#include "core/program.h"
#include "core/text.h"

/* What the target can do, beside its name. */
typedef struct pl_target {
  const char *name; /* "seq", "openmp", "cuda", "opencl" */
  bool has_double, has_atomics_64;
} pl_target;

/* Reads program->task from the source. Errors: PL_ERR_KERNEL with the line. */
pl_err pl_tasks_read(pl_program *program, const pl_target *target);

/* The whole text for a target. On the host it ends with an entry point for each kernel, pl_task_NAME:
 *   void pl_task_NAME(const pl_group *group, int begin, int end)
 * runs groups begin..end-1; or, for one with barriers, work item begin of group end. */
pl_err pl_program_print(const pl_program *program, const pl_target *target, pl_text *text);

/* program_prelude.c: the words for a target; types of vectors are printed if `source` has their names. */
void pl_prelude_print(const pl_program *program, const pl_target *target, pl_text *text);

/* What host entry points are handed: arguments by position, the group's size and number of groups, and how to
 * wait for the others of a group. The text declares the same. */
typedef struct pl_group {
  void *const *args;
  int size, groups;
  void (*wait)(void *fibers);
  void *fibers;
} pl_group;

#endif
