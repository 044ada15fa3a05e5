/* SPDX-License-Identifier: BSD-2-Clause
 * What the device backends share. A driver is what differs between CUDA and OpenCL: memory, compilation,
 * launches. Everything else - text, plans, data, reductions - is written once, over this contract. Invariant:
 * work in one queue is done in the order it is asked for; only download and sync wait.
 */
#ifndef PLAIT_BACKENDS_DEVICE_H
#define PLAIT_BACKENDS_DEVICE_H

#include "codegen/count.h"
#include "codegen/schedule.h"
#include "codegen/algorithm.h"
#include "codegen/cache.h"
#include "codegen/walker.h"
#include "plan/plan.h"

typedef struct pl_device pl_device;
typedef struct pl_module pl_module;
typedef struct pl_replay pl_replay;

/* A kernel argument: `size` bytes at `value`; for a buffer, the address of its handle. */
typedef struct pl_launch_arg {
  size_t size;
  const void *value;
} pl_launch_arg;

/* Kinds of memory that processes of one machine share. */
enum { PL_SHARES_NOTHING = 0, PL_SHARES_CUDA, PL_SHARES_HOST };

/* How another process finds a buffer or an event. */
typedef struct pl_handle {
  char bytes[64];
} pl_handle;

/* Every function returns after setting the context's error, or succeeds. `dev` is the driver's own. */
typedef struct pl_driver {
  const char *name; /* also the dialect's */
  const char *(*unavailable)(pl_context *pl);
  pl_err (*open)(pl_device *device); /* chooses the device, fills in dev and the properties below */
  void (*close)(pl_device *device);
  pl_err (*alloc)(pl_device *device, size_t size, void **buffer);
  void (*free)(pl_device *device, void *buffer);
  pl_err (*upload)(pl_device *device, void *buffer, const void *host,
                   size_t size); /* host may be reused at once */
  pl_err (*download)(pl_device *device, void *host, void *buffer, size_t size);               /* waits */
  pl_err (*write)(pl_device *device, void *buffer, size_t at, const void *host, size_t size); /* parts */
  pl_err (*read)(pl_device *device, void *host, void *buffer, size_t at, size_t size);
  pl_err (*zero)(pl_device *device, void *buffer, size_t size);
  pl_err (*copy)(pl_device *device, void *to, void *from, size_t size);
  /* `registers` of a work item at most, where the compiler can be told; 0: as many as it likes. */
  pl_err (*compile)(pl_device *device, const char *label, const char *text, int registers, pl_text *binary);
  pl_err (*load)(pl_device *device, const pl_text *binary, int registers, void **module);
  void (*unload)(pl_device *device, void *module);
  pl_err (*kernel)(pl_device *device, void *module, const char *name, void **kernel);
  void (*kernel_free)(pl_device *device, void *kernel);         /* NULL: nothing to free */
  pl_err (*limit)(pl_device *device, void *kernel, int *block); /* work items that a group may have */
  size_t (*private_bytes)(pl_device *device,
                          void *kernel); /* of a work item, in memory instead of registers */
  /* `shared` bytes of local memory beside what the kernel declares itself. */
  pl_err (*launch)(pl_device *device, void *kernel, int blocks, int block_size, size_t shared, int nargs,
                   const pl_launch_arg *args);
  pl_err (*sync)(pl_device *device); /* all queues */

  /* Further queues, and moments in them. What is asked for goes to the queue in use; NULL is the first one.
   */
  pl_err (*queue_new)(pl_device *device, bool urgent, void **queue); /* urgent: before others, if it can be */
  void (*queue_free)(pl_device *device, void *queue);
  void (*queue_use)(pl_device *device, void *queue);
  pl_err (*queue_wait)(pl_device *device, void *event);
  pl_err (*event_new)(pl_device *device, bool timed, void **event); /* timed: event_seconds may ask */
  void (*event_free)(pl_device *device, void *event);
  pl_err (*event_record)(pl_device *device, void *event);
  pl_err (*event_wait)(pl_device *device, void *event); /* on the host */
  pl_err (*event_done)(pl_device *device, void *event, bool *done);
  pl_err (*event_seconds)(pl_device *device, void *from, void *to, double *seconds);

  /* Between host memory of host_alloc and a buffer, without waiting: neither is touched before the queue got
   * there. host_alloc is optional, with host_free (NULL is fine): any memory will do. */
  pl_err (*start_write)(pl_device *device, void *buffer, size_t at, const void *host, size_t size);
  pl_err (*start_read)(pl_device *device, void *host, void *buffer, size_t at, size_t size);
  pl_err (*host_alloc)(pl_device *device, size_t size, void **memory);
  void (*host_free)(pl_device *device, void *memory);
  bool host_seen; /* kernels may write to memory of host_alloc, and the host sees it while they run */

  /* Where the device's `shares` is not 0: a buffer that other processes of this machine open by its handle;
   * theirs are closed first. And, optional, an event that they can wait for, used and freed as others. */
  pl_err (*shared_new)(pl_device *device, size_t size, void **buffer, pl_handle *handle);
  pl_err (*shared_open)(pl_device *device, const pl_handle *handle, void **buffer);
  void (*shared_close)(pl_device *device, void *buffer, bool opened); /* NULL is fine */
  pl_err (*signal_new)(pl_device *device, void **event, pl_handle *handle);
  pl_err (*signal_open)(pl_device *device, const pl_handle *handle, void **event);
  void *(*address)(pl_device *device, void *buffer); /* what MPI may be given of a shared_new buffer */

  /* Optional, all or none: launches, zeros and copies between begin and end are not done but kept as one
   * piece of work, which `graph_run` starts. */
  pl_err (*graph_begin)(pl_device *device);
  pl_err (*graph_end)(pl_device *device, void **graph);
  pl_err (*graph_run)(pl_device *device, void *graph);
  void (*graph_free)(pl_device *device, void *graph);
} pl_driver;

