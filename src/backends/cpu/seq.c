/* SPDX-License-Identifier: BSD-2-Clause
 * The sequential backend: elements in order, on the calling thread. The smallest complete backend, to copy.
 */
#include "host_backend.h"
#include "core/loop/loop.h"

static void run_slots(pl_host_code *code, const pl_loop_range *range)
{
  pl_host_run(code, 0, range->begin, range->end, code->loop->set->indices);
}

static pl_err open_seq(pl_context *pl, void **state)
{
  pl_host *host = NULL;
  PL_TRY(pl_host_new(pl, 1, &host));
  host->run_slots = run_slots;
  *state = host;
  return PL_SUCCESS;
}

static pl_err prepare_seq(pl_context *pl, pl_loop *loop)
{
  return pl_host_prepare(pl, loop, 1);
}

static pl_err run_seq(pl_context *pl, pl_loop *loop, const pl_loop_range *range)
{
  bool deferred;
  (void)pl;
  PL_TRY(pl_tiling_defer(loop->code, range, &deferred));
  if (deferred) return PL_SUCCESS;
  PL_TRY(pl_host_begin(loop->code));
  run_slots(loop->code, range);
  pl_host_end(loop->code, range);
  return PL_SUCCESS;
}

const pl_backend pl_backend_seq = {
  .name = "seq",
  .open = open_seq,
  .prepare = prepare_seq,
  .run = run_seq,
  PL_HOST_BACKEND,
};
