/* SPDX-License-Identifier: BSD-2-Clause
 * Comparing strategies in the first calls of a loop, timed by events of the device. Invariant: each call runs
 * one strategy, so nothing is computed twice.
 */
#include "strategy_tuner.h"
#include "codegen/emit/loop_program.h"
#include "core/base/plain_format.h"
#include "core/loop/loop.h"
#include <string.h>

enum { WARM = 1, TIMED = 3, CALLS = WARM + TIMED };

/* ---- choices of earlier processes ---- */

/* A choice depends on the device, the loop with its layouts, and the sizes of the mesh. */
static pl_err make_key(pl_device *device, pl_device_code *code, int n, const pl_conflict *list)
{
  pl_loop *loop = code->loop;
  pl_string *key = &code->record;
  pl_loop_text program;
  const pl_emit_options options = {.dialect = device->dialect, .block_size = 1};
  pl_string_init(key, loop->pl);
  PL_TRY(pl_emit_loop(loop, &code->signature, &options, &program));
  pl_string_add(key, "plait %s choice %s block %ld elements %d\n", PLAIT_VERSION, device->identity,
                pl_opt_count(loop->pl, PL_OPT_BLOCK_SIZE), loop->set->end[3]);
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].map) pl_string_add(key, "%d ", loop->args[i].map->to->end[3]);
  for (int i = 0; i < n; i++) pl_string_add(key, "%s ", pl_conflict_name(list[i]));
  pl_string_add(key, "\n%s", pl_string_chars(&program.text));
  pl_loop_text_free(&program);
  return pl_string_check(key);
}

/* A record is a variant as the profile prints it: "auto: STRATEGY 0.1 ms, ...". Returns n if none fits. */
static int read_record(const char *text, int n, const pl_conflict *list)
{
  char name[16];
  if (sscanf(text, "auto: %15s", name) != 1) return n;
  int i = 0;
  while (i < n && strcmp(name, pl_conflict_name(list[i]))) i++;
  return i;
}

pl_err pl_strategy_recall(pl_device *device, pl_device_code *code, int *n, pl_conflict *list, bool *compare)
{
  pl_string found;
  if (!*compare) return PL_SUCCESS;
  PL_TRY(make_key(device, code, *n, list));
  pl_string_init(&found, device->pl);
  pl_err err = pl_cache_read(device->cache, &code->record, &found);
  int i = err || !found.length ? *n : read_record(pl_string_chars(&found), *n, list);
  if (i < *n) {
    snprintf(code->variant, sizeof code->variant, "%s", pl_string_chars(&found));
    list[0] = list[i];
    *n = 1;
    *compare = false;
  }
  pl_string_free(&found);
  return err;
}

static void write_record(pl_device *device, pl_device_code *code)
{
  pl_string text;
  pl_string_init(&text, device->pl);
  pl_string_add(&text, "%s", code->variant);
  if (!pl_string_check(&text)) pl_cache_write(device->cache, code->loop->kernel->name, &code->record, &text);
  pl_string_free(&text);
}

/* ---- trials ---- */

static int find_fastest(const pl_device_code *code)
{
  int best = 0;
  for (int i = 1; i < code->nstrategies; i++)
    if (code->best[i] < code->best[best]) best = i;
  return best;
}

/* The best first, then the others in order. */
static void print_variant(pl_device_code *code, int best)
{
  size_t n = 0, size = sizeof code->variant;
  for (int k = -1; k < code->nstrategies && n < size; k++) {
    int i = k < 0 ? best : k;
    if (k == best) continue;
    n += (size_t)pl_format(code->variant + n, size - n, "%s%s %.3g ms", k < 0 ? "auto: " : ", ",
                           pl_conflict_name(code->strategy[i].options.conflict), 1e3 * code->best[i]);
  }
}

static void keep_fastest(pl_device *device, pl_device_code *code)
{
  int best = find_fastest(code);
  print_variant(code, best);
  for (int i = 0; i < code->nstrategies; i++)
    if (i != best) pl_strategy_free(device, &code->strategy[i]);
  code->strategy[0] = code->strategy[best];
  if (best) code->strategy[best] = (pl_strategy){0};
  code->nstrategies = 1;
  code->now = 0;
  code->trial = -1;
  pl_strategy_trial_close(device, code);
  write_record(device, code);
  pl_log(device->pl, 1, "loop \"%s\": %s", code->loop->kernel->name, code->variant);
}

void pl_strategy_trial_close(pl_device *device, pl_device_code *code)
{
  for (int i = 0; i < 2; i++)
    if (code->clock[i]) device->driver->event_free(device, code->clock[i]);
  code->clock[0] = code->clock[1] = NULL;
}

pl_err pl_strategy_trial_begin(pl_device *device, pl_device_code *code)
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

/* Strategies take turns, so that warming up slows all alike; the first turn is not counted. */
pl_err pl_strategy_trial_end(pl_device *device, pl_device_code *code, bool last_range)
{
  double seconds = 0;
  if (code->trial < 0) return PL_SUCCESS;
  PL_TRY(read_clock(device, code, &seconds));
  code->spent += seconds;
  if (!last_range) return PL_SUCCESS;
  double *best = &code->best[code->now];
  if (code->trial / code->nstrategies <= WARM || code->spent < *best) *best = code->spent;
  code->spent = 0;
  code->now = ++code->trial % code->nstrategies;
  if (code->trial == CALLS * code->nstrategies) keep_fastest(device, code);
  return PL_SUCCESS;
}
