/* SPDX-License-Identifier: BSD-2-Clause
 * overhead: the cost of Plait itself: a repeated call of a loop compared with a plain C call; a recorded
 * call (option lazy); a call with a trace; and the first run of airfoil's five loops, with an empty cache and
 * in a second process with a full one.
 */
#include "plait.h"

#include <dirent.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "../apps/airfoil/solver.h"
#include "../apps/common/options.h"
#include "../apps/common/wall.h"

/* The limits of --check. */
static const double most_call_ns = 1000.0, most_record_ns = 500.0, most_first_seconds = 2.0;

enum { ARGUMENTS = 8, ROUNDS = 5, QUEUED = 96 /* below the limit of the queue */ };

/* ---- a call ---- */

PL_KERNEL(eight,
          (const double *a, const double *b, const double *c, const double *d, const double *e,
           const double *f, const double *g, double *sum),
          { sum[0] += a[0] + b[0] + c[0] + d[0] + e[0] + f[0] + g[0]; })

typedef struct calls {
  const char *backend;
  double par_loop_ns, loop_run_ns, plain_ns; /* per call, best round */
  double record_ns, queued_ns;               /* with lazy: to record it, and to record and run it */
} calls;

typedef struct bound {
  pl_context *pl;
  pl_set *set;
  pl_arg arg[ARGUMENTS];
  pl_loop *loop;
  double value[ARGUMENTS];
} bound;

typedef void (*caller)(bound *b);

static void call_par_loop(bound *b)
{
  PL_OK(b->pl, pl_par_loop_args(eight, b->set, ARGUMENTS, b->arg));
}

static void call_loop_run(bound *b)
{
  PL_OK(b->pl, pl_loop_run(b->loop));
}

/* Through a pointer unknown to the compiler, as the generated code is called. */
static void call_plain(bound *b)
{
  void (*volatile kernel)(const double *, const double *, const double *, const double *, const double *,
                          const double *, const double *, double *) = eight_kernel;
  double *v = b->value;
  kernel(&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]);
}

static double best_ns(caller call, bound *b, int64_t n)
{
  double best = 0.0;
  for (int round = 0; round < ROUNDS; round++) {
    const double start = wall_seconds();
    for (int64_t i = 0; i < n; i++) call(b);
    const double ns = 1e9 * (wall_seconds() - start) / (double)n;
    if (round == 0 || ns < best) best = ns;
  }
  return best;
}

/* Calls that are recorded and later run together. */
static void measure_recording(bound *b, int64_t n, calls *result)
{
  PL_OK(b->pl, pl_set_option(b->pl, "lazy", "1"));
  for (int64_t i = 0; i <= n / QUEUED; i++) {
    const double start = wall_seconds();
    for (int k = 0; k < QUEUED; k++) call_par_loop(b);
    const double recorded = wall_seconds();
    PL_OK(b->pl, pl_flush(b->pl));
    const double record = 1e9 * (recorded - start) / QUEUED, queued = 1e9 * (wall_seconds() - start) / QUEUED;
    if (i == 0 || record < result->record_ns) result->record_ns = record;
    if (i == 0 || queued < result->queued_ns) result->queued_ns = queued;
  }
}

static void declare(bound *b)
{
  static const char *const names[ARGUMENTS] = {"a", "b", "c", "d", "e", "f", "g", "sum"};
  PL_OK(b->pl, pl_decl_set(b->pl, 1, "one", &b->set));
  for (int i = 0; i < ARGUMENTS; i++) {
    pl_dat *dat;
    PL_OK(b->pl, pl_decl_dat(b->set, 1, PL_DOUBLE, NULL, names[i], &dat));
    b->arg[i] = pl_arg_direct(dat, i < ARGUMENTS - 1 ? PL_READ : PL_INC);
  }
  PL_OK(b->pl, pl_loop_create_args(&b->loop, eight, b->set, ARGUMENTS, b->arg));
}

/* `trace`: a file, or "" without one. */
static calls measure_calls(const char *backend, const char *trace, int64_t n)
{
  char option[40], trace_option[600];
  const char *options[] = {option, trace_option, NULL};
  const pl_settings settings = {.options = options};
  bound b = {NULL};
  calls result = {.backend = backend};
  snprintf(option, sizeof option, "backend=%s", backend);
  snprintf(trace_option, sizeof trace_option, "trace=%s", trace);
  PL_OK(b.pl, pl_init(NULL, NULL, &settings, &b.pl));
  declare(&b);
  result.par_loop_ns = best_ns(call_par_loop, &b, n);
  result.loop_run_ns = best_ns(call_loop_run, &b, n);
  result.plain_ns = best_ns(call_plain, &b, n);
  measure_recording(&b, n, &result);
  pl_finalize(&b.pl);
  return result;
}

