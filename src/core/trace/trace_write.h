/* SPDX-License-Identifier: BSD-2-Clause
 * The text of a trace: the JSON format of Chrome, which Perfetto reads.
 */
#pragma once

#include "trace_records.h"

/* Writes the events of this rank, as process pl_rank, to a file. Times are seconds since `origin` on the
 * clock of rank 0, to which `offset` is added. The first event of the file has no comma before it. */
void pl_trace_write(pl_trace_records *r, double offset, double origin, FILE *file);
