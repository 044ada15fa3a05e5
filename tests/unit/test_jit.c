/* SPDX-License-Identifier: BSD-2-Clause
 * The way from text to running code: compiler, disk cache, ladder, and everything that can go wrong with
 * them. Each test works in a fresh folder and leaves nothing behind; the user's own cache is never touched.
 */
#define _GNU_SOURCE /* memmem */
#include "codegen/jit.h"
#include "core/context.h"
#include <CUnit/Basic.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- a backend that does nothing ---- */

static pl_err idle_open(pl_context *pl, void **state)
{
  (void)pl, *state = NULL;
  return PL_SUCCESS;
}

static void idle_close(pl_context *pl)
{
  (void)pl;
}

static const pl_backend idle = {.name = "seq", .open = idle_open, .close = idle_close};
static const pl_backend *const backends[] = {&idle, NULL};

/* ---- folders and files ---- */

static char base[64];       /* of this program */
static char room[128];      /* of the running test */
static char shared[160];    /* its cache folder, "cache=" option */
static char temporary[160]; /* its TMPDIR */

static const char *in(const char *folder, const char *name)
{
  static char paths[8][PATH_MAX];
  static int next;
  char path[PATH_MAX]; /* `folder` may be one of them */
  snprintf(path, sizeof path, "%.*s/%s", PATH_MAX - 300, folder, name);
  return memcpy(paths[next++ % 8], path, sizeof path);
}

static void remove_tree(const char *path)
{
  DIR *folder = opendir(path);
  for (struct dirent *file; folder && (file = readdir(folder));) {
    if (!strcmp(file->d_name, ".") || !strcmp(file->d_name, "..")) continue;
    char inner[2 * PATH_MAX];
    struct stat info;
    snprintf(inner, sizeof inner, "%s/%s", path, file->d_name);
    if (!lstat(inner, &info) && S_ISDIR(info.st_mode)) remove_tree(inner);
    unlink(inner);
  }
  if (folder) closedir(folder);
  rmdir(path);
}

static void write_file(const char *path, const void *bytes, size_t size, int mode)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  CU_ASSERT_FATAL(fd >= 0);
  CU_ASSERT_EQUAL_FATAL(write(fd, bytes, size), (ssize_t)size);
  CU_ASSERT_EQUAL(fchmod(fd, (mode_t)mode), 0);
  close(fd);
}

static char *read_file(const char *path, size_t *size)
{
  struct stat info;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  CU_ASSERT_FATAL(fd >= 0 && !fstat(fd, &info));
  char *bytes = calloc(1, (size_t)info.st_size + 1);
  CU_ASSERT_EQUAL_FATAL(read(fd, bytes, (size_t)info.st_size), info.st_size);
  close(fd);
  if (size) *size = (size_t)info.st_size;
  return bytes;
}

static bool exists(const char *path)
{
  struct stat info;
  return !lstat(path, &info);
}

/* How many names of a folder contain `part`; the last of them in `last`, if not NULL. */
static int count_files(const char *path, const char *part, char *last)
{
  int n = 0;
  DIR *folder = opendir(path);
  for (struct dirent *file; folder && (file = readdir(folder));) {
    if (!strcmp(file->d_name, ".") || !strcmp(file->d_name, "..") || !strstr(file->d_name, part)) continue;
    n++;
    if (last) snprintf(last, NAME_MAX + 1, "%s", file->d_name);
  }
  if (folder) closedir(folder);
  return n;
}

/* The path of the only entry of the cache. */
static const char *only_entry(void)
{
  char name[NAME_MAX + 1];
  CU_ASSERT_EQUAL_FATAL(count_files(shared, ".so", name), 1);
  return in(shared, name);
}

static const char *script(const char *name, const char *text)
{
  const char *path = in(room, name);
  write_file(path, text, strlen(text), 0755);
  return path;
}

static void set_up(void)
{
  static int n;
  snprintf(room, sizeof room, "%s/%d", base, n++);
  snprintf(shared, sizeof shared, "%s/cache", room);
  snprintf(temporary, sizeof temporary, "%s/tmp", room);
  mkdir(room, 0755);
  mkdir(temporary, 01777);
  chmod(temporary, 01777);
  setenv("TMPDIR", temporary, 1);
}

static void tear_down(void)
{
  remove_tree(room);
}

/* ---- contexts ---- */

typedef struct bench {
  pl_context *pl;
  pl_jit *jit;
} bench;

/* A context and its ladder with the test's cache and up to four more options. */
static bench open_bench_with(pl_realloc_fn allocate, void *user, const char *const extra[4])
{
  bench b = {NULL, NULL};
  char folder[256];
  snprintf(folder, sizeof folder, "cache_dir=%s", shared);
  const char *options[] = {"backend=seq", folder, extra[0], extra[1], extra[2], extra[3], NULL};
  const pl_settings settings = {.options = options, .realloc = allocate, .realloc_user = user};
  if (!pl_context_open(NULL, NULL, &settings, backends, &b.pl)) pl_jit_open(b.pl, &b.jit);
  return b;
}

