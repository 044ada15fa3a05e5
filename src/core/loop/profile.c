/* SPDX-License-Identifier: BSD-2-Clause
 * The profile: timed regions, the lines of the table, and writing them as a table, CSV or JSON.
 */
#include "profile.h"
#include "directory.h"
#include "chain.h"
#include <errno.h>
#include <string.h>
#include <time.h>

/* A timed region, or a kernel of a program, which keeps its line when the program goes. */
struct pl_region {
  pl_region *next;
  char *name;
  char *program; /* "" for a timed region */
  char variant[24];
  double setup_seconds, bytes;
  int parent; /* the region that was open when this one began, counted as open_region */
  int number; /* from 1 */
  bool open;
  double started, seconds;
  uint64_t calls;
};

double pl_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- bytes ---- */

static bool same_data(const pl_arg *a, const pl_arg *b)
{
  return a->kind == b->kind && a->object == b->object && !a->off;
}

/* Elements of a dat that the loop can touch at most: those of its set, or as many as the maps reach. */
static double touched(const pl_loop *loop, const pl_arg *arg)
{
  const pl_dat *dat = arg->object;
  double n = (double)loop->set->part[1];
  double reached = arg->index == PL_WHOLE ? n
                   : pl_arg_is_row(arg)   ? (double)pl_map_entries(arg->map)
                                          : n * pl_arg_targets(arg);
  double all = (double)dat->set->part[3];
  return reached < all ? reached : all;
}

static double dat_bytes(const pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  double n = 0, all = (double)((const pl_dat *)arg->object)->set->part[3];
  bool reads = false, writes = false;
  for (int j = 0; j < loop->nargs; j++) {
    const pl_arg *other = &loop->args[j];
    if (!same_data(other, arg)) continue;
    if (j < i) return 0;
    n += touched(loop, other);
    reads |= other->access != PL_WRITE && !(other->zeroed && loop->stores);
    writes |= pl_arg_writes(other);
  }
  if (n > all) n = all;
  return n * pl_arg_dim(arg) * (double)pl_type_size(pl_arg_type(arg)) * (reads + writes);
}

static double map_bytes(const pl_loop *loop, int i)
{
  const pl_map *map = loop->args[i].map;
  for (int j = 0; j < i; j++)
    if (loop->args[j].map == map && !loop->args[j].off) return 0;
  if (map->offset) return ((double)pl_map_entries(map) + loop->set->part[1] + 1) * (double)sizeof(int);
  return (double)loop->set->part[1] * map->arity * (double)sizeof(int);
}

double pl_loop_bytes(const pl_loop *loop)
{
  double bytes = 0;
  for (int i = 0; i < loop->nargs; i++) {
    if (loop->args[i].off) continue;
    if (loop->args[i].kind == PL_ARG_DAT && pl_arg_dat_of(&loop->args[i])) bytes += dat_bytes(loop, i);
    if (loop->args[i].map) bytes += map_bytes(loop, i);
  }
  return bytes;
}

/* ---- timed regions ---- */

static pl_region *find_line(pl_context *pl, const char *name, const char *program)
{
  pl_region *region = pl->regions;
  while (region && (strcmp(region->name, name) || strcmp(region->program, program))) region = region->next;
  return region;
}

static pl_region *find_region(pl_context *pl, const char *name)
{
  return find_line(pl, name, "");
}

static pl_region *region_number(pl_context *pl, int number)
{
  pl_region *region = pl->regions;
  while (region && region->number != number) region = region->next;
  return region;
}

static void free_region(pl_context *pl, pl_region *region)
{
  pl_free(pl, region->name);
  pl_free(pl, region->program);
  pl_free(pl, region);
}

pl_region *pl_profile_line(pl_context *pl, const char *name, const char *program)
{
  pl_region *region = find_line(pl, name, program);
  if (region) return region;
  region = pl_calloc(pl, 1, sizeof *region);
  if (region) region->name = pl_strdup(pl, name);
  if (region) region->program = pl_strdup(pl, program);
  if (!region || !region->name || !region->program) {
    if (region) free_region(pl, region);
    pl_fail_memory(pl, sizeof *region);
    return NULL;
  }
  region->number = 1;
  pl_region **end = &pl->regions;
  for (; *end; end = &(*end)->next) region->number++;
  return *end = region;
}

