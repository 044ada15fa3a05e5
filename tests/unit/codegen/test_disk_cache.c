/* SPDX-License-Identifier: BSD-2-Clause
 * The disk cache: damaged and foreign entries, its folder, and eviction.
 */
#define _GNU_SOURCE /* memmem, unshare */
#include "codegen/jit/disk_cache.h"
#include "jit_fixture.h"
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
  char *good = sandbox_read(path, &size), *bad = malloc(size + 1);
  size_t step = size / 40;
  for (size_t at = 0; at < size;
       at += at + 40 < size ? step : 1) { /* samples of the entry and each byte of its footer */
    if (at + 40 < size && at + step > size - 40) at = size - 40;
    memcpy(bad, good, size);
    bad[at] ^= 0x10;
    sandbox_write(path, bad, size, 0700);
    expect_recompiled(option, "altered", at);
  }
  const size_t lengths[] = {0, 1, 31, 32, 33, 64, size / 4, size / 2, size - 33, size - 32, size - 1};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    sandbox_write(path, good, lengths[i], 0700);
    expect_recompiled(option, "cut", lengths[i]);
  }
  memcpy(bad, good, size);
  bad[size] = '\n';
  sandbox_write(path, bad, size + 1, 0700);
  expect_recompiled(option, "extended", size);
  int runs;
  CU_ASSERT_EQUAL(fresh_answer(&table, option, NULL, &runs), 1); /* the last compilation replaced the entry */
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL), 1);
  free(good);
  free(bad);
}

/* Only the code is patched: without the checksum the answer would be wrong. */
static void test_patched_code(void)
{
  size_t size;
  CU_ASSERT_EQUAL_FATAL(fresh_answer(&table, NULL, NULL, NULL), 1);
  const char *path = only_entry();
  char *bytes = sandbox_read(path, &size);
  const unsigned words[4] = {0x50414c31u, 0x50414c32u, 0x50414c33u, 0x50414c34u};
  char *found = memmem(bytes, size, words, sizeof words);
  CU_ASSERT_PTR_NOT_NULL_FATAL(found);
  found[0] = 'X';
  sandbox_write(path, bytes, size, 0700);
  expect_recompiled(NULL, "patched", 0);
  free(bytes);
}

/* A complete entry of another key lies under the name of this key's hash. */
static void test_other_key(void)
{
  const pl_jit_source other = {.label = "answer", .text = "int answer(void) { return 7; }\n"};
  char mine[NAME_MAX + 1];
  int runs;
  size_t size;
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL_FATAL(sandbox_count(sandbox_cache, ".so", mine), 1);
  CU_ASSERT_EQUAL(rename(sandbox_path(sandbox_cache, mine), sandbox_path(sandbox_folder, "mine")), 0);
  CU_ASSERT_EQUAL(fresh_answer(&other, NULL, NULL, NULL), 7);
  char *bytes = sandbox_read(only_entry(), &size);
  sandbox_write(sandbox_path(sandbox_cache, mine), bytes, size, 0700);
  free(bytes);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 1);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(fresh_answer(&other, NULL, NULL, &runs), 7);
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL), 3); /* both entries stay */
}

/* Entries that are not files, and entries that are deleted while in use. */
static void test_odd_entries(void)
{
  pl_code *code;
  jit_context b = open_jit(NULL, NULL);
  OK(pl_jit_get(b.jit, &forty_two, &code));
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s", only_entry());
  CU_ASSERT_EQUAL(unlink(path), 0);
  CU_ASSERT_EQUAL(call_answer(code), 42);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42); /* while the old module is loaded */
  close_jit(&b);
  CU_ASSERT_EQUAL(unlink(path), 0);
  CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL(unlink(path), 0);
  CU_ASSERT_EQUAL(mkdir(path, 0700), 0); /* cannot be replaced by a file */
  int before = sandbox_capture_stderr();
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  free(sandbox_captured(before));
  CU_ASSERT_EQUAL(sandbox_count(sandbox_temporary, "", NULL), 0);
}

