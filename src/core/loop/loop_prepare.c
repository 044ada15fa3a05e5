/* SPDX-License-Identifier: BSD-2-Clause
 * Preparation of a loop: plan, generated text and binary, and the exchange of its halos.
 */
#include "loop_prepare.h"
#include "core/base/clock.h"
#include "core/comm/comm.h"
#include "core/exchange/halo.h"
#include "core/exchange/reverse_exchange.h"
#include "core/tools/tools.h"
#include "loop_table.h"

/* One rank of each node compiles, the others load its code from the cache; errors are collective. */
static pl_err prepare_in_turn(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  bool first = pl_node_rank(pl) == 0;
  if (pl_ranks(pl) == 1) return pl->backend->prepare(pl, loop);
  PL_TRY(pl_agree(pl, first ? pl->backend->prepare(pl, loop) : PL_SUCCESS));
  return pl_agree(pl, first ? PL_SUCCESS : pl->backend->prepare(pl, loop));
}

/* Core elements that reach no halo by internal maps either, in a loop whose elements run in any launches. */
static int find_inner(const pl_loop *loop)
{
  const bool splits =
    loop->needs_full_halo && !loop->indirect_write && !loop->set->capacity && pl_loop_traits_of(loop)->plain;
  int inner = splits ? loop->set->end[0] : 0;
  for (int i = 0; i < loop->nargs && inner; i++) {
    pl_map *map = loop->args[i].map;
    const int core = map && map->internal ? pl_map_core(map) : inner;
    if (core < inner) inner = core;
  }
  return inner;
}

/* Ranks may have different backends. */
static pl_err find_gathered(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  const bool may = pl_comm_all(pl, pl->backend->find_gathered);
  loop->gathered = loop->gathered_stored = NULL;
  return may ? pl->backend->find_gathered(pl, loop) : PL_SUCCESS;
}

static pl_err prepare_now(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  PL_TRY(pl_notify_distribute(pl)); /* sets may have been declared since */
  if (loop->code) {
    PL_TRY(pl_backend_flush(pl));
    pl->backend->release(pl, loop);
  }
  loop->code = NULL;
  loop->prepared = false;
  pl->preparations++;
  if (pl_ranks(pl) > 1) loop->inner = find_inner(loop);
  if (loop->indirect_write) PL_TRY(pl_halo_choose(loop));
  if (loop->indirect_write) PL_TRY(find_gathered(loop));
  pl_err err = prepare_in_turn(loop);
  if (!err) err = pl_comm_leave(pl, pl_halo_ready(loop));
  if (err) {
    if (loop->code) pl->backend->release(pl, loop);
    loop->code = NULL;
    return err;
  }
  if (loop->zeroes) pl_loop_measure(loop); /* the backend has decided whether values are read */
  loop->prepared = true;
  loop->decl_version = pl->decl_version;
  return PL_SUCCESS;
}

static pl_err prepare_again(pl_loop *loop)
{
  const double start = pl_now();
  pl_event_begin(loop->pl, PL_TOOL_PLAN, "prepare loop", loop->set->node.name, 0);
  pl_err err = prepare_now(loop);
  pl_event_end(loop->pl, PL_TOOL_PLAN);
  if (!err) loop->setup_seconds += pl_now() - start;
  return err;
}

pl_err pl_loop_prepare(pl_loop *loop)
{
  return loop->prepared && loop->decl_version == loop->pl->decl_version ? PL_SUCCESS : prepare_again(loop);
}

/* As in prepare_in_turn(), only one rank of each node compiles. */
pl_err pl_loop_prefetch(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  if (!pl->backend->prefetch || pl_node_rank(pl) ||
      (loop->prepared && loop->decl_version == pl->decl_version))
    return PL_SUCCESS;
  return pl->backend->prefetch(pl, loop);
}