static bench open_bench(const char *a, const char *b)
{
  bench opened = open_bench_with(NULL, NULL, (const char *const[4]){a, b, NULL, NULL});
  CU_ASSERT_PTR_NOT_NULL_FATAL(opened.jit);
  return opened;
}

static void close_bench(bench *b)
{
  pl_jit_close(&b->jit);
  pl_finalize(&b->pl);
}

static const pl_jit_source forty_two = {.label = "answer", .text = "int answer(void)\n{\n  return 42;\n}\n"};

static int call(pl_code *code)
{
  int (*answer)(void);
  void *symbol = pl_code_symbol(code, "answer");
  memcpy(&answer, &symbol, sizeof answer);
  return answer ? answer() : -1;
}

static int answer_of(bench *b, const pl_jit_source *source)
{
  pl_code *code;
  pl_err err = pl_jit_get(b->jit, source, &code);
  if (err) fprintf(stderr, "%s\n", pl_errmsg(b->pl));
  return err ? -2 : call(code);
}

/* One fresh context asks for the source; its answer, and how many compilers ran. */
static int fresh_answer(const pl_jit_source *source, const char *a, const char *b, int *runs)
{
  bench fresh = open_bench(a, b);
  int answer = answer_of(&fresh, source);
  if (runs) *runs = (int)fresh.pl->stats.compiler_runs;
  close_bench(&fresh);
  return answer;
}

/* stderr goes to a file from here to stop_listening, which hands its text back. */
static int listen_at(void)
{
  fflush(stderr);
  int before = dup(2), fd = open(in(room, "stderr"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  dup2(fd, 2);
  close(fd);
  return before;
}

static char *stop_listening(int before)
{
  fflush(stderr);
  dup2(before, 2);
  close(before);
  return read_file(in(room, "stderr"), NULL);
}

/* Runs `body` in a child as an ordinary user, for whom permissions count even if this program is root's. */
static void as_ordinary_user(int (*body)(void))
{
  pid_t child = fork();
  if (!child) {
    if (!geteuid() && (setgid(65534) || setuid(65534))) _exit(100);
    _exit(body());
  }
  int status = 0;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT(WIFEXITED(status));
  CU_ASSERT_EQUAL(WEXITSTATUS(status), 0);
}

/* ---- the ladder ---- */

static void test_memory(void)
{
  pl_code *first, *second;
  bench b = open_bench(NULL, NULL);
  CU_ASSERT_FALSE(exists(shared)); /* opening makes nothing */
  CU_ASSERT_PTR_NULL(pl_jit_unavailable(b.jit));
  CU_ASSERT_EQUAL_FATAL(pl_jit_get(b.jit, &forty_two, &first), PL_SUCCESS);
  CU_ASSERT_EQUAL(call(first), 42);
  CU_ASSERT_PTR_NULL(pl_code_symbol(first, "question"));
  char text[64];
  snprintf(text, sizeof text, "%s", forty_two.text);
  const pl_jit_source again = {.label = "another label", .text = text};
  CU_ASSERT_EQUAL_FATAL(pl_jit_get(b.jit, &again, &second), PL_SUCCESS);
  CU_ASSERT_PTR_EQUAL(first, second);
  CU_ASSERT_EQUAL(b.pl->stats.codes_compiled, 1);
  CU_ASSERT_EQUAL(b.pl->stats.codes_memory, 1);
  CU_ASSERT_EQUAL(b.pl->stats.codes_disk, 0);
  CU_ASSERT_EQUAL(b.pl->stats.compiler_runs, 1);
  CU_ASSERT(b.pl->stats.compile_seconds > 0);
  close_bench(&b);
  CU_ASSERT_EQUAL(count_files(temporary, "", NULL), 0);
}

static void test_disk(void)
{
  struct stat info;
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT(!stat(shared, &info) && (info.st_mode & 0777) == 0700);
  CU_ASSERT_EQUAL(count_files(shared, ".plait-", NULL), 0);
  bench b = open_bench(NULL, NULL);
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
  CU_ASSERT_EQUAL(b.pl->stats.compiler_runs, 0);
  CU_ASSERT_EQUAL(b.pl->stats.codes_disk, 1);
  close_bench(&b);
}

/* Everything that changes the binary changes the key. */
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
  bench b = open_bench(NULL, NULL);
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
  CU_ASSERT_EQUAL(pl_set_option(b.pl, "reproducible", "1"), PL_SUCCESS);
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
  CU_ASSERT_EQUAL(b.pl->stats.codes_compiled, 2);
  close_bench(&b);
}

/* Another compiler under the same name is another compiler. */
static void test_key_compiler(void)
{
  int runs;
  char option[256];
  const char *wrapper = script("mycc", "#!/bin/sh\nexec cc \"$@\"\n");
  snprintf(option, sizeof option, "cc=%s", wrapper);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, option, NULL, NULL), 42);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, option, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 0);
  script("mycc", "#!/bin/sh\n\nexec cc \"$@\"\n");
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, option, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 1);
}