/* Owner of nothing that root or this process owns. */
enum { SOMEBODY = 65534 };

typedef bool (*spoil)(const char *entry);

static bool by_another_user(const char *entry)
{
  return geteuid() || !chown(entry, SOMEBODY, SOMEBODY);
}

static bool writable_by_group(const char *entry)
{
  return !chmod(entry, 0720);
}

static bool writable_by_others(const char *entry)
{
  return !chmod(entry, 0702);
}

static bool behind_a_link(const char *entry)
{
  const char *target = sandbox_path(sandbox_folder, "target");
  return !rename(entry, target) && !symlink(target, entry);
}

/* Complete entries of the right key that others could have written are compiled again. */
static void test_foreign_entries(void)
{
  static const spoil kinds[] = {by_another_user, writable_by_group, writable_by_others, behind_a_link};
  CU_ASSERT_EQUAL(fresh_answer(&table, NULL, NULL, NULL), 1);
  for (size_t i = geteuid() ? 1 : 0; i < sizeof kinds / sizeof *kinds; i++) {
    CU_ASSERT_TRUE(kinds[i](only_entry()));
    expect_recompiled(NULL, "foreign", i);
    int runs;
    CU_ASSERT_EQUAL(fresh_answer(&table, NULL, NULL, &runs), 1);
    CU_ASSERT_EQUAL(runs, 0);
  }
}

/* The folder that was checked is used, whatever later has its name. */
static void test_swapped_folder(void)
{
  const char *planted = sandbox_path(sandbox_folder, "planted");
  CU_ASSERT_EQUAL(fresh_answer(&table, NULL, NULL, NULL), 1);
  CU_ASSERT_EQUAL(rename(sandbox_cache, planted), 0);
  jit_context b = open_jit(NULL, NULL);
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
  CU_ASSERT_EQUAL(rename(sandbox_cache, sandbox_path(sandbox_folder, "checked")), 0);
  CU_ASSERT_EQUAL(rename(planted, sandbox_cache), 0);
  CU_ASSERT_EQUAL(answer_of(&b, &table), 1);
  CU_ASSERT_EQUAL(b.pl->stats.codes_disk, 0);
  CU_ASSERT_EQUAL(b.pl->stats.codes_compiled, 2);
  close_jit(&b);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_path(sandbox_folder, "checked"), ".so", NULL), 2);
}

