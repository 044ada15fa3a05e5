/* SPDX-License-Identifier: BSD-2-Clause
 * The disk cache: unusable folders, racing processes, damaged entries. Results are right in all cases; the
 * test counts compilations.
 */
#include "checks.h"
#include "sandbox.h"
#include "small_program.h"
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- expectations ---- */

static bool ran_with(const small_outcome *o, uint64_t compiled, uint64_t from_disk)
{
  bool good = o->right && o->stats.codes_compiled == compiled && o->stats.compiler_runs == compiled &&
              o->stats.codes_disk == from_disk;
  if (!good)
    fprintf(stderr, "\n%s: %llu compiled, %llu compilers run, %llu from disk; %s\n",
            o->right ? "right" : "wrong", (unsigned long long)o->stats.codes_compiled,
            (unsigned long long)o->stats.compiler_runs, (unsigned long long)o->stats.codes_disk, o->message);
  return good;
}

static bool compiles_all(const char *option)
{
  small_outcome o = small_run_cached(option, NULL);
  return ran_with(&o, SMALL_LOOPS, 0);
}

static bool finds_all(void)
{
  small_outcome o = small_run_cached(NULL, NULL);
  return ran_with(&o, 0, SMALL_LOOPS);
}

/* Compiles each time and gives one warning with the reason per context. */
static void expect_unused(const char *reason)
{
  int before = sandbox_capture_stderr();
  bool first = compiles_all(NULL), second = compiles_all(NULL);
  char *said = sandbox_captured(before);
  CU_ASSERT(first && second);
  if (!strstr(said, reason)) fprintf(stderr, "\nno \"%s\" in: %s\n", reason, said);
  CONTAINS(said, reason);
  CONTAINS(said, sandbox_cache);
  CONTAINS(said, "PLAIT_CACHE_DIR");
  CU_ASSERT_EQUAL(strspn(strchr(said, '\n'), "\n"), 1);
  free(said);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_temporary, "", NULL), 0); /* no file is left */
}

/* ---- folders ---- */

static void test_good_folder(void)
{
  CU_ASSERT(compiles_all(NULL));
  CU_ASSERT(finds_all());
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL), SMALL_LOOPS);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".plait-", NULL), 0);
}

static void test_under_a_file(void)
{
  sandbox_write(sandbox_path(sandbox_folder, "file"), "x", 1, 0600);
  snprintf(sandbox_cache, sizeof sandbox_cache, "%.4000s/file/cache", sandbox_folder);
  expect_unused("Not a directory");
}

static void test_open_to_all(void)
{
  static const int modes[] = {0777, 0770, 0702, 01777};
  CU_ASSERT_EQUAL_FATAL(mkdir(sandbox_cache, 0700), 0);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    CU_ASSERT_EQUAL(chmod(sandbox_cache, (mode_t)modes[i]), 0);
    expect_unused("may write");
    CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, "", NULL), 0);
  }
  CU_ASSERT_EQUAL(chmod(sandbox_cache, 0700), 0);
  CU_ASSERT(compiles_all(NULL));
  CU_ASSERT(finds_all());
}

/* In a child that is not root: entries of the folder are used, none is added. */
static int read_only(void)
{
  int wrong = !compiles_all(NULL) || chmod(sandbox_cache, 0500);
  wrong += !finds_all();
  int before = sandbox_capture_stderr();
  small_outcome o = small_run_cached("debug=1", NULL); /* another key */
  char *said = sandbox_captured(before);
  wrong += !ran_with(&o, SMALL_LOOPS, 0) || !strstr(said, "cannot be written");
  free(said);
  wrong += sandbox_count(sandbox_cache, ".so", NULL) != SMALL_LOOPS || chmod(sandbox_cache, 0700);
  return wrong;
}

static void test_read_only(void)
{
  CU_ASSERT_EQUAL(chmod(sandbox_folder, 01777), 0);
  CU_ASSERT_EQUAL(sandbox_child(read_only, true), 0);
}

/* A folder without permission to enter it. */
static int closed(void)
{
  snprintf(sandbox_cache, sizeof sandbox_cache, "%.4000s/closed/cache", sandbox_folder);
  expect_unused("Permission denied");
  return CU_get_number_of_failures() != 0;
}

