/* SPDX-License-Identifier: BSD-2-Clause
 * The profile: time in loops, in kernels of programs and in timed regions. Owns the lines of the last two.
 */
#pragma once

#include "core/context/context.h"

/* Compulsory bytes of one execution: each accessed element of a dat or map once, twice if read and written.
 */
double pl_loop_bytes(const pl_loop *loop);

/* Counts the operations of an element in the kernel's text, unless its options state them. */
pl_err pl_loop_count(pl_loop *loop);

/* Operations of one execution, stated by the kernel's options or counted; else 0, as for uncounted pair
 * loops. */
double pl_loop_flops(const pl_loop *loop);

/* The line of a program's kernel, or with the program "" of a timed region, appended if it is new. NULL with
 * the error set. */
pl_region *pl_profile_line(pl_context *pl, const char *name, const char *program);
void pl_profile_setup(pl_region *line, double seconds);
/* Counts a launch that began at `start`: groups of `block`, arguments of so many bytes. */
pl_err pl_profile_launch(pl_context *pl, pl_region *line, double start, int block, double bytes);

/* *seconds += the time since `start`, if it is known. */
pl_err pl_profile_time(pl_context *pl, double start, double *seconds);

/* All lines: their number, the operations of loops counted, one entry. */
int pl_profile_lines(const pl_context *pl);
pl_err pl_profile_count(pl_context *pl);
pl_err pl_profile_entry_at(pl_context *pl, int index, pl_profile_entry *entry);

void pl_profile_close(pl_context *pl);
