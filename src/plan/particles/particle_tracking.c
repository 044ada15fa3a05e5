/* SPDX-License-Identifier: BSD-2-Clause
 * pl_particle_move: particles hop from cell to cell until each is where it belongs. A round is one loop over
 * the particles, whose kernel goes on from cell to cell; between rounds those that came to another rank's
 * cells travel there. See move.h.
 *
 * Invariant: after a call each particle's entry in the map is a cell of this rank.
 */
#include "move.h"
#include "core/chain.h"
#include "particles.h"
#include "place.h"
#include "travel.h"
#include <string.h>

/* ---- what is acceptable ---- */

static pl_err check_maps(const pl_kernel *kernel, const pl_map *where, const pl_map *faces)
{
  pl_context *pl = where->node.pl;
  if (!kernel || !kernel->name || !faces)
    return pl_fail(pl, PL_ERR_ARG, "pl_particle_move over \"%s\": a pointer is NULL", where->node.name);
  if (where->arity != 1 || where->offset || where->pair_map || where->from == where->to)
    return pl_fail(
      pl, PL_ERR_ARG,
      "pl_particle_move \"%s\": map \"%s\" must lead from each particle to its cell, with arity 1",
      kernel->name, where->node.name);
  if (faces->from != where->to || faces->to != where->to || faces->arity < 1)
    return pl_fail(pl, PL_ERR_ARG,
                   "pl_particle_move \"%s\": map \"%s\" must lead from the cells \"%s\" to the cells across "
                   "their faces",
                   kernel->name, faces->node.name, where->to->node.name);
  return PL_SUCCESS;
}

static pl_err check_defined(const pl_kernel *kernel, const pl_map *where, const pl_map *faces)
{
  const pl_map *bad = !where->index && where->from->part[3]   ? where
                      : !faces->index && faces->from->part[3] ? faces
                                                              : NULL;
  if (!bad) return PL_SUCCESS;
  return pl_fail(where->node.pl, PL_ERR_STATE,
                 "pl_particle_move \"%s\": map \"%s\" was declared without indices", kernel->name,
                 bad->node.name);
}

/* ---- what it works with ---- */

static pl_err declare(pl_map *where, pl_mover *m)
{
  pl_context *pl = where->node.pl;
  PL_TRY(pl_decl_dat(where->from, 1, PL_INT32, NULL, "cell", &m->cell));
  PL_TRY(pl_decl_dat(where->from, 1, PL_INT32, NULL, "on its way", &m->state));
  PL_TRY(pl_decl_dat(where->from, 1, PL_INT32, NULL, "order", &m->order));
  PL_TRY(pl_decl_dat(where->to, 1, PL_INT32, NULL, "cells", &m->anchor));
  m->cell->node.own = m->state->node.own = m->order->node.own = m->anchor->node.own = true;
  PL_TRY(pl_decl_global(pl, PL_MOVE_COUNTS, PL_INT64, NULL, "moved", &m->count));
  return pl_decl_global(pl, 2, PL_INT32, NULL, "cells here", &m->limit);
}

static pl_err make_mover(pl_map *where)
{
  pl_context *pl = where->node.pl;
  if (where->mover) return PL_SUCCESS;
  where->mover = pl_calloc(pl, 1, sizeof *where->mover);
  if (!where->mover) return pl_fail_memory(pl, sizeof *where->mover);
  pl_err err = declare(where, where->mover);
  if (err) pl_mover_free(where, true);
  return err;
}

