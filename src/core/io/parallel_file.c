/* SPDX-License-Identifier: BSD-2-Clause
 * Files that all ranks read or write together. All agree on the file before. It is written beside its target
 * and replaces it by a rename, so a failure at any time leaves the previous file.
 */
#include "parallel_file.h"
#include "core/base/hash.h"
#include "core/base/temporary_file.h"
#include "core/comm/comm.h"
#include <errno.h>
#include <fcntl.h>
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

static pl_err create_temporary(pl_context *pl, pl_new_file *file, const struct stat *old)
{
  char stem[PATH_MAX + 8];
  snprintf(stem, sizeof stem, "%s.tmp", file->target);
  int fd = pl_temporary_create(AT_FDCWD, stem, 0666, file->temporary, sizeof file->temporary);
  if (fd < 0) return io_error(pl, "create", file->target);
  if (old->st_mode) (void)fchmod(fd, old->st_mode & 0777);
  close(fd);
  return PL_SUCCESS;
}

static void name_folder(const char *path, char folder[PATH_MAX])
{
  strcpy(folder, path);
  char *slash = strrchr(folder, '/');
  if (slash)
    slash[slash == folder] = '\0';
  else
    strcpy(folder, ".");
}

/* Finds the target: the file that a link leads to, which must be a writable regular file or not exist. */
static pl_err find_target(pl_context *pl, const char *path, pl_new_file *file, struct stat *old)
{
  char folder[PATH_MAX];
  memset(old, 0, sizeof *old);
  memset(file->temporary, 0, sizeof file->temporary);
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

/* Replaces the target. The entry in its folder cannot be taken back, so an error of its flush is ignored. */
static pl_err rename_temporary(pl_context *pl, const pl_new_file *file)
{
  char folder[PATH_MAX];
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
  return err;
}
