/* SPDX-License-Identifier: BSD-2-Clause
 * Thread partitions: the positions that each thread runs without conflict, and the tail that runs afterwards.
 */
#pragma once

#include "plan/blocks/plan.h"

/* A division of [begin, end) among threads, level after level: in each, threads run their own runs without
 * conflict; the tail runs afterwards. The targets of a group are cut into one contiguous range a thread, of
 * about equally many reaches; a thread runs the elements whose targets are all its own. The second level,
 * which exists if many elements are left, shifts the ranges by half of one, so that elements between two are
 * inside.
 *
 * Invariants (pl_thread_partition_is_valid): every position is in exactly one thread's runs of one level or
 * in the tail; no two threads reach a common target in their runs of a level. */
typedef struct pl_thread_partition {
  int begin, end, nthreads, nlevels;
  int *run_offset; /* nlevels * nthreads + 1, into run[]: level by level, thread by thread */
  pl_run *run;
  int ntail;
  int *tail; /* positions, ascending */
} pl_thread_partition;

/* Fills in a partition whose range and threads are set. After an error the caller frees it. */
pl_err pl_thread_partition_build(pl_context *pl, const pl_plan_request *request,
                                 pl_thread_partition *partition);

/* The begin of piece w of `pieces` of [begin, end) of about equal cost: element e costs 1 and the length of
 * its row, offset[e + 1] - offset[e] (in `offset` or `wide`, or 0 without both). */
int pl_cut_rows(const int *offset, const int64_t *wide, int begin, int end, int w, int pieces);