/* An entry of the right key without the function that the source names is compiled again. */
static void test_no_entry_point(void)
{
  char text[2 * PATH_MAX];
  pl_jit_source source = forty_two;
  snprintf(text, sizeof text,
           "#!/bin/sh\nif [ ! -e '%s/broken' ]; then exec cc \"$@\"; fi\n"
           "while [ \"$1\" != -MF ]; do shift; done; : >\"$2\"\n"
           "while [ \"$1\" != -o ]; do shift; done\n"
           "echo 'int other;' | exec cc -shared -fPIC -x c - -o \"$2\"\n",
           sandbox_folder);
  const char *option = script_option("othercc", text);
  sandbox_write(sandbox_path(sandbox_folder, "broken"), "", 0, 0600);
  CU_ASSERT_EQUAL(fresh_answer(&source, option, NULL, NULL), -1);
  source.entry = "answer";
  jit_context b = open_jit(option, NULL);
  pl_code *code;
  FAILS_IN(b.pl, pl_jit_get(b.jit, &source, &code), PL_ERR_COMPILE, "entry point");
  CU_ASSERT_EQUAL(unlink(sandbox_path(sandbox_folder, "broken")), 0);
  CU_ASSERT_EQUAL(answer_of(&b, &source), 42);
  close_jit(&b);
  int runs;
  CU_ASSERT_EQUAL(fresh_answer(&source, option, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 0);
}

/* An entry that does not load, because a library that it needs is missing, is compiled again. */
static void test_lost_library(void)
{
  char here[PATH_MAX + 8], path[PATH_MAX + 16], library[2 * PATH_MAX];
  int runs;
  snprintf(library, sizeof library, "%s/libdeep.so", sandbox_folder);
  snprintf(here, sizeof here, "-L%s", sandbox_folder);
  snprintf(path, sizeof path, "-Wl,-rpath,%s", sandbox_folder);
  const pl_jit_source deep = {.label = "deep", .text = "int deep(void) { return 11; }\n"};
  CU_ASSERT_EQUAL(fresh_answer(&deep, NULL, NULL, NULL), -1); /* compiled; has no answer() */
  CU_ASSERT_EQUAL_FATAL(rename(only_entry(), library), 0);
  const char *const args[] = {here, path, "-ldeep", NULL};
  const pl_jit_source source = {
    .label = "answer", .text = "int deep(void); int answer(void) { return deep(); }\n", .link_args = args};
  CU_ASSERT_EQUAL(fresh_answer(&source, NULL, NULL, NULL), 11);
  CU_ASSERT_EQUAL(fresh_answer(&source, NULL, NULL, &runs), 11);
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(rename(library, sandbox_path(sandbox_folder, "gone")), 0);
  jit_context b = open_jit(NULL, NULL);
  pl_code *code;
  CU_ASSERT_EQUAL(pl_jit_get(b.jit, &source, &code), PL_ERR_COMPILE);
  CU_ASSERT_EQUAL(b.pl->stats.compiler_runs, 1);
  CU_ASSERT_EQUAL(rename(sandbox_path(sandbox_folder, "gone"), library), 0);
  CU_ASSERT_EQUAL(answer_of(&b, &source), 11);
  close_jit(&b);
}

/* ---- processes ---- */

/* A compiler that counts its runs, and that waits in each for a second process. */
static const char *waiting_compiler(void)
{
  char text[3 * PATH_MAX];
  snprintf(text, sizeof text,
           "#!/bin/sh\necho >>'%s/runs'\nwhile [ ! -e '%s/second' ]; do sleep 0.01; done\nexec cc \"$@\"\n",
           sandbox_folder, sandbox_folder);
  return script_option("waitingcc", text);
}

/* Starts a process that asks for the code; its status is how often it compiled. */
static pid_t start_process(const char *option)
{
  int runs = 0;
  fflush(NULL);
  const pid_t process = fork();
  CU_ASSERT_FATAL(process >= 0);
  if (process) return process;
  _exit(fresh_answer(&forty_two, option, NULL, &runs) == 42 ? runs : 100);
}

/* The second process looks for the code while the first compiles it; without the lock it would compile too.
 */
static void test_compiled_once(void)
{
  const char *option = waiting_compiler();
  int status, runs;
  const pid_t first = start_process(option);
  while (!sandbox_exists(sandbox_path(sandbox_folder, "runs")))
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  sandbox_write(sandbox_path(sandbox_folder, "second"), "", 0, 0600);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, option, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 0);
  CU_ASSERT_EQUAL(waitpid(first, &status, 0), first);
  CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

/* A lock excludes other contexts, and ends with the process that has it. */
static void test_lock_of_dead_process(void)
{
  jit_context b = open_jit(NULL, NULL);
  pl_string key;
  int lock = -1, status;
  pl_string_init(&key, b.pl);
  pl_string_add(&key, "key");
  fflush(NULL);
  const pid_t process = fork();
  CU_ASSERT_FATAL(process >= 0);
  if (!process) _exit(pl_cache_lock(pl_jit_cache(b.jit), &key, &lock) || lock < 0);
  CU_ASSERT_EQUAL(waitpid(process, &status, 0), process);
  CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  OK(pl_cache_lock(pl_jit_cache(b.jit), &key, &lock));
  CU_ASSERT(lock >= 0);
  pl_cache_unlock(lock);
  pl_string_free(&key);
  close_jit(&b);
}

/* ---- folders ---- */

static int read_only_body(void)
{
  int runs, wrong = 0;
  const pl_jit_source fresh = {.label = "answer", .text = "int answer(void) { return 8; }\n"};
  wrong += fresh_answer(&forty_two, NULL, NULL, NULL) != 42;
  wrong += chmod(sandbox_cache, 0500) != 0;
  wrong += fresh_answer(&forty_two, NULL, NULL, &runs) != 42 || runs != 0; /* entries are still read */
  int before = sandbox_capture_stderr();
  wrong += fresh_answer(&fresh, NULL, NULL, &runs) != 8 || runs != 1;
  char *said = sandbox_captured(before);
  wrong += !strstr(said, "cannot be written");
  free(said);
  wrong += sandbox_count(sandbox_cache, ".so", NULL) != 1;
  wrong += sandbox_count(sandbox_temporary, "", NULL) != 0;
  wrong += chmod(sandbox_cache, 0700) != 0;
  return wrong;
}

static void test_read_only(void)
{
  chmod(sandbox_folder, 01777); /* so that the ordinary user can create the cache */
  CU_ASSERT_EQUAL(sandbox_child(read_only_body, true), 0);
}

/* The folder is not used, and a warning tells why. */
static void expect_refused(const char *reason)
{
  int before = sandbox_capture_stderr(), runs;
  int first = fresh_answer(&forty_two, NULL, NULL, NULL),
      second = fresh_answer(&forty_two, NULL, NULL, &runs);
  char *said = sandbox_captured(before);
  CU_ASSERT_EQUAL(first, 42);
  CU_ASSERT_EQUAL(second, 42);
  CU_ASSERT_EQUAL(runs, 1);
  CONTAINS(said, "is not used");
  CONTAINS(said, reason);
  CONTAINS(said, "PLAIT_CACHE_DIR");
  CU_ASSERT_EQUAL(sandbox_count(sandbox_temporary, "", NULL), 0);
  free(said);
}

static void test_refused(void)
{
  CU_ASSERT_EQUAL(mkdir(sandbox_cache, 0700), 0);
  const int modes[] = {0777, 0770, 0702, 01777};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    CU_ASSERT_EQUAL(chmod(sandbox_cache, (mode_t)modes[i]), 0);
    expect_refused("may write");
    CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, "", NULL), 0);
  }
  CU_ASSERT_EQUAL(rename(sandbox_cache, sandbox_path(sandbox_folder, "open")), 0);
  CU_ASSERT_EQUAL(symlink("open", sandbox_cache), 0);
  expect_refused("may write");
  CU_ASSERT_EQUAL(sandbox_count(sandbox_path(sandbox_folder, "open"), "", NULL), 0);
  CU_ASSERT_EQUAL(unlink(sandbox_cache), 0);
  sandbox_write(sandbox_cache, "", 0, 0600);
  expect_refused("Not a directory");
  CU_ASSERT_EQUAL(unlink(sandbox_cache), 0);
  CU_ASSERT_EQUAL(symlink("nowhere", sandbox_cache), 0);
  expect_refused("No such file");
}

