/* SPDX-License-Identifier: BSD-2-Clause
 * A program that uses all of the library once, call by call, while allocations fail.
 *
 * Each call is made through CALL, which knows how many allocations failed in it. A call in which one failed
 * either succeeds all the same, or says PL_ERR_MEMORY with a sentence and has changed nothing that can be
 * seen: values, versions, options, handles, lines of the profile. Then it is made again (FAULTS_RETRY), or
 * the program gives up (FAULTS_ABANDON); either way all memory has gone home after pl_finalize.
 */
#ifndef PLAIT_FAULTS_PROGRAM_H
#define PLAIT_FAULTS_PROGRAM_H

#include "memory.h"

typedef enum faults_mode { FAULTS_RETRY, FAULTS_ABANDON } faults_mode;

enum { FAULTS_CALLS = 400, FAULTS_OPTIONS = 6 };

typedef struct faults_job {
  const char *options[FAULTS_OPTIONS + 1]; /* for pl_init, ended by NULL */
  const char *folder;                      /* for the files that it writes */
  bool brief;                              /* only a few declarations and loops, all with compiled kernels */
  faults_mode mode;
  long fail_at; /* which allocation fails; 0: none */
} faults_job;

/* Where allocations happen: how many were asked for when each call had ended. */
typedef struct faults_profile {
  int calls;
  long asked[FAULTS_CALLS];
} faults_profile;

typedef struct faults_outcome {
  bool finished;    /* all steps were done */
  int failed_calls; /* calls that answered PL_ERR_MEMORY */
  int wordless; /* calls that answered their own error as they should; memory for its sentence was missing */
  int unharmed; /* calls that succeeded although an allocation failed in them */
  long asked;   /* allocations of a finished run */
  uint64_t result;     /* digest of everything computed */
  pl_stats stats;      /* at the end, of a finished run */
  char complaint[800]; /* what was wrong; empty: nothing */
} faults_outcome;

/* Runs the program. `profile` is of an undisturbed run, or NULL; `record` is filled in if it is not NULL. */
void faults_run(const faults_job *job, const faults_profile *profile, faults_profile *record,
                faults_outcome *outcome);

#endif
