/* SPDX-License-Identifier: BSD-2-Clause
 * Output of the profile as a table, CSV or JSON, of one rank or merged over all ranks.
 */
#include "profile_write.h"
#include "core/base/json_text.h"
#include "core/base/plain_format.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "core/tools/tools.h"
#include "profile.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* ---- formats ---- */

/* Index 0 of `head` and `line`: the lines of one rank; 1: of all ranks. */
typedef struct format {
  const char *head[2], *line[2], *between, *tail;
  const char *(*quote)(const char *text, char *buffer, size_t size); /* a name in this format */
} format;

static const char *plain_text(const char *text, char *buffer, size_t size)
{
  (void)buffer, (void)size;
  return text;
}

/* RFC 4180: quotes a field with commas, quotes or line ends, and doubles its quotes. */
static const char *quote_csv(const char *text, char *buffer, size_t size)
{
  size_t n = 0;
  if (!text[strcspn(text, ",\"\r\n")]) return text;
  buffer[n++] = '"';
  for (; *text && n + 4 < size; text++) {
    if (*text == '"') buffer[n++] = '"';
    buffer[n++] = *text;
  }
  buffer[n++] = '"';
  buffer[n] = '\0';
  return buffer;
}

/* Arguments of line[0]: name, set, variant, calls, seconds, ms per call, set-up seconds, GB/s, GFLOP/s, share
 * of the triad; of line[1]: name, set, variant, calls, least, mean and greatest seconds, set-up seconds, GB/s
 * of all ranks. */
static const format formats[3] = {
  {{"loop                 set              variant              calls     seconds   ms/call    set-up      "
    "GB/s   GFLOP/s   % triad\n",
    "loop                 set              variant              calls         min        mean         max    "
    "set-up      GB/s\n"},
   {"%-20s %-16s %-16s %9llu %11.4f %9.4f %9.4f %9.2f %9.2f %9s\n",
    "%-20s %-16s %-16s %9.0f %11.4f %11.4f %11.4f %9.4f %9.2f\n"},
   "",
   "",
   plain_text},
  {{"name,set,variant,calls,seconds,ms_per_call,setup_seconds,gbytes_per_s,gflops\n",
    "name,set,variant,calls,min_seconds,mean_seconds,max_seconds,setup_seconds,gbytes_per_s\n"},
   {"%s,%s,%s,%llu,%.9g,%.9g,%.9g,%.6g,%.6g\n", "%s,%s,%s,%.0f,%.9g,%.9g,%.9g,%.9g,%.6g\n"},
   "",
   "",
   quote_csv},
  {{"{\"loops\": [\n", "{\"loops\": [\n"},
   {"  {\"name\": \"%s\", \"set\": \"%s\", \"variant\": \"%s\", \"calls\": %llu, \"seconds\": %.9g, "
    "\"ms_per_call\": %.9g, \"setup_seconds\": %.9g, \"gbytes_per_s\": %.6g, \"gflops\": %.6g}",
    "  {\"name\": \"%s\", \"set\": \"%s\", \"variant\": \"%s\", \"calls\": %.0f, \"min_seconds\": %.9g, "
    "\"mean_seconds\": %.9g, \"max_seconds\": %.9g, \"setup_seconds\": %.9g, \"gbytes_per_s\": %.6g}"},
   ",\n",
   "\n]}\n",
   pl_json_text}};

/* ---- the machine's bandwidth ---- */

/* Finds the line "MBYTES MFLOPS KEY" of the file that plait roofline writes; returns its bytes a second. */
static double find_rate(FILE *file, const char *key)
{
  char line[512];
  while (fgets(line, sizeof line, file)) {
    long long mbytes, mflops;
    int at = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%lld %lld %n", &mbytes, &mflops, &at) == 2 && at && !strcmp(line + at, key))
      return 1e6 * (double)mbytes;
  }
  return 0;
}

