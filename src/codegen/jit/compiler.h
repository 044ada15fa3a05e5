/* SPDX-License-Identifier: BSD-2-Clause
 * The host compiler: finding it, its identity, its command line, and running it without a shell. Owns no
 * files; a pl_compile_job names them.
 *
 * Invariant: the key contains every argument of the command line except the names of these files. The report
 * option depends on the compiler alone. The files that the source includes are no part of the key: the
 * compiler lists them (dependencies.h).
 */
#pragma once

#include <stdbool.h>
#include "compile_job.h"
#include "core/context/string_builder.h"

typedef struct pl_compiler pl_compiler;

/* Finds the compilers for C and C++ (options cc, cflags, ldflags); starts no process. A missing compiler is
 * no error here. */
pl_err pl_compiler_open(pl_context *pl, pl_compiler **compiler);
void pl_compiler_close(pl_compiler **compiler);

/* NULL if the language can be compiled, else the reason. */
const char *pl_compiler_missing(const pl_compiler *compiler, int cpp);

/* Adds to `key` all that the binary depends on except included files: library version, compiler, processor,
 * flags, search paths, libraries, source. */
void pl_compiler_key(const pl_compiler *compiler, const pl_jit_source *source, pl_string *key);

/* gcc 12 and 13 contract a*b - c*d beside a*b + c*d whatever -ffp-contract says. Whether a probe
 * (contraction.host.inc) has to find out if this compiler does, before it compiles the source; and the
 * probe's answer. Where it is true the compiler reports such contractions, and pl_compiler_run compiles the
 * source again for a processor without FMA if there are any. */
bool pl_compiler_needs_probe(const pl_compiler *compiler, const pl_jit_source *source);
/* Whether sources whose compilation starts before the answer is known are reported on. */
void pl_compiler_report_pairs(pl_compiler *compiler, int cpp, bool report);
void pl_compiler_set_contracts(pl_compiler *compiler, int cpp, bool contracts);
extern const char pl_template_contraction_host[]; /* the probe: its pl_contracts() is the answer */

/* Compiles the job's source file, which holds the source's text, into a shared library. PL_ERR_COMPILE with
 * label, reason, first messages, command and the path of the source. */
pl_err pl_compiler_run(const pl_compiler *compiler, const pl_jit_source *source, const pl_compile_job *job);

/* Whether `err` and its message, of any compiler, name a line of the text, so that compiling the same text
 * again would fail again. */
bool pl_compile_error_lasts(const pl_context *pl, pl_err err);

/* The same in the background. *process is 0 if it could not be started. pl_compiler_finish waits and returns
 * whether the binary can be used; if not, pl_compiler_run with the same job gives the reason. */
pl_err pl_compiler_start(const pl_compiler *compiler, const pl_jit_source *source, const pl_compile_job *job,
                         long *process);
bool pl_compiler_finish(const pl_compiler *compiler, const pl_compile_job *job, long process);
