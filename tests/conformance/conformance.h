/* SPDX-License-Identifier: BSD-2-Clause
 * The conformance suite: cases that every backend must pass under every variant of a run.
 *
 * A case is a function of a `conf`, which holds an open context. It declares, runs loops, and compares the
 * results with plain loops: exactly where values are exact. It does not depend on the backend.
 */
#ifndef PLAIT_TESTS_CONFORMANCE_H
#define PLAIT_TESTS_CONFORMANCE_H

#include <plait.h>
#include <stdbool.h>
#include <string.h>

/* How one run of a case is set up. */
typedef struct conf_variant {
  int threads, block_size;
  const char *shape, *conflict;
  int jit, reproducible;
  const char *layout; /* of dats on devices */
  int renumber;       /* sets are renumbered before the first loop through a map */
} conf_variant;

typedef struct conf {
  const char *backend;
  const conf_variant *variant;
  pl_context *pl;
  bool device;  /* loops run on a device: kernels that need the host must be refused with a message */
  bool scatter; /* on several ranks: all sets are distributed at random */
  bool mixed;   /* ranks may have different backends */
  uint64_t scattered;
  uint64_t seed;
  int problem;  /* the random problem that is checked (conf_problem); -1: none */
  int failures; /* of this case */
  size_t held;  /* bytes allocated through the context's memory manager */
  long asked;   /* allocations through it since the case began */
  long fail_at; /* this one and all later ones fail; 0: none */
} conf;

enum {
  CONF_MATRIX = 1,   /* under every variant; otherwise only under the first */
  CONF_RANKS = 4,    /* on several ranks too: accesses global data through the helpers below */
  CONF_EAGER = 8,    /* not with --lazy: checks when errors occur, or counts operations */
  CONF_NEEDS_JIT = 2 /* not without a compiler: kernels are given as text only */
};

typedef struct conf_case {
  const char *name, *features; /* features: numbers of tested capabilities */
  void (*run)(conf *c);
  int flags;
} conf_case;

/* One table per file of cases, ended by a NULL name. */
extern const conf_case conf_sets[], conf_maps[], conf_dats[], conf_types[], conf_globals[], conf_kernels[],
  conf_loops[], conf_errors[], conf_meshes[], conf_process[], conf_states[], conf_ragged[], conf_pairs[],
  conf_programs[], conf_chains[], conf_algorithms[], conf_tiles[], conf_conflicts[], conf_moves[],
  conf_ranks[], conf_fusion[], conf_algebra[], conf_mixed[], conf_c99[], conf_failures[], conf_interop[],
  conf_matrix[], conf_matrix_values[], conf_masks[], conf_spaces[], conf_random_matrices[],
  conf_large_matrices[], conf_complex_matrices[], conf_checked_matrices[], conf_tensors[], conf_solver[],
  conf_solver_sizes[], conf_factors[], conf_packages[], conf_numbers[], conf_foreign[], conf_dense[],
  conf_matrix_io[], conf_checkpoint[], conf_pair_chains[];

/* ---- checks: `c` is the conf in scope ---- */

/* OK: a failure closes the context and ends the case. */

