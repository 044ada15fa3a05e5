/* SPDX-License-Identifier: BSD-2-Clause
 * Mixed dats. A dat that the program frees is NULL in the list.
 */
#pragma once

#include "mixed_set.h"

struct pl_mixed_dat {
  pl_node node;
  pl_type type;
  pl_mixed_set *set;
  pl_dat **dat;
};

/* PL_ERR_STATE if a dat was freed. */
pl_err pl_mixed_dat_check(const pl_mixed_dat *dat);

void pl_mixed_dat_destroy(pl_node *node);
