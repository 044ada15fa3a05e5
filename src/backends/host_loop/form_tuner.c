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
#include "backends/tuning/tuning_cache.h"
#include "codegen/emit/loop_program.h"
#include "codegen/host/simd_form.h"
#include "core/base/clock.h"
#include "core/comm/comm.h"
#include "core/loop/loop.h"
#include <math.h>
#include <string.h>

/* Seconds: cost of a loop before other forms are compiled; and before another rank of the node measures too;
 * length of a turn (at least a call); and of all turns of a form, after which FEW_TURNS suffice. */
static const double min_cost = 0.1, max_wait = 4.0, turn_time = 0.0005, enough_time = 0.02;
/* A form must be faster by this than the scalar or the stored one. */
static const double gain = 1.05;
enum { TURNS = 9, FEW_TURNS = 3, TOPIC = 96 };

typedef struct pl_trial {
  bool ready;     /* all forms are compiled */
  bool timed;     /* this run counts */
  pl_form before; /* the trial */
  int n, turn;
  double start;             /* of this run */
  double seconds, elements; /* of this turn */
  double spent;             /* in all turns */
  struct {
    pl_form form;
    pl_host_fn run;
    double best; /* seconds an element, in its best turn */
  } form[PL_FORMS];
} pl_trial;

/* The candidates and the size class, as caches matter. */
static void print_topic(const pl_host_code *code, char *topic, size_t size)
{
  pl_form forms[PL_FORMS];
  int n = pl_forms_possible(code->loop, forms);
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
         pl_forms_possible(code->loop, forms) > 1;
}

static bool is_possible(const pl_host_code *code, pl_form form)
{
  pl_form forms[PL_FORMS];
  int n = pl_forms_possible(code->loop, forms);
  for (int i = 0; i < n; i++)
    if (forms[i] == form) return true;
  return false;
}

/* The key of a stored choice is the text in the form that rules choose, often the current one. */
typedef struct record {
  pl_loop_text text;
  pl_jit_source source;
  char topic[TOPIC];
} record;

static pl_err open_record(const pl_host_code *code, record *r)
{
  const bool current = pl_host_is_written(code, code->rule_form);
  *r = (record){0};
  if (!current) PL_TRY(pl_host_write(code, code->rule_form, false, &r->text));
  r->source = pl_host_source(code, current ? &code->program : &r->text);
  print_topic(code, r->topic, sizeof r->topic);
  return PL_SUCCESS;
}

static pl_err recall_form(pl_host_code *code, pl_form *form, bool *found)
{
  char name[PL_CHOICE_WORD] = "";
  bool confirmed = false;
  record r;
  PL_TRY(open_record(code, &r));
  pl_err err = pl_tuning_recall(code->host->jit, &r.source, r.topic, name, &confirmed);
  pl_loop_text_free(&r.text);
  if (err) return err;
  *found = pl_form_find(name, form) && is_possible(code, *form);
  code->confirms = *found && !confirmed;
  return PL_SUCCESS;
}

pl_err pl_form_tuner_choose(pl_host_code *code, pl_form *form)
{
  bool found = false;
  pl_form stored = PL_FORM_SCALAR;
  *form = code->rule_form = pl_form_choose(code->loop);
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
         code->loop->kernel->name, pl_form_name(code->program.form));
  return PL_SUCCESS;
}

/* ---- trying ---- */

/* In the background. */
static pl_err compile_forms(pl_host_code *code, pl_trial *t)
{
  pl_form forms[PL_FORMS];
  t->n = pl_forms_possible(code->loop, forms);
  t->before = code->program.form;
  for (int i = 0; i < t->n; i++) {
    t->form[i].form = forms[i];
    PL_TRY(pl_host_compile_begin(code, forms[i]));
  }
  return PL_SUCCESS;
}

static pl_err load_forms(pl_host_code *code, pl_trial *t)
{
  for (int i = 0; i < t->n; i++) {
    PL_TRY(pl_host_compile(code, t->form[i].form));
    t->form[i].run = code->run;
    t->form[i].best = INFINITY;
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
  double spent = pl_now() - start;
  loop->setup_seconds += spent;
  loop->seconds -= spent; /* the timed run includes this */
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
  code->run = t->form[t->turn % t->n].run;
  t->timed = true;
  t->start = pl_now();
  return PL_SUCCESS;
}

static void remember_form(const pl_host_code *code, pl_form form, bool confirmed)
{
  record r;
  if (open_record(code, &r)) return;
  pl_tuning_remember(code->host->jit, &r.source, r.topic, pl_form_name(form), confirmed);
  pl_loop_text_free(&r.text);
}

/* The form to beat is the stored one, or the scalar one, which is the first. */
static int find_fastest(const pl_host_code *code, int first)
{
  const pl_trial *t = code->trial;
  int best = first;
  for (int i = 0; i < t->n; i++)
    if (t->form[i].best * (best == first ? gain : 1.0) < t->form[best].best) best = i;
  return best;
}

/* Compilation finds the code in memory. */
static void keep_fastest(pl_host_code *code)
{
  pl_trial *t = code->trial;
  int first = 0;
  for (int i = 0; code->confirms && i < t->n; i++)
    if (t->form[i].form == t->before) first = i;
  int best = find_fastest(code, first);
  pl_log(code->loop->pl, 1, "loop \"%s\": form %s is the fastest", code->loop->kernel->name,
         pl_form_name(t->form[best].form));
  remember_form(code, t->form[best].form, code->confirms && best == first);
  code->undecided = pl_host_compile(code, t->form[best].form) != PL_SUCCESS;
  code->run = t->form[best].run;
  pl_form_tuner_free(code);
  pl_host_name_variant(code);
}

static bool is_over(const pl_trial *t)
{
  int turns = t->turn / t->n;
  if (t->turn % t->n) return false;
  return turns == TURNS || (turns >= FEW_TURNS && t->spent >= enough_time * t->n);
}

void pl_form_tuner_end(pl_host_code *code, const pl_loop_range *range)
{
  pl_trial *t = code->trial;
  if (!t || !t->timed || range->number) return;
  t->timed = false;
  t->seconds += pl_now() - t->start;
  t->elements += range->end - range->begin;
  if (t->seconds < turn_time) return;
  double each = t->seconds / t->elements, *best = &t->form[t->turn % t->n].best;
  if (each < *best) *best = each;
  t->spent += t->seconds;
  t->seconds = t->elements = 0.0;
  t->turn++;
  if (is_over(t)) keep_fastest(code);
}

void pl_form_tuner_free(pl_host_code *code)
{
  pl_free(code->loop->pl, code->trial);
  code->trial = NULL;
}
