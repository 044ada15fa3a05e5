/* SPDX-License-Identifier: BSD-2-Clause
 * euler, and with DIM = 3 euler3d: the inviscid flow of a gas on an unstructured mesh. docs/euler.md explains
 * the program. The physics is in kernels.c, the solver in flow.c; this file reads the mesh and the options
 * and prints the results.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/open.h"
#include "../common/options.h"
#include "../common/output.h"
#include "../common/picture.h"
#include "../common/progress.h"
#include "../common/ranks.h"
#include "../common/wall.h"
#include "cases.h"
#include "flow.h"

#if DIM == 3
#define DIMENSIONS "three"
static const char *const program = "euler3d";
#else
#define DIMENSIONS "two"
static const char *const program = "euler";
#endif

typedef struct settings {
  const char *name, *mesh, *wall, *farfield, *scheme, *json, *start, *window;
  output_files files;
  flow_settings flow;
  double chord, digits;
  int64_t size, iterations;
  bool check;
} settings;

typedef struct outcome {
  int64_t cells, steps;
  double seconds, residual, lift, drag;
  double error;           /* vortex: of the density */
  double pressure, angle; /* wedge: behind the shock, over the stream's; of the shock in degrees */
} outcome;

/* ---- the mesh ---- */

/* The parts of the boundary whose names are in the list, separated by commas. */
static void find_sides(flow *f, const char *names, flow_sides *found)
{
  char name[128];
  for (const char *at = names; *at && found->n < FLOW_SIDES; at += strcspn(at, ","), at += *at == ',') {
    const pl_mesh_group *group;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
    PL_OK(f->pl, pl_mesh_find(f->mesh, name, &group));
    if (group->boundary) found->set[found->n++] = group->boundary;
  }
}

/* Every face of the boundary needs one condition. */
static bool sides_complete(flow *f)
{
  int64_t left = pl_set_size(f->mesh->boundary);
  for (int s = 0; s < f->wall.n; s++) left -= pl_set_size(f->wall.set[s]);
  for (int s = 0; s < f->far.n; s++) left -= pl_set_size(f->far.set[s]);
  if (ranks_most(f->pl, left ? 1 : 0) == 0) return true;
  return output_error(program, "boundary", "name each of its groups once, in --wall or in --farfield");
}

/* Each rank writes the mesh of a case to a temporary file of its own. */
static bool read_case(flow *f, const settings *set, int size)
{
  char path[] = "/tmp/euler-XXXXXX.su2";
  const int file = mkstemps(path, 4);
  if (file < 0 || close(file) || !cases_write_mesh(set->name, size, DIM, path))
    return output_error(program, path, "cannot be written");
  PL_OK(f->pl, pl_mesh_read(f->pl, path, &f->mesh));
  unlink(path);
  return true;
}

static bool read_mesh(flow *f, const settings *set, int size)
{
  if (!set->mesh && !read_case(f, set, size)) return false;
  if (set->mesh) PL_OK(f->pl, pl_mesh_read(f->pl, set->mesh, &f->mesh));
  if (f->mesh->dim != DIM)
    return output_error(program, set->mesh, "expected a mesh of " DIMENSIONS " dimensions");
  PL_OK(f->pl, pl_mesh_geometry(f->mesh));
  PL_OK(f->pl, pl_partition(f->mesh->cells, PL_PARTITION_BISECTION,
                            &(pl_partition_options){.coords = f->mesh->centroid}));
  find_sides(f, set->wall, &f->wall);
  find_sides(f, set->farfield, &f->far);
  return sides_complete(f);
}

/* ---- runs ---- */

/* Lift and drag: the force across and along the stream, over its pressure rho v^2 / 2 and the chord. */
static void find_coefficients(flow *f, const settings *set, outcome *o)
{
  double force[3];
  const double *along = f->direction, scale = 2 / (f->mach * f->mach * set->chord);
  flow_force(f, force);
  o->lift = scale * (force[1] * along[0] - force[0] * along[1]);
  o->drag = scale * (force[0] * along[0] + force[1] * along[1]);
}

