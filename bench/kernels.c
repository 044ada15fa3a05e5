/* SPDX-License-Identifier: BSD-2-Clause
 * kernels: different kernels (kernel_set.c), each in the form that the library chooses compared with the
 * scalar form, run alternately on the same data. Dats must agree bit by bit, sums up to their order.
 *
 * The position of data in caches can slow the same code by a tenth, so each kernel is measured in several
 * contexts.
 */
#include "kernel_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../apps/common/json.h"
#include "../apps/common/median.h"
#include "../apps/common/options.h"
#include "../apps/common/random.h"
#include "../apps/common/wall.h"

/* The limits of --check. */
static const double least_ratio = 0.97, wanted_ratio = 1.3;
enum { WANTED = 20, MOST_ROUNDS = 99, PLACES = 3 };

typedef struct bench {
  int64_t elements, rounds, first, every;
  double seconds, warm; /* of a turn, and of a third of the warm-up */
  const char *only, *shape;
} bench;

/* One context with a kernel's data. */
typedef struct side {
  pl_context *pl;
  pl_set *elements, *points;
  pl_map *map[SET_MAPS];
  pl_arg arg[SET_ARGUMENTS];
  pl_loop *loop;
} side;

/* ---- data ---- */

/* The meshes, by arity: what element e reaches in a grid of points in rows of WIDE (arity 8: and layers of
 * WIDE * WIDE / 4). 1: the point of an element; 2: the edges of a grid, two a point, by their greater end; 3
 * and 4: its triangles and squares; 5 to 7: a point and those around it; 8: the corners of cubes. */
enum { WIDE = 100, THICK = 25 };

static const struct mesh {
  int each; /* elements a point */
  int step[2][SET_ARITY];
} meshes[SET_ARITY + 1] = {
  {0},
  {1, {{0}}},
  {2, {{-WIDE, 0}, {-1, 0}}},
  {2, {{0, 1, WIDE + 1}, {0, WIDE + 1, WIDE}}},
  {1, {{0, 1, WIDE + 1, WIDE}}},
  {1, {{0, -1, 1, -WIDE, WIDE}}},
  {1, {{0, -1, 1, -WIDE, WIDE, WIDE + 1}}},
  {1, {{0, -1, 1, -WIDE, WIDE, WIDE + 1, -WIDE - 1}}},
  {1, {{0, 1, THICK, THICK + 1, THICK *THICK, THICK *THICK + 1, THICK *(THICK + 1), THICK *(THICK + 1) + 1}}},
};

/* The grid is periodic. With SET_BOUNDARY every sixteenth edge lacks an end. */
static int *make_indices(int64_t n, int map)
{
  const int arity = map == SET_BOUNDARY ? 2 : map;
  const struct mesh *m = &meshes[arity];
  const int64_t points = n / m->each;
  int *index = malloc((size_t)(n * arity) * sizeof *index);
  for (int64_t e = 0; index && e < n; e++)
    for (int k = 0; k < arity; k++) {
      const int64_t p = e / m->each + m->step[e % m->each][k];
      index[e * arity + k] = (int)((p + points) % points);
      if (map == SET_BOUNDARY && k == 1 && e % 16 == 0) index[e * arity + k] = -1;
    }
  return index;
}

static double uniform(random_stream *random)
{
  return 0.5 + (double)(random_next(random) >> 11) / (double)(UINT64_C(1) << 53);
}

static void *make_values(pl_type type, int64_t n, char letter)
{
  random_stream random = {(uint64_t)letter};
  void *values = malloc((size_t)n * 8);
  for (int64_t i = 0; values && i < n; i++) {
    const double x = uniform(&random);
    if (type == PL_DOUBLE) ((double *)values)[i] = x;
    if (type == PL_FLOAT) ((float *)values)[i] = (float)x;
    if (type == PL_INT32) ((int *)values)[i] = (int)(1e6 * x);
  }
  return values;
}

static pl_arg make_global(side *s, const set_argument *a)
{
  pl_global *global;
  const double zero[2] = {0.0, 0.0};
  PL_OK(s->pl, pl_decl_global(s->pl, a->dim, a->type, zero, "global", &global));
  return pl_arg_gbl(global, a->access);
}

/* An earlier argument with the same dat, or -1. */
static int same_dat(const set_kernel *k, int i)
{
  for (int j = 0; j < i; j++)
    if (k->arg[j].letter == k->arg[i].letter && k->arg[i].letter != 'G') return j;
  return -1;
}

