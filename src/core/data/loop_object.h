/* SPDX-License-Identifier: BSD-2-Clause
 * A loop as an object: a kernel bound to a set and arguments, with its properties. core/loop creates and
 * runs loops.
 */
#pragma once

#include "objects.h"

/* A built-in loop that the deferred queue may run as a memory operation: a zero (also of a subset) or a copy.
 */
typedef enum pl_role { PL_ROLE_NONE, PL_ROLE_ZERO, PL_ROLE_COPY } pl_role;

/* The things that a loop visits. */
typedef enum pl_loop_kind {
  PL_LOOP_ELEMENTS,
  PL_LOOP_MEMBER,     /* elements; a part of fused loops, never run by itself */
  PL_LOOP_BLOCKS,     /* elements, block by block; values at the targets of a block are computed first */
  PL_LOOP_PAIRS,      /* the entries of a map, set->pairs */
  PL_LOOP_NEIGHBOURS, /* the pairs of a pair map, set->pairs */
  PL_LOOP_PARTICLES   /* the same, and each particle once its pairs are summed */
} pl_loop_kind;

/* Properties of a kind of loop. */
typedef struct pl_loop_traits {
  bool plain;      /* each element by itself: in any lanes, tiles and launches */
  bool member;     /* never runs by itself; it may read values of a dat from before it writes them */
  bool two_phases; /* calls its kernel in two phases: is not fused, and PLAIT_CHECK does not repeat it */
  bool pairs;      /* visits pairs of the map set->pairs, not elements, */
  bool neighbours; /* and the library finds them */
} pl_loop_traits;

/* Blocks of a loop's elements and their targets: those of block b are first[b] to first[b + 1] - 1 of the set
 * `staged`. */
enum { PL_LOCALS = 8 }; /* maps through which a loop reads them */
typedef struct pl_blocks {
  int size, nblocks, longest;
  int *first;
  void *device; /* the backend's copy of it */
  pl_set *staged;
} pl_blocks;

/* Operations of one kernel call, counted in its text: both branches of a condition, loops of unknown length
 * once. */
typedef struct pl_ops {
  double add, multiply, divide, call; /* call: functions of math.h */
} pl_ops;

/* A dat or global that a loop accesses, with the accesses of all arguments that name it merged. */
typedef struct pl_loop_access {
  pl_node *object;
  pl_dat *dat;       /* the object, if it is a dat in memory: not local to a block */
  pl_global *global; /* the object, if it is a global */
  bool reads, writes;
  bool in_place; /* no argument has a map */
  bool mapped;   /* all have one */
  bool sums;     /* all increment it */
  bool collides; /* written through a map, so that elements may conflict */
  bool whole;    /* all components, in one argument at least, */
  bool parts;    /* one component, in one at least */
  bool clears;   /* leaves all values of the dat zero: found by a backend that uses it */
  int first;     /* the first argument that names the object */
} pl_loop_access;

struct pl_loop {
  pl_context *pl;
  const pl_kernel *kernel;
  pl_set *set;
  int nargs;
  pl_arg *args;
  int naccesses;
  pl_loop_access *access;
  uint64_t hash, id;
  pl_loop_kind kind;
  pl_loop *next; /* in its hash bucket */
  int handles;   /* of pl_loop_create */
  bool tabled;   /* in the table */
  pl_role role;
  char *title;       /* of a loop of the library: the call, or the fused loops, that it stands for; or NULL */
  pl_blocks *blocks; /* of PL_LOOP_BLOCKS; else NULL */
  int behind;        /* of PL_LOOP_PARTICLES: the first argument of the particles' part */
  bool immediate;    /* has a pl_arg_ptr, or a pl_arg_zeroed and no pair map: never recorded */
  pl_random *random; /* from which it draws (random.h); NULL: none */
  bool zeroes, stores;   /* has a pl_arg_zeroed; and the backend stores its sums instead of adding them */
  bool direct;           /* no argument uses a map */
  bool globals, reduces; /* reads or reduces into a global; reduces into one */
  bool tensors;          /* has an argument on the values of a matrix */
  bool needs_full_halo;  /* an internal map may reach the halo from core elements of the set */
  int inner;             /* then: core elements in front that reach no halo; 0: none, or unknown */
  bool indirect_write;   /* writes through a map; not a loop over pairs */
  bool runs_halo;        /* writes elements of other ranks, so the exec halo runs unless reverse_halo */
  bool reverse_halo;     /* increments of halo copies are sent to their owners (reverse_exchange.h) */
  void **result;         /* for each reduction argument, the partial result of this run; else NULL */
  int64_t *arg_element;  /* for each MIN or MAX with payload, the element that holds it, or -1 */
  double **size; /* with PLAIT_CHECK, for each sum of reals, the magnitude added to each value; else NULL */
  pl_loop *gathered; /* adds up the same increments, target by target, on devices; NULL: there is none */
  pl_loop *gathered_stored; /* the same for a dat of zeros: stores the sums; NULL: there is none */
  int core_gathered;        /* the first elements of both, which only core elements increment */
  bool from_zeros;          /* this call increments a dat of zeros */
  bool prepared;
  uint64_t decl_version; /* names were resolved against these consts and functions */
  void *code;            /* the backend's */
  const char *variant;   /* the code form, for the profile; valid as long as the loop */

