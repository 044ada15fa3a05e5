/* SPDX-License-Identifier: BSD-2-Clause
 * The environment that mpirun and srun give to a process.
 */
#include "launcher.h"
#include <stdlib.h>

bool pl_has_launcher(void)
{
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "PMI_ID",
                                      "MPI_LOCALNRANKS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i])) return true;
  return false;
}

bool pl_has_launched_ranks(void)
{
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
  const char *rank = getenv("PMIX_RANK");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (getenv(sizes[i]) && atoi(getenv(sizes[i])) > 1) return true;
  return rank && atoi(rank) > 0;
}
