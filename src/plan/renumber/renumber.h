/* SPDX-License-Identifier: BSD-2-Clause
 * Renumbering: new orders of sets for locality.
 */
#pragma once

#include "plait.h"

/* Before a loop is prepared: examines maps declared since the last time, and renumbers if the option renumber
 * asks for it or a map's scatter shows that it pays. */
pl_err pl_renumber_for_loops(pl_context *pl);