/* A line of the table of results; true at the end. */
static bool look(flow *f, const settings *set, const progress *shown, double *first, outcome *o)
{
  o->residual = flow_residual(f);
  find_coefficients(f, set, o);
  if (o->steps == 1) *first = o->residual;
  progress_clear(shown);
  if (!pl_rank(f->pl)) printf("%9d  %10.3e  %11.6f  %11.6f\n", (int)o->steps, o->residual, o->lift, o->drag);
  return !(o->residual > *first * pow(10, -set->digits)) || o->steps == set->iterations;
}

/* Implicit steps begin short and grow. */
static void run_steady(flow *f, const settings *set, outcome *o)
{
  progress shown;
  double first = 0, cfl = fmin(5, set->flow.cfl);
  const int every = set->flow.implicit ? 10 : 200;
  if (!pl_rank(f->pl)) printf("     step    residual          C_L          C_D\n");
  progress_begin(&shown, pl_rank(f->pl), "steps", 0, set->iterations);
  do {
    if (set->flow.implicit)
      flow_implicit_step(f, cfl = fmin(1.1 * cfl, set->flow.cfl));
    else
      flow_explicit_step(f);
    progress_step(&shown, ++o->steps);
  } while ((o->steps > 1 && o->steps % every && o->steps < set->iterations) ||
           !look(f, set, &shown, &first, o));
  progress_clear(&shown);
}

/* The stream carries the vortex through the middle of the square in the time 1. */
static void run_vortex(flow *f, outcome *o)
{
  progress shown;
  const double time = 1, way = 0.5 * time * f->mach;
  const double end[2] = {way * f->direction[0], way * f->direction[1]};
  flow_start_vortex(f, (const double[2]){-end[0], -end[1]});
  const int steps = flow_same_step(f, time);
  progress_begin(&shown, pl_rank(f->pl), "steps", 0, steps);
  for (; o->steps < steps; progress_step(&shown, ++o->steps)) flow_advance(f);
  progress_clear(&shown);
  o->error = flow_vortex_error(f, end);
}

/* The pressure on the ramp is its force along x over its height, and p_stream is 1 / 1.4. The area between
 * ramp and shock is the integral of the excess of the pressure over that behind the shock. */
static void measure_shock(flow *f, const settings *set, outcome *o)
{
  const double depth = cases_depth(set->name, (int)set->size, DIM), slope = cases_wedge_slope();
  double force[3];
  flow_force(f, force);
  o->pressure = 1.4 * force[0] / (slope * depth);
  o->angle = 180 / M_PI * atan(slope + 2 * flow_excess_pressure(f) / (depth * (o->pressure - 1)));
}

static bool is_case(const settings *set, const char *name)
{
  return !set->mesh && strcmp(set->name, name) == 0;
}

/* The Mach number in colours, and the flow for ParaView. */
static bool write_files(flow *f, const settings *set)
{
  picture p = {.title = "Mach number",
               .tetrahedra = DIM == 3,
               .x = f->mesh->x,
               .corners = f->mesh->cell_nodes,
               .value = f->local_mach};
  double *at = p.window;
  if (set->window && sscanf(set->window, "%lf,%lf,%lf,%lf", at, at + 1, at + 2, at + 3) != 4)
    return output_error(program, "--window", "expected four numbers: left,right,bottom,top");
  flow_find_mach(f);
  return output_write(f->pl, program, &set->files, &p);
}

static bool run(pl_context *pl, const settings *set, int size, outcome *o)
{
  flow f = {.pl = pl};
  if (!read_mesh(&f, set, size)) return false;
  flow_declare(&f, &set->flow);
  if (set->start) PL_OK(pl, pl_restore(pl, set->start));
  o->cells = pl_set_global_size(f.mesh->cells);
  const double begin = wall_seconds();
  if (is_case(set, "vortex"))
    run_vortex(&f, o);
  else
    run_steady(&f, set, o);
  if (is_case(set, "wedge")) measure_shock(&f, set, o);
  o->seconds = wall_seconds() - begin;
  const bool good = isfinite(o->residual + o->error)
                      ? write_files(&f, set)
                      : output_error(program, "flow", "it has no finite values: choose a smaller --cfl");
  flow_free(&f);
  return good;
}

