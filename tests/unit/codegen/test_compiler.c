/* SPDX-License-Identifier: BSD-2-Clause
 * Starting the compiler: its command, its failures and messages, and the signals that it inherits.
 */
#include "jit_fixture.h"
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void test_words(void)
{
  int runs;
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, "cc=  env   A=b cc ", NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 1);
  jit_context b = open_jit("cc=env no-such-compiler", NULL);
  pl_code *code;
  FAILS_IN(b.pl, pl_jit_get(b.jit, &forty_two, &code), PL_ERR_COMPILE, "no-such-compiler");
  close_jit(&b);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, "cflags= -DA -DB='$(false)' ", NULL, NULL),
                  42); /* no shell expands it */
}

/* A pair that is exact without contraction; and products without a pair. */
static const pl_jit_source pair = {
  .label = "pair",
  .text = "__attribute__((noinline)) static void run(double *__restrict z, const double *__restrict x)\n"
          "{\n  z[0] = x[0] * x[2] - x[4];\n  z[1] = x[1] * x[3] + x[5];\n}\n"
          "int answer(void)\n{\n  volatile double u = 1.0 + 1.0 / (1 << 30);\n"
          "  const double s = u * u, x[6] = {u, u, u, u, s, -s};\n  double z[2];\n  run(z, x);\n"
          "  return z[0] == 0.0 && z[1] == 0.0 ? 42 : 0;\n}\n"};
static const pl_jit_source no_pair = {
  .label = "single", .text = "int answer(void) { volatile double u = 21.0; return (int)(u * 2.0); }\n"};

/* Runs the source and the one without a pair in two contexts, with gcc and additional flags; returns the
 * arguments of all compilations. */
static char *compile_arguments(const pl_jit_source *source, const char *flags)
{
  char text[2 * PATH_MAX];
  const char *log = sandbox_path(sandbox_folder, "arguments");
  sandbox_remove(sandbox_cache);
  sandbox_remove(log);
  snprintf(text, sizeof text, "#!/bin/sh\necho \"$@\" >>'%s'\nexec gcc \"$@\" %s\n", log, flags);
  const char *option = script_option("gcc", text);
  CU_ASSERT_EQUAL(fresh_answer(source, option, NULL, NULL), 42);
  CU_ASSERT_EQUAL(fresh_answer(&no_pair, option, NULL, NULL), 42);
  return sandbox_read(sandbox_path(sandbox_folder, "arguments"), NULL);
}

static int count_words(const char *text, const char *word)
{
  int n = 0;
  for (const char *p = text; (p = strstr(p, word)); p += strlen(word)) n++;
  return n;
}

/* The probe is compiled once, beside the first source, which is reported on. Only if the probe finds
 * contraction does the compiler report pairs of other sources, and only a source with a pair is compiled
 * again, without FMA.
 */
static void test_contraction(void)
{
  const char *given = getenv("PLAIT_CFLAGS");
  bool optimises = !given || !strstr(given, "-O0"); /* without optimization nothing is contracted */
  bool x86 = optimises && !system("gcc -dumpmachine 2>/dev/null | grep -q '^x86_64'");
  bool fma = x86 && !system("grep -qw fma /proc/cpuinfo");
  char *exact = compile_arguments(&pair, "-mno-fma -mno-avx512f");
  CU_ASSERT_EQUAL(count_words(exact, "contraction-"), x86 ? 1 : 0);
  CU_ASSERT_EQUAL(count_words(exact, "-fdump-tree-optimized="), x86 ? 1 : 0);
  CU_ASSERT_EQUAL(count_words(exact, " -o "), x86 ? 3 : 2);
  free(exact);
  if (!fma) return;
  char *pairs = compile_arguments(&pair, "-ffp-contract=fast");
  CU_ASSERT_EQUAL(count_words(pairs, "contraction-"), 1);
  CU_ASSERT_EQUAL(count_words(pairs, "-fdump-tree-optimized="), 3);
  CU_ASSERT_EQUAL(count_words(pairs, "-mno-fma -mno-avx512f"), 1);
  CU_ASSERT_EQUAL(count_words(pairs, "pair-"), 3); /* in the background, again with a report, without FMA */
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".plait-", NULL), 0);
  free(pairs);
}

