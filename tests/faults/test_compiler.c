/* SPDX-License-Identifier: BSD-2-Clause
 * Compilers that are missing or broken, and kernels that do not compile.
 */
#include "checks.h"
#include "sandbox.h"
#include "small_program.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_words(const char *text, const char *const *words)
{
  for (; *words; words++) {
    if (!strstr(text, *words)) fprintf(stderr, "\nno \"%s\" in: %s\n", *words, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, *words));
  }
}

#define EXPECT_WORDS(text, ...) expect_words((text), (const char *const[]){__VA_ARGS__, NULL})

static int count_of(const char *text, const char *part)
{
  int n = 0;
  for (const char *p = text; (p = strstr(p, part)); p += strlen(part)) n++;
  return n;
}

/* ---- no compiler ---- */

/* The kernels compiled with the program run, with one warning that names a remedy. */
static void expect_fallback(const char *option, const char *const *words)
{
  int before = sandbox_capture_stderr();
  small_outcome o = small_run_cached(option, NULL);
  char *said = sandbox_captured(before);
  if (o.err) fprintf(stderr, "\n%s\n", o.message);
  CU_ASSERT(o.right);
  CU_ASSERT_EQUAL(o.stats.compiler_runs, 0);
  CU_ASSERT_EQUAL(o.stats.loops_run, SMALL_LOOPS);
  expect_words(said, words);
  CU_ASSERT_EQUAL(count_of(said, "\n"), 1);
  free(said);
  CU_ASSERT_FALSE(sandbox_exists(sandbox_cache));
}

static void test_missing(void)
{
  static const char *const words[] = {"/nonexistent/cc", "PLAIT_CC", "PLAIT_JIT=off", "slower", NULL};
  expect_fallback("cc=/nonexistent/cc", words);
  expect_fallback("cc=/nonexistent/cc -O1 -g", words);
}

static void test_not_executable(void)
{
  char option[PATH_MAX + 16];
  sandbox_write(sandbox_path(sandbox_folder, "plain-file"), "#!/bin/sh\nexit 0\n", 17, 0644);
  snprintf(option, sizeof option, "cc=%s/plain-file", sandbox_folder);
  expect_fallback(option, (const char *const[]){"plain-file", "PLAIT_CC", NULL});
  snprintf(option, sizeof option, "cc=%s", sandbox_folder);
  expect_fallback(option, (const char *const[]){"PLAIT_CC", NULL});
}

static void test_off(void)
{
  expect_fallback("jit=off", (const char *const[]){"PLAIT_JIT=off", NULL});
  setenv("PLAIT_JIT", "off", 1);
  expect_fallback(NULL, (const char *const[]){"PLAIT_JIT=off", NULL});
  unsetenv("PLAIT_JIT");
  CU_ASSERT(small_run_cached(NULL, NULL).right);
}

/* ---- contexts for kernels of our own ---- */

typedef struct bench {
  pl_context *pl;
  pl_set *set;
  pl_dat *dat;
} bench;

static bench open_with(const char *flags, const char *option)
{
  bench b = {NULL, NULL, NULL};
  char cache[PATH_MAX + 16];
  snprintf(cache, sizeof cache, "cache_dir=%s", sandbox_cache);
  const char *options[] = {"backend=seq", cache, flags, option, NULL};
  const pl_settings settings = {.options = options};
  OK(pl_init(NULL, NULL, &settings, &b.pl));
  OK(pl_decl_set(b.pl, 5, "cells", &b.set));
  OK(pl_decl_dat(b.set, 1, PL_DOUBLE, NULL, "x", &b.dat));
  return b;
}

static bench open_bench(const char *option)
{
  return open_with("cflags=-O0", option);
}

static pl_err run(const bench *b, const pl_kernel *kernel)
{
  return pl_par_loop(kernel, b->set, pl_arg_dat(b->dat, PL_ID, PL_DIRECT, PL_WRITE));
}

static double first_value(const bench *b)
{
  double x[5] = {-1, -1, -1, -1, -1};
  CU_ASSERT_EQUAL(pl_dat_fetch(b->dat, x), PL_SUCCESS);
  return x[0];
}

