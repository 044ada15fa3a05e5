/* SPDX-License-Identifier: BSD-2-Clause
 * plait roofline: see roofline.h. A loop that moves B bytes and does F operations takes at least the greater
 * of B over the machine's bytes a second and F over its operations a second (Williams, Waterman and
 * Patterson, Roofline, Communications of the ACM 52, 2009).
 */
#include "roofline.h"

#include <errno.h>
#include <math.h>
#include <plait.h>
#include <stdlib.h>
#include <string.h>

#include "../common/chart.h"
#include "../common/output.h"
#include "rates.h"

enum { NAME = 64, MOST_LOOPS = 256 };

typedef struct loop_rate {
  char name[NAME];
  double seconds, gbytes, gflops; /* rates: a second */
} loop_rate;

typedef struct profile {
  int n;
  loop_rate loop[MOST_LOOPS];
} profile;

/* ---- the profile ---- */

static double number_of(const char *line, const char *key)
{
  char quoted[NAME];
  snprintf(quoted, sizeof quoted, "\"%s\": ", key);
  const char *at = strstr(line, quoted);
  return at ? strtod(at + strlen(quoted), NULL) : 0;
}

/* A line of the JSON that PLAIT_PROFILE writes. Regions and kernels without bytes are left out. */
static bool read_loop(const char *line, loop_rate *loop)
{
  const char *name = strstr(line, "{\"name\": \"");
  if (!name) return false;
  snprintf(loop->name, sizeof loop->name, "%.*s", (int)strcspn(name + 10, "\""), name + 10);
  loop->seconds = number_of(line, "seconds");
  if (!(loop->seconds > 0)) loop->seconds = number_of(line, "max_seconds"); /* of several ranks */
  loop->gbytes = number_of(line, "gbytes_per_s");
  loop->gflops = number_of(line, "gflops");
  return loop->seconds > 0 && loop->gbytes > 0;
}

static int by_seconds(const void *a, const void *b)
{
  const double p = ((const loop_rate *)a)->seconds, q = ((const loop_rate *)b)->seconds;
  return p < q ? 1 : -(p > q);
}

static bool read_profile(const char *path, profile *p)
{
  char line[2048];
  FILE *file = fopen(path, "r");
  if (!file) return output_error("plait roofline", path, strerror(errno));
  p->n = 0;
  while (p->n < MOST_LOOPS && fgets(line, sizeof line, file)) p->n += read_loop(line, &p->loop[p->n]);
  fclose(file);
  qsort(p->loop, (size_t)p->n, sizeof *p->loop, by_seconds);
  return p->n > 0 ||
         output_error("plait roofline", path, "has no loops; write it with PLAIT_PROFILE=FILE.json");
}

/* ---- the table ---- */

static double intensity(const loop_rate *loop)
{
  return loop->gflops / loop->gbytes;
}

static bool by_arithmetic(const loop_rate *loop, const machine_rates *m)
{
  return loop->gflops / m->flops > loop->gbytes / m->bytes;
}

/* The part of the machine's rate that the loop reaches, of that which limits it. */
static double share(const loop_rate *loop, const machine_rates *m)
{
  return 1e9 * fmax(loop->gflops / m->flops, loop->gbytes / m->bytes);
}

static void print_profile(const profile *p, const machine_rates *m)
{
  double all = 0;
  for (int i = 0; i < p->n; i++) all += p->loop[i].seconds;
  printf("\nloop                    seconds  of all   flop/byte      GB/s   GFLOP/s  of limit  limit       "
         "could save\n");
  for (int i = 0; i < p->n; i++) {
    const loop_rate *loop = &p->loop[i];
    const double part = share(loop, m);
    printf("%-20s %10.4f %6.1f%% %11.3f %9.2f %9.2f %8.1f%%  %-10s %10.4f s\n", loop->name, loop->seconds,
           100 * loop->seconds / all, intensity(loop), loop->gbytes, loop->gflops, 100 * part,
           by_arithmetic(loop, m) ? "arithmetic" : "bandwidth", part < 1 ? (1 - part) * loop->seconds : 0);
  }
}

/* ---- the picture: GFLOP/s over flop/byte, both logarithmic ---- */

/* A loop without counted operations is not in the picture. */
static chart choose_axes(const profile *p, const machine_rates *m, const char *title)
{
  const double ridge = log10(m->flops / m->bytes), top = log10(1e-9 * m->flops);
  chart a = {.low = {floor(ridge) - 2, floor(top) - 2},
             .high = {ceil(ridge) + 1, ceil(top + 0.2)},
             .label = {"flop/byte", "GFLOP/s"},
             .title = title};
  for (int i = 0; i < p->n; i++) {
    if (!(p->loop[i].gflops > 0)) continue;
    a.low[0] = fmin(a.low[0], floor(log10(intensity(&p->loop[i]))));
    a.high[0] = fmax(a.high[0], ceil(log10(intensity(&p->loop[i]))));
    a.low[1] = fmin(a.low[1], floor(log10(p->loop[i].gflops)));
  }
  return a;
}

