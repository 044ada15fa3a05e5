/* SPDX-License-Identifier: BSD-2-Clause
 * event_log.c: a tool that writes every event to the file $EVENT_LOG.RANK. docs/tools.md shows it.
 */
#include <plait/tools.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const words[PL_TOOL_KINDS] = {"loop",    "halo", "upload", "download",
                                                 "compile", "plan", "region", "replay"};

static void begin_event(void *user, const pl_tool_event *event)
{
  if (event->kind < PL_TOOL_KINDS)
    fprintf(user, "begin %s %llu %s|%s|%.0f\n", words[event->kind], (unsigned long long)event->id,
            event->name, event->set, event->bytes);
}

static void end_event(void *user, const pl_tool_event *event)
{
  if (event->kind < PL_TOOL_KINDS)
    fprintf(user, "end %s %llu %.9f\n", words[event->kind], (unsigned long long)event->id,
            event->end - event->begin);
}

static void close_file(void *user)
{
  fclose(user);
}

int plait_tool_open(const pl_tool_context *context, pl_tool *tool)
{
  const char *path = getenv("EVENT_LOG");
  char name[1000];
  snprintf(name, sizeof name, "%s.%d", path ? path : "events", context->rank);
  tool->user = fopen(name, "w");
  tool->begin = begin_event;
  tool->end = end_event;
  tool->close = close_file;
  return tool->user ? 0 : 1;
}
