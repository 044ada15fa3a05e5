/* SPDX-License-Identifier: BSD-2-Clause
 * What a random chain is: a mesh, values on its sets, and loops that say what they do with them.
 */
#ifndef CHAINS_MADE_H
#define CHAINS_MADE_H

#include <plait.h>
#include <stdbool.h>

enum {
  SETS = 4,
  DATS = 8,
  FIXED = 6, /* maps of fixed arity; the ragged ones follow */
  MAPS = 8,
  PARTS = 3, /* of a set: whole, every second element, some elements or none */
  MOST_LOOPS = 8,
  MOST_MORE = 24,
  MOST_ARGS = 6,
  MOST_DIM = 4,
  GLOBALS = 2,
  MOST_ROUNDS = 6
};
enum { CELLS, FACES, BOUNDARY, NODES };

typedef struct table {
  int from, to, arity; /* arity 0: ragged */
  int *index, *offsets;
} table;

typedef struct part {
  int n, *index;
} part;

typedef struct mesh {
  int size[SETS];
  part part[SETS][PARTS];
  table map[MAPS];
} mesh;

typedef struct argument {
  int dat;    /* or -1 */
  int global; /* or -1; neither: the element's index */
  int map;    /* -1: direct */
  int index;  /* PL_ALL too */
  pl_access access;
  int component; /* from 1; 0: all */
} argument;

typedef enum kind { CALL, ZERO, COPY } kind;

typedef struct loop {
  kind kind; /* ZERO: arg[0]; COPY: arg[0] to arg[1] */
  int set, part;
  int nargs;
  argument arg[MOST_ARGS];
  /* of the kernel */
  int factor;
  int owner;  /* the loop whose kernel this one calls too, or -1 */
  bool guard; /* changes what it finds only where the sum is large */
  bool leave; /* returns early where it is small */
  bool again; /* reads what it has written */
  bool point; /* writes through pointers of its own */
  bool clash; /* its helpers have the names that other kernels' have, and other bodies */
} loop;

typedef struct chain {
  uint64_t seed;
  int dims, n[3];
  mesh mesh;
  int dat_set[DATS], dim[DATS], global_dim[GLOBALS];
  pl_type type[DATS], global_type[GLOBALS];
  bool temporary[DATS];
  int choice[DATS], block;
  double *value[DATS], global[GLOBALS][MOST_DIM];
  int nloops, rounds, touched; /* touched: a dat looked at after the first round, or -1 */
  int cut;                     /* the loops from here on are a chain of their own; or 0 */
  bool apart;                  /* they are no chain at all */
  bool turned;                 /* in every second round they come first */
  bool lazy;                   /* no chain: option lazy */
  int layout;                  /* of dats on devices */
  int blocks;                  /* option block_size */
  int parts;                   /* how ranks share the mesh */
  loop loop[MOST_LOOPS + MOST_MORE];
} chain;

void make_chain(chain *c, uint64_t seed);
void free_chain(chain *c);
void print_chain(const chain *c, uint64_t seed);

/* A zeroed block of at least n values. */
void *room(int n, size_t bytes);

static inline bool writes(pl_access access)
{
  return access != PL_READ;
}

static inline bool sees(pl_access access)
{
  return access == PL_READ || access == PL_RW;
}

static inline bool is_index(const argument *a)
{
  return a->dat < 0 && a->global < 0;
}

static inline bool is_ragged(const chain *c, const argument *a)
{
  return a->map >= 0 && !c->mesh.map[a->map].arity;
}

static inline int values(const chain *c, int dat)
{
  return c->mesh.size[c->dat_set[dat]] * c->dim[dat];
}

/* Values of one target. */
static inline int width(const chain *c, const argument *a)
{
  if (is_index(a) || a->component) return 1;
  return a->dat < 0 ? c->global_dim[a->global] : c->dim[a->dat];
}

static inline pl_type type_of(const chain *c, const argument *a)
{
  if (is_index(a)) return PL_INT64;
  return a->dat < 0 ? c->global_type[a->global] : c->type[a->dat];
}

#endif