/* The compilation fails with `code` and a message that contains all of the `parts`, and leaves no file. */
static void expect_failure(const char *option, pl_err code, const char *const parts[])
{
  jit_context b = open_jit(option, NULL);
  pl_code *got = (pl_code *)&b;
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &forty_two, &got), code);
  CU_ASSERT_PTR_NULL(got);
  for (; *parts; parts++) {
    if (!strstr(pl_errmsg(b.pl), *parts)) fprintf(stderr, "no \"%s\" in: %s\n", *parts, pl_errmsg(b.pl));
    CONTAINS(pl_errmsg(b.pl), *parts);
  }
  close_jit(&b);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL), 0);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".plait-", NULL), 0);
}

static void test_missing_compiler(void)
{
  static const char *const parts[] = {"answer", "/no/such/cc", "PLAIT_CC", "PLAIT_JIT=off", NULL};
  jit_context b = open_jit("cc=/no/such/cc", NULL);
  CU_ASSERT_PTR_NOT_NULL(pl_jit_unavailable(b.jit));
  close_jit(&b);
  expect_failure("cc=/no/such/cc", PL_ERR_STATE, parts);
  expect_failure("cc=/no/such/cc -O1", PL_ERR_STATE, parts);
}

static void test_broken_compilers(void)
{
  static const struct {
    const char *text, *parts[4];
  } cases[] = {
    {"#!/bin/sh\necho 'answer.c:2: error: no'\nexit 3\n",
     {"exit status 3", "answer.c:2: error: no", "command: ", NULL}},
    {"#!/bin/sh\necho to stderr >&2; kill -9 $$\n", {"signal 9", "to stderr", NULL}},
    {"#!/bin/sh\nexit 0\n", {"no shared library", NULL}},
    {"#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done; : >\"$2\"\n", {"no shared library", NULL}},
    {"#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done; echo garbage >\"$2\"\n",
     {"no shared library", NULL}},
    {"#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done; mkdir \"$2\"; rmdir \"$2\"\n",
     {"no shared library", NULL}},
    {"#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done; head -c 3000 \"$(command -v cc)\" >\"$2\"\n",
     {"no shared library", NULL}},
    {"#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done; (printf '\\177ELF'; head -c 9000 /dev/zero) "
     ">\"$2\"\n",
     {"no shared library", NULL}},
    {"#!/no/such/interpreter\n", {"the compiler", "command: ", NULL}},
    {"", {"could not be started", NULL}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_failure(script_option("badcc", cases[i].text), PL_ERR_COMPILE, cases[i].parts);
}

static void test_removed_compiler(void)
{
  jit_context b = open_jit(script_option("goodcc", "#!/bin/sh\nexec cc \"$@\"\n"), NULL);
  pl_code *code;
  CU_ASSERT_EQUAL(unlink(sandbox_path(sandbox_folder, "goodcc")), 0);
  FAILS_IN(b.pl, pl_jit_get(b.jit, &forty_two, &code), PL_ERR_COMPILE, "could not be started");
  sandbox_script("goodcc", "#!/bin/sh\nexec cc \"$@\"\n");
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
  close_jit(&b);
}

/* Only the first messages are shown, however many there are. */
static void test_long_messages(void)
{
  const char *option = script_option(
    "badcc", "#!/bin/sh\ni=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line-$i; done; exit 1\n");
  jit_context b = open_jit(option, NULL);
  pl_code *code;
  FAILS_IN(b.pl, pl_jit_get(b.jit, &forty_two, &code), PL_ERR_COMPILE, "line-10\n");
  CU_ASSERT_PTR_NULL(strstr(pl_errmsg(b.pl), "line-11\n"));
  CONTAINS(pl_errmsg(b.pl), "\ncommand: ");
  close_jit(&b);
}

static void expect_kept_source(const char *message, const pl_jit_source *source)
{
  const char *at = strstr(message, "kept in ");
  CU_ASSERT_PTR_NOT_NULL_FATAL(at);
  char *text = sandbox_read(at + strlen("kept in "), NULL);
  CU_ASSERT_STRING_EQUAL(text, source->text);
  free(text);
}

static void test_syntax_error(void)
{
  const pl_jit_source source = {.label = "res/calc",
                                .text = "#line 7 \"kernels.h\"\nint answer(void) { return }\n"};
  const char *const options[] = {NULL, "cache_size=0"};
  for (int i = 0; i < 2; i++) {
    jit_context b = open_jit(options[i], NULL);
    pl_code *code;
    CU_ASSERT_EQUAL(pl_jit_get(b.jit, &source, &code), PL_ERR_COMPILE);
    CU_ASSERT_PTR_NULL(code);
    CONTAINS(pl_errmsg(b.pl), "\"res/calc\"");
    CONTAINS(pl_errmsg(b.pl), "kernels.h:7:");
    CONTAINS(pl_errmsg(b.pl), "-shared");
    char *message = strdup(pl_errmsg(b.pl));
    CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
    close_jit(&b);
    expect_kept_source(message, &source); /* the source is readable after the context is closed, in the cache
                                             and in the temporary folder */
    free(message);
  }
}

static void test_debug(void)
{
  char name[NAME_MAX + 1];
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, "debug=1", NULL, NULL), 42);
  CU_ASSERT_EQUAL_FATAL(sandbox_count(sandbox_path(sandbox_cache, "src"), "answer-", name), 1);
  char *text = sandbox_read(sandbox_path(sandbox_path(sandbox_cache, "src"), name), NULL);
  CU_ASSERT_STRING_EQUAL(text, forty_two.text);
  free(text);
}

