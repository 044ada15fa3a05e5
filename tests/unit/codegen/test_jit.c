/* SPDX-License-Identifier: BSD-2-Clause
 * Compilation of sources and reuse of the code: in memory, from the disk cache, among processes and threads,
 * and when allocations fail.
 */
#include "jit_fixture.h"
#include "failing_memory.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void test_memory(void)
{
  pl_code *first, *second;
  jit_context b = open_jit(NULL, NULL);
  CU_ASSERT_FALSE(sandbox_exists(sandbox_cache)); /* opening creates no folder */
  CU_ASSERT_PTR_NULL(pl_jit_unavailable(b.jit));
  OK(pl_jit_get(b.jit, &forty_two, &first));
  CU_ASSERT_EQUAL(call_answer(first), 42);
  CU_ASSERT_PTR_NULL(pl_code_symbol(first, "question"));
  char text[64];
  snprintf(text, sizeof text, "%s", forty_two.text);
  const pl_jit_source again = {.label = "another label", .text = text};
  OK(pl_jit_get(b.jit, &again, &second));
  CU_ASSERT_PTR_EQUAL(first, second);
  CU_ASSERT_EQUAL(b.pl->stats.codes_compiled, 1);
  CU_ASSERT_EQUAL(b.pl->stats.codes_memory, 1);
  CU_ASSERT_EQUAL(b.pl->stats.codes_disk, 0);
  CU_ASSERT_EQUAL(b.pl->stats.compiler_runs, 1);
  CU_ASSERT(b.pl->stats.compile_seconds > 0);
  close_jit(&b);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_temporary, "", NULL), 0);
}

static void test_disk(void)
{
  struct stat info;
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT(!stat(sandbox_cache, &info) && (info.st_mode & 0777) == 0700);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".plait-", NULL), 0);
  jit_context b = open_jit(NULL, NULL);
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
  CU_ASSERT_EQUAL(b.pl->stats.compiler_runs, 0);
  CU_ASSERT_EQUAL(b.pl->stats.codes_disk, 1);
  close_jit(&b);
}

/* All that changes the binary changes the key. */
static void test_key(void)
{
  int runs;
  const pl_jit_source flagged = {.label = "answer", .text = "int answer(void) { return ANSWER; }\n"};
  CU_ASSERT_EQUAL(fresh_answer(&flagged, "cflags=-DANSWER=1", NULL, &runs), 1);
  CU_ASSERT_EQUAL(fresh_answer(&flagged, "cflags=-DANSWER=2", NULL, &runs), 2);
  CU_ASSERT_EQUAL(runs, 1);
  CU_ASSERT_EQUAL(fresh_answer(&flagged, "cflags=-DANSWER=1", NULL, &runs), 1);
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(fresh_answer(&flagged, "cflags=-DANSWER=1", "debug=1", &runs), 1);
  CU_ASSERT_EQUAL(runs, 1);
  CU_ASSERT_EQUAL(fresh_answer(&flagged, "cflags=-DANSWER=1", "ldflags=-g", &runs), 1);
  CU_ASSERT_EQUAL(runs, 1);
  jit_context b = open_jit(NULL, NULL);
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
  CU_ASSERT_EQUAL(pl_set_option(b.pl, "reproducible", "1"), PL_SUCCESS);
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
  CU_ASSERT_EQUAL(b.pl->stats.codes_compiled, 2);
  close_jit(&b);
}

/* The content of the compiler's file is part of the key. */
static void test_key_compiler(void)
{
  int runs;
  const char *option = script_option("mycc", "#!/bin/sh\nexec cc \"$@\"\n");
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, option, NULL, NULL), 42);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, option, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 0);
  sandbox_script("mycc", "#!/bin/sh\n\nexec cc \"$@\"\n");
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, option, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 1);
}

/* A header of an hour ago: one that is newer than the compiler's start is not trusted. */
static void write_header(const char *name, const char *text, int value)
{
  char line[PATH_MAX + 64];
  const struct timespec then = {.tv_sec = time(NULL) - 3600 + value};
  snprintf(line, sizeof line, text, value);
  const char *path = sandbox_script(name, line);
  CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, (const struct timespec[2]){then, then}, 0), 0);
}

