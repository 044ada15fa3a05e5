/* SPDX-License-Identifier: BSD-2-Clause
 * algorithms: speed of reductions, scans, sorting and gathering on the chosen backend. On the host each is
 * compared with the triad a = b + s c, run alternately: the bytes an algorithm must move over those of the
 * triad in the same time. With --comparator it is compared with another program, also run alternately, that
 * prints lines of "name seconds" (algorithms_cub uses CUB).
 */
#include <plait.h>

#include <stdlib.h>
#include <string.h>

#include "../apps/common/json.h"
#include "../apps/common/median.h"
#include "../apps/common/options.h"

enum { CASES = 11, MOST_RUNS = 64 };

PL_KERNEL(triad, (double *a, const double *b, const double *c), { *a = *b + 3.0 * *c; })
PL_KERNEL(add_double, (const double *x, double *sum), { *sum += *x; })
PL_KERNEL(add_int, (const int *x, uint32_t *sum), { *sum += (uint32_t)*x; })
PL_REDUCTION(sum_double, double, 0.0, PL_COMMUTATIVE(a + b), (const double *x), x[i])
PL_REDUCTION(sum_int, int, 0, PL_COMMUTATIVE(a + b), (const int *x), x[i])
PL_SCAN(scan_double, double, 0.0, PL_COMMUTATIVE(a + b), (const double *x, double *y), x[i], { y[i] = item; })
PL_SCAN(scan_int, int, 0, PL_COMMUTATIVE(a + b), (const int *x, int *y), x[i], { y[i] = item; })
PL_SCAN_SEGMENTED(scan_segments, double, 0.0, a + b, (const double *x, const int8_t *flag, double *y), x[i],
                  flag[i], { y[i] = item; })

typedef struct bench {
  pl_context *pl;
  int64_t n, sorted, runs;
  pl_set *set, *few;
  pl_dat *a, *b, *c, *x, *y, *flag, *key, *long_key, *order, *from, *to;
  pl_global *sum, *whole, *wrapped;
  pl_event *begin, *end;
} bench;

#define READ(dat) pl_arg_direct(dat, PL_READ)
#define WRITE(dat) pl_arg_direct(dat, PL_WRITE)

typedef struct one {
  const char *name;
  double bytes; /* per element; 0: not bound by bytes */
  pl_err (*run)(const bench *b);
  bool on_few; /* the number of sorted elements */
} one;

static pl_err run_triad(const bench *b)
{
  return pl_par_loop(triad, b->set, WRITE(b->a), READ(b->b), READ(b->c));
}
static pl_err run_sum_double(const bench *b)
{
  return pl_reduce(sum_double, b->set, b->sum, READ(b->b));
}
static pl_err run_sum_int(const bench *b)
{
  return pl_reduce(sum_int, b->set, b->whole, READ(b->x));
}
static pl_err run_loop_double(const bench *b)
{
  return pl_par_loop(add_double, b->set, READ(b->b), pl_arg_gbl(b->sum, PL_INC));
}
static pl_err run_loop_int(const bench *b)
{
  return pl_par_loop(add_int, b->set, READ(b->x), pl_arg_gbl(b->wrapped, PL_INC));
}
static pl_err run_scan_double(const bench *b)
{
  return pl_scan(scan_double, b->set, READ(b->b), WRITE(b->a));
}
static pl_err run_scan_int(const bench *b)
{
  return pl_scan(scan_int, b->set, READ(b->x), WRITE(b->y));
}
static pl_err run_segments(const bench *b)
{
  return pl_scan(scan_segments, b->set, READ(b->b), READ(b->flag), WRITE(b->a));
}
static pl_err run_sort(const bench *b)
{
  return pl_sort_order(b->key, 0, b->order);
}
static pl_err run_sort_long(const bench *b)
{
  return pl_sort_order(b->long_key, 0, b->order);
}
static pl_err run_take(const bench *b)
{
  return pl_take(b->order, b->from, b->to);
}

static const one cases[CASES] = {
  {"triad", 24, run_triad, false},          {"reduce_double", 8, run_sum_double, false},
  {"reduce_int", 4, run_sum_int, false},    {"loop_sum_double", 8, run_loop_double, false},
  {"loop_sum_int", 4, run_loop_int, false}, {"scan_double", 16, run_scan_double, false},
  {"scan_int", 8, run_scan_int, false},     {"scan_segments", 17, run_segments, false},
  {"sort_32", 0, run_sort, true},           {"sort_64", 0, run_sort_long, true},
  {"take_random", 0, run_take, true}};

