/* SPDX-License-Identifier: BSD-2-Clause
 * Files that all ranks read or write together. All agree on the file before. It is written beside its target
 * and replaces it by a rename, so a failure at any time leaves the previous file. Rank 0 holds a lock on the
 * temporary file: one without a lock, whose process does not run on this machine, was left by a killed
 * process.
 */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "parallel_file.h"
#include "core/base/hash.h"
#include "core/base/file_system.h"
#include "core/comm/comm.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pl_err io_error(pl_context *pl, const char *doing, const char *path)
{
  return pl_fail(pl, PL_ERR_IO, "file \"%s\": cannot %s it: %s", path, doing, strerror(errno));
}

static pl_err check_same_path(pl_context *pl, const char *path)
{
  bool same;
  PL_TRY(pl_comm_same(pl, pl_hash(PL_HASH_START, path, strlen(path)), &same));
  if (same) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_ARG, "file \"%s\": another rank names another file", path);
}

/* ---- reading ---- */

/* The size of a file and a hash of its ends; 0 if it cannot be read. */
static int64_t hash_ends(const char *path, uint64_t *hash)
{
  char bytes[4096];
  int64_t size = 0;
  FILE *file = fopen(path, "rb");
  *hash = PL_HASH_START;
  if (!file) return 0;
  *hash = pl_hash(*hash, bytes, fread(bytes, 1, sizeof bytes, file));
  if (!fseeko(file, 0, SEEK_END)) size = (int64_t)ftello(file);
  if (!fseeko(file, size > (int64_t)sizeof bytes ? -(off_t)sizeof bytes : -(off_t)size, SEEK_END))
    *hash = pl_hash(*hash, bytes, fread(bytes, 1, sizeof bytes, file));
  fclose(file);
  return size;
}

static pl_err check_same_file(pl_context *pl, const char *path)
{
  uint64_t hash;
  bool same;
  int64_t size = hash_ends(path, &hash), least = size, most = size;
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MIN, &least, 1));
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MAX, &most, 1));
  if (least != most)
    return pl_fail(
      pl, PL_ERR_IO,
      "file \"%s\": it has %lld bytes on some ranks and %lld on others; all must see the same file", path,
      (long long)least, (long long)most);
  PL_TRY(pl_comm_same(pl, hash, &same));
  if (same) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_IO,
                 "file \"%s\": it holds other bytes on some ranks than on others; all must see the same file",
                 path);
}

pl_err pl_file_agree(pl_context *pl, const char *path)
{
  PL_TRY(pl_agree(pl, access(path, R_OK) ? io_error(pl, "open", path) : PL_SUCCESS));
  PL_TRY(check_same_path(pl, path));
  return pl_ranks(pl) == 1 ? PL_SUCCESS : check_same_file(pl, path);
}

/* ---- writing ---- */

static void name_folder(const char *path, char folder[PATH_MAX])
{
  strcpy(folder, path);
  char *slash = strrchr(folder, '/');
  if (slash)
    slash[slash == folder] = '\0';
  else
    strcpy(folder, ".");
}

/* Locks of open files are independent of those of HDF5, which belong to processes or are made by flock. */
static bool lock_file(int fd)
{
  struct flock whole = {.l_type = F_WRLCK}; /* of all bytes */
  return fcntl(fd, F_OFD_SETLK, &whole) == 0;
}

static pl_err create_temporary(pl_context *pl, pl_new_file *file, const struct stat *old)
{
  char stem[PATH_MAX + 8];
  snprintf(stem, sizeof stem, "%s.tmp", file->target);
  file->lock = pl_temporary_create(AT_FDCWD, stem, 0666, file->temporary, sizeof file->temporary);
  if (file->lock < 0) return io_error(pl, "create", file->target);
  (void)lock_file(file->lock); /* without it only processes of other machines could remove the file */
  if (old->st_mode) (void)fchmod(file->lock, old->st_mode & 0777);
  return PL_SUCCESS;
}

/* ---- files that killed processes left ---- */

/* The process in the name of a temporary file, "<stem>-<process>-<n>"; 0: another name. */
static long process_of(const char *name, const char *stem)
{
  char *end;
  const size_t length = strlen(stem);
  if (strncmp(name, stem, length) || name[length] != '-' || !isdigit((unsigned char)name[length + 1]))
    return 0;
  const long process = strtol(name + length + 1, &end, 10);
  if (*end != '-' || !isdigit((unsigned char)end[1])) return 0;
  return end[1 + strspn(end + 1, "0123456789")] ? 0 : process;
}

static bool is_running(long process)
{
  return !kill((pid_t)process, 0) || errno != ESRCH;
}