/* Ways to include answer.h; %s is the test's folder. */
static const struct include_way {
  const char *text, *flags, *variable;
} include_ways[] = {
  {.text = "  # include \"%s/answer.h\"\n"},
  {.text = "#import \"%s/answer.h\"\n"},
  {.text = "#include /* here: */ \"%s/answer.h\"\n"},
  {.text = "/* first */ #include \"%s/answer.h\"\n"},
  {.text = "#inc\\\nlude \"%s/answer.h\"\n"},
  {.text = "%%:include \"%s/answer.h\"\n"},
  {.text = "#include <%s/answer.h>\n"},
  {.text = "#define HEADER \"%s/answer.h\"\n#include HEADER\n"},
  {.text = "#include \"%s/outer # $.h\"\n"},
  {.text = "#include <answer.h>\n", .flags = "-I%s"},
  {.text = "#include <answer.h>\n", .flags = "-isystem %s"},
  {.text = "#include <answer.h>\n", .flags = "@%s/flags"},
  {.text = "", .flags = "--include=%s/answer.h"},
  {.text = "", .flags = "-include %s/answer.h"},
  {.text = "#include <answer.h>\n", .variable = "CPATH"},
  {.text = "#include <answer.h>\n", .variable = "C_INCLUDE_PATH"},
};

static void expect_followed(const struct include_way *way)
{
  char text[PATH_MAX + 128], flags[PATH_MAX + 64] = "cflags=";
  int length = snprintf(text, sizeof text, way->text, sandbox_folder), runs;
  snprintf(text + length, sizeof text - (size_t)length, "int answer(void) { return ANSWER; }\n");
  if (way->flags) snprintf(flags + 7, sizeof flags - 7, way->flags, sandbox_folder);
  if (way->variable) setenv(way->variable, sandbox_folder, 1);
  const pl_jit_source source = {.label = "answer", .text = text};
  for (int value = 5; value < 7; value++) {
    write_header("answer.h", "#define ANSWER %d\n", value);
    int first = fresh_answer(&source, flags, NULL, NULL), second = fresh_answer(&source, flags, NULL, &runs);
    if (first != value || second != value || runs) fprintf(stderr, "%s%s: %d runs\n", text, flags, runs);
    CU_ASSERT(first == value && second == value && !runs);
  }
  if (way->variable) unsetenv(way->variable);
}

/* Code is compiled again if a file that it includes has changed, and only then. */
static void test_headers(void)
{
  char line[PATH_MAX + 32];
  snprintf(line, sizeof line, "-I%s\n", sandbox_folder);
  sandbox_script("flags", line);
  snprintf(line, sizeof line, "#include \"%s/answer.h\"\n", sandbox_folder);
  write_header("outer # $.h", line, 0);
  for (size_t i = 0; i < sizeof include_ways / sizeof *include_ways; i++) expect_followed(&include_ways[i]);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_temporary, "", NULL), 0);
}

/* A header that changes while the compiler runs, or a compiler that does not tell what it reads. */
static void test_untold_headers(void)
{
  char text[PATH_MAX + 128], script[2 * PATH_MAX];
  int runs;
  snprintf(text, sizeof text, "#include \"%s/answer.h\"\nint answer(void) { return ANSWER; }\n",
           sandbox_folder);
  const pl_jit_source source = {.label = "answer", .text = text};
  snprintf(script, sizeof script, "#!/bin/sh\ncc \"$@\" && echo '#define ANSWER 6' >'%s/answer.h'\n",
           sandbox_folder);
  const char *option = script_option("slowcc", script);
  write_header("answer.h", "#define ANSWER %d\n", 5);
  CU_ASSERT_EQUAL(fresh_answer(&source, option, NULL, NULL), 5);
  CU_ASSERT_EQUAL(fresh_answer(&source, option, NULL, NULL), 6);
  option =
    script_option("silentcc", "#!/bin/sh\nwhile [ \"$1\" != -MF ]; do a=\"$a $1\"; shift; done; shift 2\n"
                              "exec cc ${a% -MD} \"$@\"\n");
  for (int i = 0; i < 2; i++) {
    CU_ASSERT_EQUAL(fresh_answer(&forty_two, option, NULL, &runs), 42);
    CU_ASSERT_EQUAL(runs, 1);
  }
}

/* -ffast-math links code that switches denormals off when it is loaded. */
static void test_float_environment(void)
{
  volatile double tiny = 1e-310;
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, "cflags=-ffast-math", NULL, NULL), 42);
  CU_ASSERT(tiny * 0.5 != 0.0);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, "cflags=-ffast-math", NULL, NULL), 42); /* from the disk cache */
  CU_ASSERT(tiny * 0.5 != 0.0);
}

