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

/* Values of the base type in a record, and in the storage of `room` elements in the dat's layout. */
int pl_dat_record(const pl_dat *dat);
size_t pl_layout_values(const pl_dat *dat, int room);

/* Copies all values between AoS storage and the dat's layout. */
void pl_layout_convert(const pl_dat *dat, bool to_layout, void *host, void *other);
