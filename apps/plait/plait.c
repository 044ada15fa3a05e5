/* SPDX-License-Identifier: BSD-2-Clause
 * plait: says what the library can do on this machine.
 *
 *   plait info      version, backends, devices, modules, compiler, cache, options
 *   plait options   the table of options with their present values
 *   plait cache     the entries of the cache of compiled code: cache.c
 *   plait mesh      counts, quality and groups of a mesh: mesh.c
 *   plait roofline  rates of the machine, and of the loops of a profile: roofline.c
 *   plait show      the generated code of a program: show.c
 *   plait trace     a summary of a trace: trace.c
 *
 * Exit status 0; 1 if the backend that would be used cannot be (the rest is still printed) or an option is
 * wrong; 2 for a wrong command line. Options are taken from the environment and --plait-NAME=VALUE as in
 * every program.
 */
#include "cache.h"
#include "mesh.h"
#include "roofline.h"
#include "show.h"
#include "trace.h"
#include <ctype.h>
#include <dirent.h>
#include <plait.h>
#include <string.h>
#include <sys/stat.h>

#ifndef PLAIT_DEFAULT_CC
#define PLAIT_DEFAULT_CC "cc"
#endif

/* ---- backends and devices ---- */

static void print_devices(pl_context *pl, const char *backend)
{
  pl_device_info d;
  for (int i = 0; !pl_device_at(pl, backend, i, &d); i++)
    printf("            %-5s %s\n                  %s; %d units; doubles: %s; atomics of 64 bits: %s\n",
           d.number, d.name, d.version, d.units, d.has_double ? "yes" : "no",
           d.has_atomics_64 ? "yes" : "no");
}

static void print_backends(pl_context *pl, const char *in_use)
{
  const char *name, *why;
  printf("backends\n");
  for (int i = 0; !pl_backend_at(pl, i, &name, &why); i++) {
    int used = !strcmp(name, in_use), threads = used ? pl_backend_threads(pl) : 0;
    printf("  %-9s %s%s", name, why ? "no: " : "yes", why ? why : "");
    if (used) printf(", in use");
    if (threads > 1) printf(", %d threads", threads);
    printf("\n");
    if (!why) print_devices(pl, name);
  }
}

/* ---- modules ---- */

static void print_modules(pl_context *pl)
{
  const char *name, *why;
  printf("\nmodules\n");
  for (int i = 0; !pl_module_at(pl, i, &name, &why); i++)
    printf("  %-9s %s%s\n", name, why ? "no: " : "yes", why ? why : "");
}

/* ---- the compiler of host code ---- */

/* The first line that `compiler --version` prints; 0 if there is no such compiler. */
static int ask_version(const char *compiler, char *line, size_t size)
{
  char command[PATH_ROOM];
  snprintf(command, sizeof command, "%s --version 2>/dev/null", compiler);
  FILE *pipe = popen(command, "r");
  int answered = pipe && fgets(line, (int)size, pipe);
  if (pipe && pclose(pipe) != 0) answered = 0;
  line[answered ? strcspn(line, "\n") : 0] = '\0';
  return answered;
}

static void print_compiler(const char *asked)
{
  const char *const candidates[] = {*asked ? asked : PLAIT_DEFAULT_CC, "cc", "gcc", "clang"};
  char line[200];
  size_t i = 0, n = *asked ? 1 : sizeof candidates / sizeof *candidates;
  while (i < n && !ask_version(candidates[i], line, sizeof line)) i++;
  printf("\ncompiler of host code\n");
  if (i < n)
    printf("  %s: %s\n", candidates[i], line);
  else
    printf("  none: \"%s\" does not answer; install a C compiler or set PLAIT_CC\n", candidates[0]);
}

/* ---- the cache ---- */

/* Adds up the files of a folder, of its subfolders too; 0 if it cannot be read. */
static int add_up(const char *folder, int *files, double *bytes)
{
  DIR *open_folder = opendir(folder);
  if (!open_folder) return 0;
  for (struct dirent *entry; (entry = readdir(open_folder));) {
    char path[PATH_ROOM];
    struct stat info;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (length >= PATH_ROOM || lstat(path, &info)) continue;
    if (S_ISDIR(info.st_mode)) add_up(path, files, bytes);
    if (!S_ISREG(info.st_mode)) continue;
    ++*files;
    *bytes += (double)info.st_size;
  }
  closedir(open_folder);
  return 1;
}

