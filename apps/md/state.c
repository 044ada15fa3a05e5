/* SPDX-License-Identifier: BSD-2-Clause
 * Starting states, read, made and written.
 */
#include "state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/random.h"

static const md_case cases[] = {{"allpairs2d", 2, 1.5, INFINITY, 0, 0.02, false, true, true},
                                {"cells2d", 2, 1.5, 3, 0.3, 0.02, false, true, false},
                                {"walls3d", 3, 2, 3.02, 0.3, 0.02, false, true, false},
                                {"periodic3d", 3, 2, 3.02, 0.3, 0.02, true, false, false},
                                {"melt", 3, 0, 2.5, 0.3, 0.005, true, false, false}};

static const double density = 0.8442, temperature = 1.44; /* of the melt */

const md_case *state_case(const char *name)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (!strcmp(cases[i].name, name)) return &cases[i];
  return NULL;
}

static bool make_room(md_state *s, const md_case *kind, int n)
{
  size_t values = (size_t)n * (size_t)kind->dim + 1;
  *s = (md_state){.kind = kind, .n = n};
  s->x = calloc(values, sizeof *s->x);
  s->v = calloc(values, sizeof *s->v);
  s->f = calloc(values, sizeof *s->f);
  if (s->x && s->v && s->f) return true;
  fprintf(stderr, "md: no memory for %d particles\n", n);
  state_free(s);
  return false;
}

void state_free(md_state *s)
{
  free(s->x);
  free(s->v);
  free(s->f);
  *s = (md_state){0};
}

/* ---- lattices at rest: the last axis fastest, the first n sites, in the middle of the box ---- */

static double box_length(const md_case *kind, int sites)
{
  if (!kind->periodic && kind->dim == 2) return 3 * sites * kind->spacing;
  return 3 * (1 + nearbyint(1.5 * 2 * sites / 3));
}

static bool make_lattice(md_state *s, const md_case *kind, int n)
{
  int sites = (int)ceil(pow(n, 1.0 / kind->dim) - 1e-9);
  double length = box_length(kind, sites), first = (length - kind->spacing * sites) / 2;
  if (!make_room(s, kind, n)) return false;
  for (int i = 0; i < n; i++)
    for (int a = kind->dim - 1, rest = i; a >= 0; a--, rest /= sites)
      s->x[i * kind->dim + a] = first + kind->spacing * (rest % sites);
  for (int a = 0; a < kind->dim; a++) s->high[a] = length;
  return true;
}

/* ---- the melt: a face-centred cubic crystal with random velocities ---- */

static void stir(md_state *s)
{
  random_stream random = {20260101};
  double mean[3] = {0}, square = 0;
  for (int k = 0; k < 3 * s->n; k++) {
    s->v[k] = (double)random_below(&random, 1 << 30) / (1 << 30) - 0.5;
    mean[k % 3] += s->v[k] / s->n;
  }
  for (int k = 0; k < 3 * s->n; k++) {
    s->v[k] -= mean[k % 3];
    square += s->v[k] * s->v[k];
  }
  double scale = s->n > 1 ? sqrt(temperature * 3 * (s->n - 1) / square) : 0;
  for (int k = 0; k < 3 * s->n; k++) s->v[k] *= scale;
}

static bool make_melt(md_state *s, const md_case *kind, int n)
{
  int cells = (int)ceil(cbrt(n / 4.0) - 1e-9), next = 0;
  double length = cbrt(4 / density) * cells;
  if (!make_room(s, kind, 4 * cells * cells * cells)) return false;
  for (int z = 0; z < 2 * cells; z++)
    for (int y = 0; y < 2 * cells; y++)
      for (int x = 0; x < 2 * cells; x++) {
        if ((x + y + z) % 2) continue;
        const int site[3] = {x, y, z};
        for (int a = 0; a < 3; a++) s->x[next++] = site[a] * length / (2 * cells);
      }
  for (int a = 0; a < 3; a++) s->high[a] = length;
  stir(s);
  return true;
}

bool state_make(md_state *s, const md_case *kind, int n)
{
  return strcmp(kind->name, "melt") ? make_lattice(s, kind, n) : make_melt(s, kind, n);
}

/* ---- files ---- */

static bool complain(const char *path, const char *why)
{
  fprintf(stderr, "md: %s: %s\n", path, why);
  return false;
}

/* Numbers of a line, the first of which is the particle's. */
static int numbers_in(const char *line, double *number, int most)
{
  int n = 0;
  for (char *end; n < most; n++, line = end) {
    number[n] = strtod(line, &end);
    if (end == line) break;
  }
  return n;
}

static int count_particles(FILE *file)
{
  char line[1024];
  double number[1];
  int n = 0;
  while (fgets(line, sizeof line, file)) n += line[0] != '#' && numbers_in(line, number, 1) == 1;
  rewind(file);
  return n;
}

static bool read_lines(md_state *s, FILE *file)
{
  char line[1024];
  double number[7];
  int dim = s->kind->dim, next = 0;
  bool box = false;
  while (fgets(line, sizeof line, file)) {
    if (!strncmp(line, "# box", 5)) {
      box = numbers_in(line + 5, number, 2 * dim) == 2 * dim;
      for (int a = 0; box && a < dim; a++) s->low[a] = number[2 * a], s->high[a] = number[2 * a + 1];
    }
    if (line[0] == '#') continue;
    int have = numbers_in(line, number, 1 + 2 * dim);
    if (have < 1) continue;
    if (have < 1 + 2 * dim || next == s->n) return false;
    memcpy(s->x + next * dim, number + 1, (size_t)dim * sizeof *number);
    memcpy(s->v + next * dim, number + 1 + dim, (size_t)dim * sizeof *number);
    next++;
  }
  return box && next == s->n;
}

bool state_read(md_state *s, const md_case *kind, const char *path)
{
  FILE *file = fopen(path, "r");
  if (!file) return complain(path, strerror(errno));
  bool good = make_room(s, kind, count_particles(file));
  if (good && !read_lines(s, file)) {
    state_free(s);
    good = complain(path, "not lines of a number, positions and velocities under \"# box lo hi ...\"");
  }
  fclose(file);
  return good;
}

bool state_write(const md_state *s, const char *path)
{
  FILE *file = fopen(path, "w");
  int dim = s->kind->dim;
  if (!file) return complain(path, strerror(errno));
  fprintf(file, "# id, position, velocity, force\n# box");
  for (int a = 0; a < dim; a++) fprintf(file, " %.17g %.17g", s->low[a], s->high[a]);
  for (int i = 0; i < s->n; i++) {
    fprintf(file, "\n%d", i + 1);
    for (int a = 0; a < dim; a++) fprintf(file, " %.17g", s->x[i * dim + a]);
    for (int a = 0; a < dim; a++) fprintf(file, " %.17g", s->v[i * dim + a]);
    for (int a = 0; a < dim; a++) fprintf(file, " %.17g", s->f[i * dim + a]);
  }
  bool good = fputc('\n', file) != EOF && !ferror(file);
  good = fclose(file) == 0 && good;
  return good || complain(path, "could not be written");
}