pl_err pl_timer_begin(pl_context *pl, const char *name)
{
  if (!pl || !name) return pl_fail(pl, PL_ERR_ARG, "pl_timer_begin: a pointer is NULL");
  PL_TRY(pl_late_run(pl));
  pl_region *region = pl_profile_line(pl, name, "");
  if (!region) return PL_ERR_MEMORY;
  if (region->open) return pl_fail(pl, PL_ERR_STATE, "pl_timer_begin: region \"%s\" is open already", name);
  region->open = true;
  region->parent = pl->open_region;
  pl->open_region = region->number;
  region->started = pl_now();
  return PL_SUCCESS;
}

pl_err pl_timer_end(pl_context *pl, const char *name)
{
  double now = pl_now();
  if (!pl || !name) return pl_fail(pl, PL_ERR_ARG, "pl_timer_end: a pointer is NULL");
  PL_TRY(pl_late_run(pl));
  pl_region *region = find_region(pl, name), *inner = region_number(pl, pl->open_region);
  if (!region || !region->open)
    return pl_fail(pl, PL_ERR_STATE, "pl_timer_end: region \"%s\" is not open", name);
  if (region != inner)
    return pl_fail(pl, PL_ERR_STATE, "pl_timer_end: region \"%s\" is not the innermost one; end \"%s\" first",
                   name, inner->name);
  region->open = false;
  region->seconds += now - region->started;
  region->calls++;
  pl->open_region = region->parent;
  return PL_SUCCESS;
}

/* ---- programs ---- */

void pl_profile_setup(pl_region *line, double seconds)
{
  line->setup_seconds += seconds;
}

pl_err pl_profile_launch(pl_context *pl, pl_region *line, double start, int block, double bytes)
{
  snprintf(line->variant, sizeof line->variant, "groups of %d", block);
  line->calls++;
  line->bytes += bytes;
  return pl_profile_time(pl, start, &line->seconds);
}

/* Where work is only started, its time is known only if the profile is asked for, which then waits for it. */
pl_err pl_profile_time(pl_context *pl, double start, double *seconds)
{
  if (pl->backend->sync) {
    if (pl_opt_is(pl, PL_OPT_PROFILE, "0")) return PL_SUCCESS;
    PL_TRY(pl->backend->sync(pl));
  }
  *seconds += pl_now() - start;
  return PL_SUCCESS;
}

/* ---- lines of the profile ---- */

pl_err pl_loop_count(pl_loop *loop)
{
  const pl_backend *backend = loop->pl->backend;
  if (loop->set->pairs || !backend->count || pl_kernel_extras(loop->kernel)->flops) return PL_SUCCESS;
  pl_err err = backend->count(loop->pl, loop);
  return err == PL_ERR_MEMORY ? err : PL_SUCCESS; /* what cannot be counted stays uncounted */
}

double pl_loop_flops(const pl_loop *loop)
{
  double each = pl_kernel_extras(loop->kernel)->flops;
  if (!each && loop->counted) each = loop->ops.add + loop->ops.multiply + loop->ops.divide + loop->ops.call;
  return each * loop->set->part[1];
}

static void entry_of_loop(const pl_loop *loop, pl_profile_entry *entry)
{
  double calls = (double)loop->calls;
  *entry = (pl_profile_entry){.name = loop->kernel->name,
                              .set = loop->set->node.name,
                              .variant = loop->variant ? loop->variant : "",
                              .calls = loop->calls,
                              .seconds = loop->seconds,
                              .setup_seconds = loop->setup_seconds,
                              .bytes = calls * loop->bytes_per_call,
                              .flops = calls * pl_loop_flops(loop)};
}

static int count_lines(const pl_context *pl)
{
  int lines = (int)pl->loop_count;
  for (const pl_region *region = pl->regions; region; region = region->next) lines++;
  return lines;
}

/* The loop with the `index`-th smallest id, counting from 0, or NULL. Loops are few; a profile is rare. */
static const pl_loop *loop_at(const pl_context *pl, int index)
{
  uint64_t last = 0;
  const pl_loop *found = NULL;
  for (int i = 0; i <= index; i++) {
    found = NULL;
    for (size_t slot = 0; slot < pl->loop_slots; slot++)
      for (const pl_loop *loop = pl->loop_table[slot]; loop; loop = loop->next)
        if (loop->id > last && (!found || loop->id < found->id)) found = loop;
    if (!found) return NULL;
    last = found->id;
  }
  return found;
}

