/* SPDX-License-Identifier: BSD-2-Clause
 * Folders, files, scripts and processes of the tests.
 */
#include "sandbox.h"
#include "suite.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char sandbox_folder[PATH_MAX], sandbox_cache[PATH_MAX], sandbox_temporary[PATH_MAX];

static char base[PATH_MAX / 2]; /* of this program */
static CU_SetUpFunc test_set_up;
static CU_TearDownFunc test_tear_down;

/* ---- files ---- */

const char *sandbox_path(const char *folder, const char *name)
{
  static char paths[8][2 * PATH_MAX];
  static int next;
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

bool sandbox_exists(const char *path)
{
  struct stat info;
  return !lstat(path, &info);
}

void sandbox_remove(const char *path)
{
  DIR *folder = opendir(path);
  for (struct dirent *file; folder && (file = readdir(folder));) {
    char inner[2 * PATH_MAX];
    struct stat info;
    if (!strcmp(file->d_name, ".") || !strcmp(file->d_name, "..")) continue;
    snprintf(inner, sizeof inner, "%s/%s", path, file->d_name);
    if (!lstat(inner, &info) && S_ISDIR(info.st_mode)) sandbox_remove(inner);
    unlink(inner);
  }
  if (folder) closedir(folder);
  if (rmdir(path)) unlink(path);
}

void sandbox_write(const char *path, const void *bytes, size_t size, int mode)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  CU_ASSERT_FATAL(fd >= 0);
  CU_ASSERT_EQUAL_FATAL(write(fd, bytes, size), (ssize_t)size);
  CU_ASSERT_EQUAL(fchmod(fd, (mode_t)mode), 0);
  close(fd);
}

char *sandbox_read(const char *path, size_t *size)
{
  struct stat info;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  CU_ASSERT_FATAL(fd >= 0 && !fstat(fd, &info));
  char *bytes = calloc(1, (size_t)info.st_size + 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
  CU_ASSERT_EQUAL_FATAL(read(fd, bytes, (size_t)info.st_size), info.st_size);
  close(fd);
  if (size) *size = (size_t)info.st_size;
  return bytes;
}

int sandbox_count(const char *path, const char *part, char *last)
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

const char *sandbox_script(const char *name, const char *text)
{
  const char *path = sandbox_path(sandbox_folder, name);
  sandbox_write(path, text, strlen(text), 0755);
  return path;
}

/* ---- stderr and processes ---- */

int sandbox_capture_stderr(void)
{
  fflush(stderr);
  int before = dup(2),
      fd = open(sandbox_path(sandbox_folder, "stderr"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  CU_ASSERT_FATAL(before >= 0 && fd >= 0);
  dup2(fd, 2);
  close(fd);
  return before;
}

char *sandbox_captured(int before)
{
  fflush(stderr);
  dup2(before, 2);
  close(before);
  return sandbox_read(sandbox_path(sandbox_folder, "stderr"), NULL);
}

int sandbox_child(int (*body)(void), bool ordinary)
{
  fflush(NULL);
  pid_t child = fork();
  CU_ASSERT_FATAL(child >= 0);
  if (!child) {
    if (ordinary && !geteuid() && (setgid(65534) || setuid(65534))) _exit(100);
    int result = body();
    fflush(NULL);
    _exit(result);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- the program ---- */

static void create_folder(void)
{
  static int n;
  snprintf(sandbox_folder, sizeof sandbox_folder, "%s/%d", base, n++);
  snprintf(sandbox_cache, sizeof sandbox_cache, "%.4000s/cache", sandbox_folder);
  snprintf(sandbox_temporary, sizeof sandbox_temporary, "%.4000s/tmp", sandbox_folder);
  mkdir(sandbox_folder, 0755);
  mkdir(sandbox_temporary, 01777);
  chmod(sandbox_temporary, 01777);
  setenv("TMPDIR", sandbox_temporary, 1);
  if (test_set_up) test_set_up();
}

static void remove_folder(void)
{
  if (test_tear_down) test_tear_down();
  sandbox_remove(sandbox_folder);
}

void sandbox_clear_options(void)
{
  extern char **environ;
  for (char **entry = environ; *entry;) {
    char name[64];
    size_t length = strcspn(*entry, "=");
    if (strncmp(*entry, "PLAIT_", 6) || !strncmp(*entry, "PLAIT_CFLAGS=", 13) || length >= sizeof name) {
      entry++;
      continue;
    }
    memcpy(name, *entry, length);
    name[length] = '\0';
    unsetenv(name);
    entry = environ;
  }
}

int sandbox_main_each(const char *name, CU_SetUpFunc set_up, CU_TearDownFunc tear_down, CU_TestInfo *tests)
{
  test_set_up = set_up;
  test_tear_down = tear_down;
  const char *temporary = getenv("TMPDIR");
  snprintf(base, sizeof base, "%.1000s/plait-%.40s-XXXXXX",
           temporary && *temporary == '/' ? temporary : "/tmp", name);
  if (!mkdtemp(base) || chmod(base, 0755)) return 2;
  const int failed = suite_run_each(name, create_folder, remove_folder, tests);
  sandbox_remove(base);
  return failed || sandbox_exists(base);
}

int sandbox_main(const char *name, CU_TestInfo *tests)
{
  return sandbox_main_each(name, NULL, NULL, tests);
}
