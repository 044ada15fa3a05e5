/* SPDX-License-Identifier: BSD-2-Clause
 * The cost of messages. Ranks form a ring: edges lead from each rank's cells to those of the next. A step
 * writes one dat and reads another through the map; the additional time if both are the same dat is the
 * exchange.
 */
#include "scaling_probe.h"

#include <stdlib.h>

#include "../apps/common/ranks.h"
#include "../apps/common/wall.h"

enum { FEW = 1, MANY = 4096, VALUES = 4 };

typedef struct ring {
  pl_context *pl;
  pl_set *cells, *edges;
  pl_map *ends;
  pl_dat *read, *other, *seen;
  pl_global *sum;
} ring;

PL_KERNEL(probe_touch, (double q[4]), { q[0] += 1; })
PL_KERNEL(probe_add, (double q[4], double *sum), {
  q[0] += 1;
  sum[0] += q[0];
})
PL_KERNEL(probe_look, (double *seen, const double *const q[2]), { seen[0] = q[1][0]; })

static void ring_open(ring *r, pl_context *pl, int each)
{
  int64_t *ends = malloc((size_t)each * 2 * sizeof *ends);
  const int64_t mine = pl_rank(pl) * (int64_t)each, next = (pl_rank(pl) + 1) % pl_ranks(pl) * (int64_t)each;
  *r = (ring){.pl = pl};
  for (int i = 0; ends && i < each; i++) ends[2 * i] = mine + i, ends[2 * i + 1] = next + i;
  PL_OK(pl, pl_decl_set(pl, each, "cells", &r->cells));
  PL_OK(pl, pl_decl_set(pl, each, "edges", &r->edges));
  PL_OK(pl, pl_decl_map_global(r->edges, r->cells, 2, ends, "ends", &r->ends));
  PL_OK(pl, pl_decl_dat(r->cells, VALUES, PL_DOUBLE, NULL, "read", &r->read));
  PL_OK(pl, pl_decl_dat(r->cells, VALUES, PL_DOUBLE, NULL, "other", &r->other));
  PL_OK(pl, pl_decl_dat(r->edges, 1, PL_DOUBLE, NULL, "seen", &r->seen));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &r->sum));
  free(ends);
}

static void ring_close(ring *r)
{
  pl_global_free(&r->sum);
  pl_dat_free(&r->seen);
  pl_dat_free(&r->other);
  pl_dat_free(&r->read);
  pl_map_free(&r->ends);
  pl_set_free(&r->edges);
  pl_set_free(&r->cells);
}

static void look(ring *r)
{
  PL_OK(r->pl, pl_par_loop(probe_look, r->edges, pl_arg_direct(r->seen, PL_WRITE),
                           pl_arg_dat(r->read, PL_ALL, r->ends, PL_READ)));
}

static void touch(ring *r, pl_dat *dat)
{
  PL_OK(r->pl, pl_par_loop(probe_touch, r->cells, pl_arg_direct(dat, PL_RW)));
}

static void add(ring *r)
{
  PL_OK(r->pl, pl_par_loop(probe_add, r->cells, pl_arg_direct(r->other, PL_RW), pl_arg_gbl(r->sum, PL_INC)));
}

typedef enum step { EXCHANGING, STILL, ADDING, TOUCHING } step;

static void run(ring *r, step what, int times)
{
  double sum;
  for (int i = 0; i < times; i++) {
    if (what == ADDING) add(r);
    if (what != ADDING) touch(r, what == EXCHANGING ? r->read : r->other);
    if (what == EXCHANGING || what == STILL) look(r);
  }
  if (what == ADDING) PL_OK(r->pl, pl_global_get(r->sum, &sum));
  PL_OK(r->pl, pl_sync(r->pl));
}

/* Seconds of a step on the slowest rank; all start together. */
static double timed(ring *r, step what, int times)
{
  run(r, what, 4);
  ranks_most(r->pl, 0);
  const double start = wall_seconds();
  run(r, what, times);
  return ranks_most(r->pl, wall_seconds() - start) / times;
}

/* Seconds of an exchange, and its messages and bytes per rank. */
static double exchange(pl_context *pl, int each, int times, double *messages, double *bytes)
{
  ring r;
  pl_stats before, after;
  ring_open(&r, pl, each);
  const double still = timed(&r, STILL, times);
  run(&r, EXCHANGING, 1);
  PL_OK(pl, pl_get_stats(pl, &before));
  run(&r, EXCHANGING, 1);
  PL_OK(pl, pl_get_stats(pl, &after));
  *messages = (double)(after.halo_messages - before.halo_messages);
  *bytes = (double)(after.halo_bytes - before.halo_bytes);
  const double seconds = timed(&r, EXCHANGING, times) - still;
  ring_close(&r);
  return seconds > 0 ? seconds : 0;
}

static double adding(pl_context *pl, int times)
{
  ring r;
  ring_open(&r, pl, FEW);
  const double without = timed(&r, TOUCHING, times), with = timed(&r, ADDING, times);
  ring_close(&r);
  return with > without ? with - without : 0;
}

scaling_costs scaling_probe(pl_context *pl)
{
  scaling_costs costs = {0, 0, 0};
  double messages, bytes, few;
  if (pl_ranks(pl) == 1) return costs;
  few = exchange(pl, FEW, 2000, &messages, &bytes);
  costs.message = few / messages;
  const double many = exchange(pl, MANY, 200, &messages, &bytes);
  costs.byte = many > few ? (many - few) / bytes : 0;
  costs.sum = adding(pl, 2000);
  return costs;
}
