/* SPDX-License-Identifier: BSD-2-Clause
 * How many threads work on a mesh uses.
 */
#include "threads.h"
#ifdef _OPENMP
#include <omp.h>
#endif

enum { WORK_PER_THREAD = 1 << 14 }; /* targets below which waking a thread costs more than it saves */

int pl_plan_threads(int nblocks, size_t work)
{
#ifdef _OPENMP
  size_t threads = (size_t)omp_get_max_threads();
#else
  size_t threads = 1;
#endif
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
