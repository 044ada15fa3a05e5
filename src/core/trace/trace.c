/* SPDX-License-Identifier: BSD-2-Clause
 * The trace of a context: from events to the file of all ranks. At the end the ranks append their events to
 * the file one after another.
 */
#include "trace.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "device_times.h"
#include "rank_clock.h"
#include "trace_write.h"
#include <errno.h>
#include <string.h>

struct pl_trace {
  bool started, asked; /* asked: `device` is known */
  int replays;         /* open events of this kind; loops inside have no times of their own on the device */
  double offset, origin;
  pl_device_times *device; /* NULL: none */
  pl_trace_records records;
};

/* ---- open ---- */

static pl_err create_file(pl_context *pl)
{
  const char *path = pl_opt(pl, PL_OPT_TRACE);
  FILE *file = pl_rank(pl) ? NULL : fopen(path, "w");
  if (file) fclose(file);
  return file || pl_rank(pl)
           ? PL_SUCCESS
           : pl_fail(pl, PL_ERR_OPTION, "option trace: \"%s\" cannot be created: %s", path, strerror(errno));
}

pl_err pl_trace_open(pl_context *pl, pl_trace **trace)
{
  PL_TRY(create_file(pl));
  PL_TRY(PL_NEW(pl, *trace, 1));
  (*trace)->records.pl = pl;
  return PL_SUCCESS;
}

pl_err pl_trace_start(pl_trace *trace)
{
  PL_TRY(pl_rank_clock(trace->records.pl, &trace->offset, &trace->origin));
  trace->started = true;
  return PL_SUCCESS;
}

/* ---- events ---- */

static bool runs_on_device(const pl_trace *trace, pl_tool_kind kind)
{
  return kind == PL_TOOL_REPLAY || (kind == PL_TOOL_LOOP && !trace->replays);
}

static void begin_event(void *user, const pl_tool_event *event)
{
  pl_trace *trace = user;
  if (runs_on_device(trace, event->kind)) {
    if (!trace->asked) trace->device = pl_device_times_open(&trace->records);
    trace->asked = true;
    if (trace->device) pl_device_times_begin(trace->device);
  }
  trace->replays += event->kind == PL_TOOL_REPLAY;
}

static void end_event(void *user, const pl_tool_event *event)
{
  pl_trace *trace = user;
  pl_trace_record record;
  trace->replays -= event->kind == PL_TOOL_REPLAY;
  if (!pl_trace_record_of(&trace->records, event, &record)) return;
  pl_trace_add(&trace->records, &record);
  if (trace->device && runs_on_device(trace, event->kind)) pl_device_times_end(trace->device, &record);
}

/* ---- close ---- */

static bool append(pl_trace *trace)
{
  pl_context *pl = trace->records.pl;
  const int rank = pl_rank(pl), last = pl_ranks(pl) - 1;
  FILE *file = fopen(pl_opt(pl, PL_OPT_TRACE), "a");
  if (!file) return false;
  if (!rank) fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", file);
  pl_trace_write(&trace->records, trace->offset, trace->origin, file);
  if (rank == last) fputs("\n]}\n", file);
  bool good = !ferror(file);
  return !fclose(file) && good;
}

/* Each rank in turn. */
static void write_file(pl_trace *trace)
{
  pl_context *pl = trace->records.pl;
  bool good = true;
  for (int r = 0; r < pl_ranks(pl); r++) {
    if (r == pl_rank(pl)) good = append(trace);
    if (pl_comm_barrier(pl)) break;
  }
  if (!good)
    pl_log(pl, 0, "the trace of rank %d cannot be written to \"%s\": %s", pl_rank(pl),
           pl_opt(pl, PL_OPT_TRACE), strerror(errno));
  if (trace->records.lost)
    pl_log(pl, 0, "the trace of rank %d lacks %llu events, for which there was no space", pl_rank(pl),
           (unsigned long long)trace->records.lost);
}

static void close_trace(void *user)
{
  pl_trace *trace = user;
  pl_context *pl = trace->records.pl;
  if (trace->device) pl_device_times_close(trace->device);
  if (trace->started && !pl_comm_check(pl)) write_file(trace);
  pl_trace_records_free(&trace->records);
  pl_free(pl, trace);
}

pl_tool pl_trace_tool(pl_trace *trace)
{
  return (pl_tool){
    .size = sizeof(pl_tool), .user = trace, .begin = begin_event, .end = end_event, .close = close_trace};
}
