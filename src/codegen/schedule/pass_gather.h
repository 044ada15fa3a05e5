/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: increments are inlined into the loop that reads their sum.
 */
#pragma once

#include "passes.h"

pl_err pl_pass_gather(pl_passes *w);

/* Hook `find_gathered` of devices: the loop over the targets that adds up a loop's increments. All ranks
 * choose alike. */
pl_err pl_find_gathered(pl_context *pl, pl_loop *loop);
