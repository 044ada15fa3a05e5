/* SPDX-License-Identifier: BSD-2-Clause
 * Properties of pair loops that decide the form of their text.
 */
#include "pair_info.h"
#include "operand.h"
#include "core/loop/loop.h"
#include "core/particles/pair_map.h"

static bool all_symmetric(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (pl_arg_is_record(arg) && pl_arg_writes(arg) && arg->index != PL_BOTH) return false;
  return true;
}

bool pl_pair_once(const pl_loop *loop)
{
  const pl_map *map = loop->set->pairs;
  if (!map->pair_map) return true;
  bool host = !loop->pl->backend->data;
  return host && !map->pairs->all_pairs && pl_opt_is(loop->pl, PL_OPT_LIST, "half") && all_symmetric(loop);
}

bool pl_pair_scatters(const pl_loop *loop)
{
  if (!pl_loop_traits_of(loop)->pairs || !pl_pair_once(loop)) return false;
  PL_EACH_ARG (arg, loop)
    if (pl_arg_is_record(arg) && pl_arg_writes(arg) && arg->index != 0) return true;
  return false;
}

bool pl_pair_stores(const pl_loop *loop)
{
  return pl_loop_traits_of(loop)->neighbours && !pl_pair_once(loop);
}

bool pl_pair_has_particles(const pl_loop *loop)
{
  const pl_loop_traits *traits = pl_loop_traits_of(loop);
  return traits->neighbours && traits->two_phases;
}

const char *pl_pair_adds(const pl_emitter *e, const pl_operand *op)
{
  return op->arg->zeroed && pl_pair_stores(e->loop) ? "=" : "+=";
}

pl_form pl_pair_form(const pl_loop *loop)
{
  bool scalar = pl_opt_is(loop->pl, PL_OPT_SHAPE, "scalar") || pl_kernel_extras(loop->kernel)->cpp;
  return scalar || pl_pair_once(loop) ? PL_FORM_SCALAR : PL_FORM_LANES;
}

bool pl_pair_from_records(const pl_loop *loop, const pl_arg *arg)
{
  return pl_arg_is_derived(arg) && pl_loop_traits_of(loop)->neighbours &&
         arg->object == loop->set->pairs->pairs->position;
}

const char *pl_pair_type(const pl_emitter *e)
{
  return pl_type_name(e->loop->set->pairs->pairs->position->type);
}

bool pl_pair_gathers(const pl_operand *op)
{
  return pl_operand_scatters(op) && op->arg->map && op->arg->index != 1;
}

int pl_pair_lanes(const pl_loop *loop)
{
  return loop->set->pairs->pairs->lanes;
}
