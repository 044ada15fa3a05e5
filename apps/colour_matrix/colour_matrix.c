/* SPDX-License-Identifier: BSD-2-Clause
 * colour_matrix: X += Y Z with complex 3 x 3 matrices on N sites, in single precision, for N over powers of
 * two. Measures what share of the memory's bandwidth it reaches, against a triad over as many bytes in the
 * same run.
 *
 * A site moves 288 bytes (reads X, Y, Z, writes X) and takes 216 operations. Both loops run in turns; medians
 * of five. The triad counts 24 bytes an element; what a cache reads before it writes is not counted. On
 * several ranks each has a part of the sites, and the slowest counts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/json.h"
#include "../common/median.h"
#include "../common/options.h"
#include "../common/ranks.h"
#include "../common/wall.h"
#include "check.h"
#include "kernels.h"

enum { SAMPLES = 5, MOST_ROWS = 512 };

typedef struct row {
  const char *layout;
  int block;
  int64_t sites;
  double gbytes, triad, gflops; /* G/s */
  bool right;
} row;

typedef struct job {
  pl_context *pl;
  const char *layout, *block, *json, *plot;
  int64_t least, most;
  double seconds;
  int nrows;
  row rows[MOST_ROWS];
} job;

static const char *const all_layouts[] = {"aos", "soa", "soa:2", "aosoa:4", "aosoa:32", "aosoa:32,2", NULL};
static const char *const all_blocks[] = {"32", "64", "128", "256", "512", NULL};

#define ALL(dat, access) pl_arg_direct((dat), (access))

/* ---- one size ---- */

typedef struct fields {
  pl_context *pl;
  pl_set *sites, *elements;
  pl_dat *x, *y, *z, *a, *b, *c;
  pl_loop *product, *triad;
} fields;

static pl_dat *field(fields *f, const char *layout, const char *name)
{
  pl_dat *dat;
  PL_OK(f->pl, pl_decl_dat(f->sites, 9, PL_COMPLEX_FLOAT, NULL, name, &dat));
  if (strcmp(layout, "auto")) PL_OK(f->pl, pl_dat_set_layout(dat, layout));
  return dat;
}

static pl_dat *vector(fields *f, const char *name)
{
  pl_dat *dat;
  PL_OK(f->pl, pl_decl_dat(f->elements, 1, PL_DOUBLE, NULL, name, &dat));
  return dat;
}

static void fields_open(fields *f, pl_context *pl, int64_t n, const char *layout)
{
  const int64_t mine = ranks_share(pl, n);
  *f = (fields){.pl = pl};
  PL_OK(pl, pl_decl_set(pl, mine, "sites", &f->sites));
  PL_OK(pl, pl_decl_set(pl, 9 * mine, "elements", &f->elements));
  f->x = field(f, layout, "X");
  f->y = field(f, layout, "Y");
  f->z = field(f, layout, "Z");
  f->a = vector(f, "a");
  f->b = vector(f, "b");
  f->c = vector(f, "c");
  PL_OK(pl, pl_par_loop(set_fields, f->sites, ALL(f->x, PL_WRITE), ALL(f->y, PL_WRITE), ALL(f->z, PL_WRITE)));
  PL_OK(pl, pl_loop_create(&f->product, add_product, f->sites, ALL(f->x, PL_RW), ALL(f->y, PL_READ),
                           ALL(f->z, PL_READ)));
  PL_OK(pl, pl_loop_create(&f->triad, triad, f->elements, ALL(f->a, PL_WRITE), ALL(f->b, PL_READ),
                           ALL(f->c, PL_READ)));
}

static void fields_close(fields *f)
{
  pl_dat **dats[] = {&f->x, &f->y, &f->z, &f->a, &f->b, &f->c};
  pl_loop_free(&f->product);
  pl_loop_free(&f->triad);
  for (int i = 0; i < 6; i++) pl_dat_free(dats[i]);
  pl_set_free(&f->sites);
  pl_set_free(&f->elements);
}

/* Seconds of `times` runs of a loop on the slowest rank; a run before it prepares what has changed. */
static double timed(pl_context *pl, pl_loop *loop, int64_t times)
{
  PL_OK(pl, pl_loop_run(loop));
  PL_OK(pl, pl_sync(pl));
  const double start = wall_seconds();
  for (int64_t i = 0; i < times; i++) PL_OK(pl, pl_loop_run(loop));
  PL_OK(pl, pl_sync(pl));
  return ranks_most(pl, wall_seconds() - start);
}

