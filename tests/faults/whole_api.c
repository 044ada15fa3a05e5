/* SPDX-License-Identifier: BSD-2-Clause
 * The program, and the checks around its calls.
 */
#include "whole_api.h"
#include <limits.h>
#include <plait_dlpack.h>
#include <plait_random.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* ---- kernels ---- */

static double gain = 0.75;                     /* consts for the program's compiler */
static float shares[3] = {0.5f, 0.25f, 0.25f}; /* also passed as an argument */

PL_FUNCTION(double, square, (double x), { return x * x; })

PL_KERNEL(couple, (double A[2][2], const uint32_t *random), {
  for (int i = 0; i < 4; i++) A[i / 2][i % 2] += pl_uniform(random, i);
})
PL_KERNEL(couple_all, (double A[3][3], const double x[3]), {
  for (int i = 0; i < 9; i++) A[i / 3][i % 3] += 1 + x[i % 3];
})
PL_KERNEL(set_up, (double q[4], int32_t *count, const int64_t *id), {
  for (int i = 0; i < 4; i++) q[i] = gain * (double)(*id % 17 + i) + square(0.5 * i);
  count[0] = (int32_t)(*id % 5);
})

PL_KERNEL(flux, (const double *const q[2], double *res[2], float *weight, const float *share), {
  double f = gain * square(q[0][0] - q[1][1]) + 0.125 * q[1][3];
  for (int i = 0; i < 4; i++) {
    res[0][i] += f * (i + 1);
    res[1][i] -= f / (i + 1);
  }
  *weight = share[0] * (float)f + share[1];
})

PL_KERNEL(update,
          (double q[4], double res[4], double *total, double *largest, int64_t *where, double at[4],
           const int64_t *id),
          {
            for (int i = 0; i < 4; i++) {
              q[i] += 1e-3 * res[i];
              at[i] = q[i];
              res[i] = 0;
              *total += q[i];
            }
            if (q[0] > *largest) *largest = q[0];
            *where = *id;
          })

PL_KERNEL(touch, (int32_t * count, double *first, const int32_t *step, const float *unused), {
  *count += *step;
  *first += unused ? 1.0 : 0.25;
})

static const char smooth_text[] = "#include <math.h>\n"
                                  "static double half(double x) { return 0.5 * x; }\n"
                                  "void smooth(double x[4][2], const double q[4], const double *y)\n"
                                  "{\n"
                                  "  for (int k = 0; k < 4; k++) {\n"
                                  "    x[k][0] += half(q[k]) + *y;\n"
                                  "    x[k][1] += sqrt(fabs(q[k])) * gain;\n"
                                  "  }\n"
                                  "}\n";

/* ---- the run ---- */

enum { CELLS = 1200, EDGES = 2400, NODES = 1300, RIM = 90, KEEP = 24 };

typedef enum set_name { S_CELLS, S_EDGES, S_NODES, S_PARTS, S_RIM, S_ODD, S_BOTH, SETS } set_name;
typedef enum map_name { M_EDGE_CELL, M_CELL_NODE, M_FIRST, M_PERMUTED, M_EDGE_NODE, M_GONE, MAPS } map_name;
typedef enum dat_name {
  D_Q,
  D_RES,
  D_X,
  D_WEIGHT,
  D_COUNT,
  D_LAZY,
  D_FRESH,
  D_COPY,
  D_OTHER,
  D_ARRAY,
  DATS
} dat_name;
typedef enum global_name { G_TOTAL, G_LARGEST, G_WHERE, G_AT, G_STEP, G_SPARE, GLOBALS } global_name;

typedef struct run {
  const faults_job *job;
  const faults_profile *profile;
  faults_profile *record;
  faults_outcome *outcome;
  failing_memory memory;

  pl_context *pl;
  pl_set *set[SETS];
  pl_map *map[MAPS];
  pl_dat *dat[DATS];
  pl_global *global[GLOBALS];
  pl_const *gain, *shares;
  const pl_kernel *smooth;
  pl_loop *loop;
  pl_program *program;
  pl_entry *entry;
  pl_queue *queue;
  pl_event *event;
  DLManagedTensorVersioned *tensor;
  DLManagedTensor *old_tensor;
  int writing; /* the dat with an open writable view, or -1 */

  int call, line;     /* number and line of the current call */
  long failed_before; /* failures before it */
  uint64_t state;     /* digest before a call that will fail */
  bool fails_next, retried;
  bool several;       /* the call runs several loops, and those before a failure have run */
  uint64_t uncounted; /* loops of such calls */
} run;

static void complain(run *r, const char *format, ...)
{
  va_list list;
  char what[600];
  if (*r->outcome->complaint) return;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  snprintf(r->outcome->complaint, sizeof r->outcome->complaint, "program.c:%d: %s", r->line, what);
}

/* ---- observable state ---- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
  const unsigned char *p = bytes;
  for (; size >= 8; p += 8, size -= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  for (; size; p++, size--) hash = (hash ^ *p) * UINT64_C(0x100000001b3);
  return hash;
}

/* A dat without storage is zero, and the digest must not allocate storage. */
static uint64_t mix_dat(run *r, uint64_t hash, int d)
{
  static const char zeros[1 << 17];
  pl_dat *dat = r->dat[d];
  uint64_t version = pl_dat_version(dat);
  void *values;
  hash = mix(hash, &version, sizeof version);
  if (d == r->writing) return hash;
  size_t size = pl_dat_nbytes(dat);
  if (!pl_dat_host_bytes(dat)) return size > sizeof zeros ? 0 : mix(hash, zeros, size);
  if (pl_dat_get(dat, PL_READ, &values)) {
    complain(r, "dat \"%s\" cannot be read: %s", pl_dat_name(dat), pl_errmsg(r->pl));
    return hash;
  }
  hash = mix(hash, values, size);
  if (pl_dat_put(dat)) complain(r, "a view cannot be closed: %s", pl_errmsg(r->pl));
  return hash;
}

