/* SPDX-License-Identifier: BSD-2-Clause
 * The way from C text to running code on the host: memory, disk cache, compiler; each rung may fall short and
 * the next is tried. Owns the loaded modules of a context.
 *
 * Invariant: the hash finds a cache entry, the stored key text decides. An entry that is missing, unreadable,
 * truncated, altered or made from another key costs a compilation, never a wrong answer.
 */
#ifndef PLAIT_CODEGEN_JIT_H
#define PLAIT_CODEGEN_JIT_H

#include "plait.h"
#include <stdbool.h>

typedef struct pl_jit pl_jit;   /* compiler, cache folder and modules of one context */
typedef struct pl_code pl_code; /* one loaded module, shared by all who asked for the same text */

typedef struct pl_jit_source {
  const char *label;               /* what it is, for messages and file names: "res_calc" */
  const char *text;                /* the whole C (or C++) source */
  const char *const *include_dirs; /* NULL-terminated lists; each may be NULL */
  const char *const *link_args;
  int cpp; /* C++ instead of C */
} pl_jit_source;

/* Reads the options (cc, cflags, cache_dir, jit, ...). Starts no process and makes no folder yet. */
pl_err pl_jit_open(pl_context *pl, pl_jit **jit);
void pl_jit_close(pl_jit **jit);

/* NULL if code can be compiled or loaded at run time, else the sentence why not (jit=off, no compiler). */
const char *pl_jit_unavailable(pl_jit *jit);

/* The module for a source. Counts into pl->stats (codes_memory, codes_disk, codes_compiled, compiler_runs,
 * compile_seconds). PL_ERR_STATE if pl_jit_unavailable; on PL_ERR_COMPILE the context's error holds the
 * compiler's first messages, the command and where the source was kept. A source that may include files other
 * than <system> headers is compiled anew in each context: the files may change, the text need not. */
pl_err pl_jit_get(pl_jit *jit, const pl_jit_source *source, pl_code **code);

/* Begins to compile a source in the background, unless it is at hand, so that pl_jit_get has less to wait
 * for. Nothing is promised: what fails here is done, and told of, by pl_jit_get. Only for want of memory does
 * this fail. */
pl_err pl_jit_begin(pl_jit *jit, const pl_jit_source *source);

/* Whether anything that was begun is still being compiled. */
bool pl_jit_busy(const pl_jit *jit);

/* A word kept beside the code of a source, "about" something: "" if there is none. Forgotten with the code.
 * Only for want of memory does recalling fail; what cannot be kept is not kept. */
pl_err pl_jit_recall(pl_jit *jit, const pl_jit_source *source, const char *about, char *word, size_t size);
void pl_jit_remember(pl_jit *jit, const pl_jit_source *source, const char *about, const char *word);

/* A function of the module, or NULL. */
void *pl_code_symbol(pl_code *code, const char *name);

#endif
