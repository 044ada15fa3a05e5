/* SPDX-License-Identifier: BSD-2-Clause
 * The text of a trace. Each rank is a process, each kind of work a track (a thread) of it. Numbers are
 * written as integers, which no locale changes.
 */
#include "trace_write.h"
#include "core/base/json_text.h"

enum { REGIONS, LOOPS, DEVICE, HALOS, TRANSFERS, COMPILATIONS, PLANS, REPLAYS, TRACKS, TEXT = 1024 };

static const char *const track_name[TRACKS] = {"regions",   "loops",        "device", "halos",
                                               "transfers", "compilations", "plans",  "replays"};

static const struct {
  const char *word;
  int track;
} kinds[PL_TOOL_KINDS] = {[PL_TOOL_LOOP] = {"loop", LOOPS},
                          [PL_TOOL_HALO] = {"halo", HALOS},
                          [PL_TOOL_UPLOAD] = {"upload", TRANSFERS},
                          [PL_TOOL_DOWNLOAD] = {"download", TRANSFERS},
                          [PL_TOOL_COMPILE] = {"compile", COMPILATIONS},
                          [PL_TOOL_PLAN] = {"plan", PLANS},
                          [PL_TOOL_REGION] = {"region", REGIONS},
                          [PL_TOOL_REPLAY] = {"replay", REPLAYS}};

typedef struct writer {
  pl_trace_records *records;
  double shift; /* added to times */
  FILE *file;
  int rank;
} writer;

static long long nanoseconds(double seconds)
{
  return seconds > 0 ? (long long)(1e9 * seconds + 0.5) : 0;
}

static void write_record(void *user, const pl_trace_record *record)
{
  const writer *w = user;
  char name[TEXT], set[TEXT];
  const long long begin = nanoseconds(record->begin + w->shift), end = nanoseconds(record->end + w->shift);
  const long long length = end > begin ? end - begin : 0;
  fprintf(w->file,
          ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"cat\":\"%s\",\"name\":\"%s\",\"ts\":%lld.%03lld,"
          "\"dur\":%lld.%03lld,\"args\":{\"set\":\"%s\",\"bytes\":%.0f}}",
          w->rank, record->on_device ? DEVICE : kinds[record->kind].track, kinds[record->kind].word,
          pl_json_text(w->records->name[record->name], name, sizeof name), begin / 1000, begin % 1000,
          length / 1000, length % 1000, pl_json_text(w->records->name[record->set], set, sizeof set),
          record->bytes);
}

/* Names of the process and its tracks. */
static void write_head(const writer *w)
{
  const char *form = "%s{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":\"%s\"}}";
  char rank[32];
  snprintf(rank, sizeof rank, "rank %d", w->rank);
  fprintf(w->file, form, w->rank ? ",\n" : "", w->rank, 0, "process_name", rank);
  for (int t = 0; t < TRACKS; t++) fprintf(w->file, form, ",\n", w->rank, t, "thread_name", track_name[t]);
}

void pl_trace_write(pl_trace_records *r, double offset, double origin, FILE *file)
{
  writer w = {.records = r, .shift = offset - origin, .file = file, .rank = pl_rank(r->pl)};
  write_head(&w);
  pl_trace_each(r, write_record, &w);
}