static void test_closed(void)
{
  CU_ASSERT_EQUAL(chmod(sandbox_folder, 01777), 0);
  CU_ASSERT_EQUAL(mkdir(sandbox_path(sandbox_folder, "closed"), geteuid() ? 0 : 0700), 0);
  CU_ASSERT_EQUAL(sandbox_child(closed, true), 0);
  CU_ASSERT_EQUAL(chmod(sandbox_path(sandbox_folder, "closed"), 0700), 0);
}

static void test_size_zero(void)
{
  CU_ASSERT(compiles_all("cache_size=0"));
  CU_ASSERT(compiles_all("cache_size=0"));
  CU_ASSERT_FALSE(sandbox_exists(sandbox_cache));
  CU_ASSERT_EQUAL(sandbox_count(sandbox_temporary, "", NULL), 0);
}

static void test_removed_between_runs(void)
{
  CU_ASSERT(compiles_all(NULL));
  sandbox_remove(sandbox_cache);
  CU_ASSERT(compiles_all(NULL));
  CU_ASSERT(finds_all());
}

/* ---- no space ---- */

/* Files cannot grow beyond a few bytes, as on a full disk. */
static int full_disk(void)
{
  const struct rlimit few = {64, 64};
  signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &few)) return 100;
  small_outcome o = small_run_cached(NULL, NULL);
  return o.err != PL_ERR_IO || !strstr(o.message, "TMPDIR");
}

/* Space for the source, not for the library. */
static int nearly_full_disk(void)
{
  const struct rlimit some = {8192, 8192};
  signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &some)) return 100;
  small_outcome o = small_run_cached(NULL, NULL);
  return !o.err || !strlen(o.message) || sandbox_count(sandbox_cache, ".so", NULL);
}

static void test_no_room(void)
{
  int before = sandbox_capture_stderr();
  int full = sandbox_child(full_disk, false), nearly = sandbox_child(nearly_full_disk, false);
  free(sandbox_captured(before));
  CU_ASSERT_EQUAL(full, 0);
  CU_ASSERT_EQUAL(nearly, 0);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL), 0);
  CU_ASSERT(compiles_all(NULL));
  CU_ASSERT(finds_all());
}

/* ---- races ---- */

enum { RACERS = 3 };

static int gate[2];

/* Waits until the other end of the pipe is closed, so that all start together. */
static int race(void)
{
  char byte;
  close(gate[1]);
  while (read(gate[0], &byte, 1) > 0) continue;
  small_outcome o = small_run_cached(NULL, NULL);
  return !o.right || o.stats.codes_compiled + o.stats.codes_disk != SMALL_LOOPS;
}

static void test_race(void)
{
  pid_t children[RACERS];
  CU_ASSERT_EQUAL_FATAL(pipe(gate), 0);
  fflush(NULL);
  for (int i = 0; i < RACERS; i++) {
    children[i] = fork();
    CU_ASSERT_FATAL(children[i] >= 0);
    if (!children[i]) _exit(race());
  }
  close(gate[0]);
  close(gate[1]);
  for (int i = 0; i < RACERS; i++) {
    int status = -1;
    waitpid(children[i], &status, 0);
    CU_ASSERT_EQUAL(status, 0);
  }
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL), SMALL_LOOPS);
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".plait-", NULL), 0);
  CU_ASSERT(finds_all());
}

/* ---- damage ---- */

typedef void (*damage)(const char *path, char *bytes, size_t size);

static void empty(const char *path, char *bytes, size_t size)
{
  (void)size;
  sandbox_write(path, bytes, 0, 0700);
}

static void halve(const char *path, char *bytes, size_t size)
{
  sandbox_write(path, bytes, size / 2, 0700);
}

static void cut_end(const char *path, char *bytes, size_t size)
{
  sandbox_write(path, bytes, size - 1, 0700);
}

static void flip_middle(const char *path, char *bytes, size_t size)
{
  bytes[size / 2] ^= 0x40;
  sandbox_write(path, bytes, size, 0700);
}

