/* SPDX-License-Identifier: BSD-2-Clause
 * colour_matrix: X += Y Z with complex 3 x 3 matrices on N sites, in single precision, for N over powers of
 * two. Measures what share of the memory's bandwidth it reaches, against a triad over as many bytes in the
 * same run.
 *
 * A site moves 288 bytes (reads X, Y, Z, writes X) and takes 216 operations. Both loops run in turns; medians
 * of five. The triad counts 24 bytes an element; what a cache reads before it writes is not counted. On
 * several ranks each has a part of the sites, and the slowest counts.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/chart.h"
#include "../common/median.h"
#include "../common/open.h"
#include "../common/options.h"
#include "../common/output.h"
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
  const char *layout, *block, *json;
  output_files files;
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

/* Seconds of `times` runs of a loop on the slowest rank; a run before it makes plans and code. */
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
  if (!output_json_open(j->pl, "colour_matrix", j->json, &json)) return false;
  json_integer(&json, "threads", pl_backend_threads(j->pl));
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
  return output_json_close("colour_matrix", j->json, &json);
}

/* Columns of the table, as dats on the set of its rows. */
static bool save(const job *j)
{
  enum { COLUMNS = 5 };
  static const char *const name[COLUMNS] = {"block", "sites", "gbytes_per_s", "triad_gbytes_per_s", "gflops"};
  static double column[COLUMNS][MOST_ROWS];
  pl_set *results;
  pl_dat *dat;
  for (int i = 0; i < j->nrows; i++) {
    const row *r = &j->rows[i];
    const double values[COLUMNS] = {r->block, (double)r->sites, r->gbytes, r->triad, r->gflops};
    for (int c = 0; c < COLUMNS; c++) column[c][i] = values[c];
  }
  PL_OK(j->pl, pl_decl_set(j->pl, pl_rank(j->pl) ? 0 : j->nrows, "results", &results));
  for (int c = 0; c < COLUMNS; c++)
    PL_OK(j->pl, pl_decl_dat(results, 1, PL_DOUBLE, column[c], name[c], &dat));
  if (!pl_hdf5_write(j->pl, j->files.save)) return true;
  return !pl_rank(j->pl) && output_error("colour_matrix", j->files.save, pl_errmsg(j->pl));
}

static bool same_curve(const row *a, const row *b)
{
  return a->layout == b->layout && a->block == b->block;
}

/* The bandwidth over the number of sites, a curve for each layout and block; in grey the first curve's triad.
 */
static void draw_curves(chart *c, const job *j)
{
  static const int colours[] = {CANVAS_BLUE, CANVAS_ORANGE, CANVAS_GREEN, CANVAS_RED};
  int curve = 0;
  for (int i = 0; i < j->nrows; i++) {
    const row *r = &j->rows[i];
    const bool first = !i || !same_curve(r, r - 1);
    char text[64];
    curve += i && first;
    const int colour = colours[curve % 4];
    snprintf(text, sizeof text, "%s, block %d", r->layout, r->block);
    if (first) chart_legend(c, curve, text, colour);
    canvas_disc(&c->canvas, chart_place(c, 0, (double)r->sites), chart_place(c, 1, r->gbytes), 5, colour);
    if (first) continue;
    const double from = (double)r[-1].sites, to = (double)r->sites;
    chart_line(c, (double[2]){from, r[-1].gbytes}, (double[2]){to, r->gbytes}, colour);
    if (!curve) chart_line(c, (double[2]){from, r[-1].triad}, (double[2]){to, r->triad}, CANVAS_GREY);
  }
}

static bool draw(const job *j)
{
  char title[80];
  double least = INFINITY, most = 0;
  for (int i = 0; i < j->nrows; i++) {
    least = fmin(least, fmin(j->rows[i].gbytes, j->rows[i].triad));
    most = fmax(most, fmax(j->rows[i].gbytes, j->rows[i].triad));
  }
  snprintf(title, sizeof title, "X += Y Z on %s, triad in grey", pl_backend_name(j->pl));
  chart c = {.low = {floor(0.301 * (double)j->least), floor(log10(least))},
             .high = {ceil(0.302 * (double)j->most + 0.1), ceil(log10(most) + 0.01)},
             .label = {"sites", "GB/s"},
             .title = title};
  if (!chart_open(&c)) return output_error("colour_matrix", j->files.picture, "no memory");
  draw_curves(&c, j);
  return chart_write(&c, j->files.picture) ||
         output_error("colour_matrix", j->files.picture, strerror(errno));
}

static bool finish(const job *j)
{
  bool good = true;
  for (int i = 0; i < j->nrows; i++) good &= j->rows[i].right;
  if (!good && !pl_rank(j->pl)) output_error("colour_matrix", "the sum of squares", "is wrong");
  if (j->files.save) good &= save(j);
  if (pl_rank(j->pl)) return good;
  if (j->json) good &= write_json(j);
  if (j->files.picture) good &= draw(j);
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
    OUTPUT_OPTIONS(&j.files, "the bandwidth over the number of sites", "the results"),
    {"check", NULL, OPTION_FLAG, &checking, 0, 0, "run the reference cases instead"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  if (seconds) j.seconds = atof(seconds);
  j.pl = open_plait(program.name, &argc, &argv);
  PL_OK(j.pl, pl_decl_fields(j.pl));
  bool good = checking ? check(j.pl) : (sweep(&j), finish(&j));
  pl_finalize(&j.pl);
  return good ? 0 : 1;
}
