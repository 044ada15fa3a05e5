/* SPDX-License-Identifier: BSD-2-Clause
 * Layouts of a dat's values. The values c of a record are grouped into packs of `pack` contiguous values.
 * Value c of element e is at
 *
 *   tile 1 (AoS):     e * dim + c
 *   tile 0 (SoA):     (c / pack * n + e) * pack + c % pack
 *   tile V > 1:       (e / V * V * packs + c / pack * V + e % V) * pack + c % pack,  packs = dim / pack
 *
 * The last tile is padded.
 */
#pragma once

#include "core/base/layout_name.h"
#include "plait.h"

/* Values of the base type in a record, and in the storage of all elements in a layout. */
int pl_dat_record(const pl_dat *dat);
size_t pl_layout_values(const pl_dat *dat, pl_layout layout);

/* After an exchange of storage: restores the dat's own layout if it is pinned or has no device copy. */
pl_err pl_dat_keep_layout(pl_dat *dat, pl_layout own);

/* Copies all values between AoS storage and a layout. */
void pl_layout_convert(const pl_dat *dat, pl_layout layout, bool to_layout, void *host, void *other);

/* Pins the layout of a device copy that the user accesses: the requested one, else AoS. */
pl_err pl_dat_pin_layout(pl_dat *dat);
