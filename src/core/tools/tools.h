/* SPDX-License-Identifier: BSD-2-Clause
 * The tools of a context and the events that they receive. Without tools an event costs one branch.
 *
 * Invariants: events nest, and each that begins ends once: the end of an event first ends those inside it,
 * which an error has left open.
 */
#pragma once

#include "core/context/context.h"
#include <stdio.h>

/* Loads the tools of the options `tools` and `trace`. Local; after all ranks have succeeded,
 * pl_tools_start. */
pl_err pl_tools_open(pl_context *pl);

/* Compares the clocks of the ranks, for a trace. Collective. */
pl_err pl_tools_start(pl_context *pl);

/* Ends open events and detaches all tools. Collective if pl_tools_start has succeeded. */
void pl_tools_close(pl_context *pl);

/* With the option `profile`: work that was done before the tools were open, and a table of the one-time work
 * of this rank. `name` is a string constant. */
void pl_tools_add_setup(pl_context *pl, const char *name, double seconds);
void pl_tools_write_setup(pl_context *pl, FILE *file);

void pl_tools_enter(pl_context *pl, pl_tool_kind kind, const char *name, const char *set, double bytes);
void pl_tools_leave(pl_context *pl, pl_tool_kind kind);

/* An event begins; the strings must live until it ends. Ends the innermost event of a kind, if there is one.
 */
static inline void pl_event_begin(pl_context *pl, pl_tool_kind kind, const char *name, const char *set,
                                  double bytes)
{
  if (__builtin_expect(pl->tools != NULL, 0)) pl_tools_enter(pl, kind, name, set, bytes);
}

static inline void pl_event_end(pl_context *pl, pl_tool_kind kind)
{
  if (__builtin_expect(pl->tools != NULL, 0)) pl_tools_leave(pl, kind);
}