static pl_err entry_at(pl_context *pl, int index, pl_profile_entry *entry)
{
  const pl_loop *loop = index < 0 ? NULL : loop_at(pl, index);
  if (loop) {
    entry_of_loop(loop, entry);
    return PL_SUCCESS;
  }
  pl_region *region = index < 0 ? NULL : region_number(pl, index - (int)pl->loop_count + 1);
  if (!region) return pl_fail(pl, PL_ERR_RANGE, "profile line %d: there is none", index);
  *entry = (pl_profile_entry){.name = region->name,
                              .set = region->program,
                              .variant = region->variant,
                              .calls = region->calls,
                              .seconds = region->seconds,
                              .setup_seconds = region->setup_seconds,
                              .bytes = region->bytes};
  return PL_SUCCESS;
}

/* Before operations are told. */
static pl_err count_loops(pl_context *pl)
{
  for (size_t slot = 0; slot < pl->loop_slots; slot++)
    for (pl_loop *loop = pl->loop_table[slot]; loop; loop = loop->next) PL_TRY(pl_loop_count(loop));
  return PL_SUCCESS;
}

pl_err pl_profile_at(pl_context *pl, int index, pl_profile_entry *entry)
{
  if (!pl || !entry) return pl_fail(pl, PL_ERR_ARG, "pl_profile_at: a pointer is NULL");
  PL_TRY(pl_late_run(pl));
  PL_TRY(count_loops(pl));
  return entry_at(pl, index, entry);
}

pl_err pl_timing(pl_context *pl, const char *name, double *seconds, uint64_t *calls)
{
  if (!pl || !name) return pl_fail(pl, PL_ERR_ARG, "pl_timing: a pointer is NULL");
  double total = 0;
  uint64_t count = 0;
  pl_profile_entry entry;
  PL_TRY(pl_late_run(pl));
  for (int i = 0; i < count_lines(pl) && !entry_at(pl, i, &entry); i++) {
    if (strcmp(entry.name, name)) continue;
    total += entry.seconds;
    count += entry.calls;
  }
  if (seconds) *seconds = total;
  if (calls) *calls = count;
  return PL_SUCCESS;
}

pl_err pl_profile_reset(pl_context *pl)
{
  if (!pl) return PL_ERR_ARG;
  for (size_t slot = 0; slot < pl->loop_slots; slot++)
    for (pl_loop *loop = pl->loop_table[slot]; loop; loop = loop->next) {
      loop->calls = 0;
      loop->seconds = loop->setup_seconds = 0;
    }
  for (pl_region *region = pl->regions; region; region = region->next) {
    region->calls = 0;
    region->seconds = region->setup_seconds = region->bytes = 0;
  }
  return PL_SUCCESS;
}

pl_err pl_get_stats(pl_context *pl, pl_stats *stats)
{
  if (!pl || !stats) return pl_fail(pl, PL_ERR_ARG, "pl_get_stats: a pointer is NULL");
  *stats = pl->stats;
  return PL_SUCCESS;
}

/* First the counts, then the seconds. */
enum {
  COUNTS = offsetof(pl_stats, plan_seconds) / sizeof(uint64_t),
  SECONDS = (sizeof(pl_stats) - offsetof(pl_stats, plan_seconds)) / sizeof(double)
};

static pl_err stats_over_ranks(pl_context *pl, const pl_stats *own, pl_access op, pl_stats *result)
{
  if (!result) return PL_SUCCESS;
  *result = *own;
  PL_TRY(pl_comm_reduce(pl, PL_UINT64, op, result, COUNTS));
  return pl_comm_reduce(pl, PL_DOUBLE, op, &result->plan_seconds, SECONDS);
}

pl_err pl_get_stats_ranks(pl_context *pl, pl_stats *sum, pl_stats *most)
{
  pl_err err = PL_SUCCESS;
  if (!pl) return PL_ERR_ARG;
  if (!sum && !most) err = pl_fail(pl, PL_ERR_ARG, "pl_get_stats_ranks: both pointers are NULL");
  PL_TRY(pl_agree(pl, err));
  const pl_stats own = pl->stats;
  const int32_t wants[2] = {sum != NULL, most != NULL};
  int32_t all[2] = {wants[0], wants[1]};
  pl_stats unread;
  PL_TRY(pl_comm_reduce(pl, PL_INT32, PL_MAX, all, 2)); /* ranks need not ask for the same */
  PL_TRY(stats_over_ranks(pl, &own, PL_INC, !all[0] ? NULL : sum ? sum : &unread));
  return stats_over_ranks(pl, &own, PL_MAX, !all[1] ? NULL : most ? most : &unread);
}

