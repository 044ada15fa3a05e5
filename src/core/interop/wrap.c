/* SPDX-License-Identifier: BSD-2-Clause
 * Dats in memory of the program. Invariant: such a dat is on a set whose storage is in user order and keeps
 * its order and size (pl_set_check_wrapped).
 */
#include "wrap.h"
#include "core/base/scalar_type.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/mesh/user_order.h"

enum { DEVICE_ALIGNMENT = 16 }; /* device code moves records in vectors of up to so many bytes */

static bool in_user_order(const pl_set *set)
{
  for (int i = 0; set->user_order && i < set->end[3]; i++)
    if (pl_user_to_storage(set, i) != i) return false;
  return true;
}

static pl_err check_set(const char *what, const pl_set *set, const char *name)
{
  if (!set->parent && set->capacity)
    return pl_fail(set->node.pl, PL_ERR_STATE,
                   "%s: dat \"%s\" cannot be in memory of the program, because the size of set \"%s\" varies",
                   what, name, set->node.name);
  if (!set->parent && !in_user_order(set))
    return pl_fail(set->node.pl, PL_ERR_STATE,
                   "%s: dat \"%s\" cannot be in memory of the program, because set \"%s\" was renumbered or "
                   "distributed and is stored in another order; copy the values by pl_decl_dat",
                   what, name, set->node.name);
  return PL_SUCCESS;
}

/* Buffers without addresses have the alignment of their runtime. */
static size_t alignment(const pl_context *pl, bool on_device, pl_type type)
{
  if (!on_device) return pl_type_size(pl_type_base(type));
  return pl->backend->data->native((pl_context *)pl).dlpack ? DEVICE_ALIGNMENT : 1;
}

static pl_err check_memory(const char *what, const pl_set *set, pl_type type, const pl_wrapping *w,
                           const char *name)
{
  pl_context *pl = set->node.pl;
  if (w->on_device && !pl->backend->data)
    return pl_fail(pl, PL_ERR_BACKEND, "%s: dat \"%s\" is in device memory, but backend \"%s\" has no device",
                   what, name, pl->backend->name);
  if (!w->memory && set->end[3])
    return pl_fail(pl, PL_ERR_ARG, "%s: the memory of dat \"%s\" is NULL", what, name);
  if (!pl_type_size(type)) return PL_SUCCESS; /* pl_decl_dat_shape refuses it */
  const size_t bytes = alignment(pl, w->on_device, type);
  if ((uintptr_t)w->memory % bytes)
    return pl_fail(pl, PL_ERR_ARG, "%s: the memory of dat \"%s\" is not aligned to %zu bytes", what, name,
                   bytes);
  return PL_SUCCESS;
}

/* Sets that were declared since are distributed first, while the dat does not forbid it. */
pl_err pl_wrap(const char *what, pl_err err, pl_set *set, int rank, const int *shape, pl_type type,
               const pl_wrapping *w, const char *name, pl_dat **dat)
{
  pl_context *pl = set->node.pl;
  const char *shown = name ? name : "(unnamed)";
  PL_TRY(pl_agree(pl, err));
  PL_TRY(pl_notify_distribute(pl));
  err = check_set(what, set, shown);
  if (!err) err = check_memory(what, set, type, w, shown);
  PL_TRY(pl_agree(pl, err));
  PL_TRY(pl_decl_dat_shape(set, rank, shape, type, NULL, name, dat));
  /* any address marks the dat on a rank without elements */
  pl_storage_wrap(*dat, w->on_device, w->layout, w->memory ? w->memory : *dat);
  return PL_SUCCESS;
}

/* The layout of memory by its name. */
static pl_err find_layout(const pl_set *set, int dim, pl_type type, const char *text, pl_wrapping *w,
                          const char *name)
{
  pl_context *pl = set->node.pl;
  if (text && !pl_layout_parse(text, &w->layout))
    return pl_fail(pl, PL_ERR_ARG, "pl_dat_wrap of \"%s\": \"%s\" is not a layout; pass aos, soa or soa:M",
                   name, text);
  const pl_layout *l = &w->layout;
  if (l->tile != PL_AOS && (!w->on_device || l->tile != PL_SOA))
    return pl_fail(
      pl, PL_ERR_ARG,
      "pl_dat_wrap of \"%s\": memory cannot have layout \"%s\"; host memory is aos, device memory "
      "aos, soa or soa:M",
      name, text);
  return pl_layout_check(pl, "pl_dat_wrap", name, *l, dim * (pl_type_is_complex(type) ? 2 : 1));
}

pl_err pl_dat_wrap(pl_set *set, int dim, pl_type type, pl_memory where, const char *layout, void *memory,
                   const char *name, pl_dat **dat)
{
  PL_TRY_GIVEN(set);
  const char *shown = name ? name : "(unnamed)";
  pl_wrapping w = {where == PL_MEMORY_DEVICE, {PL_AOS, 1}, memory};
  pl_err err = PL_GIVEN_FOR(set->node.pl, "pl_dat_wrap", shown, dat);
  if (!err && where != PL_MEMORY_HOST && where != PL_MEMORY_DEVICE)
    err = pl_fail(set->node.pl, PL_ERR_ARG, "pl_dat_wrap of \"%s\": %d is not a kind of memory", shown,
                  (int)where);
  if (!err) err = find_layout(set, dim, type, layout, &w, shown);
  return pl_wrap("pl_dat_wrap", err, set, 1, &dim, type, &w, name, dat);
}
