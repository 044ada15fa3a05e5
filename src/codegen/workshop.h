/* SPDX-License-Identifier: BSD-2-Clause
 * What is kept in a context for making loops: kernels as parts of other texts, loops made before, composed
 * maps.
 *
 * Invariant: a part's text defines its function under a name that no other part has, but for whole files of
 * the user's.
 */
#ifndef PLAIT_CODEGEN_WORKSHOP_H
#define PLAIT_CODEGEN_WORKSHOP_H

#include "core/chain.h"

/* A kernel as part of other texts: its definition under a name of its own, after those it needs. */
typedef struct pl_part_text {
  struct pl_part_text *next;
  const pl_kernel *kernel;
  char *name, *text;
  bool source; /* a whole file of the user's */
  int nneeds;
  struct pl_part_text **needs;
  int mark;
} pl_part_text;

/* A loop made before. */
typedef struct pl_made {
  struct pl_made *next;
  uint64_t key;
  pl_loop *loop;
} pl_made;

/* outer[inner[e]], made before. */
typedef struct pl_composed {
  struct pl_composed *next;
  const pl_map *inner, *outer;
  pl_map *map;
} pl_composed;

typedef struct pl_workshop {
  pl_part_text *parts;
  int nparts, marks;
  pl_made *loops;
  pl_composed *maps;
} pl_workshop;

/* The context's workshop, opened the first time; NULL without memory. */
pl_workshop *pl_workshop_of(pl_context *pl);

/* Loops made before, by key. */
pl_loop *pl_made_find(const pl_workshop *shop, uint64_t key);
pl_err pl_made_keep(pl_context *pl, uint64_t key, pl_loop *loop);

/* The map that goes through `inner` and then through each target of `outer`: its target i * outer->arity + k
 * is outer[inner[e][i]][k]. NULL with the error set. */
pl_map *pl_composed_map(pl_context *pl, const pl_map *inner, const pl_map *outer);

/* A kernel as a part; a new, empty part for a made kernel. NULL without memory. */
pl_part_text *pl_part_of(pl_context *pl, const pl_kernel *kernel);
pl_part_text *pl_part_new(pl_context *pl, const pl_kernel *kernel);

#endif
