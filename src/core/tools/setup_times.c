/* SPDX-License-Identifier: BSD-2-Clause
 * Times of one-time work. Work inside other work counts only for itself.
 */
#include "setup_times.h"
#include "core/context/memory.h"
#include "core/threads/threads.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 64, MOST_DEPTH = 64 };

typedef struct line {
  const char *name; /* a string constant */
  uint64_t calls;
  double seconds;
} line;

struct pl_setup_times {
  pl_context *pl;
  int nlines, depth;
  line lines[MOST_LINES];
  double inner[MOST_DEPTH + 1]; /* of the open events: seconds of the work inside */
};

/* NULL: not one-time work. Compilations and transfers have the names of objects, which end. */
static const char *work_of(const pl_tool_event *event)
{
  return event->kind == PL_TOOL_PLAN      ? event->name
         : event->kind == PL_TOOL_COMPILE ? "compile"
         : event->kind == PL_TOOL_UPLOAD  ? "upload"
                                          : NULL;
}

static void begin_work(void *user, const pl_tool_event *event)
{
  pl_setup_times *t = user;
  (void)event;
  t->inner[++t->depth] = 0;
}

static void end_work(void *user, const pl_tool_event *event)
{
  pl_setup_times *t = user;
  const char *name = work_of(event);
  double inner = t->inner[t->depth--], seconds = event->end - event->begin;
  t->inner[t->depth] += name ? seconds : inner;
  if (name) pl_setup_times_add(t, name, seconds - inner);
}

void pl_setup_times_add(pl_setup_times *t, const char *name, double seconds)
{
  int i = 0;
  while (i < t->nlines && strcmp(t->lines[i].name, name)) i++;
  if (i == MOST_LINES) return;
  if (i == t->nlines) t->lines[t->nlines++] = (line){.name = name};
  t->lines[i].calls++;
  t->lines[i].seconds += seconds;
}

static void close_times(void *user)
{
  pl_setup_times *t = user;
  pl_free(t->pl, t);
}

pl_err pl_setup_times_open(pl_context *pl, pl_tool *tool, pl_setup_times **times)
{
  *times = pl_calloc(pl, 1, sizeof **times);
  if (!*times) return pl_fail_memory(pl, sizeof **times);
  (*times)->pl = pl;
  *tool = (pl_tool){
    .size = sizeof *tool, .user = *times, .begin = begin_work, .end = end_work, .close = close_times};
  return PL_SUCCESS;
}

static int longest_first(const void *a, const void *b)
{
  const line *x = a, *y = b;
  return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

void pl_setup_times_write(pl_setup_times *t, FILE *file)
{
  if (!t->nlines) return;
  qsort(t->lines, (size_t)t->nlines, sizeof *t->lines, longest_first);
  char title[32];
  const int threads = pl_plan_threads_most();
  snprintf(title, sizeof title, "set-up, %d thread%s", threads, threads == 1 ? "" : "s");
  fprintf(file, "\n%-25s times     seconds\n", title);
  for (const line *l = t->lines; l < t->lines + t->nlines; l++)
    fprintf(file, "%-20s %10llu %11.4f\n", l->name, (unsigned long long)l->calls, l->seconds);
}
