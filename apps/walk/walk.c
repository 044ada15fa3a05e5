/* SPDX-License-Identifier: BSD-2-Clause
 * walk: particles take random steps over a mesh of triangles, are followed from cell to cell, and leave their
 * weights at the vertices.
 */
#include "plait.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/open.h"
#include "../common/options.h"
#include "../common/output.h"
#include "../common/picture.h"
#include "../common/progress.h"
#include "../common/random.h"
#include "../common/triangle_mesh.h"
#include "../common/wall.h"
#include "kernels.h"

typedef struct settings {
  int64_t side, particles, steps, seed;
  const char *length, *dump, *json;
  output_files files;
  bool check, inject;
} settings;

typedef struct walk {
  pl_context *pl;
  pl_set *cells, *vertices, *particles;
  pl_map *corners, *faces, *where;
  pl_dat *place, *corner, *share, *weight, *x, *random;
  pl_global *length, *count, *sum, *outside, *total;
  random_stream stream; /* of places where particles begin */
} walk;

typedef struct result {
  int64_t left; /* particles on the mesh at the end */
  double sum[2], outside, weight[3], seconds;
} result;

#define HERE(dat, access) pl_arg_direct((dat), (access))

/* ---- declarations ---- */

/* Particles begin in a small disc in the middle, all in one cell as far as the program knows. */
static void place_particles(random_stream *at, int64_t n, double *x, int64_t *random)
{
  random_stream stream = *at;
  for (int64_t i = 0; i < n; i++) {
    double angle = 0x1p-52 * 3.141592653589793 * (double)(random_next(&stream) >> 11);
    double radius = 0.1 * sqrt(0x1p-53 * (double)(random_next(&stream) >> 11));
    x[2 * i] = 0.5 + radius * cos(angle);
    x[2 * i + 1] = 0.5 + radius * sin(angle);
    random[i] = (int64_t)(random_next(&stream) | 1);
  }
  *at = stream;
}

static void declare_mesh(walk *w, const triangle_mesh *mesh)
{
  PL_OK(w->pl, pl_decl_set(w->pl, mesh->ncell, "cells", &w->cells));
  PL_OK(w->pl, pl_decl_set(w->pl, mesh->nvertex, "vertices", &w->vertices));
  PL_OK(w->pl, pl_decl_map(w->cells, w->vertices, 3, mesh->corner, "corners", &w->corners));
  PL_OK(w->pl, pl_decl_map(w->cells, w->cells, 3, mesh->face, "faces", &w->faces));
  PL_OK(w->pl, pl_decl_dat(w->vertices, 2, PL_DOUBLE, mesh->place, "place", &w->place));
  PL_OK(w->pl, pl_decl_dat(w->vertices, 1, PL_DOUBLE, NULL, "weight", &w->weight));
  PL_OK(w->pl, pl_decl_dat(w->cells, 6, PL_DOUBLE, NULL, "corner", &w->corner));
  PL_OK(w->pl, pl_decl_dat(w->cells, 3, PL_DOUBLE, NULL, "share", &w->share));
}

static void declare_particles(walk *w, int64_t n, const double *x, const int64_t *random, const int *cell)
{
  PL_OK(w->pl, pl_decl_set(w->pl, n, "particles", &w->particles));
  PL_OK(w->pl, pl_decl_map(w->particles, w->cells, 1, cell, "where", &w->where));
  PL_OK(w->pl, pl_decl_dat(w->particles, 2, PL_DOUBLE, x, "x", &w->x));
  PL_OK(w->pl, pl_decl_dat(w->particles, 1, PL_INT64, random, "random", &w->random));
}

static void declare_globals(walk *w, double length)
{
  PL_OK(w->pl, pl_decl_global(w->pl, 1, PL_DOUBLE, &length, "length", &w->length));
  PL_OK(w->pl, pl_decl_global(w->pl, 1, PL_INT64, NULL, "count", &w->count));
  PL_OK(w->pl, pl_decl_global(w->pl, 2, PL_DOUBLE, NULL, "sum", &w->sum));
  PL_OK(w->pl, pl_decl_global(w->pl, 1, PL_DOUBLE, NULL, "outside", &w->outside));
  PL_OK(w->pl, pl_decl_global(w->pl, 3, PL_DOUBLE, NULL, "total", &w->total));
}

/* Under mpirun rank 0 declares all objects, and pl_partition moves cells, with their data, to their ranks. */
static bool declare(walk *w, const settings *set, const triangle_mesh *mesh, double length)
{
  static const triangle_mesh none = {0};
  int64_t n = pl_rank(w->pl) ? 0 : set->particles;
  double *x = malloc(((size_t)n + 1) * 2 * sizeof *x);
  int64_t *random = malloc(((size_t)n + 1) * sizeof *random);
  int *cell = calloc((size_t)n + 1, sizeof *cell);
  bool good = x && random && cell;
  w->stream.state = (uint64_t)set->seed + 1;
  if (good && n) place_particles(&w->stream, n, x, random);
  if (good) {
    declare_mesh(w, pl_rank(w->pl) ? &none : mesh);
    declare_particles(w, n, x, random, cell);
    declare_globals(w, length);
    PL_OK(w->pl, pl_partition(w->cells, PL_PARTITION_BISECTION, &(pl_partition_options){.coords = w->place}));
  }
  free(x);
  free(random);
  free(cell);
  return good;
}

