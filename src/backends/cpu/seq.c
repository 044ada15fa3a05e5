/* SPDX-License-Identifier: BSD-2-Clause
 * The sequential backend: elements in order, on the calling thread. The smallest complete backend; copy it to
 * start another.
 */
#include "host.h"

static void run_slots(pl_host_code *code, const pl_part *part)
{
  pl_host_run(code, 0, part->begin, part->end, code->loop->set->indices);
}

static pl_err open_seq(pl_context *pl, void **state)
{
  PL_TRY(pl_host_open(pl, 1, state));
  ((pl_host *)*state)->run_slots = run_slots;
  return PL_SUCCESS;
}

static pl_err prepare_seq(pl_context *pl, pl_loop *loop)
{
  return pl_host_prepare(pl, loop, 1);
}

static pl_err run_seq(pl_context *pl, pl_loop *loop, const pl_part *part)
{
  bool taken;
  (void)pl;
  PL_TRY(pl_tiling_takes(loop->code, part, &taken));
  if (taken) return PL_SUCCESS;
  PL_TRY(pl_host_begin(loop->code));
  run_slots(loop->code, part);
  pl_host_end(loop->code, part);
  return PL_SUCCESS;
}

const pl_backend pl_backend_seq = {
  .name = "seq",
  .open = open_seq,
  .prepare = prepare_seq,
  .run = run_seq,
  PL_HOST_BACKEND,
};