/* Bytes a second of a triad on this backend, as plait roofline has measured it; 0: it has not. */
static pl_err triad_rate(pl_context *pl, double *rate)
{
  char host[256] = "", key[512];
  pl_string path;
  *rate = 0;
  pl_string_init(&path, pl);
  pl_opt_cache_folder(pl, &path);
  pl_string_add(&path, "/rates");
  const pl_err err = pl_string_check(&path);
  FILE *file = err ? NULL : fopen(path.data, "r");
  gethostname(host, sizeof host - 1);
  snprintf(key, sizeof key, "%s %s %d %s", host, pl->backend->name,
           pl->backend->threads ? pl->backend->threads(pl) : 1, pl_opt(pl, PL_OPT_DEVICE));
  if (file) {
    *rate = find_rate(file, key);
    fclose(file);
  }
  pl_string_free(&path);
  return err;
}

/* ---- lines over ranks ---- */

/* A line of one rank, or merged over ranks. */
typedef struct line {
  char name[128], set[48], variant[48];
  double calls, seconds, least, most, setup, bytes, flops;
} line;

static void fill_line(line *l, const pl_profile_entry *e)
{
  *l = (line){.calls = (double)e->calls,
              .seconds = e->seconds,
              .most = e->seconds,
              .setup = e->setup_seconds,
              .bytes = e->bytes,
              .flops = e->flops};
  snprintf(l->name, sizeof l->name, "%s", e->name);
  snprintf(l->set, sizeof l->set, "%s", e->set);
  snprintf(l->variant, sizeof l->variant, "%s", e->variant);
}

/* This rank's lines and one for its halo exchanges. */
static int own_lines(pl_context *pl, line *lines, int room)
{
  pl_profile_entry e;
  int n = 0;
  while (n < room - 1 && !pl_profile_entry_at(pl, n, &e)) fill_line(&lines[n++], &e);
  e = (pl_profile_entry){.name = "(halos)",
                         .set = "",
                         .variant = "messages",
                         .calls = pl->stats.halo_messages,
                         .seconds = pl->stats.halo_seconds,
                         .bytes = (double)pl->stats.halo_bytes};
  fill_line(&lines[n++], &e);
  return n;
}

/* Merges the lines of one loop. Returns the number of lines left. */
static int merge_lines(line *lines, int n)
{
  int left = 0;
  for (int i = 0; i < n; i++) {
    int k = 0;
    while (k < left && (strcmp(lines[k].name, lines[i].name) || strcmp(lines[k].set, lines[i].set))) k++;
    if (k == left) {
      lines[left++] = lines[i];
      continue;
    }
    lines[k].calls += lines[i].calls;
    lines[k].seconds += lines[i].seconds;
    lines[k].setup += lines[i].setup;
    lines[k].bytes += lines[i].bytes;
    if (lines[i].most > lines[k].most) lines[k].most = lines[i].most;
    if (lines[i].least < lines[k].least) lines[k].least = lines[i].least;
  }
  return left;
}

/* Gathers the lines of all ranks on rank 0 and merges them by name; *n is 0 on other ranks. */
static pl_err gather_lines(pl_context *pl, line **all, int *n)
{
  int ranks = pl_ranks(pl), room = pl_profile_lines(pl) + 2;
  line *mine = pl_calloc(pl, (size_t)room, sizeof *mine);
  int64_t *count = pl_calloc(pl, 2 * (size_t)ranks, sizeof *count);
  pl_err err = pl_agree(pl, mine && count ? PL_SUCCESS : pl_fail_memory(pl, (size_t)room * sizeof *mine));
  if (!err) count[0] = merge_lines(mine, own_lines(pl, mine, room));
  for (int64_t i = 0; !err && i < count[0]; i++) mine[i].least = mine[i].most = mine[i].seconds;
  if (!err) err = pl_comm_all_to_all(pl, sizeof *mine, mine, count, (void **)all, count + ranks);
  *n = err ? 0 : (int)pl_count_sum(pl, count + ranks);
  if (!err) *n = merge_lines(*all, *n);
  pl_free_all(pl, mine, count);
  return err;
}

/* ---- files ---- */

static void print(FILE *file, const char *format, ...)
{
  char text[1536];
  va_list list;
  va_start(list, format);
  pl_format_list(text, sizeof text, format, list);
  va_end(list);
  fputs(text, file);
}

