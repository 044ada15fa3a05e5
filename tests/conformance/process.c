/* SPDX-License-Identifier: BSD-2-Clause
 * Process helpers of cases: captured stderr, temporary folders, and running this program again.
 */
#include "conformance.h"
#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- files ---- */

static char *read_stream(FILE *file)
{
  size_t size = 0, room = 4096;
  char *text = malloc(room);
  for (size_t n; text && (n = fread(text + size, 1, room - size - 1, file)) > 0;) {
    size += n;
    if (room - size > 1) continue;
    char *longer = realloc(text, room *= 2);
    if (!longer) free(text);
    text = longer;
  }
  if (text) text[size] = '\0';
  return text;
}

char *conf_read(const char *path)
{
  FILE *file = fopen(path, "rb");
  char *text = file ? read_stream(file) : NULL;
  if (file) fclose(file);
  return text;
}

bool conf_find(const char *folder, const char *suffix, char path[512])
{
  DIR *dir = opendir(folder);
  bool found = false;
  for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
    size_t n = strlen(entry->d_name), m = strlen(suffix);
    found = n >= m && !strcmp(entry->d_name + n - m, suffix);
    if (found) snprintf(path, 512, "%s/%s", folder, entry->d_name);
  }
  if (dir) closedir(dir);
  return found;
}

static void remove_folder(const char *path)
{
  char inner[1024];
  DIR *dir = opendir(path);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
    struct stat info;
    if (!lstat(inner, &info) && S_ISDIR(info.st_mode))
      remove_folder(inner);
    else
      unlink(inner);
  }
  if (dir) closedir(dir);
  rmdir(path);
}

/* All folders of the run lie in one folder, which is removed at exit. */
static char base[200];
static int folders;

static void remove_base(void)
{
  remove_folder(base);
}

const char *conf_folder(char path[256])
{
  if (!*base) {
    const char *temp = getenv("TMPDIR");
    snprintf(base, sizeof base, "%.150s/plait-conformance-XXXXXX", temp && *temp ? temp : "/tmp");
    if (!mkdtemp(base)) perror(base);
    atexit(remove_base);
  }
  snprintf(path, 256, "%s/%d", base, ++folders);
  if (mkdir(path, 0700)) perror(path);
  return path;
}

/* ---- stderr ---- */

static int real_stderr = -1;
static FILE *caught;

void conf_catch(void)
{
  if (real_stderr >= 0) return;
  fflush(stderr);
  caught = tmpfile();
  real_stderr = dup(STDERR_FILENO);
  if (caught) dup2(fileno(caught), STDERR_FILENO);
}

char *conf_caught(void)
{
  if (real_stderr < 0) return NULL;
  fflush(stderr);
  dup2(real_stderr, STDERR_FILENO);
  close(real_stderr);
  real_stderr = -1;
  char *text = NULL;
  if (caught) {
    rewind(caught);
    text = read_stream(caught);
    fclose(caught);
  }
  return text;
}

/* ---- this program again ---- */

bool conf_child_start(conf *c, const char *mode, const char *cache_dir, conf_process_handle *handle)
{
  char *const argv[] = {"conformance", "--backend", (char *)c->backend, "--child", (char *)mode, NULL};
  char self[4096]; /* the link itself would name valgrind */
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0) return false;
  self[length] = '\0';
  int pipes[2], pid;
  char *old = getenv("PLAIT_CACHE_DIR");
  old = old ? strdup(old) : NULL;
  if (pipe(pipes)) return false;
  fcntl(pipes[0], F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, pipes[1]);
  setenv("PLAIT_CACHE_DIR", cache_dir, 1);
  int failed = posix_spawn(&pid, self, &actions, NULL, argv, environ);
  if (old)
    setenv("PLAIT_CACHE_DIR", old, 1);
  else
    unsetenv("PLAIT_CACHE_DIR");
  free(old);
  posix_spawn_file_actions_destroy(&actions);
  close(pipes[1]);
  *handle = (conf_process_handle){failed ? -1 : pid, pipes[0]};
  if (failed) close(pipes[0]);
  return !failed;
}

char *conf_child_wait(conf_process_handle *handle)
{
  int status;
  FILE *out = fdopen(handle->out, "r");
  char *text = out ? read_stream(out) : NULL;
  if (out) fclose(out);
  if (waitpid(handle->pid, &status, 0) == handle->pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return text;
  fprintf(stderr, "child: %s\n", text ? text : "");
  free(text);
  return NULL;
}

char *conf_child(conf *c, const char *mode, const char *cache_dir)
{
  conf_process_handle handle;
  return conf_child_start(c, mode, cache_dir, &handle) ? conf_child_wait(&handle) : NULL;
}