struct pl_device {
  pl_context *pl;
  const pl_driver *driver;
  void *dev;
  char name[128];
  char number[32];    /* as option device takes it */
  char version[256];  /* for people */
  char identity[512]; /* device, driver and compiler: what else decides a binary */
  int max_block;
  size_t max_shared; /* bytes of local memory of a block */
  size_t
    max_private; /* bytes that a block's work items hold apart, where they live on one stack; 0: no limit */
  int units;     /* that run blocks at the same time */
  bool counts_registers; /* the compiler can be told how many a work item may have */
  bool has_double, has_atomics_64;
  int shares;           /* PL_SHARES_..., what other processes can open */
  int place;            /* tells it from the other devices of this machine, to all processes */
  bool direct;          /* MPI takes what `address` tells */
  struct pl_mail *mail; /* device_mail.c; NULL before the first exchange */
  uint64_t exchanges;   /* that have ended: loops run behind them, and behind what was fetched before */
  struct pl_device_code *turned; /* its last targets wait for the exchange under way */
  pl_cache *cache;
  struct pl_host *host; /* with PLAIT_CHECK: runs loops plainly */
  pl_module *modules;   /* built in this context */
  void *staging;        /* a buffer for conversions between layouts, grown as needed */
  size_t staging_size;
  void *listed[9];              /* kernels that move records, by the size of values; NULL: not made yet */
  int queues;                   /* beside the first */
  struct pl_device_scan *scans; /* prepared reductions and scans */
  pl_replay *replay;            /* that collects calls now; NULL: they are made at once */
  pl_err replay_failed;         /* what went wrong when they were handed over before the end */
  void *sort_room[5];           /* buffers of the last sort, kept for the next one */
  size_t sort_size[5];
};

/* The device of the context's backend. */
pl_device *pl_device_of(pl_context *pl);

/* device_module.c: text to kernels, through memory, disk cache and the driver's compiler. Modules live as
 * long as the device. */
/* With `registers` of a work item at most (0: any number), where the compiler can be told. */
pl_err pl_module_get(pl_device *device, const char *label, const char *text, pl_module **module);
pl_err pl_module_get_within(pl_device *device, const char *label, const char *text, int registers,
                            pl_module **module);
pl_err pl_module_kernel(pl_module *module, const char *name, void **kernel);
void pl_modules_close(pl_device *device);

