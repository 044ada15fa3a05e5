/* SPDX-License-Identifier: BSD-2-Clause
 * Marks the elements of each temporary dat that loops write, and checks those that they read.
 */
#include "passes.h"
#include "core/comm/comm.h"
#include "core/exchange/halo.h"
#include <string.h>

/* Marks the targets of the loop's first `end` elements, or returns the lowest one without a mark, or
 * INT64_MAX. */
static int64_t visit_targets(const pl_dat *dat, unsigned char *mark, const pl_loop *loop, const pl_arg *arg,
                             int end, bool marks)
{
  int64_t lowest = INT64_MAX;
  if (arg->map && (arg->map->offset || !arg->map->index)) return lowest;
  for (int e = 0; e < end; e++)
    for (int k = 0; k < pl_arg_targets(arg); k++) {
      int target = pl_arg_target(arg, pl_element_at(loop->set, e), k);
      if (target < 0) continue;
      if (marks) mark[target] = 1;
      if (mark[target]) continue;
      int64_t index = pl_element_global_index(dat->set, target);
      if (index < lowest) lowest = index;
    }
  return lowest;
}

static pl_err check_argument(const pl_passes *w, const pl_dat *dat, unsigned char *mark, const pl_loop *loop,
                             int i)
{
  char name[PL_ARG_NAME];
  int64_t lowest = visit_targets(dat, mark, loop, &loop->args[i], loop->set->end[1], false);
  PL_TRY(pl_comm_reduce(w->pl, PL_INT64, PL_MIN, &lowest, 1));
  if (lowest == INT64_MAX) return PL_SUCCESS;
  pl_fail(w->pl, PL_ERR_CHECK,
          "chain \"%s\", loop \"%s\", %s: it reads element %lld, which no loop of the chain has written "
          "before; write it, or do not declare the dat temporary",
          w->schedule->chain->node.name, pl_loop_title(loop), pl_arg_name(loop->args, i, name),
          (long long)lowest);
  pl_failure_keep(w->pl, &((pl_node *)loop->args[i].object)->failure);
  return PL_ERR_CHECK;
}

/* Checks the values that owned elements of the loop read. Marks those they write, and halo elements that run;
 * owners send their marks to halos. All that pairs may write counts as written, as on backends that run loops
 * over pairs at once. Collective. */
static pl_err check_loop(const pl_passes *w, const pl_dat *dat, unsigned char *mark, const pl_loop *loop)
{
  int end = loop->set->end[loop->indirect_write ? 2 : 1];
  for (int i = 0; i < loop->nargs; i++)
    if (pl_arg_accesses(&loop->args[i], dat) && loop->args[i].access != PL_WRITE)
      PL_TRY(check_argument(w, dat, mark, loop, i));
  PL_EACH_ARG (arg, loop) {
    if (!pl_arg_accesses(arg, dat) || !pl_arg_writes(arg)) continue;
    visit_targets(dat, mark, loop, arg, end, true);
    if (arg->zeroed || pl_loop_traits_of(loop)->neighbours) memset(mark, 1, (size_t)dat->set->end[3]);
  }
  return dat->set->halo ? pl_halo_copy(dat->set, 1, mark) : PL_SUCCESS;
}

/* The dat keeps the error, so that the loops that need it are left out. Collective. */
static pl_err check_dat(const pl_passes *w, const pl_dat *dat)
{
  size_t n = (size_t)dat->set->end[3] + 1;
  unsigned char *mark = pl_calloc(w->pl, n, 1);
  pl_err err = pl_agree(w->pl, mark ? PL_SUCCESS : pl_fail_memory(w->pl, n));
  for (int i = 0; !err && i < w->n; i++)
    if (w->op[i].loop && pl_loop_uses(w->op[i].loop, dat)) err = check_loop(w, dat, mark, w->op[i].loop);
  pl_free(w->pl, mark);
  return err;
}

pl_err pl_pass_check_reads(const pl_passes *w)
{
  const pl_chain *chain = w->schedule->chain;
  pl_failure first = {PL_SUCCESS, NULL};
  for (int h = 0; chain && w->schedule->whole && h < chain->nhints; h++)
    if (chain->hint[h].temporary && check_dat(w, chain->hint[h].dat)) pl_failure_keep(w->pl, &first);
  return pl_failure_take(w->pl, &first);
}