/* ---- the walk ---- */

static void locate(walk *w)
{
  PL_OK(w->pl, pl_particle_move(find, w->where, w->faces, HERE(w->x, PL_READ),
                                pl_arg_dat(w->place, PL_ALL, w->corners, PL_READ)));
}

static void leave_weights(walk *w)
{
  PL_OK(w->pl, pl_dat_zero(w->share));
  PL_OK(w->pl, pl_dat_zero(w->weight));
  PL_OK(w->pl, pl_par_loop(deposit, w->particles, pl_arg_dat(w->share, 0, w->where, PL_INC),
                           HERE(w->x, PL_READ), pl_arg_dat(w->corner, 0, w->where, PL_READ)));
  PL_OK(w->pl, pl_par_loop(spread, w->cells, pl_arg_dat(w->weight, PL_ALL, w->corners, PL_INC),
                           HERE(w->share, PL_READ)));
}

/* As many as have left begin again, on rank 0, in a cell of its own; the next search takes them to theirs. */
static void inject(walk *w, const settings *set)
{
  int64_t n = pl_rank(w->pl) ? 0 : set->particles - pl_set_global_size(w->particles), *random;
  double *x = calloc(2 * (size_t)n + 2, sizeof *x);
  int *cell = calloc((size_t)n + 1, sizeof *cell);
  random = calloc((size_t)n + 1, sizeof *random);
  if (!x || !cell || !random || !pl_set_size(w->cells)) n = 0;
  place_particles(&w->stream, n, x, random);
  const pl_values values[] = {PL_VALUES(w->x, x), PL_VALUES(w->random, random)};
  PL_OK(w->pl, pl_particle_add_values(w->particles, n, cell, 2, values));
  free(x);
  free(cell);
  free(random);
}

static void go(walk *w, const settings *set, result *r)
{
  PL_OK(w->pl, pl_par_loop(copy_corners, w->cells, HERE(w->corner, PL_WRITE),
                           pl_arg_dat(w->place, PL_ALL, w->corners, PL_READ)));
  locate(w);
  leave_weights(w);
  progress shown;
  progress_begin(&shown, pl_rank(w->pl), "steps", 0, set->steps);
  double start = wall_seconds();
  for (int64_t s = 0; s < set->steps; s++) {
    PL_OK(w->pl, pl_par_loop(step, w->particles, HERE(w->x, PL_RW), HERE(w->random, PL_RW),
                             pl_arg_gbl(w->length, PL_READ)));
    locate(w);
    if (set->inject) {
      inject(w, set);
      locate(w);
    }
    leave_weights(w);
    progress_step(&shown, s + 1);
  }
  progress_clear(&shown);
  PL_OK(w->pl, pl_sync(w->pl));
  r->seconds = wall_seconds() - start;
}

static void look(walk *w, result *r)
{
  PL_OK(w->pl, pl_par_loop(survey, w->particles, pl_arg_gbl(w->count, PL_INC), pl_arg_gbl(w->sum, PL_INC),
                           pl_arg_gbl(w->outside, PL_MAX), HERE(w->x, PL_READ),
                           pl_arg_dat(w->corner, 0, w->where, PL_READ)));
  PL_OK(w->pl, pl_par_loop(weigh, w->vertices, pl_arg_gbl(w->total, PL_INC), HERE(w->weight, PL_READ),
                           HERE(w->place, PL_READ)));
  PL_OK(w->pl, pl_global_get(w->count, &r->left));
  PL_OK(w->pl, pl_global_get(w->sum, r->sum));
  PL_OK(w->pl, pl_global_get(w->outside, &r->outside));
  PL_OK(w->pl, pl_global_get(w->total, r->weight));
}

/* ---- results ---- */

/* Every particle lies in its cell; weights at vertices add up to the particles, and, as barycentric
 * coordinates do, to the places where they are. */
static bool check(const settings *set, const result *r)
{
  double off = fabs(r->weight[0] - (double)r->left);
  for (int a = 0; a < 2; a++) off = fmax(off, fabs(r->weight[1 + a] - r->sum[a]));
  bool all = !set->inject || r->left == set->particles;
  bool good = all && r->left > 0 && r->outside <= 1e-14 && off <= 1e-12 * (double)r->left;
  printf("check: particles outside their cells by %g; weights off by %.1e of %lld: %s\n", r->outside, off,
         (long long)r->left, good ? "ok" : "WRONG");
  return good;
}