static pl_arg make_arg(side *s, const set_kernel *k, int i, int64_t n)
{
  const set_argument *a = &k->arg[i];
  const int before = same_dat(k, i);
  pl_dat *dat = before >= 0 ? s->arg[before].object : NULL;
  char name[2] = {a->letter, 0};
  if (a->letter == 'G') return make_global(s, a);
  if (!dat) {
    void *values = make_values(a->type, n * a->dim, a->letter);
    PL_OK(s->pl, pl_decl_dat(a->map ? s->points : s->elements, a->dim, a->type, values, name, &dat));
    free(values);
  }
  return pl_arg_dat(dat, a->index, s->map[a->map], a->access);
}

/* optimize: full, or auto for quickly compiled code if the cache has no other. */
static void open_side(side *s, const char *shape, const char *optimize, const set_kernel *k, int64_t n)
{
  char shape_option[40], optimize_option[40];
  const char *options[] = {shape_option, optimize_option, NULL};
  const pl_settings settings = {.options = options};
  snprintf(shape_option, sizeof shape_option, "shape=%s", shape);
  snprintf(optimize_option, sizeof optimize_option, "optimize=%s", optimize);
  memset(s, 0, sizeof *s);
  PL_OK(s->pl, pl_init(NULL, NULL, &settings, &s->pl));
  PL_OK(s->pl, kernel_set_declare(s->pl));
  PL_OK(s->pl, pl_decl_set(s->pl, n, "elements", &s->elements));
  PL_OK(s->pl, pl_decl_set(s->pl, n, "points", &s->points));
  for (int i = 0; i < k->nargs; i++) {
    const int map = k->arg[i].map;
    if (!map || s->map[map]) continue;
    int *index = make_indices(n, map);
    PL_OK(s->pl,
          pl_decl_map(s->elements, s->points, map == SET_BOUNDARY ? 2 : map, index, "map", &s->map[map]));
    free(index);
  }
  for (int i = 0; i < k->nargs; i++) s->arg[i] = make_arg(s, k, i, n);
  PL_OK(s->pl, pl_loop_create_args(&s->loop, k->kernel, s->elements, k->nargs, s->arg));
}

/* ---- comparing ---- */

static bool near(pl_type type, const void *x, const void *y)
{
  const double a = type == PL_DOUBLE ? *(const double *)x : (double)*(const float *)x;
  const double b = type == PL_DOUBLE ? *(const double *)y : (double)*(const float *)y;
  return fabs(a - b) <= (type == PL_DOUBLE ? 1e-10 : 1e-4) * fabs(a);
}

static bool same_global(const side *a, const side *b, int i, pl_type type)
{
  double x[2], y[2];
  PL_OK(a->pl, pl_global_get(a->arg[i].object, (void *)x));
  PL_OK(b->pl, pl_global_get(b->arg[i].object, (void *)y));
  return near(type, x, y);
}

static bool same_values(const side *a, const side *b, int i)
{
  void *x, *y;
  PL_OK(a->pl, pl_dat_get(a->arg[i].object, PL_READ, &x));
  PL_OK(b->pl, pl_dat_get(b->arg[i].object, PL_READ, &y));
  const bool same = !memcmp(x, y, pl_dat_nbytes(a->arg[i].object));
  PL_OK(a->pl, pl_dat_put(a->arg[i].object));
  PL_OK(b->pl, pl_dat_put(b->arg[i].object));
  return same;
}

static bool agree(const set_kernel *k, const side *a, const side *b)
{
  for (int i = 0; i < k->nargs; i++)
    if (!(k->arg[i].letter == 'G' ? same_global(a, b, i, k->arg[i].type) : same_values(a, b, i)))
      return fprintf(stderr, "kernels: %s: argument %d differs from the scalar shape's\n", k->kernel->name,
                     i + 1),
             false;
  return true;
}

/* ---- timing ---- */

/* A change of the option prepares the loop again; its first call is not timed. */
static void take_shape(side *s, const char *shape)
{
  PL_OK(s->pl, pl_set_option(s->pl, "shape", shape));
  PL_OK(s->pl, pl_loop_run(s->loop));
}

/* Runs until the library has tuned the loop: tuning begins after a tenth of a second of run time, and the
 * choice is measured again when the loop is prepared again. */
static void warm_up(side *s, const char *shape, double seconds)
{
  for (int time = 0; time < 3; time++) {
    const double start = wall_seconds();
    take_shape(s, "scalar");
    take_shape(s, shape);
    while (wall_seconds() - start < seconds) PL_OK(s->pl, pl_loop_run(s->loop));
  }
}

static double time_calls(side *s, const char *shape, int calls)
{
  take_shape(s, shape);
  const double start = wall_seconds();
  for (int c = 0; c < calls; c++) PL_OK(s->pl, pl_loop_run(s->loop));
  return (wall_seconds() - start) / calls;
}