#define OK(call) OK_IN(c->pl, call)
#define OK_IN(pl, call)                                                                                      \
  do {                                                                                                       \
    pl_err conf_err = (call); /* first: the call may open the context */                                     \
    conf_ok(c, (pl), conf_err, #call, __FILE__, __LINE__);                                                   \
  } while (0)
#define CHECK(condition) conf_check(c, (condition), #condition, __FILE__, __LINE__)

/* The call must fail with this code, and the message must contain each of the words. */
#define FAILS(call, code, ...) FAILS_IN(c->pl, call, code, __VA_ARGS__)
#define FAILS_IN(pl, call, code, ...)                                                                        \
  do {                                                                                                       \
    pl_err conf_err = (call);                                                                                \
    const char *const conf_words[] = {__VA_ARGS__, NULL};                                                    \
    conf_fails(c, (pl), conf_err, (code), conf_words, #call, __FILE__, __LINE__);                            \
  } while (0)

/* The dat (with its halo) or global holds exactly these values; CLOSE: the value is within 1e-12. */
#define SAME(dat, expected) conf_same(c, (dat), (expected), #dat, __FILE__, __LINE__)
#define SAME_GLOBAL(global, expected) conf_same_global(c, (global), (expected), #global, __FILE__, __LINE__)
#define CLOSE(value, expected) conf_close(c, (value), (expected), #value, __FILE__, __LINE__)

void conf_ok(conf *c, pl_context *pl, pl_err err, const char *what, const char *file, int line); /* fatal */
void conf_check(conf *c, bool good, const char *what, const char *file, int line);
void conf_fails(conf *c, pl_context *pl, pl_err err, pl_err wanted, const char *const *words,
                const char *what, const char *file, int line);
void conf_same(conf *c, pl_dat *dat, const void *expected, const char *what, const char *file, int line);
void conf_same_global(conf *c, pl_global *global, const void *expected, const char *what, const char *file,
                      int line);
void conf_close(conf *c, double value, double expected, const char *what, const char *file, int line);

/* ---- contexts ---- */

/* Opens a context with the variant's options and those of `more` (ended by NULL, may be NULL). */
pl_err conf_open(conf *c, const conf_variant *variant, const char *const *more, pl_context **pl);
pl_stats conf_stats(conf *c);

/* ---- short declarations ---- */

#define DIRECT(dat, access) pl_arg_dat((dat), PL_ID, PL_DIRECT, (access))

pl_set *conf_set(conf *c, int64_t n, const char *name);
pl_set *conf_subset(conf *c, pl_set *parent, int n, const int *indices);
pl_map *conf_map(conf *c, pl_set *from, pl_set *to, int arity, const int *indices, const char *name);
pl_map *conf_ragged_map(conf *c, pl_set *from, pl_set *to, const int *offsets, const int *values,
                        const char *name);
pl_dat *conf_dat(conf *c, pl_set *set, int dim, pl_type type, const void *data, const char *name);
pl_global *conf_global(conf *c, int dim, pl_type type, const void *data, const char *name);
const pl_kernel *conf_source(conf *c, const char *name, const char *source, const pl_kernel_options *options);

/* ---- random meshes ---- */

/* Whether this run checks random problem `number`, which then has the same numbers in every run. Variable
 * CONF_PROBLEMS=K/N selects those with number % N == K, so that parts run side by side and one runs alone. */
bool conf_problem(conf *c, int number);

uint64_t conf_random(conf *c);
int conf_below(conf *c, int n); /* 0 .. n-1 */

enum { CONF_ARITY = 3, CONF_SEED = 20260101 };

/* A map of arity 3 from `from` elements to `to`. Targets inside an element are distinct unless `twice`. */
typedef struct conf_mesh {
  const char *name;
  int from, to;
  int *index;
  bool twice;
} conf_mesh;

/* Mesh number `kind` from 0: random, ordered and degenerate ones. False past the last. */
bool conf_mesh_make(conf *c, int kind, conf_mesh *mesh);
void conf_mesh_free(conf_mesh *mesh);

/* The largest difference of two dats of doubles, of one value an element, on all ranks. */
double conf_largest_error(conf *c, pl_set *set, pl_dat *x, pl_dat *want);

/* The order of pl_sort_order for n keys, which stay as they are. */
void conf_sort_order(conf *c, pl_type type, const void *keys, int n, int *order);

/* ---- this process ---- */

/* Redirects stderr; conf_caught restores it and returns the text (to be freed). */
void conf_catch(void);
char *conf_caught(void);

/* Runs this program again with `--child mode` and PLAIT_CACHE_DIR; returns its stdout (to be freed), or
 * NULL. */
char *conf_child(conf *c, const char *mode, const char *cache_dir);
/* The same without waiting; conf_child_wait collects the output. */
typedef struct conf_process {
  int pid, out;
} conf_process_handle;
bool conf_child_start(conf *c, const char *mode, const char *cache_dir, conf_process_handle *handle);
char *conf_child_wait(conf_process_handle *handle);
int conf_child_main(const char *backend, const char *mode); /* cases_process.c */

/* A new empty folder, its path without a trailing slash; removed at the end of the run. */
const char *conf_folder(char path[256]);
/* The contents of a file (to be freed), or NULL. */
char *conf_read(const char *path);
/* The path of the first file in `folder` whose name ends in `suffix`; false if there is none. */
bool conf_find(const char *folder, const char *suffix, char path[512]);

#endif
