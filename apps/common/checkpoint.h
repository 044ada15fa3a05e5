/* SPDX-License-Identifier: BSD-2-Clause
 * Checkpoints of a program with time steps: the options --checkpoint and --checkpoint-every.
 */
#ifndef APPS_CHECKPOINT_H
#define APPS_CHECKPOINT_H

#include <plait.h>
#include <stdio.h>
#include <unistd.h>

#define CHECKPOINT_OPTIONS(file, steps)                                                                      \
  {"checkpoint",                                                                                             \
   "FILE",                                                                                                   \
   OPTION_TEXT,                                                                                              \
   (file),                                                                                                   \
   0,                                                                                                        \
   0,                                                                                                        \
   "continue from FILE (HDF5) if it exists, and write it while the program runs"},                           \
  {                                                                                                          \
    "checkpoint-every", "N", OPTION_INTEGER, (steps), 1, 1000000000, "steps between two checkpoints"         \
  }

typedef struct checkpoint {
  pl_context *pl;
  const char *path; /* NULL: none */
  int64_t every;
  pl_global *step;
} checkpoint;

/* To be called after all declarations; restores the file if it exists, and returns the number of steps made.
 */
static inline int checkpoint_begin(checkpoint *c)
{
  int64_t step = 0;
  if (!c->path) return 0;
  PL_OK(c->pl, pl_decl_global(c->pl, 1, PL_INT64, NULL, "step", &c->step));
  if (access(c->path, F_OK)) return 0;
  PL_OK(c->pl, pl_restore(c->pl, c->path));
  PL_OK(c->pl, pl_global_get(c->step, &step));
  if (pl_rank(c->pl) == 0) printf("%s: continues after step %lld\n", c->path, (long long)step);
  return (int)step;
}

/* To be called after each step. */
static inline void checkpoint_step(const checkpoint *c, int64_t step)
{
  if (!c->path || step % c->every) return;
  PL_OK(c->pl, pl_global_set(c->step, &step));
  PL_OK(c->pl, pl_checkpoint(c->pl, c->path));
}

#endif