static bool report_calls(const calls *c)
{
  const double over = c->par_loop_ns - c->plain_ns;
  printf("%-24s %12.1f %12.1f %12.1f %12.1f %12.1f %12.1f\n", c->backend, c->par_loop_ns, c->loop_run_ns,
         c->plain_ns, over, c->record_ns, c->queued_ns);
  return over < most_call_ns && c->record_ns < most_record_ns;
}

/* ---- small loops ---- */

enum { SETS = 3, SMALL = 2000, STEPS = 2000 };

PL_KERNEL(mean, (double *x, const double *left, const double *right), { x[0] = 0.5 * (left[0] + right[0]); })

/* Rings of a few thousand elements, whose loops are independent. */
typedef struct rings {
  pl_context *pl;
  pl_set *set[SETS];
  pl_map *ends[SETS];
  pl_dat *dat[SETS][2];
} rings;

static void declare_ring(rings *r, int k)
{
  static int ends[2 * (SMALL + SETS)];
  const int n = SMALL + k;
  char name[3][8];
  for (int i = 0; i < 3; i++) snprintf(name[i], sizeof name[i], "%c%d", "sab"[i], k);
  for (int i = 0; i < n; i++) {
    ends[2 * i] = (i + n - 1) % n;
    ends[2 * i + 1] = (i + 1) % n;
  }
  PL_OK(r->pl, pl_decl_set(r->pl, n, name[0], &r->set[k]));
  PL_OK(r->pl, pl_decl_map(r->set[k], r->set[k], 2, ends, name[0], &r->ends[k]));
  for (int i = 0; i < 2; i++)
    PL_OK(r->pl, pl_decl_dat(r->set[k], 1, PL_DOUBLE, NULL, name[1 + i], &r->dat[k][i]));
}

static void step_rings(const rings *r, int half)
{
  for (int k = 0; k < SETS; k++)
    PL_OK(r->pl, pl_par_loop(mean, r->set[k], pl_arg_direct(r->dat[k][1 - half], PL_WRITE),
                             pl_arg_dat(r->dat[k][half], 0, r->ends[k], PL_READ),
                             pl_arg_dat(r->dat[k][half], 1, r->ends[k], PL_READ)));
}

static double us_a_step(const rings *r)
{
  double best = 0.0;
  for (int round = 0; round < ROUNDS; round++) {
    const double start = wall_seconds();
    for (int i = 0; i < 2 * STEPS; i++) step_rings(r, i % 2);
    for (int k = 0; k < SETS; k++) {
      double *values;
      PL_OK(r->pl, pl_dat_get(r->dat[k][0], PL_READ, (void **)&values));
      PL_OK(r->pl, pl_dat_put(r->dat[k][0]));
    }
    const double us = 1e6 * (wall_seconds() - start) / STEPS;
    if (round == 0 || us < best) best = us;
  }
  return best;
}

static void measure_rings(void)
{
  rings r;
  PL_OK(r.pl, pl_init(NULL, NULL, NULL, &r.pl));
  for (int k = 0; k < SETS; k++) declare_ring(&r, k);
  const double plain = us_a_step(&r);
  PL_OK(r.pl, pl_set_option(r.pl, "lazy", "1"));
  printf(
    "\n%d loops over %d sets of %d elements, %s, microseconds together: one by one %.2f, recorded %.2f\n",
    2 * SETS, SETS, SMALL, pl_backend_name(r.pl), plain, us_a_step(&r));
  pl_finalize(&r.pl);
}

/* ---- the first time ---- */

typedef struct first_time {
  pl_stats stats;
  double setup_seconds;
  bool good;
} first_time;

/* One iteration, so that deferred work is included. */
static first_time solve(const airfoil_mesh *mesh, const char *cache)
{
  char option[600];
  const char *options[] = {option, NULL};
  const pl_settings settings = {.options = options};
  const airfoil_job job = {.partition = "block", .renumber = "auto", .iterations = 1};
  solver_context opened = {0};
  airfoil_report report;
  first_time result = {.good = report_init(&report, mesh, 1)};
  snprintf(option, sizeof option, "cache_dir=%s", cache);
  const double start = wall_seconds();
  PL_OK(opened.pl, pl_init(NULL, NULL, &settings, &opened.pl));
  opened.open_seconds = wall_seconds() - start;
  result.good = result.good && airfoil_solve_double(&opened, &job, mesh, &report);
  PL_OK(opened.pl, pl_get_stats(opened.pl, &result.stats));
  result.setup_seconds = report.setup_seconds;
  pl_finalize(&opened.pl);
  report_free(&report);
  return result;
}

