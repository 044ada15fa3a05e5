/* SPDX-License-Identifier: BSD-2-Clause
 * Checks before all ranks open a file. Parallel HDF5 deadlocks if one rank cannot open it or opens another
 * file.
 */
#include "parallel_file.h"
#include "core/base/hash.h"
#include "core/comm/comm.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static pl_err check_path(pl_context *pl, const char *path, bool create)
{
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  int length = slash ? slash > path ? (int)(slash - path) : 1 : 1;
  snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".");
  if (!access(create ? folder : path, create ? W_OK | X_OK : R_OK)) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_IO, "file \"%s\": cannot %s it: %s", path, create ? "create" : "open",
                 strerror(errno));
}

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

pl_err pl_file_agree(pl_context *pl, const char *path, bool create)
{
  bool same;
  PL_TRY(pl_agree(pl, check_path(pl, path, create)));
  PL_TRY(pl_comm_same(pl, pl_hash(PL_HASH_START, path, strlen(path)), &same));
  if (!same) return pl_fail(pl, PL_ERR_ARG, "file \"%s\": another rank names another file", path);
  return create || pl_ranks(pl) == 1 ? PL_SUCCESS : check_same_file(pl, path);
}
