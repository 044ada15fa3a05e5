/* SPDX-License-Identifier: BSD-2-Clause
 * Operations on whole dats: copies and zeros, recorded like loops or done at once.
 */
#include "builtin_kernels.h"
#include "dat_arithmetic.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/data/objects.h"
#include "deferred_queue.h"
#include <string.h>

static pl_err copy_on_device(pl_dat *from, pl_dat *to)
{
  pl_context *pl = to->node.pl;
  PL_TRY(pl_dat_device(from, true));
  PL_TRY(pl_dat_device(to, false));
  PL_TRY(pl->backend->data->copy(pl, from, to));
  pl_dat_device_written(to);
  return PL_SUCCESS;
}

static pl_err copy_on_host(pl_dat *from, pl_dat *to)
{
  void *source = pl_dat_host(from, false), *target = source ? pl_dat_host(to, true) : NULL;
  if (!target) return to->node.pl->error_code;
  pl_convert(from->type, source, to->type, target, (size_t)to->set->end[3] * (size_t)to->dim);
  pl_dat_host_written(to);
  return PL_SUCCESS;
}

static pl_err copy_now(pl_dat *from, pl_dat *to)
{
  const bool zeros = pl_dat_on_device(from) && !pl_dat_has_values(from);
  const bool on_device = (from->storage.device_valid || zeros) && from->type == to->type;
  PL_TRY(from == to ? PL_SUCCESS : on_device ? copy_on_device(from, to) : copy_on_host(from, to));
  if (from->storage.halo_stale)
    pl_dat_halo_outdated(to);
  else
    pl_dat_halo_updated(to, NULL);
  return PL_SUCCESS;
}

/* Loops run for owned elements, and ranks exchange the others. On one rank no rank would send the others,
 * which a program can declare (pl_decl_set_parts). */
static bool loops_reach_all(const pl_dat *dat)
{
  return pl_ranks(dat->node.pl) > 1 || dat->set->end[1] == dat->set->end[3];
}

static bool is_recorded(const pl_dat *dat)
{
  return pl_defers(dat->node.pl) && loops_reach_all(dat);
}

static pl_err check_alike(pl_dat *from, pl_dat *to)
{
  bool arrays = from->set->anonymous && to->set->anonymous;
  if (arrays && from->set->end[3] != to->set->end[3])
    return pl_fail(to->node.pl, PL_ERR_TYPE, "pl_dat_copy: array \"%s\" has %d elements, array \"%s\" has %d",
                   from->node.name, from->set->end[3], to->node.name, to->set->end[3]);
  if (!arrays || from->dim != to->dim) PL_TRY(pl_dat_check_like("pl_dat_copy", from, to));
  const pl_formula f = pl_formula_copy("pl_dat_copy", from, to);
  return pl_formula_check(&f);
}

pl_err pl_dat_copy(pl_dat *from, pl_dat *to)
{
  PL_TRY(PL_GIVEN(pl_context_of(from), "pl_dat_copy", from, to));
  PL_TRY(check_alike(from, to));
  if (from->set == to->set && from->type != to->type && loops_reach_all(to)) return pl_dat_convert(from, to);
  PL_TRY(pl_dat_check_no_writer(from, "pl_dat_copy"));
  PL_TRY(pl_dat_check_no_views(to, "pl_dat_copy"));
  if (from->set == to->set && from != to && is_recorded(to)) return pl_defer_copy(from, to);
  PL_TRY(pl_before_access(&from->node, false));
  PL_TRY(pl_before_access(&to->node, true));
  if (pl_chain_warms_up(to->node.pl)) return PL_SUCCESS;
  PL_TRY(copy_now(from, to));
  to->version++;
  return PL_SUCCESS;
}

/* Each rank copies its values at once, if it has any: all ranks would have to run a loop. */
pl_err pl_dat_duplicate(pl_dat *dat, const char *name, pl_dat **copy)
{
  PL_TRY(PL_GIVEN(pl_context_of(dat), "pl_dat_duplicate", dat, copy));
  PL_TRY(pl_dat_check_no_writer(dat, "pl_dat_duplicate"));
  PL_TRY(pl_before_access(&dat->node, false));
  PL_TRY(pl_decl_dat_shape(dat->set, dat->rank, dat->shape, dat->type, NULL, name, copy));
  pl_err err = pl_dat_has_values(dat) ? copy_now(dat, *copy) : PL_SUCCESS;
  if (err) pl_dat_free(copy);
  return err;
}

static pl_err zero_on_device(pl_dat *dat, pl_set *subset)
{
  PL_TRY(dat->node.pl->backend->data->zero_subset(dat->node.pl, dat, subset));
  pl_dat_device_written(dat);
  return PL_SUCCESS;
}

static pl_err zero_on_host(pl_dat *dat, const pl_set *subset)
{
  char *host = pl_dat_host(dat, false);
  if (!host) return dat->node.pl->error_code;
  size_t stride = pl_dat_stride(dat);
  for (int i = 0; i < subset->end[3]; i++) memset(host + (size_t)subset->indices[i] * stride, 0, stride);
  pl_dat_host_written(dat);
  return PL_SUCCESS;
}

/* Zeroes the elements of its set, or of a subset. */
static pl_err zero(const char *what, pl_dat *dat, pl_set *set)
{
  PL_TRY(pl_dat_check_no_views(dat, what));
  if (is_recorded(dat)) return pl_defer_zero(dat, set);
  PL_TRY(pl_before_access(&dat->node, true));
  if (pl_chain_warms_up(dat->node.pl)) return PL_SUCCESS;
  PL_TRY(set == dat->set             ? pl_dat_zero_now(dat)
         : dat->storage.device_valid ? zero_on_device(dat, set)
                                     : zero_on_host(dat, set));
  dat->version++;
  if (set == dat->set) pl_dat_note_zeros(dat);
  return PL_SUCCESS;
}

pl_err pl_dat_zero(pl_dat *dat)
{
  PL_TRY_GIVEN(dat);
  return zero("pl_dat_zero", dat, dat->set);
}

pl_err pl_dat_zero_subset(pl_dat *dat, pl_set *subset)
{
  PL_TRY(PL_GIVEN(pl_context_of(dat), "pl_dat_zero_subset", dat, subset));
  if (subset == dat->set) return pl_dat_zero(dat);
  PL_TRY(pl_dat_check_subset("pl_dat_zero_subset", dat, subset));
  return zero("pl_dat_zero_subset", dat, subset);
}