/* Whoever may write into a parent, or owns it, could replace the folder. A sticky parent prevents it. */
static void test_parents(void)
{
  const char *parent = sandbox_path(sandbox_folder, "parent");
  snprintf(sandbox_cache, sizeof sandbox_cache, "%.3000s/parent/deeper/cache", sandbox_folder);
  CU_ASSERT_EQUAL(mkdir(parent, 0700), 0);
  const int modes[] = {0777, 0770, 0702};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    CU_ASSERT_EQUAL(chmod(parent, (mode_t)modes[i]), 0);
    expect_refused("others may write into \"");
  }
  CU_ASSERT_EQUAL(chmod(parent, 01777), 0);
  int runs;
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, &runs), 42);
  CU_ASSERT_EQUAL(runs, 0);
  if (geteuid()) return;
  CU_ASSERT(!chmod(parent, 0755) && !chown(parent, SOMEBODY, SOMEBODY));
  expect_refused("/parent\" belongs to another user");
}

static int not_mine_body(void)
{
  int before = sandbox_capture_stderr();
  int wrong = fresh_answer(&forty_two, NULL, NULL, NULL) != 42;
  char *said = sandbox_captured(before);
  wrong += !strstr(said, "another user");
  free(said);
  return wrong + (sandbox_count(sandbox_cache, "", NULL) != 0);
}

