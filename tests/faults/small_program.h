/* SPDX-License-Identifier: BSD-2-Clause
 * A small program with exact results: a direct loop, and one that adds through a map, with a const, a helper
 * and reductions. All its numbers are small integers, so any order and any compiler give the same bits.
 */
#ifndef PLAIT_FAULTS_SMALL_H
#define PLAIT_FAULTS_SMALL_H

#include <plait.h>
#include <stdbool.h>

enum { SMALL_LOOPS = 2, SMALL_OPTIONS = 8 };

typedef struct small_outcome {
  pl_err err;         /* of the first call that failed */
  char message[8192]; /* its sentence */
  bool right;         /* all results are what plain C gives, and all memory came home */
  pl_stats stats;
} small_outcome;

/* Runs it in a fresh context on the backend seq, with up to SMALL_OPTIONS - 1 more options (ended by NULL).
 */
small_outcome small_run(const char *const options[]);

/* The same with the test's cache folder and one or two more options, which may be NULL. */
small_outcome small_run_cached(const char *first, const char *second);

#endif
