/* SPDX-License-Identifier: BSD-2-Clause
 * pl_particle_move: tracks particles from cell to cell until each has found its own. A round is one loop over
 * the particles, whose kernel loops over cells; between rounds particles in cells of other ranks migrate
 * there.
 *
 * Invariant: after a call each particle's entry in the map is a cell of this rank.
 */
#include "particle_tracking_kernel.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/loop/arg.h"
#include "core/loop/loop.h"
#include "core/particles/mover.h"
#include "plan/distribution/distribute.h"
#include "plan/execution/plan_cache.h"
#include "particle_add_remove.h"
#include "core/arrays/set_resize.h"
#include "particle_migration.h"
#include <string.h>

static pl_err check_maps(const pl_kernel *kernel, const pl_map *where, const pl_map *faces)
{
  pl_context *pl = where->node.pl;
  PL_TRY(PL_GIVEN(pl, "pl_particle_move", kernel, faces));
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
  const pl_map *bad = !where->index && where->from->end[3]   ? where
                      : !faces->index && faces->from->end[3] ? faces
                                                             : NULL;
  if (!bad) return PL_SUCCESS;
  return pl_fail(where->node.pl, PL_ERR_STATE,
                 "pl_particle_move \"%s\": map \"%s\" was declared without indices", kernel->name,
                 bad->node.name);
}

/* ---- dats, kernel and loop ---- */

static pl_err declare_data(pl_map *where, pl_mover *m)
{
  pl_context *pl = where->node.pl;
  PL_TRY(pl_decl_dat(where->from, 1, PL_INT32, NULL, "cell", &m->cell));
  PL_TRY(pl_decl_dat(where->from, 1, PL_INT32, NULL, "state", &m->state));
  PL_TRY(pl_decl_dat(where->from, 1, PL_INT32, NULL, "order", &m->order));
  PL_TRY(pl_decl_dat(where->to, 1, PL_INT32, NULL, "cells", &m->anchor));
  m->cell->node.internal = m->state->node.internal = m->order->node.internal = m->anchor->node.internal =
    true;
  PL_TRY(pl_decl_global(pl, PL_MOVE_COUNTS, PL_INT64, NULL, "moved", &m->count));
  PL_TRY(pl_decl_global(pl, 2, PL_INT32, NULL, "cells here", &m->limit));
  m->count->node.internal = m->limit->node.internal = true;
  return PL_SUCCESS;
}

static pl_err make_mover(pl_map *where)
{
  pl_context *pl = where->node.pl;
  if (where->mover) return PL_SUCCESS;
  PL_TRY(PL_NEW(pl, where->mover, 1));
  pl_err err = declare_data(where, where->mover);
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
  if (!k || !(k->text = pl_strdup(pl, text))) return pl_free(pl, k), pl_fail_memory(pl, strlen(text));
  pl_err err = pl_kernel_from_source(pl, name, text, &options, &k->kernel);
  if (err) return pl_free_all(pl, k->text, k), err;
  ((pl_source_kernel *)k->kernel->extra)->internal = true;
  k->next = m->kernels;
  m->kernels = k;
  *kernel = k->kernel;
  return PL_SUCCESS;
}

static void fill_args(const pl_move_call *call, pl_arg *args)
{
  pl_mover *m = call->where->mover;
  args[PL_MOVE_CELL] = pl_arg_direct(m->cell, PL_RW);
  args[PL_MOVE_STATE] = pl_arg_direct(m->state, PL_RW);
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
  pl_string text;
  pl_string_init(&text, pl);
  pl_err err = pl_move_text(call, &text);
  if (!err) err = make_kernel(call, pl_string_chars(&text), &kernel);
  pl_string_free(&text);
  PL_TRY(pl_agree(pl, err));
  pl_arg *args = pl_calloc(pl, n, sizeof *args);
  PL_TRY(pl_agree(pl, args ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *args)));
  fill_args(call, args);
  err = pl_loop_get(kernel, call->where->from, (int)n, args, true, loop);
  pl_free(pl, args);
  return err;
}

/* ---- before and after a round ---- */