static void flip_first(const char *path, char *bytes, size_t size)
{
  bytes[0] ^= 0x01;
  sandbox_write(path, bytes, size, 0700);
}

static void flip_many(const char *path, char *bytes, size_t size)
{
  for (size_t i = 0; i < size; i += 97) bytes[i] ^= (char)(1 << i % 8);
  sandbox_write(path, bytes, size, 0700);
}

static void append(const char *path, char *bytes, size_t size)
{
  bytes[size] = '\n'; /* sandbox_read allocates one byte more */
  sandbox_write(path, bytes, size + 1, 0700);
}

static void replace_by_fifo(const char *path, char *bytes, size_t size)
{
  (void)bytes, (void)size;
  unlink(path);
  CU_ASSERT_EQUAL(mkfifo(path, 0700), 0);
}

/* Damages every file of the folder and of its src; returns the number of entries. */
static int damage_all(const char *folder, damage hurt)
{
  int entries = 0;
  char path[2 * PATH_MAX];
  DIR *open_folder = opendir(folder);
  CU_ASSERT_PTR_NOT_NULL_FATAL(open_folder);
  for (struct dirent *file; (file = readdir(open_folder));) {
    struct stat info;
    size_t size;
    if (*file->d_name == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
    CU_ASSERT_EQUAL_FATAL(lstat(path, &info), 0);
    if (S_ISDIR(info.st_mode)) {
      damage_all(path, hurt);
      continue;
    }
    char *bytes = sandbox_read(path, &size);
    hurt(path, bytes, size);
    free(bytes);
    entries += strstr(file->d_name, ".so") != NULL;
  }
  closedir(open_folder);
  return entries;
}

static void test_damage(void)
{
  static const damage kinds[] = {empty,      halve,     cut_end, flip_middle,
                                 flip_first, flip_many, append,  replace_by_fifo};
  CU_ASSERT(compiles_all(NULL));
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    CU_ASSERT_EQUAL(damage_all(sandbox_cache, kinds[i]), SMALL_LOOPS);
    if (!compiles_all(NULL)) {
      fprintf(stderr, "after damage of kind %zu\n", i);
      CU_FAIL("a damaged entry was not compiled again");
    }
    CU_ASSERT(finds_all()); /* the entry was replaced */
  }
  CU_ASSERT_EQUAL(sandbox_count(sandbox_cache, ".so", NULL), SMALL_LOOPS);
}

/* Two entries with swapped names. */
static void test_exchanged(void)
{
  char names[2][NAME_MAX + 1] = {"", ""};
  CU_ASSERT(compiles_all(NULL));
  DIR *folder = opendir(sandbox_cache);
  int n = 0;
  for (struct dirent *file; folder && (file = readdir(folder));)
    if (strstr(file->d_name, ".so") && n < 2) snprintf(names[n++], sizeof names[0], "%s", file->d_name);
  closedir(folder);
  CU_ASSERT_EQUAL_FATAL(n, 2);
  CU_ASSERT_EQUAL(rename(sandbox_path(sandbox_cache, names[0]), sandbox_path(sandbox_folder, "held")), 0);
  CU_ASSERT_EQUAL(rename(sandbox_path(sandbox_cache, names[1]), sandbox_path(sandbox_cache, names[0])), 0);
  CU_ASSERT_EQUAL(rename(sandbox_path(sandbox_folder, "held"), sandbox_path(sandbox_cache, names[1])), 0);
  CU_ASSERT(compiles_all(NULL));
  CU_ASSERT(finds_all());
}

static CU_TestInfo tests[] = {
  {"a good folder", test_good_folder},
  {"a folder under a file", test_under_a_file},
  {"folders that others may write into", test_open_to_all},
  {"a read-only folder", test_read_only},
  {"a folder that may not be entered", test_closed},
  {"size 0: no cache", test_size_zero},
  {"a folder removed between two runs", test_removed_between_runs},
  {"no space for files", test_no_room},
  {"processes that race", test_race},
  {"damaged entries", test_damage},
  {"swapped entries", test_exchanged},
  CU_TEST_INFO_NULL,
};

int main(void)
{
  sandbox_clear_options();
  return sandbox_main("cache", tests);
}
