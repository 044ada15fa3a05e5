/* SPDX-License-Identifier: BSD-2-Clause
 * The disk cache: compiled libraries in a folder that all processes of a user share, or in a private folder
 * of the context if the shared one cannot be used. Owns the files in both.
 *
 *   <folder>/<hash>.so              an entry: the library's bytes, the key, a footer with sizes and checksum
 *   <folder>/src/<label>-<hash>.c   the source, for debuggers and readers
 *   <folder>/.plait-<process>-<n>.* work in progress
 *
 * Invariant: an entry appears under its name complete, by rename, and is loaded only after footer, checksum
 * and the whole key have been compared. Entries with equal hashes use consecutive slots.
 */
#ifndef PLAIT_CODEGEN_JIT_DISK_CACHE_H
#define PLAIT_CODEGEN_JIT_DISK_CACHE_H

#include <stdbool.h>
#include "jit.h"
#include "core/context/string_builder.h"

typedef struct pl_cache pl_cache;

typedef enum pl_cache_place {
  PL_CACHE_SHARED, /* the folder of all processes */
  PL_CACHE_PRIVATE /* a temporary folder of this context */
} pl_cache_place;

/* The files of one compilation. */
typedef struct pl_cache_job {
  pl_cache_place place;
  pl_string source; /* written by pl_cache_begin */
  pl_string binary; /* the compiler's output */
  pl_string log;    /* the compiler's messages */
  pl_string report; /* the compiler's report of contracted pairs */
  pl_string entry;  /* the entry, once published */
} pl_cache_job;

/* Reads the options cache_dir and cache_size; touches no file. */
pl_err pl_cache_open(pl_context *pl, pl_cache **cache);
void pl_cache_close(pl_cache **cache);

/* The path of the shared folder's entry for `key`; empty if there is none. Fails only without memory. */
pl_err pl_cache_find(pl_cache *cache, const pl_string *key, pl_string *path);

/* Reads the bytes of the shared folder's entry for `key`, none if there is no entry; writes `code` as such an
 * entry (PL_ERR_IO if it cannot be written). For code that is not loaded from a file. */
pl_err pl_cache_read(pl_cache *cache, const pl_string *key, pl_string *code);
pl_err pl_cache_write(pl_cache *cache, const char *label, const pl_string *key, const pl_string *code);

/* Starts a compilation in a folder and writes the source there. PL_ERR_IO if the folder cannot be used:
 * without a message for the shared one, since the private one is tried next. */
pl_err pl_cache_begin(pl_cache *cache, pl_cache_place place, const pl_jit_source *source,
                      const pl_string *key, pl_cache_job *job);

/* Makes the compiled binary the entry for `key`; evicts old files. PL_ERR_IO as above. */
pl_err pl_cache_publish(pl_cache *cache, pl_cache_job *job, const pl_string *key);

/* Removes the temporary files. The source stays if `keep`, and in the shared folder until it is evicted. Safe
 * on a zeroed job. */
void pl_cache_end(pl_cache *cache, pl_cache_job *job, bool keep);

#endif
