/* SPDX-License-Identifier: BSD-2-Clause
 * The profile: timed regions and the lines of loops and program kernels; statistics.
 */
#include "profile.h"
#include "core/base/clock.h"
#include "core/base/sized_struct.h"
#include "core/comm/comm.h"
#include "core/tools/tools.h"
#include "loop.h"
#include <string.h>

/* The line of a timed region, or of a program's kernel, which outlives the program. */
struct pl_region {
  pl_region *next;
  char *name;
  char *program; /* "" for a timed region */
  char variant[24];
  double setup_seconds, bytes;
  int parent; /* the number of the enclosing region; 0: none */
  int number; /* from 1 */
  bool open;
  double started, seconds;
  uint64_t calls;
};

/* ---- bytes ---- */

/* An upper bound of the elements of a dat that an argument accesses. */
static double count_accessed(const pl_loop *loop, const pl_arg *arg)
{
  const pl_dat *dat = arg->object;
  double n = (double)loop->set->end[1];
  double reached = arg->index == PL_WHOLE ? n
                   : pl_arg_is_row(arg)   ? (double)pl_map_entries(arg->map)
                                          : n * pl_arg_targets(arg);
  double all = (double)dat->set->end[3];
  return reached < all ? reached : all;
}

static double dat_bytes(const pl_loop *loop, const pl_loop_access *access)
{
  double n = 0, all = (double)access->dat->set->end[3];
  const pl_arg *first = &loop->args[access->first];
  bool reads = access->reads && !(first->zeroed && loop->stores);
  if (first->zeroed == PL_ZEROED_PRIVATE) return 0;
  PL_EACH_ARG (arg, loop)
    if (pl_arg_is_record(arg) && pl_arg_dat_of(arg) == access->dat) n += count_accessed(loop, arg);
  if (n > all) n = all;
  return n * (double)pl_arg_bytes(first) * (reads + access->writes);
}

static double map_bytes(const pl_loop *loop, int i)
{
  const pl_map *map = loop->args[i].map;
  for (int j = 0; j < i; j++)
    if (loop->args[j].map == map && !loop->args[j].off) return 0;
  if (map->offset) return ((double)pl_map_entries(map) + loop->set->end[1] + 1) * (double)sizeof(int);
  return (double)loop->set->end[1] * pl_map_row(map) * (double)sizeof(int);
}

double pl_loop_bytes(const pl_loop *loop)
{
  double bytes = 0;
  PL_EACH_ACCESS (access, loop)
    if (access->dat) bytes += dat_bytes(loop, access);
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].map && !loop->args[i].off) bytes += map_bytes(loop, i);
  return bytes;
}

/* ---- timed regions ---- */

static pl_region *find_line(pl_context *pl, const char *name, const char *program)
{
  pl_region *region = pl->regions;
  while (region && (strcmp(region->name, name) || strcmp(region->program, program))) region = region->next;
  return region;
}

static pl_region *region_number(pl_context *pl, int number)
{
  pl_region *region = pl->regions;
  while (region && region->number != number) region = region->next;
  return region;
}

static void free_region(pl_context *pl, pl_region *region)
{
  pl_free_all(pl, region->name, region->program, region);
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
  PL_TRY(PL_GIVEN(pl, "pl_timer_begin", pl, name));
  PL_TRY(pl_before_any_access(pl));
  pl_region *region = pl_profile_line(pl, name, "");
  if (!region) return PL_ERR_MEMORY;
  if (region->open) return pl_fail(pl, PL_ERR_STATE, "pl_timer_begin: region \"%s\" is open already", name);
  region->open = true;
  region->parent = pl->open_region;
  pl->open_region = region->number;
  pl_event_begin(pl, PL_TOOL_REGION, region->name, "", 0);
  region->started = pl_now();
  return PL_SUCCESS;
}

pl_err pl_timer_end(pl_context *pl, const char *name)
{
  double now = pl_now();
  PL_TRY(PL_GIVEN(pl, "pl_timer_end", pl, name));
  PL_TRY(pl_before_any_access(pl));
  pl_region *region = find_line(pl, name, ""), *inner = region_number(pl, pl->open_region);
  if (!region || !region->open)
    return pl_fail(pl, PL_ERR_STATE, "pl_timer_end: region \"%s\" is not open", name);
  if (region != inner)
    return pl_fail(pl, PL_ERR_STATE, "pl_timer_end: region \"%s\" is not the innermost one; end \"%s\" first",
                   name, inner->name);
  region->open = false;
  region->seconds += now - region->started;
  region->calls++;
  pl_event_end(pl, PL_TOOL_REGION);
  pl->open_region = region->parent;
  return PL_SUCCESS;
}

void pl_profile_close(pl_context *pl)
{
  while (pl->regions) {
    pl_region *region = pl->regions;
    pl->regions = region->next;
    free_region(pl, region);
  }
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

/* Asynchronous work is waited for, and timed, only if the profile is requested. */
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
  if (pl_loop_traits_of(loop)->pairs || !backend->count || pl_kernel_extras(loop->kernel)->flops)
    return PL_SUCCESS;
  pl_err err = backend->count(loop->pl, loop);
  return err == PL_ERR_MEMORY ? err : PL_SUCCESS; /* otherwise not counted */
}

double pl_loop_flops(const pl_loop *loop)
{
  double each = pl_kernel_extras(loop->kernel)->flops;
  if (!each && loop->counted) each = loop->ops.add + loop->ops.multiply + loop->ops.divide + loop->ops.call;
  return each * loop->set->end[1];
}

