/* SPDX-License-Identifier: BSD-2-Clause
 * Progress of long work: one line on stderr with the share done, the rate and the time left. It appears on
 * rank 0 only, and only if stderr is a terminal.
 */
#ifndef APPS_COMMON_PROGRESS_H
#define APPS_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
  const char *unit; /* of the work, in the plural: "iterations" */
  int64_t first, total;
  double start, next; /* seconds on the clock of wall.h; when the line is due again */
  bool on;
} progress;

/* Work of `total` units, of which `done` were done in an earlier run. The line appears after half a second.
 */
void progress_begin(progress *p, int rank, const char *unit, int64_t done, int64_t total);
/* To be called after each unit, or after some. */
void progress_step(progress *p, int64_t done);
/* Removes the line: before other output to a terminal, and at the end. */
void progress_clear(const progress *p);

/* The progress of an iteration that ends when a norm has fallen by the factor `rtol`: the logarithm of the
 * norm tells how far it is. */
typedef struct progress_norm {
  progress shown;
  double rtol, first;
} progress_norm;

void progress_norm_begin(progress_norm *p, int rank, double rtol);
/* A pl_monitor_fn, with p as `user`. Call progress_clear(&p->shown) at the end. */
void progress_norm_step(void *p, int iteration, double norm);

/* The line after `seconds` of work, for progress_step. */
void progress_text(const progress *p, int64_t done, double seconds, char text[96]);

#endif
