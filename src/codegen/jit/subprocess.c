/* SPDX-License-Identifier: BSD-2-Clause
 * Command lines: building, printing, finding the program, running.
 */
#include "subprocess.h"
#include "core/context/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char blanks[] = " \t\n";

/* ---- words ---- */

void pl_subprocess_add(pl_string *command, const char *word)
{
  pl_string_add_bytes(command, word, strlen(word) + 1);
}

void pl_subprocess_split(pl_string *command, const char *string)
{
  for (size_t n; string += strspn(string, blanks), (n = strcspn(string, blanks)); string += n) {
    pl_string_add_bytes(command, string, n);
    pl_string_add_bytes(command, "", 1);
  }
}

void pl_subprocess_args(pl_string *command, const char *before, const char *const *list)
{
  for (; list && *list; list++) {
    if (before) pl_subprocess_add(command, before);
    pl_subprocess_add(command, *list);
  }
}

const char *pl_subprocess_next(const pl_string *command, const char *word)
{
  const char *next = word ? word + strlen(word) + 1 : command->data;
  return next && next < command->data + command->length ? next : NULL;
}

void pl_subprocess_print(const pl_string *command, pl_string *text)
{
  for (const char *w = NULL; (w = pl_subprocess_next(command, w));) {
    bool plain = *w && !w[strcspn(w, " \t\n\"'\\$`&|;<>()*?#~!{}[]")];
    const char *space = w == command->data ? "" : " ";
    pl_string_add(text, plain ? "%s%s" : "%s'%s'", space, w);
  }
}

/* ---- finding ---- */

static bool is_executable(const char *path)
{
  struct stat info;
  return !stat(path, &info) && S_ISREG(info.st_mode) && !access(path, X_OK);
}

/* Also true without memory for the path, to end the search; the caller checks `path`. */
static bool is_program_at(const char *folder, int length, const char *name, pl_string *path)
{
  pl_string_add(path, "%.*s%s%s", length, folder, length ? "/" : "", name);
  if (path->failed || is_executable(path->data)) return true;
  pl_string_free(path);
  return false;
}

bool pl_subprocess_find(const char *name, pl_string *path)
{
  if (strchr(name, '/')) return is_program_at("", 0, name, path);
  const char *folder = getenv("PATH");
  if (!folder) folder = "/usr/local/bin:/usr/bin:/bin";
  for (;; folder++) {
    int length = (int)strcspn(folder, ":");
    if (length ? is_program_at(folder, length, name, path) : is_program_at(".", 1, name, path)) return true;
    folder += length;
    if (!*folder) return false;
  }
}

/* ---- running ---- */

static int redirect_files(posix_spawn_file_actions_t *files, const char *log)
{
  int failure = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);
  if (!failure) failure = posix_spawn_file_actions_addopen(files, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  return failure ? failure : posix_spawn_file_actions_adddup2(files, 1, 2);
}

/* Default signal handling whatever this thread blocks or ignores: the compiler waits for its children.
 * apart: in a process group of its own. */
static int set_attributes(posix_spawnattr_t *how, bool apart)
{
  sigset_t none, ordinary;
  sigemptyset(&none);
  sigemptyset(&ordinary);
  sigaddset(&ordinary, SIGCHLD);
  sigaddset(&ordinary, SIGPIPE);
  int failure = posix_spawnattr_setsigmask(how, &none);
  if (!failure) failure = posix_spawnattr_setsigdefault(how, &ordinary);
  if (failure) return failure;
  return posix_spawnattr_setflags(
    how, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (apart ? POSIX_SPAWN_SETPGROUP : 0)));
}

/* Starts the process; 0 or an errno. */
static int spawn_process(const char *path, char **argv, const char *log, bool apart, pid_t *process)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  int failure = posix_spawn_file_actions_init(&files);
  if (failure) return failure;
  failure = posix_spawnattr_init(&how);
  if (!failure) {
    failure = redirect_files(&files, log);
    if (!failure) failure = set_attributes(&how, apart);
    if (!failure) failure = posix_spawn(process, path, &files, &how, argv, environ);
    posix_spawnattr_destroy(&how);
  }
  posix_spawn_file_actions_destroy(&files);
  return failure;
}

static char **make_argv(const pl_string *command)
{
  size_t n = 0;
  for (const char *w = NULL; (w = pl_subprocess_next(command, w));) n++;
  char **argv = pl_calloc(command->pl, n + 1, sizeof *argv);
  n = 0;
  for (const char *w = NULL; argv && (w = pl_subprocess_next(command, w));) argv[n++] = (char *)w;
  return argv;
}

static pl_err start(const char *path, const pl_string *command, const char *log, bool apart, long *process,
                    pl_string *why)
{
  char **argv = make_argv(command);
  pid_t started = 0;
  *process = 0;
  if (!argv) return pl_fail_memory(command->pl, sizeof *argv);
  int failure = spawn_process(path, argv, log, apart, &started);
  pl_free(command->pl, argv);
  if (failure)
    pl_string_add(why, "could not be started (%s)", strerror(failure));
  else
    *process = started;
  return pl_string_check(why);
}

pl_err pl_subprocess_start(const char *path, const pl_string *command, const char *log, long *process,
                           pl_string *why)
{
  return start(path, command, log, true, process, why);
}

void pl_subprocess_wait(long process, pl_string *why)
{
  int status = 0;
  while (waitpid((pid_t)process, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status))
    pl_string_add(why, "was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else if (WEXITSTATUS(status) == 127) /* from posix_spawn, if exec failed */
    pl_string_add(why, "could not be started (exit status 127)");
  else if (WEXITSTATUS(status))
    pl_string_add(why, "failed with exit status %d", WEXITSTATUS(status));
}

bool pl_subprocess_ended(long process)
{
  siginfo_t info = {0};
  int failed = waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT);
  return failed ? errno != EINTR : info.si_pid != 0;
}

void pl_subprocess_stop(long process)
{
  kill((pid_t)-process, SIGTERM);
  while (waitpid((pid_t)process, NULL, 0) < 0 && errno == EINTR) continue;
}

pl_err pl_subprocess_run(const char *path, const pl_string *command, const char *log, pl_string *why)
{
  long process;
  PL_TRY(start(path, command, log, false, &process, why));
  if (process) pl_subprocess_wait(process, why);
  return pl_string_check(why);
}
