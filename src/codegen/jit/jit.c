/* SPDX-License-Identifier: BSD-2-Clause
 * Finds a module in memory, then in the disk cache, then compiles; and compiles in the background, for
 * pl_jit_get to collect.
 */
#include "jit.h"
#include "compiler.h"
#include "subprocess.h"
#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/data/objects.h"
#include "core/tools/tools.h"
#include <dlfcn.h>
#include <fenv.h>
#include <limits.h>
#include <string.h>

struct pl_code {
  pl_code *next;
  uint64_t hash;
  pl_string key;
  void *module;       /* from dlopen */
  pl_failure failure; /* instead of a module: an error in the text */
};

/* A compilation in the background, running or not collected yet. */
typedef struct pl_jit_job {
  struct pl_jit_job *next;
  pl_code *code; /* holds the key */
  pl_compile_job files;
  long process;
} pl_jit_job;

struct pl_jit {
  pl_context *pl;
  pl_compiler *compiler;
  pl_cache *cache;
  pl_code *codes;
  pl_jit_job *jobs;
};

enum { MOST_JOBS = 16 };

/* ---- open, close ---- */

pl_err pl_jit_open(pl_context *pl, pl_jit **result)
{
  pl_jit *jit = *result = pl_calloc(pl, 1, sizeof *jit);
  if (!jit) return pl_fail_memory(pl, sizeof *jit);
  jit->pl = pl;
  pl_err err = pl_compiler_open(pl, &jit->compiler);
  if (!err) err = pl_cache_open(pl, &jit->cache);
  if (err) pl_jit_close(result);
  return err;
}

static void free_code(pl_jit *jit, pl_code *code)
{
  if (code->module) dlclose(code->module);
  pl_failure_clear(jit->pl, &code->failure);
  pl_string_free(&code->key);
  pl_free(jit->pl, code);
}

static void free_job(pl_jit *jit, pl_jit_job *job)
{
  if (job->process) pl_subprocess_stop(job->process);
  pl_compile_job_end(&job->files, false, false);
  if (job->code) free_code(jit, job->code);
  pl_free(jit->pl, job);
}

/* For later processes: a compilation that has ended becomes an entry of the cache. */
static void store_job(pl_jit *jit, pl_jit_job *job)
{
  if (!pl_subprocess_ended(job->process)) return;
  if (pl_compiler_finish(jit->compiler, &job->files, job->process))
    pl_compile_job_publish(jit->cache, &job->files, &job->code->key);
  job->process = 0;
}

void pl_jit_close(pl_jit **handle)
{
  pl_jit *jit = *handle;
  if (!jit) return;
  for (pl_jit_job *job; (job = jit->jobs);) {
    jit->jobs = job->next;
    store_job(jit, job);
    free_job(jit, job);
  }
  for (pl_code *code; (code = jit->codes);) {
    jit->codes = code->next;
    free_code(jit, code);
  }
  pl_cache_close(&jit->cache);
  pl_compiler_close(&jit->compiler);
  pl_free(jit->pl, jit);
  *handle = NULL;
}

const char *pl_jit_unavailable(pl_jit *jit)
{
  if (pl_opt_is(jit->pl, PL_OPT_JIT, "off")) return "run-time compilation is switched off (PLAIT_JIT=off)";
  return pl_compiler_missing(jit->compiler, 0);
}

/* ---- memory, disk, compiler ---- */

static bool same_key(const pl_code *a, const pl_code *b)
{
  return a->hash == b->hash && a->key.length == b->key.length &&
         !memcmp(a->key.data, b->key.data, a->key.length);
}

static pl_code *find_in_memory(const pl_jit *jit, const pl_code *like)
{
  for (pl_code *code = jit->codes; code; code = code->next)
    if (same_key(code, like)) return code;
  return NULL;
}

/* Loads a library. Its constructors may change how the calling thread computes (-ffast-math flushes
 * denormals); this is undone. */
static void load(pl_code *code, const char *path)
{
  fenv_t before;
  fegetenv(&before);
  code->module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  fesetenv(&before);
}

static bool lacks_entry(const pl_jit_source *source, const pl_code *code)
{
  return code->module && source->entry && !dlsym(code->module, source->entry);
}

/* The module stays NULL if there is no entry, it has just been evicted, it has not the entry point, or a
 * library it needs is missing. `name` gets that of the entry. */
