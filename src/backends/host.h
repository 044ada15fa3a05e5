/* SPDX-License-Identifier: BSD-2-Clause
 * What the seq and openmp backends share: a loop's code on the host, and workers that run pieces of it.
 * Invariant: a worker is used by one thread at a time, and results of workers are added in the order of
 * workers.
 */
#ifndef PLAIT_BACKENDS_HOST_H
#define PLAIT_BACKENDS_HOST_H

#include "codegen/algorithm.h"
#include "codegen/jit.h"
#include "codegen/count.h"
#include "codegen/schedule.h"
#include "codegen/walker.h"
#include "host_program.h"
#include "plan/plan.h"

typedef void (*pl_host_fn)(int begin, int end, const int *list, void *const *slot);

/* What one worker of a loop has to itself. */
typedef struct pl_worker {
  void **slot;    /* the program's slots, with this worker's results */
  void **result;  /* partial results, as loop->result */
  int64_t *where; /* as loop->where */
  char *scratch;  /* private values of an element, without run-time compilation */
} pl_worker;

enum { PL_HOST_PARTS = 3 };

/* How many threads a loop of middling size is worth; openmp finds out in the first calls. */
enum { PL_WIDTHS = 6 };
typedef struct pl_width {
  int turn, best;
  double seconds[PL_WIDTHS]; /* of a call, by how many threads */
} pl_width;

typedef struct pl_host_code {
  pl_loop *loop;
  struct pl_host *host;
  pl_signature signature;
  pl_loop_text program;
  pl_host_fn run;             /* NULL: call the user's own kernel, fallback.c */
  pl_host_fn tiled, tiled_of; /* what tiles run, for which run() it was found */
  void *consts;
  uint64_t const_version;
  int nworkers;
  pl_worker *worker;
  bool reduces;
  bool checks;            /* the plain form of PLAIT_CHECK: sums that do not fit are marked */
  struct pl_watch *watch; /* ... and what it tells; NULL in others */
  bool serial;            /* pairs collide: one worker runs them all */
  /* openmp: how each part of the set is divided; both NULL where nothing collides */
  const pl_plan *plan[PL_HOST_PARTS];
  const pl_split *split[PL_HOST_PARTS];
  struct pl_host_code *plain; /* scalar form and one worker, with PLAIT_CHECK; else NULL */
  pl_form guess;              /* what rules choose */
  pl_width width;
  bool undecided;         /* other forms are still to be tried */
  bool once;              /* the remembered form is tried once more */
  double listen_at;       /* cost of the loop at which this rank looks for what another found */
  struct pl_trial *trial; /* while they are */
  char division[32];      /* how threads share the work, for the profile; "" where nothing collides */
  char variant[64];
} pl_host_code;

/* Calls work(data, w) for w = 0 ... workers - 1, by all threads; NULL: one after the other. */
typedef void (*pl_work_fn)(void *data, int w);
typedef void (*pl_each_fn)(int workers, int threads, pl_work_fn work, void *data);

/* State of a host backend: its run-time compiler. */
typedef struct pl_host {
  pl_jit *jit;
  int threads;
  pl_each_fn each;
  void (*run_slots)(pl_host_code *code, const pl_part *part); /* a loop with the slots as they are */
  struct tiling *tilings;                                     /* of all schedules, tiled.c */
  struct tiling *tiling;                                      /* of the one that runs; or NULL */
  struct pl_host_scan *scans;                                 /* prepared reductions and scans */
  bool warned;                                                /* of jit=off */
  /* work items of programs with barriers, kept from launch to launch: one for each worker, of up to
   * fiber_items items */
  struct pl_fibers **fibers;
  int nfibers, fiber_items;
  void *room; /* for sorting, kept: fresh memory costs as much as a pass */
  size_t room_size;
} pl_host;

pl_err pl_host_open(pl_context *pl, int threads, void **state);
void pl_host_close(pl_context *pl);
pl_err pl_host_new(pl_context *pl, int threads, pl_host **host);
void pl_host_free(pl_context *pl, pl_host *host); /* NULL is fine */

/* A loop's plain form: element by element, one worker; and one part of it run. Devices check themselves by
 * it. */
pl_err pl_host_plain_new(pl_host *host, pl_loop *loop, pl_host_code **code);
void pl_host_plain_free(pl_context *pl, pl_host_code *code); /* NULL is fine */
pl_err pl_host_plain_run(pl_host_code *code, const pl_part *part);

/* Signature, text, binary and `nworkers` workers; loop->code is a pl_host_code. */
pl_err pl_host_prepare(pl_context *pl, pl_loop *loop, int nworkers);
void pl_host_release(pl_context *pl, pl_loop *loop);