/* device_data.c: dats, globals, maps and subsets on the device. */
pl_err pl_device_dat_alloc(pl_context *pl, pl_dat *dat);
pl_err pl_device_dat_upload(pl_context *pl, pl_dat *dat);
pl_err pl_device_dat_download(pl_context *pl, pl_dat *dat);
pl_err pl_device_dat_write(pl_context *pl, pl_dat *dat, size_t at, size_t bytes, const void *values);
pl_err pl_device_dat_read(pl_context *pl, pl_dat *dat, size_t at, size_t bytes, void *values);
pl_err pl_device_dat_zero(pl_context *pl, pl_dat *dat);
pl_err pl_device_dat_zero_subset(pl_context *pl, pl_dat *dat, pl_set *subset);
pl_err pl_device_dat_copy(pl_context *pl, pl_dat *from, pl_dat *to);
pl_err pl_device_dat_relayout(pl_context *pl, pl_dat *dat, int layout, int pack);
pl_err pl_device_dat_grow(pl_context *pl, pl_dat *dat, int n, int room);
pl_err pl_device_dat_zero_range(pl_context *pl, pl_dat *dat, int begin, int end);
pl_err pl_device_dats_fill(pl_context *pl, int ndats, pl_dat *const *dats, int n, const int *from,
                           const int *to);
pl_err pl_device_take(pl_context *pl, pl_dat *order, int n, pl_dat *from, pl_dat *to);
/* Records of the elements list[first .. first + n), between a dat and, one after the other, a buffer from
 * byte `at` on (a multiple of the size of values). `list` and `buffer` are the addresses of handles. */
typedef struct pl_listed {
  const pl_dat *dat;
  void *const *list, *const *buffer;
  int first, n;
  size_t at;
} pl_listed;

/* The kernel that does it is there. */
pl_err pl_device_listed_ready(pl_device *device, const pl_dat *dat);

/* Into the dats or out of them, in as few launches as may be. */
pl_err pl_device_move_listed(pl_device *device, int n, const pl_listed *list, bool to_device);
pl_err pl_device_global_download(pl_context *pl, pl_global *global);
void pl_device_buffer_free(pl_context *pl, void *buffer);
void pl_device_choose_layout(pl_dat *dat); /* before its first buffer */
pl_err pl_device_pairs(pl_device *device,
                       pl_map *map); /* device_pairs.c: a pair map's list is there, fresh */
/* After a loop was started on a list that may no longer hold: waits for the answer. *again: it did not, so
 * the loop has done nothing; the list is fresh now. */
pl_err pl_device_pairs_confirm(pl_device *device, pl_map *map, bool *again);
struct pl_pairs_device;
void pl_device_pairs_clear(pl_device *device, struct pl_pairs_device *on);
pl_err pl_device_pairs_renew(pl_context *pl, pl_map *map, bool same, bool *done); /* device_build.c */
pl_err pl_device_pairs_left(pl_context *pl, pl_map *map, bool *left);
pl_err pl_device_pairs_entries(pl_context *pl, const struct pl_pairs *pairs, int64_t *entries);
pl_err pl_device_pairs_leave(pl_context *pl, pl_map *map, const struct pl_cut *cut, int64_t *count,
                             int **place, bool *moved, bool *done); /* device_settle.c */
pl_err pl_device_pairs_near(pl_context *pl, pl_map *map, double reach, const struct pl_extent *extent,
                            int64_t *count, int **place);
void pl_device_pairs_free(pl_context *pl, struct pl_pairs *pairs);
pl_err pl_device_map(pl_device *device, pl_map *map);       /* map->device is there */
pl_err pl_device_subset(pl_device *device, pl_set *subset); /* subset->device is there */
pl_err pl_device_numbers(pl_device *device, pl_set *set);   /* set->global_device is there; NULL is fine */
pl_err pl_device_global_buffer(pl_device *device, pl_global *global); /* there, with any values */
pl_err pl_device_global(pl_device *device, pl_global *global);        /* there, with the present values */
/* A new buffer with the dat's values in the host's order, whatever its layout; and values of one taken back.
 */
pl_err pl_device_flatten(pl_device *device, pl_dat *dat, void **flat);
pl_err pl_device_unflatten(pl_device *device, pl_dat *dat, void **flat);
pl_err pl_device_copy_in(pl_device *device, const void *host, size_t size, void **buffer); /* a new buffer */

