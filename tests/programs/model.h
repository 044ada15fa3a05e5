/* SPDX-License-Identifier: BSD-2-Clause
 * The objects of a random program, and its loops in plain C. Every rank knows all of them.
 *
 * Values are integers in doubles, so sums are exact in any order; `cast` maps them to the range of their
 * type.
 */
#ifndef PROGRAMS_MODEL_H
#define PROGRAMS_MODEL_H

#include <plait.h>
#include <stdbool.h>

enum { SETS = 4, LOOSE = 3, MAPS = 7, SUBSETS = 4, DATS = 10, GLOBALS = 4, CONSTS = 2, CHAINS = 2 };
enum { MOST_ARGS = 6, MOST_DIM = 3, MOST_SIZE = 400, KERNELS = 24, PAST = 24, READY = 3, SKIPS = 200 };

/* n * dim values of a type: those of a dat, a global or a const. */
typedef struct box {
  pl_type type;
  int dim, n;
  double *value;
} box;

/* `declared`: the number of the declaration; an earlier loop on another one is not repeated. */
typedef struct set {
  int n, first, mine, declared; /* this rank declared `count` of them from `first` on */
  pl_set *set;
} set;

typedef struct map {
  int from, to, arity; /* arity 0: ragged */
  int *offset, *index, declared;
  bool apart; /* entries are distinct */
  pl_map *map;
} map;

typedef struct subset {
  int set, declared;
  bool *in;
  pl_set *subset;
} subset;

typedef struct dat {
  box box;
  int set, declared;
  bool undefined, temporary[CHAINS];
  pl_dat *dat;
} dat;

typedef struct global {
  box box;
  int declared;
  pl_global *global;
} global;

typedef struct constant {
  box box;
  int declared;
  pl_const *constant;
} constant;

typedef enum kind { DAT, GLOBAL, CONST, INDEX, PAYLOAD } kind;

typedef struct argument {
  kind kind;
  int object, map, index, component; /* map -1: direct; component from 1, 0: all */
  pl_access access;
  bool optional, off; /* optional and off; the kernel tests for it */
  bool blind;         /* the result depends neither on the old value nor on the order */
  bool zeroed;
  int with; /* PAYLOAD: the argument of its extreme */
} argument;

typedef struct loop {
  int set, subset, nargs, kernel; /* subset -1: the whole set */
  argument arg[MOST_ARGS];
  int factor, constant; /* constant -1: the kernel uses none */
  bool real;            /* its real parameters are pl_real */
  int declared[MOST_ARGS][2], declared_set, declared_const;
} loop;

/* A parameter as the kernel's text declares it: pl_real is PL_TYPE_COUNT, a row has targets -1. */
typedef struct shape {
  kind kind;
  pl_access access;
  pl_type type;
  int width, targets, with;
  bool optional, blind;
} shape;

typedef struct kernel {
  const pl_kernel *kernel;
  loop first; /* the loop it was generated for */
  shape shape[MOST_ARGS];
} kernel;

typedef struct ready {
  pl_loop *handle;
  loop loop;
} ready;

typedef struct program {
  uint64_t seed, state;
  pl_context *pl;
  int ranks, rank, statement, declarations;
  set set[SETS];
  map map[MAPS];
  subset subset[SUBSETS];
  dat dat[DATS];
  global global[GLOBALS];
  constant constant[CONSTS];
  kernel kernel[KERNELS];
  int nkernels, npast, chain; /* chain -1: none is open */
  loop past[PAST];
  ready ready[READY];
  pl_chain *handle;
  bool warm_up, failed;
  FILE *log;
} program;

int below(program *p, int n); /* a random number from 0 to n - 1 */
bool one_in(program *p, int n);
void start_random(program *p, uint64_t seed);

void *new_array(size_t n, size_t size); /* zeroed, with space for n + 1 */
pl_type some_type(program *p);
double cast(pl_type type, double x);
box new_box(pl_type type, int dim, int n);
void fill_box(program *p, box *b);
void put_value(pl_type type, void *values, size_t i, double x);
double get_value(pl_type type, const void *values, size_t i);

bool writes(pl_access access);
bool has_values(const argument *a); /* not an element's number */
const box *box_of(const program *p, const argument *a);
int width(const program *p, const argument *a);
int targets(const program *p, const argument *a); /* 0: a row */
bool is_whole(const program *p, const loop *l, const argument *a);

/* The loop, element by element. */
void run_plainly(program *p, const loop *l);

/* The text of a kernel for such a loop. Freed by the caller. */
char *kernel_text(const program *p, const loop *l, const char *name);

/* One line of the program's log. */
void say_loop(const program *p, const loop *l);

#endif
