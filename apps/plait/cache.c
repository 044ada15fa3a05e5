/* SPDX-License-Identifier: BSD-2-Clause
 * plait cache: lists, verifies and removes the entries of the cache of compiled code.
 */
#include "cache.h"
#include "codegen/jit/cache_entry.h"
#include "core/base/hash.h"
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <plait.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HEX4 "[0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
#define HEX16 HEX4 HEX4 HEX4 HEX4

/* The cache's own files, relative to its folder. */
static const char entries_pattern[] = HEX16 ".so", c_pattern[] = "src/*-" HEX16 ".c",
                  cpp_pattern[] = "src/*-" HEX16 ".cpp", work_pattern[] = ".plait-*";

enum { DAY = 86400, ABANDONED = 3600 /* seconds, as for the library */ };

/* ---- entries ---- */

typedef struct entry {
  long long size;
  time_t used;
  uint64_t hash; /* of the key, which names the kept source too */
} entry;

/* Why the loader would not take the bytes; NULL if it would. */
static const char *check_bytes(FILE *file, entry *e)
{
  pl_cache_footer end;
  size_t size = (size_t)e->size;
  char *bytes = malloc(size + 1);
  const char *why = !bytes ? "no memory to read it" : NULL;
  if (!why && (fread(bytes, 1, size, file) != size || !pl_cache_footer_read(bytes, size, &end)))
    why = "damaged or truncated";
  if (!why) e->hash = pl_hash(PL_HASH_START, bytes + end.code_size, end.key_size);
  free(bytes);
  return why;
}

/* Opens and checks an entry as the loader does. 0 if it is gone: another process has removed it. */
static int read_entry(const char *name, entry *e, const char **why)
{
  struct stat info;
  int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  *e = (entry){.size = 0};
  *why = "cannot be opened";
  if (fd < 0) return !lstat(name, &info);
  FILE *file = fstat(fd, &info) ? NULL : fdopen(fd, "rb");
  if (!file) return close(fd), 1;
  e->size = info.st_size;
  e->used = info.st_mtime;
  if (!S_ISREG(info.st_mode))
    *why = "not a regular file";
  else if (info.st_uid != geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)))
    *why = "others may write it";
  else
    *why = check_bytes(file, e);
  fclose(file);
  return 1;
}

/* The label of the source "LABEL-HASH.c"; "-" if it is not kept. */
static void find_label(const glob_t *sources, uint64_t hash, char *label, size_t size)
{
  char tail[24];
  snprintf(tail, sizeof tail, "-%016" PRIx64 ".", hash);
  snprintf(label, size, "-");
  for (size_t i = 0; i < sources->gl_pathc; i++) {
    const char *name = sources->gl_pathv[i] + strlen("src/"), *at = strstr(name, tail);
    if (at) snprintf(label, size, "%.*s", (int)(at - name), name);
  }
}

static double seconds_since(time_t then)
{
  return difftime(time(NULL), then);
}

/* One entry: a line, if it is listed or unusable. 1 if it is unusable. */
static int print_entry(const char *name, const glob_t *sources, int list)
{
  entry e;
  const char *why;
  char label[64];
  if (!read_entry(name, &e, &why)) return 0;
  if (!why) find_label(sources, e.hash, label, sizeof label);
  if (list)
    printf("%-20s %10lld %8.1f  %s%s%s\n", name, e.size, seconds_since(e.used) / DAY, why ? "(" : "",
           why ? why : label, why ? ")" : "");
  else if (why)
    printf("%s: %s\n", name, why);
  return !!why;
}

/* The files of a pattern, after those that `files` has. */
static void find_files(const char *pattern, int flags, glob_t *files)
{
  if (glob(pattern, flags, NULL, files) && !flags) files->gl_pathc = 0;
}

