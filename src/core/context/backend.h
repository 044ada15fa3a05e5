/* SPDX-License-Identifier: BSD-2-Clause
 * The backend contract: one struct of required functions and groups of optional ones. A new backend is one
 * such struct and one line in src/backends/backends.def; src/backends/cpu/seq.c is the smallest example.
 *
 * A group is NULL if the backend lacks it; otherwise all its functions exist unless a comment says otherwise.
 */
#pragma once

#include "plait.h"
#include <stdbool.h>

struct pl_cg_steps;                       /* plan/solver/solver.h */
struct pl_cut;                            /* plan/partition/partitioners.h */
struct pl_exchange;                       /* core/exchange/exchange.h */
struct pl_formula;                        /* core/chain/builtin_kernels.h */
struct pl_extent;                         /* plan/particles/domain_decomposition.h */
struct pl_nearby;                         /* core/exchange/halo.h */
struct pl_launch;                         /* core/program/program.h */
struct pl_pairs;                          /* core/particles/pair_map.h */
struct pl_schedule;                       /* core/chain/chain.h */
typedef struct pl_scan_call pl_scan_call; /* core/arrays/reduce_scan.h */

/* A contiguous range of a loop's iteration set (positions in the subset for subsets). */
typedef struct pl_loop_range {
  int number; /* 0 core, 1 owned boundary, 2 exec halo */
  int begin, end;
  int reduces; /* its elements count in global reductions; those of the exec halo do not */
} pl_loop_range;

/* For the program's own code that uses buffers of a device. */
typedef struct pl_native_device {
  void *queue; /* the one in use: CUstream, hipStream_t, cl_command_queue */
  int dlpack;  /* DLPack's number of devices of this kind; 0: buffers are handles, without addresses */
  int number;  /* of the device in this process */
} pl_native_device;

enum { PL_RANK_SUM = 7, PL_RANK_SUMS = 4 };

/* Data on a device, in the device's layout. Only core/storage starts and counts transfers. Buffers
 * are opaque; the fields `device` of dats, globals, maps and sets hold them. */
typedef struct pl_data_ops {
  void (*choose_layout)(pl_dat *dat);           /* before the first device copy, unless it is pinned */
  pl_err (*alloc)(pl_context *pl, pl_dat *dat); /* for the storage's layout and room; contents undefined */
  /* The n elements from `begin` on, in any layout; `read` returns after the transfer. */
  pl_err (*write)(pl_context *pl, pl_dat *dat, int begin, int n, const void *values);
  pl_err (*read)(pl_context *pl, pl_dat *dat, int begin, int n, void *values);
  pl_err (*zero)(pl_context *pl, pl_dat *dat);
  pl_err (*zero_subset)(pl_context *pl, pl_dat *dat, pl_set *subset);
  pl_err (*zero_range)(pl_context *pl, pl_dat *dat, int begin, int end);
  pl_err (*copy)(pl_context *pl, pl_dat *from, pl_dat *to); /* layouts and rooms may differ */
  /* In each dat of one set: element to[i] = element from[i] for i < n; the lists are disjoint. */
  pl_err (*fill)(pl_context *pl, int ndats, pl_dat *const *dats, int n, const int *from, const int *to);
  pl_err (*global_download)(pl_context *pl, pl_global *global); /* values reduced on the device */
  /* Asynchronous, into memory of exchange->host_alloc; done at *event, which is created if NULL. */
  pl_err (*global_fetch)(pl_context *pl, pl_global *global, void *host, void **event);
  /* The same, for a caller that waits for *event before it submits work that writes the global. */
  pl_err (*global_start_read)(pl_context *pl, pl_global *global, void *host, void **event);
  pl_err (*global_compute)(pl_context *pl, const struct pl_formula *formula); /* of globals; without a wait */
  /* Sums over ranks by the devices, behind submitted work and without a wait, of at most PL_RANK_SUMS globals
   * of up to PL_RANK_SUM doubles, if sums_ranks, which is collective, says that all ranks' devices can. */
  bool (*sums_ranks)(pl_context *pl);
  pl_err (*rank_sums)(pl_context *pl, int n, pl_global *const *globals);
  void (*buffer_free)(pl_context *pl, void *buffer); /* NULL is fine */
  pl_native_device (*native)(pl_context *pl);        /* all collected work was submitted to the queue */
} pl_data_ops;