typedef struct result {
  double scalar, chosen, ratio; /* seconds per call, medians; the median of the ratios */
  char variant[64];
  bool agrees;
} result;

/* The runs of all contexts. */
typedef struct times {
  int n;
  double scalar[MOST_ROUNDS], chosen[MOST_ROUNDS], ratio[MOST_ROUNDS];
} times;

static void measure_turns(const bench *b, int rounds, side *s, times *t)
{
  const int calls = 1 + (int)(b->seconds / (time_calls(s, "scalar", 1) + 1e-9));
  time_calls(s, b->shape, 1);
  for (int i = 0; i < rounds; i++, t->n++) {
    t->scalar[t->n] = time_calls(s, "scalar", calls);
    t->chosen[t->n] = time_calls(s, b->shape, calls);
    t->ratio[t->n] = t->scalar[t->n] / t->chosen[t->n];
  }
}

/* In separate contexts, so that both start from the same values. */
static bool code_agrees(const bench *b, const set_kernel *k, const char *shape, const char *optimize,
                        bool run)
{
  side scalar, other;
  bool same = true;
  open_side(&scalar, "scalar", "full", k, b->elements);
  open_side(&other, shape, optimize, k, b->elements);
  for (int call = 0; run && call < 3; call++) {
    PL_OK(scalar.pl, pl_loop_run(scalar.loop));
    PL_OK(other.pl, pl_loop_run(other.loop));
  }
  if (run) same = agree(k, &scalar, &other);
  pl_finalize(&scalar.pl);
  pl_finalize(&other.pl);
  return same;
}

static bool shape_agrees(const bench *b, const set_kernel *k, const char *shape, bool run)
{
  return code_agrees(b, k, shape, "full", run);
}

/* In one context, so that both forms use the same memory. */
static void measure_place(const bench *b, const set_kernel *k, int place, times *t, result *r)
{
  side s;
  pl_profile_entry entry;
  const int rounds = (int)b->rounds * (place + 1) / PLACES - (int)b->rounds * place / PLACES;
  open_side(&s, b->shape, "full", k, b->elements);
  warm_up(&s, b->shape, place ? 0.01 : b->warm);
  measure_turns(b, rounds, &s, t);
  PL_OK(s.pl, pl_profile_at(s.pl, 0, &entry));
  snprintf(r->variant, sizeof r->variant, "%s", entry.variant);
  pl_finalize(&s.pl);
}

static void report(const set_kernel *k, const result *r, json_writer *json)
{
  printf("%-12s %-30s %-20s %10.2f %10.2f %8.2f%s\n", k->kernel->name, k->what, r->variant, 1e6 * r->scalar,
         1e6 * r->chosen, r->ratio, r->agrees ? "" : "  WRONG");
  fflush(stdout);
  if (!json) return;
  json_begin(json, NULL, '{');
  json_text(json, "name", k->kernel->name);
  json_text(json, "variant", r->variant);
  json_number(json, "scalar", r->scalar);
  json_number(json, "chosen", r->chosen);
  json_number(json, "ratio", r->ratio);
  json_end(json, '}');
}

static result measure_kernel(const bench *b, const set_kernel *k, json_writer *json)
{
  times t = {0};
  result r = {.agrees = true};
  for (int place = 0; place < PLACES; place++) measure_place(b, k, place, &t, &r);
  r.agrees = shape_agrees(b, k, b->shape, true); /* in the form that is remembered */
  r.scalar = median(t.scalar, t.n);
  r.chosen = median(t.chosen, t.n);
  r.ratio = median(t.ratio, t.n);
  report(k, &r, json);
  return r;
}

/* ---- agreeing ---- */

/* Whether the processor can run the compiled code; "" needs nothing. */
static bool can_run(const char *needs)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_cpu_init();
  if (!strcmp(needs, "avx2")) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!strcmp(needs, "avx512"))
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#endif
  return !*needs;
}

/* SIMD without transposition is for loops that write nothing through a map and miss no target. */
static bool has_lanes(const set_kernel *k)
{
  for (int i = 0; i < k->nargs; i++)
    if (k->arg[i].map == SET_BOUNDARY || (k->arg[i].map && k->arg[i].access != PL_READ)) return false;
  return true;
}

/* The library would run a probe of the compiler; with contraction by the user's wish it needs none. */
static void compile_only(void)
{
  char flags[256];
  const char *asked = getenv("PLAIT_CFLAGS");
  snprintf(flags, sizeof flags, "%s -ffp-contract=fast", asked ? asked : "");
  setenv("PLAIT_CFLAGS", flags, 1);
}

