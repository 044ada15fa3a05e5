/* SPDX-License-Identifier: BSD-2-Clause
 * The shared cache folder: path, trust, locks, eviction.
 */
#define _GNU_SOURCE /* O_PATH, F_OFD_SETLKW */
#include "cache_folder.h"
#include "core/base/file_system.h"
#include "core/context/memory.h"
#include "core/context/options.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  GRACE = 60,       /* seconds in which a new file is not evicted: a process may be about to open it */
  STALE = 3600,     /* seconds after which temporary files count as abandoned */
  KEEP_PERCENT = 90 /* of the limit remain after an eviction */
};

/* ---- trust ---- */

enum { AS_PLACE = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

/* Adds the reason why others could change the open folder, if there is one. A parent may belong to root, and
 * others may write into a sticky one: they cannot replace folders of the user there. */
static void add_distrust(int folder, bool parent, const char *path, int length, pl_string *why)
{
  struct stat info;
  bool failed = fstat(folder, &info);
  if (failed)
    pl_string_add(why, "\"%.*s\": %s", length, path, strerror(errno));
  else if (info.st_uid != geteuid() && !(parent && !info.st_uid))
    pl_string_add(why, "\"%.*s\" belongs to another user", length, path);
  else if ((info.st_mode & (S_IWGRP | S_IWOTH)) && !(parent && (info.st_mode & S_ISVTX)))
    pl_string_add(why, "others may write into \"%.*s\"", length, path);
}

/* Opens a path component by component, each checked before the next is opened in it. -1, and `why` gets the
 * reason, if the folder or a parent cannot be trusted. */
static int open_trusted(const char *path, pl_string *why)
{
  char name[NAME_MAX + 1];
  int at = open("/", AS_PLACE);
  for (const char *end = path, *next; at >= 0; end = next + strlen(name)) {
    next = end + strspn(end, "/");
    add_distrust(at, *next, path, end > path ? (int)(end - path) : 1, why);
    if (!*next && !why->length) return at;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(next, "/"), next);
    int inner = why->length ? -1 : openat(at, name, AS_PLACE);
    int failure = errno;
    close(at);
    errno = failure;
    at = inner;
  }
  if (!why->length) pl_string_add(why, "%s", strerror(errno));
  return -1;
}

/* Creates and opens the folder and makes its path absolute; `why` gets the reason if it cannot be used. */
static void open_folder(pl_cache_folder *folder, pl_string *why)
{
  char real[PATH_MAX];
  if (!folder->path.length) {
    pl_string_add(why, "there is no home folder");
    return;
  }
  const int failure = pl_create_folders(folder->path.data, 0700);
  if (failure || !realpath(folder->path.data, real)) {
    pl_string_add(why, "%s", strerror(failure ? failure : errno));
    return;
  }
  pl_string_free(&folder->path);
  pl_string_add(&folder->path, "%s", real);
  folder->at = open_trusted(real, why);
}

void pl_cache_folder_init(pl_cache_folder *folder, pl_context *pl)
{
  pl_string_init(&folder->path, pl);
  folder->at = -1;
}

void pl_cache_folder_close(pl_cache_folder *folder)
{
  if (folder->at >= 0) close(folder->at);
  folder->at = -1;
  pl_string_free(&folder->path);
}

pl_err pl_cache_folder_choose(pl_context *pl, pl_cache_folder *folder)
{
  if (!pl_opt_count(pl, PL_OPT_CACHE_SIZE)) return PL_SUCCESS;
  pl_string why;
  pl_string_init(&why, pl);
  pl_opt_cache_folder(pl, &folder->path);
  open_folder(folder, &why);
  pl_err err = pl_string_check(&folder->path);
  if (!err) err = pl_string_check(&why);
  if (!err && why.length)
    pl_log(pl, 0,
           "cache folder \"%s\" is not used: %s; set PLAIT_CACHE_DIR to a folder that only you can write",
           pl_string_chars(&folder->path), why.data);
  if (err || why.length) pl_cache_folder_close(folder);
  pl_string_free(&why);
  return err;
}

