/* SPDX-License-Identifier: BSD-2-Clause
 * Which way is fastest, found out by the first calls of a loop: each call runs one way, so nothing is
 * computed twice, and the device tells how long it took. The choice is kept beside the compiled code, for
 * other processes.
 */
#include "device.h"
#include "core/memory.h"
#include <string.h>

enum { WARM = 1, TIMED = 3, CALLS = WARM + TIMED };

/* ---- choices of earlier processes ---- */

/* What a choice depends on: the device, the loop with its layouts, and the size of the mesh. */
static pl_err make_key(pl_device *device, pl_device_code *code, int n, const pl_conflict *list)
{
  pl_loop *loop = code->loop;
  pl_text *key = &code->record;
  pl_loop_text program;
  const pl_walk_style style = {.dialect = pl_dialect_find(device->driver->name), .block_size = 1};
  pl_text_init(key, loop->pl);
  PL_TRY(pl_walk(loop, &code->signature, &style, &program));
  pl_text_add(key, "plait %s choice %s block %ld elements %d\n", PLAIT_VERSION, device->identity,
              pl_opt_count(loop->pl, PL_OPT_BLOCK_SIZE), loop->set->part[3]);
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].map) pl_text_add(key, "%d ", loop->args[i].map->to->part[3]);
  for (int i = 0; i < n; i++) pl_text_add(key, "%s ", pl_conflict_name(list[i]));
  pl_text_add(key, "\n%s", pl_text_string(&program.text));
  pl_loop_text_free(&program);
  return pl_text_check(key);
}

/* A record is a variant as the profile shows it: "auto: WAY 0.1 ms, ...". */
static int read_record(const char *text, int n, const pl_conflict *list)
{
  char way[16];
  if (sscanf(text, "auto: %15s", way) != 1) return n;
  int i = 0;
  while (i < n && strcmp(way, pl_conflict_name(list[i]))) i++;
  return i;
}

pl_err pl_measure_recall(pl_device *device, pl_device_code *code, int *n, pl_conflict *list, bool *measured)
{
  pl_text found;
  if (!*measured) return PL_SUCCESS;
  PL_TRY(make_key(device, code, *n, list));
  pl_text_init(&found, device->pl);
  pl_err err = pl_cache_read(device->cache, &code->record, &found);
  int i = err || !found.length ? *n : read_record(pl_text_string(&found), *n, list);
  if (i < *n) {
    snprintf(code->variant, sizeof code->variant, "%s", pl_text_string(&found));
    list[0] = list[i];
    *n = 1;
    *measured = false;
  }
  pl_text_free(&found);
  return err;
}

static void keep_record(pl_device *device, pl_device_code *code)
{
  pl_text text;
  pl_text_init(&text, device->pl);
  pl_text_add(&text, "%s", code->variant);
  if (!pl_text_check(&text)) pl_cache_write(device->cache, code->loop->kernel->name, &code->record, &text);
  pl_text_free(&text);
}

/* ---- trials ---- */

static int best_way(const pl_device_code *code)
{
  int best = 0;
  for (int i = 1; i < code->nways; i++)
    if (code->best[i] < code->best[best]) best = i;
  return best;
}

/* The best first, then the others as they were tried. */
static void describe(pl_device_code *code, int best)
{
  size_t n = 0, size = sizeof code->variant;
  for (int k = -1; k < code->nways && n < size; k++) {
    int i = k < 0 ? best : k;
    if (k == best) continue;
    n += (size_t)snprintf(code->variant + n, size - n, "%s%s %.3g ms", k < 0 ? "auto: " : ", ",
                          pl_conflict_name(code->way[i].style.conflict), 1e3 * code->best[i]);
  }
}

static void choose(pl_device *device, pl_device_code *code)
{
  int best = best_way(code);
  describe(code, best);
  for (int i = 0; i < code->nways; i++)
    if (i != best) pl_way_free(device, &code->way[i]);
  code->way[0] = code->way[best];
  if (best) code->way[best] = (pl_way){0};
  code->nways = 1;
  code->now = 0;
  code->trial = -1;
  pl_measure_close(device, code);
  keep_record(device, code);
  pl_log(device->pl, 1, "loop \"%s\": %s", code->loop->kernel->name, code->variant);
}

void pl_measure_close(pl_device *device, pl_device_code *code)
{
  for (int i = 0; i < 2; i++)
    if (code->clock[i]) device->driver->event_free(device, code->clock[i]);
  code->clock[0] = code->clock[1] = NULL;
}

pl_err pl_measure_begin(pl_device *device, pl_device_code *code)
{
  if (code->trial < 0) return PL_SUCCESS;
  for (int i = 0; i < 2; i++)
    if (!code->clock[i]) PL_TRY(device->driver->event_new(device, true, &code->clock[i]));
  return device->driver->event_record(device, code->clock[0]);
}

static pl_err read_clock(pl_device *device, pl_device_code *code, double *seconds)
{
  PL_TRY(device->driver->event_record(device, code->clock[1]));
  PL_TRY(device->driver->event_wait(device, code->clock[1]));
  return device->driver->event_seconds(device, code->clock[0], code->clock[1], seconds);
}

/* Ways take turns, so that what changes in the first calls changes for all; the first turn only warms up. */
pl_err pl_measure_end(pl_device *device, pl_device_code *code, bool last_part)
{
  double seconds = 0;
  if (code->trial < 0) return PL_SUCCESS;
  PL_TRY(read_clock(device, code, &seconds));
  code->spent += seconds;
  if (!last_part) return PL_SUCCESS;
  double *best = &code->best[code->now];
  if (code->trial / code->nways <= WARM || code->spent < *best) *best = code->spent;
  code->spent = 0;
  code->now = ++code->trial % code->nways;
  if (code->trial == CALLS * code->nways) choose(device, code);
  return PL_SUCCESS;
}
