/* SPDX-License-Identifier: BSD-2-Clause
 * Layouts: their names, their formula, and what users ask for.
 */
#include "layout.h"
#include "chain.h"
#include "loop.h"
#include <string.h>

static bool is_power(long n, long least, long most)
{
  return n >= least && n <= most && !(n & (n - 1));
}

bool pl_layout_parse(const char *text, pl_layout *layout)
{
  bool planes = !strncmp(text, "soa", 3), tiles = !strncmp(text, "aosoa:", 6);
  char *end = (char *)text + (planes ? 3 : 6);
  long tile = 0, pack = 1;
  *layout = (pl_layout){PL_AOS, 1};
  if (!strcmp(text, "aos")) return true;
  if (!planes && !tiles) return false;
  if (tiles) tile = strtol(end, &end, 10);
  if (*end == (tiles ? ',' : ':')) pack = strtol(end + 1, &end, 10);
  if (*end || !is_power(pack, 1, 4) || (tiles && !is_power(tile, 2, 1024))) return false;
  *layout = (pl_layout){(int)tile, (int)pack};
  return true;
}

int pl_dat_record(const pl_dat *dat)
{
  return dat->dim * (pl_type_is_complex(dat->type) ? 2 : 1);
}

size_t pl_layout_values(const pl_dat *dat, pl_layout layout)
{
  size_t n = (size_t)pl_set_room(dat->set), tile = layout.tile > 1 ? (size_t)layout.tile : 1;
  return (n + tile - 1) / tile * tile * (size_t)pl_dat_record(dat);
}

static size_t place(pl_layout layout, size_t n, size_t dim, size_t e, size_t c)
{
  size_t tile = layout.tile ? (size_t)layout.tile : n, pack = (size_t)layout.pack;
  if (layout.tile == PL_AOS) return e * dim + c;
  return (e / tile * tile * (dim / pack) + c / pack * tile + e % tile) * pack + c % pack;
}

void pl_layout_convert(const pl_dat *dat, pl_layout layout, bool to_layout, void *host, void *other)
{
  size_t n = (size_t)dat->set->part[3], dim = (size_t)pl_dat_record(dat),
         size = pl_type_size(pl_type_base(dat->type));
  for (size_t e = 0; e < n; e++)
    for (size_t c = 0; c < dim; c++) {
      char *h = (char *)host + (e * dim + c) * size, *o = (char *)other + place(layout, n, dim, e, c) * size;
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
  if (!dat) return PL_ERR_ARG;
  pl_context *pl = dat->node.pl;
  if (!text || !pl_layout_parse(text, &layout))
    return pl_fail(
      pl, PL_ERR_ARG,
      "pl_dat_set_layout of \"%s\": \"%s\" is none of aos, soa, soa:M, aosoa:V, aosoa:V,M (V a power of "
      "two from 2 to 1024, M 1, 2 or 4)",
      dat->node.name, text ? text : "");
  if (layout.tile != PL_AOS && pl_dat_record(dat) % layout.pack)
    return pl_fail(pl, PL_ERR_RANGE,
                   "pl_dat_set_layout of \"%s\": words of %d values do not divide its %d values an element",
                   dat->node.name, layout.pack, pl_dat_record(dat));
  PL_TRY(pl_late_run(pl));
  if (!has_layout(dat, layout)) {
    if (dat->device) PL_TRY(pl->backend->dat_relayout(pl, dat, layout.tile, layout.pack));
    pl->decl_version++; /* loops were made for the layout that it had, before it was on the device, too */
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
    pl->decl_version++; /* loops were made for the other one */
    return PL_SUCCESS;
  }
  PL_TRY(pl_loops_settle(pl));
  if (dat->device) PL_TRY(pl->backend->dat_relayout(pl, dat, own.tile, own.pack));
  dat->layout = own.tile;
  dat->pack = own.pack;
  return PL_SUCCESS;
}

pl_err pl_dat_pin_layout(pl_dat *dat)
{
  return dat->pinned ? PL_SUCCESS : pl_dat_set_layout(dat, "aos");
}