static void test_cpp(void)
{
  const pl_jit_source source = {.label = "answer",
                                .text = "template <class T> static T twice(T x) { return x + x; }\nextern "
                                        "\"C\" int answer(void) { return twice(21); }\n",
                                .cpp = 1};
  CU_ASSERT_EQUAL(fresh_answer(&source, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL(fresh_answer(&source, "cc=env gcc", NULL, NULL), 42);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_path(sandbox_cache, "src"), ".cpp", NULL), 2);
}

static void test_off(void)
{
  jit_context b = open_jit("jit=off", NULL);
  pl_code *code = (pl_code *)&b;
  CONTAINS(pl_jit_unavailable(b.jit), "PLAIT_JIT");
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &forty_two, &code), PL_ERR_STATE);
  CU_ASSERT_PTR_NULL(code);
  CONTAINS(pl_errmsg(b.pl), "PLAIT_JIT=off");
  CU_ASSERT_EQUAL(b.pl->stats.compiler_runs, 0);
  close_jit(&b);
  CU_ASSERT_FALSE(sandbox_exists(sandbox_cache));
}

static void test_link(void)
{
  const char *const found[] = {"-lm", NULL}, *const lost[] = {"-lplait-no-such-library", NULL};
  pl_jit_source source = {
    .label = "answer",
    .text = "double cbrt(double); int answer(void) { volatile double x = 27; return cbrt(x) + .5; }\n",
    .link_args = found};
  CU_ASSERT_EQUAL(fresh_answer(&source, NULL, NULL, NULL), 3);
  jit_context b = open_jit(NULL, NULL);
  pl_code *code;
  source.link_args = lost;
  FAILS_IN(b.pl, pl_jit_get(b.jit, &source, &code), PL_ERR_COMPILE, "plait-no-such-library");
  const pl_jit_source open_end = {
    .label = "answer", .text = "int plait_nowhere(void); int answer(void) { return plait_nowhere(); }\n"};
  FAILS_IN(b.pl, pl_jit_get(b.jit, &open_end, &code), PL_ERR_COMPILE, "plait_nowhere");
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42); /* a failure does not prevent later compilations */
  close_jit(&b);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL),
                  2); /* a library that does not load is not cached */
}

/* ---- in the background ---- */

static void wait_a_little(void)
{
  nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* A compilation that has ended when its context closes is in the cache. */
static void test_background_stored(void)
{
  int runs;
  jit_context b = open_jit(NULL, NULL);
  OK(pl_jit_begin(b.jit, &forty_two));
  while (pl_jit_busy(b.jit)) wait_a_little();
  close_jit(&b);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_temporary, "", NULL), 0);
}

/* Whether a process runs; one that has ended may still be listed. */
static bool is_running(long process)
{
  char path[64], state = 'Z';
  snprintf(path, sizeof path, "/proc/%ld/stat", process);
  FILE *file = fopen(path, "r");
  if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = 'Z';
  if (file) fclose(file);
  return state != 'Z' && state != 'X';
}

/* A compilation that still runs is stopped with its children, such as gcc's cc1. */
static void test_background_stopped(void)
{
  char text[2 * PATH_MAX];
  snprintf(text, sizeof text, "#!/bin/sh\nsleep 100 &\necho $! >'%s.new'\nmv '%s.new' '%s'\nwait\n",
           sandbox_path(sandbox_folder, "child"), sandbox_path(sandbox_folder, "child"),
           sandbox_path(sandbox_folder, "child"));
  jit_context b = open_jit(script_option("slowcc", text), NULL);
  OK(pl_jit_begin(b.jit, &forty_two));
  while (!sandbox_exists(sandbox_path(sandbox_folder, "child"))) wait_a_little();
  char *child = sandbox_read(sandbox_path(sandbox_folder, "child"), NULL);
  CU_ASSERT(pl_jit_busy(b.jit) && is_running(atol(child)));
  close_jit(&b);
  for (int i = 0; i < 500 && is_running(atol(child)); i++) wait_a_little();
  CU_ASSERT_FALSE(is_running(atol(child)));
  CU_ASSERT_EQUAL(sandbox_count(sandbox_temporary, "", NULL), 0);
  free(child);
}

/* ---- races ---- */

enum { RACERS = 4 };

