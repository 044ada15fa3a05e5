/* SPDX-License-Identifier: BSD-2-Clause
 * Which form a loop runs in. Rules guess; a loop that turns out to matter has the other forms compiled in the
 * background while it goes on, tries them by turns in its own calls, keeps the fastest, and has it remembered
 * beside the compiled code, so that the next process begins with it (choice.h). Of the ranks of a node the
 * first one tries; the others find in the cache what it found.
 *
 * Invariant: every form gives the same bits but for the order of global sums; where even that must not change
 * (PLAIT_REPRODUCIBLE, PLAIT_CHECK) nothing is tried.
 */
#include "choice.h"
#include "core/comm.h"
#include "core/memory.h"
#include "core/profile.h"
#include "host.h"
#include <math.h>
#include <string.h>

/* Seconds that a loop has cost before other forms are compiled, and before a rank that waits for the first
 * one of its node tries by itself; how long a turn of a form lasts (at least a call), how many turns each
 * has, and how many are enough when they took so long together; and what a form must be faster by than the
 * scalar one, or than the one remembered. */
static const double matters = 0.1, patience = 4.0, lasts = 0.0005, enough = 0.02, gain = 1.05;
enum { TURNS = 9, FEW_TURNS = 3, ABOUT = 96 };

typedef struct pl_trial {
  bool ready;     /* all forms are there */
  bool timed;     /* this run counts */
  pl_form before; /* what the loop ran in */
  int n, turn;
  double start;             /* of this run */
  double seconds, elements; /* of this turn */
  double spent;             /* in all turns */
  struct {
    pl_form form;
    pl_host_fn run;
    double best; /* seconds an element, in its best turn */
  } way[PL_FORMS];
} pl_trial;

static pl_jit *jit_of(const pl_host_code *code)
{
  return code->host->jit;
}

/* Among what, and for what size: what is fast in the caches may not be beyond. */
static void describe(const pl_host_code *code, char *words, size_t size)
{
  pl_form forms[PL_FORMS];
  int n = pl_forms_possible(code->loop, forms);
  unsigned among = 0;
  for (int i = 0; i < n; i++) among |= 1u << forms[i];
  snprintf(words, size, "fastest shape among %x, size class %d", among,
           ilogb(code->loop->bytes_per_call + 1.0) / 3);
}

static bool may_try(const pl_host_code *code)
{
  pl_context *pl = code->loop->pl;
  pl_form forms[PL_FORMS];
  return pl_opt_is(pl, PL_OPT_SHAPE, "auto") && !pl_opt_flag(pl, PL_OPT_REPRODUCIBLE) &&
         !pl_opt_flag(pl, PL_OPT_CHECK) && !pl_opt_flag(pl, PL_OPT_DEBUG) &&
         pl_forms_possible(code->loop, forms) > 1;
}

/* Whether `form` is among those that are right for the loop, as they are now. */
static bool is_possible(const pl_host_code *code, pl_form form)
{
  pl_form forms[PL_FORMS];
  int n = pl_forms_possible(code->loop, forms);
  for (int i = 0; i < n; i++)
    if (forms[i] == form) return true;
  return false;
}

/* What is remembered hangs on the text in the form that rules choose. The loop goes on with the program it
 * has. */
static pl_err recall(pl_host_code *code, pl_form *form, bool *found)
{
  char about[ABOUT], name[PL_CHOICE_WORD] = "";
  bool settled = false;
  pl_loop_text running = code->program;
  memset(&code->program, 0, sizeof code->program);
  pl_err err = pl_host_write(code, code->guess);
  pl_jit_source source = pl_host_source(code);
  describe(code, about, sizeof about);
  if (!err) err = pl_choice_recall(jit_of(code), &source, about, name, &settled);
  pl_loop_text_free(&code->program);
  code->program = running;
  if (err) return err;
  *found = pl_form_find(name, form) && is_possible(code, *form);
  code->once = *found && !settled;
  return PL_SUCCESS;
}

pl_err pl_shape_choose(pl_host_code *code, pl_form *form)
{
  bool found = false;
  pl_form remembered = PL_FORM_SCALAR;
  *form = code->guess = pl_form_choose(code->loop);
  code->undecided = may_try(code);
  if (!code->undecided) return PL_SUCCESS;
  PL_TRY(recall(code, &remembered, &found));
  if (found) *form = remembered;
  code->undecided = !found || code->once;
  return PL_SUCCESS;
}

/* ---- ranks ---- */

/* Ranks that try at the same time would disturb each other. */
static bool waits(const pl_host_code *code)
{
  return pl_node_rank(code->loop->pl) > 0 && code->loop->seconds < patience;
}

/* Looks for what the first rank of the node has found: whenever the loop has cost that much more. */
static pl_err listen(pl_host_code *code)
{
  bool found = false;
  pl_form form, before = code->program.form;
  if (code->loop->seconds < code->listen_at) return PL_SUCCESS;
  code->listen_at = code->loop->seconds + matters;
  if (code->loop->seconds < matters) return PL_SUCCESS;
  PL_TRY(recall(code, &form, &found));
  if (!found) return PL_SUCCESS;
  code->undecided = false;
  if (pl_host_compile(code, form)) PL_TRY(pl_host_compile(code, before));
  pl_host_name_variant(code);
  pl_log(code->loop->pl, 1, "loop \"%s\" takes shape %s, which the node's first rank found the fastest",
         code->loop->kernel->name, pl_form_name(code->program.form));
  return PL_SUCCESS;
}

