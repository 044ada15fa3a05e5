/* SPDX-License-Identifier: BSD-2-Clause
 * Ranks: for programs that each rank would run whole.
 */
#ifndef APPS_COMMON_RANKS_H
#define APPS_COMMON_RANKS_H

#include <stdbool.h>
#include <stdio.h>

#include "plait.h"

/* Whether there is one rank only; rank 0 complains otherwise. */
static inline bool one_rank(const pl_context *pl, const char *program)
{
  if (pl_ranks(pl) > 1 && !pl_rank(pl))
    fprintf(stderr, "%s: this program is for one rank and was started on %d\n", program, pl_ranks(pl));
  return pl_ranks(pl) == 1;
}

#endif