/* Waits until the other end of the pipe is closed, so that all start together. */
static int race(int gate)
{
  char byte;
  while (read(gate, &byte, 1) > 0) continue;
  jit_context b = open_jit_with(NULL, NULL, (const char *const[4]){NULL});
  int wrong = !b.jit || answer_of(&b, &table) != 1 || answer_of(&b, &forty_two) != 42;
  close_jit(&b);
  return wrong;
}

static void expect_one_of_each(void)
{
  int runs;
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL), 2);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".plait-", NULL), 0);
  CU_ASSERT_EQUAL(fresh_answer(&table, NULL, NULL, &runs), 1);
  CU_ASSERT_EQUAL(runs, 0);
}

static void test_processes(void)
{
  int gate[2];
  pid_t children[RACERS];
  CU_ASSERT_EQUAL_FATAL(pipe(gate), 0);
  for (int i = 0; i < RACERS; i++) {
    children[i] = fork();
    if (children[i]) continue;
    close(gate[1]);
    _exit(race(gate[0]));
  }
  close(gate[0]);
  close(gate[1]);
  for (int i = 0; i < RACERS; i++) {
    int status = -1;
    waitpid(children[i], &status, 0);
    CU_ASSERT_EQUAL(status, 0);
  }
  expect_one_of_each();
}

static void *race_in_thread(void *gate)
{
  return (void *)(intptr_t)race(*(int *)gate);
}

static void test_threads(void)
{
  int gate[2];
  pthread_t threads[RACERS];
  CU_ASSERT_EQUAL_FATAL(pipe(gate), 0);
  for (int i = 0; i < RACERS; i++)
    CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, race_in_thread, &gate[0]), 0);
  close(gate[1]);
  for (int i = 0; i < RACERS; i++) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    CU_ASSERT_PTR_NULL(wrong);
  }
  close(gate[0]);
  expect_one_of_each();
}

/* Compiles or loads with the n-th allocation failing, then once more without; false if none failed. */
static bool fails_once(long n, const char *option, const pl_jit_source *source)
{
  static failing_memory memory; /* large */
  failing_memory_open(&memory);
  failing_memory_start(&memory, n, false);
  pl_code *code = NULL;
  jit_context b = open_jit_with(failing_realloc, &memory, (const char *const[4]){option});
  pl_err err = b.jit ? pl_jit_get(b.jit, source, &code) : PL_ERR_MEMORY;
  const bool failed = memory.failed;
  CU_ASSERT(err == PL_SUCCESS || (err == PL_ERR_MEMORY && memory.failed == 1));
  CU_ASSERT_EQUAL(err == PL_SUCCESS, code != NULL);
  if (code) CU_ASSERT_EQUAL(call_answer(code), 1);
  if (b.jit) { /* the next attempt succeeds */
    failing_memory_stop(&memory);
    CU_ASSERT_EQUAL(pl_jit_get(b.jit, source, &code), PL_SUCCESS);
    if (code) CU_ASSERT_EQUAL(call_answer(code), 1);
  }
  close_jit(&b);
  CU_ASSERT_EQUAL(memory.bytes, 0);
  CU_ASSERT_STRING_EQUAL(memory.complaint, "");
  failing_memory_close(&memory);
  return failed;
}

static void test_allocations(void)
{
  const char *option = quick_compiler();
  int n = 0, compiled;
  for (bool done = false; !done && n < 1000; n++) {
    sandbox_remove(sandbox_cache);
    done = !fails_once(n, option, &table);
  }
  compiled = n;
  CU_ASSERT(compiled > 20 && compiled < 1000);
  for (n = 0; n < 1000 && fails_once(n, option, &table); n++) continue; /* now from the disk cache */
  CU_ASSERT(n > 20 && n < compiled);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_temporary, "", NULL), 0);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".plait-", NULL), 0);
}

static CU_TestInfo tests[] = {{"the same text is compiled once in a context", test_memory},
                              {"a second context starts no compiler", test_disk},
                              {"flags and options are part of the key", test_key},
                              {"the compiler's file is part of the key", test_key_compiler},
                              {"included files that change", test_headers},
                              {"included files that are not known", test_untold_headers},
                              {"loading code keeps denormals", test_float_environment},
                              {"C++ is compiled by the matching C++ compiler", test_cpp},
                              {"jit=off", test_off},
                              {"link arguments", test_link},
                              {"compiled in the background", test_background_stored},
                              {"stopped in the background", test_background_stopped},
                              {"processes that race", test_processes},
                              {"threads that race", test_threads},
                              {"every allocation fails in turn", test_allocations},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return sandbox_main("jit", tests);
}