/* Headers that are not the system's may change: such code is shared in memory alone. */
static void test_headers(void)
{
  int runs;
  const char *const folders[] = {room, NULL};
  const pl_jit_source source = {.label = "answer",
                                .text = "#include <answer.h>\nint answer(void) { return ANSWER; }\n",
                                .include_dirs = folders};
  char direct[512];
  snprintf(direct, sizeof direct, "  # include \"%s/answer.h\"\nint answer(void) { return ANSWER; }\n", room);
  const pl_jit_source quoted = {.label = "answer", .text = direct};
  for (int value = 5; value < 7; value++) {
    char line[32];
    snprintf(line, sizeof line, "#define ANSWER %d\n", value);
    script("answer.h", line);
    CU_ASSERT_EQUAL(fresh_answer(&source, NULL, NULL, NULL), value);
    CU_ASSERT_EQUAL(fresh_answer(&quoted, NULL, NULL, NULL), value);
  }
  const pl_jit_source system = {.label = "answer",
                                .text = "#include <math.h>\nint answer(void) { return 3; }\n"};
  CU_ASSERT_EQUAL(fresh_answer(&system, NULL, NULL, &runs), 3);
  CU_ASSERT_EQUAL(fresh_answer(&system, NULL, NULL, &runs), 3);
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(count_files(shared, ".so", NULL), 1);
  CU_ASSERT_EQUAL(count_files(temporary, "", NULL), 0);
}

static void test_cpp(void)
{
  const pl_jit_source source = {.label = "answer",
                                .text = "template <class T> static T twice(T x) { return x + x; }\nextern "
                                        "\"C\" int answer(void) { return twice(21); }\n",
                                .cpp = 1};
  CU_ASSERT_EQUAL(fresh_answer(&source, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL(fresh_answer(&source, "cc=env gcc", NULL, NULL), 42);
  CU_ASSERT_EQUAL(count_files(in(shared, "src"), ".cpp", NULL), 2);
}

static void test_words(void)
{
  int runs;
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, "cc=  env   A=b cc ", NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 1);
  bench b = open_bench("cc=env no-such-compiler", NULL);
  pl_code *code;
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &forty_two, &code), PL_ERR_COMPILE);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "no-such-compiler"));
  close_bench(&b);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, "cflags= -DA -DB='$(false)' ", NULL, NULL),
                  42); /* no shell reads this */
}

static void test_off(void)
{
  bench b = open_bench("jit=off", NULL);
  pl_code *code = (pl_code *)&b;
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_jit_unavailable(b.jit), "PLAIT_JIT"));
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &forty_two, &code), PL_ERR_STATE);
  CU_ASSERT_PTR_NULL(code);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "PLAIT_JIT=off"));
  CU_ASSERT_EQUAL(b.pl->stats.compiler_runs, 0);
  close_bench(&b);
  CU_ASSERT_FALSE(exists(shared));
}

static void test_link(void)
{
  const char *const found[] = {"-lm", NULL}, *const lost[] = {"-lplait-no-such-library", NULL};
  pl_jit_source source = {
    .label = "answer",
    .text = "double cbrt(double); int answer(void) { volatile double x = 27; return cbrt(x) + .5; }\n",
    .link_args = found};
  CU_ASSERT_EQUAL(fresh_answer(&source, NULL, NULL, NULL), 3);
  bench b = open_bench(NULL, NULL);
  pl_code *code;
  source.link_args = lost;
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &source, &code), PL_ERR_COMPILE);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "plait-no-such-library"));
  const pl_jit_source open_end = {
    .label = "answer", .text = "int plait_nowhere(void); int answer(void) { return plait_nowhere(); }\n"};
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &open_end, &code), PL_ERR_COMPILE);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "plait_nowhere"));
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42); /* goes on after failures */
  close_bench(&b);
  CU_ASSERT_EQUAL(count_files(shared, ".so", NULL), 2); /* what does not load is not kept */
}

/* ---- damaged entries ---- */

static const pl_jit_source table = {
  .label = "table",
  .text = "static const volatile unsigned words[4] = {0x50414c31u, 0x50414c32u, 0x50414c33u, 0x50414c34u};\n"
          "int answer(void) { return words[0] == 0x50414c31u && words[3] == 0x50414c34u; }\n"};

/* A compiler that takes no time: hands out the library that the real one made. */
static const char *quick_compiler(void)
{
  static char option[256];
  char text[512];
  const char *entry, *library = in(room, "made.so");
  CU_ASSERT_EQUAL_FATAL(fresh_answer(&table, NULL, NULL, NULL), 1);
  entry = only_entry();
  CU_ASSERT_EQUAL_FATAL(rename(entry, library), 0);
  snprintf(text, sizeof text, "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\nexec cat '%s' >\"$2\"\n",
           library);
  snprintf(option, sizeof option, "cc=%s", script("quickcc", text));
  return option;
}

static void expect_recompiled(const char *option, const char *what, size_t where)
{
  int runs;
  int answer = fresh_answer(&table, option, NULL, &runs);
  if (answer != 1 || runs != 1) fprintf(stderr, "%s at %zu: answer %d, %d runs\n", what, where, answer, runs);
  CU_ASSERT_EQUAL(answer, 1);
  CU_ASSERT_EQUAL(runs, 1);
}