/* A folder of another user: root's for the ordinary user, or /mnt if the test is not run by root. */
static void test_not_mine(void)
{
  chmod(sandbox_folder, 01777);
  if (geteuid())
    snprintf(sandbox_cache, sizeof sandbox_cache, "/mnt");
  else
    CU_ASSERT_EQUAL(mkdir(sandbox_cache, 0755), 0);
  CU_ASSERT_EQUAL(sandbox_child(not_mine_body, true), 0);
}

static void test_where(void)
{
  char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
  char named[sizeof sandbox_cache];
  memcpy(named, sandbox_cache, sizeof named);
  sandbox_cache[0] = '\0'; /* "cache_dir=" */
  setenv("HOME", sandbox_folder, 1);
  setenv("XDG_CACHE_HOME", sandbox_path(sandbox_folder, "deep/xdg"), 1);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_path(sandbox_folder, "deep/xdg/plait"), ".so", NULL), 1);
  CU_ASSERT_FALSE(sandbox_exists(sandbox_path(sandbox_folder, ".cache")));
  setenv("XDG_CACHE_HOME", "relative", 1);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_path(sandbox_folder, ".cache/plait"), ".so", NULL), 1);
  CU_ASSERT_FALSE(sandbox_exists("relative"));
  setenv("XDG_CACHE_HOME", sandbox_path(sandbox_folder, "unused"), 1);
  memcpy(sandbox_cache, named, sizeof sandbox_cache);
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  CU_ASSERT_EQUAL(fresh_answer(&table, "cache_size=0", NULL, NULL), 1); /* no disk cache */
  CU_ASSERT_EQUAL(sandbox_count(named, ".so", NULL), 1);
  CU_ASSERT_FALSE(sandbox_exists(sandbox_path(sandbox_folder, "unused")));
  CU_ASSERT_EQUAL(sandbox_count(sandbox_temporary, "", NULL), 0);
  unsetenv("XDG_CACHE_HOME");
  if (home) setenv("HOME", home, 1);
  free(home);
}

/* Without a cache and without a temporary folder nothing can be compiled. */
static void test_nowhere(void)
{
  jit_context b = open_jit("cache_size=0", NULL);
  pl_code *code;
  setenv("TMPDIR", sandbox_path(sandbox_folder, "no/such/folder"), 1);
  FAILS_IN(b.pl, pl_jit_get(b.jit, &forty_two, &code), PL_ERR_IO, "TMPDIR");
  setenv("TMPDIR", sandbox_temporary, 1);
  CU_ASSERT_EQUAL(answer_of(&b, &forty_two), 42);
  close_jit(&b);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_temporary, "", NULL), 0);
}