/* device_mail.c: exchanges with other ranks. */
struct pl_exchange;
pl_err pl_device_exchange_ready(pl_context *pl, struct pl_exchange *x);
pl_err pl_device_exchange_begin(pl_context *pl, struct pl_exchange *x);
pl_err pl_device_exchange_end(pl_context *pl, struct pl_exchange *x);
void pl_device_exchange_close(pl_context *pl);
/* The data of a loop is there; its last targets are left for when halos have come (pl_device_run_rest). */
pl_err pl_device_leave_rest(pl_device *device, struct pl_device_code *code);
pl_err pl_device_global_fetch(pl_context *pl, pl_global *global, void *host, void **event);
pl_err pl_device_host_alloc(pl_context *pl, size_t bytes, void **memory);
void pl_device_host_free(pl_context *pl, void *memory);
int pl_device_shares(pl_context *pl);

/* device_order.c: sorting and selecting. */
pl_err pl_device_sort(pl_context *pl, pl_dat *keys, int bits, pl_dat *order);
pl_err pl_device_select(pl_context *pl, pl_dat *flag, pl_dat *order, int64_t *count);

/* device_scan.c: algorithms. The last item of a scan, or of a reduction without a result, is copied to `last`
 * unless that is NULL. */
pl_err pl_device_scan_items(pl_context *pl, const pl_scan_call *call, void *last);
pl_err pl_device_scan_run(pl_context *pl, const pl_scan_call *call);
void pl_device_scans_free(pl_device *device);

/* Device number `index`, described; and the error for an option device that fits none, which names all. */
typedef pl_err (*pl_device_lister)(pl_context *pl, int index, pl_device_info *info);
int pl_device_local_rank(void); /* of this process among those of its machine: each takes another device */
void pl_device_describe(const pl_device *device, pl_device_info *info);
pl_err pl_device_unknown(pl_context *pl, const char *kind, pl_device_lister device_at);

/* ---- ways to run a loop (device_ways.c says which, device_way.c makes them) ---- */

enum { PL_PARTS = 3, PL_MOST_WAYS = 4, PL_VARIANT = 200 };

/* What one part of the set needs beside the slots, in the order of the text's parameters. */
typedef struct pl_way_part {
  const pl_plan *plan; /* blocks run colour by colour; NULL: all at once */
  int nbuffers, nplaces;
  void **buffer;
  int *place;
  size_t shared; /* local memory of a block */
} pl_way_part;

/* One way to resolve the conflicts of a loop, ready to run: plans, text, kernels, buffers. */
typedef struct pl_way {
  pl_loop *loop;
  pl_walk_style style;
  pl_loop_text program;
  void *run, *sum, *finish; /* kernels; sum for store alone; finish is NULL without reductions */
  pl_way_part part[PL_PARTS];
  int ntargets, rows;      /* gather and store: targets, and the stride of rows */
  int early, done;         /* gather: targets that core elements alone reach, and those that are done with */
  int most_results;        /* blocks of loops that need not follow a plan */
  void **contribution;     /* store, by argument that is the first to increment its dat */
  void **partial, **where; /* by argument: what each block found */
  void **won;              /* extremes with payload: the element that the global is from */
  void *drawn;             /* counts blocks that have come to the end of reductions in pl_run */
} pl_way;

/* The ways worth trying for a loop, the likeliest first: at most PL_MOST_WAYS, and whether they are to be
 * measured. If what option conflict asks for cannot be had, `why` (PL_VARIANT bytes) says so. */
int pl_ways_wanted(const pl_device *device, const pl_loop *loop, pl_conflict *list, bool *measured,
                   char *why);

/* Why a loop cannot write by atomics, or NULL: they do for sums and extremes of 4 and 8 bytes, and
 * assignments in a fixed order need colours. */
const char *pl_why_no_atomics(const pl_device *device, const pl_loop *loop);

/* Makes a way. *fits is false, and `why` says so, if it needs more local memory than there is. What is there
 * when it fails is freed by pl_way_free. */
pl_err pl_way_make(pl_device *device, pl_loop *loop, const pl_signature *signature, pl_conflict conflict,
                   pl_way *way, bool *fits, char *why);
void pl_way_free(pl_device *device, pl_way *way);

/* Blocks that run a part, and how many results they leave. */
int pl_way_blocks(const pl_way *way, int n);
int pl_way_results(const pl_way *way, const pl_part *part);

/* Whether its blocks belong to one part of the set. */
bool pl_way_is_planned(const pl_way *way);

/* ---- a loop on a device (device.c, device_measure.c) ---- */

