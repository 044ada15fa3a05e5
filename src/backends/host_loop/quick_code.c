/* SPDX-License-Identifier: BSD-2-Clause
 * Quick code: half of the compilation time of the fully optimized code, which replaces it when the loop has
 * cost min_cost. Loops that cost less keep it, in later processes too. A process may end before its full code
 * is ready, so a note in the cache tells later ones to begin with full code. Both give the same bits: the
 * form is the same.
 */
#include "quick_code.h"
#include "host_loop.h"
#include "backends/tuning/tuning_cache.h"
#include "codegen/emit/loop_program.h"
#include "core/base/clock.h"
#include "core/comm/comm.h"
#include "core/loop/loop.h"
#include <math.h>
#include <string.h>

/* Seconds that a loop costs before it is compiled again: in several calls, or in few (a single one may be
 * slow because the processor was busy). And before another rank of the node does so. */
static const double min_cost = 0.02, cost_of_few = 0.1, max_wait = 2.0;
enum { FEW = 8 };

/* A kernel or flags that may rely on more than the quick compilation has: libraries, other optimization. */
static bool is_simple(const pl_host_code *code)
{
  pl_context *pl = code->loop->pl;
  const pl_kernel_options *extras = pl_kernel_extras(code->loop->kernel);
  return !extras->cpp && !extras->link_args && !*pl_opt(pl, PL_OPT_LDFLAGS) &&
         !strstr(pl_opt(pl, PL_OPT_CFLAGS), "-O");
}

/* Quick code reads rows of ragged maps several times as slowly as full code, not only a little. */
static bool has_rows(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (arg->map && arg->map->offset) return true;
  return false;
}

static bool may_be_quick(const pl_host_code *code)
{
  pl_context *pl = code->loop->pl;
  return !code->host->never_quick && !pl_opt_is(pl, PL_OPT_OPTIMIZE, "full") &&
         !pl_opt_flag(pl, PL_OPT_DEBUG) && is_simple(code);
}

/* Calls `use` with the source of the full code. */
static pl_err with_full_source(const pl_host_code *code, pl_form form,
                               pl_err (*use)(const pl_host_code *code, const pl_jit_source *source,
                                             bool *answer),
                               bool *answer)
{
  const bool current = pl_host_is_written(code, form, false);
  pl_loop_text text = {0};
  if (!current) PL_TRY(pl_host_write(code, form, false, &text));
  const pl_jit_source source = pl_host_source(code, current ? &code->program : &text);
  pl_err err = use(code, &source, answer);
  pl_loop_text_free(&text);
  return err;
}

static pl_err know(const pl_host_code *code, const pl_jit_source *source, bool *compiled)
{
  return pl_jit_knows(code->host->jit, source, compiled);
}

static pl_err is_compiled(const pl_host_code *code, pl_form form, bool *compiled)
{
  return with_full_source(code, form, know, compiled);
}

/* ---- notes for later processes ---- */

static const char topic[] = "optimization", full[] = "full";

static pl_err recall(const pl_host_code *code, const pl_jit_source *source, bool *noted)
{
  char name[sizeof full] = "";
  bool confirmed;
  pl_string key = {0};
  pl_err err = pl_jit_note_key(code->host->jit, source, topic, &key);
  if (!err) err = pl_tuning_recall(pl_jit_cache(code->host->jit), &key, name, sizeof name, &confirmed);
  pl_string_free(&key);
  *noted = !strcmp(name, full);
  return err;
}

/* Best effort. */
static pl_err remember(const pl_host_code *code, const pl_jit_source *source, bool *noted)
{
  pl_string key = {0};
  pl_err err = pl_jit_note_key(code->host->jit, source, topic, &key);
  if (!err) pl_tuning_remember(pl_jit_cache(code->host->jit), pl_loop_title(code->loop), &key, full, true);
  pl_string_free(&key);
  *noted = !err;
  return err;
}

/* ---- choosing and replacing ---- */

pl_err pl_quick_choose(pl_host_code *code, pl_form form)
{
  bool compiled = false, noted = false;
  code->quick = false;
  const bool always = pl_opt_is(code->loop->pl, PL_OPT_OPTIMIZE, "quick");
  if (!may_be_quick(code) || (!always && has_rows(code->loop))) return PL_SUCCESS;
  if (!always) PL_TRY(is_compiled(code, form, &compiled));
  if (!always && !compiled) PL_TRY(with_full_source(code, form, recall, &noted));
  code->quick = !compiled && !noted;
  code->full_at = always ? INFINITY : min_cost;
  return PL_SUCCESS;
}

/* The first rank of a node compiles, the others find its code in the cache. */
static pl_err begin(pl_host_code *code)
{
  bool compiled = false;
  if (pl_node_rank(code->loop->pl) > 0 && code->loop->seconds < max_wait) {
    PL_TRY(is_compiled(code, code->program.form, &compiled));
    code->full_begun = compiled;
    code->full_at += min_cost;
    return PL_SUCCESS;
  }
  code->quick = false;
  pl_err err = pl_host_compile_begin(code, code->program.form);
  code->quick = code->full_begun = true;
  return err;
}

/* If the full compilation fails, the loop keeps its code. The best number of threads is measured again. */
static pl_err change_over(pl_host_code *code)
{
  const pl_form form = code->program.form;
  code->quick = false;
  code->threads = (pl_tuner){0};
  pl_err err = pl_host_compile(code, form);
  if (err && err != PL_ERR_MEMORY) {
    code->quick = true;
    code->full_at = INFINITY;
    err = pl_host_compile(code, form);
  }
  pl_host_name_variant(code);
  return err;
}

/* Whether a later process should begin with full code. This call counts, too: it may be the last one. */
static bool is_costly(const pl_host_code *code)
{
  const double calls = (double)code->loop->calls;
  return calls > 0 && code->loop->seconds * (calls + 1) >= code->full_at * calls;
}

pl_err pl_quick_replace(pl_host_code *code)
{
  pl_loop *loop = code->loop;
  if (!code->noted && is_costly(code))
    PL_TRY(with_full_source(code, code->program.form, remember, &code->noted));
  if (loop->seconds < code->full_at) return PL_SUCCESS;
  if (loop->calls < FEW && loop->seconds < cost_of_few) return PL_SUCCESS;
  if (code->full_begun && pl_jit_busy(code->host->jit)) return PL_SUCCESS;
  double start = pl_now();
  pl_err err = code->full_begun ? change_over(code) : begin(code);
  loop->setup_seconds += pl_now() - start;
  return err;
}