static uint64_t mix_values(run *r, uint64_t hash)
{
  char values[64] = {0};
  for (int d = 0; d < DATS; d++)
    if (r->dat[d]) hash = mix_dat(r, hash, d);
  for (int g = 0; g < GLOBALS; g++)
    if (r->global[g] && !pl_global_get(r->global[g], values)) hash = mix(hash, values, sizeof values);
  return hash;
}

/* Options, and how often each loop has run. (Counters of operations may change.) */
static uint64_t mix_context(run *r, uint64_t hash)
{
  static const char *const loops[] = {"set_up", "flux", "update", "touch", "smooth"};
  const char *name, *value;
  pl_stats stats;
  for (int i = 0; !pl_option_at(r->pl, i, &name, &value, NULL); i++) hash = mix(hash, value, strlen(value));
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
    uint64_t calls = 0;
    if (!pl_timing(r->pl, loops[i], NULL, &calls)) hash = mix(hash, &calls, sizeof calls);
  }
  if (!r->several && !pl_get_stats(r->pl, &stats)) {
    stats.loops_run -= r->uncounted;
    hash = mix(hash, &stats.loops_run, sizeof stats.loops_run);
  }
  return hash;
}

/* Handles: a failed call does not change them. */
static uint64_t state_of(run *r)
{
  uint64_t hash = 1;
  hash = mix(hash, r->set, sizeof r->set);
  hash = mix(hash, r->map, sizeof r->map);
  hash = mix(hash, r->dat, sizeof r->dat);
  hash = mix(hash, r->global, sizeof r->global);
  const void *others[] = {r->gain, r->shares, r->smooth, r->loop, r->program, r->entry, r->queue, r->event};
  hash = mix(hash, others, sizeof others);
  return r->pl ? mix_context(r, mix_values(r, hash)) : hash;
}

/* ---- calls ---- */

/* A readable message: words, no missing parts, no newline. */
static bool is_readable(const char *text)
{
  return strlen(text) >= 10 && strchr(text, ' ') && !strstr(text, "(null)") && text[strlen(text) - 1] != '\n';
}

/* Computing the digest changes pl_errmsg and allocates, so the count is restored. */
static void look(run *r, uint64_t *state)
{
  long asked = r->memory.asked, fail_at = r->memory.fail_at;
  r->memory.fail_at = 0;
  *state = state_of(r);
  r->memory.asked = asked;
  r->memory.fail_at = fail_at;
}

static void before_call(run *r)
{
  const faults_profile *p = r->profile;
  long n = r->job->fail_at, begin = r->call && p ? p->asked[r->call - 1] : 0;
  r->failed_before = r->memory.failed;
  r->retried = false;
  r->fails_next = p && r->call < p->calls && n > begin && n <= p->asked[r->call];
  if (r->fails_next) look(r, &r->state);
}

static void check_unchanged(run *r, const char *what)
{
  uint64_t state;
  if (!r->fails_next) {
    complain(r, "%.60s: allocation %ld was expected to fail in another call", what, r->job->fail_at);
    return;
  }
  look(r, &state);
  if (state != r->state)
    complain(r, "%.60s: failed at allocation %ld but changed something", what, r->job->fail_at);
}

/* Whether the call failed for lack of memory and is repeated without failures. */
static bool fell(run *r, pl_err err, pl_err expected, const char *what)
{
  if (err == expected || r->memory.failed == r->failed_before || r->retried) return false;
  if (err != PL_ERR_MEMORY)
    complain(r, "%.60s: returned %s when allocation %ld failed: %s", what, pl_errname(err), r->job->fail_at,
             pl_errmsg(r->pl));
  if (!is_readable(pl_errmsg(r->pl))) complain(r, "%.60s: \"%s\" is not a message", what, pl_errmsg(r->pl));
  r->outcome->failed_calls++;
  if (r->job->mode == FAULTS_ABANDON) return false;
  failing_memory_stop(&r->memory);
  return r->retried = true;
}

static bool made_again(run *r, pl_err err, pl_err expected, const char *what)
{
  if (!fell(r, err, expected, what)) return false;
  check_unchanged(r, what);
  return true;
}

/* Whether the program continues. */
static bool after_call(run *r, pl_err err, pl_err expected, const char *what)
{
  bool harmed = r->memory.failed > r->failed_before;
  if (harmed && err == expected && !r->retried)
    (*(expected ? &r->outcome->wordless : &r->outcome->unharmed))++;
  if (err != expected && !(harmed && err == PL_ERR_MEMORY && r->job->mode == FAULTS_ABANDON))
    complain(r, "%.60s: returned %s%s: %s", what, pl_errname(err), r->retried ? " when repeated" : "",
             pl_errmsg(r->pl));
  if (err == expected && expected && !is_readable(pl_errmsg(r->pl)))
    complain(r, "%.60s: \"%s\" is not a message", what, pl_errmsg(r->pl));
  if (r->call >= FAULTS_CALLS) complain(r, "FAULTS_CALLS is too small");
  if (r->record && r->call < FAULTS_CALLS) r->record->asked[r->call] = r->memory.asked;
  r->call++;
  return err == expected && !(harmed && r->job->mode == FAULTS_ABANDON) && !*r->outcome->complaint;
}

/* Makes a call that must return `code`; returns false from the function where the program stops. */
#define MAKE(r, code, call, text)                                                                            \
  do {                                                                                                       \
    before_call(r);                                                                                          \
    (r)->line = __LINE__;                                                                                    \
    pl_err err_ = (call);                                                                                    \
    if (made_again((r), err_, (code), text)) err_ = (call);                                                  \
    if (!after_call((r), err_, (code), text)) return false;                                                  \
  } while (0)