typedef struct pl_device_code {
  pl_loop *loop;
  pl_signature signature;
  int nways, now; /* ways that are still tried, and the one that runs */
  pl_way way[PL_MOST_WAYS];
  int fresh; /* sums of this run whose globals are zero and not on the device */
  int trial; /* calls that were timed; -1: nothing is measured */
  void *clock[2];
  double spent, best[PL_MOST_WAYS];
  pl_text record;      /* what identifies the choice in the cache */
  void *consts;        /* struct pl_consts */
  void *near_consts;   /* the same on the host, handed over by value */
  void **const_values; /* by argument: consts handed over as arguments */
  uint64_t const_version;
  struct pl_host_code *plain; /* with PLAIT_CHECK */
  char variant[PL_VARIANT];
} pl_device_code;

/* A choice made by an earlier process: the ways wanted become that one. */
pl_err pl_measure_recall(pl_device *device, pl_device_code *code, int *n, pl_conflict *list, bool *measured);
/* Frees the clock. */
void pl_measure_close(pl_device *device, pl_device_code *code);
/* Round each part of a call: takes the time; after the last trial the best way stays, and the choice is kept.
 */
pl_err pl_measure_begin(pl_device *device, pl_device_code *code);
pl_err pl_measure_end(pl_device *device, pl_device_code *code, bool last_part);

/* The backend functions over a driver. */
pl_err pl_device_open(pl_context *pl, const pl_driver *driver, void **state);
void pl_device_close(pl_context *pl);
pl_err pl_device_prepare(pl_context *pl, pl_loop *loop);
pl_err pl_device_run(pl_context *pl, pl_loop *loop, const pl_part *part);
/* What a loop left for when halos have come, in the queue that they come in. */
pl_err pl_device_run_rest(pl_device *device);
bool pl_device_joins(pl_context *pl, const pl_loop *loop);
pl_err pl_device_run_plain(pl_context *pl, pl_loop *loop, const pl_part *part);
void pl_device_release(pl_context *pl, pl_loop *loop);
pl_err pl_device_where(pl_context *pl, const pl_loop *loop, int i, int64_t *where);
pl_err pl_device_sync(pl_context *pl);

/* device_replay.c: what a schedule asks of the device, in one piece. Drivers that can keep pieces offer each
 * launch, zero and copy first (true: it was collected), and call pl_replay_settle before all else. */
bool pl_replay_launch(pl_device *device, void *kernel, int blocks, int block_size, size_t shared, int nargs,
                      const pl_launch_arg *args);
bool pl_replay_zero(pl_device *device, void *buffer, size_t size);
bool pl_replay_copy(pl_device *device, void *to, void *from, size_t size);
void pl_replay_settle(pl_device *device);
pl_err pl_device_replay_begin(pl_context *pl, struct pl_schedule *schedule);
pl_err pl_device_replay_end(pl_context *pl);
void pl_device_replay_free(pl_context *pl, void *replay);

/* device_program.c: device programs. */
struct pl_launch;
pl_err pl_device_program_make(pl_context *pl, pl_program *program);
void pl_device_program_free(pl_context *pl, pl_program *program);
pl_err pl_device_entry_make(pl_context *pl, pl_entry *entry);
pl_err pl_device_entry_limit(pl_context *pl, const pl_entry *entry, int *limit);
pl_err pl_device_entry_size(pl_context *pl, const pl_entry *entry, int i, size_t *size);
pl_err pl_device_entry_run(pl_context *pl, const struct pl_launch *launch);

/* device_queue.c: queues and events; and waiting for all queues where there are several. */
pl_err pl_device_settle(pl_device *device);
pl_err pl_device_queue_new(pl_context *pl, void **queue);
void pl_device_queue_free(pl_context *pl, void *queue);
pl_err pl_device_queue_use(pl_context *pl, void *queue);
void pl_device_queue_back(pl_device *device); /* uses the one that loops run in */
pl_err pl_device_queue_wait(pl_context *pl, void *event);
pl_err pl_device_event_new(pl_context *pl, void **event);
void pl_device_event_free(pl_context *pl, void *event);
pl_err pl_device_event_record(pl_context *pl, void *event);
pl_err pl_device_event_wait(pl_context *pl, void *event);
pl_err pl_device_event_done(pl_context *pl, void *event, bool *done);
pl_err pl_device_event_seconds(pl_context *pl, void *from, void *to, double *seconds);

