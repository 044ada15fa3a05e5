/* SPDX-License-Identifier: BSD-2-Clause
 * Layouts of dats and their names in options and pl_dat_set_layout.
 */
#pragma once

#include <stdbool.h>

enum { PL_SOA = 0, PL_AOS = 1 };

typedef struct pl_layout {
  int tile, pack;
} pl_layout;

/* "aos", "soa", "soa:M", "aosoa:V", "aosoa:V,M": tiles of V elements (a power of two from 2 to 1024), packs
 * of M values (1, 2 or 4). */
bool pl_layout_parse(const char *text, pl_layout *layout);
