/* SPDX-License-Identifier: BSD-2-Clause
 * Results of fusion that a context keeps: fragments, fused loops, and maps, dats and sets for them.
 *
 * Invariant: an entry is freed before any object that it names.
 */
#pragma once

#include <stdbool.h>
#include "codegen/loop/conflict.h"
#include "core/loop/loop.h"
#include "fragment.h"

enum { PL_MAX_SWAPS = 8, PL_DEGREE = 8, PL_SIDES = 14, PL_MAX_VERTICES = 8 };

typedef struct pl_fused {
  struct pl_fused *next;
  uint64_t key;
  pl_loop *loop;
  int nswap;
  pl_dat *swap[PL_MAX_SWAPS][2]; /* dats whose storage is swapped after the loop */
  int nmembers;
  const pl_loop *member[];
} pl_fused;

/* What was derived from objects, and is freed with any of them: maps and a dat, in fields of the entry, of
 * which this is the first member. */
enum { PL_DERIVED_FROM = 12, PL_DERIVED_MAPS = PL_LOCALS + 1 };
typedef struct pl_derived {
  struct pl_derived *next;
  const void *from[PL_DERIVED_FROM]; /* unused ones are NULL, as below */
  pl_map **map[PL_DERIVED_MAPS];
  pl_dat **dat;
  pl_blocks *blocks;
} pl_derived;

/* The map outer[inner[e]]. */
typedef struct pl_composed {
  pl_derived base;
  const pl_map *inner, *outer;
  pl_map *map;
} pl_composed;

/* Targets of map `of` of the source elements that are also targets of map `in` of the element that gathers.
 * Entry k of its row reaches the targets in mask[k], in any order: target i of the entry, if it increments
 * through side s, is the target of `in` in bits 3 i to 3 i + 2 of places[k][s]; -1: no such entry. side[k] is
 * the only side of entries k, or -1. */
typedef struct pl_shared_vertices {
  const pl_map *of;
  pl_map *in;
  int n;
  unsigned mask[PL_DEGREE];
  signed char side[PL_DEGREE];
  int32_t places[PL_DEGREE][PL_SIDES];
} pl_shared_vertices;

/* The one map through which a loop increments a dat, and its indices in the order of the arguments. */
typedef struct pl_increment_map {
  pl_map *map;
  int nslots;
  pl_reach slot[PL_SIDES];
} pl_increment_map;

/* An inverse map in rows of equal length: the elements that increment each target, and their other targets in
 * the order of the map, if the first loop with these rows reads them. Bits 4 k to 4 k + 3 of `side` are 1 +
 * the increment through which element k reaches the target; 0: the row is shorter and repeats another
 * element, or -1 if most rows are empty. */
typedef struct pl_inverse_rows {
  pl_derived base;
  const pl_set *set;
  pl_increment_map of;
  int degree; /* -1: rows would be too long */
  int core;   /* the first targets, which only core elements reach */
  bool full;  /* few rows are shorter */
  pl_map *element, *other;
  pl_dat *side;
  pl_shared_vertices vertices;  /* of: NULL: there are none */
  struct pl_inverse_rows *rest; /* entries that do not fit the shared vertices; NULL: none */
} pl_inverse_rows;

typedef struct pl_double_buffer {
  pl_derived base;
  const pl_dat *of;
  pl_dat *dat;
} pl_double_buffer;

/* The disjoint union of two sets, so that loops over them share a launch. */
typedef struct pl_set_union {
  pl_derived base;
  pl_set *part[2], *set;
  pl_dat *which; /* by element: the part that it belongs to, 0 or 1 */
} pl_set_union;

/* A map of a union: rows of a map of each part. A part's own set instead of a map: each of its elements;
 * NULL: rows without targets. */
typedef struct pl_union_map {
  pl_derived base;
  const pl_set *set;
  const void *of[2];
  pl_map *map;
} pl_union_map;

/* Blocks of a loop, their targets, and for maps of the loop the positions of targets in their block. */
typedef struct pl_block_list {
  pl_derived base;
  pl_blocks blocks;
  pl_map *target;
  int nlocals;
  const pl_map *of[PL_LOCALS];
  pl_map *local[PL_LOCALS];
} pl_block_list;

typedef enum pl_derived_kind {
  PL_COMPOSED_MAPS,
  PL_INVERSE_ROWS,
  PL_SET_UNIONS,
  PL_UNION_MAPS,
  PL_BLOCK_LISTS,
  PL_DOUBLE_BUFFERS,
  PL_DERIVED_KINDS
} pl_derived_kind;

typedef struct pl_fusion_cache {
  pl_fragment *fragments;
  int nfragments, marks;
  pl_fused *loops;
  pl_derived *derived[PL_DERIVED_KINDS]; /* first entries */
} pl_fusion_cache;

/* The context's cache, created by the first call; NULL without memory. */
pl_fusion_cache *pl_fusion_cache_of(pl_context *pl);

void *pl_derived_first(const pl_context *pl, pl_derived_kind kind);
void *pl_derived_next(void *entry);
void pl_derived_keep(pl_context *pl, pl_derived_kind kind, pl_derived *entry);

/* Fused loops by key: the form of fusion and the objects. */
uint64_t pl_fused_key(const char *form, int n, const void *const *object);
const pl_fused *pl_fused_find(const pl_context *pl, uint64_t key); /* NULL: not there */
/* The caller fills in the members. */
pl_err pl_fused_keep(pl_context *pl, uint64_t key, pl_loop *loop, int nmembers, int nswap, pl_dat *(*swap)[2],
                     pl_fused **fused);

/* An internal map with indices in storage order. Takes `index` over, or frees it on failure. `negative`: rows
 * that a loop runs may be negative. */
pl_err pl_internal_map_new(pl_set *from, pl_set *to, int arity, int *index, bool negative, const char *name,
                           pl_map **map);

/* Target i * outer->arity + k of the map is outer[inner[e][i]][k]. NULL with the error set. */
pl_map *pl_composed_map(pl_context *pl, const pl_map *inner, const pl_map *outer);

/* The second buffer of a dat; NULL without memory. */
pl_dat *pl_double_buffer_of(pl_context *pl, pl_dat *dat);
