/* SPDX-License-Identifier: BSD-2-Clause
 * Layouts: formula, conversion, and requests of users.
 */
#include "layout.h"
#include "core/context/observer.h"
#include "objects.h"
#include <string.h>

int pl_dat_record(const pl_dat *dat)
{
  return dat->dim * (pl_type_is_complex(dat->type) ? 2 : 1);
}

size_t pl_layout_values(const pl_dat *dat, pl_layout layout)
{
  size_t n = (size_t)pl_set_room(dat->set), tile = layout.tile > 1 ? (size_t)layout.tile : 1;
  return (n + tile - 1) / tile * tile * (size_t)pl_dat_record(dat);
}

static size_t value_index(pl_layout layout, size_t n, size_t dim, size_t e, size_t c)
{
  size_t tile = layout.tile ? (size_t)layout.tile : n, pack = (size_t)layout.pack;
  if (layout.tile == PL_AOS) return e * dim + c;
  return (e / tile * tile * (dim / pack) + c / pack * tile + e % tile) * pack + c % pack;
}

void pl_layout_convert(const pl_dat *dat, pl_layout layout, bool to_layout, void *host, void *other)
{
  size_t n = (size_t)dat->set->end[3], dim = (size_t)pl_dat_record(dat),
         size = pl_type_size(pl_type_base(dat->type));
  for (size_t e = 0; e < n; e++)
    for (size_t c = 0; c < dim; c++) {
      char *h = (char *)host + (e * dim + c) * size,
           *o = (char *)other + value_index(layout, n, dim, e, c) * size;
      memcpy(to_layout ? o : h, to_layout ? h : o, size);
    }
}

static bool has_layout(const pl_dat *dat, pl_layout layout)
{
  return dat->layout == layout.tile && dat->pack == layout.pack;
}

pl_err pl_dat_set_layout(pl_dat *dat, const char *text)
{
  pl_layout layout;
  PL_TRY_GIVEN(dat);
  pl_context *pl = dat->node.pl;
  if (!text || !pl_layout_parse(text, &layout))
    return pl_fail(
      pl, PL_ERR_ARG,
      "pl_dat_set_layout of \"%s\": \"%s\" is none of aos, soa, soa:M, aosoa:V, aosoa:V,M (V a power of "
      "two from 2 to 1024, M 1, 2 or 4)",
      dat->node.name, text ? text : "");
  if (layout.tile != PL_AOS && pl_dat_record(dat) % layout.pack)
    return pl_fail(pl, PL_ERR_RANGE,
                   "pl_dat_set_layout of \"%s\": packs of %d values do not divide its %d values an element",
                   dat->node.name, layout.pack, pl_dat_record(dat));
  PL_TRY(pl_before_any_access(pl));
  if (!has_layout(dat, layout)) {
    if (dat->device) PL_TRY(pl->backend->data->relayout(pl, dat, layout.tile, layout.pack));
    pl->decl_version++; /* loops were prepared for the old layout, even without a device copy */
  }
  dat->layout = layout.tile;
  dat->pack = layout.pack;
  dat->pinned = true;
  return PL_SUCCESS;
}

pl_err pl_dat_keep_layout(pl_dat *dat, pl_layout own)
{
  pl_context *pl = dat->node.pl;
  if (has_layout(dat, own)) return PL_SUCCESS;
  if (dat->device && !dat->pinned) {
    pl->decl_version++; /* loops were prepared for the other one */
    return PL_SUCCESS;
  }
  PL_TRY(pl_backend_flush(pl));
  if (dat->device) PL_TRY(pl->backend->data->relayout(pl, dat, own.tile, own.pack));
  dat->layout = own.tile;
  dat->pack = own.pack;
  return PL_SUCCESS;
}

pl_err pl_dat_pin_layout(pl_dat *dat)
{
  return dat->pinned ? PL_SUCCESS : pl_dat_set_layout(dat, "aos");
}