static void test_damage(void)
{
  const char *option = quick_compiler();
  size_t size;
  CU_ASSERT_EQUAL_FATAL(fresh_answer(&table, option, NULL, NULL), 1);
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s", only_entry());
  char *good = read_file(path, &size), *bad = malloc(size + 1);
  size_t step = size / 40;
  for (size_t at = 0; at < size;
       at += at + 40 < size ? step : 1) { /* everywhere, and each byte of the footer */
    if (at + 40 < size && at + step > size - 40) at = size - 40;
    memcpy(bad, good, size);
    bad[at] ^= 0x10;
    write_file(path, bad, size, 0700);
    expect_recompiled(option, "altered", at);
  }
  const size_t lengths[] = {0, 1, 31, 32, 33, 64, size / 4, size / 2, size - 33, size - 32, size - 1};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    write_file(path, good, lengths[i], 0700);
    expect_recompiled(option, "cut", lengths[i]);
  }
  memcpy(bad, good, size);
  bad[size] = '\n';
  write_file(path, bad, size + 1, 0700);
  expect_recompiled(option, "extended", size);
  int runs;
  CU_ASSERT_EQUAL(fresh_answer(&table, option, NULL, &runs), 1); /* the last one mended it */
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(count_files(shared, ".so", NULL), 1);
  free(good);
  free(bad);
}

/* The code is patched and nothing else: without the checksum the wrong answer would come back. */
static void test_patched_code(void)
{
  size_t size;
  CU_ASSERT_EQUAL_FATAL(fresh_answer(&table, NULL, NULL, NULL), 1);
  const char *path = only_entry();
  char *bytes = read_file(path, &size);
  const unsigned words[4] = {0x50414c31u, 0x50414c32u, 0x50414c33u, 0x50414c34u};
  char *found = memmem(bytes, size, words, sizeof words);
  CU_ASSERT_PTR_NOT_NULL_FATAL(found);
  found[0] = 'X';
  write_file(path, bytes, size, 0700);
  expect_recompiled(NULL, "patched", 0);
  free(bytes);
}

/* An entry that is whole but made from another key, under the name of this one's hash. */
static void test_other_key(void)
{
  const pl_jit_source other = {.label = "answer", .text = "int answer(void) { return 7; }\n"};
  char mine[NAME_MAX + 1];
  int runs;
  size_t size;
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL_FATAL(count_files(shared, ".so", mine), 1);
  CU_ASSERT_EQUAL(rename(in(shared, mine), in(room, "mine")), 0);
  CU_ASSERT_EQUAL(fresh_answer(&other, NULL, NULL, NULL), 7);
  char *bytes = read_file(only_entry(), &size);
  write_file(in(shared, mine), bytes, size, 0700);
  free(bytes);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 1);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(fresh_answer(&other, NULL, NULL, &runs), 7);
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(count_files(shared, ".so", NULL), 3); /* and both keep their place */
}

/* Things in the way that are no files, and entries that vanish while they are in use. */
static void test_odd_entries(void)
{
  pl_code *code;
  bench b = open_bench(NULL, NULL);
  CU_ASSERT_EQUAL_FATAL(pl_jit_get(b.jit, &forty_two, &code), PL_SUCCESS);
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s", only_entry());
  CU_ASSERT_EQUAL(unlink(path), 0);
  CU_ASSERT_EQUAL(call(code), 42);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42); /* while the old module is loaded */
  close_bench(&b);
  CU_ASSERT_EQUAL(unlink(path), 0);
  CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL(unlink(path), 0);
  CU_ASSERT_EQUAL(mkdir(path, 0700), 0); /* cannot be replaced by a file */
  int before = listen_at();
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  free(stop_listening(before));
  CU_ASSERT_EQUAL(count_files(temporary, "", NULL), 0);
}

/* An entry that no longer loads, because a library it needs has gone, is compiled again. */
static void test_lost_library(void)
{
  char library[PATH_MAX], here[PATH_MAX + 8], path[PATH_MAX + 16];
  int runs;
  snprintf(library, sizeof library, "%s/libdeep.so", room);
  snprintf(here, sizeof here, "-L%s", room);
  snprintf(path, sizeof path, "-Wl,-rpath,%s", room);
  const pl_jit_source deep = {.label = "deep", .text = "int deep(void) { return 11; }\n"};
  CU_ASSERT_EQUAL(fresh_answer(&deep, NULL, NULL, NULL), -1); /* compiled; has no answer() */
  CU_ASSERT_EQUAL_FATAL(rename(only_entry(), library), 0);
  const char *const args[] = {here, path, "-ldeep", NULL};
  const pl_jit_source source = {
    .label = "answer", .text = "int deep(void); int answer(void) { return deep(); }\n", .link_args = args};
  CU_ASSERT_EQUAL(fresh_answer(&source, NULL, NULL, NULL), 11);
  CU_ASSERT_EQUAL(fresh_answer(&source, NULL, NULL, &runs), 11);
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(rename(library, in(room, "gone")), 0);
  bench b = open_bench(NULL, NULL);
  pl_code *code;
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &source, &code), PL_ERR_COMPILE);
  CU_ASSERT_EQUAL(b.pl->stats.compiler_runs, 1);
  CU_ASSERT_EQUAL(rename(in(room, "gone"), library), 0);
  CU_ASSERT_EQUAL(answer_of(&b, &source), 11);
  close_bench(&b);
}