PL_KERNEL(seven, (double *x), { *x = 7; })

/* A kernel from text has no compiled version: the message says why it cannot run and names a remedy. */
static void test_text_without_compiler(void)
{
  static const char *const options[] = {"cc=/nonexistent/cc", "jit=off"};
  for (int i = 0; i < 2; i++) {
    const pl_kernel *kernel;
    bench b = open_bench(options[i]);
    int before = sandbox_capture_stderr();
    OK(pl_kernel_from_source(b.pl, "eight", "void eight(double *x) { *x = 8; }", NULL, &kernel));
    CU_ASSERT_EQUAL(run(&b, kernel), PL_ERR_KERNEL);
    EXPECT_WORDS(pl_errmsg(b.pl), "eight", "text", i ? "PLAIT_JIT=off" : "PLAIT_CC");
    CU_ASSERT_EQUAL(first_value(&b), 0);
    CU_ASSERT_EQUAL(pl_dat_version(b.dat), 0);
    CU_ASSERT_EQUAL(run(&b, seven), PL_SUCCESS);
    CU_ASSERT_EQUAL(first_value(&b), 7);
    free(sandbox_captured(before));
    pl_finalize(&b.pl);
  }
}

/* ---- broken compilers ---- */

#define AT_OUTPUT "while [ \"$1\" != -o ]; do shift; done; "

static const struct {
  const char *text, *words[4];
} broken[] = {
  {"#!/bin/sh\necho 'kernel.c:2: error: I will not'\nexit 3\n",
   {"exit status 3", "kernel.c:2: error: I will not", "command: ", NULL}},
  {"#!/bin/sh\nexit 1\n", {"exit status 1", "command: ", NULL}},
  {"#!/bin/sh\necho dying >&2; kill -9 $$\n", {"signal 9", "dying", NULL}},
  {"#!/bin/sh\nkill -SEGV $$\n", {"signal 11", NULL}},
  {"#!/bin/sh\nhead -c 300000 /dev/urandom; exit 1\n", {"exit status 1", NULL}},
  {"#!/bin/sh\nhead -c 300000 /dev/urandom; exit 0\n", {"no shared library", NULL}},
  {"#!/bin/sh\nexit 0\n", {"no shared library", NULL}},
  {"#!/bin/sh\n" AT_OUTPUT ": >\"$2\"\n", {"no shared library", NULL}},
  {"#!/bin/sh\n" AT_OUTPUT "echo garbage >\"$2\"\n", {"no shared library", NULL}},
  {"#!/bin/sh\n" AT_OUTPUT "head -c 70000 /dev/urandom >\"$2\"\n", {"no shared library", NULL}},
  {"#!/bin/sh\n" AT_OUTPUT "(printf '\\177ELF\\002\\001\\001'; head -c 9000 /dev/zero) >\"$2\"\n",
   {"no shared library", NULL}},
  {"#!/bin/sh\n" AT_OUTPUT "mkfifo \"$2\"\n", {"no shared library", NULL}},
  {"#!/bin/sh\n" AT_OUTPUT "ln -s /dev/zero \"$2\"\n", {"no shared library", NULL}},
  {"#!/nonexistent/interpreter\n", {"compiler", "command: ", NULL}},
  {"neither a script nor a program\n", {"compiler", NULL}},
};

static void test_broken(void)
{
  char option[PATH_MAX + 16];
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    snprintf(option, sizeof option, "cc=%s", sandbox_script("broken-cc", broken[i].text));
    small_outcome o = small_run_cached(option, NULL);
    if (o.err != PL_ERR_COMPILE) fprintf(stderr, "\ncompiler %zu: %s: %s\n", i, pl_errname(o.err), o.message);
    CU_ASSERT_EQUAL(o.err, PL_ERR_COMPILE);
    expect_words(o.message, broken[i].words);
    EXPECT_WORDS(o.message, "number", "kept in ");
    CU_ASSERT(o.stats.compiler_runs > 0);
    CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL), 0); /* no file of it is cached */
  }
  CU_ASSERT(small_run_cached(NULL, NULL).right);
}

