/* SPDX-License-Identifier: BSD-2-Clause
 * Molecular dynamics without Plait, lists or cells, the reference for the program md: all pairs in plain
 * loops, energies summed in long double.
 *
 * brute STATE STEPS EVERY CUTOFF DT [walls|periodic]
 *
 * prints "step potential kinetic" for step 0, every EVERY-th and the last.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000 };

typedef struct body {
  double x[3], v[3], f[3];
} body;

static body p[MOST];
static int n, dim;
static double high[3], cutoff, dt;
static int walls, periodic;

static int read_state(const char *path)
{
  char line[1024];
  double low;
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file) && n < MOST) {
    char *at = line;
    if (!strncmp(line, "# box", 5))
      for (at += 5; dim < 3 && sscanf(at, "%lf %lf", &low, &high[dim]) == 2 && low == 0; dim++)
        strtod(at, &at), strtod(at, &at);
    if (line[0] == '#') continue;
    strtod(at, &at);
    for (int a = 0; a < dim; a++) p[n].x[a] = strtod(at, &at);
    for (int a = 0; a < dim; a++) p[n].v[a] = strtod(at, &at);
    n++;
  }
  fclose(file);
  return dim >= 2 && n > 0;
}

static double nearest(double d, int a)
{
  if (!periodic) return d;
  if (d > high[a] / 2) return d - high[a];
  return d < -high[a] / 2 ? d + high[a] : d;
}

static long double pair(body *i, body *j)
{
  double d[3], r2 = 0;
  for (int a = 0; a < dim; a++) {
    d[a] = nearest(i->x[a] - j->x[a], a);
    r2 += d[a] * d[a];
  }
  if (r2 >= cutoff * cutoff) return 0;
  double r6 = 1 / (r2 * r2 * r2), w = 24 / r2 * (2 * r6 * r6 - r6);
  for (int a = 0; a < dim; a++) {
    i->f[a] += w * d[a];
    j->f[a] -= w * d[a];
  }
  return 4 * ((long double)r6 * r6 - r6);
}

static long double wall(body *i, int a)
{
  double beyond = i->x[a] < 0.5 ? 0.5 - i->x[a] : i->x[a] > high[a] - 0.5 ? high[a] - 0.5 - i->x[a] : 0;
  i->f[a] += 50 * beyond;
  return 25 * (long double)beyond * beyond;
}

static long double forces(int step)
{
  long double potential = 0;
  for (int i = 0; i < n; i++) memset(p[i].f, 0, sizeof p[i].f);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) potential += pair(&p[i], &p[j]);
  for (int i = 0; walls && step && i < n; i++)
    for (int a = 0; a < dim; a++) potential += wall(&p[i], a);
  return potential;
}

static void move(body *b)
{
  for (int a = 0; a < dim; a++) {
    b->x[a] += b->v[a] * dt + b->f[a] * dt * dt / 2;
    if (periodic) b->x[a] -= high[a] * floor(b->x[a] / high[a]);
    b->v[a] += b->f[a] * dt / 2;
  }
}

static void report(int step, long double potential)
{
  long double kinetic = 0;
  for (int i = 0; i < n; i++)
    for (int a = 0; a < dim; a++) kinetic += (long double)p[i].v[a] * p[i].v[a] / 2;
  printf("%d %.17Lg %.17Lg\n", step, potential, kinetic);
}

int main(int argc, char **argv)
{
  if (argc < 6 || !read_state(argv[1])) return 2;
  int steps = atoi(argv[2]), every = atoi(argv[3]);
  cutoff = atof(argv[4]);
  dt = atof(argv[5]);
  walls = argc > 6 && !strcmp(argv[6], "walls");
  periodic = argc > 6 && !strcmp(argv[6], "periodic");
  report(0, forces(0));
  for (int step = 1; step <= steps; step++) {
    for (int i = 0; i < n; i++) move(&p[i]);
    long double potential = forces(step);
    for (int i = 0; i < n; i++)
      for (int a = 0; a < dim; a++) p[i].v[a] += p[i].f[a] * dt / 2;
    if (step % every == 0 || step == steps) report(step, potential);
  }
  return 0;
}