/* Begins to compile what pl_host_prepare will ask for. */
pl_err pl_host_foresee(pl_context *pl, pl_loop *loop);

/* The loop element by element, for PLAIT_CHECK. */
pl_err pl_host_run_plain(pl_context *pl, pl_loop *loop, const pl_part *part);

/* Before a run: points the slots at the present data and clears the workers' results. */
pl_err pl_host_begin(pl_host_code *code);
/* Worker w runs positions begin to end - 1, or those of list[begin..end-1] (element numbers). */
void pl_host_run(const pl_host_code *code, int w, int begin, int end, const int *list);
/* After a run: the workers' results enter the loop's, unless the part does not reduce. */
void pl_host_end(pl_host_code *code, const pl_part *part);

/* code->program for a form, which must be empty before; that and code->run. */
pl_err pl_host_write(pl_host_code *code, pl_form form);
pl_err pl_host_compile(pl_host_code *code, pl_form form);
pl_err pl_host_compile_begin(pl_host_code *code, pl_form form); /* in the background; run() stays as it is */
void pl_host_name_variant(pl_host_code *code);
pl_jit_source pl_host_source(const pl_host_code *code); /* what code->program asks of the compiler */

/* shape.c: the form that a loop runs in. Chosen when it is prepared: the option's, or what was found to be
 * the fastest before, or by rules; and by trial once it turns out to matter, around each run of a part. */
pl_err pl_shape_choose(pl_host_code *code, pl_form *form);
pl_err pl_shape_begin(pl_host_code *code);
void pl_shape_end(pl_host_code *code, const pl_part *part);
void pl_shape_forget(pl_host_code *code); /* frees the trial */

/* host_scan.c: algorithms. Work is divided among as many workers as threads, or 64 with PLAIT_REPRODUCIBLE.
 */
enum { PL_FIXED_WORKERS = 64 };
int pl_host_workers(pl_context *pl);
void pl_host_each(pl_context *pl, int workers, pl_work_fn work, void *data);
pl_err pl_host_scan_run(pl_context *pl, const pl_scan_call *call);
void pl_host_scans_free(pl_context *pl);

/* tiled.c: schedules of chains tile by tile. Between begin and end a loop may be put off (`taken`), to run
 * with others; settle runs what was put off so far, before anything else is done. While tiles are tried no
 * shapes are. */
pl_err pl_tiling_begin(pl_context *pl, pl_schedule *schedule);
bool pl_tiling_tries(const pl_host *host);
pl_err pl_tiling_takes(pl_host_code *code, const pl_part *part, bool *taken);
pl_err pl_tiling_settle(pl_context *pl);
pl_err pl_tiling_end(pl_context *pl);
void pl_tiling_free(pl_context *pl, void *tiling);

/* host_order.c: sorting, selecting, taking. */
pl_err pl_host_sort(pl_context *pl, pl_dat *keys, int bits, pl_dat *order);
pl_err pl_host_select(pl_context *pl, pl_dat *flag, pl_dat *order, int64_t *count);
pl_err pl_host_take(pl_context *pl, pl_dat *order, int n, pl_dat *from, pl_dat *to);

/* fallback.c: the loop by the program's own compiled kernel. */
pl_err pl_fallback_check(const pl_loop *loop, const pl_signature *signature, const char *why);
size_t pl_fallback_scratch(const pl_loop *loop);                     /* bytes a worker needs */
enum { PL_FALLBACK_MOST = 24 };                                      /* arguments */
void pl_fallback_call(pl_kernel_fn function, int n, void *const *p); /* the kernel with n pointers */
void pl_fallback_run_pairs(const pl_host_code *code, pl_worker *worker, int begin, int end);
void pl_fallback_run(const pl_host_code *code, pl_worker *worker, int begin, int end, const int *list);

/* What a backend of the host has from here; its own are the name, open, prepare and run. */
#define PL_HOST_BACKEND                                                                                      \
  .close = pl_host_close, .run_plain = pl_host_run_plain, .release = pl_host_release,                        \
  .foresee = pl_host_foresee, .scan = pl_host_scan_run, .sort = pl_host_sort, .select = pl_host_select,      \
  .take = pl_host_take, .check_kernel = pl_signature_check, .check_loop = pl_schedule_check,                 \
  .count = pl_count, .schedule = pl_schedule_make, .program_make = pl_host_program_make,                     \
  .program_free = pl_host_program_free, .entry_make = pl_host_entry_make,                                    \
  .entry_limit = pl_host_entry_limit, .entry_size = pl_host_entry_size, .entry_run = pl_host_entry_run,      \
  .replay_begin = pl_tiling_begin, .replay_settle = pl_tiling_settle, .replay_end = pl_tiling_end,           \
  .replay_free = pl_tiling_free

#endif
