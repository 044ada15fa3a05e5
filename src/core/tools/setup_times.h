/* SPDX-License-Identifier: BSD-2-Clause
 * The option `profile`: a tool that sums the times of one-time work, by kinds of work.
 */
#pragma once

#include "core/context/context.h"
#include <stdio.h>

typedef struct pl_setup_times pl_setup_times;

/* PL_ERR_MEMORY. The tool's close function frees it. */
pl_err pl_setup_times_open(pl_context *pl, pl_tool *tool, pl_setup_times **times);

/* Adds work without an event; `name` is a string constant. */
void pl_setup_times_add(pl_setup_times *times, const char *name, double seconds);

/* Writes a table of this rank's work so far, the longest first; nothing if there was none. Work that another
 * line lists is not part of a line's seconds. */
void pl_setup_times_write(pl_setup_times *times, FILE *file);
