/* SPDX-License-Identifier: BSD-2-Clause
 * The events of a trace in binary form.
 */
#include "trace_records.h"
#include "core/context/memory.h"
#include <string.h>

/* ---- names ---- */

/* -1 without memory. */
static int add_name(pl_trace_records *r, const char *text)
{
  char **grown = pl_resize(r->pl, r->name, ((size_t)r->nnames + 1) * sizeof *grown);
  if (!grown) return -1;
  r->name = grown;
  if (!(grown[r->nnames] = pl_strdup(r->pl, text))) return -1;
  return r->nnames++;
}

static int find_name(pl_trace_records *r, const char *text)
{
  for (int i = 0; i < r->nnames; i++)
    if (!strcmp(r->name[i], text)) return i;
  return add_name(r, text);
}

/* Most events have the string of an earlier one; memory is used again, so its contents are compared. */
static int name_of(pl_trace_records *r, const char *text)
{
  const size_t at = ((uintptr_t)text >> 3) % PL_TRACE_RECENT;
  if (r->recent[at].address == text && !strcmp(r->name[r->recent[at].name], text)) return r->recent[at].name;
  int name = find_name(r, text);
  if (name < 0) return name;
  r->recent[at].address = text;
  return r->recent[at].name = name;
}

/* ---- records ---- */

static void spill(pl_trace_records *r)
{
  if (!r->file) r->file = tmpfile();
  size_t written = r->file ? fwrite(r->buffer, sizeof *r->buffer, (size_t)r->n, r->file) : 0;
  r->lost += (uint64_t)r->n - written;
  r->n = 0;
}

bool pl_trace_record_of(pl_trace_records *r, const pl_tool_event *event, pl_trace_record *record)
{
  *record = (pl_trace_record){.begin = event->begin,
                              .end = event->end,
                              .bytes = event->bytes,
                              .name = name_of(r, event->name),
                              .set = name_of(r, event->set),
                              .kind = event->kind};
  const bool good = record->name >= 0 && record->set >= 0;
  r->lost += !good;
  return good;
}

void pl_trace_add(pl_trace_records *r, const pl_trace_record *record)
{
  if (r->n == PL_TRACE_BUFFER) spill(r);
  r->buffer[r->n++] = *record;
}

void pl_trace_each(pl_trace_records *r, void (*use)(void *user, const pl_trace_record *record), void *user)
{
  pl_trace_record record;
  if (r->file) rewind(r->file);
  while (r->file && fread(&record, sizeof record, 1, r->file) == 1) use(user, &record);
  for (int i = 0; i < r->n; i++) use(user, &r->buffer[i]);
}

void pl_trace_records_free(pl_trace_records *r)
{
  if (r->file) fclose(r->file);
  for (int i = 0; i < r->nnames; i++) pl_free(r->pl, r->name[i]);
  pl_free(r->pl, r->name);
}