/* A compiler that succeeds with another library. */
static void test_other_library(void)
{
  char option[PATH_MAX + 16];
  const char *script = "#!/bin/sh\n" AT_OUTPUT "echo 'int other;' | exec cc -shared -fPIC -x c - -o \"$2\"\n";
  snprintf(option, sizeof option, "cc=%s", sandbox_script("other-cc", script));
  small_outcome o = small_run_cached(option, NULL);
  CU_ASSERT(o.err && !o.right);
  EXPECT_WORDS(o.message, "number", "entry point");
}

/* The context works after the failure: the loop compiles as soon as the compiler works. */
static void test_repaired(void)
{
  char option[PATH_MAX + 16];
  snprintf(option, sizeof option, "cc=%s", sandbox_script("repaired-cc", "#!/bin/sh\nexit 9\n"));
  bench b = open_bench(option);
  CU_ASSERT_EQUAL(run(&b, seven), PL_ERR_COMPILE);
  CU_ASSERT_EQUAL(run(&b, seven), PL_ERR_COMPILE);
  CU_ASSERT_EQUAL(pl_dat_version(b.dat), 0);
  CU_ASSERT_EQUAL(first_value(&b), 0);
  sandbox_script("repaired-cc", "#!/bin/sh\nexec cc \"$@\"\n");
  CU_ASSERT_EQUAL(run(&b, seven), PL_SUCCESS);
  CU_ASSERT_EQUAL(first_value(&b), 7);
  unlink(sandbox_path(sandbox_folder, "repaired-cc"));
  CU_ASSERT_EQUAL(run(&b, seven), PL_SUCCESS); /* no longer needed */
  pl_finalize(&b.pl);
}

/* A compiler that refuses the flags of quick compilations is asked for one only once. */
static void test_never_quick(void)
{
  char option[PATH_MAX + 16], text[2 * PATH_MAX];
  snprintf(text, sizeof text,
           "#!/bin/sh\ncase \"$*\" in *-Og*) echo >>'%s/asked'; exit 1 ;; esac\nexec cc \"$@\"\n",
           sandbox_folder);
  snprintf(option, sizeof option, "cc=%s", sandbox_script("full-cc", text));
  bench b = open_with("cflags=-w", option);
  OK(run(&b, seven));
  OK(pl_dat_scale(2, b.dat));
  CU_ASSERT_EQUAL(first_value(&b), 14);
  pl_finalize(&b.pl);
  char *asked = sandbox_read(sandbox_path(sandbox_folder, "asked"), NULL);
  CU_ASSERT_STRING_EQUAL(asked, "\n");
  free(asked);
}

/* ---- kernels that do not compile ---- */

/* The file that the message names after "kept in" exists and holds the kernel. */
static void expect_kept_source(const char *message, const char *part)
{
  const char *at = strstr(message, "kept in ");
  char path[PATH_MAX];
  CU_ASSERT_PTR_NOT_NULL_FATAL(at);
  snprintf(path, sizeof path, "%s", at + strlen("kept in "));
  path[strcspn(path, "\n")] = '\0';
  CU_ASSERT_FATAL(sandbox_exists(path));
  char *source = sandbox_read(path, NULL);
  CU_ASSERT_PTR_NOT_NULL(strstr(source, part));
  free(source);
}

/* The message and the head of the kept text name the call, not the kernel that stands for it. */
static void test_operation(void)
{
  char option[PATH_MAX + 16];
  snprintf(option, sizeof option, "cc=%s", sandbox_script("no-cc", "#!/bin/sh\nexit 9\n"));
  bench b = open_bench(option);
  pl_dat *y;
  OK(pl_decl_dat(b.set, 1, PL_DOUBLE, NULL, "y", &y));
  CU_ASSERT_EQUAL(pl_dat_axpy(2, b.dat, y), PL_ERR_COMPILE);
  EXPECT_WORDS(pl_errmsg(b.pl), "\"pl_dat_axpy(x, y)\" could not be compiled");
  CU_ASSERT_PTR_NULL(strstr(pl_errmsg(b.pl), "pl_maxpy"));
  expect_kept_source(pl_errmsg(b.pl), "\"pl_dat_axpy(x, y)\" over set \"cells\"");
  pl_finalize(&b.pl);
}