/* After `times` products each X is 2 times on its diagonal; scaled, the sum of squares is the number of
 * sites. */
static bool is_right(fields *f, int64_t n, int64_t times)
{
  pl_global *scale, *sum;
  const double by = 0.5 / (sqrt(3.0) * (double)times);
  double found;
  PL_OK(f->pl, pl_decl_global(f->pl, 1, PL_DOUBLE, &by, "scale", &scale));
  PL_OK(f->pl, pl_decl_global(f->pl, 1, PL_DOUBLE, NULL, "norm2", &sum));
  PL_OK(f->pl, pl_par_loop(add_norm2, f->sites, ALL(f->x, PL_READ), pl_arg_gbl(scale, PL_READ),
                           pl_arg_gbl(sum, PL_INC)));
  PL_OK(f->pl, pl_global_get(sum, &found));
  pl_global_free(&scale);
  pl_global_free(&sum);
  return fabs(found - (double)n) <= 1e-9 * (double)n;
}

/* Runs of each loop in a sample, so that all samples together take the time asked for. */
static int64_t repetitions(const job *j, fields *f)
{
  timed(f->pl, f->triad, 2);
  const double once = timed(f->pl, f->product, 4) / 4 + timed(f->pl, f->triad, 4) / 4;
  const double times = j->seconds / SAMPLES / (once > 1e-7 ? once : 1e-7);
  return times < 1 ? 1 : times > 1e6 ? 1000000 : (int64_t)times;
}

static void use_block(pl_context *pl, int block)
{
  char number[16];
  const char *now;
  snprintf(number, sizeof number, "%d", block);
  PL_OK(pl, pl_get_option(pl, "block_size", &now));
  if (strcmp(now, number)) PL_OK(pl, pl_set_option(pl, "block_size", number));
}

static void print_row(const row *r)
{
  printf("%-11s %5d %10lld %9.2f %9.2f %9.2f  %5.3f%s\n", r->layout, r->block, (long long)r->sites, r->gbytes,
         r->triad, r->gflops, r->gbytes / r->triad, r->right ? "" : "  WRONG");
  fflush(stdout);
}

static void measure(job *j, const char *layout, int block, int64_t n)
{
  double product[SAMPLES], triads[SAMPLES];
  fields f;
  row *r = &j->rows[j->nrows++];
  fields_open(&f, j->pl, n, layout);
  const int64_t times = repetitions(j, &f);
  for (int s = 0; s < SAMPLES; s++) {
    use_block(j->pl, block);
    product[s] = timed(j->pl, f.product, times) / (double)times;
    use_block(j->pl, 0); /* the triad's is the library's */
    triads[s] = timed(j->pl, f.triad, times) / (double)times;
  }
  const double seconds = median(product, SAMPLES);
  *r = (row){layout,
             block,
             n,
             288e-9 * (double)n / seconds,
             9 * 24e-9 * (double)n / median(triads, SAMPLES),
             216e-9 * (double)n / seconds,
             is_right(&f, n, SAMPLES * (times + 1) + 5)};
  fields_close(&f);
  if (!pl_rank(j->pl)) print_row(r);
}

/* ---- all sizes, layouts and blocks ---- */

static void sweep_sizes(job *j, const char *layout, const char *block)
{
  for (int64_t k = j->least; k <= j->most && j->nrows < MOST_ROWS; k++)
    measure(j, layout, atoi(block), (int64_t)1 << k);
}

static void sweep_blocks(job *j, const char *layout)
{
  if (strcmp(j->block, "all")) sweep_sizes(j, layout, j->block);
  for (const char *const *b = all_blocks; *b && !strcmp(j->block, "all"); b++) sweep_sizes(j, layout, *b);
}

static void sweep(job *j)
{
  if (!pl_rank(j->pl))
    printf("%-11s %5s %10s %9s %9s %9s  %s\n", "layout", "block", "sites", "GB/s", "triad", "GFLOP/s",
           "share");
  if (strcmp(j->layout, "all")) sweep_blocks(j, j->layout);
  for (const char *const *l = all_layouts; *l && !strcmp(j->layout, "all"); l++) sweep_blocks(j, *l);
}

/* ---- results ---- */