/* Copies the cells of this rank's particles from the map. */
static pl_err load_cells(const pl_map *where)
{
  size_t n = (size_t)where->from->end[1];
  int *cell = pl_dat_host(where->mover->cell, true);
  if (!cell) return PL_ERR_MEMORY;
  if (n) memcpy(cell, where->index, n * sizeof *cell);
  pl_dat_host_written(where->mover->cell);
  return PL_SUCCESS;
}

/* Every particle starts unfinished in its present cell. */
static pl_err start_particles(const pl_map *where)
{
  int *state = pl_dat_host(where->mover->state, true);
  if (!state) return PL_ERR_MEMORY;
  for (int i = 0; i < where->from->end[1]; i++) state[i] = PL_MOVE_UNFINISHED;
  pl_dat_host_written(where->mover->state);
  return load_cells(where);
}

static pl_err set_limits(const pl_map *where)
{
  pl_mover *m = where->mover;
  const int most = 1 << 20, cells = where->to->end[1];
  const int32_t limit[2] = {cells, cells < most / 4 ? 4 * cells + 64 : most};
  const int64_t none[PL_MOVE_COUNTS] = {0};
  PL_TRY(pl_global_set(m->count, none));
  return pl_global_set(m->limit, limit);
}

/* Copies the cells found in the round to the map. */
static pl_err store_cells(pl_map *where)
{
  const int *cell = pl_dat_host(where->mover->cell, false);
  if (!cell) return PL_ERR_MEMORY;
  if (where->from->end[1]) memcpy(where->index, cell, (size_t)where->from->end[1] * sizeof *cell);
  pl_map_changed(where);
  return PL_SUCCESS;
}

static pl_err report_lost(const pl_move_call *call)
{
  const pl_map *where = call->where;
  for (int i = 0; i < where->from->end[1]; i++)
    if (where->index[i] == PL_MOVE_LOST_CELL)
      return pl_fail(where->node.pl, PL_ERR_RANGE,
                     "pl_particle_move \"%s\": particle %lld of \"%s\" finds no cell: its kernel returned "
                     "the number of a face that does not exist, or never returned PL_STAY",
                     call->kernel->name, (long long)pl_element_global_index(where->from, i),
                     where->from->node.name);
  return PL_SUCCESS;
}

/* ---- rounds ---- */

/* Any particle may read any cell, so halos are exchanged before the loop. */
static pl_err refresh_cells(const pl_move_call *call)
{
  PL_EACH_ARG (arg, call)
    if (pl_move_of_cell(arg)) PL_TRY(pl_halo_refresh(arg->object));
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
static pl_err run_and_migrate(const pl_move_call *call, bool *more)
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
    PL_TRY(pl_agree(pl, store_cells(where)));
  if (count[PL_MOVE_LOST]) return pl_agree(pl, report_lost(call));
  if (alone) return PL_SUCCESS;
  if (count[PL_MOVE_LEFT] || count[PL_MOVE_ELSEWHERE]) PL_TRY(pl_particles_to_cell_owners(where, true, more));
  where->has_negative = false;
  return pl_agree(pl, load_cells(where));
}

pl_err pl_particle_move_args(const pl_kernel *kernel, pl_map *where, pl_map *faces, int nargs,
                             const pl_arg *args)
{
  PL_TRY_GIVEN(where);
  pl_context *pl = where->node.pl;
  const pl_move_call call = {kernel, where, faces, args ? nargs : 0, args};
  pl_err err = check_maps(kernel, where, faces);
  if (!err) err = pl_args_check_layout(pl, kernel->name, call.nargs, args);
  PL_TRY(pl_agree_on(pl, err, "pl_particle_move of \"%s\"", where->node.name));
  PL_TRY(pl_flush_to_write(pl));
  pl_migration_enable(where->from);
  PL_TRY(pl_agree(pl, pl_set_check_variable(where->from, where, "pl_particle_move")));
  PL_TRY(pl_agree(pl, make_mover(where)));
  PL_TRY(pl_distribute(pl));
  PL_TRY(pl_agree(pl, check_defined(kernel, where, faces)));
  PL_TRY(pl_notify_new_loop(pl));
  PL_TRY(pl_agree(pl, start_particles(where)));
  for (bool more = true; more;) PL_TRY(run_and_migrate(&call, &more));
  return pl_migration_compose(where);
}
