/* SPDX-License-Identifier: BSD-2-Clause
 * New files and folders. A process that was killed may have left temporary files behind.
 */
#include "file_system.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int pl_temporary_create(int at, const char *stem, unsigned mode, char *name, size_t size)
{
  enum { MOST = 1000 };
  int fd = -1;
  for (int n = 0; fd < 0 && n < MOST && (!n || errno == EEXIST); n++) {
    snprintf(name, size, "%s-%ld-%d", stem, (long)getpid(), n);
    fd = openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  }
  return fd;
}

/* The reason is that of the first folder that could not be created. */
int pl_create_folders(char *path, unsigned mode)
{
  struct stat info;
  int failure = 0;
  for (char *p = path; *p;) {
    p += strspn(p, "/");
    p += strcspn(p, "/");
    const char end = *p;
    *p = '\0';
    if (mkdir(path, mode) && errno != EEXIST && !failure) failure = errno;
    *p = end;
  }
  if (stat(path, &info)) return failure ? failure : errno;
  return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
}