  bool counted;
  pl_ops ops; /* if counted */
  uint64_t calls;
  double seconds, setup_seconds, bytes_per_call;
  double bytes_spared; /* of all calls: zeros that were not read */
};

/* Run the statement behind them for each prepared or recorded loop of a context, which must not be freed, and
 * for each access of a loop. */
#define PL_EACH_LOOP(loop, pl)                                                                               \
  for (size_t pl_slot = 0; pl_slot < (pl)->loop_slots; pl_slot++)                                            \
    for (pl_loop *loop = (pl)->loop_table[pl_slot]; loop; loop = loop->next)
#define PL_EACH_ACCESS(access_, loop)                                                                        \
  for (const pl_loop_access *access_ = (loop)->access; access_ < (loop)->access + (loop)->naccesses;         \
       access_++)

/* Elements that may run before a halo exchange ends. */
static inline int pl_loop_core(const pl_loop *loop)
{
  return loop->inner ? loop->inner : loop->set->end[0];
}

/* The end of range p (0: core, 1: owned boundary, 2: exec halo), the begin of the next one; of -1: 0. */
static inline int pl_loop_range_end(const pl_loop *loop, int p)
{
  return p < 0 ? 0 : p == 0 ? pl_loop_core(loop) : loop->set->end[p];
}

static inline const pl_loop_traits *pl_loop_traits_of(const pl_loop *loop)
{
  static const pl_loop_traits of_kind[] = {
    [PL_LOOP_ELEMENTS] = {.plain = true},
    [PL_LOOP_MEMBER] = {.member = true},
    [PL_LOOP_BLOCKS] = {.two_phases = true},
    [PL_LOOP_PAIRS] = {.pairs = true},
    [PL_LOOP_NEIGHBOURS] = {.pairs = true, .neighbours = true},
    [PL_LOOP_PARTICLES] = {.pairs = true, .neighbours = true, .two_phases = true},
  };
  return &of_kind[loop->kind];
}

/* The access to an object, or NULL. */
static inline const pl_loop_access *pl_loop_access_to(const pl_loop *loop, const void *object)
{
  PL_EACH_ACCESS (access, loop)
    if ((const void *)access->object == object) return access;
  return NULL;
}

static inline bool pl_loop_uses(const pl_loop *loop, const void *object)
{
  return pl_loop_access_to(loop, object);
}

static inline bool pl_loop_reads(const pl_loop *loop, const void *object)
{
  const pl_loop_access *access = pl_loop_access_to(loop, object);
  return access && access->reads;
}

static inline bool pl_loop_writes(const pl_loop *loop, const void *object)
{
  const pl_loop_access *access = pl_loop_access_to(loop, object);
  return access && access->writes;
}

static inline bool pl_loop_reads_through_map(const pl_loop *loop, const pl_dat *dat)
{
  const pl_loop_access *access = pl_loop_access_to(loop, dat);
  return access && !access->in_place;
}

/* The loop accesses the dat only by reads of whole records without a map. */
static inline bool pl_loop_reads_directly(const pl_loop *loop, const pl_dat *dat)
{
  const pl_loop_access *access = pl_loop_access_to(loop, dat);
  return !access || (!access->writes && access->in_place && !access->parts);
}

/* The name of a loop for people. */
static inline const char *pl_loop_title(const pl_loop *loop)
{
  return loop->title ? loop->title : loop->kernel->name;
}
