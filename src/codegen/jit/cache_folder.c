/* SPDX-License-Identifier: BSD-2-Clause
 * The shared cache folder: path, ownership checks, eviction.
 */
#include "cache_folder.h"
#include "core/context/memory.h"
#include "core/context/options.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  GRACE = 60,       /* seconds in which a new file is not evicted: a process may be about to open it */
  STALE = 3600,     /* seconds after which temporary files count as abandoned */
  KEEP_PERCENT = 90 /* of the limit remain after an eviction */
};

/* ---- path ---- */

static void add_home(pl_string *path)
{
  struct passwd entry, *user = NULL;
  char buffer[4096];
  const char *home = getenv("HOME");
  if (home && *home == '/')
    pl_string_add(path, "%s", home);
  else if (!getpwuid_r(geteuid(), &entry, buffer, sizeof buffer, &user) && user)
    pl_string_add(path, "%s", user->pw_dir);
}

/* A relative XDG_CACHE_HOME is ignored, as its specification demands. */
static void add_default_path(const pl_context *pl, pl_string *path)
{
  const char *named = pl_opt(pl, PL_OPT_CACHE_DIR), *xdg = getenv("XDG_CACHE_HOME");
  if (*named) {
    pl_string_add(path, "%s", named);
  } else if (xdg && *xdg == '/') {
    pl_string_add(path, "%s/plait", xdg);
  } else {
    add_home(path);
    if (path->length) pl_string_add(path, "/.cache/plait");
  }
}

/* Creates the folder and its parents; 0 or the errno of the last mkdir. */
static int create_folders(char *path)
{
  int failure = 0;
  for (char *p = path; *p;) {
    p += strspn(p, "/");
    p += strcspn(p, "/");
    char end = *p;
    *p = '\0';
    failure = mkdir(path, 0700) ? errno : 0;
    *p = end;
  }
  return failure;
}

/* The reason not to trust code in this folder, or NULL. */
static const char *check_owner(const char *path)
{
  struct stat info;
  if (stat(path, &info)) return strerror(errno);
  if (!S_ISDIR(info.st_mode)) return "it is not a folder";
  if (info.st_uid != geteuid()) return "it belongs to another user";
  if (info.st_mode & (S_IWGRP | S_IWOTH)) return "its group or others may write into it";
  return NULL;
}

/* Creates the folder and makes its path absolute; the reason if it cannot be used, or NULL. */
static const char *prepare_folder(pl_string *path)
{
  char real[PATH_MAX];
  int failure = create_folders(path->data);
  if (!realpath(path->data, real)) return strerror(failure && failure != EEXIST ? failure : errno);
  pl_string_free(path);
  pl_string_add(path, "%s", real);
  return path->failed ? NULL : check_owner(real);
}

pl_err pl_cache_folder_choose(pl_context *pl, pl_string *path)
{
  if (!pl_opt_count(pl, PL_OPT_CACHE_SIZE)) return PL_SUCCESS;
  add_default_path(pl, path);
  const char *why = path->length ? prepare_folder(path) : "there is no home folder";
  pl_err err = pl_string_check(path);
  if (!err && !why) return PL_SUCCESS;
  if (!err)
    pl_log(pl, 0,
           "cache folder \"%s\" is not used: %s; set PLAIT_CACHE_DIR to a folder that only you can write",
           pl_string_chars(path), why);
  pl_string_free(path);
  return err;
}

/* ---- eviction ---- */

typedef struct old_file {
  size_t name; /* offset in the names */
  off_t size;
  time_t used;
} old_file;

/* Files that may be evicted, and the size of all. */
typedef struct scan {
  pl_string names;
  old_file *files;
  size_t count, capacity;
  off_t total;
} scan;

/* "<label><16 hex digits><suffix>". */
static bool is_hashed(const char *name, const char *suffix)
{
  size_t length = strlen(name), tail = strlen(suffix);
  if (length < tail + 16 || strcmp(name + length - tail, suffix)) return false;
  return strspn(name + length - tail - 16, "0123456789abcdef") >= 16;
}

/* Entries and sources may be evicted. */
static bool is_evictable(const char *name)
{
  if (is_hashed(name, ".so")) return strlen(name) == 16 + strlen(".so");
  return is_hashed(name, ".c") || is_hashed(name, ".cpp");
}

static void add_old_file(scan *s, const char *folder, const char *name, const struct stat *info)
{
  if (s->count == s->capacity) {
    size_t capacity = 2 * s->capacity + 64;
    old_file *grown = pl_resize(s->names.pl, s->files, capacity * sizeof *grown);
    if (!grown) return;
    s->files = grown;
    s->capacity = capacity;
  }
  s->files[s->count++] = (old_file){s->names.length, info->st_size, info->st_mtime};
  pl_string_add(&s->names, "%s/%s", folder, name);
  pl_string_add_bytes(&s->names, "", 1);
}

/* Counts one file, and lists it if it is old enough. Abandoned temporary files are removed at once. */
static void scan_file(scan *s, const char *folder, int at, const char *name, time_t now)
{
  struct stat info;
  if (fstatat(at, name, &info, AT_SYMLINK_NOFOLLOW) || !S_ISREG(info.st_mode)) return;
  if (!strncmp(name, ".plait-", 7) && info.st_mtime < now - STALE) unlinkat(at, name, 0);
  if (!is_evictable(name)) return;
  s->total += info.st_size;
  if (info.st_mtime < now - GRACE) add_old_file(s, folder, name, &info);
}

static void scan_folder(scan *s, const char *folder, time_t now)
{
  DIR *open_folder = opendir(folder);
  for (struct dirent *file; open_folder && (file = readdir(open_folder));)
    scan_file(s, folder, dirfd(open_folder), file->d_name, now);
  if (open_folder) closedir(open_folder);
}

static int by_age(const void *a, const void *b)
{
  const old_file *x = a, *y = b;
  return (x->used > y->used) - (x->used < y->used);
}

void pl_cache_folder_evict(pl_context *pl, const char *folder)
{
  scan s = {.files = NULL};
  pl_string sources;
  off_t limit = (off_t)pl_opt_count(pl, PL_OPT_CACHE_SIZE) * 1000000;
  time_t now = time(NULL);
  pl_string_init(&s.names, pl);
  pl_string_init(&sources, pl);
  pl_string_add(&sources, "%s/src", folder);
  scan_folder(&s, folder, now);
  scan_folder(&s, pl_string_chars(&sources), now);
  if (s.count && !s.names.failed && s.total > limit) {
    qsort(s.files, s.count, sizeof *s.files, by_age);
    for (size_t i = 0; i < s.count && s.total > limit / 100 * KEEP_PERCENT; i++)
      if (!unlink(s.names.data + s.files[i].name)) s.total -= s.files[i].size;
  }
  pl_string_free(&sources);
  pl_string_free(&s.names);
  pl_free(pl, s.files);
}
