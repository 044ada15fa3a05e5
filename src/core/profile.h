/* SPDX-License-Identifier: BSD-2-Clause
 * The profile: time in loops and in the program's own regions. Owns the regions.
 */
#ifndef PLAIT_CORE_PROFILE_H
#define PLAIT_CORE_PROFILE_H

#include "loop.h"

double pl_now(void); /* seconds on a monotonic clock */

/* Compulsory bytes of one execution: each dat and map once per element it touches, twice where read and
 * written. */
double pl_loop_bytes(const pl_loop *loop);

void pl_profile_finish(pl_context *pl); /* writes what PLAIT_PROFILE asks for */
void pl_profile_close(pl_context *pl);

#endif