static pl_err load_entry(pl_jit *jit, const pl_jit_source *source, pl_code *code, char *name)
{
  char path[PATH_MAX];
  PL_TRY(pl_cache_find(jit->cache, &code->key, name));
  if (!*name) return PL_SUCCESS;
  pl_cache_path(jit->cache, name, path, sizeof path);
  load(code, path);
  if (!lacks_entry(source, code)) return PL_SUCCESS;
  dlclose(code->module);
  code->module = NULL;
  return PL_SUCCESS;
}

static pl_err load_from_disk(pl_jit *jit, const pl_jit_source *source, pl_code *code)
{
  char name[PL_CACHE_NAME];
  PL_TRY(load_entry(jit, source, code, name));
  if (!code->module) return PL_SUCCESS;
  jit->pl->stats.codes_disk++;
  pl_log(jit->pl, 2, "loaded \"%s\" from %s", source->label, name);
  return PL_SUCCESS;
}

static pl_err fail_load(pl_jit *jit, const pl_jit_source *source, const pl_compile_job *job, const char *why)
{
  return pl_fail(
    jit->pl, PL_ERR_COMPILE,
    "\"%s\" was compiled but cannot be loaded: %s; if a library is missing add it to the link "
    "arguments or PLAIT_LDFLAGS, if the folder is mounted noexec set TMPDIR or PLAIT_CACHE_DIR%s\nthe source "
    "is kept in %s",
    source->label, why, pl_kernel_hint(why), job->source.data);
}

/* Loads a library from the folder of its compilation. */
static pl_err load_compiled(pl_jit *jit, const pl_jit_source *source, const pl_compile_job *job,
                            pl_code *code)
{
  char missing[128];
  load(code, job->binary.data);
  if (!code->module) {
    const char *why = dlerror();
    return fail_load(jit, source, job, why ? why : "dlopen gives no reason");
  }
  if (!lacks_entry(source, code)) return PL_SUCCESS;
  snprintf(missing, sizeof missing, "it has no entry point \"%.60s\"", source->entry);
  return fail_load(jit, source, job, missing);
}

/* Makes the compiled library the cache's entry and loads it from there, else from where it was compiled:
 * there may be no cache, no space in it, or it is mounted noexec. */
static pl_err use_output(pl_jit *jit, const pl_jit_source *source, const pl_compile_job *job, pl_code *code)
{
  char name[PL_CACHE_NAME] = "", reason[512];
  pl_err err = pl_compile_job_publish(jit->cache, job, &code->key);
  if (!err) err = load_entry(jit, source, code, name);
  if (err == PL_ERR_MEMORY || code->module) return err;
  const char *why = *name ? dlerror() : NULL;
  snprintf(reason, sizeof reason, "%s", why ? why : "");
  err = load_compiled(jit, source, job, code);
  if (err)
    pl_cache_remove(jit->cache, name);
  else if (*reason)
    pl_cache_give_up(jit->cache, "loaded from", reason);
  return err;
}

static pl_err compile_job(pl_jit *jit, const pl_jit_source *source, const pl_compile_job *job, pl_code *code)
{
  PL_TRY(pl_compiler_run(jit->compiler, source, job));
  return use_output(jit, source, job, code);
}

static void count_compiled(pl_jit *jit, const pl_jit_source *source)
{
  jit->pl->stats.codes_compiled++;
  pl_log(jit->pl, 1, "compiled \"%s\"", source->label);
}

static pl_err compile(pl_jit *jit, const pl_jit_source *source, pl_code *code)
{
  pl_compile_job job;
  bool debug = pl_opt_flag(jit->pl, PL_OPT_DEBUG);
  pl_err err = pl_compile_job_begin(jit->pl, jit->cache, source, &code->key, &job);
  pl_event_begin(jit->pl, PL_TOOL_COMPILE, source->label, "", 0);
  if (!err) err = compile_job(jit, source, &job, code);
  pl_event_end(jit->pl, PL_TOOL_COMPILE);
  pl_compile_job_end(&job, debug || err == PL_ERR_COMPILE, debug && !err);
  if (!err) count_compiled(jit, source);
  return err;
}

/* Unless another process has compiled it meanwhile. */
static pl_err compile_once(pl_jit *jit, const pl_jit_source *source, pl_code *code)
{
  int lock;
  PL_TRY(pl_cache_lock(jit->cache, &code->key, &lock));
  pl_err err = load_from_disk(jit, source, code);
  if (!err && !code->module) err = compile(jit, source, code);
  pl_cache_unlock(lock);
  return err;
}

/* Waits for the background compilation of this code, if there is one. If it failed the caller compiles again.
 */