/* ---- folders ---- */

static int read_only_body(void)
{
  int runs, wrong = 0;
  const pl_jit_source fresh = {.label = "answer", .text = "int answer(void) { return 8; }\n"};
  wrong += fresh_answer(&forty_two, NULL, NULL, NULL) != 42;
  wrong += chmod(shared, 0500) != 0;
  wrong += fresh_answer(&forty_two, NULL, NULL, &runs) != 42 || runs != 0; /* still read */
  int before = listen_at();
  wrong += fresh_answer(&fresh, NULL, NULL, &runs) != 8 || runs != 1;
  char *said = stop_listening(before);
  wrong += !strstr(said, "cannot be written");
  free(said);
  wrong += count_files(shared, ".so", NULL) != 1;
  wrong += count_files(temporary, "", NULL) != 0;
  wrong += chmod(shared, 0700) != 0;
  return wrong;
}

static void test_read_only(void)
{
  chmod(room, 0777); /* for the ordinary user to make the cache in */
  as_ordinary_user(read_only_body);
}

/* The folder must not be used, and the user be told why. */
static void expect_refused(const char *reason)
{
  int before = listen_at(), runs;
  int first = fresh_answer(&forty_two, NULL, NULL, NULL),
      second = fresh_answer(&forty_two, NULL, NULL, &runs);
  char *said = stop_listening(before);
  CU_ASSERT_EQUAL(first, 42);
  CU_ASSERT_EQUAL(second, 42);
  CU_ASSERT_EQUAL(runs, 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(said, "is not used"));
  CU_ASSERT_PTR_NOT_NULL(strstr(said, reason));
  CU_ASSERT_PTR_NOT_NULL(strstr(said, "PLAIT_CACHE_DIR"));
  CU_ASSERT_EQUAL(count_files(temporary, "", NULL), 0);
  free(said);
}

static void test_refused(void)
{
  CU_ASSERT_EQUAL(mkdir(shared, 0700), 0);
  const int modes[] = {0777, 0770, 0702, 01777};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    CU_ASSERT_EQUAL(chmod(shared, (mode_t)modes[i]), 0);
    expect_refused("may write");
    CU_ASSERT_EQUAL(count_files(shared, "", NULL), 0);
  }
  CU_ASSERT_EQUAL(rename(shared, in(room, "open")), 0);
  CU_ASSERT_EQUAL(symlink("open", shared), 0);
  expect_refused("may write");
  CU_ASSERT_EQUAL(count_files(in(room, "open"), "", NULL), 0);
  CU_ASSERT_EQUAL(unlink(shared), 0);
  write_file(shared, "", 0, 0600);
  expect_refused("not a folder");
  CU_ASSERT_EQUAL(unlink(shared), 0);
  CU_ASSERT_EQUAL(symlink("nowhere", shared), 0);
  expect_refused("No such file");
}

static int not_mine_body(void)
{
  int before = listen_at();
  int wrong = fresh_answer(&forty_two, NULL, NULL, NULL) != 42;
  char *said = stop_listening(before);
  wrong += !strstr(said, "another user");
  free(said);
  return wrong + (count_files(shared, "", NULL) != 0);
}

/* A folder of someone else: root's for the ordinary user, or / for a test that is not run by root. */
static void test_not_mine(void)
{
  chmod(room, 0777);
  if (geteuid())
    snprintf(shared, sizeof shared, "/mnt");
  else
    CU_ASSERT_EQUAL(mkdir(shared, 0755), 0);
  as_ordinary_user(not_mine_body);
}

static void test_where(void)
{
  char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
  char named[sizeof shared];
  memcpy(named, shared, sizeof named);
  shared[0] = '\0'; /* "cache_dir=" */
  setenv("HOME", room, 1);
  setenv("XDG_CACHE_HOME", in(room, "deep/xdg"), 1);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL(count_files(in(room, "deep/xdg/plait"), ".so", NULL), 1);
  CU_ASSERT_FALSE(exists(in(room, ".cache")));
  setenv("XDG_CACHE_HOME", "relative", 1);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL(count_files(in(room, ".cache/plait"), ".so", NULL), 1);
  CU_ASSERT_FALSE(exists("relative"));
  setenv("XDG_CACHE_HOME", in(room, "unused"), 1);
  memcpy(shared, named, sizeof shared);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL(fresh_answer(&table, "cache_size=0", NULL, NULL), 1); /* no disk cache */
  CU_ASSERT_EQUAL(count_files(named, ".so", NULL), 1);
  CU_ASSERT_FALSE(exists(in(room, "unused")));
  CU_ASSERT_EQUAL(count_files(temporary, "", NULL), 0);
  unsetenv("XDG_CACHE_HOME");
  if (home) setenv("HOME", home, 1);
  free(home);
}