/* The signal mask `name` in a text of /proc/self/status; all ones if it is missing. */
static unsigned long long mask_in(const char *text, const char *name)
{
  const char *at = strstr(text, name);
  return at ? strtoull(at + strlen(name), NULL, 16) : ~0ull;
}

/* The program ignores SIGCHLD, so a child leaves no exit status; the compiler must still be able to wait for
 * its own children. The second "compiler" prints the signal masks that it was started with. */
static void test_signals(void)
{
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  struct sigaction child, pipe;
  sigset_t all, mask;
  pl_code *code;
  sigfillset(&all);
  sigaction(SIGCHLD, &ignore, &child);
  sigaction(SIGPIPE, &ignore, &pipe);
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  sandbox_remove(sandbox_cache);
  jit_context b = open_jit("cc=grep -s -h -e Sig /proc/self/status --", NULL);
  FAILS_IN(b.pl, pl_jit_get(b.jit, &forty_two, &code), PL_ERR_COMPILE, "no shared library");
  CU_ASSERT_EQUAL(mask_in(pl_errmsg(b.pl), "SigBlk:"), 0);
  CU_ASSERT_EQUAL(mask_in(pl_errmsg(b.pl), "SigIgn:") & (1ull << (SIGCHLD - 1) | 1ull << (SIGPIPE - 1)), 0);
  close_jit(&b);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGPIPE, &pipe, NULL);
  sigaction(SIGCHLD, &child, NULL);
}

static CU_TestInfo tests[] = {{"cc may be several words, read by no shell", test_words},
                              {"the probe for contraction decides the flags", test_contraction},
                              {"a missing compiler", test_missing_compiler},
                              {"broken compilers", test_broken_compilers},
                              {"a compiler that is removed after the start", test_removed_compiler},
                              {"long messages are cut", test_long_messages},
                              {"a syntax error names its line and keeps the source", test_syntax_error},
                              {"debug keeps the source", test_debug},
                              {"signals ignored and blocked", test_signals},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return sandbox_main("compiler", tests);
}
