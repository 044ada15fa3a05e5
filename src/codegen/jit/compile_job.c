/* SPDX-License-Identifier: BSD-2-Clause
 * Temporary folders of compilations.
 */
#include "compile_job.h"
#include "dependencies.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static pl_err fail_folder(pl_context *pl, const char *folder, int failure)
{
  return pl_fail(pl, PL_ERR_IO,
                 "compiled code cannot be written into the temporary folder \"%s\" (%s): set TMPDIR to a "
                 "folder with free space that you can write",
                 folder, strerror(failure));
}

static pl_err create_folder(pl_context *pl, pl_compile_job *job)
{
  const char *base = getenv("TMPDIR");
  pl_string_add(&job->folder, "%s/plait-XXXXXX", base && *base == '/' ? base : "/tmp");
  PL_TRY(pl_string_check(&job->folder));
  if (mkdtemp(job->folder.data)) return PL_SUCCESS;
  pl_err err = fail_folder(pl, job->folder.data, errno);
  pl_string_free(&job->folder);
  return err;
}

static pl_err name_file(const pl_compile_job *job, const char *name, pl_string *path)
{
  pl_string_add(path, "%s/%s", job->folder.data, name);
  return pl_string_check(path);
}

static pl_err write_source(pl_context *pl, const pl_jit_source *source, pl_compile_job *job)
{
  job->own_source = true;
  PL_TRY(name_file(job, source->cpp ? "source.cpp" : "source.c", &job->source));
  FILE *file = fopen(job->source.data, "we");
  bool good = file && fputs(source->head ? source->head : "", file) >= 0 && fputs(source->text, file) >= 0;
  int failure = errno;
  if (file && fclose(file) && good) good = false, failure = errno;
  return good ? PL_SUCCESS : fail_folder(pl, job->folder.data, failure);
}

static pl_err fill_folder(pl_context *pl, pl_cache *cache, const pl_jit_source *source, const pl_string *key,
                          pl_compile_job *job)
{
  PL_TRY(create_folder(pl, job));
  PL_TRY(name_file(job, "code.so", &job->binary));
  PL_TRY(name_file(job, "log", &job->log));
  PL_TRY(name_file(job, "rule", &job->rule));
  PL_TRY(name_file(job, "report", &job->report));
  PL_TRY(pl_cache_keep_source(cache, source, key, &job->source));
  return job->source.length ? PL_SUCCESS : write_source(pl, source, job);
}

pl_err pl_compile_job_begin(pl_context *pl, pl_cache *cache, const pl_jit_source *source,
                            const pl_string *key, pl_compile_job *job)
{
  *job = (pl_compile_job){.cpp = source->cpp, .quick = source->quick};
  pl_string *const paths[] = {&job->folder, &job->source, &job->binary, &job->log, &job->rule, &job->report};
  for (int i = 0; i < 6; i++) pl_string_init(paths[i], pl);
  clock_gettime(CLOCK_REALTIME_COARSE, &job->start);
  return fill_folder(pl, cache, source, key, job);
}

pl_err pl_compile_job_publish(pl_cache *cache, const pl_compile_job *job, const pl_string *key)
{
  pl_string code, files;
  pl_string_init(&code, key->pl);
  pl_string_init(&files, key->pl);
  if (!pl_string_add_file(&code, job->binary.data)) pl_string_free(&code); /* then it is not published */
  pl_dependencies_read(job->rule.data, job->source.data, job->start, &files);
  pl_err err = pl_string_check(&code);
  if (!err) err = pl_string_check(&files);
  if (!err) err = code.length ? pl_cache_publish(cache, key, &files, &code) : PL_ERR_IO;
  pl_string_free(&code);
  pl_string_free(&files);
  return err;
}

void pl_compile_job_end(pl_compile_job *job, bool keep_source, bool keep_binary)
{
  if (job->folder.length) {
    if (job->own_source && !keep_source) unlink(job->source.data);
    if (job->binary.length && !keep_binary) unlink(job->binary.data);
    if (job->log.length) unlink(job->log.data);
    if (job->rule.length) unlink(job->rule.data);
    if (job->report.length) unlink(job->report.data);
    rmdir(job->folder.data);
  }
  pl_string *const paths[] = {&job->folder, &job->source, &job->binary, &job->log, &job->rule, &job->report};
  for (int i = 0; i < 6; i++) pl_string_free(paths[i]);
}