/* A cache folder that is no longer what it was when it was chosen, and no temporary folder either. */
static void test_nowhere(void)
{
  bench b = open_bench("cache_size=0", NULL);
  pl_code *code;
  setenv("TMPDIR", in(room, "no/such/folder"), 1);
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &forty_two, &code), PL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "TMPDIR"));
  setenv("TMPDIR", temporary, 1);
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
  close_bench(&b);
  CU_ASSERT_EQUAL(count_files(temporary, "", NULL), 0);
}

/* ---- eviction ---- */

static void make_old(const char *path, size_t size, int seconds_old)
{
  char *zeros = calloc(1, size);
  write_file(path, zeros, size, 0600);
  free(zeros);
  const struct timespec then = {.tv_sec = time(NULL) - seconds_old};
  CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, (const struct timespec[2]){then, then}, 0), 0);
}

static off_t total_size(const char *path)
{
  off_t total = 0;
  struct stat info;
  DIR *folder = opendir(path);
  for (struct dirent *file; folder && (file = readdir(folder));)
    if (!stat(in(path, file->d_name), &info) && S_ISREG(info.st_mode)) total += info.st_size;
  if (folder) closedir(folder);
  return total;
}

static void test_eviction(void)
{
  char name[64], aged[PATH_MAX];
  struct stat info;
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  snprintf(aged, sizeof aged, "%s", only_entry());
  const struct timespec then = {.tv_sec = time(NULL) - 99999};
  utimensat(AT_FDCWD, aged, (const struct timespec[2]){then, then}, 0);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT(!stat(aged, &info) && info.st_mtime > then.tv_sec + 90000); /* a hit makes it young again */
  for (int i = 0; i < 20; i++) {
    snprintf(name, sizeof name, "%016x.so", i);
    make_old(in(shared, name), 100000, 5000 - i);
  }
  make_old(in(shared, "src/loop-00000000000000aa.c"), 100000, 9000);
  make_old(in(shared, "src/mine.c"), 1000, 90000);
  make_old(in(shared, "libmine-00000000000000aa.so"), 1000, 90000);
  make_old(in(shared, "notes.txt"), 1000, 90000);
  make_old(in(shared, ".plait-1-0.so"), 1000, 4000);
  make_old(in(shared, ".plait-2-0.so"), 1000, 10);
  CU_ASSERT_EQUAL(fresh_answer(&table, "cache_size=3", NULL, NULL), 1); /* under the limit: all stay */
  CU_ASSERT_TRUE(exists(in(shared, "0000000000000000.so")));
  CU_ASSERT_FALSE(exists(in(shared, ".plait-1-0.so")));
  CU_ASSERT_TRUE(exists(in(shared, ".plait-2-0.so")));
  const pl_jit_source more = {.label = "answer", .text = "int answer(void) { return 9; }\n"};
  CU_ASSERT_EQUAL(fresh_answer(&more, "cache_size=1", NULL, NULL), 9);
  CU_ASSERT(total_size(shared) + total_size(in(shared, "src")) <= 900000 + 4000);
  CU_ASSERT(total_size(shared) > 600000); /* and no more than needed went */
  CU_ASSERT_FALSE(exists(in(shared, "src/loop-00000000000000aa.c")));
  CU_ASSERT_FALSE(exists(in(shared, "0000000000000000.so")));
  CU_ASSERT_TRUE(exists(in(shared, "0000000000000013.so")));
  CU_ASSERT_TRUE(exists(aged));
  CU_ASSERT_TRUE(exists(in(shared, "src/mine.c")));
  CU_ASSERT_TRUE(exists(in(shared, "libmine-00000000000000aa.so")));
  CU_ASSERT_TRUE(exists(in(shared, "notes.txt")));
  int runs;
  CU_ASSERT_EQUAL(fresh_answer(&more, "cache_size=1", NULL, &runs), 9);
  CU_ASSERT_EQUAL(runs, 0);
}

/* Files that are new stay even above the limit: another process may be about to load them. */
static void test_new_files_stay(void)
{
  char name[64];
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  for (int i = 0; i < 12; i++) {
    snprintf(name, sizeof name, "%016x.so", i);
    make_old(in(shared, name), 100000,
             i - 1000); /* made in the future, so new for as long as this test runs */
  }
  CU_ASSERT_EQUAL(fresh_answer(&table, "cache_size=1", NULL, NULL), 1);
  CU_ASSERT_EQUAL(count_files(shared, "00000000000000", NULL), 12);
}

/* ---- compilers ---- */

/* Fails with `code` and a sentence with all of the `parts`; the ladder goes on living. */
static void expect_failure(const char *option, pl_err code, const char *const parts[])
{
  bench b = open_bench(option, NULL);
  pl_code *got = (pl_code *)&b;
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &forty_two, &got), code);
  CU_ASSERT_PTR_NULL(got);
  for (; *parts; parts++) {
    if (!strstr(pl_errmsg(b.pl), *parts)) fprintf(stderr, "no \"%s\" in: %s\n", *parts, pl_errmsg(b.pl));
    CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), *parts));
  }
  close_bench(&b);
  CU_ASSERT_EQUAL(count_files(shared, ".so", NULL), 0);
  CU_ASSERT_EQUAL(count_files(shared, ".plait-", NULL), 0);
}