/* ---- trying ---- */

/* All forms are compiled side by side while the loop goes on in the one it has. */
static pl_err begin_ways(pl_host_code *code, pl_trial *t)
{
  pl_form forms[PL_FORMS];
  t->n = pl_forms_possible(code->loop, forms);
  t->before = code->program.form;
  for (int i = 0; i < t->n; i++) {
    t->way[i].form = forms[i];
    PL_TRY(pl_host_compile_begin(code, forms[i]));
  }
  return PL_SUCCESS;
}

static pl_err load_ways(pl_host_code *code, pl_trial *t)
{
  for (int i = 0; i < t->n; i++) {
    PL_TRY(pl_host_compile(code, t->way[i].form));
    t->way[i].run = code->run;
    t->way[i].best = INFINITY;
  }
  t->ready = true;
  return PL_SUCCESS;
}

/* A trial opened, or its forms taken over. A form that cannot be had ends the trial before it begins: the
 * loop goes on as it was. */
static pl_err prepare_trial(pl_host_code *code, pl_err (*step)(pl_host_code *code, pl_trial *t))
{
  pl_loop *loop = code->loop;
  double start = pl_now();
  pl_form before = code->program.form;
  if (!code->trial) code->trial = pl_calloc(loop->pl, 1, sizeof *code->trial);
  if (!code->trial) return pl_fail_memory(loop->pl, sizeof *code->trial);
  pl_err err = step(code, code->trial);
  if (err) {
    pl_shape_forget(code);
    code->undecided = false;
    err = pl_host_compile(code, before);
  }
  double spent = pl_now() - start;
  loop->setup_seconds += spent;
  loop->seconds -= spent; /* the run that this delays is timed from its start */
  return err;
}

/* No timing while anything is being compiled: it would disturb. */
pl_err pl_shape_begin(pl_host_code *code)
{
  if (!code->trial && pl_tiling_tries(code->host)) return PL_SUCCESS;
  if (!code->trial && waits(code)) return listen(code);
  if (!code->trial && code->loop->seconds < matters) return PL_SUCCESS;
  if (!code->trial) PL_TRY(prepare_trial(code, begin_ways));
  if (code->trial && pl_jit_busy(jit_of(code))) return PL_SUCCESS;
  if (code->trial && !code->trial->ready) PL_TRY(prepare_trial(code, load_ways));
  pl_trial *t = code->trial;
  if (!t) return PL_SUCCESS;
  code->run = t->way[t->turn % t->n].run;
  t->timed = true;
  t->start = pl_now();
  return PL_SUCCESS;
}

static void remember(pl_host_code *code, pl_form form, bool settled)
{
  char about[ABOUT];
  pl_loop_text_free(&code->program);
  if (pl_host_write(code, code->guess)) return;
  pl_jit_source source = pl_host_source(code);
  describe(code, about, sizeof about);
  pl_choice_remember(jit_of(code), &source, about, pl_form_name(form), settled);
}

/* The form to beat is the one found before, else the scalar one, which is the first. */
static int fastest(const pl_host_code *code, int first)
{
  const pl_trial *t = code->trial;
  int best = first;
  for (int i = 0; i < t->n; i++)
    if (t->way[i].best * (best == first ? gain : 1.0) < t->way[best].best) best = i;
  return best;
}

/* The fastest stays. Its code is in memory, so compiling it again finds it there. */
static void decide(pl_host_code *code)
{
  pl_trial *t = code->trial;
  int first = 0;
  for (int i = 0; code->once && i < t->n; i++)
    if (t->way[i].form == t->before) first = i;
  int best = fastest(code, first);
  pl_log(code->loop->pl, 1, "loop \"%s\" runs fastest in shape %s", code->loop->kernel->name,
         pl_form_name(t->way[best].form));
  remember(code, t->way[best].form, code->once && best == first);
  code->undecided = pl_host_compile(code, t->way[best].form) != PL_SUCCESS;
  code->run = t->way[best].run;
  pl_shape_forget(code);
  pl_host_name_variant(code);
}

/* Each form has had as many turns as the others. */
static bool is_over(const pl_trial *t)
{
  int turns = t->turn / t->n;
  if (t->turn % t->n) return false;
  return turns == TURNS || (turns >= FEW_TURNS && t->spent >= enough * t->n);
}

void pl_shape_end(pl_host_code *code, const pl_part *part)
{
  pl_trial *t = code->trial;
  if (!t || !t->timed || part->number) return;
  t->timed = false;
  t->seconds += pl_now() - t->start;
  t->elements += part->end - part->begin;
  if (t->seconds < lasts) return;
  double each = t->seconds / t->elements, *best = &t->way[t->turn % t->n].best;
  if (each < *best) *best = each;
  t->spent += t->seconds;
  t->seconds = t->elements = 0.0;
  t->turn++;
  if (is_over(t)) decide(code);
}

void pl_shape_forget(pl_host_code *code)
{
  pl_free(code->loop->pl, code->trial);
  code->trial = NULL;
}