static void write_entry(FILE *file, const format *how, const pl_profile_entry *e, double triad)
{
  char share[16] = "-";
  char name[256], set[256], variant[256];
  double calls = e->calls ? (double)e->calls : 1, rate = e->seconds > 0 ? 1e-9 / e->seconds : 0;
  if (triad > 0 && e->bytes > 0 && e->seconds > 0)
    pl_format(share, sizeof share, "%.1f", 100 * e->bytes / e->seconds / triad);
  print(file, how->line[0], how->quote(e->name, name, sizeof name), how->quote(e->set, set, sizeof set),
        how->quote(e->variant, variant, sizeof variant), (unsigned long long)e->calls, e->seconds,
        1e3 * e->seconds / calls, e->setup_seconds, rate * e->bytes, rate * e->flops, share);
}

static void write_line(FILE *file, const format *how, const line *l, int ranks)
{
  char name[256], set[256], variant[256];
  print(file, how->line[1], how->quote(l->name, name, sizeof name), how->quote(l->set, set, sizeof set),
        how->quote(l->variant, variant, sizeof variant), l->calls / ranks, l->least, l->seconds / ranks,
        l->most, l->setup / ranks, l->most > 0 ? 1e-9 * l->bytes / l->most : 0);
}

/* Writes this rank's entries, or the n merged lines of all ranks. */
static void write_lines(pl_context *pl, FILE *file, const format *how, const line *lines, int n, double triad)
{
  pl_profile_entry e;
  if (!lines) n = pl_profile_lines(pl);
  fputs(how->head[lines != NULL], file);
  for (int i = 0; i < n; i++) {
    if (i) fputs(how->between, file);
    if (lines)
      write_line(file, how, &lines[i], pl_ranks(pl));
    else if (!pl_profile_entry_at(pl, i, &e))
      write_entry(file, how, &e, triad);
  }
  fputs(how->tail, file);
  if (how != &formats[0]) return;
  if (!lines && !(triad > 0))
    fputs("(for the share of the machine's bandwidth, run once: plait roofline)\n", file);
  pl_tools_write_setup(pl, file);
}

static bool ends_in(const char *string, const char *tail)
{
  size_t n = strlen(string), m = strlen(tail);
  return n >= m && !strcmp(string + n - m, tail);
}

static pl_err write_file(pl_context *pl, const char *path, const line *lines, int n)
{
  double triad = 0;
  if (!lines) PL_TRY(triad_rate(pl, &triad));
  if (!strcmp(path, "-")) {
    write_lines(pl, stderr, &formats[0], lines, n, triad);
    return PL_SUCCESS;
  }
  FILE *file = fopen(path, "w");
  const format *how = &formats[ends_in(path, ".csv") ? 1 : ends_in(path, ".json") ? 2 : 0];
  if (file) write_lines(pl, file, how, lines, n, triad);
  bool good = file && !ferror(file);
  if (file && !fclose(file) && good) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_IO, "the profile cannot be written to \"%s\": %s", path, strerror(errno));
}

pl_err pl_profile_write(pl_context *pl, const char *path)
{
  PL_TRY(PL_GIVEN(pl, "pl_profile_write", pl, path));
  PL_TRY(pl_before_any_access(pl));
  PL_TRY(pl_agree(pl, pl_profile_count(pl)));
  line *lines = NULL;
  int n = 0;
  if (pl_ranks(pl) > 1) PL_TRY(gather_lines(pl, &lines, &n));
  pl_err err = pl_rank(pl) > 0 ? PL_SUCCESS : write_file(pl, path, lines, n);
  pl_free_array(pl, lines);
  return pl_agree(pl, err);
}

static void log_caches(pl_context *pl)
{
  const pl_stats *s = &pl->stats;
  pl_log(
    pl, 1,
    "loops: %llu run, %llu signatures; plans: %llu built, %llu shared; code: %llu from disk, %llu compiled",
    (unsigned long long)s->loops_run, (unsigned long long)s->loops_built, (unsigned long long)s->plans_built,
    (unsigned long long)s->plans_found, (unsigned long long)s->codes_disk,
    (unsigned long long)s->codes_compiled);
}

void pl_profile_finish(pl_context *pl)
{
  const char *where = pl_opt(pl, PL_OPT_PROFILE);
  log_caches(pl);
  if (!strcmp(where, "0") || !*where || pl_comm_check(pl)) return;
  if (pl_profile_write(pl, strcmp(where, "1") ? where : "-")) pl_log(pl, 0, "%s", pl_errmsg(pl));
}