static pl_err make_kernel(const pl_move_call *call, const char *text, const pl_kernel **kernel)
{
  pl_context *pl = call->where->node.pl;
  pl_mover *m = call->where->mover;
  char name[160];
  for (pl_move_kernel *k = m->kernels; k; k = k->next)
    if (!strcmp(k->text, text)) return *kernel = k->kernel, PL_SUCCESS;
  const pl_kernel_options options = {.file = call->kernel->file, .line = call->kernel->line};
  snprintf(name, sizeof name, "%.140s_move", call->kernel->name);
  pl_move_kernel *k = pl_calloc(pl, 1, sizeof *k);
  if (!k || !(k->text = pl_strdup(pl, text))) {
    pl_free(pl, k);
    return pl_fail_memory(pl, strlen(text));
  }
  pl_err err = pl_kernel_from_source(pl, name, text, &options, &k->kernel);
  if (err) {
    pl_free(pl, k->text);
    pl_free(pl, k);
    return err;
  }
  ((pl_source_kernel *)k->kernel->extra)->own = true;
  k->next = m->kernels;
  m->kernels = k;
  *kernel = k->kernel;
  return PL_SUCCESS;
}

static void fill_args(const pl_move_call *call, pl_arg *args)
{
  pl_mover *m = call->where->mover;
  args[PL_MOVE_CELL] = pl_arg_dat(m->cell, PL_ID, PL_DIRECT, PL_RW);
  args[PL_MOVE_STATE] = pl_arg_dat(m->state, PL_ID, PL_DIRECT, PL_RW);
  args[PL_MOVE_COUNT] = pl_arg_gbl(m->count, PL_INC);
  args[PL_MOVE_LIMIT] = pl_arg_gbl(m->limit, PL_READ);
  args[PL_MOVE_FACES] = pl_arg_dat(m->anchor, PL_WHOLE, call->faces, PL_READ);
  for (int i = 0; i < call->nargs; i++) {
    pl_arg *arg = &args[PL_MOVE_OWN + i];
    *arg = call->args[i];
    if (!pl_move_of_cell(arg)) continue;
    if (arg->map == call->where) arg->map = NULL;
    arg->index = PL_WHOLE;
  }
}

static pl_err get_loop(const pl_move_call *call, pl_loop **loop)
{
  pl_context *pl = call->where->node.pl;
  const pl_kernel *kernel = NULL;
  size_t n = (size_t)call->nargs + PL_MOVE_OWN;
  pl_text text;
  pl_text_init(&text, pl);
  pl_err err = pl_move_text(call, &text);
  if (!err) err = make_kernel(call, pl_text_string(&text), &kernel);
  pl_text_free(&text);
  PL_TRY(pl_agree(pl, err));
  pl_arg *args = pl_calloc(pl, n, sizeof *args);
  PL_TRY(pl_agree(pl, args ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *args)));
  fill_args(call, args);
  err = pl_loop_get(kernel, call->where->from, (int)n, args, true, loop);
  pl_free(pl, args);
  return err;
}

/* ---- before and after a round ---- */

/* The cells that the map holds; every particle is on its way. */
static pl_err begin(pl_map *where)
{
  pl_mover *m = where->mover;
  size_t n = (size_t)where->from->part[1];
  int *cell = pl_dat_host(m->cell, true), *state = pl_dat_host(m->state, true);
  if (!cell || !state) return PL_ERR_MEMORY;
  if (n) memcpy(cell, where->index, n * sizeof *cell);
  for (size_t i = 0; i < n; i++) state[i] = PL_MOVE_ON_ITS_WAY;
  pl_dat_host_written(m->cell);
  pl_dat_host_written(m->state);
  return PL_SUCCESS;
}

static pl_err set_limits(const pl_map *where)
{
  pl_mover *m = where->mover;
  const int most = 1 << 20, cells = where->to->part[1];
  const int32_t limit[2] = {cells, cells < most / 4 ? 4 * cells + 64 : most};
  const int64_t none[PL_MOVE_COUNTS] = {0};
  PL_TRY(pl_global_set(m->count, none));
  return pl_global_set(m->limit, limit);
}

/* The map holds what the round has found. What was prepared for it goes by where particles were. */
static pl_err take_cells(pl_map *where)
{
  const int *cell = pl_dat_host(where->mover->cell, false);
  if (!cell) return PL_ERR_MEMORY;
  if (where->from->part[1]) memcpy(where->index, cell, (size_t)where->from->part[1] * sizeof *cell);
  pl_travel_forget(where);
  return PL_SUCCESS;
}

