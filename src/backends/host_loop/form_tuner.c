/* SPDX-License-Identifier: BSD-2-Clause
 * The form that a loop runs in. A loop that has cost enough has its other forms compiled in the background,
 * runs them by turns in its own calls, keeps the fastest and stores it for later processes (tuning_cache.h).
 * Only the first rank of a node measures; others look for its choice in the cache.
 *
 * Invariant: all forms give the same bits except for the order of global sums; where that must not change
 * (PLAIT_REPRODUCIBLE, PLAIT_CHECK) no forms are compared.
 */
#include "form_tuner.h"
#include "host_loop.h"
#include "backends/tuning/tuner.h"
#include "backends/tuning/tuning_cache.h"
#include "codegen/emit/loop_program.h"
#include "codegen/host/simd_form.h"
#include "core/base/clock.h"
#include "core/comm/comm.h"
#include "core/loop/loop.h"
#include <math.h>
#include <string.h>

/* Seconds that a loop costs before other forms are compiled, and before another rank of the node measures. */
static const double min_cost = 0.1, max_wait = 4.0;
static const pl_tuner_rules rules = {.turns = 9, .few = 3, .length = 0.0005, .enough = 0.02, .gain = 1.05};
enum { TOPIC = 96 };

typedef struct pl_trial {
  bool ready;     /* all forms are compiled */
  bool timed;     /* this run counts */
  pl_form before; /* the trial */
  double start;   /* of this run */
  int n;
  pl_form form[PL_FORMS];
  pl_host_fn run[PL_FORMS];
  pl_tuner tuner;
} pl_trial;

/* The candidates and the size class, as caches matter. */
static void print_topic(const pl_host_code *code, char *topic, size_t size)
{
  pl_form forms[PL_FORMS];
  int n = pl_forms_possible(code->loop, code->vectors, forms);
  unsigned among = 0;
  for (int i = 0; i < n; i++) among |= 1u << forms[i];
  snprintf(topic, size, "fastest shape among %x, size class %d", among,
           ilogb(code->loop->bytes_per_call + 1.0) / 3);
}

static bool may_compare(const pl_host_code *code)
{
  pl_context *pl = code->loop->pl;
  pl_form forms[PL_FORMS];
  return pl_opt_is(pl, PL_OPT_SHAPE, "auto") && !pl_opt_flag(pl, PL_OPT_REPRODUCIBLE) &&
         !pl_opt_flag(pl, PL_OPT_CHECK) && !pl_opt_flag(pl, PL_OPT_DEBUG) &&
         pl_forms_possible(code->loop, code->vectors, forms) > 1;
}

static bool is_possible(const pl_host_code *code, pl_form form)
{
  pl_form forms[PL_FORMS];
  int n = pl_forms_possible(code->loop, code->vectors, forms);
  for (int i = 0; i < n; i++)
    if (forms[i] == form) return true;
  return false;
}

/* The key of a stored choice is the text in the form that rules choose, often the current one. */
static pl_err make_key(const pl_host_code *code, pl_string *key)
{
  const bool current = pl_host_is_written(code, code->rule_form, false);
  pl_loop_text text = {0};
  char topic[TOPIC];
  if (!current) PL_TRY(pl_host_write(code, code->rule_form, false, &text));
  const pl_jit_source source = pl_host_source(code, current ? &code->program : &text);
  print_topic(code, topic, sizeof topic);
  pl_err err = pl_jit_note_key(code->host->jit, &source, topic, key);
  pl_loop_text_free(&text);
  return err;
}

static pl_err recall_form(pl_host_code *code, pl_form *form, bool *found)
{
  char name[48] = "";
  bool confirmed = false;
  pl_string key = {0};
  pl_err err = make_key(code, &key);
  if (!err) err = pl_tuning_recall(pl_jit_cache(code->host->jit), &key, name, sizeof name, &confirmed);
  pl_string_free(&key);
  if (err) return err;
  *found = pl_form_find(name, form) && is_possible(code, *form);
  code->confirms = *found && !confirmed;
  return PL_SUCCESS;
}

pl_err pl_form_tuner_choose(pl_host_code *code, pl_form *form)
{
  bool found = false;
  pl_form stored = PL_FORM_SCALAR;
  *form = code->rule_form = pl_form_choose(code->loop, code->vectors);
  code->undecided = may_compare(code);
  if (!code->undecided) return PL_SUCCESS;
  PL_TRY(pl_host_write(code, code->rule_form, false, &code->program));
  PL_TRY(recall_form(code, &stored, &found));
  if (found) *form = stored;
  code->undecided = !found || code->confirms;
  return PL_SUCCESS;
}

/* ---- ranks ---- */

/* Ranks that measure at the same time would disturb each other. */
static bool waits_for_rank(const pl_host_code *code)
{
  return pl_node_rank(code->loop->pl) > 0 && code->loop->seconds < max_wait;
}