static void draw_roof(chart *a, const machine_rates *m)
{
  char text[64];
  canvas *c = &a->canvas;
  const double ridge = m->flops / m->bytes, most = 1e-9 * m->flops;
  const double left = fmax(pow(10, a->low[0]), 1e9 * pow(10, a->low[1]) / m->bytes);
  const double corner[2] = {ridge, most}, right = pow(10, a->high[0]);
  chart_line(a, (double[2]){left, 1e-9 * m->bytes * left}, corner, CANVAS_BLACK);
  chart_line(a, corner, (double[2]){right, most}, CANVAS_BLACK);
  snprintf(text, sizeof text, "%.3g GB/s", 1e-9 * m->bytes);
  canvas_text(c, chart_place(a, 0, ridge * 0.1) - 20, chart_place(a, 1, most * 0.1) - 24, CANVAS_LEFT_OF,
              text, CANVAS_BLACK);
  snprintf(text, sizeof text, "%.3g GFLOP/s", most);
  canvas_text(c, chart_place(a, 0, right) - 8, chart_place(a, 1, most) - 24, CANVAS_LEFT_OF, text,
              CANVAS_BLACK);
}

/* The area of a disc grows with the time of its loop. */
static void draw_loops(chart *a, const profile *p)
{
  static const int colours[] = {CANVAS_RED, CANVAS_BLUE, CANVAS_GREEN, CANVAS_ORANGE};
  for (int i = 0; i < p->n; i++) {
    const loop_rate *loop = &p->loop[i];
    if (!(loop->gflops > 0)) continue;
    const int x = chart_place(a, 0, intensity(loop)), y = chart_place(a, 1, loop->gflops),
              colour = colours[i % 4];
    const int radius = 4 + (int)(12 * sqrt(loop->seconds / p->loop[0].seconds));
    canvas_disc(&a->canvas, x, y, radius, colour);
    canvas_text(&a->canvas, x + radius + 6, y - 6, CANVAS_RIGHT_OF, loop->name, colour);
  }
}

static bool draw(const profile *p, const machine_rates *m, const char *title, const char *path)
{
  chart a = choose_axes(p, m, title);
  if (!chart_open(&a)) return output_error("plait roofline", path, "no memory");
  draw_roof(&a, m);
  draw_loops(&a, p);
  return chart_write(&a, path) || output_error("plait roofline", path, strerror(errno));
}

/* ---- the command ---- */

typedef struct settings {
  const char *profile, *picture;
  bool measure;
} settings;

/* Without a profile, or where none are kept, the rates are measured, and kept. */
static bool get_rates(pl_context *pl, bool measure, machine_rates *m)
{
  if (!measure && rates_recall(pl, m)) return true;
  rates_measure(pl, m);
  return rates_keep(pl, m) || output_error("plait roofline", "the cache folder", strerror(errno));
}

static bool show(pl_context *pl, const settings *set)
{
  static profile p;
  machine_rates m;
  char title[128];
  if (set->profile && !read_profile(set->profile, &p)) return false;
  bool good = get_rates(pl, set->measure || !set->profile, &m);
  snprintf(title, sizeof title, "%s, %d thread%s", pl_backend_name(pl), pl_backend_threads(pl),
           pl_backend_threads(pl) == 1 ? "" : "s");
  printf("%s: triad %.2f GB/s, multiply-adds %.1f GFLOP/s in double precision\n", title, 1e-9 * m.bytes,
         1e-9 * m.flops);
  if (set->profile) print_profile(&p, &m);
  if (set->picture) good &= draw(&p, &m, title, set->picture);
  return good;
}

static int usage(FILE *to)
{
  fprintf(
    to,
    "usage: plait roofline [PROFILE.json] [--picture FILE] [--measure]\n"
    "  measures the bandwidth and the arithmetic of the backend (PLAIT_BACKEND), keeps both in the cache\n"
    "  folder for PLAIT_PROFILE, and compares the loops of a file of PLAIT_PROFILE with them\n"
    "  --picture FILE  also draw the loops under the roof, a PNG\n"
    "  --measure       measure again, although the rates are known\n");
  return to == stdout ? 0 : 2;
}

int roofline_command(int argc, char **argv)
{
  settings set = {0};
  pl_context *pl;
  for (int i = 2; i < argc; i++) {
    if (!strcmp(argv[i], "--help")) return usage(stdout);
    if (!strncmp(argv[i], "--plait-", 8)) continue;
    if (!strcmp(argv[i], "--measure"))
      set.measure = true;
    else if (!strcmp(argv[i], "--picture") && i + 1 < argc)
      set.picture = argv[++i];
    else if (*argv[i] != '-' && !set.profile)
      set.profile = argv[i];
    else
      return usage(stderr);
  }
  bool good = !pl_init(&argc, &argv, NULL, &pl);
  if (!good) fprintf(stderr, "plait roofline: %s\n", pl_errmsg(pl));
  if (good && pl_ranks(pl) > 1)
    good = output_error("plait roofline", "mpirun", "the rates are those of one rank; start it without");
  else if (good)
    good = show(pl, &set);
  pl_finalize(&pl);
  return good && !fflush(stdout) ? 0 : 1;
}
