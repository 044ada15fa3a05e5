/* SPDX-License-Identifier: BSD-2-Clause
 * The rates of a machine; see rates.h. The file has a line "MBYTES MFLOPS HOST BACKEND THREADS DEVICE" for
 * each.
 */
#include "rates.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/wall.h"
#include "cache.h"

enum { RUNS = 5, FACTORS = 16, TURNS = 32, KEY = 512 };

/* ---- the file ---- */

static const char *option(pl_context *pl, const char *name)
{
  const char *value = "";
  return pl_get_option(pl, name, &value) ? "" : value;
}

static void make_key(pl_context *pl, char key[KEY])
{
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  snprintf(key, KEY, "%s %s %d %s", host, pl_backend_name(pl), pl_backend_threads(pl), option(pl, "device"));
}

static bool rates_path(pl_context *pl, char path[PATH_ROOM], const char *name)
{
  const char *folder = option(pl, "cache_dir");
  if (!*folder) return false;
  mkdir(folder, 0700); /* unless a program has run before */
  return snprintf(path, PATH_ROOM, "%s/%s", folder, name) < PATH_ROOM;
}

/* Reads a line; its text goes on at line[*at]. */
static bool read_line(FILE *file, char line[KEY + 64], machine_rates *rates, int *at)
{
  long long mbytes = 0, mflops = 0;
  if (!fgets(line, KEY + 64, file)) return false;
  line[strcspn(line, "\n")] = '\0';
  *at = 0;
  sscanf(line, "%lld %lld %n", &mbytes, &mflops, at);
  *rates = (machine_rates){1e6 * (double)mbytes, 1e6 * (double)mflops};
  return true;
}

bool rates_recall(pl_context *pl, machine_rates *rates)
{
  char path[PATH_ROOM], key[KEY], line[KEY + 64];
  int at;
  FILE *file = rates_path(pl, path, "rates") ? fopen(path, "r") : NULL;
  bool found = false;
  make_key(pl, key);
  while (file && !found && read_line(file, line, rates, &at)) found = at && !strcmp(line + at, key);
  if (file) fclose(file);
  return found;
}

/* The lines of other keys, and this one. */
static void write_lines(pl_context *pl, FILE *from, FILE *to, const machine_rates *rates)
{
  char key[KEY], line[KEY + 64];
  machine_rates other;
  int at;
  make_key(pl, key);
  while (from && read_line(from, line, &other, &at))
    if (at && strcmp(line + at, key)) fprintf(to, "%s\n", line);
  fprintf(to, "%.0f %.0f %s\n", 1e-6 * rates->bytes, 1e-6 * rates->flops, key);
}

bool rates_keep(pl_context *pl, const machine_rates *rates)
{
  char path[PATH_ROOM], temporary[PATH_ROOM], name[32];
  snprintf(name, sizeof name, "rates.tmp-%ld", (long)getpid());
  errno = ENOENT;
  if (!rates_path(pl, path, "rates") || !rates_path(pl, temporary, name)) return false;
  FILE *from = fopen(path, "r"), *to = fopen(temporary, "w");
  if (to) write_lines(pl, from, to, rates);
  if (from) fclose(from);
  bool good = to && !ferror(to);
  if (to && fclose(to)) good = false;
  good = good && !rename(temporary, path);
  if (to && !good) unlink(temporary);
  return good;
}

/* ---- measurement ---- */

PL_KERNEL(triad, (double *a, const double *b, const double *c), { a[0] = b[0] + 0.5 * c[0]; })

/* 16 independent chains of 32 multiply-adds. */
PL_KERNEL(multiply_add, (double *x), {
  double sum[16];
  for (int k = 0; k < 16; k++) sum[k] = x[0] + 0.1 * k;
  for (int i = 0; i < 32; i++)
    for (int k = 0; k < 16; k++) sum[k] = sum[k] * 0.999 + 0.001;
  for (int k = 1; k < 16; k++) sum[0] += sum[k];
  x[0] = sum[0] * 0.0625;
})

/* The least seconds of several calls, after those in which the backend tries out its variants. */
static double best(pl_context *pl, pl_loop *loop)
{
  double least = 0;
  for (int run = -2 * RUNS; run < RUNS; run++) {
    const double start = wall_seconds();
    PL_OK(pl, pl_loop_run(loop));
    PL_OK(pl, pl_sync(pl));
    const double seconds = wall_seconds() - start;
    if (!least || seconds < least) least = seconds;
  }
  return least;
}

static double measure_triad(pl_context *pl, int64_t n)
{
  static const char *const names[] = {"a", "b", "c"};
  pl_set *set;
  pl_dat *dat[3];
  pl_loop *loop;
  PL_OK(pl, pl_decl_set(pl, n, "elements", &set));
  for (int i = 0; i < 3; i++) PL_OK(pl, pl_decl_dat(set, 1, PL_DOUBLE, NULL, names[i], &dat[i]));
  PL_OK(pl, pl_loop_create(&loop, triad, set, pl_arg_direct(dat[0], PL_WRITE), pl_arg_direct(dat[1], PL_READ),
                           pl_arg_direct(dat[2], PL_READ)));
  const double seconds = best(pl, loop);
  pl_loop_free(&loop);
  for (int i = 0; i < 3; i++) pl_dat_free(&dat[i]);
  pl_set_free(&set);
  return 24.0 * (double)n / seconds;
}

/* Seconds of a call on n elements. */
static double time_flops(pl_context *pl, int64_t n)
{
  pl_set *set;
  pl_dat *x;
  pl_loop *loop;
  PL_OK(pl, pl_decl_set(pl, n, "elements", &set));
  PL_OK(pl, pl_decl_dat(set, 1, PL_DOUBLE, NULL, "x", &x));
  PL_OK(pl, pl_loop_create(&loop, multiply_add, set, pl_arg_direct(x, PL_RW)));
  const double seconds = best(pl, loop);
  pl_loop_free(&loop);
  pl_dat_free(&x);
  pl_set_free(&set);
  return seconds;
}

/* On so many elements that a call takes some milliseconds. */
static double measure_flops(pl_context *pl)
{
  int64_t n = INT64_C(1) << 16;
  double seconds = time_flops(pl, n);
  for (; seconds < 0.004 && n < INT64_C(1) << 25; seconds = time_flops(pl, n)) n *= 8;
  return 2.0 * FACTORS * TURNS * (double)n / seconds;
}

/* The arrays are larger than the caches: 134 MB each. */
void rates_measure(pl_context *pl, machine_rates *rates)
{
  rates->bytes = measure_triad(pl, INT64_C(1) << 24);
  rates->flops = measure_flops(pl);
}