static void expect_place(const char *message, const char *file, int line)
{
  char place[PATH_MAX + 16];
  snprintf(place, sizeof place, "%s:%d:", file, line);
  EXPECT_WORDS(message, place);
}

static void test_syntax_error_in_text(void)
{
  static const char text[] = "static double one(void) { return 1; }\n"
                             "void crooked(double *x)\n"
                             "{\n"
                             "  *x = one() +;\n"
                             "}\n";
  static const char *const options[] = {"verbose=0", "cache_size=0"}; /* kept in the cache, or in TMPDIR */
  for (int i = 0; i < 2; i++) {
    const pl_kernel_options where = {.file = "mine.c", .line = 40};
    const pl_kernel *kernel;
    bench b = open_bench(options[i]);
    OK(pl_kernel_from_source(b.pl, "crooked", text, &where, &kernel));
    CU_ASSERT_EQUAL(run(&b, kernel), PL_ERR_COMPILE);
    char *message = strdup(pl_errmsg(b.pl));
    expect_place(message, "mine.c", 43);
    EXPECT_WORDS(message, "crooked", "expected expression", "command: ", "-shared");
    CU_ASSERT_EQUAL(run(&b, seven), PL_SUCCESS);
    pl_finalize(&b.pl);
    expect_kept_source(message, "one() +;");
    free(message);
  }
}

/* The program's compiler knows this type, Plait's does not. */
typedef double own_real;

enum { OWN_TYPE_LINE = __LINE__ + 1 };
PL_KERNEL(own_type, (double *x), {
  *x = 1;
  own_real y = *x; /* two lines below the first */
  *x += y;
})

static void test_unknown_type_in_kernel(void)
{
  bench b = open_bench(NULL);
  CU_ASSERT_EQUAL(run(&b, own_type), PL_ERR_COMPILE);
  char *message = strdup(pl_errmsg(b.pl));
  expect_place(message, "test_compiler.c", OWN_TYPE_LINE + 2);
  EXPECT_WORDS(message, "own_type", "own_real", "command: ");
  CU_ASSERT_EQUAL(pl_dat_version(b.dat), 0);
  pl_finalize(&b.pl);
  expect_kept_source(message, "own_real");
  free(message);
}

/* A function that only the program defines: an error when the code is loaded. */
static double own_helper(void)
{
  return 5;
}

PL_KERNEL(own_call, (double *x), { *x = own_helper(); })

static void test_unknown_function_in_kernel(void)
{
  bench b = open_bench(NULL);
  CU_ASSERT_EQUAL(run(&b, own_call), PL_ERR_COMPILE);
  char *message = strdup(pl_errmsg(b.pl));
  EXPECT_WORDS(message, "own_call", "own_helper");
  pl_finalize(&b.pl);
  expect_kept_source(message, "own_helper");
  free(message);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL), 0);
}

static CU_TestInfo tests[] = {
  {"no compiler", test_missing},
  {"a compiler that cannot be run", test_not_executable},
  {"jit=off gives the same results", test_off},
  {"a text needs a compiler", test_text_without_compiler},
  {"broken compilers", test_broken},
  {"a compiler that builds another library", test_other_library},
  {"a compiler that is repaired", test_repaired},
  {"a compiler that cannot compile quickly", test_never_quick},
  {"an operation of the library", test_operation},
  {"a syntax error in a text", test_syntax_error_in_text},
  {"an unknown type in a kernel", test_unknown_type_in_kernel},
  {"an unknown function in a kernel", test_unknown_function_in_kernel},
  CU_TEST_INFO_NULL,
};

int main(void)
{
  sandbox_clear_options();
  return sandbox_main("compiler", tests);
}
