/* SPDX-License-Identifier: BSD-2-Clause
 * Compares the clock of each rank with that of rank 0. A rank sends a message to rank 0, which answers with
 * its time; of several exchanges the fastest one counts, and half of its duration bounds the error (Cristian
 * 1989).
 */
#include "rank_clock.h"
#include "core/base/clock.h"
#include "core/comm/comm.h"

enum { EXCHANGES = 8 };

static pl_err send_time(pl_context *pl, pl_messages *m, int peer, double time)
{
  PL_TRY(pl_messages_send(pl, m, peer, &time, sizeof time));
  return pl_messages_wait(pl, m);
}

static pl_err receive_time(pl_context *pl, pl_messages *m, int peer, double *time)
{
  PL_TRY(pl_messages_receive(pl, m, peer, time, sizeof *time));
  return pl_messages_wait(pl, m);
}

static pl_err answer(pl_context *pl, pl_messages *m)
{
  double time;
  for (int r = 1; r < pl_ranks(pl); r++)
    for (int k = 0; k < EXCHANGES; k++) {
      PL_TRY(receive_time(pl, m, r, &time));
      PL_TRY(send_time(pl, m, r, pl_now()));
    }
  return PL_SUCCESS;
}

static pl_err ask(pl_context *pl, pl_messages *m, double *offset)
{
  double fastest = 1e300, time = 0;
  for (int k = 0; k < EXCHANGES; k++) {
    const double before = pl_now();
    PL_TRY(send_time(pl, m, 0, before));
    PL_TRY(receive_time(pl, m, 0, &time));
    const double after = pl_now();
    if (after - before >= fastest) continue;
    fastest = after - before;
    *offset = time - 0.5 * (before + after);
  }
  return PL_SUCCESS;
}

pl_err pl_rank_clock(pl_context *pl, double *offset, double *origin)
{
  pl_messages m = {.request = NULL};
  *offset = 0;
  *origin = pl_now();
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  PL_TRY(pl_comm_bcast(pl, 0, origin, sizeof *origin));
  PL_TRY(pl_agree(pl, pl_messages_reserve(pl, &m, 1)));
  pl_err err = pl_rank(pl) ? ask(pl, &m, offset) : answer(pl, &m);
  pl_messages_free(pl, &m);
  return pl_agree(pl, err);
}
