/* SPDX-License-Identifier: BSD-2-Clause
 * Contexts and sources of the tests that compile. Each test has its own cache in the sandbox.
 */
#ifndef PLAIT_TESTS_JIT_FIXTURE_H
#define PLAIT_TESTS_JIT_FIXTURE_H

#include "codegen/jit/jit.h"
#include "core/context/context.h"
#include "fake_backend.h"
#include "sandbox.h"
#include <stdlib.h>

/* The path of the only entry in the cache. */
static inline const char *only_entry(void)
{
  char name[NAME_MAX + 1];
  CU_ASSERT_EQUAL_FATAL(sandbox_count(sandbox_cache, ".so", name), 1);
  return sandbox_path(sandbox_cache, name);
}

typedef struct jit_context {
  pl_context *pl;
  pl_jit *jit;
} jit_context;

/* A context with the test's cache and up to four more options, and its compiler of loops. */
static inline jit_context open_jit_with(pl_realloc_fn allocate, void *user, const char *const extra[4])
{
  jit_context b = {NULL, NULL};
  char folder[PATH_MAX + 16];
  snprintf(folder, sizeof folder, "cache_dir=%s", sandbox_cache);
  const char *options[] = {"backend=seq", folder, extra[0], extra[1], extra[2], extra[3], NULL};
  if (!fake_context(options, allocate, user, &b.pl)) pl_jit_open(b.pl, &b.jit);
  return b;
}

static inline jit_context open_jit(const char *a, const char *b)
{
  jit_context opened = open_jit_with(NULL, NULL, (const char *const[4]){a, b, NULL, NULL});
  CU_ASSERT_PTR_NOT_NULL_FATAL(opened.jit);
  return opened;
}

static inline void close_jit(jit_context *b)
{
  pl_jit_close(&b->jit);
  pl_finalize(&b->pl);
}

static const pl_jit_source forty_two = {.label = "answer", .text = "int answer(void)\n{\n  return 42;\n}\n"};

static inline int call_answer(pl_code *code)
{
  int (*answer)(void);
  void *symbol = pl_code_symbol(code, "answer");
  memcpy(&answer, &symbol, sizeof answer);
  return answer ? answer() : -1;
}

static inline int answer_of(jit_context *b, const pl_jit_source *source)
{
  pl_code *code;
  pl_err err = pl_jit_get(b->jit, source, &code);
  if (err) fprintf(stderr, "%s\n", pl_errmsg(b->pl));
  return err ? -2 : call_answer(code);
}

/* The answer of the source in a new context, and how often a compiler ran. */
static inline int fresh_answer(const pl_jit_source *source, const char *a, const char *b, int *runs)
{
  jit_context fresh = open_jit(a, b);
  int answer = answer_of(&fresh, source);
  if (runs) *runs = (int)fresh.pl->stats.compiler_runs;
  close_jit(&fresh);
  return answer;
}

static const pl_jit_source table = {
  .label = "table",
  .text = "static const volatile unsigned words[4] = {0x50414c31u, 0x50414c32u, 0x50414c33u, 0x50414c34u};\n"
          "int answer(void) { return words[0] == 0x50414c31u && words[3] == 0x50414c34u; }\n"};

/* Writes a script that serves as the compiler; the option that selects it. */
static inline const char *script_option(const char *name, const char *text)
{
  static char option[2 * PATH_MAX];
  snprintf(option, sizeof option, "cc=%s", sandbox_script(name, text));
  return option;
}

/* The option for a compiler that copies a library built before, and so takes no time. */
static inline const char *quick_compiler(void)
{
  char text[2 * PATH_MAX + 128];
  const char *entry, *library = sandbox_path(sandbox_folder, "built.so");
  CU_ASSERT_EQUAL_FATAL(fresh_answer(&table, NULL, NULL, NULL), 1);
  entry = only_entry();
  CU_ASSERT_EQUAL_FATAL(rename(entry, library), 0);
  snprintf(text, sizeof text,
           "#!/bin/sh\nwhile [ \"$1\" != -MF ]; do shift; done; : >\"$2\"\n"
           "while [ \"$1\" != -o ]; do shift; done\nexec cat '%s' >\"$2\"\n",
           library);
  return script_option("quickcc", text);
}

#endif