/* ---- data ---- */

static uint64_t next_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

static void fill(bench *b)
{
  double *d;
  int *x;
  int8_t *flag;
  uint32_t *key;
  uint64_t *long_key, state = 88172645463325252u;
  PL_OK(b->pl, pl_dat_get(b->b, PL_WRITE, (void **)&d));
  PL_OK(b->pl, pl_dat_get(b->x, PL_WRITE, (void **)&x));
  PL_OK(b->pl, pl_dat_get(b->flag, PL_WRITE, (void **)&flag));
  for (int64_t i = 0; i < b->n; i++) d[i] = (double)(x[i] = (int)(i & 7)), flag[i] = i % 100 == 7;
  PL_OK(b->pl, pl_dat_put(b->b));
  PL_OK(b->pl, pl_dat_put(b->x));
  PL_OK(b->pl, pl_dat_put(b->flag));
  PL_OK(b->pl, pl_dat_get(b->key, PL_WRITE, (void **)&key));
  PL_OK(b->pl, pl_dat_get(b->long_key, PL_WRITE, (void **)&long_key));
  for (int64_t i = 0; i < b->sorted; i++) key[i] = (uint32_t)((long_key[i] = next_random(&state)) >> 32);
  PL_OK(b->pl, pl_dat_put(b->key));
  PL_OK(b->pl, pl_dat_put(b->long_key));
}

static void open_bench(bench *b, int argc, char **argv)
{
  const struct {
    pl_dat **dat;
    pl_set **set;
    pl_type type;
  } dats[] = {
    {&b->a, &b->set, PL_DOUBLE},   {&b->b, &b->set, PL_DOUBLE},        {&b->c, &b->set, PL_DOUBLE},
    {&b->x, &b->set, PL_INT},      {&b->y, &b->set, PL_INT},           {&b->flag, &b->set, PL_INT8},
    {&b->key, &b->few, PL_UINT32}, {&b->long_key, &b->few, PL_UINT64}, {&b->order, &b->few, PL_INT32},
    {&b->from, &b->few, PL_FLOAT}, {&b->to, &b->few, PL_FLOAT}};
  PL_OK(b->pl, pl_init(&argc, &argv, NULL, &b->pl));
  PL_OK(b->pl, pl_decl_set(b->pl, b->n, "elements", &b->set));
  PL_OK(b->pl, pl_decl_set(b->pl, b->sorted, "keys", &b->few));
  for (size_t i = 0; i < sizeof dats / sizeof *dats; i++)
    PL_OK(b->pl, pl_decl_dat(*dats[i].set, 1, dats[i].type, NULL, "data", dats[i].dat));
  PL_OK(b->pl, pl_decl_global(b->pl, 1, PL_DOUBLE, NULL, "sum", &b->sum));
  PL_OK(b->pl, pl_decl_global(b->pl, 1, PL_INT, NULL, "whole", &b->whole));
  PL_OK(b->pl, pl_decl_global(b->pl, 1, PL_UINT32, NULL, "wrapped", &b->wrapped));
  PL_OK(b->pl, pl_event_create(b->pl, "begin", &b->begin));
  PL_OK(b->pl, pl_event_create(b->pl, "end", &b->end));
  fill(b);
}

/* ---- measuring ---- */

/* The run before it is not timed: the caches then hold this algorithm's data, as in a comparator that runs
 * each several times. Otherwise the time would contain writing back what another algorithm left in them. */
static double measure(const bench *b, const one *c)
{
  double seconds;
  PL_OK(b->pl, c->run(b));
  PL_OK(b->pl, pl_event_record(b->begin));
  PL_OK(b->pl, c->run(b));
  PL_OK(b->pl, pl_event_record(b->end));
  PL_OK(b->pl, pl_event_seconds(b->begin, b->end, &seconds));
  return seconds;
}

/* One run of the other program. */
static bool run_comparator(const bench *b, const char *program, int64_t turn, double (*seconds)[MOST_RUNS])
{
  char command[1024], name[64];
  double value;
  snprintf(command, sizeof command, "%s %lld %lld", program, (long long)b->n, (long long)b->sorted);
  FILE *pipe = popen(command, "r");
  if (!pipe) return false;
  while (fscanf(pipe, "%63s %lf", name, &value) == 2)
    for (int c = 0; c < CASES; c++)
      if (!strcmp(name, cases[c].name)) seconds[c][turn] = value;
  return pclose(pipe) == 0;
}

