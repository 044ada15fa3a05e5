/* SPDX-License-Identifier: BSD-2-Clause
 * The disk cache: compiled libraries in a folder that all processes of a user share, and in a private one of
 * the context where that folder cannot serve. Owns the files in them.
 *
 *   <folder>/<hash>.so              an entry: the library's bytes, the key, a footer with sizes and checksum
 *   <folder>/src/<label>-<hash>.c   what was compiled, for debuggers and readers
 *   <folder>/.plait-<process>-<n>.* work in progress
 *
 * Invariant: an entry appears under its name complete, by rename, and is loaded only after footer, checksum
 * and the whole key have been compared. Entries whose hash is the same lie in neighbouring slots.
 */
#ifndef PLAIT_CODEGEN_CACHE_H
#define PLAIT_CODEGEN_CACHE_H

#include "core/text.h"
#include "jit.h"

typedef struct pl_cache pl_cache;

typedef enum pl_cache_room {
  PL_CACHE_SHARED, /* the folder of all processes */
  PL_CACHE_PRIVATE /* a temporary folder of this context */
} pl_cache_room;

/* One compilation: where its files lie. */
typedef struct pl_cache_job {
  pl_cache_room room;
  pl_text source; /* holds the source's text */
  pl_text binary; /* where the compiler is to write */
  pl_text log;    /* the compiler's messages */
  pl_text entry;  /* the entry, once published */
} pl_cache_job;

/* Reads the options cache_dir and cache_size; touches no file. */
pl_err pl_cache_open(pl_context *pl, pl_cache **cache);
void pl_cache_close(pl_cache **cache);

/* The path of the shared folder's entry for `key`; empty if there is none. Failing is only for want of
 * memory. */
pl_err pl_cache_find(pl_cache *cache, const pl_text *key, pl_text *path);

/* The code of the shared folder's entry for `key`, empty if there is none; and an entry made of `code`
 * (PL_ERR_IO if it cannot be). For code that needs no file of its own. */
pl_err pl_cache_read(pl_cache *cache, const pl_text *key, pl_text *code);
pl_err pl_cache_write(pl_cache *cache, const char *label, const pl_text *key, const pl_text *code);

/* Starts a compilation in a folder and writes the source there. PL_ERR_IO if the folder cannot be used:
 * without a sentence for the shared one, as the private one is still to be tried. */
pl_err pl_cache_begin(pl_cache *cache, pl_cache_room room, const pl_jit_source *source, const pl_text *key,
                      pl_cache_job *job);

/* Makes the compiled binary the entry for `key`; evicts old files. PL_ERR_IO as above. */
pl_err pl_cache_publish(pl_cache *cache, pl_cache_job *job, const pl_text *key);

/* Removes the files of the work. The source stays if `keep`, and in the shared folder until it is evicted.
 * Safe on a zeroed job. */
void pl_cache_end(pl_cache *cache, pl_cache_job *job, bool keep);

#endif
