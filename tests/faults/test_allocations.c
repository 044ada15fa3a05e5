/* SPDX-License-Identifier: BSD-2-Clause
 * Every allocation of a program fails in turn: once alone, and the failed call is repeated; once with all
 * later ones, and the program stops.
 *
 * test_allocations BACKEND STRIDE warm|cold: each STRIDE-th allocation. warm: code comes from the disk
 * cache, as in a second run of a program; cold: the cache is empty each time and the compiler runs.
 */
#include "sandbox.h"
#include "whole_api.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FAILURES = 10 };

static const char *backend;
static long stride;
static bool cold;

/* ---- the job ---- */

typedef struct job_texts {
  char backend[40], cache[PATH_MAX + 20], compiler[PATH_MAX + 20];
} job_texts;

/* A compiler that caches its output, so that only the first run of a text takes long. */
static const char *remembering_compiler(void)
{
  char text[2 * PATH_MAX];
  snprintf(text, sizeof text,
           "#!/bin/sh\n"
           "store='%s/store'\n"
           "for word; do\n"
           "  [ \"$last\" = -o ] && out=$word\n"
           "  case $word in *.c) source=$word ;; esac\n"
           "  last=$word\n"
           "done\n"
           "mkdir -p \"$store\"\n"
           "known=$store/$(cksum <\"$source\" | tr ' ' -)\n"
           "[ -f \"$known\" ] || { " FAULTS_CC " \"$@\" && cp \"$out\" \"$known\"; exit; }\n"
           "exec cp \"$known\" \"$out\"\n",
           sandbox_folder);
  return sandbox_script("remembering-cc", text);
}

static faults_job make_job(job_texts *texts, faults_mode mode)
{
  char here[PATH_MAX - 20] = "";
  if (!cold) CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof here));
  snprintf(texts->backend, sizeof texts->backend, "backend=%s", backend);
  if (cold)
    snprintf(texts->cache, sizeof texts->cache, "cache_dir=%s", sandbox_cache);
  else
    snprintf(texts->cache, sizeof texts->cache, "cache_dir=%s/warm-cache", here);
  /* Otherwise slow loops, as under valgrind, would be compiled again. */
  faults_job job = {.options = {texts->backend, texts->cache, "shape=transpose", "optimize=quick"},
                    .folder = sandbox_folder,
                    .brief = cold,
                    .mode = mode,
                    .fail_at = 0};
  if (cold) {
    snprintf(texts->compiler, sizeof texts->compiler, "cc=%s", remembering_compiler());
    job.options[4] = texts->compiler;
  }
  return job;
}

/* ---- runs ---- */

static int failures;

static void expect(bool good, const faults_job *job, const char *what)
{
  if (!good && failures++ < MOST_FAILURES)
    fprintf(stderr, "\nallocation %ld, %s: %s\n", job->fail_at,
            job->mode == FAULTS_RETRY ? "alone" : "and all after", what);
  CU_ASSERT(good);
}

static void fresh_run(const faults_job *job, const faults_profile *profile, faults_profile *record,
                      faults_outcome *o)
{
  if (cold) sandbox_remove(sandbox_cache);
  faults_run(job, profile, record, o);
  expect(!*o->complaint, job, o->complaint);
}

/* A run without failures, from the same initial state as the others. */
static void reference_run(const faults_job *job, faults_profile *profile, faults_outcome *reference)
{
  faults_outcome again;
  fresh_run(job, NULL, NULL, &again); /* fills the warm cache */
  fresh_run(job, NULL, profile, reference);
  fresh_run(job, profile, NULL, &again);
  expect(reference->finished && again.finished, job, "the undisturbed program does not come to its end");
  expect(again.asked == reference->asked && again.result == reference->result, job,
         "two undisturbed runs differ");
  expect((reference->stats.compiler_runs > 0) == cold, job, "the cache is not in the state it should be in");
  CU_ASSERT_FATAL(!failures && reference->asked > 100);
}

/* One allocation fails. */
static void run_once(faults_job *job, const faults_profile *profile, const faults_outcome *reference,
                     long *unharmed)
{
  faults_outcome o;
  fresh_run(job, profile, NULL, &o);
  if (*o.complaint) return;
  expect(o.finished, job, "the program does not come to its end");
  expect(o.failed_calls + o.wordless + o.unharmed == 1, job, "not one call was struck");
  expect(cold || !o.unharmed, job, "a failure was passed over"); /* except for the maintenance of the cache */
  expect(o.result == reference->result, job, "the results are others");
  *unharmed += o.unharmed;
}

static void test_once(void)
{
  job_texts texts;
  faults_profile profile;
  faults_outcome reference, last;
  long unharmed = 0, runs = 0;
  faults_job job = make_job(&texts, FAULTS_RETRY);
  reference_run(&job, &profile, &reference);
  for (job.fail_at = 1; job.fail_at <= reference.asked && failures < MOST_FAILURES;
       job.fail_at += stride, runs++)
    run_once(&job, &profile, &reference, &unharmed);
  job.fail_at = reference.asked + 1;
  fresh_run(&job, &profile, NULL, &last);
  expect(last.finished && !last.failed_calls && !last.wordless && !last.unharmed, &job,
         "the run past the last one was struck");
  printf("%ld of %ld allocations in %d calls failed alone, %ld of them unnoticed ... ", runs, reference.asked,
         profile.calls, unharmed);
}

static void test_dry(void)
{
  job_texts texts;
  faults_profile profile;
  faults_outcome reference, o;
  long runs = 0;
  faults_job job = make_job(&texts, FAULTS_ABANDON);
  reference_run(&job, &profile, &reference);
  for (job.fail_at = 1; job.fail_at <= reference.asked && failures < MOST_FAILURES;
       job.fail_at += stride, runs++) {
    fresh_run(&job, &profile, NULL, &o);
    expect(o.failed_calls + o.wordless + o.unharmed == 1, &job, "not one call was struck");
    expect(!o.finished, &job, "the program went on without memory");
  }
  printf("%ld of %ld allocations failed with all after them ... ", runs, reference.asked);
}

static CU_TestInfo tests[] = {
  {"each allocation fails alone", test_once},
  {"each allocation fails with all later ones", test_dry},
  CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
  if (argc != 4 || (stride = atol(argv[2])) < 1) {
    fprintf(stderr, "usage: test_allocations BACKEND STRIDE warm|cold\n");
    return 2;
  }
  backend = argv[1];
  cold = !strcmp(argv[3], "cold");
  sandbox_clear_options();
  return sandbox_main("allocations", tests);
}
