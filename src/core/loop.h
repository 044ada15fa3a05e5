/* SPDX-License-Identifier: BSD-2-Clause
 * A loop: a kernel bound to a set and arguments, found again by signature. Owns its copy of the arguments.
 * Invariant: the table holds at most one loop per signature, and each object a loop names outlives it or is
 * forgotten with it: freeing an object drops the loops that use it.
 */
#ifndef PLAIT_CORE_LOOP_H
#define PLAIT_CORE_LOOP_H

#include "objects.h"
#include "text.h"

/* A loop of the library's own that has another way to run (late.c): zeros, of a subset too, and copies of
 * all.
 */
typedef enum pl_role { PL_ROLE_NONE, PL_ROLE_ZERO, PL_ROLE_COPY } pl_role;

/* Blocks of a loop's elements, and the targets of each: those of block b are targets first[b] to first[b + 1]
 * - 1 of the set `staged`, which `target` leads to the elements of `to`; `local` says for the maps `of` where
 * each element's targets are among those of its block. */
enum { PL_LOCALS = 8 };
typedef struct pl_blocks {
  struct pl_blocks *next;
  const pl_set *set, *to;
  int size, nblocks, longest;
  int *first;
  void *device; /* the backend's copy of it */
  pl_set *staged;
  pl_map *target;
  int nlocals;
  const pl_map *of[PL_LOCALS];
  pl_map *local[PL_LOCALS];
} pl_blocks;

/* What one call of a kernel computes, by its text: both sides of a condition, and once what comes an unknown
 * number of times. */
typedef struct pl_ops {
  double add, multiply, divide, call; /* call: functions of math.h */
} pl_ops;

struct pl_loop {
  pl_context *pl;
  const pl_kernel *kernel;
  pl_set *set;
  int nargs;
  pl_arg *args;
  uint64_t hash, id;
  pl_loop *next; /* in the table's chain */
  int handles;   /* pl_loop_create'd handles on it */
  bool tabled;   /* in the table */
  pl_role role;
  bool raw;            /* reads and writes one dat: only a part of made loops, never run */
  pl_blocks *blocks;   /* it runs block by block, and computes values for each block first; or NULL */
  bool at_once;        /* has a pl_arg_ptr or pl_arg_zeroed: never recorded */
  bool zeroes, stores; /* has a pl_arg_zeroed; and the backend stores what it sums up there */
  bool direct;         /* nothing goes through a map */
  bool deep;           /* a chain's map leads further than those of the program: core elements wait, too */
  bool indirect_write; /* writes through a map; not of a loop over pairs */
  bool runs_halo;      /* it or its pairs write to what others own, too: the exec halo runs, unless */
  bool back;           /* what is added to copies goes back to the owners (halo.h) */
  void **result; /* for each argument that ends a reduction, what this run has found so far; else NULL */
  int64_t *
    where; /* for each MIN or MAX with payload, the global index of the element that holds it so far, or -1 */
  double **size; /* while it is checked, for each argument that sums up reals: how much was added to each
                    value, by magnitude; else NULL */
  bool prepared;
  uint64_t decl_version; /* names were resolved against these consts and functions */
  void *code;            /* the backend's */
  const char *variant;   /* how it runs, for the profile; lives as long as the loop */

  bool counted;
  pl_ops ops; /* if counted */
  uint64_t calls;
  double seconds, setup_seconds, bytes_per_call;
};

/* Everything about the arguments that needs no kernel text: objects, sets, maps, accesses, overlaps. */
pl_err pl_args_check(pl_context *pl, const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args);

/* Of an access that has passed the checks: "READ", "INC_ANTI". */
const char *pl_access_name(pl_access access);

/* Type and number of values behind one target of an argument, as the kernel sees it (component: 1). */
pl_type pl_arg_type(const pl_arg *arg);
/* The type that the kernel sees: of fixed point, double. */
pl_type pl_arg_seen_type(const pl_arg *arg);
int pl_arg_dim(const pl_arg *arg);
/* Pointers the kernel gets: 1, or the map's arity for PL_ALL; 1 too for a row. */
int pl_arg_targets(const pl_arg *arg);
/* An index for loops of the library's own: the kernel gets a pl_row that stands for the whole dat, and for
 * the whole map if there is one, wherever that starts from. */
