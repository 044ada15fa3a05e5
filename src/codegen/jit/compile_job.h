/* SPDX-License-Identifier: BSD-2-Clause
 * The files of one compilation, in a temporary folder of their own.
 *
 *   <folder>/code.so   the compiled library      <folder>/log      the compiler's messages
 *   <folder>/rule      the files it has read     <folder>/report   contracted pairs
 *
 * Invariant: nothing of a job is left at its end but a source that a message has named, or, with option
 * debug, a library that a debugger needs.
 */
#pragma once

#include <time.h>
#include "disk_cache.h"

typedef struct pl_compile_job {
  pl_string folder, source, binary, log, rule, report;
  struct timespec start; /* before the compiler reads any file */
  bool own_source;       /* the source lies in the folder, not in the cache */
  int cpp;
  bool quick; /* as the source says */
} pl_compile_job;

/* Creates the folder and writes the source: into the cache for debuggers and readers, else into the folder.
 * PL_ERR_IO where files cannot be written. */
pl_err pl_compile_job_begin(pl_context *pl, pl_cache *cache, const pl_jit_source *source,
                            const pl_string *key, pl_compile_job *job);

/* Writes library and dependencies as the cache's entry for `key`: as pl_cache_publish. */
pl_err pl_compile_job_publish(pl_cache *cache, const pl_compile_job *job, const pl_string *key);

/* Removes the files, except those to keep. Safe on a zeroed job. */
void pl_compile_job_end(pl_compile_job *job, bool keep_source, bool keep_binary);
