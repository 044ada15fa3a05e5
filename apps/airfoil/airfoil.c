/* SPDX-License-Identifier: BSD-2-Clause
 * airfoil: inviscid flow round an aerofoil, the field's standard benchmark, on Plait.
 */
#include "plait.h"

#include <string.h>

#include "../common/wall.h"
#include "mesh_hdf5.h"
#include "solver.h"

typedef struct command_line {
  int *argc;
  char ***argv;
} command_line;

/* Each rank makes its part of the mesh, or reads it from an HDF5 file, unless the mesh is wanted whole: to be
 * permuted, or because its file is text. */
static bool in_parts(const airfoil_job *job)
{
  return job->seed < 0 && (!job->mesh_path || mesh_is_hdf5(job->mesh_path));
}

static bool read(const airfoil_job *job, airfoil_mesh *mesh, mesh_error *error)
{
  *mesh = (airfoil_mesh){0};
  if (in_parts(job)) return true;
  if (!job->mesh_path) return mesh_make(mesh, job->size[0], job->size[1], error);
  return mesh_load(mesh, job->mesh_path, error);
}

/* A mesh that ranks have in parts: declares that of a file, or makes one for the solver to declare. */
static bool declare(solver_context *opened, const airfoil_job *job, mesh_objects *objects, airfoil_mesh *part,
                    airfoil_report *report)
{
  mesh_error error;
  const double start = wall_seconds();
  if (!in_parts(job)) return true;
  if (job->mesh_path) opened->declared = objects;
  if (!job->mesh_path) opened->part = part;
  const bool good = job->mesh_path ? mesh_declare(opened->pl, job->mesh_path, objects, &error)
                                   : mesh_make_part(part, job->size[0], job->size[1], pl_rank(opened->pl),
                                                    pl_ranks(opened->pl), &error);
  if (!good && pl_rank(opened->pl) == 0) fprintf(stderr, "airfoil: %s\n", error.text);
  report->mesh_seconds = wall_seconds() - start;
  return good;
}

static bool solve(void *context, const airfoil_job *job, const airfoil_mesh *mesh, airfoil_report *report)
{
  const command_line *line = context;
  const double start = wall_seconds();
  solver_context opened = {0};
  mesh_objects objects;
  airfoil_mesh part;
  bool good = pl_init(line->argc, line->argv, NULL, &opened.pl) == PL_SUCCESS;
  opened.open_seconds = wall_seconds() - start;
  if (good) {
    snprintf(report->backend, sizeof report->backend, "%s", pl_backend_name(opened.pl));
    report->threads = pl_backend_threads(opened.pl);
    good = declare(&opened, job, &objects, &part, report) &&
           (job->single ? airfoil_solve_float : airfoil_solve_double)(&opened, job, mesh, report);
  } else {
    fprintf(stderr, "airfoil: %s\n", pl_errmsg(opened.pl));
  }
  pl_finalize(&opened.pl);
  return good;
}

/* The backends that can be used here: "name yes" or "name no reason", separated by tabs. */
static int list_backends(void)
{
  const char *const options[] = {"backend=seq", NULL};
  const pl_settings settings = {.options = options};
  const char *name, *why_not;
  pl_context *pl;
  PL_OK(pl, pl_init(NULL, NULL, &settings, &pl));
  for (int i = 0; pl_backend_at(pl, i, &name, &why_not) == PL_SUCCESS; i++)
    printf("%s\t%s%s%s\n", name, why_not ? "no" : "yes", why_not ? "\t" : "", why_not ? why_not : "");
  pl_finalize(&pl);
  return 0;
}

int main(int argc, char **argv)
{
  const option_program program = {
    "airfoil",
    "Inviscid flow around a NACA 0012 aerofoil at Mach 0.4: nine loops over an unstructured mesh a time "
    "step.",
    "PLAIT_BACKEND selects the backend, OMP_NUM_THREADS the number of threads.\n"
    "airfoil --backends, without other arguments, lists the backends and whether this machine supports them.",
    true};
  if (argc == 2 && strcmp(argv[1], "--backends") == 0) return list_backends();
  command_line line = {&argc, &argv};
  return airfoil_main(&program, read, solve, &line, argc, argv);
}
