/* SPDX-License-Identifier: BSD-2-Clause
 * Execution of a loop.
 */
#pragma once

#include "core/data/loop_object.h"

/* PL_ERR_STATE if an open host view or a frozen halo of a dat forbids the run. Local. */
pl_err pl_loop_check_state(const pl_loop *loop);

/* Whether the loop writes all values of the dat and reads none. */
bool pl_loop_covers(const pl_loop *loop, const pl_dat *dat);
bool pl_loop_overwrites(const pl_loop *loop,
                        const pl_dat *dat); /* the same, or it zeroes all elements first */

/* Run a loop; the first prepares it unless it is prepared. Collective. */
pl_err pl_loop_run_now(pl_loop *loop);
pl_err pl_loop_run_prepared(pl_loop *loop);

/* The same for a call of the program, which has the next number of the loop's random numbers. Collective. */
pl_err pl_loop_call(pl_loop *loop);