static void check_results(const bench *b)
{
  double sum, expected = 0;
  const int *order;
  const uint32_t *key;
  for (int64_t i = 0; i < b->n; i++) expected += (double)(i & 7);
  PL_OK(b->pl, run_sum_double(b));
  PL_OK(b->pl, pl_global_get(b->sum, &sum));
  PL_OK(b->pl, run_sort(b));
  PL_OK(b->pl, pl_dat_get(b->order, PL_READ, (void **)&order));
  PL_OK(b->pl, pl_dat_get(b->key, PL_READ, (void **)&key));
  bool good = sum == expected;
  for (int64_t i = 1; i < b->sorted; i++)
    good &=
      key[order[i - 1]] < key[order[i]] || (key[order[i - 1]] == key[order[i]] && order[i - 1] < order[i]);
  PL_OK(b->pl, pl_dat_put(b->key));
  PL_OK(b->pl, pl_dat_put(b->order));
  if (!good) fprintf(stderr, "algorithms: a result is wrong\n"), exit(1);
}

static void report(const bench *b, double (*mine)[MOST_RUNS], double (*other)[MOST_RUNS], int64_t turns,
                   const char *json_path)
{
  json_writer json;
  bool write = json_path && json_open(&json, json_path);
  double base = 0;
  printf("%-15s %12s %10s %12s %10s %10s\n", "", "elements", "ms", "M/s", "of triad", "comparator");
  for (int c = 0; c < CASES; c++) {
    const int64_t n = cases[c].on_few ? b->sorted : b->n;
    const double seconds = median(mine[c], b->runs), theirs = median(other[c], turns);
    const double bandwidth = cases[c].bytes * (double)n / seconds;
    if (c == 0) base = bandwidth;
    printf("%-15s %12lld %10.3f %12.1f", cases[c].name, (long long)n, 1e3 * seconds,
           1e-6 * (double)n / seconds);
    if (cases[c].bytes > 0)
      printf(" %10.2f", bandwidth / base);
    else
      printf(" %10s", "");
    if (theirs > 0) printf(" %9.2fx", seconds / theirs);
    printf("\n");
    if (!write) continue;
    json_begin(&json, cases[c].name, '{');
    json_integer(&json, "elements", n);
    json_number(&json, "seconds", seconds);
    if (cases[c].bytes > 0) json_number(&json, "of_triad", bandwidth / base);
    if (theirs > 0) json_number(&json, "of_comparator", seconds / theirs);
    json_end(&json, '}');
  }
  if (write) json_close(&json);
}

static void run_all(bench *b, const char *comparator, const char *json)
{
  static double mine[CASES][MOST_RUNS], other[CASES][MOST_RUNS];
  int64_t turns = comparator ? (b->runs < 3 ? b->runs : 3) : 0;
  for (int c = 0; c < CASES; c++) PL_OK(b->pl, cases[c].run(b));
  for (int64_t r = 0; r < b->runs; r++) {
    for (int c = 0; c < CASES; c++) mine[c][r] = measure(b, &cases[c]);
    if (r < turns && !run_comparator(b, comparator, r, other)) {
      fprintf(stderr, "algorithms: \"%s\" did not run\n", comparator);
      exit(1);
    }
  }
  check_results(b);
  printf("algorithms: backend %s, %d threads\n", pl_backend_name(b->pl), pl_backend_threads(b->pl));
  report(b, mine, other, turns, json);
}

int main(int argc, char **argv)
{
  bench b = {.n = 100000000, .sorted = 10000000, .runs = 9};
  const char *json = NULL, *comparator = NULL;
  const option_program program = {"algorithms", "Speed of reductions, scans, sorting and taking by an order.",
                                  "PLAIT_BACKEND and OMP_NUM_THREADS say where.", true};
  const option_row rows[] = {
    {"elements", "N", OPTION_INTEGER, &b.n, 1, INT32_MAX, "that are reduced and scanned"},
    {"sorted", "N", OPTION_INTEGER, &b.sorted, 1, INT32_MAX, "that are sorted"},
    {"repetitions", "N", OPTION_INTEGER, &b.runs, 1, MOST_RUNS, "timed runs, after one that is not"},
    {"comparator", "PROGRAM", OPTION_TEXT, &comparator, 0, 0,
     "run by turns with it: prints \"name seconds\" lines"},
    {"json", "FILE", OPTION_TEXT, &json, 0, 0, "write the figures to FILE"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  open_bench(&b, argc, argv);
  run_all(&b, comparator, json);
  pl_finalize(&b.pl);
  return 0;
}
