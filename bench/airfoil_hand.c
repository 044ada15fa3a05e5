/* SPDX-License-Identifier: BSD-2-Clause
 * airfoil_hand: airfoil written by hand in plain C and OpenMP, the reference for Plait's airfoil in the same
 * run. Same options and output; it does not use the library.
 */
#include "airfoil_hand.h"

#include <stddef.h>

static bool read(const airfoil_job *job, airfoil_mesh *mesh, mesh_error *error)
{
  return job->mesh_path ? mesh_read(mesh, job->mesh_path, error)
                        : mesh_make(mesh, job->size[0], job->size[1], error);
}

static bool solve(void *context, const airfoil_job *job, const airfoil_mesh *mesh, airfoil_report *report)
{
  (void)context;
  return job->single ? hand_solve_float(job, mesh, report) : hand_solve_double(job, mesh, report);
}

int main(int argc, char **argv)
{
  const option_program program = {
    "airfoil_hand",
    "Inviscid flow round an aerofoil, written by hand in plain C: what Plait's airfoil is measured against.",
    "OMP_NUM_THREADS sets the number of threads; with 1 every loop is a plain sequential loop.", false};
  return airfoil_main(&program, read, solve, NULL, argc, argv);
}
