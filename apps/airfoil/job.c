/* SPDX-License-Identifier: BSD-2-Clause
 * Job: the program round the solver. See job.h.
 */
#include "job.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../common/partition.h"
#include "../common/wall.h"

/* Options that each airfoil program has; those behind them are Plait's own. */
enum { FOR_ALL = 8 };

static int read_options(const option_program *program, airfoil_job *job, int argc, char **argv)
{
  option_row rows[] = {
    {"mesh", "FILE", OPTION_TEXT, &job->mesh_path, 0, 0,
     "read the mesh from FILE (text of new_grid.dat, or *.h5)"},
    {"size", "IxJ", OPTION_SIZE, job->size, 0, 0, "make a mesh of 3 I J cells if no --mesh is given"},
    {"iterations", "N", OPTION_INTEGER, &job->iterations, 0, INT_MAX - 1, "time steps"},
    {"precision", "double|single", OPTION_CHOICE, &job->precision, 0, 0, "type of all floating-point values"},
    {"permute", "SEED", OPTION_INTEGER, &job->seed, -1, INT64_MAX,
     "number the mesh at random first; -1: keep its order"},
    {"json", "FILE", OPTION_TEXT, &job->json_path, 0, 0, "write times, rms and hash to FILE"},
    {"check", NULL, OPTION_FLAG, &job->check, 0, 0, "compare the rms with the reference values"},
    {"chain", NULL, OPTION_FLAG, &job->chain, 0, 0, "fuse the loops of a time step"},
    [FOR_ALL] = {"renumber", "auto|off|rcm|hilbert|metis", OPTION_CHOICE, &job->renumber, 0, 0,
                 "renumbering of the mesh in storage"},
    {"partition", PARTITION_METHODS, OPTION_CHOICE, &job->partition, 0, 0,
     "partitioner of the cells under mpirun"},
    OUTPUT_OPTIONS(&job->files, "the final Mach number around the aerofoil", "mesh and final flow"),
    CHECKPOINT_OPTIONS(&job->checkpoint),
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  if (!program->plait) rows[FOR_ALL].name = NULL;
  const int status = options_parse(program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  job->single = strcmp(job->precision, "single") == 0;
  return OPTIONS_RUN;
}

static bool load_mesh(const option_program *program, airfoil_reader reader, const airfoil_job *job,
                      airfoil_mesh *mesh)
{
  mesh_error error;
  if (reader(job, mesh, &error) && (job->seed < 0 || mesh_permute(mesh, (uint64_t)job->seed, &error)))
    return true;
  fprintf(stderr, "%s: %s\n", program->name, error.text);
  return false;
}

/* The work after the solver: prints, writes and checks the report, also after a failure. */
static bool hand_over(const airfoil_job *job, const airfoil_report *report)
{
  if (report->rank > 0) return true;
  report_print(report);
  bool good = true;
  if (job->json_path) good &= report_json(report, job->json_path);
  if (job->check) good &= report_check(report);
  return good;
}

/* Finds out before the run, not after it, that a file cannot be written. */
static bool writable(const option_program *program, const char *path)
{
  FILE *file = path ? fopen(path, "a") : NULL;
  if (file) fclose(file);
  if (file || !path) return true;
  fprintf(stderr, "%s: %s cannot be written: %s\n", program->name, path, strerror(errno));
  return false;
}

int airfoil_main(const option_program *program, airfoil_reader reader, airfoil_solver solver, void *context,
                 int argc, char **argv)
{
  airfoil_job job = {.size = {400, 600},
                     .iterations = 1000,
                     .checkpoint = {.every = 100},
                     .precision = "double",
                     .partition = "block",
                     .renumber = "auto",
                     .seed = -1};
  const int status = read_options(program, &job, argc, argv);
  if (status != OPTIONS_RUN) return status;

  if (!writable(program, job.json_path)) return 1;

  airfoil_mesh mesh;
  airfoil_report report;
  const double start = wall_seconds();
  if (!load_mesh(program, reader, &job, &mesh)) return 1;
  bool good = report_init(&report, &mesh, (int)job.iterations);
  if (!good) fprintf(stderr, "%s: no memory for the results of %d cells\n", program->name, mesh.ncell);
  report.mesh_seconds = wall_seconds() - start;
  report.precision = job.precision;
  good = good && solver(context, &job, &mesh, &report) && hand_over(&job, &report);
  report_free(&report);
  mesh_free(&mesh);
  return good ? 0 : 1;
}