/* ---- writing ---- */

typedef struct format {
  const char *head, *line, *between, *tail;
  const char *(*quote)(const char *text, char *buffer, size_t size); /* a name, as this format writes it */
} format;

static const char *as_it_is(const char *text, char *buffer, size_t size)
{
  (void)buffer, (void)size;
  return text;
}

/* RFC 4180: a field with commas, quotes or line ends stands in quotes, and its quotes are doubled. */
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

/* RFC 8259: quotes, backslashes and control characters are escaped. */
static const char *quote_json(const char *text, char *buffer, size_t size)
{
  size_t n = 0;
  for (; *text && n + 8 < size; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < ' ') {
      n += (size_t)snprintf(buffer + n, size - n, "\\u%04x", c);
      continue;
    }
    if (c == '"' || c == '\\') buffer[n++] = '\\';
    buffer[n++] = (char)c;
  }
  buffer[n] = '\0';
  return buffer;
}

/* Arguments of `line`, in order: name, set, variant, calls, seconds, seconds per call, setup seconds, GB/s,
 * GFLOP/s. */
static const format formats[3] = {
  {"loop                 set              variant              calls     seconds   ms/call    set-up      "
   "GB/s   GFLOP/s\n",
   "%-20s %-16s %-16s %9llu %11.4f %9.4f %9.4f %9.2f %9.2f\n", "", "", as_it_is},
  {"name,set,variant,calls,seconds,ms_per_call,setup_seconds,gbytes_per_s,gflops\n",
   "%s,%s,%s,%llu,%.9g,%.9g,%.9g,%.6g,%.6g\n", "", "", quote_csv},
  {"{\"loops\": [\n",
   "  {\"name\": \"%s\", \"set\": \"%s\", \"variant\": \"%s\", \"calls\": %llu, \"seconds\": %.9g, "
   "\"ms_per_call\": %.9g, "
   "\"setup_seconds\": %.9g, \"gbytes_per_s\": %.6g, \"gflops\": %.6g}",
   ",\n", "\n]}\n", quote_json}};

static void write_lines(pl_context *pl, FILE *file, const format *how)
{
  char name[256], set[256], variant[256];
  pl_profile_entry e;
  fputs(how->head, file);
  for (int i = 0; i < count_lines(pl) && !entry_at(pl, i, &e); i++) {
    double calls = e.calls ? (double)e.calls : 1, rate = e.seconds > 0 ? 1e-9 / e.seconds : 0;
    if (i) fputs(how->between, file);
    fprintf(file, how->line, how->quote(e.name, name, sizeof name), how->quote(e.set, set, sizeof set),
            how->quote(e.variant, variant, sizeof variant), (unsigned long long)e.calls, e.seconds,
            1e3 * e.seconds / calls, e.setup_seconds, rate * e.bytes, rate * e.flops);
  }
  fputs(how->tail, file);
}

/* ---- over ranks ---- */

/* A line as it travels: of one rank, or of all. */
typedef struct line {
  char name[64], set[48], variant[48];
  double calls, seconds, least, most, setup, bytes, flops;
} line;

/* Arguments: name, set, variant, calls, least, mean and greatest seconds, set-up seconds, GB/s of all ranks.
 */
static const format over_ranks[3] = {
  {"loop                 set              variant              calls         min        mean         max    "
   "set-up      GB/s\n",
   "%-20s %-16s %-16s %9.0f %11.4f %11.4f %11.4f %9.4f %9.2f\n", "", "", as_it_is},
  {"name,set,variant,calls,min_seconds,mean_seconds,max_seconds,setup_seconds,gbytes_per_s\n",
   "%s,%s,%s,%.0f,%.9g,%.9g,%.9g,%.9g,%.6g\n", "", "", quote_csv},
  {"{\"loops\": [\n",
   "  {\"name\": \"%s\", \"set\": \"%s\", \"variant\": \"%s\", \"calls\": %.0f, \"min_seconds\": %.9g, "
   "\"mean_seconds\": %.9g, \"max_seconds\": %.9g, \"setup_seconds\": %.9g, \"gbytes_per_s\": %.6g}",
   ",\n", "\n]}\n", quote_json}};

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