int pl_cache_folder_read(const pl_cache_folder *folder, const char *name)
{
  struct stat info;
  int fd = openat(folder->at, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0) return -1;
  if (!fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
      !(info.st_mode & (S_IWGRP | S_IWOTH)))
    return fd;
  close(fd);
  return -1;
}

/* ---- locks ---- */

/* Lock `number` is a byte of a file that stays empty. It belongs to the open file, so threads exclude each
 * other too. */
static bool set_lock(int fd, short type, off_t start, off_t length)
{
  struct flock bytes = {.l_type = type, .l_start = start, .l_len = length};
  int result;
  do result = fcntl(fd, F_OFD_SETLKW, &bytes);
  while (result && errno == EINTR);
  return !result;
}

int pl_cache_folder_lock(const pl_cache_folder *folder, uint32_t number)
{
  int fd = openat(folder->at, ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600);
  if (fd < 0 || set_lock(fd, F_WRLCK, (off_t)(number >> 1), 1)) return fd;
  close(fd);
  return -1;
}

/* Not by closing alone, since a process that forks at this moment has the open file too. */
void pl_cache_folder_unlock(int lock)
{
  if (lock < 0) return;
  set_lock(lock, F_UNLCK, 0, 0);
  close(lock);
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

/* A file dated in the future, by a clock that was wrong, is older than any. */
static time_t time_of(const struct stat *info, time_t now)
{
  return info->st_mtime > now + GRACE ? 0 : info->st_mtime;
}

static void add_old_file(scan *s, const char *folder, const char *name, const struct stat *info, time_t used)
{
  if (s->count == s->capacity) {
    size_t capacity = 2 * s->capacity + 64;
    old_file *grown = pl_resize(s->names.pl, s->files, capacity * sizeof *grown);
    if (!grown) return;
    s->files = grown;
    s->capacity = capacity;
  }
  s->files[s->count++] = (old_file){s->names.length, info->st_size, used};
  pl_string_add(&s->names, "%s/%s", folder, name);
  pl_string_add_bytes(&s->names, "", 1);
}

/* Counts one file, and lists it if it is old enough. Abandoned temporary files are removed at once. */
static void scan_file(scan *s, const char *folder, int at, const char *name, time_t now)
{
  struct stat info;
  if (fstatat(at, name, &info, AT_SYMLINK_NOFOLLOW) || !S_ISREG(info.st_mode)) return;
  time_t used = time_of(&info, now);
  if (!strncmp(name, ".plait-", 7) && used < now - STALE) unlinkat(at, name, 0);
  if (!is_evictable(name)) return;
  s->total += info.st_size;
  if (used < now - GRACE) add_old_file(s, folder, name, &info, used);
}

static void scan_folder(scan *s, int at, const char *folder, time_t now)
{
  int fd = openat(at, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *list = fd < 0 ? NULL : fdopendir(fd);
  for (struct dirent *file; list && (file = readdir(list));) scan_file(s, folder, fd, file->d_name, now);
  if (list)
    closedir(list);
  else if (fd >= 0)
    close(fd);
}

static int by_age(const void *a, const void *b)
{
  const old_file *x = a, *y = b;
  return (x->used > y->used) - (x->used < y->used);
}

void pl_cache_folder_evict(pl_context *pl, const pl_cache_folder *folder)
{
  scan s = {.files = NULL};
  off_t limit = (off_t)pl_opt_count(pl, PL_OPT_CACHE_SIZE) * 1000000;
  time_t now = time(NULL);
  pl_string_init(&s.names, pl);
  scan_folder(&s, folder->at, ".", now);
  scan_folder(&s, folder->at, "src", now);
  if (s.count && !s.names.failed && s.total > limit) {
    qsort(s.files, s.count, sizeof *s.files, by_age);
    for (size_t i = 0; i < s.count && s.total > limit / 100 * KEEP_PERCENT; i++)
      if (!unlinkat(folder->at, s.names.data + s.files[i].name, 0)) s.total -= s.files[i].size;
  }
  pl_string_free(&s.names);
  pl_free(pl, s.files);
}