static void make_old(const char *path, size_t size, int seconds_old)
{
  char *zeros = calloc(1, size);
  sandbox_write(path, zeros, size, 0600);
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
    if (!stat(sandbox_path(path, file->d_name), &info) && S_ISREG(info.st_mode)) total += info.st_size;
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
  CU_ASSERT(!stat(aged, &info) && info.st_mtime > then.tv_sec + 90000); /* a hit renews the time of use */
  for (int i = 0; i < 20; i++) {
    snprintf(name, sizeof name, "%016x.so", i);
    make_old(sandbox_path(sandbox_cache, name), 100000, 5000 - i);
  }
  make_old(sandbox_path(sandbox_cache, "src/loop-00000000000000aa.c"), 100000, 9000);
  make_old(sandbox_path(sandbox_cache, "src/mine.c"), 1000, 90000);
  make_old(sandbox_path(sandbox_cache, "libmine-00000000000000aa.so"), 1000, 90000);
  make_old(sandbox_path(sandbox_cache, "notes.txt"), 1000, 90000);
  make_old(sandbox_path(sandbox_cache, ".plait-1-0.so"), 1000, 4000);
  make_old(sandbox_path(sandbox_cache, ".plait-2-0.so"), 1000, 10);
  CU_ASSERT_EQUAL(fresh_answer(&table, "cache_size=3", NULL, NULL), 1); /* below the limit all entries stay */
  CU_ASSERT_TRUE(sandbox_exists(sandbox_path(sandbox_cache, "0000000000000000.so")));
  CU_ASSERT_FALSE(sandbox_exists(sandbox_path(sandbox_cache, ".plait-1-0.so")));
  CU_ASSERT_TRUE(sandbox_exists(sandbox_path(sandbox_cache, ".plait-2-0.so")));
  const pl_jit_source more = {.label = "answer", .text = "int answer(void) { return 9; }\n"};
  CU_ASSERT_EQUAL(fresh_answer(&more, "cache_size=1", NULL, NULL), 9);
  CU_ASSERT(total_size(sandbox_cache) + total_size(sandbox_path(sandbox_cache, "src")) <= 900000 + 4000);
  CU_ASSERT(total_size(sandbox_cache) > 600000); /* no more is removed than necessary */
  CU_ASSERT_FALSE(sandbox_exists(sandbox_path(sandbox_cache, "src/loop-00000000000000aa.c")));
  CU_ASSERT_FALSE(sandbox_exists(sandbox_path(sandbox_cache, "0000000000000000.so")));
  CU_ASSERT_TRUE(sandbox_exists(sandbox_path(sandbox_cache, "0000000000000013.so")));
  CU_ASSERT_TRUE(sandbox_exists(aged));
  CU_ASSERT_TRUE(sandbox_exists(sandbox_path(sandbox_cache, "src/mine.c")));
  CU_ASSERT_TRUE(sandbox_exists(sandbox_path(sandbox_cache, "libmine-00000000000000aa.so")));
  CU_ASSERT_TRUE(sandbox_exists(sandbox_path(sandbox_cache, "notes.txt")));
  int runs;
  CU_ASSERT_EQUAL(fresh_answer(&more, "cache_size=1", NULL, &runs), 9);
  CU_ASSERT_EQUAL(runs, 0);
}

/* New files stay even above the limit, because another process may be about to load them. */
static void test_new_files_stay(void)
{
  char name[64];
  CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
  for (int i = 0; i < 12; i++) {
    snprintf(name, sizeof name, "%016x.so", i);
    make_old(sandbox_path(sandbox_cache, name), 100000, -30); /* so that it stays new while this test runs */
  }
  CU_ASSERT_EQUAL(fresh_answer(&table, "cache_size=1", NULL, NULL), 1);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, "00000000000000", NULL), 12);
}

/* Files dated in the future, by a clock that was wrong, are not new for ever. */
static void test_future_files(void)
{
  char name[64];
  for (int i = 0; i < 12; i++) {
    snprintf(name, sizeof name, "%016x.so", i);
    if (!i) CU_ASSERT_EQUAL(fresh_answer(&forty_two, NULL, NULL, NULL), 42);
    make_old(sandbox_path(sandbox_cache, name), 100000, -1000000);
  }
  make_old(sandbox_path(sandbox_cache, ".plait-1-0"), 1000, -1000000);
  CU_ASSERT_EQUAL(fresh_answer(&table, "cache_size=1", NULL, NULL), 1);
  CU_ASSERT(sandbox_count(sandbox_cache, "00000000000000", NULL) < 9);
  CU_ASSERT_FALSE(sandbox_exists(sandbox_path(sandbox_cache, ".plait-1-0")));
}