/* This rank's lines; the last is what halos took. */
static int own_lines(pl_context *pl, line *lines, int room)
{
  pl_profile_entry e;
  int n = 0;
  while (n < room - 1 && !entry_at(pl, n, &e)) fill_line(&lines[n++], &e);
  e = (pl_profile_entry){.name = "(halos)",
                         .set = "",
                         .variant = "messages",
                         .calls = pl->stats.halo_messages,
                         .seconds = pl->stats.halo_seconds,
                         .bytes = (double)pl->stats.halo_bytes};
  fill_line(&lines[n++], &e);
  return n;
}

/* Lines of the same loop become one. Returns how many are left. */
static int merge_lines(line *lines, int n)
{
  int kept = 0;
  for (int i = 0; i < n; i++) {
    int k = 0;
    while (k < kept && (strcmp(lines[k].name, lines[i].name) || strcmp(lines[k].set, lines[i].set))) k++;
    if (k == kept) {
      lines[kept++] = lines[i];
      continue;
    }
    lines[k].calls += lines[i].calls;
    lines[k].seconds += lines[i].seconds;
    lines[k].setup += lines[i].setup;
    lines[k].bytes += lines[i].bytes;
    if (lines[i].most > lines[k].most) lines[k].most = lines[i].most;
    if (lines[i].least < lines[k].least) lines[k].least = lines[i].least;
  }
  return kept;
}

static void write_merged(FILE *file, const format *how, const line *lines, int n, int ranks)
{
  char name[256], set[256], variant[256];
  fputs(how->head, file);
  for (int i = 0; i < n; i++) {
    const line *l = &lines[i];
    if (i) fputs(how->between, file);
    fprintf(file, how->line, how->quote(l->name, name, sizeof name), how->quote(l->set, set, sizeof set),
            how->quote(l->variant, variant, sizeof variant), l->calls / ranks, l->least, l->seconds / ranks,
            l->most, l->setup / ranks, l->most > 0 ? 1e-9 * l->bytes / l->most : 0);
  }
  fputs(how->tail, file);
}

/* All ranks' lines on rank 0, merged there; *n is 0 elsewhere. Lines of one rank that bear one name are one.
 */
static pl_err gather_lines(pl_context *pl, line **all, int *n)
{
  int ranks = pl_ranks(pl), room = count_lines(pl) + 2;
  line *mine = pl_calloc(pl, (size_t)room, sizeof *mine);
  int64_t *count = pl_calloc(pl, 2 * (size_t)ranks, sizeof *count);
  pl_err err = pl_agree(pl, mine && count ? PL_SUCCESS : pl_fail_memory(pl, (size_t)room * sizeof *mine));
  if (!err) count[0] = merge_lines(mine, own_lines(pl, mine, room));
  for (int64_t i = 0; !err && i < count[0]; i++) mine[i].least = mine[i].most = mine[i].seconds;
  if (!err) err = pl_comm_exchange(pl, sizeof *mine, mine, count, (void **)all, count + ranks);
  *n = err ? 0 : (int)pl_count_sum(pl, count + ranks);
  if (!err) *n = merge_lines(*all, *n);
  pl_free(pl, mine);
  pl_free(pl, count);
  return err;
}

static bool ends_in(const char *string, const char *tail)
{
  size_t n = strlen(string), m = strlen(tail);
  return n >= m && !strcmp(string + n - m, tail);
}

/* The profile of this rank, or of all of them, whose lines are there then. */
static void write_text(pl_context *pl, FILE *file, int kind, const line *lines, int n)
{
  if (lines)
    write_merged(file, &over_ranks[kind], lines, n, pl_ranks(pl));
  else
    write_lines(pl, file, &formats[kind]);
}

static pl_err write_file(pl_context *pl, const char *path, const line *lines, int n)
{
  if (!strcmp(path, "-")) {
    write_text(pl, stderr, 0, lines, n);
    return PL_SUCCESS;
  }
  FILE *file = fopen(path, "w");
  if (file) write_text(pl, file, ends_in(path, ".csv") ? 1 : ends_in(path, ".json") ? 2 : 0, lines, n);
  if (file && !fclose(file)) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_IO, "the profile cannot be written to \"%s\": %s", path, strerror(errno));
}

pl_err pl_profile_write(pl_context *pl, const char *path)
{
  if (!pl || !path) return pl_fail(pl, PL_ERR_ARG, "pl_profile_write: a pointer is NULL");
  PL_TRY(pl_late_run(pl));
  PL_TRY(pl_agree(pl, count_loops(pl)));
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

void pl_profile_close(pl_context *pl)
{
  while (pl->regions) {
    pl_region *region = pl->regions;
    pl->regions = region->next;
    free_region(pl, region);
  }
}