static bool write_json(const job *j)
{
  json_writer json;
  if (!json_open(&json, j->json)) return false;
  json_text(&json, "program", "colour_matrix");
  json_text(&json, "backend", pl_backend_name(j->pl));
  json_integer(&json, "threads", pl_backend_threads(j->pl));
  json_integer(&json, "ranks", pl_ranks(j->pl));
  json_begin(&json, "results", '[');
  for (int i = 0; i < j->nrows; i++) {
    const row *r = &j->rows[i];
    json_begin(&json, NULL, '{');
    json_text(&json, "layout", r->layout);
    json_integer(&json, "block", r->block);
    json_integer(&json, "sites", r->sites);
    json_number(&json, "gbytes_per_s", r->gbytes);
    json_number(&json, "triad_gbytes_per_s", r->triad);
    json_number(&json, "gflops", r->gflops);
    json_end(&json, '}');
  }
  json_end(&json, ']');
  return json_close(&json);
}

static bool same_curve(const row *a, const row *b)
{
  return a->layout == b->layout && a->block == b->block;
}

/* A script for gnuplot with the numbers in it; it makes a picture beside itself. */
static bool write_plot(const job *j)
{
  FILE *file = fopen(j->plot, "w");
  if (!file) return false;
  fprintf(file, "$data << END\n");
  for (int i = 0; i < j->nrows; i++) {
    const row *r = &j->rows[i];
    if (i && !same_curve(r, r - 1)) fprintf(file, "\n\n");
    fprintf(file, "%lld %g %g \"%s, block %d\"\n", (long long)r->sites, r->gbytes, r->triad, r->layout,
            r->block);
  }
  fprintf(
    file,
    "END\nset terminal svg size 900,600 dynamic\nset output \"%s.svg\"\nset logscale x 2\nset key bottom "
    "right\n"
    "set xlabel \"sites\"\nset ylabel \"GB/s\"\nset yrange [0:*]\nset grid\nset format x \"2^{%%L}\"\n"
    "set title \"X += Y Z, complex 3 x 3, single precision, on %s\"\nstats $data using 1 nooutput\n"
    "plot for [i=0:STATS_blocks-1] $data index i using 1:2:(stringcolumn(4)) with linespoints title word(\"",
    j->plot, pl_backend_name(j->pl));
  for (int i = 0; i < j->nrows; i++)
    if (!i || !same_curve(&j->rows[i], &j->rows[i - 1]))
      fprintf(file, "%s/%d ", j->rows[i].layout, j->rows[i].block);
  fprintf(file, "\", i+1), $data index 0 using 1:3 with lines dashtype 2 title \"triad\"\n");
  return fclose(file) == 0;
}

static bool finish(const job *j)
{
  bool good = true;
  for (int i = 0; i < j->nrows; i++) good &= j->rows[i].right;
  if (pl_rank(j->pl)) return good;
  if (!good) fprintf(stderr, "colour_matrix: a result is wrong\n");
  if (j->json && !write_json(j)) {
    perror(j->json);
    good = false;
  }
  if (j->plot && !write_plot(j)) {
    perror(j->plot);
    good = false;
  }
  return good;
}

int main(int argc, char **argv)
{
  static job j = {.layout = "auto", .block = "0", .least = 8, .most = 20, .seconds = 0.8};
  const char *seconds = NULL;
  bool checking = false;
  const option_program program = {
    "colour_matrix", "X += Y Z with complex 3 x 3 matrices on N sites: bandwidth.",
    "Layouts: auto, aos, soa, soa:M, aosoa:V, aosoa:V,M, or all: several in turn.", true};
  const option_row rows[] = {
    {"least", "K", OPTION_INTEGER, &j.least, 0, 27, "smallest size: 2^K sites"},
    {"most", "K", OPTION_INTEGER, &j.most, 0, 27, "largest size: 2^K sites"},
    {"layout", "NAME", OPTION_TEXT, &j.layout, 0, 0, "layout of the fields on the device"},
    {"block", "N", OPTION_TEXT, &j.block, 0, 0,
     "work items of a block (0: the library chooses), or all: several in turn"},
    {"seconds", "S", OPTION_TEXT, &seconds, 0, 0, "time for each size (default 0.8)"},
    {"json", "FILE", OPTION_TEXT, &j.json, 0, 0, "write the results"},
    {"plot", "FILE", OPTION_TEXT, &j.plot, 0, 0, "write a gnuplot script that draws FILE.svg"},
    {"check", NULL, OPTION_FLAG, &checking, 0, 0, "run the reference cases instead"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  if (seconds) j.seconds = atof(seconds);
  PL_OK(j.pl, pl_init(&argc, &argv, NULL, &j.pl));
  PL_OK(j.pl, pl_decl_fields(j.pl));
  bool good = checking ? check(j.pl) : (sweep(&j), finish(&j));
  pl_finalize(&j.pl);
  return good ? 0 : 1;
}
