/* SPDX-License-Identifier: BSD-2-Clause
 * plait show: see show.h. Runs the program with the option dump set to a temporary folder and prints the
 * files there.
 */
#include "show.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <plait.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/output.h"
#include "cache.h"

typedef struct settings {
  const char *backend, *kernel; /* NULL: the program's, all */
  char **program;
} settings;

/* Runs the program; its output goes to stderr. Its exit status, 127 if it cannot be started. */
static int run_program(const settings *set, const char *folder)
{
  int status;
  const pid_t child = fork();
  if (child < 0) return 127;
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setenv("PLAIT_DUMP", folder, 1);
    if (set->backend) setenv("PLAIT_BACKEND", set->backend, 1);
    execvp(set->program[0], set->program);
    fprintf(stderr, "plait show: %s: %s\n", set->program[0], strerror(errno));
    _exit(127);
  }
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Names of files begin with that of the kernel. */
static bool is_wanted(const char *name, const char *kernel)
{
  const size_t n = kernel ? strlen(kernel) : 0;
  return !kernel || (strncmp(name, kernel, n) == 0 && !isalnum((unsigned char)name[n]) && name[n] != '_');
}

static void print_file(const char *path, const char *name)
{
  char block[4096];
  FILE *file = fopen(path, "r");
  printf("/* ---- %s ---- */\n", name);
  for (size_t n; file && (n = fread(block, 1, sizeof block, file));) fwrite(block, 1, n, stdout);
  if (file) fclose(file);
  printf("\n");
}

/* Prints the wanted files and removes all. Returns how many were printed. */
static int print_files(const char folder[PATH_ROOM - 8], const char *kernel)
{
  char pattern[PATH_ROOM] = "";
  glob_t found = {0};
  int printed = 0;
  strncat(strncat(pattern, folder, PATH_ROOM - 8), "/*", 3);
  glob(pattern, 0, NULL, &found);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *name = strrchr(found.gl_pathv[i], '/') + 1;
    if (is_wanted(name, kernel)) {
      print_file(found.gl_pathv[i], name);
      printed++;
    }
    unlink(found.gl_pathv[i]);
  }
  globfree(&found);
  return printed;
}

static int show(const settings *set)
{
  const char *parent = getenv("TMPDIR");
  char folder[PATH_ROOM - 8];
  snprintf(folder, sizeof folder, "%s/plait-show-XXXXXX", parent && *parent ? parent : "/tmp");
  if (!mkdtemp(folder)) return !output_error("plait show", folder, strerror(errno));
  const int status = run_program(set, folder);
  const int printed = print_files(folder, set->kernel);
  rmdir(folder);
  if (status) fprintf(stderr, "plait show: %s ended with status %d\n", set->program[0], status);
  if (!printed && !status)
    fprintf(stderr, "plait show: %s has run no loop%s%s\n", set->program[0], set->kernel ? " of kernel " : "",
            set->kernel ? set->kernel : "");
  return status || !printed || fflush(stdout) ? 1 : 0;
}

static int usage(FILE *to)
{
  fprintf(
    to,
    "usage: plait show [--backend NAME] [--kernel NAME] -- PROGRAM [ARGUMENTS]\n"
    "  runs a program and prints the code that Plait generates for its loops; the program's output goes to\n"
    "  stderr, and the backend must work on this machine\n"
    "  --backend NAME  sets PLAIT_BACKEND for the program\n"
    "  --kernel NAME   print loops of this kernel only\n");
  return to == stdout ? 0 : 2;
}

int show_command(int argc, char **argv)
{
  settings set = {0};
  int i = 2;
  for (; i < argc && strcmp(argv[i], "--"); i++) {
    if (!strcmp(argv[i], "--help")) return usage(stdout);
    const char **value = !strcmp(argv[i], "--backend")  ? &set.backend
                         : !strcmp(argv[i], "--kernel") ? &set.kernel
                                                        : NULL;
    if (!value || i + 1 >= argc) return usage(stderr);
    *value = argv[++i];
  }
  if (i + 1 >= argc) return usage(stderr);
  set.program = argv + i + 1;
  return show(&set);
}
