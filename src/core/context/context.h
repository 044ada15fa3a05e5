/* SPDX-License-Identifier: BSD-2-Clause
 * The context: allocator, options, last error, counters, the backend in use and lists of everything declared.
 * Invariant: an object is in exactly one list, the one of its kind, from its declaration to its free.
 */
#pragma once

#include "backend.h"
#include "error.h"
#include "options.h"

/* ---- modules: module.c ---- */

/* Modules: parts of the library that call MPI, HDF5, METIS, PT-Scotch or a solver package. Each is a
 * shared library, libplait-NAME.so, which is opened when it is first needed, so that a program needs only the
 * libraries that it uses. A static library holds the modules itself.
 *
 * A module has its own copies of the functions of core and plan that it calls. This works because these
 * functions have no state outside the context. */
typedef enum pl_module_kind {
  PL_MODULE_MPI,
  PL_MODULE_HDF5,
  PL_MODULE_METIS,
  PL_MODULE_SCOTCH,
  PL_MODULE_HYPRE,
  PL_MODULE_MUMPS,
  PL_MODULE_PETSC,
  PL_MODULE_CUDSS,
  PL_MODULE_AMGX,
  PL_MODULE_COUNT
} pl_module_kind;

/* The symbol pl_module_NAME of a module. A module of another version, or of a build with another layout of
 * the context, is refused. */
typedef struct pl_module_entry {
  const char *version;
  size_t context_size;
  const void *functions; /* a struct of functions that both sides know */
} pl_module_entry;

#define PL_DEFINE_MODULE(name, table)                                                                        \
  extern PL_API const pl_module_entry pl_module_##name;                                                      \
  const pl_module_entry pl_module_##name = {PLAIT_VERSION, sizeof(pl_context), table};

/* Modules linked with the library, NULL for others; written by CMake (plait_link_modules). */
extern const pl_module_entry *const pl_linked_modules[PL_MODULE_COUNT];

/* The modules of a context. */
typedef struct pl_module_slot {
  bool tried;
  const void *functions; /* NULL: not found, for the reason `why` */
  char why[640];
} pl_module_slot;

struct pl_allreduce;
struct pl_comm;
struct pl_loop;
struct pl_op;
struct pl_tools;

typedef struct pl_region pl_region; /* a line of the profile, loop/profile.c */

/* A node of an intrusive list of objects of one kind. First member of every object. */
typedef struct pl_node {
  struct pl_node *next, **link; /* *link == this node */
  pl_context *pl;
  uint64_t id;                          /* unique in the context, never used again */
  uint64_t queued, reads_at, writes_at; /* marks of the deferred queue (core/chain) */
  pl_failure failure;                   /* the error of the recorded loop that should have computed it */
  char *name;
  bool internal; /* created by the library, so not written to files */
} pl_node;

/* Runs the statement behind it for each object of a list of the context; it must not free the object. */
#define PL_EACH(type, object, list)                                                                          \
  for (type *object = (type *)(list); object; object = (type *)((pl_node *)object)->next)

enum { PL_SHARE_AUTO, PL_SHARE_ON, PL_SHARE_OFF };

typedef struct pl_observer pl_observer; /* observer.h */
enum { PL_MAX_OBSERVERS = 16 };

/* The deferred queue of recorded loops and the cache of its schedules (core/chain). */
typedef struct pl_deferred {
  struct pl_op *op;
  int *border; /* of each record: the length of the longest suffix up to it that is also a prefix */
  int count;
  uint64_t epoch; /* node.queued of the objects that the queue uses; incremented when the queue runs */
  uint64_t scans;
  pl_failure failure; /* the first error of recorded loops since pl_flush or pl_chain_end last returned it */
  bool lazy;          /* the option */
  int share;          /* the option: PL_SHARE_... */
  bool launch_bound;  /* launch latency exceeds the run time of small loops */
  bool running;       /* the queue runs: loops called now are not recorded */
  pl_chain *open;
  uint64_t storage_version; /* incremented when storage is reordered: schedules are built again */
  bool started;             /* a part of the open chain has run */
  bool written;             /* since it began, work that is not recorded may have written values */
  struct pl_schedule *schedules;
  void *fused;               /* the cache of codegen/fusion */
  const pl_observer *fusion; /* of codegen/fusion; NULL until it fuses */
} pl_deferred;

enum { PL_RECENT_LOOPS = 64 };