#define CALL(r, call) MAKE(r, PL_SUCCESS, call, #call)
#define ANSWERS(r, code, call) MAKE(r, code, call, #call)
#define CHECK(r, good)                                                                                       \
  do {                                                                                                       \
    if (!(good)) {                                                                                           \
      complain((r), "line %d: not so: %s", __LINE__, #good);                                                 \
      return false;                                                                                          \
    }                                                                                                        \
  } while (0)
#define STEP(step)                                                                                           \
  do {                                                                                                       \
    if (!(step)) return false;                                                                               \
  } while (0)

/* ---- declarations ---- */

static bool declare_sets(run *r)
{
  static const int64_t parts[4] = {10, 20, 25, 30};
  int rim[RIM], odd[CELLS / 2];
  for (int i = 0; i < RIM; i++) rim[i] = (i * 37) % CELLS;
  for (int i = 0; i < CELLS / 2; i++) odd[i] = 2 * i + 1;
  CALL(r, pl_decl_set(r->pl, CELLS, "cells", &r->set[S_CELLS]));
  CALL(r, pl_decl_set(r->pl, EDGES, "edges", &r->set[S_EDGES]));
  CALL(r, pl_decl_set(r->pl, NODES, "nodes", &r->set[S_NODES]));
  CALL(r, pl_decl_subset(r->set[S_CELLS], RIM, rim, "rim", &r->set[S_RIM]));
  if (r->job->brief) return true;
  CALL(r, pl_decl_set_parts(r->pl, parts, NULL, &r->set[S_PARTS]));
  CALL(r, pl_decl_subset(r->set[S_CELLS], CELLS / 2, odd, "odd", &r->set[S_ODD]));
  CALL(r, pl_subset_combine(r->set[S_RIM], PL_SYMMETRIC_DIFFERENCE, r->set[S_ODD], "both", &r->set[S_BOTH]));
  ANSWERS(r, PL_ERR_RANGE, pl_decl_set(r->pl, -1, "wrong", &r->set[S_PARTS]));
  pl_set_free(&r->set[S_PARTS]);
  return true;
}

static bool declare_maps(run *r)
{
  static const int permuted[3] = {1, 0, 1};
  static int edge_cell[EDGES][2], cell_node[CELLS][4], first[EDGES];
  for (int e = 0; e < EDGES; e++) {
    int other = e / 2 + 1 + (e & 1);
    edge_cell[e][0] = first[e] = e / 2;
    edge_cell[e][1] = other < CELLS ? other : -1;
  }
  for (int c = 0; c < CELLS; c++)
    for (int k = 0; k < 4; k++) cell_node[c][k] = c + k % 2 + 40 * (k / 2);
  CALL(r, pl_decl_map(r->set[S_EDGES], r->set[S_CELLS], 2, edge_cell[0], "edge_cell", &r->map[M_EDGE_CELL]));
  if (r->job->brief) return true;
  CALL(r, pl_decl_map(r->set[S_CELLS], r->set[S_NODES], 4, cell_node[0], "cell_node", &r->map[M_CELL_NODE]));
  CALL(r, pl_decl_map(r->set[S_EDGES], r->set[S_CELLS], 1, first, "first", &r->map[M_FIRST]));
  CALL(r, pl_decl_map(r->set[S_EDGES], r->set[S_CELLS], 1, NULL, "undefined", &r->map[M_GONE]));
  CALL(r, pl_map_permute(r->map[M_EDGE_CELL], 3, permuted, "permuted", &r->map[M_PERMUTED]));
  CALL(r, pl_map_compose(r->map[M_CELL_NODE], r->map[M_FIRST], "edge_node", &r->map[M_EDGE_NODE]));
  ANSWERS(r, PL_ERR_STATE, pl_map_compose(r->map[M_CELL_NODE], r->map[M_GONE], "wrong", &r->map[M_PERMUTED]));
  pl_map_free(&r->map[M_GONE]);
  return true;
}

static bool declare_dats(run *r)
{
  static const int square[2] = {2, 2};
  static double x[NODES][2];
  for (int n = 0; n < NODES; n++) x[n][0] = 0.01 * n, x[n][1] = 1.0 / (n + 1);
  CALL(r, pl_decl_dat_shape(r->set[S_CELLS], 2, square, PL_DOUBLE, NULL, "q", &r->dat[D_Q]));
  CALL(r, pl_decl_dat(r->set[S_CELLS], 4, PL_DOUBLE, NULL, "res", &r->dat[D_RES]));
  CALL(r, pl_decl_dat(r->set[S_CELLS], 1, PL_INT32, NULL, "count", &r->dat[D_COUNT]));
  CALL(r, pl_decl_dat(r->set[S_EDGES], 1, PL_FLOAT, NULL, "weight", &r->dat[D_WEIGHT]));
  if (r->job->brief) return true;
  CALL(r, pl_decl_dat(r->set[S_NODES], 2, PL_DOUBLE, x, "x", &r->dat[D_X]));
  CALL(r, pl_decl_dat(r->set[S_CELLS], 4, PL_DOUBLE, NULL, NULL, &r->dat[D_LAZY]));
  CALL(r, pl_decl_dat(r->set[S_CELLS], 4, PL_DOUBLE, NULL, "fresh", &r->dat[D_FRESH]));
  return true;
}

static bool declare_values(run *r)
{
  static const double low = -1e30, start = 0.5;
  static const int32_t step = 3;
  CALL(r, pl_decl_const(r->pl, "gain", 1, PL_DOUBLE, &gain, &r->gain));
  CALL(r, pl_decl_const(r->pl, "shares", 3, PL_FLOAT, shares, &r->shares));
  CALL(r, pl_decl_function(r->pl, square));
  CALL(r, pl_decl_global(r->pl, 1, PL_DOUBLE, &start, "total", &r->global[G_TOTAL]));
  CALL(r, pl_decl_global(r->pl, 1, PL_DOUBLE, &low, "largest", &r->global[G_LARGEST]));
  CALL(r, pl_decl_global(r->pl, 1, PL_INT64, NULL, "where", &r->global[G_WHERE]));
  CALL(r, pl_decl_global(r->pl, 4, PL_DOUBLE, NULL, "at", &r->global[G_AT]));
  CALL(r, pl_decl_global(r->pl, 1, PL_INT32, &step, "step", &r->global[G_STEP]));
  return true;
}

static bool declare_kernel(run *r)
{
  static const char *const headers[] = {"<float.h>", NULL}, *const libraries[] = {"-lm", NULL};
  pl_kernel_options options = {
    .headers = headers, .link_args = libraries, .flops = 12, .file = "smooth.c", .line = 4};
  const pl_kernel *none = NULL;
  CALL(r, pl_kernel_from_source(r->pl, "smooth", smooth_text, &options, &r->smooth));
  ANSWERS(r, PL_ERR_KERNEL, pl_kernel_from_source(r->pl, "absent", smooth_text, NULL, &none));
  CHECK(r, !none);
  return true;
}

/* ---- loops ---- */

static bool run_set_up(run *r)
{
  CALL(r, pl_par_loop(set_up, r->set[S_CELLS], pl_arg_dat(r->dat[D_Q], PL_ID, PL_DIRECT, PL_WRITE),
                      pl_arg_dat(r->dat[D_COUNT], PL_ID, PL_DIRECT, PL_WRITE), pl_arg_idx(PL_ID, PL_DIRECT)));
  return true;
}

static bool run_flux(run *r, pl_map *edge_cell)
{
  CALL(r, pl_par_loop(flux, r->set[S_EDGES], pl_arg_dat(r->dat[D_Q], PL_ALL, edge_cell, PL_READ),
                      pl_arg_dat(r->dat[D_RES], PL_ALL, edge_cell, PL_INC),
                      pl_arg_dat(r->dat[D_WEIGHT], PL_ID, PL_DIRECT, PL_WRITE),
                      pl_arg_const(r->shares, PL_READ)));
  return true;
}

static bool run_update(run *r)
{
  CALL(r, pl_par_loop(update, r->set[S_CELLS], pl_arg_dat(r->dat[D_Q], PL_ID, PL_DIRECT, PL_RW),
                      pl_arg_dat(r->dat[D_RES], PL_ID, PL_DIRECT, PL_RW),
                      pl_arg_gbl(r->global[G_TOTAL], PL_INC), pl_arg_gbl(r->global[G_LARGEST], PL_MAX),
                      pl_arg_payload(r->global[G_WHERE], r->global[G_LARGEST]),
                      pl_arg_payload(r->global[G_AT], r->global[G_LARGEST]), pl_arg_idx(PL_ID, PL_DIRECT)));
  return true;
}

static bool run_touch(run *r, pl_set *set, int on)
{
  CALL(r,
       pl_par_loop(touch, set, pl_arg_dat(r->dat[D_COUNT], PL_ID, PL_DIRECT, PL_RW),
                   pl_arg_component(pl_arg_dat(r->dat[D_RES], PL_ID, PL_DIRECT, PL_INC), 2),
                   pl_arg_gbl(r->global[G_STEP], PL_READ), pl_arg_opt(pl_arg_const(r->shares, PL_READ), on)));
  return true;
}

static bool run_smooth(run *r, pl_dat *q)
{
  CALL(r,
       pl_par_loop(r->smooth, r->set[S_CELLS], pl_arg_dat(r->dat[D_X], PL_ALL, r->map[M_CELL_NODE], PL_INC),
                   pl_arg_dat(q, PL_ID, PL_DIRECT, PL_READ),
                   pl_arg_component(pl_arg_dat(q, PL_ID, PL_DIRECT, PL_READ), 3)));
  return true;
}

static bool run_loops(run *r)
{
  STEP(run_set_up(r));
  STEP(run_flux(r, r->map[M_EDGE_CELL]));
  STEP(run_update(r));
  STEP(run_touch(r, r->set[S_RIM], 0));
  if (r->job->brief) return true;
  STEP(run_touch(r, r->set[S_BOTH], 1));
  STEP(run_smooth(r, r->dat[D_Q]));
  STEP(run_flux(r, r->map[M_EDGE_CELL])); /* found again */
  ANSWERS(r, PL_ERR_ACCESS,
          pl_par_loop(touch, r->set[S_CELLS], pl_arg_dat(r->dat[D_COUNT], PL_ID, PL_DIRECT, PL_RW),
                      pl_arg_dat(r->dat[D_COUNT], PL_ID, PL_DIRECT, PL_INC),
                      pl_arg_gbl(r->global[G_STEP], PL_READ), pl_arg_const(r->shares, PL_READ)));
  return true;
}

/* A loop object, with one dat and then another. */
static bool run_reusable(run *r)
{
  CALL(r, pl_loop_create(
            &r->loop, set_up, r->set[S_CELLS], pl_arg_dat(r->dat[D_FRESH], PL_ID, PL_DIRECT, PL_WRITE),
            pl_arg_dat(r->dat[D_COUNT], PL_ID, PL_DIRECT, PL_WRITE), pl_arg_idx(PL_ID, PL_DIRECT)));
  CALL(r, pl_loop_run(r->loop));
  CALL(r, pl_loop_replace_dat(&r->loop, 0, r->dat[D_LAZY]));
  CALL(r, pl_loop_run(r->loop));
  CALL(r, pl_loop_run(r->loop));
  pl_dat_free(&r->dat[D_FRESH]);
  CALL(r, pl_loop_run(r->loop));
  pl_loop_free(&r->loop);
  return true;
}

/* ---- options ---- */

static bool change_option(run *r, const char *name, const char *value)
{
  CALL(r, pl_set_option(r->pl, name, value));
  return true;
}

static bool change_options(run *r)
{
  char dump[PATH_MAX + 8];
  snprintf(dump, sizeof dump, "%s/dump", r->job->folder);
  STEP(change_option(r, "conflict", "colour"));
  STEP(change_option(r, "block_size", "64"));
  STEP(run_flux(r, r->map[M_EDGE_CELL]));
  STEP(run_smooth(r, r->dat[D_Q]));
  STEP(change_option(r, "check", "1"));
  STEP(run_flux(r, r->map[M_EDGE_CELL]));
  STEP(run_update(r));
  STEP(change_option(r, "conflict", "auto"));
  STEP(change_option(r, "block_size", "0"));
  STEP(run_smooth(r, r->dat[D_LAZY]));
  ANSWERS(r, PL_ERR_OPTION, pl_set_option(r->pl, "shape", "oval"));
  ANSWERS(r, PL_ERR_STATE, pl_set_option(r->pl, "backend", "seq"));
  CALL(r, pl_reset_options(r->pl));
  STEP(change_option(r, "shape", "scalar"));
  STEP(change_option(r, "dump", dump));
  STEP(run_update(r));
  STEP(change_option(r, "reproducible", "1"));
  STEP(change_option(r, "dump", ""));
  STEP(run_flux(r, r->map[M_EDGE_CELL]));
  CALL(r, pl_reset_options(r->pl));
  return true;
}

/* ---- host access and files ---- */

static bool look_at_values(run *r)
{
  static double fetched[CELLS][4];
  double *q;
  CALL(r, pl_dat_get(r->dat[D_Q], PL_READ, (void **)&q));
  CHECK(r, q[0] == q[0]);
  CALL(r, pl_dat_put(r->dat[D_Q]));
  CALL(r, pl_dat_get(r->dat[D_Q], PL_RW, (void **)&q));
  r->writing = D_Q;
  q[0] += 0.5;
  ANSWERS(r, PL_ERR_STATE, pl_dat_get(r->dat[D_Q], PL_READ, (void **)&q));
  r->writing = -1;
  CALL(r, pl_dat_put(r->dat[D_Q]));
  CALL(r, pl_dat_fetch(r->dat[D_Q], fetched));
  CHECK(r, fetched[0][0] == q[0]);
  return true;
}

static bool copy_dats(run *r)
{
  CALL(r, pl_dat_duplicate(r->dat[D_Q], "copy", &r->dat[D_COPY]));
  CALL(r, pl_decl_dat(r->set[S_CELLS], 4, PL_DOUBLE, NULL, "fresh again", &r->dat[D_FRESH]));
  CALL(r, pl_decl_dat(r->set[S_CELLS], 4, PL_DOUBLE, NULL, "other", &r->dat[D_OTHER]));
  CALL(r, pl_dat_copy(r->dat[D_FRESH], r->dat[D_OTHER])); /* neither has storage */
  CALL(r, pl_dat_copy(r->dat[D_COPY], r->dat[D_FRESH]));
  CALL(r, pl_dat_zero_subset(r->dat[D_FRESH], r->set[S_ODD]));
  CALL(r, pl_dat_axpy(0.5, r->dat[D_COPY], r->dat[D_FRESH]));
  CALL(r, pl_dat_zero(r->dat[D_LAZY]));
  pl_dat_free(&r->dat[D_OTHER]);
  CALL(r, pl_decl_dat(r->set[S_CELLS], 4, PL_DOUBLE, NULL, "loaded", &r->dat[D_OTHER]));
  return true;
}

static bool use_files(run *r)
{
  char path[PATH_MAX + 8];
  snprintf(path, sizeof path, "%s/q.npy", r->job->folder);
  CALL(r, pl_dat_save(r->dat[D_COPY], path));
  ANSWERS(r, PL_ERR_IO, pl_dat_load(r->dat[D_OTHER], path)); /* 2 x 2, not 4 */
  snprintf(path, sizeof path, "%s/lazy.npy", r->job->folder);
  CALL(r, pl_dat_save(r->dat[D_FRESH], path));
  CALL(r, pl_dat_load(r->dat[D_OTHER], path));
  unlink(path);
  ANSWERS(r, PL_ERR_IO, pl_dat_load(r->dat[D_OTHER], path));
  return true;
}

static bool use_globals(run *r)
{
  double total = 0;
  CALL(r, pl_global_duplicate(r->global[G_TOTAL], "spare", &r->global[G_SPARE]));
  CALL(r, pl_global_axpy(2, r->global[G_TOTAL], r->global[G_SPARE]));
  CALL(r, pl_global_combine(r->global[G_TOTAL], PL_ADD, r->global[G_SPARE], r->global[G_SPARE]));
  CALL(r, pl_global_combine_number(r->global[G_TOTAL], PL_MULTIPLY, 2, r->global[G_SPARE]));
  CALL(r, pl_number_combine_global(3, PL_SUBTRACT, r->global[G_TOTAL], r->global[G_SPARE]));
  CALL(r, pl_global_get(r->global[G_SPARE], &total));
  CALL(r, pl_global_set(r->global[G_SPARE], &total));
  CALL(r, pl_global_copy(r->global[G_SPARE], r->global[G_TOTAL]));
  CALL(r, pl_global_zero(r->global[G_SPARE]));
  return true;
}

/* ---- names that come and go, the profile, the end ---- */

static bool change_consts(run *r)
{
  const double again = 0.5;
  CALL(r, pl_const_set(r->gain, &again));
  STEP(run_flux(r, r->map[M_EDGE_CELL]));
  pl_const_free(&r->gain);
  ANSWERS(r, PL_ERR_ARG, pl_decl_const(r->pl, "shares", 1, PL_DOUBLE, &gain, &r->gain));
  CALL(r, pl_decl_const(r->pl, "gain", 1, PL_DOUBLE, &gain, &r->gain));
  STEP(run_flux(r, r->map[M_EDGE_CELL]));
  /* known to the library, but must be prepared again */
  CALL(r,
       pl_loop_create(&r->loop, set_up, r->set[S_CELLS], pl_arg_dat(r->dat[D_Q], PL_ID, PL_DIRECT, PL_WRITE),
                      pl_arg_dat(r->dat[D_COUNT], PL_ID, PL_DIRECT, PL_WRITE), pl_arg_idx(PL_ID, PL_DIRECT)));
  CALL(r, pl_loop_run(r->loop));
  pl_loop_free(&r->loop);
  return true;
}

static bool use_profile(run *r)
{
  char path[PATH_MAX + 16];
  uint64_t calls = 0;
  snprintf(path, sizeof path, "%s/profile.json", r->job->folder);
  CALL(r, pl_timer_begin(r->pl, "outer"));
  CALL(r, pl_timer_begin(r->pl, "inner"));
  ANSWERS(r, PL_ERR_STATE, pl_timer_end(r->pl, "outer"));
  CALL(r, pl_timer_end(r->pl, "inner"));
  CALL(r, pl_timer_end(r->pl, "outer"));
  CALL(r, pl_timing(r->pl, "flux", NULL, &calls));
  CHECK(r, calls > 0);
  CALL(r, pl_profile_write(r->pl, path));
  return true;
}

/* A device program with barriers, on an array whose parts move in two types. */
static bool use_programs(run *r)
{
  static const char text[] = "KERNEL void rotate(GLOBAL double *x, double by) {\n"
                             "  LOCAL double part[8];\n"
                             "  part[LOCAL_ID] = x[GLOBAL_ID] * by;\n"
                             "  SYNC_THREADS;\n"
                             "  x[GLOBAL_ID] = part[LOCAL_SIZE - 1 - LOCAL_ID];\n"
                             "}\n";
  static const char *const defines[] = {"UNUSED=1", NULL};
  static const float few[3] = {1, 2, 3};
  double values[16];
  const float by = 2;
  CALL(r, pl_decl_array(r->pl, 16, 1, PL_DOUBLE, NULL, "array", &r->dat[D_ARRAY]));
  CALL(r, pl_array_write(r->dat[D_ARRAY], 2, 3, PL_FLOAT, few));
  CALL(r, pl_program_create(r->pl, text, defines, "rotate", &r->program));
  CALL(r, pl_program_kernel(r->program, "rotate", &r->entry));
  ANSWERS(r, PL_ERR_STATE, pl_entry_run(r->entry, 16, 8));
  CALL(r, pl_entry_dat(r->entry, 0, r->dat[D_ARRAY], PL_RW));
  CALL(r, pl_entry_value(r->entry, 1, PL_FLOAT, 1, &by));
  CALL(r, pl_queue_create(r->pl, "queue", &r->queue));
  CALL(r, pl_event_create(r->pl, "event", &r->event));
  CALL(r, pl_entry_run(r->entry, 16, 8));
  CALL(r, pl_event_record(r->event));
  CALL(r, pl_array_read(r->dat[D_ARRAY], 0, 16, PL_DOUBLE, values));
  CHECK(r, values[5] == 2 && values[4] == 4 && values[3] == 6 && values[2] == 0);
  CALL(r, pl_dat_set_layout(r->dat[D_ARRAY], "aosoa:4"));
  CALL(r, pl_entry_run(r->entry, 16, 4));
  CALL(r, pl_array_resize(r->dat[D_ARRAY], 5));
  return true;
}

/* Texts that are copied; memory of the program and tensors. */
static bool use_sources(run *r)
{
  const pl_algorithm *sum = NULL;
  CALL(r, pl_decl_function_from_source(r->pl, "third", "double", "(double x)", "{ return x / 3; }"));
  CALL(r, pl_algorithm_from_source(r->pl, "sum", "double", "0", "a + b", "(const double *x)",
                                   "third(x[4 * i])", NULL, NULL, &sum));
  CALL(r, pl_reduce(sum, r->set[S_CELLS], r->global[G_SPARE], pl_arg_direct(r->dat[D_Q], PL_READ)));
  return true;
}

static bool share_memory(run *r)
{
  static double memory[2 * CELLS];
  void *view;
  pl_dat *dat = NULL;
  const bool device = strcmp(pl_backend_name(r->pl), "seq") && strcmp(pl_backend_name(r->pl), "openmp");
  CALL(r, pl_dat_wrap(r->set[S_CELLS], 2, PL_DOUBLE, PL_MEMORY_HOST, NULL, memory, "wrapped", &dat));
  MAKE(r, device ? PL_SUCCESS : PL_ERR_BACKEND, pl_dat_get_device(dat, PL_READ, &view, NULL),
       "a device view");
  if (device) CALL(r, pl_dat_put_device(dat));
  if (!device) {
    CALL(r, pl_dat_to_dlpack(dat, PL_READ, &r->tensor));
    r->tensor->deleter(r->tensor);
    r->tensor = NULL;
    CALL(r, pl_dat_to_dlpack_unversioned(dat, PL_RW, &r->old_tensor));
    pl_dat *same = NULL;
    CALL(r, pl_dat_from_dlpack_unversioned(r->set[S_CELLS], r->old_tensor, "same", &same));
    r->old_tensor = NULL; /* the dat's */
    CHECK(r, pl_dat_dim(same) == 2);
    pl_dat_free(&same);
  }
  pl_dat_free(&dat);
  return true;
}

/* Asks for modules up to this one only: a question past the last one would allocate for its message. */
static bool has_module(run *r, const char *module)
{
  const char *name, *why;
  for (int i = 0; pl_module_at(r->pl, i, &name, &why) == PL_SUCCESS; i++)
    if (!strcmp(name, module)) return !why;
  return false;
}

/* Solver packages that this build has; without PETSc, whose 100 libraries take too long to load in each run.
 */
static bool use_packages(run *r, pl_mat *mat, pl_dat *x, pl_dat *b)
{
  static const char *const modules[] = {"hypre", "mumps"}, *const names[] = {"boomeramg", "mumps"};
  pl_stats before, after;
#if defined(FAULTS_NO_PACKAGES)
  return true;
#endif
  CALL(r, pl_get_stats(r->pl, &before));
  for (int k = 0; k < 2; k++) {
    const pl_solver_options options = {.method = "richardson", .preconditioner = names[k]};
    if (!has_module(r, modules[k])) continue;
    r->several = true;
    CALL(r, pl_solve(mat, x, b, &options));
    r->several = false;
  }
  CALL(r, pl_get_stats(r->pl, &after));
  r->uncounted += after.loops_run - before.loops_run;
  return true;
}

static bool use_solver(run *r, pl_mat *mat)
{
  const pl_solver_options options = {
    .method = "gmres", .preconditioner = "ilu", .rtol = 1e-3, .restart = 2, .iterations = 2};
  pl_dat *x, *b;
  pl_solver *solver;
  pl_solver_result result;
  CALL(r, pl_decl_dat(r->set[S_CELLS], 1, PL_DOUBLE, NULL, "solution", &x));
  CALL(r, pl_decl_dat(r->set[S_CELLS], 1, PL_DOUBLE, NULL, "side", &b));
  CALL(r, pl_dat_fill(b, 1));
  CALL(r, pl_mat_zero_rows(mat, r->set[S_CELLS], 2.0));
  CALL(r, pl_decl_solver(mat, &options, "solver", &solver));
  pl_stats before, after;
  CALL(r, pl_get_stats(r->pl, &before));
  r->several = true;
  CALL(r, pl_solver_run(solver, x, b, &result));
  r->several = false;
  CALL(r, pl_get_stats(r->pl, &after));
  r->uncounted += after.loops_run - before.loops_run;
  CHECK(r, result.reason == PL_SOLVER_RTOL || result.reason == PL_SOLVER_ATOL);
  CALL(r, pl_mat_multiply_transposed(mat, x, b));
  CALL(r, pl_mat_multiply_adjoint(mat, x, b));
  STEP(use_packages(r, mat, x, b));
  pl_solver_free(&solver);
  pl_dat_free(&x);
  pl_dat_free(&b);
  return true;
}

static bool use_matrix_file(run *r, pl_mat *mat)
{
  static const int64_t row[] = {0}, offset[] = {0, 1};
  const double one = 1;
  char path[PATH_MAX + 16];
  int64_t rows, columns;
  pl_mat *read;
  snprintf(path, sizeof path, "%s/matrix.mtx", r->job->folder);
  CALL(r, pl_mat_set_csr(mat, 1, row, offset, row, &one));
  CALL(r, pl_mat_write(mat, path));
  CALL(r, pl_mat_file_size(r->pl, path, &rows, &columns));
  CHECK(r, rows == CELLS && columns == CELLS);
  CALL(r, pl_decl_mat_file(r->set[S_CELLS], r->set[S_CELLS], path, "read", &read));
  pl_mat_free(&read);
  return true;
}

static bool use_matrices(run *r)
{
  char picture[PATH_MAX + 16];
  double norm;
  pl_map *map = r->map[M_EDGE_CELL];
  const pl_map_pair pair = {map, map};
  pl_random *random;
  pl_sparsity *sparsity;
  pl_mat *mat;
  pl_dat *mask;
  CALL(r, pl_decl_random(r->pl, 7, "random", &random));
  CALL(r, pl_decl_sparsity(r->set[S_CELLS], 1, r->set[S_CELLS], 1, 1, &pair, "sparsity", &sparsity));
  CALL(r, pl_decl_mat(sparsity, PL_DOUBLE, "matrix", &mat));
  CALL(r, pl_par_loop(couple, r->set[S_EDGES], pl_arg_mat(mat, map, map, PL_INC),
                      pl_arg_random(random, PL_ID, PL_DIRECT)));
  CALL(r, pl_decl_dat(r->set[S_CELLS], 1, PL_INT8, NULL, "mask", &mask));
  CALL(r, pl_par_loop(couple, r->set[S_EDGES], pl_arg_masked(pl_arg_mat(mat, map, map, PL_INC), mask, NULL),
                      pl_arg_random(random, PL_ID, PL_DIRECT)));
  CALL(r, pl_mat_scale(2, mat));
  CALL(r, pl_mat_norm(mat, &norm));
  CHECK(r, norm > 0);
  snprintf(picture, sizeof picture, "%s/pattern.pgm", r->job->folder);
  CALL(r, pl_sparsity_draw(sparsity, picture, 16));
  STEP(use_solver(r, mat));
  STEP(use_matrix_file(r, mat));
  pl_dat_free(&mask);
  pl_mat_free(&mat);
  pl_sparsity_free(&sparsity);
  pl_random_free(&random);
  return true;
}

static bool use_mixed(run *r)
{
  static const int dims[] = {1, 1};
  pl_set *sets[] = {NULL, r->set[S_CELLS]};
  pl_map *maps[] = {NULL, r->map[M_EDGE_CELL]};
  pl_dat *dat[2];
  pl_mixed_set *set;
  pl_mixed_map *map;
  pl_mixed_dat *x;
  pl_mixed_mat *nested, *whole;
  pl_stats before, after;
  CALL(r, pl_decl_set(r->pl, 1, "one", &sets[0]));
  for (int i = 0; i < 2; i++) CALL(r, pl_decl_dat(sets[i], 1, PL_DOUBLE, NULL, "part", &dat[i]));
  CALL(r, pl_decl_mixed_set(2, sets, dims, "mixed", &set));
  CALL(r, pl_decl_mixed_map(set, maps, "mixed", &map));
  CALL(r, pl_decl_mixed_dat(set, dat, "mixed", &x));
  CALL(r, pl_get_stats(r->pl, &before));
  r->several = true;
  CALL(r, pl_decl_mixed_mat(set, set, 1, &map, &map, PL_DOUBLE, PL_MIXED_NESTED, "nested", &nested));
  CALL(r, pl_par_loop(couple_all, r->set[S_EDGES], pl_arg_mixed_mat(nested, map, map, PL_INC),
                      pl_arg_mixed_dat(x, map, PL_READ)));
  pl_mixed_mat_free(&nested);
  CALL(r, pl_decl_mixed_mat(set, set, 1, &map, &map, PL_DOUBLE, PL_MIXED_WHOLE, "whole", &whole));
  CALL(r, pl_mixed_mat_zero_rows(whole, 1, r->set[S_CELLS], 2.0));
  CALL(r, pl_mixed_mat_get_diagonal(whole, x));
  pl_mixed_mat_free(&whole);
  r->several = false;
  CALL(r, pl_get_stats(r->pl, &after));
  r->uncounted += after.loops_run - before.loops_run;
  pl_mixed_dat_free(&x);
  pl_mixed_map_free(&map);
  pl_mixed_set_free(&set);
  for (int i = 0; i < 2; i++) pl_dat_free(&dat[i]);
  return true;
}

/* Some objects with loops on them are freed before the context, and the others are used again. */
static bool free_some(run *r)
{
  pl_map_free(&r->map[M_EDGE_NODE]);
  pl_map_free(&r->map[M_CELL_NODE]);
  pl_dat_free(&r->dat[D_X]);
  pl_global_free(&r->global[G_SPARE]);
  pl_set_free(&r->set[S_BOTH]);
  STEP(run_update(r));
  CALL(r, pl_loop_create(
            &r->loop, set_up, r->set[S_CELLS], pl_arg_dat(r->dat[D_OTHER], PL_ID, PL_DIRECT, PL_WRITE),
            pl_arg_dat(r->dat[D_COUNT], PL_ID, PL_DIRECT, PL_WRITE), pl_arg_idx(PL_ID, PL_DIRECT)));
  pl_dat_free(&r->dat[D_OTHER]);
  ANSWERS(r, PL_ERR_STATE, pl_loop_run(r->loop)); /* its handle is not freed */
  return true;
}

static bool all_steps(run *r)
{
  STEP(declare_sets(r));
  STEP(declare_maps(r));
  STEP(declare_dats(r));
  STEP(declare_values(r));
  if (!r->job->brief) STEP(declare_kernel(r));
  STEP(run_loops(r));
  STEP(look_at_values(r));
  if (r->job->brief) return true;
  STEP(run_reusable(r));
  STEP(change_options(r));
  STEP(copy_dats(r));
  STEP(use_files(r));
  STEP(use_globals(r));
  STEP(change_consts(r));
  STEP(use_profile(r));
  STEP(use_programs(r));
  STEP(use_sources(r));
  STEP(share_memory(r));
  STEP(use_matrices(r));
  STEP(use_mixed(r));
  return free_some(r);
}

/* A context that could not be opened only reports its error and can be closed. */
static bool open_context(run *r)
{
  const pl_settings settings = {
    .options = r->job->options, .realloc = failing_realloc, .realloc_user = &r->memory};
  before_call(r);
  pl_err err = pl_init(NULL, NULL, &settings, &r->pl);
  if (fell(r, err, PL_SUCCESS, "pl_init")) {
    pl_finalize(&r->pl);
    if (r->memory.blocks) complain(r, "pl_init failed and left %zu blocks", r->memory.blocks);
    err = pl_init(NULL, NULL, &settings, &r->pl);
  }
  return after_call(r, err, PL_SUCCESS, "pl_init");
}

static void finish(run *r)
{
  faults_outcome *o = r->outcome;
  o->finished = true;
  o->asked = r->memory.asked;
  o->result = mix_context(r, mix_values(r, 7));
  pl_get_stats(r->pl, &o->stats);
}

void faults_run(const faults_job *job, const faults_profile *profile, faults_profile *record,
                faults_outcome *outcome)
{
  static run r; /* large */
  memset(&r, 0, sizeof r);
  memset(outcome, 0, sizeof *outcome);
  r.job = job;
  r.profile = profile;
  r.record = record;
  r.outcome = outcome;
  r.writing = -1;
  failing_memory_open(&r.memory);
  r.memory.fail_at = job->fail_at;
  r.memory.dry = job->mode == FAULTS_ABANDON;
  if (open_context(&r) && all_steps(&r)) finish(&r);
  if (record) record->calls = r.call;
  if (r.tensor) r.tensor->deleter(r.tensor);
  if (r.old_tensor) r.old_tensor->deleter(r.old_tensor);
  pl_finalize(&r.pl);
  if (r.pl) complain(&r, "pl_finalize left the handle");
  if (r.memory.blocks || r.memory.bytes)
    complain(&r, "%zu blocks of %zu bytes are left after pl_finalize", r.memory.blocks, r.memory.bytes);
  if (*r.memory.complaint) complain(&r, "the allocator: %s", r.memory.complaint);
  failing_memory_close(&r.memory);
}
