/* SPDX-License-Identifier: BSD-2-Clause
 * The context: allocator, options, last error, counters, the backend in use and lists of everything declared.
 * Invariant: an object is in exactly one list, the one of its kind, from its declaration to its free.
 */
#ifndef PLAIT_CORE_CONTEXT_H
#define PLAIT_CORE_CONTEXT_H

#include "backend.h"
#include "comm.h"
#include "error.h"
#include "memory.h"
#include "options.h"

typedef struct pl_region pl_region; /* a timed region, profile.c */

/* A node of an intrusive list of objects of one kind. First member of every object. */
typedef struct pl_node {
  struct pl_node *next, **link; /* *link == this node */
  pl_context *pl;
  uint64_t id;                          /* unique in the context, never used again */
  uint64_t queued, reads_at, writes_at; /* marks of the queue, chain.c */
  char *name;
  bool own; /* the library's, not declared by the program: files do not hold it */
} pl_node;

enum { PL_SHARE_AUTO, PL_SHARE_ON, PL_SHARE_OFF };

/* Loops recorded and not yet run, and what such queues became; chain.c. */
typedef struct pl_late {
  struct pl_op *op;
  int *border; /* by op: how many ops up to it are also the queue's first ones */
  int count;
  uint64_t epoch; /* node.queued of what the queue touches; a new one whenever the queue runs */
  uint64_t scans;
  bool lazy; /* the option */
  int share; /* the option: PL_SHARE_... */
  bool dear; /* launches cost more than small loops */
  bool busy; /* running: what is called now acts at once */
  pl_chain *open;
  uint64_t changes; /* how often storage was reordered, or something else that schedules rest on changed */
  bool started;     /* some of the open chain has run */
  struct pl_schedule *schedules;
  void *fused; /* loops made of several: src/codegen */
  void (*fused_forget)(pl_context *pl, const void *object);
  void (*fused_drop)(pl_context *pl); /* maps made for them, and what uses these */
  void (*fused_close)(pl_context *pl);
} pl_late;

struct pl_context {
  pl_realloc_fn realloc;
  void *realloc_user;
  bool user_memory; /* `realloc` is not the C library's */
  pl_options options;
  char *error; /* last sentence; NULL: none, or no memory for one */
  pl_err error_code;
  pl_stats stats;
  struct pl_comm *comm;              /* with the other ranks; NULL: alone */
  const pl_backend *const *backends; /* all known, NULL-terminated */
  const pl_backend *backend;         /* the one in use; NULL until open */
  void *backend_state;
  uint64_t next_id;
  uint64_t const_version; /* +1 for each const value changed */
  uint64_t decl_version;  /* +1 when consts, functions or options change: loops are prepared anew */
  pl_node *sets, *maps, *dats, *globals, *consts, *functions, *kernels, *programs, *entries, *queues, *events,
    *chains, *domains;
  pl_queue *queue;             /* in use; NULL: the first */
  struct pl_loop **loop_table; /* signature hash -> chain; loop.c */
  size_t loop_slots, loop_count;
  struct pl_loop *loop_husks;            /* out of the table, still named by a handle */
  pl_err (*before_loop)(pl_context *pl); /* a loop is about to be made: src/plan may renumber first */
  void *plans;                           /* the plan cache: made, and the two calls below set, by src/plan */
  void (*plans_free)(pl_context *pl);
  void (*plans_forget)(pl_context *pl, const void *object); /* a set or map is going */
  pl_late late;                                             /* recorded loops, chain.c */
  pl_err (*pairs_refresh)(pl_map *map);                     /* src/plan: a pair map's list is fresh */
  struct pl_exchange *exchange;                             /* halo.c: buffers between ranks */
  struct pl_total *totals, *totals_idle; /* total.c: reductions on their way, the oldest first; done with */
  int ntotals;
  pl_err (*place)(pl_context *pl); /* set by pl_init: plan/place.h; NULL: only one rank is possible */
  pl_region *regions;              /* profile.c */
  int open_region;
};

/* Opens a context over the given backends: what pl_init does once the rooms are assembled. */
pl_err pl_context_open(int *argc, char ***argv, const pl_settings *settings,
                       const pl_backend *const *backends, pl_context **pl);

/* What a call on this context has to answer at once: PL_ERR_ARG for NULL, and for one that pl_init could not
 * open the error that it had, with its sentence left as it is. */
pl_err pl_context_check(const pl_context *pl);

/* Some ranks may have put elements in another order: loops and chains are prepared anew on all ranks or on
 * none. Collective. */
pl_err pl_same_versions(pl_context *pl);

/* Enters a new object of `size` bytes, zeroed, into `list`; NULL (with the error set) without memory. The
 * name is copied; NULL becomes "(unnamed)". */
void *pl_node_new(pl_context *pl, pl_node **list, size_t size, const char *name);
void pl_node_free(pl_node *node); /* takes it out of its list and frees it with its name */

#endif