/* ---- checks ---- */

/* The error falls with the square of the size of cells or, on the tetrahedra, faster. */
static bool check_vortex(pl_context *pl, const settings *set, const outcome *o)
{
  outcome coarse = {0};
  settings quiet = *set;
  quiet.files = (output_files){NULL, NULL};
  quiet.start = NULL;
  if (!run(pl, &quiet, (int)set->size / 2, &coarse)) return false;
  const double order = log2(coarse.error / o->error);
  const bool good = order > 1.8 && order < 3;
  if (!pl_rank(pl))
    printf("%s: error %.3e, and %.3e with half the size: order %.2f: %s\n", program, o->error, coarse.error,
           order, good ? "ok" : "WRONG");
  return good;
}

static bool check_wedge(pl_context *pl, const settings *set, const outcome *o)
{
  double degrees, pressure;
  cases_shock(set->flow.mach, &degrees, &pressure);
  const bool good = fabs(o->angle - degrees) < 0.5 && fabs(o->pressure / pressure - 1) < 0.01;
  if (!pl_rank(pl))
    printf("%s: shock at %.2f degrees (theory %.2f), pressure %.4f (theory %.4f): %s\n", program, o->angle,
           degrees, o->pressure, pressure, good ? "ok" : "WRONG");
  return good;
}

static bool check(pl_context *pl, const settings *set, const outcome *o)
{
  if (is_case(set, "vortex")) return check_vortex(pl, set, o);
  if (is_case(set, "wedge")) return check_wedge(pl, set, o);
  return output_error(program, "--check", "there are theories for --case vortex and --case wedge only");
}

/* ---- the program ---- */

static bool write_json(pl_context *pl, const settings *set, const outcome *o)
{
  json_writer json;
  if (!set->json || pl_rank(pl)) return true;
  if (!output_json_open(pl, program, set->json, &json)) return false;
  json_text(&json, "mesh", set->mesh ? set->mesh : set->name);
  json_integer(&json, "cells", o->cells);
  json_integer(&json, "steps", o->steps);
  json_number(&json, "seconds", o->seconds);
  json_number(&json, "residual", o->residual);
  json_number(&json, "lift", o->lift);
  json_number(&json, "drag", o->drag);
  if (is_case(set, "vortex")) json_number(&json, "error", o->error);
  if (is_case(set, "wedge")) json_number(&json, "shock_angle", o->angle);
  if (is_case(set, "wedge")) json_number(&json, "shock_pressure", o->pressure);
  return output_json_close(program, set->json, &json);
}

static void report(pl_context *pl, const settings *set, const outcome *o)
{
  if (pl_rank(pl)) return;
  printf("%s: %lld cells, %lld steps in %.2f s on %s\n", program, (long long)o->cells, (long long)o->steps,
         o->seconds, pl_backend_name(pl));
  if (is_case(set, "vortex"))
    printf("%s: error of the density %.4e\n", program, o->error);
  else
    printf("%s: C_L %.5f, C_D %.5f, residual %.2e\n", program, o->lift, o->drag, o->residual);
}

enum { LEAST_SIZE = 4 };

/* Options that are not given have the values of the case. */
static void complete(settings *set)
{
  const euler_case *c = cases_find(set->name);
  set->flow.implicit = !is_case(set, "vortex") && strcmp(set->scheme, "implicit") == 0;
  if (isnan(set->flow.cfl)) set->flow.cfl = set->flow.implicit ? 1000 : 2;
  if (!set->iterations) set->iterations = set->flow.implicit ? 400 : 20000;
  if (isnan(set->flow.mach)) set->flow.mach = set->mesh ? 0.5 : c->mach;
  if (isnan(set->flow.alpha)) set->flow.alpha = set->mesh ? 0 : c->alpha;
  if (!set->size) set->size = c->size;
}

