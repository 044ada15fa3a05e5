/* SPDX-License-Identifier: BSD-2-Clause
 * Layouts of a dat's values. The values of a record, numbered c, are cut into words of `pack` values that
 * stay together. Value c of element e lies at
 *
 *   tile 1 (AoS):     e * dim + c
 *   tile 0 (SoA):     (c / pack * n + e) * pack + c % pack
 *   tile V > 1:       (e / V * V * words + c / pack * V + e % V) * pack + c % pack,  words = dim / pack
 *
 * The last tile is whole.
 */
#ifndef PLAIT_CORE_LAYOUT_H
#define PLAIT_CORE_LAYOUT_H

#include "objects.h"

typedef struct pl_layout {
  int tile, pack;
} pl_layout;

/* "aos", "soa", "soa:M", "aosoa:V", "aosoa:V,M"; V and M powers of two, V from 2 to 1024, M 1, 2 or 4. */
bool pl_layout_parse(const char *text, pl_layout *layout);

/* Values of the base type in a record, and that a layout's storage holds for all elements. */
int pl_dat_record(const pl_dat *dat);
size_t pl_layout_values(const pl_dat *dat, pl_layout layout);

/* Behind a change of storage that came with a layout: a dat whose layout was asked for, or that has nothing
 * on the device, gets its own again. */
pl_err pl_dat_keep_layout(pl_dat *dat, pl_layout own);

/* Copies all values between the host's order and a layout. */
void pl_layout_convert(const pl_dat *dat, pl_layout layout, bool to_layout, void *host, void *other);

#endif