static void test_missing_compiler(void)
{
  static const char *const parts[] = {"answer", "/no/such/cc", "PLAIT_CC", "PLAIT_JIT=off", NULL};
  bench b = open_bench("cc=/no/such/cc", NULL);
  CU_ASSERT_PTR_NOT_NULL(pl_jit_unavailable(b.jit));
  close_bench(&b);
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
  char option[256];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    snprintf(option, sizeof option, "cc=%s", script("badcc", cases[i].text));
    expect_failure(option, PL_ERR_COMPILE, cases[i].parts);
  }
}

static void test_removed_compiler(void)
{
  char option[256];
  const char *path = script("goodcc", "#!/bin/sh\nexec cc \"$@\"\n");
  snprintf(option, sizeof option, "cc=%s", path);
  bench b = open_bench(option, NULL);
  pl_code *code;
  CU_ASSERT_EQUAL(unlink(path), 0);
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &forty_two, &code), PL_ERR_COMPILE);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "could not be started"));
  script("goodcc", "#!/bin/sh\nexec cc \"$@\"\n");
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
  close_bench(&b);
}

/* Only the first messages are shown, however many there are. */
static void test_long_messages(void)
{
  char option[256];
  snprintf(
    option, sizeof option, "cc=%s",
    script("badcc", "#!/bin/sh\ni=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line-$i; done; exit 1\n"));
  bench b = open_bench(option, NULL);
  pl_code *code;
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &forty_two, &code), PL_ERR_COMPILE);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "line-10\n"));
  CU_ASSERT_PTR_NULL(strstr(pl_errmsg(b.pl), "line-11\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "\ncommand: "));
  close_bench(&b);
}

static void expect_kept_source(const char *message, const pl_jit_source *source)
{
  const char *at = strstr(message, "kept in ");
  CU_ASSERT_PTR_NOT_NULL_FATAL(at);
  char *text = read_file(at + strlen("kept in "), NULL);
  CU_ASSERT_STRING_EQUAL(text, source->text);
  free(text);
}

static void test_syntax_error(void)
{
  const pl_jit_source source = {.label = "res/calc",
                                .text = "#line 7 \"kernels.h\"\nint answer(void) { return }\n"};
  const char *const options[] = {NULL, "cache_size=0"};
  for (int i = 0; i < 2; i++) {
    bench b = open_bench(options[i], NULL);
    pl_code *code;
    CU_ASSERT_EQUAL(pl_jit_get(b.jit, &source, &code), PL_ERR_COMPILE);
    CU_ASSERT_PTR_NULL(code);
    CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "\"res/calc\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "kernels.h:7:"));
    CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "-shared"));
    char *message = strdup(pl_errmsg(b.pl));
    CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
    close_bench(&b);
    expect_kept_source(message, &source); /* after the end, from the shared folder and from the private one */
    free(message);
  }
}

static void test_debug(void)
{
  char name[NAME_MAX + 1];
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, "debug=1", NULL, NULL), 42);
  CU_ASSERT_EQUAL_FATAL(count_files(in(shared, "src"), "answer-", name), 1);
  char *text = read_file(in(in(shared, "src"), name), NULL);
  CU_ASSERT_STRING_EQUAL(text, forty_two.text);
  free(text);
}

/* ---- the program around us ---- */

/* A signal mask in the form of /proc/self/status, from a text that has it; all ones if it has not. */
static unsigned long long mask_in(const char *text, const char *name)
{
  const char *at = strstr(text, name);
  return at ? strtoull(at + strlen(name), NULL, 16) : ~0ull;
}

/* Ignored children leave us no exit status; and the compiler must be able to wait for children of its own.
 * The second "compiler" shows how it was started. */
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
  remove_tree(shared);
  bench b = open_bench("cc=grep -s -h -e Sig /proc/self/status --", NULL);
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &forty_two, &code), PL_ERR_COMPILE);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(b.pl), "no shared library"));
  CU_ASSERT_EQUAL(mask_in(pl_errmsg(b.pl), "SigBlk:"), 0);
  CU_ASSERT_EQUAL(mask_in(pl_errmsg(b.pl), "SigIgn:") & (1ull << (SIGCHLD - 1) | 1ull << (SIGPIPE - 1)), 0);
  close_bench(&b);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGPIPE, &pipe, NULL);
  sigaction(SIGCHLD, &child, NULL);
}

enum { RACERS = 4 };

/* Waits until the gate's other end is closed, so that all start together. */
static int race(int gate)
{
  char byte;
  while (read(gate, &byte, 1) > 0) continue;
  bench b = open_bench_with(NULL, NULL, (const char *const[4]){NULL});
  int wrong = !b.jit || answer_of(&b, &table) != 1 || answer_of(&b, &forty_two) != 42;
  close_bench(&b);
  return wrong;
}

