/* SPDX-License-Identifier: BSD-2-Clause
 * Workers of a host backend. Invariant: the number of workers, not of threads, decides results.
 */
#include "host.h"
#include "core/context/context.h"

int pl_host_workers(pl_context *pl)
{
  return pl_opt_flag(pl, PL_OPT_REPRODUCIBLE) ? PL_FIXED_WORKERS : ((pl_host *)pl->backend_state)->threads;
}

void pl_host_each(pl_context *pl, int workers, pl_work_fn work, void *data)
{
  const pl_host *host = pl->backend_state;
  if (host->each && host->threads > 1 && workers > 1) {
    host->each(workers, host->threads, work, data);
    return;
  }
  for (int w = 0; w < workers; w++) work(data, w);
}
