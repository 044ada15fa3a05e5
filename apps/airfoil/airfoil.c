/* SPDX-License-Identifier: BSD-2-Clause
 * airfoil: inviscid flow round an aerofoil, the field's standard benchmark, on Plait.
 */
#include "plait.h"

#include "../common/wall.h"
#include "solver.h"

typedef struct command_line {
  int *argc;
  char ***argv;
} command_line;

static bool solve(void *context, const airfoil_job *job, const airfoil_mesh *mesh, airfoil_report *report)
{
  const command_line *line = context;
  const double start = wall_seconds();
  solver_context opened = {NULL, 0.0};
  bool good = pl_init(line->argc, line->argv, NULL, &opened.pl) == PL_SUCCESS;
  opened.open_seconds = wall_seconds() - start;
  if (good) {
    snprintf(report->backend, sizeof report->backend, "%s", pl_backend_name(opened.pl));
    report->threads = pl_backend_threads(opened.pl);
    good = (job->single ? airfoil_solve_float : airfoil_solve_double)(&opened, job, mesh, report);
  } else {
    fprintf(stderr, "airfoil: %s\n", pl_errmsg(opened.pl));
  }
  pl_finalize(&opened.pl);
  return good;
}

int main(int argc, char **argv)
{
  const option_program program = {
    "airfoil",
    "Inviscid flow round a NACA 0012 aerofoil at Mach 0.4: nine loops over an unstructured mesh a time step.",
    "PLAIT_BACKEND chooses where it runs, OMP_NUM_THREADS the number of threads.", true};
  command_line line = {&argc, &argv};
  return airfoil_main(&program, solve, &line, argc, argv);
}