/* Queues and events of a device. NULL is its first queue. Work is submitted to the queue in use. */
typedef struct pl_queue_ops {
  pl_err (*queue_new)(pl_context *pl, void **queue);
  void (*queue_free)(pl_context *pl, void *queue);
  pl_err (*queue_use)(pl_context *pl, void *queue);
  pl_err (*queue_wait)(pl_context *pl, void *event); /* the queue in use waits for the event */
  pl_err (*event_new)(pl_context *pl, void **event);
  void (*event_free)(pl_context *pl, void *event);
  pl_err (*event_record)(pl_context *pl, void *event);
  pl_err (*event_wait)(pl_context *pl, void *event);
  pl_err (*event_done)(pl_context *pl, void *event, bool *done);
  pl_err (*event_seconds)(pl_context *pl, void *from, void *to, double *seconds);
} pl_queue_ops;

/* Device programs. program_make parses the kernels into program->task and compiles; entry_make looks an
 * entry's code up; entry_run launches it. */
typedef struct pl_program_ops {
  pl_err (*program_make)(pl_context *pl, pl_program *program);
  void (*program_free)(pl_context *pl, pl_program *program); /* frees program->code */
  pl_err (*entry_make)(pl_context *pl, pl_entry *entry);
  pl_err (*entry_limit)(pl_context *pl, const pl_entry *entry, int *limit); /* most work items of a group */
  /* The size of parameter i, whose type the program defines. */
  pl_err (*entry_size)(pl_context *pl, const pl_entry *entry, int i, size_t *size);
  pl_err (*entry_run)(pl_context *pl, const struct pl_launch *launch);
} pl_program_ops;

/* Halo exchanges from device memory; the byte counts of peers are set. */
typedef struct pl_exchange_ops {
  pl_err (*ready)(pl_context *pl,
                  struct pl_exchange *x); /* before the first such exchange; calls pl_comm_sent */
  pl_err (*begin)(pl_context *pl, struct pl_exchange *x); /* calls pl_comm_sent after the last send */
  pl_err (*end)(pl_context *pl, struct pl_exchange *x);   /* work submitted later may use the dats */
  void (*close)(pl_context *pl);                          /* frees buffers */
  pl_err (*host_alloc)(pl_context *pl, size_t bytes, void **memory); /* page-locked host memory */
  void (*host_free)(pl_context *pl, void *memory);                   /* NULL is fine */
  int (*shared_memory_kind)(pl_context *pl); /* ranks of a node with the same kind share memory; 0: none */
} pl_exchange_ops;

/* Neighbour lists built on the device. If *done is false the host does the work. */
typedef struct pl_pair_ops {
  /* Makes a pair map's list valid; `same`: only positions changed since the last one. On several ranks
   * particles have migrated and copies of other ranks' particles are up to date. */
  pl_err (*renew)(pl_context *pl, pl_map *map, bool same, bool *done);
  /* On several ranks: starts to update the records, while copies are exchanged, and updates them with current
   * copies. Then waits; *stale: a pair may be missing in the list, and loops that were launched in between
   * did nothing. */
  pl_err (*start_update)(pl_context *pl, pl_map *map);
  pl_err (*update)(pl_context *pl, pl_map *map);
  pl_err (*stale)(pl_context *pl, pl_map *map, bool *stale);
  pl_err (*entries)(pl_context *pl, const struct pl_pairs *pairs, int64_t *entries);
  /* On several ranks: wraps particles into the box (*moved: some were) and lists in *place (valid until the
   * next call), by rank, the count[r] particles that the cuts assign to each other rank r. */
  pl_err (*leaving)(pl_context *pl, pl_map *map, const struct pl_cut *cut, int64_t *count, const int **place,
                    bool *moved, bool *done);
  /* The particles within near->reach of each other rank's extent; called only after `leaving` with *done. The
   * halo of the particles will be `near`. */
  pl_err (*near)(pl_context *pl, pl_map *map, const struct pl_nearby *near, const struct pl_extent *extent,
                 int64_t *count, const int **place);
  /* What `near` has listed is what the halo of the particles sends now; it receives copies in their order.
   * *kept: the device has both lists. */
  pl_err (*keep)(pl_context *pl, pl_map *map, bool *kept);
  void (*free)(pl_context *pl, struct pl_pairs *pairs); /* pairs->device */
} pl_pair_ops;

