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

enum { PL_SWAPS = 8 };

/* A dat that a made loop writes in the storage of another one; they change places afterwards. The values of
 * `second` before are those of `dat`, though its storage holds others (equal), or nobody needs them after the
 * loop has written. */
typedef struct pl_beside {
  pl_dat *dat, *second;
  bool equal;
} pl_beside;

/* A kernel as part of other texts: its definition under a name of its own, after those it needs. */
typedef struct pl_part_text {
  struct pl_part_text *next;
  const pl_kernel *kernel;
  char *name, *text;
  bool source;              /* a whole file of the user's */
  bool uses_real, computes; /* as in pl_reals */
  int nneeds;
  struct pl_part_text **needs;
  int mark;
} pl_part_text;

/* A loop made before. */
typedef struct pl_made {
  struct pl_made *next;
  uint64_t key;
  pl_loop *loop;
  int nswap;
  pl_dat *swap[PL_SWAPS][2]; /* whose storage changes places after it */
} pl_made;

/* outer[inner[e]], made before. */
typedef struct pl_composed {
  struct pl_composed *next;
  const pl_map *inner, *outer;
  pl_map *map;
} pl_composed;

enum { PL_DEGREE = 8, PL_SIDES = 14, PL_CORNERS = 8 };

/* Where the targets of a map `of` the elements are found again: they are targets of the map `in` of what they
 * reach. Those of entry k are the ones in mask[k], whatever their order; target i of entry k that comes
 * through side s is target place[k][s][i], -1: none comes there. Where entries k come
 * through one side alone, it is side[k], else that is -1. */
typedef struct pl_corners {
  const pl_map *of;
  pl_map *in;
  int n;
  unsigned mask[PL_DEGREE];
  signed char side[PL_DEGREE];
  signed char place[PL_DEGREE][PL_SIDES][PL_CORNERS];
} pl_corners;

/* A map turned round, in rows of equal length: the elements that reach each target, and what lies at their
 * other end where the map has two. Bits 4 k to 4 k + 3 of `side` say through which of the indices element k
 * comes, from 1; 0: there is none, and the row holds another element. Rows of which few have any elements
 * begin with -1 where there are none. degree -1: rows would be too long. */
typedef struct pl_turned {
  struct pl_turned *next;
  const pl_set *set;
  const pl_map *of;
  int nslots, index[16], degree;
  bool full; /* few rows are shorter */
  pl_map *element, *other;
  pl_dat *side;
  pl_corners corners;     /* of: NULL: there are none */
  struct pl_turned *rest; /* the elements that have not their places there; NULL: none */
} pl_turned;

/* A second storage of a dat, written while the first is still read. */
typedef struct pl_shadow {
  struct pl_shadow *next;
  const pl_dat *of;
  pl_dat *dat;
} pl_shadow;

/* A map of a joined set: the rows of two maps one after the other, or of one and rows that lead nowhere. The
 * set itself in place of a map: each of its elements. */
typedef struct pl_joined_map {
  struct pl_joined_map *next;
  const void *of[2]; /* NULL: nowhere */
  pl_map *map;
} pl_joined_map;

/* Two sets one after the other as one, so that loops over them share a launch. */
typedef struct pl_joined {
  struct pl_joined *next;
  pl_set *part[2], *set;
  const pl_map *tie[2]; /* a map of each: with it goes all this */
  pl_dat *which;        /* 0 or 1 by element: the part it belongs to */
  pl_joined_map *maps;
} pl_joined;

typedef struct pl_workshop {
  pl_part_text *parts;
  int nparts, marks;
  pl_made *loops;
  pl_composed *maps;
  pl_turned *turned;
  pl_shadow *shadows;
  pl_blocks *blocks;
  pl_joined *joined;
} pl_workshop;

/* The context's workshop, opened the first time; NULL without memory. */
pl_workshop *pl_workshop_of(pl_context *pl);

/* Loops made before, by key. */
const pl_made *pl_made_find(const pl_workshop *shop, uint64_t key);
pl_err pl_made_keep(pl_context *pl, uint64_t key, pl_loop *loop, int nswap, pl_dat *const (*swap)[2]);

/* A map of the library's own, with indices in the order of storage, which it takes over, or frees when it
 * fails. Rows that no loop runs may be negative, `negative` says whether others may be. */
pl_err pl_made_map(pl_set *from, pl_set *to, int arity, int *index, bool negative, const char *name,
                   pl_map **map);

/* The map that goes through `inner` and then through each target of `outer`: its target i * outer->arity + k
 * is outer[inner[e][i]][k]. NULL with the error set. */
pl_map *pl_composed_map(pl_context *pl, const pl_map *inner, const pl_map *outer);

/* The turned map for increments of a loop over `set` through some indices of `map`: found, or a new empty
 * one. */
pl_turned *pl_turned_find(pl_context *pl, const pl_set *set, const pl_map *map, int nslots, const int *index);
pl_turned *pl_turned_new(pl_context *pl, const pl_set *set, const pl_map *map, int nslots, const int *index);

/* The second storage of a dat; NULL without memory. */
pl_dat *pl_shadow_of(pl_context *pl, pl_dat *dat);

/* Two sets as one, found or made; a map of it. NULL with the error set. */
pl_joined *pl_joined_sets(pl_context *pl, const pl_map *a, const pl_map *b);
pl_map *pl_joined_map_of(pl_context *pl, pl_joined *joined, const void *a, const void *b);
/* What is kept of joined sets that use an object; all for NULL, when the maps go with all others. */
void pl_joined_forget(pl_context *pl, const void *object);

/* A kernel as a part; a new, empty part for a made kernel. NULL without memory. */
pl_part_text *pl_part_of(pl_context *pl, const pl_kernel *kernel);
pl_part_text *pl_part_new(pl_context *pl, const pl_kernel *kernel);

#endif
