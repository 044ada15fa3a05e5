/* SPDX-License-Identifier: BSD-2-Clause
 * Reverse (additive) halo exchange: instead of running the exec halo redundantly, a loop that only increments
 * through maps runs its owned elements; their increments of halo copies are sent to the owners, which add
 * them in the order of ranks.
 */
#pragma once

#include "plait.h"

/* Sets loop->reverse_halo of a loop that writes through maps. Particles that change ranks have no exec halo,
 * so increments through compositions with the map to their cells are reversed on every backend, and other
 * accesses are PL_ERR_ACCESS. Collective. */
pl_err pl_halo_choose(pl_loop *loop);

/* With reverse_halo: zeroes the halo copies before the run; sends them to their owners after it. Collective.
 */
pl_err pl_halo_clear(pl_loop *loop);
pl_err pl_halo_reverse(pl_loop *loop);