static void print_cache(const char *path, const char *most)
{
  int files = 0;
  double bytes = 0;
  printf("\ncache of compiled code\n");
  if (!strcmp(most, "0"))
    printf("  none: PLAIT_CACHE_SIZE is 0\n");
  else if (!*path)
    printf("  none: there is no home folder; set PLAIT_CACHE_DIR\n");
  else if (!add_up(path, &files, &bytes))
    printf("  %s: not there yet\n", path);
  else
    printf("  %s: %d files, %.1f of at most %s MB\n", path, files, bytes / 1e6, most);
}

/* ---- options ---- */

static void print_options(pl_context *pl)
{
  const char *name, *value, *help;
  printf("options\n");
  for (int i = 0; !pl_option_at(pl, i, &name, &value, &help); i++) {
    char upper[40] = "PLAIT_";
    for (size_t k = 0; name[k] && k + 7 < sizeof upper; k++)
      upper[k + 6] = (char)toupper((unsigned char)name[k]);
    printf("  %-19s %-9s %s\n", upper, *value ? value : "-", help);
  }
}

/* ---- commands ---- */

static const char *option(pl_context *pl, const char *name)
{
  const char *value = "";
  return pl_get_option(pl, name, &value) ? "" : value;
}

static void print_info(pl_context *pl, const char *in_use)
{
  printf("plait %s\n\n", pl_version());
  print_backends(pl, in_use);
  print_modules(pl);
  print_compiler(option(pl, "cc"));
  print_cache(option(pl, "cache_dir"), option(pl, "cache_size"));
  printf("\n");
  print_options(pl);
}

/* Opens the context that a program would get; where that fails, one on the backend that is always there. */
static int open_context(int *argc, char ***argv, pl_context **pl)
{
  static const char *const plain[] = {"backend=seq", NULL};
  const pl_settings settings = {.options = plain};
  if (!pl_init(argc, argv, NULL, pl)) return 1;
  fprintf(stderr, "plait: %s\n", pl_errmsg(*pl));
  pl_finalize(pl);
  if (pl_init(NULL, NULL, &settings, pl)) pl_finalize(pl);
  return 0;
}

static int run(const char *command, pl_context *pl, int as_asked)
{
  int info = !strcmp(command, "info");
  if (pl && pl_rank(pl) > 0) return !as_asked; /* one rank tells */
  if (pl && info) print_info(pl, as_asked ? pl_backend_name(pl) : "");
  if (pl && !info) print_options(pl);
  return !as_asked;
}

static int usage(FILE *to)
{
  fprintf(to, "usage: plait info | options | cache | mesh | roofline | show | trace | --version | --help\n"
              "  info      backends, devices, compiler, cache and options on this machine\n"
              "  options   the options of every program, with their present values\n"
              "  cache     lists, verifies or removes compiled code (plait cache --help)\n"
              "  mesh      shows or converts a mesh file (plait mesh --help)\n"
              "  roofline  measures the machine, and compares a profile with it (plait roofline --help)\n"
              "  show      prints the code generated for the loops of a program (plait show --help)\n"
              "  trace     sums up a file of PLAIT_TRACE (plait trace --help)\n");
  return to == stdout ? 0 : 2;
}

static int refuse(const char *argument)
{
  fprintf(stderr, "plait: unknown argument %s (see plait --help)\n", argument);
  return 2;
}

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
} commands[] = {{"cache", cache_command},
                {"mesh", mesh_command},
                {"roofline", roofline_command},
                {"show", show_command},
                {"trace", trace_command}};

int main(int argc, char **argv)
{
  pl_context *pl;
  int as_asked = 1, status;
  for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
    if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc, argv);
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return usage(stdout);
  if (argc == 2 && !strcmp(argv[1], "--version")) return printf("plait %s\n", pl_version()) < 0;
  const char *command = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strncmp(argv[i], "--plait-", 8)) continue;
    if (command) return refuse(argv[i]);
    command = argv[i];
  }
  if (!command) return usage(stderr);
  if (strcmp(command, "info") && strcmp(command, "options")) return refuse(command);
  as_asked = open_context(&argc, &argv, &pl);
  status = run(command, pl, as_asked);
  pl_finalize(&pl);
  return fflush(stdout) ? 1 : status;
}
