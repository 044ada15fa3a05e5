/* SPDX-License-Identifier: BSD-2-Clause
 * Partial halos: a map that reaches a small part of its target set's halo gets halo lists of its own, so that
 * loops through it exchange only the elements that they read.
 */
#pragma once

#include "plait.h"

/* Builds the lists (map->halo) of maps that reach at most half of the halo. Collective. */
pl_err pl_halo_partial(pl_context *pl);