/* A pl_backend over a driver. */
#define PL_DEVICE_BACKEND(id, name_, unavailable_, open_, device_at_)                                        \
  const pl_backend pl_backend_##id = {                                                                       \
    .name = name_,                                                                                           \
    .unavailable = unavailable_,                                                                             \
    .open = open_,                                                                                           \
    .close = pl_device_close,                                                                                \
    .prepare = pl_device_prepare,                                                                            \
    .run = pl_device_run,                                                                                    \
    .run_plain = pl_device_run_plain,                                                                        \
    .ends_reductions = 1,                                                                                    \
    .release = pl_device_release,                                                                            \
    .where = pl_device_where,                                                                                \
    .check_kernel = pl_signature_check,                                                                      \
    .check_loop = pl_schedule_check,                                                                         \
    .count = pl_count,                                                                                       \
    .schedule = pl_schedule_make,                                                                            \
    .replay_begin = pl_device_replay_begin,                                                                  \
    .replay_end = pl_device_replay_end,                                                                      \
    .replay_free = pl_device_replay_free,                                                                    \
    .dat_alloc = pl_device_dat_alloc,                                                                        \
    .dat_upload = pl_device_dat_upload,                                                                      \
    .dat_download = pl_device_dat_download,                                                                  \
    .dat_write = pl_device_dat_write,                                                                        \
    .dat_read = pl_device_dat_read,                                                                          \
    .dat_zero = pl_device_dat_zero,                                                                          \
    .dat_zero_subset = pl_device_dat_zero_subset,                                                            \
    .joins = pl_device_joins,                                                                                \
    .exchange_ready = pl_device_exchange_ready,                                                              \
    .exchange_begin = pl_device_exchange_begin,                                                              \
    .exchange_end = pl_device_exchange_end,                                                                  \
    .exchange_close = pl_device_exchange_close,                                                              \
    .host_alloc = pl_device_host_alloc,                                                                      \
    .host_free = pl_device_host_free,                                                                        \
    .shares = pl_device_shares,                                                                              \
    .dat_copy = pl_device_dat_copy,                                                                          \
    .global_download = pl_device_global_download,                                                            \
    .global_fetch = pl_device_global_fetch,                                                                  \
    .event_done = pl_device_event_done,                                                                      \
    .dat_relayout = pl_device_dat_relayout,                                                                  \
    .program_make = pl_device_program_make,                                                                  \
    .program_free = pl_device_program_free,                                                                  \
    .entry_make = pl_device_entry_make,                                                                      \
    .entry_limit = pl_device_entry_limit,                                                                    \
    .entry_size = pl_device_entry_size,                                                                      \
    .entry_run = pl_device_entry_run,                                                                        \
    .buffer_free = pl_device_buffer_free,                                                                    \
    .queue_new = pl_device_queue_new,                                                                        \
    .queue_free = pl_device_queue_free,                                                                      \
    .queue_use = pl_device_queue_use,                                                                        \
    .queue_wait = pl_device_queue_wait,                                                                      \
    .event_new = pl_device_event_new,                                                                        \
    .event_free = pl_device_event_free,                                                                      \
    .event_record = pl_device_event_record,                                                                  \
    .event_wait = pl_device_event_wait,                                                                      \
    .event_seconds = pl_device_event_seconds,                                                                \
    .pairs_renew = pl_device_pairs_renew,                                                                    \
    .pairs_left = pl_device_pairs_left,                                                                      \
    .pairs_entries = pl_device_pairs_entries,                                                                \
    .pairs_leave = pl_device_pairs_leave,                                                                    \
    .pairs_near = pl_device_pairs_near,                                                                      \
    .pairs_free = pl_device_pairs_free,                                                                      \
    .dat_grow = pl_device_dat_grow,                                                                          \
    .dat_zero_range = pl_device_dat_zero_range,                                                              \
    .dats_fill = pl_device_dats_fill,                                                                        \
    .sort = pl_device_sort,                                                                                  \
    .select = pl_device_select,                                                                              \
    .take = pl_device_take,                                                                                  \
    .scan = pl_device_scan_run,                                                                              \
    .sync = pl_device_sync,                                                                                  \
    .device_at = device_at_,                                                                                 \
  }

#endif
