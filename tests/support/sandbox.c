/* SPDX-License-Identifier: BSD-2-Clause
 * Folders, files, scripts and processes.
 */
#include "places.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char faults_room[PATH_MAX], faults_cache[PATH_MAX], faults_temporary[PATH_MAX];

static char base[PATH_MAX / 2]; /* of this program */

/* ---- files ---- */

const char *faults_in(const char *folder, const char *name)
{
  static char paths[8][2 * PATH_MAX];
  static int next;
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

bool faults_exists(const char *path)
{
  struct stat info;
  return !lstat(path, &info);
}

void faults_remove(const char *path)
{
  DIR *folder = opendir(path);
  for (struct dirent *file; folder && (file = readdir(folder));) {
    char inner[2 * PATH_MAX];
    struct stat info;
    if (!strcmp(file->d_name, ".") || !strcmp(file->d_name, "..")) continue;
    snprintf(inner, sizeof inner, "%s/%s", path, file->d_name);
    if (!lstat(inner, &info) && S_ISDIR(info.st_mode)) faults_remove(inner);
    unlink(inner);
  }
  if (folder) closedir(folder);
  if (rmdir(path)) unlink(path);
}

void faults_write(const char *path, const void *bytes, size_t size, int mode)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  CU_ASSERT_FATAL(fd >= 0);
  CU_ASSERT_EQUAL_FATAL(write(fd, bytes, size), (ssize_t)size);
  CU_ASSERT_EQUAL(fchmod(fd, (mode_t)mode), 0);
  close(fd);
}

char *faults_read(const char *path, size_t *size)
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

int faults_count(const char *path, const char *part, char *last)
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

const char *faults_script(const char *name, const char *text)
{
  const char *path = faults_in(faults_room, name);
  faults_write(path, text, strlen(text), 0755);
  return path;
}

/* ---- stderr and processes ---- */

int faults_listen(void)
{
  fflush(stderr);
  int before = dup(2),
      fd = open(faults_in(faults_room, "stderr"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  CU_ASSERT_FATAL(before >= 0 && fd >= 0);
  dup2(fd, 2);
  close(fd);
  return before;
}

char *faults_stop_listening(int before)
{
  fflush(stderr);
  dup2(before, 2);
  close(before);
  return faults_read(faults_in(faults_room, "stderr"), NULL);
}

int faults_child(int (*body)(void), bool ordinary)
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

static void enter_room(void)
{
  static int n;
  snprintf(faults_room, sizeof faults_room, "%s/%d", base, n++);
  snprintf(faults_cache, sizeof faults_cache, "%.4000s/cache", faults_room);
  snprintf(faults_temporary, sizeof faults_temporary, "%.4000s/tmp", faults_room);
  mkdir(faults_room, 0755);
  mkdir(faults_temporary, 01777);
  chmod(faults_temporary, 01777);
  setenv("TMPDIR", faults_temporary, 1);
}

static void leave_room(void)
{
  faults_remove(faults_room);
}

/* Options of whoever runs the tests must not decide what they find; but valgrind knows fewer instructions
 * than the processor, and PLAIT_CFLAGS says so. */
static void forget_options(void)
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

int faults_main(const char *name, const CU_TestInfo *tests)
{
  CU_SuiteInfo suites[] = {{name, NULL, NULL, enter_room, leave_room, (CU_TestInfo *)tests},
                           CU_SUITE_INFO_NULL};
  const char *temporary = getenv("TMPDIR");
  forget_options();
  snprintf(base, sizeof base, "%.1000s/plait-%.40s-XXXXXX",
           temporary && *temporary == '/' ? temporary : "/tmp", name);
  if (!mkdtemp(base) || chmod(base, 0755) || CU_initialize_registry() || CU_register_suites(suites)) return 2;
  CU_basic_set_mode(CU_BRM_NORMAL);
  CU_basic_run_tests();
  int failures = (int)CU_get_number_of_failures(), ran = (int)CU_get_number_of_tests_run();
  CU_cleanup_registry();
  faults_remove(base);
  return failures > 0 || !ran || faults_exists(base);
}