static pl_err collect_job(pl_jit *jit, const pl_jit_source *source, pl_code *code)
{
  pl_jit_job **link = &jit->jobs, *job;
  while ((job = *link) && !same_key(job->code, code)) link = &job->next;
  if (!job) return PL_SUCCESS;
  *link = job->next;
  pl_event_begin(jit->pl, PL_TOOL_COMPILE, source->label, "", 0);
  bool good = pl_compiler_finish(jit->compiler, &job->files, job->process);
  pl_event_end(jit->pl, PL_TOOL_COMPILE);
  job->process = 0;
  pl_err err = good ? use_output(jit, source, &job->files, code) : PL_ERR_COMPILE;
  if (!err) count_compiled(jit, source);
  free_job(jit, job);
  return err == PL_ERR_MEMORY ? err : PL_SUCCESS;
}

static pl_err make_code(pl_jit *jit, const pl_jit_source *source, pl_code **result)
{
  pl_code *code = *result = pl_calloc(jit->pl, 1, sizeof *code);
  if (!code) return pl_fail_memory(jit->pl, sizeof *code);
  pl_string_init(&code->key, jit->pl);
  pl_compiler_key(jit->compiler, source, &code->key);
  code->hash = pl_hash(PL_HASH_START, pl_string_chars(&code->key), code->key.length);
  return pl_string_check(&code->key);
}

static pl_err start_job(pl_jit *jit, const pl_jit_source *source, pl_jit_job *job)
{
  PL_TRY(pl_compile_job_begin(jit->pl, jit->cache, source, &job->code->key, &job->files));
  return pl_compiler_start(jit->compiler, source, &job->files, &job->process);
}

/* Takes ownership of the code. */
static pl_err begin_job(pl_jit *jit, const pl_jit_source *source, pl_code *code)
{
  pl_jit_job *job = pl_calloc(jit->pl, 1, sizeof *job);
  if (!job) {
    free_code(jit, code);
    return pl_fail_memory(jit->pl, sizeof *job);
  }
  job->code = code;
  pl_err err = start_job(jit, source, job);
  if (err || !job->process) {
    free_job(jit, job);
    return err == PL_ERR_MEMORY ? err : PL_SUCCESS;
  }
  job->next = jit->jobs;
  jit->jobs = job;
  return PL_SUCCESS;
}

/* A copy of the source's code, compiled in the background. */
static pl_err begin_source(pl_jit *jit, const pl_jit_source *source)
{
  pl_code *code;
  pl_err err = make_code(jit, source, &code);
  if (!err) return begin_job(jit, source, code);
  if (code) free_code(jit, code);
  return err;
}

/* Runs the probe that decides the compiler's flags, if they are still undecided; the source, which will be
 * needed next, is compiled meanwhile. A compiler that cannot compile the probe fails on the source too.
 * Statistics count the user's code only. */
static pl_err probe_compiler(pl_jit *jit, const pl_jit_source *source)
{
  const pl_jit_source probe = {.label = "contraction",
                               .text = pl_template_contraction_host,
                               .entry = "pl_contracts",
                               .cpp = source->cpp};
  pl_stats before = jit->pl->stats;
  pl_code *code;
  if (!pl_compiler_needs_probe(jit->compiler, source)) return PL_SUCCESS;
  pl_err err = make_code(jit, &probe, &code);
  if (!err) err = load_from_disk(jit, &probe, code);
  if (!err && !code->module) {
    pl_compiler_report_pairs(jit->compiler, source->cpp, true);
    err = begin_source(jit, source);
    pl_compiler_report_pairs(jit->compiler, source->cpp, false);
    before = jit->pl->stats;
    if (!err) err = compile_once(jit, &probe, code);
  }
  int (*contracts)(void) = err ? NULL : (int (*)(void))(uintptr_t)dlsym(code->module, "pl_contracts");
  if (err != PL_ERR_MEMORY) pl_compiler_set_contracts(jit->compiler, source->cpp, contracts && contracts());
  if (code) free_code(jit, code);
  jit->pl->stats = before;
  return err == PL_ERR_MEMORY ? err : PL_SUCCESS;
}

static pl_err load_or_compile(pl_jit *jit, const pl_jit_source *source, pl_code *code)
{
  PL_TRY(collect_job(jit, source, code));
  if (!code->module) PL_TRY(load_from_disk(jit, source, code));
  if (code->module) return PL_SUCCESS;
  PL_TRY(probe_compiler(jit, source));
  PL_TRY(collect_job(jit, source, code));
  return code->module ? PL_SUCCESS : compile_once(jit, source, code);
}

