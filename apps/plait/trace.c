/* SPDX-License-Identifier: BSD-2-Clause
 * plait trace: reads the lines of a trace, one event each (src/core/trace/trace_write.c), and adds up the
 * events of one track, name and set over all ranks.
 */
#include "trace.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRACKS = 8, TEXT = 1024 };

/* By the number of the track in the file. */
static const char *const track_name[TRACKS] = {"regions",   "loops",        "device", "halos",
                                               "transfers", "compilations", "plans",  "replays"};

typedef struct event {
  int rank, track;
  char name[TEXT], set[TEXT];
  double begin, length, bytes; /* microseconds */
} event;

/* The sum of equal events. */
typedef struct row {
  int track;
  char *name, *set;
  double calls, time, most, bytes;
} row;

typedef struct summary {
  row *rows;
  size_t count, room;
  int ranks;
  double first, last, events;
} summary;

/* ---- reading ---- */

/* Passes over `text`; NULL, as for NULL, if it is not there. */
static const char *skip(const char *at, const char *text)
{
  size_t length = strlen(text);
  return at && !strncmp(at, text, length) ? at + length : NULL;
}

static const char *read_number(const char *at, double *value)
{
  char *end = NULL;
  if (at) *value = strtod(at, &end);
  return end != at ? end : NULL;
}

/* The character behind a backslash. */
static const char *read_escape(const char *at, char *c)
{
  unsigned code = 0;
  int length = 1;
  if (*at == 'u' && (sscanf(at, "u%4x%n", &code, &length) != 1 || length != 5)) return NULL;
  *c = *at == 'u' ? (char)code : *at;
  return *c ? at + length : NULL;
}

/* A JSON string with its quotes. */
static const char *read_string(const char *at, char text[TEXT])
{
  size_t n = 0;
  at = skip(at, "\"");
  while (at && *at != '"') {
    char c = *at++;
    if (!c || n + 1 == TEXT) return NULL;
    if (c == '\\') at = read_escape(at, &c);
    text[n++] = c;
  }
  text[n] = '\0';
  return at ? at + 1 : NULL;
}

/* The event of a line; 0 if it is none. */
static int read_event(const char *line, event *e)
{
  double rank = 0, track = -1;
  char kind[TEXT];
  const char *at = read_number(skip(line, "{\"ph\":\"X\",\"pid\":"), &rank);
  at = read_number(skip(at, ",\"tid\":"), &track);
  at = read_string(skip(at, ",\"cat\":"), kind);
  at = read_string(skip(at, ",\"name\":"), e->name);
  at = read_number(skip(at, ",\"ts\":"), &e->begin);
  at = read_number(skip(at, ",\"dur\":"), &e->length);
  at = read_string(skip(at, ",\"args\":{\"set\":"), e->set);
  at = skip(read_number(skip(at, ",\"bytes\":"), &e->bytes), "}}");
  e->rank = (int)rank;
  e->track = (int)track;
  return at && track >= 0 && track < TRACKS && rank >= 0;
}

/* ---- sums ---- */

/* The row of an event, new if there is none; NULL without memory. */
static row *find_row(summary *s, const event *e)
{
  for (size_t i = 0; i < s->count; i++)
    if (s->rows[i].track == e->track && !strcmp(s->rows[i].name, e->name) && !strcmp(s->rows[i].set, e->set))
      return &s->rows[i];
  if (s->count == s->room) {
    row *grown = realloc(s->rows, (2 * s->room + 16) * sizeof *grown);
    if (!grown) return NULL;
    s->rows = grown;
    s->room = 2 * s->room + 16;
  }
  row *r = &s->rows[s->count++];
  *r = (row){.track = e->track, .name = strdup(e->name), .set = strdup(e->set)};
  return r->name && r->set ? r : NULL;
}

static int add_event(summary *s, const event *e)
{
  row *r = find_row(s, e);
  if (!r) return 0;
  r->calls++;
  r->time += e->length;
  r->bytes += e->bytes;
  if (e->length > r->most) r->most = e->length;
  if (!s->events || e->begin < s->first) s->first = e->begin;
  if (!s->events || e->begin + e->length > s->last) s->last = e->begin + e->length;
  if (e->rank >= s->ranks) s->ranks = e->rank + 1;
  s->events++;
  return 1;
}

static void close_summary(summary *s)
{
  for (size_t i = 0; i < s->count; i++) {
    free(s->rows[i].name);
    free(s->rows[i].set);
  }
  free(s->rows);
}

/* NULL, or why a line cannot be added. */
static const char *add_line(summary *s, const char *line)
{
  event e;
  if (skip(line, "{\"ph\":\"M\"")) return NULL; /* names of tracks */
  if (!read_event(line, &e)) return "a line is not an event that Plait writes";
  return add_event(s, &e) ? NULL : "there is no memory";
}

/* Reads the file; NULL, or why it cannot be summed up. */
static const char *read_file(FILE *file, summary *s)
{
  char *line = NULL;
  size_t room = 0;
  int complete = 0;
  const char *why = NULL;
  int begun = getline(&line, &room, file) > 0 && skip(line, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  while (begun && !why && !complete && getline(&line, &room, file) > 0) {
    complete = !!skip(line, "]}");
    if (!complete) why = add_line(s, line);
  }
  free(line);
  return why || complete ? why : "not a complete trace: did the program call pl_finalize?";
}

/* ---- output ---- */

/* By track, then the longest first. */
static int by_time(const void *a, const void *b)
{
  const row *x = a, *y = b;
  if (x->track != y->track) return x->track - y->track;
  if (x->time != y->time) return x->time < y->time ? 1 : -1;
  return strcmp(x->name, y->name);
}

static void print_summary(summary *s)
{
  double span = s->last - s->first;
  if (s->count) qsort(s->rows, s->count, sizeof *s->rows, by_time);
  printf("%.0f events on %d %s in %.3f ms\n", s->events, s->ranks, s->ranks == 1 ? "rank" : "ranks",
         1e-3 * span);
  for (size_t i = 0; i < s->count; i++) {
    const row *r = &s->rows[i];
    if (i == 0 || r->track != r[-1].track)
      printf("\n%-24s %-16s %9s %12s %7s %12s %12s %9s\n", track_name[r->track], "set", "calls", "ms",
             "share", "us/call", "most us", "GB/s");
    printf("%-24s %-16s %9.0f %12.3f %6.1f%% %12.3f %12.3f", r->name, r->set, r->calls, 1e-3 * r->time,
           span > 0 ? 100 * r->time / span / s->ranks : 0, r->time / r->calls, r->most);
    if (r->bytes > 0 && r->time > 0) printf(" %9.2f", 1e-3 * r->bytes / r->time);
    printf("\n");
  }
}

static int usage(FILE *to)
{
  fprintf(to, "usage: plait trace FILE\n"
              "  sums up a file of PLAIT_TRACE: calls, time, share of the time of all ranks, and GB/s\n");
  return to == stdout ? 0 : 2;
}

int trace_command(int argc, char **argv)
{
  summary s = {.rows = NULL};
  if (argc == 3 && !strcmp(argv[2], "--help")) return usage(stdout);
  if (argc != 3) return usage(stderr);
  FILE *file = fopen(argv[2], "r");
  const char *why = file ? read_file(file, &s) : strerror(errno);
  if (why)
    fprintf(stderr, "plait trace: %s: %s\n", argv[2], why);
  else
    print_summary(&s);
  if (file) fclose(file);
  close_summary(&s);
  return why || fflush(stdout) ? 1 : 0;
}
