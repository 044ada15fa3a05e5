/* SPDX-License-Identifier: BSD-2-Clause
 * The tools of a context: the list of option `tools`, the trace, and the stack of open events.
 */
#include "tools.h"
#include "core/base/clock.h"
#include "core/context/memory.h"
#include "nvtx_tool.h"
#include "setup_times.h"
#include "tool_library.h"
#include "core/trace/trace.h"
#include <string.h>

/* Events deeper than MOST_OPEN are counted, but not reported. */
enum { MOST_TOOLS = 16, MOST_OPEN = 64 };

struct pl_tools {
  int ntools;
  pl_tool tool[MOST_TOOLS];
  void *library[MOST_TOOLS]; /* NULL: part of Plait */
  pl_trace *trace;           /* NULL: none */
  pl_setup_times *setup;     /* NULL: none */
  uint64_t last_id;
  int nopen;
  pl_tool_event open[MOST_OPEN];
};

/* ---- events ---- */

void pl_tools_enter(pl_context *pl, pl_tool_kind kind, const char *name, const char *set, double bytes)
{
  struct pl_tools *t = pl->tools;
  if (t->nopen == MOST_OPEN) return;
  pl_tool_event *event = &t->open[t->nopen++];
  *event = (pl_tool_event){.size = sizeof *event,
                           .kind = kind,
                           .id = ++t->last_id,
                           .name = name,
                           .set = set,
                           .bytes = bytes,
                           .begin = pl_now()};
  for (int i = 0; i < t->ntools; i++)
    if (t->tool[i].begin) t->tool[i].begin(t->tool[i].user, event);
}

static void end_innermost(struct pl_tools *t)
{
  pl_tool_event *event = &t->open[t->nopen - 1];
  event->end = pl_now();
  for (int i = t->ntools - 1; i >= 0; i--)
    if (t->tool[i].end) t->tool[i].end(t->tool[i].user, event);
  t->nopen--;
}

void pl_tools_leave(pl_context *pl, pl_tool_kind kind)
{
  struct pl_tools *t = pl->tools;
  int at = t->nopen;
  while (at > 0 && t->open[at - 1].kind != kind) at--;
  while (at > 0 && t->nopen >= at) end_innermost(t);
}

/* ---- attaching ---- */

/* The tool `name`: part of Plait, or a library with one of two interfaces. */
static pl_err attach(pl_context *pl, const char *name)
{
  struct pl_tools *t = pl->tools;
  if (t->ntools == MOST_TOOLS)
    return pl_fail(pl, PL_ERR_OPTION,
                   "option tools: \"%s\" is one more than the %d tools that a context can have", name,
                   MOST_TOOLS);
  pl_tool *tool = &t->tool[t->ntools];
  void **library = &t->library[t->ntools];
  *tool = (pl_tool){.size = sizeof *tool};
  PL_TRY(!strcmp(name, "nvtx") ? pl_nvtx_open(pl, tool, library)
                               : pl_tool_library_open(pl, name, tool, library));
  t->ntools++;
  return PL_SUCCESS;
}

/* The names in a list separated by ; or : */
static pl_err attach_list(pl_context *pl, char *list)
{
  for (char *save, *name = strtok_r(list, ";:", &save); name; name = strtok_r(NULL, ";:", &save))
    PL_TRY(attach(pl, name));
  return PL_SUCCESS;
}

static pl_err attach_trace(pl_context *pl)
{
  struct pl_tools *t = pl->tools;
  if (!*pl_opt(pl, PL_OPT_TRACE)) return PL_SUCCESS;
  PL_TRY(pl_trace_open(pl, &t->trace));
  t->tool[t->ntools++] = pl_trace_tool(t->trace);
  return PL_SUCCESS;
}

static bool is_profiled(pl_context *pl)
{
  const char *where = pl_opt(pl, PL_OPT_PROFILE);
  return *where && strcmp(where, "0") != 0;
}

static pl_err attach_setup_times(pl_context *pl)
{
  struct pl_tools *t = pl->tools;
  if (!is_profiled(pl)) return PL_SUCCESS;
  PL_TRY(pl_setup_times_open(pl, &t->tool[t->ntools], &t->setup));
  t->ntools++;
  return PL_SUCCESS;
}

pl_err pl_tools_open(pl_context *pl)
{
  if (!*pl_opt(pl, PL_OPT_TOOLS) && !*pl_opt(pl, PL_OPT_TRACE) && !is_profiled(pl)) return PL_SUCCESS;
  pl->tools = pl_calloc(pl, 1, sizeof *pl->tools);
  char *list = pl_strdup(pl, pl_opt(pl, PL_OPT_TOOLS));
  pl_err err = pl->tools && list ? attach_trace(pl) : pl_fail_memory(pl, sizeof *pl->tools);
  if (!err) err = attach_setup_times(pl);
  if (!err) err = attach_list(pl, list);
  pl_free(pl, list);
  return err;
}

void pl_tools_add_setup(pl_context *pl, const char *name, double seconds)
{
  if (pl->tools && pl->tools->setup) pl_setup_times_add(pl->tools->setup, name, seconds);
}

void pl_tools_write_setup(pl_context *pl, FILE *file)
{
  if (pl->tools && pl->tools->setup) pl_setup_times_write(pl->tools->setup, file);
}

pl_err pl_tools_start(pl_context *pl)
{
  return pl->tools && pl->tools->trace ? pl_trace_start(pl->tools->trace) : PL_SUCCESS;
}

void pl_tools_close(pl_context *pl)
{
  struct pl_tools *t = pl->tools;
  if (!t) return;
  while (t->nopen) end_innermost(t);
  for (int i = 0; i < t->ntools; i++) {
    if (t->tool[i].close) t->tool[i].close(t->tool[i].user);
    pl_tool_library_close(t->library[i]);
  }
  pl->tools = NULL;
  pl_free(pl, t);
}
