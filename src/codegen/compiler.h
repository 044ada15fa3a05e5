/* SPDX-License-Identifier: BSD-2-Clause
 * The host compiler: which program it is, what tells it apart from another one, its command line, and running
 * it without a shell. Owns no files; the caller says where source, binary and messages lie.
 *
 * Invariant: whatever goes into a command line goes into the key, except the names of those three files.
 */
#ifndef PLAIT_CODEGEN_COMPILER_H
#define PLAIT_CODEGEN_COMPILER_H

#include "core/text.h"
#include "jit.h"

typedef struct pl_compiler pl_compiler;

/* Finds the compilers for C and C++ (options cc, cflags, ldflags); starts no process. None is no error. */
pl_err pl_compiler_open(pl_context *pl, pl_compiler **compiler);
void pl_compiler_close(pl_compiler **compiler);

/* NULL if the language can be compiled, else the sentence why not. */
const char *pl_compiler_missing(const pl_compiler *compiler, int cpp);

/* Adds to `key` all that decides the binary: library version, compiler, processor, flags, libraries, the
 * source. */
void pl_compiler_key(const pl_compiler *compiler, const pl_jit_source *source, pl_text *key);

/* Whether the key tells all. False if the source may include files other than the system's: these can change
 * without any change of the key. */
bool pl_compiler_key_is_whole(const pl_compiler *compiler, const pl_jit_source *source);

/* Compiles the file at `from`, which holds the source's text, into the shared library `to`, messages into
 * `log`. PL_ERR_COMPILE with label, reason, first messages, command and the path of the source. */
pl_err pl_compiler_run(const pl_compiler *compiler, const pl_jit_source *source, const char *from,
                       const char *to, const char *log);

/* The same in the background. *process is 0 where it could not be started; finishing says whether `to` is now
 * a shared library. Reasons are left to pl_compiler_run, which is then asked for the same. */
pl_err pl_compiler_start(const pl_compiler *compiler, const pl_jit_source *source, const char *from,
                         const char *to, const char *log, long *process);
bool pl_compiler_finish(const pl_compiler *compiler, long process, const char *to);

#endif