/* In a separate process; the solver's output is discarded. */
static first_time solve_apart(const airfoil_mesh *mesh, const char *cache)
{
  int ends[2], status;
  first_time result = {.good = false};
  fflush(stdout);
  if (pipe(ends)) return result;
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout)) _exit(1);
    result = solve(mesh, cache);
    _exit(write(ends[1], &result, sizeof result) != (ssize_t)sizeof result);
  }
  close(ends[1]);
  if (child < 0 || read(ends[0], &result, sizeof result) != (ssize_t)sizeof result) result.good = false;
  close(ends[0]);
  if (child > 0 && (waitpid(child, &status, 0) < 0 || status != 0)) result.good = false;
  return result;
}

static double together(const first_time *t)
{
  return t->stats.plan_seconds + t->stats.generate_seconds + t->stats.compile_seconds;
}

static void report_first(const char *name, const first_time *t)
{
  printf("%-24s %9.4f %9.4f %9.4f %9.4f %9.4f %9d\n", name, t->stats.plan_seconds, t->stats.generate_seconds,
         t->stats.compile_seconds, together(t), t->setup_seconds, (int)t->stats.compiler_runs);
}

static void empty_folder(const char *path)
{
  char name[1200];
  DIR *folder = opendir(path);
  for (struct dirent *file; folder && (file = readdir(folder));) {
    if (!strcmp(file->d_name, ".") || !strcmp(file->d_name, "..")) continue;
    snprintf(name, sizeof name, "%s/%s", path, file->d_name);
    if (unlink(name)) empty_folder(name);
  }
  if (folder) closedir(folder);
  rmdir(path);
}

static bool measure_first(const airfoil_mesh *mesh)
{
  char cache[500];
  const char *base = getenv("TMPDIR");
  snprintf(cache, sizeof cache, "%s/plait-overhead-XXXXXX", base ? base : "/tmp");
  if (!mkdtemp(cache)) return fprintf(stderr, "overhead: %s cannot be made\n", cache), false;
  const first_time cold = solve_apart(mesh, cache), warm = solve_apart(mesh, cache);
  empty_folder(cache);
  if (!cold.good || !warm.good) return fprintf(stderr, "overhead: airfoil could not be run\n"), false;
  printf("\nfirst time of airfoil's five loops, %d cells, seconds\n", mesh->ncell);
  printf("%-24s %9s %9s %9s %9s %9s %9s\n", "", "plan", "text", "compile", "together", "set-up", "compilers");
  report_first("empty cache", &cold);
  report_first("full cache, new process", &warm);
  return together(&cold) < most_first_seconds && cold.stats.compiler_runs > 0 &&
         warm.stats.compiler_runs == 0;
}

/* ---- the program ---- */

static bool measure(const airfoil_mesh *mesh, int64_t n)
{
  bool good = measure_first(mesh); /* first, because its processes must start without threads */
  printf("\na call seen before: %d arguments, 1 element, nanoseconds\n", ARGUMENTS);
  printf("%-24s %12s %12s %12s %12s %12s %12s\n", "", "pl_par_loop", "pl_loop_run", "plain C call",
         "over that", "recorded", "and run");
  const calls seq = measure_calls("seq", "", n);
  good &= report_calls(&seq);
  calls traced = measure_calls("seq", "/dev/null", n);
  traced.backend = "seq, with a trace";
  good &= report_calls(&traced);
#ifdef _OPENMP
  omp_set_num_threads(1);
  calls openmp = measure_calls("openmp", "", n);
  openmp.backend = "openmp, 1 thread";
  good &= report_calls(&openmp);
#endif
  measure_rings();
  return good;
}

int main(int argc, char **argv)
{
  int size[2] = {400, 600};
  int64_t n = 200000;
  bool check = false;
  const option_program program = {
    "overhead",
    "What Plait costs beside the loops: a call seen before, and the first time of airfoil's loops.",
    "PLAIT_BACKEND and OMP_NUM_THREADS act on the first time and on small loops.", false};
  const option_row rows[] = {
    {"calls", "N", OPTION_INTEGER, &n, 1, 1000000000, "in each of five rounds, of which the best counts"},
    {"size", "IxJ", OPTION_SIZE, size, 0, 0, "mesh of 3 I J cells"},
    {"check", NULL, OPTION_FLAG, &check, 0, 0,
     "fail if a call costs 1 us, recording one 0.5 us, the first time 2 s, or a full cache a compiler run"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  airfoil_mesh mesh;
  mesh_error error;
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  if (!mesh_make(&mesh, size[0], size[1], &error)) return fprintf(stderr, "overhead: %s\n", error.text), 1;
  const bool good = measure(&mesh, n);
  mesh_free(&mesh);
  if (check) printf("check: %s\n", good ? "ok" : "TOO MUCH");
  return check && !good;
}