/* Removes a file that no process writes. */
static void remove_left_file(int folder, const char *name)
{
  struct stat info;
  const int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;
  if (!fstat(fd, &info) && S_ISREG(info.st_mode) && lock_file(fd)) (void)unlinkat(folder, name, 0);
  close(fd);
}

static void remove_left_files(const pl_new_file *file)
{
  char folder[PATH_MAX], stem[PATH_MAX + 8];
  const char *slash = strrchr(file->target, '/');
  snprintf(stem, sizeof stem, "%s.tmp", slash ? slash + 1 : file->target);
  name_folder(file->target, folder);
  DIR *list = opendir(folder);
  for (const struct dirent *entry; list && (entry = readdir(list));) {
    const long process = process_of(entry->d_name, stem);
    if (process > 0 && !is_running(process)) remove_left_file(dirfd(list), entry->d_name);
  }
  if (list) closedir(list);
}

/* Finds the target: the file that a link leads to, which must be a writable regular file or not exist. */
static pl_err find_target(pl_context *pl, const char *path, pl_new_file *file, struct stat *old)
{
  char folder[PATH_MAX];
  memset(old, 0, sizeof *old);
  memset(file->temporary, 0, sizeof file->temporary);
  file->lock = -1;
  file->keep = 0;
  if (strlen(path) >= sizeof file->target) {
    errno = ENAMETOOLONG;
    return io_error(pl, "create", path);
  }
  if (!realpath(path, file->target)) strcpy(file->target, path);
  name_folder(file->target, folder);
  if (stat(file->target, old)) return access(folder, W_OK | X_OK) ? io_error(pl, "create", path) : PL_SUCCESS;
  if (!S_ISREG(old->st_mode)) return pl_fail(pl, PL_ERR_IO, "file \"%s\": it is not a regular file", path);
  return access(file->target, W_OK) ? io_error(pl, "create", path) : PL_SUCCESS;
}

pl_err pl_file_begin(pl_context *pl, const char *path, pl_new_file *file)
{
  struct stat old;
  PL_TRY(pl_agree(pl, find_target(pl, path, file, &old)));
  PL_TRY(check_same_path(pl, path));
  if (pl_rank(pl) == 0) remove_left_files(file);
  PL_TRY(pl_agree(pl, pl_rank(pl) > 0 ? PL_SUCCESS : create_temporary(pl, file, &old)));
  pl_err err = pl_comm_bcast(pl, 0, file->temporary, sizeof file->temporary);
  if (!err && access(file->temporary, W_OK)) err = io_error(pl, "create", path);
  err = pl_agree(pl, err);
  if (err) pl_file_end(pl, file, err);
  return err;
}

/* Flushes a file or a folder to the disk. */
static bool flush_path(const char *path, int flags)
{
  int fd = open(path, flags | O_CLOEXEC);
  bool good = fd >= 0 && !fsync(fd);
  return fd >= 0 && !close(fd) && good;
}

/* The previous files move up by one; the target stays, as NAME.1 too, or is renamed where there are no hard
 * links. */
static pl_err keep_previous(pl_context *pl, const pl_new_file *file)
{
  char from[PATH_MAX + 16], to[PATH_MAX + 16];
  if (!file->keep || access(file->target, F_OK)) return PL_SUCCESS;
  for (int n = file->keep; n > 1; n--) {
    snprintf(from, sizeof from, "%s.%d", file->target, n - 1);
    snprintf(to, sizeof to, "%s.%d", file->target, n);
    if (rename(from, to) && errno != ENOENT) return io_error(pl, "keep", from);
  }
  snprintf(to, sizeof to, "%s.1", file->target);
  if (unlink(to) && errno != ENOENT) return io_error(pl, "replace", to);
  return link(file->target, to) && rename(file->target, to) ? io_error(pl, "keep", file->target) : PL_SUCCESS;
}

/* Replaces the target. The entry in its folder cannot be taken back, so an error of its flush is ignored. */
static pl_err rename_temporary(pl_context *pl, const pl_new_file *file)
{
  char folder[PATH_MAX];
  PL_TRY(keep_previous(pl, file));
  if (rename(file->temporary, file->target)) return io_error(pl, "replace", file->target);
  name_folder(file->target, folder);
  (void)flush_path(folder, O_RDONLY | O_DIRECTORY);
  return PL_SUCCESS;
}

pl_err pl_file_end(pl_context *pl, const pl_new_file *file, pl_err err)
{
  const bool first = pl_rank(pl) == 0;
  if (!err && !flush_path(file->temporary, O_WRONLY)) err = io_error(pl, "write", file->target);
  err = pl_agree(pl, err);
  if (!err) err = pl_agree(pl, first ? rename_temporary(pl, file) : PL_SUCCESS);
  if (err && first) unlink(file->temporary);
  if (file->lock >= 0) close(file->lock);
  return err;
}
