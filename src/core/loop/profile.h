/* SPDX-License-Identifier: BSD-2-Clause
 * The profile: time in loops, in programs' kernels and in the user's own regions. Owns the lines of the last
 * two.
 */
#ifndef PLAIT_CORE_PROFILE_H
#define PLAIT_CORE_PROFILE_H

#include "loop.h"

double pl_now(void); /* seconds on a monotonic clock */

/* Compulsory bytes of one execution: each dat and map once per element it touches, twice where read and
 * written. */
double pl_loop_bytes(const pl_loop *loop);

/* Counts in the kernel's text what an element takes, where its options do not say. */
pl_err pl_loop_count(pl_loop *loop);

/* Operations of one execution: what the kernel's options say, or what was counted; 0 of a loop over pairs
 * that does not say, and of one not counted. */
double pl_loop_flops(const pl_loop *loop);

/* The line of a program's kernel (or, with the program "", of a timed region), made at the end if it is new;
 * it stays for good. NULL with the error set. */
pl_region *pl_profile_line(pl_context *pl, const char *name, const char *program);
void pl_profile_setup(pl_region *line, double seconds);
/* A launch that was begun at `start` counts: groups of `block`, arguments of so many bytes. */
pl_err pl_profile_launch(pl_context *pl, pl_region *line, double start, int block, double bytes);

/* *seconds += the time since `start`, if that is known. */
pl_err pl_profile_time(pl_context *pl, double start, double *seconds);

void pl_profile_finish(pl_context *pl); /* writes what PLAIT_PROFILE asks for */
void pl_profile_close(pl_context *pl);

#endif