static pl_err find_astray(const pl_move_call *call)
{
  const pl_map *where = call->where;
  for (int i = 0; i < where->from->part[1]; i++)
    if (where->index[i] == PL_MOVE_ASTRAY)
      return pl_fail(
        where->node.pl, PL_ERR_RANGE,
        "pl_particle_move \"%s\": particle %lld of \"%s\" never settles: its kernel named a face "
        "that cells do not have, or went on from cell to cell without end",
        call->kernel->name, (long long)pl_element_number(where->from, i), where->from->node.name);
  return PL_SUCCESS;
}

/* What arrived is in the map, and nowhere else. */
static pl_err keep_cells(pl_map *where)
{
  int *cell = pl_dat_host(where->mover->cell, true);
  size_t n = (size_t)where->from->part[1];
  if (!cell) return PL_ERR_MEMORY;
  if (n) memcpy(cell, where->index, n * sizeof *cell);
  pl_dat_host_written(where->mover->cell);
  where->has_negative = false;
  return PL_SUCCESS;
}

/* ---- all together ---- */

/* Any particle may look at any cell, so none runs before other ranks' values are there. */
static pl_err refresh_cells(const pl_move_call *call)
{
  for (int i = 0; i < call->nargs; i++)
    if (pl_move_of_cell(&call->args[i])) PL_TRY(pl_halo_refresh(call->args[i].object));
  return PL_SUCCESS;
}

static pl_err run_round(const pl_move_call *call, int64_t count[PL_MOVE_COUNTS])
{
  pl_loop *loop;
  pl_map *where = call->where;
  PL_TRY(refresh_cells(call));
  PL_TRY(pl_agree(where->node.pl, set_limits(where)));
  PL_TRY(get_loop(call, &loop));
  PL_TRY(pl_loop_run_now(loop));
  return pl_global_get(where->mover->count, count);
}

/* One round; *more: another one is needed. */
static pl_err move_once(const pl_move_call *call, bool *more)
{
  pl_map *where = call->where;
  pl_context *pl = where->node.pl;
  int64_t count[PL_MOVE_COUNTS];
  *more = false;
  PL_TRY(run_round(call, count));
  bool alone = pl_ranks(pl) == 1;
  if (alone && count[PL_MOVE_LEFT])
    PL_TRY(pl_particles_keep(where->from, where->mover->state, where->mover->order));
  if (count[PL_MOVE_HOPS] || count[PL_MOVE_LEFT] || count[PL_MOVE_ELSEWHERE])
    PL_TRY(pl_agree(pl, take_cells(where)));
  if (count[PL_MOVE_LOST]) return pl_agree(pl, find_astray(call));
  if (alone) return PL_SUCCESS;
  if (count[PL_MOVE_LEFT] || count[PL_MOVE_ELSEWHERE]) PL_TRY(pl_particles_home(where, true, more));
  return pl_agree(pl, keep_cells(where));
}

pl_err pl_particle_move_args(const pl_kernel *kernel, pl_map *where, pl_map *faces, int nargs,
                             const pl_arg *args)
{
  if (!where) return PL_ERR_ARG;
  pl_context *pl = where->node.pl;
  const pl_move_call call = {kernel, where, faces, args ? nargs : 0, args};
  PL_TRY(pl_agree_on(pl, check_maps(kernel, where, faces), "pl_particle_move of \"%s\"", where->node.name));
  PL_TRY(pl_late_run(pl));
  pl_travel_begin(where->from);
  PL_TRY(pl_agree(pl, pl_travel_check(where->from, where, "pl_particle_move")));
  PL_TRY(pl_agree(pl, make_mover(where)));
  PL_TRY(pl_place(pl));
  PL_TRY(pl_agree(pl, check_defined(kernel, where, faces)));
  if (pl->before_loop) PL_TRY(pl->before_loop(pl));
  PL_TRY(pl_agree(pl, begin(where)));
  for (bool more = true; more;) PL_TRY(move_once(&call, &more));
  return PL_SUCCESS;
}