static int read_options(int argc, char **argv, settings *set)
{
  const option_row rows[] = {
    {"case", CASES, OPTION_CHOICE, &set->name, 0, 0, "built-in case, if there is no --mesh"},
    {"size", "N", OPTION_INTEGER, &set->size, 0, 10000,
     "about N x N cells in its mesh (0: as many as its check needs)"},
    {"mesh", "FILE", OPTION_TEXT, &set->mesh, 0, 0, "read the mesh (Gmsh, SU2, CGNS)"},
    {"wall", "NAME,...", OPTION_TEXT, &set->wall, 0, 0, "parts of the boundary that are slip walls"},
    {"farfield", "NAME,...", OPTION_TEXT, &set->farfield, 0, 0, "parts with the free stream outside"},
    {"mach", "M", OPTION_REAL, &set->flow.mach, 0, 0,
     "Mach number of the stream (of the case; of a mesh 0.5)"},
    {"alpha", "DEGREES", OPTION_REAL, &set->flow.alpha, 0, 0, "angle of attack (of the case; of a mesh 0)"},
    {"chord", "LENGTH", OPTION_REAL, &set->chord, 0, 0,
     DIM == 3 ? "area in the coefficients" : "length in the coefficients"},
    {"scheme", "implicit|explicit", OPTION_CHOICE, &set->scheme, 0, 0, "time steps to steady flow"},
    {"cfl", "C", OPTION_REAL, &set->flow.cfl, 0, 0, "greatest time step (1000; explicit: 2)"},
    {"limiter", "K", OPTION_REAL, &set->flow.limiter, 0, 0,
     "differences to (K h)^1.5 in cells of size h are not limited; -1: none"},
    {"iterations", "N", OPTION_INTEGER, &set->iterations, 0, 1000000000,
     "steps at most (0: 400; explicit: 20000)"},
    {"digits", "N", OPTION_REAL, &set->digits, 0, 0, "end when the residual has fallen by 10^N"},
    {"json", "FILE", OPTION_TEXT, &set->json, 0, 0, "write the results"},
    OUTPUT_OPTIONS(&set->files, "the Mach number", "mesh and flow"),
    {"window", "L,R,B,T", OPTION_TEXT, &set->window, 0, 0, "left, right, bottom and top of the picture"},
    {"start", "FILE", OPTION_TEXT, &set->start, 0, 0, "begin with the flow that --save wrote"},
    {"check", "", OPTION_FLAG, &set->check, 0, 0, "compare the results of a case with theory"},
    {0}};
  const option_program described = {
    program,
    "Inviscid flow of a gas on an unstructured mesh of " DIMENSIONS " dimensions, by finite volumes.",
    "PLAIT_BACKEND selects the backend (seq, openmp, cuda, hip, opencl).", true};
  const int status = options_parse(&described, rows, argc, argv);
  if (status != OPTIONS_RUN || !set->size || set->size >= LEAST_SIZE) return status;
  fprintf(stderr, "%s: --size %d: a case has at least %d x %d cells\n", program, (int)set->size, LEAST_SIZE,
          LEAST_SIZE);
  return OPTIONS_USAGE;
}

int main(int argc, char **argv)
{
  settings set = {
    .name = "vortex",
    .wall = "wall",
    .farfield = "farfield",
    .scheme = "implicit",
    .chord = 1,
    .digits = 5,
  };
  set.flow = (flow_settings){.mach = NAN, .alpha = NAN, .cfl = NAN, .limiter = 5};
  const int status = read_options(argc, argv, &set);
  if (status != OPTIONS_RUN) return status;
  complete(&set);
  pl_context *pl;
  outcome o = {0};
  pl = open_plait(program, &argc, &argv);
  bool good = run(pl, &set, (int)set.size, &o);
  if (good) report(pl, &set, &o);
  if (good && set.check) good = check(pl, &set, &o);
  good = good && write_json(pl, &set, &o);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