static void expect_one_of_each(void)
{
  int runs;
  CU_ASSERT_EQUAL(count_files(shared, ".so", NULL), 2);
  CU_ASSERT_EQUAL(count_files(shared, ".plait-", NULL), 0);
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

/* ---- memory ---- */

typedef struct limited {
  int left; /* allocations until one fails; negative: none does */
  int failures;
  size_t held;
} limited;

static void *limited_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
  limited *l = user;
  if (!new_size) {
    l->held -= old_size;
    free(ptr);
    return NULL;
  }
  if (l->left == 0) {
    l->left = -1;
    l->failures++;
    return NULL;
  }
  if (l->left > 0) l->left--;
  void *grown = realloc(ptr, new_size);
  if (grown) l->held += new_size - old_size;
  return grown;
}

/* One full use with the n-th allocation failing; true once n is past the last. */
static bool passes(int n, const char *option, const pl_jit_source *source)
{
  limited l = {.left = n};
  pl_code *code = NULL;
  bench b = open_bench_with(limited_realloc, &l, (const char *const[4]){option, NULL, NULL, NULL});
  pl_err err = b.jit ? pl_jit_get(b.jit, source, &code) : PL_ERR_MEMORY;
  CU_ASSERT(err == PL_SUCCESS || (err == PL_ERR_MEMORY && l.failures == 1));
  CU_ASSERT_EQUAL(err == PL_SUCCESS, code != NULL);
  if (code) CU_ASSERT_EQUAL(call(code), 1);
  if (b.jit) { /* whatever failed, the next try is right */
    l.left = -1;
    CU_ASSERT_EQUAL(pl_jit_get(b.jit, source, &code), PL_SUCCESS);
    if (code) CU_ASSERT_EQUAL(call(code), 1);
  }
  close_bench(&b);
  CU_ASSERT_EQUAL(l.held, 0);
  return !l.failures;
}

static void test_allocations(void)
{
  const char *option = quick_compiler();
  int n = 0, compiled;
  for (bool done = false; !done && n < 1000; n++) {
    remove_tree(shared);
    done = passes(n, option, &table);
  }
  compiled = n;
  CU_ASSERT(compiled > 20 && compiled < 1000);
  for (n = 0; n < 1000 && !passes(n, option, &table); n++) continue; /* now from the disk */
  CU_ASSERT(n > 20 && n < compiled);
  CU_ASSERT_EQUAL(count_files(temporary, "", NULL), 0);
  CU_ASSERT_EQUAL(count_files(shared, ".plait-", NULL), 0);
}

/* ---- main ---- */

static const CU_TestInfo tests[] = {
  {"the same text is compiled once in a context", test_memory},
  {"a second context starts no compiler", test_disk},
  {"flags and options are part of the key", test_key},
  {"the compiler's file is part of the key", test_key_compiler},
  {"headers of the user's are read anew", test_headers},
  {"C++ goes to the C compiler's sister", test_cpp},
  {"cc may be several words, read by no shell", test_words},
  {"jit=off", test_off},
  {"link arguments", test_link},
  {"an entry damaged anywhere is compiled again", test_damage},
  {"code altered in an entry never runs", test_patched_code},
  {"a whole entry of another key is not used", test_other_key},
  {"entries that vanish or are no files", test_odd_entries},
  {"an entry whose library is lost", test_lost_library},
  {"a read-only folder is read", test_read_only},
  {"folders that others may write are refused", test_refused},
  {"folders of other users are refused", test_not_mine},
  {"where the folder is", test_where},
  {"no folder at all", test_nowhere},
  {"eviction keeps the limit and the newest", test_eviction},
  {"eviction leaves new files", test_new_files_stay},
  {"a missing compiler", test_missing_compiler},
  {"broken compilers", test_broken_compilers},
  {"a compiler removed under way", test_removed_compiler},
  {"long messages are cut", test_long_messages},
  {"a syntax error names its place and keeps the source", test_syntax_error},
  {"debug keeps the source", test_debug},
  {"signals ignored and blocked", test_signals},
  {"processes that race", test_processes},
  {"threads that race", test_threads},
  {"every allocation fails in turn", test_allocations},
  CU_TEST_INFO_NULL,
};

int main(void)
{
  CU_SuiteInfo suites[] = {{"jit", NULL, NULL, set_up, tear_down, (CU_TestInfo *)tests}, CU_SUITE_INFO_NULL};
  const char *temp = getenv("TMPDIR");
  snprintf(base, sizeof base, "%.40s/plait-jit-XXXXXX", temp && *temp == '/' ? temp : "/tmp");
  if (!mkdtemp(base) || chmod(base, 0755) || chdir(base) || CU_initialize_registry() ||
      CU_register_suites(suites))
    return 2;
  CU_basic_set_mode(CU_BRM_NORMAL);
  CU_basic_run_tests();
  int failures = (int)CU_get_number_of_failures();
  CU_cleanup_registry();
  remove_tree(base);
  return failures > 0 || exists(base);
}
