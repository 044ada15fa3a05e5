/* SPDX-License-Identifier: BSD-2-Clause
 * Checkpoints of a program with time steps (file_options.h).
 */
#ifndef APPS_COMMON_CHECKPOINT_H
#define APPS_COMMON_CHECKPOINT_H

#include <plait.h>
#include <stdio.h>
#include <unistd.h>

#include "file_options.h"

typedef struct checkpoint {
  pl_context *pl;
  const checkpoint_files *files;
  pl_global *step;
} checkpoint;

/* To be called after all declarations; restores the file if it exists, and returns the number of steps made.
 */
static inline int checkpoint_begin(checkpoint *c, pl_context *pl, const checkpoint_files *files)
{
  int64_t step = 0;
  *c = (checkpoint){pl, files, NULL};
  if (!files->path) return 0;
  PL_OK(pl, pl_decl_global(pl, 1, PL_INT64, NULL, "step", &c->step));
  if (access(files->path, F_OK)) return 0;
  PL_OK(pl, pl_restore(pl, files->path));
  PL_OK(pl, pl_global_get(c->step, &step));
  if (pl_rank(pl) == 0) printf("%s: continues after step %lld\n", files->path, (long long)step);
  return (int)step;
}

/* To be called after each step. */
static inline void checkpoint_step(const checkpoint *c, int64_t step)
{
  if (!c->files->path || step % c->files->every) return;
  PL_OK(c->pl, pl_global_set(c->step, &step));
  PL_OK(c->pl, pl_checkpoint_keep(c->pl, c->files->path, (int)c->files->keep));
}

#endif
