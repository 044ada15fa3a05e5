/* SPDX-License-Identifier: BSD-2-Clause
 * State of the host backends: the run-time compiler, the code of loops, and workers that run ranges of them.
 * Invariant: one thread at a time uses a worker, and results of workers are added in the order of workers.
 */
#pragma once

#include <stdbool.h>
#include "backends/tuning/tuner.h"
#include "codegen/jit/jit.h"
#include "codegen/loop/emitter.h"
#include "core/context/backend.h"

struct pl_checker;
struct pl_fibers;
struct pl_host_scan;
struct pl_thread_partition;
struct pl_trial;
struct tiling;

enum { PL_HOST_RANGES = 3, PL_FIXED_WORKERS = 64, PL_INTERPRETED_MAX_ARGS = 24 };

typedef void (*pl_host_fn)(int begin, int end, const int *list, void *const *slot);

typedef struct pl_worker {
  void **slot;      /* kernel parameters, with this worker's results */
  void **result;    /* partial results, as loop->result */
  int64_t *element; /* as loop->arg_element */
  char *scratch;    /* private values of an element, for the interpreter */
} pl_worker;

typedef struct pl_host_code {
  pl_loop *loop;
  struct pl_host *host;
  pl_signature signature;
  bool vectors; /* the kernel has a copy for several elements */
  pl_loop_text program;
  pl_host_fn run;              /* NULL: interpreted */
  pl_host_fn tiled, tiled_for; /* the form that tiles run, and the run() that it belongs to */
  void *consts;
  uint64_t const_version;
  int nworkers;
  pl_worker *worker;
  bool reduces;
  bool checks;                /* the reference loop of PLAIT_CHECK, ... */
  struct pl_checker *checker; /* ... and its checker; else NULL */
  bool serial;                /* increments of pairs conflict: one worker runs all */
  /* openmp, by range: one of them if the loop has conflicts */
  const pl_plan *plan[PL_HOST_RANGES];
  const struct pl_thread_partition *partition[PL_HOST_RANGES];
  struct pl_host_code *reference; /* with PLAIT_CHECK */
  pl_tuner threads;               /* openmp: how many a loop of medium size is worth */
  bool quick, full_begun;         /* runs code that was compiled quickly; the full compilation has begun */
  bool noted;                     /* for later processes: full code pays */
  double full_at;                 /* cost of the loop at which it begins, or is looked for */
  pl_form rule_form;              /* chosen by rules */
  bool undecided;                 /* other forms are still to be tried */
  bool confirms;                  /* a stored choice is measured again */
  double poll_at;                 /* cost of the loop at which this rank looks for the choice of another */
  struct pl_trial *trial;         /* while forms are compared */
  char division[32];              /* among threads, for the profile; "" without conflicts */
  char variant[64];
} pl_host_code;

/* Calls work(data, w) for w = 0 ... workers - 1, on several threads. */
typedef void (*pl_work_fn)(void *data, int w);
typedef void (*pl_each_fn)(int workers, int threads, pl_work_fn work, void *data);

typedef struct pl_host {
  pl_jit *jit;
  int threads;
  pl_each_fn each;                                                   /* NULL: one thread */
  void (*run_slots)(pl_host_code *code, const pl_loop_range *range); /* with the workers' current slots */
  struct tiling *tilings;                                            /* of all schedules */
  struct tiling *tiling;                                             /* of the running schedule, or NULL */
  bool tiling_trial; /* its run is timed, or the next one is: nothing else is compared now */
  bool warned;       /* of interpreted loops */
  bool never_quick;  /* the compiler does not take the flags of a quick compilation */
  struct pl_scan_program *scans;
  struct pl_fibers **fibers; /* one a worker, kept between launches, for up to fiber_items work items */
  int nfibers, fiber_items;
  void *sort_buffer; /* kept: a first touch of memory costs as much as a sorting pass */
  size_t sort_size;
} pl_host;

int pl_host_workers(pl_context *pl); /* as many as threads, or PL_FIXED_WORKERS for reproducible results */
void pl_host_each(pl_context *pl, int workers, pl_work_fn work, void *data);

/* Where the share of worker w in n items begins. */
static inline int pl_host_share(int64_t n, int w, int workers)
{
  return (int)(n * w / workers);
}
