/* SPDX-License-Identifier: BSD-2-Clause
 * A small program with exact results: a direct loop and a loop that increments through a map, with a const,
 * a helper and reductions. All values are small integers, so any order and any compiler give the same bits.
 */
#ifndef PLAIT_TESTS_SMALL_PROGRAM_H
#define PLAIT_TESTS_SMALL_PROGRAM_H

#include <plait.h>
#include <stdbool.h>

enum { SMALL_LOOPS = 2, SMALL_OPTIONS = 8 };

typedef struct small_outcome {
  pl_err err;         /* of the first call that failed */
  char message[8192]; /* its message */
  bool right;         /* all results are those of plain C, and all memory was freed */
  pl_stats stats;
} small_outcome;

/* Runs it in a new context on the backend seq, with up to SMALL_OPTIONS - 1 more options (ended by NULL). */
small_outcome small_run(const char *const options[]);

/* The same with the test's cache folder and one or two more options, which may be NULL. */
small_outcome small_run_cached(const char *first, const char *second);

#endif
