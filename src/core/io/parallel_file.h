/* SPDX-License-Identifier: BSD-2-Clause
 * Files that all ranks read or write together. All functions are collective.
 */
#pragma once

#include "plait.h"
#include <limits.h>

/* Fails on all ranks unless every rank can read the file and all see the same one: the same path, the same
 * size and the same first and last bytes. */
pl_err pl_file_agree(pl_context *pl, const char *path);

/* A file that is written beside its target and replaces it at the end. */
typedef struct pl_new_file {
  char target[PATH_MAX], temporary[PATH_MAX + 32];
  int lock; /* rank 0's descriptor, which locks the temporary file; -1: none */
  int keep; /* so many previous files, as NAME.1, the newest, to NAME.<keep> */
} pl_new_file;

/* Creates the empty temporary file in the target's folder, with the target's permissions, and removes those
 * that killed processes have left there. */
pl_err pl_file_begin(pl_context *pl, const char *path, pl_new_file *file);

/* After all ranks have closed the file: flushes it to the disk and renames it if no rank has an error, or
 * removes it. */
pl_err pl_file_end(pl_context *pl, const pl_new_file *file, pl_err err);
