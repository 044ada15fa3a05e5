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
 * reach, in fixed places: target i of entry k that comes through side s is target place[k][s][i]. */
typedef struct pl_corners {
  const pl_map *of;
  pl_map *in;
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

typedef struct pl_workshop {
  pl_part_text *parts;
  int nparts, marks;
  pl_made *loops;
  pl_composed *maps;
  pl_turned *turned;
  pl_shadow *shadows;
  pl_blocks *blocks;
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

/* A kernel as a part; a new, empty part for a made kernel. NULL without memory. */
pl_part_text *pl_part_of(pl_context *pl, const pl_kernel *kernel);
pl_part_text *pl_part_new(pl_context *pl, const pl_kernel *kernel);

#endif
