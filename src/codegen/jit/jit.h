/* SPDX-License-Identifier: BSD-2-Clause
 * Run-time compilation of C text for the host: a module comes from memory, else from the disk cache, else
 * from the compiler. Owns the loaded modules of a context.
 *
 * Invariant: the hash finds a cache entry, the stored key decides. An entry that is missing, unreadable,
 * truncated, altered or made from another key costs a compilation, never a wrong result.
 */
#pragma once

#include <stdbool.h>
#include "core/context/string_builder.h"

typedef struct pl_jit pl_jit;     /* compiler, cache folder and modules of one context */
typedef struct pl_cache pl_cache; /* the folder of compiled code: disk_cache.h */
typedef struct pl_code pl_code;   /* one loaded module, shared by equal sources */

typedef struct pl_jit_source {
  const char *label;               /* for messages and file names: "res_calc" */
  const char *text;                /* the whole C (or C++) source */
  const char *head;                /* a comment before it in the kept file, not in the key; or NULL */
  const char *const *include_dirs; /* NULL-terminated lists; each may be NULL */
  const char *const *link_args;
  const char *entry; /* a function that its code must have; NULL: none */
  int cpp;           /* C++ instead of C */
  bool quick;        /* compiled quickly, with little optimization; the code gives the same bits */
} pl_jit_source;

/* Reads the options (cc, cflags, cache_dir, jit, ...). Starts no process and creates no folder yet. */
pl_err pl_jit_open(pl_context *pl, pl_jit **jit);
/* Stops compilations that are still running; puts the others into the disk cache. */
void pl_jit_close(pl_jit **jit);

/* NULL if code can be compiled or loaded at run time, else the reason (jit=off, no compiler). */
const char *pl_jit_unavailable(pl_jit *jit);

/* The module for a source. Counts into pl->stats (codes_memory, codes_disk, codes_compiled, compiler_runs,
 * compile_seconds). PL_ERR_STATE if pl_jit_unavailable; on PL_ERR_COMPILE the context's error holds the
 * compiler's first messages, the command and the path of the source. Code from the disk cache is used while
 * the files that its source includes have not changed; code in memory, and an error in the text, always. */
pl_err pl_jit_get(pl_jit *jit, const pl_jit_source *source, pl_code **code);

/* Whether pl_jit_get finds the source's module, or an error in its text, without a compilation. */
pl_err pl_jit_knows(pl_jit *jit, const pl_jit_source *source, bool *known);

/* Starts to compile a source in the background unless its module is known, so that pl_jit_get waits less.
 * Fails only without memory; pl_jit_get compiles again after any other failure, and reports it. */
pl_err pl_jit_begin(pl_jit *jit, const pl_jit_source *source);

/* Whether a background compilation is still running. */
bool pl_jit_busy(const pl_jit *jit);

/* The disk cache, and the key of a note in it about the code of a source. The caller frees the key. */
pl_cache *pl_jit_cache(pl_jit *jit);
pl_err pl_jit_note_key(pl_jit *jit, const pl_jit_source *source, const char *about, pl_string *key);

/* A function of the module, or NULL. */
void *pl_code_symbol(pl_code *code, const char *name);
