/* SPDX-License-Identifier: BSD-2-Clause
 * Types that reading, printing and running device programs share. Invariant: a program has the same meaning
 * on every target; only the prelude differs.
 */
#pragma once

#include "codegen/target/dialect.h"

/* The target of a program's text. */
typedef struct pl_target {
  const char *name; /* the backend's, for comments */
  const pl_dialect *dialect;
  bool has_double, has_atomics_64;
} pl_target;

/* The parameter of host entry points: arguments by position, the group's size, the number of groups, and the
 * barrier of a group. The text declares the same. */
typedef struct pl_group {
  void *const *args;
  int size, groups;
  void (*wait)(void *fibers);
  void *fibers;
} pl_group;