struct pl_context {
  pl_realloc_fn realloc;
  void *realloc_user;
  bool user_memory;     /* `realloc` is not the C library's */
  unsigned huge_arrays; /* allocated so far */
  pl_options options;
  char *error; /* last sentence; NULL: none, or no memory for one */
  pl_err error_code;
  void (*forget_thread_error)(void); /* of the library that opened the context */
  pl_stats stats;
  pl_module_slot modules[PL_MODULE_COUNT];
  struct pl_comm *comm;              /* NULL: one rank without MPI */
  const pl_backend *const *backends; /* all known, NULL-terminated */
  const pl_backend *backend;         /* the one in use; NULL until open */
  void *backend_state;
  uint64_t next_id;
  uint64_t const_version; /* incremented when the value of a const changes */
  uint64_t decl_version;  /* incremented when consts, functions or options change: loops are prepared again */
  uint64_t preparations;  /* of loops, so far */
  pl_node *sets, *maps, *dats, *globals, *consts, *functions, *kernels, *programs, *entries, *queues, *events,
    *chains, *domains, *algorithms, *sparsities, *matrices, *solvers, *mixed_sets, *mixed_maps, *mixed_dats,
    *mixed_mats;
  bool sums_on_devices;        /* sums over ranks stay on devices where they can (loop/reduction.c) */
  bool own_objects;            /* objects declared now belong to the library, not to the program */
  pl_queue *queue;             /* in use; NULL: the first */
  struct pl_loop **loop_table; /* hash buckets by signature; loop/loop_table.c */
  size_t loop_slots, loop_count;
  struct pl_loop *recent_loop[PL_RECENT_LOOPS]; /* called last, by kernel and set */
  struct pl_loop *orphaned_loops;               /* out of the table, but a handle refers to them */
  void *plans;                                  /* the plan cache of plan/execution */
  pl_deferred deferred;
  struct pl_exchange *exchange;    /* buffers of halo exchanges; exchange/exchange.c */
  struct pl_allreduce *allreduces; /* pending, the oldest first; data/async_allreduce.c */
  struct pl_allreduce *allreduces_idle;
  int nallreduces;
  const pl_observer *observer[PL_MAX_OBSERVERS];
  int nobservers;
  bool closing;           /* pl_finalize frees all objects, kind by kind */
  struct pl_tools *tools; /* attached tools; NULL: none; tools/tools.c */
  pl_region *regions;     /* loop/profile.c */
  int open_region;
};

/* The context of an object; NULL without an object. */
static inline pl_context *pl_context_of(const void *object)
{
  return object ? ((const pl_node *)object)->pl : NULL;
}

/* PL_ERR_NULL for NULL; the error of pl_init, with its sentence, for a context that it could not open. */
pl_err pl_context_check(const pl_context *pl);

/* Raises decl_version and storage_version to the maximum over all ranks, so that loops and chains are
 * prepared again on all ranks or on none. Collective. */
pl_err pl_same_versions(pl_context *pl);

/* Inserts a new, zeroed object of `size` bytes into `list`; NULL with the error set. The name is copied; NULL
 * becomes "(unnamed)". pl_node_free removes the object from its list and frees it and its name. */
void *pl_node_new(pl_context *pl, pl_node **list, size_t size, const char *name);
void pl_node_free(pl_node *node);

/* PL_ERR_TYPE unless values of type `given` can be converted to or from those of the named object. */
pl_err pl_check_conversion(pl_context *pl, const char *what, const char *name, pl_type holds, pl_type given);

/* The same for an object (which may be NULL) and the user's pointer to values of type *given; PL_TYPE_COUNT
 * becomes the type that the object holds. */
pl_err pl_check_values(const pl_node *object, const char *what, pl_type holds, pl_type *given,
                       const void *values);

/* Defines the public function `name`, which destroys the object of a handle and clears the handle. */
#define PL_DEFINE_FREE(name, type, destroy)                                                                  \
  void name(type **handle)                                                                                   \
  {                                                                                                          \
    if (!handle || !*handle) return;                                                                         \
    destroy(&(*handle)->node);                                                                               \
    *handle = NULL;                                                                                          \
  }

/* The functions of a module; NULL if it cannot be used. Local. */
const void *pl_module_functions(pl_context *pl, pl_module_kind kind);

/* NULL, or a sentence that says why a module cannot be used, and the remedy. Local. */
const char *pl_module_missing(pl_context *pl, pl_module_kind kind);