static bool agree_all(const bench *b, const char *needs)
{
  const bool run = can_run(needs);
  bool good = true;
  if (!run) compile_only();
  for (int i = (int)b->first - 1; i < kernel_set_count; i += (int)b->every) {
    const set_kernel *k = &kernel_set[i];
    good &= code_agrees(b, k, "transpose", "auto", run); /* before its full code is in the cache */
    good &= shape_agrees(b, k, "transpose", run);
    if (!strcmp(needs, "avx512"))
      good &= shape_agrees(b, k, "wide", run) && shape_agrees(b, k, "wide-stream", run);
    if (has_lanes(k)) good &= shape_agrees(b, k, "lanes", run);
  }
  printf("%s\n", !run   ? "compiled; not run, as the processor cannot"
                 : good ? "every shape agrees with the scalar one"
                        : "shapes differ");
  return good;
}

/* ---- the program ---- */

static bool measure_all(const bench *b, json_writer *json)
{
  int fast = 0, slow = 0, wrong = 0;
  printf("%-12s %-30s %-20s %10s %10s %8s\n", "kernel", "", "chosen", "scalar, us", "chosen, us", "ratio");
  for (int i = (int)b->first - 1; i < kernel_set_count; i += (int)b->every) {
    if (b->only && strcmp(b->only, kernel_set[i].kernel->name)) continue;
    const result r = measure_kernel(b, &kernel_set[i], json);
    fast += r.ratio >= wanted_ratio;
    slow += r.ratio < least_ratio;
    wrong += !r.agrees;
  }
  printf("%d of %d at least %.1f times as fast as the scalar shape, %d slower than %.2f, %d wrong\n", fast,
         kernel_set_count, wanted_ratio, slow, least_ratio, wrong);
  return !wrong && (b->only || b->every > 1 || (fast >= WANTED && !slow));
}

int main(int argc, char **argv)
{
  bench b = {.elements = 5000, .rounds = 27, .first = 1, .every = 1, .shape = "auto"};
  int64_t microseconds = 1000, warm = 400;
  bool check = false, agrees = false;
  const char *path = NULL, *needs = "";
  const option_program program = {
    "kernels", "Different kernels in the shape the library chooses against the scalar shape, by turns.",
    "PLAIT_* and OMP_NUM_THREADS act on both sides.", false};
  const option_row rows[] = {
    {"elements", "N", OPTION_INTEGER, &b.elements, 1024, 100000000, "of each set"},
    {"rounds", "N", OPTION_INTEGER, &b.rounds, PLACES, MOST_ROUNDS, "turns, of which the median counts"},
    {"turn", "US", OPTION_INTEGER, &microseconds, 1, 100000000, "microseconds of a turn"},
    {"warm", "MS", OPTION_INTEGER, &warm, 1, 100000,
     "milliseconds of a third of the warm-up, in which forms are tried"},
    {"only", "NAME", OPTION_TEXT, &b.only, 0, 0, "this kernel"},
    {"shape", "auto|scalar|lanes|transpose|stream|wide|wide-stream", OPTION_CHOICE, &b.shape, 0, 0,
     "instead of what the library chooses"},
    {"json", "FILE", OPTION_TEXT, &path, 0, 0, "write the figures to FILE"},
    {"agree", NULL, OPTION_FLAG, &agrees, 0, 0, "no timing: compile every shape and compare results, once"},
    {"first", "N", OPTION_INTEGER, &b.first, 1, 100, "from kernel N on"},
    {"every", "N", OPTION_INTEGER, &b.every, 1, 100, "every Nth kernel only"},
    {"needs", "avx2|avx512", OPTION_CHOICE, &needs, 0, 0,
     "with --agree: only compile unless the processor has it"},
    {"check", NULL, OPTION_FLAG, &check, 0, 0, "fail unless 20 are 1.3 times as fast and none is slower"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  json_writer json;
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  if (agrees) return !agree_all(&b, needs);
  if (path && !json_open(&json, path)) return fprintf(stderr, "kernels: %s cannot be written\n", path), 1;
  if (path) json_begin(&json, "kernels", '[');
  b.seconds = 1e-6 * (double)microseconds;
  b.warm = 1e-3 * (double)warm;
  bool good = measure_all(&b, path ? &json : NULL);
  if (path) json_end(&json, ']');
  if (path && !json_close(&json)) return fprintf(stderr, "kernels: %s cannot be written\n", path), 1;
  if (check) printf("check: %s\n", good ? "ok" : "NOT MET");
  return check && !good;
}