static void entry_of_loop(const pl_loop *loop, pl_profile_entry *entry)
{
  double calls = (double)loop->calls;
  *entry = (pl_profile_entry){.name = pl_loop_title(loop),
                              .set = loop->set->node.name,
                              .variant = loop->variant ? loop->variant : "",
                              .calls = loop->calls,
                              .seconds = loop->seconds,
                              .setup_seconds = loop->setup_seconds,
                              .bytes = calls * loop->bytes_per_call - loop->bytes_spared,
                              .flops = calls * pl_loop_flops(loop)};
}

/* Since the last reset nothing was spent on the loop, or region: it has no line. */
static bool is_idle(uint64_t calls, double setup_seconds)
{
  return !calls && !(setup_seconds > 0);
}

int pl_profile_lines(const pl_context *pl)
{
  int lines = 0;
  PL_EACH_LOOP (loop, pl) lines += !is_idle(loop->calls, loop->setup_seconds);
  for (const pl_region *region = pl->regions; region; region = region->next)
    lines += !is_idle(region->calls, region->setup_seconds);
  return lines;
}

/* The loop with the least id after `last` that has a line, or NULL. */
static const pl_loop *loop_after(const pl_context *pl, uint64_t last)
{
  const pl_loop *found = NULL;
  PL_EACH_LOOP (loop, pl)
    if (loop->id > last && (!found || loop->id < found->id) && !is_idle(loop->calls, loop->setup_seconds))
      found = loop;
  return found;
}

pl_err pl_profile_entry_at(pl_context *pl, int index, pl_profile_entry *entry)
{
  const pl_loop *loop = loop_after(pl, 0);
  int left = index;
  for (; loop && left > 0; left--) loop = loop_after(pl, loop->id);
  if (loop && !left) {
    entry_of_loop(loop, entry);
    return PL_SUCCESS;
  }
  const pl_region *region = pl->regions;
  while (region && (is_idle(region->calls, region->setup_seconds) || left-- > 0)) region = region->next;
  if (index < 0 || !region) return pl_fail(pl, PL_ERR_RANGE, "the profile has no line %d", index);
  *entry = (pl_profile_entry){.name = region->name,
                              .set = region->program,
                              .variant = region->variant,
                              .calls = region->calls,
                              .seconds = region->seconds,
                              .setup_seconds = region->setup_seconds,
                              .bytes = region->bytes};
  return PL_SUCCESS;
}

pl_err pl_profile_count(pl_context *pl)
{
  PL_EACH_LOOP (loop, pl) PL_TRY(pl_loop_count(loop));
  return PL_SUCCESS;
}

pl_err pl_profile_at_sized(pl_context *pl, int index, pl_profile_entry *entry, size_t size)
{
  pl_profile_entry own;
  PL_TRY(PL_GIVEN(pl, "pl_profile_at", pl, entry));
  PL_TRY(pl_profile_count(pl));
  PL_TRY(pl_profile_entry_at(pl, index, &own));
  pl_struct_give(entry, size, &own, sizeof own);
  return PL_SUCCESS;
}

pl_err pl_timing(pl_context *pl, const char *name, double *seconds, uint64_t *calls)
{
  PL_TRY(PL_GIVEN(pl, "pl_timing", pl, name));
  double total = 0;
  uint64_t count = 0;
  pl_profile_entry entry;
  for (int i = 0; i < pl_profile_lines(pl) && !pl_profile_entry_at(pl, i, &entry); i++) {
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
  PL_TRY_GIVEN(pl);
  PL_EACH_LOOP (loop, pl) {
    loop->calls = 0;
    loop->bytes_spared = 0;
    loop->seconds = loop->setup_seconds = 0;
  }
  for (pl_region *region = pl->regions; region; region = region->next) {
    region->calls = 0;
    region->seconds = region->setup_seconds = region->bytes = 0;
  }
  return PL_SUCCESS;
}

pl_err pl_get_stats_sized(pl_context *pl, pl_stats *stats, size_t size)
{
  PL_TRY(PL_GIVEN(pl, "pl_get_stats", pl, stats));
  pl_struct_give(stats, size, &pl->stats, sizeof pl->stats);
  return PL_SUCCESS;
}

/* pl_stats holds the counts first, then the seconds. */
enum {
  COUNTS = offsetof(pl_stats, plan_seconds) / sizeof(uint64_t),
  SECONDS = (sizeof(pl_stats) - offsetof(pl_stats, plan_seconds)) / sizeof(double)
};

/* All ranks take part if the result is `wanted` on one of them; those that do give room for `size` bytes. */
static pl_err stats_over_ranks(pl_context *pl, pl_stats all, pl_access op, bool wanted, pl_stats *result,
                               size_t size)
{
  if (!wanted) return PL_SUCCESS;
  PL_TRY(pl_comm_reduce(pl, PL_UINT64, op, &all, COUNTS));
  PL_TRY(pl_comm_reduce(pl, PL_DOUBLE, op, &all.plan_seconds, SECONDS));
  if (result) pl_struct_give(result, size, &all, sizeof all);
  return PL_SUCCESS;
}

pl_err pl_get_stats_ranks_sized(pl_context *pl, pl_stats *sum, pl_stats *most, size_t size)
{
  pl_err err = PL_SUCCESS;
  PL_TRY(PL_GIVEN(NULL, "pl_get_stats_ranks", pl));
  if (!sum && !most) err = pl_fail(pl, PL_ERR_ARG, "pl_get_stats_ranks: both pointers are NULL");
  PL_TRY(pl_agree(pl, err));
  const pl_stats own = pl->stats;
  int32_t wanted[2] = {sum != NULL, most != NULL};
  PL_TRY(pl_comm_reduce(pl, PL_INT32, PL_MAX, wanted, 2)); /* ranks may request different results */
  PL_TRY(stats_over_ranks(pl, own, PL_INC, wanted[0], sum, size));
  return stats_over_ranks(pl, own, PL_MAX, wanted[1], most, size);
}