/* ---- pl_jit_get ---- */

/* Fills *code, which has a key only, with a module, or keeps an error that the compiler would find again. */
static pl_err add_module(pl_jit *jit, const pl_jit_source *source, pl_code **code)
{
  pl_err err = load_or_compile(jit, source, *code);
  if (err && !pl_compile_error_lasts(jit->pl, err)) return err;
  (*code)->next = jit->codes;
  jit->codes = *code;
  if (err) {
    pl_failure_keep(jit->pl, &(*code)->failure);
    *code = NULL;
    return err;
  }
  void (*setup)(void) = (void (*)(void))(uintptr_t)dlsym((*code)->module, "pl_setup");
  if (setup) setup();
  return PL_SUCCESS;
}

/* Replaces *code, which has a key only, by one with a module; NULL if its text has an error. */
static pl_err find_module(pl_jit *jit, const pl_jit_source *source, pl_code **code)
{
  pl_code *known = find_in_memory(jit, *code);
  if (!known) return add_module(jit, source, code);
  free_code(jit, *code);
  *code = known->module ? known : NULL;
  jit->pl->stats.codes_memory += known->module != NULL;
  return pl_failure_repeat(jit->pl, &known->failure);
}

pl_err pl_jit_get(pl_jit *jit, const pl_jit_source *source, pl_code **code)
{
  pl_context *pl = jit->pl;
  double start = pl_now();
  *code = NULL;
  const char *why = pl_jit_unavailable(jit);
  if (why) return pl_fail(pl, PL_ERR_STATE, "\"%s\" cannot be compiled: %s", source->label, why);
  why = pl_compiler_missing(jit->compiler, source->cpp);
  if (why) return pl_fail(pl, PL_ERR_COMPILE, "\"%s\" cannot be compiled: %s", source->label, why);
  pl_err err = make_code(jit, source, code);
  if (!err) err = find_module(jit, source, code);
  if (err && *code) {
    free_code(jit, *code);
    *code = NULL;
  }
  pl->stats.compile_seconds += pl_now() - start;
  return err;
}

pl_err pl_jit_knows(pl_jit *jit, const pl_jit_source *source, bool *known)
{
  pl_code *code;
  char name[PL_CACHE_NAME] = "";
  pl_err err = make_code(jit, source, &code);
  *known = !err && find_in_memory(jit, code);
  if (!err && !*known) err = pl_cache_find(jit->cache, &code->key, name);
  *known |= !err && *name;
  if (code) free_code(jit, code);
  return err;
}

/* ---- in the background ---- */

static bool is_known(const pl_jit *jit, const pl_code *code)
{
  int jobs = 0;
  for (const pl_jit_job *job = jit->jobs; job; job = job->next, jobs++)
    if (same_key(job->code, code)) return true;
  return jobs == MOST_JOBS || find_in_memory(jit, code);
}

pl_err pl_jit_begin(pl_jit *jit, const pl_jit_source *source)
{
  pl_code *code;
  char name[PL_CACHE_NAME] = "";
  if (pl_jit_unavailable(jit) || pl_compiler_missing(jit->compiler, source->cpp)) return PL_SUCCESS;
  pl_err err = make_code(jit, source, &code);
  bool wanted = !err && !is_known(jit, code);
  if (wanted) err = pl_cache_find(jit->cache, &code->key, name);
  wanted &= !err && !*name;
  if (wanted) err = probe_compiler(jit, source);
  if (wanted && !err && !is_known(jit, code)) return begin_job(jit, source, code);
  if (code) free_code(jit, code);
  return err;
}

bool pl_jit_busy(const pl_jit *jit)
{
  for (const pl_jit_job *job = jit->jobs; job; job = job->next)
    if (!pl_subprocess_ended(job->process)) return true;
  return false;
}

/* ---- notes ---- */

pl_err pl_jit_note_key(pl_jit *jit, const pl_jit_source *source, const char *about, pl_string *key)
{
  pl_string_init(key, jit->pl);
  pl_compiler_key(jit->compiler, source, key);
  pl_string_add(key, "\n%s\n", about);
  return pl_string_check(key);
}

pl_cache *pl_jit_cache(pl_jit *jit)
{
  return jit->cache;
}

void *pl_code_symbol(pl_code *code, const char *name)
{
  return dlsym(code->module, name);
}