static bool write_weights(const settings *set, const triangle_mesh *mesh, const double *weight)
{
  FILE *file = fopen(set->dump, "w");
  if (!file) return output_error("walk", set->dump, strerror(errno));
  fprintf(file, "# x y weight\n");
  for (int v = 0; v < mesh->nvertex; v++)
    fprintf(file, "%.9g %.9g %.9g\n", mesh->place[2 * v], mesh->place[2 * v + 1], weight[v]);
  bool good = !ferror(file);
  good = fclose(file) == 0 && good;
  return good || output_error("walk", set->dump, "could not be written");
}

/* Rank 0 gets the weights of the vertices that it declared. */
static bool dump(walk *w, const settings *set, const triangle_mesh *mesh)
{
  double *weight = malloc((size_t)mesh->nvertex * sizeof *weight);
  if (!weight) return output_error("walk", "--dump", "no memory");
  PL_OK(w->pl, pl_dat_fetch(w->weight, weight));
  bool good = pl_rank(w->pl) > 0 || write_weights(set, mesh, weight);
  free(weight);
  return good;
}

static bool write_files(const walk *w, const output_files *files)
{
  const picture p = {.title = "Weight", .x = w->place, .corners = w->corners, .value = w->weight};
  return output_write(w->pl, "walk", files, &p);
}

static bool write_json(const walk *w, const settings *set, const triangle_mesh *mesh, const result *r)
{
  json_writer json;
  if (!output_json_open(w->pl, "walk", set->json, &json)) return false;
  json_integer(&json, "cells", mesh->ncell);
  json_integer(&json, "particles", set->particles);
  json_integer(&json, "left", r->left);
  json_integer(&json, "steps", set->steps);
  json_number(&json, "seconds", r->seconds);
  json_number(&json, "weight", r->weight[0]);
  return output_json_close("walk", set->json, &json);
}

static bool report(const walk *w, const settings *set, const triangle_mesh *mesh, const result *r)
{
  printf("walk: %lld of %lld particles are still on %d triangles after %lld steps on %s, %d rank%s: %.3f s, "
         "%.3f M particle-steps/s\n",
         (long long)r->left, (long long)set->particles, mesh->ncell, (long long)set->steps,
         pl_backend_name(w->pl), pl_ranks(w->pl), pl_ranks(w->pl) == 1 ? "" : "s", r->seconds,
         r->seconds > 0 ? 1e-6 * (double)(set->particles * set->steps) / r->seconds : 0);
  bool good = !set->json || write_json(w, set, mesh, r);
  return (!set->check || check(set, r)) && good;
}

static bool run(pl_context *pl, const settings *set, const triangle_mesh *mesh)
{
  walk w = {.pl = pl};
  result r = {0};
  char *end;
  double length = strtod(set->length, &end);
  if (*end || !(length > 0) || !isfinite(length))
    return output_error("walk", "--length", "not a number above 0");
  if (!declare(&w, set, mesh, length)) return output_error("walk", "--particles", "no memory for so many");
  go(&w, set, &r);
  look(&w, &r);
  bool good = !set->dump || dump(&w, set, mesh);
  good &= write_files(&w, &set->files);
  return (pl_rank(pl) > 0 || report(&w, set, mesh, &r)) && good;
}

int main(int argc, char **argv)
{
  settings set = {.side = 100, .particles = 100000, .steps = 50, .seed = 1, .length = "0.02"};
  const option_row rows[] = {
    {"side", "N", OPTION_INTEGER, &set.side, 1, 20000, "squares along a side, of two triangles each"},
    {"particles", "N", OPTION_INTEGER, &set.particles, 1, 2000000000, "particles"},
    {"steps", "N", OPTION_INTEGER, &set.steps, 0, 1000000000, "steps of each particle"},
    {"length", "L", OPTION_TEXT, &set.length, 0, 0,
     "maximum length of a step along each axis; the square has side 1"},
    {"inject", "", OPTION_FLAG, &set.inject, 0, 0, "add as many particles in the middle as have left"},
    {"seed", "N", OPTION_INTEGER, &set.seed, 0, INT64_MAX - 1, "seed of the random numbers"},
    {"dump", "FILE", OPTION_TEXT, &set.dump, 0, 0, "write the weights of the vertices"},
    OUTPUT_OPTIONS(&set.files, "the weights of the vertices", "mesh, weights and particles"),
    {"json", "FILE", OPTION_TEXT, &set.json, 0, 0, "write counts and times"},
    {"check", "", OPTION_FLAG, &set.check, 0, 0, "check positions, cells and weights"},
    {0}};
  const option_program program = {
    "walk", "Particles walk at random over a mesh of triangles and deposit their weights at its vertices.",
    "PLAIT_BACKEND selects the backend (seq, openmp, cuda, opencl). docs/md.md explains the program.", true};
  int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  pl_context *pl;
  triangle_mesh mesh;
  pl = open_plait(program.name, &argc, &argv);
  bool good = triangle_mesh_make(&mesh, (int)set.side, (uint64_t)set.seed) ||
              output_error("walk", "--side", "no memory for the mesh");
  if (good) good = run(pl, &set, &mesh);
  triangle_mesh_free(&mesh);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
