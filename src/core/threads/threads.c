/* SPDX-License-Identifier: BSD-2-Clause
 * How many threads work on a mesh uses.
 */
#include "threads.h"
#ifdef _OPENMP
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>
#endif

enum { WORK_PER_THREAD = 1 << 14 }; /* targets below which waking a thread costs more than it saves */

#ifdef _OPENMP
/* Ranks on this machine, as the launcher says (Open MPI, Hydra, Slurm). */
static int ranks_here(void)
{
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                      "SLURM_STEP_TASKS_PER_NODE"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i]) && atoi(getenv(names[i])) > 1) return atoi(getenv(names[i]));
  return 1;
}

/* Ranks that may use the same processors divide them, unless the user has said how many threads a rank has.
 */
int pl_plan_threads_most(void)
{
  const int most = omp_get_max_threads(), ranks = ranks_here();
  if (ranks == 1 || getenv("OMP_NUM_THREADS")) return most;
  const int share = (int)(sysconf(_SC_NPROCESSORS_ONLN) / ranks);
  return share < most ? share : most;
}
#else
int pl_plan_threads_most(void)
{
  return 1;
}
#endif

int pl_plan_threads(int nblocks, size_t work)
{
  size_t threads = (size_t)pl_plan_threads_most();
  if (threads > work / WORK_PER_THREAD) threads = work / WORK_PER_THREAD;
  if (threads > (size_t)nblocks) threads = (size_t)nblocks;
  return threads > 1 ? (int)threads : 1;
}

int pl_plan_thread(void)
{
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}
