/* SPDX-License-Identifier: BSD-2-Clause
 * The option `trace`: a tool that writes all events of all ranks to one file when the context closes.
 */
#pragma once

#include "core/context/context.h"

typedef struct pl_trace pl_trace;

/* Rank 0 creates the file. Local; PL_ERR_OPTION. pl_trace_start is collective. */
pl_err pl_trace_open(pl_context *pl, pl_trace **trace);
pl_err pl_trace_start(pl_trace *trace);

/* Its close function frees the trace, and after pl_trace_start it writes the file, collectively. */
pl_tool pl_trace_tool(pl_trace *trace);