#define PL_WHOLE (-1000)
bool pl_arg_is_row(const pl_arg *arg);              /* through a ragged map, or whole */
int pl_arg_reached(const pl_arg *arg, int element); /* targets of this element */
bool pl_arg_writes(const pl_arg *arg);
bool pl_arg_collides(const pl_arg *arg);  /* it writes through a map, where others may write too */
pl_dat *pl_arg_dat_of(const pl_arg *arg); /* that it reads or writes in memory; NULL: none, or switched off */
/* The k-th target of an argument for an element; negative: none. */
int pl_arg_target(const pl_arg *arg, int element, int k);
/* The set whose global indices argument i shows: an element index, or the element that holds an extreme with
 * payload. NULL if it shows none, or if an element's global index is its own number. */
const pl_set *pl_arg_numbered(const pl_loop *loop, int i);
/* "argument 3 (dat \"res\")", into a buffer of PL_ARG_NAME bytes. */
#define PL_ARG_NAME 128
const char *pl_arg_name(const pl_arg *args, int i, char *buffer);
/* " res INC by edge[1]", in the words of chains. */
void pl_arg_say(pl_text *text, const pl_arg *arg);

/* Fails with a sentence about argument i of a loop: "loop" or "pair loop", its kernel, and what it goes over.
 */
pl_err pl_arg_reject(pl_context *pl, const char *kind, const pl_kernel *kernel, const pl_node *over,
                     const pl_arg *args, int i, pl_err code, const char *format, ...) PL_PRINTF(8, 9);

/* An argument that the loop reduces into (INC, MIN, MAX of a global), or a payload of one. */
bool pl_arg_reduces(const pl_arg *arg);
/* Index of the reduction that payload argument i goes with; -1 for others. And whether reduction i has a
 * payload. */
int pl_payload_of(const pl_loop *loop, int i);
bool pl_has_payload(const pl_loop *loop, int i);

/* Sets partial results to the neutral element; adds one set of partial results to another. Both have the form
 * of loop->result and loop->where. Ties of a MIN or MAX with payload go to the lower element. */
void pl_results_clear(const pl_loop *loop, void *const *result, int64_t *where);
void pl_results_add(const pl_loop *loop, void *const *into, int64_t *into_where, void *const *from,
                    const int64_t *from_where);

/* The loop of a signature: found, or checked, made and entered; prepared too if it is to run `now`, else only
 * held against the kernel's text. */
pl_err pl_loop_get(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args, bool now,
                   pl_loop **result);
/* A loop that is not checked or run; see `raw`. */
pl_err pl_loop_raw(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args, pl_loop **result);
pl_err pl_loop_prepare(pl_loop *loop);  /* unless it is prepared */
pl_err pl_loops_settle(pl_context *pl); /* loops that the backend has put off run */
pl_err pl_loop_foresee(pl_loop *loop);  /* begins it in the background, where the backend can */
/* PL_ERR_STATE if a host view of a dat stands in the way. */
pl_err pl_loop_check_views(const pl_loop *loop);
pl_err pl_loop_run_now(pl_loop *loop);
/* The indices of a map have changed: loops with it are prepared anew. */
void pl_loops_unprepare(pl_context *pl, const pl_map *map);
/* A set has another size: what the profile counts by it. */
void pl_loops_resized(pl_context *pl, const pl_set *set);

/* Before a run: globals that the loop reads are there, and on several ranks a device starts from neutral
 * ones. After it: the results enter the globals; on several ranks they are on their way then. Collective. */
pl_err pl_reductions_begin(pl_loop *loop);
pl_err pl_reductions_end(pl_loop *loop);
void pl_reductions_cancel(pl_loop *loop); /* after a run that failed */

/* Drops every loop that uses the object (a dat, map, set, global or const). */
void pl_loops_forget(pl_context *pl, const void *object);
void pl_loops_close(pl_context *pl);

#endif