/* Code is compiled and run with one warning a context, because the folder can hold no entry. */
static int runs_with_warning(const char *reason)
{
  int before = sandbox_capture_stderr(), runs;
  jit_context b = open_jit(NULL, NULL);
  bool right = answer_of(&b, &forty_two) == 42 && answer_of(&b, &table) == 1;
  close_jit(&b);
  right &= fresh_answer(&table, NULL, NULL, &runs) == 1 && runs == 1;
  char *said = sandbox_captured(before), *first = strstr(said, "cache folder");
  char *second = first ? strstr(first + 1, "cache folder") : NULL;
  right &= second && strstr(second, reason) && !strstr(second + 1, "cache folder");
  if (!right) fprintf(stderr, "%s: %d runs, %s", reason, runs, said);
  free(said);
  return right && !sandbox_count(sandbox_temporary, "", NULL);
}

static size_t entry_size;

/* Files may grow as large as the library, but not as the entry that also has its key. */
static int on_full_disk(void)
{
  const struct rlimit few = {entry_size - 1, entry_size - 1};
  signal(SIGXFSZ, SIG_IGN);
  return setrlimit(RLIMIT_FSIZE, &few) || fresh_answer(&table, NULL, NULL, NULL) != 1;
}

static void test_full(void)
{
  struct stat info;
  CU_ASSERT_EQUAL(fresh_answer(&table, NULL, NULL, NULL), 1);
  CU_ASSERT_EQUAL(stat(only_entry(), &info), 0);
  entry_size = (size_t)info.st_size;
  sandbox_remove(only_entry());
  CU_ASSERT_EQUAL(sandbox_child(on_full_disk, false), 0);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL), 0);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".plait-", NULL), 0);
}

enum { NO_MOUNT = 77 };

/* The cache folder on small file systems, which only this process sees. */
static int on_small_systems(void)
{
  static const struct {
    unsigned long flags;
    const char *options, *reason;
  } systems[] = {{0, "size=8k", "No space left"},
                 {0, "size=100k,nr_inodes=4", "No space left"},
                 {MS_NOEXEC, "size=1m", "cannot be loaded from"}};
  int wrong = 0;
  if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL)) return NO_MOUNT;
  for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
    if (mount("none", sandbox_cache, "tmpfs", systems[i].flags, systems[i].options)) return NO_MOUNT;
    wrong += chmod(sandbox_cache, 0700) || !runs_with_warning(systems[i].reason);
  }
  return wrong;
}

static void test_no_room(void)
{
  const char *preload = getenv("LD_PRELOAD");
  if (preload && strstr(preload, "vgpreload")) {
    puts("skipped: valgrind maps and reports differently on such file systems");
    return;
  }
  CU_ASSERT_EQUAL(mkdir(sandbox_cache, 0700), 0);
  int wrong = sandbox_child(on_small_systems, false);
  CU_ASSERT(wrong == 0 || wrong == NO_MOUNT);
}

static CU_TestInfo tests[] = {{"an entry damaged anywhere is compiled again", test_damage},
                              {"code altered in an entry never runs", test_patched_code},
                              {"a complete entry of another key is not used", test_other_key},
                              {"entries that are deleted or are not files", test_odd_entries},
                              {"entries that others could have written", test_foreign_entries},
                              {"a folder swapped after the check", test_swapped_folder},
                              {"an entry without entry point", test_no_entry_point},
                              {"an entry whose library is missing", test_lost_library},
                              {"two processes compile a text once", test_compiled_once},
                              {"a lock ends with its process", test_lock_of_dead_process},
                              {"a read-only folder is read", test_read_only},
                              {"folders that others may write are refused", test_refused},
                              {"folders below an open parent are refused", test_parents},
                              {"folders of other users are refused", test_not_mine},
                              {"where the folder is", test_where},
                              {"no folder at all", test_nowhere},
                              {"eviction keeps the limit and the newest", test_eviction},
                              {"eviction leaves new files", test_new_files_stay},
                              {"files dated in the future are evicted", test_future_files},
                              {"no space for an entry", test_full},
                              {"no space, no inodes, noexec", test_no_room},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return sandbox_main("disk_cache", tests);
}
