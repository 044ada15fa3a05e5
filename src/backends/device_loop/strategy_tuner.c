/* SPDX-License-Identifier: BSD-2-Clause
 * Comparing strategies in the first calls of a loop, timed by events of the device. Invariant: each call runs
 * one strategy, so nothing is computed twice.
 */
#include "strategy_tuner.h"
#include "backends/tuning/tuning_cache.h"
#include "codegen/emit/loop_program.h"
#include "core/base/plain_format.h"
#include "core/loop/loop.h"
#include <string.h>

/* The first turn of a strategy warms up. */
static const pl_tuner_rules rules = {.warm = 1, .turns = 3, .gain = 1.0};

/* Calls of the first strategy before the first turn: lists of others would not pay for a loop that is called
 * a few times, as one that a chain runs by itself now and then. */
enum { FIRST_CALLS = 16 };

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
  PL_EACH_ARG (arg, loop)
    if (arg->map) pl_string_add(key, "%d ", arg->map->to->end[3]);
  for (int i = 0; i < n; i++) pl_string_add(key, "%s ", pl_conflict_name(list[i]));
  pl_string_add(key, "\n%s", pl_string_chars(&program.text));
  pl_loop_text_free(&program);
  return pl_string_check(key);
}

/* The name of a choice is the variant as the profile prints it: "auto: STRATEGY 0.1 ms, ...". Returns n if
 * none fits. */
static int read_choice(const char *text, int n, const pl_conflict *list)
{
  char name[16];
  if (sscanf(text, "auto: %15s", name) != 1) return n;
  int i = 0;
  while (i < n && strcmp(name, pl_conflict_name(list[i]))) i++;
  return i;
}

pl_err pl_strategy_recall(pl_device *device, pl_device_code *code, int *n, pl_conflict *list, bool *compare)
{
  char found[PL_VARIANT];
  bool confirmed;
  if (!*compare) return PL_SUCCESS;
  PL_TRY(make_key(device, code, *n, list));
  PL_TRY(pl_tuning_recall(device->cache, &code->record, found, sizeof found, &confirmed));
  int i = read_choice(found, *n, list);
  if (i == *n || !confirmed) return PL_SUCCESS;
  memcpy(code->variant, found, sizeof found);
  list[0] = list[i];
  *n = 1;
  *compare = false;
  return PL_SUCCESS;
}

/* ---- trials ---- */

void pl_strategies_compare(pl_device_code *code)
{
  pl_tuner_open(&code->tuner, &rules, code->nstrategies, 0);
  code->tuner.done = code->nstrategies < 2;
  code->tuner.wait = FIRST_CALLS;
}

bool pl_strategies_compete(const pl_device_code *code)
{
  return code->tuner.n && !code->tuner.done;
}

/* The best first, then the others in order. */
static void print_variant(pl_device_code *code, int best)
{
  size_t n = 0, size = sizeof code->variant;
  for (int k = -1; k < code->nstrategies && n < size; k++) {
    int i = k < 0 ? best : k;
    if (k == best) continue;
    n += (size_t)pl_format(code->variant + n, size - n, "%s%s %.3g ms", k < 0 ? "auto: " : ", ",
                           pl_conflict_name(code->strategy[i].options.conflict), 1e3 * code->tuner.score[i]);
  }
}

static void keep_fastest(pl_device *device, pl_device_code *code)
{
  int best = code->tuner.chosen;
  print_variant(code, best);
  for (int i = 0; i < code->nstrategies; i++)
    if (i != best) pl_strategy_free(device, &code->strategy[i]);
  code->strategy[0] = code->strategy[best];
  if (best) code->strategy[best] = (pl_strategy){0};
  code->nstrategies = 1;
  code->now = 0;
  pl_strategy_trial_close(device, code);
  /* The device's clock counts this loop alone, so the choice needs no second process. */
  pl_tuning_remember(device->cache, pl_loop_title(code->loop), &code->record, code->variant, true);
  pl_log(device->pl, 1, "loop \"%s\": %s", pl_loop_title(code->loop), code->variant);
}

void pl_strategy_trial_close(pl_device *device, pl_device_code *code)
{
  for (int i = 0; i < 2; i++)
    if (code->clock[i]) device->driver->event_free(device, code->clock[i]);
  code->clock[0] = code->clock[1] = NULL;
}

pl_err pl_strategy_trial_begin(pl_device *device, pl_device_code *code)
{
  if (!pl_strategies_compete(code)) return PL_SUCCESS;
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

pl_err pl_strategy_trial_end(pl_device *device, pl_device_code *code, bool last_range)
{
  double seconds = 0;
  if (!pl_strategies_compete(code)) return PL_SUCCESS;
  PL_TRY(read_clock(device, code, &seconds));
  code->spent += seconds;
  if (!last_range) return PL_SUCCESS;
  bool last = pl_tuner_add(&code->tuner, code->spent, 1.0);
  code->spent = 0;
  code->now = pl_tuner_now(&code->tuner);
  if (last) keep_fastest(device, code);
  pl_device_note_stores(code);
  return PL_SUCCESS;
}
