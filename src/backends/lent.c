/* SPDX-License-Identifier: BSD-2-Clause
 * Memory lent to other processes. See lent.h.
 */
#define _GNU_SOURCE /* memfd_create */
#include "lent.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whose file it is, and what tells whether it is still the same. */
typedef struct place {
  int process, file;
  uint64_t inode, size;
} place;

static pl_err failed(pl_context *pl, const char *doing)
{
  return pl_fail(pl, PL_ERR_BACKEND, "%s failed: %s", doing, strerror(errno));
}

/* Maps a file and takes it over. */
static pl_err map_file(pl_context *pl, int file, size_t size, pl_lent *lent)
{
  void *address = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (address == MAP_FAILED) {
    close(file);
    return failed(pl, "mapping shared memory");
  }
  *lent = (pl_lent){address, size, file};
  return PL_SUCCESS;
}

pl_err pl_lent_new(pl_context *pl, size_t size, pl_lent *lent, pl_handle *handle)
{
  struct stat about;
  int file = memfd_create("plait", MFD_CLOEXEC);
  if (file < 0) return failed(pl, "making shared memory");
  if (ftruncate(file, (off_t)size) || fstat(file, &about)) {
    close(file);
    return failed(pl, "making shared memory");
  }
  const place given = {getpid(), file, (uint64_t)about.st_ino, size};
  memcpy(handle->bytes, &given, sizeof given);
  return map_file(pl, file, size, lent);
}

pl_err pl_lent_open(pl_context *pl, const pl_handle *handle, pl_lent *lent)
{
  char path[64];
  place given;
  struct stat about;
  memcpy(&given, handle->bytes, sizeof given);
  snprintf(path, sizeof path, "/proc/%d/fd/%d", given.process, given.file);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return failed(pl, "opening another rank's memory");
  bool same =
    !fstat(file, &about) && (uint64_t)about.st_ino == given.inode && (uint64_t)about.st_size == given.size;
  if (same) return map_file(pl, file, given.size, lent);
  close(file);
  return pl_fail(pl, PL_ERR_BACKEND, "another rank's memory is not where it says; are these one machine?");
}

void pl_lent_close(pl_lent *lent)
{
  munmap(lent->address, lent->size);
  close(lent->file);
}