/* Looks for the choice of the first rank whenever the loop has cost min_cost more. */
static pl_err poll_choice(pl_host_code *code)
{
  bool found = false;
  pl_form form, before = code->program.form;
  if (code->loop->seconds < code->poll_at) return PL_SUCCESS;
  code->poll_at = code->loop->seconds + min_cost;
  if (code->loop->seconds < min_cost) return PL_SUCCESS;
  PL_TRY(recall_form(code, &form, &found));
  if (!found) return PL_SUCCESS;
  code->undecided = false;
  if (pl_host_compile(code, form)) PL_TRY(pl_host_compile(code, before));
  pl_host_name_variant(code);
  pl_log(code->loop->pl, 1, "loop \"%s\" takes form %s, the fastest on the first rank of the node",
         pl_loop_title(code->loop), pl_form_name(code->program.form));
  return PL_SUCCESS;
}

/* ---- trying ---- */

/* In the background. */
static pl_err compile_forms(pl_host_code *code, pl_trial *t)
{
  t->n = pl_forms_possible(code->loop, code->vectors, t->form);
  t->before = code->program.form;
  for (int i = 0; i < t->n; i++) PL_TRY(pl_host_compile_begin(code, t->form[i]));
  return PL_SUCCESS;
}

static pl_err load_forms(pl_host_code *code, pl_trial *t)
{
  pl_tuner_open(&t->tuner, &rules, t->n, 0);
  for (int i = 0; i < t->n; i++) {
    PL_TRY(pl_host_compile(code, t->form[i]));
    t->run[i] = code->run;
    if (code->confirms && t->form[i] == t->before) pl_tuner_know(&t->tuner, i, false);
  }
  t->ready = true;
  return PL_SUCCESS;
}

/* A step before the first turn. If it fails, the trial ends and the loop keeps its form. */
static pl_err prepare_trial(pl_host_code *code, pl_err (*step)(pl_host_code *code, pl_trial *t))
{
  pl_loop *loop = code->loop;
  double start = pl_now();
  pl_form before = code->program.form;
  if (!code->trial) code->trial = pl_calloc(loop->pl, 1, sizeof *code->trial);
  if (!code->trial) return pl_fail_memory(loop->pl, sizeof *code->trial);
  pl_err err = step(code, code->trial);
  if (err) {
    pl_form_tuner_free(code);
    code->undecided = false;
    err = pl_host_compile(code, before);
  }
  loop->setup_seconds += pl_now() - start;
  return err;
}

/* Nothing is timed during compilation, or while tiles are. */
pl_err pl_form_tuner_begin(pl_host_code *code)
{
  if (!code->trial && code->host->tiling_trial) return PL_SUCCESS;
  if (!code->trial && waits_for_rank(code)) return poll_choice(code);
  if (!code->trial && code->loop->seconds < min_cost) return PL_SUCCESS;
  if (!code->trial) PL_TRY(prepare_trial(code, compile_forms));
  if (code->trial && pl_jit_busy(code->host->jit)) return PL_SUCCESS;
  if (code->trial && !code->trial->ready) PL_TRY(prepare_trial(code, load_forms));
  pl_trial *t = code->trial;
  if (!t) return PL_SUCCESS;
  code->run = t->run[pl_tuner_now(&t->tuner)];
  t->timed = true;
  t->start = pl_now();
  return PL_SUCCESS;
}

static void remember_form(const pl_host_code *code, pl_form form, bool confirmed)
{
  pl_string key = {0};
  if (!make_key(code, &key))
    pl_tuning_remember(pl_jit_cache(code->host->jit), pl_loop_title(code->loop), &key, pl_form_name(form),
                       confirmed);
  pl_string_free(&key);
}

/* Compilation finds the code in memory. */
static void keep_fastest(pl_host_code *code)
{
  const pl_trial *t = code->trial;
  const pl_form fastest = t->form[t->tuner.chosen];
  pl_log(code->loop->pl, 1, "loop \"%s\": form %s is the fastest", pl_loop_title(code->loop),
         pl_form_name(fastest));
  remember_form(code, fastest, t->tuner.confirmed);
  code->undecided = pl_host_compile(code, fastest) != PL_SUCCESS;
  code->run = t->run[t->tuner.chosen];
  pl_form_tuner_free(code);
  pl_host_name_variant(code);
}

void pl_form_tuner_end(pl_host_code *code, const pl_loop_range *range)
{
  pl_trial *t = code->trial;
  if (!t || !t->timed || range->number) return;
  t->timed = false;
  if (pl_tuner_add(&t->tuner, pl_now() - t->start, range->end - range->begin)) keep_fastest(code);
}

void pl_form_tuner_free(pl_host_code *code)
{
  pl_free(code->loop->pl, code->trial);
  code->trial = NULL;
}