typedef struct pl_algorithm_ops {
  /* A reduction or scan; everything but the expressions' text is checked. */
  pl_err (*scan)(pl_context *pl, const pl_scan_call *call);
  /* order = stable sort permutation of `keys` by their lowest `bits` bits (0: by value). */
  pl_err (*sort)(pl_context *pl, pl_dat *keys, int bits, pl_dat *order);
  /* The elements whose flag is set, and their number; `order` may be NULL. */
  pl_err (*select)(pl_context *pl, pl_dat *flag, pl_dat *order, int64_t *count);
  /* to[i] = from[order[i]] for i < n; the rest of `to` is undefined. */
  pl_err (*gather)(pl_context *pl, pl_dat *order, int n, pl_dat *from, pl_dat *to);
  /* Many iterations of conjugate gradients on a small system. *done: false: not on this device. NULL: on
   * none. */
  pl_err (*cg_steps)(pl_context *pl, struct pl_cg_steps *cg, bool *done);
} pl_algorithm_ops;

/* Replay of a repeated schedule as one submission. schedule->replay holds the state, NULL at first. `end` is
 * called after an error, too. `repeat` (may be NULL) submits the calls of an earlier run again if the loops
 * would make the same ones; *done: it did, and the caller marks what they write. */
typedef struct pl_replay_ops {
  pl_err (*repeat)(pl_context *pl, struct pl_schedule *schedule, bool *done);
  pl_err (*begin)(pl_context *pl, struct pl_schedule *schedule);
  pl_err (*flush)(pl_context *pl); /* runs the collected loops before other work; may be NULL */
  pl_err (*end)(pl_context *pl);
  void (*free)(pl_context *pl, void *replay);
} pl_replay_ops;

typedef struct pl_backend {
  const char *name;

  /* Required. */
  const char *(*unavailable)(pl_context *pl);   /* NULL: usable; else the reason; may be NULL */
  pl_err (*open)(pl_context *pl, void **state); /* the state becomes pl->backend_state */
  void (*close)(pl_context *pl);
  pl_err (*prepare)(pl_context *pl, pl_loop *loop); /* plan, text, binary: fills loop->code */
  pl_err (*run)(pl_context *pl, pl_loop *loop, const pl_loop_range *range);
  void (*release)(pl_context *pl, pl_loop *loop); /* frees loop->code */

  /* Optional, each by itself. */
  pl_err (*prefetch)(pl_context *pl, pl_loop *loop); /* starts compiling asynchronously; may fail */
  bool reduces_globals; /* run() combines results with the globals itself (devices) */
  /* With reduces_globals: the element that holds the extreme of argument i; -1: the global's value holds. */
  pl_err (*arg_element)(pl_context *pl, const pl_loop *loop, int i, int64_t *element);
  /* The reference of PLAIT_CHECK: element by element, in order, without optimisation. */
  pl_err (*run_reference)(pl_context *pl, pl_loop *loop, const pl_loop_range *range);
  pl_err (*check_loop)(pl_context *pl, pl_loop *loop); /* a recorded loop against its kernel's text */
  pl_err (*check_kernel)(pl_context *pl, const pl_kernel *kernel); /* the text of a kernel from source */
  pl_err (*count)(pl_context *pl, pl_loop *loop); /* counts the kernel's operations into loop->ops */
  pl_err (*schedule)(pl_context *pl, struct pl_schedule *schedule); /* plans a queue; NULL: loop by loop */
  /* Sets the loop's `gathered` and the members that belong to it, if it writes through a map. Collective. */
  pl_err (*find_gathered)(pl_context *pl, pl_loop *loop);
  /* Ranges may run as one if no halo exchange is pending. */
  bool (*merges_ranges)(pl_context *pl, const pl_loop *loop);
  pl_err (*sync)(pl_context *pl); /* waits for all work; NULL: run() is synchronous */
  int (*threads)(pl_context *pl); /* NULL: one */
  pl_err (*device_at)(pl_context *pl, int index, pl_device_info *info); /* needs no open backend */

  /* Groups of optional functions. */
  const pl_data_ops *data;
  const pl_queue_ops *queues;
  const pl_program_ops *programs;
  const pl_exchange_ops *exchange;
  const pl_pair_ops *pairs;
  const pl_algorithm_ops *algorithms;
  const pl_replay_ops *replay;
} pl_backend;
