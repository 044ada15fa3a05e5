/* SPDX-License-Identifier: BSD-2-Clause
 * Sets that change their size: pl_set_reserve, pl_set_resize, pl_set_keep and pl_set_remove, on any number of
 * ranks and in any storage order. Elements are added and removed as particles are (particle_add_remove.h).
 */
#include "core/arrays/set_resize.h"
#include "core/arrays/sort_select.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "particle_add_remove.h"
#include "particle_migration.h"
#include "set_edit.h"
#include <string.h>

/* Maps that cannot follow as those of particles do. */
static bool is_edited(const pl_set *set)
{
  return pl_set_other_map(set, pl_migration_cell_map(set)) != NULL;
}

static pl_err prepare(pl_set *set, const char *what)
{
  return is_edited(set) ? pl_edit_begin(set, what) : pl_elements_prepare(set, what);
}

static pl_err keep(pl_set *set, pl_dat *flag, const char *what)
{
  return is_edited(set) ? pl_edit_keep(set, flag, what) : pl_elements_keep(set, flag);
}

pl_err pl_set_reserve(pl_set *set, int64_t capacity)
{
  static const char what[] = "pl_set_reserve";
  PL_TRY_GIVEN(set);
  pl_context *pl = set->node.pl;
  PL_TRY(pl_agree(pl, pl_set_check_size(set, capacity, what)));
  PL_TRY(pl_elements_prepare(set, what));
  const int room = pl_set_room(set);
  PL_TRY(pl_agree(pl, pl_set_grow(set, capacity > room ? (int)capacity : room)));
  return pl_comm_reduce(pl, PL_UINT64, PL_MAX, &pl->decl_version, 1);
}

/* ---- removing ---- */

/* A temporary flag on the elements of a set: all are kept at first. */
static pl_err new_flag(pl_set *set, pl_dat **flag, uint8_t **kept)
{
  PL_TRY(pl_decl_dat(set, 1, PL_UINT8, NULL, "kept", flag));
  *kept = pl_dat_host(*flag, true);
  if (*kept) memset(*kept, 1, (size_t)set->end[3]);
  pl_err err = pl_agree(set->node.pl, *kept ? PL_SUCCESS : set->node.pl->error_code);
  if (err) pl_dat_free(flag);
  return err;
}

static pl_err keep_flagged(pl_set *set, pl_dat *flag, const char *what)
{
  pl_dat_host_written(flag);
  pl_err err = keep(set, flag, what);
  pl_dat_free(&flag);
  return err;
}

pl_err pl_set_keep(pl_set *set, pl_dat *flag)
{
  static const char what[] = "pl_set_keep";
  PL_TRY_GIVEN(set);
  pl_context *pl = set->node.pl;
  PL_TRY(pl_flush_all(pl));
  pl_err err = PL_GIVEN(pl, what, flag);
  if (!err) err = pl_flag_check(flag, what);
  if (!err && flag->set != set)
    err =
      pl_fail(pl, PL_ERR_ARG, "%s: flag \"%s\" is not on set \"%s\"", what, flag->node.name, set->node.name);
  PL_TRY(pl_agree(pl, err));
  PL_TRY(prepare(set, what));
  return keep(set, flag, what);
}

static pl_err check_indices(const pl_set *set, int64_t n, const int *indices)
{
  static const char what[] = "pl_set_remove";
  if (n) PL_TRY(PL_GIVEN(set->node.pl, what, indices));
  if (n < 0) return pl_fail(set->node.pl, PL_ERR_ARG, "%s: %lld elements", what, (long long)n);
  for (int64_t i = 0; i < n; i++)
    if (indices[i] < 0 || indices[i] >= set->end[1])
      return pl_fail(set->node.pl, PL_ERR_RANGE, "%s: index %d at position %lld; set \"%s\" has %d elements",
                     what, indices[i], (long long)i, set->node.name, set->end[1]);
  return PL_SUCCESS;
}

pl_err pl_set_remove(pl_set *set, int64_t n, const int *indices)
{
  static const char what[] = "pl_set_remove";
  pl_dat *flag;
  uint8_t *kept;
  PL_TRY_GIVEN(set);
  PL_TRY(prepare(set, what));
  PL_TRY(pl_agree(set->node.pl, check_indices(set, n, indices)));
  PL_TRY(new_flag(set, &flag, &kept));
  for (int64_t i = 0; i < n; i++) kept[pl_user_to_storage(set, indices[i])] = 0;
  return keep_flagged(set, flag, what);
}

/* ---- size ---- */

/* Removes elements at the end of the user order on every rank that has more than n. */
static pl_err shrink(pl_set *set, int64_t n)
{
  pl_context *pl = set->node.pl;
  pl_dat *flag;
  uint8_t *kept;
  int32_t fewer = n < set->end[1];
  PL_TRY(pl_comm_reduce(pl, PL_INT32, PL_MAX, &fewer, 1));
  if (!fewer) return PL_SUCCESS;
  PL_TRY(new_flag(set, &flag, &kept));
  for (int i = (int)n; i < set->end[1]; i++) kept[pl_user_to_storage(set, i)] = 0;
  return keep_flagged(set, flag, "pl_set_resize");
}

static pl_err check_growth(const pl_set *set, int64_t n)
{
  const pl_map *where = pl_migration_cell_map(set);
  PL_TRY(pl_set_check_size(set, n, "pl_set_resize"));
  if (!where || n <= set->end[1] || is_edited(set)) return PL_SUCCESS;
  return pl_fail(set->node.pl, PL_ERR_STATE,
                 "pl_set_resize: new elements of set \"%s\" need entries of map \"%s\"; use pl_particle_add",
                 set->node.name, where->node.name);
}

pl_err pl_set_resize(pl_set *set, int64_t n)
{
  static const char what[] = "pl_set_resize";
  PL_TRY_GIVEN(set);
  pl_context *pl = set->node.pl;
  PL_TRY(prepare(set, what));
  PL_TRY(pl_agree(pl, check_growth(set, n)));
  if (pl_ranks(pl) == 1 && !set->user_order && !pl_set_other_map(set, NULL))
    return n == set->end[3] ? PL_SUCCESS : pl_set_resize_storage(set, (int)n);
  PL_TRY(shrink(set, n));
  if (is_edited(set)) return pl_edit_add(set, n - set->end[1], what);
  return pl_elements_add(set, n - set->end[1], NULL, 0, NULL);
}

/* ---- order ---- */

pl_err pl_set_reorder(pl_set *set, pl_dat *order)
{
  static const char what[] = "pl_set_reorder";
  PL_TRY_GIVEN(set);
  pl_context *pl = set->node.pl;
  pl_err err = PL_GIVEN(pl, what, order);
  if (!err && (order->set != set || order->type != PL_INT32 || order->dim != 1))
    err = pl_fail(pl, PL_ERR_TYPE, "%s: order \"%s\" must hold one int on each element of set \"%s\"", what,
                  order->node.name, set->node.name);
  PL_TRY(pl_agree(pl, err));
  PL_TRY(pl_edit_begin(set, what));
  return pl_set_other_map(set, NULL) ? pl_edit_reorder(set, order, what) : pl_set_align(set, order);
}
