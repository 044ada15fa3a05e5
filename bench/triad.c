/* SPDX-License-Identifier: BSD-2-Clause
 * triad: a[i] = b[i] + s c[i] over large arrays, the usual measure of memory bandwidth. Counts 24 bytes per
 * element, as is customary, without the read for ownership.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../apps/common/json.h"
#include "../apps/common/median.h"
#include "../apps/common/options.h"
#include "../apps/common/wall.h"

typedef struct triad {
  int64_t n, repetitions;
  double *a, *b, *c;
  double *gbytes_per_s; /* of each repetition, sorted after triad_measure */
  double median;
} triad;

static double *new_array(int64_t n)
{
  const size_t bytes = (size_t)n * sizeof(double);
  return aligned_alloc(64, (bytes / 64 + 1) * 64);
}

static bool triad_open(triad *t)
{
  t->a = new_array(t->n);
  t->b = new_array(t->n);
  t->c = new_array(t->n);
  t->gbytes_per_s = new_array(t->repetitions);
  if (!t->a || !t->b || !t->c || !t->gbytes_per_s) return false;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < t->n; i++) {
    t->a[i] = 0.0;
    t->b[i] = (double)i;
    t->c[i] = 1.0;
  }
  return true;
}

static void triad_close(triad *t)
{
  free(t->a);
  free(t->b);
  free(t->c);
  free(t->gbytes_per_s);
}

static void triad_once(const triad *t, double s)
{
  double *restrict a = t->a;
  const double *restrict b = t->b, *restrict c = t->c;
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < t->n; i++) a[i] = b[i] + s * c[i];
}

/* Scalars differ between runs, so no run can be optimised away; the last result is verified. */
static bool triad_measure(triad *t)
{
  triad_once(t, 1.0);
  for (int64_t r = 0; r < t->repetitions; r++) {
    const double start = wall_seconds();
    triad_once(t, (double)(r + 2));
    t->gbytes_per_s[r] = 24e-9 * (double)t->n / (wall_seconds() - start);
  }
  t->median = median(t->gbytes_per_s, t->repetitions);
  for (int64_t i = 0; i < t->n; i++)
    if (t->a[i] != (double)i + (double)(t->repetitions + 1)) return false;
  return true;
}

static double best(const triad *t)
{
  return t->gbytes_per_s[t->repetitions - 1];
}

static bool write_json(const triad *t, const char *path)
{
  json_writer json;
  bool good = json_open(&json, path);
  if (good) {
    json_integer(&json, "threads", omp_get_max_threads());
    json_integer(&json, "elements", t->n);
    json_integer(&json, "repetitions", t->repetitions);
    json_number(&json, "best_gbytes_per_s", best(t));
    json_number(&json, "median_gbytes_per_s", t->median);
    good = json_close(&json);
  }
  if (!good) fprintf(stderr, "triad: %s cannot be written\n", path);
  return good;
}

static bool run(triad *t, const char *json)
{
  if (!triad_open(t))
    return fprintf(stderr, "triad: no memory for 3 arrays of %lld doubles\n", (long long)t->n), false;
  if (!triad_measure(t)) return fprintf(stderr, "triad: the result is wrong\n"), false;
  printf("triad: %d threads, 3 arrays of %.1f MB, %lld repetitions: best %.2f GB/s, median %.2f GB/s\n",
         omp_get_max_threads(), 8e-6 * (double)t->n, (long long)t->repetitions, best(t), t->median);
  return json ? write_json(t, json) : true;
}

int main(int argc, char **argv)
{
  triad t = {.n = 20000000, .repetitions = 20};
  const char *json = NULL;
  const option_program program = {"triad", "Memory bandwidth of a = b + s c in double precision.",
                                  "OMP_NUM_THREADS sets the number of threads.", false};
  const option_row rows[] = {
    {"elements", "N", OPTION_INTEGER, &t.n, 1, INT64_C(1) << 36, "of each of the three arrays"},
    {"repetitions", "N", OPTION_INTEGER, &t.repetitions, 1, 1000000, "timed runs, after one that is not"},
    {"json", "FILE", OPTION_TEXT, &json, 0, 0, "write the figures to FILE"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  const bool good = run(&t, json);
  triad_close(&t);
  return good ? 0 : 1;
}
