/* SPDX-License-Identifier: BSD-2-Clause
 * The formula of a layout on the host; that of generated text is in codegen/target/place.c.
 */
#include "layout.h"
#include "core/base/scalar_type.h"
#include "core/mesh/set.h"
#include "dat_object.h"
#include <string.h>

int pl_dat_record(const pl_dat *dat)
{
  return dat->dim * (pl_type_is_complex(dat->type) ? 2 : 1);
}

size_t pl_layout_values(const pl_dat *dat, int room)
{
  const int tiles = dat->storage.layout.tile;
  size_t n = (size_t)room, tile = tiles > 1 ? (size_t)tiles : 1;
  return (n + tile - 1) / tile * tile * (size_t)pl_dat_record(dat);
}

static size_t value_index(pl_layout layout, size_t n, size_t dim, size_t e, size_t c)
{
  size_t tile = layout.tile ? (size_t)layout.tile : n, pack = (size_t)layout.pack;
  if (layout.tile == PL_AOS) return e * dim + c;
  return (e / tile * tile * (dim / pack) + c / pack * tile + e % tile) * pack + c % pack;
}

void pl_layout_convert(const pl_dat *dat, bool to_layout, void *host, void *other)
{
  size_t n = (size_t)dat->set->end[3], dim = (size_t)pl_dat_record(dat),
         size = pl_type_size(pl_type_base(dat->type));
  for (size_t e = 0; e < n; e++)
    for (size_t c = 0; c < dim; c++) {
      char *h = (char *)host + (e * dim + c) * size,
           *o = (char *)other + value_index(dat->storage.layout, n, dim, e, c) * size;
      memcpy(to_layout ? o : h, to_layout ? h : o, size);
    }
}
