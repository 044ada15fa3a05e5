/* SPDX-License-Identifier: BSD-2-Clause
 * A program that uses all of the library, call by call, while allocations fail.
 *
 * Each call is made through CALL, which knows how many allocations failed in it. Such a call either
 * succeeds, or returns PL_ERR_MEMORY with a message and without observable effect on values, versions,
 * options, handles or the profile. Then it is repeated (FAULTS_RETRY), or the program stops
 * (FAULTS_ABANDON). In both cases pl_finalize frees all memory.
 */
#ifndef PLAIT_TESTS_WHOLE_API_H
#define PLAIT_TESTS_WHOLE_API_H

#include "failing_memory.h"

typedef enum faults_mode { FAULTS_RETRY, FAULTS_ABANDON } faults_mode;

enum { FAULTS_CALLS = 400, FAULTS_OPTIONS = 6 };

typedef struct faults_job {
  const char *options[FAULTS_OPTIONS + 1]; /* for pl_init, ended by NULL */
  const char *folder;                      /* for the files that it writes */
  bool brief;                              /* only a few declarations and loops, all with compiled kernels */
  faults_mode mode;
  long fail_at; /* the allocation that fails; 0: none */
} faults_job;

/* The number of allocations requested until the end of each call. */
typedef struct faults_profile {
  int calls;
  long asked[FAULTS_CALLS];
} faults_profile;

typedef struct faults_outcome {
  bool finished;       /* all steps are done */
  int failed_calls;    /* calls that returned PL_ERR_MEMORY */
  int wordless;        /* calls that returned their expected error; memory for the message was missing */
  int unharmed;        /* calls that succeeded although an allocation failed in them */
  long asked;          /* allocations of a complete run */
  uint64_t result;     /* digest of all results */
  pl_stats stats;      /* at the end of a complete run */
  char complaint[800]; /* the first error; empty: none */
} faults_outcome;

/* Runs the program. `profile` comes from a run without failures, or is NULL; fills `record` unless it is
 * NULL. */
void faults_run(const faults_job *job, const faults_profile *profile, faults_profile *record,
                faults_outcome *outcome);

#endif