static int print_entries(int list)
{
  glob_t entries, sources;
  int unusable = 0;
  find_files(entries_pattern, 0, &entries);
  find_files(c_pattern, 0, &sources);
  find_files(cpp_pattern, GLOB_APPEND, &sources);
  if (list) printf("%-20s %10s %8s  %s\n", "entry", "bytes", "days", "name");
  for (size_t i = 0; i < entries.gl_pathc; i++) unusable += print_entry(entries.gl_pathv[i], &sources, list);
  printf("%zu entries, %d unusable\n", entries.gl_pathc, unusable);
  globfree(&entries);
  globfree(&sources);
  return unusable && !list;
}

/* ---- removal ---- */

/* Removes the files of a pattern that were last used at least so many seconds ago. */
static int remove_files(const char *pattern, long seconds)
{
  glob_t files;
  struct stat info;
  int removed = 0;
  find_files(pattern, 0, &files);
  for (size_t i = 0; i < files.gl_pathc; i++)
    if (!lstat(files.gl_pathv[i], &info) && S_ISREG(info.st_mode) &&
        (!seconds || seconds_since(info.st_mtime) >= (double)seconds))
      removed += !unlink(files.gl_pathv[i]);
  globfree(&files);
  return removed;
}

static int clear_cache(long days)
{
  struct stat info;
  int entries = remove_files(entries_pattern, days * DAY), sources = 0;
  if (!lstat("src", &info) && S_ISDIR(info.st_mode))
    sources = remove_files(c_pattern, days * DAY) + remove_files(cpp_pattern, days * DAY);
  remove_files(work_pattern, ABANDONED);
  printf("%d entries and %d sources removed\n", entries, sources);
  return 0;
}

/* ---- the command ---- */

static int usage(FILE *to)
{
  fprintf(to, "usage: plait cache list | verify | clear [--older-than DAYS]\n"
              "  list     each entry: file, bytes, days since its last use, name of the loop\n"
              "  verify   names entries that would not be used; exit status 1 if there are any\n"
              "  clear    removes entries and sources, or those not used for DAYS days\n");
  return to == stdout ? 0 : 2;
}

static int wrong(const char *text, const char *word)
{
  fprintf(stderr, "plait cache: %s%s (see plait cache --help)\n", text, word);
  return 2;
}

static int act(const char *action, long days)
{
  if (!strcmp(action, "clear")) return clear_cache(days);
  return print_entries(!strcmp(action, "list"));
}

/* Acts in the folder of the cache, on one rank. */
static int run(const char *action, long days, int *argc, char ***argv)
{
  static const char *const plain[] = {"backend=seq", NULL};
  const pl_settings settings = {.options = plain};
  const char *path = "";
  pl_context *pl;
  int status = 0;
  if (pl_init(argc, argv, &settings, &pl) || pl_get_option(pl, "cache_dir", &path)) {
    fprintf(stderr, "plait cache: %s\n", pl_errmsg(pl));
    status = 1;
  } else if (pl_rank(pl) == 0) {
    if (*path && !chdir(path))
      status = act(action, days);
    else
      printf("there is no cache yet\n");
  }
  pl_finalize(&pl);
  return fflush(stdout) ? 1 : status;
}

int cache_command(int argc, char **argv)
{
  const char *action = NULL;
  long days = 0;
  for (int i = 2; i < argc; i++) {
    char *end = argv[i];
    if (!strcmp(argv[i], "--help")) return usage(stdout);
    if (!strncmp(argv[i], "--plait-", 8)) continue;
    if (!strcmp(argv[i], "--older-than")) {
      if (i + 1 < argc) days = strtol(argv[++i], &end, 10);
      if (*end || days < 1 || days > 100000)
        return wrong("--older-than needs a whole number of days from 1 on", "");
    } else if (action) {
      return wrong("unexpected argument ", argv[i]);
    } else {
      action = argv[i];
    }
  }
  if (!action || (strcmp(action, "list") && strcmp(action, "verify") && strcmp(action, "clear")))
    return wrong("expected list, verify or clear", "");
  if (days && strcmp(action, "clear")) return wrong("--older-than belongs to clear", "");
  return run(action, days, &argc, &argv);
}
