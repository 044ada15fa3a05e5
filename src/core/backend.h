/* SPDX-License-Identifier: BSD-2-Clause
 * The backend contract: one struct of functions. A new backend is one such struct and one line in
 * src/backends/backends.def; src/backends/seq.c is the smallest complete one, to copy.
 */
#ifndef PLAIT_CORE_BACKEND_H
#define PLAIT_CORE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include "plait.h"

/* A contiguous piece of a loop's iteration set (positions in the subset for subsets). */
typedef struct pl_part {
  int number; /* 0 core, 1 owned boundary, 2 exec halo */
  int begin, end;
  int reduces; /* elements here count in global reductions (the exec halo's do not) */
} pl_part;

struct pl_launch; /* program.h */
struct pl_schedule;
typedef struct pl_scan_call pl_scan_call; /* algorithm.h */

struct pl_pairs;
struct pl_exchange; /* core/exchange.h */
struct pl_cut;      /* plan/parts.h */
struct pl_extent;   /* plan/settle.h */

typedef struct pl_backend {
  const char *name;

  /* Required. */
  const char *(*unavailable)(
    pl_context *pl); /* NULL if it can be used, else the sentence that says why not */
  pl_err (*open)(pl_context *pl,
                 void **state); /* state is handed to every other call through pl->backend_state */
  void (*close)(pl_context *pl);
  pl_err (*prepare)(pl_context *pl,
                    pl_loop *loop); /* plan, text, binary; fills loop->code; nothing has run yet */
  pl_err (*run)(pl_context *pl, pl_loop *loop, const pl_part *part);
  void (*release)(pl_context *pl, pl_loop *loop); /* frees loop->code */

  /* Optional: begins in the background what prepare() will wait for; nothing is promised. */
  pl_err (*foresee)(pl_context *pl, pl_loop *loop);

  int ends_reductions; /* run() combines results with the globals itself (devices) */

  /* With that: the element that the extreme of argument i was last found at; -1: none beat the global. */
  pl_err (*where)(pl_context *pl, const pl_loop *loop, int i, int64_t *where);

  /* Optional: the same, element by element in order, with the plainest code there is; for PLAIT_CHECK. */
  pl_err (*run_plain)(pl_context *pl, pl_loop *loop, const pl_part *part);

  /* Optional: holds a loop that is recorded against its kernel's text; prepare() will do so too. */
  pl_err (*check_loop)(pl_context *pl, pl_loop *loop);

  /* Optional: counts what the kernel computes, by its text, into loop->ops. */
  pl_err (*count)(pl_context *pl, pl_loop *loop);

  /* Optional: what a queue of recorded loops becomes (core/chain.h); NULL: each runs by itself. */
  pl_err (*schedule)(pl_context *pl, struct pl_schedule *schedule);

  /* Optional, all or none: loops run in between come again as a whole. What is remembered of them hangs on
   * schedule->replay, NULL at first. After an error in between, replay_end is called all the same. */
  pl_err (*replay_begin)(pl_context *pl, struct pl_schedule *schedule);
  pl_err (*replay_settle)(pl_context *pl); /* all so far is done before what is no loop; may be NULL */
  pl_err (*replay_end)(pl_context *pl);
  void (*replay_free)(pl_context *pl, void *replay);

  /* Optional: looks at a kernel's text when it is made from source; NULL: when it is first used. */
  pl_err (*check_kernel)(pl_context *pl, const pl_kernel *kernel);

  /* Optional, all or none: data on a device, in the device's own layout. Transfers are only started by
   * core/state.c and counted there. Buffers are opaque; the fields `device` of dats, globals, maps and sets
   * hold them. */
  pl_err (*dat_alloc)(pl_context *pl, pl_dat *dat); /* fills in dat->device; contents undefined */
  pl_err (*dat_upload)(pl_context *pl, pl_dat *dat);
  pl_err (*dat_download)(pl_context *pl, pl_dat *dat); /* returns when the values are there */
  pl_err (*dat_write)(pl_context *pl, pl_dat *dat, size_t at, size_t bytes, const void *values);
  pl_err (*dat_read)(pl_context *pl, pl_dat *dat, size_t at, size_t bytes,
                     void *values); /* of a PL_AOS copy */
  pl_err (*dat_zero)(pl_context *pl, pl_dat *dat);
  pl_err (*dat_zero_subset)(pl_context *pl, pl_dat *dat, pl_set *subset);
  pl_err (*dat_copy)(pl_context *pl, pl_dat *from, pl_dat *to);
  pl_err (*dat_grow)(pl_context *pl, pl_dat *dat, int n, int room); /* keeps n elements */
  pl_err (*dat_zero_range)(pl_context *pl, pl_dat *dat, int begin, int end);
  /* In each of some dats of a set, element to[i] becomes what from[i] is, for i < n; none is in both. */
  pl_err (*dats_fill)(pl_context *pl, int ndats, pl_dat *const *dats, int n, const int *from, const int *to);
  pl_err (*global_download)(pl_context *pl, pl_global *global); /* results that ended on the device */
  /* The same without waiting: into memory of host_alloc, behind *event (NULL: made here); whether an event
   * has come. */
  pl_err (*global_fetch)(pl_context *pl, pl_global *global, void *host, void **event);
  pl_err (*event_done)(pl_context *pl, void *event, bool *done);
  pl_err (*dat_relayout)(pl_context *pl, pl_dat *dat, int layout,
                         int pack);                  /* of a dat that has a device copy */
  void (*buffer_free)(pl_context *pl, void *buffer); /* NULL is fine */

  /* Optional, all or none: device programs. program_make reads the kernels into program->task and compiles;
   * entry_make finds an entry's code; entry_run starts it where the data is. */
  pl_err (*program_make)(pl_context *pl, pl_program *program);
  void (*program_free)(pl_context *pl, pl_program *program); /* frees program->code */
  pl_err (*entry_make)(pl_context *pl, pl_entry *entry);
  pl_err (*entry_limit)(pl_context *pl, const pl_entry *entry, int *limit); /* work items of a group */
  /* The bytes that parameter i, of a type of the program's own, takes. */
  pl_err (*entry_size)(pl_context *pl, const pl_entry *entry, int i, size_t *size);
  pl_err (*entry_run)(pl_context *pl, const struct pl_launch *launch);

  /* Optional, all or none: queues and events of a device; NULL is its first queue. Work is asked of the queue
   * in use. */
  pl_err (*queue_new)(pl_context *pl, void **queue);
  void (*queue_free)(pl_context *pl, void *queue);
  pl_err (*queue_use)(pl_context *pl, void *queue);
  pl_err (*queue_wait)(pl_context *pl, void *event); /* the queue in use goes on after the event */
  pl_err (*event_new)(pl_context *pl, void **event);
  void (*event_free)(pl_context *pl, void *event);
  pl_err (*event_record)(pl_context *pl, void *event);
  pl_err (*event_wait)(pl_context *pl, void *event);
  pl_err (*event_seconds)(pl_context *pl, void *from, void *to, double *seconds);

  /* Optional, with the above. */
  /* Makes a pair map's list fresh itself; `same`: only positions may have changed since. *done: false leaves
   * it to the host. On several ranks particles have settled and copies are up to date; whether a particle has
   * left its skin since the list that the device has made is asked for before. */
  pl_err (*pairs_renew)(pl_context *pl, pl_map *map, bool same, bool *done);
  pl_err (*pairs_left)(pl_context *pl, pl_map *map, bool *left);
  pl_err (*pairs_entries)(pl_context *pl, const struct pl_pairs *pairs,
                          int64_t *entries); /* of such a list */
  /* Optional, on several ranks: particles are put back into the box (*moved: some were), and those that cuts
   * of space (plan/parts.h) give to other ranks are listed: count[r] of them for rank r, *place (pl_free it)
   * by rank. *done: false leaves it to the host. Then those within reach of each rank's extent (low[3],
   * high[3] each; plan/settle.h), but this one's; it is only asked where the first was done. */
  pl_err (*pairs_leave)(pl_context *pl, pl_map *map, const struct pl_cut *cut, int64_t *count, int **place,
                        bool *moved, bool *done);
  pl_err (*pairs_near)(pl_context *pl, pl_map *map, double reach, const struct pl_extent *extent,
                       int64_t *count, int **place);
  void (*pairs_free)(pl_context *pl, struct pl_pairs *pairs); /* pairs->device; NULL without a device */

  /* Algorithms. A reduction or scan, checked but for its text. */
  pl_err (*scan)(pl_context *pl, const pl_scan_call *call);
  /* order = the stable order of `keys` by their lowest bits (0: by value); of the elements with a flag, and
   * how many (`order` may be NULL). to[i] = from[order[i]] for i < n; the rest of `to` is undefined. */
  pl_err (*sort)(pl_context *pl, pl_dat *keys, int bits, pl_dat *order);
  pl_err (*select)(pl_context *pl, pl_dat *flag, pl_dat *order, int64_t *count);
  pl_err (*take)(pl_context *pl, pl_dat *order, int n, pl_dat *from, pl_dat *to);

  /* Optional: whether the parts of a loop may be run as one, where nothing has to be waited for. */
  bool (*joins)(pl_context *pl, const pl_loop *loop);

  /* Optional, all or none: exchanges with other ranks (core/exchange.h), bytes counted, from begin, which
   * starts them, to end, which says when all is sent (pl_comm_sent), and behind which dats may be used;
   * buffers given back; host memory that devices copy fast; and the kind of memory that ranks of a node share
   * with those of the same kind (0: none). */
  pl_err (*exchange_ready)(pl_context *pl, struct pl_exchange *x); /* one like it will come; pl_comm_sent */
  pl_err (*exchange_begin)(pl_context *pl, struct pl_exchange *x);
  pl_err (*exchange_end)(pl_context *pl, struct pl_exchange *x);
  void (*exchange_close)(pl_context *pl);
  pl_err (*host_alloc)(pl_context *pl, size_t bytes, void **memory);
  void (*host_free)(pl_context *pl, void *memory); /* NULL is fine */
  int (*shares)(pl_context *pl);

  /* Optional: others. */
  pl_err (*sync)(pl_context *pl); /* waits for everything started; NULL: run() returns when done */
  int (*threads)(pl_context *pl); /* NULL: one */
  pl_err (*device_at)(pl_context *pl, int index, pl_device_info *info); /* needs no open backend */
} pl_backend;

#endif
