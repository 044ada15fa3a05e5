/* SPDX-License-Identifier: BSD-2-Clause
 * Job: what an airfoil program is asked to do, and everything it does round the solver: options, mesh,
 * report, JSON, check. The app and its hand-written comparator differ only in the solver they bring.
 */
#ifndef AIRFOIL_JOB_H
#define AIRFOIL_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/file_options.h"
#include "../common/options.h"
#include "mesh.h"
#include "report.h"

typedef struct airfoil_job {
  const char *mesh_path; /* NULL: make one of this size */
  output_files files;
  const char *precision, *json_path;
  const char *partition;       /* block or random */
  const char *renumber;        /* auto, off or a method */
  checkpoint_files checkpoint; /* to continue from and to write */
  int size[2];
  int64_t iterations, seed; /* seed < 0: mesh not permuted */
  bool single, check, chain;
} airfoil_job;

/* Runs the job on the mesh: fills in backend, threads, ranks, times, loops, rms and flow of the report.
 * Returns false after a complaint on stderr. */
typedef bool (*airfoil_solver)(void *context, const airfoil_job *job, const airfoil_mesh *mesh,
                               airfoil_report *report);

/* Makes the job's mesh or reads it from its file (mesh.h, mesh_hdf5.h), or leaves that to the solver: then
 * the mesh is empty. */
typedef bool (*airfoil_reader)(const airfoil_job *job, airfoil_mesh *mesh, mesh_error *error);

/* The whole program; returns its exit status: 0, 1 (something failed, the check too) or 2 (wrong command
 * line). */
int airfoil_main(const option_program *program, airfoil_reader reader, airfoil_solver solver, void *context,
                 int argc, char **argv);

#endif
